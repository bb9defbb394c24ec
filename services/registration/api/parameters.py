"""Parameters of paths and queries that several resources have."""

from typing import Annotated, Any

from fastapi import Path, Query

from services.registration.api.bodies import FEDERATION, ID, PERSON
from shared.access.references import Kind, id_of


def id_in_path(kind: Kind, description: str, example: str) -> Any:
    return Path(description=description, pattern=ID, json_schema_extra=id_of(kind), examples=[example])


type FederationId = Annotated[str, id_in_path("federation", "The id that founding answered.", FEDERATION)]
type PersonId = Annotated[str, id_in_path("person", "The id that registering answered.", PERSON)]
type AfterPosition = Annotated[
    int, Query(ge=0, le=2**62, description="The `next` of the page before.", examples=[12873])
]
