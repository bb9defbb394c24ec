"""What the headers of a request say: under which key it is sent, over which version, and after what else."""

from hashlib import blake2b
from typing import Annotated

from fastapi import Header, Request

from shared.handle import Key, digest
from shared.parameters import Absent
from shared.positions import PATTERN

IDEMPOTENCY_KEY = Header(
    alias="Idempotency-Key",
    min_length=1,
    max_length=255,
    description="Make one up for each act, and send it again when repeating a request whose answer was lost: "
    "the act then happens once, and the first answer comes again.",
    examples=["5f0c9b1e-round-3-table-7"],
)
IF_MATCH = Header(
    alias="If-Match",
    max_length=1000,
    description="The `ETag` that you have seen: the act is refused with 412 when the resource has changed since.",
    examples=['"3"'],
)
MIN_POSITION = Header(
    alias="Roundlog-Min-Position",
    pattern=PATTERN,
    description="A `Roundlog-Position` that any service has answered: this answer will rest on it. Waits for up to two "
    "seconds, then 503.",
    examples=["registration:12873/4411"],
)

type IdempotencyKey = Annotated[str | Absent, IDEMPOTENCY_KEY]
type IfMatch = Annotated[str | Absent, IF_MATCH]
type MinPosition = Annotated[str | Absent, MIN_POSITION]


async def key(request: Request, subject: str, idempotency_key: str) -> Key:
    operation = f"{request.method} {request.url.path}"
    return Key(
        key=digest(subject.encode(), operation.encode(), idempotency_key.encode()),
        request=digest(request.url.query.encode(), await request.body()),
    )


def versions(if_match: str) -> frozenset[int] | None:
    """Those named by `"3"`, `"3.f0e1"` or `"3", "4"`; `*` is any. What is no tag of ours names none."""
    if if_match.strip() == "*":
        return None
    tags = (tag.strip() for tag in if_match.split(","))
    named = (tag[1:-1].partition(".")[0] for tag in tags if tag[0:1] == tag[-1:] == '"')
    return frozenset(int(version) for version in named if version.isdecimal())


def etag(version: int, content: bytes | None = None) -> str:
    """Of a version, or also of what is shown with it."""
    return f'"{version}"' if content is None else f'"{version}.{blake2b(content, digest_size=8).hexdigest()}"'
