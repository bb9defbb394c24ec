"""What the calculator answers: a table, and whatever was asked for besides."""

from typing import Literal

from pydantic import BaseModel, Field

from shared.rulesets.stages import AwardKind
from shared.tournament.awards import CashChoice
from shared.tournament.ledger import Kind

type Number = int | float


class AddendShown(BaseModel):
    """One part of a value."""

    value: Number = Field(examples=[1.5])
    what: str = Field(
        description="Where it comes from: game, bye, requested-bye, missing, away, void, carried, penalty.",
        examples=["game"],
    )
    round: int | None = Field(default=None, examples=[1])
    opponent: str | None = Field(default=None, examples=["B"])
    counted: bool = Field(default=True, description="Whether it counts, or is cut.")
    why: str | None = Field(default=None, examples=["the lowest is left out"])


class Explained(BaseModel):
    """Of what a value is made."""

    addends: list[AddendShown] = Field(description="Their sum is the value, as far as they count.")
    sentence: str = Field(
        examples=["points 3: 1 (round 1, against D) + 1 (round 2, against B) + 1 (round 3, the bye)."]
    )


class Cell(BaseModel):
    """One round of one entrant."""

    round: int = Field(examples=[1])
    kind: Kind = Field(description="A game, or why there was none.", examples=["game"])
    opponents: list[str] = Field(description="Everybody else at the table.", examples=[["D"]])
    places: list[int] = Field(description="Their places in this table.", examples=[[4]])
    first: bool | None = Field(
        default=None, description="Whether the entrant began; null where that is not known.", examples=[True]
    )
    points: Number = Field(examples=[1])
    made: Number = Field(description="The own score.", examples=[421])
    received: Number = Field(description="The score of the others.", examples=[377])
    corrected: bool = Field(default=False, description="Whether another result stood before.")


class Standing(BaseModel):
    """One row of a table."""

    place: int = Field(examples=[1])
    shared: bool = Field(description="Whether others have the same place.")
    entrant: str = Field(examples=["A"])
    group: str | None = Field(
        default=None, description="Whose places these are, where there are groups.", examples=["A"]
    )
    left: Literal["withdrew", "expelled"] | None = Field(
        default=None, description="Why it takes part no more; it keeps its place.", examples=["expelled"]
    )
    values: dict[str, Number] = Field(
        description="Criterion by criterion, in the order of the ruleset, as far as there is something to show.",
        examples=[{"points": 3, "wins": 2, "median_buchholz": 4, "buchholz": 7.5, "score_difference": 40}],
    )
    beside: dict[str, Number] | None = Field(
        default=None, description="What the rules want to be shown, and what decides nothing.", examples=[None]
    )
    rounds: list[Cell] | None = Field(
        default=None, description="Whom it met, round by round, where the crosstable was asked for."
    )
    explained: dict[str, Explained] | None = Field(
        default=None,
        description="Of each criterion, where that was asked for.",
        examples=[
            {
                "points": {
                    "addends": [{"value": 1, "what": "game", "round": 1, "opponent": "D"}],
                    "sentence": "points 1: 1 (round 1, against D).",
                }
            }
        ],
    )
    above_next: str | None = Field(
        default=None,
        description="Why it stands above the next row, where explanations were asked for.",
        examples=["A is above B by wins: 2 and 1."],
    )


class Awaited(BaseModel):
    """A tie that only the world can break."""

    entrants: list[str] = Field(examples=[["C", "D"]])
    needs: str = Field(description="`lot` or `duel`: answer with an entry in `decisions`.", examples=["lot"])


class TitleWon(BaseModel):
    entrant: str = Field(examples=["E"])
    among: str | None = Field(
        default=None, description="The list whose title it is; without one that of the event.", examples=["women"]
    )
    by_stage: str | None = Field(
        default=None,
        description="The stage that was played for it; without one by the table.",
        examples=["final-women"],
    )


class Prize(BaseModel):
    entrant: str = Field(examples=["A"])
    what: AwardKind
    title: str | None = Field(default=None, description="Of a title.", examples=["Mistrz Polski w Othello"])
    among: str | None = Field(default=None, description="The list whose place brings it.", examples=["women"])
    place: int = Field(description="Equal places are told apart for it.", examples=[1])
    amount: Number | None = Field(default=None, examples=[1000])
    currency: str | None = Field(default=None, examples=["PLN"])
    to_choose: bool = Field(description="One of several prizes in cash that do not add up: they choose one.")
    choice: CashChoice | None = Field(
        default=None,
        description="Of such a prize: whether it waits for the choice, is taken, or given up.",
    )
    clause: str | None = Field(default=None, description="Of docs/rules.", examples=["OT.STA-6"])


class Advancing(BaseModel):
    """Who goes on to another tournament, as far as `unresolved` does not leave it open."""

    entrants: list[str] = Field(examples=[["A", "B"]])
    reserves: list[str] = Field(
        description="Who moves up when somebody does not come, in this order.", examples=[["C"]]
    )


class Ranking(BaseModel):
    standings: list[Standing] = Field(description="Best first.")
    unresolved: list[Awaited]
    titles: list[TitleWon] | None = Field(
        default=None, description="With the ranking of the whole event, where the rules have lists."
    )
    awards: list[Prize] | None = Field(
        default=None, description="With the ranking of the whole event, where the rules have some."
    )
    qualified: Advancing | None = Field(
        default=None, description="With the ranking of the whole event, where some go on to another tournament."
    )
