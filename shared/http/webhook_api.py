"""Webhooks of a tournament: whom this service calls when something happens in it, and what became of each call."""

from collections.abc import Iterable
from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Response
from pydantic import BaseModel, Field

from shared.access.policy import roles
from shared.access.references import id_of
from shared.access.roles import Role
from shared.commands.handler import digest
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.live_api import Tell
from shared.http.orders import CHANGED, CREATED, answered_before, run, with_body
from shared.http.parameters import Absent, TournamentId
from shared.http.problems import documented
from shared.http.responses import BAD, PAGE, page, unversioned
from shared.ids import NewId
from shared.log.envelope import MESSAGES
from shared.log.store import EventStore, Recorded
from shared.refusals import Conflict, Invalid, NotFound
from shared.values import Value
from shared.webhooks.addresses import AddressBook
from shared.webhooks.book import DeliveryState, KeptDelivery, KeptWebhook, WebhookBook
from shared.webhooks.sender import TEST, Describe, WebhookEvent, WebhookHandler, WebhookSender, WebhookTypes
from shared.webhooks.signature import new_secret, shown_secret
from shared.webhooks.stream import (
    AskForDelivery,
    AskForTest,
    PauseWebhook,
    RegisterWebhook,
    RemoveWebhook,
    RestartWebhook,
    RotateWebhookSecret,
    WebhookKind,
    webhook_of,
)

DIRECT = roles(Role.DIRECTOR, scope="tournament_id")
PATTERN = r"^[0-9a-f-]{1,64}$"
RECEIVER = "https://example.org/roundlog"
WEBHOOK = "5c1f8e2a9d3b4f60a7e1c2d3e4f50617"
MOST_SHOWN = 100
READ = BAD | documented(HTTPStatus.NOT_FOUND)

type WebhookId = Annotated[
    str,
    Path(
        description="The id that registering answered.",
        pattern=PATTERN,
        json_schema_extra=id_of("webhook"),
        examples=[WEBHOOK],
    ),
]
type DeliveryNumber = Annotated[int, Path(ge=1, le=2**62, description="As the list has it.", examples=[12])]
type Before = Annotated[
    int | Absent, Query(ge=1, le=2**62, description="Only older ones than this number.", examples=[12])
]
type Most = Annotated[int, Query(alias="limit", ge=1, le=MOST_SHOWN, description="At most so many.", examples=[20])]


class KindNotToldHere(Invalid):
    """Another service tells of it."""


class WebhookStopped(Conflict):
    """Nothing is sent to a webhook that is stopped or paused."""


class DeliveryUnknown(NotFound):
    """It is not among those that are kept."""


class WebhookToRegister(RequestBody):
    url: str = Field(
        max_length=2_000,
        description="Of the receiver; begins with https://, and leads to public addresses alone.",
        examples=[RECEIVER],
    )
    kinds: list[WebhookKind] = Field(
        min_length=1, max_length=4, description="Of what it is told.", examples=[["results"]]
    )


def asked_of(types: Iterable[str]) -> dict[str, Any]:
    """What a service that tells of these kinds takes."""
    return {"url": RECEIVER, "kinds": [*types][:1]}


class Webhook(BaseModel):
    id: str = Field(examples=[WEBHOOK])
    url: str = Field(examples=[RECEIVER])
    kinds: list[str] = Field(examples=[["results"]])
    state: Literal["active", "paused", "stopped"] = Field(
        description="`paused` by a director; `stopped` after days of failures, or when it answered that it is gone (410).",
        examples=["active"],
    )
    waiting: int = Field(
        description="Deliveries that are not taken yet. What happens while it is paused or stopped joins them once it is restarted.",
        examples=[0],
    )
    failures: int = Field(description="In a row.", examples=[0])
    failing_since: datetime | None = Field(examples=[None])
    registered: datetime = Field(examples=["2026-11-21T10:02:11Z"])


class WebhookWithSecret(Webhook):
    secret: str = Field(
        description="Signs what is sent. It is shown only now: keep it.",
        examples=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
    )


class WebhooksListed(BaseModel):
    items: list[Webhook] = Field(description="In the order in which they were registered.")


class WebhookGone(BaseModel):
    id: str = Field(examples=[WEBHOOK])


class Delivery(BaseModel):
    number: int = Field(examples=[12])
    id: UUID = Field(description="The `webhook-id` of each attempt.", examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    position: int | None = Field(description="In the log of this service; null for a test.", examples=[12873])
    type: str = Field(
        description="Of the record in the log. What is sent has the type of its message, such as `ResultFinal`.",
        examples=["ResultAgreed"],
    )
    state: DeliveryState = Field(examples=["delivered"])
    attempts: int = Field(examples=[1])
    last_at: datetime | None = Field(description="When the last attempt ended.", examples=["2026-11-21T10:02:12Z"])
    code: int | None = Field(description="What it answered.", examples=[200])
    problem: str | None = Field(description="Why the last attempt was none.", examples=[None])
    next_at: datetime | None = Field(description="Not tried before, while it waits.", examples=[None])


class DeliveriesListed(BaseModel):
    items: list[Delivery] = Field(description="The newest first.")
    next: int | None = Field(
        description="Send it as `before` to get older ones; null on the last page.", examples=[None]
    )


class WebhookDesk(Value):
    """What the operations of webhooks need."""

    service: str
    types: WebhookTypes
    handler: WebhookHandler
    book: WebhookBook
    addresses: AddressBook
    sender: WebhookSender
    store: EventStore
    new_id: NewId

    def name_of(self, act: Act) -> str:
        """The same for the same request, so that whoever repeats it gets what the first answer had."""
        return digest(act.key.key, act.key.request).hex()[:32] if act.key else self.new_id().hex

    def require_told(self, kinds: list[WebhookKind]) -> None:
        if strange := [kind for kind in kinds if kind not in self.types]:
            raise KindNotToldHere(
                f"{self.service.capitalize()} does not tell of {', '.join(strange)}, but of {', '.join(self.types)}: "
                "register a webhook at the service that does."
            )


def routes(*, desk: WebhookDesk, door: Door) -> APIRouter:  # noqa: C901, PLR0915 - nine short operations
    router = Router(prefix="/v1/tournaments/{tournament_id}/webhooks", tags=["webhooks"])
    acts, looks = Depends(door.acts(DIRECT)), [Depends(door.reads(DIRECT))]
    book = desk.book

    async def with_secret(response: Response, tournament: str, webhook: str) -> Response:
        kept, secret = await book.one(tournament, webhook), await book.secret(webhook, tournament)
        return with_body(
            response,
            WebhookWithSecret(**webhook_view(kept).model_dump(), secret=shown_secret(secret or b"")),
        )

    async def one_delivery(tournament: str, webhook: str, number: int) -> KeptDelivery:
        await book.one(tournament, webhook)
        found = await book.deliveries(webhook, before=number + 1, limit=1)
        if not found or found[0].number != number:
            raise DeliveryUnknown("There is no such delivery any more: look into the list.")
        return found[0]

    async def with_delivery(response: Response, webhook: str, identity: UUID) -> Response:
        found = await book.delivery(webhook, identity)
        if found is None:
            raise DeliveryUnknown("There is no such delivery any more: look into the list.")
        return with_body(response, delivery_view(found))

    async def once(tournament: str, order: AskForTest | AskForDelivery, act: Act) -> Response:
        """Whoever repeats the request is answered also when the webhook was stopped since."""
        if before := await answered_before(desk.handler, act):
            await book.one(tournament, order.webhook)
            return before
        await require_active(tournament, order.webhook)
        return await run(desk.handler, tournament, order, act, lambda _: WebhookGone(id=order.webhook))

    async def is_paused(tournament: str, webhook: str) -> bool:
        state, _ = await desk.handler.load(tournament)
        return webhook in state.known and state.known[webhook].is_paused

    async def require_active(tournament: str, webhook: str) -> None:
        if (await book.one(tournament, webhook)).state != "active":
            raise WebhookStopped("The webhook is not called: restart it first, and what waits is sent.")

    @router.post(
        "",
        summary="Register a webhook",
        description="From now on its address is called when something of these kinds happens, signed with the secret of the "
        "answer.",
        operation_id="registerWebhook",
        status_code=HTTPStatus.CREATED,
        response_model=WebhookWithSecret,
        responses=CREATED,
        openapi_extra={"requestBody": {"content": {"application/json": {"example": asked_of(desk.types)}}}},
    )
    async def register(tournament_id: TournamentId, body: WebhookToRegister, act: Annotated[Act, acts]) -> Response:
        desk.require_told(body.kinds)
        if not await answered_before(desk.handler, act):  # its name may lead nowhere for a moment
            await desk.addresses.require_callable(body.url)
        webhook, kinds = desk.name_of(act), tuple(dict.fromkeys(body.kinds))
        position = (await desk.store.head()).position
        await book.keep(webhook, tournament_id, body.url, kinds, new_secret(), position)
        order = RegisterWebhook(webhook=webhook, tournament=tournament_id, kinds=kinds)
        response = await run(
            desk.handler, tournament_id, order, act, lambda _: WebhookGone(id=webhook), status=HTTPStatus.CREATED
        )
        state, _ = await desk.handler.load(tournament_id)
        webhook_of(state, webhook)  # a repeated request may be about one that was removed since
        await book.confirm(webhook)
        desk.sender.look()
        return await with_secret(response, tournament_id, webhook)

    @router.get(
        "",
        summary="The webhooks of a tournament",
        description="Those of this service, and whether they can be reached.",
        operation_id="listWebhooks",
        response_model=WebhooksListed,
        responses=BAD,
        dependencies=looks,
    )
    async def several(tournament_id: TournamentId) -> Response:
        return unversioned(WebhooksListed(items=[webhook_view(one) for one in await book.listed(tournament_id)]))

    @router.post(
        "/{webhook_id}/rotate-secret",
        summary="Give a webhook another secret",
        description="For a day the former one signs beside it.",
        operation_id="rotateWebhookSecret",
        response_model=WebhookWithSecret,
        responses=CHANGED,
    )
    async def rotate(tournament_id: TournamentId, webhook_id: WebhookId, act: Annotated[Act, acts]) -> Response:
        await book.one(tournament_id, webhook_id)
        rotation = desk.name_of(act)
        order = RotateWebhookSecret(webhook=webhook_id, rotation=rotation)
        response = await run(desk.handler, tournament_id, order, act, lambda _: WebhookGone(id=webhook_id))
        state, _ = await desk.handler.load(tournament_id)
        if webhook_of(state, webhook_id).rotation == rotation:  # a repeated request may be followed by another since
            await book.rotate(webhook_id, tournament_id, new_secret(), rotation)
        return await with_secret(response, tournament_id, webhook_id)

    @router.post(
        "/{webhook_id}/restart",
        summary="Call a webhook again",
        description="At once, with all that waits, also where it was stopped: nothing that happened meanwhile is left out.",
        operation_id="restartWebhook",
        response_model=Webhook,
        responses=CHANGED,
    )
    async def restart(tournament_id: TournamentId, webhook_id: WebhookId, act: Annotated[Act, acts]) -> Response:
        await book.one(tournament_id, webhook_id)
        order = RestartWebhook(webhook=webhook_id, restart=desk.name_of(act))
        response = await run(desk.handler, tournament_id, order, act, lambda _: WebhookGone(id=webhook_id))
        if not await is_paused(tournament_id, webhook_id):  # a repeated request may be followed by a pause since
            await book.restart(webhook_id, tournament_id)
        desk.sender.look()
        return with_body(response, webhook_view(await book.one(tournament_id, webhook_id)))

    @router.post(
        "/{webhook_id}/pause",
        summary="Pause a webhook",
        description="It is not called until it is restarted. What happens meanwhile waits for it: nothing is left out.",
        operation_id="pauseWebhook",
        response_model=Webhook,
        responses=CHANGED,
    )
    async def pause(tournament_id: TournamentId, webhook_id: WebhookId, act: Annotated[Act, acts]) -> Response:
        await book.one(tournament_id, webhook_id)
        order = PauseWebhook(webhook=webhook_id)
        response = await run(desk.handler, tournament_id, order, act, lambda _: WebhookGone(id=webhook_id))
        if await is_paused(tournament_id, webhook_id):  # a repeated request may be followed by a restart since
            await book.pause(webhook_id)
        return with_body(response, webhook_view(await book.one(tournament_id, webhook_id)))

    @router.post(
        "/{webhook_id}/remove",
        summary="Remove a webhook",
        description="It is called no more; its address, its secrets and its deliveries are deleted.",
        operation_id="removeWebhook",
        response_model=WebhookGone,
        responses=CHANGED,
    )
    async def remove(tournament_id: TournamentId, webhook_id: WebhookId, act: Annotated[Act, acts]) -> Response:
        order = RemoveWebhook(webhook=webhook_id)
        response = await run(desk.handler, tournament_id, order, act, lambda _: WebhookGone(id=webhook_id))
        await book.drop(webhook_id)
        return response

    @router.post(
        "/{webhook_id}/test",
        summary="Send a webhook a test",
        description="A delivery of the type `webhook.test`, signed like all others.",
        operation_id="testWebhook",
        response_model=Delivery,
        responses=CHANGED,
    )
    async def test(tournament_id: TournamentId, webhook_id: WebhookId, act: Annotated[Act, acts]) -> Response:
        test = desk.name_of(act)
        response = await once(tournament_id, AskForTest(webhook=webhook_id, test=test), act)
        await book.test(webhook_id, UUID(test), TEST)
        desk.sender.look()
        return await with_delivery(response, webhook_id, UUID(test))

    @router.get(
        "/{webhook_id}/deliveries",
        summary="What became of deliveries",
        description="Each with its last attempt. Of those that are over the last 500 are kept.",
        operation_id="listDeliveries",
        response_model=DeliveriesListed,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=looks,
    )
    async def deliveries(
        tournament_id: TournamentId, webhook_id: WebhookId, before: Before = None, limit: Most = 20
    ) -> Response:
        await book.one(tournament_id, webhook_id)
        found = await book.deliveries(webhook_id, before=before, limit=limit + 1)
        items = [delivery_view(one) for one in found[:limit]]
        earlier = items[-1].number if len(found) > limit else None
        path = f"/v1/tournaments/{tournament_id}/webhooks/{webhook_id}/deliveries"
        following = None if earlier is None else str(earlier)
        return page(DeliveriesListed(items=items, next=earlier), path, following, {"limit": limit}, cursor="before")

    @router.post(
        "/{webhook_id}/deliveries/{number}/send-again",
        summary="Send a delivery again",
        description="With the same id and the same body, whether it was taken or not.",
        operation_id="sendDeliveryAgain",
        response_model=Delivery,
        responses=CHANGED,
    )
    async def again(
        tournament_id: TournamentId, webhook_id: WebhookId, number: DeliveryNumber, act: Annotated[Act, acts]
    ) -> Response:
        found, name = await one_delivery(tournament_id, webhook_id, number), desk.name_of(act)
        order = AskForDelivery(webhook=webhook_id, delivery=str(found.id), again=name)
        response = await once(tournament_id, order, act)
        state, _ = await desk.handler.load(tournament_id)
        if webhook_of(state, webhook_id).asked == name:  # a repeated request may be followed by another since
            await book.again(webhook_id, found.id, name)
        desk.sender.look()
        return await with_delivery(response, webhook_id, found.id)

    return router


def webhook_view(one: KeptWebhook) -> Webhook:
    return Webhook(
        id=one.id,
        url=one.url,
        kinds=list(one.kinds),
        state="active" if one.state == "asked" else one.state,
        waiting=one.waiting,
        failures=one.failures,
        failing_since=one.failing_since,
        registered=one.at,
    )


def delivery_view(one: KeptDelivery) -> Delivery:
    shown = Delivery.model_validate(one, from_attributes=True)
    return shown if one.state == "waiting" else shown.model_copy(update={"next_at": None})


def as_told(tell: Tell) -> Describe:
    """Webhooks are told what those hear who listen here."""

    async def describe(recorded: Recorded) -> WebhookEvent | None:
        event = await tell(recorded)
        if event is None:
            return None
        message = MESSAGES.decode(event.message)
        return WebhookEvent(type=event.type, at=message.at, data=message.data)

    return describe
