"""The log as auditors read it: who acted, in which role and by which operation."""

import json
from http import HTTPStatus
from pathlib import Path
from typing import Any

from tests.api.asking import Client, founded, issuer, service
from tests.api.holding import act, announce, done, entered, path
from tests.api.signing import OPERATOR, signed_by

PLAYER = "c41f7a90"
DIRECTOR = "7be2d013"


async def records(client: Client, scope: str = "") -> list[dict[str, Any]]:
    answer = await client.get(f"/v1/log/{scope}" if scope else "/v1/log")
    assert answer.status_code == HTTPStatus.OK, answer.text
    return [line["record"] for line in map(json.loads, answer.text.splitlines()) if "record" in line]


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
