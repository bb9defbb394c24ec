"""A small tournament of every family, played as people play it: in the end the calculators say the same of its facts."""

import asyncio
from collections.abc import Mapping
from typing import Any

from deploy import SERVICES
from deploy.demo.cast import PLAYERS
from deploy.demo.client import Services
from deploy.demo.play import connected, play
from deploy.demo.preparation import Cup, CupPlan, director
from deploy.demo.story import DemoStory
from services.standings.calculate import ranked
from shared.clock import now
from tests.e2e import repaired
from tests.e2e.record import ids, rows
from tests.e2e.written_down import written_down
from tests.integration.launching import Platform

FAMILIES = (
    CupPlan(ruleset="pisqworky-2025-ss-ot", players=PLAYERS[:9]),
    CupPlan(ruleset="othello-pl-2021", players=PLAYERS[:10]),
    CupPlan(ruleset="carcassonne-cz-qualification", players=PLAYERS[:16]),
    CupPlan(ruleset="carcassonne-cz-final", players=PLAYERS[:8], options={"pairing.field": "any"}),
    CupPlan(ruleset="gomoku-cfp", players=PLAYERS[:8]),
    CupPlan(ruleset="scrabble-sk-2022-online", players=PLAYERS[:10]),
)


async def test_the_calculators_agree_with_what_was_played_and_so_does_a_rebuild(platform: Platform) -> None:
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
        files = [
            await written_down(platform, director(network), cup, one) for cup, one in zip(cups, FAMILIES, strict=True)
        ]
        assert shown == [{name: calculated(file, name) for name in of} for file, of in zip(files, shown, strict=True)]
        rebuilt = await asyncio.to_thread(platform.run, "rebuild")
        assert rebuilt.returncode == 0, rebuilt.stdout + rebuilt.stderr
        assert [await tables(network, cup) for cup in cups] == shown
    assert platform.run("parked").stdout.strip() == "Nothing is parked, and nothing has stopped."


async def test_a_table_of_a_published_round_is_seated_anew_when_somebody_has_left(platform: Platform) -> None:
    urls = {service: platform.below(service) for service in SERVICES}
    async with connected(urls, platform.folder) as network:
        done = await repaired.play(network, now().date())
    assert (done.lost["result"]["end"], done.lost["result"]["scores"]) == ("no_show", [100, 0])
    assert (done.seated["status"], ids(done.seated["seats"])) == ("pending", [done.stays, done.waits])
    assert [done.points[one] for one in (done.stays, done.goes, done.waits)] == [1, 0, 0]


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
