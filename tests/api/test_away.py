"""Who leaves, or will be absent, after the round was published: the game is lost by the rules before it begins."""

import asyncio
from collections.abc import AsyncGenerator
from http import HTTPStatus

import msgspec
import pytest

from deploy import parked_messages
from deploy.databases import connection
from deploy.parked_messages import Said
from shared.contracts.registration import EntrantAbsent, EntrantLeft, EntrantReturned
from tests.api.asking import problem
from tests.api.tables import STAGE, TOURNAMENT, Hall, hall, planned
from tests.patience import PATIENCE
from tests.told import tell

LOSE = "update inbox.events set lost = now() where type = 'EntrantLeft'"
DECIDE = """
  insert into inbox.decisions (act, source, number, actor, reason)
  values ('accept', 'registration', 4, 'operator', 'its backup is older')
"""


@pytest.fixture
async def cup(database: str) -> AsyncGenerator[Hall]:
    async with hall(database) as found:
        yield found


def left(entrant: str, after: int = 0) -> EntrantLeft:
    return EntrantLeft(entrant=entrant, tournament=TOURNAMENT, stage=STAGE, after_round=after, why="withdrew")


async def ended(cup: Hall, *games: str) -> list[tuple[str, str | None]]:
    shown = [await cup.look(game) for game in games]
    return [(one["status"], one["result"] and one["result"]["end"]) for one in shown]


@pytest.mark.rule("SK.RES-4")
async def test_a_game_that_was_planned_for_who_has_left_since_is_lost_and_one_that_goes_on_is_not(cup: Hall) -> None:
    await cup.publish(2, [planned("h1", 1, "ada", "cid"), planned("h2", 2, "ben", "dan")])
    await cup.act("g1", "start", {}, by="sue")
    absent = EntrantAbsent(entrant="dan", tournament=TOURNAMENT, stage=STAGE, round=1)
    rests = EntrantAbsent(entrant="eva", tournament=TOURNAMENT, stage=STAGE, round=1, points=1)
    await cup.hear("registration", left("ada"), absent, rests)
    assert await ended(cup, "g1", "g2", "g3") == [("started", None), ("final", "no_show"), ("pending", None)]
    assert await ended(cup, "h1", "h2") == [("final", "no_show"), ("pending", None)]
    assert (await cup.look("h1"))["result"]["scores"] == [0, 100]
    await cup.hear("registration", left("ben", after=1), left("dan", after=1))
    assert await ended(cup, "h2") == [("final", "both_absent")]


@pytest.mark.rule("SK.RES-4")
async def test_nobody_wins_a_game_to_which_neither_side_comes_whichever_was_said_first(cup: Hall) -> None:
    await cup.publish(
        2, [planned("h1", 1, "ada", "cid"), planned("h2", 2, "ben", "dan"), planned("h3", 3, "eva", "fay")]
    )
    await cup.hear("registration", left("ada", after=1), absent("ben"), absent("eva"))
    assert await ended(cup, "h1", "h2", "h3") == [("final", "no_show")] * 3
    right = {"end": "no_show", "by": 0, "reason": "Fay was here in time."}
    assert (await cup.act("h3", "decide", right, by="art")).status_code == HTTPStatus.OK
    complaint = {"reason": "I was here."}
    assert (await cup.act("h3", "complain", complaint, by="sue")).status_code == HTTPStatus.OK
    await cup.hear("registration", absent("cid"), left("dan", after=1), absent("fay"))
    assert await ended(cup, "h1", "h2", "h3") == [
        ("final", "both_absent"),
        ("final", "both_absent"),
        ("final", "no_show"),
    ]
    assert (await cup.look("h1"))["result"]["scores"] == [0, 0]
    before = len(await cup.told("ResultDecided", "ReplayOrdered"))
    await cup.hear("registration", absent("cid"))
    assert len(await cup.told("ResultDecided", "ReplayOrdered")) == before
    await cup.recall(2, "r1", "h1", "h2")
    assert len(await cup.told("RecallAccepted")) == 1


def absent(entrant: str) -> EntrantAbsent:
    return EntrantAbsent(entrant=entrant, tournament=TOURNAMENT, stage=STAGE, round=2)


@pytest.mark.rule("SK.REG-13")
async def test_online_the_game_of_who_has_left_waits_for_the_chief_administrator(database: str) -> None:
    async with hall(database, rules="scrabble-sk-2022-online") as cup:
        await cup.publish(2, [planned("h1", 1, "ada", "cid"), planned("h2", 2, "ben", "dan")])
        await cup.hear("registration", left("ada", after=1))
        waiting = await cup.look("h1", by="dora")
        assert (waiting["status"], waiting["awaits_director"]) == ("reported", True)
        (report,) = waiting["reports"]
        assert (report["who"], report["result"]["end"], report["result"]["scores"]) == (
            *("registration", "no_show"),
            [0, 100],
        )
        await cup.hear("registration", left("cid", after=1))
        (both,) = (await cup.look("h1", by="dora"))["reports"]
        assert (both["number"], both["result"]["end"]) == (2, "both_absent")
        await cup.repair(2, "x1", planned("h1", 1, "cid", "ben"), planned("h2", 2, "ada", "dan"))
        assert [(await cup.look(game))["status"] for game in ("h1", "h2")] == ["reported", "reported"]
        confirmed = await cup.act("h2", "confirm", {"report": 1}, by="dora")
        assert confirmed.json()["result"]["end"] == "no_show"
        await cup.recall(2, "r1", "h1", "h2")
        assert await ended(cup, "h1", "h2") == [("reported", None), ("final", "no_show")]


@pytest.mark.rule("SK.REG-13")
async def test_a_round_in_which_only_absences_wait_is_taken_back(database: str) -> None:
    async with hall(database, rules="scrabble-sk-2022-online") as cup:
        await cup.hear("registration", left("ada"))
        assert (await cup.look("g1"))["status"] == "reported"
        await cup.recall(1, "r1", "g1", "g2", "g3")
        assert await ended(cup, "g1", "g2") == [("recalled", None), ("recalled", None)]


async def test_a_round_with_a_game_that_nobody_has_played_can_be_taken_back_and_its_tables_changed(cup: Hall) -> None:
    await cup.publish(2, [planned("h1", 1, "ada", "cid"), planned("h2", 2, "ben", "dan")])
    await cup.hear("registration", left("ada", after=1))
    await cup.repair(2, "x1", planned("h1", 1, "ben", "cid"), planned("h2", 2, "ada", "dan"))
    assert await ended(cup, "h1", "h2") == [("pending", None), ("final", "no_show")]
    await cup.recall(2, "r1", "h1", "h2")
    assert await ended(cup, "h1", "h2") == [("recalled", None), ("recalled", None)]
    assert len(await cup.told("RecallAccepted")) == 1
    assert [event["data"]["game"] for event in await cup.told("ReplayOrdered")] == ["h1", "h2"]


async def test_a_complete_round_is_open_again_when_a_table_that_was_lost_unplayed_is_seated_anew(cup: Hall) -> None:
    await cup.hear("registration", left("ada"))
    for game in ("g2", "g3"):
        await cup.report(game, 380, 350, by="sue", signed_by=[0, 1])
    await cup.will_be_told("RoundCompleted")
    await cup.repair(1, "x1", planned("g1", 1, "ben", "eva"))
    await cup.report("g1", 380, 350, by="sue", signed_by=[0, 1])
    await cup.will_be_told("RoundCompleted", times=2)
    assert (await cup.round())["missing"] == 0


@pytest.mark.rule("SK.RES-6")
async def test_a_game_that_was_lost_because_of_an_expulsion_is_no_ground_for_it(cup: Hall) -> None:
    absent = {"end": "no_show", "by": 0, "signed_by": [0, 1]}
    await cup.act("g1", "reports", absent, by="sue")
    await cup.publish(2, [planned("h1", 1, "ada", "cid")])
    await cup.report("h1", 300, 310, by="sue", signed_by=[0, 1])
    await cup.publish(3, [planned("k1", 1, "ada", "dan")])
    wrongly = {"end": "no_show", "by": 0, "reason": "Another sheet."}
    assert (await cup.act("h1", "correct", wrongly, by="art")).json()["status"] == "final"
    (due,) = await cup.will_be_told("ExpulsionDue")
    assert due["data"]["games"] == ["g1", "h1"]
    expelled = msgspec.structs.replace(left("ada", after=2), why="expelled")
    await cup.hear("registration", expelled)
    assert await ended(cup, "k1") == [("final", "no_show")]
    await cup.act("h1", "correct", {"scores": [300, 310], "reason": "It was right."}, by="art")
    await cup.will_be_told("ExpulsionLapsed")
    returned = EntrantReturned(entrant="ada", tournament=TOURNAMENT)
    await cup.hear("registration", returned)
    await cup.publish(4, [planned("l1", 1, "ada", "eva"), planned("l2", 2, "ben", "fay")])
    await cup.act("l2", "reports", absent, by="sue")
    await cup.act("g2", "reports", {"end": "both_absent", "signed_by": [0, 1]}, by="sue")
    await cup.act("l1", "reports", absent, by="sue")
    (_, again) = await cup.will_be_told("ExpulsionDue", times=2)
    assert (again["data"]["entrant"], again["data"]["games"]) == ("ada", ["g1", "l1"])


@pytest.mark.rule("SK.RES-6")
async def test_who_was_taken_back_is_expelled_by_a_further_default_and_by_no_other(cup: Hall) -> None:
    absent = {"end": "no_show", "by": 0, "signed_by": [0, 1]}
    returned = EntrantReturned(entrant="ada", tournament=TOURNAMENT)
    await cup.act("g1", "reports", absent, by="sue")
    await cup.publish(2, [planned("h1", 1, "ada", "cid")])
    await cup.act("h1", "reports", absent, by="sue")
    await cup.will_be_told("ExpulsionDue")
    await cup.hear("registration", msgspec.structs.replace(left("ada", after=2), why="expelled"), returned)
    await cup.publish(3, [planned("k1", 1, "ada", "dan"), planned("k2", 2, "eva", "fay")])
    await cup.act("k1", "reports", absent, by="sue")
    (_, again) = await cup.will_be_told("ExpulsionDue", times=2)
    assert (again["data"]["games"], again["data"]["round"]) == (["g1", "h1", "k1"], 3)
    await cup.hear("registration", msgspec.structs.replace(left("ada", after=3), why="expelled"))
    await cup.act("k1", "correct", {"scores": [300, 310], "reason": "It was played."}, by="art")
    await cup.will_be_told("ExpulsionLapsed")
    await cup.hear("registration", returned)
    for game in ("g3", "k2"):
        await cup.act(game, "reports", absent, by="sue")
    (*_, eva) = await cup.will_be_told("ExpulsionDue", times=3)
    assert eva["data"]["entrant"] == "eva"
    assert len(await cup.told("ExpulsionLapsed")) == 1


async def test_what_an_operator_skipped_counts_as_never_said_at_the_tables(cup: Hall) -> None:
    async with connection(cup.database) as inbox:
        await inbox.execute("update inbox.scopes set parked = now(), problem = 'odd' where scope = $1", TOURNAMENT)
    await tell(cup.database, "registration", TOURNAMENT, left("ben"))
    async with asyncio.timeout(PATIENCE):
        while (await cup.report("g1", 380, 350, by="sue")).status_code == HTTPStatus.OK:
            await asyncio.sleep(0.02)  # what lies in the inbox is known in a moment
    said = Said(service="results", operator="7be2d013", reason="cannot-be-handled")
    assert (await parked_messages.decide(cup.database, TOURNAMENT, said, act="skip")).type == "EntrantLeft"
    await is_known_again(cup)


async def test_what_a_restored_source_has_lost_is_known_no_more_at_the_tables(cup: Hall) -> None:
    await cup.act("g1", "start", {}, by="sue")
    await cup.hear("registration", left("ben"))
    problem(await cup.report("g1", 380, 350, by="sue"), HTTPStatus.CONFLICT, "entrant-has-left")
    async with connection(cup.database) as inbox:
        await inbox.execute(LOSE)
        await inbox.execute(DECIDE)
    await is_known_again(cup)


async def is_known_again(cup: Hall) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await cup.report("g1", 380, 340, by="sue")).status_code != HTTPStatus.OK:
            await asyncio.sleep(0.05)
