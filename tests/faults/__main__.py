"""`python -m tests.faults`: faults everywhere at once while tournaments are played, and whether anything was lost."""

import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from deploy.local import nats
from tests.faults.between import Way, side
from tests.faults.campaign import campaign, ways
from tests.faults.everywhere import Everywhere
from tests.faults.striking import PLACES

OWN_DISKS = "ROUNDLOG_FAULTS_DISKS"
DISK, DISK_OF_KEYS = "512m", "8m"


@click.command()
@click.option("--seed", type=int, help="Repeats the choices of an earlier run.  [default: another each time]")
@click.option("--minutes", type=float, default=10, show_default=True, help="How long faults come.")
@click.option(
    "--launcher", type=float, default=0, show_default=True, help="Minutes more, against `roundlog up` itself."
)
@click.option(
    "--between", type=int, default=0, show_default=True, help="So many faults more, between two services alone."
)
@click.option("--lanes", type=int, default=2, show_default=True, help="How many faults strike ways at once.")
@click.option("--processes", type=int, default=1, show_default=True, help="How many strike processes at once.")
@click.option("--tournaments", type=int, default=2, show_default=True, help="How many are played at once.")
@click.option("--rounds", type=int, default=5, show_default=True, help="Of each tournament.")
@click.option("--report", type=click.Path(dir_okay=False, path_type=Path), help="A file for the summary, as JSON.")
def main(
    *,
    seed: int | None,
    minutes: float,
    launcher: float,
    between: int,
    lanes: int,
    processes: int,
    tournaments: int,
    rounds: int,
    report: Path | None,
) -> None:
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    if OWN_DISKS not in os.environ and can_have_disks():
        again = [sys.executable, "-m", "tests.faults", *sys.argv[1:], f"--seed={seed}"]
        os.execvpe("unshare", [*apart(), *again], os.environ | {OWN_DISKS: "1"})  # noqa: S606, S607 - this very command
    click.echo(f"seed {seed}")
    if minutes:
        everywhere(seed, minutes, report, lanes=lanes, processes=processes, tournaments=tournaments, rounds=rounds)
    if launcher:
        against_the_launcher(seed, launcher)
    if between:
        asyncio.run(on_the_way(random.Random(f"{seed} between"), between))


def apart() -> list[str]:
    """What is mounted is seen by this run alone, and gone with it."""
    return ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]


def can_have_disks() -> bool:
    mount = [*apart(), "mount", "-t", "tmpfs", "-o", f"size={DISK_OF_KEYS}", "roundlog", tempfile.gettempdir()]
    try:
        return subprocess.run(mount, capture_output=True, check=False).returncode == 0  # noqa: S603 - our own words
    except FileNotFoundError:
        return False


def everywhere(
    seed: int, minutes: float, report: Path | None, *, lanes: int, processes: int, tournaments: int, rounds: int
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="roundlog-faults-"))
    disks = mounted(folder) if OWN_DISKS in os.environ else []
    run = Everywhere(folder=folder, seed=str(seed), disks=disks, say=click.echo, at_once=tournaments, rounds=rounds)
    began = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"  # noqa: TID251 - when a run was made is no time of the product
    try:
        found = asyncio.run(run.run(seconds=60 * minutes, ways=lanes, processes=processes))
    except BaseException:
        kept = Path(tempfile.mkdtemp(prefix="roundlog-faults-left-"))
        shutil.copytree(folder / "logs", kept / "logs")
        shutil.copy(folder / "journal.jsonl", kept)
        click.echo(f"seed {seed}; what is left of it: {kept}", err=True)
        raise
    finally:
        for disk in disks:
            subprocess.run(["umount", disk], check=False)  # noqa: S603, S607 - our own words
        shutil.rmtree(folder, ignore_errors=True)
    found = {"began": began, "processors": os.cpu_count(), "disks": len(disks)} | found
    if report:
        report.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    click.echo(summary(found))
    if not found["holds"] or found["damage_unnoticed"]:
        raise SystemExit(1)


def mounted(folder: Path) -> list[Path]:
    """Small disks in memory, which can be filled."""
    disks = [folder / place for place in PLACES]
    for disk in disks:
        disk.mkdir()
        size = DISK_OF_KEYS if disk.name == "signing" else DISK
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "roundlog", disk]
        subprocess.run(mount, check=True)  # noqa: S603 - our own words
    return disks


def summary(found: dict[str, Any]) -> str:
    """As `docs/proof.md` has it."""
    kinds = [f"  {number:5}  {kind}" for kind, number in found["faults_by_kind"].items()]
    statuses = ", ".join(f"{number} × {status}" for status, number in found["statuses"].items())
    starts = sum(found["starts"].values())
    lines = [
        f"seed {found['seed']}, {found['began']}, {found['processors']} processors, {found['seconds']:.0f} s of faults",
        f"{found['faults']} faults:",
        *kinds,
        f"  of requests that were doubled {found['requests_doubled']} arrived twice; {found['answers_lost']} answers were lost",
        f"  processes were started {starts} times, of which {len(found['starts'])} at the beginning",
        f"answers: {statuses}",
        f"{found['acknowledged']} acts acknowledged in {found['tournaments']} tournaments",
        f"{found['results']} results, out of {found['reports']} reports",
        f"{found['records']} records in four logs, of which {found['messages_heard']} messages were heard",
        f"{found['messages_in_streams']} messages left in streams",
        *(f"  {number:5}  {verdict}" for verdict, number in found["verdicts"].items()),
        *(f"         {one}" for several in found["examples"].values() for one in several),
        "damage done on purpose afterwards: " + unnoticed(found["damage_unnoticed"]),
        "everything holds" if found["holds"] else "SOMETHING DOES NOT HOLD",
    ]
    return "\n".join(lines)


def unnoticed(kinds: list[str]) -> str:
    return f"NOT NOTICED as {', '.join(kinds)}" if kinds else "each kind was noticed"


def against_the_launcher(seed: int, minutes: float) -> None:
    began = time.monotonic()
    for number, unprivileged in enumerate(ways()):
        click.echo("as an ordinary user" if unprivileged else "as the user who runs this")
        folder = Path(tempfile.mkdtemp(prefix="roundlog-faults-"))
        try:
            with campaign(folder, seed=f"{seed} {number}", unprivileged=unprivileged, say=click.echo) as faults:
                faults.run(seconds=60 * minutes / len(ways()))
        except BaseException:
            click.echo(f"seed {seed}; what is left of it: {folder}", err=True)
            raise
        shutil.rmtree(folder)
    click.echo(f"done after {time.monotonic() - began:.0f} s")


async def on_the_way(chance: random.Random, times: int) -> None:
    click.echo("on the way between services")
    with tempfile.TemporaryDirectory(prefix="roundlog-faults-") as name:
        folder = Path(name)
        async with (
            nats.running(folder) as broker,
            side(folder / "speaking") as speaking,
            side(folder / "listening") as listening,
        ):
            way = Way(speaking=speaking, listening=listening, broker=broker, chance=chance, tell=click.echo)
            await way.run(times)
            click.echo(f"    {way.said} events, each heard once and in order")


if __name__ == "__main__":
    sys.exit(main())
