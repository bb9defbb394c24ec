"""The public list of entrants: who has paid, and no more than that."""

from http import HTTPStatus
from typing import Any

import pytest

from tests.api.asking import Client, pointers, problem
from tests.api.holding import act, done, entered, opened, path

MEMBERS: list[dict[str, Any]] = [
    {"who": "member", "amount": 6, "currency": "EUR"},
    {"who": "non-member", "amount": 9, "currency": "EUR"},
]


async def seen(client: Client, tournament: str) -> list[str | None]:
    answer = await client.get(path(tournament, "entrants"), headers={"Authorization": ""})
    assert answer.status_code == HTTPStatus.OK, answer.text
    return [one["payment"] for one in answer.json()["items"]]


async def paid(client: Client, tournament: str, entrant: str, amount: int) -> None:
    said = {"amount": amount, "currency": "EUR", "on": "2026-11-01", "reference": f"VS-{entrant[-4:]}"}
    await done(client, tournament, "entrants", entrant, "payments", **said)


@pytest.mark.rule("SK.REG-14")
async def test_everybody_sees_whose_payment_is_confirmed(client: Client) -> None:
    tournament = await opened(client, ruleset="scrabble-sk-2022-online", first_round="10:00", entry={"fees": MEMBERS})
    ann, _, cid = await entered(client, tournament, "Ann", "Bob", "Cid")
    assert await seen(client, tournament) == ["open", "open", "open"]
    await paid(client, tournament, ann["id"], 9)
    await paid(client, tournament, cid["id"], 9)
    assert await seen(client, tournament) == ["confirmed", "open", "confirmed"]
    one = (await client.get(path(tournament, "entrants", ann["id"]))).json()
    assert (one["payment"], "payments" in one) == ("confirmed", False)
    await done(client, tournament, "entrants", cid["id"], "withdraw")
    assert await seen(client, tournament) == ["confirmed", "open", None]


async def test_what_is_not_held_waits_for_no_payment(client: Client) -> None:
    tournament = await opened(client, ruleset="scrabble-sk-2022-online", first_round="10:00", entry={"fees": MEMBERS})
    ann, _ = await entered(client, tournament, "Ann", "Bob")
    await paid(client, tournament, ann["id"], 9)
    await done(client, tournament, "cancel")
    assert await seen(client, tournament) == [None, None]


@pytest.mark.rule("SK.REG-14")
async def test_a_waiver_confirms_and_other_rules_show_nothing_of_money(client: Client) -> None:
    final = await opened(client, ruleset="scrabble-sk-2022-ms")
    (ann,) = await entered(client, final, "Ann")
    ground = {"ground": "hotel-guest"}
    await done(client, final, "entrants", ann["id"], "detail", declared=["member"])
    await done(client, final, "entrants", ann["id"], "waivers", "request", **ground)
    assert await seen(client, final) == ["open"]
    await done(client, final, "entrants", ann["id"], "waivers", "grant", **ground)
    assert await seen(client, final) == ["confirmed"]
    elsewhere = await opened(client, ruleset="othello-pl-2021")
    await entered(client, elsewhere, "Ann")
    assert await seen(client, elsewhere) == [None]


async def test_no_money_is_booked_the_wrong_way_round_or_before_its_day(client: Client) -> None:
    tournament = await opened(client, ruleset="scrabble-sk-2022-online", first_round="10:00", entry={"fees": MEMBERS})
    (ann,) = await entered(client, tournament, "Ann")
    said: dict[str, Any] = {"currency": "EUR", "on": "2026-11-01", "reference": "VS-1", "decision": "by-mistake"}
    await paid(client, tournament, ann["id"], 9)
    before = (await client.get(path(tournament, "entries", ann["id"]))).json()
    for what in ("payments", "refunds"):
        for amount in (0, -5, "-1/2"):
            refused = await act(client, tournament, "entrants", ann["id"], what, **said, amount=amount)
            assert pointers(refused) == ["/amount"]
    said |= {"on": "2099-12-31", "amount": 9}
    refused = await act(client, tournament, "entrants", ann["id"], "refunds", **said)
    problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "day-to-come")
    assert (await client.get(path(tournament, "entries", ann["id"]))).json() == before
