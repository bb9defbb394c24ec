"""Tables for spreadsheets: RFC 4180, in UTF-8, with a line of headings; and on pages to be printed."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from fastapi import Response

from services.standings.api.bodies import TableColumn
from services.standings.api.tables.bodies import FinalRanking, FinalRow
from services.standings.api.tables.views import FastCrosstable, FastRow, FastTable
from services.standings.calculate.crosstable import in_columns, numbered, round_titles
from services.standings.tournaments import EntrantNames
from shared.csv_lines import written
from shared.http.printed import PrintedTable, printed
from shared.personal.shown_names import called
from shared.tournament.criteria.columns import CriterionColumn

TABLE = msgspec.json.Decoder(FastTable)

type Column = CriterionColumn | TableColumn
type StartNumbers = Mapping[str, int]


def table_file(content: bytes) -> bytes:
    """The file has the same table as this JSON."""
    found = TABLE.decode(content)
    groups = ["group"] if any(row.group for row in found.standings) else []
    return written(
        [*groups, "place", "entrant", "name", "home", *titles(found.columns).values()],
        (
            {
                **dict.fromkeys(groups, row.group),
                "place": row.place,
                "entrant": row.entrant,
                "name": row.name,
                "home": row.home,
                **headed(found.columns, {**row.values, **row.beside}),
            }
            for row in found.standings
        ),
    )


def table_page(content: bytes, heading: str, numbers: StartNumbers) -> Response:
    found = TABLE.decode(content)
    groups = any(row.group for row in found.standings)
    homes = any(row.home for row in found.standings)
    rows = [
        [
            *([row.group] if groups else []),
            place(row),
            called(row.name, numbers.get(row.entrant)),
            *([row.home] if homes else []),
            *in_row(found.columns, {**row.values, **row.beside}),
        ]
        for row in found.standings
    ]
    head = [*(["Group"] if groups else []), "Place", "Name", *(["From"] if homes else [])]
    below = f"After round {found.round}" + ("." if found.complete else ", of which results are missing.")
    return in_print(heading, below + corrections(found.corrected), head, found.columns, rows)


def crosstable_file(found: FastCrosstable, names: EntrantNames) -> bytes:
    rounds = round_titles(range(1, found.round + 1))
    lines = numbered([row.entrant for row in found.rows], names)
    return written(
        ["number", "place", "entrant", "name", "group", *titles(found.columns).values(), *rounds.values()],
        (
            {
                "number": lines[row.entrant],
                "place": row.place,
                "entrant": row.entrant,
                "name": row.name,
                "group": row.group,
                **headed(found.columns, row.values),
                **in_columns(row.rounds, rounds, lines),
            }
            for row in found.rows
        ),
    )


def final_ranking_file(found: FinalRanking) -> bytes:
    """The ranking with the stage in whose table everybody stands."""
    told = ("place", "entrant", "name", "home", "stage", "group", "left")
    return written(
        [*told, *titles(found.columns).values()],
        (row.model_dump(include=set(told)) | headed(found.columns, row.values | row.beside) for row in found.standings),
    )


def crosstable_page(found: FastCrosstable, names: EntrantNames, heading: str, start: StartNumbers) -> Response:
    rounds = round_titles(range(1, found.round + 1))
    lines = numbered([row.entrant for row in found.rows], names)
    rows = [
        [
            int(lines[row.entrant]),
            called(row.name, start.get(row.entrant)),
            *in_row(found.columns, row.values),
            *(cells.get(title) for title in rounds.values()),
        ]
        for row in found.rows
        for cells in [in_columns(row.rounds, rounds, lines)]
    ]
    below = f"After round {found.round}. Opponents are told by the number of their line."
    return in_print(heading, below, ["No.", "Name"], found.columns, rows, rounds.values())


def final_ranking_page(found: FinalRanking, heading: str, numbers: StartNumbers) -> Response:
    homes = any(row.home for row in found.standings)
    rows = [
        [
            place(row),
            called(row.name, numbers.get(row.entrant)),
            *([row.home] if homes else []),
            *in_row(found.columns, row.values | row.beside),
        ]
        for row in found.standings
    ]
    below = (
        "The tournament is completed." if found.completed else "The tournament goes on: places are those of the moment."
    )
    return in_print(heading, below, ["Place", "Name", *(["From"] if homes else [])], found.columns, rows)


def in_print(
    heading: str,
    below: str,
    head: Sequence[str],
    columns: Sequence[Column],
    rows: Sequence[Sequence[object]],
    behind: Iterable[str] = (),
) -> Response:
    """The table, and under it what its columns say."""
    table = PrintedTable(title="", columns=[*head, *(column.title for column in columns), *behind], rows=rows)
    said = [[column.title, column.description] for column in columns]
    return printed(heading, below, [table, PrintedTable(title="Columns", columns=["Column", "Says"], rows=said)])


def titles(columns: Iterable[Column]) -> Mapping[str, str]:
    """The heads of a sheet, each once."""
    return {column.key: column.title for column in columns}


def headed(columns: Iterable[Column], values: Mapping[str, float]) -> dict[str, float]:
    heads = titles(columns)
    return {heads[name]: value for name, value in values.items()}


def in_row(columns: Iterable[Column], values: Mapping[str, float]) -> list[float | None]:
    return [values.get(column.key) for column in columns]


def place(row: FastRow | FinalRow) -> str:
    return f"{row.place}.{' (shared)' if row.shared else ''}"


def corrections(count: int) -> str:
    """Whoever has the sheet of before sees that there is another one now."""
    if not count:
        return ""
    return f" {count} result{' was' if count == 1 else 's were'} corrected."
