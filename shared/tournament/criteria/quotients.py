"""The criteria of Othello and Carcassonne: the Brightwell quotient, and the success rate.

- brightwell: Σ over rounds of own discs + c * opponent's points; for a round without a game, or a game against somebody
  who has left since, half the discs + c * own points (OT.STA-2). 5 points, c = 6: 40 discs against 4 points, a bye and 50
  discs against somebody who left are 64 + 62 + 62.
- success: the mean over games of own score / scores of the table; a table at which three played counts as if it had a
  fourth with the mean of the three (CC.RES-4, CC.STA-1). 60 of 60 + 90 + 150: 60 / 400 = 15 %.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm

from shared.numbers import in_words, whole
from shared.tournament.criteria.criterion import Addend, Measured
from shared.tournament.criteria.own_results import opponent_of
from shared.tournament.criteria.unplayed import was_away
from shared.tournament.ledger import Ledger, RoundTurn

ALL_DISCS = 64


def brightwell_factor(ledger: Ledger) -> Fraction:
    """What a point of an opponent is worth in discs: as the ruleset says, or the discs of a game by the rounds."""
    factor = ledger.settings.standings.brightwell_c
    if factor == "auto":
        return Fraction(discs_of_a_game(ledger), ledger.settings.rounds or len(ledger.rounds) or 1)
    return factor


def discs_of_a_game(ledger: Ledger) -> int:
    return ledger.settings.scoring.total or ALL_DISCS


def per_share(ledger: Ledger) -> int:
    """Half a game and a share of a point are whole numbers of these."""
    return 2 * ledger.unit * brightwell_factor(ledger).denominator


def is_a_draw_against_oneself(ledger: Ledger, turn: RoundTurn) -> bool:
    """No game, or one against somebody who has left meanwhile."""
    return turn.kind != "game" or not ledger.left.isdisjoint(turn.opponents)


def counts_in_brightwell(ledger: Ledger, entrant: str, turn: RoundTurn) -> bool:
    """The ruleset may leave out rounds for which somebody was not there."""
    return ledger.settings.standings.unplayed_counts or not was_away(ledger, entrant, turn)


def brightwell_part(ledger: Ledger, entrant: str, turn: RoundTurn, factor: Fraction) -> int:
    """Of one round, in the shares of `per_share`."""
    if is_a_draw_against_oneself(ledger, turn):
        discs = discs_of_a_game(ledger) * ledger.unit  # half of it, in halves
        points = ledger.own_points[entrant]
    else:
        discs = 2 * turn.made
        points = sum([ledger.played_points[opponent] for opponent in turn.opponents])
    return discs * factor.denominator + 2 * factor.numerator * points


def brightwell(ledger: Ledger, several: Iterable[str]) -> Mapping[str, int]:
    factor = brightwell_factor(ledger)
    return {
        one: sum(
            [
                brightwell_part(ledger, one, turn, factor)
                for turn in ledger.turns[one]
                if counts_in_brightwell(ledger, one, turn)
            ]
        )
        for one in several
    }


def brightwell_addends(ledger: Ledger, entrant: str) -> tuple[Addend, ...]:
    factor, per = brightwell_factor(ledger), per_share(ledger)
    return tuple(
        Addend(
            value=Fraction(brightwell_part(ledger, entrant, turn, factor), per),
            what=turn.kind,
            round=turn.round,
            opponent=opponent_of(turn),
            counted=counts_in_brightwell(ledger, entrant, turn),
            why=why_brightwell(ledger, entrant, turn, factor),
        )
        for turn in ledger.turns[entrant]
    )


def why_brightwell(ledger: Ledger, entrant: str, turn: RoundTurn, factor: Fraction) -> str:
    if not counts_in_brightwell(ledger, entrant, turn):
        return "a round for which somebody was not there does not count"
    times = in_words(factor)
    if is_a_draw_against_oneself(ledger, turn):
        half = in_words(Fraction(discs_of_a_game(ledger), 2))
        own = in_words(ledger.exact(ledger.own_points[entrant]))
        why = "the opponent has left, " if turn.kind == "game" else ""
        return f"{why}a draw against oneself, {half} discs + {times} × {own} own points"
    points = ledger.exact(sum([ledger.played_points[opponent] for opponent in turn.opponents]))
    return f"{in_words(ledger.exact(turn.made))} discs + {times} × {in_words(points)} points"


def seats_of(ledger: Ledger, turn: RoundTurn) -> tuple[int, int]:
    """How many played at a table, and for how many it counts."""
    seats, made_up = len(turn.opponents) + 1, ledger.settings.scoring.success_seats
    return (seats - turn.absent if made_up else seats), max(seats, made_up or 0)


def rate(ledger: Ledger, turn: RoundTurn) -> tuple[int, int]:
    """The own part of what a table made, over the whole. Where fewer played, it is made up with the mean of their scores."""
    played, wanted = seats_of(ledger, turn)
    own, others = counted_scores(ledger, turn)
    total = own + others
    return (own * played, total * wanted) if total else (1, wanted)


def counted_scores(ledger: Ledger, turn: RoundTurn) -> tuple[int, int]:
    """Whoever has lost by the clock has at most one less than the opponent, whatever else counts on the board."""
    made, received = turn.made, turn.received
    if ledger.settings.results.flag_cap is None or len(turn.opponents) != 1 or not turn.was_forfeit:
        return made, received
    if turn.at_fault:
        return min(made, max(received - ledger.unit, 0)), received
    return made, min(received, max(made - ledger.unit, 0))


def rates(ledger: Ledger) -> Mapping[str, list[tuple[int, int]]]:
    return {one: [rate(ledger, turn) for turn in turns if turn.kind == "game"] for one, turns in ledger.turns.items()}


def shares_of(found: Mapping[str, list[tuple[int, int]]]) -> int:
    """Every rate, and every mean of rates, is a whole number of these."""
    wholes = {whole for several in found.values() for _, whole in several}
    return lcm(*wholes) * lcm(*{len(several) for several in found.values() if several})


def per_success(ledger: Ledger) -> int:
    return shares_of(rates(ledger))


def success(ledger: Ledger, _: Iterable[str]) -> Mapping[str, int]:
    """The mean of the rates of all games, in shares that follow from those of everybody."""
    found = rates(ledger)
    per = shares_of(found)
    share = {whole: per // whole for several in found.values() for _, whole in several}
    return {
        one: sum([own * share[whole] for own, whole in several]) // (len(several) or 1)
        for one, several in found.items()
    }


def percent(rate: tuple[int, int]) -> str:
    """To one decimal, as it is shown to people."""
    tenths = whole(1000 * Fraction(*rate))
    return f"{tenths // 10}.{tenths % 10} %"


def success_addends(ledger: Ledger, entrant: str) -> tuple[Addend, ...]:
    games = [turn for turn in ledger.turns[entrant] if turn.kind == "game"]
    return tuple(
        Addend(
            value=Fraction(*rate(ledger, turn)) / len(games),
            what=turn.kind,
            round=turn.round,
            opponent=opponent_of(turn),
            why=f"{share_in_words(ledger, turn)} ÷ {len(games)}",
        )
        for turn in games
    )


def share_in_words(ledger: Ledger, turn: RoundTurn) -> str:
    """`45 of 225 is 20.0 %`; where fewer played also by what the points of the table are made up."""
    (played, wanted), (own, others) = seats_of(ledger, turn), counted_scores(ledger, turn)
    made, total = in_words(ledger.exact(own)), in_words(ledger.exact(own + others))
    share = percent(rate(ledger, turn))
    if not own + others:
        return f"nobody at the table made anything, which counts {share}"
    if played == wanted:
        return f"{made} of {total} is {share}"
    return f"{made} of {total}, made up from {played} to {wanted} seats as {total} × {wanted}/{played}, is {share}"


QUOTIENTS = (
    Measured(
        name="brightwell",
        title="Brightwell quotient",
        per=per_share,
        reach="opponents",
        measure=brightwell,
        addends=brightwell_addends,
    ),
    Measured(
        name="success",
        title="success rate",
        per=per_success,
        reach="everybody",
        measure=success,
        addends=success_addends,
    ),
)
