"""A few faults on the way between services in every run of the tests; `make faults` draws more of them."""

import random
from pathlib import Path

import pytest

from deploy.local import nats
from tests.conftest import fresh_database
from tests.faults.between import Way

FAULTS = 8


@pytest.mark.faults
async def test_whatever_happens_on_the_way_the_same_is_heard(tmp_path: Path, server: str) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    async with nats.running(tmp_path) as broker:
        way = Way(
            speaking=await fresh_database(server),
            listening=await fresh_database(server),
            broker=broker,
            chance=random.Random(seed),
            tell=print,
        )
        await way.run(FAULTS)
