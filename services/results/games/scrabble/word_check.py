"""The live word check, step by step (SK.X-5), and the words that the regulations name themselves.

Those are valid whatever a dictionary says (10.1.1, 10.1.2, 10.1.6). Declined forms are those that the named pattern gives
without doubt. Another one is for the dictionary or the referee (SK.D31).
"""

from collections.abc import Iterator
from typing import Literal

from services.results.games.scrabble.tiles import DOUBLE, LETTERS, spelled
from services.results.games.scrabble.word_lists import BY_TILES, Loaded
from shared.values import Value

SYLLABLES = "do re mi fa sol la si"
TONES = "ces cis des dis es eis fes fis ges gis as ais hes his"
GREEK = (
    "alfa beta gama delta epsilon zéta dzeta zeta éta théta ióta kapa lambda mí ní ksí omikron pí ró sigma tau "
    "ypsilon fí chí psí omega"
)
GREEK_LIKE_ZENA = (
    ("alfa", "álf"),
    ("beta", "biet"),
    ("gama", "gám"),
    ("delta", "delt"),
    ("zéta", "zét"),
    ("dzeta", "dziet"),
    ("éta", "ét"),
    ("théta", "théth"),
    ("kapa", "káp"),
    ("lambda", "lámbd"),  # printed as 'lámdb'
    ("sigma", "sigiem"),
    ("omega", "omeg"),
)
SLOVAK_LIKE_MESTO = (
    "áčko béčko céčko déčko éčko efko géčko háčko cháčko íčko jéčko káčko elko emko enko óčko péčko erko esko téčko "
    "účko véčko iksko ixko zetko"
)
LONG = frozenset("áéíóúý")


def like_zena(word: str, plural_genitive: str) -> Iterator[str]:
    """žena: after a long syllable the endings -ám and -ách are short."""
    stem = word.removesuffix("a")
    a = "a" if ends_long(stem) else "á"
    yield from (stem + ending for ending in ("a", "y", "e", "u", "ou", f"{a}m", f"{a}ch", "ami"))
    yield plural_genitive


def like_mesto(word: str) -> Iterator[str]:
    """mesto: with -u in the locative after k. The genitive of the plural is no mere ending."""
    stem = word.removesuffix("o")
    a = "a" if ends_long(stem) else "á"
    yield from (stem + ending for ending in ("o", "a", "u", "om", a, f"{a}m", f"{a}ch", "ami"))


def like_dub(word: str) -> Iterator[str]:
    """dub: the genitive of the singular may be -a or -u; -u is a form in any case, as the dative."""
    yield from (word + ending for ending in ("", "u", "e", "om", "y", "ov", "och", "mi"))


def ends_long(stem: str) -> bool:
    """Whether the last vowel of the stem is long."""
    return next((sign in LONG for sign in reversed(stem) if sign in LONG or sign in "aeiouyäô"), False)


def named() -> Iterator[tuple[str, str]]:
    """Each form with the clause that allows it."""
    yield from ((word, "10.1.1") for word in f"{SYLLABLES} {TONES}".split())
    yield from ((word, "10.1.2") for word in GREEK.split())
    yield from ((form, "10.1.2") for word, plural in GREEK_LIKE_ZENA for form in like_zena(word, plural))
    yield from ((form, "10.1.2") for form in like_dub("epsilon"))
    yield from ((form, "10.1.6") for word in SLOVAK_LIKE_MESTO.split() for form in like_mesto(word))
    yield from ((form, "10.1.6") for form in like_dub("ypsilon"))


CLAUSE_OF = {spelled(word): clause for word, clause in named()}


type WordVerdict = Literal["valid", "invalid", "referee"]

VERIFIED_FROM = 6  # tiles: of shorter words only the lists decide (SK.X-8)
PARTS = frozenset({"TRMA", "VRMA"})  # of an expression with another sign (SK.D36)
BASE_FORMS = (("B5", "10.1.5"), ("B4", "10.5"))  # elements; adjectives of animals (SK.D32)


class CheckedWord(Value):
    """What was decided about a word, and by what."""

    word: str
    verdict: WordVerdict
    rule: str = "SK.X-5"
    clause: str
    explanation: str
    source: str | None = None  # the list or dictionary, with its edition

    @property
    def may_be_verified(self) -> bool:
        """Whether a referee who has looked it up in the sources goes before this answer (SK.X-8)."""
        return len(self.word) >= VERIFIED_FROM and by_signs(self.word) is None


def check(word: str, loaded: Loaded) -> CheckedWord:
    tiles = spelled(word)
    decided = by_signs(tiles) or by_length(tiles)
    if decided is not None:
        return decided
    if len(tiles) in BY_TILES:
        return by_list(tiles, loaded)
    return by_closed_sets(tiles, loaded) or by_dictionary(tiles, loaded)


def by_signs(tiles: str) -> CheckedWord | None:
    """Step 1: letters only."""
    strange = sorted({sign for sign in tiles if sign not in LETTERS})
    if not strange:
        return None
    if any(not sign.isalpha() for sign in strange):
        return invalid(tiles, "10.2.10", "It has other signs than letters.")
    detail = f"Neither a tile nor a blank can be {', '.join(strange)}."
    return CheckedWord(word=tiles, verdict="invalid", rule="SK.X-3", clause="17.1", explanation=detail)


def by_length(tiles: str) -> CheckedWord | None:
    """Step 2: one tile is no word, nor is one of the letters that take two."""
    if len(tiles) <= 1 or tiles in DOUBLE:
        return invalid(tiles, "10.2.2", "A single letter is no word, and CH, DZ and DŽ are single letters.")
    return None


def by_list(tiles: str, loaded: Loaded) -> CheckedWord:
    """Step 2: of two to five tiles only the lists decide."""
    name = BY_TILES[len(tiles)]
    clause = "10.1.3" if name == "B2" else "10.1.4"
    words = loaded.lists.get(name)
    if words is not None:
        there = tiles in words.words
        return CheckedWord(
            word=tiles,
            verdict="valid" if there else "invalid",
            clause=clause,
            explanation=f"Of {len(tiles)} tiles only {name} decides, and it is {'' if there else 'not '}there.",
            source=str(words),
        )
    if tiles in PARTS:
        return invalid(tiles, "10.2.10", "It is only a part of an expression with other signs than letters.")
    return referee(tiles, clause, f"Of {len(tiles)} tiles only {name} decides, which is not loaded.")


def by_closed_sets(tiles: str, loaded: Loaded) -> CheckedWord | None:
    """Step 3: what the regulations name themselves."""
    if tiles in CLAUSE_OF:
        return valid(tiles, CLAUSE_OF[tiles], "The regulations name it.")
    for name, clause in BASE_FORMS:
        words = loaded.lists.get(name)
        if words is not None and tiles in words.words:
            return valid(tiles, clause, f"It stands in {name}.", source=str(words))
    return None


def by_dictionary(tiles: str, loaded: Loaded) -> CheckedWord:
    """Step 3: then the dictionary, then the referee."""
    dictionary = loaded.dictionary
    if dictionary is None:
        return referee(tiles, "10.1", "No dictionary is loaded.")
    if tiles in dictionary.words:
        return valid(tiles, "10.1", "The dictionary has it.", source=str(dictionary))
    if dictionary.complete:
        return invalid(tiles, "10.1", "The dictionary does not have it.", source=str(dictionary))
    return referee(tiles, "10.1", f"{dictionary} does not have it, and does not answer for every word.")


def valid(tiles: str, clause: str, explanation: str, *, source: str | None = None) -> CheckedWord:
    return CheckedWord(word=tiles, verdict="valid", clause=clause, explanation=explanation, source=source)


def invalid(tiles: str, clause: str, explanation: str, *, source: str | None = None) -> CheckedWord:
    return CheckedWord(word=tiles, verdict="invalid", clause=clause, explanation=explanation, source=source)


def referee(tiles: str, clause: str, explanation: str) -> CheckedWord:
    return CheckedWord(word=tiles, verdict="referee", clause=clause, explanation=explanation)
