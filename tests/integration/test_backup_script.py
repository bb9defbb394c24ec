"""The script that keeps backups, where what it starts is slow."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from shutil import which
from typing import Any

import asyncpg
import psutil
import pytest

from deploy.databases import connection
from deploy.local import backups, binaries, postgres
from tests.databases import FAST
from tests.patience import PATIENCE

FAILED = 3
PIECE = "select pg_walfile_name(pg_current_wal_lsn())"  # of its log, in which the server writes

type Keeping = subprocess.Popen[str]


class Slow:
    """Programs that wait for something before they do what they do."""

    def __init__(self, place: Path) -> None:
        self.kept = place / "kept"
        self.go = place / "go"
        self._tools = place / "tools"
        self._tools.mkdir(parents=True)
        self.make("pg_receivewal", f"until [ -e {self.go} ]; do sleep 0.02; done")

    def make(self, program: str, before: str) -> None:
        wrapper = self._tools / program
        wrapper.write_text(f'#!/bin/sh\n{before}\nexec {binaries.postgres(program)} "$@"\n')
        wrapper.chmod(0o700)

    def make_plain(self, program: str, refused: str) -> None:
        """Where it knows nothing but what all systems have: it refuses arguments of this pattern of the shell."""
        wrapper = self._tools / program
        wrapper.write_text(f'#!/bin/sh\ncase " $*" in {refused}) exit {FAILED} ;; esac\nexec {which(program)} "$@"\n')
        wrapper.chmod(0o700)

    @property
    def environment(self) -> dict[str, str]:
        told = backups.environment(self.kept)
        return told | {"PATH": f"{self._tools}:{told['PATH']}"}

    @contextmanager
    def keeping(self, server: str) -> Generator[Keeping]:
        """Behind the first base backup."""
        command = ["/bin/sh", str(backups.SCRIPT), "keep"]
        told = self.environment | backups.address(server)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=told) as keeping:  # noqa: S603
            assert keeping.stdout is not None
            assert keeping.stdout.readline().startswith("backed up: ")
            yield keeping
            keeping.terminate()

    async def received(self, piece: str, keeping: subprocess.Popen[Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not (self.kept / "wal" / piece).exists():
                assert keeping.poll() is None, "it has ended"
                await asyncio.sleep(0.05)


async def ended(told: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Of keeping backups, once it has ended by itself."""
    keep = partial(subprocess.run, ["/bin/sh", backups.SCRIPT, "keep"], check=False, timeout=PATIENCE)
    return await asyncio.to_thread(keep, env=told, capture_output=True, text=True)


@pytest.fixture
def slow(tmp_path: Path) -> Slow:
    return Slow(tmp_path)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncGenerator[str]:
    async with postgres.running(tmp_path, settings=FAST) as running:
        yield running.url


async def leave_behind(server: str) -> str:
    """The server keeps no piece of its log that nobody has asked for. Answers the one that something was written in."""
    async with connection(server) as admin:
        await admin.execute("create table was_there as select 'between' as at")
        piece = await admin.fetchval(PIECE)
        for _ in range(3):
            await admin.execute("select pg_switch_wal()")
            await admin.execute("checkpoint")
    return str(piece)


@asynccontextmanager
async def brought_back(slow: Slow, place: Path) -> AsyncGenerator[asyncpg.Connection]:
    place.mkdir()
    command = ["/bin/sh", os.fspath(backups.SCRIPT), "restore", os.fspath(place / "postgres")]
    subprocess.run(command, env=slow.environment, check=True)  # noqa: S603, ASYNC221 - our own
    async with postgres.running(place, settings=FAST) as server, connection(server.url) as admin:
        async with asyncio.timeout(PATIENCE):  # it answers before it is brought up to the end
            while await admin.fetchval(backups.IS_RECOVERING):
                await asyncio.sleep(0.05)
        yield admin


async def test_what_was_written_before_the_receiver_came_is_kept(slow: Slow, server: str, tmp_path: Path) -> None:
    with slow.keeping(server) as keeping:
        piece = await leave_behind(server)
        slow.go.touch()
        await slow.received(piece, keeping)
    async with brought_back(slow, tmp_path / "back") as admin:
        assert await admin.fetchval("select at from was_there") == "between"


async def test_it_works_with_the_tools_of_other_systems_too(slow: Slow, server: str, tmp_path: Path) -> None:
    """Such as a Mac, where `head` leaves out no last lines, and `sed` changes no file in its place as that of GNU does."""
    slow.make_plain("head", '*" -n -"*')
    slow.make_plain("sed", '*" -i"*')
    slow.go.touch()
    old = slow.kept / "base" / "2020-01-01T000000Z"
    old.mkdir(parents=True)
    os.utime(old, (0, 0))
    command = ["/bin/sh", str(backups.SCRIPT), "keep"]
    told = slow.environment | backups.address(server) | {"BACKUPS_KEPT": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=told) as keeping:  # noqa: S603, ASYNC220 - our own
        said = asyncio.to_thread(lambda: [line.partition(":")[0] for line in keeping.stdout or ()])
        reading = asyncio.create_task(said)
        async with asyncio.timeout(PATIENCE):
            while old.exists():
                await asyncio.sleep(0.05)
        await slow.received(await leave_behind(server), keeping)
        keeping.terminate()
        assert await reading == ["backed up", "forgotten"]
    async with brought_back(slow, tmp_path / "back") as admin:
        assert await admin.fetchval("select at from was_there") == "between"


async def test_what_is_being_received_is_not_forgotten(slow: Slow, server: str) -> None:
    """Where the receiver is still at the first piece of all when what is older than the base backup is taken away."""
    first = slow.kept / "wal" / "000000010000000000000001.partial"
    slow.make("pg_receivewal", f"touch {first}; until [ -e {slow.go} ]; do sleep 0.02; done; [ -e {first} ] || exit 1")
    slow.make("pg_archivecleanup", f'{binaries.postgres("pg_archivecleanup")} "$@"; touch {slow.go}; exit')
    with slow.keeping(server) as keeping:
        await slow.received(await leave_behind(server), keeping)


async def test_a_second_one_touches_nothing_and_whoever_is_ended_leaves_nothing_behind(slow: Slow, server: str) -> None:
    slow.go.touch()
    with slow.keeping(server) as keeping:
        (slow.kept / "base" / "unfinished").mkdir()
        told = slow.environment | backups.address(server)
        second = await ended(told)
        assert (second.returncode, "somebody else keeps backups in" in second.stderr) == (1, True)
        assert (slow.kept / "base" / "unfinished").exists()
        (receiver,) = (one for one in psutil.Process(keeping.pid).children() if one.name() == "pg_receivewal")
    assert keeping.returncode == 0
    assert not receiver.is_running()


async def test_it_ends_with_what_it_cannot_do_without(slow: Slow, server: str) -> None:
    slow.go.touch()
    with slow.keeping(server) as keeping:
        (receiver,) = (one for one in psutil.Process(keeping.pid).children() if one.name() == "pg_receivewal")
        receiver.terminate()
        assert await asyncio.to_thread(keeping.wait, PATIENCE) == 1
    slow.make("pg_basebackup", f"exit {FAILED}")
    shutil.rmtree(slow.kept / "base")
    told = slow.environment | backups.address(server)
    assert (await ended(told)).returncode == FAILED
    async with connection(server) as admin:
        assert not await admin.fetchval("select active from pg_replication_slots"), "nobody receives any more"


async def test_a_piece_for_which_there_was_no_room_stops_nobody(slow: Slow, server: str, tmp_path: Path) -> None:
    slow.go.touch()
    with slow.keeping(server) as keeping:
        await leave_behind(server)
        async with connection(server) as admin:
            begun = f"{await admin.fetchval(PIECE)}.partial"
        await slow.received(begun, keeping)
    os.truncate(slow.kept / "wal" / begun, 6_144_000)
    async with brought_back(slow, tmp_path / "back") as admin:
        assert await admin.fetchval("select at from was_there") == "between"
    with subprocess.Popen(  # noqa: S603, ASYNC220 - our own
        ["/bin/sh", str(backups.SCRIPT), "keep"], env=slow.environment | backups.address(server)
    ) as again:
        async with connection(server) as admin:
            piece = await admin.fetchval(PIECE)
            await admin.execute("create table more ()")
            await admin.execute("select pg_switch_wal()")
        await slow.received(piece, again)
        again.terminate()


async def test_nothing_is_brought_back_where_there_is_no_room_for_it(slow: Slow, server: str, tmp_path: Path) -> None:
    slow.go.touch()
    with slow.keeping(server):
        pass
    (tmp_path / "tools" / "df").write_text('#!/bin/sh\nprintf "Filesystem\\n/dev/sda 9 9 $FREE 9 /\\n"\n')
    (tmp_path / "tools" / "df").chmod(0o700)

    def restored(free: int) -> subprocess.CompletedProcess[str]:
        command = ["/bin/sh", backups.SCRIPT, "restore", tmp_path / "new" / "postgres"]
        told = slow.environment | {"FREE": str(free)}
        return subprocess.run(command, check=False, env=told, capture_output=True, text=True)  # noqa: S603

    refused = await asyncio.to_thread(restored, 80 * 1024)
    assert refused.returncode == 1
    assert "only 80 MB are free where" in refused.stderr
    assert not (tmp_path / "new").exists()
    brought = await asyncio.to_thread(restored, 1024 * 1024)
    assert brought.returncode == 0, brought.stderr
    used = sum(file.stat().st_size for file in (tmp_path / "new").rglob("*") if file.is_file())
    needed = int(refused.stderr.split(" MB are needed")[0].rpartition(" ")[2]) * 2**20
    assert used < needed <= used + 4 * 16 * 2**20


async def test_two_lives_from_the_same_backups_are_told_apart(slow: Slow, server: str, tmp_path: Path) -> None:
    slow.go.touch()
    with slow.keeping(server) as keeping:
        await slow.received(await leave_behind(server), keeping)
    elsewhere = Slow(tmp_path / "elsewhere")
    elsewhere.go.touch()
    async with brought_back(slow, tmp_path / "first") as admin:
        with elsewhere.keeping(address_of(admin)):
            pass
    async with brought_back(slow, tmp_path / "second") as admin:
        told = elsewhere.environment | backups.address(address_of(admin))
        refused = await ended(told)
    assert (refused.returncode, "before it was brought back" in refused.stderr) == (1, True)


def address_of(admin: asyncpg.Connection) -> str:
    return f"postgresql://postgres:roundlog@127.0.0.1:{admin._addr[1]}/postgres"  # pyrefly: ignore[missing-attribute]
