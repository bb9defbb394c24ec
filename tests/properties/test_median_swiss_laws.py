"""The median Swiss against the text played through naively, and what holds for each of its pairings."""

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs
from msgspec.structs import replace

from services.pairing.engines import NoPairing, PairedRound, check, no_pairing
from services.pairing.engines.field import Field, FieldPlayer, field_of_next_round
from services.pairing.engines.matching import left_over
from services.pairing.engines.median_swiss.bracket_pairing import LeftToPair
from services.pairing.engines.median_swiss.steps import MedianSwiss
from shared.tournament.facts import Absence, Facts, Left
from shared.tournament.ranking import rank
from tests.exploring import tries
from tests.median import by_chance, facts, played, set_up
from tests.naive_median import Naive, NotPairable, starter
from tests.simulated import BY_LOT, STAGE, next_pairing

SLOW = settings(max_examples=tries(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = st.integers(min_value=0, max_value=10**6)


def by_the_text(known: Facts) -> tuple[dict[frozenset[str], int], str | None]:
    """From the facts alone."""
    table = rank(known, STAGE).rows
    there = [row.entrant for row in table if row.entrant not in known.left]
    values = {row.entrant: int(row.values["points"]) for row in table}
    games = [game for stands in known.rounds.values() for game in stands.games]
    byes = Counter(one for stands in known.rounds.values() for one in stands.byes)
    met = {frozenset(game.seats) for game in games}
    lost = [(game, known.results[game.id]) for game in games if known.results[game.id].end == "no_show"]
    defaults = Counter(seat for game, found in lost for n, seat in enumerate(game.seats) if n not in found.by)
    return Naive(order=there, mp=values, r=len(known.rounds), met=met, byes=byes, defaults=defaults).round()


def assert_as_the_text_says(known: Facts) -> PairedRound | None:
    try:
        expected, bye = by_the_text(known)
    except NotPairable:
        with pytest.raises(NoPairing):
            next_pairing(known)
        return None
    pairing = next_pairing(known)
    assert {frozenset(one.seats) for one in pairing.pairs} == expected.keys()
    assert pairing.byes == (() if bye is None else (bye,))
    for pair in pairing.pairs:
        one, other = pair.seats
        first = starter(
            one,
            other,
            histories(known),
            {each.id: each.number for each in known.entrants.values()},
            pairing.round,
            lower=expected[frozenset((one, other))] < pairing.round - 1,
        )
        assert first in (None, pair.first)
    return pairing


def histories(known: Facts) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = {one: [] for one in known.entrants}
    for _, stands in sorted(known.rounds.items()):
        for game in stands.games:
            if known.results[game.id].end == "played":
                for seat in game.seats:
                    found[seat].append(seat == game.first)
    return found


@pytest.mark.rule("PQ.PAI-9", "PQ.PAI-10")
@SLOW
@given(entrants=st.integers(2, 11), seed=SEEDS, is_left=st.booleans())
def test_tournaments_are_paired_as_the_text_says(entrants: int, seed: int, is_left: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    known, chance, gone = facts(entrants), by_chance(seed), random.Random(seed)
    for number in range(1, 9):
        if is_left and len(known.left) < entrants - 2 and gone.random() < 0.25:
            who = gone.choice(sorted(known.entrants.keys() - known.left.keys()))
            known = replace(known, left={**known.left, who: Left(stage=STAGE, after_round=number - 1)})
        pairing = assert_as_the_text_says(known)
        if pairing is None:
            return
        known = played(known, pairing, chance.of(pairing))


@pytest.mark.rule("PQ.PAI-9")
@SLOW
@given(
    entrants=st.integers(2, 10),
    carried=st.lists(st.integers(0, 8), min_size=10, max_size=10),
    seed=SEEDS,
    rounds=st.integers(0, 7),
    often=st.floats(0.3, 1.0),
)
def test_any_situation_is_paired_as_the_text_says(
    entrants: int, carried: list[int], seed: int, rounds: int, often: float
) -> None:
    """Points anywhere, and meetings of those who would not have met: every way to be moved and cancelled."""
    chance = random.Random(seed)
    known = facts(entrants, carried={str(number): value for number, value in enumerate(carried, start=1)})
    met: set[frozenset[int]] = set()
    for _ in range(rounds):
        numbers = chance.sample(range(1, entrants + 1), entrants)
        pairs = [two for two in zip(numbers[::2], numbers[1::2], strict=False) if chance.random() < often]
        pairs = [two for two in pairs if frozenset(two) not in met]
        met.update(map(frozenset, pairs))
        known = set_up(known, ", ".join(f"{one}-{other} 0:0" for one, other in pairs))
    assert_as_the_text_says(known)


@pytest.mark.rule("PQ.PAI-5", "PQ.PAI-9")
@pytest.mark.parametrize("entrants", range(4, 41))
def test_whole_tournaments_run_to_their_end(entrants: int) -> None:
    """With withdrawals, late entrants and rounds off; refused only where truly no pairing is left."""
    for seed, is_moving in ((1, False), (2, True)):
        known, chance, fate = facts(entrants), by_chance(seed), random.Random(entrants)
        for number in range(1, 9):
            if is_moving:
                known = moved(known, fate, number)
            field = field_of_next_round(known, STAGE, lots=BY_LOT)
            try:
                pairing = next_pairing(known)
            except NoPairing:
                assert left_over(no_pairing.opponents_of(field))[1] > 0
                break
            assert [one for one in check(known, STAGE, pairing) if one.severity == "hard"] == []
            assert not [one for one in check(known, STAGE, pairing) if one.kind == "starter"]
            known = played(known, pairing, chance.of(pairing))
        meetings = Counter(frozenset(game.seats) for stands in known.rounds.values() for game in stands.games)
        assert set(meetings.values()) <= {1}
        byes = Counter(one for stands in known.rounds.values() for one in stands.byes)
        assert entrants < 9 or max(byes.values(), default=0) <= 1
        assert entrants < 12 or len(known.rounds) == 8


def moved(known: Facts, fate: random.Random, number: int) -> Facts:
    ids = sorted(known.entrants.keys() - known.left.keys())
    if number == 1:
        late = fate.choice(ids)
        return replace(known, entrants={**known.entrants, late: structs.replace(known.entrants[late], from_round=3)})
    if fate.random() < 0.15:
        return replace(known, left={**known.left, fate.choice(ids): Left(stage=STAGE, after_round=number - 1)})
    away = Absence(entrant=fate.choice(ids), stage=STAGE, round=number)
    return replace(known, absences={**known.absences, away: None})


@SLOW
@given(size=st.integers(0, 8), drawn=st.lists(st.booleans(), min_size=28, max_size=28), taking=SEEDS)
def test_who_is_taken_out_always_leaves_a_rest_that_can_be_paired(size: int, drawn: list[bool], taking: int) -> None:
    players = [FieldPlayer(id=f"E{place}", place=place, lot=place, points=0) for place in range(size)]
    allowed = {two for two, is_allowed in zip(combinations(range(size), 2), drawn, strict=False) if is_allowed}

    def may_meet(one: FieldPlayer, other: FieldPlayer) -> bool:
        return (min(one.place, other.place), max(one.place, other.place)) in allowed

    def possible(some: list[FieldPlayer]) -> bool:
        if not some:
            return True
        return any(
            may_meet(some[0], other) and possible([each for each in some[1:] if each is not other])
            for other in some[1:]
        )

    open_, rest, chance = list(players), LeftToPair(players, may_meet), random.Random(taking)
    assert rest.is_pairable == possible(players)
    while rest.is_pairable and open_:
        one, other = chance.choice([two for two in combinations(open_, 2) if may_meet(*two)])
        others: list[FieldPlayer] = [each for each in open_ if each is not one and each is not other]
        if rest.take(one, other):
            assert possible(others)
            open_ = others
        else:
            assert not possible(others)


def test_a_round_in_the_making_knows_its_middle() -> None:
    known = set_up(facts(4), "1-3 4:0, 2-4 2:2")
    field: Field = field_of_next_round(known, STAGE, lots=BY_LOT)
    assert field.points(replace(field.players[0], points=MedianSwiss(field).half)) == 1
