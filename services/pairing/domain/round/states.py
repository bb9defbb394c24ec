"""What all that has happened to a round makes of it."""

from msgspec.structs import replace

from services.pairing.domain.round.facts import (
    Event,
    PairingOverridden,
    RecallAsked,
    RecallFailed,
    RepairAsked,
    RepairFailed,
    RoundConfirmed,
    RoundDrafted,
    RoundPublished,
    RoundRecalled,
    TablesRepaired,
)
from services.pairing.domain.sheet import Act, Doubt, Drafted, Outweighed, Reason, Sheet
from shared.values import Value


class Unpaired(Value):
    """Nobody has paired it, or it was recalled."""


class Plan(Value):
    """A draft, and what stands on its sheet by now."""

    tournament: str
    stage: str
    round: int
    drafted: Drafted
    sheet: Sheet
    by_hand: bool = False
    outweighed: tuple[Outweighed, ...] = ()


class Draft(Value):
    plan: Plan


class Confirmed(Value):
    plan: Plan
    inputs: str


class Published(Value):
    plan: Plan
    games: tuple[str, ...]
    starts_at: str | None
    refused: RecallFailed | RepairFailed | None = None  # what became of what was asked last


class Recalling(Value):
    """Still published, until results has answered."""

    published: Published
    recall: str


class Repairing(Value):
    """Still published as it was, until results has answered."""

    published: Published
    asked: RepairAsked


Told = Published | Recalling | Repairing  # everybody has seen it
type State = Unpaired | Draft | Confirmed | Told


def evolve(state: State, event: Event) -> State:
    match event:
        case RoundDrafted():
            return Draft(
                plan=Plan(
                    tournament=event.tournament,
                    stage=event.stage,
                    round=event.round,
                    drafted=event.drafted,
                    sheet=event.drafted.sheet,
                )
            )
        case PairingOverridden():
            changed = replace(plan_of(state), sheet=event.sheet, by_hand=True)
            return Draft(plan=outweighing(changed, "override", event.doubts, event.reason))
        case RoundConfirmed():
            plan = outweighing(plan_of(state), "confirm", event.doubts, event.reason)
            return Confirmed(plan=plan, inputs=event.inputs)
        case RoundPublished():
            plan = outweighing(plan_of(state), "publish", event.doubts, event.reason)
            return Published(plan=plan, games=event.games, starts_at=event.starts_at)
        case RecallAsked():
            published = published_of(state)
            plan = outweighing(published.plan, "recall", (), event.reason)
            return Recalling(published=replace(published, plan=plan, refused=None), recall=event.recall)
        case RoundRecalled():
            return Unpaired()
        case RecallFailed() | RepairFailed():
            return replace(published_of(state), refused=event)
        case RepairAsked():
            published = published_of(state)
            plan = outweighing(published.plan, "repair", event.doubts, event.reason)
            return Repairing(published=replace(published, plan=plan, refused=None), asked=event)
        case TablesRepaired():
            published = published_of(state)
            before = published.plan.sheet
            missing = before.missing if event.missing is None else event.missing
            sheet = before.with_tables(event.tables, event.byes, missing)
            return replace(published, plan=replace(published.plan, sheet=sheet, by_hand=True))


def plan_of(state: State) -> Plan:
    match state:
        case Draft() | Confirmed() | Published():
            return state.plan
        case Recalling() | Repairing():
            return state.published.plan
        case Unpaired():
            raise LogContradictsItself("something happened to a round that was not drafted")


def published_of(state: State) -> Published:
    match state:
        case Published():
            return state
        case Recalling() | Repairing():
            return state.published
        case Unpaired() | Draft() | Confirmed():
            raise LogContradictsItself("something was asked of a round that was not published")


def outweighing(plan: Plan, act: Act, doubts: tuple[Doubt, ...], reason: Reason | None) -> Plan:
    if not doubts and reason is None:
        return plan
    return replace(plan, outweighed=(*plan.outweighed, Outweighed(act=act, doubts=doubts, reason=reason)))


class LogContradictsItself(Exception):
    """No decision leads to such a history."""
