"""Operations that are asked far more often than others: described like all of them, but read by a shorter way.

A request in the usual form, which names nothing special, is read right here: its body in one step out of its bytes.
Every other one, and every one with a fault, takes FastAPI's own way, so both mean the same.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, override

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from shared.http.authorization import ActGuard
from shared.http.lazy_route import LazyRoute

SPECIAL = frozenset({b"if-match", b"roundlog-min-position", b"content-encoding"})
LONGEST_KEY = 255
IDS = re.compile(r"[0-9A-Za-z_-]{1,64}")

type Endpoint = Callable[[Request], Awaitable[Response]]


class FastRoute(LazyRoute):
    """The route of an act whose function takes ids of its path, a `body` and an `act`."""

    @override
    def get_route_handler(self) -> Callable[[Request], Any]:
        general: Endpoint = super().get_route_handler()
        act: Callable[..., Awaitable[Response]] = self.endpoint
        (acting,) = (part.call for part in self.dependant.dependencies if isinstance(part.call, ActGuard))
        form: type[BaseModel] = self.endpoint.__annotations__["body"]

        async def answer(request: Request) -> Response:
            key = usual(request)
            if key is None:
                return await general(request)
            try:
                body = form.model_validate_json(await request.body())
            except ValidationError:
                return await general(request)
            return await act(**request.path_params, body=body, act=await acting(request, idempotency_key=key or None))

        return answer if self.status_code in {None, HTTPStatus.OK} else general


def usual(request: Request) -> str | None:
    """The idempotency key, empty when there is none; nothing when the request has to take the general way."""
    headers: Mapping[bytes, bytes] = dict(request.scope["headers"])
    key = headers.get(b"idempotency-key", b"").decode("latin-1")
    ids: list[Any] = list(request.path_params.values())
    plain = (
        headers.get(b"content-type") == b"application/json"
        and not request.scope["query_string"]
        and SPECIAL.isdisjoint(headers)
        and len(key) <= LONGEST_KEY
        and (bool(key) or b"idempotency-key" not in headers)
        and all(IDS.fullmatch(named) for named in ids)
    )
    return key if plain else None
