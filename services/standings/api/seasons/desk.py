"""What a season is asked about: what is known of it, put together, and how something happens to it."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from services.standings.projection.folded import season_row
from services.standings.projection.kept import Tables
from services.standings.projection.persons import Persons
from services.standings.seasons.book_facts import Event
from services.standings.seasons.book_orders import Command
from services.standings.seasons.book_state import Book
from services.standings.seasons.calculate import SeasonStandings, added_up
from services.standings.seasons.counted import Counted
from services.standings.seasons.together import persons_in, year_of
from services.standings.seasons.year import SeasonFile
from shared.access.grants import Grants
from shared.clock import Now
from shared.commands.handler import Handler
from shared.contracts.registration import SeasonOpened
from shared.messaging.history import Histories
from shared.personal.names import Names
from shared.personal.shown_names import NamesShown
from shared.refusals import NotFound
from shared.rulesets.season import Season

type Books = Handler[Book, Command, Event]


class SeasonUnknown(NotFound):
    """Registration has opened no such season, as far as is known here."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """A season as far as it is known here, without names."""

    opened: SeasonOpened
    rules: Season
    book: Book
    version: int
    held: Mapping[str, Counted]
    merged: Mapping[str, str]

    @property
    def season(self) -> str:
        return self.opened.season

    @cached_property
    def completed(self) -> Mapping[str, Counted]:
        return {name: one for name, one in self.held.items() if one.is_completed}

    @cached_property
    def year(self) -> SeasonFile:
        return year_of(self.rules, self.book, self.completed, self.merged)

    def has_left(self, tournament: str, person: str) -> bool:
        """Early, and the rules leave it to the federation what becomes of the place."""
        held = self.completed.get(tournament)
        if held is None or held.announced.kind not in self.rules.serious_reasons:
            return False
        ids = {person, self.merged.get(person, person)}
        return any(one.left == "withdrew" and ids & {*one.persons} for one in held.places)

    def added_up(self, *, is_over: bool) -> SeasonStandings:
        return added_up(self.rules, self.year, is_over=is_over)


@dataclass(frozen=True, kw_only=True, eq=False)
class SeasonDesk:
    books: Books
    heard: Histories
    tables: Tables
    persons: Persons
    grants: Grants
    names: Names
    shown: NamesShown
    now: Now

    async def of(self, season: str, at: datetime | None = None) -> Known:
        """As it is, or as it was at a time."""
        opened = (await self.heard.of(season, at=at)).of(SeasonOpened)
        if not opened:
            raise SeasonUnknown("No season with this id is known here: a federation opens it at registration.")
        decided, version = await self.books.load(season) if at is None else await self.books.at(season, at)
        held = await self.tables.of_season(season)
        if at is not None:
            held = {name: one for name in held if (one := await self._then(name, at)) is not None}
        return Known(
            opened=opened[0],
            rules=Season.model_validate_json(bytes(opened[0].rules)),
            book=decided,
            version=version,
            held=held,
            merged=await self.persons.merged(persons_in(decided, held)),
        )

    async def _then(self, tournament: str, at: datetime) -> Counted | None:
        return await asyncio.to_thread(season_row, await self.heard.of(tournament, at=at))

    async def added_up(self, known: Known) -> SeasonStandings:
        return await asyncio.to_thread(known.added_up, is_over=known.book.is_closed)

    async def called(self, known: Known, persons: Iterable[str]) -> Mapping[str, str]:
        """As those who ask may see it."""
        played = {
            name: {known.merged.get(person, person) for reached in one.places for person in reached.persons}
            for name, one in known.held.items()
        }
        return await self.shown.of_season(known.season, persons, played)

    async def own(self, known: Known, persons: Collection[str]) -> Collection[str]:
        """Those of these whom the federation has registered, and not erased."""
        return (await self.names.in_full(await self.grants.persons_of(known.opened.federation, persons))).keys()

    def today(self) -> str:
        return self.now().date().isoformat()
