"""What is sent about groups, and how they are shown."""

from typing import Annotated

from pydantic import BaseModel, Field

from services.pairing.api.bodies import MOST_TABLES, EntrantId, Player, ReasonGiven
from services.pairing.api.permissions import GROUP_ACTIONS
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed

MOST_GROUPS = 26


class NewGroups(RequestBody):
    """Groups that were drawn by hand."""

    groups: list[Annotated[list[EntrantId], Field(max_length=MOST_TABLES)]] = Field(
        max_length=MOST_GROUPS, description="All of them: A, B and so on.", examples=[[["A", "D"], ["B", "C"]]]
    )
    reason: ReasonGiven | None = Field(
        default=None, description="Needed when more of one school are together than have to be."
    )


class Group(BaseModel):
    group: str = Field(description="Its letter.", examples=["A"])
    entrants: list[Player] = Field(description="In the order in which they were drawn.")


class SchoolTogether(BaseModel):
    """Entrants of one school who play in one group."""

    group: str = Field(examples=["A"])
    entrants: list[Player]


class Groups(BaseModel):
    tournament: str = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    stage: str = Field(examples=["groups"])
    groups: list[Group] = Field(description="None before they are drawn.")
    by_hand: bool = Field(description="Whether somebody has made them instead of a lot.", examples=[False])
    together: list[SchoolTogether] = Field(description="Where one school is in a group more than once.")
    pairs_of_one_school: int = Field(description="So many pairs of one school are in one group.", examples=[0])
    fewest_possible: int | None = Field(
        description="So many there are however it is drawn. Null where the rules know no groups for such a field.",
        examples=[0],
    )
    explanation: list[str] = Field(
        description="How they came about, and how far apart schools are.",
        examples=[["The groups were drawn by hand.", "No school is in a group twice."]],
    )
    sizes: list[int] = Field(description="How large the groups are to be.", examples=[[5, 4]])
    allowed_actions: Actions = allowed(*GROUP_ACTIONS)
