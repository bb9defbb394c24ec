"""How a whole tournament ends, and who goes on, as standings answers it while the tournament runs."""

from collections.abc import AsyncGenerator, Sequence
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from deploy.databases import connection
from shared.contracts.registration import EntrantChanged, OfficialAppointed, TournamentCompleted
from shared.contracts.standings import StageClosed
from shared.tournament.file import read
from tests import tellings
from tests.api.asking import Client, issuer, problem, service
from tests.api.signing import signed_by
from tests.domain.test_final_lists import area, bands, championship
from tests.logged import records_of
from tests.tellings import TOURNAMENT as CUP
from tests.told import done, tell
from tests.tournaments import played, tournament

HALL = OfficialAppointed(scope=CUP, subject="art", role="arbiter")


@pytest.fixture
async def client(database: str) -> AsyncGenerator[Client]:
    async with service(database, name="standings", signed_in=False) as asked:
        yield asked


async def hear(database: str, file: dict[str, Any]) -> None:
    """What the services tell of a tournament as it is written down."""
    told = tellings.told(read(file).accepted())
    await tell(database, "registration", CUP, HALL)
    for source in ("registration", "pairing", "results"):
        await tell(database, source, CUP, *told[source])
    await done(database)


async def look(client: Client, what: str, **query: str) -> dict[str, Any]:
    answer = await client.get(f"/v1/tournaments/{CUP}/{what}", params=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


async def act(client: Client, stage: str, what: str, **body: Any) -> dict[str, Any]:
    path = f"/v1/tournaments/{CUP}/stages/{stage}/{what}"
    answer = await client.post(path, json=body or None, headers=signed_by(issuer().token("art")))
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.json()


def stages(found: dict[str, Any]) -> dict[str, tuple[str, Sequence[str]]]:
    return {one["stage"]: (one["status"], [who["entrant"] for who in one["entrants"]]) for one in found["stages"]}


SEMIFINALS = ["A-D 20:44 @SF1, B-C 40:24 @SF2", "D-A 30:34 @SF1, C-B 24:40 @SF2", "A-D 32:32 @SF1"]
FINAL = ["D-B 40:24 @final, A-C 32:32 @third =C", "B-D 20:44 @final"]


@pytest.mark.rule("OT.STA-5", "OT.STA-6")
async def test_medals_titles_and_prizes_follow_from_the_final_ranking(client: Client, database: str) -> None:
    await hear(database, championship("876655443", women="CE", semifinals=SEMIFINALS, final=FINAL))
    found = await look(client, "final")
    assert [row["entrant"] for row in found["standings"]][:4] == ["D", "B", "C", "A"]
    assert (found["standings"][0]["separated_by"], found["completed"]) == ("bracket", False)
    assert [(one["among"], one["entrant"]) for one in found["titles"]] == [(None, "D"), ("women", "C")]
    won = [one for one in found["awards"] if one["what"] == "cash"]
    cash = [(one["among"], one["entrant"], one["amount"], one["to_choose"]) for one in won]
    assert cash == [
        (None, "D", 1000, False),
        (None, "B", 500, False),
        (None, "C", 300, True),
        ("women", "C", 500, True),
    ]
    assert found["standings"][0]["above_next"] == "D is above B by the matches: 1 and 2."
    assert (found["standings"][3]["above_next"], found["standings"][8]["above_next"]) == (
        "A is above E by points: 8 and 5.",
        None,
    )
    sheet = await client.get(f"/v1/tournaments/{CUP}/final", params={"format": "csv"})
    assert sheet.text.removeprefix("\ufeff").splitlines()[:2] == [
        "place,entrant,name,home,stage,group,left,Points,Start number,The matches",
        "1,D,,,preliminary,,,6,4,1",
    ]
    women = await look(client, "final", list="women")
    assert [row["entrant"] for row in women["standings"]] == ["C", "E"]
    await tell(database, "registration", CUP, TournamentCompleted(tournament=CUP))
    await done(database)
    assert (await look(client, "final"))["completed"]


@pytest.mark.rule("OT.PAI-10")
async def test_who_goes_on_and_what_has_to_happen_before_is_told(client: Client, database: str) -> None:
    await hear(database, championship("8766665", women="EG"))
    found = await look(client, "progression")
    assert stages(found)["play-offs"] == ("waiting", ["C", "D", "E", "F"])
    semifinals = found["stages"][1]
    assert [one["entrants"] for one in semifinals["awaits"]] == [["D", "E"], ["C", "F"]]
    assert "is not closed yet" in semifinals["obstacle"]
    assert semifinals["entrants"][0] == {"entrant": "A", "name": None, "why": "has place 1 in the Preliminary rounds"}
    women = next(one for one in found["stages"] if one["stage"] == "semifinals-women")
    assert ([one["entrants"] for one in women["awaits"]], women["status"]) == ([["D", "E"]], "waiting")
    assert found["qualified"] is None


@pytest.mark.rule("PQ.STA-4", "PQ.STA-5")
async def test_groups_are_closed_place_by_place_and_open_the_play_off(client: Client, database: str) -> None:
    size, bracket, groups = bands()[3]
    file = area(size, bracket, groups, advance=2)
    del file["stages"][1]
    await hear(database, file)
    before = await look(client, "progression")
    assert before["stages"][0]["status"] == "waiting"
    last_of_a = await look(client, "stages/groups/standings/entrants/A5")
    assert (last_of_a["above"]["entrant"], last_of_a["below"]) == ("A4", None)  # groups are not compared
    closed = await act(client, "groups", "close")
    assert closed["order"][:2] == [["A1"], ["A2"]]
    assert closed["groups"] == [place[0][0] for place in closed["order"]]
    after = await look(client, "progression")
    assert (after["stages"][0]["status"], after["stages"][0]["obstacle"]) == ("possible", None)
    assert after["stages"][0]["entrants"][0]["why"] == "is A1 of the groups"
    assert after["qualified"]["places"] == 2
    log = await client.get(f"/v1/log/{CUP}", headers=signed_by(issuer().token("operator")))
    told = records_of(log.content)
    assert [one["data"]["groups"] for one in told if one["type"] == StageClosed.__name__] == [closed["groups"]]


def small_championship() -> dict[str, Any]:
    """One round, semifinals and finals; C, a woman, wins all of it."""
    options = {"pairing.system": "cost-swiss", "pairing.rounds": 1}
    file = tournament("ABCD", ruleset="othello-pl-2021", options=options)
    for one in file["entrants"]:
        one["lists"] = ["women"] if one["id"] in "CD" else []
    del file["rounds"]
    stages = {
        "preliminary": ["A-B 40:24, C-D 44:20"],
        "semifinals": ["C-D 40:24 @SF1, A-B 40:24 @SF2", "D-C 24:40 @SF1, B-A 24:40 @SF2"],
        "final": ["C-A 40:24 @final, B-D 40:24 @third", "A-C 24:40 @final"],
    }
    file["stages"] = [
        {"id": stage, "rounds": [played(number, text) for number, text in enumerate(texts, start=1)]}
        for stage, texts in stages.items()
    ]
    return file


@pytest.mark.rule("OT.STA-6")
async def test_a_player_with_prizes_in_cash_of_two_lists_takes_one_and_it_is_recorded(
    client: Client, database: str
) -> None:
    await hear(database, small_championship())
    path, signed = f"/v1/tournaments/{CUP}/awards", signed_by(issuer().token("art"))

    async def choose(**body: Any) -> httpx.Response:
        return await client.post(f"{path}/choices", json=body, headers=signed)

    before = (await client.get(path, headers=signed)).json()
    assert [(one["entrant"], one["lists"], one["chosen"]) for one in before["to_choose"]] == [
        ("C", [None, "women"], False)
    ]
    problem(await choose(entrant="C", among="women"), HTTPStatus.CONFLICT, "places-undecided")
    assert before["allowed_actions"]["choosePrize"]["allowed"] is False
    await tell(database, "registration", CUP, TournamentCompleted(tournament=CUP))
    await done(database)
    assert (await client.get(path, headers=signed)).json()["allowed_actions"]["choosePrize"]["allowed"] is True
    problem(await choose(entrant="A", among=None), HTTPStatus.CONFLICT, "nothing-to-choose")
    problem(await choose(entrant="C", among="juniors"), HTTPStatus.CONFLICT, "nothing-to-choose")
    taken = await choose(entrant="C", among="women")
    assert taken.status_code == HTTPStatus.OK, taken.text
    assert [(one["chosen"], one["among"]) for one in taken.json()["to_choose"]] == [(True, "women")]
    cash = [
        (one["among"], one["choice"])
        for one in taken.json()["awards"]
        if one["what"] == "cash" and one["entrant"] == "C"
    ]
    assert cash == [(None, "given-up"), ("women", "taken")]
    again = await choose(entrant="C", among="women")
    assert again.headers["Roundlog-Position"] == taken.headers["Roundlog-Position"]
    settled = {"Roundlog-Min-Position": taken.headers["Roundlog-Position"]}
    ranking = (await client.get(f"/v1/tournaments/{CUP}/final", headers=settled)).json()
    assert [one["choice"] for one in ranking["awards"] if one["choice"]] == ["given-up", "taken"]
    sheet = await client.get(path, params={"format": "csv"})
    lines = sheet.text.removeprefix("\ufeff").splitlines()
    assert lines[0] == "what,title,among,place,entrant,name,amount,currency,choice"
    assert lines[1].startswith("title,Mistrz Polski w Othello,,1,C,")
    assert sum(line.startswith("diploma,") for line in lines) == 4
    nobody = await client.post(f"{path}/choices", json={"entrant": "C", "among": None})
    assert nobody.status_code == HTTPStatus.UNAUTHORIZED
    corrected = EntrantChanged(entrant="C", tournament=CUP, persons=("C",), number=3, lists=("juniors",))
    await tell(database, "registration", CUP, corrected)
    await done(database)
    anew = (await client.get(path, headers=signed)).json()["to_choose"]
    assert [(one["lists"], one["chosen"], one["among"]) for one in anew] == [([None, "juniors"], False, None)]


async def test_what_is_kept_of_a_prize_that_was_taken_has_no_name_that_nobody_could_erase(
    client: Client, database: str
) -> None:
    await hear(database, small_championship())
    await tell(database, "registration", CUP, TournamentCompleted(tournament=CUP))
    await done(database)
    headers = signed_by(issuer().token("art")) | {"Idempotency-Key": "0f0e9c2e-58f6-4d0b-8a83-6a2f5b1c9d10"}
    async with connection(database) as opened:
        await opened.execute("insert into names.names values ('C', 'Cyrila Čierna', 1)")
        for _ in range(2):
            taken = await client.post(
                f"/v1/tournaments/{CUP}/awards/choices", json={"entrant": "C", "among": "women"}, headers=headers
            )
            assert taken.status_code == HTTPStatus.OK, taken.text
            shown = [*taken.json()["awards"], *taken.json()["to_choose"]]
            assert {one["name"] for one in shown if one["entrant"] == "C"} == {"Cyrila Čierna"}
        (kept,) = [bytes(row["response"]).decode() for row in await opened.fetch("select response from log.answers")]
    assert '"entrant":"C"' in kept
    assert "Cyrila" not in kept
