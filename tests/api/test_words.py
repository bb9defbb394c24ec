"""Words: judged by the editions that a federation has taken in and a tournament plays by."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from http import HTTPStatus
from typing import Any

import httpx
import msgspec
import pytest

from services.results.api.words.bodies import MOST_WORDS
from services.results.games.scrabble.word_lists import words_in
from shared.access.roles import Role
from shared.contracts.registration import RegistrationOpened
from tests.api.asking import Client, issuer, pointers, problem, service
from tests.api.hall import started
from tests.api.hearing import announced, appointed
from tests.api.signing import signed_by
from tests.told import done, tell
from tests.words import UNDAMAGED

FEDERATION, CUP = "sss", "cup"
B2 = " ".join(UNDAMAGED)
LISTS = f"/v1/federations/{FEDERATION}/word-lists"
BOUND = f"/v1/tournaments/{CUP}/word-lists"
LATER = datetime.fromisoformat("2126-01-01T09:00:00Z")


@asynccontextmanager
async def results(database: str) -> AsyncGenerator[Client]:
    """Asked by somebody of the council, who directs the cup as well."""
    officials = [appointed(FEDERATION, "cora", Role.COUNCIL), appointed(FEDERATION, "cora", Role.DIRECTOR)]
    async with service(database, name="results") as client:
        await tell(database, "registration", FEDERATION, *officials)
        await tell(database, "registration", CUP, announced(CUP, FEDERATION))
        await done(database)
        client.headers.update(signed_by(issuer().token("cora")))
        yield client


def edition(name: str = "B5", number: str = "03", words: str = "hélium xenón", **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "edition": number,
        "dated": "2022-10-17",
        "declared": len(words_in(words)),
        "words": words,
    } | more


async def take(client: Client, **said: Any) -> httpx.Response:
    return await client.post(LISTS, json=edition(**said))


async def verdict(client: Client, word: str, **query: Any) -> tuple[str, str | None]:
    answer = await client.get(f"/v1/words/{word}", params=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()["verdict"], answer.json()["source"]


@pytest.mark.rule("SK.X-4")
async def test_a_word_is_judged_by_the_editions_that_are_named(database: str) -> None:
    async with results(database) as client:
        taken = (await take(client, name="B2", number="09", words=B2)).json()
        assert (taken["id"], taken["words"]) == (f"{FEDERATION}.B2.09", len(words_in(B2)))
        anybody = {"edition": taken["id"]}
        assert await verdict(client, "už", **anybody) == ("valid", "B2, edition 09 of 2022-10-17")
        assert await verdict(client, "xx", **anybody) == ("invalid", "B2, edition 09 of 2022-10-17")
        assert await verdict(client, "už") == ("referee", None)
        assert await verdict(client, "ypsilon") == ("valid", None)
        problem(
            await client.get("/v1/words/už", params={"edition": f"{FEDERATION}.B2.10"}),
            HTTPStatus.NOT_FOUND,
            "edition-unknown",
        )


@pytest.mark.rule("SK.X-4")
async def test_a_list_that_is_counted_or_spelled_wrong_is_taken_only_for_a_reason(database: str) -> None:
    async with results(database) as client:
        wrong = edition(words="hélium xenon42 hélium", declared=3)
        refused = await client.post(LISTS, json=wrong)
        problem(refused, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/declared", "/words/1", "/words/2"]
        assert (await client.get(LISTS)).json() == {"editions": []}
        overridden = await client.post(LISTS, json=wrong | {"override": "The printer will mend it."})
        assert (overridden.json()["words"], overridden.json()["faults"]) == (1, 3)


async def test_looking_at_a_list_takes_nothing_in(database: str) -> None:
    async with results(database) as client:
        looked_at = await client.post(f"{LISTS}?dry_run=true", json=edition())
        assert looked_at.json()["words"] == 2
        assert (await client.get(LISTS)).json() == {"editions": []}
        problem(await client.post(LISTS, json=edition(declared=None)), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")


@pytest.mark.rule("SK.X-4")
async def test_an_edition_never_changes(database: str) -> None:
    async with results(database) as client:
        first, again = await take(client), await take(client)
        assert (first.json(), first.headers["ETag"]) == (again.json(), again.headers["ETag"])
        changed = await take(client, words="hélium")
        problem(changed, HTTPStatus.CONFLICT, "edition-taken-already")


@pytest.mark.rule("SK.X-4")
async def test_a_tournament_plays_by_what_its_federation_had_when_it_started(database: str) -> None:
    async with results(database) as client:
        await take(client, number="03", words="hélium")
        await take(client, number="04", words="xenón")
        assert (await client.get(BOUND)).json() == {"editions": {"B5": f"{FEDERATION}.B5.04"}}
        chosen = await client.post(BOUND, json={"editions": [f"{FEDERATION}.B5.03"]})
        assert chosen.json() == {"editions": {"B5": f"{FEDERATION}.B5.03"}}
        assert (await verdict(client, "hélium", tournament=CUP))[0] == "valid"
        two = await client.post(BOUND, json={"editions": [f"{FEDERATION}.B5.03", f"{FEDERATION}.B5.04"]})
        problem(two, HTTPStatus.UNPROCESSABLE_ENTITY, "two-editions")
        await tell(database, "registration", CUP, started())
        late = await client.post(BOUND, json={"editions": [f"{FEDERATION}.B5.04"]})
        problem(late, HTTPStatus.CONFLICT, "tournament-has-started")


@pytest.mark.rule("SK.X-4")
async def test_lists_that_came_in_after_the_start_do_not_count_for_a_tournament(database: str) -> None:
    async with results(database) as client:
        await take(client, number="03", words="hélium")
        await tell(database, "registration", CUP, started(), at=LATER)
        await take(client, number="04", words="xenón")
        assert (await client.get(BOUND)).json()["editions"] == {"B5": f"{FEDERATION}.B5.04"}
        other = msgspec.structs.replace(started(), tournament="open")
        await tell(database, "registration", "open", announced("open", FEDERATION), other)
        await take(client, number="05", words="neón")
        assert (await client.get("/v1/tournaments/open/word-lists")).json()["editions"] == {"B5": f"{FEDERATION}.B5.04"}


async def test_by_what_a_draft_plays_is_for_officials_until_registration_is_opened(database: str) -> None:
    async with results(database) as client:
        await take(client)
        others = ({"Authorization": ""}, signed_by(issuer().token("mallory")))
        for headers in others:
            problem(await client.get(BOUND, headers=headers), HTTPStatus.NOT_FOUND, "not-announced")
        shown = (await client.get(BOUND)).json()
        assert shown == {"editions": {"B5": f"{FEDERATION}.B5.03"}}
        await tell(database, "registration", CUP, RegistrationOpened(tournament=CUP))
        assert [(await client.get(BOUND, headers=headers)).json() for headers in others] == [shown, shown]


async def test_so_many_words_are_judged_at_once_and_no_more(database: str) -> None:
    async with results(database) as client:
        await take(client, name="B2", number="09", words=B2)
        words = (words_in(B2) * 10)[:MOST_WORDS]
        asked = {"words": words, "editions": [f"{FEDERATION}.B2.09"]}
        answer = await client.post("/v1/words/check", json=asked)
        assert [one["verdict"] for one in answer.json()["words"]] == ["valid"] * 500
        one_more = await client.post("/v1/words/check", json=asked | {"words": [*words, "ok"]})
        assert "500" in one_more.text
        assert pointers(one_more) == ["/words"]


async def test_nobody_makes_work_with_a_large_body_where_nobody_has_to_sign_in(database: str) -> None:
    async with service(database, name="results", signed_in=False) as client:
        padded = b'{"words": ["ok"]%s}'
        least = len(padded) - len(b"%s")
        largest = padded % (b" " * (2**16 - least))
        headers = {"Content-Type": "application/json"}
        answer = await client.post("/v1/words/check", content=largest, headers=headers)
        assert answer.status_code == HTTPStatus.OK
        answer = await client.post("/v1/words/check", content=largest + b" ", headers=headers)
        assert "65536" in problem(answer, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large").detail
        for body in ({"words": ["x" * 100] * 400}, {f"{number}": 0 for number in range(4_000)}):
            told = await client.post("/v1/words/check", json=body)
            assert len(told.content) < 20_000
            assert told.json()["detail"].endswith("There are more than these 100.")
