"""From the moves to the verdict."""

from collections.abc import Sequence

from services.results.games.gomoku.ending import (
    accept,
    claim_five,
    claim_time,
    claim_time_too,
    decline,
    offer,
    resign,
)
from services.results.games.gomoku.game import (
    DRAW,
    Choosing,
    Flagged,
    Full,
    Game,
    Laying,
    Opened,
    Over,
    Playing,
    Winner,
    opened,
)
from services.results.games.gomoku.laying import lay, take
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
from services.results.games.gomoku.profiles import Profile
from services.results.games.transcript import SENTENCE, IllegalMove
from shared.faults import Fault, Faulty
from shared.values import Value


class Judgement(Value):
    """What follows from a transcript. While the game goes on there is no winner."""

    explanation: str
    winner: Winner | None = None
    reason: str | None = None  # as CFP.RES-16 lists them
    decided_at: int | None = None  # the index of the move


def judge(profile: Profile, opening: str, moves: Sequence[object]) -> Judgement:
    """The moves are as JSON gives them. The first one that breaks a rule is refused with its index and that rule."""
    return verdict(play(profile, opening, moves)[-1])


def play(profile: Profile, opening: str, moves: Sequence[object]) -> Sequence[Game]:
    """The game before its first move, and after each of them."""
    known = profile.openings.get(opening)
    if known is None:
        names = ", ".join(profile.openings)
        raise Faulty(SENTENCE, [Fault("/opening", f"is no opening of {profile.name}, which knows {names}")])
    games = [opened(profile, known)]
    for index, move in enumerate(read(moves, profile.colours)):
        games.append(after(games[-1], index, move))
    return games


def after(game: Game, index: int, move: Move) -> Game:
    end = game.profile.rules.end
    match game.state:
        case Laying() | Choosing() | Playing() as state:
            return going_on(game, state, index, move)
        case Full():
            if not isinstance(move, ClaimFive):
                raise IllegalMove(index, "comes when the board is full, and nothing but a five can be claimed", end)
            return claim_five(game, index, move)
        case Flagged() as flagged:
            if not isinstance(move, ClaimTime):
                raise IllegalMove(index, f"comes after the end of the game on time with move {flagged.at}", end)
            return claim_time_too(game, flagged, index, move)
        case Over(at=at):
            raise IllegalMove(index, f"comes after the end of the game with move {at}", end)


def going_on(game: Game, state: Opened, index: int, move: Move) -> Game:
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


def verdict(game: Game) -> Judgement:
    match game.state:
        case Laying() | Choosing() | Playing() as state:
            return Judgement(explanation=f"The game goes on: {awaited(state)}.")
        case Full(at=at):
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
        case Playing(colours=colours, to_move=seat):
            return f"{colours[seat]}, seat {seat}, is to move"


def decided(winner: Winner, reason: str, at: int, why: str) -> Judgement:
    return Judgement(winner=winner, reason=reason, decided_at=at, explanation=why)
