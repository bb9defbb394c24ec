"""What is said of an objection at a Scrabble table, and what is ruled."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.results.games.accounts import Seat
from services.results.games.scrabble.dictionaries import Lemma
from services.results.games.scrabble.objections import Found, Sanction, Timing

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


class OfTurn(Objection):
    """To a turn, as long as there is time for it."""

    timing: Timing | None = Field(
        default=None,
        description="Where it matters: an objection that comes too late is refused, and not considered.",
        examples=[None],
    )


class Reading(Lemma):
    """What the referee has read in the dictionaries; the verdict follows by the kind of word and its labels."""

    lemma: str = Field(min_length=1, max_length=64, description="As the player has given it.", examples=["kolobežka"])


class ToWords(OfTurn):
    """Type a: words are not valid. Each is looked up in the lists that the tournament plays by."""

    kind: Literal["word"]
    laid: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(
        min_length=1, max_length=8, description="The words objected to.", examples=[["ok", "xx"]]
    )
    referee: dict[str, Literal["valid", "invalid"] | Reading] = Field(
        default_factory=dict,
        description="What the referee has found of words that no list decides, or what the dictionaries have of them.",
        examples=[{"kolobežka": "valid", "haluzák": {"lemma": "haluzák", "kssj": {"labels": "slang."}}}],
    )


class TurnWritten(BaseModel):
    model_config = ConfigDict(extra="forbid")

    points: TurnPoints | None = Field(default=None, examples=[24])
    word: str | None = Field(default=None, max_length=64, examples=["slovo"])


class ToUnwritten(Objection):
    """Type b: turns were not written down."""

    kind: Literal["unwritten"]
    turns: list[TurnWritten] = Field(min_length=1, max_length=60)


class ToTiles(OfTurn):
    """Type c: a wrong number of tiles on the rack."""

    kind: Literal["tiles"]
    held: int = Field(ge=0, le=100, examples=[8])
    due: int = Field(ge=0, le=7, examples=[7])


class ToExchange(OfTurn):
    """Type d: tiles were exchanged with too few in the bag."""

    kind: Literal["exchange"]
    in_bag: int = Field(ge=0, le=112, examples=[6])


class ToPoints(OfTurn):
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
    lemma: str | None = Field(description="Under which the referee has looked it up.", examples=[None])


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
    drawn_too_soon: bool = Field(
        description="Whether the mover left no time for it, which is unsporting: type f.", examples=[False]
    )
    words: str | None = Field(description="Null where nothing was written, or it was erased.", examples=[None])


class Rulings(BaseModel):
    rulings: list[Ruling] = Field(description="In the order in which they were made.")
