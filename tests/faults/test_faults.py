"""Some kills and pauses in every run of the tests; `make faults` does more of them."""

import random
from pathlib import Path

import pytest

from tests.faults.campaign import Strike, campaign, ways

SECONDS = 15.0
STRIKES: tuple[Strike, ...] = ("kill", "pause", "kill", "pause", "sleep")  # those that take no whole start


@pytest.mark.faults
def test_nothing_is_lost_left_or_damaged_when_processes_are_killed_and_paused(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    with campaign(tmp_path, seed=f"{seed}", unprivileged=ways()[-1], say=print) as faults:
        faults.run(seconds=SECONDS, strikes=STRIKES)
