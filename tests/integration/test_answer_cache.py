"""Answers that are kept for strangers: shared as long as nothing has changed, and by nobody who is somebody."""

import asyncio
import gzip
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from deploy.databases import connection
from shared.access.tokens import CALLER
from shared.contracts.registration import ShownNamesDecided
from shared.contracts.results import GameVoided
from shared.http import answer_cache
from shared.http.answer_cache import AnswerCache
from shared.personal.names import Names
from shared.personal.shown_names import InboxFields
from tests.patience import PATIENCE
from tests.told import tell

CUP, OTHER = "cup", "other"
LONG = b'{"standings":[' + b"1," * 1000 + b"1]}"
DECIDE = """
  insert into inbox.decisions (act, source, number, actor, reason)
  values ('accept', 'registration', 4, 'operator', 'its backup is older')
"""
PUT = "insert into names.names (id, name, revision) values ($1, $2, $3) on conflict (id) do update set name = $2, revision = $3"


class Table:
    """An operation that counts how often it is made, and shows how often that was."""

    def __init__(self, kept: AnswerCache) -> None:
        self.made = 0
        self.takes = 0.0
        self.answer = kept.answering(self.make)

    async def make(self, request: Request) -> Response:
        self.made += 1
        number = self.made
        assert CALLER in request.scope or "if-none-match" not in request.headers
        await asyncio.sleep(self.takes)
        if "void" in request.url.path:
            return Response(b"no such stage", HTTPStatus.NOT_FOUND, headers={"ETag": '"0"'})
        return Response(LONG, media_type="application/json", headers={"ETag": f'"{number}"'})

    async def ask(self, *, tournament: str = CUP, by: str | None = None, path: str = "", **headers: str) -> Response:
        scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": f"/v1/tournaments/{tournament}{path}",
            "query_string": b"",
            "path_params": {"tournament_id": tournament},
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        }
        return await self.answer(Request(scope | ({CALLER: by} if by else {})))


@pytest.fixture(autouse=True)
def all_that_is_asked_is_asked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, nothing has to be made once more because time has passed."""
    monkeypatch.setattr(answer_cache, "SETTLED", 2 * PATIENCE)


@pytest.fixture
async def table(database: str) -> AsyncGenerator[Table]:
    names = Names(database)
    kept = AnswerCache(database, names)
    async with names.running(), kept.running():
        yield Table(kept)


class Sheet(Table):
    """One that shows what was decided about names."""

    def __init__(self, kept: AnswerCache, fields: InboxFields) -> None:
        super().__init__(kept)
        self._fields = fields

    async def make(self, request: Request) -> Response:
        self.made += 1
        shown = (await self._fields.of(request.path_params["tournament_id"])).shown
        return Response(shown.encode(), headers={"ETag": f'"{self.made}"'})


async def happened(database: str, tournament: str) -> None:
    await tell(database, "results", tournament, GameVoided(game="g", tournament=tournament, stage="swiss", round=1))


async def test_it_is_made_once_for_all_strangers_until_something_happens(table: Table, database: str) -> None:
    first, second = await table.ask(), await table.ask()
    assert (first.body, second.body, first.headers["etag"], table.made) == (LONG, LONG, '"1"', 1)
    await happened(database, OTHER)
    assert (await table.ask()).headers["etag"] == '"1"'
    await happened(database, CUP)
    assert (await table.ask()).headers["etag"] == '"2"'
    assert first.headers["cache-control"] == "public, max-age=0, s-maxage=1"


async def test_who_is_somebody_is_answered_alone_and_leaves_nothing_behind(table: Table) -> None:
    official = await table.ask(by="dora")
    assert (official.headers["etag"], official.headers.get("cache-control")) == ('"1"', None)
    assert (await table.ask()).headers["etag"] == '"2"'
    assert (await table.ask(by="dora")).headers["etag"] == '"3"'
    assert (await table.ask(roundlog_min_position="results:1/1")).headers["etag"] == '"4"'
    assert (await table.ask()).headers["etag"] == '"2"'


async def test_what_one_has_already_is_not_sent_again(table: Table) -> None:
    await table.ask()
    for known in ('"1"', 'W/"1"', '"1-gzip"', '"7", "1"', "*"):
        again = await table.ask(if_none_match=known)
        assert (again.status_code, again.body, again.headers["etag"]) == (HTTPStatus.NOT_MODIFIED, b"", '"1"')
    assert (await table.ask(if_none_match='"7"')).status_code == HTTPStatus.OK
    assert table.made == 1
    assert (await table.ask(by="dora", if_none_match='"2"')).status_code == HTTPStatus.NOT_MODIFIED


async def test_it_is_compressed_for_those_who_take_that(table: Table) -> None:
    packed = await table.ask(accept_encoding="br, gzip;q=0.8")
    assert (packed.headers["content-encoding"], packed.headers["etag"]) == ("gzip", '"1-gzip"')
    assert (gzip.decompress(bytes(packed.body)), packed.headers["content-type"]) == (LONG, "application/json")
    assert "Accept-Encoding" in packed.headers["vary"]
    plain = await table.ask(accept_encoding="gzip;q=0, br")
    assert (plain.body, plain.headers.get("content-encoding"), table.made) == (LONG, None, 1)


async def test_a_name_that_changes_or_is_erased_makes_it_anew_at_once(table: Table, database: str) -> None:
    async with connection(database) as names:
        await names.execute(PUT, "p1", "Zuzana Kováčová", 1)
        assert (await table.ask()).headers["etag"] == '"1"'
        await names.execute(PUT, "p1", None, 2)
        assert (await table.ask()).headers["etag"] == '"2"'


async def test_what_is_refused_is_not_kept(table: Table) -> None:
    assert [(await table.ask(path="/void")).status_code for _ in range(2)] == [HTTPStatus.NOT_FOUND] * 2
    assert table.made == 2


async def test_many_at_once_wait_for_one_and_nobody_is_shown_what_was_before_they_came(
    table: Table, database: str
) -> None:
    table.takes = 0.3
    first = asyncio.create_task(table.ask())
    async with asyncio.timeout(PATIENCE):
        while not table.made:
            await asyncio.sleep(0.01)
    await happened(database, CUP)
    later = await asyncio.gather(*(table.ask() for _ in range(20)))
    assert (await first).headers["etag"] == '"1"'
    assert {answer.headers["etag"] for answer in later} == {'"2"'}
    assert table.made == 2


async def test_what_was_made_just_after_a_change_is_made_once_more(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Since what is remembered beneath for a moment may not have known of it."""
    monkeypatch.setattr(answer_cache, "SETTLED", 0.05)
    await table.ask()
    await asyncio.sleep(0.1)
    again = [(await table.ask()).headers["etag"] for _ in range(2)]
    await asyncio.sleep(0.1)
    assert [*again, (await table.ask()).headers["etag"]] == ['"2"', '"2"', '"2"']


async def test_what_is_decided_about_names_holds_at_once(database: str) -> None:
    names, fields = Names(database), InboxFields(database)
    kept = AnswerCache(database, names)
    async with names.running(), fields.running(), kept.running():
        sheet = Sheet(kept, fields)
        for tournament in (CUP, OTHER):
            await tell(
                database, "registration", tournament, ShownNamesDecided(tournament=tournament, shown_names="full")
            )
        for decided in ("number", "full", "number"):
            told = ShownNamesDecided(tournament=CUP, shown_names=decided)
            await tell(database, "registration", CUP, told)
            assert (await sheet.ask()).body == decided.encode()
            assert (await fields.of(CUP)).shown == decided  # also for who has looked up nothing before
            assert (await sheet.ask(tournament=OTHER)).body == b"full"
        async with connection(database) as inbox:  # what an operator has decided to be lost was never said
            await inbox.execute("update inbox.events set lost = now() where scope = $1 and number = $2", CUP, 5)
            await inbox.execute(DECIDE)
        assert (await sheet.ask()).body == b"full"
