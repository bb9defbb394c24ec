"""The sheets of a round, what is missing of it, and many reports at once."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Query, Response
from msgspec.structs import replace
from pydantic import BaseModel, Field

from services.results.api import forms, seen
from services.results.api.desk import Desk, reported
from services.results.api.forms import RoundNumber, StageId, TournamentId
from services.results.domain.rounds import RoundUnknown
from services.results.projection import SheetRow
from shared.access.policy import ANYBODY, roles
from shared.access.roles import Role
from shared.contracts.parts import Standing
from shared.http.door import Act, Door
from shared.http.problems import Problem, document_of, documented
from shared.http.responses import JSON, PAGE, Limit, changed, page
from shared.log.store import Head
from shared.messaging.positions import Position
from shared.numbers import Number, exact, shown
from shared.refusals import Refusal

REPORT_MANY = roles(Role.SCORER, Role.ARBITER, Role.DIRECTOR, scope="tournament_id")
AT_ONCE = 32  # reports of one request that are under way

type AfterGame = Annotated[
    str,
    Query(
        pattern=r"^(\d{1,6}\.[0-9A-Za-z_-]{1,64})?$",
        description="The `next` of the page before.",
        examples=[f"7.{forms.GAME}"],
    ),
]
type Missing = Annotated[bool, Query(description="Only games without a result.")]


class Answered(BaseModel):
    """What came of one report: the game, or why not."""

    game: str = Field(examples=[forms.GAME])
    status: int = Field(description="As it would be answered alone.", examples=[200])
    sheet: seen.Game | None = Field(description="When it went well.")
    problem: Problem | None = Field(description="When it did not.", examples=[None])


class AnsweredMany(BaseModel):
    answers: list[Answered] = Field(description="In the order of the reports.")


def routes(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["games"])

    @router.get(
        "/stages/{stage}/rounds/{round}/games",
        summary="The games of a round",
        description="With their results, and how many are missing.",
        operation_id="listGames",
        response_model=seen.RoundOfGames,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def games(
        tournament_id: TournamentId,
        stage: StageId,
        round: RoundNumber,  # noqa: A002 - the path names it so
        missing: Missing = False,  # noqa: FBT002 - a query parameter has a name
        after: AfterGame = "",
        limit: Limit = 100,
    ) -> Response:
        place = tournament_id, stage, round
        known = await desk.views.round(place)
        if known is None or known.recalled:
            raise RoundUnknown("This round is not published: look for those that are.")
        tables = (await desk.tournaments.of(tournament_id)).tables
        rows = await desk.views.sheets(place, after=after, limit=limit + 1, missing=missing)
        following = f"{rows[limit - 1].board}.{rows[limit - 1].game}" if len(rows) > limit else None
        shown_now = seen.RoundOfGames(
            games=known.games,
            missing=known.missing,
            complete=known.complete and not known.missing,
            items=[listed(row, tables) for row in rows[:limit]],
            next=following,
        )
        path = f"/v1/tournaments/{tournament_id}/stages/{stage}/rounds/{round}/games"
        return page(shown_now, path, following, {"missing": str(missing).lower(), "limit": limit})

    @router.post(
        "/reports",
        summary="Report many results",
        description="For an official who was without a network and has several to send. Each report is answered by itself, as if "
        "it had come alone: those that are good count whatever is wrong with others. Sending all of them again is "
        "safe, since what was reported already changes nothing.",
        operation_id="reportResults",
        response_model=AnsweredMany,
        responses=MANY,
    )
    async def report_many(
        tournament_id: TournamentId, body: forms.ToReportMany, act: Annotated[Act, Depends(door.acts(REPORT_MANY))]
    ) -> Response:
        turns = asyncio.Semaphore(AT_ONCE)
        one_by_one = alone(act, tournament_id)

        async def answered(said: forms.GameReport) -> tuple[Head | None, dict[str, Any]]:
            async with turns:
                return await report_one(desk, said, one_by_one)

        found = await asyncio.gather(*map(answered, body.reports))
        reached = max((head for head, _ in found if head), key=lambda head: head.position, default=None)
        position = Position(source="results", head=reached or await desk.games.store.head())
        answers = msgspec.json.encode({"answers": [answer for _, answer in found]})
        return Response(answers, media_type=JSON, headers={"Roundlog-Position": str(position)})

    return router


def without_etag(responses: dict[int | str, dict[str, Any]]) -> dict[int | str, dict[str, Any]]:
    """Many sheets have no common version."""
    ok = responses[HTTPStatus.OK.value]
    headers = {name: header for name, header in ok["headers"].items() if name != "ETag"}
    kept = {status: answer for status, answer in responses.items() if status != HTTPStatus.PRECONDITION_FAILED.value}
    return kept | {HTTPStatus.OK.value: ok | {"headers": headers}}


MANY = without_etag(changed(HTTPStatus.OK))


def alone(act: Act, tournament: str) -> Act:
    """For one report of many: key and version belong to the whole request."""
    return replace(act, asker=replace(act.asker, scope=tournament), key=None, versions=None)


async def report_one(desk: Desk, said: forms.GameReport, act: Act) -> tuple[Head | None, dict[str, Any]]:
    """One of many, answered as if it had come alone."""
    try:
        handled = await desk.handle(said.game, await reported(desk, said.game, said, act), act)
    except Refusal as refusal:
        return None, refused(said.game, refusal)
    _, _, sheet = handled.response.partition(b"\n")
    return handled.head, went_well(said.game, sheet)


def refused(game: str, refusal: Refusal) -> dict[str, Any]:
    found = document_of(refusal).model_dump(exclude_defaults=True, by_alias=True)
    return {"game": game, "status": found["status"], "sheet": None, "problem": found}


def went_well(game: str, sheet: bytes) -> dict[str, Any]:
    return {"game": game, "status": HTTPStatus.OK.value, "sheet": msgspec.Raw(sheet), "problem": None}


def listed(row: SheetRow, tables: Mapping[int, Standing]) -> seen.GameListed:
    seats: list[str] = msgspec.json.decode(row.seats)
    room, label = tables.get(row.board, (None, None))
    shown_now = {"id": row.game, "table": row.board, "room": room, "label": label, "seats": seats}
    return seen.GameListed.model_validate({**shown_now, "status": row.status, "result": result(row)})


def result(row: SheetRow) -> seen.ResultListed | None:
    if row.status != "final":
        return None
    return seen.ResultListed(
        scores=numbers(row.scores),
        points=numbers(row.points),
        end=row.ending or "",
        by=msgspec.json.decode(row.at_fault),
        first=row.first,
        winner=row.winner,
        decided_by=row.decided_by,
        draw_wins=row.draw_wins,
    )


def numbers(column: str | None) -> list[float]:
    stored: list[Number] = msgspec.json.decode(column or "[]")
    return [shown(exact(number)) for number in stored]
