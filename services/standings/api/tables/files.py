"""Tables for spreadsheets: RFC 4180, in UTF-8, with a line of headings."""

import msgspec

from services.standings.api.tables.bodies import Crosstable, FinalRanking
from services.standings.api.tables.views import FastTable
from services.standings.calculate.crosstable import in_columns, numbered, round_titles
from services.standings.tournaments import EntrantNames
from shared.csv_lines import written

TABLE = msgspec.json.Decoder(FastTable)


def table_file(content: bytes) -> bytes:
    """The file has the same table as this JSON."""
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


def crosstable_file(found: Crosstable, names: EntrantNames) -> bytes:
    rounds = round_titles(range(1, found.round + 1))
    called = numbered([row.entrant for row in found.rows], names)
    return written(
        ["number", "place", "entrant", "name", "group", "points", *rounds.values()],
        (
            {
                "number": called[row.entrant],
                "place": row.place,
                "entrant": row.entrant,
                "name": row.name,
                "group": row.group,
                "points": row.points,
                **in_columns(row.rounds, rounds, called),
            }
            for row in found.rows
        ),
    )


def final_ranking_file(found: FinalRanking) -> bytes:
    """The ranking with the stage in whose table everybody stands."""
    beside = dict.fromkeys(name for row in found.standings for name in row.beside)
    told = ("place", "entrant", "name", "stage", "group", "left")
    return written(
        [*told, *found.criteria, *beside],
        (row.model_dump(include=set(told)) | row.values | row.beside for row in found.standings),
    )
