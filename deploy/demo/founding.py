"""From nothing to a tournament that runs: a federation, its officials, 24 players who are all there."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from deploy.demo.asking import Network, Person
from deploy.demo.cast import ARBITER, PLAYERS, RULESET, SCORERS, Player
from deploy.tokens import OPERATOR

STAGE = "swiss"


@dataclass(frozen=True, kw_only=True, slots=True)
class Cup:
    """A tournament that runs."""

    id: str
    players: Mapping[str, Player]  # by the ids under which they have entered
    started: str | None  # the position of the start: whoever looks after it knows the tournament

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.id}"

    @property
    def stage(self) -> str:
        return f"{self.path}/stages/{STAGE}"


def director(network: Network) -> Person:
    return network.person(OPERATOR)  # who founds a federation directs it


async def found(network: Network, today: date) -> Cup:
    director_ = director(network)
    federation = await found_federation(director_)
    plan = {
        "federation": federation,
        "name": "Demo Cup",
        "ruleset": RULESET,
        "time_zone": "Europe/Bratislava",
        "starts_on": today.isoformat(),
    }
    announced = await director_.act("registration", "/v1/tournaments", plan)
    tournament: str = announced.body["id"]
    path = f"/v1/tournaments/{tournament}"
    await director_.act("registration", f"{path}/open")
    players = await enter(director_, path)
    await director_.act("registration", f"{path}/open-check-in")
    await director_.act("registration", f"{path}/check-in", {})
    started = await director_.act("registration", f"{path}/start")
    return Cup(id=tournament, players=players, started=started.position)


async def found_federation(director: Person) -> str:
    founded = await director.act("registration", "/v1/federations", {"name": "Scrabble Demo Federation"})
    federation: str = founded.body["id"]
    for subject, role in ((ARBITER, "arbiter"), *((scorer, "scorer") for scorer in SCORERS)):
        office = {"subject": subject, "role": role}
        await director.act("registration", f"/v1/federations/{federation}/officials", office)
    return federation


async def enter(director: Person, path: str) -> dict[str, Player]:
    """Entries have closed on the day of the tournament: the organiser decides to take them."""
    entries = [{"person": {"name": player.name}, "rating": player.rating} for player in PLAYERS]
    body = {"entrants": entries, "decision": "other"}
    entered = await director.act("registration", f"{path}/entrants/import", body)
    return {entrant["id"]: player for entrant, player in zip(entered.body["entrants"], PLAYERS, strict=True)}
