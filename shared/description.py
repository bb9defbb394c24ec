"""How a service describes itself: its OpenAPI document, in which every operation says who may, and `/docs`."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from shared.act import Acting, Reading
from shared.policy import Policy
from shared.problems import MEDIA_TYPE, documented

MAY = "x-roundlog-may"
TOKEN = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": "An EdDSA token of the issuer."}


class Undeclared(Exception):
    """An operation does not say who may do it."""


def policies(routers: Sequence[APIRouter]) -> Mapping[str, Policy]:
    """Who may do each operation; a service that leaves one open does not start."""
    return {route.operation_id or route.path: policy(route) for router in routers for route in operations(router)}


def operations(router: APIRouter) -> Iterator[APIRoute]:
    for route in router.routes:
        if not isinstance(route, APIRoute) or not route.operation_id:
            raise Undeclared(f"{route} has no operation_id")
        yield route


def policy(route: APIRoute) -> Policy:
    found = [part.call.policy for part in route.dependant.dependencies if isinstance(part.call, Acting | Reading)]
    if len(found) != 1:
        raise Undeclared(
            f"{route.operation_id} depends {len(found)} times on one of door.acts and door.reads, not once"
        )
    if found[0].scope and f"{{{found[0].scope}}}" not in route.path:
        raise Undeclared(f"the path of {route.operation_id} does not name its scope {found[0].scope}")
    return found[0]


def describe(app: FastAPI, declared: Mapping[str, Policy]) -> None:
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = plain()
            document.setdefault("components", {})["securitySchemes"] = {"token": TOKEN}
            for methods in document["paths"].values():
                for operation in methods.values():
                    complete(operation, declared.get(operation["operationId"]))
        return app.openapi_schema or {}

    app.openapi = openapi


def complete(operation: dict[str, Any], may: Policy | None) -> None:
    """What is the same for all operations of its kind is said here, once."""
    for answer in operation["responses"].values():
        if MEDIA_TYPE in answer.get("content", {}):
            answer["content"].pop("application/json", None)
    if may is None:  # health: not for people
        operation[MAY] = {"anybody": True}
        operation["security"] = []
        return
    operation[MAY] = {
        "anybody": may.anybody,
        "operators": may.operators,
        "roles": sorted(may.roles),
        "scope": may.scope or None,
    }
    operation["description"] = f"{operation['description']}\n\n{may.sentence}"
    operation["security"] = [{}, {"token": []}] if may.anybody else [{"token": []}]
    refusals = [HTTPStatus.UNAUTHORIZED, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE]
    if not may.anybody:
        refusals.append(HTTPStatus.FORBIDDEN)
    if "requestBody" in operation:
        refusals += [HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE]
    for status, answer in documented(*refusals).items():
        operation["responses"].setdefault(str(status), {name: answer[name] for name in ("description", "content")})


def show_pages(app: FastAPI) -> None:
    """`/docs`, with its scripts from here: it has to work where there is no internet."""
    found = find_spec("fastapi_offline")
    if found is None or found.origin is None:
        raise RuntimeError("the package fastapi-offline, which brings the scripts of /docs, is not installed")
    app.mount("/docs/assets", StaticFiles(directory=Path(found.origin).parent / "static"))

    @app.get("/docs", include_in_schema=False)
    async def docs(_: Request) -> HTMLResponse:  # pyright: ignore[reportUnusedFunction] - the app calls it
        return get_swagger_ui_html(
            openapi_url="/openapi.json",
            title=app.title,
            swagger_js_url="/docs/assets/swagger-ui-bundle.js",
            swagger_css_url="/docs/assets/swagger-ui.css",
            swagger_favicon_url="/docs/assets/favicon.png",
        )
