"""What requests and answers about records of games look like."""

from typing import Annotated, Any, Literal, Self

from fastapi import Path
from pydantic import BaseModel, Field, model_validator

from services.results.api.parameters import ADA, IDS
from services.results.games.carcassonne import MONASTERIES
from services.results.games.ending_accounts import MOST_MOVES, Seconds
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.rulesets.play import Element

RECORD = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

MOST_ELEMENTS = 4

type Monasteries = Annotated[int, Field(strict=True, ge=0, le=MONASTERIES)]
type Opening = Literal["swap1", "swap", "swap2", "pro"]


class Variant(BaseModel, extra="forbid", frozen=True):
    """How a game was played whose rules have a variant."""

    used: tuple[Element, ...] = Field(
        max_length=MOST_ELEMENTS,
        description="What was used of it, as the ruleset names it in `contest.variant`.",
        examples=[["hand-of-three", "open-tiles", "own-monasteries"]],
    )
    monasteries_left: tuple[Monasteries, Monasteries] | None = Field(
        default=None,
        description="How many of the own monasteries each seat had left at the end, where that was noted.",
        examples=[[0, 1]],
    )


class ToAttach(RequestBody):
    """A record is the moves of a game, or the form of a variant."""

    moves: tuple[Any, ...] | None = Field(
        default=None,
        min_length=1,
        max_length=MOST_MOVES,
        description="As `adjudicate` takes them. A record that breaks a rule is refused with the index of the move.",
        examples=[["f5", "d6", "c3"]],
    )
    variant: Variant | None = Field(
        default=None,
        description="Instead of moves: the form of a game with a variant, as in the final of Carcassonne.",
        examples=[None],
    )
    opening: Opening | None = Field(
        default=None, description="Of gomoku: that of the rules when absent.", examples=[None]
    )
    seconds: tuple[Seconds | None, ...] | None = Field(
        default=None,
        max_length=MOST_MOVES,
        description="Of `gomoku-cfp`: for each move how many seconds the clock of whoever was to act had run until "
        "then, where it was noted. A claim of time has to be shown by them.",
        examples=[None],
    )
    first: str | None = Field(
        default=None,
        pattern=IDS,
        json_schema_extra=id_of("entrant"),
        description="Who opened; otherwise as the round was paired.",
        examples=[ADA],
    )
    board: int | None = Field(default=None, ge=0, lt=20, description="Of a match of teams, from 0.", examples=[None])
    duel: int | None = Field(default=None, ge=0, lt=5, description="Of that board, from 0.", examples=[None])

    @model_validator(mode="after")
    def is_one_record(self) -> Self:
        if (self.moves is None) == (self.variant is None):
            raise ValueError("needs `moves`, or `variant` instead of them")
        if self.seconds is not None and self.moves is None:
            raise ValueError("`seconds` go with `moves`")
        return self


class Happening(BaseModel):
    what: str = Field(examples=["StonePlaced"])
    moves: list[int] = Field(description="The indices of the moves that made it.", examples=[[0]])


class Record(BaseModel):
    id: str = Field(description="The SHA-256 of its moves.", examples=[RECORD])
    who: str = Field(description="The opaque id of who attached it.", examples=["d0f3c1"])
    entrant: str | None = Field(description="For whom a captain spoke; null for an official.", examples=[ADA])
    first: str = Field(description="Who opened.", examples=[ADA])
    board: int | None = Field(examples=[None])
    duel: int | None = Field(examples=[None])
    moves: list[Any] = Field(description="None in a form.", examples=[["f5", "d6", "c3"]])
    variant: Variant | None = Field(description="Of a form.", examples=[None])
    opening: str | None = Field(examples=[None])
    seconds: list[int | None] | None = Field(description="For each of the moves, if they were noted.", examples=[None])
    winner: int | Literal["draw"] | None = Field(
        description="The seat of the sheet that has won by it, or `draw`; null while the game goes on in it.",
        examples=[None],
    )
    end_reason: str | None = Field(description="Why the game ended, by the words of the ruleset.", examples=[None])
    decided_at: int | None = Field(description="The index of the move.", examples=[None])
    discs: list[int] | None = Field(description="Of Othello, seat by seat of the sheet.", examples=[None])
    happened: list[Happening] = Field(description="Of gomoku: what happened, by the names of the rules.")
    explanation: str = Field(examples=["The game goes on: white is to move."])
    agrees: bool | None = Field(
        description="Whether this is what was reported; null where nobody has, where it does not end the game, and "
        "for spectators before the end.",
        examples=[True],
    )


class Records(BaseModel):
    records: list[Record] = Field(description="In the order in which they were attached.")


type RecordId = Annotated[
    str,
    Path(description="Of the record.", pattern=r"^[0-9a-f]{64}$", json_schema_extra=id_of("record"), examples=[RECORD]),
]
