"""What paths, queries and headers say, where several resources have it."""

from typing import Annotated, Literal

from fastapi import Header, Path, Query

from shared.http.moments import INPUTS, PATTERN
from shared.http.parameters import Absent

ID = r"^[0-9A-Za-z-]{1,64}$"
SLUG = r"^[0-9a-z-]{1,64}$"

type StageId = Annotated[str, Path(description="A stage of its ruleset.", pattern=SLUG, examples=["swiss"])]
type Through = Annotated[
    int | Absent,
    Query(alias="round", ge=1, le=1000, description="As it was after this round.", examples=[3]),
]
type Among = Annotated[
    str | Absent,
    Query(alias="list", pattern=SLUG, description="Only the table of a list of the ruleset.", examples=["women"]),
]
type Format = Annotated[
    Literal["json", "csv"] | Absent,
    Query(alias="format", description="`csv` for spreadsheets; otherwise JSON.", examples=["csv"]),
]
type TableFormat = Annotated[
    Literal["json", "csv", "page"] | Absent,
    Query(
        alias="format",
        description="`csv` for spreadsheets, `page` to be printed, with what the columns say; otherwise JSON.",
        examples=["csv"],
    ),
]
type CrosstableFormat = Annotated[
    Literal["json", "csv", "page", "trf16", "trf26", "tsh"] | Absent,
    Query(
        alias="format",
        description="`csv` for spreadsheets, `page` to be printed; `trf16`, `trf26` FIDE's Tournament Report File, `tsh` a "
        "division file of TSH; otherwise JSON.",
        examples=["trf26"],
    ),
]
type LastEventId = Annotated[
    str | Absent,
    Header(alias="Last-Event-ID", pattern=PATTERN, description="The last `id` that came.", examples=[INPUTS]),
]
