"""A Polish championship of Othello: players enter themselves, are late, are punished, and end up with titles and prizes."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from deploy.demo.cast import ARBITER, SCORERS
from deploy.demo.client import Reply, Services, User
from deploy.demo.play import close as close_stage
from deploy.demo.play import complete, complete_table, publish_next, round_is_over
from deploy.demo.preparation import AHEAD, director, found_federation
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

RULES = "othello-pl-2021"
ROUNDS = 3

# Whoever stands earlier wins. The first six have played semifinals before, so in round 1 each meets one of the others.
BOY, GIRL, LATE, DESK = "Jan Bystry", "Zuzanna Mała", "Xawery Późny", "Marek Nagły"
STRONG = (BOY, "Adam Biały", "Bogdan Czarny", "Cezary Pionek", "Damian Rożny", "Edward Brzegowy")
WOMEN = ("Wanda Cicha", "Weronika Jasna", "Wiktoria Bystra", GIRL)
BLIND = "Olaf Dotykowy"
FIELD = (*STRONG, *WOMEN[:3], BLIND, GIRL, DESK, LATE)
YOUNG = {BOY: 12, GIRL: 10}

FIRST_NOTICE = "Presence is confirmed at the desk until 9:45."
LAST_NOTICE = "The last ranking round begins at 12:00."

TITLES = {
    (None, 1): "Mistrz Polski w Othello",
    (None, 2): "Wicemistrz Polski w Othello",
    (None, 3): "II Wicemistrz Polski w Othello",
    ("women", 1): "Mistrzyni Polski w Othello",
    ("juniors", 1): "Mistrz Polski Juniorów w Othello",
}


class OthelloSeason:
    """Twelve play, and one more from the second round on; it is as many rounds as the organiser has announced."""

    def __init__(self, network: Services, today: date) -> None:
        self.network, self.today = network, today
        self.starts_on = today + AHEAD
        self.director: User = director(network)
        self.arbiter, self.scorer = network.person(ARBITER), network.person(SCORERS[0])
        self.players: dict[str, SignedPlayer] = {}  # by name
        self.tokens: dict[str, AtTable] = {}  # by entrant
        self.names: dict[str, str] = {}  # by entrant
        self.known: str | None = None  # what the next round has to rest on
        self.played: dict[str, list[Mapping[str, Any]]] = {}  # the pairs of each stage, as they were published
        self.byes: list[str] = []  # of the round that is played
        self.had_bye: set[str] = set()
        self.scores: dict[str, list[int]] = {}  # of each game, as they count

    async def play(self) -> None:
        await self.announcement()
        await self.entries_by_mail()
        await self.entry_fees()
        await self.day_of_the_championship()
        await self.ranking_rounds()
        await self.provisional_lists()
        await self.play_offs()
        await self.semifinals()
        await self.finals()
        await self.prizes()
        await self.last_papers()

    # I. General rules and conditions

    async def announcement(self) -> None:
        """1.2 and the timetable; the organiser changes it, plays fewer rounds, and names the fees of this year."""
        self.federation = await found_federation(self.director)
        for subject in (ARBITER, SCORERS[0]):
            role = "arbiter" if subject == ARBITER else "scorer"
            office = {"subject": subject, "role": role}
            await self.director.act("registration", f"/v1/federations/{self.federation}/officials", office)
        fees = [
            {"who": "everybody", "amount": 100, "currency": "PLN", "until": self.yesterday, "rule_id": "OT.REG-4"},
            {"who": "everybody", "amount": 150, "currency": "PLN", "rule_id": "OT.REG-4"},
        ]
        times = ("10:00", "11:00", "12:00")
        rounds = [{"day": 1, "time": at, "stage": "preliminary", "round": n} for n, at in enumerate(times, 1)]
        own = [*rounds, {"day": 1, "time": "13:00", "what": "Lunch"}, {"day": 1, "time": "15:00", "what": "Semifinals"}]
        plan: Said = {
            "federation": self.federation,
            "name": "Mistrzostwa Polski w Othello",
            "ruleset": RULES,
            "time_zone": "Europe/Warsaw",
            "starts_on": self.starts_on.isoformat(),
            "entry": {"fees": fees},
            "options": {"pairing.system": "cost-swiss", "pairing.rounds": ROUNDS},
            "shown_names": "first-name-and-initial",
        }
        announced = await self.director.act("registration", "/v1/tournaments", plan)
        self.path = f"/v1/tournaments/{announced.body['id']}"
        printed = {one["what"]: one["at"] for one in announced.body["timetable"]}
        assert printed["Semifinals"][10:16] == "T11:30"
        hidden = await refused(self.network.anybody().look("registration", self.path))
        assert hidden.type == "tournament-unknown"
        change = {"options": {"pairing.timetable": own}, "reason": {"code": "fewer-rounds"}}
        changed = await self.director.act("registration", f"{self.path}/change-plan", change)
        assert [(one["what"], one["at"][11:16]) for one in changed.body["timetable"]][:1] == [
            ("Preliminary rounds, round 1", "10:00")
        ]
        await self.director.act("registration", f"{self.path}/open")

    async def entries_by_mail(self) -> None:
        """1.3 a, special needs and 22: each says the own particulars, asks for a board, agrees, and enters."""
        by_mail = [name for name in FIELD if name != DESK]
        self.players = {one.name: one for one in await asyncio.gather(*map(self.signed_up, by_mail))}
        self.players = {one.name: one for one in await asyncio.gather(*map(self.enters, by_mail))}
        await self.what_a_player_may_not()
        blind = (await own_entry(self.players[BLIND], self.path))["entry"]
        assert (blind["needs"], blind["due"]) == (["tactile-board"], [{"amount": 150, "currency": "PLN"}])
        boy = (await own_entry(self.players[BOY], self.path))["entry"]
        assert ([one["kind"] for one in boy["lacks"]], boy["entered_by"]["capacity"]) == (["not-checked-in"], "player")
        for name in STRONG:
            said = self.entry_of(name) | {"history": True, "history_source": "mp-2019"}
            del said["person"]
            await self.director.act("registration", f"{self.entrant(name)}/detail", said)
        story = (await self.director.look("registration", f"{self.entrant(BOY)}/history"))["items"]
        asked = [(one["what"], one["capacity"]) for one in story]
        assert (asked[0], asked[-1]) == (("entrant-entered", "player"), ("entry-detailed", None)), asked

    async def enters(self, name: str) -> SignedPlayer:
        player = self.players[name]
        entered = await player.user.act("registration", f"{self.path}/entrants", self.entry_of(name))
        return SignedPlayer(name=name, person=player.person, user=player.user, entrant=entered.body["id"])

    async def signed_up(self, name: str) -> SignedPlayer:
        number, born = FIELD.index(name), self.starts_on.year - YOUNG.get(name, 35)
        said = {"born": f"{born}", "town": "Warszawa", "email": f"p{number}@example.org", "phone": "+48 600 000 000"}
        subject = f"othello-{number}"
        return await sign_up(self.network, self.federation, name, subject, citizenship=["PL"], **said)

    def entry_of(self, name: str) -> Said:
        said: Said = {"declared": ["rules-known"], "consents": ["rules", "images", "data-processing"]}
        said |= {"lists": ["women"]} if name in WOMEN else {}
        said |= {"needs": ["tactile-board"]} if name == BLIND else {}
        return said | ({"person": self.players[name].person} if name in self.players else {})

    async def what_a_player_may_not(self) -> None:
        """Enter others, see others, say what is the organiser's to say, come by the desk's way, or record money."""
        me, other = self.players[BOY], self.players[GIRL]
        entrants = f"{self.path}/entrants"
        for said, why in (
            ({"person": other.person}, "not-yourself"),
            ({"person": me.person, "history": True}, "only-officials-say"),
            ({"person": me.person, "declared": ["on-site"]}, "only-officials-say"),
        ):
            assert (await refused(me.user.act("registration", entrants, said))).type == why
        for path in (f"{entrants}/{other.entrant}/entry", f"{self.path}/entries", f"{self.path}/cash"):
            assert (await refused(me.user.look("registration", path))).type == "not-permitted"
        paid = {"amount": 100, "currency": "PLN", "on": self.yesterday, "reference": "VS"}
        for what, body in (("payments", paid), ("check-in", None), ("withdraw", {})):
            forbidden = await refused(me.user.act("registration", f"{entrants}/{other.entrant}/{what}", body))
            assert forbidden.type == "not-permitted"

    async def entry_fees(self) -> None:
        """1.3 b: 100 until the day, then 150; the organiser remits one difference."""
        in_time = [player.entrant for name, player in self.players.items() if name != LATE]
        await asyncio.gather(*(self.pays(one, 100, on=self.yesterday) for one in in_time))
        late = self.players[LATE].entrant
        assert (await refused(self.pays(late, 100, on=self.today.isoformat()))).type == "fee-too-low"
        await self.pays(late, 100, on=self.today.isoformat(), decision="bank-holiday")
        assert (await own_entry(self.players[LATE], self.path))["entry"]["due"] == []

    async def pays(self, entrant: str, amount: int, **said: Any) -> Reply:
        body = {"amount": amount, "currency": "PLN", "reference": f"OTHELLO-{entrant[-6:]}"} | said
        return await self.director.act("registration", f"{self.path}/entrants/{entrant}/payments", body)

    async def day_of_the_championship(self) -> None:
        """1.3: somebody enters at the desk for 150; presence is confirmed; who comes late plays from round 2."""
        notice = {"words": FIRST_NOTICE}
        await self.director.act("registration", f"{self.path}/notices", notice)
        await self.director.act("registration", f"{self.path}/open-check-in")
        stranger = await self.signed_up(DESK)
        by_mail: Said = self.entry_of(BLIND) | {"person": stranger.person, "needs": []}
        closed = await refused(stranger.user.act("registration", f"{self.path}/entrants", by_mail))
        assert closed.type == "entries-closed"
        at_the_desk = by_mail | {"declared": ["rules-known", "on-site"], "decision": "excused"}
        entered = (await self.director.act("registration", f"{self.path}/entrants", at_the_desk)).body["id"]
        self.players[DESK] = SignedPlayer(name=DESK, person=stranger.person, user=stranger.user, entrant=entered)
        await self.pays(entered, 150, on=self.today.isoformat())
        there = [player.entrant for name, player in self.players.items() if name != LATE]
        checked = await self.scorer.act("registration", f"{self.path}/check-in", {"entrants": there})
        assert checked.body == {"checked_in": len(there), "awaited": [self.players[LATE].entrant]}
        await self.director.act("registration", f"{self.entrant(LATE)}/arrive-late", {"effect": "first-round"})
        assert (await self.director.look("registration", f"{self.path}/start-check"))["blockers"] == []
        started = await self.director.act("registration", f"{self.path}/start")
        self.known = started.position
        self.names = {player.entrant: name for name, player in self.players.items()}
        listed = (await self.network.anybody().look("registration", f"{self.path}/entrants"))["items"]
        shown = {one["id"]: one for one in listed}
        assert shown[self.players[GIRL].entrant]["persons"][0]["name"] == "Zuzanna M."
        assert shown[self.players[LATE].entrant]["from_round"] == 2
        assert {self.names[one] for one, of in shown.items() if "juniors" in of["lists"]} == {BOY, GIRL}
        assert {self.names[one] for one, of in shown.items() if "women" in of["lists"]} == {*WOMEN}
        tokens = await asyncio.gather(*(handed_token(self.director, self.path, one) for one in self.names))
        self.tokens = dict(zip(self.names, tokens, strict=True))

    # II. The ranking rounds, and what the head director alone may do in them

    async def ranking_rounds(self) -> None:
        """8.1 and 8.2; 21: a score and a clock are changed, somebody is sent out, and one is excluded after round 2."""
        first = await self.round_of("preliminary", 1)
        mixed = [{self.is_strong(seat) for seat in seats(pair)} for pair in first]
        assert mixed == [{True, False}] * len(STRONG), "one of group A meets one of group B"
        blacks = [self.is_strong(pair["first"]) for pair in first]
        assert blacks.count(True) == blacks.count(False), "group A has black and white in turn"
        await self.a_score_is_changed(first)
        second = await self.round_of("preliminary", 2, late=True)
        assert self.players[LATE].entrant in {seat for pair in second for seat in seats(pair)} | {*self.byes}
        await self.somebody_is_removed_and_excluded()
        last = await self.round_of("preliminary", 3)
        assert self.players[LATE].entrant not in {seat for pair in last for seat in seats(pair)} | {*self.byes}
        assert len(last) == len(STRONG)

    def is_strong(self, entrant: str) -> bool:
        return self.names[entrant] in STRONG

    async def round_of(self, stage: str, number: int, *, late: bool = False) -> Sequence[Mapping[str, Any]]:
        """As it is played: it is published, printed, played at all tables, and complete in the table."""
        path = f"{self.path}/stages/{stage}"
        published = await publish_next(self.director, path, number, after=self.known)
        pairs = published.body["pairs"]
        self.byes = [one["entrant"] for one in published.body["byes"]]
        self.had_bye |= {*self.byes}
        self.played.setdefault(stage, []).extend(pairs)
        names = {shown(self.names[seat]) for pair in pairs for seat in seats(pair)}
        sheet = f"{path}/rounds/{number}/sheet"
        await paper(self.network.anybody(), "pairing", sheet, after=published.position, names=names)
        if late:
            await self.clocks_are_changed(pairs, published.position)
        await asyncio.gather(*(self.at_table(stage, pair, published.position) for pair in pairs))
        await round_is_over(self.network.anybody(), path, number)
        await complete_table(self.network.anybody(), path, number, after=published.position)
        return pairs

    async def at_table(self, stage: str, pair: Mapping[str, Any], published: str | None) -> None:
        """19: one player reports, the other signs, and it goes to an official; 20: the holder says the choice before."""
        game = f"/v1/games/{pair['game']}"
        one, other = [self.tokens[seat] for seat in seats(pair)]
        await self.network.anybody().look("results", game, after=published)
        said: Said = {"discs": self.discs(stage, pair)}
        if pair["option"]:
            await self.choose(stage, pair)
        reported = await one.user.act("results", f"{game}/reports", {"end": "played"} | said, after=one.known)
        number = reported.body["reports"][-1]["number"]
        confirmed = await other.user.act("results", f"{game}/confirm", {"report": number}, after=other.known)
        assert confirmed.body["status"] != "final", "an official takes it"
        final = await self.scorer.act("results", f"{game}/confirm", {"report": number})
        self.scores[pair["game"]] = scores(said["discs"])
        assert (final.body["status"], final.body["result"]["scores"]) == ("final", self.scores[pair["game"]])

    def discs(self, stage: str, pair: Mapping[str, Any]) -> list[int]:
        """Of seat 0 and seat 1. The first games of the second semifinal and of the women's end as nobody expected."""
        one, other = [FIELD.index(self.names[seat]) for seat in seats(pair)]
        if is_drawn(stage, pair):
            return [32, 32]
        wide = min(one, other) < len(STRONG)
        won, lost = (56, 4) if wide else (33, 31)
        upset = (stage, pair["match"], pair["number"]) == ("semifinals", "SF2", 1)
        return [won, lost] if (one < other) is not upset else [lost, won]

    async def choose(self, stage: str, pair: Mapping[str, Any]) -> None:
        game, holder = f"/v1/games/{pair['game']}", pair["option"]
        (other,) = {*seats(pair)} - {holder}
        mine, theirs = self.tokens[holder], self.tokens[other]
        early: Said = {"entrant": other, "takes": "colour", "first": other}
        not_yet = await refused(theirs.user.act("results", f"{game}/choose", early, after=theirs.known))
        assert not_yet.type == "only-the-holder"
        if not is_drawn(stage, pair):
            await mine.user.act(
                "results", f"{game}/choose", early | {"entrant": holder, "first": holder}, after=mine.known
            )
            return
        await mine.user.act("results", f"{game}/choose", {"entrant": holder, "takes": "draw"}, after=mine.known)
        await theirs.user.act("results", f"{game}/choose", early)

    async def a_score_is_changed(self, pairs: Sequence[Mapping[str, Any]]) -> None:
        """21 b: whoever played the champion has lost by everything; an arbiter may not say so."""
        pair = next(one for one in pairs if self.players[BOY].entrant in seats(one))
        won = seats(pair).index(self.players[BOY].entrant)
        right = [64, 0] if won == 0 else [0, 64]
        said = {"end": "awarded", "scores": right, "points": [1 - won, won], "by": 1 - won, "reason": "Moved stones."}
        correct = f"/v1/games/{pair['game']}/correct"
        assert (await refused(self.arbiter.act("results", correct, said))).type == "only-the-director"
        changed = await self.director.act("results", correct, said)
        assert changed.body["result"]["scores"] == right
        self.scores[pair["game"]] = right
        self.known = changed.position

    async def clocks_are_changed(self, pairs: Sequence[Mapping[str, Any]], published: str | None) -> None:
        """Special needs: five minutes more for two boards. 21 a: five less, by the head director."""
        blind = self.players[BLIND].entrant
        game = next((one for one in pairs if blind in seats(one)), pairs[0])
        seat, path = (seats(game).index(blind) if blind in seats(game) else 0), f"/v1/games/{game['game']}/clock"
        await self.network.anybody().look("results", path.removesuffix("/clock"), after=published)
        longer = {"seat": seat, "minutes": 5, "why": "special-needs"}
        shorter = {"seat": 1 - seat, "minutes": -5, "why": "penalty", "reason": "Moved in the other's time."}
        await self.arbiter.act("results", path, longer)
        assert (await refused(self.arbiter.act("results", path, shorter))).type == "only-the-director"
        changed = await self.director.act("results", path, shorter)
        clocks = changed.body["terms"]["clocks"]
        assert (clocks[seat]["minutes"], clocks[1 - seat]["minutes"]) == (30, 20)

    async def somebody_is_removed_and_excluded(self) -> None:
        """21 d and e: for a while, then a spectator for good, then somebody who is treated as withdrawn."""
        late = self.players[LATE].entrant
        where: Said = {"stage": "preliminary", "round": 2}
        out = where | {"entrant": late, "final": False, "minutes": 15, "reason": "Telephoned."}
        path = f"{self.path}/removals"
        assert (await refused(self.arbiter.act("results", path, out))).type == "only-the-director"
        removal = (await self.director.act("results", path, out)).body["removals"][-1]["id"]
        await self.director.act("results", f"{path}/{removal}/end", {"reason": "The time is over."})
        spectator = where | {"spectator": "A man in a red hat", "final": True, "reason": "Told moves."}
        await self.director.act("results", path, spectator)
        expelled = where | {"reason": "Telephoned again."}
        exclude = f"{self.path}/entrants/{late}/disqualify"
        assert (await refused(self.arbiter.act("results", exclude, expelled))).type == "only-the-director"
        for_desk = {"after_round": 2, "stage": "preliminary", "reason": {"code": "unsporting"}}
        desk = f"{self.path}/entrants/{late}/expel"
        assert (await refused(self.arbiter.act("registration", desk, for_desk))).type == "only-the-director"
        await self.director.act("results", exclude, expelled)
        while (left := (await self.director.look("registration", f"{self.path}/entrants/{late}"))["left"]) is None:
            await asyncio.sleep(0.05)
        assert (left["why"], left["after_round"]) == ("expelled", 2)
        back = await refused(self.director.act("registration", f"{self.path}/entrants/{late}/return", {}))
        assert back.type == "no-return"
        shown = await self.director.look("results", f"{self.path}/penalties")
        assert [(one["entrant"], one["final"], one["over"]) for one in shown["removals"]] == [
            (late, False, True),
            (None, True, False),
        ]
        assert shown["removals"][1]["words"] is not None
        told = await self.director.act("registration", f"{self.path}/notices", {"words": LAST_NOTICE})
        self.known = told.position  # behind the exclusion

    # The lists, and what is played after them

    async def provisional_lists(self) -> None:
        """5.1, 6.1 and 7.1: points, Brightwell, discs, lot; the lists of women and juniors are parts of the same."""
        path = f"{self.path}/stages/preliminary"
        table = (await self.network.anybody().look("standings", f"{path}/standings"))["standings"]
        for row in table:
            points, brightwell, discs = self.computed(row["entrant"])
            assert (row["values"]["points"], row["values"]["brightwell"]) == (points, brightwell), row
            assert row["values"].get("discs", discs) == discs
        self.known = await close_stage(self.director, path)
        closed = await self.director.look("standings", path, after=self.known)
        self.provisional = [entrant for place in closed["order"] for entrant in place]
        for among, names in (("women", set(WOMEN)), ("juniors", set(YOUNG))):
            shown = (await self.network.anybody().look("standings", f"{path}/standings?list={among}"))["standings"]
            assert [row["entrant"] for row in shown] == [one for one in self.provisional if self.names[one] in names]
        assert {self.names[one] for one in self.provisional[:4]} <= {*STRONG}

    def computed(self, entrant: str) -> tuple[float, float, float]:
        """Points, quotient and discs, without any help of the product: each round played, with a bye, or not played."""
        points = self.points(entrant)
        gone = self.players[LATE].entrant
        met = [pair for pair in self.played["preliminary"] if entrant in seats(pair)]
        quotient, discs = 0.0, 0.0
        for pair in met:
            (other,) = {*seats(pair)} - {entrant}
            own = self.scores[pair["game"]][seats(pair).index(entrant)]
            discs += own
            quotient += 32 + 6 * points if other == gone else own + 6 * self.points(other)
        discs += 32 * (entrant in self.had_bye)
        return points, quotient + (ROUNDS - len(met)) * (32 + 6 * points), discs

    def points(self, entrant: str) -> float:
        won = float(entrant in self.had_bye)
        for pair in self.played["preliminary"]:
            if entrant in seats(pair):
                own, other = self.scores[pair["game"]][:: 1 if seats(pair)[0] == entrant else -1]
                won += 1 if own > other else 0.5 if own == other else 0
        return won

    async def play_offs(self) -> None:
        """5.2: by the list without who is gone, one game each, where the points are equal."""
        gone = self.players[LATE].entrant
        there = [one for one in self.provisional if one != gone]
        windows = [(there[one - 1], there[other - 1]) for one, other in ((4, 5), (3, 6), (2, 7), (1, 8))]
        equal = [two for two in windows if len({self.points(one) for one in two}) == 1]
        assert equal, "twelve who play three rounds without a draw have a play-off"
        pairs = await self.round_of("play-offs", 1)
        assert [(set(seats(pair)), pair["option"]) for pair in pairs] == [({*two}, two[0]) for two in equal]
        self.known = await close_stage(self.director, f"{self.path}/stages/play-offs")
        winners = [min(two, key=self.strength) for two in equal]
        losers = [max(two, key=self.strength) for two in equal]
        top = [one for one in there[:4] if one not in losers] + winners
        self.four = sorted({*top}, key=there.index)

    def strength(self, entrant: str) -> int:
        return FIELD.index(self.names[entrant])

    async def semifinals(self) -> None:
        """9, 10.1, 11.1 and 12.1: of three games; the women's besides; none of the juniors, whose best plays here."""
        first, second = (self.four[0], self.four[3]), (self.four[1], self.four[2])
        women = [one for one in self.provisional if self.names[one] in WOMEN]
        pairs = await self.round_of("semifinals", 1)
        assert [(pair["match"], set(seats(pair)), pair["option"]) for pair in pairs] == [
            ("SF1", {*first}, first[0]),
            ("SF2", {*second}, second[0]),
        ]
        self.women_four = women
        shorter, of_women = await asyncio.gather(self.round_of("semifinals", 2), self.round_of("semifinals-women", 1))
        assert all(pair["first"] is not None and pair["option"] is None for pair in shorter), "colours are reversed"
        assert [pair["option"] for pair in of_women] == women[:2]
        why = await self.director.look("pairing", f"{self.path}/stages/semifinals-women/rounds/1/why")
        assert "game 2 of the stage semifinals" in str(why), "they begin with the second games of the others"
        third = await self.round_of("semifinals", 3)
        assert [(pair["match"], pair["option"]) for pair in third] == [("SF2", second[0])], "after as many discs each"
        juniors = await self.network.anybody().look("pairing", f"{self.path}/stages/semifinals-juniors/next")
        assert [one["kind"] for one in juniors["obstacles"]] == ["not-held"]
        for stage in ("semifinals", "semifinals-women"):
            self.known = await close_stage(self.director, f"{self.path}/stages/{stage}")
        self.finalists = [min(first, key=self.strength), min(second, key=self.strength)]
        self.women_finalists = [min(women[0], women[3], key=self.strength), women[1]]

    async def finals(self) -> None:
        """10.2, 10.3, 11.2 and 11.3: third place in one game, the final of three; 5.3, 6.2 and 7.2: the final lists."""
        choice: Said = {"entrant": self.of(BOY), "among": None}
        early = await refused(self.arbiter.act("standings", f"{self.path}/awards/choices", choice))
        assert early.type == "places-undecided"
        pairs, of_women = await asyncio.gather(self.round_of("final", 1), self.round_of("final-women", 1))
        finalists = {pair["match"]: set(seats(pair)) for pair in pairs}
        assert finalists == {"final": {*self.finalists}, "third": {*self.four} - {*self.finalists}}
        assert {pair["match"]: set(seats(pair)) for pair in of_women} == {
            "final": {*self.women_finalists},
            "third": {*self.women_four} - {*self.women_finalists},
        }
        await self.round_of("final", 2)
        for stage in ("final", "final-women"):
            self.known = await close_stage(self.director, f"{self.path}/stages/{stage}")
        losers = {*self.four} - {*self.finalists}
        medals = [*sorted(self.finalists, key=self.strength), *sorted(losers, key=self.strength)]
        final = await self.network.anybody().look("standings", f"{self.path}/final", after=self.known)
        assert self.places(final) == self.placed(medals, self.provisional)
        third = {*self.women_four} - {*self.women_finalists}
        women = [*sorted(self.women_finalists, key=self.strength), *sorted(third, key=self.strength)]
        for among, expected in (("women", women), ("juniors", [self.of(BOY), self.of(GIRL)])):
            shown = await self.network.anybody().look("standings", f"{self.path}/final?list={among}")
            assert self.places(shown) == list(enumerate(expected, 1))
        self.women_order = women
        self.medals = medals

    def placed(self, medals: Sequence[str], order: Sequence[str]) -> list[tuple[int, str]]:
        """Behind the medals equal points are equal places, whoever is gone among them."""
        others = [one for one in order if one not in medals]
        behind = [(len(medals) + 1 + sum(self.points(two) > self.points(one) for two in others), one) for one in others]
        return [*enumerate(medals, 1), *behind]

    def places(self, ranking: Mapping[str, Any]) -> list[tuple[int, str]]:
        return [(row["place"], row["entrant"]) for row in ranking["standings"]]

    # Titles, prizes, and the papers that remain

    async def prizes(self) -> None:
        """Prizes in cash do not add up: the champion, who is a junior too, takes that of one list."""
        path, boy = f"{self.path}/awards", self.of(BOY)
        choice: Said = {"entrant": boy, "among": None}
        completed = await complete(self.director, self.path)
        found = await self.network.anybody().look("standings", path, after=completed)
        assert [(one["entrant"], one["lists"], one["chosen"]) for one in found["to_choose"]] == [
            (boy, [None, "juniors"], False)
        ]
        me = self.players[BOY].user
        assert (await refused(me.act("standings", f"{path}/choices", choice))).type == "not-permitted"
        chosen = await self.arbiter.act("standings", f"{path}/choices", choice)
        self.known = chosen.position
        won: dict[str, list[Any]] = {}
        for one in chosen.body["awards"]:
            won.setdefault(one["what"], []).append(one)
        titles = {(one["among"], one["place"]): (one["title"], one["entrant"]) for one in won["title"]}
        best = {(None, n): one for n, one in enumerate(self.medals[:3], 1)}
        best |= {("women", 1): self.women_order[0], ("juniors", 1): boy}
        assert titles == {place: (TITLES[place], entrant) for place, entrant in best.items()}
        assert [(one["among"], one["entrant"], one["amount"], one["choice"]) for one in won["cash"]] == [
            (None, self.medals[0], 1000, "taken"),
            (None, self.medals[1], 500, None),
            (None, self.medals[2], 300, None),
            ("women", self.women_order[0], 500, None),
            ("juniors", boy, 300, "given-up"),
        ]
        assert {(one["among"], one["entrant"]) for one in won["cup"]} == {
            (among, entrant) for (among, place), entrant in best.items() if place == 1
        }
        assert {(one["among"], one["place"]): one["entrant"] for one in won["medal"]} == best
        assert {(one["among"], one["place"]): one["entrant"] for one in won["accreditation"]} == best
        kind = [(one["among"], one["place"]) for one in won["in-kind"]]
        places = [(None, n) for n in range(1, 8)] + [("women", n) for n in (1, 2, 3)] + [("juniors", n) for n in (1, 2)]
        assert kind == places
        assert len(won["diploma"]) == len(won["badge"]) == len(FIELD)
        file = lines(await paper(self.arbiter, "standings", f"{path}?format=csv", after=self.known, names={BOY}))
        assert file[0][:4] == ["what", "title", "among", "place"]
        assert ["title", TITLES[None, 1], "", "1", boy, BOY, "", "", ""] in file

    async def last_papers(self) -> None:
        """The cash, the list of entries, the crosstable, the final list, and what was told, punished and recorded."""
        cash = await self.director.look("registration", f"{self.path}/cash")
        paid = 100 * (len(FIELD) - 1) + 150
        assert [(one["paid"], one["remitted"], one["open"]) for one in cash["totals"]] == [(paid, 50, 0)]
        page = await paper(self.director, "registration", f"{self.path}/cash?format=page")
        assert ("PLN" in page, f"{paid}" in page) == (True, True)
        entries = await paper(self.director, "registration", f"{self.path}/entries/export")
        assert all(name in entries for name in FIELD)
        medals = {shown(self.names[one]) for one in self.medals}
        final = lines(await paper(self.network.anybody(), "standings", f"{self.path}/final?format=csv", names=medals))
        assert [(row[0], row[1], row[2]) for row in final[1:4]] == [
            (f"{n}", one, shown(self.names[one])) for n, one in enumerate(self.medals[:3], 1)
        ]
        cross = await self.network.anybody().look("standings", f"{self.path}/stages/preliminary/crosstable")
        assert len(cross["rows"]) == len(FIELD)
        notices = (await self.network.anybody().look("registration", f"{self.path}/notices"))["items"]
        assert [one["words"] for one in notices] == [FIRST_NOTICE, LAST_NOTICE]
        story = (await self.director.look("registration", f"{self.entrant(LATE)}/history"))["items"]
        assert [one["what"] for one in story if one["what"] in {"entrant-late", "entrant-left"}] == [
            "entrant-late",
            "entrant-left",
        ]
        assert (await own_entry(self.players[LATE], self.path))["entry"]["entrant"]["left"]["why"] == "expelled"

    def of(self, name: str) -> str:
        return self.players[name].entrant

    def entrant(self, name: str) -> str:
        return f"{self.path}/entrants/{self.players[name].entrant}"

    @property
    def yesterday(self) -> str:
        return (self.today - timedelta(days=1)).isoformat()


def scores(discs: Sequence[int]) -> list[int]:
    """Empty squares are the winner's."""
    one, other = discs
    return [one, other] if one + other == 64 else [64 - other, other] if one > other else [one, 64 - one]


def is_drawn(stage: str, pair: Mapping[str, Any]) -> bool:
    return (stage, pair["match"]) == ("semifinals-women", "SF2")


def shown(name: str) -> str:
    """As spectators see somebody of whom the federation shows the first name and an initial."""
    first, family = name.split()
    return f"{first} {family[0]}."
