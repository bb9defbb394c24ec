"""One JSON object a line on standard output, with the trace of the request that it belongs to.

Whoever logs names facts, never tokens, bodies or what is known of a person. What anybody can make a service say, without
being somebody, it says seldom, and no line is long: otherwise a stranger fills the disk.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import override

import msgspec

from shared.clock import now
from shared.observability.tracing import CURRENT

# Without `uvicorn.access`: the server writes a line for each request as soon as that logger has somewhere to write to.
OF_THE_SERVER = ("uvicorn", "uvicorn.error")
LONGEST = 2_000  # characters of a sentence
LONGEST_TRACEBACK = 20_000
SELDOM = 10.0  # seconds between two lines that anybody can provoke


class LogLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    at: datetime
    level: str
    service: str
    logger: str
    said: str
    trace: str | None = None
    facts: Mapping[str, object] | None = None
    exception: str | None = None


class OneObjectALine(logging.Formatter):
    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    @override
    def format(self, record: logging.LogRecord) -> str:
        line = LogLine(
            at=datetime.fromtimestamp(record.created, UTC),
            level=record.levelname.lower(),
            service=self._service,
            logger=record.name,
            said=record.getMessage()[:LONGEST],
            trace=CURRENT.get(),
            facts=getattr(record, "facts", None),
            exception=self.formatException(record.exc_info)[-LONGEST_TRACEBACK:] if record.exc_info else None,
        )
        return msgspec.json.encode(line).decode()


class OftenSaid:
    """Lines that every request may cause: made without the records of `logging`, which take longer than most of an answer,
    and written together at the end of a turn of the loop. Whether a level is wanted, the logger still says."""

    def __init__(self, service: str, logger: logging.Logger) -> None:
        self._service = service
        self._logger = logger
        self._waiting: list[bytes] = []

    def say(self, level: int, said: str, facts: Mapping[str, object]) -> None:
        if not self._logger.isEnabledFor(level):
            return
        line = LogLine(
            at=now(),
            level=logging.getLevelName(level).lower(),
            service=self._service,
            logger=self._logger.name,
            said=said,
            trace=CURRENT.get(),
            facts=facts,
        )
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._write)
        self._waiting.append(msgspec.json.encode(line))

    def _write(self) -> None:
        lines, self._waiting = self._waiting, []
        sys.stdout.write(b"\n".join((*lines, b"")).decode())
        sys.stdout.flush()


class Seldom(logging.Filter):
    """Lets a sentence through once in a while, with the number of those that it kept back. Errors are never kept back."""

    def __init__(self) -> None:
        super().__init__()
        self._kept_back: dict[object, tuple[float, int]] = {}  # by the sentence as it stands in the code

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno >= logging.ERROR:
            return True
        now = time.monotonic()
        due, kept_back = self._kept_back.get(record.msg, (now, 0))
        if now < due:
            self._kept_back[record.msg] = due, kept_back + 1
            return False
        self._kept_back[record.msg] = now + SELDOM, 0
        if kept_back:
            record.facts = {**getattr(record, "facts", {}), "kept_back": kept_back}
        return True


SAID_SELDOM = Seldom()


def to_standard_output(service: str, level: str) -> None:
    """For the whole process, the web server included."""
    # No line says them, and finding them out takes longer than all the rest of it.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.logAsyncioTasks = False  # pyright: ignore[reportAttributeAccessIssue] - typeshed lacks it
    logging._srcfile = None  # noqa: SLF001 # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue] - as its documentation says
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(OneObjectALine(service))
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in OF_THE_SERVER:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    logging.getLogger("uvicorn.error").addFilter(SAID_SELDOM)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it says each request with its whole URL
