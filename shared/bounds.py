"""How much may be handed in to be computed with: far more than any event has had, and no more than a computer can bear.

What is larger is refused before anything else is looked at, by a fault that names the number.
"""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from pydantic import BaseModel

from shared.faults import DAY_PATTERN, InputFault, at

LARGEST_FILE = 16 * 2**20  # bytes, for the command line; over HTTP the largest body holds
MOST_ENTRANTS = 5_000
MOST_STAGES = 30  # of a ruleset
MOST_ROUNDS = 1_000  # of a stage
MOST_GAMES = 100_000  # played, or to be played by everybody against everybody
MOST_OTHERS = 5_000  # adjustments, decisions, bans and their like
MOST_LISTS = 30  # in which one entrant stands
MOST_TOGETHER = 100  # who must not meet each other
MOST_VALUES = 20_000  # of a ruleset, or the rules of a season
MOST_DECIMALS = 12
LARGEST_DENOMINATOR = 999
YEARS, MONTHS = range(1, 10_000), range(1, 13)


def list_faults(content: object, most: Mapping[str, int]) -> Iterator[InputFault]:
    """Lists of an object, such as JSON gives, that are too long."""
    for name, number in most.items():
        found = member(content, name)
        if isinstance(found, list | tuple) and len(cast("Sequence[object]", found)) > number:
            yield InputFault(at(name), too_many(len(cast("Sequence[object]", found)), number))


def too_many(there: int, most: int) -> str:
    return f"there are {there}: at most {most} are computed with"


def member(content: object, name: str) -> object:
    return cast("Mapping[str, object]", content).get(name) if isinstance(content, Mapping) else None


def values_in(content: object, most: int) -> int:
    """How many there are, at whatever depth; not counted further than a little beyond the most."""
    waiting: list[Any] = [content]
    number = 0
    while waiting and number <= most:
        found = waiting.pop()
        number += 1
        if isinstance(found, Mapping):
            waiting += cast("Mapping[str, object]", found).values()
        elif isinstance(found, list | tuple):
            waiting += cast("Sequence[object]", found)
    return number


def rules_faults(rules: object) -> Iterator[InputFault]:
    """What is too large of a ruleset, or of the rules of a season."""
    if too_long := tuple(list_faults(rules, {"stages": MOST_STAGES})):
        yield from too_long
    elif values_in(rules, MOST_VALUES) > MOST_VALUES:
        yield InputFault("", f"has more than {MOST_VALUES} values in it, which is the most that rules may have")


def is_plain(number: Fraction) -> bool:
    """Numbers are added up exactly, so that odd ones below the line would grow without end."""
    return number.denominator <= LARGEST_DENOMINATOR or 10**MOST_DECIMALS % number.denominator == 0


IS_DAY = re.compile(DAY_PATTERN)


def is_in_calendar(day: str) -> bool:
    year, month, on = map(int, day.split("-"))
    return year in YEARS and month in MONTHS and 0 < on <= monthrange(year, month)[1]


NOT_PLAIN = f"should have at most {MOST_DECIMALS} decimals, or at most {LARGEST_DENOMINATOR} below the line"


def plain(number: Fraction) -> Fraction:
    if not is_plain(number):
        raise ValueError(NOT_PLAIN)
    return number


def value_faults(found: object, *steps: int | str) -> Iterator[InputFault]:
    """Numbers and days in something that was read, at whatever depth."""
    match found:
        case Fraction() if not is_plain(found):
            yield InputFault(at(*steps), NOT_PLAIN)
        case str() if IS_DAY.fullmatch(found) and not is_in_calendar(found):
            yield InputFault(at(*steps), f"{found} is in no calendar")
        case BaseModel():
            for name in type(found).model_fields:
                yield from value_faults(getattr(found, name), *steps, name)
        case Mapping():
            for name, value in cast("Mapping[str, object]", found).items():
                yield from value_faults(value, *steps, name)
        case list() | tuple():
            for index, value in enumerate(cast("Sequence[object]", found)):
                yield from value_faults(value, *steps, index)
        case _:
            pass
