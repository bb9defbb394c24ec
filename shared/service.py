"""What all services have in common at their edge: how they start and stop, their health, their problems."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter, FastAPI, Response
from pydantic import BaseModel, Field

from shared.event_store import Unavailable
from shared.problems import handle_problems

type Part = Callable[[], AbstractAsyncContextManager[None]]
type Check = Callable[[], Awaitable[object]]

CHECK_PATIENCE = 2.0  # seconds


class Health(BaseModel):
    status: Literal["alive"] = "alive"


class Readiness(BaseModel):
    status: Literal["ready", "not ready"]
    checks: dict[str, str] = Field(
        description="What the service needs, and `ok` or what is wrong with it.",
        examples=[{"database": "ok", "broker": "the broker does not answer"}],
    )


def create_service(
    *,
    name: str,
    description: str,
    routers: Sequence[APIRouter],
    parts: Sequence[Part],
    checks: Mapping[str, Check],
) -> FastAPI:
    """An app that runs its parts, in order, while it is up, and answers for its health."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            for part in parts:
                await stack.enter_async_context(part())
            yield

    app = FastAPI(title=f"Roundlog {name}", version="1", description=description, lifespan=lifespan)
    handle_problems(app)
    for router in routers:
        app.include_router(router)
    app.include_router(health(checks))
    return app


def health(checks: Mapping[str, Check]) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.get("/healthz", summary="Is the process alive?", operation_id="getHealth")
    async def alive() -> Health:
        return Health()

    @router.get(
        "/readyz",
        summary="Is everything there that the service needs?",
        operation_id="getReadiness",
        responses={503: {"model": Readiness, "description": "Something is missing; the checks say what."}},
    )
    async def ready(response: Response) -> Readiness:
        answers = dict(zip(checks, await asyncio.gather(*map(passes, checks.values())), strict=True))
        if all(answer == "ok" for answer in answers.values()):
            return Readiness(status="ready", checks=answers)
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
        return Readiness(status="not ready", checks=answers)

    return router


async def passes(check: Check) -> str:
    try:
        async with asyncio.timeout(CHECK_PATIENCE):
            await check()
    except (Unavailable, TimeoutError) as error:
        return str(error) or "no answer in time"
    return "ok"
