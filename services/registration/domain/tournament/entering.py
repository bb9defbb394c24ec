"""Entries, and who has come: everything about the field until the start closes it."""

from services.registration.domain.tournament import facts, orders, refusals, roster
from services.registration.domain.tournament.orders import Enter, Entry, EntryOrder, Said
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.roster import (
    CheckedIn,
    Coming,
    Entered,
    Entrant,
    Left,
    Playing,
    Roster,
    StruckOff,
    Withdrawn,
)
from services.registration.domain.tournament.starting import rated
from services.registration.domain.tournament.states import CheckingIn, Event, Known
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
            require_allowed(entry.said, state.plan.ruleset)
            if has_entered(field, entry.said):
                continue
        except Refusal as refusal:
            if len(order.entries) == 1:
                raise
            faults.append(Fault(at("entrants", place), str(refusal)))
            continue
        entered = entered_by(state, entry, order.decision)
        events.append(entered)
        field = roster.evolve(field, entered)
    if faults:
        raise Faulty("Nobody was entered: mend what errors name, or leave it out.", faults)
    if events:
        require_in_time(state, order)
    return events


def entered_by(state: Known, entry: Entry, decision: orders.Decision | None) -> facts.EntrantEntered:
    return facts.EntrantEntered(
        entrant=entry.entrant,
        tournament=state.plan.tournament,
        persons=entry.said.persons,
        rating=entry.said.rating,
        key=entry.said.key,
        lists=entry.said.lists,
        decision=decision.value if decision else None,
    )


def has_entered(field: Roster, said: Said) -> bool:
    there = [entrant for person in said.persons if (entrant := field.entrant_of(person)) is not None]
    if not there:
        return False
    if all(entrant.said == said for entrant in there):
        return True
    raise refusals.AlreadyEntered(
        f"{there[0].entrant} has entered already: correct that entry, or withdraw it and enter again."
    )


def require_in_time(state: Known, order: Enter) -> None:
    """Later than announced, somebody comes in only by a decision of the organiser, and only where the rules leave it one."""
    closes = state.plan.entries_close
    too_late = closes is not None and order.at >= closes
    if not too_late and not isinstance(state, CheckingIn):
        return
    since = f"since {closes}" if too_late else "since check-in was opened"
    if too_late and any(
        limit.of == "entry" and limit.late == "refused" for limit in state.plan.ruleset.entry.deadlines
    ):
        raise refusals.EntriesClosed(f"Entries are closed {since}, and the rules let nobody in later.")
    if order.decision is None:
        raise refusals.EntriesClosed(
            f"Entries are closed {since}: whoever still comes in needs a decision of the organiser; say which."
        )


def require_allowed(said: Said, ruleset: Ruleset) -> None:
    wanted = PERSONS.get(ruleset.entry.kind)
    persons = len(set(said.persons))
    if persons != len(said.persons) or (persons != wanted if wanted else not persons):
        raise refusals.WrongNumberOfPersons(
            f"An entrant of this tournament is {wanted or 'one or more'} "
            f"{'person' if wanted == 1 else 'different persons'}: name them."
        )
    require_lists(said.lists, ruleset)


def require_lists(lists: tuple[str, ...], ruleset: Ruleset) -> None:
    known = [found.id for found in ruleset.lists]
    if unknown := sorted(set(lists) - set(known)):
        there_are = f"there are {', '.join(known)}" if known else "these rules have none"
        raise refusals.UnknownList(f"No list is called {', '.join(unknown)}: {there_are}.")


def correct(state: Known, order: orders.CorrectEntry) -> list[Event]:
    require_lists(order.lists, state.plan.ruleset)
    was = there(state, order.entrant)
    rating = order.rating if isinstance(was, Entered | CheckedIn) else rated(order.rating, state.plan.ruleset)
    if (was.said.rating, was.said.key, was.said.lists) == (rating, order.key, order.lists):
        return []
    match was:
        case Entered() | CheckedIn():
            corrected = facts.EntryCorrected(
                entrant=was.entrant,
                tournament=state.plan.tournament,
                rating=rating,
                key=order.key,
                lists=order.lists,
            )
            return [corrected]
        case Playing() | Left():
            changed = facts.EntrantChanged(
                entrant=was.entrant,
                tournament=state.plan.tournament,
                persons=was.said.persons,
                number=was.number,
                rating=rating,
                key=order.key,
                lists=order.lists,
                from_round=was.from_round,
            )
            return [changed]
        case Withdrawn() | StruckOff():
            raise gone(was)


def withdraw(state: Known, order: orders.WithdrawEntry) -> list[Event]:
    was = there(state, order.entrant)
    if isinstance(was, Withdrawn):
        return []
    return [facts.EntryWithdrawn(entrant=coming(was).entrant, tournament=state.plan.tournament)]


def strike_off(state: Known, order: orders.StrikeOff) -> list[Event]:
    was = there(state, order.entrant)
    if isinstance(was, StruckOff):
        return []
    if isinstance(was, CheckedIn):
        raise refusals.NotEntered("Who has checked in is not absent: undo the check-in if it was a mistake.")
    return [facts.EntrantStruckOff(entrant=coming(was).entrant, tournament=state.plan.tournament)]


def check_in(state: Known, order: orders.CheckIn) -> list[Event]:
    """All of them or none; who is there already is passed over."""
    named = order.entrants
    wanted = (
        state.roster.coming if named is None else [coming(there(state, entrant)) for entrant in dict.fromkeys(named)]
    )
    return [
        facts.EntrantCheckedIn(entrant=entrant.entrant, tournament=state.plan.tournament)
        for entrant in wanted
        if isinstance(entrant, Entered)
    ]


def undo(state: Known, order: orders.UndoCheckIn) -> list[Event]:
    was = coming(there(state, order.entrant))
    if isinstance(was, Entered):
        return []
    return [facts.CheckInUndone(entrant=was.entrant, tournament=state.plan.tournament)]


def there(state: Known, entrant: str) -> Entrant:
    found = state.roster.entrants.get(entrant)
    if found is None:
        raise refusals.EntrantUnknown("Nobody has entered under this id: look into the list of entrants.")
    return found


def coming(entrant: Entrant) -> Coming:
    if isinstance(entrant, Entered | CheckedIn):
        return entrant
    raise gone(entrant)


def gone(entrant: Entrant) -> refusals.NotEntered:
    how = "was struck off" if isinstance(entrant, StruckOff) else "has withdrawn"
    return refusals.NotEntered(f"{entrant.entrant} {how}: enter them again first.")
