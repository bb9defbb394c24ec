"""What a federation may ask of a season."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.standings.seasons.book_facts import Contest, FirstRating, GameElsewhere, RatingList, SettledBy
from shared.contracts.parts import CupPlace, QualificationPlace


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportRatings:
    season: str
    ratings: tuple[FirstRating, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordContests:
    season: str
    contests: tuple[Contest, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordGames:
    season: str
    games: Mapping[str, tuple[GameElsewhere, ...]]  # by contest


@dataclass(frozen=True, kw_only=True, slots=True)
class NameChampion:
    season: str
    person: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeDeparture:
    """Whether who left a tournament early had a serious reason: then their place counts."""

    season: str
    tournament: str
    person: str
    is_serious: bool
    has_left: bool  # by what is known of the tournament, and its rules let such a place count


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishRatings:
    season: str
    federation: str
    on: str
    lists: tuple[RatingList, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CloseSeason:
    season: str
    federation: str
    on: str
    cup: tuple[CupPlace, ...]
    qualification: tuple[QualificationPlace, ...]
    unresolved: tuple[str, ...]
    lists: tuple[RatingList, ...]  # with what idleness has cost
    obstacles: tuple[str, ...]  # why it cannot be closed


@dataclass(frozen=True, kw_only=True, slots=True)
class AnnounceField:
    """How many qualify, where that is another number than the rules say."""

    season: str
    field: int | None
    qualifies: bool  # whether anybody does, by the rules of the season


@dataclass(frozen=True, kw_only=True, slots=True)
class SettleCut:
    season: str
    by: SettledBy
    order: tuple[str, ...]
    waiting: tuple[str, ...]  # who are equal at the cut now
    obstacles: tuple[str, ...]  # what may still break the tie by itself
    reason: str | None = None  # names the note with the words


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishQualification:
    season: str
    federation: str
    on: str
    qualification: tuple[QualificationPlace, ...]
    obstacles: tuple[str, ...]


type Command = (
    ImportRatings
    | RecordContests
    | RecordGames
    | NameChampion
    | JudgeDeparture
    | AnnounceField
    | SettleCut
    | PublishQualification
    | PublishRatings
    | CloseSeason
)
