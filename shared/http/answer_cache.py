"""What many strangers ask is answered with what was cached for one of them, as long as nothing has changed that it rests on.

`docs/adr/0032-answers-are-kept-for-strangers.md` says why. An operation takes part by `Depends(kept)`, for a path with
a `tournament_id`. Its answer to whoever has not signed in must follow from the log and the inbox of that tournament and
from names: not from the clock, and from nothing of other scopes.
"""

import asyncio
import gzip
import re
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextvars import ContextVar
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from shared.access.tokens import CALLER
from shared.cache import LruCache
from shared.checkpoints.checkpoint_store import PRINTED
from shared.http.parameters import COMPRESSED, MIN_POSITION
from shared.http.proxies import BELOW
from shared.log.database import Database
from shared.personal.names import REVISION, Names
from shared.personal.shown_names import HEARD, HeardOf
from shared.values import Value

ROOM = 32 * 2**20  # bytes of answers that a process keeps
AROUND = 1000  # bytes that an answer needs beside its content
LEAST = 1000  # bytes that are worth to be compressed
LEVEL = 3
LARGE = 2**16  # bytes that take longer to be compressed than a thread takes to begin
SETTLED = 2.5  # seconds after which nothing beneath remembers what was before a change

# A shared cache asks once a second for all who stand behind it; a browser asks each time, and mostly hears that it is so.
LIFETIME = "public, max-age=0, s-maxage=1"
REFUSED = re.compile(r"\s*q=0(\.0*)?\s*")
SHOWN = frozenset({"content-type", "content-disposition", "content-security-policy", "link"})

# Whatever follows for a tournament has moved one of these numbers. Of each source the last one that is here, since their
# events are stored in their order, while those of two sources may be committed in any.
STATE = f"""
  select (select max(position) from log.log where scope = $1),
    (select max(number) from inbox.events where scope = $1 and source = 'registration' and lost is null),
    (select max(number) from inbox.events where scope = $1 and source = 'pairing' and lost is null),
    (select max(number) from inbox.events where scope = $1 and source = 'results' and lost is null),
    (select max(number) from inbox.events where scope = $1 and source = 'standings' and lost is null),
    (select count(*) from inbox.decisions), ({REVISION})
"""

POSITION, REGISTRATION, DECISIONS, NAMES, ALSO = 0, 1, 5, 6, 7  # their places among them

type AnswerPlace = tuple[str, str, bytes]  # what is asked for: below which prefix, the path, the query
type AnswerState = tuple[Any, ...]


class LookedUp(Value):
    """What was looked up of a tournament after a request came, for whatever answers it."""

    tournament: str
    position: int  # up to which the service's own log tells of it
    also: Any  # what the service keeps beside its log


LOOKED_UP: ContextVar[LookedUp | None] = ContextVar("looked up for an answer", default=None)

type Make = Callable[[Request], Awaitable[Response]]


class CachedAnswer(msgspec.Struct, frozen=True, gc=False):
    """An answer as it is sent."""

    state: AnswerState
    until: float  # when it has to be made once more, although nothing has changed
    tag: str
    headers: Mapping[str, str]
    content: bytes
    is_compressed: bool

    @property
    def weight(self) -> int:
        return len(self.content) + AROUND

    def response(self, request: Request) -> Response:
        takes = self.is_compressed and takes_gzip(request.headers.get("accept-encoding", ""))
        tag = f'{self.tag[:-1]}{COMPRESSED}"' if takes else self.tag
        headers = {"ETag": tag, "Cache-Control": LIFETIME, "Vary": "Authorization, Accept-Encoding"}
        if has(request.headers.get("if-none-match", ""), self.tag):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        if takes:
            return Response(self.content, headers={**self.headers, **headers, "Content-Encoding": "gzip"})
        content = gzip.decompress(self.content) if self.is_compressed else self.content
        return Response(content, headers={**self.headers, **headers})


class AnswerCache:
    """`also` is one more column of the state, for what a service keeps beside its log: an expression of SQL in which $1
    is the tournament."""

    def __init__(self, database: str, names: Names, *, also: str = "null") -> None:
        self._database = Database(database)
        self.running = self._database.running
        self._names = names
        self._revision: object = None
        self._query = f"{STATE}, ({also})"
        self._query_of_page = f"{self._query}, {PRINTED}"  # what is printed below it comes a moment later
        self._known = LruCache[AnswerPlace, CachedAnswer](ROOM, weigh=lambda kept: kept.weight)
        self._looking: dict[AnswerPlace, asyncio.Task[CachedAnswer | Response]] = {}
        self._waiting: dict[AnswerPlace, asyncio.Task[CachedAnswer | Response]] = {}

    async def __call__(self) -> None:
        """As a dependency it says which operations take part."""

    def answering(self, make: Make) -> Make:
        """The same operation, which makes for strangers only what is not kept."""

        async def answer(request: Request) -> Response:
            if not is_strangers(request.scope):
                return unmodified(await make(request), request)
            found = await self._look(request, make)
            return found.response(request) if isinstance(found, CachedAnswer) else found

        return answer

    async def _look(self, request: Request, make: Make) -> CachedAnswer | Response:
        """By a look at the state that has begun after the request came, and is shared by all who came before it began.

        So everybody is shown all that had been answered to anybody before, and however many ask for the same, it is
        made once at a time.
        """
        place = request.scope.get(BELOW, ""), request.url.path, request.scope["query_string"]
        looking = self._waiting.get(place)
        if looking is None:
            before = self._looking.get(place)
            looking = self._waiting[place] = asyncio.create_task(self._next(place, before, request, make))
        return await asyncio.shield(looking)

    async def _next(
        self, place: AnswerPlace, before: asyncio.Task[CachedAnswer | Response] | None, request: Request, make: Make
    ) -> CachedAnswer | Response:
        if before is not None:
            await asyncio.wait([before])
        looking = self._looking[place] = self._waiting.pop(place)
        try:
            return await self._now(place, request, make)
        finally:
            if self._looking.get(place) is looking:
                del self._looking[place]

    async def _now(self, place: AnswerPlace, request: Request, make: Make) -> CachedAnswer | Response:
        is_page = request.query_params.get("format") == "page"
        tournament = request.path_params["tournament_id"]
        state = await self._state(tournament, is_page=is_page)
        known, moment = self._known.get(place), time.monotonic()
        if known is not None and known.state == state and moment < known.until:
            return known
        # What came a moment ago may not be known yet to all that is remembered beneath: then it is asked once more.
        is_settled = known is not None and known.state == state
        LOOKED_UP.set(LookedUp(tournament=tournament, position=state[POSITION] or 0, also=state[ALSO]))
        HEARD.set(HeardOf(tournament=tournament, number=state[REGISTRATION], decisions=state[DECISIONS]))
        response = await make(unconditional(request))
        if response.status_code != HTTPStatus.OK or "etag" not in response.headers:
            return response
        until = float("inf") if is_settled else moment + SETTLED
        if len(response.body) < LARGE:
            kept = cached_answer(state, response, until=until)
        else:
            kept = await asyncio.to_thread(cached_answer, state, response, until=until)
        self._known.put(place, kept)
        return kept

    async def _state(self, tournament: str, *, is_page: bool) -> AnswerState:
        ((*state,),) = await self._database.fetch(self._query_of_page if is_page else self._query, tournament)
        if state[NAMES] != self._revision:  # what somebody was called may be remembered a moment longer
            self._revision = state[NAMES]
            self._names.forget()
        return tuple(state)


def cached_answer(state: AnswerState, response: Response, *, until: float) -> CachedAnswer:
    content = bytes(response.body)
    is_compressed = len(content) >= LEAST
    return CachedAnswer(
        state=state,
        until=until,
        tag=response.headers["etag"],
        headers={name: value for name, value in response.headers.items() if name in SHOWN},
        content=gzip.compress(content, LEVEL, mtime=0) if is_compressed else content,
        is_compressed=is_compressed,
    )


def is_strangers(scope: MutableMapping[str, Any]) -> bool:
    """Whoever names a position waits for what they have written: for them nothing is kept."""
    position = MIN_POSITION.alias or ""
    return CALLER not in scope and all(name != position.lower().encode() for name, _ in scope["headers"])


def unconditional(request: Request) -> Request:
    """The same from somebody who has nothing yet."""
    headers = [(name, value) for name, value in request.scope["headers"] if name != b"if-none-match"]
    return Request({**request.scope, "headers": headers}, request.receive)


def only_if_modified(make: Make) -> Make:
    """The same operation, which answers 304 to whoever has what it would answer."""

    async def answer(request: Request) -> Response:
        return unmodified(await make(request), request)

    return answer


def unmodified(response: Response, request: Request) -> Response:
    """304 in place of what whoever asks has already."""
    tag = response.headers.get("etag")
    if response.status_code != HTTPStatus.OK or not tag or not has(request.headers.get("if-none-match", ""), tag):
        return response
    headers = {name: value for name, value in response.headers.items() if name in {"etag", "vary", "cache-control"}}
    return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)


def has(if_none_match: str, tag: str) -> bool:
    """A proxy may have made a weak tag of ours."""
    tags = [one.strip().removeprefix("W/").replace(f'{COMPRESSED}"', '"') for one in if_none_match.split(",")]
    return tag in tags or tags == ["*"]


def takes_gzip(accept_encoding: str) -> bool:
    for offered in accept_encoding.split(","):
        name, _, quality = offered.partition(";")
        if name.strip().lower() == "gzip":
            return not REFUSED.fullmatch(quality)
    return False
