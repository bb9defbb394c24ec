"""Tables for spreadsheets: RFC 4180, in UTF-8, with a line of headings."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

import msgspec
from fastapi import Query

from services.standings.api.showing import Table
from shared.act import Absent
from shared.answers import ETAG

CSV = "text/csv"
TABLE = msgspec.json.Decoder(Table)
COMMANDS = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet would take a name for a formula

type Format = Annotated[
    Literal["json", "csv"] | Absent,
    Query(alias="format", description="`csv` for spreadsheets; otherwise JSON.", examples=["csv"]),
]
type Cell = str | float | None

EXAMPLE = "place,entrant,name,points\r\n1,019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833,Zuzana Kováčová,5.5\r\n"
ANSWERS = {200: {"content": {CSV: {"schema": {"type": "string"}, "example": EXAMPLE}}, "headers": ETAG}}


def written(headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(headings)
    lines.writerows([[plain(cell) for cell in row] for row in rows])
    return text.getvalue().encode()


def plain(cell: Cell) -> Cell:
    """Names are what people chose: none of them is a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(COMMANDS) else cell


def table(content: bytes) -> bytes:
    """The table that this JSON is."""
    found = TABLE.decode(content)
    groups = ["group"] if any(row.group for row in found.standings) else []
    return written(
        [*groups, "place", "entrant", "name", *found.criteria],
        (
            [
                *([row.group] if groups else []),
                row.place,
                row.entrant,
                row.name,
                *(row.values.get(name) for name in found.criteria),
            ]
            for row in found.standings
        ),
    )
