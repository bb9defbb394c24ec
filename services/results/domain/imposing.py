"""What may be imposed on entrants, and what has been."""

from shared.commands.decider import Fact, Order
from shared.numbers import Number

# Orders


class ImposePenalty(Order):
    penalty: str
    tournament: str
    entrant: str
    stage: str
    round: int
    points: Number
    reason: str  # the id of its text, which is kept beside the log


class LiftPenalty(Order):
    penalty: str
    tournament: str
    reason: str


class Warn(Order):
    warning: str
    tournament: str
    entrant: str
    stage: str
    round: int
    reason: str
    clause: str | None = None
    person: str | None = None  # of a team


class CountDefaults(Order):
    """So it stands: whether by these games an entrant is expelled, and by which clause."""

    tournament: str
    entrant: str
    stage: str
    round: int
    games: tuple[str, ...]
    clause: str | None  # none: they are too few


class Disqualify(Order):
    tournament: str
    entrant: str
    stage: str
    round: int
    clause: str
    reason: str


class ExpelPerson(Order):
    """Of a team, which plays on without."""

    tournament: str
    entrant: str
    person: str
    stage: str
    round: int
    reason: str


type Command = Warn | ExpelPerson | ImposePenalty | LiftPenalty | CountDefaults | Disqualify

# Facts


class PenaltyImposed(Fact):
    penalty: str
    tournament: str
    entrant: str
    stage: str
    round: int
    points: Number
    reason: str


class PenaltyLifted(Fact):
    penalty: str
    tournament: str
    reason: str


class WarningGiven(Fact):
    """Nothing follows from it, but whoever decides later sees it."""

    warning: str
    tournament: str
    entrant: str
    stage: str
    round: int
    reason: str
    clause: str | None = None
    person: str | None = None


class ExpulsionDue(Fact):
    tournament: str
    entrant: str
    stage: str
    round: int
    clause: str
    games: tuple[str, ...] = ()  # none: an official disqualified
    reason: str | None = None


class ExpulsionLapsed(Fact):
    """The games that expelled were corrected."""

    tournament: str
    entrant: str


class PersonExpelled(Fact):
    tournament: str
    entrant: str
    person: str
    stage: str
    round: int
    reason: str


type Event = WarningGiven | PersonExpelled | PenaltyImposed | PenaltyLifted | ExpulsionDue | ExpulsionLapsed
