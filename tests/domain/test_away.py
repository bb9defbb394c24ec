"""What comes of a planned game when somebody is not there, by the rules of each family."""

from fractions import Fraction
from typing import Literal

import pytest
from msgspec.structs import replace

from services.results.reactions.absences import default_of
from services.results.tournaments import KnownTournament
from shared.rulesets import catalogue
from shared.tournament.facts import Absence, Entrant, Facts, Left

type Outcome = tuple[str, tuple[int, int], tuple[int, int]] | None

ADA, BEN = "ada", "ben"
BOTH: tuple[str, ...] = (ADA, BEN)


def known(ruleset: str, *away: str, stage: str | None = None, after: int = 0) -> tuple[KnownTournament, str]:
    rules = catalogue.load(ruleset)
    stage = stage or rules.stages[0].id
    entrants = {name: Entrant(id=name, number=n) for n, name in enumerate([ADA, BEN, "cid", "dan", "eva", "fay"], 1)}
    left = {name: Left(stage=stage, after_round=after) for name in away}
    return KnownTournament(facts=Facts(ruleset=rules, entrants=entrants, left=left)), stage


@pytest.mark.parametrize(
    ("ruleset", "away", "outcome"),
    [
        ("scrabble-sk-2022-qt", [ADA], ("no_show", (0, 100), (0, 1))),
        ("scrabble-sk-2022-online", BOTH, ("both_absent", (0, 0), (0, 0))),
        ("pisqworky-2025-ss-ot", [BEN], ("no_show", (20, 0), (2, 0))),
        ("pisqworky-2025-zs-grf", [ADA], ("no_show", (0, 12), (0, 2))),
        ("pisqworky-2025-individual", BOTH, None),
        ("othello-pl-2021", [ADA], ("refused", (0, 64), (0, 1))),
        ("gomoku-cfp", [ADA], None),
        ("carcassonne-cz-final", [ADA], None),
        ("scrabble-sk-2022-qt", [], None),
    ],
)
def test_a_game_of_who_is_not_there_ends_as_the_rules_say_or_waits_for_an_official(
    ruleset: str, away: list[str], outcome: Outcome
) -> None:
    cup, stage = known(ruleset, *away)
    assert result(cup, stage, 1) == outcome


def test_who_leaves_after_the_pairs_of_a_play_off_are_published_loses_that_game_and_those_to_come() -> None:
    """OT.D18, OT.D48."""
    cup, _ = known("othello-pl-2021", BEN, stage="semifinals", after=1)
    assert result(cup, "semifinals", 1) is None
    assert result(cup, "semifinals", 2) == result(cup, "final", 1) == ("refused", (64, 0), (1, 0))
    assert result(cup, "preliminary", 9) is None


@pytest.mark.parametrize(("points", "is_lost"), [(None, True), (Fraction(1, 2), False)])
def test_a_round_that_was_taken_off_with_points_is_not_lost(
    points: Fraction | None, is_lost: Literal[True, False]
) -> None:
    cup, stage = known("scrabble-sk-2022-qt")
    absence = Absence(entrant=ADA, stage=stage, round=2)
    missing = KnownTournament(facts=replace(cup.started, absences={absence: points}))
    assert (result(missing, stage, 2) is not None) == is_lost
    assert result(missing, stage, 3) is None


def result(cup: KnownTournament, stage: str, number: int) -> Outcome:
    found = default_of(cup, stage, number, BOTH)
    if found is None:
        return None
    (one, other), (mine, theirs) = found.result.scores, found.result.points
    return found.result.end, (int(one), int(other)), (int(mine), int(theirs))
