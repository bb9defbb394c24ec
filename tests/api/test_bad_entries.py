"""What the regulations list as bad input about entries, as data: each is refused by its rule, and changes nothing.

In a vector `line` is that of the list in docs/rules which it proves, `enter A` enters A with whom the ruleset wants, `@A`
is its entrant, `@A1` its first person.
"""

import json
import re
from collections.abc import AsyncGenerator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from _pytest.mark.structures import ParameterSet

from shared.http.problems import Problem
from shared.rulesets import catalogue
from tests.api.asking import Client, service
from tests.api.holding import act, announce, done
from tests.api.school_days import Schools, home
from tests.databases import fresh_database
from tests.logged import head_of
from tests.rules import RULES

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "registration" / "bad_input.json").read_text()
)
DAYS = {"ot": "2025-11-05", "kt": "2025-11-25", "grf": "2025-12-18"}
DECLARED = (
    *("no-school-leaving-exam", "primary-education-not-finished", "grade-6-or-higher"),
    *("rules-known", "platform-account"),
)
GROWN_UP = {"born": "1990", "citizenship": ["PL"], "town": "Łódź", "email": "a@example.org", "phone": "+48 600 000 000"}
BEHIND_ALL = 2**40  # positions
BAD_INPUT = re.compile(r"^- (.+) \(([^()]*\.REG-[^()]*)\)$", re.MULTILINE)


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
        self.elsewhere: dict[str, str] = {}

    async def set(self) -> None:
        await self.schools.found()
        self.known |= {"away": self.schools.away, "one": self.schools.one}
        primary = {"kind": "school", "region": self.schools.south, "types": ["primary"]}
        homes = f"/v1/federations/{self.schools.federation}/homes"
        away = await self.client.post(f"{homes}/{self.schools.away}/change", json=primary | {"name": "Ďaleká"})
        assert away.is_success, away.text
        university = await home(self.client, self.schools.federation, "school", "University", types=["university"])
        self.known["university"] = university
        if self.vector["act"] == "announce":
            return
        self.tournament = await self.opened(**self.said("announced"))
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
        usual |= {"region": self.schools.north, "reason": {"code": "over"}}  # some of them are held too late on purpose
        return await announce(self.client, self.schools.federation, ruleset=self.rules.id, **usual | said)

    def entry(self, name: str) -> dict[str, Any]:
        team = self.rules.entry.team
        plain: dict[str, Any] = {
            "consents": list(self.rules.entry.consents),
            "declared": list(DECLARED),
            "key": ord(name),
        }
        if team is None:
            known = {"particulars": GROWN_UP} if self.rules.entry.particulars else {}
            return plain | {"person": {"name": f"{name}1"} | known}
        young = {"particulars": {"born": "2012"}}
        persons = [{"name": f"{name}{n}", "captain": n == 1} | young for n in range(1, team.base + 1)]
        return plain | {"name": name, "school": self.schools.one, "persons": persons}

    async def enter(self, name: str, tournament: str, **said: Any) -> httpx.Response:
        return await act(self.client, tournament, "entrants", **self.entry(name) | said)

    async def step(self, step: str) -> None:
        match step.split():
            case ["enter", name]:
                await self.entered(name, self.tournament)
            case ["enter", name, "with", substitute]:
                await self.entered(name, self.tournament, substitutes=[self.known[substitute[1:]]])
            case ["enter", name, "ungraded"]:
                await self.entered(name, self.tournament, declared=[one for one in DECLARED if "grade" not in one])
            case ["elsewhere", name]:
                self.elsewhere[name] = await self.opened(**self.said("elsewhere"))
                await self.entered(name, self.elsewhere[name])
            case ["direct", number]:
                beforehand = {"direct": True, "direct_source": "brno-2026", "carried": 12}
                several = [{"person": {"name": f"D{n}"}} | beforehand for n in range(int(number))]
                await done(self.client, self.tournament, "entrants", "import", entrants=several)
            case ["refused", name]:
                assert not (await self.enter(name, self.tournament, **self.body())).is_success
            case ["pay" | "ask" | "free" as how, name]:
                await self.settle(how, name)
            case ["choose", name, person]:
                await self.happens_to(name, "choose", person=self.known[person[1:]])
            case ["withdraw" | "leave" as how, name]:
                said = {"after_round": 0, "stage": self.rules.stages[0].id} if how == "leave" else {}
                await self.happens_to(name, "withdraw", **said)
            case _:
                what, *day = step.split()
                said = {"advance": 2} if what == "announce-advance" else {}
                moved = {"starts_on": day[0], "reason": {"code": "over"}} if day else {}
                await done(self.client, self.tournament, what, **said, **moved)

    async def settle(self, how: str, name: str) -> None:
        """A fee is paid; or somebody asks for a waiver, and may get it."""
        if how == "pay":
            payment = {"amount": 180, "currency": "CZK", "on": "2025-11-01", "reference": name}
            await self.happens_to(name, "payments", **payment)
        else:
            for act_on_it in ("request", "grant")[: 1 if how == "ask" else 2]:
                await self.happens_to(name, f"waivers/{act_on_it}", ground="host-school")

    async def happens_to(self, name: str, what: str, **said: Any) -> None:
        tournament = self.elsewhere.get(name, self.tournament)
        await done(self.client, tournament, "entrants", self.known[name], what, **said)

    async def entered(self, name: str, tournament: str, **said: Any) -> None:
        answer = await self.enter(name, tournament, **said)
        assert answer.status_code == HTTPStatus.CREATED, answer.text
        self.known[name] = answer.json()["id"]
        self.known |= {f"{name}{n}": one["id"] for n, one in enumerate(answer.json()["persons"], start=1)}

    def body(self) -> dict[str, Any]:
        return self.said("body")

    def said(self, what: str) -> dict[str, Any]:
        text = json.dumps(self.vector.get(what, {}))
        for name in sorted(self.known, key=len, reverse=True):
            text = text.replace(f"@{name}", self.known[name])
        return json.loads(text)

    async def act(self) -> httpx.Response:
        match self.vector["act"].split():
            case ["announce"]:
                return await self.announced(**self.body())
            case ["enter", name]:
                return await self.enter(name, self.tournament, **self.body())
            case ["entrants/admit"]:
                return await act(self.client, self.tournament, "entrants", "admit", **self.entry("Z") | self.body())
            case [path]:
                steps = [self.known[step[1:]] if step.startswith("@") else step for step in path.split("/")]
                return await act(self.client, self.tournament, *steps, **self.body())
            case _:
                raise AssertionError(self.vector)


# A federation always has a director, who directs its tournaments: tests/domain/test_places.py has one without.
BELOW_HTTP = ("an event without a director",)


def case(vector: dict[str, Any]) -> ParameterSet:
    """Proves the requirement where it is one on registration."""
    marks = [pytest.mark.rule(vector["rule"])] if ".REG-" in vector["rule"] else []
    return pytest.param(vector, marks=marks, id=f"{vector['rule']} {vector['is']}")


@pytest.mark.parametrize("vector", [case(vector) for vector in VECTORS])
async def test_bad_input_is_refused_by_its_rule_and_changes_nothing(client: Client, vector: dict[str, Any]) -> None:
    scene = Scene(client, vector)
    await scene.set()
    before = await head(client)
    answer = await scene.act()
    assert answer.status_code == vector["status"], answer.text
    document = Problem.model_validate_json(answer.content)
    said = " ".join([document.detail, *(fault.detail for fault in document.errors)])
    assert vector.get("message", vector["rule"]) in said
    assert vector.get("also", "") in said
    assert "pointer" not in vector or vector["pointer"] in [fault.pointer for fault in document.errors]
    assert await head(client) == before


async def head(client: Client) -> dict[str, Any]:
    """How far the log goes; it holds all that was ever written, and is never written but at its end."""
    answer = await client.get("/v1/log", params={"after": BEHIND_ALL})
    assert answer.status_code == HTTPStatus.OK, answer.text
    return head_of(answer.content)


def test_every_line_of_bad_input_about_entries_is_refused_by_a_rule_that_it_names() -> None:
    listed = [line for document in RULES.glob("*.md") for line in BAD_INPUT.findall(bad_input_of(document))]
    assert len(listed) > 20
    unproved = [
        line
        for line, ids in listed
        if line not in BELOW_HTTP and not any(refuses(vector, line, ids) for vector in VECTORS)
    ]
    assert unproved == []


def bad_input_of(document: Path) -> str:
    return document.read_text().partition("## Bad input")[2].partition("\n## ")[0]


def refuses(vector: dict[str, Any], line: str, ids: str) -> bool:
    return vector.get("line") == line and vector["rule"] in ids.split(", ")
