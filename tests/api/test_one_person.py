"""Two ids turn out to be one person; somebody asks what is known of them, and to be forgotten."""

import asyncio
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from tests.api.asking import Client, founded, issuer, problem, strangers
from tests.api.holding import act, announce, done, path
from tests.api.signing import signed_by
from tests.api.test_officials import appoint
from tests.api.test_persons import ALL, PERSONS, register, rename
from tests.traces import rows_with


async def merge(client: Client, person: str, duplicate: str, **query: str) -> httpx.Response:
    body = {"duplicate": duplicate, "reason": "registered-twice"}
    return await client.post(f"{PERSONS}/{person}/merge", json=body, params=query)


async def erase(client: Client, person: str, **query: str) -> httpx.Response:
    return await client.delete(f"{PERSONS}/{person}", params=query)


async def two(client: Client) -> tuple[str, str, str]:
    """A federation, and two persons of it."""
    federation = await founded(client, "SSS")
    one, other = [(await register(client, federation, name)).json()["id"] for name in ("Ada Lovelace", "A. Lovelace")]
    return federation, one, other


async def opened(client: Client, federation: str, **said: Any) -> str:
    tournament = (await announce(client, federation, **said)).json()["id"]
    await done(client, tournament, "open")
    return tournament


async def enter(client: Client, tournament: str, person: str) -> httpx.Response:
    return await act(client, tournament, "entrants", person={"id": person})


# Merged


async def test_both_ids_lead_to_the_one_that_is_kept(client: Client) -> None:
    _, ada, again = await two(client)
    await client.post(f"{PERSONS}/{again}/particulars", json={"born": "2011", "town": "Zvolen"})
    await client.post(f"{PERSONS}/{ada}/particulars", json={"town": "Levice"})
    merged = await merge(client, ada, again)
    assert (merged.json()["id"], merged.json()["duplicates"]) == (ada, [again])
    for identity in (ada, again):
        shown = (await client.get(f"{PERSONS}/{identity}")).json()
        assert (shown["id"], shown["name"]) == (ada, "Ada Lovelace")
        known = (await client.get(f"{PERSONS}/{identity}/particulars")).json()
        assert (known["born"], known["town"]) == ("2011", "Levice")
    assert (await rename(client, again, "Augusta")).json()["id"] == ada
    version = (await merge(client, ada, again)).headers["ETag"].strip('"')
    assert (await client.get(f"{PERSONS}/{ada}")).headers["ETag"].startswith(f'"{version}.')


async def test_of_two_that_are_merged_the_list_shows_one(client: Client) -> None:
    federation, ada, again = await two(client)
    merged = await merge(client, ada, again)
    after_it = {"Roundlog-Min-Position": merged.headers["Roundlog-Position"]}
    listed = await client.get(f"/v1/federations/{federation}/persons", headers=after_it)
    assert [item["id"] for item in listed.json()["items"]] == [ada]


async def test_a_merge_that_is_only_tried_says_what_it_would_lose(client: Client) -> None:
    _, ada, again = await two(client)
    foreseen = (await merge(client, ada, again, dry_run="true")).json()
    assert foreseen["changes"] == [f"{again} leads to {ada}."]
    assert "for good" in foreseen["lost"][0]
    assert (await client.get(f"{PERSONS}/{again}")).json()["id"] == again


async def test_what_cannot_be_one_person_is_not_merged(client: Client) -> None:
    federation, ada, again = await two(client)
    stranger = (await register(client, await founded(client, "Elsewhere"), "Ada")).json()["id"]
    problem(await merge(client, ada, ada), HTTPStatus.CONFLICT, "not-the-same")
    for strange in (stranger, "nobody"):
        assert strangers(await merge(client, ada, strange)) == ["/duplicate"]
    tournament = await opened(client, federation)
    entered = [(await enter(client, tournament, person)).json()["id"] for person in (ada, again)]
    refused = problem(await merge(client, ada, again), HTTPStatus.CONFLICT, "takes-part-twice")
    assert f"Ada Lovelace ({ada}) and A. Lovelace ({again}) both take part in tournament" in refused.detail
    assert "Košice Cup" in refused.detail
    await done(client, tournament, "entrants", entered[1], "withdraw")
    gone = problem(
        await act(client, tournament, "entrants", entered[1], "correct", rating=1), HTTPStatus.CONFLICT, "not-entered"
    )
    assert f"A. Lovelace ({entered[1]}) has withdrawn" in gone.detail
    assert (await merge(client, ada, again)).status_code == HTTPStatus.OK
    problem(await merge(client, again, ada), HTTPStatus.CONFLICT, "person-gone")


async def test_two_merges_at_once_end_in_one_person(client: Client) -> None:
    _, ada, again = await two(client)
    answers = await asyncio.gather(merge(client, ada, again), merge(client, again, ada))
    assert sorted(answer.status_code for answer in answers) == [HTTPStatus.OK, HTTPStatus.CONFLICT]


async def test_who_has_entered_under_another_id_has_entered(client: Client) -> None:
    federation, ada, again = await two(client)
    first, second = [await opened(client, federation) for _ in range(2)]
    entrant = (await enter(client, first, again)).json()["id"]
    await merge(client, ada, again)
    assert (await enter(client, first, ada)).json()["id"] == entrant
    entered = (await enter(client, second, again)).json()
    assert [(person["id"], person["name"]) for person in entered["persons"]] == [(ada, "Ada Lovelace")]


# What is known of them


async def test_all_that_is_known_of_a_person_is_put_together_for_them(client: Client) -> None:
    federation, ada, again = await two(client)
    await client.post(f"{PERSONS}/{ada}/particulars", json=ALL)
    tournament = await opened(client, federation)
    bob = (await register(client, federation, "Bob")).json()["id"]
    entered = [(await enter(client, tournament, person)).json()["id"] for person in (again, bob)]
    await done(client, tournament, "close-persons", persons=[again, bob])
    why = {"code": "ill", "words": "Ada has a fever."}
    await done(client, tournament, "entrants", entered[0], "withdraw", reason=why)
    await merge(client, ada, again)
    export = (await client.get(f"{PERSONS}/{ada}/export")).json()
    assert (export["name"], export["duplicates"]) == ("Ada Lovelace", [again])
    assert {name: export["particulars"][name] for name in ALL} == ALL
    (part,) = export["tournaments"]
    assert (part["tournament"], part["status"], part["close_to"]) == (tournament, "registration", [bob])
    assert [entry["entrant"]["persons"][0]["id"] for entry in part["entries"]] == [again]
    there = [one for one in export["facts"] if one["scope"] == tournament]
    assert [one["what"] for one in there] == ["EntrantEntered", "ClosePersonsDeclared", "EntryWithdrawn"]
    assert (there[-1]["said"]["reason"], there[-1]["words"]) == ("ill", ["Ada has a fever."])
    assert {one["what"] for one in export["facts"]} >= {"PersonRegistered", "PersonMerged", "ParticularsChanged"}
    assert entered[1] not in str(export["facts"])
    assert [one["path"] for one in export["elsewhere"]][:2] == [f"/v1/persons/{one}/export" for one in (ada, again)]
    assert {one["service"] for one in export["elsewhere"]} == {"pairing", "results", "standings"}
    await appoint(client, federation, "otto", "auditor")
    refused = await client.get(f"{PERSONS}/{ada}/export", headers=signed_by(issuer().token("otto")))
    problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")


# Erased


async def test_who_is_erased_is_known_by_no_name_and_the_history_stays(new_client: Client, database: str) -> None:
    federation, ada, again = await two(new_client)
    await new_client.post(f"{PERSONS}/{ada}/particulars", json=ALL)
    tournament = await opened(new_client, federation, entry={"kind": "pair"})
    pair = (
        await act(new_client, tournament, "entrants", persons=[{"id": ada}, {"name": "Bob"}], name="Lovelace and Bob")
    ).json()
    await merge(new_client, ada, again)
    before = (await new_client.get("/v1/log")).text.partition("\n")[2]
    erased = await erase(new_client, again)
    assert (erased.json()["id"], erased.json()["name"], erased.json()["erased"]) == (ada, None, True)
    shown = (await new_client.get(path(tournament, "entrants", pair["id"]))).json()
    assert (shown["name"], [person["name"] for person in shown["persons"]]) == (None, [None, "Bob"])
    assert (await new_client.get("/v1/log")).text.partition("\n")[2].startswith(before)
    export = (await new_client.get(f"{PERSONS}/{ada}/export")).json()
    assert (export["name"], export["particulars"]["email"]) == (None, None)
    assert await rows_with(database, "Lovelace", "ada@example.org") == []
    assert (await erase(new_client, ada)).headers["ETag"] == erased.headers["ETag"]


@pytest.mark.parametrize(
    ("person", "pair"),
    [("Eva Kováčová", "Kovacovci"), ("Eva Kováčová", "KOVACOVA + Bob"), ("Bo Li", "Li & Bob"), ("Ivan Ho", "Ivanovci")],
)
async def test_the_name_of_a_pair_goes_with_who_is_erased_however_it_tells_theirs(
    new_client: Client, database: str, person: str, pair: str
) -> None:
    federation = await founded(new_client, "SSS")
    tournament = await opened(new_client, federation, entry={"kind": "pair"})
    entered = (
        await act(new_client, tournament, "entrants", persons=[{"name": person}, {"name": "Bob"}], name=pair)
    ).json()
    assert entered["name"] == pair
    await erase(new_client, entered["persons"][0]["id"])
    assert (await new_client.get(path(tournament, "entrants", entered["id"]))).json()["name"] is None
    assert await rows_with(database, pair) == []


async def test_nothing_can_be_done_any_more_with_who_is_erased(client: Client) -> None:
    federation, ada, again = await two(client)
    await erase(client, ada)
    problem(await rename(client, ada, "Ada"), HTTPStatus.CONFLICT, "person-gone")
    problem(await merge(client, ada, again), HTTPStatus.CONFLICT, "person-gone")
    tournament = await opened(client, federation)
    problem(await enter(client, tournament, ada), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")


async def test_an_erasure_that_is_only_tried_says_what_it_would_lose(client: Client) -> None:
    federation, ada, _ = await two(client)
    await enter(client, await opened(client, federation), ada)
    foreseen = (await erase(client, ada, dry_run="true")).json()
    assert foreseen["lost"][-1] == "The words that explain decisions in Košice Cup."
    assert (await client.get(f"{PERSONS}/{ada}")).json()["name"] == "Ada Lovelace"
