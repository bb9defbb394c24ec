"""`roundlog doctor` on a platform that runs: nothing wrong, then one fault after the other, each with its remedy."""

# nats-py annotates its functions in parts only.
import asyncio
import os
import signal
from collections.abc import Generator
from contextlib import contextmanager

import httpx
import msgspec
import pytest

from deploy import databases
from deploy.examination import Examination, Finding
from deploy.local import folder, ports
from deploy.local import nats as brokers
from deploy.local.doctor import FINE, WRONG
from shared.log.connection import Connection
from tests.e2e.conftest import spare_the_disk
from tests.e2e.signed_in import signed
from tests.integration.launching import Platform, kill, until
from tests.patience import PATIENCE

PARK = """
  with again as (update inbox.events set state = 'waiting' where scope = $1 returning scope)
  insert into inbox.scopes (scope, parked, problem) select distinct scope, now(), 'a fault' from again
  on conflict (scope) do update set parked = now(), problem = 'a fault'
"""
STOP = "update inbox.sources set stopped"
STOP_WEBHOOK = """
  insert into webhooks.webhooks (id, tournament, url, kinds, secrets, state, position)
  values ('webhook-1', 'tournament-1', 'https://example.org/', '{}', '{}', 'stopped', 0)
"""


@pytest.fixture
def on_safe_disk(own_platform: Platform) -> Generator[Platform]:
    """As people run it: what tests leave out for haste is on again, and nobody has left anything behind."""
    asyncio.run(keep_all(own_platform))
    yield own_platform
    asyncio.run(spare_the_disk(own_platform))


def server(platform: Platform, database: str) -> str:
    password = folder.passwords(platform.folder)["postgres"]
    return f"postgresql://postgres:{password}@127.0.0.1:{ports.of('postgres', platform.base_port)}/{database}"


async def told(platform: Platform, database: str, *statements: str) -> None:
    async with databases.connection(server(platform, database)) as admin:
        for statement in statements:
            await admin.execute(statement)


async def keep_all(platform: Platform) -> None:
    await told(platform, "postgres", "alter system reset fsync", "select pg_reload_conf()")
    async with databases.connection(server(platform, "postgres")) as admin:
        while await admin.fetchval("show fsync") != "on":
            await asyncio.sleep(0.02)


def found(platform: Platform) -> list[Finding]:
    examined = platform.run("doctor", "--json")
    assert not any(secret in examined.stdout for secret in folder.passwords(platform.folder).values())
    findings = list(msgspec.json.decode(examined.stdout, type=Examination).findings)
    assert examined.returncode == (WRONG if findings else FINE)
    return findings


def found_in(platform: Platform, *places: str) -> list[Finding]:
    """As soon as nothing else is found: on a busy machine somebody may be late to answer, which is one more finding."""
    findings: list[Finding] = []

    def are_found() -> bool:
        findings[:] = found(platform)
        return sorted(one.where for one in findings) == sorted(places)

    until(are_found)
    return findings


def said_when_fine(platform: Platform, *words: str) -> str:
    """As soon as it is."""
    said: list[str] = []

    def is_fine() -> bool:
        examined = platform.run("doctor", *words)
        said.append(examined.stdout)
        return examined.returncode == FINE

    until(is_fine)
    return said[-1]


def test_nothing_is_wrong_and_one_line_says_what_was_looked_at(on_safe_disk: Platform) -> None:
    shown = said_when_fine(on_safe_disk)
    assert shown.count("\n") == 1
    assert shown.startswith("Nothing is wrong. Looked at processes; PostgreSQL: ")
    assert found_in(on_safe_disk) == []
    services = [f"--url={on_safe_disk.below(service)}" for service in ("registration", "results")]
    assert "Nothing is wrong. Looked at 2 services" in said_when_fine(on_safe_disk, *services)


def test_settings_that_lose_what_was_answered_are_named(on_safe_disk: Platform) -> None:
    asyncio.run(spare_the_disk(on_safe_disk))
    (one,) = found_in(on_safe_disk, "postgres")
    assert one.wrong.partition(":")[0] == "fsync is off"
    assert "alter system reset fsync" in one.remedy


def test_a_backup_that_nobody_fetches_and_a_source_that_is_not_heard_are_named(on_safe_disk: Platform) -> None:
    standings = databases.name("standings")
    slot = "select pg_create_physical_replication_slot('roundlog_backup', true)"
    asyncio.run(told(on_safe_disk, "postgres", slot))
    asyncio.run(told(on_safe_disk, standings, f"{STOP} = 'another log' where source = 'results'"))
    said = {one.where: one for one in found_in(on_safe_disk, "backups", "standings")}
    asyncio.run(told(on_safe_disk, "postgres", "select pg_drop_replication_slot('roundlog_backup')"))
    asyncio.run(told(on_safe_disk, standings, f"{STOP} = null where source = 'results'"))
    assert said["backups"].wrong.startswith("nobody fetches them, and the server keeps ")
    assert said["standings"].wrong == "hears nothing more of results: another log"
    assert "`roundlog accept standings results --reason restored-from-backup`" in said["standings"].remedy


async def park(platform: Platform, scope: str) -> None:
    async with databases.connection(server(platform, databases.name("standings"))) as admin:
        await until_heard(admin, scope)
        await admin.execute(PARK, scope)


async def until_heard(admin: Connection, scope: str) -> None:
    heard = "select from inbox.events where scope = $1 and state = 'done'"
    while not await admin.fetch(heard, scope):
        await asyncio.sleep(0.05)


def test_what_is_parked_stopped_or_not_called_is_named_with_its_command(on_safe_disk: Platform) -> None:
    federations = f"{on_safe_disk.url('registration')}/v1/federations"
    founded = httpx.post(federations, json={"name": "Go"}, headers=signed(on_safe_disk, "operator")).raise_for_status()
    scope = founded.json()["id"]
    asyncio.run(park(on_safe_disk, scope))
    asyncio.run(told(on_safe_disk, databases.name("results"), STOP_WEBHOOK))
    webhook, parked = sorted(found_in(on_safe_disk, "standings", "results"), key=lambda one: one.where)
    assert parked.wrong.startswith(f"{scope} is parked since ")
    assert parked.wrong.endswith("FederationFounded: a fault")
    assert f"`roundlog retry standings {scope} --reason mended`" in parked.remedy
    assert webhook.wrong == "webhook webhook-1 of tournament tournament-1 was stopped"
    by_numbers = on_safe_disk.run("doctor", f"--url={on_safe_disk.url('standings')}")
    assert (by_numbers.returncode, "standings: has 1 parked" in by_numbers.stdout) == (WRONG, True)
    assert on_safe_disk.run("retry", "standings", scope, "--reason", "mended").returncode == 0
    asyncio.run(told(on_safe_disk, databases.name("results"), "delete from webhooks.webhooks where id = 'webhook-1'"))
    until(lambda: not found(on_safe_disk))


@contextmanager
def paused(pid: int) -> Generator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_service_that_was_killed_and_a_launcher_that_is_paused_are_named(on_safe_disk: Platform) -> None:
    launcher = on_safe_disk.pid("launcher")
    with paused(launcher):
        kill(on_safe_disk.pid("results"))
        by_name = {one.where: one for one in found(on_safe_disk)}
        assert by_name["results"].wrong == "does not run"
        assert "logs/results.log" in by_name["results"].remedy
        assert f"`kill -CONT {launcher}`" in by_name["launcher"].remedy
    until(on_safe_disk.is_ready)


async def delete_stream(platform: Platform) -> None:
    passwords = folder.of_broker(folder.passwords(platform.folder))
    urls = brokers.own_urls(f"nats://127.0.0.1:{ports.of('nats', platform.base_port)}", passwords)
    async with brokers.connected(urls["pairing"]) as client:
        await client.jetstream(timeout=PATIENCE).delete_stream("roundlog-pairing")


def test_a_stream_that_is_missing_is_named_with_its_readers(on_safe_disk: Platform) -> None:
    with paused(on_safe_disk.pid("pairing")):
        asyncio.run(delete_stream(on_safe_disk))
        said = {one.wrong: one for one in found(on_safe_disk)}
    assert "`roundlog republish pairing`" in said["the stream roundlog-pairing is missing"].remedy
    assert "the reader inbox-standings of roundlog-pairing is missing" in said
    assert on_safe_disk.run("republish", "pairing").returncode == 0
    until(on_safe_disk.is_ready)
