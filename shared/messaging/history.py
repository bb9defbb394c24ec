"""What a service knows of a tournament: what its neighbours have told it, and what it has told them itself.

Both lie in its own database and are read in one look, so nothing is known before what it followed from. What is known
of each source is the beginning of what that source has said of the scope, up to some number and without a gap: a
receiver stores what comes next or nothing (`shared/messaging/inbox.py`), and a log has no gaps. The numbers reached, source by
source, are the inputs that an answer rests on; whoever names them gets the same answer again. What an operator has
skipped counts as not said.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from heapq import merge
from itertools import groupby, takewhile
from operator import attrgetter

import msgspec

from shared.contracts import DECODERS
from shared.log.connection import Connection
from shared.log.database import Database
from shared.log.envelope import MESSAGES
from shared.tournament.facts import Facts
from shared.tournament.fold import Fold
from shared.values import Value

CONNECTIONS = 4
PATIENCE = 10.0  # seconds
REMEMBERED = 20_000  # messages that are not decoded once more

# One statement, and so one moment. The two halves are merged in the order of their indexes.
KNOWN = """
  select source, number, message from inbox.events where scope = $1 and lost is null and state <> 'skipped'
  union all
  select $2, public, message from log.log where scope = $1 and public is not null
  order by 1, 2
"""

# The same of several scopes, of each source only what is behind a number.
BEHIND = """
  with known as (select * from unnest($2::text[], $3::text[], $4::bigint[]) known(scope, source, number))
  select scope, source, said.number, said.type, said.message from known cross join lateral (
    select e.number, e.type, e.message from inbox.events e
    where (e.scope, e.source) = (known.scope, known.source) and e.number > known.number
      and lost is null and state <> 'skipped'
    order by e.number
  ) said
  union all
  select scope, source, own.public, convert_from(own.message, 'UTF8')::json ->> 'type', own.message
  from known join log.log own using (scope) where source = $1 and own.public > known.number
  order by 1, 2, 3
"""

# How far each source is known of several scopes.
REACHED = """
  select scope, source, (
    select e.number from inbox.events e
    where (e.scope, e.source) = (wanted.scope, sources.source) and lost is null and state <> 'skipped'
    order by e.number desc limit 1
  ) as number
  from unnest($2::text[]) wanted(scope) cross join unnest($3::text[]) sources(source) where source <> $1
  union all
  select scope, $1, max(public) from log.log where scope = any($2) and public is not null group by scope
"""

# Of these scopes, tournaments that have started and are neither completed nor cancelled, the newest first.
UNDER_WAY = """
  select scope from inbox.events e
  where scope = any($1) and source = 'registration' and type = 'TournamentStarted' and lost is null and not exists (
    select from inbox.events later
    where (later.scope, later.source) = (e.scope, e.source) and later.lost is null
      and later.type in ('TournamentCompleted', 'TournamentCancelled')
  )
  group by scope order by scope desc limit $2
"""

INPUTS = re.compile(r"reg([0-9]{1,18})\.pai([0-9]{1,18})\.res([0-9]{1,18})\.sta([0-9]{1,18})")


class Inputs(Value):
    """How far each source is known: the public number of the last thing that it said of this scope."""

    registration: int = 0
    pairing: int = 0
    results: int = 0
    standings: int = 0

    def __str__(self) -> str:
        return f"reg{self.registration}.pai{self.pairing}.res{self.results}.sta{self.standings}"

    def of(self, source: str) -> int:
        return int(getattr(self, source))

    def include(self, other: "Inputs") -> bool:
        """Whether all that the other one knows is known here."""
        return (
            self.registration >= other.registration
            and self.pairing >= other.pairing
            and self.results >= other.results
            and self.standings >= other.standings
        )


SOURCES = tuple(field.name for field in msgspec.structs.fields(Inputs))
NOTHING = Inputs()


def parse(text: str) -> Inputs:
    """Out of `reg120.pai31.res88.sta7`."""
    match = INPUTS.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} names no inputs: they look like {Inputs()}")
    return Inputs(**dict(zip(SOURCES, map(int, match.groups()), strict=True)))


class HistoryEvent(Value):
    """One thing that was said. This version may not know what its type means; it is known all the same."""

    source: str
    number: int
    type: str
    at: datetime
    contract: msgspec.Struct | None


class History(Value, dict=True):
    """What is known, source by source, each in its order."""

    events: tuple[HistoryEvent, ...]
    inputs: Inputs

    def until(self, inputs: Inputs) -> "History":
        """As far as these inputs reach."""
        return history(limited(self.events, within(inputs, None)))

    def of[Contract: msgspec.Struct](self, *kinds: type[Contract]) -> list[Contract]:
        """What was said of these kinds."""
        several = [self._by_kind.get(kind, ()) for kind in kinds]
        return [self.events[place].contract for place in merge(*several)]  # pyright: ignore[reportReturnType] - by their kind

    @cached_property
    def _by_kind(self) -> Mapping[type[object], Sequence[int]]:
        """Where they stand; an answer asks for some ten kinds."""
        found: dict[type[object], list[int]] = defaultdict(list)
        for place, event in enumerate(self.events):
            found[type(event.contract)].append(place)
        return found

    def behind(self, inputs: Inputs) -> list[HistoryEvent]:
        """What these inputs did not know yet."""
        return [event for event in self.events if event.number > inputs.of(event.source)]

    def facts(self) -> Facts | None:
        """What follows for the tournament; nothing before it has started."""
        fold = Fold()
        for event in self.events:
            if event.contract is not None:
                fold.take(event.source, event.contract)
        return fold.facts()


class InboxMessage(Value):
    """A message as it lies here."""

    scope: str
    source: str
    number: int
    type: str
    message: bytes


async def behind(connection: Connection, service: str, known: Mapping[str, Inputs]) -> list[InboxMessage]:
    """What is known now behind what was known of each scope, within the transaction that is open."""
    reached = [(scope, source, inputs.of(source)) for scope, inputs in known.items() for source in SOURCES]
    rows = await connection.fetch(BEHIND, service, *map(list, zip(*reached, strict=True)))
    return [InboxMessage(**row) for row in rows]


def told(said: Iterable[InboxMessage]) -> History:
    """All of one scope."""
    return history(tuple(read(one.source, one.number, one.message) for one in said))


async def reached(connection: Connection, service: str, scopes: Collection[str]) -> dict[str, Inputs]:
    """How far each of these scopes is known now, within the transaction that is open."""
    found: dict[str, dict[str, int]] = {scope: {} for scope in scopes}
    for scope, source, number in await connection.fetch(REACHED, service, list(scopes), list(SOURCES)):
        found[scope][source] = number or 0
    return {scope: Inputs(**numbers) for scope, numbers in found.items()}


class Histories:
    """Answers what is known of a scope: all of it, or as far as some inputs or a moment reach."""

    def __init__(self, database: str, *, service: str) -> None:
        self._database = Database(database, connections=CONNECTIONS, patience=PATIENCE)
        self.running = self._database.running
        self._service = service

    async def of(self, scope: str, *, until: Inputs | None = None, at: datetime | None = None) -> History:
        rows = await self._database.fetch(KNOWN, scope, self._service)
        known = (read(source, number, message) for source, number, message in rows)
        return history(limited(known, within(until, at)))

    async def under_way(self, scopes: Collection[str], *, limit: int) -> list[str]:
        """Of these, the tournaments that are played just now."""
        rows = await self._database.fetch(UNDER_WAY, list(scopes), limit) if scopes else []
        return [row["scope"] for row in rows]


@lru_cache(maxsize=REMEMBERED)
def read(source: str, number: int, message: bytes) -> HistoryEvent:
    """Whoever asks for a tournament asks for all of it, while one thing after another is said of it."""
    told = MESSAGES.decode(message)
    decoder = DECODERS.get((source, told.type))
    contract = decoder.decode(told.data) if decoder else None
    return HistoryEvent(source=source, number=number, type=told.type, at=told.at, contract=contract)


def within(until: Inputs | None, at: datetime | None) -> Callable[[HistoryEvent], bool]:
    def is_within(event: HistoryEvent) -> bool:
        return (until is None or event.number <= until.of(event.source)) and (at is None or event.at <= at)

    return is_within


def limited(events: Iterable[HistoryEvent], is_within: Callable[[HistoryEvent], bool]) -> tuple[HistoryEvent, ...]:
    """Of each source up to the first that is beyond: what follows something unknown cannot be known."""
    sources = groupby(events, key=attrgetter("source"))
    return tuple(event for _, said in sources for event in takewhile(is_within, said))


def history(events: tuple[HistoryEvent, ...]) -> History:
    reached = {event.source: event.number for event in events}
    return History(events=events, inputs=Inputs(**reached))
