"""What an operator does while everything runs: look at what waits for them and decide about it, fill a stream anew."""

import asyncio
import getpass
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Literal

import msgspec

from deploy import SERVICES, databases, parked, stopped
from deploy import scrub as scrubbing
from deploy.local import addresses
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from services.standings.projection import rebuild as tables
from shared.bell import BROKEN
from shared.broker import Broker
from shared.event_store import Unavailable
from shared.postgres import PostgresStore
from shared.relay import Relay

SHOWN = 20  # of what is lost; all of it is kept
SAID_AGAIN = 50_000  # messages


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """What waits for an operator in one service."""

    parked: list[parked.Parked]
    stopped: dict[str, str]  # by source: why nothing more is received of it


def show_waiting(folder: Folder, say: Callable[[str], None], *, as_json: bool) -> None:
    found = asyncio.run(all_waiting(folder))
    if as_json:
        say(msgspec.json.format(msgspec.json.encode(found)).decode())
        return
    for service, waiting in found.items():
        for scope in waiting.parked:
            say(f"{service}: {scope.scope}, since {scope.since}")
            say(f"    at {scope.source} {scope.number}, {scope.type}: {scope.problem}")
        for source, why in waiting.stopped.items():
            say(f"{service}: hears nothing more of {source}")
            say(f"    {why}")
    if not any(waiting.parked or waiting.stopped for waiting in found.values()):
        say("Nothing is parked, and nothing has stopped.")


async def all_waiting(folder: Folder) -> dict[str, Waiting]:
    databases = addresses.find(folder).databases
    return {
        service: Waiting(
            parked=await parked.parked(databases[service]), stopped=await stopped.stopped(databases[service])
        )
        for service in SERVICES
    }


def compare(folder: Folder, service: str, source: str) -> stopped.Difference:
    """What a service has received of a source, and what the source has now."""
    try:
        return asyncio.run(compared(addresses.find(folder), service, source))
    except stopped.NotStopped as nothing:
        raise CannotRun(f"{nothing} `roundlog parked` shows what has.") from nothing
    except stopped.NotRenewed as same:
        raise CannotRun(f"{same} Give it another name first: see Backup in docs/operations.md.") from same
    except Unavailable as error:
        raise CannotRun(f"{source} has to run, so that it can be asked what it has: {error}.") from error


async def compared(found: addresses.Addresses, service: str, source: str) -> stopped.Difference:
    broker = Broker(found.nats, name="accept")
    async with broker.running():
        return await stopped.difference(found.databases[service], source, broker)


def show_difference(service: str, found: stopped.Difference, say: Callable[[str], None]) -> None:
    say(f"{service} has received {found.received} things of {found.source}, which has {found.head} now.")
    say(f"The first {found.common} are the same.")
    for lost in found.lost[:SHOWN]:
        say(f"    lost: {found.source} {lost.number}, {lost.type} of {lost.scope}, {lost.state}")
    if len(found.lost) > SHOWN:
        say(f"    and {len(found.lost) - SHOWN} more")
    if done := sum(lost.state == "done" for lost in found.lost):
        say(f"{done} of the lost ones have taken effect at {service}: these effects stay.")


def accept(folder: Folder, service: str, found: stopped.Difference, *, reason: str) -> str:
    database = addresses.find(folder).databases[service]
    try:
        asyncio.run(stopped.accept(database, found, actor=getpass.getuser(), reason=reason))
    except stopped.NotStopped as changed:
        raise CannotRun(str(changed)) from changed
    return f"{service} goes on with {found.source} behind {found.common}."


def decide(folder: Folder, service: str, scope: str, *, act: Literal["retry", "skip"], reason: str) -> str:
    database = addresses.find(folder).databases[service]
    decision = {"retry": parked.retry, "skip": parked.skip}[act]
    try:
        decided = asyncio.run(decision(database, scope, actor=getpass.getuser(), reason=reason))
    except parked.NotParked as nothing:
        raise CannotRun(f"{nothing} `roundlog parked` shows what is.") from nothing
    event = f"{decided.source} {decided.number}, {decided.type}"
    return f"{scope} goes on without {event}." if act == "skip" else f"{scope} tries {event} again."


def rebuild(folder: Folder, *, processes: int, say: Callable[[str], None]) -> bool:
    """Whether all tables came out as they were."""
    database = addresses.find(folder).databases["standings"]
    read = 0

    def count(messages: int) -> None:
        nonlocal read
        if messages >= read + SAID_AGAIN:
            read = messages
            say(f"{messages} messages")

    try:
        made = asyncio.run(tables.rebuild(database, service="standings", processes=processes, say=count))
    except tables.UnderWay as busy:
        raise CannotRun(str(busy)) from busy
    except Unavailable as error:
        raise CannotRun(f"The tables cannot be made: {error}.") from error
    say(f"{made.tables} tables are made anew from {made.messages} messages; {made.compared} could be compared.")
    for other in made.different[:SHOWN]:
        say(f"    different: {other.tournament}, stage {other.stage}, at {other.inputs}")
    if len(made.different) > SHOWN:
        say(f"    and {len(made.different) - SHOWN} more")
    say(
        f"{len(made.different)} came out differently; the new ones are shown."
        if made.different
        else "All are the same."
    )
    return not made.different


def republish(folder: Folder, service: str) -> int:
    """Answers how many messages the stream has now."""
    return asyncio.run(fill_stream(addresses.find(folder), service))


async def fill_stream(found: addresses.Addresses, service: str) -> int:
    store = PostgresStore(found.databases[service])
    broker = Broker(found.nats, name="republish")
    relay = Relay(service=service, store=store, broker=broker, database=found.databases[service])
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(store.running())
        await stack.enter_async_context(broker.running())
        try:
            return await relay.republish()
        except Unavailable as error:
            raise CannotRun(f"The stream could not be filled: {error}.") from error


def scrub(folder: Folder, say: Callable[[str], None]) -> None:
    try:
        asyncio.run(scrubbed(addresses.find(folder), say))
    except scrubbing.NotScrubbed as left:
        raise CannotRun(str(left)) from left
    except (Unavailable, *BROKEN) as error:
        raise CannotRun(f"Not everything could be scrubbed, run it again: {error}.") from error


async def scrubbed(found: addresses.Addresses, say: Callable[[str], None]) -> None:
    broker = Broker(found.nats, name="scrub")
    own = {service: databases.at(found.server, database=databases.name(service)) for service in SERVICES}
    async with broker.running():
        await scrubbing.scrub(own, found.server, found.databases["registration"], broker, say)
