"""Objections at a Scrabble table and what was ruled about each. One stream a game.

What a ruling changes in the score stands on the sheet when it is reported; here is why.
"""

from typing import Literal

from shared.commands.decider import Decider, Fact
from shared.refusals import Conflict, Invalid
from shared.values import Value

type ObjectionKind = Literal["word", "unwritten", "tiles", "exchange", "points", "behaviour"]

MOST = 100


class WordRuled(Value):
    """About one word; `by` is the list, the dictionary or the referee that decided."""

    word: str
    valid: bool
    clause: str
    by: str
    lemma: str | None = None
    source: str | None = None  # where the referee has looked it up
    overrules: str | None = None  # the list or program that had answered otherwise


# Facts


class ObjectionRuled(Fact):
    """An arbiter has ruled on an objection to a turn, word by word, with what it costs and gains."""

    game: str
    tournament: str
    objector: int  # a seat
    kind: ObjectionKind
    upheld: bool
    turn: Literal["stands", "lost"]
    points: tuple[int, ...]  # what the turns that were objected to count, where that changes
    costs: int  # the objector, in points
    rule: str
    words: tuple[WordRuled, ...]
    sanction: str | None
    note: str | None  # the id of what was written about it, which is kept beside the log
    drawn_too_soon: bool = False  # whether the mover left no time for it
    of_turn: int | None = None  # of the game, as far as it was said
    not_considered: tuple[str, ...] = ()  # words behind the one that lost the turn
    replays: int = 0  # so often the game had been ordered anew by then


type Event = ObjectionRuled

# Orders


class RuleObjection(Value):
    ruling: ObjectionRuled
    seats: int


class ObjectionsState(Value):
    """In the order in which they were ruled."""

    ruled: tuple[ObjectionRuled, ...] = ()


class TooManyObjections(Conflict):
    """Nobody could follow what happened there."""


class TurnIsLost(Conflict):
    """An objection to it was upheld, which ends it."""


class NoSuchObjector(Invalid):
    """Only who plays at the table objects."""


def decide(state: ObjectionsState, command: RuleObjection) -> list[Event]:
    if command.ruling.objector >= command.seats:
        raise NoSuchObjector(f"The table has the seats 0 to {command.seats - 1}: one of them objects.")
    if any(is_lost(one, command.ruling) for one in state.ruled):
        raise TurnIsLost(
            f"Turn {command.ruling.of_turn} is lost by an objection that was upheld: nothing more is objected to it (SK.RES-14)."
        )
    if len(state.ruled) >= MOST:
        raise TooManyObjections(f"The game has {MOST} rulings on record already.")
    return [command.ruling]


def is_lost(before: ObjectionRuled, now: ObjectionRuled) -> bool:
    """Whether both are about one turn, and it was lost before. A game that is played anew has other turns."""
    same = (before.of_turn, before.replays) == (now.of_turn, now.replays)
    return before.turn == "lost" and before.of_turn is not None and same


def evolve(state: ObjectionsState, event: Event) -> ObjectionsState:
    return ObjectionsState(ruled=(*state.ruled, event))


OBJECTIONS: Decider[ObjectionsState, RuleObjection, Event] = Decider(
    kind="objections", initial=ObjectionsState(), decide=decide, evolve=evolve, events=(ObjectionRuled,)
)
