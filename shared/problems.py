"""Every error that leaves a service: a problem document (RFC 9457) that says what to do.

This is the only module that knows which refusal is which HTTP status.
"""

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from shared.decider import Conflict, Forbidden, Invalid, NotFound, Refusal
from shared.event_store import Unavailable

MEDIA_TYPE = "application/problem+json"

STATUS: dict[type[Refusal], HTTPStatus] = {
    Invalid: HTTPStatus.UNPROCESSABLE_ENTITY,
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    Forbidden: HTTPStatus.FORBIDDEN,
}


class Fault(BaseModel):
    """One thing that is wrong with a request."""

    pointer: str = Field(description="JSON pointer to the faulty place of the body.", examples=["/name"])
    detail: str = Field(description="What is wrong there.", examples=["must not be empty"])


class Problem(BaseModel):
    """Why a request was refused, and what to do about it."""

    type: str = Field(description="Stable slug path of this kind of problem.", examples=["/problems/not-found"])
    title: str = Field(examples=["Not found"])
    status: int = Field(examples=[404])
    detail: str = Field(description="A sentence that says what to do.", examples=["There is no such federation."])
    errors: list[Fault] = Field(default=[], description="All faults of the request at once.")


def handle_problems(app: FastAPI) -> None:
    """Answer every refusal, malformed request and outage of this app as a problem document."""
    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(RequestValidationError, malformed)
    app.add_exception_handler(Unavailable, unavailable)
    app.add_exception_handler(HTTPException, http_error)


def refused(_: Request, error: Exception) -> JSONResponse:
    (status,) = (status for kind, status in STATUS.items() if isinstance(error, kind))
    return problem(status, slug=slug(type(error).__name__), detail=str(error))


def malformed(_: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, RequestValidationError):
        raise error
    faults = [
        Fault(pointer="".join(f"/{escape(part)}" for part in place(fault["loc"])), detail=fault["msg"])
        for fault in error.errors()
    ]
    detail = "The request does not have the form that the documentation describes: see errors."
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, slug="malformed", detail=detail, errors=faults)


def unavailable(_: Request, error: Exception) -> JSONResponse:
    detail = f"Try again in a moment, with the same Idempotency-Key: {error}."
    retry_after = error.retry_after if isinstance(error, Unavailable) else Unavailable.retry_after
    headers = {"Retry-After": f"{retry_after:.0f}"}
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, slug="unavailable", detail=detail, headers=headers)


def http_error(_: Request, error: Exception) -> JSONResponse:
    """What the framework itself refuses: an unknown path, a method that is not there."""
    status = HTTPStatus(error.status_code) if isinstance(error, HTTPException) else HTTPStatus.INTERNAL_SERVER_ERROR
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    return problem(status, slug=slug(status.phrase), detail=status.description or status.phrase, headers=headers)


def problem(
    status: HTTPStatus,
    *,
    slug: str,
    detail: str,
    errors: Sequence[Fault] = (),
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    title = slug.replace("-", " ").capitalize()
    document = Problem(type=f"/problems/{slug}", title=title, status=status, detail=detail, errors=list(errors))
    body = document.model_dump(exclude_defaults=True)
    return JSONResponse(body, status_code=status, headers=headers, media_type=MEDIA_TYPE)


def documented(*statuses: HTTPStatus) -> dict[int | str, dict[str, Any]]:
    """The `responses=` of an operation that may answer with these problems."""
    return {
        status.value: {
            "model": Problem,
            "description": status.phrase,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in statuses
    }


def place(location: Sequence[int | str]) -> Sequence[int | str]:
    """Pydantic puts where it looked first; a pointer is about the body itself."""
    return location[1:] if location and location[0] == "body" else location


def escape(part: int | str) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")


def slug(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|\s+", "-", name).lower()
