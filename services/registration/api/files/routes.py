"""Entries as files: brought in, and taken out in the same columns."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Query, Response

from services.registration.api import may
from services.registration.api.files import entry_lines
from services.registration.api.files.forms import FileForeseen, FileImported
from services.registration.api.files.importing import Importing
from services.registration.api.forms import TournamentId
from services.registration.domain.tournament.entrants import StruckOff, Withdrawn
from services.registration.domain.tournament.entries import Decision
from services.registration.domain.tournament.states import known
from shared.access.references import ids_in_columns
from shared.csv_lines import CSV, as_csv, written
from shared.http.door import Act, Door
from shared.http.orders import CREATED
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import BAD, DryRun

ENTRIES = "entry,name,team_name,role,captain,rating\r\n1,Mária Nováková,,,,1700\r\n"
AS_CSV = as_csv(ENTRIES)

FORM = "UTF-8, with commas or semicolons, and in the first line the names of the columns."

type Content = Annotated[
    bytes,
    Body(
        media_type=CSV,
        description=FORM,
        examples=[ENTRIES],
        json_schema_extra=ids_in_columns(entry_lines.IDS),
    ),
]


def routes(*, importing: Importing, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/entries", tags=["entries"])

    @router.post(
        "/import",
        summary="Enter whoever stands in a file",
        description="CSV, one line for each person: all of them come in, or nobody. Every faulty line is named, with its "
        f"column and what to do. The same file again changes nothing. Columns: {', '.join(entry_lines.COLUMNS)}.",
        operation_id="importEntries",
        status_code=HTTPStatus.CREATED,
        response_model=FileImported,
        responses=CREATED | {HTTPStatus.OK.value: {"model": FileForeseen, "description": "What it would change."}},
    )
    async def bring_in(
        tournament_id: TournamentId,
        content: Content,
        act: Annotated[Act, Depends(door.acts(may.ORGANISE))],
        decision: Annotated[
            Decision | Absent,
            Query(description="Why the organiser takes them after entries have closed.", examples=["other"]),
        ] = None,
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        if dry_run:
            return await importing.foreseen(tournament_id, content, decision, act)
        return await importing.happens(tournament_id, content, decision, act)

    @router.get(
        "/export",
        summary="Entries as a file",
        description="CSV in the columns of the import, of everybody who takes part or waits. Brought in again it changes "
        "nothing.",
        operation_id="exportEntries",
        response_class=Response,
        responses=AS_CSV | BAD | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(may.LOOK))],
    )
    async def take_out(tournament_id: TournamentId) -> Response:
        state, _ = await importing.tournaments.load(tournament_id)
        field = known(state).roster
        there = [one for one in field.entrants.values() if not isinstance(one, Withdrawn | StruckOff)]
        persons = [
            one
            for entrant in there
            for one in (*entrant.said.persons, *field.details_of(entrant.entrant).also.substitutes)
        ]
        names = await importing.entrance.names.in_full([*persons, *field.entrants])
        rows = [row for one in there for row in entry_lines.lines_of(one, field.details_of(one.entrant), names)]
        headers = {"Content-Disposition": f'attachment; filename="entries-{tournament_id}.csv"'}
        return Response(written(entry_lines.COLUMNS, rows), media_type=CSV, headers=headers)

    return router
