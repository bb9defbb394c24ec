"""People act for themselves over HTTP: they become known, enter, withdraw, ask and confirm, and reach nothing of others."""

from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest

from shared.clock import now
from shared.rulesets import catalogue
from tests.api.asking import Client, founded, issuer, problem, service
from tests.api.holding import act, announce, done, path
from tests.api.school_days import Schools, ruleset, team
from tests.api.signing import signed_by


@pytest.fixture
def client(new_client: Client) -> Client:
    """Each test is asked by people of the same names."""
    return new_client


FORBIDDEN, CONFLICT = HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT
ADA, BEN, TEACHER, MALLORY = "ada-1", "ben-2", "teacher-3", "mallory-4"


def signed(who: str) -> dict[str, str]:
    return signed_by(issuer().token(who))


async def me(client: Client, federation: str, who: str) -> dict[str, Any]:
    answer = await client.get(f"/v1/federations/{federation}/me", headers=signed(who))
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


async def known(client: Client, federation: str, who: str, name: str = "Ada Nová", **said: Any) -> str:
    """The id of whoever has registered themselves."""
    answer = await registered(client, federation, who, name, **said)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    return answer.json()["person"]


async def registered(client: Client, federation: str, who: str, name: str, **said: Any) -> httpx.Response:
    url = f"/v1/federations/{federation}/me"
    return await client.post(url, json={"name": name} | said, headers=signed(who))


async def says(client: Client, federation: str, who: str, **said: Any) -> httpx.Response:
    return await client.post(f"/v1/federations/{federation}/me/particulars", json=said, headers=signed(who))


async def mine(client: Client, who: str, **query: Any) -> list[dict[str, Any]]:
    answer = await client.get("/v1/me/entries", headers=signed(who), params=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()["items"]


def allowed(shown: dict[str, Any]) -> set[str]:
    return {name for name, one in shown["allowed_actions"].items() if one["allowed"]}


async def cup(client: Client, rules: str | dict[str, Any] = "scrabble-sk-2022-qt", **said: Any) -> tuple[str, str]:
    """A federation, and a tournament of it that is open."""
    federation = await founded(client, "SSS")
    return federation, await open_cup(client, federation, rules, **said)


async def open_cup(client: Client, federation: str, rules: str | dict[str, Any], **said: Any) -> str:
    answer = await announce(client, federation, ruleset=rules, **said)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    await done(client, answer.json()["id"], "open")
    return answer.json()["id"]


async def give(client: Client, person: str, subject: str) -> httpx.Response:
    return await client.post(f"/v1/persons/{person}/account", json={"subject": subject})


async def entrust(schools: Schools, home: str, subject: str, what: str = "") -> httpx.Response:
    url = f"/v1/federations/{schools.federation}/homes/{home}/accounts{what}"
    return await schools.client.post(url, json={"subject": subject})


@pytest.fixture
async def schools(client: Client) -> Schools:
    return await Schools(client).found()


# Who they are


async def test_whoever_signs_in_becomes_known_once(client: Client) -> None:
    federation = await founded(client, "SSS")
    assert await me(client, federation, ADA) == {
        "federation": federation,
        "subject": ADA,
        "person": None,
        "is_vouched": False,
        "name": None,
        "particulars": None,
        "homes": [],
    }
    headers = signed(ADA) | {"Idempotency-Key": "k-1"}
    body = {"name": "Ada Nová", "particulars": {"born": "1990", "town": "Košice", "email": "a@example.org"}}
    first = await client.post(f"/v1/federations/{federation}/me", json=body, headers=headers)
    again = await client.post(f"/v1/federations/{federation}/me", json=body, headers=headers)
    assert (first.status_code, again.json()["person"]) == (HTTPStatus.CREATED, first.json()["person"])
    shown = await me(client, federation, ADA)
    assert (shown["name"], shown["particulars"]["town"], shown["is_vouched"]) == ("Ada Nová", "Košice", False)
    known = problem(await registered(client, federation, ADA, "Ada Druhá"), CONFLICT, "account-is-somebody")
    assert "look at yourself" in known.detail, "whoever registers can take away and merge nothing"
    assert (await me(client, federation, ADA))["name"] == "Ada Nová"
    seen = (await client.get(f"/v1/persons/{shown['person']}")).json()
    assert (seen["account"], seen["account_is_vouched"]) == (ADA, False)


async def test_who_registers_again_under_the_same_key_has_done_so_once_also_when_they_were_merged_since(
    client: Client,
) -> None:
    federation = await founded(client, "SSS")
    there = (await client.post("/v1/persons", json={"federation": federation, "name": "Ada Nová"})).json()["id"]
    url, headers = f"/v1/federations/{federation}/me", signed(ADA) | {"Idempotency-Key": "k-1"}
    first = await client.post(url, json={"name": "Ada Nová"}, headers=headers)
    merge = {"duplicate": first.json()["person"], "reason": "registered-twice"}
    assert (await client.post(f"/v1/persons/{there}/merge", json=merge)).is_success
    again = await client.post(url, json={"name": "Ada Nová"}, headers=headers)
    assert (first.status_code, again.status_code) == (HTTPStatus.CREATED, HTTPStatus.CREATED)
    assert again.json()["person"] is None, "an official links the account"


async def test_nobody_takes_over_a_person_of_the_register(client: Client) -> None:
    federation, tournament = await cup(client)
    there = (await client.post("/v1/persons", json={"federation": federation, "name": "Ada Nová"})).json()["id"]
    person = await known(client, federation, MALLORY)
    assert person != there
    licence = {"particulars": {"licence": "SK-1"}}
    problem(await registered(client, federation, BEN, "Ben", **licence), FORBIDDEN, "only-officials-say")
    problem(
        await client.post(f"/v1/persons/{there}/account", json={"subject": MALLORY}, headers=signed(MALLORY)),
        FORBIDDEN,
        "not-permitted",
    )
    problem(await act(client, tournament, "entrants", by=MALLORY, person=there), FORBIDDEN, "not-yourself")

    async def merge(kept: str, duplicate: str) -> httpx.Response:
        body = {"duplicate": duplicate, "reason": "registered-twice"}
        return await client.post(f"/v1/persons/{kept}/merge", json=body)

    problem(await merge(person, there), CONFLICT, "not-vouched")
    dry = {"duplicate": person, "reason": "registered-twice"}
    foreseen = await client.post(f"/v1/persons/{there}/merge", json=dry, params={"dry_run": True})
    assert MALLORY in foreseen.json()["lost"][-1]
    assert (await merge(there, person)).is_success, "and it gives nobody the account of the other"
    assert (await me(client, federation, MALLORY))["person"] is None
    problem(await act(client, tournament, "entrants", by=MALLORY, person=there), FORBIDDEN, "not-yourself")
    problem(await registered(client, federation, MALLORY, "Ada Nová"), CONFLICT, "merged-away")
    assert (await give(client, there, MALLORY)).is_success
    shown = await me(client, federation, MALLORY)
    assert (shown["person"], shown["is_vouched"]) == (there, True)
    problem(await give(client, there, BEN), CONFLICT, "has-account")
    other = (await client.post("/v1/persons", json={"federation": federation, "name": "Ben"})).json()["id"]
    problem(await give(client, other, MALLORY), CONFLICT, "account-is-somebody")
    assert (await client.post(f"/v1/persons/{there}/account/take-away")).is_success
    assert (await me(client, federation, MALLORY))["person"] is None
    assert (await give(client, there, BEN)).is_success


async def test_who_was_erased_may_come_back_as_somebody_new(client: Client) -> None:
    federation = await founded(client, "SSS")
    person = await known(client, federation, ADA)
    assert (await client.delete(f"/v1/persons/{person}")).is_success
    assert (await me(client, federation, ADA))["person"] is None
    assert await known(client, federation, ADA) != person


async def test_who_was_merged_and_erased_then_may_come_back_as_somebody_new(client: Client) -> None:
    federation = await founded(client, "SSS")
    there = (await client.post("/v1/persons", json={"federation": federation, "name": "Ada Nová"})).json()["id"]
    person = await known(client, federation, ADA)
    merge = {"duplicate": person, "reason": "registered-twice"}
    assert (await client.post(f"/v1/persons/{there}/merge", json=merge)).is_success
    problem(await registered(client, federation, ADA, "Ada Nová"), CONFLICT, "merged-away")
    assert (await client.delete(f"/v1/persons/{there}")).is_success
    problem(await give(client, there, ADA), CONFLICT, "person-gone")
    assert await known(client, federation, ADA) not in {person, there}


# Individuals


@pytest.mark.rule("SK.REG-19", "PQ.REG-23")
async def test_a_player_enters_sees_what_is_missing_and_withdraws(client: Client) -> None:
    federation, tournament = await cup(client)
    problem(await act(client, tournament, "entrants", by=ADA, person="nobody"), FORBIDDEN, "not-yourself")
    person = await known(client, federation, ADA)
    entered = await done(client, tournament, "entrants", by=ADA, person=person, declared=["member"])
    again = await done(client, tournament, "entrants", by=ADA, person=person, declared=["member"])
    assert again["id"] == entered["id"]
    (shown,) = await mine(client, ADA)
    assert (shown["tournament"], shown["status"], shown["capacity"]) == (tournament, "registration", "player")
    assert shown["entry"]["due"] == [{"amount": 10, "currency": "EUR"}]
    assert [lack["kind"] for lack in shown["entry"]["lacks"]] == ["not-checked-in"]
    assert shown["entry"]["entrant"]["persons"] == [{"id": person, "name": "Ada Nová"}]
    assert allowed(shown) >= {"withdrawEntrant", "detailEntry", "requestWaiver"}
    assert not allowed(shown) & {"checkInEntrant", "recordPayment", "grantWaiver", "correctEntrant"}
    (listed,) = (await client.get(path(tournament, "entries"))).json()["items"]
    assert listed["entered_by"] == {"subject": ADA, "capacity": "player"}
    detailed = await done(client, tournament, "entrants", entered["id"], "detail", by=ADA, declared=[])
    assert detailed["due"] == [{"amount": 13, "currency": "EUR"}]
    gone = await done(client, tournament, "entrants", entered["id"], "withdraw", by=ADA, reason={"code": "ill"})
    assert gone["status"] == "withdrawn"
    history = (await client.get(path(tournament, "entrants", entered["id"], "history"))).json()["items"]
    assert [(one["what"], one["by"], one["capacity"]) for one in history if one["what"] != "entry-detailed"] == [
        ("entrant-entered", ADA, "player"),
        ("entry-withdrawn", ADA, "player"),
    ]
    (shown,) = await mine(client, ADA)
    assert shown["entry"]["due"] == [], "nobody pays for what they do not play in"
    assert shown["entry"]["entrant"]["status"] == "withdrawn"


@pytest.mark.rule("OT.REG-10")
async def test_an_othello_player_enters_with_their_own_particulars(client: Client) -> None:
    federation = await founded(client, "PFO")
    tournament = await open_cup(client, federation, "othello-pl-2021")
    said = {"born": "1990", "town": "Kraków", "email": "a@example.org", "phone": "+48 600 000 000"}
    person = await known(client, federation, ADA, particulars=said | {"citizenship": ["PL"]})
    refused = await act(client, tournament, "entrants", by=ADA, person=person, declared=["on-site"])
    assert "at the desk" in problem(refused, FORBIDDEN, "only-officials-say").detail
    said = {"declared": ["rules-known"], "consents": catalogue.load("othello-pl-2021").entry.consents}
    entered = await done(client, tournament, "entrants", by=ADA, person=person, **said)
    (shown,) = await mine(client, ADA)
    assert shown["entry"]["entrant"]["id"] == entered["id"]
    assert [lack["kind"] for lack in shown["entry"]["lacks"]] == ["not-checked-in"]
    assert all(verdict["met"] for verdict in shown["entry"]["verdicts"])
    bare = await known(client, federation, BEN, "Ben")
    entrant = (await done(client, tournament, "entrants", by=BEN, person=bare, **said))["id"]
    (shown,) = await mine(client, BEN)
    assert "not-judged" in [lack["kind"] for lack in shown["entry"]["lacks"]]
    problem(await says(client, federation, "cyril-5", born="1990"), CONFLICT, "not-known-yet")
    problem(await says(client, federation, BEN, licence="PL-1"), FORBIDDEN, "only-officials-say")
    more = {
        "born": "1990",
        "town": "Kraków",
        "email": "b@example.org",
        "phone": "+48 600 000 001",
        "citizenship": ["PL"],
    }
    assert (await says(client, federation, BEN, **more)).json()["particulars"]["email"] == "b@example.org"
    problem(await says(client, federation, BEN, **more | {"born": "2012"}), CONFLICT, "known-otherwise")
    moved = (await says(client, federation, BEN, town="Gdynia", email="b@example.org", phone="+48 600 000 001")).json()
    assert (moved["particulars"]["born"], moved["particulars"]["town"]) == ("1990", "Gdynia")
    problem(await act(client, tournament, "entrants", entrant, "judge", by=ADA), FORBIDDEN, "not-permitted")
    judged = await done(client, tournament, "entrants", entrant, "judge", by=BEN)
    assert [lack["kind"] for lack in judged["lacks"]] == ["not-checked-in"]


async def test_what_is_said_twice_under_one_key_is_answered_as_before_whatever_was_said_or_happened_between(
    client: Client,
) -> None:
    federation = await founded(client, "PFO")
    year = now().year
    tournament = await open_cup(client, federation, "othello-pl-2021", starts_on=f"{year + 1}-05-04")
    person = await known(client, federation, ADA)
    entry = ("entrants", (await done(client, tournament, "entrants", by=ADA, person=person))["id"])
    particulars = f"/v1/federations/{federation}/me/particulars"

    async def said(key: str) -> list[httpx.Response]:
        headers = signed(ADA) | {"Idempotency-Key": key}
        return [
            await client.post(particulars, json={"born": f"{year - 10}", "town": "Kraków"}, headers=headers),
            await act(client, tournament, *entry, "detail", by=ADA, under=key, declared=["on-site"]),
            await act(client, tournament, *entry, "correct", under=key, lists=["juniors"]),
        ]

    await done(client, tournament, *entry, "detail", declared=["on-site"])
    all_well = [HTTPStatus.OK] * 3
    first = await said("k-1")
    assert [one.status_code for one in first] == all_well, [one.text for one in first]
    corrected = await client.post(f"/v1/persons/{person}/particulars", json={"born": "1980", "town": "Kraków"})
    assert corrected.is_success, corrected.text
    await done(client, tournament, *entry, "detail", declared=[])
    again = await said("k-1")
    assert [one.status_code for one in again] == all_well, [one.text for one in again]
    assert again[0].json()["particulars"]["born"] == "1980", "what is known of somebody is shown as it is now"
    assert [one.json() for one in again[1:]] == [one.json() for one in first[1:]]
    anew = await said("k-2")
    assert not any(one.is_success for one in anew), "as something new it is refused"


@pytest.mark.rule("PQ.REG-23")
async def test_an_entry_says_what_is_theirs_to_say(client: Client) -> None:
    federation, tournament = await cup(client)
    person = await known(client, federation, ADA)
    theirs: list[dict[str, Any]] = [
        {"rating": 2400},
        {"key": 1},
        {"direct": True, "direct_source": "somewhere"},
        {"carried": 4},
        {"history": True},
        {"region": "019aa4c2-b002-7d18-8c2b-40e5d6a71c02"},
        {"region_approval": "other"},
        {"decision": "excused"},
        {"words": "Please."},
    ]
    for said in theirs:
        refused = await act(client, tournament, "entrants", by=ADA, person=person, **said)
        assert next(iter(said)) in problem(refused, FORBIDDEN, "only-officials-say").detail
    assert await mine(client, ADA) == []
    entered = await done(client, tournament, "entrants", by=ADA, person=person, rating=None, history=False)
    await done(client, tournament, "entrants", entered["id"], "detail", carried=0, history=False, declared=["member"])
    refused = await act(client, tournament, "entrants", entered["id"], "detail", by=ADA, history=True)
    problem(refused, FORBIDDEN, "only-officials-say")
    await done(client, tournament, "entrants", entered["id"], "detail", declared=["on-site"])
    detailed = await done(client, tournament, "entrants", entered["id"], "detail", by=ADA, declared=["member"])
    assert detailed["declared"] == ["member", "on-site"], "what was said at the desk stays"
    problem(await act(client, tournament, "entrants", by="nobody-yet", person=person), FORBIDDEN, "not-yourself")
    refused = await act(client, tournament, "entrants", by="nobody-yet", person=person)
    assert "does not know you yet" in refused.json()["detail"]
    assert (await says(client, federation, ADA, born="2999-01-01")).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    await done(client, tournament, "entrants", entered["id"], "withdraw", by=ADA)
    refused = await act(client, tournament, "entrants", entered["id"], "waivers", "request", by=ADA, ground="junior")
    problem(refused, CONFLICT, "not-entered")


@pytest.mark.rule("PQ.REG-23", "SK.REG-19")
async def test_nobody_acts_for_others_or_sees_anything_of_them(client: Client) -> None:
    federation, tournament = await cup(client)
    person = await known(client, federation, ADA)
    entrant = (await done(client, tournament, "entrants", by=ADA, person=person))["id"]
    await known(client, federation, MALLORY, "Mallory")
    theirs: list[tuple[tuple[str, ...], dict[str, Any]]] = [
        (("withdraw",), {"reason": {"code": "ill"}}),
        (("detail",), {"declared": []}),
        (("confirm",), {}),
        (("waivers", "request"), {"ground": "host-school"}),
        (("bring-in",), {"substitute": person, "instead_of": person}),
        (("name-captain",), {"person": person}),
    ]
    for steps, said in theirs:
        refused = await act(client, tournament, "entrants", entrant, *steps, by=MALLORY, **said)
        assert "/v1/me/entries" in problem(refused, FORBIDDEN, "not-permitted").detail
    for steps in (("entrants", entrant, "entry"), ("entrants", entrant, "history"), ("entries",)):
        problem(await client.get(path(tournament, *steps), headers=signed(MALLORY)), FORBIDDEN, "not-permitted")
    for whom in (person, "no-such-person", {"name": "Somebody"}):
        problem(await act(client, tournament, "entrants", by=MALLORY, person=whom), FORBIDDEN, "not-yourself")
    assert await mine(client, MALLORY) == []
    problem(
        await client.get("/v1/me/entries", headers={"Authorization": ""}), HTTPStatus.UNAUTHORIZED, "unauthenticated"
    )
    elsewhere, other = await cup(client)
    problem(await act(client, other, "entrants", by=ADA, person=person), FORBIDDEN, "not-yourself")
    assert (await me(client, elsewhere, ADA))["person"] is None
    entry = (await client.get(path(tournament, "entrants", entrant), headers=signed(ADA))).json()
    assert "withdrawEntrant" in allowed(entry)
    entry = (await client.get(path(tournament, "entrants", entrant), headers=signed(MALLORY))).json()
    assert not allowed(entry)


@pytest.mark.rule("PQ.REG-23", "SK.REG-2")
async def test_windows_hold_for_whoever_acts_for_themselves(client: Client) -> None:
    federation, tournament = await cup(client)
    ada, ben = await known(client, federation, ADA), await known(client, federation, BEN, "Ben")
    closed = await open_cup(
        client, federation, "scrabble-sk-2022-qt", entries_close="2020-01-01T00:00:00Z", reason={"code": "late"}
    )
    problem(await act(client, closed, "entrants", by=ADA, person=ada), CONFLICT, "entries-closed")
    entrant = (await done(client, tournament, "entrants", by=ADA, person=ada))["id"]
    await done(client, tournament, "entrants", person={"name": "Cyril"})
    await done(client, tournament, "open-check-in")
    problem(await act(client, tournament, "entrants", by=BEN, person=ben), CONFLICT, "entries-closed")
    await done(client, tournament, "check-in")
    await done(client, tournament, "start")
    late: list[tuple[str, dict[str, Any]]] = [("withdraw", {"after_round": 0}), ("detail", {"declared": ["member"]})]
    for step, said in late:
        refused = await act(client, tournament, "entrants", entrant, step, by=ADA, **said)
        assert "ask an official" in problem(refused, CONFLICT, "started-already").detail
    problem(await act(client, tournament, "entrants", by=BEN, person=ben), CONFLICT, "started-already")
    (shown,) = await mine(client, ADA)
    assert not allowed(shown)
    assert shown["entry"]["entrant"]["status"] == "playing"


async def test_a_draft_is_not_there_for_whoever_enters(client: Client) -> None:
    federation = await founded(client, "SSS")
    tournament = (await announce(client, federation)).json()["id"]
    person = await known(client, federation, ADA)
    refused = await act(client, tournament, "entrants", by=ADA, person=person)
    problem(refused, HTTPStatus.NOT_FOUND, "tournament-unknown")


@pytest.mark.rule("SK.REG-11", "SK.REG-19")
async def test_who_has_qualified_confirms_or_declines_and_is_bound(client: Client) -> None:
    federation, tournament = await cup(client, "scrabble-sk-2022-ms")
    ada, ben = await known(client, federation, ADA), await known(client, federation, BEN, "Ben")
    refused = await act(client, tournament, "entrants", by=ADA, person=ada)
    assert "SK.REG-10" in problem(refused, CONFLICT, "by-qualification").detail
    entrants = [(await done(client, tournament, "entrants", person=one))["id"] for one in (ada, ben)]
    problem(await act(client, tournament, "entrants", entrants[1], "confirm", by=ADA), FORBIDDEN, "not-permitted")
    confirmed = await done(client, tournament, "entrants", entrants[0], "confirm", by=ADA)
    assert confirmed["is_confirmed"]
    refused = await act(client, tournament, "entrants", entrants[0], "withdraw", by=ADA, reason={"code": "ill"})
    assert "SK.REG-11" in problem(refused, CONFLICT, "bound-by-answer").detail
    (shown,) = await mine(client, ADA)
    assert "withdrawEntrant" not in allowed(shown)
    declined = await done(client, tournament, "entrants", entrants[1], "withdraw", by=BEN, reason={"code": "declined"})
    assert declined["status"] == "withdrawn"
    assert (await done(client, tournament, "entrants", entrants[0], "withdraw"))["status"] == "withdrawn"


@pytest.mark.rule("CC.REG-4")
async def test_in_a_final_nobody_enters_themselves_and_who_has_qualified_declines(client: Client) -> None:
    said = {"first_round": "10:00", "entries_close": "2099-11-01T12:00:00Z"}
    federation, tournament = await cup(client, "carcassonne-cz-final", **said)
    ada = await known(client, federation, ADA)
    problem(await act(client, tournament, "entrants", by=ADA, person=ada), CONFLICT, "by-qualification")
    ben = await known(client, federation, BEN, "Ben")
    said = {"direct": True, "direct_source": "brno-2026", "carried": 12}
    one, other = [(await done(client, tournament, "entrants", person=who, **said))["id"] for who in (ada, ben)]
    assert (await done(client, tournament, "entrants", one, "confirm", by=ADA))["is_confirmed"]
    refused = await act(client, tournament, "entrants", one, "withdraw", by=ADA, reason={"code": "ill"})
    assert "CC.REG-4" in problem(refused, CONFLICT, "bound-by-answer").detail
    gone = await done(client, tournament, "entrants", other, "withdraw", by=BEN, reason={"code": "declined"})
    assert gone["status"] == "withdrawn"
    early = await act(client, tournament, "release-unconfirmed")
    assert "CC.REG-4" in problem(early, CONFLICT, "too-early").detail


@pytest.mark.rule("CC.REG-4")
async def test_a_place_in_the_final_is_confirmed_until_the_announced_day(client: Client) -> None:
    federation, tournament = await cup(
        client, "carcassonne-cz-final", first_round="10:00", entries_close="2099-11-01T00:00:00Z"
    )
    ada = await known(client, federation, ADA)
    said = {"direct": True, "direct_source": "brno-2026", "carried": 12, "decision": "other"}
    entrant = (await done(client, tournament, "entrants", person=ada, **said))["id"]
    await done(client, tournament, "change-plan", entries_close="2020-01-01T00:00:00Z", reason={"code": "late"})
    problem(await act(client, tournament, "entrants", entrant, "confirm", by=ADA), CONFLICT, "too-late")
    await done(client, tournament, "release-unconfirmed")
    (shown,) = await mine(client, ADA)
    assert shown["entry"]["entrant"]["status"] == "withdrawn"
    unannounced = await open_cup(client, federation, "carcassonne-cz-final", first_round="10:00")
    entrant = (await done(client, unannounced, "entrants", person=ada, **said))["id"]
    problem(await act(client, unannounced, "entrants", entrant, "confirm", by=ADA), CONFLICT, "nothing-to-confirm")


async def test_whoever_enters_sees_the_own_name_where_spectators_do_not(client: Client) -> None:
    federation, tournament = await cup(client, shown_names="number")
    ada = await known(client, federation, ADA)
    entered = await done(client, tournament, "entrants", by=ADA, person=ada)
    assert entered["persons"][0]["name"] == "Ada Nová"
    assert "withdrawEntrant" in allowed(entered)
    url = path(tournament, "entrants", entered["id"])
    assert (await client.get(url, headers=signed(ADA))).json()["persons"][0]["name"] == "Ada Nová"
    assert (await client.get(url, headers=signed(BEN))).json()["persons"][0]["name"] == "Player"


# Pairs


async def test_somebody_enters_a_pair_with_who_is_new_or_was_with_them(client: Client) -> None:
    rules = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
    rules["entry"]["kind"] = "pair"
    rules["id"] = "pairs"
    federation, first = await cup(client, rules)
    ada, ben = await known(client, federation, ADA), await known(client, federation, BEN, "Ben")
    problem(await act(client, first, "entrants", by=ADA, persons=[ada, ben]), FORBIDDEN, "not-yourself")
    entered = await done(client, first, "entrants", by=ADA, persons=[ada, {"name": "Cyril"}])
    cyril = entered["persons"][1]["id"]
    second = await open_cup(client, federation, rules)
    problem(await act(client, second, "entrants", by=BEN, persons=[ben, cyril]), FORBIDDEN, "not-yourself")
    assert (await act(client, second, "entrants", by=ADA, persons=[ada, cyril])).is_success
    assert [one["tournament"] for one in await mine(client, ADA)] == [first, second]
    (page,) = await mine(client, ADA, limit=1)
    assert page["tournament"] == first


# Schools and captains


@pytest.mark.rule("PQ.REG-23", "PQ.REG-12")
async def test_a_school_enters_changes_asks_and_withdraws(schools: Schools) -> None:
    client, tournament = schools.client, await schools.tournament(host=schools.one)
    sparrows = team("Sparrows", schools.one)
    refused = await act(client, tournament, "entrants", by=TEACHER, **sparrows)
    assert "entrust" in problem(refused, FORBIDDEN, "not-yourself").detail
    shown = await entrust(schools, schools.one, TEACHER)
    assert shown.json()["accounts"] == [TEACHER]
    assert (await me(client, schools.federation, TEACHER))["homes"] == [
        {"id": schools.one, "kind": "school", "name": "Gymnázium"}
    ]
    entered = await done(client, tournament, "entrants", by=TEACHER, **sparrows)
    problem(
        await act(client, tournament, "entrants", by=TEACHER, **team("Owls", schools.other)), FORBIDDEN, "not-yourself"
    )
    asked = await done(
        client, tournament, "entrants", entered["id"], "waivers", "request", by=TEACHER, ground="host-school"
    )
    assert asked["waivers"] == [
        {"ground": "host-school", "status": "requested", "asked": {"subject": TEACHER, "capacity": "school"}}
    ]
    refused = await act(
        client, tournament, "entrants", entered["id"], "waivers", "grant", by=TEACHER, ground="host-school"
    )
    problem(refused, FORBIDDEN, "not-permitted")
    (listed,) = (await client.get(path(tournament, "entries"))).json()["items"]
    assert (listed["entered_by"], listed["waivers"]) == ({"subject": TEACHER, "capacity": "school"}, asked["waivers"])
    (shown,) = await mine(client, TEACHER)
    assert (shown["capacity"], shown["entry"]["entrant"]["name"]) == ("school", "Sparrows")
    assert [one["name"] for one in shown["entry"]["entrant"]["persons"]] == ["Sparrows 1", "Sparrows 2", "Sparrows 3"]
    assert shown["entry"]["due"] == [{"amount": 180, "currency": "CZK"}, {"amount": 8, "currency": "EUR"}]
    refused = await act(client, tournament, "entrants", entered["id"], "detail", by=TEACHER, school=schools.other)
    problem(refused, FORBIDDEN, "not-yourself")
    detailed = await done(client, tournament, "entrants", entered["id"], "detail", by=TEACHER, consents=[])
    assert detailed["entrant"]["school"] == schools.one
    assert "no-consent" in [lack["kind"] for lack in detailed["lacks"]]
    captain = entered["persons"][1]["id"]
    await done(client, tournament, "entrants", entered["id"], "name-captain", by=TEACHER, person=captain)
    await done(client, tournament, "entrants", entered["id"], "withdraw", by=TEACHER, reason={"code": "ill"})
    members = [{"id": one["id"], "captain": n == 0} for n, one in enumerate(entered["persons"])]
    back = await done(
        client,
        tournament,
        "entrants",
        by=TEACHER,
        persons=members,
        school=schools.one,
        consents=["rules"],
        team=entered["id"],
    )
    assert back["id"] != entered["id"]
    assert (await entrust(schools, schools.one, TEACHER, "/take-back")).json()["accounts"] == []
    assert await mine(client, TEACHER) == []
    problem(await act(client, tournament, "entrants", back["id"], "withdraw", by=TEACHER), FORBIDDEN, "not-permitted")


@pytest.mark.rule("PQ.REG-23", "PQ.REG-14")
async def test_a_school_takes_nobody_from_another_one_and_stays_in_its_region(schools: Schools) -> None:
    client, tournament = schools.client, await schools.tournament()
    owls = (await schools.enter(tournament, team("Owls", schools.other))).json()
    await entrust(schools, schools.one, TEACHER)
    await entrust(schools, schools.away, TEACHER)
    stolen = team("Sparrows", schools.one)
    stolen["persons"][2] = owls["persons"][0]["id"]
    problem(await act(client, tournament, "entrants", by=TEACHER, **stolen), FORBIDDEN, "not-yourself")
    stolen = team("Sparrows", schools.one, substitutes=[owls["persons"][0]["id"]])
    problem(await act(client, tournament, "entrants", by=TEACHER, **stolen), FORBIDDEN, "not-yourself")
    as_team = team("Sparrows", schools.one, team=owls["id"])
    problem(await act(client, tournament, "entrants", by=TEACHER, **as_team), FORBIDDEN, "not-yourself")
    away = team("Sparrows", schools.away)
    problem(await act(client, tournament, "entrants", by=TEACHER, **away), CONFLICT, "region-not-approved")
    approved = away | {"region_approval": "other"}
    problem(await act(client, tournament, "entrants", by=TEACHER, **approved), FORBIDDEN, "only-officials-say")
    licence = team("Sparrows", schools.one)
    licence["persons"][0]["particulars"] = {"born": "2012-01-01", "licence": "SK-1"}
    problem(await act(client, tournament, "entrants", by=TEACHER, **licence), FORBIDDEN, "only-officials-say")
    assert await mine(client, TEACHER) == []


@pytest.mark.rule("PQ.REG-23")
async def test_a_captain_acts_for_the_team_that_names_them(schools: Schools) -> None:
    client = schools.client
    tournament = await schools.tournament(rules=ruleset(quotas=[], eligibility=[], home_region=False))
    ada, ben = await known(client, schools.federation, ADA), await known(client, schools.federation, BEN, "Ben")
    members = [{"id": ada, "captain": True}, {"name": "Cyril"}, {"name": "Dana"}]
    unled = [{"id": ada}, {"name": "Cyril", "captain": True}, {"name": "Dana"}]
    problem(await act(client, tournament, "entrants", by=ADA, persons=unled), FORBIDDEN, "not-yourself")
    entered = await done(client, tournament, "entrants", by=ADA, persons=members, name="Friends", consents=["rules"])
    (shown,) = await mine(client, ADA)
    assert (shown["capacity"], shown["entry"]["entered_by"]["capacity"]) == ("captain", "captain")
    entrant = path(tournament, "entrants", entered["id"], "entry")
    assert (await client.get(entrant, headers=signed(ADA))).json()["entrant"]["persons"][1]["name"] == "Cyril"
    problem(await client.get(entrant, headers=signed(BEN)), FORBIDDEN, "not-permitted")
    other = entered["persons"][1]["id"]
    (theirs,) = (await client.get(path(tournament, "entries"))).json()["items"]
    assert theirs["entered_by"]["subject"] == ADA, "officials see how the account is called"
    await done(client, tournament, "entrants", entered["id"], "name-captain", by=ADA, person=other)
    pairs = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
    pairs["entry"]["kind"] = "pair"
    pairs["id"] = "pairs"
    cup = await open_cup(client, schools.federation, pairs)
    refused = await act(client, cup, "entrants", by=ADA, persons=[ada, other])
    assert "who has been in an entry of yours" in problem(refused, FORBIDDEN, "not-yourself").detail
    problem(await act(client, tournament, "entrants", entered["id"], "withdraw", by=ADA), FORBIDDEN, "not-permitted")
    assert (await give(client, other, BEN)).status_code == CONFLICT, f"{BEN} is {ben}"
    assert (await give(client, other, "cyril-5")).is_success
    seen = (await client.get(entrant, headers=signed("cyril-5"))).json()
    assert seen["entered_by"] == {"subject": None, "capacity": "captain"}, "and others do not"
    await done(client, tournament, "entrants", entered["id"], "withdraw", by="cyril-5")


@pytest.mark.rule("PQ.REG-23")
async def test_a_captains_token_is_for_the_own_entry_and_nothing_else(database: str, tmp_path: Path) -> None:
    async with service(database, captain_key=str(tmp_path / "key")) as client:
        await captains_token(client)


async def captains_token(client: Client) -> None:
    federation, tournament = await cup(client)
    one, other = [
        (await done(client, tournament, "entrants", person={"name": name}))["id"] for name in ("Ada Nová", "Ben")
    ]
    token = (await done(client, tournament, "entrants", one, "captain", "token"))["token"]
    (shown,) = (await client.get("/v1/me/entries", headers=signed_by(token))).json()["items"]
    assert (shown["entry"]["entrant"]["id"], shown["capacity"]) == (one, "player")
    assert "withdrawEntrant" in allowed(shown)
    for url, body, refusal in (
        (path(tournament, "entrants", other, "withdraw"), {}, "not-permitted"),
        (path(tournament, "entrants"), {"person": {"name": "Cyril"}}, "not-permitted"),
        (f"/v1/federations/{federation}/me", {"name": "Cyril"}, "no-account"),
    ):
        problem(await client.post(url, json=body, headers=signed_by(token)), FORBIDDEN, refusal)
    gone = await client.post(path(tournament, "entrants", one, "withdraw"), json={}, headers=signed_by(token))
    assert gone.json()["status"] == "withdrawn"
