"""The live word check, step by step (SK.X-5)."""

from typing import Literal

from services.results.games.tiles.letters import DOUBLE, LETTERS, spelled
from services.results.games.words.closed_sets import CLAUSE_OF
from services.results.games.words.lists import BY_TILES, Loaded
from shared.values import Value

type Verdict = Literal["valid", "invalid", "referee"]

PARTS = frozenset({"TRMA", "VRMA"})  # of an expression with another sign (SK.D36)
BASE_FORMS = (("B5", "10.1.5"), ("B4", "10.5"))  # elements; adjectives of animals (SK.D32)


class Checked(Value):
    """What was decided about a word, and by what."""

    word: str
    verdict: Verdict
    rule: str
    clause: str
    explanation: str
    source: str | None = None  # the list or dictionary, with its edition


def check(word: str, loaded: Loaded) -> Checked:
    tiles = spelled(word)
    decided = by_signs(tiles) or by_length(tiles)
    if decided is not None:
        return decided
    if len(tiles) in BY_TILES:
        return by_list(tiles, loaded)
    return by_closed_sets(tiles, loaded) or by_dictionary(tiles, loaded)


def by_signs(tiles: str) -> Checked | None:
    """Step 1: letters only."""
    strange = sorted({sign for sign in tiles if sign not in LETTERS})
    if not strange:
        return None
    if any(not sign.isalpha() for sign in strange):
        return invalid(tiles, "10.2.10", "It has other signs than letters.")
    detail = f"Neither a tile nor a blank can be {', '.join(strange)}."
    return Checked(word=tiles, verdict="invalid", rule="SK.X-3", clause="17.1", explanation=detail)


def by_length(tiles: str) -> Checked | None:
    """Step 2: one tile is no word, nor is one of the letters that take two."""
    if len(tiles) <= 1 or tiles in DOUBLE:
        return invalid(tiles, "10.2.2", "A single letter is no word, and CH, DZ and DŽ are single letters.")
    return None


def by_list(tiles: str, loaded: Loaded) -> Checked:
    """Step 2: of two to five tiles only the lists decide."""
    name = BY_TILES[len(tiles)]
    clause = "10.1.3" if name == "B2" else "10.1.4"
    words = loaded.lists.get(name)
    if words is not None:
        there = tiles in words.words
        return Checked(
            word=tiles,
            verdict="valid" if there else "invalid",
            rule="SK.X-5",
            clause=clause,
            explanation=f"Of {len(tiles)} tiles only {name} decides, and it is {'' if there else 'not '}there.",
            source=str(words),
        )
    if tiles in PARTS:
        return invalid(tiles, "10.2.10", "It is only a part of an expression with other signs than letters.")
    return referee(tiles, clause, f"Of {len(tiles)} tiles only {name} decides, which is not loaded.")


def by_closed_sets(tiles: str, loaded: Loaded) -> Checked | None:
    """Step 3: what the regulations name themselves."""
    if tiles in CLAUSE_OF:
        return valid(tiles, CLAUSE_OF[tiles], "The regulations name it.")
    for name, clause in BASE_FORMS:
        words = loaded.lists.get(name)
        if words is not None and tiles in words.words:
            return valid(tiles, clause, f"It stands in {name}.", source=str(words))
    return None


def by_dictionary(tiles: str, loaded: Loaded) -> Checked:
    """Step 3: then the dictionary, then the referee."""
    dictionary = loaded.dictionary
    if dictionary is None:
        return referee(tiles, "10.1", "No dictionary is loaded.")
    if tiles in dictionary.words:
        return valid(tiles, "10.1", "The dictionary has it.", source=str(dictionary))
    if dictionary.complete:
        return invalid(tiles, "10.1", "The dictionary does not have it.", source=str(dictionary))
    return referee(tiles, "10.1", f"{dictionary} does not have it, and does not answer for every word.")


def valid(tiles: str, clause: str, explanation: str, *, source: str | None = None) -> Checked:
    return Checked(word=tiles, verdict="valid", rule="SK.X-5", clause=clause, explanation=explanation, source=source)


def invalid(tiles: str, clause: str, explanation: str, *, source: str | None = None) -> Checked:
    return Checked(word=tiles, verdict="invalid", rule="SK.X-5", clause=clause, explanation=explanation, source=source)


def referee(tiles: str, clause: str, explanation: str) -> Checked:
    return Checked(word=tiles, verdict="referee", rule="SK.X-5", clause=clause, explanation=explanation)
