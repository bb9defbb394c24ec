"""The only place that reads the clock. Everybody else is handed the time."""

from collections.abc import Callable
from datetime import UTC, datetime

type Now = Callable[[], datetime]


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - this is the one place
