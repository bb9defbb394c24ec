"""The cash summary as the treasurer of an association gets it."""

import csv
from http import HTTPStatus

import pytest

from tests.api.asking import Client, issuer, problem
from tests.api.holding import done, entered, opened, path
from tests.api.signing import signed_by


@pytest.mark.rule("SK.REG-18")
async def test_the_cash_of_a_tournament_as_json_as_csv_and_on_paper(client: Client) -> None:
    tournament = await opened(client, name="Košice & Cup")
    ann, bob, _ = await entered(client, tournament, "Ann", "Bob", "Cid")
    await done(client, tournament, "entrants", ann["id"], "detail", declared=["member"])
    for one, amount in ((ann, 10), (bob, 13)):
        said = {"amount": amount, "currency": "EUR", "on": "2026-11-01", "reference": f"receipt-{amount}"}
        await done(client, tournament, "entrants", one["id"], "payments", **said)
    answer = await client.get(path(tournament, "cash"))
    assert answer.status_code == HTTPStatus.OK, answer.text
    found = answer.json()
    assert [(one["kind"], one["entrants"], one["due"], one["paid"], one["open"]) for one in found["kinds"]] == [
        ("member", 1, 10, 10, 0),
        ("non-member", 2, 26, 13, 13),
    ]
    assert [(one["currency"], one["due"], one["kept"], one["open"]) for one in found["totals"]] == [("EUR", 36, 23, 13)]
    file = await client.get(path(tournament, "cash"), params={"format": "csv"})
    assert file.headers["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(file.content.decode("utf-8-sig").splitlines()))
    assert [(row["kind"], row["entrants"], row["kept"]) for row in rows] == [
        ("member", "1", "10"),
        ("non-member", "2", "13"),
        ("total", "", "23"),
    ]
    paper = await client.get(path(tournament, "cash"), params={"format": "page"})
    assert paper.headers["Content-Type"].startswith("text/html")
    assert "Košice &amp; Cup: cash summary" in paper.text
    assert '<td class="number">26</td>' in paper.text


@pytest.mark.rule("SK.REG-18")
async def test_only_the_organiser_and_the_council_see_the_cash(client: Client) -> None:
    tournament = await opened(client)
    stranger = await client.get(path(tournament, "cash"), headers=signed_by(issuer().token("stranger")))
    problem(stranger, HTTPStatus.FORBIDDEN, "not-permitted")
