"""Tournaments found by words, days, place and the like, in the order that somebody wants; and what is one's own."""

import csv
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest

from shared.clock import now
from tests.api.asking import FEDERATIONS, Client, founded, issuer, pointers
from tests.api.holding import TOURNAMENTS, announce, done, entered, path
from tests.api.signing import signed_by

LONG_AGO, SOON, LATER = "2020-01-04", "2099-02-01", "2099-03-01"
OVER = {"starts_on": LONG_AGO, "reason": {"code": "kept-on-paper"}, "first_round": "10:00"}


async def cup(client: Client, federation: str, name: str, **said: Any) -> str:
    answer = await announce(client, federation, name=name, **{"open": True} | said)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    client.headers["Roundlog-Min-Position"] = answer.headers["Roundlog-Position"]
    return answer.json()["id"]


async def look(client: Client, **query: Any) -> dict[str, Any]:
    renamed = {{"since": "from", "until": "to"}.get(name, name): value for name, value in query.items()}
    answer = await client.get(TOURNAMENTS, params=renamed)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


async def names(client: Client, **query: Any) -> list[str]:
    return [one["name"] for one in (await look(client, **query))["items"]]


async def test_tournaments_are_found_by_words_and_place_without_accents(client: Client) -> None:
    federation = await founded(client, "Spolok")
    hall = {"kind": "hall", "name": "Dom techniky Žilina", "capacity": 60}
    dom = (await client.post(f"{FEDERATIONS}/{federation}/homes", json=hall)).json()["id"]
    await cup(client, federation, "Košický pohár 2099", place="Športová hala, Košice")
    moved = await cup(client, federation, "Łódź–Øresund Straße", hall=dom)
    ours = {"federation": federation}
    assert await names(client, words="kosicky", **ours) == ["Košický pohár 2099"]
    assert await names(client, words="POHAR kos 20", **ours) == ["Košický pohár 2099"]
    sheet = await client.get(TOURNAMENTS, params={"format": "csv", **ours})
    lines = csv.DictReader(sheet.content.decode("utf-8-sig").splitlines())
    assert [line["name"] for line in lines] == await names(client, **ours)
    assert await names(client, words="sportova", **ours) == await names(client, place="hala kosice", **ours)
    assert await names(client, place="pohar", **ours) == []
    for words in ("lodz", "oresund", "strasse", "Straße", "dom zilina"):
        assert await names(client, words=words, **ours) == ["Łódź–Øresund Straße"]
    for nothing in ("osicky", "'", "&|!:*", "kosicky zilina", "ko:* | dom"):
        assert await names(client, words=nothing, **ours) == []
    (listed,) = (await look(client, place="techniky", **ours))["items"]
    assert (listed["federation_name"], listed["place"], listed["game"]) == ("Spolok", "Dom techniky Žilina", "scrabble")
    said = await client.get(path(moved))
    assert said.json()["place"] == "Dom techniky Žilina"
    renamed = await client.post(f"{FEDERATIONS}/{federation}/homes/{dom}/change", json=hall | {"name": "Sála Martin"})
    client.headers["Roundlog-Min-Position"] = renamed.headers["Roundlog-Position"]
    assert await names(client, place="martin", **ours) == ["Łódź–Øresund Straße"]
    why = {"reason": {"code": "moved"}}
    changed = await client.post(path(moved, "change-plan"), json=why | {"name": "Cup", "place": "Nitra"})
    assert changed.json()["place"] == "Nitra"
    client.headers["Roundlog-Min-Position"] = changed.headers["Roundlog-Position"]
    assert await names(client, words="cup nitra martin", **ours) == ["Cup"]


async def test_the_order_begins_with_what_is_under_way_and_pages_hold_while_others_are_announced(
    client: Client,
) -> None:
    federation = await founded(client, "SSS")
    today = now().date()
    await cup(client, federation, "over", **OVER, officials=[])
    stale = await cup(client, federation, "long over", **OVER | {"starts_on": "2019-01-04"})
    await cup(client, federation, "later", starts_on=LATER)
    await cup(client, federation, "soon", starts_on=SOON)
    await cup(client, federation, "draft", starts_on="2099-04-01", open=False)
    now_on = await cup(client, federation, "now", starts_on=(today + timedelta(days=1)).isoformat())
    await done(client, now_on, "open-check-in")
    cancelled = await client.post(path(stale, "cancel"))
    client.headers["Roundlog-Min-Position"] = cancelled.headers["Roundlog-Position"]
    ours = {"federation": federation}
    in_order = ["now", "soon", "later", "draft", "over", "long over"]
    assert await names(client, **ours) == in_order
    assert await names(client, **ours, order="date") == ["long over", "over", "now", "soon", "later", "draft"]
    assert await names(client, **ours, order="latest") == ["draft", "later", "soon", "now", "over", "long over"]
    assert await names(client, **ours, order="name") == ["draft", "later", "long over", "now", "over", "soon"]
    assert (await names(client, **ours, order="announced"))[:2] == ["over", "long over"]
    assert await names(client, **ours, since=SOON, until=LATER) == ["soon", "later"]
    assert await names(client, **ours, status=["check-in", "cancelled"]) == ["now", "long over"]
    seen = await client.get(TOURNAMENTS, params=ours, headers={"Authorization": ""})
    assert "draft" not in [one["name"] for one in seen.json()["items"]]
    for order in ("next", "date", "latest", "name", "announced"):
        whole = await names(client, **ours, order=order)
        found: list[str] = []
        asked, query = TOURNAMENTS, {**ours, "order": order, "limit": "2", "status": ["registration", "check-in"]}
        while asked:
            answer = await client.get(asked, params=query or None)
            found += [one["name"] for one in answer.json()["items"]]
            asked, query = answer.links.get("next", {}).get("url", ""), {}
            if len(found) == 2:
                await cup(client, await founded(client, "Another"), f"aaa {order}", starts_on=SOON)
                await cup(client, federation, f"zzz {order}", starts_on="2099-12-31")
        expected = [one for one in whole if one not in {"draft", "long over"}]
        assert [one for one in found if not one.startswith("zzz")] == [one for one in expected if "zzz" not in one]


@pytest.mark.parametrize("cursor", ["x", "WzFd", "12873", "WyJuZXh0IiwiIiw5LCJhIiwxXQ", "WyJkYXRlIiwiIiwwLCJhIiwxXQ"])
async def test_a_cursor_of_another_list_is_refused(client: Client, cursor: str) -> None:
    assert pointers(await client.get(TOURNAMENTS, params={"after": cursor})) == ["/query/after"]


async def test_me_shows_my_offices_my_tournaments_and_my_entries(client: Client) -> None:
    federation = await founded(client, "Mine")
    await cup(client, await founded(client, "Others"), "Not mine")
    first = await cup(client, federation, "Ours", officials=[{"subject": "sue-9", "role": "scorer"}])
    second = await cup(client, federation, "Ours too", starts_on=SOON)
    await entered(client, first, "Ada")
    as_scorer = signed_by(issuer().token("sue-9"))
    mine = (await client.get("/v1/me", headers=as_scorer)).json()
    assert mine["subject"] == "sue-9"
    assert mine["offices"] == [{"scope": first, "federation": federation, "role": "scorer"}]
    assert [one["id"] for one in mine["tournaments"]] == [first]
    appointed = await client.post(
        f"{FEDERATIONS}/{federation}/officials", json={"subject": "sue-9", "role": "coordinator"}
    )
    after = {"Roundlog-Min-Position": appointed.headers["Roundlog-Position"]}
    mine = (await client.get("/v1/me", headers=as_scorer | after)).json()
    assert [one["id"] for one in mine["tournaments"]] == [second, first]
    assert {one["name"] for one in mine["federations"]} == {"Mine"}
    myself = signed_by(issuer().token("ada-1"))
    known = await client.post(f"{FEDERATIONS}/{federation}/me", json={"name": "Ada Nová"}, headers=myself)
    person = known.json()["person"]
    entry = await client.post(path(second, "entrants"), json={"person": person}, headers=myself)
    assert entry.status_code == HTTPStatus.CREATED, entry.text
    own = (await client.get("/v1/me", headers=myself)).json()
    assert (own["offices"], own["tournaments"]) == ([], [])
    assert [(one["name"], one["entry"]["entrant"]["id"]) for one in own["entries"]] == [
        ("Ours too", entry.json()["id"])
    ]
