"""Commands of an operator that are cut off, by the operator or by the server that they ask."""

import os
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.integration.launching import Platform, kill, until
from tests.patience import PATIENCE


@contextmanager
def rebuilding(platform: Platform) -> Generator[subprocess.Popen[str]]:
    """As soon as the first process that makes tables is there."""
    with subprocess.Popen(  # noqa: S603 - our own command
        platform.command("rebuild", "--processes=4"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=platform.environ(),
        start_new_session=True,
    ) as made:
        until(lambda: any("spawn_main" in " ".join(one.cmdline()) for one in psutil.Process(made.pid).children()))
        yield made


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("behind", [0.0, 0.1, 0.25])  # seconds, while the processes load their code
def test_ctrl_c_ends_a_rebuild_that_has_just_begun(platform: Platform, behind: float, times: int) -> None:
    with rebuilding(platform) as made:
        time.sleep(behind)
        for _ in range(times):  # as a terminal does it: everybody hears it
            os.killpg(made.pid, signal.SIGINT)
        _, wrong = made.communicate(timeout=PATIENCE)
    assert made.returncode in {1, -signal.SIGINT}
    assert "Traceback" not in wrong, wrong
    until(lambda: platform.run("rebuild").returncode == 0)  # nobody is left who makes tables


@contextmanager
def without_database(platform: Platform) -> Generator[None]:
    """PostgreSQL was killed, and nobody starts it again for as long as the block lasts."""
    launcher = psutil.Process(platform.pid("launcher"))
    launcher.suspend()
    try:
        kill(platform.pid("postgres"))
        yield
    finally:
        launcher.resume()
        until(platform.is_ready)


def test_whoever_asks_a_database_that_is_gone_reads_what_to_do(platform: Platform, tmp_path: Path) -> None:
    with without_database(platform):
        for command in (
            ("parked",),
            ("retry", "results", "cup", "--reason=other"),
            ("accept", "pairing", "registration", "--reason=other", "--yes"),
            ("restored", "results", "--note=the disk"),
            ("rebuild",),
            ("scrub",),
            ("export", "cup", f"--output={tmp_path / 'cup.zip'}"),
            ("export", "cup", "--file"),
            ("story", "cup"),
        ):
            said = platform.run(*command)
            assert said.returncode == 1, command
            assert "un this again once `roundlog status` shows that" in said.stderr, (command, said.stderr)
            assert "Errno" not in said.stderr
