"""The operations on one score sheet: what those at the table say, what officials decide, what everybody sees."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.results.api import forms, seen, shown
from services.results.api.desk import Desk, reported, speaker
from services.results.api.doable import RULE, TELL
from services.results.api.forms import GameId
from services.results.api.story import story
from services.results.domain import orders
from shared.access.asker import Asker
from shared.access.policy import ANYBODY, roles
from shared.access.roles import OFFICES
from shared.http.door import Act, Door
from shared.http.fast_route import FastRoute
from shared.http.problems import documented
from shared.http.responses import READ, changed, read, read_as_shown

LOOK = roles(*OFFICES, scope="game_id", captains="game_id")
CHANGED = changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/games/{game_id}", tags=["games"])
    tell(router, desk, door)
    object_to(router, desk, door)
    run(router, desk, door)
    look(router, desk, door)
    return router


def reports(*, desk: Desk, door: Door) -> APIRouter:
    """The one operation that is asked more than all others together."""
    router = APIRouter(prefix="/v1/games/{game_id}", tags=["games"], route_class=FastRoute)

    @router.post(
        "/reports",
        summary="Report a result",
        description="Say what happened at the table; scores and points follow by the ruleset. A second report that is "
        "equal, by the other side or another official, makes it final; one that is not makes a dispute, and nobody "
        "overwrites anybody. Reporting the same again changes nothing; reporting something else replaces your own "
        "report as long as nothing is final.",
        operation_id="reportResult",
        response_model=seen.Game,
        responses=CHANGED,
    )
    async def report(game_id: GameId, body: forms.ToReport, act: Annotated[Act, Depends(door.acts(TELL))]) -> Response:
        return await desk.happen(game_id, await reported(desk, game_id, body, act), act)

    return router


def tell(router: APIRouter, desk: Desk, door: Door) -> None:
    """For those at the table."""

    @router.post(
        "/withdraw",
        summary="Withdraw your report",
        description="As long as the result is not final. What others have reported stays.",
        operation_id="withdrawReport",
        response_model=seen.Game,
        responses=CHANGED,
    )
    async def withdraw(game_id: GameId, act: Annotated[Act, Depends(door.acts(TELL))]) -> Response:
        terms = await desk.terms(game_id, act)
        return await desk.happen(game_id, orders.WithdrawReport(by=speaker(act), terms=terms), act)

    @router.post(
        "/confirm",
        summary="Confirm a report",
        description="Stand by what the other side, or an official, has reported: the result is final then.",
        operation_id="confirmResult",
        response_model=seen.Game,
        responses=CHANGED,
    )
    async def confirm(
        game_id: GameId, body: forms.ToConfirm, act: Annotated[Act, Depends(door.acts(TELL))]
    ) -> Response:
        terms = await desk.terms(game_id, act)
        command = orders.ConfirmResult(by=speaker(act), number=body.report, terms=terms)
        return await desk.happen(game_id, command, act)


def object_to(router: APIRouter, desk: Desk, door: Door) -> None:
    @router.post(
        "/dispute",
        summary="Object to a report",
        description="Say that it is not so, without a report of your own: an official has to decide, unless the report "
        "is withdrawn or replaced.",
        operation_id="disputeResult",
        response_model=seen.Game,
        responses=CHANGED,
    )
    async def dispute(
        game_id: GameId, body: forms.ToDispute, act: Annotated[Act, Depends(door.acts(TELL))]
    ) -> Response:
        async with desk.notes.kept(act.asker.scope, body.reason, act.key) as note:
            return await desk.happen(game_id, orders.DisputeResult(by=speaker(act), reason=note), act)


def run(router: APIRouter, desk: Desk, door: Door) -> None:
    """Before there is a result."""

    @router.post(
        "/start",
        summary="Start a game",
        description="Its round cannot be recalled any more. Says who really starts, where the players had a choice.",
        operation_id="startGame",
        response_model=seen.Game,
        responses=CHANGED,
    )
    async def start(game_id: GameId, body: forms.ToStart, act: Annotated[Act, Depends(door.acts(TELL))]) -> Response:
        terms = await desk.terms(game_id, act)
        return await desk.happen(game_id, orders.StartGame(first=body.first, terms=terms), act)

    @router.post(
        "/postpone",
        summary="Postpone a game",
        description="It is played, or goes on, later. A report ends the waiting just as resuming does.",
        operation_id="postponeGame",
        response_model=seen.Game,
        responses=CHANGED,
    )
    async def postpone(
        game_id: GameId, body: forms.ToPostpone, act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        async with desk.notes.kept(act.asker.scope, body.reason, act.key) as note:
            until = body.until.isoformat() if body.until else None
            return await desk.happen(game_id, orders.PostponeGame(until=until, reason=note), act)

    @router.post(
        "/resume",
        summary="Resume a postponed game",
        description="It is what it was before it was postponed.",
        operation_id="resumeGame",
        response_model=seen.Game,
        responses=CHANGED,
    )
    async def resume(game_id: GameId, act: Annotated[Act, Depends(door.acts(RULE))]) -> Response:
        return await desk.happen(game_id, orders.ResumeGame(), act)


def look(router: APIRouter, desk: Desk, door: Door) -> None:
    @router.get(
        "",
        summary="One game and its score sheet",
        description="Everybody sees where it stands, and the result once it is final; those at the table and the "
        "officials also see what each side has reported.",
        operation_id="getGame",
        response_model=seen.Game,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(game_id: GameId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        state, version = await desk.games.load(game_id)
        known = await desk.tournaments.of(shown.require_known(state).sheet.tournament)
        return read_as_shown(shown.sheet(state, asker, known), version)

    @router.get(
        "/history",
        summary="The story of a score sheet",
        description="Everything that happened to it, in order: who said what, what was decided, and why.",
        operation_id="readGameHistory",
        response_model=seen.Story,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def history(game_id: GameId, asker: Annotated[Asker, Depends(door.reads(LOOK))]) -> Response:
        state, version = await desk.games.load(game_id)
        shown.require_known(state)
        return read(await story(desk, game_id, asker.scope), version)
