"""What a signed log costs whoever writes it, and how far its trees may fall behind.

Appending is measured with the trees and the signer beside it, in the same process, and without them, in turn. Then so many events
come in a second as a full hall makes, and it is looked how long the first that the tree lacks has been there. At last a log is
read again as at the start of a service, and held against its trees and against what was signed.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from pathlib import Path

import msgspec

from benchmarks.append import SLOW_DISK, memory_disk
from benchmarks.rows import VERSIONS
from benchmarks.table import Figure, print_figure, print_heading
from deploy.databases import at, connection, migrate
from deploy.local import postgres
from shared.checkpoints.checkpoint_store import Checkpoints
from shared.checkpoints.folder import SigningFolder
from shared.checkpoints.keeper import CheckpointKeeper
from shared.checkpoints.stream import SIGNED_LOG
from shared.clock import now
from shared.commands.decider import untold
from shared.commands.handler import Handler
from shared.ids import new_id
from shared.log.envelope import Envelope
from shared.log.postgres import PostgresStore
from shared.log.store import Append
from shared.log.trees import Edges, TreeFollower, Trees, recheck
from shared.personal.notes import Notes

CALLERS = 128
SECONDS = 3.0
ROUNDS = 3
AT_LEAST = 0.85  # of what is appended without
A_SECOND, FOR = 2_000, 15.0
BEHIND = 1.0  # seconds
EVENTS = 1_000_000
PER_MILLION = 15.0  # seconds of a core

# As the log has them: what stands in the columns is what the record says.
AS_RECORDED = """
  insert into log.log (position, stream, version, id, type, scope, record, public, message)
  select n, stream, version, id, 'ResultReported', scope, convert_to(format(
    '{"id":"%s","stream":"%s","version":%s,"type":"ResultReported","scope":"%s","data":"%s","public":"%s"}',
    id, stream, version, scope, repeat('r', 300), encode(sha256($2), 'hex')), 'UTF8'), n, $2
  from (
    select n, 'old-' || (n - 1) / 20 as stream, (n - 1) % 20 + 1 as version, uuidv7() as id, 'tournament-' || n % 5000 as scope
    from generate_series(1, $1::bigint) n
  ) as events
"""
MESSAGE = b"m" * 230
PUBLIC = sha256(MESSAGE).hexdigest()
DATA = msgspec.Raw(b'"%s"' % (b"r" * 200))
TICKS = 10  # a second


async def measure(folder: Path) -> list[Figure]:
    figures: list[Figure] = []
    async with server(memory_disk(folder) / "proofs", SLOW_DISK) as url:
        print_heading(f"append beside trees that grow and are signed; {CALLERS} callers, commits of 4 ms (simulated)")
        figures.append(await beside(url, folder))
        print_heading(f"how far the tree is behind at {A_SECOND} events a second: how often it could be so in a second")
        figures.append(await behind(url, folder))
    async with server(folder / "reread", {}) as url:
        print_heading(f"a log of {EVENTS} events held against its trees; events a second of a core")
        figures.append(await reread(url))
    return figures


@asynccontextmanager
async def server(folder: Path, settings: dict[str, str]) -> AsyncGenerator[str]:
    folder.parent.mkdir(exist_ok=True)
    async with postgres.running(folder, settings=settings | {"max_wal_size": "4GB"}) as running:
        yield running.url


async def log(url: str, name: str) -> str:
    """A new one, with nothing in it."""
    async with connection(url) as admin:
        await admin.execute(f"create database {name}")
    async with connection(at(url, database=name)) as own:
        await migrate(own)
    return at(url, database=name)


@asynccontextmanager
async def signed(url: str, folder: Path, store: PostgresStore) -> AsyncGenerator[Trees]:
    """The log of this store is followed and signed, in this process."""
    trees, checkpoints, notes = Trees(url), Checkpoints(url), Notes(url)
    following = TreeFollower(trees=trees, store=store, database=url)
    keeper = CheckpointKeeper(
        service="results",
        deployment="bench.example",
        folder=SigningFolder(folder),
        store=store,
        trees=trees,
        follower=following,
        checkpoints=checkpoints,
        history=Handler(decider=SIGNED_LOG, publish=untold, store=store, now=now, new_id=new_id, service="results"),
        notes=notes,
        now=now,
    )
    async with AsyncExitStack() as stack:
        for part in (trees, checkpoints, notes, following, keeper):
            await stack.enter_async_context(part.running())
        yield trees
        await keeper.check()


async def beside(url: str, folder: Path) -> Figure:
    ours: list[float] = []
    limit: list[float] = []
    for number in range(ROUNDS):
        plain, ledger = await log(url, f"plain{number}"), await log(url, f"signed{number}")
        store = PostgresStore(plain)
        async with store.running():
            limit.append(await appended(store) / SECONDS)
        store = PostgresStore(ledger)
        async with store.running(), signed(ledger, folder / f"signing-{number}", store):
            ours.append(await appended(store) / SECONDS)
    figure = Figure(name="with trees and signatures", key="proofs: append", ours=ours, limit=limit, at_least=AT_LEAST)
    print_figure(figure)
    return figure


async def appended(store: PostgresStore) -> int:
    end = time.monotonic() + SECONDS

    async def call(name: str) -> int:
        done = 0
        while time.monotonic() < end:
            await store.append(happened(f"{name}-{done // VERSIONS}", done % VERSIONS))
            done += 1
        return done

    return sum(await asyncio.gather(*(call(f"caller-{number}") for number in range(CALLERS))))


def happened(stream: str, version: int) -> Append:
    """About as large as a reported result, and told to neighbours."""
    envelope = Envelope(
        id=new_id(),
        stream=stream,
        version=version + 1,
        type="ResultReported",
        scope="tournament",
        at=now(),
        actor="somebody",
        causation=None,
        trace=None,
        data=DATA,
        public=PUBLIC,
    )
    return Append(expected={stream: version}, events=[envelope.store_as(MESSAGE)])


async def behind(url: str, folder: Path) -> Figure:
    """Every tenth of a second the next of them, whatever became of those before."""
    database, longest = await log(url, "paced"), 0.0
    store = PostgresStore(database)
    async with (
        store.running(),
        signed(database, folder / "signing-paced", store) as trees,
        asyncio.TaskGroup() as group,
    ):
        began = time.monotonic()
        for tick in range(int(FOR * TICKS)):
            await asyncio.sleep(max(0.0, began + tick / TICKS - time.monotonic()))
            for number in range(A_SECOND // TICKS):
                group.create_task(store.append(happened(f"paced-{tick}-{number}", 0)))
            longest = max(longest, await trees.lag(store, now))
    figure = Figure(
        name=f"{longest:.2f} s at most, of {BEHIND:.0f} s",
        key="proofs: behind",
        ours=[1 / max(longest, 1e-3)],
        limit=[1 / BEHIND],
        at_least=1,
    )
    print_figure(figure)
    return figure


async def reread(url: str) -> Figure:
    database = await log(url, "reread")
    async with connection(database) as own:
        await own.execute(AS_RECORDED, EVENTS, MESSAGE)
        await own.execute(f"update log.head set position = {EVENTS}, public = {EVENTS}")
    store, trees = PostgresStore(database), Trees(database)
    async with store.running(), trees.running():
        edges = Edges()
        while page := await store.read(after=edges.head.position):
            grown, changed = edges.grown(page)
            await trees.grow(edges.head, grown.head, changed)
            edges = grown
        began = time.process_time()
        await recheck(store, trees)
        took = time.process_time() - began
    figure = Figure(
        name=f"{took:.1f} s, of {PER_MILLION * EVENTS / 1e6:.0f} s",
        key="proofs: reread",
        ours=[EVENTS / took],
        limit=[1e6 / PER_MILLION],
        at_least=1,
    )
    print_figure(figure)
    return figure
