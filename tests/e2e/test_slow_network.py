"""The desk where each answer takes seconds, and fingers do not wait: in a real browser."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from deploy import SERVICES
from deploy.demo.cast import PLAYERS as CAST
from deploy.demo.cast import SCORERS
from deploy.demo.client import Services
from deploy.demo.play import connected, publish_next, round_is_over
from deploy.demo.preparation import CupPlan, director
from deploy.tokens import OPERATOR
from shared.clock import now
from shared.values import Value
from tests.e2e.test_desk import Hall, Phone, hall, phones
from tests.integration.launching import Platform

LATE = 2_500  # milliseconds that something is on its way
OVER = 5.0  # seconds after which it has come, and been drawn
FIND_ANY = "Type a name or number; arrows choose, Enter shows"
FIND = "Type a name; arrows choose, Enter checks in, Shift and Enter shows all about them"
RECEIPT = "Number of the receipt, or of the bank"
TELL = "Tell all players something"
ALZBETA, BORIS, CECILIA = "Alžbeta Horská", "Boris Kováčik", "Cecília Drevená"


class Desk(Value):
    """Of a director, at a tournament that has not started."""

    network: Services
    cup: str
    phone: Phone

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.cup}"

    async def act(self, way: str, body: Any = None) -> Any:
        return (await director(self.network).act("registration", f"{self.path}{way}", body)).body

    async def look(self, way: str = "") -> Any:
        return await director(self.network).look("registration", f"{self.path}{way}")

    async def enter(self, name: str) -> str:
        return str((await self.act("/entrants", {"person": {"name": name}}))["id"])

    async def entered(self) -> dict[str, str]:
        """Who has entered, and what became of them."""
        items = (await self.look("/entrants"))["items"]
        return {one["persons"][0]["name"]: one["status"] for one in items}

    async def open(self, part: str) -> None:
        await self.phone.do("arrive", wide=True)
        link = f"/desk/{part}?tournament={self.cup}#token={self.network.token(OPERATOR)}"
        await self.phone.open(f"{self.phone.origin}{link}")

    async def slow(self, asks: str, *, late: int = LATE) -> None:
        await self.phone.do("network", on=True, slow=late, asks=asks)

    async def types(self, *keys: str) -> None:
        await self.phone.do("type", keys=keys)

    async def press(self, button: str) -> None:
        await self.phone.do("press", button=button)


@asynccontextmanager
async def desk(platform: Platform, *, entered: Sequence[str] = (), check_in: bool = False) -> AsyncGenerator[Desk]:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        offices = [{"subject": OPERATOR, "role": "director"}]
        founded = {"name": "Klub za horami", "officials": offices}
        federation = (await director(network).act("registration", "/v1/federations", founded)).body["id"]
        plan = {
            "federation": federation,
            "name": "Zimný pohár",
            "ruleset": "othello-pl-2021",
            "time_zone": "Europe/Bratislava",
            "starts_on": (now().date() + timedelta(days=14)).isoformat(),
            "first_round": "10:00",
            "open": True,
        }
        cup = (await director(network).act("registration", "/v1/tournaments", plan)).body["id"]
        async with phones(platform, "director") as (phone,):
            found = Desk(network=network, cup=cup, phone=phone)
            for name in entered:
                await found.enter(name)
            if check_in:
                await found.act("/open-check-in")
            yield found


@asynccontextmanager
async def over(platform: Platform, players: int = 4) -> AsyncGenerator[Hall]:
    """The first round has been played, and the next one can be paired."""
    async with hall(platform, CupPlan(players=CAST[:players])) as played:
        scorer, round_ = played.network.person(SCORERS[0]), f"{played.cup.stage}/rounds/1"
        for table in range(1, players // 2 + 1):
            said = {"scores": [400, 350], "signed_by": [0, 1]}
            await scorer.act("results", f"{round_}/tables/{table}/reports", said)
        await round_is_over(played.network.anybody(), played.cup.stage, 1)
        yield played


async def test_whoever_checks_in_the_next_before_the_answer_has_checked_in_both(platform: Platform) -> None:
    """The second key was pressed for nothing, and the name that was typed went away when the first answer came."""
    async with desk(platform, entered=(ALZBETA, BORIS, CECILIA), check_in=True) as at:
        await at.open("people")
        await at.phone.sees("0 of 3 are there")
        await at.slow("check-in")
        await at.phone.do("fill", label=FIND, **{"with": "alz"})
        await at.types("Enter", "bor", "Enter", "cec")
        await at.phone.sees("2 of 3 are there")
        assert await at.phone.do("value", label=FIND) == "cec"
        assert (await at.entered())[CECILIA] == "entered"


async def test_a_reference_that_is_corrected_while_its_payment_is_on_its_way_is_not_lost_unseen(
    platform: Platform,
) -> None:
    """The fields went away with the first payment, and with them that the second was refused: it counts once."""
    async with desk(platform, entered=(ALZBETA,)) as at:
        await at.open("people")
        await at.phone.do("fill", label=FIND_ANY, **{"with": "alz"})
        await at.types("Enter")
        await at.phone.do("unfold", words="Record payment of 150 PLN")
        await at.slow("payments")
        for reference in ("12", "21"):
            await at.phone.do("fill", label=RECEIPT, **{"with": reference})
            await at.types("Enter")
        await at.phone.sees("Paid 150 PLN (12)")
        await at.phone.sees("Nothing is due.")
        assert await at.phone.do("value", label=RECEIPT) == "21"
        await at.phone.do("fill", label=RECEIPT, **{"with": ""})
        await at.phone.do("await", words="Nothing is due.", gone=True)
        await at.phone.is_on(ALZBETA)  # for the field that had the keys has gone


async def test_a_payment_that_was_recorded_wrongly_is_taken_off_and_recorded_anew(platform: Platform) -> None:
    """Its number stood there for ever, and what a council had decided to give back could only be sent by a program."""
    async with desk(platform, entered=(ALZBETA,)) as at:
        await at.open("people")
        await at.phone.do("fill", label=FIND_ANY, **{"with": "alz"})
        await at.types("Enter")
        await record_payment(at, "12")
        await at.phone.do("unfold", words="Take off or give back: 150 PLN (12)")
        await at.phone.do("choose", label="Reason", option="It was recorded wrongly, and is taken off")
        await at.press("Take off or give back: 150 PLN (12)")
        await at.phone.sees("Given back 150 PLN (12)")
        await record_payment(at, "21")
        await at.phone.do("unfold", words="Take off or give back: 150 PLN (21)")
        await at.phone.do("choose", label="Reason", option="The council has decided so")
        await at.phone.do("fill", label="Amount (PLN)", **{"with": "50"})
        await at.phone.do("fill", label=RECEIPT, **{"with": "B-7"})
        await at.types("Enter")
        await at.phone.sees("Given back 50 PLN (B-7)")
        await at.phone.sees("Record payment of 50 PLN")  # so much is open again, as the rules have it
        assert await at.phone.do("faults") == []


async def record_payment(at: Desk, reference: str) -> None:
    await at.phone.do("unfold", words="Record payment of 150 PLN")
    await at.phone.do("fill", label=RECEIPT, **{"with": reference})
    await at.types("Enter")
    await at.phone.sees(f"Paid 150 PLN ({reference})")


async def test_what_is_typed_on_after_a_look_is_looked_at_again_at_once(platform: Platform) -> None:
    """For half a second Enter did nothing, as if it were for what had stood there."""
    async with over(platform) as played, phones(platform, "director") as (phone,):
        await phone.do("arrive", wide=True)
        await phone.open(f"{phone.origin}{played.director('results')}")
        await phone.do("press", button=played.cup.players[played.seats(1)[0]].name, loosely=True)
        await phone.do("unfold", words="Correct the result")
        await phone.do("fill", label=f"Score, {played.cup.players[played.seats(1)[0]].name}", **{"with": "500"})
        await phone.do("fill", label="Why? Officials read it.", **{"with": "As the sheet says"})
        await phone.do("type", keys=["Enter"])
        await phone.sees("Cancel")
        await asyncio.sleep(1)
        await phone.do("type", keys=[".", "Enter"])
        await asyncio.sleep(1)
        await phone.sees("Cancel")


async def test_enter_pressed_twice_checks_in_nobody_else(platform: Platform) -> None:
    """The first of the list was, as soon as the field was empty again."""
    async with desk(platform, entered=(ALZBETA, BORIS), check_in=True) as at:
        await at.open("people")
        await at.phone.sees("0 of 2 are there")
        await at.phone.do("fill", label=FIND, **{"with": "bor"})
        await at.types("Enter")
        await at.phone.sees("Boris Kováčik is checked in.")
        await at.types("Enter")
        await asyncio.sleep(OVER / 2)
        assert (await at.entered())[ALZBETA] == "entered"


async def test_who_was_chosen_is_checked_in_whoever_comes_before_them_meanwhile(platform: Platform) -> None:
    async with desk(platform, entered=(BORIS, CECILIA), check_in=True) as at:
        await at.open("people")
        await at.phone.sees("0 of 2 are there")
        await at.phone.do("fill", label=FIND, **{"with": ""})
        await at.types("ArrowDown", "ArrowDown")
        late = {"person": {"name": ALZBETA}, "decision": "excused"}
        await at.act("/entrants/admit", late)
        await at.phone.sees(ALZBETA)
        await at.types("Enter")
        await at.phone.sees("is checked in.")
        found = await at.entered()
        assert (found[BORIS], found[CECILIA]) == ("entered", "checked-in")


async def test_whoever_enters_the_next_before_the_answer_has_entered_both(platform: Platform) -> None:
    """The second was not sent, and their name was emptied with that of the first."""
    async with desk(platform) as at:
        await at.open("people")
        await at.phone.do("fill", label="Name", **{"with": ALZBETA})
        await asyncio.sleep(OVER / 2)
        await at.slow("entrants")
        await at.types("Enter", "Control+A", BORIS, "Enter")
        await at.phone.sees("All 2")
        assert {*await at.entered()} == {ALZBETA, BORIS}


async def test_what_is_typed_for_the_next_stays_when_the_first_is_answered(platform: Platform) -> None:
    async with desk(platform) as at:
        await at.open("people")
        await at.phone.do("fill", label="Name", **{"with": ALZBETA})
        await asyncio.sleep(OVER / 2)
        await at.slow("entrants")
        await at.types("Enter", "Control+A", BORIS, "Tab", "17")
        await at.phone.sees("All 1")
        await at.types("00")
        assert await at.phone.do("value", label="Name") == BORIS
        assert await at.phone.do("value", label="Rating") == "1700"


async def test_keys_stay_where_somebody_types_when_the_list_comes(platform: Platform) -> None:
    """The field above the list took them, where they check somebody in."""
    async with desk(platform, entered=(BORIS,)) as at:
        await at.open("")
        await at.phone.sees("Have entered")
        await at.slow("entries*")
        await at.press("Have entered: 1")
        await at.phone.do("unfold", words="Enter somebody")
        await at.types("Tab", "alz")
        await at.phone.sees("All 1")
        await at.types("beta")
        assert await at.phone.do("value", label="Name") == "alzbeta"


async def test_a_plan_that_is_changed_leaves_what_somebody_else_has_changed_meanwhile(platform: Platform) -> None:
    """The form was as it had been when the page was opened, and took the new hour away again."""
    async with desk(platform) as at:
        await at.open("")
        await at.phone.sees("Change what was announced")
        await at.act("/change-plan", {"first_round": "10:30", "reason": {"code": "director"}})
        await at.phone.do("unfold", words=TELL)
        await at.phone.do("fill", label="Everybody reads it", **{"with": "It begins later."})
        await at.press(TELL)  # after which all is asked anew
        await at.phone.sees(f"Done: {TELL}")
        await asyncio.sleep(OVER / 2)
        await at.phone.do("unfold", words="Change what was announced")
        await at.phone.do("fill", label="Place", **{"with": "Kultúrny dom"})
        await at.press("Change what was announced")
        await at.phone.sees("Done: Change what was announced")
        found = await at.look()
        assert (found["place"], found["first_round"][:5]) == ("Kultúrny dom", "10:30")


async def test_an_entry_that_is_withdrawn_by_its_player_says_that_it_is_on_its_way(platform: Platform) -> None:
    async with desk(platform) as at:
        entrant = await at.enter(ALZBETA)
        issued = await at.act("/captain-tokens", {"entrants": [entrant]})
        await at.phone.open(issued["items"][0]["link"])
        await at.phone.sees("Withdraw the entry")
        await at.slow("withdraw")
        await at.press("Withdraw the entry")
        await at.phone.sees("Your place is given to somebody else")
        await at.press("Withdraw the entry")
        await at.phone.sees("Is being sent")
        await at.phone.sees("withdrawn")
        assert "Withdraw the entry" not in await at.phone.do("text")


async def test_two_who_change_places_are_looked_at_anew_when_others_are_chosen_meanwhile(platform: Platform) -> None:
    """What the first two would break was shown as what the others would."""
    async with over(platform, players=6) as played, phones(platform, "director") as (phone,):
        stage = f"{played.cup.stage}/rounds/2"
        await director(played.network).act("pairing", f"{stage}/draft")
        await phone.do("arrive", wide=True)
        await phone.open(f"{phone.origin}{played.director('pairing')}")
        await phone.sees("How it was paired")
        pairs = (await director(played.network).look("pairing", stage))["pairs"]
        (one, _), (two, _), (three, _) = ([seat["name"] for seat in pair["seats"]] for pair in pairs)
        await phone.do("network", on=True, slow=LATE, asks="swap?*")
        await phone.do("drag", **{"from": one, "to": two})
        await phone.sees(f"{one} and {two} change places")
        await phone.do("drag", **{"from": two, "to": three})
        await phone.sees(f"{two} and {three} change places")
        await asyncio.sleep(2 * OVER)
        asked = [said for said in (await phone.do("said"))["asked"] if "swap?dry_run" in said]
        assert len(asked) == len([(one, two), (two, three)])


async def test_nobody_is_taken_elsewhere_by_a_round_that_was_paired_meanwhile(platform: Platform) -> None:
    async with over(platform) as played, phones(platform, "director") as (phone,):
        await phone.do("arrive", wide=True)
        await phone.open(f"{phone.origin}{played.director('')}")
        await phone.sees("Pair round 2")
        await asyncio.sleep(OVER / 5)
        await phone.do("network", on=True, slow=LATE, asks="draft")
        await phone.do("press", button="Pair round 2", loosely=True)
        await phone.do("follow", link="Entrants")
        await phone.do("fill", label=FIND_ANY, **{"with": "a"})
        await asyncio.sleep(OVER)
        assert "/desk/people" in await phone.do("address")


OTHELLO = "Othello: Othello, Polish championship 2021"
SCRABBLE = "Scrabble: Slovak Scrabble: live qualifying tournament"


async def chooses_rules(at: Desk, rules: str) -> None:
    """And has filled in all else; keys go into the name."""
    await at.open("announce")
    await at.phone.sees("Name of the tournament")
    day = (now().date() + timedelta(days=30)).isoformat()
    await at.phone.do("fill", label="Day of the first round", **{"with": day})
    await asyncio.sleep(OVER / 5)  # until it is known that the federation has no seasons
    await at.slow("rulesets/*")
    await at.phone.do("choose", label="Rules of play", option=rules)
    await at.phone.do("fill", label="Name of the tournament", **{"with": "Jarný pohár"})


async def announced(at: Desk) -> int:
    """How many tournaments were announced on this page."""
    asked = (await at.phone.do("said"))["asked"]
    return len([one for one in asked if one.startswith("POST") and one.endswith("/v1/tournaments")])


async def test_nobody_is_taken_away_from_where_they_went_while_a_tournament_was_announced(platform: Platform) -> None:
    async with desk(platform, entered=(BORIS,)) as at:
        await chooses_rules(at, OTHELLO)
        await asyncio.sleep(OVER / 2)
        await at.slow("v1/tournaments")
        await at.press("Announce a tournament")
        await at.phone.do("follow", link="Links")
        await at.phone.sees("Make links")
        await asyncio.sleep(OVER)
        assert "/desk/links" in await at.phone.do("address")


async def test_a_tournament_is_announced_whose_rules_were_still_on_their_way(platform: Platform) -> None:
    async with desk(platform) as at:
        await chooses_rules(at, OTHELLO)
        await at.types("Enter")
        await at.phone.sees("Is being sent")
        await at.phone.do("await", words="Rules of play", gone=True)
        assert await announced(at) == 1


async def test_whoever_changes_a_field_while_the_rules_are_on_their_way_announces_nothing_yet(
    platform: Platform,
) -> None:
    async with desk(platform) as at:
        await chooses_rules(at, OTHELLO)
        await at.types("Enter")
        await at.phone.sees("Is being sent")
        await at.phone.do("fill", label="Name of the tournament", **{"with": "Jarný"})
        await asyncio.sleep(OVER)
        assert await announced(at) == 0


async def test_what_rules_ask_that_come_after_the_press_is_asked_before_it_counts(platform: Platform) -> None:
    async with desk(platform) as at:
        await chooses_rules(at, SCRABBLE)
        await at.types("Enter")
        await at.phone.do("on", name="laying out", loosely=True)
        assert await announced(at) == 0


async def test_rules_that_could_not_be_had_are_asked_for_again_before_a_tournament_is_announced(
    platform: Platform,
) -> None:
    async with desk(platform) as at:
        await chooses_rules(at, "")
        await at.phone.do("network", on=True, without="registration", status=HTTPStatus.INTERNAL_SERVER_ERROR)
        await at.phone.do("choose", label="Rules of play", option=OTHELLO)
        await at.phone.sees("Try again")
        await at.phone.do("network", on=True)
        await at.press("Try again")
        await at.phone.do("await", words="Try again", gone=True)
        await at.press("Announce a tournament")
        await at.phone.do("await", words="Rules of play", gone=True)
        assert await announced(at) == 1


async def test_whoever_cannot_see_the_page_hears_that_a_tournament_is_announced(platform: Platform) -> None:
    """The page that said it had gone with the form, and another one came without a word."""
    async with desk(platform) as at:
        await chooses_rules(at, OTHELLO)
        await asyncio.sleep(OVER / 2)
        await at.phone.do("listen")
        await at.types("Enter")
        await at.phone.do("await", words="Rules of play", gone=True)
        assert "Done: Announce a tournament: Jarný pohár" in await at.phone.do("heard")


async def test_what_is_being_announced_takes_no_words_that_would_be_lost(platform: Platform) -> None:
    """A name that was mended meanwhile, and another press, came to nothing without a word."""
    async with desk(platform) as at:
        await chooses_rules(at, OTHELLO)
        await asyncio.sleep(OVER / 2)
        day = now().date() + timedelta(days=30)
        await at.phone.do("fill", label="Day of the first round", **{"with": day.replace(year=2020).isoformat()})
        await at.phone.do("fill", label="Name of the tournament", **{"with": "Jarný turnaj"})
        await at.slow("v1/tournaments")
        await at.types("Enter")
        await asyncio.sleep(OVER / 10)
        await at.types("End", " II", "Enter")
        await at.phone.do("await", words="Is being sent", gone=True)
        assert await at.phone.do("value", label="Name of the tournament") == "Jarný turnaj"
        await at.phone.is_on("Name of the tournament")  # for it was refused
        await at.phone.do("fill", label="Day of the first round", **{"with": day.isoformat()})
        await at.phone.do("fill", label="Name of the tournament", **{"with": "Jarný pohár"})
        await at.types("Enter")
        await at.phone.do("await", words="Rules of play", gone=True)
        await at.phone.sees("Jarný pohár")
        assert await announced(at) == len(["refused", "announced"])


async def test_a_page_that_does_not_know_the_rounds_yet_does_not_say_that_there_are_none(platform: Platform) -> None:
    async with hall(platform, CupPlan(players=CAST[:4])) as played, phones(platform, "director") as (phone,):
        await phone.do("arrive", wide=True)
        await phone.do("network", on=True, slow=LATE, asks="pairing/v1/tournaments/*/stages")
        for part, wrong, right in (
            ("results", "No round has been published yet.", "2 of 2 missing"),
            ("pairing", "Rounds are paired once the tournament has started.", "Slips"),
        ):
            await phone.open(f"{phone.origin}{played.director(part)}")
            await phone.sees("Webhooks")
            await asyncio.sleep(0.2)
            assert wrong not in await phone.do("text")
            await phone.sees(right)


async def test_what_a_service_that_is_away_would_say_is_not_said_to_be_nothing(platform: Platform) -> None:
    """A desk that was opened then said in the midst of a round that none was published, and that the last act was on its way."""
    async with hall(platform, CupPlan(players=CAST[:4])) as played, phones(platform, "director") as (phone,):
        await phone.do("arrive", wide=True)
        await phone.do("network", on=True, without="pairing")
        for part, wrong in (
            ("results", "No round has been published yet."),
            ("pairing", "Rounds are paired once the tournament has started."),
        ):
            await phone.open(f"{phone.origin}{played.director(part)}")
            await phone.sees("Try again")
            assert wrong not in await phone.do("text")
        await phone.do("network", on=True)
        await phone.do("press", button="Try again")
        await phone.sees("Slips")
        assert "Try again" not in await phone.do("text")


async def test_whoever_was_entered_at_another_desk_is_entered_again_only_after_a_question(platform: Platform) -> None:
    """Two with the same list of paper made two persons of one, without a word."""
    async with desk(platform, entered=(BORIS,)) as at:
        await at.open("people")
        await at.phone.do("unfold", words="Enter somebody")
        await at.phone.do("fill", label="Name", **{"with": "Alžbeta"})
        await asyncio.sleep(OVER / 5)  # whom the federation knows is asked once
        await at.enter(ALZBETA)
        await at.phone.sees("All 2")
        await at.phone.do("fill", label="Name", **{"with": "alzbeta horska"})
        await at.types("Enter")
        await at.phone.sees("alzbeta horska has entered already. Is this somebody else? Press again.")
        await asyncio.sleep(OVER / 5)
        assert len((await at.look("/entrants"))["items"]) == len((ALZBETA, BORIS))
        await at.types("Enter")
        await at.phone.sees("All 3")


async def test_whoever_rests_is_not_told_that_no_game_is_open_before_it_is_known(platform: Platform) -> None:
    async with hall(platform, CupPlan(players=CAST[:5])) as played, phones(platform, "player") as (phone,):
        round_ = await director(played.network).look("pairing", f"{played.cup.stage}/rounds/1")
        wanted = {"entrants": [round_["byes"][0]["entrant"]]}
        issued = await director(played.network).act("registration", f"{played.cup.path}/captain-tokens", wanted)
        await phone.do("network", on=True, slow=LATE, asks="pairing/v1/me")
        await phone.open(issued.body["items"][0]["link"])
        await phone.sees("Next")
        assert "No game is open for you" not in await phone.do("text")
        await phone.sees("Round 1:")


async def test_a_link_that_is_revoked_says_that_it_is_on_its_way(platform: Platform) -> None:
    async with desk(platform) as at:
        await at.act("/scorer-links", {"count": 1, "hours": 1})
        await at.open("links")
        await at.phone.sees("Link 1")
        await at.slow("revoke")
        await at.press("Revoke: Link 1")
        await at.press("Revoke")
        await at.phone.sees("Is being sent")
        await at.phone.do("await", words="Is being sent", gone=True)


async def test_a_round_is_taken_off_that_was_looked_at_whatever_is_published_meanwhile(platform: Platform) -> None:
    async with over(platform) as played, phones(platform, "director") as (phone,):
        away = played.seats(1)[0]
        await phone.do("arrive", wide=True)
        await phone.open(f"{phone.origin}{played.director('people')}")
        await phone.do("fill", label=FIND_ANY, **{"with": played.cup.players[away].name})
        await phone.do("type", keys=["Enter"])
        await phone.do("unfold", words="Takes the next round off")
        await phone.do("press", button="Look what it changes")
        await phone.sees("Cancel")
        await asyncio.sleep(OVER / 5)
        await phone.do("network", on=True, slow=LATE, asks="absent")
        await phone.do("press", button="Takes the next round off")
        await publish_next(director(played.network), played.cup.stage, 2, after=None)
        await asyncio.sleep(OVER)
        entrants = await director(played.network).look("registration", f"{played.cup.path}/entrants")
        absent = [(one["id"], gap["round"]) for one in entrants["items"] for gap in one["absences"]]
        assert (away, 3) not in absent


async def test_what_nobody_has_touched_of_a_form_is_as_somebody_else_has_said_it_meanwhile(platform: Platform) -> None:
    async with desk(platform) as at:
        entrant = await at.enter(BORIS)
        await at.open("people")
        await at.phone.do("fill", label=FIND_ANY, **{"with": "bor"})
        await at.types("Enter")
        await at.phone.sees("Correct the rating")
        await at.act(f"/entrants/{entrant}/correct", {"rating": 1500, "lists": []})
        await at.phone.sees("Rating 1,500")
        await at.phone.do("unfold", words="Correct the rating")
        assert await at.phone.do("value", label="Rating", last=True) == "1500"


async def test_an_act_in_which_somebody_types_on_stays_as_they_leave_it(platform: Platform) -> None:
    """It was folded and emptied when what had been sent before was answered."""
    async with desk(platform) as at:
        await at.open("")
        await at.phone.do("unfold", words=TELL)
        await at.phone.do("fill", label="Everybody reads it", **{"with": "It begins later."})
        await at.slow("notices")
        await at.types("Enter", "Control+A", "Lunch is at noon.")
        await at.phone.sees(f"Done: {TELL}")
        await asyncio.sleep(OVER / 5)
        assert await at.phone.do("value", label="Everybody reads it") == "Lunch is at noon."
        await at.types("Enter")
        await at.phone.do("await", words="Everybody reads it", gone=True)
        assert {*await posted(at)} == {"It begins later.", "Lunch is at noon."}


async def test_words_of_another_act_on_conduct_stay_when_the_warning_before_it_is_answered(platform: Platform) -> None:
    """All acts on somebody's conduct share the words, and the warning emptied them."""
    why = "Why? Officials read it."
    async with over(platform) as played, phones(platform, "director") as (phone,):
        await phone.do("arrive", wide=True)
        await phone.open(f"{phone.origin}{played.director('people')}")
        await phone.do("fill", label=FIND_ANY, **{"with": played.cup.players[played.seats(1)[0]].name})
        await phone.do("type", keys=["Enter"])
        await phone.do("unfold", words="Warn")
        await phone.do("fill", label=why, **{"with": "Was late."})
        await phone.do("network", on=True, slow=LATE, asks="warnings")
        await phone.do("type", keys=["Enter"])
        await phone.do("unfold", words="Disqualify")
        await phone.do("type", keys=["Tab", "Control+A", "Was late again."])
        await phone.sees("Done: Warn")
        await asyncio.sleep(OVER / 5)
        assert await phone.do("value", label=why) == "Was late again."


async def test_what_else_is_said_in_an_act_before_the_answer_is_sent_behind_it(platform: Platform) -> None:
    """The second Enter was lost without a word."""
    async with desk(platform) as at:
        await at.open("")
        await at.phone.do("unfold", words=TELL)
        await at.phone.do("fill", label="Everybody reads it", **{"with": "It begins later."})
        await at.slow("notices")
        await at.types("Enter", "Enter", "Control+A", "Lunch is at noon.", "Enter", "Enter")
        await at.phone.do("await", words="Everybody reads it", gone=True)
        assert sorted(await posted(at)) == ["It begins later.", "Lunch is at noon."]


async def test_an_act_says_what_would_come_of_what_is_said_by_now(platform: Platform) -> None:
    async with desk(platform, entered=(BORIS,)) as at:
        await at.open("people")
        await at.phone.do("fill", label=FIND_ANY, **{"with": "bor"})
        await at.types("Enter")
        await at.phone.do("unfold", words="Withdraws")
        await asyncio.sleep(OVER / 5)
        await at.slow("withdraw?*")
        await at.types("Tab", "Is ill.", "Enter", "Control+A", "Has a cold.", "Enter")
        await at.phone.sees("Cancel")


async def posted(at: Desk) -> list[str]:
    return [one["words"] for one in (await at.look("/notices"))["items"]]


async def test_rooms_that_are_typed_on_stay_when_the_first_are_named(platform: Platform) -> None:
    async with hall(platform, CupPlan(players=CAST[:4])) as played, phones(platform, "director") as (phone,):
        await phone.do("arrive", wide=True)
        await phone.open(f"{phone.origin}{played.director('pairing')}")
        await phone.do("unfold", words="Name the rooms")
        await phone.do("network", on=True, slow=4 * LATE, asks="rooms/name")  # on a busy machine nobody types quickly
        label = "Name the rooms and their tables"
        await phone.do("fill", label=label, **{"with": "Library: L1"})
        await phone.do("press", button=label)
        await phone.do("fill", label=label, **{"with": "Library: L1-2"})
        await phone.do("network", on=True)  # once the answer has come
        await phone.sees("Table L1")
        await asyncio.sleep(OVER)
        assert await phone.do("value", label=label) == "Library: L1-2"
