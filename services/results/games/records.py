"""What the record of a game shows, and whether that is what was reported."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from services.results.games import othello
from services.results.games.drawing import PROFILES, Drawn
from services.results.games.gomoku import play as gomoku
from services.results.games.gomoku.clocks import require_shown
from services.results.games.gomoku.moves import read
from services.results.games.gomoku.play import Happened, happenings
from services.results.games.othello import Discs, after_time
from services.results.games.verdict import Winner, ahead, unfit
from shared.rulesets.play import Element, Ending, ExtraTime, Period
from shared.values import Value


class RecordReading(Value):
    """Seat by seat of the record, where seat 0 has opened."""

    explanation: str
    winner: Winner | None = None  # none: the game went on
    reason: str | None = None
    decided_at: int | None = None
    discs: Discs | None = None  # of Othello, as they are written down
    board: Discs | None = None  # as they stand
    happened: tuple[Happened, ...] = ()  # of gomoku


class RecordedClocks(Value):
    periods: Sequence[Period]  # as they were announced
    seconds: Sequence[int | None]  # for each entry of the moves


def drawable(game: str) -> Drawn:
    """A game that is recorded move by move."""
    match game:
        case "gomoku-cfp" | "gomoku-pisqworky" | "othello":
            return game
        case _:
            raise unfit("/moves", f"cannot be read: {game} has no record move by move")


def read_record(
    game: Drawn, moves: Sequence[object], opening: str | None, clocks: RecordedClocks | None = None
) -> RecordReading:
    """Refused with the index of the first move that breaks a rule, or claims a time that the clocks do not show."""
    if clocks is not None and game != "gomoku-cfp":
        raise unfit("/seconds", "go with a game of gomoku of the Czech federation only")
    if game == "othello":
        found = othello.judge(moves)
        winner = None if found.discs is None else ahead(found.discs)
        return RecordReading(
            explanation=found.explanation, winner=winner, discs=found.discs or found.board, board=found.board
        )
    profile = PROFILES[game]
    if opening is None:
        raise unfit("/opening", f"is missing: there is {', '.join(profile.openings)}")
    games = gomoku.play(profile, opening, moves)
    if clocks is not None:
        require_shown(clocks.periods, games, read(moves, profile.colours), clocks.seconds)
    judged = gomoku.judgement(games[-1])
    return RecordReading(
        explanation=judged.explanation,
        winner=judged.winner,
        reason=judged.reason,
        decided_at=judged.decided_at,
        happened=happenings(games, read(moves, profile.colours)),
    )


def read_form(rules: Sequence[Element], used: Sequence[Element]) -> RecordReading:
    """Of a variant that was played. It is only put on record (CC.RES-9)."""
    if not rules:
        raise unfit("/variant", "is the form of a game whose rules have a variant, and these have none")
    if foreign := [element for element in used if element not in rules]:
        raise unfit("/variant/used", f"has {', '.join(foreign)}: the variant of these rules has {', '.join(rules)}")
    missing = [element for element in rules if element not in used]
    return RecordReading(
        explanation=f"Played without {', '.join(missing)}." if missing else "Played by the whole variant."
    )


def turned(found: RecordReading) -> RecordReading:
    """What was read of a record, for a sheet whose second seat has opened."""
    winner: Winner | None = found.winner if found.winner in {None, "draw"} else 1 if found.winner == 0 else 0
    return replace(found, winner=winner, discs=seats_swapped(found.discs), board=seats_swapped(found.board))


def seats_swapped(discs: Discs | None) -> Discs | None:
    return None if discs is None else (discs[1], discs[0])


def discs_after(found: RecordReading, ending: Ending | None, by: Sequence[int]) -> Sequence[Fraction]:
    """What counts of a game of Othello that the record shows to its end, by how it is said to have ended."""
    if ending is not None and isinstance(ending.scores, ExtraTime) and by:
        return after_time(ending.scores, first=1 if by[0] else 0, discs=found.board)
    return [Fraction(disc) for disc in found.discs or ()]
