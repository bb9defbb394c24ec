"""One JSON object a line on standard output, with the trace of the request that it belongs to.

Whoever logs names facts, never tokens, bodies or what is known of a person.
"""

import logging
import sys
from datetime import UTC, datetime

import msgspec

from shared.correlation import CURRENT

OF_THE_SERVER = ("uvicorn", "uvicorn.error", "uvicorn.access")


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    at: datetime
    level: str
    service: str
    logger: str
    said: str
    trace: str | None = None
    facts: dict[str, object] | None = None
    exception: str | None = None


class OneObjectALine(logging.Formatter):
    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    def format(self, record: logging.LogRecord) -> str:
        line = Line(
            at=datetime.fromtimestamp(record.created, UTC),
            level=record.levelname.lower(),
            service=self._service,
            logger=record.name,
            said=record.getMessage(),
            trace=CURRENT.get(),
            facts=getattr(record, "facts", None),
            exception=self.formatException(record.exc_info) if record.exc_info else None,
        )
        return msgspec.json.encode(line).decode()


def to_standard_output(service: str, level: str) -> None:
    """For the whole process, the web server included."""
    # No line says them, and finding them out takes longer than all the rest of it.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.logAsyncioTasks = False  # pyright: ignore[reportAttributeAccessIssue] - typeshed lacks it
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(OneObjectALine(service))
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in OF_THE_SERVER:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it says each request with its whole URL
