"""Scrabble players who act for themselves: they sign in, enter, pay, and say at their own tables how it ended."""

import asyncio
import csv
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from http import HTTPStatus
from typing import Any

import pytest

from deploy.demo.client import Reply, RequestRefused, Services, User
from deploy.demo.play import close, complete, complete_table, publish_next, round_is_over
from shared.ids import new_id
from shared.values import Value
from tests.e2e.record import Record, ids, rows

PAUSE = 0.05

type Said = dict[str, Any]
type Pair = Mapping[str, Any]
type Seats = Sequence["ScrabblePlayer"]
type AtTable = Callable[["OwnTable"], Awaitable[None]]


async def refusal(act: Awaitable[object]) -> RequestRefused:
    """What somebody is told who may not do it."""
    with pytest.raises(RequestRefused) as refused:
        await act
    return refused.value


async def text(who: User, service: str, path: str) -> str:
    headers = {"Authorization": f"Bearer {who.token}"} if who.token else {}
    answer = await who.network.client.get(f"{who.network.urls[service]}{path}", headers=headers)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return answer.content.decode("utf-8-sig")


async def lines(who: User, service: str, path: str) -> list[dict[str, str]]:
    """A paper as a spreadsheet has it."""
    return list(csv.DictReader((await text(who, service, path)).splitlines()))


class ScrabblePlayer(Value):
    """Somebody whom the federation knows, and their own account."""

    name: str
    rating: int | None
    user: User
    person: str

    async def enter(self, tournament: str, **said: Any) -> str:
        path = f"/v1/tournaments/{tournament}/entrants"
        return (await self.user.act("registration", path, {"person": self.person} | said)).body["id"]

    async def entry(self, tournament: str) -> Any:
        """As they find it among their own."""
        found = (await self.user.look("registration", "/v1/me/entries"))["items"]
        return next(one for one in found if one["tournament"] == tournament)

    async def due(self, tournament: str) -> Any:
        return [one["amount"] for one in (await self.entry(tournament))["entry"]["due"]]


async def join(network: Services, federation: str, name: str, rating: int | None) -> ScrabblePlayer:
    """Somebody signs in and says who they are."""
    user = network.person(new_id().hex)
    known = await user.act("registration", f"/v1/federations/{federation}/me", {"name": name})
    return ScrabblePlayer(name=name, rating=rating, user=user, person=known.body["person"])


@dataclass(kw_only=True)
class OwnTournament:
    """One that is announced, and then played at its tables."""

    network: Services
    id: str
    official: User  # who publishes its rounds
    players: dict[str, ScrabblePlayer] = field(default_factory=dict[str, ScrabblePlayer])  # by entrant
    captains: dict[str, User] = field(default_factory=dict[str, User])  # their tokens for the tables, too
    known: str | None = None  # what the next pairing rests on
    record: Record = field(default_factory=Record)

    @property
    def path(self) -> str:
        return f"/v1/tournaments/{self.id}"

    @property
    def stage(self) -> str:
        return f"{self.path}/stages/swiss"

    def entrant(self, player: ScrabblePlayer) -> str:
        return next(entrant for entrant, one in self.players.items() if one == player)

    def of(self, player: ScrabblePlayer, what: str = "") -> str:
        return f"{self.path}/entrants/{self.entrant(player)}{what}"

    async def act(self, what: str, body: object = None) -> Reply:
        return await self.official.act("registration", f"{self.path}/{what}", body)

    async def look(self, what: str = "", *, by: User | None = None) -> Any:
        return await (by or self.network.anybody()).look("registration", f"{self.path}{what}")

    async def enter(self, player: ScrabblePlayer, **said: Any) -> None:
        self.players[await player.enter(self.id, **said)] = player

    async def public(self, what: str) -> Mapping[str, Any]:
        """What everybody sees of each in the list of entrants, by name."""
        shown = (await self.look("/entrants"))["items"]
        return {one["persons"][0]["name"]: one[what] for one in shown}

    async def pay(self, player: ScrabblePlayer, today: date) -> None:
        """The office notes what came from them."""
        for due in (await player.entry(self.id))["entry"]["due"]:
            paid = due | {"on": today.isoformat(), "reference": f"VS-{self.entrant(player)[-8:]}"}
            await self.official.act("registration", self.of(player, "/payments"), paid)

    async def start(self) -> None:
        """Everybody who plays gets what they need to speak at their tables."""
        self.known = (await self.act("start")).position
        shown = (await self.look("/entrants"))["items"]
        playing = [one["id"] for one in shown if one["status"] == "playing"]
        self.record.entrants = playing
        for entrant in playing:
            issued = await self.act(f"entrants/{entrant}/captain/token")
            self.captains[entrant] = User(network=self.network, token=issued.body["token"])
            self.known = issued.position

    async def play(self, number: int, at_table: AtTable) -> Any:
        """A round, from its publication to the table after it."""
        published = await publish_next(self.official, self.stage, number, after=self.known)
        self.record.rounds[number] = published.body
        tables = [OwnTable(cup=self, pair=pair, published=published.position) for pair in published.body["pairs"]]
        await asyncio.gather(*(self._sit(table, at_table) for table in tables))
        await round_is_over(self.network.anybody(), self.stage, number)
        return await complete_table(self.network.anybody(), self.stage, number, after=published.position)

    async def _sit(self, table: "OwnTable", at_table: AtTable) -> None:
        await self.network.anybody().look("results", table.game, after=table.published)
        await self.network.anybody().look("results", table.game, after=self.known)
        await at_table(table)
        result = (await table.sheet())["result"]
        self.record.results[table.pair["game"]] = tuple(result["scores"])

    async def finish(self) -> list[str]:
        """The names of the final ranking, best first."""
        closed = await close(self.official, self.stage)
        await self.official.look("registration", self.path, after=closed)
        self.known = await complete(self.official, self.path)
        final = (await self.network.anybody().look("standings", f"{self.path}/final", after=self.known))["standings"]
        assert [row["place"] for row in final] == [*range(1, len(final) + 1)]
        return [self.players[row["entrant"]].name for row in final]

    async def table(self) -> Any:
        """Of the stage, once all of it is known."""
        path = f"{self.stage}/standings"
        return rows((await self.network.anybody().look("standings", path, after=self.known))["standings"])

    async def games(self) -> list[tuple[int, Any]]:
        """All that have a result, round by round, as everybody sees them."""
        listed = (await self.network.anybody().look("pairing", f"{self.stage}/rounds"))["rounds"]
        numbers = [one["round"] for one in listed if one["status"] == "completed"]
        found = [
            await self.network.anybody().look("results", f"{self.stage}/rounds/{number}/games") for number in numbers
        ]
        return [(number, sheet) for number, of_round in zip(numbers, found, strict=True) for sheet in of_round["items"]]

    async def met(self, number: int) -> set[frozenset[str]]:
        return {
            frozenset(self.players[one].name for one in ids(pair["seats"]))
            for pair in self.record.rounds[number]["pairs"]
        }


class OwnTable(Value):
    """Two at a table, and what each of them may say there."""

    cup: OwnTournament
    pair: Pair
    published: str | None

    @property
    def game(self) -> str:
        return f"/v1/games/{self.pair['game']}"

    @property
    def seats(self) -> Seats:
        return [self.cup.players[one] for one in ids(self.pair["seats"])]

    def seat(self, name: str) -> int | None:
        return next((seat for seat, one in enumerate(self.seats) if one.name == name), None)

    def speaker(self, seat: int) -> User:
        return self.cup.captains[self.cup.entrant(self.seats[seat])]

    async def sheet(self) -> Any:
        return await self.cup.network.anybody().look("results", self.game)

    async def report(self, seat: int, **said: Any) -> Any:
        return (await self.speaker(seat).act("results", f"{self.game}/reports", said)).body

    async def confirm(self, who: User, report: int = 1) -> Any:
        return (await who.act("results", f"{self.game}/confirm", {"report": report})).body

    async def decide(self, who: User, what: str = "decide", **said: Any) -> Any:
        return (await who.act("results", f"{self.game}/{what}", {"reason": "As the rules say."} | said)).body

    async def agree(self, **said: Any) -> Any:
        """One side says how it ended, and the other confirms it."""
        reported = await self.report(0, **said)
        assert (reported["status"], reported["result"]) == ("reported", None)
        confirmed = await self.confirm(self.speaker(1))
        assert confirmed["status"] == "final"
        return confirmed["result"]
