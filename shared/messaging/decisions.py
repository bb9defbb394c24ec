"""What operators decide about an inbox, as a stream: a message is passed over, or tried again, or a restored source accepted.

Whatever is made of an inbox rests on it: who makes it anew from what neighbours have said would come to something else.
A stream is of one scope, or of one source as a whole.
"""

from collections.abc import Iterable
from typing import ClassVar

import msgspec

from shared.clock import now
from shared.commands.decider import Decider, Fact, Mark, classes_of
from shared.commands.handler import Handler, Origin
from shared.commands.transactional import Within
from shared.contracts import decisions as public
from shared.ids import new_id
from shared.log.connection import Connection
from shared.log.notify import RING
from shared.values import Value


class EventSkipped(Fact):
    """An operator let a parked scope go on without the message that it could not get past: it counts as never said here."""

    MARK: ClassVar[Mark] = "override"

    scope: str
    source: str
    number: int
    type: str
    reason: str
    note: str | None


class ScopeRetried(Fact):
    """An operator let a parked scope try its next message again, for instance with a mended version."""

    scope: str
    source: str
    number: int
    type: str
    reason: str
    note: str | None


class SourceAccepted(Fact):
    """An operator let the service go on with a neighbour that was restored from a backup, behind what both still have.

    Said once of the neighbour as a whole, where scope and source are the same, and once of each scope of which messages
    are lost. Of `lost`, those in `effective` had taken effect, and that stays.
    """

    MARK: ClassVar[Mark] = "override"

    scope: str
    source: str
    former: str
    log: str
    common: int
    received: int
    lost: tuple[int, ...]
    effective: tuple[int, ...]
    reason: str
    note: str | None


type Decided = EventSkipped | ScopeRetried | SourceAccepted


class DecisionsTaken(Value):
    """What an operator may decide follows from the inbox as it is, not from what was decided before."""


def decide(_: DecisionsTaken, decided: Decided) -> list[Decided]:
    return [decided]


def evolve(state: DecisionsTaken, _: Decided) -> DecisionsTaken:
    return state


INBOX: Decider[DecisionsTaken, Decided, Decided] = Decider(
    kind="inbox",
    initial=DecisionsTaken(),
    decide=decide,
    evolve=evolve,
    events=classes_of(Decided),
)

OPERATOR = "operator"


class DecidedBy(Value):
    """An operator, as their token would call them, and the command of the command line."""

    subject: str
    operation: str


def told(event: Decided) -> public.EventSkipped | public.SourceAccepted | None:
    """So that the inputs of whatever is made from now on say it: they count what a service has told of a scope."""
    match event:
        case EventSkipped():
            return msgspec.convert(event, public.EventSkipped, from_attributes=True)
        case SourceAccepted() if event.lost:
            return msgspec.convert(event, public.SourceAccepted, from_attributes=True)
        case ScopeRetried() | SourceAccepted():
            return None


async def record(connection: Connection, service: str, decisions: Iterable[Decided], by: DecidedBy) -> None:
    """Within the transaction in which they take effect, as its last part: the head of the log is locked from then on."""
    handler = Handler(decider=INBOX, publish=told, store=Within(connection), now=now, new_id=new_id, service=service)
    for decision in decisions:
        origin = Origin(actor=by.subject, role=OPERATOR, operation=by.operation)
        await handler.handle(
            decision.scope, decision, scope=decision.scope, origin=origin, respond=lambda _state, _version: b""
        )
    await connection.execute(RING, "log")
