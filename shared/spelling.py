"""How a name is spelled, and how those spell it who look for it."""

import re
import unicodedata

JOINERS = "\u200c\u200d"  # they say how letters are written side by side, as Persian and Sinhala names need it
PLAIN = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d"})  # no accents


def folded(text: str) -> str:
    """The words of a text as people look for them: small letters without accents, with single spaces between them."""
    letters = unicodedata.normalize("NFKD", text.casefold()).translate(PLAIN)
    plain = "".join(one for one in letters if not unicodedata.combining(one) and one not in JOINERS)
    return " ".join("".join(one if one.isalnum() else " " for one in plain).split())


def words_of(text: str) -> set[str]:
    """Those of letters alone, as people look for them."""
    return set(re.findall(r"[^\W\d_]+", folded(text)))
