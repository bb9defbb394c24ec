"""Backups of the databases of a local run, by the script that containers run too, and the way back from them."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn
from urllib.parse import unquote, urlsplit

from deploy import SERVICES, databases, signing
from deploy.databases import IS_RECOVERING, LOOK_EVERY, connection
from deploy.local import binaries, folder, lock, postgres, state
from deploy.local.errors import CannotRun, DiedAtStart
from deploy.local.folder import Folder
from deploy.local.operations import find_addresses
from deploy.local.ports import any_free
from deploy.local.postgres import Cluster
from deploy.local.processes import Child
from shared import files
from shared.checkpoints.folder import SigningFolder
from shared.clock import now
from shared.log.notify import BROKEN

SCRIPT = Path(__file__).parents[1] / "backup.sh"
LAST_CHANGE = "select pg_last_xact_replay_timestamp()"  # of those that were brought back; it stays when all of them are
ENDS_BEFORE = "recovery ended before configured recovery target was reached"
ENDS_WITHIN = 10.0  # seconds, once it has cut its connections


def keep(folder: Folder, backups: Path) -> NoReturn:
    """The script takes the place of this process: whoever ends it ends all that it has started."""
    told = environment(backups) | address(find_addresses(folder).server)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.execve("/bin/sh", ["/bin/sh", str(SCRIPT), "keep"], told)  # noqa: S606 - our own


def address(server: str) -> dict[str, str]:
    url = urlsplit(server)
    return {
        "PGHOST": url.hostname or "",
        "PGPORT": str(url.port or 5432),
        "PGUSER": unquote(url.username or ""),
        "PGPASSWORD": unquote(url.password or ""),
    }


def environment(backups: Path) -> dict[str, str]:
    tools = binaries.postgres("pg_basebackup").parent
    path = os.environ.get("PATH", "/usr/bin:/bin")
    return {**os.environ, "BACKUPS": str(backups), "PATH": f"{tools}:{path}"}


def restore(data: Folder, backups: Path, moment: datetime | None, *, note: str, say: Callable[[str], None]) -> None:
    """All four databases as of one moment. What is there is moved aside when it is whole; what signs the logs stays, and is told."""
    _require_usable(data, backups)
    held = lock.attempt(data.launcher)
    is_used = any(state.living_copies(data.copies))  # they would go on with what they remember of the logs before
    if is_used or held is None or lock.attempt(data.lock) is None:
        raise CannotRun(f"{data.path} is in use: stop it first with `roundlog down`.")
    data.logs.mkdir(mode=folder.OWNER_ONLY, exist_ok=True)
    restoring = data.path / "restoring"
    if restoring.exists():  # somebody was interrupted
        shutil.rmtree(restoring)
    at = at_second(moment) if moment else ""
    with ExitStack() as failing:
        failing.callback(shutil.rmtree, restoring, ignore_errors=True)
        base = _unpack(backups, restoring, at)
        try:
            last = asyncio.run(_bring_up(data, restoring))
        except DiedAtStart as died:
            raise refusal(died, backups, at) from died
        failing.pop_all()
    _move_aside(data, say)
    # Before they are in their place: whoever is interrupted here has no databases, instead of some whose logs nobody signs.
    folders = {service: SigningFolder(signing.place(data.path, service)) for service in SERVICES}
    signers = {service: signs for service, signs in folders.items() if signs.last() is not None}
    for signs in signers.values():
        signs.say_restored(note)
    files.rename(restoring, data.path / "postgres")
    say(f"All four databases are {base}, brought up to {at or until(last)}.")
    for service in signers:
        say(f"{service} will say in its log that it was restored, and sign on under another name.")
    say("Start it with `roundlog up`, and keep further backups in another folder.")


def until(last: datetime | None) -> str:
    """Where no moment was asked for."""
    return f"the last change that was kept, of {at_second(last)}" if last else "the last second that was kept"


def at_second(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _require_usable(data: Folder, backups: Path) -> None:
    if not folder.is_ours(data) or "postgres" not in folder.passwords(data):
        raise CannotRun(
            f"{data.path} is no data folder. Put back first what you keep of it in a safe place: format, secrets.json, keys "
            "and signing. A backup has none of these, and what comes back opens with no other passwords."
        )
    if not (backups / "base").is_dir():
        raise CannotRun(f"{backups} has no backups: name the folder that `roundlog backup` keeps.")


def _unpack(backups: Path, restoring: Path, at: str) -> str:
    """Answers from which base backup it is: a server that starts there brings itself to the moment."""
    command = ["/bin/sh", SCRIPT, "restore", restoring, *([at] if at else [])]
    script = subprocess.run(command, env=environment(backups), capture_output=True, text=True, check=False)  # noqa: S603
    if script.returncode != 0:
        raise CannotRun(script.stderr.strip().removeprefix("backup.sh: "))
    base, _, _ = script.stdout.partition(":")
    return base


def _move_aside(data: Folder, say: Callable[[str], None]) -> None:
    """The broker's store too: it tells what the databases do not know any more."""
    if there := [path for path in (data.path / "nats", data.path / "postgres") if path.exists()]:
        replaced = data.path / f"replaced-{now():%Y-%m-%dT%H%M%SZ}"
        replaced.mkdir(mode=folder.OWNER_ONLY)
        for path in there:
            files.rename(path, replaced / path.name)
        say(f"What was there before is in {replaced}.")


def refusal(died: DiedAtStart, backups: Path, at: str) -> CannotRun:
    if ENDS_BEFORE not in died.log:
        return died
    return CannotRun(
        f"The last thing that {backups} has is from before {at}: leave out --at, and all of it comes back. "
        "Nothing has changed here."
    )


async def _bring_up(data: Folder, restoring: Path) -> datetime | None:
    """Beside its place, until it is what it has to be: whoever is interrupted has lost nothing, and begins anew. Answers when
    the last change was made that has come back, if any was made behind the base backup."""
    password = folder.passwords(data)["postgres"]
    cluster = Cluster(folder=restoring, log=data.log("postgres"), port=any_free(), password=password)
    server = await postgres.start(cluster)
    try:
        try:
            last = await _brought_up(cluster, server)
        except BROKEN as broken:
            with suppress(TimeoutError):
                async with asyncio.timeout(ENDS_WITHIN):
                    await server.wait()
            raise server.failure() from broken
        await databases.rename_logs(cluster.url)
    finally:
        await server.end()
    return last


async def _brought_up(cluster: Cluster, server: Child) -> datetime | None:
    """It answers before it is brought up to the end, and where it cannot be it ends."""
    async with connection(cluster.url) as admin:
        while await admin.fetchval(IS_RECOVERING):
            if server.ended:
                raise server.failure()
            await asyncio.sleep(LOOK_EVERY)
        return await admin.fetchval(LAST_CHANGE)
