"""What corrections have changed in tables that were complete."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.standings.api.bodies import ENTRANT, INPUTS, TOURNAMENT, Number
from services.standings.api.paths import LOOK, TournamentId
from services.standings.domain import differences
from services.standings.domain.differences import TableChanged
from services.standings.tournaments import EntrantNames, Tournaments
from shared.commands.handler import Handler
from shared.contracts.parts import Cause, Moved
from shared.http.door import Door
from shared.http.moments import Moment, asked_for
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import PAGE, After, Limit, page
from shared.numbers import exact, shown
from shared.tournament.criteria import CRITERIA

MOST_AT_ONCE = 100
WORDS = {
    "ResultCorrected": "a result was corrected",
    "ResultFinal": "a game has another result",
    "ResultReopened": "a result was taken back",
    "GameVoided": "a game does not count",
    "PenaltyImposed": "a penalty was imposed",
    "PenaltyLifted": "a penalty was lifted",
    "EntrantChanged": "an entry was corrected",
    "EntrantLeft": "somebody left",
    "EntrantReturned": "somebody returned",
}


class ChangeOfValue(BaseModel):
    criterion: str = Field(examples=["points"])
    before: Number | None = Field(examples=[4])
    after: Number | None = Field(examples=[5])


class ChangeOfRow(BaseModel):
    entrant: str = Field(examples=[ENTRANT])
    name: str | None = Field(examples=["Zuzana Kováčová"])
    before: int | None = Field(description="The place; null where they were not in the table.", examples=[3])
    after: int | None = Field(description="The place now; null where they are not in the table.", examples=[1])
    values: list[ChangeOfValue] = Field(description="Those that are others than before.")
    sentence: str = Field(examples=["Zuzana Kováčová: place 3 → 1, points 4 → 5."])


class CauseTold(BaseModel):
    event: str = Field(description="As the log of its service names it.", examples=["ResultCorrected"])
    entrants: list[str] = Field(description="Whom it is about, where it says so.", examples=[[ENTRANT]])
    game: str | None = Field(examples=["019aa4c8-11aa-7d02-8c51-2f6e7a9b0c13"])
    round: int | None = Field(examples=[1])
    sentence: str = Field(examples=["In round 1 a result was corrected: Zuzana Kováčová, Ján Novák."])


class TableChange(BaseModel):
    number: int = Field(description="1, 2, 3 … in the order in which they happened.", examples=[1])
    stage: str = Field(examples=["swiss"])
    round: int = Field(description="The last round that was complete: the tables after it are compared.", examples=[7])
    was_closed: bool = Field(description="Whether the stage was closed: then it has to be closed once more.")
    before: str = Field(description="The inputs of the table before; it can still be asked for.", examples=[INPUTS])
    after: str = Field(description="Those of the table with the correction.", examples=[INPUTS])
    causes: list[CauseTold]
    moved: list[ChangeOfRow] = Field(description="Whose place or values are others, in the order of the new table.")


class TableChanges(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    items: list[TableChange] = Field(description="Oldest first.")
    next: str | None = Field(description="Send it as `after` for the next page; null on the last.", examples=["100"])


def routes(
    *, changes: Handler[differences.State, differences.Command, differences.Event], situations: Tournaments, door: Door
) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["standings"])

    @router.get(
        "/changes",
        summary="What corrections changed in tables",
        description="A correction, a late penalty or a departure changes tables that people have read. Each such change is "
        "kept: what led to it, and who moved. Published pairings stay as they are. Also those that were known once (`inputs`), "
        "or at a time (`at`).",
        operation_id="listTableChanges",
        response_model=TableChanges,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(LOOK))],
    )
    async def listed(
        tournament_id: TournamentId,
        moment: Annotated[Moment, Depends(asked_for)],
        after: After | Absent = None,
        limit: Limit = MOST_AT_ONCE,
    ) -> Response:
        situation = await situations.of(tournament_id, moment)
        names = await situations.names(situation.tournament)
        state, _ = await changes.as_told(tournament_id, situation.inputs.standings)
        first = int(after) if after is not None and after.isdecimal() else 0
        some = list(enumerate(state.changes, start=1))[first : first + limit]
        following = str(first + limit) if first + limit < len(state.changes) else None
        body = TableChanges(
            tournament=tournament_id, items=[change(number, one, names) for number, one in some], next=following
        )
        return page(body, f"/v1/tournaments/{tournament_id}/changes", following, {"limit": limit, **moment.query})

    return router


def change(number: int, told: TableChanged, names: EntrantNames) -> TableChange:
    return TableChange(
        number=number,
        stage=told.stage,
        round=told.round,
        was_closed=told.was_closed,
        before=told.before,
        after=told.after,
        causes=[cause(one, names) for one in told.causes],
        moved=[row(one, names) for one in told.moved],
    )


def cause(told: Cause, names: EntrantNames) -> CauseTold:
    where = f"In round {told.round} " if told.round is not None else ""
    whom = f": {', '.join(called(told.entrants, names))}" if told.entrants else ""
    sentence = f"{where}{WORDS[told.event]}{whom}."
    return CauseTold(
        event=told.event,
        entrants=list(told.entrants),
        game=told.game,
        round=told.round,
        sentence=sentence[0].upper() + sentence[1:],
    )


def row(moved: Moved, names: EntrantNames) -> ChangeOfRow:
    values = [
        ChangeOfValue(criterion=name, before=number(before), after=number(after))
        for name, (before, after) in moved.values.items()
    ]
    places = [] if moved.before == moved.after else [f"place {told(moved.before)} → {told(moved.after)}"]
    numbers = [f"{CRITERIA[one.criterion].title} {told(one.before)} → {told(one.after)}" for one in values]
    (name,) = called([moved.entrant], names)
    return ChangeOfRow(
        entrant=moved.entrant,
        name=names.get(moved.entrant),
        before=moved.before,
        after=moved.after,
        values=values,
        sentence=f"{name}: {', '.join([*places, *numbers])}.",
    )


def called(entrants: Sequence[str], names: EntrantNames) -> list[str]:
    return [names.get(one, one) for one in entrants]


def number(value: int | str | None) -> Number | None:
    return None if value is None else shown(exact(value))


def told(value: Number | None) -> str:
    return "none" if value is None else str(value)
