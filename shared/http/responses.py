"""What every answer has: its version as `ETag`, how far the log goes, the next page, and the actions that are allowed.

Answers with a body of JSON are made here, documented here for OpenAPI, and kept here for a repeated idempotency key.
Pages for browsers get the header that says what they may load.
"""

from base64 import b64encode
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b, sha256
from http import HTTPStatus
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import Query, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field

from shared.commands.handler import Handled
from shared.csv_lines import CSV, as_csv
from shared.http.parameters import Absent, etag
from shared.http.problems import documented, header
from shared.http.request_log import LOADS_NOTHING
from shared.messaging.positions import Position

JSON = "application/json"
MOST_ITEMS = 500

type After = Annotated[
    str, Query(pattern=r"^[^\x00]*$", description="The `next` of the page before.", examples=["019aa4c2"])
]
type Limit = Annotated[int, Query(ge=1, le=MOST_ITEMS, description="How many items at most.", examples=[100])]
type AsSheet = Annotated[
    Literal["csv"] | Absent,
    Query(alias="format", description="The whole list as a file for spreadsheets.", examples=["csv"]),
]
type DryRun = Annotated[bool, Query(description="Only say what would change and be lost.")]

type Documented = dict[int | str, dict[str, Any]]


class Action(BaseModel):
    """Whether the caller may do this now, and if not, why not."""

    allowed: bool = Field(examples=[False])
    reason: str | None = Field(
        description="Why not, and what to do about it.",
        examples=["Sign in first. Needs a token of whoever is appointed there as one of: council, director."],
    )


Actions = dict[str, Action]  # declared by `type` it would be a form of its own in documents


def action(why_not: str | None) -> Action:
    return Action(allowed=why_not is None, reason=why_not)


def allowed(*operations: str) -> Any:
    """The field of a resource that says what its caller may do with it: of these operations, and of no others."""

    def name(schema: dict[str, Any]) -> None:
        one = schema["additionalProperties"]
        schema |= {"properties": dict.fromkeys(operations, one), "additionalProperties": False}

    return Field(json_schema_extra=name)


ETAG = header("ETag", "The version of what is shown; send it as `If-Match` to change only this one.")
POSITION = header(
    "Roundlog-Position",
    "How far the log goes; send it as `Roundlog-Min-Position` to read, at any service, what rests on it.",
)
NEXT = header("Link", 'The next page if there is one, as `<…>; rel="next"`.', always=False)

BAD = documented(HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE)
READ: Documented = BAD | {HTTPStatus.OK.value: {"headers": ETAG}}
FOUND = READ | documented(HTTPStatus.NOT_FOUND)
PAGE: Documented = BAD | {HTTPStatus.OK.value: {"headers": ETAG | NEXT}}


def or_sheet(example: str) -> Documented:
    """A page of a list, or all of it as a file such as the example."""
    ok = HTTPStatus.OK.value
    return PAGE | {ok: {**PAGE[ok], "content": as_csv(example)[ok]["content"]}}


def changed(status: HTTPStatus = HTTPStatus.OK, *refusals: HTTPStatus) -> Documented:
    """What an act may answer."""
    went_well: Documented = {status.value: {"headers": ETAG | POSITION}}
    return BAD | went_well | documented(HTTPStatus.PRECONDITION_FAILED, *refusals)


def answer(body: BaseModel | bytes, version: int) -> bytes:
    """An answer as it is kept with an idempotency key: the tag in the first line, then the body."""
    return b"%s\n%s" % (etag(version).encode(), encoded(body))


def encoded(body: BaseModel | bytes) -> bytes:
    """Bytes are JSON already."""
    return body if isinstance(body, bytes) else body.model_dump_json().encode()


class WrittenAnswer(Response):
    """The answer to an act. Its headers are known to be sound, so they are written as they are sent."""

    def __init__(self, body: bytes, status: HTTPStatus, *, tag: bytes, position: str) -> None:  # pyright: ignore[reportMissingSuperCall] - which would put together the same
        self.body = body
        self.status_code = status.value
        self.background = None
        self.raw_headers = [
            (b"etag", tag),
            (b"roundlog-position", position.encode()),
            (b"content-length", b"%d" % len(body)),
            (b"content-type", JSON.encode()),
        ]


def written(source: str, handled: Handled, status: HTTPStatus) -> Response:
    tag, _, body = handled.response.partition(b"\n")
    return WrittenAnswer(body, status, tag=tag, position=str(Position(source=source, head=handled.head)))


def unversioned(body: BaseModel) -> Response:
    """What is not kept anywhere in this form, such as what was worked out for this caller only."""
    return Response(encoded(body), media_type=JSON)


def read(body: BaseModel | bytes, version: int) -> Response:
    """Its version, with a hash of all that is shown: names change without it, and what may be done depends on who asks, so it
    must not be shown to others."""
    content = encoded(body)
    headers = {"ETag": etag(version, content), "Vary": "Authorization"}
    return Response(content, media_type=JSON, headers=headers)


def page(
    body: BaseModel,
    path: str,
    following: str | None,
    query: Mapping[str, str | int | Sequence[str]],
    *,
    cursor: str = "after",
) -> Response:
    response = read_by_content(body)
    if following is not None:
        response.headers["Link"] = f'<{path}?{urlencode({**query, cursor: following}, doseq=True)}>; rel="next"'
    return response


def read_by_content(body: BaseModel | bytes, media_type: str = JSON) -> Response:
    """Whatever it rests on, the same answer has the same tag."""
    content = encoded(body)
    return Response(content, media_type=media_type, headers={"ETag": tag_of(content)})


def tag_of(content: bytes) -> str:
    """The tag of what has no version: whatever has changed it, what it says or how this version writes it."""
    return f'"{blake2b(content, digest_size=8).hexdigest()}"'


def sheet(content: bytes) -> Response:
    """A whole list for spreadsheets."""
    return read_by_content(content, CSV)


def each(_: object) -> bool:
    return True


def items_after[Item](
    after: str,
    found: Sequence[Item],
    limit: int,
    identity: Callable[[Item], str],
    *,
    is_wanted: Callable[[Item], bool] = each,
) -> tuple[list[Item], str | None]:
    """One page of a list in an order of its own, and its `next`. What is not wanted any more still has its place in the list; where
    what a page ended with has left the list, nobody knows what stood behind it."""
    begin = 0
    if after:
        behind = (place for place, one in enumerate(found, start=1) if identity(one) == after)
        if (begin := next(behind, 0)) == 0:
            raise unknown_end()
    return cut([one for one in found[begin:] if is_wanted(one)], limit, identity)


def items_behind[Item](
    after: str, found: Sequence[Item], limit: int, identity: Callable[[Item], str]
) -> tuple[list[Item], str | None]:
    """One page of a list in the order of its identities, and its `next`: it goes on behind one that has left as well."""
    return cut(found[bisect_right(found, after, key=identity) :], limit, identity)


def cut[Item](following: Sequence[Item], limit: int, identity: Callable[[Item], str]) -> tuple[list[Item], str | None]:
    items = list(following[:limit])
    return items, identity(items[-1]) if limit < len(following) else None


def unknown_end() -> RequestValidationError:
    detail = "is no `next` of this list, or what it names has left the list: leave it out to begin with the first page"
    return RequestValidationError([{"loc": ("query", "after"), "msg": detail}])


def page_policy(**sources: str) -> dict[str, str]:
    """The header of a page that needs these, as `style="'self'"`."""
    name, nothing = LOADS_NOTHING
    needed = (f"{kind}-src {source}" for kind, source in sources.items())
    return {name.decode(): "; ".join((nothing.decode(), *needed))}


def hash_of(inline: str) -> str:
    """A style or script that stands in the page itself, as it stands between its tags."""
    return f"'sha256-{b64encode(sha256(inline.encode()).digest()).decode()}'"
