"""What stands on the sheet of a round: who sits at which table, and who does not play."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from shared.numbers import Number
from shared.refusals import Invalid
from shared.values import Value

type ReasonCode = Literal["announcement", "agreement", "absence", "mistake", "late-news", "emergency", "other"]
type Act = Literal["override", "confirm", "publish", "recall", "repair"]


class SeatedTable(Value):
    """Who sits at a table. `first` starts, or is named first; or `option` may choose."""

    table: int
    seats: tuple[str, ...]  # entrants
    first: str | None = None
    option: str | None = None
    group: str | None = None
    match: str | None = None
    number: int | None = None  # of the game, in a match of several
    why: tuple[str, ...] = ()


class RoundSheet(Value):
    tables: tuple[SeatedTable, ...]
    byes: tuple[str, ...] = ()
    requested_byes: dict[str, Number] = msgspec.field(default_factory=dict[str, Number])
    missing: tuple[str, ...] = ()

    @property
    def by_number(self) -> Mapping[int, SeatedTable]:
        return {table.table: table for table in self.tables}

    def entrants(self) -> Iterator[str]:
        """Everybody on it, as often as they stand there."""
        for table in self.tables:
            yield from table.seats
        yield from self.byes
        yield from self.requested_byes
        yield from self.missing

    def with_tables(
        self, tables: Sequence[SeatedTable], byes: tuple[str, ...], missing: tuple[str, ...]
    ) -> "RoundSheet":
        """The sheet with these tables instead of those of the same numbers."""
        changed = {table.table: table for table in tables}
        seated = tuple(changed.get(table.table, table) for table in self.tables)
        return replace(self, tables=seated, byes=byes, missing=missing)

    def says_the_same_as(self, other: "RoundSheet") -> bool:
        """Whether the same sit at the same tables and the same do not play, whatever the grounds."""
        return unexplained(self) == unexplained(other)


class Drafted(Value):
    """A pairing as it was made, with its grounds."""

    sheet: RoundSheet
    method: str
    explanation: tuple[str, ...]
    inputs: str  # what was known when it was made, such as reg120.pai31.res88.sta7
    cost: tuple[Number, ...] | None = None
    components: tuple[str, ...] = ()  # what the numbers of the cost count
    proved: bool | None = None
    program: str | None = None  # which made it, with its version


class Doubt(Value):
    """Something that speaks against an act, and that only a reason outweighs."""

    kind: str
    detail: str


class StatedReason(Value):
    """Why it was done all the same. The words are kept beside the log, where they can be erased; the note names them."""

    code: ReasonCode
    note: str | None = None


class Outweighed(Value):
    """What spoke against an act, and why it was done all the same."""

    act: Act
    doubts: tuple[Doubt, ...]
    reason: StatedReason | None


class SheetNotWhole(Invalid):
    """Somebody is missing on it, stands there twice, or does not belong there."""


def require_whole(sheet: RoundSheet, drafted: RoundSheet, idle: Collection[str] = ()) -> None:
    """The same people as in the draft, each once, at tables that are not mixed up. The idle may rest and be named nowhere."""
    faults = [*misplaced(sheet, drafted, frozenset(idle)), *muddled(sheet)]
    if faults:
        raise SheetNotWhole(f"{' '.join(faults)} Everybody who is on the sheet now has to stand there exactly once.")


def repaired(
    sheet: RoundSheet,
    tables: Sequence[SeatedTable],
    byes: tuple[str, ...] | None = None,
    away: Collection[str] = (),
    idle: Collection[str] = (),
) -> RoundSheet:
    """The sheet with these tables instead of those of the same numbers, which keep their group and match.

    Who is not there may be left out.
    """
    known = sheet.by_number
    faults = [
        *(f"There is no table {table.table} in this round." for table in tables if table.table not in known),
        *muddled(replace(sheet, tables=tuple(tables))),
    ]
    if faults:
        raise SheetNotWhole(f"{' '.join(faults)} Send each table that is to change once.")
    changed = [
        replace(table, group=old.group, match=old.match, number=old.number)
        for table in tables
        for old in [known[table.table]]
        if (table.seats, table.first, table.option) != (old.seats, old.first, old.option)
    ]
    whole = sheet.with_tables(changed, sheet.byes if byes is None else byes, sheet.missing)
    seated = set(whole.entrants())
    left_out = (entrant for entrant in sheet.entrants() if entrant in away and entrant not in seated)
    whole = replace(whole, missing=(*whole.missing, *left_out))
    require_whole(whole, sheet, idle)
    return whole


def require_seats(sheet: RoundSheet, least: int, most: int) -> None:
    """There have to be as many at each table as can play the game."""
    wrong = [
        f"At table {table.table} sit {len(table.seats)}."
        for table in sheet.tables
        if not least <= len(table.seats) <= most
    ]
    if wrong:
        players = f"{least}" if least == most else f"{least} to {most}"
        raise SheetNotWhole(f"{' '.join(wrong)} The game is played by {players} at a table.")


def misplaced(sheet: RoundSheet, drafted: RoundSheet, idle: frozenset[str]) -> list[str]:
    expected, found = set(drafted.entrants()), Counter(sheet.entrants())
    return [
        *(f"{entrant} is missing." for entrant in sorted(expected - found.keys() - idle)),
        *(f"{entrant} is not part of this round." for entrant in sorted(found.keys() - expected - idle)),
        *(f"{entrant} stands there {times} times." for entrant, times in sorted(found.items()) if times > 1),
    ]


def muddled(sheet: RoundSheet) -> list[str]:
    numbers = Counter(table.table for table in sheet.tables)
    return [
        *(f"Table {number} is there {times} times." for number, times in sorted(numbers.items()) if times > 1),
        *(
            f"At table {table.table} {entrant} should begin or choose without sitting there."
            for table in sheet.tables
            for entrant in (table.first, table.option)
            if entrant is not None and entrant not in table.seats
        ),
    ]


def unexplained(sheet: RoundSheet) -> tuple[object, ...]:
    tables = frozenset(
        (table.table, table.seats, table.first, table.option, table.group, table.match, table.number)
        for table in sheet.tables
    )
    return tables, frozenset(sheet.byes), frozenset(sheet.requested_byes.items()), frozenset(sheet.missing)
