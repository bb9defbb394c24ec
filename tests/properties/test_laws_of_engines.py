"""The laws that a round has to keep, whatever has happened before, and the engines that each of them binds.

Where an engine is not bound the rules say otherwise: in groups and play-offs a plan and a lot say who meets whom and who
starts, tables may bring two together again and nobody sits out of them.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from services.pairing.engines import PairedRound, alternative, check, lookahead, pair
from services.pairing.engines.field import Field, field_of_next_round, holds, opened_with_groups
from services.pairing.engines.matching import Vector
from services.pairing.engines.swiss.costs import COSTS, components, in_brackets, vector
from services.pairing.engines.swiss.first_round import is_drawn
from shared.rulesets.pairing_and_standings import System
from shared.rulesets.schema import Changes
from shared.tournament.facts import Facts
from shared.tournament.stages import settings_of
from shared.values import Value
from tests.courses import Course, before_the_start
from tests.exploring import tries
from tests.simulated import BY_LOT, ban

FEW = settings(max_examples=tries(5), deadline=None, suppress_health_check=[HealthCheck.too_slow])
SWISS: Changes = {"pairing.system": "cost-swiss"}
MOST_TRIED = 10  # entrants of whom all pairings are tried


class Played(Value):
    ruleset: str
    sizes: tuple[int, int]
    options: Changes


def by(ruleset: str, least: int, most: int, options: Changes | None = None) -> Played:
    return Played(ruleset=ruleset, sizes=(least, most), options=options or {})


ENGINES: Mapping[str, Played] = {
    "median Swiss": by("pisqworky-2025-individual", 4, 14),
    "cost Swiss of Scrabble": by("scrabble-sk-2022-qt", 4, 14, SWISS),
    "cost Swiss of Scrabble online": by("scrabble-sk-2022-online", 4, 14, SWISS),
    "cost Swiss of gomoku": by("gomoku-cfp", 4, 14, SWISS),
    "cost Swiss of the final of Carcassonne": by("carcassonne-cz-final", 4, 14, {"pairing.field": "any"}),
    "modified Swiss of Othello, semifinals and finals": by(
        "othello-pl-2021", 9, 14, {**SWISS, "pairing.meetings": 2, "pairing.rounds": 5}
    ),
    "unmodified Swiss of Othello, semifinals and finals": by(
        "othello-pl-2021", 9, 14, {**SWISS, "pairing.meetings": 1, "pairing.rounds": 5}
    ),
    "round robin": by("gomoku-cfp", 3, 8),
    "double round robin, semifinals and finals": by("othello-pl-2021", 4, 7),
    "groups and play-off": by("pisqworky-2025-ss-ot", 4, 21),
    "tables of four and three": by("carcassonne-cz-qualification", 6, 10),
}


class Made(Value):
    """A round, and what was known when it was paired."""

    facts: Facts
    stage: str
    pairing: PairedRound

    @property
    def system(self) -> System:
        return settings_of(self.facts, self.stage).pairing.system

    @property
    def field(self) -> Field:
        return field_of_next_round(opened_with_groups(self.facts, self.stage, lots=BY_LOT), self.stage, lots=BY_LOT)

    def meetings(self) -> Iterator[frozenset[str]]:
        return (frozenset(two) for one in self.pairing.pairs for two in combinations(one.seats, 2))


def nobody_is_twice_and_nobody_forgotten(made: Made) -> None:
    seats = [seat for one in made.pairing.pairs for seat in one.seats]
    assert len(seats) == len(set(seats))
    assert not set(seats) & {*made.pairing.byes, *made.pairing.missing, *made.pairing.requested_byes}
    if made.system in {"median-swiss", "cost-swiss", "tables"}:
        assert sorted([*seats, *made.pairing.byes]) == sorted(made.field.by_id)


def no_rule_that_binds_is_broken(made: Made) -> None:
    assert not [one for one in check(made.facts, made.stage, made.pairing) if one.severity == "hard"]


def two_meet_no_more_often_than_allowed(made: Made) -> None:
    most = {"groups": 1, "double-round-robin": 2}.get(made.system, made.field.settings.pairing.meetings)
    met = made.field.met
    assert most is not None
    assert all(met.get(one, {}).get(other, 0) < most for one, other in map(tuple, made.meetings()))


def bans_are_kept(made: Made) -> None:
    rounds = made.field.rounds
    binding = [one.entrants for one in made.facts.bans if holds(one, made.pairing.round, rounds)]
    assert not [two for two in made.meetings() if any(two <= apart for apart in binding)]


def everybody_sits_out_once_before_somebody_does_twice(made: Made) -> None:
    """Or as often as two may meet, where BYE is an opponent like everybody."""
    byes = {player.id: player.byes for player in made.field.players}
    rules = made.field.settings.pairing
    most = rules.meetings if rules.bye == "matched" else max(min(byes.values()) + 1, rules.byes_of_one)
    assert all(byes[one] < (most or 0) for one in made.pairing.byes)
    assert len(made.pairing.byes) == len(byes) % 2


def roles_are_as_even_as_the_rule_allows(made: Made) -> None:
    """Turned round, no pair would have them more even; and where that binds, nobody is far from even."""
    balance = {player.id: player.balance for player in made.field.players}
    for one in made.pairing.pairs:
        if one.first is not None:
            first, second = one.seats
            assert abs(balance[first] + 1) + abs(balance[second] - 1) <= abs(balance[first] - 1) + abs(
                balance[second] + 1
            )
            if "role-excess" in made.pairing.components and made.pairing.cost and not made.pairing.cost[0]:
                assert max(abs(balance[first] + 1), abs(balance[second] - 1)) <= 2


def everybody_begins_as_often_as_berger_has_it(made: Made) -> None:
    times = Counter({player.id: player.balance for player in made.field.players})
    times.update({seat: 1 if seat == one.first else -1 for one in made.pairing.pairs for seat in one.seats})
    is_whole = not (made.facts.left or made.facts.absences or made.facts.bans)
    if made.pairing.round == made.field.rounds and is_whole:
        assert max(map(abs, times.values())) <= 1


def who_starts_follows_from_the_history(made: Made) -> None:
    assert not [one for one in check(made.facts, made.stage, made.pairing) if one.kind == "starter"]


def the_order_in_which_facts_come_changes_nothing(made: Made) -> None:
    def turned[Key, Value](several: Mapping[Key, Value]) -> dict[Key, Value]:
        return dict(list(several.items())[::-1])

    known = made.facts
    turned_round = replace(
        known,
        entrants=turned(known.entrants),
        results=turned(known.results),
        rounds=turned(known.rounds),
        left=turned(known.left),
        absences=turned(known.absences),
        drawn={stage: turned(groups) for stage, groups in known.drawn.items()},
        bans=known.bans[::-1],
    )
    assert pair(turned_round, made.stage, lots=BY_LOT) == made.pairing


def other_names_change_nothing_but_names(made: Made) -> None:
    """When the lots fall as they did."""
    names = {one: f"N{(17 * number) % 101:03}" for number, one in enumerate(made.facts.entrants)}
    true = {name: one for one, name in names.items()}

    def same_lots(purpose: str, several: Any) -> list[str]:
        return [names[one] for one in BY_LOT(purpose, [true[name] for name in several])]

    found = pair(renamed(made.facts, names), made.stage, lots=same_lots)
    wanted = renamed(made.pairing, names)
    assert [replace(one, why=()) for one in found.pairs] == [replace(one, why=()) for one in wanted.pairs]
    assert (found.byes, found.cost, found.groups) == (wanted.byes, wanted.cost, wanted.groups)


def renamed(thing: Any, names: Mapping[str, str]) -> Any:
    """With other names of entrants, wherever they stand."""
    match thing:
        case str():
            return names.get(thing, thing)
        case tuple() | frozenset():
            return type(thing)(renamed(one, names) for one in thing)
        case dict():
            return {renamed(key, names): renamed(value, names) for key, value in thing.items()}
        case msgspec.Struct():
            return replace(thing, **{name: renamed(getattr(thing, name), names) for name in thing.__struct_fields__})
        case _:
            return thing


def no_other_pairing_costs_less(made: Made) -> None:
    """With the same bye where it is chosen first, if nothing was given away for later rounds. The next best costs next to it."""
    field = made.field
    if len(field.players) > MOST_TRIED or is_drawn(field):
        return
    least, *more = two_smallest_sums(field, made.pairing.byes)
    if not any("A cheaper pairing" in one for one in made.pairing.explanation):
        assert made.pairing.cost == least
        assert made.pairing.proved
    if more and (lookahead.is_safe(field) or not field.settings.pairing.keeps_later_rounds):
        other = alternative(made.facts, made.stage, lots=BY_LOT).pairing
        assert other is not None
        assert other.cost == more[0]


def two_smallest_sums(field: Field, byes: Sequence[str]) -> Sequence[Vector]:
    """Over all ways to pair everybody by the rules. What is left costs the same however the others have been paired."""
    is_matched = field.settings.pairing.bye == "matched"
    there = in_brackets([one for one in field.players if is_matched or one.id not in byes])
    players = [*there, field.dummy] if is_matched and len(there) % 2 else there
    costs = [COSTS[name] for name in components(field)]
    allowed = {
        (one, other): vector(players[one], players[other], costs)
        for one, other in combinations(range(len(players)), 2)
        if field.may_meet(players[one], players[other])
    }

    @cache
    def smallest(open_: tuple[int, ...]) -> Sequence[Vector]:
        if not open_:
            return [(0,) * len(costs)]
        one, *others = open_
        sums = [
            tuple(map(sum, zip(allowed[one, other], rest, strict=True)))
            for other in others
            if (one, other) in allowed
            for rest in smallest(tuple(left for left in others if left != other))
        ]
        return sorted(sums)[:2]

    return smallest(tuple(range(len(players))))


type Law = Callable[[Made], None]

SWISSES: tuple[System, ...] = ("median-swiss", "cost-swiss")
EVERYBODY_MEETS: tuple[System, ...] = ("round-robin", "double-round-robin")
ALL: tuple[System, ...] = (*SWISSES, *EVERYBODY_MEETS, "groups", "knockout", "tables")
LAWS: Mapping[Law, tuple[System, ...]] = {
    nobody_is_twice_and_nobody_forgotten: ALL,
    no_rule_that_binds_is_broken: ALL,
    two_meet_no_more_often_than_allowed: (*SWISSES, *EVERYBODY_MEETS, "groups"),
    bans_are_kept: (*SWISSES, *EVERYBODY_MEETS, "tables"),
    everybody_sits_out_once_before_somebody_does_twice: SWISSES,
    roles_are_as_even_as_the_rule_allows: ("cost-swiss",),
    everybody_begins_as_often_as_berger_has_it: EVERYBODY_MEETS,
    who_starts_follows_from_the_history: ("median-swiss",),
    the_order_in_which_facts_come_changes_nothing: ALL,
    other_names_change_nothing_but_names: ALL,
    no_other_pairing_costs_less: ("cost-swiss",),
}


@pytest.mark.parametrize("engine", ENGINES)
@FEW
@given(size=st.integers(0, 100), seed=st.integers(0, 10**6), is_disturbed=st.booleans(), is_kept_apart=st.booleans())
def test_every_round_keeps_the_laws(
    engine: str,
    size: int,
    seed: int,
    is_disturbed: bool,  # noqa: FBT001 - drawn by hypothesis
    is_kept_apart: bool,  # noqa: FBT001 - drawn by hypothesis
) -> None:
    """Refused is none that could be paired, which the course of the tournament finds out by itself."""
    played = ENGINES[engine]
    least, most = played.sizes
    entrants = least + size % (most - least + 1)
    bans = [ban("E1", "E2", last_rounds=2), ban("E3", "E4")] if is_kept_apart else []
    known = before_the_start(played.ruleset, entrants, options=played.options, bans=bans)
    course = Course(known=known, chance=random.Random(seed), is_disturbed=is_disturbed)
    for facts, stage, pairing in course.whole():
        made = Made(facts=facts, stage=stage, pairing=pairing)
        for law, systems in LAWS.items():
            if made.system in systems:
                law(made)


def test_every_system_is_tried() -> None:
    assert {system for systems in LAWS.values() for system in systems} == set(ALL)
