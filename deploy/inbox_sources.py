"""What lies in the inbox of a service, message by message, against the logs of those who have said it."""

from collections.abc import Mapping, Sequence

from deploy.databases import AdminConnection, connection
from shared.checkpoints.beside import SKIPPED
from shared.contracts import SPEAKERS, contracts
from shared.messaging.inbox_tree import is_filed_rightly
from shared.messaging.subjects import SOURCES
from shared.values import Value

AT_ONCE = 5_000  # messages

HEARD = """
  select number, scope, type, message from inbox.events
  where source = $1 and number > $2 and lost is null and ($3::text[] is null or scope = any($3)) order by number limit $4
"""
SAID = "select public, message from log.log where public = any($1)"
HEAD = "select number from inbox.sources where source = $1"
MISSING = """
  select min(public) from (
    select public from log.log where public > $1 and public <= $2 and ($3::text[] is null or scope = any($3))
    except select unnest($4::bigint[])
  ) missing
"""
KINDS = """
  select source, type, state = 'skipped' as is_skipped, count(*) as messages from inbox.events
  where lost is null and ($1::text[] is null or scope = any($1)) group by 1, 2, 3 order by 1, 2, 3
"""


class LeftOut(Value):
    """Messages that lie in an inbox, and of which nothing follows: of a kind that this version does not know, or passed over."""

    source: str
    type: str
    is_skipped: bool
    messages: int


async def left_out(database: str, tournaments: Sequence[str]) -> list[LeftOut]:
    known = {(source, name) for source, speaker in SPEAKERS.items() for name in contracts(speaker)}
    async with connection(database) as inbox:
        kinds = [LeftOut(**row) for row in await inbox.fetch(KINDS, list(tournaments) or None)]
    return [one for one in kinds if one.is_skipped or (one.source, one.type) not in known]


async def differences(service: str, databases: Mapping[str, str], tournaments: Sequence[str]) -> list[str]:
    """The first message of each source that is not here as it was said; of these tournaments, or of all."""
    scopes = list(tournaments) or None
    found: list[str] = []
    async with connection(databases[service]) as inbox:
        for source in SOURCES[service]:
            async with connection(databases[source]) as log:
                if (number := await first_difference(inbox, log, source, scopes)) is not None:
                    found.append(f"number {number} of {source} is not here as {source} has said it")
        if row := await inbox.fetchrow(SKIPPED, scopes):
            found.append(f"number {row['number']} of {row['source']} is passed over, and nobody has decided so")
    return found


async def first_difference(
    inbox: AdminConnection, log: AdminConnection, source: str, scopes: list[str] | None
) -> int | None:
    reached, after = await inbox.fetchval(HEAD, source) or 0, 0
    while True:
        rows = await inbox.fetch(HEARD, source, after, scopes, AT_ONCE)
        heard = {row["number"]: row["message"] for row in rows}
        said = {row["public"]: row["message"] for row in await log.fetch(SAID, list(heard))}
        upto = max(heard) if len(rows) == AT_ONCE else reached
        wrong = [
            row["number"] for row in rows if said.get(row["number"]) != row["message"] or not is_filed_rightly(row)
        ]
        missing = await log.fetchval(MISSING, after, upto, scopes, list(heard))
        if numbers := [*wrong, *([] if missing is None else [missing])]:
            return min(numbers)
        if len(rows) < AT_ONCE:
            return None
        after = upto
