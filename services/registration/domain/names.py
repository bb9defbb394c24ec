"""Names as people read them."""

import unicodedata

from shared.refusals import Invalid

LONGEST_NAME = 200
BLANKS = "\u115f\u1160\u3164\uffa0"  # letters of the standard that nobody sees

PLAIN = str.maketrans({"ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d"})  # no accents


class UnusableName(Invalid):
    """A name must be something that people can read and say."""


def readable(name: str) -> str:
    """The name with single spaces, as people will see it."""
    name = " ".join(name.split())
    is_seen = any(one.isalnum() and one not in BLANKS for one in name)
    if not is_seen or len(name) > LONGEST_NAME or not name.isprintable():
        raise UnusableName(
            f"A name has 1 to {LONGEST_NAME} printable characters, and a letter or a digit among them: send such a name."
        )
    return name


def folded(text: str) -> str:
    """The words of a text as people look for them: small letters without accents, with single spaces between them."""
    letters = unicodedata.normalize("NFKD", text.casefold()).translate(PLAIN)
    plain = "".join(one for one in letters if not unicodedata.combining(one))
    return " ".join("".join(one if one.isalnum() else " " for one in plain).split())
