"""What requests and answers about score sheets look like."""

from datetime import datetime
from typing import Annotated, Any, Literal, override

from fastapi import Path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from services.results.calculate import Said, Seat
from shared.access.references import id_of
from shared.http.responses import Action

GAME = "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"
TOURNAMENT = "019aa4c2-0b1f-7c52-9d3a-6b1e5f7a2c40"
ADA, BEN = "019aa4c2-11d0-7f6e-8a55-0f2b3c4d5e6f", "019aa4c2-22e1-7a7f-9b66-1a3c4d5e6f70"
IDS = r"^[0-9A-Za-z_-]{1,64}$"

type GameId = Annotated[
    str,
    Path(
        description="Of the game, as the published round names it.",
        pattern=IDS,
        json_schema_extra=id_of("game"),
        examples=[GAME],
    ),
]
type TournamentId = Annotated[
    str,
    Path(
        description="The id that announcing answered.",
        pattern=IDS,
        json_schema_extra=id_of("tournament"),
        examples=[TOURNAMENT],
    ),
]
type EntrantId = Annotated[
    str,
    Path(description="The id that entering answered.", pattern=IDS, json_schema_extra=id_of("entrant"), examples=[ADA]),
]
type RoundNumber = Annotated[int, Path(description="1, 2, 3 … within the stage.", ge=1, le=1000, examples=[3])]
type StageId = Annotated[
    str,
    Path(
        alias="stage",
        description="The id that the stage has in the ruleset.",
        pattern=r"^[a-z0-9-]{1,64}$",
        examples=["swiss"],
    ),
]
type GameStatus = Literal["pending", "started", "reported", "disputed", "final", "postponed", "voided", "recalled"]

STATUS = Field(
    description="Where it stands: `reported` waits for the other side, `disputed` for an official; `recalled` means "
    "that its round was taken back before the game had begun.",
    examples=["final"],
)
REASON = Field(
    min_length=1,
    max_length=2000,
    description="For those who look into it later. It is kept apart from the log, where it can be erased.",
    examples=["Both sheets were added up anew."],
)
FIRST = Field(
    default=None,
    pattern=IDS,
    json_schema_extra=id_of("entrant"),
    description="The entrant who really started, where you know it.",
    examples=[ADA],
)
ALLOWED = Field(description="What the caller may do with it now, and why not.")


def not_negative(points: int) -> int:
    if points < 0:
        raise ValueError("should not be below zero: no turn has fewer points than none (SK.RES-13)")
    return points


class Turn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    seat: Seat
    points: Annotated[int, AfterValidator(not_negative)] = Field(
        le=10_000, description="A turn never has fewer than none.", examples=[86]
    )


class ToSay(Said):
    """How a game ended, and what the sheet says of it besides."""

    first: str | None = FIRST
    deciding: tuple[Literal[0, 1, "draw"], ...] = Field(
        default=(),
        max_length=5,
        description="Of a drawn match of a play-off: the seat that has won each deciding duel, or `draw`.",
        examples=[[]],
    )
    unmoved: tuple[Seat, ...] | None = Field(
        default=None,
        max_length=4,
        description="Seats that have not made a single move, where it matters whether they have.",
        examples=[None],
    )

    def as_told(self) -> Said:
        """As it is adjudicated."""
        return self


class ToReport(ToSay):
    """What happened at the table."""

    signed_by: tuple[Seat, ...] = Field(
        default=(),
        max_length=4,
        description="Seats that have signed the sheet. Entered by an official or a scorer, a sheet that all have "
        "signed is final at once.",
        examples=[[0, 1]],
    )
    flags: tuple[Seat, ...] = Field(default=(), max_length=4, description="Seats whose clock ran out.", examples=[[]])
    highest_turn: Turn | None = Field(default=None, description="The best turn of the game, and whose it was.")
    bingos: tuple[Turn, ...] = Field(default=(), max_length=40, description="Turns with all tiles of a rack.")


class GameReport(ToReport):
    """The same in a list of many games."""

    game: str = Field(pattern=IDS, json_schema_extra=id_of("game"), description="Its id.", examples=[GAME])


class ToReportMany(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reports: list[GameReport] = Field(min_length=1, max_length=200, description="Each is answered by itself.")


class ToDecide(ToSay):
    reason: str = REASON  # pyright: ignore[reportIncompatibleVariableOverride] - an official's words go by this name
    end_reason: str | None = Field(
        default=None,
        max_length=64,
        description="Why a game of gomoku ended: what is `reason` in a report.",
        examples=[None],
    )

    @override
    def as_told(self) -> Said:
        return self.model_copy(update={"reason": self.end_reason})


class ToConfirm(BaseModel):
    model_config = ConfigDict(extra="forbid")

    report: int = Field(
        ge=1,
        description="The number of the report that you have seen, so that no other one is confirmed.",
        examples=[1],
    )


class ToDispute(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reason: str | None = Field(default=None, min_length=1, max_length=2000, examples=["The last turn is missing."])


class ToStart(BaseModel):
    model_config = ConfigDict(extra="forbid")

    first: str | None = FIRST


class ToPostpone(BaseModel):
    model_config = ConfigDict(extra="forbid")

    until: datetime | None = Field(
        default=None, description="When it goes on, if that is known.", examples=["2026-03-14T15:30:00+01:00"]
    )
    reason: str | None = Field(default=None, min_length=1, max_length=2000, examples=["A clock is broken."])


class ToComplain(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reason: str = REASON


class ToAnswer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    upheld: bool = Field(examples=[False])
    reason: str = REASON


class ToVoid(BaseModel):
    model_config = ConfigDict(extra="forbid")

    replay: bool = Field(
        default=False, description="Whether it is played anew, on the same sheet. Otherwise it is no meeting at all."
    )
    reason: str = REASON


class ResultListed(BaseModel):
    """What counts, seat by seat."""

    scores: list[float] = Field(examples=[[380, 350]])
    points: list[float] = Field(examples=[[1, 0]])
    end: str = Field(description="How the game ended.", examples=["played"])
    by: list[int] = Field(description="The seats at fault.", examples=[[]])
    first: str | None = Field(description="Who really started, where somebody has said it.", examples=[ADA])
    winner: str | None = Field(description="Who goes on from a drawn match.", examples=[None])
    decided_by: str | None = Field(description="By what: `duel1`, `duel2` or `lot`.", examples=[None])
    draw_wins: str | None = Field(description="For whom a draw counts as a win.", examples=[None])


class Result(ResultListed):
    deciding: list[Literal[0, 1, "draw"]] = Field(
        description="What the deciding duels of a drawn match gave.", examples=[[]]
    )
    unmoved: list[int] | None = Field(description="Seats without a single move, where it was said.", examples=[None])


class Report(BaseModel):
    """What somebody stands by."""

    number: int = Field(description="1, 2, 3 … on this sheet: what to name when you confirm it.", examples=[1])
    by: str = Field(description="The opaque id of who reported.", examples=["d0f3c1"])
    entrant: str | None = Field(description="For whom a captain spoke; null for an official.", examples=[ADA])
    result: Result
    signed_by: list[int] = Field(examples=[[0, 1]])
    flags: list[int] = Field(examples=[[]])
    highest_turn: Turn | None
    bingos: list[Turn]
    said: dict[str, Any] = Field(
        description="What the result follows from, as it was sent: boards, moves, what stood there.", examples=[{}]
    )


class Choice(BaseModel):
    entrant: str = Field(examples=[ADA])
    takes: Literal["colour", "draw"] = Field(examples=["colour"])
    first: str | None = Field(description="With the colour: who begins.", examples=[ADA])
    draw_wins: str | None = Field(description="For whom a draw counts as a win from then on.", examples=[BEN])
    late: bool = Field(description="Announced later than the rules ask for.", examples=[False])


class LineUp(BaseModel):
    entrant: str = Field(examples=[ADA])
    persons: list[str | None] = Field(description="Board by board; null where nobody sits.", examples=[["p1", None]])


class Wish(BaseModel):
    entrant: str = Field(examples=[ADA])
    wish: str = Field(examples=["board-draw"])


class Clock(BaseModel):
    minutes: float | None = Field(
        description="That this side has; null where the rules set no time for a side.", examples=[22]
    )
    changes: dict[str, float] = Field(description="By how many it was changed, and why.", examples=[{"late": -9}])


class Deciding(BaseModel):
    duels: int = Field(examples=[2])
    minutes: float | None = Field(description="Of each side's clock.", examples=[5])
    minutes_of_duel: float | None = Field(description="Of both together, where there are no clocks.", examples=[10])
    opening: str | None = Field(examples=["swap1"])
    then: str = Field(examples=["lot"])


class Terms(BaseModel):
    """What the rules say about how it is played. Nobody is held to it by a clock of ours."""

    clocks: list[Clock] = Field(description="Seat by seat.")
    minutes_of_turn: float | None = Field(examples=[None])
    minutes_of_duel: float | None = Field(
        description="Of a duel, where it is played without clocks: what both sides have together.", examples=[None]
    )
    latest_start: int | None = Field(description="Minutes; who comes later has lost.", examples=[22])
    limit: int | None = Field(description="Minutes after the start of the round.", examples=[None])
    opening: str | None = Field(examples=[None])
    starter: str = Field(
        description="Who starts: by the pairing, by choice, by the server, by lot.", examples=["choice"]
    )
    boards: int = Field(description="Of a match of teams.", examples=[0])
    variant: list[str] = Field(description="Of Carcassonne, for the form that is a record of the game.", examples=[[]])
    deciding: Deciding | None = Field(description="How a drawn match goes on.")
    confirmed_by: str = Field(examples=["both-sides"])


class Complaint(BaseModel):
    number: int = Field(examples=[1])
    upheld: bool | None = Field(description="Null while nobody has answered.", examples=[None])


class Game(BaseModel):
    """A game and its score sheet."""

    id: str = Field(examples=[GAME])
    tournament: str = Field(examples=[TOURNAMENT])
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[3])
    table: int = Field(examples=[7])
    room: str | None = Field(description="Where the table stands, if rooms were named.", examples=["Library"])
    label: str | None = Field(description="What stands on it there.", examples=["L7"])
    seats: list[str] = Field(description="Entrants.", examples=[[ADA, BEN]])
    first: str | None = Field(description="Who is named first, or starts, by the pairing.", examples=[ADA])
    option: str | None = Field(description="Who may choose the colour, or who starts, instead.", examples=[None])
    group: str | None = Field(examples=[None])
    match: str | None = Field(description="Of a play-off.", examples=[None])
    number: int | None = Field(description="Of the game inside its match.", examples=[None])
    starts_at: str | None = Field(description="As the round was planned.", examples=[None])
    choices: list[Choice] = Field(description="What was chosen before the game.")
    line_ups: list[LineUp] = Field(
        description="Who sits at which board of a match of teams. Before it begins only for those at the table and the "
        "officials."
    )
    boards_drawn: bool = Field(description="Whether the opponents at the boards were drawn by lot.", examples=[False])
    seats_drawn: list[str] | None = Field(description="The order of seats, where it was drawn.", examples=[None])
    wishes: list[Wish] = Field(description="What somebody at the table has asked for.")
    terms: Terms | None = Field(description="What the rules say of it; null before they are known here.")
    complaints: list[Complaint] = Field(description="About the result that stands.")
    status: GameStatus = STATUS
    postponed_until: str | None = Field(examples=[None])
    result: Result | None = Field(description="Once it is final.")
    reports: list[Report] | None = Field(
        description="What each side or official stands by; null for those who do not play or officiate here."
    )
    objections: int | None = Field(description="How many say no without a report of their own.", examples=[0])
    allowed_actions: list[Action] = ALLOWED


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


class Foreseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(examples=[["The game is voided."]])
    lost: list[str] = Field(description="What would not count any more.", examples=[["The result 380:350."]])
    warnings: list[str] = Field(
        description="Given earlier to those whom it is about.",
        examples=[["Round 1 of swiss: a warning by 4.8 to ada."]],
    )


class Step(BaseModel):
    """One thing that happened to the sheet."""

    at: datetime = Field(examples=["2026-03-14T15:30:00Z"])
    what: str = Field(description="The name of what happened.", examples=["ResultReported"])
    who: str = Field(description="The opaque id of who did it, or the service that told of it.", examples=["d0f3c1"])
    version: int = Field(description="Of the sheet with it.", examples=[2])
    report: Report | None = Field(description="What was reported.")
    result: Result | None = Field(description="What counts from then on.")
    reason: str | None = Field(description="Where one was given, and not erased.", examples=[None])


class Story(BaseModel):
    steps: list[Step] = Field(description="From the first to the last.")
