"""Between tournaments: who comes from one to the next, put together out of both."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid5

from services.registration.domain.claims import MakeClaims
from services.registration.domain.tournament import Command, Event, State, facts, known
from services.registration.domain.tournament.entry_orders import Also
from services.registration.domain.tournament.level_orders import Comer, TakeIn
from services.registration.domain.tournament.levels import in_order
from services.registration.domain.tournament.places import has_a_place
from services.registration.domain.tournament.saying import Entry, Said
from services.registration.domain.tournament.states import Known, Plan
from services.registration.eligibility import judging
from services.registration.judge import Background, Judge, claims_of
from shared.handle import Handler
from shared.names import Names
from shared.postgres import Connection
from shared.rulesets.schema import Ruleset
from shared.rulesets.stages import Complement
from shared.within import Within

ENTRANTS = UUID("5c1f5b0e-6f0e-4c1e-9d5a-6f3a3f6f4b52")  # names the ids of entrants that come from elsewhere
ON_THE_DAY = "on-site"  # is declared for one tournament only


@dataclass(frozen=True, kw_only=True)
class Levels:
    tournaments: Handler[State, Command, Event]
    judge: Judge

    def within(self, connection: Connection) -> "Levels":
        """The same as part of a transaction that is open."""
        store = Within(connection)
        series = replace(self.judge.series, store=store)
        return Levels(tournaments=replace(self.tournaments, store=store), judge=replace(self.judge, series=series))

    async def state(self, tournament: str) -> Known:
        state, _ = await self.tournaments.load(tournament)
        return known(state)

    async def coming(
        self, origin: str, tournament: str, *, advance: int | None = None, by_hand: bool = False
    ) -> TakeIn | None:
        """All who could come, best first; nothing before their order is decided."""
        there, here = await self.state(origin), await self.state(tournament)
        noted = there.roster.order
        if noted is None:
            return None
        elsewhere = await self._placed_elsewhere(there, tournament)
        entrants = [(place, entrant) for place, entrant in in_order(noted) if entrant not in elsewhere]
        number = len(entrants) - len(noted.reserves) if noted.advance is not None else advance
        if there.plan.otherwise == tournament:
            number = None if here.plan.ruleset.entry.size.most else len(entrants)
        if goes_straight_on(here.plan.ruleset):
            entrants = entrants[: number or 0]
        comers = await self._comers(there, here.plan, entrants)
        return TakeIn(origin=origin, comers=comers, by_right=number, by_hand=by_hand)

    async def _placed_elsewhere(self, there: Known, tournament: str) -> frozenset[str]:
        """Of those who go to a second tournament: who has a place in the first one."""
        if there.plan.otherwise != tournament or there.plan.next_level is None:
            return frozenset()
        first = (await self.state(there.plan.next_level)).roster
        return frozenset(
            details.qualified.former
            for entrant, details in first.details.items()
            if details.qualified and details.qualified.origin == there.plan.tournament and has_a_place(first, entrant)
        )

    async def _comers(self, there: Known, plan: Plan, entrants: Sequence[tuple[int, str]]) -> tuple[Comer, ...]:
        people = {person for _, one in entrants for person in members(there, one)}
        background = await self.judge.background(plan, people)
        comers = [
            Comer(former=former, place=place, entry=entry(there, former, place, plan, background))
            for place, former in entrants
            if former in there.roster.entrants
        ]
        why = dict(await self.judge.claim_faults([one.entry for one in comers], plan))
        return tuple(replace(comer, obstacle=why.get(index)) for index, comer in enumerate(comers))

    async def claims(self, order: TakeIn, tournament: str) -> tuple[Sequence[Entry], MakeClaims | None]:
        """Who comes in, and what they claim in the series of the tournament."""
        state, events = await self.tournaments.foresee(tournament, order)
        entered = those_who_enter(order, events)
        plan = known(state).plan
        team = plan.ruleset.entry.team
        if not entered or plan.series is None or team is None or not team.base_once:
            return entered, None
        return entered, claims_of(entered, plan.series, team, plan)


def those_who_enter(order: TakeIn, events: Iterable[Event]) -> Sequence[Entry]:
    entered = {event.entrant for event in events if isinstance(event, facts.EntrantEntered)}
    return [comer.entry for comer in order.comers if comer.entry.entrant in entered]


async def called_as_before(names: Names, order: TakeIn, entered: Iterable[Entry]) -> Mapping[str, str]:
    """What teams and pairs are called in the tournament that they come to."""
    new = {one.entrant for one in entered}
    former = {comer.former: comer.entry.entrant for comer in order.comers if comer.entry.entrant in new}
    return {former[one]: name for one, name in (await names.of(former)).items()}


def members(there: Known, entrant: str) -> tuple[str, ...]:
    found = there.roster.entrants.get(entrant)
    return (*found.said.persons, *there.roster.details_of(entrant).also.substitutes) if found else ()


def entry(there: Known, former: str, place: int, plan: Plan, background: Background) -> Entry:
    """With the same persons, and all that was said of them; where places seed, theirs is the key."""
    was, also = there.roster.entrants[former].said, also_there(there, former, plan)
    rules = plan.ruleset
    said = Said(
        persons=was.persons,
        rating=was.rating,
        key=place if rules.entry.seeding.by == "tiers" else None,
        lists=tuple(one for one in was.lists if one in {known.id for known in rules.lists}),
    )
    judged = judging.verdicts(rules, background.of(members(there, former)), background.entering(also, plan))
    identity = uuid5(ENTRANTS, f"{plan.tournament} {there.plan.tournament} {former}")
    return Entry(entrant=str(identity), said=said, also=also, verdicts=judged)


def also_there(there: Known, former: str, plan: Plan) -> Also:
    """A team keeps its id; points are brought along where the rules count them."""
    also, rules, noted = there.roster.details_of(former).also, plan.ruleset, there.roster.order
    brings = goes_straight_on(rules) or rules.entry.seeding.by == "carried"
    return replace(
        also,
        team=(also.team or former) if rules.entry.kind == "team" else None,
        declared=tuple(one for one in also.declared if one != ON_THE_DAY),
        carried=noted.points.get(former, 0) if noted and brings else 0,
        direct=goes_straight_on(rules),
        direct_source=there.plan.tournament if goes_straight_on(rules) else None,
    )


def goes_straight_on(ruleset: Ruleset) -> bool:
    """Whether those who come are qualified for a later stage of the next tournament."""
    return any(isinstance(one.field, Complement) for one in ruleset.stages)
