"""Until when entries are taken, as the rules of a federation say it."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from services.registration.eligibility.deadlines import as_stored, entries_close, is_late_payment
from shared.rulesets import catalogue
from shared.rulesets.entry import Deadline
from tests.rosters import rules

BRATISLAVA = ZoneInfo("Europe/Bratislava")
SATURDAY = date(2026, 11, 21)


def closing(limit: Deadline, starts_on: date = SATURDAY) -> str:
    closes = entries_close(rules(deadlines=(limit,)), starts_on, BRATISLAVA)
    assert closes is not None
    return as_stored(closes)


@pytest.mark.rule("SK.REG-2")
@pytest.mark.parametrize(
    ("starts_on", "closes"),
    [
        (SATURDAY, "2026-11-19T23:00:00Z"),  # winter: the end of Thursday there
        (date(2026, 7, 19), "2026-07-16T22:00:00Z"),  # a Sunday in summer
        (date(2026, 11, 18), "2026-11-18T23:00:00Z"),  # a Wednesday: Thursday would be too late
    ],
)
def test_entries_close_at_the_end_of_thursday_of_the_week(starts_on: date, closes: str) -> None:
    found = entries_close(catalogue.load("scrabble-sk-2022-qt"), starts_on, BRATISLAVA)
    assert found is not None
    assert as_stored(found) == closes


def test_a_deadline_is_a_date_a_number_of_days_or_a_time_of_the_day_itself() -> None:
    assert closing(Deadline(of="entry", date="2026-11-10")) == "2026-11-10T23:00:00Z"
    assert closing(Deadline(of="entry", date="2026-11-10", time="12:00")) == "2026-11-10T11:00:00Z"
    assert closing(Deadline(of="entry", days_before=7)) == "2026-11-14T23:00:00Z"
    assert closing(Deadline(of="entry", days_before=0)) == "2026-11-21T23:00:00Z"
    assert closing(Deadline(of="entry", time="09:30")) == "2026-11-21T08:30:00Z"


@pytest.mark.rule("SK.REG-12")
def test_two_working_days_before_a_weekend_is_thursday() -> None:
    limit = Deadline(of="entry", days_before=2, working_days=True)
    for starts_on in (SATURDAY, date(2026, 11, 22)):
        assert closing(limit, starts_on) == "2026-11-19T23:00:00Z"
    online = catalogue.load("scrabble-sk-2022-online")
    late = [is_late_payment(online, SATURDAY, date(2026, 11, day)) for day in (19, 20)]
    assert late == [False, True]


def test_rules_without_a_deadline_close_nothing() -> None:
    assert entries_close(rules(deadlines=()), SATURDAY, BRATISLAVA) is None
    assert entries_close(rules(deadlines=(Deadline(of="payment", days_before=2),)), SATURDAY, BRATISLAVA) is None


def test_stored_moments_are_in_order_as_texts() -> None:
    earlier, later = (datetime(2026, 1, 1, hour, tzinfo=UTC) for hour in (1, 22))
    assert as_stored(earlier) < as_stored(later)
