"""The games of a round as a board shows them, and what came of each report."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any

import msgspec

from services.results.api.games import views
from services.results.api.games.bodies import Result, ResultCorrection, SeatedPlayer
from services.results.api.rounds.bodies import GameListed, HeardOfTable
from services.results.domain.sheet import states
from services.results.domain.sheet.states import Disputed, KnownSheet, reports_of
from services.results.projection import SheetRow
from services.results.tournaments import KnownTournament
from shared.http.problems import document_of
from shared.personal.shown_names import NamesToShow
from shared.refusals import Refusal
from shared.values import Value


class ShownTo(Value):
    """What whoever asks is shown beside the games of a tournament."""

    known: KnownTournament
    told: NamesToShow
    heard: Mapping[str, KnownSheet]  # sheets about which something was said, for officials
    reasons: Mapping[str, str]  # the words of corrections, for officials
    is_official: bool

    def players(self, entrants: Iterable[str]) -> list[SeatedPlayer]:
        return [SeatedPlayer.model_validate(views.seated(one, self.known, self.told)) for one in entrants]


def refused(game: str | None, refusal: Refusal) -> dict[str, Any]:
    found = document_of(refusal).model_dump(exclude_defaults=True, by_alias=True)
    return {"game": game, "status": found["status"], "sheet": None, "problem": found}


def went_well(game: str, sheet: bytes) -> dict[str, Any]:
    return {"game": game, "status": HTTPStatus.OK.value, "sheet": msgspec.Raw(sheet), "problem": None}


def listed(row: SheetRow, shown: ShownTo) -> GameListed:
    seats = seats_of(row)
    room, label = shown.known.tables.get(row.board, (None, None))
    return GameListed.model_validate(
        {
            "id": row.game,
            "stage": row.stage,
            "round": row.round,
            "table": row.board,
            "room": room,
            "label": label,
            "group": row.letter,
            "match": row.match,
            "number": row.number,
            "seats": shown.players(seats),
            "first": row.first,
            "status": row.status,
            "result": result(row, seats),
            "corrected": row.corrected_at is not None,
            "correction": correction(row, shown),
            "heard": heard(row, seats, shown),
        }
    )


def seats_of(row: SheetRow) -> list[str]:
    return msgspec.json.decode(row.seats)


def result(row: SheetRow, seats: Sequence[str]) -> Result | None:
    if row.status != "final":
        return None
    found = states.Result(
        scores=decoded(row.scores),
        points=decoded(row.points),
        end=row.ending or "",
        by=decoded(row.at_fault),
        first=row.began,
        deciding=decoded(row.deciding),
        winner=row.winner,
        decided_by=row.decided_by,
        draw_wins=row.draw_wins,
        unmoved=decoded(row.unmoved) or None,
        end_reason=row.end_reason,
    )
    return Result.model_validate(views.result(found, seats))


def decoded(column: str | None) -> tuple[Any, ...]:
    return tuple(msgspec.json.decode(column or "[]"))


def correction(row: SheetRow, shown: ShownTo) -> ResultCorrection | None:
    if row.corrected_at is None:
        return None
    return ResultCorrection(at=datetime.fromisoformat(row.corrected_at), reason=shown.reasons.get(row.correction or ""))


def heard(row: SheetRow, seats: Sequence[str], shown: ShownTo) -> HeardOfTable | None:
    if not shown.is_official or row.status in states.SETTLED:
        return None
    state = shown.heard.get(row.game)
    reports = () if state is None else reports_of(state)
    spoken = {said.by.entrant for said in reports}
    own = [seat for seat, entrant in enumerate(seats) if entrant in spoken]
    return HeardOfTable(
        reported=own,
        silent=[seat for seat in range(len(seats)) if seat not in own],
        official=None in spoken,
        objections=len(state.objections) if isinstance(state, Disputed) else 0,
        director=state is not None and views.awaits(state, shown.known),
    )
