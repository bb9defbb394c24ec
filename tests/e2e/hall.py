"""A tournament as it is really entered: many at once, twice each time, some of them wrongly, late, or of themselves.

Whatever was acknowledged is written down, so that it can be looked for afterwards.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest

from deploy.demo.cast import ARBITER, SCORERS
from deploy.demo.client import Reply, RequestRefused, Services, User
from deploy.demo.play import close, complete, complete_table, decide, publish_next, report, round_is_over
from deploy.demo.preparation import Cup, director
from shared.ids import new_id
from shared.values import Value
from tests.e2e.record import Post, Record, ids
from tests.naive_scrabble import Scores

OF_CAPTAINS = 3  # tables of each round whose players report for themselves
CONFLICTS = 2  # tables of each round where a scorer misreads the sheet
MISREAD = 10
REPEATED = 5  # reports of each round that are sent once more when it is over


class Captain(Value):
    person: User
    subject: str  # how the log names them
    named: str | None  # the position from which on they are known


class Sent(Value):
    """A report that somebody may send once more, however long ago it was answered."""

    by: User
    game: str
    scores: Scores
    key: UUID
    answer: Any


@dataclass(kw_only=True)
class Hall:
    """Officials, scorers and players of one tournament."""

    network: Services
    cup: Cup
    rounds: int
    chance: random.Random
    record: Record = field(default_factory=Record)
    published: str | None = None  # the position of the last publication
    sent: list[Sent] = field(default_factory=list[Sent])

    async def play(self) -> None:
        """Somebody comes late, somebody leaves, and a result is corrected."""
        self.record.entrants += self.cup.players
        known = self.cup.started
        leaves, corrects = self.rounds // 2, self.rounds - 2
        for number in range(1, self.rounds + 1):
            known = await self.somebody_comes_late() if number == 2 else known
            await self.play_round(number, known=known)
            known = await self.somebody_withdraws(number) if number == leaves else known
            known = await self.a_result_is_corrected() if number == corrects else known
        await complete_table(self.network.anybody(), self.cup.stage, self.rounds, after=self.published)
        await close(self.director, self.cup.stage)
        await complete(self.director, self.cup.path)

    @property
    def director(self) -> User:
        return director(self.network)

    async def somebody_comes_late(self) -> str | None:
        late = {"person": {"name": "Žofia Neskorá"}, "rating": 1700, "from_round": 2, "decision": "excused"}
        admitted = await self.director.act("registration", f"{self.cup.path}/entrants/admit", late)
        self.record.entrants.append(admitted.body["id"])
        return admitted.position

    async def somebody_withdraws(self, number: int) -> str | None:
        entrant = ids(self.record.rounds[number]["pairs"][-1]["seats"])[0]
        path = f"{self.cup.path}/entrants/{entrant}/withdraw"
        return (await self.director.act("registration", path, {"after_round": number})).position

    async def a_result_is_corrected(self) -> str | None:
        """The winner of a game in the first round has lost it."""
        game = self.record.rounds[1]["pairs"][0]["game"]
        one, other = self.record.results[game]
        right: Scores = (other, one)
        correction = {"end": "played", "scores": right, "reason": "The sides of the sheet were mixed up."}
        corrected = await self.network.person(ARBITER).act("results", f"/v1/games/{game}/correct", correction)
        assert corrected.body["result"]["scores"] == list(right)
        self.record.results[game] = right
        return corrected.position

    async def play_round(self, number: int, *, known: str | None) -> None:
        """`known` is what the pairing has to rest on."""
        published = await publish_next(self.director, self.cup.stage, number, after=known)
        self.record.rounds[number], self.published = published.body, published.position
        pairs = self.chance.sample(published.body["pairs"], len(published.body["pairs"]))
        results = {pair["game"]: (self.chance.randint(250, 340), self.chance.randint(341, 450)) for pair in pairs}
        self.record.results |= results
        disputed = [pair["game"] for pair in pairs[OF_CAPTAINS : OF_CAPTAINS + CONFLICTS]]
        read = {pair["game"]: results[pair["game"]] for pair in pairs[OF_CAPTAINS:]}
        self.sent.clear()
        async with asyncio.TaskGroup() as group:
            for scorer, sheets in handed_out(read, disputed, self.chance).items():
                group.create_task(self.enter(scorer, sheets))
            for pair in pairs[:OF_CAPTAINS]:
                group.create_task(self.report_themselves(pair, results[pair["game"]]))
        for game in disputed:
            await self.settle(game, results[game])
        await round_is_over(self.network.anybody(), self.cup.stage, number)
        await asyncio.gather(*map(self.repeat, self.chance.sample(self.sent, REPEATED)))
        await self.contradict(pairs[-1]["game"])

    async def enter(self, scorer: str, sheets: Sequence[tuple[str, Scores]]) -> None:
        person = self.network.person(scorer)
        for game, scores in sheets:
            await self.post(person, scorer, game, scores, after=self.published)

    async def post(self, person: User, by: str, game: str, scores: Scores, *, after: str | None) -> Reply:
        key = new_id()
        answer = await twice(lambda: report(person, game, {"scores": scores}, after=after, key=key))
        self.record.posts.append(Post(game=game, by=by, scores=scores))
        self.sent.append(Sent(by=person, game=game, scores=scores, key=key, answer=answer.body))
        return answer

    async def repeat(self, sent: Sent) -> None:
        """Long after it was answered, as by somebody who never got the answer."""
        again = await report(sent.by, sent.game, {"scores": sent.scores}, key=sent.key)
        assert again.body == sent.answer

    async def contradict(self, game: str) -> None:
        """A sheet that turns up when the result is final."""
        one, other = self.record.results[game]
        with pytest.raises(RequestRefused) as refused:
            await report(self.network.person(SCORERS[0]), game, {"scores": (one + MISREAD, other)})
        assert refused.value.type == "result-is-final", refused.value

    async def report_themselves(self, pair: Mapping[str, Any], scores: Scores) -> None:
        """One side reports and the other confirms, with the tokens that registration gives them."""
        one, other = [await self.captain(entrant) for entrant in ids(pair["seats"])]
        game = f"/v1/games/{pair['game']}"
        await self.network.anybody().look("results", game, after=self.published)
        reported = await self.post(one.person, one.subject, pair["game"], scores, after=one.named)
        (said,) = reported.body["reports"]
        key = new_id()
        confirmed = await twice(
            lambda: other.person.act(
                "results", f"{game}/confirm", {"report": said["number"]}, after=other.named, key=key
            )
        )
        assert confirmed.body["status"] == "final"

    async def captain(self, entrant: str) -> Captain:
        path = f"{self.cup.path}/entrants/{entrant}/captain/token"
        issued = await self.director.act("registration", path)
        person = User(network=self.network, token=issued.body["token"])
        return Captain(person=person, subject=issued.body["subject"], named=issued.position)

    async def settle(self, game: str, scores: Scores) -> None:
        arbiter = self.network.person(ARBITER)
        assert (await arbiter.look("results", f"/v1/games/{game}"))["status"] == "disputed"
        self.record.disputes.add(game)
        assert (await decide(arbiter, game, {"scores": scores})).body["status"] == "final"


def handed_out(
    results: Mapping[str, Scores], disputed: Collection[str], chance: random.Random
) -> Mapping[str, list[tuple[str, Scores]]]:
    """Each game to two scorers, of whom the second misreads some."""
    sheets: dict[str, list[tuple[str, Scores]]] = defaultdict(list)
    for game, (one, other) in results.items():
        first, second = chance.sample(SCORERS, 2)
        sheets[first].append((game, (one, other)))
        sheets[second].append((game, (one + MISREAD, other) if game in disputed else (one, other)))
    return sheets


async def twice(act: Callable[[], Awaitable[Reply]]) -> Reply:
    """With the same key at the same time, as somebody does whose network is bad."""
    answer, again = await asyncio.gather(act(), act())
    assert answer.body == again.body
    return answer
