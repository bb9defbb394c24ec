"""Who is a member, and who plays for the first time: by the roll of the season and by the history, where the roll is kept.

An entry that says so itself is not believed then. Without a roll, what entries say holds.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from services.registration.domain import ratings, roll, seasons
from services.registration.domain.roll import Roll
from services.registration.domain.tournament.states import AnnouncedTournament, Plan
from shared.commands.handler import Handler
from shared.values import Value

type RollHandler = Handler[roll.Roll, roll.Command, roll.Event]

MEMBER, FIRST_TIME = "member", "first-time"
FOUND_OUT = frozenset({MEMBER, FIRST_TIME})


class Membership(Value):
    rolls: RollHandler
    seasons: Handler[seasons.Seasons, seasons.Command, seasons.Event]
    lists: Handler[ratings.Ratings, ratings.Command, ratings.Event]
    ids_of: Callable[[str], Awaitable[tuple[str, ...]]]  # all ids of a person
    tournaments_of: Callable[[Sequence[str]], Awaitable[Mapping[str, AnnouncedTournament]]]

    async def declared(
        self, said: Iterable[str], persons: Sequence[str], plan: Plan, *, has_played: bool = False
    ) -> tuple[str, ...]:
        """What an entry declares, with what is found out in place of what it says."""
        known = await self.roll_of(plan)
        if known is None:
            return tuple(said)
        found = await self.members(persons, known)
        if not has_played and all([await self._plays_first(await self.ids_of(one), plan) for one in persons]):
            found |= {FIRST_TIME}
        return tuple(sorted({*said} - FOUND_OUT | found))

    async def roll_of(self, plan: Plan) -> Roll | None:
        """The roll of the season in which a tournament counts, if it is kept."""
        if plan.counting is None:
            return None
        state, _ = await self.rolls.load(plan.counting.season)
        return None if state.fee is None else state

    async def members(self, persons: Sequence[str], known: Roll) -> frozenset[str]:
        """A pair is what both are."""
        are_members = all([known.has(await self.ids_of(one)) for one in persons])
        return frozenset({MEMBER} if are_members else ())

    async def _plays_first(self, ids: tuple[str, ...], plan: Plan) -> bool:
        """They stand on no rating list, and have played in none of the tournaments by which somebody qualifies."""
        opened = (await self.seasons.load(plan.federation))[0].opened
        called = {
            rating.called for season in opened.values() for rating in season.rules.ratings if rating.called is not None
        }
        for one in sorted(called):
            state, _ = await self.lists.load(f"{plan.federation}.{one}")
            if any(identity in state.of for identity in ids):
                return False
        played = await self.tournaments_of(ids)
        return not any(
            state.plan.tournament != plan.tournament and qualifies(state, opened) and took_part(state, ids)
            for state in played.values()
        )


def qualifies(state: AnnouncedTournament, opened: Mapping[str, seasons.OpenedSeason]) -> bool:
    counting = state.plan.counting
    if counting is None or counting.season not in opened:
        return False
    cut = opened[counting.season].rules.cut
    return cut is not None and counting.kind in cut.kinds


def took_part(state: AnnouncedTournament, ids: tuple[str, ...]) -> bool:
    return any(set(one.said.persons) & set(ids) for one in state.roster.participants)
