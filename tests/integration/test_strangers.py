"""Callers who are nobody in particular, and many: what they cost a service, and whom they hold up."""

import asyncio
import json
import socket
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest

from tests.integration.launching import until
from tests.integration.serving import Served, serving, signed
from tests.patience import PATIENCE

STRANGER, NEIGHBOUR = "127.0.0.2", "127.0.0.3"
LARGE = 2**20
LITTLE = 60 * 2**20  # bytes of memory that a service may need for all of them
REFUSED = b"HTTP/1.1 401", b"HTTP/1.1 429"

LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a machine has one loopback address")


@contextmanager
def from_address(served: Served, address: str) -> Generator[httpx.Client]:
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(base_url=served.url, transport=transport, headers=signed("operator"), timeout=PATIENCE) as client:
        yield client


def unfinished(served: Served, number: int, headers: str = "") -> Generator[socket.socket]:
    """Connections with bodies of a mebibyte, all but the last byte of it."""
    head = f"POST /v1/federations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{headers}Content-Length: {LARGE}\r\n\r\n"
    for _ in range(number):
        connection = served.connect(address=STRANGER)
        try:
            connection.sendall(head.encode())
            connection.settimeout(0.05)  # who is refused is not read: what they send stays with them
            connection.sendall(b" " * (LARGE - 1))
        except OSError:
            pass
        yield connection


def answers(connections: list[socket.socket], at_least: int) -> list[bytes]:
    """The first words of those that were answered, as soon as so many are."""
    found: dict[socket.socket, bytes] = {}

    def look() -> bool:
        for connection in connections:
            if connection not in found and (said := said_by_now(connection)):
                found[connection] = said
        return len(found) >= at_least

    until(look)
    return list(found.values())


def said_by_now(connection: socket.socket) -> bytes:
    connection.settimeout(0.05)
    try:
        return connection.recv(12)
    except OSError:
        return b""


@LINUX_ONLY
@pytest.mark.parametrize("who", ["nobody", "somebody"])
async def test_bodies_that_never_end_cost_little_and_hold_up_nobody(database: str, who: str) -> None:
    headers = "" if who == "nobody" else f"Authorization: {signed('loud')['Authorization']}\r\n"
    async with serving(database) as served:
        with from_address(served, NEIGHBOUR) as neighbour:
            assert neighbour.post("/v1/federations", json={"name": "Before"}).status_code == HTTPStatus.CREATED
            before = served.memory()
            connections = list(unfinished(served, 400, headers))
            try:
                assert served.memory() - before < LITTLE
                assert neighbour.post("/v1/federations", json={"name": "Go"}).status_code == HTTPStatus.CREATED
                assert set(answers(connections, 300)) <= set(REFUSED)
            finally:
                for connection in connections:
                    connection.close()


@LINUX_ONLY
async def test_one_address_does_not_take_all_connections(database: str) -> None:
    async with serving(database, connections="40", connections_of_one="10") as served:
        held = [served.connect(address=STRANGER) for _ in range(60)]
        try:
            with from_address(served, NEIGHBOUR) as neighbour:
                assert neighbour.get("/v1/federations").status_code == HTTPStatus.OK
            until(lambda: served.connections() <= 31)  # the others were cut at once
            for connection in held[12:]:
                connection.close()
            until(lambda: served.connections() <= 13)
            with from_address(served, STRANGER) as another:
                problem = another.get("/v1/federations")
                assert problem.status_code == HTTPStatus.TOO_MANY_REQUESTS
                assert problem.json()["type"] == "/problems/too-many-connections"
                assert int(problem.headers["Retry-After"]) > 0
                assert another.get("/healthz").status_code == HTTPStatus.OK
        finally:
            for connection in held:
                connection.close()


async def test_an_idle_connection_stays_for_the_next_request_while_there_is_room(database: str) -> None:
    async with serving(database, kept_open="30", connections="6") as served:
        alone = asked_and_open(served)
        await asyncio.sleep(3)
        again(alone)
        others = [asked_and_open(served) for _ in range(4)]
        until(lambda: closed(others[-1]))
        again(alone)
        for connection in (alone, *others):
            connection.close()


def asked_and_open(served: Served) -> socket.socket:
    connection = served.connect()
    again(connection)
    return connection


def again(connection: socket.socket) -> None:
    connection.settimeout(PATIENCE)
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    answer = b""
    while not answer.endswith(b"}"):
        answer += connection.recv(2**16)
    assert answer.startswith(b"HTTP/1.1 200")


def closed(connection: socket.socket) -> bool:
    connection.settimeout(0.05)
    try:
        return not connection.recv(1)
    except TimeoutError:
        return False


async def test_a_proxy_has_as_many_connections_as_it_needs_but_nobody_behind_it(database: str) -> None:
    async with serving(database, service="standings", connections_of_one="5", proxies="127.0.0.1") as served:

        def sending(address: str) -> socket.socket:
            connection = served.connect()
            connection.sendall(
                b"POST /v1/rank HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: %s\r\n"
                b"Authorization: %s\r\nContent-Length: 9\r\n\r\n{"
                % (address.encode(), signed("somebody")["Authorization"].encode())
            )
            return connection

        held = [sending(f"203.0.113.{number}") for number in range(12)]
        held += [sending("198.51.100.1") for _ in range(5)]
        try:
            read = await asyncio.to_thread(httpx.get, f"{served.url}/healthz")  # and so is what came before it
            assert read.status_code == HTTPStatus.OK
            held.append(sending("198.51.100.1"))
            assert held[-1].recv(12) == b"HTTP/1.1 429"
            assert [said_by_now(connection) for connection in held[:-1]] == [b""] * 17
        finally:
            for connection in held:
                connection.close()


async def test_strangers_write_no_log(database: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    nonsense = (
        b"GET /v1/%s?token=secret-word HTTP/1.1\r\nHost: x\r\n\r\n" % (b"x" * 20_000),
        b"POST /v1/federations?token=secret-word HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
        b"POST /v1/federations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret-word\r\nContent-Length: 0\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        b"secret-word\r\n\r\n",
    )
    async with serving(database, log=log) as served:
        before = log.stat().st_size
        for sent in nonsense * 40:
            with served.connect() as connection:
                connection.sendall(sent)
                assert connection.recv(9) == b"HTTP/1.1 "
        written = log.read_bytes()[before:]
    assert len(written) < 4_000, written
    assert b"secret-word" not in written
    assert {json.loads(line)["level"] for line in written.splitlines()} <= {"warning", "info"}


async def test_every_path_has_a_rate_but_who_looks_after_it_on_the_same_machine_is_always_answered(
    database: str,
) -> None:
    carried = {"X-Forwarded-For": "203.0.113.7"}  # by a proxy that nobody has named
    async with (
        serving(database, rate="1") as served,
        httpx.AsyncClient(base_url=served.url, timeout=PATIENCE) as client,
    ):
        for path in ("/v1/federations", "/nothing", "/docs", "/openapi.json", "/docs/assets/nothing.js"):
            assert HTTPStatus.TOO_MANY_REQUESTS in await asked(client, [path] * 50), path
        for path in ("/healthz", "/readyz", "/metrics"):
            assert HTTPStatus.TOO_MANY_REQUESTS in await asked(client, [path] * 50, [carried] * 50), path
        assert {*await asked(client, ["/healthz"] * 50)} == {HTTPStatus.OK}


async def test_nobody_gets_another_rate_by_naming_another_address(database: str) -> None:
    """Not on the same machine either."""
    async with (
        serving(database, rate="1") as served,
        httpx.AsyncClient(base_url=served.url, timeout=PATIENCE) as client,
    ):
        made_up = [{"X-Forwarded-For": f"203.0.113.{number}"} for number in range(50)]
        assert HTTPStatus.TOO_MANY_REQUESTS in await asked(client, ["/v1/federations"] * 50, made_up)


async def asked(
    client: httpx.AsyncClient, paths: Sequence[str], headers: Sequence[Mapping[str, str]] = ({},) * 50
) -> list[int]:
    """All at once, for who asks slowly is never held back."""
    asking = (client.get(path, headers=said) for path, said in zip(paths, headers, strict=True))
    return [answer.status_code for answer in await asyncio.gather(*asking)]
