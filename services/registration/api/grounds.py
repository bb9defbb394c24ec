"""What an announcement rests on: the ruleset that it names, the season, and the places and persons of the federation."""

from collections.abc import Iterator

from services.registration.api.plan_forms import TournamentToAnnounce
from services.registration.api.rulesets import Shelf
from services.registration.api.seasons import SeasonsHandler
from services.registration.domain import person
from services.registration.domain.clubs_and_schools import Homes
from services.registration.domain.person import Unregistered
from services.registration.domain.rulesets import RulesetGone, VersionUnknown
from services.registration.domain.seasons import Counting, SaidOfSeason, Seasons, counted_as
from services.registration.eligibility.judge import HomesHandler
from shared.commands.handler import Handler
from shared.faults import Fault, Faulty, at
from shared.rulesets.catalogue import RulesetUnknown
from shared.rulesets.schema import Ruleset
from shared.values import Value

SENTENCE = "This tournament cannot be announced: mend what errors name."
OF_SEASON = ("season_kind", "rating_list", "organisers")
PLACES = {"region": ("region",), "host": ("school", "club"), "hall": ("hall",)}


class Grounds(Value):
    ruleset: Ruleset | Fault | None  # none was named
    homes: Homes
    seasons: Seasons
    strangers: tuple[int, ...] = ()  # of the organisers, by their place: nobody whom the federation knows

    def named(self) -> Ruleset:
        if isinstance(self.ruleset, Ruleset):
            return self.ruleset
        raise Faulty(SENTENCE, [self.ruleset] if self.ruleset else [])

    def place_faults(self, body: TournamentToAnnounce) -> Iterator[Fault]:
        for name in PLACES:
            yield from strange(name, getattr(body, name), self.homes)

    def counting(self, body: TournamentToAnnounce, ruleset: Ruleset) -> Counting | None:
        """As what it counts in which season."""
        found = [Fault(at("organisers", place), "is no person of the federation") for place in self.strangers]
        if body.season is None:
            said = [name for name in OF_SEASON if getattr(body, name)]
            found += [Fault(at(name), "goes with a season: name it, or leave this out") for name in said]
        elif body.season not in self.seasons.opened:
            found.append(Fault("/season", "is no season of the federation: open it first"))
        if found or body.season is None:
            return without(found)
        announced = SaidOfSeason(
            kind=body.season_kind,
            rating_list=body.rating_list,
            competition=body.competition,
            variant=body.variant,
        )
        kind, rating_list = counted_as(self.seasons.opened[body.season].rules, ruleset, announced, found)
        without(found)
        return Counting(season=body.season, kind=kind, rating_list=rating_list, organisers=body.organisers)


def strange(name: str, place: str | None, homes: Homes) -> Iterator[Fault]:
    """A region, host or hall that is none of the federation's."""
    home, kinds = homes.known.get(place) if place else None, PLACES[name]
    if place and (home is None or home.kind not in kinds):
        yield Fault(f"/{name}", f"is no {' or '.join(kinds)} of the federation: register it first")


def capacity(hall: str | None, homes: Homes) -> int | None:
    home = homes.known.get(hall) if hall else None
    return home.capacity if home else None


def without(faults: list[Fault]) -> None:
    if faults:
        raise Faulty(SENTENCE, faults)


class Planning(Value):
    """Where the grounds of an announcement are found."""

    shelf: Shelf
    homes: HomesHandler
    seasons: SeasonsHandler
    persons: Handler[person.State, person.Command, person.Event]

    async def grounds_of(self, body: TournamentToAnnounce) -> Grounds:
        homes, _ = await self.homes.load(body.federation)
        seasons, _ = await self.seasons.load(body.federation)
        known = [await self._is_known(person, body.federation) for person in body.organisers]
        return Grounds(
            ruleset=await named(body, self.shelf),
            homes=homes,
            seasons=seasons,
            strangers=tuple(place for place, is_known in enumerate(known) if not is_known),
        )

    async def _is_known(self, identity: str, federation: str) -> bool:
        state, _ = await self.persons.load(identity)
        return not isinstance(state, Unregistered) and state.federation == federation


async def named(body: TournamentToAnnounce, shelf: Shelf) -> Ruleset | Fault | None:
    if not isinstance(body.ruleset, str):
        return None
    try:
        return await shelf.offered(body.ruleset, body.ruleset_version)
    except RulesetUnknown as unknown:
        return Fault("/ruleset", str(unknown))
    except VersionUnknown as unknown:
        return Fault("/ruleset_version", str(unknown))
    except RulesetGone as gone:
        return Fault("/ruleset_version" if body.ruleset_version else "/ruleset", str(gone))


def room_for(ruleset: Ruleset, capacity: int | None) -> int | None:
    """Entrants that there is room for."""
    if capacity is None:
        return None
    entry = ruleset.entry
    match entry.kind:
        case "individual":
            return capacity
        case "pair":
            return capacity // 2
        case "team":
            return capacity // (entry.team.base if entry.team else 1)


def with_most(ruleset: Ruleset, most: int | None) -> Ruleset:
    size = ruleset.entry.size.model_copy(update={"most": most})
    return ruleset.model_copy(update={"entry": ruleset.entry.model_copy(update={"size": size})})


def within(ruleset: Ruleset, room: int | None, wanted: int | None) -> Ruleset:
    """With no more places than the hall has."""
    if room is None:
        return ruleset
    size = ruleset.entry.size
    if room < size.least:
        raise Faulty(SENTENCE, [Fault("/hall", f"has room for {room} entrants, and the rules want {size.least}")])
    if wanted is not None and wanted > room:
        raise Faulty(SENTENCE, [Fault("/entry/most", f"is more than the hall has room for: {room}")])
    return with_most(ruleset, min(room, size.most or room))
