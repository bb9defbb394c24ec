"""What is told at once: to those who run a tournament also how far a round is before it is published.

A draft is for those who may see it, and so is a lot from which it follows. What came of a recall or a repair concerns all who officiate. Everybody hears of rounds
that are published, changed or recalled.
"""

from http import HTTPStatus
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse
from msgspec.structs import replace

from services.pairing.api.permissions import SEE, SEE_DRAFTS
from services.pairing.domain import round as rounds
from services.pairing.domain.round import ROUND
from services.pairing.tournaments import Tournaments
from shared.access.asker import Asker
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.live_api import LastEventId, LiveEvent, LiveEvents, Tell, in_public, told_here
from shared.http.live_streams import EVENT_STREAM, EventStream, LogNotifier, OpenStreams, one_by_one
from shared.http.parameters import TournamentId
from shared.http.problems import documented
from shared.http.responses import BAD
from shared.log.store import EventStore, Head, Recorded
from shared.lots.stream import LotDrawn
from shared.messaging.positions import Position
from shared.values import Value

EXAMPLE = """retry: 2000
id: 12872

id: 12873
event: round
data: {"tournament":"019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11","stage":"swiss","round":3,"status":"published","starts_at":null,"position":"pairing:12873/4411"}

:

"""
ANSWER = {200: {"content": {EVENT_STREAM: {"schema": {"type": "string"}, "example": EXAMPLE}}}} | BAD
HOW = (
    "Server-Sent Events for everybody: `event` is `round`, `data` says of which stage and round, its `status` (`published`, "
    "`changed` at some tables, `recalled`), of one that is published when it `starts_at`, null: at once, and the `position` to "
    "send as `Roundlog-Min-Position` when the round is read, at any service. Begins now, or behind `Last-Event-ID`, and with "
    "the first round where so much was never told, as after a backup was restored; also before "
    "the tournament starts, once entries are open. Ends after an hour: connect again."
)


class RoundTold(Value):
    """What everybody hears of a round."""

    tournament: str
    stage: str
    round: int
    status: Literal["published", "changed", "recalled"]
    starts_at: str | None  # of one that is published; one that is changed starts when it would have
    position: str


def routes(
    *, tournaments: Tournaments, store: EventStore, hub: LogNotifier, streams: OpenStreams, door: Door
) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/rounds", tags=["rounds"])
    told = LiveEvents(store, hub, to_everybody)

    @router.get(
        "/live",
        summary="Rounds, as they are published, changed and recalled",
        description=HOW,
        operation_id="followRounds",
        response_class=StreamingResponse,
        responses=ANSWER | documented(HTTPStatus.NOT_FOUND),
    )
    async def follow(
        request: Request,
        tournament_id: TournamentId,
        asker: Annotated[Asker, Depends(door.reads(SEE))],
        last_event_id: LastEventId = None,
    ) -> EventStream:
        await tournaments.announced(tournament_id, asker)
        last = (await store.head()).position
        # An `EventSource` that is refused never comes back: whoever has heard more than there is begins with the first round.
        behind = last if last_event_id is None else last_event_id if last_event_id <= last else 0
        return EventStream(
            one_by_one(told.behind(tournament_id, behind)),
            streams=streams,
            asker=asker,
            stays=lambda: door.stays(request, SEE),
            behind=f"{behind}",
        )

    return router


async def to_everybody(recorded: Recorded) -> LiveEvent | None:
    if not recorded.event.stream.startswith(f"{ROUND.kind}-"):
        return None
    match event := ROUND.read(recorded):
        case rounds.RoundPublished():
            status, starts_at = "published", event.starts_at
        case rounds.TablesRepaired():
            status, starts_at = "changed", None
        case rounds.RoundRecalled():
            status, starts_at = "recalled", None
        case _:
            return None
    head = Head(position=recorded.position, public=recorded.public or 0)
    said = RoundTold(
        tournament=event.tournament,
        stage=event.stage,
        round=event.round,
        status=status,
        starts_at=starts_at,
        position=str(Position(source="pairing", head=head)),
    )
    return LiveEvent(type="round", message=msgspec.json.encode(said))


class RoundNews(Value):
    tournament: str
    stage: str
    round: int
    status: Literal["draft", "confirmed", "published"]
    game: str | None = None  # that had begun, where a recall or a repair failed


def telling() -> Tell:
    in_messages = in_public("pairing")
    of_rounds = f"{ROUND.kind}-"

    async def tell(recorded: Recorded) -> LiveEvent | None:
        if recorded.event.message is not None:
            told = await in_messages(recorded)
            return told and replace(told, to=SEE_DRAFTS) if recorded.event.type == LotDrawn.__name__ else told
        return of_round(recorded) if recorded.event.stream.startswith(of_rounds) else None

    return tell


def of_round(recorded: Recorded) -> LiveEvent | None:
    tournament, stage, number = recorded.event.stream.removeprefix(f"{ROUND.kind}-").rsplit(".", 2)
    news = RoundNews(tournament=tournament, stage=stage, round=int(number), status="draft")
    match event := ROUND.read(recorded):
        case rounds.RoundDrafted() | rounds.PairingOverridden():
            return told_here(recorded, news, to=SEE_DRAFTS)
        case rounds.RoundConfirmed():
            return told_here(recorded, replace(news, status="confirmed"), to=SEE_DRAFTS)
        case rounds.RecallFailed() | rounds.RepairFailed():
            return told_here(recorded, replace(news, status="published", game=event.game))
        case (
            rounds.RoundPublished()
            | rounds.RecallAsked()
            | rounds.RoundRecalled()
            | rounds.RepairAsked()
            | rounds.TablesRepaired()
        ):
            return None
