"""What a connection has to ask its server before it can be used."""

from collections import deque

import asyncpg
import pytest

from deploy.databases import connection
from shared.ids import new_id


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
