"""What lies beside the log: a secret is made once and never changed, words can be erased."""

import asyncio
from collections.abc import AsyncGenerator

import asyncpg
import pytest

from deploy.databases import connection
from shared.lots.secrets import BYTES, Seeds, known
from shared.personal.notes import Notes
from shared.refusals import Unavailable


@pytest.fixture
async def notes(database: str) -> AsyncGenerator[Notes]:
    notes = Notes(database)
    async with notes.running():
        yield notes


async def test_copies_of_a_service_that_need_a_secret_at_once_get_the_same(database: str) -> None:
    copies = [Seeds(database) for _ in range(4)]
    async with copies[0].running(), copies[1].running(), copies[2].running(), copies[3].running():
        found = await asyncio.gather(*(copy.of("cup") for copy in copies))
        assert len(set(found)) == 1
        assert len(found[0]) == BYTES
        assert await copies[0].of("other") != found[0]
    async with connection(database) as inbox:
        assert await known(inbox, "cup") == found[0]
        assert await known(inbox, "nothing") is None


async def test_a_secret_is_neither_changed_nor_deleted_by_the_service(database: str) -> None:
    seeds = Seeds(database)
    async with seeds.running(), connection(database) as service:
        await seeds.of("cup")
        for forbidden in ("update beside.seeds set seed = ''", "delete from beside.seeds", "truncate beside.seeds"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await service.execute(forbidden)


async def test_words_are_kept_read_and_erased(notes: Notes) -> None:
    await notes.keep("cup", "n1", "She had gone home.")
    await notes.keep("cup", "n2", "The hall was closed.")
    assert await notes.read("cup", ["n1", "n2", "n3"]) == {"n1": "She had gone home.", "n2": "The hall was closed."}
    await notes.erase("cup", "n1")
    assert await notes.read("cup", ["n1", "n2"]) == {"n2": "The hall was closed."}
    assert await notes.read("cup", []) == {}


async def test_words_belong_to_their_tournament(notes: Notes) -> None:
    await notes.keep("cup", "n1", "She had gone home.")
    await notes.erase("other", "n1")
    assert await notes.read("other", ["n1"]) == {}
    assert await notes.read("cup", ["n1"]) == {"n1": "She had gone home."}


async def test_words_that_come_again_with_the_same_act_are_kept_once(notes: Notes) -> None:
    await notes.keep("cup", "n1", "First.")
    await notes.keep("cup", "n1", "Second.")
    assert await notes.read("cup", ["n1"]) == {"n1": "First."}


async def test_a_service_that_does_not_run_has_neither(database: str) -> None:
    with pytest.raises(Unavailable):
        await Seeds(database).of("cup")
    with pytest.raises(Unavailable):
        await Notes(database).keep("cup", "n1", "words")
