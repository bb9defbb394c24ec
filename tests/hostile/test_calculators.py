"""A few hostile files, so that the campaign itself keeps working; `python -m tests.hostile.calculators` sends a thousand."""

import random

import pytest

from tests.hostile.calculators import attack, known, require_harmless
from tests.integration.serving import serving

DRAWN = 6  # files, beside those that have stalled a service before
WHILE_OTHERS_WORK = 60.0  # seconds: alone on a machine it is ten


@pytest.mark.faults
@pytest.mark.timeout(600)
@pytest.mark.parametrize("service", ["pairing", "standings"])
async def test_hostile_files_are_answered_and_hold_up_nobody(database: str, service: str) -> None:
    async with serving(database, service=service) as served:
        seen = await attack(served, service, DRAWN, random.Random(1), idle=0.1, pause=0.2)
    require_harmless(seen, WHILE_OTHERS_WORK)
    assert sum(seen.statuses.values()) >= DRAWN + len(known())
    assert max(seen.beside) < WHILE_OTHERS_WORK / 6
