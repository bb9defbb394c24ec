"""The sheets of a round, what is missing of it, and many reports at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace

from services.results.api.context import Context
from services.results.api.games import views
from services.results.api.games.reporting import reported
from services.results.api.parameters import RoundNumber, StageId, TournamentId
from services.results.api.permissions import REPORT_MANY
from services.results.api.rounds.bodies import (
    AfterGame,
    AnsweredLines,
    AnsweredMany,
    GameReport,
    Missing,
    RoundOfGames,
    ToReportMany,
)
from services.results.api.rounds.files import (
    COLUMNS,
    EXAMPLE,
    UNREADABLE_LINE,
    RoundCsv,
    is_filled,
    line_of,
    report_of,
    says_what_stands,
)
from services.results.api.rounds.views import listed, refused, went_well
from services.results.domain.rounds import RoundUnknown
from services.results.domain.sheet.states import Final
from services.results.projection import RoundKey, RoundRow
from services.results.tournaments import KnownTournament
from shared.access.policy import ANYBODY
from shared.csv_lines import CSV, Line, as_csv, read, written
from shared.faults import Faulty
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.problems import documented
from shared.http.responses import BAD, JSON, PAGE, Limit, changed, page
from shared.messaging import positions
from shared.messaging.positions import Position
from shared.personal.shown_names import NamesShown
from shared.refusals import Refusal

type Answer = tuple[Position | None, dict[str, Any]]  # how far the log goes with it, and what is said of it

MOST_GAMES = 5000
AT_ONCE = 32  # reports of one request that are under way


def games_of_round(*, context: Context, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["games"])

    @router.get(
        "/stages/{stage}/rounds/{round}/games",
        summary="The games of a round",
        description="With their results, and how many are missing.",
        operation_id="listGames",
        response_model=RoundOfGames,
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
        known = await published(context, place)
        tables = (await context.tournaments.of(tournament_id)).tables
        rows = await context.projection.sheets(place, after=after, limit=limit + 1, missing=missing)
        following = f"{rows[limit - 1].board}.{rows[limit - 1].game}" if len(rows) > limit else None
        shown_now = RoundOfGames(
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
        tournament_id: TournamentId, body: ToReportMany, act: Annotated[Act, Depends(door.acts(REPORT_MANY))]
    ) -> Response:
        one_by_one = alone(act, tournament_id)
        return await answered(context, [partial(report_one, context, said, one_by_one) for said in body.reports])

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


async def answered(context: Context, reports: Sequence[Callable[[], Awaitable[Answer]]]) -> Response:
    """Each report by itself, so many at once; and how far the log goes with all of them."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def in_turn(report: Callable[[], Awaitable[Answer]]) -> Answer:
        async with turns:
            return await report()

    found = await asyncio.gather(*map(in_turn, reports))
    reached = max((position.head for position, _ in found if position), key=lambda head: head.position, default=None)
    position = Position(source="results", head=reached or await context.games.store.head())
    answers = msgspec.json.encode({"answers": [answer for _, answer in found]})
    return Response(answers, media_type=JSON, headers={"Roundlog-Position": str(position)})


async def report_one(context: Context, said: GameReport, act: Act) -> Answer:
    """One of many, answered as if it had come alone."""
    try:
        game = await context.requested(said.game, act)
        response = await context.run(game, await reported(context, game, said, act), act)
    except Refusal as refusal:
        return None, refused(said.game, refusal)
    return positions.parse(response.headers["Roundlog-Position"]), went_well(said.game, bytes(response.body))


def entry_sheet(*, context: Context, door: Door, names: NamesShown) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/stages/{stage}/rounds/{round}/entry-sheet", tags=["games"])

    @router.get(
        "",
        summary="A round as a spreadsheet to fill in",
        description="CSV, one line a game, with the results that are final. Filled in and sent back it reports them.",
        operation_id="exportEntrySheet",
        response_class=Response,
        responses=BAD | as_csv(EXAMPLE) | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def take_out(tournament_id: TournamentId, stage: StageId, round: RoundNumber) -> Response:  # noqa: A002 - the path names it so
        place = tournament_id, stage, round
        await published(context, place)
        rows = await context.projection.sheets(place, after="", limit=MOST_GAMES, missing=False)
        called = (await names.of_tournament(tournament_id)).names
        headers = {"Content-Disposition": f'attachment; filename="{tournament_id}-{stage}-{round}.csv"'}
        return Response(written(COLUMNS, (line_of(row, called) for row in rows)), media_type=CSV, headers=headers)

    @router.post(
        "",
        summary="Report results by a spreadsheet",
        description="CSV in the columns of the export. Each line in which something is entered is answered by itself, as "
        "if it had come alone; sending the file again is safe. Seats are counted from 1. `boards` has a word for each "
        "board with a sign for each duel: `1` or `2` who has won, `d` a draw, `-` where nobody was there. `signed` is "
        "`yes` where all have signed.",
        operation_id="importEntrySheet",
        response_model=AnsweredLines,
        responses=MANY,
    )
    async def bring_in(
        tournament_id: TournamentId,
        stage: StageId,
        round: RoundNumber,  # noqa: A002 - the path names it so
        content: RoundCsv,
        act: Annotated[Act, Depends(door.acts(REPORT_MANY))],
    ) -> Response:
        known = await context.tournaments.of(tournament_id)
        filled = [line for line in read(content, COLUMNS, needed=["game"]) if is_filled(line)]
        one_by_one = alone(act, tournament_id)
        return await answered(
            context, [partial(report_line, context, line, known, (stage, round), one_by_one) for line in filled]
        )

    return router


async def report_line(context: Context, line: Line, known: KnownTournament, of: tuple[str, int], act: Act) -> Answer:
    """One line of a file."""
    name = line.cells.get("game", "")
    try:
        game = await context.requested(name, act)
        if (game.place.stage, game.place.round) != of:
            raise Faulty(UNREADABLE_LINE, [line.fault("is a game of another round", "game")])
        sheet = await context.sheet(name)
        if isinstance(sheet, Final) and says_what_stands(line, sheet.result):
            answer: Answer = None, went_well(name, views.sheet(sheet, act.asker, known))
        else:
            answer = await report_one(context, report_of(line, known.rules().game, sheet.sheet.seats), act)
    except Refusal as refusal:
        answer = None, refused(name, refusal)
    position, found = answer
    return position, found | {"line": line.number}


async def published(context: Context, place: RoundKey) -> RoundRow:
    row = await context.projection.round(place)
    if row is None or row.recalled:
        raise RoundUnknown("This round is not published: look for those that are.")
    return row
