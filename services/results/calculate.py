"""What happened at one table becomes scores and points: for `roundlog adjudicate`, for its operation, for every report.

One way for all of them: `Said` is what a caller sends, `verdict` what follows from it by a ruleset.
"""

from fractions import Fraction
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from services.results.games.families import family
from services.results.games.happening import Happening, Verdict
from shared.exact import shown
from shared.faults import Fault, Faulty, of_shape
from shared.rulesets import catalogue, faults
from shared.rulesets.parts import Exact
from shared.rulesets.play import Results, Scoring
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import settings

MOST_SEATS = 4
MOST_SCORE = 100_000
SENTENCE = "This cannot be adjudicated: mend what errors name."

type Seat = Annotated[int, Field(ge=0, lt=MOST_SEATS, examples=[0])]


def in_reach(score: Fraction) -> Fraction:
    if abs(score) > MOST_SCORE:
        raise ValueError(f"should be between -{MOST_SCORE} and {MOST_SCORE}")
    return score


type Score = Annotated[Exact, AfterValidator(in_reach)]


class Said(BaseModel):
    """How a game ended, as somebody says it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    end: str = Field(
        default="played",
        max_length=32,
        pattern=r"^[a-z_]+$",
        description="`played`, or another ending of the ruleset, such as `no_show`, `both_absent`, `resigned`, "
        "`referee`; `awarded` is an official's own decision.",
        examples=["played"],
    )
    scores: tuple[Score, ...] | None = Field(
        default=None,
        max_length=MOST_SEATS,
        description="What stood on the board, seat by seat. Not needed where the ending says it all.",
        examples=[[380, 350]],
    )
    points: tuple[Score, ...] | None = Field(
        default=None, max_length=MOST_SEATS, description="Only for `awarded`.", examples=[None]
    )
    by: Seat | tuple[Seat, ...] | None = Field(
        default=None, description="The seat at fault, or a list of seats.", examples=[None]
    )
    confirmed: tuple[bool, bool] | None = Field(
        default=None, description="Of an agreed draw: which seat has confirmed it in writing.", examples=[None]
    )
    agreed_winner: Annotated[int, Field(ge=0, le=1)] | None = Field(
        default=None, description="Of a lost record: the seat that has won, or null.", examples=[None]
    )

    def happening(self) -> Happening:
        return Happening(
            end=self.end,
            scores=self.scores,
            points=self.points,
            by=(self.by,) if isinstance(self.by, int) else self.by,
            confirmed=self.confirmed,
            agreed_winner=self.agreed_winner,
            winner_said="agreed_winner" in self.model_fields_set,
        )


class TableToAdjudicate(BaseModel):
    """What happened at one table of a tournament by some ruleset."""

    model_config = ConfigDict(extra="forbid")

    ruleset: str | dict[str, Any] = Field(
        description="An id of the catalogue, or a whole ruleset.", examples=["scrabble-sk-2022-qt"]
    )
    options: dict[str, Any] = Field(
        default_factory=dict, description="Settings of the ruleset to change, by path.", examples=[{}]
    )
    stage: str | None = Field(default=None, description="A stage of it; the first when absent.", examples=["swiss"])
    game: Said


class Adjudicated(BaseModel):
    """What follows by the ruleset, seat by seat."""

    scores: list[int | float] = Field(examples=[[0, 137]])
    points: list[int | float] = Field(examples=[[0, 1]])


def verdict(ruleset: Ruleset, scoring: Scoring, results: Results, happening: Happening) -> Verdict:
    return family(ruleset.game)(scoring, results, happening)


def adjudicate(content: object) -> Adjudicated:
    """From the bytes of a file, or from any object such as JSON gives; all that is wrong with it is named at once."""
    found = unpacked(content) if isinstance(content, bytes) else content
    try:
        table = TableToAdjudicate.model_validate(found)
    except ValidationError as error:
        raise Faulty(SENTENCE, of_shape(error, found)) from None
    return of_table(table)


def unpacked(content: bytes) -> object:
    try:
        return from_json(content)
    except ValueError as error:
        raise Faulty(SENTENCE, [Fault("", f"is no JSON: {error}")]) from None


def of_table(table: TableToAdjudicate) -> Adjudicated:
    ruleset = read_ruleset(table)
    stage = ruleset.stages[0].id if table.stage is None else table.stage
    if stage not in {known.id for known in ruleset.stages}:
        raise Faulty(SENTENCE, [Fault("/stage", "is no stage of this ruleset")])
    holds = settings(ruleset, stage, size=0)
    try:
        found = verdict(ruleset, holds.scoring, holds.results, table.game.happening())
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below("/game") for fault in faulty.faults]) from None
    return Adjudicated(scores=[shown(score) for score in found.scores], points=[shown(point) for point in found.points])


def read_ruleset(table: TableToAdjudicate) -> Ruleset:
    try:
        ruleset = catalogue.load(table.ruleset) if isinstance(table.ruleset, str) else faults.read(table.ruleset)
    except catalogue.RulesetUnknown as unknown:
        raise Faulty(SENTENCE, [Fault("/ruleset", str(unknown))]) from None
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below("/ruleset") for fault in faulty.faults]) from None
    if not table.options:
        return ruleset
    try:
        return faults.with_options(ruleset, table.options)
    except Faulty as faulty:
        raise Faulty(SENTENCE, [fault.below("/options") for fault in faulty.faults]) from None
