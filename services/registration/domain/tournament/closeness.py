"""Families and close persons: unordered pairs, who must not meet in the last rounds where the rules say so."""

from services.registration.domain.tournament import facts, orders, refusals
from services.registration.domain.tournament.orders import CloseOrder
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.roster import Pair
from services.registration.domain.tournament.starting import forbidden
from services.registration.domain.tournament.states import Event, Known, Running


def decide(state: Known, order: CloseOrder) -> list[Event]:
    require(state, order)
    if not state.plan.ruleset.entry.close_persons:
        raise refusals.NotDeclared("The rules of this tournament know no close persons: nothing has to be declared.")
    pair = unordered(order.persons)
    match order:
        case orders.DeclareClosePersons():
            return declare(state, pair)
        case orders.RevokeClosePersons():
            if pair not in state.roster.close:
                return []
            return [facts.ClosePersonsRevoked(tournament=state.plan.tournament, persons=pair)]


def declare(state: Known, pair: Pair) -> list[Event]:
    for person in pair:
        if state.roster.entrant_of(person) is None:
            raise refusals.NotEntered(f"{person} does not take part: enter them first.")
    if pair in state.roster.close:
        return []
    declared = facts.ClosePersonsDeclared(tournament=state.plan.tournament, persons=pair)
    if isinstance(state, Running):
        return [declared, *forbidden(state, [pair], state.roster.participants)]
    return [declared]


def unordered(persons: tuple[str, str]) -> Pair:
    one, other = sorted(persons)
    if one == other:
        raise refusals.NotOneAnother("Name two different persons.")
    return one, other
