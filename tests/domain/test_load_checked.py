"""The checker of an evening of load: whatever is wrong between what was acknowledged and what is told, it counts."""

from typing import Any

from msgspec.structs import replace

from benchmarks.load.checker import Acknowledged, Kept, Told, compare, gaps

GAME, ONE, OTHER = "game", "one", "other"
SCORES = (300, 400)


def kept() -> Kept:
    return Kept(
        tournament="cup",
        entrants=[ONE, OTHER],
        rounds={1: {"pairs": [{"game": GAME, "seats": [{"entrant": ONE}, {"entrant": OTHER}]}], "byes": []}},
        acknowledged=[
            Acknowledged(kind="ResultReported", game=GAME, by="scorer", scores=SCORES, position=2),
            Acknowledged(kind="ResultDecided", game=GAME, by="", scores=SCORES, position=3),
        ],
        results={GAME: SCORES},
    )


def line(position: int, kind: str, said: dict[str, Any]) -> dict[str, Any]:
    return {"position": position, "record": {"type": kind, "data": said}}


def row(entrant: str, place: int, points: float, opponents: float, difference: float) -> dict[str, Any]:
    values = {"points": points, "wins": points, "median_buchholz": 0.0, "buchholz": opponents}
    return {"entrant": entrant, "place": place, "values": values | {"score_difference": difference}}


OPENED = line(1, "GameOpened", {})
REPORTED = line(
    2, "ResultReported", {"game": GAME, "report": {"by": {"person": "scorer"}, "result": {"scores": [300, 400]}}}
)
DECIDED = line(3, "ResultDecided", {"game": GAME, "scores": [300, 400]})
TOLD = Told(
    results=[OPENED, REPORTED, DECIDED],
    pairing=[line(1, "RoundPublished", {"round": 1})],
    games={GAME: SCORES},
    table=[row(OTHER, 1, 1.0, 0.0, 100.0), row(ONE, 2, 0.0, 1.0, -100.0)],
)


def test_what_agrees_is_whole() -> None:
    found = compare(kept(), TOLD)
    assert found.is_whole, found
    assert found.acknowledged == 2


def test_a_report_that_is_not_there_is_lost() -> None:
    assert compare(kept(), replace(TOLD, results=[OPENED, DECIDED])).lost == 1


def test_a_report_behind_the_position_that_was_answered_was_lost_then() -> None:
    assert compare(kept(), replace(TOLD, results=[OPENED, DECIDED, {**REPORTED, "position": 7}])).lost == 1


def test_a_report_that_is_there_twice_is_counted() -> None:
    found = compare(kept(), replace(TOLD, results=[*TOLD.results, {**REPORTED, "position": 4}]))
    assert (found.twice, found.lost) == (1, 0)


def test_what_nobody_was_told_of_is_counted() -> None:
    stranger = line(4, "ResultCorrected", {"game": GAME, "scores": [1, 2]})
    assert compare(kept(), replace(TOLD, results=[*TOLD.results, stranger])).unheard == 1


def test_a_game_with_another_result_is_counted() -> None:
    assert compare(kept(), replace(TOLD, games={GAME: (400, 300)})).games == 1
    assert compare(kept(), replace(TOLD, games={})).games == 1


def test_a_table_that_does_not_follow_is_counted() -> None:
    assert compare(kept(), replace(TOLD, table=[*TOLD.table[:1], row(ONE, 1, 0.0, 1.0, -100.0)])).tables == 1
    assert compare(kept(), replace(TOLD, table=TOLD.table[:1])).tables == 1


def test_a_round_that_is_not_there_or_twice_is_counted() -> None:
    assert compare(kept(), replace(TOLD, pairing=[])).rounds == 1
    assert compare(kept(), replace(TOLD, pairing=[*TOLD.pairing, *TOLD.pairing])).rounds == 1


def test_a_gap_in_a_log_is_counted() -> None:
    assert gaps(TOLD.results) == 0
    assert gaps([OPENED, DECIDED]) == 1
