"""Rounds at results: opened with their publication, recalled or not, complete once, and what defaults bring about."""

import asyncio
import csv
import json
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

import pytest
from click.testing import CliRunner

from deploy.cli import main
from shared.contracts.pairing import RecallAsked, RoomsNamed, RoundPublished
from shared.contracts.parts import Room
from shared.contracts.registration import EntrantLeft, EntrantReturned
from shared.rulesets import catalogue
from tests.api.asking import problem
from tests.api.tables import GAMES, RULESET, STAGE, TOURNAMENT, Hall, hall, planned
from tests.patience import PATIENCE


@pytest.fixture
async def cup(database: str) -> AsyncGenerator[Hall]:
    async with hall(database) as found:
        yield found


def seats(game: dict[str, Any]) -> list[str]:
    return [seat["entrant"] for seat in game["seats"]]


async def finish(cup: Hall, *games: str) -> None:
    for game in games:
        answer = await cup.report(game, 380, 350, by="sue", signed_by=[0, 1])
        assert answer.json()["status"] == "final", answer.text


async def test_a_published_round_has_its_sheets_and_tells_what_is_missing(cup: Hall) -> None:
    await finish(cup, "g2")
    async with asyncio.timeout(PATIENCE):
        while (shown := await cup.round())["missing"] != 2:
            await asyncio.sleep(0.02)
    assert (shown["games"], shown["complete"], shown["next"]) == (3, False, None)
    assert [(game["id"], game["table"], game["status"]) for game in shown["items"]] == [
        ("g1", 1, "pending"),
        ("g2", 2, "final"),
        ("g3", 3, "pending"),
    ]
    assert shown["items"][1]["result"]["points"] == [1, 0]
    assert [game["id"] for game in (await cup.round(show="open"))["items"]] == ["g1", "g3"]
    first = await cup.round(limit=2)
    assert [game["id"] for game in (await cup.round(limit=2, after=first["next"]))["items"]] == ["g3"]


async def test_the_games_of_a_tournament_are_a_spreadsheet_too(cup: Hall) -> None:
    await finish(cup, "g2")
    path = f"/v1/tournaments/{TOURNAMENT}/games"
    async with asyncio.timeout(PATIENCE):
        while "final" not in (answer := await cup.client.get(path, params={"format": "csv"})).text:
            await asyncio.sleep(0.02)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    lines = list(csv.DictReader(answer.content.decode("utf-8-sig").splitlines()))
    assert [(line["round"], line["table"], line["status"], line["score_1"], line["points_1"]) for line in lines] == [
        ("1", "1", "pending", "", ""),
        ("1", "2", "final", "380", "1"),
        ("1", "3", "pending", "", ""),
    ]


async def test_the_games_of_a_tournament_come_as_its_stages_follow_each_other(database: str) -> None:
    first = (planned("z1", 1, "ada", "ben", "cid"), planned("z2", 2, "dan", "eva", "fay"))
    last = planned("a1", 1, "ada", "ben", "cid", "dan")
    path = f"/v1/tournaments/{TOURNAMENT}/games"
    async with hall(database, games=first, rules="carcassonne-cz-qualification", stage="qualification") as cup:
        await cup.hear("pairing", RoundPublished(tournament=TOURNAMENT, stage="final", round=1, games=(last,)))
        sheet = (await cup.client.get(path, params={"format": "csv"})).content.decode("utf-8-sig").splitlines()
        assert [line["stage"] for line in csv.DictReader(sheet)] == ["qualification", "qualification", "final"]
        found: list[str] = []
        page: dict[str, Any] = {"next": None}
        while len(found) < 1 + len(first) and (page["next"] or not found):
            page = (await cup.client.get(path, params={"limit": 1, "after": page["next"] or ""})).json()
            found += [game["id"] for game in page["items"]]
        assert (found, page["next"]) == (["z1", "z2", "a1"], None)


async def test_sheets_say_in_which_room_their_table_is(cup: Hall) -> None:
    plain = await cup.client.get("/v1/games/g2")
    await cup.hear("pairing", RoomsNamed(tournament=TOURNAMENT, rooms=(Room(name="Gym", tables=("G1", "G2")),)))
    async with asyncio.timeout(PATIENCE):
        while (items := (await cup.round())["items"])[0]["room"] is None:
            await asyncio.sleep(0.05)
    assert [(game["room"], game["label"]) for game in items] == [("Gym", "G1"), ("Gym", "G2"), (None, None)]
    told = await cup.client.get("/v1/games/g2")
    assert (told.json()["room"], told.json()["label"]) == ("Gym", "G2")
    assert told.headers["ETag"] != plain.headers["ETag"]
    headers = cup.signed("art") | {"If-Match": told.headers["ETag"]}
    body = {"reason": "Both were ill."}
    assert (await cup.client.post("/v1/games/g2/void", json=body, headers=headers)).status_code == HTTPStatus.OK


async def test_a_round_that_is_not_published_has_no_list(cup: Hall) -> None:
    path = f"/v1/tournaments/{TOURNAMENT}/stages/{STAGE}/rounds/7/games"
    problem(await cup.client.get(path), HTTPStatus.NOT_FOUND, "round-unknown")


async def test_a_round_is_complete_once_however_its_last_results_come(cup: Hall) -> None:
    await finish(cup, "g1", "g2")
    await cup.act("g3", "void", {"reason": "Both were ill."}, by="art")
    await cup.will_be_told("RoundCompleted")
    for game in ("g1", "g2"):
        await cup.report(game, 380, 350, by="sam")
    await cup.act("g1", "correct", {"scores": [380, 390], "reason": "A turn was missing."}, by="art")
    await asyncio.sleep(0.3)
    assert len(await cup.told("RoundCompleted")) == 1
    assert (await cup.round())["complete"]


async def test_a_replay_reopens_a_round_and_its_result_completes_it_again(cup: Hall) -> None:
    await finish(cup, "g1", "g2", "g3")
    await cup.will_be_told("RoundCompleted")
    body = {"replay": True, "reason": "The wrong tiles."}
    foreseen = await cup.act("g2", "void", body, by="art", dry_run=True)
    assert foreseen.json()["lost"] == ["The result cid 380:350 dan."]
    assert (await cup.act("g2", "void", body, by="art")).json()["status"] == "pending"
    assert len(await cup.told("RoundReopened")) == 1
    await finish(cup, "g2")
    await cup.will_be_told("RoundCompleted", times=2)
    kinds = [event["type"] for event in await cup.told("RoundCompleted", "ReplayOrdered", "RoundReopened")]
    assert kinds == ["RoundCompleted", "ReplayOrdered", "RoundReopened", "RoundCompleted"]


async def test_a_round_is_recalled_before_its_first_game_has_begun(cup: Hall) -> None:
    await cup.recall(1, "r1", "g1", "g2", "g3")
    assert len(await cup.told("SheetClosed")) == 3
    assert [event["data"]["recall"] for event in await cup.told("RecallAccepted")] == ["r1"]
    problem(await cup.report("g1", 380, 350, by="sue"), HTTPStatus.CONFLICT, "round-is-recalled")
    await cup.publish(1, [planned("h1", 1, "ada", "cid"), planned("h2", 2, "ben", "dan")])
    await finish(cup, "h1", "h2")
    await cup.will_be_told("RoundCompleted")
    assert [game["id"] for game in (await cup.round())["items"]] == ["h1", "h2"]


async def test_a_recall_is_refused_with_the_game_that_has_begun(cup: Hall) -> None:
    await cup.act("g2", "start", {}, by="sue")
    await cup.recall(1, "r1", "g1", "g2", "g3")
    assert [event["data"]["game"] for event in await cup.told("RecallRefused")] == ["g2"]
    assert await cup.told("SheetClosed") == []
    await cup.recall(1, "r1", "g1", "g2", "g3")
    assert len(await cup.told("RecallRefused")) == 1
    await finish(cup, "g1", "g2", "g3")


async def test_tables_are_seated_anew_before_their_games_begin(cup: Hall) -> None:
    await cup.act("g3", "start", {}, by="sue")
    await cup.repair(1, "x1", planned("g1", 1, "ada", "cid"), planned("g2", 2, "ben", "dan"))
    assert [event["data"]["repair"] for event in await cup.told("RepairAccepted")] == ["x1"]
    sheet = await cup.look("g1")
    assert (seats(sheet), sheet["status"]) == (["ada", "cid"], "pending")
    await finish(cup, "g1", "g2", "g3")
    await cup.will_be_told("RoundCompleted")
    assert [seats(game) for game in (await cup.round())["items"]] == [["ada", "cid"], ["ben", "dan"], ["eva", "fay"]]


async def test_a_repair_is_refused_as_a_whole_when_one_game_has_begun(cup: Hall) -> None:
    await cup.act("g2", "start", {}, by="sue")
    await cup.repair(1, "x1", planned("g1", 1, "ada", "cid"), planned("g2", 2, "ben", "dan"))
    assert [event["data"]["game"] for event in await cup.told("RepairRefused")] == ["g2"]
    assert seats(await cup.look("g1")) == ["ada", "ben"]


async def test_a_publication_and_its_recall_in_one_breath_leave_nothing_open(cup: Hall) -> None:
    published = [
        RoundPublished(
            tournament=TOURNAMENT, stage=STAGE, round=number, games=(planned(f"k{number}", 1, "ada", "cid"),)
        )
        for number in (2, 3)
    ]
    asked = RecallAsked(tournament=TOURNAMENT, stage=STAGE, round=2, recall="r2", games=("k2",))
    await cup.hear("pairing", published[0], asked, published[1])
    assert (await cup.look("k2"))["status"] == "recalled"
    assert (await cup.look("k3"))["status"] == "pending"


@pytest.mark.rule("SK.RES-6")
async def test_two_live_defaults_expel_the_player_and_a_correction_takes_it_back(cup: Hall) -> None:
    absent = {"end": "no_show", "by": 0, "signed_by": [0, 1]}
    await cup.act("g1", "reports", absent, by="sue")
    await cup.publish(2, [planned("h1", 1, "ada", "cid")])
    resigned = {"end": "resigned", "by": 0, "scores": [100, 250], "signed_by": [0, 1]}
    assert (await cup.act("h1", "reports", resigned, by="sue")).json()["status"] == "final"
    (due,) = await cup.will_be_told("ExpulsionDue")
    assert {name: due["data"][name] for name in ("entrant", "stage", "round", "clause", "games")} == {
        "entrant": "ada",
        "stage": STAGE,
        "round": 2,
        "clause": "SK.RES-6",
        "games": ["g1", "h1"],
    }
    await cup.act("g1", "correct", {"scores": [380, 350], "reason": "She was there."}, by="art")
    await cup.will_be_told("ExpulsionLapsed")
    assert len(await cup.told("ExpulsionDue")) == 1


@pytest.mark.rule("SK.RES-6")
async def test_a_game_that_is_awarded_against_a_player_is_a_default_for_whatever_reason(cup: Hall) -> None:
    """Whose two games were defaulted against them, for whatever reason, is expelled; without a seat at fault none was."""
    await cup.act("g1", "reports", {"end": "no_show", "by": 0, "signed_by": [0, 1]}, by="sue")
    award = {"end": "awarded", "scores": [0, 100], "points": [0, 1], "reason": "A hidden tile."}
    await cup.publish(2, [planned("h1", 1, "ada", "cid")])
    assert (await cup.act("h1", "decide", award, by="art")).json()["status"] == "final"
    assert (await cup.act("h1", "correct", award | {"by": 0}, by="art")).json()["status"] == "final"
    (due,) = await cup.will_be_told("ExpulsionDue")
    assert (due["data"]["entrant"], due["data"]["clause"], due["data"]["games"]) == ("ada", "SK.RES-6", ["g1", "h1"])


@pytest.mark.rule("SK.RES-6")
async def test_when_neither_appears_it_counts_against_both_and_a_bye_never(cup: Hall) -> None:
    await cup.act("g1", "reports", {"end": "both_absent", "signed_by": [0, 1]}, by="sue")
    await cup.publish(2, [planned("h1", 1, "ada", "ben")], byes=("cid",))
    await cup.act("h1", "reports", {"end": "both_absent", "signed_by": [0, 1]}, by="sue")
    due = await cup.will_be_told("ExpulsionDue", times=2)
    assert sorted(event["data"]["entrant"] for event in due) == ["ada", "ben"]


@pytest.mark.rule("SK.RES-6")
async def test_games_of_a_later_stage_come_later_whatever_their_rounds_are(database: str) -> None:
    rules = catalogue.load(RULESET)
    (swiss,) = rules.stages
    final = swiss.model_copy(update={"id": "final", "title": "Final"})
    rules = rules.model_copy(update={"stages": (swiss, final)})
    async with hall(database, rules=rules, games=()) as cup:
        await cup.publish(2, [planned("s2", 1, "ada", "ben")])
        await cup.act("s2", "reports", {"end": "no_show", "by": 0, "signed_by": [0, 1]}, by="sue")
        await Hall(client=cup.client, database=database, stage="final").publish(1, [planned("f1", 1, "ada", "cid")])
        await cup.act("f1", "reports", {"end": "no_show", "by": 0, "signed_by": [0, 1]}, by="sue")
        (due,) = await cup.will_be_told("ExpulsionDue")
        assert (due["data"]["stage"], due["data"]["round"]) == ("final", 1)


async def test_an_official_disqualifies_and_only_penalties_of_the_rules_are_imposed(cup: Hall) -> None:
    path = f"/v1/tournaments/{TOURNAMENT}"
    body = {"stage": STAGE, "round": 1, "reason": "Unsporting behaviour."}
    as_art = cup.signed("art")
    answer = await cup.client.post(f"{path}/entrants/ben/disqualify", json=body, headers=as_art)
    assert answer.json()["expelled"] == ["ben"]
    unknown = await cup.client.post(f"{path}/entrants/zoe/disqualify", json=body, headers=as_art)
    problem(unknown, HTTPStatus.NOT_FOUND, "entrant-unknown")
    penalty = {"entrant": "ada", "stage": STAGE, "round": 1, "points": -1, "reason": "Late."}
    refused = await cup.client.post(f"{path}/penalties", json=penalty, headers=as_art)
    problem(refused, HTTPStatus.CONFLICT, "not-in-these-rules")
    lifted = await cup.client.post(f"{path}/penalties/x/lift", json={"reason": "It was wrong."}, headers=as_art)
    problem(lifted, HTTPStatus.NOT_FOUND, "penalty-unknown")
    assert (await cup.client.get(f"{path}/penalties")).json()["penalties"] == []
    problem(await cup.client.get("/v1/tournaments/other/penalties"), HTTPStatus.NOT_FOUND, "not-started")


async def test_who_was_taken_back_can_be_disqualified_once_more(cup: Hall) -> None:
    path = f"/v1/tournaments/{TOURNAMENT}/entrants/ben/disqualify"
    for of_round in (1, 2):  # the second changes nothing yet
        body = {"stage": STAGE, "round": of_round, "reason": "Unsporting behaviour."}
        assert (await cup.client.post(path, json=body, headers=cup.signed("art"))).is_success
    await cup.hear("registration", EntrantReturned(entrant="ben", tournament=TOURNAMENT))
    assert (await cup.client.post(path, json=body | {"round": 3}, headers=cup.signed("art"))).is_success
    assert [event["data"]["round"] for event in await cup.told("ExpulsionDue")] == [1, 3]


async def test_a_dry_run_of_a_disqualification_says_which_published_games_are_lost(cup: Hall) -> None:
    path = f"/v1/tournaments/{TOURNAMENT}/entrants/ben/disqualify"
    body = {"stage": STAGE, "round": 1, "reason": "Unsporting behaviour."}
    following = (planned("h1", 1, "cid", "ben"), planned("h2", 2, "ada", "dan"))
    await cup.hear("pairing", RoundPublished(tournament=TOURNAMENT, stage=STAGE, round=2, games=following))
    async with asyncio.timeout(PATIENCE):
        while len((await cup.round(number=2))["items"]) < len(following):
            await asyncio.sleep(0.02)
    foreseen = await cup.client.post(path, json=body, headers=cup.signed("art"), params={"dry_run": "true"})
    assert foreseen.json()["changes"] == [
        "The entrant is expelled: it plays no more, and its place brings nothing.",
        "Round 2 of swiss, table 1: cid and ben do not play; it ends as no_show, by ben.",
    ]
    assert (await cup.client.post(path, json=body, headers=cup.signed("art"))).is_success
    left = EntrantLeft(entrant="ben", tournament=TOURNAMENT, stage=STAGE, after_round=1, why="expelled")
    await cup.hear("registration", left)
    found = [(await cup.look(game))["result"] for game in ("g1", "h1", "h2")]
    assert [result and (result["end"], result["by"]) for result in found] == [None, ("no_show", [1]), None]


async def test_after_a_restart_nothing_that_follows_is_lost_or_told_twice(database: str) -> None:
    async with hall(database) as before:
        await finish(before, "g1", "g2", "g3")
    async with hall(database, games=GAMES) as after:
        await after.will_be_told("RoundCompleted")
        assert len(await after.told("RoundCompleted")) == 1
        assert len(await after.told("SheetOpened")) == 3


async def test_adjudicating_over_http_answers_what_the_command_prints(cup: Hall) -> None:
    game = {"end": "resigned", "by": 0, "scores": [210, 347]}
    cases: list[tuple[object, int]] = [
        ({"ruleset": RULESET, "game": game}, 200),
        ({"ruleset": RULESET, "game": {}}, 422),
        ([], 422),
    ]
    for asked, status in cases:
        answer = await cup.client.post("/v1/adjudicate", json=asked, headers=cup.signed("anybody"))
        said = CliRunner().invoke(main, ["adjudicate", "-"], input=json.dumps(asked))
        assert (answer.status_code, answer.json()) == (status, json.loads(said.output))
        assert said.exit_code == (0 if status == HTTPStatus.OK else 2)
