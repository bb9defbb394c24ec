"""The demo: 24 players, seven rounds, eight scorers at once, a table that is always right."""

import asyncio
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from deploy.demo.asking import Answer, Network, Person
from deploy.demo.cast import ARBITER
from deploy.demo.founding import Cup, director, found
from deploy.demo.story import Reading, Scores, Story, Told

REASON = {"code": "announcement"}  # the rest between two rounds is shorter than the rules want it
GLANCE = 0.05  # seconds between two looks
LEADERS = 3

type Say = Callable[[str], None]


async def play(network: Network, say: Say, *, today: date, pace: float, story: Story) -> None:
    cup = await found(network, today)
    say(f"The tournament has started with {len(cup.players)} players. Look at")
    for place in places(network, cup):
        say(f"  {place}")
    demo = Demo(network=network, say=say, cup=cup, pace=pace, story=story)
    rounds = (await network.anybody().look("pairing", f"{cup.stage}/rounds", after=cup.started))["of"]
    for number in range(1, rounds + 1):
        await demo.play_round(number)
    await demo.finish()


def places(network: Network, cup: Cup) -> Sequence[str]:
    """Where to look while it is played."""
    standings, pairing, results = (network.urls[service] for service in ("standings", "pairing", "results"))
    return (
        f"the table    {standings}{cup.stage}/standings",
        f"as it moves  curl -N {standings}{cup.stage}/standings/live",
        f"the rounds   {pairing}{cup.stage}/rounds",
        f"the games    {results}{cup.stage}/rounds/1/games",
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Demo:
    network: Network
    say: Say
    cup: Cup
    pace: float  # seconds that a round is played
    story: Story

    async def play_round(self, number: int) -> None:
        published = await publish_next(director(self.network), self.cup, number)
        pairs = published.body["pairs"]
        self.say(f"Round {number}: {len(pairs)} games")
        tables = ((pair["game"], pair["table"], self._told(number, pair["seats"])) for pair in pairs)
        await asyncio.gather(*(self._record(*table, after=published.position) for table in tables))
        await round_is_over(self.network.anybody(), self.cup, number)
        await self._show(number, after=published.position)

    def _told(self, number: int, seats: Sequence[dict[str, str]]) -> Told:
        return self.story.of(number, [self.cup.players[seat["entrant"]] for seat in seats])

    async def _record(self, game: str, table: int, told: Told, *, after: str | None) -> None:
        """Two scorers report each game. Where they disagree, the arbiter looks at the sheet."""
        answers = await asyncio.gather(*(self._read(game, reading, after) for reading in told.readings))
        if any(answer.body["status"] == "disputed" for answer in answers):
            await decide(self.network.person(ARBITER), game, told.scores)
            self.say(f"  at table {table} two scorers disagreed, and the arbiter has decided")

    async def _read(self, game: str, reading: Reading, after: str | None) -> Answer:
        await asyncio.sleep(self.pace * reading.at)
        return await report(self.network.person(reading.scorer), game, reading.scores, after=after)

    async def _show(self, number: int, *, after: str | None) -> None:
        table = await complete_table(self.network.anybody(), self.cup, number, after=after)
        for row in table["standings"][:LEADERS]:
            player = self.cup.players[row["entrant"]]
            self.say(f"  {row['place']:2}. {player.name:20}{row['values']['points']:4}")

    async def finish(self) -> None:
        await close(director(self.network), self.cup)
        self.say("The tournament is completed.")


async def publish_next(director: Person, cup: Cup, number: int, *, after: str | None = None) -> Answer:
    """`after` is what the pairing has to know."""
    path = f"{cup.stage}/rounds/{number}"
    await director.act("pairing", f"{path}/draft", after=after or cup.started)
    await director.act("pairing", f"{path}/confirm", {"reason": REASON})
    return await director.act("pairing", f"{path}/publish", {"reason": REASON})


async def report(
    who: Person, game: str, scores: Scores, *, after: str | None = None, key: uuid.UUID | None = None
) -> Answer:
    said = {"end": "played", "scores": scores}
    return await who.act("results", f"/v1/games/{game}/reports", said, after=after, key=key)


async def decide(arbiter: Person, game: str, scores: Scores) -> Answer:
    decision = {"end": "played", "scores": scores, "reason": "Both sheets say so."}
    return await arbiter.act("results", f"/v1/games/{game}/decide", decision)


async def round_is_over(anybody: Person, cup: Cup, number: int) -> None:
    """Until pairing knows it."""
    while True:
        if (await anybody.look("pairing", f"{cup.stage}/rounds/{number}"))["status"] == "completed":
            return
        await asyncio.sleep(GLANCE)


async def complete_table(anybody: Person, cup: Cup, number: int, *, after: str | None) -> Any:
    """Once standings has heard of every result; `after` is the publication of the round."""
    path = f"{cup.stage}/standings?round={number}"
    while True:
        if (table := await anybody.look("standings", path, after=after))["complete"]:
            return table
        await asyncio.sleep(GLANCE)


async def close(director: Person, cup: Cup) -> None:
    """Ties that wait for a lot get one; then nothing changes any more."""
    stage = await director.look("standings", cup.stage)
    for tie in stage["unresolved"]:
        await director.act("standings", f"{cup.stage}/lots", {"entrants": tie["entrants"]})
    await director.act("standings", f"{cup.stage}/close")
    await director.act("registration", f"{cup.path}/review")
    await director.act("registration", f"{cup.path}/complete")
