"""What a request that wants to change something says besides its body: who asks, and under which key."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated

from fastapi import Depends, Header, Request

from shared.handle import Key, Origin

ANYBODY = "anybody"


@dataclass(frozen=True, kw_only=True, slots=True)
class Act:
    origin: Origin
    key: Key | None


async def act(
    request: Request,
    idempotency_key: Annotated[
        str | None,
        Header(
            min_length=1,
            max_length=255,
            description="Make one up for each act, and send it again when repeating a request whose answer was lost: "
            "the act then happens once, and the first answer comes again.",
            examples=["5f0c9b1e-round-3-table-7"],
        ),
    ] = None,
) -> Act:
    if idempotency_key is None:
        return Act(origin=Origin(actor=ANYBODY), key=None)
    operation = f"{request.method} {request.url.path}"
    key = Key(
        key=digest(ANYBODY.encode(), operation.encode(), idempotency_key.encode()),
        request=digest(request.url.query.encode(), await request.body()),
    )
    return Act(origin=Origin(actor=ANYBODY), key=key)


def digest(*parts: bytes) -> bytes:
    """One hash over the parts, each by its own hash, so that no two lists of parts read alike."""
    return sha256(b"".join(sha256(part).digest() for part in parts)).digest()


type AnAct = Annotated[Act, Depends(act)]
