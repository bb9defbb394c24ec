"""Who meets whom in the Swiss of the Slovak Scrabble association."""

import msgspec
import pytest
from msgspec.structs import replace

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import (
    NoPairing,
    NotAvailable,
    RoundNotOver,
    StageOver,
    alternative,
    lookahead,
    pair,
)
from services.pairing.engines.field import field_of_next_round, holds
from services.pairing.engines.swiss import cost_swiss
from shared.rulesets.settings import settings
from shared.tournament.facts import Absence, Entrant
from shared.tournament.ranking import rank
from shared.tournament.stages import settings_of
from tests.simulated import BY_LOT, STAGE, ban, by_chance, facts, left, next_pairing, played, to_the_end

SWISS = {"pairing.system": "cost-swiss"}
SWISS_OF_THREE = {**SWISS, "pairing.rounds": 3}


def seats(pairs: tuple[SeatedTable, ...]) -> list[tuple[str, ...]]:
    return [pair.seats for pair in pairs]


@pytest.mark.rule("SK.PAI-3")
@pytest.mark.parametrize(
    ("rounds", "entrants", "system"),
    [(7, 8, "round-robin"), (7, 9, "cost-swiss"), (13, 14, "round-robin"), (13, 15, "cost-swiss")],
)
def test_a_field_of_one_more_than_the_rounds_still_plays_a_round_robin(rounds: int, entrants: int, system: str) -> None:
    """SK.V4."""
    assert next_pairing(facts(entrants, options={"pairing.rounds": rounds})).method == system


def test_a_qualifying_tournament_has_seven_rounds() -> None:
    ruleset = facts(9).ruleset
    assert settings(ruleset, STAGE, size=9).rounds == 7
    known, pairings = to_the_end(facts(9), 7)
    assert [pairing.round for pairing in pairings] == [1, 2, 3, 4, 5, 6, 7]
    with pytest.raises(StageOver, match="All 7 rounds"):
        next_pairing(known)


@pytest.mark.rule("SK.PAI-5")
def test_round_one_pairs_half_against_half_with_the_lower_rated_first_on_odd_tables() -> None:
    pairing = next_pairing(facts(10))
    assert seats(pairing.pairs) == [("E6", "E1"), ("E2", "E7"), ("E8", "E3"), ("E4", "E9"), ("E10", "E5")]
    assert [pair.first for pair in pairing.pairs] == [pair.seats[0] for pair in pairing.pairs]
    assert pairing.cost is not None
    assert pairing.cost[:-1] == (0, 0, 10, 0, 0, 0)
    assert pairing.proved


@pytest.mark.rule("SK.PAI-8")
def test_in_an_odd_field_the_lowest_placed_who_has_had_none_has_the_bye() -> None:
    known = facts(9)
    first = next_pairing(known)
    assert first.byes == ("E9",)
    results = {pair.table: (400, 300) for pair in first.pairs}
    known = played(known, first, results | {4: (450, 300)})
    rested = next(row for row in rank(known, STAGE).rows if row.entrant == "E9")
    assert (rested.values["points"], rested.values["wins"], rested.values["score_difference"]) == (1, 1, 20)
    second = next_pairing(known)
    assert second.byes == ("E8",)  # without a point, and with the worst difference of scores
    assert any("E8 has the bye, as the lowest-placed of those who have had no bye" in one for one in second.explanation)


@pytest.mark.rule("SK.PAI-2")
def test_nobody_meets_twice_also_not_after_a_forfeit_but_after_a_void_game() -> None:
    known = facts(2, options={**SWISS, "pairing.rounds": 2})
    first = next_pairing(known)
    known = played(known, first, {1: (100, 0)})
    (game,) = known.rounds[STAGE, 1].games
    void = replace(known, results={}, voided=frozenset({game.id}))
    assert len(next_pairing(void).pairs) == 1
    forfeit = msgspec.structs.replace(known.results[game.id], end="no_show", by=frozenset({1}))
    with pytest.raises(Exception, match="has met") as refusal:
        next_pairing(replace(known, results={game.id: forfeit}))
    assert type(refusal.value).__name__ == "NoPairing"


@pytest.mark.rule("SK.PAI-2")
def test_players_of_equal_points_meet_where_they_can() -> None:
    _, pairings = to_the_end(facts(32), 3)
    assert pairings[1].cost is not None
    assert pairings[1].cost[1] <= 2  # at most one float by half a point up and down


@pytest.mark.rule("SK.PAI-2")
def test_being_named_first_stays_balanced() -> None:
    for entrants in (9, 16, 23):
        known, _ = to_the_end(facts(entrants), 7)
        times = dict.fromkeys(known.entrants, 0)
        for stands in known.rounds.values():
            for game in stands.games:
                for seat in game.seats:
                    times[seat] += 1 if seat == game.first else -1
                assert all(abs(balance) <= 2 for balance in times.values())


def test_who_is_not_known_to_have_been_first_has_no_role_to_balance() -> None:
    known = facts(10)
    first = next_pairing(known)
    unknown = replace(first, pairs=tuple(replace(pair, first=None) for pair in first.pairs))
    second = next_pairing(played(known, unknown, by_chance(1).of(unknown)))
    assert second.cost is not None
    assert second.cost[2] == 10  # one more than nought for each of ten, squared


@pytest.mark.rule("SK.PAI-2")
def test_the_next_round_waits_for_all_results() -> None:
    known = facts(10)
    known = played(known, pairing := next_pairing(known), by_chance(1).of(pairing))
    with pytest.raises(RoundNotOver, match="table 3 without a result"):
        next_pairing(replace(known, results={game: one for game, one in known.results.items() if game != "1-3"}))


@pytest.mark.rule("SK.PAI-4")
@pytest.mark.parametrize(("rounds", "last_rounds"), [(7, 1), (13, 4)])
def test_a_family_pair_may_meet_in_all_but_the_last_rounds(rounds: int, last_rounds: int) -> None:
    """SK.V14. The only two with full points would meet in every round, were it not for the ban."""
    known = facts(40, bans=[ban("E1", "E21", last_rounds=last_rounds)], options={"pairing.rounds": rounds})
    assert next_pairing(known).pairs[0].seats == ("E21", "E1")
    known = facts(40, bans=[ban("E1", "E2", last_rounds=last_rounds)], options={"pairing.rounds": rounds})
    while len(known.rounds) < rounds:
        pairing = next_pairing(known)
        together = {"E1", "E2"} in [set(pair.seats) for pair in pairing.pairs]
        is_blocked = pairing.round > rounds - last_rounds
        assert not (together and is_blocked)
        if together:
            return
        if is_blocked:
            assert any("E1 must not meet E2" in why for pair in pairing.pairs for why in pair.why)
            return
        lost = {"E1": (300, 400), "E2": (300, 400)}
        apart = {pair.table: lost.get(pair.seats[0], (400, 300)) for pair in pairing.pairs}
        known = played(known, pairing, apart)


@pytest.mark.rule("SK.PAI-4")
@pytest.mark.parametrize(("rounds", "last_rounds", "blocked"), [(7, 1, [7]), (13, 4, [10, 11, 12, 13])])
def test_just_the_last_rounds_are_blocked(rounds: int, last_rounds: int, blocked: list[int]) -> None:
    family = ban("E1", "E2", last_rounds=last_rounds)
    assert [number for number in range(1, rounds + 1) if holds(family, number, rounds)] == blocked


@pytest.mark.rule("SK.PAI-4")
def test_a_small_field_is_paired_so_that_the_blocked_rounds_stay_possible() -> None:
    """With eight players and seven rounds everybody meets everybody, so families have to meet early."""
    families = [ban("E1", "E2", last_rounds=2), ban("E3", "E4", last_rounds=2), ban("E5", "E6", last_rounds=2)]
    for seed in range(20):
        _, pairings = to_the_end(facts(8, bans=families, options=SWISS), 7, seed)
        for family in families:
            met = [one.round for one in pairings for pair in one.pairs if frozenset(pair.seats) == family.entrants]
            assert len(met) == 1
            assert met[0] <= 5


def test_who_costs_the_later_rounds_is_told() -> None:
    families = [ban("E1", "E2", last_rounds=2), ban("E3", "E4", last_rounds=2), ban("E5", "E6", last_rounds=2)]
    said = {
        one
        for seed in range(20)
        for pairing in to_the_end(facts(8, bans=families, options=SWISS), 7, seed)[1]
        for one in pairing.explanation
    }
    assert "A cheaper pairing would have left a later round without one, since few opponents are left." in said


def test_a_round_that_cannot_have_all_later_ones_says_so() -> None:
    pairing = next_pairing(facts(4, options={**SWISS, "pairing.rounds": 5}))
    assert "Of the later rounds only the next 2 can still be paired, as far as can be seen." in pairing.explanation


def test_who_has_left_or_not_yet_come_or_is_absent_is_not_paired() -> None:
    known = left(facts(14), "E3", 0)
    absences = {
        Absence(entrant="E4", stage=STAGE, round=1): None,
        Absence(entrant="E5", stage=STAGE, round=1): settings_of(known, STAGE).scoring.draw,
    }
    late = Entrant(id="E14", number=14, from_round=2)
    known = replace(known, absences=absences, entrants={**known.entrants, "E14": late})
    pairing = next_pairing(known)
    assert {seat for pair in pairing.pairs for seat in pair.seats} == {
        f"E{number}" for number in (1, 2, 6, 7, 8, 9, 10, 11, 12, 13)
    }
    assert (pairing.missing, dict(pairing.requested_byes)) == (("E4",), {"E5": settings_of(known, STAGE).scoring.draw})
    assert "Not there in this round: E4." in pairing.explanation
    assert "A round off that was asked for: E5." in pairing.explanation
    second = next_pairing(played(known, pairing, by_chance(1).of(pairing)))
    assert {seat for pair in second.pairs for seat in pair.seats} | set(second.byes) == known.entrants.keys() - {"E3"}


def test_everybody_reads_why() -> None:
    _, pairings = to_the_end(facts(12), 5)
    said = " ".join(why for pairing in pairings for pair in pairing.pairs for why in pair.why)
    for sentence in (
        "E1 is 1st of the start order, E7 7th.",
        "Both have",
        "floats down",
        "has already met",
        "is named first, having been so",
        "last time.",
        "since nothing else decides.",
    ):
        assert sentence in said


def test_what_no_engine_can_do_is_refused_by_name() -> None:
    with pytest.raises(NotAvailable, match="plan no matches for the stage swiss"):
        next_pairing(facts(20, options={"pairing.system": "knockout"}))


@pytest.mark.parametrize(
    ("changes", "lacking"),
    [
        ({"cost": ("spread",)}, "the cost spread"),
        ({"first_round": {"opponents": "lot", "first": "balance"}}, "the first round by lot"),
        ({"first_round": {"opponents": "halves", "first": "history-alternates"}}, "who begins by history-alternates"),
        ({"bye": "lot"}, "the bye by lot"),
    ],
)
def test_a_setting_that_is_not_there_yet_is_refused_by_name(changes: dict[str, object], lacking: str) -> None:
    known = facts(20)
    pairing = type(known.ruleset.pairing).model_validate(known.ruleset.pairing.model_dump() | changes)
    with pytest.raises(NotAvailable, match=lacking):
        next_pairing(replace(known, ruleset=known.ruleset.model_copy(update={"pairing": pairing})))


def test_costs_may_be_others_and_pairs_may_meet_twice() -> None:
    known = facts(4, options={**SWISS, "pairing.meetings": 2, "pairing.rounds": 6})
    pairing = known.ruleset.pairing.model_copy(update={"cost": ("difference", "meetings")})
    known = replace(known, ruleset=known.ruleset.model_copy(update={"pairing": pairing}))
    _, pairings = to_the_end(known, 6)
    assert pairings[0].components == ("difference", "meetings", "lot")
    met = [frozenset(pair.seats) for one in pairings for pair in one.pairs]
    assert all(met.count(two) == 2 for two in met)


def test_pairs_may_meet_as_often_as_it_happens() -> None:
    known = facts(2, options=SWISS)
    pairing = known.ruleset.pairing.model_copy(update={"meetings": None})
    known = replace(known, ruleset=known.ruleset.model_copy(update={"pairing": pairing}))
    assert len(to_the_end(known, 7)[1]) == 7


def test_an_alternative_says_what_it_would_cost() -> None:
    known, _ = to_the_end(facts(16), 3)
    best = next_pairing(known)
    one, other = best.pairs[0].seats
    apart = alternative(known, STAGE, one, other, lots=BY_LOT)
    assert not apart.would_meet
    assert apart.sentence.startswith("If they did not meet, ")
    assert apart.pairing is not None
    assert apart.pairing.cost is not None
    assert best.cost is not None
    assert apart.pairing.cost > best.cost
    far = best.pairs[-1].seats[0]
    together = alternative(known, STAGE, one, far, lots=BY_LOT)
    assert together.would_meet
    assert together.best == best
    assert together.pairing is not None
    assert {one, far} in [set(pair.seats) for pair in together.pairing.pairs]
    assert " would be " in together.sentence


def test_an_alternative_that_the_rules_forbid_says_why() -> None:
    known, pairings = to_the_end(facts(16, bans=[ban("E1", "E16")]), 3)
    one, other = pairings[0].pairs[0].seats
    assert alternative(known, STAGE, one, other, lots=BY_LOT).sentence.endswith("meet: they have met.")
    banned = alternative(known, STAGE, "E1", "E16", lots=BY_LOT)
    assert banned.pairing is None
    assert banned.sentence == "No pairing is left in which E1 and E16 meet: they must not meet in this round."


def test_an_alternative_may_differ_by_the_lot_alone() -> None:
    """If the first may not meet the third, the four of one bracket can meet in two ways that are as far from half against half."""
    known = facts(4, bans=[ban("E1", "E3")], options={**SWISS, "pairing.rounds": 1})
    best = next_pairing(known)
    one, other = best.pairs[0].seats
    assert alternative(known, STAGE, one, other, lots=BY_LOT).sentence == (
        "If they did not meet, it would cost the same: the lot has decided."
    )


def test_an_alternative_keeps_the_later_rounds_possible() -> None:
    known = facts(4, bans=[ban("E1", "E3", last_rounds=1), ban("E2", "E4", last_rounds=1)], options=SWISS_OF_THREE)
    known = played(known, first := next_pairing(known), {1: (300, 400), 2: (400, 300)})
    assert {frozenset(pair.seats) for pair in first.pairs} == {frozenset(("E1", "E3")), frozenset(("E2", "E4"))}
    again = facts(4, bans=[ban("E1", "E2", last_rounds=2), ban("E3", "E4", last_rounds=2)], options=SWISS_OF_THREE)
    forced = alternative(again, STAGE, "E1", "E3", lots=BY_LOT)
    assert forced.sentence.endswith("meet: the others could not be paired then, now or in a later round.")


def test_a_pairing_from_the_plan_is_not_called_the_cheapest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where too many pairings would have to be tried until one leaves the later rounds possible."""
    monkeypatch.setattr(cost_swiss, "MOST_RANKED", 1)
    families = [ban("E1", "E2", last_rounds=2), ban("E3", "E4", last_rounds=2), ban("E5", "E6", last_rounds=2)]
    for seed in range(20):
        _, pairings = to_the_end(facts(8, bans=families, options=SWISS), 7, seed)
        if not all(pairing.proved for pairing in pairings):
            return
    pytest.fail("the plan was never needed")


def test_where_the_bye_is_matched_a_pairing_from_the_plan_may_have_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """While somebody is away, whose place the bye would otherwise be taken for."""
    monkeypatch.setattr(cost_swiss, "MOST_RANKED", 1)
    families = [ban("E1", "E2", last_rounds=2), ban("E3", "E4", last_rounds=2), ban("E5", "E6", last_rounds=2)]
    known = facts(8, bans=families, options=SWISS)
    pairing = known.ruleset.pairing.model_copy(update={"bye": "matched"})
    off = {Absence(entrant="E8", stage=STAGE, round=3): None}
    known = replace(known, ruleset=known.ruleset.model_copy(update={"pairing": pairing}), absences=off)
    for seed in range(12):
        _, pairings = to_the_end(known, 7, seed)
        assert [len(one.byes) for one in pairings] == [0, 0, 1, 0, 0, 0, 0]
        met = [frozenset(pair.seats) for one in pairings for pair in one.pairs]
        assert len(set(met)) == len(met)


def test_a_round_off_in_another_stage_takes_nobody_out_of_the_later_rounds_of_this_one() -> None:
    known = facts(8, options=SWISS)
    elsewhere = {Absence(entrant="E8", stage="another", round=2): None}
    here = {Absence(entrant="E8", stage=STAGE, round=2): None}
    for absences, coming in ((elsewhere, 8), (here, 7)):
        field = field_of_next_round(replace(known, absences=absences), STAGE, lots=BY_LOT)
        assert len(lookahead.coming(field, [*known.entrants], 2)) == coming


def test_a_plan_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookahead, "STEPS", 3)
    pairing = next_pairing(facts(10))
    assert len(pairing.pairs) == 5
    assert pairing.explanation[-1] == "Of the later rounds none can still be paired, as far as can be seen."


def test_the_only_one_whom_nobody_may_meet_has_the_bye_however_high() -> None:
    known = facts(21, bans=[ban("E3", f"E{number}") for number in range(1, 22) if number != 3])
    pairing = next_pairing(known)
    assert pairing.byes == ("E3",)
    assert "without E21, E20, E19, E18, E17, E16 and 12 more the others" in pairing.explanation[1]


def test_a_bye_that_would_leave_the_others_without_a_pairing_goes_to_the_next_lowest() -> None:
    """Everybody but 7 may meet only 1 and 2, so one of the others sits out."""
    blocked = [ban(f"E{one}", f"E{other}") for one in (3, 4, 5) for other in (3, 4, 5) if one < other]
    known = facts(5, bans=blocked, options={**SWISS, "pairing.rounds": 1})
    assert next_pairing(known).byes == ("E5",)
    blocked = [ban(f"E{one}", f"E{other}") for one in (1, 2, 3) for other in (1, 2, 3) if one < other]
    assert next_pairing(replace(known, bans=tuple(blocked))).byes == ("E3",)


def test_a_large_field_without_a_pairing_is_refused_after_all_pairs_are_seen() -> None:
    """Two hundred may only meet one of ninety-nine others: 302 cannot be paired, but nobody is alone."""
    few = [f"E{number}" for number in range(1, 100)]
    many = [f"E{number}" for number in range(100, 303)]
    bans = [ban(*many)]
    with pytest.raises(NoPairing):
        next_pairing(replace(facts(302), bans=tuple(bans)))
    assert len(few) < len(many)


def test_an_entrant_who_left_in_an_earlier_stage_is_not_there() -> None:
    known = facts(10)
    stages = (*known.ruleset.stages, known.ruleset.stages[0].model_copy(update={"id": "final"}))
    known = replace(
        known, ruleset=known.ruleset.model_copy(update={"stages": stages}), fields={"final": ("E1", "E2", "E3")}
    )
    pairing = pair(left(known, "E3", 2), "final", lots=BY_LOT)
    assert (pairing.pairs, pairing.byes) == ((), ("E1", "E2"))


def test_an_alternative_may_move_the_bye_or_be_impossible() -> None:
    known = facts(3, options={**SWISS, "pairing.rounds": 3})
    assert alternative(known, STAGE, "E1", "E3", lots=BY_LOT).sentence == (
        "If they met, E2 would have the bye instead of E3."
    )
    two = facts(2, options={**SWISS, "pairing.rounds": 1})
    assert alternative(two, STAGE, "E1", "E2", lots=BY_LOT).sentence == (
        "No pairing is left in which E1 and E2 do not meet: nobody else is left for them."
    )
    with pytest.raises(NotAvailable, match="paired by round-robin: its plan says who meets whom"):
        alternative(facts(4), STAGE, "E1", "E2", lots=BY_LOT)
    with pytest.raises(Exception, match="E9 is not among those"):
        alternative(known, STAGE, "E1", "E9", lots=BY_LOT)


def test_a_large_field_is_paired_by_neighbourhoods_and_says_that_nothing_is_proved() -> None:
    known, pairings = to_the_end(facts(310), 3)
    assert [pairing.proved for pairing in pairings] == [False, False, False]
    assert pairings[2].explanation[-1].startswith("The best pairing that was found")
    for pairing in pairings:
        assert len({seat for pair in pairing.pairs for seat in pair.seats}) == 310
    best = next_pairing(known)
    far = alternative(known, STAGE, best.pairs[0].seats[0], best.pairs[-1].seats[0], lots=BY_LOT)
    assert far.pairing is not None
    assert far.pairing.cost is not None
    assert best.cost is not None
    assert far.pairing.cost > best.cost
