"""Callers who send slowly, or never, or do not read: none of them holds a connection for ever."""

import asyncio
import json
import signal
import socket
import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from shared.ids import new_id
from shared.log.postgres import PostgresStore
from shared.log.store import Append, Event
from tests.databases import fresh_database
from tests.integration.launching import until
from tests.integration.serving import Served, serving, signed
from tests.patience import PATIENCE

LIMIT = 1.0  # seconds that the service waits for its callers
BEARABLE = 10
ANSWERED = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"


@pytest.fixture(scope="module")
async def database(server: str) -> str:
    database = await fresh_database(server)
    await fill(database, 12 * 2**20)
    return database


@pytest.fixture(scope="module")
async def served(database: str) -> AsyncGenerator[Served]:
    settings: dict[str, Any] = {
        "patience_to_hear": f"{LIMIT}",
        "patience_to_tell": f"{LIMIT}",
        "connections": f"{BEARABLE}",
    }
    async with serving(database, **settings) as served:
        yield served


async def fill(database: str, size: int) -> None:
    """More than sockets take in by themselves, in one scope."""
    store, each = PostgresStore(database), 2**17
    async with store.running():
        for number in range(1, size // each + 1):
            message = json.dumps({"type": "SaidALot", "data": "x" * each}).encode()
            event = Event(
                id=new_id(),
                stream="long",
                version=number,
                type="SaidALot",
                scope="long",
                record=json.dumps("x" * each).encode(),
                message=message,
            )
            await store.append(Append(expected={"long": number - 1}, events=[event]))


@contextmanager
def trickling(connection: socket.socket, content: bytes) -> Generator[None]:
    """Send it byte by byte, over and over, as long as the other side takes it."""
    stopped = threading.Event()

    def trickle() -> None:
        position = 0
        while not stopped.wait(0.1):
            try:
                connection.send(content[position : position + 1])
            except OSError:
                return
            position = (position + 1) % len(content)

    thread = threading.Thread(target=trickle)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def received(connection: socket.socket) -> bytes:
    """Everything until the connection is closed or cut."""
    content = bytearray()
    try:
        while part := connection.recv(2**16):
            content += part
    except ConnectionResetError:
        pass
    return bytes(content)


def test_who_sends_nothing_is_cut(served: Served) -> None:
    began = time.monotonic()
    with served.connect() as connection:
        received(connection)
    assert time.monotonic() - began > LIMIT / 2


def test_a_head_that_trickles_is_cut(served: Served) -> None:
    with served.connect() as connection, trickling(connection, ANSWERED):
        received(connection)


def test_a_head_that_trickles_behind_an_answered_request_is_cut(served: Served) -> None:
    with served.connect() as connection:
        connection.sendall(ANSWERED + b"\r\n")
        with trickling(connection, ANSWERED):
            received(connection)


def test_empty_lines_keep_no_connection(served: Served) -> None:
    with served.connect() as connection:
        connection.sendall(ANSWERED + b"\r\n")
        with trickling(connection, b"\r\n"):
            received(connection)


def test_a_body_that_nobody_reads_keeps_no_connection(served: Served) -> None:
    with served.connect() as connection:
        connection.sendall(ANSWERED + b"Content-Length: 1000000\r\n\r\n")
        with trickling(connection, b"x"):
            received(connection)


LARGE_HEADS = {
    "one field": b"X: " + b"x" * 70_000,
    "many fields": b"X: x\r\n" * 12_000,
    "a name": b"x" * 70_000 + b": x",
}


@pytest.mark.parametrize("way", ["whole", "without an end", "in packets"])
@pytest.mark.parametrize(
    "head",
    [ANSWERED + fields for fields in LARGE_HEADS.values()] + [ANSWERED.replace(b"z ", b"z?%s " % (b"x" * 70_000))],
)
def test_a_head_that_is_too_large_is_refused_however_it_comes(served: Served, head: bytes, way: str) -> None:
    sent = head if way == "without an end" else head.removesuffix(b"\r\n") + b"\r\n\r\n"
    step = 8_000 if way == "in packets" else len(sent)
    with served.connect() as connection:
        try:
            for start in range(0, len(sent), step):
                connection.sendall(sent[start : start + step])
                time.sleep(0.01 if way == "in packets" else 0)
        except ConnectionError:
            return  # it was refused before it was sent
        assert received(connection)[:12] in {b"HTTP/1.1 431", b""}


def test_a_large_head_that_comes_at_once_is_told_that_it_is_too_large(served: Served) -> None:
    with served.connect() as connection:
        connection.sendall(ANSWERED + LARGE_HEADS["one field"] + b"\r\n\r\n")
        head, _, body = received(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431")
    assert b"x-content-type-options: nosniff" in head
    assert json.loads(body)["status"] == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE


def test_many_small_requests_at_once_have_no_head_in_common(served: Served) -> None:
    with served.connect() as connection:
        connection.sendall((ANSWERED + b"X: %s\r\n\r\n" % (b"x" * 5_000)) * 15)
        answers = b""
        while answers.count(b"HTTP/1.1 200") < 15:
            part = connection.recv(2**16)
            assert part
            answers += part


def test_requests_that_come_long_before_they_can_be_answered_are_cut(served: Served) -> None:
    with served.connect() as connection:
        with suppress(ConnectionError):  # it may be cut before all of them are sent
            connection.sendall((ANSWERED + b"\r\n") * 5_000)
        assert received(connection).count(b"HTTP/1.1 200") < 100


def test_a_field_behind_a_body_is_not_one_of_the_head(served: Served) -> None:
    authorization = signed("operator")["Authorization"].encode()
    with served.connect() as connection:
        connection.sendall(
            b"POST /v1/federations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
            b"Transfer-Encoding: chunked\r\n\r\ne\r\n"
            b'{"name": "Go"}\r\n0\r\nAuthorization: %s\r\n\r\n' % authorization
        )
        assert received(connection).startswith(b"HTTP/1.1 401")


def test_what_is_no_request_is_refused_with_a_problem(served: Served) -> None:
    with served.connect() as connection:
        connection.sendall(b"nonsense\r\n\r\n")
        head, _, body = received(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert b"content-type: application/problem+json" in head
    assert b"x-request-id" in head
    assert json.loads(body)["type"] == "/problems/bad-request"


@pytest.mark.parametrize("path", ["/v1/log", "/v1/log/long", "/v1/live/long?after=0"])
def test_who_does_not_read_an_answer_is_cut(served: Served, path: str) -> None:
    before = served.connections()
    with stalled(served, path):
        assert served.connections() > before
        until(lambda: served.connections() <= before)
        until(lambda: served.streams() == 0)


@contextmanager
def stalled(served: Served, path: str) -> Generator[None]:
    """Somebody who reads nothing but the status."""
    authorization = signed("operator")["Authorization"]
    with served.connect(receive_buffer=4096) as connection:
        head = f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {authorization}\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(12) == b"HTTP/1.1 200"
        yield


@pytest.mark.parametrize("path", ["/v1/log", "/v1/live/long?after=0"])
async def test_who_does_not_read_does_not_hold_up_a_service_that_stops(database: str, path: str) -> None:
    async with serving(database) as served:
        with stalled(served, path):
            began = time.monotonic()
            served.process.send_signal(signal.SIGTERM)
            await asyncio.to_thread(served.process.wait, PATIENCE)
            assert time.monotonic() - began < served.soon


async def test_who_reads_slowly_gets_everything(database: str) -> None:
    """Slower than the patience is long, but never at rest for so long, on a busy machine either."""
    async with serving(database, patience_to_tell=f"{8 * LIMIT}") as served:
        got, took = await asyncio.to_thread(read_slowly, served)
    assert got > 12 * 2**20
    assert took > 8 * LIMIT


def read_slowly(served: Served) -> tuple[int, float]:
    """How much came, and in how many seconds."""
    got, began = 0, time.monotonic()
    with httpx.stream("GET", f"{served.url}/v1/log", headers=signed("operator"), timeout=PATIENCE) as answer:
        for part in answer.iter_bytes(2**20):
            got += len(part)
            time.sleep(0.7 * LIMIT)
    return got, time.monotonic() - began


def test_more_connections_than_are_bearable_are_turned_away_but_not_who_looks_after_it(served: Served) -> None:
    until(lambda: served.connections() == 0)
    held = [served.connect() for _ in range(BEARABLE)]
    try:
        refused = httpx.get(f"{served.url}/v1/federations")
        assert refused.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert refused.json()["type"] == "/problems/too-many-connections"
        assert int(refused.headers["Retry-After"]) > 0
        assert refused.headers["X-Request-Id"]
        assert httpx.get(f"{served.url}/healthz").status_code == HTTPStatus.OK
    finally:
        for connection in held:
            connection.close()
    until(lambda: httpx.get(f"{served.url}/docs").status_code == HTTPStatus.OK)
