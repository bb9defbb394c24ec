"""What travels between services, on which subjects, and who hears whom."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from shared.values import Value

NUMBER = "Roundlog-Number"  # header: the public number of an event
LOG = "Roundlog-Log"  # header: the incarnation of the log that it comes from

# Whom each service hears. The broker lets it hear nobody else (`deploy/accounts.py`).
SOURCES: Mapping[str, Sequence[str]] = {
    "registration": ("pairing", "results", "standings"),
    "pairing": ("registration", "results", "standings"),
    "results": ("registration", "pairing"),
    "standings": ("registration", "pairing", "results"),
}

NAMES = "roundlog-names"  # the stream of names; whoever hears registration hears them as well
NAMING = "registration"  # who tells the names


class TreeHead(Value):
    """How far the tree over the messages of a service goes, which follows its log, and its root there."""

    size: int  # the public number of the last message in it
    root: str  # hexadecimal


class Announcement(Value):
    """Announced every second: so far goes the log of a service."""

    log: UUID
    number: int
    tree: TreeHead | None = None  # none as long as it has no leaf


class ReplayRequest(Value):
    """A receiver asks for what comes behind a public number."""

    after: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    most: Annotated[int, Meta(ge=1)] | None = None  # events, where fewer are enough than fit into one message


class PublicEvent(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One public event on its way, its message untouched."""

    number: int
    scope: str
    type: str
    message: bytes


class Replay(Value):
    """The answer: the next events, as many as fit into one message, and how far the log goes."""

    log: UUID
    head: int
    events: list[PublicEvent]
    tree: TreeHead | None = None


def stream(service: str) -> str:
    return f"roundlog-{service}"


def readers(source: str) -> list[str]:
    """Who hears a service."""
    return [service for service, sources in SOURCES.items() if source in sources]


def reader(service: str) -> str:
    """The name under which the broker remembers how far a service has read a stream of another."""
    return f"inbox-{service}"


def api(stream: str) -> str:
    """What of JetStream those may ask who read a stream of another account; the broker carries it there."""
    return f"{stream.replace('-', '.')}.api"


def subject(service: str, scope: str, name: str) -> str:
    return f"roundlog.{service}.{scope}.{name}"


def events(service: str) -> str:
    return f"roundlog.{service}.*.*"


def head(service: str) -> str:
    return f"roundlog.{service}.head"


def replay(service: str) -> str:
    return f"roundlog.{service}.replay"


def name(person: str) -> str:
    return f"roundlog.names.{person}"


def placed(headers: Mapping[str, str] | None, by: str) -> tuple[UUID, int] | None:
    """Of which log a message is and under which number, or nothing where its headers do not say so."""
    try:
        found = headers or {}
        return log_named(found[LOG]), int(found[by])
    except (KeyError, ValueError):
        return None


@lru_cache(maxsize=100)
def log_named(text: str) -> UUID:
    """There are as many as there are neighbours, and each message names one."""
    return UUID(text)
