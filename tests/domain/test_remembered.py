"""What was looked up is not looked up again, for a moment or for ever."""

import asyncio
from types import SimpleNamespace

import pytest

from shared import cache
from shared.cache import FOR_EVER, MOST_REMEMBERED, LoadingCache, LruCache, lasting


class Book:
    """Counts how often somebody looks something up."""

    def __init__(self, **entries: str) -> None:
        self.entries = entries
        self.looks = 0

    async def look_up(self, word: str) -> str | None:
        self.looks += 1
        await asyncio.sleep(0)
        return self.entries.get(word)


async def test_what_cannot_change_is_looked_up_once() -> None:
    book = Book(go="weiqi")
    remembered = LoadingCache(book.look_up, seconds=lasting)
    assert [await remembered.of("go") for _ in range(3)] == ["weiqi"] * 3
    assert book.looks == 1


async def test_what_is_not_there_is_looked_up_again() -> None:
    book = Book()
    remembered = LoadingCache(book.look_up, seconds=lasting)
    assert await remembered.of("go") is None
    book.entries["go"] = "weiqi"
    assert await remembered.of("go") == "weiqi"


async def test_what_was_remembered_long_enough_is_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(cache, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    book = Book(go="weiqi")
    remembered = LoadingCache(book.look_up, seconds=lambda _: 2.0)
    assert await remembered.of("go") == "weiqi"
    book.entries["go"] = "baduk"
    clock[0] += 1.9
    assert await remembered.of("go") == "weiqi"
    clock[0] += 0.2
    assert await remembered.of("go") == "baduk"


async def test_whoever_wants_it_as_it_is_gets_it_so() -> None:
    book = Book(go="weiqi")
    remembered = LoadingCache(book.look_up, seconds=lambda _: FOR_EVER)
    await remembered.of("go")
    book.entries["go"] = "baduk"
    assert await remembered.now("go") == "baduk"
    assert await remembered.of("go") == "baduk"


async def test_one_looks_it_up_for_all_who_wait() -> None:
    book = Book(go="weiqi")
    remembered = LoadingCache(book.look_up, seconds=lambda _: 0.0)
    assert await asyncio.gather(*(remembered.of("go") for _ in range(10))) == ["weiqi"] * 10
    assert book.looks == 1


async def test_when_whoever_looks_it_up_for_all_has_gone_another_one_does() -> None:
    book = Book(go="weiqi")
    remembered = LoadingCache(book.look_up, seconds=lambda _: FOR_EVER)
    first, *others = [asyncio.create_task(remembered.of("go")) for _ in range(3)]
    await asyncio.sleep(0)
    first.cancel()
    assert await asyncio.gather(*others) == ["weiqi"] * 2
    assert first.cancelled()


async def test_a_look_that_fails_fails_for_all_who_wait_and_for_nobody_after_them() -> None:
    tries: list[str] = []

    async def fail_at_first(word: str) -> str:
        tries.append(word)
        await asyncio.sleep(0)
        if len(tries) == 1:
            raise LookupError(word)
        return "weiqi"

    remembered = LoadingCache(fail_at_first, seconds=lambda _: FOR_EVER)
    found = await asyncio.gather(*(remembered.of("go") for _ in range(3)), return_exceptions=True)
    assert [type(one) for one in found] == [LookupError] * 3
    assert await remembered.of("go") == "weiqi"


async def test_only_so_much_is_remembered() -> None:
    book = Book(go="weiqi")
    remembered = LoadingCache(book.look_up, seconds=lambda _: FOR_EVER)
    await remembered.of("go")
    for number in range(MOST_REMEMBERED):
        await remembered.of(str(number))
    looks = book.looks
    await remembered.of("go")
    assert book.looks == looks + 1


def test_what_weighs_much_takes_the_room_of_many() -> None:
    words = LruCache[int, str](10, len)
    for number, word in enumerate(["go", "weiqi", "gui"]):
        words.put(number, word)
    assert words.get(0) == "go"  # which was asked for last
    words.put(3, "ab")
    assert [number for number in range(4) if number in words] == [0, 2, 3]
    words.put(2, "g")
    words.put(4, "chess")
    assert [number for number in range(5) if number in words] == [0, 2, 3, 4]
    words.put(5, "the longest word of all")
    assert [number for number in range(6) if number in words] == [5], "the last one stays, however much it weighs"
    assert words.pop(5)
    words.put(6, "a" * 10)
    words.clear()
    words.put(7, "b" * 10)
    assert words.get(7) == "b" * 10
