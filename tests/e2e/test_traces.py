"""One result is one trace, from the request of whoever sends it to the table that spectators are told."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from deploy import SERVICES
from deploy.demo.cast import PLAYERS, SCORERS
from deploy.demo.play import connected, publish_next
from deploy.demo.preparation import Cup, CupPlan, director, found
from deploy.local.folder import Folder
from shared.clock import now
from tests.collector import CollectedSpan, Collector
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform, free_base
from tests.listening import listening
from tests.prepared import copy_prepared

SIGNED = {"end": "played", "scores": [390, 365], "signed_by": [0, 1]}
CALLER = "00f067aa0ba902b7"
FACTS = {"http.request.method": "POST", "http.response.status_code": 200, "roundlog.operation": "reportResult"}
TRACES = ("4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c")
HEARING = {"registration", "pairing", "standings"}
WAY = [
    ("results", "POST /v1/games/{game_id}/reports", "SERVER"),
    ("results", "append ResultAgreed", "INTERNAL"),
    ("results", "send ResultFinal", "PRODUCER"),
    ("standings", "receive ResultFinal", "CONSUMER"),
    ("standings", "make tables", "INTERNAL"),
    ("standings", "push table", "PRODUCER"),
]


@pytest.fixture
async def collector() -> AsyncGenerator[Collector]:
    async with Collector().running() as collector:
        yield collector


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    folder = Folder(path=tmp_path_factory.mktemp("watched") / "data")
    copy_prepared(tmp_path_factory, folder)
    return folder


@pytest.fixture
async def watched(collector: Collector, folder: Folder) -> AsyncGenerator[Platform]:
    """A platform that exports its spans."""
    told = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "100"}
    platform = Platform(folder=folder, base_port=free_base(), environment=told)
    try:
        started = await asyncio.to_thread(platform.up, "--detach")
        assert started.returncode == 0, started.stdout
        yield platform
    finally:
        platform.clear()


async def round_of(platform: Platform) -> tuple[Cup, list[dict[str, Any]]]:
    """A small tournament and its first games, which results knows."""
    plan = CupPlan(ruleset="scrabble-sk-2022-qt", players=PLAYERS[:4])
    async with connected({name: platform.url(name) for name in SERVICES}, platform.folder) as network:
        cup = await found(network, now().date(), plan)
        published = await publish_next(director(network), cup.stage, 1, after=cup.started)
        games = published.body["pairs"]
        for game in games:
            await network.anybody().look("results", f"/v1/games/{game['game']}", after=published.position)
    return cup, games


async def reported(platform: Platform, game: str, trace: str) -> httpx.Response:
    who = signed(platform, SCORERS[0]) | {"traceparent": f"00-{trace}-{CALLER}-01"}
    async with httpx.AsyncClient() as client:
        answer = await client.post(f"{platform.below('results')}/v1/games/{game}/reports", json=SIGNED, headers=who)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer


def only(spans: Sequence[CollectedSpan], name: str) -> CollectedSpan:
    (found,) = (one for one in spans if one.name == name)
    return found


def way_to(span: CollectedSpan, spans: Sequence[CollectedSpan]) -> list[CollectedSpan]:
    """From the first one down to this."""
    before = [one for one in spans if one.id == span.parent]
    return [*(way_to(before[0], spans) if before else []), span]


def all_is_there(spans: Sequence[CollectedSpan]) -> bool:
    """What is over last is not always the last that comes: each service sends its own."""
    ids = {one.id for one in spans}
    is_pushed = any(one.name == "push table" for one in spans)
    return is_pushed and heard_by(spans) == HEARING and all(one.parent in ids | {CALLER} for one in spans)


def heard_by(spans: Sequence[CollectedSpan]) -> set[str]:
    return {one.service for one in spans if one.name == "receive ResultFinal"}


async def test_a_result_is_one_trace_up_to_the_table_that_is_told(watched: Platform, collector: Collector) -> None:
    cup, games = await round_of(watched)
    live = f"{watched.below('standings')}{cup.stage}/standings/live"
    async with listening(live, {}) as listener:
        await listener.next_event()
        for trace, game in zip(TRACES, games, strict=False):
            answer = await reported(watched, game["game"], trace)
            await listener.next_event()
            spans = await collector.until(trace, all_is_there)
            pushed = only(spans, "push table")
            way = way_to(pushed, spans)
            assert [(one.service, one.name, one.kind) for one in way] == WAY
            assert way[0].parent == CALLER
            assert way[0].facts.items() >= FACTS.items()
            assert answer.headers["traceparent"] == f"00-{trace}-{way[0].id}-01"
            assert pushed.facts["roundlog.listeners"] == 1
            assert {one.facts["messaging.destination.name"] for one in way[2:4]} == {"roundlog-results"}
            assert all(one.began <= one.ended and not one.failed for one in spans)
            assert [one.began for one in way] == sorted(one.began for one in way)
