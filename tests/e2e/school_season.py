"""A season of school teams: three area tournaments, a regional one and a grand final, played by captains."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from deploy.demo.cast import PLAYERS, CastPlayer
from deploy.demo.client import Services, User
from deploy.demo.play import Demo
from deploy.demo.preparation import (
    AHEAD,
    Cup,
    announce,
    director,
    enter,
    entries,
    found_federation,
    found_schools,
    rules_of,
    start,
)
from deploy.demo.story import DemoStory
from shared.rulesets.schema import Ruleset

AREAS, TEAMS = 3, 4
LEVELS = ("ot", "kt", "grf")
BY_NAME: Mapping[str, CastPlayer] = {player.name: player for player in PLAYERS}
ANSWERS = {"deadlines": [{"of": "confirmation", "days_before": 1}]}

type Said = dict[str, Any]


async def play_cup(network: Services, cup: Cup, said: list[str]) -> None:
    await Demo(network=network, say=said.append, cup=cup, pace=0, story=DemoStory()).play()


async def after_it(network: Services, cup: Cup, count: int) -> Sequence[str]:
    """Who goes on, and who is next in line, by the final ranking."""
    rows = (await network.anybody().look("standings", f"{cup.path}/final"))["standings"]
    return [cup.players[row["entrant"]].name for row in rows][:count]


class SchoolSeason:
    def __init__(self, network: Services, today: date) -> None:
        self.network, self.today, self.said = network, today, list[str]()
        self.director: User = director(network)

    async def play(self) -> None:
        areas, regional, final = [await rules_of(self.director, f"pisqworky-2025-ss-{level}") for level in LEVELS]
        federation = await found_federation(self.director)
        schools = await found_schools(self.director, federation, areas, AREAS * TEAMS)
        plan: Said = {"federation": federation, "series": "pisqworky-2025", "override": "demo", "host": schools[0]}
        last = await self.announce(final, plan, {"options": {"pairing.rounds": 2}, "entry": ANSWERS})
        middle = await self.announce(regional, plan, {"next_level": {"tournament": last}, "entry": ANSWERS}, advance=4)
        cups = [
            await self.area(areas, plan | {"next_level": {"tournament": middle}}, schools, number)
            for number in range(AREAS)
        ]
        await asyncio.gather(*(play_cup(self.network, cup, self.said) for cup in cups))
        best = [await after_it(self.network, cup, 3) for cup in cups]
        field = {name for two in best for name in two[:2]}
        cup = await self.next_level(regional, middle, expected=field, leaves=best[1][0], called=best[1][2])
        await play_cup(self.network, cup, self.said)
        through = await after_it(self.network, cup, 5)
        grand = await self.next_level(final, last, expected=set(through[:4]), leaves=through[2], called=through[4])
        numbers = [player.name for player in grand.players.values()]
        assert numbers == [through[0], through[1], through[3], through[4]], (
            "seeded by the place in the tournament before"
        )
        await play_cup(self.network, grand, self.said)

    async def announce(self, ruleset: Ruleset, plan: Said, more: Said, *, advance: int = 2) -> str:
        tournament = await announce(self.director, ruleset, self.today + AHEAD, plan | more)
        if ruleset.final.advance_rule_id:
            path = f"/v1/tournaments/{tournament}/announce-advance"
            await self.director.act("registration", path, {"advance": advance})
        return tournament

    async def area(self, ruleset: Ruleset, plan: Said, schools: Sequence[str], number: int) -> Cup:
        players = PLAYERS[number * TEAMS : (number + 1) * TEAMS]
        of_schools = schools[number * TEAMS // 2 :]
        tournament = await self.announce(ruleset, plan, {"host": of_schools[0]})
        entered = await enter(
            self.director, tournament, ruleset, list(entries(ruleset, players, of_schools)), self.today
        )
        by_id = {one["id"]: player for one, player in zip(entered, players, strict=True)}
        return await start(self.director, tournament, ruleset, by_id)

    async def next_level(
        self, ruleset: Ruleset, tournament: str, *, expected: Iterable[str], leaves: str, called: str
    ) -> Cup:
        """Somebody does not come, the next of the same tournament is called, and all confirm. Their fee was for all
        levels."""
        path = f"/v1/tournaments/{tournament}"
        placed = await coming(self.director, path, until={*expected})
        await self.director.act("registration", f"{path}/entrants/{placed[leaves]}/withdraw", {})
        placed = await coming(self.director, path, until={*expected} - {leaves} | {called})
        for entrant in placed.values():
            await self.director.act("registration", f"{path}/entrants/{entrant}/confirm")
        players = {entrant: BY_NAME[name] for name, entrant in placed.items()}
        return await start(self.director, tournament, ruleset, players)


async def coming(director: User, path: str, *, until: set[str]) -> Mapping[str, str]:
    """Who has a place by now, by name: standings tells registration who is qualified."""
    while True:
        listed = (await director.look("registration", f"{path}/entries"))["items"]
        placed = [one["entrant"] for one in listed if one["entrant"]["status"] == "entered"]
        found = {one["name"] or one["persons"][0]["name"]: one["id"] for one in placed}
        if found.keys() == until:
            return found
        await asyncio.sleep(0.1)
