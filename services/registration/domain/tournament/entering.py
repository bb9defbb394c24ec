"""Entries, and who has come: everything about the field until the start closes it."""

from dataclasses import replace

from services.registration.domain.tournament import details as entry_details
from services.registration.domain.tournament import entry_facts, facts, orders, refusals, roster
from services.registration.domain.tournament.clauses import by, of_team
from services.registration.domain.tournament.conditions import (
    require_eligible,
    require_on_time,
    require_quota,
    require_region,
)
from services.registration.domain.tournament.entry_orders import NOTHING_ELSE, Also, RegionReason
from services.registration.domain.tournament.line_ups import require_line_up
from services.registration.domain.tournament.orders import Decision, Enter, Entry, EntryOrder, Said
from services.registration.domain.tournament.paying import refunds
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.places import called, has_place, require_place, waits
from services.registration.domain.tournament.presence_of_team import attending, require_paid
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
    coming,
    gone,
    there,
)
from services.registration.domain.tournament.starting import rated
from services.registration.domain.tournament.states import CheckingIn, Event, Known, Plan
from shared.decider import Refusal
from shared.faults import Fault, Faulty, at
from shared.rulesets.schema import Ruleset

PERSONS = {"individual": 1, "pair": 2}


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
    return events


def comes_in(field: Roster, entry: Entry, order: Enter, plan: Plan) -> list[facts.RosterEvent]:
    """With a place, or into the line of those who wait for one."""
    require_met(field, entry, plan, order.passed, order.approval)
    if order.decision is Decision.WILD_CARD:
        require_place(field, plan)
    entered = facts.EntrantEntered(
        entrant=entry.entrant,
        tournament=plan.tournament,
        persons=entry.said.persons,
        rating=entry.said.rating,
        key=entry.said.key,
        lists=entry.said.lists,
        decision=order.decision.value if order.decision else None,
    )
    placed = order.decision is Decision.WILD_CARD or has_place(field, plan)
    return [entered, *said_besides(entry, plan, order.approval), *([] if placed else [waits(entry.entrant, plan)])]


def require_met(field: Roster, entry: Entry, plan: Plan, passed: frozenset[str], approval: RegionReason | None) -> None:
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


def has_entered(field: Roster, entry: Entry, ruleset: Ruleset) -> bool:
    """Or the entry cannot be one at all."""
    said, also = entry.said, entry.also
    require_allowed(said, also, ruleset)
    there_are = {found.entrant: found for person in said.persons if (found := field.entrant_of(person)) is not None}
    if not there_are:
        return False
    (first, *_) = there_are.values()
    if len(there_are) == 1 and first.said == said and is_same(field.details_of(first.entrant).also, also):
        return True
    if ruleset.entry.kind == "team" and first.said.persons != said.persons:
        both = [person for person in said.persons if person in first.said.persons]
        team = ruleset.entry.team
        raise refusals.AlreadyInLineUp(
            f"{', '.join(both)} already in the base of {first.entrant}"
            f"{by(of_team(team, 'once'))}: nobody is in the base of two teams."
        )
    raise refusals.AlreadyEntered(
        f"{first.entrant} has entered already: correct that entry, or withdraw it and enter again."
    )


def is_same(known: Also, said: Also) -> bool:
    """A team that was not named got a name of its own."""
    return known == (replace(said, team=known.team) if said.team is None else said)


def require_in_time(state: Known, order: Enter) -> None:
    """Later than announced, somebody comes in only by a decision of the organiser, and only where the rules leave it one."""
    limits = {limit.of: limit for limit in state.plan.ruleset.entry.deadlines}
    if "on-site-entry" in limits and all("on-site" in entry.also.declared for entry in order.entries):
        return
    closes = state.plan.entries_close
    too_late = closes is not None and order.at >= closes
    if not too_late and not isinstance(state, CheckingIn):
        return
    since = f"since {closes}" if too_late else "since check-in was opened"
    limit = limits.get("entry")
    clause = by(limit.rule_id if limit and too_late else None)
    if too_late and limit is not None and limit.late == "refused":
        raise refusals.EntriesClosed(f"Entries are closed {since}{clause}, and the rules let nobody in later.")
    if order.decision is None:
        raise refusals.EntriesClosed(
            f"Entries are closed {since}{clause}: whoever still comes in needs a decision of the organiser; say which."
        )


def require_allowed(said: Said, also: Also, ruleset: Ruleset) -> None:
    wanted = PERSONS.get(ruleset.entry.kind)
    persons = len(set(said.persons))
    if persons != len(said.persons) or (persons != wanted if wanted else not persons):
        raise refusals.WrongNumberOfPersons(
            f"An entrant of this tournament is {wanted or 'one or more'} "
            f"{'person' if wanted == 1 else 'different persons'}: name them."
        )
    require_line_up(said, also, ruleset)
    require_lists(said.lists, ruleset)


def require_lists(lists: tuple[str, ...], ruleset: Ruleset) -> None:
    known = [found.id for found in ruleset.lists]
    if unknown := sorted(set(lists) - set(known)):
        there_are = f"there are {', '.join(known)}" if known else "these rules have none"
        raise refusals.UnknownList(f"No list is called {', '.join(unknown)}: {there_are}.")


def correct(state: Known, order: orders.CorrectEntry) -> list[Event]:
    require_lists(order.lists, state.plan.ruleset)
    was = there(state.roster, order.entrant)
    rating = order.rating if isinstance(was, Entered | CheckedIn | Waiting) else rated(order.rating, state.plan.ruleset)
    if (was.said.rating, was.said.key, was.said.lists) == (rating, order.key, order.lists):
        return []
    match was:
        case Entered() | CheckedIn() | Waiting():
            corrected = facts.EntryCorrected(
                entrant=was.entrant,
                tournament=state.plan.tournament,
                rating=rating,
                key=order.key,
                lists=order.lists,
            )
            return [corrected]
        case Playing() | Left():
            said = replace(was.said, rating=rating, key=order.key, lists=order.lists)
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
    )


def withdraw(state: Known, order: orders.WithdrawEntry) -> list[Event]:
    """Who has waited longest comes in at once."""
    was = there(state.roster, order.entrant)
    if isinstance(was, Withdrawn):
        return []
    known = was if isinstance(was, Waiting) else coming(was)
    withdrawn = facts.EntryWithdrawn(entrant=known.entrant, tournament=state.plan.tournament)
    return [*called(state, withdrawn), *refunds(state, known.entrant, order.passed)]


def strike_off(state: Known, order: orders.StrikeOff) -> list[Event]:
    was = there(state.roster, order.entrant)
    if isinstance(was, StruckOff):
        return []
    if isinstance(was, CheckedIn):
        raise refusals.NotEntered("Who has checked in is not absent: undo the check-in if it was a mistake.")
    return called(state, facts.EntrantStruckOff(entrant=coming(was).entrant, tournament=state.plan.tournament))


def check_in(state: Known, order: orders.CheckIn) -> list[Event]:
    """All of them or none; who is there already is passed over."""
    named = order.entrants
    wanted = (
        state.roster.coming
        if named is None
        else [coming(there(state.roster, entrant)) for entrant in dict.fromkeys(named)]
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
