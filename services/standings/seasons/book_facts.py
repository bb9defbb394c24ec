"""What has been decided about a season, and what these facts speak of."""

from dataclasses import dataclass
from typing import Literal

from shared.contracts.parts import CupPlace, QualificationPlace, RatedPerson
from shared.numbers import Number

type SettledBy = Literal["lot", "decision"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FirstRating:
    """Of a person at the beginning of the season; none where they are new to a list."""

    person: str
    rating: Number | None = None
    online_rating: Number | None = None
    games: int = 0
    online_games: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceElsewhere:
    person: str
    place: int
    expelled: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Contest:
    """A contest or tournament that was held elsewhere."""

    contest: str
    kind: str
    on: str
    places: tuple[PlaceElsewhere, ...]
    organisers: tuple[str, ...] = ()
    rating_list: str | None = None  # that its games move, where its kind can move several


@dataclass(frozen=True, kw_only=True, slots=True)
class GameElsewhere:
    """A game of such a tournament between two persons."""

    round: int
    persons: tuple[str, str]
    points: Number  # of the first; the other has the rest of one


@dataclass(frozen=True, kw_only=True, slots=True)
class RatingList:
    list: str
    ratings: tuple[RatedPerson, ...]


# Facts


@dataclass(frozen=True, kw_only=True, slots=True)
class RatingsImported:
    season: str
    ratings: tuple[FirstRating, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ContestRecorded:
    """Recorded once more, this is all of it."""

    season: str
    contest: str
    kind: str
    on: str
    places: tuple[PlaceElsewhere, ...]
    organisers: tuple[str, ...]
    rating_list: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class GamesRecorded:
    """Of a contest that is recorded. Recorded once more, these are all of them."""

    season: str
    contest: str
    games: tuple[GameElsewhere, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChampionNamed:
    season: str
    person: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class DepartureJudged:
    season: str
    tournament: str
    person: str
    is_serious: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class FieldAnnounced:
    """So many qualify; none: as many as the rules say."""

    season: str
    field: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class CutSettled:
    """Who were equal at the cut are in this order; it counts as long as just they are."""

    season: str
    by: SettledBy
    order: tuple[str, ...]
    reason: str | None = None  # names the note with the words


@dataclass(frozen=True, kw_only=True, slots=True)
class QualificationPublished:
    """Who goes on to the championship, and who are the reserves; the season goes on."""

    season: str
    federation: str
    on: str
    qualification: tuple[QualificationPlace, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RatingListPublished:
    season: str
    federation: str
    list: str
    on: str
    ratings: tuple[RatedPerson, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeasonTablePublished:
    season: str
    federation: str
    on: str
    cup: tuple[CupPlace, ...]
    qualification: tuple[QualificationPlace, ...]
    unresolved: tuple[str, ...]


type Event = (
    RatingsImported
    | ContestRecorded
    | GamesRecorded
    | ChampionNamed
    | DepartureJudged
    | FieldAnnounced
    | CutSettled
    | QualificationPublished
    | RatingListPublished
    | SeasonTablePublished
)
