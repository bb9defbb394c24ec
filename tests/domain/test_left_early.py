"""Who has left a tournament of a season before all was played that was theirs to play."""

from msgspec.structs import replace

from services.standings.seasons.contribution import left_early
from shared.tournament.facts import Left
from shared.tournament.file import read
from tests.domain.test_final_lists import championship

SEMIFINALS = ["A-D 40:24 @SF1, B-C 40:24 @SF2", "D-A 24:40 @SF1, C-B 24:40 @SF2"]
FACTS = read(championship("876543", semifinals=SEMIFINALS)).accepted()


def left(entrant: str, stage: str, after_round: int) -> str | None:
    return left_early(replace(FACTS, left={entrant: Left(stage=stage, after_round=after_round)}), entrant)


def test_who_is_not_in_the_stage_that_is_played_has_nothing_left_to_play() -> None:
    assert left("F", "preliminary", 0) is None
    assert left("F", "semifinals", 1) is None


def test_who_goes_before_the_last_round_of_their_own_stage_has_left_early() -> None:
    assert left("A", "semifinals", 1) == "withdrew"
    assert left("A", "semifinals", 2) is None


def test_who_goes_between_two_stages_has_left_early_where_the_next_one_was_theirs() -> None:
    facts = replace(FACTS, fields={**FACTS.fields, "semifinals": tuple("ABCE")})
    assert left_early(replace(facts, left={"D": Left(stage="preliminary", after_round=0)}), "D") == "withdrew"
    assert left_early(replace(facts, left={"F": Left(stage="preliminary", after_round=0)}), "F") is None
