"""Tournaments over HTTP: announced, opened, started, completed; and what stands in the way."""

import json
from http import HTTPStatus
from typing import Any

import pytest

from shared.contracts.pairing import RoundRecalled
from shared.contracts.results import ResultReopened
from shared.rulesets import catalogue
from tests.api.asking import Client, founded, issuer, pointers, problem
from tests.api.holding import (
    ANNOUNCED,
    TOURNAMENTS,
    act,
    announce,
    announced,
    done,
    enter,
    entered,
    opened,
    path,
    running,
)
from tests.api.signing import signed_by
from tests.api.test_officials import appoint
from tests.played import published, result
from tests.told import tell


def actions(body: dict[str, Any]) -> dict[str, str | None]:
    """Of each operation, why not."""
    return {name: action["reason"] for name, action in body["allowed_actions"].items()}


async def test_a_tournament_goes_from_its_announcement_to_its_end(client: Client) -> None:
    tournament = await announced(client)
    assert (await done(client, tournament, "open"))["status"] == "registration"
    await entered(client, tournament, "Ada", "Bea", "Cyd")
    assert (await done(client, tournament, "open-check-in"))["status"] == "check-in"
    assert (await done(client, tournament, "check-in")) == {"checked_in": 3, "awaited": []}
    started = await done(client, tournament, "start")
    assert (started["status"], started["entrants"], started["checked_in"]) == ("running", 3, 3)
    assert (await done(client, tournament, "review"))["status"] == "under-review"
    assert (await done(client, tournament, "complete"))["status"] == "completed"
    shown = await client.get(path(tournament))
    assert shown.json()["status"] == "completed"


@pytest.mark.rule("SK.REG-3")
async def test_what_was_announced_is_shown(client: Client) -> None:
    federation = await founded(client, "SSS")
    answer = await announce(client, federation, options={"pairing.rounds": 6})
    assert answer.status_code == HTTPStatus.CREATED
    shown = (await client.get(path(answer.json()["id"]))).json()
    assert shown == answer.json()
    expected = {
        "federation": federation,
        "name": "Košice Cup",
        "status": "draft",
        "ruleset": "scrabble-sk-2022-qt",
        "options": {"pairing.rounds": 6},
        "time_zone": "Europe/Bratislava",
        "starts_on": "2099-11-21",
        "first_round": "09:00",
        "first_round_at": "2099-11-21T09:00:00+01:00",
        "entries_close": "2099-11-19T23:00:00Z",
        "series": None,
        "region": None,
        "host": None,
        "hall": None,
        "places": None,
        "waiting": 0,
        "entrants": 0,
        "checked_in": 0,
    }
    assert {name: shown[name] for name in expected} == expected
    assert not any(shown[name] for name in ("advance", "next_level", "season", "competition", "variant", "channels"))


@pytest.mark.rule("OT.REG-9")
async def test_the_timetable_is_shown_as_printed_or_as_the_organiser_has_it(client: Client) -> None:
    federation = await founded(client, "PFO")
    plan = {"ruleset": "othello-pl-2021", "time_zone": "Europe/Warsaw", "starts_on": "2099-05-30"}
    printed = (await announce(client, federation, **plan)).json()
    assert [printed["timetable"][0], printed["timetable"][3], printed["timetable"][-4]] == [
        {"on": "2099-05-30", "at": "2099-05-30T08:45:00+02:00", "what": "Doors open", "stage": None, "round": None},
        {
            "on": "2099-05-30",
            "at": "2099-05-30T10:00:00+02:00",
            "what": "Preliminary rounds, round 1",
            "stage": "preliminary",
            "round": 1,
        },
        {"on": "2099-05-31", "at": "2099-05-31T14:00:00+02:00", "what": "Lunch", "stage": None, "round": None},
    ]
    own = [{"day": 2, "what": "Final and third place"}, {"day": 1, "time": "11:15", "stage": "preliminary", "round": 1}]
    changed = (await announce(client, federation, **plan, options={"pairing.timetable": own})).json()
    assert [(one["on"], one["at"], one["what"]) for one in changed["timetable"]] == [
        ("2099-05-30", "2099-05-30T11:15:00+02:00", "Preliminary rounds, round 1"),
        ("2099-05-31", None, "Final and third place"),
    ]
    gone = [{"day": 1, "time": "11:15", "stage": "group", "round": 1}]
    wrong = await announce(client, federation, **plan, options={"pairing.timetable": gone})
    problem(wrong, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    assert [fault["pointer"] for fault in wrong.json()["errors"]] == ["/options/pairing.timetable/0/stage"]
    far = await announce(client, federation, **plan, options={"pairing.timetable": [{"day": 10**9, "what": "End"}]})
    assert far.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


async def test_all_that_is_wrong_with_an_announcement_is_named_at_once(client: Client) -> None:
    federation = await founded(client, "SSS")
    wrong = await announce(
        client, federation, time_zone="Europe/Atlantis", options={"pairing.luck": 1, "pairing.rounds": "many"}
    )
    assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert [fault["pointer"] for fault in wrong.json()["errors"]] == [
        "/options/pairing.luck",
        "/options/pairing.rounds",
        "/time_zone",
    ]
    unknown = await announce(client, federation, ruleset="chess", time_zone="../../etc/passwd")
    assert [fault["pointer"] for fault in unknown.json()["errors"]] == ["/ruleset", "/time_zone"]


async def test_a_federation_may_bring_rules_of_its_own(client: Client) -> None:
    own = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json") | {"id": "scrabble-of-ours"}
    tournament = await announced(client, ruleset=own)
    assert (await client.get(path(tournament))).json()["ruleset"] == "scrabble-of-ours"
    damaged = await announce(client, await founded(client, "SSS"), ruleset=own | {"game": "chess"})
    assert [fault["pointer"] for fault in damaged.json()["errors"]] == ["/ruleset/game"]


async def test_rules_without_a_usual_time_need_one(client: Client) -> None:
    own = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
    own["entry"]["check_in"] = None
    federation = await founded(client, "SSS")
    refused = await announce(client, federation, ruleset=own)
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/first_round"]
    assert (await announce(client, federation, ruleset=own, first_round="10:30")).json()["first_round"] == "10:30"


async def test_an_announcement_may_set_its_own_deadline(client: Client) -> None:
    federation = await founded(client, "SSS")
    for said in ("2099-11-20T12:00:00+01:00", "2099-11-20T12:00:00"):
        answer = await announce(client, federation, entries_close=said)
        assert answer.json()["entries_close"] == "2099-11-20T11:00:00Z"


@pytest.mark.parametrize(
    ("said", "pointer"),
    [
        ({"starts_on": "0001-01-01"}, "/starts_on"),
        ({"starts_on": "9999-12-31"}, "/starts_on"),
        ({"entries_close": "0001-01-01T00:00:00+14:00"}, "/entries_close"),
        ({"entries_close": "2099-11-22T00:01:00"}, "/entries_close"),
        ({"time_zone": "Europe"}, "/time_zone"),
        ({"first_round": "24:00"}, "/first_round"),
    ],
)
async def test_a_time_that_there_is_not_is_refused(client: Client, said: dict[str, str], pointer: str) -> None:
    refused = await announce(client, await founded(client, "SSS"), **said)
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert [fault["pointer"] for fault in refused.json()["errors"]] == [pointer]


@pytest.mark.parametrize("deadline", [{"date": "2026-99-99"}, {"days_before": 10**9}])
async def test_rules_of_a_deadline_that_there_is_not_are_refused(client: Client, deadline: dict[str, object]) -> None:
    own = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
    own["entry"]["deadlines"] = [{"of": "entry"} | deadline]
    refused = await announce(client, await founded(client, "SSS"), ruleset=own)
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert all(fault["pointer"].startswith("/ruleset/entry/deadlines") for fault in refused.json()["errors"])


async def test_rules_of_a_duty_on_a_day_that_there_is_not_are_refused(client: Client) -> None:
    own = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
    own["entry"]["duties"] = [{"what": "form", "sentence": "The form goes out.", "days_before": 10**9}]
    refused = await announce(client, await founded(client, "SSS"), ruleset=own)
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/ruleset/entry/duties/0"]


@pytest.mark.parametrize(
    ("entry", "pointer"),
    [
        ({"deadlines": [{"of": "payment", "date": "2099-02-30"}]}, "/entry/deadlines/0/date"),
        ({"deadlines": [{"of": "payment", "days_before": 10**9}]}, "/entry/deadlines/0"),
        ({"deadlines": [{"of": "refund", "days_before": 3}, {"of": "payment"}]}, "/entry/deadlines/1"),
        ({"deadlines": [{"of": "refund", "date": "2099-02-01", "weekday": "monday"}]}, "/entry/deadlines/0"),
        ({"fees": [{"amount": 5, "currency": "EUR", "until": "2099-02-30"}]}, "/entry/fees/0/until"),
        ({"fees": [{"amount": "1/1001", "currency": "EUR"}]}, "/entry/fees/0/amount"),
        ({"fees": [{"amount": -5, "currency": "EUR"}]}, "/entry/fees/0/amount"),
    ],
)
async def test_an_announcement_says_of_entries_no_day_and_no_sum_that_there_is_not(
    client: Client, entry: dict[str, object], pointer: str
) -> None:
    federation = await founded(client, "SSS")
    refused = await announce(client, federation, entry=entry)
    assert [fault["pointer"] for fault in refused.json()["errors"]] == [pointer]
    tournament = (await announce(client, federation)).json()["id"]
    change = {"entry": entry, "reason": {"code": "announcement"}}
    refused = await client.post(f"{TOURNAMENTS}/{tournament}/change-plan", json=change)
    assert [fault["pointer"] for fault in refused.json()["errors"]] == [pointer]


@pytest.mark.parametrize("field", ["name", "ruleset", "time_zone", "first_round"])
async def test_half_a_letter_is_refused_wherever_it_stands(client: Client, field: str) -> None:
    body = json.dumps(ANNOUNCED | {"federation": await founded(client, "SSS"), field: "\ud800"})
    refused = await client.post(TOURNAMENTS, content=body, headers={"Content-Type": "application/json"})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


async def test_half_a_letter_is_refused_inside_of_rules_too(client: Client) -> None:
    own = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
    federation = {"federation": await founded(client, "SSS")}
    for said in ({"options": {"\ud800": 1}}, {"ruleset": own | {"title": "\ud800"}}, {"ruleset": {"\ud800": 1}}):
        body = json.dumps(ANNOUNCED | federation | said)
        refused = await client.post(TOURNAMENTS, content=body, headers={"Content-Type": "application/json"})
        assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


async def test_only_who_organises_for_a_federation_announces_for_it(client: Client) -> None:
    federation = await founded(client, "SSS")
    await appoint(client, federation, "cora", "coordinator")
    await appoint(client, federation, "skye", "scorer")
    body = {"federation": federation, "name": "Cup", "ruleset": "scrabble-sk-2022-qt"}
    body |= {"time_zone": "UTC", "starts_on": "2099-11-21"}
    for subject, status in (
        ("cora", HTTPStatus.CREATED),
        ("skye", HTTPStatus.FORBIDDEN),
        ("xan", HTTPStatus.FORBIDDEN),
    ):
        answer = await client.post(TOURNAMENTS, json=body, headers=signed_by(issuer().token(subject)))
        assert answer.status_code == status
    elsewhere = await client.post(TOURNAMENTS, json=body | {"federation": "another"})
    problem(elsewhere, HTTPStatus.FORBIDDEN, "not-permitted")


@pytest.mark.parametrize("body", [b"", b"[]", b'{"federation": 7}', b'{"name": "Cup"}'])
async def test_a_body_that_does_not_name_its_federation_is_malformed(client: Client, body: bytes) -> None:
    answer = await client.post(TOURNAMENTS, content=body, headers={"Content-Type": "application/json"})
    assert pointers(answer) == ["/federation"]


async def test_nobody_finds_what_was_never_announced(client: Client) -> None:
    for tail in ((), ("start-check",), ("entrants",), ("entrants", "nobody")):
        problem(await client.get(path("nothing", *tail)), HTTPStatus.NOT_FOUND, "tournament-unknown")
    problem(await act(client, "nothing", "open"), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_entries_are_opened_again_as_long_as_nothing_has_started(client: Client) -> None:
    tournament = await opened(client)
    ada, _ = await entered(client, tournament, "Ada", "Bea")
    checking_in = await done(client, tournament, "open-check-in")
    assert actions(checking_in)["openRegistration"] is None
    await done(client, tournament, "check-in", entrants=[ada["id"]])
    again = await done(client, tournament, "open")
    assert (again["status"], again["next_step"], again["checked_in"]) == ("registration", "open-check-in", 1)
    await entered(client, tournament, "Cyd")
    assert (await done(client, tournament, "open-check-in"))["checked_in"] == 1
    assert (await done(client, tournament, "check-in"))["checked_in"] == 3
    await done(client, tournament, "start")
    late = problem(await act(client, tournament, "open"), HTTPStatus.CONFLICT, "not-now")
    assert late.detail == "The tournament is running, and this belongs to draft or check-in."


async def test_what_may_be_done_now_and_why_not(client: Client) -> None:
    tournament = await opened(client)
    as_director = actions((await client.get(path(tournament))).json())
    assert as_director["enterTournament"] is None
    assert as_director["startTournament"] == (
        "The tournament is in registration, and this belongs to check-in: open check-in first."
    )
    stranger = actions((await client.get(path(tournament), headers=signed_by(issuer().token("xan")))).json())
    assert stranger["enterTournament"] is None, "themselves"
    assert "Ask one of them" in (stranger["openCheckIn"] or "")
    await entered(client, tournament, "Ada", "Bea", "Cyd")
    checking_in = await done(client, tournament, "open-check-in")
    assert (actions(checking_in)["startTournament"] or "").startswith("3 entrants have not checked in")
    assert actions(checking_in)["enterTournament"] is None
    stranger = actions((await client.get(path(tournament), headers=signed_by(issuer().token("xan")))).json())
    assert "at the desk" in (stranger["enterTournament"] or "")


async def test_what_blocks_the_start_is_named_at_once(client: Client) -> None:
    tournament = await opened(client)
    (ada,) = await entered(client, tournament, "Ada")
    check = (await client.get(path(tournament, "start-check"))).json()
    assert [blocker["kind"] for blocker in check["blockers"]] == ["wrong-status", "not-checked-in", "too-few-entrants"]
    assert check["blockers"][1]["entrants"] == [ada["id"]]
    await done(client, tournament, "open-check-in")
    refused = problem(await act(client, tournament, "start"), HTTPStatus.CONFLICT, "not-ready")
    assert refused.detail.startswith("1 entrant has not checked in")
    await enter(client, tournament, "Bea", decision="even-number")
    await done(client, tournament, "check-in")
    assert (await client.get(path(tournament, "start-check"))).json() == {"ready": True, "blockers": []}
    await done(client, tournament, "start")
    check = (await client.get(path(tournament, "start-check"))).json()
    assert [blocker["kind"] for blocker in check["blockers"]] == ["wrong-status"]


async def test_a_dry_run_says_what_would_come_of_it_and_changes_nothing(client: Client) -> None:
    tournament = await opened(client)
    ada, bea = await entered(client, tournament, "Ada", "Bea")
    await done(client, tournament, "close-persons", persons=[entrant["persons"][0]["id"] for entrant in (ada, bea)])
    await done(client, tournament, "open-check-in")
    await done(client, tournament, "check-in")
    tried = await client.post(path(tournament, "start"), params={"dry_run": True})
    assert tried.json()["changes"] == [
        "The field is closed with 2 entrants, numbered 1 to 2.",
        "Of close persons 1 pair is kept apart in the last rounds.",
    ]
    tried = await client.post(path(tournament, "cancel"), params={"dry_run": True})
    assert tried.json()["lost"] == ["It cannot be taken up again."]
    assert (await client.get(path(tournament))).json()["status"] == "check-in"
    await done(client, tournament, "start")
    await done(client, tournament, "review")
    tried = await client.post(path(tournament, "complete"), params={"dry_run": True})
    assert "no round is paired any more" in tried.json()["lost"][0]
    problem(await client.post(path(tournament, "start"), params={"dry_run": True}), HTTPStatus.CONFLICT, "not-now")


async def test_what_is_still_played_is_not_completed(new_client: Client, database: str) -> None:
    """A slip of two requests would otherwise end it for good: no round can be published any more."""
    tournament, (ada, bea, cyd, dee) = await running(new_client, "Ada", "Bea", "Cyd", "Dee")
    first, second = [(ada, bea), (cyd, dee)], [(ada, cyd), (bea, dee)]
    await tell(database, "pairing", tournament, published(tournament, 1, first), published(tournament, 2, second))
    ends = [result(tournament, 1, table, seats, (400, 300)) for table, seats in enumerate(first, start=1)]
    reopened = ResultReopened(game=ends[1].game, tournament=tournament, stage="swiss", round=1)
    await tell(database, "results", tournament, *ends, reopened, result(tournament, 2, 1, second[0], (400, 300)))
    reviewed = await done(new_client, tournament, "review")
    assert reviewed["status"] == "under-review"
    for shown in (reviewed, (await new_client.get(path(tournament))).json()):
        completing = shown["allowed_actions"]["completeTournament"]
        assert not completing["allowed"]
        assert "no result yet, 1 of round 1 of Swiss" in completing["reason"]
    for query in ({"dry_run": True}, {}):
        refused = await new_client.post(path(tournament, "complete"), params=query)
        said = problem(refused, HTTPStatus.CONFLICT, "still-played").detail
        assert "no result yet, 1 of round 1 of Swiss" in said
        assert "and 1 of round 2" in said
    await tell(database, "results", tournament, ends[1])
    problem(await new_client.post(path(tournament, "complete")), HTTPStatus.CONFLICT, "still-played")
    await tell(database, "pairing", tournament, RoundRecalled(tournament=tournament, stage="swiss", round=2))
    assert (await new_client.get(path(tournament))).json()["allowed_actions"]["completeTournament"]["allowed"]
    assert (await done(new_client, tournament, "complete"))["status"] == "completed"
    assert (await done(new_client, tournament, "complete"))["status"] == "completed"


async def test_a_cancelled_tournament_is_over(client: Client) -> None:
    tournament = await opened(client)
    assert (await done(client, tournament, "cancel"))["status"] == "cancelled"
    problem(await enter(client, tournament, "Ada"), HTTPStatus.CONFLICT, "not-now")
    assert (await done(client, tournament, "cancel"))["status"] == "cancelled"


async def test_play_is_resumed_out_of_the_review(client: Client) -> None:
    tournament, _ = await running(client, "Ada", "Bea")
    await done(client, tournament, "review")
    assert (await done(client, tournament, "resume"))["status"] == "running"


@pytest.mark.rule("SK.REG-4")
async def test_the_first_round_waits_an_hour_for_who_is_excused_and_no_longer(client: Client) -> None:
    tournament = await announced(client)
    postponed = await done(client, tournament, "postpone-first-round", minutes=60)
    assert postponed["first_round_at"] == "2099-11-21T10:00:00+01:00"
    refused = await act(client, tournament, "postpone-first-round", minutes=61)
    problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "too-much-delay")


async def test_tournaments_are_listed_page_by_page(new_client: Client) -> None:
    here, there = await founded(new_client, "Here"), await founded(new_client, "There")
    names = [f"Cup {number}" for number in range(5)]
    ids = [
        (await announce(new_client, federation, name=name))
        for name, federation in zip(names, [here, there] * 3, strict=False)
    ]
    last = await act(new_client, ids[4].json()["id"], "open")
    after_it = {"Roundlog-Min-Position": last.headers["Roundlog-Position"]}

    async def listed(**query: str | int) -> list[str]:
        found: list[str] = []
        asked = TOURNAMENTS
        params: dict[str, str | int] | None = query
        while True:
            answer = await new_client.get(asked, params=params, headers=after_it)
            found += [item["name"] for item in answer.json()["items"]]
            if "next" not in answer.links:
                return found
            asked, params = answer.links["next"]["url"], None

    assert await listed() == names
    assert await listed(limit=2) == names
    assert await listed(federation=here, limit=1) == ["Cup 0", "Cup 2", "Cup 4"]
    assert await listed(status="registration") == ["Cup 4"]
    assert await listed(status="draft", federation=there) == ["Cup 1", "Cup 3"]


async def test_the_start_tells_neighbours_everything_and_before_it_they_hear_of_the_announcement_only(
    client: Client,
) -> None:
    tournament = await opened(client)
    await entered(client, tournament, "Ada", "Bea")
    await done(client, tournament, "open-check-in")
    before = await done_positions(client, tournament, "check-in")
    after = await done_positions(client, tournament, "start")
    assert after[1] - before[1] == 3
    log = (await client.get(f"/v1/log/{tournament}")).text
    for name in ("Ada", "Bea"):
        assert name not in log


async def done_positions(client: Client, tournament: str, *steps: str) -> tuple[int, int]:
    response = await act(client, tournament, *steps)
    assert response.is_success, response.text
    at, _, public = response.headers["Roundlog-Position"].removeprefix("registration:").partition("/")
    return int(at), int(public)


@pytest.mark.rule("SK.X-9")
async def test_m_is_said_once_as_the_variant_or_as_an_option_and_never_both_ways(client: Client) -> None:
    federation = await founded(client, "SSS")
    by_option = {"options": {"contest.variant": "m"}}
    for said in ({"variant": "m"}, by_option, {"variant": "m"} | by_option):
        shown = (await announce(client, federation, **said)).json()
        assert (shown["variant"], shown["options"]) == ("m", {"contest.variant": "m"})
    contradiction = await announce(client, federation, variant="classic", **by_option)
    assert problem(contradiction, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors[0].pointer == "/variant"
    unknown = await announce(client, federation, options={"contest.variant": "long"})
    assert problem(unknown, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors[0].pointer == "/options/contest.variant"
    change = {"variant": "classic", "reason": {"code": "mistake"}}
    again = await done(client, shown["id"], "change-plan", **change)
    assert (again["variant"], again["options"]) == ("classic", {"contest.variant": "classic"})
    for m in ({"variant": "m"}, by_option):
        changed = await done(client, shown["id"], "change-plan", **(change | {"variant": None} | m))
        assert (changed["variant"], changed["options"]) == ("m", {"contest.variant": "m"})


@pytest.mark.rule("SK.REG-12")
async def test_online_the_announcement_names_the_fees(client: Client) -> None:
    federation = await founded(client, "SSS")
    online = {"ruleset": "scrabble-sk-2022-online", "first_round": "10:00"}
    refused = await announce(client, federation, **online)
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/entry/fees"]
    fees = [{"who": "member", "amount": 5, "currency": "EUR"}, {"who": "non-member", "amount": 8, "currency": "EUR"}]
    answer = await announce(client, federation, **online, entry={"fees": fees})
    assert answer.status_code == HTTPStatus.CREATED, answer.text
