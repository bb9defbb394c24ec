"""Files that mean harm, sent to the calculators of a service: each is answered in time, and nobody else waits for it.

`python -m tests.hostile.calculators --times 1000`
"""

import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

import click
import httpx
import psutil

from deploy.local import postgres
from shared.rulesets import catalogue
from tests.databases import FAST, fresh_database, make_template
from tests.integration.serving import Served, serving, signed
from tests.tournaments import SCRABBLE, SWISS, tournament

ANSWERED_WITHIN = 10.0
BEARABLE = 2**30  # bytes of all processes of the service
LARGEST = 2**20  # bytes of a body
BESIDE = "/v1/log?limit=1"  # which every service has
PAUSE = 0.02
LOOKED_AT = 20
MANY = 30_000
SERVED = ("pairing", "standings", "results")

type Paths = Sequence[str]

OF: dict[str, Paths] = {
    "pairing": ("/v1/pair", "/v1/pair?alternative=true"),
    "standings": ("/v1/rank", "/v1/rank?explain=true&crosstable=true", "/v1/rank?final=true&format=csv", "/v1/season"),
    "results": ("/v1/adjudicate",),
}


def stage(number: int) -> dict[str, Any]:
    field = {"rule": "best", "stage": f"s{number - 1}", "count": 2} if number else {"rule": "everybody"}
    more = {"seats_by": f"s{max(number - 2, 0)}"} if number else {}
    return {"id": f"s{number}", "title": "stage", "field": field, **more}


def staged(number: int) -> dict[str, Any]:
    rules = catalogue.load(SCRABBLE).model_dump(mode="json") | {"stages": [stage(one) for one in range(number)]}
    ends = [{"id": "s0"}, {"id": f"s{number - 1}"}]
    return {key: one for key, one in tournament("ABCD", ruleset=rules, stages=ends).items() if key != "rounds"}


def field_of(size: int, **more: Any) -> dict[str, Any]:
    return tournament([str(one) for one in range(size)], **more)


def adjusted(number: int, low: int = 10**11) -> dict[str, Any]:
    several = [{"entrant": "A", "round": 1, "points": f"1/{low + 2 * one + 1}"} for one in range(number)]
    return tournament("ABCD", adjustments=several)


def known() -> dict[str, Any]:
    """Those that have stalled a service before."""
    return {
        "70 stages, each of which names two before it": staged(70),
        "10,000 entrants": field_of(10_000),
        "3,000 entrants who all meet each other": field_of(3_000, options={"pairing.system": "round-robin"}),
        "16,000 numbers with much below the line": adjusted(16_000),
        "5,000 numbers with much below the line": adjusted(5_000),
        "9,000 stages": staged(9_000),
        "as many entrants as may be": field_of(5_000),
        "as many stages as may be": staged(30),
        "as many numbers as may be": adjusted(5_000, low=1),
    }


def played(chance: random.Random, size: int, rounds: int) -> dict[str, Any]:
    """A tournament that could have been, or nearly."""
    names = [str(one) for one in range(size)]
    said: list[str] = []
    for _ in range(rounds):
        order = chance.sample(names, size)
        pairs = zip(order[::2], order[1::2], strict=False)
        games = ", ".join(f"{a}-{b} {chance.randrange(500)}:{chance.randrange(500)}" for a, b in pairs)
        said.append(games + (f", bye {order[-1]}" if size % 2 else ""))
    system = chance.choice(["cost-swiss", "median-swiss", "round-robin", "double-round-robin", "knockout", "groups"])
    rules = chance.choice([*catalogue.ids(), catalogue.load(SCRABBLE).model_dump(mode="json")])
    options = chance.choice([SWISS, {}, {"pairing.system": system, "pairing.rounds": rounds + 1}])
    return tournament(names, *said, ruleset=rules, options=options)


GAMES = [
    {"ruleset": SCRABBLE, "game": {"end": "resigned", "by": 0, "scores": [210, 347]}},
    {
        "ruleset": "gomoku-cfp",
        "options": {"contest.opening": "pro"},
        "game": {"moves": [[7, 7], [7, 8], [4, 7], {"resign": 1}]},
    },
    {"ruleset": "othello-pl-2021", "game": {"moves": ["f5", "d6", "pass"]}},
    {"ruleset": "carcassonne-cz-final", "game": {"scores": [90, 70], "flag": 0}},
]
SEASON = {
    "season": "scrabble-sk-2022",
    "players": [{"id": "N", "rating": 1720}, {"id": "M"}],
    "tournaments": [{"id": "T", "kind": "live", "places": [{"player": "N", "place": 1}], "games": []}],
}
VALUES: list[Any] = [
    *(None, True, 0, -1, 10**20, 10**300, 1e-300, 1e300, "", "A", "1/3", "999999999999/999999999997", "x" * 10_000),
    *([], {}, [[]] * 20_000, [1] * 50_000, ["A"] * 50_000, [{}] * 50_000, {str(one): one for one in range(20_000)}),
]


def places(content: Any) -> Iterator[tuple[Any, Any]]:
    """Everything that holds something, with one step into it; of long lists only the beginning."""
    steps: list[Any] = []
    if isinstance(content, dict):
        steps = list(cast("dict[str, Any]", content))
    elif isinstance(content, list):
        steps = list(range(min(len(cast("list[Any]", content)), LOOKED_AT)))
    for step in steps:
        yield content, step
        yield from places(content[step])


def mutated(chance: random.Random, content: Any) -> Any:
    """With a few places of it changed: to something else, to far more of the same, or to nothing."""
    for _ in range(chance.randint(1, 3)):
        holder, step = chance.choice(list(places(content)))
        there = holder[step]
        match chance.choice(["other", "more", "gone"]):
            case "more" if isinstance(there, list) and there:
                holder[step] = (cast("list[Any]", there) * MANY)[: chance.choice([40, 1_000, MANY])]
            case "gone":
                del holder[step]
            case _:
                holder[step] = deepcopy(chance.choice(VALUES))
        if not content:
            break
    return content


def hostile(chance: random.Random, path: str) -> bytes:
    if "adjudicate" in path:
        content: Any = chance.choice(GAMES)
    elif "season" in path:
        content = SEASON
    else:
        size = chance.choice([2, 3, 8, 40, 200, 900, 2_500])
        content = played(chance, size, chance.choice([0, 1, 3, 12]) if size < 1_000 else chance.choice([0, 2]))
    content = json.loads(json.dumps(content))
    sent = json.dumps(mutated(chance, content) if chance.random() < 0.85 else content, separators=(",", ":")).encode()
    return sent if chance.random() < 0.95 else sent[: chance.randrange(len(sent))] + chance.randbytes(20)


@dataclass(kw_only=True)
class Seen:
    """What came of it."""

    statuses: Counter[int] = field(default_factory=Counter[int])
    slowest: float = 0.0
    at: str = ""
    most: int = 0  # bytes
    idle: list[float] = field(default_factory=list[float])
    beside: list[float] = field(default_factory=list[float])


async def send(served: Served, path: str, content: bytes, caller: str, seen: Seen) -> None:
    headers = signed(caller) | {"Content-Type": "application/json"}
    async with httpx.AsyncClient(timeout=10 * ANSWERED_WITHIN) as client:
        began = time.monotonic()
        try:
            status = (await client.post(f"{served.url}{path}", content=content, headers=headers)).status_code
        except (httpx.ReadError, httpx.WriteError):
            if len(content) <= LARGEST:
                raise
            status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE.value  # it was refused before all of it was sent
        took = time.monotonic() - began
    seen.statuses[status] += 1
    if took > seen.slowest:
        seen.slowest, seen.at = took, f"{path} with {len(content)} bytes: {status}"


async def look(served: Served, found: list[float], pause: float) -> None:
    """What everybody else asks for, one after the other."""
    async with httpx.AsyncClient(timeout=10 * ANSWERED_WITHIN, headers=signed("operator")) as client:
        while True:
            began = time.monotonic()
            await client.get(f"{served.url}{BESIDE}")
            found.append(time.monotonic() - began)
            await asyncio.sleep(pause)


async def weigh(served: Served, seen: Seen) -> None:
    while True:
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(served.process.pid)
            several = [process, *process.children(recursive=True)]
            seen.most = max(seen.most, *(one.memory_info().rss for one in several))
        await asyncio.sleep(0.5)  # to look through all processes costs the others their time


@asynccontextmanager
async def beside(*works: Any) -> AsyncGenerator[None]:
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def percentile(found: Sequence[float], part: float) -> float:
    return sorted(found)[int(part * (len(found) - 1))]


async def attack(
    served: Served, service: str, times: int, chance: random.Random, *, idle: float = 5.0, pause: float = PAUSE
) -> Seen:
    """Others look on, with so much of a pause after each answer; so long before, to compare with."""
    seen = Seen()
    paths = [chance.choice(OF[service]) for _ in range(times)]
    files = [(path, hostile(chance, path)) for path in paths]  # before anything is measured
    async with beside(look(served, seen.idle, pause)):
        await asyncio.sleep(idle)
    async with beside(look(served, seen.beside, pause), weigh(served, seen)):
        for number, content in enumerate(known().values()):
            for path in OF[service]:
                await send(served, path, json.dumps(content).encode(), f"caller-{number}", seen)
        left = iter(files)

        async def caller(name: str) -> None:
            for path, content in left:
                await send(served, path, content, name, seen)

        await asyncio.gather(caller("ann"), caller("bob"))
    return seen


def report(service: str, seen: Seen, say: Callable[[str], None]) -> None:
    answers = ", ".join(f"{number} × {status}" for status, number in sorted(seen.statuses.items()))
    say(f"{service}: {sum(seen.statuses.values())} files ({answers})")
    say(f"  slowest {seen.slowest:.1f} s, {seen.at}; largest process {seen.most / 2**20:.0f} MiB")
    for name, found in (("before", seen.idle), ("meanwhile", seen.beside)):
        half, most = (1000 * percentile(found, part) for part in (0.5, 0.99))
        say(f"  others {name}: p50 {half:.0f} ms, p99 {most:.0f} ms of {len(found)}")


def require_harmless(seen: Seen, seconds: float) -> None:
    assert not {status for status in seen.statuses if status >= HTTPStatus.INTERNAL_SERVER_ERROR} - {
        HTTPStatus.SERVICE_UNAVAILABLE
    }
    assert seen.slowest < seconds, seen.at
    assert seen.most < BEARABLE


@click.command()
@click.option("--times", type=click.IntRange(min=1), default=1_000, show_default=True, help="How many files.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--seconds", default=ANSWERED_WITHIN, show_default=True, help="Within which each has to be answered.")
def main(times: int, seed: int, seconds: float) -> None:
    asyncio.run(campaign(times, seed, seconds))


async def campaign(times: int, seed: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory(prefix="roundlog-hostile-") as folder:
        async with postgres.running(Path(folder), settings=FAST) as server:
            await make_template(server.url)
            for service in SERVED:
                async with serving(await fresh_database(server.url), service=service) as served:
                    share = times // len(SERVED) + (service == SERVED[0]) * (times % len(SERVED))
                    seen = await attack(served, service, share, random.Random(f"{seed} {service}"))
                    report(service, seen, click.echo)
                    require_harmless(seen, seconds)


if __name__ == "__main__":
    main()
