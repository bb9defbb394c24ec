"""What may be had once in a whole series: base players of a team, places of a school, the category of a person; and what is
paid once for it.

One stream a series, written in the same append as the entries: of two teams that claim a person at once one gets them.
A team is the same in all tournaments of a series and keeps its line-up, so its claim in the next one is no new one.
A person plays in one category only, through all tournaments, where the rules say so.
What was paid or waived in one tournament holds in all others of its division.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from services.registration.domain.tournament.payments import WaiversUsedUp
from services.registration.domain.tournament.reasons import cite
from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict, Stale
from shared.values import Value

# Orders


class PlaceLimit(Value):
    """Only so many teams may come from one place."""

    place: str
    most: int
    clause: str | None = None


class FeesSeen(Value):
    """What those who enter were taken to have paid already; and whether they pay with the entry."""

    division: str
    settled_in: Mapping[str, tuple[str, ...]]  # by who owes the fee: the tournaments
    pays: bool = False


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
    fees: FeesSeen | None = None  # where they are paid once for the series


class ReleaseClaim(Order):
    tournament: str
    teams: tuple[str, ...]


class ChooseCategory(Order):
    series: str
    tournament: str
    category: str
    persons: tuple[str, ...]
    clause: str | None = None
    is_exclusive: bool = True  # whether nobody plays in another one besides
    fees: FeesSeen | None = None


class LeaveCategory(Order):
    tournament: str
    persons: tuple[str, ...]


type SettledHow = Literal["paid", "waived"]


class NoteFee(Order):
    """What has become of a fee in one tournament."""

    series: str
    tournament: str
    division: str
    payer: str  # a team, or a person
    settled: SettledHow | None  # none: it is due again
    told: tuple[str, ...]  # the other tournaments that hear of it in the same act
    school: str | None = None
    waived_at_most: int | None = None  # for so many of one school
    clause: str | None = None


type Claiming = MakeClaims | ChooseCategory
type Releasing = ReleaseClaim | LeaveCategory
type Command = MakeClaims | ReleaseClaim | ChooseCategory | LeaveCategory | NoteFee


# Facts


class TeamClaimed(Fact):
    """A team plays in this tournament of the series with these persons, who so can play nowhere else on this level."""

    series: str
    tournament: str
    level: str
    team: str
    persons: tuple[str, ...]
    substitutes: tuple[str, ...]
    places: tuple[str, ...]


class ClaimReleased(Fact):
    """The team and its persons are free for another tournament of the series."""

    series: str
    tournament: str
    team: str


class CategoryChosen(Fact):
    """A person plays in this category of the series, by an entry in this tournament."""

    series: str
    tournament: str
    category: str
    person: str


class CategoryLeft(Fact):
    """The person is free to choose a category of the series again."""

    series: str
    tournament: str
    person: str


class SeriesFeeSettled(Fact):
    """Paid or waived in one tournament, a fee is due in no other one of the division."""

    series: str
    tournament: str
    division: str
    payer: str
    how: SettledHow
    school: str | None = None


class SeriesFeeReopened(Fact):
    """It was given back, or the waiver was refused after all."""

    series: str
    tournament: str
    division: str
    payer: str


type Event = TeamClaimed | ClaimReleased | CategoryChosen | CategoryLeft | SeriesFeeSettled | SeriesFeeReopened


# State


class ClaimingTeam(Value):
    persons: tuple[str, ...]
    substitutes: tuple[str, ...]
    places: tuple[str, ...]
    plays: Mapping[str, str]  # the level of each tournament that it has entered


# For each person, the category of each tournament that they have entered.
type ChosenCategories = Mapping[str, Mapping[str, str]]


class SettledFee(Value):
    how: SettledHow
    school: str | None


# For each division and payer, the tournaments in which it was settled.
type Fees = Mapping[tuple[str, str], Mapping[str, SettledFee]]


class Series(Value):
    series: str = ""  # until there is a claim
    teams: Mapping[str, ClaimingTeam] = msgspec.field(default_factory=dict[str, ClaimingTeam])
    # As they were when they withdrew from the last of their tournaments: a fee that was settled is theirs.
    withdrawn: Mapping[str, ClaimingTeam] = msgspec.field(default_factory=dict[str, ClaimingTeam])
    categories: ChosenCategories = msgspec.field(default_factory=dict[str, Mapping[str, str]])
    fees: Fees = msgspec.field(default_factory=dict[tuple[str, str], Mapping[str, SettledFee]])

    def team_of(self, person: str) -> str | None:
        return next((name for name, team in self.teams.items() if person in team.persons), None)

    def category_of(self, person: str) -> str | None:
        return next(iter(self.categories.get(person, {}).values()), None)

    def knows(self, person: str) -> bool:
        """Tell whether something in the series rests on this id of theirs."""
        has_paid = any(payer == person for _, payer in self.fees)
        return self.team_of(person) is not None or self.category_of(person) is not None or has_paid

    def settled_in(self, division: str, payer: str) -> tuple[str, ...]:
        return tuple(self.fees.get((division, payer), {}))

    def has_settled(self, payer: str) -> bool:
        return any(settled and of == payer for (_, of), settled in self.fees.items())

    def tournaments_of(self, payer: str) -> tuple[str, ...]:
        """All that they have entered."""
        team = self.teams.get(payer)
        return (*(team.plays if team else ()), *self.categories.get(payer, {}))


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


class FeesChangedMeanwhile(Stale):
    """Somebody has paid, or entered another tournament, at the same moment."""


def decide(state: Series, command: Command) -> list[Event]:
    match command:
        case MakeClaims():
            events: list[Event] = []
            for claim in command.claims:
                if is_made(state, command, claim):
                    continue
                require_free(state, command, claim)
                made = [claimed(command, claim), *paid_with_entry(state, command, claim.team)]
                events += made
                state = CLAIMS.fold(made, state)
            return events
        case ReleaseClaim():
            return [
                ClaimReleased(series=state.series, tournament=command.tournament, team=name)
                for name in command.teams
                if (team := state.teams.get(name)) is not None and command.tournament in team.plays
            ]
        case ChooseCategory():
            return choose_category(state, command)
        case LeaveCategory():
            return [
                CategoryLeft(series=state.series, tournament=command.tournament, person=person)
                for person in command.persons
                if command.tournament in state.categories.get(person, {})
            ]
        case NoteFee():
            return note_fee(state, command)


# Fees


def paid_with_entry(state: Series, order: MakeClaims | ChooseCategory, payer: str) -> list[SeriesFeeSettled]:
    """An entry was made with what had been paid when it was read: that has to be so still."""
    fees = order.fees
    if fees is None:
        return []
    if set(fees.settled_in.get(payer, ())) != set(state.settled_in(fees.division, payer)):
        raise changed_meanwhile()
    if not fees.pays:
        return []
    settled = SeriesFeeSettled(
        series=order.series, tournament=order.tournament, division=fees.division, payer=payer, how="paid"
    )
    return [settled]


def changed_meanwhile() -> FeesChangedMeanwhile:
    return FeesChangedMeanwhile("The fee was paid, or another tournament entered, at the same moment: send it again.")


def note_fee(state: Series, order: NoteFee) -> list[Event]:
    key = order.division, order.payer
    before = state.fees.get(key, {}).get(order.tournament)
    if (before.how if before else None) == order.settled:
        return []
    if set(order.told) != {*state.tournaments_of(order.payer)} - {order.tournament}:
        raise changed_meanwhile()
    if order.settled is None:
        reopened = SeriesFeeReopened(
            series=order.series, tournament=order.tournament, division=order.division, payer=order.payer
        )
        return [reopened]
    if order.settled == "waived":
        require_waivers_left(state, order)
    settled = SeriesFeeSettled(
        series=order.series,
        tournament=order.tournament,
        division=order.division,
        payer=order.payer,
        how=order.settled,
        school=order.school,
    )
    return [settled]


def require_waivers_left(state: Series, order: NoteFee) -> None:
    """So many of one school in each division, at whichever tournaments they play."""
    others = [
        payer
        for (division, payer), settled in state.fees.items()
        if (division, payer) != (order.division, order.payer) and division == order.division
        if any((one.how, one.school) == ("waived", order.school) for one in settled.values())
    ]
    if order.waived_at_most is not None and len(others) >= order.waived_at_most:
        raise WaiversUsedUp(
            f"The fee is waived for {order.waived_at_most} of one school in the whole series{cite(order.clause)}, and it is for "
            f"{', '.join(others)}: this one has to pay."
        )


# Claims


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
    for person in claim.persons:
        holder = state.team_of(person)
        if holder is not None and holder != claim.team:
            raise ClaimedByAnother(
                f"{person} is in the base of team {holder} already{cite(order.clause)}: nobody is in the base of two."
            )
    team = state.teams.get(claim.team)
    was = state.withdrawn.get(claim.team)
    if team is None and was is not None and state.has_settled(claim.team) and are_others(claim, was):
        raise TeamFrozen(
            f"The fee of team {claim.team} was settled for other members{cite(order.frozen_clause)}: enter it with the same, or these as a new team."
        )
    if team is not None:
        if order.is_frozen and are_others(claim, team):
            raise TeamFrozen(
                f"Team {claim.team} stays as it was entered{cite(order.frozen_clause)}: enter it with the same members."
            )
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
            raise SeriesQuotaReached(
                f"From {limit.place} {limit.most} may enter, and {there} have{cite(limit.clause)}."
            )


def are_others(claim: TeamClaim, team: ClaimingTeam) -> bool:
    return (set(team.persons), set(team.substitutes)) != (set(claim.persons), set(claim.substitutes))


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


# Categories


def choose_category(state: Series, order: ChooseCategory) -> list[Event]:
    new = [person for person in order.persons if order.tournament not in state.categories.get(person, {})]
    if order.is_exclusive:
        for person in order.persons:
            require_no_other(state, person, order)
    chosen = [
        CategoryChosen(series=order.series, tournament=order.tournament, category=order.category, person=person)
        for person in new
    ]
    return [*chosen, *(paid for person in new for paid in paid_with_entry(state, order, person))]


def require_no_other(state: Series, person: str, order: ChooseCategory) -> None:
    category = state.category_of(person)
    if category is not None and category != order.category:
        raise InAnotherCategory(
            f"{person} plays as one of {category} in this series, and nobody is in two categories{cite(order.clause)}: withdraw them "
            "there first."
        )


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
                return replace(state, teams=others, withdrawn={**state.withdrawn, event.team: was})
            return replace(state, teams={**others, event.team: replace(was, plays=plays)})
        case CategoryChosen():
            chosen = {**state.categories.get(event.person, {}), event.tournament: event.category}
            return replace(state, series=event.series, categories={**state.categories, event.person: chosen})
        case CategoryLeft():
            categories = left_out(state.categories, event.person, event.tournament)
            return replace(state, series=event.series, categories=categories)
        case SeriesFeeSettled():
            key = event.division, event.payer
            settled = {**state.fees.get(key, {}), event.tournament: SettledFee(how=event.how, school=event.school)}
            return replace(state, series=event.series, fees={**state.fees, key: settled})
        case SeriesFeeReopened():
            fees = left_out(state.fees, (event.division, event.payer), event.tournament)
            return replace(state, series=event.series, fees=fees)


def left_out[Key, What](
    known: Mapping[Key, Mapping[str, What]], key: Key, tournament: str
) -> Mapping[Key, Mapping[str, What]]:
    """Nothing is kept of whoever has nothing left in any tournament."""
    left = {one: what for one, what in known.get(key, {}).items() if one != tournament}
    others = {one: several for one, several in known.items() if one != key}
    return {**others, key: left} if left else others


CLAIMS: Decider[Series, Command, Event] = Decider(
    kind="claims", initial=Series(), decide=decide, evolve=evolve, events=classes_of(Event)
)
