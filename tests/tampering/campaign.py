"""Disturbs what was played, again and again, and asks each time who notices and what is named."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.provable import Logs
from tests.tampering import attacks
from tests.tampering.attacks import Disturbance, Row
from tests.tampering.ground import Ground
from tests.tampering.judging import Verdicts, readiness, served, verified_export

THOROUGH = 8  # of so many disturbances one is looked at by everybody


@dataclass
class Campaign:
    ground: Ground
    chance: random.Random
    say: Callable[[str], None]
    counts: Counter[str] = field(default_factory=Counter[str])
    missed: list[str] = field(default_factory=list[str])

    async def run(self, times: int) -> None:
        await self.require_whole()
        for _ in range(times):
            await self.disturb(self.chance, is_thorough=self.chance.randrange(THOROUGH) == 0)
        await self.require_whole()

    async def require_whole(self) -> None:
        """What nobody has touched is found whole by all of them."""
        found = [said async for said in readiness(self.ground, self.ground.services)]
        verdicts = await verified_export(self.ground)
        assert isinstance(verdicts, Verdicts), verdicts
        assert (found, verdicts.ours, verdicts.theirs) == ([], 0, 0), (found, verdicts.refuted, verdicts.text)

    async def disturb(self, chance: random.Random, *, is_thorough: bool) -> None:
        done = await attacks.drawn(self.ground, chance)
        if done is None:
            return
        try:
            await self.judge(done, is_thorough=is_thorough)
        finally:
            await self.ground.make_good(done.services)

    async def ask_services(self, times: int) -> None:
        """The same of a few, by the services themselves. Registration has tables of its own to fill before it starts."""
        for _ in range(times):
            done = await attacks.history_rewritten(self.ground, self.chance)
            if done is None:
                continue
            if done.services[0] != "registration":
                self.counts["asked of a service"] += 1
                said = await served(self.ground, done.services[0], lambda said, done=done: names(done, said))
                if not names(done, said):
                    self.missed.append(f"{done.name}: {done.named} is not named by /readyz, but {said}")
                    self.say(self.missed[-1])
            await self.ground.make_good(done.services)

    async def judge(self, done: Disturbance, *, is_thorough: bool) -> None:
        found = list[str]()
        async for said in readiness(self.ground, done.services):
            found.append(said)
            if not is_thorough and names(done, said):
                break
        self.counts["disturbed"] += 1
        if any(names(done, said) for said in found):
            self.counts["named by readyz"] += 1
        else:
            self.missed.append(f"{done.name}: {done.named} is not named, but {found}")
            self.say(self.missed[-1])
        if (
            is_thorough
            and done.history is not None
            and shown(self.ground.logs, done.history[0]) != shown(self.ground.logs, done.history[1])
        ):
            self.counts["exported"] += 1
            verdicts = await verified_export(self.ground)
            if isinstance(verdicts, Verdicts) and not verdicts.is_found:
                self.missed.append(f"{done.name}: a bundle of it ends with {verdicts.ours} and {verdicts.theirs}")
                self.say(self.missed[-1])


def names(done: Disturbance, said: str) -> bool:
    return any(one in said for one in done.named)


def shown(logs: Logs, rows: Sequence[Row]) -> list[tuple[int, bytes]]:
    """What an export would have of this log."""
    scopes = {logs.tournament, logs.federation}
    return [(at, row.leaf) for at, row in enumerate(rows) if row.scope in scopes]
