"""A season at the desk of whoever directs a federation: from its opening to the cup that everybody reads."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from deploy import SERVICES
from deploy.demo.client import Services
from deploy.demo.play import connected
from deploy.demo.preparation import director
from shared.clock import now
from shared.values import Value
from tests.e2e.test_desk import Phone, phones
from tests.e2e.test_director import founded
from tests.e2e.test_pages import visit, visited
from tests.integration.launching import Platform

NAMES = ("Alžbeta Horská", "Boris Kováčik", "Cecília Drevená")
OWN: dict[str, Any] = {
    "id": "own-season",
    "version": "1",
    "title": "A season of our own",
    "kinds": {"live": "a tournament"},
    "places": [10, 5],
    "slots": [{"kinds": ["live"]}],
    "cut": {"kinds": ["live"], "field": 1, "all_equal_advance": False},
}


async def known(network: Services, federation: str) -> dict[str, str]:
    """Whom the federation knows, by name."""
    persons = {}
    for name in NAMES:
        said = {"federation": federation, "name": name}
        persons[name] = (await director(network).act("registration", "/v1/persons", said)).body["id"]
    return persons


async def takes_in(desk: Phone, act: str, content: str) -> None:
    await desk.do("unfold", words=act)
    await desk.do("file", label="Choose a file", name="file.csv", content=content)
    await foreseen(desk, act)


async def foreseen(desk: Phone, act: str) -> None:
    """It says first what it would change, and the same button does it."""
    await desk.do("press", button="Look what it changes")
    await desk.sees("Cancel")
    await desk.do("press", button=act)
    await desk.sees(f"Done: {act}")


async def chooses(desk: Phone, act: str, **options: str) -> None:
    await desk.do("unfold", words=act)
    for label, option in options.items():
        await desk.do("choose", label=label, option=option)
    await desk.do("press", button=act)
    await desk.sees(f"Done: {act}")


async def test_a_federation_holds_its_season_at_the_desk(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        subject, federation = await founded(network)
        persons = await known(network, federation)
        async with phones(platform, "council", "reader") as (desk, reader):
            await desk.do("arrive", wide=True)
            await desk.open(platform.run("token", subject, "--link").stdout.strip())
            await desk.do("follow", link="Seasons")
            await desk.sees("Open a season")
            await desk.do("fill", label="Name", **{"with": "2026/2027"})
            await desk.do("press", button="Open a season")
            await desk.sees("Roll of members")
            season = str(await desk.do("address")).rpartition("=")[2]
            await keeps_the_roll(desk, network, f"/v1/federations/{federation}/seasons/{season}/roll")
            rated = [f"{person},{1900 - 50 * at},30" for at, person in enumerate(persons.values())]
            await takes_in(desk, "Take in the ratings at the beginning", "\n".join(["person,rating,games", *rated]))
            held = [f"kosice,live,2026-10-03,{person},{at}" for at, person in enumerate(persons.values(), start=1)]
            contests = "\n".join(["contest,kind,on,person,place", *held])
            await takes_in(desk, "Take in results of what was held elsewhere", contests)
            await chooses(desk, "Name the reigning champion", Name=NAMES[2])
            await desk.do("unfold", words="Publish the rating lists")
            await foreseen(desk, "Publish the rating lists")
            await desk.do("unfold", words="Close the season")
            await foreseen(desk, "Close the season")
            await desk.sees("Closed")
            await desk.look("season-desk")
            await reader.open(f"{reader.origin}/seasons/{season}")
            await reader.sees("Closed")
            await reader.sees(f"{NAMES[0]} 1 result counts")
            await reader.do("follow", link="Qualification")
            await reader.sees("reigning champion")
            await reader.do("follow", link="Ratings")
            await reader.sees("1,900")
            await reader.do("follow", link=NAMES[0])
            await reader.sees("40 · kosice")
            await reader.open(f"{reader.origin}/seasons/{season}/persons/{persons[NAMES[2]]}")
            await reader.sees("Points to place 2: 3")
            await reader.open(f"{reader.origin}/seasons/{season}/ratings?list=live/2020-01-01")
            await reader.sees("There is nothing at this address.")
            await corrects_what_is_closed(desk, reader, f"{reader.origin}/seasons/{season}", contests)
            merged = {"duplicate": persons[NAMES[1]], "reason": "registered-twice"}
            act = await director(network).act("registration", f"/v1/persons/{persons[NAMES[0]]}/merge", merged)
            await director(network).look("standings", f"/v1/seasons/{season}", after=act.position)
            await reader.open(f"{reader.origin}/seasons/{season}/persons/{persons[NAMES[1]]}")
            await reader.sees("40 · kosice")
            await erases(network, season, persons[NAMES[2]])
            await reader.open(f"{reader.origin}/seasons/{season}/persons/{persons[NAMES[2]]}")
            await reader.sees("The data of this person has been erased at their wish.")
            await reader.sees("Erased person")
            await reader.look("season-erased")


async def erases(network: Services, season: str, person: str) -> None:
    """Until standings has heard of it."""
    authorization = {"Authorization": f"Bearer {director(network).token}"}
    path = f"{network.urls['registration']}/v1/persons/{person}"
    answer = await network.client.delete(path, headers=authorization)
    assert answer.status_code == HTTPStatus.OK, answer.text
    while all(
        row["name"] for row in (await director(network).look("standings", f"/v1/seasons/{season}"))["qualification"]
    ):
        await asyncio.sleep(0.1)


async def corrects_what_is_closed(desk: Phone, reader: Phone, season: str, contests: str) -> None:
    corrected = "Something has been corrected since the season was closed"
    await takes_in(desk, "Take in results of what was held elsewhere", contests.replace(",3", ",4"))
    await desk.sees(corrected)
    await reader.open(season)
    await reader.sees(corrected)
    await desk.do("unfold", words="Close the season")
    await foreseen(desk, "Close the season")
    await desk.do("await", words=corrected, gone=True)


async def keeps_the_roll(desk: Phone, network: Services, roll: str) -> None:
    await desk.do("unfold", words="Set the annual fee")
    await desk.do("fill", label="Amount", **{"with": "12,50"})
    await desk.do("press", button="Set the annual fee")
    await desk.sees("12.5 EUR for the season. 0 members.")
    enrol = "Enrol a member who has paid 12.5 EUR"
    await desk.do("unfold", words=enrol)
    await desk.do("choose", label="Name", option=NAMES[1])
    await desk.do("fill", label="Number of the receipt, or of the bank", **{"with": "R-1"})
    await desk.do("press", button=enrol)
    await desk.sees("1 member.")
    await desk.sees(" · R-1")
    kept = await director(network).look("registration", roll)
    assert [(one["name"], one["amount"]) for one in kept["items"]] == [(NAMES[1], 12.5)]
    await desk.do("reload")  # which folds what is for the next one
    await chooses(desk, "Strike a member off", Name=NAMES[1], Reason="enrolled by mistake")
    await desk.sees("0 members.")


async def test_the_council_decides_about_seasons_without_directing_a_tournament(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        body = {"name": "Rada", "officials": [{"subject": "only-council", "role": "council"}]}
        federation = (await director(network).act("registration", "/v1/federations", body)).body["id"]
        async with phones(platform, "council") as (desk,):
            await desk.do("arrive")
            await desk.open(platform.run("token", "only-council", "--link").stdout.strip())
            await desk.sees("Open a season")
            await desk.do("fill", label="Name", **{"with": "2026/2027"})
            await desk.do("press", button="Open a season")
            await desk.sees("Roll of members")
            await desk.look("season-of-council")
            announced = await announce(network, federation, "Majstrovstvá Slovenska")
            await desk.do("reload")
            await desk.sees("Name the championship")
            await chooses(desk, "Name the championship", **{"The tournament that the best go on to": announced.name})
            named = f"The tournament that the best go on to: {announced.name}"
            await desk.sees(named)
            season = f"/v1/federations/{federation}/seasons/{str(await desk.do('address')).rpartition('=')[2]}"
            await names_another_championship(desk, network, season, announced)
            await desk.do("unfold", words="Publish who has qualified")
            await foreseen(desk, "Publish who has qualified")
            await desk.do("await", words="Name the championship", gone=True)
            await desk.sees(named)


async def test_whoever_has_gone_elsewhere_while_a_season_is_opened_stays_there(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        subject, federation = await founded(network)
        async with phones(platform, "council") as (desk,):
            await desk.do("arrive", wide=True)
            await desk.open(platform.run("token", subject, "--link").stdout.strip())
            await desk.do("follow", link="Seasons")
            await desk.do("fill", label="Name", **{"with": "2026/2027"})
            await desk.do("network", on=True, slow=2_500, asks="seasons")
            await desk.do("press", button="Open a season")
            await desk.sees("Is being sent")
            await desk.do("follow", link="Direct")
            await desk.sees("Name of the tournament")
            while not (await director(network).look("registration", f"/v1/federations/{federation}/seasons"))["items"]:
                await asyncio.sleep(0.1)
            await asyncio.sleep(1)  # until its answer has come
            assert "seasons" not in await desk.do("address")


async def names_another_championship(desk: Phone, network: Services, season: str, named: "Announced") -> None:
    """The tournament of those left over stays, whoever has named it; and is chosen as the championship is."""
    federation = season.split("/")[3]
    left_over, other = [await announce(network, federation, name) for name in ("Pohár ostatných", "Grand Prix")]

    async def leads_to() -> tuple[str, str | None]:
        seen = await director(network).look("registration", season)
        return seen["next_level"], seen["otherwise"]

    label = "The tournament of those who get no place there"
    body = {"tournament": named.id, "otherwise": left_over.id}
    await director(network).act("registration", f"{season}/next-level", body)
    await desk.do("reload")
    await desk.sees(f"{label}: {left_over.name}")
    best = "The tournament that the best go on to"
    await chooses(desk, "Name the championship", **{best: other.name})
    await desk.sees(f"{best}: {other.name}")
    assert await leads_to() == (other.id, left_over.id)
    await chooses(desk, "Name the championship", **{best: named.name, label: "none"})
    await desk.sees(f"{best}: {named.name}")
    assert await leads_to() == (named.id, None)


class Announced(Value):
    id: str
    name: str


async def announce(network: Services, federation: str, name: str, **said: Any) -> Announced:
    plan = {
        "federation": federation,
        "name": name,
        "ruleset": "scrabble-sk-2022-qt",
        "time_zone": "Europe/Bratislava",
        "starts_on": (now().date() + timedelta(days=30)).isoformat(),
    }
    answer = await director(network).act("registration", "/v1/tournaments", plan | said)
    return Announced(id=answer.body["id"], name=name)


async def test_where_nobody_qualifies_by_the_rules_nothing_about_it_is_offered(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        subject, federation = await founded(network)
        league = {"name": "League", "rules": {key: said for key, said in OWN.items() if key != "cut"}}
        opened = await director(network).act("registration", f"/v1/federations/{federation}/seasons", league)
        await director(network).look("standings", f"/v1/seasons/{opened.body['id']}", after=opened.position)
        async with phones(platform, "council") as (desk,):
            await desk.do("arrive", wide=True)
            token = platform.run("token", subject, "--link").stdout.strip().rpartition("#")[2]
            await desk.open(f"{desk.origin}/desk/seasons?season={opened.body['id']}#{token}")
            await desk.sees("Set the annual fee")
            text = await desk.do("text")
    assert [said in text for said in ("Close the season", "Publish who has qualified", "Name the championship")] == [
        True,
        False,
        False,
    ]


async def test_what_a_season_will_have_and_by_its_own_rules_is_said_in_its_words(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        _, federation = await founded(network)
        persons = await known(network, federation)
        season = await equal_at_the_cut(network, federation, persons, "own words")
        await announce(network, federation, "Zimný turnaj", season=season, season_kind="live", open=True)
        here = f"/seasons/{season}"
        seen = await visited(
            platform,
            [
                visit("tournaments", f"{here}/tournaments"),
                visit("qualification", f"{here}/qualification"),
                visit("person", f"{here}/persons/{persons[NAMES[0]]}"),
            ],
        )
    text = {name: " ".join(one["text"].split()) for name, one in seen.items()}
    assert all(said in text["tournaments"] for said in ("Zimný turnaj", "3 October 2026 · a tournament"))
    assert [text["qualification"].count(said) for said in ("reserve", "undecided")] == [0, 2]
    assert all(said in text["person"] for said in ("undecided", "a tournament"))
    assert "Points to place" not in text["person"]


async def test_between_those_who_are_equal_at_the_cut_a_lot_or_the_council_decides(platform: Platform) -> None:
    async with connected({service: platform.url(service) for service in SERVICES}, platform.folder) as network:
        subject, federation = await founded(network)
        persons = await known(network, federation)
        seasons = [await equal_at_the_cut(network, federation, persons, name) for name in ("drawn", "decided")]
        async with phones(platform, "council", "reader", "slovak") as (desk, reader, slovak):
            await desk.do("arrive", wide=True)
            token = platform.run("token", subject, "--link").stdout.strip().rpartition("#")[2]
            await reads_whole_words(slovak, f"{desk.origin}/desk/seasons?season={seasons[0]}#{token}")
            await desk.open(f"{desk.origin}/desk/seasons?season={seasons[0]}#{token}")
            await desk.sees("Still equal")
            await cannot_end(desk)
            await desk.do("press", button="Draw a lot")
            await desk.sees("Done: Draw a lot")
            await desk.do("await", words="Still equal", gone=True)
            await desk.do("on", name="Decided, best first: ", loosely=True)  # for the button that had the keys has gone
            await desk.look("season-drawn")
            await desk.open(f"{desk.origin}/desk/seasons?season={seasons[1]}#{token}")
            await desk.sees("Still equal")
            await desk.do("unfold", words="Decide between them")
            await desk.do("choose", label="1.", option=NAMES[1])
            await desk.do("choose", label="Reason", option="the council decided")
            await desk.do("press", button="Decide between them")
            await desk.do("on", name=f"Decided, best first: {NAMES[1]}, {NAMES[0]} · the council decided")
            await desk.do("await", words="Still equal", gone=True)
            await corrects_what_is_published(desk, reader, f"{desk.origin}/seasons/{seasons[1]}", persons)
        table = await director(network).look("standings", f"/v1/seasons/{seasons[1]}")
        assert [row["name"] for row in table["qualification"] if row["qualified"]] == [NAMES[1]]


async def reads_whole_words(slovak: Phone, desk: str) -> None:
    """In letters twice as large as usual; and why something was refused in their own language."""
    await slovak.do("arrive", language="sk")
    await slovak.open(desk)
    await slovak.sees("Zatiaľ v rovnosti")
    for act in ("Určiť úradujúceho majstra", "Rozhodnúť medzi nimi", "Určiť majstrovstvá"):
        await slovak.do("unfold", words=act)
    await slovak.do("letters", size=32)
    assert await slovak.do("broken") == []
    assert await slovak.do("sideways") <= 0
    await slovak.do("unfold", words="Uzavrieť sezónu")
    await slovak.do("press", button="Ukázať, čo to zmení")
    await slovak.sees("Ešte treba niečo dohrať, vyžrebovať alebo rozhodnúť.")


async def cannot_end(desk: Phone) -> None:
    """As long as somebody is equal at the cut, whom the desk and the refusal call by their names."""
    await desk.do("unfold", words="Close the season")
    equal = ", ".join(NAMES[:2])
    await desk.sees(f"Still equal: {equal}. Only 1 of them can go on: a lot or the federation will decide. Draw a lot")
    await desk.do("press", button="Look what it changes")
    await desk.sees("are equal at the cut, and only 1 can go on")
    assert f"{NAMES[0]} (" in await desk.do("text")
    await desk.do("unfold", words="Close the season")


async def corrects_what_is_published(desk: Phone, reader: Phone, season: str, persons: Mapping[str, str]) -> None:
    """Desk and page say how who qualifies differs from what was published, until it is published once more."""
    await desk.do("unfold", words="Publish who has qualified")
    await foreseen(desk, "Publish who has qualified")
    act, head = "Take in results of what was held elsewhere", "contest,kind,on,person,place\n"
    await takes_in(desk, act, f"{head}c,live,2026-10-04,{persons[NAMES[0]]},1")
    differs = f"Qualify now, and did not then: {NAMES[0]}. Qualified then, and do not now: {NAMES[1]}."
    await desk.sees(differs)
    undone = "Does not count any more: others are equal now, or nobody is."
    await desk.sees(undone)
    await reader.open(f"{season}/qualification")
    await reader.sees(differs)
    await takes_in(desk, act, f"{head}c,live,2026-10-04,{persons[NAMES[1]]},1")
    await desk.do("await", words="Qualify now", gone=True)


async def equal_at_the_cut(network: Services, federation: str, persons: Mapping[str, str], name: str) -> str:
    opened = await director(network).act(
        "registration", f"/v1/federations/{federation}/seasons", {"name": name, "rules": OWN}
    )
    season = str(opened.body["id"])
    held = [f"{contest},live,2026-10-03,{persons[who]},1" for contest, who in zip("ab", NAMES[:2], strict=True)]
    answer = await network.client.post(
        f"{network.urls['standings']}/v1/seasons/{season}/contests/import",
        content="\n".join(["contest,kind,on,person,place", *held]).encode(),
        headers={
            "Authorization": f"Bearer {director(network).token}",
            "Content-Type": "text/csv",
            "Roundlog-Min-Position": str(opened.position),
        },
    )
    assert answer.status_code == HTTPStatus.OK, answer.text
    return season
