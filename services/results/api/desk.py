"""What the operations on score sheets have in common: whose voice it is, what follows by the rules, what is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from http import HTTPStatus
from typing import Any

from fastapi import Response

from services.results.api import shown
from services.results.api.doable import PUNISH, RULE
from services.results.api.forms import ToReport, ToSay
from services.results.calculate import Said
from services.results.domain import orders, report, rounds
from services.results.domain.fitting import AWARDED
from services.results.domain.states import Unknown
from services.results.domain.terms import Terms
from services.results.games.verdict import Undecided
from services.results.streams import GameHandler, PenaltyHandler, ProtestHandler, RoundHandler
from services.results.tournaments import Known, Tournaments
from services.results.views import Views
from shared.act import Act
from shared.answers import answer, written
from shared.decider import Conflict, Forbidden
from shared.exact import stored
from shared.handle import Beside, Handled
from shared.ids import NewId
from shared.lot_seeds import Lots
from shared.notes import Notes
from shared.remembered import MOST_REMEMBERED

HIDDEN = Said.model_fields.keys() - {"end", "scores", "points", "by", "draw_wins"} | {"ends"}


class OnlyAnOfficial(Forbidden):
    """Such an ending is an official's decision."""


class OnlyTheDirector(Forbidden):
    """Penalties are the director's alone."""


class NoResult(Conflict):
    """From what was said nothing counts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a game belongs, for ever."""

    tournament: str
    stage: str
    round: int
    match: str | None
    seats: tuple[str, ...]


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
        self._found[game] = place = Place(
            tournament=sheet.tournament, stage=sheet.stage, round=sheet.round, match=sheet.match, seats=sheet.seats
        )
        return place

    async def tournament(self, game: str) -> str | None:
        place = await self.of(game)
        return place and place.tournament


@dataclass(frozen=True, kw_only=True, slots=True)
class Desk:
    games: GameHandler
    rounds: RoundHandler
    penalties: PenaltyHandler
    protests: ProtestHandler
    lots: Lots
    tournaments: Tournaments
    places: Places
    views: Views
    notes: Notes
    new_id: NewId

    async def happen(self, game: str, command: orders.Command, act: Act, *, beside: Sequence[Beside] = ()) -> Response:
        handled = await self.handle(game, command, act, beside=beside)
        return written("results", handled, HTTPStatus.OK)

    async def handle(self, game: str, command: orders.Command, act: Act, *, beside: Sequence[Beside] = ()) -> Handled:
        known = await self.tournaments.of(act.asker.scope)
        return await self.games.handle(
            game,
            command,
            scope=act.asker.scope,
            origin=act.origin,
            respond=lambda state, version: answer(shown.sheet(state, act.asker, known), version),
            key=act.key,
            versions=act.versions,
            beside=beside,
        )

    async def place(self, game: str, act: Act) -> tuple[Place, Known]:
        """Where a game belongs, and what is known there."""
        place = await self.places.of(game)
        if place is None or place.tournament != act.asker.scope:
            raise shown.refused(Unknown())
        return place, await self.tournaments.of(place.tournament)

    async def terms(self, game: str, act: Act) -> Terms:
        place, known = await self.place(game, act)
        return known.terms(place.stage, place.match)

    async def judged(self, game: str, said: ToSay, act: Act) -> "Judged":
        """What follows by the tournament's rules from what is said of a game."""
        place, known = await self.place(game, act)
        require_entitled(known, place.stage, said.end, act)
        told = said.as_told()
        outcome = known.adjudicate(place.stage, told)
        if isinstance(outcome, Undecided):
            raise NoResult(outcome.detail)
        result = report.Result(
            scores=tuple(map(stored, outcome.scores)),
            points=tuple(map(stored, outcome.points)),
            end=outcome.end,
            by=outcome.by,
            first=said.first,
            deciding=said.deciding,
            draw_wins=None if said.draw_wins is None else place.seats[said.draw_wins],
            unmoved=said.unmoved,
        )
        return Judged(
            result=result,
            gone=known.gone(place.stage, place.round),
            terms=known.terms(place.stage, place.match),
            said=hidden(told, outcome.scores),
        )

    async def require_penalties(self, game: str, act: Act) -> None:
        """That this person may impose what the rules count among the penalties."""
        place, known = await self.place(game, act)
        if known.settings(place.stage).results.penalties_by == "director":
            require_director(act)

    def reopening(self, place: Place, act: Act) -> Beside:
        """Beside a replay: a round that was complete is so no more."""
        identity = rounds.identity(place.tournament, place.stage, place.round)
        return self.rounds.part(identity, rounds.ReopenRound(), scope=place.tournament, origin=act.origin)


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    result: report.Result
    gone: tuple[str, ...]
    terms: Terms
    said: Mapping[str, Any]

    def decided(self, act: Act, note: str | None) -> orders.DecideResult:
        return orders.DecideResult(
            by=act.origin.actor,
            result=self.result,
            reason=note or "",
            gone=self.gone,
            said=self.said,
            terms=self.terms,
        )

    def corrected(self, act: Act, note: str | None = None) -> orders.CorrectResult:
        return orders.CorrectResult(
            by=act.origin.actor,
            result=self.result,
            reason=note or "",
            gone=self.gone,
            said=self.said,
            terms=self.terms,
        )


def hidden(said: Said, scores: tuple[Fraction, ...]) -> dict[str, Any]:
    """What was said and cannot be seen in the result, such as boards, or what stood there before it was counted."""
    kept = said.model_fields_set & HIDDEN
    if said.scores is not None and said.scores != scores:
        kept = kept | {"scores"}
    return said.model_dump(mode="json", include=kept, exclude_none=True) if kept else {}


def require_entitled(known: Known, stage: str, end: str, act: Act) -> None:
    if end == AWARDED and known.settings(stage).results.penalties_by == "director":
        require_director(act)
    if known.is_for_officials(stage, end) and not act.asker.may(RULE, act.asker.scope):
        raise OnlyAnOfficial(f"Only an arbiter or the director can say that a game ended as `{end}`: ask one of them.")


def require_director(act: Act) -> None:
    if not act.asker.may(PUNISH, act.asker.scope):
        raise OnlyTheDirector("By these rules only the director imposes penalties: ask him.")


def speaker(act: Act) -> report.Speaker:
    captain = act.asker.caller and act.asker.caller.captain
    return report.Speaker(person=act.origin.actor, entrant=captain.entrant if captain else None)


def details(said: ToReport, judged: Judged) -> report.Details:
    """What else stands on the sheet."""
    if not (said.flags or said.highest_turn or said.bingos or judged.said):
        return report.NO_DETAILS
    best = said.highest_turn
    return report.Details(
        flags=said.flags,
        highest_turn=report.Turn(seat=best.seat, points=best.points) if best else None,
        bingos=tuple(report.Turn(seat=one.seat, points=one.points) for one in said.bingos),
        said=judged.said,
    )


async def reported(desk: Desk, game: str, said: ToReport, act: Act) -> orders.ReportResult:
    """What somebody says, as an order with all that follows from it."""
    judged = await desk.judged(game, said, act)
    return orders.ReportResult(
        by=speaker(act),
        result=judged.result,
        signed_by=said.signed_by,
        details=details(said, judged),
        gone=judged.gone,
        terms=judged.terms,
    )
