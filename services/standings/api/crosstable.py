"""Who met whom in a stage: every entrant's rounds, in the order of the table."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.standings.api import as_csv
from services.standings.api.as_csv import Format
from services.standings.api.asked import EntrantNames, Situation, Situations
from services.standings.api.bodies import ENTRANT, INPUTS, OTHER, TOURNAMENT, Number
from services.standings.api.paths import (
    LOOK,
    Among,
    AtInputs,
    AtTime,
    IfNoneMatch,
    StageId,
    Through,
    TournamentId,
    moment,
)
from services.standings.api.tags import NOT_MODIFIED, Shown, answer, in_brief
from services.standings.domain.table import last_round
from shared import heard
from shared.act import Door
from shared.answers import JSON, READ
from shared.csv_lines import CSV, written
from shared.exact import shown
from shared.problems import documented
from shared.tournament.facts import Facts
from shared.tournament.ledger import Ledger, ledger_of
from shared.tournament.ranking import rank
from shared.tournament.turns import Kind, Turn


class Cell(BaseModel):
    """One round of one entrant."""

    round: int = Field(examples=[1])
    kind: Kind = Field(description="A game, or why there was none.", examples=["game"])
    opponents: list[str] = Field(description="Everybody else at the table.", examples=[[OTHER]])
    places: list[int] = Field(description="Their places in this table.", examples=[[4]])
    first: bool | None = Field(description="Whether the entrant began; null where that is not known.", examples=[True])
    points: Number = Field(examples=[1])
    made: Number = Field(description="The own score.", examples=[421])
    received: Number = Field(description="The score of the others.", examples=[377])


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


def routes(*, situations: Situations, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/stages/{stage}", tags=["standings"])

    @router.get(
        "/crosstable",
        summary="Who met whom in a stage",
        description="Every entrant's rounds with opponents, points and scores, in the order of the table. With "
        "`format=csv` as a sheet with a column for each round.",
        operation_id="getCrosstable",
        response_model=Crosstable,
        responses=READ | as_csv.ANSWERS | NOT_MODIFIED | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def crosstable(
        tournament_id: TournamentId,
        stage: StageId,
        through: Through = None,
        inputs: AtInputs = None,
        at: AtTime = None,
        among: Among = None,
        as_format: Format = None,
        if_none_match: IfNoneMatch = None,
    ) -> Response:
        situation = await situations.of(tournament_id, until=heard.parse(inputs) if inputs else None, at=moment(at))
        names = await situations.names(situation.persons)
        found = await asyncio.to_thread(made, situation, stage, names, through, among)
        content = in_csv(found) if as_format == "csv" else found.model_dump_json().encode()
        told = Shown(inputs=found.inputs, content=content, names=in_brief(row.name for row in found.rows))
        return answer(told, if_none_match, CSV if as_format == "csv" else JSON)

    return router


def made(situation: Situation, stage: str, names: EntrantNames, through: int | None, among: str | None) -> Crosstable:
    table = rank(situation.facts, stage, through=through, among=among)
    ledger = ledger_of(situation.facts, stage, through=through)
    places = {row.entrant: row.place for row in table.rows}
    first = who_began(situation.facts, stage)
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
                rounds=[cell(ledger, row.entrant, turn, places, first) for turn in ledger.turns[row.entrant]],
            )
            for row in table.rows
        ],
    )


def who_began(facts: Facts, stage: str) -> Mapping[tuple[int, str], bool]:
    """By the result where it says so, else as it was planned."""
    found: dict[tuple[int, str], bool] = {}
    for (of, number), one in facts.rounds.items():
        for game in one.games if of == stage else ():
            result = facts.results.get(game.id)
            first = (result.first if result else None) or game.first
            found |= {(number, seat): seat == first for seat in game.seats if first is not None}
    return found


def cell(
    ledger: Ledger,
    entrant: str,
    turn: Turn,
    places: Mapping[str, int],
    first: Mapping[tuple[int, str], bool],
) -> Cell:
    return Cell(
        round=turn.round,
        kind=turn.kind,
        opponents=list(turn.opponents),
        places=[places[one] for one in turn.opponents if one in places],
        first=first.get((turn.round, entrant)) if turn.kind == "game" else None,
        points=shown(ledger.exact(turn.points)),
        made=shown(ledger.exact(turn.made)),
        received=shown(ledger.exact(turn.received)),
    )


def in_csv(found: Crosstable) -> bytes:
    """A round is told as points, the opponents' places and scores, such as `1 v 4 (421:377)`."""
    rounds = {number: f"round {number}" for number in range(1, found.round + 1)}
    return written(
        ["place", "entrant", "name", "group", "points", *rounds.values()],
        (
            {
                "place": row.place,
                "entrant": row.entrant,
                "name": row.name,
                "group": row.group,
                "points": row.points,
                **{title: in_words(row, number) for number, title in rounds.items()},
            }
            for row in found.rows
        ),
    )


def in_words(row: CrosstableRow, number: int) -> str | None:
    told = [
        f"{one.points} v {'/'.join(map(str, one.places))} ({one.made}:{one.received})"
        if one.kind == "game"
        else f"{one.points} {one.kind}"
        for one in row.rounds
        if one.round == number
    ]
    return ", ".join(told) or None
