"""Seasons at standings: they add up as their tournaments end, and the federation decides the rest."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from http import HTTPStatus
from typing import Any

import httpx
import msgspec
import pytest

from deploy.databases import connection
from services.standings.api.seasons import known
from services.standings.projection import tables
from services.standings.projection.rebuild import rebuild
from services.standings.seasons.file import SeasonFile
from services.standings.seasons.ratings import Rated, ratings
from shared.clock import now
from shared.contracts.lots import LotSeedRevealed
from shared.contracts.pairing import PlannedGame, RoundPublished
from shared.contracts.registration import (
    EntrantAdmitted,
    EntrantLeft,
    OfficialAppointed,
    PersonMerged,
    PersonRegistered,
    SeasonOpened,
    ShownNamesDecided,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentCompleted,
    TournamentStarted,
)
from shared.contracts.results import ResultCorrected, ResultFinal, RoundCompleted
from shared.contracts.standings import (
    QualificationPublished,
    RatingListPublished,
    SeasonTablePublished,
)
from shared.rulesets import catalogue, seasons
from shared.rulesets.season import Season
from tests.api.asking import Client, issuer, pointers, problem, service, strangers
from tests.api.signing import signed_by
from tests.logged import records_of
from tests.told import done, tell

PATIENCE = 20
SEASON, FEDERATION = "season", "sss"
PATH = f"/v1/seasons/{SEASON}"
NAMES = {"ann": "Anna", "bob": "Boris", "cid": "Cyril", "dan": "=Dana", "old": "Dana"}
FOREIGN, TEAM = "eva", "team"  # somebody of another federation, and no person: both have names too


@pytest.fixture
async def client(database: str) -> AsyncGenerator[Client]:
    async with service(database, name="standings", signed_in=False) as asked:
        async with connection(database) as names:
            # Or the service, when something was heard before, would make all anew meanwhile.
            await tables.prepare(names)
            for person, name in {**NAMES, FOREIGN: "Eva", TEAM: "Team"}.items():
                await names.execute("insert into names.names values ($1, $2, 1)", person, name)
        rules = msgspec.Raw(seasons.load("scrabble-sk-2022").model_dump_json().encode())
        opened = SeasonOpened(season=SEASON, federation=FEDERATION, name="2022/2023", rules=rules)
        await tell(
            database, "registration", FEDERATION, OfficialAppointed(scope=FEDERATION, subject="cou", role="council")
        )
        await tell(database, "registration", SEASON, opened)
        for person in (*NAMES, FOREIGN):
            owner = "elsewhere" if person == FOREIGN else FEDERATION
            await tell(database, "registration", person, PersonRegistered(person=person, federation=owner))
        await done(database)
        yield asked


def begun(cup: str, persons: Sequence[str], *, kind: str, rules: str, on: str) -> list[msgspec.Struct]:
    whole = msgspec.Raw(catalogue.load(rules).model_dump_json().encode())
    announced = TournamentAnnounced(
        tournament=cup,
        federation=FEDERATION,
        name=f"Cup {cup}",
        ruleset=rules,
        time_zone="Europe/Bratislava",
        starts_on=on,
        season=SEASON,
        season_kind=kind,
        rating_list=None if kind == "pairs" else "online" if kind == "online" else "live",
        organisers=("dan",),
    )
    started = TournamentStarted(tournament=cup, federation=FEDERATION, ruleset=whole, time_zone="Europe/Bratislava")
    admitted = [
        EntrantAdmitted(entrant=f"{cup}-{one}", tournament=cup, persons=tuple(one.split("+")), number=number)
        for number, one in enumerate(persons, start=1)
    ]
    return [announced, started, *admitted]


async def held(
    database: str,
    cup: str,
    *persons: str,
    kind: str = "live",
    rules: str = "scrabble-sk-2022-qt",
    on: str = "2026-10-01",
    ends: str = "played",
    also: Sequence[msgspec.Struct] = (),
    is_completed: bool = True,
) -> None:
    """A tournament of one round, in which the first beats the second, by more than the third beats the fourth."""
    pairs = [persons[place : place + 2] for place in range(0, len(persons) - 1, 2)]
    games = tuple(
        PlannedGame(game=f"{cup}-{table}", table=table, seats=tuple(f"{cup}-{one}" for one in pair))
        for table, pair in enumerate(pairs, start=1)
    )
    played = [
        ResultFinal(
            game=game.game,
            tournament=cup,
            stage="swiss",
            round=1,
            seats=game.seats,
            scores=(500 - 10 * game.table, 300 + 10 * game.table),
            points=(1, 0),
            end=ends,
        )
        for game in games
    ]
    told = [*also, TournamentCompleted(tournament=cup)] if is_completed else also
    await tell(database, "registration", cup, *begun(cup, persons, kind=kind, rules=rules, on=on))
    await tell(database, "pairing", cup, RoundPublished(tournament=cup, stage="swiss", round=1, games=games))
    await tell(database, "results", cup, *played, RoundCompleted(tournament=cup, stage="swiss", round=1))
    await tell(database, "registration", cup, *told)
    await done(database)


async def look(client: Client, what: str = "", **query: str) -> dict[str, Any]:
    answer = await client.get(f"{PATH}{what}", params=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


async def ask(
    client: Client, what: str, body: Any = None, *, by: str = "cou", path: str = PATH, **query: str
) -> httpx.Response:
    headers = signed_by(issuer().token(by))
    if isinstance(body, str):
        headers |= {"Content-Type": "text/csv"}
        return await client.post(f"{path}{what}", content=body.encode(), headers=headers, params=query)
    return await client.post(f"{path}{what}", json=body, headers=headers, params=query)


async def act(client: Client, what: str, body: Any = None, **query: str) -> dict[str, Any]:
    answer = await ask(client, what, body, **query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


def cup(found: dict[str, Any]) -> dict[str, float]:
    return {row["person"]: row["points"] for row in found["cup"]}


async def told(client: Client, season: str = SEASON) -> list[dict[str, Any]]:
    """What the log of the season says."""
    log = await client.get(f"/v1/log/{season}", headers=signed_by(issuer().token("operator")))
    return records_of(log.content)


@pytest.mark.rule("SK.STA-4", "SK.STA-6", "SK.STA-10", "SK.REG-10")
async def test_a_season_adds_up_as_its_tournaments_end(client: Client, database: str) -> None:
    await held(database, "one", "ann", "bob", "cid", "dan")
    await held(database, "two", "bob", "ann", kind="online", rules="scrabble-sk-2022-online", on="2026-10-08")
    await held(database, "pairs", "ann+bob", "cid+dan", kind="pairs", on="2026-10-09")
    await held(database, "now", "cid", "ann", is_completed=False, on="2026-11-01")
    await held(database, "off", "cid", "ann", also=[TournamentCancelled(tournament="off")], is_completed=False)
    found = await look(client)
    parts = [(one["tournament"], one["kind"], one["status"], one["field"]) for one in found["tournaments"]]
    assert parts == [
        ("one", "live", "completed", 4),
        ("two", "online", "completed", 2),
        ("pairs", "pairs", "completed", 4),
        ("now", "live", "running", 0),
    ]
    assert cup(found) == {"ann": 40 + 35 + 40, "bob": 30 + 40 + 40, "cid": 35 + 35, "dan": 32 + 35}
    assert (found["cup"][0]["name"], found["cup"][0]["slots"][0]) == (
        "Anna",
        {"tournament": "one", "points": 40, "coefficient": 1, "bonus": None},
    )
    assert all(row["qualified"] for row in found["qualification"])
    first = await client.get(PATH)
    again = await client.get(PATH, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == HTTPStatus.NOT_MODIFIED
    sheet = (await client.get(PATH, params={"format": "csv", "sheet": "qualification"})).text.splitlines()
    assert sheet[0].removeprefix("\ufeff") == "place,person,name,points,qualified,champion"
    assert sheet[4] == "4,dan,'=Dana,67,yes,"
    problem(await client.get("/v1/seasons/elsewhere"), HTTPStatus.NOT_FOUND, "season-unknown")


async def test_what_a_running_tournament_decides_about_names_holds_in_the_season_at_once(
    client: Client, database: str
) -> None:
    async def names(what: str = "") -> dict[str, str]:
        found = (await client.get(f"{PATH}{what}", headers={"Authorization": ""})).json()
        return {row["person"]: row["name"] for row in found["ratings" if what else "cup"]}

    await held(database, "one", "ann", "bob", "cid")
    await held(database, "two", "old", "cid", is_completed=False)
    assert (await names())["cid"] == "Cyril"
    hidden = ShownNamesDecided(tournament="two", shown_names="number")
    merged = PersonMerged(person="old", into="bob")
    await tell(database, "registration", "two", hidden)
    await tell(database, "registration", "old", merged)
    await done(database)
    for what in ("", "/ratings"):
        found = await names(what)
        assert (found["ann"], found["bob"], found["cid"]) == ("Anna", "Player", "Player")
    assert (await look(client))["cup"][0]["name"] in NAMES.values()  # officials see all


@pytest.mark.rule("SK.STA-8", "SK.STA-9")
async def test_ratings_move_with_games_that_were_played(client: Client, database: str) -> None:
    ratings = "person,rating,online_rating,games\r\nann,1710,,49\r\nbob,1600,1650,\r\n"
    assert (await act(client, "/ratings/import", ratings))["first_ratings"] == 2
    await held(database, "one", "bob", "ann")
    await held(database, "two", "ann", "bob", kind="pairs")
    await held(database, "three", "ann", "bob", ends="no_show")
    found = await look(client, "/ratings", list="live")
    assert [(row["person"], row["before"], row["rating"], row["games"]) for row in found["ratings"]] == [
        ("ann", 1710, 1690.403485, 50),
        ("bob", 1600, 1634.19303, 1),
        ("dan", 1600, 1600, 0),
    ]
    online = await look(client, "/ratings", list="online")
    assert {row["person"]: row["rating"] for row in online["ratings"]} == {"ann": 1600, "bob": 1650, "dan": 1600}
    sheet = (await client.get(f"{PATH}/ratings", params={"format": "csv", "list": "live"})).text.splitlines()
    assert sheet[1] == "ann,Anna,1690.403485,,50,"
    whole = await client.get(f"{PATH}/ratings", params={"format": "csv"})
    assert (await act(client, "/ratings/import", whole.text))["first_ratings"] == 3


@pytest.mark.rule("SK.RES-7", "SK.RES-10", "SK.RES-6")
async def test_who_leaves_early_keeps_points_only_for_a_serious_reason(client: Client, database: str) -> None:
    left = [
        EntrantLeft(entrant="one-bob", tournament="one", stage="swiss", after_round=0, why="withdrew"),
        EntrantLeft(entrant="one-cid", tournament="one", stage="swiss", after_round=1, why="expelled"),
        EntrantLeft(entrant="one-ann", tournament="one", stage="swiss", after_round=1, why="withdrew"),
    ]
    await held(database, "one", "ann", "bob", "cid", "dan", also=left)
    assert cup(await look(client)) == {"ann": 40, "bob": 0, "cid": 0, "dan": 32}
    serious = {"tournament": "one", "person": "bob", "serious": True}
    assert (await act(client, "/departures", serious))["serious_reasons"] == [{"tournament": "one", "person": "bob"}]
    assert cup(await look(client))["bob"] == 30
    await act(client, "/departures", serious | {"serious": False})
    assert cup(await look(client))["bob"] == 0
    for person in ("ann", "cid", "dan"):
        problem(await ask(client, "/departures", serious | {"person": person}), HTTPStatus.CONFLICT, "nobody-left")
    online = [EntrantLeft(entrant="net-bob", tournament="net", stage="swiss", after_round=0, why="withdrew")]
    await held(database, "net", "ann", "bob", kind="online", rules="scrabble-sk-2022-online", also=online)
    problem(await ask(client, "/departures", serious | {"tournament": "net"}), HTTPStatus.CONFLICT, "nobody-left")


async def test_persons_who_turned_out_to_be_one_count_as_one(client: Client, database: str) -> None:
    await held(database, "one", "ann", "old")
    await held(database, "two", "dan", "ann", on="2026-10-08")
    await act(client, "/ratings/import", "person,rating\r\nold,1500\r\n")
    assert cup(await look(client)) == {"ann": 75, "old": 35, "dan": 40}
    await tell(database, "registration", "old", PersonMerged(person="old", into="dan"))
    await done(database)
    table = await look(client)
    assert (cup(table), table["merged"]) == ({"ann": 75, "dan": 75}, {"old": "dan"})
    found = await look(client, "/ratings", list="live")
    assert {row["person"]: (row["before"], row["games"]) for row in found["ratings"]} == {
        "ann": (1600, 2),
        "dan": (1500, 2),
    }


async def test_who_turned_out_to_be_the_own_opponent_has_played_no_game(client: Client, database: str) -> None:
    await act(
        client, "/contests/import", "contest,kind,on,person,place\r\nms-b,other,2026-10-02,ann,2\r\nms-b,,,old,1\r\n"
    )
    await act(
        client, "/games/import", "contest,round,person,opponent,points\r\nms-b,1,ann,old,0\r\nms-b,2,ann,bob,1\r\n"
    )
    await tell(database, "registration", "old", PersonMerged(person="old", into="ann"))
    await done(database)
    found = await look(client, "/ratings", list="live")
    assert {row["person"]: row["games"] for row in found["ratings"]} == {"ann": 1, "bob": 1}


@pytest.mark.rule("SK.RES-7")
async def test_why_somebody_left_is_judged_by_the_id_that_is_shown_also_after_a_merge(
    client: Client, database: str
) -> None:
    gone = [
        EntrantLeft(entrant=f"{cup}-old", tournament=cup, stage="swiss", after_round=0, why="withdrew") for cup in "ab"
    ]
    await held(database, "a", "old", "ann", also=gone[:1])
    await held(database, "b", "old", "ann", also=gone[1:])
    before, after = ({"tournament": name, "serious": True} for name in "ab")
    await act(client, "/departures", before | {"person": "old"})
    await tell(database, "registration", "old", PersonMerged(person="old", into="dan"))
    await done(database)
    assert cup(await look(client)) == {"ann": 70, "dan": 40}
    await act(client, "/departures", after | {"person": "dan"})
    assert cup(await look(client))["dan"] == 80
    for judged in (before, after):
        await act(client, "/departures", judged | {"person": "dan", "serious": False})
    assert cup(await look(client))["dan"] == 0


@pytest.mark.rule("SK.STA-6", "SK.STA-7", "SK.REG-10")
async def test_what_was_held_elsewhere_comes_in_as_a_file(client: Client, database: str) -> None:
    for name in ("a", "b", "c", "d"):
        await held(database, name, "ann", "bob")
    contests = (
        "contest,kind,on,person,place,expelled,organiser\r\n"
        "ps-1,written,2026-10-01,cid,1,,\r\nps-1,written,,ann,,,yes\r\nps-1,written,,bob,2,yes,\r\n"
    )
    tried = await act(client, "/contests/import", contests, dry_run="true")
    assert tried == {"changes": ["ps-1 is recorded with 2 places."], "lost": []}
    shown = await act(client, "/contests/import", contests)
    assert [(one["contest"], one["places"], one["organisers"]) for one in shown["contests"]] == [("ps-1", 2, ["ann"])]
    assert (await act(client, "/contests/import", contests, dry_run="true"))["changes"] == []
    assert cup(await look(client)) == {"ann": 160 + 40, "bob": 140, "cid": 40}
    assert (await act(client, "/champion", {"person": "dan"}))["champion"] == "dan"
    assert [(one["person"], one["champion"]) for one in (await look(client))["qualification"]] == [
        ("ann", False),
        ("bob", False),
        ("dan", True),
    ]
    for strange in (FOREIGN, TEAM, "nobody"):
        assert strangers(await ask(client, "/champion", {"person": strange})) == ["/person"]
    assert len([one for one in await told(client) if one["type"] == "ContestRecorded"]) == 1


@pytest.mark.rule("SK.STA-8")
async def test_games_of_what_was_held_elsewhere_move_ratings(client: Client, database: str) -> None:
    await act(client, "/ratings/import", "person,rating,games\r\nann,1710,49\r\nbob,1600,\r\n")
    then = now().isoformat()
    contests = "contest,kind,on,person,place,rating_list\r\nms-b,other,2026-10-02,ann,2,live\r\nms-b,,,bob,1,\r\n"
    await act(client, "/contests/import", contests)
    games = "contest,round,person,opponent,points\r\nms-b,1,ann,bob,0\r\nms-b,2,bob,ann,½\r\n".replace("½", '"0,5"')
    assert (await act(client, "/games/import", games, dry_run="true"))["changes"] == [
        "ms-b is recorded with 2 games, which move ratings."
    ]
    for _ in range(2):
        (shown,) = (await act(client, "/games/import", games))["contests"]
        assert (shown["games"], shown["rating_list"]) == (2, "live")
    assert (await act(client, "/games/import", games, dry_run="true"))["changes"] == []
    found = await look(client, "/ratings", list="live")
    assert {row["person"]: row["games"] for row in found["ratings"]} == {"ann": 51, "bob": 2}
    assert {row["person"]: row["rating"] > row["before"] for row in found["ratings"]} == {"ann": False, "bob": True}
    assert found["counted_to"] == "2026-10-02"
    before = await look(client, "/ratings", list="live", at=then)
    assert {row["person"]: row["rating"] for row in before["ratings"]} == {"ann": 1710, "bob": 1600}
    assert (await look(client, "/decisions", at=then))["contests"] == []
    await held(database, "one", "ann", "bob")
    assert (len((await look(client))["cup"]), (await look(client, at=then))["cup"]) == (2, [])
    assert pointers(await client.get(PATH, params={"at": "yesterday"})) == ["/query/at"]
    await act(client, "/contests/import", "contest,kind,on,person,place\r\npp-1,pairs,2026-10-03,ann,1\r\n")
    wrong = "contest,round,person,opponent,points\r\nms-b,1,ann,bob,2\r\nms-b,1,bob,ann,1\r\nx,,ann,no,1\r\npp-1,3,ann,ann,1\r\n"
    refused = await ask(client, "/games/import", wrong)
    problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    assert [one["pointer"] for one in refused.json()["errors"]] == [
        "/lines/2/points",
        "/lines/3/person",
        "/lines/3/opponent",
        "/lines/4/contest",
        "/lines/4/round",
        "/lines/4/opponent",
        "/lines/5/contest",
        "/lines/5/opponent",
    ]


@pytest.mark.rule("SK.STA-8")
async def test_a_list_that_the_federation_keeps_itself_is_published_as_it_is(client: Client) -> None:
    first = "person,rating,games\r\nann,1700,10\r\nbob,1720,\r\n"
    into = "/ratings/lists/import"
    tried = await act(client, into, first, list="screlo", on="2026-10-01", dry_run="true")
    assert tried["changes"] == ["screlo of 2026-10-01 is published with 2 ratings."]
    for _ in range(2):
        await act(client, into, first, list="screlo", on="2026-10-01")
    await act(client, into, "person,rating\r\nann,1750\r\n", list="screlo", on="2026-11-01")
    before = await act(client, into, "person,rating\r\nann,1600\r\n", list="screlo", on="2026-09-01")
    assert before["published"] == [{"list": "screlo", "on": "2026-11-01", "ratings": 1}]
    assert len([one for one in await told(client) if one["type"] == RatingListPublished.__name__]) == 3
    days = [(one["on"], one["ratings"]) for one in (await look(client, "/ratings/lists"))["items"]]
    assert days == [("2026-11-01", 1), ("2026-10-01", 2), ("2026-09-01", 1)]
    held = await look(client, "/ratings/lists/screlo", on="2026-10-31")
    assert [(one["place"], one["name"], one["rating"]) for one in held["ratings"]] == [
        (1, "Boris", 1720),
        (2, "Anna", 1700),
    ]
    sheet = (await client.get(f"{PATH}/ratings/lists/screlo", params={"format": "csv"})).text
    assert sheet.removeprefix("\ufeff") == "person,name,rating,games\r\nann,Anna,1750,0\r\n"
    early = await client.get(f"{PATH}/ratings/lists/screlo", params={"on": "2026-08-31"})
    problem(early, HTTPStatus.NOT_FOUND, "list-unpublished")
    wrong = await ask(client, into, "person,rating\r\nann,17.5\r\nbob,\r\n", list="screlo", on="2026-10-01")
    assert [one["pointer"] for one in wrong.json()["errors"]] == ["/lines/2/rating", "/lines/3/rating"]
    for day in ("2999-01-01", "October"):
        assert (await ask(client, into, first, list="screlo", on=day)).json()["errors"][0]["pointer"] == "/query/on"


async def test_sheets_of_ratings_come_in_again_after_somebody_was_erased(client: Client, database: str) -> None:
    both = "person,name,rating,games\r\nann,Anna,1700,50\r\nbob,Boris,1600,20\r\n"
    await act(client, "/ratings/import", both)
    of_list = {"list": "screlo", "on": "2026-10-01"}
    await act(client, "/ratings/lists/import", both, **of_list)
    async with connection(database) as names:
        await names.execute("update names.names set name = null, revision = 2 where id = 'bob'")
    async with asyncio.timeout(PATIENCE):
        while all(row["name"] for row in (await look(client, "/ratings"))["ratings"]):
            await asyncio.sleep(0.05)
    for sheet, where, query in (
        ("/ratings", "/ratings/import", {}),
        ("/ratings/lists/screlo", "/ratings/lists/import", of_list | {"list": "other"}),
    ):
        assert {row["person"] for row in (await look(client, sheet))["ratings"]} == {"ann", "bob"}
        file = (await client.get(f"{PATH}{sheet}", params={"format": "csv"})).content.decode("utf-8-sig")
        assert ("ann" in file, "bob" in file) == (True, False)
        await act(client, where, file, **query)


async def test_every_faulty_line_of_a_file_is_named_and_nothing_comes_in(client: Client) -> None:
    wrong = await ask(client, "/ratings/import", "person,rating,games\r\nnobody,1700,\r\nann,many,-1\r\nann,1700,\r\n")
    assert [one["pointer"] for one in wrong.json()["errors"]] == [
        "/lines/2/person",
        "/lines/3/rating",
        "/lines/3/games",
        "/lines/4/person",
    ]
    contests = "contest,kind,on,person,place,expelled\r\nx,friendly,2026-13-01,ann,0,\r\nx,written,,ann,1,maybe\r\nOf Anna,m,,bob,,\r\n"
    refused = await ask(client, "/contests/import", contests)
    problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    assert {one["pointer"] for one in refused.json()["errors"]} == {
        *(f"/lines/2/{column}" for column in ("kind", "on", "place")),
        *(f"/lines/3/{column}" for column in ("kind", "person", "expelled")),
        *(f"/lines/4/{column}" for column in ("contest", "on", "place")),
    }
    found = await look(client, "/decisions")
    assert (found["first_ratings"], found["contests"]) == (0, [])
    assert not any(one["allowed"] for one in found["allowed_actions"].values())


async def test_what_is_still_to_come_was_held_nowhere(client: Client) -> None:
    ahead = "contest,kind,on,person,place\r\nps-1,written,2099-10-01,ann,1\r\nps-1,,,bob,2\r\n"
    refused = await ask(client, "/contests/import", ahead)
    (fault,) = problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors
    assert fault.pointer == "/lines/2/on"
    assert (await look(client, "/decisions"))["contests"] == []


@pytest.mark.rule("SK.STA-4")
async def test_a_place_of_a_contest_is_not_given_twice(client: Client) -> None:
    head = "contest,kind,on,person,place\r\n"
    twice = head + "ps-1,written,2026-10-01,ann,1\r\nps-1,,,bob,2\r\nps-1,,,cid,2\r\n"
    refused = await ask(client, "/contests/import", twice)
    problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    (fault,) = refused.json()["errors"]
    assert fault["pointer"] == "/lines/4/place"
    assert "place 2 is given twice: who is equal is told apart by a lot" in fault["detail"]
    pairs = head + "duo,pairs,2026-10-02,ann,1\r\nduo,,,bob,1\r\nduo,,,cid,1\r\n"
    (fault,) = (await ask(client, "/contests/import", pairs)).json()["errors"]
    assert (fault["pointer"], "more than the two of a pair" in fault["detail"]) == ("/lines/4/place", True)
    assert (await look(client, "/decisions"))["contests"] == []


@pytest.mark.rule("SK.STA-8", "SK.STA-9")
async def test_a_season_is_published_and_closed(client: Client, database: str) -> None:
    await act(client, "/ratings/import", "person,rating,games\r\nann,1700,100\r\nbob,1700,100\r\ncid,1720,100\r\n")
    await held(database, "one", "ann", "bob")
    await held(database, "now", "cid", "ann", is_completed=False)
    tried = await act(client, "/ratings/publish", dry_run="true")
    assert tried["changes"] == ["3 ratings are published on screlo.", "0 ratings are published on screlo-online."]
    published = await act(client, "/ratings/publish")
    assert [(one["list"], one["ratings"]) for one in published["published"]] == [("screlo", 3), ("screlo-online", 0)]
    assert (await act(client, "/ratings/publish"))["published"] == published["published"]
    problem(await ask(client, "/close"), HTTPStatus.CONFLICT, "season-not-over")
    await tell(database, "registration", "now", TournamentCancelled(tournament="now"))
    await done(database)
    assert len((await act(client, "/close", dry_run="true"))["changes"]) == 2
    closed = await act(client, "/close")
    assert (closed["status"], (await look(client))["status"]) == ("closed", "closed")
    assert await act(client, "/close") == closed
    events = [one for one in await told(client) if one["type"] != "RatingsImported"]
    lists = [one["data"] for one in events if one["type"] == RatingListPublished.__name__ and one["data"]["ratings"]]
    assert [{row["person"]: row["rating"] for row in one["ratings"]} for one in lists] == [
        {"cid": 1720, "ann": 1710, "bob": 1690},
        {"ann": 1710, "bob": 1690, "cid": 1670},
    ]
    (table,) = [one["data"] for one in events if one["type"] == SeasonTablePublished.__name__]
    assert [(row["person"], row["points"]) for row in table["cup"]] == [("ann", 40), ("bob", 35)]
    assert [(row["person"], row["qualified"]) for row in table["qualification"]] == [("ann", True), ("bob", True)]
    await act(client, "/champion", {"person": "cid"})
    assert (await act(client, "/close", dry_run="true"))["lost"]
    await act(client, "/close")
    assert len([one for one in await told(client) if one["type"] == SeasonTablePublished.__name__]) == 2


async def test_a_closed_season_says_that_it_was_corrected_until_it_is_closed_once_more(client: Client) -> None:
    async def is_corrected() -> bool:
        return (await look(client))["corrected"]

    await act(client, "/ratings/import", "person,rating,games\r\nann,1700,100\r\nbob,1700,100\r\n")
    assert not await is_corrected()
    await act(client, "/close")
    assert not await is_corrected()
    today = (await look(client, "/decisions"))["closed_on"]
    await act(client, "/ratings/lists/import", "person,rating\r\nann,1999\r\n", list="a-list-of-its-own", on=today)
    assert not await is_corrected()
    for first in ("ann", "bob"):
        await act(client, "/contests/import", f"contest,kind,on,person,place\r\na,live,2026-10-01,{first},1\r\n")
        assert await is_corrected()
        await act(client, "/close")
        assert not await is_corrected()
    await act(client, "/ratings/import", "person,rating,games\r\nann,1800,100\r\n")
    assert await is_corrected()
    await act(client, "/ratings/publish")
    assert not await is_corrected()


async def test_what_a_season_comes_to_is_worked_out_once_as_long_as_nothing_changes(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_out: list[bool] = []

    def counted(rules: Season, file: SeasonFile, *, is_over: bool) -> Sequence[Rated]:
        worked_out.append(is_over)
        return ratings(rules, file, is_over=is_over)

    monkeypatch.setattr(known, "ratings", counted)
    for first in ("ann", "bob"):
        await act(client, "/contests/import", f"contest,kind,on,person,place\r\na,live,2026-10-01,{first},1\r\n")
        await act(client, "/close")
        worked_out.clear()
        for _ in range(3):
            assert [row["person"] for row in (await look(client))["cup"]] == [first]
            await look(client, "/ratings")
        assert worked_out == [True]


@pytest.mark.rule("SK.REG-11")
async def test_who_has_qualified_is_published_once_a_tie_at_the_cut_is_broken(client: Client, database: str) -> None:
    """By rules that let nobody advance beyond the number."""
    rules = seasons.load("scrabble-sk-2022").model_dump(mode="json")
    rules["cut"]["all_equal_advance"] = False
    opened = SeasonOpened(
        season="own", federation=FEDERATION, name="own", rules=msgspec.Raw(msgspec.json.encode(rules))
    )
    await tell(database, "registration", "own", opened)
    await done(database)
    own: Any = {"path": "/v1/seasons/own"}
    places = (
        "a,live,2026-10-01,ann,1\r\na,,,bob,2\r\nb,live,2026-10-08,bob,1\r\nb,,,ann,2\r\nb,,,cid,3\r\na,,,cid,3\r\n"
    )
    await act(client, "/contests/import", f"contest,kind,on,person,place\r\n{places}", **own)
    problem(await ask(client, "/cut/draw", **own), HTTPStatus.CONFLICT, "no-such-tie")
    assert (await act(client, "/field", {"field": 1}, **own))["field"] == 1
    (tie,) = (await client.get("/v1/seasons/own")).json()["unresolved"]
    assert tie == {"persons": ["ann", "bob"], "places": 1, "needs": "lot"}
    waiting = "ann, bob are equal at the cut, and only 1 can go on: draw a lot, or decide between them."
    for act_of_the_end in ("/qualification/publish", "/close"):
        for tried in ({"dry_run": "true"}, {}):
            waits = await ask(client, act_of_the_end, **tried, **own)
            assert problem(waits, HTTPStatus.CONFLICT, "season-not-over").detail == waiting
    wrong = await ask(client, "/cut/decide", {"order": ["ann", "cid"], "reason": "council"}, **own)
    problem(wrong, HTTPStatus.CONFLICT, "no-such-tie")
    drawn = (await act(client, "/cut/draw", **own))["cut"]
    assert [(one["by"], sorted(one["order"])) for one in drawn] == [("lot", ["ann", "bob"])]
    late = await ask(client, "/cut/decide", {"order": ["ann", "bob"], "reason": "council"}, **own)
    problem(late, HTTPStatus.CONFLICT, "lot-stands")
    foreseen = await act(client, "/qualification/publish", dry_run="true", **own)
    assert foreseen["changes"] == ["1 have qualified, and 2 are reserves."]
    assert (await act(client, "/qualification/publish", **own))["qualification_on"] is not None
    await corrects_what_was_published(client, drawn[0]["order"])
    assert (await client.get("/v1/seasons/own")).json()["decided"] == [drawn[0]["order"]]
    closed = await act(client, "/close", **own)
    assert not closed["allowed_actions"]["drawLotAtCut"]["allowed"]  # the secret is shown with it
    events = {one["type"]: one["data"] for one in await told(client, "own")}
    (first, *reserves) = events[QualificationPublished.__name__]["qualification"]
    assert [first["person"], *(one["person"] for one in reserves)] == [*drawn[0]["order"], "cid"]
    assert (first["qualified"], [one["qualified"] for one in reserves]) == (True, [False, False])
    assert {LotSeedRevealed.__name__, SeasonTablePublished.__name__} <= events.keys()
    await is_equal_behind_the_end(client, places, drawn[0]["order"])


async def corrects_what_was_published(client: Client, drawn: Sequence[str]) -> None:
    """It is out of date until it is published once more, or adds up again as it did."""
    own: Any = {"path": "/v1/seasons/own"}

    async def outdated() -> dict[str, list[str]] | None:
        found = (await client.get("/v1/seasons/own")).json()["outdated"]
        return found and {what: [one["name"] for one in several] for what, several in found.items()}

    async def correct(corrected: str) -> None:
        await act(client, "/contests/import", f"contest,kind,on,person,place\r\n{corrected}", **own)

    assert await outdated() is None
    await correct("c,live,2026-10-09,cid,30\r\n")
    assert await outdated() is None  # points alone move nobody
    await correct("c,live,2026-10-09,cid,1\r\n")
    assert await outdated() == {"qualified": ["Cyril"], "lost": [NAMES[drawn[0]]]}
    await correct("c,live,2026-10-09,dan,30\r\n")
    assert await outdated() == {"qualified": [], "lost": []}
    await act(client, "/qualification/publish", **own)
    assert await outdated() is None
    await correct("c,live,2026-10-09,cid,30\r\n")
    await act(client, "/qualification/publish", **own)


async def is_equal_behind_the_end(client: Client, places: str, drawn: Sequence[str]) -> None:
    """Whoever qualified has not lost that yet; and no lot is drawn any more."""
    own: Any = {"path": "/v1/seasons/own"}
    lucky, other = drawn
    corrected = places.replace(other, "dan")
    await act(client, "/contests/import", f"contest,kind,on,person,place\r\n{corrected}", **own)
    found = (await client.get("/v1/seasons/own")).json()
    assert sorted(found["unresolved"][0]["persons"]) == sorted([lucky, "dan"])
    assert found["outdated"] == {"qualified": [], "lost": []}
    assert found["decided"] == []  # what was drawn is no more between just those who are equal
    shown = problem(await ask(client, "/cut/draw", **own), HTTPStatus.CONFLICT, "seed-revealed").detail
    assert "decide between them" in shown
    decisions = await client.get(f"{own['path']}/decisions", headers=signed_by(issuer().token("cou")))
    allowed = decisions.json()["allowed_actions"]
    assert (allowed["drawLotAtCut"], allowed["decideCut"]) == (
        {"allowed": False, "reason": shown},
        {"allowed": True, "reason": None},
    )


async def test_a_rebuild_makes_the_same_season_of_what_was_heard(client: Client, database: str) -> None:
    await held(database, "one", "ann", "bob", "cid", "dan")
    await held(database, "two", "bob", "ann", on="2026-10-08")
    before = await look(client)
    rebuilt = await rebuild(database, service="standings")
    assert (rebuilt.different, rebuilt.compared) == ((), rebuilt.tables)
    assert await look(client) == before
    corrected = ResultCorrected(
        game="two-1",
        tournament="two",
        stage="swiss",
        round=1,
        seats=("two-bob", "two-ann"),
        scores=(300, 400),
        points=(0, 1),
    )
    await tell(database, "results", "two", corrected)
    await done(database)
    assert cup(await look(client)) == {"ann": 80, "bob": 30 + 35, "cid": 35, "dan": 32}


async def test_only_the_federation_decides(client: Client) -> None:
    problem(await ask(client, "/ratings/publish", by="somebody"), HTTPStatus.FORBIDDEN, "not-permitted")
    stale = {"If-Match": '"7"'} | signed_by(issuer().token("cou"))
    answer = await client.post(f"{PATH}/champion", json={"person": "ann"}, headers=stale)
    problem(answer, HTTPStatus.PRECONDITION_FAILED, "changed-since")
    keyed = {"Idempotency-Key": "champion"} | signed_by(issuer().token("cou"))
    for _ in range(2):
        answer = await client.post(f"{PATH}/champion", json={"person": "ann"}, headers=keyed)
        assert answer.json()["champion"] == "ann"


@pytest.mark.parametrize("person", [FOREIGN, TEAM, "nobody"])
async def test_a_season_is_about_persons_of_its_federation_alone(client: Client, person: str) -> None:
    """Whoever is another federation's is answered like somebody unknown: neither champion, nor rated, nor placed."""
    assert strangers(await ask(client, "/champion", {"person": person})) == ["/person"]
    rated = f"person,rating\r\n{person},1700\r\n"
    placed = f"contest,kind,on,person,place\r\nps-1,written,2026-10-01,{person},1\r\n"
    for answer in (
        await ask(client, "/ratings/import", rated),
        await ask(client, "/contests/import", placed),
        await ask(client, "/ratings/lists/import", rated, list="screlo", on="2026-10-01"),
    ):
        (fault,) = problem(answer, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors
        assert fault.pointer == "/lines/2/person"
        assert fault.detail.endswith("should be the id of a person of the federation, as registration knows it.")
    await act(client, "/contests/import", "contest,kind,on,person,place\r\nps-1,written,2026-10-01,ann,1\r\n")
    games = f"contest,round,person,opponent,points\r\nps-1,1,ann,{person},1\r\n"
    faults = problem(await ask(client, "/games/import", games), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors
    assert "/lines/2/opponent" in [fault.pointer for fault in faults]
