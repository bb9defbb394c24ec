"""What is said of an objection at a Scrabble table, and what is ruled."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.results.calculate import Seat
from services.results.games.scrabble_table.announced import Found
from services.results.games.scrabble_table.objections import Sanction

POINTS = Field(ge=-10_000, le=10_000)

type TurnPoints = Annotated[int, POINTS]


class Objection(BaseModel):
    model_config = ConfigDict(extra="forbid")

    objector: Seat = Field(description="The seat that objects.")
    words: str | None = Field(
        default=None,
        min_length=1,
        max_length=2000,
        description="What else is to be said. It may be about persons, so it is kept apart from the log.",
        examples=[None],
    )


class ToWords(Objection):
    """Type a: words are not valid. Each is looked up in the lists that the tournament plays by."""

    kind: Literal["word"]
    laid: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(
        min_length=1, max_length=8, description="The words objected to.", examples=[["ok", "xx"]]
    )
    referee: dict[str, Literal["valid", "invalid"]] = Field(
        default_factory=dict,
        description="What the referee has found of words that no list decides.",
        examples=[{"kolobežka": "valid"}],
    )


class TurnWritten(BaseModel):
    model_config = ConfigDict(extra="forbid")

    points: TurnPoints | None = Field(default=None, examples=[24])
    word: str | None = Field(default=None, max_length=64, examples=["slovo"])


class ToUnwritten(Objection):
    """Type b: turns were not written down."""

    kind: Literal["unwritten"]
    turns: list[TurnWritten] = Field(min_length=1, max_length=60)


class ToTiles(Objection):
    """Type c: a wrong number of tiles on the rack."""

    kind: Literal["tiles"]
    held: int = Field(ge=0, le=100, examples=[8])
    due: int = Field(ge=0, le=7, examples=[7])


class ToExchange(Objection):
    """Type d: tiles were exchanged with too few in the bag."""

    kind: Literal["exchange"]
    in_bag: int = Field(ge=0, le=112, examples=[6])


class ToPoints(Objection):
    """Type e: the points were announced wrongly."""

    kind: Literal["points"]
    correct: TurnPoints = Field(examples=[24])
    announced: TurnPoints = Field(examples=[30])
    found: Found = Field(default="objected", examples=["objected"])


class ToBehaviour(Objection):
    """Type f: unsporting behaviour; what the referee has decided."""

    kind: Literal["behaviour"]
    sanction: Sanction | None = Field(default=None, examples=["public-warning"])


type ToObject = Annotated[
    ToWords | ToUnwritten | ToTiles | ToExchange | ToPoints | ToBehaviour, Field(discriminator="kind")
]


class RuledWord(BaseModel):
    word: str = Field(examples=["OK"])
    valid: bool = Field(examples=[True])
    clause: str = Field(examples=["10.1.3"])
    by: str = Field(description="What decided.", examples=["B2, edition 09 of 2022-10-17"])


class Ruling(BaseModel):
    objector: int = Field(examples=[1])
    kind: str = Field(examples=["word"])
    upheld: bool = Field(examples=[True])
    turn: Literal["stands", "lost"] = Field(description="What becomes of the turn.", examples=["lost"])
    points: list[int] = Field(description="What the turns count instead, where that changes.", examples=[[]])
    costs: int = Field(description="The objector, in points.", examples=[0])
    rule: str = Field(examples=["SK.RES-14"])
    words_ruled: list[RuledWord]
    sanction: str | None = Field(examples=[None])
    words: str | None = Field(description="Null where nothing was written, or it was erased.", examples=[None])


class Rulings(BaseModel):
    rulings: list[Ruling] = Field(description="In the order in which they were made.")
