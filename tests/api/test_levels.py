"""From area tournaments to a regional one and on to the grand final, with what standings says of each."""

from http import HTTPStatus
from typing import Any

import pytest

from shared.contracts.parts import QualificationPlace
from shared.contracts.standings import QualificationPublished, Qualified
from shared.values import Value
from tests.api.asking import Client, founded, problem, strangers
from tests.api.holding import act, announce, announced, done, entered, opened, path
from tests.api.school_days import Schools, ruleset, team
from tests.told import done as reacted
from tests.told import tell


@pytest.fixture
def client(new_client: Client) -> Client:
    """Each test counts what there is."""
    return new_client


type Answer = dict[str, Any]

FREE: Answer = {"fees": [], "payment": "recorded", "home_region": False, "quotas": []}
BY_PLACE: Answer = {"seeding": {"by": "tiers"}}


class Circuit(Value):
    client: Client
    database: str

    async def decided(self, tournament: str, *order: str, advance: int | None, **more: Any) -> None:
        """Standings says so, place by place."""
        told = Qualified(
            tournament=tournament,
            order=tuple((one,) for one in order),
            advance=advance,
            reserves=() if advance is None else order[advance:],
            rests_on="reg9.pai9.res9.sta9",
            **more,
        )
        await tell(self.database, "standings", tournament, told)
        await reacted(self.database)

    async def field(self, tournament: str, *statuses: str) -> list[Answer]:
        entries = (await self.client.get(path(tournament, "entries"))).json()["items"]
        return [one for one in entries if one["entrant"]["status"] in (statuses or ("entered", "checked-in"))]

    async def names(self, tournament: str, *statuses: str) -> list[str]:
        return [name_of(one["entrant"]) for one in await self.field(tournament, *statuses)]

    async def qualifiers(self, tournament: str) -> Answer:
        answer = await self.client.get(path(tournament, "qualifiers"))
        assert answer.status_code == HTTPStatus.OK, answer.text
        return answer.json()


def name_of(entrant: Answer) -> str:
    return entrant["name"] or entrant["persons"][0]["name"]


@pytest.fixture
def circuit(client: Client, database: str) -> Circuit:
    return Circuit(client=client, database=database)


async def started(circuit: Circuit, tournament: str) -> list[Answer]:
    for step in ("open-check-in", "check-in", "start"):
        await done(circuit.client, tournament, step)
    numbers = (await circuit.client.get(path(tournament, "entrants"))).json()["items"]
    return sorted((one for one in numbers if one["number"]), key=lambda one: one["number"])


@pytest.mark.rule("PQ.PAI-6", "PQ.STA-5", "PQ.PAI-4")
async def test_three_area_tournaments_lead_by_a_regional_one_to_the_grand_final(circuit: Circuit) -> None:
    client = circuit.client
    schools = await Schools(client).found()
    final = await schools.tournament(rules=ruleset(**FREE, **BY_PLACE) | {"id": "grf"})
    to_the_final = {"next_level": {"tournament": final}}
    regional = await schools.tournament(rules=ruleset(**FREE) | {"id": "kt"}, **to_the_final)
    areas: list[list[str]] = []
    for place in ("Brno", "Opava", "Zlín"):
        area = await schools.tournament(rules=ruleset(**FREE) | {"id": "ot"}, next_level={"tournament": regional})
        names = [f"{place} {n}" for n in (1, 2, 3)]
        teams = [(await schools.enter(area, team(name, schools.one))).json()["id"] for name in names]
        areas.append([area, *teams])
    for area, *teams in areas:
        await circuit.decided(area, *teams, advance=1)
        await circuit.decided(area, *teams, advance=1)  # whatever comes twice is one
    assert await circuit.names(regional) == ["Brno 1", "Opava 1", "Zlín 1"]
    assert await circuit.names(regional, "waiting") == [
        f"{one} {n}" for one in ("Brno", "Opava", "Zlín") for n in (2, 3)
    ]
    first = (await circuit.field(regional))[0]
    before = (await client.get(path(areas[0][0], "entries"))).json()["items"][0]
    kept = ("captain", "school", "persons", "substitutes")
    assert [first["entrant"][name] for name in kept] == [before["entrant"][name] for name in kept]
    assert (first["team"], first["region"], first["consents"]) == (areas[0][1], schools.north, ["rules"])

    opava = (await circuit.field(regional))[1]["entrant"]["id"]
    await done(client, regional, "entrants", opava, "withdraw")
    assert await circuit.names(regional) == ["Brno 1", "Opava 2", "Zlín 1"]
    assert (await circuit.qualifiers(regional))["open"] == 0
    numbers = await started(circuit, regional)
    assert {one["name"] for one in numbers} == {"Brno 1", "Opava 2", "Zlín 1"}

    other = await schools.tournament(rules=ruleset(**FREE) | {"id": "kt-south"}, **to_the_final)
    south = [(await schools.enter(other, team(f"South {n}", schools.away))).json()["id"] for n in (1, 2)]
    await circuit.decided(other, *south, advance=2)
    await circuit.decided(regional, *(one["id"] for one in numbers), advance=2)
    best, second, third = (one["name"] for one in numbers)
    assert await circuit.names(final) == ["South 1", "South 2", best, second]
    assert await circuit.names(final, "waiting") == [third]
    gone = next(one["entrant"]["id"] for one in await circuit.field(final) if one["entrant"]["name"] == second)
    await done(client, final, "entrants", gone, "withdraw")
    in_the_final = [one["name"] for one in await started(circuit, final)]
    assert set(in_the_final[:2]) == {"South 1", best}  # the winners, in an order by lot
    assert in_the_final[2:] == ["South 2", third]
    (lot,) = [one for one in (await circuit.qualifiers(final))["origins"] if one["tournament"] == other]
    assert [(one["place"], one["claim"], one["status"]) for one in lot["qualifiers"]] == [
        (1, "by-right", "playing"),
        (2, "by-right", "playing"),
    ]


@pytest.mark.rule("SK.REG-10", "CC.REG-2")
async def test_a_championship_is_filled_up_and_who_got_no_place_plays_in_the_second_one(circuit: Circuit) -> None:
    client = circuit.client
    federation = await founded(client, "Association")
    first, second = [
        await opened_by(client, federation=federation, entry={"most": 3}, name=name)
        for name in ("Championship A", "Championship B")
    ]
    cup = await opened_by(client, federation=federation, name="Cup")
    await done(client, cup, "next-level", tournament=first, otherwise=second)
    (champion,) = await entered(client, first, "Champion")
    several = await entered(client, cup, *"ABCDEF")
    players = [one["id"] for one in several]
    kept = (await client.post("/v1/persons", json={"federation": federation, "name": "A"})).json()["id"]
    merge = {"duplicate": several[0]["persons"][0]["id"], "reason": "registered-twice"}
    assert (await client.post(f"/v1/persons/{kept}/merge", json=merge)).is_success
    await circuit.decided(cup, *players, advance=None)
    assert await circuit.names(first) == ["Champion", "A", "B"]
    assert [one["id"] for one in (await circuit.field(first))[1]["entrant"]["persons"]] == [kept]
    assert await circuit.names(second) == ["C", "D", "E"]
    assert await circuit.names(first, "waiting") == ["C", "D", "E", "F"]
    await done(client, first, "entrants", champion["id"], "withdraw")
    assert await circuit.names(first) == ["A", "B", "C"]
    seen = await circuit.qualifiers(second)
    assert [one["name"] for one in seen["origins"][0]["qualifiers"] if one["why"]] == ["C"]


@pytest.mark.rule("SK.REG-10", "SK.REG-11")
async def test_who_has_qualified_in_a_season_comes_to_its_championship(circuit: Circuit) -> None:
    """Under the id that counts by now; the champion whatever the place; and who gets no place plays in the second one."""
    client = circuit.client
    federation = await founded(client, "Association")
    seasons = f"/v1/federations/{federation}/seasons"
    season = (await client.post(seasons, json={"name": "2026", "rules": "scrabble-sk-2022"})).json()["id"]
    first, second = [await opened_by(client, federation=federation, entry={"most": 3}, name=name) for name in "MN"]
    to_them = {"tournament": first, "otherwise": second}
    shown = await client.post(f"{seasons}/{season}/next-level", json=to_them)
    assert (shown.json()["next_level"], shown.json()["published"]) == (first, False)
    assert [one["decided"] for one in (await circuit.qualifiers(first))["origins"]] == [False]
    people = {
        name: (await client.post("/v1/persons", json={"federation": federation, "name": name})).json()["id"]
        for name in ("Ann", "Ben", "Cyd", "Dan", "Eve", "Benjamin")
    }
    merge = {"duplicate": people["Benjamin"], "reason": "registered-twice"}
    assert (await client.post(f"/v1/persons/{people['Ben']}/merge", json=merge)).is_success

    async def published(*names: str, champion: str) -> None:
        rows = tuple(
            QualificationPlace(
                place=place,
                person=people[name],
                points=0,
                qualified=name == champion or place < 3,
                champion=name == champion,
            )
            for place, name in enumerate(names, start=1)
        )
        told = QualificationPublished(season=season, federation=federation, on="2026-11-01", qualification=rows)
        await tell(circuit.database, "standings", season, told)
        await reacted(circuit.database)

    for _ in range(2):
        await published("Ann", "Benjamin", "Cyd", "Dan", "Eve", champion="Eve")
    assert await circuit.names(first) == ["Ann", "Ben", "Eve"]
    assert await circuit.names(first, "waiting") == ["Cyd", "Dan"]
    assert await circuit.names(second) == ["Cyd", "Dan"]
    ben = next(one for one in await circuit.field(first) if name_of(one["entrant"]) == "Ben")["entrant"]
    assert [one["id"] for one in ben["persons"]] == [people["Ben"]]
    await published("Ann", "Ben", "Cyd", "Dan", "Eve", champion="Eve")  # standings knows by now who Benjamin is
    await done(client, first, "entrants", ben["id"], "withdraw")
    assert await circuit.names(first) == ["Ann", "Eve", "Cyd"]
    (origin,) = (await circuit.qualifiers(first))["origins"]
    assert (origin["tournament"], origin["name"], origin["advance"]) == (season, "2026", 3)
    assert [(one["name"], one["place"], one["claim"]) for one in origin["qualifiers"]] == [
        ("Ann", 1, "by-right"),
        ("Ben", 2, "by-right"),
        ("Eve", 5, "by-right"),
        ("Cyd", 3, "reserve"),
        ("Dan", 4, "reserve"),
    ]
    facts = (await client.get(f"/v1/persons/{people['Dan']}/export")).json()["facts"]
    noted = [one["said"]["qualification"] for one in facts if one["what"] == "QualificationNoted"]
    assert {row["person"] for rows in noted for row in rows} == {people["Dan"]}
    elsewhere = await client.post(f"{seasons}/{season}/next-level", json={"tournament": second})
    assert "told to" in problem(elsewhere, HTTPStatus.CONFLICT, "no-championship").detail


async def test_a_championship_can_be_named_until_who_has_qualified_was_told_to_it(circuit: Circuit) -> None:
    client = circuit.client
    federation = await founded(client, "Association")
    seasons = f"/v1/federations/{federation}/seasons"
    season = (await client.post(seasons, json={"name": "2026", "rules": "scrabble-sk-2022"})).json()["id"]
    first = await opened_by(client, federation=federation)

    async def naming() -> dict[str, Any]:
        return (await client.get(f"{seasons}/{season}")).json()["allowed_actions"]["nameChampionship"]

    assert (await naming())["allowed"]
    told = QualificationPublished(season=season, federation=federation, on="2026-11-01", qualification=())
    await tell(circuit.database, "standings", season, told)
    await reacted(circuit.database)
    assert (await naming())["allowed"]  # nobody was told yet
    assert (await client.post(f"{seasons}/{season}/next-level", json={"tournament": first})).is_success
    assert ((await naming())["allowed"], "told to" in (await naming())["reason"]) == (False, True)


async def test_who_was_erased_is_taken_in_nowhere_and_an_official_sees_why(circuit: Circuit) -> None:
    client = circuit.client
    federation = await founded(client, "Association")
    seasons = f"/v1/federations/{federation}/seasons"
    season = (await client.post(seasons, json={"name": "2026", "rules": "scrabble-sk-2022"})).json()["id"]
    final = await opened_by(client, federation=federation, entry={"most": 3})
    await client.post(f"{seasons}/{season}/next-level", json={"tournament": final})
    several = [
        (await client.post("/v1/persons", json={"federation": federation, "name": name})).json()["id"]
        for name in ("Ann", "Ben", "Cyd")
    ]
    assert (await client.delete(f"/v1/persons/{several[0]}")).is_success
    rows = tuple(
        QualificationPlace(place=place, person=person, points=10 - place, qualified=place < 3, champion=False)
        for place, person in enumerate(several, start=1)
    )
    told = QualificationPublished(season=season, federation=federation, on="2026-11-01", qualification=rows)
    await tell(circuit.database, "standings", season, told)
    await reacted(circuit.database)
    await done(client, final, "take-in", tournament=season)
    assert (await circuit.names(final), await circuit.names(final, "waiting")) == (["Ben"], ["Cyd"])
    seen = await circuit.qualifiers(final)
    erased = seen["origins"][0]["qualifiers"][0]
    assert (erased["former"], erased["status"], "were erased" in erased["why"]) == (several[0], "not-entered", True)
    assert seen["open"] == 1


async def test_a_team_goes_on_as_it_was_entered_while_anybody_is_left_of_it(circuit: Circuit) -> None:
    client = circuit.client
    schools = await Schools(client).found()
    regional = await schools.tournament(rules=ruleset(**FREE) | {"id": "kt"})
    area = await schools.tournament(rules=ruleset(**FREE) | {"id": "ot"}, next_level={"tournament": regional})
    first, second = [(await schools.enter(area, team(name, schools.one))).json() for name in ("One", "Two")]
    for gone in (first["persons"][2], *second["persons"]):
        assert (await client.delete(f"/v1/persons/{gone['id']}")).is_success
    await circuit.decided(area, first["id"], second["id"], advance=2)
    (origin,) = (await circuit.qualifiers(regional))["origins"]
    assert [(one["status"], one["why"] and "were erased" in one["why"]) for one in origin["qualifiers"]] == [
        ("entered", None),
        ("not-entered", True),
    ]


async def opened_by(client: Client, *, federation: str, **said: Any) -> str:
    answer = await announce(client, federation, **said)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    await done(client, answer.json()["id"], "open")
    return answer.json()["id"]


async def test_who_comes_when_entries_are_over_waits_for_an_official(circuit: Circuit) -> None:
    client = circuit.client
    federation = await founded(client, "Association")
    cup, final = [await opened_by(client, federation=federation, name=name) for name in ("Cup", "Final")]
    players = [one["id"] for one in await entered(client, cup, "Ann", "Bob")]
    await done(client, final, "open-check-in")
    problem(await act(client, final, "take-in", tournament=cup), HTTPStatus.CONFLICT, "no-next-level")
    await circuit.decided(cup, *players, advance=1)
    await done(client, cup, "next-level", tournament=final)  # it may be named when all is played
    seen = await circuit.qualifiers(final)
    assert (seen["open"], seen["origins"][0]["decided"], seen["origins"][0]["name"]) == (1, True, "Cup")
    assert seen["origins"][0]["qualifiers"][0]["why"] == "They are not entered: take them in."
    foreseen = await done(client, final, "take-in?dry_run=true", tournament=cup)
    assert foreseen["changes"] == ["2 enter.", "1 wait for a place."]
    await done(client, final, "take-in", tournament=cup)
    await done(client, final, "take-in", tournament=cup)
    assert (await circuit.names(final), await circuit.names(final, "waiting")) == (["Ann"], ["Bob"])
    assert (await circuit.qualifiers(final))["open"] == 0
    await circuit.decided(cup, *reversed(players), advance=1)  # a correction
    seen = await circuit.qualifiers(final)
    assert [(one["name"], one["claim"], one["why"] is not None) for one in seen["origins"][0]["qualifiers"]] == [
        ("Bob", "by-right", True),
        ("Ann", "reserve", True),
    ]


async def test_a_level_leads_to_another_of_the_same_federation_and_never_back(circuit: Circuit) -> None:
    client = circuit.client
    federation = await founded(client, "Association")
    cup, final = [await opened_by(client, federation=federation, name=name) for name in ("Cup", "Final")]
    elsewhere = await opened(client)
    for strange in (elsewhere, "nowhere"):
        assert strangers(await act(client, cup, "next-level", tournament=strange)) == ["/tournament"]
    several: list[Answer] = [{"tournament": cup}, {"tournament": None, "otherwise": final}]
    for wrong in several:
        problem(await act(client, cup, "next-level", **wrong), HTTPStatus.CONFLICT, "no-next-level")
    assert (await done(client, cup, "next-level", tournament=final))["next_level"] == final
    problem(await act(client, final, "next-level", tournament=cup), HTTPStatus.CONFLICT, "no-next-level")
    problem(await act(client, final, "take-in", tournament=cup), HTTPStatus.CONFLICT, "not-decided")
    assert (await circuit.qualifiers(final))["origins"][0]["decided"] is False
    await done(client, cup, "next-level", tournament=None)
    assert (await circuit.qualifiers(final))["origins"] == []
    unknown = await announce(client, federation, next_level={"tournament": "nowhere"})
    assert strangers(unknown) == ["/next_level/tournament"]


async def final_with_reserves(circuit: Circuit) -> str:
    """Of three places Ann has one, and Bob and Eve wait."""
    client = circuit.client
    federation = await founded(client, "Association")
    cup, final = (
        await opened_by(client, federation=federation, name="Cup"),
        await opened_by(client, federation=federation, name="Final", entry={"most": 3}),
    )
    players = [one["id"] for one in await entered(client, cup, "Ann", "Bob", "Eve")]
    await circuit.decided(cup, *players, advance=1)
    await done(client, cup, "next-level", tournament=final)
    await done(client, final, "take-in", tournament=cup)
    return final


@pytest.mark.rule("SK.REG-11")
async def test_passing_a_reserve_over_takes_a_reason_that_stands_in_their_history(circuit: Circuit) -> None:
    client = circuit.client
    final = await final_with_reserves(circuit)
    bob, eve = [one["entrant"] for one in await circuit.field(final, "waiting")]
    refused = problem(await act(client, final, "call-reserve", entrant=eve["id"]), HTTPStatus.CONFLICT, "out-of-order")
    assert "send the reason" in refused.detail
    assert await circuit.names(final, "waiting") == ["Bob", "Eve"]
    reason = {"code": "not-reached", "words": "Two calls went unanswered.", "clause": "7.1"}
    await done(client, final, "call-reserve", entrant=eve["id"], reason=reason)
    assert await circuit.names(final) == ["Ann", "Eve"]
    history = (await client.get(path(final, "entrants", bob["id"], "history"))).json()["items"]
    last = history[-1]
    assert [last[name] for name in ("what", "why", "words", "clause")] == ["reserve-passed-over", *reason.values()]
    await done(client, final, "call-reserve")
    assert await circuit.names(final) == ["Ann", "Bob", "Eve"]


@pytest.mark.rule("SK.REG-11")
async def test_places_that_nobody_confirmed_go_to_reserves_after_the_last_day(circuit: Circuit) -> None:
    client = circuit.client
    asked, over = (
        {"most": 2, "deadlines": [{"of": "confirmation", "date": day, "rule_id": "SK.REG-11"}]}
        for day in ("2099-01-01", "2020-01-01")
    )
    final = await opened(client, entry=asked)
    await entered(client, final, "Ann", "Bob", "Eve")
    await done(client, final, "change-plan", entry=over, reason={"code": "other"})
    foreseen = await done(client, final, "release-unconfirmed?dry_run=true")
    assert foreseen["changes"] == ["2 withdraw.", "1 are called."]
    await done(client, final, "release-unconfirmed")
    assert await circuit.names(final) == ["Eve"]
    (eve,) = await circuit.field(final)
    await done(client, final, "entrants", eve["entrant"]["id"], "confirm")
    problem(await act(client, await announced(client), "release-unconfirmed"), HTTPStatus.CONFLICT, "not-now")


async def test_who_asks_again_under_the_same_key_is_answered_as_before_whatever_has_become_of_the_next_level(
    circuit: Circuit,
) -> None:
    client = circuit.client
    federation = await founded(client, "Association")
    cup, other, final = [
        await opened_by(client, federation=federation, name=name) for name in ("Cup", "Other", "Final")
    ]
    players = [one["id"] for one in await entered(client, cup, "Ann", "Bob", "Eve")]
    await circuit.decided(cup, *players, advance=2)
    named = await act(client, cup, "next-level", tournament=final, under="named")
    taken = await act(client, final, "take-in", tournament=cup, under="taken")
    await done(client, final, "next-level", tournament=other)
    await started(circuit, final)
    for first, again in (
        (named, await act(client, cup, "next-level", tournament=final, under="named")),
        (taken, await act(client, final, "take-in", tournament=cup, under="taken")),
    ):
        assert (first.status_code, again.status_code, again.content) == (HTTPStatus.OK, HTTPStatus.OK, first.content)


async def test_a_reserve_who_still_waits_when_it_starts_is_admitted_late_by_who_they_are(circuit: Circuit) -> None:
    client = circuit.client
    final = await final_with_reserves(circuit)
    await entered(client, final, "Zoe")
    await started(circuit, final)
    (bob, _) = [one["entrant"] for one in await circuit.field(final, "waiting")]
    late = await done(client, final, "entrants", "admit", person=bob["persons"][0]["id"], decision="substitute")
    assert (late["id"], late["number"], late["rating"], late["status"]) == (bob["id"], 3, 1999, "playing")
    again = await done(
        client, final, "entrants", "admit", person=bob["persons"][0]["id"], rating=1999, decision="other"
    )
    assert again["id"] == bob["id"]
