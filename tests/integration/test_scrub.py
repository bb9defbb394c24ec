"""Scrubbing a server: files of its write-ahead log that were kept for later use are used up and removed too."""

from pathlib import Path

from deploy.databases import connection
from deploy.local.postgres import forget_scrub
from deploy.scrub import USE_UP, nothing_recycled, renew_log
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
