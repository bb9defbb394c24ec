"""The log as auditors read it: how far it goes, who acted in which role, and what neighbours were told, byte for byte."""

from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec

from shared.values import Value
from tests.api.asking import Client, founded, issuer, problem, service
from tests.api.holding import act, announce, done, entered, path
from tests.api.signing import OPERATOR, signed_by
from tests.logged import head_of, records_of

AUDITOR = "e83b51f2"
PLAYER = "c41f7a90"
DIRECTOR = "7be2d013"


async def log_of(client: Client, scope: str = "", **query: int) -> bytes:
    answer = await client.get(f"/v1/log/{scope}" if scope else "/v1/log", params=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.content


async def records(client: Client, scope: str) -> list[dict[str, Any]]:
    return records_of(await log_of(client, scope))


def who_did(records: list[dict[str, Any]], what: str) -> list[tuple[str, str, str]]:
    return [(one["actor"], one["role"], one["operation"]) for one in records if one["type"] == what]


async def test_every_record_says_in_which_role_and_by_which_operation(database: str, tmp_path: Path) -> None:
    async with service(database, captain_key=str(tmp_path / "key")) as client:
        federation = await founded(client, "Slovak Scrabble Association")
        by_operator = await records(client, federation)
        assert who_did(by_operator, "FederationFounded") == [(OPERATOR, "operator", "foundFederation")]
        where = f"/v1/federations/{federation}/officials"
        await client.post(where, json={"subject": DIRECTOR, "role": "director"})
        tournament = (await announce(client, federation)).json()["id"]
        await done(client, tournament, "open")
        entrant, other = await entered(client, tournament, "Ann", "Bea")
        theirs = path(tournament, "entrants", other["id"])
        token = (await client.post(f"{theirs}/captain/token")).json()["token"]
        captain = await client.post(f"{theirs}/withdraw", json={}, headers=signed_by(token))
        assert captain.status_code == HTTPStatus.OK, captain.text
        await client.post(path(tournament, "officials"), json={"subject": "5d20aa18", "role": "coordinator"})
        left = await act(client, tournament, "entrants", entrant["id"], "withdraw", by="5d20aa18")
        assert left.status_code == HTTPStatus.OK, left.text
        mine = signed_by(issuer().token(PLAYER))
        person = await client.post(f"/v1/federations/{federation}/me", json={"name": "Ada Nová"}, headers=mine)
        own = await client.post(path(tournament, "entrants"), json={"person": person.json()["person"]}, headers=mine)
        assert own.status_code == HTTPStatus.CREATED, own.text
        theirs = path(tournament, "entrants", own.json()["id"], "withdraw")
        assert (await client.post(theirs, json={}, headers=mine)).status_code == HTTPStatus.OK
        happened = await records(client, tournament)
        assert who_did(happened, "TournamentAnnounced") == [(OPERATOR, "director", "announceTournament")]
        assert who_did(happened, "EntrantEntered") == [
            *[(OPERATOR, "director", "importEntrants")] * 2,
            (PLAYER, "account", "enterTournament"),
        ]
        assert who_did(happened, "EntryWithdrawn") == [
            (f"captain:{other['id']}:1:1", "captain", "withdrawEntrant"),
            ("5d20aa18", "coordinator", "withdrawEntrant"),
            (PLAYER, "entrant", "withdrawEntrant"),
        ]
        assert all(one["role"] and one["operation"] for one in happened)
        history = await client.get(path(tournament, "entrants", entrant["id"], "history"))
        steps = [(one["what"], one["role"], one["operation"]) for one in history.json()["items"]]
        assert steps[-1] == ("entry-withdrawn", "coordinator", "withdrawEntrant")


class Line(Value):
    position: int
    public: int | None
    record: msgspec.Raw
    message: msgspec.Raw


async def test_messages_come_byte_for_byte_beside_records_behind_the_head(client: Client) -> None:
    federation = await founded(client, "Slovak Scrabble Association")
    tournament = (await announce(client, federation)).json()["id"]
    await done(client, tournament, "open")
    log = await log_of(client, tournament)
    head = head_of(log)
    assert set(head) == {"log", "position", "public"}
    lines = [msgspec.json.decode(line, type=Line) for line in log.splitlines()[1:]]
    said = {msgspec.json.decode(bytes(line.record))["public"]: bytes(line.message) for line in lines}
    assert said.pop(None, b"null") == b"null", "an event of which nobody is told"
    assert said
    assert all(sha256(message).hexdigest() == digest for digest, message in said.items())
    assert max(line.position for line in lines) <= head["position"]
    await founded(client, "Another one")
    later = head_of(await log_of(client, tournament))
    assert (later["log"], later["position"] > head["position"], later["public"] > head["public"]) == (
        head["log"],
        True,
        True,
    ), "the size of the whole log, at which this scope was read"
    nothing = await log_of(client, after=later["position"])
    assert len(nothing.splitlines()) == 1


async def test_auditors_of_a_federation_read_what_happened_to_its_persons(client: Client) -> None:
    here, there = await founded(client, "Slovak Scrabble Association"), await founded(client, "Czech Go Association")
    await client.post(f"/v1/federations/{here}/officials", json={"subject": AUDITOR, "role": "auditor"})
    own = (await client.post("/v1/persons", json={"federation": here, "name": "Ada Nová"})).json()["id"]
    other = (await client.post("/v1/persons", json={"federation": there, "name": "Bea Stará"})).json()["id"]
    as_auditor = signed_by(issuer().token(AUDITOR))
    read = await client.get(f"/v1/log/{own}", headers=as_auditor)
    assert read.status_code == HTTPStatus.OK, read.text
    assert [one["type"] for one in records_of(read.content)] == ["PersonRegistered"]
    for scope in (other, "019aa4c2-0000-7e02-b9c4-1f5d7a60e833"):
        refused = await client.get(f"/v1/log/{scope}", headers=as_auditor)
        problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")
    live = await client.get(f"/v1/live/{other}", headers=as_auditor)
    problem(live, HTTPStatus.FORBIDDEN, "not-permitted")
