"""A service as a process: how it is told to stop, and what it says then."""

import asyncio
import signal
from http import HTTPStatus
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from deploy.web_server import LastAnswer
from tests.integration.serving import serving
from tests.patience import PATIENCE


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
async def test_a_service_that_is_asked_to_stop_ends_in_order_and_without_a_traceback(
    way: signal.Signals, database: str, tmp_path: Path
) -> None:
    log = tmp_path / "service.log"
    async with serving(database, log=log, alone=True) as served:
        served.process.send_signal(way)
        assert served.process.wait(PATIENCE) in {0, -signal.SIGTERM}, log.read_text()
    said = log.read_text()
    assert "Application shutdown complete" in said
    assert "Traceback" not in said
    assert "KeyboardInterrupt" not in said


async def test_who_waits_longer_than_a_stopping_service_has_time_is_told_to_come_again() -> None:
    sent: list[Message] = []
    begun = asyncio.Event()

    async def endless(_scope: Scope, _receive: Receive, _send: Send) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    asking = asyncio.create_task(LastAnswer(endless)({"type": "http", "headers": []}, receive, send))
    await begun.wait()
    asking.cancel()
    await asking
    assert sent[0]["status"] == HTTPStatus.SERVICE_UNAVAILABLE
    assert b"retry-after" in dict(sent[0]["headers"])
    assert b"same Idempotency-Key" in sent[1]["body"]
