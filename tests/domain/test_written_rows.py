"""Rows of a table that are written down already: what is answered from them is what would be written anew."""

from collections.abc import Mapping

import pytest

from services.standings.api.tables.views import WrittenRows, table_answer
from services.standings.domain.table import Ranked, RankedRow
from shared.personal.shown_names import NamesToShow

NAMES = {"ann": "Ann", "bob": "Bob"}


def row(
    entrant: str, place: int, *, points: int = 3, shared: bool = False, separated_by: str | None = None
) -> RankedRow:
    return RankedRow(
        place=place, shared=shared, entrant=entrant, persons=(), values=(points,), separated_by=separated_by
    )


def answered(rows: WrittenRows, *standings: RankedRow, names: Mapping[str, str] = NAMES) -> bytes:
    table = Ranked(round=1, complete=True, criteria=("points",), standings=standings, unresolved=())
    told = NamesToShow(names=names, seen_by="full", own_names=frozenset(), schools=frozenset())
    return table_answer("cup", "swiss", "reg1.pai1.res1.sta0", table, told, rows=rows).content


@pytest.mark.parametrize(
    ("after", "names"),
    [
        ((row("bob", 1), row("ann", 2)), NAMES),
        ((row("ann", 1, shared=True), row("bob", 1, shared=True)), NAMES),
        ((row("ann", 1, separated_by="points"), row("bob", 12, points=1)), NAMES),
        ((row("bob", 1), row("ann", 2)), {"ann": "Anna"}),
    ],
    ids=["places", "a place that is shared", "values", "names"],
)
def test_an_answer_from_rows_that_were_written_is_the_one_from_none(
    after: tuple[RankedRow, ...], names: Mapping[str, str]
) -> None:
    rows = WrittenRows()
    before = answered(rows, row("ann", 1), row("bob", 2))
    again = answered(rows, *after, names=names)
    assert again == answered(WrittenRows(), *after, names=names)
    assert again != before
