"""Check-in: who is there, also of a team, and what it costs to come late."""

from typing import Literal

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import Coming, Entered, Lateness
from services.registration.domain.tournament.line_ups import LineUpFrozen, members, team_of
from services.registration.domain.tournament.payments import require_paid
from services.registration.domain.tournament.reasons import cite, team_clause
from services.registration.domain.tournament.roster import entrant_of_id, require_coming, require_entered
from services.registration.domain.tournament.states import (
    AnnouncedTournament,
    CheckingIn,
    Phases,
    deadline_of,
    require_phase,
)
from shared.commands.decider import Order
from shared.refusals import Conflict
from shared.rulesets import entry

# Orders


class CheckIn(Order):
    """These entrants are there, or everybody who has entered."""

    entrants: tuple[str, ...] | None
    present: tuple[str, ...] | None = None  # of one team: who is there
    is_late: bool = False


class UndoCheckIn(Order):
    entrant: str


class ArriveLate(Order):
    """Somebody is there after check-in has closed; they are checked in with it."""

    entrant: str
    effect: Lateness


type CheckInOrder = CheckIn | UndoCheckIn | ArriveLate

PHASES: Phases = {
    CheckIn: (CheckingIn,),
    UndoCheckIn: (CheckingIn,),
    ArriveLate: (CheckingIn,),
}

# Refusals


class TooFewPresent(Conflict):
    """A team is let in with so many of its members, and not with fewer."""


class NotLate(Conflict):
    """The rules say something else about who comes late."""


def decide(state: AnnouncedTournament, order: CheckInOrder) -> list[facts.Event]:
    require_phase(state, order, PHASES)
    match order:
        case CheckIn():
            return check_in(state, order)
        case UndoCheckIn():
            return undo(state, order)
        case ArriveLate():
            return arrive_late(state, order)


def check_in(state: AnnouncedTournament, order: CheckIn) -> list[facts.Event]:
    """All of them are checked in, or none; who is there already is passed over."""
    named = order.entrants
    wanted = (
        state.roster.coming
        if named is None
        else [require_entered(state.roster, entrant, state.plan.ruleset.entry) for entrant in dict.fromkeys(named)]
    )
    events: list[facts.Event] = []
    for entrant in wanted:
        require_paid(state, entrant)
        events += [*present(state, order, entrant), *lateness(state, order, entrant)]
        if isinstance(entrant, Entered):
            events.append(facts.EntrantCheckedIn(entrant=entrant.entrant, tournament=state.plan.tournament))
    return events


def undo(state: AnnouncedTournament, order: UndoCheckIn) -> list[facts.Event]:
    was = require_coming(entrant_of_id(state.roster, order.entrant))
    if isinstance(was, Entered):
        return []
    return [facts.CheckInUndone(entrant=was.entrant, tournament=state.plan.tournament)]


def present(state: AnnouncedTournament, order: CheckIn, entrant: Coming) -> list[facts.Event]:
    team = team_of(state.plan.ruleset)
    if order.present is None or team is None:
        return []
    known = members(entrant, state.roster)
    if strangers := sorted(set(order.present) - set(known)):
        raise LineUpFrozen(f"{', '.join(strangers)} not in the line-up: only members of the team can be there for it.")
    there_are = tuple(person for person in known if person in order.present)
    playing = [person for person in there_are if person in entrant.said.persons]
    if len(playing) < team.least:
        raise TooFewPresent(
            f"A team is let in with {team.least} of its players, and {len(playing)} are there{cite(team_clause(team, 'least'))}: "
            "bring in a substitute, or wait for the others."
        )
    if state.roster.details_of(entrant.entrant).present == there_are:
        return []
    return [facts.MembersPresent(entrant=entrant.entrant, tournament=state.plan.tournament, persons=there_are)]


def lateness(state: AnnouncedTournament, order: CheckIn, entrant: Coming) -> list[facts.Event]:
    """Coming late costs something at once only where the rules leave the organiser nothing to decide."""
    if not order.is_late or not isinstance(entrant, Entered):
        return []
    match late_rule(state):
        case "organiser-decides":
            return []
        case "refused":
            raise NotLate(f"Check-in is closed, and the rules let nobody in later{cite(clause_of(state))}.")
        case "next-round":
            return [lateness_event(state, entrant.entrant, Lateness.FIRST_ROUND)]


def arrive_late(state: AnnouncedTournament, order: ArriveLate) -> list[facts.Event]:
    """The organiser decides what it costs to come late, as far as the rules leave that open."""
    was = require_entered(state.roster, order.entrant, state.plan.ruleset.entry)
    rule = late_rule(state)
    if rule == "refused":
        raise NotLate(f"The rules let nobody in who comes late{cite(clause_of(state))}: strike them off.")
    if order.effect is not Lateness.FIRST_ROUND:
        require_no_first_round(state)
    require_paid(state, was)
    events: list[facts.Event] = []
    if state.roster.details_of(was.entrant).late is not order.effect:
        events.append(lateness_event(state, was.entrant, order.effect))
    if isinstance(was, Entered):
        events.append(facts.EntrantCheckedIn(entrant=was.entrant, tournament=state.plan.tournament))
    return events


def require_no_first_round(state: AnnouncedTournament) -> None:
    if late_rule(state) == "next-round":
        raise NotLate(
            f"By the rules who comes late plays from the second round on{cite(clause_of(state))}: say that round."
        )


def late_rule(state: AnnouncedTournament) -> Literal["organiser-decides", "next-round", "refused"]:
    rule = presence_rule(state)
    return rule.late if rule else "organiser-decides"


def clause_of(state: AnnouncedTournament) -> str | None:
    rule = presence_rule(state)
    return rule.rule_id if rule else None


def presence_rule(state: AnnouncedTournament) -> entry.Deadline | entry.CheckIn | None:
    return deadline_of(state.plan, "presence") or state.plan.ruleset.entry.check_in


def lateness_event(state: AnnouncedTournament, entrant: str, effect: Lateness) -> facts.Event:
    return facts.EntrantLate(
        entrant=entrant, tournament=state.plan.tournament, effect=effect.value, clause=clause_of(state)
    )
