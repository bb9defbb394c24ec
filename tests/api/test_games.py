"""Score sheets at the edge: who may say what, and what comes of it."""

from collections.abc import AsyncGenerator
from http import HTTPStatus

import pytest

from tests.api.asking import problem
from tests.api.tables import Hall, hall


@pytest.fixture
async def cup(database: str) -> AsyncGenerator[Hall]:
    async with hall(database) as found:
        yield found


async def test_a_report_waits_and_an_equal_one_by_somebody_else_makes_it_final(cup: Hall) -> None:
    first = await cup.report("g1", 380, 350, by="sue")
    assert first.status_code == HTTPStatus.OK, first.text
    assert first.json()["status"] == "reported"
    second = await cup.report("g1", 380, 350, by="sam")
    assert second.json()["status"] == "final"
    assert second.json()["result"]["points"] == [1, 0]
    assert [event["type"] for event in await cup.told("ResultAgreed")] == ["ResultAgreed"]
