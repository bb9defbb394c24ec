"""What a game of Scrabble gives, live by the rules of the association and online by its appendix."""

from fractions import Fraction
from typing import Any

import pytest

from services.results.calculate import adjudicate
from services.results.games import scrabble
from services.results.games.happening import Happening, Verdict
from shared.faults import Faulty
from shared.rulesets.endings import AgreedWinner, Ending, Expulsion, Fixed, LowerForBoth, Margin
from shared.rulesets.play import Results, Scoring

LIVE = "scrabble-sk-2022-qt"


def given(**game: Any) -> tuple[list[float], list[float]]:
    found = adjudicate({"ruleset": LIVE, "game": game})
    return found.scores, found.points


def pointers(content: object) -> list[str]:
    with pytest.raises(Faulty) as caught:
        adjudicate(content)
    return [fault.pointer for fault in caught.value.faults]


def refused(**game: Any) -> list[str]:
    return pointers({"ruleset": LIVE, "game": game})


@pytest.mark.rule("SK.RES-1")
def test_points_follow_from_the_scores() -> None:
    assert given(scores=[380, 350]) == ([380, 350], [1, 0])
    assert given(scores=[300, 401]) == ([300, 401], [0, 1])
    assert given(scores=[320, 320]) == ([320, 320], [0.5, 0.5])
    assert given(scores=[-12, 250]) == ([-12, 250], [0, 1])


@pytest.mark.rule("SK.RES-4", "SK.RES-3")
def test_live_defaults_have_their_own_scores() -> None:
    assert given(end="no_show", by=0) == ([0, 100], [0, 1])
    assert given(end="no_show", by=1) == ([100, 0], [1, 0])
    assert given(end="both_absent") == ([0, 0], [0, 0])
    assert given(end="bye") == ([20], [1])


@pytest.mark.rule("SK.RES-4")
@pytest.mark.parametrize(
    ("board", "other"), [([210, 270], 100), ([210, 347], 137), ([345, 300], 100), ([450, 300], 100), ([200, 300], 100)]
)
def test_who_resigns_loses_by_the_lead_of_the_other_when_it_is_above_100(board: list[int], other: int) -> None:
    assert given(end="resigned", by=0, scores=board) == ([0, other], [0, 1])
    assert given(end="resigned", by=1, scores=board[::-1]) == ([other, 0], [1, 0])


@pytest.mark.rule("SK.RES-5")
def test_the_referee_takes_a_sheet_or_sets_scores_against_somebody() -> None:
    assert given(end="referee", scores=[380, 350]) == ([380, 350], [1, 0])
    assert given(end="referee", scores=[0, 100]) == ([0, 100], [0, 1])
    assert given(end="referee", scores=[100, 0], by=1) == ([100, 0], [1, 0])
    assert given(end="referee", scores=[0, 0]) == ([0, 0], [0, 0])
    assert given(end="referee", scores=[0, 0], by=[0, 1]) == ([0, 0], [0, 0])


@pytest.mark.rule("SK.RES-4")
def test_defaults_with_other_scores_are_refused() -> None:
    assert refused(end="no_show", by=0, scores=[0, 50]) == ["/game/scores"]
    assert refused(end="both_absent", scores=[0, 100]) == ["/game/scores"]
    assert refused(end="bye", scores=[30]) == ["/game/scores"]
    assert given(end="no_show", by=0, scores=[0, 100]) == ([0, 100], [0, 1])
    assert given(end="bye", scores=[20, 0]) == ([20], [1])


def test_what_cannot_have_happened_is_refused_at_its_place() -> None:
    assert refused(end="flooded", scores=[1, 2]) == ["/game/end"]
    assert refused() == ["/game/scores"]
    assert refused(scores=[380]) == ["/game/scores"]
    assert refused(scores=[380.5, 350]) == ["/game/scores/0"]
    assert refused(scores=[380, 350], by=0) == ["/game/by"]
    assert refused(end="no_show") == ["/game/by"]
    assert refused(end="no_show", by=[0, 1]) == ["/game/by"]
    assert refused(end="both_absent", by=0) == ["/game/by"]
    assert refused(end="referee", scores=[0, 0], by=[0, 0]) == ["/game/by"]
    assert refused(scores=[1, 2], by=7) == ["/game/by"]
    assert refused(scores=[1, 2], boards=[]) == ["/game/boards"]


def test_what_an_official_awards_is_looked_at_for_its_form_only() -> None:
    assert given(end="awarded", scores=[3, 7], points=[1, 0.5]) == ([3, 7], [1, 0.5])
    assert refused(end="awarded", scores=[3, 7]) == ["/game/points"]
    assert refused(end="awarded", points=[3, 7]) == ["/game/scores"]


def test_a_ruleset_is_named_or_sent_whole() -> None:
    assert pointers({"ruleset": "none-such", "game": {"scores": [1, 2]}}) == ["/ruleset"]
    assert pointers({"ruleset": {}, "game": {"scores": [1, 2]}})[0].startswith("/ruleset/")
    assert pointers({"ruleset": LIVE, "stage": "final", "game": {"scores": [1, 2]}}) == ["/stage"]
    assert pointers({"ruleset": LIVE, "options": {"scoring.win": 3}, "game": {"scores": [1, 2]}})[0].startswith(
        "/options"
    )
    assert pointers(b"{") == [""]
    assert adjudicate(b'{"ruleset": "scrabble-sk-2022-qt", "game": {"scores": [1, 2]}}').points == [0, 1]


SCORING = Scoring(score="pair", bye_scores=(Fraction(20), Fraction(0)))
ONLINE = Results(
    endings={
        "played": Ending(title="Played"),
        "time_over": Ending(title="Time", fault="one", points="by-fault"),
        "disconnected": Ending(title="Gone", fault="one", scores=Margin(least=Fraction(50)), points="by-fault"),
        "agreed_draw": Ending(title="Draw", scores=LowerForBoth(), points="draw", confirmed_by_both=True),
        "limit_missed": Ending(
            title="Late", fault="both", scores=Fixed(at_fault=Fraction(0), other=Fraction(0)), points="none"
        ),
        "record_lost": Ending(
            title="Lost",
            scores=AgreedWinner(winner=Fraction(50), loser=Fraction(0), otherwise=Fraction(0)),
            points="winner",
        ),
    },
    expulsions=(Expulsion(count=3, of=("disconnected",)),),
)
WIN, HALF, NONE = Fraction(1), Fraction(1, 2), Fraction(0)


def online(end: str, *scores: int, **more: Any) -> Verdict:
    board = tuple(map(Fraction, scores)) or None
    return scrabble.adjudicate(SCORING, ONLINE, Happening(end=end, scores=board, **more))


@pytest.mark.rule("SK.RES-8")
@pytest.mark.parametrize(
    ("board", "raised"), [((300, 340), 390), ((320, 300), 350), ((350, 300), 350), ((400, 340), 400)]
)
def test_who_stays_online_leads_by_50_at_least(board: tuple[int, int], raised: int) -> None:
    verdict = online("disconnected", *board, by=(1,))
    assert (verdict.scores, verdict.points, verdict.by) == ((raised, board[1]), (WIN, NONE), (1,))


@pytest.mark.rule("SK.RES-9")
def test_an_agreed_draw_needs_both_confirmations() -> None:
    drawn = online("agreed_draw", 420, 300, confirmed=(True, True))
    assert (drawn.scores, drawn.points) == ((300, 300), (HALF, HALF))
    played = online("agreed_draw", 420, 300, confirmed=(True, False))
    assert (played.scores, played.points, played.end) == ((420, 300), (WIN, NONE), "played")
    with pytest.raises(Faulty):
        online("agreed_draw", 420, 300)


@pytest.mark.rule("SK.RES-8")
def test_online_endings_without_a_played_result() -> None:
    over = online("time_over", 420, 300, by=(0,))
    assert (over.scores, over.points) == ((420, 300), (NONE, WIN))
    late = online("limit_missed")
    assert (late.scores, late.points, late.by) == ((0, 0), (NONE, NONE), (0, 1))
    lost = online("record_lost", agreed_winner=1, winner_said=True)
    assert (lost.scores, lost.points) == ((0, 50), (NONE, WIN))
    nobody = online("record_lost", winner_said=True)
    assert (nobody.scores, nobody.points) == ((0, 0), (NONE, NONE))
    with pytest.raises(Faulty):
        online("record_lost")
