"""Somebody with all rights on the databases looks for a secret whose lots they like, and puts it in the place of the one that was
fixed: either nothing is drawn from it, or it is seen.

The value of the dice is known by then, and so is among whom is drawn. Whoever does it changes any of what speaks against it: the
secret, the commitment in the log, the commitment that was heard, the source, the value; here and in the log of registration.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from shared.clock import now
from shared.commands.handler import Handler
from shared.ids import new_id
from shared.lots import formula
from shared.lots.drawing import ByLot, Lots
from shared.lots.heard import LotsHeard
from shared.lots.secrets import Seeds
from shared.lots.stream import LOTS, told
from shared.refusals import Conflict
from tests.provable import secret_of
from tests.tampering.attacks import Row, grown_anew, heard_anew, put, row_of, told_of, written
from tests.tampering.ground import NEXT, SOURCE, VALUE, Ground
from tests.tampering.judging import readiness

AMONG = [f"entrant {number}" for number in range(8)]
PURPOSE = "round 1"
FIXED = formula.mixed(secret_of("pairing"), tournament=NEXT, source=SOURCE, value=VALUE).draw(PURPOSE, AMONG)


@dataclass
class Grinding:
    ground: Ground
    chance: random.Random
    say: Callable[[str], None]
    counts: Counter[str] = field(default_factory=Counter[str])
    missed: list[str] = field(default_factory=list[str])

    async def run(self, times: int) -> None:
        for _ in range(times):
            words, services = await self._ground(self.chance)
            try:
                await self._judge(words, services)
            finally:
                await self.ground.make_good(services)

    async def _judge(self, words: str, services: Sequence[str]) -> None:
        self.counts["ground"] += 1
        drawn = await self._drawn()
        if drawn is None:
            self.counts["refused by the service"] += 1
        elif drawn == FIXED:
            self.counts["drawn as it was fixed"] += 1
        elif found := await anext(readiness(self.ground, services), None):
            self.counts["seen by readyz"] += 1
            assert found
        else:
            self.missed.append(f"{words}: {drawn} is drawn, and nobody sees why")
            self.say(self.missed[-1])

    async def _drawn(self) -> list[str] | None:
        """As the service would draw now."""
        one = self.ground.services["pairing"]
        seeds, heard = Seeds(one.url), LotsHeard(one.url, service="pairing")
        handler = Handler(decider=LOTS, publish=told, store=one.store, now=now, new_id=new_id, service="pairing")
        lots = Lots(handler=handler, seeds=seeds, heard=heard, service="pairing")
        async with seeds.running(), heard.running():
            try:
                by_lot: ByLot = await lots.tried(NEXT)
                return by_lot(PURPOSE, AMONG)
            except Conflict:
                return None

    async def _ground(self, chance: random.Random) -> tuple[str, Sequence[str]]:
        source = chance.choice((SOURCE, SOURCE, "dice 11", None))
        value = chance.choice((VALUE, VALUE, " ".join(chance.choices("123456", k=10))))
        secret = liked(chance, source, value)
        fixed = formula.commitment(secret, service="pairing", tournament=NEXT, source=source)
        words, touched = [f"{source} {value[:5]}"], ["pairing"]
        if chance.random() < 0.8:
            await self.ground.services["pairing"].admin.execute(
                "update beside.seeds set seed = $1 where tournament = $2", secret, NEXT
            )
            words.append("secret")
        said: dict[str, dict[str, Any]] = {
            "LotSeedCommitted": {"commitment": fixed, "source": source},
            "LotsOpened": {"commitments": {"pairing": fixed}, "source": source, "value": value},
            "TournamentAnnounced": {"lot_source": source},
        }
        for service in ("pairing", "registration"):
            if chance.random() < 0.7:
                touched += await self._written(service, said, chance)
                words.append(f"log of {service}")
        if chance.random() < 0.5:
            rows = changed(self._rows("registration"), said, chance)
            await heard_anew(self.ground, "registration", rows)
            touched += [name for name in self.ground.services if name != "registration"]
            words.append("inboxes")
        return ", ".join(words), tuple(dict.fromkeys(touched))

    async def _written(self, service: str, said: dict[str, dict[str, Any]], chance: random.Random) -> list[str]:
        rows = changed(self._rows(service), said, chance)
        await put(self.ground.services[service], rows)
        if chance.random() < 0.8:
            await grown_anew(self.ground.services[service])
        return [service, *await heard_anew(self.ground, service, rows)] if chance.random() < 0.8 else [service]

    def _rows(self, service: str) -> list[Row]:
        return [row_of(record, message) for record, message in self.ground.logs.logs[service].events]


def liked(chance: random.Random, source: str | None, value: str) -> bytes:
    """A secret by which the first entrant comes first."""
    while True:
        secret = chance.randbytes(32)
        if source is None:
            drawn = formula.draw(secret, PURPOSE, AMONG)
        else:
            drawn = formula.mixed(secret, tournament=NEXT, source=source, value=value).draw(PURPOSE, AMONG)
        if drawn[0] == AMONG[0] and drawn != FIXED:
            return secret


def changed(rows: list[Row], said: dict[str, dict[str, Any]], chance: random.Random) -> list[Row]:
    """What is said of these lots is another thing now, or some of it is not said at all."""
    found = list[Row]()
    for row in rows:
        if row.scope != NEXT or row.type not in said:
            found.append(row)
        elif row.type != "LotsOpened" or said["LotsOpened"]["source"] is not None or chance.random() < 0.2:
            data: dict[str, Any] = msgspec.json.decode(row.envelope.data) | said[row.type]
            envelope = msgspec.structs.replace(row.envelope, data=msgspec.Raw(msgspec.json.encode(data)))
            found.append(written(envelope, told_of(envelope, row.message)))
    return found
