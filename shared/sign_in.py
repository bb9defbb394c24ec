"""Finds out who is asking, before anything else is done for them, and holds back who asks too often."""

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.act import ASKING, CALLER
from shared.auth import Caller, Tokens, Unauthenticated, bearer
from shared.event_store import Unavailable
from shared.limits import Rate, name_of, too_many
from shared.problems import unauthenticated, unavailable
from shared.watching import header

GUARDED = "/v1/"  # what lies elsewhere is for machines that look after the service


class SignIn:
    def __init__(self, app: ASGIApp, *, tokens: Tokens, rate: Rate) -> None:
        self._app = app
        self._tokens = tokens
        self._rate = rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(GUARDED):
            await self._app(scope, receive, send)
            return
        ASKING.set(None)
        try:
            caller = await self._caller(header(scope, b"authorization"))
        except Unauthenticated as error:
            await self._answer(scope, receive, send, unauthenticated(Request(scope), error), None)
        except Unavailable as error:
            await self._answer(scope, receive, send, unavailable(Request(scope), error), None)
        else:
            scope[CALLER] = caller
            await self._answer(scope, receive, send, self._app, caller)

    async def _caller(self, authorization: bytes) -> Caller | None:
        return await self._tokens.caller(bearer(authorization)) if authorization else None

    async def _answer(self, scope: Scope, receive: Receive, send: Send, app: ASGIApp, caller: Caller | None) -> None:
        wait = self._rate.wait(name_of(caller, scope))
        await (too_many(wait) if wait else app)(scope, receive, varying(send))


def varying(send: Send) -> Send:
    """Whatever is answered may depend on who asks: a cache must not show it to anybody else."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if "authorization" not in headers.get("vary", "").lower():
                headers.append("Vary", "Authorization")
        await send(message)

    return sending
