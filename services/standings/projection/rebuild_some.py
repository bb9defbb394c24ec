"""The tables of some tournaments made anew from the inbox and the log, each at a stroke: whoever reads sees the one or
the other. What comes out differently from the same is reported, and the new one is shown, as in a rebuild of all.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence

from services.standings.domain.table import MAKING
from services.standings.projection import tables
from services.standings.projection.building import Progress
from services.standings.projection.folded import Folded, take_all
from services.standings.projection.rebuild import Different, Rebuilt, alone, lost, require_now
from services.standings.projection.tables import Made, Stored
from services.standings.projection.waking import CHANNEL, TELL
from shared.log.postgres import Connection
from shared.messaging import history
from shared.messaging.history import NOTHING
from shared.refusals import Unavailable

HEARD_OF = "select scope from inbox.scopes where scope = any($1)"
SHOWN = "select stage, inputs, body from views.tables where generation = $1 and tournament = $2"
WAITING = "select exists (select from inbox.events where scope = $1 and state = 'waiting')"
DROP = "delete from views.tables where generation = $1 and tournament = $2"


class NotHeardOf(Exception):
    """Nobody has said anything of these tournaments."""


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
    """Nobody else makes its tables until the transaction ends."""
    age = await tables.take(connection, [tournament])
    rows = await connection.fetch(SHOWN, age.generation, tournament)
    shown = {row["stage"]: Stored(inputs=row["inputs"], body=row["body"]) for row in rows}
    said = await history.behind(connection, service, {tournament: NOTHING})
    folded = Folded()
    take_all(folded, said)
    made = {one.stage: one for one in await asyncio.to_thread(folded.made, tournament)}
    different = tuple(differences(tournament, shown, made, is_behind=await connection.fetchval(WAITING, tournament)))
    if different:
        await connection.execute(DROP, age.generation, tournament)
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
