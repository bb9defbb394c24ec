"""What another result would change, from the facts alone."""

from fractions import Fraction

import pytest

from services.standings.domain.what_if import (
    GameUnknown,
    game_of,
    going_on_foreseen,
    supposed,
    tables_foreseen,
)
from shared.tournament.facts import Result
from tests.domain.test_progression import facts_of, qualification
from tests.tournaments import SCRABBLE, tournament

WON_BY_THE_LAST = Result(scores=tuple(map(Fraction, (1, 2, 3, 400))), points=tuple(map(Fraction, (0, 1, 3, 6))))


def test_who_would_go_on_and_who_would_not_any_more() -> None:
    facts = facts_of(qualification(40, 5))
    game = game_of(facts, "qualification", game=None, number=1, table=10)
    after = supposed(facts, game, WON_BY_THE_LAST)
    (table,) = tables_foreseen(facts, after)
    moved = {one.entrant: (one.before, one.after) for one in table.moved}
    assert (table.stage, table.round, table.was_closed, moved["Q40"][1]) == ("qualification", 1, False, 1)
    (going_on,) = going_on_foreseen(facts, after)
    assert (going_on.to, going_on.gains[0]) == ("final", "Q40")
    assert len(going_on.gains) == len(going_on.loses)


def test_the_same_result_changes_nothing_and_none_takes_it_away() -> None:
    facts = facts_of(tournament("ABCD", "A-B 400:300, C-D 310:200", ruleset=SCRABBLE))
    game = game_of(facts, "swiss", game="swiss.1.1", number=None, table=None)
    same = supposed(facts, game, facts.results[game.id])
    assert not [*tables_foreseen(facts, same), *going_on_foreseen(facts, same)]
    assert supposed(facts, game, None).results.keys() == facts.results.keys() - {game.id}


def test_a_game_that_is_not_there_is_not_found() -> None:
    facts = facts_of(tournament("ABCD", "A-B 400:300, C-D 310:200", ruleset=SCRABBLE))
    with pytest.raises(GameUnknown):
        game_of(facts, "swiss", game="swiss.9.1", number=None, table=None)
    with pytest.raises(GameUnknown):
        game_of(facts, "swiss", game=None, number=1, table=3)
