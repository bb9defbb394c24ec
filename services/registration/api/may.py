"""Who may do what with tournaments and entrants, and whether it can be done just now."""

from collections.abc import Callable, Mapping

from services.registration.domain.tournament.check_in import ArriveLate, CheckIn, UndoCheckIn
from services.registration.domain.tournament.close_persons import DeclareClosePersons, RevokeClosePersons
from services.registration.domain.tournament.decider import TOURNAMENT, Command, not_now
from services.registration.domain.tournament.entrants import Leaving
from services.registration.domain.tournament.entries import (
    ApproveSpectator,
    CorrectEntry,
    DetailEntry,
    Enter,
    JudgeEligibility,
    StrikeOff,
    WithdrawEntry,
)
from services.registration.domain.tournament.levels import NameNextLevel, TakeIn
from services.registration.domain.tournament.lifecycle import (
    AnnounceAdvance,
    BeginReview,
    CancelTournament,
    CompleteTournament,
    DecideShownNames,
    OpenCheckIn,
    OpenRegistration,
    PostponeFirstRound,
    ResumePlay,
)
from services.registration.domain.tournament.line_ups import BringIn, ChooseTeam, NameCaptain
from services.registration.domain.tournament.payments import (
    GrantWaiver,
    RecordPayment,
    RecordRefund,
    RefuseWaiver,
    RequestWaiver,
)
from services.registration.domain.tournament.places_and_reserves import CallReserve, ConfirmPlace, ReleaseUnconfirmed
from services.registration.domain.tournament.plan import ChangePlan
from services.registration.domain.tournament.presence import AdmitLate, BeAbsent, BePresent, Leave, Return, Returning
from services.registration.domain.tournament.start import StartTournament, blockers
from services.registration.domain.tournament.states import AnnouncedTournament, State, Unannounced, known
from shared.access.asker import Asker
from shared.access.policy import Policy, of_federation, roles
from shared.access.roles import OFFICES, Role
from shared.http.responses import Action, action
from shared.refusals import Refusal

ORGANISERS = (Role.DIRECTOR, Role.COORDINATOR)
AT_THE_DESK = (*ORGANISERS, Role.ARBITER, Role.SCORER)

ANNOUNCE = roles(*ORGANISERS, scope="federation", in_body=True)
ORGANISE = roles(*ORGANISERS, scope="tournament_id")
LEAD_ON = roles(*ORGANISERS, Role.COUNCIL, scope="tournament_id")
DECIDE = of_federation(*ORGANISERS, Role.COUNCIL, scope="tournament_id")
APPROVE = roles(Role.COORDINATOR, scope="tournament_id")
CANCEL = roles(Role.DIRECTOR, scope="tournament_id")
RUN = roles(*ORGANISERS, Role.ARBITER, scope="tournament_id")
EXPEL = roles(Role.DIRECTOR, Role.ARBITER, scope="tournament_id")
CHECK_IN = roles(*AT_THE_DESK, scope="tournament_id")
LOOK = roles(*OFFICES, scope="tournament_id")
SEE_DRAFTS = roles(*OFFICES, scope="tournament_id", operators=True)

type Doable = tuple[Policy, type[Command]]

WITH_TOURNAMENT: Mapping[str, Doable] = {
    "changePlan": (ORGANISE, ChangePlan),
    "decideShownNames": (DECIDE, DecideShownNames),
    "openRegistration": (ORGANISE, OpenRegistration),
    "enterTournament": (ORGANISE, Enter),
    "importEntrants": (ORGANISE, Enter),
    "importEntries": (ORGANISE, Enter),
    "declareClosePersons": (ORGANISE, DeclareClosePersons),
    "revokeClosePersons": (ORGANISE, RevokeClosePersons),
    "approveSpectator": (ORGANISE, ApproveSpectator),
    "callReserve": (ORGANISE, CallReserve),
    "releaseUnconfirmed": (LEAD_ON, ReleaseUnconfirmed),
    "nameNextLevel": (LEAD_ON, NameNextLevel),
    "takeInQualified": (LEAD_ON, TakeIn),
    "openCheckIn": (ORGANISE, OpenCheckIn),
    "checkInEntrants": (CHECK_IN, CheckIn),
    "announceAdvance": (ORGANISE, AnnounceAdvance),
    "postponeFirstRound": (ORGANISE, PostponeFirstRound),
    "startTournament": (ORGANISE, StartTournament),
    "admitLateEntrant": (ORGANISE, AdmitLate),
    "beginReview": (RUN, BeginReview),
    "resumePlay": (RUN, ResumePlay),
    "completeTournament": (ORGANISE, CompleteTournament),
    "cancelTournament": (CANCEL, CancelTournament),
}


def require_open(state: State, asker: Asker) -> None:
    """Drafts are for officials: for everybody else there is no such tournament yet, nor ever one that was cancelled
    before it was opened."""
    if not isinstance(state, Unannounced) and not may_look(state, asker):
        known(Unannounced())


def may_look(state: AnnouncedTournament, asker: Asker) -> bool:
    plan = state.plan
    return plan.is_open or asker.within(plan.tournament, plan.federation).may(SEE_DRAFTS, plan.tournament)


def as_it_is(entrant: str, state: AnnouncedTournament) -> CorrectEntry:
    said = state.roster.entrants[entrant].said
    return CorrectEntry(entrant=entrant, rating=said.rating, key=said.key, lists=said.lists)


def withdrawal(entrant: str, state: AnnouncedTournament) -> Command:
    if not_now(state, Leave) is None:
        return leaving(entrant, state, Leaving.WITHDREW)
    return WithdrawEntry(entrant=entrant)


def leaving(entrant: str, state: AnnouncedTournament, why: Leaving) -> Leave:
    return Leave(entrant=entrant, after_round=0, why=why, stage=first_stage(state))


def first_stage(state: AnnouncedTournament) -> str:
    return state.plan.ruleset.stages[0].id


WITH_ENTRANT: Mapping[str, tuple[Policy, Callable[[str, AnnouncedTournament], Command]]] = {
    "correctEntrant": (ORGANISE, as_it_is),
    "checkInEntrant": (CHECK_IN, lambda entrant, _: CheckIn(entrants=(entrant,))),
    "undoCheckIn": (CHECK_IN, lambda entrant, _: UndoCheckIn(entrant=entrant)),
    "strikeOffEntrant": (ORGANISE, lambda entrant, _: StrikeOff(entrant=entrant)),
    "withdrawEntrant": (RUN, withdrawal),
    "expelEntrant": (EXPEL, lambda entrant, state: leaving(entrant, state, Leaving.EXPELLED)),
    "returnEntrant": (RUN, lambda entrant, _: Return(entrant=entrant, why=Returning.MISTAKE)),
    "markAbsent": (RUN, lambda entrant, state: BeAbsent(entrant=entrant, round=1, stage=first_stage(state))),
    "markPresent": (RUN, lambda entrant, state: BePresent(entrant=entrant, round=1, stage=first_stage(state))),
}


OF_ENTRY: Mapping[str, Doable] = {
    "detailEntry": (ORGANISE, DetailEntry),
    "judgeEntry": (ORGANISE, JudgeEligibility),
    "bringInSubstitute": (ORGANISE, BringIn),
    "chooseTeam": (ORGANISE, ChooseTeam),
    "nameActingCaptain": (ORGANISE, NameCaptain),
    "checkInMembers": (CHECK_IN, CheckIn),
    "arriveLate": (ORGANISE, ArriveLate),
    "confirmPlace": (ORGANISE, ConfirmPlace),
    "recordPayment": (ORGANISE, RecordPayment),
    "recordRefund": (ORGANISE, RecordRefund),
    "requestWaiver": (ORGANISE, RequestWaiver),
    "grantWaiver": (ORGANISE, GrantWaiver),
    "refuseWaiver": (ORGANISE, RefuseWaiver),
}


def with_entry(entrant: str, state: AnnouncedTournament, asker: Asker) -> list[Action]:
    """These as far as the part of the tournament's life decides; and what may be done with the entrant."""
    plan = state.plan
    seen = asker.within(plan.tournament, plan.federation)
    return [
        *with_entrant(entrant, state, asker),
        *(
            action(name, seen.why_not(policy, plan.tournament) or out_of_turn(state, order))
            for name, (policy, order) in OF_ENTRY.items()
        ),
    ]


def with_tournament(state: AnnouncedTournament, asker: Asker) -> list[Action]:
    plan = state.plan
    seen = asker.within(plan.tournament, plan.federation)
    return [
        action(name, seen.why_not(policy, plan.tournament) or out_of_turn(state, order))
        for name, (policy, order) in WITH_TOURNAMENT.items()
    ]


def out_of_turn(state: AnnouncedTournament, order: type[Command]) -> str | None:
    if (refusal := not_now(state, order)) is not None:
        return str(refusal)
    if order is StartTournament and (open_yet := blockers(state)):
        return " ".join(blocker.sentence for blocker in open_yet)
    return None


def with_entrant(entrant: str, state: AnnouncedTournament, asker: Asker) -> list[Action]:
    plan = state.plan
    seen = asker.within(plan.tournament, plan.federation)
    return [
        action(name, seen.why_not(policy, plan.tournament) or refused(state, order(entrant, state)))
        for name, (policy, order) in WITH_ENTRANT.items()
    ]


def refused(state: AnnouncedTournament, order: Command) -> str | None:
    """Whether it would be refused for what has happened; what a request says besides is not judged here."""
    try:
        TOURNAMENT.decide(state, order)
    except Refusal as refusal:
        return str(refusal)
    return None
