"""What happens to the sheets of a round together. The names are for ever."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundOpened:
    tournament: str
    stage: str
    round: int
    games: tuple[str, ...]
    publication: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundCompleted:
    tournament: str
    stage: str
    round: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundReopened:
    tournament: str
    stage: str
    round: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallAccepted:
    tournament: str
    stage: str
    round: int
    recall: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallRefused:
    tournament: str
    stage: str
    round: int
    recall: str
    game: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RepairAccepted:
    tournament: str
    stage: str
    round: int
    repair: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RepairRefused:
    tournament: str
    stage: str
    round: int
    repair: str
    game: str


type Event = (
    RoundOpened | RoundCompleted | RoundReopened | RecallAccepted | RecallRefused | RepairAccepted | RepairRefused
)
