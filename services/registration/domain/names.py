"""Names as people read them."""

from shared.refusals import Invalid

LONGEST_NAME = 200


class UnusableName(Invalid):
    """A name must be something that people can read and say."""


def readable(name: str) -> str:
    """The name with single spaces, as people will see it."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UnusableName(f"A name has 1 to {LONGEST_NAME} printable characters: send such a name.")
    return name
