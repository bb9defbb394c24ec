"""What an operator does while everything runs: look at what is parked and decide about it, fill a stream anew."""

import asyncio
import getpass
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Literal

import msgspec

from deploy import SERVICES, parked
from deploy.local import addresses
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from shared.broker import Broker
from shared.event_store import Unavailable
from shared.postgres import PostgresStore
from shared.relay import Relay


def show_parked(folder: Folder, say: Callable[[str], None], *, as_json: bool) -> None:
    found = asyncio.run(all_parked(folder))
    if as_json:
        say(msgspec.json.format(msgspec.json.encode(found)).decode())
        return
    for service, scopes in found.items():
        for scope in scopes:
            say(f"{service}: {scope.scope}, since {scope.since}")
            say(f"    at {scope.source} {scope.number}, {scope.type}: {scope.problem}")
    if not any(found.values()):
        say("Nothing is parked.")


async def all_parked(folder: Folder) -> dict[str, list[parked.Parked]]:
    databases = addresses.find(folder).databases
    return {service: await parked.parked(databases[service]) for service in SERVICES}


def decide(folder: Folder, service: str, scope: str, *, act: Literal["retry", "skip"], reason: str) -> str:
    database = addresses.find(folder).databases[service]
    decision = {"retry": parked.retry, "skip": parked.skip}[act]
    try:
        decided = asyncio.run(decision(database, scope, actor=getpass.getuser(), reason=reason))
    except parked.NotParked as nothing:
        raise CannotRun(f"{nothing} `roundlog parked` shows what is.") from nothing
    event = f"{decided.source} {decided.number}, {decided.type}"
    return f"{scope} goes on without {event}." if act == "skip" else f"{scope} tries {event} again."


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
