"""Stored names are for ever: what was once written down, or told to neighbours, must still be read.

`samples/<service>/<Event>.json` is a record as it stands in a log, `samples/<service>/public/<Event>.json` a message
as neighbours got it. A sample that was committed once is never changed: a new meaning is a new event.
What an event or its envelope says since then has a default. Where they say more than once, there is a second record:
`<Event>.told.json` of what neighbours are told of only since some version, `<Event>.role.json` of one with role and
operation beside the actor, `<Event>.beside.json` of one whose personal facts lie beside the log.
"""

import pkgutil
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from inspect import getmembers
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAliasType, cast, get_args, get_type_hints

import msgspec
import pytest
from msgspec.structs import FieldInfo, fields

import services
from shared.checkpoints.stream import SIGNED_LOG
from shared.commands.decider import Decider
from shared.contracts import SPEAKERS, decode, decode_several
from shared.contracts import contracts as contracts_of
from shared.log.envelope import Envelope, Message
from shared.log.store import Recorded
from shared.lots.stream import LOTS
from shared.messaging.decisions import INBOX
from shared.seals.stream import SEALS
from shared.webhooks.stream import WEBHOOKS

SAMPLES = Path(__file__).parent / "samples"

type AnyDecider = Decider[Any, Any, Any]


def modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield import_module(found.name)


def deciders() -> list[tuple[str, AnyDecider]]:
    """Every kind of stream, and the service whose log it is in."""
    of_all = [(service, shared) for service in SPEAKERS for shared in (LOTS, INBOX, SIGNED_LOG, SEALS, WEBHOOKS)]
    return of_all + [
        (module.__name__.split(".")[1], decider)
        for module in modules(services)
        for _, decider in getmembers(module, lambda member: isinstance(member, Decider))
    ]


def contracts() -> dict[str, type[msgspec.Struct]]:
    """Everything that neighbours are told."""
    return {
        f"{service}/public/{name}": contract
        for service, speaker in SPEAKERS.items()
        for name, contract in contracts_of(speaker).items()
    }


STORED = {f"{service}/{event.__name__}": decider for service, decider in deciders() for event in decider.events}
TOLD = {
    found: STORED[found.partition(".")[0]]
    for found in (str(path.relative_to(SAMPLES).with_suffix("")) for path in sorted(SAMPLES.glob("*/*.*.json")))
}
PUBLIC = contracts()


def sample(name: str) -> bytes:
    path = SAMPLES / f"{name}.json"
    assert path.exists(), f"{path} is missing: write down there, once and for ever, what such an event looks like"
    return path.read_bytes().removesuffix(b"\n")


def read(name: str, decider: AnyDecider) -> Any:
    """The event of a sample."""
    envelope = msgspec.json.decode(sample(name), type=Envelope)
    return decider.read(Recorded(position=1, public=None, event=envelope.store_as(None)))


def as_far_as(told: Any, written: Any) -> Any:
    """What is written now, without the fields that came since, at whatever depth."""
    if isinstance(told, dict) and isinstance(written, dict):
        known, now = cast("dict[str, Any]", told), cast("dict[str, Any]", written)
        return {name: as_far_as(known[name], value) for name, value in now.items() if name in known}
    if isinstance(told, list) and isinstance(written, list):
        pairs = zip_longest(cast("list[Any]", told), cast("list[Any]", written))
        return [as_far_as(one, other) for one, other in pairs]
    return written


def default(field: FieldInfo) -> Any:
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()


def test_there_are_events_and_contracts_to_look_at() -> None:
    assert "registration/FederationFounded" in STORED
    assert "registration/public/FederationFounded" in PUBLIC


def test_every_sample_is_of_an_event_that_is_still_known() -> None:
    """An event that nobody makes any more is still in the logs."""
    on_disk = {str(path.relative_to(SAMPLES).with_suffix("")) for path in SAMPLES.rglob("*.json")}
    assert on_disk == STORED.keys() | TOLD.keys() | PUBLIC.keys()


@pytest.mark.parametrize("name", STORED | TOLD)
def test_a_stored_event_is_still_read_and_would_be_written_the_same(name: str) -> None:
    record = sample(name)
    envelope = msgspec.json.decode(record, type=Envelope)
    assert msgspec.json.encode(envelope) == record
    decider = (STORED | TOLD)[name]
    event = read(name, decider)
    assert type(event).__name__ == envelope.type == name.rpartition("/")[2].partition(".")[0]
    written, told = msgspec.json.decode(msgspec.json.encode(event)), msgspec.json.decode(envelope.data)
    assert as_far_as(told, written) == told
    later = [field for field in fields(event) if field.name not in told]
    assert all(default(field) == getattr(event, field.name) for field in later), "a new field has a default"
    assert envelope.stream.startswith(f"{decider.kind}-")


LATER = b'{"told_by_a_later_version":[1],'


def test_what_a_later_version_says_besides_is_passed_over() -> None:
    """Versions are side by side while one is brought in: a new field has a default, and is read by nobody who lacks it."""
    for name, decider in (STORED | TOLD).items():
        envelope = msgspec.json.decode(LATER + sample(name)[1:], type=Envelope)
        data = msgspec.Raw(LATER + bytes(envelope.data)[1:] if bytes(envelope.data) != b"{}" else LATER[:-1] + b"}")
        newer = msgspec.structs.replace(envelope, data=data)
        recorded = Recorded(position=1, public=None, event=newer.store_as(None))
        assert decider.read(recorded) == read(name, decider), name
    for name, contract in PUBLIC.items():
        message = msgspec.json.decode(LATER + sample(name)[1:], type=Message)
        newer_data = LATER + bytes(message.data)[1:]
        assert msgspec.json.decode(newer_data, type=contract) == msgspec.json.decode(message.data, type=contract), name


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_event_is_still_read_and_would_be_told_the_same(name: str) -> None:
    message = sample(name)
    decoded = msgspec.json.decode(message, type=Message)
    assert msgspec.json.encode(decoded) == message
    assert decoded.type == name.rpartition("/")[2]
    contract = msgspec.json.decode(decoded.data, type=PUBLIC[name])
    written, told = msgspec.json.decode(msgspec.json.encode(contract)), msgspec.json.decode(decoded.data)
    assert as_far_as(told, written) == told


@pytest.mark.parametrize("service", SPEAKERS)
def test_messages_in_a_row_are_read_as_each_by_itself(service: str) -> None:
    """Also where one of them is of a later version, and its name is known to nobody here."""
    names = [name for name in PUBLIC if name.startswith(f"{service}/")]
    several = [sample(name) for name in names]
    known = [decode(service, name.rpartition("/")[2], message) for name, message in zip(names, several, strict=True)]
    assert None not in known
    assert decode_several(service, b",".join(several)) == known
    later = several[0].replace(b'"type":"', b'"type":"Later', 1)
    assert decode_several(service, b",".join([later, *several])) == [None, *known]


def test_every_message_is_proved_by_the_record_of_its_event() -> None:
    proofs = {msgspec.json.decode(sample(name), type=Envelope).public: name for name in STORED | TOLD}
    for name in PUBLIC:
        digest = sha256(sample(name)).hexdigest()
        assert digest in proofs, f"no record among the samples proves {name}"
        envelope = msgspec.json.decode(sample(proofs[digest]), type=Envelope)
        message = msgspec.json.decode(sample(name), type=Message)
        assert (message.id, message.scope, message.at) == (envelope.id, envelope.scope, envelope.at)
        assert message.trace == envelope.trace


def test_a_kind_of_stream_reads_every_event_that_it_may_decide() -> None:
    for _, decider in deciders():
        (decided,) = get_args(get_type_hints(decider.decide)["return"])
        assert set(decider.events) == set(kinds(decided))


def kinds(union: Any) -> Iterator[type]:
    """All that are in a union, also in unions within it."""
    if isinstance(union, TypeAliasType):
        yield from kinds(union.__value__)
    elif members := get_args(union):
        for member in members:
            yield from kinds(member)
    else:
        yield union


def test_an_event_type_is_of_one_kind_of_stream() -> None:
    """Whoever reads a whole log knows an event by its type alone."""
    kinds = {
        (f"{service}/{event.__name__}", decider.kind) for service, decider in deciders() for event in decider.events
    }
    assert len(kinds) == len(STORED)
