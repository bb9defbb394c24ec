"""What a tournament's officials and captains hear while it is played, of services as they run in production."""

import json
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from shared.access.roles import Role
from shared.contracts.pairing import PlannedGame, RoundPublished
from shared.contracts.registration import EntrantAdmitted, OfficialAppointed, TournamentAnnounced, TournamentStarted
from shared.ids import new_id
from shared.values import Value
from tests.api.hearing import CaptainIssuer
from tests.api.signing import signed_by
from tests.api.tables import started
from tests.databases import fresh_database
from tests.integration.serving import Served, serving, signed
from tests.listening import HEARTBEAT, Heard, Listener, listening
from tests.told import done, tell

STAGE = "swiss"
CAPTAINS = CaptainIssuer()


class Cup(Value):
    """Four entrants at two tables of the first round; its ids are no names."""

    id: str
    entrants: tuple[str, ...]
    games: tuple[str, ...]
    served: Served
    database: str

    @property
    def live(self) -> str:
        return f"{self.served.url}/v1/live/{self.id}"

    def captain(self, number: int) -> dict[str, str]:
        return signed_by(CAPTAINS.token(self.entrants[number - 1], self.id))

    async def act(self, path: str, body: Any, headers: dict[str, str]) -> dict[str, Any]:
        async with httpx.AsyncClient() as client:
            answer = await client.post(f"{self.served.url}{path}", json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()

    async def report(self, table: int, *scores: int, by: dict[str, str]) -> dict[str, Any]:
        body = {"end": "played", "scores": list(scores)}
        return await self.act(f"/v1/games/{self.games[table - 1]}/reports", body, by)


def told(name: str, entrants: tuple[str, ...]) -> list[Any]:
    """What registration has said of the tournament."""
    plan = [
        TournamentAnnounced(
            tournament=name,
            federation=f"federation-of-{name}",
            name="Cup",
            ruleset="scrabble-sk-2022-qt",
            time_zone="Europe/Bratislava",
            starts_on="2026-03-14",
        ),
        next(one for one in started() if isinstance(one, TournamentStarted)),
    ]
    field = [
        EntrantAdmitted(entrant=entrant, tournament=name, persons=(str(new_id()),), number=number)
        for number, entrant in enumerate(entrants, start=1)
    ]
    officials = [
        OfficialAppointed(scope=name, subject=f"{role}-of-{name}", role=role)
        for role in (Role.DIRECTOR, Role.ARBITER, Role.SCORER)
    ]
    return [CAPTAINS.introduced, plan[0], *officials, *field, plan[1]]


@pytest.fixture(scope="module")
async def results(server: str) -> AsyncGenerator[tuple[Served, str]]:
    database = await fresh_database(server)
    async with serving(database, service="results", heartbeat="0.2") as served:
        yield served, database


@pytest.fixture(scope="module")
async def pairing(server: str) -> AsyncGenerator[tuple[Served, str]]:
    database = await fresh_database(server)
    async with serving(database, service="pairing", heartbeat="0.2") as served:
        yield served, database


async def cup_at(service: tuple[Served, str]) -> Cup:
    served, database = service
    name, entrants = str(new_id()), tuple(str(new_id()) for _ in range(4))
    await tell(database, "registration", name, *told(name, entrants))
    await done(database)
    return Cup(id=name, entrants=entrants, games=(str(new_id()), str(new_id())), served=served, database=database)


async def with_round(cup: Cup) -> Cup:
    """At results, once pairing has told of the round."""
    games = tuple(
        PlannedGame(
            game=game, table=table, seats=cup.entrants[2 * table - 2 : 2 * table], first=cup.entrants[2 * table - 2]
        )
        for table, game in enumerate(cup.games, start=1)
    )
    await tell(cup.database, "pairing", cup.id, RoundPublished(tournament=cup.id, stage=STAGE, round=1, games=games))
    await done(cup.database)
    return cup


async def news(listener: Listener) -> tuple[str | None, dict[str, Any]]:
    heard = await listener.next_event()
    return heard.event, json.loads(heard.data or "")["data"]


async def quiet(listener: Listener) -> bool:
    """Two heartbeats and nothing between them."""
    return [await listener.next() for _ in range(2)] == [HEARTBEAT] * 2


async def test_officials_hear_of_reports_disputes_and_corrections_and_the_table_of_its_own(
    results: tuple[Served, str],
) -> None:
    cup = await with_round(await cup_at(results))
    scorer, arbiter = signed(f"scorer-of-{cup.id}"), signed(f"arbiter-of-{cup.id}")
    async with (
        listening(cup.live, scorer) as officials,
        listening(cup.live, cup.captain(2)) as second,
        listening(cup.live, cup.captain(3)) as third,
    ):
        await cup.report(1, 400, 350, by=cup.captain(1))
        for listener in (officials, second):
            kind, said = await news(listener)
            place = {"game": cup.games[0], "stage": STAGE, "round": 1, "table": 1, "seats": list(cup.entrants[:2])}
            assert kind == "ResultReported"
            assert said == said | place | {"status": "reported", "entrant": cup.entrants[0], "scores": [400, 350]}
            assert "captain:" not in json.dumps(said), "it is not told who has reported"
        await cup.report(1, 350, 400, by=cup.captain(2))
        disputed = [await news(listener) for listener in (officials, second)]
        assert [(kind, said["status"]) for kind, said in disputed] == [("ResultReported", "disputed")] * 2
        decision = {"end": "played", "scores": [400, 350], "reason": "Both sheets say so."}
        await cup.act(f"/v1/games/{cup.games[0]}/decide", decision, arbiter)
        assert [(await news(listener))[0] for listener in (officials, second)] == ["ResultFinal"] * 2
        correction = {"end": "played", "scores": [390, 350], "reason": "Added up anew."}
        await cup.act(f"/v1/games/{cup.games[0]}/correct", correction, arbiter)
        assert [(await news(listener))[0] for listener in (officials, second)] == ["ResultCorrected"] * 2
        assert await quiet(third), "another table hears nothing of it"


async def test_whoever_comes_back_hears_what_was_missed_and_nothing_of_other_tables(
    results: tuple[Served, str],
) -> None:
    cup = await with_round(await cup_at(results))
    scorer = signed(f"scorer-of-{cup.id}")
    async with listening(cup.live, cup.captain(4)) as fourth, listening(cup.live, scorer) as officials:
        await cup.report(2, 420, 380, by=cup.captain(3))
        last, seen = await fourth.next_event(), await officials.next_event()
    assert last == seen
    await cup.report(1, 400, 350, by=scorer)
    await cup.report(2, 410, 380, by=cup.captain(3))
    async with listening(cup.live, cup.captain(4), behind=last.id) as fourth:
        heard = await fourth.next_event()
        assert (json.loads(heard.data or "")["data"]["table"], heard.event) == (2, "ResultReported")
        assert await quiet(fourth)
    async with listening(cup.live, scorer, behind=seen.id) as officials:
        tables = [(await news(officials))[1]["table"] for _ in range(2)]
        assert tables == [1, 2]


async def test_drafts_are_told_to_those_who_may_see_them_and_rounds_to_everybody_in_them(
    pairing: tuple[Served, str],
) -> None:
    cup = await cup_at(pairing)
    director, scorer = signed(f"director-of-{cup.id}"), signed(f"scorer-of-{cup.id}")
    path = f"/v1/tournaments/{cup.id}/stages/{STAGE}/rounds/1"
    async with (
        listening(cup.live, director) as directing,
        listening(cup.live, scorer) as scoring,
        listening(cup.live, cup.captain(1)) as playing,
    ):
        await cup.act(f"{path}/draft", None, director)
        assert (await names_until(directing, "RoundDrafted"))[-1] == "RoundDrafted"
        await cup.act(f"{path}/pair-and-publish", None, director)
        directed, scored, played = [
            await names_until(listener, "RoundPublished") for listener in (directing, scoring, playing)
        ]
        assert directed[-2:] == ["RoundConfirmed", "RoundPublished"]
        assert not {"RoundDrafted", "RoundConfirmed"} & {*scored}
        assert played == ["RoundPublished"]


async def names_until(listener: Listener, last: str) -> list[str | None]:
    found: list[str | None] = []
    while last not in found:
        found.append((await listener.next_event()).event)
    return found


async def test_rounds_are_told_of_what_is_open_and_nothing_else_is_listened_to(pairing: tuple[Served, str]) -> None:
    cup, (served, database) = await cup_at(pairing), pairing
    draft = str(new_id())
    (_, announced, director, *_) = told(draft, ())
    await tell(database, "registration", draft, announced, director)
    await done(database)

    def rounds(tournament: str) -> str:
        return f"{served.url}/v1/tournaments/{tournament}/rounds/live"

    async with httpx.AsyncClient() as client:
        for nowhere in (draft, str(new_id())):
            async with client.stream("GET", rounds(nowhere)) as answer:
                assert answer.status_code == HTTPStatus.NOT_FOUND
    async with (
        listening(rounds(cup.id), {}) as anybody,
        listening(rounds(draft), signed(f"director-of-{draft}")) as directing,
    ):
        assert await quiet(anybody)
        assert await quiet(directing)


async def test_who_has_heard_more_rounds_than_a_restored_log_has_begins_with_the_first(
    pairing: tuple[Served, str],
) -> None:
    cup = await cup_at(pairing)
    url = f"{cup.served.url}/v1/tournaments/{cup.id}/rounds/live"
    async with (
        httpx.AsyncClient() as client,
        client.stream("GET", url, headers={"Last-Event-ID": "4000000000"}) as answer,
    ):
        assert answer.status_code == HTTPStatus.OK
        assert await Listener(answer).next() == Heard(id="0", retry="2000")


async def test_nobody_else_hears_anything(results: tuple[Served, str]) -> None:
    cup = await with_round(await cup_at(results))
    other = await cup_at(results)
    for headers, status in (
        ({}, HTTPStatus.UNAUTHORIZED),
        (signed("a-spectator"), HTTPStatus.FORBIDDEN),
        (signed(f"director-of-{other.id}"), HTTPStatus.FORBIDDEN),
        (other.captain(1), HTTPStatus.FORBIDDEN),
    ):
        async with httpx.AsyncClient() as client:
            assert (await client.get(cup.live, headers=headers)).status_code == status
