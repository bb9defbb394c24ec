"""The attendance list, as the desk prints it before the first round."""

import csv
from http import HTTPStatus

import pytest

from tests.api.asking import Client, issuer, problem
from tests.api.holding import done, entered, opened, path
from tests.api.signing import signed_by


@pytest.mark.rule("SK.REG-6")
async def test_the_attendance_list_marks_who_is_close_to_whom_and_says_what_is_to_be_paid(client: Client) -> None:
    tournament = await opened(client, name="Košice & Cup")
    cid, bea, ada, dee = await entered(client, tournament, "Cid", "Bea", "Ada", "Dee")
    close = [bea["persons"][0]["id"], ada["persons"][0]["id"]]
    await done(client, tournament, "close-persons", persons=close)
    await done(client, tournament, "entrants", dee["id"], "withdraw")
    said = {"amount": 13, "currency": "EUR", "on": "2026-11-01", "reference": "receipt-1"}
    await done(client, tournament, "entrants", bea["id"], "payments", **said)
    await done(client, tournament, "open-check-in")
    await done(client, tournament, "check-in", entrants=[cid["id"]])
    answer = await client.get(path(tournament, "attendance"))
    assert answer.status_code == HTTPStatus.OK, answer.text
    found = answer.json()
    assert (found["expected"], found["present"]) == (3, 1)
    assert [(one["name"], one["status"], one["due"], one["close_to"]) for one in found["items"]] == [
        ("Ada", "entered", [{"amount": 13, "currency": "EUR"}], ["Bea"]),
        ("Bea", "entered", [], ["Ada"]),
        ("Cid", "checked-in", [{"amount": 13, "currency": "EUR"}], []),
    ]
    file = await client.get(path(tournament, "attendance"), params={"format": "csv"})
    rows = list(csv.DictReader(file.content.decode("utf-8-sig").splitlines()))
    assert [(row["name"], row["due"], row["close_to"]) for row in rows] == [
        ("Ada", "13 EUR", "Bea"),
        ("Bea", "", "Ada"),
        ("Cid", "13 EUR", ""),
    ]
    paper = await client.get(path(tournament, "attendance"), params={"format": "page"})
    assert "Košice &amp; Cup: attendance list" in paper.text
    assert "1 of 3 are there." in paper.text
    assert "<td>yes</td>" in paper.text


async def test_who_is_erased_is_no_id_on_paper(client: Client) -> None:
    tournament = await opened(client)
    ada, bea = await entered(client, tournament, "Ada", "Bea")
    persons = [one["persons"][0]["id"] for one in (ada, bea)]
    await done(client, tournament, "close-persons", persons=persons)
    erased = await client.delete(f"/v1/persons/{persons[0]}")
    assert erased.status_code == HTTPStatus.OK, erased.text
    found = (await client.get(path(tournament, "attendance"))).json()
    assert [(one["entrant"], one["name"], one["close_to"]) for one in found["items"]] == [
        (bea["id"], "Bea", []),
        (ada["id"], None, []),
    ]
    paper = (await client.get(path(tournament, "attendance"), params={"format": "page"})).text
    assert "<td>Player</td>" in paper
    assert not any(one in paper for one in (ada["id"], *persons))


@pytest.mark.rule("SK.REG-6")
async def test_who_lives_together_is_for_the_desk_alone(client: Client) -> None:
    tournament = await opened(client)
    stranger = await client.get(path(tournament, "attendance"), headers=signed_by(issuer().token("stranger")))
    problem(stranger, HTTPStatus.FORBIDDEN, "not-permitted")
