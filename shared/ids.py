"""The only place that makes ids. Those of things are UUIDs of version 7: unique anywhere, and in order of time.

Those of traces are random alone. So many are made, one or two for each request, that the system is asked for a block of them.
"""

import secrets
from collections.abc import Callable
from uuid import UUID

from uuid_utils import compat

type NewId = Callable[[], UUID]

BLOCK = 4096  # bytes
SALT = 32  # bytes


def new_id() -> UUID:
    return compat.uuid7()


class RandomBlock:
    def __init__(self) -> None:
        self._digits = ""
        self._used = 0

    def hex(self, size: int) -> str:
        """So many random bytes, as digits. None of them comes twice."""
        used = self._used + 2 * size
        if used > len(self._digits):
            self._digits, used = secrets.token_hex(BLOCK), 2 * size
        self._used = used
        return self._digits[used - 2 * size : used]


random_hex = RandomBlock().hex


def new_salt() -> bytes:
    """For a hash that nobody shall guess the value of."""
    return secrets.token_bytes(SALT)
