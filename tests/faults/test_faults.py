"""Some kills and pauses in every run of the tests; `make faults-here` does more of them."""

import random
from pathlib import Path

import pytest

from tests.faults.campaign import Strike, campaign, ways
from tests.prepared import copy_prepared

STRIKES: tuple[Strike, ...] = ("kill", "pause", "kill", "pause", "sleep")  # those that take no whole start, each once


@pytest.mark.faults
def test_nothing_is_lost_left_or_damaged_when_processes_are_killed_and_paused(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    with campaign(tmp_path, seed=f"{seed}", unprivileged=ways()[-1], say=print, at_once=1) as faults:
        copy_prepared(tmp_path_factory, faults.platform.folder)
        faults.run(seconds=0, strikes=STRIKES)
