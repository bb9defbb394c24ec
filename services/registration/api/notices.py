"""Notices: what the organiser tells all players, to be read in order, and as it comes."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Annotated
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from services.registration.api.bodies import ID, next_page
from services.registration.api.parameters import id_in_path
from services.registration.api.permissions import POST_NOTICE
from services.registration.domain import notices
from services.registration.domain.notices import Notices, PostedNotice, PostNotice, RecallNotice
from services.registration.eligibility.deadlines import as_stored
from services.registration.streams import TournamentHandler, announced
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.clock import Now
from shared.commands.handler import Handler
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.live_streams import EVENT_STREAM, PAUSE, EventStream, Frame, LogNotifier, OpenStreams, one_by_one
from shared.http.orders import CHANGED, CREATED, answer_in, run, with_body
from shared.http.parameters import Absent, TournamentId
from shared.http.problems import documented
from shared.http.responses import BAD, PAGE, After, Limit, items_after, page
from shared.personal.notes import Notes
from shared.refusals import Unavailable
from shared.values import Value

type NoticesHandler = Handler[notices.Notices, notices.Command, notices.Event]

NOTICE = "3f6a1b5c9e2d704f1d5c9e2b7a4c0e8d"
LONGEST = 2_000
WORDS = "Round 3 begins at 11:15 in the small hall."
EXAMPLE = f"""retry: 2000
id: 0

id: 1
event: notice
data: {{"id":"{NOTICE}","number":1,"at":"2026-11-21T10:02:11Z","words":"{WORDS}","recalled":null}}

:

"""
ANSWER = {200: {"content": {EVENT_STREAM: {"schema": {"type": "string"}, "example": EXAMPLE}}}} | BAD
HOW = (
    "Server-Sent Events: `event` is `notice`, `data` a notice as `listNotices` shows it. Begins with the first one, "
    "or behind `Last-Event-ID`; where so much was never told, as after a backup was restored, with the first one again. A "
    "notice that is recalled comes once more, without its words. Ends after an hour: connect again."
)

type NoticeId = Annotated[str, id_in_path("notice", "The id that posting answered.", NOTICE)]
type LastNotice = Annotated[
    int | Absent,
    Header(alias="Last-Event-ID", ge=0, le=2**31, description="The last `id` that came.", examples=[1]),
]


class NoticeToPost(RequestBody):
    words: str = Field(
        min_length=1,
        max_length=LONGEST,
        pattern=r"\S",
        description="For everybody to read. The log says when and by whom, and not what.",
        examples=[WORDS],
    )


class Notice(BaseModel):
    id: str = Field(pattern=ID, examples=[NOTICE])
    number: int = Field(description="The first is 1.", examples=[1])
    at: datetime = Field(description="When it was posted.", examples=["2026-11-21T10:02:11Z"])
    words: str | None = Field(description="Null where it was recalled, or its words were erased.", examples=[WORDS])
    recalled: datetime | None = Field(description="When it was recalled.", examples=[None])


class NoticePage(BaseModel):
    items: list[Notice] = Field(description="In the order in which they were posted.")
    next: str | None = next_page(NOTICE)


class LiveNotices:
    """The notices of tournaments as they come. What many listeners wait for is looked up once."""

    def __init__(self, *, handler: NoticesHandler, notes: Notes, hub: LogNotifier) -> None:
        self._handler = handler
        self._notes = notes
        self._hub = hub
        self._shared: WeakKeyDictionary[asyncio.Event, NoticesLook] = WeakKeyDictionary()

    async def behind(self, tournament: str, told: int) -> AsyncGenerator[Frame]:
        while True:
            ring = self._hub.next_ring(tournament)
            try:
                found = await self._look(ring, tournament)
            except Unavailable:  # the database will be back, and then nothing was missed
                await asyncio.sleep(PAUSE)
                continue
            for place, notice in found:
                if place > told:
                    yield Frame(id=f"{place}", event="notice", data=notice.model_dump_json().encode())
                    told = place
            await ring.wait()

    async def _look(self, ring: asyncio.Event, tournament: str) -> list[tuple[int, Notice]]:
        """Whatever comes behind the ring rings it, so those who wait for the same may share one look."""
        look = self._shared.setdefault(ring, NoticesLook())
        async with look.looking:
            if look.found is None:
                state, _ = await self._handler.load(tournament)
                shown = await notices_view(tournament, state, self._notes)
                told = {one.notice: one.told for one in state.posted.values()}
                look.found = sorted(((told[one.id], one) for one in shown), key=lambda found: found[0])
            return look.found


class NoticesLook:
    """One look at the notices of a tournament, each with its place among what was said last of them."""

    def __init__(self) -> None:
        self.looking = asyncio.Lock()
        self.found: list[tuple[int, Notice]] | None = None


class NoticeBoard(Value):
    """What the operations of notices need."""

    handler: NoticesHandler
    tournaments: TournamentHandler
    notes: Notes
    now: Now


def routes(*, board: NoticeBoard, hub: LogNotifier, streams: OpenStreams, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/notices", tags=["notices"])
    live = LiveNotices(handler=board.handler, notes=board.notes, hub=hub)
    posts = Depends(door.acts(POST_NOTICE))

    @router.post(
        "",
        summary="Tell all players something",
        description="It stands in the list of notices, with its time, and goes to everybody who listens.",
        operation_id="postNotice",
        status_code=HTTPStatus.CREATED,
        response_model=Notice,
        responses=CREATED,
    )
    async def post(tournament_id: TournamentId, body: NoticeToPost, act: Annotated[Act, posts]) -> Response:
        await announced(board.tournaments, tournament_id)
        async with board.notes.kept(tournament_id, body.words, act.key) as note:
            identity = note or ""
            order = PostNotice(notice=identity, tournament=tournament_id, at=as_stored(board.now()), words=identity)
            response = await run(
                board.handler,
                tournament_id,
                order,
                act,
                lambda state: notice_view(state.posted[identity], {}),
                status=HTTPStatus.CREATED,
            )
        posted = answer_in(response, Notice)
        return with_body(response, posted.model_copy(update={"words": body.words}))

    @router.post(
        "/{notice_id}/recall",
        summary="Recall a notice",
        description="It was a mistake: its words are erased, and everybody sees that there was one and when it was recalled.",
        operation_id="recallNotice",
        response_model=Notice,
        responses=CHANGED,
    )
    async def recall(tournament_id: TournamentId, notice_id: NoticeId, act: Annotated[Act, posts]) -> Response:
        await announced(board.tournaments, tournament_id)
        order = RecallNotice(notice=notice_id, tournament=tournament_id, at=as_stored(board.now()))
        response = await run(
            board.handler, tournament_id, order, act, lambda state: notice_view(state.posted[notice_id], {})
        )
        await board.notes.erase(tournament_id, notice_id)
        return response

    @router.get(
        "",
        summary="What all players were told",
        description="Page by page, in the order in which it was posted, each with its time. Where notices are official, what "
        "stands here counts.",
        operation_id="listNotices",
        response_model=NoticePage,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def several(tournament_id: TournamentId, after: After = "", limit: Limit = 100) -> Response:
        await announced(board.tournaments, tournament_id)
        state, _ = await board.handler.load(tournament_id)
        found = await notices_view(tournament_id, state, board.notes)
        items, following = items_after(after, found, limit, lambda notice: notice.id)
        path = f"/v1/tournaments/{tournament_id}/notices"
        return page(NoticePage(items=items, next=following), path, following, {"limit": limit})

    @router.get(
        "/live",
        summary="Notices, as they come",
        description=HOW,
        operation_id="followNotices",
        response_class=StreamingResponse,
        responses=ANSWER | documented(HTTPStatus.NOT_FOUND),
    )
    async def follow(
        request: Request,
        tournament_id: TournamentId,
        asker: Annotated[Asker, Depends(door.reads(ANYBODY))],
        last_event_id: LastNotice = None,
    ) -> EventStream:
        await announced(board.tournaments, tournament_id)
        state, _ = await board.handler.load(tournament_id)
        # An `EventSource` that is refused never comes back: whoever has heard more than there is begins anew.
        behind = last_event_id if last_event_id is not None and last_event_id <= state.told else 0
        return EventStream(
            one_by_one(live.behind(tournament_id, behind)),
            streams=streams,
            asker=asker,
            stays=lambda: door.stays(request, ANYBODY),
            behind=f"{behind}",
        )

    return router


async def notices_view(tournament: str, state: Notices, notes: Notes) -> list[Notice]:
    words = await notes.read(tournament, [one.words for one in state.posted.values() if one.recalled is None])
    return [notice_view(one, words) for one in state.posted.values()]


def notice_view(one: PostedNotice, words: Mapping[str, str]) -> Notice:
    return Notice(
        id=one.notice,
        number=one.number,
        at=datetime.fromisoformat(one.at),
        words=None if one.recalled else words.get(one.words),
        recalled=datetime.fromisoformat(one.recalled) if one.recalled else None,
    )
