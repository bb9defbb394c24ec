"""How a season is shown: its tables and rating lists with names, its book, and what a decision would change."""

from collections.abc import Mapping
from typing import Literal

from services.standings.api.bodies import Foreseen
from services.standings.api.seasons.bodies import (
    ContestShown,
    CupRow,
    CutShown,
    Departure,
    EqualAtTheCut,
    ListPublished,
    OutdatedQualification,
    PersonOfSeason,
    QualificationRow,
    RatedShown,
    RatingLists,
    RatingListShown,
    RatingRow,
    SeasonBook,
    SeasonRatings,
    SeasonTable,
    TournamentOfSeason,
)
from services.standings.api.seasons.known import KnownSeason
from services.standings.domain.season import (
    Book,
    CloseSeason,
    ImportRatings,
    PublishQualification,
    PublishRatings,
    RatingListPublished,
    RecordContests,
    RecordGames,
)
from services.standings.seasons.calculate import SeasonStandings
from shared.http.responses import Actions

type PersonNames = Mapping[str, str]
type Status = Literal["open", "closed"]


def status(book: Book) -> Status:
    return "closed" if book.is_closed else "open"


def season_table(known: KnownSeason, sums: SeasonStandings, names: PersonNames, *, is_corrected: bool) -> SeasonTable:
    return SeasonTable(
        season=known.season,
        federation=known.federation,
        name=known.opened.name,
        rules=known.rules.id,
        status=status(known.book),
        corrected=is_corrected,
        tournaments=tournaments_of(known),
        cup=[
            CupRow(place=row.place, person=row.player, name=names.get(row.player), points=row.points, slots=row.slots)
            for row in sums.cup
        ],
        qualification=[
            QualificationRow(
                place=row.place,
                person=row.player,
                name=names.get(row.player),
                points=row.points,
                qualified=row.qualified,
                champion=bool(row.champion),
            )
            for row in sums.qualification
        ],
        reserves=[PersonOfSeason(person=one, name=names.get(one)) for one in sums.reserves],
        unresolved=[EqualAtTheCut(persons=one.players, places=one.places, needs="lot") for one in sums.unresolved],
        decided=sums.decided,
        outdated=outdated(known, sums, names),
        merged=dict(known.merged),
    )


def outdated(known: KnownSeason, sums: SeasonStandings, names: PersonNames) -> OutdatedQualification | None:
    """Points alone move nobody; who was merged with somebody since had the better of both places."""
    told = known.book.qualification
    if told is None:
        return None
    then = {known.kept(row.person): (row.place, row.qualified) for row in reversed(told.qualification)}
    now = {row.player: (row.place, row.qualified) for row in sums.qualification}
    if then == now:
        return None
    before, after = ([one for one, (_, qualified) in rows.items() if qualified] for rows in (then, now))
    undecided = {one for tie in sums.unresolved for one in tie.players}
    return OutdatedQualification(
        qualified=[PersonOfSeason(person=one, name=names.get(one)) for one in after if one not in before],
        lost=[
            PersonOfSeason(person=one, name=names.get(one))
            for one in reversed(before)
            if one not in {*after, *undecided}
        ],
    )


def tournaments_of(known: KnownSeason) -> list[TournamentOfSeason]:
    here = [
        TournamentOfSeason(
            tournament=name,
            name=one.announced.name,
            kind=one.announced.kind,
            rating_list=one.announced.rating_list,
            on=one.announced.on,
            status="completed" if one.is_completed else "running",
            settled=one.is_settled,
            field=sum(len(reached.persons) for reached in one.places),
        )
        for name, one in known.tournaments.items()
    ]
    elsewhere = [
        TournamentOfSeason(
            tournament=one.contest,
            name=None,
            kind=one.kind,
            rating_list=one.rating_list,
            on=one.on,
            status="elsewhere",
            settled=True,
            field=len(one.places),
        )
        for one in known.book.contests.values()
    ]
    return sorted([*here, *elsewhere], key=lambda one: (one.on, one.tournament))


def season_ratings(known: KnownSeason, sums: SeasonStandings, names: PersonNames, only: str | None) -> SeasonRatings:
    return SeasonRatings(
        season=known.season,
        status=status(known.book),
        counted_to=max(
            [
                *(one.announced.on for one in known.completed.values()),
                *(one.on for one in known.book.contests.values() if one.contest in known.book.games),
            ],
            default=None,
        ),
        published=published(known.book),
        ratings=[
            RatingRow(
                list=row.list,
                person=row.player,
                name=names.get(row.player),
                before=row.before,
                rating=row.after,
                games=row.games,
            )
            for row in sums.ratings
            if only in {None, row.list}
        ],
    )


def published(book: Book) -> list[ListPublished]:
    return [
        ListPublished(list=one.list, on=one.on, ratings=len(one.ratings)) for _, one in sorted(book.published.items())
    ]


def season_book(season: str, book: Book, allowed: Actions) -> SeasonBook:
    return SeasonBook(
        season=season,
        status=status(book),
        closed_on=book.table.on if book.table else None,
        champion=book.champion,
        first_ratings=len(book.ratings),
        contests=[
            ContestShown(
                contest=one.contest,
                kind=one.kind,
                on=one.on,
                places=len(one.places),
                games=len(book.games.get(one.contest, ())),
                rating_list=one.rating_list,
                organisers=list(one.organisers),
            )
            for _, one in sorted(book.contests.items())
        ],
        serious_reasons=[Departure(tournament=held, person=person) for held, person in sorted(book.serious)],
        field=book.places,
        cut=[CutShown.model_validate(one, from_attributes=True) for one in book.cut.values()],
        qualification_on=book.qualification.on if book.qualification else None,
        published=published(book),
        allowed_actions=allowed,
    )


def rating_lists_view(season: str, book: Book) -> RatingLists:
    """List by list, the newest first."""
    newest = sorted(sorted(book.lists, key=lambda one: one[1], reverse=True), key=lambda one: one[0])
    return RatingLists(
        season=season,
        items=[ListPublished(list=name, on=on, ratings=len(book.lists[name, on].ratings)) for name, on in newest],
    )


def rating_list_view(told: RatingListPublished, names: Mapping[str, str]) -> RatingListShown:
    places: dict[int, int] = {}
    for place, rating in enumerate(sorted((row.rating for row in told.ratings), reverse=True), start=1):
        places.setdefault(rating, place)
    return RatingListShown(
        season=told.season,
        list=told.list,
        on=told.on,
        ratings=[
            RatedShown(
                place=places[row.rating],
                person=row.person,
                name=names.get(row.person),
                rating=row.rating,
                games=row.games,
            )
            for row in told.ratings
        ],
    )


# What a decision would change


def foreseen_games(known: KnownSeason, order: RecordGames) -> Foreseen:
    found = {one: several for one, several in order.games.items() if known.book.games.get(one) != several}
    return Foreseen(
        changes=[f"{one} is recorded with {len(several)} games, which move ratings." for one, several in found.items()],
        lost=[f"The games that were recorded of {one} before." for one in found if one in known.book.games],
    )


def foreseen_list(known: KnownSeason, order: PublishRatings) -> Foreseen:
    (one,) = order.lists
    again = (one.list, order.on) in known.book.lists
    return Foreseen(
        changes=[f"{one.list} of {order.on} is published with {len(one.ratings)} ratings."],
        lost=[f"{one.list} of {order.on} as it was published before."] if again else [],
    )


def foreseen_ratings(known: KnownSeason, order: ImportRatings) -> Foreseen:
    new = sum(known.book.ratings.get(one.person) != one for one in order.ratings)
    return Foreseen(changes=[f"{new} of {len(order.ratings)} begin the season with other ratings."], lost=[])


def foreseen_contests(known: KnownSeason, order: RecordContests) -> Foreseen:
    found = [one for one in order.contests if known.book.contests.get(one.contest) != one]
    again = [one.contest for one in found if one.contest in known.book.contests]
    return Foreseen(
        changes=[f"{one.contest} is recorded with {len(one.places)} places." for one in found],
        lost=[f"What was recorded of {one} before." for one in again],
    )


def foreseen_qualification(known: KnownSeason, order: PublishQualification) -> Foreseen:
    through = sum(row.qualified for row in order.qualification)
    return Foreseen(
        changes=[f"{through} have qualified, and {len(order.qualification) - through} are reserves."],
        lost=["Who had qualified as it was told before."] if known.book.qualification else [],
    )


def foreseen_publication(_: KnownSeason, order: PublishRatings) -> Foreseen:
    return Foreseen(
        changes=[f"{len(one.ratings)} ratings are published on {one.list}." for one in order.lists], lost=[]
    )


def foreseen_closing(known: KnownSeason, order: CloseSeason) -> Foreseen:
    through = sum(row.qualified for row in order.qualification)
    return Foreseen(
        changes=[
            f"The cup is told with {len(order.cup)} places, and that {through} have qualified.",
            "Who has played no tournament of the season that counts for it loses rating, and the lists are published.",
        ],
        lost=["The tables as they were told before: the new ones take their place."] if known.book.is_closed else [],
    )
