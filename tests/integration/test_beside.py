"""What lies beside the log: a secret is made once and never changed, words can be erased."""

import asyncio
from collections.abc import AsyncGenerator

import asyncpg
import pytest

from deploy.databases import at, connection
from shared.commands.handler import Key
from shared.log.postgres import PostgresStore
from shared.log.store import Answer, Append
from shared.lots.secrets import BYTES, Seeds, known
from shared.personal.notes import Notes
from shared.refusals import Conflict, Unavailable


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
    gone, closed = await notes.keep("cup", "She had gone home."), await notes.keep("cup", "The hall was closed.")
    assert await notes.read("cup", [gone, closed, "n3"]) == {gone: "She had gone home.", closed: "The hall was closed."}
    await notes.erase("cup", gone)
    assert await notes.read("cup", [gone, closed]) == {closed: "The hall was closed."}
    assert await notes.read("cup", []) == {}


async def test_words_belong_to_their_tournament(notes: Notes) -> None:
    gone = await notes.keep("cup", "She had gone home.")
    await notes.erase("other", gone)
    assert await notes.read("other", [gone]) == {}
    assert await notes.read("cup", [gone]) == {gone: "She had gone home."}


async def test_words_that_come_again_with_the_same_act_are_kept_once(notes: Notes) -> None:
    first = await notes.keep("cup", "First.", b"asked")
    assert await notes.keep("cup", "Second.", b"asked") == first
    assert await notes.read("cup", [first]) == {first: "First."}


@pytest.mark.parametrize("key", [None, Key(key=b"key", request=b"asked")])
async def test_words_of_what_is_refused_go(notes: Notes, database: str, key: Key | None) -> None:
    for _ in range(2):  # also when it comes again
        with pytest.raises(Conflict):
            async with notes.kept("cup", "She had gone home.", key):
                raise Conflict
        assert await all_notes(database) == []
    async with notes.kept("cup", "She had gone home.", key) as note:
        pass
    assert await all_notes(database) == [note]


async def test_a_repeated_request_that_is_refused_leaves_the_words_of_the_first(notes: Notes, database: str) -> None:
    key = Key(key=b"key", request=b"asked")
    async with notes.kept("cup", "She had gone home.", key) as note:
        with pytest.raises(Conflict):
            async with notes.kept("cup", "She had gone home.", key):
                raise Conflict
    assert await all_notes(database) == [note]


async def test_words_stay_where_the_same_request_that_came_beside_has_happened(notes: Notes, database: str) -> None:
    store = PostgresStore(database)
    happened = Append(expected={}, events=[], answer=Answer(key=b"key", request=b"", response=b""))

    async def refused_meanwhile() -> None:
        async with notes.kept("cup", "She had gone home.", Key(key=b"key", request=b"asked")):
            await store.append(happened)
            raise Conflict

    async with store.running():
        with pytest.raises(Conflict):
            await refused_meanwhile()
    assert len(await all_notes(database)) == 1


async def test_words_of_what_happened_stay_though_the_same_request_was_refused_beside_it(notes: Notes) -> None:
    key = Key(key=b"key", request=b"asked")

    async def refused() -> None:
        async with notes.kept("cup", "She had gone home.", key):
            begun.set()
            await heard.wait()
            raise Conflict

    begun, heard = asyncio.Event(), asyncio.Event()
    first = asyncio.create_task(refused())
    await begun.wait()
    async with notes.kept("cup", "She had gone home.", key) as note:
        heard.set()
        with pytest.raises(Conflict):
            await first
    assert note is not None
    assert await notes.read("cup", [note]) == {note: "She had gone home."}


async def all_notes(database: str) -> list[str]:
    async with connection(database) as service:
        return [row["id"] for row in await service.fetch("select id from beside.notes")]


async def test_words_that_somebody_has_put_in_their_place_are_none_of_them(
    notes: Notes, database: str, server: str
) -> None:
    note = await notes.keep("cup", "She had gone home.")
    async with connection(at(server, database=database.rpartition("/")[2])) as admin:
        await admin.execute("insert into beside.notes (id, scope, words) values ('n1', 'cup', 'From before.')")
        assert await notes.read("cup", [note, "n1"]) == {note: "She had gone home.", "n1": "From before."}
        for forged in ("words = 'He was sent home.'", "salt = null"):
            await admin.execute(f"update beside.notes set {forged} where id = $1", note)
            assert await notes.read("cup", [note]) == {}


async def test_a_service_that_does_not_run_has_neither(database: str) -> None:
    with pytest.raises(Unavailable):
        await Seeds(database).of("cup")
    with pytest.raises(Unavailable):
        await Notes(database).keep("cup", "words")
