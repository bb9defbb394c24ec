"""Persons over HTTP: registered, renamed, shown to the officials of their federation and to nobody else."""

from http import HTTPStatus

import httpx
import pytest

from tests.api.asking import Client, founded, issuer, problem
from tests.api.holding import act, announce, done
from tests.api.signing import signed_by
from tests.api.test_officials import appoint
from tests.traces import rows_with

PERSONS = "/v1/persons"


async def register(client: Client, federation: str, name: str, *, key: str | None = None) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await client.post(PERSONS, json={"federation": federation, "name": name}, headers=headers)


async def rename(client: Client, person: str, name: str, *, key: str | None = None) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await client.post(f"{PERSONS}/{person}/rename", json={"name": name}, headers=headers)


async def test_a_person_is_registered_and_the_log_does_not_know_the_name(client: Client) -> None:
    federation = await founded(client, "SSS")
    answer = await register(client, federation, " Ada  Lovelace")
    assert answer.status_code == HTTPStatus.CREATED
    person = answer.json()
    assert (person["name"], person["federation"]) == ("Ada Lovelace", federation)
    assert (await client.get(f"{PERSONS}/{person['id']}")).json() == person
    assert "Ada" not in (await client.get("/v1/log")).text


async def test_a_repeated_key_registers_once(client: Client) -> None:
    federation = await founded(client, "SSS")
    first, again = [await register(client, federation, "Ada", key="ada") for _ in range(2)]
    assert again.json() == first.json()


async def test_a_person_is_renamed(client: Client) -> None:
    person = (await register(client, await founded(client, "SSS"), "Ada")).json()["id"]
    renamed = await rename(client, person, "Augusta Ada")
    assert (renamed.status_code, renamed.json()["name"], renamed.headers["ETag"]) == (200, "Augusta Ada", '"2"')
    same = await rename(client, person, "Augusta  Ada")
    assert same.headers["ETag"] == '"2"'


async def test_a_repeated_renaming_does_not_bring_an_older_name_back(client: Client) -> None:
    person = (await register(client, await founded(client, "SSS"), "Ada")).json()["id"]
    await rename(client, person, "Bea", key="first")
    await rename(client, person, "Cyd", key="second")
    await rename(client, person, "Bea", key="first")
    assert (await client.get(f"{PERSONS}/{person}")).json()["name"] == "Cyd"


async def test_only_officials_of_their_federation_see_a_person(client: Client) -> None:
    here, there = await founded(client, "Here"), await founded(client, "There")
    await appoint(client, here, "otto", "auditor")
    await appoint(client, there, "ann", "director")
    person = f"{PERSONS}/{(await register(client, here, 'Ada')).json()['id']}"
    assert (await client.get(person, headers=signed_by(issuer().token("otto")))).status_code == HTTPStatus.OK
    refused = await client.get(person, headers=signed_by(issuer().token("ann")))
    problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")
    refused = await client.post(f"{person}/rename", json={"name": "B"}, headers=signed_by(issuer().token("otto")))
    problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")


async def test_nobody_is_found_under_an_unknown_id(client: Client) -> None:
    problem(await client.get(f"{PERSONS}/nobody"), HTTPStatus.NOT_FOUND, "nothing-there")
    problem(await rename(client, "nobody", "Ada"), HTTPStatus.NOT_FOUND, "nothing-there")


async def test_the_persons_of_a_federation_are_listed_page_by_page(client: Client) -> None:
    here, there = await founded(client, "Here"), await founded(client, "There")
    for name in ("Ada", "Bea", "Cyd"):
        await register(client, here, name)
    last = await register(client, there, "Dee")
    after_it = {"Roundlog-Min-Position": last.headers["Roundlog-Position"]}
    path = f"/v1/federations/{here}/persons"
    first = await client.get(path, params={"limit": 2}, headers=after_it)
    assert [item["name"] for item in first.json()["items"]] == ["Ada", "Bea"]
    second = await client.get(first.links["next"]["url"])
    assert [item["name"] for item in second.json()["items"]] == ["Cyd"]
    assert second.json()["next"] is None


# What else is known of them, each field for those who need it

ALL = {
    "born": "2011-05-17",
    "citizenship": ["SK"],
    "town": "Zvolen",
    "email": "ada@example.org",
    "phone": "+421 900 000 000",
    "licence": "SK-1042",
}


@pytest.mark.parametrize(
    ("role", "hidden"),
    [("coordinator", set[str]()), ("council", {"email", "phone"}), ("arbiter", set(ALL) - {"licence"})],
)
async def test_each_field_is_shown_to_those_who_need_it(client: Client, role: str, hidden: set[str]) -> None:
    federation = await founded(client, "SSS")
    await appoint(client, federation, "otto", role)
    person = (await register(client, federation, "Ada")).json()["id"]
    kept = await client.post(f"{PERSONS}/{person}/particulars", json=ALL)
    assert {name: kept.json()[name] for name in ALL} == ALL
    seen = (await client.get(f"{PERSONS}/{person}/particulars", headers=signed_by(issuer().token("otto")))).json()
    assert {name for name in ALL if not seen[name]} == set(seen["hidden"]) == hidden
    assert all(seen[name] == value for name, value in ALL.items() if name not in hidden)


async def test_whoever_is_said_to_be_of_one_country_twice_is_of_it_once(client: Client) -> None:
    federation = await founded(client, "SSS")
    person = (await register(client, federation, "Ada")).json()["id"]
    path = f"{PERSONS}/{person}/particulars"
    refused = await client.post(path, json={"citizenship": ["SK", "XX"]})
    assert [one.detail for one in problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "malformed").errors] == [
        "should be countries of ISO 3166, and XX is none"
    ]
    assert (await client.post(path, json={"citizenship": ["XK"]})).is_success
    kept = await client.post(path, json={"citizenship": ["SK", "CZ", "SK"]})
    assert kept.json()["citizenship"] == ["SK", "CZ"]


async def test_a_licence_is_one_persons_in_a_federation_and_leads_to_them(new_client: Client, database: str) -> None:
    here, there = await founded(new_client, "Here"), await founded(new_client, "There")
    ada, bea = [(await register(new_client, here, name)).json()["id"] for name in ("Ada", "Bea")]
    elsewhere = (await register(new_client, there, "Cyd")).json()["id"]
    assert (await licensed(new_client, ada, "L-1", key="ada")).status_code == HTTPStatus.OK
    assert (await licensed(new_client, elsewhere, "L-1")).status_code == HTTPStatus.OK
    refused = problem(await licensed(new_client, bea, "L-1"), HTTPStatus.CONFLICT, "licence-taken")
    assert f"L-1 is the licence of Ada ({ada})" in refused.detail
    assert await found_by(new_client, here, "L-1") == [ada]
    await licensed(new_client, ada, "L-2")
    assert (await licensed(new_client, bea, "L-1")).status_code == HTTPStatus.OK
    assert (await licensed(new_client, ada, "L-1", key="ada")).status_code == HTTPStatus.OK, (
        "the first answer comes again"
    )
    assert [await found_by(new_client, here, one) for one in ("L-1", "L-2", "L-3")] == [[bea], [ada], []]
    merged = await new_client.post(f"{PERSONS}/{bea}/merge", json={"duplicate": ada, "reason": "registered-twice"})
    assert merged.status_code == HTTPStatus.OK
    assert [await found_by(new_client, here, one) for one in ("L-1", "L-2")] == [[bea], []]
    await new_client.delete(f"{PERSONS}/{bea}")
    assert await rows_with(database, "L-2") == []
    assert await found_by(new_client, here, "L-1") == []
    await appoint(new_client, here, "otto", "auditor")
    path = f"/v1/federations/{here}/persons?licence=L-1"
    problem(
        await new_client.get(path, headers=signed_by(issuer().token("otto"))), HTTPStatus.FORBIDDEN, "not-permitted"
    )


async def licensed(client: Client, person: str, licence: str, *, key: str | None = None) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return await client.post(f"{PERSONS}/{person}/particulars", json={"licence": licence}, headers=headers)


async def found_by(client: Client, federation: str, licence: str) -> list[str]:
    answer = await client.get(f"/v1/federations/{federation}/persons", params={"licence": licence})
    return [item["id"] for item in answer.json()["items"]]


async def test_who_comes_with_the_licence_of_somebody_known_does_not_come_in_as_somebody_new(client: Client) -> None:
    federation = await founded(client, "SSS")
    tournament = (await announce(client, federation)).json()["id"]
    await done(client, tournament, "open")
    new = {"name": "Ada", "particulars": {"licence": "L-1"}}
    entered = await act(client, tournament, "entrants", under="k", person=new)
    assert entered.status_code == HTTPStatus.CREATED, entered.text
    assert (await act(client, tournament, "entrants", under="k", person=new)).json() == entered.json()
    refused = problem(await act(client, tournament, "entrants", person=new), HTTPStatus.CONFLICT, "licence-taken")
    assert entered.json()["persons"][0]["id"] in refused.detail
    two = await act(
        client,
        tournament,
        "entrants/import",
        entrants=[{"person": {"name": name, "particulars": {"licence": "L-2"}}} for name in ("Bob", "Cyd")],
    )
    problem(two, HTTPStatus.CONFLICT, "licence-taken")
    assert await found_by(client, federation, "L-2") == []
