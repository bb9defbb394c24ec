"""A season of Scrabble: ratings, two qualifying tournaments, a contest, the championship, and its end."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from http import HTTPStatus
from typing import Any

from deploy.demo.cast import PLAYERS
from deploy.demo.client import Services, User
from deploy.demo.preparation import AHEAD, Cup, announce, director, enter, found_federation, rules_of, start
from services.standings.seasons.calculate import SeasonStandings, summed
from tests.e2e.school_season import coming, play_cup
from tests.e2e.written_down import rounds

RULES = "scrabble-sk-2022"
FIELD = 4
PLAYED = {"games": 60, "online_games": 12}

type Said = dict[str, Any]


class ScrabbleSeason:
    """Six people: four play at the table, four online, the champion only once."""

    def __init__(self, network: Services, today: date) -> None:
        self.network, self.today, self.said = network, today, list[str]()
        self.director: User = director(network)
        self.people: dict[str, str] = {}  # by name
        self.first: dict[str, Said] = {}  # as the season begins
        self.cups: dict[str, Cup] = {}  # by the kind as which they count

    async def play(self) -> None:
        federation = await found_federation(self.director)
        opened = await self.director.act(
            "registration", f"/v1/federations/{federation}/seasons", {"name": "2026", "rules": RULES}
        )
        self.season = opened.body["id"]
        await self.register(federation)
        await self.bring_in_ratings()
        listed = await self.decide("/ratings/publish")
        players = list(self.people)
        await self.hold("live", "scrabble-sk-2022-qt", federation, players[:4], after=listed)
        await self.hold("online", "scrabble-sk-2022-online", federation, [*players[:2], *players[4:]], after=listed)
        await self.bring_in_contest(players)
        await self.decide("/champion", {"person": self.people[players[5]]})
        await self.decide("/field", {"field": FIELD})
        await self.championship(federation)
        await self.decide("/close")

    async def register(self, federation: str) -> None:
        for player in PLAYERS[:6]:
            known = {"federation": federation, "name": player.name}
            person = (await self.director.act("registration", "/v1/persons", known)).body["id"]
            self.people[player.name] = person
            self.first[person] = {"rating": player.rating, "online_rating": player.rating - 100} | PLAYED

    async def bring_in_ratings(self) -> None:
        columns = ("rating", "online_rating", "games", "online_games")
        lines = [",".join(map(str, (person, *(said[one] for one in columns)))) for person, said in self.first.items()]
        await self.send("/ratings/import", ["person," + ",".join(columns), *lines])

    async def bring_in_contest(self, players: Sequence[str]) -> None:
        lines = [f"ps,written,{self.today},{self.people[name]},{place}" for place, name in enumerate(players[3:], 1)]
        await self.send("/contests/import", ["contest,kind,on,person,place", *lines])

    async def send(self, path: str, lines: Sequence[str]) -> None:
        """Until standings knows the season and the people in it."""
        url = f"{self.network.urls['standings']}/v1/seasons/{self.season}{path}"
        headers = {"Authorization": f"Bearer {self.director.token}", "Content-Type": "text/csv"}
        content = "\r\n".join(lines).encode()
        while (await self.network.client.post(url, content=content, headers=headers)).status_code != HTTPStatus.OK:
            await asyncio.sleep(0.1)

    async def decide(self, path: str, body: object = None) -> str | None:
        return (await self.director.act("standings", f"/v1/seasons/{self.season}{path}", body)).position

    async def hold(self, kind: str, rules: str, federation: str, players: Sequence[str], *, after: str | None) -> None:
        ruleset = await rules_of(self.director, rules)
        said = {"federation": federation, "season": self.season, "season_kind": kind}
        tournament = await announce(self.director, ruleset, self.today + AHEAD, said)
        await self.director.look("registration", f"/v1/tournaments/{tournament}", after=after)
        declared = [one.declares for one in ruleset.entry.conditions if one.declares is not None]
        several = [{"person": {"id": self.people[name]}, "declared": declared} for name in players]
        entered = await enter(self.director, tournament, ruleset, several, self.today)
        by_name = {player.name: player for player in PLAYERS}
        by_id = {one["id"]: by_name[name] for one, name in zip(entered, players, strict=True)}
        self.cups[kind] = await start(self.director, tournament, ruleset, by_id)
        await play_cup(self.network, self.cups[kind], self.said)

    async def championship(self, federation: str) -> None:
        """One of those who have qualified declines, the first of the reserves comes."""
        ruleset = await rules_of(self.director, "scrabble-sk-2022-ms")
        said = {
            "federation": federation,
            "season": self.season,
            "competition": "championship",
            "entry": {"most": FIELD},
        }
        tournament = await announce(self.director, ruleset, self.today + AHEAD + timedelta(days=7), said)
        leads = f"/v1/federations/{federation}/seasons/{self.season}/next-level"
        await self.director.act("registration", leads, {"tournament": tournament})
        await self.decide("/qualification/publish")
        table = await self.table()
        through = [row["name"] for row in table["qualification"] if row["qualified"]]
        champion = next(row["name"] for row in table["qualification"] if row["champion"])
        leaves, called = next(name for name in through if name != champion), table["reserves"][0]["name"]
        path = f"/v1/tournaments/{tournament}"
        entered = await coming(self.director, path, until={*through})
        await self.director.act("registration", f"{path}/entrants/{entered[leaves]}/withdraw", {})
        entered = await coming(self.director, path, until={*through} - {leaves} | {called})
        for entrant in entered.values():
            await self.director.act("registration", f"{path}/entrants/{entrant}/confirm")
        by_name = {player.name: player for player in PLAYERS}
        by_id = {entrant: by_name[name] for name, entrant in entered.items()}
        self.cups["championship"] = await start(self.director, tournament, ruleset, by_id)
        await play_cup(self.network, self.cups["championship"], self.said)

    async def table(self) -> Any:
        return await self.network.anybody().look("standings", f"/v1/seasons/{self.season}")

    async def ratings(self) -> Any:
        return await self.network.anybody().look("standings", f"/v1/seasons/{self.season}/ratings")

    async def written_down(self, players: Sequence[str]) -> SeasonStandings:
        """What the calculator makes of what was played."""
        contest: Said = {
            "id": "ps",
            "kind": "written",
            "places": [{"player": self.people[name], "place": place} for place, name in enumerate(players[3:], 1)],
        }
        champion = self.people[players[5]]
        return summed(
            {
                "season": RULES,
                "players": [{"id": one, "champion": one == champion} | said for one, said in self.first.items()],
                "tournaments": [contest, *[await self.of_cup(kind, cup) for kind, cup in self.cups.items()]],
                "field": FIELD,
            }
        )

    async def of_cup(self, kind: str, cup: Cup) -> Mapping[str, Any]:
        person = {entrant: persons[0] for entrant, persons in cup.persons.items()}
        final = (await self.network.anybody().look("standings", f"{cup.path}/final"))["standings"]
        games = [game for one in await rounds(self.director, cup, "swiss") for game in one["games"]]
        return {
            "id": cup.id,
            "kind": kind,
            "places": [{"player": person[row["entrant"]], "place": row["place"]} for row in final],
            "games": [{"players": [person[seat] for seat in one["seats"]], "points": won(one)} for one in games],
        }


def won(game: Mapping[str, Any]) -> list[float]:
    one, other = game["scores"]
    return [0.5, 0.5] if one == other else [int(one > other), int(other > one)]
