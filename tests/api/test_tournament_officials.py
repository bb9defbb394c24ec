"""Who acts for one tournament: appointed for it alone, besides the officials of its federation."""

import asyncio
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from shared.rulesets import catalogue
from tests.api.asking import Client, issuer, problem
from tests.api.holding import act, announced, done, path, running
from tests.api.signing import signed_by
from tests.patience import PATIENCE


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


@pytest.mark.rule("OT.X-1")
async def test_where_only_the_director_punishes_nobody_else_expels_or_lets_somebody_return(client: Client) -> None:
    """As in Othello, whose own conditions of entry do not matter here."""
    assert catalogue.load("othello-pl-2021").results.penalties_by == "director"
    rules = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
    rules["results"] |= {"penalties_by": "director", "rule_ids": {"penalties": "OT.X-1"}}
    tournament, (ada, ben, *_) = await running(client, *"ABCDEFGHI", ruleset=rules)
    for subject, role in (("art", "arbiter"), ("dora", "director")):
        assert (await appoint(client, tournament, subject, role)).is_success
    reason = {"code": "unsporting", "words": "Notes under the table."}
    expulsion: dict[str, Any] = {"after_round": 1, "reason": reason}

    async def may(by: str, name: str, entrant: str) -> bool:
        headers = signed_by(issuer().token(by))
        shown = (await client.get(path(tournament, "entrants", entrant), headers=headers)).json()
        return shown["allowed_actions"][name]["allowed"]

    async with asyncio.timeout(PATIENCE):  # what is looked at follows what has happened
        while not (await may("dora", "expelEntrant", ada) and await may("art", "withdrawEntrant", ada)):
            await asyncio.sleep(0.02)
    assert not await may("art", "expelEntrant", ada)
    refused = await act(client, tournament, "entrants", ada, "expel", by="art", **expulsion)
    assert "(OT.X-1)" in problem(refused, HTTPStatus.FORBIDDEN, "only-the-director").detail
    await done(client, tournament, "entrants", ada, "expel", by="dora", **expulsion)
    assert (await may("art", "returnEntrant", ada), await may("dora", "returnEntrant", ada)) == (False, True)
    back = await act(client, tournament, "entrants", ada, "return", by="art", why="mistake")
    problem(back, HTTPStatus.FORBIDDEN, "only-the-director")
    await done(client, tournament, "entrants", ben, "withdraw", by="art", after_round=1)
    await done(client, tournament, "entrants", ben, "return", by="art", why="mistake")
    assert (await done(client, tournament, "entrants", ada, "return", by="dora", why="mistake"))["status"] == "playing"


async def test_elsewhere_an_arbiter_expels(client: Client) -> None:
    tournament, (ada, *_) = await running(client, *"ABCDEFGHI")
    assert (await appoint(client, tournament, "art", "arbiter")).is_success
    reason = {"code": "unsporting"}
    await done(client, tournament, "entrants", ada, "expel", by="art", after_round=1, reason=reason)
    await done(client, tournament, "entrants", ada, "return", by="art", why="mistake")
