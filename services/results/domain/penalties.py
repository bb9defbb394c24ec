"""What entrants of one tournament have brought upon themselves: points taken away, and expulsions. One stream each.

Registration expels. Results only tells that it is due: because so many games were defaulted against an entrant, or
because an official disqualifies. When a correction takes the ground away, that is told as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from shared.decider import Conflict, Decider, Invalid, NotFound
from shared.exact import Number, exact

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


type Command = ImposePenalty | LiftPenalty | CountDefaults | Disqualify

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


type Event = PenaltyImposed | PenaltyLifted | ExpulsionDue | ExpulsionLapsed

# State


@dataclass(frozen=True, kw_only=True, slots=True)
class Imposed:
    entrant: str
    stage: str
    round: int
    points: Number


@dataclass(frozen=True, kw_only=True, slots=True)
class Penalties:
    imposed: Mapping[str, Imposed]
    lifted: frozenset[str] = frozenset()
    by_defaults: frozenset[str] = frozenset()  # entrants whose expulsion is due for their games
    disqualified: frozenset[str] = frozenset()


# Refusals


class NoPenalty(Invalid):
    """A penalty takes points away."""


class PenaltyTaken(Conflict):
    """The id belongs to another penalty."""


class PenaltyUnknown(NotFound):
    """No such penalty was imposed."""


def decide(state: Penalties, command: Command) -> list[Event]:
    match command:
        case ImposePenalty():
            return impose(state, command)
        case LiftPenalty():
            return lift(state, command)
        case CountDefaults():
            return count(state, command)
        case Disqualify():
            return disqualify(state, command)


def impose(state: Penalties, command: ImposePenalty) -> list[Event]:
    if exact(command.points) >= Fraction(0):
        raise NoPenalty("A penalty takes points away: send a number below zero.")
    wanted = Imposed(entrant=command.entrant, stage=command.stage, round=command.round, points=command.points)
    known = state.imposed.get(command.penalty)
    if known is not None and known != wanted:
        raise PenaltyTaken("Another penalty has this id: choose a new one.")
    if known is not None:
        return []
    return [
        PenaltyImposed(
            penalty=command.penalty,
            tournament=command.tournament,
            entrant=command.entrant,
            stage=command.stage,
            round=command.round,
            points=command.points,
            reason=command.reason,
        )
    ]


def lift(state: Penalties, command: LiftPenalty) -> list[Event]:
    if command.penalty not in state.imposed:
        raise PenaltyUnknown("There is no such penalty: look into the list.")
    if command.penalty in state.lifted:
        return []
    return [PenaltyLifted(penalty=command.penalty, tournament=command.tournament, reason=command.reason)]


def count(state: Penalties, command: CountDefaults) -> list[Event]:
    is_due = command.entrant in state.by_defaults
    if command.clause is None:
        return [ExpulsionLapsed(tournament=command.tournament, entrant=command.entrant)] if is_due else []
    if is_due:
        return []
    return [
        ExpulsionDue(
            tournament=command.tournament,
            entrant=command.entrant,
            stage=command.stage,
            round=command.round,
            clause=command.clause,
            games=command.games,
        )
    ]


def disqualify(state: Penalties, command: Disqualify) -> list[Event]:
    if command.entrant in state.disqualified:
        return []
    return [
        ExpulsionDue(
            tournament=command.tournament,
            entrant=command.entrant,
            stage=command.stage,
            round=command.round,
            clause=command.clause,
            reason=command.reason,
        )
    ]


def evolve(state: Penalties, event: Event) -> Penalties:
    match event:
        case PenaltyImposed():
            imposed = Imposed(entrant=event.entrant, stage=event.stage, round=event.round, points=event.points)
            return replace(state, imposed={**state.imposed, event.penalty: imposed})
        case PenaltyLifted():
            return replace(state, lifted=state.lifted | {event.penalty})
        case ExpulsionDue() if event.games:
            return replace(state, by_defaults=state.by_defaults | {event.entrant})
        case ExpulsionDue():
            return replace(state, disqualified=state.disqualified | {event.entrant})
        case ExpulsionLapsed():
            return replace(state, by_defaults=state.by_defaults - {event.entrant})


PENALTIES: Decider[Penalties, Command, Event] = Decider(
    kind="penalties",
    initial=Penalties(imposed={}),
    decide=decide,
    evolve=evolve,
    events=(PenaltyImposed, PenaltyLifted, ExpulsionDue, ExpulsionLapsed),
)
