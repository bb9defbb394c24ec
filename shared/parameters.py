"""What a request brings that its operation does not have, or has once: it is a mistake, and is named.

Otherwise whoever mistypes `dry_run` would do what was only to be tried.
"""

from collections import Counter
from collections.abc import Iterator
from typing import get_args, get_origin

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from pydantic.json_schema import SkipJsonSchema
from starlette.types import Scope

from shared.auth import CALLER
from shared.faults import enough

type Absent = SkipJsonSchema[None]  # a parameter that was not sent, for which a document has no type


def require_known(request: Request) -> None:
    if not request.scope["query_string"]:
        return
    known = dict(parameters(request.scope["route"].dependant))
    if unknown := sorted(request.query_params.keys() - known):
        detail = f"is not known here: this operation has {', '.join(sorted(known)) or 'no parameters'}"
        raise RequestValidationError([{"loc": ("query", name), "msg": detail} for name in enough(unknown)])
    times = Counter(name for name, _ in request.query_params.multi_items())
    if twice := sorted(name for name, count in times.items() if count > 1 and not known[name]):
        detail = "stands there more than once: say it once"
        raise RequestValidationError([{"loc": ("query", name), "msg": detail} for name in enough(twice)])


async def require_no_body(request: Request) -> None:
    """Where an operation takes none. Of somebody who has not signed in none is read: then it counts that one was sent."""
    if request.scope["route"].body_field is not None or not announces_body(request.scope):
        return
    if CALLER not in request.scope or await request.body():
        detail = "This operation takes no body: send none, or look for the operation that you mean"
        raise RequestValidationError([{"loc": ("body",), "msg": detail}])


def announces_body(scope: Scope) -> bool:
    return any(
        (name == b"content-length" and value.strip(b"0")) or name == b"transfer-encoding"
        for name, value in scope["headers"]
    )


def parameters(dependant: Dependant) -> Iterator[tuple[str, bool]]:
    """Their names, and whether several of them make a list."""
    yield from ((parameter.alias, is_list(parameter.field_info.annotation)) for parameter in dependant.query_params)
    for part in dependant.dependencies:
        yield from parameters(part)


def is_list(annotation: object) -> bool:
    return get_origin(annotation) is list or any(map(is_list, get_args(annotation)))
