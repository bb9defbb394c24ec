"""What paths and queries say, and who may do what."""

from typing import Annotated

from fastapi import Header, Path, Query

from services.standings.api.bodies import ENTRANT, INPUTS, TOURNAMENT
from shared.access.policy import ANYBODY, Policy, roles
from shared.access.references import id_of
from shared.access.roles import Role
from shared.http.moments import PATTERN
from shared.http.parameters import Absent

ID = r"^[0-9A-Za-z-]{1,64}$"
SLUG = r"^[0-9a-z-]{1,64}$"

LOOK = ANYBODY
RULE = roles(Role.DIRECTOR, Role.ARBITER, scope="tournament_id")
ACTIONS: dict[str, Policy] = {"settleTie": RULE, "drawLot": RULE, "shortenStage": RULE, "closeStage": RULE}

type TournamentId = Annotated[
    str,
    Path(
        description="The id of the tournament.",
        pattern=ID,
        json_schema_extra=id_of("tournament"),
        examples=[TOURNAMENT],
    ),
]
type StageId = Annotated[str, Path(description="A stage of its ruleset.", pattern=SLUG, examples=["swiss"])]
type EntrantId = Annotated[
    str, Path(description="The id of the entrant.", pattern=ID, json_schema_extra=id_of("entrant"), examples=[ENTRANT])
]

type Through = Annotated[
    int | Absent,
    Query(alias="round", ge=1, le=1000, description="As it was after this round.", examples=[3]),
]
type Among = Annotated[
    str | Absent,
    Query(alias="list", pattern=SLUG, description="Only the table of a list of the ruleset.", examples=["women"]),
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
