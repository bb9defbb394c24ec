"""Rounds as officials and everybody else see them: drafted, confirmed, published, and completed by results."""

import asyncio
import json
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from http import HTTPStatus

import msgspec
import pytest

from deploy.databases import connection
from shared.clock import now
from shared.contracts.registration import EntrantAdmitted, EntrantLeft, MeetingForbidden, TournamentCompleted
from shared.contracts.results import GameStarted, ResultCorrected, ResultReopened, RoundCompleted
from shared.lots import formula
from tests.api.asking import problem, service
from tests.api.hall import (
    ARBITER,
    AUDITOR,
    EARLIER,
    PATH,
    SCORER,
    STAGE,
    Answer,
    Hall,
    T,
    as_sheet,
    field,
    hall,
    result,
    seats,
)
from tests.api.hearing import CaptainIssuer
from tests.api.signing import signed_by
from tests.played import rules, started
from tests.told import tell

ANNOUNCED = {"reason": {"code": "announcement", "words": "Agreed with Bea before the round."}}


@pytest.fixture
async def here(database: str) -> AsyncGenerator[Hall]:
    async with hall(database) as here:
        yield here


def actions(shown: Answer) -> set[str]:
    return {name for name, action in shown["allowed_actions"].items() if action["allowed"]}


async def test_a_round_goes_from_its_draft_to_its_last_result(here: Hall) -> None:
    drafted = await here.done(1, "draft")
    assert (drafted["status"], drafted["rests_on"]) == ("draft", "reg14.pai0.res0.sta0")
    assert {seat for pair in drafted["pairs"] for seat in seats(pair)} == set("ABCDEFGHIJ")
    assert [pair["game"] for pair in drafted["pairs"]] == [None] * 5
    by_hand = {"overridePairing", "swapEntrants", "moveToTable"}
    assert actions(drafted) == {"draftRound", "confirmRound", "pairAndPublishRound"} | by_hand
    confirmed = await here.done(1, "confirm")
    assert (confirmed["status"], confirmed["pairs"]) == ("confirmed", drafted["pairs"])
    assert actions(confirmed) == actions(drafted) | {"publishRound"}
    published = await here.done(1, "publish")
    assert published["status"] == "published"
    assert len({pair["game"] for pair in published["pairs"]}) == 5
    assert actions(published) == {"confirmRound", "publishRound", "recallRound", "repairTables"} | by_hand - {
        "overridePairing"
    }
    await here.play(published)
    assert (await here.see("/rounds/1")).json()["status"] == "completed"


async def test_everybody_sees_what_is_published_and_officials_see_drafts(here: Hall) -> None:
    await here.done(1, "draft")
    for nobody in (None, SCORER, "stranger"):
        problem(await here.see("/rounds/1", by=nobody), HTTPStatus.NOT_FOUND, "round-unknown")
        problem(await here.see("/rounds/1/why", by=nobody), HTTPStatus.NOT_FOUND, "round-unknown")
        assert (await here.see("/rounds", by=nobody)).json() == {"rounds": [], "of": 7}
    for official in (ARBITER, AUDITOR):
        assert (await here.see("/rounds/1", by=official)).json()["status"] == "draft"
        (listed,) = (await here.see("/rounds", by=official)).json()["rounds"]
        assert (listed["round"], listed["status"], listed["games"]) == (1, "draft", 5)
    await here.done(1, "confirm")
    await here.done(1, "publish")
    seen = (await here.see("/rounds/1", by=None)).json()
    assert seen["status"] == "published"
    assert actions(seen) == set()
    (listed,) = (await here.see("/rounds", by=None)).json()["rounds"]
    ends_at = datetime.fromisoformat(listed.pop("ends_at"))
    assert timedelta(minutes=43) < ends_at - now() <= timedelta(minutes=44), "each side has a clock of 22 minutes"
    assert [listed] == [
        {
            "round": 1,
            "status": "published",
            "games": 5,
            "without_result": 5,
            "starts_at": None,
            "repaired_at": None,
        }
    ]


@pytest.mark.rule("SK.PAI-2")
async def test_the_next_round_waits_for_all_results_and_says_which_are_missing(here: Hall) -> None:
    published = await here.publish(1)
    await here.play(published, but=2)
    coming = (await here.see("/next", by=None)).json()
    assert (coming["round"], coming["of"], coming["ready"]) == (2, 7, False)
    assert [obstacle["tables"] for obstacle in coming["obstacles"]] == [[4, 5]]
    refused = problem(await here.act(2, "draft"), HTTPStatus.CONFLICT, "not-yet-possible")
    assert "tables 4, 5 have no result yet" in refused.detail
    await here.hear("results", *(result(1, pair) for pair in published["pairs"][3:]), at=EARLIER)
    assert (await here.see("/next")).json()["ready"] is True
    assert (await here.done(2, "draft"))["status"] == "draft"
    problem(await here.act(3, "draft"), HTTPStatus.CONFLICT, "not-yet-possible")


async def test_where_nobody_is_left_there_is_no_round_to_be_paired(here: Hall) -> None:
    everybody = [
        EntrantLeft(entrant=one.entrant, tournament=T, stage=STAGE, after_round=0, why="withdrew") for one in field(10)
    ]
    await here.hear("registration", *everybody)
    refused = problem(await here.act(1, "draft"), HTTPStatus.CONFLICT, "no-pairing")
    coming = (await here.see("/next")).json()
    assert not coming["ready"]
    assert [(one["kind"], one["detail"]) for one in coming["obstacles"]] == [("nobody-there", refused.detail)]


async def test_the_whole_stage_is_paired_round_by_round(database: str) -> None:
    met: set[frozenset[str]] = set()
    async with hall(database, size=9) as here:
        for number in range(1, 8):
            published = await here.publish(number)
            meetings = {frozenset(seats(pair)) for pair in published["pairs"]}
            assert len(published["byes"]) == 1
            assert not met & meetings
            met |= meetings
            await here.play(published)
        coming = (await here.see("/next")).json()
        assert (coming["round"], coming["ready"]) == (None, False)
        assert [obstacle["kind"] for obstacle in coming["obstacles"]] == ["all-rounds-published"]
        problem(await here.act(8, "draft"), HTTPStatus.CONFLICT, "not-yet-possible")
        await a_correction_leaves_published_rounds_alone(here)


async def a_correction_leaves_published_rounds_alone(here: Hall) -> None:
    """Of a result of the first round, after the last one; the explanation of later rounds says so."""
    before = [(await here.see(f"/rounds/{number}")).json() for number in range(1, 8)]
    wrong = result(1, before[0]["pairs"][0])
    corrected = ResultCorrected(
        game=wrong.game, tournament=T, stage=STAGE, round=1, seats=wrong.seats, scores=(350, 400), points=(0, 1)
    )
    await here.hear("results", corrected, at=EARLIER)
    after = [(await here.see(f"/rounds/{number}")).json() for number in range(1, 8)]
    assert [as_sheet(one) for one in after] == [as_sheet(one) for one in before]
    assert [pair["result"]["corrected"] for pair in after[0]["pairs"]] == [True, False, False, False]
    assert [one["status"] for one in after] == ["completed"] * 7
    assert "corrected" in str((await here.see("/rounds/2/why")).json()["explanation"])


async def test_a_draft_over_newer_facts_is_confirmed_only_with_a_reason(here: Hall) -> None:
    await here.publish(1)
    published = (await here.see("/rounds/1")).json()
    await here.play(published)
    await here.done(2, "draft")
    pair = published["pairs"][0]
    wrong = result(1, pair)
    corrected = ResultCorrected(
        game=wrong.game, tournament=T, stage=STAGE, round=1, seats=wrong.seats, scores=(350, 400), points=(0, 1)
    )
    await here.hear("results", corrected, at=EARLIER)
    refused = problem(await here.act(2, "confirm"), HTTPStatus.CONFLICT, "needs-reason")
    assert "a result was corrected" in refused.detail
    confirmed = await here.done(2, "confirm", **ANNOUNCED)
    assert confirmed["status"] == "confirmed"
    (decision,) = (await here.see("/rounds/2/why")).json()["decisions"]
    assert (decision["act"], decision["reason"]) == ("confirm", "announcement")
    assert decision["words"] == "Agreed with Bea before the round."
    assert "Bea" not in await here.log()


async def test_news_that_change_nothing_for_the_pairing_need_no_reason(here: Hall) -> None:
    published = await here.publish(1)
    await here.play(published)
    await here.done(2, "draft")
    late = GameStarted(game=published["pairs"][0]["game"], tournament=T)
    await here.hear("results", late, RoundCompleted(tournament=T, stage=STAGE, round=1))
    assert (await here.done(2, "confirm"))["status"] == "confirmed"


async def test_after_news_a_confirmed_round_is_drafted_again_or_published_with_a_reason(here: Hall) -> None:
    await here.done(1, "draft")
    await here.done(1, "confirm")
    left = EntrantLeft(entrant="J", tournament=T, stage=STAGE, after_round=0, why="withdrew")
    await here.hear("registration", left)
    refused = problem(await here.act(1, "publish"), HTTPStatus.CONFLICT, "needs-reason")
    assert "somebody left" in refused.detail
    again = await here.done(1, "draft")
    assert again["status"] == "draft"
    assert "J" not in {seat for pair in again["pairs"] for seat in seats(pair)}
    await here.done(1, "confirm")
    assert (await here.done(1, "publish"))["status"] == "published"


async def test_who_comes_late_is_in_the_next_draft(here: Hall) -> None:
    await here.done(1, "draft")
    await here.done(1, "confirm")
    await here.hear("registration", EntrantAdmitted(entrant="K", tournament=T, persons=("p-K",), number=11))
    refused = problem(await here.act(1, "publish"), HTTPStatus.CONFLICT, "needs-reason")
    assert "somebody was admitted" in refused.detail
    again = await here.publish(1)
    assert [player["entrant"] for player in again["byes"]] == ["K"]


@pytest.mark.rule("SK.PAI-7")
async def test_a_round_that_starts_within_five_minutes_of_the_last_result_needs_a_reason(here: Hall) -> None:
    await here.play(await here.publish(1), at=now())
    draft = await here.done(2, "draft")
    assert now() < datetime.fromisoformat(draft["rested_at"]) <= now() + timedelta(minutes=5)
    await here.done(2, "confirm")
    foreseen = await here.tried(2, "publish")
    assert len(foreseen["doubts"]) == 1
    rested = await here.tried(2, "publish", starts_at=draft["rested_at"])
    assert rested["doubts"] == []
    refused = problem(await here.act(2, "publish"), HTTPStatus.CONFLICT, "needs-reason")
    assert "less than 5 minutes before this start" in refused.detail
    late = await here.tried(2, "publish", starts_at="2099-01-01T10:00:00Z")
    assert late["doubts"] == []
    published = await here.done(2, "publish", **ANNOUNCED)
    assert (published["status"], published["rested_at"]) == ("published", None)


@pytest.mark.rule("SK.PAI-7")
async def test_who_has_played_a_game_anew_rests_from_the_end_of_that_one(here: Hall) -> None:
    published = await here.publish(1)
    await here.play(published)
    again = result(1, published["pairs"][0])
    await here.hear("results", ResultReopened(game=again.game, tournament=T, stage=STAGE, round=1), at=EARLIER)
    await here.hear("results", again, at=now())
    assert now() < datetime.fromisoformat((await here.done(2, "draft"))["rested_at"])
    await here.done(2, "confirm")
    assert len((await here.tried(2, "publish"))["doubts"]) == 1


async def test_a_planned_start_is_told(here: Hall) -> None:
    await here.publish(1, starts_at="2026-11-21T10:00:00+01:00")
    for shown in ((await here.see("/rounds/1")).json(), (await here.see("/rounds")).json()["rounds"][0]):
        assert shown["starts_at"] == "2026-11-21T10:00:00+01:00"


async def test_a_small_field_that_has_gone_before_its_first_round_is_shown_and_not_paired(database: str) -> None:
    async with hall(database, size=2) as here:
        gone = [EntrantLeft(entrant=one, tournament=T, stage=STAGE, after_round=0, why="withdrew") for one in "AB"]
        await here.hear("registration", *gone)
        for path in ("/stages", f"/stages/{STAGE}/next"):
            assert (await here.client.get(f"/v1/tournaments/{T}{path}")).status_code == HTTPStatus.OK
        refused = problem(await here.act(1, "draft"), HTTPStatus.CONFLICT, "no-pairing")
        assert refused.detail == "Nobody is there to be paired in round 1."


async def test_a_changed_pairing_is_whole_and_shows_what_it_breaks(database: str) -> None:
    together = MeetingForbidden(tournament=T, entrants=("A", "B"))
    async with hall(database, forbidden=(together,)) as here:
        drafted = await here.done(1, "draft")
        sheet = as_sheet(drafted)
        a, b = table_of(sheet, "A"), table_of(sheet, "B")
        other = next(seat for seat in a["seats"] if seat != "A")
        a["seats"], b["seats"] = ["A", "B"], [other if seat == "B" else seat for seat in b["seats"]]
        a["first"], b["first"] = "A", b["seats"][0]
        foreseen = await here.tried(1, "override", **sheet)
        assert any("A and B" in doubt for doubt in foreseen["doubts"])
        assert (await here.see("/rounds/1")).json() == drafted, "a dry run changes nothing"
        problem(await here.act(1, "override", **sheet), HTTPStatus.CONFLICT, "needs-reason")
        changed = await here.done(1, "override", **sheet, **ANNOUNCED)
        assert ["A", "B"] in [list(seats(pair)) for pair in changed["pairs"]]
        assert (await here.see("/rounds/1/why")).json()["changed_by_hand"] is True
        missing = {**sheet, "pairs": sheet["pairs"][:-1]}
        problem(await here.act(1, "override", **missing), HTTPStatus.UNPROCESSABLE_ENTITY, "sheet-not-whole")


async def test_where_the_rules_leave_no_pairing_officials_make_the_round_by_hand(database: str) -> None:
    alone = tuple(MeetingForbidden(tournament=T, entrants=("A", other)) for other in "BCDEFGHIJ")
    async with hall(database, forbidden=alone) as here:
        refusal = problem(await here.act(1, "draft"), HTTPStatus.CONFLICT, "no-pairing")
        assert refusal.detail.startswith("A must not meet B, C")
        tables = [
            {"table": n, "seats": [*two], "first": two[0]} for n, two in enumerate(("AB", "CD", "EF", "GH", "IJ"), 1)
        ]
        sheet = {"pairs": tables, "byes": []}
        assert (await here.tried(1, "override", **sheet))["doubts"] == ["A and B must not meet in round 1 (SK.PAI-4)."]
        problem(await here.act(1, "override", **sheet), HTTPStatus.CONFLICT, "needs-reason")
        made = await here.done(1, "override", **sheet, **ANNOUNCED)
        assert (made["status"], len(made["pairs"])) == ("draft", 5)
        assert (await here.see("/rounds/1/why")).json()["explanation"][-1] == "So the round was made by hand."
        await here.done(1, "confirm")
        assert len((await here.done(1, "publish"))["pairs"]) == 5


async def test_at_a_table_of_a_new_number_by_hand_somebody_begins_too(here: Hall) -> None:
    sheet = as_sheet(await here.done(1, "draft"))
    same, one, other = sheet["pairs"][:3]
    begins = same["first"]
    for number, pair in enumerate((same, one, other), start=11):
        pair["table"] = number
        del pair["first"]
    one["seats"], other["seats"] = [one["seats"][0], other["seats"][1]], [other["seats"][0], one["seats"][1]]
    changed = await here.done(1, "override", **sheet, **ANNOUNCED)
    assert {pair["table"]: pair["first"] for pair in changed["pairs"] if pair["table"] > 10} == {
        11: begins,
        12: one["seats"][0],
        13: other["seats"][0],
    }


async def test_in_a_round_robin_by_hand_another_rests_and_no_bye_is_given_for_it(database: str) -> None:
    async with hall(database, size=5, rules="gomoku-cfp") as here:
        sheet = as_sheet(await here.done(1, "draft"))
        one, two = sheet["pairs"]
        (resting,) = set("ABCDE").difference(one["seats"], two["seats"])
        gone, stays = one["seats"]
        instead = {"pairs": [{**one, "seats": [resting, stays], "first": resting}, two], "byes": []}
        foreseen = await here.tried(1, "override", **instead)
        assert (foreseen["changes"][1:], foreseen["doubts"]) == ([f"{gone} will rest."], [])
        with_a_bye = {**instead, "byes": [gone]}
        refused = problem(await here.act(1, "override", **with_a_bye), HTTPStatus.CONFLICT, "needs-reason")
        assert refused.detail.startswith(f"{gone} has a bye, but who rests here gets nothing")
        await here.done(1, "override", **instead)
        await here.done(1, "confirm")
        assert len((await here.done(1, "publish"))["pairs"]) == 2
        captains = CaptainIssuer()
        await here.hear("registration", captains.introduced)
        own = {one: await here.client.get("/v1/me", headers=signed_by(captains.token(one, T))) for one in (gone, stays)}
        shown = {one: [(told["round"], told["rests"]) for told in me.json()["rounds"]] for one, me in own.items()}
        assert shown == {gone: [(1, "by-plan")], stays: [(1, None)]}


def table_of(sheet: Answer, entrant: str) -> Answer:
    return next(pair for pair in sheet["pairs"] if entrant in pair["seats"])


async def test_of_two_officials_who_confirm_at_once_one_does_it(here: Hall) -> None:
    await here.done(1, "draft")
    first, second = await asyncio.gather(here.act(1, "confirm"), here.act(1, "confirm"))
    assert (first.status_code, second.status_code) == (HTTPStatus.OK, HTTPStatus.OK)
    assert first.headers["ETag"] == second.headers["ETag"]
    assert first.json() == second.json()
    assert (await here.happened()).count("RoundConfirmed") == 1


async def test_who_confirms_what_another_has_changed_meanwhile_is_refused(here: Hall) -> None:
    await here.done(1, "draft")
    seen = await here.see("/rounds/1")
    sheet = as_sheet(seen.json())
    one, other = sheet["pairs"][0], sheet["pairs"][1]
    one["table"], other["table"] = other["table"], one["table"]
    await here.done(1, "override", **sheet, **ANNOUNCED)
    stale = await here.act(1, "confirm", {"If-Match": seen.headers["ETag"]})
    problem(stale, HTTPStatus.PRECONDITION_FAILED, "changed-since")


async def test_a_repeated_request_gets_the_first_answer_whatever_has_happened_since(here: Hall) -> None:
    key = {"Idempotency-Key": "once"}
    drafted = await here.act(1, "draft", key)
    await here.done(1, "confirm")
    published = await here.act(1, "publish", key)
    again = await here.act(1, "publish", key)
    assert again.json() == published.json()
    assert (await here.act(1, "draft", key)).json() == drafted.json()
    problem(await here.act(1, "draft"), HTTPStatus.CONFLICT, "already-published")


async def test_what_was_published_is_seen_as_it_was_then(here: Hall) -> None:
    before = now()
    published = await here.publish(1)
    between = now()
    await here.play(published, at=None)
    problem(await here.see("/rounds/1", by=None, at=before.isoformat()), HTTPStatus.NOT_FOUND, "round-unknown")
    then = (await here.see("/rounds/1", by=None, at=between.isoformat())).json()
    assert (then["status"], then["pairs"]) == ("published", published["pairs"])
    later = (await here.see("/rounds/1", by=None, at=now().isoformat())).json()
    assert later["status"] == "completed"


async def test_everybody_may_read_why_a_published_round_is_paired_as_it_is(here: Hall) -> None:
    published = await here.publish(1)
    why = (await here.see("/rounds/1/why", by=None)).json()
    assert why["method"] == "cost-swiss"
    assert why["explanation"]
    assert [pair["table"] for pair in why["pairs"]] == [1, 2, 3, 4, 5]
    assert why["rests_on"] == published["rests_on"]
    (own,) = (await here.see("/rounds/1/why", by=None, entrant="C")).json()["pairs"]
    assert "C" in seats(own)
    problem(await here.see("/rounds/1/why", entrant="nobody"), HTTPStatus.NOT_FOUND, "entrant-unknown")


async def test_officials_may_ask_what_if_two_met(here: Hall) -> None:
    drafted = await here.done(1, "draft")
    one, other = seats(drafted["pairs"][0])
    third = seats(drafted["pairs"][1])[0]
    apart = (await here.see("/rounds/1/compare", entrant=one, other=other)).json()
    assert apart["would_meet"] is False
    assert {one, other} not in [set(seats(pair)) for pair in apart["pairs"]]
    together = (await here.see("/rounds/1/compare", entrant=one, other=third)).json()
    assert together["would_meet"] is True
    assert {one, third} in [set(seats(pair)) for pair in together["pairs"]]
    assert together["sentence"].startswith("If they met")
    next_best = (await here.see("/rounds/1/compare")).json()
    assert next_best["sentence"].startswith("In the next best pairing, ")
    assert [part["counts"] for part in next_best["difference"]] == [part["counts"] for part in next_best["cost"]]
    else_ = (await here.see("/rounds/1/compare", entrant=one)).json()
    assert {one, other} not in [set(seats(pair)) for pair in else_["pairs"]]
    assert f"{one} would then meet " in else_["sentence"]
    assert (await here.happened()).count("RoundDrafted") == 1
    unknown = await here.see("/rounds/1/compare", entrant=one, other="nobody")
    problem(unknown, HTTPStatus.NOT_FOUND, "entrant-unknown")
    for nobody in (SCORER, "stranger"):
        asked = await here.see("/rounds/1/compare", by=nobody, entrant=one, other=other)
        problem(asked, HTTPStatus.FORBIDDEN, "not-permitted")


async def test_the_words_of_an_act_that_is_refused_are_not_kept(here: Hall) -> None:
    problem(await here.act(1, "confirm", **ANNOUNCED), HTTPStatus.CONFLICT, "not-drafted")
    async with connection(here.database) as database:
        assert await database.fetchval("select count(*) from beside.notes") == 0


async def test_a_result_that_is_reopened_stops_the_next_round(here: Hall) -> None:
    published = await here.publish(1)
    await here.play(published)
    await here.done(2, "draft")
    await here.done(2, "confirm")
    game = published["pairs"][0]["game"]
    await here.hear("results", ResultReopened(game=game, tournament=T, stage=STAGE, round=1))
    problem(await here.act(2, "publish"), HTTPStatus.CONFLICT, "not-yet-possible")


async def test_the_secret_of_the_lots_is_fixed_before_the_first_draft_and_revealed_at_the_end(here: Hall) -> None:
    await here.play(await here.publish(1))
    await here.done(2, "draft")
    assert (await here.happened())[0] == "LotSeedCommitted"
    records = await here.log()
    await here.hear("registration", TournamentCompleted(tournament=T))
    assert (await here.happened())[-1] == "LotSeedRevealed"
    everything = await here.log()
    seed = everything.split('"seed":"')[1].split('"')[0]
    assert seed not in records
    assert f'"commitment":"{formula.commitment(bytes.fromhex(seed))}"' in records


async def test_after_its_end_a_tournament_has_no_next_round(here: Hall) -> None:
    await here.hear("registration", TournamentCompleted(tournament=T))
    problem(await here.act(1, "draft"), HTTPStatus.CONFLICT, "not-yet-possible")
    assert [one["kind"] for one in (await here.see("/next")).json()["obstacles"]] == ["tournament-over"]


async def test_a_tournament_that_has_not_started_and_a_stage_that_it_has_not_are_not_found(here: Hall) -> None:
    elsewhere = await here.client.get("/v1/tournaments/other/stages/swiss/next")
    problem(elsewhere, HTTPStatus.NOT_FOUND, "not-started")
    other_stage = PATH.replace(STAGE, "play-off")
    for path in ("rounds", "rounds/1", "rounds/1/why", "next"):
        problem(await here.client.get(f"{other_stage}/{path}"), HTTPStatus.NOT_FOUND, "stage-unknown")
    problem(await here.client.post(f"{other_stage}/rounds/1/draft"), HTTPStatus.NOT_FOUND, "stage-unknown")
    problem(await here.see("/rounds/1"), HTTPStatus.NOT_FOUND, "round-unknown")


async def test_a_ruleset_that_only_a_newer_version_knows_is_left_to_it(database: str) -> None:
    told = json.loads(bytes(rules()))
    async with service(database, name="pairing") as older:
        await tell(
            database,
            "registration",
            "cup",
            *started("cup", "ABCD", msgspec.Raw(json.dumps(told | {"colour": 1}).encode())),
        )
        answer = await older.get("/v1/tournaments/cup/stages/swiss/rounds/1")
        assert (answer.status_code, answer.headers["Retry-After"]) == (HTTPStatus.SERVICE_UNAVAILABLE, "2")
        assert "what the ruleset says of colour" in answer.json()["detail"]
