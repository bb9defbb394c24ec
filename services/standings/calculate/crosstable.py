"""Who met whom: every entrant's rounds in a stage."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec

from services.standings.calculate.bodies import Cell, Number
from shared.numbers import shown
from shared.tournament.facts import Facts
from shared.tournament.ledger import Kind, Ledger, RoundTurn, ledger_of
from shared.tournament.ordering import Row

NO_NAMES: Mapping[str, str] = {}


class FastCell(msgspec.Struct, frozen=True, gc=False):
    """The `Cell` of the document, made in a hurry: a field has thousands."""

    round: int
    kind: Kind
    opponents: tuple[str, ...]
    places: list[int]
    first: bool | None
    points: Number
    made: Number
    received: Number
    corrected: bool
    names: list[str | None]


def rounds_of(
    facts: Facts,
    rows: Sequence[Row],
    *,
    names: Mapping[str, str] = NO_NAMES,
    through: int | None = None,
    ledger: Ledger | None = None,
) -> Mapping[str, list[FastCell]]:
    """The rounds of everybody in a table, without those that still wait for a result. Whoever has the ledger of the one
    stage of these rows spares making it once more."""
    places = {row.entrant: row.place for row in rows}
    ledgers = {
        stage: ledger_of(facts, stage, through=through) if ledger is None else ledger
        for stage in {row.stage for row in rows}
    }
    first = {stage: who_began(facts, stage) for stage in ledgers}
    corrected = corrected_seats(facts)
    return {
        row.entrant: [
            cell(
                ledgers[row.stage],
                row.entrant,
                turn,
                places,
                first[row.stage],
                names,
                corrected=(row.stage, turn.round, row.entrant) in corrected,
            )
            for turn in ledgers[row.stage].turns[row.entrant]
        ]
        for row in rows
    }


def who_began(facts: Facts, stage: str) -> Mapping[tuple[int, str], bool]:
    """The result says who began; where it does not, they began as it was planned."""
    found: dict[tuple[int, str], bool] = {}
    for (of, number), one in facts.rounds.items():
        for game in one.games if of == stage else ():
            result = facts.results.get(game.id)
            first = (result.first if result else None) or game.first
            found |= {(number, seat): seat == first for seat in game.seats if first is not None}
    return found


def corrected_seats(facts: Facts) -> frozenset[tuple[str, int, str]]:
    """Whose games have another result than stood before: the stage, the round and the entrant."""
    return frozenset(
        (stage, number, seat)
        for (stage, number), one in (facts.rounds.items() if facts.corrected else ())
        for game in one.games
        if game.id in facts.corrected
        for seat in game.seats
    )


def cell(
    ledger: Ledger,
    entrant: str,
    turn: RoundTurn,
    places: Mapping[str, int],
    first: Mapping[tuple[int, str], bool],
    names: Mapping[str, str],
    *,
    corrected: bool,
) -> FastCell:
    unit = ledger.unit
    return FastCell(
        round=turn.round,
        kind=turn.kind,
        opponents=turn.opponents,
        places=[places[one] for one in turn.opponents if one in places],
        first=first.get((turn.round, entrant)) if turn.kind == "game" else None,
        points=in_points(turn.points, unit),
        made=in_points(turn.made, unit),
        received=in_points(turn.received, unit),
        corrected=corrected,
        names=[names.get(one) for one in turn.opponents],
    )


@lru_cache(maxsize=10_000)  # the same few numbers come again and again
def in_points(units: int, unit: int) -> Number:
    return shown(Fraction(units, unit))


def round_titles(numbers: Iterable[int]) -> Mapping[int, str]:
    """The columns of a sheet."""
    return {number: f"round {number}" for number in numbers}


def in_columns(
    cells: Sequence[Cell | FastCell], titles: Mapping[int, str], called: Mapping[str, str]
) -> Mapping[str, str]:
    """A round is told as points, the opponents and scores, such as `1 v 4 (421:377)`."""
    return {
        title: ", ".join(
            f"{one.points} v {'/'.join(called.get(other, other) for other in one.opponents)} ({one.made}:{one.received})"
            if one.kind == "game"
            else f"{one.points} {one.kind}"
            for one in cells
            if one.round == number
        )
        for number, title in titles.items()
    }


def numbered(entrants: Sequence[str], names: Mapping[str, str]) -> Mapping[str, str]:
    """Opponents by the number of their line, since places may be shared; who has no line by name."""
    return {**names, **{entrant: str(number) for number, entrant in enumerate(entrants, start=1)}}
