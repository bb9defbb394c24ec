"""Persons as files over HTTP: registered once, whoever sends the file how often, and nobody for somebody else."""

import asyncio
from http import HTTPStatus
from typing import Any

import httpx

from deploy.databases import connection
from shared.csv_lines import SAVED
from tests.api.asking import Client, founded, issuer, problem
from tests.api.signing import signed_by
from tests.logged import happened

MALFORMED = HTTPStatus.UNPROCESSABLE_ENTITY
FILE = "name;born;citizenship;email\nZuzka;2011-05-17;SK CZ;zuzka@example.org\nBob;1990;;\n"


async def bring_in(
    client: Client, federation: str, text: str, *, under: str | None = None, **query: Any
) -> httpx.Response:
    headers = signed_by(issuer().token()) | {"Content-Type": "text/csv"} | ({"Idempotency-Key": under} if under else {})
    return await client.post(
        f"/v1/federations/{federation}/persons/import", content=text.encode(), params=query, headers=headers
    )


async def brought_in(client: Client, federation: str, text: str) -> tuple[int, int]:
    answer = await bring_in(client, federation, text)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    return answer.json()["registered"], answer.json()["unchanged"]


async def test_persons_come_in_once_and_go_out_in_the_same_form(new_client: Client) -> None:
    federation = await founded(new_client, "SSS")
    foreseen = await bring_in(new_client, federation, FILE, dry_run=True)
    assert (foreseen.status_code, foreseen.json()["changes"]) == (HTTPStatus.OK, ["Newly registered: 2."])
    first = await bring_in(new_client, federation, FILE, under="k")
    assert first.json()["registered"] == 2
    assert (await bring_in(new_client, federation, FILE, under="k")).json() == first.json()
    assert await brought_in(new_client, federation, FILE) == (0, 2)
    exported = await new_client.get(f"/v1/federations/{federation}/persons/export")
    assert "Zuzka,2011-05-17,SK CZ" in exported.text
    assert await brought_in(new_client, federation, exported.text.removeprefix("\ufeff")) == (0, 2)
    log = (await new_client.get("/v1/log")).content
    assert happened(log, "PersonRegistered") == 2
    assert all(word.encode() not in log for word in ("Zuzka", "2011-05-17", "zuzka@example.org"))


async def test_a_spreadsheet_is_told_how_it_becomes_a_file_of_lines(client: Client) -> None:
    federation = await founded(client, "SSS")
    brackets = bytes(256) + b"[{" * 100  # as in what is packed
    headers = signed_by(issuer().token()) | {"Content-Type": "text/csv"}
    for content, kind in (
        (b"PK\x03\x04" + brackets, "is a file of its own kind, such as .xlsx, .ods or .xls"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + brackets, "is a file of its own kind, such as .xlsx, .ods or .xls"),
        (FILE.encode("utf-16"), "is UTF-16 and not UTF-8"),
    ):
        path = f"/v1/federations/{federation}/persons/import"
        refused = await client.post(path, content=content, headers=headers)
        assert [one["detail"] for one in refused.json()["errors"]] == [f"{kind}: {SAVED}"]


async def test_a_file_that_comes_again_with_its_key_has_its_first_answer_whatever_has_happened_since(
    client: Client,
) -> None:
    federation = await founded(client, "SSS")
    text = "person,name,licence,town\nnew,Ada,SK-1,Nitra\n"
    first = await bring_in(client, federation, text, under="k")
    assert await brought_in(client, federation, text) == (0, 1)
    (ada,) = first.json()["persons"]
    moved = {"licence": "SK-1", "town": "Zvolen"}
    path = f"/v1/persons/{ada['person']}/particulars"
    assert (await client.post(path, json=moved, headers=signed_by(issuer().token()))).is_success
    assert (await bring_in(client, federation, text)).status_code == MALFORMED
    assert (await bring_in(client, federation, text, under="k")).json() == first.json()


async def test_of_two_who_send_the_same_file_at_once_one_registers_them(new_client: Client) -> None:
    federation = await founded(new_client, "SSS")
    answers = await asyncio.gather(*(bring_in(new_client, federation, FILE) for _ in range(4)))
    assert sorted(answer.json()["registered"] for answer in answers) == [0, 0, 0, 2], [one.text for one in answers]
    ids = {tuple(one["person"] for one in answer.json()["persons"]) for answer in answers}
    assert len(ids) == 1
    log = (await new_client.get("/v1/log")).content
    assert (happened(log, "PersonRegistered"), happened(log, "PersonsImported")) == (2, 1)


async def test_who_may_be_somebody_known_is_not_registered_twice(client: Client) -> None:
    federation = await founded(client, "SSS")
    bob, rob = (await bring_in(client, federation, "name,born\nBob,1990\nRob,1990\n")).json()["persons"]
    text = (
        "person,name,born,town\n"
        ",Bob,1990,Nitra\n"  # whom we know, or another one?
        ",Bob,1950,\n"  # certainly another one
        ",Eve,,\n"
        ",Eve,,\n"
        ",,,\n"
        ",Fay,half,\n"
        "nobody-known,Gil,,\n"
        f"{rob['person']},Bobby,1991,\n"
    )
    document = problem(await bring_in(client, federation, text), MALFORMED, "faulty")
    assert [fault.pointer for fault in document.errors] == [
        *("/lines/2/name", "/lines/5/name", "/lines/7/born", "/lines/8/person", "/lines/9/name", "/lines/9/born")
    ]
    assert bob["person"] in document.errors[0].detail
    (plain,) = problem(await bring_in(client, federation, "name\nBÖB\n"), MALFORMED, "faulty").errors
    assert bob["person"] in plain.detail, "accents are left out where there is no key for them"
    said = "person,name,born,town\nnew,Bob,1990,Nitra\n,Bob,1950,\n,Eve,,\nnew,Eve,,\n"
    assert await brought_in(client, federation, said) == (4, 0)
    assert await brought_in(client, federation, said) == (0, 4)


async def test_a_licence_of_somebody_who_never_became_known_is_free(new_client: Client, database: str) -> None:
    """A service was killed between the claim and the registration."""
    federation = await founded(new_client, "SSS")
    async with connection(database) as licences:
        await licences.execute(
            "insert into personal.licences (federation, licence, person, at) values ($1, 'SK-1', 'nobody', now() - interval '1 hour')",
            federation,
        )
    found = await new_client.get(f"/v1/federations/{federation}/persons", params={"licence": "SK-1"})
    assert found.json()["items"] == []
    assert await brought_in(new_client, federation, "name,licence\nAda,SK-1\n") == (1, 0)


async def test_a_licence_that_somebody_never_came_to_have_is_free_after_a_minute(
    new_client: Client, database: str
) -> None:
    """A service was killed between the claim and the change of what is known of them."""
    federation = await founded(new_client, "SSS")
    for number, name in enumerate(("Ada", "Bob")):
        first = await bring_in(new_client, federation, f"name\n{name}\n")
        (known,) = first.json()["persons"]
        async with connection(database) as licences:
            claim = "insert into personal.licences (federation, licence, person) values ($1, $2, $3)"
            await licences.execute(claim, federation, f"SK-{number}", known["person"])
    file = "name,licence\nCyd,SK-0\n"
    assert (await bring_in(new_client, federation, file)).status_code == MALFORMED
    async with connection(database) as licences:
        await licences.execute("update personal.licences set at = now() - interval '1 hour'")
    found = await new_client.get(f"/v1/federations/{federation}/persons", params={"licence": "SK-1"})
    assert found.json()["items"] == []
    assert await brought_in(new_client, federation, file) == (1, 0)
    (dee,) = (await bring_in(new_client, federation, "name\nDee\n")).json()["persons"]
    path = f"/v1/persons/{dee['person']}/particulars"
    assert (await new_client.post(path, json={"licence": "SK-1"}, headers=signed_by(issuer().token()))).is_success


async def test_a_licence_of_somebody_else_is_a_fault_of_its_line(client: Client) -> None:
    federation = await founded(client, "SSS")
    assert await brought_in(client, federation, "name,licence\nAda,SK-1\nBob,SK-2\n") == (2, 0)
    text = "name,licence\nAda,SK-1\nRob,SK-2\nCyd,SK-3\nDee,SK-3\n"
    document = problem(await bring_in(client, federation, text, dry_run=True), MALFORMED, "faulty")
    assert [fault.pointer for fault in document.errors] == ["/lines/3/licence", "/lines/5/licence"]
    assert "SK-2 is the licence of Bob" in document.errors[0].detail
    assert "line 4" in document.errors[1].detail
