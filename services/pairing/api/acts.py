"""What officials do with a round: draft, change, confirm, publish, recall."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace

from services.pairing.api import doubts, foresight
from services.pairing.api.asked import Asked, answered_before, asked
from services.pairing.api.bodies import (
    Confirmation,
    Foreseen,
    NewSheet,
    Publication,
    Recall,
    Round,
    RoundNumber,
    StageId,
    TournamentId,
)
from services.pairing.api.desk import PAIR, Desk
from services.pairing.api.looking import ONE, PREFIX
from services.pairing.api.opening import opening
from services.pairing.api.timetable import planned_start
from services.pairing.domain.next_round import require_next
from services.pairing.domain.round.decisions import ROUND, already_published
from services.pairing.domain.round.orders import AskRecall, ConfirmRound, DraftRound, OverridePairing, PublishRound
from services.pairing.domain.round.states import Confirmed, Draft, Told, Unpaired
from services.pairing.domain.sheet import Breach, Doubt, Reason, Sheet, Table, require_seats, require_whole
from shared.http.door import Act, Door
from shared.http.responses import DryRun, changed
from shared.tournament.stages import settings_of

WHATEVER = Reason(code="other")
NO_CONFIRMATION = Confirmation()
AT_ONCE = Publication()
REFUSALS = changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)


def routes(*, desk: Desk, door: Door) -> APIRouter:  # noqa: C901 - five short operations
    router = APIRouter(prefix=PREFIX + ONE, tags=["rounds"])

    @router.post(
        "/draft",
        summary="Pair the next round",
        description="By the system of the stage, from all that is known now. Nobody is told. Until it is published a "
        "round may be paired anew; what was changed by hand or confirmed is then gone.",
        operation_id="draftRound",
        response_model=Round,
        responses=REFUSALS,
    )
    async def draft(
        tournament_id: TournamentId, stage: StageId, number: RoundNumber, act: Annotated[Act, Depends(door.acts(PAIR))]
    ) -> Response:
        if answered := await answered_before(desk, act):
            return answered
        wanted = await asked(desk, act, tournament_id, stage, number)
        require_in_turn(wanted)
        drafted, lots = await desk.pairing(wanted.situation, stage, act)
        command = DraftRound(tournament=tournament_id, stage=stage, round=number, drafted=drafted)
        return await wanted.happen(command, lots)

    @router.post(
        "/override",
        summary="Change a pairing by hand",
        description="Send the whole sheet. A rule that binds is broken only with a reason. The round has to be "
        "confirmed again. Where the rules leave no pairing, and so no draft, the round is made by hand in this way.",
        operation_id="overridePairing",
        response_model=Round | Foreseen,
        responses=REFUSALS,
    )
    async def override(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        body: NewSheet,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        if not dry_run and (answered := await answered_before(desk, act)):
            return answered
        wanted, nobody_seated = await to_override(await asked(desk, act, tournament_id, stage, number))
        sheet, before = sheets(wanted, body)
        breaches = checked(wanted, sheet, before)
        against = tuple(Doubt(kind=breach.rule, detail=breach.detail) for breach in breaches if breach.binds)
        if dry_run:
            tried = OverridePairing(sheet=sheet, idle=wanted.idle, reason=WHATEVER, instead_of=nobody_seated)
            return await wanted.foresee(tried, foresight.of_override(wanted.state, before, sheet, breaches))
        async with desk.explained(tournament_id, body.reason, act) as reason:
            command = OverridePairing(
                sheet=sheet, idle=wanted.idle, doubts=against, reason=reason, instead_of=nobody_seated
            )
            return await wanted.happen(command)

    @router.post(
        "/confirm",
        summary="Stand by a pairing",
        description="Where facts have changed since it was made, pair the round anew or say why not.",
        operation_id="confirmRound",
        response_model=Round,
        responses=REFUSALS,
    )
    async def confirm(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        body: Confirmation = NO_CONFIRMATION,
    ) -> Response:
        if answered := await answered_before(desk, act):
            return answered
        wanted = await asked(desk, act, tournament_id, stage, number)
        against = (
            doubts.newer_facts(wanted.situation, wanted.state.plan.drafted.inputs)
            if isinstance(wanted.state, Draft)
            else []
        )
        async with desk.explained(tournament_id, body.reason, act) as reason:
            inputs = str(wanted.situation.inputs)
            return await wanted.happen(ConfirmRound(inputs=inputs, doubts=tuple(against), reason=reason))

    @router.post(
        "/publish",
        summary="Publish a round",
        description="Everybody sees it, and score sheets are opened. It starts now, or when `starts_at` says; the rest "
        "between two rounds is shortened only with a reason.",
        operation_id="publishRound",
        response_model=Round | Foreseen,
        responses=REFUSALS,
    )
    async def publish(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        body: Publication = AT_ONCE,
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        if not dry_run and (answered := await answered_before(desk, act)):
            return answered
        wanted = await asked(desk, act, tournament_id, stage, number)
        situation, state = wanted.situation, wanted.state
        starts_at = body.starts_at.isoformat() if body.starts_at else None
        against: list[Doubt] = []
        games = 0
        if isinstance(state, Confirmed):
            require_in_turn(wanted)
            against += doubts.newer_facts(situation, state.inputs)
            against += doubts.too_early(situation, stage, number, body.starts_at or desk.now())
            games = len(state.plan.sheet.tables)
        ids = tuple(str(desk.new_id()) for _ in range(games))
        if dry_run:
            tried = PublishRound(games=ids, starts_at=starts_at, reason=WHATEVER)
            sheet = state.plan.sheet if isinstance(state, Confirmed) else Sheet(tables=())
            planned = planned_start(situation, stage, number)
            return await wanted.foresee(tried, foresight.of_publication(number, sheet, starts_at, planned, against))
        async with desk.explained(tournament_id, body.reason, act) as reason:
            command = PublishRound(games=ids, starts_at=starts_at, doubts=tuple(against), reason=reason)
            return await wanted.happen(command, *opening(wanted))

    @router.post(
        "/recall",
        summary="Ask for a published round back",
        description="Asked, not done: results answers. When no game has begun, its score sheets are closed and the round "
        "counts as never published; otherwise it stands, and `refused` of the round says why. Until then it counts as "
        "published, with `recall_asked`. Where a game is known to have begun this is refused at once.",
        operation_id="recallRound",
        response_model=Round | Foreseen,
        responses=REFUSALS,
    )
    async def recall(
        tournament_id: TournamentId,
        stage: StageId,
        number: RoundNumber,
        body: Recall,
        act: Annotated[Act, Depends(door.acts(PAIR))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        if not dry_run and (answered := await answered_before(desk, act)):
            return answered
        wanted = await asked(desk, act, tournament_id, stage, number)
        name, begun = str(desk.new_id()), wanted.situation.begun()
        if dry_run:
            foreseen = foresight.of_recall(number, wanted.state)
            return await wanted.foresee(AskRecall(recall=name, reason=WHATEVER, begun=begun), foreseen)
        async with desk.explained(tournament_id, body.reason, act) as reason:
            return await wanted.happen(AskRecall(recall=name, reason=reason or WHATEVER, begun=begun))

    return router


def require_in_turn(wanted: Asked) -> None:
    """It is the next round, and nothing stands in its way."""
    if isinstance(wanted.state, Told):
        raise already_published()
    require_next(wanted.situation.next(wanted.stage), wanted.number)


async def to_override(wanted: Asked) -> tuple[Asked, DraftRound | None]:
    """With a sheet on which nobody is seated yet, where the rules leave no pairing."""
    if not isinstance(wanted.state, Unpaired):
        return wanted, None
    require_in_turn(wanted)
    drafted = await wanted.desk.by_hand(wanted.situation, wanted.stage)
    if drafted is None:
        return wanted, None
    order = DraftRound(tournament=wanted.situation.tournament, stage=wanted.stage, round=wanted.number, drafted=drafted)
    return replace(wanted, state=ROUND.fold(ROUND.decide(wanted.state, order), wanted.state)), order


def sheets(wanted: Asked, body: NewSheet) -> tuple[Sheet, Sheet]:
    """The sheet that is wanted, and the one that there is."""
    before = wanted.state.plan.sheet if isinstance(wanted.state, Draft | Confirmed) else Sheet(tables=())
    grounds = {(table.table, table.seats): table.why for table in before.tables}
    tables = tuple(
        Table(
            table=pair.table,
            seats=tuple(pair.seats),
            first=pair.first,
            option=pair.option,
            group=pair.group,
            match=pair.match,
            number=pair.number,
            why=grounds.get((pair.table, tuple(pair.seats)), ()),
        )
        for pair in body.pairs
    )
    sheet = Sheet(tables=tables, byes=tuple(body.byes), requested_byes=before.requested_byes, missing=before.missing)
    return sheet, before


def checked(wanted: Asked, sheet: Sheet, before: Sheet) -> tuple[Breach, ...]:
    """The rules that it breaks, once it is a sheet of this round at all."""
    if not isinstance(wanted.state, Draft | Confirmed):
        return ()
    require_whole(sheet, before, wanted.idle)
    require_seats(sheet, *settings_of(wanted.situation.facts, wanted.stage).contest.seats)
    return wanted.desk.check(wanted.situation.facts, wanted.stage, wanted.number, sheet)
