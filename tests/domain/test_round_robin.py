"""Everybody meets everybody: Berger's tables, rests, and bans in the last rounds."""

from collections import Counter
from itertools import combinations

import pytest
from msgspec.structs import replace

from services.pairing.engines import PairedRound, StageOver, berger
from services.pairing.engines.breaches import check
from shared.tournament.facts import Absence, Facts
from shared.tournament.stages import settings_of
from tests.simulated import STAGE, ban, by_chance, facts, left, next_pairing, played, to_the_end

QT, MS = "scrabble-sk-2022-qt", "scrabble-sk-2022-ms"


def rounds_of(known: Facts) -> int:
    return settings_of(known, STAGE).rounds or 0


def met(pairings: list[PairedRound]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair.seats) for pairing in pairings for pair in pairing.pairs)


def test_the_tables_are_bergers() -> None:
    assert [sorted(meetings) for meetings in berger.table(6)] == [
        [(1, 6), (2, 5), (3, 4)],
        [(1, 2), (5, 3), (6, 4)],
        [(2, 6), (3, 1), (4, 5)],
        [(1, 4), (2, 3), (6, 5)],
        [(3, 6), (4, 2), (5, 1)],
    ]


@pytest.mark.rule("SK.PAI-3")
@pytest.mark.parametrize("entrants", range(2, 9))
def test_everybody_meets_everybody_once_and_is_named_first_half_the_time(entrants: int) -> None:
    known = facts(entrants)
    known, pairings = to_the_end(known, rounds_of(known))
    assert met(pairings) == Counter(map(frozenset, combinations(known.entrants, 2)))
    times = Counter(pair.first for pairing in pairings for pair in pairing.pairs)
    for entrant in known.entrants:
        assert abs(2 * times[entrant] - (entrants - 1)) <= 1
    rested = Counter(one for pairing in pairings for one in pairing.byes)
    assert rested == Counter(dict.fromkeys(known.entrants, 1) if entrants % 2 else {})
    assert {pairing.method for pairing in pairings} == {"round-robin"}
    with pytest.raises(StageOver):
        next_pairing(known)


@pytest.mark.rule("SK.PAI-5")
@pytest.mark.rule("SK.PAI-2")
@pytest.mark.parametrize("system", ["round-robin", "double-round-robin"])
@pytest.mark.parametrize("ruleset", ["scrabble-sk-2022-qt", "scrabble-sk-2022-online"])
@pytest.mark.parametrize("entrants", [2, 3, 6, 7, 14])
def test_in_round_one_the_lower_placed_is_named_first_on_odd_tables_and_all_end_even(
    entrants: int, ruleset: str, system: str
) -> None:
    """SK.D44."""
    known = facts(entrants, ruleset=ruleset, options={"pairing.system": system})
    known, pairings = to_the_end(known, rounds_of(known))
    for pair in pairings[0].pairs:
        higher, lower = sorted(pair.seats, key=lambda seat: known.entrants[seat].number)
        assert pair.first == pair.seats[0] == (lower if pair.table % 2 else higher)
        which = "lower-placed on odd" if pair.table % 2 else "higher-placed on even"
        assert pair.why[1] == f"{pair.first} is named first: in the first round it is the {which} tables."
    balance: Counter[str] = Counter()
    for pairing in pairings:
        balance.update({seat: 1 if seat == pair.first else -1 for pair in pairing.pairs for seat in pair.seats})
        assert max(map(abs, balance.values())) <= 3  # on the way
    games = (entrants - 1) * (2 if system == "double-round-robin" else 1)
    assert max(map(abs, balance.values())) == games % 2
    assert not check(facts(entrants, ruleset=ruleset, options={"pairing.system": system}), STAGE, pairings[0])


@pytest.mark.rule("SK.PAI-5")
def test_tables_count_as_they_are_played_when_somebody_comes_later_and_families_come_first() -> None:
    absent = replace(facts(8), absences={Absence(entrant="E2", stage=STAGE, round=1): None})
    assert [pair.seats for pair in next_pairing(absent).pairs] == [("E8", "E1"), ("E3", "E6"), ("E5", "E4")]
    known = facts(6, bans=[ban("E1", "E4", last_rounds=2)])
    known, pairings = to_the_end(known, 5)
    for pair in pairings[0].pairs:
        higher, lower = sorted(pair.seats, key=lambda seat: known.entrants[seat].number)
        assert pair.first == (lower if pair.table % 2 else higher)
    times = Counter(pair.first for pairing in pairings for pair in pairing.pairs)
    assert all(2 <= times[entrant] <= 3 for entrant in known.entrants)


@pytest.mark.rule("SK.PAI-2")
def test_roles_that_somebody_has_changed_and_games_that_fall_away_are_made_up_for() -> None:
    known = facts(8)
    pairing = next_pairing(known)
    by_hand = replace(
        pairing, pairs=tuple(replace(pair, seats=pair.seats[::-1], first=pair.seats[1]) for pair in pairing.pairs)
    )
    known = left(played(known, by_hand, by_chance(1).of(by_hand)), "E8", 1)
    _, later = to_the_end(known, 6)
    times = Counter(pair.first for one in (by_hand, *later) for pair in one.pairs)
    games = Counter(seat for one in (by_hand, *later) for pair in one.pairs for seat in pair.seats)
    assert all(abs(2 * times[one] - games[one]) <= 1 for one in known.entrants if one != "E8")


@pytest.mark.rule("SK.PAI-5")
def test_in_a_round_robin_too_the_wrong_one_named_first_in_round_one_is_worth_a_look() -> None:
    known = facts(6)
    one, *others = next_pairing(known).pairs
    wrong = replace(next_pairing(known), pairs=(replace(one, seats=one.seats[::-1], first="E1"), *others))
    (breach,) = check(known, STAGE, wrong)
    assert (breach.sentence, breach.requirement, breach.severity) == (
        "At table 1 E1 is named first, but on odd tables the lower-rated is.",
        "SK.PAI-5",
        "soft",
    )


def test_twice_changes_the_roles() -> None:
    known = facts(5, options={"pairing.system": "double-round-robin"})
    known, pairings = to_the_end(known, 10)
    in_order = Counter(pair.seats for pairing in pairings for pair in pairing.pairs)
    assert len(in_order) == 20
    assert set(in_order.values()) == {1}
    assert pairings[5].pairs[0].why[0].endswith("for the second time and with the roles changed.")


@pytest.mark.rule("SK.PAI-4")
@pytest.mark.parametrize("entrants", range(3, 9))
def test_families_meet_before_the_last_round(entrants: int) -> None:
    """SK.D20."""
    for one, other in combinations(facts(entrants).entrants, 2):
        known = facts(entrants, bans=[ban(one, other, last_rounds=1)])
        _, pairings = to_the_end(known, rounds_of(known))
        assert set(met(pairings).values()) == {1}
        assert len(met(pairings)) == entrants * (entrants - 1) // 2
        assert {one, other} not in [set(pair.seats) for pair in pairings[-1].pairs]


@pytest.mark.parametrize("entrants", [5, 6])
def test_where_changing_the_order_of_rounds_is_not_enough_all_is_planned_around_the_bans(entrants: int) -> None:
    families = [ban(f"E{number}", f"E{number + 1}", last_rounds=2) for number in (1, 2, 3, 4)]  # in four rounds of five
    known = facts(entrants, bans=families)
    _, pairings = to_the_end(known, 5)
    assert len(met(pairings)) == entrants * (entrants - 1) // 2
    late = [frozenset(pair.seats) for pairing in pairings[3:] for pair in pairing.pairs]
    assert not [family for family in families if family.entrants in late]
    times = Counter(pair.first for pairing in pairings for pair in pairing.pairs)
    assert all(2 <= times[entrant] <= 3 for entrant in known.entrants)


def test_a_double_one_is_planned_around_the_bans_too() -> None:
    families = [ban(*two, last_rounds=5) for two in (("E1", "E2"), ("E3", "E4"))]
    known = facts(4, bans=families, options={"pairing.system": "double-round-robin"})
    _, pairings = to_the_end(known, 6)
    assert Counter(met(pairings).values()) == {1: 2, 2: 4}  # of their two games one is too late
    families = [ban("E1", "E2", last_rounds=3), ban("E1", "E3", last_rounds=1)]
    known = facts(5, bans=families, options={"pairing.system": "double-round-robin"})
    _, pairings = to_the_end(known, 10)
    assert set(met(pairings).values()) == {2}
    assert set(Counter(pair.seats for one in pairings for pair in one.pairs).values()) == {1}


@pytest.mark.rule("SK.PAI-3", "SK.PAI-4")
@pytest.mark.parametrize(("ruleset", "entrants", "blocked"), [(QT, 3, 1), (QT, 4, 1), (MS, 6, 4)])
def test_of_three_relatives_whom_the_open_rounds_cannot_bring_together_as_few_as_can_be_rest_instead(
    ruleset: str, entrants: int, blocked: int
) -> None:
    """1.3: they must not meet in the last rounds, and a small field plays everybody with everybody. SK.D43."""
    family = [frozenset(two) for two in combinations(("E1", "E2", "E3"), 2)]
    known = facts(entrants, ruleset=ruleset, bans=[ban(*sorted(two), last_rounds=blocked) for two in family])
    rounds = rounds_of(known)
    _, pairings = to_the_end(known, rounds)
    in_open = min(len(family), rounds - blocked)  # of three each pair needs a round of its own
    assert [met(pairings[: rounds - blocked])[two] for two in family].count(1) == in_open
    assert not any(met(pairings[rounds - blocked :])[two] for two in family)
    assert len(met(pairings)) == entrants * (entrants - 1) // 2 - len(family) + in_open
    said = [sentence for one in pairings for sentence in one.explanation if "must not be met in this round" in sentence]
    assert len(said) == 2 * (len(family) - in_open)
    told = [sentence for sentence in pairings[0].explanation if sentence.startswith("No order of the rounds lets E")]
    assert len(told) == len(family) - in_open  # from the first round on


def test_whoever_rests_instead_of_meeting_too_late_has_a_bye_only_where_a_rest_is_one() -> None:
    families = [ban(*two, last_rounds=1) for two in combinations(("E1", "E2", "E3"), 2)]
    rules = facts(4).ruleset
    scoring = rules.scoring.model_copy(update={"rest": "bye-if-opponent-away"})
    rules = rules.model_copy(update={"scoring": scoring})
    known, _ = to_the_end(replace(facts(4, bans=families), ruleset=rules), 2)
    last = next_pairing(known)
    assert (len(last.pairs), last.byes) == (1, ())
    assert not check(known, STAGE, last)


def test_who_must_never_meet_rests_instead() -> None:
    known = facts(4, bans=[ban("E1", "E4")])
    pairings = to_the_end(known, 3)[1]
    assert len(met(pairings)) == 5
    resting = next(pairing for pairing in pairings if pairing.byes)
    assert resting.byes == ("E1", "E4")
    assert "E1 rests: E4 must never be met." in resting.explanation
    everywhere = facts(4, bans=[ban("E1", "E4", last_rounds=4)])
    assert len(met(to_the_end(everywhere, 3)[1])) == 5


@pytest.mark.rule("SK.PAI-8")
def test_the_opponents_of_who_has_left_rest() -> None:
    """SK.D24."""
    known = facts(6)
    known = played(known, first := next_pairing(known), by_chance(1).of(first))
    known, later = to_the_end(left(known, "E2", 1), 4)
    assert [len(pairing.byes) for pairing in later] == [1, 1, 1, 1]
    assert len(met([first, *later])) == 15 - 4
    assert any("E2, who would be the opponent, is not there." in one for one in later[0].explanation)


def test_who_left_before_the_first_round_has_no_seat() -> None:
    known = left(facts(7), "E7", 0)
    _, pairings = to_the_end(known, rounds_of(known))
    assert len(pairings) == 5
    assert not any(pairing.byes for pairing in pairings)


def test_where_a_rest_is_worth_nothing_nobody_has_a_bye() -> None:
    known = facts(5)
    scoring = known.ruleset.scoring.model_copy(update={"rest": "nothing"})
    pairing = next_pairing(replace(known, ruleset=known.ruleset.model_copy(update={"scoring": scoring})))
    assert pairing.byes == ()


def test_absent_entrants_make_their_opponents_rest() -> None:
    known = replace(facts(4), absences={Absence(entrant="E1", stage=STAGE, round=1): None})
    pairing = next_pairing(known)
    assert (pairing.missing, pairing.byes) == (("E1",), ("E4",))


def test_what_was_played_otherwise_is_completed_as_far_as_possible() -> None:
    known = facts(6)
    first = next_pairing(known)
    other = replace(
        first,
        pairs=tuple(
            replace(pair, seats=seats, first=seats[0])
            for pair, seats in zip(first.pairs, (("E1", "E2"), ("E3", "E4"), ("E5", "E6")), strict=True)
        ),
    )
    known = played(known, other, by_chance(1).of(other))
    _, later = to_the_end(known, 4)
    assert len(met([other, *later])) == 15
    assert later[0].explanation[0].startswith("Earlier rounds were not played by the plan")


def test_where_the_rest_cannot_be_completed_as_many_as_possible_play() -> None:
    """After K3,3 of six entrants two triangles are left, and a triangle takes three rounds of one game each."""
    known = facts(6)
    for turn in range(3):
        pairing = next_pairing(known)
        seats = [(f"E{one}", f"E{(one + turn) % 3 + 4}") for one in (1, 2, 3)]
        changed = tuple(
            replace(pair, table=table, seats=two, first=two[0])
            for table, (pair, two) in enumerate(zip([*pairing.pairs, *pairing.pairs][:3], seats, strict=True), start=1)
        )
        by_hand = replace(pairing, pairs=changed, byes=())
        known = played(known, by_hand, by_chance(1).of(by_hand))
    pairing = next_pairing(known)
    assert len(pairing.pairs) == 2
    assert pairing.explanation[1].startswith("Not everybody can meet everybody any more")


def test_one_alone_rests() -> None:
    assert next_pairing(facts(1)).byes == ("E1",)
