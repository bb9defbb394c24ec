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
from starlette.routing import Match, Route

from shared.access.tokens import Unauthenticated
from shared.commands.decider import UnknownEvent
from shared.faults import MOST_FAULTS, Faulty, at, enough, in_words, place
from shared.personal.sentences import ID, introduced
from shared.refusals import Conflict, Forbidden, Invalid, NotFound, Refusal, Stale, Unavailable
from shared.rulesets.stored import NewerRuleset
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

    part: Part = Field(default="body", alias="in", examples=["body"])
    pointer: str = Field(description="JSON pointer to the faulty place.", examples=["/name"])
    detail: str = Field(description="What is wrong there.", examples=["must not be empty"])


DESCRIPTIONS = {
    HTTPStatus.UNAUTHORIZED: "There is no token, or not a good one.",
    HTTPStatus.FORBIDDEN: "You may not do it here.",
    HTTPStatus.NOT_FOUND: "There is no such thing.",
    HTTPStatus.REQUEST_TIMEOUT: "The body came too slowly.",
    HTTPStatus.CONFLICT: "What has happened forbids it.",
    HTTPStatus.PRECONDITION_FAILED: "It has changed since `If-Match`.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too large.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "It is malformed, or asks for what can never be.",
    HTTPStatus.TOO_MANY_REQUESTS: "You ask too often.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Try again in a moment, with the same `Idempotency-Key`.",
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
    for newer in (UnknownEvent, NewerRuleset):
        app.add_exception_handler(newer, unavailable)  # while a newer copy of the service is beside this one
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


def malformed(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise error
    if other := of_another_kind(request, error):
        return unreadable(other)
    return refuse_form(faults_of(error))


def of_another_kind(request: Request, error: RequestValidationError) -> str | None:
    """A file where JSON is wanted, or JSON where a file is, has one fault alone: what it is said to be."""
    sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = getattr(request.scope.get("route"), "body_field", None)
    wanted: str | None = body and body.field_info.media_type
    is_about_body = any(one["loc"][:1] == ("body",) and one.get("type") != "missing" for one in error.errors())
    if wanted is None or not is_about_body or is_json(sent) == is_json(wanted):
        return None
    what = "JSON" if is_json(wanted) else "a file, as it is"
    called = f"is called {sent}" if sent else "comes without Content-Type"
    return f"{called}, and this operation takes {what}: send that, with Content-Type: {wanted}"


def is_json(media_type: str) -> bool:
    return media_type == "application/json" or (media_type.startswith("application/") and media_type.endswith("+json"))


def faults_of(error: RequestValidationError) -> list[Fault]:
    """Each place once; where several forms would do, all that are wanted there are named."""
    found: dict[tuple[Part, str], dict[str, None]] = {}
    for one in enough(error.errors()):
        kind = str(one.get("type"))
        if kind == "none_required":  # a parameter may be left out: that is no form in which to send it
            continue
        words = in_words(kind, str(one["msg"]))
        if isinstance(one.get("input"), str):  # a text that may be left out is measured as if it were a list
            words = ITEMS.sub("character", words)
        fault = fault_at(one["loc"], words, sent=error.body, is_missing=kind == "missing")
        found.setdefault((fault.part, fault.pointer), {})[fault.detail] = None
    return [
        Fault.model_validate({"in": part, "pointer": pointer, "detail": ", or ".join(details)})
        for (part, pointer), details in found.items()
    ]


def unreadable(detail: str) -> JSONResponse:
    """The body as a whole is at fault."""
    return refuse_form([Fault(pointer="", detail=detail)])


def refuse_form(faults: Sequence[Fault]) -> JSONResponse:
    detail = "The request does not have the form that the documentation describes: see errors."
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, slug="malformed", detail=detail, errors=faults)


def unavailable(_: Request, error: Exception) -> JSONResponse:
    return away(str(error), error.retry_after if isinstance(error, Unavailable) else Unavailable.retry_after)


def away(why: str, retry_after: float = Unavailable.retry_after) -> JSONResponse:
    detail = f"Try again in a moment, with the same Idempotency-Key: {why}."
    headers = {"Retry-After": f"{retry_after:.0f}"}
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, slug="unavailable", detail=detail, headers=headers)


def one_at_a_time(_: Request, error: Exception) -> JSONResponse:
    headers = {"Retry-After": f"{OneAtATime.retry_after:.0f}"}
    return problem(HTTPStatus.TOO_MANY_REQUESTS, slug="one-at-a-time", detail=str(error), headers=headers)


def unauthenticated(_: Request, error: Exception) -> JSONResponse:
    word = error.error if isinstance(error, Unauthenticated) else None
    headers = {"WWW-Authenticate": f'Bearer realm="roundlog", error="{word}"' if word else 'Bearer realm="roundlog"'}
    return problem(HTTPStatus.UNAUTHORIZED, slug="unauthenticated", detail=str(error), headers=headers)


def http_error(request: Request, error: Exception) -> JSONResponse:
    """What the framework itself refuses: an unknown path, a method that is not there."""
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    if status is HTTPStatus.BAD_REQUEST:
        return unreadable("cannot be read: send JSON in UTF-8")
    detail = SENTENCES.get(status) or status.description or status.phrase
    headers = dict(error.headers or {})
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(methods_of(request))
    return problem(status, slug=slug(status.phrase), detail=detail, headers=headers)


def methods_of(request: Request) -> list[str]:
    """Each method of a path is a route of its own; the framework names those of the first alone."""
    routes = [one for one in request.app.routes if isinstance(one, Route)]
    there = [one for one in routes if one.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for one in there for method in one.methods or ()})


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
    """The `responses=` of an operation that may answer with these problems.

    Every operation may answer the others of `DESCRIPTIONS` anyway. In the OpenAPI document all of them are `REFUSED`.
    """
    return {status.value: {"description": DESCRIPTIONS[status], "content": CONTENT} for status in statuses}


def header(name: str, text: str, *, always: bool = True) -> dict[str, Any]:
    """A header of an answer, for the OpenAPI document."""
    return {name: {"description": text, "required": always, "schema": {"type": "string"}}}


ITEMS = re.compile(r"\bitem(?=s?\b)")
CONTENT = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
HEADERS = {
    **header(
        "X-Request-Id", "What to tell the operators. What the proxy in front refuses by itself has none.", always=False
    ),
    **header("Retry-After", "With 429 and 503: in how many seconds to try again.", always=False),
    **header("WWW-Authenticate", "With 401: `Bearer`, and what is wrong with the token.", always=False),
}
WHAT_IS_REFUSED = [
    "Refused, and nothing has changed: `detail` says what to do, `errors` where the faults are.",
    *(f"- {status.value}: {said}" for status, said in DESCRIPTIONS.items()),
]
REFUSED: dict[str, Any] = {"description": "\n".join(WHAT_IS_REFUSED), "headers": HEADERS, "content": CONTENT}


def fault_at(location: Sequence[int | str], detail: str, *, sent: object, is_missing: bool) -> Fault:
    """Pydantic puts the part of the request first, and names the forms that it has tried; of malformed JSON it only knows
    how many bytes are good."""
    part, *inside = location
    if part not in PARTS:
        part, inside = "body", list(location)
    if part != "body":
        inside = [*inside[:1], *(step for step in inside[1:] if isinstance(step, int))]
        pointer = at(*inside)
    elif inside[:1] and isinstance(inside[0], int) and detail == "JSON decode error":
        pointer, detail = "", f"is no JSON after {inside[0]} characters"
    else:
        pointer = at(*inside) if sent is None else place(inside, sent, is_missing=is_missing)
    return Fault.model_validate({"in": part, "pointer": pointer, "detail": detail})


def slug(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|\s+", "-", name).lower()
