"""Every error that leaves a service is a problem document of its kind."""

from http import HTTPStatus

import httpx
import pytest
from fastapi import FastAPI, Request
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from shared.http import problems
from shared.http.problems import handle_problems
from shared.log.store import Overloaded
from shared.refusals import Conflict, Forbidden, Invalid, NotFound, Refusal, Unavailable
from tests.api.asking import pointers, problem


class NobodyAtTheTable(Conflict):
    """Both players are away."""


class LineUp(BaseModel):
    boards: dict[str, list[int]]


async def answer_to(error: Exception) -> httpx.Response:
    """How a service answers when this happens inside it."""
    app = FastAPI()
    handle_problems(app)

    @app.get("/")
    async def fail() -> None:
        raise error

    return await ask(app, "GET")


async def ask(app: FastAPI, method: str, body: object = None) -> httpx.Response:
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        return await client.request(method, "/", json=body)


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (Invalid, HTTPStatus.UNPROCESSABLE_ENTITY),
        (NotFound, HTTPStatus.NOT_FOUND),
        (Conflict, HTTPStatus.CONFLICT),
        (Forbidden, HTTPStatus.FORBIDDEN),
    ],
)
async def test_a_refusal_has_the_status_of_its_kind(kind: type[Refusal], status: HTTPStatus) -> None:
    refused = problem(await answer_to(kind("Ask the arbiter.")), status, problems.slug(kind.__name__))
    assert refused.detail == "Ask the arbiter."


@pytest.mark.parametrize("said", ["The five is not there.", "The five is not there (CFP.RES-3)."])
async def test_a_refusal_names_its_rule_once(said: str) -> None:
    error = Conflict(said)
    error.rule = "CFP.RES-3"
    refused = problem(await answer_to(error), HTTPStatus.CONFLICT, "conflict")
    assert refused.detail == "The five is not there (CFP.RES-3)."


async def test_a_refusal_is_named_after_what_it_says() -> None:
    error = NobodyAtTheTable("Both players are away: start the clock.")
    refused = problem(await answer_to(error), HTTPStatus.CONFLICT, "nobody-at-the-table")
    assert refused.title == "Nobody at the table"


async def test_every_kind_of_refusal_has_a_status() -> None:
    kinds = set(Refusal.__subclasses__())
    assert kinds == problems.STATUS.keys()


@pytest.mark.parametrize("error", [Unavailable("nobody answers"), Overloaded("the queue is full")])
async def test_what_passes_says_when_to_try_again(error: Unavailable) -> None:
    response = await answer_to(error)
    refused = problem(response, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
    assert "same Idempotency-Key" in refused.detail
    assert response.headers["Retry-After"] == f"{error.retry_after:.0f}"


async def test_what_the_framework_refuses_keeps_its_headers() -> None:
    error = HTTPException(HTTPStatus.UNAUTHORIZED, headers={"WWW-Authenticate": "Bearer"})
    response = await answer_to(error)
    problem(response, HTTPStatus.UNAUTHORIZED, "unauthorized")
    assert response.headers["WWW-Authenticate"] == "Bearer"


async def test_a_fault_is_pointed_to_wherever_it_is() -> None:
    app = FastAPI()
    handle_problems(app)

    @app.post("/")
    async def name(line_up: LineUp) -> None:
        pass

    assert pointers(await ask(app, "POST", {"boards": {"a/b~c": [1, "x"], "": "x"}})) == [
        "/boards/",
        "/boards/a~1b~0c/1",
    ]
    assert pointers(await ask(app, "POST", {})) == ["/boards"]
    assert (await ask(app, "POST", {"boards": {}})).status_code == HTTPStatus.OK


def test_only_what_is_malformed_is_called_so() -> None:
    with pytest.raises(ZeroDivisionError):
        problems.malformed(Request({"type": "http"}), ZeroDivisionError())
