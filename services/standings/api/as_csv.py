"""Tables for spreadsheets: RFC 4180, in UTF-8, with a line of headings."""

from typing import Annotated, Literal

import msgspec
from fastapi import Query

from services.standings.api.showing import Table
from shared.act import Absent
from shared.answers import ETAG
from shared.csv_lines import as_csv, written

TABLE = msgspec.json.Decoder(Table)

type Format = Annotated[
    Literal["json", "csv"] | Absent,
    Query(alias="format", description="`csv` for spreadsheets; otherwise JSON.", examples=["csv"]),
]

EXAMPLE = "place,entrant,name,points\r\n1,019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833,Zuzana Kováčová,5.5\r\n"
ANSWERS = {code: described | {"headers": ETAG} for code, described in as_csv(EXAMPLE).items()}


def table(content: bytes) -> bytes:
    """The table that this JSON is."""
    found = TABLE.decode(content)
    groups = ["group"] if any(row.group for row in found.standings) else []
    return written(
        [*groups, "place", "entrant", "name", *found.criteria],
        (
            {
                **dict.fromkeys(groups, row.group),
                "place": row.place,
                "entrant": row.entrant,
                "name": row.name,
                **row.values,
            }
            for row in found.standings
        ),
    )
