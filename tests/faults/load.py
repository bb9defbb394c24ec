"""Tournaments, several at once, each followed by another until it is enough: the last ones are played to their end."""

import asyncio
import random
import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import date

from msgspec.structs import replace

from deploy.demo.cast import PLAYERS, RULESET
from deploy.demo.client import Services
from deploy.demo.preparation import CupPlan, found
from tests.e2e.hall import Hall
from tests.e2e.record import Record
from tests.patience import PATIENCE

FEWEST, MOST = 10, 16  # players
ROUNDS = 5
ON = date(2026, 11, 28)


class Load:
    def __init__(
        self,
        connected: Callable[[], AbstractAsyncContextManager[Services]],
        *,
        seed: str,
        at_once: int,
        rounds: int = ROUNDS,
        patience: float = PATIENCE,
    ) -> None:
        self.records = dict[str, Record]()  # of each tournament that has ended
        self._connected = connected
        self._seed = seed
        self._at_once, self._rounds, self._patience = at_once, rounds, patience
        self._enough = threading.Event()

    def finish(self) -> None:
        """No other tournament is begun."""
        self._enough.set()

    async def play(self) -> None:
        async with self._connected() as network, asyncio.TaskGroup() as group:
            for lane in range(self._at_once):
                chance = random.Random(f"{self._seed} {lane}")
                group.create_task(self._play_one_after_another(replace(network, patience=self._patience), chance))

    async def _play_one_after_another(self, network: Services, chance: random.Random) -> None:
        while not self._enough.is_set():
            players = PLAYERS[: chance.randint(FEWEST, MOST)]
            options = {"pairing.rounds": self._rounds}
            cup = await found(network, ON, CupPlan(ruleset=RULESET, players=players, options=options))
            hall = Hall(network=network, cup=cup, rounds=self._rounds, chance=chance)
            await hall.play()
            self.records[cup.id] = hall.record
