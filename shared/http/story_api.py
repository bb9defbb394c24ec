"""`GET /v1/tournaments/{tournament_id}/story`: what happened in a service, for people; a client joins the four of them by time."""

import asyncio
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field, JsonValue

from shared.access.asker import Asker
from shared.cache import LruCache
from shared.commands.decider import Decider, Fact
from shared.http.authorization import Door
from shared.http.bundle_api import AUDIT
from shared.http.lazy_route import Router
from shared.http.moments import moment
from shared.http.parameters import Absent, TournamentId
from shared.http.responses import PAGE as PAGE_OF_STORY
from shared.http.responses import page
from shared.log.store import PAGE, EventStore
from shared.personal.notes import Notes
from shared.personal.shown_names import NamesShown
from shared.story import StoryEntry, StoryFilter, StoryTeller, happened, sentence

REMEMBERED = 8 * 2**20  # bytes of records of tournaments whose story is kept in memory, which takes three times as much
MOST_ENTRIES = 1000
BEHIND_ALL = 2**62
QUOTED = re.compile(rb'"([0-9A-Za-z_-]{1,64})"')
ENTRANT = "019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833"

Order = Literal["oldest", "newest"]  # declared by `type` it would be a form of its own in documents


class StoryPage(BaseModel):
    items: list[dict[str, JsonValue]] = Field(
        description="In the form of docs/reference.md.", examples=[[{"position": 128, "what": "ResultCorrected"}]]
    )
    names: dict[str, str] = Field(examples=[{ENTRANT: "Ada Nová"}])
    next: int | None = Field(examples=[None])


def one(description: str, example: str) -> Any:
    return Query(pattern=r"^[^\x00]{1,64}$", description=description, examples=[example])


async def filtered(
    about: Annotated[str | Absent, one("Of this account, entrant, person, game or stage.", ENTRANT)] = None,
    kind: Annotated[
        str | Absent, one("Such as `game`, `correction`, `override`, `repair`, or `marked`.", "game")
    ] = None,
    number: Annotated[int | Absent, Query(alias="round", ge=1, le=1000, examples=[2])] = None,
    since: Annotated[str | Absent, one("A time.", "2026-11-21T11:30:00Z")] = None,
    until: Annotated[str | Absent, one("A time.", "2026-11-21T12:30:00Z")] = None,
) -> StoryFilter:
    return StoryFilter(about=about, kind=kind, round=number, since=moment(since, "since"), until=moment(until, "until"))


class KnownStory:
    """As far as it was told. The log goes on, and never changes what was told."""

    def __init__(self, kinds: Mapping[str, type[Fact]]) -> None:
        self.entries: list[StoryEntry] = []
        self.size = 0
        self._teller = StoryTeller(kinds)
        self._turn = asyncio.Lock()

    async def follow(self, store: EventStore, tournament: str) -> None:
        async with self._turn:
            while found := await store.read_scope(tournament, after=self.entries[-1].position if self.entries else 0):
                told = [self._teller.tell(each.position, each.event.record) for each in found]
                self.entries += told
                self.size += sum(len(each.record) for each in told)
                if len(found) < PAGE:
                    break


class Stories:
    """The stories of tournaments in one log."""

    def __init__(
        self, *, store: EventStore, deciders: Iterable[Decider[Any, Any, Any]], notes: Notes, shown: NamesShown
    ) -> None:
        self._kinds: Mapping[str, type[Fact]] = {kind.__name__: kind for each in deciders for kind in each.events}
        self._says = {name: sentence(kind) for name, kind in self._kinds.items()}
        self._store = store
        self._notes = notes
        self._shown = shown
        self._known = LruCache[str, tuple[int, KnownStory]](REMEMBERED, lambda known: known[0])

    async def page(
        self, tournament: str, wanted: StoryFilter, order: Order, after: int | None, limit: int
    ) -> StoryPage:
        entries = await self._entries(tournament)
        if order == "oldest":
            begin = bisect_right(entries, after or 0, key=position_of)
            following = (entries[number] for number in range(begin, len(entries)))
        else:
            begin = len(entries) if after is None else bisect_left(entries, after, key=position_of)
            following = (entries[number] for number in range(begin - 1, -1, -1))
        found = list(islice(filter(wanted.takes, following), limit + 1))
        items = found[:limit]
        words = await self._notes.read(tournament, {note for entry in items for note in entry.notes})
        shown = msgspec.json.encode([happened(entry, self._says.get(entry.what, ""), words) for entry in items])
        return StoryPage(
            items=msgspec.json.decode(shown),
            names=await self._names(tournament, shown),
            next=items[-1].position if len(found) > limit else None,
        )

    async def _entries(self, tournament: str) -> Sequence[StoryEntry]:
        _, known = self._known.get(tournament) or (0, KnownStory(self._kinds))
        await known.follow(self._store, tournament)
        if known.entries:
            self._known.put(tournament, (known.size, known))
        return known.entries

    async def _names(self, tournament: str, shown: bytes) -> dict[str, str]:
        """Of all ids that stand in it, as whoever asks may see them."""
        stand = set(QUOTED.findall(shown))
        if not stand:
            return {}
        names = (await self._shown.of_tournament(tournament)).names
        return {identity: name for identity, name in names.items() if identity.encode() in stand}


def position_of(entry: StoryEntry) -> int:
    return entry.position


def routes(*, stories: Stories, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["log"])

    @router.get(
        "/story",
        summary="What happened here to a tournament",
        description="`docs/reference.md` has the form.",
        operation_id="readStory",
        response_model=StoryPage,
        responses=PAGE_OF_STORY,
    )
    async def story(
        request: Request,
        tournament_id: TournamentId,
        _: Annotated[Asker, Depends(door.reads(AUDIT))],
        wanted: Annotated[StoryFilter, Depends(filtered)],
        order: Annotated[Order, Query()] = "oldest",
        after: Annotated[
            int | Absent, Query(ge=0, le=BEHIND_ALL, description="The `next` of the page before.", examples=[128])
        ] = None,
        limit: Annotated[int, Query(ge=1, le=MOST_ENTRIES, examples=[100])] = 100,
    ) -> Response:
        found = await stories.page(tournament_id, wanted, order, after, limit)
        following = None if found.next is None else str(found.next)
        query = {name: value for name, value in request.query_params.items() if name != "after"}
        return page(found, request.url.path, following, query)

    return router
