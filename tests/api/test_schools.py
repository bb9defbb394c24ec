"""Teams of schools over HTTP: from the first entry to the start, with everything that is refused on the way."""

import asyncio
from http import HTTPStatus
from typing import Any

import pytest

from deploy.databases import connection
from tests.api.asking import Client, founded, issuer, problem
from tests.api.holding import act, announce, done, entered, opened, path
from tests.api.school_days import Schools, ruleset, team
from tests.api.signing import signed_by

REFUSED = HTTPStatus.CONFLICT


@pytest.fixture
async def schools(client: Client) -> Schools:
    return await Schools(client).found()


async def entry(schools: Schools, tournament: str, entrant: str) -> dict[str, Any]:
    answer = await schools.client.get(path(tournament, "entrants", entrant, "entry"))
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


async def lacking(schools: Schools, tournament: str, **query: str) -> dict[str, list[str]]:
    """What each entry lacks, by the name of the team."""
    answer = await schools.client.get(path(tournament, "entries"), params=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return {one["entrant"]["name"]: [lack["kind"] for lack in one["lacks"]] for one in answer.json()["items"]}


@pytest.mark.rule("PQ.REG-5", "PQ.REG-6", "PQ.REG-10", "PQ.REG-11", "PQ.REG-16")
async def test_two_teams_come_from_entry_to_start(schools: Schools) -> None:
    tournament = await schools.tournament()
    sparrows = (await schools.enter(tournament, team("Sparrows", schools.one))).json()
    owls = (await schools.enter(tournament, team("Owls", schools.other, consents=[]))).json()
    assert (sparrows["name"], [one["name"] for one in sparrows["persons"]]) == (
        "Sparrows",
        ["Sparrows 1", "Sparrows 2", "Sparrows 3"],
    )
    assert sparrows["captain"] == sparrows["persons"][0]["id"]
    assert await lacking(schools, tournament) == {
        "Sparrows": ["not-checked-in", "unpaid"],
        "Owls": ["not-checked-in", "no-consent", "unpaid"],
    }
    assert await lacking(schools, tournament, lacking="no-consent") == {
        "Owls": ["not-checked-in", "no-consent", "unpaid"]
    }
    assert list(await lacking(schools, tournament, order="lacks")) == ["Owls", "Sparrows"]
    assert list(await lacking(schools, tournament, home=schools.one)) == ["Sparrows"]
    assert list(await lacking(schools, tournament, home=schools.north)) == ["Sparrows", "Owls"]
    assert list(await lacking(schools, tournament, paid="true")) == []
    assert list(await lacking(schools, tournament, paid="false", order="rating")) == ["Sparrows", "Owls"]

    detailed = await done(
        schools.client, tournament, "entrants", owls["id"], "detail", school=schools.other, consents=["rules"]
    )
    assert "no-consent" not in [lack["kind"] for lack in detailed["lacks"]]
    assert detailed["due"] == [{"amount": 180, "currency": "CZK"}, {"amount": 8, "currency": "EUR"}]
    for entrant, amount, currency in ((owls["id"], 180, "CZK"), (sparrows["id"], 8, "EUR")):
        paid = await done(
            schools.client,
            tournament,
            *("entrants", entrant, "payments"),
            amount=amount,
            currency=currency,
            on="2025-11-01",
            reference=f"of-{currency}",
        )
        assert paid["due"] == []
    await done(schools.client, tournament, "open-check-in")
    there = [one["id"] for one in sparrows["persons"]][:2]
    too_few = await act(schools.client, tournament, "entrants", sparrows["id"], "members-there", present=there[:1])
    assert "PQ.REG-6" in problem(too_few, REFUSED, "too-few-present").detail
    await done(schools.client, tournament, "entrants", sparrows["id"], "members-there", present=there)
    check = (await schools.client.get(path(tournament, "start-check"))).json()
    assert [blocker["kind"] for blocker in check["blockers"]] == ["not-checked-in", "too-few-entrants"]
    await done(schools.client, tournament, "check-in")
    assert (await done(schools.client, tournament, "start"))["status"] == "running"
    log = (await schools.client.get("/v1/log")).text
    assert all(word not in log for word in ("Sparrows", "2012-01-01"))
    assert f'"school":"{schools.one}"' in log
    refused = await act(
        schools.client, tournament, "entrants", owls["id"], "name-captain", person=owls["persons"][1]["id"]
    )
    problem(refused, REFUSED, "line-up-frozen")


@pytest.mark.rule("PQ.REG-7")
async def test_two_schools_that_enter_the_same_player_at_once_in_two_tournaments_get_one_team(schools: Schools) -> None:
    person = (
        await schools.client.post("/v1/persons", json={"federation": schools.federation, "name": "Wanted"})
    ).json()["id"]
    tournaments = [await schools.tournament() for _ in range(2)]
    bodies = [
        team(name, school, born=None) | {"persons": [person, {"name": f"{name} 2"}], "captain": person}
        for name, school in (("Sparrows", schools.one), ("Owls", schools.other))
    ]
    answers = await asyncio.gather(
        *(schools.enter(one, body) for one, body in zip(tournaments * 5, bodies * 5, strict=True))
    )
    assert sorted({answer.status_code for answer in answers}) == [HTTPStatus.CREATED, REFUSED]
    made = [answer for answer in answers if answer.status_code == HTTPStatus.CREATED]
    assert len({answer.json()["id"] for answer in made}) == 1
    winner = made[0].json()
    (other,) = [one for one in tournaments if one != winner["tournament"]]
    refused = next(answer for one, answer in zip(tournaments * 5, answers, strict=True) if one == other)
    assert "PQ.REG-7" in problem(refused, REFUSED, "claimed-by-another").detail
    await done(schools.client, winner["tournament"], "entrants", winner["id"], "withdraw")
    loser = next(body for one, body in zip(tournaments, bodies, strict=True) if one == other)
    assert (await schools.enter(other, loser)).status_code == HTTPStatus.CREATED


@pytest.mark.rule("PQ.REG-13")
async def test_the_fifth_team_of_a_school_is_refused_also_in_another_tournament_of_the_level(schools: Schools) -> None:
    first, second = [await schools.tournament() for _ in range(2)]
    for n in range(4):
        answer = await schools.enter(first if n % 2 else second, team(f"T{n}", schools.one))
        assert answer.status_code == HTTPStatus.CREATED, answer.text
    refused = await schools.enter(first, team("T5", schools.one))
    assert "PQ.REG-13" in problem(refused, REFUSED, "series-quota-reached").detail
    for n in range(5):  # merged of two
        answer = await schools.enter(first, team(f"M{n}", schools.other))
        assert answer.status_code == HTTPStatus.CREATED, answer.text


@pytest.mark.rule("PQ.REG-9")
async def test_a_team_goes_on_in_the_series_as_it_was(schools: Schools) -> None:
    first = await schools.tournament()
    sparrows = (await schools.enter(first, team("Sparrows", schools.one))).json()
    persons = [one["id"] for one in sparrows["persons"]]
    next_level = await schools.tournament(rules=ruleset() | {"id": "schools-kt"})
    body = team("Sparrows", schools.one) | {"persons": persons, "captain": persons[0], "team": sparrows["id"]}
    other = body | {"persons": [*persons[:2], {"name": "somebody else"}]}
    problem(await schools.enter(next_level, other), REFUSED, "team-frozen")
    assert (await schools.enter(next_level, body)).status_code == HTTPStatus.CREATED
    again = await schools.tournament()
    problem(await schools.enter(again, body), REFUSED, "team-plays-elsewhere")


@pytest.mark.rule("PQ.REG-14")
async def test_a_team_of_another_region_comes_only_with_the_approval_of_a_coordinator(schools: Schools) -> None:
    tournament = await schools.tournament()
    away = team("Away", schools.away)
    problem(await schools.enter(tournament, away), REFUSED, "region-not-approved")
    approved = away | {"region_approval": "full-at-home"}
    problem(await schools.enter(tournament, approved), HTTPStatus.FORBIDDEN, "not-permitted")
    officials = f"/v1/federations/{schools.federation}/officials"
    await schools.client.post(officials, json={"subject": "cora", "role": "coordinator"})
    answer = await schools.enter(tournament, approved, by="cora")
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    assert (await entry(schools, tournament, answer.json()["id"]))["approved_from"] == schools.south


@pytest.mark.rule("PQ.REG-12")
async def test_the_host_asks_for_a_waiver_for_one_of_its_teams(schools: Schools) -> None:
    tournament = await schools.tournament(host=schools.one)
    teams = [(await schools.enter(tournament, team(name, schools.one))).json()["id"] for name in ("One", "Two")]
    problem(
        await act(schools.client, tournament, "entrants", teams[0], "waivers", "grant", ground="host-school"),
        REFUSED,
        "not-requested",
    )
    for one in teams:
        await done(schools.client, tournament, "entrants", one, "waivers", "request", ground="host-school")
    granted = await done(schools.client, tournament, "entrants", teams[0], "waivers", "grant", ground="host-school")
    assert (granted["due"], granted["waivers"]) == ([], [{"ground": "host-school", "status": "granted", "asked": None}])
    second = await act(schools.client, tournament, "entrants", teams[1], "waivers", "grant", ground="host-school")
    problem(second, REFUSED, "waivers-used-up")


@pytest.mark.rule("OT.REG-4", "PQ.REG-11")
async def test_a_fee_below_what_is_due_is_refused(schools: Schools) -> None:
    tournament = await schools.tournament()
    entrant = (await schools.enter(tournament, team("Sparrows", schools.one))).json()["id"]
    payment = {"currency": "CZK", "on": "2025-11-01", "reference": "VS-1"}
    less = await act(schools.client, tournament, "entrants", entrant, "payments", amount=179.5, **payment)
    assert "PQ.REG-11" in problem(less, HTTPStatus.UNPROCESSABLE_ENTITY, "fee-too-low").detail
    await done(schools.client, tournament, "entrants", entrant, "payments", amount=180, **payment)
    differs = await act(schools.client, tournament, "entrants", entrant, "payments", amount=181, **payment)
    problem(differs, REFUSED, "payment-differs")


async def test_fifty_who_want_the_last_place_make_one_entry_and_a_line_in_order(client: Client) -> None:
    tournament = await opened(client, entry={"most": 3})
    await entered(client, tournament, "Ada", "Bea")
    answers = await asyncio.gather(
        *(act(client, tournament, "entrants", person={"name": f"Person {n}"}) for n in range(50))
    )
    assert {answer.status_code for answer in answers} == {HTTPStatus.CREATED}
    status = [answer.json()["status"] for answer in answers]
    assert (status.count("entered"), status.count("waiting")) == (1, 49)
    shown = (await client.get(path(tournament))).json()
    assert (shown["entrants"], shown["waiting"], shown["places"]) == (3, 49, 3)
    line = (await client.get(path(tournament, "entries"), params={"status": "waiting"})).json()["items"]
    assert [one["waits_as"] for one in line] == list(range(1, 50))
    placed = next(answer.json()["id"] for answer in answers if answer.json()["status"] == "entered")
    await done(client, tournament, "entrants", placed, "withdraw")
    first = (await client.get(path(tournament, "entrants", line[0]["entrant"]["id"]))).json()
    assert first["status"] == "entered"


async def test_what_is_known_of_a_person_stays_out_of_the_log_and_is_read_by_few(schools: Schools) -> None:
    client = schools.client
    person = (await client.post("/v1/persons", json={"federation": schools.federation, "name": "Ann"})).json()["id"]
    known = {
        "born": "2011-05-17",
        "citizenship": ["PL"],
        "town": "Kraków",
        "email": "ann@example.org",
        "phone": None,
        "licence": None,
    }
    answer = await client.post(f"/v1/persons/{person}/particulars", json=known)
    assert answer.json() == known | {"person": person, "hidden": []}
    assert (await client.get(f"/v1/persons/{person}/particulars")).json() == answer.json()
    log = (await client.get("/v1/log")).text
    assert '"ParticularsChanged"' in log
    assert all(word not in log for word in ("2011-05-17", "Kraków", "ann@example.org"))
    await client.post(f"/v1/federations/{schools.federation}/officials", json={"subject": "sue", "role": "auditor"})
    asked = await client.get(f"/v1/persons/{person}/particulars", headers=signed_by(issuer().token("sue")))
    problem(asked, HTTPStatus.FORBIDDEN, "not-permitted")


async def test_who_makes_room_for_a_substitute_still_finds_the_entry_in_what_is_known_of_them(schools: Schools) -> None:
    tournament = await schools.tournament()
    said = team("Sparrows", schools.one, substitutes=[{"name": "Wren", "particulars": {"born": "2012"}}])
    sparrows = (await schools.enter(tournament, said)).json()
    gone, wren = sparrows["persons"][2]["id"], sparrows["substitutes"][0]["id"]
    await done(schools.client, tournament, "entrants", sparrows["id"], "bring-in", substitute=wren, instead_of=gone)
    for person in (gone, wren):
        (part,) = (await schools.client.get(f"/v1/persons/{person}/export")).json()["tournaments"]
        assert [one["entrant"]["id"] for one in part["entries"]] == [sparrows["id"]]


async def test_who_turns_out_to_be_too_old_is_judged_anew(schools: Schools) -> None:
    tournament = await schools.tournament()
    sparrows = (await schools.enter(tournament, team("Sparrows", schools.one, born=None))).json()
    before = await entry(schools, tournament, sparrows["id"])
    assert {verdict["met"] for verdict in before["verdicts"]} == {None}
    assert "not-judged" in [lack["kind"] for lack in before["lacks"]]
    for one in sparrows["persons"]:
        await schools.client.post(f"/v1/persons/{one['id']}/particulars", json={"born": "2012-01-01"})
    after = await done(schools.client, tournament, "entrants", sparrows["id"], "judge")
    assert {verdict["met"] for verdict in after["verdicts"]} == {True}


async def test_homes_are_registered_changed_and_listed(schools: Schools) -> None:
    homes = f"/v1/federations/{schools.federation}/homes"
    listed = (await schools.client.get(homes, params={"kind": "school", "limit": 2})).json()
    assert [one["name"] for one in listed["items"]] == ["Gymnázium", "Základná"]
    rest = (await schools.client.get(homes, params={"kind": "school", "after": listed["next"]})).json()
    assert [one["name"] for one in rest["items"]] == ["Ďaleká"]
    changed = await schools.client.post(
        f"{homes}/{schools.one}/change",
        json={"kind": "school", "name": "Gymnázium", "region": schools.north, "parts": 3},
    )
    assert (changed.json()["parts"], changed.json()["types"]) == (3, [])
    club = await schools.client.post(homes, json={"kind": "club", "name": "Go", "parts": 2})
    problem(club, HTTPStatus.UNPROCESSABLE_ENTITY, "unfit-home")
    for region in ("nowhere", schools.one):
        nowhere = await schools.client.post(homes, json={"kind": "club", "name": "Go", "region": region})
        (fault,) = problem(nowhere, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors
        assert fault.pointer == "/region"
    unknown = await schools.enter(await schools.tournament(), team("Sparrows", schools.north))
    assert unknown.json()["errors"][0]["pointer"] == "/school"


async def test_another_name_of_a_school_is_told_also_by_who_was_killed_after_the_act_and_comes_again(
    new_client: Client, database: str
) -> None:
    schools = await Schools(new_client).found()

    async def called() -> str:
        async with connection(database) as names:
            return await names.fetchval("select name from names.names where id = $1", schools.one)

    async def change(name: str, key: str) -> str:
        body = {"kind": "school", "name": name, "region": schools.north}
        url = f"/v1/federations/{schools.federation}/homes/{schools.one}/change"
        return (await schools.client.post(url, json=body, headers={"Idempotency-Key": key})).json()["name"]

    assert (await change(" Gymnázium  Poštová", "first"), await called()) == ("Gymnázium Poštová", "Gymnázium Poštová")
    async with connection(database) as names:
        await names.execute("update names.names set name = 'Gymnázium' where id = $1", schools.one)
    assert (await change(" Gymnázium  Poštová", "first"), await called()) == ("Gymnázium Poštová", "Gymnázium Poštová")
    assert (await change("Piaristi", "second"), await called()) == ("Piaristi", "Piaristi")
    assert (await change(" Gymnázium  Poštová", "first"), await called()) == ("Gymnázium Poštová", "Piaristi")


async def test_two_schools_that_are_called_alike_are_registered_only_if_there_are_two(schools: Schools) -> None:
    homes, client = f"/v1/federations/{schools.federation}/homes", schools.client
    again = {"kind": "school", "name": " GYMNAZIUM ", "region": schools.north}
    refused = problem(await client.post(homes, json=again), HTTPStatus.CONFLICT, "home-called-so")
    assert schools.one in refused.detail
    other = (await client.post(homes, json=again | {"region": None})).json()["id"]
    problem(await client.post(f"{homes}/{other}/change", json=again), HTTPStatus.CONFLICT, "home-called-so")
    assert (await client.post(f"{homes}/{other}/change", json=again | {"another": True})).status_code == HTTPStatus.OK
    changed = await client.post(f"{homes}/{other}/change", json=again | {"types": ["secondary"]})
    assert changed.json()["types"] == ["secondary"], "what it was called before is not asked about again"
    assert (await client.post(homes, json=again | {"kind": "club"})).status_code == HTTPStatus.CREATED


@pytest.mark.rule("SK.REG-1")
async def test_pairs_play_where_a_tournament_is_declared_as_one_of_pairs(client: Client) -> None:
    tournament = await opened(client, entry={"kind": "pair"})
    alone = await act(client, tournament, "entrants", person={"name": "Ann"})
    problem(alone, HTTPStatus.UNPROCESSABLE_ENTITY, "wrong-number-of-persons")
    pair = await done(client, tournament, "entrants", persons=[{"name": "Ann"}, {"name": "Bob"}], name="Two")
    assert (pair["name"], [one["name"] for one in pair["persons"]]) == ("Two", ["Ann", "Bob"])
    teams = await announce(client, await founded(client, "SSS"), entry={"kind": "team"})
    assert [fault["pointer"] for fault in teams.json()["errors"]] == ["/entry/kind"]


async def test_what_entries_lack_is_for_officials(schools: Schools) -> None:
    tournament = await schools.tournament()
    await schools.enter(tournament, team("Sparrows", schools.one))
    await done(schools.client, tournament, "open-check-in")
    await done(schools.client, tournament, "check-in")
    kinds = [
        [blocker["kind"] for blocker in answer.json()["blockers"]]
        for answer in (
            await schools.client.get(path(tournament, "start-check")),
            await schools.client.get(path(tournament, "start-check"), headers={"Authorization": ""}),
        )
    ]
    assert kinds == [["too-few-entrants", "unpaid"], ["too-few-entrants", "entries"]]


@pytest.mark.rule("PQ.REG-1")
async def test_one_person_may_play_in_a_team_and_as_an_individual(schools: Schools) -> None:
    teams, alone = await schools.tournament(), await schools.tournament(rules=ruleset(kind="individual", team=None))
    sparrows = (await schools.enter(teams, team("Sparrows", schools.one))).json()
    body = {"person": sparrows["persons"][0]["id"], "school": schools.one, "consents": ["rules"]}
    answer = await schools.enter(alone, body)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
