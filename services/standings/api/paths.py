"""What paths and queries say, and who may do what."""

from datetime import datetime
from typing import Annotated

from fastapi import Header, Path, Query
from fastapi.exceptions import RequestValidationError
from pydantic import AwareDatetime, TypeAdapter, ValidationError

from services.standings.api.bodies import ENTRANT, INPUTS, TOURNAMENT
from shared.act import Absent
from shared.heard import INPUTS as INPUTS_FORM
from shared.policy import ANYBODY, Policy, roles
from shared.roles import Role

ID = r"^[0-9A-Za-z-]{1,64}$"
SLUG = r"^[0-9a-z-]{1,64}$"
PATTERN = f"^{INPUTS_FORM.pattern}$"

TIME: TypeAdapter[datetime] = TypeAdapter(AwareDatetime)

LOOK = ANYBODY
RULE = roles(Role.DIRECTOR, Role.ARBITER, scope="tournament_id")
ACTIONS: dict[str, Policy] = {"settleTie": RULE, "drawLot": RULE, "shortenStage": RULE, "closeStage": RULE}

type TournamentId = Annotated[str, Path(description="The id of the tournament.", pattern=ID, examples=[TOURNAMENT])]
type StageId = Annotated[str, Path(description="A stage of its ruleset.", pattern=SLUG, examples=["swiss"])]
type EntrantId = Annotated[str, Path(description="The id of the entrant.", pattern=ID, examples=[ENTRANT])]

type Through = Annotated[
    int | Absent,
    Query(alias="round", ge=1, le=1000, description="As it was after this round.", examples=[3]),
]
type Among = Annotated[
    str | Absent,
    Query(alias="list", pattern=SLUG, description="Only the table of a list of the ruleset.", examples=["women"]),
]
type AtInputs = Annotated[
    str | Absent,
    Query(pattern=PATTERN, description="As it was when this much was known, and nothing more.", examples=[INPUTS]),
]
type AtTime = Annotated[
    str | Absent,
    Query(
        max_length=64,
        description="As it followed from what had happened by then; a time of RFC 3339, with its zone.",
        json_schema_extra={"format": "date-time"},
        examples=["2026-11-21T12:30:00+01:00"],
    ),
]
type IfNoneMatch = Annotated[
    str | Absent,
    Header(
        alias="If-None-Match",
        max_length=1000,
        description="The `ETag` of the table that you have: 304 when there is no other.",
        examples=[f'"{INPUTS}"'],
    ),
]
type LastEventId = Annotated[
    str | Absent,
    Header(alias="Last-Event-ID", pattern=PATTERN, description="The last `id` that came.", examples=[INPUTS]),
]


def moment(at: str | None) -> datetime | None:
    if at is None:
        return None
    try:
        return TIME.validate_strings(at)
    except ValidationError as error:
        raise RequestValidationError([{"loc": ("query", "at"), "msg": error.errors()[0]["msg"]}]) from error
