"""How a round is shown: as it stands in its stream, or as it was told at some time."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from services.pairing.api.bodies import (
    AskedInVain,
    Pair,
    Player,
    PlayerWithPoints,
    Points,
    Round,
    RoundListed,
    RoundStatus,
)
from services.pairing.api.desk import ACTIONS
from services.pairing.api.situation import Situation
from services.pairing.domain.next_round import is_completed, require_next, unfinished
from services.pairing.domain.round import orders
from services.pairing.domain.round.afterwards import has_begun
from services.pairing.domain.round.decisions import decide
from services.pairing.domain.round.facts import RecallFailed, RepairFailed
from services.pairing.domain.round.states import Confirmed, Draft, Published, Recalling, Repairing, State, Unpaired
from services.pairing.domain.sheet import Drafted, Reason, Sheet, Table
from shared.access.asker import Asker
from shared.contracts.pairing import RoundPublished
from shared.http.responses import Action, action
from shared.numbers import Number, exact, shown
from shared.refusals import NotFound, Refusal

type Names = Mapping[str, str]
type Ids = Sequence[str | None]

EMPTY = Sheet(tables=())
ANY_DRAFT = Drafted(sheet=EMPTY, method="", explanation=(), inputs="")
ANY_REASON = Reason(code="other")


class RoundUnknown(NotFound):
    """It is not paired, or not for everybody to see."""


def unpublished(number: int) -> RoundUnknown:
    return RoundUnknown(f"Round {number} is not published: look into the list of rounds, or ask again later.")


def round_of(state: State, situation: Situation, stage: str, number: int, asker: Asker) -> Round:
    status = status_of(state, situation, stage, number)
    actions = allowed(state, situation, stage, number, asker)
    match state:
        case Unpaired():
            raise unpublished(number)
        case Draft() | Confirmed():
            plan, ids, starts_at = state.plan, [None] * len(state.plan.sheet.tables), None
        case Published():
            plan, ids, starts_at = state.plan, state.games, state.starts_at
        case Recalling(published=published) | Repairing(published=published):
            plan, ids, starts_at = published.plan, published.games, published.starts_at
    return Round(
        tournament=situation.tournament,
        stage=stage,
        round=number,
        status=status,
        pairs=pairs(plan.sheet, ids, situation),
        byes=players(plan.sheet.byes, situation.names),
        requested_byes=resting(plan.sheet.requested_byes, situation.names),
        missing=players(plan.sheet.missing, situation.names),
        starts_at=time(starts_at),
        rests_on=plan.drafted.inputs,
        recall_asked=isinstance(state, Recalling),
        repair_asked=isinstance(state, Repairing),
        refused=refused(state),
        allowed_actions=actions,
    )


def refused(state: State) -> AskedInVain | None:
    match state:
        case Published(refused=RecallFailed() | RepairFailed() as failed):
            what = "recall" if isinstance(failed, RecallFailed) else "repair"
            return AskedInVain(what=what, game=failed.game, reason=has_begun(state, failed.game))
        case _:
            return None


def round_told(told: RoundPublished, situation: Situation) -> Round:
    """As it stood at the time of the situation. Nothing can be done then any more."""
    tables = tuple(
        Table(
            table=game.table,
            seats=game.seats,
            first=game.first,
            option=game.option,
            group=game.group,
            match=game.match,
            number=game.number,
        )
        for game in told.games
    )
    completed = is_completed(situation.facts, told.stage, told.round)
    return Round(
        tournament=told.tournament,
        stage=told.stage,
        round=told.round,
        status="completed" if completed else "published",
        pairs=pairs(Sheet(tables=tables), [game.game for game in told.games], situation),
        byes=players(told.byes, situation.names),
        requested_byes=resting(told.requested_byes, situation.names),
        missing=players(told.missing, situation.names),
        starts_at=time(told.starts_at),
        rests_on=told.rests_on,
        recall_asked=False,
        repair_asked=False,
        refused=None,
        allowed_actions=[],
    )


def listed(told: RoundPublished, situation: Situation) -> RoundListed:
    """A published round in a list."""
    waiting = len(unfinished(situation.facts, situation.facts.rounds[told.stage, told.round]))
    return RoundListed(
        round=told.round,
        status="published" if waiting else "completed",
        games=len(told.games),
        without_result=waiting,
        starts_at=time(told.starts_at),
    )


def status_of(state: State, situation: Situation, stage: str, number: int) -> RoundStatus:
    match state:
        case Unpaired():
            return "unpaired"
        case Draft():
            return "draft"
        case Confirmed():
            return "confirmed"
        case Published() | Recalling() | Repairing():
            return "completed" if is_completed(situation.facts, stage, number) else "published"


def allowed(state: State, situation: Situation, stage: str, number: int, asker: Asker) -> list[Action]:
    return [
        action(name, asker.why_not(policy, situation.tournament) or refusal(name, state, situation, stage, number))
        for name, policy in ACTIONS.items()
    ]


def refusal(name: str, state: State, situation: Situation, stage: str, number: int) -> str | None:
    """Why the rules would say no to an act, whatever is sent with it."""
    try:
        decide(state, any_order(name, state, situation))
        if name in ("draftRound", "publishRound") and isinstance(state, Unpaired | Draft | Confirmed):
            require_next(situation.next(stage), number)
    except Refusal as refused:
        return str(refused)
    return None


def any_order(name: str, state: State, situation: Situation) -> orders.Command:
    match name:
        case "draftRound":
            return orders.DraftRound(tournament="", stage="", round=0, drafted=ANY_DRAFT)
        case "overridePairing":
            sheet = state.plan.sheet if isinstance(state, Draft | Confirmed) else EMPTY
            return orders.OverridePairing(sheet=sheet)
        case "confirmRound":
            return orders.ConfirmRound(inputs="")
        case "publishRound":
            return orders.PublishRound(games=())
        case "repairTables":
            return orders.AskRepair(repair="", tables=(), reason=ANY_REASON)
        case _:
            return orders.AskRecall(recall="", reason=ANY_REASON, begun=situation.begun())


def pairs(sheet: Sheet, ids: Ids, situation: Situation) -> list[Pair]:
    standing = situation.tables()
    found = [
        Pair(
            game=game,
            table=table.table,
            room=room,
            label=label,
            seats=players(table.seats, situation.names),
            first=table.first,
            option=table.option,
            group=table.group,
            match=table.match,
            number=table.number,
        )
        for table, game in zip(sheet.tables, ids, strict=True)
        for room, label in [standing.get(table.table, (None, None))]
    ]
    return sorted(found, key=lambda pair: pair.table)


def players(entrants: Sequence[str], names: Names) -> list[Player]:
    return [Player(entrant=entrant, name=names.get(entrant)) for entrant in entrants]


def resting(requested: Mapping[str, Number], names: Names) -> list[PlayerWithPoints]:
    return [
        PlayerWithPoints(entrant=entrant, name=names.get(entrant), points=number(points))
        for entrant, points in requested.items()
    ]


def number(stored: Number) -> Points:
    return shown(exact(stored))


def time(stored: str | None) -> datetime | None:
    return None if stored is None else datetime.fromisoformat(stored)
