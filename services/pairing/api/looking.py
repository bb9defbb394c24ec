"""What there is to see of rounds: those that are published for everybody, drafts for officials."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from services.pairing.api.bodies import (
    ID,
    NextRound,
    ObstacleShown,
    PairingCompared,
    Round,
    RoundExplained,
    RoundList,
    RoundListed,
    RoundNumber,
    StageId,
    TournamentId,
)
from services.pairing.api.desk import PAIR, SEE, SEE_DRAFTS, Desk
from services.pairing.api.explained import compared, explained
from services.pairing.api.shown import listed, refusal, round_of, round_told, status_of, unpublished
from services.pairing.api.situation import Situation
from services.pairing.api.timetable import planned_start
from services.pairing.domain.round.decisions import identity
from services.pairing.domain.round.states import State, Told, Unpaired
from shared.access.asker import Asker
from shared.access.references import id_of
from shared.http.door import Door
from shared.http.moments import NOW, Moment, asked_for
from shared.http.problems import documented
from shared.http.responses import PAGE, READ, Documented, action, page, read, read_as_shown
from shared.personal.sentences import spoken
from shared.tournament.stages import require_stage

type EntrantWanted = Annotated[
    str | None,
    Query(pattern=ID, json_schema_extra=id_of("entrant"), description="Only the pair of this entrant.", examples=["A"]),
]

type EntrantOne = Annotated[
    str | None,
    Query(
        pattern=ID,
        json_schema_extra=id_of("entrant"),
        description="The one; without it the next best pairing of all.",
        examples=["A"],
    ),
]
type EntrantOther = Annotated[
    str | None,
    Query(
        pattern=ID,
        json_schema_extra=id_of("entrant"),
        description="And the other; without it anybody else.",
        examples=["D"],
    ),
]

NOT_FOUND = documented(HTTPStatus.NOT_FOUND)
ROUND: Documented = READ | NOT_FOUND
COMPARED: Documented = {**READ, **documented(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)}
LIST: Documented = {**PAGE, **NOT_FOUND}
PREFIX = "/v1/tournaments/{tournament_id}/stages/{stage}"
ONE = "/rounds/{round}"


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix=PREFIX, tags=["rounds"])

    @router.get(
        "/rounds",
        summary="The rounds of a stage",
        description="Those that are published; officials also see how far the next one is. Also as they were known once "
        "(`inputs`), or at a time (`at`).",
        operation_id="listRounds",
        response_model=RoundList,
        responses=LIST,
    )
    async def several(
        tournament_id: TournamentId,
        stage: StageId,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        situation = await desk.situations.of(tournament_id, moment)
        require_stage(situation.facts, stage)
        rounds = [listed(told, situation) for _, told in sorted(situation.published(stage).items())]
        coming = situation.next(stage)
        if coming.round is not None and not moment.is_past and asker.may(SEE_DRAFTS, tournament_id):
            state, _ = await desk.rounds.load(identity(tournament_id, stage, coming.round))
            rounds.append(in_making(state, situation, stage, coming.round))
        shown = RoundList(rounds=rounds, of=coming.of)
        return page(shown, PREFIX.format(tournament_id=tournament_id, stage=stage) + "/rounds", None, {})

    @router.get(
        ONE,
        summary="One round",
        description="Who meets whom. A draft is shown to officials only. With `inputs` or `at`, the round as it was "
        "published then.",
        operation_id="getRound",
        response_model=Round,
        responses=ROUND,
    )
    async def one(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        situation = await desk.situations.of(tournament_id, moment)
        require_stage(situation.facts, stage)
        if moment.is_past:
            return page(as_told(situation, stage, number), "", None, {})
        state, version = await visible(desk, situation, stage, number, asker)
        return read_as_shown(round_of(state, situation, stage, number, asker), version)

    @router.get(
        f"{ONE}/why",
        summary="Why a round is paired as it is",
        description="How the pairing was made, step by step and table by table, and on what. Officials also see what "
        "spoke against it, and why it was done all the same. Also as it was known once (`inputs`), or at a time (`at`).",
        operation_id="explainRound",
        response_model=RoundExplained,
        responses=ROUND,
    )
    async def why(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
        entrant: EntrantWanted = None,
    ) -> Response:
        situation = await desk.situations.of(tournament_id, moment)
        require_stage(situation.facts, stage)
        state, version = await visible(desk, situation, stage, number, asker, moment)
        official = asker.may(SEE_DRAFTS, tournament_id)
        return read_as_shown(await explained(state, situation, desk.notes, entrant=entrant, official=official), version)

    @router.get(
        f"{ONE}/compare",
        summary="What if two met in a round, or did not",
        description="The best pairing in which they meet, or do not where they do, from the facts that the round was "
        "paired from; and what it would cost. Of one entrant: the best in which it meets somebody else. Without "
        "entrants: the next best of all, in a field that is not large. A median Swiss has no cost: it goes through its "
        "steps as if the two, or each of them and all others, must not meet. Where a plan or a lot says who meets whom, "
        "there is nothing to compare.",
        operation_id="comparePairing",
        response_model=PairingCompared,
        responses=COMPARED,
    )
    async def compare(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        asker: Annotated[Asker, Depends(door.reads(SEE_DRAFTS))],
        moment: Annotated[Moment, Depends(asked_for)],
        entrant: EntrantOne = None,
        other: EntrantOther = None,
    ) -> Response:
        situation = await desk.situations.of(tournament_id, moment)
        require_stage(situation.facts, stage)
        state, version = await visible(desk, situation, stage, number, asker, moment)
        named = [one for one in (entrant, other) if one is not None]
        return read(await compared(desk, state, situation, named), version)

    @router.get(
        "/next",
        summary="The next round, and what stands in its way",
        description="A round is paired when every game of the one before has its result. Also as it was known once "
        "(`inputs`), or at a time (`at`); then nothing can be done any more.",
        operation_id="getNextRound",
        response_model=NextRound,
        responses=LIST,
    )
    async def following(
        tournament_id: TournamentId,
        stage: StageId,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        moment: Annotated[Moment, Depends(asked_for)],
    ) -> Response:
        situation = await desk.situations.of(tournament_id, moment)
        coming = situation.next(stage)
        wanted = coming.round or 0
        state, _ = await desk.rounds.load(identity(tournament_id, stage, wanted))
        why_not = asker.why_not(PAIR, tournament_id) or refusal("draftRound", state, situation, stage, wanted)
        shown = NextRound(
            round=coming.round,
            of=coming.of,
            planned_for=None if coming.round is None else planned_start(situation, stage, coming.round),
            ready=coming.round is not None and not coming.obstacles,
            obstacles=[
                ObstacleShown(kind=one.kind, detail=spoken(one.detail, situation.names), tables=list(one.tables))
                for one in coming.obstacles
            ],
            allowed_actions=[]
            if moment.is_past
            else [action("draftRound", why_not and spoken(why_not, situation.names))],
        )
        return page(shown, "", None, {})

    return router


def as_told(situation: Situation, stage: str, number: int) -> Round:
    """A round that was published then."""
    told = situation.published(stage).get(number)
    if told is None:
        raise unpublished(number)
    return round_told(told, situation)


async def visible(
    desk: Desk, situation: Situation, stage: str, number: int, asker: Asker, moment: Moment = NOW
) -> tuple[State, int]:
    """The state of a round, for whoever may see it. Of the past that is what everybody knew then."""
    name = identity(situation.tournament, stage, number)
    if moment.is_past:
        state, version = await desk.rounds.as_told(name, situation.inputs.pairing)
    else:
        state, version = await desk.rounds.load(name)
    is_public = isinstance(state, Told)
    if isinstance(state, Unpaired) or not (is_public or asker.may(SEE_DRAFTS, situation.tournament)):
        raise unpublished(number)
    return state, version


def in_making(state: State, situation: Situation, stage: str, number: int) -> RoundListed:
    tables = 0 if isinstance(state, Unpaired | Told) else len(state.plan.sheet.tables)
    return RoundListed(
        round=number,
        status=status_of(state, situation, stage, number),
        games=tables,
        without_result=tables,
        starts_at=None,
    )
