"""Whether the rules let somebody play, what is late, and what is claimed in a series: found out before deciding."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from services.registration.domain import homes, series
from services.registration.domain.homes import Homes
from services.registration.domain.series import (
    CLAIMS,
    ChooseCategory,
    Claiming,
    FeesSeen,
    LeaveCategory,
    MakeClaims,
    PlaceLimit,
    ReleaseClaim,
    Releasing,
    Series,
    TeamClaim,
)
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.admission import from_where, most_of
from services.registration.domain.tournament.decider import Command
from services.registration.domain.tournament.entrants import Also, ProposedEntry, StruckOff, Withdrawn
from services.registration.domain.tournament.payments import division_of, is_once, payer_with
from services.registration.domain.tournament.reasons import team_clause
from services.registration.domain.tournament.states import AnnouncedTournament, Plan, State, known
from services.registration.eligibility import conditions, deadlines
from services.registration.eligibility.conditions import Entering
from shared.clock import Now
from shared.commands.handler import ActPart, Handler, StreamAppend
from shared.http.authorization import Act
from shared.personal.particulars import NOTHING_KNOWN, Particulars, ParticularsOf
from shared.refusals import Refusal
from shared.values import Value

type HomesHandler = Handler[Homes, homes.Command, homes.Event]
type PersonsOf = Callable[[str, Collection[str]], Awaitable[Collection[str]]]  # of a federation, those of these
type ClaimsHandler = Handler[Series, series.Command, series.Event]


class Background(Value):
    """Where entrants come from, and what is known of persons: also of those whom a request makes known."""

    homes: Homes
    known: dict[str, Particulars]

    def of(self, persons: Iterable[str]) -> Mapping[str, Particulars]:
        return {one: self.known.get(one, NOTHING_KNOWN) for one in persons}

    def entering(self, also: Also, plan: Plan) -> Entering:
        school = self.homes.known.get(also.school) if also.school else None
        types = school.types if school else None
        return Entering(declared=frozenset(also.declared), school_types=types, starts_on=plan.starts_on)


class Judge(Value):
    """Looks up what orders of a tournament are judged by, before they are decided."""

    homes: HomesHandler
    series: ClaimsHandler
    particulars: ParticularsOf
    persons_of: PersonsOf
    now: Now

    async def background(self, plan: Plan, persons: Collection[str]) -> Background:
        """What many entries are judged by; nobody is looked up where no rule asks for it."""
        homes, _ = await self.homes.load(plan.federation)
        entry = plan.ruleset.entry
        asked = entry.conditions or entry.particulars or plan.ruleset.lists
        return Background(homes=homes, known=dict(await self.known(plan, persons if asked else [])))

    async def known(self, plan: Plan, persons: Collection[str]) -> Mapping[str, Particulars]:
        """What the federation knows of its own persons; of others nothing is known here, and nothing follows for them."""
        return await self.particulars.of(await self.persons_of(plan.federation, persons))

    async def again(self, entrant: str, also: Also, state: AnnouncedTournament) -> tuple[facts.ConditionVerdict, ...]:
        persons = (*state.roster.entrants[entrant].said.persons, *also.substitutes)
        background = await self.background(state.plan, persons)
        return conditions.verdicts(state.plan.ruleset, background.of(persons), background.entering(also, state.plan))

    def passed(self, plan: Plan) -> frozenset[str]:
        starts_on, zone = date.fromisoformat(plan.starts_on), ZoneInfo(plan.time_zone)
        passed = deadlines.passed(plan.ruleset, starts_on, zone, self.now())
        until = plan.entries_close if "confirmation" in plan.ruleset.entry.rule_ids else None
        return passed | {"confirmation"} if until and deadlines.as_stored(self.now()) >= until else passed

    def is_late(self, plan: Plan) -> bool:
        starts_on, zone = date.fromisoformat(plan.starts_on), ZoneInfo(plan.time_zone)
        return deadlines.check_in_is_over(plan.ruleset, starts_on, zone, self.now(), plan.postponed)

    def today(self, plan: Plan) -> str:
        """The date at the place of the tournament."""
        return self.now().astimezone(ZoneInfo(plan.time_zone)).date().isoformat()

    def is_ahead(self, day: date) -> bool:
        """Tell whether a day has begun nowhere yet; money that is credited tomorrow may be known today."""
        return day > self.now().astimezone(UTC).date() + timedelta(days=1)

    # What may be had once in a series

    def claims(
        self, entries: Sequence[ProposedEntry], plan: Plan, act: Act, *, paying: bool = False
    ) -> Sequence[ActPart]:
        order = claiming(entries, plan, paying=paying)
        return [self._part(plan, order, act)] if order else []

    def claims_of_field(
        self, plan: Plan, series: str | None, tournaments: Handler[State, Command, facts.Event], act: Act
    ) -> Sequence[ActPart]:
        """What those who have entered a tournament claim once it gets the series that it lacked."""
        named = replace(plan, series=series)
        if plan.series is not None or claiming([], named) is None:
            return ()

        async def claimed() -> StreamAppend:
            state, _ = await tournaments.load(plan.tournament)
            roster = known(state).roster
            there = [
                ProposedEntry(entrant=one.entrant, said=one.said, also=roster.details_of(one.entrant).also)
                for one in (*roster.coming, *roster.waiting)
            ]
            (part,) = self.claims(there, named, act)
            return await part()

        return [claimed]

    async def with_fees(self, entries: Sequence[ProposedEntry], plan: Plan) -> list[ProposedEntry]:
        """Each entry with the tournaments of the series in which its fee was settled."""
        if not is_once(plan):
            return [*entries]
        state, _ = await self.series_of(plan)
        division = division_of(plan)
        return [replace(one, settled_in=state.settled_in(division, payer_with(one, plan))) for one in entries]

    async def series_of(self, plan: Plan) -> tuple[Series, int]:
        return await self.series.load(plan.series_id)

    async def claim_faults(self, entries: Sequence[ProposedEntry], plan: Plan) -> list[tuple[int, str]]:
        """Why some of them cannot have what they claim, if the others before them get it."""
        each = [order for entry in entries if (order := claiming([entry], plan)) is not None]
        if not each:
            return []
        state, _ = await self.series_of(plan)
        found: list[tuple[int, str]] = []
        for place, order in enumerate(each):
            try:
                made = CLAIMS.decide(state, order)
            except Refusal as refusal:
                found.append((place, str(refusal)))
            else:
                state = CLAIMS.fold(made, state)
        return found

    def release(
        self, entrants: Sequence[str], plan: Plan, tournaments: Handler[State, Command, facts.Event], act: Act
    ) -> Sequence[ActPart]:
        """Whoever withdraws before the start makes room for others; who was gone before has done so then."""
        if plan.series is None:
            return ()

        async def released() -> StreamAppend:
            state, _ = await tournaments.load(plan.tournament)
            return await self._part(plan, releasing(entrants, known(state)), act)()

        return [released]

    def _part(self, plan: Plan, order: Claiming | Releasing, act: Act) -> ActPart:
        return self.series.part(plan.series_id, order, scope=plan.federation, origin=act.origin)


def claiming(entries: Sequence[ProposedEntry], plan: Plan, *, paying: bool = False) -> Claiming | None:
    """What entries claim in the series of a tournament, where its rules have anything that may be had or is paid once."""
    rules = plan.ruleset.entry
    if plan.series is None:
        return None
    fees = fees_seen(entries, plan, paying=paying) if is_once(plan) else None
    is_exclusive = rules.category_once and rules.category is not None
    if is_exclusive or (fees is not None and rules.kind != "team"):
        return ChooseCategory(
            series=plan.series,
            tournament=plan.tournament,
            category=rules.category or division_of(plan),
            persons=tuple(person for entry in entries for person in entry.said.persons),
            clause=rules.rule_ids.get("category"),
            is_exclusive=is_exclusive,
            fees=fees,
        )
    if rules.team is None or not rules.team.base_once:
        return None
    return MakeClaims(
        series=plan.series,
        tournament=plan.tournament,
        level=plan.ruleset.id,
        claims=tuple(claim(entry, plan) for entry in entries),
        is_frozen=rules.team.frozen == "season",
        clause=team_clause(rules.team, "once"),
        frozen_clause=team_clause(rules.team, "frozen"),
        fees=fees,
    )


def fees_seen(entries: Sequence[ProposedEntry], plan: Plan, *, paying: bool) -> FeesSeen:
    known = {payer_with(one, plan): one.settled_in for one in entries}
    return FeesSeen(division=division_of(plan), settled_in=known, pays=paying)


def releasing(entrants: Sequence[str], state: AnnouncedTournament) -> Releasing:
    plan, roster = state.plan, state.roster
    there = [one for one in map(roster.entrants.get, entrants) if one and not isinstance(one, Withdrawn | StruckOff)]
    if plan.ruleset.entry.kind != "team":
        return LeaveCategory(
            tournament=plan.tournament, persons=tuple(person for one in there for person in one.said.persons)
        )
    teams = tuple(roster.details_of(one.entrant).also.team or one.entrant for one in there)
    return ReleaseClaim(tournament=plan.tournament, teams=teams)


def claim(entry: ProposedEntry, plan: Plan) -> TeamClaim:
    limits = [
        PlaceLimit(place=place, most=most_of(quota, entry.also), clause=quota.rule_id)
        for quota in plan.ruleset.entry.quotas
        if (place := from_where(entry.also, quota)) is not None
    ]
    return TeamClaim(
        team=entry.also.team or entry.entrant,
        persons=entry.said.persons,
        substitutes=entry.also.substitutes,
        limits=tuple(limits),
    )
