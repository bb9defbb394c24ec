"""What every service has at its edge: health, readiness, and its own faults."""

import asyncio
import re
from http import HTTPStatus

from shared.log.postgres import PostgresStore
from shared.log.store import Append
from tests.api.asking import FEDERATIONS, NOWHERE, Client, founded, problem, service
from tests.events import event
from tests.patience import AT_ONCE, PATIENCE


async def test_an_unknown_path_is_a_problem(client: Client) -> None:
    for path in (
        "/",
        "/v1",
        "/v2/federations",
        "/v1/federations/a/b",
        "/v1/federations/a%2Fb",
        "/v1/federations/",
        "/%00",
    ):
        problem(await client.get(path), HTTPStatus.NOT_FOUND, "not-found")


async def test_a_wrong_method_is_a_problem_that_names_the_right_ones(client: Client) -> None:
    response = await client.delete(f"{FEDERATIONS}/nobody")
    problem(response, HTTPStatus.METHOD_NOT_ALLOWED, "method-not-allowed")
    assert response.headers["Allow"] == "GET"


async def test_a_wrong_method_is_told_all_that_the_path_has(client: Client) -> None:
    for method in ("OPTIONS", "PUT", "DELETE"):
        for path in ("/v1/tournaments", FEDERATIONS):
            response = await client.request(method, path)
            assert (response.status_code, response.headers["Allow"]) == (HTTPStatus.METHOD_NOT_ALLOWED, "GET, POST")


async def test_a_fault_of_ours_is_a_problem_that_tells_no_secrets(database: str) -> None:
    store = PostgresStore(database)
    async with store.running():
        await store.append(Append(expected={"federation-f1": 0}, events=[event("federation-f1", 1)]))
    async with service(database, as_documented=False) as client:
        answer = await client.get(f"{FEDERATIONS}/f1")
    document = problem(answer, HTTPStatus.INTERNAL_SERVER_ERROR, "internal-server-error")
    assert "msgspec" not in document.model_dump_json()


async def test_without_its_database_it_says_when_to_try_again() -> None:
    async with service(f"postgresql://nobody:nothing@{NOWHERE}/nowhere") as client:
        assert (await client.get("/healthz")).status_code == HTTPStatus.OK
        assert (await client.get("/readyz")).json()["checks"]["database"] != "ok"
        for path in (FEDERATIONS, f"{FEDERATIONS}/f1"):
            response = await client.get(path, extensions=AT_ONCE)
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


async def test_what_is_written_is_soon_in_the_tree_and_metrics_say_how_soon(client: Client) -> None:
    await founded(client, "Slovak Scrabble Association")
    async with asyncio.timeout(PATIENCE):
        while True:
            found = (await client.get("/metrics")).text
            said = dict(re.findall(r"^roundlog_(\w+_position|tree_lag_seconds) (\S+)$", found, re.MULTILINE))
            if said["tree_position"] == said["log_position"] and float(said["log_position"]) > 0:
                break
            await asyncio.sleep(0.01)
    assert float(said["tree_lag_seconds"]) >= 0
