"""A contest by the rules of the Czech gomoku federation, from its announcement with a time control to its last paper.

Those who play enter themselves and agree on their results, the director decides what the rules leave to a director.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from deploy.demo.cast import CastPlayer
from deploy.demo.client import Services, User
from deploy.demo.play import Captains, close, complete, decide
from deploy.demo.preparation import AHEAD, Cup, director
from shared.rulesets.schema import Ruleset
from tests.e2e.acting import FIRST, SECOND, Said, TableTogether, becomes_known, own_entries, play_round, refused
from tests.gomoku import ACCEPT, CFP_OPENED, OFFER

RULES, SWISS = "gomoku-cfp", "swiss"
PLAYERS = ("Jana Bílá", "Karel Černý", "Lenka Malá", "Milan Velký")
RATED: Mapping[str, int] = {"Jana Bílá": 2100, "Karel Černý": 2000, "Lenka Malá": 1900, "Milan Velký": 1800}
PERIODS = [{"moves": 20, "minutes": 10}, {"moves": 10, "minutes": 5}]

# Temporary white has taken white, so that temporary black is black and white is to move.
FIVE: list[object] = [*CFP_OPENED, *([row, column] for column in range(4) for row in (3, 7)), [12, 12], [7, 4]]
SIX: list[object] = [
    *CFP_OPENED,
    *(
        [row, column]
        for row, column in ((0, 0), (7, 0), (0, 2), (7, 1), (0, 4), (7, 2), (0, 6), (7, 4), (0, 8), (7, 5))
    ),
    *([0, 10], [7, 3]),
]
BY_BLACK: Said = {"claim": "five", "by": 0}


class GomokuContest:
    def __init__(self, network: Services, today: date) -> None:
        self.network, self.today, self.said = network, today, list[str]()
        self.director: User = director(network)
        self.entrants: dict[str, str] = {}

    async def play(self) -> None:
        await self.a_contest_is_announced_with_its_time_control()
        await self.players_enter_themselves()
        await self.nobody_acts_for_others()
        await self.it_starts_with_a_director()
        await self.three_rounds_are_played()
        await self.all_is_on_paper()

    async def a_contest_is_announced_with_its_time_control(self) -> None:
        """11, 13, 14: the announcement says how many moves are played in which time."""
        founded = await self.director.act("registration", "/v1/federations", {"name": "Česká federace piškvorek"})
        self.federation: str = founded.body["id"]
        plan: Said = {
            "federation": self.federation,
            "name": "Turnaj v Praze",
            "ruleset": RULES,
            "time_zone": "Europe/Prague",
            "starts_on": (self.today + AHEAD).isoformat(),
            "first_round": "10:00",
        }
        wrong = plan | {"options": {"contest.periods": [{"moves": 20, "minutes": -1}]}}
        await refused(self.director.act("registration", "/v1/tournaments", wrong), "faulty")
        announced = await self.director.act(
            "registration", "/v1/tournaments", plan | {"options": {"contest.periods": PERIODS}}
        )
        self.path = f"/v1/tournaments/{announced.body['id']}"
        await self.director.act("registration", f"{self.path}/open")
        shown = await self.network.anybody().look("registration", self.path)
        (stage,) = shown["times"]
        assert stage["times"] == ["Each side has 10 minutes for 20 moves, then 5 minutes for 10 moves, and so on."]
        assert "time-control" in [one["what"] for one in shown["duties"]]

    def player(self, name: str) -> User:
        return self.network.person(f"player-{PLAYERS.index(name)}-{self.federation}")

    async def players_enter_themselves(self) -> None:
        """1: each for themselves; ratings are the organiser's word."""
        self.persons = {name: await becomes_known(self.player(name), self.federation, name) for name in PLAYERS}
        for name, person in self.persons.items():
            enter = f"{self.path}/entrants"
            if name == PLAYERS[0]:
                rated = {"person": person, "rating": 2500}
                await refused(self.player(name).act("registration", enter, rated), "only-officials-say")
            entered = await self.player(name).act("registration", enter, {"person": person})
            self.entrants[name] = entered.body["id"]
            await self.director.act("registration", f"{enter}/{entered.body['id']}/correct", {"rating": RATED[name]})
        (own,) = (await own_entries(self.player(PLAYERS[1]))).values()
        assert (own["capacity"], own["entry"]["entrant"]["persons"][0]["name"]) == ("player", PLAYERS[1])

    async def nobody_acts_for_others(self) -> None:
        jana, of_karel = self.player("Jana Bílá"), f"{self.path}/entrants/{self.entrants['Karel Černý']}"
        await refused(jana.act("registration", f"{of_karel}/withdraw", {}), "not-permitted")
        await refused(jana.look("registration", f"{of_karel}/entry"), "not-permitted")
        another = {"person": self.persons["Karel Černý"]}
        await refused(jana.act("registration", f"{self.path}/entrants", another), "not-yourself")
        await refused(jana.act("registration", f"{self.path}/start"), "not-permitted")

    async def it_starts_with_a_director(self) -> None:
        """14: the director of the federation directs, since nobody was named for this one."""
        await self.director.act("registration", f"{self.path}/open-check-in")
        await self.director.act("registration", f"{self.path}/check-in", {})
        assert (await self.director.look("registration", f"{self.path}/start-check"))["ready"]
        started = await self.director.act("registration", f"{self.path}/start")
        names = {entrant: name for name, entrant in self.entrants.items()}
        self.cup = Cup(
            id=self.path.rpartition("/")[2],
            ruleset=Ruleset.model_validate(await self.director.look("registration", f"/v1/rulesets/{RULES}")),
            players={one: CastPlayer(name=name, rating=RATED[name]) for one, name in names.items()},
            persons={one: [self.persons[name]] for one, name in names.items()},
            started=started.position,
        )

    async def three_rounds_are_played(self) -> None:
        """Four meet each other once: who is named first lays the first three stones."""
        captains = Captains(network=self.network, cup=self.cup)
        for number, at_table in enumerate((self.by_moves, self.by_the_director, self.by_agreement), start=1):
            self.table = await play_round(
                self.network, self.cup, SWISS, number, at_table, captains=captains, after=self.cup.started
            )
        assert self.table["complete"]

    async def by_moves(self, table: TableTogether) -> None:
        """8, 9, 11: a five that is claimed, and time that is shown to be over."""
        terms = (await table.sheet())["terms"]
        assert terms["periods"] == [{"moves": 20, "minutes": 10}, {"moves": 10, "minutes": 5}]
        assert terms["opening"] == "swap2"
        if table.pair["table"] == 1:
            over = [*SIX, BY_BLACK]
            await refused(table.report(FIRST, {"moves": over}), "illegal-move", "CFP.RES-3")
            sheet = await table.agree({"moves": [*FIVE, BY_BLACK]})
            assert sheet["result"]["points"] == self.for_the_first(table, [1, 0])
            return
        on_time: Said = {"claim": "time", "by": 1}
        moves = [*CFP_OPENED[:1], on_time]
        reporter = await table.captain(FIRST)
        record = {"moves": moves, "seconds": [599, 0], "first": table.pair["first"]}
        await refused(
            reporter.act("results", f"{table.game}/records", record), "illegal-move", "9:59 of 10:00 (CFP.RES-11)."
        )
        late = await reporter.act("results", f"{table.game}/records", record | {"seconds": [601, 0]})
        (kept,) = late.body["records"]
        assert (kept["end_reason"], kept["seconds"]) == ("time", [601, 0])
        sheet = await table.agree({"winner": kept["winner"], "end_reason": "time"})
        assert sheet["result"]["points"] == self.for_the_first(table, [0, 1])

    def for_the_first(self, table: TableTogether, points: Sequence[float]) -> Sequence[float]:
        """Seat by seat, where they are told of who opens first."""
        return list(points if table.pair["first"] in {table.seats[0], None} else reversed(points))

    async def by_the_director(self, table: TableTogether) -> None:
        """7, 12, 13, 14: a position that nobody has lost is played anew, and who breaks the rules loses."""
        anew = {"end": "void_replay"}
        if table.pair["table"] == 1:
            await refused(table.report(FIRST, anew), "no-result", "a new game is played")
            noted = {"what": "clock-stopped", "why": "position-lost", "minutes": 4, "words": "The lights went out."}
            await self.director.act("results", f"{table.game}/incidents", noted)
            late = {"seat": FIRST, "minutes": -3, "why": "late", "reason": "Came three minutes late."}
            changed = await self.director.act("results", f"{table.game}/clock", late)
            assert changed.body["terms"]["clocks"][FIRST]["changes"] == {"late": -3}
            told = await table.report(FIRST, {"winner": FIRST, "end_reason": "resignation"})
            await table.confirm(SECOND, told)
            replay = {"replay": True, "reason": "The board was knocked over by nobody who plays."}
            by_player = (await table.captain(FIRST)).act("results", f"{table.game}/void", replay)
            await refused(by_player, "not-permitted")
            await self.director.act("results", f"{table.game}/void", replay)
            moves = [*CFP_OPENED, OFFER, ACCEPT]
            sheet = await table.agree({"moves": moves})
            assert sheet["result"]["points"] == [0.5, 0.5]
            return
        warning = {
            "entrant": table.seats[SECOND],
            "stage": SWISS,
            "round": 2,
            "clause": "13",
            "reason": "Analysed aloud.",
        }
        await refused((await table.captain(FIRST)).act("results", f"{self.path}/warnings", warning), "not-permitted")
        await self.director.act("results", f"{self.path}/warnings", warning)
        loss = {"winner": FIRST, "end_reason": "conduct_penalty"}
        foreseen = await self.director.act(
            "results", f"{table.game}/decide?dry_run=true", {"end": "played", **loss, "reason": "Did it again."}
        )
        assert foreseen.body["warnings"]
        await decide(self.director, table.pair["game"], loss)

    async def by_agreement(self, table: TableTogether) -> None:
        """8, 9: somebody resigns; a result that is objected to is the director's."""
        told = await table.report(FIRST, {"winner": FIRST, "end_reason": "resignation"})
        await refused(table.report(SECOND, {"winner": "draw", "end_reason": "resignation"}), "faulty", "CFP.RES-16")
        if table.pair["table"] == 1:
            await table.confirm(SECOND, told)
            return
        said = await table.report(SECOND, {"winner": "draw", "end_reason": "draw_agreed"})
        assert said.body["status"] == "disputed"
        await decide(self.director, table.pair["game"], {"winner": "draw", "end_reason": "draw_agreed"})

    async def all_is_on_paper(self) -> None:
        await close(self.director, self.cup.of(SWISS))
        done = await complete(self.director, self.cup.path)
        self.said.append("The tournament is completed.")
        anybody = self.network.anybody()
        final = await anybody.look("standings", f"{self.path}/final", after=done)
        assert final["completed"]
        assert sum(row["values"]["points"] for row in final["standings"]) == 6
        assert final["criteria"][:3] == ["points", "wins", "median_buchholz"]
        penalties: Any = await self.director.look("results", f"{self.path}/penalties")
        assert [one["clause"] for one in penalties["warnings"]] == ["13"]
