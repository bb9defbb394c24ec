"""Scrubbing a server: files of its write-ahead log that were kept for later use are used up and removed too."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

import deploy.scrub
from deploy.databases import at, connection
from deploy.local.postgres import forget_scrub
from deploy.scrub import USE_UP, NotScrubbed, nothing_recycled, renew_log, rewrite
from tests.traces import files_with

ALTERED = "postgresql.auto.conf"
TRACE = "Qvorzelbine Ymbrackhult"


async def test_no_file_of_the_log_that_was_there_is_left(server: str) -> None:
    async with connection(server) as admin:
        log = Path(await admin.fetchval("show data_directory")) / "pg_wal"
        for _ in range(3):
            await admin.execute("select pg_logical_emit_message(false, 'test', $1)", TRACE)
            await admin.execute(USE_UP[1])
        await admin.execute("checkpoint")
        assert files_with(log, TRACE), "they were renamed for later use"
        assert await renew_log(admin) > 0
        assert files_with(log, TRACE) == []
        assert await admin.fetchval("show wal_recycle") == "on"


async def test_what_a_killed_scrub_has_set_is_taken_back_at_the_next_start(server: str, tmp_path: Path) -> None:
    altered = tmp_path / ALTERED
    async with connection(server) as admin, nothing_recycled(admin):
        altered.write_text((Path(await admin.fetchval("show data_directory")) / ALTERED).read_text())
    assert "wal_recycle = 'off'" in altered.read_text()
    forget_scrub(altered)
    assert "wal_recycle" not in altered.read_text()
    assert altered.read_text().startswith("# Do not edit")


async def test_a_server_that_hears_late_gives_no_old_file_a_new_name(server: str) -> None:
    async with connection(server) as admin:
        folder = Path(await admin.fetchval("show data_directory"))
        for _ in range(3):
            await admin.execute("select pg_logical_emit_message(false, 'test', $1)", TRACE)
            await admin.execute(USE_UP[1])
        postmaster = int((folder / "postmaster.pid").read_text().split()[0])
        os.kill(postmaster, signal.SIGSTOP)
        try:
            renewing = asyncio.create_task(renew_log(admin))
            await asyncio.wait({renewing}, timeout=0.5)
        finally:
            os.kill(postmaster, signal.SIGCONT)
        assert await renewing > 0
        assert files_with(folder / "pg_wal", TRACE) == []


@pytest.fixture
async def erasable(server: str, database: str) -> str:
    """Where a table `told` is, as its administrator sees it: the planner keeps the word that all its rows have."""
    url = at(server, database=database.rpartition("/")[2])
    async with connection(url) as admin:
        await admin.execute("create table told (word text)")
        await admin.execute("insert into told select $1 from generate_series(1, 100)", TRACE)
        await admin.execute("analyze told")
    return url


async def test_rows_are_written_anew_once_nobody_sees_the_erased_ones_any_more(erasable: str) -> None:
    async with connection(erasable) as reader, connection(erasable) as admin:
        async with reader.transaction(isolation="repeatable_read"):
            await reader.execute("select")
            await admin.execute("delete from told")
            rewriting = asyncio.create_task(rewrite(admin, ["told"]))
            await asyncio.wait({rewriting}, timeout=0.5)
            assert not rewriting.done()
        await rewriting
        await admin.execute("checkpoint")
        folder = Path(await admin.fetchval("show data_directory"))
        assert files_with(folder / "base", TRACE) == []


async def test_who_sees_the_erased_rows_for_too_long_is_named(erasable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deploy.scrub, "PATIENCE", 0.2)
    async with connection(erasable) as reader, connection(erasable) as admin:
        await reader.execute("set application_name = 'the report of the year'")
        async with reader.transaction(isolation="repeatable_read"):
            await reader.execute("select")
            await admin.execute("delete from told")
            with pytest.raises(NotScrubbed, match=r"sees what was erased: connection \d+ \(the report of the year\)"):
                await rewrite(admin, ["told"])


async def test_a_table_that_somebody_holds_is_not_waited_for_long(
    erasable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody who wants it would wait behind us."""
    monkeypatch.setattr(deploy.scrub, "QUEUE", 0.2)
    async with connection(erasable) as reader, connection(erasable) as admin, reader.transaction():
        await reader.execute("lock table told in access share mode")
        with pytest.raises(NotScrubbed, match="Somebody holds told for long"):
            await rewrite(admin, ["told"])
