"""What rounds without a game are in the criteria that look at opponents. Rulesets choose a regime by its name.

Formulas, sources and examples of all five stand in docs/rules/shared-facts.md.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import takewhile

from shared.tournament.ledger import Ledger, RoundTurn
from shared.values import Value

type OpponentPoints = Mapping[str, int]  # of everybody, as they count for opponents, in units


class Regime(Value):
    name: str
    own: Callable[
        [Ledger, str, RoundTurn, OpponentPoints], int
    ]  # what an entrant's own such round contributes, in units
    of_opponents: Callable[[Ledger, Iterable[str]], OpponentPoints]  # which these entrants are to others
    sentence: str  # what such a round is, for people
    forfeits_are_played: bool = False

    def is_played(self, turn: RoundTurn) -> bool:
        return turn.kind == "game" and (self.forfeits_are_played or not turn.was_forfeit)

    def opponents_of(self, ledger: Ledger) -> OpponentPoints:
        return ledger.measured(f"{self.name} of opponents", partial(self.of_opponents, ledger), "own")


def was_away(ledger: Ledger, entrant: str, turn: RoundTurn) -> bool:
    """Was not there: missing, or before arriving or after leaving; not who only rested."""
    if turn.kind != "away":
        return turn.kind in {"missing", "requested-bye"}
    is_first = ledger.stage == ledger.facts.ruleset.stages[0].id  # who comes late comes into that one
    if is_first and turn.round < ledger.entrants[entrant].from_round:
        return True
    if entrant not in ledger.left:
        return False
    left = ledger.facts.left[entrant]
    return left.stage != ledger.stage or left.after_round < turn.round


def was_skipped(ledger: Ledger, entrant: str, turn: RoundTurn) -> bool:
    """An entrant's own doing: away, or lost by forfeit."""
    return turn.at_fault or was_away(ledger, entrant, turn)


def as_they_are(ledger: Ledger, several: Iterable[str]) -> OpponentPoints:
    points = ledger.played_points
    return {one: points[one] for one in several}


def halved(ledger: Ledger, several: Iterable[str]) -> OpponentPoints:
    """Each unplayed round counts as a draw."""
    draw, points = ledger.units(ledger.settings.scoring.draw), ledger.played_points
    return {
        one: points[one]
        + sum([draw - turn.points for turn in ledger.turns[one] if turn.kind != "game" or turn.was_forfeit])
        for one in several
    }


def drawn_at_the_end(ledger: Ledger, several: Iterable[str]) -> OpponentPoints:
    """As they are, but rounds taken off after the last one that was not skipped count as draws."""
    draw, points = ledger.units(ledger.settings.scoring.draw), dict[str, int]()
    for one in several:
        at_the_end = takewhile(lambda turn, one=one: was_skipped(ledger, one, turn), reversed(ledger.turns[one]))
        points[one] = ledger.played_points[one] + sum(
            [draw - turn.points for turn in at_the_end if turn.kind != "game"]
        )
    return points


def as_against_a_virtual_opponent(ledger: Ledger, entrant: str, turn: RoundTurn, _: OpponentPoints) -> int:
    """Who had as many points before, gets the others of that round, and draws from then on."""
    scoring = ledger.settings.scoring
    before = ledger.units(ledger.entrants[entrant].carried)
    before += sum([earlier.points for earlier in ledger.turns[entrant] if earlier.round < turn.round])
    following = sum(1 for number in ledger.rounds if number > turn.round)
    return before + ledger.units(scoring.win) - turn.points + following * ledger.units(scoring.draw)


def at_most_what_was_there(ledger: Ledger, entrant: str, turn: RoundTurn, points: OpponentPoints) -> int:
    """Own points, but not more than the scheduled opponent's, or than draws in all rounds."""
    draws = len(ledger.rounds) * ledger.units(ledger.settings.scoring.draw)
    other = sum([points[opponent] for opponent in turn.opponents]) if turn.opponents else draws
    return min(ledger.own_points[entrant], other)


ALL = (
    Regime(
        name="virtual-zero",
        own=lambda _ledger, _entrant, _turn, _points: 0,
        of_opponents=as_they_are,
        sentence="a round without a game counts as an opponent with 0 points",
        forfeits_are_played=True,
    ),
    Regime(
        name="fide-2009",
        own=as_against_a_virtual_opponent,
        of_opponents=halved,
        sentence="an unplayed round counts as an opponent who had as many points and draws from then on",
    ),
    Regime(
        name="fide-2024",
        own=lambda ledger, entrant, _turn, _points: ledger.own_points[entrant],
        of_opponents=drawn_at_the_end,
        sentence="an unplayed round counts as an opponent with as many points",
    ),
    Regime(
        name="fide-2026",
        own=at_most_what_was_there,
        of_opponents=drawn_at_the_end,
        sentence="an unplayed round counts as own points, and as no more than the opponent's or draws in all rounds",
    ),
    Regime(
        name="usc-like",
        own=lambda _ledger, _entrant, _turn, _points: 0,
        of_opponents=halved,
        sentence="an unplayed round counts nothing",
    ),
)
REGIMES: Mapping[str, Regime] = {regime.name: regime for regime in ALL}


def regime_of(ledger: Ledger) -> Regime:
    return REGIMES[ledger.settings.standings.unplayed]
