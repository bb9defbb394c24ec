"""How an act happens at this edge, and how its answer leaves."""

from collections.abc import Callable, Sequence
from http import HTTPStatus

from fastapi import Response
from pydantic import BaseModel

from shared.commands.handler import Beside, Handler
from shared.http.door import Act
from shared.http.responses import JSON, answer, changed, written

CAME = changed(HTTPStatus.CREATED, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)
REFUSED = changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)


async def happen[State, Command, Event](
    handler: Handler[State, Command, Event],
    identity: str,
    command: Command,
    act: Act,
    show: Callable[[State], BaseModel],
    *,
    status: HTTPStatus = HTTPStatus.OK,
    beside: Sequence[Beside] = (),
    scope: str | None = None,
) -> Response:
    """Let the act happen, and show what came of it; what it is about is a scope itself where nothing else is said."""
    handled = await handler.handle(
        identity,
        command,
        scope=scope or identity,
        origin=act.origin,
        respond=lambda state, version: answer(show(state), version),
        key=act.key,
        versions=act.versions,
        beside=beside,
    )
    return written("registration", handled, status)


def with_body(response: Response, body: BaseModel) -> Response:
    """The same answer, with what is never kept together with a key: names, and tokens."""
    headers = {name: response.headers[name] for name in ("ETag", "Roundlog-Position")}
    return Response(body.model_dump_json(), response.status_code, media_type=JSON, headers=headers)
