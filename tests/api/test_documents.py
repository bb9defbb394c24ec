"""The OpenAPI documents: whole for every operation of every service, and held against every answer."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from http import HTTPStatus
from importlib import import_module
from typing import Any

import httpx
import jsonschema_rs
import pytest

from deploy import SERVICES
from deploy.documents import DOCS, NOWHERE, openapi
from services.results.domain.protests import COUNCIL
from shared.http.openapi import JsonSchema
from shared.http.problems import DESCRIPTIONS
from shared.log.postgres import PostgresStore
from shared.log.store import Append
from tests.api.asking import FEDERATIONS, Client, documented
from tests.api.asking import problem as problem_of
from tests.documents import Document, NotAsDocumented, checked, example, published
from tests.events import event

AN_OPERATION = 1_920  # bytes of all documents together, uncompressed
MANY = 50  # operations of which more is told than their documents say
SHORT = 150  # of what is said twice: a reference would not be shorter

type Operation = dict[str, Any]


@pytest.fixture(params=SERVICES)
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    return json.loads(published(request.param))


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    for methods in document["paths"].values():
        yield from methods.values()


def examples(part: JsonSchema) -> Iterator[tuple[dict[str, JsonSchema], JsonSchema]]:
    """Every schema in a part of a document that has examples, with each of them."""
    match part:
        case {"examples": [*several], **schema}:
            yield from ((schema, one) for one in several)
        case dict():
            for inner in part.values():
                yield from examples(inner)
        case list():
            for inner in part:
                yield from examples(inner)
        case _:
            pass


@pytest.mark.parametrize("service", SERVICES)
def test_the_documents_that_all_answers_are_held_against_are_those_of_the_services(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in NOWHERE.items():
        monkeypatch.setenv(variable, value)
    assert openapi(service) == published(service), "run `make docs`"


def test_every_operation_has_a_name_of_its_own_and_says_what_it_does(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    described = list(operations(document))
    assert len({operation["operationId"] for operation in described}) == len(described)
    for operation in described:
        assert operation["summary"], operation["operationId"]
        assert operation["description"], operation["operationId"]


def test_every_form_has_a_name_for_people(document: dict[str, Any]) -> None:
    assert [name for name in document["components"]["schemas"] if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name)] == []


def test_every_form_that_has_a_name_is_one(document: dict[str, Any]) -> None:
    """Of a name for another form, or for nothing at all, most generators make a class that cannot be used."""
    schemas = document["components"]["schemas"]
    assert [name for name, form in schemas.items() if "$ref" in form or {"type": "null"} in form.get("anyOf", ())] == []
    assert not {"ge", "le", "gt", "lt"} & {said for form in schemas.values() for said in form}


def test_every_body_that_is_sent_has_a_whole_example_of_its_own_form(document: dict[str, Any]) -> None:
    described = Document(document)
    for operation in operations(document):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            shown = example(content, document)
            assert described.faults(content["schema"], shown) == [], f"{operation['operationId']} shows {shown}"


def test_what_has_to_go_together_does_so_in_examples() -> None:
    bodies: dict[str, Any] = {}
    for service in ("results", "standings"):
        described = documented(service)
        for operation in operations(described):
            for content in operation.get("requestBody", {}).get("content", {}).values():
                bodies[operation["operationId"]] = example(content, described)
    record, objection, season = bodies["attachRecord"], bodies["ruleObjection"], bodies["addUpSeasonFile"]
    assert (record["moves"] is None) != (record["variant"] is None)
    assert len({one["member"] for one in bodies["decideProtest"]["council"]}) == COUNCIL
    assert {*objection["referee"]} <= {*objection["laid"]}
    organisers = {one for tournament in season["tournaments"] for one in tournament["organisers"]}
    assert organisers <= {one["id"] for one in season["players"]}


def test_a_body_has_to_be_sent_where_its_form_asks_for_something(document: dict[str, Any]) -> None:
    """Otherwise nothing could be sent in place of it, which no form can be read from."""
    registry = document["components"]["schemas"]
    for operation in operations(document):
        body = operation.get("requestBody", {"required": True})
        if not body.get("required"):
            forms = [content["schema"] for content in body["content"].values()]
            named = [registry[one["$ref"].rpartition("/")[2]] if "$ref" in one else one for one in forms]
            assert not any(one.get("required") for one in named), operation["operationId"]


def test_every_example_of_a_field_is_of_its_form(document: dict[str, Any]) -> None:
    described = Document(document)
    shown = list(examples(document["components"]["schemas"]))
    assert [(schema, one) for schema, one in shown if described.faults(schema, one)] == []
    assert shown


async def test_what_is_a_format_of_its_own_is_told_where_the_document_says(client: Client) -> None:
    schema = documented("registration")["components"]["schemas"]["Ruleset"]
    told = await client.get(schema["externalDocs"]["url"])
    assert told.headers["Content-Type"] == "application/schema+json"
    assert jsonschema_rs.Draft202012Validator(told.json(), validate_formats=True).is_valid(schema["examples"][0])
    problem_of(await client.get("/formats/Nothing.json"), HTTPStatus.NOT_FOUND, "not-found")


async def test_all_documents_together_are_small_as_they_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in NOWHERE.items():
        monkeypatch.setenv(variable, value)
    described = sum(len([*operations(json.loads(published(service)))]) for service in SERVICES)
    assert sum([await served(service) for service in SERVICES]) <= AN_OPERATION * described


async def served(service: str) -> int:
    app = import_module(f"services.{service}.app").create_app()
    app.openapi_schema = json.loads(published(service))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=f"http://{service}") as client:
        return len((await client.get("/openapi.json")).content)


def test_the_reference_speaks_of_operations_that_there_are() -> None:
    documents = [json.loads((DOCS / "openapi" / f"{service}.json").read_text()) for service in SERVICES]
    there = {operation["operationId"] for document in documents for operation in operations(document)}
    told = {*re.findall(r"`([a-z]+[A-Z]\w*)`", (DOCS / "reference.md").read_text())}
    assert told - there == set()
    assert len(told) > MANY


def test_nothing_that_is_sent_may_have_members_that_mean_nothing(document: dict[str, Any]) -> None:
    forms = document["components"]["schemas"]
    sent = {name for operation in operations(document) for name in named(operation.get("requestBody", {}))}
    while more := {inner for name in sent for inner in named(forms[name])} - sent:
        sent |= more
    closed = {name for name in sent if forms[name].get("additionalProperties") is False}
    whole = {name for name in sent if forms[name].get("unevaluatedProperties") is False}
    closed |= whole.union(*(named({"": forms[name]["allOf"]}) for name in whole))  # they close what they are made of
    assert {name for name in sent - closed if "properties" in forms[name]} == set()


def named(part: dict[str, Any]) -> list[str]:
    """The forms that a part of the document speaks of."""
    return re.findall(r'"#/components/schemas/(\w+)"', json.dumps(part))


def test_every_operation_says_how_it_is_refused(document: dict[str, Any]) -> None:
    for operation in operations(document):
        assert operation["responses"]["default"] == {"$ref": "#/components/responses/Refused"}, operation["operationId"]
    refused = document["components"]["responses"]["Refused"]
    assert refused["content"] == {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    assert {int(status) for status in re.findall(r"^- (\d+): ", refused["description"], re.MULTILINE)} == {
        *DESCRIPTIONS
    }


def test_what_operations_have_in_common_is_said_once(document: dict[str, Any]) -> None:
    said = [part for operation in operations(document) for part in inner_parts(operation)]
    several = {
        text for text, times in Counter(json.dumps(part) for part in said if "$ref" not in part).items() if times > 1
    }
    assert {text for text in several if len(text) > SHORT} == set()


def inner_parts(operation: Operation) -> Iterator[Any]:
    yield from operation.get("parameters", ())
    for answer in operation["responses"].values():
        yield answer
        yield from answer.get("headers", {}).values()


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
        "304": {},
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


async def test_an_answer_that_has_a_tag_documents_304() -> None:
    tagged = httpx.Response(200, text="any", headers={"Content-Type": "application/x-ndjson", "ETag": "1"})
    with pytest.raises(NotAsDocumented, match="no 304 is documented"):
        await ask(tagged, "/v1/log")


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


def parameters(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """With the operation of each."""
    for operation in operations(document):
        for said in operation.get("parameters", ()):
            shared = document["components"]["parameters"]
            yield operation["operationId"], shared[said["$ref"].rpartition("/")[2]] if "$ref" in said else said


def test_every_whole_number_in_an_address_or_a_header_says_from_where_to_where_it_goes(
    document: dict[str, Any],
) -> None:
    whole = [(operation, one) for operation, one in parameters(document) if one["schema"].get("type") == "integer"]
    assert {operation for operation, _ in whole} >= {"readStory", "followScope", "readLog"}
    for operation, one in whole:
        assert {"minimum", "maximum"} <= one["schema"].keys(), (operation, one["name"])


def test_what_may_be_left_out_says_its_limits_too() -> None:
    known = {
        (operation, one["name"]): one["schema"] for operation, one in parameters(json.loads(published("standings")))
    }
    round_of = {"type": "integer", "minimum": 1, "maximum": 1000}
    assert known["getStandings", "round"] == known["readStory", "round"] == round_of
    assert known["getStandings", "list"] == {"type": "string", "pattern": "^[0-9a-z-]{1,64}$"}
    assert known["getStandings", "Roundlog-Min-Position"].keys() == {"type", "pattern"}
