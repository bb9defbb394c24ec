"""Rulings about objections as they are shown."""

from collections.abc import Mapping

from msgspec.structs import asdict

from services.results.api.objections.bodies import RuledWord, Ruling, Rulings
from services.results.domain.objections import ObjectionRuled, ObjectionsState
from services.results.games.scrabble.objections import PENALTY


def rulings_shown(state: ObjectionsState, words: Mapping[str, str]) -> Rulings:
    return Rulings(rulings=[ruling(one, words.get(one.note or "")) for one in state.ruled])


def ruling(one: ObjectionRuled, words: str | None) -> Ruling:
    words_ruled = [RuledWord(**asdict(word), costs=-PENALTY if word.valid else 0) for word in one.words]
    return Ruling.model_validate({**asdict(one), "words_ruled": words_ruled, "words": words})
