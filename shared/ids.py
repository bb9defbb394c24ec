"""The only place that makes ids. They are UUIDs of version 7: unique anywhere, and in order of time."""

from collections.abc import Callable
from uuid import UUID

from uuid_utils import compat

type NewId = Callable[[], UUID]


def new_id() -> UUID:
    return compat.uuid7()
