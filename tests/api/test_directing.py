"""A round as whoever runs it knows it: one act to pair and publish it, players by number or name, and how far it is."""

from collections.abc import AsyncGenerator
from http import HTTPStatus

import pytest

from shared.clock import now
from shared.contracts.registration import EntrantAdmitted, EntrantLeft, MeetingForbidden, TournamentAnnounced
from shared.contracts.results import GameStarted, RepairAccepted, ResultCorrected
from tests.api.asking import issuer, pointers, problem
from tests.api.hall import ARBITER, EARLIER, STAGE, Answer, Hall, T, hall, result, seats
from tests.api.signing import signed_by

CLUB = "019aa4c2-b001-7d18-8c2b-40e5d6a71c01"
PEOPLE = ("Zuzana Kováčová", "Ján Novák", "Peter Novák", "Ľubica Šťastná", "Eva Malá", "Filip Veľký")
REASON = {"code": "mistake", "words": "They are brothers."}
SOON = {"reason": {"code": "announcement"}}


def entrant(number: int) -> str:
    return f"019aa4c2-8a01-7c11-9d22-0000000000{number:02}"


ENTRANTS = [
    EntrantAdmitted(
        entrant=entrant(number),
        tournament=T,
        persons=(f"019aa4c2-9999-7c11-9d22-0000000000{number:02}",),
        number=number,
        club=CLUB if number == 1 else None,
    )
    for number in range(1, len(PEOPLE) + 1)
]
NAMES = {one.persons[0]: name for one, name in zip(ENTRANTS, PEOPLE, strict=True)} | {CLUB: "Klub pri Dunaji"}


@pytest.fixture
async def here(database: str) -> AsyncGenerator[Hall]:
    async with hall(database, entrants=ENTRANTS, names=NAMES) as here:
        yield here


def called(shown: Answer) -> list[list[str]]:
    return [[seat["name"] for seat in pair["seats"]] for pair in shown["pairs"]]


async def test_a_round_is_paired_and_published_in_one_act_as_in_three(here: Hall) -> None:
    foreseen = await here.tried(1, "pair-and-publish")
    assert foreseen["changes"][0].startswith("Round 1 is published with 3 games")
    assert all("sit" in line and "019aa4c2" not in line for line in foreseen["changes"][1:])
    assert await here.happened() == []
    published = await here.done(1, "pair-and-publish")
    assert (published["status"], len(published["pairs"])) == ("published", 3)
    happened = await here.happened()
    assert [one for one in happened if "Round" in one or "Stage" in one] == [
        "RoundDrafted",
        "RoundConfirmed",
        "RoundPublished",
        "StageOpened",
    ]
    again = await here.done(1, "pair-and-publish")
    assert (again["pairs"], await here.happened()) == (published["pairs"], happened), "twice is once"


async def test_what_stands_in_the_way_of_a_round_is_said_and_nothing_is_drafted(here: Hall) -> None:
    published = await here.done(1, "pair-and-publish")
    happened = await here.happened()
    waiting = problem(await here.act(2, "pair-and-publish"), HTTPStatus.CONFLICT, "not-yet-possible")
    assert "tables 1, 2, 3 have no result yet" in waiting.detail
    await here.play(published, at=now())
    doubted = problem(await here.act(2, "pair-and-publish"), HTTPStatus.CONFLICT, "needs-reason")
    assert "less than 5 minutes before this start" in doubted.detail
    assert await here.happened() == happened
    assert len((await here.tried(2, "pair-and-publish", **SOON))["doubts"]) == 1
    assert (await here.done(2, "pair-and-publish", **SOON))["status"] == "published"


async def test_a_draft_that_was_changed_by_hand_is_not_lost(here: Hall) -> None:
    await here.done(1, "draft")
    await here.done(1, "swap", swap=[{"number": 1}, {"number": 2}])
    problem(await here.act(1, "pair-and-publish"), HTTPStatus.CONFLICT, "changed-by-hand")
    await here.done(1, "confirm")
    problem(await here.act(1, "pair-and-publish"), HTTPStatus.CONFLICT, "changed-by-hand")
    assert (await here.done(1, "publish"))["status"] == "published"


async def test_where_the_rules_leave_no_pairing_nothing_happens(database: str) -> None:
    alone = tuple(MeetingForbidden(tournament=T, entrants=("A", other)) for other in "BCDEFGHIJ")
    async with hall(database, forbidden=alone) as here:
        problem(await here.act(1, "pair-and-publish"), HTTPStatus.CONFLICT, "no-pairing")
        assert not any("Round" in one for one in await here.happened())


async def test_a_round_shows_all_that_a_board_needs(here: Hall) -> None:
    await here.client.post(
        f"/v1/tournaments/{T}/rooms/name", json={"rooms": [{"name": "Library", "tables": ["L1", "L2", "L3"]}]}
    )
    published = await here.done(1, "pair-and-publish")
    first, second, _ = published["pairs"]
    wrong = result(1, first)
    right = ResultCorrected(
        game=wrong.game, tournament=T, stage=STAGE, round=1, seats=wrong.seats, scores=(350, 400), points=(0, 1)
    )
    await here.hear("results", wrong, right, GameStarted(game=second["game"], tournament=T), at=EARLIER)
    seen = (await here.see("/rounds/1", by=None)).json()
    assert (seen["title"].split(",")[0], seen["of"], seen["time_zone"]) == ("Swiss", 5, "UTC")
    assert [pair["status"] for pair in seen["pairs"]] == ["final", "started", "pending"]
    assert (seen["pairs"][0]["room"], seen["pairs"][0]["label"]) == ("Library", "L1")
    assert seen["pairs"][0]["result"] == {"scores": [350, 400], "points": [0, 1], "end": "played", "corrected": True}
    assert [pair["result"] for pair in seen["pairs"][1:]] == [None, None]
    players = [seat for pair in seen["pairs"] for seat in pair["seats"]]
    assert {seat["number"]: seat["name"] for seat in players} == dict(enumerate(PEOPLE, start=1))
    assert {seat["number"]: seat["home"] for seat in players if seat["home"]} == {1: "Klub pri Dunaji"}
    key = {"Idempotency-Key": "once"}
    swapped = {"swap": [{"table": 3, "seat": 1}, {"table": 3, "seat": 2}], "reason": REASON}
    one, other = [(await here.act(1, "swap", key, **swapped)).json() for _ in range(2)]
    assert one == other
    assert called(one) == called(seen), "until results has answered it stands as it was published"
    assert one["repair_asked"]


async def test_two_change_places_by_what_the_director_knows(here: Hall) -> None:
    problem(await here.act(1, "swap", swap=[{"number": 1}, {"number": 2}]), HTTPStatus.CONFLICT, "not-drafted")
    drafted = await here.done(1, "draft")
    before = called(drafted)
    one, other = before[0][0], before[1][1]
    place = {one: "table 1", other: "table 2"}
    foreseen = await here.tried(1, "swap", swap=[{"name": one}, {"table": 2, "seat": 2}])
    assert sum("will sit" in line for line in foreseen["changes"]) == 2
    changed = await here.done(1, "swap", swap=[{"name": one}, {"table": 2, "seat": 2}])
    expected = [[other, before[0][1]], [before[1][0], one], before[2]]
    assert (called(changed), changed["status"]) == (expected, "draft"), place
    assert changed["pairs"][0]["first"] == changed["pairs"][0]["seats"][0]["entrant"], "who begins goes with the seat"
    moved = await here.done(1, "move", who={"name": "stastna"}, to_table=1)
    assert "Ľubica Šťastná" in called(moved)[0]
    assert sorted(map(sorted, called(moved))) == sorted(map(sorted, expected)), "the games are the same"


async def test_a_dry_run_says_who_would_be_first_and_nothing_of_what_is_so_already(here: Hall) -> None:
    drafted = await here.done(1, "draft")
    pairs = [
        {"table": pair["table"], "seats": [seat["entrant"] for seat in pair["seats"]], "first": pair["first"]}
        for pair in drafted["pairs"]
    ]
    second = drafted["pairs"][0]["seats"][1]
    other = [{**pairs[0], "first": second["entrant"]}, *pairs[1:]]
    tried = await here.tried(1, "override", pairs=other)
    assert tried["changes"] == [f"At table 1 {second['name']} will be named first."]
    await here.done(1, "confirm")
    for same in (
        await here.tried(1, "override", pairs=pairs),
        await here.tried(1, "swap", swap=[{"table": 1, "seat": 1}, {"table": 1, "seat": 1}]),
    ):
        assert [same[name] for name in ("changes", "lost", "doubts", "remarks")] == [[], [], [], []]
    await here.done(1, "publish", reason=REASON)
    tried = await here.tried(1, "repair", tables=other[:1], reason=REASON)
    assert tried["changes"] == [f"At table 1 {second['name']} will be named first."]
    for same in (
        await here.tried(1, "publish"),
        await here.tried(1, "pair-and-publish"),
        await here.tried(1, "repair", tables=pairs[:1], reason=REASON),
    ):
        assert [same[name] for name in ("changes", "lost", "doubts", "remarks")] == [[], [], [], []]


async def test_who_is_not_clear_is_asked_for(here: Hall) -> None:
    await here.done(1, "draft")
    several = await here.act(1, "swap", swap=[{"name": "novak"}, {"number": 1}])
    detail = problem(several, HTTPStatus.UNPROCESSABLE_ENTITY, "who-is-unclear").detail
    assert "No. 2 Ján Novák, table" in detail
    assert "No. 3 Peter Novák, table" in detail
    assert [fault["pointer"] for fault in several.json()["errors"]] == ["/swap/0"]
    for nobody in ({"number": 99}, {"name": "Nobody"}, {"table": 9, "seat": 1}, {"table": 1, "seat": 3}):
        answer = await here.act(1, "swap", swap=[{"number": 1}, nobody])
        problem(answer, HTTPStatus.UNPROCESSABLE_ENTITY, "who-is-unclear")
        assert [fault["pointer"] for fault in answer.json()["errors"]] == ["/swap/1"]
    for malformed in ({}, {"number": 1, "name": "Eva"}, {"table": 1}, {"seat": 1}):
        assert pointers(await here.act(1, "swap", swap=[{"number": 1}, malformed])) == ["/swap/1"]
    answer = await here.act(1, "move", who={"number": 1}, to_table=4)
    problem(answer, HTTPStatus.UNPROCESSABLE_ENTITY, "who-is-unclear")
    same = await here.done(1, "swap", swap=[{"number": 1}, {"number": 1}])
    assert same["status"] == "draft"
    assert "PairingOverridden" not in await here.happened()


async def test_a_swap_in_a_published_round_is_a_repair_with_a_reason(here: Hall) -> None:
    published = await here.done(1, "pair-and-publish")
    numbers = [[seat["number"] for seat in pair["seats"]] for pair in published["pairs"]]
    swap = [{"number": numbers[0][0]}, {"number": numbers[1][0]}]
    problem(await here.act(1, "swap", swap=swap), HTTPStatus.CONFLICT, "needs-reason")
    asked = await here.done(1, "swap", swap=swap, reason=REASON)
    assert asked["repair_asked"]
    (repair,) = [one for one in await here.told() if one["type"] == "RepairAsked"]
    accepted = RepairAccepted(tournament=T, stage=STAGE, round=1, repair=repair["data"]["repair"])
    await here.hear("results", accepted)
    seen = (await here.see("/rounds/1")).json()
    assert [[seat["number"] for seat in pair["seats"]] for pair in seen["pairs"]][:2] == [
        [numbers[1][0], numbers[0][1]],
        [numbers[0][0], numbers[1][1]],
    ]
    assert [pair["game"] for pair in seen["pairs"]] == [pair["game"] for pair in published["pairs"]]


async def test_who_has_the_bye_may_be_swapped_and_who_is_not_there_may_not(database: str) -> None:
    gone = EntrantLeft(entrant=entrant(6), tournament=T, stage=STAGE, after_round=0, why="withdrew")
    async with hall(database, entrants=ENTRANTS, names=NAMES) as here:
        await here.hear("registration", gone)
        drafted = await here.done(1, "draft")
        (resting,) = drafted["byes"]
        other = next(seat["number"] for pair in drafted["pairs"] for seat in pair["seats"])
        changed = await here.done(1, "swap", swap=[{"number": resting["number"]}, {"number": other}], **SOON)
        assert [player["number"] for player in changed["byes"]] == [other]
        answer = await here.act(1, "swap", swap=[{"number": 6}, {"number": 1}])
        problem(answer, HTTPStatus.UNPROCESSABLE_ENTITY, "who-is-unclear")


async def stages(here: Hall, *, by: str | None = ARBITER) -> Answer:
    headers = signed_by(issuer().token(by)) if by else {"Authorization": ""}
    answer = await here.client.get(f"/v1/tournaments/{T}/stages", headers=headers)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


def allowed(shown: Answer) -> set[str]:
    return {name for name, action in shown["allowed_actions"].items() if action["allowed"]}


async def test_a_tournament_names_its_stages_its_next_round_and_what_blocks_it(here: Hall) -> None:
    named = TournamentAnnounced(
        tournament=T,
        federation="sss",
        name="Danube Open",
        ruleset="scrabble-sk-2022-qt",
        time_zone="Europe/Bratislava",
        starts_on="2026-03-14",
    )
    await here.hear("registration", named)
    shown = await stages(here)
    (swiss,) = shown["stages"]
    assert (shown["tournament_name"], shown["time_zone"]) == ("Danube Open", "Europe/Bratislava")
    assert (swiss["stage"], swiss["status"], swiss["of"]) == (STAGE, "possible", 5)
    assert (shown["next"]["round"], shown["next"]["ready"], shown["next"]["in_the_way"]) == (1, True, [])
    assert allowed(swiss["next"]) == {"draftRound", "pairAndPublishRound"}
    assert [one["status"] for one in swiss["rounds"]] == ["unpaired"]
    published = await here.done(1, "pair-and-publish")
    await here.play(published, but=1)
    shown = await stages(here, by=None)
    (swiss,) = shown["stages"]
    assert (swiss["status"], [one["without_result"] for one in swiss["rounds"]]) == ("running", [1])
    assert (shown["next"]["round"], shown["next"]["ready"]) == (2, False)
    assert "table 3 has no result yet" in shown["next"]["in_the_way"][0]
    assert allowed(swiss["next"]) == set()
    assert seats(published["pairs"][0])
    then = await here.client.get(f"/v1/tournaments/{T}/stages", params={"inputs": "reg10.pai0.res0.sta0"})
    assert then.json()["stages"][0]["status"] == "possible"
    assert (await here.client.get("/v1/tournaments/nowhere/stages")).status_code == HTTPStatus.NOT_FOUND
