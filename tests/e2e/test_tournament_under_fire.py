"""One whole tournament over HTTP while its services are killed: in the end it is as if nothing had happened."""

import asyncio
import os
import random
import signal
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import psutil

from deploy import SERVICES
from deploy.demo.asking import Answer, Network, Person
from deploy.demo.at_the_table import decide, report
from deploy.demo.cast import ARBITER, SCORERS
from deploy.demo.founding import Cup, director, found
from deploy.demo.play import close, complete, complete_table, publish_next, round_is_over
from deploy.demo.running import connected
from shared.ids import new_id
from tests.e2e import auditing
from tests.e2e.auditing import require_whole
from tests.e2e.following import Follower
from tests.e2e.record import Post, Record, Scores, ids
from tests.integration.launching import Platform
from tests.patience import PATIENCE

KILLED = {1: "registration", 2: "pairing", 3: "results", 4: "nats", 5: "results", 6: "postgres", 7: "standings"}
OF_CAPTAINS = 3  # tables of each round whose players report for themselves
CONFLICTS = 2  # tables of each round where a scorer misreads the sheet
MISREAD = 10
POSTS_BEFORE_THE_KILL = 6


async def test_a_tournament_under_fire_ends_as_if_nothing_had_happened(own_platform: Platform) -> None:
    urls = {service: own_platform.url(service) for service in SERVICES}
    async with connected(urls, own_platform.folder) as network:
        cup = await found(network, date(2026, 11, 28))
        record = Record()
        record.enter({entrant: player.rating for entrant, player in cup.players.items()})
        hall = Hall(platform=own_platform, network=network, cup=cup, record=record)
        async with following(f"{own_platform.url('standings')}{cup.stage}/standings/live") as follower:
            await hall.play()
            record.lots = [lot["order"] for lot in auditing.settled(own_platform, cup.id)]
            final = require_whole(own_platform, cup.id, record)
            async with asyncio.timeout(PATIENCE):
                while follower.table != final:
                    await asyncio.sleep(0.1)
    assert len(final) == len(cup.players) + 1
    assert follower.connected > 1
    assert sorted(hall.struck) == sorted(KILLED)


@asynccontextmanager
async def following(url: str) -> AsyncGenerator[Follower]:
    follower = Follower(url)
    task = asyncio.create_task(follower.follow())
    try:
        yield follower
        assert not task.done(), task.exception()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@dataclass(frozen=True, kw_only=True)
class Captain:
    person: Person
    subject: str  # how the log names them
    named: str | None  # the position from which on they are known


@dataclass(kw_only=True)
class Hall:
    """Where it is played: officials, scorers and players, and somebody who kills processes."""

    platform: Platform
    network: Network
    cup: Cup
    record: Record
    struck: list[int] = field(default_factory=list[int])
    published: str | None = None  # the position of the last publication
    posted: int = 0  # in this round
    enough: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self) -> None:
        late = await self.somebody_comes_late()
        await self.play_round(1)
        await self.play_round(2, known=late)
        await self.play_round(3)
        withdrawn = await self.somebody_withdraws(3)
        self.send("standings", signal.SIGSTOP)
        await self.play_round(4, known=withdrawn)
        await self.play_round(5)
        corrected = await self.a_result_is_corrected()
        assert psutil.Process(self.platform.pid("standings")).status() == psutil.STATUS_STOPPED
        self.send("standings", signal.SIGKILL)
        await self.play_round(6, known=corrected)
        await self.play_round(7)
        await complete_table(self.network.anybody(), self.cup.stage, 7, after=self.published)
        await close(self.director, self.cup.stage)
        await complete(self.director, self.cup)

    @property
    def director(self) -> Person:
        return director(self.network)

    async def somebody_comes_late(self) -> str | None:
        late = {"person": {"name": "Žofia Neskorá"}, "rating": 1700, "from_round": 2, "decision": "excused"}
        admitted = await self.director.act("registration", f"{self.cup.path}/entrants/admit", late)
        self.record.enter({admitted.body["id"]: 1700}, from_round=2)
        return admitted.position

    async def somebody_withdraws(self, number: int) -> str | None:
        entrant = ids(self.record.rounds[number]["pairs"][5]["seats"])[0]
        path = f"{self.cup.path}/entrants/{entrant}/withdraw"
        withdrawn = await self.director.act("registration", path, {"after_round": number})
        self.record.entrants[entrant]["withdrawn_after"] = number
        return withdrawn.position

    async def a_result_is_corrected(self) -> str | None:
        """The winner of a game in the first round has lost it."""
        game = self.record.rounds[1]["pairs"][0]["game"]
        one, other = self.record.results[game]
        right: Scores = (other, one)
        correction = {"end": "played", "scores": right, "reason": "The sides of the sheet were mixed up."}
        corrected = await self.network.person(ARBITER).act("results", f"/v1/games/{game}/correct", correction)
        assert corrected.body["result"]["scores"] == list(right)
        self.record.results[game] = right
        return corrected.position

    async def play_round(self, number: int, *, known: str | None = None) -> None:
        """`known` is what the pairing has to rest on."""
        published = await publish_next(self.director, self.cup.stage, number, after=known or self.cup.started)
        self.record.rounds[number], self.published = published.body, published.position
        self.posted, self.enough = 0, asyncio.Event()
        chance = random.Random(number)
        pairs = chance.sample(published.body["pairs"], len(published.body["pairs"]))
        results = {pair["game"]: (chance.randint(250, 340), chance.randint(341, 450)) for pair in pairs}
        self.record.results |= results
        disputed = [pair["game"] for pair in pairs[OF_CAPTAINS : OF_CAPTAINS + CONFLICTS]]
        read = {pair["game"]: results[pair["game"]] for pair in pairs[OF_CAPTAINS:]}
        async with asyncio.TaskGroup() as group:
            group.create_task(self.strike(number))
            for scorer, sheets in handed_out(read, disputed, chance).items():
                group.create_task(self.enter(scorer, sheets))
            for pair in pairs[:OF_CAPTAINS]:
                group.create_task(self.report_themselves(pair, results[pair["game"]]))
        for game in disputed:
            await self.settle(game, results[game])
        await round_is_over(self.network.anybody(), self.cup.stage, number)

    async def enter(self, scorer: str, sheets: list[tuple[str, Scores]]) -> None:
        person = self.network.person(scorer)
        for game, scores in sheets:
            await self.post(person, scorer, game, scores, after=self.published)

    async def post(self, person: Person, by: str, game: str, scores: Scores, *, after: str | None) -> Answer:
        key = new_id()
        answer = await twice(lambda: report(person, game, {"scores": scores}, after=after, key=key))
        self.record.posts.append(Post(game=game, by=by, scores=scores))
        self.posted += 1
        if self.posted == POSTS_BEFORE_THE_KILL:
            self.enough.set()
        return answer

    async def report_themselves(self, pair: dict[str, Any], scores: Scores) -> None:
        """One side reports and the other confirms, with the tokens that registration gives them."""
        one, other = [await self.captain(entrant) for entrant in ids(pair["seats"])]
        game = f"/v1/games/{pair['game']}"
        await self.network.anybody().look("results", game, after=self.published)
        reported = await self.post(one.person, one.subject, pair["game"], scores, after=one.named)
        (said,) = reported.body["reports"]
        key = new_id()
        confirmed = await twice(
            lambda: other.person.act(
                "results", f"{game}/confirm", {"report": said["number"]}, after=other.named, key=key
            )
        )
        assert confirmed.body["status"] == "final"

    async def captain(self, entrant: str) -> Captain:
        path = f"{self.cup.path}/entrants/{entrant}/captain/token"
        issued = await self.director.act("registration", path)
        person = Person(network=self.network, token=issued.body["token"])
        return Captain(person=person, subject=issued.body["subject"], named=issued.position)

    async def settle(self, game: str, scores: Scores) -> None:
        arbiter = self.network.person(ARBITER)
        assert (await arbiter.look("results", f"/v1/games/{game}"))["status"] == "disputed"
        self.record.disputes.add(game)
        assert (await decide(arbiter, game, {"scores": scores})).body["status"] == "final"

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


def handed_out(
    results: Mapping[str, Scores], disputed: Collection[str], chance: random.Random
) -> Mapping[str, list[tuple[str, Scores]]]:
    """Each game to two scorers, of whom the second misreads some."""
    sheets: dict[str, list[tuple[str, Scores]]] = defaultdict(list)
    for game, (one, other) in results.items():
        first, second = chance.sample(SCORERS, 2)
        sheets[first].append((game, (one, other)))
        sheets[second].append((game, (one + MISREAD, other) if game in disputed else (one, other)))
    return sheets


async def twice(act: Callable[[], Awaitable[Answer]]) -> Answer:
    """With the same key at the same time, as somebody does whose network is bad."""
    answer, again = await asyncio.gather(act(), act())
    assert answer.body == again.body
    return answer
