"""When the time for complaints about a result ends."""

from datetime import UTC, datetime, timedelta

import pytest

from services.results.api.rulings.routes import complaints_until

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
EARLIER, LATER = NOON - timedelta(minutes=5), NOON + timedelta(minutes=5)
TEN = timedelta(minutes=10)


@pytest.mark.rule("SK.RES-11")
@pytest.mark.parametrize(
    ("became_final", "next_round", "limit", "until"),
    [
        (EARLIER, NOON, None, NOON),
        (EARLIER, None, None, None),
        (EARLIER, None, NOON, NOON + TEN),
        (NOON + TEN, None, NOON, NOON + TEN),
        (LATER, NOON, None, LATER + TEN),
        (LATER + TEN, None, NOON, LATER + TEN + TEN),
    ],
    ids=[
        "before the next round",
        "nothing planned",
        "the last round",
        "just in time",
        "late",
        "late in the last round",
    ],
)
def test_complaints_end_with_the_next_round_or_some_minutes_after_the_last_one(
    became_final: datetime, next_round: datetime | None, limit: datetime | None, until: datetime | None
) -> None:
    assert complaints_until(became_final=became_final, next_round=next_round, limit=limit, minutes=10) == until


def test_where_the_rules_give_no_minutes_a_late_result_is_not_complained_about() -> None:
    assert complaints_until(became_final=LATER, next_round=NOON, limit=None, minutes=None) == LATER
    assert complaints_until(became_final=EARLIER, next_round=None, limit=NOON, minutes=None) is None
