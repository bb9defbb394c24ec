"""`/v1/proof`: what the log has signed of itself, and what that proves. Open to all; docs/proof-format.md says how to check it.

All of it has the forms of C2SP, which programs of others read: that page describes it, and no OpenAPI document does, from
which nobody would make a client for them.
"""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Response

from shared.access.policy import ANYBODY
from shared.checkpoints.checkpoint_store import Checkpoints, KeptCheckpoint, NotSigned
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.parameters import Absent, etag
from shared.log.store import EventStore
from shared.log.trees import Trees
from shared.proof.findings import Malformed
from shared.proof.leaves import entry
from shared.proof.receipts import Receipt, WitnessRequest
from shared.proof.tiles import ENTRIES, WIDTH, entry_bundle, parse_tile_path
from shared.proof.tree import beside, between
from shared.refusals import NotFound

TEXT, BYTES = "text/plain", "application/octet-stream"
FOR_EVER = "public, max-age=31536000, immutable"  # a tile of a width never changes
FOR_A_MOMENT = "public, max-age=0, s-maxage=1"
LARGEST = 2**62

type OfSize = Annotated[int | Absent, Query(ge=0, le=LARGEST)]  # of a checkpoint; otherwise it is the newest


class CheckpointUnknown(NotFound):
    """No checkpoint of this size was signed."""


class TileUnknown(NotFound):
    """The tree has no such tile, or not as many hashes in it."""


class PositionUnknown(NotFound):
    """The log does not go so far."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Proofs:
    """What is proved, as it travels."""

    store: EventStore
    trees: Trees
    checkpoints: Checkpoints

    async def signed(self, size: int | None) -> KeptCheckpoint:
        found = await (self.checkpoints.newest() if size is None else self.checkpoints.of_size(size))
        if found is None:
            wanted = "nothing" if size is None else f"no checkpoint of {size} events"
            raise CheckpointUnknown(f"This log has signed {wanted} yet: ask its operator whether it is signed.")
        return found

    async def receipt(self, position: int, size: int | None) -> Receipt:
        found = await self.signed(size)
        has = found.checkpoint.size
        if position > has and size is None and position <= (await self.store.head()).position:
            raise NotSigned(f"The checkpoint behind event {position} is not signed yet: try again in a minute.")
        if position > has:
            raise PositionUnknown(f"There are {has} events under this checkpoint.")
        proof = await self.trees.proof("log", beside(position - 1, has))
        return Receipt(index=position - 1, proof=tuple(proof), checkpoint=bytes(found.note))

    async def consistency(self, old: int, size: int | None) -> WitnessRequest:
        found = await self.signed(size)
        if old > found.checkpoint.size:
            raise PositionUnknown(f"There are {found.checkpoint.size} events under this checkpoint.")
        proof = await self.trees.proof("log", between(old, found.checkpoint.size))
        return WitnessRequest(old=old, proof=tuple(proof), checkpoint=bytes(found.note))

    async def tile(self, path: str) -> bytes:
        try:
            level, number, width = parse_tile_path(f"tile/{path}")
        except Malformed as malformed:
            raise TileUnknown(str(malformed)) from None
        if level == ENTRIES:
            found = await self._entries(number, width)
        else:
            found = await self.trees.tile("log", int(level), number, width)
        if found is None:
            raise TileUnknown("The tree has no such tile yet.")
        return found

    async def _entries(self, number: int, width: int) -> bytes | None:
        first = number * WIDTH
        if first + width > (await self.trees.head()).position:
            return None
        page = await self.store.read(after=first, limit=width)
        return entry_bundle(entry(one.event.record, one.event.message) for one in page)


def routes(*, proofs: Proofs, door: Door) -> APIRouter:
    router = Router(tags=["proof"], include_in_schema=False)
    open_to_all = [Depends(door.reads(ANYBODY))]

    @router.get(
        "/v1/proof/checkpoint",
        operation_id="getCheckpoint",
        response_class=Response,
        dependencies=open_to_all,
    )
    async def checkpoint(size: OfSize = None) -> Response:
        return in_plain(bytes((await proofs.signed(size)).note))

    @router.get(
        "/v1/proof/receipt/{position}",
        operation_id="getReceipt",
        response_class=Response,
        dependencies=open_to_all,
    )
    async def receipt(position: Annotated[int, Path(ge=1, le=LARGEST)], size: OfSize = None) -> Response:
        return in_plain(bytes(await proofs.receipt(position, size)))

    @router.get(
        "/v1/proof/consistency/{old}",
        operation_id="getConsistency",
        response_class=Response,
        dependencies=open_to_all,
    )
    async def consistency(old: Annotated[int, Path(ge=0, le=LARGEST)], size: OfSize = None) -> Response:
        return in_plain(bytes(await proofs.consistency(old, size)))

    @router.get(
        "/v1/proof/tile/{path:path}",
        operation_id="getTile",
        response_class=Response,
        dependencies=open_to_all,
    )
    async def tile(path: str) -> Response:
        headers = {"Cache-Control": FOR_EVER, "Vary": "Authorization"}
        return Response(await proofs.tile(path), media_type=BYTES, headers=headers)

    return router


def in_plain(content: bytes) -> Response:
    headers = {"Cache-Control": FOR_A_MOMENT, "ETag": etag(0, content), "Vary": "Authorization"}
    return Response(content, media_type=f"{TEXT}; charset=utf-8", headers=headers)
