"""Who may do what: the policy of each operation, and the actions that an answer says are allowed now, or why not."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from services.registration.domain.seasons import OpenedSeason, why_nobody_is_led_on
from services.registration.domain.tournament.check_in import ArriveLate, CheckIn, UndoCheckIn
from services.registration.domain.tournament.close_persons import DeclareClosePersons, RevokeClosePersons
from services.registration.domain.tournament.decider import TOURNAMENT, Command, not_now
from services.registration.domain.tournament.entrants import Leaving, LeftEntrant
from services.registration.domain.tournament.entries import (
    ApproveSpectator,
    CorrectEntry,
    DetailEntry,
    Enter,
    JudgeEligibility,
    StrikeOff,
    WithdrawEntry,
)
from services.registration.domain.tournament.facts import Asked
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
from services.registration.domain.tournament.lots import PHASES as LOTS_PHASES
from services.registration.domain.tournament.lots import MoveLotSource, OpenLots
from services.registration.domain.tournament.lots import not_now as lots_not_now
from services.registration.domain.tournament.own_entries import require_before_start, require_open_to_all
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
from services.registration.domain.tournament.roster import require_coming, require_there
from services.registration.domain.tournament.start import AS_ASKED, StartTournament, blockers
from services.registration.domain.tournament.states import AnnouncedTournament, CheckingIn, State, Unannounced, known
from shared.access.asker import Asker
from shared.access.policy import (
    ANYBODY,
    OnlyTheDirector,
    Policy,
    also_own,
    also_themselves,
    in_person,
    of_federation,
    roles,
)
from shared.access.roles import OFFICES, Role
from shared.http.responses import Actions, action
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
KEEP_ROLL = roles(*ORGANISERS, Role.COUNCIL, scope="federation_id")
POST_RULESET = roles(Role.DIRECTOR, Role.COUNCIL, scope="federation", in_body=True)

# Persons

REGISTER_PERSON = roles(*ORGANISERS, Role.COUNCIL, scope="federation", in_body=True)
IMPORT_PERSONS = roles(*ORGANISERS, Role.COUNCIL, scope="federation_id")
EXPORT_PERSONS = roles(*ORGANISERS, scope="federation_id")  # who are shown every field
LIST_PERSONS = roles(*OFFICES, scope="federation_id")
SEE_PERSON = roles(*OFFICES, scope="person_id")
CHANGE_PERSON = roles(*ORGANISERS, Role.COUNCIL, scope="person_id")
ERASE_PERSON = roles(Role.DIRECTOR, scope="person_id")
LINK_ACCOUNT = roles(*ORGANISERS, Role.COUNCIL, scope="person_id")
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
SEE_CASH = roles(*ORGANISERS, Role.COUNCIL, scope="tournament_id")
DECIDE_SHOWN_NAMES = of_federation(*ORGANISERS, Role.COUNCIL, scope="tournament_id")
APPROVE_REGION = roles(Role.COORDINATOR, scope="tournament_id")
CANCEL = roles(Role.DIRECTOR, scope="tournament_id")
RUN = roles(*ORGANISERS, Role.ARBITER, scope="tournament_id")
POST_NOTICE = roles(*ORGANISERS, Role.ARBITER, scope="tournament_id")
EXPEL = roles(Role.DIRECTOR, Role.ARBITER, scope="tournament_id")
EXPEL_ALONE = roles(Role.DIRECTOR, scope="tournament_id")  # where the rules leave penalties to the director
CHECK_IN = roles(*AT_THE_DESK, scope="tournament_id")
OFFICIATE = roles(*OFFICES, scope="tournament_id")

# What people do for themselves, or a school, a club or a captain for a team

ENTER = also_themselves(ORGANISE)
ORGANISE_OR_OWN = also_own(ORGANISE, "entrant_id")
WITHDRAW = also_own(RUN, "entrant_id")
SEE_ENTRY = also_own(OFFICIATE, "entrant_id")
SEE_DRAFTS = roles(*OFFICES, scope="tournament_id", operators=True)
APPOINT_TOURNAMENT_OFFICIAL = roles(Role.DIRECTOR, scope="tournament_id")
NAME_CAPTAIN = in_person(roles(*ISSUERS, scope="tournament_id"))
LINK_SCORERS = roles(Role.DIRECTOR, scope="tournament_id")

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
FIELD_ACTIONS = {"issueCaptainTokens": NAME_CAPTAIN}
LINK_ACTIONS = {"issueScorerLinks": LINK_SCORERS, "revokeScorerLink": LINK_SCORERS}
CAPTAIN_ACTIONS = {"issueCaptainToken": NAME_CAPTAIN, "dismissCaptain": NAME_CAPTAIN}
NOTICE_ACTIONS = {"postNotice": POST_NOTICE, "recallNotice": POST_NOTICE}
HOME_ACTIONS = {"changeHome": CHANGE_HOMES, "entrustHome": CHANGE_HOMES, "takeHomeBack": CHANGE_HOMES}
SEASON_ACTIONS = {
    "openSeason": OPEN_SEASON,
    "nameChampionship": OPEN_SEASON,
    "setAnnualFee": KEEP_ROLL,
    "enrolMember": KEEP_ROLL,
    "strikeMember": KEEP_ROLL,
}
PERSON_ACTIONS = {
    "renamePerson": CHANGE_PERSON,
    "changeParticulars": CHANGE_PARTICULARS,
    "mergePersons": CHANGE_PERSON,
    "giveAccount": LINK_ACCOUNT,
    "takeAccountAway": LINK_ACCOUNT,
    "erasePerson": ERASE_PERSON,
}

# Actions that depend on the tournament too: who may, and the order that it would be

TOURNAMENT_ACTIONS: Mapping[str, tuple[Policy, type[Command]]] = {
    "changePlan": (ORGANISE, ChangePlan),
    "decideShownNames": (DECIDE_SHOWN_NAMES, DecideShownNames),
    "openRegistration": (ORGANISE, OpenRegistration),
    "enterTournament": (ENTER, Enter),
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
    "moveLotSource": (CANCEL, MoveLotSource),
    "openLots": (CANCEL, OpenLots),
    "startTournament": (ORGANISE, StartTournament),
    "admitLateEntrant": (ORGANISE, AdmitLate),
    "beginReview": (RUN, BeginReview),
    "resumePlay": (RUN, ResumePlay),
    "completeTournament": (ORGANISE, CompleteTournament),
    "cancelTournament": (CANCEL, CancelTournament),
}

ENTRY_ACTIONS: Mapping[str, tuple[Policy, type[Command]]] = {
    "detailEntry": (ORGANISE_OR_OWN, DetailEntry),
    "judgeEntry": (ORGANISE_OR_OWN, JudgeEligibility),
    "bringInSubstitute": (ORGANISE_OR_OWN, BringIn),
    "chooseTeam": (ORGANISE, ChooseTeam),
    "nameActingCaptain": (ORGANISE_OR_OWN, NameCaptain),
    "checkInMembers": (CHECK_IN, CheckIn),
    "arriveLate": (ORGANISE, ArriveLate),
    "confirmPlace": (ORGANISE_OR_OWN, ConfirmPlace),
    "recordPayment": (ORGANISE, RecordPayment),
    "recordRefund": (ORGANISE, RecordRefund),
    "requestWaiver": (ORGANISE_OR_OWN, RequestWaiver),
    "grantWaiver": (ORGANISE, GrantWaiver),
    "refuseWaiver": (ORGANISE, RefuseWaiver),
}

FOR_THOSE_WITH_A_PLACE = frozenset[type[Command]]({CheckIn, ArriveLate})
FOR_THOSE_WHO_ARE_EXPECTED = frozenset[type[Command]](
    {JudgeEligibility, BringIn, ChooseTeam, NameCaptain, RequestWaiver}
)
OF_WAIVERS = frozenset[type[Command]]({GrantWaiver, RefuseWaiver})
NO_WAIVER = "Nobody has asked for a waiver of their fee: record that they do first."
ALREADY_CONFIRMED = "They have confirmed their place: it is theirs."


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
    "withdrawEntrant": (WITHDRAW, withdrawal),
    "expelEntrant": (EXPEL, lambda entrant, state: departure(entrant, state, Leaving.EXPELLED)),
    "returnEntrant": (RUN, lambda entrant, _: Return(entrant=entrant, why=Returning.MISTAKE)),
    "markAbsent": (RUN, lambda entrant, state: BeAbsent(entrant=entrant, round=1, stage=first_stage(state))),
    "markPresent": (RUN, lambda entrant, state: BePresent(entrant=entrant, round=1, stage=first_stage(state))),
}


def allowed_actions(actions: Mapping[str, Policy], scope: str, asker: Asker) -> Actions:
    return {name: action(asker.why_not(policy, scope)) for name, policy in actions.items()}


def season_actions(federation: str, season: OpenedSeason, asker: Asker) -> Actions:
    naming = asker.why_not(SEASON_ACTIONS["nameChampionship"], federation) or why_nobody_is_led_on(season)
    return allowed_actions(SEASON_ACTIONS, federation, asker) | {"nameChampionship": action(naming)}


def tournament_actions(
    state: AnnouncedTournament, asker: Asker, starting: StartTournament, completing: CompleteTournament
) -> Actions:
    plan = state.plan
    here = asker.within(plan.tournament, plan.federation)
    ordered = {
        name: action(why_not(here, policy, state, order, starting) or open_games(state, order, completing))
        for name, (policy, order) in TOURNAMENT_ACTIONS.items()
    }
    return ordered | allowed_actions(NOTICE_ACTIONS | FIELD_ACTIONS, plan.tournament, here)


def entrant_actions(entrant: str, state: AnnouncedTournament, asker: Asker) -> Actions:
    plan = state.plan
    here = asker.within(plan.tournament, plan.federation)

    def order_of(name: str) -> Command:
        policy, order = ENTRANT_ACTIONS[name]
        return (OWN_ORDERS[name] if for_themselves(here, policy, plan.tournament) else order)(entrant, state)

    return {
        name: action(here.why_not(narrowed(policy, order, state), plan.tournament) or refused(state, order))
        for name, (policy, _) in ENTRANT_ACTIONS.items()
        for order in [order_of(name)]
    }


def narrowed(policy: Policy, order: Command, state: AnnouncedTournament) -> Policy:
    """The policy of an act, unless it is a penalty, or takes one back, by rules that leave these to the director."""
    by_director = state.plan.ruleset.results.penalties_by == "director"
    return EXPEL_ALONE if by_director and is_about_expulsion(order, state) else policy


def is_about_expulsion(order: Command, state: AnnouncedTournament) -> bool:
    match order:
        case Leave(why=Leaving.EXPELLED):
            return True
        case Return(entrant=entrant):
            was = state.roster.entrants.get(entrant)
            return isinstance(was, LeftEntrant) and was.why is Leaving.EXPELLED
        case _:
            return False


def require_punisher(order: Command, state: AnnouncedTournament, asker: Asker) -> None:
    plan = state.plan
    here = asker.within(plan.tournament, plan.federation)
    if not here.may(narrowed(ANYBODY, order, state), plan.tournament):
        refusal = OnlyTheDirector("By these rules only the director expels somebody, or takes that back: ask him.")
        refusal.rule = plan.ruleset.results.rule_ids.get("penalties")
        raise refusal


# As what somebody acts who holds no office: what is refused does not depend on who it is.
THEMSELVES = Asked(subject="", capacity="player")
OWN_ORDERS: Mapping[str, Callable[[str, AnnouncedTournament], Command]] = {
    "withdrawEntrant": lambda entrant, _: WithdrawEntry(entrant=entrant, asked=THEMSELVES),
}


def for_themselves(asker: Asker, policy: Policy, scope: str) -> bool:
    """Whether it is not an office that lets them."""
    plain = replace(policy, own="", captains="", themselves=False)
    return plain != policy and not asker.may(plain, scope)


def entry_actions(entrant: str, state: AnnouncedTournament, asker: Asker) -> Actions:
    """What may be done with the entrant, and with the entry as it stands."""
    plan = state.plan
    here = asker.within(plan.tournament, plan.federation)
    of_entry = {
        name: action(why_not(here, policy, state, order) or out_of_standing(state, entrant, order))
        for name, (policy, order) in ENTRY_ACTIONS.items()
    }
    return entrant_actions(entrant, state, asker) | of_entry


def why_not(
    here: Asker, policy: Policy, state: AnnouncedTournament, order: type[Command], starting: StartTournament = AS_ASKED
) -> str | None:
    """Why whoever asks may not, or why it is not the time for it."""
    tournament = state.plan.tournament
    return (
        here.why_not(policy, tournament)
        or (refused_to_own(state, order) if for_themselves(here, policy, tournament) else None)
        or out_of_turn(state, order, starting)
    )


def out_of_standing(state: AnnouncedTournament, entrant: str, order: type[Command]) -> str | None:
    """Why not with an entry that is gone, that waits, or of which nobody has asked that."""
    was = state.roster.entrants[entrant]
    if order is ConfirmPlace:
        is_confirmed = state.roster.details_of(entrant).is_confirmed
        return refused(state, ConfirmPlace(entrant=entrant)) or (ALREADY_CONFIRMED if is_confirmed else None)
    try:
        if order in FOR_THOSE_WITH_A_PLACE:
            require_coming(was)
        elif order in FOR_THOSE_WHO_ARE_EXPECTED:
            require_there(was)
        elif order in OF_WAIVERS and not state.roster.details_of(entrant).waivers:
            return NO_WAIVER
    except Refusal as refusal:
        return str(refusal)
    return None


def refused_to_own(state: AnnouncedTournament, order: type[Command]) -> str | None:
    try:
        require_before_start(state, THEMSELVES)
        if order is Enter:
            require_open_to_all(state)
            if isinstance(state, CheckingIn):
                return "Check-in is open: whoever still comes in is entered by an official at the desk."
    except Refusal as refusal:
        return str(refusal)
    return None


def out_of_turn(state: AnnouncedTournament, order: type[Command], starting: StartTournament) -> str | None:
    if (refusal := not_now(state, order)) is not None:
        return str(refusal)
    if order in LOTS_PHASES and (refusal := lots_not_now(state)) is not None:
        return str(refusal)
    if order is StartTournament and (open_yet := blockers(state, starting)):
        return " ".join(blocker.sentence for blocker in open_yet)
    return None


def open_games(state: AnnouncedTournament, order: type[Command], completing: CompleteTournament) -> str | None:
    return refused(state, completing) if order is CompleteTournament else None


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
