"""Requests that no client of good will sends: each is refused, and told what is wrong with it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from deploy import SERVICES
from tests.api.asking import FEDERATIONS, Client, founded, issuer, listed, pointers, problem, service
from tests.api.holding import announce
from tests.api.signing import signed_by

HUGE = 10**400
TIMES: tuple[object, ...] = (
    HUGE,
    -HUGE,
    float("inf"),
    float("-inf"),
    float("nan"),
    "1e400",
    "soon",
    True,
    [],
    {},
    2**63,
    -1,
    None,
)
JSON = {"Content-Type": "application/json"}


async def in_pieces(*pieces: bytes) -> AsyncGenerator[bytes]:
    """Sent with `Transfer-Encoding: chunked`."""
    for piece in pieces:
        yield piece


@pytest.mark.parametrize("claim", ["exp", "iat", "nbf"])
async def test_a_time_that_no_clock_shows_makes_no_token(client: Client, claim: str) -> None:
    for time in TIMES:
        if time is None and claim == "nbf":
            continue  # it may be missing
        claims: dict[str, Any] = {claim: time}
        answer = await client.get(FEDERATIONS, headers=signed_by(issuer().token(**claims)))
        refused = problem(answer, HTTPStatus.UNAUTHORIZED, "unauthenticated")
        assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"], refused


async def test_a_subject_is_an_id_from_its_first_letter_to_its_last(client: Client) -> None:
    for subject in ("anna\n", "\nanna", "anna ", "", "\u0430nna", "anna\x00"):
        answer = await client.get(FEDERATIONS, headers=signed_by(issuer().token(subject)))
        problem(answer, HTTPStatus.UNAUTHORIZED, "unauthenticated")


async def test_a_token_deeper_than_can_be_read_is_none(client: Client) -> None:
    answer = await client.get(FEDERATIONS, headers=signed_by("e30." + "W1tb" * 1000 + ".e30"))
    problem(answer, HTTPStatus.UNAUTHORIZED, "unauthenticated")


async def test_a_parameter_that_stands_twice_is_refused(new_client: Client) -> None:
    assert pointers(await new_client.get(f"{FEDERATIONS}?limit=5&limit=5")) == ["/query/limit"]
    go = await founded(new_client, "Go")
    twice = await new_client.post(f"{FEDERATIONS}/{go}/rename?dry_run=true&dry_run=false", json={"name": "Chess"})
    assert pointers(twice) == ["/query/dry_run"]
    await listed(new_client, "Go")


async def test_a_parameter_that_is_a_list_may_stand_several_times(database: str) -> None:
    async with service(database, name="results") as results:
        answer = await results.get("/v1/words/ok?edition=a&edition=b")
        assert "/query/edition" not in answer.text
        assert pointers(await results.get("/v1/words/ok?tournament=a&tournament=b")) == ["/query/tournament"]


async def test_a_member_that_stands_twice_is_refused(new_client: Client) -> None:
    for body, pointer in {
        b'{"name": "Go", "name": "Chess"}': "/name",
        b'{"name": "Go", "reason": {"code": "a", "code": "b"}}': "/reason/code",
        b'\xef\xbb\xbf{"name": "Go", "name": "Go"}': "/name",
    }.items():
        assert pointers(await new_client.post(FEDERATIONS, content=body, headers=JSON)) == [pointer]
    await listed(new_client)


@pytest.mark.parametrize("path", ["/v1/rank", "/v1/pair"])
async def test_a_member_that_stands_twice_in_a_file_is_refused(database: str, path: str) -> None:
    name = {"/v1/rank": "standings", "/v1/pair": "pairing"}[path]
    async with service(database, name=name) as calculator:
        answer = await calculator.post(path, content=b'{"stages": [], "stages": [1]}', headers=JSON)
        assert pointers(answer) == ["/stages"]


async def test_a_body_where_none_belongs_is_refused(client: Client) -> None:
    go = await founded(client, "Go")
    path = f"{FEDERATIONS}/{go}"
    ada = (await client.post("/v1/persons", json={"federation": go, "name": "Ada"})).json()["id"]
    cup = (await announce(client, go)).json()["id"]
    for method, url in (
        ("GET", FEDERATIONS),
        ("GET", path),
        ("GET", "/v1/log"),
        ("DELETE", f"/v1/persons/{ada}"),
        ("POST", f"/v1/tournaments/{cup}/open"),
    ):
        for content in (b"{}", b" ", in_pieces(b"{", b"}")):
            assert pointers(await client.request(method, url, content=content, headers=JSON)) == [""], (method, url)
    assert (await client.request("GET", path, content=in_pieces())).status_code == HTTPStatus.OK
    assert (await client.request("GET", path, headers={"Content-Length": "0"})).status_code == HTTPStatus.OK


async def test_a_body_where_none_belongs_is_refused_of_nobody_in_particular_too(database: str) -> None:
    async with service(database, signed_in=False) as client:
        for content in (b"{}", in_pieces(b"{", b"}")):
            assert pointers(await client.request("GET", FEDERATIONS, content=content, headers=JSON)) == [""]


class Untouched(httpx.AsyncByteStream):
    """A body that tells whether anybody has read of it."""

    def __init__(self) -> None:
        self.was_read = False

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        self.was_read = True
        yield b'{"name": "Go"}'


@pytest.mark.parametrize("name", SERVICES)
async def test_nobodys_body_is_read_where_it_is_asked_who_they_are(database: str, name: str) -> None:
    async with service(database, name=name, signed_in=False) as client:
        document = (await client.get("/openapi.json")).json()
        for path, methods in document["paths"].items():
            for operation in (found for method, found in methods.items() if method == "post"):
                for headers in ({}, signed_by("not.a.token")):
                    body = Untouched()
                    answer = await client.post(path.replace("{", "").replace("}", ""), content=body, headers=headers)
                    if headers or "x-roundlog-may" in operation:
                        problem(answer, HTTPStatus.UNAUTHORIZED, "unauthenticated")
                        assert not body.was_read, operation["operationId"]


async def test_callers_behind_a_named_proxy_have_a_rate_each(database: str) -> None:
    async with service(database, signed_in=False, rate="1", proxies="127.0.0.1") as client:
        for address in ("203.0.113.7", "203.0.113.8", "2001:db8::1"):
            found = await asked(client, [address] * 40)
            assert found.count(HTTPStatus.OK) >= 2, "a burst of its own"
            assert HTTPStatus.TOO_MANY_REQUESTS in found
        made_up = [f"1.2.3.{number}, 203.0.113.9" for number in range(40)]
        assert HTTPStatus.TOO_MANY_REQUESTS in await asked(client, made_up)


async def asked(client: Client, forwarded: Sequence[str]) -> list[int]:
    asking = (client.get(FEDERATIONS, headers={"X-Forwarded-For": address}) for address in forwarded)
    return [answer.status_code for answer in await asyncio.gather(*asking)]


async def test_what_somebody_is_shown_who_has_signed_in_is_kept_by_nobody(new_client: Client, database: str) -> None:
    for path in (FEDERATIONS, "/v1/log", f"{FEDERATIONS}/nothing"):
        assert (await new_client.get(path)).headers["Cache-Control"] == "no-store"
    assert (await new_client.post(FEDERATIONS, json={"name": "Go"})).headers["Cache-Control"] == "no-store"
    async with service(database, signed_in=False) as public:
        assert "Cache-Control" not in (await public.get(FEDERATIONS)).headers


@pytest.mark.parametrize("name", SERVICES)
async def test_no_browser_guesses_what_an_answer_is(database: str, name: str) -> None:
    async with service(database, name=name, signed_in=False) as client:
        for path in ("/docs", "/docs/assets/swagger-ui.css", "/openapi.json", "/nothing", "/healthz", "/metrics"):
            assert (await client.get(path)).headers["X-Content-Type-Options"] == "nosniff"
        assert (await client.post("/v1/nothing")).headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("name", SERVICES)
async def test_the_pages_of_the_documentation_run_nothing_but_their_own(database: str, name: str) -> None:
    async with service(database, name=name, signed_in=False) as client:
        policy = (await client.get("/docs")).headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "frame-ancestors 'none'" in policy


async def test_a_header_that_stands_twice_is_refused(new_client: Client) -> None:
    go = await founded(new_client, "Go")
    rename = f"{FEDERATIONS}/{go}/rename"
    for name, said in (("Idempotency-Key", "a"), ("If-Match", '"1"'), ("Roundlog-Min-Position", "registration:1/1")):
        twice = await new_client.post(rename, json={"name": "Chess"}, headers=[(name, said), (name, said)])
        assert pointers(twice) == [f"/header/{name}"]
    await listed(new_client, "Go")


@pytest.mark.parametrize("written", ["1_0", " 10", "10 ", "+10", "10.0", "1e1"])
async def test_a_whole_number_is_written_with_digits_alone(database: str, written: str) -> None:
    async with service(database, name="standings") as standings:
        stage = "/v1/tournaments/cup/stages/swiss"
        assert pointers(await standings.get("/v1/log", params={"limit": written})) == ["/query/limit"]
        assert pointers(await standings.get(f"{stage}/standings", params={"round": written})) == ["/query/round"]
    async with service(database, name="pairing") as pairing:
        assert pointers(await pairing.get(f"{stage}/rounds/{written}")) == ["/path/round"]
        answer = await pairing.get("/v1/live/cup", headers={"Last-Event-ID": written.strip()})
        assert written != written.strip() or pointers(answer) == ["/header/Last-Event-ID"]
