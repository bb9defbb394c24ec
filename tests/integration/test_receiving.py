"""What comes is received and takes effect in one transaction, or waits where something stands before it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import pytest

from deploy.databases import AdminConnection, at, connection
from deploy.local import nats, postgres
from shared.log.connection import Connection
from shared.log.notify import Bell
from shared.log.store import Appended
from shared.messaging.reactions import Effect, Reactions, Received
from shared.messaging.subjects import PublicEvent
from tests.databases import PASSWORD, ROLE, TEMPLATE, make_template
from tests.neighbours import SOURCE, Listener, note, say, speaker
from tests.patience import PATIENCE

LOG = UUID(int=7)
MEET = "insert into inbox.sources (source, incarnation, number) values ($1, $2, 0)"
STATES = "select number, state from inbox.events order by arrival"


def said(*numbers: int, scope: str = "cup") -> list[PublicEvent]:
    return [PublicEvent(number=one, scope=scope, type="Happened", message=b"{}") for one in numbers]


class Counted:
    """An effect that notes what it was called with, and fails when it is told to."""

    def __init__(self) -> None:
        self.effects: list[list[int]] = []
        self.fails = False
        self.appended: list[Appended] = []

    async def __call__(self, connection: Connection, events: Sequence[Received]) -> None:
        await note(connection, events)
        if self.fails:
            raise ValueError("not today")
        self.effects.append([event.number for event in events])


@asynccontextmanager
async def reacting(database: str, effect: Effect, appended: list[Appended] | None = None) -> AsyncGenerator[Reactions]:
    """It looks at what waits only when it is rung for: the bell itself does not run."""
    bell = Bell(database, "inbox")
    reactions = Reactions(
        database=database, effect=effect, bell=bell, appended=(appended if appended is not None else []).extend
    )
    async with connection(database) as own:
        await own.execute(MEET, SOURCE, LOG)
    async with reactions.running():
        yield reactions


async def test_what_comes_takes_effect_with_its_receipt(database: str) -> None:
    effect = Counted()
    async with reacting(database, effect, effect.appended) as reactions:
        assert await reactions.receive(SOURCE, LOG, 0, [*said(1, 2), *said(3, scope="league")])
        assert effect.effects == [[1, 2, 3]]
        ((written,),) = [effect.appended]
        assert written.before.position == 0
        assert [one.record for append in written.appends for one in append.events] == [b"1", b"2", b"3"]
        async with connection(database) as own:
            assert [tuple(row) for row in await own.fetch(STATES)] == [(1, "done"), (2, "done"), (3, "done")]


@pytest.mark.parametrize(("log", "behind"), [(LOG, 0), (LOG, 2), (UUID(int=8), 1)])
async def test_who_believes_the_cursor_elsewhere_receives_nothing(database: str, log: UUID, behind: int) -> None:
    effect = Counted()
    async with reacting(database, effect, effect.appended) as reactions:
        assert await reactions.receive(SOURCE, LOG, 0, said(1))
        assert not await reactions.receive(SOURCE, log, behind, said(behind + 1))
        assert effect.effects == [[1]]
        assert len(effect.appended) == 1
        async with connection(database) as own:
            assert [tuple(row) for row in await own.fetch(STATES)] == [(1, "done")]


async def test_what_waits_takes_effect_before_what_comes(database: str) -> None:
    effect = Counted()
    async with reacting(database, effect) as reactions, connection(database) as own:
        await own.execute("insert into inbox.scopes (scope) values ('cup'), ('league')")
        async with own.transaction():  # another copy works on the scope
            await own.execute("select from inbox.scopes where scope = 'cup' for update")
            assert await reactions.receive(SOURCE, LOG, 0, [*said(1), *said(2, scope="league")])
            assert effect.effects == [[2]]
            assert [tuple(row) for row in await own.fetch(STATES)] == [(1, "waiting"), (2, "done")]
        assert await reactions.receive(SOURCE, LOG, 2, said(3, 4))
        await done(own, 4)
        assert [one for several in effect.effects for one in several] == [2, 1, 3, 4]


async def test_what_fails_is_received_all_the_same_and_tried_again(database: str) -> None:
    effect = Counted()
    effect.fails = True
    async with reacting(database, effect, effect.appended) as reactions, connection(database) as own:
        assert await reactions.receive(SOURCE, LOG, 0, said(1))
        assert await own.fetchval("select count(*) from log.log") == 0
        assert [tuple(row) for row in await own.fetch(STATES)] == [(1, "waiting")]
        effect.fails = False
        assert await reactions.receive(SOURCE, LOG, 1, said(2))
        await done(own, 2)
        assert [one for several in effect.effects for one in several] == [1, 2]
        assert [int(record) for (record,) in await own.fetch("select record from log.log order by position")] == [1, 2]


async def test_a_crash_that_forgets_what_was_received_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """Of a database that hands things to the disk only now and then; nobody says anything more."""
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    lazy = {"wal_writer_delay": "10s", "wal_writer_flush_after": "1GB"}
    async with (
        postgres.running(tmp_path / "there") as source,
        postgres.running(tmp_path / "here", settings=lazy) as server,
        nats.running(tmp_path) as broker,
    ):
        for one in (source, server):
            await make_template(one.url)
        of_source, own = (at(one.url, database=TEMPLATE, user=ROLE, password=PASSWORD) for one in (source, server))
        effects: list[int] = []

        async def effect(_: Connection, events: Sequence[Received]) -> None:
            effects.extend(event.number for event in events)

        listener = Listener(own, broker.urls, effect=effect, source="results")
        async with speaker(of_source, broker.urls, "results") as store, listener.running():
            await say(store, 200)
            await until(lambda: len(effects) == 200)
            await server.kill()
            await server.start()
            await until(lambda: effects[-1] == 200 and len(effects) > 200)  # what was forgotten has come again
        async with connection(own) as database:
            states = [tuple(row) for row in await database.fetch(STATES)]
        assert states == [(number, "done") for number in range(1, 201)]


async def done(own: AdminConnection, events: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while await own.fetchval("select count(*) from inbox.events where state = 'done'") < events:
            await asyncio.sleep(0.02)


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.02)
