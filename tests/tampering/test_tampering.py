"""Some disturbances in every run of the tests, so that the campaign itself keeps working; `make tampering` does thousands."""

import asyncio
import random
from pathlib import Path

import pytest

from deploy.signing import own_keys
from shared.bundle.report import HOLDS
from shared.checkpoints.folder import SigningFolder
from tests.patience import PATIENCE
from tests.provable import played
from tests.signed_logs import copy, hurry
from tests.tampering.attacks import renamed
from tests.tampering.campaign import Campaign
from tests.tampering.forgeries import Forgeries
from tests.tampering.grinding import Grinding
from tests.tampering.ground import Ground, ground
from tests.tampering.judging import Verdicts, verified_export
from tests.tampering.rulesets import SIZES

RULESET = "gomoku-cfp"  # the quickest to compute again
DISTURBANCES, GROUND, FORGED = 24, 3, 6


async def test_whoever_has_all_rights_on_the_databases_is_found_out(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(monkeypatch)
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    chance, logs = random.Random(seed), played(RULESET, SIZES[RULESET], seed=seed)
    async with ground(server, tmp_path / "ground", logs) as made:
        campaign = Campaign(made, chance, print)
        await campaign.run(DISTURBANCES)
        await campaign.ask_services(1)
        grinding = Grinding(made, chance, print)
        await grinding.run(GROUND)
        await restored(made)
    (tmp_path / "forged").mkdir()
    forgeries = Forgeries(logs, tmp_path / "forged", chance, print)
    forgeries.run(FORGED)
    another = forgeries.of_another_story(played(RULESET, SIZES[RULESET], seed=seed, course=seed + 1))
    assert (another.ours, another.theirs) == (HOLDS, HOLDS)  # which is why there are witnesses
    assert [*campaign.missed, *grinding.missed, *forgeries.missed] == []


async def restored(made: Ground) -> None:
    """A log that was brought back goes on under another name, words and personal facts are erased: all that is there still holds."""
    one = made.services["results"]
    await one.admin.execute("delete from personal.openings; delete from beside.notes")
    await renamed(made, "results")
    SigningFolder(one.signing).say_restored("The disk was lost.")
    async with copy(one.url, one.signing, "results") as running, asyncio.timeout(PATIENCE):
        while (newest := await running.checkpoints.newest()) is None or one.origin == newest.checkpoint.origin:
            await running.keeper.check()
            await asyncio.sleep(0.01)
    keys = [key for other in made.services.values() for key in own_keys(SigningFolder(other.signing))]
    policy = "".join([*(f"log {key}\n" for key in keys), "quorum none\n"]).encode()
    verdicts = await verified_export(made, policy)
    assert isinstance(verdicts, Verdicts)
    assert (verdicts.ours, verdicts.theirs) == (HOLDS, HOLDS), (verdicts.refuted, verdicts.text)
