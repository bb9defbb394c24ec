"""Points and scores as exact numbers: fractions inside, whole numbers or words such as `7/2` in events."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import floor

type Number = int | str  # as it stands in events and files: 3, or "7/2"
type Exact = int | Fraction  # where there are many: a whole number is quicker as what it is

HALF = Fraction(1, 2)
WRITTEN = re.compile(r"[+-]?[0-9]{1,100}(?:[./][0-9]{1,100})?", re.ASCII)  # not 1e999999999, which fills the memory
DIGITS = 6  # to which a number that is no half is rounded, for display only


@lru_cache(maxsize=10_000)  # the same few numbers come again and again
def exact(number: float | str) -> Fraction:
    if isinstance(number, str) and not WRITTEN.fullmatch(number):
        raise ValueError(f"{number[:50]!r} is no number")
    return Fraction(str(number)) if isinstance(number, float) else Fraction(number)


def all_exact(numbers: Sequence[Number]) -> tuple[Exact, ...]:
    """Whole numbers, as most are, stay what they are."""
    return tuple([number if isinstance(number, int) else exact(number) for number in numbers])


def stored(value: Exact) -> Number:
    if isinstance(value, int):
        return value
    above, below = value.as_integer_ratio()
    return above if below == 1 else str(value)


def whole(value: Fraction) -> int:
    """The nearest whole number; of two the higher one."""
    return floor(value + HALF)


def shown(value: Exact) -> int | float:
    """For people and JSON; nothing is ever computed from it."""
    return value.numerator if value.denominator == 1 else round(float(value), DIGITS)


def in_words(value: Exact) -> str:
    """As `shown` says it, within a sentence."""
    return str(shown(value)).replace("-", "−")
