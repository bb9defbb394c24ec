"""What spectators see of minors: a school tournament, one of school teams and a season are played with names that stand
out, and then everything that can be read without an office is read and searched for them.
"""

import asyncio
import functools
import json
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from itertools import product
from typing import Any

import httpx

from deploy import SERVICES
from deploy.demo.cast import CastPlayer
from deploy.demo.chance import DemoStory
from deploy.demo.client import Services, User
from deploy.demo.play import connected, play
from deploy.demo.preparation import Cup, CupPlan, director
from deploy.tokens import OPERATOR
from shared.clock import now
from shared.values import Value
from tests.documents import published, whole
from tests.e2e.scrabble_season import ScrabbleSeason
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform
from tests.listening import listening
from tests.patience import PATIENCE

FAMILIES = ("Qvorzel", "Wymbrack", "Yxtolar", "Zwickfro", "Brumpitz", "Drozhvik", "Fjolnemar", "Glunktor")
GIVEN = ("Alena", "Boris", "Cyril", "Dana", "Ema", "Filip", "Gita", "Hana")
PUPILS = tuple(CastPlayer(name=f"{given} {family}", rating=1000) for given, family in zip(GIVEN, FAMILIES, strict=True))
INDIVIDUAL, TEAMS = "pisqworky-2025-individual", "pisqworky-2025-ss-ot"
HEARD_WITHIN = PATIENCE

type Who = Mapping[str, str]  # headers


@functools.cache
def operations(service: str) -> Mapping[str, Any]:
    """By path and method; a service would take as long to make its document as to answer a hundred requests."""
    return whole(json.loads(published(service)))["paths"]


class Readings(Value):
    """Everything that can be read of some tournaments, by one who asks."""

    client: httpx.AsyncClient
    platform: Platform
    values: Mapping[str, Sequence[str]]  # of path parameters

    async def everything(self, who: Who) -> Mapping[str, httpx.Response]:
        """Not all that can be asked for is there: a stage of another tournament, say."""
        asked = [
            f"{service} {one}"
            for service in SERVICES
            for path, methods in operations(service).items()
            if "get" in methods and "/live" not in path
            for one in self.paths(path, methods["get"])
        ]
        answers = await self.read(asked, who)
        return {path: one for path, one in answers.items() if one.status_code != HTTPStatus.NOT_FOUND}

    async def read(self, paths: Iterable[str], who: Who) -> Mapping[str, httpx.Response]:
        urls = {service: self.platform.below(service) for service in SERVICES}
        asked = [(path, *path.split(" ", 1)) for path in paths]
        return {path: await self.client.get(f"{urls[service]}{at}", headers=who) for path, service, at in asked}

    def paths(self, path: str, operation: Mapping[str, Any]) -> Iterator[str]:
        """With everything that its parameters can be, as far as that is a choice."""
        parameters = operation.get("parameters", [])
        names = [one["name"] for one in parameters if one["in"] == "path"]
        assert set(names) <= self.values.keys(), f"{path} leads to something that this test has none of"
        for values in product(*(self.values[name] for name in names)):
            filled = path
            for name, value in zip(names, values, strict=True):
                filled = filled.replace(f"{{{name}}}", value)
            yield filled
            for one in parameters:
                if one["in"] == "query":
                    choices = one["schema"].get("enum", ())
                    yield from (f"{filled}?{one['name']}={choice}" for choice in choices)


@asynccontextmanager
async def network_of(platform: Platform) -> AsyncGenerator[Services]:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        yield network


async def values_of(official: User, cups: Sequence[Cup], seasons: Sequence[str] = ()) -> Mapping[str, Sequence[str]]:
    """Something of each kind that a path leads to."""
    entrants = [entrant for cup in cups for entrant in (*cup.players,)[:2]]
    persons = [person for cup in cups for several in (*cup.persons.values(),)[:2] for person in several[:1]]
    plans = [await official.look("registration", cup.path) for cup in cups]
    federations = sorted({plan["federation"] for plan in plans})
    games: list[str] = []
    for cup in cups:
        games += [one["id"] for one in (await official.look("results", f"{cup.stage}/rounds/1/games"))["items"][:1]]
    homes = [
        one["id"]
        for federation in federations
        for one in (await official.look("registration", f"/v1/federations/{federation}/homes"))["items"][:1]
    ]
    return {
        "tournament_id": [cup.id for cup in cups],
        "scope": [*(cup.id for cup in cups), *federations],
        "stage": sorted({one.id for cup in cups for one in cup.ruleset.stages}),
        "round": ["1", "2"],
        "table": ["1"],
        "entrant_id": entrants,
        "person_id": persons,
        "federation_id": federations,
        "game_id": games,
        "home_id": homes or ["none"],
        "season_id": list(seasons) or ["none"],
        "series": [INDIVIDUAL],
        "list_id": ["screlo", "live", "online"],
        "ruleset_id": [INDIVIDUAL],
        "record_id": ["none"],
        "word": ["ahoj"],
        "webhook_id": ["none"],
    }


def told(answers: Mapping[str, httpx.Response], secrets: Sequence[str]) -> set[str]:
    return {
        path
        for path, answer in answers.items()
        if any(
            secret.encode() in answer.content or json.dumps(secret)[1:-1].encode() in answer.content
            for secret in secrets
        )
    }


async def decide(official: User, tournament: str, shown_names: str) -> str | None:
    path = f"/v1/tournaments/{tournament}/decide-shown-names"
    return (await official.act("registration", path, {"shown_names": shown_names})).position


async def until_told(official: User, position: str | None, cup: Cup) -> None:
    """Every service that rests on it has heard it."""
    stage = cup.stage
    paths = {"pairing": f"{stage}/rounds", "results": f"{stage}/rounds/1/games", "standings": f"{stage}/standings"}
    for service, path in paths.items():
        await official.look(service, path, after=position)


async def test_no_answer_without_an_office_tells_who_a_pupil_is(platform: Platform) -> None:
    official = signed(platform, OPERATOR)
    spectators = {"nobody": {}, "a stranger": signed(platform, "stranger")}
    async with network_of(platform) as network, httpx.AsyncClient(timeout=PATIENCE) as client:
        lines: list[str] = []
        wanted = [
            CupPlan(ruleset=INDIVIDUAL, players=PUPILS, options={"pairing.rounds": 3}),
            CupPlan(ruleset=TEAMS, players=PUPILS[:4]),
        ]
        cups = [
            await play(network, lines.append, today=now().date(), pace=0, story=DemoStory(), wanted=one)
            for one in wanted
        ]
        person = director(network)
        values = await values_of(person, cups)
        readings = Readings(client=client, platform=platform, values=values)
        pupils = (await person.look("registration", f"{cups[0].path}/entrants"))["items"]
        schools = sorted({one["school"] for one in pupils if one["school"]})
        assert len(schools) > 1
        seen = await readings.everything(official)
        telling = told(seen, FAMILIES)
        assert {path.partition(" ")[0] for path in telling} == set(SERVICES), "the test would not notice a name"
        assert told(seen, schools[1:]), "nor a school"
        shown = set[str]()  # what shows names, to whom it may
        for who, headers in spectators.items():
            answers = await readings.read(seen, headers)
            assert told(answers, FAMILIES) == set(), who
            of_pupils = {path: one for path, one in answers.items() if cups[0].id in path}
            assert told(of_pupils, schools[1:]) == set(), who
            shown = {path for path in telling if answers[path].status_code == HTTPStatus.OK}
            assert any(path.startswith("pairing") for path in shown)
            shortened = [f"{given} {family[0]}." for given, family in zip(GIVEN, FAMILIES, strict=True)]
            assert told(of_pupils, shortened) >= {path for path in shown if cups[0].id in path}
            assert all(
                "authorization" in one.headers["vary"].lower() for path, one in answers.items() if "/v1/" in path
            )
            tags = {path: one.headers.get("etag") for path, one in answers.items()}
            assert [path for path in shown if "standings " in path and tags[path] == seen[path].headers["etag"]] == []
        await live_tables_differ(platform, cups[0], person)
        position = await decide(person, cups[0].id, "number")
        await until_told(person, position, cups[0])
        answers = await readings.read(seen, {})
        of_pupils = {path: one for path, one in answers.items() if cups[0].id in path}
        assert told(of_pupils, [*FAMILIES, *GIVEN]) == set()
        assert told(of_pupils, ["No. "]) >= {path for path in shown if cups[0].id in path}
        assert told(await readings.read(telling, official), FAMILIES) == telling


async def live_tables_differ(platform: Platform, cup: Cup, official: User) -> None:
    """And a listener is told at once what was decided meanwhile."""
    url = f"{platform.url('standings')}{cup.stage}/standings/live"
    family, initial = FAMILIES[0], f"{GIVEN[0]} {FAMILIES[0][0]}."
    async with asyncio.timeout(HEARD_WITHIN), listening(url, {}) as spectator:
        async with listening(url, signed(platform, OPERATOR)) as listener:
            assert family in ((await table(listener)).data or "")
        first = (await table(spectator)).data or ""
        assert initial in first
        assert family not in first
        await decide(official, cup.id, "full")
        assert family in ((await table(spectator)).data or "")
        await decide(official, cup.id, "first-name-and-initial")
        last = (await table(spectator)).data or ""
        assert initial in last
        assert family not in last


async def table(listener: Any) -> Any:
    while True:
        heard = await listener.next_event()
        if heard.event == "table":
            return heard


async def test_a_season_shows_its_persons_as_the_strictest_of_their_tournaments(platform: Platform) -> None:
    async with network_of(platform) as network, httpx.AsyncClient(timeout=PATIENCE) as client:
        season = ScrabbleSeason(network, now().date())
        await season.play()
        official = director(network)
        path = f"/v1/seasons/{season.season}"
        paths = [path, f"{path}?format=csv", f"{path}?format=csv&sheet=qualification", f"{path}/ratings"]
        paths += [f"{path}/ratings?format=csv", *(f"{path}/ratings/lists/{one}" for one in ("screlo", "live"))]

        async def read(who: Who) -> Mapping[str, httpx.Response]:
            return {one: await client.get(f"{platform.url('standings')}{one}", headers=who) for one in paths}

        families = sorted({one["name"].split()[-1] for one in (await read({}))[path].json()["cup"]})
        telling = told(await read({}), families)
        assert telling
        held = (await official.look("registration", f"/v1/tournaments?season={season.season}"))["items"]
        position = None
        for one in held:
            position = await decide(official, one["id"], "number")
        await official.look("standings", path, after=position)
        assert told(await read({}), families) == set()
        assert told(await read(signed(platform, OPERATOR)), families) == telling
