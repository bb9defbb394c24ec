"""What a connection has to ask its server before it can be used."""

import asyncio
from collections import deque
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from asyncpg.pool import Pool

from deploy import SERVICES
from deploy.databases import CONNECTIONS, connection
from deploy.local import nats
from shared.ids import new_id
from shared.messaging.subjects import SOURCES
from tests.api.asking import service
from tests.patience import PATIENCE

HELD = """
  select count(*) from pg_locks
  where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
"""


async def asked_by(database: str, statement: str, value: object) -> list[str]:
    """The questions about types that a new connection asks, to answer the same as it was given."""
    asked: list[str] = []
    async with connection(database) as one:
        one.add_query_logger(lambda record: asked.append(record.query))
        assert await one.fetchval(statement, value) == value
        assert await one.fetchval(statement, value) == value
    return [query for query in asked if "typeinfo" in query]


async def test_types_of_postgres_are_asked_for_once_in_a_process(database: str) -> None:
    ids = [new_id(), new_id()]
    await asked_by(database, "select $1::uuid[]", ids)
    assert await asked_by(database, "select $1::uuid[]", ids) == []
    assert await asked_by(database, "select $1::macaddr8[]", None), "it would be noticed"


async def test_types_of_a_database_are_asked_for_by_each_connection(databases: tuple[str, str]) -> None:
    """They have other numbers in another database, and the same number may be another type."""
    one, another = databases
    async with connection(one) as own, connection(another) as theirs:
        await own.execute("create type views.mood as enum ('glad', 'sad')")
        await theirs.execute("create type views.pair as (first text, second int)")
    for _ in range(2):
        assert await asked_by(one, "select $1::views.mood[]", ["sad", "glad"])
        assert await asked_by(another, "select $1::views.pair[]", [("one", 2)])


async def test_arrays_are_known_by_their_classes_without_a_question_for_each_element(database: str) -> None:
    words = {"one": "two", "three": "four"}
    async with connection(database) as one:
        for several in (["a", "bc"], ("a", "bc"), words.keys(), words.values()):
            assert await one.fetchval("select $1::text[]", several) == list(several)
        assert set(await one.fetchval("select $1::text[]", {"a", "b"})) == {"a", "b"}
        assert await one.fetchval("select $1::text[]", [["a", "b"], ["c", "d"]]) == [["a", "b"], ["c", "d"]]
        assert await one.fetchval("select $1::bytea[]", [b"ab", None]) == [b"ab", None]
        with pytest.raises(asyncpg.DataError, match="container expected"):
            await one.fetchval("select $1::text[]", deque(["a"]))


class Counted:
    """How many connections there may be of all that a process has opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._pools: list[Pool] = []
        self._single: list[asyncpg.Connection[asyncpg.Record]] = []
        self._connect, self._create_pool = asyncpg.connect, asyncpg.create_pool
        monkeypatch.setattr(asyncpg, "connect", self._connected)
        monkeypatch.setattr(asyncpg, "create_pool", self._created)

    async def _connected(self, *arguments: Any, **options: Any) -> "asyncpg.Connection[asyncpg.Record]":
        self._single.append(await self._connect(*arguments, **options))
        return self._single[-1]

    def _created(self, *arguments: Any, **options: Any) -> Pool:
        self._pools.append(self._create_pool(*arguments, **options))
        return self._pools[-1]

    @property
    def most(self) -> int:
        pools = [pool.get_max_size() for pool in self._pools if not pool.is_closing()]
        return sum(pools) + sum(not one.is_closed() for one in self._single)


@pytest.mark.parametrize("name", SERVICES)
async def test_a_service_takes_no_more_connections_than_its_server_has_for_it(
    name: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, leases = Counted(monkeypatch), len(SOURCES[name]) + len(("relay", "trees", "names"))
    async with (
        nats.running(tmp_path) as broker,
        service(database, name=name, nats_url=broker.urls[name]),
        connection(database) as own,
        asyncio.timeout(PATIENCE),
    ):
        while await own.fetchval(HELD) < leases:
            await asyncio.sleep(0.05)
        assert CONNECTIONS / 2 < counted.most <= CONNECTIONS
