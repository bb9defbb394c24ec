"""Every way in which a launcher may be told to stop, or lose what it was started from."""

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from deploy.local import state
from deploy.local.folder import Folder
from tests.integration.launching import Platform, free_base, kill, until
from tests.patience import PATIENCE
from tests.prepared import copy_prepared

MOMENTS = (0.0, 0.01, 0.3, 0.6)  # seconds into a start


@pytest.fixture
def new_platform(tmp_path: Path) -> Generator[Platform]:
    platform = Platform(folder=Folder(path=tmp_path / "data"), base_port=free_base())
    yield platform
    platform.clear()


@pytest.fixture
def platform(new_platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> Platform:
    """That its databases are made in its first start is not asked here."""
    copy_prepared(tmp_path_factory, new_platform.folder)
    return new_platform


def servers_run(platform: Platform) -> bool:
    """Early enough to stop it in the middle of its start, late enough to have something to stop."""
    known = state.read(platform.folder.state)
    return known is not None and {"registration", "postgres", "nats"} <= {process.name for process in known.processes}


def has_begun(platform: Platform, launcher: int) -> bool:
    """This one, and not the one before it."""
    known = state.read(platform.folder.state)
    return known is not None and known.launcher.pid == launcher


class Terminal:
    """A terminal with the launcher as its foreground program."""

    def __init__(self, platform: Platform) -> None:
        self.pid, self._screen = pty.fork()
        if self.pid == 0:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            command = platform.command("up", f"--base-port={platform.base_port}")
            os.execve(sys.executable, command, platform.environ())  # noqa: S606 - ours

    def press(self, key: bytes) -> None:
        os.write(self._screen, key)

    def close(self) -> None:
        os.close(self._screen)

    def exit_code(self, while_waiting: Callable[[], object] = lambda: None) -> tuple[int, str]:
        text = b""
        with suppress(OSError):  # a terminal ends with an error when its last program has ended
            while chunk := os.read(self._screen, 4096):
                text += chunk
                while_waiting()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]), text.decode()


def test_ctrl_c_stops_everything_in_order(platform: Platform) -> None:
    terminal = Terminal(platform)
    until(lambda: servers_run(platform))
    terminal.press(b"\x03")
    code, screen = terminal.exit_code()
    assert code == 0
    assert "Stopping: Ctrl-C." in screen
    assert "Traceback" not in screen
    assert platform.left() == []
    assert "database system is shut down" in platform.folder.log("postgres").read_text()


def test_a_second_ctrl_c_stops_at_once(platform: Platform) -> None:
    terminal = Terminal(platform)
    until(lambda: servers_run(platform))
    os.kill(platform.pid("nats"), signal.SIGSTOP)
    terminal.press(b"\x03")
    terminal.press(b"\x03")
    code, screen = terminal.exit_code()
    assert code == 0, screen
    assert platform.left() == []


def test_a_closed_terminal_stops_everything(platform: Platform) -> None:
    terminal = Terminal(platform)
    until(lambda: servers_run(platform))
    terminal.close()
    os.waitpid(terminal.pid, 0)
    assert platform.left() == []
    log = platform.folder.log("launcher").read_text()
    assert "Stopping: the terminal was closed." in log
    assert "Stopped after" in log


@contextmanager
def started_by_another(platform: Platform, *before: str, own_session: bool = False) -> Generator[int]:
    """Some program starts the launcher, and waits for it; answers that program's process."""
    command = [*before, *platform.command("up", f"--base-port={platform.base_port}")]
    as_usual = "signal.signal(signal.SIGHUP, signal.SIG_DFL)"  # however these tests were started
    program = f"import signal, subprocess; {as_usual}; subprocess.run({command!r}, start_new_session={own_session})"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.DEVNULL, env=platform.environ()) as parent:  # noqa: S603 - ours
        try:
            until(lambda: servers_run(platform))
            yield parent.pid
        finally:
            parent.kill()


def test_it_stops_when_the_program_that_started_it_ends(platform: Platform) -> None:
    with started_by_another(platform) as parent:
        kill(parent)
        until(platform.is_gone)
    assert "the program that started it has ended" in platform.folder.log("launcher").read_text()


@pytest.mark.parametrize("way", ["nohup", "setsid"])
def test_it_lives_on_when_it_was_told_to(platform: Platform, way: str) -> None:
    with started_by_another(platform, *(["nohup"] if way == "nohup" else []), own_session=way == "setsid") as parent:
        launcher = platform.pid("launcher")
        kill(parent)
        if way == "nohup":
            os.kill(launcher, signal.SIGHUP)
        time.sleep(1.2)  # twice as long as it takes to notice
        assert servers_run(platform)
        assert platform.run("down").returncode == 0
    assert platform.left() == []


def test_a_launcher_killed_again_and_again_in_its_first_start_does_no_damage(new_platform: Platform) -> None:
    for moment in MOMENTS:
        with new_platform.launcher() as launcher:
            until(lambda: has_begun(new_platform, launcher.pid))
            time.sleep(moment)
            launcher.kill()
            until(new_platform.is_gone)
    with new_platform.launcher() as launcher:
        until(lambda: servers_run(new_platform))
        launcher.terminate()
        assert launcher.wait(PATIENCE) == 0
    assert "Stopping: asked to by SIGTERM." in new_platform.folder.log("launcher").read_text()


def test_it_can_be_stopped_at_any_moment_of_its_first_start(new_platform: Platform) -> None:
    for moment in MOMENTS:
        with new_platform.launcher() as launcher:
            until(lambda: has_begun(new_platform, launcher.pid))
            time.sleep(moment)
            launcher.terminate()
            assert launcher.wait(PATIENCE) == 0
            assert new_platform.left() == []
