"""What the regulations list as bad input about results and records, as data: each is refused by its rule, and changes nothing.

In a vector `g1 reports` reports game g1 of a tournament of its own, `adjudicate` asks the calculator, `rules` asks it by
changed rules. By whom is a name of the officials, or `captain ada`.
"""

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from _pytest.mark.structures import ParameterSet

from shared.contracts.pairing import RoundPublished
from shared.contracts.registration import CaptainNamed, EntrantLeft, OfficialAppointed
from shared.http.problems import Problem
from shared.rulesets import catalogue
from shared.rulesets.settings import change
from shared.values import Value
from tests.api.asking import Client, issuer, service
from tests.api.hearing import CaptainIssuer
from tests.api.signing import signed_by
from tests.api.tables import ENTRANTS, FEDERATION, OFFICIALS, planned, started
from tests.databases import fresh_database
from tests.logged import records_of
from tests.told import done, tell, tell_of_several

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "results" / "bad_input.json").read_text()
)
CAPTAINS = CaptainIssuer()
ELSEWHERE = {"adjudicate", "rules", "word-lists"}  # what is in no tournament
FOLLOWS = {"LotSeedCommitted", "RoundCompleted", "ProtestFiled"}


class Scene(Value):
    """A tournament of each vector, of which one service has heard."""

    client: Client
    database: str
    vector: dict[str, Any]

    @property
    def cup(self) -> str:
        return f"cup-{VECTORS.index(self.vector)}"

    @property
    def stage(self) -> str:
        return self.vector.get("stage", "swiss")

    def told(self) -> list[msgspec.Struct]:
        return [
            *(msgspec.structs.replace(event, tournament=self.cup) for event in started(self.vector["ruleset"])),
            *(OfficialAppointed(scope=self.cup, subject=who, role=role) for who, role in OFFICIALS.items()),
            *(CaptainNamed(entrant=one, tournament=self.cup, generation=1) for one in ENTRANTS),
        ]

    def round(self, number: int = 1) -> RoundPublished:
        more = [{"seats": ["ada", "ben"]} | one for one in self.vector.get("games", [{}])]
        games = tuple(
            planned(f"{self.cup}-g{table + 10 * (number - 1)}", table, *one.pop("seats"), **one)
            for table, one in enumerate(more, start=1)
        )
        return RoundPublished(tournament=self.cup, stage=self.stage, round=number, games=games)

    async def hear(self, what: str | None) -> None:
        match what:
            case "next round":
                await tell(self.database, "pairing", self.cup, self.round(2))
            case "left ada":
                left = EntrantLeft(entrant="ada", tournament=self.cup, stage=self.stage, after_round=0, why="expelled")
                await tell(self.database, "registration", self.cup, left)
            case _:
                return
        await done(self.database)

    async def log(self) -> list[str]:
        """What has happened at the tables, by somebody's act."""
        if self.vector["act"] in ELSEWHERE:
            return []
        answer = await self.client.get(f"/v1/log/{self.cup}", headers=self.signed("aud"))
        records = records_of(answer.content)
        return [one["type"] for one in records if one["type"] not in FOLLOWS]

    def signed(self, by: str) -> dict[str, str]:
        _, is_captain, entrant = by.partition("captain ")
        return signed_by(CAPTAINS.token(entrant, self.cup) if is_captain else issuer().token(by))

    async def act(self, act: str, by: str, body: Any) -> httpx.Response:
        match act.split():
            case ["adjudicate"]:
                path, body = (
                    "/v1/adjudicate",
                    {
                        "ruleset": self.vector["ruleset"],
                        "options": self.vector.get("options", {}),
                        "game": body,
                    },
                )
            case ["rules"]:
                rules = catalogue.load(self.vector["ruleset"]).model_dump(mode="json")
                change(rules, body)
                path, body = "/v1/adjudicate", {"ruleset": rules, "game": {"scores": [1, 2]}}
            case ["word-lists"]:
                path = f"/v1/federations/{FEDERATION}/word-lists"
            case ["protest"]:
                path = f"/v1/tournaments/{self.cup}/protests"
                filed = {"entrant": "ada", "game": f"{self.cup}-g1", "reason": "The clock."}
                protest = await self.client.post(path, json=filed, headers=self.signed(by))
                path, body = f"{path}/{protest.json()['id']}/decide", {"council": body, "reason": "So."}
            case [game, what]:
                path = f"/v1/games/{self.cup}-{game}/{what}"
            case _:
                path = f"/v1/tournaments/{self.cup}/{act}"
        return await self.client.post(path, json=body, headers=self.signed(by))


@pytest.fixture(scope="module")
async def results(server: str) -> AsyncGenerator[tuple[Client, str]]:
    """One service that has heard of them all at once."""
    database = await fresh_database(server)
    async with service(database, name="results", signed_in=False, rate="0") as client:
        council = OfficialAppointed(scope=FEDERATION, subject="cora", role="council")
        scenes = [Scene(client=client, database=database, vector=vector) for vector in VECTORS]
        cups = [scene for scene in scenes if scene.vector["act"] not in ELSEWHERE]
        said = {FEDERATION: [CAPTAINS.introduced, council]} | {scene.cup: scene.told() for scene in cups}
        await tell_of_several(database, "registration", said)
        await tell_of_several(database, "pairing", {scene.cup: [scene.round()] for scene in cups})
        await done(database)
        yield client, database


def case(vector: dict[str, Any]) -> ParameterSet:
    return pytest.param(vector, id=f"{vector['rule']} {vector['is']}")


@pytest.mark.parametrize("vector", [case(vector) for vector in VECTORS])
async def test_bad_input_is_refused_by_its_rule_and_changes_nothing(
    results: tuple[Client, str], vector: dict[str, Any]
) -> None:
    client, database = results
    scene = Scene(client=client, database=database, vector=vector)
    for act, by, body in vector.get("given", []):
        answer = await scene.act(act, by, body)
        assert answer.is_success, answer.text
    await scene.hear(vector.get("hear"))
    before = await scene.log()
    answer = await scene.act(vector["act"], vector["by"], vector["body"])
    assert answer.status_code == vector["status"], answer.text
    document = Problem.model_validate_json(answer.content)
    said = " ".join([document.detail, *(fault.detail for fault in document.errors)])
    assert f"({vector['rule']})" in said
    assert "pointer" not in vector or vector["pointer"] in [fault.pointer for fault in document.errors]
    assert await scene.log() == before
