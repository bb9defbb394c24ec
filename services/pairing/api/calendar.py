"""The rounds of a tournament as a calendar that others subscribe to (RFC 5545, with the names of RFC 7986).

It names no person. Times are in UTC, which every calendar shows in the zone of whoever looks. An entry keeps its UID, and
its SEQUENCE counts how often it was told anew, so that a round that is moved moves wherever it is subscribed to.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from http import HTTPStatus
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace

from services.pairing.api.permissions import SEE
from services.pairing.tournaments import KnownTournament, Tournaments
from shared.access.asker import Asker
from shared.contracts.pairing import RoomsNamed, RoundPublished, RoundRecalled
from shared.contracts.registration import (
    TournamentAnnounced,
    TournamentCancelled,
    TournamentCompleted,
    TournamentReplanned,
)
from shared.contracts.standings import StageShortened
from shared.http.answer_cache import AnswerCache
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.parameters import TournamentId
from shared.http.problems import documented
from shared.http.responses import READ, Documented, tag_of
from shared.messaging.history import History, HistoryEvent
from shared.rulesets.stages import Stage
from shared.tournament.stages import settings_of
from shared.values import Value

CALENDAR = "text/calendar"
LINE = 75  # bytes, without its end
MOST_PLANNED = 100  # rounds of a stage
OFTEN = "PT15M"
SIDES = 2
EXAMPLE = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Roundlog//pairing//EN\r\nNAME:Košice Cup\r\nBEGIN:VEVENT\r\n"
    "UID:019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21.swiss.1@roundlog\r\nSEQUENCE:0\r\nDTSTAMP:20990504T064000Z\r\n"
    "DTSTART:20990504T070000Z\r\nSUMMARY:Košice Cup\\, round 1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
AS_CALENDAR: Documented = {
    HTTPStatus.OK.value: {
        "description": "The calendar.",
        "headers": READ[HTTPStatus.OK.value]["headers"],
        "content": {CALENDAR: {"schema": {"type": "string"}, "example": EXAMPLE}},
    }
}

type EntryStatus = Literal["TENTATIVE", "CONFIRMED", "CANCELLED"]


class CalendarEntry(Value):
    uid: str
    revisions: int
    revised: datetime
    starts: datetime | date  # a date: the whole day
    summary: str
    status: EntryStatus
    minutes: int | None = None
    location: str | None = None


class RoundInLog(Value):
    """What was told of a round last, and how often something was."""

    event: HistoryEvent
    published: RoundPublished
    published_at: datetime
    times: int
    is_recalled: bool


def routes(*, tournaments: Tournaments, deployment: str, door: Door, kept: AnswerCache) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["stages"])

    @router.get(
        "/calendar.ics",
        summary="The rounds of a tournament as a calendar",
        description="To be subscribed to: the first day, published rounds, and those that have a planned time.",
        operation_id="getCalendar",
        response_class=Response,
        responses=READ | AS_CALENDAR | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(kept)],
    )
    async def calendar(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(SEE))]) -> Response:
        history = await tournaments.announced(tournament_id, asker)
        known = await tournaments.of(tournament_id) if history.facts() is not None else None
        content = written(name_of(history), list(entries(history, known, tournament_id, deployment)))
        headers = {"ETag": tag_of(content), "Content-Disposition": f'inline; filename="{tournament_id}.ics"'}
        return Response(content, media_type=f"{CALENDAR}; charset=utf-8", headers=headers)

    return router


def name_of(history: History) -> str:
    return history.of(TournamentAnnounced, TournamentReplanned)[-1].name


def entries(
    history: History, known: KnownTournament | None, tournament: str, deployment: str
) -> Iterator[CalendarEntry]:
    plans = [
        event
        for event in history.events
        if isinstance(event.contract, TournamentAnnounced | TournamentReplanned | TournamentCancelled)
    ]
    plan = history.of(TournamentAnnounced, TournamentReplanned)[-1]
    is_cancelled = bool(history.of(TournamentCancelled))
    yield CalendarEntry(
        uid=f"{tournament}@{deployment}",
        revisions=len(plans) - 1,
        revised=plans[-1].at,
        starts=date.fromisoformat(plan.starts_on),
        summary=plan.name,
        status="CANCELLED" if is_cancelled else "CONFIRMED",
    )
    if known is None:
        return
    begins = datetime.combine(date.fromisoformat(plan.starts_on), time.min, ZoneInfo(known.time_zone))
    rooms = ", ".join(dict.fromkeys(room for room, _ in known.tables().values()))
    completed = [event for event in history.events if isinstance(event.contract, TournamentCompleted)]
    for stage in known.facts.ruleset.stages:
        told = rounds_told(history, stage.id)
        moved = [*plans, *(event for event in history.events if is_about_rounds(event.contract, stage.id))]
        for number in range(1, max([*told, planned_rounds(known, stage)]) + 1):
            one = told.get(number)
            stands = one is not None and not one.is_recalled
            planned = None if completed and not stands else known.planned_start(stage.id, number)
            starts = start_of(one, planned, begins)
            if starts is None:
                continue
            standing = standing_of(one, planned)
            anew = [*moved, *(completed if one and one.is_recalled else ())]
            yield CalendarEntry(
                uid=f"{tournament}.{stage.id}.{number}@{deployment}",
                revisions=len(anew) - 1 + (one.times if one else 0),
                revised=max(event.at for event in [*anew, *([one.event] if one else [])]),
                starts=starts,
                summary=f"{plan.name}, {in_words(known, stage, number)}",
                status="CANCELLED" if is_cancelled else standing,
                minutes=minutes_of(known, stage.id),
                location=rooms or None,
            )


def is_about_rounds(told: object, stage: str) -> bool:
    """Whether it says of the rounds of a stage where they are played, or when they are planned."""
    return isinstance(told, RoomsNamed) or (isinstance(told, StageShortened) and told.stage == stage)


def rounds_told(history: History, stage: str) -> dict[int, RoundInLog]:
    found: dict[int, RoundInLog] = {}
    for event in history.events:
        told = event.contract
        if not isinstance(told, RoundPublished | RoundRecalled) or told.stage != stage:
            continue
        before = found.get(told.round)
        times = before.times + 1 if before else 1
        if isinstance(told, RoundPublished):
            found[told.round] = RoundInLog(
                event=event, published=told, published_at=event.at, times=times, is_recalled=False
            )
        elif before is not None:
            found[told.round] = replace(before, event=event, times=times, is_recalled=True)
    return found


def planned_rounds(known: KnownTournament, stage: Stage) -> int:
    return min(settings_of(known.facts, stage.id).rounds or len(stage.timetable), MOST_PLANNED)


def start_of(told: RoundInLog | None, planned: datetime | None, begins: datetime) -> datetime | date | None:
    """A round that was recalled begins when it was planned, or would have begun. One that was published without a time begins
    at once, but not before it is planned or on a day before the tournament."""
    if told is None or (told.is_recalled and planned is not None):
        return planned
    if told.published.starts_at is not None:
        return datetime.fromisoformat(told.published.starts_at)
    if told.published_at < begins:
        return planned or begins.date()
    return max(told.published_at, planned) if planned else told.published_at


def standing_of(told: RoundInLog | None, planned: datetime | None) -> EntryStatus:
    if told is None:
        return "TENTATIVE"
    if told.is_recalled:
        return "TENTATIVE" if planned is not None else "CANCELLED"
    return "CONFIRMED"


def in_words(known: KnownTournament, stage: Stage, number: int) -> str:
    several = len(known.facts.ruleset.stages) > 1
    return f"{stage.title}, round {number}" if several else f"round {number}"


def minutes_of(known: KnownTournament, stage: str) -> int | None:
    """How long a round takes where the rules say it, by a limit or by the clocks of both sides."""
    settings = settings_of(known.facts, stage)
    if settings.results.limit is not None:
        return settings.results.limit
    minutes = settings.results.minutes
    return None if minutes is None or settings.contest.levels else int(SIDES * minutes)


# As it is written


def written(name: str, several: list[CalendarEntry]) -> bytes:
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Roundlog//pairing//EN",
        f"NAME:{escaped(name)}",
        f"X-WR-CALNAME:{escaped(name)}",
        f"REFRESH-INTERVAL;VALUE=DURATION:{OFTEN}",
        f"X-PUBLISHED-TTL:{OFTEN}",
        *(line for entry in several for line in entry_lines(entry)),
        "END:VCALENDAR",
    ]
    return b"".join(map(folded, lines))


def entry_lines(entry: CalendarEntry) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{entry.uid}"
    yield f"SEQUENCE:{entry.revisions}"
    yield f"DTSTAMP:{in_utc(entry.revised)}"
    yield f"LAST-MODIFIED:{in_utc(entry.revised)}"
    if isinstance(entry.starts, datetime):
        yield f"DTSTART:{in_utc(entry.starts)}"
        if entry.minutes:
            yield f"DURATION:PT{entry.minutes}M"
    else:
        yield f"DTSTART;VALUE=DATE:{entry.starts:%Y%m%d}"
        yield f"DTEND;VALUE=DATE:{entry.starts + timedelta(days=1):%Y%m%d}"
        yield "TRANSP:TRANSPARENT"
    yield f"SUMMARY:{escaped(entry.summary)}"
    if entry.location is not None:
        yield f"LOCATION:{escaped(entry.location)}"
    yield f"STATUS:{entry.status}"
    yield "END:VEVENT"


def in_utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def escaped(text: str) -> str:
    """RFC 5545, 3.3.11. Other signs that control something have no place in a calendar."""
    for sign, instead in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\r\n", "\n"), ("\n", "\\n")):
        text = text.replace(sign, instead)
    return "".join(sign for sign in text if sign >= " " and sign != "\x7f")


def folded(line: str) -> bytes:
    """RFC 5545, 3.1: lines of 75 bytes, broken between characters, and each next one behind a space."""
    pieces: list[bytes] = [b""]
    for sign in line:
        encoded = sign.encode()
        if len(pieces[-1]) + len(encoded) > LINE:
            pieces.append(b" ")
        pieces[-1] += encoded
    return b"\r\n".join(pieces) + b"\r\n"
