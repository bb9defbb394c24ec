"""The process that services are forked from, with a clock that somebody else may set: eight bytes of a file say by how much."""

import mmap
import os
import struct
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import override

import jwt.api_jwt
from msgspec.structs import replace

from deploy import fork_server
from deploy.local.forks import ForkServer
from deploy.local.processes import Program
from shared import clock

FILE = "CLOCK_OF_TESTS"
SECONDS = struct.Struct("d")


class SteppedForks(ForkServer):
    """Forks services whose clock is wrong by as much as the file says."""

    def __init__(self, log: Path, clock: Path) -> None:
        super().__init__(log, ())
        self._clock = clock
        step(clock, 0)

    @override
    def _program(self, orders: int) -> Program:
        program = super()._program(orders)
        instead = {"deploy.fork_server": "tests.faults.stepped"}
        return replace(
            program,
            command=tuple(instead.get(word, word) for word in program.command),
            environment={**program.environment, FILE: str(self._clock)},
        )


def step(clock: Path, seconds: float) -> None:
    """All copies of all services see it at the same moment, as when somebody sets the clock of their machine."""
    with clock.open("r+b" if clock.exists() else "wb") as file:
        file.write(SECONDS.pack(seconds))


def main() -> None:
    """Before anybody has imported the clock."""
    with Path(os.environ[FILE]).open("rb") as file:
        shown = mmap.mmap(file.fileno(), SECONDS.size, access=mmap.ACCESS_READ)

    class SteppedDatetime(datetime):
        @override
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # pyrefly: ignore[bad-override]
            right = datetime.now(tz)  # noqa: TID251 - this stands in for the one place
            return right + timedelta(seconds=SECONDS.unpack(shown[:])[0])

    clock.now = lambda: SteppedDatetime.now(UTC)
    jwt.api_jwt.datetime = SteppedDatetime  # it reads a clock of its own
    fork_server.main()


if __name__ == "__main__":
    main()
