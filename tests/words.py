"""The two-letter words of the association that came through the printing undamaged (SK.D7)."""

from services.results.games.scrabble.word_lists import Dictionary, Loaded, WordList, import_list, loaded

PRINTED = (
    "aj ak až ár as ba bé bi bo bó by či cí čo dá do es ex ér ét fa fí ha há he hé hm ho im íd íl ív ix ja je ju ká "
    "ké kí ku kú ký la ma má mh mi mí mu my na ná ne ní no ňu oč od ok on oň or os ôk ôs ód pé pi pí po re ró ry sa "
    "si so sú ši ta tá ti tí to tu tú ty ťa uč uf um už úd úď úľ vi vo vy za zo že ži"
)
UNDAMAGED = tuple(PRINTED.split())


def words_of(name: str, *words: str, declared: int | None = None, foreign: str = "") -> WordList:
    count = len(words) if declared is None else declared
    return import_list(name=name, edition="1", dated="2022-10-17", declared=count, words=words, foreign=foreign)


def b2() -> WordList:
    return import_list(name="B2", edition="09", dated="2022-10-17", declared=103, words=(*UNDAMAGED, "iď", "úž"))


def with_b2(*others: WordList, dictionary: Dictionary | None = None) -> Loaded:
    return loaded(b2(), *others, dictionary=dictionary)
