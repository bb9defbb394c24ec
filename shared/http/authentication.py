"""Finds out who is asking, before anything else is done for them, and holds back who asks too often."""

import re
from collections.abc import Sequence
from ipaddress import ip_address

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.access.asker import ASKING
from shared.access.tokens import CALLER, Caller, Tokens, Unauthenticated, bearer
from shared.http.limits import Rate, ReplayedBody, address_of, name_of, too_many
from shared.http.problems import unauthenticated, unavailable
from shared.http.proxies import BELOW, Proxies
from shared.http.request_log import header
from shared.observability.health import LOOKED_AFTER
from shared.refusals import Unavailable

VARY = (b"vary", b"Authorization")
GUARDED = "/v1/"  # what lies elsewhere asks for no token


class SignIn:
    """Nobody's body is read where an operation wants to know who has sent it, as nearly all do."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        tokens: Tokens,
        rate: Rate,
        proxies: Proxies,
        open_to_bodies: Sequence[re.Pattern[str]],
    ) -> None:
        self._app = app
        self._tokens = tokens
        self._rate = rate
        self._proxies = proxies
        self._open_to_bodies = open_to_bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"] in LOOKED_AFTER:
            await self._look_after(scope, receive, send)
            return
        scope[BELOW] = self._proxies.prefix(scope)
        scope["client"] = self._proxies.caller(scope), 0
        ASKING.set(None)
        caller, app = await self._asked_by(scope)
        if caller:
            scope[CALLER] = caller
        elif app is not self._app or not any(path.match(scope["path"]) for path in self._open_to_bodies):
            receive = ReplayedBody(b"", receive)
        wait = self._rate.wait(name_of(caller, scope))
        await (too_many(wait) if wait else app)(scope, receive, varying(send))

    async def _asked_by(self, scope: Scope) -> tuple[Caller | None, ASGIApp]:
        """Who it is, and what answers them."""
        if not scope["path"].startswith(GUARDED) or not (authorization := header(scope, b"authorization")):
            return None, self._app
        try:
            return await self._tokens.caller(bearer(authorization)), self._app
        except Unauthenticated as error:
            return None, unauthenticated(Request(scope), error)
        except Unavailable as error:
            return None, unavailable(Request(scope), error)

    async def _look_after(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Not held back by what else is asked from there; and never, for who looks after it on the same machine."""
        wait = 0.0
        if not is_from_here(scope):
            scope["client"] = self._proxies.caller(scope), 0
            wait = self._rate.wait(f"health of {address_of(scope)}")
        await (too_many(wait) if wait else self._app)(scope, ReplayedBody(b"", receive), send)


def is_from_here(scope: Scope) -> bool:
    """Straight from this machine: what a proxy on it passes on says for whom."""
    if not scope["client"] or header(scope, b"x-forwarded-for"):
        return False
    try:
        return ip_address(scope["client"][0]).is_loopback
    except ValueError:
        return False


def varying(send: Send) -> Send:
    """Whatever is answered may depend on who asks: a cache must not show it to anybody else."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: list[tuple[bytes, bytes]] = message["headers"]
            if not [value for name, value in headers if name == b"vary" and b"authorization" in value.lower()]:
                message["headers"] = [*headers, VARY]
        await send(message)

    return sending
