"""A federation posts rules of its own: checked, kept in versions, and played by for ever as they were announced."""

from http import HTTPStatus
from typing import Any

import httpx
import pytest

from shared.rulesets import catalogue
from tests.api.asking import Client, founded, issuer, problem
from tests.api.holding import ANNOUNCED, TOURNAMENTS, announce
from tests.api.signing import signed_by
from tests.api.test_officials import appoint


@pytest.fixture
def client(new_client: Client) -> Client:
    """Each test counts what there is."""
    return new_client


RULESETS = "/v1/rulesets"


def rules(**said: Any) -> dict[str, Any]:
    return catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json") | {"id": "kosice-scrabble"} | said


async def post(client: Client, federation: str, ruleset: dict[str, Any], **query: str) -> httpx.Response:
    return await client.post(RULESETS, json={"federation": federation, "ruleset": ruleset}, params=query)


async def test_rules_of_a_federation_are_listed_beside_the_catalogue(client: Client) -> None:
    federation = await founded(client, "Košice")
    posted = await post(client, federation, rules(title="Košice Scrabble"))
    assert posted.status_code == HTTPStatus.OK, posted.text
    await post(client, federation, rules(title="Košice Scrabble anew", version="2"))
    last = await post(client, federation, rules(id="another", title="Another"))
    after_it = {"Roundlog-Min-Position": last.headers["Roundlog-Position"]}
    items = (await client.get(RULESETS, headers=after_it)).json()["items"]
    assert [item["id"] for item in items] == sorted(["another", "kosice-scrabble", *catalogue.ids()])
    (own,) = [item for item in items if item["id"] == "kosice-scrabble"]
    assert (own["title"], own["version"], own["versions"]) == ("Košice Scrabble anew", "2", ["1", "2"])
    assert own["federation"] == federation
    pages = [item["id"] for after in ("", "another") for item in await page_of(client, after)]
    assert pages == ["another", "carcassonne-cz-final"]
    shown = await client.get(f"{RULESETS}/kosice-scrabble")
    assert shown.json()["title"] == "Košice Scrabble anew"
    first = await client.get(f"{RULESETS}/kosice-scrabble", params={"version": "1"})
    assert first.json()["title"] == "Košice Scrabble"
    missing = await client.get(f"{RULESETS}/kosice-scrabble", params={"version": "7"})
    assert "there are 1, 2" in problem(missing, HTTPStatus.NOT_FOUND, "version-unknown").detail


async def page_of(client: Client, after: str) -> list[dict[str, Any]]:
    return (await client.get(RULESETS, params={"limit": 1, "after": after})).json()["items"]


async def test_all_that_is_wrong_with_rules_is_named_at_once(client: Client) -> None:
    federation = await founded(client, "Košice")
    wrong = rules(game="chess", version=7, what="else")
    refused = await post(client, federation, wrong)
    problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    assert {fault["pointer"] for fault in refused.json()["errors"]} == {
        "/ruleset/game",
        "/ruleset/version",
        "/ruleset/what",
    }
    unfit = rules(options={"pairing.meetings": 9})
    refused = await post(client, federation, unfit)
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/ruleset/options/pairing.meetings"]


async def test_what_was_posted_stays_as_it_is(client: Client) -> None:
    federation, other = await founded(client, "Košice"), await founded(client, "Žilina")
    first = await post(client, federation, rules())
    assert (await post(client, federation, rules())).headers["ETag"] == first.headers["ETag"] == '"1"'
    refused = await post(client, federation, rules(title="Other"))
    assert "another version" in problem(refused, HTTPStatus.CONFLICT, "version-taken").detail
    problem(await post(client, other, rules(version="2")), HTTPStatus.CONFLICT, "ruleset-taken")
    problem(await post(client, federation, rules(id="gomoku-cfp")), HTTPStatus.CONFLICT, "ruleset-taken")


async def test_only_directors_and_the_council_post_rules(client: Client) -> None:
    federation = await founded(client, "Košice")
    await appoint(client, federation, "otto", "coordinator")
    body = {"federation": federation, "ruleset": rules()}
    refused = await client.post(RULESETS, json=body, headers=signed_by(issuer().token("otto")))
    problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")


async def test_rules_that_are_only_tried_are_not_posted(client: Client) -> None:
    federation = await founded(client, "Košice")
    tried = await post(client, federation, rules(), dry_run="true")
    assert tried.json() == {
        "changes": ["Version 1 of kosice-scrabble is what new tournaments are held by."],
        "lost": [],
    }
    problem(await client.get(f"{RULESETS}/kosice-scrabble"), HTTPStatus.NOT_FOUND, "ruleset-unknown")


@pytest.mark.rule("PQ.X-4")
async def test_a_tournament_keeps_the_version_that_it_was_announced_with(client: Client) -> None:
    federation = await founded(client, "Košice")
    entry = rules()["entry"]
    await post(client, federation, rules(entry=entry | {"size": {"least": 2, "most": 8}}))
    first = (await announce(client, federation, ruleset="kosice-scrabble")).json()
    await post(client, federation, rules(version="2", entry=entry | {"size": {"least": 2, "most": 16}}))
    assert (await client.get(f"/v1/tournaments/{first['id']}")).json()["places"] == 8
    assert (await announce(client, federation, ruleset="kosice-scrabble")).json()["places"] == 16
    older = await announce(client, federation, ruleset="kosice-scrabble", ruleset_version="1")
    assert older.json()["places"] == 8
    refused = await announce(client, federation, ruleset="kosice-scrabble", ruleset_version="3")
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/ruleset_version"]


async def test_who_announces_again_under_the_same_key_has_announced_once_also_when_the_rules_were_withdrawn(
    client: Client,
) -> None:
    federation = await founded(client, "Košice")
    await post(client, federation, rules())
    said = {"federation": federation, **ANNOUNCED, "ruleset": "kosice-scrabble"}
    headers = signed_by(issuer().token()) | {"Idempotency-Key": "once"}
    first = await client.post(TOURNAMENTS, json=said, headers=headers)
    await client.post(f"{RULESETS}/kosice-scrabble/withdraw", json={"federation": federation})
    again = await client.post(TOURNAMENTS, json=said, headers=headers)
    assert (again.status_code, again.content) == (HTTPStatus.CREATED, first.content)


async def test_what_was_withdrawn_holds_where_it_holds_and_nowhere_else(client: Client) -> None:
    federation, other = await founded(client, "Košice"), await founded(client, "Žilina")
    for version in "12":
        await post(client, federation, rules(version=version))
    playing = (await announce(client, federation, ruleset="kosice-scrabble")).json()["id"]
    path = f"{RULESETS}/kosice-scrabble"
    problem(await client.post(f"{path}/withdraw", json={"federation": other}), HTTPStatus.NOT_FOUND, "not-posted")
    withdrawn = await client.post(f"{path}/withdraw", json={"federation": federation, "version": "2"})
    assert withdrawn.json()["versions"] == ["1"]
    assert (await client.get(path)).json()["version"] == "1"
    assert (await client.get(path, params={"version": "2"})).json()["version"] == "2"
    refused = await announce(client, federation, ruleset="kosice-scrabble", ruleset_version="2")
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/ruleset_version"]
    all_of_it = await client.post(f"{path}/withdraw", json={"federation": federation})
    assert all_of_it.json()["versions"] == []
    after_it = {"Roundlog-Min-Position": all_of_it.headers["Roundlog-Position"]}
    listed = (await client.get(RULESETS, headers=after_it)).json()["items"]
    assert [item["id"] for item in listed] == sorted(catalogue.ids())
    refused = await announce(client, federation, ruleset="kosice-scrabble")
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/ruleset"]
    opened = await client.post(f"/v1/tournaments/{playing}/open")
    assert (opened.status_code, opened.json()["ruleset"]) == (HTTPStatus.OK, "kosice-scrabble")
    back = await post(client, federation, rules())
    assert back.json()["versions"] == ["1"]
    assert (await announce(client, federation, ruleset="kosice-scrabble")).status_code == HTTPStatus.CREATED
    problem(await post(client, federation, rules(title="x", version="2")), HTTPStatus.CONFLICT, "version-taken")
