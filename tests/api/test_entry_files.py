"""Entries as files over HTTP: every faulty line at once, all or nothing, again without harm, and out in the same form."""

import time
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from shared.personal.sentences import ID
from tests.api.asking import Client, issuer, problem
from tests.api.holding import announce, done, enter, opened, path
from tests.api.school_days import Schools, team
from tests.api.signing import signed_by
from tests.logged import happened

MALFORMED = HTTPStatus.UNPROCESSABLE_ENTITY


async def bring_in(
    client: Client, tournament: str, text: str | bytes, *, under: str | None = None, **query: Any
) -> httpx.Response:
    headers = signed_by(issuer().token()) | {"Content-Type": "text/csv"} | ({"Idempotency-Key": under} if under else {})
    return await client.post(path(tournament, "entries", "import"), content=text, params=query, headers=headers)


async def brought_in(client: Client, tournament: str, text: str | bytes) -> tuple[int, int, int]:
    answer = await bring_in(client, tournament, text)
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    found = answer.json()
    return found["entered"], found["waiting"], found["unchanged"]


async def taken_out(client: Client, tournament: str) -> bytes:
    answer = await client.get(path(tournament, "entries", "export"))
    assert answer.headers["Content-Type"].startswith("text/csv"), answer.text
    return answer.content


async def entrants(client: Client, tournament: str) -> list[dict[str, Any]]:
    return (await client.get(path(tournament, "entrants"), params={"limit": 500})).json()["items"]


async def test_a_rating_that_an_entry_got_only_at_the_start_stays_out_of_the_file(new_client: Client) -> None:
    """Brought in elsewhere it would stand there as what the entry says, before any list."""
    tournament = await opened(new_client)
    assert await brought_in(new_client, tournament, "name,rating\nZuzka,1700\nBob,\n") == (2, 0, 0)
    before = await taken_out(new_client, tournament)
    for step in ("open-check-in", "check-in", "start"):
        await done(new_client, tournament, step)
    assert [one["rating_from"] for one in await entrants(new_client, tournament)] == ["entry", "rules"]
    assert await taken_out(new_client, tournament) == before


@pytest.mark.parametrize(
    "content",
    [
        b"name,rating,declared\r\nZuzka,1700,member first-time\r\nBob,,\r\n",
        '\ufeffrating;declared;name\n1700;first-time member;"Zuzka"\n;;Bob\n\n'.encode(),
    ],
    ids=["commas", "semicolons and a mark"],
)
async def test_a_file_comes_in_whole_and_again_without_harm(new_client: Client, content: bytes) -> None:
    tournament = await opened(new_client)
    foreseen = await bring_in(new_client, tournament, content, dry_run=True)
    assert (foreseen.status_code, foreseen.json()) == (HTTPStatus.OK, {"changes": ["Coming in: 2 of 2."], "lost": []})
    assert await entrants(new_client, tournament) == []
    assert await brought_in(new_client, tournament, content) == (2, 0, 0)
    there = await entrants(new_client, tournament)
    assert [(one["persons"][0]["name"], one["rating"]) for one in there] == [("Zuzka", 1700), ("Bob", None)]
    assert await brought_in(new_client, tournament, content) == (0, 0, 2)
    assert await brought_in(new_client, tournament, await taken_out(new_client, tournament)) == (0, 0, 2)
    assert await entrants(new_client, tournament) == there
    log = (await new_client.get("/v1/log")).content
    assert happened(log, "PersonRegistered") == 2
    assert b"Zuzka" not in log


async def test_a_file_that_comes_again_with_its_key_has_its_first_answer_whatever_has_happened_since(
    new_client: Client,
) -> None:
    tournament = await opened(new_client)
    first = await bring_in(new_client, tournament, "name\nZuzka\nBob\n", under="k")
    await done(new_client, tournament, "cancel")
    problem(await bring_in(new_client, tournament, "name\nZuzka\nBob\n"), HTTPStatus.CONFLICT, "not-now")
    again = await bring_in(new_client, tournament, "name\nZuzka\nBob\n", under="k")
    assert (again.status_code, again.json()) == (HTTPStatus.CREATED, first.json())


async def test_every_faulty_line_is_named_with_its_column_and_nobody_comes_in(new_client: Client) -> None:
    tournament = await opened(new_client)
    known, _ = [(await enter(new_client, tournament, name, 1500)).json() for name in ("Yan", "Zoe")]
    text = (
        "name,person,rating,school,lists,captain,carried,born,role\n"
        "Ann,,1700,,,,,,\n"  # 2, good
        "Bob,,99999,,,,,,\n"
        ",,,,,,,,\n"  # blank: passed over
        ",,1600,,,,,,\n"
        "Cid,,x,Nowhere,,maybe,,,\n"
        "Dan,,,,women,,,,\n"
        "Eve,,,,,,half,19xx,\n"
        ",nobody-known,,,,,,,\n"
        f"Somebody else,{known['persons'][0]['id']},,,,,,,\n"
        "Fay,,,,,,,,referee\n"
        "Zoe,,1501,,,,,,\n"
    )
    for dry_run in (True, False):
        refused = await bring_in(new_client, tournament, text, dry_run=dry_run)
        document = problem(refused, MALFORMED, "faulty")
        assert [fault.pointer for fault in document.errors] == [
            *("/lines/3/rating", "/lines/5/name"),
            *(
                "/lines/6/captain",
                "/lines/6/school",
                "/lines/6/rating",
                "/lines/7",
                "/lines/8/carried",
                "/lines/8/born",
            ),
            *("/lines/9/person", "/lines/10/name", "/lines/10", "/lines/11/role", "/lines/12"),
        ], refused.text
        assert all(fault.detail.startswith(f"Line {fault.pointer.split('/')[2]}") for fault in document.errors)
    assert len(await entrants(new_client, tournament)) == 2
    assert happened((await new_client.get("/v1/log")).content, "PersonRegistered") == 2


@pytest.mark.parametrize(
    ("content", "pointer", "saying"),
    [
        (b"name\n", "/lines", "no line below"),
        (b"nmae,rating\nAnn,1\n", "/lines/1", "nmae is not known: there are entry, person"),
        (b"name,name\nAnn,Ann\n", "/lines/1/name", "twice"),
        (b'name\nAnn\n"Bob\n', "/lines/3", "cannot be read from here on"),
        (b"name\nAnn\nB\xf6b\n", "/lines/3", "is not UTF-8"),
        (b"name,rating\nAnn,1,2\n", "/lines/2", "has 3 cells"),
    ],
    ids=["only columns", "a column that is not known", "a column twice", "quotes", "encoding", "cells"],
)
async def test_a_file_that_cannot_be_read_says_where(client: Client, content: bytes, pointer: str, saying: str) -> None:
    tournament = await opened(client)
    (fault,) = problem(await bring_in(client, tournament, content), MALFORMED, "faulty").errors
    assert fault.pointer == pointer
    assert saying in fault.detail


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
async def test_a_file_in_utf_16_is_to_be_saved_in_another_way(client: Client, encoding: str) -> None:
    tournament = await opened(client)
    content = "name\trating\r\nŽofia\t1700\r\n".encode(encoding)
    (fault,) = problem(await bring_in(client, tournament, content), MALFORMED, "malformed").errors
    assert "save a spreadsheet as “CSV UTF-8”" in fault.detail


async def test_the_same_key_gets_the_first_answer_and_a_longer_file_adds_what_is_new(client: Client) -> None:
    tournament = await opened(client, entry={"most": 2})
    first = await bring_in(client, tournament, "name\nAnn\n", under="k")
    assert (await bring_in(client, tournament, "name\nAnn\n", under="k")).json() == first.json()
    problem(await bring_in(client, tournament, "name\nBob\n", under="k"), MALFORMED, "key-reused")
    assert await brought_in(client, tournament, "name\nAnn\nBob\nCid\n") == (1, 1, 1)
    ann = first.json()["entries"][0]["entrant"]
    await done(client, tournament, "entrants", ann, "withdraw")
    again = (await bring_in(client, tournament, "name\nAnn\nBob\nCid\n")).json()
    assert (again["gone"], again["unchanged"], again["entries"][0]["outcome"]) == (1, 2, "gone")


async def test_who_is_known_otherwise_is_no_other_person(client: Client) -> None:
    tournament = await opened(client)
    assert await brought_in(client, tournament, "name,born,town\nAnn,2010,Nitra\nAnn,2011,\n") == (2, 0, 0)
    (fault,) = problem(await bring_in(client, tournament, "name,born\nAnn,2009\n"), MALFORMED, "faulty").errors
    assert fault.pointer == "/lines/2/born"
    assert "2010" not in await text_of(client, tournament)


async def text_of(client: Client, tournament: str) -> str:
    return (await taken_out(client, tournament)).decode("utf-8-sig")


async def test_what_a_spreadsheet_would_compute_goes_out_and_in_as_text(client: Client) -> None:
    tournament = await opened(client)
    assert await brought_in(client, tournament, 'name\n"=1+1, ""he said"""\n') == (1, 0, 0)
    assert '"\'=1+1, ""he said"""' in await text_of(client, tournament)
    assert await brought_in(client, tournament, await taken_out(client, tournament)) == (0, 0, 1)


async def test_pairs_and_late_entries_come_in_by_a_file(client: Client) -> None:
    tournament = await opened(client, entry={"kind": "pair"})
    pairs = "entry,name,team_name\n1,Ann,Two\n2,Cid,\n1,Bob,\n2,Dan,\n"
    alone = problem(await bring_in(client, tournament, pairs + "3,Eve,\n"), MALFORMED, "faulty")
    assert [fault.pointer for fault in alone.errors] == ["/lines/6"]
    assert await brought_in(client, tournament, pairs) == (2, 0, 0)
    there = await entrants(client, tournament)
    assert [(one["name"], [person["name"] for person in one["persons"]]) for one in there] == [
        ("Two", ["Ann", "Bob"]),
        (None, ["Cid", "Dan"]),
    ]
    assert await brought_in(client, tournament, await taken_out(client, tournament)) == (0, 0, 2)
    await done(client, tournament, "open-check-in")
    late = pairs + "3,Eve,\n3,Fay,\n"
    problem(await bring_in(client, tournament, late), HTTPStatus.CONFLICT, "entries-closed")
    assert (await bring_in(client, tournament, late, decision="excused")).json()["entered"] == 1


TEAMS = """entry;name;role;captain;team_name;school;consents;born
s;Sparrow 1;;yes;Sparrows;Gymnázium;rules;2012
s;Sparrow 2;player;;;;;2012
s;Sparrow 3;player;;;;;2012
s;Sparrow 4;substitute;;;;;2013-05-01
o;Owl 1;;yes;Owls;{other};rules;2012
o;Owl 2;;;;;;2012
"""


@pytest.mark.rule("PQ.REG-5", "PQ.REG-7", "PQ.REG-10")
async def test_teams_come_in_with_their_line_ups(client: Client) -> None:
    schools = await Schools(client).found()
    tournament = await schools.tournament()
    teams = TEAMS.format(other=schools.other)
    assert await brought_in(client, tournament, teams) == (2, 0, 0)
    sparrows, owls = await entrants(client, tournament)
    assert (sparrows["name"], sparrows["captain"], sparrows["school"], owls["school"]) == (
        *("Sparrows", sparrows["persons"][0]["id"]),
        *(schools.one, schools.other),
    )
    assert [one["name"] for one in sparrows["substitutes"]] == ["Sparrow 4"]
    assert await brought_in(client, tournament, teams) == (0, 0, 2)
    assert await brought_in(client, tournament, await taken_out(client, tournament)) == (0, 0, 2)
    other = await schools.tournament()
    taken = f"entry,name,person,captain,school\nx,,{sparrows['persons'][0]['id']},yes,Gymnázium\nx,New,,,\n"
    old = "y,Old 1,,yes,Gymnázium,2009-09-22\ny,Old 2,,,,\n"
    bad = (
        "entry,name,person,captain,school,born\n"
        + taken.split("\n", 1)[1].replace("\n", ",\n")
        + old
        + "z,Nobody,,,,\n"
    )
    refused = problem(await bring_in(client, other, bad), MALFORMED, "faulty")
    assert [
        (fault.pointer, clause)
        for fault, clause in zip(refused.errors, ("PQ.REG-7", "PQ.REG-4", "PQ.REG-5"), strict=True)
        if clause in fault.detail
    ] == [
        *(("/lines/2", "PQ.REG-7"), ("/lines/4", "PQ.REG-4"), ("/lines/6", "PQ.REG-5")),
    ], refused
    of_old = refused.errors[1].detail
    assert ("Old 1: Everybody is under 16" in of_old, ID.search(of_old)) == (
        True,
        None,
    )  # nobody has ids that came to nothing
    renamed = teams.replace("Owl 2", "Owl 3")
    (fault,) = problem(await bring_in(client, tournament, renamed), MALFORMED, "faulty").errors
    assert (fault.pointer, "with others" in fault.detail) == ("/lines/6/team_name", True)


async def test_who_may_be_somebody_known_is_not_registered_twice(new_client: Client) -> None:
    tournament = await opened(new_client)
    known = "name,rating,born\nJana Kováčová,1500,1990\nYan,1500,\n"
    assert await brought_in(new_client, tournament, known) == (2, 0, 0)
    jana = (await entrants(new_client, tournament))[0]["persons"][0]["id"]
    await done(new_client, tournament, "entrants", (await entrants(new_client, tournament))[0]["id"], "withdraw")
    federation = (await new_client.get(path(tournament))).json()["federation"]
    other = (await announce(new_client, federation)).json()["id"]
    await done(new_client, other, "open")
    text = "name,person,born\nJana Kováčová,,\nYan,{yan},\nJana Kováčová,{new},2001\nEva Nová,,\nEva Nová,{new},\n"
    for dry_run in (True, False):
        refused = await bring_in(new_client, other, text.format(yan="", new=""), dry_run=dry_run)
        faults = problem(refused, MALFORMED, "faulty").errors
        assert [fault.pointer for fault in faults] == [f"/lines/{number}/name" for number in (2, 3, 6)]
        assert jana in faults[0].detail
        assert "line 5 says" in faults[2].detail
    assert happened((await new_client.get("/v1/log")).content, "PersonRegistered") == 2
    (plain,) = problem(await bring_in(new_client, other, "name\nJana Kovacova\n"), MALFORMED, "faulty").errors
    assert jana in plain.detail, "accents are left out where there is no key for them"
    mended = text.format(yan="new", new="new").replace("Jana Kováčová,,", f"Jana Kováčová,{jana},")
    assert await brought_in(new_client, other, mended) == (5, 0, 0)
    assert await brought_in(new_client, other, mended) == (0, 0, 5)
    assert happened((await new_client.get("/v1/log")).content, "PersonRegistered") == 6


async def test_what_went_out_comes_in_again_after_somebody_of_it_was_erased(client: Client) -> None:
    tournament = await opened(client)
    assert await brought_in(client, tournament, persons(3)) == (3, 0, 0)
    before = await entrants(client, tournament)
    files = [await taken_out(client, tournament)]
    assert (await client.delete(f"/v1/persons/{before[1]['persons'][0]['id']}")).is_success
    files.append(await taken_out(client, tournament))
    for file in files:
        assert await brought_in(client, tournament, file) == (0, 0, 3)
    assert [one["id"] for one in await entrants(client, tournament)] == [one["id"] for one in before]
    (fault,) = problem(await bring_in(client, await opened(client), files[1]), MALFORMED, "faulty").errors[:1]
    assert fault.pointer.startswith("/lines/")

    schools = await Schools(client).found()
    area = await schools.tournament()
    assert await brought_in(client, area, TEAMS.format(other=schools.other)) == (2, 0, 0)
    sparrows, _ = await entrants(client, area)
    assert (await client.delete(f"/v1/persons/{sparrows['persons'][1]['id']}")).is_success
    assert await brought_in(client, area, await taken_out(client, area)) == (0, 0, 2)


async def test_who_has_gone_and_entered_again_is_there_and_leaves_the_name_of_a_team_to_others(client: Client) -> None:
    tournament = await opened(client)
    assert await brought_in(client, tournament, "name\nZuzka\n") == (1, 0, 0)
    (zuzka,) = await entrants(client, tournament)
    await done(client, tournament, "entrants", zuzka["id"], "withdraw")
    assert await brought_in(client, tournament, "name\nZuzka\n") == (0, 0, 0)
    await done(client, tournament, "entrants", person={"id": zuzka["persons"][0]["id"]})
    assert await brought_in(client, tournament, "name\nZuzka\n") == (0, 0, 1)

    pairs = await opened(client, entry={"kind": "pair"})
    file = "entry,team_name,name\n1,Owls,Ann\n1,Owls,{}\n"
    assert await brought_in(client, pairs, file.format("Bob")) == (1, 0, 0)
    await done(client, pairs, "entrants", (await entrants(client, pairs))[0]["id"], "withdraw")
    file = file.replace("entry,", "entry,person,").replace("1,", "1,new,")
    assert await brought_in(client, pairs, file.format("Cyd")) == (1, 0, 0)


async def test_a_refusal_calls_newcomers_as_they_were_sent(client: Client) -> None:
    schools = await Schools(client).found()
    tournament = await schools.tournament()
    old = team("Owls", schools.one, born="2009-09-22")
    (members, *others) = old["persons"], team("Larks", schools.one)
    for answer in (
        await schools.enter(tournament, old),
        await client.post(path(tournament, "entrants", "import"), json={"entrants": [*others, old]}),
    ):
        assert answer.status_code in {HTTPStatus.CONFLICT, MALFORMED}, answer.text
        assert all(f"{one['name']}: Everybody is under 16" in answer.text for one in members)
        assert ID.search(answer.text) is None
    assert await entrants(client, tournament) == []


def persons(number: int) -> str:
    return "name,rating,declared,born\n" + "".join(
        f"Person {n},{1000 + n % 900},member,{1950 + n % 60}\n" for n in range(number)
    )


async def test_two_thousand_entries_come_in_quickly_and_are_in_the_list_at_once(client: Client) -> None:
    begun = time.perf_counter()
    assert await brought_in(client, await opened(client), persons(200)) == (200, 0, 0)
    few = time.perf_counter() - begun
    tournament, text = await opened(client), persons(2000)
    begun = time.perf_counter()
    assert await brought_in(client, tournament, text) == (2000, 0, 0)
    assert time.perf_counter() - begun < 40 * few  # where each took as long as there are it would be 100 times as long
    assert (await client.get(path(tournament))).json()["entrants"] == 2000
    last = (await client.get(path(tournament, "entrants"), params={"order": "number", "limit": 1})).json()
    assert last["items"][0]["status"] == "entered"
    assert await brought_in(client, tournament, text) == (0, 0, 2000)
