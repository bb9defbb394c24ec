"""What is done at one table of the demo: line-ups and choices before the game, and afterwards its result."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deploy.demo.asking import Answer, Network, Person
from deploy.demo.cast import ARBITER
from deploy.demo.founding import Cup, director
from deploy.demo.story import Reading, Said, Story
from shared.rulesets.settings import Settings
from shared.values import Value

REASON_OF_DECISION = "Both sheets say so."


@dataclass(kw_only=True, slots=True)
class Captains:
    """Whoever speaks for an entrant, once that is asked for."""

    network: Network
    cup: Cup
    known: dict[str, Person] = field(default_factory=dict[str, Person])

    async def of(self, entrant: str, game: str) -> Person:
        """Known where the game is, too."""
        if entrant not in self.known:
            path = f"{self.cup.path}/entrants/{entrant}/captain/token"
            issued = await director(self.network).act("registration", path)
            person = Person(network=self.network, token=issued.body["token"])
            await person.look("results", f"/v1/games/{game}", after=issued.position)
            self.known[entrant] = person
        return self.known[entrant]


class Table(Value):
    network: Network
    cup: Cup
    captains: Captains
    holds: Settings  # of the stage
    pair: Mapping[str, Any]  # as pairing has published it
    published: str | None  # the position of the publication

    @property
    def game(self) -> str:
        return f"/v1/games/{self.pair['game']}"

    @property
    def seats(self) -> Sequence[str]:
        return [seat["entrant"] for seat in self.pair["seats"]]

    async def play(self, story: Story, number: int, pace: float) -> str | None:
        """Answers what else is to be told of it."""
        sheet = await self.network.anybody().look("results", self.game, after=self.published)
        if sheet["status"] == "final":
            return f"at table {self.pair['table']} nobody plays against who has left"
        await self.prepare()
        told = story.of(number, [self.cup.players[seat] for seat in self.seats], self.holds)
        readings = zip(told.readings, await self.witnesses(told.readings), strict=True)
        answers = await asyncio.gather(*(self.read(reading, witness, pace) for reading, witness in readings))
        if any(answer.body["status"] == "disputed" for answer in answers):
            await decide(self.network.person(ARBITER), self.pair["game"], told.said)
            return f"at table {self.pair['table']} they disagreed, and the arbiter has decided"
        if set(told.said.get("deciding", ())) == {"draw"}:
            await self.network.person(ARBITER).act("results", f"{self.game}/draw-winner")
            return f"at table {self.pair['table']} a lot decides who goes on"
        return None

    async def prepare(self) -> None:
        if self.cup.ruleset.entry.kind == "team":
            await asyncio.gather(*(self.line_up(seat) for seat in self.seats))
        if holder := self.pair["option"]:
            captain = await self.captains.of(holder, self.pair["game"])
            choice = {"entrant": holder, "takes": "colour", "first": holder}
            await captain.act("results", f"{self.game}/choose", choice)

    async def line_up(self, entrant: str) -> None:
        captain = await self.captains.of(entrant, self.pair["game"])
        team = {"entrant": entrant, "persons": self.cup.persons[entrant]}
        await captain.act("results", f"{self.game}/line-up", team)

    async def witnesses(self, readings: Sequence[Reading]) -> Sequence[Person]:
        """Those of each side, where only they can agree, or two scorers."""
        if self.holds.results.confirmed_by == "each-side":
            return [await self.captains.of(seat, self.pair["game"]) for seat in self.seats]
        return [self.network.person(reading.scorer) for reading in readings]

    async def read(self, reading: Reading, witness: Person, pace: float) -> Answer:
        await asyncio.sleep(pace * reading.at)
        return await report(witness, self.pair["game"], reading.said)


async def report(
    who: Person, game: str, said: Said, *, after: str | None = None, key: uuid.UUID | None = None
) -> Answer:
    return await who.act("results", f"/v1/games/{game}/reports", {"end": "played"} | said, after=after, key=key)


async def decide(arbiter: Person, game: str, said: Said) -> Answer:
    decision = {"end": "played", "reason": REASON_OF_DECISION} | said
    return await arbiter.act("results", f"/v1/games/{game}/decide", decision)
