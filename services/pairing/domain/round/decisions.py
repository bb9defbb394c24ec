"""What follows from an order, or why not."""

from collections.abc import Sequence

from services.pairing.domain.round.facts import (
    Event,
    PairingOverridden,
    RecallAsked,
    RecallFailed,
    RoundConfirmed,
    RoundDrafted,
    RoundPublished,
    RoundRecalled,
)
from services.pairing.domain.round.orders import (
    AcceptRecall,
    AskRecall,
    Command,
    ConfirmRound,
    DraftRound,
    OverridePairing,
    PublishRound,
    RefuseRecall,
)
from services.pairing.domain.round.states import Confirmed, Draft, Published, Recalling, State, Unpaired, evolve
from services.pairing.domain.sheet import Doubt, Reason, require_whole
from shared.decider import Conflict, Decider

# Refusals


class NotDrafted(Conflict):
    """There is no pairing yet."""


class NotConfirmed(Conflict):
    """Nobody stands by the pairing yet."""


class NotPublished(Conflict):
    """Nobody has been told of it, so there is nothing to take back."""


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
        case Published() | Recalling():
            raise already_published()


def override(state: State, command: OverridePairing) -> list[Event]:
    match state:
        case Unpaired():
            raise undrafted()
        case Draft() | Confirmed():
            require_whole(command.sheet, state.plan.drafted.sheet)
            if command.sheet.says_the_same_as(state.plan.sheet):
                return []
            require_reason(command.doubts, command.reason)
            return [PairingOverridden(sheet=command.sheet, doubts=command.doubts, reason=command.reason)]
        case Published() | Recalling():
            raise already_published()


def confirm(state: State, command: ConfirmRound) -> list[Event]:
    match state:
        case Unpaired():
            raise undrafted()
        case Draft():
            require_reason(command.doubts, command.reason)
            return [RoundConfirmed(inputs=command.inputs, doubts=command.doubts, reason=command.reason)]
        case Confirmed() | Published() | Recalling():
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
        case Published() | Recalling():
            published = state if isinstance(state, Published) else state.published
            if command.starts_at in (None, published.starts_at):
                return []
            raise AlreadyPublished("The round is published with another start: ask for its recall to set a new one.")


def ask_recall(state: State, command: AskRecall) -> list[Event]:
    match state:
        case Unpaired() | Draft() | Confirmed():
            raise NotPublished("The round is not published: draft it again if it should be another one.")
        case Published():
            plan = state.plan
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


def already_published() -> AlreadyPublished:
    return AlreadyPublished("The round is published: ask for its recall before you change who meets whom.")


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
    ),
)


def identity(tournament: str, stage: str, number: int) -> str:
    """What the stream of a round is named by, besides its kind."""
    return f"{tournament}.{stage}.{number}"
