"""The two games: that of the Czech federation, and that of pIšQworky. They never share the line rule (CFP.D8)."""

from collections.abc import Mapping

from shared.values import Value

CENTRE = (0, 0)
NEXT_TO_IT = (1, 1)
OUTSIDE_FIVE_BY_FIVE = (3, 7)


class OpeningRules(Value):
    """Seat 0 opens with three stones; without a swap it simply plays black, and the two alternate from the start."""

    rule: str
    swap: bool = True  # seat 1 chooses a colour after three stones
    adding: bool = False  # or lays one stone of each colour, and seat 0 chooses
    free: bool = False  # of the first three two are of one colour and one of the other, in any order
    distances: tuple[tuple[int, int], ...] = ()  # of the first stones from the centre: at least, at most


class RuleNumbers(Value):
    """Which requirement asks for what."""

    board: str
    turn: str
    five: str
    draw: str
    claimant: str
    end: str


class Profile(Value):
    name: str
    colours: tuple[str, str]  # where the opening leaves it to alternation, the first one begins
    longer: bool  # whether a line of more than five wins as well
    openings: Mapping[str, OpeningRules]
    rules: RuleNumbers


CFP = Profile(
    name="gomoku-cfp",
    colours=("black", "white"),
    longer=False,
    openings={
        "swap": OpeningRules(rule="CFP.RES-9"),
        "swap2": OpeningRules(rule="CFP.RES-7", adding=True),
        "pro": OpeningRules(rule="CFP.RES-9", swap=False, distances=(CENTRE, NEXT_TO_IT, OUTSIDE_FIVE_BY_FIVE)),
    },
    rules=RuleNumbers(
        board="CFP.RES-1",
        turn="CFP.RES-8",
        five="CFP.RES-3",
        draw="CFP.RES-6",
        claimant="CFP.RES-13",
        end="CFP.RES-16",
    ),
)

PISQWORKY = Profile(
    name="gomoku-pisqworky",
    colours=("cross", "nought"),
    longer=True,
    openings={
        "swap1": OpeningRules(rule="PQ.RES-13", free=True),
        "swap2": OpeningRules(rule="PQ.RES-13", free=True, adding=True),
    },
    rules=RuleNumbers(
        board="PQ.RES-13",
        turn="PQ.RES-13",
        five="PQ.RES-9",
        draw="PQ.D28",
        claimant="PQ.RES-10",
        end="PQ.RES-9",
    ),
)
