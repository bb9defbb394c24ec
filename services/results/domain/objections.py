"""Objections at a Scrabble table and what was ruled about each. One stream a game.

What a ruling changes in the score stands on the sheet when it is reported; here is why.
"""

from dataclasses import dataclass
from typing import Literal

from shared.decider import Conflict, Decider, Invalid

type Kind = Literal["word", "unwritten", "tiles", "exchange", "points", "behaviour"]

MOST = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class WordRuled:
    """About one word; `by` is the list, the dictionary or the referee that decided."""

    word: str
    valid: bool
    clause: str
    by: str


# Orders and facts


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleObjection:
    game: str
    tournament: str
    objector: int  # a seat
    seats: int
    kind: Kind
    upheld: bool
    turn: Literal["stands", "lost"]
    points: tuple[int, ...]  # what the turns that were objected to count, where that changes
    costs: int  # the objector, in points
    rule: str
    words: tuple[WordRuled, ...] = ()
    sanction: str | None = None
    note: str | None = None  # the id of what was written about it, which is kept beside the log


type Command = RuleObjection


@dataclass(frozen=True, kw_only=True, slots=True)
class ObjectionRuled:
    game: str
    tournament: str
    objector: int
    kind: Kind
    upheld: bool
    turn: Literal["stands", "lost"]
    points: tuple[int, ...]
    costs: int
    rule: str
    words: tuple[WordRuled, ...]
    sanction: str | None
    note: str | None


type Event = ObjectionRuled


@dataclass(frozen=True, kw_only=True, slots=True)
class Objections:
    """In the order in which they were ruled."""

    ruled: tuple[ObjectionRuled, ...] = ()


class TooManyObjections(Conflict):
    """Nobody could follow what happened there."""


class NoSuchObjector(Invalid):
    """Only who plays at the table objects."""


def decide(state: Objections, command: Command) -> list[Event]:
    if command.objector >= command.seats:
        raise NoSuchObjector(f"The table has the seats 0 to {command.seats - 1}: one of them objects.")
    if len(state.ruled) >= MOST:
        raise TooManyObjections(f"The game has {MOST} rulings on record already.")
    return [
        ObjectionRuled(
            game=command.game,
            tournament=command.tournament,
            objector=command.objector,
            kind=command.kind,
            upheld=command.upheld,
            turn=command.turn,
            points=command.points,
            costs=command.costs,
            rule=command.rule,
            words=command.words,
            sanction=command.sanction,
            note=command.note,
        )
    ]


def evolve(state: Objections, event: Event) -> Objections:
    return Objections(ruled=(*state.ruled, event))


OBJECTIONS: Decider[Objections, Command, Event] = Decider(
    kind="objections", initial=Objections(), decide=decide, evolve=evolve, events=(ObjectionRuled,)
)
