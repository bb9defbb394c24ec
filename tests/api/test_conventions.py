"""What holds for every operation: limits, positions, traces, numbers, and logs that keep secrets."""

import asyncio
import json
from hashlib import sha256
from http import HTTPStatus

import pytest

from shared.http import limits
from shared.observability.logs import OneObjectALine
from tests.api.asking import FEDERATIONS, Client, founded, issuer, problem, rename, service
from tests.api.signing import signed_by
from tests.logged import records_of
from tests.patience import AT_ONCE

REQUEST_LOG = "shared.http.request_log"


async def test_a_body_that_is_too_large_is_refused(database: str) -> None:
    async with service(database, largest_body="1000") as client:
        refused = await client.post(FEDERATIONS, json={"name": "x" * 1000})
        problem(refused, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large")
        assert (await client.post(FEDERATIONS, json={"name": "x" * 100})).status_code == HTTPStatus.CREATED


@pytest.mark.parametrize("body", ["[" * 40 + "]" * 40, '{"a":' * 40 + "1" + "}" * 40, "[" * 10_000])
async def test_a_body_that_is_too_deep_is_refused(client: Client, body: str) -> None:
    refused = await client.post(FEDERATIONS, content=body, headers={"Content-Type": "application/json"})
    problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")


def test_brackets_inside_of_texts_are_no_depth() -> None:
    assert not limits.is_deeper_than(2, b'{"a": "[[[[[[\\"[[[[", "b": [1]}')
    assert limits.is_deeper_than(2, b'{"a": {"b": {"c": 1}}}')


async def test_who_asks_too_often_is_told_to_wait_and_others_are_not(database: str) -> None:
    async with service(database, rate="1") as client:
        answers = [await client.get(FEDERATIONS) for _ in range(15)]
        held_back = [answer for answer in answers if answer.status_code == HTTPStatus.TOO_MANY_REQUESTS]
        assert held_back
        problem(held_back[0], HTTPStatus.TOO_MANY_REQUESTS, "too-many-requests")
        assert int(held_back[0].headers["Retry-After"]) >= 1
        other = await client.get(FEDERATIONS, headers=signed_by(issuer().token("somebody-else")))
        assert other.status_code == HTTPStatus.OK
        assert (await client.get("/healthz")).status_code == HTTPStatus.OK


async def test_what_somebody_has_is_not_sent_again(client: Client) -> None:
    founded_one = await founded(client, "Go")
    federation = f"{FEDERATIONS}/{founded_one}"
    for path in (federation, FEDERATIONS, "/v1/rulesets", "/v1/rulesets/othello-pl-2021", "/v1/tournaments"):
        known = {"If-None-Match": (await client.get(path)).headers["ETag"]}
        again = await client.get(path, headers=known)
        assert (again.status_code, again.content, again.headers["ETag"]) == (
            HTTPStatus.NOT_MODIFIED,
            b"",
            known["If-None-Match"],
        ), path
    known = {"If-None-Match": (await client.get(federation)).headers["ETag"]}
    stranger = await client.get(federation, headers=known | {"Authorization": ""})
    assert stranger.status_code == HTTPStatus.OK, "who may not do the same has another answer"
    await rename(client, founded_one, "Go and Bridge")
    assert (await client.get(federation, headers=known)).json()["name"] == "Go and Bridge"


async def test_a_read_rests_on_the_position_that_it_names(new_client: Client) -> None:
    for number in range(10):
        answer = await new_client.post(FEDERATIONS, json={"name": f"Go {number}"})
        after_it = {"Roundlog-Min-Position": answer.headers["Roundlog-Position"]}
        listed = await new_client.get(FEDERATIONS, headers=after_it)
        assert len(listed.json()["items"]) == number + 1


async def test_a_position_that_is_not_reached_is_waited_for_and_then_said(client: Client) -> None:
    await founded(client, "Go")
    refused = await client.get(
        FEDERATIONS, headers={"Roundlog-Min-Position": "registration:999/999"}, extensions=AT_ONCE
    )
    problem(refused, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
    assert refused.headers["Retry-After"]
    several = {"Roundlog-Min-Position": "results:999/999, registration:999/999"}
    refused = await client.post(FEDERATIONS, json={"name": "Chess"}, headers=several, extensions=AT_ONCE)
    problem(refused, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
    names = [one["name"] for one in (await client.get(FEDERATIONS)).json()["items"]]
    assert "Chess" not in names, "an act waits as well"
    for wrong in ("nowhere:1/1", "registration:1/1,", "registration:1/1 results:1/1"):
        refused = await client.get(FEDERATIONS, headers={"Roundlog-Min-Position": wrong})
        problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")


async def test_positions_of_services_that_nothing_rests_on_are_accepted(database: str) -> None:
    async with service(database, name="results") as results:
        elsewhere = await results.get("/v1/me", headers={"Roundlog-Min-Position": "standings:999/999"})
    assert elsewhere.status_code == HTTPStatus.OK


async def test_a_trace_goes_from_the_request_into_the_log(new_client: Client) -> None:
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    headers = {"traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
    answer = await new_client.post(FEDERATIONS, json={"name": "Go"}, headers=headers)
    assert answer.headers["traceparent"].split("-")[1] == trace
    records = records_of((await new_client.get("/v1/log")).content)
    assert [record["trace"] for record in records] == [trace, trace]
    named = await new_client.get(FEDERATIONS, headers={"X-Request-Id": "table-7"})
    assert named.headers["X-Request-Id"] == "table-7"
    assert named.headers["traceparent"].split("-")[1] == sha256(b"table-7").hexdigest()[:32]


async def test_numbers_for_prometheus(new_client: Client) -> None:
    await founded(new_client, "Go")
    await new_client.get("/v1/nothing")
    numbers = (await new_client.get("/metrics")).text
    assert 'roundlog_requests_total{operation="foundFederation",status="201"} 1.0' in numbers
    assert "roundlog_log_position 2.0" in numbers
    assert "roundlog_log_public 2.0" in numbers
    assert "/v1/nothing" not in numbers


async def test_logs_are_json_and_keep_secrets(
    client: Client, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    await client.post(FEDERATIONS, json={"name": "A very private name"}, headers={"Idempotency-Key": "a secret key"})
    await client.post(FEDERATIONS, json={"name": ""}, headers=signed_by("not.a.token"))
    await asyncio.sleep(0)
    lines = [json.loads(OneObjectALine("registration").format(record)) for record in caplog.records]
    lines += [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (answered,) = [line for line in lines if line["said"] == "answered"]  # nobody's requests are no acts
    assert answered.keys() == {"at", "level", "service", "logger", "said", "trace", "facts"}
    assert (answered["service"], answered["level"], answered["logger"]) == ("registration", "info", REQUEST_LOG)
    assert answered["facts"].keys() == {"operation", "status", "milliseconds"}
    assert (answered["facts"]["operation"], answered["facts"]["status"]) == ("foundFederation", HTTPStatus.CREATED)
    written = json.dumps(lines)
    for secret in ("private name", "a secret key", "not.a.token", issuer().token()[:20]):
        assert secret not in written


async def test_web_pages_of_other_origins_may_call_only_when_they_are_named(database: str) -> None:
    asking = {"Origin": "https://example.org"}
    async with service(database) as client:
        assert "access-control-allow-origin" not in (await client.get(FEDERATIONS, headers=asking)).headers
    async with service(database, origins="https://example.org") as client:
        answer = await client.get(FEDERATIONS, headers=asking)
        assert answer.headers["access-control-allow-origin"] == "https://example.org"
        assert "Roundlog-Position" in answer.headers["access-control-expose-headers"]


async def test_the_pages_of_the_documentation_need_no_internet(client: Client) -> None:
    page = await client.get("/docs")
    assert page.status_code == HTTPStatus.OK
    assert "https://" not in page.text
    script = await client.get("/docs/assets/swagger-ui-bundle.js")
    assert (script.status_code, len(script.content) > 100_000) == (HTTPStatus.OK, True)


async def test_every_error_has_the_same_form(client: Client) -> None:
    answers = [
        await client.get("/v1/nothing"),
        await client.put(FEDERATIONS),
        await client.post(FEDERATIONS, content=b"{"),
        await client.get(FEDERATIONS, headers=signed_by("damaged")),
        await client.get(f"{FEDERATIONS}/nobody"),
    ]
    for answer in answers:
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert {"type", "title", "status", "detail"} <= answer.json().keys()
        assert answer.headers["X-Request-Id"]
