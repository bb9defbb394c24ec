"""A database in which nothing can be written for a while: its disk is nearly full, or another server takes over from it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from deploy.databases import at, connection
from deploy.local import nats, postgres
from shared.log.postgres import PostgresStore
from shared.refusals import Unavailable
from tests.databases import PASSWORD, ROLE, TEMPLATE, make_template
from tests.events import adding
from tests.integration.test_read_model import copy, until_seen
from tests.neighbours import Listener, say, speaker
from tests.patience import PATIENCE


@asynccontextmanager
async def read_only(server: str) -> AsyncGenerator[None]:
    """For those as well who are connected already."""
    await be_read_only(server, "set default_transaction_read_only = on")
    try:
        yield
    finally:
        await be_read_only(server, "reset default_transaction_read_only")


async def be_read_only(server: str, how: str) -> None:
    """Returns when the server has told everybody: those who connect now are told before."""
    async with connection(server) as admin:
        await admin.execute("set default_transaction_read_only = off")
        await admin.execute(f"alter system {how}")
        await admin.execute("select pg_reload_conf()")
    wanted = "on" if how.startswith("set") else "off"
    async with asyncio.timeout(PATIENCE):
        while await shown(server) != wanted:
            await asyncio.sleep(0.02)


async def shown(server: str) -> str:
    async with connection(server) as admin:
        return await admin.fetchval("show default_transaction_read_only")


async def test_whoever_writes_hears_that_it_cannot_be_now(
    server: str, postgres_store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.log.postgres.PATIENCE", 0.5)
    await postgres_store.append(adding("a"))
    async with read_only(server):
        with pytest.raises(Unavailable, match="does not answer"):
            await postgres_store.append(adding("b"))
    await postgres_store.append(adding("c"))


async def test_a_receiver_and_its_reactions_go_on_behind_it(
    database: str, tmp_path: Path, broker: nats.NatsServer
) -> None:
    async with postgres.running(tmp_path) as other:
        await make_template(other.url)
        listener = Listener(at(other.url, database=TEMPLATE, user=ROLE, password=PASSWORD), broker.urls)
        async with speaker(database, broker.urls) as store, listener.running():
            await say(store, 3)
            await listener.has_noted(3)
            async with read_only(other.url):
                await say(store, 3)
                await asyncio.sleep(2)
            await listener.has_noted(6)
            await listener.receiver.check()
            await listener.reactions.check()


async def test_tables_that_could_not_be_begun_are_made_behind_it(server: str, database: str) -> None:
    async with AsyncExitStack() as stack:
        async with read_only(server):
            store, model = await stack.enter_async_context(copy(database))
            await asyncio.sleep(0.5)
            await model.check()
        await store.append(adding("a"))
        await until_seen(database, "a")
        await model.check()
