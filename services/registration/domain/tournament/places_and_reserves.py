"""Places: how many there are, who waits for one, and who is called when one becomes free."""

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import CheckedIn, Entered, WaitingEntrant
from services.registration.domain.tournament.payments import is_in_time, refunds
from services.registration.domain.tournament.reasons import NotedReason, because, cite
from services.registration.domain.tournament.roster import Roster, entrant_of_id, evolve_roster, require_coming
from services.registration.domain.tournament.states import (
    BEFORE,
    AnnouncedTournament,
    Phases,
    Plan,
    Registering,
    TooLate,
    confirmation_of,
    require_phase,
)
from shared.commands.decider import Order
from shared.refusals import Conflict

# Orders


class CallReserve(Order):
    """The next who waits gets a free place, or this one does: before others only for a reason."""

    entrant: str | None = None
    reason: NotedReason | None = None


class ConfirmPlace(Order):
    entrant: str
    passed: frozenset[str] = frozenset()
    asked: facts.Asked | None = None


class ReleaseUnconfirmed(Order):
    """Whoever has not confirmed in time gives the place to the next."""

    passed: frozenset[str] = frozenset()


type PlaceOrder = CallReserve | ConfirmPlace | ReleaseUnconfirmed

PHASES: Phases = {
    CallReserve: BEFORE,
    ConfirmPlace: BEFORE,
    ReleaseUnconfirmed: BEFORE,
}

# Refusals


class NoPlaceLeft(Conflict):
    """All places are taken."""


class NobodyWaits(Conflict):
    """There is nobody to be called."""


class OutOfOrder(Conflict):
    """Others stand before them in the line of those who wait."""


class NothingToConfirm(Conflict):
    """The rules ask nobody to confirm."""


class TooEarly(Conflict):
    """The deadline is not over yet."""


def number_of_places(roster: Roster, plan: Plan) -> int | None:
    """It is none where places are not limited. Where all who are equal at a cut come in, everybody by right has one."""
    size = plan.ruleset.entry.size
    if size.most is None or not size.equals:
        return size.most
    known = [roster.details_of(one.entrant).qualified for one in (*roster.taking_part, *roster.waiting)]
    return max(size.most, sum(one is not None and one.claim == "by-right" for one in known))


def free_places(roster: Roster, plan: Plan) -> int | None:
    most = number_of_places(roster, plan)
    return None if most is None else most - len(roster.taking_part)


def has_free_place(roster: Roster, plan: Plan) -> bool:
    """Tell whether the next who enters gets a place: those who wait come first."""
    left = free_places(roster, plan)
    return left is None or (left > 0 and not waiting_line(roster))


def is_room_left(roster: Roster, plan: Plan) -> bool:
    left = free_places(roster, plan)
    return left is None or left > 0


def require_place(roster: Roster, plan: Plan, rule_id: str | None = None) -> None:
    if is_room_left(roster, plan):
        return
    size = plan.ruleset.entry.size
    raise NoPlaceLeft(f"All {size.most} places are taken{cite(rule_id or size.rule_id)}: nobody can be added to them.")


def require_place_for_wild_card(roster: Roster, plan: Plan) -> None:
    require_place(roster, plan, plan.ruleset.entry.rule_ids.get("wild-card"))


def require_wild_cards(state: AnnouncedTournament) -> None:
    """Until the day of the tournament, those who wait come before wild cards."""
    rules = state.plan.ruleset.entry
    if rules.size.wild_cards == "on-the-day" and isinstance(state, Registering):
        raise TooEarly(
            f"Wild cards fill up what is free on the day{cite(rules.rule_ids.get('wild-card'))}: call a reserve, or wait "
            "until check-in is open."
        )


def wait_for_place(entrant: str, plan: Plan) -> facts.RosterEvent:
    size = plan.ruleset.entry.size
    if not size.waiting:
        raise NoPlaceLeft(f"All {size.most} places are taken{cite(size.rule_id)}, and nobody waits for one.")
    return facts.EntrantWaits(entrant=entrant, tournament=plan.tournament)


def call_reserves(
    state: AnnouncedTournament, *gone: facts.EntryWithdrawn | facts.EntrantStruckOff
) -> list[facts.Event]:
    """After somebody has gone, a reserve of the tournament that they came from comes in at once, otherwise whoever has
    waited longest."""
    roster, calls = state.roster, list[facts.Event]()
    for event in gone:
        roster = evolve_roster(roster, event)
    left_by = [origin_of(state.roster, event.entrant) for event in gone if has_place(state.roster, event.entrant)]
    for origin in left_by:
        if (reserve := next_reserve(roster, origin)) is not None and is_room_left(roster, state.plan):
            calls.append(call(reserve, state.plan))
            roster = evolve_roster(roster, call(reserve, state.plan))
    while (first := next(iter(waiting_line(roster)), None)) is not None and is_room_left(roster, state.plan):
        calls.append(call(first, state.plan))
        roster = evolve_roster(roster, call(first, state.plan))
    return [*gone, *calls]


def call(waiting: WaitingEntrant, plan: Plan) -> facts.ReserveCalled:
    return facts.ReserveCalled(entrant=waiting.entrant, tournament=plan.tournament)


def waiting_line(roster: Roster) -> list[WaitingEntrant]:
    """Whoever gets the next free place stands first. Reserves of another tournament only get one of its own."""
    return [one for one in roster.waiting if not is_reserve(roster, one)]


def is_reserve(roster: Roster, one: WaitingEntrant) -> bool:
    qualified = roster.details_of(one.entrant).qualified
    return qualified is not None and qualified.claim == "reserve"


def next_reserve(roster: Roster, origin: str | None) -> WaitingEntrant | None:
    """The best of those who come from one tournament."""
    waiting = [
        (qualified.place, one)
        for one in roster.waiting
        if (qualified := roster.details_of(one.entrant).qualified) and qualified.origin == origin
    ]
    return min(waiting, key=lambda found: found[0], default=(0, None))[1]


def origin_of(roster: Roster, entrant: str) -> str | None:
    qualified = roster.details_of(entrant).qualified
    return qualified.origin if qualified else None


def has_place(roster: Roster, entrant: str) -> bool:
    return isinstance(roster.entrants[entrant], Entered | CheckedIn)


def decide(state: AnnouncedTournament, order: PlaceOrder) -> list[facts.Event]:
    require_phase(state, order, PHASES)
    match order:
        case CallReserve():
            if not state.roster.waiting:
                raise NobodyWaits("Nobody waits for a place.")
            require_place(state.roster, state.plan)
            return call_one(state, order)
        case ReleaseUnconfirmed():
            return release(state, order)
        case ConfirmPlace():
            return confirm(state, order)


def call_one(state: AnnouncedTournament, order: CallReserve) -> list[facts.Event]:
    roster, clause = state.roster, state.plan.ruleset.entry.rule_ids.get("reserves")
    reserve = reserve_to_call(roster, order.entrant)
    passed_over = those_before(roster, reserve)
    if passed_over and order.reason is None:
        before = ", ".join(passed_over)
        raise OutOfOrder(
            f"{reserve.entrant} would be called before {before}{cite(clause)}: call the next in line, withdraw who cannot "
            "come, or send the reason for passing them over."
        )
    why = because(order.reason, clause=clause)
    passed = [
        facts.ReservePassedOver(entrant=one, tournament=state.plan.tournament, called=reserve.entrant, **why)
        for one in passed_over
    ]
    return [*passed, call(reserve, state.plan)]


def those_before(roster: Roster, one: WaitingEntrant) -> list[str]:
    """Everybody who waits in the same line and stands before them."""
    return [other.entrant for other in roster.waiting if other != one and stands_before(roster, other, one)]


def stands_before(roster: Roster, other: WaitingEntrant, one: WaitingEntrant) -> bool:
    """Those who come from one tournament stand in the order of their places there, and the others in that of their entry.
    Reserves of different tournaments do not stand in one line."""
    theirs, its = roster.details_of(other.entrant).qualified, roster.details_of(one.entrant).qualified
    if theirs is not None and its is not None and theirs.origin == its.origin:
        return theirs.place < its.place
    if is_reserve(roster, other) or is_reserve(roster, one):
        return False
    return roster.waiting.index(other) < roster.waiting.index(one)


def reserve_to_call(roster: Roster, entrant: str | None) -> WaitingEntrant:
    if entrant is None:
        return next((one for one in roster.waiting if not those_before(roster, one)), roster.waiting[0])
    found = entrant_of_id(roster, entrant)
    if not isinstance(found, WaitingEntrant):
        raise NobodyWaits(f"{entrant} does not wait for a place.")
    return found


def release(state: AnnouncedTournament, order: ReleaseUnconfirmed) -> list[facts.Event]:
    """Whoever was called as a reserve answers for themselves, and is not released."""
    limit = confirmation_of(state.plan)
    if limit is None:
        raise NothingToConfirm("The rules ask nobody to confirm their place: nobody gives one up.")
    if "confirmation" not in order.passed:
        raise TooEarly(f"Places can still be confirmed{cite(limit.rule_id)}: wait until that is over.")
    unanswered = [one.entrant for one in state.roster.coming if is_due(state.roster, one.entrant)]
    gone = [
        facts.EntryWithdrawn(
            entrant=one,
            tournament=state.plan.tournament,
            in_time=is_in_time(state.plan, order.passed),
            **because(NotedReason(code="not-confirmed"), clause=limit.rule_id),
        )
        for one in unanswered
    ]
    return [*call_reserves(state, *gone), *(due for one in unanswered for due in refunds(state, one, order.passed))]


def is_due(roster: Roster, entrant: str) -> bool:
    details = roster.details_of(entrant)
    return not details.is_confirmed and not details.is_called


def confirm(state: AnnouncedTournament, order: ConfirmPlace) -> list[facts.Event]:
    limit = confirmation_of(state.plan)
    if limit is None:
        raise NothingToConfirm("The rules ask nobody to confirm their place: who has entered is expected.")
    was = entrant_of_id(state.roster, order.entrant)
    if isinstance(was, WaitingEntrant):
        raise NoPlaceLeft(f"{was.entrant} still waits for a place: they confirm once they are called.")
    require_coming(was)
    if state.roster.details_of(order.entrant).is_confirmed:
        return []
    if "confirmation" in order.passed and not state.roster.details_of(order.entrant).is_called:
        raise TooLate(
            f"Places had to be confirmed in time{cite(limit.rule_id)}: withdraw the entry, and a reserve is called."
        )
    return [facts.PlaceConfirmed(entrant=order.entrant, tournament=state.plan.tournament, asked=order.asked)]
