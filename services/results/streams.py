"""The kinds of streams that results writes, each with its handler; and several of them in one append of a reaction."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from services.results.domain import (
    bound_word_lists,
    editions,
    incidents,
    objections,
    penalties,
    protests,
    records,
    rounds,
)
from services.results.domain.sheet import facts, orders, states
from shared.commands.decider import Decider
from shared.commands.handler import Handler, StreamAppend
from shared.log.connection import Connection
from shared.log.rows import EVENTS, recorded
from shared.log.store import Append

type GameHandler = Handler[states.State, orders.Command, facts.Event]
type RoundHandler = Handler[rounds.State, rounds.Command, rounds.Event]
type PenaltyHandler = Handler[penalties.PenaltiesState, penalties.Command, penalties.Event]
type EditionHandler = Handler[editions.EditionsState, editions.Command, editions.Event]
type BindingHandler = Handler[bound_word_lists.State, bound_word_lists.Command, bound_word_lists.Event]
type ProtestHandler = Handler[protests.ProtestsState, protests.Command, protests.Event]
type RecordHandler = Handler[records.State, records.Command, records.Event]
type IncidentHandler = Handler[incidents.IncidentsState, incidents.NoteIncident, incidents.Event]
type ObjectionHandler = Handler[objections.ObjectionsState, objections.RuleObjection, objections.Event]


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
