"""What the trees of a log promise: they follow it, each event once and in order, whatever happens on the way; nobody changes
them by the rights of a service; and whoever changes the log with all rights is told by the event."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256

import asyncpg
import msgspec
import pytest

from deploy.databases import at, connection
from deploy.local.errors import CannotRun
from deploy.local.rebuild import require_own_log
from shared.ids import new_id
from shared.log import follower, lease
from shared.log import trees as kept
from shared.log.envelope import RecordColumns
from shared.log.postgres import PostgresStore
from shared.log.store import Append, Event, EventStore, Head
from shared.log.trees import HashDiffers, TreeDiffers, TreeFollower, Trees, recheck
from shared.proof.leaves import log_leaf, message_leaf
from shared.proof.tiles import Tile
from shared.proof.tree import beside, between, root_over, verify_consistency, verify_inclusion
from shared.refusals import Unavailable
from tests.databases import cut_connections
from tests.events import everything
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "PAUSE", 0.05)
    monkeypatch.setattr(lease, "PAUSE", 0.05)
    monkeypatch.setattr(kept, "GATHER", 0.01)


@asynccontextmanager
async def copy(database: str) -> AsyncGenerator[tuple[PostgresStore, Trees, TreeFollower]]:
    """One copy of a service: its log, and what keeps the trees."""
    store, trees = PostgresStore(database), Trees(database)
    following = TreeFollower(trees=trees, store=store, database=database)
    async with store.running(), trees.running(), following.running():
        yield store, trees, following


def happened(stream: str, version: int, *, is_told: bool = True) -> Event:
    """As the log has it: what stands in the columns is what the record says."""
    message = f"{stream} {version} was told".encode() if is_told else None
    of_message = sha256(message).hexdigest() if message else None
    placed = RecordColumns(new_id(), stream, version, "Happened", "scope", of_message)
    return Event(
        id=placed.id,
        stream=stream,
        version=version,
        type=placed.type,
        scope=placed.scope,
        record=msgspec.json.encode(placed),
        message=message,
    )


def many(stream: str, events: int, *, after: int = 0) -> Append:
    """Every third of them says nothing to neighbours."""
    numbers = range(after + 1, after + events + 1)
    return Append(expected={stream: after}, events=[happened(stream, nr, is_told=nr % 3 != 0) for nr in numbers])


async def until_kept(store: EventStore, trees: Trees) -> None:
    async with asyncio.timeout(PATIENCE):
        while await trees.head() != await store.head():
            await asyncio.sleep(0.01)


async def insisting(act: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await act()
            except Unavailable:
                await asyncio.sleep(0.05)
            else:
                return


async def require_whole(store: EventStore, trees: Trees) -> None:
    """Both trees are those over all that is in the log."""
    log = await everything(store)
    said = [one.event.message for one in log if one.event.message is not None]
    assert await trees.root("log", len(log)) == root_over([log_leaf(r.event.record, r.event.message) for r in log])
    assert await trees.root("messages", len(said)) == root_over([message_leaf(message) for message in said])
    assert (await recheck(store, trees)).head == Head(position=len(log), public=len(said))


async def test_what_is_written_is_soon_in_both_trees_and_can_be_proved(database: str) -> None:
    async with copy(database) as (store, trees, _):
        await store.append(many("a", 2))
        await store.append(many("b", 3))
        await until_kept(store, trees)
        await store.append(many("c", 700))
        await until_kept(store, trees)
        await require_whole(store, trees)
        log = await everything(store)
        size, root = len(log), await trees.root("log", len(log))
        for index in (0, 4, 300, size - 1):
            leaf = log_leaf(log[index].event.record, log[index].event.message)
            proof = await trees.proof("log", beside(index, size))
            verify_inclusion(leaf=leaf, index=index, size=size, proof=proof, root=root)
        for old in (1, 5, 256, 700):
            proof = await trees.proof("log", between(old, size))
            old_root = await trees.root("log", old)
            verify_consistency(old=old, old_root=old_root, size=size, root=root, proof=proof)


async def test_a_tile_is_served_as_it_was_at_any_size(database: str) -> None:
    async with copy(database) as (store, trees, _):
        await store.append(many("a", 300))
        await until_kept(store, trees)
        leaves = [log_leaf(r.event.record, r.event.message) for r in await everything(store)]
        assert await trees.tile("log", 0, 0) == b"".join(leaves[:256])
        assert await trees.tile("log", 0, 0, 7) == b"".join(leaves[:7])
        assert await trees.tile("log", 0, 1, 44) == b"".join(leaves[256:])
        assert await trees.tile("log", 0, 1, 45) is None
        assert await trees.tile("log", 0, 2, 1) is None
        assert await trees.tile("messages", 0, 0, 200) is not None


async def test_a_long_log_is_caught_up_with_and_gone_on_from_after_a_restart(database: str) -> None:
    store = PostgresStore(database)
    async with store.running():
        await store.append(many("a", 1500))
        async with copy(database) as (_, trees, following):
            await until_kept(store, trees)
            await following.check()
        await store.append(many("b", 600))
        async with copy(database) as (_, trees, _):
            await until_kept(store, trees)
            await require_whole(store, trees)


async def test_of_two_copies_one_keeps_the_trees_and_the_other_takes_over(database: str) -> None:
    async with AsyncExitStack() as first:
        one, *_ = await first.enter_async_context(copy(database))
        await one.append(many("a", 1))
        async with copy(database) as (other, trees, second):
            for nr in range(20):
                await (one, other)[nr % 2].append(many(f"s{nr}", 30))
            await until_kept(one, trees)
            await first.aclose()
            await other.append(many("last", 30))
            await until_kept(other, trees)
            await second.check()
            await require_whole(other, trees)


async def test_the_trees_are_gone_on_with_after_all_connections_were_cut(database: str, server: str) -> None:
    async with copy(database) as (store, trees, following):
        await store.append(many("a", 100))
        await until_kept(store, trees)
        await cut_connections(server, database)
        await insisting(lambda: store.append(many("b", 100)))
        await insisting(lambda: until_kept(store, trees))  # which may use another of the connections
        await following.check()
        await require_whole(store, trees)


async def test_a_tree_whose_end_a_crash_took_away_accuses_nobody(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a tree keeps need not be on disk when it is kept: it is made anew from the log."""
    async with copy(database) as (store, trees, _):
        await store.append(many("a", 10))
        await until_kept(store, trees)
        edges = await recheck(store, trees)

        async def before() -> Head:
            return Head(position=4, public=3)

        monkeypatch.setattr(trees, "head", before)
        with pytest.raises(Unavailable, match="made anew"):
            await recheck(store, trees, behind=edges)
        monkeypatch.setattr(store, "head", before)  # somebody has brought an older log back
        with pytest.raises(TreeDiffers, match="the log ends with event 4, and had 10"):
            await recheck(store, trees, behind=edges)


async def test_who_was_overtaken_keeps_nothing_and_begins_again(database: str) -> None:
    async with copy(database) as (store, trees, _):
        await store.append(many("a", 10))
        await until_kept(store, trees)
        late = Tile(level=0, number=0, hashes=bytes(32))
        with pytest.raises(Unavailable):
            await trees.grow(Head(position=0, public=0), Head(position=1, public=0), [("log", late)])
        await require_whole(store, trees)


async def test_a_service_cannot_change_what_is_in_a_tree(database: str) -> None:
    async with copy(database) as (store, trees, _):
        await store.append(many("a", 10))
        await until_kept(store, trees)
        head = await trees.head()
        further = Head(position=head.position + 1, public=head.public)
        there = await trees.tile("log", 0, 0, 10) or b""
        for hashes in (bytes(32) + there[32:] + bytes(32), there[:-32]):
            with pytest.raises(asyncpg.RaiseError):
                await trees.grow(head, further, [("log", Tile(level=0, number=0, hashes=hashes))])
        for less in (Head(position=5, public=head.public), Head(position=head.position, public=0)):
            with pytest.raises(Unavailable):
                await trees.grow(head, less, [])
        async with connection(database) as own:
            for statement in (
                "update proof.tiles set hashes = hashes",
                "delete from proof.tiles",
                "insert into proof.tiles values ('log', 0, 9, decode(repeat('00', 32), 'hex'))",
                "update proof.head set position = 0",
                "truncate proof.tiles",
            ):
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await own.execute(statement)
        await require_whole(store, trees)


TAMPERED = {
    "a record": ("update log.log set record = 'other' where position = 400", "event 400 "),
    "a message": ("update log.log set message = 'other' where position = 400", "event 400 "),
    "a record and its message": ("update log.log set record = 'o', message = 'o' where position = 7", "event 7 "),
    "an event dropped": ("delete from log.log where position = 300", "where event 300 should stand"),
    "the last event dropped": ("delete from log.log where position = 600", "ends with event 599"),
    "an event dropped and the others moved up": (
        """delete from log.log where position = 300;
        update log.log set position = position - 1000, public = public - 1000 where position > 300;
        update log.log set position = position + 999, public = public + 1000 where position < 0""",
        "where event 301 should stand|event 300 ",
    ),
    "two events in another order": (
        """update log.log set position = -1 where position = 500;
        update log.log set position = 500 where position = 499;
        update log.log set position = 499 where position = -1""",
        "event 499 ",
    ),
    "what was said is said no more": (
        "update log.log set message = null, public = null where position = 599",
        "event 599 |where event 600",
    ),
    **{
        f"the {column} in its column": (f"update log.log set {column} = {other} where position = 77", "event 77 stands")
        for column, other in (
            ("id", "gen_random_uuid()"),
            ("stream", "'another'"),
            ("version", "9000"),
            ("type", "'Corrected'"),
            ("scope", "'another'"),
        )
    },
    "a record that is none, and the leaf of it": (
        """update log.log set record = 'other' where position = 513;
        update proof.tiles set hashes = sha256('\\x00'::bytea || sha256('other') || sha256(coalesce(
          (select message from log.log where position = 513), ''))) || substring(hashes from 33)
        where tree = 'log' and level = 0 and number = 2""",
        "event 513 stands",
    ),
    "a hash of a tile": (
        "update proof.tiles set hashes = set_byte(hashes, 40, 255 - get_byte(hashes, 40)) where number = 1 and level = 0",
        "event 258 ",
    ),
    "a hash above": (
        """update proof.tiles set hashes = set_byte(hashes, 30, 255 - get_byte(hashes, 30))
        where tree = 'log' and level = 1""",
        "hash 0 on level 1",
    ),
    "a tile": ("delete from proof.tiles where tree = 'messages' and number = 0 and level = 0", "message 1 "),
    "a size": ("update proof.head set position = 601", "ends with event 600"),
    "a size of the messages": ("update proof.head set public = public - 1", "were told"),
}


@pytest.mark.parametrize(("statements", "said"), TAMPERED.values(), ids=list(TAMPERED))
async def test_who_has_all_rights_is_told_by_the_event(
    statements: str, said: str, kept_trees: tuple[PostgresStore, Trees, str]
) -> None:
    store, trees, administrator = kept_trees
    async with connection(administrator) as admin:
        await admin.execute(statements)
    with pytest.raises(TreeDiffers, match=said):
        await recheck(store, trees)


@pytest.mark.parametrize("tree", ["log", "messages"])
async def test_a_leaf_that_differs_tells_which_event_is_under_it(
    tree: str, kept_trees: tuple[PostgresStore, Trees, str]
) -> None:
    store, trees, administrator = kept_trees
    async with connection(administrator) as admin:
        await admin.execute(
            "update proof.tiles set hashes = set_byte(hashes, 100, 255 - get_byte(hashes, 100)) "
            f"where tree = '{tree}' and level = 0 and number = 1"
        )
    with pytest.raises(HashDiffers) as found:
        await recheck(store, trees)
    (said,) = await store.read_public(after=259, limit=1)
    assert found.value.upto == (said.position if tree == "messages" else 260)


@pytest.fixture
async def kept_trees(server: str, database: str) -> AsyncGenerator[tuple[PostgresStore, Trees, str]]:
    """Trees over 600 events, in a database that its administrator may change as they like."""
    async with copy(database) as (store, trees, _):
        await store.append(many("a", 600))
        await until_kept(store, trees)
    store, trees = PostgresStore(database), Trees(database)
    async with store.running(), trees.running():
        yield store, trees, at(server, database=database.rpartition("/")[2])


async def test_a_follower_stops_where_the_log_has_a_gap(database: str, server: str) -> None:
    store = PostgresStore(database)
    async with store.running():
        await store.append(many("a", 20))
        async with connection(at(server, database=database.rpartition("/")[2])) as admin:
            await admin.execute("delete from log.log where position = 10")
        async with copy(database) as (_, trees, following), asyncio.timeout(PATIENCE):
            with pytest.raises(Unavailable, match="where event 10 should stand is 11"):
                await until_stopped(following)
            assert (await trees.head()).position == 0


async def until_stopped(following: TreeFollower) -> None:
    while True:
        await following.check()
        await asyncio.sleep(0.01)


async def test_no_table_is_made_from_a_log_of_standings_that_was_changed(database: str, server: str) -> None:
    async with copy(database) as (store, trees, _):
        await store.append(many("a", 7))
        await until_kept(store, trees)
    await asyncio.to_thread(require_own_log, database)
    async with connection(at(server, database=database.rpartition("/")[2])) as admin:
        await admin.execute("update log.log set message = 'something else' where position = 5")
    with pytest.raises(CannotRun, match=r"The log of standings is not what it was: event 5 .*No table is made from it"):
        await asyncio.to_thread(require_own_log, database)
