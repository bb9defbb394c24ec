"""The OpenAPI documents: whole for every operation of every service, and held against every answer."""

import json
import re
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from deploy import SERVICES
from deploy.documents import NOWHERE, openapi
from shared.log.postgres import PostgresStore
from shared.log.store import Append
from tests.api.asking import FEDERATIONS, Client
from tests.documents import Document, NotAsDocumented, checked
from tests.events import event

HEALTH = "health"  # for machines that look after the service: nobody signs in to it

type Operation = dict[str, Any]


@pytest.fixture(params=SERVICES)
def document(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    for variable, value in NOWHERE.items():
        monkeypatch.setenv(variable, value)
    return json.loads(generated(request.param))


@cache
def generated(service: str) -> str:
    return openapi(service)


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    for methods in document["paths"].values():
        yield from methods.values()


def contents(operation: Operation) -> Iterator[dict[str, Any]]:
    """Of what is sent, and of what comes back when it went well."""
    yield from operation.get("requestBody", {}).get("content", {}).values()
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            yield from answer.get("content", {}).values()


def test_every_operation_has_a_name_of_its_own_and_says_what_it_does(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    described = list(operations(document))
    assert len({operation["operationId"] for operation in described}) == len(described)
    for operation in described:
        assert operation["summary"], operation["operationId"]
        assert operation["description"], operation["operationId"]


def test_every_form_has_a_name_for_people(document: dict[str, Any]) -> None:
    assert [name for name in document["components"]["schemas"] if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name)] == []


def test_every_operation_shows_whole_examples_of_its_own_form(document: dict[str, Any]) -> None:
    described = Document(document)
    for operation in operations(document):
        for content in contents(operation):
            faults = described.faults(content["schema"], content["example"])
            assert faults == [], f"{operation['operationId']} shows {content['example']}"


def test_nothing_that_is_sent_may_have_members_that_mean_nothing(document: dict[str, Any]) -> None:
    forms = document["components"]["schemas"]
    sent = {name for operation in operations(document) for name in named(operation.get("requestBody", {}))}
    while more := {inner for name in sent for inner in named(forms[name])} - sent:
        sent |= more
    closed = {name for name in sent if forms[name].get("additionalProperties") is False}
    assert {name for name in sent - closed if "properties" in forms[name]} == set()


def named(part: dict[str, Any]) -> list[str]:
    """The forms that a part of the document speaks of."""
    return re.findall(r'"#/components/schemas/(\w+)"', json.dumps(part))


def test_every_operation_says_how_it_is_refused(document: dict[str, Any]) -> None:
    for operation in operations(document):
        if operation["tags"] == [HEALTH]:
            continue
        expected = {HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}
        if not operation["x-roundlog-may"]["anybody"]:
            expected |= {HTTPStatus.FORBIDDEN}
        if operation.get("parameters"):
            expected |= {HTTPStatus.UNPROCESSABLE_ENTITY}
        if "requestBody" in operation:
            expected |= {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE}
        assert {str(status.value) for status in expected} <= operation["responses"].keys(), operation["operationId"]


def test_every_refusal_is_described_as_the_problem_that_it_is(document: dict[str, Any]) -> None:
    for operation in operations(document):
        for status, answer in operation["responses"].items():
            if int(status) >= HTTPStatus.BAD_REQUEST and operation["tags"] != [HEALTH]:
                assert answer["content"] == {
                    "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                }, operation["operationId"]


GAME: Operation = {
    "operationId": "getGame",
    "responses": {
        "200": {
            "headers": {
                "ETag": {"required": True},
                "Link": {"required": False},
                "X-Request-Id": {"$ref": "#/components/headers/X-Request-Id"},
            },
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Game"}}},
        },
        "204": {},
    },
}
LOG: Operation = {"operationId": "readLog", "responses": {"200": {"content": {"application/x-ndjson": {"schema": {}}}}}}
SMALL: dict[str, Any] = {
    "paths": {"/v1/games/{game}": {"get": GAME}, "/v1/log": {"get": LOG}},
    "components": {
        "headers": {"X-Request-Id": {"required": True}},
        "schemas": {
            "Game": {
                "required": ["points", "at"],
                "properties": {"points": {"$ref": "#/components/schemas/Points"}, "at": {"format": "date-time"}},
            },
            "Points": {"type": "integer"},
            "Problem": {"required": ["type"]},
        },
    },
}

WELL = {"ETag": '"1"', "X-Request-Id": "7"}
TRUE = {"points": 1, "at": "2026-03-14T09:30:00Z"}


async def ask(answer: httpx.Response, path: str = "/v1/games/7", method: str = "GET") -> httpx.Response:
    """What comes of an answer, at both kinds of client."""
    transport = httpx.MockTransport(
        lambda _: httpx.Response(answer.status_code, content=answer.content, headers=answer.headers)
    )
    with checked(httpx.Client(transport=transport, base_url="http://games"), SMALL) as client:
        client.request(method, path)
    async with checked(httpx.AsyncClient(transport=transport, base_url="http://games"), SMALL) as client:
        return await client.request(method, path)


def problem(status: HTTPStatus, **headers: str) -> httpx.Response:
    typed = {"Content-Type": "application/problem+json"} | headers
    return httpx.Response(status, json={"type": "/problems/any"}, headers=typed)


async def test_answers_that_are_as_documented_pass() -> None:
    await ask(httpx.Response(200, json=TRUE, headers=WELL))
    await ask(httpx.Response(204))
    await ask(httpx.Response(200, text="any", headers={"Content-Type": "application/x-ndjson"}), "/v1/log")
    await ask(httpx.Response(200, text="<html>"), "/docs")
    await ask(problem(HTTPStatus.NOT_FOUND), "/v1/nothing")
    await ask(problem(HTTPStatus.METHOD_NOT_ALLOWED, Allow="GET"), method="DELETE")


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (httpx.Response(200, json=TRUE | {"points": "1"}, headers=WELL), '/points "1" is not of type "integer"'),
        (httpx.Response(200, json=TRUE | {"at": "yesterday"}, headers=WELL), '/at "yesterday" is not a "date-time"'),
        (httpx.Response(200, json={"points": 1}, headers=WELL), '"at" is a required property'),
        (httpx.Response(200, json=TRUE, headers={"X-Request-Id": "7"}), "lacks the header ETag"),
        (httpx.Response(200, json=TRUE, headers={"ETag": "1"}), "lacks the header X-Request-Id"),
        (httpx.Response(200, text="1", headers=WELL), "content type is none of"),
        (httpx.Response(204, json=TRUE), "content type is none of"),
        (httpx.Response(201, json=TRUE, headers=WELL), "getGame documents no 201"),
        (problem(HTTPStatus.CONFLICT), "getGame documents no 409"),
        (problem(HTTPStatus.INTERNAL_SERVER_ERROR), "getGame documents no 500"),
    ],
)
async def test_an_answer_that_is_not_as_documented_is_found(answer: httpx.Response, wrong: str) -> None:
    with pytest.raises(NotAsDocumented, match=wrong):
        await ask(answer)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (httpx.Response(200, json=TRUE), "no document describes it"),
        (httpx.Response(307, headers={"Location": "/v1/games/7"}), "no document describes it"),
        (httpx.Response(404, json={"detail": "Not Found"}), "no document describes it"),
        (httpx.Response(404, json={}, headers={"Content-Type": "application/problem+json"}), '"type" is a required'),
        (problem(HTTPStatus.METHOD_NOT_ALLOWED), "lacks the header Allow"),
        (problem(HTTPStatus.INTERNAL_SERVER_ERROR), "no document describes it"),
    ],
)
async def test_an_answer_that_nobody_has_described_is_found(answer: httpx.Response, wrong: str) -> None:
    with pytest.raises(NotAsDocumented, match=wrong):
        await ask(answer, "/v1/games")


async def test_a_service_is_held_to_its_document(new_client: Client, database: str) -> None:
    store = PostgresStore(database)
    async with store.running():
        await store.append(Append(expected={"federation-f1": 0}, events=[event("federation-f1", 1)]))
    with pytest.raises(NotAsDocumented, match="getFederation documents no 500"):
        await new_client.get(f"{FEDERATIONS}/f1")
