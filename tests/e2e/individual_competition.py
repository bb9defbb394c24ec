"""The competition of individuals in one season: two levels online and the grand final, played by cadets.

Whoever plays enters, reports and confirms under the own account or token; one of them is a veteran as well.
"""

from datetime import date
from typing import Any

from deploy.demo.cast import CastPlayer
from deploy.demo.client import Services, User
from deploy.demo.play import Captains, close, complete
from deploy.demo.preparation import Cup, director
from shared.rulesets.schema import Ruleset
from tests.e2e.acting import FIRST, SECOND, Said, TableTogether, becomes_known, own_entries, play_round, refused

RULES, SERIES, SWISS = "pisqworky-2025-individual", "pisqworky-2025", "swiss"
ROUNDS = 2
PLAYERS = ("Alena Malá", "Bořek Nový", "Ctirad Hora", "Dita Veselá", "Eda Krátký", "Fanda Ztracený")
STAYS_AWAY = "Fanda Ztracený"
ONLINE, FINAL, NOT_THE_FINAL = ("2025-10-11", "2025-11-08"), "2025-11-29", "2025-11-30"
BORN, OLDER = "2008-05-17", "1990-01-01"
FEE: Said = {"amount": 70, "currency": "CZK"}
CONSENTS = ("data-processing", "rules", "photos")


class IndividualCompetition:
    def __init__(self, network: Services, today: date) -> None:
        self.network, self.today, self.said = network, today, list[str]()
        self.director: User = director(network)
        self.levels: list[str] = []
        self.entrants: dict[str, dict[str, str]] = {}  # by the level, and by the name
        self.persons: dict[str, str] = {}

    async def play(self) -> None:
        await self.levels_of_both_categories_are_announced()
        await self.everybody_enters_for_themselves()
        await self.one_fee_is_for_all_levels()
        await self.who_cannot_come_says_so()
        for level in self.levels:
            await self.played_by_swiss(level)

    async def levels_of_both_categories_are_announced(self) -> None:
        """1.2.1, 1.2.2: the final has its day, levels online have none."""
        founded = await self.director.act("registration", "/v1/federations", {"name": "Student Cyber Games"})
        self.federation: str = founded.body["id"]
        home = {"kind": "school", "name": "SPŠ Brno", "types": ["vocational"]}
        path = f"/v1/federations/{self.federation}/homes"
        self.school: str = (await self.director.act("registration", path, home)).body["id"]
        await refused(self.announce(NOT_THE_FINAL, "grand-final"), "outside-window", "PQ.REG-18")
        self.levels = [await self.announce(day, "online-level") for day in ONLINE]
        self.levels.append(await self.announce(FINAL, "grand-final"))
        self.veterans = await self.announce(ONLINE[0], "online-level", category="veterans")

    async def announce(self, day: str, competition: str, category: str = "cadets") -> str:
        plan: Said = {
            "federation": self.federation,
            "name": f"Jednotlivci {day}",
            "ruleset": RULES,
            "series": SERIES,
            "time_zone": "Europe/Prague",
            "starts_on": day,
            "first_round": "09:00",
            "competition": competition,
            "entry": {"category": category},
            "options": {"pairing.rounds": ROUNDS},
            "reason": {"code": "season-of-the-clause"},  # its days are over
        }
        announced = (await self.director.act("registration", "/v1/tournaments", plan)).body["id"]
        await self.director.act("registration", f"/v1/tournaments/{announced}/open")
        return announced

    def player(self, name: str) -> User:
        return self.network.person(f"cadet-{PLAYERS.index(name)}-{self.federation}")

    async def enter(self, name: str, level: str, **said: object) -> str:
        body: Said = {"person": self.persons[name], "consents": CONSENTS} | said
        entered = await self.player(name).act("registration", f"/v1/tournaments/{level}/entrants", body)
        return entered.body["id"]

    async def everybody_enters_for_themselves(self) -> None:
        for name in PLAYERS:
            self.persons[name] = await becomes_known(self.player(name), self.federation, name, born=BORN)
        cadet: Said = {"school": self.school, "declared": ["grade-6-or-higher"]}
        for level in self.levels:
            self.entrants[level] = {name: await self.enter(name, level, **cadet) for name in PLAYERS}
        again = await self.enter(PLAYERS[0], self.levels[0], **cadet)
        assert again == self.entrants[self.levels[0]][PLAYERS[0]]
        self.entrants[self.veterans] = {PLAYERS[0]: await self.enter(PLAYERS[0], self.veterans)}
        older = self.network.person(f"older-{self.federation}")
        person = await becomes_known(older, self.federation, "Gustav Starší", born=OLDER)
        body: Said = {"person": person, "consents": CONSENTS}
        too_old = older.act("registration", f"/v1/tournaments/{self.veterans}/entrants", body)
        await refused(too_old, "not-eligible", "PQ.REG-15")
        of_alena = f"/v1/tournaments/{self.levels[0]}/entrants/{self.entrants[self.levels[0]][PLAYERS[0]]}"
        await refused(self.player(PLAYERS[1]).act("registration", f"{of_alena}/withdraw", {}), "not-permitted")
        await refused(self.player(PLAYERS[1]).look("registration", f"{of_alena}/entry"), "not-permitted")

    async def one_fee_is_for_all_levels(self) -> None:
        """1.2.7: of a person, for both categories."""
        for number, name in enumerate(PLAYERS):
            path = f"/v1/tournaments/{self.levels[0]}/entrants/{self.entrants[self.levels[0]][name]}/payments"
            await self.director.act("registration", path, {**FEE, "on": "2025-10-01", "reference": f"VS-{number}"})
        own = await own_entries(self.player(PLAYERS[0]))
        assert {one["tournament"] for one in own.values()} == {*self.levels, self.veterans}
        assert {one["capacity"] for one in own.values()} == {"player"}
        for one in own.values():
            assert one["entry"]["due"] == []
            settled = [] if one["tournament"] == self.levels[0] else [self.levels[0]]
            assert one["entry"]["settled_in"] == settled

    async def who_cannot_come_says_so(self) -> None:
        """1.2.6."""
        for level in self.levels:
            path = f"/v1/tournaments/{level}/entrants/{self.entrants[level].pop(STAYS_AWAY)}"
            gone = await self.player(STAYS_AWAY).act("registration", f"{path}/withdraw", {"reason": {"code": "ill"}})
            assert gone.body["status"] == "withdrawn"
            history = (await self.director.look("registration", f"{path}/history"))["items"]
            assert (history[-1]["capacity"], history[-1]["why"]) == ("player", "ill")

    async def played_by_swiss(self, level: str) -> None:
        """1.2.3, 1.2.4, 1.2.5: five play, so that one sits out in each round and gets all points."""
        path = f"/v1/tournaments/{level}"
        await self.director.act("registration", f"{path}/open-check-in")
        await self.director.act("registration", f"{path}/check-in", {})
        started = await self.director.act("registration", f"{path}/start")
        names = {entrant: name for name, entrant in self.entrants[level].items()}
        cup = Cup(
            id=level,
            ruleset=Ruleset.model_validate(await self.director.look("registration", f"/v1/rulesets/{RULES}")),
            players={one: CastPlayer(name=name, rating=0) for one, name in names.items()},
            persons={one: [self.persons[name]] for one, name in names.items()},
            started=started.position,
        )
        captains = Captains(network=self.network, cup=cup)
        table: Any = None
        for number in range(1, ROUNDS + 1):
            table = await play_round(
                self.network, cup, SWISS, number, self.both_agree, captains=captains, after=started.position
            )
        byes = [await self.sits_out(cup, number) for number in range(1, ROUNDS + 1)]
        assert len({*byes}) == ROUNDS
        await close(self.director, cup.of(SWISS))
        done = await complete(self.director, cup.path)
        self.said.append("The tournament is completed.")
        final = await self.network.anybody().look("standings", f"{cup.path}/final", after=done)
        assert [row["entrant"] for row in final["standings"]] == [row["entrant"] for row in table["standings"]]
        points = [row["values"]["points"] for row in final["standings"]]
        assert (points, sum(points)) == (sorted(points, reverse=True), 2 * 3 * ROUNDS)
        assert {row["name"] for row in final["standings"]} == {initial(name) for name in PLAYERS if name != STAYS_AWAY}

    async def both_agree(self, table: TableTogether) -> None:
        """2.5: both tell the result together; who comes first in the alphabet wins."""
        terms = (await table.sheet())["terms"]
        assert ([one["minutes"] for one in terms["clocks"]], terms["opening"]) == ([8, 8], "swap2")
        best = FIRST if table.names[FIRST] < table.names[SECOND] else SECOND
        told = await table.report(FIRST, {"boards": [[best, "draw"]]})
        assert told.body["status"] == "reported"
        await refused(table.confirm(FIRST, told), "own-report")
        sheet = await table.confirm(SECOND, told)
        assert sheet.body["result"]["scores"] == ([3, 1] if best == FIRST else [1, 3])

    async def sits_out(self, cup: Cup, number: int) -> str:
        shown = await self.network.anybody().look("pairing", f"{cup.of(SWISS)}/rounds/{number}")
        return shown["byes"][0]["entrant"]


def initial(name: str) -> str:
    first, family = name.split(" ")
    return f"{first} {family[0]}."
