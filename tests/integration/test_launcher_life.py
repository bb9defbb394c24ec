"""One platform from its first start to its deletion."""

import os
import signal
import socket
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest
from msgspec.structs import replace

from deploy import SERVICES
from deploy.local import folder as folders
from deploy.local import ports
from deploy.local.folder import Folder
from deploy.local.ports import any_free
from deploy.tokens import CAPTAINS
from tests.integration.launching import Platform, free_base, kill, until
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Generator[Platform]:
    platform = Platform(folder=Folder(path=tmp_path_factory.mktemp("platform") / "data"), base_port=free_base())
    started = platform.up("--detach")
    try:
        assert started.returncode == 0, started.stdout
        assert f"Roundlog is ready at {platform.url('proxy')}." in started.stdout
        assert f"{platform.url('proxy')}/registration/docs" in started.stdout
        assert str(platform.folder.path) in started.stdout
        yield platform
    finally:
        platform.clear()


def test_everything_is_ready_and_shown(platform: Platform) -> None:
    shown = platform.run("status")
    assert shown.returncode == 0
    assert platform.url("standings") in shown.stdout
    found = platform.status()
    assert found.phase == "ready"
    assert {process.name for process in found.processes if process.ready and process.pid and process.memory_bytes} == {
        *("launcher", "postgres", "nats", "proxy"),
        *("registration", "pairing", "results", "standings"),
    }
    for service in SERVICES:
        assert httpx.get(f"{platform.url('proxy')}/{service}/docs").is_success
        assert httpx.get(f"{platform.url(service)}/docs").is_success


def test_only_the_owner_may_look_into_the_folder(platform: Platform) -> None:
    assert platform.folder.path.stat().st_mode & 0o777 == 0o700
    assert platform.folder.secrets.stat().st_mode & 0o777 == 0o600
    assert (platform.folder.path / "nats" / "nats.conf").stat().st_mode & 0o777 == 0o600


def test_no_service_is_told_a_secret_of_another(platform: Platform) -> None:
    """Nor does any have one in its memory, which would be as bad."""
    known = folders.passwords(platform.folder)
    key = str(platform.folder.path / "keys" / CAPTAINS)
    for name in SERVICES:
        assert told(platform.pid(name), known) <= {name, f"nats-{name}"}
        memory = memory_of(platform.pid(name))
        assert {secret for secret, password in known.items() if password.encode() in memory} == {name, f"nats-{name}"}
        assert (key.encode() in memory) == (name == "registration")
    for name in ("postgres", "nats"):
        assert not told(platform.pid(name), known)


def told(pid: int, passwords: Mapping[str, str]) -> set[str]:
    """Those that whoever may look at the process sees in its environment."""
    environment = " ".join(psutil.Process(pid).environ().values())
    return {secret for secret, password in passwords.items() if password in environment}


def memory_of(pid: int) -> bytes:
    """All that it may write to."""
    found: list[bytes] = []
    try:
        with Path(f"/proc/{pid}/maps").open() as maps, Path(f"/proc/{pid}/mem").open("rb") as memory:
            for line in maps:
                place, rights, *_ = line.split()
                first, last = (int(end, 16) for end in place.split("-"))
                if rights.startswith("rw"):
                    memory.seek(first)
                    found.append(memory.read(last - first))
    except (FileNotFoundError, PermissionError) as refused:
        pytest.skip(f"nobody may look into another process here: {refused}")
    return b"".join(found)


def test_no_password_is_on_a_command_line(platform: Platform) -> None:
    lines = " ".join(" ".join(process.cmdline()) for process in platform.left())
    assert str(platform.folder.path) in lines
    assert not [password for password in folders.passwords(platform.folder).values() if password in lines]


def test_nothing_listens_but_what_is_shown(platform: Platform) -> None:
    """The broker has no page about itself, which would show to everybody on the machine who talks with whom."""
    ours = {process.pid for process in platform.left()}
    listening = {
        one.laddr.port
        for one in psutil.net_connections(kind="tcp")
        if one.pid in ours and one.status == psutil.CONN_LISTEN and one.laddr
    }
    assert listening == {ports.of(name, platform.base_port) for name in (*SERVICES, "postgres", "nats", "proxy")}


def test_a_second_launcher_is_refused(platform: Platform) -> None:
    second = platform.up()
    assert second.returncode == 1
    assert f"Another instance is running on {platform.folder.path} (process {platform.pid('launcher')}" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_running_folder_is_not_deleted(platform: Platform) -> None:
    refused = platform.run("reset", "--yes")
    assert refused.returncode == 1
    assert "in use" in refused.stderr


def test_the_services_outlive_the_process_that_forked_them(platform: Platform) -> None:
    before = {name: platform.pid(name) for name in SERVICES}
    fork_server(platform).kill()
    kill(platform.pid("standings"))
    until(lambda: not psutil.pid_exists(before["standings"]))
    until(platform.is_ready)
    assert {name for name in SERVICES if platform.pid(name) != before[name]} == {"standings"}
    assert fork_server(platform).is_running()


def test_callers_of_a_killed_service_wait_in_its_queue(platform: Platform) -> None:
    kill(platform.pid("registration"))
    assert httpx.get(f"{platform.url('registration')}/healthz", timeout=PATIENCE).is_success


@pytest.mark.parametrize("name", ["pairing", "nats", "postgres", "backend"])
def test_a_killed_process_comes_back(platform: Platform, name: str) -> None:
    until(platform.is_ready)
    killed = platform.backends()[0] if name == "backend" else platform.pid(name)
    kill(killed)
    until(lambda: not psutil.pid_exists(killed))
    until(platform.is_ready)


def test_postgres_that_is_asked_to_stop_while_services_hold_on_to_it_works_again(platform: Platform) -> None:
    until(platform.is_ready)
    founded, stopping = found(platform, "Elbonian Gomoku Association"), platform.pid("postgres")
    os.kill(stopping, signal.SIGTERM)
    until(lambda: not psutil.pid_exists(stopping))
    until(platform.is_ready)
    assert "postgres      lives, but is stopping since" in platform.folder.log("launcher").read_text()
    until(lambda: founded in federations(platform))  # as soon as it is asked over connections that are whole again


def test_whatever_signals_the_servers_get_all_of_them_work_again(platform: Platform) -> None:
    until(platform.is_ready)
    signals = {
        "registration": signal.SIGTERM,
        "pairing": signal.SIGINT,
        "results": signal.SIGHUP,
        "standings": signal.SIGQUIT,
        "nats": signal.SIGTERM,
        "proxy": signal.SIGINT,
        "postgres": signal.SIGTERM,
    }
    before = {name: platform.pid(name) for name in signals}
    for name, sent in signals.items():
        os.kill(before[name], sent)
    until(lambda: not any(psutil.pid_exists(pid) for pid in before.values()))
    until(platform.is_ready)


def test_a_killed_launcher_leaves_nothing_and_the_next_goes_on(platform: Platform) -> None:
    until(platform.is_ready)
    founded = found(platform, "Elbonian Go Association")
    kill(platform.pid("launcher"))
    until(platform.is_gone)
    assert platform.run("status").returncode == 3
    first, copy_port = ports.of("registration", platform.base_port), any_free()
    copies = {"ROUNDLOG_REGISTRATION": f"127.0.0.1:{first} 127.0.0.1:{copy_port}"}
    started = replace(platform, environment=copies).up("--detach")
    assert started.returncode == 0, started.stdout
    assert founded in federations(platform)
    acts_go_to_a_copy_that_the_proxy_knows_while_the_first_one_is_away(platform, copy_port)


def acts_go_to_a_copy_that_the_proxy_knows_while_the_first_one_is_away(platform: Platform, copy_port: int) -> None:
    taken = platform.run("copy", "registration", f"--port={platform.base_port}")
    assert (taken.returncode, "choose another one" in taken.stderr) == (1, True)
    assert f"roundlog copy registration --port {copy_port}" in platform.run("doctor").stdout  # named, and not there
    with copied(platform, copy_port):
        fork_server(platform).suspend()  # so the first one does not come back
        kill(platform.pid("registration"))
        founded = found(platform, "Elbonian Chess Association", platform.below("registration"))
        shown = platform.run("status")
        assert (shown.returncode, "not all of it is ready" in shown.stdout) == (1, True)
        assert not is_connected(platform, "registration")
        fork_server(platform).resume()
        until(platform.is_ready)
        assert founded in federations(platform)


def is_connected(platform: Platform, service: str) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex((ports.LOOPBACK, ports.of(service, platform.base_port))) == 0


@contextmanager
def copied(platform: Platform, port: int) -> Generator[None]:
    """Goes on behind the block, until the platform goes down."""
    words = platform.command("copy", "registration", f"--port={port}")
    copy = subprocess.Popen(words, env=platform.environ())  # noqa: S603 - our own command
    try:
        until(lambda: f"registration:{port}" in {one.name for one in platform.status().processes if one.ready})
        yield
    except BaseException:
        copy.kill()
        raise
    finally:
        copy.returncode = 0  # no warning that it still runs


def test_stopped_processes_do_not_hinder_going_down_and_reset_deletes_all_of_it(platform: Platform) -> None:
    until(platform.is_ready)
    copy_port = any_free()
    with copied(platform, copy_port):
        fork_server(platform).suspend()
    for pid in (platform.pid("results"), platform.pid("nats"), platform.backends()[0], platform.pid("launcher")):
        os.kill(pid, signal.SIGSTOP)
    assert platform.run("status").returncode == 1
    down = platform.run("down")
    assert (down.returncode, f"stopping registration:{copy_port}" in down.stdout) == (0, True)
    assert platform.left() == []
    assert platform.run("status").returncode == 3
    assert platform.run("down").returncode == 0
    assert platform.run("reset", "--yes").returncode == 0
    assert not platform.folder.path.exists()
    assert not list(platform.folder.path.parent.glob("data*"))


def fork_server(platform: Platform) -> psutil.Process:
    of_launcher = psutil.Process(platform.pid("launcher")).children()
    return next(process for process in of_launcher if process.name() == "rl-fork-server")


def found(platform: Platform, federation: str, at: str | None = None) -> str:
    """Answers the id that was acknowledged."""
    token = platform.run("token", "operator").stdout.strip()
    founded = httpx.post(
        f"{at or platform.url('registration')}/v1/federations",
        json={"name": federation},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert founded.status_code == 201, founded.text
    return str(founded.json()["id"])


def federations(platform: Platform) -> set[str]:
    listed = httpx.get(f"{platform.url('registration')}/v1/federations").json()["items"]
    return {federation["id"] for federation in listed}
