"""By which ratings a tournament seeds: those of the list that its rules name, as it was published last."""

from collections.abc import Mapping, Sequence

from services.registration.api.people import People
from services.registration.domain import ratings
from services.registration.domain.tournament.states import AnnouncedTournament, Plan
from shared.commands.handler import Handler
from shared.values import Value

type RatingsHandler = Handler[ratings.Ratings, ratings.Command, ratings.Event]


class Seeding(Value):
    lists: RatingsHandler
    people: People

    async def of_field(self, state: AnnouncedTournament) -> Mapping[str, int]:
        """By entrant, of those who have said no rating of their own and are on the list."""
        known = await self._list(state.plan)
        coming = [one for one in state.roster.coming if one.said.rating is None] if known else []
        found = {one.entrant: await self._of(one.said.persons, known, state.plan) for one in coming}
        return {entrant: rating for entrant, rating in found.items() if rating is not None}

    async def of_persons(self, persons: Sequence[str], plan: Plan) -> int | None:
        return await self._of(persons, await self._list(plan), plan)

    async def _list(self, plan: Plan) -> Mapping[str, int]:
        called = plan.ruleset.entry.seeding.rating
        if called is None:
            return {}
        state, _ = await self.lists.load(f"{plan.federation}.{called}")
        return state.of

    async def _of(self, persons: Sequence[str], known: Mapping[str, int], plan: Plan) -> int | None:
        found = [await self._of_person(person, known) for person in persons] if known else []
        return ratings.mean_rating(found, plan.ruleset.entry.seeding.unrated)

    async def _of_person(self, person: str, known: Mapping[str, int]) -> int | None:
        """Under whichever of their ids."""
        if person in known:
            return known[person]
        ids = await self.people.ids_of(await self.people.kept(person))
        return next((known[one] for one in ids if one in known), None)
