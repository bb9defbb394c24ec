"""The entry sheet of a round: a CSV file to be filled in without a network, one line a game.

Seats are counted from 1 here, as on the printed page of a round; everything else has the words of a report.
"""

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

from fastapi import Body
from msgspec.structs import replace
from pydantic import ValidationError

from services.results.api.games.views import PLAYED, between, number
from services.results.api.parameters import GAME
from services.results.api.rounds.bodies import GameListed, GameReport
from services.results.domain.sheet import facts
from services.results.domain.sheet.disputes import DISPUTED, agree
from services.results.domain.sheet.states import Final, KnownSheet, Result, Sheet, reports_of, winning_seat
from shared.access.references import ids_in_columns
from shared.csv_lines import CSV, FORM, Line, read, written
from shared.faults import Faulty, InputFault, of_shape
from shared.personal.shown_names import called
from shared.rulesets.schema import Game
from shared.values import Value

SEATS = (1, 2, 3, 4)
NAMES = tuple(f"name_{seat}" for seat in SEATS)
SCORES = tuple(f"score_{seat}" for seat in SEATS)
STARTER = "starter"  # the seat that has begun: what a report says by the entrant, in `first`
SAID = (*SCORES, "boards", "winner", "deciding", "end", "end_reason", "by", STARTER, "signed")
COLUMNS = ("table", *NAMES, *SAID, "game")
ENTERED = (*SCORES, "boards", "winner", "end")  # in any of these something has to stand, or the line is passed over

UNREADABLE_LINE = "This line cannot be read: mend what errors name, and send it again."
DECIMAL = re.compile(r"-?\d{1,7}(\.\d{1,3})?")
DUELS: Mapping[str, int | str | None] = {"1": 0, "2": 1, "d": "draw", "-": None}
SIGNS: Mapping[int | str | None, str] = {duel: sign for sign, duel in DUELS.items()}

EXAMPLE = (
    f"{','.join(COLUMNS)}\r\n1,Zuzana Kováčová,Boris Novák,,,421,377,,,,,,,,,,yes,{GAME}\r\n"
    "2,Cyril Sokol,Dana Malá,,,,,,,,,,no_show,,1,,,019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d12\r\n"
)

type RoundCsv = Annotated[
    bytes,
    Body(
        media_type=CSV,
        description=FORM,
        examples=[EXAMPLE],
        json_schema_extra=ids_in_columns({"game": "game"}),
    ),
]

# Games as everybody sees them

PLACED = ("stage", "round", "table", "room", "label")
POINTS = tuple(f"points_{seat}" for seat in SEATS)
GAME_COLUMNS = (*PLACED, *NAMES, "status", *SCORES, *POINTS, "end", "corrected", "game")
GAMES_FILE = f"{','.join(GAME_COLUMNS)}\r\nswiss,3,7,Library,L7,Ada,Boris,,,final,380,350,,,1,0,,,played,,{GAME}\r\n"


def games_file(games: Sequence[GameListed]) -> bytes:
    return written(GAME_COLUMNS, map(game_line, games))


def game_line(one: GameListed) -> Mapping[str, object]:
    told = {name: getattr(one, name) for name in (*PLACED, "status")}
    names = zip(NAMES, (called(seat.name, seat.number) for seat in one.seats), strict=False)
    said: dict[str, object] = {**told, **dict(names), "corrected": "yes" if one.corrected else "", "game": one.id}
    if one.result is not None:
        said |= dict(zip(SCORES, one.result.scores, strict=False)) | dict(zip(POINTS, one.result.points, strict=False))
        said["end"] = one.result.end
    return said


# A round as it goes out


def line_of(state: KnownSheet, called: Mapping[str, str]) -> dict[str, object]:
    """What has happened stands there only once it is final: what has not been agreed is nobody else's business."""
    sheet = state.sheet
    line: dict[str, object] = {"game": sheet.game, "table": sheet.table}
    line |= {column: called.get(seat, seat) for column, seat in zip(NAMES, sheet.seats, strict=False)}
    return line | final_cells(state) if isinstance(state, Final) else line


def final_cells(state: Final) -> dict[str, str]:
    result, seats = state.result, state.sheet.seats
    cells = {column: str(number(score)) for column, score in zip(SCORES, result.scores, strict=False)}
    return cells | {
        "boards": boards_of(state),
        "winner": winner_cell(result, seats),
        "deciding": " ".join(SIGNS[duel] for duel in result.deciding),
        "end": result.end,
        "end_reason": result.end_reason or "",
        "by": " ".join(map(counted, result.by)),
        STARTER: counted(seats.index(result.first)) if result.first in seats else "",
        "signed": "yes",
    }


def counted(seat: int) -> str:
    return str(seat + 1)


def winner_cell(result: Result, seats: Sequence[str]) -> str:
    winner = winning_seat(result, seats)
    return counted(winner) if isinstance(winner, int) else winner or ""


def boards_of(state: Final) -> str:
    """What the last report says of them, where the game has boards; of a report that does not stand, nothing."""
    reports = [said for said in reports_of(state) if agree(said.result, state.result)]
    boards: Sequence[Sequence[Any]] = reports[-1].details.said.get("boards", ()) if reports else ()
    return " ".join("".join(SIGNS[duel] for duel in board) for board in boards)


# A file as it comes back


class FoundLine(Value):
    """A line in which something is entered, with the game that it is about, or with what is wrong with that."""

    line: Line
    game: str | None
    table: int | None
    fault: InputFault | None = None

    @property
    def named(self) -> str:
        return self.game or ""


def found_lines(content: bytes, games: Mapping[int, str]) -> list[FoundLine]:
    """Each with the game of its table, or the one whose id stands there. No game stands in a file twice."""
    lines = [line for line in read(content, COLUMNS, needed=()) if any(column in line.cells for column in ENTERED)]
    if lines and not any(line.cells.keys() & {"game", "table"} for line in lines):
        sentence = "No line says which game it is about: mend what errors name, and send the file again."
        detail = "needs the column table, with the number of the table, or game, with its id"
        raise Faulty(sentence, [Line(number=1, cells={}).fault(detail)])
    found: list[FoundLine] = []
    first: dict[str, int] = {}
    for line in lines:
        one = found_line(line, games)
        before = line.number if one.game is None or one.fault else first.setdefault(one.game, line.number)
        if before != line.number:
            one = replace(one, fault=line.fault(f"is the game of line {before} once more: leave one of them out"))
        found.append(one)
    return found


def found_line(line: Line, games: Mapping[int, str]) -> FoundLine:
    named, table = line.cells.get("game"), line.cells.get("table")
    tables = {game: number for number, game in games.items()}
    if table is None:
        fault = None if named else line.fault("says neither the number of a table nor the id of a game", "table")
        return FoundLine(line=line, game=named, table=tables.get(named or ""), fault=fault)
    if not table.isdecimal() or (number := int(table[:9])) not in games:
        known = f"{min(games)} to {max(games)}" if games else "none"
        fault = line.fault(f"is no table of this round: it has {known}", "table")
        return FoundLine(line=line, game=None, table=None, fault=fault)
    if named is not None and named != games[number] and named in tables:
        detail = f"is the game of table {tables[named]}, and the line says table {number}: leave one of them out"
        return FoundLine(line=line, game=None, table=number, fault=line.fault(detail, "game"))
    return FoundLine(line=line, game=named or games[number], table=number)


def require_who_sits_there(found: FoundLine, state: KnownSheet, called: Mapping[str, str]) -> None:
    """A name is for people, but nobody gets the result of somebody else whose name stands in the line."""
    known = set(called.values())
    faults: list[InputFault] = []
    for column, seat in zip(NAMES, state.sheet.seats, strict=False):
        name, sits = found.line.cells.get(column), called.get(seat)
        if name is not None and name != sits and name in known:
            here = sits or "somebody else"
            faults.append(found.line.fault(f"{name} does not sit there, but {here}: take the sheet out anew", column))
    if faults:
        raise Faulty(UNREADABLE_LINE, faults)


@contextmanager
def in_line(line: Line) -> Generator[None]:
    """What the rules refuse of a report is told with the line and the column."""
    try:
        yield
    except Faulty as faulty:
        raise told_in_line(line, faulty.faults) from None


def told_in_line(line: Line, faults: Iterable[InputFault]) -> Faulty:
    return Faulty(UNREADABLE_LINE, [line.fault(fault.detail, column_of(fault.pointer)) for fault in faults])


def column_of(pointer: str) -> str | None:
    """Where a line says what a report says there."""
    name, *inside = pointer.removeprefix("/").split("/")
    if name in {"scores", "discs"}:
        return SCORES[int(inside[0])] if inside and inside[0] in {"0", "1", "2", "3"} else SCORES[0]
    return STARTER if name == "first" else name if name in COLUMNS else None


def says_what_stands(line: Line, state: Final) -> bool:
    """A line as it was taken out: what it follows from is not always in it, so it is not adjudicated again."""
    stands = final_cells(state)
    return all(line.cells[column] == stands.get(column, "") for column in SAID if column in line.cells)


def require_winner(line: Line, result: Result, seats: Sequence[str]) -> None:
    """Whoever says in a line who has won has to say it as it follows from the rest."""
    said, follows = line.cells.get("winner"), winner_cell(result, seats)
    if said is not None and said != follows:
        detail = f"says {said}, but by the rest of the line it is {follows or 'nobody'}: mend one of them"
        raise Faulty(UNREADABLE_LINE, [line.fault(detail, "winner")])


def report_of(line: Line, named: str, game: Game, seats: Sequence[str]) -> GameReport:
    """As it would be sent as JSON; a fault names the line and the column."""
    said = dict(fields_of(line, game, seats)) | {"game": named}
    try:
        return GameReport.model_validate(said)
    except ValidationError as error:
        raise told_in_line(line, of_shape(error, said)) from None


def fields_of(line: Line, game: Game, seats: Sequence[str]) -> Iterator[tuple[str, object]]:
    """Who has won is said only in a game that has no scores: elsewhere it follows."""
    cells = line.cells
    if scores := scores_of(line, seats):
        on_board = game == "othello" and cells.get("end", PLAYED) == PLAYED
        yield ("discs" if on_board else "scores"), scores
    if "end" in cells:
        yield "end", cells["end"]
    if "boards" in cells:
        yield "boards", [[duel(line, sign, "boards") for sign in board] for board in cells["boards"].split()]
    if game == "gomoku-cfp":
        yield from winner_of(line, seats)
    if "deciding" in cells:
        yield "deciding", [duel(line, sign, "deciding") for sign in cells["deciding"].split()]
    if "by" in cells:
        yield "by", [seat(line, cell, "by", seats) for cell in line.listed("by")]
    if STARTER in cells:
        yield "first", seats[seat(line, cells[STARTER], STARTER, seats)]
    if "signed" in cells:
        yield "signed_by", list(range(len(seats))) if is_signed(line) else []


def scores_of(line: Line, seats: Sequence[str]) -> list[float]:
    scores = [score(line, column) for column in SCORES if column in line.cells]
    if scores and len(scores) != len(seats):
        missing = next((column for column in SCORES[: len(seats)] if column not in line.cells), SCORES[len(scores) - 1])
        detail = f"{len(scores)} scores are in the line, and {len(seats)} sit at this table"
        raise Faulty(UNREADABLE_LINE, [line.fault(detail, missing)])
    return scores


def winner_of(line: Line, seats: Sequence[str]) -> Iterator[tuple[str, object]]:
    if winner := line.cells.get("winner"):
        yield "winner", "draw" if winner == "draw" else seat(line, winner, "winner", seats)
    if "end_reason" in line.cells:
        yield "end_reason", line.cells["end_reason"]


def is_signed(line: Line) -> bool:
    cell = line.cells["signed"].lower()
    if cell not in {"yes", "no"}:
        raise Faulty(UNREADABLE_LINE, [line.fault("has to be yes where all have signed, or empty", "signed")])
    return cell == "yes"


def score(line: Line, column: str) -> float:
    """As spreadsheets write it, also with a comma."""
    plain = line.cells[column].replace(",", ".")
    if not DECIMAL.fullmatch(plain):
        raise Faulty(UNREADABLE_LINE, [line.fault(f"{line.cells[column]!r} is no number", column)])
    return float(plain) if "." in plain else int(plain)


def duel(line: Line, sign: str, column: str) -> int | str | None:
    if sign not in DUELS:
        raise Faulty(UNREADABLE_LINE, [line.fault(f"{sign!r} is no duel: write {', '.join(DUELS)}.", column)])
    return DUELS[sign]


def seat(line: Line, cell: str, column: str, seats: Sequence[str]) -> int:
    if cell not in {counted(one) for one in range(len(seats))}:
        raise Faulty(UNREADABLE_LINE, [line.fault(f"{cell!r} is no seat: they go from 1 to {len(seats)}", column)])
    return int(cell) - 1


# What would come of a line


def foreseen(events: Sequence[facts.Event], sheet: Sheet, called: Mapping[str, str]) -> list[str]:
    """In the words of whoever has entered it."""
    names = [called.get(seat, seat) for seat in sheet.seats]
    reported = next((event for event in events if isinstance(event, facts.ResultReported)), None)
    if reported is None:
        return []
    if any(isinstance(event, facts.ResultAgreed) for event in events):
        then = ", and final."
    else:
        then = ", and disputed." if reported.then == DISPUTED else "; it waits for another word."
    return [f"Table {sheet.table}: {between(names, reported.report.result)} is reported{then}"]
