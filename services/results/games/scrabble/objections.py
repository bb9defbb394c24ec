"""The six types of objection, and what each of them brings when it is upheld or not (SK.RES-14).

a  a word is not valid
b  turns were not written down
c  there was a wrong number of tiles on the rack
d  tiles were exchanged with too few in the bag
e  the points were announced wrongly, which may be found later too (SK.RES-13)
f  unsporting behaviour
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from services.results.games.verdict import unfit
from shared.values import Value

type Found = Literal["objected", "before-signing", "never"]

PENALTY = -5  # of an unjustified objection of the types a to e
ANNOUNCED_RULE = "SK.RES-13"


class CountedTurn(Value):
    """What a turn counts, and what the objection to it costs."""

    points: int
    objector: int = 0
    rule: str = ANNOUNCED_RULE


def counted(*, correct: int, announced: int, found: Found) -> CountedTurn:
    for pointer, points in (("/correct", correct), ("/announced", announced)):
        if points < 0:
            raise unfit(pointer, f"is {points}: a turn is never worth less than nothing ({ANNOUNCED_RULE})")
    too_high = announced - correct
    match found:
        case "objected" if too_high > 0:
            return CountedTurn(points=max(0, correct - too_high))  # as much as was too high is taken off
        case "objected" if too_high == 0:
            return CountedTurn(points=correct, objector=PENALTY)
        case "before-signing" if too_high > 0:
            return CountedTurn(points=correct)
        case "objected" | "before-signing" | "never":
            return CountedTurn(points=announced)


RULE = "SK.RES-14"
SECONDS = 10
LONGEST = 3600
LEAST_FOR_EXCHANGE = 7

type TurnFate = Literal["stands", "lost"]
type Sanction = Literal["private-warning", "public-warning", "turn-lost", "game-lost"]


class ObjectionEffect(Value):
    """Of an objection that was in time."""

    upheld: bool
    turn: TurnFate = "stands"
    points: tuple[int, ...] = ()  # of each turn that was looked at, where that changes
    objector: int = 0  # points
    rule: str = RULE


class WrittenTurn(Value):
    """A turn as it stands on the score sheet; what is missing is none."""

    points: int | None
    word: str | None


class Timing(BaseModel):
    """When there was an objection, after the clock was pressed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seconds: float = Field(ge=0, le=LONGEST, description="Until the objection.", examples=[8])
    drawn_after: float | None = Field(
        default=None, ge=0, le=LONGEST, description="Seconds until the first new tile was on the rack.", examples=[12]
    )
    bag_empty: bool = Field(default=False, examples=[False])
    moment: bool = Field(default=False, description="Whether a moment was asked for in time.", examples=[False])
    approved: bool = Field(default=False, description="Whether the turn had been approved.", examples=[False])

    @property
    def in_time(self) -> bool:
        if self.approved or self.moment:
            return not self.approved
        if self.bag_empty:
            return self.seconds <= SECONDS
        return self.drawn_after is None or self.seconds < max(self.drawn_after, SECONDS)  # SK.D35

    @property
    def drawn_too_soon(self) -> bool:
        """Whether the mover did not leave the time for an objection, which is unsporting (type f)."""
        return self.drawn_after is not None and not self.approved and (self.moment or self.drawn_after < SECONDS)


def to_words(invalid: Sequence[bool]) -> ObjectionEffect:
    """Type a, one word after the other: each valid one costs 5 points, and the first that is not valid loses the turn.

    With the turn the words behind it are gone, so nothing is objected to them any more.
    """
    if not invalid:
        raise unfit("/words", f"is empty: an objection is to a word ({RULE})")
    upheld = True in invalid
    unjustified = invalid.index(True) if upheld else len(invalid)
    return ObjectionEffect(upheld=upheld, turn="lost" if upheld else "stands", objector=PENALTY * unjustified)


def to_unwritten(turns: Sequence[WrittenTurn]) -> ObjectionEffect:
    """Type b: a turn without its points or its main word counts nothing (SK.D34)."""
    for index, turn in enumerate(turns):
        if turn.points is not None and turn.points < 0:
            raise unfit(f"/turns/{index}/points", f"is {turn.points}: a turn is never worth less than nothing ({RULE})")
    points = tuple(turn.points if turn.points is not None and turn.word else 0 for turn in turns)
    upheld = any(turn.points is None or not turn.word for turn in turns)
    return ObjectionEffect(upheld=upheld, points=points, objector=0 if upheld else PENALTY)


def to_tiles(*, held: int, due: int) -> ObjectionEffect:
    """Type c: the turn was played with more or fewer tiles on the rack than there should have been."""
    return lost_if(held != due)


def to_exchange(*, in_bag: int) -> ObjectionEffect:
    """Type d: the turn is lost, and nothing is exchanged."""
    return lost_if(in_bag < LEAST_FOR_EXCHANGE)


def lost_if(upheld: bool) -> ObjectionEffect:  # noqa: FBT001 - a condition
    return ObjectionEffect(upheld=True, turn="lost") if upheld else ObjectionEffect(upheld=False, objector=PENALTY)


def to_behaviour(sanction: Sanction | None) -> ObjectionEffect:
    """Type f: as the referee decides; it never costs the objector anything. A lost game is 0:100, reported by itself."""
    return ObjectionEffect(upheld=sanction is not None, turn="lost" if sanction == "turn-lost" else "stands")
