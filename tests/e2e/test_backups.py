"""What comes back from a backup: one log of a source, or all of the platform as it was at a moment."""

import asyncio
import re
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import httpx

from deploy import databases
from deploy.local import folder, ports
from deploy.local.operations import all_waiting
from shared.clock import now
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform, until

NEIGHBOURS = ("pairing", "results", "standings")
STOPPED = "hears nothing more of registration"


async def renew(platform: Platform) -> None:
    """As after a backup was restored."""
    password = folder.passwords(platform.folder)["postgres"]
    server = f"postgresql://postgres:{password}@127.0.0.1:{ports.of('postgres', platform.base_port)}/postgres"
    async with databases.connection(databases.at(server, database=databases.name("registration"))) as admin:
        await admin.execute("update log.head set incarnation = gen_random_uuid()")


def stopped(platform: Platform) -> set[str]:
    return {service for service, waiting in asyncio.run(all_waiting(platform.folder)).items() if waiting.stopped}


def have_heard(platform: Platform, position: str) -> None:
    """Returns when all neighbours know what registration had said by then."""
    headers = signed(platform, "operator") | {"Roundlog-Min-Position": position}
    for neighbour in NEIGHBOURS:
        log = f"{platform.url(neighbour)}/v1/log"
        until(lambda log=log: httpx.get(log, headers=headers).is_success)


def test_an_operator_lets_the_neighbours_of_a_restored_service_go_on(own_platform: Platform) -> None:
    operator = signed(own_platform, "operator")
    federations = f"{own_platform.url('registration')}/v1/federations"
    founded = httpx.post(federations, json={"name": "Go"}, headers=operator).raise_for_status()
    position = founded.headers["Roundlog-Position"]
    have_heard(own_platform, position)
    refused = own_platform.run("accept", "pairing", "registration", "--yes", "--reason", "other")
    assert (refused.returncode, "Receiving from registration has not stopped there." in refused.stderr) == (1, True)
    asyncio.run(renew(own_platform))
    until(lambda: stopped(own_platform) == set(NEIGHBOURS))
    assert own_platform.run("parked").stdout.count(STOPPED) == len(NEIGHBOURS)
    for neighbour in NEIGHBOURS:
        why = "--reason", "restored-from-backup", "--note", "its disk was changed"
        accepted = own_platform.run("accept", neighbour, "registration", "--yes", *why)
        assert accepted.returncode == 0, accepted.stderr
        assert f"{neighbour} goes on with registration behind {position.rpartition('/')[2]}." in accepted.stdout
    assert "nothing has stopped" in own_platform.run("parked").stdout
    founded = httpx.post(federations, json={"name": "Othello"}, headers=operator).raise_for_status()
    have_heard(own_platform, founded.headers["Roundlog-Position"])
    say = "restored", "registration", "--note", "its disk was changed"
    asked = own_platform.run(*say)
    assert (asked.returncode, "has another name already" in asked.stdout) == (1, True), asked.stdout
    said = own_platform.run(*say, "--yes")
    assert said.returncode == 0, said.stderr
    # What was signed before is of another log, and nothing is signed until somebody says so.
    until(own_platform.is_ready)


def test_a_log_is_called_another_one_only_by_who_has_read_what_that_means(own_platform: Platform) -> None:
    have_heard(own_platform, found(own_platform, "Carcassonne"))
    say = "restored", "registration", "--note", "by mistake"
    asked = own_platform.run(*say)
    assert (asked.returncode, "Aborted" in asked.stderr) == (1, True)
    assert "standings has heard" in asked.stdout
    assert "Nothing of this looks like a log that came back from a backup" in asked.stdout
    assert "nothing has stopped" in own_platform.run("parked").stdout
    said = own_platform.run(*say, "--yes")
    assert "roundlog accept results registration" in said.stdout
    until(lambda: stopped(own_platform) == set(NEIGHBOURS))
    doctor = own_platform.run("doctor").stdout
    assert doctor.count("Start registration anew first") == len(NEIGHBOURS)
    assert "its log was said to be restored, and still runs as it was" in doctor
    own_platform.run("down")
    assert own_platform.up("--detach").returncode == 0
    until(lambda: "still runs as it was" not in own_platform.run("doctor").stdout)
    for neighbour in NEIGHBOURS:
        why = "--yes", "--reason", "restored-from-backup"
        assert own_platform.run("accept", neighbour, "registration", *why).returncode == 0
    until(own_platform.is_ready)


@contextmanager
def backed_up(platform: Platform, backups: Path) -> Generator[None]:
    """While the platform runs, with a first backup made."""
    command = platform.command("backup", str(backups))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=platform.environ()) as keeping:  # noqa: S603
        assert keeping.stdout is not None
        assert keeping.stdout.readline().startswith("backed up: ")
        yield
        keeping.terminate()


def found(platform: Platform, name: str) -> str:
    """The position at which it was."""
    federations = f"{platform.url('registration')}/v1/federations"
    answer = httpx.post(federations, json={"name": name}, headers=signed(platform, "operator"))
    return answer.raise_for_status().headers["Roundlog-Position"]


def federations(platform: Platform) -> set[str]:
    answer = httpx.get(f"{platform.url('registration')}/v1/federations", headers=signed(platform, "operator"))
    return {one["name"] for one in answer.raise_for_status().json()["items"]}


def test_everything_is_as_it_was_at_a_moment_and_goes_on(own_platform: Platform, tmp_path: Path) -> None:
    with backed_up(own_platform, tmp_path / "backups"):
        have_heard(own_platform, found(own_platform, "Before"))
        moment = now() + timedelta(seconds=1)  # whole seconds are asked for
        until(lambda: now() > moment)
        have_heard(own_platform, found(own_platform, "Behind"))
        own_platform.run("down")
    at = f"--at={moment:%Y-%m-%dT%H:%M:%SZ}"
    refused = own_platform.run("restore", str(tmp_path / "nothing"), "--note", "the disk")
    assert (refused.returncode, "has no backups" in refused.stderr) == (1, True)
    restored = own_platform.run("restore", str(tmp_path / "backups"), at, "--note", "the disk")
    assert restored.returncode == 0, restored.stderr
    assert "results will say in its log that it was restored" in restored.stdout
    assert own_platform.up("--detach").returncode == 0
    assert "Before" in federations(own_platform)
    assert "Behind" not in federations(own_platform)
    have_heard(own_platform, found(own_platform, "After"))
    until(own_platform.is_ready)
    come_back_without_the_folder(own_platform, tmp_path, at)


def come_back_without_the_folder(platform: Platform, place: Path, at: str) -> None:
    """The disk is gone, and there is what was kept elsewhere."""
    platform.run("down")
    data, lost = platform.folder.path, place / "lost"
    data.rename(lost)
    again = "restore", str(place / "backups"), at, "--note", "the disk was lost"
    refused = platform.run(*again)
    assert (refused.returncode, "Put back first what you keep of it" in refused.stderr) == (1, True)
    data.mkdir(mode=0o700)
    for name in ("format", "secrets.json"):
        shutil.copy(lost / name, data / name)
    for name in ("keys", "signing"):
        shutil.copytree(lost / name, data / name)
    started = platform.up("--detach")
    assert (started.returncode, "no databases: bring them back" in started.stdout) == (1, True)
    assert "no databases" in platform.run("doctor").stdout
    restored = platform.run(*again)
    assert restored.returncode == 0, restored.stderr
    assert "What was there before" not in restored.stdout
    assert platform.up("--detach").returncode == 0
    refused = platform.run("backup", str(place / "backups"))
    assert (refused.returncode, "before it was brought back" in refused.stderr) == (1, True)
    assert "before it was brought back" in platform.run("doctor", "--backups", str(place / "backups")).stdout
    assert "Before" in federations(platform)
    assert not {"Behind", "After"} & federations(platform)
    have_heard(platform, found(platform, "Once more"))
    until(platform.is_ready)
    come_back_once_more(platform, place / "further")


def come_back_once_more(platform: Platform, backups: Path) -> None:
    """Of what has come back to a moment before, all is kept: the moment of then limits nothing."""
    began = now().replace(microsecond=0)
    assert "nothing keeps backups of this server" in platform.run("doctor", "--backups", str(backups)).stdout
    with backed_up(platform, backups):
        second = platform.run("backup", f"{backups}-too")
        assert (second.returncode, "backed up" in second.stdout, "is active" in second.stderr) == (1, False, True)
        have_heard(platform, found(platform, "Kept"))
        platform.run("down")
    ended = now()
    restore = "restore", str(backups), "--note", "the disk once more"
    refused = platform.run(*restore, "--at=2100-01-01T00:00:00Z")
    assert (refused.returncode, "leave out --at" in refused.stderr) == (1, True), refused.stderr
    restored = platform.run(*restore)
    assert restored.returncode == 0, restored.stderr
    last = re.search(r"brought up to the last change that was kept, of (\S+Z)\.", restored.stdout)
    assert last
    assert began <= datetime.fromisoformat(last[1]) <= ended
    assert platform.up("--detach").returncode == 0
    assert {"Before", "Once more", "Kept"} <= federations(platform)
