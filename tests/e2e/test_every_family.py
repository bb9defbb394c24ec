"""A small tournament of every family, played as people play it: the calculators repeat from its file what the services did."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deploy import SERVICES
from deploy.bundles.export import exported
from deploy.bundles.verification import verified
from deploy.demo.cast import PLAYERS
from deploy.demo.chance import DemoStory
from deploy.demo.client import Services, User
from deploy.demo.play import connected, play
from deploy.demo.preparation import Cup, CupPlan, director
from services.pairing.calculate import paired
from services.standings.calculate import ranked
from shared.clock import now
from tests.e2e.record import ids, rows
from tests.integration.launching import Platform
from tests.provable import alone

FAMILIES = (
    CupPlan(ruleset="pisqworky-2025-ss-ot", players=PLAYERS[:9]),
    CupPlan(ruleset="othello-pl-2021", players=PLAYERS[:9]),
    CupPlan(ruleset="carcassonne-cz-qualification", players=PLAYERS[:12], lot_source="dice 20"),
    CupPlan(ruleset="carcassonne-cz-final", players=PLAYERS[:8], options={"pairing.field": "any"}),
    CupPlan(ruleset="gomoku-cfp", players=PLAYERS[:6], lot_source="dice 10"),
    CupPlan(ruleset="scrabble-sk-2022-online", players=PLAYERS[:8]),
)


async def test_the_calculators_agree_with_what_was_played_and_so_does_a_rebuild(
    platform: Platform, tmp_path: Path
) -> None:
    urls = {service: platform.below(service) for service in SERVICES}
    async with connected(urls, platform.folder) as network:
        said: dict[str, list[str]] = {one.ruleset: [] for one in FAMILIES}
        today = now().date()
        cups = await asyncio.gather(
            *(
                play(network, said[one.ruleset].append, today=today, pace=0, story=DemoStory(), wanted=one)
                for one in FAMILIES
            )
        )
        assert {lines[-1] for lines in said.values()} == {"The tournament is completed."}
        shown = [await tables(network, cup) for cup in cups]
        files = [await director(network).look("pairing", f"{cup.path}/file") for cup in cups]
        assert shown == [{name: calculated(file, name) for name in of} for file, of in zip(files, shown, strict=True)]
        for plan, cup, file in zip(FAMILIES, cups, files, strict=True):
            await paired_as_it_was(director(network), cup, file)
            assert file.get("lots", {}).get("source") == plan.lot_source
        as_file = await asyncio.to_thread(platform.run, "export", cups[0].id, "--file")
        assert json.loads(as_file.stdout) == files[0], as_file.stderr
        for cup in cups:
            await asyncio.to_thread(proved, platform, cup.id, tmp_path)
        rebuilt = await asyncio.to_thread(platform.run, "rebuild")
        assert rebuilt.returncode == 0, rebuilt.stdout + rebuilt.stderr
        assert [await tables(network, cup) for cup in cups] == shown
    assert platform.run("parked").stdout.strip() == "Nothing is parked, and nothing has stopped."


def proved(platform: Platform, tournament: str, folder: Path) -> None:
    """What is exported behind the end is whole, and both verifiers say so."""
    bundle, policy = folder / "bundle.zip", folder / "policy"
    exported(platform.folder, tournament, bundle, lambda _: None)
    policy.write_text(platform.run("keys", "--policy").stdout)
    found = verified(bundle, policy, lambda _: None).report
    assert (found.exit_status, [str(one) for one in found.findings if one.verdict in ("refuted", "missing")]) == (0, [])
    assert alone().main([str(bundle), "--trust", str(policy), "--quiet"]) == 0


async def paired_as_it_was(official: User, cup: Cup, file: Mapping[str, Any]) -> None:
    """Every round from the file of the moment at which it was drafted, and by the lots of the whole one."""
    for stage in file["stages"]:
        for played in stage["rounds"]:
            round_ = await official.look("pairing", f"{cup.of(stage['id'])}/rounds/{played['number']}")
            known = await official.look("pairing", f"{cup.path}/file?stage={stage['id']}&inputs={round_['rests_on']}")
            is_small = cup.ruleset.id == "carcassonne-cz-qualification" and "override" in played
            as_decided = {"options": known.get("options", {}) | {"pairing.field": "any"}} if is_small else {}
            found = paired({**known, **as_decided, **{name: file[name] for name in ("seed", "lots") if name in file}})
            assert [(one.table, one.seats) for one in found.pairs] == [
                (one["table"], ids(one["seats"])) for one in round_["pairs"]
            ]
            assert found.byes == ids(round_["byes"])


async def tables(network: Services, cup: Cup) -> Mapping[str, Any]:
    """Of every stage that was held, and the final ranking."""
    held = [
        one.id
        for one in cup.ruleset.stages
        if (await network.anybody().look("pairing", f"{cup.of(one.id)}/rounds"))["rounds"]
    ]
    paths = {one: f"{cup.of(one)}/standings" for one in held} | {"": f"{cup.path}/final"}
    return {name: rows((await network.anybody().look("standings", path))["standings"]) for name, path in paths.items()}


def calculated(file: Mapping[str, Any], stage: str) -> Any:
    ranking = ranked(file, stage=stage or None, final_order=not stage)
    assert ranking.unresolved == []
    return rows(row.model_dump(exclude_none=True) for row in ranking.standings)
