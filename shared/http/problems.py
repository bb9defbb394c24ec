"""Every error that leaves a service: a problem document (RFC 9457) that says what to do.

This is the only module that knows which refusal is which HTTP status.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Literal, get_args

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from shared.access.tokens import Unauthenticated
from shared.faults import MOST_FAULTS, Faulty, enough, in_words, steps_into
from shared.personal.sentences import ID, introduced
from shared.refusals import Conflict, Forbidden, Invalid, NotFound, Refusal, Stale, Unavailable
from shared.workers import OneAtATime

MEDIA_TYPE = "application/problem+json"

STATUS: dict[type[Refusal], HTTPStatus] = {
    Invalid: HTTPStatus.UNPROCESSABLE_ENTITY,
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    Stale: HTTPStatus.PRECONDITION_FAILED,
    Forbidden: HTTPStatus.FORBIDDEN,
}


type Part = Literal["body", "query", "header", "path"]

PARTS: tuple[str, ...] = get_args(Part.__value__)


class Fault(BaseModel):
    """One thing that is wrong with a request."""

    part: Part = Field(default="body", alias="in", description="The part of the request.", examples=["body"])
    pointer: str = Field(description="JSON pointer to the faulty place in that part.", examples=["/name"])
    detail: str = Field(description="What is wrong there.", examples=["must not be empty"])


DESCRIPTIONS = {
    HTTPStatus.UNAUTHORIZED: "Who is asking cannot be told: there is no token where one is needed, or not a good one.",
    HTTPStatus.FORBIDDEN: "This caller may not do it here.",
    HTTPStatus.NOT_FOUND: "What it is about does not exist.",
    HTTPStatus.REQUEST_TIMEOUT: "The body came too slowly.",
    HTTPStatus.CONFLICT: "It does not go with what has happened.",
    HTTPStatus.PRECONDITION_FAILED: "The resource has changed since the version in `If-Match`.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too large.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "The request is malformed, or asks for what cannot be in any state.",
    HTTPStatus.TOO_MANY_REQUESTS: "This caller asks too often.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Something is away for the moment: try again, with the same `Idempotency-Key`.",
}
SENTENCES = {
    HTTPStatus.NOT_FOUND: "There is nothing at this path: look into /docs for those that there are.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This path has no such method: the header Allow names those that it has.",
}


type Called = Callable[[Collection[str]], Awaitable[Mapping[str, str]]]  # what those of these ids are called


class Problem(BaseModel):
    """Why a request was refused, and what to do about it."""

    type: str = Field(description="Stable slug path of this kind of problem.", examples=["/problems/not-found"])
    title: str = Field(examples=["Not found"])
    status: int = Field(examples=[404])
    detail: str = Field(description="A sentence that says what to do.", examples=["There is no such federation."])
    errors: list[Fault] = Field(
        default=[], description=f"All faults of the request at once, or the first {MOST_FAULTS}."
    )


def handle_problems(app: FastAPI, called: Called | None = None) -> None:
    """Answer every refusal, malformed request and outage of this app as a problem document."""

    async def refused(_: Request, error: Exception) -> JSONResponse:
        found = document_of(error)
        return answered(await introducing(found, called) if called else found)

    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(Unavailable, unavailable)
    app.add_exception_handler(OneAtATime, one_at_a_time)
    app.add_exception_handler(Unauthenticated, unauthenticated)
    app.add_exception_handler(HTTPException, http_error)


async def introducing(document: Problem, called: Called) -> Problem:
    """The document with the names of those whom it speaks of; with their ids alone while nobody can tell the names."""
    sentences = [document.detail, *(fault.detail for fault in document.errors)]
    try:
        names = await called({one for sentence in sentences for one in ID.findall(sentence)})
    except Unavailable:
        return document
    errors = [fault.model_copy(update={"detail": introduced(fault.detail, names)}) for fault in document.errors]
    return document.model_copy(update={"detail": introduced(document.detail, names), "errors": errors})


def document_of(error: Exception) -> Problem:
    """A refusal as a document, also where nobody speaks HTTP."""
    (status,) = (status for kind, status in STATUS.items() if isinstance(error, kind))
    found = error.faults if isinstance(error, Faulty) else ()
    faults = [Fault(pointer=fault.pointer, detail=fault.detail) for fault in found]
    rule = error.rule if isinstance(error, Refusal) else None
    is_cited = rule is None or f"({rule})" in str(error)
    detail = str(error) if is_cited else f"{str(error).rstrip('.')} ({rule})."
    return document(status, slug(type(error).__name__), detail, faults)


def malformed(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise error
    return refuse_form(faults_of(error))


def faults_of(error: RequestValidationError) -> list[Fault]:
    """Each place once: where several forms would do, all that are wanted there are named, but not that it may be left out."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for one in enough(error.errors()):
        kind = str(one.get("type"))
        if kind != "none_required":
            named = fault(located(one["loc"], kind, error.body), in_words(kind, str(one["msg"])))
            found.setdefault((named.part, named.pointer), {})[named.detail] = None
    return [
        Fault.model_validate({"in": part, "pointer": pointer, "detail": ", or ".join(details)})
        for (part, pointer), details in found.items()
    ]


def located(location: Sequence[int | str], kind: str, body: object) -> Sequence[int | str]:
    """Without the forms that pydantic has tried: a parameter has a name, and a place in a body leads somewhere."""
    part, *inside = location
    if part in {"query", "header", "path"}:
        return part, *inside[:1], *(step for step in inside[1:] if isinstance(step, int))
    return (
        (part, *steps_into(body, inside, is_missing=kind == "missing")) if isinstance(body, dict | list) else location
    )


def unreadable(detail: str) -> JSONResponse:
    """The body as a whole is at fault."""
    return refuse_form([Fault(pointer="", detail=detail)])


def refuse_form(faults: Sequence[Fault]) -> JSONResponse:
    detail = "The request does not have the form that the documentation describes: see errors."
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, slug="malformed", detail=detail, errors=faults)


def unavailable(_: Request, error: Exception) -> JSONResponse:
    detail = f"Try again in a moment, with the same Idempotency-Key: {error}."
    retry_after = error.retry_after if isinstance(error, Unavailable) else Unavailable.retry_after
    headers = {"Retry-After": f"{retry_after:.0f}"}
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, slug="unavailable", detail=detail, headers=headers)


def one_at_a_time(_: Request, error: Exception) -> JSONResponse:
    headers = {"Retry-After": f"{OneAtATime.retry_after:.0f}"}
    return problem(HTTPStatus.TOO_MANY_REQUESTS, slug="one-at-a-time", detail=str(error), headers=headers)


def unauthenticated(_: Request, error: Exception) -> JSONResponse:
    word = error.error if isinstance(error, Unauthenticated) else None
    headers = {"WWW-Authenticate": f'Bearer realm="roundlog", error="{word}"' if word else 'Bearer realm="roundlog"'}
    return problem(HTTPStatus.UNAUTHORIZED, slug="unauthenticated", detail=str(error), headers=headers)


def http_error(_: Request, error: Exception) -> JSONResponse:
    """What the framework itself refuses: an unknown path, a method that is not there."""
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    if status is HTTPStatus.BAD_REQUEST:
        return unreadable("cannot be read: send JSON in UTF-8")
    detail = SENTENCES.get(status) or status.description or status.phrase
    return problem(status, slug=slug(status.phrase), detail=detail, headers=dict(error.headers or {}))


def problem(
    status: HTTPStatus,
    *,
    slug: str,
    detail: str,
    errors: Sequence[Fault] = (),
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    return answered(document(status, slug, detail, errors), headers)


def document(status: HTTPStatus, slug: str, detail: str, errors: Sequence[Fault]) -> Problem:
    title = slug.replace("-", " ").capitalize()
    if len(errors) > MOST_FAULTS:
        detail, errors = f"{detail} There are more than these {MOST_FAULTS}.", errors[:MOST_FAULTS]
    return Problem(type=f"/problems/{slug}", title=title, status=status, detail=detail, errors=list(errors))


def answered(document: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    body = document.model_dump(exclude_defaults=True, by_alias=True)
    return JSONResponse(body, status_code=document.status, headers=headers, media_type=MEDIA_TYPE)


def documented(*statuses: HTTPStatus) -> dict[int | str, dict[str, Any]]:
    """The `responses=` of an operation that may answer with these problems."""
    return {
        status.value: {
            "description": DESCRIPTIONS[status],
            "headers": dict(HEADERS.get(status, {})),
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in statuses
    }


def header(name: str, text: str, *, always: bool = True) -> dict[str, Any]:
    """A header of an answer, for the OpenAPI document."""
    return {name: {"description": text, "required": always, "schema": {"type": "string"}}}


RETRY_AFTER = header("Retry-After", "After how many seconds to try again.")
HEADERS = {
    HTTPStatus.UNAUTHORIZED: header("WWW-Authenticate", "`Bearer`, and what is wrong with the token if there is one."),
    HTTPStatus.TOO_MANY_REQUESTS: RETRY_AFTER,
    HTTPStatus.SERVICE_UNAVAILABLE: RETRY_AFTER,
}


def fault(location: Sequence[int | str], detail: str) -> Fault:
    """Pydantic puts the part of the request first; of malformed JSON it only knows how many bytes are good."""
    part, *inside = location
    if part not in PARTS:
        part, inside = "body", list(location)
    if inside[:1] and isinstance(inside[0], int) and detail == "JSON decode error":
        inside, detail = [], f"is no JSON after {inside[0]} characters"
    return Fault.model_validate(
        {"in": part, "pointer": "".join(f"/{escape(step)}" for step in inside), "detail": detail}
    )


def escape(part: int | str) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")


def slug(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|\s+", "-", name).lower()
