"""Rounds to be printed: by table for those who run them, by name for the players."""

import csv
from http import HTTPStatus
from io import StringIO

from shared.contracts.registration import TournamentAnnounced
from tests.api.asking import problem
from tests.api.hall import T, hall
from tests.told import tell

ANNOUNCED = TournamentAnnounced(
    tournament=T,
    federation="sss",
    name="Cup <of> Žilina",
    ruleset="scrabble-sk-2022-qt",
    time_zone="Europe/Bratislava",
    starts_on="2026-03-14",
)


async def test_a_published_round_is_printed_by_table_and_by_name(database: str) -> None:
    async with hall(database, size=11) as here:
        await tell(database, "registration", T, ANNOUNCED)
        published = await here.publish(1, starts_at="2026-03-14T08:30:00Z")
        page = await here.see("/rounds/1/sheet", by=None)
        assert (page.status_code, page.headers["Content-Type"]) == (HTTPStatus.OK, "text/html; charset=utf-8")
        assert "<h1>Cup &lt;of&gt; Žilina: " in page.text
        assert "Starts 2026-03-14 09:30, Europe/Bratislava." in page.text
        assert page.text.count('class="result"') == 5
        first = published["pairs"][0]["first"]
        assert f"{first} (first)" in page.text
        names = (await here.client.get(f"{page.url}?by=name")).text
        rows = [row.split("</td>")[0] for row in names.split("<tr><td>")[1:]]
        assert rows == list("ABCDEFGHIJK")
        assert "<td>bye</td>" in names


async def test_a_round_is_a_spreadsheet_with_a_line_a_seat(database: str) -> None:
    async with hall(database, size=11) as here:
        published = await here.publish(1)
        answer = await here.see("/rounds/1/sheet.csv", by=None)
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        lines = list(csv.DictReader(StringIO(answer.content.decode("utf-8-sig"))))
        seats = [(line["table"], line["entrant"]) for line in lines if line["table"]]
        assert seats == [(str(pair["table"]), seat["entrant"]) for pair in published["pairs"] for seat in pair["seats"]]
        assert [line["without_table"] for line in lines if not line["table"]] == ["bye"]


async def test_a_draft_is_printed_for_officials_only(database: str) -> None:
    async with hall(database) as here:
        await here.done(1, "draft")
        assert "This is a draft round" in (await here.see("/rounds/1/sheet")).text
        problem(await here.see("/rounds/1/sheet", by=None), HTTPStatus.NOT_FOUND, "round-unknown")
        problem(await here.see("/rounds/2/sheet.csv"), HTTPStatus.NOT_FOUND, "round-unknown")
