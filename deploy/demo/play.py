"""The demo: a tournament of any ruleset, from its first round to the final ranking, with those who report its games."""

import asyncio
import functools
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import httpx

from deploy import SERVICES
from deploy.demo.cast import ARBITER
from deploy.demo.chance import DemoStory, Misreading, ReportedEnding
from deploy.demo.client import Reply, RequestRefused, Services, User
from deploy.demo.preparation import SCRABBLE, TIME_ZONE, Cup, CupPlan, director, found
from deploy.local import state
from deploy.local.errors import CannotRun
from deploy.local.folder import Folder
from deploy.local.state import RunState
from deploy.tokens import signed
from shared.clock import now
from shared.rulesets.settings import Settings, settings
from shared.rulesets.stages import Stage
from shared.values import Value

REASON_OF_DECISION = "Both sheets say so."


@dataclass(kw_only=True, slots=True)
class Captains:
    """Whoever speaks for an entrant, once that is asked for."""

    network: Services
    cup: Cup
    known: dict[str, User] = field(default_factory=dict[str, User])

    async def of(self, entrant: str, game: str) -> User:
        """Known where the game is, too."""
        if entrant not in self.known:
            path = f"{self.cup.path}/entrants/{entrant}/captain/token"
            issued = await director(self.network).act("registration", path)
            person = User(network=self.network, token=issued.body["token"])
            await person.look("results", f"/v1/games/{game}", after=issued.position)
            self.known[entrant] = person
        return self.known[entrant]


class DemoTable(Value):
    network: Services
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

    async def play(self, story: DemoStory, number: int, pace: float) -> str | None:
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

    async def witnesses(self, readings: Sequence[Misreading]) -> Sequence[User]:
        """Those of each side, where only they can agree, or two scorers."""
        if self.holds.results.confirmed_by == "each-side":
            return [await self.captains.of(seat, self.pair["game"]) for seat in self.seats]
        return [self.network.person(reading.scorer) for reading in readings]

    async def read(self, reading: Misreading, witness: User, pace: float) -> Reply:
        await asyncio.sleep(pace * reading.at)
        return await report(witness, self.pair["game"], reading.said)


async def report(
    who: User, game: str, said: ReportedEnding, *, after: str | None = None, key: uuid.UUID | None = None
) -> Reply:
    return await who.act("results", f"/v1/games/{game}/reports", {"end": "played"} | said, after=after, key=key)


async def decide(arbiter: User, game: str, said: ReportedEnding) -> Reply:
    decision = {"end": "played", "reason": REASON_OF_DECISION} | said
    return await arbiter.act("results", f"/v1/games/{game}/decide", decision)


REASON = {"code": "announcement"}  # the rest between two rounds is shorter than the rules want it
GLANCE = 0.05  # seconds between two looks
LEADERS = 3
EXPLAINED = 2  # criteria
SECONDS_OF_A_MINUTE = 60

type Say = Callable[[str], None]


async def play(
    network: Services,
    say: Say,
    *,
    today: date,
    pace: float,
    story: DemoStory,
    wanted: CupPlan = SCRABBLE,
    pages: str | None = None,
) -> Cup:
    """`pages`: the address at which the pages are, if it is known."""
    cup = await found(network, today, wanted)
    say(f"{cup.ruleset.title} has started with {len(cup.players)} entrants. {how_long(cup, pace)} Look at")
    if pages is not None:
        say(f"  its page     {pages}/tournaments/{cup.id}")
        say(f"  the hall     {pages}/tournaments/{cup.id}/hall")
    for place in places(network, cup):
        say(f"  {place}")
    await Demo(network=network, say=say, cup=cup, pace=pace, story=story).play()
    return cup


def how_long(cup: Cup, pace: float) -> str:
    """Of stages whose number of rounds only the play shows, nobody can tell before."""
    rounds = [settings(cup.ruleset, stage.id, size=len(cup.players)).rounds for stage in cup.ruleset.stages]
    seconds = sum(one or 0 for one in rounds) * pace
    least = "at least" if None in rounds or len(rounds) > 1 else "about"
    minutes = round(seconds / SECONDS_OF_A_MINUTE)
    whole = f"{minutes} minutes" if minutes > 1 else f"{seconds:.0f} seconds"
    return f"A round takes {pace:g} seconds, and all of it {least} {whole}."


def places(network: Services, cup: Cup) -> Sequence[str]:
    """Where to look while it is played."""
    standings, pairing, results = (network.urls[service] for service in ("standings", "pairing", "results"))
    return (
        f"the table    {standings}{cup.stage}/standings",
        f"as it moves  curl -N {standings}{cup.stage}/standings/live",
        f"the rounds   {pairing}{cup.stage}/rounds",
        f"the games    {results}{cup.stage}/rounds/1/games",
    )


class Demo:
    def __init__(self, *, network: Services, say: Say, cup: Cup, pace: float, story: DemoStory) -> None:
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
            number, not_held = await self.coming_round(path)
            if not_held:
                return self.say(f"  not held: {not_held}")
            if number is None:
                break
            await self.play_round(number, stage.id)
        self._known = await close(director(self.network), path)
        return None

    async def coming_round(self, path: str) -> tuple[int | None, str]:
        """Its number, once the groups that it waits for are drawn; or why the stage is not held."""
        coming = await self.network.anybody().look("pairing", f"{path}/next", after=self._known)
        obstacles = {one["kind"]: one["detail"] for one in coming["obstacles"]}
        if "groups-not-drawn" in obstacles:
            await director(self.network).act("pairing", f"{path}/groups/draw")
        return coming["round"], obstacles.get("not-held", "")

    async def play_round(self, number: int, stage: str | None = None) -> None:
        stage = stage or self.cup.ruleset.stages[0].id
        path = self.cup.of(stage)
        published = await publish_next(director(self.network), path, number, after=self._known)
        pairs = published.body["pairs"]
        self.say(f"Round {number}: {len(pairs)} game{'' if len(pairs) == 1 else 's'}")
        holds = settings(self.cup.ruleset, stage, size=len(self.cup.players))
        tables = [
            DemoTable(
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

    async def _show(self, path: str, number: int, *, after: str | None) -> None:
        self._say_leaders(await complete_table(self.network.anybody(), path, number, after=after))

    def _say_leaders(self, table: Any) -> None:
        for row in table["standings"][:LEADERS]:
            values = ", ".join(f"{name} {value}" for name, value in list(row["values"].items())[:2])
            self.say(f"  {row['place']:2}. {self.cup.players[row['entrant']].name:20} {values}")

    async def finish(self) -> None:
        completed = await complete(director(self.network), self.cup.path)
        self.say("Final ranking:")
        final = await self.network.anybody().look("standings", f"{self.cup.path}/final", after=completed)
        self._say_leaders(final)
        await self._explain(final["standings"][0])
        self.say("The tournament is completed.")

    async def _explain(self, first: Any) -> None:
        """Why the first is first: what puts them above the second, and of what the values are made."""
        path = f"{self.cup.of(first['stage'])}/standings/entrants/{first['entrant']}"
        explained = await self.network.anybody().look("standings", path)
        self.say(f"Why so? {first['above_next'] or ''}".rstrip())
        for criterion in explained["criteria"][:EXPLAINED]:
            self.say(f"  {criterion['sentence']}")


async def publish_next(director: User, stage: str, number: int, *, after: str | None) -> Reply:
    """`after` is what the pairing has to know."""
    return await director.act("pairing", f"{stage}/rounds/{number}/pair-and-publish", {"reason": REASON}, after=after)


async def round_is_over(anybody: User, stage: str, number: int) -> None:
    """Until pairing knows it."""
    while True:
        if (await anybody.look("pairing", f"{stage}/rounds/{number}"))["status"] == "completed":
            return
        await asyncio.sleep(GLANCE)


async def complete_table(anybody: User, stage: str, number: int, *, after: str | None) -> Any:
    """Once standings has heard of every result; `after` is the publication of the round."""
    path = f"{stage}/standings?round={number}"
    while True:
        if (table := await anybody.look("standings", path, after=after))["complete"]:
            return table
        await asyncio.sleep(GLANCE)


async def close(director: User, stage: str) -> str | None:
    """Ties that wait for a lot or a duel get one. Answers the position from which on others know it."""
    while unresolved := (await director.look("standings", stage))["unresolved"]:
        entrants = unresolved[0]["entrants"]
        if unresolved[0]["needs"] == "lot":
            await director.act("standings", f"{stage}/lots", {"entrants": entrants})
        else:
            await director.act("standings", f"{stage}/ties", {"order": [[entrant] for entrant in entrants]})
    return (await director.act("standings", f"{stage}/close")).position


async def complete(director: User, tournament: str) -> str | None:
    """Once registration, too, has heard of every result. Answers the position from which on others know it."""
    await director.act("registration", f"{tournament}/review")
    while True:
        try:
            return (await director.act("registration", f"{tournament}/complete")).position
        except RequestRefused as refused:
            if refused.type != "still-played":
                raise
            await asyncio.sleep(GLANCE)


HOURS = 12.0
PATIENCE = 15.0  # seconds that one request may take


async def play_here(
    running: RunState, folder: Folder, say: Callable[[str], None], *, ruleset: str, pace: float
) -> None:
    """Its end, or that it cannot go on, ends nothing else."""
    urls = {service: state.url(service, running.base_port or 0) for service in SERVICES}
    try:
        async with connected(urls, folder) as network:
            wanted = CupPlan(ruleset=ruleset)
            pages = state.origin(running.base_port)
            today = now().astimezone(ZoneInfo(TIME_ZONE)).date()
            await play(network, say, today=today, pace=pace, story=DemoStory(), wanted=wanted, pages=pages)
    except (RequestRefused, CannotRun, httpx.HTTPError) as error:
        say(f"The demo cannot go on: {error}")


@asynccontextmanager
async def connected(urls: Mapping[str, str], folder: Folder) -> AsyncGenerator[Services]:
    """Where everybody signs in with the key of this folder."""

    @functools.cache
    def token(subject: str) -> str:
        return signed(folder.path / "keys", subject, hours=HOURS)

    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        yield Services(client=client, urls=urls, token=token)
