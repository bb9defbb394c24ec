"""Score sheets at the edge: who may say what, and what comes of it."""

import asyncio
from collections.abc import AsyncGenerator
from http import HTTPStatus

import pytest

from shared.contracts.registration import CaptainNamed, EntrantLeft
from tests.api.asking import pointers, problem
from tests.api.hearing import CaptainIssuer
from tests.api.signing import signed_by
from tests.api.tables import STAGE, TOURNAMENT, Hall, hall
from tests.patience import PATIENCE


@pytest.fixture
async def cup(database: str) -> AsyncGenerator[Hall]:
    async with hall(database) as found:
        yield found


async def test_a_report_waits_and_an_equal_one_by_somebody_else_makes_it_final(cup: Hall) -> None:
    first = await cup.report("g1", 380, 350, by="sue")
    assert first.status_code == HTTPStatus.OK, first.text
    assert first.json()["status"] == "reported"
    second = await cup.report("g1", 380, 350, by="sam")
    assert second.json()["status"] == "final"
    assert second.json()["result"] == {
        "scores": [380, 350],
        "points": [1, 0],
        "winner": 0,
        "end": "played",
        "end_reason": None,
        "by": [],
        "first": None,
        "draw_wins": None,
        "deciding": [],
        "decided_by": None,
        "unmoved": None,
    }
    assert len(await cup.told("ResultAgreed")) == 1


async def test_the_same_report_again_changes_nothing_with_a_key_or_without(cup: Hall) -> None:
    first = await cup.report("g1", 380, 350, by="sue", key="k1")
    for key in ("k1", None, "k2"):
        again = await cup.report("g1", 380, 350, by="sue", key=key)
        assert again.json() == first.json()
        assert again.headers["ETag"] == first.headers["ETag"]
    problem(await cup.report("g1", 1, 2, by="sue", key="k1"), HTTPStatus.UNPROCESSABLE_ENTITY, "key-reused")
    assert len(await cup.told("ResultReported")) == 1


async def test_an_unequal_report_makes_a_dispute_that_an_official_settles(cup: Hall) -> None:
    await cup.report("g1", 380, 350, by="sue")
    disputed = (await cup.report("g1", 380, 351, by="sam")).json()
    assert disputed["status"] == "disputed"
    assert [report["result"]["scores"] for report in disputed["reports"]] == [[380, 350], [380, 351]]
    body = {"scores": [380, 350], "reason": "Added up anew."}
    problem(await cup.act("g1", "decide", body, by="sue"), HTTPStatus.FORBIDDEN, "not-permitted")
    settled = await cup.act("g1", "decide", body, by="art")
    assert settled.json()["status"] == "final"
    assert len(await cup.told("ResultDecided")) == 1


async def test_a_final_result_is_refused_to_those_who_say_otherwise_and_corrected_by_an_official(cup: Hall) -> None:
    await cup.report("g1", 380, 350, by="sue", signed_by=[0, 1])
    refused = problem(await cup.report("g1", 300, 350, by="sam"), HTTPStatus.CONFLICT, "result-is-final")
    assert "ask an arbiter or the director to correct it" in refused.detail
    body = {"scores": [380, 390], "reason": "A turn was missing."}
    foreseen = await cup.act("g1", "correct", body, by="art", dry_run=True)
    told = foreseen.json()
    assert (told["lost"], told["rounds"], told["warnings"]) == (["The result ada 380:350 ben."], [], [])
    assert told["changes"] == [
        "Table 1: ada 380:390 ben instead of ada 380:350 ben.",
        "ben has won; until now ada had won.",
        "The points become 0:1 instead of 1:0.",
    ]
    assert (told["before"]["winner"], told["after"]["winner"]) == (0, 1)
    assert (await cup.look("g1"))["result"]["scores"] == [380, 350]
    corrected = await cup.act("g1", "correct", body, by="art")
    assert corrected.json()["result"]["points"] == [0, 1]


@pytest.mark.rule("SK.RES-1")
async def test_a_sheet_signed_by_both_is_final_at_once_with_all_that_stands_on_it(cup: Hall) -> None:
    answer = await cup.report(
        "g1",
        380,
        350,
        by="sue",
        first="ben",
        signed_by=[0, 1],
        flags=[1],
        highest_turn={"seat": 0, "points": 86},
        bingos=[{"seat": 0, "points": 86}, {"seat": 1, "points": 70}],
    )
    sheet = answer.json()
    assert (sheet["status"], sheet["result"]["first"]) == ("final", "ben")
    (report,) = sheet["reports"]
    assert (report["flags"], report["highest_turn"], len(report["bingos"])) == ([1], {"seat": 0, "points": 86}, 2)
    below = await cup.report("g2", 380, 350, by="sue", highest_turn={"seat": 0, "points": -3})
    assert pointers(below) == ["/highest_turn/points"]


@pytest.mark.rule("SK.RES-4")
async def test_scores_that_a_default_cannot_have_are_refused_with_their_place(cup: Hall) -> None:
    wrong = await cup.act("g1", "reports", {"end": "no_show", "by": 0, "scores": [0, 50]}, by="sue")
    document = problem(wrong, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    assert [fault.pointer for fault in document.errors] == ["/scores"]
    resigned = await cup.act("g1", "reports", {"end": "resigned", "by": 0, "scores": [210, 347]}, by="sue")
    assert resigned.json()["reports"][0]["result"]["scores"] == [0, 137]


@pytest.mark.rule("SK.RES-5")
async def test_what_only_a_referee_can_say_is_not_taken_from_others(cup: Hall) -> None:
    for said in ({"end": "referee", "scores": [0, 100]}, {"end": "awarded", "scores": [1, 2], "points": [1, 0]}):
        problem(await cup.act("g1", "reports", said, by="sue"), HTTPStatus.FORBIDDEN, "only-an-official")
    settled = await cup.act("g1", "decide", {"end": "referee", "scores": [0, 100], "reason": "Tiles."}, by="art")
    result = settled.json()["result"]
    assert (result["scores"], result["points"], result["end"], result["by"]) == ([0, 100], [0, 1], "referee", [0])


async def test_a_captain_speaks_for_his_seat_and_the_other_side_confirms(cup: Hall) -> None:
    issuer = CaptainIssuer()
    named = [CaptainNamed(entrant=entrant, tournament=TOURNAMENT, generation=1) for entrant in ("ada", "ben", "eva")]
    await cup.hear("registration", issuer.introduced, *named)

    def captain(entrant: str) -> dict[str, str]:
        return signed_by(issuer.token(entrant, TOURNAMENT))

    body = {"scores": [380, 350]}
    told = await cup.client.post("/v1/games/g1/reports", json=body, headers=captain("ada"))
    assert told.json()["reports"][0]["entrant"] == "ada"
    own = await cup.client.post("/v1/games/g1/confirm", json={"report": 1}, headers=captain("ada"))
    problem(own, HTTPStatus.FORBIDDEN, "own-report")
    elsewhere = await cup.client.post("/v1/games/g1/reports", json=body, headers=captain("eva"))
    problem(elsewhere, HTTPStatus.FORBIDDEN, "not-permitted")
    for_both = await cup.client.post("/v1/games/g1/reports", json=body | {"signed_by": [0, 1]}, headers=captain("ben"))
    problem(for_both, HTTPStatus.FORBIDDEN, "only-for-own-seat")
    seen = (await cup.client.get("/v1/games/g1", headers=captain("eva"))).json()
    assert seen["reports"] is None
    assert not any(action["allowed"] for action in seen["allowed_actions"].values())
    confirmed = await cup.client.post("/v1/games/g1/confirm", json={"report": 1}, headers=captain("ben"))
    assert confirmed.json()["status"] == "final"


async def test_everybody_sees_a_result_once_it_is_final_and_only_the_table_what_was_said(cup: Hall) -> None:
    await cup.report("g1", 380, 350, by="sue")
    for stranger in (None, "stranger", "aud"):
        seen = await cup.look("g1", by=stranger)
        assert (seen["status"], seen["result"], seen["reports"]) == ("reported", None, None)
    assert len((await cup.look("g1", by="art"))["reports"]) == 1
    await cup.report("g1", 380, 350, by="sam")
    assert (await cup.look("g1"))["result"]["scores"] == [380, 350]
    missing = await cup.client.get("/v1/games/none", headers={"Authorization": ""})
    problem(missing, HTTPStatus.NOT_FOUND, "sheet-unknown")
    problem(await cup.act("no id", "dispute", {}, by="art"), HTTPStatus.NOT_FOUND, "nothing-there")


async def test_actions_say_what_may_be_done_now_and_why_not(cup: Hall) -> None:
    def allowed(sheet: dict[str, dict[str, dict[str, object]]]) -> set[str]:
        return {name for name, action in sheet["allowed_actions"].items() if action["allowed"]}

    told = {"startGame", "reportResult", "askFor"}
    assert allowed(await cup.look("g1", by="sue")) == told
    pending = told | {"decideResult", "postponeGame", "voidGame", "changeClock", "resetClocks"}
    assert allowed(await cup.look("g1", by="art")) == pending
    assert allowed(await cup.look("g1")) == set()
    final = (await cup.report("g1", 380, 350, by="art", signed_by=[0, 1])).json()
    assert allowed(final) == {"correctResult", "voidGame", "complainAboutResult"}


async def test_actions_on_what_was_said_are_for_whom_they_can_be(cup: Hall) -> None:
    async def why_not(by: str) -> dict[str, str | None]:
        actions = (await cup.look("g1", by=by))["allowed_actions"]
        return {
            name: actions[name]["reason"] and actions[name]["reason"].partition(":")[0]
            for name in ("withdrawReport", "confirmResult", "disputeResult")
        }

    own, none = "This is your own report", "None of the reports is yours"
    reported = (await cup.report("g1", 380, 350, by="sue")).json()
    assert reported["allowed_actions"]["confirmResult"]["allowed"] is False, "whoever reports is told at once"
    assert await why_not("sue") == {"withdrawReport": None, "confirmResult": own, "disputeResult": own}
    assert await why_not("sam") == {"withdrawReport": none, "confirmResult": None, "disputeResult": None}
    problem(await cup.act("g1", "confirm", {"report": 1}, by="sue"), HTTPStatus.FORBIDDEN, "own-report")
    await cup.report("g1", 380, 351, by="sam")
    contradicting = "The reports contradict each other"
    for by in ("sue", "sam"):
        assert await why_not(by) == {"withdrawReport": None, "confirmResult": contradicting, "disputeResult": None}
    assert await why_not("art") == {"withdrawReport": none, "confirmResult": contradicting, "disputeResult": None}
    problem(await cup.act("g1", "confirm", {"report": 2}, by="art"), HTTPStatus.CONFLICT, "reports-contradict")


async def test_a_game_is_started_put_off_and_goes_on(cup: Hall) -> None:
    started = await cup.act("g1", "start", {"first": "ben"}, by="sue")
    assert started.json()["status"] == "started"
    nowhere = await cup.act("g1", "postpone", {"until": "2026-03-14T15:30:00", "reason": "A clock."}, by="art")
    assert nowhere.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, "half past three where?"
    put_off = await cup.act("g1", "postpone", {"until": "2026-03-14T15:30:00+01:00", "reason": "A clock."}, by="art")
    assert (put_off.json()["status"], put_off.json()["postponed_until"]) == (
        "postponed",
        "2026-03-14T15:30:00+01:00",
    )
    assert (await cup.act("g1", "resume", by="art")).json()["status"] == "started"
    problem(
        await cup.act("g1", "start", {"first": "eva"}, by="sue"), HTTPStatus.UNPROCESSABLE_ENTITY, "not-of-this-table"
    )


async def test_objections_and_withdrawals(cup: Hall) -> None:
    await cup.report("g1", 380, 350, by="sue")
    disputed = await cup.act("g1", "dispute", {"reason": "The last turn."}, by="sam")
    assert (disputed.json()["status"], disputed.json()["objections"]) == ("disputed", 1)
    assert disputed.json()["objected"] == [{"entrant": None, "reason": None}], "an answer that is kept has no words"
    seen = (await cup.client.get("/v1/games/g1", headers=cup.signed("sue"))).json()
    assert seen["objected"] == [{"entrant": None, "reason": "The last turn."}]
    assert (await cup.client.get("/v1/games/g1")).json()["objected"] is None
    withdrawn = await cup.act("g1", "withdraw", by="sue")
    assert (withdrawn.json()["status"], withdrawn.json()["reports"]) == ("pending", [])


async def test_the_story_of_a_sheet_has_reasons_until_they_are_erased(cup: Hall) -> None:
    await cup.report("g1", 380, 350, by="sue", signed_by=[0, 1])
    await cup.act("g1", "correct", {"scores": [380, 390], "reason": "Eva's turn was missing."}, by="art")
    answer = await cup.client.get("/v1/games/g1/history", headers=cup.signed("aud"))
    steps = answer.json()["steps"]
    assert [(step["what"], step["who"], step["role"], step["operation"]) for step in steps] == [
        ("SheetOpened", "pairing", "service", "RoundPublished"),
        ("ResultReported", "sue", "scorer", "reportResult"),
        ("ResultAgreed", "sue", "scorer", "reportResult"),
        ("ResultCorrected", "art", "arbiter", "correctResult"),
    ]
    assert steps[3]["reason"] == "Eva's turn was missing."
    assert "Eva's turn" not in str(await cup.told("ResultCorrected"))
    stranger = await cup.client.get("/v1/games/g1/history", headers=cup.signed("stranger"))
    problem(stranger, HTTPStatus.FORBIDDEN, "not-permitted")


@pytest.mark.rule("SK.RES-6")
async def test_a_result_for_who_was_expelled_is_refused(cup: Hall) -> None:
    await cup.act("g1", "start", {}, by="sue")
    left = EntrantLeft(entrant="ada", tournament=TOURNAMENT, stage=STAGE, after_round=0, why="expelled")
    await cup.hear("registration", left)
    async with asyncio.timeout(PATIENCE):
        while (answer := await cup.report("g1", 380, 350, by="sue")).status_code == HTTPStatus.OK:
            await cup.act("g1", "withdraw", by="sue")  # what was known a second ago is still believed
            await asyncio.sleep(0.1)
    refused = problem(answer, HTTPStatus.CONFLICT, "entrant-has-left")
    assert "an arbiter or the director award or void the game" in refused.detail
    default = await cup.act("g1", "reports", {"end": "no_show", "by": 0}, by="sue")
    assert default.status_code == HTTPStatus.OK


async def test_many_reports_at_once_are_answered_each_by_itself(cup: Hall) -> None:
    reports = [
        {"game": "g1", "scores": [380, 350], "signed_by": [0, 1]},
        {"game": "nowhere", "scores": [1, 2]},
        {"game": "g2", "end": "no_show", "by": 0, "scores": [0, 50]},
        {"game": "g3", "scores": [300, 300]},
    ]
    for _ in range(2):
        answer = await cup.client.post(
            f"/v1/tournaments/{TOURNAMENT}/reports", json={"reports": reports}, headers=cup.signed("sue")
        )
        assert answer.status_code == HTTPStatus.OK, answer.text
        answers = answer.json()["answers"]
        assert [one["status"] for one in answers] == [200, 404, 422, 200]
        assert [one["sheet"] and one["sheet"]["status"] for one in answers] == ["final", None, None, "reported"]
        assert answers[2]["problem"]["errors"][0]["pointer"] == "/scores"
    assert len(await cup.told("ResultReported")) == 2


async def test_eight_scorers_at_once_lose_nothing_and_overwrite_nobody(cup: Hall) -> None:
    """Duplicates and conflicts from two people over eight connections, on three sheets."""
    rounds = [
        cup.report(game, 380, 350 + (n % 2 if game == "g3" else 0), by="sue" if n % 2 else "sam")
        for n in range(8)
        for game in ("g1", "g2", "g3")
    ]
    answers = await asyncio.gather(*rounds)
    assert {answer.status_code for answer in answers} == {HTTPStatus.OK}
    assert [(await cup.look(game))["status"] for game in ("g1", "g2", "g3")] == ["final", "final", "disputed"]
    disputed = await cup.look("g3", by="art")
    said = {report["who"]: report["result"]["scores"] for report in disputed["reports"]}
    assert said == {"sue": [380, 351], "sam": [380, 350]}
    assert len(await cup.told("ResultReported")) == 6
    assert len(await cup.told("ResultAgreed")) == 2


async def test_a_stale_version_confirms_nothing(cup: Hall) -> None:
    first = await cup.report("g1", 380, 350, by="sue")
    await cup.report("g1", 390, 350, by="sue")
    headers = cup.signed("sam") | {"If-Match": first.headers["ETag"]}
    stale = await cup.client.post("/v1/games/g1/confirm", json={"report": 1}, headers=headers)
    problem(stale, HTTPStatus.PRECONDITION_FAILED, "changed-since")
    problem(await cup.act("g1", "confirm", {"report": 1}, by="sam"), HTTPStatus.CONFLICT, "report-replaced")
    assert (await cup.act("g1", "confirm", {"report": 2}, by="sam")).json()["status"] == "final"
