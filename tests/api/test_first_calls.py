"""From a federation to the first open check-in in four calls, and what a tournament says of itself on the way."""

from http import HTTPStatus
from typing import Any

from tests.api.asking import FEDERATIONS, Client, founded, issuer, problem
from tests.api.holding import ANNOUNCED, TOURNAMENTS, announce, announced, done, enter, entered, opened, path
from tests.api.signing import signed_by
from tests.logged import records_of

PLAYERS = [{"person": {"name": name}, "rating": 1900 - place} for place, name in enumerate(("Ada", "Bea", "Cyd"))]
SCORER, ARBITER = {"subject": "sue-7", "role": "scorer"}, {"subject": "art-3", "role": "arbiter"}


async def kinds(client: Client, federation: str) -> list[str]:
    return [record["type"] for record in records_of((await client.get(f"/v1/log/{federation}")).content)]


async def test_four_calls_lead_from_a_federation_to_an_open_check_in(client: Client) -> None:
    federation = (await client.post(FEDERATIONS, json={"name": "SSS", "officials": [SCORER]})).json()["id"]
    said = {"federation": federation} | ANNOUNCED | {"open": True, "officials": [ARBITER], "place": " Košice,  Dom "}
    cup = (await client.post(TOURNAMENTS, json=said)).json()
    assert (cup["status"], cup["next_step"], cup["place"]) == ("registration", "open-check-in", "Košice, Dom")
    await done(client, cup["id"], "entrants", "import", entrants=PLAYERS)
    at_the_desk = await done(client, cup["id"], "open-check-in")
    assert (at_the_desk["status"], at_the_desk["next_step"]) == ("check-in", "start")
    assert [one["kind"] for one in at_the_desk["blocked_by"]] == ["not-checked-in", "too-few-entrants"]
    step_by_step = await announced(client)
    await done(client, step_by_step, "officials", **ARBITER)
    await done(client, step_by_step, "open")
    of_one, of_other = await kinds(client, cup["id"]), await kinds(client, step_by_step)
    assert {*of_other} <= {*of_one}, "what happens at once is recorded as it is when it happens in turn"
    for where, wanted in ((f"{FEDERATIONS}/{federation}", SCORER), (path(cup["id"]), ARBITER)):
        assert wanted in (await client.get(f"{where}/officials")).json()["officials"]
    as_arbiter = signed_by(issuer().token("art-3"))
    assert (await client.get(path(cup["id"], "entries"), headers=as_arbiter)).status_code == HTTPStatus.OK


async def test_nobody_appoints_with_an_announcement_whom_they_could_not_appoint_afterwards(client: Client) -> None:
    federation = await founded(client, "SSS")
    await client.post(f"{FEDERATIONS}/{federation}/officials", json={"subject": "cora", "role": "coordinator"})
    as_coordinator = signed_by(issuer().token("cora"))
    said = {"federation": federation} | ANNOUNCED | {"officials": [ARBITER]}
    refused = await client.post(TOURNAMENTS, json=said, headers=as_coordinator)
    problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")
    assert (await client.post(TOURNAMENTS, json=said | {"officials": []}, headers=as_coordinator)).is_success
    elsewhere = await client.post(FEDERATIONS, json={"name": "X", "director": "dora", "officials": [SCORER]})
    problem(elsewhere, HTTPStatus.FORBIDDEN, "only-the-first-director")


async def test_a_day_that_is_over_needs_a_reason(client: Client) -> None:
    federation = await founded(client, "SSS")
    over = {"starts_on": "2016-11-21", "entries_close": "2016-11-19T00:00:00+01:00"}
    refused = await announce(client, federation, **over)
    detail = problem(refused, HTTPStatus.CONFLICT, "needs-reason").detail
    assert "2016-11-21, is over" in detail
    assert "end of entries, 2016-11-19T00:00:00+01:00, is over" in detail
    why = {"code": "kept-on-paper", "words": "Entered from the sheets of Mária."}
    assert (await announce(client, federation, **over, reason=why)).status_code == HTTPStatus.CREATED
    log = (await client.get("/v1/log")).text
    assert "kept-on-paper" in log
    assert "Mária" not in log


async def test_a_tournament_names_its_stages_its_next_step_and_what_blocks_it(client: Client) -> None:
    tournament = await announced(client)
    draft = (await client.get(path(tournament))).json()
    (swiss,) = draft["stages"]
    assert swiss.pop("title").startswith("Swiss")
    assert swiss == {"id": "swiss", "pairing": "cost-swiss", "rounds": 7, "parallel_to": None}
    assert (draft["next_step"], draft["blocked_by"]) == ("open", [])
    await done(client, tournament, "open")
    (ada, *_) = await entered(client, tournament, *"ABCDE")
    swiss = (await done(client, tournament, "open-check-in"))["stages"][0]
    assert (swiss["pairing"], swiss["rounds"]) == ("round-robin", 5)
    rest = [one["id"] for one in (await client.get(path(tournament, "entrants"))).json()["items"][1:]]
    await done(client, tournament, "check-in", entrants=rest)
    shown = (await client.get(path(tournament))).json()
    check = (await client.get(path(tournament, "start-check"))).json()
    assert shown["blocked_by"] == check["blockers"]
    assert shown["blocked_by"][0]["entrants"] == [ada["id"]]
    for_anybody = (await client.get(path(tournament), headers={"Authorization": ""})).json()
    assert [one["kind"] for one in for_anybody["blocked_by"]] == ["not-checked-in"]
    await done(client, tournament, "check-in")
    running = await done(client, tournament, "start")
    assert (running["next_step"], running["blocked_by"]) == ("review", [])
    assert (await done(client, tournament, "review"))["next_step"] == "complete"
    assert (await done(client, tournament, "complete"))["next_step"] is None


def why(body: dict[str, Any], operation: str) -> str | None:
    return body["allowed_actions"][operation]["reason"]


async def test_actions_of_an_entry_know_what_has_become_of_it(client: Client) -> None:
    tournament = await opened(client)
    ada = (await enter(client, tournament, "Ada")).json()["id"]
    entry = path(tournament, "entrants", ada, "entry")
    there = (await client.get(entry)).json()
    assert why(there, "judgeEntry") is None
    assert "Nobody has asked" in str(why(there, "grantWaiver"))
    assert "asks nobody" in str(why(there, "confirmPlace")) or "ask nobody" in str(why(there, "confirmPlace"))
    await done(client, tournament, "entrants", ada, "withdraw")
    gone = (await client.get(entry)).json()
    for operation in ("judgeEntry", "requestWaiver", "bringInSubstitute", "nameActingCaptain"):
        assert "withdrawn" in str(why(gone, operation)), operation
    assert why(gone, "recordRefund") is None
