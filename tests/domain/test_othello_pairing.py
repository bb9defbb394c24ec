"""Who meets whom in the preliminary rounds of an Othello championship."""

import dataclasses
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from services.pairing.engines import NoPairing, NotAvailable, PairedRound, RoundNotOver, StageOver, alternative, check
from services.pairing.engines.field import Field, FieldPlayer, field_of_next_round
from services.pairing.engines.history import FIRST, SECOND, UP
from services.pairing.engines.swiss import laid_out
from services.pairing.engines.swiss.cost_swiss import CostSwiss
from shared.faults import Faulty
from shared.rulesets import catalogue
from shared.rulesets.faults import with_options
from shared.rulesets.schema import Changes
from shared.rulesets.timetable import in_words, planned_start, timetable
from shared.tournament.facts import Absence, Ban, Facts, Game, Result, Round
from shared.tournament.ranking import rank
from shared.tournament.stages import settings_of
from tests.othello import PRELIMINARY, SWISS, championship, exactly, left, next_round, points_of
from tests.simulated import BY_LOT

BLACK, WHITE = FIRST, SECOND


def round_of(number: int, text: str, *, stage: str = PRELIMINARY) -> tuple[Round, dict[str, Result]]:
    """`1-4 40, bye 3`: P1 with black makes 40 discs against P4, and P3 sits out."""
    parts = [part.split() for part in text.split(",")]
    games: list[Game] = []
    results: dict[str, Result] = {}
    for seats, discs in ((one.split("-"), int(other)) for one, other in parts if one != "bye"):
        names = tuple(f"P{seat}" for seat in seats)
        games.append(Game(id=f"{number}-{len(games) + 1}", table=len(games) + 1, seats=names, first=names[0]))
        results[games[-1].id] = Result(scores=exactly((discs, 64 - discs)), points=points_of((discs, 64 - discs)))
    byes = tuple(f"P{other}" for one, other in parts if one == "bye")
    return Round(stage=stage, number=number, games=tuple(games), byes=byes), results


def played(known: Facts, *rounds: str) -> Facts:
    for number, text in enumerate(rounds, start=len(known.rounds) + 1):
        stands, results = round_of(number, text)
        known = replace(
            known,
            rounds={**known.rounds, (PRELIMINARY, number): stands},
            results={**known.results, **results},
        )
    return known


def met(pairing: PairedRound) -> list[str]:
    return ["-".join(pair.seats) for pair in pairing.pairs]


@pytest.mark.rule("OT.PAI-2", "OT.PAI-1")
@pytest.mark.parametrize(
    ("entrants", "system", "meetings", "rounds"),
    [
        (8, "double-round-robin", 2, 14),
        (9, "round-robin", 1, 9),
        (14, "round-robin", 1, 13),
        (15, "cost-swiss", 2, 9),
        (24, "cost-swiss", 2, 9),
        (25, "cost-swiss", 1, 9),
    ],
)
def test_the_number_of_players_decides_the_system(entrants: int, system: str, meetings: int, rounds: int) -> None:
    """OT.V13."""
    holds = settings_of(championship(entrants), PRELIMINARY)
    assert (holds.pairing.system, holds.pairing.meetings, holds.rounds) == (system, meetings, rounds)
    assert next_round(championship(entrants)).method == system


@pytest.mark.rule("OT.PAI-2")
def test_who_is_admitted_before_round_one_counts_also_who_comes_later_or_leaves() -> None:
    """OT.D17."""
    known = championship(25)
    late = replace(known.entrants["P3"], from_round=2)
    known = left(replace(known, entrants={**known.entrants, "P3": late}), "P1", PRELIMINARY, 1)
    assert settings_of(known, PRELIMINARY).pairing.meetings == 1


@pytest.mark.rule("OT.PAI-2")
@pytest.mark.parametrize(
    ("entrants", "system", "meetings"), [(9, "round-robin", 1), (15, "cost-swiss", 2), (25, "cost-swiss", 1)]
)
def test_who_was_announced_for_round_two_and_then_does_not_come_changes_no_system(
    entrants: int, system: str, meetings: int
) -> None:
    """OT.D17: round 1 was drawn for so many, and who leaves later changes nothing, whether they have played or not."""
    known = championship(entrants)
    late = replace(known.entrants["P9"], from_round=2)
    known = replace(known, entrants={**known.entrants, "P9": late})
    for after_round, is_so in ((1, True), (0, False)):
        pairing = settings_of(left(known, "P9", PRELIMINARY, after_round), PRELIMINARY).pairing
        assert ((pairing.system, pairing.meetings) == (system, meetings)) is is_so


@pytest.mark.rule("OT.PAI-2")
@pytest.mark.parametrize("entrants", [8, 14, 24])
def test_who_is_admitted_once_round_one_is_drawn_changes_no_system(entrants: int) -> None:
    """OT.D17, OT.D51."""
    known = championship(entrants + 1)
    late = replace(known.entrants[f"P{entrants + 1}"], from_round=2)
    opened = tuple(one for one in known.entrants if one != late.id)
    known = replace(known, entrants={**known.entrants, late.id: late}, fields={PRELIMINARY: opened})
    assert settings_of(known, PRELIMINARY) == settings_of(championship(entrants), PRELIMINARY)


@pytest.mark.rule("OT.PAI-2")
def test_a_small_field_may_choose_the_swiss_and_then_the_modified_one() -> None:
    """OT.D3."""
    for entrants in (6, 9, 14):
        holds = settings_of(championship(entrants, options={"pairing.system": "cost-swiss"}), PRELIMINARY)
        assert (holds.pairing.meetings, holds.rounds) == (2, 9)


@pytest.mark.rule("OT.PAI-3")
@pytest.mark.parametrize(
    ("entrants", "of_a", "colours", "others", "byes"), [(17, 5, "BWBWB", 3, 1), (16, 10, "BWBWBW", 2, 0)]
)
def test_round_one_draws_those_with_history_against_the_others(
    entrants: int, of_a: int, colours: str, others: int, byes: int
) -> None:
    """OT.V4."""
    known = championship(entrants, history=range(1, of_a + 1))
    pairing = next_round(known)
    group_a = {f"P{number}" for number in range(1, of_a + 1)}
    mixed = [pair for pair in pairing.pairs if len(group_a.intersection(pair.seats)) == 1]
    assert "".join("B" if pair.first in group_a else "W" for pair in mixed) == colours
    assert (len(pairing.pairs) - len(mixed), len(pairing.byes)) == (others, byes)
    assert pairing.explanation[0] == (
        f"Group A, who have played semifinals of earlier championships: {of_a}; group B, all others: {entrants - of_a}."
    )
    assert f"Drawn: {mixed[0].seats[0]} of group A meets {mixed[0].seats[1]} of group B." in mixed[0].why
    assert pairing.cost == (0, 0, 2 * len(pairing.pairs), 0, 0)


@pytest.mark.rule("OT.PAI-3", "OT.X-3")
def test_the_draw_of_round_one_is_one_recorded_lot() -> None:
    drawn: list[str] = []

    def lots(purpose: str, several: Iterable[str]) -> list[str]:
        drawn.append(purpose)
        return BY_LOT(purpose, several)

    known = championship(25, history=(1, 2))
    field = field_of_next_round(known, PRELIMINARY, lots=lots)
    assert drawn == ["pairing of round 1 of preliminary"]
    assert (
        next_round(known).byes[0]
        == max((player for player in field.players if player.id not in {"P1", "P2"}), key=lambda player: player.lot).id
    )


def test_who_must_not_meet_is_not_drawn_together() -> None:
    known = championship(4, history=(1, 2), options=SWISS)
    apart = [Ban(entrants=frozenset(two)) for two in ({"P1", "P3"}, {"P2", "P4"})]
    pairing = next_round(replace(known, bans=tuple(apart)))
    assert {frozenset(pair.seats) for pair in pairing.pairs} == {frozenset({"P1", "P4"}), frozenset({"P2", "P3"})}
    assert [pair.first in {"P1", "P2"} for pair in pairing.pairs] == [True, False]
    with pytest.raises(NoPairing):
        next_round(replace(known, bans=(Ban(entrants=frozenset({"P1", "P2", "P3"})),)))
    odd = championship(5, history=(1, 2), options=SWISS)
    pairing = next_round(replace(odd, bans=tuple(Ban(entrants=frozenset({"P1", other})) for other in ("P3", "P4"))))
    assert {"P1", "P5"} in [set(pair.seats) for pair in pairing.pairs]
    assert len(pairing.pairs) == 2
    assert pairing.byes[0] in {"P3", "P4"}


def test_a_first_round_that_was_drawn_has_no_alternatives() -> None:
    with pytest.raises(NotAvailable, match="drawn by lot"):
        alternative(championship(25), PRELIMINARY, "P1", "P2", lots=BY_LOT)


def test_a_draw_changed_by_hand_is_held_against_the_groups() -> None:
    known = championship(16, history=range(1, 9))
    pairing = next_round(known)
    one, other, *rest = pairing.pairs
    crossed = (
        replace(one, seats=(one.seats[0], other.seats[1]), first=one.seats[0]),
        replace(other, seats=(other.seats[0], one.seats[1]), first=other.seats[0]),
        *rest,
    )
    (breach,) = check(known, PRELIMINARY, replace(pairing, pairs=crossed))
    assert (breach.kind, breach.requirement, breach.severity) == ("first-round-groups", "OT.PAI-3", "hard")
    black = tuple(replace(pair, first=next(seat for seat in pair.seats if int(seat[1:]) < 9)) for pair in pairing.pairs)
    kinds = {one.kind for one in check(known, PRELIMINARY, replace(pairing, pairs=black))}
    assert kinds == {"first-round-roles"}


def example() -> Field:
    """OT.V9: points, who has been met, last colour and last float; everybody has had black once and white once."""
    table = [
        ("A", 2, "BC", WHITE, 0),
        ("B", 1, "AD", BLACK, 0),
        ("C", 1, "AF", BLACK, 0),
        ("D", 1, "BE", WHITE, 0),
        ("E", 1, "DF", WHITE, UP),
        ("F", 0, "CE", BLACK, 0),
    ]
    field = field_of_next_round(championship(6, options=SWISS), PRELIMINARY, lots=BY_LOT)
    players = [
        FieldPlayer(
            id=name,
            place=place,
            lot=place,
            points=points * field.units,
            roles=(1, 1),
            last_role=last,
            last_float=floated,
            met=dict.fromkeys(others, 1),
        )
        for place, (name, points, others, last, floated) in enumerate(table)
    ]
    return dataclasses.replace(field, round=3, players=tuple(players))


@pytest.mark.rule("OT.PAI-4", "OT.PAI-5")
def test_the_worked_example_of_a_round() -> None:
    """OT.V9."""
    field = example()
    found = CostSwiss(field).find()
    assert found is not None
    assert (found.vector[:-1], found.is_proved) == ((8, 0, 6, 0, 2), True)
    pairing = laid_out(field, found)
    assert {frozenset(pair.seats) for pair in pairing.pairs} == {frozenset("AD"), frozenset("BF"), frozenset("CE")}
    last = pairing.pairs[-1]
    assert last.seats == ("E", "C")  # who had white last time has black
    assert last.why[-1] == "E has black, since C had black last time."


@pytest.mark.rule("OT.PAI-5")
def test_the_better_colours_are_those_that_are_even_and_then_those_that_alternate() -> None:
    known = played(championship(4, options=SWISS), "1-2 40, 3-4 40")
    second = next_round(known)
    assert second.cost is not None
    assert second.cost[:-1] == (0, 0, 8, 0, 2)  # both winners had black: one has it again, and one loser white
    assert {frozenset(pair.seats) for pair in second.pairs} == {frozenset({"P1", "P3"}), frozenset({"P2", "P4"})}
    assert second.pairs[0].why[-1].endswith("has black by lot, since nothing else decides.")


@pytest.mark.rule("OT.PAI-4")
def test_the_colour_that_was_really_played_counts() -> None:
    known = played(championship(4, options=SWISS), "1-2 40, 3-4 40")
    turned = replace(known, results={name: replaced(one, "P2") for name, one in known.results.items() if name == "1-1"})
    field = field_of_next_round(replace(known, results={**known.results, **turned.results}), PRELIMINARY, lots=BY_LOT)
    assert {player.id: player.last_role for player in field.players} == {"P1": -1, "P2": 1, "P3": 1, "P4": -1}


def replaced(result: Result, first: str) -> Result:
    return Result(scores=result.scores, points=result.points, first=first)


@pytest.mark.rule("OT.PAI-7", "OT.PAI-4")
def test_bye_is_an_opponent_without_points_whom_somebody_meets_once() -> None:
    """OT.D16. The one who has had the bye does not get it again, though that would keep the points closest."""
    known = played(championship(3, options=SWISS), "1-2 40, bye 3")
    pairing = next_round(known)
    assert pairing.byes == ("P2",)
    assert met(pairing) in (["P1-P3"], ["P3-P1"])
    assert pairing.explanation[-3] == (
        "P2, with 0 points, has the bye: the dummy of an odd field is an opponent without points and colour, and with "
        "anybody else the pairing would cost more."
    )
    again = replace(pairing, byes=("P3",), pairs=(replace(pairing.pairs[0], seats=("P1", "P2"), first="P1"),))
    found = {(one.kind, one.requirement) for one in check(known, PRELIMINARY, again) if one.severity == "hard"}
    assert found == {("second-bye", "OT.PAI-7"), ("met-before", "OT.PAI-4")}


@pytest.mark.rule("OT.PAI-6", "OT.PAI-5")
def test_a_bye_with_points_is_a_float_down() -> None:
    known = championship(3, options={"pairing.system": "cost-swiss", "pairing.meetings": 2})
    known = played(known, "1-2 40, bye 3", "1-3 40, bye 2", "2-3 40, bye 1")
    field = field_of_next_round(known, PRELIMINARY, lots=BY_LOT)
    floats = {player.id: player.last_float for player in field.players}
    assert floats == {"P1": -1, "P2": 0, "P3": 0}  # P2 and P3 had the bye with nothing, and then met equals
    fourth = next_round(known)
    assert fourth.byes == ("P3",)
    assert "floats down by that" in " ".join(fourth.explanation)


@pytest.mark.rule("OT.PAI-4", "OT.PAI-7")
def test_a_third_meeting_is_refused_however_few_are_left() -> None:
    known = championship(4, options={"pairing.system": "cost-swiss", "pairing.meetings": 2})
    known = played(known, "1-2 40, 3-4 40", "2-1 40, 4-3 40")
    known = left(left(known, "P3", PRELIMINARY, 2), "P4", PRELIMINARY, 2)
    with pytest.raises(NoPairing, match="has met P"):
        next_round(known)


@pytest.mark.rule("OT.PAI-4")
def test_a_second_meeting_is_avoided_and_explained_where_it_is_not() -> None:
    known = championship(4, options={"pairing.system": "cost-swiss", "pairing.meetings": 2})
    known = played(known, "1-2 40, 3-4 40", "1-3 40, 2-4 40", "4-1 40, 3-2 40")
    pairing = next_round(known)  # P1 and P3 have two points, P2 and P4 one
    assert pairing.cost is not None
    assert pairing.cost[:2] == (0, 2)
    again = "They meet again: any pairing with fewer second meetings has greater differences of points."
    assert all(again in pair.why for pair in pairing.pairs)


@pytest.mark.rule("OT.PAI-4")
def test_the_next_round_waits_for_all_results() -> None:
    known = played(championship(4, options=SWISS), "1-2 40, 3-4 40")
    with pytest.raises(RoundNotOver, match="table 2 without a result"):
        next_round(replace(known, results={"1-1": known.results["1-1"]}))


@pytest.mark.rule("OT.PAI-7")
def test_who_has_left_is_paired_no_more_and_stays_in_the_list() -> None:
    known = played(championship(4, options=SWISS), "1-2 40, 3-4 40")
    known = left(known, "P1", PRELIMINARY, 1)
    pairing = next_round(known)
    assert "P1" not in {seat for pair in pairing.pairs for seat in pair.seats} | set(pairing.byes)
    assert len(pairing.byes) == 1
    assert "P1" in [row.entrant for row in rank(known, PRELIMINARY).rows]
    back = replace(pairing, byes=("P1",))
    assert ("not-in-field", "OT.PAI-7") in {(one.kind, one.requirement) for one in check(known, PRELIMINARY, back)}


@pytest.mark.rule("OT.PAI-7")
def test_in_a_round_robin_bye_takes_the_place_of_who_left_and_who_merely_rests_gets_nothing() -> None:
    known = championship(9)
    first = next_round(known)
    assert first.byes == ()
    assert sum(one.endswith("rests: the field is odd.") for one in first.explanation) == 1
    opponents = {seat: other for pair in first.pairs for seat, other in (pair.seats, pair.seats[::-1])}
    gone = left(known, first.pairs[0].seats[0], PRELIMINARY, 0)
    assert settings_of(gone, PRELIMINARY).rounds == 14 or gone.left  # a field that never began with nine
    missing = Absence(entrant="P2", stage=PRELIMINARY, round=1)
    away = next_round(replace(known, absences={missing: None}))
    assert away.byes == (opponents["P2"],)
    assert any(one.endswith("is not there, so BYE takes the place.") for one in away.explanation)


@pytest.mark.rule("OT.PAI-7")
@pytest.mark.parametrize("options", [{}, SWISS, SWISS | {"pairing.meetings": 2}])
def test_nobody_of_an_even_field_has_a_bye_in_a_round_made_by_hand(options: Changes) -> None:
    """In a round robin neither while everybody is there."""
    known = championship(10, options=options)
    pairing = next_round(known)
    resting = replace(pairing, pairs=pairing.pairs[1:], byes=pairing.pairs[0].seats)
    found = [one for one in check(known, PRELIMINARY, resting) if one.kind == "bye-not-needed"]
    assert [(one.severity, one.requirement) for one in found] == [("hard", "OT.PAI-7")] * 2


@pytest.mark.rule("OT.PAI-7")
def test_in_a_round_robin_only_who_would_meet_somebody_missing_has_a_bye() -> None:
    known = championship(10)
    absent = replace(known, absences={Absence(entrant="P2", stage=PRELIMINARY, round=1): None})
    away = next_round(absent)
    assert [one.kind for one in check(absent, PRELIMINARY, away)] == []
    two = replace(away, pairs=away.pairs[1:], byes=(*away.byes, *away.pairs[0].seats))
    kinds = [one.kind for one in check(absent, PRELIMINARY, two) if one.binds]
    assert kinds == ["bye-not-needed", "bye-not-needed"]


@pytest.mark.rule("OT.PAI-7")
def test_the_opponent_of_who_left_a_round_robin_gets_a_point() -> None:
    known = championship(9)
    first = next_round(known)
    text = ", ".join(f"{pair.seats[0][1:]}-{pair.seats[1][1:]} 40" for pair in first.pairs)
    known = left(played(known, text), "P4", PRELIMINARY, 1)
    second = next_round(known)
    (bye,) = second.byes
    text = ", ".join([*(f"{pair.seats[0][1:]}-{pair.seats[1][1:]} 40" for pair in second.pairs), f"bye {bye[1:]}"])
    points = {row.entrant: row.values["points"] for row in rank(played(known, text), PRELIMINARY).rows}
    before = {row.entrant: row.values["points"] for row in rank(known, PRELIMINARY).rows}
    assert points[bye] == before[bye] + 1
    resting = (
        {f"P{number}" for number in range(1, 10)} - {"P4", bye} - {seat for pair in second.pairs for seat in pair.seats}
    )
    assert all(points[one] == before[one] for one in resting)


@pytest.mark.rule("OT.PAI-1")
def test_nine_rounds_have_a_timetable_and_a_round_robin_of_thirteen_has_none() -> None:
    first, last = "begins on day 1 at 10:00.", "begins on day 2 at 10:30."
    known = championship(25)
    assert next_round(known).explanation[-1] == f"By the timetable round 1 {first}"
    empty = {(PRELIMINARY, number): Round(stage=PRELIMINARY, number=number, games=()) for number in range(1, 9)}
    assert next_round(replace(known, rounds=empty)).explanation[-1] == f"By the timetable round 9 {last}"
    assert not any("timetable" in one for one in next_round(championship(14)).explanation)


@pytest.mark.rule("OT.PAI-1")
def test_after_nine_rounds_the_swiss_is_over() -> None:
    known = championship(25)
    empty = {(PRELIMINARY, number): Round(stage=PRELIMINARY, number=number, games=()) for number in range(1, 10)}
    with pytest.raises(StageOver, match="All 9 rounds"):
        next_round(replace(known, rounds=empty))


@pytest.mark.rule("OT.REG-9")
def test_the_timetable_is_as_it_is_printed() -> None:
    ruleset = catalogue.load("othello-pl-2021")
    told = [(one.day, one.time, in_words(ruleset, one)) for one in timetable(ruleset)]
    assert told == [
        (1, "08:45", "Doors open"),
        (1, "08:45", "Registration until 9:40, confirmation of presence until 9:45"),
        (1, "09:45", "Opening"),
        *((1, f"{10 + number}:00", f"Preliminary rounds, round {number + 1}") for number in range(4)),
        (1, "14:00", "Lunch"),
        *((1, f"{11 + number}:00", f"Preliminary rounds, round {number + 1}") for number in range(4, 7)),
        (2, "08:45", "Doors open"),
        (2, "09:30", "Preliminary rounds, round 8"),
        (2, "10:30", "Preliminary rounds, round 9"),
        (2, "11:30", "Semifinals"),
        (2, "11:30", "Semifinals, juniors"),
        (2, "14:00", "Lunch"),
        (2, "15:00", "Final and third place"),
        (2, "18:00", "Closing, results and prizes"),
        (2, "19:00", "End"),
    ]


@pytest.mark.rule("OT.REG-9")
def test_the_organiser_has_another_timetable() -> None:
    """Whatever the number of rounds is."""
    own = [
        {"day": 1, "time": "10:30", "stage": PRELIMINARY, "round": 1},
        {"day": 1, "time": "12:00", "what": "Lunch"},
    ]
    known = championship(14, options={"pairing.timetable": own})
    assert next_round(known).explanation[-1] == "By the timetable round 1 begins on day 1 at 10:30."
    holds = settings_of(known, PRELIMINARY)
    assert planned_start(known.ruleset, holds, PRELIMINARY, 2) is None
    assert planned_start(known.ruleset, settings_of(known, "semifinals"), "semifinals", 1) is None
    assert [in_words(known.ruleset, one) for one in timetable(known.ruleset, holds.pairing.timetable)] == [
        "Preliminary rounds, round 1",
        "Lunch",
    ]


@pytest.mark.rule("OT.REG-9")
def test_matches_have_the_times_that_are_printed_for_them() -> None:
    known = championship(20)
    starts = {
        stage: planned_start(known.ruleset, settings_of(known, stage), stage, 1)
        for stage in ("semifinals", "semifinals-juniors", "final", "final-women", "play-offs")
    }
    assert {stage: one and one.time for stage, one in starts.items()} == {
        "semifinals": "11:30",
        "semifinals-juniors": "11:30",
        "final": "15:00",
        "final-women": None,
        "play-offs": None,
    }
    assert planned_start(known.ruleset, settings_of(known, "semifinals"), "semifinals", 2) is None


@pytest.mark.parametrize(
    "entry",
    [{"day": 1, "time": "10:00"}, {"day": 1, "stage": "final"}, {"day": 1, "what": "x", "stage": "final", "round": 1}],
)
def test_an_entry_of_a_timetable_is_about_something(entry: dict[str, object]) -> None:
    with pytest.raises(Faulty):
        with_options(catalogue.load("othello-pl-2021"), {"pairing.timetable": [entry]})
