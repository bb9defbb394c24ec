"""A game of gomoku, move by move: stones, the choice of colours, offers, claims, and who has won by them.

What happened in it has the names that the rules give it (CFP.X-1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
from msgspec.structs import replace

from services.results.games.ending_accounts import NO_TRANSCRIPT, IllegalMove
from services.results.games.gomoku.board import ALL, SIZE, Point, has_five
from services.results.games.gomoku.moves import (
    Accept,
    ClaimFive,
    ClaimTime,
    Decline,
    Move,
    Offer,
    Resign,
    Stone,
    Take,
    read,
)
from services.results.games.gomoku.profiles import OpeningRules, Profile
from services.results.games.verdict import Winner
from shared.faults import Faulty, InputFault
from shared.values import Value

OPENING_STONES = 3
DRAW: Literal["draw"] = "draw"

type Player = Literal[0, 1]


class Laying(Value):
    """A seat lays stones of the opening; nobody has a colour yet."""

    seat: Player = 0
    left: int = OPENING_STONES


class Choosing(Value):
    """A seat chooses its colour, or where it may adds two stones."""

    seat: Player
    may_add: bool


class InPlay(Value):
    colours: tuple[str, str]  # seat by seat
    to_move: Player


class BoardFull(Value):
    """Drawn, unless somebody still claims a five (CFP.D3)."""

    colours: tuple[str, str]
    at: int


class Flagged(Value):
    """Won on time, unless the other side shows at once that the claimant's time is over too (CFP.D11)."""

    by: Player
    at: int


class Over(Value):
    winner: Winner
    reason: str
    at: int
    why: str


type Opened = Laying | Choosing | InPlay
type PlayState = Opened | BoardFull | Flagged | Over


class Placed(Value):
    colour: str
    at: int  # the index of its move


class Offered(Value):
    """A draw, which stands until the other side answers: in words or by going on."""

    by: Player
    at: int
    answered: int | None = None  # the index of the move


class Play(Value):
    profile: Profile
    opening: OpeningRules
    state: PlayState
    stones: Mapping[Point, Placed] = msgspec.field(default_factory=dict[Point, Placed])
    offered: Offered | None = None

    def of(self, colour: str) -> frozenset[Point]:
        return frozenset(point for point, placed in self.stones.items() if placed.colour == colour)

    def other(self, colour: str) -> str:
        first, second = self.profile.colours
        return second if colour == first else first


def begun(profile: Profile, opening: OpeningRules) -> Play:
    if opening.swap:
        return Play(profile=profile, opening=opening, state=Laying())
    return Play(profile=profile, opening=opening, state=InPlay(colours=profile.colours, to_move=0))


def to_act(state: Opened) -> Player:
    return state.to_move if isinstance(state, InPlay) else state.seat


def across(seat: Player) -> Player:
    return 1 if seat == 0 else 0


def offer(game: Play, state: Opened, index: int, move: Offer) -> Play:
    """Only by who is to move. The clock of the other side is started after the move, so the offer outlives it (CFP.D10)."""
    rule = game.profile.rules.draw
    seat = to_act(state)
    if move.by not in {None, seat}:
        raise IllegalMove(index, f"offers a draw for seat {move.by}, but only seat {seat}, who is to move, may", rule)
    if game.offered is not None and game.offered.answered is None:
        raise IllegalMove(index, f"offers a draw, but the offer of move {game.offered.at} is still open", rule)
    return replace(game, offered=Offered(by=seat, at=index))


def accept(game: Play, index: int, move: Accept) -> Play:
    answering, offered = require_offer(game, index, move)
    why = f"Seat {answering} has accepted the draw that seat {offered.by} offered with move {offered.at}."
    return replace(game, state=Over(winner=DRAW, reason="draw_agreed", at=index, why=why))


def decline(game: Play, index: int, move: Decline) -> Play:
    """In words, as one may. Going on declines as well."""
    _, offered = require_offer(game, index, move)
    return replace(game, offered=replace(offered, answered=index))


def require_offer(game: Play, index: int, move: Accept | Decline) -> tuple[Player, Offered]:
    rule = game.profile.rules.draw
    offered = game.offered
    if offered is None:
        raise IllegalMove(index, "answers a draw that nobody has offered", rule)
    if offered.answered is not None:
        raise IllegalMove(
            index, f"answers the draw of move {offered.at}, which has lapsed with move {offered.answered}", rule
        )
    answering = across(offered.by)
    if move.by not in {None, answering}:
        raise IllegalMove(index, f"answers for seat {move.by} a draw that was offered to seat {answering}", rule)
    return answering, offered


def claim_five(game: Play, index: int, move: ClaimFive) -> Play:
    """Whoever has a five on the board may claim it as long as the game goes on; unclaimed it ends nothing."""
    seat = require_player(game, index, move.by)
    match game.state:
        case InPlay(colours=colours) | BoardFull(colours=colours):
            colour = colours[seat]
        case Laying() | Choosing() | Flagged() | Over():
            raise IllegalMove(index, "claims a five before the colours are settled", game.profile.rules.five)
    if not has_five(game.of(colour), longer=game.profile.longer):
        wanted = "five or more" if game.profile.longer else "exactly five"
        raise IllegalMove(index, f"claims a five, but {colour} has no line of {wanted}", game.profile.rules.five)
    why = f"Seat {seat} has claimed a five of {colour}."
    return replace(game, state=Over(winner=seat, reason="five_claimed", at=index, why=why))


def claim_time(game: Play, index: int, move: ClaimTime) -> Play:
    return replace(game, state=Flagged(by=require_player(game, index, move.by), at=index))


def claim_time_too(game: Play, flagged: Flagged, index: int, move: ClaimTime) -> Play:
    """Both have overstepped it, whoever was first."""
    if require_player(game, index, move.by) == flagged.by:
        raise IllegalMove(index, f"repeats the claim of move {flagged.at}", game.profile.rules.end)
    why = "The time of both is over, whichever was first: drawn."
    return replace(game, state=Over(winner=DRAW, reason="draw_both_time", at=index, why=why))


def resign(game: Play, index: int, move: Resign) -> Play:
    seat = require_player(game, index, move.by)
    why = f"Seat {seat} has resigned."
    return replace(game, state=Over(winner=across(seat), reason="resignation", at=index, why=why))


def require_player(game: Play, index: int, seat: int) -> Player:
    """Nobody else may point anything out."""
    if seat not in {0, 1}:
        raise IllegalMove(index, f"speaks for seat {seat}, who is no player of this game", game.profile.rules.claimant)
    return 0 if seat == 0 else 1


def lay(game: Play, state: Opened, index: int, stone: Stone) -> Play:
    require_free(game, index, stone.point)
    match state:
        case Laying():
            colour = colour_in_opening(game, index, stone)
            following = go_on_laying(game, state)
        case Choosing():
            if not state.may_add:
                raise IllegalMove(index, f"is a stone, but seat {state.seat} has to take a colour", game.opening.rule)
            colour = colour_in_opening(game, index, stone)
            following = Laying(seat=state.seat, left=1)
        case InPlay():
            require_distance(game, index, stone.point)
            colour = state.colours[state.to_move]
            require_colour(index, stone, colour, game.profile.rules.turn)
            following = replace(state, to_move=across(state.to_move))
    stones = {**game.stones, stone.point: Placed(colour=colour, at=index)}
    if len(stones) == SIZE * SIZE and isinstance(following, InPlay):
        return replace(game, stones=stones, state=BoardFull(colours=following.colours, at=index))
    return acted(replace(game, stones=stones, state=following), to_act(state), index)


def go_on_laying(game: Play, state: Laying) -> PlayState:
    if state.left > 1:
        return replace(state, left=state.left - 1)
    may_add = game.opening.adding and len(game.stones) < OPENING_STONES
    return Choosing(seat=across(state.seat), may_add=may_add)


def take(game: Play, state: Opened, index: int, choice: Take) -> Play:
    rule = game.opening.rule
    match state:
        case Laying():
            raise IllegalMove(index, f"takes a colour, but seat {state.seat} has {state.left} more to lay", rule)
        case InPlay():
            raise IllegalMove(index, "takes a colour, but the colours are settled", rule)
        case Choosing(seat=seat):
            if choice.by not in {None, seat}:
                raise IllegalMove(
                    index, f"takes a colour for seat {choice.by}, but the choice is with seat {seat}", rule
                )
    other = game.other(choice.colour)
    colours = (choice.colour, other) if seat == 0 else (other, choice.colour)
    following = InPlay(colours=colours, to_move=0 if colours[0] == fewer(game) else 1)
    return acted(replace(game, state=following), seat, index)


def fewer(game: Play) -> str:
    """Of which colour fewer stones are on the board: who has it moves next."""
    return min(game.profile.colours, key=lambda colour: len(game.of(colour)))


def acted(game: Play, seat: Player, index: int) -> Play:
    """An offer lapses when the other side goes on instead of answering."""
    offered = game.offered
    if offered is None or offered.answered is not None or offered.by == seat:
        return game
    return replace(game, offered=replace(offered, answered=index))


def require_free(game: Play, index: int, point: Point) -> None:
    rule = game.profile.rules.board
    if point not in ALL:
        raise IllegalMove(index, f"is on {point}, outside the board, whose rows and columns are 0 to {SIZE - 1}", rule)
    before = game.stones.get(point)
    if before is not None:
        raise IllegalMove(index, f"is on {point}, which is occupied since move {before.at}", rule)


def require_distance(game: Play, index: int, point: Point) -> None:
    number = len(game.stones)
    if number < len(game.opening.distances):
        least, most = game.opening.distances[number]
        if not least <= point.from_centre <= most:
            wanted = f"{least}" if least == most else f"{least} or more"
            detail = f"is on {point}, {point.from_centre} from the centre, where stone {number + 1} has to be {wanted}"
            raise IllegalMove(index, detail, game.opening.rule)


def require_colour(index: int, stone: Stone, colour: str, rule: str) -> None:
    if stone.colour not in {None, colour}:
        raise IllegalMove(index, f"is {stone.colour}, but it is {colour} that moves", rule)


def colour_in_opening(game: Play, index: int, stone: Stone) -> str:
    rule = game.opening.rule
    number = len(game.stones)
    first, second = game.profile.colours
    if not game.opening.free:
        colour = first if number % 2 == 0 else second
        require_colour(index, stone, colour, rule)
        return colour
    if stone.colour is None:
        raise IllegalMove(index, f"does not say whether it is {first} or {second}, which is open in the opening", rule)
    before = [placed.colour for placed in game.stones.values()]
    if number == OPENING_STONES - 1 and before.count(stone.colour) == number:
        raise IllegalMove(
            index, f"is the third {stone.colour}: of the three two are of one kind and one of the other", rule
        )
    if number == OPENING_STONES + 1 and before[-1] == stone.colour:
        raise IllegalMove(index, f"is the second {stone.colour}: exactly one of each kind is added", rule)
    return stone.colour


class GomokuJudgement(Value):
    """What follows from a transcript. While the game goes on there is no winner."""

    explanation: str
    to_move: Player | None = None  # none: the game is over
    winner: Winner | None = None
    reason: str | None = None  # as CFP.RES-16 lists them
    decided_at: int | None = None  # the index of the move


def judge(profile: Profile, opening: str, moves: Sequence[object]) -> GomokuJudgement:
    """The moves are as JSON gives them. The first one that breaks a rule is refused with its index and that rule."""
    return judgement(play(profile, opening, moves)[-1])


def play(profile: Profile, opening: str, moves: Sequence[object]) -> Sequence[Play]:
    """The game before its first move, and after each of them."""
    known = profile.openings.get(opening)
    if known is None:
        names = ", ".join(profile.openings)
        raise Faulty(NO_TRANSCRIPT, [InputFault("/opening", f"is no opening of {profile.name}, which knows {names}")])
    games = [begun(profile, known)]
    for index, move in enumerate(read(moves, profile.colours)):
        games.append(after(games[-1], index, move))
    return games


def after(game: Play, index: int, move: Move) -> Play:
    end = game.profile.rules.end
    match game.state:
        case Laying() | Choosing() | InPlay() as state:
            return going_on(game, state, index, move)
        case BoardFull():
            if not isinstance(move, ClaimFive):
                raise IllegalMove(index, "comes when the board is full, and nothing but a five can be claimed", end)
            return claim_five(game, index, move)
        case Flagged() as flagged:
            if not isinstance(move, ClaimTime):
                raise IllegalMove(index, f"comes after the end of the game on time with move {flagged.at}", end)
            return claim_time_too(game, flagged, index, move)
        case Over(at=at):
            raise IllegalMove(index, f"comes after the end of the game with move {at}", end)


def going_on(game: Play, state: Opened, index: int, move: Move) -> Play:
    match move:
        case Stone():
            return lay(game, state, index, move)
        case Take():
            return take(game, state, index, move)
        case Offer():
            return offer(game, state, index, move)
        case Accept():
            return accept(game, index, move)
        case Decline():
            return decline(game, index, move)
        case ClaimFive():
            return claim_five(game, index, move)
        case ClaimTime():
            return claim_time(game, index, move)
        case Resign():
            return resign(game, index, move)


def judgement(game: Play) -> GomokuJudgement:
    match game.state:
        case Laying() | Choosing() | InPlay() as state:
            return GomokuJudgement(explanation=f"The game goes on: {awaited(state)}.", to_move=to_act(state))
        case BoardFull(at=at):
            why = "The board is full and nobody has claimed a five: drawn."
            return decided(DRAW, "draw_full_board", at, why)
        case Flagged(by=by, at=at):
            return decided(by, "time", at, f"Seat {by} has shown that the time of seat {1 - by} is over.")
        case Over(winner=winner, reason=reason, at=at, why=why):
            return decided(winner, reason, at, why)


def awaited(state: Opened) -> str:
    match state:
        case Laying(seat=seat, left=left):
            return f"seat {seat} has {left} more to lay"
        case Choosing(seat=seat, may_add=may_add):
            return f"seat {seat} has to take a colour{' or to add one stone of each' if may_add else ''}"
        case InPlay(colours=colours, to_move=seat):
            return f"{colours[seat]}, seat {seat}, is to move"


def decided(winner: Winner, reason: str, at: int, why: str) -> GomokuJudgement:
    return GomokuJudgement(winner=winner, reason=reason, decided_at=at, explanation=why)


TWO_STONES = "TwoStonesAdded"


@dataclass(frozen=True, slots=True)
class Happened:
    what: str
    moves: tuple[int, ...]  # their indices


def happenings(games: Sequence[Play], moves: Sequence[Move]) -> tuple[Happened, ...]:
    """By the game before each of its moves."""
    found: list[Happened] = []
    for index, (game, move) in enumerate(zip(games, moves, strict=False)):
        if is_second_added(game, move):  # something may have been said in between
            added = (max(placed.at for placed in game.stones.values()),)
            place = next(place for place, one in enumerate(found) if one.moves == added)
            found[place] = Happened(TWO_STONES, (*added, index))
        else:
            found.append(Happened(name_of(move), (index,)))
    return tuple(found)


def is_second_added(game: Play, move: Move) -> bool:
    return isinstance(move, Stone) and isinstance(game.state, Laying) and len(game.stones) > OPENING_STONES


def name_of(move: Move) -> str:
    match move:
        case Stone():
            return "StonePlaced"
        case Take():
            return "ColourChosen"
        case Offer():
            return "DrawOffered"
        case Accept():
            return "DrawAccepted"
        case Decline():
            return "DrawDeclined"
        case ClaimFive():
            return "FiveClaimed"
        case ClaimTime():
            return "TimeClaimed"
        case Resign():
            return "Resigned"
