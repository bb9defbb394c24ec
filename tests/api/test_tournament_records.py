"""The records of a tournament, as everybody may read them."""

import csv
from http import HTTPStatus
from typing import Any

import pytest

from tests.api.asking import problem
from tests.api.tables import TOURNAMENT, hall

PATH = f"/v1/tournaments/{TOURNAMENT}/records"


@pytest.mark.rule("SK.REG-18")
async def test_the_records_of_a_tournament_as_json_as_csv_and_on_paper(database: str) -> None:
    async with hall(database) as cup:
        nobody = {"Authorization": ""}
        assert (await cup.client.get(PATH, headers=nobody)).json()["records"] == []
        said: dict[str, Any] = {
            "highest_turn": {"seat": 0, "points": 101},
            "bingos": [{"seat": 0, "points": 86}],
            "signed_by": [0, 1],
        }
        for by in ("sue", "sam"):
            answer = await cup.report("g1", 480, 320, by=by, **said)
        assert answer.json()["status"] == "final", answer.text
        for by in ("sue", "sam"):
            await cup.report("g2", 410, 405, by=by, signed_by=[0, 1])
        await cup.report("g3", 600, 600, by="sue", highest_turn={"seat": 0, "points": 300})  # not final
        found = (await cup.client.get(PATH, headers=nobody)).json()
        assert found["noted"] == {"games": 2, "scores": 2, "turns": 1, "bingos": 1}
        assert [
            (one["record"], one["value"], [holder["entrant"] for holder in one["holders"]], one["game"])
            for one in found["records"]
        ] == [
            ("turn", 101, ["ada"], "g1"),
            ("score", 480, ["ada"], "g1"),
            ("joint-score", 815, ["cid", "dan"], "g2"),
            ("bingos-of-game", 1, ["ada"], "g1"),
            ("bingos-of-tournament", 1, ["ada"], None),
        ]
        file = await cup.client.get(PATH, params={"format": "csv"}, headers=nobody)
        rows = list(csv.DictReader(file.content.decode("utf-8-sig").splitlines()))
        assert [(row["record"], row["value"], row["entrant"]) for row in rows][2:4] == [
            ("joint-score", "815", "cid"),
            ("joint-score", "815", "dan"),
        ]
        paper = await cup.client.get(PATH, params={"format": "page"}, headers=nobody)
        assert paper.headers["Content-Type"].startswith("text/html")
        assert "From 2 games; turns were noted in 1 of them" in paper.text
        assert "<td>No. 3 and No. 4</td>" in paper.text  # nobody is told by an id
        unknown = await cup.client.get("/v1/tournaments/nowhere/records", headers=nobody)
        problem(unknown, HTTPStatus.NOT_FOUND, "not-started")


async def test_other_games_have_no_such_records(database: str) -> None:
    async with hall(database, rules="othello-pl-2021", stage="swiss") as cup:
        refused = await cup.client.get(PATH, headers={"Authorization": ""})
        problem(refused, HTTPStatus.CONFLICT, "no-such-records")
