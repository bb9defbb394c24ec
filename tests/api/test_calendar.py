"""The calendar of a tournament, as another program reads it."""

from collections.abc import AsyncGenerator
from datetime import UTC, date, datetime, timedelta
from http import HTTPStatus
from typing import Any

import pytest
from icalendar import Calendar

from services.pairing.api.calendar import folded
from shared.contracts.registration import TournamentAnnounced, TournamentCancelled, TournamentReplanned
from shared.contracts.results import RecallAccepted
from tests.api.asking import Client, problem
from tests.api.hall import Hall, T, hall

CALENDAR = f"/v1/tournaments/{T}/calendar.ics"
NAME = 'Košice Cup; hala \\ "U Šťastného koňa", druhý ročník medzinárodného turnaja v Scrabble'
MORNING = datetime(2030, 5, 4, 7, tzinfo=UTC)


@pytest.fixture
async def here(database: str) -> AsyncGenerator[Hall]:
    async with hall(database) as here:
        yield here


async def entries(client: Client) -> dict[str, Any]:
    answer = await client.get(CALENDAR)
    assert answer.status_code == HTTPStatus.OK, answer.text
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert max(len(line) for line in answer.content.split(b"\r\n")) <= 75, "lines are folded"
    assert b"\n" not in answer.content.replace(b"\r\n", b"")
    calendar = Calendar.from_ical(answer.content)
    assert not calendar.errors
    return {str(entry["uid"]).removeprefix(f"{T}.").removesuffix("@roundlog"): entry for entry in calendar.events}


async def announce(here: Hall, starts_on: str) -> None:
    announced = TournamentAnnounced(
        tournament=T,
        federation="sss",
        name=NAME,
        ruleset="scrabble-sk-2022-qt",
        time_zone="Europe/Bratislava",
        starts_on=starts_on,
    )
    await here.hear("registration", announced)


async def recall(here: Hall) -> None:
    await here.done(1, "recall", reason={"code": "other", "words": "The hall is closed."})
    asking = next(line for line in (await here.log()).splitlines() if '"RecallAsked"' in line)
    asked = asking.split('"recall":"')[1].split('"')[0]
    await here.hear("results", RecallAccepted(tournament=T, stage="swiss", round=1, recall=asked))


async def test_a_calendar_follows_what_is_announced_published_recalled_and_cancelled(here: Hall) -> None:
    problem(await here.client.get(CALENDAR), HTTPStatus.NOT_FOUND, "not-announced")
    await announce(here, "2030-05-03")
    day = (await entries(here.client))[T]
    assert (day.start, day.end, str(day["summary"])) == (date(2030, 5, 3), date(2030, 5, 4), NAME)
    assert day["sequence"] == 0

    await here.hear("registration", TournamentReplanned(tournament=T, name=NAME, starts_on="2030-05-04"))
    assert ((await entries(here.client))[T].start, (await entries(here.client))[T]["sequence"]) == (date(2030, 5, 4), 1)

    await here.client.post(
        f"/v1/tournaments/{T}/rooms/name", json={"rooms": [{"name": "Malá sála, 1. poschodie", "tables": ["1", "2"]}]}
    )
    await here.publish(1, starts_at="2030-05-04T09:00:00+02:00")
    first = (await entries(here.client))["swiss.1"]
    assert (first.start, first.end - first.start) == (MORNING, timedelta(minutes=44)), "two clocks of 22 minutes"
    assert (str(first["summary"]), str(first["location"])) == (f"{NAME}, round 1", "Malá sála, 1. poschodie")
    assert (first["status"], first["sequence"]) == ("CONFIRMED", 2)
    tagged = await here.client.get(CALENDAR)
    unchanged = await here.client.get(CALENDAR, headers={"If-None-Match": tagged.headers["ETag"], "Authorization": ""})
    assert unchanged.status_code == HTTPStatus.NOT_MODIFIED

    await recall(here)
    assert (await entries(here.client))["swiss.1"]["status"] == "CANCELLED"
    await here.publish(1, starts_at="2030-05-04T10:30:00+02:00")
    again = (await entries(here.client))["swiss.1"]
    assert (again.start - first.start, again["sequence"]) == (timedelta(minutes=90), 4)
    assert again["uid"] == first["uid"]
    assert again["dtstamp"].dt >= first["dtstamp"].dt

    await here.hear("registration", TournamentCancelled(tournament=T))
    assert {str(entry["status"]) for entry in (await entries(here.client)).values()} == {"CANCELLED"}


async def test_a_round_that_is_published_on_an_earlier_day_stands_on_the_day_of_the_tournament(here: Hall) -> None:
    await announce(here, "2030-05-04")
    await here.publish(1)
    first = (await entries(here.client))["swiss.1"]
    assert (first.start, first["status"]) == (date(2030, 5, 4), "CONFIRMED")


@pytest.mark.parametrize("starts_on", ["2030-05-04", "2026-05-04"])
async def test_a_round_that_was_published_without_a_time_and_recalled_stays_as_cancelled(
    here: Hall, starts_on: str
) -> None:
    await announce(here, starts_on)
    await here.publish(1)
    published = (await entries(here.client))["swiss.1"]
    await recall(here)
    recalled = (await entries(here.client))["swiss.1"]
    assert (recalled["status"], recalled.start) == ("CANCELLED", published.start)
    assert recalled["sequence"] == published["sequence"] + 1


def test_a_line_is_broken_between_characters() -> None:
    line = "SUMMARY:" + "ž" * 100
    pieces = folded(line).removesuffix(b"\r\n").split(b"\r\n ")
    assert b"".join(pieces).decode() == line
    assert [len(piece.decode()) for piece in pieces] == [41, 37, 30]
