"""A school competition over HTTP: its ruleset, and teams of persons who are new to it."""

from http import HTTPStatus
from typing import Any

import httpx

from shared.rulesets import catalogue
from tests.api.asking import Client, founded
from tests.api.holding import act, announce, done

FEE = {"who": "team", "waived_for": ["host-school"], "waived_at_most": 1, "rule_id": "PQ.REG-11"}


def ruleset(**entry: Any) -> dict[str, Any]:
    """Teams of three, under 16, four of a school, for a fee in two currencies."""
    rules = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
    rules["id"] = "schools"
    rules["entry"] = {
        "kind": "team",
        "team": {
            "base": 3,
            "least": 2,
            "substitutes": 1,
            "frozen": "season",
            "rule_id": "PQ.REG-5",
            "rule_ids": {"least": "PQ.REG-6", "once": "PQ.REG-7", "captain": "PQ.REG-10"},
        },
        "eligibility": [
            {
                "rule": "age-below",
                "years": 16,
                "on": "2025-09-22",
                "sentence": "Everybody is under 16.",
                "rule_id": "PQ.REG-4",
            }
        ],
        "quotas": [{"by": "school", "most": 4, "times_merged": True, "rule_id": "PQ.REG-13"}],
        "fees": [FEE | {"amount": 180, "currency": "CZK"}, FEE | {"amount": 8, "currency": "EUR"}],
        "payment": "before-start",
        "consents": ["rules"],
        "home_region": True,
        "check_in": {"opens": "08:30", "closes": "09:00"},
    } | entry
    return rules


def team(name: str, school: str, *, born: str | None = "2012-01-01", **said: Any) -> dict[str, Any]:
    known = {"particulars": {"born": born}} if born else {}
    members = [{"name": f"{name} {n}", "captain": n == 1} | known for n in (1, 2, 3)]
    return {"name": name, "persons": members, "school": school, "consents": ["rules"]} | said


async def home(client: Client, federation: str, kind: str, name: str, **said: Any) -> str:
    path = f"/v1/federations/{federation}/homes"
    answer = await client.post(path, json={"kind": kind, "name": name} | said)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    return answer.json()["id"]


class Schools:
    """A federation with two regions and two schools in the first."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.federation = self.north = self.south = self.one = self.other = self.away = ""

    async def found(self) -> "Schools":
        self.federation = await founded(self.client, "Schools")
        self.north, self.south = [
            await home(self.client, self.federation, "region", name) for name in ("North", "South")
        ]
        self.one = await home(self.client, self.federation, "school", "Gymnázium", region=self.north, types=["grammar"])
        self.other = await home(self.client, self.federation, "school", "Základná", region=self.north, parts=2)
        self.away = await home(self.client, self.federation, "school", "Ďaleká", region=self.south)
        return self

    async def tournament(self, *, rules: dict[str, Any] | None = None, **said: Any) -> str:
        body = {"ruleset": rules or ruleset(), "region": self.north, "series": "pq-2025"} | said
        answer = await announce(self.client, self.federation, **body)
        assert answer.status_code == HTTPStatus.CREATED, answer.text
        identity = answer.json()["id"]
        await done(self.client, identity, "open")
        return identity

    async def enter(self, tournament: str, body: dict[str, Any], **said: Any) -> httpx.Response:
        return await act(self.client, tournament, "entrants", **body | said)
