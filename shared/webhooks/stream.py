"""The webhooks of a tournament in one service: who is told, and of what. One stream a tournament.

Where a webhook leads stands beside the log: an address may be a secret, or about somebody.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.refusals import Conflict, NotFound
from shared.values import Value

MOST_WEBHOOKS = 5  # of one tournament in one service

type WebhookKind = Literal["results", "rounds", "tables", "disputes"]

# Orders


class RegisterWebhook(Order):
    webhook: str
    tournament: str
    kinds: tuple[WebhookKind, ...]


class RotateWebhookSecret(Order):
    webhook: str
    rotation: str  # names the act


class RestartWebhook(Order):
    webhook: str
    restart: str  # names the act


class PauseWebhook(Order):
    webhook: str


class RemoveWebhook(Order):
    webhook: str


class AskForTest(Order):
    webhook: str
    test: str  # names the act, and the delivery


class AskForDelivery(Order):
    webhook: str
    delivery: str
    again: str  # names the act


type Change = RotateWebhookSecret | RestartWebhook | PauseWebhook | RemoveWebhook | AskForTest | AskForDelivery
type Command = RegisterWebhook | Change

# Facts


class WebhookRegistered(Fact):
    """From now on what this log says of a tournament, of these kinds, is told to an address that lies beside the log."""

    webhook: str
    tournament: str
    kinds: tuple[WebhookKind, ...]


class WebhookSecretRotated(Fact):
    """A webhook is signed with another secret; the former one signs beside it for a while."""

    webhook: str
    tournament: str
    rotation: str


class WebhookRestarted(Fact):
    """A webhook is called again at once, after it was paused, could not be reached, or was stopped for that."""

    webhook: str
    tournament: str
    restart: str


class WebhookPaused(Fact):
    """A webhook is not called until it is restarted; what happens meanwhile waits for it."""

    webhook: str
    tournament: str


class WebhookRemoved(Fact):
    """A webhook is told nothing more; its address, its secrets and its deliveries are gone."""

    webhook: str
    tournament: str


class WebhookTested(Fact):
    """Somebody has asked for a delivery that tells nothing."""

    webhook: str
    tournament: str
    test: str


class DeliveryAskedFor(Fact):
    """Somebody has asked for a delivery to be sent once more."""

    webhook: str
    tournament: str
    delivery: str
    again: str


type Event = (
    WebhookRegistered
    | WebhookSecretRotated
    | WebhookRestarted
    | WebhookPaused
    | WebhookRemoved
    | WebhookTested
    | DeliveryAskedFor
)

# States


class KnownWebhook(Value):
    tournament: str
    kinds: tuple[WebhookKind, ...]
    rotation: str | None = None
    restart: str | None = None
    is_paused: bool = False
    asked: str | None = None  # the act that has asked for a delivery last


class Webhooks(Value):
    known: Mapping[str, KnownWebhook] = {}
    removed: frozenset[str] = frozenset()


# Refusals


class WebhookUnknown(NotFound):
    """The tournament has no such webhook here."""


class TooManyWebhooks(Conflict):
    """Each of them is told everything."""


def decide(state: Webhooks, command: Command) -> list[Event]:
    if isinstance(command, RegisterWebhook):
        return register(state, command)
    if isinstance(command, RemoveWebhook) and command.webhook in state.removed:
        return []
    known = webhook_of(state, command.webhook)
    return [] if is_so(known, command) else [fact_of(known.tournament, command)]


def register(state: Webhooks, command: RegisterWebhook) -> list[Event]:
    if command.webhook in state.known:
        return []
    if len(state.known) >= MOST_WEBHOOKS:
        raise TooManyWebhooks(f"There are {MOST_WEBHOOKS} webhooks here already: remove one that is not needed.")
    return [WebhookRegistered(webhook=command.webhook, tournament=command.tournament, kinds=command.kinds)]


def is_so(known: KnownWebhook, command: Change) -> bool:
    match command:
        case RotateWebhookSecret():
            return known.rotation == command.rotation
        case RestartWebhook():
            return known.restart == command.restart
        case PauseWebhook():
            return known.is_paused
        case AskForTest():
            return known.asked == command.test
        case AskForDelivery():
            return known.asked == command.again
        case RemoveWebhook():
            return False


def fact_of(tournament: str, command: Change) -> Event:
    match command:
        case RotateWebhookSecret(webhook=webhook, rotation=rotation):
            return WebhookSecretRotated(webhook=webhook, tournament=tournament, rotation=rotation)
        case RestartWebhook(webhook=webhook, restart=restart):
            return WebhookRestarted(webhook=webhook, tournament=tournament, restart=restart)
        case PauseWebhook(webhook=webhook):
            return WebhookPaused(webhook=webhook, tournament=tournament)
        case AskForTest(webhook=webhook, test=test):
            return WebhookTested(webhook=webhook, tournament=tournament, test=test)
        case AskForDelivery(webhook=webhook, delivery=delivery, again=again):
            return DeliveryAskedFor(webhook=webhook, tournament=tournament, delivery=delivery, again=again)
        case RemoveWebhook(webhook=webhook):
            return WebhookRemoved(webhook=webhook, tournament=tournament)


def evolve(state: Webhooks, event: Event) -> Webhooks:
    match event:
        case WebhookRegistered():
            one = KnownWebhook(tournament=event.tournament, kinds=event.kinds)
            return msgspec.structs.replace(state, known={**state.known, event.webhook: one})
        case WebhookSecretRotated():
            return changed(state, event.webhook, rotation=event.rotation)
        case WebhookRestarted():
            return changed(state, event.webhook, restart=event.restart, is_paused=False)
        case WebhookPaused():
            return changed(state, event.webhook, is_paused=True)
        case WebhookRemoved():
            left = {name: one for name, one in state.known.items() if name != event.webhook}
            return Webhooks(known=left, removed=state.removed | {event.webhook})
        case WebhookTested():
            return changed(state, event.webhook, asked=event.test)
        case DeliveryAskedFor():
            return changed(state, event.webhook, asked=event.again)


def changed(state: Webhooks, webhook: str, **parts: str | bool) -> Webhooks:
    one = msgspec.structs.replace(state.known[webhook], **parts)
    return msgspec.structs.replace(state, known={**state.known, webhook: one})


def webhook_of(state: Webhooks, webhook: str) -> KnownWebhook:
    if webhook not in state.known:
        raise WebhookUnknown("There is no such webhook of this tournament here: look into the list, at each service.")
    return state.known[webhook]


WEBHOOKS: Decider[Webhooks, Command, Event] = Decider(
    kind="webhooks",
    initial=Webhooks(),
    decide=decide,
    evolve=evolve,
    events=classes_of(Event),
)
