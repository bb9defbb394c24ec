"""A result in the usual form is answered by a short way. Whatever is sent, it says and does what the general way does.

The same requests go to two halls: one where the short way is open, and one where everything takes the general one.
"""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack
from http import HTTPStatus
from typing import Any

import msgspec
import pytest

from shared.http.fast_route import FastRoute, FastRoutes
from shared.observability.logs import OftenSaid
from shared.refusals import Unavailable
from shared.values import Value
from tests.api.asking import issuer
from tests.api.signing import signed_by
from tests.api.tables import ENTRANTS, TOURNAMENT, Hall, hall, planned
from tests.databases import lent
from tests.patience import AT_ONCE, PATIENCE

OK, MALFORMED = HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY
SHEET = b'{"scores": [380, 350], "signed_by": [0, 1]}'
ANOTHER = b'{"scores": [380, 351], "signed_by": [0, 1]}'
BY_CHANCE = {"traceparent"}  # headers of an answer
REPORTED = "services.results.api.games.routes.reported"


class Sent(Value):
    game: str
    expected: HTTPStatus
    body: bytes = SHEET
    by: str | None = "sue"
    headers: Sequence[tuple[str, str]] = ()
    query: str = ""
    pieces: int = 1  # in which the body comes
    fails: Exception | None = None  # what goes wrong inside
    is_usual: bool = True


def key(name: str) -> tuple[tuple[str, str], ...]:
    return (("Idempotency-Key", name),)


CASES: Mapping[str, Sequence[Sent]] = {
    "a sheet that both have signed": [Sent(game="f1", expected=OK, headers=key("k1"))],
    "the same again": [Sent(game="f1", expected=OK, headers=key("k1"))],
    "its key for something else": [Sent(game="f1", expected=MALFORMED, body=ANOTHER, headers=key("k1"))],
    "its key for another game": [Sent(game="f2", expected=OK, headers=key("k1"))],
    "something else, when it is final": [Sent(game="f1", expected=HTTPStatus.CONFLICT, body=ANOTHER)],
    "the same by another one, when it is final": [Sent(game="f1", expected=OK, by="sam")],
    "two who agree": [Sent(game="f3", expected=OK, body=b'{"scores": [1, 2]}', by=by) for by in ("sue", "sam")],
    "two who do not": [
        Sent(game="f4", expected=OK, body=b'{"scores": [1, 2]}'),
        Sent(game="f4", expected=OK, body=b'{"scores": [2, 1]}', by="sam"),
    ],
    "another kind of ending": [Sent(game="f5", expected=OK, body=b'{"end": "no_show", "by": 1}', by="art")],
    "a slow body": [Sent(game="f6", expected=OK, pieces=7)],
    "a trace of the caller's": [
        Sent(game="f7", expected=OK, headers=[("traceparent", f"00-{'a' * 32}-{'b' * 16}-01"), *key("k7")])
    ],
    "through a proxy": [Sent(game="f8", expected=OK, headers=[("X-Forwarded-For", "203.0.113.7, 10.0.0.1")])],
    "of another origin": [Sent(game="f9", expected=OK, headers=[("Origin", "https://example.org")])],
    "nobody": [Sent(game="f10", expected=HTTPStatus.UNAUTHORIZED, by=None)],
    "a bad token": [Sent(game="f10", expected=HTTPStatus.UNAUTHORIZED, by="")],
    "somebody who may not": [Sent(game="f10", expected=HTTPStatus.FORBIDDEN, by="aud")],
    "a stranger": [Sent(game="f10", expected=HTTPStatus.FORBIDDEN, by="eve")],
    "a game that is not there": [Sent(game="nowhere", expected=HTTPStatus.NOT_FOUND)],
    "no id": [Sent(game="f%201", expected=HTTPStatus.NOT_FOUND, is_usual=False)],
    "nothing": [Sent(game="f10", expected=MALFORMED, body=b"")],
    "no JSON": [Sent(game="f10", expected=MALFORMED, body=b"{")],
    "another form": [Sent(game="f10", expected=MALFORMED, body=b'{"scores": ["many", true], "colour": 1}')],
    "a list": [Sent(game="f10", expected=MALFORMED, body=b"[]")],
    "a member twice": [Sent(game="f10", expected=MALFORMED, body=b'{"scores": [1, 2], "scores": [2, 1]}')],
    "too deep": [Sent(game="f10", expected=MALFORMED, body=b"[" * 100 + b"]" * 100)],
    "a character that no text can hold": [Sent(game="f10", expected=MALFORMED, body=b'{"end": "\\u0000"}')],
    "too large": [Sent(game="f10", expected=HTTPStatus.REQUEST_ENTITY_TOO_LARGE, body=b" " * 2**21, pieces=9)],
    "three scores for two": [Sent(game="f10", expected=MALFORMED, body=b'{"scores": [1, 2, 3]}')],
    "an ending that there is not": [Sent(game="f10", expected=MALFORMED, body=b'{"end": "unheard_of"}')],
    "an empty key": [Sent(game="f10", expected=MALFORMED, headers=key(""), is_usual=False)],
    "an endless key": [Sent(game="f10", expected=MALFORMED, headers=key("k" * 300), is_usual=False)],
    "two keys": [
        Sent(game="f11", expected=MALFORMED, headers=[*key("k11"), *key("k12")], is_usual=False),
        Sent(game="f11", expected=MALFORMED, headers=[*key("k11"), *key("k11")], is_usual=False),
        Sent(game="f11", expected=OK, headers=key("k12")),
    ],
    "a version that is past": [
        Sent(game="f12", expected=HTTPStatus.PRECONDITION_FAILED, headers=[("If-Match", '"9"')], is_usual=False)
    ],
    "a parameter that there is not": [Sent(game="f12", expected=MALFORMED, query="?when=now", is_usual=False)],
    "a fault of ours": [
        Sent(game="f13", expected=HTTPStatus.INTERNAL_SERVER_ERROR, fails=RuntimeError("a secret"), headers=key("k13")),
        Sent(game="f13", expected=OK, headers=key("k13")),
    ],
    "something is away": [
        Sent(game="f14", expected=HTTPStatus.SERVICE_UNAVAILABLE, fails=Unavailable("it rests"), headers=key("k14")),
        Sent(game="f14", expected=OK, headers=key("k14")),
    ],
}


class Heard(Value):
    """All that came of the requests in one hall."""

    answers: Mapping[str, Sequence[Any]]
    by_short_way: Mapping[str, int]
    told: Sequence[Any]
    lines: Sequence[Any]
    counted: Sequence[str]


def nothing(_route: FastRoute, _scope: object) -> None:
    return None


async def heard(database: str, *, is_short: bool) -> Heard:
    answers: dict[str, list[Any]] = {}
    taken: dict[str, int] = {}
    lines: list[Any] = []
    ways: list[str] = []
    answer = FastRoutes._answer  # nobody else needs to know

    async def note(routes: FastRoutes, *request: Any) -> None:
        ways.append("short")
        await answer(routes, *request)

    def say(_: OftenSaid, level: int, said: str, facts: Mapping[str, Any]) -> None:
        lines.append((level, said, facts["operation"], facts["status"]))

    async with AsyncExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(FastRoutes, "_answer", note)
        patch.setattr(OftenSaid, "say", say)
        if not is_short:
            patch.setattr(FastRoute, "named", nothing)
        here = await stack.enter_async_context(
            hall(database, games=[planned(f"f{n}", n, *ENTRANTS[:2]) for n in range(1, 20)])
        )
        for name, case in CASES.items():
            ways.clear()
            answers[name] = [await answered(here, sent) for sent in case]
            taken[name] = len(ways)
        numbers = (await here.client.get("/metrics")).text
        told = [
            [one["type"], one["stream"], one["version"], one["scope"], one["actor"], one["data"], one["trace"]]
            for one in await here.told("ResultReported", "ResultAgreed", "ResultDecided")
        ]
    counted = [line for line in numbers.splitlines() if line.startswith("roundlog_requests_total")]
    return Heard(answers=answers, by_short_way=taken, told=told, lines=lines[:-1], counted=counted)


async def answered(here: Hall, sent: Sent) -> Any:
    headers = [
        ("Content-Type", "application/json"),
        ("X-Request-Id", f"of-{sent.game.replace('%', '-')}"),
        *sent.headers,
    ]
    if sent.by is not None:
        headers += signed_by(issuer().token(sent.by) if sent.by else "damaged").items()
    size = max(1, -(-len(sent.body) // sent.pieces))

    async def in_pieces() -> AsyncIterator[bytes]:
        for begin in range(0, len(sent.body), size):
            yield sent.body[begin : begin + size]

    async def fail(*_: object) -> None:
        if sent.fails is not None:
            raise sent.fails

    with pytest.MonkeyPatch.context() as breaking:
        if sent.fails is not None:
            breaking.setattr(REPORTED, fail)
            breaking.setattr(here.client, "event_hooks", {})  # no document promises a fault of ours
        response = await here.client.post(
            f"/v1/games/{sent.game}/reports{sent.query}",
            content=sent.body if sent.pieces == 1 else in_pieces(),
            headers=headers,
            extensions=AT_ONCE,
            timeout=PATIENCE,
        )
    own = sorted((name, value) for name, value in response.headers.multi_items() if name not in BY_CHANCE)
    return response.status_code, own, msgspec.json.decode(response.content)


@pytest.fixture(scope="module")
async def halls(server: str) -> AsyncGenerator[tuple[Heard, Heard]]:
    async with lent(server, 2) as (one, other):
        yield await heard(one, is_short=True), await heard(other, is_short=False)


@pytest.mark.parametrize("case", CASES)
async def test_both_ways_answer_the_same(halls: tuple[Heard, Heard], case: str) -> None:
    short, general = halls
    assert short.answers[case] == general.answers[case]
    assert [status for status, *_ in short.answers[case]] == [sent.expected for sent in CASES[case]]


async def test_what_is_usual_takes_the_short_way_and_nothing_else_does(halls: tuple[Heard, Heard]) -> None:
    short, general = halls
    before_the_body = {HTTPStatus.UNAUTHORIZED, HTTPStatus.REQUEST_ENTITY_TOO_LARGE}
    unread = {"a member twice", "too deep", "a character that no text can hold", "nobody"}
    for name, case in CASES.items():
        if name not in unread and not any(sent.expected in before_the_body for sent in case):
            assert short.by_short_way[name] == sum(sent.is_usual for sent in case), name
    assert set(general.by_short_way.values()) == {0}


async def test_both_ways_write_count_and_log_the_same(halls: tuple[Heard, Heard]) -> None:
    short, general = halls
    assert short.told == general.told
    assert len(short.told) > len(CASES) // 2
    assert short.counted == general.counted
    assert short.lines == general.lines
    assert any(re.search(r'operation="reportResult",status="500"} 1\.0', line) for line in short.counted)
    assert TOURNAMENT in {one[3] for one in short.told}
