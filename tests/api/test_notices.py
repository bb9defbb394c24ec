"""Notices of the organiser, as players read them."""

from http import HTTPStatus
from typing import Any

import pytest

from tests.api.asking import Client, issuer, pointers, problem
from tests.api.holding import act, announced, done, opened, path
from tests.api.signing import signed_by


async def seen(client: Client, tournament: str, **query: Any) -> dict[str, Any]:
    answer = await client.get(path(tournament, "notices"), params=query, headers={"Authorization": ""})
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


@pytest.mark.rule("SK.REG-17")
async def test_everybody_reads_what_the_organiser_has_told_in_order_and_with_its_time(client: Client) -> None:
    tournament = await opened(client)
    for words in ("Lunch is at 12:30.", "Pani Nováková has found a purse.", "Round 3 begins at 13:15."):
        await done(client, tournament, "notices", words=words)
    found = await seen(client, tournament)
    assert [(one["number"], one["words"]) for one in found["items"]] == [
        (1, "Lunch is at 12:30."),
        (2, "Pani Nováková has found a purse."),
        (3, "Round 3 begins at 13:15."),
    ]
    times = [one["at"] for one in found["items"]]
    assert times == sorted(times)
    first = await seen(client, tournament, limit=2)
    assert [one["number"] for one in (await seen(client, tournament, after=first["next"]))["items"]] == [3]
    assert "Nováková" not in (await client.get("/v1/log")).text


@pytest.mark.rule("SK.REG-17")
async def test_a_notice_is_posted_once_and_recalled_before_everybodys_eyes(client: Client) -> None:
    tournament = await opened(client)
    one = [await act(client, tournament, "notices", under="k-1", words="Round 3 at 13:15.") for _ in range(2)]
    assert [(answer.status_code, answer.json()["words"]) for answer in one] == [
        (HTTPStatus.CREATED, "Round 3 at 13:15.")
    ] * 2
    notice = one[0].json()["id"]
    for _ in range(2):
        recalled = await done(client, tournament, "notices", notice, "recall")
        assert (recalled["words"], recalled["recalled"] is None) == (None, False)
    await done(client, tournament, "notices", words="Round 3 at 13:30.")
    shown = (await seen(client, tournament))["items"]
    assert [(one["number"], one["words"]) for one in shown] == [(1, None), (2, "Round 3 at 13:30.")]
    nothing = await act(client, tournament, "notices", "nowhere", "recall")
    problem(nothing, HTTPStatus.NOT_FOUND, "notice-unknown")


async def test_who_may_tell_and_what_is_no_notice(client: Client) -> None:
    tournament = await opened(client)
    problem(await act(client, tournament, "notices", by="stranger", words="Hi"), HTTPStatus.FORBIDDEN, "not-permitted")
    for nothing in ("", "  \n", "x" * 2_001):
        assert pointers(await act(client, tournament, "notices", words=nothing)) == ["/words"]
    problem(await act(client, "nowhere", "notices", words="Hi"), HTTPStatus.FORBIDDEN, "not-permitted")
    draft = await announced(client)
    await done(client, draft, "notices", words="Come early.")
    hidden = await client.get(path(draft, "notices"), headers=signed_by(issuer().token("stranger")))
    problem(hidden, HTTPStatus.NOT_FOUND, "tournament-unknown")
