"""Several streams in one append, on the connection of a reaction, where what it has written itself is seen as well."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from shared.commands.decider import Decider
from shared.commands.handler import StreamAppend
from shared.log.postgres import Connection
from shared.log.rows import EVENTS, recorded
from shared.log.store import Append

STREAMS = EVENTS + "stream = any($1) order by stream, version"


async def load[State, Command, Event](
    connection: Connection, decider: Decider[State, Command, Event], identities: Iterable[str]
) -> dict[str, tuple[State, int]]:
    """Streams of one kind with their versions, in one look."""
    streams = {decider.stream(identity): identity for identity in identities}
    events: dict[str, list[Event]] = defaultdict(list)
    for row in await connection.fetch(STREAMS, list(streams)):
        events[row["stream"]].append(decider.read(recorded(row)))
    return {
        identity: (decider.fold(events[stream], decider.initial), len(events[stream]))
        for stream, identity in streams.items()
    }


def together(parts: Sequence[StreamAppend]) -> Append:
    """All of it happens, or nothing."""
    return Append(
        expected={part.stream: part.version for part in parts},
        events=[event for part in parts for event in part.events],
    )
