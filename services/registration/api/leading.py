"""Whether the best of one tournament can go on to another, and that the other one expects them."""

from collections.abc import Sequence

from services.registration.domain.tournament.level_orders import ExpectFrom, NameNextLevel
from services.registration.domain.tournament.refusals import NoNextLevel
from services.registration.levels import Levels
from shared.handle import Beside, Origin
from shared.rulesets.schema import Ruleset


async def leading_on(
    levels: Levels, tournament: str, federation: str, ruleset: Ruleset, order: NameNextLevel, origin: Origin
) -> Sequence[Beside]:
    """The next tournaments are told from where they have somebody to expect."""
    named = [one for one in (order.next_level, order.otherwise) if one is not None]
    for following in named:
        await require_fit(levels, tournament, federation, ruleset, following)
    return [
        levels.tournaments.part(one, ExpectFrom(origin=tournament), scope=one, origin=origin)
        for one in dict.fromkeys(named)
        if one != tournament
    ]


async def require_fit(levels: Levels, tournament: str, federation: str, ruleset: Ruleset, following: str) -> None:
    plan = (await levels.state(following)).plan
    here, there = ruleset.entry, plan.ruleset.entry
    if plan.federation != federation:
        raise NoNextLevel(f"{following} is a tournament of another federation: nobody goes on to it.")
    if here.kind != there.kind or (here.team and there.team and here.team.base != there.team.base):
        raise NoNextLevel(f"{plan.name} is held for another kind of entrants: they could not enter it.")
    ahead = [plan.next_level, plan.otherwise]
    for one in ahead:
        if one == tournament:
            raise NoNextLevel(f"From {plan.name} the way leads back here: name a tournament that comes later.")
        if one is not None:
            further = (await levels.state(one)).plan
            ahead += [later for later in (further.next_level, further.otherwise) if later not in ahead]
