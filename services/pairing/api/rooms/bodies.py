"""What is sent about rooms, and how they are answered."""

from typing import Annotated

from pydantic import BaseModel, Field

from services.pairing.api.bodies import MOST_TABLES
from services.pairing.api.permissions import ROOM_ACTIONS
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed

MOST_ROOMS = 100
LONGEST = 80

type Label = Annotated[str, Field(min_length=1, max_length=LONGEST, pattern=r"^\S(.*\S)?$")]


class Room(RequestBody):
    name: Label = Field(examples=["Library"])
    tables: list[Label] = Field(
        min_length=1,
        max_length=MOST_TABLES,
        description="What stands on its tables, in the order in which they are filled.",
        examples=[["L1", "L2", "L3"]],
    )


class RoomsToName(RequestBody):
    rooms: list[Room] = Field(
        max_length=MOST_ROOMS,
        description="All of them, in the order in which they are filled; none takes back what was said.",
    )


class RoomsShown(BaseModel):
    tournament: str = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    rooms: list[Room] = Field(description="None where nobody has named any: tables have a number only.")
    allowed_actions: Actions = allowed(*ROOM_ACTIONS)
