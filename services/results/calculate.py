"""What happened at one table becomes scores and points: for `roundlog adjudicate`, for its operation, for every report.

One way for all of them: a caller sends how a game ended, `verdict` says what follows from it by a ruleset.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Self, cast, override

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from services.results.games import adjudication
from services.results.games.adjudication import FAMILIES
from services.results.games.carcassonne import CarcassonneGame
from services.results.games.ending_accounts import Account, IllegalMove, Side
from services.results.games.gomoku.cfp import GomokuGame
from services.results.games.gomoku.pisqworky import GomokuMatchOrDuel
from services.results.games.othello import OthelloGame
from services.results.games.scrabble.game import ScrabbleGame
from services.results.games.verdict import Outcome, UndecidedGame, Winner
from shared.faults import UNREAD, Faulty, InputFault, of_letters, of_shape, unpacked
from shared.numbers import shown
from shared.rulesets import catalogue, faults
from shared.rulesets.schema import Game, Ruleset
from shared.rulesets.settings import settings

SENTENCE = "This cannot be adjudicated: mend what errors name."

type Number = int | float


class OthelloGameToAdjudicate(OthelloGame):
    """A game of Othello."""

    ran_out: ClassVar[str] = "/first"

    first: Side | None = Field(
        default=None, description="Of a time default: the seat whose time ran out first.", examples=[None]
    )

    @property
    @override
    def at_fault(self) -> tuple[int, ...] | None:
        return super().at_fault if self.first is None else (self.first,)

    @property
    @override
    def at_fault_said(self) -> str:
        return super().at_fault_said if self.first is None else "/first"

    @model_validator(mode="after")
    def one_at_fault(self) -> Self:
        if self.first is not None and self.by not in {None, self.first, (self.first,)}:
            raise ValueError("`by` and `first` name different seats: whose time ran out first is at fault")
        return self


FORMS: Mapping[Game, type[Account]] = {
    **{game: family.form for game, family in FAMILIES.items()},
    "gomoku-pisqworky": GomokuMatchOrDuel,
    "othello": OthelloGameToAdjudicate,
}


EXAMPLES: list[JsonValue] = [
    {"ruleset": "scrabble-sk-2022-qt", "game": {"end": "resigned", "by": 0, "scores": [210, 347]}},
    {"ruleset": "pisqworky-2025-zs-ot", "game": {"boards": [[0, 1], ["draw", 0], [None, None]]}},
    {
        "ruleset": "gomoku-cfp",
        "options": {"contest.opening": "pro"},
        "game": {"moves": [[7, 7], [7, 8], [4, 7], {"resign": 1}]},
    },
    {"ruleset": "carcassonne-cz-final", "game": {"scores": [90, 70], "flag": 0}},
    {"ruleset": "othello-pl-2021", "game": {"end": "time", "first": 1, "second": None, "discs": [20, 30]}},
]


class TableToAdjudicate(BaseModel):
    """What happened at one table of a tournament by some ruleset."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": EXAMPLES})

    ruleset: str | dict[str, Any] = Field(
        description="An id of the catalogue, or a whole ruleset.", examples=["scrabble-sk-2022-qt"]
    )
    options: dict[str, Any] = Field(
        default_factory=dict, description="Settings of the ruleset to change, by path.", examples=[{}]
    )
    stage: str | None = Field(default=None, description="A stage of it; the first when absent.", examples=["swiss"])
    game: Annotated[
        ScrabbleGame | GomokuGame | GomokuMatchOrDuel | CarcassonneGame | OthelloGameToAdjudicate,
        UNREAD,  # the ruleset says which of them it is
    ] = Field(description="In the form of the ruleset's game.")


class Adjudicated(BaseModel):
    """What follows by the ruleset, seat by seat. A field that such a game does not have is missing."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"scores": [0, 137], "points": [0, 1]}]})

    scores: list[Number] | None = Field(
        description="Null where nothing counts: the game goes on, or is played anew.", examples=[[0, 137]]
    )
    points: list[Number] | None = Field(description="Null as well.", examples=[[0, 1]])
    success: list[Number] | None = Field(
        default=None, description="The success rates of a table of Carcassonne.", examples=[[0.2, 0.8]]
    )
    winner: Winner | None = Field(
        default=None,
        description="Of gomoku, of a transcript, and where a draw wins: a seat, `draw`, or null while the game goes on.",
        examples=[1],
    )
    reason: str | None = Field(default=None, description="Why the game ended.", examples=["five_claimed"])
    rule: str | None = Field(
        default=None, description="By which the racks of Scrabble were counted.", examples=["SK.RES-12"]
    )
    decided_at: int | None = Field(default=None, description="The index of the move that decided.", examples=[41])
    undecided: str | None = Field(
        default=None,
        description="Only where nothing counts: why, and what is missing.",
        examples=[None],
    )
    to_move: Side | None = Field(
        default=None,
        description="Only where nothing counts: of a game that goes on, the seat that has to act; otherwise null.",
        examples=[None],
    )
    discs: list[Number] | None = Field(
        default=None, description="On the board after a transcript of Othello.", examples=[[40, 20]]
    )


def adjudicate(content: object) -> Adjudicated:
    """From the bytes of a file, or from any object such as JSON gives; all that is wrong with it is named at once."""
    found = unpacked(content, SENTENCE)
    if halves := of_letters(found):
        raise Faulty(SENTENCE, halves)
    wrong: list[InputFault] = []
    table = read(TableToAdjudicate, found, "", wrong)
    members = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    ruleset = ruleset_of(members, wrong)
    told = read(FORMS[ruleset.game], members["game"], "/game", wrong) if ruleset and "game" in members else None
    stage = stage_of(table, ruleset, wrong)
    if ruleset is None or stage is None or told is None or wrong:
        raise Faulty(SENTENCE, dict.fromkeys(wrong))
    try:
        outcome = adjudication.adjudicate(ruleset.game, settings(ruleset, stage, size=0), told)
    except Faulty as faulty:
        sentence = str(faulty) if isinstance(faulty, IllegalMove) else SENTENCE
        raise Faulty(sentence, [fault.below("/game") for fault in faulty.faults]) from None
    return in_public(ruleset.game, outcome)


def adjudicated(content: object) -> bytes:
    return adjudicate(content).model_dump_json(exclude_unset=True).encode()


def read[M: BaseModel](form: type[M], content: object, pointer: str, wrong: list[InputFault]) -> M | None:
    try:
        return form.model_validate(content)
    except ValidationError as error:
        wrong += [fault.below(pointer) for fault in of_shape(error, content)]
        return None


def ruleset_of(members: Mapping[str, object], wrong: list[InputFault]) -> Ruleset | None:
    """With the options of the tournament; nothing where it cannot be found."""
    named, options = members.get("ruleset"), members.get("options")
    if not isinstance(named, str | dict):
        return None
    ruleset = None
    try:
        ruleset = catalogue.load(named) if isinstance(named, str) else faults.read(cast("object", named))
        return faults.with_options(ruleset, cast("dict[str, Any]", options)) if isinstance(options, dict) else ruleset
    except catalogue.RulesetUnknown as unknown:
        wrong.append(InputFault("/ruleset", str(unknown)))
    except Faulty as faulty:
        wrong += [fault.below("/ruleset" if ruleset is None else "/options") for fault in faulty.faults]
    return ruleset


def stage_of(table: TableToAdjudicate | None, ruleset: Ruleset | None, wrong: list[InputFault]) -> str | None:
    """The first one when none is named."""
    if table is None or ruleset is None:
        return None
    known = [stage.id for stage in ruleset.stages]
    if table.stage is not None and table.stage not in known:
        wrong.append(InputFault("/stage", f"is no stage of this ruleset, which has {', '.join(known)}"))
    return table.stage or known[0]


def in_public(game: Game, outcome: Outcome) -> Adjudicated:
    """What such a game does not have stays unset, and is not shown."""
    shown_too = {"discs": numbers(outcome.board)} if game == "othello" and outcome.board is not None else {}
    if isinstance(outcome, UndecidedGame):
        nothing = {
            "scores": None,
            "points": None,
            "winner": None,
            "reason": outcome.reason,
            "decided_at": None,
            "undecided": outcome.detail,
            "to_move": outcome.to_move,
        }
        return Adjudicated.model_validate(nothing | shown_too)
    more = {
        "success": None if outcome.success is None else numbers(outcome.success),
        "winner": outcome.winner,
        "reason": outcome.reason,
        "rule": outcome.rule,
        "decided_at": outcome.decided_at,
    }
    told = {name: value for name, value in more.items() if value is not None}
    return Adjudicated.model_validate(
        {"scores": numbers(outcome.scores), "points": numbers(outcome.points)} | told | shown_too
    )


def numbers(exact: Iterable[Fraction]) -> list[Number]:
    return [shown(number) for number in exact]
