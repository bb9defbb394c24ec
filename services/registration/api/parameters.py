"""Parameters of paths and queries that several resources have."""

from typing import Annotated

from fastapi import Path, Query

from services.registration.api.bodies import FEDERATION, ID, PERSON
from shared.access.references import id_of

type FederationId = Annotated[
    str,
    Path(
        description="The id that founding answered.",
        pattern=ID,
        json_schema_extra=id_of("federation"),
        examples=[FEDERATION],
    ),
]
type PersonId = Annotated[
    str,
    Path(
        description="The id that registering answered.",
        pattern=ID,
        json_schema_extra=id_of("person"),
        examples=[PERSON],
    ),
]
type AfterPosition = Annotated[
    int, Query(ge=0, le=2**62, description="The `next` of the page before.", examples=[12873])
]
