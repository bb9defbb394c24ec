"""What services tell each other: one module a service that speaks. Released contracts are only ever added to.

A new field has a default; a new meaning is a new event. Every contract has a sample that must still decode.
"""

from collections.abc import Mapping
from functools import cache
from inspect import getmembers, isclass
from types import ModuleType
from typing import Any, Union

import msgspec

from shared.contracts import decisions, lots, pairing, registration, results, standings

SPEAKERS: Mapping[str, ModuleType] = {
    "registration": registration,
    "pairing": pairing,
    "results": results,
    "standings": standings,
}


def contracts(speaker: ModuleType) -> dict[str, type[msgspec.Struct]]:
    """The contracts of one service, by the name of the event: its own ones, and those that all have."""
    return dict(sorted({**events_of(speaker), **events_of(lots), **events_of(decisions)}.items()))


def events_of(module: ModuleType) -> dict[str, type[msgspec.Struct]]:
    return {
        name: contract
        for name, contract in getmembers(module, isclass)
        if issubclass(contract, msgspec.Struct) and contract.__module__ == module.__name__
    }


class Named(msgspec.Struct, frozen=True):
    """The part of a message that says what it is: neighbours may know an event by another name than its log does."""

    type: str


NAMED = msgspec.json.Decoder(Named)
RAW = msgspec.json.Decoder(list[msgspec.Raw])


def name_of(message: bytes | msgspec.Raw) -> str:
    return NAMED.decode(message).type


class Told[Contract](msgspec.Struct, frozen=True):
    """The part of a message, or of a record, that says what happened."""

    data: Contract


DECODERS = {
    (service, name): msgspec.json.Decoder(contract)
    for service, speaker in SPEAKERS.items()
    for name, contract in contracts(speaker).items()
}


TOLD = {
    (service, name): msgspec.json.Decoder(Told[contract])  # pyright: ignore[reportInvalidTypeArguments] - made at run time
    for service, speaker in SPEAKERS.items()
    for name, contract in contracts(speaker).items()
}


@cache
def told_in_turn(service: str) -> msgspec.json.Decoder[list[Any]]:
    """Reads a list of whatever a service tells; each says by its type which contract it is of."""
    several = contracts(SPEAKERS[service]).items()
    kinds = [
        msgspec.defstruct(name, [("data", contract)], tag_field="type", tag=name, frozen=True)
        for name, contract in several
    ]
    return msgspec.json.Decoder(list[Union[*kinds]])


def decode(service: str, name: str, message: bytes) -> msgspec.Struct | None:
    """What a service has told, or nothing when this version does not know such an event."""
    decoder = TOLD.get((service, name))
    return decoder.decode(message).data if decoder else None


def decode_several(service: str, messages: bytes) -> list[msgspec.Struct | None]:
    """The same of messages with commas between them, in one go: it takes two thirds of the time."""
    listed = b"[%b]" % messages
    try:
        return [told.data for told in told_in_turn(service).decode(listed)]
    except msgspec.ValidationError:  # this version does not know one of them
        return [decode(service, name_of(one), bytes(one)) for one in RAW.decode(listed)]
