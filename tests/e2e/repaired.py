"""Somebody leaves after a round was published: the game is lost, until whoever had the bye sits down there instead."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from deploy.demo.cast import PLAYERS
from deploy.demo.client import Services
from deploy.demo.play import complete_table, publish_next, report
from deploy.demo.preparation import Cup, CupPlan, director, found
from shared.values import Value
from tests.patience import PATIENCE

NINE = CupPlan(ruleset="scrabble-sk-2022-qt", players=PLAYERS[:9])
WON = {"scores": [400, 350], "signed_by": [0, 1]}
REASON = {"code": "absence"}


class Repaired(Value):
    cup: Cup
    stays: str
    goes: str
    waits: str  # and plays in the end
    lost: Mapping[str, Any]  # the sheet when somebody had gone
    seated: Mapping[str, Any]  # and when somebody else sat there
    points: Mapping[str, Any]
    games: Sequence[str]  # by table


async def play(network: Services, today: date) -> Repaired:
    cup, arbiter = await found(network, today, NINE), director(network)
    published = await publish_next(arbiter, cup.stage, 1, after=cup.started)
    pairs, round_ = published.body["pairs"], f"{cup.stage}/rounds/1"
    (stays, goes), (waits,) = [[one["entrant"] for one in some] for some in (pairs[0]["seats"], published.body["byes"])]
    sheet = f"/v1/games/{pairs[0]['game']}"
    await arbiter.look("results", sheet, after=published.position)
    left = await arbiter.act("registration", f"{cup.path}/entrants/{goes}/withdraw", {"after_round": 0})
    while (lost := await arbiter.look("results", sheet))["status"] != "final":
        await asyncio.sleep(0.05)
    table = {"table": pairs[0]["table"], "seats": [stays, waits], "first": stays}
    asked = {"tables": [table], "byes": [], "reason": REASON}
    await arbiter.act("pairing", f"{round_}/repair", asked, after=left.position)
    while (await arbiter.look("pairing", round_))["repair_asked"]:
        await asyncio.sleep(0.05)
    seated = await arbiter.look("results", sheet)
    for pair in pairs:
        await report(arbiter, pair["game"], WON)
    async with asyncio.timeout(PATIENCE):
        while (points := await points_of(network, cup, published.position))[waits]:  # until standings has heard of it
            await asyncio.sleep(0.05)
    return Repaired(
        cup=cup,
        stays=stays,
        goes=goes,
        waits=waits,
        lost=lost,
        seated=seated,
        points=points,
        games=[pair["game"] for pair in pairs],
    )


async def points_of(network: Services, cup: Cup, after: str | None) -> Mapping[str, Any]:
    shown = await complete_table(network.anybody(), cup.stage, 1, after=after)
    return {row["entrant"]: row["values"]["points"] for row in shown["standings"]}
