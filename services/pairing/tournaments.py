"""What is known here of a tournament when somebody asks: its facts, what they follow from, its rounds, what people are called."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from services.pairing import engines
from services.pairing.domain import next_round, stage
from services.pairing.domain.next_round import ComingRound, Obstacle, is_completed
from services.pairing.domain.round import Command, Event, State, identity
from services.pairing.engines import tables
from shared.access.asker import Asker
from shared.commands.handler import Handler
from shared.contracts.pairing import RoomsNamed, RoundPublished, RoundRecalled, TablesRepaired
from shared.contracts.parts import Standing, standing
from shared.contracts.registration import (
    RegistrationOpened,
    TournamentAnnounced,
    TournamentCancelled,
    TournamentCompleted,
    TournamentReplanned,
    TournamentStarted,
)
from shared.contracts.results import GameStarted, GameVoided, ResultCorrected, ResultFinal, ResultReopened
from shared.http.moments import NOW, Moment
from shared.lots.drawing import not_opened
from shared.lots.known import TOLD, LotsKnown, known_of
from shared.messaging import history as heard
from shared.messaging.history import Histories, History, Inputs
from shared.personal.shown_names import NamesShown, NamesToShow
from shared.refusals import NotAnnounced, NotFound
from shared.rulesets import timetable
from shared.rulesets.settings import stage_of
from shared.tournament.facts import Facts
from shared.tournament.progression import opening
from shared.tournament.stages import begun, field_of, require_stage, settings_of
from shared.values import Value

UNKNOWN = "No tournament with this id is known here: look for it in the list of registration."
NOBODY = NamesToShow(names={}, seen_by="", own_names=frozenset(), schools=frozenset())

# What may change a pairing, for people.
NEWS: Mapping[str, str] = {
    "EntrantAdmitted": "somebody was admitted",
    "EntrantChanged": "an entrant was corrected",
    "EntrantLeft": "somebody left",
    "EntrantReturned": "somebody returned",
    "EntrantAbsent": "somebody will be absent",
    "EntrantPresent": "somebody will be there after all",
    "MeetingForbidden": "a meeting was forbidden",
    "GroupsDrawn": "the groups were drawn",
    "RoundPublished": "a round was published",
    "RoundRecalled": "a round was recalled",
    "TablesRepaired": "tables of a round were changed",
    "ResultFinal": "a result came in",
    "ResultCorrected": "a result was corrected",
    "ResultReopened": "a result was reopened",
    "GameVoided": "a game was voided",
    "PenaltyImposed": "a penalty was imposed",
    "PenaltyLifted": "a penalty was lifted",
    "TieSettled": "a tie was settled",
    "StageClosed": "a stage was closed",
}

type RoundHandler = Handler[State, Command, Event]
type StageHandler = Handler[stage.State, stage.Command, stage.Event]


class KnownTournament(Value):
    id: str
    history: History
    facts: Facts
    told: NamesToShow  # what those who ask are shown of names

    @property
    def names(self) -> Mapping[str, str]:
        return self.told.names

    @property
    def unnamed(self) -> "KnownTournament":
        """The same for an answer that is kept: a name could not be erased there."""
        return replace(self, told=NOBODY)

    @property
    def inputs(self) -> Inputs:
        return self.history.inputs

    @property
    def is_over(self) -> bool:
        return bool(self.history.of(TournamentCompleted, TournamentCancelled))

    @property
    def lots(self) -> LotsKnown:
        """What is known of what its lots follow from."""
        return known_of(self.history.of(*TOLD))

    def facts_at(self, inputs: str) -> Facts:
        """The facts when no more than this was known, such as reg120.pai31.res88.sta7."""
        return self.history.until(heard.parse(inputs)).facts() or self.facts

    def has_changed_since(self, inputs: str) -> bool:
        """Whether the facts were others when this much was known.

        That a round is complete follows from its results, and is told a moment after them; that a result stood
        otherwise before changes no pairing either.
        """
        before = self.history.until(heard.parse(inputs)).facts()
        return before is None or of_pairing(before) != of_pairing(self.facts)

    def next(self, stage: str) -> ComingRound:
        coming = next_round.next_round(self.facts, stage, over=self.is_over)
        if coming.round is None or coming.obstacles:
            return coming
        return replace(coming, obstacles=tuple(self._without_pairing(stage, coming.round)))

    def _without_pairing(self, stage: str, number: int) -> Iterator[Obstacle]:
        """What keeps the rules from pairing a round that nothing else is in the way of."""
        without, lots = tables.none_for_so_many(self.facts, stage, number), self.lots
        if without is not None:
            yield Obstacle(kind="no-tables", detail=without)
        elif (gone := engines.nobody_to_pair(self.facts, stage, number)) is not None:
            yield Obstacle(kind="nobody-there", detail=gone)
        elif lots.source is not None and lots.value is None and engines.draws_lots(self.facts, stage):
            yield Obstacle(kind="lots-not-opened", detail=not_opened(lots.source))

    def field(self, stage: str) -> tuple[str, ...]:
        """Who is there when a stage begins: by start number, or as an earlier stage says."""
        if not begun(self.facts, stage):
            return opening(self.facts, stage).entrants
        gone = {one for one, left in self.facts.left.items() if left.stage == stage and left.after_round == 0}
        present = (entrant for entrant in field_of(self.facts, stage).values() if entrant.id not in gone)
        return tuple(entrant.id for entrant in sorted(present, key=lambda entrant: entrant.number))

    def begun(self) -> frozenset[str]:
        """Games that somebody plays or has played. Who was not there has not, and an ordered replay begins anew."""
        found: set[str] = set()
        for told in self.history.of(GameStarted, ResultFinal, ResultCorrected, ResultReopened, GameVoided):
            match told:
                case ResultReopened() | ResultFinal(unplayed=True):
                    found.discard(told.game)
                case GameStarted() | ResultFinal() | ResultCorrected() | GameVoided():
                    found.add(told.game)
        return frozenset(found)

    def tables(self) -> Mapping[int, Standing]:
        """Where the tables of a round stand."""
        named = self.history.of(RoomsNamed)
        return standing(named[-1].rooms) if named else {}

    def published(self, stage: str) -> Mapping[int, RoundPublished]:
        """The rounds of a stage that stand, as they were told."""
        stands: dict[int, RoundPublished] = {}
        for told in self.history.of(RoundPublished, RoundRecalled, TablesRepaired):
            if told.stage != stage:
                continue
            match told:
                case RoundPublished():
                    stands[told.round] = told
                case RoundRecalled():
                    stands.pop(told.round, None)
                case TablesRepaired() if told.round in stands:
                    stands[told.round] = repaired(stands[told.round], told)
                case TablesRepaired():
                    pass
        return stands

    def later(self, stage: str, number: int) -> int | None:
        """The last round of a stage that is published, if it is a later one."""
        last = max(self.published(stage), default=0)
        return last if last > number else None

    def published_at(self, stage: str) -> Mapping[int, datetime]:
        """When each round of a stage was published."""
        return {
            event.contract.round: event.at
            for event in self.history.events
            if isinstance(event.contract, RoundPublished) and event.contract.stage == stage
        }

    def repaired_at(self, stage: str) -> Mapping[int, datetime]:
        """The rounds of a stage that stand otherwise than they were published, and since when."""
        found: dict[int, datetime] = {}
        for event in self.history.events:
            match event.contract:
                case TablesRepaired() as told if told.stage == stage:
                    found[told.round] = event.at
                case RoundRecalled() as told if told.stage == stage:
                    found.pop(told.round, None)
                case _:
                    pass
        return found

    def last_result(self, stage: str, number: int) -> datetime | None:
        """When the last game of a round got its result; a correction afterwards prolongs no game, a replay does."""
        ended: dict[str, datetime] = {}
        for event in self.history.events:
            match event.contract:
                case ResultFinal() | ResultCorrected() | GameVoided() as told if (told.stage, told.round) == (
                    stage,
                    number,
                ):
                    ended.setdefault(told.game, event.at)
                case ResultReopened() as told:
                    ended.pop(told.game, None)
                case _:
                    pass
        return max(ended.values(), default=None)

    def rested_at(self, stage: str, number: int) -> datetime | None:
        """When the players have had their rest since the round before; None where there is none to wait for."""
        ended = self.last_result(stage, number - 1)
        return ended and ended + timedelta(minutes=settings_of(self.facts, stage).pairing.minutes_between_rounds)

    def news_since(self, inputs: str) -> Iterator[str]:
        """What may change a pairing, and has come since this much was known."""
        return (NEWS[event.type] for event in self.history.behind(heard.parse(inputs)) if event.type in NEWS)

    def number(self, entrant: str) -> int | None:
        """The start number."""
        known = self.facts.entrants.get(entrant)
        return known and known.number

    def title(self, stage: str) -> str:
        return stage_of(self.facts.ruleset, stage).title

    @property
    def name(self) -> str:
        plans = self.history.of(TournamentAnnounced, TournamentReplanned)
        return plans[-1].name if plans else self.id

    @property
    def time_zone(self) -> str:
        announced = self.history.of(TournamentAnnounced)
        return announced[-1].time_zone if announced else "UTC"

    def planned_start(self, stage: str, number: int) -> datetime | None:
        """When a round begins by the timetable of the rules, on the days and in the time zone of the tournament.

        None where the rules name no time, or name times for another number of rounds.
        """
        plans = self.history.of(TournamentAnnounced, TournamentReplanned)
        planned = timetable.planned_start(self.facts.ruleset, settings_of(self.facts, stage), stage, number)
        if not plans or planned is None or planned.time is None:
            return None
        day = date.fromisoformat(plans[-1].starts_on) + timedelta(days=planned.day - 1)
        zone = ZoneInfo(self.history.of(TournamentStarted)[-1].time_zone)
        return datetime.combine(day, time.fromisoformat(planned.time), zone)


def of_pairing(facts: Facts) -> Facts:
    return replace(facts, completed=frozenset(), corrected=frozenset())


def repaired(stands: RoundPublished, told: TablesRepaired) -> RoundPublished:
    changed = {game.game: game for game in told.games}
    games = tuple(changed.get(game.game, game) for game in stands.games)
    missing = stands.missing if told.missing is None else told.missing
    return msgspec.structs.replace(stands, games=games, byes=told.byes, missing=missing)


class KnownRound(Value):
    """A round of a tournament, as it stands in its stream."""

    tournament: KnownTournament
    stage: str
    number: int
    state: State
    version: int

    @property
    def identity(self) -> str:
        return identity(self.tournament.id, self.stage, self.number)

    @property
    def is_completed(self) -> bool:
        return is_completed(self.tournament.facts, self.stage, self.number)


class RoundUnknown(NotFound):
    """It is not paired, or not for everybody to see."""


def unpublished(number: int) -> RoundUnknown:
    return RoundUnknown(f"Round {number} is not published: look into the list of rounds, or ask again later.")


class Tournaments:
    def __init__(self, heard: Histories, names: NamesShown, rounds: RoundHandler) -> None:
        self._heard = heard
        self._names = names
        self._rounds = rounds

    async def of(self, tournament: str, moment: Moment = NOW) -> KnownTournament:
        history, facts = await moment.started(self._heard, tournament)
        told = await self._names.of_tournament(tournament)
        return KnownTournament(id=tournament, history=history, facts=facts, told=told)

    async def announced(self, tournament: str, asker: Asker) -> History:
        """What is known of a tournament, also before it has started."""
        history = await self.opened(tournament, asker)
        if not history.of(TournamentAnnounced):
            raise NotAnnounced(UNKNOWN)
        return history

    async def opened(self, tournament: str, asker: Asker) -> History:
        """Drafts are for officials: for everybody else there is no such tournament yet, nor ever one that was cancelled before
        it was opened."""
        history = await self._heard.of(tournament)
        if not (history.of(RegistrationOpened, TournamentStarted) or asker.is_operator or asker.holds_office()):
            raise NotAnnounced(UNKNOWN)
        return history

    async def with_stage(self, tournament: str, stage: str, moment: Moment = NOW) -> KnownTournament:
        known = await self.of(tournament, moment)
        require_stage(known.facts, stage)
        return known

    async def round(self, tournament: str, stage: str, number: int, moment: Moment = NOW) -> KnownRound:
        return await self.round_of(await self.with_stage(tournament, stage, moment), stage, number, moment)

    async def round_of(self, known: KnownTournament, stage: str, number: int, moment: Moment = NOW) -> KnownRound:
        """A round as it stands; in the past as everybody knew it then."""
        name = identity(known.id, stage, number)
        if moment.is_past:
            state, version = await self._rounds.as_told(name, known.inputs.pairing)
        else:
            state, version = await self._rounds.load(name)
        return KnownRound(tournament=known, stage=stage, number=number, state=state, version=version)
