"""A service's part of a bundle is read page by page, and has all that belongs to it wherever a page ends."""

import asyncio
import io
import zipfile
from contextlib import aclosing
from pathlib import Path

import pytest

from shared.bundle.part import BundleParts
from shared.checkpoints.folder import SigningFolder, new_key
from shared.log.store import PAGE
from tests.patience import PATIENCE
from tests.signed_logs import copy, hurry, many


@pytest.mark.parametrize("own", [PAGE - 1, PAGE, PAGE + 1])
async def test_what_the_log_says_of_itself_behind_a_tournament_is_there(
    own: int, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(monkeypatch)
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", own))
        await one.covering(own)
        folder = SigningFolder(tmp_path)
        folder.keep_keys([*folder.signing_keys(), new_key()])
        async with asyncio.timeout(PATIENCE):
            while (kept := await one.checkpoints.newest()) is None or kept.checkpoint.size <= own:
                await asyncio.sleep(0.01)
        parts = BundleParts(service="results", store=one.store, trees=one.trees, checkpoints=one.checkpoints)
        content = b"".join([piece async for piece in parts.pieces("scope", None, kept)])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        positions = archive.read("logs/results/positions").split()
    assert [int(position) for position in positions] == list(range(1, own + 2))


async def test_whoever_takes_no_more_of_it_ends_it_wherever_that_is(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a browser does that is closed while it loads."""
    hurry(monkeypatch)
    async with copy(database, tmp_path) as one:
        await one.store.append(many("a", 3))
        kept = await one.covering(3)
        parts = BundleParts(service="results", store=one.store, trees=one.trees, checkpoints=one.checkpoints)
        whole = [piece async for piece in parts.pieces("scope", None, kept)]
        for taken in range(1, len(whole) + 1):
            async with aclosing(parts.pieces("scope", None, kept)) as pieces:
                assert [await anext(pieces) for _ in range(taken)] == whole[:taken]
