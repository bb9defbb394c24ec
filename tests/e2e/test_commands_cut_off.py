"""Commands of an operator that are cut off, by the operator or by the server that they ask."""

import os
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager

import psutil
import pytest

from tests.integration.launching import Platform, until
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
