"""A round of a stage: drafted, perhaps changed by hand, confirmed, published, and in need recalled or repaired.

Each round has a stream of its own. A recall, or a repair of some tables, is asked here and answered by results, which
alone knows whether a game has begun: until the answer the round counts as published as it was.
"""

from collections.abc import Collection, Sequence
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from services.pairing.domain.round_sheet import (
    Act,
    Doubt,
    Drafted,
    Outweighed,
    RoundSheet,
    SeatedTable,
    StatedReason,
    repaired,
    require_whole,
)
from shared.commands.decider import Decider, Fact, Mark, Order, classes_of
from shared.refusals import Conflict, NeedsReason
from shared.values import Value

# Orders


class DraftRound(Order):
    tournament: str
    stage: str
    round: int
    drafted: Drafted


class OverridePairing(Order):
    sheet: RoundSheet
    idle: frozenset[str] = frozenset()  # who may rest and be named nowhere
    doubts: tuple[Doubt, ...] = ()  # the rules that it breaks and that bind
    reason: StatedReason | None = None
    instead_of: DraftRound | None = None  # where the rules leave no pairing: nobody is seated on it


class ConfirmRound(Order):
    inputs: str  # what is known by now
    doubts: tuple[Doubt, ...] = ()
    reason: StatedReason | None = None


class PublishRound(Order):
    games: tuple[str, ...]  # ids for as many games as there are tables, or more
    starts_at: str | None = None
    doubts: tuple[Doubt, ...] = ()
    reason: StatedReason | None = None


class PairAndPublish(Order):
    """All that lies between a round that is not paired and one that is published, where nobody looks at the draft."""

    draft: DraftRound
    games: tuple[str, ...]  # ids for as many games as there are tables, or more
    starts_at: str | None = None
    doubts: tuple[Doubt, ...] = ()
    reason: StatedReason | None = None

    @property
    def publication(self) -> PublishRound:
        return PublishRound(games=self.games, starts_at=self.starts_at, doubts=self.doubts, reason=self.reason)


class AskRecall(Order):
    recall: str
    reason: StatedReason
    begun: frozenset[str] = frozenset()  # games of the round that are known to have begun
    later: int | None = None  # the last round of the stage, if that is published and another one


class AcceptRecall(Order):
    recall: str


class RefuseRecall(Order):
    recall: str
    game: str


class AskRepair(Order):
    repair: str
    tables: tuple[SeatedTable, ...]
    reason: StatedReason
    byes: tuple[str, ...] | None = None  # as they are
    away: frozenset[str] = frozenset()  # who is not there, and may be left out
    idle: frozenset[str] = frozenset()  # who may rest and be named nowhere
    doubts: tuple[Doubt, ...] = ()
    begun: frozenset[str] = frozenset()  # games of the round that are known to have begun


class AcceptRepair(Order):
    repair: str


class RefuseRepair(Order):
    repair: str
    game: str


type Command = (
    DraftRound
    | OverridePairing
    | ConfirmRound
    | PublishRound
    | PairAndPublish
    | AskRecall
    | AcceptRecall
    | RefuseRecall
    | AskRepair
    | AcceptRepair
    | RefuseRepair
)


# Facts, whose names are for ever


class RoundDrafted(Fact):
    """A round was paired by the program, as a draft that only officials see: the sheet, what it rests on, and why it
    came out so.
    """

    tournament: str
    stage: str
    round: int
    drafted: Drafted


class PairingOverridden(Fact):
    """An official has changed the draft; `doubts` are the rules that speak against it, and the reason is theirs."""

    MARK: ClassVar[Mark] = "override"
    REPLACES: ClassVar[tuple[str, ...]] = ("RoundDrafted", "PairingOverridden")

    sheet: RoundSheet
    doubts: tuple[Doubt, ...]
    reason: StatedReason | None


class RoundConfirmed(Fact):
    """An official stands by the draft, and by the rules that it outweighs; it can be published now."""

    inputs: str
    doubts: tuple[Doubt, ...]
    reason: StatedReason | None


class RoundPublished(Fact):
    """The round is public: who meets whom at which table, from when on, and the ids of the games."""

    tournament: str
    stage: str
    round: int
    sheet: RoundSheet
    games: tuple[str, ...]  # table by table
    inputs: str
    starts_at: str | None
    doubts: tuple[Doubt, ...]
    reason: StatedReason | None
    program: str | None = None  # by which it was paired


class RecallAsked(Fact):
    """An official wants to take a published round back, and results are asked whether it still may be."""

    MARK: ClassVar[Mark] = "repair"

    tournament: str
    stage: str
    round: int
    recall: str
    games: tuple[str, ...]
    reason: StatedReason


class RoundRecalled(Fact):
    """The published round is taken back: its games were never to be played, and it can be drafted anew."""

    MARK: ClassVar[Mark] = "repair"
    REPLACES: ClassVar[tuple[str, ...]] = ("RoundPublished",)

    tournament: str
    stage: str
    round: int
    recall: str


class RecallFailed(Fact):
    """Results refused to take the round back, because of this game."""

    MARK: ClassVar[Mark] = "repair"

    recall: str
    game: str  # has begun


class RepairAsked(Fact):
    """An official wants these tables of a published round seated so, and results are asked whether they still may be.

    `games` are those that they keep; `byes` and `missing` are all of the round.
    """

    MARK: ClassVar[Mark] = "repair"

    tournament: str
    stage: str
    round: int
    repair: str
    tables: tuple[SeatedTable, ...]
    games: tuple[str, ...]  # table by table
    byes: tuple[str, ...]
    starts_at: str | None
    doubts: tuple[Doubt, ...]
    reason: StatedReason
    missing: tuple[str, ...] | None = None  # as they were


class TablesRepaired(Fact):
    """Results have let go of what was repaired: these tables, byes and absences of the published round are right from
    now on.
    """

    MARK: ClassVar[Mark] = "repair"
    REPLACES: ClassVar[tuple[str, ...]] = ("RoundPublished", "TablesRepaired")

    tournament: str
    stage: str
    round: int
    repair: str
    tables: tuple[SeatedTable, ...]
    games: tuple[str, ...]
    byes: tuple[str, ...]
    missing: tuple[str, ...] | None = None  # as they were


class RepairFailed(Fact):
    """Results refused the repair, because of this game; the round stays as it was published."""

    MARK: ClassVar[Mark] = "repair"

    repair: str
    game: str  # has begun


type Event = (
    RoundDrafted
    | PairingOverridden
    | RoundConfirmed
    | RoundPublished
    | RecallAsked
    | RoundRecalled
    | RecallFailed
    | RepairAsked
    | TablesRepaired
    | RepairFailed
)


# States


class Unpaired(Value):
    """Nobody has paired it, or it was recalled."""


class RoundPlan(Value):
    """A draft, and what stands on its sheet by now."""

    tournament: str
    stage: str
    round: int
    drafted: Drafted
    sheet: RoundSheet
    by_hand: bool = False
    outweighed: tuple[Outweighed, ...] = ()


class Draft(Value):
    plan: RoundPlan


class Confirmed(Value):
    plan: RoundPlan
    inputs: str


class Published(Value):
    plan: RoundPlan
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


# Refusals


class NotDrafted(Conflict):
    """There is no pairing yet."""


class ChangedByHand(Conflict):
    """Somebody has changed the draft, and to pair the round anew would lose that."""


class NotConfirmed(Conflict):
    """Nobody stands by the pairing yet."""


class AlreadyPublished(Conflict):
    """People are told already, and play perhaps."""


class NotPublished(Conflict):
    """Nobody has been told of it, so there is nothing to take back."""


class AnswerAwaited(Conflict):
    """Something else was asked of the round, and results has not answered yet."""


class GameHasBegun(Conflict):
    """Somebody plays, or has played, what should be changed."""


class LogContradictsItself(Exception):
    """No decision leads to such a history."""


# Decisions


def decide(state: State, command: Command) -> list[Event]:
    match command:
        case DraftRound():
            return draft(state, command)
        case OverridePairing():
            return override(state, command)
        case ConfirmRound():
            return confirm(state, command)
        case PublishRound():
            return publish(state, command)
        case PairAndPublish():
            return pair_and_publish(state, command)
        case AskRecall():
            return ask_recall(state, command)
        case AcceptRecall() | RefuseRecall():
            return hear_of_recall(state, command)
        case AskRepair():
            return ask_repair(state, command)
        case AcceptRepair() | RefuseRepair():
            return hear_of_repair(state, command)


def draft(state: State, command: DraftRound) -> list[Event]:
    """A round may be drafted again until it is published; nobody has to stand by what is drafted anew."""
    match state:
        case Draft() | Confirmed() if not state.plan.by_hand and state.plan.drafted == command.drafted:
            return []
        case Unpaired() | Draft() | Confirmed():
            return [msgspec.convert(command, RoundDrafted, from_attributes=True)]
        case Published() | Recalling() | Repairing():
            raise already_published()


def override(state: State, command: OverridePairing) -> list[Event]:
    """Where the rules leave no pairing a round is made by hand from the beginning."""
    match state:
        case Unpaired():
            if command.instead_of is None:
                raise undrafted()
            drafted = draft(state, command.instead_of)
            changed = override(ROUND.fold(drafted, state), command)
            return [*drafted, *changed] if changed else []
        case Draft() | Confirmed():
            require_whole(command.sheet, state.plan.drafted.sheet, command.idle)
            if command.sheet.says_the_same_as(state.plan.sheet):
                return []
            require_reason(command.doubts, command.reason)
            return [PairingOverridden(sheet=command.sheet, doubts=command.doubts, reason=command.reason)]
        case Published() | Recalling() | Repairing():
            raise already_published()


def confirm(state: State, command: ConfirmRound) -> list[Event]:
    match state:
        case Unpaired():
            raise undrafted()
        case Draft():
            require_reason(command.doubts, command.reason)
            return [RoundConfirmed(inputs=command.inputs, doubts=command.doubts, reason=command.reason)]
        case Confirmed() | Published() | Recalling() | Repairing():
            return []


def publish(state: State, command: PublishRound) -> list[Event]:
    match state:
        case Unpaired():
            raise undrafted()
        case Draft():
            raise NotConfirmed("Nobody has confirmed this pairing: look at it and confirm it first.")
        case Confirmed():
            require_reason(command.doubts, command.reason)
            plan = state.plan
            return [
                RoundPublished(
                    tournament=plan.tournament,
                    stage=plan.stage,
                    round=plan.round,
                    sheet=plan.sheet,
                    games=command.games[: len(plan.sheet.tables)],
                    inputs=plan.drafted.inputs,
                    starts_at=command.starts_at,
                    doubts=command.doubts,
                    reason=command.reason,
                    program=plan.drafted.program,
                )
            ]
        case Published() | Recalling() | Repairing():
            if command.starts_at in (None, published_of(state).starts_at):
                return []
            raise AlreadyPublished("The round is published with another start: ask for its recall to set a new one.")


def pair_and_publish(state: State, command: PairAndPublish) -> list[Event]:
    """The same facts as if it were drafted, confirmed and published one after the other; all of them or none."""
    match state:
        case Draft() | Confirmed() if state.plan.by_hand:
            raise ChangedByHand(
                "Somebody has changed this pairing by hand: confirm and publish it, or draft the round anew before."
            )
        case Unpaired() | Draft() | Confirmed():
            happened: list[Event] = []
            confirmation = ConfirmRound(inputs=command.draft.drafted.inputs)
            for order in (command.draft, confirmation, command.publication):
                then = decide(state, order)
                happened += then
                state = ROUND.fold(then, state)
            return happened
        case Published() | Recalling() | Repairing():
            return publish(state, command.publication)


def ask_recall(state: State, command: AskRecall) -> list[Event]:
    match state:
        case Unpaired() | Draft() | Confirmed():
            raise unpublished()
        case Published():
            plan = state.plan
            if command.later is not None:
                raise AlreadyPublished(
                    f"Round {command.later} is published, and was paired by this one: ask for its recall first."
                )
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
    """An answer to what was not asked, or was answered before, is nothing new."""
    if not isinstance(state, Repairing) or state.asked.repair != command.repair:
        return []
    match command:
        case AcceptRepair():
            return [msgspec.convert(state.asked, TablesRepaired, from_attributes=True)]
        case RefuseRepair():
            return [RepairFailed(repair=command.repair, game=command.game)]


# What speaks against an order


def require_reason(doubts: Sequence[Doubt], reason: StatedReason | None) -> None:
    if doubts and reason is None:
        against = " ".join(doubt.detail for doubt in doubts)
        raise NeedsReason(f"{against} Mend it, or send a reason why it is to be so all the same.")


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


def already_published() -> AlreadyPublished:
    return AlreadyPublished("The round is published: ask for its recall, or for a repair of some tables.")


def undrafted() -> NotDrafted:
    return NotDrafted("There is no pairing of this round yet: draft it first.")


def unpublished() -> NotPublished:
    return NotPublished("The round is not published: draft it again if it should be another one.")


def awaited() -> AnswerAwaited:
    return AnswerAwaited("A recall or a repair was asked and is not answered yet: wait a moment, then look again.")


# What all that has happened makes of a round


def evolve(state: State, event: Event) -> State:
    match event:
        case RoundDrafted():
            return Draft(
                plan=RoundPlan(
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


def plan_of(state: State) -> RoundPlan:
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


def outweighing(plan: RoundPlan, act: Act, doubts: tuple[Doubt, ...], reason: StatedReason | None) -> RoundPlan:
    if not doubts and reason is None:
        return plan
    return replace(plan, outweighed=(*plan.outweighed, Outweighed(act=act, doubts=doubts, reason=reason)))


ROUND: Decider[State, Command, Event] = Decider(
    kind="round", initial=Unpaired(), decide=decide, evolve=evolve, events=classes_of(Event)
)


def identity(tournament: str, stage: str, number: int) -> str:
    """What the stream of a round is named by, besides its kind."""
    return f"{tournament}.{stage}.{number}"
