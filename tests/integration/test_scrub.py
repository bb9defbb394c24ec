"""Scrubbing a server: files of its write-ahead log that were kept for later use are used up and removed too."""

from pathlib import Path

from deploy.databases import connection
from deploy.scrub import USE_UP, renew_log
from tests.traces import files_with

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
