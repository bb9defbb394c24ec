"""Operations that are asked far more often than others: described like all of them, but answered by a shorter way.

A request in the usual form, which names nothing special, is read right here: its body in one step out of its bytes.
Every other one, and every one with a fault, takes FastAPI's own way, so both mean the same.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from http import HTTPStatus
from inspect import isawaitable
from typing import Any, override

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from shared.http.authorization import ActGuard
from shared.http.lazy_route import LazyRoute
from shared.http.limits import ReplayedBody

SPECIAL = frozenset({b"if-match", b"roundlog-min-position", b"content-encoding"})
LONGEST_KEY = 255
IDS = re.compile(r"[0-9A-Za-z_-]{1,64}")

type ExceptionHandler = Callable[[Request, Exception], Response | Awaitable[Response]]


class FastRoute(LazyRoute):
    """The route of an act whose function takes ids of its path, a `body` and an `act`, and whose answer is 200."""

    @cached_property
    def guard(self) -> ActGuard:
        (guard,) = (part.call for part in self.dependant.dependencies if isinstance(part.call, ActGuard))
        return guard

    @cached_property
    def form(self) -> type[BaseModel]:
        return self.endpoint.__annotations__["body"]

    def named(self, scope: Scope) -> dict[str, str] | None:
        """The ids in the path, where it is one of this route's and they have the usual form."""
        found = self.path_regex.match(scope["path"]) if scope["method"] in self.methods else None
        ids = found and found.groupdict()
        return ids if ids and all(map(IDS.fullmatch, ids.values())) else None


class ReadRequest(Request):
    """A request whose body is there."""

    def __init__(self, scope: Scope, body: bytes) -> None:
        super().__init__(scope)
        self._content = body

    @override
    async def body(self) -> bytes:
        return self._content


class FastRoutes:
    """The innermost middleware. It stands where the body has been read, and sends on whatever is not usual."""

    def __init__(self, app: ASGIApp, *, routes: Sequence[FastRoute], handlers: Mapping[Any, ExceptionHandler]) -> None:
        self._app = app
        self._routes = routes
        self._handlers = handlers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        for route in self._routes if scope["type"] == "http" else ():
            if (ids := route.named(scope)) and (key := usual_key(scope)) is not None:
                await self._answer(route, ids, key, scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _answer(
        self, route: FastRoute, ids: dict[str, str], key: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        message = await receive()
        content = message.get("body", b"")
        try:
            body = route.form.__pydantic_validator__.validate_json(content)
        except ValidationError:
            await self._app(scope, ReplayedBody(content, receive), send)
            return
        scope.update(route=route, endpoint=route.endpoint, path_params=ids)
        request = ReadRequest(scope, content)
        try:
            act = await route.guard(request, idempotency_key=key or None)
            response = await route.endpoint(**request.path_params, body=body, act=act)
        except Exception as error:  # noqa: BLE001 - it is answered, or goes on
            response = await self._refusal(request, error)
        await response(scope, receive, send)

    async def _refusal(self, request: Request, error: Exception) -> Response:
        """As the app answers it."""
        handler = next((self._handlers[kind] for kind in type(error).__mro__ if kind in self._handlers), None)
        if handler is None:
            raise error
        response = handler(request, error)
        return await response if isawaitable(response) else response


def usual_key(scope: Scope) -> str | None:
    """The idempotency key, empty when there is none; nothing when the request has to take the general way."""
    headers: Mapping[bytes, bytes] = dict(reversed(scope["headers"]))  # of several of one name the first counts
    key = headers.get(b"idempotency-key", b"").decode("latin-1")
    plain = (
        headers.get(b"content-type") == b"application/json"
        and not scope["query_string"]
        and SPECIAL.isdisjoint(headers)
        and len(key) <= LONGEST_KEY
        and (bool(key) or b"idempotency-key" not in headers)
        and sum(name == b"idempotency-key" for name, _ in scope["headers"]) <= 1
    )
    return key if plain else None


def fast_routes(routes: Sequence[object]) -> list[FastRoute]:
    found = [route for route in routes if isinstance(route, FastRoute)]
    if any(route.status_code not in {None, HTTPStatus.OK} for route in found):
        raise TypeError("a fast route answers 200")
    return found
