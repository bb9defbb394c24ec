"""A championship in Carcassonne as pairing sees it: tables of four and three, then a final in which seats are chosen."""

from collections.abc import AsyncGenerator
from fractions import Fraction
from http import HTTPStatus

import msgspec
import pytest

from shared.contracts.registration import EntrantAdmitted, EntrantLeft, OfficialAppointed, TournamentStarted
from shared.contracts.results import ResultFinal, RoundCompleted
from shared.contracts.standings import StageClosed
from shared.rulesets import catalogue
from tests.api.area import ARBITER, AUDITOR, Answer, Area, T
from tests.api.asking import issuer, problem, service
from tests.api.hall import as_sheet, seats
from tests.api.signing import signed_by

QUALIFICATION, FINAL = "qualification", "final"
PLAYERS = "ABCDEFGHIJK"
DIRECT = {"X": 13, "Y": "9/2"}


@pytest.fixture
async def here(database: str) -> AsyncGenerator[Area]:
    """Eleven, and two who are qualified for the final beforehand."""
    appointed = [OfficialAppointed(scope=T, subject=ARBITER, role="arbiter")]
    appointed.append(OfficialAppointed(scope=T, subject=AUDITOR, role="auditor"))
    ruleset = msgspec.Raw(catalogue.load("carcassonne-cz-qualification").model_dump_json().encode())
    started = TournamentStarted(tournament=T, federation="cz", ruleset=ruleset, time_zone="Europe/Prague")
    players = [
        EntrantAdmitted(
            entrant=name,
            tournament=T,
            persons=(f"p-{name}",),
            number=number,
            carried=DIRECT.get(name, 0),
            direct=name in DIRECT,
        )
        for number, name in enumerate([*PLAYERS, *DIRECT], start=1)
    ]
    async with service(database, name="pairing", signed_in=False, rate="0") as client:
        client.headers.update(signed_by(issuer().token(ARBITER)))
        here = Area(client=client, database=database)
        await here.hear("registration", *appointed, *players, started)
        yield here


async def play(here: Area, published: Answer) -> None:
    """Who comes earlier in the alphabet makes more points."""
    results: list[ResultFinal] = []
    for pair in published["pairs"]:
        scores = [150 - 7 * PLAYERS.index(seat) for seat in seats(pair)]
        results.append(
            ResultFinal(
                game=pair["game"],
                tournament=T,
                stage=published["stage"],
                round=published["round"],
                seats=seats(pair),
                scores=tuple(scores),
                points=tuple(4 - sorted(scores, reverse=True).index(score) for score in scores),
                first=pair["first"],
            )
        )
    here.results.update({one.game: one for one in results})
    over = RoundCompleted(tournament=T, stage=published["stage"], round=published["round"])
    await here.hear("results", *results, over)


def order(here: Area) -> list[str]:
    """By points, then by the sum of success."""
    standing = {name: (0, Fraction(0)) for name in PLAYERS}
    for one in here.results.values():
        total = Fraction(sum(map(int, one.scores))) * (4 if len(one.seats) == 3 else 3)
        for seat, score, points in zip(one.seats, one.scores, one.points, strict=True):
            before, success = standing[seat]
            standing[seat] = before + int(points), success + int(score) / total
    return sorted(PLAYERS, key=lambda name: standing[name], reverse=True)


@pytest.mark.rule("CC.PAI-2", "CC.PAI-4", "CC.X-3")
async def test_tables_of_four_and_three_go_from_their_draft_to_the_final(here: Area) -> None:
    first = f"{QUALIFICATION}/rounds/1"
    drafted = await here.done(f"{first}/draft")
    assert sorted(len(seats(pair)) for pair in drafted["pairs"]) == [3, 4, 4]
    assert {seat for pair in drafted["pairs"] for seat in seats(pair)} == set(PLAYERS)
    assert all(pair["first"] == seats(pair)[0] for pair in drafted["pairs"])
    log = (await here.client.get(f"/v1/log/{T}", headers=signed_by(issuer().token(AUDITOR)))).text
    assert '"LotDrawn"' in log

    sheet = as_sheet(drafted)
    one, *others = sheet["pairs"]
    halved = [
        {"table": 1, "seats": one["seats"][:2], "first": None},
        {"table": 4, "seats": one["seats"][2:], "first": None},
    ]
    refused = await here.act(f"{first}/override", **sheet | {"pairs": [*halved, *others]})
    detail = problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "sheet-not-whole").detail
    assert detail == "At table 1 sit 2. At table 4 sit 2. The game is played by 3 to 4 at a table."
    turned = {**one, "seats": one["seats"][::-1], "first": None}
    changed = await here.done(f"{first}/override", **sheet | {"pairs": [turned, *others]})
    assert list(seats(changed["pairs"][0])) == turned["seats"]
    await here.done(f"{first}/confirm")
    published = await here.done(f"{first}/publish")
    assert len({pair["game"] for pair in published["pairs"]}) == 3
    await play(here, published)

    await here.done(f"{QUALIFICATION}/rounds/2/draft")
    *same, (last, *three) = sorted([list(seats(pair)) for pair in published["pairs"]], key=len)
    again = [{"table": number, "seats": one, "first": None} for number, one in enumerate([*same, three], 1)]
    by_hand = {"pairs": again, "byes": [last]}
    foreseen = await here.done(f"{QUALIFICATION}/rounds/2/override?dry_run=true", **by_hand)
    assert foreseen["doubts"] == [f"{last} has a bye, but at tables everybody plays (CC.PAI-1)."]
    assert len([one for one in foreseen["remarks"] if "have met already" in one]) == 12
    assert len([one for one in foreseen["remarks"] if "at a table of three again" in one]) == 3
    refused = await here.act(f"{QUALIFICATION}/rounds/2/override", **by_hand)
    problem(refused, HTTPStatus.CONFLICT, "needs-reason")

    for number in (2, 3, 4):
        published = await here.publish(QUALIFICATION, number)
        why = await here.see(f"{QUALIFICATION}/rounds/{number}/why")
        assert [part["counts"] for part in why["cost"]] == ["meetings", "threes", "spread"]
        await play(here, published)

    places = tuple((name,) for name in order(here))
    closed = StageClosed(tournament=T, stage=QUALIFICATION, order=places, rests_on="reg0.pai0.res0.sta0")
    await here.hear("standings", closed)
    for act in ("draft", "confirm"):
        await here.done(f"{FINAL}/rounds/1/{act}")
    for act in ("publish", "pair-and-publish"):
        refused = problem(await here.act(f"{FINAL}/rounds/1/{act}"), HTTPStatus.CONFLICT, "needs-reason")
        assert "exactly 32 entrants (CC.REG-1), and 13 are in it" in refused.detail
    assert (await here.see(f"{FINAL}/rounds/1", by=ARBITER))["status"] == "confirmed"
    final = await here.done(f"{FINAL}/rounds/1/publish", reason={"code": "agreement"})
    pairs = {pair["option"]: set(seats(pair)) for pair in final["pairs"]}
    assert all(pair["first"] is None for pair in final["pairs"])
    assert "X" in pairs
    assert all(len(two) == 2 for two in pairs.values())


@pytest.mark.rule("CC.PAI-2")
async def test_whoever_asks_for_the_next_round_reads_that_the_rules_know_no_tables_for_five(here: Area) -> None:
    assert (await here.see(f"{QUALIFICATION}/next"))["ready"]
    for gone in PLAYERS[5:]:
        left = EntrantLeft(entrant=gone, tournament=T, stage=QUALIFICATION, after_round=0, why="withdrew")
        await here.hear("registration", left)
    refused = problem(await here.act(f"{QUALIFICATION}/rounds/1/draft"), HTTPStatus.CONFLICT, "no-pairing")
    coming = await here.see(f"{QUALIFICATION}/next", by=ARBITER)
    assert not coming["ready"]
    assert [(one["kind"], one["detail"]) for one in coming["obstacles"]] == [("no-tables", refused.detail)]
    assert coming["allowed_actions"]["draftRound"] == {"allowed": False, "reason": refused.detail}
    by_hand = {"pairs": [{"table": 1, "seats": [*"ABCD"], "first": "A"}], "byes": ["E"]}
    await here.done(f"{QUALIFICATION}/rounds/1/override", **by_hand, reason={"code": "announcement"})
    await here.done(f"{QUALIFICATION}/rounds/1/confirm")
    await here.done(f"{QUALIFICATION}/rounds/1/publish")
