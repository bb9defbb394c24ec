"""A tournament day as a frontend has it: of an address, a token, and what the OpenAPI documents there say, and nothing else.

It counts the calls. Waiting for a service that has not heard of something yet is no call: a frontend is told when to come
again.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import urljoin

import httpx

from deploy import SERVICES
from shared.ids import new_id
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform
from tests.patience import PATIENCE

type Answer = Mapping[str, Any]

POSITION, SINCE, KEY = "Roundlog-Position", "Roundlog-Min-Position", "Idempotency-Key"
FIELD = {"Alžbeta": 1942, "Boris": 1897, "Cecília": 1850, "Dušan": 1833}
PLAN = {"name": "Košice Cup", "ruleset": "scrabble-sk-2022-qt", "time_zone": "Europe/Bratislava"}
SCORER = {"subject": "scorer-1", "role": "scorer"}
SIGNED = {"scores": [390, 365], "signed_by": [0, 1]}
ROUNDS = (1, 2, 3)  # everybody meets everybody


class Described:
    """One service as its document describes it."""

    def __init__(self, found_at: str, document: Answer) -> None:
        self.base = urljoin(found_at, document["servers"][0]["url"])
        self._document = document
        self.operations = {
            operation["operationId"]: (method, path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }

    def of(self, part: Answer) -> Answer:
        """What a reference leads to."""
        while "$ref" in part:
            steps = part["$ref"].removeprefix("#/").split("/")
            part = self._document
            for step in steps:
                part = part[step]
        return part

    def parameters(self, operation: str) -> Mapping[str, str]:
        """Where each of them stands."""
        described = self.operations[operation][2].get("parameters", ())
        return {one["name"]: one["in"] for one in map(self.of, described)}


@dataclass(kw_only=True)
class Frontend:
    """Somebody who is signed in there, and how often each part of it has asked."""

    client: httpx.AsyncClient
    services: Mapping[str, Described]
    headers: Mapping[str, str]
    calls: Counter[str] = field(default_factory=Counter[str])
    since: dict[str, str] = field(default_factory=dict[str, str])  # what it rests on, shared by all who work together

    async def ask(self, part: str, service: str, operation: str, **said: Any) -> Any:
        """One call, for this part of it. Each thing that is said goes where the document has it."""
        self.calls[part] += 1
        described = self.services[service]
        method, path, told = described.operations[operation]
        parameters = described.parameters(operation)
        headers = {**self.headers} | ({KEY: str(new_id())} if KEY in parameters else {})
        query = {name: said.pop(name) for name in list(said) if parameters.get(name) == "query"}
        for name, where in parameters.items():
            if where == "path":
                path = path.replace(f"{{{name}}}", str(said.pop(name)))
        until = time.monotonic() + PATIENCE
        while True:
            if SINCE in parameters and self.since:
                headers[SINCE] = self.since["last"]
            answer = await self.client.request(
                method,
                f"{described.base}{path}",
                params=query,
                json=said if "requestBody" in told else None,
                headers=headers,
            )
            if not is_too_early(answer) or time.monotonic() > until:
                break
            await asyncio.sleep(float(answer.headers.get("Retry-After", 0.1)) / 5)
        assert answer.is_success, f"{operation}: {answer.text}"
        if POSITION in answer.headers:
            self.since["last"] = answer.headers[POSITION]
        return answer.json()


def is_too_early(answer: httpx.Response) -> bool:
    if answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        return True
    return answer.status_code == HTTPStatus.CONFLICT and "needs-reason" not in answer.json()["type"]


@asynccontextmanager
async def opened(platform: Platform) -> AsyncGenerator[tuple[Frontend, Frontend, Frontend]]:
    """A director, a scorer, and a board that nobody has signed in at. All they know is where it is."""
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        services: dict[str, Described] = {}
        for service in SERVICES:
            place = f"{platform.url('proxy')}/{service}/openapi.json"
            services[service] = Described(place, (await client.get(place)).json())
        since: dict[str, str] = {}
        director, scorer, board = (
            Frontend(client=client, services=services, headers=headers, since=since)
            for headers in (signed(platform, "operator"), signed(platform, "scorer-1"), {})
        )
        yield director, scorer, board


async def prepare(director: Frontend) -> str:
    """From nothing to the open check-in; answers the tournament."""
    part, name = "to the open check-in", "Slovak Scrabble Association"
    founded = await director.ask(part, "registration", "foundFederation", name=name, officials=[SCORER])
    announced = {"federation": founded["id"], "starts_on": "2099-05-04", "open": True, **PLAN}
    cup = await director.ask(part, "registration", "announceTournament", **announced)
    here = {"tournament_id": cup["id"]}
    entrants = [{"person": {"name": name}, "rating": rating} for name, rating in FIELD.items()]
    await director.ask(part, "registration", "importEntrants", **here, entrants=entrants)
    assert (await director.ask(part, "registration", "openCheckIn", **here))["status"] == "check-in"
    return cup["id"]


async def test_a_day_takes_few_calls(platform: Platform) -> None:
    async with opened(platform) as (director, scorer, board):
        cup = await prepare(director)
        await director.ask("start", "registration", "checkInEntrants", tournament_id=cup)
        await director.ask("start", "registration", "startTournament", tournament_id=cup)
        stage = {"tournament_id": cup, "stage": "swiss"}
        for number in ROUNDS:
            here = {**stage, "round": number}
            reason = {"reason": {"code": "announcement"}} if number > 1 else {}  # sooner than the rules want
            await director.ask("rounds", "pairing", "pairAndPublishRound", **here, **reason)
            for table in (1, 2):
                said = await scorer.ask("results", "results", "reportResultAtTable", **here, table=table, **SIGNED)
                assert (said["status"], said["result"]["winner"]) == ("final", 0)
            shown = await board.ask("board", "results", "listGames", **here)
            assert [(one["table"], one["status"], one["result"]["scores"]) for one in shown["items"]] == [
                (1, "final", SIGNED["scores"]),
                (2, "final", SIGNED["scores"]),
            ]
            assert {seat["name"] for one in shown["items"] for seat in one["seats"]} == {*FIELD}
        await director.ask("end", "standings", "closeStage", **stage)
        await director.ask("end", "registration", "beginReview", tournament_id=cup)
        await director.ask("end", "registration", "completeTournament", tournament_id=cup)
        table = await board.ask("table", "standings", "getStandings", **stage)
        assert [row["place"] for row in table["standings"]] == [1, 2, 3, 4]
        assert {row["name"] for row in table["standings"]} == {*FIELD}
    assert director.calls["to the open check-in"] == 4
    assert director.calls["rounds"] == len(ROUNDS)
    assert scorer.calls["results"] == 2 * len(ROUNDS)
    assert board.calls["board"] == len(ROUNDS)
