"""What a federation decides about a season: where ratings begin, what happened elsewhere, who is champion, and its end.

One stream a season. What follows from tournaments comes with the orders, and not from this stream.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.contracts.parts import CupPlace, QualificationPlace, RatedPerson
from shared.numbers import Number
from shared.refusals import Conflict
from shared.values import Value

type SettledBy = Literal["lot", "decision"]


class FirstRating(Value):
    """The ratings of a person at the beginning of the season; none where they are new to a list."""

    person: str
    rating: Number | None = None
    online_rating: Number | None = None
    games: int = 0
    online_games: int = 0


class PlaceElsewhere(Value):
    person: str
    place: int
    expelled: bool = False


class ContestElsewhere(Value):
    """A contest or tournament that was held elsewhere."""

    contest: str
    kind: str
    on: str
    places: tuple[PlaceElsewhere, ...]
    organisers: tuple[str, ...] = ()
    rating_list: str | None = None  # that its games move, where its kind can move several


class GameElsewhere(Value):
    """A game of such a contest between two persons."""

    round: int
    persons: tuple[str, str]
    points: Number  # of the first; the other has the rest of one


class RatingList(Value):
    list: str
    ratings: tuple[RatedPerson, ...]


# Orders


class ImportRatings(Order):
    season: str
    ratings: tuple[FirstRating, ...]


class RecordContests(Order):
    season: str
    contests: tuple[ContestElsewhere, ...]


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
    lists: tuple[RatingList, ...]  # with what idleness has cost
    obstacles: tuple[str, ...]  # why it cannot be closed


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


# Facts


class RatingsImported(Fact):
    """The season begins from these ratings, computed elsewhere."""

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
    """The games of a contest that is recorded. Recorded once more, these are all of them."""

    season: str
    contest: str
    games: tuple[GameElsewhere, ...]


class ChampionNamed(Fact):
    """This person is the champion of the season, or nobody is."""

    season: str
    person: str | None


class DepartureJudged(Fact):
    """Whether somebody had a serious reason to leave a tournament of the season: without one it counts against them."""

    season: str
    tournament: str
    person: str
    is_serious: bool


class FieldAnnounced(Fact):
    """So many qualify; without a number as many as the rules say."""

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
    """The ratings of the federation are these from that day on."""

    season: str
    federation: str
    list: str
    on: str
    ratings: tuple[RatedPerson, ...]


class SeasonTablePublished(Fact):
    """The season is added up: cup and qualification. A tie at the cut is decided before, so that nobody is unresolved, unless
    it was closed when that was not asked for yet."""

    season: str
    federation: str
    on: str
    cup: tuple[CupPlace, ...]
    qualification: tuple[QualificationPlace, ...]
    unresolved: tuple[str, ...] = ()


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


# The state


class Book(Value):
    ratings: Mapping[str, FirstRating] = msgspec.field(default_factory=dict[str, FirstRating])
    contests: Mapping[str, ContestElsewhere] = msgspec.field(default_factory=dict[str, ContestElsewhere])
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
    def told_to_qualify(self) -> Sequence[QualificationPlace]:
        """As it was published last; nobody before."""
        return self.qualification.qualification if self.qualification else ()

    @property
    def published(self) -> Mapping[str, RatingListPublished]:
        """The newest of each list."""
        return {name: self.lists[name, on] for name, on in sorted(self.lists)}


# Refusals


class NobodyLeft(Conflict):
    """There is no departure to judge."""


class SeasonNotOver(Conflict):
    """Something of the season is still going on."""


class NobodyQualifies(Conflict):
    """The rules of this season let nobody qualify for anything."""


class NoSuchTie(Conflict):
    """These persons are not equal at the cut, or not they alone."""


class LotStands(Conflict):
    """A lot is not put aside by a decision."""


def decide(state: Book, command: Command) -> list[Event]:
    """A closed season takes corrections like an open one; then it is closed once more."""
    match command:
        case ImportRatings() | RecordContests() | RecordGames():
            return bring_in(state, command)
        case NameChampion():
            named = ChampionNamed(season=command.season, person=command.person)
            return [] if state.champion == command.person else [named]
        case JudgeDeparture():
            return judge(state, command)
        case AnnounceField():
            return announce(state, command)
        case SettleCut():
            return settle(state, command)
        case PublishQualification():
            return tell(state, command)
        case PublishRatings():
            return publish(state, command)
        case CloseSeason():
            return close(state, command)


def bring_in(state: Book, command: ImportRatings | RecordContests | RecordGames) -> list[Event]:
    """What is there already comes in without effect."""
    match command:
        case ImportRatings():
            found = tuple(one for one in command.ratings if state.ratings.get(one.person) != one)
            return [RatingsImported(season=command.season, ratings=found)] if found else []
        case RecordContests():
            return [
                ContestRecorded(season=command.season, **msgspec.structs.asdict(one))
                for one in command.contests
                if state.contests.get(one.contest) != one
            ]
        case RecordGames():
            return [
                GamesRecorded(season=command.season, contest=contest, games=games)
                for contest, games in command.games.items()
                if state.games.get(contest) != games
            ]


def judge(state: Book, command: JudgeDeparture) -> list[Event]:
    if ((command.tournament, command.person) in state.serious) == command.is_serious:
        return []
    if command.is_serious and not command.has_left:
        raise NobodyLeft(
            "This person has not withdrawn early from such a tournament of the season, or its rules leave nothing to judge."
        )
    return [msgspec.convert(command, DepartureJudged, from_attributes=True)]


def announce(state: Book, command: AnnounceField) -> list[Event]:
    if not command.qualifies:
        raise NobodyQualifies("Nobody qualifies by the rules of this season: there is no number to announce.")
    return [] if state.places == command.field else [FieldAnnounced(season=command.season, field=command.field)]


def settle(state: Book, command: SettleCut) -> list[Event]:
    """A lot stays as it was drawn; a decision may be mended by another one."""
    persons = frozenset(command.order)
    before = state.cut.get(persons)
    if before is not None and (before.by, before.order) == (command.by, command.order):
        return []
    if before is not None and before.by == "lot":
        raise LotStands("A lot was drawn between them, and it stands.")
    if command.obstacles:
        raise SeasonNotOver(" ".join(command.obstacles))
    if len(persons) != len(command.order) or (before is None and persons != frozenset(command.waiting)):
        there = f"Just these are: {', '.join(command.waiting)}." if command.waiting else "Nobody is."
        raise NoSuchTie(f"These persons, each named once, are not all who are equal at the cut. {there}")
    return [msgspec.convert(command, CutSettled, from_attributes=True)]


def tell(state: Book, command: PublishQualification) -> list[Event]:
    if command.obstacles:
        raise SeasonNotOver(" ".join(command.obstacles))
    told = msgspec.convert(command, QualificationPublished, from_attributes=True)
    return [] if state.qualification is not None and replace(state.qualification, on=command.on) == told else [told]


def publish(state: Book, command: PublishRatings | CloseSeason) -> list[Event]:
    """The same list of the same day is published once."""
    found = [
        RatingListPublished(
            season=command.season, federation=command.federation, list=one.list, on=command.on, ratings=one.ratings
        )
        for one in command.lists
    ]
    return [one for one in found if state.lists.get((one.list, one.on)) != one]


def close(state: Book, command: CloseSeason) -> list[Event]:
    if command.obstacles:
        raise SeasonNotOver(" ".join(command.obstacles))
    table = msgspec.convert(command, SeasonTablePublished, from_attributes=True)
    if state.table is not None and replace(state.table, on=command.on) == table and not is_moved(state, command):
        return []
    return [table, *publish(state, command)]


def is_corrected(told: SeasonTablePublished, state: Book, command: CloseSeason) -> bool:
    """Whether it adds up otherwise than was told as final. A list that was published since, also one of the federation's
    own, corrects nothing by itself."""
    table = msgspec.convert(command, SeasonTablePublished, from_attributes=True)
    since = [(one.list, one.ratings) for one in state.lists.values() if one.on >= told.on]
    return replace(told, on=command.on, unresolved=()) != table or any(
        (one.list, one.ratings) not in since for one in command.lists
    )


def is_moved(state: Book, command: CloseSeason) -> bool:
    """Whether a list has other ratings than were published, whenever that was."""
    published = {name: one.ratings for name, one in state.published.items()}
    return any(published.get(one.list) != one.ratings for one in command.lists)


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
            contest = msgspec.convert(event, ContestElsewhere, from_attributes=True)
            return replace(state, contests={**state.contests, event.contest: contest})
        case GamesRecorded():
            return replace(state, games={**state.games, event.contest: event.games})


SEASON: Decider[Book, Command, Event] = Decider(
    kind="season", initial=Book(), decide=decide, evolve=evolve, events=classes_of(Event)
)
