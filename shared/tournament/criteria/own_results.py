"""Criteria that look only at what somebody has done or is.

- points: Σ points of the rounds + brought along + penalties (every ruleset). 1 + ½ + 1 (bye) - ½ (penalty) = 2.
- wins: rounds with at least the points of a win, byes too; at a table of several, first places (SK.STA-1, CC.STA-1).
  Won, bye, drawn: 2.
- first_places, second_places, third_places: games in which somebody was so placed; a shared place is the best of the
  share (CC.STA-1, CC.D3). A shared 2nd and 3rd place is a second one.
- score, made_points, game_points, discs: Σ own scores, of byes as the ruleset scores them (PQ.STA-2, SK.STA-3, CC.STA-2,
  OT.STA-1). 421 + 350 = 771.
- score_difference, game_difference: Σ own score - scores of the others at the table (SK.STA-1, CC.STA-2).
  421:377 and 350:401 are 44 - 51 = -7.
- carried, rating, start_number: as the entry says; the lower start number is better (PQ.STA-2). 3 before 7.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from operator import attrgetter

from shared.tournament.criteria.criterion import Addend, BestValue, Measured, per_one
from shared.tournament.facts import Entrant
from shared.tournament.ledger import Ledger, RoundTurn

MADE: Callable[[RoundTurn], int] = attrgetter("made")

type Holds = Callable[[RoundTurn], bool]


def points(ledger: Ledger, several: Iterable[str]) -> Mapping[str, int]:
    own = ledger.own_points
    return {one: own[one] for one in several}


def points_addends(ledger: Ledger, entrant: str) -> tuple[Addend, ...]:
    """Points brought along, each round, penalties."""
    carried = ledger.entrants[entrant].carried
    penalties = [
        Addend(value=penalty.points, what="penalty", round=penalty.round)
        for penalty in sorted(ledger.penalties, key=lambda one: (one.round, one.points))
        if penalty.entrant == entrant
    ]
    return (
        *([Addend(value=carried, what="carried")] if carried else []),
        *of_turns(ledger, entrant, lambda turn: turn.points),
        *penalties,
    )


def of_turns(
    ledger: Ledger,
    entrant: str,
    part: Callable[[RoundTurn], int],
    *,
    why: Callable[[Ledger, RoundTurn], str | None] = lambda _, __: None,
) -> tuple[Addend, ...]:
    return tuple(
        Addend(
            value=ledger.exact(part(turn)),
            what=turn.kind,
            round=turn.round,
            opponent=opponent_of(turn),
            why=why(ledger, turn),
        )
        for turn in ledger.turns[entrant]
    )


def why_capped(ledger: Ledger, turn: RoundTurn) -> str | None:
    """Where fewer game points may count than stood on the board: of who lost by the clock, who is the side at fault."""
    if ledger.settings.results.flag_cap != "counted" or not turn.at_fault:
        return None
    return "at fault, so at most one less than the opponent"


def opponent_of(turn: RoundTurn) -> str | None:
    return ", ".join(turn.opponents) or None


def is_won_in(ledger: Ledger) -> Holds:
    """Whoever gets the points of a win has won, also by a bye; at a table of several whoever is first of it."""
    win = ledger.win_units
    if ledger.settings.scoring.placement is None:
        return lambda turn: turn.points >= win
    return lambda turn: turn.place == 1 if turn.kind == "game" else turn.points >= win


def is_placed(place: int) -> Callable[[Ledger], Holds]:
    return lambda _: lambda turn: turn.place == place


def total(name: str, title: str) -> Measured:
    """A sum over all rounds."""
    return Measured(
        name=name,
        title=title,
        measure=lambda ledger, several: {one: sum(map(MADE, ledger.turns[one])) for one in several},
        addends=lambda ledger, entrant: of_turns(ledger, entrant, MADE, why=why_capped),
    )


def total_lead(name: str, title: str) -> Measured:
    """The lead over everybody else at the table together, summed over all rounds."""
    return Measured(
        name=name,
        title=title,
        measure=lambda ledger, several: {
            one: sum([turn.made - turn.received for turn in ledger.turns[one]]) for one in several
        },
        addends=lambda ledger, entrant: of_turns(
            ledger, entrant, lambda turn: turn.made - turn.received, why=why_capped
        ),
    )


def how_often(name: str, title: str, holds_in: Callable[[Ledger], Holds]) -> Measured:
    """A count of rounds."""

    def measure(ledger: Ledger, several: Iterable[str]) -> Mapping[str, int]:
        holds = holds_in(ledger)
        return {one: sum(map(holds, ledger.turns[one])) for one in several}

    return Measured(
        name=name,
        title=title,
        per=per_one,
        measure=measure,
        addends=lambda ledger, entrant: tuple(
            Addend(value=Fraction(1), what=turn.kind, round=turn.round, opponent=opponent_of(turn))
            for turn in filter(holds_in(ledger), ledger.turns[entrant])
        ),
    )


def carried_addends(ledger: Ledger, entrant: str) -> tuple[Addend, ...]:
    return (Addend(value=ledger.entrants[entrant].carried, what="carried"),)


def rating(ledger: Ledger, entrant: Entrant) -> int:
    unrated = ledger.facts.ruleset.entry.seeding.unrated or 0
    return unrated if entrant.rating is None else entrant.rating


def start_number(_: Ledger, entrant: Entrant) -> int:
    return entrant.number


def written(name: str, value: Callable[[Ledger, Entrant], int], *, best: BestValue = "highest") -> Measured:
    """A number that stands in the entry."""
    title = name.replace("_", " ")
    return Measured(
        name=name,
        title=title,
        best=best,
        per=per_one,
        measure=lambda ledger, several: {one: value(ledger, ledger.entrants[one]) for one in several},
        addends=lambda ledger, entrant: (Addend(value=Fraction(value(ledger, ledger.entrants[entrant])), what=title),),
    )


OWN = (
    Measured(name="points", title="points", measure=points, addends=points_addends),
    how_often("wins", "wins", is_won_in),
    how_often("first_places", "first places", is_placed(1)),
    how_often("second_places", "second places", is_placed(2)),
    how_often("third_places", "third places", is_placed(3)),
    total("score", "score"),
    total("made_points", "points made"),
    total("game_points", "game points"),
    total("discs", "discs"),
    total_lead("score_difference", "score difference"),
    total_lead("game_difference", "difference of game points"),
    Measured(
        name="carried",
        title="points brought along",
        measure=lambda ledger, several: {one: ledger.units(ledger.entrants[one].carried) for one in several},
        addends=carried_addends,
    ),
    written("rating", rating),
    written("start_number", start_number, best="lowest"),
)
