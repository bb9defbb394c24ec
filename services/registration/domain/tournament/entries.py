"""Entries: who comes in, what is corrected, and who goes again before the start."""

from collections.abc import Sequence
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from services.registration.domain.tournament import admission, entrants, facts
from services.registration.domain.tournament.admission import (
    EntriesClosed,
    RegionReason,
    has_entered,
    require_lists,
    require_met,
)
from services.registration.domain.tournament.entrants import (
    NOTHING_ELSE,
    Also,
    CheckedIn,
    Entered,
    EntrySaid,
    LeftEntrant,
    Participant,
    PlayingEntrant,
    ProposedEntry,
    StruckOff,
    WaitingEntrant,
    Withdrawn,
)
from services.registration.domain.tournament.line_ups import LineUpFrozen
from services.registration.domain.tournament.own_entries import (
    require_before_start,
    require_not_bound,
    require_open_to_all,
)
from services.registration.domain.tournament.payments import fee_noted, is_in_time, is_settled, noted_before, refunds
from services.registration.domain.tournament.places_and_reserves import (
    NoPlaceLeft,
    call_reserves,
    has_free_place,
    require_place_for_wild_card,
    require_wild_cards,
    wait_for_place,
)
from services.registration.domain.tournament.reasons import NotedReason, because, cite, team_clause
from services.registration.domain.tournament.roster import (
    NotEntered,
    Roster,
    entrant_of_id,
    evolve_roster,
    not_entered,
    require_coming,
    require_expected,
)
from services.registration.domain.tournament.start import admitted, rated
from services.registration.domain.tournament.states import (
    BEFORE,
    DURING,
    AnnouncedTournament,
    Cancelled,
    CheckingIn,
    Completed,
    Draft,
    Phases,
    Plan,
    Running,
    confirmation_of,
    deadline_of,
    require_phase,
)
from shared.commands.decider import Order
from shared.faults import Faulty, InputFault, at
from shared.refusals import Refusal

# Orders


class Decision(StrEnum):
    """Why the organiser takes somebody later than the announcement says."""

    EXCUSED = "excused"
    EVEN_NUMBER = "even-number"
    SUBSTITUTE = "substitute"
    WILD_CARD = "wild-card"
    ORGANISERS_MISTAKE = "organisers-mistake"
    OTHER = "other"


class Enter(Order):
    """One entrant comes in, or several together or not at all."""

    entries: tuple[ProposedEntry, ...]
    at: str  # a moment in UTC
    decision: Decision | None = None
    passed: frozenset[str] = frozenset()  # other deadlines that are over
    approval: RegionReason | None = None
    note: str | None = None  # on the decision
    asked: facts.Asked | None = None  # none: an official enters them


class CorrectEntry(Order):
    """What is said here replaces all that was said of the entrant."""

    entrant: str
    rating: int | None
    key: int | None
    lists: tuple[str, ...]


class WithdrawEntry(Order):
    entrant: str
    passed: frozenset[str] = frozenset()  # deadlines that are over
    reason: NotedReason | None = None
    asked: facts.Asked | None = None


class StrikeOff(Order):
    """They were absent without an excuse."""

    entrant: str
    reason: NotedReason | None = None


class DetailEntry(Order):
    """What is said here replaces all else that the entry says; who plays is changed by other orders."""

    entrant: str
    also: Also
    verdicts: tuple[facts.ConditionVerdict, ...] = ()
    passed: frozenset[str] = frozenset()  # deadlines that are over
    approval: RegionReason | None = None
    asked: facts.Asked | None = None


class JudgeEligibility(Order):
    entrant: str
    verdicts: tuple[facts.ConditionVerdict, ...]


class ApproveSpectator(Order):
    """Somebody may come to look on; the note says who it is."""

    spectator: str
    note: str


class NoteMembership(Order):
    """The roll of members says something else of them than before."""

    entrant: str
    member: bool


type EntryOrder = (
    NoteMembership
    | Enter
    | CorrectEntry
    | DetailEntry
    | JudgeEligibility
    | WithdrawEntry
    | StrikeOff
    | ApproveSpectator
)

PHASES: Phases = {
    Enter: BEFORE,
    CorrectEntry: (*BEFORE, *DURING),
    DetailEntry: (*BEFORE, *DURING),
    JudgeEligibility: BEFORE,
    WithdrawEntry: BEFORE,
    StrikeOff: (CheckingIn,),
    ApproveSpectator: (Draft, *BEFORE, Running),
    NoteMembership: (Draft, *BEFORE, *DURING, Completed, Cancelled),  # where nothing is to be paid it changes nothing
}


def decide(state: AnnouncedTournament, order: EntryOrder) -> list[facts.Event]:
    if isinstance(order, Enter | DetailEntry | WithdrawEntry):
        require_before_start(state, order.asked)
    require_phase(state, order, PHASES)
    match order:
        case Enter():
            return enter(state, order)
        case CorrectEntry():
            return correct(state, order)
        case DetailEntry():
            return detail(state, order)
        case JudgeEligibility():
            return judge(state, order)
        case WithdrawEntry():
            return withdraw(state, order)
        case StrikeOff():
            return strike_off(state, order)
        case ApproveSpectator():
            return approve_spectator(state, order)
        case NoteMembership():
            return note_membership(state, order)


def enter(state: AnnouncedTournament, order: Enter) -> list[facts.Event]:
    """Whoever has entered with just this is passed over: twice is once."""
    roster, events, faults = state.roster, list[facts.Event](), list[InputFault]()
    for place, entry in enumerate(order.entries):
        try:
            if has_entered(roster, entry, state.plan.ruleset):
                continue
            happens = comes_in(roster, entry, order, state.plan)
        except Refusal as refusal:
            if len(order.entries) == 1:
                raise
            faults.append(InputFault(at("entrants", place), str(refusal)))
            continue
        events += happens
        for event in happens:
            roster = evolve_roster(roster, event)
    if faults:
        raise Faulty("Nobody was entered: mend what errors name, or leave it out.", faults)
    if events:
        if order.asked is not None:
            require_open_to_all(state)
        require_in_time(state, order)
        if order.decision is Decision.WILD_CARD:
            require_wild_cards(state)
    return events


def comes_in(roster: Roster, entry: ProposedEntry, order: Enter, plan: Plan) -> list[facts.RosterEvent]:
    """They get a place, or stand in the line of those who wait for one."""
    require_met(roster, entry, plan, order.passed, order.approval)
    if order.decision is Decision.WILD_CARD:
        require_place_for_wild_card(roster, plan)
    entered = replace(
        entered_as(entry, plan),
        decision=order.decision.value if order.decision else None,
        note=order.note,
        cited=late_clause(plan, order) if order.decision else None,
        asked=order.asked,
    )
    placed = order.decision is Decision.WILD_CARD or has_free_place(roster, plan)
    if not placed and "on-site" in entry.also.declared and (limit := deadline_of(plan, "on-site-entry")) is not None:
        raise NoPlaceLeft(
            f"All {plan.ruleset.entry.size.most} places are taken{cite(limit.rule_id)}: an entry on site is refused then."
        )
    return [
        entered,
        *details_of_entry(entry, plan, order.approval),
        *noted_before(roster, entry, plan),
        *qualified_before(roster, entry),
        *(answer_given(entry.entrant, plan, order) if placed else [wait_for_place(entry.entrant, plan)]),
    ]


def entered_as(entry: ProposedEntry, plan: Plan) -> facts.EntrantEntered:
    return facts.EntrantEntered(
        entrant=entry.entrant,
        tournament=plan.tournament,
        persons=entry.said.persons,
        rating=entry.said.rating,
        key=entry.said.key,
        lists=entry.said.lists,
        decision=None,
    )


def answer_given(entrant: str, plan: Plan, order: Enter) -> list[facts.RosterEvent]:
    """Who comes in after the last day to confirm a place, such as a wild card, cannot answer in time any more: the entry is
    the answer."""
    if "confirmation" not in order.passed or confirmation_of(plan) is None:
        return []
    return [facts.PlaceConfirmed(entrant=entrant, tournament=plan.tournament, asked=order.asked)]


def qualified_before(roster: Roster, entry: ProposedEntry) -> Sequence[facts.RosterEvent]:
    """Who was taken in, has withdrawn and enters again comes from the same tournament as before."""
    gone = [one for one in roster.entrants.values() if isinstance(one, Withdrawn | StruckOff)]
    known = [roster.details_of(one.entrant).qualified for one in gone if one.said.persons == entry.said.persons]
    return [replace(one, entrant=entry.entrant) for one in known if one is not None][-1:]


def details_of_entry(entry: ProposedEntry, plan: Plan, approval: RegionReason | None) -> list[facts.RosterEvent]:
    """There is nothing to note where an entry says no more than who plays."""
    events: list[facts.RosterEvent] = []
    if entry.also != NOTHING_ELSE:
        events.append(entrants.detailed(entry.entrant, plan.tournament, entry.also))
    if entry.verdicts:
        judged = facts.EligibilityJudged(entrant=entry.entrant, tournament=plan.tournament, verdicts=entry.verdicts)
        events.append(judged)
    if approval is not None and entry.also.region is not None and entry.also.region != plan.region:
        approved = facts.RegionApproved(
            entrant=entry.entrant, tournament=plan.tournament, region=entry.also.region, reason=approval.value
        )
        events.append(approved)
    events += [fee_noted(entry.entrant, plan, one, is_settled=True) for one in entry.settled_in]
    return events


def require_in_time(state: AnnouncedTournament, order: Enter) -> None:
    """Later than announced, somebody comes in only by a decision of the organiser, and only where the rules leave it
    one."""
    limits = {limit.of: limit for limit in state.plan.ruleset.entry.deadlines}
    if "on-site-entry" in limits and all("on-site" in entry.also.declared for entry in order.entries):
        return
    closes = state.plan.entries_close
    too_late = is_late(state.plan, order)
    if not too_late and not isinstance(state, CheckingIn):
        return
    since = f"since {closes}" if too_late else "since check-in was opened"
    limit = limits.get("entry")
    clause = cite(limit.rule_id if limit and too_late else None)
    if too_late and limit is not None and limit.late == "refused":
        raise EntriesClosed(f"Entries are closed {since}{clause}, and the rules let nobody in later.")
    if order.decision is None:
        raise EntriesClosed(
            f"Entries are closed {since}{clause}: whoever still comes in needs a decision of the organiser. Officials say "
            "which; everybody else asks them."
        )


def is_late(plan: Plan, order: Enter) -> bool:
    return plan.entries_close is not None and order.at >= plan.entries_close


def late_clause(plan: Plan, order: Enter) -> str | None:
    limit = deadline_of(plan, "entry")
    return limit.rule_id if limit and is_late(plan, order) else None


def correct(state: AnnouncedTournament, order: CorrectEntry) -> list[facts.Event]:
    require_lists(order.lists, state.plan.ruleset)
    was = entrant_of_id(state.roster, order.entrant)
    if (was.said.sent.rating, was.said.key, was.said.lists) == (order.rating, order.key, order.lists):
        return []
    match was:
        case Entered() | CheckedIn() | WaitingEntrant():
            corrected = facts.EntryCorrected(
                entrant=was.entrant,
                tournament=state.plan.tournament,
                rating=order.rating,
                key=order.key,
                lists=order.lists,
            )
            return [corrected]
        case PlayingEntrant() | LeftEntrant():
            said = replace(was.said, key=order.key, lists=order.lists)
            if order.rating is not None or was.said.rated_by is None:
                said = rated(replace(said, rating=order.rating, rated_by=None), state.plan.ruleset)
            return [entrant_changed(was, said, state.roster.details_of(was.entrant).also, state.plan)]
        case Withdrawn() | StruckOff():
            raise not_entered(was)


def entrant_changed(was: Participant, said: EntrySaid, also: Also, plan: Plan) -> facts.EntrantChanged:
    """Neighbours hear all that holds of an entrant, as when they were admitted, and not only what has changed."""
    now = admitted(was.entrant, said, also, plan, number=was.number, from_round=was.from_round)
    return msgspec.convert(now, facts.EntrantChanged, from_attributes=True)


def note_membership(state: AnnouncedTournament, order: NoteMembership) -> list[facts.Event]:
    """Whoever has paid has paid by what held then, and who is gone owes nothing."""
    was, details = state.roster.entrants.get(order.entrant), state.roster.details_of(order.entrant)
    if was is None or isinstance(was, Withdrawn | StruckOff) or isinstance(state, Completed | Cancelled):
        return []
    declared = {*details.also.declared} - {"member"} | ({"member"} if order.member else set[str]())
    if declared == {*details.also.declared} or is_settled(state.plan.ruleset.entry, details):
        return []
    also = replace(details.also, declared=tuple(sorted(declared)))
    return [entrants.detailed(order.entrant, state.plan.tournament, also)]


def detail(state: AnnouncedTournament, order: DetailEntry) -> list[facts.Event]:
    """Line-ups cannot be changed here: they have orders of their own."""
    was, roster = entrant_of_id(state.roster, order.entrant), state.roster
    before = roster.details_of(order.entrant).also
    if (order.also.substitutes, order.also.captain, order.also.team) != (
        before.substitutes,
        before.captain,
        before.team,
    ):
        rule = cite(team_clause(state.plan.ruleset.entry.team, "frozen"))
        raise LineUpFrozen(
            f"Who belongs to a team stays as it was entered{rule}: bring in a substitute, or name a captain."
        )
    if order.also == before:
        return judged(state, order.entrant, order.verdicts)
    admission.require_source(order.also, state.plan)
    admission.require_qualified(order.entrant, order.also, roster, state.plan)
    admission.require_on_time(order.also, before, state.plan, order.passed)
    admission.require_eligible(order.verdicts)
    admission.require_quota(order.entrant, order.also, roster, state.plan)
    if order.also.region != before.region:
        admission.require_region(order.also, state.plan, order.approval)
    detailed = entrants.detailed(order.entrant, state.plan.tournament, order.also)
    besides = judged(state, order.entrant, order.verdicts)
    match was:
        case Entered() | CheckedIn() | WaitingEntrant():
            return [detailed, *besides]
        case PlayingEntrant() | LeftEntrant():
            changed = entrant_changed(was, was.said, order.also, state.plan)
            if changed == entrant_changed(was, was.said, before, state.plan):
                return [detailed, *besides]
            return [detailed, changed, *besides]
        case Withdrawn() | StruckOff():
            raise not_entered(was)


def judge(state: AnnouncedTournament, order: JudgeEligibility) -> list[facts.Event]:
    require_expected(entrant_of_id(state.roster, order.entrant))
    return judged(state, order.entrant, order.verdicts)


def judged(state: AnnouncedTournament, entrant: str, verdicts: tuple[facts.ConditionVerdict, ...]) -> list[facts.Event]:
    """Somebody who turns out not to meet a condition stays entered, and cannot start."""
    if state.roster.details_of(entrant).verdicts == verdicts:
        return []
    return [facts.EligibilityJudged(entrant=entrant, tournament=state.plan.tournament, verdicts=verdicts)]


def withdraw(state: AnnouncedTournament, order: WithdrawEntry) -> list[facts.Event]:
    """Whoever has waited longest comes in at once."""
    was = entrant_of_id(state.roster, order.entrant)
    if isinstance(was, Withdrawn):
        return []
    known = was if isinstance(was, WaitingEntrant) else require_coming(was)
    require_not_bound(state, known.entrant, order.asked)
    withdrawn = facts.EntryWithdrawn(
        entrant=known.entrant,
        tournament=state.plan.tournament,
        asked=order.asked,
        in_time=is_in_time(state.plan, order.passed),
        **because(order.reason),
    )
    return [*call_reserves(state, withdrawn), *refunds(state, known.entrant, order.passed)]


def strike_off(state: AnnouncedTournament, order: StrikeOff) -> list[facts.Event]:
    was = entrant_of_id(state.roster, order.entrant)
    if isinstance(was, StruckOff):
        return []
    if isinstance(was, CheckedIn):
        raise NotEntered("Who has checked in is not absent: undo the check-in if it was a mistake.")
    check_in = state.plan.ruleset.entry.check_in
    struck_off = facts.EntrantStruckOff(
        entrant=require_coming(was).entrant,
        tournament=state.plan.tournament,
        **because(order.reason, clause=check_in.rule_id if check_in else None),
    )
    return call_reserves(state, struck_off)


def approve_spectator(state: AnnouncedTournament, order: ApproveSpectator) -> list[facts.Event]:
    if order.spectator in state.roster.spectators:
        return []
    return [facts.SpectatorApproved(tournament=state.plan.tournament, spectator=order.spectator, note=order.note)]
