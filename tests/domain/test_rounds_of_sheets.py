"""The sheets of a round together, and what entrants have brought upon themselves."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from services.results.domain import penalties, rounds
from services.results.domain.penalties import PENALTIES, PenaltiesState
from services.results.domain.rounds import ROUND, OpenedRound, RoundWithResults, UnopenedRound
from shared.refusals import Refusal

OPEN = rounds.OpenRound(tournament="cup", stage="swiss", round=1, games=("g1", "g2"), publication="p1")
OPENED = rounds.RoundOpened(tournament="cup", stage="swiss", round=1, games=("g1", "g2"), publication="p1")
COMPLETE = rounds.CompleteRound(games=frozenset({"g1", "g2"}))
COMPLETED = rounds.RoundCompleted(tournament="cup", stage="swiss", round=1)
REOPENED = rounds.RoundReopened(tournament="cup", stage="swiss", round=1)
RECALL = rounds.AnswerRecall(tournament="cup", stage="swiss", round=1, recall="r1", begun=None)
ACCEPTED = rounds.RecallAccepted(tournament="cup", stage="swiss", round=1, recall="r1")
REFUSED = rounds.RecallRefused(tournament="cup", stage="swiss", round=1, recall="r1", game="g2")


def when(given: Sequence[rounds.Event], command: rounds.Command) -> list[rounds.Event]:
    return list(ROUND.decide(ROUND.fold(given, UnopenedRound()), command))


def refuses(refusal: type[Refusal], given: Sequence[rounds.Event], command: rounds.Command) -> None:
    with pytest.raises(refusal):
        when(given, command)


def test_a_publication_opens_its_round_once() -> None:
    assert when([], OPEN) == [OPENED]
    assert when([OPENED], OPEN) == []
    assert when([OPENED, ACCEPTED], OPEN) == []  # it came again, after it was recalled
    again = replace(OPEN, publication="p2", games=("g3", "g4"))
    assert when([OPENED, ACCEPTED], again) == [replace(OPENED, publication="p2", games=("g3", "g4"))]
    refuses(rounds.RoundIsOpen, [OPENED], again)


def test_a_round_is_completed_once_and_again_after_a_replay() -> None:
    assert when([OPENED], COMPLETE) == [COMPLETED]
    assert when([OPENED, COMPLETED], COMPLETE) == []
    assert when([OPENED, COMPLETED], rounds.ReopenRound()) == [REOPENED]
    assert when([OPENED, COMPLETED, REOPENED], rounds.ReopenRound()) == []
    assert when([OPENED, COMPLETED, REOPENED], COMPLETE) == [COMPLETED]


def test_a_round_is_complete_with_all_of_its_games_only() -> None:
    refuses(rounds.GamesMissing, [OPENED], rounds.CompleteRound(games=frozenset({"g1"})))
    refuses(rounds.RoundUnknown, [], COMPLETE)
    refuses(rounds.RoundUnknown, [OPENED, ACCEPTED], COMPLETE)
    assert when([], rounds.ReopenRound()) == []


def test_each_recall_is_answered_once() -> None:
    assert when([OPENED], RECALL) == [ACCEPTED]
    assert when([OPENED, ACCEPTED], RECALL) == []
    begun = replace(RECALL, begun="g2")
    assert when([OPENED], begun) == [REFUSED]
    assert when([OPENED, REFUSED], RECALL) == []
    assert when([OPENED, REFUSED], replace(RECALL, recall="r2")) == [replace(ACCEPTED, recall="r2")]


def test_each_repair_is_answered_once_and_changes_nothing_else_of_the_round() -> None:
    repair = rounds.AnswerRepair(tournament="cup", stage="swiss", round=1, repair="x1", begun=None)
    accepted = rounds.RepairAccepted(tournament="cup", stage="swiss", round=1, repair="x1")
    refused = rounds.RepairRefused(tournament="cup", stage="swiss", round=1, repair="x1", game="g2")
    assert when([OPENED], repair) == [accepted]
    assert when([OPENED, accepted], repair) == []
    assert when([OPENED, COMPLETED], replace(repair, begun="g2")) == [refused]
    assert when([OPENED, COMPLETED, refused], repair) == []
    assert when([OPENED, accepted], COMPLETE) == [COMPLETED]
    assert isinstance(ROUND.fold([OPENED, COMPLETED, refused], UnopenedRound()), RoundWithResults)


def test_what_a_round_is_after_a_refused_recall_is_what_it_was() -> None:
    assert isinstance(ROUND.fold([OPENED, REFUSED], UnopenedRound()), OpenedRound)
    assert isinstance(ROUND.fold([OPENED, COMPLETED, REFUSED], UnopenedRound()), RoundWithResults)
    assert rounds.games_of(ROUND.fold([OPENED, COMPLETED], UnopenedRound())) == ("g1", "g2")
    assert rounds.games_of(UnopenedRound()) == ()
    assert isinstance(ROUND.fold([COMPLETED], UnopenedRound()), UnopenedRound)


IMPOSE = penalties.ImposePenalty(
    penalty="x", tournament="cup", entrant="ada", stage="swiss", round=2, points=-1, reason="note"
)
COUNT = penalties.CountDefaults(
    tournament="cup", entrant="ada", stage="swiss", round=5, games=("g2", "g5"), clause="SK.RES-6"
)
TOO_FEW = replace(COUNT, games=(), clause=None)
DUE = penalties.ExpulsionDue(
    tournament="cup", entrant="ada", stage="swiss", round=5, clause="SK.RES-6", games=("g2", "g5")
)
LAPSED = penalties.ExpulsionLapsed(tournament="cup", entrant="ada")
DISQUALIFY = penalties.Disqualify(
    tournament="cup", entrant="ada", stage="swiss", round=3, clause="SK.RES-6", reason="note"
)


def then(given: Sequence[penalties.Event], command: penalties.Command) -> list[penalties.Event]:
    return list(PENALTIES.decide(PENALTIES.fold(given, PenaltiesState(imposed={})), command))


def test_a_penalty_takes_points_away_once() -> None:
    (imposed,) = then([], IMPOSE)
    assert then([imposed], IMPOSE) == []
    for worthless in (0, 1, "1/2"):
        with pytest.raises(penalties.NoPenalty):
            then([], replace(IMPOSE, points=worthless))
    with pytest.raises(penalties.PenaltyTaken):
        then([imposed], replace(IMPOSE, points=-2))


def test_a_penalty_is_lifted_once() -> None:
    lift = penalties.LiftPenalty(penalty="x", tournament="cup", reason="note")
    with pytest.raises(penalties.PenaltyUnknown):
        then([], lift)
    (imposed,) = then([], IMPOSE)
    (lifted,) = then([imposed], lift)
    assert then([imposed, lifted], lift) == []


@pytest.mark.rule("SK.RES-6")
def test_enough_defaults_expel_once_and_a_correction_takes_it_back() -> None:
    assert then([], TOO_FEW) == []
    assert then([], COUNT) == [DUE]
    assert then([DUE], COUNT) == []
    assert then([DUE], TOO_FEW) == [LAPSED]
    assert then([DUE, LAPSED], TOO_FEW) == []
    assert then([DUE, LAPSED], COUNT) == [DUE]


@pytest.mark.rule("SK.RES-6")
def test_who_is_disqualified_is_expelled_whatever_his_games_are() -> None:
    (due,) = then([], DISQUALIFY)
    assert isinstance(due, penalties.ExpulsionDue)
    assert then([due], DISQUALIFY) == []
    assert then([due], TOO_FEW) == []
    assert then([due], replace(DISQUALIFY, has_returned=True)) == [due]
