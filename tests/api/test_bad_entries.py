"""What the regulations list as bad input about entries, as data: each is refused by its rule, and changes nothing.

In a vector `enter A` enters A with whom the ruleset wants, `@A` is its entrant, `@A1` its first person.
"""

import json
from collections.abc import AsyncGenerator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from _pytest.mark.structures import ParameterSet

from shared.problems import Problem
from shared.rulesets import catalogue
from tests.api.asking import Client, service
from tests.api.holding import act, announce, done
from tests.api.school_days import Schools, home
from tests.conftest import fresh_database

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "registration" / "bad_input.json").read_text()
)
DAYS = {"ot": "2025-11-05", "kt": "2025-11-25", "grf": "2025-12-18"}
DECLARED = ("no-school-leaving-exam", "primary-education-not-finished", "rules-known", "platform-account")


@pytest.fixture(scope="module")
async def client(server: str) -> AsyncGenerator[Client]:
    """One service for all of them: each has a federation of its own."""
    async with service(await fresh_database(server)) as client:
        yield client


class Scene:
    """One federation, one tournament, and whoever has entered it."""

    def __init__(self, client: Client, vector: dict[str, Any]) -> None:
        self.client, self.vector = client, vector
        self.rules = catalogue.load(vector["ruleset"])
        self.schools = Schools(client)
        self.tournament = ""
        self.known: dict[str, str] = {}

    async def set(self) -> None:
        await self.schools.found()
        self.known["away"] = self.schools.away
        primary = {"kind": "school", "region": self.schools.south, "types": ["primary"]}
        homes = f"/v1/federations/{self.schools.federation}/homes"
        away = await self.client.post(f"{homes}/{self.schools.away}/change", json=primary | {"name": "Ďaleká"})
        assert away.is_success, away.text
        university = await home(self.client, self.schools.federation, "school", "University", types=["university"])
        self.known["university"] = university
        if self.vector["act"] == "announce":
            return
        self.tournament = await self.opened(**self.vector.get("announced", {}))
        for step in self.vector.get("given", []):
            await self.step(step)

    async def opened(self, **said: Any) -> str:
        answer = await self.announced(**said)
        assert answer.status_code == HTTPStatus.CREATED, answer.text
        await done(self.client, answer.json()["id"], "open")
        return answer.json()["id"]

    async def announced(self, **said: Any) -> httpx.Response:
        level = self.rules.id.rpartition("-")[2]
        usual = {"starts_on": DAYS.get(level, "2099-11-21"), "first_round": "10:00", "series": "season"}
        usual |= {"region": self.schools.north}
        return await announce(self.client, self.schools.federation, ruleset=self.rules.id, **usual | said)

    def entry(self, name: str) -> dict[str, Any]:
        team = self.rules.entry.team
        plain: dict[str, Any] = {
            "consents": list(self.rules.entry.consents),
            "declared": list(DECLARED),
            "key": ord(name),
        }
        if team is None:
            return plain | {"person": {"name": f"{name}1"}}
        young = {"particulars": {"born": "2012"}}
        persons = [{"name": f"{name}{n}", "captain": n == 1} | young for n in range(1, team.base + 1)]
        return plain | {"name": name, "school": self.schools.one, "persons": persons}

    async def enter(self, name: str, tournament: str, **said: Any) -> httpx.Response:
        return await act(self.client, tournament, "entrants", **self.entry(name) | said)

    async def step(self, step: str) -> None:
        match step.split():
            case ["enter" | "elsewhere" as where, name]:
                tournament = self.tournament if where == "enter" else await self.opened()
                answer = await self.enter(name, tournament)
                assert answer.status_code == HTTPStatus.CREATED, answer.text
                self.known[name] = answer.json()["id"]
                self.known |= {f"{name}{n}": one["id"] for n, one in enumerate(answer.json()["persons"], start=1)}
            case ["refused", name]:
                assert not (await self.enter(name, self.tournament, **self.body())).is_success
            case ["pay", name]:
                payment = {"amount": 180, "currency": "CZK", "on": "2025-11-01", "reference": name}
                await done(self.client, self.tournament, "entrants", self.known[name], "payments", **payment)
            case ["advance"]:
                await done(self.client, self.tournament, "announce-advance", advance=2)
            case _:
                await done(self.client, self.tournament, step)

    def body(self) -> dict[str, Any]:
        text = json.dumps(self.vector.get("body", {}))
        for name in sorted(self.known, key=len, reverse=True):
            text = text.replace(f"@{name}", self.known[name])
        return json.loads(text)

    async def act(self) -> httpx.Response:
        match self.vector["act"].split():
            case ["announce"]:
                return await self.announced(**self.body())
            case ["enter", name]:
                return await self.enter(name, self.tournament, **self.body())
            case [path]:
                steps = [self.known[step[1:]] if step.startswith("@") else step for step in path.split("/")]
                return await act(self.client, self.tournament, *steps, **self.body())
            case _:
                raise AssertionError(self.vector)


def case(vector: dict[str, Any]) -> ParameterSet:
    """Proves the requirement where it is one on registration."""
    marks = [pytest.mark.rule(vector["rule"])] if ".REG-" in vector["rule"] else []
    return pytest.param(vector, marks=marks, id=f"{vector['rule']} {vector['is']}")


@pytest.mark.parametrize("vector", [case(vector) for vector in VECTORS])
async def test_bad_input_is_refused_by_its_rule_and_changes_nothing(client: Client, vector: dict[str, Any]) -> None:
    scene = Scene(client, vector)
    await scene.set()
    before = (await client.get("/v1/log")).text
    answer = await scene.act()
    assert answer.status_code == vector["status"], answer.text
    document = Problem.model_validate_json(answer.content)
    said = " ".join([document.detail, *(fault.detail for fault in document.errors)])
    assert vector.get("message", vector["rule"]) in said
    assert "pointer" not in vector or vector["pointer"] in [fault.pointer for fault in document.errors]
    assert (await client.get("/v1/log")).text == before
