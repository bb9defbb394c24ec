"""Points announced wrongly, and when that was found (SK.RES-13)."""

from typing import Literal

from services.results.games.verdict import unfit
from shared.values import Value

type Found = Literal["objected", "before-signing", "never"]

PENALTY = -5  # of an unjustified objection of the types a to e
RULE = "SK.RES-13"


class Counted(Value):
    """What a turn counts, and what the objection to it costs."""

    points: int
    explanation: str
    objector: int = 0
    rule: str = RULE


def counted(*, correct: int, announced: int, found: Found) -> Counted:
    for pointer, points in (("/correct", correct), ("/announced", announced)):
        if points < 0:
            raise unfit(pointer, f"is {points}: a turn is never worth less than nothing ({RULE})")
    too_high = announced - correct
    match found:
        case "objected" if too_high > 0:
            points = max(0, correct - too_high)
            return Counted(points=points, explanation=f"Announced {too_high} too high: so much is taken off.")
        case "objected" if too_high == 0:
            return Counted(points=correct, objector=PENALTY, explanation="The points were right.")
        case "before-signing" if too_high > 0:
            return Counted(points=correct, explanation="Found after the game: put right, without a penalty.")
        case "objected" | "before-signing" | "never":
            return Counted(points=announced, explanation="What was announced stays.")
