"""Whatever does not have the form that is documented: refused, and told where the fault is."""

import json
from http import HTTPStatus
from typing import Any

import httpx

from services.registration.domain.names import LONGEST_NAME
from shared.faults import MOST_FAULTS
from shared.http.limits import MOST_VALUES
from tests.api.asking import FEDERATIONS, Client, found, founded, listed, pointers, problem, rename
from tests.api.holding import announce, opened, path

MALFORMED = {
    "{}": "/name",
    '{"name": null}': "/name",
    '{"name": 7}': "/name",
    '{"name": ["Go"]}': "/name",
    '{"name": ""}': "/name",
    '{"name": "\\ud800"}': "/name",
    '{"name": "Go", "direktor": "anna"}': "/direktor",
    json.dumps({"name": "x" * (LONGEST_NAME + 1)}): "/name",
    json.dumps({"name": "x" * 500_000}): "/name",
    '{"name": "Go\\u0000"}': "",
    '{"name": "\\\\\\u0000"}': "",
    "": "",
    "null": "",
    "[]": "",
    '"Go"': "",
}
NO_JSON = [b'{"name": ', b"{'name': 'Go'}", b"\x00", b'{"name": "a\x00b"}', b'{"name": "Go"} {}', b"\xff\xfe"]
HARDLY_JSON = [b'{"name": "\xff"}', '{"name": "Žilina"}'.encode("latin2"), b"[" * 100_000, b"9" * 5_000]


async def post(client: Client, body: str | bytes) -> httpx.Response:
    return await client.post(FEDERATIONS, content=body, headers={"Content-Type": "application/json"})


async def test_a_page_that_cannot_be_is_refused(client: Client) -> None:
    for limit in ("0", "-1", "501", "many", "9" * 5000, "\x00"):
        assert pointers(await client.get(FEDERATIONS, params={"limit": limit})) == ["/query/limit"]


async def test_texts_are_measured_in_characters(client: Client) -> None:
    key = await client.post(FEDERATIONS, json={"name": "Go"}, headers={"Idempotency-Key": "x" * 256})
    words = await client.get("/v1/tournaments", params={"words": "x" * 201})
    assert [answer.json()["errors"][0]["detail"] for answer in (key, words)] == [
        "should have at most 255 characters, not 256",
        "should have at most 200 characters, not 201",
    ]


async def test_a_text_of_another_form_is_told_which_one_in_words(client: Client) -> None:
    tournament = await opened(client)
    payment = {"amount": 13, "currency": "eur", "on": "2026-11-10", "reference": "receipt of Alžbeta"}
    answer = await client.post(f"{path(tournament)}/entrants/e-1/payments", json=payment)
    assert {fault["pointer"]: fault["detail"] for fault in answer.json()["errors"]} == {
        "/currency": "should be the code of a currency, such as EUR",
        "/reference": "should be of letters without accents, digits and signs, without spaces",
    }


async def test_a_parameter_with_another_word_than_it_has_is_named_once(client: Client) -> None:
    federation = await founded(client, "Go")
    plan = {"federation": federation, "name": "Cup", "ruleset": "othello-pl-2021", "time_zone": "UTC"}
    announced = await client.post("/v1/tournaments", json={**plan, "starts_on": "2099-05-04"})
    answer = await client.get(f"/v1/tournaments/{announced.json()['id']}/cash", params={"format": "xml"})
    assert answer.json()["errors"] == [{"in": "query", "pointer": "/format", "detail": "should be 'csv' or 'page'"}]


async def test_a_parameter_that_an_operation_does_not_have_is_refused(new_client: Client) -> None:
    assert pointers(await new_client.get(FEDERATIONS, params={"limit": "5", "name": "Go"})) == ["/query/name"]
    mistyped = await new_client.post(
        f"{FEDERATIONS}/{await founded(new_client, 'Go')}/rename?dryrun=true", json={"name": "Chess"}
    )
    assert pointers(mistyped) == ["/query/dryrun"]
    await listed(new_client, "Go")


async def test_a_place_that_no_id_can_be_is_refused(new_client: Client) -> None:
    await listed(new_client)
    assert pointers(await new_client.get(FEDERATIONS, params={"after": "\x00"})) == ["/query/after"]


async def test_odd_places_to_go_on_from_are_only_places(new_client: Client) -> None:
    await founded(new_client, "Go")
    await listed(new_client, "Go")
    for after in ("'", "%", "\\", "\U0001f3b2", "x" * 10_000, "';drop table views.federations"):
        response = await new_client.get(FEDERATIONS, params={"after": after})
        assert response.status_code == HTTPStatus.OK


async def test_a_body_of_another_form_is_refused_with_its_faults(client: Client) -> None:
    for body, pointer in MALFORMED.items():
        response = await post(client, body)
        assert pointers(response) == [pointer]
        assert len(response.content) < 1_000


async def test_what_is_no_json_is_refused(client: Client) -> None:
    for body in NO_JSON + HARDLY_JSON:
        response = await post(client, body)
        assert response.headers["Content-Type"] == "application/problem+json"
        assert response.is_client_error


async def test_what_is_no_json_is_malformed_as_a_whole(client: Client) -> None:
    for body in NO_JSON:
        assert pointers(await post(client, body)) == [""]


async def test_a_body_that_is_not_called_json_is_refused(client: Client) -> None:
    response = await client.post(FEDERATIONS, content=b'{"name": "Go"}', headers={"Content-Type": "text/plain"})
    assert pointers(response) == [""]
    assert pointers(await client.post(FEDERATIONS, data={"name": "Go"})) == [""]


async def test_what_takes_a_file_and_is_sent_json_says_so(client: Client) -> None:
    path = f"{FEDERATIONS}/{await founded(client, 'Go')}/persons/import"

    async def send(content: str, media_type: str) -> tuple[str, str]:
        answer = await client.post(path, content=content, headers={"Content-Type": media_type})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, answer.text
        (fault,) = answer.json()["errors"]
        return fault["pointer"], fault["detail"]

    as_json = (
        "is called application/json, and this operation takes a file, as it is: send that, with Content-Type: text/csv"
    )
    assert await send('{"name": "Bob"}', "application/json") == ("", as_json)
    assert await send("name\nBob\n", "application/json; charset=utf-8") == ("", as_json)
    pointer, detail = await send('[{"name": "Bob"}]', "text/csv")
    assert (pointer, detail.partition(" the first line")[0]) == ("/lines/1", "Line 1: is JSON: send CSV:")
    form = '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nname\r\nBob\r\n--x--\r\n'
    assert "a form with a file in it" in (await send(form, "multipart/form-data; boundary=x"))[1]
    uncalled = await client.post(FEDERATIONS, content=b'{"name": "Go"}', headers={"Content-Type": "text/csv"})
    assert "is called text/csv, and this operation takes JSON" in uncalled.json()["errors"][0]["detail"]


async def test_all_faults_are_told_at_once(client: Client) -> None:
    response = await client.post(
        f"{FEDERATIONS}/a%20b/rename", json={"name": ""}, headers={"Idempotency-Key": "x" * 256}
    )
    assert pointers(response) == ["/header/Idempotency-Key", "/name", "/path/federation_id"]


async def test_of_very_many_faults_so_many_are_told_as_somebody_reads(new_client: Client) -> None:
    unknown = {f"unknown {number}": 1 for number in range(40_000)}
    twice = "{" + ",".join(f'"{number}": 1, "{number}": 2' for number in range(10_000)) + "}"
    parameters = "&".join(f"p{number}" for number in range(5_000))
    for answer in (
        await post(new_client, json.dumps(unknown)),
        await post(new_client, twice),
        await new_client.get(f"{FEDERATIONS}?{parameters}"),
    ):
        assert len(pointers(answer)) == MOST_FAULTS
        assert answer.json()["detail"].endswith("There are more than these 100.")
        assert len(answer.content) < 20_000
    await listed(new_client)


async def test_a_body_has_no_more_values_than_anybody_can_need(client: Client) -> None:
    for body in (b"[" + b"1," * MOST_VALUES + b"1]", b" {" + b'"a":1,' * MOST_VALUES + b'"a":1}'):
        answer = await post(client, body)
        assert pointers(answer) == [""]
        assert f"{MOST_VALUES} values" in answer.text
    punctuation = json.dumps({"name": "," * MOST_VALUES})
    assert pointers(await post(client, punctuation)) == ["/name"]


async def test_a_key_is_neither_empty_nor_endless(client: Client) -> None:
    for key in ("", "x" * 256):
        response = await client.post(FEDERATIONS, json={"name": "Go"}, headers={"Idempotency-Key": key})
        assert pointers(response) == ["/header/Idempotency-Key"]


async def test_a_name_that_nobody_can_read_is_refused(new_client: Client) -> None:
    for name in (" ", "\u3000", "\x1b[31mGo", "Go\u200b", "\u202eoG"):
        refused = problem(await found(new_client, name), HTTPStatus.UNPROCESSABLE_ENTITY, "unusable-name")
        assert "printable" in refused.detail
    await listed(new_client)


async def test_an_id_of_odd_characters_is_refused(client: Client) -> None:
    for federation in ("%00", "a%20b", "a%0A", "%C4%8D", "a'b", "x" * 65, "a;b", "_", "%F0%9F%8E%B2", "a%FF"):
        assert pointers(await client.get(f"{FEDERATIONS}/{federation}")) == ["/path/federation_id"]
        problem(await rename(client, federation, "Go"), HTTPStatus.FORBIDDEN, "not-permitted")


async def test_each_operation_says_which_kind_of_body_it_takes(client: Client) -> None:
    tournament = await opened(client)
    as_file, as_json = path(tournament, "entries", "import"), path(tournament, "entrants", "import")
    entrants = {"entrants": [{"person": {"name": "Ada"}}]}
    several: list[tuple[str, dict[str, Any], str]] = [
        (as_file, {"json": entrants}, "text/csv"),
        (
            as_json,
            {"content": "name\r\nAda\r\n", "headers": {"Content-Type": "text/csv; charset=utf-8"}},
            "application/json",
        ),
        (as_json, {"content": b"name=Ada", "headers": {"Content-Type": ""}}, "without Content-Type"),
    ]
    for where, sent, wanted in several:
        refused = await client.post(where, **sent)
        assert pointers(refused) == [""]
        assert wanted in refused.json()["errors"][0]["detail"]
    disguised = await client.post(as_file, content=b'{"entrants": []}', headers={"Content-Type": "text/csv"})
    problem(disguised, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
    assert "is JSON: send CSV" in disguised.json()["errors"][0]["detail"]
    plain = await client.post(as_file, content=b"name\r\nAda\r\n", headers={"Content-Type": "text/plain"})
    assert plain.status_code == HTTPStatus.CREATED


async def test_a_fault_stands_at_what_was_sent_and_says_which_form_is_wanted(client: Client) -> None:
    federation, tournament = await founded(client, "SSS"), await opened(client)
    for query, pointer, words in (
        ({"format": "xml"}, "/query/format", "'csv' or 'page'"),
        ({"format": ""}, "/query/format", "'csv' or 'page'"),
    ):
        refused = await client.get(path(tournament, "attendance"), params=query)
        assert pointers(refused) == [pointer]
        assert words in refused.json()["errors"][0]["detail"]
    day = await client.get("/v1/tournaments", params={"from": "21.11.2026"})
    assert pointers(day) == ["/query/from"]
    assert day.json()["errors"][0]["detail"] == "should be a day such as 2026-11-21"
    wrong = {"starts_on": "next week", "first_round": "9:00", "entries_close": "Thursday", "ruleset": 5}
    refused = await announce(client, federation, **wrong)
    assert pointers(refused) == ["/entries_close", "/first_round", "/ruleset", "/starts_on"]
    said = {fault["pointer"]: fault["detail"] for fault in refused.json()["errors"]}
    assert said == {
        "/starts_on": "should be a day such as 2026-11-21",
        "/first_round": "should be a time of day such as 09:00",
        "/entries_close": "should be a time such as 2026-11-21T09:00:00+01:00",
        "/ruleset": "should be a string, or should be an object",
    }
    assert pointers(await client.post(path(tournament, "start"), json={"decision": "No!"})) == ["/decision"]
    assert pointers(await client.post(path(tournament, "start"), json=[])) == [""]
