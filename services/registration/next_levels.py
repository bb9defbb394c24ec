"""Between tournaments: who comes from one, or from a season, to the next, put together out of both."""

import dataclasses
from collections.abc import Awaitable, Callable, Collection, Container, Iterable, Mapping, Sequence
from uuid import UUID, uuid5

from msgspec.structs import replace

from services.registration.domain.seasons import Command as SeasonsCommand
from services.registration.domain.seasons import Event as SeasonsEvent
from services.registration.domain.seasons import OpenedSeason, Seasons
from services.registration.domain.series import Claiming
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.entrants import Also, EntrySaid, LineUp, ProposedEntry
from services.registration.domain.tournament.levels import Comer, TakeIn, with_places
from services.registration.domain.tournament.places_and_reserves import has_place
from services.registration.domain.tournament.states import AnnouncedTournament, Plan, known
from services.registration.eligibility import conditions
from services.registration.eligibility.judge import Background, Judge, claiming
from services.registration.eligibility.membership import Membership
from services.registration.streams import TournamentHandler, announced
from shared.commands.handler import Handler
from shared.commands.transactional import Within
from shared.log.connection import Connection
from shared.personal.names import Names
from shared.rulesets.schema import Ruleset
from shared.rulesets.stages import Complement
from shared.values import Value

ENTRANTS = UUID("5c1f5b0e-6f0e-4c1e-9d5a-6f3a3f6f4b52")  # names the ids of entrants that come from elsewhere
ON_THE_DAY = "on-site"  # is declared for one tournament only

type FindPersonHere = Callable[[str, Plan], Awaitable[str | None]]  # the id that counts of somebody, for a tournament
type FindErased = Callable[[str], Awaitable[bool]]
type StillHere = Callable[[Collection[str], Plan], Awaitable[Mapping[str, int]]]  # their streams, on which one relies


class FormerLevel(Value):
    """A tournament whose best go on, or a season in which somebody has qualified: there, persons come by themselves."""

    identity: str
    name: str
    next_level: str | None
    otherwise: str | None
    ranked: Sequence[tuple[int, str]] | None  # all who could come, best first; none before their order is decided
    advance: int | None  # so many of them by right; none where nobody has said how many
    there: AnnouncedTournament | None = None  # where it is a tournament

    def members(self, former: str) -> tuple[str, ...]:
        """Everybody of an entrant, with substitutes."""
        if self.there is None:
            return (former,)
        return (*self.persons(former), *registered(self.there, former).substitutes)

    def persons(self, former: str) -> tuple[str, ...]:
        return (former,) if self.there is None else registered(self.there, former).persons


class Levels(Value):
    tournaments: TournamentHandler
    seasons: Handler[Seasons, SeasonsCommand, SeasonsEvent]
    judge: Judge
    membership: Membership
    known_here: FindPersonHere
    is_erased: FindErased
    still_here: StillHere

    def within(self, connection: Connection) -> "Levels":
        """Make the same as part of a transaction that is open."""
        store = Within(connection)
        series = dataclasses.replace(self.judge.series, store=store)
        return replace(
            self,
            tournaments=dataclasses.replace(self.tournaments, store=store),
            seasons=dataclasses.replace(self.seasons, store=store),
            judge=replace(self.judge, series=series),
        )

    async def origin(self, identity: str, federation: str) -> FormerLevel:
        seasons, _ = await self.seasons.load(federation)
        season = seasons.opened.get(identity)
        if season is not None:
            return of_season(identity, season)
        return of_tournament(await announced(self.tournaments, identity))

    async def coming(
        self, origin: str, tournament: str, *, advance: int | None = None, by_hand: bool = False
    ) -> TakeIn | None:
        """Everybody who could come, best first; there is nobody before their order is decided."""
        here = await announced(self.tournaments, tournament)
        there = await self.origin(origin, here.plan.federation)
        if there.ranked is None:
            return None
        elsewhere = await self._placed_elsewhere(there, tournament)
        entrants = [(place, entrant) for place, entrant in there.ranked if entrant not in elsewhere]
        number = advance if there.advance is None else there.advance
        if there.otherwise == tournament:
            number = None if here.plan.ruleset.entry.size.most else len(entrants)
        if goes_straight_on(here.plan.ruleset):
            entrants = entrants[: number or 0]
        comers, known = await self._comers(there, here.plan, entrants)
        passed = self.judge.passed(here.plan)
        return TakeIn(origin=origin, comers=comers, by_right=number, by_hand=by_hand, passed=passed, known=known)

    async def _placed_elsewhere(self, there: FormerLevel, tournament: str) -> frozenset[str]:
        """Find who has a place in the first of two tournaments that they could go to."""
        if there.otherwise != tournament or there.next_level is None:
            return frozenset()
        first = (await announced(self.tournaments, there.next_level)).roster
        return frozenset(
            details.qualified.former
            for entrant, details in first.details.items()
            if details.qualified and details.qualified.origin == there.identity and has_place(first, entrant)
        )

    async def _comers(
        self, there: FormerLevel, plan: Plan, entrants: Sequence[tuple[int, str]]
    ) -> tuple[tuple[Comer, ...], tuple[str, ...]]:
        """All of them, and the ids of those whom the federation knows."""
        former_ids = {person for _, one in entrants for person in there.members(one)}
        known = {person: await self.known_here(person, plan) for person in former_ids}
        ids = {person: here or person for person, here in known.items()}
        erased = {person for person, here in known.items() if here is None and await self.is_erased(person)}
        background = await self.judge.background(plan, ids.values())
        comers = [
            Comer(
                former=former,
                place=place,
                entry=entry(there, former, place, plan, ids, background),
                is_erased=is_nobody(there.persons(former), erased, plan),
            )
            for place, former in entrants
        ]
        entries = [await self._with_membership(one.entry, plan) for one in comers]
        entries = await self.judge.with_fees(entries, plan)
        coming = [said for comer, said in zip(comers, entries, strict=True) if not comer.is_erased]
        why = {coming[index].entrant: fault for index, fault in await self.judge.claim_faults(coming, plan)}
        judged = tuple(
            replace(comer, entry=said, obstacle=why.get(said.entrant))
            for comer, said in zip(comers, entries, strict=True)
        )
        return judged, tuple({here for here in known.values() if here is not None})

    async def _with_membership(self, one: ProposedEntry, plan: Plan) -> ProposedEntry:
        """Whoever has qualified has played, and is a member or not by the roll of this season."""
        declared = await self.membership.declared(one.also.declared, one.said.persons, plan, has_played=True)
        return replace(one, also=replace(one.also, declared=declared))

    async def claims(self, order: TakeIn, tournament: str) -> tuple[Sequence[ProposedEntry], Claiming | None]:
        """Who comes in, and what they claim in the series of the tournament."""
        state, events = await self.tournaments.foresee(tournament, order)
        entered = those_who_enter(order, events)
        return entered, claiming(entered, known(state).plan) if entered else None


def registered(there: AnnouncedTournament, former: str) -> LineUp:
    """What a team entered with: who came in for somebody, or spoke for it, did so in that tournament only."""
    details, said = there.roster.details_of(former), there.roster.entrants[former].said
    entered = LineUp(persons=said.persons, substitutes=details.also.substitutes, captain=details.also.captain)
    return details.registered or entered


def of_tournament(there: AnnouncedTournament) -> FormerLevel:
    noted, advance, ranked = there.roster.order, there.plan.advance, None
    if noted is not None:
        ranked = [(place, one) for place, one in with_places(noted.order) if one in there.roster.entrants]
        advance = None if noted.advance is None else len(ranked) - len(noted.reserves)
    return FormerLevel(
        identity=there.plan.tournament,
        name=there.plan.name,
        next_level=there.plan.next_level,
        otherwise=there.plan.otherwise,
        ranked=ranked,
        advance=advance,
        there=there,
    )


def of_season(identity: str, season: OpenedSeason) -> FormerLevel:
    """Whoever is in goes first, the champion too, whatever place that is."""
    rows = season.qualification
    return FormerLevel(
        identity=identity,
        name=season.name,
        next_level=season.next_level,
        otherwise=season.otherwise,
        ranked=rows
        if rows is None
        else [(row.place, row.person) for row in sorted(rows, key=lambda row: not row.qualified)],
        advance=None if rows is None else sum(row.qualified for row in rows),
    )


def those_who_enter(order: TakeIn, events: Iterable[facts.Event]) -> Sequence[ProposedEntry]:
    entered = {event.entrant for event in events if isinstance(event, facts.EntrantEntered)}
    return [comer.entry for comer in order.comers if comer.entry.entrant in entered]


async def called_as_before(names: Names, order: TakeIn, entered: Iterable[ProposedEntry]) -> Mapping[str, str]:
    """What teams and pairs are called in the tournament that they come to; persons have names of their own."""
    new = {one.entrant for one in entered if len(one.said.persons) > 1}
    former = {comer.former: comer.entry.entrant for comer in order.comers if comer.entry.entrant in new}
    return {former[one]: name for one, name in (await names.in_full(former)).items()}


def entry(
    there: FormerLevel, former: str, place: int, plan: Plan, ids: Mapping[str, str], background: Background
) -> ProposedEntry:
    """They come with the same persons, and with all that was said of them. Where places seed, theirs is the key."""
    rules = plan.ruleset
    was = there.there.roster.entrants[former].said if there.there else EntrySaid(persons=(former,))
    also = also_there(there.there, former, plan, ids) if there.there else Also()
    said = EntrySaid(
        persons=tuple(ids[person] for person in there.persons(former)),
        rating=was.rating,
        key=place if rules.entry.seeding.by in ("tiers", "carried") else None,
        lists=tuple(one for one in was.lists if one in {known.id for known in rules.lists}),
    )
    members = (*said.persons, *also.substitutes)
    judged = conditions.verdicts(rules, background.of(members), background.entering(also, plan))
    identity = uuid5(ENTRANTS, f"{plan.tournament} {there.identity} {former}")
    return ProposedEntry(entrant=str(identity), said=said, also=also, verdicts=judged)


def is_nobody(persons: Sequence[str], erased: Container[str], plan: Plan) -> bool:
    """A team goes on as it was entered while there is anybody left of it; a player or a pair is these very persons."""
    gone = [person in erased for person in persons]
    return all(gone) if plan.ruleset.entry.kind == "team" else any(gone)


def also_there(there: AnnouncedTournament, former: str, plan: Plan, ids: Mapping[str, str]) -> Also:
    """A team keeps its id; points are brought along where the rules count them."""
    also, rules, noted = there.roster.details_of(former).also, plan.ruleset, there.roster.order
    line_up = registered(there, former)
    brings = goes_straight_on(rules) or rules.entry.seeding.by == "carried"
    return replace(
        also,
        substitutes=tuple(ids[person] for person in line_up.substitutes),
        captain=line_up.captain and ids.get(line_up.captain, line_up.captain),
        team=(also.team or former) if rules.entry.kind == "team" else None,
        declared=tuple(one for one in also.declared if one != ON_THE_DAY),
        carried=noted.points.get(former, 0) if noted and brings else 0,
        direct=goes_straight_on(rules),
        direct_source=there.plan.tournament if goes_straight_on(rules) else None,
    )


def goes_straight_on(ruleset: Ruleset) -> bool:
    """Tell whether those who come are qualified for a later stage of the next tournament."""
    return any(isinstance(one.field, Complement) for one in ruleset.stages)
