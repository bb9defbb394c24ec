"""A season of Slovak Scrabble, from the roll of its members to the ratings with which the next one begins.

Ten people: most enter themselves, pay, report at their own tables, and answer when they have qualified; the council, the
referee, the desk and the chief administrator online do what is theirs. Pairs, a written contest, an internet tournament and
the laying-out championship are held elsewhere and brought in.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from http import HTTPStatus
from typing import Any
from zoneinfo import ZoneInfo

from deploy.demo.cast import ARBITER, PLAYERS, SCORERS
from deploy.demo.client import Services, User
from deploy.demo.preparation import director, found_federation
from services.standings.seasons.calculate import SeasonStandings, summed
from shared.ids import new_id
from tests.e2e.record import ids
from tests.e2e.scrabble_players import (
    PAUSE,
    OwnTable,
    OwnTournament,
    ScrabblePlayer,
    join,
    lines,
    refusal,
    text,
)
from tests.listening import listening

RULES = "scrabble-sk-2022"
FIELD, PLACES = 3, 4  # the council adds one, for an even number
PLAYED = {"games": 60, "online_games": 12}
ZONE = "Europe/Bratislava"
NEW = "Gizela"  # has never played, and so is on no list
AT_HOME = "Ivana"  # plays nowhere all season
MEMBERS = ("Alžbeta", "Boris", "Cecília", "Fedor")
CHAMPION = "Fedor"
ONLINE_FEES = [{"who": "member", "amount": 4, "currency": "EUR"}, {"who": "non-member", "amount": 6, "currency": "EUR"}]
PROGRAM = {"name": "dictionary", "edition": "El-Sino", "dated": "2022-10-01", "complete": True}
B2 = {"name": "B2", "edition": "09", "dated": "2022-10-17", "declared": 3, "words": "oč ok pé"}

type Said = dict[str, Any]


class ScrabbleSeason:
    """Its steps are called as the regulations call what is done."""

    def __init__(self, network: Services, today: date) -> None:
        self.network, self.today = network, today
        self.council: User = director(network)
        self.referee, self.desk = network.person(ARBITER), network.person(SCORERS[0])
        self.players: dict[str, ScrabblePlayer] = {}  # by first name
        self.first: dict[str, Said] = {}  # ratings as the season begins, by person
        self.cups: dict[str, OwnTournament] = {}  # by the kind as which they count
        self.contests: list[Said] = []  # held elsewhere
        self.newcomer_has_paid = asyncio.Event()  # as who plays for the first time, which is true of one tournament

    async def play(self) -> None:
        await self.the_season_is_opened()
        await self.the_roll_of_members()
        await self.ratings_and_word_lists()
        async with asyncio.TaskGroup() as group:
            group.create_task(self.a_live_qualifying_tournament())
            group.create_task(self.an_online_qualifying_tournament())
        await self.a_tournament_of_m()
        await self.what_was_held_elsewhere()
        await self.who_has_qualified()
        await self.the_championship()
        await self.the_end_of_the_season()

    # Before the first tournament

    async def the_season_is_opened(self) -> None:
        """5.1: the kinds of competition stand in its rules."""
        self.federation = await found_federation(self.council)
        path = f"/v1/federations/{self.federation}/seasons"
        self.season = (await self.council.act("registration", path, {"name": "2026", "rules": RULES})).body["id"]
        whole = (await self.network.anybody().look("registration", f"{path}/{self.season}"))["whole"]
        assert {"live", "online", "written", "internet", "championship", "laying-out"} <= whole["kinds"].keys()
        assert (whole["cut"]["field"], whole["places"][0], len(whole["places"])) == (32, 40, 32)

    async def the_roll_of_members(self) -> None:
        """1.2, 6.1p: people become known themselves, and the council keeps the roll."""
        cast = PLAYERS[:9]
        joined = await asyncio.gather(
            *(
                join(self.network, self.federation, one.name, None if one.name.startswith(NEW) else one.rating)
                for one in cast
            )
        )
        self.players = {one.name.partition(" ")[0]: one for one in joined}
        fee = {"amount": 10, "joining": 5, "currency": "EUR"}
        await self.council.act("registration", f"{self.roll}/fee", fee)
        for name in MEMBERS:
            await self.enrol(name, amount=10)
        assert (await self.council.look("registration", self.roll))["members"] == len(MEMBERS)
        file = await lines(self.council, "registration", f"{self.roll}?format=csv")
        assert [(one["name"].split()[0], one["amount"]) for one in file] == [(name, "10") for name in MEMBERS]
        no = await refusal(self.players["Dušan"].user.act("registration", f"{self.roll}/members", self.dues("Dušan")))
        assert no.type == "not-permitted"
        assert (await refusal(self.players["Dušan"].user.look("registration", self.roll))).type == "not-permitted"

    @property
    def roll(self) -> str:
        return f"/v1/federations/{self.federation}/seasons/{self.season}/roll"

    def dues(self, name: str, **said: Any) -> Said:
        person = self.players[name].person
        paid = {"amount": 10, "currency": "EUR", "on": self.today.isoformat(), "reference": f"RC-{person[-8:]}"}
        return {"person": person} | paid | said

    async def enrol(self, name: str, **said: Any) -> None:
        await self.council.act("registration", f"{self.roll}/members", self.dues(name, **said))

    async def ratings_and_word_lists(self) -> None:
        """1.3, 10.1: Screlo as it stands, live and online, and the lists that decide about words."""
        for player in self.players.values():
            rated: Said = (
                {} if player.rating is None else {"rating": player.rating, "online_rating": player.rating - 100}
            )
            self.first[player.person] = rated | (PLAYED if rated else {})
        columns = ("rating", "online_rating", "games", "online_games")
        listed = {person: said for person, said in self.first.items() if said}
        rows = [",".join(map(str, (person, *(said[one] for one in columns)))) for person, said in listed.items()]
        await self.send("/ratings/import", ["person," + ",".join(columns), *rows])
        self.listed = await self.decide("/ratings/publish")
        screlo = await lines(
            self.network.anybody(), "standings", f"/v1/seasons/{self.season}/ratings/lists/screlo?format=csv"
        )
        assert [one["rating"] for one in screlo] == [str(one.rating) for one in self.players.values() if one.rating]
        no = await refusal(
            self.players["Alžbeta"].user.act("standings", f"/v1/seasons/{self.season}/champion", {"person": None})
        )
        assert no.type == "not-permitted"
        for edition in (B2, PROGRAM | {"words": "kolobežka haluzák"}):
            await self.council.act("results", f"/v1/federations/{self.federation}/word-lists", edition)

    async def send(self, path: str, rows: Sequence[str]) -> None:
        """Until standings knows the season and the people in it."""
        url = f"{self.network.urls['standings']}/v1/seasons/{self.season}{path}"
        headers = {"Authorization": f"Bearer {self.council.token}", "Content-Type": "text/csv"}
        content = "\r\n".join(rows).encode()
        while (await self.network.client.post(url, content=content, headers=headers)).status_code != HTTPStatus.OK:
            await asyncio.sleep(PAUSE)

    async def decide(self, path: str, body: object = None) -> str | None:
        return (await self.council.act("standings", f"/v1/seasons/{self.season}{path}", body)).position

    async def announce(
        self, kind: str, name: str, ruleset: str, *, days: int, official: User | None = None, **said: Any
    ) -> OwnTournament:
        """Nobody but its officials sees it before it is opened."""
        plan: Said = {
            "federation": self.federation,
            "name": name,
            "ruleset": f"{RULES}-{ruleset}",
            "time_zone": ZONE,
            "starts_on": (self.today + timedelta(days=days)).isoformat(),
            "season": self.season,
        }
        announced = await self.council.act("registration", "/v1/tournaments", plan | said)
        cup = OwnTournament(network=self.network, id=announced.body["id"], official=self.council)
        assert (await refusal(cup.look(by=self.players["Alžbeta"].user))).type == "tournament-unknown"
        if official is None:
            await cup.act("open")
        await self.council.look("registration", cup.path, after=self.listed)
        self.cups[kind] = cup
        return cup

    # A qualifying tournament at the table

    async def a_live_qualifying_tournament(self) -> None:
        check_in = {"opens": "08:15", "closes": "08:45"}
        said: Said = {"competition": "live", "first_round": "09:00", "entry": {"check_in": check_in}}
        cup = await self.announce("live", "Košice Cup", "qt", days=25, options={"pairing.rounds": 3}, **said)
        await self.the_announcement(cup)
        await self.players_enter(cup)
        await self.the_presentation(cup)
        await cup.play(1, self.the_first_round)
        assert await self.is_lower_rated_first_on_odd_tables(cup)
        await self.objections(cup)
        await cup.play(2, self.at_the_table(2))
        await cup.play(3, self.one_does_not_come)
        assert frozenset({self.full("Alžbeta"), self.full("Boris")}) not in await cup.met(3)
        self.live_order = await cup.finish()
        assert await cup.table() == cup.record.table(), "as the test itself counts it"
        await self.papers_of_the_live_tournament(cup)

    async def the_announcement(self, cup: OwnTournament) -> None:
        """1.1, 6.1a: what the announcement sets, and what the organiser has to do until when."""
        shown = await cup.look()
        on = self.today + timedelta(days=25)
        assert (shown["status"], shown["competition"], shown["season_kind"]) == ("registration", "live", "live")
        assert (shown["check_in_opens"], shown["check_in_closes"], shown["first_round"]) == ("08:15", "08:45", "09:00")
        duties = {one["what"]: one["until"] for one in shown["duties"]}
        assert duties == {"tournament-form": (on - timedelta(days=21)).isoformat(), "trophies": None}
        thursday = on + timedelta(days=3 - on.weekday())
        closes = datetime.fromisoformat(shown["entries_close"]).astimezone(ZoneInfo(ZONE))
        last_day = min(thursday, on)  # of its week, unless it is played before
        assert (closes.strftime("%H:%M"), closes.date()) == ("00:00", last_day + timedelta(days=1))

    async def players_enter(self, cup: OwnTournament) -> None:
        """1.1 to 1.3: themselves and nobody else; fees by the roll; who is close to whom."""
        alzbeta, boris, dusan, ema = (self.players[one] for one in ("Alžbeta", "Boris", "Dušan", "Ema"))
        for name in ("Alžbeta", "Boris", "Cecília", "Dušan", "Ema"):
            await cup.enter(self.players[name], declared=["member"])
        no = [
            await refusal(ema.user.act("registration", f"{cup.path}/entrants", {"person": alzbeta.person})),
            await refusal(ema.user.look("registration", f"{cup.path}/entries")),
            await refusal(ema.user.act("registration", cup.of(alzbeta, "/withdraw"), {})),
        ]
        assert [one.type for one in no] == ["not-yourself", "not-permitted", "not-permitted"]
        dues = [await self.players[name].due(cup.id) for name in ("Alžbeta", "Dušan", "Ema")]
        assert dues == [[10], [13], [13]], "by the roll, whatever they say of themselves"
        close = {"persons": [alzbeta.person, boris.person]}
        assert (await refusal(ema.user.act("registration", f"{cup.path}/close-persons", close))).type == "not-permitted"
        await cup.act("close-persons", close)
        shown = (await cup.look("/entries", by=self.council))["items"]
        assert {one["entered_by"]["capacity"] for one in shown} == {"player"}, "officials see who asked"
        assert set((await cup.public("payment")).values()) == {"open"}
        await self.enrol("Dušan", amount=15, joins=True, tournament=cup.id)
        assert await dusan.due(cup.id) == [10], "a member from now on"

    async def the_presentation(self, cup: OwnTournament) -> None:
        """1.1: who comes late enters at the desk; the start waits for everybody, and is put back by an hour at most."""
        new, ema = self.players[NEW], self.players["Ema"]
        await cup.act("open-check-in")
        assert (await refusal(new.enter(cup.id))).type == "entries-closed"
        entered = await cup.act("entrants", {"person": new.person, "decision": "other"})
        cup.players[entered.body["id"]] = new
        assert await new.due(cup.id) == [10], "who plays for the first time"
        for player in cup.players.values():
            await cup.pay(player, self.today)
        self.newcomer_has_paid.set()
        assert set((await cup.public("payment")).values()) == {"confirmed"}
        await self.the_attendance_list(cup)
        there = [entrant for entrant, player in cup.players.items() if player != ema]
        attendance = (await self.desk.act("registration", f"{cup.path}/check-in", {"entrants": there})).body
        assert (attendance["checked_in"], attendance["awaited"]) == (5, [cup.entrant(ema)])
        assert "not-checked-in" in str(await cup.look("/start-check", by=self.council))
        no = await refusal(cup.act("postpone-first-round", {"minutes": 61}))
        assert "SK.REG-4" in str(no)
        planned = (await cup.act("postpone-first-round", {"minutes": 20})).body["first_round_at"]
        assert datetime.fromisoformat(planned).astimezone(ZoneInfo(ZONE)).strftime("%H:%M") == "09:20"
        await self.desk.act("registration", cup.of(ema, "/check-in"))
        await self.tell(cup, "Round 1 begins at 9:20.")
        await cup.start()
        bound = await self.network.anybody().look("results", f"{cup.path}/word-lists", after=cup.known)
        assert sorted(bound["editions"]) == ["B2", "dictionary"]

    async def the_attendance_list(self, cup: OwnTournament) -> None:
        """6.1j: printed for the desk, with families marked; nobody else sees who lives together."""
        path = f"{cup.path}/attendance"
        listed = {one["name"]: one for one in await lines(self.desk, "registration", f"{path}?format=csv")}
        assert listed.keys() == {player.name for player in cup.players.values()}
        close = {name: one["close_to"] for name, one in listed.items() if one["close_to"]}
        assert close == {self.full("Alžbeta"): self.full("Boris"), self.full("Boris"): self.full("Alžbeta")}
        assert {one["due"] for one in listed.values()} == {""}, "all have paid"
        assert "0 of 6 are there." in await text(self.desk, "registration", f"{path}?format=page")
        assert (await refusal(self.players["Ema"].user.look("registration", path))).type == "not-permitted"

    async def tell(self, cup: OwnTournament, words: str) -> None:
        """D2.6: whoever listens hears it at once, and whoever comes later reads it."""
        no = await refusal(self.players["Ema"].user.act("registration", f"{cup.path}/notices", {"words": words}))
        assert no.type == "not-permitted"
        async with listening(f"{self.network.urls['registration']}{cup.path}/notices/live", {}) as listener:
            await cup.act("notices", {"words": words})
            heard = json.loads((await listener.next_event()).data or "")
        assert (heard["number"], heard["words"]) == (1, words)

    async def the_first_round(self, table: OwnTable) -> None:
        """2.7: both sides sign; the sheet of the first table has the best turn and a bingo."""
        if table.pair["table"] > 1:
            return await self.usual(table, 1)
        both = await refusal(table.report(0, scores=[400, 300], signed_by=[0, 1]))
        assert (both.type, (await refusal(self.as_stranger(table))).type) == ("only-for-own-seat", "not-permitted")
        turn = {"seat": self.better(table), "points": 98}
        result = await table.agree(
            scores=self.scores(table, 1),
            first=table.pair["first"],
            signed_by=[0],
            highest_turn=turn,
            bingos=[turn],
        )
        assert result["first"] == table.pair["first"], "who really started"
        return None

    async def as_stranger(self, table: OwnTable) -> Any:
        """Who has an account and no place at the table says nothing of it."""
        other = self.players[AT_HOME].user
        return await other.act("results", f"{table.game}/reports", {"end": "played", "scores": [400, 300]})

    def at_the_table(self, number: int) -> Any:
        async def usual(table: OwnTable) -> None:
            await self.usual(table, number)

        return usual

    async def usual(self, table: OwnTable, number: int) -> None:
        await table.agree(scores=self.scores(table, number))

    def scores(self, table: OwnTable, number: int) -> list[int]:
        """Whoever stands further up in the cast makes more."""
        places = [list(self.players.values()).index(one) for one in table.seats]
        return [430 - 17 * place + 3 * number * (place % 3) for place in places]

    def better(self, table: OwnTable) -> int:
        made = self.scores(table, 1)
        return made.index(max(made))

    async def is_lower_rated_first_on_odd_tables(self, cup: OwnTournament) -> bool:
        """1.3, 2.1: by Screlo; who is new has 1600."""
        listed = (await cup.look("/entrants?order=number"))["items"]
        shown = {one["id"]: one["rating"] for one in listed}
        assert [*shown.values()] == sorted(shown.values(), reverse=True)
        assert shown[cup.entrant(self.players[NEW])] == 1600
        odd = [one for one in cup.record.rounds[1]["pairs"] if one["table"] % 2]
        return all(shown[one["first"]] == min(shown[seat] for seat in ids(one["seats"])) for one in odd)

    async def objections(self, cup: OwnTournament) -> None:
        """3a: one word after the other; from six tiles on the referee goes before the program."""
        pair = cup.record.rounds[1]["pairs"][0]
        game = f"/v1/games/{pair['game']}/objections"
        slang = {"haluzák": {"lemma": "haluzák", "kssj": {"labels": "slang."}}}
        words = {"kind": "word", "objector": 1, "laid": ["kolobežka", "haluzák", "oč"], "referee": slang, "of_turn": 7}
        at_table = cup.captains[pair["seats"][0]["entrant"]]
        assert (await refusal(at_table.act("results", game, words))).type == "not-permitted"
        (ruling,) = (await self.referee.act("results", game, words)).body["rulings"]
        assert (ruling["upheld"], ruling["turn"], ruling["costs"]) == (True, "lost", 5)
        assert ruling["not_considered"] == ["OČ"]
        (allowed, banned) = ruling["words_ruled"]
        assert (allowed["by"], allowed["valid"]) == ("El-Sino of 2022-10-01", True)
        assert (banned["by"], banned["source"], banned["overrules"]) == ("referee", "KSSJ", allowed["by"])
        short = {"kind": "word", "objector": 1, "laid": ["xx"], "referee": {"xx": "valid"}}
        assert "SK.X-8" in str(await refusal(self.referee.act("results", game, short)))
        assert (await at_table.look("results", game))["rulings"][0]["words_ruled"] == ruling["words_ruled"]

    async def one_does_not_come(self, table: OwnTable) -> None:
        """2.6: nobody came to play for 22 minutes, and the referee says so."""
        away = table.seat(self.full(NEW))
        if away is None:
            return await self.usual(table, 3)
        no = await refusal(table.decide(table.speaker(1 - away), end="no_show", by=away))
        assert no.type == "not-permitted"
        result = (await table.decide(self.referee, end="no_show", by=away, after=23))["result"]
        assert (result["scores"][away], result["scores"][1 - away]) == (0, 100)
        return None

    def full(self, name: str) -> str:
        return self.players[name].name

    async def papers_of_the_live_tournament(self, cup: OwnTournament) -> None:
        """6.1: pairings, tables, cash and records, as the organiser hands them on."""
        sheet = await text(self.network.anybody(), "pairing", f"{cup.stage}/rounds/1/sheet")
        assert all(one.name in sheet for one in cup.players.values())
        cross = await lines(self.network.anybody(), "standings", f"{cup.stage}/crosstable?format=csv")
        final = await lines(self.network.anybody(), "standings", f"{cup.path}/final?format=csv")
        assert [one["name"] for one in final] == [one["name"] for one in cross] == self.live_order
        cash = await cup.look("/cash", by=self.council)
        assert [(one["kind"], one["entrants"], one["paid"], one["open"]) for one in cash["kinds"]] == [
            ("member", 4, 40, 0),
            ("non-member", 1, 13, 0),
            ("first-time", 1, 10, 0),
            ("membership", 1, 15, 0),
        ]
        file = await lines(self.council, "registration", f"{cup.path}/cash?format=csv")
        assert (file[-1]["kind"], file[-1]["kept"]) == ("total", "78")
        assert (await refusal(cup.look("/cash", by=self.players["Ema"].user))).type == "not-permitted"
        records = await lines(self.network.anybody(), "results", f"{cup.path}/records?format=csv")
        best = {one["record"]: int(one["value"]) for one in records}
        made = list(cup.record.results.values())
        assert (best["turn"], best["bingos-of-tournament"]) == (98, 1)
        assert best["joint-score"] == max(map(sum, made))
        assert best["score"] == max(map(max, made))
        assert "From 9 games" in await text(self.network.anybody(), "results", f"{cup.path}/records?format=page")
        (notice,) = (await cup.look("/notices"))["items"]
        assert notice["words"] == "Round 1 begins at 9:20."

    # A qualifying tournament online

    async def an_online_qualifying_tournament(self) -> None:
        """Two members of the council might direct it: one of them is its chief administrator."""
        chief = new_id().hex
        said: Said = {
            "competition": "online",
            "first_round": "18:00",
            "options": {
                "pairing.rounds": 3,
                "results.latest_start": 10,
                "results.minutes": 15,
                "results.limit": 40,
            },
            "entry": {"fees": ONLINE_FEES, "channels": ["https://forum.example.org/cup"]},
        }
        cup = await self.announce("online", "Online Cup", "online", days=18, official=self.council, **said)
        await self.the_chief_administrator(cup, chief)
        await self.players_enter_and_prepay(cup)
        cup.official = self.network.person(chief)
        await cup.start()
        await self.tell(cup, "Round 1 begins at 18:00 on the server.")
        await cup.play(1, self.defaults_and_complaints)
        first = next(one for one in (await cup.look("/entrants"))["items"] if one["number"] == 1)
        assert (first["rating"], first["rating_from"]) == (1942 - 100, "list"), "by online Screlo"
        (pair,) = (one for one in cup.record.rounds[1]["pairs"] if first["id"] in ids(one["seats"]))
        assert pair["first"] != first["id"], "D2.4: the first seed does not start"
        await cup.play(2, self.a_second_default_and_a_draw)
        await self.is_expelled(cup, NEW)
        await cup.play(3, self.at_the_table(3))
        await self.online_order(cup)
        await self.papers_of_the_online_tournament(cup)

    async def the_chief_administrator(self, cup: OwnTournament, chief: str) -> None:
        """D2.5: exactly one, of the council; D4.3 to 4.5: what the announcement sets is shown."""
        shown = await cup.look(by=self.council)
        (stage,) = shown["times"]
        assert "Who is not there 10 minutes after the start of the round has lost." in stage["times"]
        assert "Games end within 40 minutes of the start of the round." in stage["times"]
        assert shown["channels"] == ["https://forum.example.org/cup"]
        await cup.act("open")
        await cup.act("officials", {"subject": chief, "role": "director"})
        assert "SK.REG-13" in str(await cup.look("/start-check", by=self.council))
        office = {"subject": chief, "role": "council"}
        await self.council.act("registration", f"/v1/federations/{self.federation}/officials", office)
        assert "SK.REG-13" not in str(await cup.look("/start-check", by=self.council))

    async def players_enter_and_prepay(self, cup: OwnTournament) -> None:
        """D2.1 to 2.3: the form and the fee; who has paid stands in the list; who withdraws in time gets it back."""
        for name in ("Alžbeta", "Boris", "Cecília", "Dušan", "Ema", CHAMPION, NEW, "Hugo"):
            await cup.enter(self.players[name], declared=["platform-account"])
        fedor, hugo, ema = self.players[CHAMPION], self.players["Hugo"], self.players["Ema"]
        assert (await fedor.due(cup.id), await ema.due(cup.id)) == ([4], [6])
        assert set((await cup.public("payment")).values()) == {"open"}
        for player in cup.players.values():
            if player != hugo:
                await cup.pay(player, self.today)
        paid = await cup.public("payment")
        assert (paid[fedor.name], paid[hugo.name]) == ("confirmed", "open")
        await fedor.user.act("registration", cup.of(fedor, "/withdraw"), {"reason": {"code": "ill"}})
        (back,) = (await fedor.entry(cup.id))["entry"]["refund_due"]
        assert back == {"amount": 4, "currency": "EUR"}
        refund = back | {"on": self.today.isoformat(), "reference": "VS-BACK-1"}
        await cup.act(f"entrants/{cup.entrant(fedor)}/refunds", refund)
        assert (await fedor.entry(cup.id))["entry"]["refund_due"] == []
        await self.newcomer_has_paid.wait()
        await cup.act("open-check-in")
        no = await refusal(self.desk.act("registration", cup.of(hugo, "/check-in")))
        assert (no.type, "SK.REG-12" in str(no)) == ("not-paid", True)
        await cup.act(f"entrants/{cup.entrant(hugo)}/strike-off", {"reason": {"code": "unpaid"}})
        await self.desk.act("registration", f"{cup.path}/check-in", {})
        assert sorted((await cup.public("payment")).values(), key=str) == [None] * 2 + ["confirmed"] * 6

    async def defaults_and_complaints(self, table: OwnTable) -> None:
        """D4.3, D4.7 to 4.9: what players report of a default waits for the chief administrator; results are complained
        about until the next round."""
        away = table.seat(self.full(NEW))
        if away is not None:
            return await self.a_default(table, away)
        dropped = table.seat(self.full("Ema"))
        if dropped is not None:
            said: Said = {"end": "disconnected", "by": dropped, "scores": [300, 300]}
            said["scores"][dropped] = 340
            assert (await table.report(1 - dropped, **said))["awaits_director"]
            result = (await table.confirm(table.cup.official))["result"]
            assert (result["scores"][dropped], result["scores"][1 - dropped]) == (340, 390)
            return None
        await table.agree(scores=[301, 300])
        complaint = {"reason": "My last turn is missing: it was 320 to 300."}
        loser = table.speaker(1)
        assert (await loser.act("results", f"{table.game}/complain", complaint)).body["complaints"][0]["upheld"] is None
        answer = {"upheld": True, "reason": "The server says so too."}
        await table.cup.official.act("results", f"{table.game}/complaints/1/answer", answer)
        corrected = await table.decide(table.cup.official, "correct", end="played", scores=[300, 320])
        assert corrected["result"]["points"] == [0, 1]
        self.complained = table
        return None

    async def a_default(self, table: OwnTable, away: int) -> None:
        absent: Said = {"end": "no_show", "by": away, "after": 12}
        early = await refusal(table.report(1 - away, **absent | {"after": 5}))
        assert early.type == "faulty"
        reported = await table.report(1 - away, **absent)
        assert (reported["status"], reported["awaits_director"]) == ("reported", True)
        for official in (self.referee, self.council):
            assert (await refusal(table.decide(official, **absent))).type == "not-the-director"
        assert (await table.sheet())["status"] == "reported"
        result = (await table.confirm(table.cup.official))["result"]
        assert (result["scores"][away], result["points"][away]) == (0, 0)
        assert (result["scores"][1 - away], result["points"][1 - away]) == (100, 1)

    async def a_second_default_and_a_draw(self, table: OwnTable) -> None:
        """D3.5: an agreed draw has the lower score for both, once both have confirmed it; D4.7: it is too late now to
        complain about the round before."""
        away = table.seat(self.full(NEW))
        if away is not None:
            late = {"reason": "Once more."}
            no = await refusal(self.complained.speaker(0).act("results", f"{self.complained.game}/complain", late))
            assert no.type == "too-late"
            return await self.a_default(table, away)
        if table.seat(self.full("Cecília")) is None:
            return await self.usual(table, 2)
        drawn: Said = {"end": "agreed_draw", "scores": [420, 300], "confirmed": [True, True]}
        result = await table.agree(**drawn)
        assert (result["scores"], result["points"]) == ([300, 300], [0.5, 0.5])
        return None

    async def is_expelled(self, cup: OwnTournament, name: str) -> None:
        """D3.6: by the second default without a move."""
        url = f"{cup.path}/entrants/{cup.entrant(self.players[name])}"
        while (gone := (await self.network.anybody().look("registration", url))["left"]) is None:
            await asyncio.sleep(PAUSE)
        assert (gone["after_round"], gone["why"]) == (2, "expelled")
        assert (await self.players[name].entry(cup.id))["entry"]["refund_due"] == []
        cup.known = await self.settled(cup)

    async def settled(self, cup: OwnTournament) -> str | None:
        """A position from which on everybody knows what registration has said until now."""
        return (await cup.act("notices", {"words": "One player has been expelled."})).position

    async def online_order(self, cup: OwnTournament) -> None:
        """D2.4: what decides in the end are the points that somebody made."""
        made: dict[str, float] = dict.fromkeys(cup.record.entrants, 0)
        for number, published in cup.record.rounds.items():
            for pair in published["pairs"]:
                for entrant, score in zip(ids(pair["seats"]), cup.record.results[pair["game"]], strict=True):
                    made[entrant] += score
            for entrant in ids(published["byes"]):
                assert number == 3, "only where somebody is gone"
                made[entrant] += 20
        await cup.finish()
        table = await cup.table()
        assert {entrant: values["made_points"] for _, _, entrant, values in table} == made
        assert [*table[0][3]][:5] == ["points", "wins", "median_buchholz", "buchholz", "made_points"]

    async def papers_of_the_online_tournament(self, cup: OwnTournament) -> None:
        cash = await cup.look("/cash", by=self.council)
        assert [(one["kind"], one["paid"], one["refunded"], one["kept"]) for one in cash["kinds"]] == [
            ("member", 20, 4, 16),
            ("non-member", 12, 0, 12),
        ], cash
        words = [one["words"] for one in (await cup.look("/notices"))["items"]]
        assert words == ["Round 1 begins at 18:00 on the server.", "One player has been expelled."]

    # What else there is in a season

    async def a_tournament_of_m(self) -> None:
        """1.3, 17.1: its racks are counted with its own tiles, and it counts as a tournament of 'm'."""
        said: Said = {"competition": "live", "variant": "m", "options": {"pairing.rounds": 1}}
        cup = await self.announce("m", "Cup of m", "qt", days=32, **said)
        for name in ("Cecília", "Dušan", "Ema", CHAMPION):
            await cup.enter(self.players[name])
        await cup.act("open-check-in")
        for player in cup.players.values():
            await cup.pay(player, self.today)
        await self.desk.act("registration", f"{cup.path}/check-in", {})
        await cup.start()
        await cup.play(1, self.racks_of_m)
        shown = await cup.look()
        assert (shown["variant"], shown["season_kind"]) == ("m", "m")
        await cup.finish()

    async def racks_of_m(self, table: OwnTable) -> None:
        """An X is worth 9 here, and 10 among the hundred tiles."""
        terms = (await table.sheet())["terms"]
        assert terms["tiles"] == "sk-110-m"
        made = self.scores(table, 1)
        finish = {"racks": [[], ["X", "?", "A"]], "in_bag": 0}
        no = await refusal(table.report(0, scores=made, finish={"racks": [[], ["Q"]]}))
        assert no.type == "faulty"
        result = await table.agree(scores=made, finish=finish)
        assert result["scores"] == [made[0] + 10, made[1] - 10]

    async def what_was_held_elsewhere(self) -> None:
        """5.1, 9.1: pairs have one place, organisers theirs, and games move ratings."""
        person = {name: player.person for name, player in self.players.items()}
        self.contests = [
            self.contest("pairs-1", "pairs", Alžbeta=1, Boris=1, Cecília=2, Dušan=2),
            self.contest("ps-1", "written", Dušan=1, Ema=2) | {"organisers": [person["Alžbeta"]]},
            self.contest("it-1", "internet", Hugo=1, Cecília=2),
            self.contest("laid-1", "laying-out", Ema=1, Alžbeta=2),
        ]
        rows = [
            f"{one['id']},{one['kind']},{self.today},{placed['player']},{placed['place']},"
            for one in self.contests
            for placed in one["places"]
        ]
        head = "contest,kind,on,person,place,organiser"
        await self.send("/contests/import", [head, *rows, f"ps-1,written,{self.today},{person['Alžbeta']},,yes"])
        game = f"it-1,1,{person['Hugo']},{person['Cecília']},1"
        await self.send("/games/import", ["contest,round,person,opponent,points", game])
        self.contests[2]["games"] = [{"players": [person["Hugo"], person["Cecília"]], "points": [1, 0]}]

    def contest(self, name: str, kind: str, **places: int) -> Said:
        placed = [{"player": self.players[one].person, "place": place} for one, place in places.items()]
        return {"id": name, "kind": kind, "places": placed}

    # The championship

    async def who_has_qualified(self) -> None:
        """7.1: the champion and the best by points from qualifying tournaments; the others are reserves, in order."""
        await self.decide("/champion", {"person": self.players[CHAMPION].person})
        await self.decide("/field", {"field": FIELD})
        said: Said = {"competition": "championship", "entry": {"most": PLACES}}
        cup = await self.announce("championship", "Championship", "ms", days=60, **said)
        duties = {one["what"]: one["until"] for one in (await cup.look())["duties"]}
        assert duties["publish-the-field"] == (self.today + timedelta(days=60 - 14)).isoformat()
        leads = f"/v1/federations/{self.federation}/seasons/{self.season}/next-level"
        await self.council.act("registration", leads, {"tournament": cup.id})
        url = f"/v1/seasons/{self.season}/qualification/publish"
        assert (await refusal(self.players["Ema"].user.act("standings", url))).type == "not-permitted"
        await self.decide("/qualification/publish")
        table = await self.table()
        expected = await self.written_down()
        assert [(row["person"], row["points"]) for row in table["qualification"]] == [
            (row.player, row.points) for row in expected.qualification
        ]
        self.qualified = [row["person"] for row in table["qualification"] if row["qualified"]]
        self.reserves = [row["person"] for row in table["reserves"]]
        assert (len(self.qualified), self.players[CHAMPION].person in self.qualified) == (FIELD, True)
        assert self.reserves == expected.reserves
        gizela = next(row for row in table["qualification"] if row["person"] == self.players[NEW].person)
        assert gizela["points"] == 27, "sixth at the table; who was expelled online has nothing from there"

    async def the_championship(self) -> None:
        cup = self.cups["championship"]
        await self.they_answer_themselves(cup)
        await self.on_the_day(cup)
        await cup.start()
        for number in (1, 2, 3):
            await cup.play(number, self.at_the_table(number))
        assert (await self.network.anybody().look("pairing", f"{cup.stage}/next"))["round"] is None, "each met each"
        self.final = await cup.finish()
        await self.papers_of_the_championship(cup)

    async def they_answer_themselves(self, cup: OwnTournament) -> None:
        """7.1: an answer binds; a reserve is called at once; nobody answers for others."""
        by_person = {player.person: player for player in self.players.values()}
        await self.placed(cup, self.qualified)
        declines = next(by_person[one] for one in self.qualified if one != self.players[CHAMPION].person)
        called = by_person[self.reserves[0]]
        assert (await refusal(self.players["Hugo"].enter(cup.id))).type == "by-qualification"
        no = await refusal(called.user.act("registration", cup.of(declines, "/confirm")))
        assert no.type == "not-permitted"
        await declines.user.act("registration", cup.of(declines, "/withdraw"), {"reason": {"code": "declined"}})
        coming = [one for one in [*self.qualified, called.person] if one != declines.person]
        await self.placed(cup, coming)
        coming += await self.the_council_calls(cup, [by_person[one] for one in self.reserves[1:]])
        for person in coming:
            player = by_person[person]
            confirmed = await player.user.act("registration", cup.of(player, "/confirm"))
            assert confirmed.body["is_confirmed"]
        no = await refusal(called.user.act("registration", cup.of(called, "/withdraw"), {"reason": {"code": "ill"}}))
        assert (no.type, "SK.REG-11" in str(no)) == ("bound-by-answer", True)
        self.in_field = [by_person[one] for one in coming]

    async def the_council_calls(self, cup: OwnTournament, waiting: Sequence[ScrabblePlayer]) -> list[str]:
        """Reserves in their order; to pass one over takes a reason, which they find in their history."""
        shown = (await cup.look("/entrants"))["items"]
        assert [cup.players[one["id"]] for one in shown if one["status"] == "waiting"] == [*waiting]
        passed, chosen, last = waiting
        order: Said = {"entrant": cup.entrant(chosen)}
        no = await refusal(cup.act("call-reserve", order))
        assert (no.type, "SK.REG-11" in str(no)) == ("out-of-order", True)
        await cup.act("call-reserve", order | {"reason": {"code": "not-reached", "words": "Two calls, no answer."}})
        history = (await cup.look(f"/entrants/{cup.entrant(passed)}/history", by=self.council))["items"][-1]
        assert (history["what"], history["why"], history["clause"]) == (
            *("reserve-passed-over", "not-reached", "SK.REG-11"),
        )
        await last.user.act("registration", cup.of(last, "/withdraw"), {"reason": {"code": "other-plans"}})
        return [chosen.person]

    async def placed(self, cup: OwnTournament, persons: Sequence[str]) -> None:
        """Standings tells registration who is qualified; reserves wait in their order."""
        by_person = {player.person: player for player in self.players.values()}
        while True:
            shown = (await cup.look("/entrants"))["items"]
            cup.players = {one["id"]: by_person[one["persons"][0]["id"]] for one in shown}
            if {one["persons"][0]["id"] for one in shown if one["status"] == "entered"} == set(persons):
                return
            await asyncio.sleep(PAUSE)

    async def on_the_day(self, cup: OwnTournament) -> None:
        """1.2: both fees add up, and hotel guests are let off one; 7.1: a wild card fills what is left on the day."""
        guest, absent, hugo = self.in_field[0], self.in_field[-1], self.players["Hugo"]
        passed = next(one for one in self.players.values() if one.person == self.reserves[1])
        hotel = {"ground": "hotel-guest"}
        await guest.user.act("registration", cup.of(guest, "/waivers/request"), hotel)
        no = await refusal(guest.user.act("registration", cup.of(guest, "/waivers/grant"), hotel))
        assert no.type == "not-permitted"
        await cup.act(f"entrants/{cup.entrant(guest)}/waivers/grant", hotel)
        assert (await guest.due(cup.id), (await cup.public("payment"))[guest.name]) == ([], "confirmed")
        wild = {"person": hugo.person, "decision": "wild-card"}
        assert (await refusal(cup.act("entrants", wild))).type == "no-place-left"
        await cup.act("open-check-in")
        await cup.act(f"entrants/{cup.entrant(absent)}/strike-off", {"reason": {"code": "absent"}})
        assert (await cup.public("status"))[passed.name] == "entered", "the next reserve, who is not there"
        assert (await refusal(cup.act("entrants", wild))).type == "no-place-left"
        await cup.act(f"entrants/{cup.entrant(passed)}/strike-off", {"reason": {"code": "absent"}})
        cup.players[(await cup.act("entrants", wild)).body["id"]] = hugo
        assert sum(await hugo.due(cup.id)) == 20, "who is no member and not in the hotel"
        self.in_field = [*self.in_field[:-1], hugo]
        for player in self.in_field:
            await cup.pay(player, self.today)
        await cup.act(f"entrants/{cup.entrant(hugo)}/confirm")
        await self.desk.act("registration", f"{cup.path}/check-in", {})
        assert (await cup.look("/start-check", by=self.council))["blockers"] == []

    async def papers_of_the_championship(self, cup: OwnTournament) -> None:
        """2.7, 6.1: its table, its cash, and that nothing was noted of turns."""
        assert {*self.final} == {player.name for player in self.in_field}
        values = (await cup.table())[0][3]
        assert [*values][:3] == ["points", "sonneborn_berger", "score_difference"], "a round robin of three rounds"
        cash = await cup.look("/cash", by=self.council)
        everybody = cash["kinds"][0]
        assert (everybody["kind"], everybody["due"], everybody["waived"], everybody["paid"]) == (
            "everybody",
            40,
            10,
            30,
        )
        records = await self.network.anybody().look("results", f"{cup.path}/records")
        assert (records["noted"]["games"], records["noted"]["turns"]) == (6, 0)

    # The end

    async def the_end_of_the_season(self) -> None:
        """7.1, 9.1, 1.3: the cup, who had qualified, and the ratings, as the calculator has them; all of it as papers."""
        await self.decide("/close")
        found, expected = await self.table(), await self.written_down()
        assert (found["status"], len(found["tournaments"])) == ("closed", 8)
        assert [(row["person"], row["place"], row["points"], len(row["slots"])) for row in found["cup"]] == [
            (row.player, row.place, row.points, len(row.slots)) for row in expected.cup
        ]
        champions = {
            slot["tournament"]: slot for row in found["cup"] for slot in row["slots"] if slot["coefficient"] == 2
        }
        assert champions.keys() == {"laid-1", self.cups["championship"].id}
        gizela = next(row for row in found["cup"] if row["person"] == self.players[NEW].person)
        assert [slot["tournament"] for slot in gizela["slots"]] == [self.cups["live"].id], (
            "nothing where she was expelled"
        )
        cup = await lines(self.network.anybody(), "standings", f"/v1/seasons/{self.season}?format=csv&sheet=cup")
        assert [(row["name"], int(row["points"])) for row in cup] == [
            (row["name"], row["points"]) for row in found["cup"]
        ]
        sheet = f"/v1/seasons/{self.season}?format=csv&sheet=qualification"
        qualification = await lines(self.network.anybody(), "standings", sheet)
        assert [row["person"] for row in qualification] == [row["person"] for row in found["qualification"]]
        await self.ratings_of_the_next_season(expected)

    async def ratings_of_the_next_season(self, expected: SeasonStandings) -> None:
        """1.3, D2.4: what was played moves each list; who plays nowhere loses 50."""
        url = f"/v1/seasons/{self.season}/ratings"
        rated = (await self.network.anybody().look("standings", url))["ratings"]
        assert {(row["list"], row["person"]): (row["rating"], row["games"]) for row in rated} == {
            (row.list, row.player): (row.after, row.games) for row in expected.ratings
        }
        idle = self.players[AT_HOME]
        after = {row["list"]: row["rating"] for row in rated if row["person"] == idle.person}
        assert after == {"live": (idle.rating or 0) - 50, "online": 1602 - 2}
        columns = await lines(self.network.anybody(), "standings", f"{url}?format=csv")
        assert {"person", "rating", "online_rating", "games", "online_games"} <= columns[0].keys()
        published = await lines(self.network.anybody(), "standings", f"{url}/lists/screlo?format=csv")
        assert {row["name"]: int(row["rating"]) for row in published}[idle.name] == after["live"]

    async def table(self) -> Any:
        return await self.network.anybody().look("standings", f"/v1/seasons/{self.season}")

    async def written_down(self) -> SeasonStandings:
        """What the calculator makes of what was played."""
        champion = self.players[CHAMPION].person
        played = [
            await self.of_cup(kind, self.cups[kind])
            for kind in ("online", "live", "m", "championship")
            if kind in self.cups and self.cups[kind].record.rounds
        ]
        return summed(
            {
                "season": RULES,
                "players": [{"id": one, "champion": one == champion} | said for one, said in self.first.items()],
                "tournaments": [*self.contests, *played],
                "field": FIELD,
            }
        )

    async def of_cup(self, kind: str, cup: OwnTournament) -> Mapping[str, Any]:
        person = {entrant: player.person for entrant, player in cup.players.items()}
        final = (await self.network.anybody().look("standings", f"{cup.path}/final"))["standings"]
        gone = {one["id"] for one in (await cup.look("/entrants"))["items"] if one["left"]}
        results = [sheet for _, sheet in await cup.games() if sheet["result"]["end"] not in {"no_show", "both_absent"}]
        return {
            "id": cup.id,
            "kind": kind,
            "places": [
                {"player": person[row["entrant"]], "place": row["place"], "expelled": row["entrant"] in gone}
                for row in final
            ],
            "games": [
                {"players": [person[seat] for seat in ids(one["seats"])], "points": one["result"]["points"]}
                for one in results
            ],
        }
