"""What follows from the labels that dictionaries give a word."""

import pytest

from services.results.games.scrabble.dictionaries import BANNED_KINDS, Entry, Kind, Lemma, status
from services.results.games.scrabble.word_check import WordVerdict

BARE = Entry()


@pytest.mark.rule("SK.X-5")
@pytest.mark.parametrize(
    ("lemma", "verdict"),
    [
        pytest.param(Lemma(kssj=Entry(labels="slang, colloquial")), "valid", id="SK.V17 two labels, one banned"),
        pytest.param(Lemma(kssj=Entry(labels="slang"), sssj=BARE), "valid", id="SK.V17 banned in one only"),
        pytest.param(
            Lemma(kssj=Entry(labels="archaic"), sssj=Entry(labels="archaic")), "invalid", id="SK.V17 banned in both"
        ),
        pytest.param(
            Lemma(psp=True, kssj=Entry(labels="archaic"), sssj=Entry(labels="archaic")), "valid", id="SK.V17 in PSP"
        ),
        pytest.param(Lemma(), "referee", id="nowhere"),
        pytest.param(Lemma(psp=True), "valid", id="only in PSP"),
        pytest.param(Lemma(sssj=BARE), "valid", id="no label"),
        pytest.param(Lemma(sssj=Entry(labels="hovor.")), "valid", id="a label that is not banned"),
        pytest.param(Lemma(sssj=Entry(labels="slang., zastar.")), "invalid", id="two banned, by a comma"),
        pytest.param(Lemma(sssj=Entry(labels="poetic or archaic")), "invalid", id="two banned, by or"),
        pytest.param(Lemma(sssj=Entry(labels="bás. alebo hovor.")), "valid", id="one banned, by alebo"),
        pytest.param(Lemma(kssj=Entry(labels="kart. slang.")), "invalid", id="slang of card players"),
        pytest.param(Lemma(kssj=Entry(labels="niž. hovor.")), "invalid", id="low colloquial"),
        pytest.param(Lemma(kssj=Entry(headword=Entry(labels="vulg."))), "invalid", id="nested under a banned one"),
        pytest.param(
            Lemma(kssj=Entry(labels="hovor.", headword=Entry(labels="vulg."))), "invalid", id="with a label of its own"
        ),
        pytest.param(
            Lemma(kssj=Entry(headword=Entry(labels="vulg., hovor."))), "valid", id="nested under one that is allowed"
        ),
    ],
)
def test_labels(lemma: Lemma, verdict: WordVerdict) -> None:
    found = status(lemma)
    assert (found.verdict, found.rule, found.clause) == (verdict, "SK.X-5", "10.2.8")


@pytest.mark.rule("SK.X-5")
@pytest.mark.parametrize("kind", sorted(BANNED_KINDS))
def test_banned_classes_stay_banned_whatever_dictionary_has_them(kind: Kind) -> None:
    """SK.D8."""
    found = status(Lemma(kind=kind, psp=True))
    assert (found.verdict, found.rule) == ("invalid", "SK.D8")
    assert found.clause.startswith("10.2.")


@pytest.mark.rule("SK.X-5")
@pytest.mark.parametrize("kind", ["derived-from-name", "noun-abbreviation", "reflexive", "phrase-with-preposition"])
def test_the_exceptions_of_the_classes_are_words_like_any(kind: Kind) -> None:
    assert status(Lemma(kind=kind, psp=True)).verdict == "valid"
