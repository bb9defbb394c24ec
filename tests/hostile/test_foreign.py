"""A part of `make hostile`: no id of another federation lets somebody read or change what is not theirs."""

import asyncio
import random

import pytest

from tests.e2e.conftest import started
from tests.hostile import files
from tests.hostile.foreign import try_everything
from tests.hostile.world import two_federations
from tests.integration.launching import Platform

IN_GROUPS = "pisqworky-2025-ss-ot"  # of teams, whose groups are drawn first


@pytest.mark.timeout(900)
def test_no_foreign_id_reads_or_changes_what_is_not_ours(tmp_path_factory: pytest.TempPathFactory) -> None:
    with started(tmp_path_factory) as platform:
        asyncio.run(find_nothing(platform))


async def find_nothing(platform: Platform) -> None:
    chance = random.Random(1)
    async with two_federations(platform, "scrabble-sk-2022-qt") as (network, own, other):
        tried = await try_everything(network, own, other, chance, 250)
        bodies = await files.bodies(network, own, chance, 150)
        tokens = await files.tokens(network, own, chance, 50)
    assert tried.faults + bodies.faults + tokens.faults == []
    assert sum(tried.statuses.values()) == 250
    assert {"path", "query", "body"} <= tried.by_place.keys()
    assert set(own.tokens) == tried.by_role.keys()
    assert bodies.answers.total() == 150
    assert tokens.answers.total() == 50
    async with two_federations(platform, IN_GROUPS) as (network, own, other):
        tried = await try_everything(network, own, other, chance, 25)
    assert tried.faults == []
    assert sum(tried.statuses.values()) == 25


def test_mutated_files_are_answered_or_refused() -> None:
    found = files.calculators(random.Random(1), 150), files.bundles(random.Random(1), 6)
    assert [one.faults for one in found] == [[], []]
    assert all("refused" in one.answers for one in found)
