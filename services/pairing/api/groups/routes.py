"""The groups of a stage: drawn by a lot that is recorded, or by hand."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace

from services.pairing.api.bodies import STAGE_PATH, Foreseen, StageId
from services.pairing.api.groups import views
from services.pairing.api.groups.bodies import Groups, NewGroups
from services.pairing.api.permissions import PAIR, SEE
from services.pairing.api.players import with_names
from services.pairing.api.reasons import stated
from services.pairing.domain.round_sheet import Doubt
from services.pairing.domain.stage import DrawGroups, identity
from services.pairing.engines import group_draw
from services.pairing.tournaments import KnownTournament, StageHandler, Tournaments
from shared.access.asker import Asker
from shared.commands.handler import ActPart
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.moments import NOW, Moment, asked_for
from shared.http.orders import CHANGED, answered_before, run, tried
from shared.http.parameters import TournamentId
from shared.http.responses import FOUND, DryRun, read
from shared.lots.drawing import Lots
from shared.personal.notes import Notes
from shared.refusals import NotFound
from shared.tournament import groups as any_groups
from shared.tournament.stages import settings_of


class NoGroups(NotFound):
    """The stage is played without groups."""


def routes(  # noqa: C901 - three short operations
    *, stages: StageHandler, tournaments: Tournaments, lots: Lots, notes: Notes, door: Door
) -> APIRouter:
    router = Router(prefix=f"{STAGE_PATH}/groups", tags=["groups"])

    async def played_in_groups(tournament: str, stage: str, moment: Moment = NOW) -> KnownTournament:
        known = await tournaments.with_stage(tournament, stage, moment)
        if settings_of(known.facts, stage).pairing.system != "groups":
            raise NoGroups(f"The stage {stage} is played without groups.")
        return known

    async def answered(act: Act, tournament: str) -> Response | None:
        """The first answer to the same request, if it was answered before."""
        before = await answered_before(stages, act)
        return before and with_names(before, Groups, views.players_of, await tournaments.of(tournament))

    async def carry_out(order: DrawGroups, known: KnownTournament, act: Act, *also: ActPart) -> Response:
        response = await run(
            stages,
            identity(known.id, order.stage),
            order,
            act,
            lambda state: views.groups_view(state, known.unnamed, order.stage, act.asker),
            scope=known.id,
            also=also,
        )
        return with_names(response, Groups, views.players_of, known)

    @router.get(
        "",
        summary="The groups of a stage",
        description="Who plays in which group, and whether schools are as far apart as they can be.",
        operation_id="getGroups",
        response_model=Groups,
        responses=FOUND,
    )
    async def look(
        tournament_id: TournamentId,
        stage: StageId,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        known = await played_in_groups(tournament_id, stage, moment)
        name = identity(tournament_id, stage)
        if moment.is_past:
            state, version = await stages.as_told(name, known.inputs.pairing)
            shown = views.groups_view(state, known, stage, asker).model_copy(update={"allowed_actions": {}})
            return read(shown, version)
        state, version = await stages.load(name)
        key = await lots.key(tournament_id, is_trusted=False)
        return read(views.groups_view(state, known, stage, asker, key), version)

    @router.post(
        "/draw",
        summary="Draw the groups by lot",
        description="At random, with as few pairs of one school in one group as there can be. The same field gets the "
        "same groups, however often it is drawn. Until a round is published.",
        operation_id="drawGroups",
        response_model=Groups,
        responses=CHANGED,
    )
    async def draw(
        tournament_id: TournamentId, stage: StageId, act: Annotated[Act, Depends(door.acts(PAIR))]
    ) -> Response:
        if before := await answered(act, tournament_id):
            return before
        known = await played_in_groups(tournament_id, stage)
        drawing = await lots.begin(tournament_id, act.origin)
        drawn = group_draw.by_lot(known.facts, stage, drawing.draw)
        return await carry_out(order_to_draw(known, stage, drawn), known, act, drawing.recorded())

    @router.post(
        "/set",
        summary="Write down groups that were drawn by hand",
        description="Everybody once, in as many groups as the rules have for such a field, of equal size or with one "
        "more. Where more of one school are together than have to be, say why. Until a round is published.",
        operation_id="setGroups",
        response_model=Groups | Foreseen,
        responses=CHANGED,
    )
    async def set_by_hand(
        tournament_id: TournamentId,
        stage: StageId,
        body: NewGroups,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        dry_run: DryRun = False,
    ) -> Response:
        if not dry_run and (before := await answered(act, tournament_id)):
            return before
        known = await played_in_groups(tournament_id, stage)
        against = group_draw.by_hand(known.facts, stage, body.groups)
        doubts = () if against is None else (Doubt(kind="same-school", detail=against),)
        order = replace(order_to_draw(known, stage, body.groups), by_hand=True, doubts=doubts)
        if dry_run:
            state, events = await stages.foresee(identity(tournament_id, stage), replace(order, doubts=()))
            return tried(views.draw_foreseen(state, order, events, known.names))
        async with stated(notes, tournament_id, body.reason, act) as reason:
            return await carry_out(replace(order, reason=reason), known, act)

    return router


def order_to_draw(known: KnownTournament, stage: str, groups: any_groups.Groups) -> DrawGroups:
    return DrawGroups(
        tournament=known.id,
        stage=stage,
        groups=tuple(map(tuple, groups)),
        is_played=bool(known.published(stage)),
    )
