"""How a whole event ends, and who goes on, as it is answered."""

from typing import Literal

from pydantic import BaseModel, Field

from services.standings.api.bodies import ENTRANT, INPUTS, TOURNAMENT, Number, Unresolved


class Somebody(BaseModel):
    entrant: str = Field(examples=[ENTRANT])
    name: str | None = Field(description="Null where none is known, or was erased.", examples=["Zuzana Kováčová"])


class FinalRow(Somebody):
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
    what: Literal["cash", "in-kind", "accreditation"]
    among: str | None = Field(description="The list whose place brings it; null: of all.", examples=[None])
    place: int = Field(description="Equal places are told apart for it.", examples=[1])
    amount: Number | None = Field(description="Of cash.", examples=[1000])
    currency: str | None = Field(examples=["PLN"])
    to_choose: bool = Field(
        description="One of several prizes in cash that do not add up: they choose one.", examples=[False]
    )
    clause: str | None = Field(description="Of docs/rules.", examples=["OT.STA-6"])


class FinalRanking(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    among: str | None = Field(description="The list whose ranking it is; null: of all.", examples=[None])
    completed: bool = Field(
        description="Whether the tournament is completed. Until then places, titles and awards are those of the moment.",
        examples=[True],
    )
    inputs: str = Field(description="What it rests on.", examples=[INPUTS])
    criteria: list[str] = Field(description="Of the stages that it is put together from.", examples=[["points"]])
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
