"""A stage: how ties in it end that no criterion breaks, how long it is, and that it is over."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.standings.api.bodies import Foreseen
from services.standings.api.parameters import StageId
from services.standings.api.permissions import LOOK, RULE
from services.standings.api.stages.bodies import DuelPlayed, LotWanted, Shorter, Stage
from services.standings.api.stages.views import foreseen_closing, foreseen_shortening, named, stage_view
from services.standings.domain import qualifying, ranking
from services.standings.domain.qualifying import QUALIFYING, qualified
from services.standings.domain.ranking import RANKING, purpose
from services.standings.sealing import TableSealing
from services.standings.tournaments import KnownStage, Tournaments
from shared.access.asker import Asker
from shared.commands.handler import ActPart, Handler, StreamAppend
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.moments import Moment, asked_for
from shared.http.orders import CHANGED, answered_before, run, tried
from shared.http.parameters import TournamentId
from shared.http.responses import FOUND, DryRun, read
from shared.lots.drawing import Lots
from shared.personal.notes import Notes


def routes(  # noqa: C901 - five short operations
    *,
    rankings: Handler[ranking.State, ranking.Command, ranking.Event],
    qualifications: Handler[qualifying.State, qualifying.NameQualified, qualifying.Qualified],
    sealing: TableSealing,
    lots: Lots,
    notes: Notes,
    tournaments: Tournaments,
    door: Door,
) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/stages/{stage}", tags=["stages"])

    async def decide(known: KnownStage, order: ranking.Command, act: Act, *also: ActPart) -> Response:
        def view(state: ranking.State) -> Stage:
            return stage_view(known.with_decided(state), state, act.asker)

        return await run(rankings, known.tournament, order, act, view, also=(*also, going_on(known, order, act)))

    def going_on(known: KnownStage, order: ranking.Command, act: Act) -> ActPart:
        """Who goes on to another tournament, where this order decides it."""

        async def decided() -> StreamAppend:
            state, _ = await rankings.load(known.tournament)
            then = known.within.with_decided(RANKING.fold(RANKING.decide(state, order), state))
            named = await asyncio.to_thread(qualified, known.tournament, then.facts, str(then.inputs))
            if named is not None:
                part = qualifications.part(known.tournament, named, scope=known.tournament, origin=act.origin)
                return await part()
            _, version = await qualifications.load(known.tournament)
            return StreamAppend(stream=QUALIFYING.stream(known.tournament), version=version, events=())

        return decided

    @router.get(
        "",
        summary="A stage, and what keeps it from being closed",
        description="Whether its order is decided, which ties wait, and what the caller may do about it.",
        operation_id="getStage",
        response_model=Stage,
        responses=FOUND,
    )
    async def show(
        tournament_id: TournamentId,
        stage: StageId,
        asker: Annotated[Asker, Depends(door.reads(LOOK))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        known = await tournaments.stage(tournament_id, stage, moment)
        if moment.is_past:
            state, version = await rankings.as_told(tournament_id, known.inputs.standings)
        else:
            state, version = await rankings.load(tournament_id)
        view = named(stage_view(known, state, asker), await tournaments.names(tournament_id))
        return read(view.model_copy(update={"allowed_actions": {}} if moment.is_past else {}), version)

    @router.post(
        "/ties",
        summary="Write down how a duel ended",
        description="Of entrants who wait for one. Those who are equal after it share an inner list, and go on as the "
        "rules say. Writing it down once more mends what was wrong.",
        operation_id="settleTie",
        response_model=Stage,
        responses=CHANGED,
    )
    async def settle(
        tournament_id: TournamentId, stage: StageId, body: DuelPlayed, act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        if before := await answered_before(rankings, act):
            return before
        known = await tournaments.stage(tournament_id, stage)
        return await decide(known, known.settle("duel", tuple(tuple(equal) for equal in body.order)), act)

    @router.post(
        "/lots",
        summary="Draw a lot",
        description="Among entrants who wait for one. The same tie gets the same lot: nobody can choose it, and "
        "everybody can check it in the end.",
        operation_id="drawLot",
        response_model=Stage,
        responses=CHANGED,
    )
    async def draw(
        tournament_id: TournamentId, stage: StageId, body: LotWanted, act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        if before := await answered_before(rankings, act):
            return before
        known = await tournaments.stage(tournament_id, stage)
        state, _ = await rankings.load(tournament_id)
        if not state.is_settled(stage, "lot", body.entrants):  # nothing is drawn for a tie that does not wait
            await rankings.foresee(tournament_id, known.settle("lot", one_by_one(body.entrants)))
        drawing = await lots.begin(tournament_id, act.origin)
        order = drawing.draw(purpose(stage), body.entrants)  # the same as before, for one that had its lot
        return await decide(known, known.settle("lot", one_by_one(order)), act, drawing.recorded())

    @router.post(
        "/shorten",
        summary="Play fewer rounds",
        description="No more rounds are paired than these, and then the stage can be closed. Not fewer than are "
        "published, or than the rules want; another number may be named later.",
        operation_id="shortenStage",
        response_model=Stage | Foreseen,
        responses=CHANGED,
    )
    async def shorten(
        tournament_id: TournamentId,
        stage: StageId,
        body: Shorter,
        act: Annotated[Act, Depends(door.acts(RULE))],
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await answered_before(rankings, act)):
            return before
        known = await tournaments.stage(tournament_id, stage)
        if dry_run:
            _, events = await rankings.foresee(tournament_id, known.shorten(body.rounds, ""))
            return tried(foreseen_shortening(known, body.rounds, events))
        async with notes.kept(tournament_id, body.reason, act.key) as note:
            return await decide(known, known.shorten(body.rounds, note or ""), act)

    @router.post(
        "/close",
        summary="Close a stage",
        description="Its order is decided, and told to all who build on it. Refused, with all reasons, while results "
        "are missing or ties wait. After a correction it may be closed once more.",
        operation_id="closeStage",
        response_model=Stage | Foreseen,
        responses=CHANGED,
    )
    async def close(
        tournament_id: TournamentId,
        stage: StageId,
        act: Annotated[Act, Depends(door.acts(RULE))],
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await answered_before(rankings, act)):
            return before
        known = await tournaments.stage(tournament_id, stage)
        if dry_run:
            return tried(foreseen_closing(known, *await rankings.foresee(tournament_id, known.close())))
        sealed = sealing.part(tournament_id, stage, known.table, str(known.inputs), act.origin)
        return await decide(known, known.close(), act, sealed)

    return router


def one_by_one(entrants: Sequence[str]) -> ranking.Places:
    return tuple((entrant,) for entrant in entrants)
