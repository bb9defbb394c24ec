"""How a game ended, as somebody tells it: what all games have in common. Each family adds what it has of its own.

A game may be told as the list of its moves. What is wrong with one is told with the index of the move and the rule that
it breaks.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from shared.faults import Faulty, InputFault, at
from shared.rulesets.parts import Exact

MOST_SEATS = 4
MOST_SCORES = 16  # how many there may be is for the rules to say
MOST_SCORE = 100_000
MOST_MOVES = 2000
MOST_MINUTES = 24 * 60


def no_boolean(content: object) -> object:
    """Python takes true for 1."""
    if isinstance(content, bool):
        raise ValueError("should be a seat, not true or false")  # noqa: TRY004 - of this pydantic makes a fault
    return content


type Side = Annotated[Literal[0, 1], BeforeValidator(no_boolean)]
type Won = Annotated[Literal[0, 1, "draw"], BeforeValidator(no_boolean)]
type Seat = Annotated[int, Field(strict=True, ge=0, lt=MOST_SEATS, examples=[0])]


def in_reach(score: Fraction) -> Fraction:
    if abs(score.numerator) > MOST_SCORE * score.denominator:
        raise ValueError(f"should be between -{MOST_SCORE} and {MOST_SCORE}")
    return score


type Score = Annotated[Exact, AfterValidator(in_reach)]
type Scores = tuple[Fraction, ...]


class Account(BaseModel):
    """How a game ended, as somebody tells it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    end: str = Field(
        default="played",
        max_length=32,
        pattern=r"^[a-z_]+$",
        description="`played`, or another ending of the ruleset, such as `no_show`; `awarded` is an official's own "
        "decision, with scores and points that such a game can have.",
        examples=["played"],
    )
    scores: tuple[Score, ...] | None = Field(
        default=None,
        max_length=MOST_SCORES,
        description="What stood on the board, seat by seat. Not needed where the ending says it all.",
        examples=[[380, 350]],
    )
    points: tuple[Score, ...] | None = Field(
        default=None, max_length=MOST_SCORES, description="Only for `awarded`.", examples=[None]
    )
    by: Seat | tuple[Seat, ...] | None = Field(
        default=None, description="The seat at fault, or a list of seats.", examples=[None]
    )
    after: int | None = Field(
        default=None,
        strict=True,
        ge=0,
        le=MOST_MINUTES,
        description="How many minutes after the start of the round it ended like this, where the rules have a time "
        "for that.",
        examples=[None],
    )

    @property
    def at_fault(self) -> tuple[int, ...] | None:
        """None: nothing is said of it, which is not the same as nobody."""
        return (self.by,) if isinstance(self.by, int) else self.by

    @property
    def at_fault_said(self) -> str:
        """Where."""
        return "/by"


class AccountByMoves(Account):
    """A game that may be told by its moves instead."""

    moves: tuple[Any, ...] | None = Field(
        default=None,
        max_length=MOST_MOVES,
        description="The transcript; then nothing else is said of how it ended, but whose time ran out in Othello, where it "
        "goes on into the extra time. Seat 0 opens, or is black. Of gomoku: "
        '`[row, column]` from 0 to 14, where it is open with the colour (`[7, 7, "cross"]`), `{"take": "black"}`, '
        '`{"offer": "draw"}`, `{"accept": "draw"}`, `{"decline": "draw"}`, `{"claim": "five", "by": 0}` or `"time"`, '
        '`{"resign": 0}`. Of Othello: squares such as `"f5"`, or `"pass"`.',
        examples=[None],
    )


MOST_SECONDS = 24 * 3600

type Seconds = Annotated[int, Field(strict=True, ge=0, le=MOST_SECONDS)]
MOVES = "moves"
NO_TRANSCRIPT = "This is no transcript: mend what errors name."


class IllegalMove(Faulty):
    """A transcript breaks the rules. What comes after such a move is not looked at.

    The detail goes on after 'it', the move.
    """

    def __init__(self, index: int, detail: str, rule: str) -> None:
        fault = InputFault(at(MOVES, index), f"{detail} ({rule})")
        super().__init__(f"Move {index} of the transcript cannot have been played: it {detail} ({rule}).", [fault])
        self.index = index
        self.rule = rule


def unreadable(faults: Iterable[tuple[int, str]]) -> Faulty:
    """Moves that have not even the form of one, all at once."""
    return Faulty(NO_TRANSCRIPT, [InputFault(at(MOVES, index), detail) for index, detail in faults])
