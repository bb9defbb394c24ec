"""A few random kills in every run of the tests; `make faults` does more of them."""

import random
from pathlib import Path

import pytest

from tests.faults.campaign import campaign, ways

TIMES = 3


@pytest.mark.faults
@pytest.mark.parametrize("unprivileged", ways())
def test_nothing_is_lost_left_or_damaged_when_processes_are_killed(tmp_path: Path, *, unprivileged: bool) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    with campaign(tmp_path, chance=random.Random(seed), unprivileged=unprivileged, say=print) as faults:
        faults.run(TIMES // len(ways()) + (not unprivileged))
