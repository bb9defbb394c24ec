"""Who of an entrant is there, and what it costs them to come late."""

from typing import Literal

from services.registration.domain.tournament import entry_facts, entry_orders, facts, refusals
from services.registration.domain.tournament.clauses import by, of_payment, of_team
from services.registration.domain.tournament.conditions import limit_of
from services.registration.domain.tournament.entry_orders import Lateness
from services.registration.domain.tournament.finding import let_in
from services.registration.domain.tournament.line_ups import members, team_of
from services.registration.domain.tournament.money import is_settled
from services.registration.domain.tournament.orders import CheckIn
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.roster import Coming, Entered
from services.registration.domain.tournament.states import Event, Known


def require_paid(state: Known, entrant: Coming) -> None:
    rules = state.plan.ruleset.entry
    if rules.payment != "before-check-in" or is_settled(rules, state.roster.details_of(entrant.entrant)):
        return
    raise refusals.NotPaid(
        f"{entrant.entrant} has not paid{by(of_payment(rules))}: record the payment, or grant a waiver, and check them in then."
    )


def attending(state: Known, order: CheckIn, entrant: Coming) -> list[Event]:
    """What a check-in says besides: which members of a team are there, and that they are late."""
    return [*present(state, order, entrant), *late(state, order, entrant)]


def present(state: Known, order: CheckIn, entrant: Coming) -> list[Event]:
    team = team_of(state.plan.ruleset)
    if order.present is None or team is None:
        return []
    known = members(entrant, state.roster)
    if strangers := sorted(set(order.present) - set(known)):
        raise refusals.LineUpFrozen(
            f"{', '.join(strangers)} not in the line-up: only members of the team can be there for it."
        )
    there_are = tuple(person for person in known if person in order.present)
    playing = [person for person in there_are if person in entrant.said.persons]
    if len(playing) < team.least:
        raise refusals.TooFewPresent(
            f"A team is let in with {team.least} of its players, and {len(playing)} are there{by(of_team(team, 'least'))}: "
            "bring in a substitute, or wait for the others."
        )
    if state.roster.details_of(entrant.entrant).present == there_are:
        return []
    return [entry_facts.MembersPresent(entrant=entrant.entrant, tournament=state.plan.tournament, persons=there_are)]


def late(state: Known, order: CheckIn, entrant: Coming) -> list[Event]:
    """Only where the rules leave the organiser nothing to decide about it."""
    if not order.is_late or not isinstance(entrant, Entered):
        return []
    match late_rule(state):
        case "organiser-decides":
            return []
        case "refused":
            raise refusals.NotLate(f"Check-in is closed, and the rules let nobody in later{by(clause_of(state))}.")
        case "next-round":
            return [costs(state, entrant.entrant, Lateness.FIRST_ROUND)]


def arrive_late(state: Known, order: entry_orders.ArriveLate) -> list[Event]:
    """The organiser decides what it costs, as far as the rules leave that open."""
    require(state, order)
    was = let_in(state.roster, order.entrant, state.plan.ruleset.entry)
    rule = late_rule(state)
    if rule == "refused":
        raise refusals.NotLate(f"The rules let nobody in who comes late{by(clause_of(state))}: strike them off.")
    if order.effect is not Lateness.FIRST_ROUND:
        require_no_first_round(state)
    require_paid(state, was)
    events: list[Event] = []
    if state.roster.details_of(was.entrant).late is not order.effect:
        events.append(costs(state, was.entrant, order.effect))
    if isinstance(was, Entered):
        events.append(facts.EntrantCheckedIn(entrant=was.entrant, tournament=state.plan.tournament))
    return events


def require_no_first_round(state: Known) -> None:
    if late_rule(state) == "next-round":
        raise refusals.NotLate(
            f"By the rules who comes late plays from the second round on{by(clause_of(state))}: say that round."
        )


def late_rule(state: Known) -> Literal["organiser-decides", "next-round", "refused"]:
    limit, check_in = limit_of(state.plan, "presence"), state.plan.ruleset.entry.check_in
    if limit is not None:
        return limit.late
    return check_in.late if check_in else "organiser-decides"


def clause_of(state: Known) -> str | None:
    limit, check_in = limit_of(state.plan, "presence"), state.plan.ruleset.entry.check_in
    if limit is not None:
        return limit.rule_id
    return check_in.rule_id if check_in else None


def costs(state: Known, entrant: str, effect: Lateness) -> Event:
    return entry_facts.EntrantLate(
        entrant=entrant, tournament=state.plan.tournament, effect=effect.value, clause=clause_of(state)
    )
