"""What the operations on score sheets have in common: whose voice it is, what follows by the rules, what is kept."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from http import HTTPStatus
from typing import Any

from fastapi import Response
from msgspec.structs import replace

from services.results.api.games import views as shown
from services.results.api.games.bodies import ToReport, ToSay
from services.results.api.permissions import RULE, NoResult, OnlyAnOfficial, OnlyTheDirector, require_director
from services.results.calculate import Said
from services.results.domain import protests, rounds
from services.results.domain.sheet import orders, refusals, states
from services.results.domain.sheet.outcomes import AWARDED
from services.results.domain.sheet.states import Final, GameTerms, UnknownSheet
from services.results.games.verdict import Undecided
from services.results.projection import Projection
from services.results.streams import GameHandler, PenaltyHandler, ProtestHandler, RoundHandler
from services.results.tournaments import KnownTournament, Tournaments
from shared.access.asker import NOBODY, Concerned
from shared.cache import MOST_REMEMBERED
from shared.commands.handler import Beside, Handled
from shared.http.door import Act
from shared.http.responses import answer, written
from shared.ids import NewId
from shared.lots.drawing import Lots
from shared.numbers import exact, stored
from shared.personal.notes import Notes
from shared.refusals import Refusal
from shared.rulesets.play import AboutResults
from shared.tournament.facts import Game, Result
from shared.tournament.matches import Playing, winner_of
from shared.values import Value


class Place(Value):
    """For ever; who sits there may change until it has begun."""

    tournament: str
    stage: str
    round: int
    match: str | None
    number: int | None  # of the game inside its match


class Places:
    """Finds where a game belongs; what was found once is remembered."""

    def __init__(self, games: GameHandler, tournaments: Tournaments) -> None:
        self._games = games
        self._tournaments = tournaments
        self._found: dict[str, Place] = {}

    async def of(self, game: str) -> Place | None:
        if (known := self._found.get(game)) is not None:
            return known
        state, _ = await self._games.load(game)
        if isinstance(state, UnknownSheet):
            return None
        sheet = state.sheet
        if len(self._found) >= MOST_REMEMBERED:
            del self._found[next(iter(self._found))]
        self._found[game] = place = Place(
            tournament=sheet.tournament,
            stage=sheet.stage,
            round=sheet.round,
            match=sheet.match,
            number=sheet.number,
        )
        return place

    async def tournament(self, game: str) -> str | None:
        place = await self.of(game)
        return place and place.tournament

    async def table(self, game: str) -> Concerned:
        """The entrants who sit there now, and the requirement that only they speak of the game."""
        state, _ = await self._games.load(game)
        if isinstance(state, UnknownSheet):
            return NOBODY
        sheet, known = state.sheet, await self._tournaments.of(state.sheet.tournament)
        rule = None if known.facts is None else known.settings(sheet.stage).results.rule_ids.get("sides")
        return Concerned(entrants=sheet.seats, rule=rule)


async def is_surplus(games: GameHandler, views: Projection, place: Place, known: KnownTournament) -> bool:
    """Whether the games before this one have decided its match."""
    best_of = known.games_of(place.stage, place.match)
    if place.match is None or place.number is None or not 1 < place.number <= best_of:
        return False
    before: list[Game] = []
    results: list[Result] = []
    for game in await views.of_match(place.tournament, place.stage, place.match, before=place.number):
        state, _ = await games.load(game)
        if isinstance(state, Final):
            before.append(Game(id=game, table=state.sheet.table, seats=state.sheet.seats))
            results.append(
                Result(
                    scores=tuple(map(exact, state.result.scores)),
                    points=tuple(map(exact, state.result.points)),
                    winner=state.result.winner,
                )
            )
    if not before:
        return False
    playing = Playing(games=tuple(before), results=tuple(results))
    return winner_of(playing, known.settings(place.stage).contest, best_of, ()) is not None


ABOUT: Mapping[type[Refusal], AboutResults] = {
    refusals.NotAtThisTable: "sides",
    refusals.NotOfThisTable: "sides",
    refusals.OnlyForOwnSeat: "sides",
    refusals.OnlyTheSides: "sides",
    refusals.OwnReport: "sides",
    refusals.OneForBoth: "sides",
    refusals.LineUpsMissing: "sides",
    refusals.LineUpUnfit: "boards",
    refusals.StillDrawn: "drawn",
    refusals.NoSuchDuel: "drawn",
    refusals.NothingToDraw: "drawn",
    refusals.MatchIsDecided: "match",
    refusals.StartIsFixed: "start",
    refusals.OnlyTheHolder: "option",
    refusals.EntrantHasLeft: "left",
    refusals.TooLate: "complaint",
    refusals.GameIsVoid: "void",
    refusals.NoSuchClock: "clock",
    protests.NoCouncil: "council",
    protests.OwnDispute: "council",
    OnlyTheDirector: "penalties",
}


@contextmanager
def citing(known: KnownTournament, stage: str | None = None) -> Generator[None]:
    """What is refused here names its rule, by those of a stage or of the whole tournament."""
    try:
        yield
    except Refusal as refusal:
        about = ABOUT.get(type(refusal))
        if about is None or known.facts is None:
            raise
        results = known.rules().results if stage is None else known.settings(stage).results
        rule = results.rule_ids.get(about)
        if rule is None:
            raise
        raise type(refusal)(f"{str(refusal).rstrip('.')} ({rule}).") from None


HIDDEN = Said.model_fields.keys() - {"end", "scores", "points", "by", "draw_wins"}


class Desk(Value):
    games: GameHandler
    rounds: RoundHandler
    penalties: PenaltyHandler
    protests: ProtestHandler
    lots: Lots
    tournaments: Tournaments
    places: Places
    views: Projection
    notes: Notes
    new_id: NewId

    async def happen(self, game: str, command: orders.Command, act: Act, *, beside: Sequence[Beside] = ()) -> Response:
        handled = await self.handle(game, command, act, beside=beside)
        return written("results", handled, HTTPStatus.OK)

    async def handle(self, game: str, command: orders.Command, act: Act, *, beside: Sequence[Beside] = ()) -> Handled:
        known, place = await self.tournaments.of(act.asker.scope), await self.places.of(game)
        with citing(known, place and place.stage):
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

    async def place(self, game: str, act: Act) -> tuple[Place, KnownTournament]:
        """Where a game belongs, and what is known there."""
        place = await self.places.of(game)
        if place is None or place.tournament != act.asker.scope:
            raise shown.refused(UnknownSheet())
        return place, await self.tournaments.of(place.tournament)

    async def seats(self, game: str) -> tuple[str, ...]:
        """Who sits there now."""
        state, _ = await self.games.load(game)
        return shown.require_known(state).sheet.seats

    async def terms(self, game: str, act: Act) -> GameTerms:
        return await self.terms_of(*await self.place(game, act))

    async def terms_of(self, place: Place, known: KnownTournament) -> GameTerms:
        terms = known.terms(place.stage, place.match)
        surplus = await is_surplus(self.games, self.views, place, known)
        return replace(terms, surplus=True) if surplus else terms

    async def judged(self, game: str, said: ToSay, act: Act) -> "Judged":
        """What follows by the tournament's rules from what is said of a game."""
        place, known = await self.place(game, act)
        with citing(known, place.stage):
            require_entitled(known, place.stage, said.end, act)
        told = said.as_told()
        outcome = known.adjudicate(place.stage, told)
        if isinstance(outcome, Undecided):
            raise NoResult(outcome.detail)
        result = states.Result(
            scores=tuple(map(stored, outcome.scores)),
            points=tuple(map(stored, outcome.points)),
            end=outcome.end,
            by=outcome.by,
            first=said.first,
            deciding=said.deciding,
            draw_wins=None if said.draw_wins is None else (await self.seats(game))[said.draw_wins],
            unmoved=said.unmoved,
        )
        return Judged(
            result=result,
            gone=known.gone(place.stage, place.round),
            terms=await self.terms_of(place, known),
            said=hidden(told, outcome.scores),
        )

    async def require_penalties(self, game: str, act: Act) -> None:
        """That this person may impose what the rules count among the penalties."""
        place, known = await self.place(game, act)
        if known.settings(place.stage).results.penalties_by == "director":
            with citing(known, place.stage):
                require_director(act)

    def reopening(self, place: Place, act: Act) -> Beside:
        """Beside a replay: a round that was complete is so no more."""
        identity = rounds.identity(place.tournament, place.stage, place.round)
        return self.rounds.part(identity, rounds.ReopenRound(), scope=place.tournament, origin=act.origin)


class Judged(Value):
    result: states.Result
    gone: tuple[str, ...]
    terms: GameTerms
    said: Mapping[str, Any]

    def ordered[Order: (orders.DecideResult, orders.CorrectResult)](
        self, kind: type[Order], act: Act, note: str | None = None
    ) -> Order:
        return kind(
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


def require_entitled(known: KnownTournament, stage: str, end: str, act: Act) -> None:
    if end == AWARDED and known.settings(stage).results.penalties_by == "director":
        require_director(act)
    if known.is_for_officials(stage, end) and not act.asker.may(RULE, act.asker.scope):
        raise OnlyAnOfficial(f"Only an arbiter or the director can say that a game ended as `{end}`: ask one of them.")


def speaker(act: Act) -> states.Speaker:
    captain = shown.captain_of(act.asker)
    if captain is None:
        return states.Speaker(person=act.origin.actor)
    vouched_by = None if captain.issuer.role in RULE.roles else captain.issuer.subject
    return states.Speaker(person=act.origin.actor, entrant=captain.entrant, vouched_by=vouched_by)


def details(said: ToReport, judged: Judged) -> states.Details:
    """What else stands on the sheet."""
    if not (said.flags or said.highest_turn or said.bingos or judged.said):
        return states.NO_DETAILS
    best = said.highest_turn
    return states.Details(
        flags=said.flags or (said.finish.clock_over if said.finish else ()),
        highest_turn=states.Turn(seat=best.seat, points=best.points) if best else None,
        bingos=tuple(states.Turn(seat=one.seat, points=one.points) for one in said.bingos),
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
