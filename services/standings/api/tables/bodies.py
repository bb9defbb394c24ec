"""Tables as they are answered: of a stage, why they are so, who met whom, what corrections changed, and the final ones."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from services.standings.api.bodies import ENTRANT, OTHER, TOURNAMENT, TableColumn, Unresolved
from services.standings.api.parameters import ID
from services.standings.calculate.bodies import AddendShown, Cell, Number
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.moments import INPUTS
from shared.rulesets.stages import AwardKind
from shared.tournament.awards import CashChoice

# The table of a stage


class Somebody(BaseModel):
    entrant: str = Field(examples=[ENTRANT])
    name: str | None = Field(description="Null where none is known, or was erased.", examples=["Zuzana Kováčová"])


type ShownHome = Annotated[
    str | None,
    Field(description="The name of their school or club, as far as that is shown.", examples=["Gymnázium Poštová 9"]),
]


class Row(BaseModel):
    place: int = Field(examples=[1])
    shared: bool = Field(description="Whether others have the same place.", examples=[False])
    entrant: str = Field(examples=[ENTRANT])
    name: str | None = Field(description="Null where none is known, or was erased.", examples=["Zuzana Kováčová"])
    home: ShownHome
    group: str | None = Field(description="Whose places these are, where there are groups.", examples=[None])
    values: dict[str, Number] = Field(
        description="Criterion by criterion: halves are exact, others rounded to six digits. The order rests on exact "
        "values.",
        examples=[{"points": 5.5, "wins": 5, "median_buchholz": 21.5, "buchholz": 30, "score_difference": 165}],
    )
    separated_by: str | None = Field(
        description="The criterion that puts it above the next row; null where nothing does.", examples=["wins"]
    )
    beside: dict[str, Number] = Field(
        description="What the rules want to be shown, and what decides nothing.", examples=[{}]
    )


class Table(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    stage: str = Field(examples=["swiss"])
    round: int = Field(description="The last one in it; 0 before the first.", examples=[3])
    complete: bool = Field(description="Whether every game of that round has its result.", examples=[True])
    inputs: str = Field(
        description="What it rests on: how far each service is known. Send it as `inputs` to get this table again.",
        examples=[INPUTS],
    )
    among: str | None = Field(description="The list whose table it is; null for that of all.", examples=["women"])
    criteria: list[str] = Field(description="In the order in which they decide.", examples=[["points", "wins", "lot"]])
    columns: list[TableColumn] = Field(description="How the criteria are headed, and then what is shown beside.")
    corrected: int = Field(
        description="Of so many games in it another result stood before; `…/changes` says what that has moved.",
        examples=[0],
    )
    standings: list[Row] = Field(description="Best first.")
    unresolved: list[Unresolved] = Field(
        description="Ties that only the world can break; they matter when the stage has been played. Those on which "
        "by the rules nothing rests share their places."
    )


class TableMoment(BaseModel):
    at: datetime = Field(
        description="Send it as `at` to get the table as it was then.", examples=["2026-11-21T11:42:17.120000Z"]
    )
    round: int = Field(description="Of the game whose result it was.", examples=[3])


class TableMoments(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    stage: str = Field(examples=["swiss"])
    inputs: str = Field(description="What this rests on.", examples=[INPUTS])
    moments: list[TableMoment] = Field(description="The earliest first; of those within one second only the last.")


class Criterion(BaseModel):
    criterion: str = Field(examples=["points"])
    value: Number | None = Field(description="Null where nothing had to be decided by it.", examples=[5.5])
    addends: list[AddendShown] = Field(description="Their sum is the value, as far as they count.")
    sentence: str = Field(examples=["points 2: 1 (round 1, against Ján Novák) + 1 (round 2, the bye)."])


class Neighbour(BaseModel):
    entrant: str = Field(examples=[OTHER])
    name: str | None = Field(examples=["Ján Novák"])
    separated_by: str | None = Field(description="The first criterion in which they differ.", examples=["wins"])
    sentence: str = Field(examples=["Zuzana Kováčová is above Ján Novák by wins: 5 and 4."])


class Explanation(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[3])
    inputs: str = Field(examples=[INPUTS])
    entrant: str = Field(examples=[ENTRANT])
    name: str | None = Field(examples=["Zuzana Kováčová"])
    place: int = Field(examples=[1])
    shared: bool = Field(examples=[False])
    criteria: list[Criterion] = Field(description="Each value, and what it is made of.")
    above: Neighbour | None = Field(description="The next better one, and why; null for the first.")
    below: Neighbour | None = Field(description="The next one, and why; null for the last.")


# Who met whom


class NamedCell(Cell):
    """One round of one entrant, with what the others are called."""

    names: list[str | None] = Field(description="Of the opponents, in the same order.", examples=[["Ján Novák"]])


class CrosstableRow(BaseModel):
    place: int = Field(examples=[1])
    shared: bool = Field(examples=[False])
    entrant: str = Field(examples=[ENTRANT])
    name: str | None = Field(examples=["Zuzana Kováčová"])
    group: str | None = Field(examples=[None])
    points: Number = Field(description="All of them, with those brought along and with penalties.", examples=[5.5])
    values: dict[str, Number] = Field(
        description="Criterion by criterion, as in the table of the stage.", examples=[{"points": 5.5, "wins": 5}]
    )
    rounds: list[NamedCell] = Field(description="Without those that still wait for a result.")


class Crosstable(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    stage: str = Field(examples=["swiss"])
    round: int = Field(description="The last one in it; 0 before the first.", examples=[3])
    among: str | None = Field(description="The list whose table it is; null for that of all.", examples=[None])
    inputs: str = Field(examples=[INPUTS])
    columns: list[TableColumn] = Field(description="How the criteria are headed.")
    files: list[Literal["trf16", "trf26", "tsh"]] = Field(
        description="In which other programs' files it can be asked for.", examples=[["trf16", "trf26", "tsh"]]
    )
    rows: list[CrosstableRow] = Field(description="Best first.")


# What corrections changed


class ChangeOfValue(BaseModel):
    criterion: str = Field(examples=["points"])
    before: Number | None = Field(examples=[4])
    after: Number | None = Field(examples=[5])


class ChangeOfRow(BaseModel):
    entrant: str = Field(examples=[ENTRANT])
    name: str | None = Field(examples=["Zuzana Kováčová"])
    before: int | None = Field(description="The place; null where they were not in the table.", examples=[3])
    after: int | None = Field(description="The place now; null where they are not in the table.", examples=[1])
    values: list[ChangeOfValue] = Field(description="Those that are others than before.")
    sentence: str = Field(examples=["Zuzana Kováčová: place 3 → 1, points 4 → 5."])


class CauseTold(BaseModel):
    event: str = Field(description="As the log of its service names it.", examples=["ResultCorrected"])
    entrants: list[str] = Field(description="Whom it is about, where it says so.", examples=[[ENTRANT]])
    game: str | None = Field(examples=["019aa4c8-11aa-7d02-8c51-2f6e7a9b0c13"])
    round: int | None = Field(examples=[1])
    sentence: str = Field(examples=["In round 1 a result was corrected: Zuzana Kováčová, Ján Novák."])


class TableChange(BaseModel):
    number: int = Field(description="1, 2, 3 … in the order in which they happened.", examples=[1])
    stage: str = Field(examples=["swiss"])
    round: int = Field(description="The last round that was complete: the tables after it are compared.", examples=[7])
    was_closed: bool = Field(description="Whether the stage was closed: then it has to be closed once more.")
    before: str = Field(description="The inputs of the table before; it can still be asked for.", examples=[INPUTS])
    after: str = Field(description="Those of the table with the correction.", examples=[INPUTS])
    causes: list[CauseTold]
    moved: list[ChangeOfRow] = Field(description="Whose place or values are others, in the order of the new table.")


class TableChanges(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    items: list[TableChange] = Field(description="Oldest first.")
    next: str | None = Field(description="Send it as `after` for the next page; null on the last.", examples=["100"])


# What another result would change


IN_BOUNDS = Field(ge=-1_000_000, le=1_000_000)
type SupposedNumber = Annotated[int, IN_BOUNDS] | Annotated[float, IN_BOUNDS]


class ResultSupposed(RequestBody):
    """As `after` of a dry run of results answers it."""

    scores: list[SupposedNumber] = Field(min_length=2, max_length=4, description="Seat by seat.", examples=[[380, 350]])
    points: list[SupposedNumber] | None = Field(
        default=None,
        min_length=2,
        max_length=4,
        description="Seat by seat; by the rules from the scores where they are left out.",
        examples=[[1, 0]],
    )
    end: str = Field(default="played", max_length=64, description="How the game ended.", examples=["played"])
    by: list[int] = Field(default=[], max_length=4, description="The seats at fault, from 0.", examples=[[]])
    winner: int | Literal["draw"] | None = Field(
        default=None, description="The seat, from 0: of a drawn match that went on, who goes on.", examples=[0]
    )
    decided_by: str | None = Field(default=None, max_length=64, examples=[None])
    draw_wins: int | None = Field(
        default=None, description="The seat for which a draw counts as a win.", examples=[None]
    )
    first: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("entrant"),
        description="Who really started.",
        examples=[None],
    )
    end_reason: str | None = Field(default=None, max_length=64, description="Moves no table.", examples=[None])
    deciding: list[int | Literal["draw"]] = Field(
        default=[], max_length=10, description="Moves no table by itself: `winner` says who goes on.", examples=[[]]
    )
    unmoved: list[int] | None = Field(default=None, max_length=4, description="Moves no table.", examples=[None])


class WhatIf(RequestBody):
    """A game, by its id or by round and table, and the result that it might have."""

    game: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("game"),
        examples=["019aa4c8-11aa-7d02-8c51-2f6e7a9b0c13"],
    )
    round: int | None = Field(default=None, ge=1, le=1000, examples=[None])
    table: int | None = Field(default=None, ge=1, le=10_000, examples=[None])
    result: ResultSupposed | None = Field(description="Null: as if the game had none.")

    @model_validator(mode="after")
    def is_one(self) -> Self:
        if (self.game is None) != (self.round is not None and self.table is not None):
            raise ValueError("should name the game, or its round and table")
        return self


class TableSupposed(BaseModel):
    stage: str = Field(examples=["swiss"])
    title: str = Field(examples=["Swiss"])
    round: int = Field(description="The last one that is published.", examples=[7])
    was_closed: bool = Field(description="Whether the stage is closed: then it would have to be closed once more.")
    moved: list[ChangeOfRow] = Field(description="Whose place or values would be others, in the order of that table.")


class GoingOnSupposed(BaseModel):
    to: str | None = Field(description="A stage; null for another tournament.", examples=["semifinals"])
    title: str | None = Field(examples=["Semifinals"])
    gains: list[Somebody] = Field(description="Who would go on then.")
    loses: list[Somebody] = Field(description="Who would not any more.")


class RoundStands(BaseModel):
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[4])
    sentence: str = Field(
        examples=["Round 4 of Swiss is published and stays as it is: nobody is paired anew."],
    )


class Supposed(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    stage: str = Field(examples=["swiss"])
    game: str = Field(examples=["019aa4c8-11aa-7d02-8c51-2f6e7a9b0c13"])
    inputs: str = Field(description="What it rests on besides.", examples=[INPUTS])
    tables: list[TableSupposed] = Field(description="Those that would be others; none where nobody would move.")
    going_on: list[GoingOnSupposed] = Field(description="Where others would go on, as far as that has not begun.")
    rounds: list[RoundStands] = Field(description="Rounds that were paired by what stands now.")


# The whole event


class FinalRow(Somebody):
    home: ShownHome
    place: int = Field(examples=[1])
    shared: bool = Field(description="Whether others have the same place.", examples=[False])
    stage: str = Field(description="In whose table they stand.", examples=["final"])
    group: str | None = Field(description="The group that they played in, where there were groups.", examples=[None])
    left: Literal["withdrew", "expelled"] | None = Field(
        description="Why they take part no more; they keep their place.", examples=[None]
    )
    values: dict[str, Number] = Field(description="Of the criteria of that stage.", examples=[{"points": 7}])
    separated_by: str | None = Field(
        description="What puts them above the next row: a criterion, or `bracket`, the matches.", examples=["bracket"]
    )
    beside: dict[str, Number] = Field(
        description="What the rules want to be shown, and what decides nothing.", examples=[{}]
    )
    above_next: str | None = Field(
        description="Why they stand above the next row, in a sentence; null for the last.",
        examples=["Zuzana Kováčová is above Ján Novák by the matches: 1 and 2."],
    )


class TitleHeld(Somebody):
    among: str | None = Field(description="The list whose title it is; null: of the event.", examples=["women"])
    by_stage: str | None = Field(
        description="The stage that was played for it; null: by the table.", examples=["final-women"]
    )


class AwardWon(Somebody):
    what: AwardKind = Field(examples=["cash"])
    title: str | None = Field(description="As it is called, of a title.", examples=[None])
    among: str | None = Field(description="The list whose place brings it; null: of all.", examples=[None])
    place: int = Field(description="Equal places are told apart for it.", examples=[1])
    amount: Number | None = Field(description="Of cash.", examples=[1000])
    currency: str | None = Field(examples=["PLN"])
    to_choose: bool = Field(
        description="One of several prizes in cash that do not add up: they choose one.", examples=[False]
    )
    choice: CashChoice | None = Field(
        description="Of such a prize: whether it waits for the choice, is taken, or given up, so that nobody gets it.",
        examples=[None],
    )
    clause: str | None = Field(description="Of docs/rules.", examples=["OT.STA-6"])


class FinalRanking(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    among: str | None = Field(description="The list whose ranking it is; null: of all.", examples=[None])
    completed: bool = Field(
        description="Until then places, titles and awards are those of the moment.",
        examples=[True],
    )
    inputs: str = Field(description="What it rests on.", examples=[INPUTS])
    criteria: list[str] = Field(description="Of the stages that it is put together from.", examples=[["points"]])
    columns: list[TableColumn] = Field(description="How these are headed, and then what is shown beside.")
    standings: list[FinalRow] = Field(description="Best first.")
    unresolved: list[Unresolved] = Field(description="What a lot or a duel still has to decide.")
    titles: list[TitleHeld] = Field(description="Of the event and its lists, as far as somebody is first alone.")
    awards: list[AwardWon] = Field(description="What the places bring, of all lists.")


class GoingOn(Somebody):
    why: str | None = Field(
        description="On what ground.", examples=["has place 2 in the Preliminary rounds", "won the play-off 4-5"]
    )


class StageToCome(BaseModel):
    stage: str = Field(examples=["semifinals"])
    title: str = Field(examples=["Semifinals"])
    status: Literal["opened", "possible", "waiting", "not-held"] = Field(
        description="`opened`: it has begun with these entrants. `possible`: pairing can open it. `waiting`: something "
        "has to happen before. `not-held`: it does not take place.",
        examples=["waiting"],
    )
    entrants: list[GoingOn] = Field(description="Who is in it, best first; as it looks now, where it has not begun.")
    reserves: list[Somebody] = Field(description="Who is called when somebody does not come, in this order.")
    awaits: list[Unresolved] = Field(description="Ties that have to be drawn or played before.")
    obstacle: str | None = Field(
        description="What else has to happen before, or why it does not take place.",
        examples=["Preliminary rounds is not closed yet: its order says who goes on."],
    )


class Qualifying(BaseModel):
    """Who goes on to another tournament."""

    places: int = Field(description="How many, as the rules say or as was announced.", examples=[2])
    entrants: list[GoingOn]
    reserves: list[Somebody] = Field(description="Who moves up when somebody does not come, in this order.")
    awaits: list[Unresolved] = Field(description="Ties about the last place that a lot has to end.")


class Progression(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    inputs: str = Field(description="What it rests on.", examples=[INPUTS])
    stages: list[StageToCome] = Field(description="All that do not begin with everybody, in the order of the rules.")
    qualified: Qualifying | None = Field(description="Null where nobody goes on to another tournament.")
