"""At registration: links that open the desk of a scorer, who makes them, and what becomes of them."""

from http import HTTPStatus
from pathlib import Path

from shared.checkpoints.beside import BesideCheck
from tests.api.asking import Client, issuer, pointers, problem, service
from tests.api.holding import entered, opened, path
from tests.api.signing import signed_by

PAGE = "https://play.example.org/desk"
OWN_DIRECTOR = {"subject": "dora", "role": "director"}


def after(position: str, token: str) -> dict[str, str]:
    return signed_by(token) | {"Roundlog-Min-Position": position}


async def test_a_link_makes_a_scorer_of_one_tournament_until_it_is_revoked(database: str, tmp_path: Path) -> None:
    async with service(database, captain_key=str(tmp_path / "key"), captain_page=PAGE) as client:
        tournament, other = await opened(client), await opened(client)
        where, key = path(tournament, "scorer-links"), {"Idempotency-Key": "two"}
        issued = await client.post(where, json={"count": 2, "hours": 8}, headers=key)
        assert issued.status_code == HTTPStatus.OK, issued.text
        first, second = issued.json()["items"]
        assert (first["number"], second["number"]) == (1, 2)
        assert first["link"] == f"{PAGE}#token={first['token']}"
        assert (await client.post(where, json={"count": 2, "hours": 8}, headers=key)).json() == issued.json()

        as_scorer = after(issued.headers["Roundlog-Position"], first["token"])
        me = (await client.get("/v1/me", headers=as_scorer)).json()
        assert (me["subject"], me["captain"], me["is_operator"]) == (f"scorer:{tournament}:1", None, False)
        assert [(one["scope"], one["role"]) for one in me["offices"]] == [(tournament, "scorer")]
        assert (await client.get(path(tournament, "attendance"), headers=as_scorer)).status_code == HTTPStatus.OK
        refused = await client.get(path(other, "attendance"), headers=as_scorer)
        problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")

        revoked = await client.post(f"{where}/1/revoke")
        assert [(one["number"], one["status"]) for one in revoked.json()["items"]] == [(2, "good"), (1, "revoked")]
        position = revoked.headers["Roundlog-Position"]
        gone = await client.get("/v1/me", headers=after(position, first["token"]))
        problem(gone, HTTPStatus.UNAUTHORIZED, "unauthenticated")
        assert (await client.get("/v1/me", headers=after(position, second["token"]))).status_code == HTTPStatus.OK
        problem(
            await client.post(where, json={"count": 2, "hours": 8}, headers=key), HTTPStatus.CONFLICT, "dismissed-since"
        )
        problem(await client.post(f"{where}/3/revoke"), HTTPStatus.NOT_FOUND, "link-unknown")
        log = (await client.get("/v1/log")).text
        assert first["token"] not in log
        check = BesideCheck(database, service="registration")
        async with check.running():
            assert await check.difference() is None


async def test_a_link_hands_nothing_on_and_is_nobodys_account(database: str, tmp_path: Path) -> None:
    async with service(database, captain_key=str(tmp_path / "key")) as client:
        tournament = await opened(client)
        (entrant,) = await entered(client, tournament, "Ann")
        issued = await client.post(path(tournament, "scorer-links"))
        (link,) = issued.json()["items"]
        assert link["link"] is None
        as_scorer = after(issued.headers["Roundlog-Position"], link["token"])
        for refused in (
            await client.post(path(tournament, "scorer-links"), headers=as_scorer),
            await client.get(path(tournament, "scorer-links"), headers=as_scorer),
            await client.post(path(tournament, "captain-tokens"), headers=as_scorer),
            await client.post(path(tournament, "entrants", entrant["id"], "captain", "token"), headers=as_scorer),
            await client.post(path(tournament, "entrants"), json={"person": "me"}, headers=as_scorer),
        ):
            problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")
        shown = (await client.get(path(tournament), headers=as_scorer)).json()["allowed_actions"]
        assert not shown["issueCaptainTokens"]["allowed"]
        assert "link" in shown["issueCaptainTokens"]["reason"]


async def test_a_link_ends_with_the_office_of_who_has_made_it(database: str, tmp_path: Path) -> None:
    async with service(database, captain_key=str(tmp_path / "key")) as client:
        tournament = await opened(client)
        await client.post(path(tournament, "officials"), json=OWN_DIRECTOR)
        issued = await client.post(path(tournament, "scorer-links"), headers=signed_by(issuer().token("dora")))
        assert issued.json()["issued_in"] == tournament
        (link,) = issued.json()["items"]
        dismissed = await client.post(path(tournament, "officials", "dismiss"), json=OWN_DIRECTOR)
        gone = await client.get("/v1/me", headers=after(dismissed.headers["Roundlog-Position"], link["token"]))
        problem(gone, HTTPStatus.UNAUTHORIZED, "unauthenticated")
        (listed,) = (await client.get(path(tournament, "scorer-links"))).json()["items"]
        assert (listed["status"], listed["issued_by"]) == ("void", "dora")


async def test_links_are_made_by_directors_and_not_for_longer_than_a_day_of_play(client: Client) -> None:
    tournament = await opened(client)
    where = path(tournament, "scorer-links")
    problem(
        await client.post(where, headers=signed_by(issuer().token("stranger"))), HTTPStatus.FORBIDDEN, "not-permitted"
    )
    for wrong, pointer in (({"hours": 13}, "/hours"), ({"count": 0}, "/count"), ({"page": f"{PAGE}#here"}, "/page")):
        assert pointers(await client.post(where, json=wrong)) == [pointer]
    forged = signed_by(issuer().token(f"scorer:{tournament}:1"))
    problem(await client.get("/v1/me", headers=forged), HTTPStatus.UNAUTHORIZED, "unauthenticated")
