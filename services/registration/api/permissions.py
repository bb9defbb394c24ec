"""Who may do what with tournaments and entrants, and whether it can be done just now."""

from collections.abc import Callable, Mapping

from services.registration.api.bodies import TOURNAMENT
from services.registration.api.persons.routes import ORGANISERS
from services.registration.domain import register as of_federation
from services.registration.domain.tournament import (
    TOURNAMENT,
    Command,
    State,
    entry_orders,
    known,
    level_orders,
    orders,
)
from services.registration.domain.tournament.phases import not_now
from services.registration.domain.tournament.plan_orders import ChangePlan
from services.registration.domain.tournament.starting import blockers
from services.registration.domain.tournament.states import Known, Unknown
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
LIST_IN_FULL = roles(*OFFICES, scope="tournament_id")
SEE_DRAFTS = roles(*OFFICES, scope="tournament_id", operators=True)

type Doable = tuple[Policy, type[Command]]

TOURNAMENT_ACTIONS: Mapping[str, Doable] = {
    "changePlan": (ORGANISE, ChangePlan),
    "decideShownNames": (DECIDE, orders.DecideShownNames),
    "openRegistration": (ORGANISE, orders.OpenRegistration),
    "enterTournament": (ORGANISE, orders.Enter),
    "importEntrants": (ORGANISE, orders.Enter),
    "importEntries": (ORGANISE, orders.Enter),
    "declareClosePersons": (ORGANISE, orders.DeclareClosePersons),
    "revokeClosePersons": (ORGANISE, orders.RevokeClosePersons),
    "approveSpectator": (ORGANISE, entry_orders.ApproveSpectator),
    "callReserve": (ORGANISE, entry_orders.CallReserve),
    "releaseUnconfirmed": (LEAD_ON, entry_orders.ReleaseUnconfirmed),
    "nameNextLevel": (LEAD_ON, level_orders.NameNextLevel),
    "takeInQualified": (LEAD_ON, level_orders.TakeIn),
    "openCheckIn": (ORGANISE, orders.OpenCheckIn),
    "checkInEntrants": (CHECK_IN, orders.CheckIn),
    "announceAdvance": (ORGANISE, orders.AnnounceAdvance),
    "postponeFirstRound": (ORGANISE, orders.PostponeFirstRound),
    "startTournament": (ORGANISE, orders.StartTournament),
    "admitLateEntrant": (ORGANISE, orders.AdmitLate),
    "beginReview": (RUN, orders.BeginReview),
    "resumePlay": (RUN, orders.ResumePlay),
    "completeTournament": (ORGANISE, orders.CompleteTournament),
    "cancelTournament": (CANCEL, orders.CancelTournament),
}


def require_open(state: State, asker: Asker) -> None:
    """Drafts are for officials: for everybody else there is no such tournament yet, nor ever one that was cancelled
    before it was opened."""
    if not isinstance(state, Unknown) and not may_look(state, asker):
        known(Unknown())


def may_look(state: Known, asker: Asker) -> bool:
    plan = state.plan
    return plan.is_open or asker.within(plan.tournament, plan.federation).may(SEE_DRAFTS, plan.tournament)


def as_it_is(entrant: str, state: Known) -> orders.CorrectEntry:
    said = state.roster.entrants[entrant].said
    return orders.CorrectEntry(entrant=entrant, rating=said.rating, key=said.key, lists=said.lists)


def withdrawal(entrant: str, state: Known) -> Command:
    if not_now(state, orders.Leave) is None:
        return leaving(entrant, state, orders.Leaving.WITHDREW)
    return orders.WithdrawEntry(entrant=entrant)


def leaving(entrant: str, state: Known, why: orders.Leaving) -> orders.Leave:
    return orders.Leave(entrant=entrant, after_round=0, why=why, stage=first_stage(state))


def first_stage(state: Known) -> str:
    return state.plan.ruleset.stages[0].id


ENTRANT_ACTIONS: Mapping[str, tuple[Policy, Callable[[str, Known], Command]]] = {
    "correctEntrant": (ORGANISE, as_it_is),
    "checkInEntrant": (CHECK_IN, lambda entrant, _: orders.CheckIn(entrants=(entrant,))),
    "undoCheckIn": (CHECK_IN, lambda entrant, _: orders.UndoCheckIn(entrant=entrant)),
    "strikeOffEntrant": (ORGANISE, lambda entrant, _: orders.StrikeOff(entrant=entrant)),
    "withdrawEntrant": (RUN, withdrawal),
    "expelEntrant": (EXPEL, lambda entrant, state: leaving(entrant, state, orders.Leaving.EXPELLED)),
    "returnEntrant": (RUN, lambda entrant, _: orders.Return(entrant=entrant, why=orders.Returning.MISTAKE)),
    "markAbsent": (RUN, lambda entrant, state: orders.BeAbsent(entrant=entrant, round=1, stage=first_stage(state))),
    "markPresent": (RUN, lambda entrant, state: orders.BePresent(entrant=entrant, round=1, stage=first_stage(state))),
}


ENTRY_ACTIONS: Mapping[str, Doable] = {
    "detailEntry": (ORGANISE, entry_orders.DetailEntry),
    "judgeEntry": (ORGANISE, entry_orders.JudgeEligibility),
    "bringInSubstitute": (ORGANISE, entry_orders.BringIn),
    "chooseTeam": (ORGANISE, entry_orders.ChooseTeam),
    "nameActingCaptain": (ORGANISE, entry_orders.NameCaptain),
    "checkInMembers": (CHECK_IN, orders.CheckIn),
    "arriveLate": (ORGANISE, entry_orders.ArriveLate),
    "confirmPlace": (ORGANISE, entry_orders.ConfirmPlace),
    "recordPayment": (ORGANISE, entry_orders.RecordPayment),
    "recordRefund": (ORGANISE, entry_orders.RecordRefund),
    "requestWaiver": (ORGANISE, entry_orders.RequestWaiver),
    "grantWaiver": (ORGANISE, entry_orders.GrantWaiver),
    "refuseWaiver": (ORGANISE, entry_orders.RefuseWaiver),
}


def entry_actions(entrant: str, state: Known, asker: Asker) -> list[Action]:
    """These as far as the part of the tournament's life decides; and what may be done with the entrant."""
    plan = state.plan
    seen = asker.within(plan.tournament, plan.federation)
    return [
        *entrant_actions(entrant, state, asker),
        *(
            action(name, seen.why_not(policy, plan.tournament) or out_of_turn(state, order))
            for name, (policy, order) in ENTRY_ACTIONS.items()
        ),
    ]


def tournament_actions(state: Known, asker: Asker) -> list[Action]:
    plan = state.plan
    seen = asker.within(plan.tournament, plan.federation)
    return [
        action(name, seen.why_not(policy, plan.tournament) or out_of_turn(state, order))
        for name, (policy, order) in TOURNAMENT_ACTIONS.items()
    ]


def out_of_turn(state: Known, order: type[Command]) -> str | None:
    if (refusal := not_now(state, order)) is not None:
        return str(refusal)
    if order is orders.StartTournament and (open_yet := blockers(state)):
        return " ".join(blocker.sentence for blocker in open_yet)
    return None


def entrant_actions(entrant: str, state: Known, asker: Asker) -> list[Action]:
    plan = state.plan
    seen = asker.within(plan.tournament, plan.federation)
    return [
        action(name, seen.why_not(policy, plan.tournament) or refused(state, order(entrant, state)))
        for name, (policy, order) in ENTRANT_ACTIONS.items()
    ]


def refused(state: Known, order: Command) -> str | None:
    """Whether it would be refused for what has happened; what a request says besides is not judged here."""
    try:
        TOURNAMENT.decide(state, order)
    except Refusal as refusal:
        return str(refusal)
    return None


RENAME_FEDERATION = roles(Role.DIRECTOR, Role.COUNCIL, scope="federation_id")


APPOINT_OFFICIAL = roles(Role.DIRECTOR, scope="federation_id", operators=True)


DISMISS_OFFICIAL = roles(Role.DIRECTOR, scope="federation_id")


FEDERATION_ACTIONS = {
    "renameFederation": RENAME_FEDERATION,
    "appointOfficial": APPOINT_OFFICIAL,
    "dismissOfficial": DISMISS_OFFICIAL,
}


LIST_OFFICIALS = roles(*OFFICES, scope="federation_id", operators=True)


OFFICIAL_ACTIONS = {"appointOfficial": APPOINT_OFFICIAL, "dismissOfficial": DISMISS_OFFICIAL}


APPOINT_TOURNAMENT_OFFICIAL = roles(Role.DIRECTOR, scope="tournament_id")


LIST_TOURNAMENT_OFFICIALS = roles(*OFFICES, scope="tournament_id")


TOURNAMENT_OFFICIAL_ACTIONS = {
    "appointTournamentOfficial": APPOINT_TOURNAMENT_OFFICIAL,
    "dismissTournamentOfficial": APPOINT_TOURNAMENT_OFFICIAL,
}


ISSUING_ROLES = (Role.DIRECTOR, Role.COORDINATOR, Role.SCORER)  # the highest first


ISSUE_TOKEN = roles(*ISSUING_ROLES, scope="tournament_id")


DISMISS_CAPTAIN = ISSUE_TOKEN


SEE_CAPTAIN = roles(*OFFICES, scope="tournament_id")


CAPTAIN_ACTIONS = {"issueCaptainToken": ISSUE_TOKEN, "dismissCaptain": DISMISS_CAPTAIN}


CHANGE_HOMES = roles(Role.DIRECTOR, Role.COORDINATOR, Role.COUNCIL, scope="federation_id")


OPEN_SEASON = roles(Role.DIRECTOR, Role.COUNCIL, scope="federation_id")


POST_RULESET = roles(Role.DIRECTOR, Role.COUNCIL, scope="federation", in_body=True)


CHANGE_PARTICULARS = roles(*ORGANISERS, scope="person_id")


SEE_WHAT_IS_JUDGED = roles(*ORGANISERS, Role.COUNCIL, scope="person_id")


RECOGNISE_PERSONS = roles(*ORGANISERS, Role.COUNCIL, Role.ARBITER, Role.SCORER, scope="person_id")


PARTICULARS_SEEN: Mapping[str, Policy] = {  # by whom each field is needed
    "born": SEE_WHAT_IS_JUDGED,
    "citizenship": SEE_WHAT_IS_JUDGED,
    "town": SEE_WHAT_IS_JUDGED,
    "email": CHANGE_PARTICULARS,
    "phone": CHANGE_PARTICULARS,
    "licence": RECOGNISE_PERSONS,
}


REGISTER_PERSON = roles(Role.DIRECTOR, Role.COORDINATOR, Role.COUNCIL, scope="federation", in_body=True)


CHANGE_PERSON = roles(Role.DIRECTOR, Role.COORDINATOR, Role.COUNCIL, scope="person_id")


ERASE_PERSON = roles(Role.DIRECTOR, scope="person_id")


SEE_PERSON = roles(*OFFICES, scope="person_id")


LIST_PERSONS = roles(*OFFICES, scope="federation_id")


PERSON_ACTIONS = {"renamePerson": CHANGE_PERSON, "mergePersons": CHANGE_PERSON, "erasePerson": ERASE_PERSON}


IMPORT_PERSONS = roles(Role.DIRECTOR, Role.COORDINATOR, Role.COUNCIL, scope="federation_id")


EXPORT_PERSONS = roles(Role.DIRECTOR, Role.COORDINATOR, scope="federation_id")  # who are shown every field
