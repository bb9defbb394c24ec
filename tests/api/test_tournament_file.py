"""The file of a running tournament: the calculators repeat from it what the service does, for whom it may tell."""

from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

import pytest

from services.pairing.calculate import PairingShown, paired
from services.standings.calculate import ranked
from shared.contracts.registration import (
    EntrantAbsent,
    EntrantLeft,
    EntrantReturned,
    MeetingForbidden,
    TournamentCompleted,
)
from shared.contracts.results import PenaltyImposed
from shared.lots import formula
from tests.api.asking import issuer, problem
from tests.api.hall import ARBITER, EARLIER, SCORER, STAGE, Answer, Hall, T, hall, seats
from tests.api.signing import OPERATOR, signed_by

FILE = f"/v1/tournaments/{T}/file"


@pytest.fixture
async def here(database: str) -> AsyncGenerator[Hall]:
    forbidden = MeetingForbidden(tournament=T, entrants=("A", "C"), last_rounds=2)
    async with hall(database, size=9, forbidden=(forbidden,)) as here:
        yield here


async def file_of(here: Hall, by: str = OPERATOR, **query: str) -> dict[str, Any]:
    answer = await here.client.get(FILE, headers=signed_by(issuer().token(by)), params=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


def same_pairs(calculated: PairingShown, drafted: Answer) -> None:
    assert [(one.table, tuple(one.seats), one.first) for one in calculated.pairs] == [
        (one["table"], seats(one), one["first"]) for one in drafted["pairs"]
    ]
    assert calculated.byes == [one["entrant"] for one in drafted["byes"]]


async def test_the_next_round_is_paired_from_the_file_as_the_service_pairs_it(here: Hall) -> None:
    await here.play(await here.publish(1))
    await here.hear(
        "registration",
        EntrantLeft(tournament=T, entrant="H", stage=STAGE, after_round=1, why="withdrew"),
        EntrantAbsent(tournament=T, entrant="B", stage=STAGE, round=2, points="1/2"),
    )
    penalty = PenaltyImposed(tournament=T, penalty="p1", entrant="D", stage=STAGE, round=1, points=-1)
    await here.hear("results", penalty)
    before = await file_of(here)
    drafted = await here.done(2, "draft")
    same_pairs(paired(before), drafted)
    await here.done(2, "confirm")
    published = await here.done(2, "publish")
    same_pairs(paired(await file_of(here)), drafted)  # a round that is not complete is the next one still
    await here.play(published)
    after = await file_of(here)
    assert [one["number"] for one in after["stages"][0]["rounds"]] == [1, 2]
    same_pairs(paired(after), await here.done(3, "draft"))
    same_pairs(paired(await file_of(here, inputs=drafted["rests_on"])), drafted)
    assert {row.entrant: row.values["points"] for row in ranked(after).standings}["D"] == {
        row.entrant: row.values["points"] for row in ranked({**after, "adjustments": []}).standings
    }["D"] - 1


async def test_who_was_taken_back_late_or_judged_gone_since_does_not_keep_the_file_from_being_read(here: Hall) -> None:
    """Somebody had no place in the first round though they are there, and another one a game though they are not."""
    await here.hear("registration", EntrantLeft(tournament=T, entrant="H", stage=STAGE, after_round=0, why="withdrew"))
    await here.play(await here.publish(1))
    await here.hear("registration", EntrantReturned(tournament=T, entrant="H"))
    await here.play(await here.publish(2))
    await here.hear("registration", EntrantLeft(tournament=T, entrant="B", stage=STAGE, after_round=1, why="expelled"))
    file = await file_of(here)
    assert {row.entrant for row in ranked(file).standings} == set("ABCDEFGHI")
    same_pairs(paired(file), await here.done(3, "draft"))
    first, second = file["stages"][0]["rounds"]
    assert first["override"]
    assert [game["seats"] for game in second["games"] if "override" in game] == [
        game["seats"] for game in second["games"] if "B" in game["seats"]
    ]


async def test_a_file_with_other_names_or_for_somebody_else_is_not_taken_for_the_same(here: Hall) -> None:
    before = await here.client.get(FILE, headers=signed_by(issuer().token(ARBITER)))
    known = {"If-None-Match": before.headers["ETag"]}
    same = await here.client.get(FILE, headers=signed_by(issuer().token(ARBITER)) | known)
    assert same.status_code == HTTPStatus.NOT_MODIFIED
    await here.publish(1)
    told = await here.client.get(FILE, headers=signed_by(issuer().token(ARBITER)))
    trusted = await here.client.get(
        FILE, headers=signed_by(issuer().token(OPERATOR)) | {"If-None-Match": told.headers["ETag"]}
    )
    assert trusted.status_code == HTTPStatus.OK, "the key of the lots is for them"


async def test_the_key_of_the_lots_is_told_to_operators_and_in_the_end_to_every_official(here: Hall) -> None:
    assert "seed" not in await file_of(here)  # nothing was drawn yet
    await here.publish(1)
    key = (await file_of(here))["seed"]
    assert formula.commitment(bytes.fromhex(key)) in await here.log()
    kept_back = await file_of(here, ARBITER)
    assert kept_back == {name: value for name, value in (await file_of(here)).items() if name != "seed"}
    for nobody in (SCORER, "stranger"):
        headers = signed_by(issuer().token(nobody))
        problem(await here.client.get(FILE, headers=headers), HTTPStatus.FORBIDDEN, "not-permitted")
    await here.hear("registration", TournamentCompleted(tournament=T), at=EARLIER)
    assert (await file_of(here, ARBITER))["seed"] == key
