"""Which of the things that a request names belong to its federation. None of them ever gets to belong to another one."""

import asyncio
from collections.abc import Collection

from services.registration.domain import person
from services.registration.domain.tournament import decider as tournament
from services.registration.domain.tournament.states import Unannounced
from shared.access.grants import Grants
from shared.access.references import About
from shared.cache import LoadingCache, lasting
from shared.commands.handler import Handler


class Ownership:
    def __init__(
        self,
        *,
        grants: Grants,
        persons: Handler[person.State, person.Command, person.Event],
        tournaments: Handler[tournament.State, tournament.Command, tournament.Event],
    ) -> None:
        self._grants = grants
        self._persons = persons
        self._tournaments = tournaments
        self._of_persons: LoadingCache[str, str | None] = LoadingCache(self._load_person, seconds=lasting)
        self._of_tournaments: LoadingCache[str, str | None] = LoadingCache(self._load_tournament, seconds=lasting)

    async def federation_of_person(self, identity: str) -> str | None:
        return await self._of_persons.of(identity)

    async def persons_of(self, federation: str, ids: Collection[str]) -> Collection[str]:
        """Find those of these ids that the federation has registered, also those that lead to another one by now.

        A table tells it of all at once. It may not know yet who was registered a moment ago: for them the streams are
        read.
        """
        if not ids:
            return frozenset[str]()
        known = await self._grants.persons_of(federation, ids)
        return {*known, *await matching(self._of_persons, federation, [one for one in ids if one not in known])}

    # What the door looks for

    async def persons(self, about: About, ids: Collection[str]) -> Collection[str]:
        return await self.persons_of(about.federation, ids)

    async def players(self, about: About, ids: Collection[str]) -> Collection[str]:
        """Whoever stands in a line-up already may be named too, wherever they come from."""
        state, _ = await self._tournaments.load(about.scope)
        there = {one for one in ids if tournament.known(state).roster.in_line_up(one)}
        return {*there, *await self.persons_of(about.federation, [one for one in ids if one not in there])}

    async def tournaments(self, about: About, ids: Collection[str]) -> Collection[str]:
        return await matching(self._of_tournaments, about.federation, ids)

    async def _load_person(self, identity: str) -> str | None:
        state, _ = await self._persons.load(identity)
        return None if isinstance(state, person.Unregistered) else state.federation

    async def _load_tournament(self, identity: str) -> str | None:
        state, _ = await self._tournaments.load(identity)
        return None if isinstance(state, Unannounced) else state.plan.federation


async def matching(
    federations: LoadingCache[str, str | None], federation: str, ids: Collection[str]
) -> Collection[str]:
    wanted = list(dict.fromkeys(ids))
    found = await asyncio.gather(*map(federations.of, wanted))
    return {one for one, its in zip(wanted, found, strict=True) if its == federation}
