"""The final of the Carcassonne championship: a Swiss of pairs with points brought along, in which seats are chosen."""

from fractions import Fraction

import pytest
from msgspec import structs
from msgspec.structs import replace

from services.pairing.engines import StageOver, check, pair
from shared.rulesets.settings import settings
from shared.tournament.facts import Facts
from shared.tournament.file import read
from tests.carcassonne import FINAL, by_chance, final, left, next_tables, played, repeated
from tests.domain.test_progression import qualification
from tests.simulated import BY_LOT

THIRTY_TWO = [Fraction(32 - number, 2) for number in range(32)]


def seats(known: Facts) -> list[tuple[str, ...]]:
    return [one.seats for one in next_tables(known).pairs]


@pytest.mark.rule("CC.PAI-3")
def test_the_first_round_is_half_against_half_in_the_order_of_points_brought_along() -> None:
    known = final(THIRTY_TWO)
    assert seats(known) == [(f"P{number}", f"P{number + 16}") for number in range(1, 17)]
    turned = replace(known, entrants=dict(sorted(known.entrants.items(), reverse=True)))
    assert next_tables(turned) == next_tables(known)
    said = "In the first round the upper half meets the lower half, in the order of the points brought along."
    assert next_tables(known).explanation[0] == said


@pytest.mark.rule("CC.PAI-3")
@pytest.mark.parametrize("seed", range(3))
def test_five_rounds_of_32_in_pairs_without_a_second_meeting(seed: int) -> None:
    known = final(THIRTY_TWO)
    play = by_chance(seed)
    for _ in range(5):
        pairing = next_tables(known)
        assert (len(pairing.pairs), pairing.byes) == (16, ())
        assert hard(known) == []
        known = played(known, pairing, play)
    assert repeated(known) == 0
    with pytest.raises(StageOver):
        next_tables(known)


def hard(known: Facts) -> list[str]:
    return [one.sentence for one in check(known, FINAL, next_tables(known)) if one.severity == "hard"]


@pytest.mark.rule("CC.PAI-3")
def test_later_rounds_bring_together_equal_points_with_those_brought_along() -> None:
    """12 and a loss are as many as 10 and a win."""
    known = final([12, 12, 10, 10])
    known = played(known, next_tables(known), by_chance(1, "best-wins"))
    assert [set(two) for two in seats(known)] == [{"P1", "P2"}, {"P3", "P4"}]
    known = final([12, 12, 10, 10])
    first = next_tables(known)
    turned = replace(first, pairs=tuple(replace(one, seats=one.seats[::-1]) for one in first.pairs))
    assert seats(played(known, turned, by_chance(1, "best-wins"))) == seats(
        played(known, first, by_chance(1, "best-wins"))
    )


@pytest.mark.rule("CC.PAI-4")
def test_who_brought_more_points_chooses_the_seat_in_every_round() -> None:
    known = final([10, 9, 9, 7, 6, 5])
    play = by_chance(2)
    for number in range(1, 4):
        pairing = next_tables(known)
        for one in pairing.pairs:
            chooser, other = one.seats
            assert (one.first, one.option) == (None, chooser)
            assert int(chooser[1:]) < int(other[1:])
            assert one.why[-1].startswith(f"{chooser} chooses the seat")
        assert pairing.round == number
        known = played(known, pairing, play)


def test_a_field_that_has_become_odd_has_a_bye_and_runs_to_its_end() -> None:
    known = final(THIRTY_TWO)
    play = by_chance(4)
    for number in range(1, 6):
        if number in (2, 4):
            known = left(known, f"P{number}", number - 1)
        pairing = next_tables(known)
        assert len(pairing.byes) == (1 if number in (2, 3) else 0)
        assert hard(known) == []
        known = played(known, pairing, play)
    assert repeated(known) == 0


# One event: the final follows the qualification


def event() -> Facts:
    """Sixteen of a qualification, and two who were qualified beforehand with as many points as others have."""
    file = qualification(16, 2)
    for one in file["entrants"]:
        one |= {"carried": 5 - int(one["id"][1:])} if one["id"].startswith("D") else {}
    return read(file).accepted()


@pytest.mark.rule("CC.PAI-4")
def test_of_equal_points_the_better_of_the_qualification_chooses_and_the_others_by_start_number() -> None:
    known = event()
    assert settings(known.ruleset, FINAL, size=18).contest.starter == "choice"
    pairing = pair(known, FINAL, lots=BY_LOT)
    assert len(pairing.pairs) == 9
    assert [one.option for one in pairing.pairs] == ["Q13", "Q9", "Q5", "Q1", "D1", "Q2", "Q6", "Q10", "Q14"]


def test_who_came_late_to_the_qualification_is_there_from_the_first_round_of_the_final_on() -> None:
    known = event()
    late = structs.replace(known.entrants["Q1"], from_round=2)
    later = replace(known, entrants={**known.entrants, "Q1": late})
    assert pair(later, FINAL, lots=BY_LOT) == pair(known, FINAL, lots=BY_LOT)
