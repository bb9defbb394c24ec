"""Where no pairing is left, the smallest obstacle is named."""

import pytest
from msgspec.structs import replace

from services.pairing.engines import NoPairing, no_pairing
from shared.rulesets.schema import Changes
from shared.tournament.facts import Ban, Facts, Round
from tests.simulated import STAGE, by_chance, facts, left, next_pairing, played
from tests.simulated import ban as must_not_meet

SWISS = {"pairing.system": "cost-swiss"}


def refusal(known: Facts) -> NoPairing:
    with pytest.raises(NoPairing) as raised:
        next_pairing(known)
    return raised.value


def said(found: NoPairing) -> str:
    """The obstacle, without what can be done about it."""
    sentence, way_out = str(found).split(" Officials can ")
    assert way_out.endswith("make this round by hand, with a reason.")
    return sentence


def apart(*pairs: tuple[int, int]) -> list[Ban]:
    return [must_not_meet(f"E{one}", f"E{other}") for one, other in pairs]


def cliques(*groups: tuple[int, ...], size: int) -> list[Ban]:
    """Only inside a group may anybody meet."""
    group_of = {member: group for group in groups for member in group}
    numbers = range(1, size + 1)
    return apart(*[(a, b) for a in numbers for b in numbers if a < b and group_of.get(a) != group_of.get(b)])


@pytest.mark.rule("SK.PAI-2")
def test_who_has_met_everybody_is_named() -> None:
    known = facts(4, options={**SWISS, "pairing.rounds": 4})
    for _ in range(3):
        pairing = next_pairing(known)
        known = played(known, pairing, by_chance(1).of(pairing))
    found = refusal(known)
    assert said(found).startswith("E1 has met ")
    assert said(found).endswith(", so nobody is left to meet in round 4.")
    assert found.entrants == ("E1",)


def test_whoever_must_not_meet_the_others_is_named() -> None:
    found = refusal(facts(4, bans=apart((2, 1), (2, 3), (2, 4)), options=SWISS))
    assert said(found) == "E2 must not meet E1, E3 and E4, so nobody is left to meet in round 1."


def test_too_few_opponents_for_several_are_named() -> None:
    several = [(a, b) for a in (1, 2, 3) for b in (2, 3, 4) if a < b]
    blocked = apart(*several, (1, 6), (2, 6), (3, 6), (4, 6))
    found = refusal(facts(6, bans=blocked, options=SWISS))
    assert found.entrants == ("E1", "E2")
    assert said(found) == "E1 and E2 must not meet one another, and in round 1 only E5 is left for them."


def test_an_odd_circle_that_may_only_meet_itself_is_named() -> None:
    found = refusal(facts(8, bans=cliques((1, 2, 3), (4, 5, 6, 7, 8), size=8), options=SWISS))
    assert said(found) == "E1, E2 and E3 may meet only one another in round 1, and they are an odd number."


def test_odd_circles_with_too_few_outside_are_named() -> None:
    """Three triangles, and one more whom all of them may meet."""
    blocked = cliques((1, 2, 3), (4, 5, 6), (7, 8, 9), size=9)
    found = refusal(facts(10, bans=blocked, options=SWISS))
    assert said(found) == (
        "In round 1 these are groups of odd numbers with no pairs between them: "
        "E1, E2 and E3; E4, E5 and E6; outside them only E10 is left for them."
    )


def test_who_has_met_or_must_not_meet_is_told_together() -> None:
    known = facts(4, bans=apart((1, 2)), options={**SWISS, "pairing.rounds": 4})
    first = next_pairing(known)
    known = played(known, first, by_chance(1).of(first))
    second = next_pairing(known)
    known = played(known, second, by_chance(1).of(second))
    found = refusal(known)
    assert " has met " in said(found)
    assert " and must not meet " in said(found)


def test_a_bye_that_everybody_has_had_goes_round_again() -> None:
    known = facts(3, options={**SWISS, "pairing.rounds": 3, "pairing.meetings": 2})
    for _ in range(3):
        pairing = next_pairing(known)
        known = played(known, pairing, by_chance(1).of(pairing))
    assert {one for stands in known.rounds.values() for one in stands.byes} == {"E1", "E2", "E3"}


def test_who_could_only_rest_again_is_named_with_the_bye() -> None:
    """The only one without an opponent has had the bye."""
    known = facts(5, options={**SWISS, "pairing.rounds": 2})
    first = next_pairing(known)
    assert first.byes == ("E5",)
    known = played(known, first, by_chance(1).of(first))
    blocked = apart((5, 1), (5, 2), (5, 3), (5, 4))
    found = refusal(replace(known, bans=tuple(blocked)))
    assert found.entrants == ("E5",)
    assert said(found).startswith("E5 must not meet E")
    assert said(found).endswith(" and has had a bye, so nobody is left to meet in round 2.")


def test_who_needs_the_same_opponent_as_the_bye_is_named_with_it() -> None:
    """Only E1 may still have the bye, and E2 may meet nobody else."""
    known = facts(5, bans=apart((2, 3), (2, 4), (2, 5)), options=SWISS)
    rested = {(STAGE, n): Round(stage=STAGE, number=n, games=(), byes=(f"E{n + 1}",)) for n in (1, 2, 3, 4)}
    found = refusal(replace(known, rounds=rested))
    assert said(found) == (
        "E2 and the bye have met, must not meet or have had a bye, and in round 5 only E1 is left for them."
    )


def test_several_who_have_met_or_must_not_meet_one_another_are_told_so() -> None:
    known = facts(6, options={**SWISS, "pairing.rounds": 2})
    known = played(known, first := next_pairing(known), by_chance(1).of(first))
    assert {"E1", "E4"} in [set(pair.seats) for pair in first.pairs]
    found = said(refusal(replace(known, bans=tuple(apart((1, 2), (1, 5), (1, 6), (4, 2), (4, 5), (4, 6))))))
    assert "have all met one another, and in round 2 only E3 is left for them." in found
    found = said(refusal(replace(known, bans=tuple(apart((1, 2), (1, 5), (4, 2), (4, 5))))))
    assert " have met or must not meet one another, and in round 2 only " in found
    assert found.endswith(" are left for them.")


def test_of_very_many_groups_all_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_pairing, "MOST_LOOKED_AT", 0)
    several = [(a, b) for a in (1, 2, 3) for b in (2, 3, 4) if a < b]
    blocked = apart(*several, (1, 6), (2, 6), (3, 6), (4, 6))
    assert refusal(facts(6, bans=blocked, options=SWISS)).entrants == ("E1", "E2", "E3", "E4", "E6")


def test_without_a_bye_an_odd_field_is_an_odd_circle() -> None:
    known = facts(3, options=SWISS)
    pairing = known.ruleset.pairing.model_copy(update={"bye": "none"})
    known = replace(known, ruleset=known.ruleset.model_copy(update={"pairing": pairing}))
    assert said(refusal(known)) == "E1, E2 and E3 may meet only one another in round 1, and they are an odd number."


@pytest.mark.parametrize(
    "options", [SWISS, {"pairing.system": "round-robin"}, {"pairing.system": "double-round-robin"}]
)
def test_where_nobody_is_there_nobody_is_paired(options: Changes) -> None:
    known = left(left(facts(2, options=options), "E1", 0), "E2", 0)
    assert str(refusal(known)) == "Nobody is there to be paired in round 1."


def test_one_alone_has_the_bye() -> None:
    pairing = next_pairing(left(facts(2, options=SWISS), "E1", 0))
    assert (pairing.pairs, pairing.byes, pairing.cost) == ((), ("E2",), (0,) * 7)


def test_a_large_field_that_cannot_be_paired_says_so_soon() -> None:
    """More than half of a field from one club, whose members must not meet: no neighbourhood is large enough."""
    club = Ban(entrants=frozenset(f"E{number}" for number in range(1, 162)))
    assert "and in round 1 only" in said(refusal(facts(320, bans=[club], options=SWISS)))
    assert "must not meet one another" in said(refusal(facts(301, bans=[club], options=SWISS)))
