"""Games that were interrupted go on in the order that an official sets."""

from http import HTTPStatus

import pytest

from tests.api.asking import problem
from tests.api.tables import hall

LATER = {"until": "2026-03-14T15:30:00+01:00", "reason": "The power was out."}


@pytest.mark.rule("CFP.PAI-2")
async def test_the_order_in_which_interrupted_games_go_on_is_the_officials_and_is_recorded(database: str) -> None:
    async with hall(database, rules="gomoku-cfp") as cup:
        for game in ("g1", "g2", "g3"):
            assert (await cup.act(game, "postpone", LATER, by="dora")).status_code == HTTPStatus.OK
        problem(await cup.act("g1", "resume", by="sam"), HTTPStatus.FORBIDDEN, "not-permitted")
        for game in ("g3", "g1", "g2"):
            resumed = await cup.act(game, "resume", by="dora")
            assert resumed.json()["status"] == "pending", resumed.text
        told = await cup.told("GameResumed")
        assert [(one["data"]["game"], one["actor"]) for one in told] == [("g3", "dora"), ("g1", "dora"), ("g2", "dora")]
