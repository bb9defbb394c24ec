"""What is asked and answered."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from services.standings.calculate import AddendShown
from shared.access.references import id_of
from shared.http.responses import Action

TOURNAMENT = "019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21"
ENTRANT = "019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833"
OTHER = "019aa4c2-a40c-7b8d-8a15-93c2e7d1f054"
INPUTS = "reg120.pai31.res88.sta7"

type Number = int | float
type Order = list[list[str]]

ORDER_EXAMPLE = [[ENTRANT], [OTHER]]


class Row(BaseModel):
    place: int = Field(examples=[1])
    shared: bool = Field(description="Whether others have the same place.", examples=[False])
    entrant: str = Field(examples=[ENTRANT])
    name: str | None = Field(description="Null where none is known, or was erased.", examples=["Zuzana Kováčová"])
    group: str | None = Field(description="Whose places these are, where there are groups.", examples=[None])
    values: dict[str, Number] = Field(
        description="Criterion by criterion, as far as there is something to show: halves are exact, others rounded "
        "to six digits. The order rests on exact values.",
        examples=[{"points": 5.5, "wins": 5, "median_buchholz": 21.5, "buchholz": 30, "score_difference": 165}],
    )
    separated_by: str | None = Field(
        description="The criterion that puts it above the next row; null where nothing does.", examples=["wins"]
    )
    beside: dict[str, Number] = Field(
        description="What the rules want to be shown, and what decides nothing.", examples=[{}]
    )


class Unresolved(BaseModel):
    """Entrants whom all criteria so far leave equal."""

    entrants: list[str] = Field(examples=[[ENTRANT, OTHER]])
    needs: Literal["lot", "duel"] = Field(examples=["lot"])


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
    standings: list[Row] = Field(description="Best first.")
    unresolved: list[Unresolved] = Field(
        description="Ties that only the world can break; they matter when the stage has been played."
    )


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


class Stage(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    stage: str = Field(examples=["swiss"])
    title: str = Field(examples=["Swiss"])
    status: Literal["open", "closed"] = Field(examples=["open"])
    round: int = Field(description="The last one published; 0 before the first.", examples=[7])
    rounds: int | None = Field(description="How many there will be, where the rules fix a number.", examples=[7])
    complete: bool = Field(description="Whether every game of that round has its result.", examples=[True])
    obstacles: list[str] = Field(
        description="What keeps it from being closed.", examples=[["Round 7 has no result yet at table 4."]]
    )
    unresolved: list[Unresolved]
    order: Order | None = Field(
        description="Place by place, as it was closed; null while it is open.", examples=[ORDER_EXAMPLE]
    )
    closed_on: str | None = Field(description="The inputs that the closed order rests on.", examples=[INPUTS])
    groups: list[str] | None = Field(description="Of each of these places, where there are groups.", examples=[None])
    up_to_date: bool | None = Field(
        description="Whether the table still has the order in which the stage was closed: after a correction it may "
        "have to be closed once more. Null while it is open.",
        examples=[True],
    )
    inputs: str = Field(description="What this rests on.", examples=[INPUTS])
    allowed_actions: list[Action] = Field(description="What the caller may do now, and why not.")


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")


class DuelPlayed(Asked):
    order: list[list[Annotated[str, Field(json_schema_extra=id_of("entrant"))]]] = Field(
        min_length=1,
        max_length=100,
        description="Of those who were tied, best first; inside an inner list they stay equal, as after a drawn duel.",
        examples=[ORDER_EXAMPLE],
    )


class LotWanted(Asked):
    entrants: list[Annotated[str, Field(json_schema_extra=id_of("entrant"))]] = Field(
        min_length=2, max_length=1000, description="A tie that waits for a lot.", examples=[[ENTRANT, OTHER]]
    )


class Shorter(Asked):
    rounds: int = Field(ge=1, le=1000, description="So many and no more.", examples=[5])
    reason: str = Field(
        min_length=1,
        max_length=2000,
        description="Why, in your own words. They may be about people, so they are kept apart from the log.",
        examples=["The hall closes at six."],
    )


class Foreseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(examples=[["The order of the stage is told: 24 entrants on 24 places."]])
    lost: list[str] = Field(
        description="What could not be had back.", examples=[["The order in which the stage was closed before."]]
    )
