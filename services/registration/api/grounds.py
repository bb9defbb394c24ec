"""What an announcement rests on: the ruleset that it names, and the places of the federation that it is held at."""

from collections.abc import Iterator
from dataclasses import dataclass

from services.registration.api.eligible import HomesHandler
from services.registration.api.plan_forms import TournamentToAnnounce
from services.registration.api.rulesets import Shelf
from services.registration.domain.homes import Homes
from services.registration.domain.rulesets import VersionUnknown
from shared.faults import Fault, Faulty
from shared.rulesets.catalogue import RulesetUnknown
from shared.rulesets.schema import Ruleset

SENTENCE = "This tournament cannot be announced: mend what errors name."
PLACES = {"region": ("region",), "host": ("school", "club"), "hall": ("hall",)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Grounds:
    ruleset: Ruleset | Fault | None  # none was named
    homes: Homes

    def named(self) -> Ruleset:
        if isinstance(self.ruleset, Ruleset):
            return self.ruleset
        raise Faulty(SENTENCE, [self.ruleset] if self.ruleset else [])

    def place_faults(self, body: TournamentToAnnounce) -> Iterator[Fault]:
        for name, kinds in PLACES.items():
            place = getattr(body, name)
            home = self.homes.known.get(place) if place else None
            if place and (home is None or home.kind not in kinds):
                yield Fault(f"/{name}", f"is no {' or '.join(kinds)} of the federation: register it first")

    def capacity(self, body: TournamentToAnnounce) -> int | None:
        home = self.homes.known.get(body.hall) if body.hall else None
        return home.capacity if home else None


async def grounds_of(body: TournamentToAnnounce, shelf: Shelf, homes: HomesHandler) -> Grounds:
    known, _ = await homes.load(body.federation)
    return Grounds(ruleset=await named(body, shelf), homes=known)


async def named(body: TournamentToAnnounce, shelf: Shelf) -> Ruleset | Fault | None:
    if not isinstance(body.ruleset, str):
        return None
    try:
        return await shelf.find(body.ruleset, body.ruleset_version)
    except RulesetUnknown as unknown:
        return Fault("/ruleset", str(unknown))
    except VersionUnknown as unknown:
        return Fault("/ruleset_version", str(unknown))


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


def within(ruleset: Ruleset, room: int | None, wanted: int | None) -> Ruleset:
    """With no more places than the hall has."""
    if room is None:
        return ruleset
    size = ruleset.entry.size
    if room < size.least:
        raise Faulty(SENTENCE, [Fault("/hall", f"has room for {room} entrants, and the rules want {size.least}")])
    if wanted is not None and wanted > room:
        raise Faulty(SENTENCE, [Fault("/entry/most", f"is more than the hall has room for: {room}")])
    narrowed = size.model_copy(update={"most": min(room, size.most or room)})
    return ruleset.model_copy(update={"entry": ruleset.entry.model_copy(update={"size": narrowed})})
