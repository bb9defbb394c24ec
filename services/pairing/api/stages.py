"""The stages of a tournament at a glance: how far each is, which round is next, and what stands in its way."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.pairing.api.permissions import SEE, SEE_DRAFTS
from services.pairing.api.rounds import views
from services.pairing.api.rounds.bodies import NextRound, RoundListed
from services.pairing.domain.next_round import ComingRound
from services.pairing.tournaments import KnownTournament, Tournaments
from shared.access.asker import Asker
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.moments import Moment, asked_for
from shared.http.parameters import TournamentId
from shared.http.problems import documented
from shared.http.responses import PAGE, read_by_content
from shared.personal.sentences import spoken
from shared.rulesets.stages import Stage
from shared.tournament.stages import settings_of

PATH = "/v1/tournaments/{tournament_id}/stages"

type Ahead = tuple[Stage, ComingRound]
type StageStatus = Literal["waiting", "possible", "running", "played", "closed", "not-held"]


class StageListed(BaseModel):
    stage: str = Field(examples=["swiss"])
    title: str = Field(examples=["Swiss"])
    system: str = Field(description="How it is paired, by the ruleset.", examples=["median-swiss"])
    status: StageStatus = Field(
        description="`waiting`: something has to happen before its first round. `possible`: that can be paired. "
        "`running`: a round is published. `played`: its last result is there. `closed`: its order is told. "
        "`not-held`: the rules leave it out for such a field.",
        examples=["running"],
    )
    of: int | None = Field(description="How many rounds there will be, where the rules fix a number.", examples=[7])
    rounds: list[RoundListed] = Field(description="In order. A draft is shown to officials only.")
    next: NextRound = Field(description="The next round of this stage, and what stands in its way.")


class RoundAhead(BaseModel):
    stage: str = Field(examples=["swiss"])
    title: str = Field(examples=["Swiss"])
    round: int = Field(examples=[3])
    ready: bool = Field(description="Whether it can be paired now.", examples=[False])
    in_the_way: list[str] = Field(
        description="What has to happen before, in sentences.",
        examples=[["In round 2 table 4 has no result yet: the next round is paired when all are in."]],
    )


class StageList(BaseModel):
    tournament: str = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    tournament_name: str = Field(examples=["Bratislava Open"])
    time_zone: str = Field(examples=["Europe/Bratislava"])
    next: RoundAhead | None = Field(description="The round to be paired next; null when nothing is left to be paired.")
    stages: list[StageListed] = Field(description="In the order of the rules.")


def routes(*, tournaments: Tournaments, door: Door) -> APIRouter:
    router = Router(prefix=PATH, tags=["stages"])

    @router.get(
        "",
        summary="The stages of a tournament, and which round is next",
        description="How far each stage is, its rounds, what can be done now and what stands in the way. Officials "
        "also see how far the next round is.",
        operation_id="listStages",
        response_model=StageList,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
    )
    async def several(
        tournament_id: TournamentId,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        known = await tournaments.of(tournament_id, moment)
        sees_drafts = not moment.is_past and asker.may(SEE_DRAFTS, tournament_id)
        listed: list[StageListed] = []
        ahead = rounds_ahead(known)
        for stage, coming in ahead:
            to_pair = await tournaments.round_of(known, stage.id, coming.round or 0, moment)
            rounds = views.rounds_listed(known, stage.id)
            if coming.round is not None and sees_drafts:
                rounds.append(views.listed_in_making(to_pair))
            listed.append(
                StageListed(
                    stage=stage.id,
                    title=stage.title,
                    system=settings_of(known.facts, stage.id).pairing.system,
                    status=status(known, stage.id, coming),
                    of=coming.of,
                    rounds=rounds,
                    next=views.next_view(to_pair, coming, asker, is_past=moment.is_past),
                )
            )
        shown = StageList(
            tournament=known.id,
            tournament_name=known.name,
            time_zone=known.time_zone,
            next=next_step(known, ahead),
            stages=listed,
        )
        return read_by_content(shown)

    return router


def status(known: KnownTournament, stage: str, coming: ComingRound) -> StageStatus:
    if stage in known.facts.closed:
        return "closed"
    if any(one.kind == "not-held" for one in coming.obstacles):
        return "not-held"
    if known.published(stage):
        is_over = coming.round is None and not any(one.kind == "results-missing" for one in coming.obstacles)
        return "played" if is_over else "running"
    return "waiting" if coming.obstacles else "possible"


def rounds_ahead(known: KnownTournament) -> Sequence[Ahead]:
    return [(stage, known.next(stage.id)) for stage in known.facts.ruleset.stages]


def next_step(known: KnownTournament, ahead: Sequence[Ahead]) -> RoundAhead | None:
    """What can be paired now; otherwise the first of what is still to be paired."""
    steps = [
        RoundAhead(
            stage=stage.id,
            title=stage.title,
            round=coming.round,
            ready=not coming.obstacles,
            in_the_way=[spoken(obstacle.detail, known.names) for obstacle in coming.obstacles],
        )
        for stage, coming in ahead
        if coming.round is not None and not known.is_over
    ]
    return next((one for one in steps if one.ready), next(iter(steps), None))
