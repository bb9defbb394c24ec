"""What may be asked of a round that is published: all of it back, or some tables changed. Results answers."""

from collections.abc import Collection, Sequence

from services.pairing.domain.round.facts import (
    Event,
    RecallAsked,
    RecallFailed,
    RepairAsked,
    RepairFailed,
    RoundRecalled,
    TablesRepaired,
)
from services.pairing.domain.round.orders import (
    AcceptRecall,
    AcceptRepair,
    AskRecall,
    AskRepair,
    RefuseRecall,
    RefuseRepair,
)
from services.pairing.domain.round.states import Confirmed, Draft, Published, Recalling, Repairing, State, Unpaired
from services.pairing.domain.sheet import repaired
from shared.refusals import Conflict


class NotPublished(Conflict):
    """Nobody has been told of it, so there is nothing to take back."""


class AnswerAwaited(Conflict):
    """Something else was asked of the round, and results has not answered yet."""


class GameHasBegun(Conflict):
    """Somebody plays, or has played, what should be changed."""


def ask_recall(state: State, command: AskRecall) -> list[Event]:
    match state:
        case Unpaired() | Draft() | Confirmed():
            raise unpublished()
        case Published():
            plan = state.plan
            require_unbegun(state, state.games, command.begun)
            return [
                RecallAsked(
                    tournament=plan.tournament,
                    stage=plan.stage,
                    round=plan.round,
                    recall=command.recall,
                    games=state.games,
                    reason=command.reason,
                )
            ]
        case Recalling():
            return []
        case Repairing():
            raise awaited()


def ask_repair(state: State, command: AskRepair) -> list[Event]:
    """Only the tables that change, with the games that they keep."""
    match state:
        case Unpaired() | Draft() | Confirmed():
            raise unpublished()
        case Published():
            plan, before = state.plan, state.plan.sheet
            sheet = repaired(before, command.tables, command.byes, command.away, command.idle)
            if sheet.says_the_same_as(before):
                return []
            changed = [number for number, table in enumerate(sheet.tables) if table != before.tables[number]]
            require_unbegun(state, [state.games[number] for number in changed], command.begun)
            return [
                RepairAsked(
                    tournament=plan.tournament,
                    stage=plan.stage,
                    round=plan.round,
                    repair=command.repair,
                    tables=tuple(sheet.tables[number] for number in changed),
                    games=tuple(state.games[number] for number in changed),
                    byes=sheet.byes,
                    missing=sheet.missing,
                    starts_at=state.starts_at,
                    doubts=command.doubts,
                    reason=command.reason,
                )
            ]
        case Recalling() | Repairing():
            raise awaited()


def hear_of_recall(state: State, command: AcceptRecall | RefuseRecall) -> list[Event]:
    """An answer to what was not asked, or was answered before, is nothing new."""
    if not isinstance(state, Recalling) or state.recall != command.recall:
        return []
    plan = state.published.plan
    match command:
        case AcceptRecall():
            return [
                RoundRecalled(tournament=plan.tournament, stage=plan.stage, round=plan.round, recall=command.recall)
            ]
        case RefuseRecall():
            return [RecallFailed(recall=command.recall, game=command.game)]


def hear_of_repair(state: State, command: AcceptRepair | RefuseRepair) -> list[Event]:
    """As above."""
    if not isinstance(state, Repairing) or state.asked.repair != command.repair:
        return []
    asked = state.asked
    match command:
        case AcceptRepair():
            return [
                TablesRepaired(
                    tournament=asked.tournament,
                    stage=asked.stage,
                    round=asked.round,
                    repair=asked.repair,
                    tables=asked.tables,
                    games=asked.games,
                    byes=asked.byes,
                    missing=asked.missing,
                )
            ]
        case RefuseRepair():
            return [RepairFailed(repair=command.repair, game=command.game)]


def require_unbegun(state: Published, games: Sequence[str], begun: Collection[str]) -> None:
    """What is known already need not be asked."""
    if game := next((game for game in games if game in begun), None):
        raise GameHasBegun(
            f"{has_begun(state, game)} If what was played there is to count for nothing, let an official order a replay first."
        )


def has_begun(state: Published, game: str) -> str:
    """Why results says no, for people."""
    table = state.plan.sheet.tables[state.games.index(game)].table
    return f"The game at table {table} has begun, so what is published stands."


def unpublished() -> NotPublished:
    return NotPublished("The round is not published: draft it again if it should be another one.")


def awaited() -> AnswerAwaited:
    return AnswerAwaited("A recall or a repair was asked and is not answered yet: wait a moment, then look again.")
