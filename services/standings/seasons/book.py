"""What a federation decides about a season: where ratings begin, what happened elsewhere, who is champion, and its end.

One stream a season. What follows from tournaments comes with the orders, and not from this stream.
"""

from msgspec.structs import replace

from services.standings.seasons.book_facts import (
    ChampionNamed,
    Contest,
    ContestRecorded,
    CutSettled,
    DepartureJudged,
    Event,
    FieldAnnounced,
    GamesRecorded,
    QualificationPublished,
    RatingListPublished,
    RatingsImported,
    SeasonTablePublished,
)
from services.standings.seasons.book_orders import (
    AnnounceField,
    CloseSeason,
    Command,
    ImportRatings,
    JudgeDeparture,
    NameChampion,
    PublishQualification,
    PublishRatings,
    RecordContests,
    RecordGames,
    SettleCut,
)
from services.standings.seasons.book_state import Book, evolve
from shared.commands.decider import Decider
from shared.refusals import Conflict

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
            return [recorded(command.season, one) for one in command.contests if state.contests.get(one.contest) != one]
        case RecordGames():
            return [
                GamesRecorded(season=command.season, contest=contest, games=games)
                for contest, games in command.games.items()
                if state.games.get(contest) != games
            ]


def recorded(season: str, one: Contest) -> ContestRecorded:
    return ContestRecorded(
        season=season,
        contest=one.contest,
        kind=one.kind,
        on=one.on,
        places=one.places,
        organisers=one.organisers,
        rating_list=one.rating_list,
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
    return [CutSettled(season=command.season, by=command.by, order=command.order, reason=command.reason)]


def tell(state: Book, command: PublishQualification) -> list[Event]:
    if command.obstacles:
        raise SeasonNotOver(" ".join(command.obstacles))
    told = QualificationPublished(
        season=command.season, federation=command.federation, on=command.on, qualification=command.qualification
    )
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


BOOK: Decider[Book, Command, Event] = Decider(
    kind="season",
    initial=Book(),
    decide=decide,
    evolve=evolve,
    events=(
        RatingsImported,
        ContestRecorded,
        GamesRecorded,
        ChampionNamed,
        DepartureJudged,
        FieldAnnounced,
        CutSettled,
        QualificationPublished,
        RatingListPublished,
        SeasonTablePublished,
    ),
)
