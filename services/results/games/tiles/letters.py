"""Letters, as tiles are: CH, DZ and DŽ are two tiles each, so a word has as many tiles as it has characters."""

import unicodedata

SLOVAK = frozenset("AÁÄBCČDĎEÉFGHIÍJKLĹĽMNŇOÓÔPRŔSŠTŤUÚVXYÝZŽ")
FOREIGN = frozenset("WQÖÜĚŘ")  # of words that are valid all the same; by a blank, some by a tile
LETTERS = SLOVAK | FOREIGN
DOUBLE = ("CH", "DZ", "DŽ")

CAPITALS = {letter.lower(): letter for letter in LETTERS}


def tiles_of(word: str) -> tuple[str, ...]:
    """In capitals, and each letter one character however its marks were typed. Foreign signs stay what they are."""
    return tuple(CAPITALS.get(sign, sign) for sign in unicodedata.normalize("NFC", word))


def spelled(word: str) -> str:
    return "".join(tiles_of(word))
