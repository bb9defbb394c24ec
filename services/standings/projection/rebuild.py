"""All tables made anew from the inbox and the log, beside those that are shown, compared with them, and then shown.

The service goes on meanwhile: what it hears goes into the tables that are shown, and what has moved is made once more
in the end, while it waits for a moment. A table that rests on the same and comes out differently is a fault of ours:
it is reported, and the new one is shown, since it follows from what was heard. So is one that was not shown at all, and
one that follows from nothing; and whether all that was said is still here.

The tables of some tournaments only (`rebuild_some`) are made anew where they stand, each at a stroke: whoever reads sees
the one or the other.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import batched
from typing import Literal

from services.standings.domain.table import MAKING
from services.standings.projection import tables
from services.standings.projection.fold_cache import TournamentFold, UnreadableMessage, by_scope, take_all
from services.standings.projection.generation import Generation, Progress, connected
from services.standings.projection.notification import CHANNEL, EVERYBODY, TELL
from services.standings.projection.tables import Made, Stored
from shared.log.connection import Connection
from shared.log.notify import BROKEN
from shared.messaging import history
from shared.messaging.history import NOTHING
from shared.refusals import Unavailable
from shared.values import Value

AT_ONCE = 20  # tournaments that are made once more together
FEW = 50  # tables that may have to be made once more while the service waits
TRIES = 5
OLD_ROWS = 2000  # that are deleted together

BEGIN = "select pg_try_advisory_lock(hashtextextended('rebuild', 0))"
END = "select pg_advisory_unlock(hashtextextended('rebuild', 0))"
NOW = "select current, making from views.generation"
PAIRS = """
  from (select * from views.tables where generation = $1) shown
  full join (select * from views.tables where generation = $2) made using (tournament, stage)
"""
MOVED = (
    f"select distinct tournament {PAIRS} where shown.inputs is distinct from made.inputs and shown.inputs is not null"
)
# What waits in the inbox is in what was made, and soon in what is shown.
DIFFERENT = f"""
  select tournament, stage, coalesce(made.inputs, shown.inputs) as inputs, case
    when shown.inputs is null then 'missing' when made.inputs is null then 'left over' else 'other' end as how {PAIRS}
  where shown.inputs = made.inputs and shown.body <> made.body or made.inputs is null or shown.inputs is null
    and not exists (select from inbox.events where scope = tournament and state = 'waiting') order by 1, 2
"""
COMPARED = f"select count(*) {PAIRS} where shown.inputs = made.inputs"
COUNT = "select count(*) from views.tables where generation = $1"
LOST = """
  select source, number - (select count(*) from inbox.events e where e.source = s.source and lost is null) as lost
  from inbox.sources s union all
  select $1, public - (select count(public) from log.log) from log.head order by 1
"""
SWITCH = "update views.generation set current = $1, making = $2"
DROP = """
  delete from views.tables where generation = $1
    and ctid = any(array(select ctid from views.tables where generation = $1 limit $2))
"""
HEARD_OF = "select scope from inbox.scopes where scope = any($1)"
SHOWN = "select stage, inputs, body from views.tables where generation = $1 and tournament = $2"
WAITING = "select exists (select from inbox.events where scope = $1 and state = 'waiting')"
DROP_OF_TOURNAMENT = "delete from views.tables where generation = $1 and tournament = $2"


class UnderWay(Exception):
    """Somebody else makes the tables anew."""


class NotHeardOf(Exception):
    """Nobody has said anything of these tournaments."""


class Different(Value):
    """A table that came out differently from the same inputs: it was another one, was missing, or follows from nothing."""

    tournament: str
    stage: str
    inputs: str
    how: Literal["other", "missing", "left over"] = "other"


class Rebuilt(Value):
    messages: int
    tables: int
    compared: int  # how many rest on the same as before
    different: tuple[Different, ...]
    lost: Mapping[str, int]  # by source: how much of what it has said is not here

    @property
    def is_same(self) -> bool:
        return not self.different and not self.lost


async def rebuild(
    database: str, *, service: str, processes: int = 1, say: Callable[[Progress], None] = lambda _: None
) -> Rebuilt:
    """Make all tables anew. `say` is told now and then how far it is."""
    async with alone(database) as writer:
        shown, making = await require_now(writer)
        made = shown + 1
        for left in (shown - 1, made):  # by a rebuild that was cut off
            await drop(writer, left)
        generation = Generation(database=database, service=service, number=made)
        try:
            messages = await generation.build(say, processes=processes)
        except UnreadableMessage as error:
            said = await history.behind(writer, service, {error.tournament: NOTHING})
            take_all(TournamentFold(), said)  # message by message, which says which one it is
            raise
        mending = Mending(writer=writer, service=service, shown=shown, made=made)
        for _ in range(TRIES):
            if len(moved := await mending.moved()) <= FEW:
                break
            await mending.make_once_more(moved)
        missing = await lost(writer, service)
        async with writer.transaction():
            await writer.execute(tables.ALONE)
            await mending.make_once_more(await mending.moved())
            compared = await writer.fetchval(COMPARED, shown, made)
            rows = await writer.fetch(DIFFERENT, shown, made) if making == MAKING else []
            count = await writer.fetchval(COUNT, made)
            await writer.execute(SWITCH, made, MAKING)
        with suppress(*BROKEN):  # what was found cannot be found again, and the next rebuild drops the old ones
            await writer.execute(TELL, CHANNEL, EVERYBODY)
            await drop(writer, shown)
        return Rebuilt(
            messages=messages,
            tables=count,
            compared=compared,
            different=tuple(Different(**row) for row in rows),
            lost=missing,
        )


@asynccontextmanager
async def alone(database: str) -> AsyncGenerator[Connection]:
    """Nobody else makes tables anew meanwhile."""
    async with connected(database) as writer:
        if not await writer.fetchval(BEGIN):
            raise UnderWay("The tables are being made anew already.")
        try:
            await tables.prepare(writer)
            yield writer
        finally:  # the server itself would let go of it only some time after the connection is closed
            if not writer.is_closed():
                await writer.execute(END)


async def lost(connection: Connection, service: str) -> dict[str, int]:
    """How much is not here of what was received, or was said here, as far as that was counted."""
    return {source: number for source, number in await connection.fetch(LOST, service) if number}


async def require_now(connection: Connection) -> tuple[int, int]:
    row = await connection.fetchrow(NOW)
    if row is None or row["making"] > MAKING:
        raise Unavailable(tables.KEPT_BY_NEWER)
    return row["current"], row["making"]


async def drop(connection: Connection, generation: int) -> None:
    """A little at a time, so that nobody waits for it."""
    while await connection.execute(DROP, generation, OLD_ROWS) != "DELETE 0":
        pass


class Mending(Value):
    """What has moved while all was made is made once more."""

    writer: Connection
    service: str
    shown: int
    made: int

    async def moved(self) -> list[str]:
        """Tournaments whose tables rest on something else than those that are shown."""
        return [row["tournament"] for row in await self.writer.fetch(MOVED, self.shown, self.made)]

    async def make_once_more(self, tournaments: Sequence[str]) -> None:
        for some in batched(tournaments, AT_ONCE):
            news = by_scope(await history.behind(self.writer, self.service, dict.fromkeys(some, NOTHING)))
            folds = {tournament: TournamentFold() for tournament in some}
            for tournament, one in folds.items():
                take_all(one, news.get(tournament, ()))
            made = [await asyncio.to_thread(one.made, tournament) for tournament, one in folds.items()]
            await tables.keep(self.writer, self.made, some, [table for several in made for table in several])


async def rebuild_some(
    database: str, *, service: str, tournaments: Sequence[str], say: Callable[[Progress], None] = lambda _: None
) -> Rebuilt:
    wanted = list(dict.fromkeys(tournaments))
    async with alone(database) as writer:
        known = {row["scope"] for row in await writer.fetch(HEARD_OF, wanted)}
        if unknown := [one for one in wanted if one not in known]:
            raise NotHeardOf(f"Nothing was heard of {', '.join(unknown)}.")
        _, making = await require_now(writer)
        if making != MAKING:
            raise Unavailable("another version of the service has made the tables, so all of them have to be made anew")
        messages, made, compared, different = 0, 0, 0, list[Different]()
        for number, tournament in enumerate(wanted, start=1):
            async with writer.transaction():
                one = await once_more(writer, service, tournament)
            if one.different:
                await writer.execute(TELL, CHANNEL, tournament)
            messages, made, compared = messages + one.messages, made + one.tables, compared + one.compared
            different += one.different
            say(Progress(messages=messages, spans=number, of=len(wanted)))
        return Rebuilt(
            messages=messages,
            tables=made,
            compared=compared,
            different=tuple(different),
            lost=await lost(writer, service),
        )


async def once_more(connection: Connection, service: str, tournament: str) -> Rebuilt:
    """Make the tables of one tournament anew. Nobody else makes them until the transaction ends."""
    age = (await tables.look(connection, service, [tournament])).age
    rows = await connection.fetch(SHOWN, age.generation, tournament)
    shown = {row["stage"]: Stored(inputs=row["inputs"], body=row["body"]) for row in rows}
    said = await history.behind(connection, service, {tournament: NOTHING})
    fold = TournamentFold()
    take_all(fold, said)
    made = {one.stage: one for one in await asyncio.to_thread(fold.made, tournament)}
    different = tuple(differences(tournament, shown, made, is_behind=await connection.fetchval(WAITING, tournament)))
    if different:
        await connection.execute(DROP_OF_TOURNAMENT, age.generation, tournament)
    await tables.keep(connection, age.generation, [tournament], list(made.values()))
    same = [stage for stage, one in made.items() if stage in shown and shown[stage].inputs == one.inputs]
    return Rebuilt(messages=len(said), tables=len(made), compared=len(same), different=different, lost={})


def differences(
    tournament: str, shown: Mapping[str, Stored], made: Mapping[str, Made], *, is_behind: bool
) -> Iterator[Different]:
    """What waits in the inbox is in what was made, and soon in what is shown: until then a table may be missing."""
    for stage, one in sorted(made.items()):
        before = shown.get(stage)
        if before is None and not is_behind:
            yield Different(tournament=tournament, stage=stage, inputs=one.inputs, how="missing")
        if before is not None and before.inputs == one.inputs and before.body != one.body:
            yield Different(tournament=tournament, stage=stage, inputs=one.inputs)
    for stage in sorted(shown.keys() - made.keys()):
        yield Different(tournament=tournament, stage=stage, inputs=shown[stage].inputs, how="left over")
