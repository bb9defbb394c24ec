"""The median Swiss of pIšQworky, by the examples of docs/rules and by what an arbiter would ask."""

import json
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace

from services.pairing.engines import NoPairing, NotAvailable, PairedRound, StageOver, alternative, check, pair
from services.pairing.engines.explaining import LATER_ROUNDS
from services.pairing.engines.field import FieldPlayer
from services.pairing.engines.median_swiss.bracket_pairing import LeftToPair
from services.pairing.engines.median_swiss.starter import StarterReading, StarterSide, who_starts
from shared.lots import formula
from shared.tournament.facts import Absence, Facts, Left, Penalty
from shared.tournament.ranking import rank
from tests.median import INDIVIDUALS, TEAMS, by_chance, facts, forfeited, meetings, played, result, set_up, who_meets
from tests.simulated import BY_LOT, STAGE, ban, next_pairing

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "pisqworky" / "pairing.json").read_text())


def after(known: Facts, rounds: int, seed: int = 1) -> Facts:
    for _ in range(rounds):
        pairing = next_pairing(known)
        known = played(known, pairing, by_chance(seed).of(pairing))
    return known


@pytest.mark.rule("PQ.PAI-9")
@pytest.mark.parametrize("vector", VECTORS["rounds"], ids=lambda vector: vector["name"])
def test_a_round_is_as_the_example_says(vector: dict[str, Any]) -> None:
    apart = [ban(*(f"E{one}" for one in several.split("-"))) for several in vector.get("apart", "").split()]
    known = facts(vector["entrants"], carried=vector.get("carried"), ruleset=TEAMS, bans=apart)
    for text in vector["rounds"]:
        known = set_up(known, text)
    pairing = next_pairing(known)
    assert who_meets(pairing) == meetings(vector["pairs"])
    assert pairing.byes == ((f"E{vector['bye']}",) if "bye" in vector else ())
    if "said" in vector:
        assert [one for one in pairing.explanation if not one.startswith(LATER_ROUNDS)] == vector["said"]


@pytest.mark.rule("PQ.PAI-9")
@pytest.mark.parametrize("vector", VECTORS["exchanges"], ids=lambda vector: f"{vector['way']}, met {vector['met']}")
def test_half_against_half_exchanges_in_the_order_of_the_rule(vector: dict[str, Any]) -> None:
    """One bracket of six, far above or below the middle; each meeting was a round of its own."""
    carried = {str(number): 50 for number in range(1, 7)} if vector["way"] == "down" else {}
    known = facts(6, carried=carried, options={"standings.criteria": ["points", "start_number"]})
    for two in vector["met"].split():
        known = set_up(known, f"{two} 0:0")
    assert who_meets(next_pairing(known)) == meetings(vector["pairs"])


@pytest.mark.rule("PQ.PAI-10")
@pytest.mark.parametrize("vector", VECTORS["starters"], ids=str)
def test_who_starts_is_as_the_example_says(vector: dict[str, Any]) -> None:
    one, other = (
        StarterSide(id=str(number), number=number, started=tuple(map(bool, vector[which])))
        for number, which in ((1, "one"), (2, "other"))
    )
    reading = StarterReading(history=vector.get("history", "literal"), higher=vector.get("higher", "better"))
    below = vector.get("below", False)
    for two in ((one, other), (other, one)):
        start = who_starts(*two, number=vector["round"], is_below_middle=below, reading=reading)
        if vector["starts"] is None:
            assert start is None
        else:
            assert start is not None
            assert (start.first, start.criterion) == (str(vector["starts"]), vector["by"])


@pytest.mark.rule("PQ.PAI-10")
def test_the_second_reading_of_the_text_is_a_setting() -> None:
    """Round 3: both have started once; E1 started the match before the last, and E2 the last one."""

    def first(**options: str) -> str | None:
        known = facts(4, options={f"pairing.{name}": value for name, value in options.items()})
        known = set_up(set_up(known, "1-3 2:2, 4-2 2:2"), "4-1 2:2, 2-3 2:2")
        (found,) = (pair.first for pair in next_pairing(known).pairs if set(pair.seats) == {"E1", "E2"})
        return found

    assert first() == "E2"
    assert first(starter_history="alternate") == "E1"


@pytest.mark.rule("PQ.PAI-10")
def test_a_higher_start_number_can_be_read_both_ways() -> None:
    def first(higher: str) -> str | None:
        known = set_up(facts(4, options={"pairing.start_number_higher": higher}), "1-3 2:2, 4-2 2:2")
        (found,) = (pair.first for pair in next_pairing(known).pairs if set(pair.seats) == {"E1", "E4"})
        return found

    assert first("better") == "E4"  # both have started, and E1 has its wish
    assert first("worse") == "E1"


@pytest.mark.rule("PQ.PAI-10")
def test_in_round_one_a_lot_is_drawn_for_the_best_and_start_numbers_alternate() -> None:
    firsts: set[str] = set()
    for seed in range(8):
        pairing = pair(facts(12), STAGE, lots=lambda purpose, ids, seed=seed: formula.draw(bytes([seed]), purpose, ids))
        roles = [one.first == min(one.seats, key=lambda seat: int(seat[1:])) for one in pairing.pairs]
        assert roles == [roles[0], not roles[0]] * 3
        assert "a lot gave E1 its role" in pairing.pairs[0].why[-1]
        firsts.add(str(pairing.pairs[0].first))
    assert firsts == {"E1", "E7"}


@pytest.mark.rule("PQ.PAI-9", "PQ.D31")
def test_the_middle_is_that_of_the_round_and_brackets_go_by_the_points_of_the_table() -> None:
    """E7 and E8 come to the second round, and E1 has won the first and lost a point."""
    known = facts(8)
    late = {one: structs.replace(known.entrants[one], from_round=2) for one in ("E7", "E8")}
    known = set_up(replace(known, entrants={**known.entrants, **late}), "1-4 14:6, 2-5 14:6, 3-6 14:6")
    penalty = Penalty(entrant="E1", stage=STAGE, round=1, points=Fraction(-1))
    for penalties, own in (({"p": penalty}, "1 of its own"), ({}, "moved down into it")):
        said = " ".join(next_pairing(replace(known, penalties=penalties)).explanation)
        assert f"The middle bracket of 1 point: {own}" in said


@pytest.mark.rule("PQ.D34")
def test_tables_go_by_the_better_placed_of_each_pair_best_first() -> None:
    known = facts(9)
    for _ in range(5):
        places = {row.entrant: place for place, row in enumerate(rank(known, STAGE).rows)}
        pairing = next_pairing(known)
        better = [min(places[seat] for seat in one.seats) for one in pairing.pairs]
        assert [one.table for one in pairing.pairs] == [1, 2, 3, 4]
        assert better == sorted(better)
        known = played(known, pairing, by_chance(3).of(pairing))


@pytest.mark.rule("PQ.PAI-10", "PQ.D33")
def test_a_match_forfeited_as_a_whole_and_a_bye_are_no_starts() -> None:
    known = facts(4)
    first = next_pairing(known)
    known = played(known, first, {1: forfeited(0), 2: result(2, 2)})
    pairing = next_pairing(known)
    firsts = {one.first for one in first.pairs[1:]}
    others = {seat for one in first.pairs[1:] for seat in one.seats} - firsts
    for one in pairing.pairs:
        (fresh,) = set(one.seats) & set(first.pairs[0].seats)
        (known_one,) = set(one.seats) - {fresh}
        assert one.first == (fresh if known_one in firsts else known_one)
        assert known_one in firsts | others


@pytest.mark.rule("PQ.PAI-10")
def test_what_the_result_says_about_the_start_goes_before_what_was_planned() -> None:
    known = facts(4)
    first = next_pairing(known)
    turned = {
        one.table: structs.replace(result(2, 2), first=next(seat for seat in one.seats if seat != one.first))
        for one in first.pairs
    }
    begun = [seat for one in first.pairs for seat in one.seats if seat == one.first]
    plain = next_pairing(played(known, first, {one: result(2, 2) for one in turned}))
    other = next_pairing(played(known, first, turned))
    assert who_meets(plain) == who_meets(other)
    for one, turned_one in zip(plain.pairs, other.pairs, strict=True):
        if len(set(one.seats) & set(begun)) == 1:
            assert one.first != turned_one.first


@pytest.mark.rule("PQ.PAI-10")
def test_a_void_match_is_no_start_and_no_meeting() -> None:
    known = set_up(facts(2), "2-1 2:2")
    (game,) = known.rounds[STAGE, 1].games
    pairing = next_pairing(replace(known, results={}, voided=frozenset({game.id})))
    assert who_meets(pairing) == meetings("1-2")
    assert pairing.pairs[0].why[-1].endswith("by lot: neither has played before.")


@pytest.mark.rule("PQ.PAI-10", "PQ.D32")
def test_two_who_have_never_played_draw_a_lot_also_later() -> None:
    known = set_up(facts(6, carried={"5": 0}), "1-3 2:2", byes=["E5"])
    known = set_up(known, "2-4 2:2", byes=["E6"])
    (pair,) = (one for one in next_pairing(known).pairs if set(one.seats) == {"E5", "E6"})
    assert pair.why[-1] == f"{pair.first} starts by lot: neither has played before."


@pytest.mark.rule("PQ.PAI-9")
def test_the_bye_goes_to_the_worst_placed_who_has_not_sat_out() -> None:
    known = facts(7)
    byes: list[str] = []
    for _ in range(5):
        pairing = next_pairing(known)
        byes += pairing.byes
        known = played(known, pairing, by_chance(3).of(pairing))
    assert len(set(byes)) == 5


@pytest.mark.rule("PQ.PAI-9", "PQ.D36")
def test_who_was_made_to_sit_out_by_an_opponent_who_stayed_away_has_the_bye_after_the_others() -> None:
    """6.2: the bye is for the worst-placed who was not yet forced not to play a round. E2 and E1 have played both."""
    known = set_up(set_up(facts(5), "3-4 0:4, 1-2 4:0", byes=["E5"]), "1-4 4:0, 2-5 4:0", byes=["E3"])
    assert next_pairing(known).byes == ("E4",), "E4 is the worst-placed of E1, E2 and E4"
    stayed_away = replace(known, results={**known.results, "1-1": forfeited(0)})
    pairing = next_pairing(stayed_away)
    assert pairing.byes == ("E2",)
    assert pairing.explanation[0] == (
        "E2 has the bye, as the lowest-placed of those who have had no bye or win by default; "
        "lower-placed but with a bye or win by default already: E3, E4 and E5."
    )
    left_later = replace(known, results={**known.results, "1-1": structs.replace(forfeited(0), first="E3")})
    assert next_pairing(left_later).byes == ("E4",), "a match that somebody left was played"
    nobody = structs.replace(forfeited(0), by=frozenset({0, 1}))
    assert next_pairing(replace(known, results={**known.results, "1-1": nobody})).byes == ("E4",)
    (breach,) = (one for one in check(stayed_away, STAGE, next_pairing(known)) if one.kind == "bye-not-lowest")
    assert (breach.severity, breach.entrants, breach.requirement) == ("soft", ("E4",), "PQ.PAI-9")
    assert breach.sentence == "E4 has the bye, but E1 and E2 had neither a bye nor a win by default."


@pytest.mark.rule("PQ.PAI-9", "PQ.D36", "PQ.D30")
def test_a_win_by_default_keeps_nobody_from_the_bye_without_whom_the_others_can_only_then_be_paired() -> None:
    known = set_up(set_up(facts(5), "3-4 0:4, 1-2 4:0", byes=["E5"]), "1-4 4:0, 2-5 4:0", byes=["E3"])
    known = replace(known, results={**known.results, "1-1": forfeited(0)}, bans=(ban("E4", "E3"), ban("E4", "E5")))
    pairing = next_pairing(replace(known, bans=(*known.bans, ban("E4", "E2"))))
    assert pairing.byes == ("E4",)
    assert pairing.explanation[0].startswith("E4 has the bye, as the lowest-placed of those who have had no bye; ")


@pytest.mark.rule("PQ.PAI-9", "PQ.D30")
def test_a_bye_that_would_leave_the_others_unpaired_goes_to_the_next() -> None:
    """E5 is the worst, but without it E1 and E2 could only meet E3."""
    known = facts(5, bans=[ban("E1", "E2"), ban("E1", "E4"), ban("E2", "E4")])
    pairing = next_pairing(known)
    assert pairing.byes != ("E5",)
    assert "without E5 the others" in pairing.explanation[0]
    blocked = facts(3, bans=[ban("E1", "E2"), ban("E1", "E3"), ban("E2", "E3")])
    with pytest.raises(NoPairing, match="E1"):
        next_pairing(blocked)


@pytest.mark.rule("PQ.PAI-9", "PQ.D35")
def test_where_no_legal_pairing_is_left_the_smallest_obstacle_is_named_and_before_that_it_is_foretold() -> None:
    known = facts(4)
    for kept in ("only the next 2", "only the next one", "none"):
        pairing = next_pairing(known)
        assert pairing.explanation[-1] == f"Of the later rounds {kept} can still be paired, as far as can be seen."
        known = played(known, pairing, by_chance(1).of(pairing))
    with pytest.raises(NoPairing) as raised:
        next_pairing(known)
    assert f"{raised.value.entrants[0]} has met" in str(raised.value)
    assert str(raised.value).endswith("end the stage after round 3, or make this round by hand, with a reason.")


def test_where_nobody_is_there_nobody_is_paired() -> None:
    known = facts(2)
    gone = {one: Left(stage=STAGE, after_round=0) for one in known.entrants}
    with pytest.raises(NoPairing, match="Nobody is there"):
        next_pairing(replace(known, left=gone))


def test_one_alone_has_the_bye() -> None:
    known = facts(2)
    pairing = next_pairing(replace(known, left={"E1": Left(stage=STAGE, after_round=0)}))
    assert (pairing.pairs, pairing.byes) == ((), ("E2",))


@pytest.mark.rule("PQ.PAI-5")
@pytest.mark.parametrize("ruleset", [INDIVIDUALS, TEAMS, "pisqworky-2025-zs-grf"])
def test_eight_rounds_are_played_and_no_ninth(ruleset: str) -> None:
    known = facts(24, ruleset=ruleset)
    for number in range(1, 9):
        pairing = next_pairing(known)
        assert pairing.round == number
        known = set_up(known, ", ".join(f"{one.seats[0][1:]}-{one.seats[1][1:]} 20:0" for one in pairing.pairs))
    with pytest.raises(StageOver, match="All 8 rounds"):
        next_pairing(known)


def test_who_is_away_is_told() -> None:
    known = facts(6)
    away = {Absence(entrant="E5", stage=STAGE, round=1): None, Absence(entrant="E6", stage=STAGE, round=1): Fraction(1)}
    pairing = next_pairing(replace(known, absences=away))
    assert pairing.explanation[-3:-1] == ("Not there in this round: E5.", "A round off that was asked for: E6.")


@pytest.mark.parametrize(
    ("changes", "lacking"),
    [
        ({"first_round": {"opponents": "lot"}}, "the first round by lot"),
        ({"first_round": {"first": "history-alternates"}}, "who begins by history-alternates"),
        ({"bye": "none"}, "the bye by none"),
    ],
)
def test_a_setting_that_this_swiss_does_not_have_is_refused(changes: dict[str, object], lacking: str) -> None:
    known = facts(6)
    plain = known.ruleset.pairing.model_dump() | changes
    pairing = type(known.ruleset.pairing).model_validate(plain)
    with pytest.raises(NotAvailable, match=lacking):
        next_pairing(replace(known, ruleset=known.ruleset.model_copy(update={"pairing": pairing})))


@pytest.mark.rule("PQ.PAI-9")
def test_an_odd_bracket_that_cannot_be_paired_without_anybody_lets_the_worst_float_and_then_as_few_as_possible() -> (
    None
):
    """Five of whom only E1 may meet the others: after E5 two more have to go, and the worst of those do."""
    apart = [ban("E2", "E3", "E4", "E5")]
    known = facts(8, bans=apart, carried={str(number): 9 for number in range(1, 6)})
    pairing = next_pairing(known)
    assert pairing.explanation[:3] == (
        "The bracket of 9 points is odd: E5, the worst-placed, floats down.",
        "The bracket of 9 points cannot be paired as it is: E4 and E3 float down, as few as make it possible.",
        "The bracket of 9 points: 2 of its own.",
    )
    assert who_meets(pairing) >= {frozenset((1, 2))}


@pytest.mark.rule("PQ.PAI-9")
def test_whether_the_rest_can_be_paired_is_found_also_where_several_pairs_have_to_change() -> None:
    """Without A and B the others can only be paired all along the chain that their opponents begin and end."""
    players = {one: FieldPlayer(id=one, place=place, lot=0, points=0) for place, one in enumerate("VWXYALBR")}
    links = {"AL", "BR", "AB", *(one + other for one, other in pairwise("LXYVWR"))}
    rest = LeftToPair(
        list(players.values()), lambda one, other: not links.isdisjoint({one.id + other.id, other.id + one.id})
    )
    assert rest.is_pairable
    assert rest.take(players["A"], players["B"])
    assert not rest.take(players["X"], players["Y"])


def test_who_has_left_is_paired_no_more() -> None:
    known = after(facts(8), 2)
    known = replace(known, left={"E3": Left(stage=STAGE, after_round=2, why="expelled")})
    pairing = next_pairing(known)
    assert "E3" not in {seat for one in pairing.pairs for seat in one.seats} | {*pairing.byes}
    assert len(pairing.byes) == 1
    back = replace(pairing, pairs=(replace(pairing.pairs[0], seats=("E3", pairing.pairs[0].seats[1])),))
    found = {one.kind: one.requirement for one in check(known, STAGE, back)}
    assert found["not-in-field"] == "PQ.D18"


def test_everybody_reads_why() -> None:
    known = facts(9, bans=[ban("E1", "E5")])
    said: list[str] = []
    for _ in range(6):
        pairing = next_pairing(known)
        said += [why for one in pairing.pairs for why in one.why]
        known = played(known, pairing, by_chance(5).of(pairing))
    everything = " ".join(said)
    for sentence in (
        "Half against half in",
        "first possible opponent",
        "was moved down into",
        "was moved up into",
        "has already met",
        "must not meet E5 in this round",
        "the others of the bracket could not all be paired",
        "(a).",
        "(b).",
        "(c).",
    ):
        assert sentence in everything


@pytest.mark.rule("PQ.PAI-9")
def test_a_pairing_by_hand_is_held_against_the_same_rules() -> None:
    known = after(facts(7), 2)
    pairing = next_pairing(known)
    assert check(known, STAGE, pairing) == ()
    sat_out = known.rounds[STAGE, 1].byes[0]
    (at,) = (one for one in pairing.pairs if sat_out in one.seats)
    other = tuple(pairing.byes[0] if seat == sat_out else seat for seat in at.seats)
    changed = tuple(replace(one, seats=other, first=other[0]) if one is at else one for one in pairing.pairs)
    breaches = check(known, STAGE, replace(pairing, pairs=changed, byes=(sat_out,)))
    assert ("second-bye", "PQ.PAI-9") in {(one.kind, one.requirement) for one in breaches}
    again = replace(pairing, pairs=after_first(known), byes=known.rounds[STAGE, 1].byes)
    assert {one.requirement for one in check(known, STAGE, again) if one.kind == "met-before"} == {"PQ.PAI-9"}


def after_first(known: Facts) -> tuple[Any, ...]:
    games = known.rounds[STAGE, 1].games
    template = next_pairing(known).pairs[0]
    return tuple(replace(template, table=game.table, seats=game.seats, first=game.first) for game in games)


@pytest.mark.rule("PQ.PAI-10")
def test_the_wrong_starter_of_a_pairing_by_hand_is_named() -> None:
    known = set_up(facts(4), "1-3 2:2, 2-4 2:2")
    pairing = next_pairing(known)
    turned: PairedRound = replace(
        pairing,
        pairs=tuple(replace(one, first=next(seat for seat in one.seats if seat != one.first)) for one in pairing.pairs),
    )
    breaches = [one for one in check(known, STAGE, turned) if one.kind == "starter"]
    decided = [one for one in pairing.pairs if "(g)" not in one.why[-1]]
    assert len(breaches) == len(decided)
    for one in breaches:
        assert (one.severity, one.requirement) == ("soft", "PQ.PAI-10")
    elsewhere = replace(pairing, pairs=(replace(pairing.pairs[0], first=None), *pairing.pairs[1:]))
    assert [one.kind for one in check(known, STAGE, elsewhere)] == ["nobody-first"]


def test_an_alternative_goes_through_the_steps_as_if_others_must_not_meet() -> None:
    known = after(facts(12), 2)
    best = next_pairing(known)
    one, other = best.pairs[0].seats
    far = best.pairs[-1].seats[0]
    apart = alternative(known, STAGE, one, other, lots=BY_LOT)
    assert apart.pairing is not None
    assert {one, other} not in [set(two.seats) for two in apart.pairing.pairs]
    assert apart.pairing == replace(
        pair(replace(known, bans=(ban(one, other),)), STAGE, lots=BY_LOT),
        pairs=apart.pairing.pairs,
        explanation=apart.pairing.explanation,
    )
    together = alternative(known, STAGE, one, far, lots=BY_LOT)
    assert together.pairing is not None
    assert {one, far} in [set(two.seats) for two in together.pairing.pairs]
    assert together.sentence.endswith("of the 6 pairs would be others: these steps have no cost to compare.")


def test_an_alternative_that_is_not_there_says_why() -> None:
    known = after(facts(12), 2)
    one, other = known.rounds[STAGE, 1].games[0].seats
    assert alternative(known, STAGE, one, other, lots=BY_LOT).sentence == (
        f"No pairing is left in which {one} and {other} meet: they have met."
    )


def test_a_lot_is_drawn_only_where_the_steps_ask_for_one() -> None:
    drawn: list[str] = []

    def recorded(purpose: str, several: Iterable[str]) -> list[str]:
        drawn.append(purpose)
        return BY_LOT(purpose, several)

    known = after(facts(12), 2)
    assert pair(known, STAGE, lots=recorded) == next_pairing(known)
    assert drawn == []
    pair(facts(12), STAGE, lots=recorded)
    assert drawn == [f"pairing of round 1 of {STAGE}"]


def test_where_only_two_are_left_they_cannot_but_meet() -> None:
    found = alternative(facts(2), STAGE, "E1", "E2", lots=BY_LOT)
    assert (found.pairing, found.sentence) == (
        None,
        "No pairing is left in which E1 and E2 do not meet: nobody else is left for them.",
    )
