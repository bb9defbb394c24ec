"""How a season is shown: its tables with names, as JSON and as sheets."""

from collections.abc import Iterable, Mapping
from typing import Literal

from services.standings.api.seasons.bodies import (
    ContestShown,
    CupRow,
    CutShown,
    Departure,
    EqualAtTheCut,
    ListPublished,
    PersonOfSeason,
    QualificationRow,
    RatedShown,
    RatingRow,
    SeasonBook,
    SeasonRatings,
    SeasonTable,
    TournamentOfSeason,
)
from services.standings.api.seasons.desk import Known
from services.standings.api.seasons.files import RATINGS
from services.standings.domain.season import Book
from services.standings.seasons.calculate import SeasonStandings
from shared.access.asker import Asker
from shared.access.policy import Policy
from shared.csv_lines import written
from shared.http.responses import action

COLUMNS_OF = {"live": ("rating", "games"), "online": ("online_rating", "online_games")}

type Names = Mapping[str, str]
type Status = Literal["open", "closed"]


def status(book: Book) -> Status:
    return "closed" if book.is_closed else "open"


def season_table(known: Known, sums: SeasonStandings, names: Names) -> SeasonTable:
    return SeasonTable(
        season=known.season,
        federation=known.opened.federation,
        name=known.opened.name,
        rules=known.rules.id,
        status=status(known.book),
        tournaments=parts(known),
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
        unresolved=[EqualAtTheCut(persons=one.players, needs="lot") for one in sums.unresolved],
    )


def parts(known: Known) -> list[TournamentOfSeason]:
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
        for name, one in known.held.items()
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


def season_ratings(known: Known, sums: SeasonStandings, names: Names, only: str | None) -> SeasonRatings:
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


def season_book(season: str, book: Book, asker: Asker, actions: Mapping[str, Policy]) -> SeasonBook:
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
        allowed_actions=[action(name, asker.why_not(policy, season)) for name, policy in actions.items()],
    )


def ratings_sheet(found: SeasonRatings) -> bytes:
    """One line for each person, as the next season takes it."""
    lines: dict[str, dict[str, object]] = {}
    for row in found.ratings:
        rating, games = COLUMNS_OF[row.list]
        line = lines.setdefault(row.person, {"person": row.person, "name": row.name or ""})
        line |= {rating: row.rating, games: row.games}
    return written(RATINGS, lines.values())


def as_sheet(rows: Iterable[CupRow | QualificationRow | RatedShown], columns: tuple[str, ...]) -> bytes:
    """Whatever is a cell of its own in the columns; what is not known stays empty."""
    return written(
        columns,
        ({name: cell(getattr(row, name)) for name in columns if getattr(row, name) is not None} for row in rows),
    )


def cell(value: object) -> object:
    return {True: "yes", False: ""}[value] if isinstance(value, bool) else value
