"""A correction changes tables that people have read: what it changed is told, and pairings stay as they are."""

import random
from collections.abc import AsyncGenerator, Mapping
from http import HTTPStatus
from typing import Any

import pytest

from shared.contracts.registration import EntrantLeft
from shared.contracts.results import PenaltyImposed, ResultFinal, ResultReopened
from tests.api.asking import Client, pointers, service
from tests.played import STAGE, corrected, published, result, rounds, rules, started
from tests.told import done, tell

CUP = "cup"
EIGHT = ("A", "B", "C", "D", "E", "F", "G", "H")
HERE = {"tournament": CUP, "stage": STAGE}


@pytest.fixture
async def client(database: str) -> AsyncGenerator[Client]:
    async with service(database, name="standings", signed_in=False) as asked:
        yield asked


async def seven_rounds(database: str) -> list[ResultFinal]:
    """All played, told round by round; the results of the first."""
    await tell(database, "registration", CUP, *started(CUP, EIGHT))
    told = list(rounds(CUP, EIGHT, 7, random.Random(7)))
    await tell(database, "pairing", CUP, *(one for one, _, _ in told))
    await tell(database, "results", CUP, *(event for _, several, complete in told for event in (*several, complete)))
    await done(database)
    return told[0][1]


async def changes(client: Client, **query: Any) -> list[dict[str, Any]]:
    answer = await client.get(f"/v1/tournaments/{CUP}/changes", params=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()["items"]


async def rows(client: Client, **query: Any) -> Mapping[str, Any]:
    answer = await client.get(f"/v1/tournaments/{CUP}/stages/{STAGE}/standings", params=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return {row["entrant"]: row for row in answer.json()["standings"]}


async def test_a_correction_of_the_first_round_after_the_seventh_is_told_with_all_that_moved(
    client: Client, database: str
) -> None:
    first = await seven_rounds(database)
    assert await changes(client) == []
    one, other = first[0].seats
    scores = (100, 400) if first[0].points[0] == 1 else (400, 100)
    await tell(database, "results", CUP, corrected(first[0], scores))
    await done(database)
    (change,) = await changes(client)
    was, now = await rows(client, inputs=change["before"]), await rows(client, inputs=change["after"])
    moved = {
        name for name in EIGHT if (was[name]["place"], was[name]["values"]) != (now[name]["place"], now[name]["values"])
    }
    assert {row["entrant"] for row in change["moved"]} == moved >= {one, other}
    for row in change["moved"]:
        name = row["entrant"]
        assert (row["before"], row["after"]) == (was[name]["place"], now[name]["place"])
        for value in row["values"]:
            criterion = value["criterion"]
            assert (value["before"], value["after"]) == (was[name]["values"][criterion], now[name]["values"][criterion])
    assert (change["round"], change["was_closed"]) == (7, False)
    (cause,) = change["causes"]
    assert cause["sentence"] == f"In round 1 a result was corrected: {one}, {other}."
    assert await changes(client, inputs=change["before"]) == []
    assert len(await changes(client, inputs=change["after"].replace("sta0", "sta1"))) == 1
    assert any(f"points {was[one]['values']['points']} → " in row["sentence"] for row in change["moved"])


async def test_results_of_the_round_that_is_played_change_nothing_that_was_complete(
    client: Client, database: str
) -> None:
    await tell(database, "registration", CUP, *started(CUP, EIGHT))
    await tell(database, "pairing", CUP, published(CUP, 1, [("A", "B"), ("C", "D")]))
    await tell(database, "results", CUP, result(CUP, 1, 1, ("A", "B"), (300, 400)))
    await tell(database, "results", CUP, corrected(result(CUP, 1, 1, ("A", "B"), (300, 400)), (500, 400)))
    await tell(database, "results", CUP, result(CUP, 1, 2, ("C", "D"), (300, 400)))
    await done(database)
    assert await changes(client) == []


async def test_a_replay_a_penalty_and_a_departure_are_changes_too(client: Client, database: str) -> None:
    first = await seven_rounds(database)
    game = first[0].game
    await tell(database, "results", CUP, ResultReopened(game=game, round=1, **HERE))
    await done(database)
    await tell(database, "results", CUP, result(CUP, 1, 1, first[0].seats, (777, 111)))
    await done(database)
    await tell(database, "results", CUP, PenaltyImposed(penalty="p", entrant="H", round=2, points="-1/2", **HERE))
    await done(database)
    left = EntrantLeft(entrant="H", tournament=CUP, stage=STAGE, after_round=7, why="withdrew")
    await tell(database, "registration", CUP, left)
    await done(database)
    found = await changes(client)
    assert [one["causes"][0]["event"] for one in found] == ["ResultReopened", "ResultFinal", "PenaltyImposed"]
    assert found[1]["before"] == f"{found[0]['after'].removesuffix('0')}1"  # the change itself was said meanwhile
    (own,) = [row for row in found[2]["moved"] if row["entrant"] == "H"]
    assert [(one["criterion"], one["after"] - one["before"]) for one in own["values"]] == [("points", -0.5)]
    assert [one["number"] for one in await changes(client, after="1", limit=1)] == [2]
    nothing = await client.get(f"/v1/tournaments/{CUP}/changes", params={"after": "one"})
    assert pointers(nothing) == ["/query/after"]


async def test_who_leaves_changes_the_quotients_of_earlier_opponents(client: Client, database: str) -> None:
    criteria = {"pairing.system": "cost-swiss", "standings.criteria": ["points", "brightwell", "lot"]}
    await tell(database, "registration", CUP, *started(CUP, ("A", "B", "C", "D"), rules(**criteria)))
    await tell(database, "pairing", CUP, published(CUP, 1, [("A", "B"), ("C", "D")]))
    both = [result(CUP, 1, 1, ("A", "B"), (40, 24)), result(CUP, 1, 2, ("C", "D"), (50, 14))]
    await tell(database, "results", CUP, *both)
    await done(database)
    left = EntrantLeft(entrant="B", tournament=CUP, stage=STAGE, after_round=1, why="withdrew")
    await tell(database, "registration", CUP, left)
    await done(database)
    (change,) = await changes(client)
    assert [row["entrant"] for row in change["moved"]] == ["A"]
    assert change["causes"][0]["sentence"] == "Somebody left: B."
