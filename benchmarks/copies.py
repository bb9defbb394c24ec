"""`make copies`: one, two and four copies of each service on a cluster of three brokers, and what happens when copies die.

A round is everything from its pairing to the table that is complete. While copies are killed, an evening is played: whoever
waits longest shows how long it takes until others have taken over, and what was acknowledged is compared afterwards.
"""

import asyncio
import itertools
import json
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median

import click
import psutil
import uvloop

from benchmarks.document import PROOF, circumstances, put, table
from benchmarks.load.acts import Waited, Watch
from benchmarks.load.checker import Compared, acknowledgements, compare, gaps
from benchmarks.load.evening import Evening, Hall, prepared
from benchmarks.load.origin import Origin, listed, shown, told_of
from benchmarks.record import Served, seconds_of_postgres, serving
from benchmarks.spectators import ROOM
from deploy import SERVICES, databases, tokens
from deploy.demo.play import complete_table, publish_next
from deploy.local import postgres, proxy
from deploy.local.nats import NatsFiles, NatsServer
from deploy.local.ports import LOOPBACK, any_free, listen
from deploy.local.proxy import Proxy
from shared.values import Value

BROKERS = 3
SEVERAL = (1, 2, 4)
PASSWORD = "copies"  # noqa: S105 - of servers that live as long as the measurement
PASSWORDS: Mapping[str, str] = dict.fromkeys(SERVICES, PASSWORD)
MANY = {"max_connections": "800"}
WARM, ROUNDS = 1, 4  # of each tournament: what is measured comes behind the first
TOURNAMENTS, PLAYERS = 16, 32
CALLERS = 32
HALLS = 6  # whose evening goes on while copies are killed
SUBJECT = "report a result"


class Copies(Value):
    """A platform with several copies of each service."""

    origin: Origin
    services: Mapping[str, Sequence[Served]]

    def seconds(self) -> Mapping[str, Sequence[float]]:
        """Of a core, by service and copy."""
        return {service: [copy.seconds() for copy in copies] for service, copies in self.services.items()}


@asynccontextmanager
async def running(folder: Path, copies: int) -> AsyncGenerator[Copies]:
    folder.mkdir()
    tokens.write_key(folder / "keys")
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(postgres.running(folder, settings=MANY))
        urls = await databases.prepare(server.url, PASSWORDS)
        brokers = await stack.enter_async_context(cluster(folder))
        services: dict[str, list[Served]] = {service: [] for service in SERVICES}
        for service, number in itertools.product(SERVICES, range(copies)):
            told = tokens.environment(folder, service, "http://127.0.0.1") | {
                "ROUNDLOG_DATABASE_URL": urls[service],
                "ROUNDLOG_NATS_URL": brokers[number % BROKERS].urls[service],
                "ROUNDLOG_STREAM_COPIES": f"{BROKERS}",
                "ROUNDLOG_PROXIES": proxy.ADDRESS,
            }
            running = serving(["deploy.serve", service, "--fd"], ROOM | told)
            services[service].append(await stack.enter_async_context(running))
        listening = stack.enter_context(listen(any_free()))
        front = Proxy(
            listening=listening,
            services={service: [copy.port for copy in several] for service, several in services.items()},
            folder=folder / "proxy",
            log=folder / "proxy.log",
        )
        child = await proxy.start(front)
        stack.push_async_callback(child.end)
        yield Copies(origin=Origin(port=front.port, keys=folder / "keys"), services=services)


@asynccontextmanager
async def cluster(folder: Path) -> AsyncGenerator[Sequence[NatsServer]]:
    """Each is ready only once it has found another one, so they are started together."""
    routes = [f"nats://{LOOPBACK}:{any_free()}" for _ in range(BROKERS)]
    servers = [
        NatsServer(
            NatsFiles(
                folder=folder / f"nats-{number}",
                log=folder / f"nats-{number}.log",
                port=any_free(),
                passwords=PASSWORDS,
                settings={
                    "server_name": f"broker-{number}",
                    "cluster": json.dumps(
                        {"name": "roundlog", "listen": route.removeprefix("nats://"), "routes": routes}
                    ),
                },
            )
        )
        for number, route in enumerate(routes)
    ]
    try:
        await asyncio.gather(*(server.start() for server in servers))
        yield servers
    finally:
        await asyncio.gather(*(server.stop() for server in servers))


class Pace(Value):
    copies: int
    results: float  # a second, from the first pairing to the last table
    core: float  # milliseconds of it for each result: services, PostgreSQL
    shares: Mapping[str, Sequence[int]]  # percent of the seconds of each service, by copy


async def pace(folder: Path, copies: int) -> Pace:
    async with running(folder, copies) as platform, platform.origin.networks(Watch(), TOURNAMENTS) as networks:
        plan = Evening(halls=TOURNAMENTS, players=PLAYERS, rounds=WARM + ROUNDS, minutes=1, spectators=0, seed=copies)
        halls = await prepared(plan, networks)
        await listed(halls)
        for number in range(1, WARM + 1):
            await play_round(halls, number)
        took: list[float] = []
        before, of_postgres = platform.seconds(), seconds_of_postgres()
        for number in range(WARM + 1, WARM + ROUNDS + 1):
            began = time.monotonic()
            await play_round(halls, number)
            took.append(time.monotonic() - began)
        used = {
            service: [now - then for now, then in zip(several, before[service], strict=True)]
            for service, several in platform.seconds().items()
        }
        whole = sum(map(sum, used.values())) + seconds_of_postgres() - of_postgres
    results = TOURNAMENTS * PLAYERS // 2
    return Pace(
        copies=copies,
        results=results / median(took),
        core=1000 * whole / (ROUNDS * results),
        shares={service: [round(100 * one / sum(several)) for one in several] for service, several in used.items()},
    )


async def play_round(halls: Sequence[Hall], number: int) -> None:
    """As quickly as so many callers can: paired, reported by sheets that both have signed, and in the table."""
    places = asyncio.Semaphore(CALLERS)

    async def post(hall: Hall, game: str, after: str | None) -> None:
        scores = hall.chance.sample(range(250, 450), 2)
        sheet = {"end": "played", "scores": scores, "signed_by": [0, 1]}
        async with places:
            answer = await hall.person("scorer-a").act("results", f"/v1/games/{game}/reports", sheet, after=after)
        hall.known = answer.position

    async def play(hall: Hall) -> None:
        async with places:
            published = await publish_next(hall.person("director"), hall.stage, number, after=hall.known)
        games = [pair["game"] for pair in published.body["pairs"]]
        await asyncio.gather(*(post(hall, game, published.position) for game in games))
        await complete_table(hall.network.anybody(), hall.stage, number, after=published.position)

    await asyncio.gather(*map(play, halls))


class TakenOver(Value):
    killed: Sequence[str]  # what and when, in words
    acknowledged: Waited
    board: Waited  # from a report to the board
    calm: Waited  # the same, of those reported long before or behind a death
    again: int
    refused: int
    compared: Sequence[Compared]
    gaps: int


async def taken_over(folder: Path, seconds: float) -> TakenOver:
    """The first copy of each service, which is the one that acts go to, is killed; it stays away."""
    watch = Watch()
    plan = Evening(halls=HALLS, players=16, rounds=2, minutes=seconds / 60, spectators=0, seed=1)
    async with running(folder, 2) as platform, platform.origin.networks(watch, HALLS) as networks:
        halls = await prepared(plan, networks)
        await listed(halls)
        watch.seconds.clear()
        async with platform.origin.boards(halls) as boards:
            began = time.monotonic()
            killing = asyncio.create_task(kill_each(platform, began, seconds))
            async with asyncio.TaskGroup() as group:
                for hall in halls:
                    group.create_task(hall.play(began))
            deaths = await killing
            await shown(halls, boards)
        logs = {service: await platform.origin.log(service) for service in ("results", "pairing")}
        compared = [compare(hall.kept, await told_of(hall, logs)) for hall in halls]
    moments = [
        (one.asked, moment - one.asked)
        for hall, board in zip(halls, boards, strict=True)
        for one in hall.shown
        if (moment := board.told(one.number)) is not None
    ]
    calm = [delay for asked, delay in moments if not any(death - 2 < asked < death + 5 for death, _ in deaths)]
    return TakenOver(
        killed=[f"{name} after {death - began:.0f} s" for death, name in deaths],
        acknowledged=watch.waited(SUBJECT),
        board=Waited(seconds=sorted(delay for _, delay in moments)),
        calm=Waited(seconds=sorted(calm)),
        again=watch.again.total(),
        refused=watch.refused.total(),
        compared=compared,
        gaps=sum(map(gaps, logs.values())),
    )


async def kill_each(platform: Copies, began: float, seconds: float) -> list[tuple[float, str]]:
    """One after the other, spread over the evening."""
    deaths: list[tuple[float, str]] = []
    order = random.Random(1).sample(SERVICES, len(SERVICES))
    for number, service in enumerate(order, start=1):
        await asyncio.sleep(max(0.0, began + seconds * number / (len(order) + 1) - time.monotonic()))
        psutil.Process(platform.services[service][0].process).send_signal(signal.SIGKILL)
        deaths.append((time.monotonic(), service))
    return deaths


@click.command()
@click.option("--most", default=max(SEVERAL), show_default=True, help="Copies of each service.")
@click.option("--seconds", default=60.0, show_default=True, help="That copies are killed in.")
@click.option("--write", is_flag=True, help=f"Put the figures into {PROOF}.")
def main(most: int, seconds: float, *, write: bool) -> None:
    """Measure one, two and four copies of each service, and kill some."""
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=Path.cwd()))
    try:
        paces = [uvloop.run(pace(folder / f"{copies}", copies)) for copies in SEVERAL if copies <= most]
        after = uvloop.run(taken_over(folder / "taken-over", seconds))
    finally:
        shutil.rmtree(folder)
    text = "\n\n".join((circumstances(f"make copies MOST={most} SECONDS={seconds:g}"), *sections(paces, after)))
    click.echo(text)
    if write:
        put("copies", text, PROOF)
    sys.exit(0 if is_fine(after) else 1)


def sections(paces: Sequence[Pace], after: TakenOver) -> Iterator[str]:
    yield (
        f"A round of {TOURNAMENTS} tournaments with {PLAYERS} players, from its pairing to all of its tables, by {CALLERS} callers; "
        "all copies, brokers and callers share the cores of this machine."
    )
    rows = (
        (
            f"{one.copies}",
            f"{one.results:.0f}",
            f"{one.core:.1f}",
            *("/".join(map(str, one.shares[service])) for service in SERVICES),
        )
        for one in paces
    )
    shares = (f"% of each: {service}" for service in SERVICES)
    yield table(("copies of each", "results a second", "ms of a core for each", *shares), rows)
    yield f"Two copies of each, of which the first are killed for good while an evening is played: {', '.join(after.killed)}."
    yield table(("waited for", "how many", "p50 ms", "p99 ms", "longest ms"), waits(after))
    yield table(("checked afterwards", "found"), checked(after))


def waits(after: TakenOver) -> Iterator[Sequence[str]]:
    for words, waited in (
        ("the answer to a report", after.acknowledged),
        ("the board, since a report was asked", after.board),
        ("the same, away from deaths", after.calm),
    ):
        if waited.seconds:
            times = (f"{1000 * waited.within(share):.0f}" for share in (0.5, 0.99, 1.0))
            yield (words, f"{len(waited.seconds)}", *times)


def checked(after: TakenOver) -> Iterator[Sequence[str]]:
    several = after.compared
    yield from acknowledgements(several)
    yield "tables that do not follow from the results", f"{sum(one.tables for one in several)} of {len(several)}"
    yield "gaps in the logs of results and pairing", f"{after.gaps}"
    yield "asked again after a 503 or a cut connection", f"{after.again}"
    yield "refused", f"{after.refused}"


def is_fine(after: TakenOver) -> bool:
    return all(one.is_whole for one in after.compared) and not (after.gaps or after.refused)


if __name__ == "__main__":
    main()
