"""What all services have in common at their edge: how they start and stop, who is let in, and how they are described."""

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import APIRouter, FastAPI
from fastapi.telemetry import TelemetryConfig
from starlette.middleware.cors import CORSMiddleware

from shared.access.keys import KeyFile, Keyring, NoKeys
from shared.access.tokens import Tokens
from shared.bundle.part import BundleParts
from shared.clock import now
from shared.commands.decider import untold
from shared.contracts.registration import OfficialAppointed, OfficialDismissed
from shared.http import bundle_api, live_api, log_api, proof_api, story_api, webhook_api
from shared.http.authentication import SignIn
from shared.http.authorization import Door
from shared.http.fast_route import FastRoutes, fast_routes
from shared.http.limits import BodyLimits, BodyMemory, Rate
from shared.http.openapi import OwnFormat, bodies_of_anybody, describe, policies, show_formats, show_pages
from shared.http.problems import Called, handle_problems
from shared.http.proof_api import Proofs
from shared.http.proxies import Proxies
from shared.http.request_log import RequestLog
from shared.http.request_spans import RequestSpans
from shared.http.story_api import Stories
from shared.ids import new_id
from shared.kernel import Kernel, Lifespan
from shared.log.contents import Contents
from shared.observability import logs
from shared.observability.health import Check, health
from shared.observability.metrics import Metrics
from shared.personal.shown_names import NamesShown
from shared.settings import ServiceSettings
from shared.webhooks.addresses import AddressBook
from shared.webhooks.book import WebhookBook
from shared.webhooks.calling import WebhookCaller
from shared.webhooks.sender import Backoff, WebhookSender, WebhookTypes
from shared.webhooks.stream import WEBHOOKS

# Traces and metrics are our own, without what people sent.
NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}
EXPOSED = ["ETag", "Link", "Location", "Retry-After", "Roundlog-Position", "X-Request-Id", "traceparent"]

# Of the federation: who was appointed, and which editions of word lists there are.
ABOVE = {
    "registration": frozenset({OfficialAppointed.__name__, OfficialDismissed.__name__}),
    "results": frozenset({"EditionTaken"}),
}
LINKING = frozenset({"PersonLinked", "PersonUnlinked", "HomeLinked", "HomeUnlinked"})  # whose an account is


def create_service(
    kernel: Kernel,
    *,
    description: str,
    door: Door,
    routers: Sequence[APIRouter],
    parts: Sequence[Lifespan],
    checks: Mapping[str, Check],
    shown: NamesShown,
    called: Called | None = None,
    formats: Sequence[OwnFormat] = (),
    live: live_api.Tell | None = None,
    webhooks: WebhookTypes | None = None,
    contents: Contents | None = None,
) -> FastAPI:
    """An app that runs the kernel and then its parts, in order, while it is up, and answers for their health.

    `live` says what is told to those who listen, where that is more than what neighbours are told; `webhooks` which records are
    told to those who are called; `contents` has the tables that are sealed here.
    """
    stories = Stories(store=kernel.store, deciders=kernel.deciders, notes=kernel.notes, shown=shown)
    tell = live or live_api.in_public(kernel.service)
    desk = webhook_desk(kernel, webhooks, tell) if webhooks else None
    proofs = Proofs(store=kernel.store, trees=kernel.trees, checkpoints=kernel.checkpoints)
    routers = [
        proof_api.routes(proofs=proofs, door=door),
        log_api.routes(store=kernel.store, door=door),
        story_api.routes(stories=stories, door=door),
        bundle_api.routes(parts=parts_of(kernel, contents), door=door),
        live_api.routes(
            store=kernel.store,
            hub=kernel.hub,
            streams=kernel.streams,
            door=door,
            tell=tell,
        ),
        *([webhook_api.routes(desk=desk, door=door)] if desk else []),
        *routers,
    ]

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        logs.to_standard_output(kernel.service, kernel.settings.log_level)
        async with AsyncExitStack() as stack:
            calling = [desk.book.running, desk.sender.running] if desk else []
            for part in (*kernel.parts, *parts, *calling):
                await stack.enter_async_context(part())
            yield

    app = FastAPI(
        title=f"Roundlog {kernel.service}",
        version="1",
        description=description,
        lifespan=lifespan,
        openapi_url=None,  # the page is our own, since it depends on where a caller sees it
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=NO_TELEMETRY,
    )
    app.state.streams = kernel.streams
    metrics = Metrics(kernel.streams.count, service=kernel.service)
    handle_problems(app, called)
    for router in (
        *routers,
        health(
            {**kernel.checks, **checks, **({"webhooks": desk.sender.check} if desk else {})},
            metrics,
            kernel.store,
            kernel.readings,
            kernel.alarms,
        ),
    ):
        app.routes.extend(router.routes)  # to include it would make every route a second time
    show_pages(app)
    show_formats(app, formats)
    describe(app, policies(routers), formats)
    guard(app, kernel, metrics, bodies_of_anybody(routers))
    return app


def parts_of(kernel: Kernel, contents: Contents | None) -> BundleParts:
    """What this log has of a tournament, with what it has of the federation that belongs to it."""
    also = ABOVE.get(kernel.service, frozenset[str]())
    return BundleParts(
        service=kernel.service,
        store=kernel.store,
        trees=kernel.trees,
        checkpoints=kernel.checkpoints,
        contents=contents,
        openings=kernel.openings,
        also=also,
        linking=LINKING if kernel.service == "registration" else frozenset(),
    )


def webhook_desk(kernel: Kernel, types: WebhookTypes, tell: live_api.Tell) -> webhook_api.WebhookDesk:
    handler = kernel.handler(WEBHOOKS, untold)
    book, addresses = WebhookBook(kernel.database), AddressBook(kernel.settings.webhook_networks)
    sender = WebhookSender(
        service=kernel.service,
        types=types,
        handler=handler,
        book=book,
        caller=WebhookCaller(addresses),
        store=kernel.store,
        describe=webhook_api.as_told(tell),
        ring=kernel.hub.next_ring,
        backoff=Backoff(first=kernel.settings.webhook_wait, days=kernel.settings.webhook_days),
        now=now,
    )
    return webhook_api.WebhookDesk(
        service=kernel.service,
        types=types,
        handler=handler,
        book=book,
        addresses=addresses,
        sender=sender,
        store=kernel.store,
        new_id=new_id,
    )


def guard(app: FastAPI, kernel: Kernel, metrics: Metrics, open_to_bodies: Sequence[re.Pattern[str]]) -> None:
    """What a request goes through before its operation; the last one added is the first."""
    settings = kernel.settings
    tokens = Tokens(
        keyring(settings), captains=kernel.grants, issuer=settings.issuer, audience=settings.audience, now=now
    )
    room = BodyMemory(most=settings.bodies, most_of_one=settings.bodies_of_one)
    app.add_middleware(FastRoutes, routes=fast_routes(app.routes), handlers=app.exception_handlers)
    app.add_middleware(BodyLimits, largest=settings.largest_body, room=room, open_to_bodies=open_to_bodies)
    app.add_middleware(
        SignIn,
        tokens=tokens,
        rate=Rate(settings.rate),
        proxies=Proxies(settings.proxies),
        open_to_bodies=open_to_bodies,
    )
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=sorted(settings.origins),
            allow_methods=["DELETE", "GET", "POST"],
            allow_headers=["*"],
            expose_headers=EXPOSED,
            max_age=3600,
        )
    app.add_middleware(RequestLog, metrics=metrics, service=kernel.service)
    if kernel.spans:
        app.add_middleware(RequestSpans, spans=kernel.spans)


def keyring(settings: ServiceSettings) -> Keyring:
    if settings.jwks_url is not None:
        from shared.access.key_page import KeyPage  # noqa: PLC0415 - only this needs an HTTP client

        return KeyPage(str(settings.jwks_url))
    return KeyFile(settings.keys) if settings.keys else NoKeys()
