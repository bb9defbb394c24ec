"""A service's part of a bundle, written while it is sent: a bundle of one log, of any size, through little memory."""

import asyncio
import zipfile
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from heapq import merge
from importlib.metadata import version
from itertools import batched
from operator import attrgetter

import msgspec

from shared.bundle.container import BundleWriter
from shared.checkpoints.kept import Checkpoints, KeptCheckpoint, NotSigned
from shared.log.contents import Contents
from shared.log.store import PAGE, EventStore, Recorded
from shared.log.trees import Trees
from shared.proof.moments import DECISIVE
from shared.proof.tree import around, between
from shared.refusals import NotFound

PROGRAM = f"roundlog {version('roundlog')}"
SEALED_TABLE = "TableSealed"
EARLIER = 500  # checkpoints that are put beside the newest, at most
GLANCE, GLANCES = 0.25, 10  # seconds between two looks whether the last of it is signed
SPANS = 200  # of a proof whose tiles are looked up at once


class NothingHere(NotFound):
    """This service knows nothing of the tournament."""


class Outlet:
    """What an archive writes into, and whoever sends it takes out of. It never goes back, so that nothing has to be kept."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        pass

    def taken(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


class BundleParts:
    """`also` are types of events about the federation that belong to its tournaments: who was appointed."""

    def __init__(
        self,
        *,
        service: str,
        store: EventStore,
        trees: Trees,
        checkpoints: Checkpoints,
        contents: Contents | None = None,
        also: frozenset[str] = frozenset(),
    ) -> None:
        self._service = service
        self._store = store
        self._trees = trees
        self._checkpoints = checkpoints
        self._contents = contents
        self._also = also

    async def checkpoint(self, tournament: str) -> KeptCheckpoint:
        """Under which all of it stands that has happened so far; that is awaited as long as what is decisive waits for it."""
        if not await self._store.read_scope(tournament, limit=1):
            raise NothingHere("Nothing of this tournament is here: look at its id, or whether it has begun.")
        newest = await self._checkpoints.newest()
        for _ in range(GLANCES if newest else 0):
            if found := await self._checkpoints.behind_scope(tournament):
                return found
            await asyncio.sleep(GLANCE)
        if found := newest and await self._checkpoints.newest():
            return found
        raise NotSigned("The log is not signed yet: try again in a minute.")

    async def pieces(self, tournament: str, above: str | None, kept: KeptCheckpoint) -> AsyncIterator[bytes]:
        """The zip, piece by piece."""
        outlet = Outlet()
        with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as archive:  # pyright: ignore[reportArgumentType, reportCallIssue] - it writes, and no more
            writer = BundleWriter(archive, tournament=tournament, program=PROGRAM)
            async for _ in self._files(writer, tournament, above, kept):
                if piece := outlet.taken():
                    yield piece
            writer.finish()
        yield outlet.taken()

    async def _files(
        self, writer: BundleWriter, tournament: str, above: str | None, kept: KeptCheckpoint
    ) -> AsyncIterator[None]:
        """Whenever it stops here, something may be sent."""
        folder, size = f"logs/{self._service}", kept.checkpoint.size
        writer.add(f"{folder}/checkpoint", [bytes(kept.note)])
        single = await self._single(above, size)
        indexes, moments, tables = list[int](), list[int](), set[str]()
        with writer.file(f"{folder}/positions") as positions:
            async for page in self._pages(tournament, single, size):
                positions.write(b"".join(b"%d\n" % one.position for one in page))
                indexes += [one.position - 1 for one in page]
                moments += [one.position for one in page if one.event.type in DECISIVE]
                tables |= {table_of(one.event.record) for one in page if one.event.type == SEALED_TABLE}
                yield
        for part, line in (("numbers", number_line), ("records", record_line), ("messages", message_line)):
            with writer.file(f"{folder}/{part}") as opened:
                async for page in self._pages(tournament, single, size):
                    await asyncio.to_thread(opened.write, b"".join(map(line, page)))
                    yield
        with writer.file(f"{folder}/inclusion") as opened:
            for spans in batched(around(indexes, size), SPANS):
                opened.write(b"".join(await self._trees.proof("log", spans)))
                yield
        for digest in sorted(tables):
            if content := await self._table(digest):
                writer.add(f"tables/{digest}", [content])
                yield
        for earlier in await self._earlier(moments, kept):
            name, old = f"{folder}/checkpoints/{earlier.checkpoint.size}", earlier.checkpoint.size
            writer.add(name, [bytes(earlier.note)])
            writer.add(f"{name}.proof", await self._trees.proof("log", between(old, size)))
            yield

    async def _table(self, digest: str) -> bytes | None:
        return (await self._contents.read([digest])).get(digest) if self._contents else None

    async def _single(self, above: str | None, size: int) -> Sequence[Recorded]:
        """Events about the federation, each for itself."""
        found = list[Recorded]()
        if above is None or not self._also:
            return found
        after = 0
        while page := await self._store.read_scope(above, after=after):
            found += [one for one in page if one.event.type in self._also and one.position <= size]
            after = page[-1].position
            if len(page) < PAGE:
                break
        return found

    async def _pages(self, tournament: str, single: Sequence[Recorded], size: int) -> AsyncIterator[Sequence[Recorded]]:
        """All that belongs to the bundle, in the order of the log, as far as the checkpoint goes."""
        after, rest = 0, list(single)
        while page := await self._store.read_scope(tournament, after=after):
            after = page[-1].position
            is_last = len(page) < PAGE or after >= size
            own = [one for one in page if one.position <= size]
            here = rest if is_last else [one for one in rest if one.position < after]
            rest = rest[len(here) :]
            yield list(merge(own, here, key=attrgetter("position")))
            if is_last:
                break

    async def _earlier(self, moments: Iterable[int], kept: KeptCheckpoint) -> list[KeptCheckpoint]:
        """The first checkpoint behind each moment on which others rest."""
        found = dict[int, KeptCheckpoint]()
        reached = 0
        for position in moments:
            if position <= reached or len(found) >= EARLIER:
                continue
            one = await self._checkpoints.covering(position)
            if one is None or one.checkpoint.size >= kept.checkpoint.size:
                break
            reached = one.checkpoint.size
            if one.checkpoint.origin == kept.checkpoint.origin:
                found[reached] = one
        return list(found.values())


class SealedRecord(msgspec.Struct, frozen=True):
    """The part of a record that names a table by its hash."""

    class SealedData(msgspec.Struct, frozen=True):
        table: str

    data: SealedData


def table_of(record: bytes) -> str:
    return msgspec.json.decode(record, type=SealedRecord).data.table


def number_line(recorded: Recorded) -> bytes:
    return b"\n" if recorded.public is None else b"%d\n" % recorded.public


def record_line(recorded: Recorded) -> bytes:
    return recorded.event.record + b"\n"


def message_line(recorded: Recorded) -> bytes:
    return (recorded.event.message or b"") + b"\n"


def joined(writer: BundleWriter, parts: Iterable[tuple[str, Iterator[bytes]]]) -> None:
    """Files of several parts in one bundle; what two of them name by the same hash is the same."""
    for name, pieces in parts:
        if not writer.has(name):
            writer.add(name, pieces)
