"""What may be imposed on entrants, and what has been."""

from dataclasses import dataclass

from shared.numbers import Number

# Orders


@dataclass(frozen=True, kw_only=True, slots=True)
class ImposePenalty:
    penalty: str
    tournament: str
    entrant: str
    stage: str
    round: int
    points: Number
    reason: str  # the id of its text, which is kept beside the log


@dataclass(frozen=True, kw_only=True, slots=True)
class LiftPenalty:
    penalty: str
    tournament: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Warn:
    warning: str
    tournament: str
    entrant: str
    stage: str
    round: int
    reason: str
    clause: str | None = None
    person: str | None = None  # of a team


@dataclass(frozen=True, kw_only=True, slots=True)
class CountDefaults:
    """So it stands: whether by these games an entrant is expelled, and by which clause."""

    tournament: str
    entrant: str
    stage: str
    round: int
    games: tuple[str, ...]
    clause: str | None  # none: they are too few


@dataclass(frozen=True, kw_only=True, slots=True)
class Disqualify:
    tournament: str
    entrant: str
    stage: str
    round: int
    clause: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpelPerson:
    """Of a team, which plays on without."""

    tournament: str
    entrant: str
    person: str
    stage: str
    round: int
    reason: str


type Command = Warn | ExpelPerson | ImposePenalty | LiftPenalty | CountDefaults | Disqualify

# Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class PenaltyImposed:
    penalty: str
    tournament: str
    entrant: str
    stage: str
    round: int
    points: Number
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PenaltyLifted:
    penalty: str
    tournament: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class WarningGiven:
    """Nothing follows from it, but whoever decides later sees it."""

    warning: str
    tournament: str
    entrant: str
    stage: str
    round: int
    reason: str
    clause: str | None = None
    person: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpulsionDue:
    tournament: str
    entrant: str
    stage: str
    round: int
    clause: str
    games: tuple[str, ...] = ()  # none: an official disqualified
    reason: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpulsionLapsed:
    """The games that expelled were corrected."""

    tournament: str
    entrant: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonExpelled:
    tournament: str
    entrant: str
    person: str
    stage: str
    round: int
    reason: str


type Event = WarningGiven | PersonExpelled | PenaltyImposed | PenaltyLifted | ExpulsionDue | ExpulsionLapsed
