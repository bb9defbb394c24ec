"""Work that one copy of a service does for all: whatever its connection dies of, it is taken up again."""

import asyncio

import asyncpg
import pytest

from shared.background import Work
from shared.log import lease
from shared.refusals import Unavailable
from tests.patience import PATIENCE


@pytest.mark.parametrize(
    "broken",
    [
        ConnectionResetError(),
        asyncpg.CannotConnectNowError("the database system is starting up"),
        asyncpg.InterfaceError("connection is closed"),
        asyncpg.InternalClientError("cannot switch to state 11; another operation (2) is in progress"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_work_is_taken_up_again(broken: Exception, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "PAUSE", 0.01)
    begun = asyncio.Queue[bool]()

    async def work() -> None:
        is_first = begun.empty()
        await begun.put(is_first)
        if is_first:
            raise broken
        await asyncio.Event().wait()

    holding = Work("work", lambda: lease.hold(database, "work", work))
    async with asyncio.timeout(PATIENCE), holding.running():
        while begun.qsize() < 2:
            await asyncio.sleep(0.01)
        await holding.check()


async def test_a_fault_of_our_own_ends_the_work_and_is_named(database: str, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        raise ZeroDivisionError

    holding = Work("work", lambda: lease.hold(database, "work", work))

    async def watch() -> None:
        while True:
            await holding.check()
            await asyncio.sleep(0.01)

    async with asyncio.timeout(PATIENCE), holding.running():
        with pytest.raises(Unavailable, match=r"the work has stopped: ZeroDivisionError"):
            await watch()
    assert [one.getMessage() for one in caplog.records if one.exc_info] == ["the work has stopped"]
