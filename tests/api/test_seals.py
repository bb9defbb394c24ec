"""What is over is sealed: whoever leaves an event out, or shows another table, is refuted by what stands in the log."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from deploy.databases import at, connection
from services.standings.domain import sealed_tables
from services.standings.domain.table import Ranked, RankedRow, RankedTie
from shared.contracts.pairing import RoundPublished
from shared.contracts.registration import OfficialAppointed, TournamentCompleted
from shared.contracts.results import ResultFinal
from shared.proof.leaves import log_leaf
from shared.proof.tree import root_over
from tests.api.asking import Client, issuer, service
from tests.api.hall import T, hall
from tests.api.holding import act, done, opened
from tests.api.signing import signed_by
from tests.patience import PATIENCE
from tests.played import STAGE, completed, corrected, published, result, rules, started
from tests.told import done as reacted
from tests.told import tell

RECORDS = "select position, type, record, message from log.log where scope = $1 order by position"


async def sealed(database: str, scope: str, times: int = 1) -> list[dict[str, Any]]:
    """The seals of a scope, once there are so many, each held against the records before it."""
    async with connection(database) as log, asyncio.timeout(PATIENCE):
        while True:
            rows = await log.fetch(RECORDS, scope)
            seals = [msgspec.json.decode(row["record"])["data"] for row in rows if row["type"] == "ScopeSealed"]
            if len(seals) >= times:
                break
            await asyncio.sleep(0.05)
    for seal in seals:
        before = [log_leaf(row["record"], row["message"]) for row in rows if row["position"] <= seal["upto"]]
        assert (seal["count"], seal["root"]) == (len(before), root_over(before).hex())
    return seals


async def test_a_tournament_is_sealed_when_it_is_over_and_once_more_behind_what_follows(database: str) -> None:
    async with service(database) as client:
        tournament = await opened(client)
        other = (await done(client, tournament, "decide-shown-names", shown_names="number"))["id"]
        assert other == tournament
        assert (await act(client, tournament, "cancel")).is_success
        (first,) = await sealed(database, tournament)
        await done(client, tournament, "decide-shown-names", shown_names="full")
        _, second = await sealed(database, tournament, 2)
        assert (second["scope"], second["count"]) == (tournament, first["count"] + 2)  # the first seal is one of them
        assert (await client.get("/readyz")).json()["checks"]["seals"] == "ok"


async def test_a_neighbour_seals_what_it_has_said_of_the_tournament(database: str) -> None:
    async with hall(database) as here:
        await here.play(await here.publish(1))
        await here.hear("registration", TournamentCompleted(tournament=T))
        (seal,) = await sealed(database, T)
        assert seal["count"] == len(await here.happened()) - 1  # all but the seal


@pytest.mark.parametrize("how", ["record", "column"])
async def test_nothing_is_sealed_over_what_was_changed(server: str, database: str, how: str) -> None:
    changed = {
        "record": "update log.log set record = convert_to(replace(convert_from(record, 'UTF8'), 'inputs', 'outputs'), 'UTF8')"
        ", type = 'RoundForged' where type = 'RoundConfirmed'",
        "column": "update log.log set scope = 'elsewhere' where type = 'RoundConfirmed'",
    }
    async with hall(database) as here:
        await here.publish(1)
        async with connection(at(server, database=urlsplit(database).path.removeprefix("/"))) as attacker:
            await attacker.execute(changed[how])
            if how == "column":
                await attacker.execute(
                    "update log.log set scope = $1, type = 'RoundForged' where scope = 'elsewhere'", T
                )
        await here.hear("registration", TournamentCompleted(tournament=T))
        async with asyncio.timeout(PATIENCE):
            while (said := (await here.client.get("/readyz")).json()["checks"]["seals"]) == "ok":
                await asyncio.sleep(0.05)
        assert "is not what it was when it was written" in said
        assert "ScopeSealed" not in await here.happened()


# Tables

CUP = "019ab3f0-5c11-7d20-9a41-8e7f6d5c4b01"
FOUR = tuple(f"019ab3f0-5c0{n}-7d20-9a41-8e7f6d5c4b0{n}" for n in range(1, 5))
ROUND: RoundPublished = published(CUP, 1, [FOUR[:2], FOUR[2:]])
RESULTS: list[ResultFinal] = [result(CUP, 1, 1, FOUR[:2], (400, 300)), result(CUP, 1, 2, FOUR[2:], (410, 300))]


@asynccontextmanager
async def standings(database: str) -> AsyncGenerator[Client]:
    async with service(database, name="standings", signed_in=False) as client:
        client.headers.update(signed_by(issuer().token("art")))
        officials = [OfficialAppointed(scope=CUP, subject="art", role="arbiter")]
        options = {"pairing.system": "cost-swiss", "pairing.rounds": 1}
        await tell(database, "registration", CUP, *officials, *started(CUP, FOUR, rules(**options)))
        await tell(database, "pairing", CUP, ROUND)
        await tell(database, "results", CUP, *RESULTS, completed(CUP, 1))
        await reacted(database)
        yield client


async def tables(database: str) -> list[dict[str, Any]]:
    async with connection(database) as log:
        rows = await log.fetch(RECORDS, CUP)
    return [msgspec.json.decode(row["record"])["data"] for row in rows if row["type"] == "TableSealed"]


async def kept(database: str, digest: str) -> bytes:
    async with connection(database) as log:
        return await log.fetchval("select content from beside.contents where digest = $1", bytes.fromhex(digest))


async def test_the_table_of_each_completed_round_is_sealed_with_what_it_rests_on(database: str) -> None:
    async with standings(database) as client:
        (first,) = await tables(database)
        content = await kept(database, first["table"])
        assert sha256(content).hexdigest() == first["table"]
        assert first["program"].startswith("roundlog/")
        table = msgspec.json.decode(content)
        shown = (await client.get(f"/v1/tournaments/{CUP}/stages/{STAGE}/standings?inputs={first['inputs']}")).json()
        assert [(one["place"], one["entrant"]) for one in table["standings"]] == [
            (one["place"], one["entrant"]) for one in shown["standings"]
        ]
        close = f"/v1/tournaments/{CUP}/stages/{STAGE}/close"
        assert (await client.post(close)).is_success
        assert len(await tables(database)) == 1  # the same table says nothing new
        await tell(database, "results", CUP, corrected(RESULTS[0], (300, 400)))
        await tell(database, "registration", CUP, TournamentCompleted(tournament=CUP))
        await reacted(database)
        _, second = await tables(database)
        assert second["table"] != first["table"]
        assert (second["round"], second["inputs"] == first["inputs"]) == (1, False)
        assert (await sealed(database, CUP))[-1]["count"] > len(await tables(database))


def test_the_bytes_of_a_table_are_those_that_are_documented() -> None:
    row = RankedRow(place=1, shared=True, entrant="019ž", persons=("p",), values=("11/2", None), separated_by=None)
    table = Ranked(
        round=3,
        complete=True,
        criteria=("points", "lot"),
        standings=(row,),
        unresolved=(RankedTie(entrants=("019ž", "2"), needs="lot"),),
    )
    assert sealed_tables.content("cup", "swiss", table).decode() == (
        '{"criteria":["points","lot"],"format":"roundlog.table/1","round":3,"stage":"swiss","standings":[{"entrant":"019ž",'
        '"group":null,"place":1,"shared":true,"values":{"lot":null,"points":"11/2"}}],"tournament":"cup",'
        '"unresolved":[{"entrants":["019ž","2"],"needs":"lot"}]}'
    )
