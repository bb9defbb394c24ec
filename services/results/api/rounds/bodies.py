"""What requests and answers about the games of a round, or of a whole tournament, look like."""

from datetime import datetime
from typing import Annotated, Literal, Self

from fastapi import Query
from pydantic import BaseModel, Field, model_validator

from services.results.api.games import bodies
from services.results.api.games.bodies import (
    PLAYED,
    STATUS,
    Family,
    GameStatus,
    Result,
    ResultCorrection,
    SeatedPlayer,
    ToReport,
)
from services.results.api.parameters import ADA, GAME, IDS, TOURNAMENT
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.parameters import Absent
from shared.http.problems import Problem

type AfterGame = Annotated[
    str,
    Query(
        pattern=r"^([a-z0-9-]{1,64}\.[0-9]{1,6}\.[0-9]{1,6}\.[0-9A-Za-z_-]{1,64})?$",
        description="The `next` of the page before.",
        examples=[f"swiss.3.7.{GAME}"],
    ),
]


type Show = Annotated[
    Literal["open", "unreported", "reported", "disputed", "director", "final", "corrected"] | Absent,
    Query(
        description="Only games that are open, that nobody has reported, that wait for another word, that are "
        "disputed, that wait for the director (shown to officials), that are final, or that were corrected.",
        examples=["open"],
    ),
]


type OfEntrant = Annotated[
    str | Absent,
    Query(
        alias="entrant",
        pattern=IDS,
        json_schema_extra=id_of("entrant"),
        description="Only games of this entrant.",
        examples=[ADA],
    ),
]


class Answered(BaseModel):
    """What came of one report: the game, or why not."""

    game: str | None = Field(description="Its id; null where none was found.", examples=[GAME])
    status: int = Field(description="As it would be answered alone.", examples=[200])
    sheet: bodies.Game | None = Field(description="When it went well.")
    problem: Problem | None = Field(description="When it did not.", examples=[None])


class AnsweredMany(BaseModel):
    answers: list[Answered] = Field(description="In the order of the reports.")


class GameReport(ToReport):
    """The same in a list of many games, each named by its id, or by its round and table."""

    called = "GameReport"

    game: str | None = Field(
        default=None, pattern=IDS, json_schema_extra=id_of("game"), description="Its id.", examples=[GAME]
    )
    stage: str | None = Field(
        default=None, pattern=r"^[a-z0-9-]{1,64}$", description="Without the id: the stage,", examples=[None]
    )
    round: int | None = Field(default=None, ge=1, le=1000, description="the round of it,", examples=[None])
    table: int | None = Field(default=None, ge=1, le=10_000, description="and the table.", examples=[None])

    @model_validator(mode="after")
    def names_one_game(self) -> Self:
        table = self.stage, self.round, self.table
        if table.count(None) == (0 if self.game is None else len(table)):
            return self
        raise ValueError("should name the game by `game`, or else by `stage`, `round` and `table`")


class ToReportMany(RequestBody):
    reports: list[GameReport] = Field(min_length=1, max_length=200, description="Each is answered by itself.")


class HeardOfTable(BaseModel):
    """Who has said something of a game that is still open."""

    reported: list[int] = Field(description="Seats whose own side stands by a report.", examples=[[0]])
    silent: list[int] = Field(description="Seats whose own side has not said anything.", examples=[[1]])
    official: bool = Field(description="Whether an official or a scorer has entered a report.", examples=[False])
    objections: int = Field(description="How many say no without a report of their own.", examples=[0])
    director: bool = Field(
        description="Whether something was reported that only the director decides.", examples=[False]
    )


class GameListed(BaseModel):
    """A game as a board shows it."""

    id: str = Field(examples=[GAME])
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[3])
    table: int = Field(examples=[7])
    room: str | None = Field(description="Where the table stands, if rooms were named.", examples=["Library"])
    label: str | None = Field(description="What stands on it there.", examples=["L7"])
    group: str | None = Field(examples=[None])
    match: str | None = Field(description="Of a play-off.", examples=[None])
    number: int | None = Field(description="Of the game inside its match.", examples=[None])
    seats: list[SeatedPlayer] = Field(description="Seat 0 first.")
    first: str | None = Field(description="The entrant who is named first, or starts, by the pairing.", examples=[ADA])
    status: GameStatus = STATUS
    result: Result | None = Field(description="Once it is final.")
    corrected: bool = Field(description="Whether another result had been final before this one.", examples=[False])
    correction: ResultCorrection | None = Field(description="When and why, as far as the caller may know.")
    heard: HeardOfTable | None = Field(
        description="As long as it is open, for officials of the tournament; null for everybody else."
    )


class GamesListed(BaseModel):
    """Games of all rounds."""

    tournament: str = Field(examples=[TOURNAMENT])
    tournament_name: str | None = Field(examples=["Bratislava Open"])
    family: Family | None = PLAYED
    items: list[GameListed] = Field(description="Stage by stage, round by round, in the order of the tables.")
    next: str | None = Field(
        description="Send it as `after` to get the next page; null on the last one.", examples=[f"swiss.3.7.{GAME}"]
    )


class RoundOfGames(BaseModel):
    """A round as a board shows it."""

    tournament: str = Field(examples=[TOURNAMENT])
    tournament_name: str | None = Field(examples=["Bratislava Open"])
    family: Family | None = PLAYED
    stage: str = Field(examples=["swiss"])
    title: str | None = Field(description="What the stage is called.", examples=["Swiss"])
    round: int = Field(examples=[3])
    of: int | None = Field(description="How many rounds the stage has, where the rules fix a number.", examples=[7])
    starts_at: datetime | None = Field(description="As it was planned.", examples=["2026-03-14T14:30:00+01:00"])
    time_zone: str | None = Field(description="In which people there read `starts_at`.", examples=["Europe/Bratislava"])
    games: int = Field(description="How many the round has.", examples=[5])
    missing: int = Field(description="How many have no result yet.", examples=[1])
    complete: bool = Field(description="Whether everything that follows from the round may begin.", examples=[False])
    counts: dict[str, int] = Field(
        description="How many games have which status; what no game has is left out.",
        examples=[{"final": 4, "reported": 1}],
    )
    items: list[GameListed] = Field(description="In the order of the tables.")
    byes: list[SeatedPlayer] = Field(description="Who has nobody to play.")
    requested_byes: list[SeatedPlayer] = Field(description="Who has taken the round off.")
    absent: list[SeatedPlayer] = Field(description="Who is not there.")
    next: str | None = Field(
        description="Send it as `after` to get the next page; null on the last one.", examples=[f"swiss.3.7.{GAME}"]
    )


class LineForeseen(BaseModel):
    """What would come of one line of a file; nothing has."""

    line: int = Field(description="Of the file, where 1 is that of the columns.", examples=[2])
    game: str | None = Field(description="Null where none was found.", examples=[GAME])
    table: int | None = Field(examples=[7])
    status: int = Field(description="As it would be answered.", examples=[200])
    changes: list[str] = Field(
        description="Empty where the line changes nothing.",
        examples=[["Table 7: Zuzana Kováčová 421:377 Boris Novák is reported, and final."]],
    )
    problem: Problem | None = Field(description="Why it would not go.", examples=[None])


class AnsweredLine(Answered):
    """What came of one line of a file."""

    line: int = Field(description="Of the file, where 1 is that of the columns.", examples=[2])
    table: int | None = Field(examples=[7])


class AnsweredLines(BaseModel):
    answers: list[AnsweredLine] = Field(description="Of each line in which something was entered.")


class LinesForeseen(BaseModel):
    foreseen: list[LineForeseen] = Field(description="Of each line in which something was entered.")
