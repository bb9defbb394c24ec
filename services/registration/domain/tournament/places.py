"""Places: how many there are, who waits for one, and who is called when one becomes free."""

from services.registration.domain.tournament import entry_facts, entry_orders, facts, finding, refusals, roster
from services.registration.domain.tournament.clauses import by
from services.registration.domain.tournament.conditions import limit_of
from services.registration.domain.tournament.entry_orders import PlaceOrder
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.roster import Roster, Waiting
from services.registration.domain.tournament.states import Event, Known, Plan


def free(field: Roster, plan: Plan) -> int | None:
    """How many places are left; none where their number is not limited."""
    most = plan.ruleset.entry.size.most
    return None if most is None else most - len(field.taking_part)


def has_place(field: Roster, plan: Plan) -> bool:
    """Whether the next who enters gets one: those who wait come first."""
    left = free(field, plan)
    return left is None or (left > 0 and not field.waiting)


def require_place(field: Roster, plan: Plan) -> None:
    left = free(field, plan)
    if left is None or left > 0:
        return
    size = plan.ruleset.entry.size
    raise refusals.NoPlaceLeft(f"All {size.most} places are taken{by(size.rule_id)}: nobody can be added to them.")


def waits(entrant: str, plan: Plan) -> facts.RosterEvent:
    size = plan.ruleset.entry.size
    if not size.waiting:
        raise refusals.NoPlaceLeft(f"All {size.most} places are taken{by(size.rule_id)}, and nobody waits for one.")
    return entry_facts.EntrantWaits(entrant=entrant, tournament=plan.tournament)


def called(state: Known, *gone: facts.RosterEvent) -> list[Event]:
    """After somebody has gone, whoever has waited longest comes in at once."""
    field = state.roster
    for event in gone:
        field = roster.evolve(field, event)
    events: list[Event] = []
    while (first := next(iter(field.waiting), None)) is not None and (free(field, state.plan) or 0) > 0:
        call = entry_facts.ReserveCalled(entrant=first.entrant, tournament=state.plan.tournament)
        field = roster.evolve(field, call)
        events.append(call)
    return [*gone, *events]


def decide(state: Known, order: PlaceOrder) -> list[Event]:
    require(state, order)
    match order:
        case entry_orders.CallReserve():
            if not state.roster.waiting:
                raise refusals.NobodyWaits("Nobody waits for a place.")
            require_place(state.roster, state.plan)
            return called(state)
        case entry_orders.ConfirmPlace():
            return confirm(state, order)


def confirm(state: Known, order: entry_orders.ConfirmPlace) -> list[Event]:
    limit = limit_of(state.plan, "confirmation")
    if limit is None:
        raise refusals.NothingToConfirm("The rules ask nobody to confirm their place: who has entered is expected.")
    was = finding.there(state.roster, order.entrant)
    if isinstance(was, Waiting):
        raise refusals.NoPlaceLeft(f"{was.entrant} still waits for a place: they confirm once they are called.")
    finding.coming(was)
    if state.roster.details_of(order.entrant).is_confirmed:
        return []
    if "confirmation" in order.passed:
        raise refusals.TooLate(
            f"Places had to be confirmed in time{by(limit.rule_id)}: withdraw the entry, and a reserve is called."
        )
    return [entry_facts.PlaceConfirmed(entrant=order.entrant, tournament=state.plan.tournament)]
