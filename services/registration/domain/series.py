"""What may be had once in a whole series: base players of a team, places of a school, the category of a person.

One stream a series, written in the same append as the entries: of two teams that claim a person at once one gets them.
A team is the same in all tournaments of a series and keeps its line-up, so its claim in the next one is no new one.
A person plays in one category only, through all tournaments.
"""

from collections.abc import Mapping
from typing import get_args

import msgspec
from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Order
from shared.refusals import Conflict
from shared.values import Value

# Orders


class PlaceLimit(Value):
    """Only so many teams may come from one place."""

    place: str
    most: int
    clause: str | None = None


class TeamClaim(Value):
    team: str
    persons: tuple[str, ...]
    substitutes: tuple[str, ...] = ()
    limits: tuple[PlaceLimit, ...] = ()


class MakeClaims(Order):
    series: str
    tournament: str
    level: str  # tournaments of one level count together, and a team plays one of them
    claims: tuple[TeamClaim, ...]
    is_frozen: bool = False  # whether the line-up stays through the whole series
    clause: str | None = None  # about being in one base only
    frozen_clause: str | None = None


class ReleaseClaim(Order):
    tournament: str
    teams: tuple[str, ...]


class ChooseCategory(Order):
    series: str
    tournament: str
    category: str
    persons: tuple[str, ...]
    clause: str | None = None


class LeaveCategory(Order):
    tournament: str
    persons: tuple[str, ...]


type CategoryOrder = ChooseCategory | LeaveCategory
type Claiming = MakeClaims | ChooseCategory
type Releasing = ReleaseClaim | LeaveCategory
type Command = MakeClaims | ReleaseClaim | CategoryOrder


# Facts


class TeamClaimed(Fact):
    series: str
    tournament: str
    level: str
    team: str
    persons: tuple[str, ...]
    substitutes: tuple[str, ...]
    places: tuple[str, ...]


class ClaimReleased(Fact):
    series: str
    tournament: str
    team: str


class CategoryChosen(Fact):
    series: str
    tournament: str
    category: str
    person: str


class CategoryLeft(Fact):
    series: str
    tournament: str
    person: str


type CategoryEvent = CategoryChosen | CategoryLeft
type Event = TeamClaimed | ClaimReleased | CategoryChosen | CategoryLeft


# State


class ClaimingTeam(Value):
    persons: tuple[str, ...]
    substitutes: tuple[str, ...]
    places: tuple[str, ...]
    plays: Mapping[str, str]  # the level of each tournament that it has entered


# For each person, the category of each tournament that they have entered.
type ChosenCategories = Mapping[str, Mapping[str, str]]


class Series(Value):
    series: str = ""  # until there is a claim
    teams: Mapping[str, ClaimingTeam] = msgspec.field(default_factory=dict[str, ClaimingTeam])
    categories: ChosenCategories = msgspec.field(default_factory=dict[str, Mapping[str, str]])

    def team_of(self, person: str) -> str | None:
        return next((name for name, team in self.teams.items() if person in team.persons), None)

    def category_of(self, person: str) -> str | None:
        return category_of(self.categories, person)


# Refusals


class ClaimedByAnother(Conflict):
    """This person is in the base of another team of the series."""


class TeamFrozen(Conflict):
    """A team stays as it was entered, through the whole series."""


class TeamPlaysElsewhere(Conflict):
    """A team plays one tournament of each level."""


class SeriesQuotaReached(Conflict):
    """In all tournaments of a level together only so many may come from one place."""


class InAnotherCategory(Conflict):
    """This person plays in another category of the series."""


def decide(state: Series, command: Command) -> list[Event]:
    match command:
        case MakeClaims():
            events: list[Event] = []
            for claim in command.claims:
                if is_made(state, command, claim):
                    continue
                require_free(state, command, claim)
                made = claimed(command, claim)
                events.append(made)
                state = evolve(state, made)
            return events
        case ReleaseClaim():
            return [
                ClaimReleased(series=state.series, tournament=command.tournament, team=name)
                for name in command.teams
                if (team := state.teams.get(name)) is not None and command.tournament in team.plays
            ]
        case ChooseCategory() | LeaveCategory():
            return [*decide_category(state.series, state.categories, command)]


def is_made(state: Series, order: MakeClaims, claim: TeamClaim) -> bool:
    """A claim is also made when a team of another id has entered the same tournament with the same players: twice is
    once."""
    holders = {state.team_of(person) for person in claim.persons}
    (holder,) = holders if len(holders) == 1 else (None,)
    return (
        holder is not None
        and state.teams[holder].persons == claim.persons
        and state.teams[holder].substitutes == claim.substitutes
        and order.tournament in state.teams[holder].plays
    )


def require_free(state: Series, order: MakeClaims, claim: TeamClaim) -> None:
    clause = f" ({order.clause})" if order.clause else ""
    frozen = f" ({order.frozen_clause})" if order.frozen_clause else ""
    for person in claim.persons:
        holder = state.team_of(person)
        if holder is not None and holder != claim.team:
            raise ClaimedByAnother(
                f"{person} is in the base of team {holder} already{clause}: nobody is in the base of two."
            )
    team = state.teams.get(claim.team)
    if team is not None:
        if order.is_frozen and (set(team.persons), set(team.substitutes)) != (
            set(claim.persons),
            set(claim.substitutes),
        ):
            raise TeamFrozen(f"Team {claim.team} stays as it was entered{frozen}: enter it with the same members.")
        if order.level in team.plays.values():
            raise TeamPlaysElsewhere(
                f"Team {claim.team} plays another tournament of this level: withdraw it there first."
            )
    for limit in claim.limits:
        there = sum(
            limit.place in other.places and order.level in other.plays.values()
            for name, other in state.teams.items()
            if name != claim.team
        )
        if there >= limit.most:
            because = f" ({limit.clause})" if limit.clause else ""
            raise SeriesQuotaReached(f"From {limit.place} {limit.most} may enter, and {there} have{because}.")


def claimed(order: MakeClaims, claim: TeamClaim) -> TeamClaimed:
    return TeamClaimed(
        series=order.series,
        tournament=order.tournament,
        level=order.level,
        team=claim.team,
        persons=claim.persons,
        substitutes=claim.substitutes,
        places=tuple(limit.place for limit in claim.limits),
    )


def decide_category(series: str, chosen: ChosenCategories, order: CategoryOrder) -> list[CategoryEvent]:
    match order:
        case ChooseCategory():
            for person in order.persons:
                require_no_other(chosen, person, order)
            return [
                CategoryChosen(series=order.series, tournament=order.tournament, category=order.category, person=person)
                for person in order.persons
                if order.tournament not in chosen.get(person, {})
            ]
        case LeaveCategory():
            return [
                CategoryLeft(series=series, tournament=order.tournament, person=person)
                for person in order.persons
                if order.tournament in chosen.get(person, {})
            ]


def require_no_other(chosen: ChosenCategories, person: str, order: ChooseCategory) -> None:
    category = category_of(chosen, person)
    if category is not None and category != order.category:
        clause = f" ({order.clause})" if order.clause else ""
        raise InAnotherCategory(
            f"{person} plays as one of {category} in this series, and nobody is in two categories{clause}: withdraw them "
            "there first."
        )


def category_of(chosen: ChosenCategories, person: str) -> str | None:
    return next(iter(chosen.get(person, {}).values()), None)


def evolve(state: Series, event: Event) -> Series:
    match event:
        case TeamClaimed():
            before = state.teams.get(event.team)
            plays = {**(before.plays if before else {}), event.tournament: event.level}
            team = ClaimingTeam(persons=event.persons, substitutes=event.substitutes, places=event.places, plays=plays)
            return replace(state, series=event.series, teams={**state.teams, event.team: team})
        case ClaimReleased():
            was = state.teams[event.team]
            plays = {tournament: level for tournament, level in was.plays.items() if tournament != event.tournament}
            others = {name: team for name, team in state.teams.items() if name != event.team}
            if not plays:
                return replace(state, teams=others)
            left = ClaimingTeam(persons=was.persons, substitutes=was.substitutes, places=was.places, plays=plays)
            return replace(state, teams={**others, event.team: left})
        case CategoryChosen() | CategoryLeft():
            return replace(state, series=event.series, categories=evolve_categories(state.categories, event))


def evolve_categories(chosen: ChosenCategories, event: CategoryEvent) -> ChosenCategories:
    before = chosen.get(event.person, {})
    match event:
        case CategoryChosen():
            return {**chosen, event.person: {**before, event.tournament: event.category}}
        case CategoryLeft():
            left = {one: category for one, category in before.items() if one != event.tournament}
            others = {person: categories for person, categories in chosen.items() if person != event.person}
            return {**others, event.person: left} if left else others


CLAIMS: Decider[Series, Command, Event] = Decider(
    kind="claims",
    initial=Series(),
    decide=decide,
    evolve=evolve,
    events=get_args(Event.__value__),
)
