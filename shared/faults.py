"""Everything that is wrong with something that was handed in, at once, each with the place where it stands.

A fault is a JSON pointer and a sentence; `Faulty` is the refusal that carries all of them. They are found in JSON with
members that stand twice, in letters that no text can hold, and in what pydantic says about a form (`of_shape`).
"""

import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

from pydantic import ValidationError, WrapValidator
from pydantic_core import PydanticSerializationError, from_json, to_json

from shared.refusals import Invalid

UNREAD = WrapValidator(
    lambda content, _: content
)  # only described: whoever computes with it reads it, and names its faults

type Steps = tuple[str | int, ...]


class Members(list[tuple[str, Any]]):
    """An object as it was written."""


STRINGS = re.compile(rb'"([^"\\]*)"([ \t\r\n]*:)?')  # of JSON without a backslash; those before a colon are names


class RepeatedMembers:
    """Keeps an object only where a repeated member was found before its end: whatever ended earlier has none in it."""

    def __init__(self) -> None:
        self.has_found = False

    def __call__(self, members: list[tuple[str, Any]]) -> Members | None:
        self.has_found = self.has_found or has_twice(members)
        return Members(members) if self.has_found else None


def repeated(content: bytes) -> Iterator[Steps]:
    """The ways to them, decoded as the reader of bodies decodes. What is no JSON is left to that reader, who says so."""
    looking = RepeatedMembers()
    try:
        text = content.removeprefix(BOM_UTF8).decode("utf-8", "surrogatepass")
        found = json.JSONDecoder(object_pairs_hook=looking).decode(text)
    except ValueError:
        return
    if looking.has_found:
        yield from ways(found)


def names_differ(content: bytes) -> bool:
    """Whether all names in it are different, wherever they stand, as in most small bodies; that is seen without decoding."""
    if b"\\" in content:
        return False
    names = [name for name, colon in STRINGS.findall(content) if colon]
    return len(set(names)) == len(names)


def has_twice(members: list[tuple[str, Any]]) -> bool:
    return len({name for name, _ in members}) != len(members)


def ways(value: object, *steps: str | int) -> Iterator[Steps]:
    if isinstance(value, Members):
        if has_twice(value):
            times = Counter(name for name, _ in value)
            yield from ((*steps, name) for name, count in times.items() if count > 1)
        for name, member in value:
            yield from ways(member, *steps, name)
    elif isinstance(value, list):
        for number, one in enumerate(cast("list[object]", value)):
            yield from ways(one, *steps, number)


MOST_FAULTS = 100  # that are named, of whatever is refused
SENTENCES = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_type": "should be a string",
    "bool_type": "should be true or false",
    "int_type": "should be a whole number",
    "int_from_float": "should be a whole number",
    "tuple_type": "should be a list",
    "list_type": "should be a list",
    "dict_type": "should be an object",
    "model_type": "should be an object",
    "model_attributes_type": "should be an object",
}
# In patterns \d would be the digits of every script.
DAY_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
TIME_PATTERN = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
DAY, MOMENT = "should be a day such as 2026-11-21", "should be a time such as 2026-11-21T09:00:00+01:00"
OF_TIMES = (
    ("timezone_", f"{MOMENT}, with its offset"),
    ("datetime_", MOMENT),
    ("date_", DAY),
)  # by what pydantic calls it
SMALL, PLAIN = (
    "should be of small letters, digits and hyphens",
    "should be an id: letters without accents, digits and hyphens",
)
VISIBLE = "should be of letters without accents, digits and signs, without spaces"
OF_PATTERNS = {  # of what people type; those of ids and codes stand in several forms
    f"'{pattern}'": words
    for pattern, words in (
        (DAY_PATTERN, DAY),
        (TIME_PATTERN, "should be a time of day such as 09:00"),
        (r"\S", "should not be blank"),
        (r"^[^\x00]*$", "should have no null character"),
        (r"^\S(.*\S)?$", "should neither begin nor end with a space"),
        (r"^[^@\s]+@[^@\s]+$", "should be an address such as ada@example.org"),
        (r"^\+?[0-9 ]{5,20}$", "should be a telephone number such as +421 900 123 456"),
        (r"^(19|20)[0-9]{2}(-[0-9]{2}-[0-9]{2})?$", "should be a year such as 2009, or a day such as 2009-05-17"),
        (r"^[A-Z]{2}$", "should be the code of a country, such as SK"),
        (r"^[A-Z]{3}$", "should be the code of a currency, such as EUR"),
        (r"^[!-~]+$", VISIBLE),
        (r"^[!-~]{1,40}$", f"{VISIBLE}, at most 40"),
        (r"^[!-~]+( [!-~]+)*$", "should be of letters without accents, digits and signs, with single spaces between"),
        (r"^[a-z0-9-]+$", SMALL),
        (r"^[a-z0-9-]{1,64}$", f"{SMALL}, at most 64"),
        (r"^[0-9a-z-]{1,64}$", f"{SMALL}, at most 64"),
        (r"^[0-9a-z-]{1,40}$", f"{SMALL}, at most 40"),
        (r"^[a-z-]{1,40}$", "should be of small letters and hyphens, at most 40"),
        (r"^[a-z0-9]+(-[a-z0-9]+)*$", f"{SMALL}, single ones and only between others"),
        (r"^[a-z_]+$", "should be of small letters and underscores"),
        (r"^[0-9A-Za-z-]{1,64}$", PLAIN),
        (r"^[0-9A-Za-z_-]{1,64}$", PLAIN),
        (r"^[0-9A-Za-z_-]{1,32}$", f"{PLAIN}, at most 32"),
        (
            r"^[A-Za-z0-9][A-Za-z0-9._:|-]{0,127}$",
            "should be as the issuer of tokens calls somebody: letters, digits and . _ : | -",
        ),
        (
            r"^([0-9A-Za-z_-]{1,64}|number:([1-9][0-9]{0,4}))$",
            "should be the id of an entrant, or a start number such as number:12",
        ),
        (
            r"^(dice [1-9][0-9]{0,2}|drand ([a-z]{1,20}|[0-9a-f]{64}) [1-9][0-9]{0,14})$",
            "should be dice, such as dice 20, or a round of a beacon, such as drand quicknet 15000000",
        ),
    )
}
CALLED_BY_PYDANTIC = re.compile(r"^(Value error, |(Input|Value|Tuple|List|Dictionary|String|Data) (?=should ))")


@dataclass(frozen=True, slots=True)
class InputFault:
    pointer: str  # a JSON pointer into what was handed in
    detail: str

    def below(self, pointer: str) -> "InputFault":
        """This fault, where what is at fault is itself a part of something."""
        return InputFault(pointer + self.pointer, self.detail)


class Faulty(Invalid):
    """What was handed in cannot be read: all its faults are named, or so many that nobody reads on."""

    def __init__(self, sentence: str, faults: Iterable[InputFault]) -> None:
        self.faults = tuple(enough(faults))
        super().__init__(sentence)


def enough[Found](faults: Iterable[Found]) -> list[Found]:
    """As many as are named, and one, which tells that there are others: nobody has to find or build the rest."""
    return list(islice(faults, MOST_FAULTS + 1))


def at(*steps: int | str) -> str:
    """The JSON pointer of a place. Half a character, which JSON can hold and UTF-8 cannot, becomes a question mark."""
    pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)
    return pointer.encode(errors="replace").decode()


def unpacked(content: object, sentence: str) -> object:
    """What a file holds, where its bytes are handed in. Editors may mark it as UTF-8; NaN and infinity are no JSON."""
    if not isinstance(content, bytes):
        return content
    try:
        found = from_json(content.removeprefix(BOM_UTF8), allow_inf_nan=False)
    except ValueError as error:
        raise Faulty(sentence, [InputFault("", f"is no JSON in UTF-8: {error}")]) from None
    if twice := of_members(content):
        raise Faulty(sentence, twice)
    return found


def of_members(content: bytes) -> list[InputFault]:
    """JSON may say something twice in one object: which of them is meant, nobody knows."""
    if names_differ(content):
        return []
    return [InputFault(at(*steps), "stands there more than once: say it once") for steps in enough(repeated(content))]


def of_letters(value: object) -> tuple[InputFault, ...]:
    """JSON may name half a letter, a surrogate without its other half: no text holds one, and none can be answered."""
    try:
        to_json(value)
    except PydanticSerializationError:
        return tuple(
            InputFault(place, "has half a letter in it: a surrogate without its other half")
            for place in enough(halved(value))
        )
    return ()


def halved(value: Any, *steps: int | str) -> Iterator[str]:
    match value:
        case str():
            if any("\ud800" <= letter <= "\udfff" for letter in value):
                yield at(*steps)
        case Mapping():
            for name, member in cast("Mapping[str, Any]", value).items():
                yield from halved(name, *steps, name)
                yield from halved(member, *steps, name)
        case list():
            for index, item in enumerate(cast("list[Any]", value)):
                yield from halved(item, *steps, index)
        case _:
            pass


def of_shape(error: ValidationError, value: object) -> tuple[InputFault, ...]:
    """What pydantic found, each place once; where several forms would do, all that are wanted there are named."""
    found: dict[str, dict[str, None]] = {}
    shortened: set[str] = set()  # lists that are too short only without the items that are at fault
    for one in error.errors(include_url=False, include_context=False, include_input=False):
        pointer = place(one["loc"], value, is_missing=one["type"] == "missing")
        shortened |= {pointer} if one["type"] == "too_short" else set[str]()
        found.setdefault(pointer, {})[in_words(one["type"], one["msg"])] = None
        if len(found) > 2 * MOST_FAULTS:  # for each list that is left out there is a fault in it
            break
    shortened &= {above for pointer in found for above in all_above(pointer)} if shortened else set[str]()
    return tuple(
        InputFault(pointer, ", or ".join(details)) for pointer, details in found.items() if pointer not in shortened
    )


def all_above(pointer: str) -> Iterator[str]:
    """Every place in which this one is."""
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def in_words(kind: str, sentence: str) -> str:
    """What pydantic found, in the words of JSON."""
    of_time = next((words for called, words in OF_TIMES if kind.startswith(called)), None)
    of_pattern = next((words for pattern, words in OF_PATTERNS.items() if pattern in sentence), None)
    return (
        SENTENCES.get(kind)
        or of_time
        or of_pattern
        or CALLED_BY_PYDANTIC.sub("", sentence).replace(" after validation", "")
    )


def place(location: Sequence[int | str], value: Any, *, is_missing: bool) -> str:
    return at(*steps_into(value, location, is_missing=is_missing))


def steps_into(value: Any, location: Sequence[int | str], *, is_missing: bool) -> Steps:
    """Pydantic also names the forms that it tried: only steps that lead somewhere are kept, and a missing last one."""
    steps: list[int | str] = []
    for step in location:
        if leads_into(value, step):
            value = value[step]
            steps.append(step)
    return *steps, *(location[-1:] if is_missing else ())


def leads_into(value: object, step: int | str) -> bool:
    match value:
        case Mapping():
            return step in value
        case list() | tuple():  # a word is looked for in a range by going through all of it
            return isinstance(step, int) and 0 <= step < len(cast("Sequence[object]", value))
        case _:
            return False
