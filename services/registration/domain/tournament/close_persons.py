"""Families and close persons: unordered pairs, who must not meet in the last rounds where the rules say so."""

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import Coming, Participant
from services.registration.domain.tournament.roster import NotEntered, PairOfPersons
from services.registration.domain.tournament.states import (
    BEFORE,
    AnnouncedTournament,
    Phases,
    Running,
    first_stage,
    require_phase,
)
from shared.commands.decider import Order
from shared.refusals import Conflict, Invalid

# Orders


class DeclareClosePersons(Order):
    persons: tuple[str, str]


class RevokeClosePersons(Order):
    persons: tuple[str, str]


type ClosePersonsOrder = DeclareClosePersons | RevokeClosePersons

PHASES: Phases = {
    DeclareClosePersons: (*BEFORE, Running),
    RevokeClosePersons: BEFORE,
}

# Refusals


class NotOneAnother(Invalid):
    """Two different persons are close to one another."""


class NotDeclared(Conflict):
    """The rules know no close persons."""


def decide(state: AnnouncedTournament, order: ClosePersonsOrder) -> list[facts.Event]:
    require_phase(state, order, PHASES)
    if not state.plan.ruleset.entry.close_persons:
        raise NotDeclared("The rules of this tournament know no close persons: nothing has to be declared.")
    pair = unordered(order.persons)
    match order:
        case DeclareClosePersons():
            return declare(state, pair)
        case RevokeClosePersons():
            if pair not in state.roster.close:
                return []
            return [facts.ClosePersonsRevoked(tournament=state.plan.tournament, persons=pair)]


def declare(state: AnnouncedTournament, pair: PairOfPersons) -> list[facts.Event]:
    for person in pair:
        if state.roster.entrant_of(person) is None:
            raise NotEntered(f"{person} does not take part: enter them first.")
    if pair in state.roster.close:
        return []
    declared = facts.ClosePersonsDeclared(tournament=state.plan.tournament, persons=pair)
    if isinstance(state, Running):
        return [declared, *forbidden_meetings(state, [pair], state.roster.participants)]
    return [declared]


def unordered(persons: tuple[str, str]) -> PairOfPersons:
    one, other = sorted(persons)
    if one == other:
        raise NotOneAnother("Name two different persons.")
    return one, other


def forbidden_meetings(
    state: AnnouncedTournament, pairs: list[PairOfPersons], field: list[Coming] | list[Participant]
) -> list[facts.MeetingForbidden]:
    """Each pair of close persons who both take part must not meet in the rounds at the end."""
    rules = first_stage(state.plan.ruleset, size=len(field)).pairing
    entrant_of = {person: entrant.entrant for entrant in field for person in entrant.said.persons}
    met = [(entrant_of[one], entrant_of[other]) for one, other in pairs if one in entrant_of and other in entrant_of]
    return [
        facts.MeetingForbidden(tournament=state.plan.tournament, entrants=both, last_rounds=rules.bans_in_last_rounds)
        for both in met
        if rules.bans_in_last_rounds is not None and both[0] != both[1]
    ]
