"""What is known of a tournament when somebody asks, now or in the past, and what people are called."""

import asyncio
from collections.abc import Mapping

from msgspec.structs import replace

from services.standings.domain import ranking
from services.standings.domain.table import Persons, Ranked, ranked
from shared.contracts.registration import EntrantAdmitted, EntrantChanged, TournamentCompleted
from shared.http.moments import NOW, Moment
from shared.messaging.history import Histories, History, Inputs
from shared.personal.shown_names import NamesShown, NamesToShow
from shared.tournament.facts import Facts, Order, Settlement
from shared.values import Value

type EntrantNames = Mapping[str, str]


class Situation(Value):
    tournament: str
    facts: Facts
    persons: Persons
    inputs: Inputs
    is_over: bool

    async def table(self, stage: str, *, through: int | None = None, among: str | None = None) -> Ranked:
        return await asyncio.to_thread(ranked, self.facts, self.persons, stage, through=through, among=among)

    def with_decided(self, state: ranking.State) -> "Situation":
        """As it is when this is decided: those who decide it see it at once."""
        settled = tuple(
            Settlement(stage=stage, kind=kind, order=order) for (stage, kind, _), order in state.settled.items()
        )
        closed = {stage: Order(places=one.order, groups=one.groups) for stage, one in state.closed.items()}
        facts = replace(self.facts, settled=settled, closed=closed, shortened=state.shortened)
        return replace(self, facts=facts)


class Situations:
    def __init__(self, heard: Histories, names: NamesShown) -> None:
        self._heard = heard
        self._names = names

    async def of(self, tournament: str, moment: Moment = NOW) -> Situation:
        history, facts = await moment.started(self._heard, tournament)
        return Situation(
            tournament=tournament,
            facts=facts,
            persons=persons(history),
            inputs=history.inputs,
            is_over=bool(history.of(TournamentCompleted)),
        )

    async def names(self, tournament: str) -> EntrantNames:
        """As those who ask may see them."""
        return (await self.told(tournament)).names

    async def told(self, tournament: str) -> NamesToShow:
        return await self._names.of_tournament(tournament)


def persons(history: History) -> Persons:
    return {told.entrant: told.persons for told in history.of(EntrantAdmitted, EntrantChanged)}
