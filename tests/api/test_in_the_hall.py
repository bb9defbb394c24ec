"""What people in a hall know and want to see: the number of a table, who sits there, and what is missing.

Nobody here is called like their id, so that an id in the place of a name is seen.
"""

import asyncio
import csv
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

import asyncpg
import pytest

from shared.contracts.registration import CaptainNamed, EntrantChanged, ShownNamesDecided
from tests.api.asking import documented, pointers, problem
from tests.api.hearing import CaptainIssuer
from tests.api.signing import signed_by
from tests.api.tables import GAMES, STAGE, TOURNAMENT, Answer, Hall, hall, planned, team
from tests.documents import Document
from tests.patience import PATIENCE

CALLED = {
    "ada-1": "Zuzana Kováčová",
    "ben-1": "Boris Novák",
    "cid-1": "Cyril Sokol",
    "dan-1": "Dana Malá",
    "eva-1": "Eva Veľká",
    "fay-1": "František Žák",
    "club-7": "Šachový klub Sokol",
}
STAGES = f"/v1/tournaments/{TOURNAMENT}/stages/{STAGE}"
ROUND = f"{STAGES}/rounds/1"


def done(answer: Answer) -> dict[str, Any]:
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


async def name(cup: Hall) -> None:
    names = await asyncpg.connect(cup.database)
    try:
        for identity, called in CALLED.items():
            await names.execute("insert into names.names values ($1, $2, 1)", identity, called)
    finally:
        await names.close()


@pytest.fixture
async def cup(database: str) -> AsyncGenerator[Hall]:
    async with hall(database, before=name) as found:
        own = EntrantChanged(entrant="ada", tournament=TOURNAMENT, persons=team("ada"), number=1, club="club-7")
        await found.hear("registration", own)
        yield found


async def at_table(cup: Hall, table: int, what: str, body: object = None, *, by: str, key: str | None = None) -> Answer:
    headers = cup.signed(by) | ({"Idempotency-Key": key} if key else {})
    return await cup.client.post(f"{ROUND}/tables/{table}/{what}", json=body, headers=headers)


async def board(cup: Hall, *, by: str | None = None, path: str = f"{ROUND}/games", **query: Any) -> dict[str, Any]:
    headers = cup.signed(by) if by else {"Authorization": ""}
    return done(await cup.client.get(path, params=query, headers=headers))


async def until(cup: Hall, **counts: int) -> dict[str, Any]:
    """The list follows a moment after what has happened."""
    async with asyncio.timeout(PATIENCE):
        while (seen := await board(cup, by="sue"))["counts"] != counts:
            await asyncio.sleep(0.02)
    return seen


def tables(seen: dict[str, Any]) -> list[int]:
    return [game["table"] for game in seen["items"]]


async def test_whoever_knows_the_number_of_the_table_reports_by_one_call(cup: Hall) -> None:
    said = {"scores": [421, 377], "signed_by": [0, 1]}
    first = await at_table(cup, 1, "reports", said, by="sue", key="k1")
    sheet = done(first)
    assert [(seat["name"], seat["number"], seat["home"]) for seat in sheet["seats"]] == [
        ("Zuzana Kováčová", 1, "Šachový klub Sokol"),
        ("Boris Novák", 2, None),
    ]
    assert (sheet["id"], sheet["status"], sheet["result"]["winner"]) == ("g1", "final", 0)
    again = await at_table(cup, 1, "reports", said, by="sue", key="k1")
    assert (again.json(), again.headers["ETag"]) == (sheet, first.headers["ETag"])
    problem(await at_table(cup, 1, "reports", {"scores": [1, 2]}, by="sue", key="k1"), HTTPStatus(422), "key-reused")
    assert len(await cup.told("ResultReported")) == 1

    assert done(await at_table(cup, 2, "start", {}, by="sue"))["status"] == "started"
    await at_table(cup, 2, "reports", {"scores": [300, 310]}, by="sue")
    assert done(await at_table(cup, 2, "dispute", {"reason": "The last turn."}, by="sam"))["status"] == "disputed"
    assert done(await at_table(cup, 2, "withdraw", by="sue"))["status"] == "started"
    await at_table(cup, 2, "reports", {"scores": [300, 310]}, by="sue")
    final = done(await at_table(cup, 2, "confirm", {"report": 2}, by="sam"))
    assert (final["status"], final["result"]["winner"]) == ("final", 1)
    seen = await cup.client.get(f"{ROUND}/tables/2", headers={"Authorization": ""})
    assert (seen.json()["id"], seen.json()["seats"][0]["name"]) == ("g2", "Cyril Sokol")


async def test_a_table_that_is_not_there_or_not_the_own_is_refused(cup: Hall) -> None:
    said = {"scores": [421, 377]}
    missing = problem(await at_table(cup, 9, "reports", said, by="sue"), HTTPStatus.NOT_FOUND, "table-unknown")
    assert missing.detail == "Round 1 of stage swiss has no table 9: look at its 3 games."
    later = await cup.client.post(f"{STAGES}/rounds/4/tables/1/reports", json=said, headers=cup.signed("sue"))
    problem(later, HTTPStatus.NOT_FOUND, "round-unknown")
    assert pointers(await at_table(cup, 0, "reports", said, by="sue")) == ["/path/table"]
    problem(await at_table(cup, 1, "reports", said, by="aud"), HTTPStatus.FORBIDDEN, "not-permitted")
    nobody = await cup.client.post(f"{ROUND}/tables/1/reports", json=said, headers={"Authorization": ""})
    problem(nobody, HTTPStatus.UNAUTHORIZED, "unauthenticated")

    issuer = CaptainIssuer()
    named = [CaptainNamed(entrant=entrant, tournament=TOURNAMENT, generation=1) for entrant in ("ada", "eva")]
    await cup.hear("registration", issuer.introduced, *named)
    ada, eva = [signed_by(issuer.token(entrant, TOURNAMENT)) for entrant in ("ada", "eva")]
    elsewhere = await cup.client.post(f"{ROUND}/tables/1/reports", json=said, headers=eva)
    problem(elsewhere, HTTPStatus.FORBIDDEN, "not-permitted")
    for nowhere in (9, 99_999_999_999, "one", "١"):
        unknown = await cup.client.post(f"{ROUND}/tables/{nowhere}/reports", json=said, headers=ada)
        problem(unknown, HTTPStatus.FORBIDDEN, "not-permitted")
    own = done(await cup.client.post(f"{ROUND}/tables/1/reports", json=said, headers=ada))
    assert (own["status"], own["reports"][0]["entrant"]) == ("reported", "ada")
    assert done(await cup.client.get(f"{ROUND}/tables/1", headers=eva))["reports"] is None
    mine = done(await cup.client.get("/v1/me", headers=ada))
    assert (mine["captain"]["entrant"], mine["offices"], mine["tournaments"]) == ("ada", [], [])
    async with asyncio.timeout(PATIENCE):
        while not (mine := done(await cup.client.get("/v1/me", headers=ada)))["reports"]:
            await asyncio.sleep(0.02)
    (table,) = mine["tables"]
    assert (table["table"], table["heard"]["silent"], table["tournament_name"]) == (1, [1], "Cup")
    assert done(await cup.client.get("/v1/me", headers=eva))["reports"] == []


FOREIGN = {"scores": [421, 377], "boards": [[0, 1]], "discs": [40, 24]}
OWN = {"family": "scrabble", "scores": [421, 377], "bingos": [{"seat": 0, "points": 86}]}


async def test_of_a_table_is_said_what_its_own_game_has(cup: Hall) -> None:
    report, ruling = [{"$ref": f"#/components/schemas/{form}"} for form in ("ToReport", "ToDecide")]
    described = Document(documented("results"))
    for act, form, body in (
        ("reports", report, FOREIGN),
        ("decide", ruling, FOREIGN | {"reason": "As the arbiter saw it."}),
        ("correct?dry_run=true", ruling, FOREIGN | {"reason": "As the arbiter saw it."}),
    ):
        refused = problem(await at_table(cup, 3, act, body, by="dora"), HTTPStatus.UNPROCESSABLE_ENTITY, "faulty")
        assert described.faults(form, body)
        boards, discs = sorted(refused.errors, key=lambda fault: fault.pointer)
        assert (boards.pointer, discs.pointer) == ("/boards", "/discs")
        assert boards.detail.startswith("belongs to gomoku-pisqworky: here scrabble is played, which has end, scores,")
        assert "finish" in boards.detail
    other = await at_table(cup, 3, "reports", {"family": "othello", "scores": [421, 377]}, by="dora")
    (fault,) = problem(other, HTTPStatus.UNPROCESSABLE_ENTITY, "faulty").errors
    assert fault.pointer == "/family"

    sheet = done(await at_table(cup, 3, "reports", OWN, by="dora"))
    assert (sheet["family"], sheet["reports"][0]["bingos"]) == ("scrabble", OWN["bingos"])
    assert (await board(cup))["family"] == "scrabble"
    assert [described.faults(report, body) for body in (OWN, {"scores": [421, 377]}, {"boards": [[0, 1]]})] == [
        [],
        [],
        [],
    ]


async def test_after_a_recall_a_table_is_that_of_the_round_which_took_its_place(cup: Hall) -> None:
    await cup.recall(1, "r1", *(game.game for game in GAMES))
    recalled = await at_table(cup, 1, "reports", {"scores": [421, 377]}, by="sue")
    problem(recalled, HTTPStatus.CONFLICT, "round-is-recalled")
    await cup.publish(1, [planned("h1", 1, "ada", "cid"), planned("h2", 2, "ben", "dan")])
    async with asyncio.timeout(PATIENCE):
        while (sheet := (await at_table(cup, 1, "reports", {"scores": [421, 377]}, by="sue")).json()).get("id") != "h1":
            await asyncio.sleep(0.02)
    assert [seat["name"] for seat in sheet["seats"]] == ["Zuzana Kováčová", "Cyril Sokol"]


async def test_one_look_is_a_board_for_everybody_and_a_desk_for_officials(cup: Hall) -> None:
    await cup.publish(
        2, [planned("h1", 1, "cid", "ada")], byes=("ben",), missing=("dan",), starts_at="2026-03-14T14:30:00+01:00"
    )
    seen = await board(cup, path=f"{STAGES}/rounds/2/games")
    assert (seen["tournament_name"], seen["title"], seen["starts_at"]) == (
        "Cup",
        "Swiss, or round robin of a small field",
        "2026-03-14T14:30:00+01:00",
    )
    assert [[player["name"] for player in seen[what]] for what in ("byes", "absent")] == [
        ["Boris Novák"],
        ["Dana Malá"],
    ]
    (game,) = seen["items"]
    assert [(one["name"], one["home"]) for one in game["seats"]] == [
        ("Cyril Sokol", None),
        ("Zuzana Kováčová", "Šachový klub Sokol"),
    ]
    assert game["heard"] is None

    await at_table(cup, 1, "reports", {"scores": [421, 377], "signed_by": [0, 1]}, by="sue")
    await at_table(cup, 2, "reports", {"scores": [300, 310]}, by="sue")
    seen = await until(cup, final=1, reported=1, pending=1)
    assert [(game["status"], game["result"] and game["result"]["winner"]) for game in seen["items"]] == [
        ("final", 0),
        ("reported", None),
        ("pending", None),
    ]
    reported = {"reported": [], "silent": [0, 1], "official": True, "objections": 0, "director": False}
    assert repr(seen["items"][0]["result"]["scores"]) == "[421, 377]", "whole numbers are shown as such"
    assert [game["heard"] for game in seen["items"]] == [None, reported, reported | {"official": False}]
    for show, expected in {"open": [2, 3], "unreported": [3], "reported": [2], "final": [1], "director": []}.items():
        assert tables(await board(cup, by="sue", show=show)) == expected
    refused = await cup.client.get(f"{ROUND}/games", params={"show": "director"}, headers={"Authorization": ""})
    problem(refused, HTTPStatus.FORBIDDEN, "not-permitted")

    of_ada = await board(cup, path=f"/v1/tournaments/{TOURNAMENT}/games", entrant="ada")
    assert [(game["round"], game["table"], game["status"]) for game in of_ada["items"]] == [
        (1, 1, "final"),
        (2, 1, "pending"),
    ]
    page = await board(cup, path=f"/v1/tournaments/{TOURNAMENT}/games", limit=3)
    rest = await board(cup, path=f"/v1/tournaments/{TOURNAMENT}/games", limit=3, after=page["next"])
    assert [(game["round"], game["table"]) for game in (*page["items"], *rest["items"])] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
    ]


async def test_a_board_shows_names_as_the_tournament_does_and_officials_the_whole(cup: Hall) -> None:
    decided = ShownNamesDecided(tournament=TOURNAMENT, shown_names="first-name-and-initial")
    await cup.hear("registration", decided)
    (first, *_), (whole, *_) = (await board(cup))["items"], (await board(cup, by="sue"))["items"]
    assert [(seat["name"], seat["home"]) for seat in first["seats"]] == [("Zuzana K.", None), ("Boris N.", None)]
    assert [seat["name"] for seat in whole["seats"]] == ["Zuzana Kováčová", "Boris Novák"]
    assert "Zuzana K." in (await cup.client.get(f"{ROUND}/entry-sheet", headers={"Authorization": ""})).text


async def test_everybody_sees_that_a_result_was_corrected_and_officials_why(cup: Hall) -> None:
    await cup.publish(2, [planned("h1", 1, "ada", "cid")])
    await at_table(cup, 1, "reports", {"scores": [380, 350], "signed_by": [0, 1]}, by="sue")
    body = {"scores": [380, 390], "reason": "A turn of Boris was missing."}
    foreseen = done(await cup.act("g1", "correct", body, by="art", dry_run=True))
    assert foreseen["changes"][:2] == [
        "Table 1: Zuzana Kováčová 380:390 Boris Novák instead of Zuzana Kováčová 380:350 Boris Novák.",
        "Boris Novák has won; until now Zuzana Kováčová had won.",
    ]
    assert foreseen["rounds"] == [{"stage": STAGE, "round": 2, "complete": False}]
    assert not (await board(cup))["items"][0]["corrected"]
    assert done(await at_table(cup, 1, "correct", body, by="art"))["corrected"]
    async with asyncio.timeout(PATIENCE):
        while not (found := (await board(cup, show="corrected"))["items"]):
            await asyncio.sleep(0.02)
    for by, why in ((None, None), ("aud", body["reason"])):
        (listed,) = (await board(cup, by=by, show="corrected"))["items"]
        seen = await cup.look("g1", by=by)
        assert listed["correction"] == seen["correction"] == {"at": found[0]["correction"]["at"], "reason": why}
        assert listed["result"] == seen["result"]


async def test_officials_see_what_is_open_where_they_officiate(cup: Hall) -> None:
    await at_table(cup, 1, "reports", {"scores": [421, 377]}, by="sue")
    await until(cup, reported=1, pending=2)
    me = done(await cup.client.get("/v1/me", headers=cup.signed("sue")))
    assert (me["subject"], me["offices"]) == (
        "sue",
        [{"scope": TOURNAMENT, "federation": "sss", "role": "scorer"}],
    )
    (here,) = me["tournaments"]
    assert (here["name"], here["roles"], here["reported"], here["unreported"]) == ("Cup", ["scorer"], 1, 2)
    assert here["rounds"] == [{"stage": STAGE, "round": 1, "games": 3, "missing": 3}]
    assert [game["seats"][0]["name"] for game in me["reports"]] == ["Zuzana Kováčová"]
    stranger = done(await cup.client.get("/v1/me", headers=cup.signed("stranger")))
    assert [stranger[what] for what in ("offices", "tournaments", "tables", "reports")] == [[]] * 4


async def test_a_sheet_of_results_has_names_and_changes_nothing_when_it_comes_back(cup: Hall) -> None:
    path, sent = f"{ROUND}/entry-sheet", cup.signed("sue") | {"Content-Type": "text/csv"}

    async def send(text: str, **query: Any) -> dict[str, Any]:
        return done(await cup.client.post(path, content=text.encode(), params=query, headers=sent))

    filled = "table;name_1;name_2;score_1;score_2;winner;signed\n1;Zuzana Kováčová;Boris Novák;421;377;1;yes\n"
    foreseen = (await send(filled, dry_run=True))["foreseen"]
    assert [(one["line"], one["table"], one["changes"]) for one in foreseen] == [
        (2, 1, ["Table 1: Zuzana Kováčová 421:377 Boris Novák is reported, and final."])
    ]
    assert await cup.told("ResultReported") == []
    assert (await send(filled))["answers"][0]["sheet"]["status"] == "final"
    async with asyncio.timeout(PATIENCE):
        while "421" not in (out := await cup.client.get(path, headers=sent)).text:
            await asyncio.sleep(0.02)
    lines = list(csv.DictReader(out.content.decode("utf-8-sig").splitlines()))
    assert [(line["table"], line["name_1"], line["name_2"], line["score_1"], line["winner"]) for line in lines] == [
        ("1", "Zuzana Kováčová", "Boris Novák", "421", "1"),
        ("2", "Cyril Sokol", "Dana Malá", "", ""),
        ("3", "Eva Veľká", "František Žák", "", ""),
    ]
    for query in ({}, {"dry_run": True}):
        (came_back,) = (await send(out.content.decode(), **query)).popitem()[1]
        assert (came_back["status"], came_back.get("changes", [])) == (HTTPStatus.OK, [])
    assert len(await cup.told("ResultReported")) == 1
    assert (await cup.client.get(path, headers=sent)).content == out.content


@pytest.mark.parametrize(
    ("line", "where", "says"),
    [
        ("2;Boris Novák;;400;300;;", "name_1", "Boris Novák does not sit there, but Cyril Sokol"),
        ("2;;;400;300;2;", "winner", "says 2, but by the rest of the line it is 1"),
        ("2;;;400;;;", "score_2", "1 scores are in the line, and 2 sit at this table"),
        ("2;;;400;many;;", "score_2", "'many' is no number"),
        ("2;;;400;300;;perhaps", "signed", "has to be yes where all have signed"),
        ("7;;;400;300;;", "table", "is no table of this round: it has 1 to 3"),
        (";;;400;300;;", "table", "says neither the number of a table nor the id of a game"),
        ("1;;;400;300;;", "", "is the game of line 2 once more"),
    ],
)
async def test_a_line_of_results_that_cannot_be_says_where_and_why(cup: Hall, line: str, where: str, says: str) -> None:
    text = f"table;name_1;name_2;score_1;score_2;winner;signed\n1;;;421;377;;yes\n{line}\n"
    headers = cup.signed("sue") | {"Content-Type": "text/csv"}
    answer = await cup.client.post(f"{ROUND}/entry-sheet", content=text.encode(), headers=headers)
    good, bad = done(answer)["answers"]
    assert (good["status"], bad["status"], bad["line"]) == (HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY, 3)
    (fault,) = bad["problem"]["errors"]
    assert fault["pointer"] == f"/lines/3/{where}".rstrip("/")
    assert says in fault["detail"]


async def test_many_reports_may_name_tables_too(cup: Hall) -> None:
    table = {"stage": STAGE, "round": 1, "table": 2, "scores": [300, 310]}
    body = {"reports": [table, {"game": "g3", "scores": [300, 310]}, table | {"table": 8}]}
    path = f"/v1/tournaments/{TOURNAMENT}/reports"
    answers = done(await cup.client.post(path, json=body, headers=cup.signed("sue")))["answers"]
    assert [(one["game"], one["status"]) for one in answers] == [("g2", 200), ("g3", 200), (None, 404)]
    both = {"reports": [table | {"game": "g2"}]}
    assert pointers(await cup.client.post(path, json=both, headers=cup.signed("sue"))) == ["/reports/0"]
