"""What a service decides: pure functions over the history of one stream.

`decide(state, command)` says what happens, as events, or refuses. `evolve(state, event)` remembers it. A command that
would repeat what has happened yields no event. Neither function reads a clock, draws a lot or asks anybody.

A refusal has a name, a sentence that helps, and a kind:

    Refusal
     ├ Invalid      what was asked cannot be, in any state
     ├ NotFound     what it is about does not exist
     ├ Conflict     it does not go with what has happened
     ├ Stale        it was decided on what is no longer so
     └ Forbidden    this person may not do it
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import override

import msgspec

from shared.envelope import Envelope
from shared.event_store import Recorded


class Refusal(Exception):
    """Raised by `decide`. The class name becomes the problem's type, the message its sentence."""

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """As it is, for another process: however it was put together, that is not done again."""
        return same, (type(self), self.args, self.__dict__)


def same(kind: type[Refusal], said: tuple[object, ...], more: dict[str, object]) -> Refusal:
    refusal = kind.__new__(kind, *said)
    refusal.__dict__.update(more)
    return refusal


class Invalid(Refusal):
    """What was asked cannot be, in any state."""


class NotFound(Refusal):
    """What it is about does not exist."""


class Conflict(Refusal):
    """It does not go with what has happened."""


class Stale(Refusal):
    """It was decided on what is no longer so."""


class Forbidden(Refusal):
    """This person may not do it."""


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
        decoder = self._decoders.get(envelope.type)
        if decoder is None:
            raise UnknownEvent(f"{envelope.type} at position {recorded.position}: run a newer version")
        return decoder.decode(envelope.data)

    @cached_property
    def _decoders(self) -> dict[str, "msgspec.json.Decoder[Event]"]:
        return {event.__name__: msgspec.json.Decoder(event) for event in self.events}
