"""Who met whom in a stage: every entrant's rounds, in the order of the table."""

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.standings.api import as_csv
from services.standings.api.as_csv import Format
from services.standings.api.bodies import ENTRANT, INPUTS, TOURNAMENT, Number
from services.standings.api.paths import (
    LOOK,
    Among,
    IfNoneMatch,
    StageId,
    Through,
    TournamentId,
)
from services.standings.api.tags import NOT_MODIFIED, Shown, answer, in_brief
from services.standings.calculate import Cell
from services.standings.calculate.crosstable import in_columns, numbered, round_titles, rounds_of
from services.standings.domain.table import last_round
from services.standings.tournaments import EntrantNames, KnownTournament, Tournaments
from shared.csv_lines import CSV, written
from shared.http.door import Door
from shared.http.moments import Moment, asked_for
from shared.http.problems import documented
from shared.http.responses import JSON, READ
from shared.numbers import shown
from shared.tournament.ledger import ledger_of
from shared.tournament.ranking import rank


class CrosstableRow(BaseModel):
    place: int = Field(examples=[1])
    shared: bool = Field(examples=[False])
    entrant: str = Field(examples=[ENTRANT])
    name: str | None = Field(examples=["Zuzana Kováčová"])
    group: str | None = Field(examples=[None])
    points: Number = Field(description="All of them, with those brought along and with penalties.", examples=[5.5])
    rounds: list[Cell] = Field(description="Without those that still wait for a result.")


class Crosstable(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    stage: str = Field(examples=["swiss"])
    round: int = Field(description="The last one in it; 0 before the first.", examples=[3])
    among: str | None = Field(description="The list whose table it is; null for that of all.", examples=[None])
    inputs: str = Field(examples=[INPUTS])
    rows: list[CrosstableRow] = Field(description="Best first.")


def routes(*, situations: Tournaments, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/stages/{stage}", tags=["standings"])

    @router.get(
        "/crosstable",
        summary="Who met whom in a stage",
        description="Every entrant's rounds with opponents, points and scores, in the order of the table. With "
        "`format=csv` as a sheet with a column for each round, in which opponents are told by the number of their line.",
        operation_id="getCrosstable",
        response_model=Crosstable,
        responses=READ | as_csv.ANSWERS | NOT_MODIFIED | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def crosstable(
        tournament_id: TournamentId,
        stage: StageId,
        moment: Annotated[Moment, Depends(asked_for)],
        through: Through = None,
        among: Among = None,
        as_format: Format = None,
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        situation = await situations.of(tournament_id, moment)
        names = await situations.names(situation.tournament)
        found = await asyncio.to_thread(made, situation, stage, names, through, among)
        content = in_csv(found, names) if as_format == "csv" else found.model_dump_json().encode()
        told = Shown(inputs=found.inputs, content=content, names=in_brief(row.name for row in found.rows))
        return answer(told, if_none_match, CSV if as_format == "csv" else JSON)

    return router


def made(
    situation: KnownTournament, stage: str, names: EntrantNames, through: int | None, among: str | None
) -> Crosstable:
    table = rank(situation.facts, stage, through=through, among=among)
    ledger = ledger_of(situation.facts, stage, through=through)
    rounds = rounds_of(situation.facts, table.rows, through=through)
    return Crosstable(
        tournament=situation.tournament,
        stage=stage,
        round=last_round(situation.facts, stage, through),
        among=among,
        inputs=str(situation.inputs),
        rows=[
            CrosstableRow(
                place=row.place,
                shared=row.shared,
                entrant=row.entrant,
                name=names.get(row.entrant),
                group=row.group,
                points=shown(ledger.exact(ledger.own_points[row.entrant])),
                rounds=rounds[row.entrant],
            )
            for row in table.rows
        ],
    )


def in_csv(found: Crosstable, names: EntrantNames) -> bytes:
    rounds = round_titles(range(1, found.round + 1))
    called = numbered([row.entrant for row in found.rows], names)
    return written(
        ["number", "place", "entrant", "name", "group", "points", *rounds.values()],
        (
            {
                "number": called[row.entrant],
                "place": row.place,
                "entrant": row.entrant,
                "name": row.name,
                "group": row.group,
                "points": row.points,
                **in_columns(row.rounds, rounds, called),
            }
            for row in found.rows
        ),
    )
