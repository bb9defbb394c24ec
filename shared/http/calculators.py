"""Operations that compute with what a caller sends along: in a worker, and only as long as the caller waits."""

import asyncio
from collections.abc import Callable
from typing import Any, override

from fastapi import Request

from shared.http.authorization import CALLER
from shared.http.lazy_route import LazyRoute
from shared.http.limits import name_of
from shared.http.live_streams import disconnected
from shared.refusals import Conflict
from shared.workers import Workers


class CallerGone(Conflict):
    """Nobody reads this."""


class UnparsedRequest(Request):
    @override
    async def json(self) -> Any:
        """The bytes: whoever computes with a body reads it too, for that may be the heaviest part."""
        return await self.body()


class CalculatorRoute(LazyRoute):
    """The route of an operation whose body is described, and handed on as it came."""

    @override
    def get_route_handler(self) -> Callable[[Request], Any]:
        general = super().get_route_handler()

        async def answer(request: Request) -> Any:
            return await general(UnparsedRequest(request.scope, request.receive))

        return answer


async def computed[**Given, Found](
    workers: Workers, request: Request, function: Callable[Given, Found], *given: Given.args, **named: Given.kwargs
) -> Found:
    """What a function finds for whoever asks; killed when nobody waits for it any more."""
    caller = name_of(request.scope.get(CALLER), request.scope)
    computing = asyncio.ensure_future(workers.compute_for(caller, function, *given, **named))
    leaving = asyncio.ensure_future(disconnected(request.receive))
    try:
        await asyncio.wait({computing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not computing.done():
            raise CallerGone("The caller has gone: ask again.")
        return computing.result()
    finally:
        for task in (computing, leaving):
            task.cancel()
        await asyncio.gather(computing, leaving, return_exceptions=True)
