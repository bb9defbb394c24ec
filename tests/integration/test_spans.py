"""Spans of one service: none unless somebody wants them, and nobody is disturbed by who does not take them."""

import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast, override

import httpx
import pytest

from deploy.databases import connection
from shared.contracts.registration import TournamentCompleted
from shared.kernel import Kernel
from shared.log.envelope import MESSAGES
from shared.log.postgres import PostgresStore
from shared.messaging.broker import Broker
from shared.messaging.reactions import Received
from shared.observability.spans import Kind, SpanPlace, Spans, place_of, trace_of
from shared.observability.traced import TracedBroker, TracedStore, traced_effect
from tests.collector import CollectedSpan, Collector
from tests.integration.serving import Served, serving, signed
from tests.integration.speaking import settings
from tests.listening import listening
from tests.patience import PATIENCE
from tests.played import STAGE, published, result, started
from tests.told import done, message, tell

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CALLER = "00f067aa0ba902b7"
POST = "POST /v1/federations"
APPEND = "append FederationFounded"
NOWHERE = "nats://localhost:1"
LOADED = "import sys; from services.results.app import create_app; create_app(); print(*sys.modules)"


@pytest.fixture
async def collector() -> AsyncGenerator[Collector]:
    async with Collector().running() as collector:
        yield collector


@pytest.fixture
def wanted(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, collector.url)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")


async def founds(served: Served, **headers: str) -> str:
    """Answers which trace the caller is told."""
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        url, who = f"{served.url}/v1/federations", signed("operator")
        answer = await client.post(url, json={"name": "Go"}, headers=who | headers)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    return answer.headers["traceparent"]


async def traces_of_records(database: str) -> list[str]:
    async with connection(database) as reader:
        rows = await reader.fetch(
            "select convert_from(record, 'UTF8')::json ->> 'trace' from log.log order by position"
        )
    return [row[0] for row in rows]


def both_are_there(spans: Sequence[CollectedSpan]) -> bool:
    return {one.name for one in spans} >= {POST, APPEND}


def named(spans: Sequence[CollectedSpan], name: str) -> CollectedSpan:
    (found,) = (one for one in spans if one.name == name)
    return found


async def test_without_a_collector_nothing_is_wrapped(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for endpoint in (None, ""):  # compose says it with nothing in it
        monkeypatch.delenv(ENDPOINT, raising=False) if endpoint is None else monkeypatch.setenv(ENDPOINT, endpoint)
        kernel = Kernel("results", settings(database, NOWHERE))
        assert (kernel.spans, type(kernel.store), type(kernel.broker)) == (None, PostgresStore, Broker)
    monkeypatch.setenv(ENDPOINT, "http://localhost:4318")
    kernel = Kernel("results", settings(database, NOWHERE))
    assert (type(kernel.spans), type(kernel.store), type(kernel.broker)) == (Spans, TracedStore, TracedBroker)


def test_without_a_collector_no_sdk_is_loaded(database: str) -> None:
    told = {"ROUNDLOG_DATABASE_URL": database, "ROUNDLOG_NATS_URL": NOWHERE, ENDPOINT: ""}
    asked = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", LOADED], env=os.environ | told, capture_output=True, text=True, check=True
    )
    loaded = asked.stdout.split()
    assert "services.results.app" in loaded
    assert not [one for one in loaded if one.startswith(("opentelemetry.sdk", "opentelemetry.exporter", "requests"))]


@pytest.mark.usefixtures("wanted")
async def test_a_request_goes_on_with_the_trace_of_its_caller(database: str, collector: Collector) -> None:
    async with serving(database) as served:
        told = await founds(served, traceparent=f"00-{TRACE}-{CALLER}-01")
        spans = await collector.until(TRACE, both_are_there)
    request = named(spans, POST)
    assert (request.parent, named(spans, APPEND).parent) == (CALLER, request.id)
    assert told == f"00-{TRACE}-{request.id}-01"
    assert {*await traces_of_records(database)} == {TRACE}
    assert not [one for one in collector.spans if "healthz" in one.name]


@pytest.mark.usefixtures("wanted")
async def test_a_request_without_a_trace_begins_one(database: str, collector: Collector) -> None:
    async with serving(database) as served:
        _, trace, span, _ = (await founds(served)).split("-")
        spans = await collector.until(trace, both_are_there)
    assert (named(spans, POST).id, named(spans, POST).parent) == (span, "")
    assert {*await traces_of_records(database)} == {trace}


@pytest.mark.usefixtures("wanted")
async def test_a_request_with_a_name_of_its_own_keeps_it(database: str, collector: Collector) -> None:
    async with serving(database) as served:
        told = await founds(served, **{"X-Request-Id": "desk-7.21"})
        trace = f"{trace_of('desk-7.21'):032x}"
        spans = await collector.until(trace, both_are_there)
    assert told == f"00-{trace}-{named(spans, POST).id}-01"
    assert {*await traces_of_records(database)} == {"desk-7.21"}


@pytest.mark.usefixtures("wanted")
async def test_of_a_share_all_services_keep_the_same_traces(database: str, collector: Collector) -> None:
    several = [Spans(service=name, deployment="test", share=0.25) for name in ("results", "standings")]
    kept = [[one.keeps(trace_of(f"{n}")) for n in range(4000)] for one in several]
    assert kept[0] == kept[1]
    assert 800 < sum(kept[0]) < 1200
    async with serving(database, traces_share="0") as served:
        assert (await founds(served)).endswith("-00")
        served.process.terminate()
        assert served.process.wait(PATIENCE) == -signal.SIGTERM
    assert collector.asked == 0


@pytest.mark.usefixtures("wanted")
async def test_who_takes_no_spans_disturbs_nobody(database: str, collector: Collector, tmp_path: Path) -> None:
    collector.answers = False
    async with serving(database, log=tmp_path / "log") as served:
        for _ in range(3):
            await founds(served)
        await collector.until(TRACE, lambda _: collector.asked > 0)
        await founds(served)
        served.process.terminate()
        assert served.process.wait(PATIENCE) == -signal.SIGTERM
    assert "the last spans were taken by nobody" in (tmp_path / "log").read_text()


async def test_where_nobody_listens_nobody_is_disturbed(
    database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:9")
    async with serving(database, log=tmp_path / "log") as served:
        await founds(served)
        served.process.terminate()
        assert served.process.wait(PATIENCE) == -signal.SIGTERM
    said = [line for line in (tmp_path / "log").read_text().splitlines() if "opentelemetry" in line]
    assert said
    assert len(said) < 5


@pytest.mark.usefixtures("wanted")
async def test_a_wrong_setting_of_the_exporter_stops_no_service(
    database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "-1")
    async with serving(database, log=tmp_path / "log") as served:
        await founds(served)
    assert "no spans are exported, look at its variables: ValueError" in (tmp_path / "log").read_text()


@pytest.mark.usefixtures("wanted")
async def test_each_copy_shows_whom_it_has_told(database: str, collector: Collector) -> None:
    """A table is made by one of them."""
    cup, live = "cup", f"/v1/tournaments/cup/stages/{STAGE}/standings/live"
    async with AsyncExitStack() as stack:
        several = [await stack.enter_async_context(serving(database, service="standings")) for _ in range(2)]
        await tell(database, "registration", cup, *started(cup, ("A", "B")))
        await tell(database, "pairing", cup, published(cup, 1, [("A", "B")]))
        await done(database)
        listeners = [await stack.enter_async_context(listening(f"{one.url}{live}", {})) for one in several]
        for listener in listeners:
            await listener.next_event()
        await tell(database, "results", cup, result(cup, 1, 1, ("A", "B"), (400, 300)), trace=TRACE)
        told = [(await listener.next_event()).id for listener in listeners]
        spans = await collector.until(
            TRACE, lambda spans: number(spans, "push table") == 2 and number(spans, "make tables") == 1
        )
    made = named(spans, "make tables")
    assert made.parent == named(spans, "receive ResultFinal").id
    pushed = [one for one in spans if one.name == "push table"]
    assert [one.parent for one in pushed] == [made.id] * 2
    assert {one.facts["roundlog.inputs"] for one in pushed} == {*told}


def number(spans: Sequence[CollectedSpan], name: str) -> int:
    return sum(one.name == name for one in spans)


async def test_without_the_libraries_a_service_runs(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", cast("Any", None))
    async with Spans(service="results", deployment="test", share=1).running():
        assert "install its extra `traces`" in caplog.text


class NotedSpans(Spans):
    """Those that would be sent."""

    def __init__(self) -> None:
        super().__init__(service="standings", deployment="test", share=1)
        self.noted: list[tuple[str, SpanPlace, SpanPlace | None, bool]] = []

    @override
    def record(
        self,
        name: str,
        place: SpanPlace,
        parent: SpanPlace | None,
        began: datetime,
        ended: datetime,
        *,
        kind: Kind = "INTERNAL",
        failed: bool = False,
        facts: Mapping[str, str | int] | None = None,
    ) -> None:
        self.noted.append((name, place, parent, failed))


async def test_what_could_not_be_handled_is_shown_and_then_what_has_come_of_it() -> None:
    heard = message("cup", TournamentCompleted(tournament="cup"), trace=TRACE)
    event = Received(arrival=1, source="registration", number=1, scope="cup", type="TournamentCompleted", message=heard)
    spans, fails = NotedSpans(), True

    async def effect(_: object, __: Sequence[Received]) -> None:
        if fails:
            raise ValueError("it cannot be handled")

    followed = traced_effect(effect, spans, service="standings")
    with pytest.raises(ValueError, match="handled"):
        await followed(cast("Any", None), [event])
    fails = False
    committed = await followed(cast("Any", None), [event])
    assert committed is not None
    assert len(spans.noted) == 1, "what is not committed has not happened"
    committed()
    (name, tried, before, failed), then = spans.noted
    identity = MESSAGES.decode(heard).id
    step = place_of("receive", identity, TRACE, service="standings")
    assert (name, before, failed) == ("receive TournamentCompleted", place_of("send", identity, TRACE), True)
    assert then == (name, step, before, False)
    assert tried.trace == step.trace
    assert tried != step
