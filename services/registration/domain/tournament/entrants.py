"""Somebody who has entered, whatever has become of them: there, waiting, playing or gone."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from services.registration.domain.tournament.orders import Leaving
from services.registration.domain.tournament.saying import Said
from shared.exact import Number

type InRound = tuple[str, int]  # a stage and one of its rounds

# Before the start


@dataclass(frozen=True, kw_only=True, slots=True)
class Entered:
    entrant: str
    said: Said


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """For a place; in the order of entry."""

    entrant: str
    said: Said


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedIn:
    entrant: str
    said: Said


@dataclass(frozen=True, kw_only=True, slots=True)
class Withdrawn:
    entrant: str
    said: Said


@dataclass(frozen=True, kw_only=True, slots=True)
class StruckOff:
    entrant: str
    said: Said


# From the start on

NOWHERE: Mapping[InRound, Number | None] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Playing:
    entrant: str
    said: Said
    number: int
    from_round: int
    absences: Mapping[InRound, Number | None] = NOWHERE


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    entrant: str
    said: Said
    number: int
    from_round: int
    absences: Mapping[InRound, Number | None]
    stage: str
    after_round: int
    why: Leaving
    clause: str | None  # of the rules, where results demand it
    had_withdrawn: bool  # before being expelled


type Coming = Entered | CheckedIn
type Participant = Playing | Left
type Entrant = Coming | Waiting | Withdrawn | StruckOff | Participant
