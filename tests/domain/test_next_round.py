"""Which round is next, and what stands in its way."""

from fractions import Fraction

import pytest
from msgspec import structs
from msgspec.structs import replace

from services.pairing import engines
from services.pairing.domain.next_round import NotYetPossible, is_completed, next_round, require_next
from services.pairing.engines import tables
from services.pairing.engines.paired_round import NoPairing
from shared.rulesets import catalogue
from shared.tournament.completion import order_of
from shared.tournament.facts import Entrant, Facts, Game, Left, Result, Round
from shared.tournament.file import read
from shared.tournament.ranking import rank
from shared.tournament.stages import StageUnknown, settings_of
from tests.school_cup import cup, play_off_of, to_the_end

ONE, TEN = Fraction(1), Fraction(10)

ENTRANTS = [chr(ord("A") + n) for n in range(10)]  # one more than makes a round robin of it
WON = Result(scores=(Fraction(400), Fraction(300)), points=(Fraction(1), Fraction(0)))
STARTED = Facts(
    ruleset=catalogue.load("scrabble-sk-2022-qt"),
    entrants={entrant: Entrant(id=entrant, number=n) for n, entrant in enumerate(ENTRANTS, start=1)},
)


def with_rounds(*numbers: int) -> Facts:
    rounds = {("swiss", number): played(number) for number in numbers}
    return replace(STARTED, rounds=rounds)


def played(number: int) -> Round:
    games = tuple(
        Game(id=f"{number}-{table}", table=table, seats=(ENTRANTS[table], ENTRANTS[-table - 1])) for table in (2, 1)
    )
    return Round(stage="swiss", number=number, games=games)


def with_results(facts: Facts, *games: str) -> Facts:
    return replace(facts, results=dict.fromkeys(games, WON))


def test_a_stage_begins_with_its_first_round() -> None:
    coming = next_round(STARTED, "swiss")
    assert (coming.round, coming.of, coming.obstacles) == (1, 7, ())
    require_next(coming, 1)


@pytest.mark.rule("SK.PAI-2")
def test_a_round_waits_for_every_result_of_the_one_before() -> None:
    coming = next_round(with_rounds(1), "swiss")
    (obstacle,) = coming.obstacles
    assert (coming.round, obstacle.kind, obstacle.tables) == (2, "results-missing", (1, 2))
    assert obstacle.detail.startswith("In round 1 tables 1, 2 have no result yet")
    with pytest.raises(NotYetPossible, match="tables 1, 2 have no result yet"):
        require_next(coming, 2)
    (obstacle,) = next_round(with_results(with_rounds(1), "1-1"), "swiss").obstacles
    assert obstacle.detail.startswith("In round 1 table 2 has no result yet")


def test_a_game_that_does_not_count_is_not_waited_for() -> None:
    facts = replace(with_results(with_rounds(1), "1-1"), voided=frozenset({"1-2"}))
    assert next_round(facts, "swiss").obstacles == ()
    assert is_completed(facts, "swiss", 1)


def test_a_game_of_an_earlier_round_that_is_played_again_is_waited_for() -> None:
    facts = with_results(with_rounds(1, 2), "1-1", "2-1", "2-2")
    (obstacle,) = next_round(facts, "swiss").obstacles
    assert (obstacle.kind, obstacle.tables) == ("results-missing", (2,))
    assert obstacle.detail.startswith("In round 1 table 2 has no result yet")
    both_open = with_results(with_rounds(1, 2), "1-1", "2-1")
    (obstacle,) = next_round(both_open, "swiss").obstacles
    assert obstacle.detail.startswith("In round 1 table 2 has no result yet"), "one after the other"
    assert next_round(with_results(facts, "1-1", "1-2", "2-1", "2-2"), "swiss").obstacles == ()


def test_no_round_is_paired_out_of_turn() -> None:
    with pytest.raises(NotYetPossible, match="Round 1 is the next one"):
        require_next(next_round(STARTED, "swiss"), 2)


def test_after_the_last_round_there_is_none() -> None:
    facts = with_results(
        with_rounds(*range(1, 8)), *(f"{number}-{table}" for number in range(1, 8) for table in (1, 2))
    )
    coming = next_round(facts, "swiss")
    assert (coming.round, [obstacle.kind for obstacle in coming.obstacles]) == (None, ["all-rounds-published"])
    with pytest.raises(NotYetPossible, match="All 7 rounds of this stage are published"):
        require_next(coming, 8)


def test_a_tournament_that_is_over_has_no_next_round() -> None:
    (obstacle,) = next_round(STARTED, "swiss", over=True).obstacles
    assert obstacle.kind == "tournament-over"


def test_a_round_that_is_not_published_is_not_completed() -> None:
    assert not is_completed(STARTED, "swiss", 1)
    assert not is_completed(with_rounds(1), "swiss", 1)


def kinds(facts: Facts, stage: str) -> list[str]:
    return [obstacle.kind for obstacle in next_round(facts, stage).obstacles]


def closed(facts: Facts) -> Facts:
    """With the groups closed as they are."""
    return replace(facts, closed={"groups": order_of(rank(facts, "groups").rows)})


@pytest.mark.parametrize("rules", catalogue.ids())
def test_where_nobody_is_there_the_obstacle_is_what_pairing_would_be_refused_by(rules: str) -> None:
    facts = Facts(ruleset=catalogue.load(rules), entrants=STARTED.entrants)
    stage = facts.ruleset.stages[0].id
    gone = replace(facts, left=dict.fromkeys(facts.entrants, Left(stage=stage, after_round=0)))
    with pytest.raises(NoPairing) as refused:
        engines.pair(gone, stage, lots=lambda _, several: list(several))
    if settings_of(facts, stage).pairing.system == "groups":
        assert kinds(gone, stage) == ["groups-not-drawn"]
    else:
        said = tables.none_for_so_many(gone, stage, 1) or engines.nobody_to_pair(gone, stage, 1)
        assert said == str(refused.value)


def test_groups_are_drawn_before_their_first_round() -> None:
    facts = read(cup(8)).accepted()
    assert kinds(facts, "groups") == ["groups-not-drawn"]
    drawn = dict(zip(facts.entrants, "ABBAABBA", strict=True))
    assert next_round(replace(facts, drawn={"groups": drawn}), "groups").of == 3
    assert kinds(replace(facts, drawn={"groups": drawn}), "groups") == []
    assert kinds(replace(facts, drawn={"groups": {**drawn, "T9": "A"}}), "groups") == ["groups-not-drawn"]


@pytest.mark.rule("PQ.D50")
def test_a_play_off_begins_when_the_groups_are_closed_and_nobody_waits_for_a_place_in_it() -> None:
    file = cup(4)
    to_the_end(file)
    facts = read(file).accepted()
    assert kinds(facts, "play-off") == ["stage-before-open"]
    assert kinds(closed(facts), "play-off") == []
    equal = closed(replace(facts, results=dict.fromkeys(facts.results, Result(scores=(TEN, TEN), points=(ONE, ONE)))))
    assert kinds(equal, "play-off") == ["tie-waits"]
    alone = closed(read(cup(3, options={"pairing.system": "round-robin"})).accepted())
    assert kinds(alone, "play-off") == ["not-held"]


@pytest.mark.rule("PQ.D50")
def test_a_drawn_match_holds_up_the_next_round_of_a_play_off_and_after_the_last_there_is_none() -> None:
    file = cup(4)
    to_the_end(file)
    play_off_of(file)
    facts = read(file).accepted()
    assert kinds(facts, "play-off") == ["all-rounds-published"]
    rounds = {place: one for place, one in facts.rounds.items() if place != ("play-off", 2)}
    drawn = {name: structs.replace(result, winner=None) for name, result in facts.results.items()}
    coming = next_round(replace(facts, rounds=rounds, results=drawn), "play-off")
    (obstacle,) = coming.obstacles
    assert (coming.round, obstacle.kind) == (2, "match-not-decided")
    assert obstacle.detail.startswith("SF1 is drawn")


def test_a_stage_is_one_of_the_ruleset() -> None:
    with pytest.raises(StageUnknown):
        next_round(STARTED, "play-off")
