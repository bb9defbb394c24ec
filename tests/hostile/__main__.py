"""`python -m tests.hostile`: whatever a caller can send, nothing of it is a fault, and nothing of it reaches what is not theirs."""

import asyncio
import platform as machine
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

import click
import httpx
from prometheus_client.parser import text_string_to_metric_families

from deploy import SERVICES
from deploy.local.folder import Folder
from shared.clock import now
from tests.hostile import documents, files, foreign
from tests.hostile.world import two_federations, worlds
from tests.integration.launching import Platform, free_base

# One of each rule book.
RULESETS = (
    "scrabble-sk-2022-qt",
    "gomoku-cfp",
    "pisqworky-2025-ss-ot",
    "othello-pl-2021",
    "carcassonne-cz-qualification",
)
ASKED = "asked"  # whose ids the documents are asked with

type Say = Callable[[str], None]
type Note = Callable[[Sequence[str]], None]


@click.command()
@click.option("--cases", type=click.IntRange(min=0), default=100_000, show_default=True, help="Of the documents.")
@click.option("--mutated", "times", type=click.IntRange(min=0), default=10_000, show_default=True, help="Of each kind.")
@click.option("--foreign", "most", type=click.IntRange(min=0), help="Requests with foreign ids.  [default: all]")
@click.option("--minutes", type=float, default=180, show_default=True, help="After which no more documents are asked.")
@click.option("--seed", type=int, default=1, show_default=True)
def main(cases: int, times: int, most: int | None, minutes: float, seed: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="roundlog-hostile-"))
    unlimited = {"ROUNDLOG_RATE": "0"}  # or most would be turned away before anything reads it
    platform = Platform(folder=Folder(path=folder / "data"), base_port=free_base(), environment=unlimited)
    try:
        started = platform.up("--detach")
        if started.returncode:
            raise click.ClickException(started.stdout + started.stderr)
        faults = asyncio.run(campaign(platform, cases, times, most, 60 * minutes, seed, click.echo))
    finally:
        platform.clear()
    shutil.rmtree(folder)
    sys.exit(bool(faults))


async def campaign(
    platform: Platform, cases: int, times: int, most: int | None, seconds: float, seed: int, say: Say
) -> list[str]:
    began = time.monotonic()
    say(f"{now():%Y-%m-%d %H:%M} UTC, {machine.processor() or machine.machine()}, seed {seed}")
    processes = {name: platform.pid(name) for name in SERVICES}
    faults: list[str] = []

    def note(several: Sequence[str]) -> None:
        for fault in several:
            say(f"  {fault}")
        faults.extend(several)

    async with worlds(platform, RULESETS[0], ASKED) as (_, (side,)):
        places = side.places
    ended = Event()  # whatever is the reason, nothing more is asked then
    asked = asyncio.create_task(
        asyncio.to_thread(
            documents.campaign, platform, cases, documents.batches(seed), places, say, seconds=seconds, ended=ended
        )
    )
    try:
        await beside(platform, times, most, seed, say, note)
    except BaseException:
        ended.set()
        raise
    answered = await asked
    faults += [f"{one.batch.words}: FAILED" for one in answered if one.failures]  # which was said when it happened
    say(f"documents: {sum(one.cases for one in answered)} cases")
    counted = {service: statuses(platform, service) for service in SERVICES}
    for service, found in counted.items():
        say(f"{service} has answered {sum(found.values())} requests: {shown(found)}")
        note([f"{service}: {number} × {status}" for status, number in found.items() if foreign.is_fault(int(status))])
    note([f"{name} has died" for name, pid in processes.items() if platform.pid(name) != pid])
    say(f"{len(faults)} faults in {time.monotonic() - began:.0f} s")
    return faults


async def beside(platform: Platform, times: int, most: int | None, seed: int, say: Say, note: Note) -> None:
    """While the documents are asked."""
    for number, ruleset in enumerate(RULESETS):
        chance = random.Random(f"{seed} {ruleset}")
        async with two_federations(platform, ruleset) as (network, own, other):
            tried = await foreign.try_everything(network, own, other, chance, most and most // len(RULESETS))
            counted = f"{shown(tried.statuses)}; {shown(tried.by_place)}; {shown(tried.by_role)}"
            say(f"foreign ids, {ruleset}: {tried.statuses.total()} ({counted}), {len(tried.faults)} faults")
            note(tried.faults)
            if number == 0:
                for part in (files.bodies, files.tokens):
                    found = await part(network, own, chance, times)
                    say(str(found))
                    note(found.faults)
    chance = random.Random(f"{seed} files")
    for several, number in ((files.calculators, times), (files.bundles, times // 10)):
        found = await asyncio.to_thread(several, chance, number)
        say(str(found))
        note(found.faults)


def shown[Kind: (int, str)](several: Counter[Kind]) -> str:
    return ", ".join(f"{number} × {kind}" for kind, number in sorted(several.items()))


def statuses(platform: Platform, service: str) -> Counter[str]:
    """As it counts them itself; what looks after it is left out."""
    found = Counter[str]()
    for family in text_string_to_metric_families(httpx.get(f"{platform.url(service)}/metrics").text):
        for sample in family.samples:
            if sample.name == "roundlog_requests_total" and sample.labels["operation"] not in LOOKED_AFTER:
                found[sample.labels["status"]] += int(sample.value)
    return found


LOOKED_AFTER = {"getHealth", "getReadiness", "getMetrics"}

if __name__ == "__main__":
    main()
