"""What a federation may ask of a season."""

from collections.abc import Mapping

from services.standings.seasons.book_facts import Contest, FirstRating, GameElsewhere, RatingList, SettledBy
from shared.commands.decider import Order
from shared.contracts.parts import CupPlace, QualificationPlace


class ImportRatings(Order):
    season: str
    ratings: tuple[FirstRating, ...]


class RecordContests(Order):
    season: str
    contests: tuple[Contest, ...]


class RecordGames(Order):
    season: str
    games: Mapping[str, tuple[GameElsewhere, ...]]  # by contest


class NameChampion(Order):
    season: str
    person: str | None


class JudgeDeparture(Order):
    """Whether who left a tournament early had a serious reason: then their place counts."""

    season: str
    tournament: str
    person: str
    is_serious: bool
    has_left: bool  # by what is known of the tournament, and its rules let such a place count


class PublishRatings(Order):
    season: str
    federation: str
    on: str
    lists: tuple[RatingList, ...]


class CloseSeason(Order):
    season: str
    federation: str
    on: str
    cup: tuple[CupPlace, ...]
    qualification: tuple[QualificationPlace, ...]
    unresolved: tuple[str, ...]
    lists: tuple[RatingList, ...]  # with what idleness has cost
    obstacles: tuple[str, ...]  # why it cannot be closed


class AnnounceField(Order):
    """How many qualify, where that is another number than the rules say."""

    season: str
    field: int | None
    qualifies: bool  # whether anybody does, by the rules of the season


class SettleCut(Order):
    season: str
    by: SettledBy
    order: tuple[str, ...]
    waiting: tuple[str, ...]  # who are equal at the cut now
    obstacles: tuple[str, ...]  # what may still break the tie by itself
    reason: str | None = None  # names the note with the words


class PublishQualification(Order):
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
