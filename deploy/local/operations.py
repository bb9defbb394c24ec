"""What an operator does while everything runs: look at what waits for them and decide about it, fill a stream anew."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from deploy import SERVICES, databases, parked_messages, signing, stopped_inboxes, tokens
from deploy import scrub as scrubbing
from deploy.counting import counted
from deploy.local import folder as folders
from deploy.local import nats, ports
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.instance import address_of
from deploy.parked_messages import Said
from deploy.running import running
from shared.log.notify import BROKEN
from shared.log.postgres import PostgresStore
from shared.log.trees import Trees
from shared.messaging.broker import Broker
from shared.messaging.relay import Relay
from shared.messaging.subjects import NAMING
from shared.refusals import Unavailable
from shared.values import Value

ELSEWHERE = {"postgres": "ROUNDLOG_DATABASE_URL", "nats": "ROUNDLOG_NATS_URL"}


@dataclass(frozen=True, kw_only=True)
class ServerAddresses:
    databases: dict[str, str] = field(repr=False)  # of each service, as the role of that service
    nats: dict[str, str] = field(repr=False)  # of each service, as the user of its account
    server: str = field(repr=False)  # of the databases, as its administrator
    base_port: int


def find_addresses(folder: Folder) -> ServerAddresses:
    found, base = running(folder)
    for name, variable in ELSEWHERE.items():
        require_same(folder, variable, found.elsewhere.get(name))
    passwords = folders.passwords(folder)
    if not passwords.keys() >= {*folders.WITH_PASSWORD}:
        raise CannotRun(
            f"{folder.secrets} is missing, or lacks passwords: restore it, the servers open to nobody without."
        )
    own = f"postgresql://postgres:{passwords['postgres']}@127.0.0.1:{ports.of('postgres', base)}/postgres"
    server = os.environ.get("ROUNDLOG_DATABASE_URL") or own
    broker = os.environ.get("ROUNDLOG_NATS_URL") or f"nats://127.0.0.1:{ports.of('nats', base)}"
    return ServerAddresses(
        databases={service: databases.own_url(server, service, passwords[service]) for service in SERVICES},
        nats=nats.own_urls(broker, folders.of_broker(passwords)),
        server=server,
        base_port=base,
    )


def require_same(folder: Folder, variable: str, used: str | None) -> None:
    """Only who has started it knows the password of a server elsewhere, and nothing is done to one that it does not use."""
    said = address_of(named) if (named := os.environ.get(variable)) else None
    if said == used:
        return
    where = f"{variable} says {said}" if said else f"{variable} is not set"
    if used is None:
        raise CannotRun(f"What runs on {folder.path} has a server of its own, and {where}: unset it for this command.")
    raise CannotRun(f"What runs on {folder.path} uses {used}, and {where}: set it as it was when that was started.")


SHOWN = 20  # of what is lost; all of it is kept
PATIENCE = 10.0  # seconds until the broker has to be reached: a service waits for as long as it takes, and an operator does not


@contextmanager
def of_service(service: str) -> Generator[None]:
    """Whatever is asked of its database."""
    try:
        yield
    except BROKEN as error:
        raise CannotRun(f"The database of {service} could not be asked: {databases.why_unanswered(error)}.") from error


@asynccontextmanager
async def reached(broker: Broker) -> AsyncGenerator[None]:
    async with broker.running():
        try:
            async with asyncio.timeout(PATIENCE):
                await broker.connected()
        except TimeoutError as late:
            raise Unavailable("the broker does not answer") from late
        yield


class WaitingScopes(Value):
    """What waits for an operator in one service."""

    parked: list[parked_messages.Parked]
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


async def all_waiting(folder: Folder) -> dict[str, WaitingScopes]:
    databases = find_addresses(folder).databases
    return {service: await waiting(service, databases[service]) for service in SERVICES}


async def waiting(service: str, database: str) -> WaitingScopes:
    with of_service(service):
        return WaitingScopes(
            parked=await parked_messages.parked(database), stopped=await stopped_inboxes.stopped(database)
        )


def compare(folder: Folder, service: str, source: str) -> stopped_inboxes.LogDifference:
    """What a service has received of a source, and what the source has now."""
    try:
        with of_service(service):
            return asyncio.run(compared(find_addresses(folder), service, source))
    except stopped_inboxes.NotStopped as nothing:
        raise CannotRun(f"{nothing} `roundlog parked` shows what has.") from nothing
    except stopped_inboxes.NotRenewed as same:
        raise CannotRun(f"{same} Give it another name first: see Backup in docs/operations.md.") from same
    except stopped_inboxes.NotRestored as changed:
        raise CannotRun(str(changed)) from changed
    except Unavailable as error:
        raise CannotRun(f"{source} has to run, so that it can be asked what it has: {error}.") from error


async def compared(found: ServerAddresses, service: str, source: str) -> stopped_inboxes.LogDifference:
    broker = Broker(found.nats[service], name="accept")
    async with reached(broker):
        return await stopped_inboxes.difference(found.databases[service], source, broker)


def show_difference(service: str, found: stopped_inboxes.LogDifference, say: Callable[[str], None]) -> None:
    say(f"{service} has received {counted(found.received, 'message')} of {found.source}, which has {found.head} now.")
    say(
        "None of them is the same."
        if not found.common
        else f"The same on both sides: the first {counted(found.common, 'message')}."
    )
    for lost in found.lost[:SHOWN]:
        say(f"    lost: {found.source} {lost.number}, {lost.type} of {lost.scope}, {lost.state}")
    if len(found.lost) > SHOWN:
        say(f"    and {len(found.lost) - SHOWN} more")
    if done := sum(lost.state == "done" for lost in found.lost):
        say(f"{done} of the lost ones have taken effect at {service}: these effects stay.")


def accept(folder: Folder, found: stopped_inboxes.LogDifference, said: Said) -> str:
    database = find_addresses(folder).databases[said.service]
    try:
        with of_service(said.service):
            asyncio.run(stopped_inboxes.accept(database, found, said))
    except stopped_inboxes.NotStopped as changed:
        raise CannotRun(str(changed)) from changed
    return f"{said.service} goes on with {found.source} behind {found.common}."


def operator(named: str | None) -> str:
    """The subject under which an operator decides: they are who the services know as operators, not a login of this machine."""
    known = sorted(filter(None, os.environ.get("ROUNDLOG_OPERATORS", tokens.OPERATOR).split(",")))
    if named is None and len(known) == 1:
        return known[0]
    if named not in known:
        raise CannotRun(f"Say with --as which operator you are: {', '.join(known)} (ROUNDLOG_OPERATORS names them).")
    return named


def decide(folder: Folder, scope: str, said: Said, *, act: Literal["retry", "skip"]) -> str:
    database = find_addresses(folder).databases[said.service]
    try:
        with of_service(said.service):
            decided = asyncio.run(parked_messages.decide(database, scope, said, act=act))
    except parked_messages.NotParked as nothing:
        raise CannotRun(f"{nothing} `roundlog parked` shows what is.") from nothing
    event = f"{decided.source} {decided.number}, {decided.type}"
    return f"{scope} goes on without {event}." if act == "skip" else f"{scope} tries {event} again."


def republish(folder: Folder, service: str) -> int:
    """Answers how many messages the stream has now."""
    return asyncio.run(fill_stream(find_addresses(folder), service))


async def fill_stream(found: ServerAddresses, service: str) -> int:
    database = found.databases[service]
    store = PostgresStore(database)
    broker = Broker(found.nats[service], name="republish")
    relay = Relay(service=service, store=store, broker=broker, trees=Trees(database), database=database)
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(store.running())
            await stack.enter_async_context(reached(broker))
            return await relay.republish()
        except Unavailable as error:
            raise CannotRun(f"The stream could not be filled: {error}.") from error


def examine_log(folder: Folder, service: str) -> signing.SignedLog:
    """What was signed and heard of a log that somebody wants to call another one, and what of it is there."""
    try:
        with of_service(service):
            return asyncio.run(signing.examine(folder.path, service, find_addresses(folder).server))
    except Unavailable as error:
        raise CannotRun(f"The log of {service} could not be read: {error}.") from error


def show_log(found: signing.SignedLog, say: Callable[[str], None]) -> None:
    service = found.service
    signed = "all of which are in it" if found.is_signed else "which are not all in it as they were"
    say(
        f"The log of {service} has {counted(found.events, 'event')}. Signed last: {counted(found.signed, 'event')}, {signed}."
    )
    for one in found.heard:
        said = (
            "it still says all that" if one.is_there else f"it says something else now, up to number {found.messages}"
        )
        say(f"    {one.neighbour} has heard {counted(one.messages, 'message')} of it: {said}")
    if found.is_renamed:
        say("It has another name already than it was signed under.")
    elif found.has_all:
        say("Nothing of this looks like a log that came back from a backup: its neighbours go on with it as it is.")
    say(
        f"Under another name its neighbours hear nothing more of {service} until each of them is told to `accept` it, and whoever "
        "verifies its signatures needs its new key."
    )


def rename_log(folder: Folder, found: signing.SignedLog, *, note: str) -> str:
    service = found.service
    signing.say_restored(folder.path, service, note)  # which means nothing before the log has its name
    with of_service(service):
        name = asyncio.run(signing.rename(found, find_addresses(folder).server))
    return "\n".join(
        [
            f"The log of {service} is {name} now. Start {service} anew, then let its neighbours go on with it:",
            "    roundlog down && roundlog up --detach",
            *(f"    roundlog accept {one.neighbour} {service} --reason restored-from-backup" for one in found.heard),
        ]
    )


def scrub(folder: Folder, say: Callable[[str], None]) -> None:
    try:
        asyncio.run(scrubbed(find_addresses(folder), say))
    except scrubbing.NotScrubbed as left:
        raise CannotRun(str(left)) from left
    except Unavailable as error:
        raise CannotRun(f"Not everything could be scrubbed, run it again: {error}.") from error
    except BROKEN as error:
        raise CannotRun(f"Not everything could be scrubbed: {databases.why_unanswered(error)}.") from error


async def scrubbed(found: ServerAddresses, say: Callable[[str], None]) -> None:
    broker = Broker(found.nats[NAMING], name="scrub")
    own = {service: databases.at(found.server, database=databases.name(service)) for service in SERVICES}
    async with reached(broker):
        await scrubbing.scrub(own, found.server, found.databases["registration"], broker, say)
