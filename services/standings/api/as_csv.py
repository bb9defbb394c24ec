"""Tables for spreadsheets: RFC 4180, in UTF-8, with a line of headings."""

from typing import Annotated, Literal

import msgspec
from fastapi import Query

from services.standings.api.outcome_bodies import FinalRanking
from services.standings.api.showing import Table
from shared.csv_lines import as_csv, written
from shared.http.parameters import Absent
from shared.http.responses import ETAG

TABLE = msgspec.json.Decoder(Table)

type Format = Annotated[
    Literal["json", "csv"] | Absent,
    Query(alias="format", description="`csv` for spreadsheets; otherwise JSON.", examples=["csv"]),
]

EXAMPLE = "place,entrant,name,points\r\n1,019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833,Zuzana Kováčová,5.5\r\n"
SHEET = as_csv(EXAMPLE)
ANSWERS = {code: described | {"headers": ETAG} for code, described in SHEET.items()}


def final_ranking(found: FinalRanking) -> bytes:
    """With the stage in whose table everybody stands."""
    beside = dict.fromkeys(name for row in found.standings for name in row.beside)
    told = ("place", "entrant", "name", "stage", "group", "left")
    return written(
        [*told, *found.criteria, *beside],
        (row.model_dump(include=set(told)) | row.values | row.beside for row in found.standings),
    )


def table(content: bytes) -> bytes:
    """The table that this JSON is."""
    found = TABLE.decode(content)
    beside = dict.fromkeys(name for row in found.standings for name in row.beside)
    groups = ["group"] if any(row.group for row in found.standings) else []
    return written(
        [*groups, "place", "entrant", "name", *found.criteria, *beside],
        (
            {
                **dict.fromkeys(groups, row.group),
                "place": row.place,
                "entrant": row.entrant,
                "name": row.name,
                **row.values,
                **row.beside,
            }
            for row in found.standings
        ),
    )
