"""A service's part of a bundle, written while it is sent: a bundle of one log, of any size, through little memory."""

import asyncio
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from heapq import merge
from importlib.metadata import version
from itertools import batched
from operator import attrgetter

import msgspec

from shared.access.asker import ENTRANT
from shared.bundle.container import BundleWriter
from shared.checkpoints.checkpoint_store import Checkpoints, KeptCheckpoint, NotSigned
from shared.checkpoints.stream import SIGNED_LOG, LogRestored
from shared.contracts import Told
from shared.log.contents import Contents
from shared.log.store import PAGE, EventStore, Recorded
from shared.log.trees import Trees
from shared.personal.openings import Openings
from shared.proof.moments import DECISIVE
from shared.proof.notes import Checkpoint, Note
from shared.proof.tiles import WIDTH
from shared.proof.tree import HASH, around, between
from shared.refusals import NotFound

PROGRAM = f"roundlog {version('roundlog')}"
NAMED = {"TableSealed": "tables", "RecordAttached": "contents"}  # what events name by its hash, and where it goes
OF_THE_LOG = frozenset(event.__name__ for event in SIGNED_LOG.events)  # its keys, and that it was restored
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
    """`also` are types of events about the federation that belong to its tournaments: who was appointed. `linking` are those that
    say whose an account is: only of accounts that have acted in the tournament, since the others are nobody's business here.
    """

    def __init__(
        self,
        *,
        service: str,
        store: EventStore,
        trees: Trees,
        checkpoints: Checkpoints,
        contents: Contents | None = None,
        openings: Openings | None = None,
        also: frozenset[str] = frozenset(),
        linking: frozenset[str] = frozenset(),
    ) -> None:
        self._service = service
        self._store = store
        self._trees = trees
        self._checkpoints = checkpoints
        self._contents = contents
        self._openings = openings
        self._also = also
        self._linking = linking

    async def checkpoint(self, tournament: str, above: str | None) -> KeptCheckpoint:
        """Under which all of it stands that has happened so far, also above it where that is told; that is awaited as long as what is decisive waits for it."""
        if not await self._store.read_scope(tournament, limit=1):
            raise NothingHere("Nothing of this tournament is here: look at its id, or whether it has begun.")
        scopes = [tournament, above] if above is not None and self._also else [tournament]
        newest = await self._checkpoints.newest()
        for _ in range(GLANCES if newest else 0):
            if found := await self._checkpoints.behind_scopes(scopes):
                return found
            await asyncio.sleep(GLANCE)
        if found := newest and await self._checkpoints.newest():
            return found
        raise NotSigned("The log is not signed yet: try again in a minute.")

    async def pieces(
        self, tournament: str, above: str | None, kept: KeptCheckpoint, *, is_opened: bool = False
    ) -> AsyncGenerator[bytes]:
        """The zip, piece by piece."""
        outlet = Outlet()
        with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as archive:  # pyright: ignore[reportArgumentType, reportCallIssue] - it writes, and no more
            writer = BundleWriter(archive, tournament=tournament, program=PROGRAM)
            async with aclosing(self._files(writer, tournament, above, kept)) as files:
                async for _ in files:  # closed first where nobody takes the rest: in an open file no archive can end
                    if piece := outlet.taken():
                        yield piece
            if is_opened:
                async for commitment, salted in self._opened(tournament, kept.checkpoint.size):
                    writer.add(f"opened/{commitment}", [salted])
                    yield outlet.taken()
            writer.finish()
        yield outlet.taken()

    async def _files(
        self, writer: BundleWriter, tournament: str, above: str | None, kept: KeptCheckpoint
    ) -> AsyncGenerator[None]:
        """Whenever it stops here, something may be sent."""
        folder, size = f"logs/{self._service}", kept.checkpoint.size
        writer.add(f"{folder}/checkpoint", [bytes(kept.note)])
        single = await self._single(tournament, above, size)
        indexes, moments, named = list[int](), list[int](), set[tuple[str, str]]()
        with writer.file(f"{folder}/positions") as positions:
            async for page in self._pages(tournament, single, size):
                positions.write(b"".join(b"%d\n" % one.position for one in page))
                indexes += [one.position - 1 for one in page]
                moments += [one.position for one in page if one.event.type in DECISIVE]
                named |= {
                    (NAMED[one.event.type], named_in(one.event.record)) for one in page if one.event.type in NAMED
                }
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
        with writer.file(f"{folder}/leaves") as opened:
            for some in batched(indexes, PAGE):
                opened.write(await self._leaves(some))
                yield
        for where, digest in sorted(named):
            if content := await self._content(digest):
                writer.add(f"{where}/{digest}", [content])
                yield
        notes = {one.checkpoint.size: bytes(one.note) for one in await self._earlier(moments, kept)}
        for old, note in {**formerly(single), **notes}.items():
            name = f"{folder}/checkpoints/{old}"
            writer.add(name, [note])
            writer.add(f"{name}.proof", await self._trees.proof("log", between(old, size)))
            yield

    async def _leaves(self, indexes: Sequence[int]) -> bytes:
        """As the tree has them: where a record was changed since, they say which."""
        tiles = await self._trees.tiles("log", sorted({(0, index // WIDTH) for index in indexes}))
        places = [(tiles.get((0, index // WIDTH), b""), index % WIDTH * HASH) for index in indexes]
        return b"".join([hashes[at : at + HASH] for hashes, at in places])

    async def _opened(self, tournament: str, size: int) -> AsyncIterator[tuple[str, bytes]]:
        """What lies beside the log about persons, as far as it was not erased."""
        async for one in self._all_of(tournament, size):
            if self._openings is not None and BESIDE in one.event.record:
                commitments = PRIVATE.decode(one.event.record).data.beside.values()
                for commitment, salted in (await self._openings.salted(commitments)).items():
                    yield commitment, salted

    async def _content(self, digest: str) -> bytes | None:
        return (await self._contents.read([digest])).get(digest) if self._contents else None

    async def _single(self, tournament: str, above: str | None, size: int) -> Sequence[Recorded]:
        """Events about the federation and about the log itself, each for itself."""
        found = [one async for one in self._all_of(self._service, size) if one.event.type in OF_THE_LOG]
        if above is not None and self._also:
            accounts = await self._accounts(tournament, size) if self._linking else frozenset[str]()
            found += [
                one
                async for one in self._all_of(above, size)
                if one.event.type in self._also
                or (one.event.type in self._linking and LINKED.decode(one.event.record).data.subject in accounts)
            ]
        return sorted(found, key=attrgetter("position"))

    async def _accounts(self, tournament: str, size: int) -> frozenset[str]:
        """Those that have acted as entrants."""
        acting = [ACTORS.decode(one.event.record) async for one in self._all_of(tournament, size)]
        return frozenset(one.actor for one in acting if one.role == ENTRANT)

    async def _all_of(self, scope: str, size: int) -> AsyncIterator[Recorded]:
        after = 0
        while page := await self._store.read_scope(scope, after=after):
            for one in page:
                if one.position <= size:
                    yield one
            after = page[-1].position
            if len(page) < PAGE:
                break

    async def _pages(self, tournament: str, single: Sequence[Recorded], size: int) -> AsyncIterator[Sequence[Recorded]]:
        """All that belongs to the bundle, in the order of the log, as far as the checkpoint goes."""
        after, rest, is_last = 0, list(single), False
        while not is_last:
            page = await self._store.read_scope(tournament, after=after)
            after = page[-1].position if page else size
            is_last = len(page) < PAGE or after >= size
            own = [one for one in page if one.position <= size]
            here = rest if is_last else [one for one in rest if one.position < after]
            rest = rest[len(here) :]
            yield list(merge(own, here, key=attrgetter("position")))

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


def formerly(single: Iterable[Recorded]) -> dict[int, bytes]:
    """The last checkpoints, by their sizes, that the log had signed under former names, where all of that was kept."""
    restored = [SIGNED_LOG.read(one) for one in single if one.event.type == LogRestored.__name__]
    notes = [(one.former.encode(), one.kept) for one in restored if isinstance(one, LogRestored)]
    sizes = [(Checkpoint.parse(Note.parse(note).text).size, note, kept) for note, kept in notes]
    return {size: note for size, note, kept in sizes if 0 < size == kept}


class ActingRecord(msgspec.Struct, frozen=True):
    """The part of a record that says who acted."""

    actor: str
    role: str | None = None


class LinkingData(msgspec.Struct, frozen=True):
    """Whose an account is."""

    subject: str


class NamingData(msgspec.Struct, frozen=True):
    """Something that is named by its hash."""

    table: str = ""
    content: str = ""


class PrivateData(msgspec.Struct, frozen=True):
    """Commitments to what lies beside the log."""

    beside: dict[str, str] = {}


BESIDE = b'"beside":{'
ACTORS = msgspec.json.Decoder(ActingRecord)
LINKED = msgspec.json.Decoder(Told[LinkingData])
NAMING = msgspec.json.Decoder(Told[NamingData])
PRIVATE = msgspec.json.Decoder(Told[PrivateData])


def named_in(record: bytes) -> str:
    data = NAMING.decode(record).data
    return data.table or data.content


def number_line(recorded: Recorded) -> bytes:
    return b"\n" if recorded.public is None else b"%d\n" % recorded.public


def record_line(recorded: Recorded) -> bytes:
    return recorded.event.record + b"\n"


def message_line(recorded: Recorded) -> bytes:
    return (recorded.event.message or b"") + b"\n"
