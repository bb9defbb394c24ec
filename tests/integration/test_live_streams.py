"""Live streams over HTTP, of a service as it runs in production."""

import asyncio
import json
import math
import signal
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack
from http import HTTPStatus

import httpx
import pytest

from tests.databases import fresh_database
from tests.integration.launching import until
from tests.integration.serving import Served, serving, signed
from tests.listening import HEARTBEAT, Heard, Listener, listening
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
async def database(server: str) -> str:
    return await fresh_database(server)


@pytest.fixture(scope="module")
async def served(database: str) -> AsyncGenerator[Served]:
    async with serving(database, heartbeat="0.2", streams_of_one="5", streams="8") as served:
        yield served


@pytest.fixture
async def federation(served: Served) -> str:
    return (await served.act("/v1/federations", name="Go"))["id"]


async def rename(served: Served, federation: str, *names: str) -> None:
    for name in names:
        await served.act(f"/v1/federations/{federation}/rename", name=name)


def live(served: Served, federation: str) -> str:
    return f"{served.url}/v1/live/{federation}"


async def get(
    url: str, subject: str, *, params: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
) -> httpx.Response:
    async with httpx.AsyncClient() as client:
        return await client.get(url, params=params, headers={**signed(subject), **(headers or {})})


async def names(listener: Listener, count: int) -> list[str]:
    return [json.loads((await listener.next_event()).data or "")["data"]["name"] for _ in range(count)]


async def test_what_happens_is_told_with_its_position_and_the_message_of_neighbours(
    served: Served, federation: str
) -> None:
    async with listening(live(served, federation), signed("operator")) as listener:
        headers = listener.answer.headers
        assert headers["Content-Type"].startswith("text/event-stream")
        assert (headers["Cache-Control"], headers["X-Accel-Buffering"]) == ("no-store", "no")
        await rename(served, federation, "Weiqi")
        heard = await listener.next_event()
        assert heard.event == "FederationRenamed"
        message = json.loads(heard.data or "")
        assert message["data"] == {"federation": federation, "name": "Weiqi"}
    log = (await get(f"{served.url}/v1/log/{federation}", "operator")).text.splitlines()
    last = json.loads(log[-1])
    assert (last["position"], last["record"]["id"]) == (int(heard.id or ""), message["id"])


async def test_another_copy_tells_it_too_and_goes_on_where_the_first_one_stopped(
    served: Served, federation: str, database: str
) -> None:
    async with serving(database) as another:
        async with listening(live(another, federation), signed("operator")) as listener:
            await rename(served, federation, "Weiqi", "Baduk")
            heard = await listener.next_event()
        async with listening(live(served, federation), signed("operator"), behind=heard.id) as listener:
            await rename(another, federation, "Igo")
            assert await names(listener, 2) == ["Baduk", "Igo"]


async def test_a_stream_shows_that_it_lives(served: Served, federation: str) -> None:
    async with listening(live(served, federation), signed("operator")) as listener:
        assert [await listener.next() for _ in range(3)] == [HEARTBEAT] * 3


@pytest.mark.parametrize("named", ["4000000000", "x", "-1", "1e3"])
async def test_a_position_that_the_log_does_not_have_is_refused(served: Served, federation: str, named: str) -> None:
    for query, headers in (({"after": named}, {}), ({}, {"Last-Event-ID": named})):
        refused = await get(live(served, federation), "operator", params=query, headers=headers)
        assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


async def test_a_stream_ends_in_order_when_the_token_expires(served: Served, federation: str) -> None:
    began = time.monotonic()
    async with listening(live(served, federation), signed("operator")):
        to_connect = time.monotonic() - began
    nearly_over = signed("operator", seconds=math.ceil(4 * to_connect) - 3)  # clocks may differ by five seconds
    async with listening(live(served, federation), nearly_over) as listener:
        assert set(await listener.rest()) <= {HEARTBEAT}


async def test_a_stream_ends_in_order_when_its_caller_is_dismissed(served: Served, federation: str) -> None:
    scorer = {"subject": "a-scorer", "role": "scorer"}
    await served.act(f"/v1/federations/{federation}/officials", **scorer)
    async with listening(live(served, federation), signed("a-scorer")) as listener:
        await served.act(f"/v1/federations/{federation}/officials/dismiss", **scorer)
        events = [heard.event for heard in await listener.rest() if heard != HEARTBEAT]
        assert events == ["OfficialDismissed"]
    refused = await get(live(served, federation), "a-scorer")
    assert refused.status_code == HTTPStatus.FORBIDDEN


async def test_open_streams_are_counted_and_limited(served: Served, federation: str) -> None:
    url = live(served, federation)
    for number in range(4):
        await served.act(f"/v1/federations/{federation}/officials", subject=f"s{number}", role="scorer")
    async with AsyncExitStack() as stack:
        for _ in range(5):
            await stack.enter_async_context(listening(url, signed("operator")))
        refused(await get(url, "operator"), HTTPStatus.TOO_MANY_REQUESTS)
        for number in range(3):
            await stack.enter_async_context(listening(url, signed(f"s{number}")))
        refused(await get(url, "s3"), HTTPStatus.SERVICE_UNAVAILABLE)
        assert served.streams() == 8
    await asyncio.to_thread(until, lambda: served.streams() == 0)
    async with listening(url, signed("operator")):
        pass


def refused(answer: httpx.Response, status: HTTPStatus) -> None:
    assert (answer.status_code, answer.json()["type"]) == (status, "/problems/too-many-streams")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert int(answer.headers["Retry-After"]) > 0


async def test_a_service_with_fifty_streams_is_down_at_once_and_all_of_them_end_in_order(database: str) -> None:
    async with serving(database, streams_of_one="50") as served, AsyncExitStack() as stack:
        federation = (await served.act("/v1/federations", name="Go"))["id"]
        listeners = [
            await stack.enter_async_context(listening(live(served, federation), signed("operator"))) for _ in range(50)
        ]
        began = time.monotonic()
        served.process.send_signal(signal.SIGTERM)
        heard = await asyncio.gather(*(listener.rest() for listener in listeners))
        assert all(one == HEARTBEAT for rest in heard for one in rest), "and what a slow machine beat before"
        await asyncio.to_thread(served.process.wait, PATIENCE)
        assert time.monotonic() - began < served.soon  # which it would wait for whoever does not end


async def test_a_request_under_way_is_answered_by_a_service_that_stops(database: str) -> None:
    async with serving(database) as served:

        async def slowly() -> AsyncGenerator[bytes]:
            yield b'{"name": '
            await get(f"{served.url}/healthz", "operator")  # who is answered has come later: that much is read
            served.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(0.3)
            yield b'"Go"}'

        async with httpx.AsyncClient() as client:
            headers = signed("operator") | {"Content-Type": "application/json"}
            answer = await client.post(f"{served.url}/v1/federations", content=slowly(), headers=headers)
        assert answer.status_code == HTTPStatus.CREATED
        await asyncio.to_thread(served.process.wait, PATIENCE)


@pytest.mark.rule("SK.REG-17")
async def test_notices_come_to_whoever_listens_without_a_token_and_to_the_officials_without_their_words(
    served: Served, federation: str
) -> None:
    announced = {"federation": federation, "name": "Cup", "ruleset": "scrabble-sk-2022-qt"}
    day = {"time_zone": "Europe/Bratislava", "starts_on": "2099-11-21"}
    tournament = (await served.act("/v1/tournaments", **announced, **day))["id"]
    path = f"/v1/tournaments/{tournament}/notices"
    await served.act(f"/v1/tournaments/{tournament}/open")
    lunch = await served.act(path, words="Lunch is at 12:30.")
    async with listening(f"{served.url}{path}/live", {}) as players:
        assert notice(await players.next_event()) == ("1", 1, "Lunch is at 12:30.")
        async with listening(live(served, tournament), signed("operator")) as officials:
            await served.act(path, words="Round 3 begins at 13:15.")
            assert notice(await players.next_event()) == ("2", 2, "Round 3 begins at 13:15.")
            told = await officials.next_event()
            assert (told.event, "Round" in (told.data or "")) == ("NoticePosted", False)
        await served.act(f"{path}/{lunch['id']}/recall")
        assert notice(await players.next_event()) == ("3", 1, None)
    async with listening(f"{served.url}{path}/live", {}, behind="1") as players:
        assert [notice(await players.next_event())[0] for _ in range(2)] == ["2", "3"]
    async with listening(f"{served.url}{path}/live", {}, behind="999999") as players:
        assert [notice(await players.next_event())[0] for _ in range(2)] == ["2", "3"], "a backup was restored"
        await served.act(path, words="The bus goes at 19:00.")
        assert notice(await players.next_event()) == ("4", 3, "The bus goes at 19:00.")


def notice(heard: Heard) -> tuple[str | None, int, str | None]:
    """Its id in the stream, its number and its words."""
    told = json.loads(heard.data or "")
    return heard.id, told["number"], told["words"]
