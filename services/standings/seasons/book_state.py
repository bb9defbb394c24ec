"""What is known of a season besides its tournaments: all that has been decided about it."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from services.standings.seasons.book_facts import (
    ChampionNamed,
    Contest,
    ContestRecorded,
    CutSettled,
    DepartureJudged,
    Event,
    FieldAnnounced,
    FirstRating,
    GameElsewhere,
    GamesRecorded,
    QualificationPublished,
    RatingListPublished,
    RatingsImported,
    SeasonTablePublished,
)
from shared.values import Value


class Book(Value):
    ratings: Mapping[str, FirstRating] = msgspec.field(default_factory=dict[str, FirstRating])
    contests: Mapping[str, Contest] = msgspec.field(default_factory=dict[str, Contest])
    games: Mapping[str, tuple[GameElsewhere, ...]] = msgspec.field(default_factory=dict[str, tuple[GameElsewhere, ...]])
    champion: str | None = None
    serious: frozenset[tuple[str, str]] = frozenset()  # tournaments, and who left them for a serious reason
    places: int | None = None  # so many qualify
    cut: Mapping[frozenset[str], CutSettled] = msgspec.field(default_factory=dict[frozenset[str], CutSettled])
    qualification: QualificationPublished | None = None  # once it is published
    lists: Mapping[tuple[str, str], RatingListPublished] = msgspec.field(
        default_factory=dict[tuple[str, str], RatingListPublished]
    )  # all that were published, by list and day
    table: SeasonTablePublished | None = None  # once it is closed

    @property
    def is_closed(self) -> bool:
        return self.table is not None

    @property
    def published(self) -> Mapping[str, RatingListPublished]:
        """The newest of each list."""
        return {name: self.lists[name, on] for name, on in sorted(self.lists)}


def evolve(state: Book, event: Event) -> Book:
    match event:
        case RatingsImported() | ContestRecorded() | GamesRecorded():
            return brought_in(state, event)
        case ChampionNamed():
            return replace(state, champion=event.person)
        case DepartureJudged():
            which = {(event.tournament, event.person)}
            return replace(state, serious=state.serious | which if event.is_serious else state.serious - which)
        case FieldAnnounced():
            return replace(state, places=event.field)
        case CutSettled():
            return replace(state, cut={**state.cut, frozenset(event.order): event})
        case QualificationPublished():
            return replace(state, qualification=event)
        case RatingListPublished():
            return replace(state, lists={**state.lists, (event.list, event.on): event})
        case SeasonTablePublished():
            return replace(state, table=event)


def brought_in(state: Book, event: RatingsImported | ContestRecorded | GamesRecorded) -> Book:
    match event:
        case RatingsImported():
            return replace(state, ratings={**state.ratings, **{one.person: one for one in event.ratings}})
        case ContestRecorded():
            contest = Contest(
                contest=event.contest,
                kind=event.kind,
                on=event.on,
                places=event.places,
                organisers=event.organisers,
                rating_list=event.rating_list,
            )
            return replace(state, contests={**state.contests, event.contest: contest})
        case GamesRecorded():
            return replace(state, games={**state.games, event.contest: event.games})
