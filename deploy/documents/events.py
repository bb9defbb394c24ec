"""The documents about what services tell each other, made from the contracts: one for people, one for programs."""

import json
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any

import msgspec

from shared.contracts import SPEAKERS, contracts
from shared.log.envelope import Message
from shared.messaging import subjects

INTRODUCTION = """\
# What services tell each other

Generated from `shared/contracts`; `docs/asyncapi.json` says the same to programs.

A service tells its neighbours less than it knows: these events, and nothing else, leave it. Each is fixed when it
happens and never changes afterwards. They travel over NATS JetStream as JSON, in the order in which they happened,
on the subject `roundlog.<service>.<scope>.<event>`, where the scope is the tournament, season, person or federation
that the event is about. Two headers say where a message stands: `{number}` counts the public events of the service
1, 2, 3 … without a gap, and `{log}` names the log it comes from, which is another one after a backup was restored.

Contracts are only ever added to: a new field has a default, a new meaning is a new event. A receiver that misses a
number asks `roundlog.<service>.replay` for it; every second `roundlog.<service>.head` announces how far the log goes.

Each service has an account of its own at the broker, where it may publish nothing but this, and hear and ask nobody but
these (`deploy/accounts.py`); whatever else it tries is refused by the broker:

| service | hears |
|---|---|
{hears}

Every message is an envelope around the event:

| field | type |
|---|---|
"""


def for_people() -> str:
    return "".join(
        [
            INTRODUCTION.format(number=subjects.NUMBER, log=subjects.LOG, hears=hears()),
            *fields(Message),
            *(section for service, speaker in SPEAKERS.items() for section in chapter(service, contracts(speaker))),
        ]
    )


def hears() -> str:
    return "\n".join(f"| {service} | {', '.join(sources)} |" for service, sources in subjects.SOURCES.items())


def chapter(service: str, told: dict[str, type[msgspec.Struct]]) -> Iterator[str]:
    yield f"\n## {service.capitalize()}\n"
    for name, contract in told.items():
        yield f"\n### {name}\n\n{cleandoc(contract.__doc__ or '')}\n\n| field of `data` | type |\n|---|---|\n"
        yield from fields(contract)


def fields(contract: type[msgspec.Struct]) -> Iterator[str]:
    schema, definitions = schema_of(contract)
    properties: dict[str, Any] = definitions[schema["$ref"].rpartition("/")[2]]["properties"]
    for name, field in properties.items():
        yield f"| `{name}` | {kind(field)} |\n"


def kind(field: dict[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(kind(choice) for choice in field["anyOf"])
    name = field.get("type", "anything")
    return f"{name} ({field['format']})" if "format" in field else name


def for_programs() -> str:
    """The same as an AsyncAPI 3.0 document."""
    channels: dict[str, Any] = {}
    messages: dict[str, Any] = {}
    schemas: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    for service, speaker in SPEAKERS.items():
        told = contracts(speaker)
        for name, contract in told.items():
            schema, definitions = schema_of(contract)
            schemas |= definitions
            messages[name] = {
                "name": name,
                "summary": cleandoc(contract.__doc__ or ""),
                "contentType": "application/json",
                "headers": {"$ref": "#/components/schemas/Headers"},
                "payload": {
                    "allOf": [
                        {"$ref": "#/components/schemas/Message"},
                        {"type": "object", "properties": {"type": {"const": name}, "data": schema}},
                    ]
                },
            }
        channels[service] = {
            "address": subjects.subject(service, "{scope}", "{event}"),
            "parameters": {
                "scope": {"description": "The tournament, season, person or federation that it is about."},
                "event": {"description": "What happened.", "enum": list(told)},
            },
            "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in told},
        }
        operations[f"tell_{service}"] = {"action": "send", "channel": {"$ref": f"#/channels/{service}"}}
    schemas |= schema_of(Message)[1] | {"Headers": HEADERS}
    document = {
        "asyncapi": "3.0.0",
        "info": {"title": "Roundlog: what services tell each other", "version": "1"},
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": schemas},
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


HEADERS = {
    "type": "object",
    "required": [subjects.NUMBER, subjects.LOG],
    "properties": {
        subjects.NUMBER: {"type": "string", "description": "Counts the public events of the service, without a gap."},
        subjects.LOG: {"type": "string", "format": "uuid", "description": "The log that the event comes from."},
    },
}


def schema_of(contract: type[msgspec.Struct]) -> tuple[dict[str, Any], dict[str, Any]]:
    (schema,), definitions = msgspec.json.schema_components([contract], ref_template="#/components/schemas/{name}")
    return schema, definitions
