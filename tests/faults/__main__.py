"""`python -m tests.faults`: kill and pause processes at random, and see that nothing is lost."""

import asyncio
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

import click

from deploy.local import nats
from tests.faults.between import Way, side
from tests.faults.campaign import campaign, ways


@click.command()
@click.option("--seed", type=int, help="Repeats the choices of an earlier run.  [default: another each time]")
@click.option("--minutes", type=float, default=10, show_default=True, help="How long processes are killed and paused.")
@click.option("--between", type=int, default=50, show_default=True, help="How many faults between two services follow.")
def main(seed: int | None, minutes: float, between: int) -> None:
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    click.echo(f"seed {seed}")
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
    if between:
        asyncio.run(on_the_way(random.Random(f"{seed} between"), between))


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
