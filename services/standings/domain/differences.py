"""What a correction has changed in a table that was complete: who moved, and by what.

A table follows its facts by itself. But people have read the one before, so what became of it is written down and told.
"""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from msgspec.structs import replace

from services.standings.domain.table import begun
from shared.commands.decider import Decider, Fact, Mark, Order
from shared.contracts.parts import Cause, Moved, Values
from shared.numbers import Number, stored
from shared.tournament.completion import tables_without_result
from shared.tournament.facts import Facts
from shared.tournament.ranking import Row, rank
from shared.values import Value

# Orders


class TableDifference(Value):
    stage: str
    round: int  # after which the tables are compared: the last one that was complete
    was_closed: bool
    moved: tuple[Moved, ...]


class NoteDifferences(Order):
    tournament: str
    before: str  # the inputs of the one table
    after: str  # and of the other
    causes: tuple[Cause, ...]
    differences: tuple[TableDifference, ...]


type Command = NoteDifferences

# Facts


class TableChanged(Fact):
    """A later correction has changed the table of a round that was complete: who moved from where to where, and
    because of what.
    """

    MARK: ClassVar[Mark] = "correction"

    tournament: str
    stage: str
    round: int
    was_closed: bool
    before: str
    after: str
    causes: tuple[Cause, ...]
    moved: tuple[Moved, ...]


type Event = TableChanged


class State(Value):
    """All that has changed, in the order in which it did."""

    changes: tuple[TableChanged, ...] = ()


def decide(state: State, command: Command) -> list[Event]:
    """What was noted once is not noted again."""
    known = {(one.stage, one.before, one.after) for one in state.changes}
    return [
        TableChanged(
            tournament=command.tournament,
            stage=one.stage,
            round=one.round,
            was_closed=one.was_closed,
            before=command.before,
            after=command.after,
            causes=command.causes,
            moved=one.moved,
        )
        for one in command.differences
        if (one.stage, command.before, command.after) not in known
    ]


def evolve(state: State, event: Event) -> State:
    return replace(state, changes=(*state.changes, event))


CHANGES: Decider[State, Command, Event] = Decider(
    kind="changes", initial=State(), decide=decide, evolve=evolve, events=(TableChanged,)
)


def differences(before: Facts, after: Facts) -> Iterator[TableDifference]:
    """Stage by stage, up to the last round that was complete before."""
    for stage in begun(before):
        yield from difference(before, after, stage, last_complete(before, stage))


def difference(before: Facts, after: Facts, stage: str, last: int) -> Iterator[TableDifference]:
    """Of the table after a round, if it has one."""
    if last and (moved := tuple(compared(before, after, stage, last))):
        yield TableDifference(stage=stage, round=last, was_closed=stage in before.closed, moved=moved)


def last_complete(facts: Facts, stage: str) -> int:
    """0 where none is."""
    rounds = [one for (of, _), one in facts.rounds.items() if of == stage]
    return max((one.number for one in rounds if not tables_without_result(facts, one)), default=0)


def compared(before: Facts, after: Facts, stage: str, last: int) -> Iterator[Moved]:
    """Who has moved, in the order of the table as it is now."""
    was = {row.entrant: row for row in rank(before, stage, through=last).rows}
    now = {row.entrant: row for row in rank(after, stage, through=last).rows}
    for entrant in {**now, **was}:
        one, other = was.get(entrant), now.get(entrant)
        moved = Moved(
            entrant=entrant,
            before=None if one is None else one.place,
            after=None if other is None else other.place,
            values=changed(values(one), values(other)),
        )
        if moved.before != moved.after or moved.values:
            yield moved


def changed(before: Mapping[str, Number], after: Mapping[str, Number]) -> Values:
    names = {**before, **after}
    return {name: (before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)}


def values(row: Row | None) -> Mapping[str, Number]:
    return {} if row is None else {name: stored(value) for name, value in row.values.items()}
