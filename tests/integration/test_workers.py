"""What callers send is computed in processes that are killed in time, and never outlive whoever waits for them."""

import asyncio
import json
import os
import signal
import time
from collections.abc import AsyncGenerator
from functools import partial
from http import HTTPStatus
from typing import Any

import httpx
import psutil
import pytest

from services.pairing.api.rounds.drafting import pair
from services.results.games.ending_accounts import IllegalMove
from shared.faults import InputFault
from shared.lots import formula
from shared.rulesets import catalogue
from shared.tournament.facts import Entrant, Facts
from shared.workers import NoWorker, OneAtATime, TooHeavy, Workers
from tests.api.asking import problem
from tests.integration.launching import until
from tests.integration.serving import Served, serving, signed
from tests.patience import PATIENCE
from tests.tournaments import SCRABBLE, SWISS, tournament

ROOM = 2**28
LONG = PATIENCE

FILE = tournament("ABC", "A-B 300:200, bye C")


def workers(most: int = 1, *, seconds: float = LONG, patience: float = LONG) -> Workers:
    return Workers(most=most, seconds=seconds, memory=ROOM, patience=patience)


def squared(number: int) -> int:
    return number * number


def where(process: int) -> int:
    del process
    return os.getpid()


def busy(_: int) -> None:
    while True:
        pass


def greedy(size: int) -> int:
    return len(bytes(size))


def refuse(index: int) -> None:
    raise IllegalMove(index, "is off the board", "CFP.RES-1")


def killed(number: int) -> None:
    os.kill(os.getpid(), number)


async def test_what_is_computed_comes_back_from_another_process() -> None:
    ours = workers()
    assert await ours.compute(squared, 7) == 49
    there = await ours.compute(where, 1)
    assert there != os.getpid()
    assert await ours.compute(where, 1) == there  # it stays for the next one


async def test_a_refusal_comes_back_whole() -> None:
    with pytest.raises(IllegalMove, match=r"^Move 3 of the transcript cannot") as refused:
        await workers().compute(refuse, 3)
    assert (refused.value.index, refused.value.rule) == (3, "CFP.RES-1")
    assert refused.value.faults == (InputFault("/moves/3", "is off the board (CFP.RES-1)"),)


async def test_what_takes_too_long_is_killed() -> None:
    ours = workers(seconds=1)
    there = await ours.compute(where, 1)
    with pytest.raises(TooHeavy, match="has taken more than 1 seconds or 256 MiB"):
        await ours.compute(busy, 1)
    assert not psutil.pid_exists(there)
    assert await ours.compute(squared, 3) == 9


@pytest.mark.parametrize(("function", "given"), [(greedy, 2 * ROOM), (killed, signal.SIGABRT)])
async def test_what_takes_too_much_memory_is_refused(function: Any, given: int) -> None:
    ours = workers()
    with pytest.raises(TooHeavy):
        await ours.compute(function, given)
    assert await ours.compute(squared, 3) == 9


async def test_one_caller_has_one_thing_computed_at_a_time() -> None:
    ours = workers(most=2)
    first = asyncio.create_task(ours.compute_for("ann", busy, 1))
    await asyncio.sleep(0)
    with pytest.raises(OneAtATime):
        await ours.compute_for("ann", squared, 2)
    assert await ours.compute_for("bob", squared, 2) == 4
    await given_up(first)
    assert await ours.compute_for("ann", squared, 2) == 4


async def test_more_than_is_bearable_is_turned_away_at_once_or_after_a_while() -> None:
    ours = workers(patience=0.2)
    held = asyncio.create_task(ours.compute(busy, 1))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(ours.compute(squared, number)) for number in range(8)]
    await asyncio.sleep(0)
    with pytest.raises(NoWorker, match="can bear"):
        await ours.compute(squared, 9)
    for one in waiting:
        with pytest.raises(NoWorker, match="all that the service computes"):
            await one
    await given_up(held)
    assert await ours.compute(squared, 3) == 9


async def given_up(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_one_that_died_with_nothing_to_do_is_replaced() -> None:
    ours = workers()
    there = await ours.compute(where, 1)
    os.kill(there, signal.SIGKILL)
    assert await ours.compute(squared, 3) == 9


def large_field() -> Facts:
    entrants = {str(number): Entrant(id=str(number), number=number) for number in range(1, 2_501)}
    ruleset = catalogue.load(SCRABBLE).model_copy(update={"options": {**SWISS, "pairing.rounds": 9}})
    return Facts(ruleset=ruleset, entrants=entrants)


async def test_a_large_field_is_paired_while_others_are_answered() -> None:
    """Matching holds the interpreter: in a thread of the service nothing else would happen for most of the time."""
    facts, ours = large_field(), workers()
    await ours.compute(squared, 1)
    began = looked = time.monotonic()
    pairing = asyncio.create_task(ours.compute(pair, facts, "swiss", partial(formula.draw, b"seed")))
    longest = 0.0
    while not pairing.done():
        await asyncio.sleep(0.005)
        longest, looked = max(longest, time.monotonic() - looked), time.monotonic()
    drafted, drawn = await pairing
    assert longest < (looked - began) / 2
    assert (drafted, drawn) == pair(facts, "swiss", partial(formula.draw, b"seed"))


HEAVY = tournament(
    [str(number) for number in range(4000)], options={"pairing.system": "cost-swiss", "pairing.rounds": 9}
)


@pytest.fixture
async def served(database: str) -> AsyncGenerator[Served]:
    async with serving(database, service="pairing", worker_seconds="120") as served:
        yield served


def computing(served: Served) -> list[psutil.Process]:
    return psutil.Process(served.process.pid).children(recursive=True)


def at_work(served: Served) -> bool:
    return any(one.cpu_times().user > 1 for one in computing(served))


def hang_up_in_the_middle(served: Served) -> None:
    body = json.dumps(HEAVY).encode()
    head = [
        "POST /v1/pair HTTP/1.1",
        "Host: x",
        f"Authorization: {signed('ann')['Authorization']}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    ]
    with served.connect() as connection:
        connection.sendall("\r\n".join([*head, "", ""]).encode() + body)
        until(lambda: at_work(served), PATIENCE)


async def test_who_hangs_up_leaves_nobody_computing(served: Served) -> None:
    await asyncio.to_thread(hang_up_in_the_middle, served)
    until(lambda: not computing(served), PATIENCE)
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        answer = await client.post(f"{served.url}/v1/pair", json=FILE, headers=signed("ann"))
    assert answer.status_code == HTTPStatus.OK


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
async def test_no_worker_outlives_its_service(served: Served, sent: signal.Signals) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        heavy = asyncio.create_task(client.post(f"{served.url}/v1/pair", json=HEAVY, headers=signed("ann")))
        await asyncio.to_thread(until, lambda: at_work(served), PATIENCE)
        left = computing(served)
        served.process.send_signal(sent)
        await asyncio.to_thread(psutil.wait_procs, left, PATIENCE)
        assert not [one for one in left if one.is_running()]
        await asyncio.gather(heavy, return_exceptions=True)


async def test_a_second_one_at_once_is_refused_and_others_are_answered(served: Served) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        heavy = asyncio.create_task(client.post(f"{served.url}/v1/pair", json=HEAVY, headers=signed("ann")))
        await asyncio.to_thread(until, lambda: at_work(served), PATIENCE)
        second = await client.post(f"{served.url}/v1/pair", json=FILE, headers=signed("ann"))
        problem(second, HTTPStatus.TOO_MANY_REQUESTS, "one-at-a-time")
        assert int(second.headers["Retry-After"]) > 0
        other = await client.post(f"{served.url}/v1/pair", json=FILE, headers=signed("bob"))
        assert other.status_code == HTTPStatus.OK
        heavy.cancel()


async def test_what_takes_too_long_says_what_to_do(database: str) -> None:
    async with (
        serving(database, service="pairing", worker_seconds="0.2") as served,
        httpx.AsyncClient(timeout=PATIENCE) as client,
    ):
        began = time.monotonic()
        refused = await client.post(f"{served.url}/v1/pair", json=HEAVY, headers=signed("ann"))
        found = problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "too-heavy")
        assert "0.2 seconds" in found.detail
        assert "roundlog" in found.detail
        assert time.monotonic() - began < PATIENCE


async def test_workers_hold_neither_the_port_nor_any_other_file_of_the_service(served: Served) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        answer = await client.post(f"{served.url}/v1/pair", json=FILE, headers=signed("ann"))
        assert answer.status_code == HTTPStatus.OK
    (worker,) = computing(served)
    assert not worker.net_connections(kind="tcp")
    assert not worker.open_files()
