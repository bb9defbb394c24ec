"""Rulings about objections as they are shown."""

from collections.abc import Mapping

from services.results.api.objections.bodies import RuledWord, Ruling, Rulings
from services.results.domain.objections import ObjectionRuled, ObjectionsState
from services.results.games.scrabble.objections import PENALTY


def rulings_shown(state: ObjectionsState, words: Mapping[str, str]) -> Rulings:
    return Rulings(rulings=[ruling(one, words.get(one.note or "")) for one in state.ruled])


def ruling(one: ObjectionRuled, words: str | None) -> Ruling:
    return Ruling(
        objector=one.objector,
        kind=one.kind,
        upheld=one.upheld,
        turn=one.turn,
        points=list(one.points),
        costs=one.costs,
        rule=one.rule,
        words_ruled=[
            RuledWord(
                word=word.word,
                valid=word.valid,
                clause=word.clause,
                by=word.by,
                lemma=word.lemma,
                source=word.source,
                overrules=word.overrules,
                costs=-PENALTY if word.valid else 0,
            )
            for word in one.words
        ],
        not_considered=list(one.not_considered),
        of_turn=one.of_turn,
        sanction=one.sanction,
        drawn_too_soon=one.drawn_too_soon,
        words=words,
    )
