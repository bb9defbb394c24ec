"""In one series a person is in one category, however many tournaments of it they play."""

import pytest

from services.registration.domain.series import (
    CLAIMS,
    CategoryChosen,
    CategoryLeft,
    ChooseCategory,
    Event,
    InAnotherCategory,
    LeaveCategory,
)


def choosing(category: str, tournament: str, *persons: str) -> ChooseCategory:
    return ChooseCategory(
        series="2025", tournament=tournament, category=category, persons=persons or ("ann",), clause="PQ.D22"
    )


def chosen(tournament: str, category: str = "cadets", person: str = "ann") -> CategoryChosen:
    return CategoryChosen(series="2025", tournament=tournament, category=category, person=person)


def test_a_person_plays_all_levels_of_one_category_and_none_of_another() -> None:
    given: list[Event] = [chosen("level-1")]
    state = CLAIMS.fold(given, CLAIMS.initial)
    assert CLAIMS.decide(state, choosing("cadets", "level-1")) == []  # twice is once
    assert CLAIMS.decide(state, choosing("cadets", "level-2")) == [chosen("level-2")]
    with pytest.raises(InAnotherCategory, match=r"ann plays as one of cadets .*PQ.D22"):
        CLAIMS.decide(state, choosing("veterans", "level-1-veterans", "bob", "ann"))


def test_who_has_withdrawn_everywhere_may_choose_anew() -> None:
    left = CategoryLeft(series="2025", tournament="level-1", person="ann")
    state = CLAIMS.fold([chosen("level-1"), chosen("level-2")], CLAIMS.initial)
    leaving = LeaveCategory(tournament="level-1", persons=("ann", "bob"))
    assert CLAIMS.decide(state, leaving) == [left]
    state = CLAIMS.fold([left], state)
    with pytest.raises(InAnotherCategory):
        CLAIMS.decide(state, choosing("veterans", "level-1-veterans"))
    state = CLAIMS.fold([CategoryLeft(series="2025", tournament="level-2", person="ann")], state)
    veteran = chosen("level-1-veterans", "veterans")
    assert CLAIMS.decide(state, choosing("veterans", "level-1-veterans")) == [veteran]
