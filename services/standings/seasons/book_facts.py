"""What has been decided about a season, and what these facts speak of."""

from typing import Literal

from shared.commands.decider import Fact
from shared.contracts.parts import CupPlace, QualificationPlace, RatedPerson
from shared.numbers import Number
from shared.values import Value

type SettledBy = Literal["lot", "decision"]


class FirstRating(Value):
    """Of a person at the beginning of the season; none where they are new to a list."""

    person: str
    rating: Number | None = None
    online_rating: Number | None = None
    games: int = 0
    online_games: int = 0


class PlaceElsewhere(Value):
    person: str
    place: int
    expelled: bool = False


class Contest(Value):
    """A contest or tournament that was held elsewhere."""

    contest: str
    kind: str
    on: str
    places: tuple[PlaceElsewhere, ...]
    organisers: tuple[str, ...] = ()
    rating_list: str | None = None  # that its games move, where its kind can move several


class GameElsewhere(Value):
    """A game of such a tournament between two persons."""

    round: int
    persons: tuple[str, str]
    points: Number  # of the first; the other has the rest of one


class RatingList(Value):
    list: str
    ratings: tuple[RatedPerson, ...]


# Facts


class RatingsImported(Fact):
    season: str
    ratings: tuple[FirstRating, ...]


class ContestRecorded(Fact):
    """Recorded once more, this is all of it."""

    season: str
    contest: str
    kind: str
    on: str
    places: tuple[PlaceElsewhere, ...]
    organisers: tuple[str, ...]
    rating_list: str | None = None


class GamesRecorded(Fact):
    """Of a contest that is recorded. Recorded once more, these are all of them."""

    season: str
    contest: str
    games: tuple[GameElsewhere, ...]


class ChampionNamed(Fact):
    season: str
    person: str | None


class DepartureJudged(Fact):
    season: str
    tournament: str
    person: str
    is_serious: bool


class FieldAnnounced(Fact):
    """So many qualify; none: as many as the rules say."""

    season: str
    field: int | None


class CutSettled(Fact):
    """Who were equal at the cut are in this order; it counts as long as just they are."""

    season: str
    by: SettledBy
    order: tuple[str, ...]
    reason: str | None = None  # names the note with the words


class QualificationPublished(Fact):
    """Who goes on to the championship, and who are the reserves; the season goes on."""

    season: str
    federation: str
    on: str
    qualification: tuple[QualificationPlace, ...]


class RatingListPublished(Fact):
    season: str
    federation: str
    list: str
    on: str
    ratings: tuple[RatedPerson, ...]


class SeasonTablePublished(Fact):
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
