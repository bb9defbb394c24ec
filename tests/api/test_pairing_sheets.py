"""Rounds to be printed: by table for those who run them, by name for the players."""

import csv
from hashlib import sha256
from http import HTTPStatus
from io import StringIO

import pytest

from services.pairing.api.rounds import sheets
from shared.checkpoints.checkpoint_store import Checkpoints
from shared.contracts.registration import TournamentAnnounced, TournamentReplanned
from shared.http import responses
from shared.proof.keys import KeyKind, Signer, base64
from shared.proof.notes import Checkpoint, Note
from tests.api.asking import problem
from tests.api.hall import PATH, T, hall
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
        assert page.headers["Content-Security-Policy"].startswith("default-src 'none'; ")
        assert page.headers["Content-Security-Policy"].endswith(f"; style-src {responses.hash_of(sheets.STYLE)}")
        assert "<h1>Cup &lt;of&gt; Žilina: " in page.text
        assert "Starts 2026-03-14 09:30, Europe/Bratislava." in page.text
        assert page.text.count('class="result"') == 5
        pair = published["pairs"][0]
        number = next(seat["number"] for seat in pair["seats"] if seat["entrant"] == pair["first"])
        assert f"No. {number} (first)" in page.text  # nobody has a name, and nobody is told by an id
        names = (await here.client.get(f"{page.url}?by=name")).text
        rows = [row.split("</td>")[0] for row in names.split("<tr><td>")[1:]]
        assert rows == sorted(f"No. {number}" for number in range(1, 12))
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


async def test_tables_of_a_round_fill_the_rooms_in_order_and_sheets_say_where_they_stand(database: str) -> None:
    rooms = [{"name": "Library", "tables": ["L1", "L2"]}, {"name": "Gym", "tables": ["7"]}]
    async with hall(database) as here:
        replanned = TournamentReplanned(tournament=T, name="Cup of Martin", starts_on="2026-03-14")
        await tell(database, "registration", T, ANNOUNCED, replanned)
        path = f"/v1/tournaments/{T}/rooms"
        twice = [*rooms, {"name": "Gym", "tables": ["8", "8"]}]
        muddled = await here.client.post(f"{path}/name", json={"rooms": twice})
        assert "named 2 times" in problem(muddled, HTTPStatus.UNPROCESSABLE_ENTITY, "rooms-muddled").detail
        named = await here.client.post(f"{path}/name", json={"rooms": rooms})
        assert (named.json()["rooms"], (await here.client.get(path)).json()["rooms"]) == (rooms, rooms)
        published = await here.publish(1)
        stand = [(pair["room"], pair["label"]) for pair in published["pairs"]]
        assert stand == [("Library", "L1"), ("Library", "L2"), ("Gym", "7"), (None, None), (None, None)]
        by_table = (await here.see("/rounds/1/sheet", by=None)).text
        assert "Cup of Martin" in by_table
        assert '<td class="number">3<br><small>Gym, 7</small></td>' in by_table
        assert (await here.client.get(f"{PATH}/rounds/1/sheet?by=name")).text.count("<td>Library, L") == 4
        assert "3,Gym,7,1," in (await here.see("/rounds/1/sheet.csv", by=None)).text
        shown = await here.see("/rounds/1", by=None)
        await here.client.post(f"{path}/name", json={"rooms": rooms[1:]})
        moved = await here.see("/rounds/1", by=None)
        assert [pair["label"] for pair in moved.json()["pairs"]][:2] == ["7", None]
        assert moved.headers["ETag"] != shown.headers["ETag"]


async def test_a_draft_is_printed_for_officials_only(database: str) -> None:
    async with hall(database) as here:
        await here.done(1, "draft")
        assert "This is a draft round" in (await here.see("/rounds/1/sheet")).text
        problem(await here.see("/rounds/1/sheet", by=None), HTTPStatus.NOT_FOUND, "round-unknown")
        problem(await here.see("/rounds/2/sheet.csv"), HTTPStatus.NOT_FOUND, "round-unknown")


@pytest.mark.rule("SK.REG-16")
async def test_the_sheet_says_the_times_that_were_announced(database: str) -> None:
    async with hall(database) as here:
        await here.publish(1)
        page = (await here.see("/rounds/1/sheet", by=None)).text
        assert "Each side has 22 minutes for a game. Who is not there 22 minutes after the start" in page


@pytest.mark.rule("SK.REG-16")
async def test_the_sheet_of_a_tournament_online_says_its_own_times(database: str) -> None:
    options = {"results.minutes": 15, "results.latest_start": 10, "results.limit": 45}
    async with hall(database, rules="scrabble-sk-2022-online", options=options) as here:
        await here.publish(1)
        page = (await here.see("/rounds/1/sheet", by=None)).text
        assert "Each side has 15 minutes for a game. A turn takes at most 8 minutes" in page
        assert "Who is not there 10 minutes after the start of the round has lost. Games end within 45 minutes" in page


async def test_what_the_log_has_signed_stands_below_a_sheet(database: str) -> None:
    """The first checkpoint behind what is shown; while there is none, the newest."""
    async with hall(database, size=11) as here:
        await here.publish(1)
        assert "<footer>" not in (await here.see("/rounds/1/sheet", by=None)).text
        for size in (1, 10_000, 10_001):
            root = sha256(b"%d" % size).digest()
            signed = Checkpoint(origin="club.example/pairing/1", size=size, root=root)
            signer = Signer(name=signed.origin, kind=KeyKind.LOG, seed=bytes(32))
            checkpoints = Checkpoints(database)
            async with checkpoints.running():
                await checkpoints.keep(signed, Note(text=signed.text, signatures=()).signed_by(signer))
            page = (await here.see("/rounds/1/sheet", by=None)).text
            printed = min(size, 10_000)
            short = base64(sha256(b"%d" % printed).digest())[:24]
            assert f"<footer><p>Log club.example/pairing/1, {printed} events, root {short}</p></footer>" in page
