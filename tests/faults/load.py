"""Tournaments, several at once, each followed by another until it is enough: the last ones are played to their end."""

import asyncio
import random
import threading
from datetime import date

from msgspec.structs import replace

from deploy import SERVICES
from deploy.demo.cast import PLAYERS, RULESET
from deploy.demo.client import Services
from deploy.demo.play import connected
from deploy.demo.preparation import CupPlan, found
from tests.e2e.hall import Hall
from tests.e2e.record import Record
from tests.integration.launching import Platform
from tests.patience import PATIENCE

AT_ONCE = 2
FEWEST, MOST = 10, 16  # players
ROUNDS = 5
ON = date(2026, 11, 28)


class Load:
    def __init__(self, platform: Platform, *, seed: str) -> None:
        self.records = dict[str, Record]()  # of each tournament that has ended
        self._platform = platform
        self._seed = seed
        self._enough = threading.Event()

    def finish(self) -> None:
        """No other tournament is begun."""
        self._enough.set()

    async def play(self) -> None:
        urls = {service: self._platform.url(service) for service in SERVICES}
        async with connected(urls, self._platform.folder) as network, asyncio.TaskGroup() as group:
            for lane in range(AT_ONCE):
                chance = random.Random(f"{self._seed} {lane}")
                group.create_task(self._play_one_after_another(replace(network, patience=PATIENCE), chance))

    async def _play_one_after_another(self, network: Services, chance: random.Random) -> None:
        while not self._enough.is_set():
            players = PLAYERS[: chance.randint(FEWEST, MOST)]
            cup = await found(
                network, ON, CupPlan(ruleset=RULESET, players=players, options={"pairing.rounds": ROUNDS})
            )
            hall = Hall(network=network, cup=cup, rounds=ROUNDS, chance=chance)
            await hall.play()
            self.records[cup.id] = hall.record
