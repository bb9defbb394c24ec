"""A service as a process: how it is told to stop, and what it says then."""

import asyncio
import os
import signal
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from deploy.web_server import LastAnswer
from shared.settings import ServiceSettings, WrongSettings
from tests.integration.serving import serving
from tests.patience import PATIENCE


@pytest.mark.parametrize("variable", ["ROUNDLOG_CAPTAIN_KEY", "ROUNDLOG_WITNESSES", "ROUNDLOG_DATABASE_PASSWORD_FILE"])
def test_a_file_that_cannot_be_used_is_told_in_a_sentence(variable: str, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"\xffnonsense")
    told = {"ROUNDLOG_DATABASE_URL": "postgresql://nobody@localhost/nothing", "ROUNDLOG_NATS_URL": "nats://localhost"}
    told |= {"ROUNDLOG_SIGNING": f"{tmp_path / 'signing'}", variable: f"{damaged}"}
    command = [sys.executable, "-m", "deploy.serve", "registration", "--port=0"]
    served = subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ | told)  # noqa: S603 - our own
    assert (served.returncode, len(served.stderr.splitlines())) == (1, 1), served.stderr
    assert f"{damaged}" in served.stderr


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


def test_settings_that_cannot_be_used_are_named_as_they_are_set_and_never_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ROUNDLOG_DATABASE_URL", "mysql://results:secret@127.0.0.1/results")
    monkeypatch.setenv("ROUNDLOG_RATE", "secret")
    monkeypatch.delenv("ROUNDLOG_NATS_URL", raising=False)
    with pytest.raises(WrongSettings) as refused:
        ServiceSettings.from_environment()
    names = [line.partition(":")[0] for line in str(refused.value).splitlines()[1:]]
    assert names == ["ROUNDLOG_DATABASE_URL", "ROUNDLOG_NATS_URL", "ROUNDLOG_RATE"]
    assert "secret" not in str(refused.value)
    assert refused.value.__cause__ is refused.value.__context__ is None


@pytest.mark.parametrize("said", ["example.org", "https://example.org/", "https://Example.org", "https://a.example, b"])
def test_an_origin_that_no_browser_says_is_refused_and_not_waited_for(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROUNDLOG_DATABASE_URL", "postgresql://nobody@localhost/nothing")
    monkeypatch.setenv("ROUNDLOG_NATS_URL", "nats://localhost")
    monkeypatch.setenv("ROUNDLOG_ORIGINS", said)
    with pytest.raises(WrongSettings, match=r"ROUNDLOG_ORIGINS: .*such as https://example.org"):
        ServiceSettings.from_environment()
    monkeypatch.setenv("ROUNDLOG_ORIGINS", "http://localhost:5173 https://example.org,https://[::1]:8000")
    assert len(ServiceSettings.from_environment().origins) == 3
