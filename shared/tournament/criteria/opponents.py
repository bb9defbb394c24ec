"""Criteria that look at how well the opponents did."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from shared.tournament.criteria.kinds import Addend, Measured
from shared.tournament.criteria.own import is_won, opponent_of
from shared.tournament.ledger import Ledger, Turn
from shared.tournament.unplayed import regime_of

LEAST_FOR_MEDIAN = 3

type Contribution = tuple[int, Turn]  # in units, and the round that it is from


def contributions(ledger: Ledger, entrant: str) -> Iterator[Contribution]:
    """Of each round: the opponent's points, or what the ruleset makes of a round without a game."""
    regime = regime_of(ledger)
    points = regime.of_opponents(ledger)
    only_beaten = ledger.settings.standings.buchholz_opponents == "beaten"
    for turn in ledger.turns[entrant]:
        if only_beaten and not is_won(ledger, turn):
            continue
        if turn.kind == "game":
            yield sum([points[opponent] for opponent in turn.opponents]), turn
        else:
            yield regime.own(ledger, entrant, turn), turn


def median(values: Sequence[int]) -> int:
    """Without the best and the worst opponent; nothing is left of fewer than three."""
    return sum(values) - max(values) - min(values) if len(values) >= LEAST_FOR_MEDIAN else 0


def cut_lowest(values: Sequence[int]) -> int:
    return sum(values) - min(values, default=0)


def over_opponents(total: Callable[[Sequence[int]], int]) -> Callable[[Ledger], Mapping[str, int]]:
    return lambda ledger: {one: total([units for units, _ in contributions(ledger, one)]) for one in ledger.entrants}


def sonneborn_berger(ledger: Ledger) -> Mapping[str, int]:
    """What the opponents have, each times what was got against them."""
    return {one: sum([units * turn.points for units, turn in weighed(ledger, one)]) for one in ledger.entrants}


def weighed(ledger: Ledger, entrant: str) -> Iterator[Contribution]:
    """As `contributions`, of all opponents: those who were not beaten count as far as points were got."""
    regime = regime_of(ledger)
    points = regime.of_opponents(ledger)
    for turn in ledger.turns[entrant]:
        if turn.kind == "game":
            yield sum([points[opponent] for opponent in turn.opponents]), turn
        else:
            yield regime.own(ledger, entrant, turn), turn


def addends_without(*cuts: str) -> Callable[[Ledger, str], tuple[Addend, ...]]:
    """Each opponent's addend; of those that are cut, why."""

    def addends(ledger: Ledger, entrant: str) -> tuple[Addend, ...]:
        found = list(contributions(ledger, entrant))
        cut: dict[int, str] = {}
        by_value = sorted(range(len(found)), key=lambda number: found[number][0])
        if "highest" in cuts and len(found) < LEAST_FOR_MEDIAN:
            cut = dict.fromkeys(by_value, "fewer than three opponents leave nothing")
        else:
            if "lowest" in cuts and found:
                cut[by_value[0]] = "the lowest is left out"
            if "highest" in cuts:
                cut[by_value[-1]] = "the highest is left out"
        return tuple(
            Addend(
                value=ledger.exact(units),
                what=turn.kind,
                round=turn.round,
                opponent=opponent_of(turn),
                counted=number not in cut,
                why=cut.get(number) or why_without_game(ledger, turn),
            )
            for number, (units, turn) in enumerate(found)
        )

    return addends


def why_without_game(ledger: Ledger, turn: Turn) -> str | None:
    return None if turn.kind == "game" else regime_of(ledger).sentence


def sonneborn_berger_addends(ledger: Ledger, entrant: str) -> tuple[Addend, ...]:
    return tuple(
        Addend(
            value=ledger.exact(units * turn.points, square=True),
            what=turn.kind,
            round=turn.round,
            opponent=opponent_of(turn),
            why=why_without_game(ledger, turn)
            or f"{shown(ledger.exact(turn.points))} of the opponent's {shown(ledger.exact(units))} points",
        )
        for units, turn in weighed(ledger, entrant)
    )


def shown(value: Fraction) -> str:
    return str(value)


OPPONENTS = (
    Measured(
        name="median_buchholz",
        title="median Buchholz",
        measure=over_opponents(median),
        addends=addends_without("highest", "lowest"),
    ),
    Measured(name="buchholz", title="Buchholz", measure=over_opponents(sum), addends=addends_without()),
    Measured(
        name="buchholz_cut1",
        title="Buchholz without the lowest",
        measure=over_opponents(cut_lowest),
        addends=addends_without("lowest"),
    ),
    Measured(
        name="sonneborn_berger",
        title="Sonneborn–Berger",
        unit="products",
        measure=sonneborn_berger,
        addends=sonneborn_berger_addends,
    ),
)
