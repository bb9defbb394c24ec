"""Whoever reads after they have written finds it, at whichever copy of a service, and however slowly its tables follow."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from deploy.databases import connection
from shared.log import read_model
from tests.api.asking import problem
from tests.databases import fresh_database
from tests.integration.serving import Served, serving, signed
from tests.patience import AT_ONCE, PATIENCE, Patient

CUP = {"ruleset": "othello-pl-2021", "time_zone": "Europe/Warsaw", "starts_on": "2099-05-04"}
FOLLOWING = "select from views.progress where name = 'registration' for update"


@pytest.fixture(scope="module")
async def database(server: str) -> str:
    return await fresh_database(server)


@pytest.fixture(scope="module")
async def copies(database: str) -> AsyncGenerator[Sequence[Served]]:
    async with serving(database) as one, serving(database) as another:
        yield one, another


async def get(
    copy: Served, path: str, subject: str | None = "operator", *, extensions: dict[str, Any] | None = None
) -> httpx.Response:
    transport = Patient(httpx.AsyncHTTPTransport())
    async with httpx.AsyncClient(base_url=copy.url, transport=transport, timeout=PATIENCE) as client:
        return await client.get(path, headers=signed(subject) if subject else {}, extensions=extensions)


async def names(copy: Served, subject: str | None = None) -> list[str]:
    listed = await get(copy, "/v1/federations?limit=500", subject)
    assert listed.status_code == HTTPStatus.OK, listed.text
    return [one["name"] for one in listed.json()["items"]]


def allowed(answer: httpx.Response) -> set[str]:
    assert answer.status_code == HTTPStatus.OK, answer.text
    return {name for name, one in answer.json()["allowed_actions"].items() if one["allowed"]}


@asynccontextmanager
async def held_up(database: str) -> AsyncGenerator[None]:
    """No copy gets on with its tables."""
    async with connection(database) as holding, holding.transaction():
        await holding.execute(FOLLOWING)
        yield


async def test_a_list_has_what_was_written_a_moment_ago_at_another_copy(copies: Sequence[Served]) -> None:
    for number in range(20):
        writing, reading = copies[number % 2], copies[(number + 1) % 2]
        await writing.act("/v1/federations", name=f"Federation {number}")
        assert (await names(reading))[-1] == f"Federation {number}"


async def test_a_founder_is_no_stranger_to_what_they_have_founded(copies: Sequence[Served]) -> None:
    for number in range(5):
        writing, reading = copies[number % 2], copies[(number + 1) % 2]
        federation = (await writing.act("/v1/federations", name=f"F{number}"))["id"]
        assert "renameFederation" in allowed(await get(reading, f"/v1/federations/{federation}"))
        cup = (await writing.act("/v1/tournaments", federation=federation, name="Cup", **CUP))["id"]
        drafts = (await get(reading, f"/v1/tournaments?federation={federation}")).json()["items"]
        assert [one["id"] for one in drafts] == [cup]
        assert "openRegistration" in allowed(await get(reading, f"/v1/tournaments/{cup}"))


async def test_who_was_appointed_last_may_do_at_once_what_the_office_allows(copies: Sequence[Served]) -> None:
    writing, reading = copies
    federation = (await writing.act("/v1/federations", name="Go"))["id"]
    path = f"/v1/federations/{federation}"
    assert not allowed(await get(reading, path, "dana"))
    await writing.act(f"{path}/officials", subject="dana", role="director")
    assert "renameFederation" in allowed(await get(reading, path, "dana"))


async def test_however_slowly_the_tables_follow_a_reader_waits_for_them(
    copies: Sequence[Served], database: str
) -> None:
    async with held_up(database):
        await copies[0].act("/v1/federations", name="Slow")
        reading = [asyncio.create_task(names(copy)) for copy in copies]
        await asyncio.sleep(0.5)
        assert not any(one.done() for one in reading)
    assert [(await one)[-1] for one in reading] == ["Slow", "Slow"]


async def test_what_takes_too_long_is_said_and_a_single_thing_is_shown_all_the_same(
    copies: Sequence[Served], database: str
) -> None:
    async with held_up(database):
        founded: dict[str, Any] = await copies[0].act("/v1/federations", name="Late")
        async with asyncio.timeout(PATIENCE + read_model.PATIENCE):
            late = await get(copies[1], "/v1/federations", None, extensions=AT_ONCE)
        problem(late, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
        assert int(late.headers["Retry-After"]) > 0
        alone = await get(copies[1], f"/v1/federations/{founded['id']}", None)
        assert alone.json()["name"] == "Late"
    assert (await names(copies[1]))[-1] == "Late"
