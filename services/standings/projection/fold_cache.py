"""Tournaments as far as they were folded. Those of which something was heard last stay in memory, so that a result costs
only itself.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, override

import msgspec
from msgspec.structs import replace

from services.standings.domain.table import Ranked, TableCache, tables
from services.standings.projection.tables import Age, Made, of_season
from services.standings.seasons.contribution import AnnouncedIn, SeasonContribution, season_contribution
from shared import contracts
from shared.cache import LruCache
from shared.contracts.pairing import RoundPublished
from shared.contracts.registration import (
    EntrantAdmitted,
    EntrantChanged,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentCompleted,
    TournamentReplanned,
)
from shared.messaging.history import History, InboxMessage, Inputs
from shared.tournament.facts import Facts
from shared.tournament.fold import Fold
from shared.values import UNREADABLE

MOST = 200  # folds in memory

ENCODER = msgspec.json.Encoder()


class UnreadableMessage(Exception):
    """Something that was said of a tournament has another form than this version reads, or none."""

    def __init__(self, tournament: str, what: str) -> None:
        super().__init__(tournament, what)
        self.tournament = tournament
        self.what = what

    @override
    def __str__(self) -> str:
        return f"{self.what} of tournament {self.tournament} cannot be read"


class TournamentFold:
    """One tournament as far as it was heard of."""

    def __init__(self) -> None:
        self._fold = Fold()
        self._cache = TableCache()
        self._persons: dict[str, tuple[str, ...]] = {}
        self._reached: dict[str, int] = {}
        self._published: dict[str, int] = {}  # by stage: the last round
        self._in_season: AnnouncedIn | None = None
        self._ended: Literal["completed", "cancelled"] | None = None

    @property
    def inputs(self) -> Inputs:
        return Inputs(**self._reached)

    def take(self, source: str, number: int, kind: str, message: bytes) -> None:
        self.hear(source, number, contracts.decode(source, kind, message))

    def take_several(self, source: str, number: int, messages: bytes) -> None:
        """What a source has said one after another, up to a number."""
        self._reached[source] = number
        events = [event for event in contracts.decode_several(source, messages) if event is not None]
        if source != "results":  # they are nearly all, and nothing is noted of them
            for event in events:
                self._note(event)
        self._fold.take_several(source, events)

    def hear(self, source: str, number: int, event: msgspec.Struct | None) -> None:
        """None is what this version does not know."""
        self._reached[source] = number
        if event is not None:
            self._note(event)
            self._fold.take(source, event)

    def _note(self, event: msgspec.Struct) -> None:
        match event:
            case EntrantAdmitted() | EntrantChanged():
                self._persons[event.entrant] = event.persons
            case RoundPublished():
                self._published[event.stage] = max(event.round, self._published.get(event.stage, 0))
            case TournamentAnnounced() if event.season is not None and event.season_kind is not None:
                self._in_season = AnnouncedIn(
                    season=event.season,
                    kind=event.season_kind,
                    rating_list=event.rating_list,
                    organisers=event.organisers,
                    name=event.name,
                    on=event.starts_on,
                )
            case TournamentReplanned() if self._in_season is not None:
                self._in_season = replace(self._in_season, name=event.name, on=event.starts_on)
            case TournamentCompleted():
                self._ended = "completed"
            case TournamentCancelled():
                self._ended = "cancelled"
            case _:
                pass

    @property
    def entrants(self) -> int:
        return len(self._persons)

    def is_past(self, stage: str, number: int) -> bool:
        """Whether a later round was published."""
        return number < self._published.get(stage, 0)

    def made(self, tournament: str) -> list[Made]:
        """Its tables, and what it counts in its season; none before it has started."""
        facts = self._fold.facts()
        if facts is None:
            return []
        inputs = str(self.inputs)
        several: dict[str, Ranked | SeasonContribution] = {**tables(facts, self._persons, self._cache)}
        if (found := self._contribution(facts)) is not None:
            several[of_season(found.announced.season)] = found
        return [
            Made(
                tournament=tournament,
                stage=stage,
                inputs=inputs,
                body=ENCODER.encode(one),
                table=one if isinstance(one, Ranked) else None,
                facts=facts,
                ranking=self._cache.rankings.get(stage),
            )
            for stage, one in several.items()
        ]

    def contribution(self) -> SeasonContribution | None:
        """What it gives to its season."""
        facts = self._fold.facts()
        return None if facts is None else self._contribution(facts)

    def _contribution(self, facts: Facts) -> SeasonContribution | None:
        if self._in_season is None or self._ended == "cancelled":
            return None
        return season_contribution(self._in_season, facts, self._persons, is_completed=self._ended == "completed")


class FoldCache:
    def __init__(self) -> None:
        self.age: Age | None = None
        self._folds: LruCache[str, TournamentFold] = LruCache(MOST)

    def __contains__(self, tournament: str) -> bool:
        return tournament in self._folds

    def at(self, age: Age) -> None:
        """Forget everything that was folded in another generation, or before an operator decided something."""
        if age != self.age:
            self._folds.clear()
            self.age = age

    def inputs(self, tournaments: Iterable[str]) -> dict[str, Inputs]:
        """How far those of them are folded that are remembered."""
        folds = {tournament: self._folds.get(tournament) for tournament in tournaments}
        return {tournament: fold.inputs for tournament, fold in folds.items() if fold is not None}

    def of(self, tournament: str) -> TournamentFold:
        fold = self._folds.get(tournament)
        if fold is None:
            fold = TournamentFold()
            self._folds.put(tournament, fold)
        return fold

    def is_past(self, tournament: str, stage: str, number: int) -> bool:
        """Whether a later round was published, or may have been since the tournament is not remembered."""
        fold = self._folds.get(tournament)
        return fold is None or fold.is_past(stage, number)

    def forget(self, tournaments: Iterable[str]) -> None:
        for tournament in tournaments:
            self._folds.pop(tournament)


def take_all(fold: TournamentFold, said: Iterable[InboxMessage]) -> None:
    for one in said:
        try:
            fold.take(one.source, one.number, one.type, one.message)
        except UNREADABLE as error:
            raise UnreadableMessage(one.scope, f"number {one.number} of {one.source} ({one.type}: {error})") from error


def contribution_of(history: History) -> SeasonContribution | None:
    """What a tournament gave to its season as far as its history goes."""
    fold = TournamentFold()
    for one in history.events:
        fold.hear(one.source, one.number, one.contract)
    return fold.contribution()


def by_scope(news: Iterable[InboxMessage]) -> Mapping[str, Sequence[InboxMessage]]:
    found: dict[str, list[InboxMessage]] = defaultdict(list)
    for said in news:
        found[said.scope].append(said)
    return found
