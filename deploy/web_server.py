"""The web server of a service, with the bounds that it sets to connections, and the order in which it stops."""

import asyncio
import resource
import socket
from functools import partial
from typing import Any, cast, override

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deploy.http_connection import SPARE, Bounds, Callers, HttpConnection, Watch
from shared.http.live_streams import OpenStreams
from shared.http.problems import away
from shared.http.proxies import Proxies
from shared.settings import ServiceSettings

OTHER_FILES = 200  # a process opens besides the connections of its callers


class LastAnswer:
    """Whoever still waits when a service that stops has no more time is told to come again, as by any that is away."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except asyncio.CancelledError:
            if begun or scope["type"] != "http":
                raise
            await away("the service stops before it was done")(scope, receive, send)


class WebServer(uvicorn.Server):
    def __init__(self, configuration: uvicorn.Config, streams: OpenStreams) -> None:
        super().__init__(configuration)
        self._streams = streams

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """First the streams end, for they would not by themselves; then the rest is answered."""
        self._streams.stop()
        await super().shutdown(sockets)


def serving(app: FastAPI, *, drain_seconds: int) -> WebServer:
    settings = ServiceSettings.from_environment()
    bounds = Bounds(
        connections=settings.connections,
        connections_of_one=settings.connections_of_one,
        to_hear=settings.patience_to_hear,
        to_tell=settings.patience_to_tell,
        kept_open=settings.kept_open,
    )
    callers = Callers(Proxies(settings.proxies))
    allow_files(settings.connections + SPARE + OTHER_FILES)
    configuration = uvicorn.Config(
        LastAnswer(app),
        loop="uvloop",
        http=cast(
            "Any", partial(HttpConnection, bounds=bounds, callers=callers, watch=Watch())
        ),  # it is only called, as the class would be
        ws="none",
        log_config=None,  # what it says goes the way of all that is said (shared/observability/logs.py)
        access_log=False,
        proxy_headers=False,  # it would believe everybody on this machine; shared/http/proxies.py reads them
        server_header=False,
        timeout_graceful_shutdown=drain_seconds,
    )
    return WebServer(configuration, app.state.streams)


def allow_files(wanted: int) -> None:
    """Each connection is an open file, of which many systems allow a thousand unless they are asked for more."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
