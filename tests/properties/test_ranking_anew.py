"""A tournament that is ranked after each thing that happens has the tables that it has when it is ranked once.

Tournaments of every ruleset are played by chance, with what people decide about them. The one cache goes through all of it.
"""

import random
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from services.standings.domain.table import Ranked, TableCache, ranked, tables
from shared.rulesets import catalogue
from shared.rulesets.schema import Ruleset
from shared.tournament.facts import Facts, Penalty
from tests.courses import Course, before_the_start
from tests.exploring import tries

CARCASSONNE_FINAL = "carcassonne-cz-final"
ANY = settings(max_examples=tries(10), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def moments(ruleset: str, size: int, seed: int, *, is_disturbed: bool) -> Iterator[Facts]:
    """What is known from moment to moment: results of a round one by one or some at once, and what happens to them."""
    chance = random.Random(seed)
    course = Course(known=before_the_start(ruleset, size), chance=chance, is_disturbed=is_disturbed)
    before = course.known
    for facts, stage, _ in course.whole():
        yield from between(before, facts, chance)
        before = facts
        if facts.results:
            yield from disturbed(facts, stage, chance)
    yield from between(before, course.known, chance)


def between(before: Facts, after: Facts, chance: random.Random) -> Iterator[Facts]:
    """The results that came, in any order; some moments are missed, as when a copy of the service was away."""
    came = [game for game in after.results if after.results[game] != before.results.get(game)]
    chance.shuffle(came)
    known = {game: result for game, result in before.results.items() if game in after.results}
    for game in came:
        known[game] = after.results[game]
        if chance.random() < 0.5:
            yield replace(after, results=dict(known))
    yield after


def disturbed(facts: Facts, stage: str, chance: random.Random) -> Iterator[Facts]:
    """What may happen to a table, one thing after the other; then all is as it was."""
    game = chance.choice(sorted(facts.results))
    rest = {other: result for other, result in facts.results.items() if other != game}
    result = facts.results[game]
    entrant = chance.choice(sorted(facts.entrants))
    penalty = Penalty(entrant=entrant, stage=stage, round=1, points=-result.points[0] - 1)
    renumbered = replace(facts.entrants[entrant], number=99, rating=5)
    yield from chance.sample(
        [
            replace(facts, results=rest),
            replace(facts, results=rest, voided=frozenset({game})),
            replace(facts, results=rest | {game: replace(result, end="forfeit", by=frozenset({0}))}),
            replace(facts, penalties={"p": penalty}),
            replace(facts, entrants={**facts.entrants, entrant: renumbered}),
            replace(facts, corrected=frozenset({game})),
            replace(facts, settled=()),
            facts,
        ],
        4,
    )


def is_as_made_anew(ruleset: str, size: int, seed: int, *, is_disturbed: bool) -> int:
    """How many tables were held against each other."""
    cache, count = TableCache(), 0
    for facts in moments(ruleset, size, seed, is_disturbed=is_disturbed):
        persons = {entrant: (f"{entrant}-{len(facts.results) // 20}",) for entrant in facts.entrants}
        for stage, table in tables(facts, persons, cache).items():
            assert table == ranked(facts, persons, stage)
            assert msgspec.json.decode(msgspec.json.encode(table), type=Ranked) == table
            count += 1
    return count


@pytest.mark.parametrize("ruleset", sorted(catalogue.ids()))
def test_what_follows_from_one_more_result_is_what_follows_from_all(ruleset: str) -> None:
    size = 32 if ruleset == CARCASSONNE_FINAL else 14
    assert is_as_made_anew(ruleset, size, seed=1, is_disturbed=True) > 20


@ANY
@given(
    ruleset=st.sampled_from(sorted(catalogue.ids())),
    size=st.integers(6, 20),
    seed=st.integers(0, 10**6),
    is_disturbed=st.booleans(),
)
def test_so_it_is_for_any_tournament(ruleset: str, size: int, seed: int, is_disturbed: bool) -> None:  # noqa: FBT001 - drawn by hypothesis
    is_as_made_anew(ruleset, 32 if ruleset == CARCASSONNE_FINAL else size, seed, is_disturbed=is_disturbed)


@pytest.mark.parametrize("regime", ["virtual-zero", "fide-2009", "fide-2024", "fide-2026", "usc-like"])
@pytest.mark.parametrize(
    "criteria", [["points", "buchholz_cut1", "sonneborn_berger", "wins"], ["head_to_head", "rating"]]
)
def test_so_it_is_for_every_regime_of_rounds_without_a_game(regime: str, criteria: list[str]) -> None:
    cache, plain = TableCache(), catalogue.load("scrabble-sk-2022-qt")
    options = {"standings.unplayed": regime, "standings.criteria": [*criteria, "median_buchholz", "lot"]}
    rules = Ruleset.model_validate(plain.model_dump(mode="json") | {"options": options})
    for facts in moments("scrabble-sk-2022-qt", 11, 3, is_disturbed=True):
        known = replace(facts, ruleset=rules)
        for stage, table in tables(known, {}, cache).items():
            assert table == ranked(known, {}, stage)
