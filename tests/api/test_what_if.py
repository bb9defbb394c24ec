"""What would become of the tables if a game had another result: the same as what a correction then does."""

from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from shared.contracts.registration import EntrantAdmitted
from shared.ids import new_id
from tests.api.asking import Client, issuer, pointers, problem, service
from tests.api.signing import signed_by
from tests.databases import lent
from tests.played import STAGE, completed, corrected, game_id, published, result, started
from tests.told import done, tell


class Four:
    """Two rounds of four, whose ids are no names; the second round is not over."""

    def __init__(self, client: Client, database: str) -> None:
        self.client = client
        self.database = database
        self.cup = str(new_id())
        self.entrants = [str(new_id()) for _ in range(4)]
        self.path = f"/v1/tournaments/{self.cup}/stages/{STAGE}"

    async def play(self) -> None:
        one, two, three, four = self.entrants
        await tell(self.database, "registration", self.cup, *started(self.cup, self.entrants))
        await tell(self.database, "pairing", self.cup, published(self.cup, 1, [(one, two), (three, four)]))
        self.first = result(self.cup, 1, 1, (one, two), (300, 400))
        second = result(self.cup, 1, 2, (three, four), (500, 100))
        await tell(self.database, "results", self.cup, self.first, second, completed(self.cup, 1))
        await tell(self.database, "pairing", self.cup, published(self.cup, 2, [(two, three), (one, four)]))
        await done(self.database)

    async def suppose(self, who: str = "operator", **body: Any) -> httpx.Response:
        headers = signed_by(issuer().token(who))
        return await self.client.post(f"{self.path}/standings/what-if", json=body, headers=headers)

    async def table(self) -> list[tuple[str, int]]:
        found = (await self.client.get(f"{self.path}/standings")).json()
        return [(row["entrant"], row["place"]) for row in found["standings"]]


@pytest.fixture(scope="module")
async def asked(server: str) -> AsyncGenerator[tuple[Client, str]]:
    async with lent(server) as (database,), service(database, name="standings") as client:
        yield client, database


@pytest.fixture
async def four(asked: tuple[Client, str]) -> Four:
    found = Four(*asked)
    await found.play()
    return found


async def test_what_is_supposed_is_what_a_correction_then_does(four: Four) -> None:
    before = dict(await four.table())
    after = {"scores": [400, 300], "points": [1, 0], "winner": 0, "end": "played", "deciding": [], "first": None}
    after |= {"end_reason": None, "by": [], "draw_wins": None, "decided_by": None, "unmoved": None}
    by_id = await four.suppose(game=game_id(four.cup, 1, 1), result=after)
    found = by_id.json()
    assert (await four.suppose(round=1, table=1, result={"scores": [400, 300]})).json() == found
    (changed,) = found["tables"]
    assert (changed["stage"], changed["title"].split(",")[0], changed["round"]) == (STAGE, "Swiss", 2)
    moved = {one["entrant"]: (one["before"], one["after"]) for one in changed["moved"]}
    assert dict(await four.table()) == before, "nothing is changed"
    assert [(one["round"], one["sentence"].split(" of ")[0]) for one in found["rounds"]] == [(2, "Round 2")]
    await tell(four.database, "results", four.cup, corrected(four.first, (400, 300)))
    await done(four.database)
    now = dict(await four.table())
    assert {one: (before[one], now[one]) for one in moved} == moved
    assert {one for one in now if now[one] != before[one]} <= moved.keys()
    again = (await four.suppose(round=1, table=1, result={"scores": [400, 300]})).json()
    assert again["tables"] == [], "it is so already"
    crosstable = (await four.client.get(f"{four.path}/crosstable")).json()
    cells = {row["entrant"]: [cell["corrected"] for cell in row["rounds"]] for row in crosstable["rows"]}
    assert [cells[one][0] for one in four.entrants] == [True, True, False, False]
    assert (await four.client.get(f"{four.path}/standings")).json()["corrected"] == 1


async def test_as_if_a_game_had_no_result(four: Four) -> None:
    found = (await four.suppose(round=1, table=2, result=None)).json()
    (changed,) = found["tables"]
    assert any(value["criterion"] == "points" for one in changed["moved"] for value in one["values"])


async def test_what_cannot_be_is_refused_and_spectators_ask_nothing(four: Four) -> None:
    unknown = await four.suppose(round=1, table=9, result={"scores": [1, 2]})
    problem(unknown, HTTPStatus.NOT_FOUND, "game-unknown")
    unfit = await four.suppose(round=1, table=1, result={"scores": [1, 2, 3], "by": [2]})
    problem(unfit, HTTPStatus.UNPROCESSABLE_ENTITY, "unfit-result")
    assert [fault["pointer"] for fault in unfit.json()["errors"]] == ["/result/scores", "/result"]
    assert pointers(await four.suppose(round=1, result=None)) == [""]
    assert pointers(await four.suppose(game="x", round=1, table=1, result=None)) == [""]
    assert pointers(await four.suppose(round=1, table=1, result={"scores": [1e300, 1]})) == ["/result/scores/0"]
    for nobody in (four.entrants[2], "unheard-of"):
        begun = await four.suppose(round=1, table=1, result={"scores": [1, 2], "first": nobody})
        problem(begun, HTTPStatus.UNPROCESSABLE_ENTITY, "unfit-result")
        assert [fault["pointer"] for fault in begun.json()["errors"]] == ["/result/first"]
    ended = await four.suppose(round=1, table=1, result={"scores": [1, 2], "end": "by-magic"})
    problem(ended, HTTPStatus.UNPROCESSABLE_ENTITY, "unfit-result")
    assert [fault["pointer"] for fault in ended.json()["errors"]] == ["/result/end"]
    for end in ("awarded", "resigned"):
        assert (
            await four.suppose(round=1, table=1, result={"scores": [1, 2], "end": end})
        ).status_code == HTTPStatus.OK
    problem(await four.suppose(round=1, table=2_500, result=None), HTTPStatus.NOT_FOUND, "game-unknown")
    problem(await four.suppose("a-spectator", round=1, table=1, result=None), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_a_place_is_explained_by_start_number(four: Four) -> None:
    by_id = await four.client.get(f"{four.path}/standings/entrants/{four.entrants[2]}")
    by_number = await four.client.get(f"{four.path}/standings/entrants/number:3")
    assert by_number.json() == by_id.json()
    assert by_number.json()["place"] == 1
    nobody = await four.client.get(f"{four.path}/standings/entrants/number:99")
    problem(nobody, HTTPStatus.NOT_FOUND, "nothing-there")
    late = EntrantAdmitted(entrant=str(new_id()), tournament=four.cup, persons=(str(new_id()),), number=5, from_round=2)
    await tell(four.database, "registration", four.cup, late)
    await done(four.database)
    found = await four.client.get(f"{four.path}/standings/entrants/number:5")
    assert found.json()["entrant"] == late.entrant
