"""The sheets of a round, what is missing of it, and many reports at once."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Body, Depends, Query, Response
from msgspec.structs import replace
from pydantic import BaseModel, Field, ValidationError

from services.results.api.context import Desk, reported
from services.results.api.games import bodies, views
from services.results.api.games.bodies import RoundNumber, StageId, TournamentId
from services.results.domain.rounds import RoundUnknown
from services.results.domain.sheet.states import Final, Result, UnknownSheet
from services.results.projection import SheetRow
from services.results.tournaments import KnownTournament
from shared.access.policy import ANYBODY, roles
from shared.access.references import ids_in_columns
from shared.access.roles import Role
from shared.contracts.parts import Standing
from shared.csv_lines import CSV, Line, as_csv, read, written
from shared.faults import Faulty, of_shape
from shared.http.door import Act, Door
from shared.http.problems import Problem, document_of, documented
from shared.http.responses import BAD, JSON, PAGE, Limit, changed, page
from shared.log.store import Head
from shared.messaging.positions import Position
from shared.numbers import Number, exact, shown
from shared.personal.shown_names import NamesShown
from shared.refusals import Refusal
from shared.rulesets.schema import Game

REPORT_MANY = roles(Role.SCORER, Role.ARBITER, Role.DIRECTOR, scope="tournament_id")
AT_ONCE = 32  # reports of one request that are under way

type AfterGame = Annotated[
    str,
    Query(
        pattern=r"^(\d{1,6}\.[0-9A-Za-z_-]{1,64})?$",
        description="The `next` of the page before.",
        examples=[f"7.{bodies.GAME}"],
    ),
]
type Missing = Annotated[bool, Query(description="Only games without a result.")]


class Answered(BaseModel):
    """What came of one report: the game, or why not."""

    game: str = Field(examples=[bodies.GAME])
    status: int = Field(description="As it would be answered alone.", examples=[200])
    sheet: bodies.Game | None = Field(description="When it went well.")
    problem: Problem | None = Field(description="When it did not.", examples=[None])


class AnsweredMany(BaseModel):
    answers: list[Answered] = Field(description="In the order of the reports.")


def games_of_round(*, desk: Desk, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["games"])

    @router.get(
        "/stages/{stage}/rounds/{round}/games",
        summary="The games of a round",
        description="With their results, and how many are missing.",
        operation_id="listGames",
        response_model=bodies.RoundOfGames,
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
        shown_now = bodies.RoundOfGames(
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
        tournament_id: TournamentId, body: bodies.ToReportMany, act: Annotated[Act, Depends(door.acts(REPORT_MANY))]
    ) -> Response:
        turns = asyncio.Semaphore(AT_ONCE)
        one_by_one = alone(act, tournament_id)

        async def answered(said: bodies.GameReport) -> tuple[Head | None, dict[str, Any]]:
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


async def report_one(desk: Desk, said: bodies.GameReport, act: Act) -> tuple[Head | None, dict[str, Any]]:
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


def listed(row: SheetRow, tables: Mapping[int, Standing]) -> bodies.GameListed:
    seats: list[str] = msgspec.json.decode(row.seats)
    room, label = tables.get(row.board, (None, None))
    shown_now = {"id": row.game, "table": row.board, "room": room, "label": label, "seats": seats}
    return bodies.GameListed.model_validate({**shown_now, "status": row.status, "result": result(row)})


def result(row: SheetRow) -> bodies.ResultListed | None:
    if row.status != "final":
        return None
    return bodies.ResultListed(
        scores=numbers_in(row.scores),
        points=numbers_in(row.points),
        end=row.ending or "",
        by=msgspec.json.decode(row.at_fault),
        first=row.first,
        winner=row.winner,
        decided_by=row.decided_by,
        draw_wins=row.draw_wins,
    )


def numbers_in(column: str | None) -> list[float]:
    stored: list[Number] = msgspec.json.decode(column or "[]")
    return [shown(exact(number)) for number in stored]


SEATS = (1, 2, 3, 4)
NAMES = tuple(f"name_{seat}" for seat in SEATS)
SCORES = tuple(f"score_{seat}" for seat in SEATS)
COLUMNS = ("game", "table", *NAMES, *SCORES, "boards", "winner", "deciding", "end", "by", "first", "signed")
MOST_GAMES = 5000
PLAYED = "played"
UNREADABLE_LINE = "This line cannot be read: mend what errors name, and send it again."
DECIMAL = re.compile(r"-?\d{1,7}(\.\d{1,3})?")
DUELS: Mapping[str, int | str | None] = {"1": 0, "2": 1, "d": "draw", "-": None}
EXAMPLE = (
    f"{','.join(COLUMNS)}\r\n{bodies.GAME},1,Ada,Ben,,,380,350,,,,,,,,,yes\r\n"
    "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d12,2,Cid,Dan,,,,,,,,,,no_show,1,,\r\n"
)

type EntrySheet = Annotated[
    bytes,
    Body(
        media_type=CSV,
        description="UTF-8, with commas or semicolons, and in the first line the names of the columns.",
        examples=[EXAMPLE],
        json_schema_extra=ids_in_columns({"game": "game"}),
    ),
]


class AnsweredLine(Answered):
    """What came of one line of a file."""

    line: int = Field(description="Of the file, where 1 is that of the columns.", examples=[2])


class AnsweredLines(BaseModel):
    answers: list[AnsweredLine] = Field(description="Of each line in which something was entered.")


def entry_sheet(*, desk: Desk, door: Door, names: NamesShown) -> APIRouter:
    router = APIRouter(
        prefix="/v1/tournaments/{tournament_id}/stages/{stage}/rounds/{round}/entry-sheet", tags=["games"]
    )

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
        known = await desk.views.round(place)
        if known is None or known.recalled:
            raise RoundUnknown("This round is not published: look for those that are.")
        rows = await desk.views.sheets(place, after="", limit=MOST_GAMES, missing=False)
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
        round: RoundNumber,  # noqa: A002 - as above
        content: EntrySheet,
        act: Annotated[Act, Depends(door.acts(REPORT_MANY))],
    ) -> Response:
        known = await desk.tournaments.of(tournament_id)
        filled = [line for line in read(content, COLUMNS, needed=["game"]) if is_filled(line)]
        turns = asyncio.Semaphore(AT_ONCE)
        one_by_one = alone(act, tournament_id)

        async def answered(line: Line) -> tuple[Head | None, dict[str, Any]]:
            async with turns:
                try:
                    head, found = await line_reported(desk, line, known, (stage, round), one_by_one)
                except Refusal as refusal:
                    head, found = None, refused(line.cells.get("game", ""), refusal)
                return head, found | {"line": line.number}

        found = await asyncio.gather(*map(answered, filled))
        reached = max((head for head, _ in found if head), key=lambda head: head.position, default=None)
        position = Position(source="results", head=reached or await desk.games.store.head())
        answers = msgspec.json.encode({"answers": [answer for _, answer in found]})
        return Response(answers, media_type=JSON, headers={"Roundlog-Position": str(position)})

    return router


async def line_reported(
    desk: Desk, line: Line, known: KnownTournament, of: tuple[str, int], act: Act
) -> tuple[Head | None, dict[str, Any]]:
    game = line.cells.get("game", "")
    place, _ = await desk.place(game, act)
    if (place.stage, place.round) != of:
        raise Faulty(UNREADABLE_LINE, [line.fault("is a game of another round", "game")])
    state, _ = await desk.games.load(game)
    if isinstance(state, Final) and says_what_stands(line, state.result):
        return None, went_well(game, views.sheet(state, act.asker, known))
    seats = () if isinstance(state, UnknownSheet) else state.sheet.seats
    return await report_one(desk, report_of(line, known.rules().game, seats), act)


def seats_of(row: SheetRow) -> list[str]:
    return msgspec.json.decode(row.seats)


def line_of(row: SheetRow, called: Mapping[str, str]) -> dict[str, object]:
    """Scores only once they are final: what has not been agreed is nobody else's business."""
    seats = seats_of(row)
    line: dict[str, object] = {"game": row.game, "table": row.board}
    line |= {column: called.get(seat, seat) for column, seat in zip(NAMES, seats, strict=False)}
    if row.status != "final":
        return line
    scores: list[int | str] = msgspec.json.decode(row.scores or "[]")
    at_fault: list[int] = msgspec.json.decode(row.at_fault)
    line |= dict(zip(SCORES, scores, strict=False))
    return line | {"end": row.ending or "", "by": " ".join(str(seat + 1) for seat in at_fault), "signed": "yes"}


def is_filled(line: Line) -> bool:
    return any(column in line.cells for column in (*SCORES, "boards", "winner", "end"))


def report_of(line: Line, game: Game, seats: Sequence[str]) -> bodies.GameReport:
    """As it would be sent as JSON; a fault names the line and the column."""
    said = dict(fields_of(line, game, seats))
    try:
        return bodies.GameReport.model_validate(said)
    except ValidationError as error:
        faults = of_shape(error, said)
        raise Faulty(
            UNREADABLE_LINE, [line.fault(fault.detail, fault.pointer.split("/")[1]) for fault in faults]
        ) from None


def fields_of(line: Line, game: Game, seats: Sequence[str]) -> Iterator[tuple[str, object]]:
    cells = line.cells
    yield "game", cells.get("game", "")
    if scores := [cells[column] for column in SCORES if column in cells]:
        on_board = game == "othello" and cells.get("end", PLAYED) == PLAYED
        yield ("discs" if on_board else "scores"), [number(score) for score in scores]
    if "end" in cells:
        yield "end", cells["end"]
    if "boards" in cells:
        yield "boards", [[duel(line, sign, "boards") for sign in board] for board in cells["boards"].split()]
    if "winner" in cells:
        yield "winner", "draw" if cells["winner"] == "draw" else seat(line, "winner")
    if "deciding" in cells:
        yield "deciding", [duel(line, sign, "deciding") for sign in cells["deciding"].split()]
    if "by" in cells:
        yield "by", [int(one) - 1 for one in line.listed("by") if one.isdigit()]
    if "first" in cells and seats:
        yield "first", seats[min(seat(line, "first"), len(seats) - 1)]
    if "signed" in cells:
        yield "signed_by", list(range(len(seats))) if cells["signed"].lower() == "yes" else []


def number(cell: str) -> float | str:
    """As spreadsheets write it, also with a comma."""
    plain = cell.replace(",", ".")
    if not DECIMAL.fullmatch(plain):
        return cell
    return float(plain) if "." in plain else int(plain)


def says_what_stands(line: Line, result: Result) -> bool:
    """A line as it was taken out: what it follows from is not in it, so it is not adjudicated again."""
    stands = {column: str(score) for column, score in zip(SCORES, result.scores, strict=False)}
    said = {column: line.cells[column] for column in (*SCORES, "boards", "winner") if column in line.cells}
    return said == stands and line.cells.get("end", PLAYED) == result.end


def duel(line: Line, sign: str, column: str) -> int | str | None:
    if sign not in DUELS:
        raise Faulty(UNREADABLE_LINE, [line.fault(f"{sign!r} is no duel: write {', '.join(DUELS)}.", column)])
    return DUELS[sign]


def seat(line: Line, column: str) -> int:
    cell = line.cells[column]
    if cell not in {str(one) for one in SEATS}:
        raise Faulty(UNREADABLE_LINE, [line.fault("has to be the number of a seat, counted from 1.", column)])
    return int(cell) - 1
