"""The six types of objection, and what each of them brings when it is upheld or not (SK.RES-14).

a  a word is not valid
b  turns were not written down
c  there was a wrong number of tiles on the rack
d  tiles were exchanged with too few in the bag
e  the points were announced wrongly: `announced.py`
f  unsporting behaviour
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from services.results.games.scrabble_table.announced import PENALTY
from services.results.games.verdict import unfit
from shared.values import Value

RULE = "SK.RES-14"
SECONDS = 10
LONGEST = 3600
LEAST_FOR_EXCHANGE = 7

type Turn = Literal["stands", "lost"]
type Sanction = Literal["private-warning", "public-warning", "turn-lost", "game-lost"]


class Effect(Value):
    """Of an objection that was in time."""

    upheld: bool
    explanation: str
    turn: Turn = "stands"
    objector: int = 0  # points
    rule: str = RULE


class Written(Value):
    """A turn as it stands on the score sheet; what is missing is none."""

    points: int | None
    word: str | None


class Unwritten(Value):
    """Of an objection to turns not written down: what each turn of the sheet counts."""

    upheld: bool
    points: tuple[int, ...]
    explanation: str
    objector: int = 0
    rule: str = RULE


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


def to_words(invalid: Sequence[bool]) -> Effect:
    """Type a, each word on its own: one that is not valid loses the turn, and each valid one costs 5 points."""
    if not invalid:
        raise unfit("/words", f"is empty: an objection is to a word ({RULE})")
    wrong = invalid.count(True)
    return Effect(
        upheld=wrong > 0,
        turn="lost" if wrong else "stands",
        objector=PENALTY * (len(invalid) - wrong),
        explanation=f"{wrong} of {len(invalid)} words objected to not valid.",
    )


def to_unwritten(turns: Sequence[Written]) -> Unwritten:
    """Type b: a turn without its points or its main word counts nothing (SK.D34)."""
    for index, turn in enumerate(turns):
        if turn.points is not None and turn.points < 0:
            raise unfit(f"/turns/{index}/points", f"is {turn.points}: a turn is never worth less than nothing ({RULE})")
    missing = [index for index, turn in enumerate(turns) if turn.points is None or not turn.word]
    points = tuple(0 if index in missing else turn.points or 0 for index, turn in enumerate(turns))
    if not missing:
        return Unwritten(upheld=False, points=points, objector=PENALTY, explanation="Every turn is written down.")
    named = ", ".join(str(index + 1) for index in missing)
    return Unwritten(upheld=True, points=points, explanation=f"Not written down and worth nothing: turn {named}.")


def to_tiles(*, held: int, due: int) -> Effect:
    """Type c: the turn was played with more or fewer tiles on the rack than there should have been."""
    return lost_if(
        held != due,
        f"The rack had {held} tiles and should have had {due}.",
        f"The rack had {held} tiles, as it should.",
    )


def to_exchange(*, in_bag: int) -> Effect:
    """Type d: the turn is lost, and nothing is exchanged."""
    return lost_if(
        in_bag < LEAST_FOR_EXCHANGE,
        f"The bag had {in_bag} tiles, fewer than {LEAST_FOR_EXCHANGE}.",
        f"The bag had {in_bag} tiles, which is enough.",
    )


def to_behaviour(sanction: Sanction | None) -> Effect:
    """Type f: as the referee decides; it never costs the objector anything. A lost game is 0:100."""
    match sanction:
        case None:
            return Effect(upheld=False, explanation="The referee saw nothing unsporting.")
        case "private-warning" | "public-warning":
            return Effect(upheld=True, explanation=f"A {sanction.replace('-', ' ')}.")
        case "turn-lost":
            return Effect(upheld=True, turn="lost", explanation="The turn is lost.")
        case "game-lost":
            return Effect(upheld=True, explanation="The game is lost 0:100: report it as decided by the referee.")


def lost_if(upheld: bool, wrong: str, right: str) -> Effect:  # noqa: FBT001 - the condition reads first
    if upheld:
        return Effect(upheld=True, turn="lost", explanation=wrong)
    return Effect(upheld=False, objector=PENALTY, explanation=right)
