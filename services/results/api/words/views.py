"""Words, and the editions of their lists, as they are shown."""

from services.results.api.words.bodies import EditionShown, EditionsShown, WordShown
from services.results.domain.editions import EditionsState, EditionTaken
from services.results.games.scrabble.word_check import CheckedWord


def edition_shown(identity: str, taken: EditionTaken) -> EditionShown:
    return EditionShown(
        id=identity,
        name=taken.name,
        edition=taken.edition,
        dated=taken.dated,
        words=taken.words,
        complete=taken.complete,
        faults=taken.faults,
        content=taken.content,
    )


def editions_shown(state: EditionsState) -> EditionsShown:
    return EditionsShown(editions=[edition_shown(identity, taken) for identity, taken in state.taken.items()])


def word_shown(checked: CheckedWord) -> WordShown:
    return WordShown(
        word=checked.word,
        verdict=checked.verdict,
        rule=checked.rule,
        clause=checked.clause,
        explanation=checked.explanation,
        source=checked.source,
        may_be_verified=checked.may_be_verified,
    )
