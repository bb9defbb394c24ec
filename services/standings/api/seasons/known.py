"""What is known of a season when somebody asks, now or at a time, without names; and what people are called."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import chain

from services.standings.domain.season import Book, Command, Event, RatingListPublished
from services.standings.projection.fold_cache import contribution_of
from services.standings.projection.merged_persons import MergedPersons
from services.standings.projection.table_store import TableStore
from services.standings.seasons.calculate import SeasonStandings, added_up
from services.standings.seasons.composition import persons_in, season_file
from services.standings.seasons.contribution import SeasonContribution
from services.standings.seasons.file import SeasonFile
from services.standings.seasons.ratings import Rated, ratings
from shared.access.grants import Grants
from shared.cache import LruCache
from shared.commands.handler import Handler
from shared.contracts.registration import SeasonOpened
from shared.messaging.history import Histories
from shared.personal.names import Names
from shared.personal.shown_names import NamesShown
from shared.refusals import NotFound
from shared.rulesets.season import Season
from shared.values import Value

MOST = 50_000  # games and places that are remembered, of all seasons together

type Books = Handler[Book, Command, Event]


class SeasonUnknown(NotFound):
    """Registration has opened no such season, as far as is known here."""


class ListUnpublished(NotFound):
    """No such list was published by then."""


class KnownSeason(Value, dict=True):
    opened: SeasonOpened
    rules: Season
    book: Book
    version: int
    tournaments: Mapping[str, SeasonContribution]
    merged: Mapping[str, str]  # ids of persons that lead to another one

    @property
    def season(self) -> str:
        return self.opened.season

    @property
    def federation(self) -> str:
        return self.opened.federation

    @cached_property
    def completed(self) -> Mapping[str, SeasonContribution]:
        return {name: one for name, one in self.tournaments.items() if one.is_completed}

    @cached_property
    def file(self) -> SeasonFile:
        return season_file(self.rules, self.book, self.completed, self.merged)

    @property
    def persons(self) -> set[str]:
        """Everybody of its tables, also who stood in them only as they were published."""
        told = (self.kept(row.person) for row in self.book.told_to_qualify)
        return {*(player.id for player in self.file.players), *told}

    def has_left(self, tournament: str, person: str) -> bool:
        """Whether the person left early, and the rules leave it to the federation what becomes of the place."""
        found = self.completed.get(tournament)
        if found is None or found.announced.kind not in self.rules.serious_reasons:
            return False
        left = {self.kept(each) for one in found.places if one.left == "withdrew" for each in one.persons}
        return self.kept(person) in left

    def judged_as(self, tournament: str, person: str) -> str:
        """The id by which a serious reason of theirs was noted, where they have been merged since."""
        noted = (one for held, one in sorted(self.book.serious) if held == tournament)
        return next((one for one in noted if self.kept(one) == self.kept(person)), person)

    def kept(self, person: str) -> str:
        """The id that is left of somebody who was merged."""
        return self.merged.get(person, person)

    @cached_property
    def ratings_so_far(self) -> Sequence[Rated]:
        return ratings(self.rules, self.file, is_over=False)

    @cached_property
    def ratings_in_the_end(self) -> Sequence[Rated]:
        return ratings(self.rules, self.file, is_over=True)

    @cached_property
    def sums_so_far(self) -> SeasonStandings:
        return added_up(self.rules, self.file, self.ratings_so_far)

    @cached_property
    def sums_in_the_end(self) -> SeasonStandings:
        return added_up(self.rules, self.file, self.ratings_in_the_end)

    async def standings(self) -> SeasonStandings:
        return await asyncio.to_thread(lambda: self.sums_in_the_end if self.book.is_closed else self.sums_so_far)

    def rating_list(self, called: str, on: str | None) -> RatingListPublished:
        """The newest one that was published, or that which held on a day."""
        days = [day for name, day in self.book.lists if name == called and (on is None or day <= on)]
        if not days:
            when = "" if on is None else f" until {on}"
            raise ListUnpublished(
                f"No list {called} was published in this season{when}: look into the lists for those that were."
            )
        return self.book.lists[called, max(days)]


def weigh(known: KnownSeason) -> int:
    """By its games and places."""
    played = [*known.tournaments.values(), *known.book.contests.values()]
    games = [*(one.games for one in known.tournaments.values()), *known.book.games.values()]
    return sum(map(len, (*(one.places for one in played), *games)))


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownSeasons:
    books: Books
    heard: Histories
    tables: TableStore
    caught_up: Callable[[], Awaitable[None]]
    persons: MergedPersons
    grants: Grants
    names: Names
    shown: NamesShown
    recent: LruCache[str, KnownSeason] = field(default_factory=lambda: LruCache(MOST, weigh))

    async def of(self, season: str, at: datetime | None = None) -> KnownSeason:
        """The season as it is, or as it was at a time."""
        opened = (await self.heard.of(season, at=at)).of(SeasonOpened)
        if not opened:
            raise SeasonUnknown("No season with this id is known here: a federation opens it at registration.")
        book, version = await self.books.load(season) if at is None else await self.books.at(season, at)
        await self.caught_up()
        tournaments = await self.tables.of_season(season)
        if at is not None:
            tournaments = {name: one for name in tournaments if (one := await self._contribution(name, at)) is not None}
        found = KnownSeason(
            opened=opened[0],
            rules=Season.model_validate_json(bytes(opened[0].rules)),
            book=book,
            version=version,
            tournaments=tournaments,
            merged=await self.persons.merged(persons_in(book, tournaments)),
        )
        return found if at is not None else self._remembered(found)

    def _remembered(self, found: KnownSeason) -> KnownSeason:
        """The same as before where nothing has changed, with all that was worked out of it."""
        before = self.recent.get(found.season)
        if before is not None and before == found:
            return before
        self.recent.put(found.season, found)
        return found

    async def _contribution(self, tournament: str, at: datetime) -> SeasonContribution | None:
        return await asyncio.to_thread(contribution_of, await self.heard.of(tournament, at=at))

    async def called(self, known: KnownSeason, persons: Iterable[str]) -> Mapping[str, str]:
        """The names of these persons, as those who ask may see them. What a tournament that still runs has decided holds
        for whoever is in it, although nothing counts of it yet."""
        running = await self.shown.persons_where_hidden(known.tournaments.keys() - known.completed.keys())
        merged = {**known.merged, **await self.persons.merged(person for one in running.values() for person in one)}
        played = {
            name: {
                merged.get(person, person)
                for person in chain(running.get(name, ()), *(reached.persons for reached in one.places))
            }
            for name, one in known.tournaments.items()
        }
        return await self.shown.of_season(known.season, persons, played)

    async def own(self, known: KnownSeason, persons: Collection[str]) -> Collection[str]:
        """Those of these whom the federation has registered, and not erased."""
        return (await self.names.in_full(await self.grants.persons_of(known.federation, persons))).keys()
