"""The facts of a tournament from what the services tell. Each register has one writer, whose order holds within it.

So events of different services may come in any order between them, and what comes again changes nothing.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, cast

import msgspec
from msgspec.structs import replace

from shared.contracts import pairing, registration, results, standings
from shared.contracts.parts import PlannedGame
from shared.numbers import all_exact, exact
from shared.rulesets import stored
from shared.rulesets.schema import Ruleset
from shared.tournament.facts import (
    Absence,
    Ban,
    Entrant,
    Facts,
    Game,
    Left,
    Penalty,
    Result,
    Round,
    Settlement,
    StageOrder,
)
from shared.tournament.groups import by_letter

if TYPE_CHECKING:
    from fractions import Fraction

type LeftWhy = Literal["withdrew", "expelled"]
type SettlementKind = Literal["lot", "duel"]
type RoundPlace = tuple[str, int]  # a stage, and the number of a round

NO_SEAT = frozenset[int]()


class Fold:
    """Takes the events of one tournament, and says what is known of it."""

    def __init__(self) -> None:
        self._ruleset: Ruleset | None = None
        self._advance: int | None = None
        self._entrants: dict[str, Entrant] = {}
        self._rounds: dict[RoundPlace, Round | None] = {}  # none: recalled
        self._results: dict[str, Result] = {}
        self._voided: set[str] = set()
        self._corrected: set[str] = set()
        self._completed: set[RoundPlace] = set()
        self._left: dict[str, Left | None] = {}
        self._absences: dict[Absence, tuple[bool, Fraction | None]] = {}
        self._fields: dict[str, tuple[str, ...]] = {}
        self._drawn: dict[str, Mapping[str, str]] = {}
        self._bans: dict[frozenset[str], Ban] = {}
        self._penalties: dict[str, Penalty | None] = {}
        self._settled: dict[tuple[str, str, frozenset[str]], Settlement] = {}
        self._shortened: dict[str, int] = {}
        self._closed: dict[str, StageOrder] = {}
        self._direct: set[str] = set()
        self._chosen: dict[str, str | None] = {}

    def take(self, source: str, event: msgspec.Struct) -> None:
        """One event that a service has told. Each source's come in their order; what is no fact of ours is ignored."""
        self.take_several(source, (event,))

    def take_several(self, source: str, events: Iterable[msgspec.Struct]) -> None:
        match source:
            case "registration":
                take = self._take_registration
            case "pairing":
                take = self._take_pairing
            case "results":
                take = self._take_results
            case "standings":
                take = self._take_standings
            case _:
                return
        for event in events:
            take(event)

    def facts(self) -> Facts | None:
        """What is known now; nothing before the tournament has started."""
        if self._ruleset is None:
            return None
        rounds = {place: stands for place, stands in self._rounds.items() if stands is not None}
        voided = frozenset(self._voided)
        decided = self._results.keys() | voided if voided else self._results.keys()
        # A later stage of which no round stands any more counts as never opened: others may be in it by now.
        taken_back = (
            {stage for stage, _ in self._rounds} - {stage for stage, _ in rounds} - {self._ruleset.stages[0].id}
        )
        return Facts(
            ruleset=self._ruleset,
            entrants=dict(self._entrants),
            rounds=rounds,
            results=dict(self._results),
            voided=voided,
            corrected=frozenset(self._corrected),
            completed=frozenset(
                place
                for place, stands in rounds.items()
                if place in self._completed and all(map(decided.__contains__, stands.game_ids))
            ),
            left={entrant: left for entrant, left in self._left.items() if left is not None},
            returned=frozenset(entrant for entrant, left in self._left.items() if left is None),
            absences={absence: points for absence, (is_so, points) in self._absences.items() if is_so},
            fields={stage: field for stage, field in self._fields.items() if stage not in taken_back},
            drawn=dict(self._drawn),
            bans=tuple(self._bans.values()),
            penalties={name: penalty for name, penalty in self._penalties.items() if penalty is not None},
            settled=tuple(self._settled.values()),
            shortened=dict(self._shortened),
            closed=dict(self._closed),
            advance=self._advance,
            direct=frozenset(self._direct),
            chosen=dict(self._chosen),
        )

    def _take_registration(self, event: msgspec.Struct) -> None:
        match event:
            case registration.TournamentStarted():
                self._ruleset, self._advance = ruleset(bytes(event.ruleset)), event.advance
            case registration.EntrantAdmitted() | registration.EntrantChanged():
                self._entrants[event.entrant] = entrant(event)
                (self._direct.add if event.direct else self._direct.discard)(event.entrant)
            case registration.EntrantLeft():
                left = Left(stage=event.stage, after_round=event.after_round, why=cast("LeftWhy", event.why))
                self._left[event.entrant] = left
            case registration.EntrantReturned():
                self._left[event.entrant] = None
            case registration.EntrantAbsent():
                absence = Absence(entrant=event.entrant, stage=event.stage, round=event.round)
                self._absences[absence] = (True, None if event.points is None else exact(event.points))
            case registration.EntrantPresent():
                absence = Absence(entrant=event.entrant, stage=event.stage, round=event.round)
                self._absences[absence] = (False, None)
            case registration.MeetingForbidden():
                ban = Ban(entrants=frozenset(event.entrants), last_rounds=event.last_rounds)
                self._bans[ban.entrants] = ban
            case _:
                pass

    def _take_pairing(self, event: msgspec.Struct) -> None:
        match event:
            case pairing.StageOpened():
                self._fields[event.stage] = event.entrants
            case pairing.GroupsDrawn():
                self._drawn[event.stage] = by_letter(event.groups)
            case pairing.RoundPublished():
                self._rounds[event.stage, event.round] = published(event)
            case pairing.RoundRecalled():
                self._rounds[event.stage, event.round] = None
            case pairing.TablesRepaired():
                if stands := self._rounds.get((event.stage, event.round)):
                    self._rounds[event.stage, event.round] = repaired(stands, event)
            case _:
                pass

    def _take_results(self, event: msgspec.Struct) -> None:
        match event:
            case results.ResultFinal():
                self._results[event.game] = result(event)
                self._voided.discard(event.game)
                self._corrected.discard(event.game)
            case results.ResultCorrected():
                self._results[event.game] = result(event)
                self._voided.discard(event.game)
                self._corrected.add(event.game)
            case results.ResultReopened():
                self._results.pop(event.game, None)
                self._voided.discard(event.game)
                self._corrected.discard(event.game)
            case results.GameVoided():
                self._results.pop(event.game, None)
                self._voided.add(event.game)
            case results.RoundCompleted():
                self._completed.add((event.stage, event.round))
            case results.PenaltyImposed():
                self._penalties[event.penalty] = Penalty(
                    entrant=event.entrant, stage=event.stage, round=event.round, points=exact(event.points)
                )
            case results.PenaltyLifted():
                self._penalties[event.penalty] = None
            case _:
                pass

    def _take_standings(self, event: msgspec.Struct) -> None:
        match event:
            case standings.TieSettled():
                settled = Settlement(stage=event.stage, kind=cast("SettlementKind", event.kind), order=event.order)
                among = frozenset(one for equal in event.order for one in equal)
                self._settled.pop((event.stage, event.kind, among), None)
                self._settled[event.stage, event.kind, among] = settled
            case standings.StageShortened():
                self._shortened[event.stage] = event.rounds
            case standings.StageClosed():
                self._closed[event.stage] = StageOrder(places=event.order, groups=event.groups)
            case standings.PrizeChosen():
                self._chosen[event.entrant] = event.among
            case _:
                pass


@lru_cache(maxsize=50)
def ruleset(told: bytes) -> Ruleset:
    """Many tournaments have the same."""
    return stored.read(told)


def entrant(told: registration.EntrantAdmitted | registration.EntrantChanged) -> Entrant:
    return Entrant(
        id=told.entrant,
        number=told.number,
        rating=told.rating,
        lists=frozenset(told.lists),
        school=told.school,
        history=told.history,
        group=told.group,
        carried=exact(told.carried),
        from_round=told.from_round,
    )


def published(told: pairing.RoundPublished) -> Round:
    return Round(
        stage=told.stage,
        number=told.round,
        games=tuple(map(planned, told.games)),
        byes=told.byes,
        requested_byes={one: exact(points) for one, points in told.requested_byes.items()},
        missing=frozenset(told.missing),
    )


def repaired(stands: Round, told: pairing.TablesRepaired) -> Round:
    changed = {game.game: planned(game) for game in told.games}
    return replace(
        stands,
        games=tuple(changed.get(game.id, game) for game in stands.games),
        byes=told.byes,
        missing=stands.missing if told.missing is None else frozenset(told.missing),
    )


def planned(game: PlannedGame) -> Game:
    return Game(
        id=game.game,
        table=game.table,
        seats=game.seats,
        first=game.first,
        option=game.option,
        group=game.group,
        match=game.match,
        number=game.number,
    )


def result(told: results.ResultFinal | results.ResultCorrected) -> Result:
    return Result(
        scores=all_exact(told.scores),
        points=all_exact(told.points),
        end=told.end,
        by=frozenset(told.by) if told.by else NO_SEAT,
        first=told.first,
        winner=told.winner,
        decided_by=told.decided_by,
        draw_wins=told.draw_wins,
    )
