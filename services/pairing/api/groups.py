"""The groups of a stage: drawn by a lot that is recorded, or by hand."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace

from services.pairing.api.bodies import Foreseen, StageId, TournamentId
from services.pairing.api.desk import PAIR, SEE, Desk
from services.pairing.api.group_bodies import Group, Groups, NewGroups, SchoolTogether
from services.pairing.api.leaving import leaving, unnamed
from services.pairing.api.looking import NOT_FOUND, PREFIX
from services.pairing.api.shown import players
from services.pairing.api.situation import Situation
from services.pairing.domain.sheet import Doubt
from services.pairing.domain.stage import PLAYED, DrawGroups, State, identity
from services.pairing.engines import groups as drawing_groups
from shared.access.asker import Asker
from shared.commands.handler import Beside
from shared.http.door import Act, Door
from shared.http.moments import NOW, Moment, asked_for
from shared.http.responses import JSON, READ, DryRun, action, answer, changed, read
from shared.refusals import NotFound
from shared.rulesets.settings import group_count
from shared.tournament.groups import LETTERS, conflicts, fewest, members_of, schools_of, sizes, together
from shared.tournament.stages import require_stage, settings_of
from shared.values import Value

ACTIONS = ("drawGroups", "setGroups")
REFUSALS = changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)


class NoGroups(NotFound):
    """The stage is played without groups."""


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/groups", tags=["groups"])

    @router.get(
        "",
        summary="The groups of a stage",
        description="Who plays in which group, and whether schools are as far apart as they can be. Also as it "
        "was known once (`inputs`), or at a time (`at`).",
        operation_id="getGroups",
        response_model=Groups,
        responses=READ | NOT_FOUND,
    )
    async def look(
        tournament_id: TournamentId,
        stage: StageId,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        situation = await situation_of(desk, tournament_id, stage, moment)
        name = identity(tournament_id, stage)
        if moment.is_past:
            state, version = await desk.stages.as_told(name, situation.inputs.pairing)
            return read(shown(state, situation, stage, asker).model_copy(update={"allowed_actions": []}), version)
        state, version = await desk.stages.load(name)
        return read(shown(state, situation, stage, asker), version)

    @router.post(
        "/draw",
        summary="Draw the groups by lot",
        description="At random, with as few pairs of one school in one group as there can be. The lot follows from a "
        "secret that was fixed before the first lot of the tournament and is shown in the end: the same field gets the "
        "same groups, however often it is drawn. Until a round is published.",
        operation_id="drawGroups",
        response_model=Groups,
        responses=REFUSALS,
    )
    async def draw(
        tournament_id: TournamentId, stage: StageId, act: Annotated[Act, Depends(door.acts(PAIR))]
    ) -> Response:
        if before := await desk.stages.repeated(act.key):
            return leaving(before, await desk.situations.of(tournament_id))
        situation = await situation_of(desk, tournament_id, stage)
        drawing = await desk.lots.begin(tournament_id, act.origin)
        drawn = drawing_groups.by_lot(situation.facts, stage, drawing.draw)
        command = order(situation, stage, drawn)
        return await Drawing(desk=desk, act=act, situation=situation, stage=stage).happen(command, drawing.recorded())

    @router.post(
        "/set",
        summary="Write down groups that were drawn by hand",
        description="Everybody once, in as many groups as the rules have for such a field, of equal size or with one "
        "more. Where more of one school are together than have to be, say why. Until a round is published.",
        operation_id="setGroups",
        response_model=Groups | Foreseen,
        responses=REFUSALS,
    )
    async def set_by_hand(
        tournament_id: TournamentId,
        stage: StageId,
        body: NewGroups,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        if not dry_run and (before := await desk.stages.repeated(act.key)):
            return leaving(before, await desk.situations.of(tournament_id))
        situation = await situation_of(desk, tournament_id, stage)
        against = drawing_groups.by_hand(situation.facts, stage, body.groups)
        command = order(situation, stage, body.groups, by_hand=True, against=against)
        drawing = Drawing(desk=desk, act=act, situation=situation, stage=stage)
        return await (drawing.foresee(command) if dry_run else drawing.by_hand(command, body))

    return router


async def situation_of(desk: Desk, tournament: str, stage: str, moment: Moment = NOW) -> Situation:
    situation = await desk.situations.of(tournament, moment)
    require_stage(situation.facts, stage)
    if settings_of(situation.facts, stage).pairing.system != drawing_groups.METHOD:
        raise NoGroups(f"The stage {stage} is played without groups.")
    return situation


def order(
    situation: Situation,
    stage: str,
    groups: drawing_groups.Groups,
    *,
    by_hand: bool = False,
    against: str | None = None,
) -> DrawGroups:
    return DrawGroups(
        tournament=situation.tournament,
        stage=stage,
        groups=tuple(map(tuple, groups)),
        by_hand=by_hand,
        is_played=bool(situation.published(stage)),
        doubts=() if against is None else (Doubt(kind="same-school", detail=against),),
    )


class Drawing(Value):
    """An act that gives a stage its groups."""

    desk: Desk
    act: Act
    situation: Situation
    stage: str

    async def by_hand(self, command: DrawGroups, body: NewGroups) -> Response:
        async with self.desk.explained(self.situation.tournament, body.reason, self.act) as reason:
            return await self.happen(replace(command, reason=reason))

    async def happen(self, command: DrawGroups, *beside: Beside) -> Response:
        handled = await self.desk.stages.handle(
            identity(self.situation.tournament, self.stage),
            command,
            scope=self.situation.tournament,
            origin=self.act.origin,
            respond=self._show,
            key=self.act.key,
            versions=self.act.versions,
            beside=beside,
        )
        return leaving(handled, self.situation)

    async def foresee(self, command: DrawGroups) -> Response:
        named = identity(self.situation.tournament, self.stage)
        state, _ = await self.desk.stages.load(named)
        await self.desk.stages.foresee(named, replace(command, doubts=()))
        lines = zip(LETTERS, command.groups, strict=False)
        foreseen = Foreseen(
            changes=[f"Group {letter} will be {', '.join(members)}." for letter, members in lines],
            lost=["The groups as they are now."] if state.drawn is not None else [],
            doubts=[doubt.detail for doubt in command.doubts],
            remarks=[],
        )
        return Response(foreseen.model_dump_json(), media_type=JSON)

    def _show(self, state: State, version: int) -> bytes:
        return answer(shown(state, unnamed(self.situation), self.stage, self.act.asker), version)


def shown(state: State, situation: Situation, stage: str, asker: Asker) -> Groups:
    facts = situation.facts
    members, schools = members_of(facts, stage), schools_of(facts.entrants.values())
    count = group_count(facts.ruleset, stage, size=len(members))
    groups = () if state.drawn is None else state.drawn.groups
    why_not = refusal(situation, stage, count)
    return Groups(
        tournament=situation.tournament,
        stage=stage,
        groups=[
            Group(group=letter, entrants=players(several, situation.names))
            for letter, several in zip(LETTERS, groups, strict=False)
        ],
        by_hand=state.drawn is not None and state.drawn.by_hand,
        together=[
            SchoolTogether(
                group=letter,
                entrants=players([one for one in several if schools.get(one) == school], situation.names),
            )
            for letter, school, several in together(groups, schools)
        ],
        pairs_of_one_school=conflicts(groups, schools),
        fewest_possible=None if count is None else fewest(members, count, schools),
        explanation=list(drawing_groups.how_drawn(facts, groups, by_hand=state.drawn.by_hand)) if state.drawn else [],
        sizes=[] if count is None else sizes(len(members), count),
        allowed_actions=[action(name, asker.why_not(PAIR, situation.tournament) or why_not) for name in ACTIONS],
    )


def refusal(situation: Situation, stage: str, count: int | None) -> str | None:
    """Why the rules would say no, whatever is drawn."""
    if count is None:
        return "The rules know no groups for so many."
    return PLAYED if situation.published(stage) else None
