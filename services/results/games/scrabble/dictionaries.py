"""What a referee reads in the dictionaries about a lemma, and what follows from it (SK.X-5, steps 4 and 5)."""

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from services.results.games.scrabble.word_check import WordVerdict
from shared.values import Value

type Kind = Literal[
    "word",
    "proper-name",
    "derived-from-name",
    "abbreviation",
    "noun-abbreviation",
    "symbol",
    "interjection",
    "roman-numeral",
    "diphthong",
    "original-spelling",
    "part-of-expression",
    "reflexive",
    "phrase-with-preposition",
]

# The kinds that are never valid, each with its clause. The others are exceptions that the same clauses make.
BANNED_KINDS: dict[Kind, str] = {
    "proper-name": "10.2.1",
    "abbreviation": "10.2.3",
    "symbol": "10.2.4",
    "interjection": "10.2.5",
    "roman-numeral": "10.2.6",
    "diphthong": "10.2.7",
    "original-spelling": "10.2.8",
    "part-of-expression": "10.2.9",
}

# As the rules call them, and as the dictionaries print them.
BANNED_LABELS = frozenset(
    {
        *("slang", "slang."),
        *("dialect", "nár."),
        *("regional", "region."),
        *("ethnographic", "etnogr."),
        *("substandard", "subšt."),
        *("vulgar", "vulg."),
        *("coarse", "hrub."),
        *("poetic", "poet.", "bás."),
        *("low colloquial", "niž. hovor."),
        *("obsolete", "zastar."),
        *("archaic", "arch."),
        *("quotation word", "citátové slovo"),
    }
)
SEPARATORS = re.compile(r"\s*,\s*|\s+(?:or|alebo|al\.)\s+")


class Entry(BaseModel):
    """In KSSJ or SSSJ. What is nested under a banned headword shares its ban."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    labels: str = Field(default="", max_length=200, description="As printed; none: empty.", examples=["slang., hovor."])
    headword: "Entry | None" = Field(default=None, description="That it is nested under.", examples=[None])


class Lemma(BaseModel):
    """What a referee has read of a word in the dictionaries."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind = Field(default="word", examples=["word"])
    psp: bool = Field(default=False, description="Whether the dictionary part of PSP has it.", examples=[False])
    kssj: Entry | None = Field(default=None, description="How KSSJ has it; null where it has not.")
    sssj: Entry | None = Field(default=None, description="How SSSJ has it; null where it has not.")


class LemmaStatus(Value):
    verdict: WordVerdict
    rule: str
    clause: str


def status(lemma: Lemma) -> LemmaStatus:
    """Some kinds are never valid, in whatever dictionary they stand."""
    if lemma.kind in BANNED_KINDS:
        return LemmaStatus(verdict="invalid", rule="SK.D8", clause=BANNED_KINDS[lemma.kind])
    return LemmaStatus(verdict=by_labels(lemma), rule="SK.X-5", clause="10.2.8")


def by_labels(lemma: Lemma) -> WordVerdict:
    """What stands in PSP is valid whatever labels it has elsewhere, and otherwise what one dictionary has without a ban."""
    entries = [entry for entry in (lemma.kssj, lemma.sssj) if entry is not None]
    if lemma.psp:
        return "valid"
    if not entries:
        return "referee"
    return "invalid" if all(banned(entry) for entry in entries) else "valid"


def banned(entry: Entry) -> bool:
    """Of several labels every one has to be banned."""
    found = [label for label in SEPARATORS.split(entry.labels.strip().lower()) if label]
    own = bool(found) and all(is_banned(label) for label in found)
    return own or (entry.headword is not None and banned(entry.headword))


def is_banned(label: str) -> bool:
    """Every kind of slang is: kart. slang., štud. slang. and so on."""
    return label in BANNED_LABELS or label.removesuffix(".").endswith("slang")
