"""Registration as its callers see it: what they ask, and what they may count on in every answer."""

import asyncio
import functools
import json
import re
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import httpx
import pytest

from shared.http.problems import Problem
from tests.api import validators
from tests.api.signing import OPERATOR, Issuer, signed_by
from tests.documents import checked, declared_by, pattern, published
from tests.patience import PATIENCE, Patient

if TYPE_CHECKING:
    from fastapi import FastAPI

FEDERATIONS = "/v1/federations"
NOWHERE = "127.0.0.1:1"

validators.are_made_when_needed()

type Client = httpx.AsyncClient


@functools.cache
def issuer() -> Issuer:
    return Issuer(Path(tempfile.mkdtemp()) / "keys")


@functools.cache
def documented(name: str) -> dict[str, Any]:
    return json.loads(published(name))


def takes_body(path: str, *, name: str = "registration") -> bool:
    """Whether an act has a form; where none belongs, not even an empty one may be sent."""
    paths = documented(name)["paths"].items()
    return any("requestBody" in methods.get("post", {}) for known, methods in paths if pattern(known).match(path))


@asynccontextmanager
async def service(
    database: str, *, name: str = "registration", signed_in: bool = True, as_documented: bool = True, **settings: str
) -> AsyncGenerator[Client]:
    """A service on a database, with a broker that is not there, asked by an operator who founds and then directs.

    Every answer is held against the service's document, except where a fault of ours is wanted.
    """
    told = {
        "ROUNDLOG_DATABASE_URL": database,
        "ROUNDLOG_NATS_URL": f"nats://{NOWHERE}",
        "ROUNDLOG_KEYS": str(issuer().page),
        "ROUNDLOG_OPERATORS": OPERATOR,
    }
    with pytest.MonkeyPatch.context() as environment:
        for variable, value in (told | {f"ROUNDLOG_{name.upper()}": value for name, value in settings.items()}).items():
            environment.setenv(variable, value)
        app = cast("FastAPI", import_module(f"services.{name}.app").create_app())
    app.openapi_schema = documented(name)  # making one takes longer than most tests
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        headers = signed_by(issuer().token()) if signed_in else {}
        base = f"http://{name}"
        async with httpx.AsyncClient(transport=Patient(transport), base_url=base, headers=headers) as client:
            yield checked(client, documented(name), declared_by(app)) if as_documented else client


async def found(client: Client, name: str, *, key: str | None = None) -> httpx.Response:
    return await client.post(FEDERATIONS, json={"name": name}, headers={"Idempotency-Key": key} if key else {})


async def rename(client: Client, federation: str, name: str, *, key: str | None = None) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await client.post(f"{FEDERATIONS}/{federation}/rename", json={"name": name}, headers=headers)


async def founded(client: Client, name: str) -> str:
    response = await found(client, name)
    assert response.status_code == HTTPStatus.CREATED, response.text
    return response.json()["id"]


async def listed(client: Client, *names: str) -> list[str]:
    """The ids in the list, as soon as it shows these names: it comes a moment after the writing."""
    async with asyncio.timeout(PATIENCE):
        while True:
            response = await client.get(FEDERATIONS)
            if response.status_code == HTTPStatus.OK:
                items = response.json()["items"]
                if [item["name"] for item in items] == list(names):
                    return [item["id"] for item in items]
            await asyncio.sleep(0.01)


def problem(response: httpx.Response, status: HTTPStatus, slug: str) -> Problem:
    """Every refusal is a problem document of this kind."""
    assert (response.status_code, response.headers["Content-Type"]) == (status, "application/problem+json"), (
        response.text
    )
    document = Problem.model_validate_json(response.content, strict=True)
    assert (document.status, document.type) == (status, f"/problems/{slug}")
    assert document.title
    assert document.detail
    return document


def pointers(response: httpx.Response) -> list[str]:
    """Where the faults of a malformed request are; outside of its body, with the part of the request in front."""
    problem(response, HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")
    faults = response.json()["errors"]
    return sorted(f"/{fault['in']}{fault['pointer']}" if "in" in fault else fault["pointer"] for fault in faults)


def strangers(response: httpx.Response) -> list[str]:
    """Where a body names what the federation does not have."""
    problem(response, HTTPStatus.UNPROCESSABLE_ENTITY, "not-of-this-federation")
    return sorted(fault["pointer"] for fault in response.json()["errors"])


def position(response: httpx.Response) -> tuple[int, int]:
    """How far the log went with this act: its position and its public number."""
    reached = re.fullmatch(r"registration:(\d+)/(\d+)", response.headers["Roundlog-Position"])
    assert reached
    return int(reached[1]), int(reached[2])
