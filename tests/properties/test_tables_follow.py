"""Tables that were kept up event by event are those that are made anew from everything, byte for byte.

What is told waits until the tables are refreshed; what comes is received together with the tables that follow, where that is
possible. Either may be taken back.
"""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deploy.databases import AdminConnection, connection
from services.standings import publish
from services.standings.domain.ranking import RANKING, SettleTie, Tie
from services.standings.projection import tables
from services.standings.projection.rebuild import rebuild
from services.standings.projection.table_store import TableRefresh
from shared.clock import now
from shared.commands.handler import Handler, Origin
from shared.commands.transactional import Within
from shared.contracts.pairing import RoundRecalled
from shared.contracts.registration import EntrantChanged, EntrantLeft
from shared.contracts.results import GameStarted, GameVoided, PenaltyImposed, PenaltyLifted, ResultReopened
from shared.ids import new_id
from shared.messaging.history import Histories
from shared.messaging.reactions import Batch
from shared.messaging.subjects import PublicEvent
from tests.databases import fresh_database
from tests.exploring import tries
from tests.played import STAGE, corrected, published, result, rounds, rules, started
from tests.told import message, tell

PLACE = "select incarnation as log, number as behind from inbox.sources where source = $1"
DONE = "update inbox.events set state = 'done' where scope = any($1)"
CUPS = ("cup-1", "cup-2", "cup-3")

type Story = dict[str, list[msgspec.Struct]]


def story(cup: str, chance: random.Random) -> Story:
    """Some rounds with corrections, recalls, penalties and withdrawals, as each service tells it."""
    entrants = [f"{cup}-{number}" for number in range(1, chance.choice([4, 6, 8]) + 1)]
    criteria = ["points", "wins", "duel", "median_buchholz", "score_difference", "lot"]
    ruleset = rules(**{"pairing.system": "cost-swiss", "standings.criteria": criteria})
    told: Story = {"registration": started(cup, entrants, ruleset), "pairing": [], "results": []}
    for number, (paired, results, complete) in enumerate(rounds(cup, entrants, chance.randrange(4), chance), start=1):
        told["pairing"].append(paired)
        if not chance.randrange(6):
            told["pairing"] += [RoundRecalled(tournament=cup, stage=STAGE, round=number), paired]
        for one in results:
            said: dict[str, Any] = {"game": one.game, "tournament": cup, "stage": STAGE, "round": number}
            told["results"] += [GameStarted(game=one.game, tournament=cup), one]
            match chance.randrange(8):
                case 0:
                    told["results"].append(corrected(one, (chance.randrange(500), chance.randrange(500))))
                case 1:
                    told["results"].append(GameVoided(**said))
                case 2:
                    told["results"] += [ResultReopened(**said), one]
                case _:
                    pass
        told["results"].append(complete)
        penalty = PenaltyImposed(
            penalty=f"{cup}-{number}", tournament=cup, entrant=entrants[0], stage=STAGE, round=number, points="-1/2"
        )
        told["results"] += [penalty, PenaltyLifted(penalty=penalty.penalty, tournament=cup)][: chance.randrange(3)]
    left = EntrantLeft(entrant=entrants[-1], tournament=cup, stage=STAGE, after_round=1, why="withdrew")
    other = EntrantChanged(entrant=entrants[1], tournament=cup, persons=("somebody else",), number=99)
    told["registration"] += chance.sample([left, other], chance.randrange(3))
    return told


def interleaved(chance: random.Random) -> list[tuple[str, str, Sequence[msgspec.Struct]]]:
    """Each source in its order, whatever comes between."""
    waiting = [(cup, source, list(said)) for cup in CUPS for source, said in story(cup, chance).items()]
    heard: list[tuple[str, str, Sequence[msgspec.Struct]]] = []
    while waiting := [one for one in waiting if one[2]]:
        cup, source, said = chance.choice(waiting)
        some = chance.randrange(1, 6)
        heard.append((cup, source, said[:some]))
        del said[:some]
    return heard


class Undone(Exception):
    """The transaction does not come about."""


async def refresh(database: AdminConnection, copy: TableRefresh, cups: Sequence[str], *, undone: bool = False) -> None:
    try:
        async with database.transaction():
            await copy.refresh(database, cups)
            await database.execute(DONE, cups)
            if undone:
                raise Undone
    except Undone:
        pass


async def comes(
    database: AdminConnection,
    copy: TableRefresh,
    cup: str,
    source: str,
    said: Sequence[msgspec.Struct],
    *,
    undone: bool,
) -> bool:
    """Whether it was received with its tables; what waits for others first, waits."""
    place = await database.fetchrow(PLACE, source)
    if place is None:
        return False
    events = [
        PublicEvent(number=number, scope=cup, type=type(one).__name__, message=message(cup, one))
        for number, one in enumerate(said, start=place["behind"] + 1)
    ]
    try:
        async with database.transaction():
            received = await copy.receive(database, Batch(source=source, **dict(place), said=events))
            if undone:
                raise Undone
    except Undone:
        return False
    return received is not None


async def settle(own: AdminConnection, cup: str, chance: random.Random) -> None:
    """A lot between two who are equal before the first round, and maybe later."""
    order = chance.sample([f"{cup}-1", f"{cup}-2"], 2)
    rankings = Handler(
        decider=RANKING, publish=publish.of_ranking, store=Within(own), now=now, new_id=new_id, service="standings"
    )
    command = SettleTie(
        tournament=cup,
        stage=STAGE,
        kind="duel",
        order=tuple((one,) for one in order),
        waiting=(Tie(entrants=tuple(order), needs="duel"),),
    )
    origin = Origin(actor="art")
    await rankings.handle(cup, command, scope=cup, origin=origin, respond=lambda _, __: b"")


async def follow(database: str, chance: random.Random) -> None:
    async with connection(database) as own:
        await tables.prepare(own)
        copies = [TableRefresh(service="standings") for _ in range(2)]
        for cup, source, said in interleaved(chance):
            copy, undone = chance.choice(copies), not chance.randrange(6)
            if not await comes(own, copy, cup, source, said, undone=undone):
                await tell(database, source, cup, *said)
            if not chance.randrange(8):
                await settle(own, cup, chance)
            if chance.randrange(3):
                some = chance.sample(CUPS, chance.randrange(1, 4))
                await refresh(own, chance.choice(copies), [cup, *some], undone=not chance.randrange(4))
            if not chance.randrange(10):
                copies[chance.randrange(2)] = TableRefresh(service="standings")
            if not chance.randrange(40):
                assert (await rebuild(database, service="standings")).different == ()
        await asyncio.gather(*(in_turn(database, copy) for copy in copies))


async def in_turn(database: str, copy: TableRefresh) -> None:
    async with connection(database) as own:
        await refresh(own, copy, CUPS)


@settings(max_examples=tries(7), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
async def test_rebuilt_tables_are_the_live_ones(server: str, seed: int) -> None:
    database = await fresh_database(server)
    await follow(database, random.Random(seed))
    heard = Histories(database, service="standings")
    async with connection(database) as own, heard.running():
        live = {cup: tables.stored_table(await own.fetchrow(tables.READ, cup, STAGE)) for cup in CUPS}
        rebuilt = await rebuild(database, service="standings")
        anew = {cup: tables.stored_table(await own.fetchrow(tables.READ, cup, STAGE)) for cup in CUPS}
        assert (rebuilt.tables, rebuilt.compared, rebuilt.different) == (3, 3, ())
        assert live == anew
        for cup, kept in live.items():
            assert kept is not None
            assert kept.inputs == str((await heard.of(cup)).inputs)


OTHERS = """
  with heard as (
    insert into inbox.events (source, number, scope, type, message, state)
    select 'results', 1000 + number, 'other-' || number, 'Other', '{}', 'done' from generate_series(1, 500) number
  )
  insert into views.tables select 1, 'other-' || number, 'swiss', 'reg1', '{}' from generate_series(1, 500) number
"""
LOOKED_AT = (
    "select coalesce(sum(idx_tup_fetch), 0)::int from pg_stat_xact_user_tables where relname in ('tables', 'events')"
)


async def test_a_result_looks_at_nothing_of_another_tournament(server: str) -> None:
    """Also where PostgreSQL has not counted yet how much there is."""
    database, cup, copy = await fresh_database(server), CUPS[0], TableRefresh(service="standings")
    pairs = [("A", "B"), ("C", "D")]
    first, second = (result(cup, 1, table, seats, (400, 300)) for table, seats in enumerate(pairs, start=1))
    async with connection(database) as own:
        await tables.prepare(own)
        await tell(database, "registration", cup, *started(cup, "ABCD"))
        await tell(database, "pairing", cup, published(cup, 1, pairs))
        await refresh(own, copy, [cup])
        await tell(database, "results", cup, GameStarted(game=first.game, tournament=cup))
        for _ in range(10):  # after some times PostgreSQL keeps a plan
            await refresh(own, copy, [cup])
        assert await comes(own, copy, cup, "results", [first], undone=False)
        await own.execute(OTHERS)
        async with own.transaction():
            before = await own.fetchval(LOOKED_AT)
            assert await comes(own, copy, cup, "results", [second], undone=False)
            assert 0 < await own.fetchval(LOOKED_AT) - before < 20
        await tell(database, "results", cup, corrected(second, (300, 400)))
        async with own.transaction():
            before = await own.fetchval(LOOKED_AT)
            await copy.refresh(own, [cup])
            assert 0 < await own.fetchval(LOOKED_AT) - before < 20
