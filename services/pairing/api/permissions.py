"""Who may do what with rounds, groups and rooms, and what the caller may do now, or why not."""

from collections.abc import Callable, Mapping

from services.pairing.domain.next_round import require_next
from services.pairing.domain.round import (
    AskRecall,
    AskRepair,
    Command,
    Confirmed,
    ConfirmRound,
    Draft,
    DraftRound,
    OverridePairing,
    PairAndPublish,
    PublishRound,
    Told,
    Unpaired,
    already_published,
    decide,
)
from services.pairing.domain.round_sheet import Drafted, RoundSheet, StatedReason
from services.pairing.domain.stage import PLAYED
from services.pairing.tournaments import KnownRound, KnownTournament, unpublished
from shared.access.asker import Asker
from shared.access.policy import ANYBODY, roles
from shared.access.roles import Role
from shared.http.responses import Actions, action
from shared.personal.sentences import spoken
from shared.refusals import Refusal

PAIR = roles(Role.DIRECTOR, Role.ARBITER, scope="tournament_id")
SEE_DRAFTS = roles(
    Role.DIRECTOR, Role.ARBITER, Role.COUNCIL, Role.COORDINATOR, Role.AUDITOR, scope="tournament_id", operators=True
)
SEE = ANYBODY

EMPTY = RoundSheet(tables=())
ANY_DRAFT = Drafted(sheet=EMPTY, method="", explanation=(), inputs="")
ANY_REASON = StatedReason(code="other")
ANY_ORDER = DraftRound(tournament="", stage="", round=0, drafted=ANY_DRAFT)
BEFORE_IT = ("draftRound", "publishRound", "pairAndPublishRound")  # nothing may stand in the way of the round


def reseating(known: KnownRound) -> Command:
    """What a change of places becomes: of a draft, or of what everybody has been told."""
    if isinstance(known.state, Told):
        return AskRepair(repair="", tables=(), reason=ANY_REASON)
    return OverridePairing(sheet=sheet_of(known))


def recalling(known: KnownRound, recall: str = "") -> AskRecall:
    """What a recall has to know of the round, and of those behind it."""
    return AskRecall(
        recall=recall,
        reason=ANY_REASON,
        begun=known.tournament.begun(),
        later=known.tournament.later(known.stage, known.number),
    )


def sheet_of(known: KnownRound) -> RoundSheet:
    """What stands on the sheet of a round that is not published yet."""
    return known.state.plan.sheet if isinstance(known.state, Draft | Confirmed) else EMPTY


# For each operation an order with which the rules are asked whether they would refuse it, whatever is sent with it.
ROUND_ACTIONS: Mapping[str, Callable[[KnownRound], Command]] = {
    "draftRound": lambda _: ANY_ORDER,
    "overridePairing": lambda known: OverridePairing(sheet=sheet_of(known)),
    "confirmRound": lambda _: ConfirmRound(inputs=""),
    "publishRound": lambda _: PublishRound(games=()),
    "pairAndPublishRound": lambda _: PairAndPublish(draft=ANY_ORDER, games=()),
    "swapEntrants": reseating,
    "moveToTable": reseating,
    "recallRound": recalling,
    "repairTables": lambda _: AskRepair(repair="", tables=(), reason=ANY_REASON),
}
NEXT_ACTIONS = ("draftRound", "pairAndPublishRound")  # what begins a round
GROUP_ACTIONS = ("drawGroups", "setGroups")
ROOM_ACTIONS = ("nameRooms",)


def require_visible(known: KnownRound, asker: Asker) -> KnownRound:
    """A draft is shown to officials only."""
    is_public = isinstance(known.state, Told)
    if isinstance(known.state, Unpaired) or not (is_public or asker.may(SEE_DRAFTS, known.tournament.id)):
        raise unpublished(known.number)
    return known


def allowed_on_round(known: KnownRound, asker: Asker) -> Actions:
    return {operation: action(why_not(operation, known, asker)) for operation in ROUND_ACTIONS}


def allowed_on_next(known: KnownRound, asker: Asker) -> Actions:
    reasons = {operation: why_not(operation, known, asker) for operation in NEXT_ACTIONS}
    return {name: action(reason and spoken(reason, known.tournament.names)) for name, reason in reasons.items()}


def why_not(operation: str, known: KnownRound, asker: Asker) -> str | None:
    return asker.why_not(PAIR, known.tournament.id) or refusal(operation, known)


def refusal(operation: str, known: KnownRound) -> str | None:
    """Why the rules would say no to an act, whatever is sent with it."""
    try:
        if operation == "pairAndPublishRound" and isinstance(known.state, Told):
            return str(already_published())
        decide(known.state, ROUND_ACTIONS[operation](known))
        if operation in BEFORE_IT and isinstance(known.state, Unpaired | Draft | Confirmed):
            coming = known.tournament.next(known.stage)
            require_next(coming, known.number, by_the_rules=operation in NEXT_ACTIONS)
    except Refusal as refused:
        return str(refused)
    return None


def allowed_on_groups(known: KnownTournament, stage: str, count: int | None, asker: Asker) -> Actions:
    """`count`: how many groups the rules have for so many."""
    played = PLAYED if known.published(stage) else None
    refused = "The rules know no groups for so many." if count is None else played
    return {operation: action(asker.why_not(PAIR, known.id) or refused) for operation in GROUP_ACTIONS}


def allowed_on_rooms(tournament: str, asker: Asker) -> Actions:
    return {operation: action(asker.why_not(PAIR, tournament)) for operation in ROOM_ACTIONS}
