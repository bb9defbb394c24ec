"""What is said of an objection at a Scrabble table, and what is ruled."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from services.results.games.ending_accounts import Seat
from services.results.games.scrabble.dictionaries import Lemma
from services.results.games.scrabble.game import MOST_TURNS
from services.results.games.scrabble.objections import Found, Sanction, Timing
from shared.http.bodies import RequestBody

POINTS = Field(ge=-10_000, le=10_000)

type TurnPoints = Annotated[int, POINTS]


class Objection(RequestBody):
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
    of_turn: int | None = Field(
        default=None,
        ge=1,
        le=MOST_TURNS,
        description="Which turn of the game, of both sides together. Where it is said, nothing more can be objected "
        "to a turn that is lost.",
        examples=[None],
    )


SOURCE = Field(
    min_length=1,
    max_length=200,
    description="Where the referee has looked it up: a permitted dictionary, a source of 10.1 or a clause.",
    examples=["SSSJ A-G"],
)


class Reading(Lemma):
    """What the referee has read in the dictionaries; the verdict follows by the kind of word and its labels."""

    lemma: str = Field(min_length=1, max_length=64, description="As the player has given it.", examples=["kolobežka"])
    source: Annotated[str, SOURCE] | None = Field(
        default=None, description="Where it is not one of these dictionaries.", examples=[None]
    )

    @property
    def looked_up_in(self) -> str | None:
        found = {"PSP": self.psp, "KSSJ": self.kssj is not None, "SSSJ": self.sssj is not None}
        return self.source or ", ".join(name for name, has_it in found.items() if has_it) or None


class Verified(RequestBody):
    """What the referee has found in the sources."""

    verdict: Literal["valid", "invalid"] = Field(examples=["valid"])
    source: str = SOURCE
    lemma: str | None = Field(
        default=None,
        min_length=1,
        max_length=64,
        description="As the player has given it; where it is left out the word is its own.",
        examples=["kolobežka"],
    )


class ToWords(OfTurn):
    """Type a: words are not valid, one after the other. Each is looked up in the lists that the tournament plays by."""

    kind: Literal["word"]
    laid: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(
        min_length=1,
        max_length=8,
        description="The words objected to, in order. The first that is not valid loses the turn: those behind it are "
        "not considered, and cost nothing.",
        examples=[["kolobežka", "haluzák"]],
    )
    referee: dict[str, Literal["valid", "invalid"] | Reading | Verified] = Field(
        default_factory=dict,
        max_length=8,
        description="What the referee has found of words that no list decides, or what the dictionaries have of them. "
        "From six tiles on he also overrules the program; of two to five only the lists decide.",
        examples=[
            {
                "kolobežka": {"verdict": "valid", "source": "SSSJ H-L", "lemma": "kolobežka"},
                "haluzák": {"lemma": "haluzák", "kssj": {"labels": "slang."}},
            }
        ],
    )


class TurnWritten(RequestBody):
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
    source: str | None = Field(description="In which.", examples=[None])
    overrules: str | None = Field(
        description="The list or program that had answered otherwise.", examples=["El Siño of 2022-10-01"]
    )
    costs: int = Field(description="The objector, in points: an objection to a valid word.", examples=[5])


class Ruling(BaseModel):
    objector: int = Field(examples=[1])
    kind: str = Field(examples=["word"])
    upheld: bool = Field(examples=[True])
    turn: Literal["stands", "lost"] = Field(description="What becomes of the turn.", examples=["lost"])
    points: list[int] = Field(description="What the turns count instead, where that changes.", examples=[[]])
    costs: int = Field(description="The objector, in points.", examples=[0])
    rule: str = Field(examples=["SK.RES-14"])
    words_ruled: list[RuledWord] = Field(description="In the order of the objections.")
    not_considered: list[str] = Field(description="Words objected to behind the one that lost the turn.", examples=[[]])
    of_turn: int | None = Field(description="The turn that it was about, where it was said.", examples=[None])
    sanction: str | None = Field(examples=[None])
    drawn_too_soon: bool = Field(
        description="Whether the mover left no time for it, which is unsporting: type f.", examples=[False]
    )
    words: str | None = Field(description="Null where nothing was written, or it was erased.", examples=[None])


class Rulings(BaseModel):
    rulings: list[Ruling] = Field(description="In the order in which they were made.")
