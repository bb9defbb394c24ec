"""What the operations on score sheets have in common: whose voice it is, what follows by the rules, what is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import Response

from services.results.api import shown
from services.results.api.forms import ToReport
from services.results.calculate import Said
from services.results.domain import orders, report, rounds
from services.results.domain.states import Unknown
from services.results.streams import GameHandler, PenaltyHandler, RoundHandler
from services.results.tournaments import Known, Tournaments
from services.results.views import Views
from shared.act import Act
from shared.answers import answer, written
from shared.decider import Forbidden
from shared.exact import stored
from shared.handle import Beside, Handled
from shared.ids import NewId
from shared.notes import Notes
from shared.remembered import MOST_REMEMBERED


class OnlyAnOfficial(Forbidden):
    """Such an ending is an official's decision."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a game belongs, for ever."""

    tournament: str
    stage: str
    round: int


class Places:
    """Finds where a game belongs; what was found once is remembered."""

    def __init__(self, games: GameHandler) -> None:
        self._games = games
        self._found: dict[str, Place] = {}

    async def of(self, game: str) -> Place | None:
        if (known := self._found.get(game)) is not None:
            return known
        state, _ = await self._games.load(game)
        if isinstance(state, Unknown):
            return None
        sheet = state.sheet
        if len(self._found) >= MOST_REMEMBERED:
            del self._found[next(iter(self._found))]
        self._found[game] = place = Place(tournament=sheet.tournament, stage=sheet.stage, round=sheet.round)
        return place

    async def tournament(self, game: str) -> str | None:
        place = await self.of(game)
        return place and place.tournament


@dataclass(frozen=True, kw_only=True, slots=True)
class Desk:
    games: GameHandler
    rounds: RoundHandler
    penalties: PenaltyHandler
    tournaments: Tournaments
    places: Places
    views: Views
    notes: Notes
    new_id: NewId

    async def happen(self, game: str, command: orders.Command, act: Act, *, beside: Sequence[Beside] = ()) -> Response:
        handled = await self.handle(game, command, act, beside=beside)
        return written("results", handled, HTTPStatus.OK)

    async def handle(self, game: str, command: orders.Command, act: Act, *, beside: Sequence[Beside] = ()) -> Handled:
        return await self.games.handle(
            game,
            command,
            scope=act.asker.scope,
            origin=act.origin,
            respond=lambda state, version: answer(shown.sheet(state, act.asker), version),
            key=act.key,
            versions=act.versions,
            beside=beside,
        )

    async def judged(self, game: str, said: Said, first: str | None, act: Act) -> "Judged":
        """What follows by the tournament's rules from what is said of a game."""
        place = await self.places.of(game)
        if place is None or place.tournament != act.asker.scope:
            raise shown.refused(Unknown())
        known = await self.tournaments.of(place.tournament)
        require_entitled(known, place.stage, said.end, act)
        verdict = known.adjudicate(place.stage, said.happening())
        result = report.Result(
            scores=tuple(map(stored, verdict.scores)),
            points=tuple(map(stored, verdict.points)),
            end=verdict.end,
            by=verdict.by,
            first=first,
        )
        return Judged(result=result, gone=known.gone(place.stage, place.round))

    def reopening(self, place: Place, act: Act) -> Beside:
        """Beside a replay: a round that was complete is so no more."""
        identity = rounds.identity(place.tournament, place.stage, place.round)
        return self.rounds.part(identity, rounds.ReopenRound(), scope=place.tournament, origin=act.origin)


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    result: report.Result
    gone: tuple[str, ...]


def require_entitled(known: Known, stage: str, end: str, act: Act) -> None:
    if known.is_for_officials(stage, end) and not act.asker.may(shown.RULE, act.asker.scope):
        raise OnlyAnOfficial(f"Only an arbiter or the director can say that a game ended as `{end}`: ask one of them.")


def speaker(act: Act) -> report.Speaker:
    captain = act.asker.caller and act.asker.caller.captain
    return report.Speaker(person=act.origin.actor, entrant=captain.entrant if captain else None)


def details(said: ToReport) -> report.Details:
    """What else stands on the sheet."""
    if not (said.flags or said.highest_turn or said.bingos):
        return report.NO_DETAILS
    best = said.highest_turn
    return report.Details(
        flags=said.flags,
        highest_turn=report.Turn(seat=best.seat, points=best.points) if best else None,
        bingos=tuple(report.Turn(seat=one.seat, points=one.points) for one in said.bingos),
    )
