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
from deploy.demo.client import Services
from deploy.demo.play import Demo, connected, publish_next
from deploy.demo.preparation import Cup, CupPlan, director, found
from deploy.demo.story import DemoStory
from deploy.tokens import OPERATOR
from shared.clock import now
from shared.values import Value
from tests.documents import example, published, whole
from tests.integration.launching import Platform

SIZE = 6
SLOWEST = 60.0  # seconds that one request may take, on a busy machine
PARAMETER = re.compile(r"{(\w+)}")
OWN, FOREIGN = "own", "foreign"


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

    async def ask(self, side: "Side", client: httpx.AsyncClient, url: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {side.token}", "Last-Event-ID": f"{2**62}"}  # a live stream refuses that
        sent: dict[str, Any] = {}
        if self.body is not None:
            is_json = self.operation.media == "application/json"
            sent["content"] = json.dumps(self.body) if is_json else str(self.body)
            headers["Content-Type"] = self.operation.media
        return await client.request(
            self.operation.method, f"{url}{self.path}", params=self.query, headers=headers, **sent
        )


class Side(Value):
    """A federation with its tournament, its director, and what was asked in it."""

    name: str
    token: str
    cup: Cup
    federation: str
    ids: Mapping[str, Sequence[str]]  # of each kind of things that are its own
    said: Sequence[Call]

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
async def two_federations(platform: Platform, ruleset: str) -> AsyncGenerator[tuple[Services, Side, Side]]:
    urls = {service: platform.url(service) for service in SERVICES}
    known = list(operations())
    async with connected(urls, platform.folder) as network:
        network.client.timeout = httpx.Timeout(SLOWEST)
        sides = [await played(network, name, ruleset, Overheard(urls, known)) for name in (OWN, FOREIGN)]
        yield network, sides[0], sides[1]


async def played(network: Services, name: str, ruleset: str, overheard: Overheard) -> Side:
    """With a director of its own, who is nobody elsewhere."""
    network.client.event_hooks = {"response": [overheard.hear]}
    plan = CupPlan(ruleset=ruleset, players=PLAYERS[:SIZE], lot_source=None)
    cup = await found(network, now().date(), plan)
    chief = director(network)
    announced = await chief.look("registration", cup.path)
    federation: str = announced["federation"]
    for role in ("director", "council"):
        office = {"subject": f"{name}-director", "role": role}
        await chief.act("registration", f"/v1/federations/{federation}/officials", office)
    demo = Demo(network=network, say=lambda _: None, cup=cup, pace=0, story=DemoStory())
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
        token=network.token(f"{name}-director"),
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
