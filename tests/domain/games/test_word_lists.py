"""Word lists come in only when they are what their edition declares, or with a reason why they are taken all the same."""

import pytest

from services.results.games.scrabble.word_lists import import_dictionary, import_list, words_in
from shared.faults import Faulty
from tests.words import UNDAMAGED, b2, words_of


def test_the_list_of_two_letter_words_comes_in_whole() -> None:
    words = b2()
    assert len(UNDAMAGED) == 101
    assert len(words.words) == 103
    assert str(words) == "B2, edition 09 of 2022-10-17"
    assert (words.faults, words.override) == ((), None)


def damaged(override: str | None = None) -> object:
    printed = words_in("aj ak, Aj\nřa a-j abc ňu")
    return import_list(name="B2", edition="09", dated="2022-10-17", declared=7, words=printed, override=override)


def test_all_faults_of_a_list_are_named_at_once() -> None:
    with pytest.raises(Faulty, match="give a reason to override") as error:
        damaged()
    assert [(fault.pointer, fault.detail) for fault in error.value.faults] == [
        ("/declared", "is 7, and there are 3 different words that can be"),
        ("/words/2", "'Aj' stands here again, after /words/0"),
        ("/words/3", "'řa' has 'Ř', which no word of this list can have"),
        ("/words/4", "'a-j' has '-', which no word of this list can have"),
        ("/words/5", "'abc' has 3 tiles instead of 2"),
    ]


def test_with_a_reason_a_faulty_list_comes_in_without_what_no_list_has() -> None:
    words = import_list(
        name="B2",
        edition="09",
        dated="2022-10-17",
        declared=4,
        words=["aj", "ak", "ňu", "řa"],
        override="reason-17",
    )
    assert words.words == {"AJ", "AK", "ŇU"}
    assert words.override == "reason-17"
    assert [fault.pointer for fault in words.faults] == ["/declared", "/words/3"]


def test_a_reason_that_was_not_needed_is_not_kept() -> None:
    words = import_list(name="B2", edition="1", dated="2022-10-17", declared=1, words=["aj"], override="reason-17")
    assert words.override is None


def test_foreign_letters_are_named_with_the_import() -> None:
    assert words_of("B7", "müsli", "džbán", "whisk", foreign="ü").words == {"MÜSLI", "DŽBÁN", "WHISK"}
    with pytest.raises(Faulty):
        words_of("B7", "müsli")
    with pytest.raises(Faulty):
        words_of("B2", "ße", foreign="ß")


def test_lists_of_words_of_any_length() -> None:
    assert words_of("B5", "meď", "molybdén").words == {"MEĎ", "MOLYBDÉN"}
    with pytest.raises(Faulty) as error:
        words_of("B5", "meď", "")
    assert error.value.faults[-1].detail == "'' has 0 tiles instead of some"
    with pytest.raises(Faulty) as error:
        words_of("B9")
    assert error.value.faults[0].pointer == "/name"


def test_a_dictionary_keeps_its_name() -> None:
    words = import_dictionary(name="El Siño", dated="2022-10-17", words=["kniha"], complete=True)
    assert str(words) == "El Siño of 2022-10-17"
    assert words.words == {"KNIHA"}
