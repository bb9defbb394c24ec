"""A tournament as results has heard of it, with a published round: everything that tests of score sheets begin with."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import httpx
import msgspec

from shared.contracts.pairing import PlannedGame, RecallAsked, RepairAsked, RoundPublished
from shared.contracts.registration import (
    EntrantAdmitted,
    OfficialAppointed,
    TournamentAnnounced,
    TournamentStarted,
)
from shared.rulesets import catalogue
from shared.rulesets.faults import with_options
from shared.rulesets.schema import Changes, Ruleset
from shared.values import Value
from tests.api.asking import Client, issuer, service
from tests.api.signing import signed_by
from tests.logged import records_of
from tests.patience import PATIENCE
from tests.told import done, tell

TOURNAMENT, FEDERATION, RULESET, STAGE = "cup", "sss", "scrabble-sk-2022-qt", "swiss"
ENTRANTS = ("ada", "ben", "cid", "dan", "eva", "fay")
OFFICIALS = {"sue": "scorer", "sam": "scorer", "art": "arbiter", "dora": "director", "aud": "auditor"}

type Answer = httpx.Response


class Hall(Value):
    """Where results are asked about one tournament, by whoever is named."""

    client: Client
    database: str
    stage: str = STAGE

    async def act(
        self, game: str, what: str, body: object = None, *, by: str, key: str | None = None, **query: Any
    ) -> Answer:
        headers = self.signed(by) | ({"Idempotency-Key": key} if key else {})
        return await self.client.post(f"/v1/games/{game}/{what}", json=body, headers=headers, params=query)

    async def report(self, game: str, *scores: int, by: str, key: str | None = None, **said: Any) -> Answer:
        body = said | ({"scores": scores} if scores else {})
        return await self.act(game, "reports", body, by=by, key=key)

    async def look(self, game: str, *, by: str | None = None) -> dict[str, Any]:
        answer = await self.client.get(f"/v1/games/{game}", headers=self.signed(by) if by else {"Authorization": ""})
        assert answer.status_code == HTTPStatus.OK, answer.text
        return answer.json()

    async def round(self, number: int = 1, **query: Any) -> dict[str, Any]:
        path = f"/v1/tournaments/{TOURNAMENT}/stages/{self.stage}/rounds/{number}/games"
        answer = await self.client.get(path, params=query)
        assert answer.status_code == HTTPStatus.OK, answer.text
        return answer.json()

    async def publish(self, number: int, games: Sequence[PlannedGame], **more: Any) -> None:
        round_ = RoundPublished(tournament=TOURNAMENT, stage=self.stage, round=number, games=tuple(games), **more)
        await self.hear("pairing", round_)

    async def recall(self, number: int, recall: str, *games: str) -> None:
        asked = RecallAsked(tournament=TOURNAMENT, stage=self.stage, round=number, recall=recall, games=games)
        await self.hear("pairing", asked)

    async def repair(self, number: int, repair: str, *games: PlannedGame) -> None:
        asked = RepairAsked(tournament=TOURNAMENT, stage=self.stage, round=number, repair=repair, games=games)
        await self.hear("pairing", asked)

    async def hear(self, source: str, *events: msgspec.Struct) -> None:
        await tell(self.database, source, TOURNAMENT, *events)
        await done(self.database)

    async def told(self, *kinds: str) -> list[dict[str, Any]]:
        """What neighbours are told, as it stands in the log."""
        answer = await self.client.get(f"/v1/log/{TOURNAMENT}", headers=self.signed("aud"))
        records = records_of(answer.content)
        return [record for record in records if record["type"] in kinds]

    async def will_be_told(self, kind: str, times: int = 1) -> list[dict[str, Any]]:
        async with asyncio.timeout(PATIENCE):
            while len(found := await self.told(kind)) < times:
                await asyncio.sleep(0.02)
        return found

    def signed(self, by: str) -> dict[str, str]:
        return signed_by(issuer().token(by))


def planned(game: str, table: int, *seats: str, **more: Any) -> PlannedGame:
    return PlannedGame(game=game, table=table, seats=seats, first=seats[0], **more)


GAMES = (planned("g1", 1, "ada", "ben"), planned("g2", 2, "cid", "dan"), planned("g3", 3, "eva", "fay"))


def started(rules: str | Ruleset = RULESET, options: Changes | None = None) -> list[msgspec.Struct]:
    """Each entrant is a team of three, where that matters."""
    whole = with_options(catalogue.load(rules) if isinstance(rules, str) else rules, options or {})
    ruleset = msgspec.Raw(whole.model_dump_json().encode())
    return [
        TournamentAnnounced(
            tournament=TOURNAMENT,
            federation=FEDERATION,
            name="Cup",
            ruleset=whole.id,
            time_zone="Europe/Bratislava",
            starts_on="2026-03-14",
        ),
        TournamentStarted(tournament=TOURNAMENT, federation=FEDERATION, ruleset=ruleset, time_zone="Europe/Bratislava"),
        *(
            EntrantAdmitted(entrant=entrant, tournament=TOURNAMENT, persons=team(entrant), number=number)
            for number, entrant in enumerate(ENTRANTS, start=1)
        ),
    ]


def team(entrant: str) -> tuple[str, ...]:
    return tuple(f"{entrant}-{n}" for n in (1, 2, 3))


def appointed() -> list[msgspec.Struct]:
    return [OfficialAppointed(scope=TOURNAMENT, subject=who, role=role) for who, role in OFFICIALS.items()]


@asynccontextmanager
async def hall(
    database: str,
    *,
    games: Sequence[PlannedGame] = GAMES,
    rules: str | Ruleset = RULESET,
    stage: str = STAGE,
    starts_at: str | None = None,
    before: Callable[[Hall], Awaitable[None]] | None = None,
    options: Changes | None = None,
    **settings: str,
) -> AsyncGenerator[Hall]:
    """Results with one tournament, its officials and its first round, and with what is done before it starts."""
    async with service(database, name="results", signed_in=False, as_documented=True, rate="0", **settings) as client:
        found = Hall(client=client, database=database, stage=stage)
        if before is not None:
            await before(found)
        await found.hear("registration", *started(rules, options), *appointed())
        await found.publish(1, games, starts_at=starts_at)
        yield found
