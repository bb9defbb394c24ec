"""A Czech championship of Carcassonne: a tournament of the year, the qualification, and the final of those who confirm."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from fractions import Fraction
from typing import Any

from deploy.demo.cast import ARBITER
from deploy.demo.client import Services, User
from deploy.demo.play import close as close_stage
from deploy.demo.play import complete, complete_table, publish_next, round_is_over
from deploy.demo.preparation import AHEAD, director, found_federation
from deploy.tokens import OPERATOR
from tests.e2e.players import (
    AtTable,
    Said,
    SignedPlayer,
    handed_token,
    lines,
    own_entry,
    paper,
    refused,
    seats,
    sign_up,
)
from tests.e2e.school_season import coming

# Whoever stands earlier has more points in every game.
YEAR = ("Alena Luční", "Bohumil Kostka", "Ctibor Brod", "Drahomíra Cestová")
OPEN = (
    "Emil Hradní",
    "Filip Polní",
    "Gabriela Klášterní",
    "Hynek Rytíř",
    "Irena Zlodějová",
    "Jakub Sedlák",
    "Klára Opatová",
)
NAMES = (*YEAR, *OPEN)
ADVANCE = 5  # to a final of six, with one from the tournament of the year
ROUNDS, FINAL_ROUNDS = 4, 5
WINNER = YEAR[0]


class CarcassonneSeason:
    """Small: four play at a tournament of the year, seven in the qualification, six in the final."""

    def __init__(self, network: Services, today: date) -> None:
        self.network, self.today = network, today
        self.director: User = director(network)  # the chief judge
        self.players: dict[str, SignedPlayer] = {}  # by name
        self.carried: dict[str, float] = {}  # into the final, by name
        self.order: list[str] = []  # of the qualification, when ties have had their lot

    async def play(self) -> None:
        await self.overview()
        await self.tournament_of_the_year()
        await self.qualification()
        await self.answers()
        await self.final()
        await self.final_order()

    # Přehled

    async def overview(self) -> None:
        """Both parts are announced at once: the qualification for everybody, the final for those who qualify."""
        self.federation = await found_federation(self.director)
        rules = await self.director.look("registration", "/v1/rulesets/carcassonne-cz-qualification")
        first, *_ = rules["stages"]
        self.rules = rules | {"id": "carcassonne-cz-round", "stages": [first], "final": {}}
        times = {"results.minutes": 30, "results.clocks_by": "players"}
        until = datetime.combine(self.today + AHEAD, time(9), UTC).isoformat()
        announced = await self.announced(
            {"name": "Finále", "ruleset": "carcassonne-cz-final", "options": times, "entries_close": until}
        )
        self.finale: str = announced["id"]
        assert "Each side has 30 minutes for a game." in announced["times"][0]["times"]
        short = {"name": "Finále", "ruleset": "carcassonne-cz-final", "options": {"results.minutes": 20}}
        assert (await refused(self.announced(short))).type == "faulty"

    async def announced(self, said: Said) -> Any:
        plan = {
            "federation": self.federation,
            "time_zone": "Europe/Prague",
            "starts_on": (self.today + AHEAD).isoformat(),
            "first_round": "10:00",
        }
        announced = (await self.director.act("registration", "/v1/tournaments", plan | said)).body
        path = f"/v1/tournaments/{announced['id']}"
        judge = {"subject": OPERATOR, "role": "director"}
        await self.director.act("registration", f"{path}/officials", judge)
        await self.director.act("registration", f"{path}/open")
        return announced

    async def sign_up_all(self, names: Sequence[str]) -> None:
        accounts = {name: f"carcassonne-{NAMES.index(name)}" for name in names}
        signing = (sign_up(self.network, self.federation, name, subject) for name, subject in accounts.items())
        self.players |= {one.name: one for one in await asyncio.gather(*signing)}

    async def tournament_of_the_year(self) -> None:
        """The same rules unless something else is said; its best is in the final with the points of it."""
        await self.sign_up_all(YEAR)
        hall = await self.qualifying("Brněnský turnaj", YEAR, {})
        for number in range(1, ROUNDS + 1):
            await hall.play_round(number)
        closed = await hall.end()
        table = (await self.network.anybody().look("standings", f"{hall.path}/final", after=closed))["standings"]
        assert [hall.names[row["entrant"]] for row in table] == [*YEAR]
        assert table[0]["values"]["points"] == 4 * ROUNDS
        self.carried[WINNER] = table[0]["values"]["points"]

    async def qualifying(self, name: str, field: Sequence[str], more: Said) -> "CarcassonneHall":
        announced = await self.announced({"name": name, "ruleset": self.rules} | more)
        path = f"/v1/tournaments/{announced['id']}"
        if "next_level" in more:
            await self.director.act("registration", f"{path}/announce-advance", {"advance": ADVANCE})
        by_entrant: dict[str, str] = {}
        for player in map(self.players.__getitem__, field):
            entry = {"person": player.person}
            entered = await player.user.act("registration", f"{path}/entrants", entry)
            by_entrant[entered.body["id"]] = player.name
        me, *others = [self.players[one] for one in field]
        assert (await own_entry(me, path))["entry"]["entered_by"]["capacity"] == "player"
        other = {"person": others[0].person}
        assert (await refused(me.user.act("registration", f"{path}/entrants", other))).type == "not-yourself"
        assert (await refused(me.user.look("registration", f"{path}/entries"))).type == "not-permitted"
        return await CarcassonneHall(self.director, path, "qualification", by_entrant).start()

    # Kvalifikace

    async def qualification(self) -> None:
        """Tables of four and of three, limits per move, seats by lot, a protest, and points taken away."""
        await self.sign_up_all(OPEN)
        times = {"results.minutes_of_turn": 3, "results.clocks": "slow-tables", "results.clocks_by": "officials"}
        leads = {"next_level": {"tournament": self.finale}, "options": times}
        hall = await self.qualifying("Kvalifikace", OPEN, leads)
        first = await hall.play_round(1, before=self.seats_are_drawn)
        assert sorted(len(pair["seats"]) for pair in first) == [3, 4]
        await self.protest(hall, first)
        for number in range(2, ROUNDS + 1):
            assert sorted(len(pair["seats"]) for pair in await hall.play_round(number)) == [3, 4]
        agreed = {"entrant": hall.of(OPEN[-1]), "stage": hall.stage, "round": ROUNDS, "points": -1, "reason": "Helped."}
        penalty = f"{hall.path}/penalties"
        player = hall.tokens[hall.of(OPEN[0])].user
        assert (await refused(player.act("results", penalty, agreed))).type == "not-permitted"
        punished = await self.director.act("results", penalty, agreed)
        await self.look_at_qualification(hall, punished.position)
        ended = await hall.end()
        closed = await self.director.look("standings", f"{hall.path}/stages/{hall.stage}", after=ended)
        self.order = [hall.names[entrant] for place in closed["order"] for entrant in place]

    async def seats_are_drawn(self, hall: "CarcassonneHall", pair: Mapping[str, Any]) -> None:
        """If any player at the table asks for it; and what was announced of clocks stands on the sheet."""
        asks = seats(pair)[-1]
        game, who = f"/v1/games/{pair['game']}", hall.tokens[asks]
        sheet = await who.user.look("results", game, after=who.known)
        assert (sheet["terms"]["minutes_of_turn"], sheet["terms"]["measured_at"]) == (3, "slow-tables")
        assert sheet["terms"]["turn_warnings"] == [30, 10]
        for_other = await refused(
            who.user.act("results", f"{game}/ask", {"entrant": seats(pair)[0], "wish": "seat-draw"})
        )
        assert for_other.type == "only-for-own-seat"
        await who.user.act("results", f"{game}/ask", {"entrant": asks, "wish": "seat-draw"})
        drawn = await self.network.person(ARBITER).act("results", f"{game}/draw-seats")
        assert {*drawn.body["seats_drawn"]} == {*seats(pair)}
        assert [one["entrant"] for one in drawn.body["wishes"]] == [asks]
        incidents = f"{game}/incidents"
        for happened in ({"what": "clock-brought"}, {"what": "limit-passed", "seat": 0}):
            await self.network.person(ARBITER).act("results", incidents, happened)
        noted = (await self.director.look("results", incidents))["incidents"]
        assert [(one["what"], one["seat"]) for one in noted] == [("clock-brought", None), ("limit-passed", 0)]

    async def protest(self, hall: "CarcassonneHall", pairs: Sequence[Mapping[str, Any]]) -> None:
        """Rozhodčí: a player protests for himself alone; three decide, and nobody about the own game."""
        at_table, elsewhere = seats(pairs[0]), seats(pairs[1])
        me = hall.tokens[at_table[0]].user
        path = f"{hall.path}/protests"
        said: Said = {"entrant": at_table[0], "game": pairs[0]["game"], "reason": "A tile was laid wrongly."}
        assert (await refused(me.act("results", path, said | {"entrant": elsewhere[0]}))).type == "not-permitted"
        protest = (await me.act("results", path, said)).body["id"]
        council: list[Said] = [
            {"member": OPERATOR, "upholds": False, "is_chief": True},
            {"member": "judge-2", "upholds": False},
            {"member": "carcassonne-4", "upholds": True, "entrant": at_table[1]},
        ]
        decision: Said = {"council": council, "reason": "It was laid before the next move."}
        decide = f"{path}/{protest}/decide"
        assert (await refused(me.act("results", decide, decision))).type == "not-permitted"
        assert (await refused(self.director.act("results", decide, decision))).type == "own-dispute"
        council[2]["entrant"] = elsewhere[0]
        assert (await self.director.act("results", decide, decision)).body["upheld"] is False
        (filed,) = (await self.director.look("results", path))["protests"]
        assert (filed["words"], len(filed["council"])) == ("A tile was laid wrongly.", 3)

    async def look_at_qualification(self, hall: "CarcassonneHall", after: str | None) -> None:
        """Points of places, then success: as they follow from what was played."""
        path = f"{hall.path}/stages/{hall.stage}/standings?round={ROUNDS}"
        table = (await self.network.anybody().look("standings", path, after=after))["standings"]
        expected = hall.placement()
        expected[OPEN[-1]] -= 1
        assert {hall.names[row["entrant"]]: row["values"]["points"] for row in table} == expected
        assert [row["values"]["success"] for row in table] == [
            round(hall.success(hall.names[row["entrant"]]), 6) for row in table
        ]
        file = lines(await paper(self.network.anybody(), "standings", f"{path}&format=csv"))
        assert {"Points", "Success rate", "Wins", "Second places", "Third places"} <= {*file[0]}
        self.carried |= expected

    # Postup z kvalifikace do finále

    async def answers(self) -> None:
        """One comes from the year with its points, the best of the qualification besides; who declines is replaced."""
        path = f"/v1/tournaments/{self.finale}"
        self.finale_path = path
        best, reserve = self.order[:ADVANCE], self.order[ADVANCE]
        placed = await coming(self.director, path, until={*best})
        winner = self.players[WINNER]
        own = {"person": winner.person}
        assert (await refused(winner.user.act("registration", f"{path}/entrants", own))).type == "by-qualification"
        direct: Said = own | {"direct": True, "direct_source": "brno-2026", "carried": self.carried[WINNER]}
        entered = await self.director.act("registration", f"{path}/entrants", direct)
        leaves = best[1]
        gone = self.players[leaves].user
        foreign = f"{path}/entrants/{placed[best[0]]}/confirm"
        assert (await refused(gone.act("registration", foreign))).type == "not-permitted"
        declined = {"reason": {"code": "declined"}}
        await gone.act("registration", f"{path}/entrants/{placed[leaves]}/withdraw", declined)
        field = {*best} - {leaves} | {reserve, WINNER}
        placed = await coming(self.director, path, until=field)
        assert placed[WINNER] == entered.body["id"]
        for name, entrant in placed.items():
            me = self.players[name].user
            await me.act("registration", f"{path}/entrants/{entrant}/confirm")
            mine = await own_entry(self.players[name], path)
            assert (mine["entry"]["is_confirmed"], mine["entry"]["carried"]) == (True, self.carried[name])
        one = self.players[best[0]].user
        bound = await refused(one.act("registration", f"{path}/entrants/{placed[best[0]]}/withdraw", declined))
        assert bound.type == "bound-by-answer"
        (origin,) = (await self.director.look("registration", f"{path}/qualifiers"))["origins"]
        assert [(one["name"], one["status"], one["confirmed"]) for one in origin["qualifiers"][: ADVANCE + 1]] == [
            (name, "withdrawn" if name == leaves else "entered", name != leaves) for name in self.order[: ADVANCE + 1]
        ]
        self.placed = {entrant: name for name, entrant in placed.items()}

    # Finále

    async def final(self) -> None:
        """Five rounds of two, seats chosen by the order of the qualification, a fallen flag, and forms of the variant."""
        hall = CarcassonneHall(self.director, self.finale_path, "final", self.placed)
        await hall.start({"decision": "small-field"})
        self.hall = hall
        for number in range(1, FINAL_ROUNDS + 1):
            pairs = await hall.play_round(number, before=self.seat_is_chosen, flag=number == 1)
            assert len(pairs) == len(self.placed) / 2
        self.closed = await hall.end()

    async def seat_is_chosen(self, hall: "CarcassonneHall", pair: Mapping[str, Any]) -> None:
        holder = pair["option"]
        (other,) = {*seats(pair)} - {holder}
        assert self.carried[hall.names[holder]] >= self.carried[hall.names[other]]

    async def final_order(self) -> None:
        """Points brought along and won here; then the difference, game points and wins of the final."""
        final = await self.network.anybody().look("standings", f"{self.finale_path}/final", after=self.closed)
        brought = {name: self.carried[name] + won for name, won in self.hall.final_points().items()}
        rows = final["standings"]
        assert {self.placed[row["entrant"]]: row["values"]["points"] for row in rows} == brought
        keys = [
            (row["values"]["points"], row["values"]["game_difference"], row["values"]["game_points"]) for row in rows
        ]
        assert keys == sorted(keys, reverse=True)
        assert [row["place"] for row in rows] == [*range(1, len(rows) + 1)]
        file = lines(
            await paper(
                self.network.anybody(), "standings", f"{self.finale_path}/final?format=csv", names=self.placed.values()
            )
        )
        assert [row[2] for row in file[1:]] == [self.placed[row["entrant"]] for row in rows]
        cross = await self.network.anybody().look("standings", f"{self.finale_path}/stages/final/crosstable")
        assert len(cross["rows"]) == len(rows)


class CarcassonneHall:
    """One tournament as it is played by those who sit at its tables."""

    def __init__(self, judge: User, path: str, stage: str, names: Mapping[str, str]) -> None:
        self.judge, self.path, self.stage, self.names = judge, path, stage, names
        self.known: str | None = None
        self.tokens: dict[str, AtTable] = {}
        self.played: list[tuple[list[str], list[int]]] = []  # who sat there, and the points that count
        self.flagged: set[int] = set()  # of those games, where seat 1 ran out of time

    def of(self, name: str) -> str:
        return next(one for one, known in self.names.items() if known == name)

    async def start(self, said: Said | None = None) -> "CarcassonneHall":
        await self.judge.act("registration", f"{self.path}/open-check-in")
        await self.judge.act("registration", f"{self.path}/check-in", {})
        if said:
            small = await refused(self.judge.act("registration", f"{self.path}/start", {}))
            assert small.type == "not-ready", "a final has 32 players, unless somebody decides otherwise"
        self.known = (await self.judge.act("registration", f"{self.path}/start", said)).position
        tokens = await asyncio.gather(*(handed_token(self.judge, self.path, one) for one in self.names))
        self.tokens = dict(zip(self.names, tokens, strict=True))
        return self

    async def play_round(self, number: int, *, before: Any = None, flag: bool = False) -> Sequence[Mapping[str, Any]]:
        path = f"{self.path}/stages/{self.stage}"
        anybody = self.judge.network.anybody()
        published = await publish_next(self.judge, path, number, after=self.known)
        pairs = published.body["pairs"]
        names = {self.names[seat] for pair in pairs for seat in seats(pair)}
        await paper(anybody, "pairing", f"{path}/rounds/{number}/sheet", after=published.position, names=names)
        for pair in pairs:
            await anybody.look("results", f"/v1/games/{pair['game']}", after=published.position)
            if before is not None:
                await before(self, pair)
        await asyncio.gather(*(self.at_table(pair, flag=flag and pair["table"] == 1) for pair in pairs))
        await round_is_over(anybody, path, number)
        await complete_table(anybody, path, number, after=published.position)
        return pairs

    async def at_table(self, pair: Mapping[str, Any], *, flag: bool) -> None:
        """Who sits there says the same: one reports, the others confirm, until it is final."""
        game, there = f"/v1/games/{pair['game']}", seats(pair)
        scores = [120 - 7 * NAMES.index(self.names[seat]) for seat in there]
        first, *others = [self.tokens[seat] for seat in there]
        if pair["option"]:
            holder = self.tokens[pair["option"]]
            choice = {"entrant": pair["option"], "takes": "colour", "first": pair["option"]}
            await holder.user.act("results", f"{game}/choose", choice, after=holder.known)
            form = {"variant": {"used": ["hand-of-three", "open-tiles"], "monasteries_left": [0, 1]}}
            for one in (first, *others):
                await one.user.act("results", f"{game}/records", form, after=one.known)
        said: Said = {"end": "played", "scores": scores} | ({"flag": 0} if flag else {})
        report = (await first.user.act("results", f"{game}/reports", said, after=first.known)).body
        for other in others:
            if report["status"] != "final":
                number = {"report": report["reports"][-1]["number"]}
                report = (await other.user.act("results", f"{game}/confirm", number, after=other.known)).body
        assert report["status"] == "final", report
        self.played.append((there, [*map(int, report["result"]["scores"])]))
        if flag:
            self.flagged.add(len(self.played) - 1)
            counted, other = report["result"]["scores"]
            assert (report["result"]["points"], other) == ([2, 4], scores[1])
            assert counted == min(scores[0], scores[1] - 1), "at most one less than the opponent"
            assert report["reports"][0]["said"]["scores"] == scores, "the board is kept beside it"

    def placement(self) -> dict[str, float]:
        """Four for the first of a table, three for the second, and so on."""
        found = dict.fromkeys(self.names.values(), 0.0)
        for there, scores in self.played:
            for seat, score in zip(there, scores, strict=True):
                found[self.names[seat]] += 4 - sum(other > score for other in scores)
        return found

    def success(self, name: str) -> float:
        rates = [
            Fraction(scores[there.index(self.of(name))], sum(scores)) * (Fraction(3, 4) if len(there) == 3 else 1)
            for there, scores in self.played
            if self.of(name) in there
        ]
        return float(sum(rates) / len(rates))

    def final_points(self) -> dict[str, float]:
        found = dict.fromkeys(self.names.values(), 0.0)
        for number, (there, scores) in enumerate(self.played):
            won = 1 if number in self.flagged else scores.index(max(scores))
            for seat in (0, 1):
                found[self.names[there[seat]]] += 4 if seat == won else 2
        return found

    async def end(self) -> str | None:
        await close_stage(self.judge, f"{self.path}/stages/{self.stage}")
        return await complete(self.judge, self.path)
