"""Expulsions that follow from results: demanded by a clause of the rules, and lifted when those results are corrected."""

from services.registration.domain.tournament import facts, orders
from services.registration.domain.tournament.orders import Leaving, RuleOrder
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.presence import gone, participant
from services.registration.domain.tournament.roster import Playing
from services.registration.domain.tournament.states import Cancelled, Completed, Event, Known

CORRECTED = "corrected"  # why somebody is back


def decide(state: Known, order: RuleOrder) -> list[Event]:
    """Of a tournament that is over nothing changes: what then becomes of its places is for the council to say."""
    if isinstance(state, Completed | Cancelled):
        return []
    require(state, order)
    match order:
        case orders.ExpelByRule():
            return expel(state, order)
        case orders.LiftExpulsion():
            return lift(state, order)


def expel(state: Known, order: orders.ExpelByRule) -> list[Event]:
    """Whoever had withdrawn before is expelled from when they left."""
    was, tournament = participant(state, order.entrant), state.plan.tournament
    if isinstance(was, Playing):
        stage, after_round = order.stage, order.after_round
    elif was.why is Leaving.WITHDREW:
        stage, after_round = was.stage, was.after_round
    else:
        return []
    return [gone(was, stage, after_round, Leaving.EXPELLED, tournament=tournament, clause=order.clause)]


def lift(state: Known, order: orders.LiftExpulsion) -> list[Event]:
    """What an official has decided stands; only what results demanded goes with them."""
    was, tournament = participant(state, order.entrant), state.plan.tournament
    if isinstance(was, Playing) or was.clause is None:
        return []
    if was.had_withdrawn:
        return [gone(was, was.stage, was.after_round, Leaving.WITHDREW, tournament=tournament)]
    return [facts.EntrantReturned(entrant=was.entrant, tournament=tournament, why=CORRECTED)]
