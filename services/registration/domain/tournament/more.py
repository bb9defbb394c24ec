"""Orders about an entry where the rules ask for more than who plays: each goes to those who know about it."""

from services.registration.domain.tournament import (
    conditions,
    entry_facts,
    entry_orders,
    line_ups,
    paying,
    places,
    presence_of_team,
)
from services.registration.domain.tournament import details as entry_details
from services.registration.domain.tournament.clauses import by, of_team
from services.registration.domain.tournament.entering import changed
from services.registration.domain.tournament.entry_orders import Also, MoreOrder
from services.registration.domain.tournament.finding import coming, gone, there
from services.registration.domain.tournament.phases import require
from services.registration.domain.tournament.refusals import LineUpFrozen
from services.registration.domain.tournament.roster import (
    CheckedIn,
    Coming,
    Entered,
    Entrant,
    Left,
    Playing,
    StruckOff,
    Waiting,
    Withdrawn,
)
from services.registration.domain.tournament.states import Event, Known


def decide(state: Known, order: MoreOrder) -> list[Event]:
    match order:
        case entry_orders.DetailEntry():
            require(state, order)
            return detail(state, order)
        case entry_orders.JudgeEligibility():
            require(state, order)
            return judge(state, order)
        case entry_orders.BringIn() | entry_orders.ChooseTeam() | entry_orders.NameCaptain():
            line_ups.require_open(state, order)
            return line_ups.decide(state, order, to_come(there(state.roster, order.entrant)))
        case entry_orders.CallReserve() | entry_orders.ConfirmPlace() | entry_orders.ReleaseUnconfirmed():
            return places.decide(state, order)
        case (
            entry_orders.RecordPayment()
            | entry_orders.RecordRefund()
            | entry_orders.RequestWaiver()
            | entry_orders.GrantWaiver()
            | entry_orders.RefuseWaiver()
        ):
            return paying.decide(state, order)
        case entry_orders.ArriveLate():
            return presence_of_team.arrive_late(state, order)
        case entry_orders.ApproveSpectator():
            require(state, order)
            approved = entry_facts.SpectatorApproved(
                tournament=state.plan.tournament, spectator=order.spectator, note=order.note
            )
            return [] if order.spectator in state.roster.spectators else [approved]


def to_come(entrant: Entrant) -> Coming | Waiting:
    return entrant if isinstance(entrant, Waiting) else coming(entrant)


def detail(state: Known, order: entry_orders.DetailEntry) -> list[Event]:
    """Line-ups have orders of their own."""
    was, field = there(state.roster, order.entrant), state.roster
    before = field.details_of(order.entrant).also
    if (order.also.substitutes, order.also.captain, order.also.team) != (
        before.substitutes,
        before.captain,
        before.team,
    ):
        rule = by(of_team(state.plan.ruleset.entry.team, "frozen"))
        raise LineUpFrozen(
            f"Who belongs to a team stays as it was entered{rule}: bring in a substitute, or name a captain."
        )
    if order.also == before:
        return judged(state, order.entrant, order.verdicts)
    conditions.require_source(order.also, state.plan)
    conditions.require_qualified(order.entrant, order.also, field, state.plan)
    conditions.require_on_time(order.also, before, state.plan, order.passed)
    conditions.require_eligible(order.verdicts)
    conditions.require_quota(order.entrant, order.also, field, state.plan)
    if order.also.region != before.region:
        conditions.require_region(order.also, state.plan, order.approval)
    detailed = entry_details.detailed(order.entrant, state.plan.tournament, order.also)
    besides = judged(state, order.entrant, order.verdicts)
    match was:
        case Entered() | CheckedIn() | Waiting():
            return [detailed, *besides]
        case Playing() | Left():
            if as_told(order.also) == as_told(before):
                return [detailed, *besides]
            return [detailed, changed(was, was.said, order.also, state.plan.tournament), *besides]
        case Withdrawn() | StruckOff():
            raise gone(was)


def as_told(also: Also) -> tuple[object, ...]:
    """What neighbours hear of it."""
    return also.school, also.history, also.carried, also.direct


def judge(state: Known, order: entry_orders.JudgeEligibility) -> list[Event]:
    to_come(there(state.roster, order.entrant))
    return judged(state, order.entrant, order.verdicts)


def judged(state: Known, entrant: str, verdicts: tuple[entry_facts.Verdict, ...]) -> list[Event]:
    """Also when somebody turns out not to meet a condition: then they cannot start."""
    if state.roster.details_of(entrant).verdicts == verdicts:
        return []
    return [entry_facts.EligibilityJudged(entrant=entrant, tournament=state.plan.tournament, verdicts=verdicts)]
