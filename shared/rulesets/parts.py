"""What every part of a ruleset is made of: frozen, nothing unknown in it, numbers exact."""

import re
from fractions import Fraction
from math import isfinite
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, model_validator

from shared.faults import DAY_PATTERN, TIME_PATTERN
from shared.numbers import exact, stored

WORDS = re.compile(r"-?[0-9]+([./][0-9]+)?")
LONG = re.compile(r"\d{13}")
LARGEST = 10**12


def read(value: object) -> object:
    """A number as it stands in a file; of anything else pydantic says that it is none."""
    if not isinstance(value, int | float | str):
        return value
    is_number = WORDS.fullmatch(value) if isinstance(value, str) else isinstance(value, int) or isfinite(value)
    if not is_number or isinstance(value, bool):
        raise ValueError('should be a number, or a fraction such as "7/2"')
    if LONG.search(value) if isinstance(value, str) else abs(value) > LARGEST:
        raise ValueError("should have at most 12 digits before its decimals, or on each side of the line")
    try:
        return exact(value)
    except ZeroDivisionError:
        raise ValueError("should be a fraction with something below the line") from None


Exact = Annotated[  # no alias with a name: documents would name its two forms, what is read and what is shown
    Fraction,
    BeforeValidator(read, json_schema_input_type=Annotated[float | str, Field(examples=[1, 0.5, "7/2"])]),
    PlainSerializer(stored, return_type=int | str),
]
type Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64, examples=["scrabble-sk-2022-qt"])]
type Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$", examples=["EUR"])]
type Date = Annotated[str, Field(pattern=DAY_PATTERN, examples=["2022-10-17"])]
type Time = Annotated[str, Field(pattern=TIME_PATTERN, examples=["09:00"])]
type Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
type Changes = Annotated[
    dict[str, Any],
    Field(
        description="Settings that become something else here, by path.", examples=[{"standings.criteria": ["points"]}]
    ),
]


class Part(BaseModel):
    """Described by what may be said, also where it is shown: one form for those who read a ruleset and who write one."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_mode_override="validation",
        defer_build=True,  # a ruleset has seventy of them, and only the whole one reads
    )


class PlannedStart(Part):
    """When a round begins by the timetable of the rules, in the time zone of the tournament."""

    day: int = Field(ge=1, le=366, description="Of the tournament.")
    time: Time | None = Field(default=None, description="None where the rules name only the day.")


class TimetableEntry(PlannedStart):
    """When a round of a stage begins, or when something else happens."""

    stage: Slug | None = Field(default=None, description="With its round.", examples=["preliminary"])
    round: int | None = Field(default=None, ge=1, examples=[1])
    what: str | None = Field(default=None, max_length=200, description="Otherwise: what it is.", examples=["Lunch"])

    @model_validator(mode="after")
    def is_about_something(self) -> Self:
        if (self.stage is None) != (self.round is None) or (self.what is None) == (self.stage is None):
            raise ValueError("should name a stage and its round, or say what it is")
        return self
