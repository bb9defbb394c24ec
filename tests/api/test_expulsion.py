"""Results demand an expulsion, and registration does it; once, in the transaction that marks the demand as done."""

import asyncio

import asyncpg
import msgspec
import pytest

from shared.clock import now
from shared.contracts.results import ExpulsionDue, ExpulsionLapsed
from tests.api.asking import Client
from tests.api.hearing import message
from tests.api.holding import done, path, running
from tests.patience import PATIENCE

HEARD = """
  insert into inbox.events (source, number, scope, type, message) values ('results', $1, $2, $3, $4)
"""
SCOPE = "insert into inbox.scopes (scope) values ($1) on conflict do nothing"


async def hear(database: str, number: int, tournament: str, told: msgspec.Struct) -> None:
    """As the receiver would have put it there."""
    connection = await asyncpg.connect(database)
    try:
        await connection.execute(SCOPE, tournament)
        await connection.execute(HEARD, number, tournament, type(told).__name__, message(tournament, told, now()))
    finally:
        await connection.close()


async def becomes(client: Client, tournament: str, entrant: str, status: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await client.get(path(tournament, "entrants", entrant))).json()["status"] != status:
            await asyncio.sleep(0.05)


async def test_results_expel_and_corrected_results_bring_back(new_client: Client, database: str) -> None:
    tournament, (ada, bea, *_) = await running(new_client, *"ABCDEFGHI")
    due = ExpulsionDue(tournament=tournament, entrant=ada, stage="swiss", round=2, clause="SK.RES-6")
    await hear(database, 1, tournament, due)
    await hear(database, 2, tournament, msgspec.structs.replace(due, entrant=bea))
    await becomes(new_client, tournament, ada, "left")
    await becomes(new_client, tournament, bea, "left")
    left = (await new_client.get(path(tournament, "entrants", ada))).json()["left"]
    assert left == {"stage": "swiss", "after_round": 2, "why": "expelled"}
    await hear(database, 3, tournament, ExpulsionLapsed(tournament=tournament, entrant=ada))
    await becomes(new_client, tournament, ada, "playing")
    assert (await new_client.get(path(tournament, "entrants", bea))).json()["status"] == "left"


@pytest.mark.rule("PQ.D84")
async def test_an_official_disqualifies_somebody_of_a_tournament_that_is_completed(
    new_client: Client, database: str
) -> None:
    tournament, (ada, bea, cyd) = await running(new_client, *"ABC")
    await done(new_client, tournament, "review")
    await done(new_client, tournament, "complete")
    due = ExpulsionDue(tournament=tournament, entrant=ada, stage="swiss", round=3, clause="PQ.RES-15")
    await hear(database, 1, tournament, due)
    await hear(database, 2, tournament, msgspec.structs.replace(due, entrant=bea, by_official=True))
    await becomes(new_client, tournament, bea, "left")
    shown = (await new_client.get(path(tournament, "entrants", ada))).json()
    assert shown["status"] == "playing"
    allowed = {name: one["allowed"] for name, one in shown["allowed_actions"].items()}
    assert (allowed["expelEntrant"], allowed["withdrawEntrant"]) == (True, False)
    why = {"code": "found-out", "words": "A second phone."}
    by_hand = await done(new_client, tournament, "entrants", "number:3", "expel", after_round=3, reason=why)
    assert (by_hand["id"], by_hand["left"]["why"]) == (cyd, "expelled")
    back = await done(new_client, tournament, "entrants", "number:3", "return", why="appeal")
    assert back["status"] == "playing"
