"""An area tournament of pIšQworky as pairing hears of it: teams of some schools, and what results and standings say."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import httpx
import msgspec

from shared.contracts.registration import EntrantAdmitted, OfficialAppointed, TournamentStarted
from shared.contracts.results import ResultFinal, RoundCompleted
from shared.contracts.standings import StageClosed
from shared.rulesets import catalogue
from shared.values import Value
from tests.api.asking import Client, issuer, service
from tests.api.hall import seats
from tests.api.signing import signed_by
from tests.logged import records_of
from tests.told import done, tell

T, GROUPS, PLAY_OFF = "area", "groups", "play-off"
ARBITER, AUDITOR = "ann", "otto"
RULESET = "pisqworky-2025-zs-ot"

type Answer = dict[str, Any]


class Area(Value):
    client: Client
    database: str
    results: dict[str, ResultFinal] = msgspec.field(default_factory=dict[str, ResultFinal])

    async def hear(self, source: str, *events: msgspec.Struct) -> None:
        await tell(self.database, source, T, *events)
        await done(self.database)

    async def act(self, path: str, **body: object) -> httpx.Response:
        return await self.client.post(f"/v1/tournaments/{T}/stages/{path}", json=body or None)

    async def done(self, path: str, **body: object) -> Answer:
        answer = await self.act(path, **body)
        assert answer.status_code == HTTPStatus.OK, answer.text
        return answer.json()

    async def see(self, path: str, *, by: str | None = None) -> Answer:
        headers = signed_by(issuer().token(by)) if by else {"Authorization": ""}
        answer = await self.client.get(f"/v1/tournaments/{T}/stages/{path}", headers=headers)
        assert answer.status_code == HTTPStatus.OK, answer.text
        return answer.json()

    async def publish(self, stage: str, number: int) -> Answer:
        for act in ("draft", "confirm"):
            await self.done(f"{stage}/rounds/{number}/{act}")
        return await self.done(f"{stage}/rounds/{number}/publish")

    async def play(self, published: Answer) -> None:
        """The team with the better start number wins, more clearly the better it is."""
        found = [self.result(published, pair) for pair in published["pairs"]]
        over = RoundCompleted(tournament=T, stage=published["stage"], round=published["round"])
        await self.hear("results", *found, over)

    def result(self, published: Answer, pair: Answer) -> ResultFinal:
        one, other = (number_of(seat) for seat in seats(pair))
        better = 12 - 2 * (min(one, other) % 3)
        scores = (better, 12 - better) if one < other else (12 - better, better)
        return ResultFinal(
            game=pair["game"],
            tournament=T,
            stage=published["stage"],
            round=published["round"],
            seats=seats(pair),
            scores=scores,
            points=(2, 0) if one < other else (0, 2),
            first=pair["first"],
        )

    async def close(self, stage: str, order: list[list[str]]) -> None:
        """As standings says it: group by group, place by place."""
        told = StageClosed(
            tournament=T,
            stage=stage,
            order=tuple((one,) for members in order for one in members),
            rests_on="reg0.pai0.res0.sta0",
            groups=tuple(letter for letter, members in zip("ABCDEFGH", order, strict=False) for _ in members),
        )
        await self.hear("standings", told)

    async def log(self) -> Sequence[Mapping[str, Any]]:
        headers = signed_by(issuer().token(AUDITOR))
        return records_of((await self.client.get(f"/v1/log/{T}", headers=headers)).content)


def number_of(team: str) -> int:
    return int(team.removeprefix("T"))


def teams(*schools: str) -> list[EntrantAdmitted]:
    """T1, T2 and so on, of these schools."""
    return [
        EntrantAdmitted(entrant=f"T{n}", tournament=T, persons=(f"p-{n}-1", f"p-{n}-2"), number=n, school=school)
        for n, school in enumerate(schools, start=1)
    ]


@asynccontextmanager
async def area(database: str, *schools: str) -> AsyncGenerator[Area]:
    """Asked by the arbiter, unless somebody else is named."""
    appointed = [
        OfficialAppointed(scope=T, subject=who, role=role) for who, role in ((ARBITER, "arbiter"), (AUDITOR, "auditor"))
    ]
    ruleset = msgspec.Raw(catalogue.load(RULESET).model_dump_json().encode())
    started = TournamentStarted(tournament=T, federation="scg", ruleset=ruleset, time_zone="Europe/Prague", advance=2)
    async with service(database, name="pairing", signed_in=False, rate="0") as client:
        client.headers.update(signed_by(issuer().token(ARBITER)))
        here = Area(client=client, database=database)
        await here.hear("registration", *appointed, *teams(*schools), started)
        yield here
