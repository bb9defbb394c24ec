"""What all services have in common at their edge: how they start and stop, who is let in, and how they are described."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.middleware.cors import CORSMiddleware

from shared import logs
from shared.auth import Tokens
from shared.clock import now
from shared.description import describe, policies, show_pages
from shared.event_store import EventStore
from shared.grants import Grants
from shared.health import Check, health
from shared.keys import KeyFile, KeyPage, Keyring, NoKeys
from shared.limits import Bounded, Rate
from shared.live import Streams
from shared.metrics import Metrics
from shared.problems import Called, handle_problems
from shared.settings import Settings
from shared.sign_in import SignIn
from shared.watching import Watching

type Part = Callable[[], AbstractAsyncContextManager[None]]

# Traces and metrics are our own, without what people sent.
NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}
EXPOSED = ["ETag", "Link", "Location", "Retry-After", "Roundlog-Position", "X-Request-Id"]


def create_service(
    *,
    name: str,
    description: str,
    settings: Settings,
    store: EventStore,
    grants: Grants,
    routers: Sequence[APIRouter],
    streams: Streams,
    parts: Sequence[Part],
    checks: Mapping[str, Check],
    called: Called | None = None,
) -> FastAPI:
    """An app that runs its parts, in order, while it is up, and answers for its health."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        logs.to_standard_output(name, settings.log_level)
        async with AsyncExitStack() as stack:
            for part in parts:
                await stack.enter_async_context(part())
            yield

    app = FastAPI(
        title=f"Roundlog {name}",
        version="1",
        description=description,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=NO_TELEMETRY,
    )
    app.state.streams = streams
    metrics = Metrics(streams.count)
    handle_problems(app, called)
    for router in (*routers, health(checks, metrics, store)):
        app.routes.extend(router.routes)  # to include it would make every route a second time
    show_pages(app)
    describe(app, policies(routers))
    guard(app, settings, grants, metrics)
    return app


def guard(app: FastAPI, settings: Settings, grants: Grants, metrics: Metrics) -> None:
    """What a request goes through before its operation; the last one added is the first."""
    tokens = Tokens(keyring(settings), captains=grants, issuer=settings.issuer, audience=settings.audience, now=now)
    app.add_middleware(SignIn, tokens=tokens, rate=Rate(settings.rate))
    app.add_middleware(Bounded, largest=settings.largest_body)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=sorted(settings.origins),
            allow_methods=["DELETE", "GET", "POST"],
            allow_headers=["*"],
            expose_headers=EXPOSED,
            max_age=3600,
        )
    app.add_middleware(Watching, metrics=metrics)


def streams_of(settings: Settings) -> Streams:
    return Streams(most=settings.streams, most_of_one=settings.streams_of_one, heartbeat=settings.heartbeat, now=now)


def keyring(settings: Settings) -> Keyring:
    if settings.jwks_url is not None:
        return KeyPage(str(settings.jwks_url))
    return KeyFile(settings.keys) if settings.keys else NoKeys()
