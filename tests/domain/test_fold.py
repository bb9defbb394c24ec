"""The facts of a tournament from what services tell: registers, in which the last word holds."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from shared.contracts import pairing, registration, results, standings
from shared.tournament.facts import Absence, Facts, Left
from shared.tournament.file import read
from shared.tournament.fold import Fold
from shared.tournament.ranking import rank
from shared.tournament.stages import groups_of
from tests.tellings import TOURNAMENT, final, folded, published, told
from tests.tournaments import tournament

PLAYED = read(tournament("ABCD", "A-B 300:200, C-D 310:200")).accepted()
GAME, OTHER = (game.id for game in PLAYED.rounds["swiss", 1].games)
HERE: dict[str, Any] = {"tournament": TOURNAMENT, "stage": "swiss", "round": 1}


def after(*more: tuple[str, msgspec.Struct]) -> Facts:
    """What is known after the whole tournament, and what was told then."""
    events = [(source, event) for source, several in told(PLAYED).items() for event in several]
    return folded([*events, *more])


def test_nothing_is_known_before_the_tournament_has_started() -> None:
    fold = Fold()
    fold.take("pairing", published(PLAYED, "swiss", 1))
    assert fold.facts() is None
    fold.take("registration", told(PLAYED)["registration"][0])
    known = fold.facts()
    assert known is not None
    assert known.rounds.keys() == {("swiss", 1)}


def test_a_tournament_that_was_told_is_the_one_in_the_file() -> None:
    assert after() == PLAYED


@pytest.mark.parametrize("source", ["registration", "pairing", "results", "standings", "elsewhere"])
def test_what_is_no_fact_changes_nothing(source: str) -> None:
    assert after((source, registration.TournamentCancelled(tournament=TOURNAMENT))) == PLAYED


def test_entrants_are_what_was_last_said_of_them() -> None:
    changed = registration.EntrantChanged(entrant="A", tournament=TOURNAMENT, persons=("p",), number=9, carried="1/2")
    entrant = after(("registration", changed)).entrants["A"]
    assert (entrant.number, entrant.carried) == (9, Fraction(1, 2))


def test_who_left_may_come_back() -> None:
    left = registration.EntrantLeft(entrant="A", tournament=TOURNAMENT, stage="swiss", after_round=1, why="expelled")
    assert after(("registration", left)).left == {"A": Left(stage="swiss", after_round=1, why="expelled")}
    back = registration.EntrantReturned(entrant="A", tournament=TOURNAMENT)
    assert after(("registration", left), ("registration", back)).left == {}


def test_who_was_to_be_absent_may_be_there_after_all() -> None:
    absence = Absence(entrant="A", stage="swiss", round=2)
    said: dict[str, Any] = {"entrant": "A", "tournament": TOURNAMENT, "stage": "swiss", "round": 2}
    missing = registration.EntrantAbsent(**said)
    requested = registration.EntrantAbsent(**said, points="1/2")
    assert after(("registration", missing)).absences == {absence: None}
    assert after(("registration", requested)).absences == {absence: Fraction(1, 2)}
    assert after(("registration", requested), ("registration", registration.EntrantPresent(**said))).absences == {}


def test_a_stage_is_opened_with_its_field() -> None:
    opened = pairing.StageOpened(tournament=TOURNAMENT, stage="swiss", entrants=("A", "B"))
    assert after(("pairing", opened)).fields == {"swiss": ("A", "B")}


def test_a_later_stage_whose_first_round_is_recalled_counts_as_never_opened() -> None:
    stage, entrants = "final", ("A", "B")
    opened = ("pairing", pairing.StageOpened(tournament=TOURNAMENT, stage=stage, entrants=entrants))
    round_ = ("pairing", pairing.RoundPublished(tournament=TOURNAMENT, stage=stage, round=1, games=(), byes=entrants))
    recalled = ("pairing", pairing.RoundRecalled(tournament=TOURNAMENT, stage=stage, round=1))
    assert after(opened, round_).fields == {stage: entrants}
    assert after(opened, round_, recalled).fields == {}
    assert after(opened, round_, recalled, round_).fields == {stage: entrants}  # as old logs have it


def test_of_several_draws_of_groups_the_last_counts() -> None:
    drawn = pairing.GroupsDrawn(tournament=TOURNAMENT, stage="swiss", groups=(("A", "B"), ("C", "D")))
    again = pairing.GroupsDrawn(tournament=TOURNAMENT, stage="swiss", groups=(("A", "C"), ("D", "B")), by_hand=True)
    known = after(("pairing", drawn), ("pairing", again))
    assert known.drawn == {"swiss": {"A": "A", "C": "A", "D": "B", "B": "B"}}
    assert groups_of(known, "swiss") == known.drawn["swiss"]


def test_a_recalled_round_was_never_published_and_its_results_wait() -> None:
    recalled = ("pairing", pairing.RoundRecalled(tournament=TOURNAMENT, stage="swiss", round=1))
    known = after(recalled)
    assert (known.rounds, known.completed) == ({}, frozenset())
    assert {row.values["points"] for row in rank(known, "swiss").rows} == {Fraction(0)}
    assert after(recalled, ("pairing", published(PLAYED, "swiss", 1))) == PLAYED


def test_who_was_seated_anew_has_met_the_others() -> None:
    games = tuple(
        pairing.PlannedGame(game=game.id, table=game.table, seats=seated)
        for game, seated in zip(PLAYED.rounds["swiss", 1].games, (("A", "C"), ("B", "D")), strict=True)
    )
    repaired = pairing.TablesRepaired(tournament=TOURNAMENT, stage="swiss", round=1, games=games[:1], byes=("E",))
    known = after(("pairing", repaired)).rounds["swiss", 1]
    assert [game.seats for game in known.games] == [("A", "C"), PLAYED.rounds["swiss", 1].games[1].seats]
    assert known.byes == ("E",)
    elsewhere = pairing.TablesRepaired(tournament=TOURNAMENT, stage="swiss", round=7, games=games)
    assert after(("pairing", elsewhere)) == PLAYED


def test_a_corrected_result_counts_instead() -> None:
    game = PLAYED.rounds["swiss", 1].games[0]
    other_way = read(tournament("ABCD", "A-B 200:300, C-D 310:200")).accepted()
    known = after(("results", final(other_way, game, "swiss", 1, corrected=True)))
    assert known.results == other_way.results


def test_a_reopened_result_does_not_count_and_its_round_is_not_complete() -> None:
    known = after(("results", results.ResultReopened(game=GAME, **HERE)))
    assert (known.results.keys(), known.completed) == ({OTHER}, frozenset())
    waiting = {row.entrant: row.values["points"] for row in rank(known, "swiss").rows}
    assert waiting == {"A": 0, "B": 0, "C": 1, "D": 0}


def test_a_voided_game_has_no_result_and_its_round_is_complete() -> None:
    known = after(("results", results.GameVoided(game=GAME, **HERE)))
    assert (known.results.keys(), known.voided, known.completed) == ({OTHER}, {GAME}, {("swiss", 1)})
    assert after(("results", results.GameVoided(game=GAME, **HERE)), ("results", told(PLAYED)["results"][0])) == PLAYED


def test_a_result_of_a_game_that_nobody_has_paired_waits() -> None:
    early = results.ResultFinal(
        game="g", tournament=TOURNAMENT, stage="swiss", round=2, seats=("A", "C"), scores=(300, 200), points=(1, 0)
    )
    known = after(("results", early))
    assert rank(known, "swiss") == rank(PLAYED, "swiss")
    planned = pairing.PlannedGame(game="g", table=1, seats=("A", "C"))
    second = pairing.RoundPublished(tournament=TOURNAMENT, stage="swiss", round=2, games=(planned,))
    known = after(("results", early), ("pairing", second))
    assert {row.entrant: row.values["points"] for row in rank(known, "swiss").rows}["A"] == 2


def test_a_game_of_somebody_who_is_not_known_yet_waits() -> None:
    planned = pairing.PlannedGame(game=GAME, table=1, seats=("A", "new"))
    known = after(("pairing", pairing.RoundPublished(tournament=TOURNAMENT, stage="swiss", round=1, games=(planned,))))
    assert {row.values["points"] for row in rank(known, "swiss").rows} == {Fraction(0)}


def test_a_lifted_penalty_never_counted() -> None:
    imposed = results.PenaltyImposed(penalty="p", entrant="A", points="-1/2", **HERE)
    assert after(("results", imposed)).penalties["p"].points == Fraction(-1, 2)
    assert after(("results", imposed), ("results", results.PenaltyLifted(penalty="p", tournament=TOURNAMENT))) == PLAYED


def test_a_tie_is_settled_by_the_last_decision() -> None:
    def lot(*order: str) -> tuple[str, standings.TieSettled]:
        settled = standings.TieSettled(
            tournament=TOURNAMENT, stage="swiss", kind="lot", order=tuple((one,) for one in order)
        )
        return "standings", settled

    assert len(after(lot("B", "D"), lot("A", "C"), lot("D", "B")).settled) == 2
    tied = read(tournament("ABCD", "A-B 300:200, C-D 300:200")).accepted()
    events = [(source, event) for source, several in told(tied).items() for event in several]
    known = folded([*events, lot("A", "C"), lot("B", "D"), lot("C", "A"), lot("D", "B")])
    assert [row.entrant for row in rank(known, "swiss").rows] == ["C", "A", "D", "B"]


def test_those_who_must_not_meet_are_known() -> None:
    ban = registration.MeetingForbidden(tournament=TOURNAMENT, entrants=("A", "B"), last_rounds=1)
    (found,) = after(("registration", ban), ("registration", ban)).bans
    assert (found.entrants, found.last_rounds) == ({"A", "B"}, 1)
