"""A published round is asked back: results answers, and until then it counts as published."""

from collections.abc import AsyncGenerator
from http import HTTPStatus

import msgspec
import pytest

from shared.clock import now
from shared.contracts.registration import EntrantLeft
from shared.contracts.results import GameStarted, RecallAccepted, RecallRefused, ResultReopened
from tests.api.asking import problem
from tests.api.hall import EARLIER, PATH, STAGE, Answer, Hall, T, hall, result, seats
from tests.told import done, tell

NO_TIME = "should be a time with its zone"
MISTAKE = {"code": "mistake", "words": "Dana was paired although she had gone home."}


@pytest.fixture
async def here(database: str) -> AsyncGenerator[Hall]:
    async with hall(database) as here:
        yield here


async def asked_back(here: Hall) -> tuple[Answer, str]:
    """A published round whose recall is asked, and the name of the asking."""
    published = await here.publish(1)
    shown = await here.done(1, "recall", reason=MISTAKE)
    assert (shown["status"], shown["recall_asked"]) == ("published", True)
    asking = next(line for line in (await here.log()).splitlines() if '"RecallAsked"' in line)
    return published, asking.split('"recall":"')[1].split('"')[0]


def accepted(recall: str) -> RecallAccepted:
    return RecallAccepted(tournament=T, stage=STAGE, round=1, recall=recall)


async def test_until_results_has_answered_the_round_counts_as_published(here: Hall) -> None:
    published, _ = await asked_back(here)
    seen = (await here.see("/rounds/1", by=None)).json()
    assert (seen["status"], seen["recall_asked"], seen["pairs"]) == ("published", True, published["pairs"])
    problem(await here.act(1, "draft"), HTTPStatus.CONFLICT, "already-published")


async def test_an_accepted_recall_takes_the_round_back_and_it_is_paired_anew(here: Hall) -> None:
    published, recall = await asked_back(here)
    await here.hear("results", accepted(recall))
    problem(await here.see("/rounds/1"), HTTPStatus.NOT_FOUND, "round-unknown")
    assert (await here.see("/rounds", by=None)).json()["rounds"] == []
    left = EntrantLeft(entrant="J", tournament=T, stage=STAGE, after_round=0, why="withdrew")
    await here.hear("registration", left)
    again = await here.publish(1)
    assert "J" not in {seat for pair in again["pairs"] for seat in seats(pair)}
    assert not {pair["game"] for pair in again["pairs"]} & {pair["game"] for pair in published["pairs"]}
    assert (await here.happened()).count("StageOpened") == 1


async def test_a_round_that_was_taken_back_is_seen_with_its_grounds_as_it_was(here: Hall) -> None:
    before = now().isoformat()
    published, recall = await asked_back(here)
    then = {"at": now().isoformat()}
    why = (await here.see("/rounds/1/why", by=None)).json()
    sheet = (await here.see("/rounds/1/sheet.csv", by=None)).text
    await here.hear("results", accepted(recall), at=None)
    await here.hear("registration", EntrantLeft(entrant="J", tournament=T, stage=STAGE, after_round=0, why="withdrew"))
    await here.publish(1)
    assert (await here.see("/rounds/1", by=None, **then)).json()["pairs"] == published["pairs"]
    assert (await here.see("/rounds/1/why", by=None, **then)).json() == why
    assert (await here.see("/rounds/1/sheet.csv", by=None, **then)).text == sheet
    assert (await here.see("/rounds/1/sheet.csv", by=None)).text != sheet
    assert [one["games"] for one in (await here.see("/rounds", **then)).json()["rounds"]] == [5]
    following = (await here.see("/next", **then)).json()
    assert (following["round"], following["ready"], following["allowed_actions"]) == (2, False, {})
    met = dict(zip(("entrant", "other"), seats(published["pairs"][0]), strict=True))
    assert (await here.see("/rounds/1/compare", **met, **then)).json()["would_meet"] is False
    for path in ("/rounds/1", "/rounds/1/why", "/rounds/1/sheet"):
        problem(await here.see(path, at=before), HTTPStatus.NOT_FOUND, "round-unknown")
        unclear = (await here.see(path, at="2026-11-21")).json()["errors"]
        assert [(one["pointer"], one["detail"].split(",")[0]) for one in unclear] == [("/at", NO_TIME)]
        both = await here.see(path, inputs=published["rests_on"], **then)
        problem(both, HTTPStatus.UNPROCESSABLE_ENTITY, "inputs-and-time")
    early = await here.see("/rounds/1", inputs=published["rests_on"])
    problem(early, HTTPStatus.NOT_FOUND, "round-unknown")


async def test_a_refused_recall_leaves_the_round_as_it_is(here: Hall) -> None:
    published, recall = await asked_back(here)
    game = published["pairs"][2]["game"]
    await here.hear("results", RecallRefused(tournament=T, stage=STAGE, round=1, recall=recall, game=game))
    seen = (await here.see("/rounds/1")).json()
    assert (seen["status"], seen["recall_asked"], seen["pairs"]) == ("published", False, published["pairs"])
    why = "The game at table 3 has begun, so what is published stands."
    assert seen["refused"] == {"what": "recall", "game": game, "reason": why}
    again = await here.done(1, "recall", reason=MISTAKE)
    assert (again["recall_asked"], again["refused"]) == (True, None)


async def test_an_answer_takes_effect_once_and_one_to_another_asking_never(here: Hall) -> None:
    _, recall = await asked_back(here)
    await here.hear("results", accepted("another"), accepted(recall), accepted(recall))
    assert (await here.happened()).count("RoundRecalled") == 1


async def test_an_answer_about_a_round_that_is_not_known_stops_nobody(here: Hall) -> None:
    await here.hear("results", RecallAccepted(tournament=T, stage=STAGE, round=7, recall="r"))
    await here.publish(1)


async def test_asking_twice_is_once(here: Hall) -> None:
    await asked_back(here)
    await here.done(1, "recall", reason=MISTAKE)
    assert (await here.happened()).count("RecallAsked") == 1


async def test_a_dry_run_says_what_would_be_lost_and_asks_nobody(here: Hall) -> None:
    published = await here.publish(1)
    foreseen = await here.tried(1, "recall", reason=MISTAKE)
    assert foreseen["lost"] == ["The 5 score sheets of the round, with their ids."]
    nobody_came = msgspec.structs.replace(result(1, published["pairs"][1]), end="no_show", unplayed=True)
    await here.hear("results", nobody_came)
    assert await here.tried(1, "recall", reason=MISTAKE) == foreseen
    assert "RecallAsked" not in await here.happened()


async def test_where_a_game_is_known_to_have_begun_a_recall_is_refused_at_once(here: Hall) -> None:
    game = (await here.publish(1))["pairs"][2]["game"]
    await here.hear("results", GameStarted(game=game, tournament=T))
    for tried in ("recall", "recall?dry_run=true"):
        refused = problem(await here.act(1, tried, reason=MISTAKE), HTTPStatus.CONFLICT, "game-has-begun")
        assert refused.detail.startswith("The game at table 3 has begun, so what is published stands.")
    (may,) = [
        one for name, one in (await here.see("/rounds/1")).json()["allowed_actions"].items() if name == "recallRound"
    ]
    assert (may["allowed"], may["reason"]) == (False, refused.detail)
    assert "RecallAsked" not in await here.happened()
    await here.hear("results", ResultReopened(game=game, tournament=T, stage=STAGE, round=1))
    assert (await here.done(1, "recall", reason=MISTAKE))["recall_asked"] is True


async def test_a_round_is_not_recalled_from_under_the_next_one(here: Hall) -> None:
    """Nobody came to the first one, so that none of its games has begun."""
    published = await here.publish(1)
    nobody_came = [
        msgspec.structs.replace(result(1, pair), end="no_show", unplayed=True) for pair in published["pairs"]
    ]
    await here.hear("results", *nobody_came, at=EARLIER)
    await here.publish(2)
    refused = problem(await here.act(1, "recall", reason=MISTAKE), HTTPStatus.CONFLICT, "already-published")
    assert refused.detail == "Round 2 is published, and was paired by this one: ask for its recall first."
    assert (await here.see("/rounds/1")).json()["allowed_actions"]["recallRound"]["reason"] == refused.detail
    assert (await here.done(2, "recall", reason=MISTAKE))["recall_asked"] is True


async def test_a_recall_needs_a_reason_and_something_to_take_back(here: Hall) -> None:
    await here.done(1, "draft")
    problem(await here.act(1, "recall", reason=MISTAKE), HTTPStatus.CONFLICT, "not-published")
    problem(await here.client.post(f"{PATH}/rounds/1/recall", json={}), HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")


async def test_the_words_of_a_reason_are_for_officials_and_not_in_the_log(here: Hall) -> None:
    await asked_back(here)
    assert "Dana" not in await here.log()
    (decision,) = (await here.see("/rounds/1/why")).json()["decisions"]
    assert (decision["act"], decision["words"]) == ("recall", MISTAKE["words"])
    assert (await here.see("/rounds/1/why", by=None)).json()["decisions"] == []


async def test_other_tournaments_hear_nothing_of_it(here: Hall) -> None:
    _, recall = await asked_back(here)
    await tell(
        here.database, "results", "other", RecallAccepted(tournament="other", stage=STAGE, round=1, recall=recall)
    )
    await done(here.database)
    assert (await here.see("/rounds/1")).json()["recall_asked"] is True
