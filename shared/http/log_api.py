"""`GET /v1/log`: the log of a service for auditors, line by line, with the very bytes that are proved.

The first line says how far the log goes at this moment, and so at which size the rest is read: what a checkpoint is held
against. An event's record and the message that neighbours got are its two halves in the tree of the log.
"""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import StreamingResponse

from shared.access.policy import OPERATORS, also_of_persons, roles
from shared.access.references import id_of
from shared.access.roles import Role
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.responses import BAD
from shared.log.store import PAGE, EventStore, Recorded

NDJSON = "application/x-ndjson"
AUDIT = also_of_persons(roles(Role.AUDITOR, Role.DIRECTOR, Role.COUNCIL, scope="scope", operators=True))

EXAMPLE = (
    '{"head":{"log":"5f1c2b1e-70a4-4d51-9d0b-0f6f2f0a7c11","position":1,"public":1}}\n'
    '{"position":1,"public":1,"record":{"id":"019aa4c2-7d5e","type":"FederationFounded",'
    '"data":{"name":"Slovak Scrabble Association"}},"message":{"id":"019aa4c2-7d5e","type":"FederationFounded"}}\n'
)  # shortened: docs/records.md shows each record whole

NDJSON_ANSWER = {200: {"content": {NDJSON: {"schema": {"type": "string"}, "example": EXAMPLE}}}} | BAD
HOW = (
    "JSON, line by line: `head`, how far the log goes as it is read; then of each event its position, public number, record, "
    "and the message that neighbours got, or null, byte for byte."
)

type AfterPosition = Annotated[int, Query(ge=0, le=2**62, description="The position behind which to begin.")]
type Scope = Annotated[
    str,
    Path(
        pattern=r"^[0-9A-Za-z-]{1,64}$",
        json_schema_extra=id_of("scope"),
        description="The id of the federation, tournament, season or person.",
        examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"],
    ),
]


def routes(*, store: EventStore, door: Door) -> APIRouter:
    router = Router(prefix="/v1/log", tags=["log"])

    @router.get(
        "",
        summary="All that happened here, in order",
        description=HOW,
        operation_id="readLog",
        response_class=StreamingResponse,
        responses=NDJSON_ANSWER,
        dependencies=[Depends(door.reads(OPERATORS))],
    )
    async def all_of_it(after: AfterPosition = 0) -> StreamingResponse:
        return StreamingResponse(lines(store, None, after), media_type=NDJSON)

    @router.get(
        "/{scope}",
        summary="All that happened here to one federation, tournament or person, in order",
        description="What `readLog` answers, of this scope; `head` is that of the whole log.",
        operation_id="readLogOf",
        response_class=StreamingResponse,
        responses=NDJSON_ANSWER,
        dependencies=[Depends(door.reads(AUDIT))],
    )
    async def of_one(scope: Scope, after: AfterPosition = 0) -> StreamingResponse:
        return StreamingResponse(lines(store, scope, after), media_type=NDJSON)

    return router


async def lines(store: EventStore, scope: str | None, after: int) -> AsyncIterator[bytes]:
    """A page at a time, so that a log of any length passes through little memory."""
    log, head = await store.incarnation(), await store.head()
    yield b'{"head":{"log":"%s","position":%d,"public":%d}}\n' % (str(log).encode(), head.position, head.public)
    last = head.position
    while after < last:
        page = await (store.read_scope(scope, after=after) if scope else store.read(after=after))
        yield b"".join(line(recorded) for recorded in page if recorded.position <= last)
        after = page[-1].position if len(page) == PAGE else last


def line(recorded: Recorded) -> bytes:
    public = b"null" if recorded.public is None else b"%d" % recorded.public
    event = recorded.event
    told = event.message or b"null"
    return b'{"position":%d,"public":%s,"record":%s,"message":%s}\n' % (recorded.position, public, event.record, told)
