"""Whoever listens and does not read is told the newest once they do, and what came meanwhile lies nowhere for them."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from deploy.http_connection import Bounds, Callers, HttpConnection, Watch
from shared.access.asker import Asker
from shared.clock import now
from shared.http.live_streams import EventStream, Frame, NewestListener, OpenStreams, newest, written
from shared.http.proxies import Proxies
from tests.patience import PATIENCE

LARGE = b"x" * 2**18
TIMES = 100
NOBODY = Asker(caller=None, grants=frozenset(), is_operator=False)


class Told:
    """An app with one stream."""

    def __init__(self) -> None:
        self.listener = NewestListener()
        self.is_there = asyncio.Event()
        self.streams = OpenStreams(most=9, most_of_one=9, heartbeat=0.05, now=now)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        stream = EventStream(
            newest(self.listener, self._listening()), streams=self.streams, asker=NOBODY, stays=self._stays, behind="0"
        )
        await stream(scope, receive, send)

    @asynccontextmanager
    async def _listening(self) -> AsyncGenerator[None]:
        self.is_there.set()
        yield

    async def _stays(self) -> bool:
        return True


async def test_nothing_piles_up_for_who_does_not_read() -> None:
    app = Told()
    state, watch, connections = ServerState(), Watch(), list[HttpConnection]()

    def connected() -> HttpConnection:
        bounds = Bounds(connections=9, connections_of_one=9, to_hear=60, to_tell=60, kept_open=60)
        configuration = uvicorn.Config(app, ws="none")
        one = HttpConnection(
            configuration, state, {}, bounds=bounds, callers=Callers(Proxies(frozenset())), watch=watch
        )
        connections.append(one)
        return one

    loop = asyncio.get_running_loop()
    server = await loop.create_server(connected, "127.0.0.1", 0)
    caller = socket.socket()
    caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**16)
    caller.settimeout(0)
    await loop.sock_connect(caller, server.sockets[0].getsockname())
    await loop.sock_sendall(caller, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await asyncio.wait_for(app.is_there.wait(), PATIENCE)
    for number in range(1, TIMES + 1):
        app.listener.tell(written(Frame(id=f"n{number}", event="table", data=LARGE)))
        await asyncio.sleep(0.001)
        assert connections[0].transport.get_write_buffer_size() < 3 * len(LARGE)
    heard = b""
    while f"id: n{TIMES}\n".encode() not in heard or not heard.endswith(b":\n\n\r\n"):
        heard += await asyncio.wait_for(loop.sock_recv(caller, 2**20), PATIENCE)
    numbers = [int(part.split(b"\n", 1)[0]) for part in heard.split(b"id: n")[1:]]
    assert numbers == sorted(numbers)
    assert len(numbers) < TIMES / 2
    assert heard.count(LARGE) == len(numbers)
    app.listener.tell(written(Frame(id="n0", event="table", data=b"again")))
    while b"data: again" not in heard:
        heard += await asyncio.wait_for(loop.sock_recv(caller, 2**20), PATIENCE)
    caller.close()
    app.streams.stop()
    server.close()
    await asyncio.gather(*state.tasks, return_exceptions=True)
