"""What holds for every pairing, whatever has happened before: laws of the engines over tournaments played by chance."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from services.pairing.engines import NoPairing, PairedRound, check, no_pairing
from services.pairing.engines.field import Field, FieldPlayer, field_of_next_round
from services.pairing.engines.lookahead import RoundsToCome, plan
from services.pairing.engines.matching import Vector, cheapest, cheapest_first, left_over, stacking
from shared.tournament.facts import Facts
from shared.tournament.stages import settings_of
from tests.exploring import tries
from tests.simulated import BY_LOT, STAGE, ban, by_chance, facts, left, next_pairing, played

SLOW = settings(max_examples=tries(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDS = st.integers(min_value=0, max_value=10**6)


def rounds_of(known: Facts) -> int:
    return settings_of(known, STAGE).rounds or 0


def families(ids: Sequence[str], number: int, seed: int) -> list[frozenset[str]]:
    shuffled = random.Random(seed).sample(ids, len(ids))
    return [frozenset(shuffled[2 * one : 2 * one + 2]) for one in range(min(number, len(ids) // 2))]


def begun(entrants: int, seed: int, *, close: int = 0, swiss: int | None = None) -> Facts:
    """`swiss`: so many rounds of it, however small the field is."""
    options = {} if swiss is None else {"pairing.system": "cost-swiss", "pairing.rounds": swiss}
    known = facts(entrants, options=options)
    bans = [ban(*two, last_rounds=1) for two in families(list(known.entrants), close, seed)]
    return replace(known, bans=tuple(bans))


def after(known: Facts, rounds: int, seed: int) -> Facts:
    """As many rounds as there is a pairing for."""
    chance = by_chance(seed)
    for _ in range(rounds):
        pairing = next_pairing(known)
        known = played(known, pairing, chance.of(pairing))
    return known


def assert_lawful(known: Facts, pairing: PairedRound) -> None:
    hard = [breach for breach in check(known, STAGE, pairing) if breach.severity == "hard"]
    assert hard == []


@pytest.mark.rule("SK.PAI-2", "SK.PAI-4", "SK.PAI-8")
@pytest.mark.parametrize("entrants", range(2, 41))
def test_whole_tournaments_run_to_their_end(entrants: int) -> None:
    """With families, with and without withdrawals; refused only where truly no pairing is left."""
    for seed, is_left in product(range(3), (False, True)):
        known = begun(entrants, seed, close=seed)
        chance, gone = by_chance(seed), random.Random(seed)
        for number in range(1, rounds_of(known) + 1):
            if is_left and number > 1 and gone.random() < 0.3:
                known = left(known, gone.choice(sorted(known.entrants.keys() - known.left.keys())), number - 1)
            try:
                pairing = next_pairing(known)
            except NoPairing:
                assert is_left
                assert left_over(no_pairing.opponents_of(field_of(known)))[1] > 0
                break
            assert_lawful(known, pairing)
            known = played(known, pairing, chance.of(pairing))
        meetings = Counter(frozenset(game.seats) for stands in known.rounds.values() for game in stands.games)
        assert set(meetings.values()) <= {1}
        last = known.rounds.get((STAGE, rounds_of(known)))
        together = [frozenset(game.seats) for game in last.games] if last else []
        assert not [one for one in known.bans if one.entrants in together]
        if not is_left and settings_of(known, STAGE).is_swiss:
            byes = Counter(one for stands in known.rounds.values() for one in stands.byes)
            assert max(byes.values(), default=0) <= 1


def field_of(known: Facts) -> Field:
    return field_of_next_round(known, STAGE, lots=BY_LOT)


@pytest.mark.rule("SK.PAI-8")
@SLOW
@given(entrants=st.integers(3, 15).filter(lambda number: number % 2 == 1), seed=SEEDS, rounds=st.integers(0, 3))
def test_the_bye_is_the_lowest_placed_that_leaves_a_pairing(entrants: int, seed: int, rounds: int) -> None:
    known = begun(entrants, seed, swiss=rounds + 1)
    try:
        known = after(known, rounds, seed)
        pairing = next_pairing(known)
    except NoPairing:
        return
    field = field_of(known)
    (bye,) = pairing.byes
    fewest = min(player.byes for player in field.players)
    assert field.by_id[bye].byes == fewest
    for player in field.players[field.by_id[bye].place + 1 :]:
        others = [one for one in field.players if one is not player]
        links = [
            (one, other, (0,))
            for one, other in combinations(range(len(others)), 2)
            if field.may_meet(others[one], others[other])
        ]
        assert player.byes > fewest or cheapest(len(others), links) is None


@given(
    nodes=st.sampled_from([2, 4, 6]),
    numbers=st.lists(st.tuples(*[st.integers(0, 50)] * 3), min_size=15, max_size=15),
    absent=st.sets(st.integers(0, 14)),
)
def test_matchings_come_cheapest_first_and_none_is_missing(
    nodes: int, numbers: list[tuple[int, ...]], absent: set[int]
) -> None:
    links = list(combinations(range(nodes), 2))
    edges = [(*link, numbers[index]) for index, link in enumerate(links) if index not in absent]
    vectors = {edge[:2]: edge[2] for edge in edges}

    def all_of(open_: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
        if not open_:
            yield ()
        for other in open_[1:]:
            if (open_[0], other) in vectors:
                rest = tuple(one for one in open_[1:] if one != other)
                yield from (((open_[0], other), *more) for more in all_of(rest))

    expected = sorted(
        (tuple(map(sum, zip(*(vectors[link] for link in links), strict=True))), tuple(sorted(links)))
        for links in all_of(tuple(range(nodes)))
    )
    found = [(matching.vector, matching.links) for matching in cheapest_first(nodes, edges)]
    assert sorted(found) == expected
    assert [each for each, _ in found] == [each for each, _ in expected]


@given(
    values=st.lists(st.tuples(*[st.integers(0, 2**30)] * 3), min_size=1, max_size=8),
    other=st.lists(st.tuples(*[st.integers(0, 2**30)] * 3), min_size=1, max_size=8),
)
def test_stacked_numbers_compare_like_the_sums_of_vectors(values: list[Vector], other: list[Vector]) -> None:
    edges = [(0, number + 1, each) for number, each in enumerate([*values, *other])]
    stacked = stacking(edges, 8, bits=112)
    assert stacked.is_exact

    def both(several: list[Vector]) -> tuple[int, Vector]:
        return sum(map(stacked.stack, several)), tuple(map(sum, zip(*several, strict=True)))

    assert (both(values)[0] < both(other)[0]) == (both(values)[1] < both(other)[1])


def test_numbers_that_do_not_fit_are_compared_by_their_leading_bits() -> None:
    """And then nobody says that the answer is proved, unless it is only the lot that was cut."""
    edges = [(0, 1, (1, 2**40, 5)), (2, 3, (1, 2**40, 5)), (0, 2, (1, 0, 7)), (1, 3, (1, 0, 7))]
    assert stacking(edges, 2, bits=112).is_exact
    assert stacking(edges, 2, bits=44).is_exact
    found = cheapest(4, edges, bits=20)
    assert found is not None
    assert not found.is_exact
    assert found.vector == (2, 0, 14)


@SLOW
@given(half=st.integers(2, 7), rounds=st.integers(1, 13), seed=SEEDS)
def test_a_planned_rest_of_a_tournament_keeps_all_rules(half: int, rounds: int, seed: int) -> None:
    size, chance = 2 * half, random.Random(seed)
    everybody = (1 << size) - 1
    open_to = [[everybody & ~(1 << one) for one in range(size)] for _ in range(min(rounds, size - 1))]
    for number, one in product(range(len(open_to)), range(size)):
        other = chance.randrange(size)
        if one != other and chance.random() < 0.1:
            open_to[number][one] &= ~(1 << other)
            open_to[number][other] &= ~(1 << one)
    duels = dict.fromkeys(combinations(range(size), 2), 1)
    planned = plan(RoundsToCome(rounds=tuple(map(tuple, open_to)), meetings=duels))
    if planned is None:
        return
    assert len(planned) == len(open_to)
    for number, meetings in enumerate(planned):
        assert sorted(one for two in meetings for one in two) == list(range(size))
        assert all(open_to[number][one] >> other & 1 for one, other in meetings)
    assert max(Counter(two for meetings in planned for two in meetings).values()) == 1


@given(size=st.integers(0, 9), drawn=st.lists(st.booleans(), min_size=36, max_size=36))
def test_whoever_some_largest_matching_leaves_over_is_found(size: int, drawn: list[bool]) -> None:
    names = [str(number) for number in range(size)]
    opponents: dict[str, set[str]] = {one: set() for one in names}
    for (one, other), is_allowed in zip(combinations(names, 2), drawn, strict=False):
        if is_allowed:
            opponents[one].add(other)
            opponents[other].add(one)

    def largest(among: list[str]) -> int:
        if not among:
            return 0
        one, *others = among
        with_one = [
            1 + largest([each for each in others if each != other]) for other in others if other in opponents[one]
        ]
        return max([largest(others), *with_one])

    most = largest(names)
    expected = {one for one in names if largest([other for other in names if other != one]) == most}
    assert left_over(opponents) == (expected, size - 2 * most)


def test_players_know_their_balance() -> None:
    assert FieldPlayer(id="E1", place=0, lot=0, points=0, roles=(3, 1)).balance == 2
