"""Until when entries are taken: what the rules say, as a moment."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import get_args
from zoneinfo import ZoneInfo

from shared.rulesets.entry import Deadline
from shared.rulesets.parts import Weekday
from shared.rulesets.schema import Ruleset

WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday.__value__)
DAY = timedelta(days=1)


def entries_close(ruleset: Ruleset, starts_on: date, zone: ZoneInfo) -> datetime | None:
    """From this moment on an entry is late."""
    return next((moment(limit, starts_on, zone) for limit in ruleset.entry.deadlines if limit.of == "entry"), None)


def moment(limit: Deadline, starts_on: date, zone: ZoneInfo) -> datetime:
    """A deadline is over at its time of its day, otherwise at the end of that day."""
    day = day_of(limit, starts_on)
    if limit.time is not None:
        return datetime.combine(day, time.fromisoformat(limit.time), zone).astimezone(UTC)
    return datetime.combine(day + DAY, time.min, zone).astimezone(UTC)


def day_of(limit: Deadline, starts_on: date) -> date:
    """It is never after the tournament begins: a week's Thursday is too late for what begins on its Wednesday."""
    if limit.date is not None:
        return date.fromisoformat(limit.date)
    if limit.weekday is not None:
        monday = starts_on - starts_on.weekday() * DAY
        return min(monday + WEEKDAYS.index(limit.weekday) * DAY, starts_on)
    if not limit.days_before:
        return starts_on
    if limit.working_days:
        return next(islice(working_days_before(starts_on), limit.days_before - 1, None))
    return starts_on - limit.days_before * DAY


def working_days_before(day: date) -> Iterator[date]:
    """The latest comes first. Holidays are not known here."""
    while True:
        day -= DAY
        if WEEKDAYS[day.weekday()] not in ("saturday", "sunday"):
            yield day


def as_stored(at: datetime) -> str:
    """It is in UTC and to the second, so that the earlier one of two is the smaller one."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def passed(ruleset: Ruleset, starts_on: date, zone: ZoneInfo, now: datetime) -> frozenset[str]:
    """The deadlines that are over, besides that of entries, which every tournament announces for itself."""
    return frozenset(
        limit.of for limit in ruleset.entry.deadlines if limit.of != "entry" and now >= moment(limit, starts_on, zone)
    )


def is_late_payment(ruleset: Ruleset, starts_on: date, paid_on: date) -> bool:
    """What counts is the day on which it was credited."""
    limits = [limit for limit in ruleset.entry.deadlines if limit.of == "payment" and limit.late == "refused"]
    return any(paid_on > day_of(limit, starts_on) for limit in limits)


def check_in_is_over(ruleset: Ruleset, starts_on: date, zone: ZoneInfo, now: datetime, postponed: int) -> bool:
    """The rules about presence say when, otherwise the time at which check-in closes. A postponed first round gives
    everybody that much more."""
    limit = next((limit for limit in ruleset.entry.deadlines if limit.of == "presence"), None)
    check_in = ruleset.entry.check_in
    if limit is not None:
        over = moment(limit, starts_on, zone)
    elif check_in is not None:
        over = datetime.combine(starts_on, time.fromisoformat(check_in.closes), zone)
    else:
        return False
    return now >= over.astimezone(UTC) + timedelta(minutes=postponed)
