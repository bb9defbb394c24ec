"""Results by spreadsheet: a round is taken out, filled in without a network, and sent, as often as one likes."""

import asyncio
import csv
from http import HTTPStatus
from typing import Any

import pytest

from tests.api.asking import problem
from tests.api.tables import TOURNAMENT, Answer, Hall, hall, planned
from tests.patience import PATIENCE

PATH = f"/v1/tournaments/{TOURNAMENT}/stages/{{}}/rounds/1/entry-sheet"
TWO = (planned("g1", 1, "ada", "ben"), planned("g2", 2, "cid", "dan"))


async def lines(cup: Hall) -> list[dict[str, str]]:
    async with asyncio.timeout(PATIENCE):
        while (answer := await cup.client.get(PATH.format(cup.stage))).status_code == HTTPStatus.NOT_FOUND:
            await asyncio.sleep(0.02)  # the list follows in a moment
    assert answer.headers["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(answer.content.decode("utf-8-sig").splitlines()))


async def send(cup: Hall, text: str, by: str = "sue", **query: Any) -> Answer:
    headers = cup.signed(by) | {"Content-Type": "text/csv"}
    return await cup.client.post(PATH.format(cup.stage), content=text.encode(), params=query, headers=headers)


async def answers(cup: Hall, text: str) -> list[dict[str, Any]]:
    answer = await send(cup, text)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()["answers"]


async def test_each_line_is_answered_by_itself_and_the_file_can_be_sent_again(database: str) -> None:
    async with hall(database) as cup:
        assert [(line["game"], line["name_1"], line["score_1"]) for line in await lines(cup)] == [
            ("g1", "ada", ""),
            ("g2", "cid", ""),
            ("g3", "eva", ""),
        ]
        text = (
            "game;score_1;score_2;end;by;signed\ng1;380;350;;;yes\ng2;;;no_show;1;yes\ng3;;;;;\n"
            "nowhere;1;2;;;\ng3;380;x;;;\n"
        )
        for _ in range(2):
            found = await answers(cup, text)
            assert [(one["line"], one["status"]) for one in found] == [(2, 200), (3, 200), (5, 404), (6, 422)]
            assert [one["sheet"]["status"] for one in found[:2]] == ["final", "final"]
            assert found[3]["problem"]["errors"][0]["pointer"] == "/lines/6/score_2"
        assert len(await cup.told("ResultReported")) == 2
        await with_results(cup)


@pytest.mark.rule("SK.REG-13")
async def test_a_signed_line_with_a_default_online_waits_for_the_director(database: str) -> None:
    async with hall(database, games=TWO, rules="scrabble-sk-2022-online") as cup:
        text = "game;score_1;score_2;end;by;signed\ng1;380;350;;;yes\ng2;;;no_show;1;yes\n"
        for _ in range(2):
            found = [one["sheet"] for one in await answers(cup, text)]
            assert [(sheet["status"], sheet["awaits_director"]) for sheet in found] == [
                ("final", False),
                ("reported", True),
            ]
        decided = await cup.act("g2", "decide", {"end": "no_show", "by": 0, "reason": "Waited."}, by="dora")
        assert decided.json()["status"] == "final"


async def with_results(cup: Hall) -> None:
    """What was taken out changes nothing when it comes back."""
    before = len(await cup.told("ResultReported"))
    async with asyncio.timeout(PATIENCE):
        while "yes" not in (answer := await cup.client.get(PATH.format(cup.stage))).text:
            await asyncio.sleep(0.02)
    found = await answers(cup, answer.content.decode())
    assert {one["status"] for one in found} == {HTTPStatus.OK}
    assert len(await cup.told("ResultReported")) == before


async def test_boards_of_teams_discs_and_winners_have_their_columns(database: str) -> None:
    async with hall(database, games=TWO, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        found = await answers(cup, "game,boards,signed\ng1,11 d2 1-,yes\ng2,11 x2 1-,yes\n")
        assert found[0]["sheet"]["result"]["scores"] == [7, 3]
        assert found[1]["problem"]["errors"][0]["pointer"] == "/lines/3/boards"
        await with_results(cup)


async def test_boards_of_a_report_that_does_not_stand_are_not_taken_out(database: str) -> None:
    async with hall(database, games=TWO, rules="pisqworky-2025-zs-ot", stage="groups") as cup:
        await answers(cup, "game,boards,signed\ng1,11 d2 1-,yes\n")
        await with_results(cup)
        said = {"boards": [[1, 1], [1, 1], [1, None]], "reason": "The sheet was read from the wrong side."}
        corrected = await cup.act("g1", "correct", said, by="dora")
        assert corrected.json()["result"]["scores"] == [0, 10], corrected.text
        first, _ = await lines(cup)
        assert (first["score_1"], first["score_2"], first["boards"]) == ("0", "10", "")


async def test_a_game_that_somebody_wins_comes_back_with_who_has_won_and_why(database: str) -> None:
    async with hall(database, games=TWO, rules="gomoku-cfp") as cup:
        text = "table,winner,end_reason,starter,signed\n1,2,five_claimed,1,yes\n2,3,,,yes\n"
        won, wrong = await answers(cup, text)
        result = won["sheet"]["result"]
        assert (result["winner"], result["end_reason"], result["first"]) == (1, "five_claimed", "ada")
        (fault,) = wrong["problem"]["errors"]
        assert (fault["pointer"], fault["detail"]) == (
            "/lines/3/winner",
            "Line 3, column winner: '3' is no seat: they go from 1 to 2",
        )
        await with_results(cup)
        refused = (await answers(cup, "table,winner,end_reason\n2,draw,five_claimed\n"))[0]["problem"]["errors"]
        assert [fault["pointer"] for fault in refused] == ["/lines/2/end_reason"]


async def test_a_table_of_four_has_four_scores_and_one_who_is_first(database: str) -> None:
    games = (planned("g1", 1, "ada", "ben", "cid", "dan"),)
    async with hall(database, games=games, rules="carcassonne-cz-qualification", stage="qualification") as cup:
        text = "table,score_1,score_2,score_3,score_4,signed\n1,70,90,65,80,yes\n"
        foreseen = await send(cup, text, dry_run=True)
        assert foreseen.json()["foreseen"][0]["changes"] == [
            "Table 1: ada 70, ben 90, cid 65, dan 80 is reported, and final."
        ]
        assert (await answers(cup, text))[0]["sheet"]["result"]["winner"] == 1
        await with_results(cup)


async def test_a_file_without_its_columns_is_refused_as_a_whole(database: str) -> None:
    async with hall(database, games=TWO, rules="othello-pl-2021", stage="preliminary") as cup:
        problem(await send(cup, "label,score_1\n1,380\n"), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        found = await answers(cup, "game,score_1,score_2,starter,signed\ng1,40,20,1,yes\n")
        assert found[0]["sheet"]["result"]["scores"] == [44, 20]
        await with_results(cup)
