"""A match of pIšQworky: boards of two duels each, a party that somebody left, and single duels."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from msgspec.structs import replace
from pydantic import Field

from services.results.games.ending_accounts import Account, Won
from services.results.games.endings import (
    NOTHING,
    Pair,
    at_fault,
    derived,
    require_only,
    require_same,
    seated,
    usual,
)
from services.results.games.gomoku.cfp import DRAWN, OpenedGame, goes_on, judged_by_moves, opening_faults
from services.results.games.gomoku.profiles import PISQWORKY
from services.results.games.verdict import GameVerdict, Outcome, both, require_none, unfit
from shared.faults import InputFault
from shared.rulesets.play import Boards, Contest, Ending, Full
from shared.rulesets.settings import Settings

MOST_BOARDS = 50
FORFEIT = "forfeit"  # one of the reasons

type Board = tuple[Won | None, ...]  # none: nobody was there
type Reason = Annotated[str, Field(max_length=64)]


class GomokuMatch(Account):
    """A match of pIšQworky."""

    boards: (
        Annotated[tuple[Annotated[Board, Field(max_length=MOST_BOARDS)], ...], Field(max_length=MOST_BOARDS)] | None
    ) = Field(
        default=None,
        description="Of a match of pIšQworky: one list for each board, with its two duels in order: the seat that has "
        "won, `draw`, or null where nobody was there.",
        examples=[[[0, 0], [0, 1], ["draw", 0], [1, 1], [0, None]]],
    )
    reasons: (
        Annotated[
            tuple[Annotated[tuple[Reason | None, ...], Field(max_length=MOST_BOARDS)], ...],
            Field(max_length=MOST_BOARDS),
        ]
        | None
    ) = Field(
        default=None,
        description="Of a match of pIšQworky, for the record: why the duels of `boards` ended, as the ruleset lists the "
        "reasons, or null.",
        examples=[None],
    )
    board: Annotated[int, Field(strict=True, ge=0, lt=MOST_BOARDS)] | None = Field(
        default=None,
        description="Of a match of pIšQworky: the index of the board that was left without permission.",
        examples=[None],
    )


class GomokuMatchOrDuel(GomokuMatch, OpenedGame):
    """A match of pIšQworky, or one duel: in `boards` as one board with one duel, or by its transcript."""


def adjudicate(holds: Settings, found: Ending, told: GomokuMatch) -> Outcome:
    if isinstance(told, GomokuMatchOrDuel):
        if isinstance(found.scores, Boards) and is_duel(holds, told):
            return duel(holds, found, told, found.scores)
        require_only(told, GomokuMatchOrDuel, *GomokuMatch.model_fields)
    match found.scores:
        case Boards() as worth:
            require_only(told, GomokuMatch, "boards", "reasons")
            by, boards = both(lambda: at_fault(found, told), lambda: played_boards(holds, told))
            return derived(holds.scoring, found, told, summed(worth, boards), by or ())
        case Full(of="party"):
            require_only(told, GomokuMatch, "boards", "board", "reasons")
            return party_left(holds, found, told)
        case _:
            require_only(told, GomokuMatch)
            return usual(holds, found, told)


def is_duel(holds: Settings, told: GomokuMatchOrDuel) -> bool:
    """Deciding duels there are after a drawn match, or among those who stay equal in a table."""
    has_them = holds.contest.drawn.duels > 0 or "duel" in holds.standings.criteria
    boards = told.boards or ()
    return told.moves is not None or (has_them and len(boards) == 1 and len(boards[0]) == 1)


def duel(holds: Settings, found: Ending, told: GomokuMatchOrDuel, worth: Boards) -> Outcome:
    """It has no match whose points it could give: its own are told instead."""
    at_fault(found, told)
    if told.moves is None:
        require_only(told, GomokuMatchOrDuel, "boards", "reasons")
        require_none(reason_faults(holds, told.boards or (), told.reasons))
        return of_duel(told, summed(worth, told.boards or ()))
    require_only(told, GomokuMatchOrDuel, "moves", "opening")
    require_none(opening_faults(holds.contest, told.opening, "PQ.RES-12"))
    judged = judged_by_moves(holds, PISQWORKY, told)
    if judged.winner is None:
        return goes_on(told, judged)
    verdict = of_duel(told, score(worth, judged.winner))
    return replace(verdict, winner=judged.winner, reason=judged.reason, decided_at=judged.decided_at)


def of_duel(told: GomokuMatch, scores: Pair) -> GameVerdict:
    require_same("/scores", told.scores, scores)
    require_same("/points", told.points, scores)
    return GameVerdict(scores=scores, points=scores, end=told.end)


def party_left(holds: Settings, found: Ending, told: GomokuMatch) -> GameVerdict:
    """It goes to the other side as a whole, also over a duel that was finished (PQ.D17)."""
    by, (boards, left) = both(lambda: at_fault(found, told), lambda: boards_with_left(holds, told))
    worth = worth_of_duels(holds)
    loser = (by or (0,))[0]
    whole = duels(holds.contest)
    own, other = summed(worth, [board for number, board in enumerate(boards) if number != left])
    lost, won = seated(loser, worth.loss * whole, worth.win * whole)
    return derived(holds.scoring, found, told, (own + lost, other + won), by or ())


def score(worth: Boards, duel: Won | None) -> Pair:
    match duel:
        case 0:
            return worth.win, worth.loss
        case 1:
            return worth.loss, worth.win
        case "draw":
            return worth.draw, worth.draw
        case None:
            return worth.nobody, worth.nobody


def summed(worth: Boards, boards: Iterable[Board]) -> Pair:
    found = [score(worth, duel) for board in boards for duel in board]
    return sum((own for own, _ in found), NOTHING), sum((other for _, other in found), NOTHING)


def worth_of_duels(holds: Settings) -> Boards:
    found = next((one.scores for one in holds.results.endings.values() if isinstance(one.scores, Boards)), None)
    if found is None:
        raise unfit("/end", "gives a whole party, and the ruleset does not say what its duels are worth")
    return found


def reasons_of_duels(holds: Settings) -> tuple[str, ...]:
    return tuple(
        reason for one in holds.results.endings.values() if isinstance(one.scores, Boards) for reason in one.reasons
    )


def played_boards(holds: Settings, told: GomokuMatch) -> tuple[Board, ...]:
    if told.boards is None:
        raise unfit("/boards", "is missing: one list for each board, with its duels in order")
    require_none(board_faults(holds.contest, told.boards))
    require_none(reason_faults(holds, told.boards, told.reasons))
    require_none(default_faults(holds, told.boards, told.reasons))
    return told.boards


def boards_with_left(holds: Settings, told: GomokuMatch) -> tuple[tuple[Board, ...], int]:
    boards, left = told.boards or (), told.board
    faults = [*board_faults(holds.contest, boards, left=left)]
    if left is None or left >= parties(holds.contest):
        faults.append(InputFault("/board", f"is the board that was left, 0 to {parties(holds.contest) - 1}"))
    require_none(faults)
    require_none(reason_faults(holds, boards, told.reasons))
    return boards, left or 0


def board_faults(contest: Contest, boards: tuple[Board, ...], *, left: int | None = None) -> Iterator[InputFault]:
    """The duels of a party that was left may be missing."""
    count, each = parties(contest), duels(contest)
    if len(boards) != count:
        yield InputFault(
            "/boards", f"are {len(boards)}: a match has {count}, and [null, null] is one that stayed empty (PQ.RES-1)"
        )
    for number, board in enumerate(boards):
        if len(board) > each or (len(board) < each and number != left):
            yield InputFault(f"/boards/{number}", f"has {len(board)}, where a party has {each} duels (PQ.RES-1)")


def reason_faults(
    holds: Settings, boards: tuple[Board, ...], reasons: tuple[tuple[Reason | None, ...], ...] | None
) -> Iterator[InputFault]:
    """Each has to be one that such a duel can have ended for."""
    if reasons is None:
        return
    if [len(named) for named in reasons] != [len(board) for board in boards]:
        yield InputFault("/reasons", "have to be as many as there are boards, and on each as many as there are duels")
        return
    known = reasons_of_duels(holds)
    for number, (board, named) in enumerate(zip(boards, reasons, strict=True)):
        for which, (duel, reason) in enumerate(zip(board, named, strict=True)):
            if reason is not None and reason not in known:
                yield InputFault(
                    f"/reasons/{number}/{which}", f"is no reason of the rules: there is {', '.join(known)}"
                )
            elif reason is not None and (duel is None or reason.startswith(DRAWN) != (duel == "draw")):
                yield InputFault(f"/reasons/{number}/{which}", "is none for which such a duel can have ended")


def default_faults(
    holds: Settings, boards: tuple[Board, ...], reasons: tuple[tuple[Reason | None, ...], ...] | None
) -> Iterator[InputFault]:
    """Board by board it would be a match that was played, which decides between equals and leaves the bye to its winner."""
    unplayed = holds.results.when_away
    winners = {duel for board in boards for duel in board}
    is_forfeited = reasons is not None and {reason for named in reasons for reason in named} == {FORFEIT}
    if unplayed is None or not is_forfeited or len(winners) > 1:
        return
    loser = 1 if winners == {0} else 0
    yield InputFault(
        "/end",
        f"is `{unplayed}` with {loser} in `by`, without boards, where one side has forfeited every duel; who started is said in "
        "`first` if the match was begun at all (PQ.D33)",
    )


def parties(contest: Contest) -> int:
    return count_of(contest, "party")


def duels(contest: Contest) -> int:
    return count_of(contest, "duel")


def count_of(contest: Contest, level: Literal["party", "duel"]) -> int:
    return next((one.count or 1 for one in contest.levels if one.id == level), 1)
