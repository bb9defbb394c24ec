"""What is known of a tournament when somebody asks, now or in the past, and what people are called."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from services.standings.domain import ranking
from services.standings.domain.ranking import ChoosePrize, CloseStage, Kind, Places, SettleTie, ShortenStage, Tie
from services.standings.domain.table import Persons, Ranked, obstacles, ranked, ties_about_going_on
from shared.contracts.lots import LotSeedRevealed
from shared.contracts.pairing import RoundPublished
from shared.contracts.registration import (
    EntrantAdmitted,
    EntrantChanged,
    TournamentAnnounced,
    TournamentCompleted,
    TournamentReplanned,
    TournamentStarted,
)
from shared.contracts.results import GameVoided, ResultCorrected, ResultFinal, ResultReopened
from shared.http.moments import NOW, Moment
from shared.lots.formula import LotKey
from shared.lots.known import TOLD, LotsKnown, key_of, known_of
from shared.messaging.history import Histories, History, Inputs
from shared.personal.shown_names import NamesShown, NamesToShow
from shared.rulesets.settings import settings
from shared.tournament.awards import offered
from shared.tournament.completion import undecided, unfinished
from shared.tournament.facts import Facts, Settlement, StageOrder
from shared.tournament.stages import require_stage, settings_of, size_of
from shared.values import Value

NO_LOTS = LotsKnown()

type EntrantNames = Mapping[str, str]


class KnownTournament(Value):
    tournament: str
    facts: Facts
    persons: Persons
    inputs: Inputs
    is_over: bool
    name: str = ""
    starts_on: str = ""  # a date
    days: Mapping[tuple[str, int], str] = msgspec.field(
        default_factory=dict[tuple[str, int], str]
    )  # on which rounds were played where the tournament is held, as dates
    lots: LotsKnown = NO_LOTS
    key: LotKey | None = None  # of the lots of standings, once their secret is revealed

    def heading(self, what: str) -> str:
        """Of a sheet of paper."""
        return f"{self.name or self.tournament}: {what}"

    async def table(self, stage: str, *, through: int | None = None, among: str | None = None) -> Ranked:
        return await asyncio.to_thread(ranked, self.facts, self.persons, stage, through=through, among=among)

    def with_decided(self, state: ranking.State) -> "KnownTournament":
        """The tournament as it is when this is decided: those who decide it see it at once."""
        settled = tuple(
            Settlement(stage=stage, kind=kind, order=order) for (stage, kind, _), order in state.settled.items()
        )
        closed = {stage: StageOrder(places=one.order, groups=one.groups) for stage, one in state.closed.items()}
        facts = replace(self.facts, settled=settled, closed=closed, shortened=state.shortened, chosen=state.prizes)
        return replace(self, facts=facts)

    def choose(self, entrant: str, among: str | None) -> ChoosePrize:
        return ChoosePrize(
            tournament=self.tournament,
            entrant=entrant,
            among=among,
            offered=offered(self.facts).get(entrant, ()),
            undecided=tuple(undecided(self.facts, is_over=self.is_over)),
        )


class KnownStage(Value, dict=True):
    """A stage of a tournament with its table; what is ordered of it rests on that."""

    within: KnownTournament
    stage: str
    table: Ranked

    @property
    def tournament(self) -> str:
        return self.within.tournament

    @property
    def facts(self) -> Facts:
        return self.within.facts

    @property
    def inputs(self) -> Inputs:
        return self.within.inputs

    @cached_property
    def ties(self) -> tuple[Tie, ...]:
        """Those in the table, and those that only say who goes on."""
        return (*self.table.ties, *ties_about_going_on(self.facts, self.stage, is_over=self.within.is_over))

    @cached_property
    def unfinished(self) -> tuple[str, ...]:
        """Why it is not played yet."""
        return tuple(unfinished(self.facts, self.stage))

    @cached_property
    def obstacles(self) -> tuple[str, ...]:
        """What keeps it from being closed."""
        return obstacles(self.facts, self.stage, self.table)

    @property
    def planned(self) -> int | None:
        """How many rounds the rules plan, where they fix a number."""
        return settings(self.facts.ruleset, self.stage, size=size_of(self.facts, self.stage)).rounds

    @property
    def rounds(self) -> int | None:
        """How many rounds there will be, as far as that is decided."""
        return settings_of(self.facts, self.stage).rounds

    def with_decided(self, state: ranking.State) -> "KnownStage":
        within = self.within.with_decided(state)
        return KnownStage(within=within, stage=self.stage, table=ranked(within.facts, within.persons, self.stage))

    def settle(self, kind: Kind, order: Places) -> SettleTie:
        return SettleTie(
            tournament=self.tournament,
            stage=self.stage,
            kind=kind,
            order=order,
            waiting=self.ties,
            unfinished=self.unfinished,
        )

    def shorten(self, rounds: int, reason: str) -> ShortenStage:
        least = settings_of(self.facts, self.stage).pairing.least_rounds or 1
        return ShortenStage(
            tournament=self.tournament,
            stage=self.stage,
            rounds=rounds,
            least=max(least, self.table.round),
            planned=self.planned,
            reason=reason,
        )

    def close(self) -> CloseStage:
        return CloseStage(
            tournament=self.tournament,
            stage=self.stage,
            order=self.table.order.places,
            groups=self.table.order.groups,
            rests_on=str(self.inputs),
            obstacles=self.obstacles,
        )


class TableChangedAt(Value):
    """When a result came into the table of a stage, became another one, or went."""

    at: datetime
    round: int


class Tournaments:
    def __init__(self, heard: Histories, names: NamesShown) -> None:
        self._heard = heard
        self._names = names

    async def of(self, tournament: str, moment: Moment = NOW) -> KnownTournament:
        history, facts = await moment.started(self._heard, tournament)
        lots, secret = known_of(history.of(*TOLD)), secret_of(history)
        plans = history.of(TournamentAnnounced, TournamentReplanned)
        return KnownTournament(
            tournament=tournament,
            facts=facts,
            persons=persons(history),
            inputs=history.inputs,
            is_over=bool(history.of(TournamentCompleted)),
            name=plans[-1].name if plans else "",
            starts_on=plans[-1].starts_on if plans else "",
            days=days_of_rounds(history),
            lots=lots,
            key=None if secret is None else key_of(tournament, bytes.fromhex(secret), lots),
        )

    async def stage(self, tournament: str, stage: str, moment: Moment = NOW) -> KnownStage:
        known = await self.of(tournament, moment)
        return KnownStage(within=known, stage=stage, table=await known.table(stage))

    async def changes_of_table(self, tournament: str, stage: str) -> tuple[Inputs, list[TableChangedAt]]:
        """In their order; of those within one second the last, which shows what the others did."""
        history, facts = await NOW.started(self._heard, tournament)
        require_stage(facts, stage)
        by_second: dict[datetime, TableChangedAt] = {}
        for event in history.events:
            match event.contract:
                case ResultFinal() | ResultCorrected() | ResultReopened() | GameVoided() as told if told.stage == stage:
                    second = event.at.replace(microsecond=0)
                    change = TableChangedAt(at=event.at, round=told.round)
                    by_second[second] = max(by_second.get(second, change), change, key=lambda one: one.at)
                case _:
                    pass
        return history.inputs, [by_second[second] for second in sorted(by_second)]

    async def names(self, tournament: str) -> EntrantNames:
        """The names as those who ask may see them."""
        return (await self.told(tournament)).names

    async def told(self, tournament: str, *, reached: int | None = None) -> NamesToShow:
        return await self._names.of_tournament(tournament, reached=reached)

    async def seen_by(self, tournament: str, *, reached: int | None = None) -> str:
        return await self._names.seen_by(tournament, reached=reached)


def secret_of(history: History) -> str | None:
    said = [one.contract for one in history.events if one.source == "standings"]
    return next((one.seed for one in said if isinstance(one, LotSeedRevealed)), None)


def days_of_rounds(history: History) -> Mapping[tuple[str, int], str]:
    """When each was to begin, or was published where nothing else was said."""
    zones = history.of(TournamentStarted)
    zone = ZoneInfo(zones[-1].time_zone) if zones else UTC
    return {
        (event.contract.stage, event.contract.round): f"{began.astimezone(zone):%Y-%m-%d}"
        for event in history.events
        if isinstance(event.contract, RoundPublished)
        for began in [datetime.fromisoformat(event.contract.starts_at) if event.contract.starts_at else event.at]
    }


def persons(history: History) -> Persons:
    return {told.entrant: told.persons for told in history.of(EntrantAdmitted, EntrantChanged)}
