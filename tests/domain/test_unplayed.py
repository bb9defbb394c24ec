"""Rounds without a game in Buchholz, by the five regimes and their published examples."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from shared.tournament.criteria.unplayed import REGIMES, was_away
from shared.tournament.file import read
from shared.tournament.ledger import ledger_of
from shared.tournament.ranking import rank
from tests.domain.test_final_lists import SEMIFINALS, championship
from tests.explained import explain
from tests.tournaments import SWISS, tournament

HALF = Fraction(1, 2)


def file_of(regime: str, *rounds: str, names: str = "ABCD", **more: Any) -> dict[str, Any]:
    criteria = ["points", "buchholz", "buchholz_cut1", "median_buchholz", "sonneborn_berger"]
    options = SWISS | {"standings.unplayed": regime, "standings.criteria": criteria, "pairing.rounds": 9}
    file: dict[str, Any] = tournament(names, *rounds, options=options) | more
    for one in file["rounds"]:
        one["override"] = "any"
        for game in one["games"]:
            game["override"] = "any"
    return file


def nine_rounds(*, default_win: bool) -> list[str]:
    """A has 6 points in the end: by a default win in round 3, or absent in round 7."""
    usual = {number: "A-B 300:200" if number <= 6 else "A-B 200:300" for number in range(1, 10)}
    if default_win:
        usual |= {3: "A-B 300:0 !1", 2: "A-B 300:200", 1: "A-B 300:200"}
    else:
        usual |= {1: "A-B 200:300", 2: "A-B 200:300", 7: "missing A, missing B", 8: "A-B 300:200", 9: "A-B 300:200"}
    return [usual[number] for number in range(1, 10)]


@pytest.mark.parametrize(
    ("default_win", "number", "before", "own", "for_opponents"),
    [(True, 3, 2, 5, 5 + HALF), (False, 7, 4, 6, 6 + HALF)],
)
def test_a_virtual_opponent_has_what_one_had_and_draws_from_then_on(
    default_win: bool,  # noqa: FBT001 - a parameter of the example
    number: int,
    before: int,
    own: int,
    for_opponents: Fraction,
) -> None:
    """The examples of `fide-2009` with 9 rounds."""
    ledger = ledger_of(
        read(file_of("fide-2009", *nine_rounds(default_win=default_win), names="AB")).accepted(), "swiss"
    )
    regime = REGIMES["fide-2009"]
    (turn,) = [one for one in ledger.turns["A"] if one.round == number]
    assert ledger.own_points["A"] == 6 * ledger.unit
    assert sum(one.points for one in ledger.turns["A"] if one.round < number) == before * ledger.unit
    points = regime.opponents_of(ledger)
    assert ledger.exact(regime.own(ledger, "A", turn, points)) == own
    assert ledger.exact(points["A"]) == for_opponents


ROUNDS = (
    "A-B 300:200, C-D 300:0 !1",  # D is not there
    "A-C 300:200, B-D 300:300",
    "A-D 300:200, bye B, missing C",
)
# points: A 3, B 1.5, C 1, D 0.5; in round 3 C is away to the end


@pytest.mark.parametrize(
    ("regime", "buchholz"),
    [
        ("virtual-zero", {"A": 3, "B": 3 + HALF, "C": 3 + HALF, "D": 5 + HALF}),
        # for opponents A 3, B 1 (the bye a draw), C ½ + ½, D 1
        ("fide-2009", {"A": 1 + 1 + 1, "B": 3 + 1 + HALF, "C": 0 + 1 + 3 + 2, "D": 2 + 1 + 3}),
        # for opponents A 3, B 1.5, C 1.5 (away to the end), D 0.5
        ("fide-2024", {"A": 3 + HALF, "B": 3 + HALF + 1 + HALF, "C": 1 + 3 + 1, "D": HALF + 1 + HALF + 3}),
        ("fide-2026", {"A": 3 + HALF, "B": 3 + HALF + 1 + HALF, "C": HALF + 3 + 1, "D": HALF + 1 + HALF + 3}),
        ("usc-like", {"A": 3, "B": 3 + 1, "C": 3, "D": 1 + 3}),
    ],
)
def test_each_regime_counts_unplayed_rounds_in_its_own_way(regime: str, buchholz: dict[str, Fraction]) -> None:
    rows = rank(read(file_of(regime, *ROUNDS)).accepted(), "swiss").rows
    assert {row.entrant: row.values["buchholz"] for row in rows} == buchholz


def test_cut_one_leaves_out_a_skipped_round_before_the_lowest() -> None:
    facts = read(file_of("fide-2024", *ROUNDS)).accepted()
    explanation = explain(facts, "swiss", "D", "buchholz_cut1")
    assert [(one.value, one.counted) for one in explanation.addends] == [(HALF, False), (1 + HALF, True), (3, True)]
    explanation = explain(facts, "swiss", "C", "buchholz_cut1")
    assert [one.counted for one in explanation.addends] == [True, True, False]  # away, and not the default win
    assert explanation.addends[2].why == "a round that was skipped is left out first"
    assert explain(facts, "swiss", "A", "buchholz_cut1").addends[2].why == "the lowest is left out"
    nobody = read(file_of("fide-2024", names="AB")).accepted()
    assert explain(nobody, "swiss", "A", "buchholz_cut1").addends == ()


def test_who_has_left_skips_every_round_from_then_on_and_who_comes_late_those_before() -> None:
    file = file_of("fide-2024", "A-B 300:200, C-D 300:200", "A-C 300:200, bye B", "A-B 300:200, missing C")
    file["entrants"][3]["withdrawn_after"] = 1
    rows = rank(read(file).accepted(), "swiss").rows
    assert {row.entrant: row.values["buchholz"] for row in rows}["C"] == 1 + 3 + 1  # D left with nothing: two draws
    file = file_of("fide-2024", "A-B 300:200, missing C", "A-C 300:200, B-D 300:200", names="ABCD")
    file["entrants"][3]["from_round"] = 2
    rows = rank(read(file).accepted(), "swiss").rows
    assert {row.entrant: row.values["buchholz"] for row in rows}["B"] == 2  # D came late, and nothing is made up for it


def test_who_came_late_rests_in_a_later_stage_as_everybody_does() -> None:
    """The match of C is over after two games, while the other one takes a third."""
    facts = read(championship("8766", semifinals=SEMIFINALS)).accepted()
    late = replace(facts.entrants["C"], from_round=4)
    ledger = ledger_of(replace(facts, entrants={**facts.entrants, "C": late}), "semifinals")
    *_, third = ledger.turns["C"]
    assert (third.round, third.kind, was_away(ledger, "C", third)) == (3, "away", False)


def test_penalties_are_ones_own_and_not_the_opponents() -> None:
    file = file_of(
        "fide-2024", "A-B 300:200, bye C", names="ABC", adjustments=[{"entrant": "C", "round": 1, "points": -1}]
    )
    rows = rank(read(file).accepted(), "swiss").rows
    assert {row.entrant: row.values["buchholz"] for row in rows} == {"A": 0, "B": 1, "C": 0}
