"""The desk as scorers and captains have it: in a real browser, on phones, also while there is no network."""

import asyncio
import os
import subprocess
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from deploy import SERVICES
from deploy.demo.cast import ARBITER, PLAYERS, SCORERS, CastPlayer
from deploy.demo.client import Services
from deploy.demo.play import connected, publish_next, round_is_over
from deploy.demo.preparation import Cup, CupPlan, director, found
from deploy.tokens import OPERATOR
from shared.clock import now
from shared.values import Value
from tests.e2e.browser import NODE, WEB, told
from tests.integration.launching import Platform
from tests.patience import PATIENCE

CUP = CupPlan(players=PLAYERS[:10])
PICTURES = os.environ.get("ROUNDLOG_PICTURES")
EXPECTED = (
    "Failed to load resource: net::ERR_INTERNET_DISCONNECTED",  # there was none
    "A preload for",  # of a page that its worker has brought
    "The resource ",  # that was preloaded there, and had come before
    "Failed to load resource: the server responded with a status of 409",  # what was refused
    "Failed to load resource: the server responded with a status of 401",  # what was revoked
    "Failed to load resource: the server responded with a status of 503",  # who has not heard of it yet is asked again
    "Failed to load resource: the server responded with a status of 422",  # what cannot be so
)


class Phone(Value):
    """Whose it is; each has what it keeps for itself."""

    origin: str
    person: str

    async def do(self, step: str, tab: str = "", **how: Any) -> Any:
        return await told({"person": self.person, "tab": tab, "do": step} | how)

    async def open(self, link: str, *, tab: str = "") -> None:
        await self.do("open", tab, url=link)

    async def sees(self, words: str, *, tab: str = "") -> None:
        await self.do("await", tab, words=words)

    async def is_in(self, field: str, *, tab: str = "") -> None:
        """Waits until keys go into that field."""
        await self.do("focus", tab, field=field)

    async def is_on(self, name: str) -> None:
        """Waits until keys go to the field, the summary or the heading that is called so."""
        await self.do("on", name=name)

    async def enter(self, table: int, *scores: int) -> None:
        """With the keyboard alone, from the field of the table on."""
        keys = [word for number in (table, *scores) for word in (str(number), "Enter")]
        await self.do("type", keys=keys)

    async def look(self, name: str) -> None:
        """As somebody who cannot see well, and as somebody with a narrow phone."""
        if PICTURES:
            await self.do("picture", path=f"{PICTURES}/{name}.png")
        assert await self.do("faults") == [], name
        assert await self.do("sideways") <= 0, name

    async def said_nothing_wrong(self, link: str, *known: str) -> None:
        """No fault of the page, nothing asked elsewhere, and the token in no address."""
        noted, token = await self.do("said"), link.partition("=")[2]
        assert [said for said in noted["said"] if not said.startswith((*EXPECTED, *known))] == []
        assert [one for one in noted["asked"] if self.origin not in one or token in one] == []


class Hall(Value):
    """A round that is being played."""

    platform: Platform
    network: Services
    cup: Cup
    games: Sequence[Mapping[str, Any]]

    def scorer(self, number: int = 0) -> str:
        """The link of one, as it is printed, to this tournament among others."""
        printed = self.platform.run("token", SCORERS[number], "--link").stdout.strip()
        return printed.replace("#", f"?tournament={self.cup.id}#")

    def director(self, part: str) -> str:
        """The way to a part of the desk."""
        return f"/desk/{part}?tournament={self.cup.id}#token={self.network.token(OPERATOR)}"

    async def captain(self, table: int, seat: int) -> str:
        """As on the sheets with QR codes."""
        wanted = {"entrants": [self.seats(table)[seat]]}
        issued = await director(self.network).act("registration", f"{self.cup.path}/captain-tokens", wanted)
        return str(issued.body["items"][0]["link"])

    def seats(self, table: int) -> Sequence[str]:
        pair = next(one for one in self.games if one["table"] == table)
        return [seat["entrant"] for seat in pair["seats"]]

    async def results(self) -> dict[int, Any]:
        round_ = await self.network.person(ARBITER).look("results", f"{self.cup.stage}/rounds/1/games")
        return {game["table"]: game["result"] and game["result"]["scores"] for game in round_["items"]}

    async def reported(self, table: int) -> int:
        """How often something was reported of it."""
        game = next(one["game"] for one in self.games if one["table"] == table)
        story = await self.network.person(ARBITER).look("results", f"/v1/games/{game}/history")
        return sum(step["what"] == "ResultReported" for step in story["steps"])


def test_outbox_and_boards_do_what_they_should() -> None:
    ran = subprocess.run(  # noqa: S603 - our own command
        [
            NODE,
            "--test",
            *(
                f"tests/{of}.test.ts"
                for of in (
                    "outbox",
                    "worker",
                    "story",
                    "copying",
                    "orders",
                    "storage",
                    "forgetting",
                    "board",
                    "unlikely",
                    "verdict",
                    "listening",
                    "asking",
                    "brought",
                    "names",
                    "line_up",
                )
            ),
        ],
        cwd=WEB,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


HAND = 0.2
SLOWER = 4  # times, a phone
SECONDS_A_RESULT = 60 / 20
TABLES = 10
OVERTAKEN = 2.5  # seconds, by which an answer has come that was overtaken


async def test_a_director_hands_out_links_and_takes_them_back(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "director", "scorer") as (boss, scorer):
        link = platform.run("token", "operator", "--link").stdout.strip()
        await boss.do("arrive", wide=True)
        await boss.open(link.replace("/desk#", f"/desk/links?tournament={played.cup.id}#"))
        await boss.sees("No link has been made yet.")
        await boss.do("fill", label="How many", **{"with": "2"})
        await boss.do("press", button="Make links", twice=True)
        await boss.sees("Link 2")
        await boss.look("desk-links")
        issued = await director(played.network).look("registration", f"{played.cup.path}/scorer-links")
        assert [one["number"] for one in issued["items"]] == [2, 1]
        await boss.do("press", button="Copy: Enter results · Link 1")
        await boss.sees("Copied")
        copied = str(await boss.do("copied"))
        await scorer.do("arrive")
        await scorer.open(copied)
        await scorer.sees("5 of 5 missing")
        await scorer.enter(1, 421, 377)
        await scorer.do("aside")
        await scorer.sees("acknowledged")
        assert (await played.results())[1] == [421, 377]
        await boss.do("press", button="Revoke: Link 1")
        await boss.do("on", name="Link 1", loosely=True)  # for the button that had the keys has gone
        await boss.do("type", keys=["Tab", "Enter"])
        await boss.sees("revoked")
        await boss.do("on", name="Link 1", loosely=True)
        await scorer.sees("This link is not good any more")
        await scorer.enter(2, 300, 310)
        await scorer.sees("1 not sent yet")
        await boss.do("press", button="Copy: Enter results · Link 2")
        await scorer.open(str(await boss.do("copied")))
        await scorer.sees("All is sent")
        assert (await played.results())[2] == [300, 310]
        await boss.do("press", button="Make a link for each")
        name = played.cup.players[played.seats(1)[0]].name
        await boss.sees(name)
        await boss.look("desk-links-of-all")
        await boss.do("press", button="Print: For captains and players")
        await has_printed(boss, 1)
        paper = await boss.do("text", paper=True)
        assert name in paper
        assert "Link 1" not in paper
        await boss.do("press", button="Print: For scorers")
        await has_printed(boss, 2)
        paper = await boss.do("text", paper=True)
        assert name not in paper
        assert "Link 2" in paper
        await boss.said_nothing_wrong(link)
        await scorer.said_nothing_wrong(copied)


async def has_printed(person: Phone, times: int) -> None:
    """What goes to paper is drawn before anybody is asked for a printer, and not yet when a button was pressed."""
    async with asyncio.timeout(PATIENCE):
        while await person.do("printed") < times:
            await asyncio.sleep(HAND)
    assert await person.do("printed") == times


async def test_a_scorer_enters_twenty_results_a_minute_with_the_keyboard(platform: Platform) -> None:
    """A practised hand takes 0.2 seconds for a key. What is left of three seconds for a result is the page's, on a phone."""
    async with (
        hall(platform, CupPlan(players=PLAYERS[: 2 * TABLES])) as played,
        phones(platform, "scorer") as (scorer,),
    ):
        await scorer.do("arrive", wide=True)
        await scorer.open(played.scorer())
        await scorer.sees(f"{TABLES} of {TABLES} missing")
        tables = range(1, TABLES + 1)
        before = await scorer.do("worked")
        for table in tables:
            await scorer.enter(table, 400 + table, 300 + table)
            await scorer.is_in("entry-table")
        async with asyncio.timeout(PATIENCE):  # nobody looks at the page meanwhile: that is work for it as well
            while None in (await played.results()).values():
                await asyncio.sleep(HAND)
        worked = (await scorer.do("worked") - before) / len(tables)
        keys = max(len(f"{table}{400 + table}{300 + table}") + 3 for table in tables)
        assert keys * HAND + worked * SLOWER < SECONDS_A_RESULT, (keys, worked)
        await scorer.do("aside")
        await scorer.sees("All is sent")
        assert await played.results() == {table: [400 + table, 300 + table] for table in tables}
        await scorer.sees("All results of this round are in.")
        await scorer.sees(f"{TABLES - 3} more of this round")
        await scorer.look("desk-all-in")
        told = " ".join(str(await scorer.do("text")).split())
        assert all(f"{400 + table} : {300 + table} final" in told for table in tables)


async def test_what_was_mistyped_is_asked_about_and_taken_back(platform: Platform) -> None:
    """Until it is sent; a page that is loaded anew loses nothing of it."""
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive")
        await scorer.do("clock", ahead=0)
        await scorer.open(played.scorer())
        await scorer.sees("5 of 5 missing")
        await scorer.do("type", keys=["1", "Enter", "4210"])
        await scorer.do("reload")
        await scorer.is_in("entry-score-0")
        await scorer.do("type", keys=["4210", "Enter", "377", "Enter"])
        await scorer.sees("Is 4210 : 377 right?")
        await scorer.is_in("entry-score-1")
        await scorer.look("desk-unlikely")
        await scorer.do("type", keys=["Enter"])
        await scorer.sees("Table 1: 4210 : 377 is entered.")
        await scorer.sees("is about to be sent")
        await scorer.look("desk-held")
        await scorer.do("press", button="Undo")
        await scorer.sees("Nothing yet.")
        first = played.cup.players[played.seats(1)[0]].name
        assert await scorer.do("value", label=f"Score, {first}") == "4210"
        await scorer.do("fill", label=f"Score, {first}", **{"with": "421"})
        await scorer.do("press", button="Enter")
        await scorer.sees("Table 1: 421 : 377 is entered.")
        await scorer.do("reload")
        await scorer.do("clock", ahead=60)  # where the page had not come to send it when it was left
        await scorer.sees("acknowledged")
        assert (await played.results())[1] == [421, 377]
        assert await played.reported(1) == 1
        await scorer.is_in("entry-table")
        await scorer.enter(2, 300, 310)
        await scorer.sees("is about to be sent")
        await scorer.is_in("entry-table")
        await scorer.do("type", keys=["Escape"])
        await scorer.sees("4 of 5 missing")
        await scorer.is_in("entry-score")
        await scorer.do("type", keys=["Escape"])
        await scorer.is_in("entry-table")
        await scorer.enter(3, 300, 310)
        await scorer.sees("is about to be sent")
        await scorer.do("clock", ahead=120)
        await scorer.do("await", words="is about to be sent", gone=True)  # by itself
        await scorer.sees("All is sent")
        assert [table for table, scores in (await played.results()).items() if scores] == [1, 3]


async def test_slips_typed_without_looking_enter_nothing_after_one_that_was_refused(platform: Platform) -> None:
    """A number of a slip, such as who has won, is never taken for a table; nor does a third slip go wrong by the second."""
    async with (
        hall(platform, CupPlan(ruleset="gomoku-cfp", players=PLAYERS[:8])) as played,
        phones(platform, "scorer") as (scorer,),
    ):
        await scorer.do("arrive", wide=True)
        await scorer.open(played.scorer())
        await scorer.sees("4 of 4 missing")
        other = played.network.person(SCORERS[1])
        told = {"winner": 0, "signed_by": [0, 1]}
        await other.act("results", f"{played.cup.stage}/rounds/1/tables/3/reports", told)
        await scorer.sees("3 of 4 missing")
        final = await played.results()
        for refused, words, onwards in (
            ("3", "Has a final result", "Enter"),
            ("9", "This round has no table 9.", "Enter"),
            ("3", "Has a final result", "Tab"),
            ("9", "This round has no table 9.", "Tab"),
        ):
            await scorer.is_in("entry-table")
            await scorer.do("type", keys=[refused, onwards, "1", "Enter", "4", onwards, "2", "Enter", "2", onwards])
            await scorer.sees(words)
            await scorer.sees("What you type now is not entered")
            await scorer.is_in("entry-table")
            assert await scorer.do("value", label="Table") == refused
            await scorer.sees("Nothing yet.")
            await scorer.do("type", keys=["Escape"])
            await scorer.do("await", words="What you type now is not entered", gone=True)
            assert await scorer.do("value", label="Table") == ""
        await scorer.do("type", keys=["4", "Enter", "Enter"])
        await scorer.is_in("entry-winner")
        await scorer.do("type", keys=["1", "Enter", "2", "Enter"])  # who has won was left out of the slip before
        await scorer.sees("What you type now is not entered")
        await scorer.look("desk-halted")
        await scorer.do("type", keys=["Escape"])
        await scorer.is_in("entry-winner")
        await scorer.do("type", keys=["2", "Enter"])
        await scorer.sees("Table 4: 0 : 1 is entered.")
        await scorer.do("aside")
        await scorer.sees("acknowledged")
        results = await played.results()
        assert {table for table, scores in results.items() if scores} == {3, 4}
        assert results[3] == final[3]


async def test_a_mistyped_number_is_named_at_once_and_stops_whoever_does_not_look(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.sees("5 of 5 missing")
        for onwards in ("Enter", "Tab"):
            await scorer.do("type", keys=["1", onwards, "4o1", onwards])
            await scorer.sees("4o1 is no number.")
            await scorer.is_in("entry-score-0")
            slips = ["350", "Enter", "2", onwards, "421", onwards, "377", "Enter", "3", onwards]
            await scorer.do("type", keys=slips)
            await scorer.is_in("entry-score-0")
            await scorer.do("type", keys=["Escape", "Escape"])
            await scorer.is_in("entry-table")
        await scorer.do("type", keys=["1", "Enter", "4o1", "Enter", "Escape", "4210", "Enter", "350", "Enter"])
        await scorer.sees("Enter sends it.")
        await scorer.do("type", keys=["2", "Enter", "421", "Enter", "377", "Enter", "3", "Enter"])
        await scorer.do("await", words="Enter sends it.", gone=True)
        await scorer.sees("Nothing yet.")
        await scorer.do("type", keys=["Escape"])
        await scorer.is_in("entry-score-0")
        await scorer.do("type", keys=["401", "Enter", "350", "Enter"])
        await scorer.sees("Table 1: 401 : 350 is entered.")
        await scorer.do("aside")
        await scorer.sees("acknowledged")
        assert {table: scores for table, scores in (await played.results()).items() if scores} == {1: [401, 350]}


async def test_a_table_is_found_by_all_that_stands_on_it(platform: Platform) -> None:
    async with (
        hall(platform, CupPlan(players=PLAYERS[:4])) as played,
        phones(platform, "scorer", "captain") as (scorer, captain),
    ):
        rooms = {"rooms": [{"name": "Library", "tables": ["Below the north window", "Beside the door"]}]}
        await director(played.network).act("pairing", f"{played.cup.path}/rooms/name", rooms)
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.sees("Below the north window")
        await scorer.do("fill", label="Table", **{"with": "below the north "})
        await scorer.do("type", keys=["End", "window", "Enter"])
        await scorer.do("type", keys=["421", "Enter", "377", "Enter"])
        await scorer.sees("Table Below the north window: 421 : 377 is entered.")
        await captain.do("arrive")
        await captain.open(await played.captain(2, 0))
        await captain.sees("Beside the door")
        await captain.do("fill", label=f"Score, {played.cup.players[played.seats(2)[0]].name}", **{"with": "3oo"})
        await captain.sees("3oo is no number")
        assert await captain.do("faults") == []


async def test_a_scorer_reads_of_which_stage_a_round_is(platform: Platform) -> None:
    othello = CupPlan(ruleset="othello-pl-2021", players=PLAYERS[:4])
    async with hall(platform, othello) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.sees("Preliminary rounds, Round 1 2 of 2 missing")


async def test_windows_beside_each_other_leave_each_other_connections(platform: Platform) -> None:
    """A browser has six of them to one origin, and each desk would have two for its streams."""
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive", wide=True)
        windows = ("", "second", "third", "fourth")
        for window in windows:
            await scorer.open(played.scorer(), tab=window)
            await scorer.sees("5 of 5 missing", tab=window)
        await scorer.enter(1, 421, 377)
        await scorer.do("aside")
        await scorer.sees("acknowledged")
        for window in windows:
            await scorer.sees("4 of 5 missing", tab=window)
        assert (await played.results())[1] == [421, 377]


async def test_what_others_do_meanwhile_takes_no_field_from_whoever_types(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.sees("5 of 5 missing")
        await scorer.is_in("entry-table")
        await scorer.do("type", keys=["1", "Enter", "421"])
        first = f"{played.cup.stage}/rounds/1"
        other = played.network.person(SCORERS[1])
        for table in range(1, 6):
            await other.act("results", f"{first}/tables/{table}/reports", {"scores": [400, 300], "signed_by": [0, 1]})
        await scorer.sees("Has a final result: 400 : 300")
        await scorer.is_in("entry-table")
        await round_is_over(played.network.anybody(), played.cup.stage, 1)
        await publish_next(director(played.network), played.cup.stage, 2, after=None)
        await scorer.sees("Round 2")
        assert "Has a final result" in await scorer.do("text")
        await scorer.do("type", keys=["Escape"])
        await scorer.sees("5 of 5 missing")
        await scorer.do("type", keys=["1", "Enter", "421", "Enter", "377", "Enter"])
        await scorer.sees("Table 1: 421 : 377 is entered.")
        await scorer.do("aside")
        await scorer.sees("acknowledged")


async def test_what_is_said_to_be_entered_outlives_the_page(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.sees("5 of 5 missing")
        await scorer.do("kept")
        await scorer.do("network", on=False)
        await scorer.do("storage", busy=True)
        await scorer.enter(1, 421, 377)
        await scorer.is_in("entry-table")
        assert "is entered" not in await scorer.do("text")
        await scorer.do("storage", busy=False)
        await scorer.sees("Table 1: 421 : 377 is entered.")
        await scorer.do(
            "await", words="is about to be sent", gone=True
        )  # it can be no more, and nothing else has happened
        await scorer.sees("Mend")
        await scorer.do("reload")
        await scorer.sees("1 not sent yet")
        await scorer.do("network", on=True)
        await scorer.sees("All is sent")
        assert await played.reported(1) == 1


async def test_a_network_where_somebody_has_to_sign_in_first_has_answered_nothing(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "scorer", "director") as (scorer, boss):
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.sees("5 of 5 missing")
        await boss.do("arrive", wide=True)
        link = platform.run("token", "operator", "--link").stdout.strip()
        await boss.open(link.replace("/desk#", f"/desk?tournament={played.cup.id}#"))
        await boss.do("unfold", words="Tell all players something")
        await boss.do("network", on=True, foreign=True)
        await boss.do("fill", label="Everybody reads it", **{"with": "Lunch is ready."})
        await boss.do("press", button="Tell all players something")
        await boss.sees("No answer has come")
        await scorer.do("network", on=True, foreign=True)
        await scorer.sees("No network")
        await scorer.enter(1, 421, 377)
        await scorer.sees("Table 1: 421 : 377 is entered.")
        await scorer.sees("is about to be sent")
        # What is held is sent by the page that is left.
        await scorer.do("await", words="is about to be sent", gone=True)
        await scorer.do("reload")
        await scorer.sees("1 not sent yet")
        await scorer.sees("4 of 5 missing")
        assert await played.reported(1) == 0
        await scorer.do("network", on=True)
        await scorer.sees("All is sent")
        assert await played.reported(1) == 1


async def test_a_captain_hears_what_the_phone_could_not_keep(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "captain") as (captain,):
        await captain.do("arrive")
        await captain.open(await played.captain(1, 0))
        await captain.sees("Report")
        names = [played.cup.players[seat].name for seat in played.seats(1)]
        for name, score in zip(names, ("421", "377"), strict=True):
            await captain.do("fill", label=f"Score, {name}", **{"with": score})
        await captain.do("storage", full=True)
        await captain.do("press", button="Report")
        await captain.sees("Table 1: 421 : 377 could not be kept on this device. Enter it again.")
        await captain.do("storage", full=False)
        assert await captain.do("value", label=f"Score, {names[0]}") == "421"
        await captain.do("press", button="Report")
        await captain.sees("It is final when the other side says the same.")
        assert await played.reported(1) == 1


async def test_a_scorer_takes_back_what_they_have_reported_with_a_link(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "first", "second") as (first, second):
        issued = await director(played.network).act("registration", f"{played.cup.path}/scorer-links", {"count": 2})
        for scorer, one in zip((first, second), issued.body["items"], strict=True):
            await scorer.do("arrive")
            await scorer.open(one["link"])
            await scorer.sees("5 of 5 missing")
        await first.do("type", keys=["1", "Enter", "421", "Enter", "377"])
        await first.do("tick", label="Everybody at the table has signed", off=True)
        await first.do("press", button="Enter")
        await first.do("aside")
        await first.sees("acknowledged")
        for scorer in (first, second):
            await scorer.do("fill", label="Table", **{"with": "1"})
            await scorer.sees("Reported by Officials' desk")
        assert "Take my report back" not in await second.do("text")
        await first.do("press", button="Take my report back")
        await first.sees("5 of 5 missing")
        assert (await played.results())[1] is None


async def test_scorers_who_contradict_each_other_both_read_it(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "first", "second") as (first, second):
        for number, scorer in enumerate((first, second)):
            await scorer.do("arrive")
            await scorer.open(played.scorer(number))
            await scorer.do("type", keys=["1", "Enter", str(421 + number), "Enter", "377"])
            await scorer.do("tick", label="Everybody at the table has signed", off=True)
            await scorer.do("press", button="Enter")
            await scorer.do("aside")
            await scorer.sees("All is sent")
        for scorer in (first, second):
            await scorer.sees("an official has to decide")
            assert "acknowledged" not in await scorer.do("text")


async def test_whether_all_have_signed_is_said_of_each_slip(platform: Platform) -> None:
    """It comes back with a slip that is half typed or taken back, and the next slip is signed again."""
    signed = "Everybody at the table has signed"
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.do("type", keys=["1", "Enter", "421", "Enter", "377"])
        await scorer.do("tick", label=signed, off=True)
        await scorer.do("reload")
        await scorer.sees(signed)
        assert not await scorer.do("ticked", label=signed)
        await scorer.do("press", button="Enter")
        await scorer.do("press", button="Undo")
        await scorer.sees(signed)
        assert not await scorer.do("ticked", label=signed)
        await scorer.do("press", button="Enter")
        await scorer.do("aside")
        await scorer.sees("acknowledged")
        await scorer.do("type", keys=["2", "Enter"])
        assert await scorer.do("ticked", label=signed)
        assert (await played.results())[1] is None


async def test_letters_of_twice_the_size_stay_on_a_phone(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "player", "visitor") as (player, visitor):
        await player.do("arrive")
        await player.open(await played.captain(1, 0))
        await player.sees("Report")
        await visitor.do("arrive", language="sk")
        await visitor.open(f"{visitor.origin}/tournaments/{played.cup.id}")
        told = {"scores": [421, 377], "signed_by": [0, 1]}
        await director(played.network).act("results", f"{played.cup.stage}/rounds/1/tables/2/reports", told)
        await visitor.sees("posledná zmena")
        for phone in (player, visitor):
            usual = await phone.do("text")
            await phone.do("letters", size=32)
            assert await phone.do("sideways") <= 0, phone.person
            assert await phone.do("text") == usual


async def test_a_name_without_a_break_stays_on_a_phone(platform: Platform) -> None:
    long = CastPlayer(name="Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamter", rating=1900)
    async with (
        hall(platform, CupPlan(players=[long, *PLAYERS[1:10]])) as played,
        phones(platform, "scorer") as (scorer,),
    ):
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.sees(long.name)
        assert await scorer.do("sideways") <= 0


async def test_a_slip_is_sent_by_a_page_that_is_left_before_its_hold_is_over(platform: Platform) -> None:
    """Also where a worker stands between the page and the network. Whoever opens the desk again finds it sent, and takes nothing back."""
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive")
        await scorer.do("clock", ahead=0)  # the hold is never over by itself
        await scorer.open(played.scorer())
        await scorer.do("kept")
        for table in (1, 2):
            await scorer.open(played.scorer())
            await scorer.sees(f"{6 - table} of 5 missing")
            await scorer.enter(table, 421, 377)
            await scorer.sees("is about to be sent")
            await scorer.do("away")
            async with asyncio.timeout(PATIENCE):
                while (await played.results())[table] is None:
                    await asyncio.sleep(HAND)
        await scorer.open(played.scorer())
        await scorer.sees("All is sent")
        assert "Undo" not in str(await scorer.do("text"))
        assert [await played.reported(table) for table in (1, 2)] == [1, 1]
        assert await played.results() == {1: [421, 377], 2: [421, 377], 3: None, 4: None, 5: None}


async def test_what_is_refused_says_in_words_what_to_do(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive", language="sk", theme="dark")
        await scorer.open(played.scorer())
        await scorer.sees("chýba 5 z 5")
        await scorer.do("network", on=False)
        await scorer.enter(2, 300, 310)
        other = {"scores": [310, 300], "signed_by": [0, 1]}
        table = f"{played.cup.stage}/rounds/1/tables/2"
        await played.network.person(SCORERS[1]).act("results", f"{table}/reports", other)
        await scorer.do("network", on=True)
        await scorer.sees("požiadajte rozhodcu o opravu")
        await scorer.look("desk-refused")
        await scorer.do("press", button="Zahodiť")
        await scorer.sees("Všetko odoslané")
        assert (await played.results())[2] == [310, 300]


async def test_a_slip_of_a_round_that_was_recalled_goes_into_the_new_one(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.sees("5 of 5 missing")
        await scorer.do("network", on=False)
        await scorer.enter(2, 421, 377)
        boss, path = director(played.network), f"{played.cup.stage}/rounds/1"
        recalled = await boss.act("pairing", f"{path}/recall", {"reason": {"code": "mistake"}})
        await played.network.person(SCORERS[0]).look("results", "/v1/me", after=recalled.position)
        await scorer.do("network", on=True)
        await scorer.sees("This round was recalled.")
        await scorer.sees("Nothing is open for you here.")
        shown = await scorer.do("text")
        assert "All results of this round are in." not in shown
        assert "missing" not in shown
        assert "Mend" not in shown
        await publish_next(boss, played.cup.stage, 1, after=recalled.position)
        await scorer.sees("5 of 5 missing")
        await scorer.do("press", button="Mend")
        await scorer.is_in("entry-")
        await scorer.do("press", button="Enter")
        await scorer.do("aside")
        await scorer.sees("acknowledged")
        assert (await played.results())[2] == [421, 377]


async def test_what_one_side_has_reported_stands_before_whoever_decides(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "captain", "boss") as (captain, boss):
        names = [played.cup.players[seat].name for seat in played.seats(1)]
        await captain.do("arrive")
        await captain.open(await played.captain(1, 0))
        await captain.sees("Report")
        for name, score in zip(names, ("421", "377"), strict=True):
            await captain.do("fill", label=f"Score, {name}", **{"with": score})
        await captain.do("press", button="Report")
        await captain.sees("It is final when the other side says the same.")
        await boss.do("arrive", wide=True)
        await boss.open(boss.origin + played.director("results"))
        await boss.do("press", button=names[0], loosely=True)
        await boss.do("unfold", words="Decide the result")
        assert [await boss.do("value", label=f"Score, {name}") for name in names] == ["421", "377"]
        await boss.do("network", on=True, without="standings")
        await boss.do("fill", label="Why? Officials read it.", **{"with": "The other side has left."})
        await boss.do("press", button="Look what it changes")
        await boss.sees("Which places would move cannot be said at the moment.")
        await boss.do("press", button="Decide the result")
        await boss.sees("Correct the result")
        assert (await played.results())[1] == [421, 377]


async def test_nobody_is_counted_before_it_is_known_who_has_entered(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "boss") as (boss,):
        await boss.do("arrive", wide=True)
        await boss.open(boss.origin + played.director("webhooks"))
        await boss.sees("Register a webhook")
        await boss.do("network", on=False)
        await boss.do("follow", link="Entrants")
        await boss.sees("There is no connection.")
        assert "0 of 0" not in await boss.do("text")
        await boss.do("network", on=True)
        await boss.sees(f"{len(CUP.players)} of {len(CUP.players)} are there")


async def test_a_round_goes_out_as_a_spreadsheet_and_comes_in_again(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive", language="pl", theme="contrast")
        await scorer.open(played.scorer())
        await scorer.sees("brakuje 5 z 5")
        content = "table,score_1,score_2\n1,421,377\n2,nothing,12\n"
        await scorer.do("file", label="Wybierz plik", name="runda.csv", content=content)
        await scorer.sees("1 wiersz coś zmieni.")
        await scorer.sees("Wiersz 3")
        await scorer.look("desk-spreadsheet")
        assert (await played.results())[1] is None
        await scorer.do("press", button="Zgłoś 1 wiersz")
        await scorer.sees("Zgłoszono 1 wynik.")
        assert await played.reported(1) == 1


async def test_of_two_spreadsheets_the_last_one_is_looked_at(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "scorer") as (scorer,):
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.sees("5 of 5 missing")
        await scorer.do("network", on=True, late="entry-sheet?dry_run=true")
        first, second = "table,score_1,score_2\n1,421,377\n2,401,399\n", "table,score_1,score_2\n1,300,310\n"
        await scorer.do("file", label="Choose a file", name="first.csv", content=first)
        await scorer.do("file", label="Choose a file", name="second.csv", content=second)
        await scorer.sees("second.csv: 1 line")
        await asyncio.sleep(OVERTAKEN)
        text = await scorer.do("text")
        assert [said in text for said in ("second.csv: 1 line", "Report 1 line", "Report 2 lines")] == [
            True,
            True,
            False,
        ]


async def test_fields_of_a_report_are_those_of_its_rules_from_the_first_moment_on(platform: Platform) -> None:
    async with (
        hall(platform, CupPlan(ruleset="gomoku-cfp", players=PLAYERS[:4])) as played,
        phones(platform, "captain", "scorer") as (captain, scorer),
    ):
        for phone, link in ((captain, await played.captain(1, 0)), (scorer, played.scorer())):
            await phone.do("arrive", wide=True)
            await phone.do("network", on=True, late="rulesets/gomoku-cfp")
            await phone.open(link)
            if phone is scorer:
                await phone.do("type", keys=["1", "Enter"])
            await phone.sees("Who has won?")
            assert "The game" in await phone.do("text")  # how it ended, which the rules say


async def test_captains_report_confirm_and_object(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "first", "second") as (first, second):
        own, other = await played.captain(1, 0), await played.captain(1, 1)
        await first.do("arrive")
        await first.open(own)
        await first.sees("Next game")
        await first.sees("Report")
        await first.look("own-next")
        names = [played.cup.players[seat].name for seat in played.seats(1)]
        for name, score in zip(names, ("421", "377"), strict=True):
            await first.do("fill", label=f"Score, {name}", **{"with": score})
        await first.do("press", button="Report")
        await first.sees("It is final when the other side says the same.")
        await second.do("arrive", language="cs")
        await second.open(other)
        await second.sees("Druhá strana nahlásila výsledek.")
        await second.look("own-asked")
        await second.do("press", button="Nesouhlasí")
        await second.do("press", button="Jiné skóre")
        await second.look("own-objection")
        await second.do("press", button="Namítat")
        await second.sees("Hlášení se liší")
        await second.do("await", words="Co nesouhlasí?", gone=True)
        await second.do("await", words="Nesouhlasí", gone=True)  # that has been said
        await first.sees("The reports differ")
        await first.sees(f"{names[1]}: Jiné skóre")
        await first.do("unfold", words="Change a result")
        for name, score in zip(names, ("421", "387"), strict=True):
            await first.do("fill", label=f"Score, {name}", **{"with": score})
        await first.do("press", button="Report")
        await second.sees(f"Hlásí {names[0]}: {names[0]} 421 {names[1]} 387")
        await second.look("own-reported")
        await second.do("press", button="Souhlasí")
        await second.sees("Nečeká na vás žádná partie.")
        assert (await played.results())[1] == [421, 387]
        await second.sees(f"1. kolo proti: {names[0]} prohra 387 : 421")
        await first.sees(f"Round 1 against {names[1]} won 421 : 387")
        await first.said_nothing_wrong(own)
        await second.said_nothing_wrong(other)


async def test_players_hear_what_was_decided_and_what_was_entered_for_them(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "first", "second") as (first, second):
        await first.do("arrive")
        await first.open(await played.captain(1, 0))
        await second.do("arrive", language="cs")
        await second.open(await played.captain(2, 1))
        await second.sees("Zapsat výsledek")
        names = [[played.cup.players[seat].name for seat in played.seats(table)] for table in (1, 2)]
        for name, score in zip(names[0], ("401", "350"), strict=True):
            await first.do("fill", label=f"Score, {name}", **{"with": score})
        await first.do("press", button="Report")
        await first.sees("acknowledged")
        arbiter = played.network.person(ARBITER)
        ruling = {"scores": [350, 410], "reason": "The sheet says so."}
        await arbiter.act("results", f"/v1/games/{played.games[0]['game']}/decide", ruling)
        signed = {"scores": [300, 310], "signed_by": [0, 1]}
        await arbiter.act("results", f"{played.cup.stage}/rounds/1/tables/2/reports", signed)
        await first.sees("decided otherwise: 350 : 410")
        await first.sees(f"Round 1 against {names[0][1]} decided by an official lost 350 : 410")
        await first.do("await", words="acknowledged", gone=True)
        await first.look("own-decided")
        await second.sees(f"1. kolo proti: {names[1][0]} výhra 310 : 300")
        await second.look("own-entered-for")


async def test_what_was_entered_in_one_tournament_is_not_shown_in_another(platform: Platform) -> None:
    async with (
        hall(platform) as played,
        hall(platform, CupPlan(players=PLAYERS[:4])) as other,
        phones(platform, "scorer") as (scorer,),
    ):
        await scorer.do("arrive")
        await scorer.open(played.scorer())
        await scorer.sees("5 of 5 missing")
        await scorer.enter(1, 421, 377)
        await scorer.do("aside")
        await scorer.sees("acknowledged")
        await scorer.open(other.scorer())
        await scorer.sees("2 of 2 missing")
        await scorer.sees("Nothing yet.")
        second, told = other.network.person(SCORERS[1]), {"scores": [400, 350], "signed_by": [0, 1]}
        for table in (1, 2):
            await second.act("results", f"{other.cup.stage}/rounds/1/tables/{table}/reports", told)
        await scorer.sees("Nothing is open for you here.")  # and whoever types goes on typing into no other tournament
        assert "of 5 missing" not in str(await scorer.do("text"))


async def test_a_slip_of_another_tournament_is_taken_back_only_where_its_fields_are(platform: Platform) -> None:
    async with (
        hall(platform) as played,
        hall(platform, CupPlan(players=PLAYERS[:4])) as _,
        phones(platform, "scorer") as (scorer,),
    ):
        await scorer.do("arrive")
        await scorer.do("clock", ahead=0)
        await scorer.open(played.scorer())
        await scorer.sees("5 of 5 missing")
        await scorer.enter(1, 421, 377)
        await scorer.sees("is about to be sent")
        await scorer.do("choose", label="Tournament", option="Demo Cup")  # the newest of that name
        await scorer.sees("2 of 2 missing")
        await scorer.is_in("entry-table")
        await scorer.do("type", keys=["Escape"])
        await scorer.sees("421 : 377")
        assert "Undo" not in await scorer.do("text")
        await scorer.do("clock", ahead=60)
        await scorer.sees("All is sent")
        assert (await played.results())[1] == [421, 377]


async def test_entries_outlive_the_link_with_which_they_were_made(platform: Platform) -> None:
    async with hall(platform) as played, phones(platform, "first") as (first,):
        await first.do("arrive", language="cs")
        await first.open(await played.captain(1, 0))
        await first.sees("Zapsat výsledek")
        own = played.seats(1)[0]
        await director(played.network).act("registration", f"{played.cup.path}/entrants/{own}/captain/dismiss")
        await first.sees("Tento odkaz už neplatí")
        for seat, score in zip(played.seats(1), ("421", "377"), strict=True):
            await first.do("fill", label=f"Skóre, {played.cup.players[seat].name}", **{"with": score})
        await first.do("press", button="Nahlásit")
        await first.sees("1 neodeslaný")
        await first.look("own-ended")
        await first.open(await played.captain(1, 0))
        await first.sees("Vše odesláno")
        assert await played.reported(1) == 1


async def test_a_player_enters_a_tournament_alone(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        tournament = await announced(network)
        link = platform.run("token", "player-7", "--link").stdout.strip()
        async with phones(platform, "player") as (player,):
            await player.do("arrive")
            await player.open(link)
            await player.sees("opens no office and no entry here")
            await player.do("unfold", words="Mistrzostwa Polski")
            await player.sees("Your name")
            said = {
                "Your name": "Zofia Wiśniewska",
                "Date of birth": "2001-05-17",
                "Citizenship, as two letters": "pl",
                "Town": "Kraków",
                "E-mail": "zofia@example.org",
                "Telephone": "+48 900 000",
            }
            for label, words in said.items():
                await player.do("fill", label=label, **{"with": words})
            await player.look("own-entering")
            await player.do("press", button="Enter me")
            await player.sees("To be paid: 150 PLN")
            await player.sees("Give the consents that are asked for.")
            await player.look("own-entry")
            entrants = await network.anybody().look("registration", f"/v1/tournaments/{tournament}/entrants")
            assert [one["status"] for one in entrants["items"]] == ["entered"]
            await player.said_nothing_wrong(link)


async def announced(network: Services) -> str:
    operator = director(network)
    federation = (await operator.act("registration", "/v1/federations", {"name": "Polski Związek Othello"})).body["id"]
    plan = {
        "federation": federation,
        "name": "Mistrzostwa Polski",
        "ruleset": "othello-pl-2021",
        "time_zone": "Europe/Warsaw",
        "starts_on": (now().date() + timedelta(days=14)).isoformat(),
        "open": True,
    }
    return str((await operator.act("registration", "/v1/tournaments", plan)).body["id"])


@asynccontextmanager
async def hall(platform: Platform, wanted: CupPlan = CUP) -> AsyncGenerator[Hall]:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        cup = await found(network, now().date(), wanted)
        published = await publish_next(director(network), cup.stage, 1, after=cup.started)
        for scorer in SCORERS[:2]:
            await network.person(scorer).look("results", "/v1/me", after=published.position)
        yield Hall(platform=platform, network=network, cup=cup, games=published.body["pairs"])


@asynccontextmanager
async def phones(platform: Platform, *persons: str) -> AsyncGenerator[Sequence[Phone]]:
    several = [Phone(origin=platform.url("proxy"), person=person) for person in persons]
    try:
        yield several
    finally:
        for phone in several:
            await phone.do("leave")
