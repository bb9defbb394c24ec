"""The results of a round as a spreadsheet: taken out to be filled in without a network, and brought in again."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Body, Depends, Response
from pydantic import BaseModel, Field, ValidationError

from services.results.api import forms, shown
from services.results.api.desk import Desk
from services.results.api.forms import RoundNumber, StageId, TournamentId
from services.results.api.rounds import AT_ONCE, MANY, REPORT_MANY, Answered, alone, refused, report_one, went_well
from services.results.domain.rounds import RoundUnknown
from services.results.domain.sheet.states import Final, Result, UnknownSheet
from services.results.projection import SheetRow
from services.results.tournaments import KnownTournament
from shared.access.policy import ANYBODY
from shared.access.references import ids_in_columns
from shared.csv_lines import CSV, Line, as_csv, read, written
from shared.faults import Faulty, of_shape
from shared.http.door import Act, Door
from shared.http.problems import documented
from shared.http.responses import BAD, JSON
from shared.log.store import Head
from shared.messaging.positions import Position
from shared.personal.shown_names import NamesShown
from shared.refusals import Refusal
from shared.rulesets.schema import Game

SEATS = (1, 2, 3, 4)
NAMES = tuple(f"name_{seat}" for seat in SEATS)
SCORES = tuple(f"score_{seat}" for seat in SEATS)
COLUMNS = ("game", "table", *NAMES, *SCORES, "boards", "winner", "deciding", "end", "by", "first", "signed")
MOST_GAMES = 5000
PLAYED = "played"
SENTENCE = "This line cannot be read: mend what errors name, and send it again."
DECIMAL = re.compile(r"-?\d{1,7}(\.\d{1,3})?")
DUELS: Mapping[str, int | str | None] = {"1": 0, "2": 1, "d": "draw", "-": None}
EXAMPLE = (
    f"{','.join(COLUMNS)}\r\n{forms.GAME},1,Ada,Ben,,,380,350,,,,,,,,,yes\r\n"
    "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d12,2,Cid,Dan,,,,,,,,,,no_show,1,,\r\n"
)

type Content = Annotated[
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


def routes(*, desk: Desk, door: Door, names: NamesShown) -> APIRouter:
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
        content: Content,
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
        raise Faulty(SENTENCE, [line.fault("is a game of another round", "game")])
    state, _ = await desk.games.load(game)
    if isinstance(state, Final) and says_what_stands(line, state.result):
        return None, went_well(game, shown.sheet(state, act.asker, known))
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


def report_of(line: Line, game: Game, seats: Sequence[str]) -> forms.GameReport:
    """As it would be sent as JSON; a fault names the line and the column."""
    said = dict(fields_of(line, game, seats))
    try:
        return forms.GameReport.model_validate(said)
    except ValidationError as error:
        faults = of_shape(error, said)
        raise Faulty(SENTENCE, [line.fault(fault.detail, fault.pointer.split("/")[1]) for fault in faults]) from None


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
        raise Faulty(SENTENCE, [line.fault(f"{sign!r} is no duel: write {', '.join(DUELS)}.", column)])
    return DUELS[sign]


def seat(line: Line, column: str) -> int:
    cell = line.cells[column]
    if cell not in {str(one) for one in SEATS}:
        raise Faulty(SENTENCE, [line.fault("has to be the number of a seat, counted from 1.", column)])
    return int(cell) - 1
