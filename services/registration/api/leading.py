"""Whether the best of one tournament, or of a season, can go on to another, and that the other one expects them."""

from collections.abc import Sequence

from services.registration.domain.tournament.levels import ExpectFrom, ExpectNoMoreFrom, NoNextLevel
from services.registration.domain.tournament.states import unknown
from services.registration.levels import Levels
from shared.commands.handler import Beside, Origin
from shared.rulesets.entry import Entry
from shared.values import Value


class Leader(Value):
    """A tournament or a season, and where it leads by now."""

    identity: str
    federation: str
    entry: Entry | None = None  # the rules of a tournament; in a season persons qualify, each alone
    before: Sequence[str | None] = ()


async def leading_on(levels: Levels, leader: Leader, named: Sequence[str | None], origin: Origin) -> Sequence[Beside]:
    """The next tournaments are told from where they have somebody to expect, and those that were named before, that they
    have nobody any more."""
    now = [one for one in dict.fromkeys(named) if one is not None]
    for following in now:
        await require_fit(levels, leader, following)
    no_more = sorted({one for one in leader.before if one is not None} - {*now})
    orders = [
        *((one, ExpectFrom(origin=leader.identity)) for one in now),
        *((one, ExpectNoMoreFrom(origin=leader.identity)) for one in no_more),
    ]
    return [
        levels.tournaments.part(one, order, scope=one, origin=origin) for one, order in orders if one != leader.identity
    ]


async def require_fit(levels: Levels, leader: Leader, following: str) -> None:
    plan = (await levels.state(following)).plan
    if plan.federation != leader.federation:
        raise unknown()
    here, there = leader.entry, plan.ruleset.entry
    team = here.team if here else None
    if (here.kind if here else "individual") != there.kind or (team and there.team and team.base != there.team.base):
        raise NoNextLevel(f"{plan.name} is held for another kind of entrants: they could not enter it.")
    ahead = [plan.next_level, plan.otherwise]
    for one in ahead:
        if one == leader.identity:
            raise NoNextLevel(f"From {plan.name} the way leads back here: name a tournament that comes later.")
        if one is not None:
            further = (await levels.state(one)).plan
            ahead += [later for later in (further.next_level, further.otherwise) if later not in ahead]
