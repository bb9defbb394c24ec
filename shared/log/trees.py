"""The trees over a log, kept beside it: they follow the log, so that nobody who writes ever waits for a hash.

There are two, over the whole log and over the messages alone. What is kept of them are their tiles (`migrations/proof.sql`),
in the same transaction as their sizes; what a follower has in its memory are their right edges.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, override

from shared.clock import Now
from shared.log.database import Database
from shared.log.envelope import is_as_recorded, time_of
from shared.log.follower import LONGEST, LogFollower, again_later
from shared.log.lease import hold
from shared.log.store import EventStore, Head, Recorded
from shared.proof.leaves import leaves_of
from shared.proof.tiles import WIDTH, RightEdge, Tile, TileId, Tiles, edge_at, edge_tiles, grow, nodes, sought
from shared.proof.tree import HASH, Span
from shared.refusals import Unavailable
from shared.values import Value

type TreeName = Literal["log", "messages"]
type Leaves = tuple[bytes, bytes | None]  # of an event, and of what was said of it
type Seen = Callable[[Sequence[Recorded], bytes], None]  # events, and their leaves in the tree of the log

NAMES: tuple[TreeName, ...] = ("log", "messages")
LEAF_OF: Mapping[TreeName, str] = {"log": "event", "messages": "message"}
AT_ONCE = 500  # events that are read again at once: whoever waits for an answer meanwhile waits for so many
GATHER = 0.2  # seconds in which events gather: nobody waits for a tree, and a tile is written once for all of them

# What a crash takes away is made anew from the log: nobody has to wait until it is on disk.
MADE_ANEW = {"synchronous_commit": "off"}

HEAD = "select position, public from proof.head"
TILES = """
  select level, number, hashes from proof.tiles join unnest($2::int[], $3::bigint[]) wanted(level, number)
  using (level, number) where tree = $1
"""
GROW = "select proof.grow($1, $2, $3, $4, $5, $6, $7, $8)"


class TreeDiffers(Exception):
    """An event, or what was said of it, is not what it was when the tree took it; or the tree is not."""


class HashDiffers(TreeDiffers):
    """A hash of a tree does not follow from what is under it. Which of the two was changed only somebody knows who has signed one."""

    def __init__(self, tree: TreeName, level: int, index: int, *, upto: int) -> None:
        what = f"{LEAF_OF[tree]} {index + 1}" if level == 0 else f"hash {index} on level {level}"
        self.upto = upto  # the last event of the log under it
        self.of_tree = f"the tree of the {tree} was changed at {what}, and the events under it are what they were when they were signed"
        super().__init__(f"{what} is not what it was when the tree of the {tree} took it, or that tree was changed")


class Edges(Value):
    """Where both trees go on."""

    log: RightEdge = RightEdge()
    messages: RightEdge = RightEdge()

    @property
    def head(self) -> Head:
        return Head(position=self.log.size, public=self.messages.size)

    def grown(self, page: Sequence[Recorded]) -> tuple["Edges", list[tuple[TreeName, Tile]]]:
        """With the next events of the log, and the tiles to keep."""
        return self.grown_by(self.leaves(page))

    def leaves(self, page: Sequence[Recorded]) -> Sequence[Leaves]:
        """Those of the next events, in both trees."""
        self._require_next(page)
        return [leaves_of(recorded.event.record, recorded.event.message) for recorded in page]

    def grown_by(self, leaves: Sequence[Leaves]) -> tuple["Edges", list[tuple[TreeName, Tile]]]:
        log, of_log = grow(self.log, [leaf for leaf, _ in leaves])
        messages, of_messages = grow(self.messages, [said for _, said in leaves if said is not None])
        changed: list[tuple[TreeName, Tile]] = [("log", tile) for tile in of_log]
        return Edges(log=log, messages=messages), changed + [("messages", tile) for tile in of_messages]

    def _require_next(self, page: Sequence[Recorded]) -> None:
        public = self.messages.size
        for position, recorded in enumerate(page, self.log.size + 1):
            public += recorded.event.message is not None
            expected = public if recorded.event.message is not None else None
            if (recorded.position, recorded.public) != (position, expected):
                raise TreeDiffers(
                    f"where event {position} should stand is {recorded.position}, said as {recorded.public}"
                )


class Trees:
    """The trees as they are kept. Whoever reads them takes part in nothing that is written."""

    def __init__(self, database: str) -> None:
        self._database = Database(database, connections=2, patience=LONGEST, settings=MADE_ANEW)
        self.running = self._database.running

    async def head(self) -> Head:
        (row,) = await self._database.fetch(HEAD)
        return Head(**row)

    async def lag(self, store: EventStore, now: Now) -> float:
        """For how many seconds the first event that they lack has been in the log."""
        missing = await store.read(after=(await self.head()).position, limit=1)
        return max(0.0, (now() - time_of(missing[0].event.record)).total_seconds()) if missing else 0.0

    async def edges(self) -> Edges:
        head = await self.head()
        return Edges(log=await self._edge("log", head.position), messages=await self._edge("messages", head.public))

    async def tiles(self, tree: TreeName, wanted: Collection[TileId]) -> Tiles:
        levels, numbers = [level for level, _ in wanted], [number for _, number in wanted]
        rows = await self._database.fetch(TILES, tree, levels, numbers)
        return {(row["level"], row["number"]): row["hashes"] for row in rows}

    async def tile(self, tree: TreeName, level: int, number: int, width: int = WIDTH) -> bytes | None:
        """As it was when it had so many hashes; none where it never had as many."""
        found = (await self.tiles(tree, [(level, number)])).get((level, number), b"")
        return found[: width * HASH] if len(found) >= width * HASH else None

    async def proof(self, tree: TreeName, spans: Iterable[Span]) -> list[bytes]:
        """The roots of these subtrees, which `beside`, `between` or `around` has named."""
        wanted = list(spans)
        return nodes(wanted, await self.tiles(tree, sought(wanted)))

    async def root(self, tree: TreeName, size: int) -> bytes:
        """That which the tree had at a size."""
        return (await self._edge(tree, size)).root

    async def grow(self, before: Head, after: Head, changed: Sequence[tuple[TreeName, Tile]]) -> None:
        names, tiles = [name for name, _ in changed], [tile for _, tile in changed]
        levels, numbers = [tile.level for tile in tiles], [tile.number for tile in tiles]
        sizes = before.position, before.public, after.position, after.public
        with again_later():
            await self._database.execute(GROW, *sizes, names, levels, numbers, [tile.hashes for tile in tiles])

    async def _edge(self, tree: TreeName, size: int) -> RightEdge:
        wanted = [(level, number) for level, number, width in edge_tiles(size) if width]
        return edge_at(size, await self.tiles(tree, wanted))


class TreeFollower(LogFollower):
    """Keeps the trees up with the log. One copy of a service does it for all, and another one when that is gone."""

    def __init__(self, *, trees: Trees, store: EventStore, database: str) -> None:
        super().__init__(name="the tree", version=1, store=store)
        self._trees = trees
        self._url = database
        self._edges = Edges()

    @override
    async def _follow(self) -> None:
        await hold(self._url, "trees", super()._follow)

    @override
    async def _begin(self) -> int:
        self._edges = await self._trees.edges()
        return self._edges.head.position

    @override
    async def _take(self, page: Sequence[Recorded]) -> None:
        edges, changed = self._edges.grown(page)
        await self._trees.grow(self._edges.head, edges.head, changed)
        self._edges = edges

    @property
    @override
    def _breath(self) -> float:
        return GATHER


def unseen(_: Sequence[Recorded], __: bytes) -> None:
    """Nobody looks at what is read."""


async def recheck(
    store: EventStore, trees: Trees, *, behind: Edges | None = None, until: int | None = None, seen: Seen = unseen
) -> Edges:
    """Read the log again, and hold it against the tiles that are kept, and its columns against its records: from its first
    event, or from where the trees had these edges; as far as they were kept when it began, or to a position.

    Raises at the first event that is no more what it was. Answers both trees as they came out. Half of the time is left to
    others, since nobody waits for this.
    """
    kept, edges = await trees.head(), behind or Edges()
    if kept.position < edges.head.position:
        if (log := await store.head()).position < edges.head.position:
            raise TreeDiffers(f"the log ends with event {log.position}, and had {edges.head.position}")
        raise Unavailable("the tree is made anew where a crash has taken its end away")
    end = kept.position if until is None else min(until, kept.position)
    while (read := edges.head.position) < end:
        page = await store.read(after=read, limit=min(AT_ONCE, end - read))
        if not page:
            raise TreeDiffers(f"the log ends with event {read}, and had {kept.position}")
        began = time.perf_counter()
        leaves = edges.leaves(page)
        count = len(page)
        odd = next((nr for nr, one in enumerate(page) if not is_as_recorded(one.event)), count)
        # What comes first is named, whatever is wrong with it.
        seen(page[: odd + 1], b"".join([leaf for leaf, _ in leaves[: odd + 1]]))
        edges, changed = edges.grown_by(leaves[:odd])
        took = time.perf_counter() - began
        for tree in NAMES:
            computed = {(tile.level, tile.number): tile.hashes for name, tile in changed if name == tree}
            require_same(tree, computed, await trees.tiles(tree, computed), page)
        if odd < count:
            position = edges.log.size + 1
            raise TreeDiffers(f"event {position} stands in the log as something else than its record says")
        await asyncio.sleep(took)
    if end == kept.position and edges.head != kept:
        raise TreeDiffers(f"of {kept.position} events {kept.public} were told, and now {edges.head.public}")
    return edges


def require_same(tree: TreeName, computed: Tiles, kept: Tiles, page: Sequence[Recorded]) -> None:
    """What is kept may have grown since. The leaves come first, so that an event is named wherever one is at fault."""
    for (level, number), hashes in sorted(computed.items()):
        found = kept.get((level, number), b"")[: len(hashes)]
        if found != hashes:
            at = next(at for at in range(0, len(hashes), HASH) if found[at : at + HASH] != hashes[at : at + HASH])
            index = number * WIDTH + at // HASH
            raise HashDiffers(tree, level, index, upto=position_of(tree, (index + 1) * WIDTH**level, page))


def position_of(tree: TreeName, leaf: int, page: Sequence[Recorded]) -> int:
    """Of a message that was read before this page it is enough to know that it was."""
    if tree == "log":
        return leaf
    return next((one.position for one in page if one.public == leaf), page[0].position - 1)
