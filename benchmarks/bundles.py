"""What proves a tournament: exported from four services, as `roundlog export` does it, and checked by both verifiers.

The limits are those that were asked for: seconds of a core, of the services and of whoever asks and checks together, and megabytes
that a verifier needs.
"""

import asyncio
import io
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from itertools import cycle, islice
from pathlib import Path

import psutil

from benchmarks.table import Figure, print_figure, print_heading
from deploy.bundles.export import fetched, join, readable
from deploy.local import postgres
from services.registration.domain.tournament.facts import TournamentCompleted
from services.registration.publish import of_tournament
from services.results.domain.sheet.facts import ResultCorrected
from services.results.publish import of_game
from shared.bundle.container import BundleWriter
from shared.bundle.part import PROGRAM
from shared.numbers import stored
from shared.values import Value
from tests.api.asking import issuer
from tests.api.signing import OPERATOR
from tests.courses import Course, before_the_start
from tests.databases import FAST, make_template
from tests.integration.serving import Served, serving
from tests.provable import ARBITER, SERVICES, Logs, Play, opaque, register
from tests.tampering.ground import DEPLOYMENT, Ground, ground

RULESET, STAGE = "scrabble-sk-2022-qt", "swiss"
PLAYERS, ROUNDS = 200, 9
MANY = 100_000  # events of one tournament
SECONDS, SECONDS_OF_MANY = 10.0, 60.0
MEGABYTES = 300
RUNS = 3
WORDS = opaque("words")
ALONE = Path(__file__).parents[1] / "clients" / "verify" / "verify_roundlog.py"


# What a process says itself: the usage that its parent is told has the parent's own memory in it.
MEASURED = """
import atexit, runpy, sys
def say():
    with open("/proc/self/status") as status:
        print(next(line.split()[1] for line in status if line.startswith("VmHWM")), file=sys.stderr)
atexit.register(say)
del sys.argv[0]
of = runpy.run_path if sys.argv[0].endswith(".py") else runpy.run_module
of(sys.argv[0], run_name="__main__")
"""


class Checked(Value):
    """What it took, in seconds of a core, and in megabytes."""

    exported: float
    verified: float
    alone: float  # by the one file
    memory: float
    memory_alone: float


async def measure(folder: Path) -> list[Figure]:
    print_heading(f"bundles exported and checked; {PLAYERS} players in {ROUNDS} rounds, and {MANY} events")
    figures: list[Figure] = []
    async with postgres.running(folder / "bundles", settings=FAST) as server:
        await make_template(server.url)
        for events, seconds in ((0, SECONDS), (MANY, SECONDS_OF_MANY)):
            logs = held(events)
            place = folder / f"bundles-{events}"
            async with ground(server.url, place, logs) as made:
                runs = await checked(made, place, 1 if events else RUNS)
            figures += shown(f"{events} events" if events else f"{PLAYERS} players", runs, seconds)
    return figures


def shown(what: str, runs: Sequence[Checked], seconds: float) -> list[Figure]:
    last = runs[-1]
    in_words = f"{last.exported:.1f} s exported, {last.verified:.1f} s verified, of {seconds:.0f} s"
    memory = f"{last.memory:.0f} and {last.memory_alone:.0f} MB, of {MEGABYTES}"
    figures = [
        Figure(
            name=f"{what}: {in_words}",
            key=f"bundles: {what}, exported and verified",
            ours=[1 / (run.exported + run.verified) for run in runs],
            limit=[1 / seconds] * len(runs),
            at_least=1,
        ),
        Figure(
            name=f"{what}: {last.alone:.1f} s by the one file",
            key=f"bundles: {what}, by the one file",
            ours=[1 / run.alone for run in runs],
            limit=[1 / seconds] * len(runs),
            at_least=1,
        ),
        Figure(
            name=f"{what}: {memory}",
            key=f"bundles: {what}, memory",
            ours=[1 / max(run.memory, run.memory_alone) for run in runs],
            limit=[1 / MEGABYTES] * len(runs),
            at_least=1,
        ),
    ]
    for figure in figures:
        print_figure(figure)
    return figures


def held(events: int) -> Logs:
    """Played by chance; then the same results were corrected to and fro, until so many events are there."""
    begin = before_the_start(RULESET, PLAYERS, options={"pairing.rounds": ROUNDS})
    logs = Logs(tournament=opaque(f"bundles of {events}"))
    register(logs, begin, None)
    Play(logs, Course(known=logs.facts, chance=random.Random(1), is_disturbed=False)).whole()
    missing = max(0, events - sum(len(log.events) for log in logs.logs.values()))
    correct(logs, missing // 2 * 2)
    done = TournamentCompleted(tournament=logs.tournament)
    logs.write("registration", "tournament", logs.tournament, done, of_tournament(done))
    for service in SERVICES:
        logs.seal(service)
    return logs


def correct(logs: Logs, times: int) -> None:
    known = logs.facts
    games = [game for place, round_ in known.rounds.items() if place == (STAGE, ROUNDS) for game in round_.games]
    for number, game in enumerate(islice(cycle(games), times)):
        was, turned = known.results[game.id], number // len(games) % 2 == 0
        corrected = ResultCorrected(
            game=game.id,
            tournament=logs.tournament,
            stage=STAGE,
            round=ROUNDS,
            seats=game.seats,
            scores=tuple(map(stored, was.scores[::-1] if turned else was.scores)),
            points=tuple(map(stored, was.points[::-1] if turned else was.points)),
            reason=WORDS,
            first=was.first,
        )
        logs.write("results", "game", game.id, corrected, of_game(corrected), actor=ARBITER)


async def checked(made: Ground, folder: Path, runs: int) -> list[Checked]:
    found: list[Checked] = []
    (folder / "policy").write_bytes(made.policy.rpartition(b"quorum")[0] + b"quorum none\n")
    async with AsyncExitStack() as stack:
        services = {
            name: await stack.enter_async_context(
                serving(
                    one.url,
                    service=name,
                    log=folder / f"{name}.log",
                    signing=str(one.signing),
                    deployment=DEPLOYMENT,
                )
            )
            for name, one in made.services.items()
        }
        for _ in range(runs):
            before = spent(services)
            await asyncio.to_thread(exported, services, made.logs.tournament, folder)
            exporting = spent(services) - before
            verifying, memory = await asyncio.to_thread(
                run, "deploy.cli", "verify", folder / "bundle.zip", "--trust", folder / "policy", "--quiet"
            )
            alone, memory_alone = await asyncio.to_thread(
                run, ALONE, folder / "bundle.zip", "--trust", folder / "policy", "--quiet"
            )
            found.append(
                Checked(
                    exported=exporting,
                    verified=verifying,
                    alone=alone,
                    memory=memory,
                    memory_alone=memory_alone,
                )
            )
    return found


def spent(services: Mapping[str, Served]) -> float:
    """Seconds of a core, of the services and of this process."""
    pids = [os.getpid(), *(one.process.pid for one in services.values())]
    return sum(sum(psutil.Process(pid).cpu_times()[:2]) for pid in pids)


def exported(services: Mapping[str, Served], tournament: str, folder: Path) -> None:
    token = issuer().token(OPERATOR)
    with zipfile.ZipFile(folder / "bundle.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        writer = BundleWriter(archive, tournament=tournament, program=PROGRAM)
        for name, service in services.items():
            place = folder / f"{name}.zip"
            if not fetched(f"{service.url}/v1/tournaments/{tournament}/bundle", token, place, name, lambda _: None):
                raise RuntimeError(f"{name} knows nothing of the tournament")
            with readable(place, name) as part:
                join(writer, part, lambda _: None)
        writer.finish()


def run(*words: str | Path) -> tuple[float, float]:
    """Seconds of a core and megabytes of a Python of its own."""
    begun = [sys.executable, "-c", MEASURED, *map(str, words)]
    with subprocess.Popen(begun, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own words
        said = (process.stderr or io.StringIO()).read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{words} ends with {process.returncode}: {said}")
    return usage.ru_utime + usage.ru_stime, int(said.split()[-1]) / 1024
