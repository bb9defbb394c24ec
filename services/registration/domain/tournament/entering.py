"""Entries, and who has come: everything about the field until the start closes it."""

from msgspec.structs import replace

from services.registration.domain.tournament import details as entry_details
from services.registration.domain.tournament import entry_facts, facts, orders, refusals, roster
from services.registration.domain.tournament.admission import has_entered, late_by, require_in_time, require_lists
from services.registration.domain.tournament.clauses import by
from services.registration.domain.tournament.conditions import (
    limit_of,
    require_eligible,
    require_on_time,
    require_qualified,
    require_quota,
    require_region,
    require_source,
)
from services.registration.domain.tournament.entry_orders import NOTHING_ELSE, Also, RegionReason
from services.registration.domain.tournament.finding import coming, gone, let_in, there
from services.registration.domain.tournament.numbering import rated
from services.registration.domain.tournament.orders import Enter, EntryOrder
from services.registration.domain.tournament.paying import refunds
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.places import (
    called,
    has_place,
    require_place_for_wild_card,
    require_wild_cards,
    waits,
)
from services.registration.domain.tournament.presence_of_team import attending, require_paid
from services.registration.domain.tournament.reasons import because
from services.registration.domain.tournament.roster import (
    CheckedIn,
    Entered,
    Left,
    Participant,
    Playing,
    Roster,
    StruckOff,
    Waiting,
    Withdrawn,
)
from services.registration.domain.tournament.saying import Decision, Entry, Said
from services.registration.domain.tournament.states import Event, Known, Plan
from shared.faults import Fault, Faulty, at
from shared.refusals import Refusal


def decide(state: Known, order: EntryOrder) -> list[Event]:
    require(state, order)
    match order:
        case Enter():
            return enter(state, order)
        case orders.CorrectEntry():
            return correct(state, order)
        case orders.WithdrawEntry():
            return withdraw(state, order)
        case orders.StrikeOff():
            return strike_off(state, order)
        case orders.CheckIn():
            return check_in(state, order)
        case orders.UndoCheckIn():
            return undo(state, order)


def enter(state: Known, order: Enter) -> list[Event]:
    """Whoever has entered with just this is passed over: twice is once."""
    field, events, faults = state.roster, list[Event](), list[Fault]()
    for place, entry in enumerate(order.entries):
        try:
            if has_entered(field, entry, state.plan.ruleset):
                continue
            happens = comes_in(field, entry, order, state.plan)
        except Refusal as refusal:
            if len(order.entries) == 1:
                raise
            faults.append(Fault(at("entrants", place), str(refusal)))
            continue
        events += happens
        for event in happens:
            field = roster.evolve(field, event)
    if faults:
        raise Faulty("Nobody was entered: mend what errors name, or leave it out.", faults)
    if events:
        require_in_time(state, order)
        if order.decision is Decision.WILD_CARD:
            require_wild_cards(state)
    return events


def comes_in(field: Roster, entry: Entry, order: Enter, plan: Plan) -> list[facts.RosterEvent]:
    """With a place, or into the line of those who wait for one."""
    require_met(field, entry, plan, order.passed, order.approval)
    if order.decision is Decision.WILD_CARD:
        require_place_for_wild_card(field, plan)
    entered = facts.EntrantEntered(
        entrant=entry.entrant,
        tournament=plan.tournament,
        persons=entry.said.persons,
        rating=entry.said.rating,
        key=entry.said.key,
        lists=entry.said.lists,
        decision=order.decision.value if order.decision else None,
        note=order.note,
        cited=late_by(plan, order) if order.decision else None,
    )
    placed = order.decision is Decision.WILD_CARD or has_place(field, plan)
    if not placed and "on-site" in entry.also.declared and (limit := limit_of(plan, "on-site-entry")) is not None:
        raise refusals.NoPlaceLeft(
            f"All {plan.ruleset.entry.size.most} places are taken{by(limit.rule_id)}: an entry on site is refused then."
        )
    return [entered, *said_besides(entry, plan, order.approval), *([] if placed else [waits(entry.entrant, plan)])]


def require_met(field: Roster, entry: Entry, plan: Plan, passed: frozenset[str], approval: RegionReason | None) -> None:
    require_source(entry.also, plan)
    require_qualified(entry.entrant, entry.also, field, plan)
    require_on_time(entry.also, NOTHING_ELSE, plan, passed)
    require_eligible(entry.verdicts)
    require_quota(entry.entrant, entry.also, field, plan)
    require_region(entry.also, plan, approval)


def said_besides(entry: Entry, plan: Plan, approval: RegionReason | None) -> list[facts.RosterEvent]:
    """Nothing where an entry says no more than who plays."""
    events: list[facts.RosterEvent] = []
    if entry.also != NOTHING_ELSE:
        events.append(entry_details.detailed(entry.entrant, plan.tournament, entry.also))
    if entry.verdicts:
        judged = entry_facts.EligibilityJudged(
            entrant=entry.entrant, tournament=plan.tournament, verdicts=entry.verdicts
        )
        events.append(judged)
    if approval is not None and entry.also.region is not None and entry.also.region != plan.region:
        approved = entry_facts.RegionApproved(
            entrant=entry.entrant, tournament=plan.tournament, region=entry.also.region, reason=approval.value
        )
        events.append(approved)
    return events


def correct(state: Known, order: orders.CorrectEntry) -> list[Event]:
    require_lists(order.lists, state.plan.ruleset)
    was = there(state.roster, order.entrant)
    if (was.said.sent.rating, was.said.key, was.said.lists) == (order.rating, order.key, order.lists):
        return []
    match was:
        case Entered() | CheckedIn() | Waiting():
            corrected = facts.EntryCorrected(
                entrant=was.entrant,
                tournament=state.plan.tournament,
                rating=order.rating,
                key=order.key,
                lists=order.lists,
            )
            return [corrected]
        case Playing() | Left():
            said = replace(was.said, key=order.key, lists=order.lists)
            if order.rating is not None or was.said.rated_by is None:
                said = rated(replace(said, rating=order.rating, rated_by=None), state.plan.ruleset)
            return [changed(was, said, state.roster.details_of(was.entrant).also, state.plan.tournament)]
        case Withdrawn() | StruckOff():
            raise gone(was)


def changed(was: Participant, said: Said, also: Also, tournament: str) -> facts.EntrantChanged:
    """All of it, as neighbours hear it."""
    return facts.EntrantChanged(
        entrant=was.entrant,
        tournament=tournament,
        persons=said.persons,
        number=was.number,
        rating=said.rating,
        key=said.key,
        lists=said.lists,
        from_round=was.from_round,
        school=also.school,
        history=also.history,
        carried=also.carried,
        direct=also.direct,
        rated_by=said.rated_by,
    )


def withdraw(state: Known, order: orders.WithdrawEntry) -> list[Event]:
    """Who has waited longest comes in at once."""
    was = there(state.roster, order.entrant)
    if isinstance(was, Withdrawn):
        return []
    known = was if isinstance(was, Waiting) else coming(was)
    withdrawn = facts.EntryWithdrawn(entrant=known.entrant, tournament=state.plan.tournament, **because(order.reason))
    return [*called(state, withdrawn), *refunds(state, known.entrant, order.passed)]


def strike_off(state: Known, order: orders.StrikeOff) -> list[Event]:
    was = there(state.roster, order.entrant)
    if isinstance(was, StruckOff):
        return []
    if isinstance(was, CheckedIn):
        raise refusals.NotEntered("Who has checked in is not absent: undo the check-in if it was a mistake.")
    check_in = state.plan.ruleset.entry.check_in
    struck_off = facts.EntrantStruckOff(
        entrant=coming(was).entrant,
        tournament=state.plan.tournament,
        **because(order.reason, clause=check_in.rule_id if check_in else None),
    )
    return called(state, struck_off)


def check_in(state: Known, order: orders.CheckIn) -> list[Event]:
    """All of them or none; who is there already is passed over."""
    named = order.entrants
    wanted = (
        state.roster.coming
        if named is None
        else [let_in(state.roster, entrant, state.plan.ruleset.entry) for entrant in dict.fromkeys(named)]
    )
    events: list[Event] = []
    for entrant in wanted:
        require_paid(state, entrant)
        events += attending(state, order, entrant)
        if isinstance(entrant, Entered):
            events.append(facts.EntrantCheckedIn(entrant=entrant.entrant, tournament=state.plan.tournament))
    return events


def undo(state: Known, order: orders.UndoCheckIn) -> list[Event]:
    was = coming(there(state.roster, order.entrant))
    if isinstance(was, Entered):
        return []
    return [facts.CheckInUndone(entrant=was.entrant, tournament=state.plan.tournament)]
