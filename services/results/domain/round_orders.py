"""What may be asked of the sheets of a round together."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenRound:
    tournament: str
    stage: str
    round: int
    games: tuple[str, ...]
    publication: str  # the id of the message that published it


@dataclass(frozen=True, kw_only=True, slots=True)
class CompleteRound:
    """Every one of these games has its result, or does not count."""

    games: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReopenRound:
    """The result of one of its games does not stand any more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerRecall:
    tournament: str
    stage: str
    round: int
    recall: str
    begun: str | None  # a game that has begun


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerRepair:
    tournament: str
    stage: str
    round: int
    repair: str
    begun: str | None  # one of the games that should change, if it has begun


type Command = OpenRound | CompleteRound | ReopenRound | AnswerRecall | AnswerRepair
