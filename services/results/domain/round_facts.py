"""What happens to the sheets of a round together. The names are for ever."""

from shared.commands.decider import Fact


class RoundOpened(Fact):
    tournament: str
    stage: str
    round: int
    games: tuple[str, ...]
    publication: str


class RoundCompleted(Fact):
    tournament: str
    stage: str
    round: int


class RoundReopened(Fact):
    tournament: str
    stage: str
    round: int


class RecallAccepted(Fact):
    tournament: str
    stage: str
    round: int
    recall: str


class RecallRefused(Fact):
    tournament: str
    stage: str
    round: int
    recall: str
    game: str


class RepairAccepted(Fact):
    tournament: str
    stage: str
    round: int
    repair: str


class RepairRefused(Fact):
    tournament: str
    stage: str
    round: int
    repair: str
    game: str


type Event = (
    RoundOpened | RoundCompleted | RoundReopened | RecallAccepted | RecallRefused | RepairAccepted | RepairRefused
)
