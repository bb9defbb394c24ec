"""What results tells its neighbours."""

from shared.numbers import Number
from shared.values import Value


class GameStarted(Value):
    """A game is under way."""

    game: str
    tournament: str


class ResultFinal(Value):
    """A game has a result that both sides or an official stand by.

    Who has won stands in `points`: `winner` is the entrant who went on from a drawn match, and otherwise null.
    """

    game: str
    tournament: str
    stage: str
    round: int
    seats: tuple[str, ...]
    scores: tuple[Number, ...]
    points: tuple[Number, ...]
    end: str = "played"  # how the game ended
    by: tuple[int, ...] = ()  # seats at fault
    first: str | None = None  # who really started
    winner: str | None = None  # of a drawn match that went on
    decided_by: str | None = None  # what decided it: duel1, duel2 or lot
    draw_wins: str | None = None  # for whom a draw counts as a win
    unplayed: bool = False  # it follows from who was not there, before the game could begin


class ResultCorrected(Value):
    """The result of a game was wrong: this is the right one."""

    game: str
    tournament: str
    stage: str
    round: int
    seats: tuple[str, ...]
    scores: tuple[Number, ...]
    points: tuple[Number, ...]
    end: str = "played"
    by: tuple[int, ...] = ()
    first: str | None = None
    winner: str | None = None
    decided_by: str | None = None
    draw_wins: str | None = None


class ResultReopened(Value):
    """The result of a game does not stand for now: it is played anew. Told also where it had begun and had no result."""

    game: str
    tournament: str
    stage: str
    round: int


class GameVoided(Value):
    """A game does not count and is no meeting."""

    game: str
    tournament: str
    stage: str
    round: int


class RoundCompleted(Value):
    """Every game of a round has its result."""

    tournament: str
    stage: str
    round: int


class RecallAccepted(Value):
    """No game of the round had begun; its score sheets are closed."""

    tournament: str
    stage: str
    round: int
    recall: str


class RecallRefused(Value):
    """A game of the round has begun, so the round stands."""

    tournament: str
    stage: str
    round: int
    recall: str
    game: str


class RepairAccepted(Value):
    """None of the games had begun; their score sheets were opened anew."""

    tournament: str
    stage: str
    round: int
    repair: str


class RepairRefused(Value):
    """One of the games has begun, so all of them stand."""

    tournament: str
    stage: str
    round: int
    repair: str
    game: str


class PenaltyImposed(Value):
    """An entrant's own points change, from a round on."""

    penalty: str
    tournament: str
    entrant: str
    stage: str
    round: int
    points: Number


class PenaltyLifted(Value):
    """A penalty was wrong, and never counted."""

    penalty: str
    tournament: str


class ExpulsionDue(Value):
    """By the rules an entrant has to be expelled after this round; registration does it."""

    tournament: str
    entrant: str
    stage: str
    round: int
    clause: str
    by_official: bool = False  # disqualified, and not by a number of defaults


class ExpulsionLapsed(Value):
    """The results for which an entrant had to be expelled were corrected: nothing expels it any more."""

    tournament: str
    entrant: str
