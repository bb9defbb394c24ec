"""What may be asked of the sheets of a round together."""

from shared.commands.decider import Order


class OpenRound(Order):
    tournament: str
    stage: str
    round: int
    games: tuple[str, ...]
    publication: str  # the id of the message that published it


class CompleteRound(Order):
    """Every one of these games has its result, or does not count."""

    games: frozenset[str]


class ReopenRound(Order):
    """The result of one of its games does not stand any more."""


class AnswerRecall(Order):
    tournament: str
    stage: str
    round: int
    recall: str
    begun: str | None  # a game that has begun


class AnswerRepair(Order):
    tournament: str
    stage: str
    round: int
    repair: str
    begun: str | None  # one of the games that should change, if it has begun


type Command = OpenRound | CompleteRound | ReopenRound | AnswerRecall | AnswerRepair
