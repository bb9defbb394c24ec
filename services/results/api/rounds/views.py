"""The games of a round as they are listed, and what came of each report."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from services.results.api.games import bodies
from services.results.api.rounds.bodies import GameListed
from services.results.projection import SheetRow
from shared.contracts.parts import Standing
from shared.http.problems import document_of
from shared.numbers import Number, exact, shown
from shared.refusals import Refusal


def refused(game: str, refusal: Refusal) -> dict[str, Any]:
    found = document_of(refusal).model_dump(exclude_defaults=True, by_alias=True)
    return {"game": game, "status": found["status"], "sheet": None, "problem": found}


def went_well(game: str, sheet: bytes) -> dict[str, Any]:
    return {"game": game, "status": HTTPStatus.OK.value, "sheet": msgspec.Raw(sheet), "problem": None}


def listed(row: SheetRow, tables: Mapping[int, Standing]) -> GameListed:
    seats: list[str] = msgspec.json.decode(row.seats)
    room, label = tables.get(row.board, (None, None))
    shown_now = {"id": row.game, "table": row.board, "room": room, "label": label, "seats": seats}
    return GameListed.model_validate({**shown_now, "status": row.status, "result": result(row)})


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
