"""Names as people read them."""

import unicodedata

from shared.refusals import Invalid
from shared.spelling import JOINERS

LONGEST_NAME = 200
PASTED = "\u00ad\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff"  # what texts that were copied have at their ends, and nobody sees
BLANKS = "\u115f\u1160\u3164\uffa0"  # letters of the standard that nobody sees


class UnusableName(Invalid):
    """A name must be something that people can read and say."""


def readable(name: str) -> str:
    """The name with single spaces, as people will see it."""
    name = " ".join(name.split()).strip(f" {PASTED}")
    is_seen = any(one.isalnum() and one not in BLANKS for one in name)
    unseen = next((one for place, one in enumerate(name) if not one.isprintable() and not joins(name, place)), None)
    if not is_seen or len(name) > LONGEST_NAME or unseen is not None:
        without = "" if unseen is None else f" without U+{ord(unseen):04X}"
        raise UnusableName(
            f"A name has 1 to {LONGEST_NAME} printable characters, and a letter or a digit among them: "
            f"send such a name{without}."
        )
    return name


def joins(name: str, place: int) -> bool:
    """Whether a joiner stands there between two letters or marks; elsewhere it would only make names differ unseen."""
    if name[place] not in JOINERS or not 0 < place < len(name) - 1:
        return False
    return all(unicodedata.category(one)[0] in "LM" for one in (name[place - 1], name[place + 1]))
