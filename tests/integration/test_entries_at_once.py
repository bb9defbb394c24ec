"""Two copies of registration on one log, and many who want the same at once: one gets it, the others wait in order."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from http import HTTPStatus
from itertools import cycle
from typing import Any

import httpx
import pytest

from tests.api.school_days import ruleset, team
from tests.databases import fresh_database
from tests.integration.serving import Served, serving, signed
from tests.patience import PATIENCE

type Copies = Sequence[Served]

ANNOUNCED: dict[str, Any] = {
    "name": "Cup",
    "time_zone": "Europe/Bratislava",
    "starts_on": "2099-11-21",
    "ruleset": "scrabble-sk-2022-qt",
}
CALLERS = 50


@pytest.fixture(scope="module")
async def copies(server: str) -> AsyncGenerator[Copies]:
    database = await fresh_database(server)
    async with serving(database) as one, serving(database) as other:
        yield one, other


async def tournament(copy: Served, **said: Any) -> str:
    federation = (await copy.act("/v1/federations", name="SSS"))["id"]
    found = await copy.act("/v1/tournaments", federation=federation, **ANNOUNCED | said)
    await copy.act(f"/v1/tournaments/{found['id']}/open")
    return found["id"]


async def at_once(copies: Copies, acts: Sequence[tuple[str, dict[str, Any]]]) -> list[httpx.Response]:
    """From one caller after the other, at one copy after the other, without waiting for any."""
    async with httpx.AsyncClient(headers=signed("operator"), timeout=PATIENCE) as client:
        return await asyncio.gather(
            *(
                client.post(f"{copy.url}{path}", json=body)
                for copy, (path, body) in zip(cycle(copies), acts, strict=False)
            )
        )


async def test_fifty_who_want_the_last_place_make_one_entry_and_a_line_in_order(copies: Copies) -> None:
    cup = f"/v1/tournaments/{await tournament(copies[0], entry={'most': 2})}"
    await copies[0].act(f"{cup}/entrants", person={"name": "Ada"})
    acts = [(f"{cup}/entrants", {"person": {"name": f"Person {n}"}}) for n in range(CALLERS)]
    answers = await at_once(copies, acts)
    assert {answer.status_code for answer in answers} == {HTTPStatus.CREATED}, [one.text for one in answers][:3]
    status = [answer.json()["status"] for answer in answers]
    assert (status.count("entered"), status.count("waiting")) == (1, CALLERS - 1)
    async with httpx.AsyncClient(headers=signed("operator")) as client:
        lines = [
            (await client.get(f"{copy.url}{cup}/entries", params={"status": "waiting"})).json()["items"]
            for copy in copies
        ]
    assert [one["waits_as"] for one in lines[0]] == list(range(1, CALLERS))
    assert [one["entrant"]["id"] for one in lines[0]] == [one["entrant"]["id"] for one in lines[1]]


@pytest.mark.rule("PQ.REG-7")
async def test_one_player_whom_two_schools_enter_at_once_is_in_one_base(copies: Copies) -> None:
    rules = ruleset(home_region=False, quotas=[], eligibility=[])
    one = await tournament(copies[0], ruleset=rules, series="season")
    federation = (await copies[0].act(f"/v1/tournaments/{one}/change-plan", reason={"code": "none"}))["federation"]
    other = (
        await copies[1].act(
            "/v1/tournaments", federation=federation, **ANNOUNCED | {"ruleset": rules, "series": "season"}
        )
    )["id"]
    await copies[1].act(f"/v1/tournaments/{other}/open")
    schools = [
        (await copies[0].act(f"/v1/federations/{federation}/homes", kind="school", name=name))["id"] for name in "AB"
    ]
    wanted = (await copies[0].act("/v1/persons", federation=federation, name="Wanted"))["id"]
    bodies = [
        team(f"T{n}", schools[n % 2], born=None) | {"persons": [wanted, {"name": f"T{n} 2"}], "captain": wanted}
        for n in range(10)
    ]
    acts = [
        (f"/v1/tournaments/{where}/entrants", body) for where, body in zip(cycle([one, other]), bodies, strict=False)
    ]
    answers = await at_once(copies, acts)
    status = [answer.status_code for answer in answers]
    assert (status.count(HTTPStatus.CREATED), status.count(HTTPStatus.CONFLICT)) == (1, 9), [
        one.text for one in answers
    ]
    assert all("PQ.REG-7" in answer.json()["detail"] for answer in answers if answer.status_code == HTTPStatus.CONFLICT)
