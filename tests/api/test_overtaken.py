"""Who decides by what stands in other streams, and is overtaken there: it is decided anew, on what has happened."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

import httpx
import pytest

from shared.contracts.standings import Qualified
from shared.log.postgres import PostgresStore
from shared.log.store import Append, Head
from tests.api.asking import Client, problem, service
from tests.api.holding import act, done, path
from tests.api.school_days import Schools, ruleset, team
from tests.api.test_one_person import enter, erase, merge, opened, two
from tests.api.test_persons import PERSONS, register
from tests.told import done as reacted
from tests.told import tell
from tests.traces import rows_with

type Act = Callable[[], Awaitable[httpx.Response]]


@asynccontextmanager
async def overtaken(fact: str, meanwhile: Act) -> AsyncGenerator[None]:
    """Somebody else acts at the worst moment: when this fact is decided, and before it is appended."""
    append = PostgresStore.append
    acts = [meanwhile]

    async def late(store: PostgresStore, wanted: Append) -> Head:
        if acts and any(event.type == fact for event in wanted.events):
            answer = await acts.pop()()
            assert answer.is_success, answer.text
        return await append(store, wanted)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(PostgresStore, "append", late)
        yield
    assert not acts, f"no {fact} was to be appended"


async def field(client: Client, tournament: str) -> list[str]:
    """The ids of the persons who take part."""
    listed = (await client.get(path(tournament, "entrants"))).json()["items"]
    return [person["id"] for entrant in listed for person in entrant["persons"]]


async def test_who_is_merged_while_they_are_entered_takes_part_once(client: Client) -> None:
    federation, ada, again = await two(client)
    cup = await opened(client, federation)
    assert (await enter(client, cup, ada)).is_success
    async with overtaken("EntrantEntered", lambda: merge(client, ada, again)):
        refused = await enter(client, cup, again)
    problem(refused, HTTPStatus.PRECONDITION_FAILED, "person-changed-meanwhile")
    assert await field(client, cup) == [ada]
    assert (await enter(client, cup, again)).is_success
    assert await field(client, cup) == [ada]


async def test_who_is_entered_while_they_are_merged_stays_another_person(client: Client) -> None:
    federation, ada, again = await two(client)
    cup = await opened(client, federation)
    assert (await enter(client, cup, ada)).is_success
    async with overtaken("DuplicateTakenOver", lambda: enter(client, cup, again)):
        problem(await merge(client, ada, again), HTTPStatus.CONFLICT, "takes-part-twice")
    assert await field(client, cup) == [ada, again]
    assert (await client.get(f"{PERSONS}/{again}")).json()["id"] == again


async def test_of_two_merges_at_once_the_later_one_sees_whom_the_first_has_brought(client: Client) -> None:
    federation, ada, again = await two(client)
    third = (await register(client, federation, "Augusta King")).json()["id"]
    cup = await opened(client, federation)
    assert (await enter(client, cup, ada)).is_success
    assert (await enter(client, cup, third)).is_success
    async with overtaken("DuplicateTakenOver", lambda: merge(client, again, third)):
        problem(await merge(client, ada, again), HTTPStatus.CONFLICT, "takes-part-twice")


async def test_a_tournament_that_goes_on_does_not_hinder_a_merge(client: Client) -> None:
    federation, ada, again = await two(client)
    cup = await opened(client, federation)
    assert (await enter(client, cup, ada)).is_success
    somebody = {"name": "Grace Hopper"}
    async with overtaken("DuplicateTakenOver", lambda: act(client, cup, "entrants", person=somebody)):
        assert (await merge(client, ada, again)).is_success


async def test_who_is_renamed_while_they_are_entered_is_entered(client: Client) -> None:
    federation, ada, _ = await two(client)
    cup = await opened(client, federation)
    rename = {"name": "Augusta"}
    async with overtaken("EntrantEntered", lambda: client.post(f"{PERSONS}/{ada}/rename", json=rename)):
        assert (await enter(client, cup, ada)).is_success
    assert await field(client, cup) == [ada]


async def test_who_is_erased_while_they_are_entered_is_not_entered(client: Client) -> None:
    federation, ada, _ = await two(client)
    cup = await opened(client, federation)
    async with overtaken("EntrantEntered", lambda: erase(client, ada)):
        problem(await enter(client, cup, ada), HTTPStatus.PRECONDITION_FAILED, "person-changed-meanwhile")
    assert await field(client, cup) == []


async def test_whoever_takes_over_another_one_while_they_are_erased_leaves_no_name_of_either(database: str) -> None:
    async with service(database) as client, service(database) as other:  # in one, the merge would wait for its turn
        _, ada, again = await two(client)
        async with overtaken("PersonErased", lambda: merge(other, ada, again)):
            assert (await erase(client, ada)).is_success
    assert await rows_with(database, "Lovelace") == []


async def test_words_about_an_entry_that_is_made_during_an_erasure_are_erased_too(database: str) -> None:
    async with service(database) as client:
        federation, ada, _ = await two(client)
        cup = await opened(client, federation)
        said = "Her aunt asked for it."
        async with overtaken("PersonErased", lambda: act(client, cup, "entrants", person={"id": ada}, words=said)):
            assert (await erase(client, ada)).is_success
    assert await rows_with(database, "aunt") == []


@pytest.mark.rule("PQ.REG-7")
async def test_who_enters_while_the_series_is_named_claims_in_it(database: str) -> None:
    async with service(database) as client, service(database) as other:
        schools = await Schools(client).found()
        rules = ruleset(fee_for="tournament", home_region=False)
        rules["entry"]["team"]["frozen"] = "tournament"
        area, regional = [await schools.tournament(rules=rules, series=one) for one in (None, "pq-2025")]
        owls = team("Owls", schools.one)
        async with overtaken("SeriesNamed", lambda: act(other, area, "entrants", **owls)):
            await done(client, area, "change-plan", series="pq-2025", reason={"code": "forgotten"})
        (owl, *_) = await field(client, area)
        bats = team("Bats", schools.one) | {"persons": [owl, {"name": "Bob", "particulars": {"born": "2012-01-01"}}]}
        refused = await schools.enter(regional, bats | {"captain": owl})
        problem(refused, HTTPStatus.CONFLICT, "claimed-by-another")


async def test_who_is_merged_while_the_qualified_are_taken_in_takes_part_once(database: str) -> None:
    async with service(database) as client:
        federation, ada, again = await two(client)
        cup, final = [await opened(client, federation, name=name) for name in ("Cup", "Final")]
        entrant = (await enter(client, cup, again)).json()["id"]
        assert (await enter(client, final, ada)).is_success
        told = Qualified(tournament=cup, order=((entrant,),), advance=1, reserves=(), rests_on="reg1.pai1.res1.sta1")
        await tell(database, "standings", cup, told)
        await reacted(database)
        await done(client, cup, "next-level", tournament=final)
        async with overtaken("EntrantEntered", lambda: merge(client, ada, again)):
            refused = await act(client, final, "take-in", tournament=cup)
        problem(refused, HTTPStatus.PRECONDITION_FAILED, "person-changed-meanwhile")
        await done(client, final, "take-in", tournament=cup)
        assert await field(client, final) == [ada]
