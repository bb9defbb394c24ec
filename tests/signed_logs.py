"""A log that is signed, as one copy of a service signs it, without the rest of the service."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from shared.checkpoints import folder as folders
from shared.checkpoints import keeper as keepers
from shared.checkpoints.checkpoint_store import Checkpoints, KeptCheckpoint
from shared.checkpoints.folder import SigningFolder
from shared.checkpoints.keeper import CheckpointKeeper
from shared.checkpoints.stream import SIGNED_LOG
from shared.clock import now
from shared.commands.decider import untold
from shared.commands.handler import Handler
from shared.ids import new_id
from shared.log import follower, lease
from shared.log import trees as kept_trees
from shared.log.envelope import Envelope
from shared.log.postgres import PostgresStore
from shared.log.store import Append, Event
from shared.log.trees import TreeFollower, Trees
from shared.personal.notes import Notes
from shared.proof import moments
from shared.refusals import Unavailable
from tests.patience import PATIENCE


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, seconds in (
        (follower, "PAUSE", 0.05),
        (lease, "PAUSE", 0.05),
        (folders, "PAUSE", 0.01),
        (kept_trees, "GATHER", 0.01),
        (keepers, "PAUSE", 0.05),
        (keepers, "GLANCE", 0.02),
        (keepers, "AGAIN", 0.2),
        (moments, "EVERY", 0.02),
        (moments, "SOONEST", 0.01),
    ):
        monkeypatch.setattr(module, name, seconds)


class Copy(msgspec.Struct):
    """One copy of a service, as far as it signs."""

    store: PostgresStore
    trees: Trees
    checkpoints: Checkpoints
    keeper: CheckpointKeeper

    async def covering(self, size: int) -> KeptCheckpoint:
        """The checkpoint behind so many events, as soon as there is one."""
        async with asyncio.timeout(PATIENCE):
            while True:
                if found := await self.checkpoints.covering(size):
                    return found
                await self.keeper.check()
                await asyncio.sleep(0.01)

    async def wrong(self) -> str:
        """What it says when it has stopped to sign."""
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await self.keeper.check()
                except Unavailable as stopped:
                    return str(stopped)
                await asyncio.sleep(0.01)

    async def mended(self) -> None:
        """Returns when nothing hinders it from signing any more."""
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(Unavailable):
                    return await self.keeper.check()
                await asyncio.sleep(0.01)


@asynccontextmanager
async def copy(database: str, place: Path, service: str = "results") -> AsyncGenerator[Copy]:
    store, trees, checkpoints, notes = (
        PostgresStore(database),
        Trees(database),
        Checkpoints(database),
        Notes(database),
    )
    following = TreeFollower(trees=trees, store=store, database=database)
    keeper = CheckpointKeeper(
        service=service,
        deployment="club.example",
        folder=SigningFolder(place),
        store=store,
        trees=trees,
        follower=following,
        checkpoints=checkpoints,
        history=Handler(decider=SIGNED_LOG, publish=untold, store=store, now=now, new_id=new_id, service=service),
        notes=notes,
        now=now,
    )
    async with AsyncExitStack() as stack:
        for part in (store, trees, checkpoints, notes, following, keeper):
            await stack.enter_async_context(part.running())
        yield Copy(store, trees, checkpoints, keeper)


def happened(stream: str, version: int, kind: str = "Happened", scope: str = "scope") -> Event:
    envelope = Envelope(
        id=new_id(),
        stream=stream,
        version=version,
        type=kind,
        scope=scope,
        at=now(),
        actor="somebody",
        causation=None,
        trace=None,
        data=msgspec.Raw(b"{}"),
        public=None,
    )
    return envelope.store_as(None)


def many(stream: str, events: int, *, after: int = 0) -> Append:
    return Append(expected={stream: after}, events=[happened(stream, after + nr + 1) for nr in range(events)])
