"""What requests and answers about the games of a round look like."""

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from services.results.api.games import bodies
from services.results.api.games.bodies import STATUS, GameStatus, ResultListed, ToReport
from services.results.api.parameters import ADA, BEN, GAME, IDS
from shared.access.references import id_of
from shared.http.problems import Problem

type AfterGame = Annotated[
    str,
    Query(
        pattern=r"^(\d{1,6}\.[0-9A-Za-z_-]{1,64})?$",
        description="The `next` of the page before.",
        examples=[f"7.{GAME}"],
    ),
]


type Missing = Annotated[bool, Query(description="Only games without a result.")]


class Answered(BaseModel):
    """What came of one report: the game, or why not."""

    game: str = Field(examples=[GAME])
    status: int = Field(description="As it would be answered alone.", examples=[200])
    sheet: bodies.Game | None = Field(description="When it went well.")
    problem: Problem | None = Field(description="When it did not.", examples=[None])


class AnsweredMany(BaseModel):
    answers: list[Answered] = Field(description="In the order of the reports.")


class AnsweredLine(Answered):
    """What came of one line of a file."""

    line: int = Field(description="Of the file, where 1 is that of the columns.", examples=[2])


class AnsweredLines(BaseModel):
    answers: list[AnsweredLine] = Field(description="Of each line in which something was entered.")


class GameReport(ToReport):
    """The same in a list of many games."""

    game: str = Field(pattern=IDS, json_schema_extra=id_of("game"), description="Its id.", examples=[GAME])


class ToReportMany(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reports: list[GameReport] = Field(min_length=1, max_length=200, description="Each is answered by itself.")


class GameListed(BaseModel):
    id: str = Field(examples=[GAME])
    table: int = Field(examples=[7])
    room: str | None = Field(description="Where the table stands, if rooms were named.", examples=["Library"])
    label: str | None = Field(description="What stands on it there.", examples=["L7"])
    seats: list[str] = Field(description="Entrants.", examples=[[ADA, BEN]])
    status: GameStatus = STATUS
    result: ResultListed | None = Field(description="Once it is final.")


class RoundOfGames(BaseModel):
    games: int = Field(description="How many the round has.", examples=[5])
    missing: int = Field(description="How many have no result yet.", examples=[1])
    complete: bool = Field(description="Whether everything that follows from the round may begin.", examples=[False])
    items: list[GameListed] = Field(description="In the order of the tables.")
    next: str | None = Field(
        description="Send it as `after` to get the next page; null on the last one.", examples=[f"7.{GAME}"]
    )
