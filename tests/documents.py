"""Every answer held against the OpenAPI document that describes it: `checked(client, document)`.

What lies outside of the document is held as well: nothing but problems, and the pages of the documentation.
"""

import functools
import json
import re
from collections.abc import Collection, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
from fastapi import FastAPI
from fastapi.routing import APIRoute

from shared.http.openapi import SCHEMAS, Examples, JsonSchema
from shared.http.problems import DESCRIPTIONS

DOCUMENTS = Path(__file__).parents[1] / "docs" / "openapi"
STREAMS = {"application/x-ndjson", "text/event-stream"}  # held by their content type alone: they need not end
PAGES = re.compile(r"^/(docs(/assets/.+)?|openapi\.json|formats/.+|healthz|readyz|metrics|v1/proof/.+)$")
PROBLEM = "application/problem+json"
OF_ALL = frozenset({401, 403, 408, 413, 422, 429, 503})  # how every operation may be refused


class NotAsDocumented(AssertionError):
    """An answer is not what its document says."""


KNOWN: dict[int, "Document"] = {}


type Declared = Mapping[str, Mapping[int, Collection[str]]]  # of each operation the statuses, and the headers of each


def checked[Client: (httpx.Client, httpx.AsyncClient)](
    client: Client, document: Mapping[str, Any], declared: Declared | None = None
) -> Client:
    """The client, which from now on fails as soon as it is answered what the document does not say.

    The document says of refusals that there are some, and of headers which ones there are; the operations themselves, in
    `declared`, say where.
    """
    described = read(document, declared)

    def check(response: httpx.Response) -> None:
        if media_type(response) not in STREAMS:
            response.read()
        described.check(response)

    async def check_later(response: httpx.Response) -> None:
        if media_type(response) not in STREAMS:
            await response.aread()
        described.check(response)

    checks = check if isinstance(client, httpx.Client) else check_later
    client.event_hooks = client.event_hooks | {"response": [*client.event_hooks["response"], checks]}
    return client


class Document:
    """A document, with its schemas compiled when they are first met."""

    def __init__(self, document: Mapping[str, Any], declared: Declared | None = None) -> None:
        self._document = document
        self._declared = declared
        self._paths = [(pattern(path), methods) for path, methods in whole(document)["paths"].items()]
        self._schemas: dict[str, jsonschema_rs.Draft202012Validator] = {}

    def check(self, response: httpx.Response) -> None:
        operation = self._operation(response.request)
        if operation is not None:
            self._check_answer(operation, response)
        elif response.request.method != "OPTIONS" and not PAGES.match(response.request.url.path):
            self._check_outside(response)

    def faults(self, schema: Mapping[str, Any], instance: object) -> list[str]:
        """What is wrong with something that should be of a schema of this document."""
        text = json.dumps(schema)
        if text not in self._schemas:
            resolvable = {**schema, "components": self._document["components"]}
            self._schemas[text] = jsonschema_rs.Draft202012Validator(resolvable, validate_formats=True)
        return [
            f"/{'/'.join(map(str, error.instance_path))} {error.message}"
            for error in self._schemas[text].iter_errors(instance)
        ]

    def _operation(self, request: httpx.Request) -> Mapping[str, Any] | None:
        found = (methods for path, methods in self._paths if path.match(request.url.path))
        return next((at[method] for at in found if (method := request.method.lower()) in at), None)

    def _check_answer(self, operation: Mapping[str, Any], response: httpx.Response) -> None:
        answers = operation["responses"]
        answer = answers.get(str(response.status_code))
        if answer is None and self._may_refuse(operation, response.status_code):
            answer = answers.get("default")
        if answer is None:
            raise wrong(response, f"{operation['operationId']} documents no {response.status_code}")
        promised = [name for name, header in answer.get("headers", {}).items() if header.get("required")]
        for name in (*promised, *self._always(operation, response.status_code)):
            if name not in response.headers:
                raise wrong(response, f"it lacks the header {name}, which is documented as always sent")
        if "ETag" in response.headers and response.request.method == "GET" and "304" not in answers:
            raise wrong(response, "it has an ETag, and no 304 is documented")
        contents = answer.get("content", {})
        if not contents and media_type(response) == "":
            return
        if media_type(response) not in contents:
            raise wrong(response, f"its content type is none of {sorted(contents)}")
        self._check_body(contents[media_type(response)].get("schema", {}), response)

    def _always(self, operation: Mapping[str, Any], status: int) -> Collection[str]:
        """What has only been tried has changed nothing, so its answer names no version and no position."""
        may_be_tried = any(one["name"] == "dry_run" for one in operation.get("parameters", ()))
        return (
            () if self._declared is None or may_be_tried else self._declared[operation["operationId"]].get(status, ())
        )

    def _may_refuse(self, operation: Mapping[str, Any], status: int) -> bool:
        if self._declared is None:
            return status in DESCRIPTIONS
        return status in OF_ALL or status in self._declared.get(operation["operationId"], ())

    def _check_body(self, schema: Mapping[str, Any], response: httpx.Response) -> None:
        if media_type(response) in STREAMS:
            return
        is_json = media_type(response).endswith("json")
        if faults := self.faults(schema, response.json() if is_json else response.text):
            raise wrong(response, "; ".join(faults))

    def _check_outside(self, response: httpx.Response) -> None:
        """Where nothing is described, there is nothing but a problem that says so, or that it was not looked for."""
        refused = response.is_client_error or response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        if not refused or media_type(response) != PROBLEM:
            raise wrong(response, "no document describes it")
        self._check_body({"$ref": "#/components/schemas/Problem"}, response)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and "Allow" not in response.headers:
            raise wrong(response, "it lacks the header Allow")


def read(document: Mapping[str, Any], declared: Declared | None = None) -> Document:
    """A document is the same for all tests of a service: it is read once, and stays, so that no other gets its id."""
    known = KNOWN.get(id(document))
    if known is None:
        known = KNOWN[id(document)] = Document(document, declared)
    return known


def declared_by(app: FastAPI) -> Declared:
    routes = [route for route in app.routes if isinstance(route, APIRoute)]
    return {
        route.operation_id: {
            int(status): [name for name, one in answer.get("headers", {}).items() if one["required"]]
            for status, answer in answers_of(route).items()
        }
        for route in routes
        if route.operation_id
    }


def answers_of(route: APIRoute) -> Mapping[int | str, Any]:
    """Read off, so that a route is not put together for it."""
    waiting: Mapping[str, Any] | None = vars(route).get("_described")
    return route.responses if waiting is None else waiting["responses"] or {}


@functools.cache
def published(service: str) -> str:
    """The document that callers hold. That the service gives the same one, `test_documents.py` proves."""
    return (DOCUMENTS / f"{service}.json").read_text()


def whole(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document as if nothing but schemas were said once: with its parameters, answers and headers in place."""
    return {**document, "paths": in_place(document["paths"], document["components"])}


def in_place(part: JsonSchema, components: Mapping[str, Any]) -> Any:
    match part:
        case {"$ref": str(reference)} if not reference.startswith(SCHEMAS):
            _, _, kind, name = reference.split("/")
            return in_place(components[kind][name], components)
        case dict():
            return {name: in_place(inner, components) for name, inner in part.items()}
        case list():
            return [in_place(inner, components) for inner in part]
        case _:
            return part


def example(content: Mapping[str, Any], document: Mapping[str, Any]) -> Any:
    """What whoever shows the document would show of a body."""
    if "example" in content:
        return content["example"]
    return Examples(schemas=document["components"]["schemas"]).of(content["schema"], "the body")


def pattern(path: str) -> re.Pattern[str]:
    parts = re.split(r"\{\w+\}", path)
    return re.compile("[^/]+".join(map(re.escape, parts)) + r"\Z")


def media_type(response: httpx.Response) -> str:
    return response.headers.get("Content-Type", "").partition(";")[0].strip().lower()


def wrong(response: httpx.Response, what: str) -> NotAsDocumented:
    asked = f"{response.request.method} {response.request.url.path}"
    shown = "" if media_type(response) in STREAMS else f"\n{response.text[:500]}"
    return NotAsDocumented(f"{asked} answered {response.status_code}: {what}{shown}")
