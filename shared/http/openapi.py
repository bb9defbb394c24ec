"""How a service describes itself: its OpenAPI document, in which every operation says who may, and `/docs`.

Examples of bodies and answers are put together from the examples of their fields. An operation without a policy, or a
field without an example, is a fault of ours that is found when the document is made.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, params
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from shared.access.policy import Policy
from shared.http import responses
from shared.http.authorization import ActGuard, Door, ReadGuard
from shared.http.problems import Problem, documented, header
from shared.values import Value

type Schema = Mapping[str, Any]

NULL = {"type": "null"}
OF_A_KIND = {
    "boolean": True,
    "date-time": "2026-03-14T09:30:00Z",
    "date": "2026-03-14",
    "time": "09:30:00Z",
    "uuid": "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11",
}


class NoExample(Exception):
    """A field has no example, so nobody can be shown a whole one."""


class Examples(Value):
    schemas: Mapping[str, Schema]  # those that have a name

    def of(self, schema: Schema, place: str, within: tuple[str, ...] = ()) -> Any:
        """The example of a schema; `place` is what to call it, `within` the references that have led to it."""
        match schema:
            case (
                {"examples": [shown, *_]}
                | {"default": str() | bool() | int() | float() as shown}
                | {"const": shown}
                | {"enum": [shown, *_]}
            ):
                return shown
            case {"$ref": str(reference)}:
                name = reference.rpartition("/")[2]
                return self.of(self.schemas[name], name, (*within, reference))
            case {"anyOf": [*several]} | {"oneOf": [*several]} | {"allOf": [*several]}:
                finite = [one for one in several if one != NULL and one.get("$ref") not in within]
                return self.of(finite[0], place, within) if finite else None
            case _:
                return self._put_together(schema, place, within)

    def _put_together(self, schema: Schema, place: str, within: tuple[str, ...]) -> Any:
        match schema:
            case {"properties": fields}:
                return {name: self.of(field, f"{place}.{name}", within) for name, field in fields.items()}
            case {"prefixItems": [*items]}:
                return [self.of(item, place, within) for item in items]
            case {"type": "array", "items": item}:
                return [] if item.get("$ref") in within else [self.of(item, place, within)]
            case {"format": kind} | {"type": kind} if kind in OF_A_KIND:
                return OF_A_KIND[kind]
            case _:
                raise NoExample(f"{place} has no example: give its field `examples=[…]`, or its content an `example`.")


type JsonSchema = dict[str, JsonSchema] | list[JsonSchema] | str | float | bool | None

NO_SCHEMAS = frozenset({"example", "examples", "default", "const", "enum", "required"})
NUMBER: JsonSchema = {"type": "number"}
WHOLE: JsonSchema = {"type": "integer"}


def tidy(part: JsonSchema) -> None:
    """Drops, in place, the titles that only repeat a name, and choices between a whole number and any number."""
    match part:
        case dict():
            if isinstance(part.get("title"), str):
                del part["title"]
            if part.get("anyOf") in ([WHOLE, NUMBER], [NUMBER, WHOLE]):
                del part["anyOf"]
                part["type"] = "number"
            for name, inner in part.items():
                if name == "properties" and isinstance(inner, dict):  # by names of fields, which may be any word
                    tidy(list(inner.values()))
                elif name not in NO_SCHEMAS:
                    tidy(inner)
        case list():
            for one in part:
                tidy(one)
        case _:
            pass


MAY = "x-roundlog-may"
INLINE = re.compile(r"<script>(.+?)</script>", re.DOTALL)
TOKEN = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "An EdDSA token of the issuer."}
REFUSAL = ("description", "headers", "content")
REQUEST_ID = header("X-Request-Id", "What to tell the operators when you ask about this answer.")


class Undeclared(Exception):
    """An operation does not say who may do it."""


def policies(routers: Sequence[APIRouter]) -> Mapping[str, Policy]:
    """Who may do each operation; a service that leaves one open does not start."""
    return {route.operation_id or route.path: policy(route) for router in routers for route in operations(router)}


def bodies_of_anybody(routers: Sequence[APIRouter]) -> list[re.Pattern[str]]:
    """The paths where somebody who has not signed in may send a body."""
    routes = (route for router in routers for route in operations(router) if route.methods != {"GET"})
    return [route.path_regex for route in routes if policy(route).anybody and route.body_field is not None]


def operations(router: APIRouter) -> Iterator[APIRoute]:
    for route in router.routes:
        if not isinstance(route, APIRoute) or not route.operation_id:
            raise Undeclared(f"{route} has no operation_id")
        yield route


def policy(route: APIRoute) -> Policy:
    found = list(guards(route))
    if len(found) != 1:
        raise Undeclared(
            f"{route.operation_id} depends {len(found)} times on one of door.acts and door.reads, not once"
        )
    (door, declared) = (found[0].door, found[0].policy)
    require_whose(route, door, declared.captains)
    if declared.own and f"{{{declared.own}}}" not in route.path:
        raise Undeclared(f"the path of {route.operation_id} does not name {declared.own}, whose account may")
    if declared.in_body:
        return declared
    if declared.scope and f"{{{declared.scope}}}" not in route.path:
        raise Undeclared(f"the path of {route.operation_id} does not name its scope {declared.scope}")
    if declared.scope and not door.is_scope(declared.scope):
        raise Undeclared(f"the door does not know what {declared.scope} of {route.operation_id} is about")
    return declared


def require_whose(route: APIRoute, door: Door, captains: str) -> None:
    """Where captains may, it has to be found out whose captain."""
    if not captains:
        return
    if f"{{{captains}}}" not in route.path and captains not in fields_sent(route):
        raise Undeclared(f"neither the path nor the body of {route.operation_id} names {captains}, whose captains may")
    if not door.finds_entrants(captains):
        raise Undeclared(f"the door does not know whom {captains} of {route.operation_id} is about")


def fields_sent(route: APIRoute) -> Iterator[str]:
    for body in route.dependant.body_params:
        form = body.field_info.annotation
        yield from form.model_fields if isinstance(form, type) and issubclass(form, BaseModel) else ()


def guards(route: APIRoute) -> Iterator[ActGuard | ReadGuard]:
    """Those that its function asks for, or that stand beside it; read off, so that the route is not put together for it."""
    forms: Mapping[str, object] = route.endpoint.__annotations__
    asked_for = [part for form in forms.values() for part in getattr(form, "__metadata__", ())]
    for part in (*route.dependencies, *asked_for):
        if isinstance(part, params.Depends) and isinstance(part.dependency, ActGuard | ReadGuard):
            yield part.dependency


def describe(app: FastAPI, declared: Mapping[str, Policy]) -> None:
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = plain()
            app.openapi_schema = None  # until it is whole
            components = document.setdefault("components", {})
            components.update(securitySchemes={"token": TOKEN}, headers=REQUEST_ID)
            components["schemas"] = schemas = dict(sorted({**components.get("schemas", {}), **of_problems()}.items()))
            for part in (*schemas.values(), *document["paths"].values()):
                tidy(part)
            examples = Examples(schemas=schemas)
            for methods in document["paths"].values():
                for operation in methods.values():
                    complete(operation, declared.get(operation["operationId"]), examples)
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi


def of_problems() -> dict[str, Any]:
    """Said once: a model with every answer of every operation would be half the work of a start."""
    schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    return {**schema.pop("$defs"), "Problem": schema}


def complete(operation: dict[str, Any], may: Policy | None, examples: Examples) -> None:
    """What is the same for all operations of its kind is said here, once."""
    restrict(operation, may)
    if any(parameter["name"] == "dry_run" for parameter in operation.get("parameters", ())):
        promise_no_version(operation)
    for answer in operation["responses"].values():
        answer.setdefault("headers", {})["X-Request-Id"] = {"$ref": "#/components/headers/X-Request-Id"}
    illustrate(operation, examples)


def restrict(operation: dict[str, Any], may: Policy | None) -> None:
    """Who may, and how everybody else is refused."""
    if may is None:  # health: not for people
        operation[MAY] = {"anybody": True}
        operation["security"] = []
        describe_refusals(operation, [HTTPStatus.TOO_MANY_REQUESTS])
        return
    operation[MAY] = {
        "anybody": may.anybody,
        "signed_in": may.signed_in,
        "operators": may.operators,
        "captains": may.captains or None,
        "roles": sorted(may.roles),
        "scope": may.scope or None,
    }
    if may.own or may.themselves:
        operation[MAY] |= {"own": may.own or None, "themselves": may.themselves}
    operation["description"] = f"{operation['description']}\n\n{may.sentence}"
    operation["security"] = [{}, {"token": []}] if may.anybody else [{"token": []}]
    refusals = [HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE]
    if not may.anybody:
        refusals.append(HTTPStatus.FORBIDDEN)
    if "requestBody" in operation:
        refusals += [HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE]
    describe_refusals(operation, refusals)


def describe_refusals(operation: dict[str, Any], statuses: Sequence[HTTPStatus]) -> None:
    for status, answer in documented(*statuses).items():
        operation["responses"].setdefault(str(status), {name: answer[name] for name in REFUSAL})


def illustrate(operation: dict[str, Any], examples: Examples) -> None:
    """A whole example of what is sent, and of what comes back when it went well."""
    for part in (operation.get("requestBody", {}), *good_answers(operation)):
        for content in part.get("content", {}).values():
            if "example" not in content:
                content["example"] = examples.of(content.get("schema", {}), operation["operationId"])


def promise_no_version(operation: dict[str, Any]) -> None:
    """What has only been tried has changed nothing, so its answer names no version and no position."""
    for answer in good_answers(operation):
        for promised in answer.get("headers", {}).values():
            promised.pop("required", None)


def good_answers(operation: dict[str, Any]) -> list[dict[str, Any]]:
    return [answer for status, answer in operation["responses"].items() if status.startswith("2")]


def show_pages(app: FastAPI) -> None:
    """`/docs`, with its scripts from here: it has to work where there is no internet."""
    found = find_spec("fastapi_offline")
    if found is None or found.origin is None:
        raise RuntimeError("the package fastapi-offline, which brings the scripts of /docs, is not installed")
    app.mount("/docs/assets", StaticFiles(directory=Path(found.origin).parent / "static"))

    page = get_swagger_ui_html(
        openapi_url="/openapi.json",
        title=app.title,
        swagger_js_url="/docs/assets/swagger-ui-bundle.js",
        swagger_css_url="/docs/assets/swagger-ui.css",
        swagger_favicon_url="/docs/assets/favicon.png",
    )
    (script,) = INLINE.findall(bytes(page.body).decode())
    needed = responses.page_policy(
        script=f"'self' {responses.hash_of(script)}", style="'self'", img="'self' data:", connect="'self'"
    )

    @app.get("/docs", include_in_schema=False)
    async def docs(_: Request) -> HTMLResponse:  # pyright: ignore[reportUnusedFunction] - the app calls it
        return HTMLResponse(page.body, headers=needed)
