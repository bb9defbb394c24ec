"""What is wrong with a pairing that was made by hand."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from services.pairing.engines import Breach, PairedRound, check
from shared.tournament.facts import Absence, Facts
from tests.simulated import STAGE, ban, by_chance, facts, left, next_pairing, played, to_the_end

SWISS = {"pairing.system": "cost-swiss"}


def kinds(known: Facts, pairing: PairedRound) -> list[str]:
    return [breach.kind for breach in check(known, STAGE, pairing)]


def only(known: Facts, pairing: PairedRound, kind: str) -> Breach:
    (found,) = (breach for breach in check(known, STAGE, pairing) if breach.kind == kind)
    return found


def swapped(pairing: PairedRound, one: str, other: str) -> PairedRound:
    """The same with two entrants at each other's places."""
    places = {one: other, other: one}
    pairs = tuple(
        replace(
            pair,
            seats=tuple(places.get(seat, seat) for seat in pair.seats),
            first=pair.first and places.get(pair.first, pair.first),
        )
        for pair in pairing.pairs
    )
    return replace(pairing, pairs=pairs, byes=tuple(places.get(bye, bye) for bye in pairing.byes))


def test_what_an_engine_makes_breaks_nothing_hard() -> None:
    for entrants in (2, 5, 9, 14, 21):
        known = facts(entrants)
        for _ in range(3 if entrants > 3 else 1):
            pairing = next_pairing(known)
            assert [breach for breach in check(known, STAGE, pairing) if breach.severity == "hard"] == []
            known = played(known, pairing, by_chance(entrants).of(pairing))


@pytest.mark.rule("SK.PAI-2")
def test_a_second_meeting_is_named() -> None:
    known, (first,) = to_the_end(facts(10), 1)
    again = replace(next_pairing(known), pairs=first.pairs)
    breaches = [breach for breach in check(known, STAGE, again) if breach.kind == "met-before"]
    assert len(breaches) == 5
    assert breaches[0].severity == "hard"
    assert breaches[0].requirement == "SK.PAI-2"
    assert breaches[0].sentence == "E6 and E1 have met already."
    assert breaches[0].tables == (1,)


@pytest.mark.rule("SK.PAI-4")
def test_a_banned_pair_is_named() -> None:
    known = facts(10, bans=[ban("E1", "E6", last_rounds=7)])
    pairing = swapped(next_pairing(facts(10)), "E3", "E3")
    found = only(known, pairing, "banned")
    assert (found.requirement, found.severity) == ("SK.PAI-4", "hard")
    assert found.sentence == "E6 and E1 must not meet in round 1."


def test_who_stands_twice_or_nowhere_or_is_unknown_is_named() -> None:
    known = facts(10)
    pairing = next_pairing(known)
    twice = replace(pairing, pairs=(replace(pairing.pairs[0], seats=("E1", "E2"), first="E1"), *pairing.pairs[1:]))
    assert kinds(known, twice) == ["twice", "forgotten", "first-round-roles"]
    assert only(known, twice, "twice").sentence == "E2 stands in this round 2 times."
    assert only(known, twice, "forgotten").sentence == "E6 is there, but has neither a game nor a bye."
    unknown = replace(pairing, byes=("X",))
    assert only(known, unknown, "unknown").sentence == "There is no entrant X."


def test_who_is_not_to_be_paired_is_named_with_the_reason() -> None:
    everybody = next_pairing(facts(12))
    known = left(facts(12), "E1", 0)
    points = known.ruleset.scoring.draw
    absences = {
        Absence(entrant="E2", stage=STAGE, round=1): None,
        Absence(entrant="E3", stage=STAGE, round=1): points,
    }
    late = structs.replace(known.entrants["E4"], from_round=2)
    known = replace(known, absences=absences, entrants={**known.entrants, "E4": late})
    found = [breach for breach in check(known, STAGE, everybody) if breach.kind == "not-in-field"]
    assert {breach.sentence for breach in found} == {
        "E1 has left the tournament.",
        "E2 will not be there in this round.",
        "E3 has asked to rest in this round.",
        "E4 does not play in round 1.",
    }
    assert {breach.requirement for breach in found} == {"SK.D13"}
    assert "twice" not in kinds(known, everybody)
    assert kinds(known, next_pairing(known)) == []


def test_tables_are_used_once_by_two_with_one_of_them_first() -> None:
    known = facts(10)
    pairing = next_pairing(known)
    one, two, *others = pairing.pairs
    same = replace(pairing, pairs=(one, replace(two, table=1), *others))
    assert only(known, same, "table-twice").sentence == "Table 1 is given to 2 pairs."
    nought = replace(pairing, pairs=(replace(one, table=0), two, *others))
    assert "no-such-table" in kinds(known, nought)
    alone = replace(pairing, pairs=(replace(one, seats=("E1",)), two, *others), byes=("E6",))
    assert {"not-two", "not-at-table"} <= set(kinds(known, alone))
    assert only(known, alone, "not-at-table").sentence == "E6 is named first at table 1, but does not sit there."
    nobody = replace(pairing, pairs=(replace(one, first=None), two, *others))
    assert only(known, nobody, "nobody-first").severity == "soft"
    choice = replace(pairing, pairs=(replace(one, first=None, option="E1"), two, *others))
    assert kinds(known, choice) == []


def test_another_round_than_the_next_is_named() -> None:
    known = facts(10)
    assert only(known, replace(next_pairing(known), round=2), "wrong-round").severity == "hard"


@pytest.mark.rule("SK.PAI-8")
def test_a_bye_in_an_even_field_or_a_second_one_is_named() -> None:
    known = facts(10)
    pairing = next_pairing(known)
    needless = replace(pairing, pairs=pairing.pairs[:-1], byes=("E5", "E10"))
    assert kinds(known, needless).count("bye-not-needed") == 2
    assert only(facts(9), replace(next_pairing(facts(9)), pairs=pairing.pairs[:3], byes=("E9", "E4")), "bye-not-needed")
    known, (first,) = to_the_end(facts(9), 1)
    (had,) = first.byes
    second = next_pairing(known)
    found = only(known, swapped(second, had, second.byes[0]), "second-bye")
    assert (found.severity, found.requirement) == ("hard", "SK.PAI-8")
    best = swapped(first, "E1", "E9")
    found = only(facts(9), best, "bye-not-lowest")
    assert (found.severity, found.requirement) == ("soft", "SK.D11")
    assert found.sentence.startswith("E1 has the bye, but E2, E3")


@pytest.mark.rule("SK.PAI-5")
def test_the_wrong_one_named_first_in_round_one_is_worth_a_look() -> None:
    known = facts(10)
    one, two, *others = next_pairing(known).pairs
    wrong = replace(next_pairing(known), pairs=(replace(one, first="E1"), replace(two, first="E7"), *others))
    assert [breach.sentence for breach in check(known, STAGE, wrong)] == [
        "At table 1 E1 is named first, but on odd tables the lower-rated is.",
        "At table 2 E7 is named first, but on even tables the higher-rated is.",
    ]


@pytest.mark.rule("SK.PAI-2")
def test_roles_out_of_balance_and_repeated_floats_are_worth_a_look() -> None:
    known, _ = to_the_end(facts(12), 4)
    softly: set[str] = set()
    for _ in range(3):
        pairing = next_pairing(known)
        turned = replace(
            pairing, pairs=tuple(replace(pair, seats=pair.seats[::-1], first=pair.seats[1]) for pair in pairing.pairs)
        )
        for one in ("E1", "E2", "E3"):
            softly.update(breach.kind for breach in check(known, STAGE, swapped(turned, one, "E12")))
        known = played(known, turned, by_chance(1).of(turned))
    assert {"roles", "float-again"} <= softly


def test_two_who_rest_in_a_round_robin_could_play_each_other() -> None:
    known = facts(4)
    pairing = next_pairing(known)
    resting = replace(pairing, pairs=pairing.pairs[1:], byes=pairing.pairs[0].seats)
    assert [(breach.kind, breach.severity) for breach in check(known, STAGE, resting)] == [("could-play", "soft")]
    assert kinds(facts(4, bans=[ban("E1", "E4")]), resting) == []
    assert kinds(facts(4, options=SWISS), resting) == ["bye-not-needed", "bye-not-needed", "bye-not-lowest"]
