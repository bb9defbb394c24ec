"""What holds for every pairing of an Othello championship, whatever has happened before."""

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.pairing.engines import NoPairing, StageOver, check
from shared.tournament.facts import Facts
from shared.tournament.progression import opening
from shared.tournament.ranking import final
from shared.tournament.stages import settings_of
from tests.exploring import tries
from tests.othello import (
    PRELIMINARY,
    SWISS,
    after,
    best_vector,
    championship,
    histories,
    left,
    matchings,
    next_round,
    with_lots,
)

SLOW = settings(max_examples=tries(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = st.integers(min_value=0, max_value=10**6)


def begun(entrants: int, rounds: int, meetings: int, seed: int) -> Facts:
    """Some rounds of a Swiss, in which somebody may leave."""
    chance = random.Random(seed)
    known = championship(entrants, history=range(1, entrants // 3), options=SWISS | {"pairing.meetings": meetings})
    for number in range(1, rounds + 1):
        known = after(known, PRELIMINARY, next_round(known), chance)
        if chance.random() < 0.2:
            known = left(known, chance.choice(sorted(known.entrants)), PRELIMINARY, number)
    return known


@pytest.mark.rule("OT.PAI-4", "OT.PAI-5", "OT.PAI-6")
@SLOW
@given(entrants=st.integers(4, 10), rounds=st.integers(1, 5), meetings=st.integers(1, 2), seed=SEEDS)
def test_no_pairing_costs_less(entrants: int, rounds: int, meetings: int, seed: int) -> None:
    """Held against every pairing there is, BYE included, each counted from the rounds themselves."""
    try:
        known = begun(entrants, rounds, meetings, seed)
    except NoPairing:
        return
    present = [name for name in known.entrants if name not in known.left]
    best = best_vector(known, present, meetings) if present else None
    try:
        pairing = next_round(known)
    except NoPairing:
        assert best is None
        return
    assert pairing.cost is not None
    assert (pairing.cost[:-1], pairing.proved) == (best, True)


@pytest.mark.rule("OT.PAI-3")
@SLOW
@given(a=st.integers(0, 12), b=st.integers(0, 12), seed=SEEDS)
def test_as_many_of_both_groups_meet_in_round_one_as_can(a: int, b: int, seed: int) -> None:
    if a + b < 2:
        return
    numbers = random.Random(seed).sample(range(1, a + b + 1), a)
    known = championship(a + b, history=numbers, options=SWISS)
    pairing = next_round(known)
    of_a = {f"P{number}" for number in numbers}
    mixed = [one for one in pairing.pairs if len(of_a.intersection(one.seats)) == 1]
    assert len(mixed) == min(a, b)
    assert [one.first in of_a for one in mixed] == [number % 2 == 0 for number in range(len(mixed))]
    assert list(pairing.pairs[: len(mixed)]) == mixed
    assert len(pairing.byes) == (a + b) % 2
    assert check(known, PRELIMINARY, pairing) == ()


def play(known: Facts, stage: str, chance: random.Random, *, leaving: float) -> Facts:
    """All rounds of a stage; before some of them somebody leaves."""
    while True:
        try:
            pairing = next_round(known, stage)
        except StageOver:
            return known
        hard = [breach for breach in check(known, stage, pairing) if breach.severity == "hard"]
        assert hard == []
        if chance.random() < leaving and len(known.entrants) - len(known.left) > 10:
            there = sorted(known.entrants.keys() - known.left.keys())
            known = left(known, chance.choice(there), stage, pairing.round)
        known = after(known, stage, pairing, chance)


@pytest.mark.rule("OT.PAI-1", "OT.PAI-2", "OT.PAI-7", "OT.PAI-8", "OT.PAI-9", "OT.PAI-10", "OT.PAI-11")
@pytest.mark.parametrize("entrants", [5, 8, 9, 14, 15, 16, 19, 24, 25, 26, 33, 48])
@pytest.mark.parametrize("leaving", [0, 0.2])
def test_whole_championships_run_to_their_end(entrants: int, leaving: float) -> None:
    chance = random.Random(entrants)
    women, juniors = range(3, entrants + 1, 4), range(4, entrants + 1, 5)
    known = championship(entrants, history=range(2, entrants // 2), women=women, juniors=juniors)
    known = with_lots(play(known, PRELIMINARY, chance, leaving=leaving))
    holds = settings_of(known, PRELIMINARY)
    for one in histories(known).values():
        met = [times for other, times in one.met.items() if other is not None or holds.is_swiss]
        assert max(met, default=0) <= (holds.pairing.meetings or 0)
    for stage in [stage.id for stage in known.ruleset.stages[1:]]:
        try:
            known = play(known, stage, chance, leaving=0)
        except NoPairing:
            found = opening(known, stage)
            is_without_matches = len(found.entrants) == 2 and stage.startswith("semifinals-")
            assert found.not_held or is_without_matches
    podium = [row.entrant for row in final(known).rows[:4]]
    assert set(podium) == set(known.fields["semifinals"])
    for name in ("women", "juniors"):
        played = {
            game.match for (stage, _), one in known.rounds.items() if stage == f"final-{name}" for game in one.games
        }
        taken = [one for one in known.fields["semifinals"] if name in known.entrants[one].lists]
        assert not (taken and played)


@pytest.mark.rule("OT.PAI-7")
def test_nobody_meets_bye_more_often_than_somebody_else() -> None:
    """In the modified Swiss twice at most, in the unmodified one once."""
    for entrants, most in ((15, 2), (25, 1)):
        known = play(championship(entrants), PRELIMINARY, random.Random(entrants), leaving=0)
        byes = Counter(name for one in known.rounds.values() for name in one.byes)
        assert sum(byes.values()) == 9
        assert max(byes.values()) <= most


def test_all_ways_to_pair_six_are_fifteen() -> None:
    assert len(list(matchings(list("ABCDEF")))) == 15
