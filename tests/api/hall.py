"""A tournament under way, as pairing hears of it: a field, officials, and results that come in."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from http import HTTPStatus
from string import ascii_uppercase
from typing import Any

import httpx
import msgspec

from deploy.databases import connection
from shared.contracts.registration import EntrantAdmitted, MeetingForbidden, OfficialAppointed, TournamentStarted
from shared.contracts.results import ResultFinal, RoundCompleted
from shared.rulesets import catalogue
from shared.rulesets.faults import with_options
from shared.rulesets.schema import Changes
from shared.values import Value
from tests.api.asking import Client, issuer, service
from tests.api.signing import signed_by
from tests.logged import records_of
from tests.told import done, tell

T, STAGE, RULESET = "cup", "swiss", "scrabble-sk-2022-qt"
PATH = f"/v1/tournaments/{T}/stages/{STAGE}"
ARBITER, AUDITOR, SCORER = "ann", "otto", "sam"
EARLIER = datetime.fromisoformat("2026-01-01T09:00:00Z")

type Answer = dict[str, Any]


def field(size: int) -> list[EntrantAdmitted]:
    """A, B, C … with start numbers in this order, the best first."""
    return [
        EntrantAdmitted(entrant=name, tournament=T, persons=(f"p-{name}",), number=n, rating=2000 - 10 * n)
        for n, name in enumerate(ascii_uppercase[:size], start=1)
    ]


def started(rules: str = RULESET, options: Changes | None = None) -> TournamentStarted:
    ruleset = with_options(catalogue.load(rules), options or {}).model_dump_json().encode()
    return TournamentStarted(
        tournament=T, federation="sss", ruleset=msgspec.Raw(ruleset), time_zone="Europe/Bratislava"
    )


class Hall(Value):
    client: Client
    database: str

    async def hear(self, source: str, *events: msgspec.Struct, at: datetime | None = None) -> None:
        await tell(self.database, source, T, *events, at=at)
        await done(self.database)

    async def act(
        self, number: int, act: str, headers: Mapping[str, str] | None = None, /, **body: object
    ) -> httpx.Response:
        return await self.client.post(f"{PATH}/rounds/{number}/{act}", json=body or None, headers=headers)

    async def done(self, number: int, act: str, **body: object) -> Answer:
        answer = await self.act(number, act, **body)
        assert answer.status_code == HTTPStatus.OK, answer.text
        return answer.json()

    async def tried(self, number: int, act: str, **body: object) -> Answer:
        return await self.done(number, f"{act}?dry_run=true", **body)

    async def publish(self, number: int, **body: object) -> Answer:
        """From the draft on."""
        await self.done(number, "draft")
        await self.done(number, "confirm")
        return await self.done(number, "publish", **body)

    async def see(self, path: str = "", *, by: str | None = ARBITER, **query: str) -> httpx.Response:
        headers = signed_by(issuer().token(by)) if by else {"Authorization": ""}
        return await self.client.get(f"{PATH}{path}", headers=headers, params=query)

    async def log(self) -> str:
        headers = signed_by(issuer().token(AUDITOR))
        return (await self.client.get(f"/v1/log/{T}", headers=headers)).text

    async def told(self) -> list[Answer]:
        """The records of the log, as auditors read them."""
        return records_of((await self.log()).encode())

    async def happened(self) -> list[str]:
        """The types of the events in the log."""
        return [record["type"] for record in await self.told()]

    async def play(self, published: Answer, *, but: int = 0, at: datetime | None = EARLIER) -> None:
        """Every first seat wins; the last `but` games go on."""
        games = published["pairs"][: len(published["pairs"]) - but]
        results = [result(published["round"], pair) for pair in games]
        over = [] if but else [RoundCompleted(tournament=T, stage=STAGE, round=published["round"])]
        await self.hear("results", *results, *over, at=at)


def result(number: int, pair: Answer, *, scores: tuple[int, int] = (400, 350)) -> ResultFinal:
    return ResultFinal(
        game=pair["game"],
        tournament=T,
        stage=STAGE,
        round=number,
        seats=seats(pair),
        scores=scores,
        points=(1, 0),
        first=pair["first"],
    )


def seats(pair: Answer) -> tuple[str, ...]:
    return tuple(seat["entrant"] for seat in pair["seats"])


def as_sheet(shown: Answer) -> Answer:
    """A round as it is sent to change it."""
    pairs = [{"table": pair["table"], "seats": list(seats(pair)), "first": pair["first"]} for pair in shown["pairs"]]
    return {"pairs": pairs, "byes": [player["entrant"] for player in shown["byes"]]}


async def call(database: str, names: Mapping[str, str]) -> None:
    """As registration would have told it, before anybody asks."""
    async with connection(database) as known:
        await known.executemany("insert into names.names values ($1, $2, 1)", list(names.items()))


@asynccontextmanager
async def hall(
    database: str,
    *,
    size: int = 10,
    forbidden: tuple[MeetingForbidden, ...] = (),
    rules: str = RULESET,
    options: Changes | None = None,
    entrants: Sequence[EntrantAdmitted] = (),
    names: Mapping[str, str] | None = None,
) -> AsyncGenerator[Hall]:
    """Asked by the arbiter, unless somebody else is named."""
    appointed = [
        OfficialAppointed(scope=T, subject=subject, role=role)
        for subject, role in ((ARBITER, "arbiter"), (AUDITOR, "auditor"), (SCORER, "scorer"))
    ]
    async with service(database, name="pairing", signed_in=False, rate="0") as client:
        client.headers.update(signed_by(issuer().token(ARBITER)))
        here = Hall(client=client, database=database)
        await here.hear(
            "registration", *appointed, *(entrants or field(size)), *forbidden, started(rules, options), at=EARLIER
        )
        if names:
            await call(database, names)
        yield here
