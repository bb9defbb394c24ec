"""What a service knows of a tournament: what its neighbours have told it, and what it has told them itself.

Both lie in its own database and are read in one look, so nothing is known before what it followed from. What is known
of each source is the beginning of what that source has said of the scope, up to some number and without a gap: a
receiver stores what comes next or nothing (`shared/inbox.py`), and a log has no gaps. The numbers reached, source by
source, are the inputs that an answer rests on; whoever names them gets the same answer again.
"""

import re
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from itertools import groupby, takewhile
from operator import attrgetter

import asyncpg
import msgspec

from shared.contracts import DECODERS
from shared.envelope import Message
from shared.event_store import Unavailable
from shared.postgres import PASSING, Pool
from shared.tournament.facts import Facts
from shared.tournament.fold import Fold

CONNECTIONS = 4
PATIENCE = 10.0  # seconds

# One statement, and so one moment. The two halves are merged in the order of their indexes.
KNOWN = """
  select source, number, message from inbox.events where scope = $1 and lost is null
  union all
  select $2, public, message from log.log where scope = $1 and public is not null
  order by 1, 2
"""

MESSAGES = msgspec.json.Decoder(Message)
INPUTS = re.compile(r"reg(\d{1,18})\.pai(\d{1,18})\.res(\d{1,18})\.sta(\d{1,18})")


@dataclass(frozen=True, kw_only=True, slots=True)
class Inputs:
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
        return all(self.of(source) >= other.of(source) for source in SOURCES)


SOURCES = tuple(field.name for field in fields(Inputs))


def parse(text: str) -> Inputs:
    """Out of `reg120.pai31.res88.sta7`."""
    match = INPUTS.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} names no inputs: they look like {Inputs()}")
    return Inputs(**dict(zip(SOURCES, map(int, match.groups()), strict=True)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """One thing that was said. This version may not know what its type means; it is known all the same."""

    source: str
    number: int
    type: str
    at: datetime
    contract: msgspec.Struct | None


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """What is known, source by source, each in its order."""

    events: tuple[Known, ...]
    inputs: Inputs

    def until(self, inputs: Inputs) -> "History":
        """As far as these inputs reach."""
        return history(limited(self.events, within(inputs, None)))

    def of[Contract: msgspec.Struct](self, *kinds: type[Contract]) -> list[Contract]:
        """What was said of these kinds."""
        return [event.contract for event in self.events if isinstance(event.contract, kinds)]

    def behind(self, inputs: Inputs) -> list[Known]:
        """What these inputs did not know yet."""
        return [event for event in self.events if event.number > inputs.of(event.source)]

    def facts(self) -> Facts | None:
        """What follows for the tournament; nothing before it has started."""
        fold = Fold()
        for event in self.events:
            if event.contract is not None:
                fold.take(event.source, event.contract)
        return fold.facts()


class Heard:
    """Answers what is known of a scope: all of it, or as far as some inputs or a moment reach."""

    def __init__(self, database: str, *, service: str) -> None:
        self._database = database
        self._service = service
        self._pool: Pool | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        async with asyncpg.create_pool(
            self._database, min_size=0, max_size=CONNECTIONS, timeout=PATIENCE, command_timeout=PATIENCE
        ) as self._pool:
            yield
        self._pool = None

    async def of(self, scope: str, *, until: Inputs | None = None, at: datetime | None = None) -> History:
        if self._pool is None:
            raise Unavailable("the service is not running")
        try:
            rows = await self._pool.fetch(KNOWN, scope, self._service)
        except PASSING as error:
            raise Unavailable("the database does not answer") from error
        known = (read(source, number, message) for source, number, message in rows)
        return history(limited(known, within(until, at)))


def read(source: str, number: int, message: bytes) -> Known:
    told = MESSAGES.decode(message)
    decoder = DECODERS.get((source, told.type))
    contract = decoder.decode(told.data) if decoder else None
    return Known(source=source, number=number, type=told.type, at=told.at, contract=contract)


def within(until: Inputs | None, at: datetime | None) -> Callable[[Known], bool]:
    def is_within(event: Known) -> bool:
        return (until is None or event.number <= until.of(event.source)) and (at is None or event.at <= at)

    return is_within


def limited(events: Iterable[Known], is_within: Callable[[Known], bool]) -> tuple[Known, ...]:
    """Of each source up to the first that is beyond: what follows something unknown cannot be known."""
    sources = groupby(events, key=attrgetter("source"))
    return tuple(event for _, said in sources for event in takewhile(is_within, said))


def history(events: tuple[Known, ...]) -> History:
    reached = {event.source: event.number for event in events}
    return History(events=events, inputs=Inputs(**reached))
