"""A few faults on the way between services in every run of the tests; `make faults-here` draws more of them."""

import random
from pathlib import Path

import pytest

from deploy.local import nats
from tests.databases import FAST
from tests.faults.between import Way, side

FAULTS = 12  # each kind once


@pytest.mark.faults
async def test_whatever_happens_on_the_way_the_same_is_heard(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    async with (
        nats.running(tmp_path) as broker,
        side(tmp_path / "speaking", FAST) as speaking,
        side(tmp_path / "listening", FAST) as listening,
    ):
        way = Way(speaking=speaking, listening=listening, broker=broker, chance=random.Random(seed), tell=print)
        await way.run(FAULTS)
