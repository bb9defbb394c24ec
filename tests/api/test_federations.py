"""Federations over HTTP: founded, renamed, shown and listed, once however often it is asked."""

import asyncio
from collections import Counter
from http import HTTPStatus
from uuid import UUID

import pytest

from shared.log.postgres import PostgresStore
from tests.api.asking import FEDERATIONS, Client, found, founded, listed, position, problem, rename, service
from tests.events import everything


@pytest.fixture
def client(new_client: Client) -> Client:
    """Each test counts what there is."""
    return new_client


async def log(database: str) -> Counter[str]:
    """How often what has happened."""
    store = PostgresStore(database)
    async with store.running():
        return Counter(recorded.event.type for recorded in await everything(store))


async def test_a_federation_is_founded(client: Client, database: str) -> None:
    response = await found(client, "Slovak  Scrabble Association ")
    assert response.status_code == HTTPStatus.CREATED
    assert response.headers["Content-Type"] == "application/json"
    assert response.json()["name"] == "Slovak Scrabble Association"
    assert UUID(response.json()["id"]).version == 7
    assert position(response)[0] == (await log(database)).total()


async def test_a_federation_is_shown_as_soon_as_it_is_founded(client: Client) -> None:
    answer = await found(client, "Slovak Go Association")
    shown = await client.get(f"{FEDERATIONS}/{answer.json()['id']}")
    assert shown.status_code == HTTPStatus.OK
    assert shown.json() == answer.json()
    assert shown.headers["ETag"].startswith('"1.')


async def test_a_federation_is_renamed(client: Client) -> None:
    answer = await found(client, "Slovak Go Association")
    federation = answer.json()["id"]
    renamed = await rename(client, federation, "Slovak Go Union")
    assert renamed.status_code == HTTPStatus.OK
    assert renamed.json() == answer.json() | {"name": "Slovak Go Union"}
    assert position(renamed) == tuple(number + 1 for number in position(answer))
    shown = await client.get(f"{FEDERATIONS}/{federation}")
    assert (shown.json(), shown.headers["ETag"].partition(".")[0]) == (renamed.json(), '"2')
    assert await listed(client, "Slovak Go Union") == [federation]


async def test_taking_the_name_it_has_changes_nothing(client: Client) -> None:
    answer = await found(client, "Slovak Go Association")
    renamed = await rename(client, answer.json()["id"], " Slovak  Go Association")
    assert (renamed.status_code, renamed.json()) == (HTTPStatus.OK, answer.json())
    assert position(renamed) == position(answer)


async def test_federations_may_be_namesakes(client: Client) -> None:
    assert await founded(client, "Go") != await founded(client, "Go")


async def test_what_nobody_founded_is_not_found(client: Client) -> None:
    for federation in ("019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11", "nobody", "x" * 64):
        problem(await client.get(f"{FEDERATIONS}/{federation}"), HTTPStatus.NOT_FOUND, "federation-unknown")
        refused = problem(await rename(client, federation, "Go"), HTTPStatus.FORBIDDEN, "not-permitted")
        assert (refused.title, refused.errors) == ("Not permitted", [])


async def test_a_repeated_key_founds_once(client: Client) -> None:
    first = await found(client, "Go", key="the first")
    second = await found(client, "Go", key="the first")
    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert position(second) == position(first)
    assert await listed(client, "Go") == [first.json()["id"]]


async def test_a_repeated_key_gets_the_first_answer_whatever_has_happened_since(client: Client) -> None:
    first = await found(client, "Go", key="found")
    federation = first.json()["id"]
    renamed = await rename(client, federation, "Weiqi", key="rename")
    last = await rename(client, federation, "Baduk")
    assert (await found(client, "Go", key="found")).content == first.content
    again = await rename(client, federation, "Weiqi", key="rename")
    assert again.content == renamed.content
    assert position(again) == position(last)
    assert (await client.get(f"{FEDERATIONS}/{federation}")).json()["name"] == "Baduk"


async def test_a_repeated_key_gets_the_first_answer_after_a_restart(database: str) -> None:
    async with service(database) as client:
        first = await found(client, "Go", key="found")
    async with service(database) as client:
        assert (await found(client, "Go", key="found")).content == first.content


async def test_a_key_is_for_one_request_only(client: Client) -> None:
    await found(client, "Go", key="found")
    refused = await found(client, "Weiqi", key="found")
    assert "new key" in problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "key-reused").detail
    await listed(client, "Go")


async def test_a_key_is_for_one_operation(client: Client) -> None:
    federations = [(await found(client, name, key=name)).json()["id"] for name in ("key", "other")]
    for federation in federations:
        renamed = (await rename(client, federation, "Go", key="key")).json()
        assert (renamed["id"], renamed["name"]) == (federation, "Go")


async def test_a_refusal_does_not_use_up_its_key(client: Client) -> None:
    problem(await found(client, "\x07", key="found"), HTTPStatus.UNPROCESSABLE_ENTITY, "unusable-name")
    assert (await found(client, "Go", key="found")).status_code == HTTPStatus.CREATED


async def test_any_key_will_do(client: Client) -> None:
    keys = [b"x" * 255, "ключ".encode(), b"\xff\xfe", b'"quoted"', b"a, b", b"a"]
    answers: list[bytes] = []
    for key in keys * 2:
        response = await client.post(FEDERATIONS, json={"name": "Go"}, headers={b"Idempotency-Key": key})
        assert response.status_code == HTTPStatus.CREATED
        answers.append(response.content)
    assert answers[: len(keys)] == answers[len(keys) :]
    assert len(set(answers)) == len(keys)


async def test_the_same_act_twenty_times_at_once_happens_once(client: Client, database: str) -> None:
    answers = await asyncio.gather(*(found(client, "Go", key="found") for _ in range(20)))
    assert {answer.status_code for answer in answers} == {HTTPStatus.CREATED}
    assert len({answer.content for answer in answers}) == 1
    assert (await log(database))["FederationFounded"] == 1


async def test_twenty_copies_of_an_act_on_two_copies_of_the_service_happen_once(client: Client, database: str) -> None:
    federation = await founded(client, "Go")
    async with service(database) as other:
        answers = await asyncio.gather(*(rename(c, federation, "Weiqi", key="k") for c in [client, other] * 10))
    assert {(answer.status_code, answer.content) for answer in answers} == {(HTTPStatus.OK, answers[0].content)}
    assert (await log(database))["FederationRenamed"] == 1


async def test_twenty_acts_at_once_all_happen(client: Client, database: str) -> None:
    federation = await founded(client, "Go")
    names = {f"Go {number}" for number in range(20)}
    answers = await asyncio.gather(*(rename(client, federation, name) for name in names))
    assert {answer.json()["name"] for answer in answers} == names
    happened = await log(database)
    assert happened["FederationRenamed"] == 20
    assert sorted(position(answer)[0] for answer in answers) == list(range(happened.total() - 19, happened.total() + 1))


async def test_pages_show_every_federation_once_in_the_order_of_founding(client: Client) -> None:
    names = [f"Federation {number}" for number in range(11)]
    ids = [await founded(client, name) for name in names]
    await listed(client, *names)
    for limit in (1, 3, 10, 11, 12):
        pages: list[list[str]] = []
        query: dict[str, str | int] = {"limit": limit}
        while True:
            page = (await client.get(FEDERATIONS, params=query)).json()
            pages.append([item["id"] for item in page["items"]])
            if page["next"] is None:
                break
            query["after"] = page["next"]
        assert [identity for page in pages for identity in page] == ids
        assert all(len(page) == limit for page in pages[:-1])
        assert pages[-1]


async def test_the_list_is_empty_when_nobody_has_founded_anything(client: Client) -> None:
    await listed(client)
    assert (await client.get(FEDERATIONS)).json() == {"items": [], "next": None}
    assert (await client.get(FEDERATIONS, params={"after": "zzz"})).json() == {"items": [], "next": None}


async def test_the_list_can_be_asked_for_as_soon_as_the_service_is_up(database: str) -> None:
    async with service(database) as client:
        response = await client.get(FEDERATIONS)
    assert response.status_code in {HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE}
