"""How the order of a request is carried out, or only tried, and how that is answered.

An order with an `Idempotency-Key` is answered from the log when it comes again: the `Handler` (`shared/commands/handler.py`)
looks for the first answer when the order is refused, or when its key stands in the log already. Whoever looks at something before
the order is made asks `answered_before` first. Answers are remembered for as long as `ANSWER_RETENTION` of
`shared/log/postgres.py` says; what a key is and how it is checked stands in `shared/http/parameters.py`.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from http import HTTPStatus

from fastapi import Response
from msgspec.structs import replace
from pydantic import BaseModel

from shared.commands.handler import ActPart, ChangedSince, Handler, Reliance
from shared.http.authorization import Act
from shared.http.responses import JSON, answer, changed, unversioned, written

CREATED = changed(HTTPStatus.CREATED, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)
CHANGED = changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)
ATTEMPTS = 5


async def run[State, Command, Event](
    handler: Handler[State, Command, Event],
    identity: str,
    order: Command,
    act: Act,
    view: Callable[[State], BaseModel | bytes],
    *,
    status: HTTPStatus = HTTPStatus.OK,
    scope: str | None = None,
    versions: Collection[int] | None = None,
    also: Sequence[ActPart] = (),
    relying: Reliance | None = None,
) -> Response:
    """Carry it out, and answer with what has come of it. A stream is a scope itself where no other is named.

    `versions` are those on which the order was made, where these are fewer than the caller would have taken.
    """
    handled = await handler.handle(
        identity,
        order,
        scope=scope or identity,
        origin=act.origin,
        respond=lambda state, version: answer(view(state), version),
        key=act.key,
        versions=act.versions if versions is None else versions,
        also=also,
        relying=relying,
    )
    return written(handler.service, handled, status)


async def answered_before[State, Command, Event](
    handler: Handler[State, Command, Event], act: Act, *, status: HTTPStatus = HTTPStatus.OK
) -> Response | None:
    """The first answer to the same request. Whoever has to look at something before the order is made asks this first."""
    repeated = await handler.repeated(act.key)
    return repeated and written(handler.service, repeated, status)


async def run_against_newest[State, Command, Event](
    handler: Handler[State, Command, Event],
    identity: str,
    act: Act,
    once: Callable[[State, Act], Awaitable[Response]],
    *,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    """For what was held against a whole state, as a file is: it happens over that version, and where somebody else was
    faster it is held against the newer one. Whoever names a version themselves is refused instead."""
    if before := await answered_before(handler, act, status=status):
        return before
    for attempt in range(ATTEMPTS):
        state, version = await handler.load(identity)
        over = act if act.versions is not None else replace(act, versions=frozenset({version}))
        try:
            return await once(state, over)
        except ChangedSince:
            if act.versions is not None or attempt == ATTEMPTS - 1:
                raise
    raise AssertionError


def tried(found: BaseModel) -> Response:
    """The answer of a dry run: nothing has happened, so it has no version and no position."""
    return unversioned(found)


def answer_in[Answer: BaseModel](response: Response, form: type[Answer]) -> Answer:
    """What an order was answered, as it is kept: without names and tokens, which whoever answers adds to it."""
    return form.model_validate_json(bytes(response.body))


def with_body(response: Response, body: BaseModel) -> Response:
    """The same answer, with what is never kept together with a key: names, and tokens."""
    return with_json(response, body.model_dump_json().encode())


def with_json(response: Response, body: bytes) -> Response:
    headers = {name: response.headers[name] for name in ("ETag", "Roundlog-Position")}
    return Response(body, response.status_code, media_type=JSON, headers=headers)
