"""The parameters of a request: headers for idempotency, versions and positions; and what an operation does not take.

A query parameter that the operation does not have, or a body where it takes none, is refused instead of passed over.
"""

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from typing import Annotated, get_args, get_origin

from fastapi import Header, Path, Request
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.params import Param
from pydantic.json_schema import SkipJsonSchema
from starlette.types import Scope

from shared.access.references import id_of
from shared.access.tokens import CALLER
from shared.commands.handler import Key, digest
from shared.faults import enough
from shared.messaging.positions import PATTERN

type Absent = SkipJsonSchema[None]  # a parameter that was not sent, for which a document has no type
type TournamentId = Annotated[
    str,
    Path(
        description="The id of the tournament.",
        pattern=r"^[0-9A-Za-z-]{1,64}$",
        json_schema_extra=id_of("tournament"),
        examples=["019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21"],
    ),
]
DIGITS = re.compile(r"-?[0-9]+")
ONCE = ("Idempotency-Key", "If-Match", "Last-Event-ID", "Roundlog-Min-Position")

# An entrant is named by id, or by what stands on the list in the hall.
COMPRESSED = "-gzip"  # ends the tag of what is compressed, as proxies have it
BY_NUMBER = re.compile(r"number:([1-9][0-9]{0,4})")
ENTRANT_PATTERN = rf"^([0-9A-Za-z_-]{{1,64}}|{BY_NUMBER.pattern})$"
type EntrantId = Annotated[
    str,
    Path(
        description="The id that entering answered; or, from the start on, the start number: `number:12`.",
        pattern=ENTRANT_PATTERN,
        json_schema_extra=id_of("entrant"),
        examples=["019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833"],
    ),
]


def start_number(named: str) -> int | None:
    """The start number, where somebody is named by it and not by an id."""
    found = BY_NUMBER.fullmatch(named)
    return int(found[1]) if found else None


def require_known(request: Request) -> None:
    require_single_headers(request)
    if not request.scope["query_string"]:
        return
    known = request.scope["route"].query_parameters
    if unknown := sorted(request.query_params.keys() - known):
        detail = f"is not known here: this operation has {', '.join(sorted(known)) or 'no parameters'}"
        raise RequestValidationError([{"loc": ("query", name), "msg": detail} for name in enough(unknown)])
    times = Counter(name for name, _ in request.query_params.multi_items())
    if twice := sorted(name for name, count in times.items() if count > 1 and not known[name]):
        detail = "stands there more than once: say it once"
        raise RequestValidationError([{"loc": ("query", name), "msg": detail} for name in enough(twice)])


def require_digits(request: Request) -> None:
    """A whole number is written with digits alone: Python would also read `1_0`, ` 10` and `10.0`."""
    if not request.scope["route"].whole_numbers:
        return
    faults = [
        {"loc": (where, name), "msg": "should be a whole number, written with digits alone"}
        for where, name, sent in numbers_sent(request)
        if not DIGITS.fullmatch(sent)
    ]
    if faults:
        raise RequestValidationError(faults)


def numbers_sent(request: Request) -> Iterator[tuple[str, str, str]]:
    """Where, by what name, and as they were written."""
    sent = {"path": request.path_params, "query": request.query_params, "header": request.headers}
    for where, name in request.scope["route"].whole_numbers:
        if name in sent[where]:
            yield where, name, sent[where][name]


def whole_numbers(dependant: Dependant) -> Iterator[tuple[str, str]]:
    """Where an operation takes a whole number, and by what name."""
    for field in (*dependant.path_params, *dependant.query_params, *dependant.header_params):
        said = field.field_info
        if isinstance(said, Param) and is_number(said.annotation):
            yield said.in_.value, field.alias
    for part in dependant.dependencies:
        yield from whole_numbers(part)


def is_number(annotation: object) -> bool:
    return annotation is int or int in get_args(annotation)


def require_single_headers(request: Request) -> None:
    """Of several headers of one name only the first would count."""
    headers = request.scope["headers"]
    if len({name for name, _ in headers}) == len(headers):
        return
    times = Counter(name for name, _ in headers)
    twice = [name for name in ONCE if times[name.lower().encode()] > 1]
    if twice:
        detail = "stands there more than once: say it once"
        raise RequestValidationError([{"loc": ("header", name), "msg": detail} for name in twice])


async def require_no_body(request: Request) -> None:
    """Refuse a body where an operation takes none. Of a caller who has not signed in no body is read, so there it counts
    that one was announced."""
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


def query_parameters(dependant: Dependant) -> Iterator[tuple[str, bool]]:
    """Their names, and whether several of them make a list."""
    yield from ((parameter.alias, is_list(parameter.field_info.annotation)) for parameter in dependant.query_params)
    for part in dependant.dependencies:
        yield from query_parameters(part)


def is_list(annotation: object) -> bool:
    return get_origin(annotation) is list or any(map(is_list, get_args(annotation)))


IDEMPOTENCY_KEY = Header(
    alias="Idempotency-Key",
    min_length=1,
    max_length=255,
    description="Make one up for each act, and repeat it when the answer was lost: the act happens once, and the "
    "first answer comes again.",
    examples=["5f0c9b1e-round-3-table-7"],
)
IF_MATCH = Header(
    alias="If-Match",
    max_length=1000,
    description="The `ETag` that you have seen; 412 when it has changed.",
    examples=['"3"'],
)
MIN_POSITION = Header(
    alias="Roundlog-Min-Position",
    pattern=PATTERN,
    description="A `Roundlog-Position`, such as `registration:12873/4411`, or several with commas: the answer rests on "
    "them, or is 503 after two seconds.",
    examples=["registration:12873/4411"],
)

type IdempotencyKey = Annotated[str | Absent, IDEMPOTENCY_KEY]
type IfMatch = Annotated[str | Absent, IF_MATCH]
type MinPosition = Annotated[str | Absent, MIN_POSITION]


async def key(request: Request, subject: str, idempotency_key: str) -> Key:
    operation = (
        f"{request.method} {request.scope['path']}"  # a URL made of it would say the same, and takes long to make
    )
    return Key(
        key=digest(subject.encode(), operation.encode(), idempotency_key.encode()),
        request=digest(request.scope["query_string"], await request.body()),
    )


def versions(if_match: str) -> frozenset[int] | None:
    """The versions that are named by `"3"`, `"3.f0e1"` or `"3", "4"`; `*` is any. What is no tag of ours names none."""
    if if_match.strip() == "*":
        return None
    tags = (tag.strip() for tag in if_match.split(","))
    named = (tag[1:-1].removesuffix(COMPRESSED).partition(".")[0] for tag in tags if tag[0:1] == tag[-1:] == '"')
    return frozenset(int(version) for version in named if version.isdecimal())


def etag(version: int, content: bytes | None = None) -> str:
    """The tag of a version, or of a version together with what is shown with it."""
    return f'"{version}"' if content is None else f'"{version}.{blake2b(content, digest_size=8).hexdigest()}"'
