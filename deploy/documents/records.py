"""The document about what stands in the logs, made from the classes of the events: `docs/records.md`.

Every kind of record has words, a sample that must still be readable, and says which message it becomes. One without words
or without a sample stops the making of all documents.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module
from inspect import cleandoc, getmembers
from pathlib import Path
from typing import Any

import msgspec

import services
import shared
from deploy import SERVICES
from shared.commands.decider import Decider
from shared.commands.personal_facts import PrivateFact
from shared.log.envelope import Envelope
from shared.messaging import subjects
from shared.values import Json, Value

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "tests" / "contracts" / "samples"
LONGEST = 60  # characters of a text, and fields, in a sample: the file has all of it
MOST = 3  # items of a list

type AnyDecider = Decider[Any, Any, Any]

INTRODUCTION = """\
# What stands in the logs

Generated from the classes of the events and their samples. Each service has a log of its own; what neighbours are told of
it is in [events.md](events.md), and how a log is proved in [proof-format.md](proof-format.md).

A record is JSON, fixed when it is appended, and never changed. Its fields are the same for all:

| field | says |
|---|---|
| `id` | the event, with the same id in its message |
| `stream`, `version` | what it happened to, and which of its events this is: 1, 2, 3 …; a stream is called `<kind>-<id>` |
| `type` | one of the names below; the name never changes its meaning |
| `scope` | the tournament, season, federation or person that it is about: whoever may read that scope may read it |
| `at` | when, as a clock said; the order is that of the positions |
| `actor` | who, as their token calls them; of what follows from a message the service that said it |
| `role` | in which role: an office, `operator`, `captain`, `entrant`, `account` or `service`; absent in old records |
| `operation` | by which operation, command or message; absent in old records |
| `causation` | the message of a neighbour that led to it |
| `trace` | follows one act through all services |
| `data` | what happened, as below |
| `public` | SHA-256 of the message that others were told, or null |

Fields of `data` that came later are absent in old records; they count as null, empty or no. A reader passes over fields
that it does not know. Names, contacts and free text are in no record: where a field names words (`note`, `words` and, in
results, `reason`), they lie beside the log under that id and can be erased. A reason that is a code says so by its form.

**What is personal.** A field that is said to lie beside the log is blank in the record, and `beside` has its commitment:

```
SHA-256("roundlog/personal/v1\\n" ‖ salt of 32 bytes ‖ the JSON that the field would have had)      hexadecimal
```

Salt and value lie in `personal.openings` of that service. Whoever is shown them can check that the event said so; when a
person is erased they go, and nothing leads from the event to the fact any more. In old records such fields stand
themselves, without `beside`, and are read as they stand.

**Who sees a record.** Operators read all of a log (`GET /v1/log`). Of one scope (`GET /v1/log/{scope}`) auditors, directors
and members of a council read it who are appointed there, or in the federation above a tournament, a season or a person.
The message, where there is one, goes to the neighbours named with the service; who may follow a scope live reads it too.

"""

# Of streams, what one is of. Their scope follows from the samples.
KINDS: Mapping[str, str] = {
    "account": "whom an account is, and for which clubs and schools it speaks",
    "bindings": "by which editions of word lists a tournament judges words",
    "captain": "who speaks for one entrant",
    "changes": "what corrections have changed in tables of rounds that were complete",
    "claims": "what is unique in a series: teams, persons, categories and fees",
    "editions": "the word lists of a federation",
    "federation": "one federation",
    "game": "the score sheet of one game",
    "homes": "the clubs and schools of a federation",
    "inbox": "what operators have decided about messages of neighbours, by scope",
    "incidents": "what happened at the table of one game",
    "keys": "with which keys tokens of captains are signed",
    "lots": "the lots of one tournament in this service",
    "notices": "what the organiser of a tournament posts",
    "objections": "objections at the table of one game",
    "officials": "the offices of a federation or tournament",
    "penalties": "what entrants of a tournament have brought upon themselves",
    "person": "one person of a register",
    "protests": "what a council, or all who are there, decide",
    "qualifying": "who goes on from one tournament",
    "ranking": "what is decided about the tables of one tournament",
    "ratings": "the rating lists of a federation",
    "records": "records attached to one game",
    "register": "files that brought persons into a register",
    "roll": "the members of a federation in a season",
    "rooms": "where a tournament is played",
    "round": "one round of a stage, as it is paired",
    "ruleset": "one ruleset of a federation",
    "scorer-links": "the links that scorers of a tournament enter results with",
    "seal": "what stands in this log about a scope that is over",
    "season": "one season, as it adds up",
    "seasons": "one season, as it is announced",
    "sheets": "one round of a stage, as its games are played",
    "signed-log": "the keys that sign this log, and what it was called before it was restored",
    "stage": "one stage of a tournament",
    "tables": "the tables of one tournament, by the hash of their bytes",
    "webhooks": "who is called by pairing, results or standings when something happens in a tournament",
    "tournament": "one tournament, its plan, its life and its field",
}

SCOPES = {
    "tournament": "the tournament",
    "season": "the season",
    "person": "the person",
    "federation": "the federation",
}


class NoWords(Exception):
    """A kind of record, or of stream, about which nothing is written."""


class Kept(Value):
    """A kind of stream in the log of one service, or of all."""

    service: str
    decider: Any


@cache
def kept() -> list[Kept]:
    """Every kind of stream; those that the kernel has are in every log."""
    found = [
        *((service, decider) for service in SERVICES for decider in deciders(f"services.{service}")),
        *(("", decider) for decider in deciders("shared")),
    ]
    return [Kept(service=service, decider=decider) for service, decider in found]


def deciders(package: str) -> list[AnyDecider]:
    """Those that are made in a package, in the order of their names."""
    root = {"services": services, "shared": shared}[package.partition(".")[0]]
    modules = [
        found.name
        for found in pkgutil.walk_packages(root.__path__, f"{root.__name__}.")
        if found.name.startswith(f"{package}.")
    ]
    found = {
        member.kind: member
        for name in modules
        for _, member in getmembers(import_module(name), lambda one: isinstance(one, Decider))
        if all(event.__module__.startswith(f"{package}.") for event in member.events)
    }
    return [found[kind] for kind in sorted(found)]


def written() -> str:
    require_words()
    return "".join([INTRODUCTION, *contents(), *chapters()])


def require_words() -> None:
    nothing = [event.__name__ for one in kept() for event in one.decider.events if not event.__dict__.get("__doc__")]
    nothing += [one.decider.kind for one in kept() if one.decider.kind not in KINDS]
    if nothing:
        raise NoWords(
            f"No words about {', '.join(nothing)}: say in the docstring, or in deploy/documents/records.py, what it means."
        )
    without = [
        str(sample(service, event).relative_to(ROOT))
        for one in kept()
        for event in one.decider.events
        for service in ([one.service] if one.service else SERVICES)
        if not sample(service, event).exists()
    ]
    if without:
        raise NoWords(
            f"No sample at {', '.join(without)}: write down there, once and for ever, how such a record looks."
        )


def contents() -> Iterator[str]:
    yield "| log of | records |\n|---|---|\n"
    for service in (*SERVICES, ""):
        names = [event.__name__ for one in kept() if one.service == service for event in one.decider.events]
        links = ", ".join(f"[{name}](#{anchor(service, name)})" for name in sorted(names))
        yield f"| {service or 'every service'} | {links} |\n"


def anchor(service: str, name: str) -> str:
    return f"{service}-{name}".strip("-").lower()


def chapters() -> Iterator[str]:
    for service in (*SERVICES, ""):
        hearers = [other for other, sources in subjects.SOURCES.items() if service in sources]
        yield f"\n## {service.capitalize() or 'Every service'}\n"
        if service:
            yield f"\nWhat it tells goes to {', '.join(hearers)}.\n"
        for one in kept():
            if one.service == service:
                yield from stream(one)


def stream(one: Kept) -> Iterator[str]:
    kind = one.decider.kind
    yield f"\n### `{kind}-…`: {KINDS[kind]}\n\nScope: {scope_of(one)}.\n"
    for event in one.decider.events:
        yield f'\n#### <a id="{anchor(one.service, event.__name__)}"></a>{event.__name__}\n\n'
        yield f"{' '.join(cleandoc(event.__doc__ or '').split())}{beside(event)} {becomes(one, event)}\n"
        file = newest(one.service or SERVICES[0], event)
        shown = msgspec.json.encode(shortened(msgspec.json.decode(read(file).data))).decode()
        yield f"\n```json\n{shown}\n```\n"


def scope_of(one: Kept) -> str:
    """By the field of the samples that has the scope in it."""
    for event in one.decider.events:
        envelope = read(sample(one.service or SERVICES[0], event))
        data = msgspec.json.decode(envelope.data, type=dict[str, Any])
        for name, words in SCOPES.items():
            if data.get(name) == envelope.scope:
                return words
        if data.get("scope") == envelope.scope:
            return "what it is about"
        if envelope.stream.startswith(f"{one.decider.kind}-{envelope.scope}."):
            return SCOPES["federation"]
    return "the tournament" if one.service == "results" else "the service itself, which operators alone read"


def beside(event: type) -> str:
    personal = ", ".join(f"`{name}`" for name in event.BLANK) if issubclass(event, PrivateFact) else ""
    return f" Beside the log lies {personal}." if personal else ""


def becomes(one: Kept, event: type) -> str:
    service = one.service or SERVICES[0]
    messages = {sha256(content(file)).hexdigest(): file.stem for file in (SAMPLES / service / "public").glob("*.json")}
    files = sorted((SAMPLES / service).glob(f"{event.__name__}.*json"))
    told = {messages[digest] for file in files if (digest := read(file).public) in messages}
    if not told:
        return "Nobody else is told."
    links = ", ".join(f"[{name}](events.md#{name.lower()})" for name in sorted(told))
    return f"Others are told {links}."


def sample(service: str, event: type) -> Path:
    return SAMPLES / service / f"{event.__name__}.json"


def newest(service: str, event: type) -> Path:
    """As it is written now, where that is another form than it once had."""
    return next((SAMPLES / service).glob(f"{event.__name__}.beside.json"), sample(service, event))


def content(file: Path) -> bytes:
    return file.read_bytes().removesuffix(b"\n")


def read(file: Path) -> Envelope:
    return msgspec.json.decode(content(file), type=Envelope)


def shortened(shown: Json) -> Json:
    """So that a ruleset within a record does not fill a page."""
    match shown:
        case str() if len(shown) > LONGEST + 8:
            return f"{shown[:LONGEST]}…"
        case dict():
            return {name: shortened(said) for name, said in list(shown.items())[:LONGEST]}
        case list():
            return [*map(shortened, shown[:MOST]), *(["…"] if len(shown) > MOST else [])]
        case _:
            return shown
