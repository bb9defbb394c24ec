"""Reading streams in groups: who asks while a question is under way shares the next one with all who wait.

So the price of a round trip is paid once for many commands, as it is with the commit of what they append.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from asyncpg import Record

MOST = 100  # streams of one question
STREAMS = """
  select wanted.nr, found.* from unnest($1::text[], $2::int[], $3::int[]) with ordinality wanted(name, after, most, nr)
  cross join lateral (
    select position, public, id, stream, version, type, scope, record, message from log.log
    where stream = wanted.name and version > wanted.after order by version limit wanted.most
  ) found
  order by wanted.nr, found.version
"""

type Fetch = Callable[[str, list[str], list[int], list[int]], Awaitable[Sequence[Record]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    stream: str
    after: int
    limit: int
    answer: "asyncio.Future[list[Record]]"


class StreamReads:
    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._waiting: list[Wanted] = []
        self._asking: asyncio.Task[None] | None = None

    async def read(self, stream: str, *, after: int, limit: int) -> list[Record]:
        """The rows of the next events of a stream; the number of the question stands before their columns."""
        answer: asyncio.Future[list[Record]] = asyncio.get_running_loop().create_future()
        self._waiting.append(Wanted(stream=stream, after=after, limit=limit, answer=answer))
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask(), name="reads of streams")
        return await answer

    async def _ask(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
            try:
                await self._answer(batch)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is for those who wait for this batch
                for wanted in batch:
                    if not wanted.answer.done():
                        wanted.answer.set_exception(error)

    async def _answer(self, batch: list[Wanted]) -> None:
        streams = [wanted.stream for wanted in batch]
        rows = await self._fetch(
            STREAMS, streams, [wanted.after for wanted in batch], [wanted.limit for wanted in batch]
        )
        found: dict[int, list[Record]] = defaultdict(list)
        for row in rows:
            found[row[0]].append(row)
        for number, wanted in enumerate(batch, start=1):
            if not wanted.answer.done():
                wanted.answer.set_result(found[number])
