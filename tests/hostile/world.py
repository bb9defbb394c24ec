"""Two federations on one platform, each with a tournament that was played, and everything that was said on the way."""

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, unquote

import httpx

from deploy import SERVICES
from deploy.demo.cast import PLAYERS
from deploy.demo.chance import DemoStory
from deploy.demo.client import Services
from deploy.demo.play import Demo, connected, publish_next
from deploy.demo.preparation import Cup, CupPlan, director, found
from deploy.tokens import OPERATOR
from shared.clock import now
from shared.values import Value
from tests.documents import example, published, whole
from tests.integration.launching import Platform

SIZE = 6
SLOWEST = 60.0  # seconds that one request may take, on a busy machine
PARAMETER = re.compile(r"{(\w+)}")
OWN, FOREIGN = "own", "foreign"
LAST_EVENT = f"{2**62}"  # a live stream refuses that, rather than begin and never end
# What a path leads to, by the name of its parameter; the others stand for something of no one's.
OF_A_KIND = {
    "federation_id": "federation",
    "tournament_id": "tournament",
    "entrant_id": "entrant",
    "person_id": "person",
    "game_id": "game",
    "scope": "tournament",
}
OFFICES = {"director": ("director", "council"), "arbiter": ("arbiter",), "scorer": ("scorer",)}
CAPTAIN, NOBODY = "captain", "nobody"


class Operation(Value):
    service: str
    name: str
    method: str
    path: str
    query: Sequence[str]  # names of its parameters
    body: Any  # as its document shows it; None where it has none
    media: str

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(PARAMETER.sub(r"(?P<\1>[^/]+)", self.path))


class Call(Value):
    """Something that can be asked."""

    operation: Operation
    places: Mapping[str, str]  # what stands in the path
    query: Mapping[str, str]
    body: Any

    @property
    def path(self) -> str:
        return PARAMETER.sub(lambda found: self.places[found[1]], self.operation.path)

    async def ask(self, token: str, client: httpx.AsyncClient, url: str) -> httpx.Response:
        """Without a token as nobody."""
        headers = {"Last-Event-ID": LAST_EVENT} | ({"Authorization": f"Bearer {token}"} if token else {})
        sent: dict[str, Any] = {}
        if self.body is not None:
            is_json = self.operation.media == "application/json"
            sent["content"] = json.dumps(self.body) if is_json else str(self.body)
            headers["Content-Type"] = self.operation.media
        return await client.request(
            self.operation.method, f"{url}{self.path}", params=self.query, headers=headers, **sent
        )


class Side(Value):
    """A federation with its tournament, its people, and what was asked in it."""

    name: str
    tokens: Mapping[str, str]  # of its people by what they are; of nobody none
    cup: Cup
    federation: str
    ids: Mapping[str, Sequence[str]]  # of each kind of things that are its own
    said: Sequence[Call]

    @property
    def token(self) -> str:
        return self.tokens["director"]

    @property
    def places(self) -> Mapping[str, str]:
        """What is there, by the names that paths have for it."""
        known = {name: self.ids[kind][0] for name, kind in OF_A_KIND.items()}
        return known | {"stage": self.cup.stage.rpartition("/")[2], "number": "2", "round_number": "2", "table": "1"}

    @property
    def all_ids(self) -> Sequence[str]:
        return [one for several in self.ids.values() for one in several]


def operations() -> Iterator[Operation]:
    for service in SERVICES:
        document = whole(json.loads(published(service)))
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                contents = operation.get("requestBody", {}).get("content", {})
                media = next(iter(contents), "")
                yield Operation(
                    service=service,
                    name=operation["operationId"],
                    method=method.upper(),
                    path=path,
                    query=[one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"],
                    body=example(contents[media], document) if media else None,
                    media=media,
                )


class Overheard:
    """Whatever is asked of the services."""

    def __init__(self, urls: Mapping[str, str], known: Sequence[Operation]) -> None:
        self._services = {url: service for service, url in urls.items()}
        self._known = known
        self.calls: list[Call] = []

    async def hear(self, response: httpx.Response) -> None:
        request, url = response.request, response.request.url
        service = self._services[f"{url.scheme}://{url.netloc.decode()}"]
        for operation in self._known:
            if (operation.service, operation.method) != (service, request.method):
                continue
            if found := operation.pattern.fullmatch(url.path):
                query = {name: values[0] for name, values in parse_qs(url.query.decode()).items()}
                body = json.loads(request.content) if request.content else None
                places = {name: unquote(value) for name, value in found.groupdict().items()}
                self.calls.append(Call(operation=operation, places=places, query=query, body=body))
                return


@asynccontextmanager
async def worlds(platform: Platform, ruleset: str, *names: str) -> AsyncGenerator[tuple[Services, Sequence[Side]]]:
    urls = {service: platform.url(service) for service in SERVICES}
    known = list(operations())
    async with connected(urls, platform.folder) as network:
        network.client.timeout = httpx.Timeout(SLOWEST)
        yield network, [await played(network, name, ruleset, Overheard(urls, known)) for name in names]


@asynccontextmanager
async def two_federations(platform: Platform, ruleset: str) -> AsyncGenerator[tuple[Services, Side, Side]]:
    async with worlds(platform, ruleset, OWN, FOREIGN) as (network, (own, other)):
        yield network, own, other


async def played(network: Services, name: str, ruleset: str, overheard: Overheard) -> Side:
    """With people of its own, who are nobody elsewhere."""
    network.client.event_hooks = {"response": [overheard.hear]}
    plan = CupPlan(ruleset=ruleset, players=PLAYERS[:SIZE], lot_source=None)
    cup = await found(network, now().date(), plan)
    chief = director(network)
    announced = await chief.look("registration", cup.path)
    federation: str = announced["federation"]
    for subject, roles in OFFICES.items():
        for role in roles:
            office = {"subject": f"{name}-{subject}", "role": role}
            await chief.act("registration", f"/v1/federations/{federation}/officials", office)
    demo = Demo(network=network, say=lambda _: None, cup=cup, pace=0, story=DemoStory())
    await demo.coming_round(cup.stage)  # its groups, if it has any
    await demo.play_round(1)
    published = await publish_next(chief, cup.stage, 2, after=cup.started)
    await chief.look("results", f"{cup.stage}/rounds/2/games", after=published.position)
    games: list[str] = []
    for number in (1, 2):
        listed = await chief.look("results", f"{cup.stage}/rounds/{number}/games")
        games += [one["id"] for one in listed["items"]]
    persons = [one for several in cup.persons.values() for one in several]
    for person in persons:
        await chief.act("registration", f"/v1/persons/{person}/particulars", {"email": secret(name)})
    captain = await chief.act("registration", f"{cup.path}/entrants/{next(iter(cup.persons))}/captain/token")
    network.client.event_hooks = {"response": []}
    ids = {
        "federation": [federation],
        "tournament": [cup.id],
        "entrant": list(cup.persons),
        "person": persons,
        "game": games,
    }
    return Side(
        name=name,
        tokens={office: network.token(f"{name}-{office}") for office in OFFICES}
        | {CAPTAIN: captain.body["token"], NOBODY: ""},
        cup=cup,
        federation=federation,
        ids=ids,
        said=overheard.calls,
    )


def secret(side: str) -> str:
    """What only officials of this side may see, as particulars of its persons have it."""
    return f"{side}-secret@example.org"


async def logs_of(network: Services, side: Side) -> Mapping[str, bytes]:
    """What all services have written of a federation and its tournament."""
    found: dict[str, bytes] = {}
    headers = {"Authorization": f"Bearer {network.token(OPERATOR)}"}
    for service, url in network.urls.items():
        for scope in (side.federation, side.cup.id, *side.ids["person"]):
            answer = await network.client.get(f"{url}/v1/log/{scope}", headers=headers)
            assert answer.is_success or answer.status_code == 404, answer.text
            found[f"{service} {scope}"] = answer.content.partition(b"\n")[2] if answer.is_success else b""
    return found
