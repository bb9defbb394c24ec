"""The story of the demo: a federation, 24 players, seven rounds, eight scorers at once, a table that is always right."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from deploy.demo.asking import Answer, Network, Person, Refused
from deploy.demo.cast import ARBITER, PLAYERS, RULESET, SCORERS
from deploy.tokens import OPERATOR

STAGE = "swiss"
REASON = {"code": "announcement"}  # the rest between two rounds is shorter than the rules want it
CONFLICTS = 0.1  # of all games two scorers read the sheet differently
GLANCE = 0.05  # seconds between two looks
LEAST, MOST = 180, 520  # points of one side

type Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Game:
    """What really happened at a table; a scorer may misread it."""

    id: str
    table: int
    seats: tuple[str, str]
    scores: tuple[int, int]


@dataclass(kw_only=True)
class Demo:
    network: Network
    say: Say
    today: date
    pace: float = 0.0  # seconds that a round is played
    seed: int = 2022
    tournament: str = ""
    ratings: dict[str, int] = field(default_factory=dict[str, int])
    names: dict[str, str] = field(default_factory=dict[str, str])

    async def play(self) -> None:
        await self.prepare()
        rounds = (await self.anybody.look("pairing", f"{self.stage}/rounds", after=self.started))["of"]
        for number in range(1, rounds + 1):
            await self.play_round(number)
        await self.finish()

    @property
    def director(self) -> Person:
        return self.network.person(OPERATOR)  # who founds a federation directs it

    @property
    def anybody(self) -> Person:
        return self.network.anybody()

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.tournament}"

    @property
    def stage(self) -> str:
        return f"{self.path}/stages/{STAGE}"

    async def prepare(self) -> None:
        """From nothing to a tournament that runs."""
        director = self.director
        founded = await director.act("registration", "/v1/federations", {"name": "Scrabble Demo Federation"})
        federation = founded.body["id"]
        for subject, role in ((ARBITER, "arbiter"), *((scorer, "scorer") for scorer in SCORERS)):
            office = {"subject": subject, "role": role}
            await director.act("registration", f"/v1/federations/{federation}/officials", office)
        announced = await director.act(
            "registration",
            "/v1/tournaments",
            {
                "federation": federation,
                "name": "Demo Cup",
                "ruleset": RULESET,
                "time_zone": "Europe/Bratislava",
                "starts_on": self.today.isoformat(),
            },
        )
        self.tournament = announced.body["id"]
        await self.fill(director)
        started = await director.act("registration", f"{self.path}/start")
        self.started = started.position
        self.say(f"The tournament has started with {len(PLAYERS)} players.")
        for name in self.places():
            self.say(f"  {name}")

    def places(self) -> list[str]:
        """Where to look while it is played."""
        standings, pairing, results = (self.network.urls[name] for name in ("standings", "pairing", "results"))
        return [
            f"the table    {standings}{self.stage}/standings",
            f"as it moves  curl -N {standings}{self.stage}/standings/live",
            f"the rounds   {pairing}{self.stage}/rounds/1",
            f"the games    {results}{self.stage}/rounds/1/games",
        ]

    async def fill(self, director: Person) -> None:
        await director.act("registration", f"{self.path}/open")
        entries = [{"person": {"name": name}, "rating": rating} for name, rating in PLAYERS.items()]
        entered = await director.act(
            "registration", f"{self.path}/entrants/import", {"entrants": entries, "decision": "other"}
        )
        for entrant, (name, rating) in zip(entered.body["entrants"], PLAYERS.items(), strict=True):
            self.names[entrant["id"]], self.ratings[entrant["id"]] = name, rating
        await director.act("registration", f"{self.path}/open-check-in")
        await director.act("registration", f"{self.path}/check-in", {})

    async def play_round(self, number: int) -> None:
        published = await self.pair(number)
        games = [self.happen(number, pair) for pair in published.body["pairs"]]
        self.say(f"Round {number}: {len(games)} games.")
        await asyncio.gather(*(self.record(game, published.position) for game in games))
        await self.wait_for_end(number)
        await self.show(number)

    async def pair(self, number: int) -> Answer:
        path = f"{self.stage}/rounds/{number}"
        director = self.director
        await director.act("pairing", f"{path}/draft", after=self.started)
        await director.act("pairing", f"{path}/confirm", {"reason": REASON})
        return await director.act("pairing", f"{path}/publish", {"reason": REASON})

    def happen(self, number: int, pair: dict[str, Any]) -> Game:
        """The stronger wins more often; the same seed plays the same tournament."""
        first, second = (player["entrant"] for player in pair["seats"])
        chance = random.Random(f"{self.seed}/{number}/{self.names[first]}/{self.names[second]}")  # noqa: S311 - a game
        lean = (self.ratings[first] - self.ratings[second]) / 8
        scores = tuple(
            min(MOST, max(LEAST, round(chance.gauss(350 + side * lean / 2, 45)))) for side in (1, -1)
        )
        return Game(id=pair["game"], table=pair["table"], seats=(first, second), scores=(scores[0], scores[1]))

    async def record(self, game: Game, published: str | None) -> None:
        """Two scorers report each game. Where they disagree, the arbiter looks at the sheet."""
        chance = random.Random(f"{self.seed}/{game.id}")  # noqa: S311 - a game
        await asyncio.sleep(self.pace * chance.uniform(0.2, 0.8))
        one, two = chance.sample(SCORERS, 2)
        misread = (game.scores[0] + 10, game.scores[1]) if chance.random() < CONFLICTS else game.scores
        await self.report(one, game, game.scores, published)
        await asyncio.sleep(self.pace * 0.2)
        sheet = await self.report(two, game, misread, published)
        if sheet.body["status"] == "disputed":
            decision = {"end": "played", "scores": list(game.scores), "reason": "Both sheets say so."}
            await self.network.person(ARBITER).act("results", f"/v1/games/{game.id}/decide", decision)
            self.say(f"  table {game.table}: two scorers disagreed, the arbiter has decided")

    async def report(self, scorer: str, game: Game, scores: tuple[int, int], published: str | None) -> Answer:
        said = {"end": "played", "scores": list(scores)}
        return await self.network.person(scorer).act("results", f"/v1/games/{game.id}/reports", said, after=published)

    async def wait_for_end(self, number: int) -> None:
        """Until pairing knows that the round is over."""
        while (await self.anybody.look("pairing", f"{self.stage}/rounds/{number}"))["status"] != "completed":
            await asyncio.sleep(GLANCE)

    async def show(self, number: int) -> None:
        table = await self.anybody.look("standings", f"{self.stage}/standings?round={number}")
        for row in table["standings"][:3]:
            self.say(f"  {row['place']}. {self.names[row['entrant']]}  {row['values']['points']}")

    async def finish(self) -> None:
        """Ties that wait for a lot get one; then the table is closed."""
        director = self.director
        standing = await director.look("standings", f"{self.stage}")
        for tie in standing["unresolved"]:
            await director.act("standings", f"{self.stage}/lots", {"entrants": tie["entrants"]})
        await director.act("standings", f"{self.stage}/close")
        await director.act("registration", f"{self.path}/review")
        await director.act("registration", f"{self.path}/complete")
        self.say("The tournament is completed.")
