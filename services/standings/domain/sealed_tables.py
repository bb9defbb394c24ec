"""The tables of a tournament as they were when a round was completed or a stage closed: by the hash of their bytes.

The bytes are one for all who compute the same table (`docs/proof-format.md`): JSON without names, white space and fractions.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from services.standings.domain.table import Ranked
from shared.commands.decider import Decider, Fact, Order
from shared.values import Value

FORMAT = "roundlog.table/1"

# Orders


class SealTable(Order):
    tournament: str
    stage: str
    round: int
    inputs: str
    table: str
    program: str


# Facts


class TableSealed(Fact):
    """The table of a stage through a round, by the SHA-256 of its bytes, what it rests on, and which program computed it."""

    tournament: str
    stage: str
    round: int
    inputs: str  # such as reg120.pai31.res88.sta7
    table: str  # hexadecimal
    program: str


# States


class SealedTables(Value):
    """By stage and round, the table and the program."""

    tables: Mapping[tuple[str, int], tuple[str, str]] = msgspec.field(
        default_factory=dict[tuple[str, int], tuple[str, str]]
    )


def decide(state: SealedTables, order: SealTable) -> list[TableSealed]:
    """The same table once more says nothing new."""
    if state.tables.get((order.stage, order.round)) == (order.table, order.program):
        return []
    return [msgspec.convert(order, TableSealed, from_attributes=True)]


def evolve(state: SealedTables, event: TableSealed) -> SealedTables:
    return replace(state, tables={**state.tables, (event.stage, event.round): (event.table, event.program)})


SEALED_TABLES: Decider[SealedTables, SealTable, TableSealed] = Decider(
    kind="tables", initial=SealedTables(), decide=decide, evolve=evolve, events=(TableSealed,)
)


def content(tournament: str, stage: str, table: Ranked) -> bytes:
    """What is hashed. Numbers are whole, or texts such as 11/2, so nothing is rounded."""
    said = {
        "format": FORMAT,
        "tournament": tournament,
        "stage": stage,
        "round": table.round,
        "criteria": table.criteria,
        "standings": [
            {
                "place": row.place,
                "shared": row.shared,
                "entrant": row.entrant,
                "group": row.group,
                "values": dict(zip(table.criteria, row.values, strict=True)),
            }
            for row in table.standings
        ],
        "unresolved": [{"entrants": one.entrants, "needs": one.needs} for one in table.unresolved],
    }
    return msgspec.json.encode(said, order="deterministic")
