"""What stands behind the `?` of a path: a parameter that an operation does not have is a mistake, and is named.

Otherwise whoever mistypes `dry_run` would do what was only to be tried.
"""

from collections.abc import Iterator

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from pydantic.json_schema import SkipJsonSchema

type Absent = SkipJsonSchema[None]  # a parameter that was not sent, for which a document has no type


def require_known(request: Request) -> None:
    if not request.scope["query_string"]:
        return
    known = set(parameters(request.scope["route"].dependant))
    if unknown := sorted(request.query_params.keys() - known):
        detail = f"is not known here: this operation has {', '.join(sorted(known)) or 'no parameters'}"
        raise RequestValidationError([{"loc": ("query", name), "msg": detail} for name in unknown])


def parameters(dependant: Dependant) -> Iterator[str]:
    yield from (parameter.alias for parameter in dependant.query_params)
    for part in dependant.dependencies:
        yield from parameters(part)
