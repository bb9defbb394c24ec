"""Plans that change, and why what happened to entries happened: who, when, why, by which clause."""

from http import HTTPStatus
from typing import Any

import pytest

from tests.api.asking import Client, founded, problem
from tests.api.holding import act, announce, announced, done, enter, entered, opened, path, running
from tests.logged import happened

WHY = {"code": "hall-not-free", "words": "Pani Nováková has the key.", "clause": "SK.REG-4"}


async def history(client: Client, tournament: str, entrant: str) -> list[dict[str, Any]]:
    answer = await client.get(path(tournament, "entrants", entrant, "history"))
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()["items"]


def said(items: list[dict[str, Any]]) -> list[tuple[str, str | None, str | None]]:
    return [(one["what"], one["why"], one["clause"]) for one in items]


async def test_a_plan_is_changed_with_a_reason_after_a_look_at_what_would_change(client: Client) -> None:
    tournament = await opened(client, entry={"most": 2})
    await entered(client, tournament, "Ann", "Bob", "Cid")
    change = {"starts_on": "2099-11-28", "options": {"pairing.rounds": 6}, "entry": {"most": 3}, "reason": WHY}
    foreseen = await client.post(path(tournament, "change-plan"), json=change, params={"dry_run": True})
    assert foreseen.json()["changes"] == [
        "The day of the first round is 2099-11-28 instead of 2099-11-21.",
        "The end of entries is 2099-11-26T23:00:00Z instead of 2099-11-19T23:00:00Z.",
        "The number of places is 3 instead of 2.",
        "pairing.rounds is 6 instead of as by the rules.",
        "Coming in of those who wait: 1.",
    ]
    changed = await done(client, tournament, "change-plan", **change)
    assert (changed["starts_on"], changed["options"], changed["places"], changed["entrants"], changed["waiting"]) == (
        *("2099-11-28", {"pairing.rounds": 6}),
        *(3, 3, 0),
    )
    assert (await done(client, tournament, "change-plan", **change))["places"] == 3
    fewer = await act(client, tournament, "change-plan", entry={"most": 2}, reason=WHY)
    assert "3 have a place" in problem(fewer, HTTPStatus.CONFLICT, "bound-by-entries").detail
    log = await client.get(f"/v1/log/{tournament}")
    found = happened(log.content, "PlanChanged"), "hall-not-free" in log.text, "Nováková" in log.text
    assert found == (1, True, False)
    problem(await act(client, tournament, "change-plan", name="x"), HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")
    wrong = await act(
        client, tournament, "change-plan", options={"pairing.nonsense": 1}, entry={"kind": "team"}, reason=WHY
    )
    assert problem(wrong, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors[0].pointer == "/entry/kind"


async def test_the_calendar_lists_tournaments_by_what_they_are(client: Client) -> None:
    federation = await founded(client, "SSS")
    live, small, _ = [
        (await announce(client, federation, name=name, competition=kind, variant=variant, series=name.lower())).json()[
            "id"
        ]
        for name, kind, variant in (("A", "live", "classic"), ("B", "live", "m"), ("C", "written", "classic"))
    ]
    await client.post(path(live, "change-plan"), json={"variant": "m", "name": "D", "reason": WHY})
    shown = (await client.get(path(live))).json()
    assert (shown["competition"], shown["variant"], shown["duties"][0]["until"]) == ("live", "m", "2099-10-31")
    position = (await client.post(path(live, "open"))).headers["Roundlog-Position"]
    listed = await client.get(
        "/v1/tournaments",
        params={"federation": federation, "competition": "live", "variant": "m"},
        headers={"Roundlog-Min-Position": position},
    )
    assert [(one["id"], one["name"]) for one in listed.json()["items"]] == [(live, "D"), (small, "B")]
    of_series = await client.get("/v1/tournaments", params={"federation": federation, "series": "a"})
    assert [(one["id"], one["series"]) for one in of_series.json()["items"]] == [(live, "a")]
    refused = await announce(client, federation, competition="chess")
    assert "SK.REG-8" in problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "unknown-competition").detail


async def test_the_history_of_an_entry_says_who_when_why_and_by_which_clause(client: Client) -> None:
    tournament = await opened(client, entries_close="2020-01-01T00:00:00Z", reason=WHY)
    late = (await enter(client, tournament, "Ann", decision="excused", words="Her train was late.")).json()["id"]
    await done(client, tournament, "entrants", late, "withdraw", reason=WHY)
    items = await history(client, tournament, late)
    assert said(items) == [("entrant-entered", "excused", "SK.REG-2"), ("entry-withdrawn", "hall-not-free", "SK.REG-4")]
    assert [one["words"] for one in items] == ["Her train was late.", WHY["words"]]
    assert {one["by"] for one in items} == {"operator"}
    absent = (await enter(client, tournament, "Bob", decision="other")).json()["id"]
    await done(client, tournament, "open-check-in")
    await done(client, tournament, "entrants", absent, "strike-off")
    assert said(await history(client, tournament, absent))[-1] == ("entrant-struck-off", None, "SK.REG-4")
    log = (await client.get("/v1/log")).text
    assert all(word not in log for word in ("train", "Nováková"))


async def test_an_expulsion_has_a_reason_and_so_may_a_return(client: Client) -> None:
    tournament, (ann, *_) = await running(client, "Ann", "Bob", "Cid")
    without = await act(client, tournament, "entrants", ann, "expel", after_round=1)
    problem(without, HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")
    await done(
        client, tournament, "entrants", ann, "expel", after_round=1, reason={"code": "unsporting", "clause": "1.5"}
    )
    await done(client, tournament, "entrants", ann, "return", why="appeal", reason=WHY)
    assert said(await history(client, tournament, ann))[-2:] == [
        ("entrant-left", "unsporting", "1.5"),
        ("entrant-returned", "hall-not-free", "SK.REG-4"),
    ]


async def test_a_draft_changes_as_well(client: Client) -> None:
    tournament = await announced(client)
    changed = await done(client, tournament, "change-plan", first_round="10:30", entries_close=None, reason=WHY)
    assert changed["first_round_at"].startswith("2099-11-21T10:30")


@pytest.mark.rule("PQ.REG-20")
async def test_spectators_are_approved_beforehand_and_written_down(client: Client) -> None:
    tournament = await opened(client)
    for who in ("The parents of Mária Nováková", "Two teachers"):
        await done(client, tournament, "spectators", "approve", who=who)
    shown = (await client.get(path(tournament, "spectators"))).json()["items"]
    assert [one["who"] for one in shown] == ["The parents of Mária Nováková", "Two teachers"]
    log = await client.get("/v1/log")
    assert (happened(log.content, "SpectatorApproved"), "Nováková" in log.text) == (2, False)
    again = await act(client, tournament, "spectators", "approve", under="k", who="The mayor")
    assert (await act(client, tournament, "spectators", "approve", under="k", who="The mayor")).json() == again.json()
    await done(client, tournament, "cancel")
    refused = await act(client, tournament, "spectators", "approve", who="Too late")
    problem(refused, HTTPStatus.CONFLICT, "not-now")
