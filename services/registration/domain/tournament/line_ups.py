"""Who makes up a team, who may come in for whom, and that nobody plays for two."""

from enum import StrEnum

from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import Also, Coming, EntrantState, EntrySaid, WaitingEntrant
from services.registration.domain.tournament.reasons import cite, team_clause
from services.registration.domain.tournament.roster import Roster, entrant_of_id, require_expected
from services.registration.domain.tournament.states import (
    BEFORE,
    AnnouncedTournament,
    Completed,
    Phases,
    Running,
    UnderReview,
    require_phase,
)
from shared.commands.decider import Order
from shared.refusals import Conflict, Invalid
from shared.rulesets.entry import Team
from shared.rulesets.schema import Ruleset

# Orders


class NewLineUp(StrEnum):
    SUBSTITUTE = "substitute"  # comes in for who misses the whole tournament
    CHOICE = "choice"  # somebody of two teams has chosen the other one
    ACTING_CAPTAIN = "acting-captain"


class BringIn(Order):
    """A substitute plays for somebody who misses the whole tournament."""

    entrant: str
    substitute: str
    instead_of: str


class ChooseTeam(Order):
    """Somebody who is in the line-ups of several teams here plays for this one."""

    entrant: str
    person: str


class NameCaptain(Order):
    """Somebody acts as captain because the one who was named is absent."""

    entrant: str
    person: str


type LineUpOrder = BringIn | ChooseTeam | NameCaptain

PHASES: Phases = {
    BringIn: BEFORE,
    ChooseTeam: BEFORE,
    NameCaptain: BEFORE,
}

# Refusals


class WrongLineUp(Invalid):
    """A team is not put together as the rules say."""


class AlreadyInLineUp(Conflict):
    """This person is in the base of another team."""


class LineUpFrozen(Conflict):
    """Who belongs to a team stays as it was entered."""


TEAM = Team(base=1, least=1)  # where the rules say nothing else


def team_of(ruleset: Ruleset) -> Team | None:
    return (ruleset.entry.team or TEAM) if ruleset.entry.kind == "team" else None


def require_line_up(said: EntrySaid, also: Also, ruleset: Ruleset) -> None:
    team = team_of(ruleset)
    if team is None:
        if also.substitutes or also.captain:
            kind = cite(ruleset.entry.rule_ids.get("kind"))
            raise WrongLineUp(f"Only a team has substitutes and a captain{kind}: leave them out.")
        return
    rule = cite(team.rule_id)
    everybody = (*said.persons, *also.substitutes)
    if len(set(everybody)) != len(everybody):
        raise WrongLineUp(f"Nobody is in a team twice{rule}: name each member once.")
    if not team.least <= len(said.persons) <= team.base:
        raise WrongLineUp(
            f"A team has {team.base} players, and at least {team.least}, not {len(said.persons)}{rule}: name them."
        )
    if len(also.substitutes) > team.substitutes:
        raise WrongLineUp(
            f"A team has {team.substitutes} substitutes at most, not {len(also.substitutes)}{rule}: leave some out."
        )
    require_captain(everybody, also.captain, team)


def require_captain(members: tuple[str, ...], captain: str | None, team: Team) -> None:
    rule = cite(team_clause(team, "captain"))
    if captain is None and team.captain:
        raise WrongLineUp(f"A team names one of its members as captain{rule}: say who.")
    if captain is not None and captain not in members:
        raise WrongLineUp(f"Whoever is not in the line-up cannot be its captain{rule}: name one of its members.")


def members(entrant: EntrantState, roster: Roster) -> tuple[str, ...]:
    return (*entrant.said.persons, *roster.details_of(entrant.entrant).also.substitutes)


def with_two_teams(roster: Roster) -> dict[str, list[str]]:
    """Find who is in the line-ups of several entrants that come, and in which."""
    teams: dict[str, list[str]] = {}
    for entrant in roster.coming:
        for person in members(entrant, roster):
            teams.setdefault(person, []).append(entrant.entrant)
    return {person: several for person, several in teams.items() if len(several) > 1}


def require_open(state: AnnouncedTournament, order: LineUpOrder) -> None:
    """Whoever is too late is told by which rules."""
    team = team_of(state.plan.ruleset)
    if team is not None and isinstance(state, Running | UnderReview | Completed):
        raise LineUpFrozen(
            f"During a tournament no line-up changes{cite(team_clause(team, 'choice'))}, and afterwards who belongs to a team "
            f"stays as it was entered{cite(team_clause(team, 'frozen'))}: play with those who are there."
        )
    require_phase(state, order, PHASES)


def decide(state: AnnouncedTournament, order: LineUpOrder) -> list[facts.Event]:
    require_open(state, order)
    was = require_expected(entrant_of_id(state.roster, order.entrant))
    team = team_of(state.plan.ruleset)
    if team is None:
        raise WrongLineUp("Only a team has a line-up that can change.")
    match order:
        case BringIn():
            return bring_in(state, order, was)
        case ChooseTeam():
            return choose(state, order, was)
        case NameCaptain():
            return name_captain(state, order, was, team)


def bring_in(state: AnnouncedTournament, order: BringIn, was: Coming | WaitingEntrant) -> list[facts.Event]:
    """Only a registered substitute comes in, and only for a base player, who then misses the whole tournament."""
    also, persons = state.roster.details_of(was.entrant).also, was.said.persons
    rule = cite(team_clause(team_of(state.plan.ruleset), "frozen"))
    before = state.roster.details_of(was.entrant).registered
    if (
        order.substitute in persons
        and order.instead_of not in persons
        and before
        and order.instead_of in before.persons
    ):
        return []
    if order.substitute not in also.substitutes:
        raise LineUpFrozen(f"{order.substitute} is no registered substitute of this team: nobody else comes in{rule}.")
    if order.instead_of not in persons:
        raise LineUpFrozen(f"{order.instead_of} is no base player of this team: name who misses the tournament.")
    if (other := state.roster.entrant_of(order.substitute)) is not None:
        raise AlreadyInLineUp(f"{order.substitute} is in the base of {other.entrant}: let them choose a team first.")
    now = tuple(order.substitute if person == order.instead_of else person for person in persons)
    substitutes = tuple(person for person in also.substitutes if person != order.substitute)
    captain = None if also.captain == order.instead_of else also.captain
    return [changed(state, was, now, substitutes, captain, NewLineUp.SUBSTITUTE)]


def choose(state: AnnouncedTournament, order: ChooseTeam, was: Coming | WaitingEntrant) -> list[facts.Event]:
    """Whoever chooses a team is taken out of all others."""
    if order.person not in members(was, state.roster):
        raise WrongLineUp(f"{order.person} is not in this team: name one of its players or substitutes.")
    return [
        leave_out(state, other, order.person)
        for other in (*state.roster.coming, *state.roster.waiting)
        if other.entrant != was.entrant and order.person in members(other, state.roster)
    ]


def leave_out(state: AnnouncedTournament, other: Coming | WaitingEntrant, person: str) -> facts.Event:
    also = state.roster.details_of(other.entrant).also
    persons = tuple(one for one in other.said.persons if one != person)
    substitutes = tuple(one for one in also.substitutes if one != person)
    captain = None if also.captain == person else also.captain
    return changed(state, other, persons, substitutes, captain, NewLineUp.CHOICE)


def name_captain(
    state: AnnouncedTournament, order: NameCaptain, was: Coming | WaitingEntrant, team: Team
) -> list[facts.Event]:
    also = state.roster.details_of(was.entrant).also
    require_captain(members(was, state.roster), order.person, team)
    if also.captain == order.person:
        return []
    return [changed(state, was, was.said.persons, also.substitutes, order.person, NewLineUp.ACTING_CAPTAIN)]


def changed(
    state: AnnouncedTournament,
    was: Coming | WaitingEntrant,
    persons: tuple[str, ...],
    substitutes: tuple[str, ...],
    captain: str | None,
    why: NewLineUp,
) -> facts.Event:
    return facts.LineUpChanged(
        entrant=was.entrant,
        tournament=state.plan.tournament,
        persons=persons,
        substitutes=substitutes,
        captain=captain,
        why=why.value,
    )
