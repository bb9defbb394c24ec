"""Some tables of a published round are changed: results answers, and until then they count as they were published."""

from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

import pytest

from shared.contracts.registration import EntrantLeft
from shared.contracts.results import GameStarted, RepairAccepted, RepairRefused, ResultCorrected, ResultReopened
from tests.api.asking import problem
from tests.api.hall import PATH, STAGE, Answer, Hall, T, hall, seats

REASON = {"code": "mistake", "words": "Dana and Eva sat down at the wrong tables."}


@pytest.fixture
async def here(database: str) -> AsyncGenerator[Hall]:
    async with hall(database) as here:
        yield here


def exchanged(published: Answer) -> list[dict[str, Any]]:
    """The second seats of the first two tables change places."""
    one, other = (list(seats(pair)) for pair in published["pairs"][:2])
    return [
        {"table": 1, "seats": [one[0], other[1]], "first": one[0]},
        {"table": 2, "seats": [other[0], one[1]], "first": other[0]},
    ]


async def asked(here: Hall) -> tuple[Answer, str]:
    """A published round whose repair is asked, and the name of the asking."""
    published = await here.publish(1)
    shown = await here.done(1, "repair", tables=exchanged(published), reason=REASON)
    assert (shown["pairs"], shown["repair_asked"]) == (published["pairs"], True)
    asking = next(line for line in (await here.log()).splitlines() if '"RepairAsked"' in line)
    return published, asking.split('"repair":"')[1].split('"')[0]


def accepted(repair: str) -> RepairAccepted:
    return RepairAccepted(tournament=T, stage=STAGE, round=1, repair=repair)


async def test_two_tables_exchange_players_and_keep_their_score_sheets(here: Hall) -> None:
    published, repair = await asked(here)
    await here.hear("results", accepted(repair))
    seen = (await here.see("/rounds/1", by=None)).json()
    assert [seats(pair) for pair in seen["pairs"][:2]] == [tuple(one["seats"]) for one in exchanged(published)]
    assert seen["pairs"][2:] == published["pairs"][2:]
    assert [pair["game"] for pair in seen["pairs"]] == [pair["game"] for pair in published["pairs"]]
    why = (await here.see("/rounds/1/why", by=None)).json()
    assert why["changed_by_hand"]
    assert why["pairs"][0]["why"] == ["Put together by hand after the round was published."]
    assert why["pairs"][2]["why"] != why["pairs"][0]["why"]


async def test_the_next_round_knows_who_really_met(here: Hall) -> None:
    _, repair = await asked(here)
    await here.hear("results", accepted(repair))
    played = (await here.see("/rounds/1")).json()
    await here.play(played)
    following = await here.done(2, "draft")
    met = {frozenset(seats(pair)) for pair in played["pairs"]}
    assert not met & {frozenset(seats(pair)) for pair in following["pairs"]}


async def test_a_repair_is_refused_when_one_of_its_games_has_begun(here: Hall) -> None:
    published, repair = await asked(here)
    refused = RepairRefused(tournament=T, stage=STAGE, round=1, repair=repair, game=published["pairs"][0]["game"])
    await here.hear("results", refused)
    seen = (await here.see("/rounds/1")).json()
    assert (seen["pairs"], seen["repair_asked"]) == (published["pairs"], False)
    assert (seen["refused"]["what"], seen["refused"]["game"]) == ("repair", published["pairs"][0]["game"])


async def test_until_the_answer_nothing_else_is_asked_of_the_round(here: Hall) -> None:
    published, _ = await asked(here)
    problem(await here.act(1, "recall", reason=REASON), HTTPStatus.CONFLICT, "answer-awaited")
    again = await here.act(1, "repair", tables=exchanged(published), reason=REASON)
    problem(again, HTTPStatus.CONFLICT, "answer-awaited")
    allowed = {name: one["allowed"] for name, one in (await here.see("/rounds/1")).json()["allowed_actions"].items()}
    assert (allowed["recallRound"], allowed["repairTables"]) == (False, False)


async def test_a_dry_run_names_who_will_sit_where_and_which_rules_it_breaks(here: Hall) -> None:
    await here.play(await here.publish(1))
    published = await here.publish(2)
    first = (await here.see("/rounds/1")).json()["pairs"][0]
    one, other = seats(first)
    table = {seat: pair for pair in published["pairs"] for seat in seats(pair)}
    (with_one,) = (seat for seat in seats(table[one]) if seat != one)
    (with_other,) = (seat for seat in seats(table[other]) if seat != other)
    tables = [
        {"table": table[one]["table"], "seats": [one, other], "first": one},
        {"table": table[other]["table"], "seats": [with_one, with_other], "first": with_one},
    ]
    foreseen = await here.tried(2, "repair", tables=tables, reason=REASON)
    assert len(foreseen["changes"]) == 2
    assert foreseen["doubts"][0].endswith("have met already (SK.PAI-2).")
    assert "RepairAsked" not in await here.happened()
    await here.done(2, "repair", tables=tables, reason=REASON)
    (decision,) = (await here.see("/rounds/2/why")).json()["decisions"]
    assert (decision["act"], decision["words"]) == ("repair", REASON["words"])
    assert decision["doubts"][0].endswith("have met already (SK.PAI-2).")


async def test_where_one_of_its_games_is_known_to_have_begun_a_repair_is_refused_at_once(here: Hall) -> None:
    published = await here.publish(1)
    tables = exchanged(published)
    untouched, begun = published["pairs"][4]["game"], published["pairs"][tables[1]["table"] - 1]["game"]
    await here.hear("results", GameStarted(game=untouched, tournament=T))
    assert (await here.tried(1, "repair", tables=tables, reason=REASON))["changes"]
    await here.hear("results", GameStarted(game=begun, tournament=T))
    for tried in ("repair", "repair?dry_run=true"):
        problem(await here.act(1, tried, tables=tables, reason=REASON), HTTPStatus.CONFLICT, "game-has-begun")
    assert "RepairAsked" not in await here.happened()


async def test_a_repair_seats_the_same_people_with_a_reason_at_tables_that_there_are(here: Hall) -> None:
    published = await here.publish(1)
    tables = exchanged(published)
    problem(
        await here.act(1, "repair", tables=tables[:1], reason=REASON),
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "sheet-not-whole",
    )
    without_reason = await here.client.post(f"{PATH}/rounds/1/repair", json={"tables": tables})
    problem(without_reason, HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")
    problem(await here.act(2, "repair", tables=tables, reason=REASON), HTTPStatus.CONFLICT, "not-published")


async def test_whoever_sits_down_where_somebody_begins_begins_unless_another_is_named(here: Hall) -> None:
    published = await here.publish(1)
    (one, two), (three, four) = (seats(pair) for pair in published["pairs"][:2])
    began = [pair["first"] for pair in published["pairs"][:2]]
    tables: list[Answer] = [{"table": 1, "seats": [three, two]}, {"table": 2, "seats": [one, four], "first": None}]
    await here.done(1, "repair", tables=tables, reason=REASON)
    asking = next(line for line in (await here.log()).splitlines() if '"RepairAsked"' in line)
    await here.hear("results", accepted(asking.split('"repair":"')[1].split('"')[0]))
    seen = (await here.see("/rounds/1", by=None)).json()
    assert [pair["first"] for pair in seen["pairs"][:2]] == [{one: three, two: two}[began[0]], None]


async def test_who_has_left_is_taken_off_the_sheet_and_whoever_had_the_bye_plays(database: str) -> None:
    async with hall(database, size=11) as here:
        published = await here.publish(1)
        pair = published["pairs"][0]
        (stays, goes), (waits,) = seats(pair), (player["entrant"] for player in published["byes"])
        tables = [{"table": 1, "seats": [stays, waits], "first": stays}]
        still_there = await here.act(1, "repair", tables=tables, byes=[], reason=REASON)
        problem(still_there, HTTPStatus.UNPROCESSABLE_ENTITY, "sheet-not-whole")
        await here.hear(
            "registration", EntrantLeft(entrant=goes, tournament=T, stage=STAGE, after_round=0, why="withdrew")
        )
        told = f"{goes} is not there: the game at table 1 is lost, unless it had begun."
        assert told in (await here.see("/rounds/1/why", by=None)).json()["explanation"]
        assert told in (await here.see("/next")).json()["obstacles"][0]["detail"]
        await here.done(1, "repair", tables=tables, byes=[], reason=REASON)
        asking = next(line for line in (await here.log()).splitlines() if '"RepairAsked"' in line)
        await here.hear("results", accepted(asking.split('"repair":"')[1].split('"')[0]))
        seen = (await here.see("/rounds/1")).json()
        assert (seats(seen["pairs"][0]), seen["byes"]) == ((stays, waits), [])
        assert [player["entrant"] for player in seen["missing"]] == [goes]


async def test_tables_can_be_changed_while_a_game_of_an_earlier_round_is_played_anew(here: Hall) -> None:
    first = await here.publish(1)
    await here.play(first)
    second = await here.publish(2)
    again = first["pairs"][0]["game"]
    await here.hear("results", ResultReopened(game=again, tournament=T, stage=STAGE, round=1))
    shown = await here.done(2, "repair", tables=exchanged(second), reason=REASON)
    assert shown["repair_asked"]


async def test_the_past_shows_the_tables_as_they_were_repaired(here: Hall) -> None:
    published, repair = await asked(here)
    await here.hear("results", accepted(repair))
    now = (await here.see("/rounds/1", by=None, at="2099-01-01T00:00:00Z")).json()
    assert [seats(pair) for pair in now["pairs"][:2]] == [tuple(one["seats"]) for one in exchanged(published)]


async def test_a_correction_after_publication_leaves_the_round_and_is_told(here: Hall) -> None:
    first = await here.publish(1)
    await here.play(first)
    second = await here.publish(2)
    pair = first["pairs"][0]
    corrected = ResultCorrected(
        game=pair["game"], tournament=T, stage=STAGE, round=1, seats=seats(pair), scores=(300, 350), points=(0, 1)
    )
    await here.hear("results", corrected)
    assert (await here.see("/rounds/2")).json()["pairs"] == second["pairs"]
    why = (await here.see("/rounds/2/why", by=None)).json()
    assert why["explanation"][-1] == (
        "Since it was paired, a result was corrected in round 1. What is published stands, so nobody is paired anew."
    )


async def test_whoever_is_seated_by_hand_where_somebody_begins_begins_unless_another_is_named(here: Hall) -> None:
    drafted = await here.done(1, "draft")
    (one, two), (three, four), *_ = (seats(pair) for pair in drafted["pairs"])
    began = drafted["pairs"][0]["first"]
    rest = [{"table": pair["table"], "seats": seats(pair)} for pair in drafted["pairs"][2:]]
    tables: list[Answer] = [{"table": 1, "seats": [three, two]}, {"table": 2, "seats": [one, four], "first": None}]
    changed = await here.done(1, "override", pairs=[*tables, *rest], byes=drafted["byes"], reason=REASON)
    firsts = [pair["first"] for pair in changed["pairs"]]
    assert firsts[:2] == [{one: three, two: two}[began], None]
    assert firsts[2:] == [pair["first"] for pair in drafted["pairs"][2:]]
