"""At registration: who is given a token for an entrant, and what becomes of it."""

from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from zoneinfo import ZoneInfo

from tests.api.asking import Client, issuer, pointers, problem, service
from tests.api.holding import announced, entered, opened, path, running
from tests.api.signing import signed_by
from tests.logged import happened
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


PAGE = "https://play.example.org/captain"


async def test_a_whole_field_gets_its_tokens_in_one_act(database: str, tmp_path: Path) -> None:
    async with service(database, captain_key=str(tmp_path / "key")) as client:
        tournament, (ada, bea, cyd) = await running(client, "Ada", "Bea & <b>", "Cyd")
        where = path(tournament, "captain-tokens")
        key = {"Idempotency-Key": "all"}
        issued = await client.post(where, json={"page": PAGE}, headers=key)
        assert issued.status_code == HTTPStatus.OK, issued.text
        items = issued.json()["items"]
        assert [(one["entrant"], one["number"], one["name"]) for one in items] == [
            (ada, 1, "Ada"),
            (bea, 2, "Bea & <b>"),
            (cyd, 3, "Cyd"),
        ]
        assert all(one["link"] == f"{PAGE}#token={one['token']}" for one in items)
        after_it = {"Roundlog-Min-Position": issued.headers["Roundlog-Position"]}
        for one in items:
            as_captain = signed_by(one["token"]) | after_it
            me = (await client.get("/v1/me", headers=as_captain)).json()
            assert me["captain"] == {"tournament": tournament, "entrant": one["entrant"]}
        again = await client.post(where, json={"page": PAGE}, headers=key)
        assert again.json() == issued.json()
        (second,) = (await client.post(where, json={"entrants": ["number:2"]})).json()["items"]
        assert (second["entrant"], second["serial"], second["link"]) == (bea, 2, None)
        sheet = await client.post(where, json={"page": PAGE}, params={"format": "page"})
        assert sheet.headers["Cache-Control"] == "no-store"
        assert (sheet.text.count("<svg"), sheet.text.count("<section>")) == (3, 3)
        assert "2. Bea &amp; &lt;b&gt;" in sheet.text
        _, _, said = sheet.text.partition("good until ")
        until = datetime.strptime(said[:16], "%Y-%m-%d %H:%M").replace(tzinfo=ZoneInfo("Europe/Bratislava"))
        assert abs(until - datetime.fromisoformat(issued.json()["expires_at"])) < timedelta(minutes=5)
        player = (await client.get(path(tournament, "entrants", ada))).json()["persons"][0]["id"]
        assert (await client.delete(f"/v1/persons/{player}")).status_code == HTTPStatus.OK
        erased = (await client.post(where, json={"page": PAGE}, params={"format": "page"})).text
        assert "<h2>No. 1</h2>" in erased
        assert ada not in erased
        file = await client.post(where, json={"page": PAGE}, params={"format": "csv"})
        assert len(file.text.splitlines()) == 1 + len(items)
        tokens = [one["token"] for one in items]
        log = (await client.get("/v1/log")).text
        assert not any(token in log for token in tokens)


async def test_tokens_are_answered_again_under_their_key_also_when_one_is_gone_since(
    database: str, tmp_path: Path
) -> None:
    async with service(database, captain_key=str(tmp_path / "key")) as client:
        tournament, (ada, bea) = await running(client, "Ada", "Bea")
        where, both, key = path(tournament, "captain-tokens"), {"entrants": [ada, bea]}, {"Idempotency-Key": "both"}
        first = await client.post(where, json=both, headers=key)
        left = await client.post(path(tournament, "entrants", bea, "withdraw"), json={"reason": {"code": "ill"}})
        assert left.is_success, left.text
        again = await client.post(where, json=both, headers=key)
        assert again.status_code == HTTPStatus.OK, again.text
        tokens = [[one["token"] for one in answer.json()["items"]] for answer in (first, again)]
        assert tokens[0] == tokens[1]
        problem(await client.post(where, json=both), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")


async def test_what_is_wrong_with_tokens_for_a_field_is_named_and_issues_none(database: str, tmp_path: Path) -> None:
    async with service(database, captain_key=str(tmp_path / "key"), captain_page=PAGE) as client:
        tournament = await opened(client)
        where = path(tournament, "captain-tokens")
        problem(await client.post(where), HTTPStatus.CONFLICT, "nobody-takes-part")
        ada, bea = [one["id"] for one in await entered(client, tournament, "Ada", "Bea")]
        await client.post(path(tournament, "entrants", bea, "withdraw"), json={})
        wrong = await client.post(where, json={"entrants": [ada, bea, "number:1", "nobody"]})
        problem(wrong, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        assert [fault["pointer"] for fault in wrong.json()["errors"]] == ["/entrants/1", "/entrants/2", "/entrants/3"]
        for page in ("ftp://x.org", f"{PAGE}#here", "https://ann:secret@x.org/"):
            assert pointers(await client.post(where, json={"page": page})) == ["/page"]
        assert pointers(await client.post(where, params={"format": "pdf"})) == ["/query/format"]
        as_stranger = signed_by(issuer().token("stranger"))
        problem(await client.post(where, headers=as_stranger), HTTPStatus.FORBIDDEN, "not-permitted")
        assert not happened((await client.get("/v1/log")).content, "CaptainTokenIssued")
        (issued,) = (await client.post(where)).json()["items"]
        assert issued["link"].startswith(f"{PAGE}#token=")
