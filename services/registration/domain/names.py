"""Names as people read them."""

from shared.refusals import Invalid

LONGEST_NAME = 200
BLANKS = "\u115f\u1160\u3164\uffa0"  # letters of the standard that nobody sees


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
