"""What results has to know of a tournament: its ruleset, who takes part, who has left, and who is in which stage.

Registration and pairing have said it and the inbox has it. What was read stays in memory, and once a second what came
since is read behind it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial

import msgspec
from asyncpg import Record
from msgspec.structs import replace

from services.results.domain.sheet.states import GameTerms
from services.results.games.adjudication import AnyAccount, adjudicate
from services.results.games.gomoku.pisqworky import parties
from services.results.games.verdict import Outcome
from shared.cache import LoadingCache, LruCache
from shared.contracts import decode
from shared.contracts.pairing import RoomsNamed, RoundPublished, TablesRepaired
from shared.contracts.parts import Standing, standing
from shared.contracts.registration import EntrantAdmitted, EntrantChanged, TournamentAnnounced, TournamentReplanned
from shared.log.connection import Connection
from shared.log.database import Database
from shared.refusals import Unavailable
from shared.rulesets.play import AWARDED, Contest
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import Settings, stage_of
from shared.tournament import stages
from shared.tournament.facts import Facts
from shared.tournament.fold import Fold
from shared.tournament.stages import settings_of
from shared.values import Value

SECONDS = 1.0
REMEMBERED = 300  # tournaments

# Of pairing what says how many play in a stage, where, and who has no game in a round; the games are on the sheets.
SAID = """
  select source, number, type, message from inbox.events
  where scope = $1 and lost is null and state <> 'skipped' and (
    (source = 'registration' and number > $2)
    or (source = 'pairing' and number > $3 and type in (
      'StageOpened', 'GroupsDrawn', 'RoomsNamed', 'RoundPublished', 'TablesRepaired'
    ))
  )
  order by source desc, number
"""
# What an operator decides may make a number that of something else, or what was heard be as if it had never been said.
DECISIONS = "select count(*) from inbox.decisions"


class WithoutGame(Value):
    """Who has no game in a published round, and when the others begin."""

    byes: tuple[str, ...]
    requested_byes: tuple[str, ...]
    absent: tuple[str, ...]
    starts_at: str | None


NOBODY_WITHOUT = WithoutGame(byes=(), requested_byes=(), absent=(), starts_at=None)


@dataclass(frozen=True, kw_only=True, eq=False)
class KnownTournament:
    """What was said of a tournament, up to some numbers."""

    facts: Facts | None = None
    name: str = ""
    time_zone: str | None = None
    without_game: Mapping[tuple[str, int], WithoutGame] = field(default_factory=dict[tuple[str, int], WithoutGame])
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])  # persons, by entrant
    tables: Mapping[int, Standing] = field(default_factory=dict[int, Standing])

    @property
    def started(self) -> Facts:
        if self.facts is None:
            raise Unavailable("registration has not said yet that this tournament has started")
        return self.facts

    def rules(self) -> Ruleset:
        return self.started.ruleset

    def number(self, entrant: str) -> int | None:
        """The start number of somebody."""
        known = None if self.facts is None else self.facts.entrants.get(entrant)
        return known and known.number

    def takes_part(self, entrant: str) -> bool:
        return entrant in self.started.entrants

    def stages(self) -> list[str]:
        """As they follow each other."""
        return [stage.id for stage in self.rules().stages]

    @cached_property
    def settings(self) -> Callable[[str], Settings]:
        """What holds in a stage: asked several times about every report, and found once."""
        return cache(partial(settings_of, self.started))

    def adjudicate(self, stage: str, said: AnyAccount) -> Outcome:
        return adjudicate(self.rules().game, self.settings(stage), said)

    @cached_property
    def terms(self) -> Callable[[str, str | None], GameTerms]:
        """What sheets have to know of the rules in a stage and a match: asked several times, and found once."""
        return cache(self._terms)

    def _terms(self, stage: str, match: str | None) -> GameTerms:
        holds = self.settings(stage)
        contest, drawn = holds.contest, holds.contest.drawn
        return GameTerms(
            confirmed_by=holds.results.confirmed_by,
            boards=boards(contest),
            line_ups_first=contest.line_ups_first,
            option=contest.option and self.games_of(stage, match) == 1,
            deciding=drawn.duels,
            by_lot=drawn.then == "lot",
            first_is_fixed=contest.starter == "pairing",
            for_director=frozenset(
                name for name, ending in holds.results.endings.items() if ending.decided_by == "director"
            ),
        )

    def games_of(self, stage: str, match: str | None) -> int:
        """Of how many games a match of a play-off is the best."""
        brackets = stage_of(self.rules(), stage).brackets
        planned = (known for bracket in brackets for known in bracket.matches if known.id == match)
        return next((known.games for known in planned), 1)

    def is_for_officials(self, stage: str, end: str) -> bool:
        """Whether only an official can say that a game ended so."""
        found = self.settings(stage).results.endings.get(end)
        return end == AWARDED if found is None else found.fault == "official-says"

    def gone(self, stage: str, number: int) -> tuple[str, ...]:
        """Entrants who had left before this round."""
        return tuple(stages.left_before(self.started, stage, number))


def boards(contest: Contest) -> int:
    """Those of a match of teams; a party of two people has none."""
    count = parties(contest)
    return count if count > 1 else 0


class HeardTournament:
    """What was heard of a tournament so far, source by source."""

    def __init__(self, decisions: int = 0) -> None:
        self.decisions = decisions  # of operators, when it began to hear
        self.numbers = {"registration": 0, "pairing": 0}
        self._fold = Fold()
        self._name = ""
        self._time_zone: str | None = None
        self._without_game: dict[tuple[str, int], WithoutGame] = {}
        self._teams: dict[str, tuple[str, ...]] = {}
        self._tables: Mapping[int, Standing] = {}
        self.known = KnownTournament()

    def take(self, source: str, event: msgspec.Struct) -> None:
        match event:
            case RoundPublished():
                self._without_game[event.stage, event.round] = WithoutGame(
                    byes=event.byes,
                    requested_byes=tuple(event.requested_byes),
                    absent=event.missing,
                    starts_at=event.starts_at,
                )
                return  # its games are on the sheets, and need not be kept twice
            case TablesRepaired():
                before = self._without_game.get((event.stage, event.round), NOBODY_WITHOUT)
                absent = before.absent if event.missing is None else event.missing
                self._without_game[event.stage, event.round] = replace(before, byes=event.byes, absent=absent)
                return
            case EntrantAdmitted() | EntrantChanged():
                self._teams[event.entrant] = event.persons
            case RoomsNamed():
                self._tables = standing(event.rooms)
            case TournamentAnnounced():
                self._name, self._time_zone = event.name, event.time_zone
            case TournamentReplanned():
                self._name = event.name
            case _:
                pass
        self._fold.take(source, event)

    def take_all(self, rows: Iterable[Record]) -> None:
        for source, number, name, message in rows:
            self.numbers[source] = number
            if (event := decode(source, name, message)) is not None:
                self.take(source, event)

    def as_known(self) -> KnownTournament:
        return KnownTournament(
            facts=self._fold.facts(),
            name=self._name,
            time_zone=self._time_zone,
            without_game=dict(self._without_game),
            teams=dict(self._teams),
            tables=self._tables,
        )


class Tournaments:
    def __init__(self, database: str) -> None:
        self._database = Database(database)
        self.running = self._database.running
        self._heard = LruCache[str, HeardTournament](REMEMBERED)
        self._recent = LoadingCache(self._load, seconds=lambda _: SECONDS)

    async def of(self, tournament: str) -> KnownTournament:
        known = await self._recent.of(tournament)
        return known if known.facts is not None else await self._recent.now(tournament)

    async def now(self, tournament: str) -> KnownTournament:
        """With all that was heard up to this moment."""
        return await self._recent.now(tournament)

    def have_changed(self, tournaments: Iterable[str]) -> None:
        """Something was heard of them: nobody is answered by what was known before."""
        for tournament in tournaments:
            self._recent.forget(tournament)

    async def within(self, connection: Connection, tournament: str) -> KnownTournament:
        """What is known together with what comes in a transaction that is open; none of it is remembered, since it may be taken back."""
        heard = HeardTournament()
        heard.take_all(await connection.fetch(SAID, tournament, 0, 0))
        return heard.as_known()

    async def _load(self, tournament: str) -> KnownTournament:
        decisions = await self._database.fetchval(DECISIONS)
        heard = self._heard.pop(tournament)
        if heard is None or heard.decisions != decisions:
            heard = HeardTournament(decisions)
        rows = await self._database.fetch(SAID, tournament, heard.numbers["registration"], heard.numbers["pairing"])
        heard.take_all(rows)
        if rows:
            heard.known = heard.as_known()
        if heard.known.facts is not None:
            self._heard.put(tournament, heard)
        return heard.known
