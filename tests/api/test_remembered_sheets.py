"""A sheet that was opened is remembered, so that its first report reads nothing; but only once its opening is committed."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import pytest

from deploy.databases import AdminConnection, at, connection
from shared.contracts.registration import EntrantLeft
from shared.log.postgres import PostgresStore
from tests.api.asking import problem
from tests.api.tables import TOURNAMENT, Hall, hall, planned
from tests.patience import PATIENCE

GAMES = (planned("h1", 1, "ada", "cid"), planned("h2", 2, "ben", "eva"), planned("h3", 3, "dan", "fay"))

# Everything goes well up to the very end of the transaction.
BREAK = """
  create function break() returns trigger language plpgsql as $$ begin raise exception 'the end fails'; end $$;
  create constraint trigger break after insert on log.log deferrable initially deferred for each row
  when (new.stream = 'game-h3') execute function break();
"""
MEND = "drop trigger break on log.log; drop function break()"
AT_ONCE = "update inbox.scopes set due = now()"
FAILED = "select count(*) from inbox.scopes where problem is not null"


@pytest.fixture
async def here(database: str) -> AsyncGenerator[Hall]:
    async with hall(database) as here:
        yield here


@pytest.fixture
def streams_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The streams that the service looks up in its log, but for what follows from a result: it asks who has defaulted before."""
    read: list[str] = []
    look_up = PostgresStore.read_stream

    async def note(store: PostgresStore, stream: str, **bounds: Any) -> Any:
        if not stream.startswith("penalties-"):
            read.append(stream)
        return await look_up(store, stream, **bounds)

    monkeypatch.setattr(PostgresStore, "read_stream", note)
    return read


async def reported(here: Hall, *games: str, by: str = "sue") -> Sequence[int]:
    return [(await here.report(game, 380, 350, by=by)).status_code for game in games]


async def test_the_first_report_of_a_game_reads_nothing(here: Hall, streams_read: list[str]) -> None:
    assert await reported(here, "g1", "g2", "g3") == [HTTPStatus.OK] * 3
    assert streams_read == []
    assert await reported(here, "g1", by="sam") == [HTTPStatus.OK]
    assert (await here.look("g1"))["status"] == "final"


async def test_a_game_that_was_lost_as_it_was_opened_is_remembered_with_its_result(
    here: Hall, streams_read: list[str]
) -> None:
    left = EntrantLeft(entrant="eva", tournament=TOURNAMENT, stage=here.stage, after_round=1, why="withdrew")
    await here.hear("registration", left)
    await here.publish(2, GAMES)
    streams_read.clear()
    assert await reported(here, "h1") == [HTTPStatus.OK]
    assert streams_read == []
    refused = await here.report("h2", 380, 350, by="sue")
    problem(refused, HTTPStatus.CONFLICT, "result-is-final")


@asynccontextmanager
async def broken(server: str, database: str) -> AsyncGenerator[AdminConnection]:
    """No transaction that opens the third game is committed."""
    async with connection(at(server, database=database.rpartition("/")[2])) as admin:
        await admin.execute(BREAK)
        try:
            yield admin
        finally:
            await admin.execute(MEND)


async def test_what_was_rolled_back_is_not_remembered(here: Hall, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.messaging.reactions.ATTEMPTS", 1_000)
    async with broken(server, here.database) as admin:
        publishing = asyncio.create_task(here.publish(2, GAMES))
        async with asyncio.timeout(PATIENCE):
            while not await admin.fetchval(FAILED):
                await asyncio.sleep(0.01)
        for game in ("h1", "h3"):
            problem(await here.report(game, 380, 350, by="sue"), HTTPStatus.NOT_FOUND, "nothing-there")
    async with connection(here.database) as admin:
        await admin.execute(AT_ONCE)
    await publishing
    assert await reported(here, "h1", "h2", "h3") == [HTTPStatus.OK] * 3
    versions = [(one["stream"], one["version"]) for one in await here.told("SheetOpened", "ResultReported")]
    assert len(versions) == len(set(versions))
    assert versions.count(("game-h3", 2)) == 1
