"""People who act for themselves: who they are, what they are refused, and a round that those at the tables report."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import pytest

from deploy.demo.client import Reply, RequestRefused, Services, User
from deploy.demo.play import GLANCE, Captains, complete_table, publish_next, round_is_over
from deploy.demo.preparation import Cup, director
from shared.values import Value
from tests.patience import PATIENCE

type Said = dict[str, Any]

FIRST, SECOND = 0, 1


async def refused(asked: Awaitable[object], kind: str, saying: str = "") -> None:
    """That the answer is no, of this kind, and says this."""
    with pytest.raises(RequestRefused) as caught:
        await asked
    assert caught.value.type == kind, caught.value
    assert saying in str(caught.value), caught.value


async def becomes_known(user: User, federation: str, name: str, **particulars: str) -> str:
    """Answers the id of the person."""
    body: Said = {"name": name} | ({"particulars": particulars} if particulars else {})
    return (await user.act("registration", f"/v1/federations/{federation}/me", body)).body["person"]


async def own_entries(user: User, after: str | None = None) -> Mapping[str, Said]:
    """By the tournament."""
    listed = await user.look("registration", "/v1/me/entries", after=after)
    return {f"{one['tournament']} {one['entry']['entrant']['id']}": one for one in listed["items"]}


async def paper(user: User, service: str, path: str) -> Sequence[str]:
    """A file, line by line."""
    headers = {"Authorization": f"Bearer {user.token}"} if user.token else {}
    answer = await user.network.client.get(f"{user.network.urls[service]}{path}", headers=headers)
    return answer.raise_for_status().content.decode("utf-8-sig").splitlines()


async def until_found[Found](look: Callable[[], Awaitable[Found | None]]) -> Found:
    """What neighbours tell each other arrives a moment later."""
    async with asyncio.timeout(PATIENCE):
        while (found := await look()) is None:
            await asyncio.sleep(GLANCE)
    return found


class TableTogether(Value):
    """A table at which both sides report and confirm, each with the own token."""

    network: Services
    cup: Cup
    captains: Captains
    pair: Mapping[str, Any]
    published: str | None

    @property
    def game(self) -> str:
        return f"/v1/games/{self.pair['game']}"

    @property
    def seats(self) -> Sequence[str]:
        return [seat["entrant"] for seat in self.pair["seats"]]

    @property
    def names(self) -> Sequence[str]:
        return [self.cup.players[seat].name for seat in self.seats]

    async def sheet(self) -> Any:
        return await self.network.anybody().look("results", self.game, after=self.published)

    async def captain(self, seat: int) -> User:
        return await self.captains.of(self.seats[seat], self.pair["game"])

    async def line_up(self, seat: int, persons: Sequence[str | None] | None = None) -> Reply:
        entrant = self.seats[seat]
        body = {"entrant": entrant, "persons": persons or self.cup.persons[entrant]}
        return await (await self.captain(seat)).act("results", f"{self.game}/line-up", body)

    async def report(self, seat: int, said: Mapping[str, Any]) -> Reply:
        return await (await self.captain(seat)).act("results", f"{self.game}/reports", {"end": "played", **said})

    async def confirm(self, seat: int, reported: Reply) -> Reply:
        (number,) = [one["number"] for one in reported.body["reports"]]
        return await (await self.captain(seat)).act("results", f"{self.game}/confirm", {"report": number})

    async def agree(self, said: Mapping[str, Any]) -> Said:
        """The first side reports, and as long as the other one has said nothing it is not final."""
        reported = await self.report(FIRST, said)
        assert reported.body["status"] == "reported"
        return (await self.confirm(SECOND, reported)).body


type AtTable = Callable[[TableTogether], Awaitable[None]]


async def play_round(
    network: Services, cup: Cup, stage: str, number: int, at_table: AtTable, *, captains: Captains, after: str | None
) -> Any:
    """Answers the table after it."""
    path = cup.of(stage)
    published = await publish_next(director(network), path, number, after=after)
    tables = [
        TableTogether(network=network, cup=cup, captains=captains, pair=pair, published=published.position)
        for pair in published.body["pairs"]
    ]
    await asyncio.gather(*(one.sheet() for one in tables[:1]))
    await asyncio.gather(*(at_table(one) for one in tables))
    await round_is_over(network.anybody(), path, number)
    return await complete_table(network.anybody(), path, number, after=published.position)
