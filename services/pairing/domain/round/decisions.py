"""What follows from an order, or why not."""

from collections.abc import Sequence

from services.pairing.domain.round.afterwards import ask_recall, ask_repair, hear_of_recall, hear_of_repair
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
from services.pairing.domain.round.orders import (
    AcceptRecall,
    AcceptRepair,
    AskRecall,
    AskRepair,
    Command,
    ConfirmRound,
    DraftRound,
    OverridePairing,
    PublishRound,
    RefuseRecall,
    RefuseRepair,
)
from services.pairing.domain.round.states import (
    Confirmed,
    Draft,
    Published,
    Recalling,
    Repairing,
    State,
    Unpaired,
    evolve,
    published_of,
)
from services.pairing.domain.sheet import Doubt, Reason, require_whole
from shared.commands.decider import Decider
from shared.refusals import Conflict

# Refusals


class NotDrafted(Conflict):
    """There is no pairing yet."""


class NotConfirmed(Conflict):
    """Nobody stands by the pairing yet."""


class AlreadyPublished(Conflict):
    """People are told already, and play perhaps."""


class NeedsReason(Conflict):
    """Something speaks against it: whoever wants it all the same says why."""


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
        case AskRecall():
            return ask_recall(state, command)
        case AcceptRecall() | RefuseRecall():
            return hear_of_recall(state, command)
        case AskRepair():
            return ask_repair(state, command)
        case AcceptRepair() | RefuseRepair():
            return hear_of_repair(state, command)


def draft(state: State, command: DraftRound) -> list[Event]:
    """Until it is published it may be drafted again; nobody has to stand by what is drafted anew."""
    match state:
        case Draft() | Confirmed() if not state.plan.by_hand and state.plan.drafted == command.drafted:
            return []
        case Unpaired() | Draft() | Confirmed():
            return [
                RoundDrafted(
                    tournament=command.tournament, stage=command.stage, round=command.round, drafted=command.drafted
                )
            ]
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
                )
            ]
        case Published() | Recalling() | Repairing():
            if command.starts_at in (None, published_of(state).starts_at):
                return []
            raise AlreadyPublished("The round is published with another start: ask for its recall to set a new one.")


def already_published() -> AlreadyPublished:
    return AlreadyPublished("The round is published: ask for its recall, or for a repair of some tables.")


def undrafted() -> NotDrafted:
    return NotDrafted("There is no pairing of this round yet: draft it first.")


def require_reason(doubts: Sequence[Doubt], reason: Reason | None) -> None:
    if doubts and reason is None:
        against = " ".join(doubt.detail for doubt in doubts)
        raise NeedsReason(f"{against} Mend it, or send a reason why it is to be so all the same.")


ROUND: Decider[State, Command, Event] = Decider(
    kind="round",
    initial=Unpaired(),
    decide=decide,
    evolve=evolve,
    events=(
        RoundDrafted,
        PairingOverridden,
        RoundConfirmed,
        RoundPublished,
        RecallAsked,
        RoundRecalled,
        RecallFailed,
        RepairAsked,
        TablesRepaired,
        RepairFailed,
    ),
)


def identity(tournament: str, stage: str, number: int) -> str:
    """What the stream of a round is named by, besides its kind."""
    return f"{tournament}.{stage}.{number}"
