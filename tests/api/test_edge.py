"""What every service has at its edge: health, readiness, its own faults, and the document that describes it."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from shared.event_store import Append
from shared.postgres import PostgresStore
from tests.api.asking import FEDERATIONS, NOWHERE, Client, problem, service
from tests.events import event


async def test_an_unknown_path_is_a_problem(client: Client) -> None:
    for path in ("/", "/v1", "/v2/federations", "/v1/federations/a/b", "/v1/federations/a%2Fb", "/%00"):
        problem(await client.get(path), HTTPStatus.NOT_FOUND, "not-found")


async def test_a_wrong_method_is_a_problem_that_names_the_right_ones(client: Client) -> None:
    response = await client.delete(f"{FEDERATIONS}/nobody")
    problem(response, HTTPStatus.METHOD_NOT_ALLOWED, "method-not-allowed")
    assert response.headers["Allow"] == "GET"


async def test_a_fault_of_ours_is_a_problem_that_tells_no_secrets(client: Client, database: str) -> None:
    store = PostgresStore(database)
    async with store.running():
        await store.append(Append(expected={"federation-f1": 0}, events=[event("federation-f1", 1)]))
    document = problem(await client.get(f"{FEDERATIONS}/f1"), HTTPStatus.INTERNAL_SERVER_ERROR, "internal-server-error")
    assert "msgspec" not in document.model_dump_json()


async def test_without_its_database_it_says_when_to_try_again() -> None:
    async with service(f"postgresql://nobody:nothing@{NOWHERE}/nowhere") as client:
        assert (await client.get("/healthz")).status_code == HTTPStatus.OK
        assert (await client.get("/readyz")).json()["checks"]["database"] != "ok"
        for path in (FEDERATIONS, f"{FEDERATIONS}/f1"):
            response = await client.get(path)
            problem(response, HTTPStatus.SERVICE_UNAVAILABLE, "unavailable")
            assert int(response.headers["Retry-After"]) > 0


async def test_it_is_alive_and_says_what_it_misses(client: Client) -> None:
    alive = await client.get("/healthz")
    assert (alive.status_code, alive.json()) == (HTTPStatus.OK, {"status": "alive"})
    ready = await client.get("/readyz")
    assert ready.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert ready.json()["status"] == "not ready"
    wrong = {part: answer for part, answer in ready.json()["checks"].items() if answer != "ok"}
    assert wrong == {"broker": "the broker is not connected"}


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method} {path}", operation


async def test_the_document_describes_every_operation(client: Client) -> None:
    document = (await client.get("/openapi.json")).json()
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["title"] == "Roundlog registration"
    described = dict(operations(document))
    assert len({operation["operationId"] for operation in described.values()}) == len(described)
    assert all(operation["summary"] for operation in described.values())
    assert {"post /v1/federations", "get /v1/federations", "get /readyz"} <= described.keys()


async def test_the_document_describes_every_problem_as_it_is_sent(client: Client) -> None:
    document = (await client.get("/openapi.json")).json()
    problems = {
        f"{name} {status}": answer["content"]
        for name, operation in operations(document)
        for status, answer in operation["responses"].items()
        if int(status) >= 400 and not name.endswith("/readyz")
    }
    assert problems
    for content in problems.values():
        assert content == {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
