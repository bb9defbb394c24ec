"""Which program made something: its version stands beside what it has computed, so that the same one can compute it again."""

from functools import cache
from importlib.metadata import version


@cache
def made_by(part: str) -> str:
    """Such as `roundlog/0.1.0 pairing/cost-swiss`."""
    return f"roundlog/{version('roundlog')} {part}"
