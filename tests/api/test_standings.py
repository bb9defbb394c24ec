"""Tables of a stage, as they are and as they were."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from deploy import parked_messages
from deploy.databases import connection
from deploy.parked_messages import Said
from services.standings.domain.table import MAKING
from shared.checkpoints.checkpoint_store import Checkpoints
from shared.contracts.pairing import RoundRecalled
from shared.contracts.registration import EntrantChanged, ShownNamesDecided
from shared.contracts.results import GameStarted
from shared.proof.keys import KeyKind, Signer
from shared.proof.notes import Checkpoint, Note
from tests.api.asking import Client, pointers, problem, service
from tests.logged import happened
from tests.patience import PATIENCE
from tests.played import STAGE, completed, corrected, published, result, started
from tests.told import done, tell

CUP = "cup"
CHANGE = """update views.tables set body = convert_to(replace(convert_from(body, 'UTF8'), '"B"', '"A"'), 'UTF8')"""
FOUR = ("A", "B", "C", "D")


@pytest.fixture
async def client(database: str) -> AsyncGenerator[Client]:
    async with service(database, name="standings") as asked:
        yield asked


def path(tournament: str = CUP, stage: str = STAGE) -> str:
    return f"/v1/tournaments/{tournament}/stages/{stage}/standings"


async def table(client: Client, **query: str) -> dict[str, Any]:
    answer = await client.get(path(), params=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


def order(found: dict[str, Any]) -> list[str]:
    return [row["entrant"] for row in found["standings"]]


async def round_one(database: str) -> None:
    await tell(database, "registration", CUP, *started(CUP, FOUR))
    await tell(database, "pairing", CUP, published(CUP, 1, [("A", "B"), ("C", "D")]))
    first, second = result(CUP, 1, 1, ("A", "B"), (300, 400)), result(CUP, 1, 2, ("C", "D"), (500, 100))
    await tell(database, "results", CUP, first, second, completed(CUP, 1))
    await done(database)


async def test_a_table_follows_what_is_heard(client: Client, database: str) -> None:
    await tell(database, "registration", CUP, *started(CUP, FOUR))
    await done(database)
    before = await table(client)
    assert (before["round"], before["inputs"], order(before)) == (0, "reg5.pai0.res0.sta0", list(FOUR))
    await tell(database, "pairing", CUP, published(CUP, 1, [("A", "B"), ("C", "D")]))
    await tell(database, "results", CUP, result(CUP, 1, 1, ("A", "B"), (300, 400)))
    await done(database)
    half = await table(client)
    assert (half["round"], half["complete"], order(half)[0]) == (1, False, "B")
    await tell(database, "results", CUP, result(CUP, 1, 2, ("C", "D"), (500, 100)), completed(CUP, 1))
    await done(database)
    whole = await table(client)
    assert (whole["complete"], order(whole)) == (True, ["C", "B", "A", "D"])
    assert whole["inputs"] == "reg5.pai1.res3.sta0"
    assert whole["standings"][0] == {
        "place": 1,
        "shared": False,
        "entrant": "C",
        "name": None,
        "home": None,
        "group": None,
        "values": {"points": 1, "wins": 1, "median_buchholz": 0, "buchholz": 0, "score_difference": 400},
        "separated_by": "score_difference",
        "beside": {},
    }


async def test_a_correction_changes_the_table(client: Client, database: str) -> None:
    await round_one(database)
    before = result(CUP, 1, 1, ("A", "B"), (300, 400))
    await tell(database, "results", CUP, corrected(before, (900, 400)))
    await done(database)
    assert order(await table(client)) == ["A", "C", "D", "B"]


async def test_what_moves_nothing_only_moves_what_the_table_rests_on(client: Client, database: str) -> None:
    await round_one(database)
    before = await table(client)
    await tell(database, "results", CUP, GameStarted(game="another", tournament=CUP))
    await done(database)
    after = await table(client)
    assert after == before | {"inputs": "reg5.pai1.res4.sta0"}


async def test_what_an_operator_skipped_is_said_by_the_inputs_of_the_table(client: Client, database: str) -> None:
    await round_one(database)
    before = await table(client)
    async with connection(database) as inbox:
        await inbox.execute("update inbox.scopes set parked = now(), problem = 'odd' where scope = $1", CUP)
    await tell(database, "results", CUP, corrected(result(CUP, 1, 1, ("A", "B"), (300, 400)), (900, 400)))
    said = Said(service="standings", operator="7be2d013", reason="cannot-be-handled", note="Eva's sheet was torn.")
    skipped = await parked_messages.decide(database, CUP, said, act="skip")
    assert (skipped.source, skipped.number, skipped.type) == ("results", 4, "ResultCorrected")
    await tell(database, "results", CUP, GameStarted(game="another", tournament=CUP))
    await done(database)
    async with asyncio.timeout(PATIENCE):
        while (after := await table(client))["inputs"] == before["inputs"]:
            await asyncio.sleep(0.02)
    assert after == before | {"inputs": "reg5.pai1.res5.sta1"}
    assert await table(client, inputs=before["inputs"]) == before
    log = (await client.get("/v1/log")).content
    assert (happened(log, "EventSkipped"), b"torn" in log) == (1, False)


async def test_a_round_that_is_recalled_is_no_more_in_the_table(client: Client, database: str) -> None:
    await round_one(database)
    await tell(database, "pairing", CUP, RoundRecalled(tournament=CUP, stage=STAGE, round=1))
    await done(database)
    assert ((await table(client))["round"], order(await table(client))) == (0, list(FOUR))


async def test_a_table_is_given_as_it_was_after_a_round(client: Client, database: str) -> None:
    await round_one(database)
    await tell(database, "pairing", CUP, published(CUP, 2, [("A", "C"), ("B", "D")]))
    await tell(database, "results", CUP, result(CUP, 2, 1, ("A", "C"), (500, 100)))
    await done(database)
    now, first = await table(client), await table(client, round="1")
    assert (first["round"], first["complete"], order(first)) == (1, True, ["C", "B", "A", "D"])
    assert (now["round"], now["complete"], order(now)[0]) == (2, False, "A")
    assert now["inputs"] == first["inputs"]
    problem(await client.get(path(), params={"round": 3}), HTTPStatus.NOT_FOUND, "round-unknown")


async def test_a_table_is_given_again_by_its_inputs(client: Client, database: str) -> None:
    await round_one(database)
    before = await table(client)
    await tell(database, "results", CUP, corrected(result(CUP, 1, 1, ("A", "B"), (300, 400)), (900, 400)))
    await done(database)
    now = await table(client)
    assert order(now) != order(before)
    assert await table(client, inputs=before["inputs"]) == before
    assert await table(client, inputs=now["inputs"]) == now
    assert await table(client, inputs="reg5.pai1.res1.sta0") != before
    unknown = await client.get(path(), params={"inputs": "reg5.pai1.res9.sta0"})
    problem(unknown, HTTPStatus.NOT_FOUND, "inputs-not-reached")
    assert pointers(await client.get(path(), params={"inputs": "reg5"})) == ["/query/inputs"]


async def test_a_table_is_given_as_it_was_at_a_time(client: Client, database: str) -> None:
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    later = [noon + timedelta(hours=hours) for hours in range(4)]
    await tell(database, "registration", CUP, *started(CUP, FOUR), at=later[0])
    await tell(database, "pairing", CUP, published(CUP, 1, [("A", "B"), ("C", "D")]), at=later[1])
    await tell(database, "results", CUP, result(CUP, 1, 1, ("A", "B"), (300, 400)), at=later[2])
    await tell(database, "results", CUP, result(CUP, 1, 2, ("C", "D"), (500, 100)), at=later[3])
    await done(database)
    assert (await table(client, at=later[1].isoformat()))["inputs"] == "reg5.pai1.res0.sta0"
    assert order(await table(client, at=later[2].isoformat()))[0] == "B"
    assert order(await table(client, at="2026-11-21T16:00:00+01:00"))[0] == "C"
    before = await client.get(path(), params={"at": (noon - timedelta(seconds=1)).isoformat()})
    problem(before, HTTPStatus.NOT_FOUND, "not-started")
    assert pointers(await client.get(path(), params={"at": "2026-11-21T12:00:00"})) == ["/query/at"]
    both = await client.get(path(), params={"at": noon.isoformat(), "inputs": "reg1.pai0.res0.sta0"})
    problem(both, HTTPStatus.UNPROCESSABLE_ENTITY, "inputs-and-time")


async def test_the_moments_at_which_a_table_changed_replay_it(client: Client, database: str) -> None:
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    first = result(CUP, 1, 1, ("A", "B"), (300, 400))
    at_once = noon.replace(microsecond=500_000)
    await tell(database, "registration", CUP, *started(CUP, FOUR), at=noon - timedelta(hours=1))
    await tell(database, "pairing", CUP, published(CUP, 1, [("A", "B"), ("C", "D")]), at=noon - timedelta(minutes=50))
    await tell(database, "results", CUP, first, at=noon)
    await tell(database, "results", CUP, result(CUP, 1, 2, ("C", "D"), (500, 100)), at=at_once)
    await tell(database, "results", CUP, GameStarted(game="another", tournament=CUP), at=noon + timedelta(minutes=1))
    await tell(database, "results", CUP, corrected(first, (900, 400)), at=noon + timedelta(minutes=2))
    await done(database)
    answer = await client.get(f"{path()}/moments")
    told = answer.json()["moments"]
    assert [datetime.fromisoformat(one["at"]) for one in told] == [at_once, noon + timedelta(minutes=2)]
    assert {one["round"] for one in told} == {1}
    assert [order(await table(client, at=one["at"]))[0] for one in told] == ["C", "A"]
    again = await client.get(f"{path()}/moments", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == HTTPStatus.NOT_MODIFIED
    problem(await client.get(f"{path(stage='unheard-of')}/moments"), HTTPStatus.NOT_FOUND, "stage-unknown")


async def test_everything_that_follows_from_a_tournament_is_given_as_it_was(client: Client, database: str) -> None:
    await round_one(database)
    then = {"inputs": (await table(client))["inputs"]}
    cup = f"/v1/tournaments/{CUP}"
    stage = f"{cup}/stages/{STAGE}"
    paths = [stage, f"{stage}/standings/entrants/A", f"{stage}/crosstable", f"{cup}/final", f"{cup}/progression"]
    before = [(await client.get(path, params=then)).json() for path in paths]
    assert before[0]["allowed_actions"] == {}
    await tell(database, "results", CUP, corrected(result(CUP, 1, 1, ("A", "B"), (300, 400)), (900, 400)))
    await done(database)
    assert [(await client.get(path, params=then)).json() for path in paths] == before
    for path in (*paths, f"{cup}/changes"):
        assert pointers(await client.get(path, params={"at": "2026-11-21T12:00:00"})) == ["/query/at"]
        far = await client.get(path, params={"inputs": "reg5.pai1.res9.sta0"})
        problem(far, HTTPStatus.NOT_FOUND, "inputs-not-reached")


async def test_whoever_has_the_table_is_not_sent_it_again(client: Client, database: str) -> None:
    await round_one(database)
    answer = await client.get(path())
    tag = answer.headers["ETag"]
    assert tag == f'"{answer.json()["inputs"]}"'
    for known in (tag, f"W/{tag}", f'"another", {tag}', "*"):
        same = await client.get(path(), headers={"If-None-Match": known})
        assert (same.status_code, same.content, same.headers["ETag"]) == (HTTPStatus.NOT_MODIFIED, b"", tag)
    await tell(database, "results", CUP, corrected(result(CUP, 1, 1, FOUR[:2], (300, 400)), (900, 400)))
    await done(database)
    assert (await client.get(path(), headers={"If-None-Match": tag})).status_code == HTTPStatus.OK


async def test_what_is_not_there_is_said(client: Client, database: str) -> None:
    problem(await client.get(path()), HTTPStatus.NOT_FOUND, "not-started")
    await tell(database, "registration", CUP, *started(CUP, FOUR))
    await done(database)
    problem(await client.get(path(stage="play-off")), HTTPStatus.NOT_FOUND, "stage-unknown")
    problem(await client.get(path(), params={"list": "women"}), HTTPStatus.NOT_FOUND, "list-unknown")
    problem(await client.get(f"{path()}/entrants/E"), HTTPStatus.NOT_FOUND, "not-in-table")


async def test_inputs_in_digits_of_another_script_are_none(client: Client) -> None:
    assert pointers(await client.get(path(), params={"inputs": "reg١.pai0.res0.sta0"})) == ["/query/inputs"]


async def test_a_place_is_explained(client: Client, database: str) -> None:
    await round_one(database)
    found = (await client.get(f"{path()}/entrants/B")).json()
    assert (found["place"], found["inputs"], found["round"]) == (2, "reg5.pai1.res3.sta0", 1)
    points, *_, difference, lot = found["criteria"]
    assert points["addends"] == [
        {"value": 1, "what": "game", "round": 1, "opponent": "A", "counted": True, "why": None}
    ]
    assert (difference["value"], lot["value"]) == (100, None)
    assert found["above"]["sentence"] == "C is above B by score difference: 400 and 100."
    assert (found["below"]["entrant"], found["below"]["separated_by"]) == ("A", "points")
    first = (await client.get(f"{path()}/entrants/C")).json()
    assert first["above"] is None


async def test_names_are_shown_as_they_are_now(client: Client, database: str) -> None:
    await round_one(database)
    assert (await table(client))["standings"][0]["name"] is None
    await name(database, "p-C", "Cyril Čierny")
    async with asyncio.timeout(PATIENCE):
        while (await table(client))["standings"][0]["name"] != "Cyril Čierny":
            await asyncio.sleep(0.05)
    explained = (await client.get(f"{path()}/entrants/B")).json()
    assert explained["above"]["sentence"] == "Cyril Čierny is above B by score difference: 400 and 100."


async def name(database: str, identity: str, called: str) -> None:
    async with connection(database) as names:
        await names.execute("insert into names.names values ($1, $2, 1)", identity, called)


async def test_what_is_kept_for_strangers_shows_what_strangers_see_and_no_name_that_was_erased(
    client: Client, database: str
) -> None:
    async def seen(**headers: str) -> httpx.Response:
        return await client.get(path(), headers={"Authorization": "", **headers})

    await round_one(database)
    await tell(database, "registration", CUP, ShownNamesDecided(tournament=CUP, shown_names="first-name-and-initial"))
    await name(database, "p-C", "Cyril Čierny")
    for stranger in (await seen(), await seen()):
        official = await client.get(path())
        assert official.headers["Cache-Control"] == "no-store"
        assert stranger.headers["Cache-Control"] == "public, max-age=0, s-maxage=1"
        shown = [answer.json()["standings"][0]["name"] for answer in (official, stranger)]
        assert shown == ["Cyril Čierny", "Cyril Č."]
    known = (await seen()).headers["ETag"]
    assert (await seen(**{"If-None-Match": known})).status_code == HTTPStatus.NOT_MODIFIED
    async with connection(database) as names:
        await names.execute("update names.names set name = null, revision = 2")
    assert (await seen(**{"If-None-Match": known})).json()["standings"][0]["name"] is None


OTHERS_IN_PRINT = (f"/v1/tournaments/{CUP}/stages/{STAGE}/crosstable", f"/v1/tournaments/{CUP}/final")


async def test_a_table_comes_as_a_sheet_too_and_no_name_is_a_formula(client: Client, database: str) -> None:
    await round_one(database)
    await name(database, "p-C", '=cmd|"x", Čierny')
    async with asyncio.timeout(PATIENCE):
        while (await table(client))["standings"][0]["name"] is None:
            await asyncio.sleep(0.05)
    answer = await client.get(path(), params={"format": "csv"})
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    lines = answer.text.removeprefix("\ufeff").splitlines()
    assert lines[0] == "place,entrant,name,home,Points,Wins,Median Buchholz,Buchholz,Score difference,Lot"
    assert lines[1] == '1,C,"\'=cmd|""x"", Čierny",,1,1,0,0,400,'
    assert lines[2].split(",")[1:3] == ["B", ""]
    page = await client.get(path(), params={"format": "page"})
    assert page.headers["Content-Type"].startswith("text/html")
    for printed in (page, *[await client.get(one, params={"format": "page"}) for one in OTHERS_IN_PRINT]):
        assert "<td>No. 1</td>" in printed.text  # who has no name is not told by an id
        assert "<td>A</td>" not in printed.text
    assert page.headers["ETag"] == answer.headers["ETag"]
    assert "<td>Median Buchholz</td><td>The points of all opponents together, without" in page.text
    assert "=cmd|&quot;x&quot;, Čierny" in page.text
    for paper in ("crosstable", "standings"):
        shown = (await client.get(f"/v1/tournaments/{CUP}/stages/{STAGE}/{paper}")).json()
        assert [one["key"] for one in shown["columns"]] == (await table(client))["criteria"]
        assert shown["columns"][2] | {"description": ""} == {
            "key": "median_buchholz",
            "title": "Median Buchholz",
            "short": "mBh",
            "description": "",
            "decides": True,
        }
        on_paper = await client.get(f"/v1/tournaments/{CUP}/stages/{STAGE}/{paper}", params={"format": "page"})
        assert '<th scope="col">Median Buchholz</th>' in on_paper.text


async def test_namesakes_are_told_apart_by_where_they_come_from_in_the_final_ranking_too(
    client: Client, database: str
) -> None:
    await round_one(database)
    homes = {"A": ("o-1", "Klub pri Dunaji"), "B": ("o-2", "ŠK Košice")}
    for entrant, (club, called) in homes.items():
        moved = EntrantChanged(entrant=entrant, tournament=CUP, persons=(f"p-{entrant}",), number=1, club=club)
        await tell(database, "registration", CUP, moved)
        await name(database, f"p-{entrant}", "Ján Novák")
        await name(database, club, called)
    await done(database)
    final = f"/v1/tournaments/{CUP}/final"
    rows = {row["entrant"]: (row["name"], row["home"]) for row in (await client.get(final)).json()["standings"]}
    assert (rows["A"], rows["B"]) == (("Ján Novák", "Klub pri Dunaji"), ("Ján Novák", "ŠK Košice"))
    sheet = (await client.get(final, params={"format": "csv"})).text
    assert "A,Ján Novák,Klub pri Dunaji," in sheet
    page = (await client.get(final, params={"format": "page"})).text
    assert '<th scope="col">From</th>' in page
    assert "<td>Ján Novák</td><td>ŠK Košice</td>" in page


async def test_what_the_log_has_signed_stands_below_a_printed_table(client: Client, database: str) -> None:
    """Also where the page is kept for strangers."""
    await round_one(database)
    nobody = {"Authorization": ""}
    before = (await client.get(path(), params={"format": "page"}, headers=nobody)).headers["ETag"]
    signed = Checkpoint(origin="club.example/standings/1", size=10_000, root=bytes(32))
    signer = Signer(name=signed.origin, kind=KeyKind.LOG, seed=bytes(32))
    checkpoints = Checkpoints(database)
    async with checkpoints.running():
        await checkpoints.keep(signed, Note(text=signed.text, signatures=()).signed_by(signer))
    for paper in (path(), path().replace("standings", "crosstable"), f"/v1/tournaments/{CUP}/final"):
        page = await client.get(paper, params={"format": "page"}, headers=nobody)
        assert "<footer><p>Log club.example/standings/1, 10000 events, root AAAAAAAAAAAAAAAAAAAAAAAA</p>" in page.text
        assert page.headers["ETag"] != before
        assert page.headers["Content-Security-Policy"]


async def test_a_name_that_changes_makes_another_answer(client: Client, database: str) -> None:
    await round_one(database)
    before = (await client.get(path())).headers["ETag"]
    await name(database, "p-C", "Cyril")
    async with asyncio.timeout(PATIENCE):
        while (await table(client))["standings"][0]["name"] is None:
            await asyncio.sleep(0.05)
    answer = await client.get(path(), headers={"If-None-Match": before})
    assert (answer.status_code, answer.json()["standings"][0]["name"]) == (HTTPStatus.OK, "Cyril")
    same = await client.get(path(), headers={"If-None-Match": answer.headers["ETag"]})
    assert same.status_code == HTTPStatus.NOT_MODIFIED


async def test_what_is_at_hand_is_what_follows_from_the_same_inputs(client: Client, database: str) -> None:
    """Strangers are answered from the table as it was made here, unless somebody else has written the row since; whoever
    names inputs, from the messages."""
    await round_one(database)
    async with connection(database) as own, asyncio.timeout(PATIENCE):
        while await own.fetchval("select making from views.generation") != MAKING:  # afterwards nothing is at hand
            await asyncio.sleep(0.02)
    await tell(database, "pairing", CUP, published(CUP, 2, [("C", "B")], byes=["A"]))
    await tell(database, "results", CUP, result(CUP, 2, 1, ("C", "B"), (350, 350)))
    await done(database)
    inputs = (await table(client))["inputs"]
    nobody = {"Authorization": ""}
    for paper in ("crosstable", "standings"):
        asked = path().replace("standings", paper)
        found = await client.get(asked, headers=nobody)
        assert found.json()["inputs"] == inputs
        assert found.json() == (await client.get(asked, params={"inputs": inputs})).json()
    async with connection(database) as own:
        await own.execute(CHANGE)
    assert order((await client.get(path(), headers=nobody)).json()).count("A") > 1


async def test_a_crosstable_says_who_met_whom(client: Client, database: str) -> None:
    await round_one(database)
    await tell(database, "pairing", CUP, published(CUP, 2, [("C", "B")], byes=["A"]))
    await tell(database, "results", CUP, result(CUP, 2, 1, ("C", "B"), (350, 350)))
    await done(database)
    found = (await client.get(f"/v1/tournaments/{CUP}/stages/{STAGE}/crosstable")).json()
    rows = {row["entrant"]: row for row in found["rows"]}
    assert [row["entrant"] for row in found["rows"]] == order(await table(client))
    assert (rows["C"]["points"], [cell["opponents"] for cell in rows["C"]["rounds"]]) == (1.5, [["D"], ["B"]])
    assert rows["B"]["rounds"][1] == {
        "round": 2,
        "kind": "game",
        "opponents": ["C"],
        "places": [rows["C"]["place"]],
        "first": False,
        "points": 0.5,
        "made": 350,
        "received": 350,
        "corrected": False,
        "names": [None],
    }
    assert [cell["kind"] for cell in rows["A"]["rounds"]] == ["game", "bye"]
    assert [cell["kind"] for cell in rows["D"]["rounds"]] == ["game", "away"]
    sheet = await client.get(f"/v1/tournaments/{CUP}/stages/{STAGE}/crosstable", params={"format": "csv"})
    assert sheet.text.removeprefix("\ufeff").splitlines()[:2] == [
        "number,place,entrant,name,group,Points,Wins,Median Buchholz,Buchholz,Score difference,Lot,round 1,round 2",
        f"1,1,B,,,1.5,1,0,2.5,100,,1 v {rows['A']['place']} (400:300),0.5 v {rows['C']['place']} (350:350)",
    ]
