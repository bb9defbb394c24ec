"""A championship of Othello over HTTP, from the closed preliminary list to the final."""

from collections.abc import AsyncGenerator
from http import HTTPStatus

import msgspec
import pytest

from shared.contracts.registration import (
    EntrantAdmitted,
    EntrantChanged,
    OfficialAppointed,
    TournamentAnnounced,
    TournamentReplanned,
    TournamentStarted,
)
from shared.contracts.results import ResultCorrected, ResultFinal, RoundCompleted
from shared.contracts.standings import StageClosed
from shared.rulesets import catalogue
from shared.rulesets.faults import with_options
from tests.api.area import ARBITER, AUDITOR, Answer, Area, T
from tests.api.asking import issuer, problem, service
from tests.api.hall import seats
from tests.api.signing import signed_by

POINTS = {"A": 8, "B": 7, "C": 6, "D": 5, "E": 5, "F": 4, "G": 3}
WOMEN = "FG"


@pytest.fixture
async def here(database: str) -> AsyncGenerator[Area]:
    """Everybody has brought the points of the preliminary rounds, whose order is that of the letters."""
    appointed = OfficialAppointed(scope=T, subject=ARBITER, role="arbiter")
    ruleset = with_options(catalogue.load("othello-pl-2021"), {"standings.criteria": ["points", "start_number"]})
    told = msgspec.Raw(ruleset.model_dump_json().encode())
    started = TournamentStarted(tournament=T, federation="pfo", ruleset=told, time_zone="Europe/Warsaw")
    players = [
        EntrantAdmitted(
            entrant=name,
            tournament=T,
            persons=(f"p-{name}",),
            number=number,
            carried=points,
            lists=("women",) if name in WOMEN else (),
        )
        for number, (name, points) in enumerate(POINTS.items(), start=1)
    ]
    async with service(database, name="pairing", signed_in=False, rate="0") as client:
        client.headers.update(signed_by(issuer().token(ARBITER)))
        here = Area(client=client, database=database)
        await here.hear("registration", appointed, *players, started)
        yield here


@pytest.mark.rule("OT.PAI-1")
async def test_nine_rounds_begin_by_the_timetable_on_the_days_of_the_tournament(database: str) -> None:
    appointed = OfficialAppointed(scope=T, subject=ARBITER, role="arbiter")
    zone = "Europe/Warsaw"
    announced = TournamentAnnounced(
        tournament=T, federation="pfo", name="MP", ruleset="othello-pl-2021", time_zone=zone, starts_on="2026-06-05"
    )
    moved = TournamentReplanned(tournament=T, name="MP", starts_on="2026-06-12")
    told = msgspec.Raw(catalogue.load("othello-pl-2021").model_dump_json().encode())
    started = TournamentStarted(tournament=T, federation="pfo", ruleset=told, time_zone=zone)
    players = [
        EntrantAdmitted(entrant=f"E{number}", tournament=T, persons=(f"p{number}",), number=number)
        for number in range(1, 16)
    ]
    path = f"/v1/tournaments/{T}/stages/preliminary"
    async with service(database, name="pairing", signed_in=False, rate="0") as client:
        client.headers.update(signed_by(issuer().token(ARBITER)))
        here = Area(client=client, database=database)
        await here.hear("registration", announced, appointed, moved, *players, started)
        assert (await client.get(f"{path}/next")).json()["planned_for"] == "2026-06-12T10:00:00+02:00"
        for act in ("draft", "confirm"):
            await client.post(f"{path}/rounds/1/{act}")
        foreseen = (await client.post(f"{path}/rounds/1/publish?dry_run=true")).json()
        assert foreseen["remarks"] == ["By the timetable of the rules it begins 2026-06-12T10:00:00+02:00."]


async def close(here: Area, stage: str, order: str) -> None:
    """`AB C`: A and B share the first place."""
    places = tuple(map(tuple, order.split()))
    await here.hear("standings", StageClosed(tournament=T, stage=stage, order=places, rests_on="reg0.pai0.res0.sta0"))


async def play(here: Area, published: Answer, *, draw_wins: str | None = None) -> None:
    """The first in the alphabet wins by 40 discs; or it is a draw, which wins for somebody."""
    results: list[ResultFinal] = []
    for pair in published["pairs"]:
        one, other = seats(pair)
        is_drawn = draw_wins in (one, other)
        won, lost = (40, 24) if one < other else (24, 40)
        results.append(
            ResultFinal(
                game=pair["game"],
                tournament=T,
                stage=published["stage"],
                round=published["round"],
                seats=(one, other),
                scores=(32, 32) if is_drawn else (won, lost),
                points=("1/2", "1/2") if is_drawn else (int(won > lost), int(lost > won)),
                first=pair["first"] or pair["option"],
                draw_wins=draw_wins if is_drawn else None,
            )
        )
    over = RoundCompleted(tournament=T, stage=published["stage"], round=published["round"])
    await here.hear("results", *results, over)


def shown(published: Answer) -> list[tuple[str, int | None, tuple[str, ...], str | None, str | None]]:
    return [(pair["match"], pair["number"], seats(pair), pair["first"], pair["option"]) for pair in published["pairs"]]


@pytest.mark.rule("OT.PAI-8", "OT.PAI-9", "OT.PAI-10")
async def test_a_championship_is_paired_from_the_play_off_to_the_final(here: Area) -> None:
    (obstacle,) = (await here.see("play-offs/next"))["obstacles"]
    assert obstacle["kind"] == "stage-before-open"
    await close(here, "preliminary", "A B C D E F G")
    (obstacle,) = (await here.see("semifinals/next"))["obstacles"]
    assert obstacle["detail"] == "D, E are equal and wait for a duel."
    published = await here.publish("play-offs", 1)
    assert shown(published) == [("4-5", None, ("D", "E"), None, "D")]
    await play(here, published, draw_wins="E")
    assert (await here.see("play-offs/next"))["round"] is None
    semifinal = await here.publish("semifinals", 1)
    assert shown(semifinal) == [("SF1", 1, ("A", "E"), None, "A"), ("SF2", 1, ("B", "C"), None, "B")]
    await play(here, semifinal)
    women = await here.publish("final-women", 1)  # two of them have no semifinals
    assert shown(women) == [("final", None, ("F", "G"), None, "F")]
    for stage in ("semifinals-women", "semifinals-juniors", "final-juniors"):
        coming = await here.see(f"{stage}/next")
        assert [one["kind"] for one in coming["obstacles"]] == ["not-held"]
        assert coming["round"] is None
    semifinal = await here.publish("semifinals", 2)
    assert shown(semifinal) == [("SF1", 2, ("E", "A"), "E", None), ("SF2", 2, ("C", "B"), "C", None)]
    await play(here, semifinal)
    assert (await here.see("semifinals/next"))["round"] is None
    await close(here, "semifinals", "AB CE")
    problem(await here.act("semifinals-juniors/rounds/1/draft"), HTTPStatus.CONFLICT, "not-yet-possible")
    final = await here.done("final/rounds/1/draft")
    assert shown(final) == [("third", None, ("C", "E"), None, "C"), ("final", 1, ("A", "B"), None, "A")]
    why = await here.see("final/rounds/1/why", by=ARBITER)
    assert "It starts together with game 1 of the stage final." in str(why)


async def test_a_final_says_that_a_semifinal_was_corrected_since_it_was_paired(here: Area) -> None:
    await close(here, "preliminary", "A B C D E F G")
    await play(here, await here.publish("play-offs", 1), draw_wins="E")
    await play(here, await here.publish("semifinals", 1))
    second = await here.publish("semifinals", 2)
    await play(here, second)
    await close(here, "semifinals", "AB CE")
    await here.publish("final", 1)
    await here.publish("final-women", 1)
    (game,) = [pair["game"] for pair in second["pairs"] if pair["match"] == "SF1"]
    corrected = ResultCorrected(
        game=game,
        tournament=T,
        stage="semifinals",
        round=2,
        seats=("E", "A"),
        scores=(64, 0),
        points=(1, 0),
    )
    await here.hear("results", corrected)
    said = "Since it was paired, a result was corrected in round 2 of Semifinals. What is published stands, so nobody is paired anew."
    assert said in (await here.see("final/rounds/1/why", by=ARBITER))["explanation"]
    assert said not in (await here.see("final-women/rounds/1/why", by=ARBITER))["explanation"]


@pytest.mark.rule("OT.PAI-8")
async def test_who_is_in_a_play_off_only_since_a_correction_is_in_its_stage_as_well(here: Area) -> None:
    """OT.D73."""
    await close(here, "preliminary", "A B C D E F G")
    await play(here, await here.publish("play-offs", 1))
    points = {"D": 4, "F": 5}
    changed = [
        EntrantChanged(
            entrant=name,
            tournament=T,
            persons=(f"p-{name}",),
            number=number,
            carried=points[name],
            lists=("women",) if name in WOMEN else (),
        )
        for number, name in enumerate(POINTS, start=1)
        if name in points
    ]
    auditor = OfficialAppointed(scope=T, subject=AUDITOR, role="auditor")
    await here.hear("registration", auditor, *changed)
    await close(here, "preliminary", "A B C E F D G")
    (obstacle,) = (await here.see("semifinals/next"))["obstacles"]
    assert obstacle["detail"] == "E, F are equal and wait for a duel."
    second = await here.publish("play-offs", 2)
    assert shown(second) == [("4-5", None, ("E", "F"), None, "E")]
    log = await here.log()
    opened = [one["data"]["entrants"] for one in log if one["type"] == "StageOpened"]
    assert opened == [["D", "E"], ["D", "E", "F"]]
    await play(here, second)
    assert (await here.see("play-offs/next"))["round"] is None
    semifinal = await here.publish("semifinals", 1)
    assert shown(semifinal) == [("SF1", 1, ("A", "E"), None, "A"), ("SF2", 1, ("B", "C"), None, "B")]
