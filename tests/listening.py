"""Somebody who listens to a live stream over HTTP."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx

from shared.values import Value
from tests.patience import PATIENCE


class Heard(Value):
    """One block of a stream: its fields, or none for a heartbeat."""

    id: str | None = None
    event: str | None = None
    data: str | None = None
    retry: str | None = None


HEARTBEAT = Heard()


class Listener:
    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._blocks = blocks(answer.aiter_lines())

    async def next(self) -> Heard:
        return await asyncio.wait_for(anext(self._blocks), PATIENCE)

    async def next_event(self) -> Heard:
        while (heard := await self.next()).event is None:
            pass
        return heard

    async def rest(self) -> list[Heard]:
        """What comes until the stream ends, which it has to do in order."""
        return await asyncio.wait_for(self._rest(), PATIENCE)

    async def _rest(self) -> list[Heard]:
        return [heard async for heard in self._blocks]


async def blocks(lines: AsyncIterator[str]) -> AsyncGenerator[Heard]:
    fields: dict[str, str] = {}
    async for line in lines:
        if not line:
            yield Heard(**fields)
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


@asynccontextmanager
async def listening(url: str, headers: Mapping[str, str], *, behind: str | None = None) -> AsyncGenerator[Listener]:
    """The first block, which says where the stream begins, has come when the block begins."""
    resumed = {} if behind is None else {"Last-Event-ID": behind}
    async with (
        httpx.AsyncClient(timeout=PATIENCE) as client,
        client.stream("GET", url, headers={**headers, **resumed}) as a,
    ):
        assert a.status_code == httpx.codes.OK, await a.aread()
        listener = Listener(a)
        assert (await listener.next()).retry
        yield listener
