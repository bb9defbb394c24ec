"""The proxy that makes the services one origin, as it runs in front of one of them; the others are not there."""

import asyncio
import itertools
import json
import os
import re
import signal
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import psutil
import pytest

from deploy import SERVICES
from deploy.local import proxy
from deploy.local.keeper import Keeper
from deploy.local.ports import any_free, listen
from deploy.local.processes import Child
from deploy.local.proxy import ADDRESS, Proxy
from shared.values import Value
from tests.api.asking import problem
from tests.databases import fresh_database
from tests.documents import published
from tests.integration.serving import Served, serving, signed
from tests.listening import listening
from tests.patience import PATIENCE

STRANGER, NEIGHBOUR = "127.0.0.3", "127.0.0.4"
FEDERATIONS = "/registration/v1/federations"


class Origin(Value):
    """What callers see of it."""

    url: str
    service: Served
    proxy: Proxy
    child: Child

    def caller(self, address: str = NEIGHBOUR, headers: Mapping[str, str] | None = None) -> httpx.AsyncClient:
        transport = httpx.AsyncHTTPTransport(local_address=address) if sys.platform == "linux" else None
        return httpx.AsyncClient(base_url=self.url, transport=transport, headers=headers, timeout=PATIENCE)

    async def ask(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, **more: Any
    ) -> httpx.Response:
        """As often as anybody may: the service is slow to bear more, for the test that makes up addresses."""
        async with self.caller() as caller:
            while True:
                answer = await caller.request(method, path, headers=signed("operator") | dict(headers or {}), **more)
                if answer.status_code != HTTPStatus.TOO_MANY_REQUESTS:
                    return answer
                await asyncio.sleep(float(answer.headers["Retry-After"]))

    async def founded(self, name: str) -> str:
        return (await self.ask("POST", FEDERATIONS, json={"name": name})).json()["id"]


@asynccontextmanager
async def proxied(served: Served, folder: Path) -> AsyncGenerator[Origin]:
    """The service in the place of registration; nothing listens where the others would be."""
    with listen(any_free()) as listening:
        services = {name: [any_free()] for name in SERVICES} | {"registration": [served.port]}
        front = Proxy(listening=listening, services=services, folder=folder / "proxy", log=folder / "proxy.log")
        child = await proxy.start(front)
        try:
            yield Origin(url=f"http://127.0.0.1:{front.port}", service=served, proxy=front, child=child)
        finally:
            await child.end()


@pytest.fixture(scope="module")
async def database(server: str) -> str:
    return await fresh_database(server)


@pytest.fixture(scope="module")
async def origin(database: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Origin]:
    async with (
        serving(database, proxies=ADDRESS, rate="10", heartbeat="60") as served,
        proxied(served, tmp_path_factory.mktemp("proxy")) as found,
    ):
        yield found


async def test_below_its_prefix_a_service_describes_itself_as_what_it_is_there(origin: Origin) -> None:
    document = await origin.ask("GET", "/registration/openapi.json")
    assert document.json()["servers"] == [{"url": "/registration"}]
    page = await origin.ask("GET", "/registration/docs")
    for part in re.findall(r"(?:src|href|url)[=:] *[\"']([^\"']+)", page.text):
        found = await origin.ask("GET", urljoin("/registration/docs", part))
        assert found.is_success, part
    assert (await origin.ask("GET", "/registration")).headers["Location"] == "/registration/docs"
    async with httpx.AsyncClient(base_url=origin.service.url) as stranger:
        told = (await stranger.get("/openapi.json", headers={"X-Forwarded-Prefix": "/elsewhere"})).json()
        assert "servers" not in told
    told = (await origin.ask("GET", "/registration/openapi.json", {"X-Forwarded-Prefix": "/elsewhere"})).json()
    assert told["servers"] == [{"url": "/registration"}]


async def test_the_next_page_is_below_the_prefix_too(origin: Origin) -> None:
    names = {"Go", "Chess", "Hex"}
    for name in names:
        await origin.founded(name)
    path, found = f"{FEDERATIONS}?limit=1", set[str]()
    while path:
        page = await origin.ask("GET", path)
        found |= {one["name"] for one in page.json()["items"]}
        path = urljoin(path, page.links["next"]["url"]) if page.links else ""
    assert found >= names


async def test_answers_are_compressed_and_their_tags_hold_all_the_same(origin: Origin) -> None:
    long = await origin.ask("GET", "/registration/v1/rulesets", {"Accept-Encoding": "gzip"})
    assert long.headers["Content-Encoding"] == "gzip"
    assert (await origin.ask("GET", "/registration/docs", {"Accept-Encoding": "zstd"})).is_success
    assert "Accept-Encoding" in long.headers["Vary"]
    assert "Authorization" in long.headers["Vary"]
    federation = await origin.founded("Weiqi")
    stranger = signed("stranger") | {"Accept-Encoding": "gzip"}  # to whom it says at length why not
    found = await origin.ask("GET", f"{FEDERATIONS}/{federation}", stranger)
    assert found.headers["Content-Encoding"] == "gzip"
    assert found.headers["ETag"].startswith('"1.')
    assert found.headers["ETag"].endswith('-gzip"')
    assert (
        await origin.ask("GET", f"{FEDERATIONS}/{federation}", stranger | {"If-None-Match": found.headers["ETag"]})
    ).status_code == HTTPStatus.NOT_MODIFIED
    for tag, status in ((found.headers["ETag"], HTTPStatus.OK), ('"1-zstd"', HTTPStatus.PRECONDITION_FAILED)):
        renamed = await origin.ask(
            "POST", f"{FEDERATIONS}/{federation}/rename", {"If-Match": tag}, json={"name": f"Go {status}"}
        )
        assert renamed.status_code == status


async def test_live_streams_come_as_they_are_and_go_on_where_they_stopped(origin: Origin) -> None:
    federation = await origin.founded("Go")
    rename = f"{FEDERATIONS}/{federation}/rename"
    url, headers = f"{origin.url}/registration/v1/live/{federation}", signed("operator") | {"Accept-Encoding": "gzip"}
    async with listening(url, headers) as listener:
        assert "Content-Encoding" not in listener.answer.headers
        await origin.ask("POST", rename, json={"name": "Weiqi"})
        heard = await listener.next_event()  # long before a heartbeat would push it on
        assert json.loads(heard.data or "")["data"]["name"] == "Weiqi"
    for name in ("Baduk", "Igo"):
        await origin.ask("POST", rename, json={"name": name})
    async with listening(url, headers, behind=heard.id) as listener:
        again = [json.loads((await listener.next_event()).data or "")["data"]["name"] for _ in range(2)]
    assert again == ["Baduk", "Igo"]


async def test_too_large_a_body_is_refused_in_the_words_of_the_services(origin: Origin) -> None:
    async def in_pieces() -> AsyncGenerator[bytes]:
        for _ in range(3):
            yield b" " * 2**20

    for content in (b" " * 2**20 + b" ", b" " * 3 * 2**20, in_pieces()):
        refused = await origin.ask("POST", FEDERATIONS, {"Content-Type": "application/json"}, content=content)
        assert problem(refused, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large").detail.endswith("send less at once.")
        described = json.loads(published("registration"))["components"]["responses"]["Refused"]["headers"]
        assert {name.lower() for name, one in described.items() if one["required"]} <= {*refused.headers}
    head = await origin.ask("GET", FEDERATIONS, {"X-Long": "x" * 2**16})
    assert head.status_code == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a machine has one loopback address")
async def test_nobody_has_another_address_than_they_have(origin: Origin) -> None:
    """Whoever could make up addresses would have as many requests as they like."""

    made_up = {"X-Forwarded-For": "{}", "X-Real-IP": "{}", "Forwarded": "for={}", "True-Client-IP": "{}"}

    async def statuses(url: str) -> list[int]:
        """Of many at once, each from an address of its own as it says."""
        async with origin.caller(STRANGER) as stranger:
            asked = (
                stranger.get(url, headers={name: form.format(f"10.0.{n % 2}.{n}") for name, form in made_up.items()})
                for n in range(100)
            )
            return [answer.status_code for answer in await asyncio.gather(*asked)]

    for url in (f"{origin.url}{FEDERATIONS}", f"{origin.service.url}/v1/federations"):
        assert HTTPStatus.TOO_MANY_REQUESTS in await statuses(url)
        async with origin.caller(NEIGHBOUR) as neighbour:
            assert (await neighbour.get(url)).status_code == HTTPStatus.OK


async def test_what_is_not_there_is_a_problem_document(origin: Origin) -> None:
    problem(await origin.ask("GET", "/nothing"), HTTPStatus.NOT_FOUND, "not-found")
    problem(await origin.ask("GET", "/registration/nothing"), HTTPStatus.NOT_FOUND, "not-found")
    away = await origin.ask("GET", "/pairing/v1/tournaments/x")
    problem(away, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
    assert int(away.headers["Retry-After"]) > 0
    problem(await origin.ask("GET", "/assets/nothing.js"), HTTPStatus.NOT_FOUND, "not-found")


async def test_its_log_has_no_paths_and_no_tokens_in_it(origin: Origin) -> None:
    await origin.ask("GET", "/standings/v1/a-secret-path")
    lines = origin.proxy.log.read_text().splitlines()
    assert lines
    assert not [line for line in lines if "secret" in line or "Bearer" in line or "/v1/" in line]
    assert {json.loads(line).get("service", "proxy") for line in lines} == {"proxy"}


async def test_nobody_else_changes_how_it_works_and_it_connects_to_nobody_but_the_services(origin: Origin) -> None:
    process = psutil.Process(origin.child.pid)
    connections = process.net_connections("tcp")
    assert {one.laddr.port for one in connections if one.status == psutil.CONN_LISTEN} == {origin.proxy.port}
    assert {one.raddr.port for one in connections if one.laddr.ip == ADDRESS} <= {
        *itertools.chain(*origin.proxy.services.values())
    }
    outgoing = [one for one in connections if one.raddr and one.laddr.port != origin.proxy.port]
    assert all(one.laddr.ip == ADDRESS and one.raddr.ip == "127.0.0.1" for one in outgoing)


async def test_a_service_that_ends_is_missed_in_order_and_so_is_the_proxy(database: str, tmp_path: Path) -> None:
    async with serving(database, proxies=ADDRESS) as served, proxied(served, tmp_path) as origin:
        federation = await origin.founded("Go")
        url = f"{origin.url}/registration/v1/live/{federation}"
        async with listening(url, signed("operator")) as listener:
            ending = asyncio.create_task(origin.child.end())
            served.process.terminate()
            assert await listener.rest() == []  # it ended as streams do
            async with asyncio.timeout(served.soon / 2):  # nobody is waited for
                await ending
        assert origin.child.outcome() == "ended with code 0"


async def test_a_killed_proxy_is_started_again_and_its_callers_wait(origin: Origin) -> None:
    said: list[str] = []
    kept = Keeper(
        "proxy", partial(proxy.start, origin.proxy), partial(proxy.ask, origin.proxy), say=said.append, changed=list
    )
    await origin.child.end()
    await kept.ready()
    try:
        assert kept.child is not None
        os.kill(kept.child.pid, signal.SIGKILL)
        assert (await origin.ask("GET", FEDERATIONS)).status_code == HTTPStatus.OK
    finally:
        await kept.end()


@asynccontextmanager
async def copy(name: str) -> AsyncGenerator[int]:
    """Answers every request with its name; yields its port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        await reader.readexactly(int(length[1]) if length else 0)
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(name)}\r\nConnection: close\r\n\r\n{name}".encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


@asynccontextmanager
async def before_copies(folder: Path, ports: list[int]) -> AsyncGenerator[httpx.AsyncClient]:
    with listen(any_free()) as listening:
        services: dict[str, list[int]] = dict.fromkeys(SERVICES, ports)
        front = Proxy(listening=listening, services=services, folder=folder / "proxy", log=folder / "proxy.log")
        child = await proxy.start(front)
        try:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{front.port}", timeout=PATIENCE) as client:
                yield client
        finally:
            await child.end()


async def test_acts_go_to_the_first_copy_and_any_answers_what_is_read(tmp_path: Path) -> None:
    async with copy("first") as first, copy("second") as second, before_copies(tmp_path, [first, second]) as client:
        acts = [(await client.post("/results/v1/games/g/reports", json={})).text for _ in range(10)]
        looks = [(await client.get("/results/v1/games/g")).text for _ in range(40)]
    assert set(acts) == {"first"}
    assert set(looks) == {"first", "second"}


async def test_whoever_meets_a_copy_that_is_gone_is_answered_by_the_next_one(tmp_path: Path) -> None:
    async with copy("second") as second, before_copies(tmp_path, [any_free(), second]) as client:
        acts = [(await client.post("/results/v1/games/g/reports", json={})).text for _ in range(10)]
        looks = [(await client.get("/results/v1/games/g")).text for _ in range(10)]
    assert set(acts + looks) == {"second"}
