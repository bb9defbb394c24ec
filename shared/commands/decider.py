"""What a service decides: pure functions over the history of one stream.

`decide(state, command)` says what happens, as events, or refuses. `evolve(state, event)` remembers it. A command that
would repeat what has happened yields no event. Neither function reads a clock, draws a lot or asks anybody.

Whatever it refuses is one of `shared/refusals.py`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, ClassVar, Literal, TypeAliasType, get_args

import msgspec

from shared.log.envelope import Envelope
from shared.log.store import Recorded
from shared.values import Value


class Order(Value):
    """What is asked of a stream."""


type Mark = Literal["correction", "override", "repair"]


class Fact(Value):
    """What has happened to a stream. It is stored under the name of its class, which never changes.

    Its words are those in which the story of a tournament tells it. There it bears `MARK`, and takes the place of the last
    one of `REPLACES` in its stream that was about the same.
    """

    MARK: ClassVar[Mark | None] = None
    REPLACES: ClassVar[tuple[str, ...]] = ()


def classes_of(union: TypeAliasType) -> tuple[type[Any], ...]:
    """The classes of a union of events, also of those unions that it is made of, each once."""
    members = get_args(union.__value__) or (union.__value__,)
    found = [classes_of(one) if isinstance(one, TypeAliasType) else (one,) for one in members]
    return tuple(dict.fromkeys(event for several in found for event in several))


class UnknownEvent(Exception):
    """The log holds an event that this version does not know: it was written by a newer one."""


@dataclass(frozen=True, kw_only=True)
class Decider[State, Command, Event]:
    """One kind of stream, for instance `federation`; a stream's name is the kind and an id."""

    kind: str
    initial: State
    decide: Callable[[State, Command], Sequence[Event]]
    evolve: Callable[[State, Event], State]
    events: Sequence[type[Event]]

    def stream(self, identity: str) -> str:
        return f"{self.kind}-{identity}"

    def fold(self, events: Iterable[Event], state: State) -> State:
        return reduce(self.evolve, events, state)

    def read(self, recorded: Recorded) -> Event:
        envelope = msgspec.json.decode(recorded.event.record, type=Envelope)
        decoder = self.decoders.get(envelope.type)
        if decoder is None:
            raise UnknownEvent(f"{envelope.type} at position {recorded.position}: run a newer version")
        return decoder.decode(envelope.data)

    @cached_property
    def decoders(self) -> dict[str, "msgspec.json.Decoder[Event]"]:
        return {event.__name__: msgspec.json.Decoder(event) for event in self.events}


def untold(_: object) -> None:
    """What publishes the events of a stream with which neighbours have nothing to do."""
