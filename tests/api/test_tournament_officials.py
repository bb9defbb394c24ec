"""Who acts for one tournament: appointed for it alone, besides the officials of its federation."""

from http import HTTPStatus

import httpx

from tests.api.asking import Client, issuer, problem
from tests.api.holding import act, announced, path
from tests.api.signing import signed_by


async def appoint(client: Client, tournament: str, subject: str, role: str, *, by: str = "operator") -> httpx.Response:
    return await act(client, tournament, "officials", by=by, subject=subject, role=role)


def officials(answer: httpx.Response) -> list[tuple[str, str]]:
    assert answer.status_code == HTTPStatus.OK, answer.text
    return [(official["subject"], official["role"]) for official in answer.json()["officials"]]


async def test_a_federations_director_appoints_for_one_tournament(client: Client) -> None:
    tournament, another = await announced(client), await announced(client)
    assert officials(await appoint(client, tournament, "sue", "scorer")) == [("sue", "scorer")]
    assert officials(await client.get(path(tournament, "officials"))) == [("sue", "scorer")]
    as_sue = signed_by(issuer().token("sue"))
    assert (await client.get(path(tournament, "officials"), headers=as_sue)).status_code == HTTPStatus.OK
    refused = await client.get(path(another, "officials"), headers=as_sue)
    problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")


async def test_a_tournaments_director_appoints_there_and_nobody_else_does(client: Client) -> None:
    tournament = await announced(client)
    problem(await appoint(client, tournament, "sue", "scorer", by="dora"), HTTPStatus.FORBIDDEN, "not-permitted")
    await appoint(client, tournament, "dora", "director")
    named = [("dora", "director"), ("sue", "scorer")]
    assert officials(await appoint(client, tournament, "sue", "scorer", by="dora")) == named
    problem(await appoint(client, tournament, "bob", "scorer", by="sue"), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_the_last_director_of_a_tournament_may_go_since_the_federation_has_others(client: Client) -> None:
    tournament = await announced(client)
    await appoint(client, tournament, "dora", "director")
    foreseen = await client.post(
        path(tournament, "officials", "dismiss"),
        json={"subject": "dora", "role": "director"},
        params={"dry_run": True},
    )
    assert foreseen.json()["changes"] == ["dora is no longer director here."]
    assert officials(await act(client, tournament, "officials", "dismiss", subject="dora", role="director")) == []
    refused = await act(client, tournament, "officials", "dismiss", subject="dora", role="director")
    problem(refused, HTTPStatus.NOT_FOUND, "not-an-official")


async def test_a_tournament_that_nobody_announced_has_no_officials(client: Client) -> None:
    problem(await appoint(client, "nothing", "sue", "scorer"), HTTPStatus.FORBIDDEN, "not-permitted")
