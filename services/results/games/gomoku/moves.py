"""What may stand in a transcript, and how it is read from an object such as JSON gives."""

from collections.abc import Callable, Mapping, Sequence
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
    words = cast("Mapping[str, object]", entry)
    (kind, *others) = [word for word in words if word != "by"] or [""]
    reader = READERS.get(kind)
    if reader is None or others:
        raise Unreadable(FORMS)
    return reader(words, colours)


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


def read_by(words: Mapping[str, object]) -> Claimed | None:
    return read_seat(words["by"]) if "by" in words else None


def read_take(words: Mapping[str, object], colours: Sequence[str]) -> Move:
    return Take(colour=read_colour(words["take"], colours), by=read_by(words))


def about_draw(word: str, form: Callable[[Claimed | None], Move]) -> "Reader":
    def read_it(words: Mapping[str, object], _: Sequence[str]) -> Move:
        if words[word] != "draw":
            raise Unreadable(f'`{word}` should say "draw"')
        return form(read_by(words))

    return read_it


def read_claim(words: Mapping[str, object], _: Sequence[str]) -> Move:
    by = read_seat(words.get("by"))
    match words["claim"]:
        case "five":
            return ClaimFive(by=by)
        case "time":
            return ClaimTime(by=by)
        case _:
            raise Unreadable('`claim` should say "five" or "time"')


def read_resign(words: Mapping[str, object], _: Sequence[str]) -> Move:
    if "by" in words:
        raise Unreadable("`resign` names the seat itself, without `by`")
    return Resign(by=read_seat(words["resign"], "resign"))


type Reader = Callable[[Mapping[str, object], Sequence[str]], Move]

READERS: Mapping[str, Reader] = {
    "take": read_take,
    "offer": about_draw("offer", lambda by: Offer(by=by)),
    "accept": about_draw("accept", lambda by: Accept(by=by)),
    "decline": about_draw("decline", lambda by: Decline(by=by)),
    "claim": read_claim,
    "resign": read_resign,
}
