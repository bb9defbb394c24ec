"""Who may do what: the policy of each operation, and the actions that an answer says are allowed now, or why not."""

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
ISSUERS = (Role.DIRECTOR, Role.COORDINATOR, Role.SCORER)  # of tokens for captains, the highest first

# Federations: their officials, seasons, rulesets, and the schools, clubs, regions and halls

RENAME_FEDERATION = roles(Role.DIRECTOR, Role.COUNCIL, scope="federation_id")
APPOINT_OFFICIAL = roles(Role.DIRECTOR, scope="federation_id", operators=True)
DISMISS_OFFICIAL = roles(Role.DIRECTOR, scope="federation_id")
LIST_OFFICIALS = roles(*OFFICES, scope="federation_id", operators=True)
CHECK_ADVANCING = roles(*OFFICES, scope="federation_id")
CHANGE_HOMES = roles(*ORGANISERS, Role.COUNCIL, scope="federation_id")
OPEN_SEASON = roles(Role.DIRECTOR, Role.COUNCIL, scope="federation_id")
POST_RULESET = roles(Role.DIRECTOR, Role.COUNCIL, scope="federation", in_body=True)

# Persons

REGISTER_PERSON = roles(*ORGANISERS, Role.COUNCIL, scope="federation", in_body=True)
IMPORT_PERSONS = roles(*ORGANISERS, Role.COUNCIL, scope="federation_id")
EXPORT_PERSONS = roles(*ORGANISERS, scope="federation_id")  # who are shown every field
LIST_PERSONS = roles(*OFFICES, scope="federation_id")
SEE_PERSON = roles(*OFFICES, scope="person_id")
CHANGE_PERSON = roles(*ORGANISERS, Role.COUNCIL, scope="person_id")
ERASE_PERSON = roles(Role.DIRECTOR, scope="person_id")
CHANGE_PARTICULARS = roles(*ORGANISERS, scope="person_id")
JUDGE_PERSON = roles(*ORGANISERS, Role.COUNCIL, scope="person_id")  # by the conditions of a ruleset
RECOGNISE_PERSON = roles(*AT_THE_DESK, Role.COUNCIL, scope="person_id")
SEE_PARTICULARS: Mapping[str, Policy] = {  # each field by those who need it
    "born": JUDGE_PERSON,
    "citizenship": JUDGE_PERSON,
    "town": JUDGE_PERSON,
    "email": CHANGE_PARTICULARS,
    "phone": CHANGE_PARTICULARS,
    "licence": RECOGNISE_PERSON,
}

# Tournaments and their entrants

ANNOUNCE = roles(*ORGANISERS, scope="federation", in_body=True)
ORGANISE = roles(*ORGANISERS, scope="tournament_id")
LEAD_ON = roles(*ORGANISERS, Role.COUNCIL, scope="tournament_id")
DECIDE_SHOWN_NAMES = of_federation(*ORGANISERS, Role.COUNCIL, scope="tournament_id")
APPROVE_REGION = roles(Role.COORDINATOR, scope="tournament_id")
CANCEL = roles(Role.DIRECTOR, scope="tournament_id")
RUN = roles(*ORGANISERS, Role.ARBITER, scope="tournament_id")
EXPEL = roles(Role.DIRECTOR, Role.ARBITER, scope="tournament_id")
CHECK_IN = roles(*AT_THE_DESK, scope="tournament_id")
OFFICIATE = roles(*OFFICES, scope="tournament_id")
SEE_DRAFTS = roles(*OFFICES, scope="tournament_id", operators=True)
APPOINT_TOURNAMENT_OFFICIAL = roles(Role.DIRECTOR, scope="tournament_id")
NAME_CAPTAIN = roles(*ISSUERS, scope="tournament_id")

# Actions that depend on who asks alone

FEDERATION_ACTIONS = {
    "renameFederation": RENAME_FEDERATION,
    "appointOfficial": APPOINT_OFFICIAL,
    "dismissOfficial": DISMISS_OFFICIAL,
}
OFFICIAL_ACTIONS = {"appointOfficial": APPOINT_OFFICIAL, "dismissOfficial": DISMISS_OFFICIAL}
TOURNAMENT_OFFICIAL_ACTIONS = {
    "appointTournamentOfficial": APPOINT_TOURNAMENT_OFFICIAL,
    "dismissTournamentOfficial": APPOINT_TOURNAMENT_OFFICIAL,
}
CAPTAIN_ACTIONS = {"issueCaptainToken": NAME_CAPTAIN, "dismissCaptain": NAME_CAPTAIN}
HOME_ACTIONS = {"changeHome": CHANGE_HOMES}
SEASON_ACTIONS = {"openSeason": OPEN_SEASON, "nameChampionship": OPEN_SEASON}
PERSON_ACTIONS = {"renamePerson": CHANGE_PERSON, "mergePersons": CHANGE_PERSON, "erasePerson": ERASE_PERSON}

# Actions that depend on the tournament too: who may, and the order that it would be

TOURNAMENT_ACTIONS: Mapping[str, tuple[Policy, type[Command]]] = {
    "changePlan": (ORGANISE, ChangePlan),
    "decideShownNames": (DECIDE_SHOWN_NAMES, DecideShownNames),
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

ENTRY_ACTIONS: Mapping[str, tuple[Policy, type[Command]]] = {
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


def unchanged(entrant: str, state: AnnouncedTournament) -> CorrectEntry:
    said = state.roster.entrants[entrant].said
    return CorrectEntry(entrant=entrant, rating=said.rating, key=said.key, lists=said.lists)


def withdrawal(entrant: str, state: AnnouncedTournament) -> Command:
    if not_now(state, Leave) is None:
        return departure(entrant, state, Leaving.WITHDREW)
    return WithdrawEntry(entrant=entrant)


def departure(entrant: str, state: AnnouncedTournament, why: Leaving) -> Leave:
    return Leave(entrant=entrant, after_round=0, why=why, stage=first_stage(state))


def first_stage(state: AnnouncedTournament) -> str:
    return state.plan.ruleset.stages[0].id


ENTRANT_ACTIONS: Mapping[str, tuple[Policy, Callable[[str, AnnouncedTournament], Command]]] = {
    "correctEntrant": (ORGANISE, unchanged),
    "checkInEntrant": (CHECK_IN, lambda entrant, _: CheckIn(entrants=(entrant,))),
    "undoCheckIn": (CHECK_IN, lambda entrant, _: UndoCheckIn(entrant=entrant)),
    "strikeOffEntrant": (ORGANISE, lambda entrant, _: StrikeOff(entrant=entrant)),
    "withdrawEntrant": (RUN, withdrawal),
    "expelEntrant": (EXPEL, lambda entrant, state: departure(entrant, state, Leaving.EXPELLED)),
    "returnEntrant": (RUN, lambda entrant, _: Return(entrant=entrant, why=Returning.MISTAKE)),
    "markAbsent": (RUN, lambda entrant, state: BeAbsent(entrant=entrant, round=1, stage=first_stage(state))),
    "markPresent": (RUN, lambda entrant, state: BePresent(entrant=entrant, round=1, stage=first_stage(state))),
}


def allowed_actions(actions: Mapping[str, Policy], scope: str, asker: Asker) -> list[Action]:
    return [action(name, asker.why_not(policy, scope)) for name, policy in actions.items()]


def tournament_actions(state: AnnouncedTournament, asker: Asker) -> list[Action]:
    return ordered_actions(TOURNAMENT_ACTIONS, state, asker)


def entrant_actions(entrant: str, state: AnnouncedTournament, asker: Asker) -> list[Action]:
    plan = state.plan
    here = asker.within(plan.tournament, plan.federation)
    return [
        action(name, here.why_not(policy, plan.tournament) or refused(state, order(entrant, state)))
        for name, (policy, order) in ENTRANT_ACTIONS.items()
    ]


def entry_actions(entrant: str, state: AnnouncedTournament, asker: Asker) -> list[Action]:
    """What may be done with the entrant, and what the part of the tournament's life allows to be done with the entry."""
    return [*entrant_actions(entrant, state, asker), *ordered_actions(ENTRY_ACTIONS, state, asker)]


def ordered_actions(
    actions: Mapping[str, tuple[Policy, type[Command]]], state: AnnouncedTournament, asker: Asker
) -> list[Action]:
    plan = state.plan
    here = asker.within(plan.tournament, plan.federation)
    return [
        action(name, here.why_not(policy, plan.tournament) or out_of_turn(state, order))
        for name, (policy, order) in actions.items()
    ]


def out_of_turn(state: AnnouncedTournament, order: type[Command]) -> str | None:
    if (refusal := not_now(state, order)) is not None:
        return str(refusal)
    if order is StartTournament and (open_yet := blockers(state)):
        return " ".join(blocker.sentence for blocker in open_yet)
    return None


def refused(state: AnnouncedTournament, order: Command) -> str | None:
    """Why the order would be refused for what has happened; what a request says besides is not judged here."""
    try:
        TOURNAMENT.decide(state, order)
    except Refusal as refusal:
        return str(refusal)
    return None


def require_open(state: State, asker: Asker) -> None:
    """Drafts are for officials: for everybody else there is no such tournament yet, nor ever one that was cancelled
    before it was opened."""
    if isinstance(state, Unannounced):
        return
    plan = state.plan
    if not plan.is_open and not asker.within(plan.tournament, plan.federation).may(SEE_DRAFTS, plan.tournament):
        known(Unannounced())
