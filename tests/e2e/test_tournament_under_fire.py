"""One whole tournament over HTTP while its services are killed: in the end it is as if nothing had happened."""

import asyncio
import os
import random
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from typing import override

from deploy import SERVICES
from deploy.demo.client import Reply, User
from deploy.demo.play import connected
from deploy.demo.preparation import found
from tests.e2e.auditing import require_whole
from tests.e2e.following import Follower
from tests.e2e.hall import Hall
from tests.integration.launching import Platform
from tests.naive_scrabble import Scores
from tests.patience import PATIENCE

KILLED = {1: "registration", 2: "pairing", 3: "results", 4: "nats", 5: "results", 6: "postgres", 7: "standings"}
POSTS_BEFORE_THE_KILL = 6


async def test_a_tournament_under_fire_ends_as_if_nothing_had_happened(platform: Platform) -> None:
    urls = {service: platform.url(service) for service in SERVICES}
    async with connected(urls, platform.folder) as network:
        cup = await found(network, date(2026, 11, 28))
        chance = random.Random(1)
        hall = HallUnderFire(platform=platform, network=network, cup=cup, rounds=len(KILLED), chance=chance)
        async with following(f"{platform.url('standings')}{cup.stage}/standings/live") as follower:
            await hall.play()
            final = require_whole(platform, {cup.id: hall.record})[cup.id]
            async with asyncio.timeout(PATIENCE):
                while follower.table != final:
                    await asyncio.sleep(0.1)
    assert len(final) == len(cup.players) + 1
    assert follower.connected > 1
    assert sorted(hall.struck) == sorted(KILLED)


@asynccontextmanager
async def following(url: str) -> AsyncGenerator[Follower]:
    """What goes wrong with the follower ends the block at once."""
    follower = Follower(url)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(follower.follow())
        yield follower
        task.cancel()


@dataclass(kw_only=True)
class HallUnderFire(Hall):
    """In the middle of each round something is killed, and for two rounds nobody gets anything out of standings."""

    platform: Platform
    struck: list[int] = field(default_factory=list[int])
    posted: int = 0  # in this round
    enough: asyncio.Event = field(default_factory=asyncio.Event)

    @override
    async def play_round(self, number: int, *, known: str | None) -> None:
        self.posted, self.enough = 0, asyncio.Event()
        if number == 4:
            self.send("standings", signal.SIGSTOP)
        if number == 6:
            self.send("standings", signal.SIGKILL)
        async with asyncio.TaskGroup() as group:
            group.create_task(self.strike(number))
            group.create_task(super().play_round(number, known=known))

    @override
    async def post(self, person: User, by: str, game: str, scores: Scores, *, after: str | None) -> Reply:
        answer = await super().post(person, by, game, scores, after=after)
        self.posted += 1
        if self.posted == POSTS_BEFORE_THE_KILL:
            self.enough.set()
        return answer

    async def strike(self, number: int) -> None:
        """In the middle of the round, without a warning."""
        await self.enough.wait()
        while number not in self.struck:
            with suppress(ProcessLookupError, StopIteration):
                self.send(KILLED[number], signal.SIGKILL)
                self.struck.append(number)
            await asyncio.sleep(0.05)

    def send(self, process: str, sent: signal.Signals) -> None:
        os.kill(self.platform.pid(process), sent)
