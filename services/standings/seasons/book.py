"""What a federation decides about a season: where ratings begin, what happened elsewhere, who is champion, and its end.

One stream a season. What follows from tournaments comes with the orders, and not from this stream.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from services.standings.seasons.book_facts import (
    ChampionNamed,
    Contest,
    ContestRecorded,
    DepartureJudged,
    Event,
    FirstRating,
    RatingList,
    RatingListPublished,
    RatingsImported,
    SeasonTablePublished,
)
from shared.decider import Conflict, Decider
from shared.season_rows import CupPlace, QualificationPlace

# Orders


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportRatings:
    season: str
    ratings: tuple[FirstRating, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordContests:
    season: str
    contests: tuple[Contest, ...]


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


type Command = ImportRatings | RecordContests | NameChampion | JudgeDeparture | PublishRatings | CloseSeason

# State


@dataclass(frozen=True, kw_only=True, slots=True)
class Book:
    ratings: Mapping[str, FirstRating] = field(default_factory=dict[str, FirstRating])
    contests: Mapping[str, Contest] = field(default_factory=dict[str, Contest])
    champion: str | None = None
    serious: frozenset[tuple[str, str]] = frozenset()  # tournaments, and who left them for a serious reason
    published: Mapping[str, RatingListPublished] = field(default_factory=dict[str, RatingListPublished])  # by list
    table: SeasonTablePublished | None = None  # once it is closed

    @property
    def is_closed(self) -> bool:
        return self.table is not None


# Refusals


class NobodyLeft(Conflict):
    """There is no departure to judge."""


class SeasonNotOver(Conflict):
    """Something of the season is still going on."""


def decide(state: Book, command: Command) -> list[Event]:
    """A closed season takes corrections like an open one; then it is closed once more."""
    match command:
        case ImportRatings():
            found = tuple(one for one in command.ratings if state.ratings.get(one.person) != one)
            return [RatingsImported(season=command.season, ratings=found)] if found else []
        case RecordContests():
            return [recorded(command.season, one) for one in command.contests if state.contests.get(one.contest) != one]
        case NameChampion():
            named = ChampionNamed(season=command.season, person=command.person)
            return [] if state.champion == command.person else [named]
        case JudgeDeparture():
            return judge(state, command)
        case PublishRatings():
            return publish(state, command)
        case CloseSeason():
            return close(state, command)


def recorded(season: str, one: Contest) -> ContestRecorded:
    return ContestRecorded(
        season=season, contest=one.contest, kind=one.kind, on=one.on, places=one.places, organisers=one.organisers
    )


def judge(state: Book, command: JudgeDeparture) -> list[Event]:
    if ((command.tournament, command.person) in state.serious) == command.is_serious:
        return []
    if command.is_serious and not command.has_left:
        raise NobodyLeft(
            "This person has not withdrawn early from such a tournament of the season, or its rules leave nothing to judge."
        )
    judged = DepartureJudged(
        season=command.season,
        tournament=command.tournament,
        person=command.person,
        is_serious=command.is_serious,
    )
    return [judged]


def publish(state: Book, command: PublishRatings | CloseSeason) -> list[Event]:
    """The same list of the same day is published once."""
    found = [
        RatingListPublished(
            season=command.season, federation=command.federation, list=one.list, on=command.on, ratings=one.ratings
        )
        for one in command.lists
    ]
    return [one for one in found if state.published.get(one.list) != one]


def close(state: Book, command: CloseSeason) -> list[Event]:
    if command.obstacles:
        raise SeasonNotOver(" ".join(command.obstacles))
    table = SeasonTablePublished(
        season=command.season,
        federation=command.federation,
        on=command.on,
        cup=command.cup,
        qualification=command.qualification,
        unresolved=command.unresolved,
    )
    if state.table is not None and replace(state.table, on=command.on) == table and not is_moved(state, command):
        return []
    return [table, *publish(state, command)]


def is_moved(state: Book, command: CloseSeason) -> bool:
    """Whether a list has other ratings than were published, whenever that was."""
    published = {name: one.ratings for name, one in state.published.items()}
    return any(published.get(one.list) != one.ratings for one in command.lists)


def evolve(state: Book, event: Event) -> Book:
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
            )
            return replace(state, contests={**state.contests, event.contest: contest})
        case ChampionNamed():
            return replace(state, champion=event.person)
        case DepartureJudged():
            which = {(event.tournament, event.person)}
            return replace(state, serious=state.serious | which if event.is_serious else state.serious - which)
        case RatingListPublished():
            return replace(state, published={**state.published, event.list: event})
        case SeasonTablePublished():
            return replace(state, table=event)


BOOK: Decider[Book, Command, Event] = Decider(
    kind="season",
    initial=Book(),
    decide=decide,
    evolve=evolve,
    events=(
        RatingsImported,
        ContestRecorded,
        ChampionNamed,
        DepartureJudged,
        RatingListPublished,
        SeasonTablePublished,
    ),
)
