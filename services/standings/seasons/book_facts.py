"""What has been decided about a season, and what these facts speak of."""

from dataclasses import dataclass

from shared.exact import Number
from shared.season_rows import CupPlace, QualificationPlace, RatedPerson


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
    """A contest or tournament that was held elsewhere. Its games move no ratings: they are not known."""

    contest: str
    kind: str
    on: str
    places: tuple[PlaceElsewhere, ...]
    organisers: tuple[str, ...] = ()


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
    RatingsImported | ContestRecorded | ChampionNamed | DepartureJudged | RatingListPublished | SeasonTablePublished
)
