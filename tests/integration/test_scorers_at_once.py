"""64 scorers enter a round of hundreds of games at once, twice, and against each other: nothing is lost or overwritten."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import httpx
import msgspec
import pytest

from shared.contracts.pairing import PlannedGame, RoundPublished
from shared.contracts.registration import OfficialAppointed
from tests.api.tables import STAGE, TOURNAMENT, appointed, started
from tests.databases import fresh_database
from tests.integration.serving import Served, serving, signed
from tests.listening import Listener, listening
from tests.logged import records_of
from tests.patience import PATIENCE
from tests.told import done, tell

GAMES, SCORERS = 320, 64
CONFLICTS = range(0, GAMES, 10)  # every tenth game is reported differently by two of them
WITHIN = 1.0  # seconds; or as long as somebody has to wait who reports, where the machine is slow


@dataclass(kw_only=True)
class Entered:
    """What was acknowledged, and when."""

    reports: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])  # of a game by somebody
    final_at: dict[str, float] = field(default_factory=dict[str, float])
    heard_at: dict[str, float] = field(default_factory=dict[str, float])
    took: list[float] = field(default_factory=list[float])  # each report, until it was answered


@pytest.fixture(scope="module")
async def served(server: str) -> AsyncGenerator[Served]:
    database = await fresh_database(server)
    async with serving(database, service="results", rate="0") as served:
        scorers = [OfficialAppointed(scope=TOURNAMENT, subject=f"s{n}", role="scorer") for n in range(SCORERS)]
        await tell(database, "registration", TOURNAMENT, *started(), *appointed(), *scorers)
        games = tuple(
            PlannedGame(game=f"g{n}", table=n + 1, seats=(f"e{2 * n}", f"e{2 * n + 1}")) for n in range(GAMES)
        )
        await tell(
            database, "pairing", TOURNAMENT, RoundPublished(tournament=TOURNAMENT, stage=STAGE, round=1, games=games)
        )
        await done(database)
        yield served


def to_send() -> Iterator[tuple[str, str, list[int]]]:
    """Each game by two scorers, the first of whom sends it twice."""
    for n in range(GAMES):
        one, other = f"s{n % SCORERS}", f"s{(7 * n + 1) % SCORERS}"
        other = other if other != one else f"s{(n + 1) % SCORERS}"
        scores = [[380, 350], [380, 351 if n in CONFLICTS else 350]]
        for who, what in ((one, scores[0]), (other, scores[1]), (one, scores[0])):
            yield f"g{n}", who, what


async def enter(served: Served, waiting: Iterator[tuple[str, str, list[int]]], entered: Entered) -> None:
    """One connection: it takes the next report of those that are waiting until there is none."""
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        for game, who, scores in waiting:
            began = time.monotonic()
            answer = await client.post(
                f"{served.url}/v1/games/{game}/reports", json={"scores": scores}, headers=tokens[who]
            )
            entered.took.append(time.monotonic() - began)
            assert answer.status_code == HTTPStatus.OK or answer.json()["type"].endswith("result-is-final")
            if answer.status_code == HTTPStatus.OK:
                entered.reports[game, who] += 1
                if answer.json()["status"] == "final":
                    entered.final_at.setdefault(game, time.monotonic())


async def hear(listener: Listener, entered: Entered) -> None:
    while len(entered.heard_at) < GAMES - len(CONFLICTS):
        heard = await listener.next_event()
        if heard.event == "ResultFinal":
            entered.heard_at[msgspec.json.decode(heard.data or "")["data"]["game"]] = time.monotonic()


tokens = {f"s{n}": signed(f"s{n}") for n in range(SCORERS)}


async def test_hundreds_of_games_are_entered_by_64_scorers_at_once(served: Served) -> None:
    entered = Entered()
    waiting = to_send()
    async with listening(f"{served.url}/v1/live/{TOURNAMENT}", tokens["s0"]) as listener:
        hearing = asyncio.create_task(hear(listener, entered))
        await asyncio.gather(*(enter(served, waiting, entered) for _ in range(SCORERS)))
        await asyncio.wait_for(hearing, PATIENCE)
    records = await log(served)
    every_acknowledged_report_is_in_the_log_exactly_once(records, entered)
    every_conflict_is_a_dispute(records)
    await the_history_of_a_game_reads_as_a_story(served)
    late = sorted(entered.heard_at[game] - entered.final_at[game] for game in entered.heard_at)
    assert late[int(0.99 * len(late))] < max(WITHIN, *entered.took), (
        f"somebody who listens has to wait {late[-1]:.2f} s"
    )


async def log(served: Served) -> list[dict[str, Any]]:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        answer = await client.get(f"{served.url}/v1/log/{TOURNAMENT}", headers=signed("aud"))
    return records_of(answer.content)


def every_acknowledged_report_is_in_the_log_exactly_once(records: list[dict[str, Any]], entered: Entered) -> None:
    written = Counter(
        (record["data"]["game"], record["actor"]) for record in records if record["type"] == "ResultReported"
    )
    assert set(written.values()) == {1}
    assert written.keys() == entered.reports.keys()
    assert len(written) == 2 * GAMES


def every_conflict_is_a_dispute(records: list[dict[str, Any]]) -> None:
    final = {record["data"]["game"] for record in records if record["type"] == "ResultAgreed"}
    assert {f"g{n}" for n in range(GAMES)} - final == {f"g{n}" for n in CONFLICTS}
    assert len(final) == sum(record["type"] == "ResultAgreed" for record in records)


async def the_history_of_a_game_reads_as_a_story(served: Served) -> None:
    async with httpx.AsyncClient() as client:
        for n in itertools.islice(range(GAMES), 0, 12):
            url = f"{served.url}/v1/games/g{n}/history"
            steps = (await client.get(url, headers=signed("aud"))).json()["steps"]
            end = [] if n in CONFLICTS else ["ResultAgreed"]
            assert [step["what"] for step in steps] == ["SheetOpened", "ResultReported", "ResultReported", *end]
            assert [step["version"] for step in steps] == list(range(1, len(steps) + 1))
