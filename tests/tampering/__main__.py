"""`python -m tests.tampering`: do to what was played whatever somebody with all rights on the databases can, and see who notices."""

import asyncio
import logging
import random
import sys
import tempfile
import time
from pathlib import Path

import click
import pytest

from deploy.local import postgres
from tests.databases import FAST, make_template
from tests.provable import played
from tests.signed_logs import hurry
from tests.tampering.campaign import Campaign
from tests.tampering.forgeries import Forgeries
from tests.tampering.grinding import Grinding
from tests.tampering.ground import ground
from tests.tampering.rulesets import SIZES


@click.command()
@click.option("--seed", type=int, help="Repeats an earlier run.  [default: another each time]")
@click.option("--times", type=int, default=1000, show_default=True, help="How often each of them is disturbed.")
@click.option("--ruleset", "rulesets", multiple=True, help="Of which tournaments.  [default: one of each family]")
def main(seed: int | None, times: int, rulesets: tuple[str, ...]) -> None:
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    click.echo(f"seed {seed}")
    logging.disable(logging.CRITICAL)  # services say what they find, as they should, and here it is counted
    with tempfile.TemporaryDirectory(prefix="roundlog-tampering-") as name, pytest.MonkeyPatch.context() as patched:
        hurry(patched)
        missed = asyncio.run(disturbed(Path(name), seed, times, rulesets or tuple(SIZES)))
    raise SystemExit(1 if missed else 0)


async def disturbed(folder: Path, seed: int, times: int, rulesets: tuple[str, ...]) -> list[str]:
    missed = list[str]()
    async with postgres.running(folder / "postgres", settings=FAST) as server:
        await make_template(server.url)
        for ruleset in rulesets:
            began, cpu = time.monotonic(), time.process_time()
            place, chance = folder / ruleset, random.Random(f"{seed} {ruleset}")
            logs = played(ruleset, SIZES[ruleset], seed=seed)
            async with ground(server.url, place, logs) as made:
                campaign, grinding = Campaign(made, chance, click.echo), Grinding(made, chance, click.echo)
                await campaign.run(times)
                await campaign.ask_services(times // 100)
                await grinding.run(times // 10)
            (place / "forged").mkdir()
            forgeries = Forgeries(logs, place / "forged", chance, click.echo)
            forgeries.run(times // 5)
            click.echo(
                f"{ruleset}, {time.monotonic() - began:.0f} s, of which at work {time.process_time() - cpu:.0f} s"
            )
            for part in (campaign, grinding, forgeries):
                counts = ", ".join(f"{count} {what}" for what, count in part.counts.items())
                click.echo(f"  {counts}; {len(part.missed)} not as it has to be")
                missed += part.missed
    return missed


if __name__ == "__main__":
    sys.exit(main())
