"""What is said of the game of a score sheet: one form for all families, adjudicated as the calculator does it."""

from typing import Any

import pytest

from services.results.games.adjudication import AnyAccount, adjudicate, require_own
from services.results.games.verdict import GameVerdict, UndecidedGame
from shared.faults import Faulty
from shared.rulesets import catalogue
from shared.rulesets.settings import settings
from tests.adjudicated import examples

MATCH = "pisqworky-2025-zs-kt"


def said(ruleset: str, stage: str | None = None, **game: Any) -> GameVerdict | UndecidedGame:
    rules = catalogue.load(ruleset)
    told = AnyAccount.model_validate(game)
    require_own(rules.game, told)
    return adjudicate(rules.game, settings(rules, stage or rules.stages[0].id, size=0), told)


def refused(ruleset: str, stage: str | None = None, **game: Any) -> list[str]:
    with pytest.raises(Faulty) as caught:
        said(ruleset, stage, **game)
    return sorted(fault.pointer for fault in caught.value.faults)


def is_of_a_sheet(family: str, example: dict[str, Any]) -> bool:
    """A duel by itself is none, and whose time ran out first is at fault."""
    game = example["game"]
    is_duel = family == "pisqworky" and ("moves" in game or [len(one) for one in game.get("boards", ())] == [1])
    return not is_duel and not {"first", "options"} & {*game, *example}


def test_a_sheet_and_the_calculator_say_the_same() -> None:
    found = [one for family, one in examples("gives") if is_of_a_sheet(family, one)]
    for one in found:
        outcome = said(one["ruleset"], one.get("stage"), **one["game"])
        assert (one["gives"]["points"] is None) is isinstance(outcome, UndecidedGame), one["name"]
        if isinstance(outcome, GameVerdict):
            assert [*map(float, outcome.points)] == one["gives"]["points"], one["name"]
            assert [*map(float, outcome.scores)] == one["gives"]["scores"], one["name"]


def test_what_belongs_to_another_game_is_refused() -> None:
    assert refused("scrabble-sk-2022-qt", scores=[1, 2], boards=[], flag=0) == ["/boards", "/flag"]
    assert refused("gomoku-cfp", winner=0, discs=[32, 32], agreed_winner=0) == ["/agreed_winner", "/discs"]
    assert refused(MATCH, moves=[]) == ["/moves"]


def test_a_match_is_no_single_duel() -> None:
    assert refused(MATCH, "play-off", boards=[[0]]) == ["/boards", "/boards/0"]


@pytest.mark.rule("OT.RES-4")
def test_the_seat_at_fault_is_whose_time_ran_out_first() -> None:
    found = said("othello-pl-2021", end="time", by=0, second=1)
    assert isinstance(found, GameVerdict)
    assert (found.scores, found.by) == ((31, 33), (0,))
    assert refused("othello-pl-2021", end="time", second=1) == ["/by"]


@pytest.mark.rule("CC.RES-7")
def test_the_board_stands_beside_what_counts_of_it() -> None:
    found = said("carcassonne-cz-final", scores=[90, 70], flag=0)
    assert isinstance(found, GameVerdict)
    assert (found.scores, found.board, found.by) == ((69, 70), (90, 70), (0,))
