"""Who goes on from a tournament to another one: said once its order is decided, and again when that has changed."""

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Order
from shared.numbers import Number, stored
from shared.tournament.completion import handover
from shared.tournament.facts import Facts


class NameQualified(Order):
    tournament: str
    order: tuple[tuple[str, ...], ...]  # place by place; equal places together
    advance: int | None
    reserves: tuple[str, ...]
    points: dict[str, Number]
    rests_on: str


class Qualified(Fact):
    """Who goes on from the tournament, and who stands by, as far as the facts named in `rests_on` go; the last word
    counts.
    """

    REPLACES: ClassVar[tuple[str, ...]] = ("Qualified",)

    tournament: str
    order: tuple[tuple[str, ...], ...]
    advance: int | None
    reserves: tuple[str, ...]
    points: dict[str, Number]
    rests_on: str


def qualified(tournament: str, facts: Facts, rests_on: str, *, is_over: bool = False) -> NameQualified | None:
    """Who goes on, if the facts say so already."""
    found = handover(facts, is_over=is_over)
    return found and NameQualified(
        tournament=tournament,
        order=found.order,
        advance=found.advance,
        reserves=found.reserves,
        points={entrant: stored(points) for entrant, points in found.points.items()},
        rests_on=rests_on,
    )


type State = Qualified | None


def decide(state: State, command: NameQualified) -> list[Qualified]:
    """Whatever it rests on, the same order is said once."""
    named = msgspec.convert(command, Qualified, from_attributes=True)
    return [] if state is not None and replace(named, rests_on=state.rests_on) == state else [named]


def evolve(_: State, event: Qualified) -> State:
    return event


QUALIFYING: Decider[State, NameQualified, Qualified] = Decider(
    kind="qualifying", initial=None, decide=decide, evolve=evolve, events=(Qualified,)
)
