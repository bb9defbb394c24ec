"""The membership roll over HTTP: what it says counts for the fees of the season, and not what an entry says."""

import csv
from http import HTTPStatus
from typing import Any

import pytest

from tests.api.asking import Client, founded, issuer, pointers, problem, strangers
from tests.api.holding import act, announce, done, enter, path
from tests.api.signing import signed_by

Answer = dict[str, Any]
PAID: Answer = {"amount": 10, "currency": "EUR", "on": "2026-09-12", "reference": "VS-1"}


async def season_of(client: Client, federation: str) -> str:
    said = {"name": "2022/2023", "rules": "scrabble-sk-2022"}
    answer = await client.post(f"/v1/federations/{federation}/seasons", json=said)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    return f"/v1/federations/{federation}/seasons/{answer.json()['id']}/roll"


async def post(client: Client, url: str, **body: Any) -> Answer:
    answer = await client.post(url, json=body)
    assert answer.is_success, answer.text
    return answer.json()


async def cup_of(client: Client, federation: str, roll: str, name: str) -> str:
    answer = await announce(client, federation, name=name, season=roll.split("/")[-2])
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    await done(client, answer.json()["id"], "open")
    return answer.json()["id"]


async def comes(client: Client, tournament: str, person: str | None = None, *declared: str) -> Answer:
    """Somebody known by an id, or Ann, who is new."""
    if person is None:
        answer = await enter(client, tournament, "Ann", declared=declared)
    else:
        answer = await act(client, tournament, "entrants", person=person, declared=declared)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    return answer.json()


async def owed(client: Client, tournament: str, entrant: Answer) -> tuple[list[str], list[int]]:
    sheet = (await client.get(path(tournament, "entrants", entrant["id"], "entry"))).json()
    return sheet["declared"], [one["amount"] for one in sheet["due"]]


@pytest.mark.rule("SK.REG-15")
async def test_member_and_first_time_follow_from_the_roll_and_the_history(client: Client) -> None:
    federation = await founded(client, "SSS")
    roll = await season_of(client, federation)
    first, second, third = [await cup_of(client, federation, roll, name) for name in ("Košice", "Nitra", "Žilina")]
    before = await comes(client, third, None, "member")
    assert await owed(client, third, before) == (["member"], [10])  # the roll is not kept yet
    await post(client, f"{roll}/fee", amount=10, joining=5, currency="EUR")
    ann = await comes(client, first, None, "member")
    person = ann["persons"][0]["id"]
    assert await owed(client, first, ann) == (["first-time"], [10])  # she has only said that she is a member
    for who in (await comes(client, first, None, "first-time"),):
        assert await owed(client, first, who) == (["first-time"], [10])
    await done(client, first, "open-check-in")
    await done(client, first, "check-in")
    await done(client, first, "start")
    again = await comes(client, second, person, "member", "first-time")
    assert await owed(client, second, again) == ([], [13])
    enrolled = await post(client, f"{roll}/members", person=person, **PAID | {"amount": 15, "joins": True})
    assert (enrolled["name"], enrolled["amount"]) == ("Ann", 15)
    assert await owed(client, second, again) == (["member"], [10])
    await done(client, second, "entrants", again["id"], "detail", declared=["first-time"])
    assert await owed(client, second, again) == (["member"], [10])
    left = await post(client, f"{roll}/members/{person}/strike", reason="gave-it-back")
    assert left == {"members": 0}
    assert await owed(client, second, again) == ([], [13])


async def test_whoever_reads_on_behind_a_member_who_was_struck_off_is_told_to_begin_anew(client: Client) -> None:
    federation = await founded(client, "SSS")
    roll = await season_of(client, federation)
    await post(client, f"{roll}/fee", amount=10, currency="EUR")
    persons = [(await post(client, "/v1/persons", federation=federation, name=name))["id"] for name in ("Ada", "Bea")]
    for person in persons:
        await post(client, f"{roll}/members", person=person, **PAID)
    first = (await client.get(roll, params={"limit": 1})).json()
    await post(client, f"{roll}/members/{first['next']}/strike", reason="gave-it-back")
    gone = await client.get(roll, params={"limit": 1, "after": first["next"]})
    assert pointers(gone) == ["/query/after"]
    assert (await client.get(roll, params={"format": "csv", "after": first["next"]})).is_success


async def test_of_two_who_turn_out_to_be_one_member_the_named_one_is_struck_off(client: Client) -> None:
    federation = await founded(client, "SSS")
    roll = await season_of(client, federation)
    await post(client, f"{roll}/fee", amount=10, currency="EUR")
    ada, again = [(await post(client, "/v1/persons", federation=federation, name=name))["id"] for name in ("Ada", "A.")]
    for person in (ada, again):
        await post(client, f"{roll}/members", person=person, **PAID | {"reference": person})
    await post(client, f"/v1/persons/{ada}/merge", duplicate=again, reason="registered-twice")
    both = (await client.get(roll)).json()
    assert (both["members"], [one["same_as"] for one in both["items"]]) == (1, [None, ada])
    file = await client.get(roll, params={"format": "csv"})
    rows = list(csv.DictReader(file.content.decode("utf-8-sig").splitlines()))
    assert [row["same_as"] for row in rows] == ["", ada]
    assert (await post(client, f"{roll}/members/{again}/strike", reason="paid-twice"))["members"] == 1
    assert [one["reference"] for one in (await client.get(roll)).json()["items"]] == [ada]


async def test_nobody_is_a_member_by_dues_of_a_day_that_is_still_to_come(client: Client) -> None:
    federation = await founded(client, "SSS")
    roll = await season_of(client, federation)
    await post(client, f"{roll}/fee", amount=10, currency="EUR")
    ada = (await post(client, "/v1/persons", federation=federation, name="Ada"))["id"]
    ahead = await client.post(f"{roll}/members", json={"person": ada, **PAID, "on": "2099-01-01"})
    assert "2099-01-01" in problem(ahead, HTTPStatus.UNPROCESSABLE_ENTITY, "dues-to-come").detail
    assert (await client.get(roll)).json()["members"] == 0


@pytest.mark.rule("SK.REG-15", "SK.REG-5")
async def test_nobody_plays_for_the_first_time_twice(client: Client) -> None:
    """Entered in two tournaments, she has played one of them by the time she pays for the other."""
    federation = await founded(client, "SSS")
    roll = await season_of(client, federation)
    await post(client, f"{roll}/fee", amount=10, currency="EUR")
    first, second = [await cup_of(client, federation, roll, name) for name in ("Košice", "Nitra")]
    ann, _ = await comes(client, first), await comes(client, first)
    later = await comes(client, second, ann["persons"][0]["id"])
    assert await owed(client, second, later) == (["first-time"], [10])
    for step in ("open-check-in", "check-in", "start"):
        await done(client, first, step)
    paid = {"currency": "EUR", "on": "2026-11-10", "reference": "VS-7"}
    low = await act(client, second, "entrants", later["id"], "payments", amount=10, **paid)
    assert "13 EUR are due" in problem(low, HTTPStatus.UNPROCESSABLE_ENTITY, "fee-too-low").detail
    assert await owed(client, second, later) == (["first-time"], [10])  # a refusal changes nothing
    await done(client, second, "entrants", later["id"], "payments", amount=13, **paid)
    assert await owed(client, second, later) == ([], [])


@pytest.mark.rule("SK.REG-15", "SK.REG-18")
async def test_the_council_reads_the_roll_and_takes_it_out(client: Client) -> None:
    federation = await founded(client, "SSS")
    roll = await season_of(client, federation)
    assert (await client.get(roll)).json() == {"fee": None, "members": 0, "items": [], "next": None}
    cup = await cup_of(client, federation, roll, "Košice")
    ann = (await comes(client, cup))["persons"][0]["id"]
    early = await client.post(f"{roll}/members", json={"person": ann, **PAID})
    problem(early, HTTPStatus.CONFLICT, "roll-not-kept")
    await post(client, f"{roll}/fee", amount=10, currency="EUR")
    for _ in range(2):
        await post(client, f"{roll}/members", person=ann, tournament=cup, **PAID)
    found = (await client.get(roll)).json()
    assert (found["fee"]["amount"], found["members"], [one["name"] for one in found["items"]]) == (10, 1, ["Ann"])
    file = await client.get(roll, params={"format": "csv"})
    rows = list(csv.DictReader(file.content.decode("utf-8-sig").splitlines()))
    assert [(row["name"], row["amount"], row["tournament"]) for row in rows] == [("Ann", "10", cup)]
    cash = (await client.get(path(cup, "cash"))).json()
    assert [(one["kind"], one["entrants"], one["kept"]) for one in cash["kinds"]] == [
        ("member", 1, 0),
        ("membership", 1, 10),
    ]
    assert [one["kept"] for one in cash["totals"]] == [10]
    stranger = {"person": "nobody", **PAID, "reference": "VS-2"}
    assert strangers(await client.post(f"{roll}/members", json=stranger)) == ["/person"]
    low = {"person": ann, **PAID, "amount": 5}
    problem(await client.post(f"{roll}/members", json=low), HTTPStatus.CONFLICT, "already-on-roll")
    outside = await client.get(roll, headers=signed_by(issuer().token("stranger")))
    problem(outside, HTTPStatus.FORBIDDEN, "not-permitted")
    nowhere = await client.get(f"/v1/federations/{federation}/seasons/elsewhere/roll")
    problem(nowhere, HTTPStatus.NOT_FOUND, "season-unknown")
    assert '"Ann"' not in (await client.get("/v1/log")).text
