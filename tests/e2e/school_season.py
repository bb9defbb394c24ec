"""The school competition of one season: three area tournaments, a regional one and a grand final of primary schools.

Schools enter their teams under their own accounts, captains report what happens at their tables. Officials do what is theirs.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from itertools import chain

from deploy.demo.cast import ARBITER, SCORERS, CastPlayer
from deploy.demo.chance import DemoStory
from deploy.demo.client import Services, User
from deploy.demo.play import Captains, Demo, close, complete, decide
from deploy.demo.preparation import Cup, director, found_federation
from shared.rulesets.schema import Ruleset
from tests.e2e.acting import FIRST, SECOND, Said, TableTogether, own_entries, paper, play_round, refused, until_found

SERIES = "pisqworky-2025"
GROUPS, PLAY_OFF, SWISS = "groups", "play-off", "swiss"
AREA, REGIONAL, GRAND_FINAL = "2025-11-05", "2025-11-26", "2025-12-18"
DECLARED = ("grade-6-or-higher", "no-school-leaving-exam", "primary-education-not-finished")
CONSENTS = ("data-processing", "rules", "photos")
FEE: Said = {"amount": 180, "currency": "CZK"}
SCHOOLS = ("Brno", "Blansko", "Znojmo", "Hodonín", "Vyškov", "Kuřim")
TEAMS: Mapping[str, Sequence[str]] = {  # by their host, best first
    "Brno": ("Brno 1", "Blansko 1", "Brno 2", "Brno 3", "Brno 4", "Blansko 2"),
    "Znojmo": ("Znojmo 1", "Hodonín 1", "Znojmo 2", "Hodonín 2"),
    "Vyškov": ("Vyškov 1", "Jihlava 1", "Kuřim 1", "Vyškov 2"),
}
GO_ON = {"Brno": 2, "Znojmo": 1, "Vyškov": 1}
COORDINATOR = "coordinator"
BORN, TOO_OLD = "2012-05-17", "2009-09-22"
BEATEN, EVEN = 8, 6
FIVE: list[object] = [
    *([14, 0, "cross"], [14, 2, "nought"], [14, 4, "cross"], {"take": "nought"}),
    *([row, column, symbol] for column in range(4) for row, symbol in ((3, "nought"), (7, "cross"))),
    *([12, 12, "nought"], [7, 4, "cross"], {"claim": "five", "by": 0}),
]
TWELVE = 12


async def play_cup(network: Services, cup: Cup, said: list[str]) -> None:
    await Demo(network=network, say=said.append, cup=cup, pace=0, story=DemoStory()).play()


async def coming(director: User, path: str, *, until: set[str]) -> Mapping[str, str]:
    """Who has a place by now, by name: standings tells registration who is qualified."""

    async def look() -> Mapping[str, str] | None:
        listed = (await director.look("registration", f"{path}/entries"))["items"]
        placed = [one["entrant"] for one in listed if one["entrant"]["status"] == "entered"]
        found = {one["name"] or one["persons"][0]["name"]: one["id"] for one in placed}
        return found if found.keys() == until else None

    return await until_found(look)


def school_of(team: str) -> str:
    return team.partition(" ")[0]


def boards(points: int) -> list[list[int | str]]:
    """Three boards of two duels, of which the first side makes so many points."""
    won, drawn = divmod(points, 2)
    duels: list[int | str] = [FIRST] * won + ["draw"] * drawn
    duels += [SECOND] * (6 - len(duels))
    return [duels[0:2], duels[2:4], duels[4:6]]


class SchoolSeason:
    def __init__(self, network: Services, today: date) -> None:
        self.network, self.today, self.said = network, today, list[str]()
        self.director: User = director(network)
        self.schools: dict[str, str] = {}
        self.tournaments: dict[str, str] = {}  # by the host, and the two levels above
        self.entrants: dict[str, Said] = {}  # by the team, as it has entered its area tournament
        self.best: dict[str, list[str]] = {}  # by tournament: the final ranking, best first

    async def play(self) -> None:
        await self.the_competition_is_announced()
        await self.schools_are_entrusted_to_their_teachers()
        await self.schools_enter_their_teams()
        await asyncio.gather(
            self.no_school_does_what_the_rules_forbid(), self.nobody_sees_or_touches_what_belongs_to_others()
        )
        await self.hosts_ask_for_the_waiver()
        await self.fees_are_paid_once()
        await self.places_of_those_who_go_on_add_up()
        await asyncio.gather(*(self.area_tournament(host) for host in TEAMS))
        await self.regional_tournament()
        await self.grand_final()
        await self.another_breach_is_found_when_all_is_over()

    # Announcement

    async def the_competition_is_announced(self) -> None:
        """1.1.1.1, 1.1.4.2, 1.1.5.2, 1.1.6.2: each level in its window, all of one series."""
        self.federation = await found_federation(self.director)
        office = {"subject": COORDINATOR, "role": "coordinator"}
        await self.director.act("registration", f"/v1/federations/{self.federation}/officials", office)
        self.kraj, self.other_kraj = [await self.home("region", name) for name in ("Jihomoravský", "Vysočina")]
        for name in (*SCHOOLS, "Jihlava"):
            region = self.other_kraj if name == "Jihlava" else self.kraj
            self.schools[name] = await self.home("school", name, types=["primary"], region=region)
        without = {"series": None, "starts_on": GRAND_FINAL}
        await refused(self.announce("grf", "Grandfinále", **without), "faulty", "/series")
        self.tournaments["grf"] = await self.announce(
            "grf", "Grandfinále ZŠ", starts_on=GRAND_FINAL, options={"pairing.rounds": 2}
        )
        early = {"starts_on": AREA, "region": self.kraj}
        await refused(self.announce("kt", "KT Jihomoravský", **early), "outside-window", "PQ.REG-18")
        onward = {"next_level": {"tournament": self.tournaments["grf"]}}
        self.tournaments["kt"] = await self.announce(
            "kt", "KT Jihomoravský", starts_on=REGIONAL, region=self.kraj, entry={"most": 4}, **onward
        )
        onward = {"next_level": {"tournament": self.tournaments["kt"]}}
        for host in TEAMS:
            self.tournaments[host] = await self.announce(
                "ot", f"OT {host}", starts_on=AREA, region=self.kraj, host=self.schools[host], **onward
            )

    async def home(self, kind: str, name: str, **said: object) -> str:
        body = {"kind": kind, "name": name} | said
        return (await self.director.act("registration", f"/v1/federations/{self.federation}/homes", body)).body["id"]

    async def announce(self, level: str, name: str, **said: object) -> str:
        plan: Said = {
            "federation": self.federation,
            "name": name,
            "ruleset": f"pisqworky-2025-zs-{level}",
            "series": SERIES,
            "time_zone": "Europe/Prague",
            "first_round": "09:00",
        }
        announced = await self.director.act("registration", "/v1/tournaments", plan | said)
        await self.director.act("registration", f"/v1/tournaments/{announced.body['id']}/open")
        return announced.body["id"]

    # Entries

    async def schools_are_entrusted_to_their_teachers(self) -> None:
        for name, school in self.schools.items():
            path = f"/v1/federations/{self.federation}/homes/{school}/accounts"
            await self.director.act("registration", path, {"subject": self.account(name)})

    def account(self, school: str) -> str:
        """A school of this season: others on the same platform have schools of the same name."""
        return f"teacher-{[*self.schools].index(school)}-{self.federation}"

    def teacher(self, school: str) -> User:
        return self.network.person(self.account(school))

    def path(self, tournament: str, team: str = "") -> str:
        found = f"/v1/tournaments/{self.tournaments[tournament]}"
        return f"{found}/entrants/{self.entrants[team]['id']}" if team else found

    def team(self, name: str) -> Said:
        """Three and a substitute, the first of whom is the captain."""
        members = [
            {"name": f"{first} {name.replace(' ', '')}", "particulars": {"born": BORN}}
            for first in ("Adam", "Bára", "Cyril", "Dana")
        ]
        return {
            "name": name,
            "school": self.schools[school_of(name)],
            "persons": [members[0] | {"captain": True}, *members[1:3]],
            "substitutes": members[3:],
            "declared": DECLARED,
            "consents": CONSENTS,
        }

    async def enter(self, host: str, team: str, said: Said | None = None, *, by: User | None = None) -> Said:
        asking = by or self.teacher(school_of(team))
        entered = await asking.act("registration", f"{self.path(host)}/entrants", self.team(team) | (said or {}))
        return entered.body

    async def schools_enter_their_teams(self) -> None:
        """1.1.2, 1.1.4.9: under their own accounts, for any area tournament of their region."""
        await asyncio.gather(*(self.teams_of_a_tournament_enter(host) for host in TEAMS))
        await refused(self.enter("Vyškov", "Jihlava 1"), "region-not-approved", "PQ.REG-14")
        approved: Said = {"region_approval": "full-at-home"}
        await refused(self.enter("Vyškov", "Jihlava 1", approved), "only-officials-say")
        await refused(self.enter("Vyškov", "Jihlava 1", approved, by=self.director), "not-permitted", "coordinator")
        by_coordinator = self.network.person(COORDINATOR)
        self.entrants["Jihlava 1"] = await self.enter("Vyškov", "Jihlava 1", approved, by=by_coordinator)
        teams = await own_entries(self.teacher("Brno"))
        assert {one["entry"]["entrant"]["name"] for one in teams.values()} == {f"Brno {n}" for n in (1, 2, 3, 4)}
        assert {one["capacity"] for one in teams.values()} == {"school"}

    async def teams_of_a_tournament_enter(self, host: str) -> None:
        for team in TEAMS[host]:
            if team != "Jihlava 1":
                self.entrants[team] = await self.enter(host, team)

    async def no_school_does_what_the_rules_forbid(self) -> None:
        brno, at_brno = self.teacher("Brno"), f"{self.path('Brno')}/entrants"
        await refused(self.enter("Brno", "Brno 5"), "quota-reached", "PQ.REG-13")
        blansko = self.team("Blansko 3")
        taken = self.entrants["Blansko 1"]["persons"][1]["id"]
        twice = blansko | {"persons": [*blansko["persons"][:2], taken]}
        by_blansko = self.teacher("Blansko")
        await refused(by_blansko.act("registration", at_brno, twice), "already-in-line-up", "PQ.REG-7")
        old = {"name": "Emil Starý", "particulars": {"born": TOO_OLD}}
        too_old = blansko | {"persons": [*blansko["persons"][:2], old]}
        await refused(by_blansko.act("registration", at_brno, too_old), "not-eligible", "PQ.REG-4")
        four = blansko | {"persons": [*blansko["persons"], {"name": "Filip", "particulars": {"born": BORN}}]}
        await refused(by_blansko.act("registration", at_brno, four), "wrong-line-up", "PQ.REG-5")
        headless = blansko | {"persons": [one | {"captain": False} for one in blansko["persons"]]}
        await refused(by_blansko.act("registration", at_brno, headless), "wrong-line-up", "PQ.REG-10")
        await refused(brno.act("registration", f"{self.path('kt')}/entrants", self.team("Brno 1")), "by-qualification")

    async def nobody_sees_or_touches_what_belongs_to_others(self) -> None:
        blansko, of_brno = self.teacher("Blansko"), self.path("Brno", "Brno 1")
        await refused(blansko.look("registration", f"{of_brno}/entry"), "not-permitted")
        for act in ("withdraw", "waivers/request", "detail"):
            body = {"ground": "host-school"} if act.startswith("waivers") else {}
            await refused(blansko.act("registration", f"{of_brno}/{act}", body), "not-permitted")
        await refused(self.enter("Brno", "Brno 1", by=blansko), "not-yourself")
        await refused(blansko.look("registration", f"{self.path('Brno')}/cash"), "not-permitted")
        await refused(self.network.anybody().look("registration", "/v1/me/entries"), "unauthenticated")
        public = await self.network.anybody().look("registration", f"{of_brno}")
        assert [one["name"] for one in public["persons"]] == ["Adam B.", "Bára B.", "Cyril B."]
        assert "payments" not in public

    # Money

    async def hosts_ask_for_the_waiver(self) -> None:
        """1.1.2.9: one team of a host is free, on request; who asked is kept."""
        ground = {"ground": "host-school"}
        for host in TEAMS:
            path = self.path(host, f"{host} 1")
            asked = await self.teacher(host).act("registration", f"{path}/waivers/request", ground)
            (waiver,) = asked.body["waivers"]
            assert waiver["status"] == "requested"
            assert waiver["asked"] == {"subject": self.account(host), "capacity": "school"}
            await refused(self.teacher(host).act("registration", f"{path}/waivers/grant", ground), "not-permitted")
            granted = await self.director.act("registration", f"{path}/waivers/grant", ground)
            assert (granted.body["due"], granted.body["waivers"][0]["status"]) == ([], "granted")
        second, guest = self.path("Brno", "Brno 2"), self.path("Brno", "Blansko 1")
        await self.teacher("Brno").act("registration", f"{second}/waivers/request", ground)
        await refused(
            self.director.act("registration", f"{second}/waivers/grant", ground), "waivers-used-up", "PQ.REG-12"
        )
        await self.director.act("registration", f"{second}/waivers/refuse", ground)
        await self.teacher("Blansko").act("registration", f"{guest}/waivers/request", ground)
        await refused(self.director.act("registration", f"{guest}/waivers/grant", ground), "unknown-ground")
        await self.director.act("registration", f"{guest}/waivers/refuse", ground)

    async def fees_are_paid_once(self) -> None:
        """1.1.2.8: the office records what has come in; whoever enters sees what is due."""
        blansko = await own_entries(self.teacher("Blansko"))
        assert [one["entry"]["due"] for one in blansko.values()] == [[FEE, {"amount": 8, "currency": "EUR"}]] * 2
        own = {**FEE, "on": "2025-11-01", "reference": "VS-0"}
        await refused(
            self.teacher("Blansko").act("registration", f"{self.path('Brno', 'Blansko 1')}/payments", own),
            "not-permitted",
        )
        unpaid = [(host, team) for host, teams in TEAMS.items() for team in teams if team != f"{host} 1"]
        for number, (host, team) in enumerate(unpaid):
            in_euros = {"amount": 8, "currency": "EUR"} if team == "Hodonín 1" else FEE
            paid = {**in_euros, "on": "2025-11-01", "reference": f"VS-{number}"}
            recorded = await self.director.act("registration", f"{self.path(host, team)}/payments", paid)
            assert recorded.body["due"] == []
        blansko = await own_entries(self.teacher("Blansko"))
        assert [one["entry"]["due"] for one in blansko.values()] == [[], []]

    # Who goes on

    async def places_of_those_who_go_on_add_up(self) -> None:
        """1.1.4.1, 1.1.5.1, 1.1.6.3: announced before the start, and held against the field of the next level."""
        for host in TEAMS:
            await self.announce_advance(host, 2)
        await self.announce_advance("kt", 4)
        checked = await self.advancing()
        kt = checked["kt"]
        assert (kt["places"], kt["announced"], kt["too_many"]) == (4, 6, 2)
        assert "2 are too many" in kt["faults"][0]
        assert sum(one["proposed"] for one in kt["shares"]) == 4
        for host, number in GO_ON.items():
            await self.announce_advance(host, number)
        checked = await self.advancing()
        assert (checked["kt"]["announced"], checked["kt"]["faults"]) == (4, [])
        grf = checked["grf"]
        assert (grf["places"], grf["announced"], grf["missing"]) == (32, 4, 28)
        by_brno = self.teacher("Brno").look(
            "registration", f"/v1/federations/{self.federation}/series/{SERIES}/advancing"
        )
        await refused(by_brno, "not-permitted")

    async def announce_advance(self, tournament: str, number: int) -> None:
        await self.director.act("registration", f"{self.path(tournament)}/announce-advance", {"advance": number})

    async def advancing(self) -> Mapping[str, Said]:
        path = f"/v1/federations/{self.federation}/series/{SERIES}/advancing"
        found = {one["tournament"]: one for one in (await self.director.look("registration", path))["next_levels"]}
        return {level: found[self.tournaments[level]] for level in ("kt", "grf")}

    # Area tournaments

    async def area_tournament(self, host: str) -> None:
        cup = await self.everybody_is_there(host, TEAMS[host])
        captains = Captains(network=self.network, cup=cup)
        after = await self.groups_are_drawn_on_site(cup)
        tables: Mapping[str, AreaTable] = {
            "Brno": DrawnFinal(self, cup),
            "Znojmo": EqualSeconds(self, cup),
            "Vyškov": DisputesAndGaps(self, cup),
        }
        after = await self.groups_are_played(cup, captains, tables[host], after=after)
        await self.play_off(cup, captains, tables[host], after=after)
        await self.area_papers(host, cup)
        await tables[host].are_on_paper()

    async def everybody_is_there(self, tournament: str, names: Collection[str], *, at: str | None = None) -> Cup:
        """Check-in, and the start: refused as long as an announcement or somebody is missing."""
        path = self.path(tournament)
        listed = (await self.director.look("registration", f"{path}/entries"))["items"]
        found = {one["entrant"]["name"]: one["entrant"] for one in listed if one["entrant"]["status"] == "entered"}
        assert found.keys() == {*names}
        await self.director.act("registration", f"{path}/open-check-in")
        for name in names:
            there = [one["id"] for one in found[name]["persons"]]
            present = {"present": there[:2] if name == "Vyškov 2" else there}
            await self.director.act("registration", f"{path}/entrants/{found[name]['id']}/members-there", present)
        start: Said | None = {"decision": "small-field"} if tournament in {"kt", "grf"} else None
        started = await self.director.act("registration", f"{path}/start", start)
        playing = (await self.director.look("registration", f"{path}/entrants", after=started.position))["items"]
        by_number = sorted((one for one in playing if one["number"]), key=lambda one: one["number"])
        return Cup(
            id=self.tournaments[tournament],
            ruleset=Ruleset.model_validate(
                await self.director.look("registration", f"/v1/rulesets/pisqworky-2025-zs-{at or 'ot'}")
            ),
            players={one["id"]: CastPlayer(name=one["name"], rating=one["number"]) for one in by_number},
            persons={one["id"]: [person["id"] for person in one["persons"]] for one in by_number},
            started=started.position,
        )

    async def groups_are_drawn_on_site(self, cup: Cup) -> str | None:
        """1.1.4.4: by a lot that everybody can check."""
        path = f"{cup.of(GROUPS)}/groups"
        await refused(self.teacher("Brno").act("pairing", f"{path}/draw"), "not-permitted")
        drawn = await self.director.act("pairing", f"{path}/draw", after=cup.started)
        (group,) = drawn.body["groups"]
        assert {one["entrant"] for one in group["entrants"]} == cup.players.keys()
        assert drawn.body["pairs_of_one_school"] == drawn.body["fewest_possible"]
        return drawn.position

    async def groups_are_played(
        self, cup: Cup, captains: Captains, tables: "AreaTable", *, after: str | None
    ) -> str | None:
        rounds = len(cup.players) - 1
        for number in range(1, rounds + 1):
            await play_round(self.network, cup, GROUPS, number, tables.group, captains=captains, after=after)
        await tables.groups_are_closed()
        return (await self.director.act("standings", f"{cup.of(GROUPS)}/close")).position

    async def play_off(self, cup: Cup, captains: Captains, tables: "AreaTable", *, after: str | None) -> None:
        first = (await self.director.look("pairing", f"{cup.of(PLAY_OFF)}/next", after=after))["round"]
        assert first == 1
        for number in (1, 2):
            await play_round(self.network, cup, PLAY_OFF, number, tables.play_off, captains=captains, after=after)
        await close(self.director, cup.of(PLAY_OFF))
        done = await complete(self.director, cup.path)
        self.said.append("The tournament is completed.")
        final = await self.network.anybody().look("standings", f"{cup.path}/final", after=done)
        assert final["completed"]
        host = next(name for name, one in self.tournaments.items() if one == cup.id)
        self.best[host] = [cup.players[row["entrant"]].name for row in final["standings"]]

    async def area_papers(self, host: str, cup: Cup) -> None:
        """Cash, entrants, rounds and results as they are handed in."""
        cash = await self.director.look("registration", f"{cup.path}/cash")
        teams = len(TEAMS[host])
        totals = {one["currency"]: one for one in cash["totals"]}
        in_euros = host == "Znojmo"
        assert totals["CZK"]["paid"] == 180 * (teams - 1 - in_euros)
        assert ("EUR" in totals and totals["EUR"]["paid"] == 8) == in_euros
        assert {one["open"] for one in cash["totals"]} == {0}
        by_school = self.teacher("Kuřim").look("registration", f"{cup.path}/cash")
        await refused(by_school, "not-permitted")
        lines = await paper(self.director, "registration", f"{cup.path}/cash?format=csv")
        assert lines[0].startswith("kind,entrants,currency,due,waived,")
        assert lines[-1].startswith("total,")
        lines = await paper(self.network.anybody(), "pairing", f"{cup.of(GROUPS)}/rounds/1/sheet.csv")
        assert len(lines) == 1 + teams
        lines = await paper(self.director, "registration", f"{cup.path}/entries/export")
        assert sum(line.split(",")[4] == "yes" for line in lines) == teams
        qualified = (await self.network.anybody().look("standings", f"{cup.path}/progression"))["qualified"]
        assert [cup.players[one["entrant"]].name for one in qualified["entrants"]] == self.best[host][: GO_ON[host]]

    # Regional tournament and grand final

    async def regional_tournament(self) -> None:
        """1.1.5: the announced number of each comes; who declines makes room for the next one of the same tournament."""
        by_right = {team for host, number in GO_ON.items() for team in self.best[host][:number]}
        path = self.path("kt")
        placed = await coming(self.director, path, until=by_right)
        leaves, called = self.best["Brno"][1], self.best["Brno"][2]
        stranger = self.teacher("Hodonín")
        await refused(stranger.act("registration", f"{path}/entrants/{placed[leaves]}/withdraw", {}), "not-permitted")
        declines = {"reason": {"code": "school-trip"}}
        own = self.teacher(school_of(leaves))
        await own.act("registration", f"{path}/entrants/{placed[leaves]}/withdraw", declines)
        placed = await coming(self.director, path, until=by_right - {leaves} | {called})
        await self.nothing_is_due_any_more("kt", placed)
        await refused(own.act("registration", f"{path}/entrants", self.team(leaves)), "by-qualification")
        cup = await self.everybody_is_there("kt", placed, at="kt")
        captains = Captains(network=self.network, cup=cup)
        tables = AreaTable(self, cup)
        after = await self.groups_are_drawn_on_site(cup)
        after = await self.groups_are_played(cup, captains, tables, after=after)
        await self.play_off(cup, captains, tables, after=after)

    async def nothing_is_due_any_more(self, tournament: str, placed: Mapping[str, str]) -> None:
        """The fee was for the whole way."""
        for team, entrant in placed.items():
            entry = await self.director.look("registration", f"{self.path(tournament)}/entrants/{entrant}/entry")
            assert (entry["due"], len(entry["settled_in"]), entry["payments"]) == ([], 1, []), team
            assert entry["consents"] == sorted(CONSENTS)
            assert [one["name"] for one in entry["entrant"]["persons"]] == [
                f"{first} {team.replace(' ', '')}" for first in ("Adam", "Bára", "Cyril")
            ]
        again = {**FEE, "on": "2025-11-20", "reference": "VS-again"}
        entrant = next(iter(placed.values()))
        paid_again = self.director.act("registration", f"{self.path(tournament)}/entrants/{entrant}/payments", again)
        await refused(paid_again, "nothing-due", "PQ.REG-11")

    async def grand_final(self) -> None:
        """1.1.6: seeded by the places of the regional tournament, Swiss, with clocks and match sheets."""
        placed = await coming(self.director, self.path("grf"), until={*self.best["kt"]})
        await self.nothing_is_due_any_more("grf", placed)
        cup = await self.everybody_is_there("grf", placed, at="grf")
        assert [one.name for one in cup.players.values()] == self.best["kt"]
        captains, tables, self.grand = Captains(network=self.network, cup=cup), GrandFinalTable(self, cup), cup
        await self.director.act(
            "registration", f"{cup.path}/spectators/approve", {"who": "The parents of the finalists"}
        )
        words = "Round 1 begins at 9:15. The first table plays on tablets."
        await self.director.act("registration", f"{cup.path}/notices", {"words": words})
        notices = (await self.network.anybody().look("registration", f"{cup.path}/notices"))["items"]
        assert [one["words"] for one in notices] == [words]
        after = cup.started
        for number in (1, 2):
            table = await play_round(self.network, cup, SWISS, number, tables.play, captains=captains, after=after)
        await self.a_breach_is_found_when_all_is_played(cup, table["standings"][-1]["entrant"])
        await close(self.director, cup.of(SWISS))
        done = await complete(self.director, cup.path)
        self.said.append("The tournament is completed.")
        final = await self.network.anybody().look("standings", f"{cup.path}/final", after=done)
        self.best["grf"] = [cup.players[row["entrant"]].name for row in final["standings"]]
        assert [row["values"] for row in final["standings"]] == [row["values"] for row in table["standings"]]
        assert final["standings"][0]["values"]["points"] == 4
        assert table["criteria"] == ["points", "score", "median_buchholz", "start_number"]
        await self.grand_final_papers(cup)

    async def grand_final_papers(self, cup: Cup) -> None:
        """Rounds, crosstable, explanation and awards, for everybody to read."""
        anybody = self.network.anybody()
        rounds = (await anybody.look("pairing", f"{cup.of(SWISS)}/rounds"))["rounds"]
        assert [(one["round"], one["status"]) for one in rounds] == [(1, "completed"), (2, "completed")]
        crosstable = await anybody.look("standings", f"{cup.of(SWISS)}/crosstable")
        assert [len(row["rounds"]) for row in crosstable["rows"]] == [2] * 4
        first = crosstable["rows"][0]["entrant"]
        why = await anybody.look("standings", f"{cup.of(SWISS)}/standings/entrants/{first}")
        assert [one["criterion"] for one in why["criteria"]][:3] == ["points", "score", "median_buchholz"]
        assert (await anybody.look("standings", f"{cup.path}/awards"))["completed"]

    async def a_breach_is_found_when_all_is_played(self, cup: Cup, last: str) -> None:
        """4.8: the place is kept and marked."""
        order = {"stage": SWISS, "round": 2, "reason": "One of them had finished primary education."}
        path = f"{cup.path}/entrants/{last}/disqualify"
        await refused(self.network.person(SCORERS[0]).act("results", path, order), "not-permitted")
        await self.director.act("results", path, order)

        async def marked() -> Said | None:
            final = await self.network.anybody().look("standings", f"{cup.path}/final")
            (row,) = (one for one in final["standings"] if one["entrant"] == last)
            return row if row["left"] else None

        row = await until_found(marked)
        assert (row["left"], row["place"]) == ("expelled", len(cup.players))

    async def another_breach_is_found_when_all_is_over(self) -> None:
        """4.10: at any time, and the final ranking follows."""
        cup, best = self.grand, self.best["grf"][0]
        (entrant,) = (one for one, player in cup.players.items() if player.name == best)
        order = {"entrant": entrant, "stage": SWISS, "round": 2, "points": -3, "reason": "Was helped from outside."}
        await refused(self.teacher("Brno").act("results", f"{cup.path}/penalties", order), "not-permitted")
        await self.director.act("results", f"{cup.path}/penalties", order)

        async def fallen() -> Said | None:
            final = await self.network.anybody().look("standings", f"{cup.path}/final")
            (row,) = (one for one in final["standings"] if one["entrant"] == entrant)
            return row if row["place"] > 1 else None

        assert (await until_found(fallen))["values"]["points"] == 1


class AreaTable:
    """The better team by name wins 8:4, at each table, and both captains say so."""

    def __init__(self, season: SchoolSeason, cup: Cup) -> None:
        self.season, self.cup = season, cup

    def rank(self, name: str) -> int:
        return [*chain(*TEAMS.values())].index(name)

    def usual(self, table: TableTogether) -> list[list[int | str]]:
        one, other = (self.rank(name) for name in table.names)
        return boards(BEATEN if one < other else TWELVE - BEATEN)

    async def group(self, table: TableTogether) -> None:
        await self.lined_up(table)
        sheet = await table.agree({"boards": self.usual(table)})
        assert sheet["status"] == "final"

    async def play_off(self, table: TableTogether) -> None:
        await self.group(table)

    async def lined_up(self, table: TableTogether) -> None:
        for seat in (FIRST, SECOND):
            await table.line_up(seat)

    async def groups_are_closed(self) -> None:
        """Nothing waits."""
        stage = await self.season.director.look("standings", self.cup.of(GROUPS))
        assert stage["unresolved"] == []

    async def are_on_paper(self) -> None:
        """What was special."""


class DrawnFinal(AreaTable):
    """The last two are equal in everything, which decides nothing; the final is drawn until a lot decides it."""

    def usual(self, table: TableTogether) -> list[list[int | str]]:
        in_group = table.pair["match"] is None
        return boards(EVEN) if in_group and {*table.names} == {"Brno 4", "Blansko 2"} else super().usual(table)

    async def groups_are_closed(self) -> None:
        await super().groups_are_closed()
        table = await self.season.network.anybody().look("standings", f"{self.cup.of(GROUPS)}/standings")
        assert [(row["place"], row["shared"]) for row in table["standings"]][3:] == [(4, False), (5, True), (5, True)]

    async def play_off(self, table: TableTogether) -> None:
        if table.pair["match"] != "final":
            return await super().play_off(table)
        await self.lined_up(table)
        even = {"boards": boards(EVEN)}
        await refused(table.report(FIRST, even | {"deciding": [0, "draw"]}), "no-such-duel", "PQ.RES-16")
        drawn = await table.agree(even | {"deciding": ["draw", "draw"]})
        assert drawn["status"] == "reported"
        by_captain = (await table.captain(FIRST)).act("results", f"{table.game}/draw-winner")
        await refused(by_captain, "not-permitted")
        lot = await self.season.director.act("results", f"{table.game}/draw-winner")
        assert (lot.body["status"], lot.body["result"]["decided_by"]) == ("final", "lot")
        assert lot.body["result"]["winner"] in {FIRST, SECOND}
        return None


class EqualSeconds(AreaTable):
    """The second and the third are equal in everything: nominees play a duel."""

    def usual(self, table: TableTogether) -> list[list[int | str]]:
        in_group = table.pair["match"] is None
        return boards(EVEN) if in_group and {*table.names} == {"Hodonín 1", "Znojmo 2"} else super().usual(table)

    async def groups_are_closed(self) -> None:
        path, director = self.cup.of(GROUPS), self.season.director
        (tie,) = (await director.look("standings", path))["unresolved"]
        names = {one: self.cup.players[one].name for one in tie["entrants"]}
        assert ({*names.values()}, tie["needs"]) == ({"Hodonín 1", "Znojmo 2"}, "duel")
        await refused(director.act("standings", f"{path}/close"), "stage-not-finished")
        order = [[one] for one in sorted(names, key=lambda one: names[one], reverse=True)]
        await refused(self.season.teacher("Znojmo").act("standings", f"{path}/ties", {"order": order}), "not-permitted")
        settled = await director.act("standings", f"{path}/ties", {"order": order})
        assert settled.body["unresolved"] == []

    async def are_on_paper(self) -> None:
        table = await self.season.network.anybody().look("standings", f"{self.cup.of(GROUPS)}/standings")
        names = [self.cup.players[row["entrant"]].name for row in table["standings"]]
        assert names == ["Znojmo 1", "Znojmo 2", "Hodonín 1", "Hodonín 2"]
        assert table["standings"][1]["separated_by"] == "duel"


class DisputesAndGaps(AreaTable):
    """Captains disagree, a team is one short, and a team asks for a lot at the boards."""

    def usual(self, table: TableTogether) -> list[list[int | str]]:
        if "Vyškov 2" not in table.names:
            return super().usual(table)
        other = 1 - table.names.index("Vyškov 2")
        return [[other, other], [1 - other, 1 - other], [other, other]]  # nobody sits at the third board

    async def lined_up(self, table: TableTogether) -> None:
        for seat, name in enumerate(table.names):
            persons = self.cup.persons[table.seats[seat]]
            await table.line_up(seat, [*persons[:2], None] if name == "Vyškov 2" else None)

    async def group(self, table: TableTogether) -> None:
        if {*table.names} == {"Vyškov 1", "Jihlava 1"}:
            return await self.captains_disagree(table)
        if "Kuřim 1" in table.names:
            return await self.boards_are_drawn(table)
        return await super().group(table)

    async def boards_are_drawn(self, table: TableTogether) -> None:
        """3.1.2: as soon as one team asks for it."""
        seat = table.names.index("Kuřim 1")
        await self.lined_up(table)
        await refused(self.season.director.act("results", f"{table.game}/draw-boards"), "nobody-asked")
        wish = {"entrant": table.seats[seat], "wish": "board-draw"}
        await (await table.captain(seat)).act("results", f"{table.game}/ask", wish)
        drawn = (await self.season.director.act("results", f"{table.game}/draw-boards")).body
        assert drawn["boards_drawn"]
        for one in drawn["line_ups"]:
            assert {*one["persons"]} - {None} <= {*self.cup.persons[one["entrant"]]}
        await table.agree({"boards": self.usual(table)})

    async def captains_disagree(self, table: TableTogether) -> None:
        """2.1: the organiser decides."""
        one, other, _ = self.cup.persons[table.seats[FIRST]]
        await refused(table.line_up(FIRST, [one, one, other]), "line-up-unfit", "PQ.PAI-8")
        await self.lined_up(table)
        await table.report(FIRST, {"boards": self.usual(table)})
        said = await table.report(SECOND, {"boards": boards(7)})
        assert said.body["status"] == "disputed"
        decision = {"boards": self.usual(table)}
        await refused(decide(await table.captain(FIRST), table.pair["game"], decision), "not-permitted")
        settled = await decide(self.season.network.person(ARBITER), table.pair["game"], decision)
        assert settled.body["status"] == "final"
        history = await self.season.director.look("results", f"{table.game}/history")
        assert [one["what"] for one in history["steps"]][-1] == "ResultDecided"
        self.reason = history["steps"][-1]["reason"]

    async def are_on_paper(self) -> None:
        assert self.reason == "Both sheets say so."


class GrandFinalTable(AreaTable):
    """With clocks, and with a match sheet before the first duel."""

    async def play(self, table: TableTogether) -> None:
        terms = (await table.sheet())["terms"]
        assert ([one["minutes"] for one in terms["clocks"]], terms["opening"]) == ([8, 8], "swap2")
        await refused(table.report(FIRST, {"boards": self.usual(table)}), "line-ups-missing", "PQ.RES-14")
        await self.group(table)
        if table.pair["table"] == 1:
            await self.transcript(table)

    async def transcript(self, table: TableTogether) -> None:
        """1.1.6.8: the first table plays on a tablet."""
        first = table.pair["first"]
        record = {"moves": FIVE, "first": first, "board": 0, "duel": 0}
        attached = await (await table.captain(FIRST)).act("results", f"{table.game}/records", record)
        (kept,) = attached.body["records"]
        assert (kept["end_reason"], kept["winner"]) == ("five_claimed", table.seats.index(first))
