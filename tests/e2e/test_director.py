"""The desk of a director: a small tournament from its announcement to the final table, by the keyboard and by the mouse."""

import asyncio
import subprocess
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

import httpx

from deploy import SERVICES
from deploy.demo.cast import PLAYERS as CAST
from deploy.demo.cast import SCORERS
from deploy.demo.client import Services
from deploy.demo.play import connected, publish_next
from deploy.demo.preparation import CupPlan, director
from deploy.demo.preparation import found as prepared
from deploy.tokens import OPERATOR
from shared.clock import now
from shared.rulesets import catalogue
from shared.values import Value
from tests.e2e.test_desk import NODE, PICTURES, WEB, Phone, hall, phones
from tests.integration.launching import Platform
from tests.patience import PATIENCE

PLAYERS = {"Alžbeta Horská": 1942, "Boris Kováčik": 1897, "Cecília Drevená": 1850}
LATE = "Dušan Riečny"
SEASON, IN_SEASON = "Season of 2026", "Season in which it counts"
MISTYPED = {"Alžbeta Horská": "Alžbeta Horskáá"}
SETTLED = 2.5  # seconds, from which on a desk stays where it is
REASON = "Why? Officials read it."
FIND = "Type a name or number; arrows choose, Enter shows"


class Desk(Value):
    """Of one director, at a wide screen."""

    phone: Phone
    network: Services
    link: str

    async def part(self, name: str) -> None:
        await self.phone.do("follow", link=name)

    async def press(self, *buttons: str) -> None:
        for button in buttons:
            await self.phone.do("press", button=button)

    async def fill(self, fields: Mapping[str, str]) -> None:
        for label, words in fields.items():
            await self.phone.do("fill", label=label, **{"with": words})

    async def sees(self, words: str) -> None:
        await self.phone.sees(words)

    async def tournament(self) -> str:
        return str(await self.phone.do("address")).rpartition("tournament=")[2]

    async def seats(self, round_: int, table: int) -> list[str]:
        """Who sits there by now, as pairing has it."""
        path = f"/v1/tournaments/{await self.tournament()}/stages/swiss/rounds/{round_}"
        pairs = (await director(self.network).look("pairing", path))["pairs"]
        return [seat["name"] for pair in pairs if pair["table"] == table for seat in pair["seats"]]

    async def decide(self, round_: int, table: int, *scores: int) -> None:
        """What stands on the sheet, as the director reads it; it is shown which places would move."""
        seats = await self.seats(round_, table)
        await self.phone.do("press", button=seats[0], loosely=True)
        await self.sees(f"Table {table}: {seats[0]}")
        await self.sees("Decide the result")
        if "Why? Officials" not in await self.phone.do("text"):  # of a dispute it is unfolded already
            await self.phone.do("unfold", words="Decide the result")
        await self.say(seats, scores)
        await self.press("Look what it changes")
        await self.sees("would move")
        await self.press("Decide the result")
        await self.sees("Correct the result")
        await asyncio.sleep(SETTLED)
        await self.phone.do("type", keys=["Tab"])  # keys go on at the same table
        await self.phone.is_on("Correct the result")

    async def say(self, seats: list[str], scores: Sequence[int]) -> None:
        await self.fill({f"Score, {name}": str(score) for name, score in zip(seats, scores, strict=True)})
        await self.fill({"Why? Officials read it.": "As the sheet says."})


def test_what_comes_next_and_what_is_typed_of_rooms_and_clocks_are_read_right() -> None:
    ran = subprocess.run(  # noqa: S603 - our own command
        [NODE, "--test", "tests/steps.test.ts", "tests/rooms.test.ts", "tests/periods.test.ts", "tests/zone.test.ts"],
        cwd=WEB,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


async def test_a_director_holds_a_tournament_at_the_desk_alone(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        link = await appointed(platform, network)
        async with phones(platform, "director", "pocket") as (wide, pocket):
            desk = Desk(phone=wide, network=network, link=link)
            await wide.do("arrive", wide=True)
            await wide.open(link)
            await announce(desk)
            await enter(desk)
            await check_in(desk)
            await pair_and_publish(desk)
            await play(desk)
            await look_around(desk, pocket)
            await finish(desk)
            await wide.said_nothing_wrong(link)


async def test_from_anywhere_at_the_desk_another_part_is_a_few_keys_away(platform: Platform) -> None:
    """Some thirty presses of Tab lay between what one worked at and the tabs."""
    async with hall(platform, CupPlan(players=CAST[:4])) as played, phones(platform, "director") as (working,):
        await working.do("arrive", wide=True)
        await working.open(f"{working.origin}{played.director('results')}")
        await working.sees("2 of 2 missing")
        await working.do("fill", label="Table or name", **{"with": ""})
        await working.do(
            "type", keys=["Shift+Tab", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Enter"]
        )
        await working.sees("What comes next")
        await working.sees("To the results")  # by which it is said what comes next, once that has come
        await working.do("unfold", words="Cancel the tournament")
        await working.do("type", keys=["Tab", "Tab"])
        await working.is_on("Parts of the desk")
        await working.do("type", keys=["Tab"] * 4)  # behind the last of the page, where it begins again
        await working.is_on("Skip to the content")
        await working.do("type", keys=["Enter", "Tab"])
        await working.is_on("Enter results")
        await working.do("unfold", words="Cancel the tournament")  # which folds it again
        await working.do("type", keys=["Tab", "Enter", "ArrowRight", "Enter"])
        await working.sees("Type a name or number")
        await working.is_on("Entrants")
        assert await working.do("faults") == []


async def test_letters_of_twice_the_size_break_no_name_at_the_desk(platform: Platform) -> None:
    """Names beside a score, a number or a field were two letters wide, and fields and codes went beyond their cards."""
    async with hall(platform, CupPlan(players=CAST[:4])) as played, phones(platform, "director") as (pocket,):
        told = {"scores": [421, 377]}
        await director(played.network).act("results", f"{played.cup.stage}/rounds/1/tables/1/reports", told)
        await pocket.do("arrive")
        await pocket.open(f"{pocket.origin}{played.director('results')}")
        await pocket.do("letters", size=32)
        for part, words in (
            ("results", "waits"),
            ("pairing", "Table"),
            ("scoring", "Enter a result"),
            ("links", "Make"),
        ):
            await pocket.open(f"{pocket.origin}{played.director(part)}")
            await pocket.sees(words)
            if part == "results":
                await pocket.do("press", button=played.cup.players[played.seats(1)[0]].name, loosely=True)
                await pocket.sees("What has been said")
            if part == "links":
                await pocket.do("press", button="Make links")
                await pocket.sees("Scan it")
            assert await pocket.do("sideways") <= 0, part
            assert await pocket.do("broken") == [], part


async def test_the_desk_stays_at_the_tournament_that_somebody_works_at(platform: Platform) -> None:
    """Also when one is announced that is sooner, with which a desk begins that is opened from then on."""
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        subject, federation = await founded(network)

        async def announced(name: str, days: int) -> None:
            day = (now().date() + timedelta(days=days)).isoformat()
            plan = {"federation": federation, "name": name, "ruleset": "othello-pl-2021", "starts_on": day}
            about = plan | {"time_zone": "Europe/Bratislava"}
            await director(network).act("registration", "/v1/tournaments", about)

        await announced("Jesenný pohár", 7)
        link = platform.run("token", subject, "--link").stdout.strip()
        async with phones(platform, "director", "another") as (working, opening):
            await working.open(link)
            await working.sees("Jesenný pohár")
            await working.do("unfold", words="Appoint an official")
            await working.do("fill", label="Account", **{"with": "arbiter-2"})
            await asyncio.sleep(SETTLED)
            await announced("Letný pohár", 3)
            await opening.open(link)
            await opening.sees("Letný pohár")
            await working.do("press", button="Appoint an official")
            await working.sees("Jesenný pohár Draft Tournament Letný pohár")  # as soon as there are two to choose from
            await opening.sees("Letný pohár Draft Tournament")


async def test_nobody_announces_without_what_a_field_on_its_way_would_have_asked(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        subject, federation = await founded(network)
        await with_season(network, federation)
        async with phones(platform, "director") as (working,):
            await working.do("network", on=True, late="seasons")
            await working.do("network", on=True, late="rulesets/scrabble-sk-2022-qt")
            await working.open(platform.run("token", subject, "--link").stdout.strip())
            await working.sees("Name of the tournament")
            day = (now().date() + timedelta(days=14)).isoformat()
            await working.do("fill", label="Day of the first round", **{"with": day})
            rules = "Scrabble: Slovak Scrabble: live qualifying tournament"
            await working.do("choose", label="Rules of play", option=rules)
            await working.do("fill", label="Name of the tournament", **{"with": "Dunajský pohár"})
            await working.do("type", keys=["Enter"])
            for asked in ("Competition", IN_SEASON):
                await working.sees(asked)
            await working.do("choose", label=IN_SEASON, option=SEASON)
            await working.do(
                "choose", label="Rules of play", option="Scrabble: Slovak Scrabble: online qualifying tournament"
            )
            await working.sees("As what it counts there")  # so a season is still chosen, whatever is played
            await working.do("choose", label="Rules of play", option=rules)
            await working.do("press", button="Announce a tournament")
            await working.sees("Enter who plays")


async def test_the_opening_of_games_of_gomoku_is_announced_at_the_desk(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        subject, _ = await founded(network)
        async with phones(platform, "director") as (working,):
            await working.open(platform.run("token", subject, "--link").stdout.strip())
            await working.sees("Name of the tournament")
            day = (now().date() + timedelta(days=14)).isoformat()
            await working.do("fill", label="Day of the first round", **{"with": day})
            await working.do("fill", label="Name of the tournament", **{"with": "Brněnské piškvorky"})
            await working.do("choose", label="Rules of play", option=f"Gomoku: {catalogue.load('gomoku-cfp').title}")
            await working.do("choose", label="Opening of each game", option="PRO")
            await working.do("fill", label="Its time", **{"with": "10:00"})
            await working.do("press", button="Announce a tournament")
            await working.sees("Enter who plays")
            cup = parse_qs(urlsplit(await working.do("address")).query)["tournament"][0]
        announced = await director(network).look("registration", f"/v1/tournaments/{cup}")
        assert announced["options"]["contest.opening"] == "pro"


async def with_season(network: Services, federation: str) -> None:
    wanted = {"name": SEASON, "rules": "scrabble-sk-2022"}
    await director(network).act("registration", f"/v1/federations/{federation}/seasons", wanted)


class SlowRegister(Value):
    """Entries are open at a federation that knows one person; of whom it knows, the desk hears late."""

    network: Services
    cup: str
    known: str
    working: Phone

    async def persons(self) -> list[str]:
        entered = await director(self.network).look("registration", f"/v1/tournaments/{self.cup}/entrants")
        return [one["id"] for entry in entered["items"] for one in entry["persons"]]


@asynccontextmanager
async def slow_register(platform: Platform) -> AsyncGenerator[SlowRegister]:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        subject, federation = await founded(network)
        person = {"federation": federation, "name": LATE}
        known = (await director(network).act("registration", "/v1/persons", person)).body["id"]
        day = (now().date() + timedelta(days=14)).isoformat()
        about = {"federation": federation, "name": "Jarný pohár", "ruleset": "othello-pl-2021"}
        plan = about | {"time_zone": "Europe/Bratislava", "starts_on": day, "open": True}
        cup = (await director(network).act("registration", "/v1/tournaments", plan)).body["id"]
        async with phones(platform, "director") as (working,):
            await working.open(platform.run("token", subject, "--link").stdout.strip())
            await working.sees("Enter who plays")
            await working.do("press", button="Enter who plays")
            await working.is_on("Name")
            await working.do("network", on=True, late="persons?limit=500")
            yield SlowRegister(network=network, cup=cup, known=known, working=working)


async def test_whom_the_federation_knows_is_not_registered_twice_because_its_register_is_slow(
    platform: Platform,
) -> None:
    async with slow_register(platform) as desk:
        await desk.working.do("type", keys=[LATE, "Enter"])
        await desk.working.sees("The federation knows them")
        await desk.working.do("press", button=LATE)
        await desk.working.do("press", button="Enter somebody")
        await desk.working.sees("All 1")
        assert await desk.persons() == [desk.known]


async def test_whoever_types_faster_than_the_register_comes_has_entered_somebody(platform: Platform) -> None:
    """The key was pressed for nothing, and the desk stood there as if it had not been."""
    async with slow_register(platform) as desk:
        await desk.working.do("type", keys=["Elena Skorá", "Tab", "1800", "Enter"])
        await desk.working.sees("All 1")
        await desk.working.sees("Elena Skorá")
        assert len(await desk.persons()) == 1


async def test_a_ruling_that_is_half_typed_stays_when_the_next_round_comes(platform: Platform) -> None:
    async with hall(platform, CupPlan(players=CAST[:4])) as played, phones(platform, "director") as (working,):
        scorer, path = played.network.person(SCORERS[0]), f"{played.cup.stage}/rounds/1"
        said = {"scores": [400, 350], "signed_by": [0, 1]}
        await scorer.act("results", f"{path}/tables/1/reports", said)
        reported = await scorer.act("results", f"{path}/tables/2/reports", said)
        await working.do("arrive", wide=True)
        await working.open(f"{working.origin}{played.director('results')}")
        await working.sees("0 of 2 missing")
        await working.do("press", button=played.cup.players[played.seats(1)[0]].name, loosely=True)
        await working.do("unfold", words="Correct the result")
        await working.do("fill", label="Why? Officials read it.", **{"with": "As the sheet says."})
        await publish_next(director(played.network), played.cup.stage, 2, after=reported.position)
        await working.sees("Round 2")
        assert await working.do("value", label="Why? Officials read it.") == "As the sheet says."


async def test_a_person_of_a_team_is_expelled_at_the_desk_and_taken_back(platform: Platform) -> None:
    async with (
        connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network,
        phones(platform, "director") as (working,),
    ):
        cup = await prepared(network, now().date(), CupPlan(ruleset="pisqworky-2025-ss-kt", players=CAST[:8]))
        drawn = await director(network).act("pairing", f"{cup.stage}/groups/draw", after=cup.started)
        published = await publish_next(director(network), cup.stage, 1, after=drawn.position)
        path = f"/v1/tournaments/{cup.id}/penalties"
        await director(network).look("results", path, after=published.position)

        async def expelled() -> list[str]:
            return list((await director(network).look("results", path))["persons_expelled"])

        team = next(iter(cup.players.values())).name
        await working.do("arrive", wide=True)
        await working.open(f"{working.origin}/desk/people?tournament={cup.id}#token={network.token(OPERATOR)}")
        await working.do("fill", label=FIND, **{"with": team})
        await working.do("type", keys=["Enter"])
        await working.do("unfold", words="Expel a person of the team")
        await working.do("choose", label="Name", option=team)
        await working.do("fill", label=REASON, **{"with": "Told the others where to play."})
        await working.do("press", button="Expel a person of the team")
        await working.sees("Take back the expulsion of")
        assert len(await expelled()) == 1
        await working.do("unfold", words="Take back the expulsion of")
        await working.do("fill", label=REASON, **{"with": "It was somebody else."})
        await working.do("press", button="Take back the expulsion of", loosely=True)
        await working.sees("Done: Take back the expulsion of")
        assert await expelled() == []


async def test_whoever_takes_a_later_round_off_as_well_is_not_taken_for_who_was_answered_before(
    platform: Platform,
) -> None:
    """The answer to the first was lost, so that the same would be sent once more by the same key."""
    async with hall(platform, CupPlan(players=CAST[:4])) as played, phones(platform, "director") as (working,):
        scorer, away = played.network.person(SCORERS[0]), played.seats(1)[0]
        await working.do("arrive", wide=True)
        await working.open(f"{working.origin}{played.director('people')}")
        await working.do("fill", label=FIND, **{"with": played.cup.players[away].name})
        await working.do("type", keys=["Enter"])
        await working.do("network", on=True, silent=True, act="absent")
        await takes_off(working)
        await working.sees("not in round 2")  # asked for at once, as nobody knows what became of it
        await working.do("network", on=True)
        said = {"scores": [400, 350], "signed_by": [0, 1]}
        await scorer.act("results", f"{played.cup.stage}/rounds/1/tables/1/reports", said)
        reported = await scorer.act("results", f"{played.cup.stage}/rounds/1/tables/2/reports", said)
        published = await publish_next(director(played.network), played.cup.stage, 2, after=reported.position)
        await scorer.look("results", "/v1/me", after=published.position)
        await scorer.act("results", f"{played.cup.stage}/rounds/2/tables/1/reports", said)
        await takes_off(working)
        await working.sees("not in round 3")


async def takes_off(working: Phone) -> None:
    await working.do("unfold", words="Takes the next round off")
    await working.do("press", button="Look what it changes")
    await working.sees("Cancel")
    await asyncio.sleep(SETTLED)  # a second press of two would not count
    await working.do("press", button="Takes the next round off")


async def appointed(platform: Platform, network: Services) -> str:
    """Somebody who directs nothing yet."""
    subject, federation = await founded(network)
    await director(network).act("registration", "/v1/persons", {"federation": federation, "name": LATE})
    return platform.run("token", subject, "--link").stdout.strip()


async def founded(network: Services) -> tuple[str, str]:
    """A federation, and whoever directs its tournaments."""
    subject = f"director-{now().timestamp():.0f}"
    body = {"name": "Klub pri Dunaji", "officials": [{"subject": subject, "role": "director"}]}
    return subject, (await director(network).act("registration", "/v1/federations", body)).body["id"]


async def announce(desk: Desk) -> None:
    await desk.sees("Name of the tournament")
    await desk.phone.look("director-announce")
    day = now().date() + timedelta(days=14)
    await desk.fill({"Name of the tournament": "Dunajský pohár", "Day of the first round": day.isoformat()})
    await desk.phone.do("choose", label="Rules of play", option="Scrabble: Slovak Scrabble: live qualifying tournament")
    await desk.phone.do("choose", label="Competition", option="live")
    await desk.press("Another fee")
    await desk.fill({"Amount": "13"})
    await desk.phone.look("director-announce-rules")
    await desk.phone.do("choose", label="Time zone", option="Europe/Prague")
    await desk.fill({"So many places; empty: as many as the rules have": "twelve"})
    await desk.press("Announce a tournament")
    assert await desk.phone.do("refused", label="So many places; empty: as many as the rules have") == (
        "Write a number here, such as 12."
    )
    await desk.fill({"So many places; empty: as many as the rules have": ""})
    await desk.press("Announce a tournament")
    await desk.sees("Enter who plays")


async def enter(desk: Desk) -> None:
    """By the keyboard, and out of a spreadsheet."""
    await desk.press("Enter who plays")
    *typed, (filed, rated) = PLAYERS.items()
    await desk.phone.do("listen")
    for name, rating in typed:  # without a look at the page: keys begin in the first field, and again after each
        await desk.phone.is_on("Name")
        await desk.phone.do("type", keys=[MISTYPED.get(name, name), "Tab", str(rating), "Enter"])
        await desk.sees(name)
    await desk.sees("All 2")
    assert (await desk.phone.do("heard")).count("Done: Enter somebody") == len(typed)  # the same words are heard again
    assert "Lack something" not in await desk.phone.do("text")  # nobody can be checked in yet
    await correct_a_name(desk)
    await desk.phone.do("unfold", words="Take in a spreadsheet of entries")
    await desk.phone.do("file", label="Choose a file", name="entries.csv", content=f"name,rating\n{filed},{rated}\n")
    await desk.press("Look what it changes")
    await desk.sees("It would change")
    await desk.phone.look("director-spreadsheet")
    await desk.press("Take in a spreadsheet of entries")
    await desk.sees(filed)


async def check_in(desk: Desk) -> None:
    """By the keyboard, with a payment, and somebody who comes when entries have closed."""
    await desk.part("Now")
    await desk.phone.do("unfold", words="Appoint an official")
    await desk.fill({"Account": "arbiter-1"})
    await desk.press("Appoint an official")
    await desk.sees("arbiter-1")
    await desk.press("Dismiss: arbiter-1, arbiter")
    await desk.phone.do("await", words="arbiter-1", gone=True)
    await desk.fill({"Account": "arbiter-1"})
    await desk.press("Appoint an official")
    await desk.sees("arbiter-1")
    await desk.press("Close entries and open check-in")
    await desk.sees("Nobody is there yet")
    assert "Start all the same" not in await desk.phone.do("text")
    await desk.press("Open entries again")
    await desk.sees("Close entries and open check-in")
    await desk.phone.do("press", button="Close entries and open check-in", twice=True)
    await desk.sees("3 entrants have not checked in")
    await desk.phone.look("director-blocked")
    await desk.part("Entrants")
    await desk.phone.do(
        "fill",
        label="Type a name; arrows choose, Enter checks in, Shift and Enter shows all about them",
        **{"with": ""},
    )
    await desk.phone.do("type", keys=["alzb", "Enter"])
    await desk.sees("Alžbeta Horská is checked in.")
    await desk.phone.do("type", keys=["ArrowDown", "ArrowDown", "Enter"])
    await desk.sees("Boris Kováčik is checked in.")
    await desk.phone.do("type", keys=["cec", "Enter"])
    await desk.sees("3 of 3 are there")
    await desk.phone.do("unfold", words="Record payment of 13 EUR")
    await desk.fill({"Number of the receipt, or of the bank": "R-1"})
    await desk.press("Record payment of 13 EUR")
    await desk.sees("Paid 13 EUR (R-1)")
    await desk.phone.do("unfold", words="Admit a late comer")
    await desk.fill({"Name": "dusan"})
    await desk.sees(LATE)  # whom the federation knows
    await desk.phone.do("type", keys=["ArrowDown", "Enter"])
    await desk.phone.is_on("Rating")
    await desk.phone.do("type", keys=["1833", "Enter"])
    await desk.sees("4 of 4 are there")
    await desk.sees("Rating 1,833")  # who has just come in is shown
    await desk.phone.look("director-entries")
    await desk.part("Now")
    await desk.press("Start the tournament")


async def correct_a_name(desk: Desk) -> None:
    await desk.phone.do("fill", label=FIND, **{"with": "nobody"})
    await desk.phone.do(
        "type", keys=["Enter", "alz", "Enter"]
    )  # the next name takes the place of the one that nobody has
    ((right, wrong),) = MISTYPED.items()
    await desk.phone.do("unfold", words="Correct the name")
    await desk.phone.do("type", keys=["Tab", "Control+A", right, "Enter"])
    await desk.phone.do("await", words=wrong, gone=True)
    await desk.sees("Done: Correct the name")
    await desk.phone.is_on("Correct the name")
    await desk.phone.do("fill", label=FIND, **{"with": ""})


async def pair_and_publish(desk: Desk) -> None:
    """Within three clicks, once it is the turn of the round."""
    await desk.sees("Pair round 1 (Round robin)")
    await desk.phone.do("press", button="Pair round 1 (Round robin)", twice=True)
    await desk.sees("How it was paired")
    await desk.phone.look("director-draft")
    before = await desk.seats(1, 1), await desk.seats(1, 2)
    await by_dragging(desk, before[0][0], before[1][0])
    await by_keys(desk, before[0][0], before[1][0])
    if PICTURES:
        await desk.phone.do("picture", path=f"{PICTURES}/director-paper.png", paper=True)
    await desk.press("Print")
    assert await desk.phone.do("printed") == 1
    await desk.press("Publish round 1")
    await desk.sees("published")
    await desk.sees("Done: Publish round 1")
    assert "Slips" in await desk.phone.do("text")


async def by_dragging(desk: Desk, one: str, other: str) -> None:
    await desk.phone.do("drag", **{"from": one, "to": other})
    await desk.sees(f"{one} and {other} change places")
    await desk.sees("Worth knowing")
    await desk.phone.look("director-swap")
    await desk.press("Change places")
    await desk.sees("Changed by hand.")
    assert one in await desk.seats(1, 2)


async def by_keys(desk: Desk, one: str, other: str) -> None:
    """Back to where they were, from where the hands are: Enter takes up, arrows go on, Enter lays down."""
    await desk.phone.is_in("seat-")
    await desk.phone.do("type", keys=["Enter", "ArrowUp", "ArrowUp", "Enter"])
    await desk.sees(f"{one} and {other} change places")
    await desk.sees("It breaks no rule.")
    await desk.phone.do("type", keys=["Enter"])
    await desk.sees(f"Done: {one} and {other} change places")  # as they did before, so it may be of then
    async with asyncio.timeout(PATIENCE):
        while one not in await desk.seats(1, 1):
            await asyncio.sleep(0.1)


async def play(desk: Desk) -> None:
    """A dispute as it comes, a correction, and whatever else stands on the sheets."""
    await desk.part("Results")
    await desk.sees("2 of 2 missing")
    await dispute(desk)
    await desk.sees("an official has to decide")
    await desk.phone.do("press", button=(await desk.seats(1, 1))[0], loosely=True)
    await desk.sees("421 to 387")
    await desk.phone.look("director-disputed")
    await set_a_clock(desk)
    await desk.decide(1, 1, 421, 377)
    await desk.decide(1, 2, 350, 401)
    await correct(desk)
    await protest(desk)
    await govern(desk)
    for round_ in (2, 3):
        await desk.part("Now")
        await desk.sees(f"Pair round {round_} (Round robin)")
        await desk.press(f"Pair round {round_} (Round robin)")
        await desk.sees("How it was paired")
        if round_ == 2:  # so soon after the one before takes a reason, which is kept for the next
            await desk.sees("after the rest that the rules give")
            await desk.phone.look("director-reason")
            await desk.phone.do("choose", label="It begins", option="at once: Announced so")
        await desk.press(f"Publish round {round_}")
        await desk.sees("published")
        await desk.part("Results")
        for table in (1, 2):
            await desk.decide(round_, table, 390 + round_, 365 + table)


async def set_a_clock(desk: Desk) -> None:
    await desk.phone.do("press", button=(await desk.seats(1, 2))[0], loosely=True)
    await desk.phone.do("unfold", words="Change a clock")
    await desk.fill({"Minutes more, or fewer: -9": "-9"})
    await desk.press("Change a clock")
    await desk.sees("13 min")
    await desk.phone.look("director-clock")


async def protest(desk: Desk) -> None:
    """Of one player; the director and the two others decide."""
    first, protesting, third = PLAYERS
    await desk.phone.do("unfold", words="Write down a protest")
    await desk.phone.do("choose", label="Who protests", option=protesting)
    await desk.fill({"What it is about": "The bag was not covered."})
    await desk.press("Write down a protest")
    await desk.sees("to be decided")
    await desk.phone.do("unfold", words="Decide the protest")
    await desk.phone.do("choose", label="Chief judge", option="arbiter-1")
    for member, name in (("Member 2", first), ("Member 3", third)):
        await desk.phone.do("choose", label=member, option=name)
    for who, vote in (("Chief judge", "against it"), ("Member 2", "for it"), ("Member 3", "against it")):
        await desk.phone.do("choose", label=f"Vote: {who}", option=vote)
    await desk.fill({"Why? Officials read it.": "Nobody saw it."})
    await desk.phone.look("director-protest")
    await desk.press("Decide the protest")
    await desk.sees("dismissed")


async def dispute(desk: Desk) -> None:
    """Two captains of whom one says that the other is wrong."""
    path = f"/v1/tournaments/{await desk.tournament()}"
    pairs = (await director(desk.network).look("pairing", f"{path}/stages/swiss/rounds/1"))["pairs"]
    entrants = [seat["entrant"] for seat in pairs[0]["seats"]]
    issued = await director(desk.network).act("registration", f"{path}/captain-tokens", {"entrants": entrants})
    first, second = (one["link"].partition("#token=")[2] for one in issued.body["items"])
    game = f"{desk.phone.origin}/results/v1/games/{pairs[0]['game']}"
    async with httpx.AsyncClient(timeout=PATIENCE) as captains:
        for token, act, said in (
            (first, "reports", {"scores": [421, 377]}),
            (second, "dispute", {"reason": "421 to 387"}),
        ):
            answer = await captains.post(f"{game}/{act}", json=said, headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code == HTTPStatus.OK, answer.text


async def correct(desk: Desk) -> None:
    """What it changes is shown before it is done."""
    await desk.phone.do("unfold", words="Correct the result")
    assert [await desk.phone.do("value", label=f"Score, {name}") for name in await desk.seats(1, 2)] == ["350", "401"]
    await desk.say(await desk.seats(1, 2), (450, 401))
    await desk.press("Look what it changes")
    await desk.sees("Places that would move")
    await desk.phone.look("director-correction")
    await desk.press("Correct the result")
    await desk.sees("corrected")


async def govern(desk: Desk) -> None:
    """Somebody takes a round off and comes all the same, and is warned."""
    await desk.part("Entrants")
    await desk.phone.do("fill", label=FIND, **{"with": "boris"})
    await desk.phone.do("type", keys=["Enter"])
    await desk.phone.do("unfold", words="Takes the next round off")
    await desk.press("Look what it changes")
    await desk.sees("It would change")
    await desk.phone.look("director-entrant")
    await desk.press("Takes the next round off")
    await desk.sees("Is there in round 2 after all")
    await desk.sees("not in round 2")
    await desk.phone.do("await", words="Takes the next round off Withdraws", gone=True)
    await desk.phone.is_on("Boris Kováčik")
    await desk.press("Is there in round 2 after all")
    await desk.phone.do("await", words="not in round 2", gone=True)
    await desk.phone.do("unfold", words="Warn")
    await desk.fill({"Why? Officials read it.": "He spoke during the game."})
    await desk.press("Warn")
    await desk.sees("Was warned 1 time.")


async def finish(desk: Desk) -> None:
    await desk.part("Pairing")
    await desk.phone.do("unfold", words="Name the rooms")
    await desk.fill({"Name the rooms and their tables": "Library: L1-2"})
    await desk.press("Name the rooms and their tables")
    await desk.sees("Table L1")
    await desk.part("Now")
    for step in ("Close the stage (Round robin)", "Begin the review", "Complete the tournament"):
        await desk.sees(step)
        await desk.press(step)
    await desk.sees("The tournament is over")
    of = (await director(desk.network).look("registration", f"/v1/tournaments/{await desk.tournament()}"))["federation"]
    register = (await director(desk.network).look("registration", f"/v1/federations/{of}/persons"))["items"]
    assert [person["name"] for person in register].count(LATE) == 1
    final = await desk.network.anybody().look("standings", f"/v1/tournaments/{await desk.tournament()}/final")
    assert len(final["standings"]) == len(PLAYERS) + 1


async def look_around(desk: Desk, pocket: Phone) -> None:
    """The same on a phone, in another language and in the dark."""
    await pocket.do("arrive", language="sk", theme="dark")
    parts = {
        "": "Uzavrieť fázu",
        "/people": "Alžbeta",
        "/pairing": "Alžbeta",
        "/results": "Alžbeta",
        "/announce": "Pravidlá",
    }
    for part, words in parts.items():
        await pocket.open(desk.link.replace("/desk", f"/desk{part}"))
        await pocket.sees(words)
        await pocket.look(f"director-phone{part.replace('/', '-')}")
