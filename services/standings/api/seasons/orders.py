"""What a federation orders of its season: made from what is sent, and from what is known of the season by then."""

import asyncio
from collections.abc import Sequence
from fractions import Fraction

from services.standings.api.permissions import NO_MORE_LOTS
from services.standings.api.seasons.files import (
    GAMES,
    LIST,
    NEEDED_OF_GAMES,
    RATINGS,
    RESULTS,
    SEATS,
    contests,
    first_ratings,
    games,
    is_date,
    persons_of,
    rating_list,
)
from services.standings.api.seasons.known import KnownSeason, KnownSeasons
from services.standings.domain import season as stream
from services.standings.domain.season import (
    CloseSeason,
    ImportRatings,
    NameChampion,
    NoSuchTie,
    PublishQualification,
    PublishRatings,
    RatingList,
    RecordContests,
    RecordGames,
    SettleCut,
    SettledBy,
)
from services.standings.seasons.calculate import SeasonStandings
from shared.contracts.parts import CupPlace, QualificationPlace, RatedPerson
from shared.csv_lines import SENTENCE
from shared.faults import Faulty, InputFault
from shared.lots.drawing import Lots
from shared.lots.stream import SeedRevealed
from shared.numbers import exact, stored, whole
from shared.refusals import NotFound
from shared.rulesets.season import Kinds


class PersonUnknown(NotFound):
    """Registration knows nobody under this id, as far as is known here."""


# Files


async def import_ratings(seasons: KnownSeasons, known: KnownSeason, content: bytes) -> ImportRatings:
    lines, named = persons_of(content, RATINGS, needed=["person"])
    return ImportRatings(season=known.season, ratings=first_ratings(lines, await seasons.own(known, named)))


async def record_contests(seasons: KnownSeasons, known: KnownSeason, content: bytes, *, today: str) -> RecordContests:
    lines, named = persons_of(content, RESULTS, needed=["contest", "kind", "on", "person"])
    found = contests(lines, await seasons.own(known, named), known.rules, today)
    return RecordContests(season=known.season, contests=found)


async def record_games(seasons: KnownSeasons, known: KnownSeason, content: bytes) -> RecordGames:
    lines, named = persons_of(content, GAMES, NEEDED_OF_GAMES, SEATS)
    found = games(lines, await seasons.own(known, named), known.book.contests, known.rules)
    return RecordGames(season=known.season, games=found)


async def publish_list(
    seasons: KnownSeasons, known: KnownSeason, content: bytes, *, called: str, on: str, today: str
) -> PublishRatings:
    if not is_date(on) or on > today:
        raise Faulty(SENTENCE, [InputFault("/query/on", "should be a date such as 2026-10-01, and not to come.")])
    lines, named = persons_of(content, LIST, needed=["person", "rating"])
    found = RatingList(list=called, ratings=rating_list(lines, await seasons.own(known, named)))
    return PublishRatings(season=known.season, federation=known.federation, on=on, lists=(found,))


# Decisions


async def name_champion(seasons: KnownSeasons, known: KnownSeason, person: str | None) -> NameChampion:
    if person is not None and not await seasons.own(known, [person]):
        raise PersonUnknown("Nobody of the federation is called by this id: look for them at registration.")
    return NameChampion(season=known.season, person=person)


async def waiting_for_lot(known: KnownSeason, sums: SeasonStandings, lots: Lots) -> tuple[str, ...]:
    """Who is equal at the cut, as long as nobody can compute how a lot between them would fall."""
    waiting = equal_at_the_cut(sums)
    if not waiting:
        raise NoSuchTie("Nobody is equal at the cut: there is no lot to draw.")
    if await lots.are_shown(known.season):
        raise SeedRevealed(NO_MORE_LOTS)
    return waiting


def settle_cut(
    known: KnownSeason, sums: SeasonStandings, by: SettledBy, order: Sequence[str], reason: str | None = None
) -> SettleCut:
    return SettleCut(
        season=known.season,
        by=by,
        order=tuple(order),
        waiting=equal_at_the_cut(sums),
        obstacles=before_the_cut(known),
        reason=reason,
    )


# What is published


async def publish_qualification(known: KnownSeason, on: str) -> PublishQualification:
    sums = await known.standings()
    return PublishQualification(
        season=known.season,
        federation=known.federation,
        on=on,
        qualification=qualification_of(sums),
        obstacles=(*before_the_cut(known), *ties(sums)),
    )


async def publish_ratings(known: KnownSeason, on: str) -> PublishRatings:
    found = await asyncio.to_thread(rating_lists, known, is_over=known.book.is_closed)
    return PublishRatings(season=known.season, federation=known.federation, on=on, lists=found)


def is_corrected(known: KnownSeason, sums: SeasonStandings) -> bool:
    told = known.book.table
    return told is not None and stream.is_corrected(told, known.book, closing(known, sums, told.on))


def close_season(known: KnownSeason, on: str) -> CloseSeason:
    return closing(known, known.sums_in_the_end, on)


def closing(known: KnownSeason, sums: SeasonStandings, on: str) -> CloseSeason:
    return CloseSeason(
        season=known.season,
        federation=known.federation,
        on=on,
        cup=tuple(CupPlace(place=row.place, person=row.player, points=stored(exact(row.points))) for row in sums.cup),
        qualification=qualification_of(sums),
        lists=rating_lists(known, is_over=True),
        obstacles=(*obstacles(known, tuple(known.rules.kinds)), *ties(sums)),
    )


def qualification_of(sums: SeasonStandings) -> tuple[QualificationPlace, ...]:
    return tuple(
        QualificationPlace(
            place=row.place,
            person=row.player,
            points=stored(exact(row.points)),
            qualified=row.qualified,
            champion=bool(row.champion),
        )
        for row in sums.qualification
    )


def rating_lists(known: KnownSeason, *, is_over: bool) -> tuple[RatingList, ...]:
    """On a list is whoever has ever played for it, or came with a rating."""
    rows = known.ratings_in_the_end if is_over else known.ratings_so_far
    return tuple(
        RatingList(
            list=rating.called or rating.id,
            ratings=tuple(
                RatedPerson(person=row.player, rating=whole(Fraction(row.after)), games=row.games)
                for row in rows
                if row.list == rating.id and (row.games or row.before != rating.start)
            ),
        )
        for rating in known.rules.ratings
    )


def equal_at_the_cut(sums: SeasonStandings) -> tuple[str, ...]:
    return tuple(player for one in sums.unresolved for player in one.players)


def before_the_cut(known: KnownSeason) -> tuple[str, ...]:
    """What is still to be played or drawn in what counts for it."""
    cut = known.rules.cut
    return ("Nobody qualifies by the rules of this season.",) if cut is None else obstacles(known, cut.kinds)


def obstacles(known: KnownSeason, kinds: Kinds) -> tuple[str, ...]:
    return tuple(
        f"{one.announced.name} is under way: complete or cancel it first."
        if not one.is_completed
        else f"In {one.announced.name} a lot is still to be drawn between equal places: draw it first."
        for one in known.tournaments.values()
        if one.announced.kind in kinds and not (one.is_completed and one.is_settled)
    )


def ties(sums: SeasonStandings) -> tuple[str, ...]:
    return tuple(
        f"{', '.join(one.players)} are equal at the cut, and only {one.places} can go on: draw a lot, or decide between "
        "them."
        for one in sums.unresolved
    )
