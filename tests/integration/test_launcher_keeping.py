"""A kept server is started again when it dies or does not work, ever more slowly; one that never comes up is given up."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import asyncpg
import psutil
import pytest

from deploy.databases import connection
from deploy.local import instance, keeper, nats, postgres
from deploy.local.errors import CannotRun, DiedAtStart
from deploy.local.health import Condition
from deploy.local.instance import Service
from deploy.local.keeper import Keeper
from deploy.local.nats import NatsFiles
from deploy.local.ports import any_free, listen
from deploy.local.postgres import Cluster
from deploy.local.processes import Child, Program, Spawned, spawn
from tests.databases import FAST
from tests.patience import PATIENCE


async def works() -> Condition:
    return "works"


async def refuses() -> Condition:
    return "refuses"


async def is_starting() -> Condition:
    return "is starting"


async def is_silent() -> Condition:
    return "is silent"


async def never_answers() -> Condition:
    await asyncio.Event().wait()
    return "works"


class Starting:
    """Starts a harmless process, or fails in the ways given."""

    def __init__(self, folder: Path, *failures: CannotRun) -> None:
        self.said: list[str] = []
        self.children: list[Child] = []
        self.failures = list(failures)
        self.asked = 0
        self.answers: Callable[[], Awaitable[Condition]] = works
        self._program = Program(
            name="example",
            command=("/bin/sleep", "60"),
            log=folder / "example.log",
            death_signal=signal.SIGKILL,
            endings=((signal.SIGTERM, 5.0),),
        )

    async def __call__(self, spawned: Spawned) -> Child:
        if self.failures:
            raise self.failures.pop(0)
        child = await spawn(self._program)
        spawned(child)
        self.children.append(child)
        return child

    async def ask(self) -> Condition:
        self.asked += 1
        return await self.answers()

    def kept(self) -> Keeper:
        return Keeper("example", self, self.ask, say=self.said.append, changed=lambda: None)


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "FIRST_DELAY", 0.02)
    monkeypatch.setattr(keeper, "LONGEST_DELAY", 0.08)
    monkeypatch.setattr(keeper, "ASKED_EVERY", 0.01)
    monkeypatch.setattr(keeper, "SELDOM", 0.01)
    monkeypatch.setattr(keeper, "ANSWERS_WITHIN", 0.01)
    monkeypatch.setattr(keeper, "PATIENCE", {"is silent": 0.3, "is starting": PATIENCE})


async def test_a_dead_server_is_started_again_ever_more_slowly(tmp_path: Path) -> None:
    starting = Starting(tmp_path)
    kept = starting.kept()
    await kept.ready()
    for times in range(1, 5):
        os.kill(starting.children[-1].pid, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            while len(starting.children) == times:
                await asyncio.sleep(0.01)
    delays = [line.rpartition("again in ")[2] for line in starting.said if "SIGKILL" in line]
    assert delays == ["0.02 s", "0.04 s", "0.08 s", "0.08 s"]
    await kept.end()
    assert all(child.ended for child in starting.children)


async def test_after_a_time_of_health_it_is_quick_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "HEALTHY_AFTER", 0.0)
    starting = Starting(tmp_path)
    kept = starting.kept()
    await kept.ready()
    for times in range(1, 4):
        os.kill(starting.children[-1].pid, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            while len(starting.children) == times:
                await asyncio.sleep(0.01)
    assert [line for line in starting.said if "again in 0.02 s" in line] == starting.said[1::2]
    await kept.end()


async def test_a_server_that_dies_at_start_is_tried_again(tmp_path: Path) -> None:
    starting = Starting(tmp_path, *(DiedAtStart("It died.", log="") for _ in range(4)))
    kept = starting.kept()
    await kept.ready()
    assert len(starting.children) == 1
    await kept.end()


async def test_a_server_that_keeps_dying_at_start_is_given_up(tmp_path: Path) -> None:
    kept = Starting(tmp_path, *(DiedAtStart("It died.", log="") for _ in range(5))).kept()
    with pytest.raises(DiedAtStart):
        await kept.ready()


async def test_what_another_try_would_not_mend_is_given_up_at_once(tmp_path: Path) -> None:
    kept = Starting(tmp_path, CannotRun("Port 1 is in use.")).kept()
    with pytest.raises(CannotRun, match="Port 1"):
        await kept.ready()


async def test_once_it_was_ready_it_is_never_given_up(tmp_path: Path) -> None:
    starting = Starting(tmp_path)
    kept = starting.kept()
    await kept.ready()
    starting.failures += [CannotRun("Port 1 is in use.")] * 8
    starting.children[0].send(signal.SIGKILL)
    async with asyncio.timeout(PATIENCE):
        while len(starting.children) == 1:
            await asyncio.sleep(0.01)
    assert not kept.kept.done()
    await kept.end()


@pytest.mark.parametrize("answers", [is_silent, never_answers])
async def test_a_server_that_lives_and_does_not_work_is_started_again(
    tmp_path: Path, answers: Callable[[], Awaitable[Condition]]
) -> None:
    starting = Starting(tmp_path)
    kept = starting.kept()
    await kept.ready()
    starting.answers = answers
    async with asyncio.timeout(PATIENCE):
        while len(starting.children) == 1:
            await asyncio.sleep(0.01)
    assert starting.children[0].outcome() == "was ended by SIGQUIT"
    assert "lives, but is silent since" in starting.said[1]
    starting.answers = works
    await kept.end()


@pytest.mark.parametrize("answers", [refuses, is_starting])
async def test_a_server_that_another_start_would_not_mend_is_left_alone(
    tmp_path: Path, answers: Callable[[], Awaitable[Condition]]
) -> None:
    starting = Starting(tmp_path)
    kept = starting.kept()
    await kept.ready()
    starting.answers = answers
    await asked_again(starting, 80)  # for longer than a silent one would be left
    assert len(starting.children) == 1
    await kept.end()


async def test_a_server_that_answers_in_between_is_left_alone(tmp_path: Path) -> None:
    starting = Starting(tmp_path)
    kept = starting.kept()
    await kept.ready()
    for _ in range(4):
        starting.answers = is_silent
        await asked_again(starting, 10)
        starting.answers = works
        await asked_again(starting, 2)
    assert len(starting.children) == 1
    await kept.end()


async def test_what_the_launcher_slept_through_counts_against_nobody(tmp_path: Path) -> None:
    starting = Starting(tmp_path)
    kept = starting.kept()
    await kept.ready()
    starting.answers = is_silent
    for _ in range(3):
        await asked_again(starting, 2)
        time.sleep(0.4)  # noqa: ASYNC251 - it is this very process that sleeps, each time longer than it has patience
    assert len(starting.children) == 1
    await kept.end()


async def asked_again(starting: Starting, times: int) -> None:
    until = starting.asked + times
    async with asyncio.timeout(PATIENCE):
        while starting.asked < until:
            await asyncio.sleep(0.005)


def kept_postgres(folder: Path, said: list[str]) -> tuple[Keeper, str]:
    cluster = Cluster(
        folder=folder / "postgres",
        log=folder / "postgres.log",
        port=any_free(),
        password="roundlog",  # noqa: S106 - a server of its own, on loopback
        settings=FAST,
    )
    start, ask = partial(postgres.start, cluster), partial(postgres.ask, cluster.url)
    return Keeper("postgres", start, ask, say=said.append, changed=lambda: None), cluster.url


def kept_nats(folder: Path, said: list[str]) -> Keeper:
    broker = NatsFiles(
        folder=folder / "nats",
        log=folder / "nats.log",
        port=any_free(),
        passwords=nats.OF_TESTS,
    )
    start, ask = partial(nats.start, broker), partial(nats.ask, broker)
    return Keeper("nats", start, ask, say=said.append, changed=lambda: None)


async def ready_again(kept: Keeper, said: list[str]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not any("again ready" in line for line in said):
            await asyncio.sleep(0.05)
    assert kept.child is not None
    assert psutil.pid_exists(kept.child.pid)


async def test_postgres_that_waits_for_its_callers_before_it_stops_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "ANSWERS_WITHIN", PATIENCE)
    monkeypatch.setattr(keeper, "PATIENCE", {"is stopping": 0.5})
    said: list[str] = []
    kept, url = kept_postgres(tmp_path, said)
    await kept.ready()
    assert kept.child is not None
    async with asyncpg.create_pool(url, min_size=2, max_size=2) as pool:
        await pool.execute("create table kept (number int)")
        await pool.execute("insert into kept values (1)")
        kept.child.send(signal.SIGTERM)
        await ready_again(kept, said)
        assert "lives, but is stopping since" in said[1]
        pool.terminate()
    async with connection(url) as anew:
        assert await anew.fetchval("select number from kept") == 1
    await kept.end()


@pytest.mark.parametrize("name", ["postgres", "nats"])
async def test_a_server_that_somebody_has_stopped_for_good_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(keeper, "ANSWERS_WITHIN", 0.2)
    said: list[str] = []
    kept = kept_nats(tmp_path, said) if name == "nats" else kept_postgres(tmp_path, said)[0]
    await kept.ready()
    assert kept.child is not None
    kept.child.send(signal.SIGSTOP)
    await ready_again(kept, said)
    assert "lives, but is silent since" in said[1]
    await kept.end()


@pytest.mark.parametrize("name", ["postgres", "nats"])
async def test_a_server_that_pauses_for_a_while_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.undo()
    said: list[str] = []
    kept = kept_nats(tmp_path, said) if name == "nats" else kept_postgres(tmp_path, said)[0]
    await kept.ready()
    assert kept.child is not None
    kept.child.send(signal.SIGSTOP)
    await asyncio.sleep(1.2)  # it is asked meanwhile
    kept.child.send(signal.SIGCONT)
    await asyncio.sleep(1.2)
    assert len(said) == 1
    await kept.end()


async def test_who_takes_connections_and_does_not_answer_is_silent(tmp_path: Path) -> None:
    with listen(any_free()) as listening:
        port = int(listening.getsockname()[1])
        broker = NatsFiles(
            folder=tmp_path,
            log=tmp_path / "log",
            port=port,
            passwords=nats.OF_TESTS,
        )
        served = Service(
            name="results", listening=listening, log=tmp_path / "log", database_url="", nats_url="", held=0
        )
        asked = (
            postgres.ask(f"postgresql://postgres@127.0.0.1:{port}/postgres"),
            nats.ask(broker),
            instance.ask_service(served),
        )
        assert await asyncio.gather(*asked) == ["is silent"] * 3
