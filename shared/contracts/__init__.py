"""What services tell each other: one module a service that speaks. Released contracts are only ever added to.

A new field has a default; a new meaning is a new event. Every contract has a sample that must still decode.
"""

from collections.abc import Mapping
from inspect import getmembers, isclass
from types import ModuleType

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


def decode(service: str, name: str, message: bytes) -> msgspec.Struct | None:
    """What a service has told, or nothing when this version does not know such an event."""
    decoder = TOLD.get((service, name))
    return decoder.decode(message).data if decoder else None
