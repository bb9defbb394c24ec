"""Levels: who comes to a tournament from those before it, and who goes on from here.

Those by right get a place; reserves of a tournament wait for one that somebody of the same tournament gives up. Where
nobody has said how many go on, they fill the places that are left, and all others are next in line.
"""

from collections.abc import Container, Sequence
from functools import reduce
from itertools import takewhile

import msgspec
from msgspec.structs import asdict

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.admission import (
    has_entered,
    require_eligible,
    require_qualified,
    require_quota,
)
from services.registration.domain.tournament.entrants import (
    CheckedIn,
    Entered,
    ProposedEntry,
    StruckOff,
    WaitingEntrant,
    Withdrawn,
)
from services.registration.domain.tournament.entries import details_of_entry, entered_as
from services.registration.domain.tournament.places_and_reserves import free_places, origin_of
from services.registration.domain.tournament.roster import Roster, evolve_roster
from services.registration.domain.tournament.states import (
    BEFORE,
    DURING,
    AnnouncedTournament,
    Completed,
    Draft,
    Phases,
    Plan,
    Registering,
    confirmation_of,
    require_phase,
)
from shared.commands.decider import Order
from shared.numbers import Number
from shared.refusals import Conflict, Refusal
from shared.values import Value

# Orders


class NameNextLevel(Order):
    """The best go on to the next level; nobody goes on where it is none."""

    next_level: str | None
    otherwise: str | None = None


class NoteOrder(Order):
    order: tuple[tuple[str, ...], ...]
    advance: int | None
    reserves: tuple[str, ...]
    points: dict[str, Number]


class ExpectFrom(Order):
    origin: str


class ExpectNoMoreFrom(Order):
    origin: str


class Comer(Value):
    """Somebody of another tournament, as they would enter this one."""

    former: str  # the entrant there
    place: int
    entry: ProposedEntry
    is_erased: bool = False
    obstacle: str | None = None  # why they cannot, as far as others than this tournament know


class TakeIn(Order):
    origin: str
    comers: tuple[Comer, ...]  # best first
    by_right: int | None  # so many; none: as many as there is room for
    by_hand: bool = False  # an official asks for it
    passed: frozenset[str] = frozenset()  # deadlines that are over
    known: tuple[str, ...] = ()  # the ids of all whom the federation knows: it relies on who they are


type LevelOrder = NameNextLevel | NoteOrder | ExpectFrom | ExpectNoMoreFrom | TakeIn

PHASES: Phases = {
    NameNextLevel: (Draft, *BEFORE, *DURING, Completed),
    TakeIn: (Draft, *BEFORE),
}

# Refusals


class NoNextLevel(Conflict):
    """They cannot go on there."""


class NotDecided(Conflict):
    """The order of that tournament is still open."""


class NobodyByRight(Conflict):
    """It is not said how many go on."""


def decide(state: AnnouncedTournament, order: LevelOrder) -> list[facts.Event]:
    tournament, origins = state.plan.tournament, state.roster.origins
    match order:
        case NameNextLevel():
            return name_next(state, order)
        case NoteOrder():
            return note_order(state, order)
        case ExpectFrom():
            require_no_way_back(state.plan, order.origin)
            named = facts.OriginNamed(tournament=tournament, origin=order.origin)
            return [] if order.origin in origins else [named]
        case ExpectNoMoreFrom():
            dropped = facts.OriginDropped(tournament=tournament, origin=order.origin)
            return [dropped] if order.origin in origins else []
        case TakeIn():
            return take_in(state, order)


def name_next(state: AnnouncedTournament, order: NameNextLevel) -> list[facts.Event]:
    require_phase(state, order, PHASES)
    plan = state.plan
    if (plan.next_level, plan.otherwise) == (order.next_level, order.otherwise):
        return []
    require_others(plan.tournament, order.next_level, order.otherwise)
    if plan.next_level is not None and state.roster.order is not None:
        raise NoNextLevel(
            f"Its best were told to {plan.next_level} already: withdraw there whoever shall not play, and enter them "
            "elsewhere by hand."
        )
    return [facts.NextLevelNamed(tournament=plan.tournament, next_level=order.next_level, otherwise=order.otherwise)]


def require_others(tournament: str, next_level: str | None, otherwise: str | None) -> None:
    named = [one for one in (next_level, otherwise) if one is not None]
    if tournament in named or len(set(named)) != len(named) or (otherwise and not next_level):
        raise NoNextLevel("Name one other tournament, and besides at most a third one for those left over.")


def require_no_way_back(plan: Plan, origin: str) -> None:
    """Looked at here, too: two directors may have named each other's tournament in the same moment."""
    if origin in {plan.next_level, plan.otherwise}:
        raise way_back(plan)


def way_back(plan: Plan) -> NoNextLevel:
    return NoNextLevel(f"From {plan.name} the way leads back here: name a tournament that comes later.")


def note_order(state: AnnouncedTournament, order: NoteOrder) -> list[facts.Event]:
    noted = msgspec.convert({"tournament": state.plan.tournament, **asdict(order)}, facts.OrderNoted)
    return [] if noted == state.roster.order else [noted]


def take_in(state: AnnouncedTournament, order: TakeIn) -> list[facts.Event]:
    """Whoever was taken in keeps their entry, whatever became of it, and gets the place that they have now."""
    if order.by_hand:
        require_phase(state, order, PHASES)
    elif not isinstance(state, Draft | Registering):
        return []  # it waits for an official
    roster, events, number = state.roster, list[facts.Event](), number_by_right(state, order)
    if number is None:
        if order.by_hand:
            raise NobodyByRight("Nobody has said how many go on, and places are not limited: say how many.")
        return []
    for index, comer in enumerate(order.comers):
        claim = claim_of(order, above=index < number)
        happens = take_in_one(roster, comer, order, claim, number, state.plan)
        for event in happens:
            roster = evolve_roster(roster, event)
        events += happens
    return events


def number_by_right(state: AnnouncedTournament, order: TakeIn) -> int | None:
    """Those who share the place at the edge all wait: nobody is preferred in silence."""
    if order.by_right is not None:
        return order.by_right
    left = free_places(state.roster, state.plan)
    if left is None:
        return None
    wanted = count_from(state.roster, order.origin, {comer.former for comer in order.comers}) + max(left, 0)
    to_come = [index for index, one in enumerate(order.comers) if not came_another_way(state, one, order.origin)]
    number = [0, *(index + 1 for index in to_come), *[len(order.comers)] * wanted][wanted]
    places = [comer.place for comer in order.comers]
    if number < len(places) and number and places[number - 1] == places[number]:
        return len(list(takewhile(lambda place: place < places[number], places)))
    return number


def came_another_way(state: AnnouncedTournament, comer: Comer, origin: str) -> bool:
    """Whoever is in by another way leaves the place to the next of those who come."""
    roster = state.roster
    known = known_as(roster, comer, origin)
    return known is None and any(roster.entrant_of(person) is not None for person in comer.entry.said.persons)


def claim_of(order: TakeIn, *, above: bool) -> facts.Claim:
    if above:
        return "by-right"
    return "next" if order.by_right is None else "reserve"


def take_in_one(
    roster: Roster, comer: Comer, order: TakeIn, claim: facts.Claim, number: int, plan: Plan
) -> list[facts.RosterEvent]:
    origin = order.origin
    known = known_as(roster, comer, origin)
    if known is not None:
        return placed_anew(roster, known, comer, claim, origin, plan)
    if obstacle_of(roster, comer, plan) is not None:
        return []
    entry = comer.entry
    qualified = qualified_as(entry.entrant, comer, claim, origin, plan)
    comes_in: list[facts.RosterEvent] = [entered_as(entry, plan), *details_of_entry(entry, plan, None), qualified]
    left = free_places(reduce(evolve_roster, comes_in, roster), plan)
    waits = facts.EntrantWaits(entrant=entry.entrant, tournament=plan.tournament)
    if claim != "by-right" or count_from(roster, origin) >= number or (left is not None and left < 0):
        return [*comes_in, waits]
    if "confirmation" in order.passed and confirmation_of(plan) is not None:  # like a reserve they may answer later
        return [*comes_in, waits, facts.ReserveCalled(entrant=entry.entrant, tournament=plan.tournament)]
    return comes_in


def placed_anew(
    roster: Roster, entrant: str, comer: Comer, claim: facts.Claim, origin: str, plan: Plan
) -> list[facts.RosterEvent]:
    """They were taken in before, or have entered by hand: whoever has a place keeps it, and what is known of their
    claim is brought up to date."""
    events: list[facts.RosterEvent] = []
    was, details = roster.entrants[entrant], roster.details_of(entrant)
    qualified = qualified_as(entrant, comer, claim, origin, plan)
    if details.qualified != qualified:
        events.append(qualified)
    if isinstance(was, Entered | CheckedIn | WaitingEntrant) and was.said.key != comer.entry.said.key:
        events.append(
            facts.EntryCorrected(
                entrant=entrant,
                tournament=plan.tournament,
                rating=was.said.rating,
                key=comer.entry.said.key,
                lists=was.said.lists,
            )
        )
    return events


def qualified_as(entrant: str, comer: Comer, claim: facts.Claim, origin: str, plan: Plan) -> facts.EntrantQualified:
    return facts.EntrantQualified(
        entrant=entrant,
        tournament=plan.tournament,
        origin=origin,
        former=comer.former,
        place=comer.place,
        claim=claim,
    )


def obstacle_of(roster: Roster, comer: Comer, plan: Plan) -> str | None:
    """Somebody may be qualified and yet not be able to enter; this says why."""
    if comer.is_erased:
        return ERASED
    entry = comer.entry
    try:
        if has_entered(roster, entry, plan.ruleset):
            return "They have come from elsewhere already: their place here can go to a reserve."
        require_qualified(entry.entrant, entry.also, roster, plan)
        require_eligible(entry.verdicts)
        require_quota(entry.entrant, entry.also, roster, plan)
    except Refusal as refusal:
        return str(refusal)
    return comer.obstacle


ERASED = (
    "They were erased and cannot be entered any more: their place here can go to a reserve. Register whoever comes back "
    "anew, and enter them by hand."
)


def known_as(roster: Roster, comer: Comer, origin: str) -> str | None:
    """The entry of who was taken in before; of who has withdrawn since the one with which they are in again, if they are."""
    taken_in = entrant_from(roster, origin, comer.former)
    if taken_in is not None and not isinstance(roster.entrants[taken_in], Withdrawn | StruckOff):
        return taken_in
    return entered_by_hand(roster, comer, origin) or taken_in


def entrant_from(roster: Roster, origin: str, former: str) -> str | None:
    """Of several entries of theirs the last one, since the others were withdrawn before."""
    found = [
        entrant
        for entrant, details in roster.details.items()
        if details.qualified and (details.qualified.origin, details.qualified.former) == (origin, former)
    ]
    return found[-1] if found else None


def entered_by_hand(roster: Roster, comer: Comer, origin: str) -> str | None:
    """Find who has entered with just these persons, or came as somebody with whom they were merged; not who has come
    from elsewhere."""
    found = roster.entrant_of(comer.entry.said.persons[0])
    if found is None or found.said.persons != comer.entry.said.persons:
        return None
    return found.entrant if origin_of(roster, found.entrant) in {None, origin} else None


def count_from(roster: Roster, origin: str, formers: Container[str] | None = None) -> int:
    """Count those from one tournament who have a place, all of them or only these entrants of it."""
    qualified = [roster.details_of(one.entrant).qualified for one in roster.coming]
    found = [one.former for one in qualified if one is not None and one.origin == origin]
    return sum(formers is None or former in formers for former in found)


def with_places(order: Sequence[Sequence[str]]) -> Sequence[tuple[int, str]]:
    """Put everybody into one order, best first, each with their place."""
    found: list[tuple[int, str]] = []
    for equal in order:
        place = len(found) + 1
        found += [(place, entrant) for entrant in equal]
    return found
