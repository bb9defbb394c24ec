"""What may stand in a transcript, and how it is read from an object such as JSON gives."""

from collections.abc import Mapping, Sequence
from typing import cast

from services.results.games.ending_accounts import unreadable
from services.results.games.gomoku.board import Point
from shared.values import Value

LARGEST = 1000

type Claimed = int  # a seat as it is written: whether it is a player of the game is for the rules to say


class Stone(Value):
    """A stone or a drawn symbol. Only where the rules leave its colour open has it to be named."""

    point: Point
    colour: str | None = None


class Take(Value):
    """Of a colour, by who has the choice."""

    colour: str
    by: Claimed | None = None


class Offer(Value):
    by: Claimed | None = None


class Accept(Value):
    by: Claimed | None = None


class Decline(Value):
    """In words; a move declines as well."""

    by: Claimed | None = None


class ClaimFive(Value):
    by: Claimed


class ClaimTime(Value):
    """The other side's time is over."""

    by: Claimed


class Resign(Value):
    by: Claimed


type Move = Stone | Take | Offer | Accept | Decline | ClaimFive | ClaimTime | Resign

FORMS = (
    "should be [row, column], with the colour as third where it is open, "
    'or one of {"take": …}, {"offer": "draw"}, {"accept": "draw"}, {"decline": "draw"}, '
    '{"claim": "five" or "time", "by": 0 or 1}, {"resign": 0 or 1}'
)


class Unreadable(Exception):
    """One entry has no form of a move."""


def read(moves: Sequence[object], colours: Sequence[str]) -> tuple[Move, ...]:
    """All that have no form of a move are named at once."""
    found: list[Move] = []
    faults: list[tuple[int, str]] = []
    for index, entry in enumerate(moves):
        try:
            found.append(read_move(entry, colours))
        except Unreadable as error:
            faults.append((index, str(error)))
    if faults:
        raise unreadable(faults)
    return tuple(found)


def read_move(entry: object, colours: Sequence[str]) -> Move:
    if isinstance(entry, list | tuple):
        return read_stone(cast("Sequence[object]", entry), colours)
    if not isinstance(entry, Mapping):
        raise Unreadable(FORMS)
    return read_words(cast("Mapping[str, object]", entry), colours)


def read_stone(entry: Sequence[object], colours: Sequence[str]) -> Stone:
    match entry:
        case [row, column]:
            return Stone(point=read_point(row, column))
        case [row, column, colour]:
            return Stone(point=read_point(row, column), colour=read_colour(colour, colours))
        case _:
            raise Unreadable(FORMS)


def read_point(row: object, column: object) -> Point:
    match whole(row), whole(column):
        case int() as down, int() as right:
            return Point(down, right)
        case _:
            raise Unreadable("should give row and column as whole numbers")


def read_colour(colour: object, colours: Sequence[str]) -> str:
    if colour not in colours:
        raise Unreadable(f"names no colour of this game: there is {' and '.join(colours)}")
    return str(colour)


def read_seat(seat: object, word: str = "by") -> Claimed:
    found = whole(seat)
    if found is None:
        raise Unreadable(f"`{word}` should be a player of this game, seat 0 or 1")
    return found


def whole(number: object) -> int | None:
    """Neither true nor false, and not so large that nobody could say it."""
    return number if type(number) is int and abs(number) <= LARGEST else None


def read_words(words: Mapping[str, object], colours: Sequence[str]) -> Move:
    """What somebody says: one word, and where it is not seen from that who says it."""
    said = {word: what for word, what in words.items() if word != "by"}
    if len(said) != 1:
        raise Unreadable(FORMS)
    match said:
        case {"take": colour}:
            return Take(colour=read_colour(colour, colours), by=read_by(words))
        case {"offer": what}:
            require_draw("offer", what)
            return Offer(by=read_by(words))
        case {"accept": what}:
            require_draw("accept", what)
            return Accept(by=read_by(words))
        case {"decline": what}:
            require_draw("decline", what)
            return Decline(by=read_by(words))
        case {"claim": what}:
            return read_claim(what, read_seat(words.get("by")))
        case {"resign": seat}:
            if "by" in words:
                raise Unreadable("`resign` names the seat itself, without `by`")
            return Resign(by=read_seat(seat, "resign"))
        case _:
            raise Unreadable(FORMS)


def read_by(words: Mapping[str, object]) -> Claimed | None:
    return read_seat(words["by"]) if "by" in words else None


def require_draw(word: str, what: object) -> None:
    if what != "draw":
        raise Unreadable(f'`{word}` should say "draw"')


def read_claim(what: object, by: Claimed) -> Move:
    match what:
        case "five":
            return ClaimFive(by=by)
        case "time":
            return ClaimTime(by=by)
        case _:
            raise Unreadable('`claim` should say "five" or "time"')
