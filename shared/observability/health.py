"""Whether a service is alive, whether it is ready, and its numbers.

Each check of `/readyz` is handed in by the service and answers in its own words: what `inbox` says of a neighbour, as that its log
was restored, stands in `shared/messaging/inbox.py`, and what `roundlog doctor` advises about each check in `deploy/examination.py`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from shared.log.store import EventStore
from shared.observability.metrics import CONTENT_TYPE, MetricReading, Metrics
from shared.refusals import Unavailable

type Check = Callable[[], Awaitable[object]]
type Alarms = Callable[[], Mapping[str, str]]
type Read = Callable[[], Awaitable[Sequence[MetricReading]]]

LOOKED_AFTER = frozenset({"/healthz", "/readyz", "/metrics"})  # by machines, whoever else is turned away
CHECK_PATIENCE = 2.0  # seconds


class Health(BaseModel):
    status: Literal["alive"] = "alive"


class Readiness(BaseModel):
    status: Literal["ready", "not ready"]
    checks: dict[str, str]  # `ok`, or what is wrong
    alarms: dict[str, str] = {}  # what somebody has to look at, though it is ready


def health(checks: Mapping[str, Check], metrics: Metrics, store: EventStore, read: Read, alarms: Alarms) -> APIRouter:
    """For machines, and so in no document: docs/operations.md tells of it."""
    router = APIRouter(include_in_schema=False)

    @router.get("/healthz", operation_id="getHealth")
    async def alive() -> Health:
        """Decides about a restart: it answers while the process serves, whatever else is missing."""
        return Health()

    @router.get("/readyz", operation_id="getReadiness")
    async def ready(response: Response) -> Readiness:
        """Decides about traffic. A service without its broker is not ready, and still reads and writes."""
        answers = await answers_of(checks)
        if all(answer == "ok" for answer in answers.values()):
            return Readiness(status="ready", checks=answers, alarms=dict(alarms()))
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
        return Readiness(status="not ready", checks=answers, alarms=dict(alarms()))

    @router.get("/metrics", operation_id="getMetrics", response_class=Response)
    async def numbers() -> Response:
        """Requests by operation and status, how long they took, how far the log goes, and which checks fail."""
        head, read_now, answers = await asyncio.gather(in_time(store.head), in_time(read), answers_of(checks))
        failing = [
            MetricReading(
                name="roundlog_check_failing",
                says="1 where this check of /readyz says what is wrong.",
                value=float(answer != "ok"),
                labels={"check": name},
            )
            for name, answer in answers.items()
        ]
        return Response(metrics.show(head, [*(read_now or ()), *failing]), headers={"Content-Type": CONTENT_TYPE})

    return router


async def answers_of(checks: Mapping[str, Check]) -> dict[str, str]:
    """All at once, since each may take its time."""
    return dict(zip(checks, await asyncio.gather(*map(passes, checks.values())), strict=True))


async def passes(check: Check) -> str:
    try:
        async with asyncio.timeout(CHECK_PATIENCE):
            await check()
    except (Unavailable, TimeoutError) as error:
        return str(error) or "no answer in time"
    return "ok"


async def in_time[Found](ask: Callable[[], Awaitable[Found]]) -> Found | None:
    try:
        async with asyncio.timeout(CHECK_PATIENCE):
            return await ask()
    except (Unavailable, TimeoutError):
        return None
