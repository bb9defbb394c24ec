"""At registration: who is given a token for an entrant, and what becomes of it."""

from http import HTTPStatus
from pathlib import Path

from tests.api.asking import Client, issuer, problem, service
from tests.api.holding import announced, entered, opened, path
from tests.api.signing import signed_by
from tests.patience import AT_ONCE


async def test_an_official_hands_a_token_to_an_entrant(database: str, tmp_path: Path) -> None:
    async with service(database, captain_key=str(tmp_path / "key")) as client:
        tournament = await opened(client)
        (entrant,) = await entered(client, tournament, "Ann")
        where = path(tournament, "entrants", entrant["id"], "captain")
        issued = await client.post(f"{where}/token")
        assert issued.status_code == HTTPStatus.OK, issued.text
        assert issued.json()["subject"] == f"captain:{entrant['id']}:1:1"
        after_it = {"Roundlog-Min-Position": issued.headers["Roundlog-Position"]}
        as_captain = signed_by(issued.json()["token"]) | after_it
        seen = await client.get(path(tournament), headers=as_captain)
        assert seen.status_code == HTTPStatus.OK
        refused = await client.post(f"{where}/dismiss", headers=as_captain)
        problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")
        dismissed = await client.post(f"{where}/dismiss")
        after_it = {"Roundlog-Min-Position": dismissed.headers["Roundlog-Position"]}
        refused = await client.get(path(tournament), headers=as_captain | after_it)
        problem(refused, HTTPStatus.UNAUTHORIZED, "unauthenticated")


async def test_who_has_not_entered_gets_no_token(database: str, tmp_path: Path) -> None:
    async with service(database, captain_key=str(tmp_path / "key")) as client:
        tournament = await announced(client)
        refused = await client.post(path(tournament, "entrants", "nobody", "captain", "token"))
        problem(refused, HTTPStatus.NOT_FOUND, "entrant-unknown")


async def test_a_stranger_gets_no_token(database: str, tmp_path: Path) -> None:
    async with service(database, captain_key=str(tmp_path / "key")) as client:
        tournament = await opened(client)
        (entrant,) = await entered(client, tournament, "Ann")
        where = path(tournament, "entrants", entrant["id"], "captain", "token")
        refused = await client.post(where, headers=signed_by(issuer().token("stranger")))
        problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")


async def test_without_a_key_nobody_gets_a_token(client: Client) -> None:
    tournament = await opened(client)
    (entrant,) = await entered(client, tournament, "Ann")
    refused = await client.post(path(tournament, "entrants", entrant["id"], "captain", "token"), extensions=AT_ONCE)
    problem(refused, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
