"""An area tournament of pIšQworky over HTTP: the draw of the groups, their rounds, and the play-off to the last place."""

from collections.abc import AsyncGenerator
from http import HTTPStatus

import msgspec
import pytest

from shared.contracts.registration import EntrantLeft, EntrantReturned, TournamentCancelled
from shared.contracts.results import RecallAccepted, ResultCorrected
from shared.tournament.groups import drawn
from tests.api.area import GROUPS, PLAY_OFF, Answer, Area, T, area, number_of
from tests.api.asking import problem
from tests.api.hall import seats

SCHOOLS = ("brno", "brno", "opava", "opava", "opava", "zlín", "most", "most", "písek")
OF = {f"T{n}": school for n, school in enumerate(SCHOOLS, start=1)}


@pytest.fixture
async def here(database: str) -> AsyncGenerator[Area]:
    async with area(database, *SCHOOLS) as here:
        yield here


def members(shown: Answer) -> list[list[str]]:
    return [[one["entrant"] for one in group["entrants"]] for group in shown["groups"]]


@pytest.mark.rule("PQ.PAI-2", "PQ.X-1")
async def test_the_draw_keeps_schools_apart_and_is_a_lot_that_everybody_can_check(here: Area) -> None:
    before = await here.see(f"{GROUPS}/groups")
    assert (before["groups"], before["sizes"], before["fewest_possible"]) == ([], [5, 4], 1)
    shown = await here.done(f"{GROUPS}/groups/draw")
    assert [len(group) for group in members(shown)] == [5, 4]
    assert (shown["pairs_of_one_school"], shown["fewest_possible"], shown["by_hand"]) == (1, 1, False)
    (together,) = shown["together"]
    assert {OF[one["entrant"]] for one in together["entrants"]} == {"opava"}
    assert shown["explanation"][-3] == "1 pair of one school in one group: fewer cannot be had."
    assert await here.done(f"{GROUPS}/groups/draw") == shown  # whoever draws again draws the same
    happened = await here.log()
    assert [one["type"] for one in happened] == ["LotSeedCommitted", "GroupsDrawn", "LotDrawn"]
    lot = happened[-1]["data"]
    assert (lot["purpose"], sorted(lot["order"])) == ("groups of groups", sorted(OF))
    assert drawn(lot["order"], 2, OF) == members(shown)
    await here.hear("registration", TournamentCancelled(tournament=T))
    seed = (await here.log())[-1]["data"]["seed"]
    *_, last = (await here.see(f"{GROUPS}/groups"))["explanation"]
    assert last == f"The secret is revealed, and the key of these lots is {seed}."


async def test_nothing_is_paired_before_the_groups_are_drawn(here: Area) -> None:
    coming = await here.see(f"{GROUPS}/next")
    assert [one["kind"] for one in coming["obstacles"]] == ["groups-not-drawn"]
    problem(await here.act(f"{GROUPS}/rounds/1/draft"), HTTPStatus.CONFLICT, "not-yet-possible")
    await here.done(f"{GROUPS}/groups/draw")
    assert (await here.see(f"{GROUPS}/next"))["ready"] is True
    await here.hear(
        "registration", EntrantLeft(entrant="T9", tournament=T, stage=GROUPS, after_round=0, why="withdrew")
    )
    (obstacle,) = (await here.see(f"{GROUPS}/next"))["obstacles"]
    assert obstacle["detail"] == "Groups: the field has changed since the draw, draw anew."
    assert [len(group) for group in members(await here.done(f"{GROUPS}/groups/draw"))] == [4, 4]


@pytest.mark.rule("PQ.PAI-2")
async def test_a_draw_by_hand_is_taken_and_its_conflicts_are_answered(here: Area) -> None:
    apart = [["T1", "T3", "T5", "T7", "T9"], ["T2", "T4", "T6", "T8"]]
    shown = await here.done(f"{GROUPS}/groups/set", groups=apart)
    assert (members(shown), shown["by_hand"], shown["pairs_of_one_school"]) == (apart, True, 1)
    close = [["T1", "T2", "T3", "T4", "T5"], ["T6", "T7", "T8", "T9"]]
    tried = await here.done(f"{GROUPS}/groups/set?dry_run=true", groups=close)
    assert tried["doubts"] == ["5 pairs of one school in one group: 1 would do."]
    assert tried["lost"] == ["The groups as they are now."]
    tried = await here.done(f"{GROUPS}/groups/set?dry_run=true", groups=apart)
    assert (tried["changes"], tried["lost"], tried["doubts"]) == ([], [], []), "they are so already"
    problem(await here.act(f"{GROUPS}/groups/set", groups=close), HTTPStatus.CONFLICT, "needs-reason")
    reason = {"code": "agreement", "words": "Drawn from a hat before everybody."}
    shown = await here.done(f"{GROUPS}/groups/set", groups=close, reason=reason)
    assert (members(shown), shown["pairs_of_one_school"]) == (close, 5)
    uneven = [close[0][:3], [*close[1], *close[0][3:]]]
    refused = problem(
        await here.act(f"{GROUPS}/groups/set", groups=uneven), HTTPStatus.UNPROCESSABLE_ENTITY, "groups-unusable"
    )
    assert "9 entrants play in groups of 5 and 4" in refused.detail
    refused = problem(
        await here.act(f"{GROUPS}/groups/set", groups=[close[0], ["T6", "T6", "X"]]),
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "groups-unusable",
    )
    assert "T7 is in no group." in refused.detail
    problem(await here.act(f"{PLAY_OFF}/groups/draw"), HTTPStatus.NOT_FOUND, "no-groups")


async def test_groups_stay_once_a_round_of_theirs_is_published(here: Area) -> None:
    shown = await here.done(f"{GROUPS}/groups/draw")
    await here.done(f"{GROUPS}/rounds/1/draft")
    one, other = members(shown)
    swapped = [[*one[:-1], other[-1]], [*other[:-1], one[-1]]]
    await here.done(f"{GROUPS}/groups/set", groups=swapped, reason={"code": "mistake"})
    why = {"reason": {"code": "other"}}
    problem(await here.act(f"{GROUPS}/rounds/1/confirm", **why), HTTPStatus.CONFLICT, "groups-changed")
    await here.done(f"{GROUPS}/rounds/1/draft")
    await here.done(f"{GROUPS}/rounds/1/confirm")
    await here.done(f"{GROUPS}/groups/set", groups=members(shown), reason={"code": "mistake"})
    for tried in ("", "?dry_run=true"):
        problem(await here.act(f"{GROUPS}/rounds/1/publish{tried}", **why), HTTPStatus.CONFLICT, "groups-changed")
    await here.publish(GROUPS, 1)
    problem(await here.act(f"{GROUPS}/groups/draw"), HTTPStatus.CONFLICT, "groups-played")
    actions = (await here.see(f"{GROUPS}/groups", by="ann"))["allowed_actions"]
    assert {name: one["allowed"] for name, one in actions.items()} == {"drawGroups": False, "setGroups": False}


@pytest.mark.rule("PQ.PAI-1", "PQ.PAI-3", "PQ.PAI-11")
async def test_the_groups_and_then_the_play_off_are_paired_to_the_last_place(here: Area) -> None:
    groups = members(await here.done(f"{GROUPS}/groups/draw"))
    for number in range(1, 6):
        await here.play(await here.publish(GROUPS, number))
    one, other = (sorted(group, key=number_of) for group in groups)
    coming = await here.see(f"{GROUPS}/next")
    assert (coming["round"], coming["of"]) == (None, 5)
    met = [
        frozenset(seats(pair))
        for number in range(1, 6)
        for pair in (await here.see(f"{GROUPS}/rounds/{number}"))["pairs"]
    ]
    assert len(met) == len(set(met)) == 10 + 6
    (obstacle,) = (await here.see(f"{PLAY_OFF}/next"))["obstacles"]
    assert obstacle["kind"] == "stage-before-open"
    problem(await here.act(f"{PLAY_OFF}/rounds/1/draft"), HTTPStatus.CONFLICT, "not-yet-possible")
    await here.close(GROUPS, [[one[1], one[0], *one[2:]], other])  # before a correction
    (obstacle,) = (await here.see(f"{PLAY_OFF}/next"))["obstacles"]
    assert (obstacle["kind"], "close it once more" in obstacle["detail"]) == ("stage-before-open", True)
    await here.close(GROUPS, [one, other])
    first = await here.publish(PLAY_OFF, 1)
    (why, _) = (await here.see(f"{PLAY_OFF}/rounds/1/why"))["pairs"][0]["why"]
    assert why == f"SF1: {one[0]} as the 1st of group A and {other[1]} as the 2nd of group B."
    assert {pair["match"]: set(seats(pair)) for pair in first["pairs"]} == {
        "SF1": {one[0], other[1]},
        "SF2": {one[1], other[0]},
        "P1": {one[2], other[3]},
        "P2": {other[2], one[3]},
    }
    await here.play(first)
    last = await here.publish(PLAY_OFF, 2)
    assert [pair["match"] for pair in last["pairs"]] == ["third", "final", "place7", "place5"]
    await here.play(last)
    coming = await here.see(f"{PLAY_OFF}/next")
    assert [one["kind"] for one in coming["obstacles"]] == ["all-rounds-published"]
    opened = [one["data"] for one in await here.log() if one["type"] == "StageOpened"]
    assert [len(one["entrants"]) for one in opened] == [9, 8]
    drawn_for = {one["data"]["purpose"] for one in await here.log() if one["type"] == "LotDrawn"}
    assert {"pairing of round 1 of groups", "pairing of round 2 of play-off"} <= drawn_for


@pytest.mark.rule("PQ.PAI-1")
async def test_where_a_place_of_a_group_stays_empty_whoever_would_meet_it_goes_on(here: Area) -> None:
    """PQ.D49: two of the group of four are expelled, so nobody is third or fourth of it."""
    groups = members(await here.done(f"{GROUPS}/groups/draw"))
    for number in range(1, 6):
        await here.play(await here.publish(GROUPS, number))
    one, other = (sorted(group, key=number_of) for group in groups)
    for gone in other[2:]:
        left = EntrantLeft(entrant=gone, tournament=T, stage=GROUPS, after_round=5, why="expelled")
        await here.hear("registration", left)
    await here.close(GROUPS, [one, other])
    first = await here.publish(PLAY_OFF, 1)
    assert {pair["match"]: set(seats(pair)) for pair in first["pairs"]} == {
        "SF1": {one[0], other[1]},
        "SF2": {one[1], other[0]},
        "place5": {one[2], one[3]},
    }
    await here.play(first)
    assert [pair["match"] for pair in (await here.publish(PLAY_OFF, 2))["pairs"]] == ["third", "final"]


async def test_after_a_correction_in_the_groups_the_recalled_play_off_begins_with_whoever_is_in_it_then(
    here: Area,
) -> None:
    groups = members(await here.done(f"{GROUPS}/groups/draw"))
    published: list[Answer] = []
    for number in range(1, 6):
        published.append(await here.publish(GROUPS, number))
        await here.play(published[-1])
    one, other = (sorted(group, key=number_of) for group in groups)
    await here.close(GROUPS, [one, other])
    first = await here.publish(PLAY_OFF, 1)
    *_, fourth, last = one
    assert fourth in {seat for pair in first["pairs"] for seat in seats(pair)}
    await here.done(f"{PLAY_OFF}/rounds/1/recall", reason={"code": "mistake"})
    recall = next(told["data"]["recall"] for told in await here.log() if told["type"] == "RecallAsked")
    (game,) = ((round_, pair) for round_ in published for pair in round_["pairs"] if set(seats(pair)) == {fourth, last})
    await here.hear("results", corrected(here, *game, winner=last))
    await here.hear("results", RecallAccepted(tournament=T, stage=PLAY_OFF, round=1, recall=recall))
    (obstacle,) = (await here.see(f"{PLAY_OFF}/next"))["obstacles"]
    assert "close it once more" in obstacle["detail"]
    await here.close(GROUPS, [[*one[:3], last, fourth], other])
    again = await here.publish(PLAY_OFF, 1)
    playing = {seat for pair in again["pairs"] for seat in seats(pair)}
    assert playing == {*one[:3], last, *other}
    opened = [told["data"]["entrants"] for told in await here.log() if told["type"] == "StageOpened"]
    assert set(opened[-1]) == playing
    grounds = [line for pair in (await here.see(f"{PLAY_OFF}/rounds/1/why"))["pairs"] for line in pair["why"]]
    assert not [line for line in grounds if "is not there" in line]


def corrected(here: Area, published: Answer, pair: Answer, *, winner: str) -> ResultCorrected:
    told = msgspec.structs.asdict(here.result(published, pair))
    told |= {
        "scores": tuple(12 if seat == winner else 0 for seat in seats(pair)),
        "points": tuple(2 if seat == winner else 0 for seat in seats(pair)),
    }
    return ResultCorrected(**{name: value for name, value in told.items() if name in ResultCorrected.__struct_fields__})


async def test_a_round_of_groups_that_is_published_once_more_is_nothing_new(here: Area) -> None:
    await here.done(f"{GROUPS}/groups/draw")
    shown = await here.publish(GROUPS, 1)
    assert (await here.done(f"{GROUPS}/rounds/1/publish"))["pairs"] == shown["pairs"]


async def test_whoever_leaves_without_having_played_leaves_the_groups_as_they_were_drawn(here: Area) -> None:
    one, _ = members(await here.done(f"{GROUPS}/groups/draw"))
    first = await here.publish(GROUPS, 1)
    for gone in one[-2:]:  # five and four are three and four by now
        left = EntrantLeft(entrant=gone, tournament=T, stage=GROUPS, after_round=0, why="withdrew")
        await here.hear("registration", left)
    await here.play(first)
    assert (await here.publish(GROUPS, 2))["pairs"]


async def test_who_comes_back_when_the_play_off_has_begun_is_not_in_it(here: Area) -> None:
    groups = members(await here.done(f"{GROUPS}/groups/draw"))
    for number in range(1, 6):
        await here.play(await here.publish(GROUPS, number))
    one, other = (sorted(group, key=number_of) for group in groups)
    gone = other[3]
    left = EntrantLeft(entrant=gone, tournament=T, stage=GROUPS, after_round=5, why="withdrew")
    await here.hear("registration", left)
    await here.close(GROUPS, [one, other])
    first = await here.publish(PLAY_OFF, 1)
    await here.hear("registration", EntrantReturned(entrant=gone, tournament=T))
    await here.play(first)
    second = await here.publish(PLAY_OFF, 2)
    assert gone not in {seat for pair in second["pairs"] for seat in seats(pair)}
    assert [pair["match"] for pair in second["pairs"]] == ["third", "final", "place5"]
