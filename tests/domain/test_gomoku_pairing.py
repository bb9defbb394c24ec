"""Whoever is named first in a pairing of the Czech gomoku is temporary black, and that is balanced like a colour."""

import random
from collections import Counter
from typing import Any

import pytest

from services.pairing.calculate import paired
from services.pairing.engines import StageOver

MOST_ONE_SIDED = 2


@pytest.mark.rule("CFP.PAI-1")
@pytest.mark.parametrize("entrants", [2, 5, 8, 9, 16])
def test_everybody_is_temporary_black_about_as_often_as_white(entrants: int) -> None:
    """CFP.D2."""
    chance = random.Random(entrants)
    file: dict[str, Any] = {
        "format": "roundlog.tournament/1",
        "ruleset": "gomoku-cfp",
        "entrants": [{"id": f"E{number}"} for number in range(entrants)],
        "rounds": [],
    }
    balance = Counter[str]()
    rounds = 7 if entrants > 8 else entrants - 1 + entrants % 2
    for number in range(1, rounds + 1):
        pairing = paired(file)
        games: list[dict[str, Any]] = []
        for pair in pairing.pairs:
            black, white = pair.seats
            assert (pair.first, pair.option) == (black, None)
            balance.update({black: 1, white: -1})
            scores = chance.choice([[1, 0], [0, 1], [0.5, 0.5]])
            games.append({"seats": pair.seats, "first": black, "scores": scores})
        assert max(map(abs, balance.values())) <= MOST_ONE_SIDED
        file["rounds"].append({"number": number, "games": games, "byes": pairing.byes})
    with pytest.raises(StageOver):
        paired(file)
