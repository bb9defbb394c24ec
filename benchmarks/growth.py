"""`make growth`: what one more result costs behind those that are there, among many tournaments, before many listeners.

Results are recorded by the real service from the first to the last of them. Those that standings has heard before are put into its inbox
as they would have arrived, and its tables are made of them anew; what is measured comes the real way: log, relay, broker,
inbox, ranking, live stream. Seconds of a core are those of the service and of PostgreSQL together.
"""

import asyncio
import itertools
import random
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from statistics import median

import click
import msgspec
import psutil
import uvloop

from benchmarks import history, pushed, record
from benchmarks.callers import calls
from benchmarks.document import PROOF, circumstances, put, table
from benchmarks.picture import Dot, Strip, picture
from benchmarks.pushed import PASSWORD, ROLE, SERVICE, SPEAKERS, Speaking, speaker
from benchmarks.rebuild import OF_ONE, STAGE, Said, fill, story
from benchmarks.record import CALLERS, Served, seconds_of_postgres, serving
from benchmarks.spectators import ROOM, Audience, asked_of, ready
from deploy import tokens
from deploy.databases import at, connection
from deploy.local import nats, postgres
from services.standings.projection.rebuild import rebuild
from shared.contracts.pairing import RoundPublished
from shared.contracts.results import ResultFinal
from shared.ids import new_id
from shared.rulesets import catalogue
from shared.values import Value

MILLION = 1_000_000
RESULTS = (1000, 10_000, 100_000, MILLION)
TOURNAMENTS = (1, 10, 100, 1000)
LISTENERS = (10, 100, 500, 2000)
SPARE = 25_000  # games for each step, for what is recorded besides
WINDOWS = 3  # of some seconds each, of which the middle one counts
BURST = 5.0  # seconds, in which as many are recorded as can be
SIZE, ROUNDS = 20, 10  # of a tournament beside others, which has a hundred results
COUNT, TIMED = 80, 10  # results whose cost is measured, and those whose time is
PACE = 25  # results a second
REST = 1.0  # seconds, in which all are told
GLANCE = 0.002
HALLS = 20  # whose tables are listened to
FLAT = 1.5  # times the cost of the first step
HEARD = """
  select exists (select from inbox.events where source = 'results' and number = $1)
    and not exists (select from inbox.events where state = 'waiting')
"""
PICTURE = Path("docs/pictures/growth.svg")


class Step(Value):
    many: int  # are there
    core: float  # milliseconds of it for each
    wall: float  # milliseconds
    memory: float  # megabytes of the service


class Curve(Value):
    title: str
    many: str  # of what
    each: str  # what the cost is for
    waits: str  # what the time is until
    steps: Sequence[Step]

    @property
    def is_flat(self) -> bool:
        """What is saved by being many is no fault."""
        return self.steps[-1].core <= FLAT * self.steps[0].core


@click.command()
@click.option("--most", default=MILLION, show_default=True, help="Results; tournaments and listeners in proportion.")
@click.option("--write", is_flag=True, help=f"Put the figures into {PROOF}, and the picture beside it.")
def main(most: int, *, write: bool) -> None:
    """Measure what one more result costs as everything grows."""
    folder = Path(tempfile.mkdtemp(prefix=".bench-", dir=Path.cwd()))
    try:
        curves = uvloop.run(measured(folder, most))
    finally:
        shutil.rmtree(folder)
    text = "\n\n".join(
        (
            circumstances(f"make growth MOST={most}"),
            "![Cost as everything grows](pictures/growth.svg)",
            *map(shown, curves),
        )
    )
    click.echo(text)
    history.FOLDER.mkdir(exist_ok=True)
    drawing = picture(list(itertools.chain.from_iterable(map(strips, curves))))
    (history.FOLDER / "growth.svg").write_text(drawing, encoding="utf-8")
    (history.FOLDER / "growth.json").write_bytes(msgspec.json.format(msgspec.json.encode(curves)) + b"\n")
    if write:
        put("growth", text, PROOF)
        PICTURE.write_text(drawing, encoding="utf-8")
        PICTURE.with_suffix(".json").write_bytes(msgspec.json.format(msgspec.json.encode(curves)) + b"\n")
    sys.exit(0 if all(curve.is_flat for curve in curves) else 1)


async def measured(folder: Path, most: int) -> list[Curve]:
    curves = [await recorded(folder / "record", [one for one in RESULTS if one <= most])]
    async with standings(folder / "standings") as here:
        curves.append(await among_tournaments(here, [one for one in TOURNAMENTS if one <= max(most // 1000, 10)]))
        curves.append(await before_listeners(here, [one for one in LISTENERS if one <= max(most // 500, 100)]))
        curves.append(await behind_results(here, [one for one in RESULTS if one <= most]))
    return curves


async def recorded(folder: Path, steps: Sequence[int]) -> Curve:
    """One log, to which callers report without a pause."""
    folder.mkdir()
    keys = folder / "keys"
    tokens.write_key(keys)
    signed = {"Authorization": f"Bearer {tokens.signed(keys, record.SUBJECT, hours=12)}"}
    cups = range((steps[-1] + len(steps) * SPARE) // (record.TABLES * record.PUBLISHED))
    async with (
        postgres.running(folder / "postgres", settings={"max_wal_size": "4GB"}) as server,
        nats.running(folder / "nats") as broker,
    ):
        database = await record.make(server.url, "results")
        told = {
            "ROUNDLOG_DATABASE_URL": database,
            "ROUNDLOG_NATS_URL": broker.urls["results"],
            "ROUNDLOG_KEYS": str(keys / tokens.PUBLIC),
            "ROUNDLOG_RATE": "0",
            "ROUNDLOG_LOG_LEVEL": "WARNING",
        }
        async with serving(["deploy.serve", "results", "--fd"], told) as service:
            await record.begin(database, cups)
            await record.caught_up(database, service.port)
            sheets = record.requests(signed, cups, keyed=True)
            found: list[Step] = []
            there = 0
            for step in steps:
                while there < step:
                    burst = await calls(
                        service.port, sheets, callers=CALLERS, seconds=min(BURST, (step - there) / 1000)
                    )
                    there += burst.count + CALLERS
                windows = [await record.measured(service, sheets) for _ in range(WINDOWS)]
                there += sum(one.answers.count + CALLERS for one in windows)
                middle = sorted(windows, key=lambda one: one.service + one.postgres)[WINDOWS // 2]
                found.append(
                    Step(
                        many=step,
                        core=1000 * (middle.service + middle.postgres),
                        wall=1000 * CALLERS / middle.answers.a_second,
                        memory=memory(service),
                    )
                )
                say("recorded", found[-1])
    return Curve(
        title="a result is recorded",
        many="results in the log",
        each="result",
        waits=f"answer, {CALLERS} callers",
        steps=found,
    )


class Here(Value):
    """Standings as it runs in production, and those from whom it hears."""

    server: str
    database: str
    service: Served
    speaking: Speaking

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.service.port}"

    def seconds(self) -> float:
        return self.service.seconds() + seconds_of_postgres()


@asynccontextmanager
async def standings(folder: Path) -> AsyncGenerator[Here]:
    folder.mkdir()
    async with (
        postgres.running(folder, settings={"max_wal_size": "4GB"}) as server,
        nats.running(folder) as broker,
        AsyncExitStack() as stack,
    ):
        for name in (*SPEAKERS, SERVICE):
            await pushed.make(server.url, name)
        own = at(server.url, database=SERVICE, user=ROLE, password=PASSWORD)
        told = ROOM | {"ROUNDLOG_DATABASE_URL": own, "ROUNDLOG_NATS_URL": broker.urls[SERVICE]}
        service = await stack.enter_async_context(serving(["deploy.serve", SERVICE, "--fd"], told))
        speaking = Speaking(
            {name: await stack.enter_async_context(speaker(server.url, broker.urls, name)) for name in SPEAKERS}
        )
        yield Here(server=server.url, database=own, service=service, speaking=speaking)


async def behind_results(here: Here, steps: Sequence[int]) -> Curve:
    await pushed.pushed(here.url, here.speaking)  # everything is warm then
    found: list[Step] = []
    there = 0
    for number, step in enumerate(steps, start=1):
        async with connection(at(here.server, database=SERVICE)) as inbox:
            await fill(inbox, (step - there) // OF_ONE, first=-number * 10**9)  # numbers that nobody else has
        await rebuild(here.database, service=SERVICE)
        there = step
        before = here.seconds()
        times = await pushed.pushed(here.url, here.speaking)
        core = 1000 * (here.seconds() - before) / OF_ONE
        found.append(Step(many=step, core=core, wall=1000 * median(times), memory=memory(here.service)))
        say("told behind results", found[-1])
    return Curve(
        title="a table follows a result",
        many="results in the inbox",
        each="result",
        waits="pushed table",
        steps=found,
    )


async def among_tournaments(here: Here, steps: Sequence[int]) -> Curve:
    found: list[Step] = []
    for step in steps:
        to_come = await begun(here, [f"{new_id()}" for _ in range(step)])
        await paced(here, itertools.islice(to_come, step))  # each is warm then
        before = here.seconds()
        await paced(here, itertools.islice(to_come, COUNT))
        core = 1000 * (here.seconds() - before) / COUNT
        times: list[float] = []
        for source, tournament, event in itertools.islice(to_come, TIMED):
            began = time.monotonic()
            await heard(here, await here.speaking.say(source, tournament, event))
            times.append(time.monotonic() - began)
        found.append(Step(many=step, core=core, wall=1000 * median(times), memory=memory(here.service)))
        say("among tournaments", found[-1])
    return Curve(
        title="a result among tournaments",
        many="tournaments that run",
        each="result",
        waits="table in the database",
        steps=found,
    )


async def before_listeners(here: Here, steps: Sequence[int]) -> Curve:
    """A table is written once for all, so that the more listen the less each costs."""
    found: list[Step] = []
    for step in steps:
        tournaments = [f"{new_id()}" for _ in range(HALLS)]
        to_come = await begun(here, tournaments)
        await paced(here, itertools.islice(to_come, HALLS))
        live = [f"/v1/tournaments/{one}/stages/{STAGE}/standings/live" for one in tournaments]
        audience = Audience(here.service.port, live)
        async with audience.full(step):
            before, hearing = here.seconds(), await audience.told()
            await paced(here, itertools.islice(to_come, COUNT))
            await asyncio.sleep(REST)
            told = await audience.told()
            core = 1000 * (here.seconds() - before) / (told - hearing)
            times: list[float] = []
            for number, (source, tournament, event) in enumerate(itertools.islice(to_come, TIMED)):
                of_it = len(range(number % HALLS, step, HALLS))
                began = time.monotonic()
                await here.speaking.say(source, tournament, event)
                while await audience.told() < told + of_it:  # noqa: ASYNC110 - no bell rings for it
                    await asyncio.sleep(GLANCE)
                if of_it:
                    times.append(time.monotonic() - began)
                told += of_it
        found.append(Step(many=step, core=core, wall=1000 * median(times), memory=memory(here.service)))
        say("before listeners", found[-1])
    return Curve(
        title="a table is told to a listener",
        many=f"listeners of {HALLS} tables",
        each="table told",
        waits="last of its listeners has the table",
        steps=found,
    )


async def begun(here: Here, tournaments: Sequence[str]) -> Iterator[Said]:
    """Their rounds are published; the results are to come, of all of them in turn."""
    ruleset = msgspec.Raw(catalogue.load("scrabble-sk-2022-qt").model_dump_json().encode())
    to_come: list[list[Said]] = []
    for tournament in tournaments:
        field, *parts = story(tournament, ruleset, random.Random(1), size=SIZE, rounds=ROUNDS)
        rounds = [said for part in parts for said in part]
        await here.speaking.say("registration", tournament, *(event for _, _, event in field))
        published = (event for _, _, event in rounds if isinstance(event, RoundPublished))
        await here.speaking.say("pairing", tournament, *published)
        to_come.append([said for said in rounds if isinstance(said[2], ResultFinal)])
    await ready([next(asked_of({"standings": here.service.port, "pairing": 0}, one)) for one in tournaments])
    return itertools.chain.from_iterable(zip(*to_come, strict=True))


async def paced(here: Here, several: Iterator[Said]) -> None:
    """Slowly enough that each has an effect of its own."""
    began = time.monotonic()
    number = 0
    for place, (source, tournament, event) in enumerate(several):
        await asyncio.sleep(max(0.0, began + place / PACE - time.monotonic()))
        number = await here.speaking.say(source, tournament, event)
    await heard(here, number)


async def heard(here: Here, number: int) -> None:
    """Until the result of this number, and all before it, has taken effect."""
    async with connection(at(here.server, database=SERVICE)) as inbox:
        while not await inbox.fetchval(HEARD, number):  # noqa: ASYNC110 - no bell rings for it
            await asyncio.sleep(GLANCE)


def memory(service: Served) -> float:
    return psutil.Process(service.process).memory_info().rss / 2**20


def say(what: str, step: Step) -> None:
    click.echo(
        f"  {what}, {step.many}: {step.core:.2f} ms of a core, {step.wall:.1f} ms, {step.memory:.0f} MB", err=True
    )


def shown(curve: Curve) -> str:
    rows = ((f"{step.many}", f"{step.core:.2f}", f"{step.wall:.1f}", f"{step.memory:.0f}") for step in curve.steps)
    heads = (curve.many, f"ms of a core for each {curve.each}", f"ms until the {curve.waits}", "MB of the service")
    ratio = curve.steps[-1].core / curve.steps[0].core
    return f"{table(heads, rows)}\n\nThe last costs {ratio:.2f} times the first."


def strips(curve: Curve) -> Iterator[Strip]:
    yield strip(curve, "ms of a core", [step.core for step in curve.steps])
    yield strip(curve, "ms", [step.wall for step in curve.steps])


def strip(curve: Curve, unit: str, values: Sequence[float]) -> Strip:
    last = max(len(values) - 1, 1)
    return Strip(
        title=f"{curve.title}: {unit}",
        dots=[
            Dot(
                along=place / last,
                value=value,
                words=f"{step.many} {curve.many}: {value:.2f} {unit}",
                holds=curve.is_flat,
                label=f"{step.many:,}".replace(",", " "),
            )
            for place, (step, value) in enumerate(zip(curve.steps, values, strict=True))
        ],
        last=f"{values[-1]:.2f}",
    )


if __name__ == "__main__":
    main()
