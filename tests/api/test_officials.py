"""Who acts for a federation: appointed by its directors, known everywhere, dismissed with care."""

from http import HTTPStatus

import httpx

from tests.api.asking import FEDERATIONS, Client, founded, issuer, problem, rename, service
from tests.api.signing import signed_by

type Office = tuple[str, str]


async def appoint(client: Client, federation: str, subject: str, role: str, *, by: str = "operator") -> httpx.Response:
    headers = signed_by(issuer().token(by))
    body = {"subject": subject, "role": role}
    return await client.post(f"{FEDERATIONS}/{federation}/officials", json=body, headers=headers)


async def dismiss(
    client: Client, federation: str, subject: str, role: str, *, by: str = "operator", dry_run: bool = False
) -> httpx.Response:
    return await client.post(
        f"{FEDERATIONS}/{federation}/officials/dismiss",
        json={"subject": subject, "role": role},
        headers=signed_by(issuer().token(by)),
        params={"dry_run": dry_run},
    )


def offices(response: httpx.Response) -> list[Office]:
    assert response.status_code == HTTPStatus.OK, response.text
    return [(office["subject"], office["role"]) for office in response.json()["officials"]]


async def test_who_founds_directs_and_appoints_others(client: Client) -> None:
    federation = await founded(client, "Go")
    assert offices(await appoint(client, federation, "ann", "arbiter")) == [
        ("operator", "director"),
        ("ann", "arbiter"),
    ]
    assert offices(await client.get(f"{FEDERATIONS}/{federation}/officials")) == [
        ("operator", "director"),
        ("ann", "arbiter"),
    ]


async def test_appointing_twice_is_once(client: Client) -> None:
    federation = await founded(client, "Go")
    first = await appoint(client, federation, "ann", "arbiter")
    again = await appoint(client, federation, "ann", "arbiter")
    assert offices(again) == offices(first)
    assert again.headers["ETag"] == first.headers["ETag"]


async def test_a_named_director_takes_over_from_the_operator(client: Client) -> None:
    answer = await client.post(FEDERATIONS, json={"name": "Go", "director": "dora"})
    federation = answer.json()["id"]
    refused = await appoint(client, federation, "ann", "arbiter", by="operator")
    problem(refused, HTTPStatus.FORBIDDEN, "only-the-first-director")
    assert offices(await appoint(client, federation, "ann", "arbiter", by="dora"))[-1] == ("ann", "arbiter")


async def test_who_is_no_director_appoints_nobody(client: Client) -> None:
    federation = await founded(client, "Go")
    await appoint(client, federation, "ann", "arbiter")
    for somebody in ("ann", "stranger"):
        problem(await appoint(client, federation, "bob", "scorer", by=somebody), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_a_director_of_one_federation_is_nobody_in_another(client: Client) -> None:
    here, there = await founded(client, "Go"), await founded(client, "Othello")
    await appoint(client, here, "dora", "director")
    assert (await appoint(client, here, "ann", "arbiter", by="dora")).status_code == HTTPStatus.OK
    problem(await appoint(client, there, "ann", "arbiter", by="dora"), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_a_role_begins_and_ends_with_its_appointment(client: Client) -> None:
    federation = await founded(client, "Go")
    as_cora = signed_by(issuer().token("cora"))
    path, body = f"{FEDERATIONS}/{federation}/rename", {"name": "Weiqi"}
    problem(await client.post(path, json=body, headers=as_cora), HTTPStatus.FORBIDDEN, "not-permitted")
    await appoint(client, federation, "cora", "council")
    assert (await client.post(path, json=body, headers=as_cora)).status_code == HTTPStatus.OK
    dismissed = await dismiss(client, federation, "cora", "council")
    after_it = as_cora | {"Roundlog-Min-Position": dismissed.headers["Roundlog-Position"]}
    problem(await client.post(path, json={"name": "Baduk"}, headers=after_it), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_the_last_director_stays(client: Client) -> None:
    federation = await founded(client, "Go")
    problem(await dismiss(client, federation, "operator", "director"), HTTPStatus.CONFLICT, "last-director")
    await appoint(client, federation, "dora", "director")
    assert offices(await dismiss(client, federation, "operator", "director")) == [("dora", "director")]


async def test_who_is_none_cannot_be_dismissed(client: Client) -> None:
    federation = await founded(client, "Go")
    problem(await dismiss(client, federation, "nobody", "scorer"), HTTPStatus.NOT_FOUND, "not-an-official")


async def test_a_dry_run_says_what_would_be_lost_and_changes_nothing(client: Client) -> None:
    federation = await founded(client, "Go")
    await appoint(client, federation, "dora", "director")
    foreseen = await dismiss(client, federation, "dora", "director", dry_run=True)
    assert foreseen.json() == {
        "changes": ["dora is no longer director."],
        "lost": [
            "dora: renameFederation",
            "dora: appointOfficial",
            "dora: dismissOfficial",
            "All tokens of captains that dora has issued as director are void at once.",
        ],
    }
    assert ("dora", "director") in offices(await client.get(f"{FEDERATIONS}/{federation}/officials"))
    problem(
        await dismiss(client, federation, "nobody", "scorer", dry_run=True), HTTPStatus.NOT_FOUND, "not-an-official"
    )


async def test_an_unknown_federation_has_no_officials(client: Client) -> None:
    problem(await appoint(client, "nobody", "ann", "director"), HTTPStatus.NOT_FOUND, "federation-unknown")
    problem(await client.get(f"{FEDERATIONS}/nobody/officials"), HTTPStatus.NOT_FOUND, "federation-unknown")


async def test_writing_over_what_somebody_else_has_changed_is_refused(client: Client) -> None:
    federation = await founded(client, "Go")
    path, seen = f"{FEDERATIONS}/{federation}/rename", {"If-Match": '"1"'}
    assert (await client.post(path, json={"name": "Weiqi"}, headers=seen)).status_code == HTTPStatus.OK
    problem(
        await client.post(path, json={"name": "Baduk"}, headers=seen), HTTPStatus.PRECONDITION_FAILED, "changed-since"
    )
    assert (await client.get(f"{FEDERATIONS}/{federation}")).json()["name"] == "Weiqi"


async def test_the_log_shows_operators_everything_and_officials_their_own(new_client: Client) -> None:
    here, there = await founded(new_client, "Go"), await founded(new_client, "Othello")
    await appoint(new_client, here, "otto", "auditor")
    as_otto = signed_by(issuer().token("otto"))
    everything = (await new_client.get("/v1/log")).text.splitlines()
    own = await new_client.get(f"/v1/log/{here}", headers=as_otto)
    assert own.headers["Content-Type"].startswith("application/x-ndjson")
    head, *lines = everything
    assert own.text.splitlines() == [head, *(line for line in lines if f'"scope":"{here}"' in line)]
    assert len(lines) == 5
    assert (await new_client.get("/v1/log", params={"after": 4})).text.splitlines() == [head, *lines[4:]]
    problem(await new_client.get(f"/v1/log/{there}", headers=as_otto), HTTPStatus.FORBIDDEN, "not-permitted")
    problem(await new_client.get("/v1/log", headers=as_otto), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_nobody_acts_without_a_token(database: str) -> None:
    async with service(database, signed_in=False) as stranger:
        refused = await stranger.post(FEDERATIONS, json={"name": "Go"})
        problem(refused, HTTPStatus.UNAUTHORIZED, "unauthenticated")
        assert refused.headers["WWW-Authenticate"].startswith("Bearer")
        assert (await stranger.get(FEDERATIONS)).status_code == HTTPStatus.OK
        problem(await rename(stranger, "any", "Go"), HTTPStatus.UNAUTHORIZED, "unauthenticated")
