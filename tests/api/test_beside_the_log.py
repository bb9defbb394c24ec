"""What events say of persons lies beside the log: officials see it as before, the log has salted hashes of it."""

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from http import HTTPStatus
from typing import Any

import msgspec

from deploy.databases import at, connection
from tests.api.asking import Client, problem, service
from tests.api.holding import act, done, entered, opened, path
from tests.logged import records_of
from tests.patience import PATIENCE

PAID: dict[str, Any] = {"amount": 13, "currency": "EUR", "on": "2026-11-01", "reference": "VS-7712340056"}
DETAILS: dict[str, Any] = {"needs": ["wheelchair-access"], "consents": ["photographs-of-minors"]}
PERSONAL = ("wheelchair-access", "photographs-of-minors", "VS-7712340056")


def paid(**said: Any) -> dict[str, Any]:
    return PAID | said


async def openings(database: str) -> list[dict[str, Any]]:
    async with connection(database) as reader:
        rows = await reader.fetch("select commitment, scope, about, salt, value from personal.openings")
    return [dict(row) for row in rows]


async def log_of(client: Client, tournament: str) -> list[dict[str, Any]]:
    return records_of((await client.get(f"/v1/log/{tournament}")).content)


def committed(records: Sequence[dict[str, Any]], what: str, field: str) -> str:
    """The last one."""
    return [one["data"]["beside"][field] for one in records if one["type"] == what][-1]


def commitment(salt: bytes, value: bytes) -> str:
    """As the documents say it, for whoever is shown a salt and a value."""
    return sha256(b"roundlog/personal/v1\n" + salt + value).hexdigest()


async def with_facts(client: Client) -> tuple[str, list[str], list[str]]:
    """A tournament with two entrants of whom something is known, and a third."""
    tournament = await opened(client)
    entries = await entered(client, tournament, "Ada Nová", "Bea Stará", "Cyd Malý")
    entrants = [one["id"] for one in entries]
    persons = [one["persons"][0]["id"] for one in entries]
    for nth, entrant in enumerate(entrants[:2]):
        await done(client, tournament, "entrants", entrant, "detail", **DETAILS)
        await done(client, tournament, "entrants", entrant, "payments", **paid(reference=f"VS-771234005{6 + nth}"))
    await done(client, tournament, "close-persons", persons=persons[:2])
    return tournament, entrants, persons


async def shown(client: Client, tournament: str, entrant: str) -> tuple[list[str], list[str], list[str]]:
    entry = (await client.get(path(tournament, "entrants", entrant, "entry"))).json()
    return entry["needs"], entry["consents"], [one["reference"] for one in entry["payments"]]


async def test_what_is_personal_is_shown_to_officials_and_is_in_no_record(database: str) -> None:
    async with service(database) as client:
        tournament, (ada, *_), persons = await with_facts(client)
        again = await act(client, tournament, "entrants", ada, "payments", **PAID)
        assert again.status_code == HTTPStatus.OK, "twice is once"
        other = await act(client, tournament, "entrants", ada, "payments", **paid(amount=14))
        problem(other, HTTPStatus.CONFLICT, "payment-differs")
        records = await log_of(client, tournament)
        everything = (await client.get("/v1/log")).text
    assert not [word for word in PERSONAL if word in everything]
    assert [one["data"]["reference"] for one in records if one["type"] == "PaymentRecorded"] == ["", ""]
    (close,) = [one["data"] for one in records if one["type"] == "ClosePersonsDeclared"]
    assert close["persons"] == ["", ""]
    known = {one["commitment"]: one for one in await openings(database)}
    assert all(commitment(one["salt"], one["value"]) == digest for digest, one in known.items())
    assert len({one["salt"] for one in known.values()}) == len(known), "a salt for each: equal facts look different"
    assert msgspec.json.decode(known[committed(records, "EntryDetailed", "needs")]["value"]) == DETAILS["needs"]
    assert set(msgspec.json.decode(known[close["beside"]["persons"]]["value"])) == set(persons[:2])
    async with service(database) as client:  # nothing is remembered: all of it is read again
        needs, consents, references = await shown(client, tournament, ada)
        assert (needs, consents, references) == (DETAILS["needs"], DETAILS["consents"], [PAID["reference"]])
        pairs = (await client.get(path(tournament, "close-persons"))).json()["pairs"]
        assert [set(one["persons"]) for one in pairs] == [set(persons[:2])]
        await done(client, tournament, "close-persons", "revoke", persons=persons[:2])
        assert (await client.get(path(tournament, "close-persons"))).json() == {"pairs": []}


async def test_who_is_erased_leaves_hashes_to_which_nothing_leads(database: str) -> None:
    async with service(database) as client, service(database) as copy:
        tournament, (ada, bea, _), persons = await with_facts(client)
        before = await log_of(client, tournament)
        export = (await client.get(f"/v1/persons/{persons[0]}/export")).json()
        said = [one["said"] for one in export["facts"]]
        assert {"wheelchair-access"} <= {need for one in said for need in one.get("needs", [])}
        assert any(set(one.get("persons", [])) == set(persons[:2]) for one in said), "whom they are close to"
        assert (await shown(copy, tournament, ada))[0] == DETAILS["needs"]
        erased = await client.delete(f"/v1/persons/{persons[0]}")
        assert erased.status_code == HTTPStatus.OK, erased.text
        assert await shown(client, tournament, ada) == ([], [], [""])
        async with asyncio.timeout(PATIENCE):
            while await shown(copy, tournament, ada) != ([], [], [""]):
                await asyncio.sleep(0.05)
    left = {one["commitment"] for one in await openings(database)}
    assert all(ada not in one["about"] and persons[0] not in one["about"] for one in await openings(database))
    async with service(database) as client:
        assert await shown(client, tournament, ada) == ([], [], [""])
        assert await shown(client, tournament, bea) == (DETAILS["needs"], DETAILS["consents"], ["VS-7712340057"])
        after = await log_of(client, tournament)
        assert after[: len(before)] == before, "no record has changed"
        assert committed(before, "ClosePersonsDeclared", "persons") not in left
        problem(
            await act(client, tournament, "entrants", bea, "payments", **paid(reference="VS-7712340057", amount=3)),
            HTTPStatus.CONFLICT,
            "payment-differs",
        )


async def test_what_is_refused_or_only_tried_leaves_nothing_beside_the_log(database: str) -> None:
    async with service(database) as client:
        tournament, (ada, *_), persons = await with_facts(client)
        before = await openings(database)
        for amount in (PAID["amount"], 99):
            await act(client, tournament, "entrants", ada, "payments", **paid(amount=amount), under="pay-1")
        same = await act(client, tournament, "entrants", ada, "detail", **DETAILS)
        assert same.is_success, "a repeated command yields no event"
        gone = await act(
            client, tournament, "close-persons", persons=[persons[0], "019aa4c2-0000-7000-8000-000000000000"]
        )
        assert not gone.is_success
        assert await openings(database) == before


async def test_a_value_that_somebody_changed_is_not_believed(server: str, database: str) -> None:
    async with service(database) as client:
        tournament, (ada, *_), _ = await with_facts(client)
    async with connection(at(server, database=database.rpartition("/")[2])) as writer:
        await writer.execute("update personal.openings set value = '\"VS-1\"' where value like '%VS-%'::bytea")
    async with service(database) as client:
        assert (await shown(client, tournament, ada))[2] == [""]
