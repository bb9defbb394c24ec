"""The log in memory: for tests of everything that stands on a log."""

import asyncio
from collections.abc import AsyncIterator, Callable
from uuid import UUID

from shared.ids import new_id
from shared.log.store import PAGE, Answer, Append, Head, IdTaken, KeyTaken, Recorded, VersionConflict


class MemoryStore:
    def __init__(self) -> None:
        self._log: list[Recorded] = []
        self._public: list[Recorded] = []
        self._versions: dict[str, int] = {}
        self._places: dict[object, Recorded] = {}
        self._answers: dict[bytes, Answer] = {}
        self._moved = asyncio.Event()
        self._incarnation = new_id()

    async def append(self, append: Append) -> Head:
        there = [self._places[event.id] for event in append.events if event.id in self._places]
        if there and [recorded.event for recorded in there] == list(append.events):
            return self._head_at(there[-1].position)
        if there:
            raise IdTaken("another event bears one of these ids")
        if append.answer and (answer := self._answers.get(append.answer.key)):
            raise KeyTaken(answer)
        if any(self._versions.get(stream, 0) != version for stream, version in append.expected.items()):
            raise VersionConflict(", ".join(append.expected))
        for event in append.events:
            public = len(self._public) + 1 if event.message is not None else None
            recorded = Recorded(position=len(self._log) + 1, public=public, event=event)
            self._log.append(recorded)
            if public:
                self._public.append(recorded)
            self._versions[event.stream] = event.version
            self._places[event.id] = recorded
        if append.answer:
            self._answers[append.answer.key] = append.answer
        self._moved.set()
        self._moved = asyncio.Event()
        return await self.head()

    async def answer(self, key: bytes) -> Answer | None:
        return self._answers.get(key)

    async def head(self) -> Head:
        return Head(position=len(self._log), public=len(self._public))

    async def incarnation(self) -> UUID:
        return self._incarnation

    async def read(self, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        return self._log[after : after + limit]

    async def read_public(self, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        return self._public[after : after + limit]

    async def read_stream(self, stream: str, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        return self._page(lambda r: r.event.stream == stream and r.event.version > after, limit)

    async def read_scope(self, scope: str, *, after: int = 0, limit: int = PAGE) -> list[Recorded]:
        return self._page(lambda r: r.event.scope == scope and r.position > after, limit)

    async def follow(self, *, after: int = 0) -> AsyncIterator[list[Recorded]]:
        while True:
            moved = self._moved
            while page := await self.read(after=after):
                yield page
                after = page[-1].position
            await moved.wait()

    async def follow_public(self, *, after: int = 0) -> AsyncIterator[list[Recorded]]:
        while True:
            moved = self._moved
            while page := await self.read_public(after=after):
                yield page
                after += len(page)
            await moved.wait()

    def _page(self, wanted: Callable[[Recorded], bool], limit: int) -> list[Recorded]:
        return [recorded for recorded in self._log if wanted(recorded)][:limit]

    def _head_at(self, position: int) -> Head:
        return Head(position=position, public=sum(r.public is not None for r in self._log[:position]))
