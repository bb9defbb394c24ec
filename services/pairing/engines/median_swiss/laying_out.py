"""The pairs of a median Swiss become a round: tables from the top, each with who starts, and why."""

from collections.abc import Mapping, Sequence

from services.pairing.engines import explaining, lookahead
from services.pairing.engines.field import Field, Player
from services.pairing.engines.median_swiss import explained
from services.pairing.engines.median_swiss.explained import Met
from services.pairing.engines.median_swiss.starting import Side, by_lot, reading_of, sides_of, who_starts
from services.pairing.engines.plan import Pair, Pairing

METHOD = "median-swiss"


def laid_out(
    field: Field, pairs: Sequence[Met], *, sitting_out: Player | None, middle: int, told: Sequence[str]
) -> Pairing:
    sides = sides_of(field)
    kept = lookahead.kept_after(field, [(met.one, met.other) for met in pairs], sitting_out)
    return Pairing(
        round=field.round,
        method=METHOD,
        pairs=tuple(
            seated(field, table, met, sides, middle)
            for table, met in enumerate(sorted(pairs, key=lambda met: met.place), start=1)
        ),
        byes=() if sitting_out is None else (sitting_out.id,),
        requested_byes=field.attendance.requested_byes,
        missing=field.attendance.missing,
        explanation=(
            *told,
            *explaining.absences_explained(field),
            *explaining.later_rounds_explained(field, kept),
        ),
    )


def seated(field: Field, table: int, met: Met, sides: Mapping[str, Side], middle: int) -> Pair:
    start = who_starts(
        sides[met.one.id],
        sides[met.other.id],
        number=field.round,
        is_below_middle=met.value < middle,
        reading=reading_of(field),
    ) or by_lot(field, met.one, met.other)
    second = met.other if start.first == met.one.id else met.one
    return Pair(
        table=table,
        seats=(start.first, second.id),
        first=start.first,
        why=(*explained.why_they_meet(field, met, middle), start.why),
    )
