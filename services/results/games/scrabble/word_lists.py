"""Word lists are records of their edition. They come in only whole and right, or with a reason why not."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from services.results.games.scrabble.tiles import FOREIGN, SLOVAK, spelled, tiles_of
from shared.faults import Faulty, InputFault, at
from shared.values import Value

SENTENCE = "This word list is not taken as it is: mend what errors name, or give a reason to override them (SK.X-4)."
ALPHABET = SLOVAK | {"W", "Q"}  # other foreign letters are named with the import (SK.D30)

TILES: Mapping[str, int | None] = {"B2": 2, "B3": 3, "B4": None, "B5": None, "B6": 4, "B7": 5}
DICTIONARY = "dictionary"
BY_TILES = {tiles: name for name, tiles in TILES.items() if tiles is not None}


class WordList(Value):
    name: str
    edition: str
    dated: str
    words: frozenset[str]  # in capitals
    override: str | None = None  # why it was taken in spite of its faults
    faults: tuple[InputFault, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}, edition {self.edition} of {self.dated}"


class Dictionary(Value):
    """What a program such as El Siño answers. A complete one answers for every word, so what it lacks is invalid (SK.D33)."""

    name: str
    dated: str
    words: frozenset[str]  # in capitals, inflected forms as well
    complete: bool

    def __str__(self) -> str:
        return f"{self.name} of {self.dated}"


class Loaded(Value):
    """What a tournament is bound to."""

    lists: Mapping[str, WordList] = msgspec.field(default_factory=dict[str, WordList])
    dictionary: Dictionary | None = None


def loaded(*lists: WordList, dictionary: Dictionary | None = None) -> Loaded:
    return Loaded(lists={one.name: one for one in lists}, dictionary=dictionary)


def words_in(text: str) -> tuple[str, ...]:
    """Of a printed list: apart by spaces, lines or commas."""
    return tuple(re.findall(r"[^\s,;]+", text))


def import_list(
    *,
    name: str,
    edition: str,
    dated: str,
    declared: int,
    words: Sequence[str],
    foreign: str = "",
    override: str | None = None,
) -> WordList:
    """All that is wrong is named at once. With a reason the list comes in all the same, without what no list has.

    `foreign` names those of Ö, Ü, Ě and Ř that the edition has in its words.
    """
    if name not in TILES:
        raise Faulty(SENTENCE, [InputFault("/name", f"is no list of words: there is {', '.join(TILES)}")])
    alphabet = ALPHABET | (frozenset(spelled(foreign)) & FOREIGN)
    bad = dict(impossible(words, alphabet, TILES[name]))
    kept = frozenset(spelled(word) for index, word in enumerate(words) if index not in bad)
    faults = (
        *(InputFault("/declared", detail) for detail in miscounted(declared, len(kept))),
        *(InputFault(at("words", index), detail) for index, detail in sorted({**bad, **dict(repeated(words))}.items())),
    )
    if faults and override is None:
        raise Faulty(SENTENCE, faults)
    return WordList(
        name=name,
        edition=edition,
        dated=dated,
        words=kept,
        override=override if faults else None,
        faults=faults,
    )


def import_dictionary(*, name: str, dated: str, words: Sequence[str], complete: bool) -> Dictionary:
    """Words that cannot be laid do no harm in it."""
    return Dictionary(name=name, dated=dated, words=frozenset(map(spelled, words)), complete=complete)


def miscounted(declared: int, different: int) -> Iterator[str]:
    if declared != different:
        yield f"is {declared}, and there are {different} different words that can be"


def impossible(words: Sequence[str], alphabet: frozenset[str], tiles: int | None) -> Iterator[tuple[int, str]]:
    for index, word in enumerate(words):
        found = tiles_of(word)
        strange = sorted({tile for tile in found if tile not in alphabet})
        if strange:
            yield index, f"{word!r} has {', '.join(map(repr, strange))}, which no word of this list can have"
        elif not found or (tiles is not None and len(found) != tiles):
            yield index, f"{word!r} has {len(found)} tiles instead of {tiles or 'some'}"


def repeated(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    first: dict[str, int] = {}
    for index, word in enumerate(map(spelled, words)):
        if index != (before := first.setdefault(word, index)):
            yield index, f"{words[index]!r} stands here again, after {at('words', before)}"
