"""From nothing to a tournament that runs: a federation, its officials, a field of players who are all there."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import msgspec

from deploy.demo.asking import Network, Person
from deploy.demo.cast import ARBITER, RULESET, SCORERS, Player, cast
from deploy.demo.entering import TEAMS_OF_A_SCHOOL, announcement, chosen, entries, school_types
from deploy.tokens import OPERATOR
from shared.numbers import shown
from shared.rulesets.entry import Entry
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import announces_advance
from shared.values import Value

ADVANCE = 2  # how many go on, where that is announced
HOST = "host-school"
AHEAD = timedelta(days=14)  # entries are still open then


class Wanted(Value):
    """What is to be played."""

    ruleset: str = RULESET
    players: Sequence[Player] = ()  # none: as many as the demo of the ruleset has
    options: Mapping[str, Any] = msgspec.field(default_factory=dict[str, Any])


SCRABBLE = Wanted()


class Cup(Value):
    """A tournament that runs."""

    id: str
    ruleset: Ruleset
    players: Mapping[str, Player]  # by the ids under which they have entered
    persons: Mapping[str, Sequence[str]]  # of whom each consists
    started: str | None  # the position of the start: whoever looks after it knows the tournament

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.id}"

    @property
    def stage(self) -> str:
        """The first one."""
        return self.of(self.ruleset.stages[0].id)

    def of(self, stage: str) -> str:
        return f"{self.path}/stages/{stage}"


def director(network: Network) -> Person:
    return network.person(OPERATOR)  # who founds a federation directs it


async def found(network: Network, today: date, wanted: Wanted = SCRABBLE) -> Cup:
    director_ = director(network)
    ruleset = await rules_of(director_, wanted.ruleset)
    players = wanted.players or cast(wanted.ruleset)
    federation = await found_federation(director_)
    schools = await found_schools(director_, federation, ruleset, len(players))
    said = {"federation": federation, "options": wanted.options, **({"host": schools[0]} if schools else {})}
    tournament = await announce(director_, ruleset, today + AHEAD, said)
    several = list(entries(ruleset, players, schools))
    entered = await enter(director_, tournament, ruleset, several, today)
    by_id = {one["id"]: player for one, player in zip(entered, players, strict=True)}
    return await start(director_, tournament, ruleset, by_id)


async def rules_of(director: Person, ruleset: str) -> Ruleset:
    return chosen(Ruleset.model_validate(await director.look("registration", f"/v1/rulesets/{ruleset}")))


async def announce(director: Person, ruleset: Ruleset, on: date, said: Mapping[str, Any]) -> str:
    """Open for entries; what was said of it goes before what the demo says of any."""
    plan: dict[str, Any] = {
        "name": "Demo Cup",
        "ruleset": ruleset.id,
        "time_zone": "Europe/Bratislava",
        "starts_on": on.isoformat(),
        "first_round": "09:00",
        **announcement(ruleset),
    }
    announced = await director.act("registration", "/v1/tournaments", {**plan, **said})
    tournament: str = announced.body["id"]
    path = f"/v1/tournaments/{tournament}"
    if ruleset.entry.director:
        await director.act("registration", f"{path}/officials", {"subject": OPERATOR, "role": "director"})
    if announces_advance(ruleset):
        await director.act("registration", f"{path}/announce-advance", {"advance": ADVANCE})
    await director.act("registration", f"{path}/open")
    return tournament


async def enter(
    director: Person, tournament: str, ruleset: Ruleset, several: Sequence[Mapping[str, Any]], today: date
) -> Sequence[Mapping[str, Any]]:
    path = f"/v1/tournaments/{tournament}/entrants"
    entered = (await director.act("registration", f"{path}/import", {"entrants": several})).body["entrants"]
    for place, one in enumerate(entered):
        await prepare(director, f"{path}/{one['id']}", ruleset.entry, today, is_host=not place)
    return entered


async def start(director: Person, tournament: str, ruleset: Ruleset, players: Mapping[str, Player]) -> Cup:
    """With those of the players who have a place."""
    path = f"/v1/tournaments/{tournament}"
    await director.act("registration", f"{path}/open-check-in")
    await director.act("registration", f"{path}/check-in", {})
    size = {"decision": "demo"} if ruleset.entry.size.overridden else None
    started = await director.act("registration", f"{path}/start", size)
    listed = (await director.look("registration", f"{path}/entrants", after=started.position))["items"]
    persons = {one["id"]: [person["id"] for person in one["persons"]] for one in listed if one["number"]}
    return Cup(
        id=tournament,
        ruleset=ruleset,
        players={one: players[one] for one in persons},
        persons=persons,
        started=started.position,
    )


async def found_federation(director: Person) -> str:
    founded = await director.act("registration", "/v1/federations", {"name": "Demo Federation"})
    federation: str = founded.body["id"]
    offices = ((OPERATOR, "council"), (ARBITER, "arbiter"), *((scorer, "scorer") for scorer in SCORERS))
    for subject, role in offices:
        office = {"subject": subject, "role": role}
        await director.act("registration", f"/v1/federations/{federation}/officials", office)
    return federation


async def found_schools(director: Person, federation: str, ruleset: Ruleset, teams: int) -> Sequence[str]:
    """Where the rules ask of which school somebody is."""
    types = school_types(ruleset.entry)
    if not types:
        return ()
    path = f"/v1/federations/{federation}/homes"
    schools = [
        {"kind": "school", "name": f"School {number}", "types": types}
        for number in range(1, (teams + TEAMS_OF_A_SCHOOL - 1) // TEAMS_OF_A_SCHOOL + 1)
    ]
    return [(await director.act("registration", path, school)).body["id"] for school in schools]


async def prepare(director: Person, entrant: str, entry: Entry, today: date, *, is_host: bool) -> None:
    """What an entry lacks before it may start: a place is confirmed, a fee is paid or waived."""
    if any(one.of == "confirmation" for one in entry.deadlines):
        await director.act("registration", f"{entrant}/confirm")
    for fee in entry.fees[:1] if entry.payment != "recorded" else ():
        if is_host and HOST in fee.waived_for:
            await director.act("registration", f"{entrant}/waivers/request", {"ground": HOST})
            await director.act("registration", f"{entrant}/waivers/grant", {"ground": HOST})
        else:
            paid = {"amount": shown(fee.amount), "currency": fee.currency, "on": today.isoformat()}
            await director.act("registration", f"{entrant}/payments", paid | {"reference": entrant.rpartition("/")[2]})
