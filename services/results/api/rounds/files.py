"""The entry sheet of a round: a CSV file to be filled in without a network, one line a game."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import msgspec
from fastapi import Body
from pydantic import ValidationError

from services.results.api.parameters import GAME
from services.results.api.rounds.bodies import GameReport
from services.results.domain.sheet.states import Result
from services.results.projection import SheetRow
from shared.access.references import ids_in_columns
from shared.csv_lines import CSV, Line
from shared.faults import Faulty, of_shape
from shared.rulesets.schema import Game

SEATS = (1, 2, 3, 4)


NAMES = tuple(f"name_{seat}" for seat in SEATS)


SCORES = tuple(f"score_{seat}" for seat in SEATS)


COLUMNS = ("game", "table", *NAMES, *SCORES, "boards", "winner", "deciding", "end", "by", "first", "signed")


PLAYED = "played"


UNREADABLE_LINE = "This line cannot be read: mend what errors name, and send it again."


DECIMAL = re.compile(r"-?\d{1,7}(\.\d{1,3})?")


DUELS: Mapping[str, int | str | None] = {"1": 0, "2": 1, "d": "draw", "-": None}


EXAMPLE = (
    f"{','.join(COLUMNS)}\r\n{GAME},1,Ada,Ben,,,380,350,,,,,,,,,yes\r\n"
    "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d12,2,Cid,Dan,,,,,,,,,,no_show,1,,\r\n"
)


type RoundCsv = Annotated[
    bytes,
    Body(
        media_type=CSV,
        description="UTF-8, with commas or semicolons, and in the first line the names of the columns.",
        examples=[EXAMPLE],
        json_schema_extra=ids_in_columns({"game": "game"}),
    ),
]


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


def report_of(line: Line, game: Game, seats: Sequence[str]) -> GameReport:
    """As it would be sent as JSON; a fault names the line and the column."""
    said = dict(fields_of(line, game, seats))
    try:
        return GameReport.model_validate(said)
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
