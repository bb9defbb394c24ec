"""What the rules leave to the announcement: options of a tournament, without a ruleset of its own."""

from collections.abc import Mapping
from typing import Any

import pytest

from services.results.calculate import adjudicate
from shared.faults import Faulty
from shared.rulesets import catalogue
from shared.rulesets.faults import read, with_options
from shared.rulesets.settings import settings
from shared.rulesets.times import times
from tests.gomoku import CFP_OPENED, OFFER, claim

LIVE, ONLINE, GOMOKU = "scrabble-sk-2022-qt", "scrabble-sk-2022-online", "gomoku-cfp"
FINAL, QUALIFICATION = "carcassonne-cz-final", "carcassonne-cz-qualification"
PERIODS = [{"moves": 3, "minutes": 1}, {"minutes": "1/2"}]


def said(ruleset: str, options: Mapping[str, Any]) -> dict[str, list[str]]:
    """By stage."""
    rules = with_options(catalogue.load(ruleset), options)
    return {stage.id: list(times(settings(rules, stage.id, size=32))) for stage in rules.stages}


def refused(ruleset: str, options: Mapping[str, Any]) -> dict[str, str]:
    with pytest.raises(Faulty) as caught:
        with_options(catalogue.load(ruleset), options)
    return {fault.pointer: fault.detail for fault in caught.value.faults}


@pytest.mark.rule("SK.REG-16")
def test_online_the_announcement_sets_waiting_tempo_turn_and_the_end_of_a_game() -> None:
    assert said(ONLINE, {})["swiss"] == [
        "Each side has 20 minutes for a game.",
        "A turn takes at most 8 minutes, which is said 35 seconds before.",
        "Games end within 50 minutes of the start of the round.",
    ]
    options = {"results.minutes": 15, "results.minutes_of_turn": "5/2", "results.latest_start": 10, "results.limit": 40}
    assert said(ONLINE, options)["swiss"] == [
        "Each side has 15 minutes for a game.",
        "A turn takes at most 2.5 minutes, which is said 35 seconds before.",
        "Who is not there 10 minutes after the start of the round has lost.",
        "Games end within 40 minutes of the start of the round.",
    ]
    assert said(ONLINE, {"results.latest_start": 1})["swiss"][-2].startswith("Who is not there 1 minute after")


@pytest.mark.rule("SK.REG-16")
def test_what_the_rules_fix_is_no_option() -> None:
    """Live the clocks have 22 minutes; a whole game online has to fit into its limit."""
    fixed = refused(LIVE, {"results.minutes": 20})["/results.minutes"]
    assert fixed == "is not left to the announcement by these rules: they leave nothing"
    foreign = refused(ONLINE, {"results.clocks_by": "players"})["/results.clocks_by"]
    assert foreign.endswith(
        "they leave results.latest_start, results.limit, results.minutes, results.minutes_of_turn (SK.REG-16)"
    )
    longer = refused(ONLINE, {"results.minutes": 30})["/results.limit"]
    assert longer == "ends games too early: the clocks of both have 60 minutes and the limit is 50 (SK.REG-16)"
    assert said(ONLINE, {"results.minutes": 30, "results.limit": 70})
    assert refused(ONLINE, {"results.latest_start": 0}).keys() == {"/results.latest_start"}
    assert refused(ONLINE, {"results.limit": -5, "results.minutes": "soon"}).keys() == {"/results.minutes"}
    assert refused(ONLINE, {"results.minutes_of_turn": 1441})["/results.minutes_of_turn"].endswith("1440 minutes")


@pytest.mark.rule("SK.REG-16", "SK.RES-8")
def test_waiting_and_the_limit_are_applied_as_they_were_announced() -> None:
    def told(options: Mapping[str, Any], **game: Any) -> Any:
        return adjudicate({"ruleset": ONLINE, "options": options, "game": game}).scores

    def wrong(options: Mapping[str, Any], **game: Any) -> str:
        with pytest.raises(Faulty) as caught:
            told(options, **game)
        (fault,) = caught.value.faults
        assert fault.pointer == "/game/after"
        return fault.detail

    ten = {"results.latest_start": 10, "results.limit": 45}
    assert told(ten, end="no_show", by=1, after=10) == [100, 0]
    assert told(ten, end="both_absent", after=11) == [0, 0]
    assert wrong(ten, end="no_show", by=1, after=9).startswith("is too early: waiting for who is not there is over 10")
    assert "was not announced, as option results.latest_start does" in wrong({}, end="no_show", by=1, after=30)
    assert told(ten, end="limit_missed", after=45) == [0, 0]
    assert wrong(ten, end="limit_missed", after=44).startswith("is too early")
    assert told(ten, scores=[380, 350], after=45) == [380, 350]
    assert "is over 45 minutes after the start of the round: tell it as limit_missed" in wrong(
        ten, scores=[1, 2], after=46
    )
    assert told({}, scores=[380, 350], after=50) == [380, 350]


@pytest.mark.rule("CC.RES-10")
def test_an_organiser_of_carcassonne_announces_a_clock_or_a_limit_and_who_brings_clocks() -> None:
    limit = {"results.minutes_of_turn": 3, "results.minutes": None}
    assert said(FINAL, limit | {"results.clocks": "slow-tables", "results.clocks_by": "officials"})["final"] == [
        "A turn takes at most 3 minutes, which is said 30 and 10 seconds before.",
        "Time is measured where a table is slow.",
        "Officials measure the time.",
    ]
    assert said(FINAL, {"results.minutes": None}) == {"final": []}
    both = {"results.minutes_of_turn": 2, "results.minutes": 30, "results.clocks_by": "players"}
    assert said(QUALIFICATION, both) == {
        "qualification": [
            "A turn takes at most 2 minutes, which is said 30 and 10 seconds before.",
            "The players bring the clocks.",
        ],
        "final": ["Each side has 30 minutes for a game.", "The players bring the clocks."],
    }


@pytest.mark.rule("CC.RES-10", "CC.RES-7")
def test_a_clock_that_carcassonne_does_not_know_is_refused() -> None:
    assert refused(FINAL, {"results.minutes": 24}) == {
        "/results.minutes": "is too little: a clock gives 25 at least (CC.RES-7)"
    }
    assert (
        "a limit for a turn for tables without one"
        in refused(FINAL, {"results.minutes_of_turn": 2})["/results.minutes_of_turn"]
    )
    tables = catalogue.load(QUALIFICATION).model_dump(mode="json")
    tables["stages"] = tables["stages"][:1]
    tables["final"] = {}
    with pytest.raises(Faulty, match="These options"):
        with_options(read(tables), {"results.minutes": 30})
    with pytest.raises(Faulty) as caught:
        read(tables | {"options": {"results.minutes": 30}})
    assert [fault.pointer for fault in caught.value.faults] == ["/options/results.minutes"]


@pytest.mark.rule("CFP.RES-11")
def test_gomoku_announces_moves_in_time() -> None:
    assert said(GOMOKU, {"contest.periods": [{"moves": 30, "minutes": 45}, {"minutes": 15}]})["swiss"] == [
        "Each side has 45 minutes for 30 moves, then 15 minutes for all moves that are left."
    ]
    again = said(GOMOKU, {"contest.periods": [{"moves": 30, "minutes": 45}], "results.clocks_by": "organiser"})["swiss"]
    assert again == ["Each side has 45 minutes for 30 moves, and so on.", "The organiser brings the clocks."]
    pointer = "/contest.periods"
    assert "but the last" in refused(GOMOKU, {"contest.periods": [{"minutes": 1}, {"minutes": 1}]})[pointer]
    assert "above 0" in refused(GOMOKU, {"contest.periods": [{"minutes": 0}]})[pointer]
    own = catalogue.load(GOMOKU).model_dump(mode="json")
    own["results"]["minutes"] = 20
    with pytest.raises(Faulty) as caught:
        with_options(read(own), {"contest.periods": PERIODS})
    assert caught.value.faults[0].detail.startswith("goes without results.minutes")


def judged(moves: list[Any], seconds: list[Any], options: Mapping[str, Any] | None = None) -> Any:
    wanted = {"contest.periods": PERIODS} if options is None else options
    return adjudicate({"ruleset": GOMOKU, "options": wanted, "game": {"moves": moves, "seconds": seconds}})


def fault_of(moves: list[Any], seconds: list[Any], options: Mapping[str, Any] | None = None) -> tuple[str, str]:
    with pytest.raises(Faulty) as caught:
        judged(moves, seconds, options)
    (fault,) = caught.value.faults
    return fault.pointer, fault.detail


@pytest.mark.rule("CFP.RES-11", "CFP.RES-4", "CFP.D15")
def test_a_claim_of_time_in_a_transcript_with_times_has_to_be_shown_by_them() -> None:
    """Seat 0 has laid three stones in its first minute, and then has half a minute for all that are left."""
    opened = [10, 20, 30, 5]  # three stones of seat 0, and the choice of seat 1
    lost = judged([*CFP_OPENED, [0, 0], [7, 7], claim(1, "time")], [*opened, 9, 31, None])
    assert (lost.winner, lost.reason) == (1, "time")
    still = fault_of([*CFP_OPENED, [0, 0], [7, 7], claim(1, "time")], [*opened, 9, 30, None])
    assert still == (
        "/game/moves/6",
        "claims that the time of seat 0 is over, whose clock has run 1:30 of 1:30 (CFP.RES-11)",
    )
    unnoted = judged([*CFP_OPENED, [0, 0], [7, 7], claim(1, "time")], [*opened, 9, None, None])
    assert unnoted.winner == 1  # nobody can tell
    thinking = judged([*CFP_OPENED, [0, 0], claim(1, "time")], [*opened, 9, 31])
    assert thinking.winner == 1
    assert fault_of([*CFP_OPENED[:3], claim(1, "time")], [20, 20, 20, None])[1].startswith(
        "claims that the time of seat 0"
    )
    assert judged([*CFP_OPENED[:3], claim(1, "time")], [20, 20, 21, None]).winner == 1


@pytest.mark.rule("CFP.RES-11", "CFP.RES-13", "CFP.RES-5")
def test_time_that_nobody_claims_ends_nothing_and_both_may_show_it() -> None:
    over = [61, 0, 0, 61]
    assert judged([*CFP_OPENED, [0, 0]], [*over, 1]).winner is None
    assert judged([*CFP_OPENED, [0, 0], claim(0, "time")], [*over, 1, 0]).winner == 0
    assert judged([*CFP_OPENED, claim(1, "time"), claim(0, "time")], [*over, 0, 0]).winner == "draw"
    both = fault_of([*CFP_OPENED, claim(1, "time"), claim(0, "time")], [61, 0, 0, 5, 0, 0])
    assert both[0] == "/game/moves/5"


@pytest.mark.rule("CFP.RES-11")
def test_who_answers_an_offered_draw_does_so_in_the_own_time() -> None:
    answer = [*CFP_OPENED, OFFER, {"decline": "draw"}, claim(1, "time")]
    assert judged(answer, [1, 1, 1, 1, 1, 88, 0]).winner == 1
    assert fault_of(answer, [1, 1, 1, 1, 1, 87, 0])[0] == "/game/moves/6"


@pytest.mark.rule("CFP.RES-11")
def test_times_without_an_announced_time_or_of_other_moves_say_nothing() -> None:
    assert fault_of(CFP_OPENED, [1, 1, 1, 1], {}) == (
        "/game/seconds",
        "say nothing here: no time was announced, as option contest.periods does (CFP.RES-11)",
    )
    assert fault_of(CFP_OPENED, [1]) == (
        "/game/seconds",
        "should be one for each entry of moves, 4 in all (CFP.RES-16)",
    )
    with pytest.raises(Faulty):
        adjudicate({"ruleset": GOMOKU, "game": {"winner": 0, "seconds": [1]}})
    own = catalogue.load(GOMOKU).model_dump(mode="json")
    own["results"]["minutes"] = 1
    game = {"moves": [*CFP_OPENED[:1], claim(1, "time")], "seconds": [61, 0]}
    assert adjudicate({"ruleset": own, "game": game}).winner == 1


def test_the_last_period_comes_again_when_it_is_for_so_many_moves() -> None:
    options = {"contest.periods": [{"moves": 2, "minutes": 1}]}
    moves = [*CFP_OPENED, [0, 0], [7, 7], claim(1, "time")]
    assert judged(moves, [30, 30, 30, 1, 1, 31, 0], options).winner == 1
    assert fault_of(moves, [30, 30, 30, 1, 1, 30, 0], options)[1].endswith("has run 2:00 of 3:00 (CFP.RES-11)")
