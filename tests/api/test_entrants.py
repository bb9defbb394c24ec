"""Entrants over HTTP: who comes in, who is there, and what becomes of them; each once however often it is asked."""

import asyncio
import csv
import time
from http import HTTPStatus
from typing import Any

import pytest

from shared.clock import now
from shared.contracts.pairing import RoundRecalled
from tests.api.asking import Client, founded, pointers, position, problem
from tests.api.holding import act, announce, announced, done, enter, entered, opened, path, running
from tests.logged import happened
from tests.played import published
from tests.told import tell

YESTERDAY = "2020-01-01T00:00:00Z"


async def listed(client: Client, tournament: str, **query: str | int) -> list[str]:
    found: list[str] = []
    asked: str | None = path(tournament, "entrants")
    params: dict[str, str | int] | None = query
    while asked:
        answer = await client.get(asked, params=params)
        assert answer.status_code == HTTPStatus.OK, answer.text
        found += [entrant["persons"][0]["name"] for entrant in answer.json()["items"]]
        asked, params = answer.links.get("next", {}).get("url"), None
    return found


async def test_somebody_new_enters_and_is_registered_with_it(client: Client) -> None:
    tournament = await opened(client)
    answer = await enter(client, tournament, "  Ada  Lovelace ", 1700)
    assert answer.status_code == HTTPStatus.CREATED
    entrant = answer.json()
    (person,) = entrant["persons"]
    assert (person["name"], entrant["status"], entrant["rating"], entrant["number"]) == (
        "Ada Lovelace",
        "entered",
        1700,
        None,
    )
    assert (await client.get(f"/v1/persons/{person['id']}")).json()["name"] == "Ada Lovelace"
    assert (await client.get(path(tournament, "entrants", entrant["id"]))).json() == entrant
    everything = (await client.get("/v1/log")).text
    assert person["id"] in everything
    assert "Ada" not in everything


async def test_somebody_who_is_registered_enters_by_id(client: Client) -> None:
    federation = await founded(client, "SSS")
    person = (await client.post("/v1/persons", json={"federation": federation, "name": "Ada"})).json()["id"]
    tournament = (await announce(client, federation)).json()["id"]
    await done(client, tournament, "open")
    for who in (person, {"id": person}):
        entrant = await done(client, tournament, "entrants", person=who, rating=1700)
        assert entrant["persons"] == [{"id": person, "name": "Ada"}]
    assert await listed(client, tournament) == ["Ada"]
    sheet = await client.get(path(tournament, "entrants"), params={"format": "csv"})
    (line,) = csv.DictReader(sheet.content.decode("utf-8-sig").splitlines())
    assert (line["persons"], line["rating"], line["status"], line["number"]) == ("Ada", "1700", "entered", "")


@pytest.mark.parametrize("person", ["nobody", {}, {"id": "nobody", "name": "Ada"}])
async def test_nobody_enters_who_is_neither_known_nor_named(client: Client, person: object) -> None:
    tournament = await opened(client)
    answer = await act(client, tournament, "entrants", person=person)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    (fault,) = answer.json()["errors"]
    assert fault["pointer"] in {"/person", "/person/id"}


async def test_a_repeated_key_enters_once_and_leaves_no_second_name(client: Client) -> None:
    tournament = await opened(client)
    first, again = [await enter(client, tournament, "Ada", under="ada") for _ in range(2)]
    assert again.json() == first.json()
    assert await listed(client, tournament) == ["Ada"]


async def test_a_refused_entry_leaves_nothing_behind(new_client: Client) -> None:
    tournament = await announced(new_client)
    refused = await enter(new_client, tournament, "Ada")
    problem(refused, HTTPStatus.CONFLICT, "not-now")
    assert "PersonRegistered" not in (await new_client.get("/v1/log")).text


@pytest.mark.rule("SK.REG-2")
async def test_after_the_deadline_it_takes_a_decision_of_the_organiser(client: Client) -> None:
    tournament = await opened(client, entries_close=YESTERDAY, reason={"code": "late"})
    problem(await enter(client, tournament, "Ada"), HTTPStatus.CONFLICT, "entries-closed")
    assert (await enter(client, tournament, "Ada", decision="excused")).status_code == HTTPStatus.CREATED


@pytest.mark.rule("SK.REG-2")
async def test_entries_close_at_the_end_of_thursday_of_the_week(client: Client) -> None:
    tournament = await announced(client, starts_on="2099-07-18")  # a Saturday in summer
    assert (await client.get(path(tournament))).json()["entries_close"] == "2099-07-16T22:00:00Z"


async def test_many_come_in_at_once_or_nobody_does(client: Client) -> None:
    tournament = await opened(client)
    ada, bea = await entered(client, tournament, "Ada", "Bea")
    assert (ada["persons"][0]["name"], bea["persons"][0]["name"]) == ("Ada", "Bea")
    body = [
        {"person": {"name": "Cyd"}},
        {"person": ada["persons"][0]["id"], "rating": 1},
        {"person": {"name": "Dee"}, "lists": ["women"]},
    ]
    refused = await act(client, tournament, "entrants", "import", entrants=body)
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/entrants/1", "/entrants/2"]
    unknown = await act(client, tournament, "entrants", "import", entrants=[body[0], {"person": "nobody"}])
    assert [fault["pointer"] for fault in unknown.json()["errors"]] == ["/entrants/1/person"]
    assert await listed(client, tournament) == ["Ada", "Bea"]


async def test_a_malformed_entry_names_its_faults(client: Client) -> None:
    tournament = await opened(client)
    answer = await act(client, tournament, "entrants", person={"name": ""}, rating=-1)
    assert pointers(answer) == ["/person/name", "/rating"]


async def test_only_teams_and_pairs_have_names_of_their_own(client: Client) -> None:
    tournament = await opened(client)
    refused = await act(client, tournament, "entrants", person={"name": "Tomáš Veľký"}, name="Mária Nováková")
    assert [fault.pointer for fault in problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors] == ["/name"]


async def test_only_a_team_goes_on_as_one_of_an_earlier_tournament(client: Client) -> None:
    tournament = await opened(client)
    refused = await act(client, tournament, "entrants", person={"name": "Tomáš Veľký"}, team=tournament)
    assert [fault.pointer for fault in problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors] == ["/team"]


async def test_what_is_wrong_with_an_entry_is_named_together_with_where_they_cannot_come_from(client: Client) -> None:
    tournament = await opened(client)
    lost = {"person": {"name": "Tomáš Veľký"}, "name": "Mária Nováková", "club": "nowhere"}
    refused = await act(client, tournament, "entrants", "import", entrants=[lost, lost])
    assert {fault["pointer"] for fault in refused.json()["errors"]} == {
        *("/entrants/0/name", "/entrants/0/club"),
        *("/entrants/1/name", "/entrants/1/club"),
    }


async def test_fifty_who_enter_the_same_person_make_one_entry(new_client: Client) -> None:
    federation = await founded(new_client, "SSS")
    person = (await new_client.post("/v1/persons", json={"federation": federation, "name": "Ada"})).json()["id"]
    tournament = (await announce(new_client, federation)).json()["id"]
    await done(new_client, tournament, "open")
    answers = await asyncio.gather(*(act(new_client, tournament, "entrants", person=person) for _ in range(50)))
    assert {answer.status_code for answer in answers} == {HTTPStatus.CREATED}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert happened((await new_client.get("/v1/log")).content, "EntrantEntered") == 1


async def test_three_hundred_entries_in_quick_succession_are_quick(client: Client) -> None:
    tournament = await opened(client)
    few, many = [await entered_at_once(client, tournament, range(*some)) for some in ((30,), (30, 330))]
    again = await entered_at_once(client, await opened(client), range(30))  # the machine may have become busy meanwhile
    assert many < 40 * max(few, again)  # where each took as long as there are entries it would be 110 times as long
    assert (await client.get(path(tournament))).json()["entrants"] == 330


async def entered_at_once(client: Client, tournament: str, numbers: range) -> float:
    """How long it takes, in seconds."""
    began = time.monotonic()
    answers = await asyncio.gather(*(enter(client, tournament, f"Person {number}") for number in numbers))
    assert {answer.status_code for answer in answers} == {HTTPStatus.CREATED}
    return time.monotonic() - began


async def test_an_entry_is_corrected_withdrawn_and_made_again(client: Client) -> None:
    tournament = await opened(client)
    (ada,) = await entered(client, tournament, "Ada")
    corrected = await done(client, tournament, "entrants", ada["id"], "correct", rating=1900, key=3)
    assert corrected["rating"] == 1900
    assert (await done(client, tournament, "entrants", ada["id"], "withdraw"))["status"] == "withdrawn"
    again = await done(client, tournament, "entrants", person=ada["persons"][0]["id"])
    assert again["id"] != ada["id"]
    assert await listed(client, tournament, status="withdrawn") == ["Ada"]
    assert await listed(client, tournament) == ["Ada", "Ada"]


@pytest.mark.rule("SK.REG-3")
async def test_only_who_has_entered_checks_in(client: Client) -> None:
    tournament = await opened(client)
    ada, bea, cyd = await entered(client, tournament, "Ada", "Bea", "Cyd")
    problem(await act(client, tournament, "entrants", ada["id"], "check-in"), HTTPStatus.CONFLICT, "not-now")
    await done(client, tournament, "entrants", cyd["id"], "withdraw")
    await done(client, tournament, "open-check-in")
    there = await done(client, tournament, "entrants", ada["id"], "check-in")
    assert (there["status"], there["persons"][0]["name"]) == ("checked-in", "Ada")
    refused = await act(client, tournament, "entrants", cyd["id"], "check-in")
    problem(refused, HTTPStatus.CONFLICT, "not-entered")
    refused = await act(client, tournament, "check-in", entrants=[bea["id"], "nobody"])
    problem(refused, HTTPStatus.NOT_FOUND, "entrant-unknown")
    assert await done(client, tournament, "check-in", entrants=[]) == {"checked_in": 1, "awaited": [bea["id"]]}
    assert (await done(client, tournament, "entrants", ada["id"], "undo-check-in"))["status"] == "entered"
    assert (await done(client, tournament, "entrants", ada["id"], "strike-off"))["status"] == "struck-off"


async def test_the_field_is_numbered_by_rating_and_listed_in_any_order(client: Client) -> None:
    tournament = await opened(client)
    for name, rating in (("Cyd", 1500), ("Ada", None), ("Bea", 1700)):
        await enter(client, tournament, name, rating)
    await done(client, tournament, "open-check-in")
    await done(client, tournament, "check-in")
    await done(client, tournament, "start")
    await done(
        client, tournament, "entrants", "admit", person={"name": "Dee"}, rating=1900, from_round=2, decision="other"
    )
    assert await listed(client, tournament) == ["Cyd", "Ada", "Bea", "Dee"]
    assert await listed(client, tournament, order="number") == ["Bea", "Ada", "Cyd", "Dee"]
    assert await listed(client, tournament, order="name", limit=1) == ["Ada", "Bea", "Cyd", "Dee"]
    assert await listed(client, tournament, order="number", status="left") == []


async def test_who_pages_by_status_goes_on_behind_somebody_whose_status_has_changed(client: Client) -> None:
    tournament = await opened(client)
    entrants = await entered(client, tournament, "Ada", "Bea", "Cyd")
    list_of = path(tournament, "entrants")
    first = (await client.get(list_of, params={"status": "entered", "limit": 2})).json()
    assert first["next"] == entrants[1]["id"]
    await done(client, tournament, "entrants", first["next"], "withdraw")
    for listing in ("entrants", "entries"):
        rest = await client.get(path(tournament, listing), params={"status": "entered", "after": first["next"]})
        assert [one.get("entrant", one)["id"] for one in rest.json()["items"]] == [entrants[2]["id"]]
    unknown = await client.get(list_of, params={"after": "nobody"})
    assert pointers(unknown) == ["/query/after"]
    assert "begin with the first page" in unknown.json()["errors"][0]["detail"]


@pytest.mark.rule("SK.REG-6")
async def test_close_persons_are_declared_listed_and_revoked(client: Client) -> None:
    tournament = await opened(client)
    persons = sorted(entrant["persons"][0]["id"] for entrant in await entered(client, tournament, "Ada", "Bea"))
    pair = {"pairs": [{"persons": persons}]}
    assert await done(client, tournament, "close-persons", persons=persons[::-1]) == pair
    assert (await client.get(path(tournament, "close-persons"))).json() == pair
    assert await done(client, tournament, "close-persons", "revoke", persons=persons) == {"pairs": []}


async def test_who_is_there_while_it_runs(client: Client) -> None:
    tournament, (ada, bea, *_) = await running(client, "Ada", "Bea", "Cyd")
    left = await done(client, tournament, "entrants", ada, "withdraw", after_round=1)
    assert left["left"] == {"stage": "swiss", "after_round": 1, "why": "withdrew"}
    refused = await act(client, tournament, "entrants", ada, "return")
    problem(refused, HTTPStatus.CONFLICT, "no-return")
    assert (await done(client, tournament, "entrants", ada, "return", why="mistake"))["status"] == "playing"
    off = await done(client, tournament, "entrants", bea, "absent", round=2, points=0.5)
    assert off["absences"] == [{"stage": "swiss", "round": 2, "points": 0.5}]
    assert (await done(client, tournament, "entrants", bea, "present", round=2))["absences"] == []
    expelled = await done(client, tournament, "entrants", bea, "expel", after_round=2, reason={"code": "unsporting"})
    assert (expelled["status"], expelled["left"]["why"]) == ("left", "expelled")
    shown = (await client.get(path(tournament))).json()
    assert (shown["entrants"], shown["checked_in"]) == (3, 2), "whoever has left is not there"
    refused = await act(client, tournament, "entrants", bea, "absent", round=99)
    problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "unknown-round")


async def test_whoever_goes_home_names_no_round(new_client: Client, database: str) -> None:
    tournament, (ada, bea, cyd, dee) = await running(new_client, "Ada", "Bea", "Cyd", "Dee")

    async def tried(entrant: str, how: str, **said: Any) -> dict[str, Any]:
        answer = await new_client.post(f"{path(tournament, 'entrants', entrant, how)}?dry_run=true", json=said)
        assert answer.status_code == HTTPStatus.OK, answer.text
        return answer.json()

    assert (await tried("number:1", "withdraw"))["changes"] == ["Number 1 plays no round of swiss after round 0."]
    assert (await done(new_client, tournament, "entrants", ada, "absent"))["absences"][0]["round"] == 1
    rounds = [published(tournament, number, [(ada, bea), (cyd, dee)]) for number in (1, 2, 3)]
    await tell(database, "pairing", tournament, *rounds)
    await tell(database, "pairing", tournament, RoundRecalled(tournament=tournament, stage="swiss", round=3))

    foreseen = await tried("number:2", "withdraw", after_round=1)
    assert foreseen["lost"] == ["Number 2 loses the game of round 2 if it has not begun, where the rules say how."]
    assert await tried("number:2", "withdraw") == {
        "changes": ["Number 2 plays no round of swiss after round 2."],
        "lost": [],
    }
    for _ in range(2):
        left = await done(new_client, tournament, "entrants", "number:2", "withdraw")
        assert (left["status"], left["left"]["after_round"]) == ("left", 2)
    expelled = await done(new_client, tournament, "entrants", cyd, "expel", reason={"code": "unsporting"})
    assert expelled["left"] == {"stage": "swiss", "after_round": 2, "why": "expelled"}
    assert (await tried("number:4", "absent"))["changes"] == ["Number 4 does not play round 3 of swiss."]
    assert (await tried("number:4", "absent"))["lost"] == []
    published_one = await tried("number:4", "absent", round=2)
    assert published_one["lost"] == ["Number 4 loses the game of round 2 if it has not begun, where the rules say how."]
    assert [one["round"] for one in (await done(new_client, tournament, "entrants", dee, "absent"))["absences"]] == [3]
    await done(new_client, tournament, "entrants", dee, "absent", round=2)
    (stays,) = (await tried("number:4", "present", round=2))["lost"]
    assert "stays so until its result is corrected" in stays
    await done(new_client, tournament, "entrants", dee, "present", round=2)
    assert (await done(new_client, tournament, "entrants", dee, "present"))["absences"] == []
    late = await done(new_client, tournament, "entrants", "admit", person={"name": "Eva Neskorá"}, decision="other")
    assert (late["number"], late["from_round"]) == (5, 3)


async def test_what_may_be_done_with_an_entrant_and_why_not(client: Client) -> None:
    tournament, (ada, *_) = await running(client, "Ada", "Bea")
    await done(client, tournament, "entrants", ada, "expel", after_round=0, reason={"code": "unsporting"})
    shown = (await client.get(path(tournament, "entrants", ada))).json()
    reasons = {name: action["reason"] for name, action in shown["allowed_actions"].items()}
    assert reasons["returnEntrant"] is None
    assert "was expelled after round 0" in reasons["withdrawEntrant"]
    assert "belongs to check-in" in reasons["checkInEntrant"]


async def test_two_at_the_desk_do_not_write_over_each_other(client: Client) -> None:
    tournament = await opened(client)
    answer = await enter(client, tournament, "Ada")
    seen = {"If-Match": answer.headers["ETag"]}
    entrant = path(tournament, "entrants", answer.json()["id"])
    corrected = await client.post(f"{entrant}/correct", json={"rating": 1}, headers=seen)
    assert position(corrected)[0] == position(answer)[0] + 1
    stale = await client.post(f"{entrant}/correct", json={"rating": 2}, headers=seen)
    problem(stale, HTTPStatus.PRECONDITION_FAILED, "changed-since")


def test_the_examples_are_not_yet_over() -> None:
    assert now().year < 2099


async def test_the_start_number_will_do_where_a_path_names_an_entrant(client: Client) -> None:
    tournament, (ada, bea, *_) = await running(client, "Ada", "Bea", "Cyd")
    absent = await done(client, tournament, "entrants", "number:2", "absent", round=3)
    assert (absent["id"], absent["number"], absent["absences"][0]["round"]) == (bea, 2, 3)
    left = await done(client, tournament, "entrants", "number:1", "withdraw", after_round=1)
    assert (left["id"], left["status"]) == (ada, "left")
    for_anybody = await client.get(path(tournament, "entrants", "number:2"), headers={"Authorization": ""})
    assert (await client.get(path(tournament, "entrants", bea))).json()["id"] == for_anybody.json()["id"]
    for nobody in ("number:4", "number:99999"):
        problem(
            await act(client, tournament, "entrants", nobody, "undo-check-in"), HTTPStatus.NOT_FOUND, "nothing-there"
        )
    for strange in ("number:0", "number:", "number:1x", "number:100000", "name:Ada"):
        assert pointers(await client.get(path(tournament, "entrants", strange))) == ["/path/entrant_id"]
    unsigned = await client.post(
        path(tournament, "entrants", "number:9", "undo-check-in"), headers={"Authorization": ""}
    )
    problem(unsigned, HTTPStatus.UNAUTHORIZED, "unauthenticated")
    before_start = await opened(client)
    early = await client.get(path(before_start, "entrants", "number:1"))
    assert "given at the start" in problem(early, HTTPStatus.NOT_FOUND, "nothing-there").detail


async def test_whoever_comes_late_is_admitted_in_one_call_with_a_name_and_a_round(client: Client) -> None:
    tournament = await opened(client)
    await entered(client, tournament, "Ada", "Bea")
    early = await act(client, tournament, "entrants", "admit", person={"name": "Cyd"})
    problem(early, HTTPStatus.CONFLICT, "not-now")
    await done(client, tournament, "open-check-in")
    late = await done(client, tournament, "entrants", "admit", person={"name": "Cyd"}, rating=1500)
    assert (late["status"], late["persons"][0]["name"]) == ("checked-in", "Cyd")
    again = await done(
        client, tournament, "entrants", "admit", person=late["persons"][0]["id"], rating=1500, decision="even-number"
    )
    assert again == late
    second = await done(client, tournament, "entrants", "admit", person={"name": "Dee"}, from_round=2)
    assert second["status"] == "checked-in"
    wrong = await act(client, tournament, "entrants", "admit", person={"name": "Eve"}, from_round=3)
    problem(wrong, HTTPStatus.UNPROCESSABLE_ENTITY, "unknown-round")
    await done(client, tournament, "check-in")
    await done(client, tournament, "start")
    shown = (await client.get(path(tournament, "entrants", second["id"]))).json()
    assert shown["from_round"] == 2
    beyond = await act(client, tournament, "entrants", "admit", person={"name": "Eve"}, from_round=99)
    problem(beyond, HTTPStatus.UNPROCESSABLE_ENTITY, "unknown-round")
    last = await done(client, tournament, "entrants", "admit", person={"name": "Eve"})
    assert (last["status"], last["number"], last["from_round"]) == ("playing", 5, 1)
    assert sorted(await listed(client, tournament)) == ["Ada", "Bea", "Cyd", "Dee", "Eve"]


async def test_who_enters_somebody_again_under_the_same_key_has_entered_them_once_also_when_they_were_erased(
    client: Client,
) -> None:
    tournament = await opened(client)
    federation = (await client.get(path(tournament))).json()["federation"]
    people = [
        (await client.post("/v1/persons", json={"federation": federation, "name": name})).json()["id"]
        for name in ("Ada", "Bea", "Cyd")
    ]
    await entered(client, tournament, "Eve", "Fay")

    async def once() -> list[dict[str, Any]]:
        one = await done(client, tournament, "entrants", person=people[0], under="one")
        several = await done(client, tournament, "entrants", "import", entrants=[{"person": people[1]}], under="many")
        return [one, *several["entrants"]]

    async def late() -> dict[str, Any]:
        return await done(client, tournament, "entrants", "admit", person=people[2], decision="other", under="late")

    first = await once()
    await done(client, tournament, "open-check-in")
    first.append(await late())
    for person in people:
        assert (await client.delete(f"/v1/persons/{person}")).is_success
    again = [*await once(), await late()]
    assert [one["id"] for one in again] == [one["id"] for one in first]
    assert [one["persons"][0]["name"] for one in again] == [None, None, None]


async def test_nobody_is_admitted_beyond_the_places_there_are(client: Client) -> None:
    tournament = await opened(client, entry={"most": 2})
    await entered(client, tournament, "Ada", "Bea")
    await done(client, tournament, "open-check-in")
    full = await act(client, tournament, "entrants", "admit", person={"name": "Cyd"})
    assert full.status_code == HTTPStatus.CONFLICT
    assert await listed(client, tournament) == ["Ada", "Bea"]
