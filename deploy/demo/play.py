"""The demo: a tournament of any ruleset, from its first round to the final ranking."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from deploy.demo.asking import Answer, Network, Person
from deploy.demo.at_the_table import Captains, Table
from deploy.demo.founding import SCRABBLE, Cup, Wanted, director, found
from deploy.demo.story import Story
from shared.rulesets.settings import settings
from shared.rulesets.stages import Stage

REASON = {"code": "announcement"}  # the rest between two rounds is shorter than the rules want it
GLANCE = 0.05  # seconds between two looks
LEADERS = 3

type Say = Callable[[str], None]


async def play(network: Network, say: Say, *, today: date, pace: float, story: Story, wanted: Wanted = SCRABBLE) -> Cup:
    cup = await found(network, today, wanted)
    say(f"{cup.ruleset.title} has started with {len(cup.players)} entrants. Look at")
    for place in places(network, cup):
        say(f"  {place}")
    await Demo(network=network, say=say, cup=cup, pace=pace, story=story).play()
    return cup


def places(network: Network, cup: Cup) -> Sequence[str]:
    """Where to look while it is played."""
    standings, pairing, results = (network.urls[service] for service in ("standings", "pairing", "results"))
    return (
        f"the table    {standings}{cup.stage}/standings",
        f"as it moves  curl -N {standings}{cup.stage}/standings/live",
        f"the rounds   {pairing}{cup.stage}/rounds",
        f"the games    {results}{cup.stage}/rounds/1/games",
    )


class Demo:
    def __init__(self, *, network: Network, say: Say, cup: Cup, pace: float, story: Story) -> None:
        """`pace`: seconds that a round is played."""
        self.network, self.say, self.cup, self.pace, self.story = network, say, cup, pace, story
        self._captains = Captains(network=network, cup=cup)
        self._known = cup.started  # what pairing has to know before it pairs

    async def play(self) -> None:
        for stage in self.cup.ruleset.stages:
            await self.play_stage(stage)
        await self.finish()

    async def play_stage(self, stage: Stage) -> None:
        """As far as it is held."""
        path = self.cup.of(stage.id)
        if len(self.cup.ruleset.stages) > 1:
            self.say(f"{stage.title}:")
        while True:
            coming = await self.network.anybody().look("pairing", f"{path}/next", after=self._known)
            obstacles = {one["kind"]: one["detail"] for one in coming["obstacles"]}
            if "not-held" in obstacles:
                return self.say(f"  not held: {obstacles['not-held']}")
            if coming["round"] is None:
                break
            if "groups-not-drawn" in obstacles:
                await self.act("pairing", f"{path}/groups/draw")
            await self.play_round(coming["round"], stage.id)
        self._known = await close(director(self.network), path)
        return None

    async def play_round(self, number: int, stage: str | None = None) -> None:
        stage = stage or self.cup.ruleset.stages[0].id
        path = self.cup.of(stage)
        published = await publish_next(director(self.network), path, number, after=self._known)
        pairs = published.body["pairs"]
        self.say(f"Round {number}: {len(pairs)} game{'' if len(pairs) == 1 else 's'}")
        holds = settings(self.cup.ruleset, stage, size=len(self.cup.players))
        tables = [
            Table(
                network=self.network,
                cup=self.cup,
                captains=self._captains,
                holds=holds,
                pair=pair,
                published=published.position,
            )
            for pair in pairs
        ]
        for told in await asyncio.gather(*(table.play(self.story, number, self.pace) for table in tables)):
            if told:
                self.say(f"  {told}")
        await round_is_over(self.network.anybody(), path, number)
        await self._show(path, number, after=published.position)

    async def act(self, service: str, path: str) -> Answer:
        return await director(self.network).act(service, path)

    async def _show(self, path: str, number: int, *, after: str | None) -> None:
        self._say_leaders(await complete_table(self.network.anybody(), path, number, after=after))

    def _say_leaders(self, table: Any) -> None:
        for row in table["standings"][:LEADERS]:
            values = ", ".join(f"{name} {value}" for name, value in list(row["values"].items())[:2])
            self.say(f"  {row['place']:2}. {self.cup.players[row['entrant']].name:20} {values}")

    async def finish(self) -> None:
        completed = await complete(director(self.network), self.cup)
        self.say("Final ranking:")
        self._say_leaders(await self.network.anybody().look("standings", f"{self.cup.path}/final", after=completed))
        self.say("The tournament is completed.")


async def publish_next(director: Person, stage: str, number: int, *, after: str | None) -> Answer:
    """`after` is what the pairing has to know."""
    path = f"{stage}/rounds/{number}"
    await director.act("pairing", f"{path}/draft", after=after)
    await director.act("pairing", f"{path}/confirm", {"reason": REASON})
    return await director.act("pairing", f"{path}/publish", {"reason": REASON})


async def round_is_over(anybody: Person, stage: str, number: int) -> None:
    """Until pairing knows it."""
    while True:
        if (await anybody.look("pairing", f"{stage}/rounds/{number}"))["status"] == "completed":
            return
        await asyncio.sleep(GLANCE)


async def complete_table(anybody: Person, stage: str, number: int, *, after: str | None) -> Any:
    """Once standings has heard of every result; `after` is the publication of the round."""
    path = f"{stage}/standings?round={number}"
    while True:
        if (table := await anybody.look("standings", path, after=after))["complete"]:
            return table
        await asyncio.sleep(GLANCE)


async def close(director: Person, stage: str) -> str | None:
    """Ties that wait for a lot or a duel get one. Answers the position from which on others know it."""
    while unresolved := (await director.look("standings", stage))["unresolved"]:
        entrants = unresolved[0]["entrants"]
        if unresolved[0]["needs"] == "lot":
            await director.act("standings", f"{stage}/lots", {"entrants": entrants})
        else:
            await director.act("standings", f"{stage}/ties", {"order": [[entrant] for entrant in entrants]})
    return (await director.act("standings", f"{stage}/close")).position


async def complete(director: Person, cup: Cup) -> str | None:
    """Answers the position from which on others know it."""
    await director.act("registration", f"{cup.path}/review")
    return (await director.act("registration", f"{cup.path}/complete")).position
