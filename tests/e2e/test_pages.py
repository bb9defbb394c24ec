"""The pages as somebody in the hall has them: in a real browser, on a phone and on the screen of the hall."""

import asyncio
import base64
import hashlib
import json
import os
import subprocess
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx

from deploy import SERVICES
from deploy.demo.cast import PLAYERS
from deploy.demo.chance import DemoStory
from deploy.demo.client import Services
from deploy.demo.play import Demo, connected, play, publish_next
from deploy.demo.preparation import Cup, CupPlan, director, found
from shared.clock import now
from shared.values import Value
from tests.e2e.browser import NODE, WEB, told
from tests.e2e.test_desk import hall, phones
from tests.integration.launching import Platform, kill
from tests.listening import listening
from tests.patience import PATIENCE

WANTED = (
    Path(os.environ["ROUNDLOG_PICTURES"]) if "ROUNDLOG_PICTURES" in os.environ else None
)  # where to photograph into
LIGHTEST = 100_000  # bytes that the first view may fetch, compressed, answers of the services included
NOT_FOUND = (
    "Failed to load resource: the server responded with a status of 404 (Not Found)"  # pairing has not heard of it
)
MISTYPED = {
    "en": ("/tournament/1", "There is nothing at this address."),
    "cs": ("/turnaje", "Na této adrese nic není."),
    "sk": ("/tournaments/00000000-0000-7000-8000-000000000000", "Na tejto adrese nič nie je."),
    "pl": ("/desks?x=1", "Pod tym adresem nic nie ma."),
}  # by language
STEADY = 0.1  # what browsers call good: how far things move while a page is drawn

known: dict[Path, Cup] = {}  # by the folder of its platform

type Visit = dict[str, Any]
type Seen = dict[str, Any]


async def test_each_page_is_complete_steady_and_open_to_everybody(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup, school, coming = await asyncio.gather(
            begun(platform, network),
            played(network, CupPlan(ruleset="pisqworky-2025-ss-ot", players=PLAYERS[:9])),
            announced(network),
        )
        leader = await first_of(network, cup)
        game = await recorded(network, school)
    seen = await visited(platform, [*pages(cup, school, coming, leader["entrant"]), *later_pages(cup, school, game)])
    wrong = {name: (*one["faults"], *one["said"], *one["strangers"]) for name, one in seen.items()}
    assert {name: set(what) for name, what in wrong.items() if what} == {
        key: {NOT_FOUND} for key in ("coming", "no-round", *MISTYPED)
    }
    assert {name: one["moved"] for name, one in seen.items() if one["moved"] >= STEADY} == {}
    assert {name: one["bytes"] for name, one in seen.items() if one["bytes"] >= LIGHTEST} == {}
    assert [name for name, one in seen.items() if one["sideways"] > 0] == []
    assert {name: one["unforced"] for name, one in seen.items() if one["unforced"]} == {}
    assert {name: one["enlarged"] for name, one in seen.items() if one["enlarged"] > 0} == {}
    assert leader["name"] in seen["table"]["text"]
    assert "Nobody is above." in seen["entrant"]["text"]
    assert "Pierwsza runda" in seen["coming"]["text"]
    assert "Stôl" in seen["round"]["text"]
    assert "Kde hrám?" in seen["hall"]["text"]
    assert [said in seen["hall-over"]["text"] for said in ("Konečné poradie", "Kde hrám?", "1.")] == [True, False, True]
    assert all(said in seen["over"]["text"] for said in ("vítězství v turnaji", "Najděte se", "Play-off: 2. kolo"))
    assert "Zápas" not in seen["ranking"]["text"], "a place in a drawing says nothing in a column"
    assert "plays" not in seen["ended-entrant"]["text"]
    assert [said in seen["no-round"]["text"] for said in ("There is no such round.", "Round 9 of")] == [True, False]
    assert all(name in seen["bracket"]["text"] for name in ("Semifinal 1", "Semifinal 2", "Final"))
    assert "Move 3 of 5: nought 8–8" in seen["game"]["text"]
    assert any(said in seen["game"]["text"] for said in ("agrees with the result", "differs from the result"))
    assert "Miejsce" in seen["progression"]["text"]
    assert seen["slips"]["text"].count("Podpis") == len(PLAYERS[:24]) // 2
    assert leader["name"] in seen["badges"]["text"]
    assert {name: seen[name]["sheets"] for name in ("slips", "badges", "round", "table")} == SHEETS
    here = f"{platform.url('proxy')}{at(cup)}"  # on paper and on the screen of the hall, for whoever stands before it
    assert all(one.endswith(here) for one in seen["hall"]["codes"])
    assert [len(seen[name]["codes"]) for name in ("hall", "hall-phone", "overlay", "table")] == [1, 0, 0, 0]
    assert all(seen[name]["paper"].endswith(here) for name in ("round", "table"))
    assert all(platform.url("proxy").partition("//")[2] in seen[name]["paper"] for name in ("round", "table"))
    assert platform.url("proxy").partition("//")[2] in seen["hall"]["text"]
    assert seen["hall"]["text"].count("Stôl") == len(PLAYERS[:24]) + 3, "to whoever hears it, and above each column"
    assert "Table 2" in " ".join(seen["overlay"]["text"].split())
    assert all(said in seen[name]["text"] and "Demo Cup" in seen[name]["text"] for name, (_, said) in MISTYPED.items())


async def test_nobody_is_said_to_be_away_who_has_nothing_to_play_any_more(platform: Platform) -> None:
    """The final has two games at least, the match for the third place one."""
    async with network_of(platform) as network:
        cup = await played(network, CupPlan(ruleset="othello-pl-2021", players=PLAYERS[:8]))
    seen = await visited(platform, [visit("knockout", f"{at(cup)}/stages/final/crosstable")])
    assert [said in seen["knockout"]["text"] for said in ("In each cell", "not there")] == [True, False]


async def test_a_slow_phone_in_a_hall_has_the_first_view_in_a_second(platform: Platform) -> None:
    """A busy machine makes every clock slower. So the second is added up: what comes over the network, and what the phone
    does with it, in seconds of a core, but for what it does while its files are on their way. The HTML asks by itself what its page will
    ask first."""
    async with network_of(platform) as network:
        cup = await begun(platform, network)
        leader = (await first_of(network, cup))["entrant"]
    wanted = {"home": "/", "now": at(cup), "table": f"{at(cup)}/table", "entrant": f"{at(cup)}/entrants/{leader}"}
    nothing = [
        (await looked_at(platform, "/?plain"))["worked"] for _ in range(TRIES)
    ]  # what any page costs the browser
    for name, path in wanted.items():
        tries: list[FirstView] = []
        while not tries or (least(tries).takes(min(nothing)) >= 1 and len(tries) < TRIES):
            slow, here = await looked_at(platform, path, slow=True), await looked_at(platform, path)
            waiting = await looked_at(platform, path, bare=True)
            assert [one for one in slow["twice"] if "/v1/tournaments/" in one] == [], "the HTML has asked for it"
            tries.append(
                FirstView(
                    trips=slow["trips"], size=slow["size"], worked=here["worked"], while_waiting=waiting["worked"]
                )
            )
        assert least(tries).takes(min(nothing)) < 1, f"{name}: {tries}"


async def test_nothing_is_asked_twice_whether_the_page_or_its_html_comes_to_it_first(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup = await begun(platform, network)
        leader = (await first_of(network, cup))["entrant"]
    for order in (0, 3, 4):  # in which stages come late, which both wait for
        seen = await looked_at(platform, f"{at(cup)}/entrants/{leader}", late=order)
        assert [one for one in seen["twice"] if "/v1/tournaments/" in one] == []


async def looked_at(platform: Platform, path: str, **how: Any) -> Seen:
    return (await visited(platform, [visit("measured", path, measured=True, **how)]))["measured"]


class FirstView(Value):
    trips: int
    size: int
    worked: float
    while_waiting: float

    def takes(self, nothing: float) -> float:
        """To connect, and for the HTML; behind it its files, beside them what it asks, and what it does meanwhile; and the rest of the
        work, which is to that of a plain page what it would be on any other device."""
        behind = max((self.trips - 1) * AWAY, AWAY + self.size / A_SECOND, self.while_waiting / nothing * PLAIN)
        return 2 * AWAY + behind + (self.worked - self.while_waiting) / nothing * PLAIN


def least(tries: Sequence[FirstView]) -> FirstView:
    """The quickest says what the page needs, and not what else the machine did."""
    return FirstView(
        trips=min(one.trips for one in tries),
        size=min(one.size for one in tries),
        worked=min(one.worked for one in tries),
        while_waiting=min(one.while_waiting for one in tries),
    )


AWAY, A_SECOND = 0.15, 200_000  # seconds to the services and back, bytes a second
PLAIN = 0.06  # seconds that a slow phone works for a plain page: four times what a core of a server does
TRIES = 5  # at most: who is quick enough once, is


async def test_whoever_is_equal_is_told_apart_by_nothing_that_is_not_so(platform: Platform) -> None:
    """Six play a round robin, of which one game has ended, in a draw: two share the first places, four the others."""
    async with network_of(platform) as network:
        cup = await found(network, now().date(), CupPlan(players=PLAYERS[:6]))
        published = await publish_next(director(network), cup.stage, 1, after=cup.started)
        first, other, *_ = published.body["pairs"]
        drawn = {"scores": [400, 400], "signed_by": [0, 1]}
        ended = await director(network).act(
            "results", f"/v1/games/{first['game']}/reports", drawn, after=published.position
        )
        await network.anybody().look("standings", f"{cup.stage}/standings", after=ended.position)
        seats = [[(seat["entrant"], seat["name"]) for seat in pair["seats"]] for pair in (first, other)]
    (drew, _), (waits, _) = seats
    seen = await visited(
        platform,
        [
            visit("crosstable", f"{at(cup)}/crosstable", measured=True),
            visit("drew", f"{at(cup)}/entrants/{drew[0]}", measured=True),
            visit("waits", f"{at(cup)}/entrants/{waits[0]}", measured=True, language="cs"),
        ],
    )
    async with phones(platform, "child") as (child,):
        await child.open(f"{platform.url('proxy')}{at(cup)}")
        await child.do("fill", label="Where do I play?", **{"with": drew[1]})
        await child.sees("Place 1.–2. · Why this place")
    said = {name: " ".join(one["text"].split()) for name, one in seen.items()}
    assert "Round robin" in said["crosstable"]
    assert "Swiss" not in said["crosstable"]
    assert "Final ranking" not in said["crosstable"]
    assert [said["crosstable"].count(place) for place in ("1.–2.", "3.–6.")] == [2, 4]
    assert f"Shares places 1–2 with {seats[0][1][1]}: no criterion tells them apart." in said["drew"]
    assert "Above" in said["drew"]
    assert "How it adds up" in said["drew"]
    assert "Dělené 3.–6. místo, dále: " in said["waits"]
    assert all(name in said["waits"].partition("Dělené")[2] for _, name in seats[1][1:])
    assert "Rozhoduje kritérium Body: 0 a 0,5." in said["waits"]
    assert "Jak se to sčítá" not in said["waits"]


async def test_groups_stand_below_their_names_and_tables_of_four_say_what_their_cells_hold(platform: Platform) -> None:
    async with network_of(platform) as network:
        school, four = await asyncio.gather(
            found(network, now().date(), CupPlan(ruleset="pisqworky-2025-ss-ot", players=PLAYERS[:12])),
            found(network, now().date(), CupPlan(ruleset="carcassonne-cz-qualification", players=PLAYERS[:8])),
        )
        for cup, stage in ((school, "groups"), (four, four.ruleset.stages[0].id)):
            demo = Demo(network=network, say=lambda _: None, cup=cup, pace=0, story=DemoStory())
            await demo.coming_round(cup.of(stage))
            await demo.play_round(1, stage)
        table = await network.anybody().look("standings", f"{school.of('groups')}/standings")
    seen = await visited(
        platform,
        [
            visit("hall-groups", f"{at(school)}/hall?show=standings", wide=True),
            visit("groups-now", at(school)),
            visit("crosstable-of-four", f"{at(four)}/crosstable"),
        ],
    )
    assert [name for name, one in seen.items() if one["faults"] or one["sideways"] > 0] == []
    standings = seen["groups-now"]["text"].rpartition("after round 1")[2]
    assert [standings.count(group) for group in ("Group A", "Group B")] == [2, 2], "as a heading, and of a table"
    assert all(standings.count(entrant["name"]) == 1 for entrant in table["standings"])
    assert "Group A" in seen["hall-groups"]["text"]
    assert "the points, and below them the score" in seen["crosstable-of-four"]["text"]


async def test_each_part_of_a_tournament_has_a_title_of_its_own(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup = await begun(platform, network)
        leader = await first_of(network, cup)
    expected = {
        "": "Demo Cup · Roundlog",
        "/table": "Standings · Demo Cup · Roundlog",
        "/stages/swiss/rounds/1": "Rounds · Round 1 · Demo Cup · Roundlog",
        f"/entrants/{leader['entrant']}": f"{leader['name']} · Demo Cup · Roundlog",
    }
    async with phones(platform, "visitor") as (phone,):
        for path, title in expected.items():
            await phone.open(f"{phone.origin}{at(cup)}{path}")
            await phone.do("title", **{"is": title})


async def test_a_tournament_without_a_bracket_says_so_at_its_address(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup = await begun(platform, network)
    seen = await visited(platform, [visit("no-bracket", f"{at(cup)}/bracket")])
    said = ("There are no groups here, nor a bracket.", "No round has been published yet.")
    assert [one in seen["no-bracket"]["text"] for one in said] == [True, False]


async def test_whoever_searches_hears_that_nobody_is_called_so(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup = await begun(platform, network)
    nobody = "Nobody here is called so."
    async with phones(platform, "visitor") as (phone,):
        for path, label in (("/entrants", "Search entrants"), ("/stages/swiss/rounds/1", "Find your name")):
            await phone.open(f"{phone.origin}{at(cup)}{path}")
            await phone.do("fill", label=label, **{"with": "nobody at all"})
            await phone.sees(nobody)
            assert nobody in await phone.do("announced")


async def test_a_page_without_a_network_goes_on_by_itself(platform: Platform) -> None:
    """And does not call known what it does not show."""
    async with network_of(platform) as network:
        await begun(platform, network)
    async with phones(platform, "visitor") as (phone,):
        await phone.open(f"{phone.origin}/")
        await phone.sees("Demo Cup")
        await phone.do("network", on=True, foreign=True)
        await phone.do("reload")
        await phone.sees("what is missing comes by itself once there is one")
        await phone.do("network", on=True)
        await phone.sees("Demo Cup")


async def test_a_page_whose_first_answer_fails_has_a_heading_and_a_way_to_try_again(platform: Platform) -> None:
    """By a fault after which nothing is asked again by itself."""
    async with network_of(platform) as network:
        cup = await begun(platform, network)
        about = await network.anybody().look("registration", f"/v1{at(cup)}")
    federation = f"/federations/{about['federation']}"
    async with phones(platform, "visitor") as (phone,):
        for service, path, there in (
            ("registration", "/", "Demo Cup"),
            ("registration", at(cup), "Demo Cup"),
            ("registration", federation, "Demo Cup"),
            ("standings", "/seasons/nowhere", "There is nothing at this address."),
        ):
            await phone.do("network", on=True, without=service, status=HTTPStatus.INTERNAL_SERVER_ERROR)
            await phone.open(f"{phone.origin}{path}")
            await phone.sees("Try again")
            assert await phone.do("faults") == []
            await phone.do("network", on=True)
            await phone.do("press", button="Try again")
            await phone.sees(there)
            assert "Try again" not in await phone.do("text")


async def test_keys_go_on_in_the_page_that_comes_when_the_hall_is_closed(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup = await begun(platform, network)
    async with phones(platform, "visitor") as (phone,):
        await phone.open(f"{phone.origin}{at(cup)}/hall")
        await phone.sees("Close")
        await phone.do("press", button="Close")
        await phone.sees("Calendar")
        await phone.do("type", keys=["Tab"])
        await phone.is_on("Calendar")


async def test_a_page_follows_the_results_also_over_an_outage(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup = await found(network, now().date(), CupPlan(players=PLAYERS[:8]))
        demo = Demo(network=network, say=lambda _: None, cup=cup, pace=0, story=DemoStory())
        await demo.play_round(1)
        rounds = f"{platform.below('pairing')}/v1{at(cup)}/rounds/live"
        async with phones(platform, "spectator", "hall") as (spectator, hall), listening(rounds, {}) as listener:
            await spectator.open(f"{platform.url('proxy')}{at(cup)}/stages/swiss/table")
            await hall.open(f"{platform.url('proxy')}{at(cup)}/hall?seconds=2")
            await hall.sees("Standings")
            await hall.do("press", button="Stop turning the pages")
            kill(platform.pid("standings"))
            await demo.play_round(2)
            heard = json.loads((await listener.next_event()).data or "")
            assert (heard["stage"], heard["round"], heard["status"]) == ("swiss", 2, "published")
            games = await network.anybody().look("results", f"{cup.stage}/rounds/2/games", after=heard["position"])
            assert games["round"] == heard["round"]
            await spectator.sees("after round 2")
            followed = await spectator.do("text")
            await hall.sees("Round 2")
            await hall.sees("Where do I play?")
        leader = await first_of(network, cup)
    assert leader["name"] in followed
    assert "last change" in followed


async def test_whoever_rests_is_found_on_the_page_of_the_round(platform: Platform) -> None:
    async with hall(platform, CupPlan(players=PLAYERS[:5])) as played, phones(platform, "player") as (player,):
        sitting = {seat["entrant"] for pair in played.games for seat in pair["seats"]}
        (resting,) = (one.name for entrant, one in played.cup.players.items() if entrant not in sitting)
        await player.do("arrive")
        await player.open(f"{player.origin}/tournaments/{played.cup.id}/rounds")
        await player.sees("2 tables still play")
        await player.do("fill", label="Find your name", **{"with": resting})
        shown = await player.do("text")
        assert "Nobody here is called so." not in shown
        assert resting in shown


def test_no_file_is_imported_by_what_it_imports_names_are_found_matches_drawn_and_pages_of_the_hall_filled() -> None:
    ran = subprocess.run(  # noqa: S603 - our own command
        [
            NODE,
            "--test",
            "tests/imports.test.ts",
            "tests/layout.test.ts",
            "tests/matches.test.ts",
            "tests/search.test.ts",
        ],
        cwd=WEB,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


async def test_tables_and_rounds_are_read_without_javascript(platform: Platform) -> None:
    async with network_of(platform) as network:
        cup = await begun(platform, network)
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
        assert {policy[kind] for kind in ("style-src", "connect-src")} == {"'self'"}
        within = page.text.partition("<script>")[2].partition("</script>")[0]
        hashed = base64.b64encode(hashlib.sha256(within.encode()).digest()).decode()
        assert policy["script-src"] == f"'self' 'sha256-{hashed}'", "write this hash into deploy/Caddyfile"
        assert page.headers["Cache-Control"] == "no-cache"
        script = page.text.partition('script type="module" src="')[2].partition('"')[0]
        loaded = await client.get(script, headers={"Accept-Encoding": "br"})
        assert (loaded.headers["Content-Encoding"], "immutable" in loaded.headers["Cache-Control"]) == ("br", True)
        for nowhere in ("/assets/nothing.js", "/elsewhere"):
            answer = await client.get(nowhere)
            assert (answer.status_code, answer.json()["type"]) == (404, "/problems/not-found")
        browser = {"Accept": "text/html,*/*;q=0.8", "If-None-Match": page.headers["ETag"]}
        for nowhere, what in (("/elsewhere", script), ("/elsewhere?plain", "This page needs JavaScript")):
            answer = await client.get(nowhere, headers=browser)
            assert (answer.status_code, what in answer.text) == (404, True)
            assert (answer.headers["Cache-Control"], answer.headers["Content-Security-Policy"]) == (
                "no-store",
                page.headers["Content-Security-Policy"],
            )


SHEETS = {"slips": 2, "badges": 3, "round": 1, "table": 1}  # of A4: 12 tables and 24 players


async def recorded(network: Services, school: Cup) -> str:
    """A duel at the first table, move by move."""
    games = (await network.anybody().look("results", f"{school.of('groups')}/rounds/1/games"))["items"]
    duel = {"moves": DUEL, "board": 0, "duel": 0}
    await director(network).act("results", f"/v1/games/{games[0]['id']}/records", duel)
    return str(games[0]["id"])


DUEL = [[7, 7, "cross"], [7, 8, "nought"], [8, 8, "nought"], {"take": "cross"}, {"resign": 1}]


def later_pages(cup: Cup, school: Cup, game: str) -> list[Visit]:
    """What few look at."""
    entrant = next(iter(school.players))
    return [
        visit("game", f"{at(school)}/games/{game}", keys=["Home", "ArrowRight", "ArrowRight", "ArrowRight"]),
        visit("game-wide", f"{at(school)}/games/{game}", wide=True, theme="dark", language="cs"),
        visit("progression", f"{at(school)}/entrants/{entrant}/progression?stage=groups", language="pl"),
        visit("ended-entrant", f"{at(school)}/entrants/{entrant}"),
        visit("slips", f"{at(cup)}/stages/swiss/rounds/1/slips", language="sk", paper=True),
        visit("badges", f"{at(cup)}/badges", paper=True, theme="contrast"),
    ]


def pages(cup: Cup, school: Cup, coming: str, entrant: str) -> list[Visit]:
    """Each public page, in every language, in every theme, on a phone and on the screen of a hall."""
    return [
        visit("home", "/"),
        visit("overview", at(cup), theme="dark", late=5),
        visit("coming", f"/tournaments/{coming}", language="pl"),
        visit("over", at(school), language="cs"),
        visit("round", f"{at(cup)}/stages/swiss/rounds/1", language="sk", paper=True),
        visit("rounds", f"{at(cup)}/rounds", wide=True, late=6),
        visit("table", f"{at(cup)}/table", paper=True),
        visit("groups", f"{at(school)}/stages/groups/table", theme="contrast", late=1),
        visit("crosstable", f"{at(cup)}/crosstable", language="pl"),
        visit("square", f"{at(school)}/stages/groups/crosstable", theme="dark"),
        visit("bracket", f"{at(school)}/bracket"),
        visit("ranking", f"{at(school)}/ranking", language="cs"),
        visit("entrants", f"{at(cup)}/entrants"),
        visit("entrant", f"{at(cup)}/entrants/{entrant}", theme="contrast", late=2),
        visit("hall", f"{at(cup)}/hall?show=names", language="sk", wide=True),
        visit("hall-tables", f"{at(cup)}/hall?show=tables", wide=True, theme="dark"),
        visit("hall-standings", f"{at(cup)}/hall?show=standings", wide=True, late=3),
        visit("hall-phone", f"{at(cup)}/hall", late=4),
        visit("hall-over", f"{at(school)}/hall", wide=True, language="sk"),
        visit("overlay", f"{at(cup)}/hall?table=2&plain", wide=True),
        visit("no-round", f"{at(cup)}/stages/swiss/rounds/9"),
        *(visit(language, path, language=language) for language, (path, _) in MISTYPED.items()),
    ]


def visit(name: str, path: str, **how: Any) -> Visit:
    return {"name": name, "path": path, **how}


def at(cup: Cup) -> str:
    return f"/tournaments/{cup.id}"


@asynccontextmanager
async def network_of(platform: Platform) -> AsyncGenerator[Services]:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        yield network


async def begun(platform: Platform, network: Services) -> Cup:
    """One round of it is over; the same for all who only look at it."""
    if (cup := known.get(platform.folder.path)) is None:
        cup = known[platform.folder.path] = await found(network, now().date())
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


async def visited(platform: Platform, visits: Sequence[Visit], *, pictures: Path | None = WANTED) -> dict[str, Seen]:
    """By somebody who has never been there before, each in turn."""
    order = {"do": "visit", "origin": platform.url("proxy")} | ({"pictures": str(pictures)} if pictures else {})
    return {one["name"]: await told(order | one) for one in visits}
