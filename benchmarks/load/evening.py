"""The script of an evening: halls that play the same number of rounds within the same minutes, each at its own pace.

Two scorers enter each sheet; of some they read something else, which the arbiter decides, and some results turn out to be
wrong later. Players look where they play, and at the table when they have played.
"""

import asyncio
import random
import time
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.load.checker import Acknowledged, Kept, Scores
from deploy.demo.cast import PLAYERS, RULESET
from deploy.demo.client import Reply, Services, User
from deploy.demo.play import decide, publish_next, report
from deploy.tokens import OPERATOR
from shared.values import Value

STAGE = "swiss"
DISPUTED, CORRECTED = 0.05, 0.02  # of all games
MISREAD = 10
ON = "2099-03-14"
PREPARED_AT_ONCE = 8
GLANCE = 0.5  # seconds between two looks whether a round is over
# Parts of the time of a round: it is published, read, played, and the last sheets and decisions come in.
STARTS, READ, PLAYED, SECOND, DECIDED = (0.0, 0.08), (0.0, 0.15), (0.2, 0.7), (0.01, 0.06), (0.01, 0.06)


class Evening(Value):
    halls: int
    players: int  # of each hall
    rounds: int
    minutes: float
    spectators: int
    seed: int

    @property
    def slot(self) -> float:
        """Seconds of a round."""
        return 60 * self.minutes / self.rounds


class Shown(Value):
    """A result that changes the table, which the board of the hall has to show."""

    number: int  # up to which results has told its neighbours then
    asked: float
    answered: float


@dataclass
class Hall:
    number: int
    network: Services
    evening: Evening
    chance: random.Random
    tournament: str = ""
    known: str | None = None  # the position that the next pairing has to rest on
    kept: Kept = field(default_factory=Kept)
    shown: list[Shown] = field(default_factory=list[Shown])

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.tournament}"

    @property
    def stage(self) -> str:
        return f"{self.path}/stages/{STAGE}"

    def person(self, office: str) -> User:
        return self.network.person(self.subject(office))

    def subject(self, office: str) -> str:
        return f"{office}-{self.number}"

    async def prepare(self, federation: str) -> None:
        roles = {"director": "director", "arbiter": "arbiter", "scorer-a": "scorer", "scorer-b": "scorer"}
        plan = {
            "federation": federation,
            "name": f"League, hall {self.number}",
            "ruleset": RULESET,
            "options": {"pairing.rounds": self.evening.rounds},
            "time_zone": "Europe/Bratislava",
            "starts_on": ON,
            "open": True,
            "officials": [{"subject": self.subject(office), "role": role} for office, role in roles.items()],
        }
        announced = await self.network.person(OPERATOR).act("registration", "/v1/tournaments", plan)
        self.tournament = self.kept.tournament = announced.body["id"]
        field = [
            {"person": {"name": player.name}, "rating": player.rating} for player in PLAYERS[: self.evening.players]
        ]
        director = self.person("director")
        entered = await director.act("registration", f"{self.path}/entrants/import", {"entrants": field})
        self.kept.entrants += [one["id"] for one in entered.body["entrants"]]
        opened = await director.act("registration", f"{self.path}/open-check-in")
        await director.act("registration", f"{self.path}/check-in", {})
        if source := opened.body["lot_source"]:
            dice = " ".join(str(self.chance.randint(1, 6)) for _ in range(int(source.removeprefix("dice "))))
            await director.act("registration", f"{self.path}/open-lots", {"value": dice})
        self.known = (await director.act("registration", f"{self.path}/start")).position

    async def play(self, began: float) -> None:
        for number in range(1, self.evening.rounds + 1):
            await until(began + (number - 1) * self.evening.slot)
            await self._play_round(number)

    async def _play_round(self, number: int) -> None:
        began = time.monotonic()
        await self._pause(STARTS)
        published = await publish_next(self.person("director"), self.stage, number, after=self.known)
        self.kept.rounds[number] = published.body
        round_ = f"{self.stage}/rounds/{number}"
        async with asyncio.TaskGroup() as group:
            for _ in range(self.evening.players):
                group.create_task(self._look("pairing", round_, READ))
            for pair in published.body["pairs"]:
                over = began + self.evening.slot * self.chance.uniform(*PLAYED)
                group.create_task(self._play_table(pair, over, published.position))
        while (await self.network.anybody().look("pairing", round_))["status"] != "completed":  # noqa: ASYNC110 - no bell rings for it
            await asyncio.sleep(GLANCE)

    async def _play_table(self, pair: Mapping[str, Any], over: float, published: str | None) -> None:
        game = pair["game"]
        scores: Scores = (self.chance.randint(250, 340), self.chance.randint(341, 450))
        scores = scores if self.chance.random() < 1 / 2 else (scores[1], scores[0])
        is_disputed, is_corrected = self.chance.random() < DISPUTED, self.chance.random() < CORRECTED
        first, second = self.chance.sample(("scorer-a", "scorer-b"), 2)
        await until(over)
        await self._report(first, game, scores, published)
        await self._pause(SECOND)
        await self._report(second, game, (scores[0] + MISREAD, scores[1]) if is_disputed else scores, published)
        if is_disputed:
            await self._pause(DECIDED)
            await self._ruled("ResultDecided", game, scores, decide(self.person("arbiter"), game, {"scores": scores}))
        self.kept.results[game] = scores
        if is_corrected:
            await self._pause(DECIDED)
            right: Scores = (scores[1], scores[0])
            correction = {"end": "played", "scores": right, "reason": "The sides of the sheet were mixed up."}
            act = self.person("arbiter").act("results", f"/v1/games/{game}/correct", correction)
            await self._ruled("ResultCorrected", game, right, act)
            self.kept.results[game] = right
        for _ in pair["seats"]:
            await self._look("standings", f"{self.stage}/standings", (0.0, 0.02))

    async def _report(self, scorer: str, game: str, scores: Scores, published: str | None) -> None:
        asked = time.monotonic()
        answer = await report(self.person(scorer), game, {"scores": scores}, after=published)
        self._keep("ResultReported", game, self.subject(scorer), scores, answer)
        if answer.body["status"] == "final":
            self._show(asked, answer)

    async def _ruled(self, kind: str, game: str, scores: Scores, act: Coroutine[Any, Any, Reply]) -> None:
        asked = time.monotonic()
        answer = await act
        self._keep(kind, game, "", scores, answer)
        self._show(asked, answer)

    def _keep(self, kind: str, game: str, by: str, scores: Scores, answer: Reply) -> None:
        said = Acknowledged(kind=kind, game=game, by=by, scores=scores, position=position_of(answer))
        self.kept.acknowledged.append(said)
        self.known = answer.position

    def _show(self, asked: float, answer: Reply) -> None:
        number = int((answer.position or "").rpartition("/")[2])
        self.shown.append(Shown(number=number, asked=asked, answered=time.monotonic()))

    async def _look(self, service: str, path: str, when: tuple[float, float]) -> None:
        await self._pause(when)
        await self.network.anybody().look(service, path)

    async def _pause(self, part: tuple[float, float]) -> None:
        await asyncio.sleep(self.evening.slot * self.chance.uniform(*part))


def position_of(answer: Reply) -> int:
    """In the log of the service that has answered."""
    return int((answer.position or "").partition(":")[2].partition("/")[0])


async def until(moment: float) -> None:
    await asyncio.sleep(max(0.0, moment - time.monotonic()))


async def prepared(evening: Evening, networks: Sequence[Services]) -> Sequence[Hall]:
    """One federation, and a tournament of its own for each hall, all started."""
    founded = await networks[0].person(OPERATOR).act("registration", "/v1/federations", {"name": "National League"})
    places = asyncio.Semaphore(PREPARED_AT_ONCE)
    halls = [
        Hall(number=number, network=network, evening=evening, chance=random.Random(f"{evening.seed} {number}"))
        for number, network in enumerate(networks, start=1)
    ]

    async def prepare(hall: Hall) -> None:
        async with places:
            await hall.prepare(founded.body["id"])

    async with asyncio.TaskGroup() as group:
        for hall in halls:
            group.create_task(prepare(hall))
    return halls
