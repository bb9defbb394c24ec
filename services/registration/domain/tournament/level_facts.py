"""What has happened between this tournament and those before and after it."""

from typing import Literal

import msgspec

from shared.commands.decider import Fact
from shared.numbers import Number

type Claim = Literal["by-right", "reserve", "next"]


class NextLevelNamed(Fact):
    """Its best go on to that one, and those who get no place there to the other one; or nobody goes on."""

    tournament: str
    next_level: str | None
    otherwise: str | None = None


class OrderNoted(Fact):
    """Its order is decided, as standings says; the last one counts."""

    tournament: str
    order: tuple[tuple[str, ...], ...]  # place by place; equal places together
    advance: int | None  # so many by right; none where nobody has said how many
    reserves: tuple[str, ...]
    points: dict[str, Number] = msgspec.field(default_factory=dict[str, Number])


class OriginNamed(Fact):
    """The best of another tournament come to this one."""

    tournament: str
    origin: str


class OriginDropped(Fact):
    """They go elsewhere now."""

    tournament: str
    origin: str


class EntrantQualified(Fact):
    """They come from another tournament, where they were that entrant and had that place; the last word counts."""

    entrant: str
    tournament: str
    origin: str
    former: str
    place: int
    claim: Claim  # to a place; a reserve of that tournament; or the next, whoever leaves one free


type LevelEvent = NextLevelNamed | OrderNoted | OriginNamed | OriginDropped
