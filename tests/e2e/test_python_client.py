"""Generated from the OpenAPI documents, the Python client has every operation, and reports a round of a tournament."""

import functools
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from deploy import SERVICES
from deploy.demo.cast import SCORERS
from deploy.demo.client import Services
from deploy.demo.play import publish_next
from deploy.demo.preparation import director, found
from deploy.tokens import signed
from shared.clock import now
from tests.integration.launching import Platform
from tests.once import made_once
from tests.patience import PATIENCE

REPOSITORY = Path(__file__).parents[2]
PYTHON = REPOSITORY / "clients" / "python"
IMPORT_ALL = """
import importlib, json, pkgutil, sys
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    found = [part.name for part in pkgutil.walk_packages(package.__path__, f"{name}.")]
    operations = [part for part in map(importlib.import_module, found) if hasattr(part, "sync_detailed")]
    print(json.dumps(sorted(part.__name__.rpartition(".")[2] for part in operations)))
"""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `make client-python` makes it, in a place of its own. A warning would make it fail."""
    return made_once(tmp_path_factory, "python", generate)


def generate(place: Path) -> None:
    run([PYTHON / "generate.py", place], place)


def test_it_has_every_operation(generated: Path) -> None:
    told = run(["-c", IMPORT_ALL, *(f"roundlog_{service}" for service in SERVICES)], generated)
    for service, printed in zip(SERVICES, told.splitlines(), strict=True):
        document = json.loads((REPOSITORY / "docs" / "openapi" / f"{service}.json").read_text())
        wanted = {one["operationId"].lower() for methods in document["paths"].values() for one in methods.values()}
        assert {name.replace("_", "") for name in json.loads(printed)} == wanted


async def test_it_reports_a_round(generated: Path, platform: Platform) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        token = functools.partial(signed, platform.folder.path / "keys", hours=1)
        urls = {service: platform.url(service) for service in SERVICES}
        network = Services(client=client, urls=urls, token=token)
        cup = await found(network, now().date())
        published = await publish_next(director(network), cup.stage, 1, after=cup.started)
        order = {
            "url": urls["results"],
            "scorers": [token(scorer) for scorer in SCORERS[:2]],
            "tournament": cup.id,
            "stage": cup.ruleset.stages[0].id,
            "round": 1,
            "after": published.position,
        }
        reported = json.loads(run([PYTHON / "report_round.py"], generated, json.dumps(order)))
        games: list[Any] = (await network.anybody().look("results", f"{cup.stage}/rounds/1/games"))["items"]
        assert (
            reported
            == [game["result"]["scores"] for game in games]
            == [[440 - n, 340 + n] for n in range(1, len(games) + 1)]
        )


def run(words: Sequence[Path | str], generated: Path, sent: str = "") -> str:
    """What a script prints that finds the generated packages; tokens reach it by standard input."""
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, *words],
        env=os.environ | {"PYTHONPATH": str(generated)},
        input=sent,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
