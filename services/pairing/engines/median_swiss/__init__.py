"""The median Swiss of pIšQworky, clause 6: step by step as docs/rules/pisqworky.md has it ('A Swiss round step by step').

0. Two meet at most once: `may_meet` of the field, which every step asks.
1. Absolute order: the field stands in it, and so does every bracket.
2. `bye`
3. `brackets`
4. `downwards`: a `_without_those_who_meet_nobody`, b `_even`, c `_pair`
5. `upwards`: its mirror image
6. `middle`
7. Half against half: `BracketPairing.pair_half_against_half`
8. Always pairable: of a whole bracket `_pairable`, of a single choice `BracketPairing._pair`, of the bye and of who floats
   `_who_can_be_spared`

The steps are methods of `MedianSwiss` in `steps.py`; how one bracket is paired is in `bracket_pairing.py`, and who starts, criteria a
to g of PQ.PAI-10, in `starter.py`.
"""

from collections.abc import Mapping, Sequence

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import lookahead, no_pairing
from services.pairing.engines.explaining import absences_explained, later_rounds_explained
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.median_swiss import explaining
from services.pairing.engines.median_swiss.bracket_pairing import Met
from services.pairing.engines.median_swiss.starter import StarterSide, by_lot, reading_of, sides_of, who_starts
from services.pairing.engines.median_swiss.steps import MedianSwiss
from services.pairing.engines.paired_round import NotAvailable, PairedRound


def pair(field: Field) -> PairedRound:
    require_known_rules(field)
    if not field.players:
        raise no_pairing.refusal(field)
    swiss = MedianSwiss(field)
    swiss.bye()
    swiss.brackets()
    swiss.downwards()
    swiss.upwards()
    swiss.middle()
    return laid_out(field, swiss.pairs, sitting_out=swiss.sitting_out, middle=swiss.half, told=swiss.told)


def require_known_rules(field: Field) -> None:
    """A ruleset may ask for what these steps do not have: this says so, rather than pair by another rule."""
    pairing = field.settings.pairing
    lacking = [
        *([f"the first round by {pairing.first_round.opponents}"] if pairing.first_round.opponents != "halves" else []),
        *([f"who begins by {pairing.first_round.first}"] if pairing.first_round.first != "balance" else []),
        *([f"the bye by {pairing.bye}"] if pairing.bye != "lowest" else []),
    ]
    if lacking:
        raise NotAvailable(f"A median Swiss cannot pair stage {field.stage}, since it lacks {' and '.join(lacking)}.")


def laid_out(
    field: Field, pairs: Sequence[Met], *, sitting_out: FieldPlayer | None, middle: int, told: Sequence[str]
) -> PairedRound:
    sides = sides_of(field)
    kept = lookahead.kept_after(field, [(met.one, met.other) for met in pairs], sitting_out)
    return PairedRound(
        round=field.round,
        method="median-swiss",
        pairs=tuple(
            seated(field, table, met, sides, middle)
            for table, met in enumerate(sorted(pairs, key=lambda met: met.place), start=1)
        ),
        byes=() if sitting_out is None else (sitting_out.id,),
        requested_byes=field.attendance.requested_byes,
        missing=field.attendance.missing,
        explanation=(
            *told,
            *absences_explained(field),
            *later_rounds_explained(field, kept),
        ),
    )


def seated(field: Field, table: int, met: Met, sides: Mapping[str, StarterSide], middle: int) -> SeatedTable:
    start = who_starts(
        sides[met.one.id],
        sides[met.other.id],
        number=field.round,
        is_below_middle=met.value < middle,
        reading=reading_of(field),
    ) or by_lot(field, met.one, met.other)
    second = met.other if start.first == met.one.id else met.one
    return SeatedTable(
        table=table,
        seats=(start.first, second.id),
        first=start.first,
        why=(*explaining.why_they_meet(field, met, middle), start.why),
    )
