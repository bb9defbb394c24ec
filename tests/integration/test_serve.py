"""A service as a process: how it is told to stop, and what it says then."""

import signal
from pathlib import Path

import pytest

from tests.integration.serving import serving
from tests.patience import PATIENCE


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
async def test_a_service_that_is_asked_to_stop_ends_in_order_and_without_a_traceback(
    way: signal.Signals, database: str, tmp_path: Path
) -> None:
    log = tmp_path / "service.log"
    async with serving(database, log=log) as served:
        served.process.send_signal(way)
        assert served.process.wait(PATIENCE) in {0, -signal.SIGTERM}, log.read_text()
    said = log.read_text()
    assert "Application shutdown complete" in said
    assert "Traceback" not in said
    assert "KeyboardInterrupt" not in said
