"""What those who act, and the checker, need of a platform: where it is, how they sign in, and what it tells."""

import asyncio
import functools
import ssl
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from benchmarks.load.acts import Timed, Watch
from benchmarks.load.boards import Board
from benchmarks.load.checker import Line, Told
from benchmarks.load.evening import Hall
from deploy import SERVICES, tokens
from deploy.demo.client import Services
from deploy.local.ports import LOOPBACK
from shared.values import Value
from tests.logged import lines_of
from tests.patience import PATIENCE

HOURS = 12.0


class Origin(Value):
    """A platform behind its proxy."""

    port: int
    keys: Path

    def below(self, service: str) -> str:
        return f"http://{LOOPBACK}:{self.port}/{service}"

    def token(self, subject: str) -> str:
        return tokens.signed(self.keys, subject, hours=HOURS)

    @asynccontextmanager
    async def networks(self, watch: Watch, halls: int) -> AsyncGenerator[Sequence[Services]]:
        """One for each hall: a client looks at all of its connections for each request, which takes long where it has hundreds."""
        urls = {service: self.below(service) for service in SERVICES}
        token = functools.cache(self.token)
        context = ssl.create_default_context()  # nobody speaks TLS here, and to make one for each takes long
        async with AsyncExitStack() as stack:
            transports = [Timed(httpx.AsyncHTTPTransport(verify=context), watch) for _ in range(halls)]
            clients = [httpx.AsyncClient(transport=transport, timeout=PATIENCE) for transport in transports]
            for client in clients:
                await stack.enter_async_context(client)
            yield [Services(client=client, urls=urls, token=token, patience=PATIENCE) for client in clients]

    async def log(self, service: str) -> Sequence[Line]:
        operator = {"Authorization": f"Bearer {self.token(tokens.OPERATOR)}"}
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            answer = await client.get(f"{self.below(service)}/v1/log", headers=operator)
        return lines_of(answer.raise_for_status().content)

    @asynccontextmanager
    async def boards(self, halls: Sequence[Hall]) -> AsyncGenerator[Sequence[Board]]:
        """One in each hall, once standings has heard of all of them."""
        boards = [Board(self.port, live(hall)) for hall in halls]
        for board in boards:
            await board.hang()
        try:
            yield boards
        finally:
            for board in boards:
                board.take_down()


def live(hall: Hall) -> str:
    return f"/standings{hall.stage}/standings/live"


async def listed(halls: Sequence[Hall]) -> None:
    """Until standings has heard of all of them."""
    for hall in halls:
        await hall.network.anybody().look("standings", f"{hall.stage}/standings", after=hall.known)


async def shown(halls: Sequence[Hall], boards: Sequence[Board]) -> None:
    """Until each board has shown all of its hall, or long enough."""
    end = time.monotonic() + PATIENCE
    for hall, board in zip(halls, boards, strict=True):
        newest = max((one.number for one in hall.shown), default=0)
        while board.told(newest) is None and time.monotonic() < end:  # noqa: ASYNC110 - no bell rings for it
            await asyncio.sleep(0.1)


async def told_of(hall: Hall, logs: Mapping[str, Sequence[Line]]) -> Told:
    anybody = hall.network.anybody()
    games: dict[str, tuple[int, int]] = {}
    for number in hall.kept.rounds:
        listed = await anybody.look("results", f"{hall.stage}/rounds/{number}/games")
        games |= {one["id"]: scores_of(one) for one in listed["items"] if one["result"]}
    table = await anybody.look("standings", f"{hall.stage}/standings")
    own = {
        service: [line for line in lines if line["record"]["scope"] == hall.tournament]
        for service, lines in logs.items()
    }
    return Told(results=own["results"], pairing=own["pairing"], games=games, table=table["standings"])


def scores_of(game: Mapping[str, Any]) -> tuple[int, int]:
    one, other = game["result"]["scores"]
    return one, other
