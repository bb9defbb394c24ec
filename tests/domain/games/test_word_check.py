"""Which words are valid at a live table."""

from time import process_time

import pytest

from services.results.games.scrabble.word_check import WordVerdict, check
from services.results.games.scrabble.word_lists import Dictionary, Loaded, import_dictionary
from tests.words import UNDAMAGED, with_b2, words_of


def dictionary(*words: str, complete: bool) -> Dictionary:
    return import_dictionary(name="El Siño", dated="2022-10-17", words=words, complete=complete)


LISTS = (
    words_of("B3", "mať", "dža", "oci"),
    words_of("B6", "džem", "rasa"),
    words_of("B7", "müsli", "vodík", foreign="ü"),
    words_of("B5", "vodík", "molybdén"),
    words_of("B4", "antilopí"),
)


@pytest.mark.rule("SK.X-5")
@pytest.mark.parametrize(
    ("word", "verdict", "clause"),
    [
        pytest.param("už", "valid", "10.1.3", id="SK.V17 in B2"),
        pytest.param("xx", "invalid", "10.1.3", id="SK.V17 not in B2"),
        pytest.param("ch", "invalid", "10.2.2", id="SK.V17 one letter of two tiles"),
        pytest.param("zošity", "referee", "10.1", id="SK.V17 six tiles, no dictionary"),
        pytest.param("DŽ", "invalid", "10.2.2", id="another of two tiles"),
        pytest.param("dz", "invalid", "10.2.2", id="the third"),
        pytest.param("a", "invalid", "10.2.2", id="one tile"),
        pytest.param("", "invalid", "10.2.2", id="no tile"),
        pytest.param("UŽ", "valid", "10.1.3", id="as the tiles show it"),
        pytest.param("už", "valid", "10.1.3", id="a mark typed apart"),
        pytest.param("hm", "valid", "10.1.3", id="an interjection of the list, SK.D8"),
        pytest.param("trma-vrma", "invalid", "10.2.10", id="another sign"),
        pytest.param("a1", "invalid", "10.2.10", id="a digit"),
        pytest.param("do červena", "invalid", "10.2.10", id="a space"),
        pytest.param("åa", "invalid", "17.1", id="a letter that no blank can be"),
    ],
)
def test_worked_examples_and_short_words(word: str, verdict: WordVerdict, clause: str) -> None:
    checked = check(word, with_b2())
    assert (checked.verdict, checked.clause) == (verdict, clause)
    assert checked.explanation


@pytest.mark.rule("SK.X-5")
def test_every_word_of_the_list_is_valid_by_it() -> None:
    for word in UNDAMAGED:
        checked = check(word, with_b2())
        assert (checked.verdict, checked.rule, checked.source) == ("valid", "SK.X-5", "B2, edition 09 of 2022-10-17")


@pytest.mark.rule("SK.X-3", "SK.X-5")
@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("dža", "valid"),
        ("džem", "valid"),
        ("müsli", "valid"),
        ("chat", "invalid"),
        ("pes", "invalid"),
        ("alfa", "invalid"),
    ],
)
def test_of_two_to_five_tiles_only_the_lists_decide(word: str, verdict: WordVerdict) -> None:
    there = with_b2(*LISTS, dictionary=dictionary("pes", "chat", complete=True))
    assert check(word, there).verdict == verdict


@pytest.mark.rule("SK.X-5")
@pytest.mark.parametrize(
    ("word", "verdict"), [("ab", "referee"), ("mať", "referee"), ("džem", "referee"), ("trma", "invalid")]
)
def test_without_its_list_a_short_word_is_for_the_referee(word: str, verdict: WordVerdict) -> None:
    assert check(word, Loaded(dictionary=dictionary("mať", complete=True))).verdict == verdict


def test_a_list_that_has_it_goes_before_the_ban_of_parts() -> None:
    """SK.D8."""
    assert check("vrma", with_b2(words_of("B6", "vrma"))).verdict == "valid"


@pytest.mark.rule("SK.X-5")
@pytest.mark.parametrize(
    ("word", "clause"),
    [
        ("lambda", "10.1.2"),
        ("omikron", "10.1.2"),
        ("sigiem", "10.1.2"),
        ("lambdám", "10.1.2"),
        ("thétam", "10.1.2"),
        ("epsilonu", "10.1.2"),
        ("áčkami", "10.1.6"),
        ("cháčko", "10.1.6"),
        ("efkách", "10.1.6"),
        ("béčkach", "10.1.6"),
        ("ypsilon", "10.1.6"),
        ("molybdén", "10.1.5"),
        ("antilopí", "10.5"),
    ],
)
def test_from_six_tiles_on_closed_sets_go_first(word: str, clause: str) -> None:
    checked = check(word, with_b2(*LISTS, dictionary=dictionary(complete=True)))
    assert (checked.verdict, checked.clause) == ("valid", clause)


@pytest.mark.rule("SK.X-5")
@pytest.mark.parametrize("word", ["omikrony", "thétám", "áčkám", "efkam", "lámdbx"])
def test_other_forms_of_the_closed_sets_are_not_taken_from_them(word: str) -> None:
    assert check(word, with_b2()).verdict == "referee"


@pytest.mark.rule("SK.X-5")
def test_then_the_dictionary_and_then_the_referee() -> None:
    there = dictionary("zošity", complete=False)
    assert check("zošity", with_b2(dictionary=there)).verdict == "valid"
    assert check("zošitov", with_b2(dictionary=there)).verdict == "referee"
    complete = dictionary("zošity", complete=True)
    assert check("zošitov", with_b2(dictionary=complete)).verdict == "invalid"
    assert check("molybdén", with_b2(dictionary=complete)).verdict == "invalid"


def test_ten_thousand_words_are_judged_quickly() -> None:
    there = with_b2(*LISTS, dictionary=dictionary("zošity", complete=True))
    words = ["už", "xx", "müsli", "molybdén", "zošitov", "trma-vrma", "lambdami", "ch", "džem", "x"] * 1000
    start = process_time()
    for word in words[:1000]:
        check(word, there)
    few, start = process_time() - start, process_time()
    verdicts = [check(word, there).verdict for word in words]
    assert process_time() - start < 40 * few
    assert verdicts.count("valid") == 5000
