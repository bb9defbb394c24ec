"""The form of a tournament file, `roundlog.tournament/1`."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict
from pydantic.config import JsonDict

from shared.bounds import MOST_ENTRANTS, MOST_LISTS, MOST_OTHERS, MOST_ROUNDS, MOST_STAGES, MOST_TOGETHER, plain
from shared.rulesets.parts import Changes
from shared.rulesets.parts import Exact as AnyNumber

KEY = re.compile("^[0-9a-f]{64}$")


def lots_key(value: str) -> str:
    if not KEY.fullmatch(value):
        raise ValueError("should be the 64 hexadecimal digits of the key of a tournament's lots")
    return value


type Name = Annotated[str, Field(min_length=1, max_length=200, examples=["A"])]
type Whole = Annotated[int, Strict(), Field(ge=-(10**9), le=10**9)]
type SeedNumber = Annotated[int, Strict(), Field(ge=-(2**63), lt=2**63)]
type LotsKey = Annotated[
    str,
    AfterValidator(lots_key),
    Field(
        json_schema_extra={"pattern": KEY.pattern},
        examples=["7e95380110ccc89b83c076a41aa85f4f5f8e11b07a1fdae51afc7fdf994a2662"],
    ),
]
type Count = Annotated[int, Strict(), Field(ge=0, le=10**6)]
type Ordinal = Annotated[int, Strict(), Field(ge=1, le=10**6)]
type Flag = Annotated[bool, Strict()]
Exact = Annotated[AnyNumber, AfterValidator(plain)]

EXAMPLE: JsonDict = {
    "format": "roundlog.tournament/1",
    "ruleset": "scrabble-sk-2022-qt",
    "options": {"pairing.system": "cost-swiss"},
    "entrants": [{"id": "A", "rating": 1712}, {"id": "B", "rating": 1650}, {"id": "C"}],
    "rounds": [
        {"number": 1, "games": [{"table": 1, "seats": ["B", "A"], "first": "B", "scores": [380, 350]}], "byes": ["C"]}
    ],
}


class FilePart(BaseModel):
    """Described by what may be said, also where it is shown: a file that was written is read again."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_mode_override="validation")


class EntrantForm(FilePart):
    id: Name
    name: str | None = Field(default=None, description="Shown in sheets; decides nothing.")
    number: Ordinal | None = Field(default=None, description="The start number, 1 for the best seed; else by rating.")
    rating: Whole | None = Field(default=None, examples=[1712])
    lists: tuple[Name, ...] = Field(
        default=(), max_length=MOST_LISTS, description="In whose tables the entrant also stands."
    )
    school: Name | None = None
    history: Flag = Field(default=False, description="Played semifinals of earlier championships.")
    group: Name | None = Field(default=None, description="Of a draw by hand.")
    carried: Exact | None = Field(default=None, description="Points brought into this stage.")
    from_round: Ordinal = Field(default=1, description="The first round in which the entrant takes part.")
    withdrawn_after: Count | None = Field(
        default=None, description="The last round before leaving for good; 0: before the first."
    )
    left: Literal["withdrew", "expelled"] = Field(default="withdrew", description="Why.")


class BanForm(FilePart):
    """Entrants who must not meet."""

    entrants: tuple[Name, ...] = Field(min_length=2, max_length=MOST_TOGETHER, examples=[["P", "Q"]])
    last_rounds: Ordinal | None = Field(default=None, description="Only in so many last rounds of the stage.")


class GameForm(FilePart):
    seats: tuple[Name, ...] = Field(min_length=2, max_length=4, examples=[["A", "D"]])
    table: Ordinal | None = Field(default=None, description="Otherwise by the order in the round.")
    first: Name | None = Field(default=None, description="Who starts.")
    scores: tuple[Exact, ...] | None = Field(default=None, description="Seat by seat.", examples=[[380, 350]])
    points: tuple[Exact, ...] | None = Field(default=None, description="Only where an official set them.")
    end: Literal["played", "forfeit", "void"] = "played"
    by: Count | tuple[Count, ...] = Field(default=(), description="Of a forfeit: the seats at fault.", examples=[0])
    group: Name | None = None
    match: Name | None = Field(default=None, description="Of a bracket.", examples=["QF1"])
    game: Ordinal | None = Field(default=None, description="Its number inside a match.")
    winner: Name | None = Field(default=None, description="Who went on from a drawn match.")
    decided_by: Literal["duel1", "duel2", "lot"] | None = None
    draw_wins: Name | None = Field(default=None, description="For whom a draw counts as a win.")
    override: str | None = Field(default=None, description="Why it stands although the rules forbid it.")

    @property
    def at_fault(self) -> tuple[int, ...]:
        return self.by if isinstance(self.by, tuple) else (self.by,)


class RequestedByeForm(FilePart):
    entrant: Name
    points: Exact = Field(examples=[0.5])


class RoundForm(FilePart):
    number: Ordinal
    games: tuple[GameForm, ...] = ()
    byes: tuple[Name, ...] = Field(default=(), description="Who sat out by the pairing.")
    requested_byes: tuple[RequestedByeForm, ...] = Field(default=(), description="Rounds taken off in advance.")
    missing: tuple[Name, ...] = Field(default=(), description="Who was not there, without a game or a bye.")
    override: str | None = Field(
        default=None,
        description="Why its byes, its tables of three, somebody who has no place in it, or the stage that it begins stand although "
        "the rules forbid them.",
    )


class StageForm(FilePart):
    id: Name = Field(examples=["swiss"])
    rounds: tuple[RoundForm, ...] = Field(default=(), max_length=MOST_ROUNDS)


class ChoiceForm(FilePart):
    """The prize in cash that somebody takes who could have several."""

    entrant: Name
    among: Name | None = Field(default=None, description="The list; none: the ranking of all.", examples=["women"])


class DecisionForm(FilePart):
    """An answer to what a ranking asked for. Of several of a kind about the same entrants the last one holds."""

    stage: Name | None = Field(default=None, examples=["swiss"])
    kind: Literal["lot", "duel"]
    order: tuple[Name | tuple[Name, ...], ...] = Field(
        min_length=1,
        max_length=MOST_ENTRANTS,
        description="The first is the best; an inner list stays equal.",
        examples=[["C", ["D", "E"]]],
    )


class NextForm(FilePart):
    """Who will not play the round that is to be paired."""

    requested_byes: tuple[RequestedByeForm, ...] = Field(default=(), max_length=MOST_ENTRANTS)
    missing: tuple[Name, ...] = Field(default=(), max_length=MOST_ENTRANTS)


class LotsForm(FilePart):
    """What the lots of a tournament are mixed with, besides the secret."""

    tournament: Name
    source: Name = Field(examples=["dice 20"])
    value: str = Field(min_length=1, max_length=1000, examples=["3 1 6 6 2 5 4 1 1 3 2 6 5 5 4 2 3 1 6 4"])


class AdjustmentForm(FilePart):
    entrant: Name
    round: Ordinal
    points: Exact = Field(examples=[-1])
    reason: str | None = Field(default=None, examples=["Unsporting behaviour"])
    stage: Name | None = None


class TournamentFile(FilePart):
    """A whole tournament in one file, as far as it has been played."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    format: Literal["roundlog.tournament/1"]
    ruleset: str | dict[str, Any] = Field(description="An id of the catalogue, or a whole ruleset.")
    options: Changes = Field(default_factory=dict, description="Settings of the ruleset that this tournament changes.")
    stage: Name | None = Field(default=None, description="Of `rounds`; the first stage when it is absent.")
    rounds: tuple[RoundForm, ...] | None = Field(default=None, max_length=MOST_ROUNDS, description="All complete.")
    stages: tuple[StageForm, ...] | None = Field(
        default=None, max_length=MOST_STAGES, description="Instead: several, as they were played."
    )
    seed: SeedNumber | LotsKey = Field(
        default=0,
        description="Of every lot that is drawn while reading this file: a number, or the hexadecimal key of a "
        "tournament's lots, from which follows what the service has drawn.",
        examples=[20211],
    )
    lots: LotsForm | None = Field(
        default=None,
        description="What `seed` was mixed with; without it that is the number, or the secret, from which alone lots follow.",
    )
    advance: Ordinal | None = Field(default=None, description="The announced number of those who go on.")
    direct: tuple[Name, ...] = Field(default=(), max_length=MOST_OTHERS, description="Who was qualified beforehand.")
    entrants: tuple[EntrantForm, ...] = Field(min_length=1, max_length=MOST_ENTRANTS)
    forbidden: tuple[BanForm, ...] = Field(default=(), max_length=MOST_OTHERS)
    decisions: tuple[DecisionForm, ...] = Field(default=(), max_length=MOST_OTHERS)
    adjustments: tuple[AdjustmentForm, ...] = Field(
        default=(), max_length=MOST_OTHERS, description="Penalties on points."
    )
    choices: tuple[ChoiceForm, ...] = Field(default=(), max_length=MOST_OTHERS, description="Of prizes in cash.")
    next: NextForm = Field(default_factory=NextForm)
