"""What an event says of persons, and must not say for ever: it lies beside the log, and the record has a salted hash instead.

A decider knows nothing of it: it decides and remembers such an event whole. Where the event is sealed, each field that is
personal is left blank in the record, and `beside` says the field's commitment,

    SHA-256("roundlog/personal/v1\\n" ‖ salt of 32 bytes ‖ the JSON that would have stood in the record)

Where the event is read, what lies beside the log is put in again; what was erased stays blank. So is an event of before
read as it stands: it has nothing beside the log.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, ClassVar, Protocol

import msgspec
from msgspec.structs import fields, replace

from shared.commands.decider import Fact
from shared.values import Value

PREFIX = b"roundlog/personal/v1\n"
ABOUT = ("entrant", "person")  # fields of events that say whom they are about


class PrivateFact(Fact):
    """`BLANK` names the fields that are personal, with what stands in the record in their place."""

    BLANK: ClassVar[Mapping[str, Any]] = {}

    beside: dict[str, str] = msgspec.field(default_factory=dict[str, str])  # by field, its commitment

    @property
    def about(self) -> tuple[str, ...]:
        """Whose facts these are: they go when one of them is erased."""
        return tuple(getattr(self, name) for name in ABOUT if hasattr(self, name))


class SaltedValue(Value):
    """What a commitment is of: who has it can prove that the event said so, and who has not knows nothing."""

    commitment: str
    scope: str
    about: tuple[str, ...]
    salt: bytes
    value: bytes

    @property
    def holds(self) -> bool:
        return commitment(self.salt, self.value) == self.commitment


class OpeningStore(Protocol):
    """Where personal facts lie, beside the log."""

    def new_salt(self) -> bytes: ...

    async def keep(self, openings: Sequence[SaltedValue]) -> None: ...

    async def drop(self, openings: Sequence[SaltedValue]) -> None:
        """Of what did not happen after all."""
        ...

    async def values(self, commitments: Collection[str]) -> Mapping[str, bytes]:
        """Of those that were not erased, by commitment."""
        ...


def commitment(salt: bytes, value: bytes) -> str:
    return sha256(PREFIX + salt + value).hexdigest()


def concealed[Event: PrivateFact](
    event: Event, scope: str, new_salt: Callable[[], bytes]
) -> tuple[Event, list[SaltedValue]]:
    """The event as it stands in the record, and what lies beside it."""
    openings: dict[str, SaltedValue] = {}
    for name in event.BLANK:
        salt, value = new_salt(), msgspec.json.encode(getattr(event, name))
        openings[name] = SaltedValue(
            commitment=commitment(salt, value), scope=scope, about=event.about, salt=salt, value=value
        )
    beside = {name: one.commitment for name, one in openings.items()}
    return replace(event, **event.BLANK, beside=beside), list(openings.values())


def commitments_of(events: Iterable[object]) -> list[str]:
    return [one for event in events if isinstance(event, PrivateFact) for one in event.beside.values()]


def revealed[Event](event: Event, values: Mapping[str, bytes]) -> Event:
    """The event with what is known beside the log."""
    if not isinstance(event, PrivateFact):
        return event
    decoders = decoders_of(type(event))
    found = {
        name: decoders[name].decode(values[one])
        for name, one in event.beside.items()
        if one in values and name in decoders
    }
    return replace(event, **found) if found else event


@cache
def decoders_of(kind: type[PrivateFact]) -> dict[str, "msgspec.json.Decoder[Any]"]:
    return {one.name: msgspec.json.Decoder(one.type) for one in fields(kind) if one.name in kind.BLANK}
