"""What an announcement sets besides the rules: the times of play, and when players check in."""

from http import HTTPStatus
from typing import Any

import pytest

from tests.api.asking import Client, founded, problem
from tests.api.holding import act, announce, announced, done, path

ONLINE = {
    "ruleset": "scrabble-sk-2022-online",
    "first_round": "18:00",
    "entry": {"fees": [{"amount": 5, "currency": "EUR"}], "channels": ["https://chat.example.org/cup"]},
}


@pytest.mark.rule("SK.REG-16")
async def test_online_times_are_announced_shown_and_changed(client: Client) -> None:
    tournament = await announced(client, **ONLINE, options={"results.latest_start": 10})
    shown = (await client.get(path(tournament))).json()
    (stage,) = shown["times"]
    assert (stage["stage"], stage["times"][2]) == (
        "swiss",
        "Who is not there 10 minutes after the start of the round has lost.",
    )
    assert "waiting-time" in [duty["what"] for duty in shown["duties"]]
    why = {"code": "server-slow"}
    change: dict[str, Any] = {"options": {"results.minutes": 30}, "reason": why}
    short = problem(await act(client, tournament, "change-plan", **change), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    assert short.errors[0].pointer == "/options/results.limit"
    change["options"]["results.limit"] = 75
    foreseen = await client.post(path(tournament, "change-plan"), json=change, params={"dry_run": True})
    assert "results.minutes is 30 instead of as by the rules." in foreseen.json()["changes"]
    changed = await done(client, tournament, "change-plan", **change)
    assert changed["options"] == {"results.latest_start": 10, "results.minutes": 30, "results.limit": 75}
    assert changed["times"][0]["times"][-1] == "Games end within 75 minutes of the start of the round."


@pytest.mark.rule("SK.REG-16")
async def test_live_check_in_and_start_are_announced(client: Client) -> None:
    tournament = await announced(client, entry={"check_in": {"opens": "09:00", "closes": "09:45"}})
    shown = (await client.get(path(tournament))).json()
    assert (shown["check_in_opens"], shown["check_in_closes"], shown["first_round"]) == ("09:00", "09:45", "09:45")
    why = {"code": "hall-not-free"}
    change: dict[str, Any] = {"entry": {"check_in": {"closes": "10:15"}}, "reason": why}
    early = problem(await act(client, tournament, "change-plan", **change), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    assert early.errors[0].pointer == "/first_round"
    foreseen = await client.post(
        path(tournament, "change-plan"), json=change | {"first_round": "10:30"}, params={"dry_run": True}
    )
    assert "Check-in is from 09:00 to 10:15 instead of from 09:00 to 09:45." in foreseen.json()["changes"]
    changed = await done(client, tournament, "change-plan", **change, first_round="10:30")
    assert (changed["check_in_closes"], changed["first_round"]) == ("10:15", "10:30")


@pytest.mark.rule("SK.REG-16")
async def test_what_the_rules_fix_is_refused_with_what_they_leave(client: Client) -> None:
    federation = await founded(client, "SSS")
    fixed = await announce(client, federation, options={"results.minutes": 20})
    fault = problem(fixed, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors[0]
    assert fault.pointer == "/options/results.minutes"
    turned = await announce(client, federation, entry={"check_in": {"opens": "10:00"}})
    assert problem(turned, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors[0].pointer == "/entry/check_in/closes"
    othello = await announce(client, federation, ruleset="othello-pl-2021", entry={"check_in": {"opens": "08:00"}})
    fault = problem(othello, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors[0]
    assert (fault.pointer, "is not left to the announcement" in fault.detail) == ("/entry/check_in", True)


async def test_digits_of_another_script_are_no_time(client: Client) -> None:
    federation = await founded(client, "SSS")
    for said, pointer in (
        ({"first_round": "0٩:00"}, "/first_round"),
        ({"entry": {"check_in": {"opens": "0٨:00"}}}, "/entry/check_in/opens"),
    ):
        refused = problem(await announce(client, federation, **said), HTTPStatus.UNPROCESSABLE_ENTITY, "malformed")
        assert [(fault.pointer, fault.detail) for fault in refused.errors] == [
            (pointer, "should be a time of day such as 09:00")
        ]
