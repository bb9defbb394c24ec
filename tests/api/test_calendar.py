"""The calendar of a tournament, as another program reads it."""

from collections.abc import AsyncGenerator
from datetime import UTC, date, datetime, timedelta
from http import HTTPStatus
from typing import Any

import httpx
import msgspec
import pytest
from icalendar import Calendar

from services.pairing.api.calendar import folded
from shared.contracts.registration import (
    OfficialAppointed,
    RegistrationOpened,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentCompleted,
    TournamentReplanned,
)
from shared.contracts.results import RecallAccepted
from shared.contracts.standings import StageShortened
from tests.api.asking import Client, issuer, problem
from tests.api.hall import Hall, T, hall
from tests.api.signing import OPERATOR, signed_by
from tests.told import done, tell

CALENDAR = f"/v1/tournaments/{T}/calendar.ics"
NAME = 'Košice Cup; hala \\ "U Šťastného koňa", druhý ročník medzinárodného turnaja v Scrabble'
MORNING = datetime(2099, 5, 4, 7, tzinfo=UTC)


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
    assert "method" not in calendar, (
        "it would ask for an organiser, for itself in the media type, and for another DTSTAMP"
    )
    return {str(entry["uid"]).removeprefix(f"{T}.").removesuffix("@roundlog"): entry for entry in calendar.events}


def announced(starts_on: str, tournament: str = T) -> TournamentAnnounced:
    return TournamentAnnounced(
        tournament=tournament,
        federation="sss",
        name=NAME,
        ruleset="scrabble-sk-2022-qt",
        time_zone="Europe/Bratislava",
        starts_on=starts_on,
    )


async def announce(here: Hall, starts_on: str) -> None:
    await here.hear("registration", announced(starts_on))


async def recall(here: Hall) -> None:
    await here.done(1, "recall", reason={"code": "other", "words": "The hall is closed."})
    asking = next(line for line in (await here.log()).splitlines() if '"RecallAsked"' in line)
    asked = asking.split('"recall":"')[1].split('"')[0]
    await here.hear("results", RecallAccepted(tournament=T, stage="swiss", round=1, recall=asked))


async def name_room(here: Hall, name: str) -> None:
    rooms = [{"name": name, "tables": ["1", "2"]}]
    answer = await here.client.post(f"/v1/tournaments/{T}/rooms/name", json={"rooms": rooms})
    assert answer.status_code == HTTPStatus.OK, answer.text


async def test_a_calendar_follows_what_is_announced_published_recalled_and_cancelled(
    here: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem(await here.client.get(CALENDAR), HTTPStatus.NOT_FOUND, "not-announced")
    await announce(here, "2099-05-03")
    day = (await entries(here.client))[T]
    assert (day.start, day.end, str(day["summary"])) == (date(2099, 5, 3), date(2099, 5, 4), NAME)
    assert day["sequence"] == 0

    await here.hear("registration", TournamentReplanned(tournament=T, name=NAME, starts_on="2099-05-04"))
    assert ((await entries(here.client))[T].start, (await entries(here.client))[T]["sequence"]) == (date(2099, 5, 4), 1)

    await name_room(here, "Malá sála, 1. poschodie")
    await here.publish(1, starts_at="2099-05-04T09:00:00+02:00")
    first = (await entries(here.client))["swiss.1"]
    assert (first.start, first.end - first.start) == (MORNING, timedelta(minutes=44)), "two clocks of 22 minutes"
    assert (str(first["summary"]), str(first["location"])) == (f"{NAME}, round 1", "Malá sála, 1. poschodie")
    assert (first["status"], first["sequence"]) == ("CONFIRMED", 3)
    tagged = await here.client.get(CALENDAR)
    unchanged = await here.client.get(CALENDAR, headers={"If-None-Match": tagged.headers["ETag"], "Authorization": ""})
    assert unchanged.status_code == HTTPStatus.NOT_MODIFIED
    with monkeypatch.context() as later:
        later.setattr("services.pairing.api.calendar.OFTEN", "PT20M")  # as another version could write it
        anew = await here.client.get(CALENDAR, headers={"If-None-Match": tagged.headers["ETag"]})
        assert anew.status_code == HTTPStatus.OK

    await recall(here)
    assert (await entries(here.client))["swiss.1"]["status"] == "CANCELLED"
    await here.publish(1, starts_at="2099-05-04T10:30:00+02:00")
    again = (await entries(here.client))["swiss.1"]
    assert (again.start - first.start, again["sequence"]) == (timedelta(minutes=90), 5)
    assert again["uid"] == first["uid"]
    assert again["dtstamp"].dt >= first["dtstamp"].dt

    await here.hear("registration", TournamentCancelled(tournament=T))
    assert {str(entry["status"]) for entry in (await entries(here.client)).values()} == {"CANCELLED"}


@pytest.mark.parametrize("what", ["calendar.ics", "rooms"])
@pytest.mark.parametrize("is_opened", [True, False])
async def test_the_calendar_and_the_rooms_of_a_draft_are_for_officials_until_registration_is_opened(
    here: Hall, *, is_opened: bool, what: str
) -> None:
    """As the tournament itself, which is unknown to everybody else for ever if it is cancelled before."""

    async def asked(by: str | None) -> httpx.Response:
        headers = signed_by(issuer().token(by)) if by else {"Authorization": ""}
        return await here.client.get(f"/v1/tournaments/draft/{what}", headers=headers)

    async def hear(*events: msgspec.Struct) -> None:
        await tell(here.database, "registration", "draft", *events)
        await done(here.database)

    appointed = OfficialAppointed(scope="draft", subject="dora", role="director")
    await hear(announced("2099-05-04", "draft"), appointed)
    unknown = problem(await here.client.get(f"/v1/tournaments/nowhere/{what}"), HTTPStatus.NOT_FOUND, "not-announced")
    for somebody in (None, "mallory"):
        assert problem(await asked(somebody), HTTPStatus.NOT_FOUND, "not-announced").detail == unknown.detail
    for official in ("dora", OPERATOR):
        assert (await asked(official)).status_code == HTTPStatus.OK
    if is_opened:
        await hear(RegistrationOpened(tournament="draft"))
    await hear(TournamentCancelled(tournament="draft"))
    for somebody in (None, "mallory"):
        assert (await asked(somebody)).status_code == (HTTPStatus.OK if is_opened else HTTPStatus.NOT_FOUND)


async def test_a_round_that_is_published_on_an_earlier_day_stands_on_the_day_of_the_tournament(here: Hall) -> None:
    await announce(here, "2099-05-04")
    await here.publish(1)
    first = (await entries(here.client))["swiss.1"]
    assert (first.start, first["status"]) == (date(2099, 5, 4), "CONFIRMED")


@pytest.mark.parametrize("starts_on", ["2099-05-04", "2026-05-04"])
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


@pytest.fixture
async def timed(database: str) -> AsyncGenerator[Hall]:
    """Three of its rounds are planned, and the first of them is published."""
    planned = [{"day": 1, "time": f"{8 + number:02}:00", "stage": "swiss", "round": number} for number in (1, 2, 3)]
    async with hall(database, options={"pairing.timetable": planned}) as here:
        await announce(here, "2099-05-04")
        await here.publish(1)
        yield here


async def test_whatever_changes_an_entry_tells_it_anew(timed: Hall) -> None:
    before = await entries(timed.client)
    await name_room(timed, "Malá sála")
    await name_room(timed, "Veľká sála")
    renamed = await entries(timed.client)
    for name in ("swiss.1", "swiss.2"):
        assert str(renamed[name]["location"]) == "Veľká sála"
        assert renamed[name]["sequence"] == before[name]["sequence"] + 2
        assert renamed[name]["dtstamp"].dt >= before[name]["dtstamp"].dt
    assert renamed[T]["sequence"] == before[T]["sequence"], "the day as such has no place"

    await timed.hear("standings", StageShortened(tournament=T, stage="swiss", rounds=2))
    shortened = await entries(timed.client)
    assert shortened["swiss.1"]["sequence"] == renamed["swiss.1"]["sequence"] + 1
    await recall(timed)
    recalled = (await entries(timed.client))["swiss.1"]
    await timed.hear("registration", TournamentCompleted(tournament=T))
    over = (await entries(timed.client))["swiss.1"]
    assert (recalled["status"], over["status"]) == ("TENTATIVE", "CANCELLED")
    assert over["sequence"] == recalled["sequence"] + 1


async def test_a_round_stays_where_it_was_once_the_tournament_is_completed(timed: Hall) -> None:
    first = (await entries(timed.client))["swiss.1"]
    assert first.start == MORNING
    await timed.hear("registration", TournamentCompleted(tournament=T))
    completed = await entries(timed.client)
    assert completed["swiss.1"] == first
    assert [*completed] == [T, "swiss.1"], "what was planned and never published did not take place"


async def test_of_a_tournament_that_is_cancelled_all_is_what_was_planned_too(timed: Hall) -> None:
    before = await entries(timed.client)
    await timed.hear("registration", TournamentCancelled(tournament=T))
    cancelled = await entries(timed.client)
    assert [*cancelled] == [*before] == [T, "swiss.1", "swiss.2", "swiss.3"]
    assert {str(entry["status"]) for entry in cancelled.values()} == {"CANCELLED"}
    assert [one.start for one in cancelled.values()] == [one.start for one in before.values()]


def test_a_line_is_broken_between_characters() -> None:
    line = "SUMMARY:" + "ž" * 100
    pieces = folded(line).removesuffix(b"\r\n").split(b"\r\n ")
    assert b"".join(pieces).decode() == line
    assert [len(piece.decode()) for piece in pieces] == [41, 37, 30]
