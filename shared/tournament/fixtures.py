"""Which matches of a play-off can be played now."""

from collections import Counter
from collections.abc import Iterator, Mapping

from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Best, Complement, Everybody, GroupPlaces, Players, Windows
from shared.tournament.brackets import Match, games_of, matches_of, planned
from shared.tournament.facts import Facts
from shared.tournament.progression import group_places, have_led_on, opening, pairs_of
from shared.tournament.ranking import order_before
from shared.values import Value

NO_MATCHES: Mapping[str, Match] = {}


class Fixture(Value):
    """A match that can be played now, or its next game."""

    match: str
    seats: tuple[str, str]
    higher: str  # who is placed higher, and has the choice where the rules give one
    round: int
    game: int  # the number of the next one
    games: int  # at most


def fixtures(facts: Facts, stage: str) -> tuple[Fixture, ...]:
    """Matches of which both sides are known and that are not decided, in the order of the bracket."""
    return tuple(fixtures_of(facts, stage))


def fixtures_of(facts: Facts, stage: str) -> Iterator[Fixture]:
    order = order_before(facts, stage)
    played = matches_of(facts, stage, order)
    field, known = stage_of(facts.ruleset, stage).field, sides(facts, stage, seeds_of(facts, stage))
    numbers = Counter(game.match for _, game in games_of(facts, stage))
    for name, match in planned(facts, stage).items():
        seats = known.get(name)
        is_begun = name in played
        if name in played and set(seats or ()) != set(played[name].entrants):
            if isinstance(field, Windows) and seats is not None:  # others have equal points by now, and have not met
                is_begun = False
            else:  # a correction changes no match that has begun
                one, other = played[name].entrants
                seats = one, other
        is_over = is_begun and played[name].winner is not None
        if is_over or seats is None:
            continue
        yield Fixture(
            match=name,
            seats=seats,
            higher=min(seats, key=lambda one: order.index(one) if one in order else len(order)),
            round=match.round,
            game=numbers[name] + 1 if is_begun else 1,
            games=match.games,
        )


def sides(facts: Facts, stage: str, seeds: Mapping[str, str]) -> Mapping[str, tuple[str, str]]:
    """Who plays each match by the bracket, as far as both are known."""
    order = order_before(facts, stage)
    field = stage_of(facts.ruleset, stage).field
    played = matches_of(facts, stage, order)
    earlier = matches_of(facts, field.stage, order) if isinstance(field, Players) else NO_MATCHES
    found: dict[str, tuple[str, str]] = {}
    for name, match in planned(facts, stage).items():
        one, other = (side_of(side, seeds, {**earlier, **played}) for side in match.sides)
        if one is not None and other is not None:
            found[name] = one, other
    return found


def side_of(side: str, seeds: Mapping[str, str], played: Mapping[str, Match]) -> str | None:
    kind, colon, name = side.partition(":")
    if not colon:
        return seeds.get(side)
    match = played.get(name)
    return None if match is None else match.winner if kind == "winner" else match.loser


def seeds_of(facts: Facts, stage: str) -> Mapping[str, str]:
    """Who has the places that the sides of a bracket name."""
    field = stage_of(facts.ruleset, stage).field
    match field:
        case GroupPlaces():
            return as_begun(facts, stage, group_places(facts, field, facts.fields.get(stage, ())))
        case Windows() if have_led_on(facts):
            return {}
        case Windows():
            return {
                place: entrant
                for name, pair in pairs_of(facts).items()
                for place, entrant in zip(name.split("-"), pair, strict=True)
            }
        case Players():
            return seeds_of(facts, field.stage)
        case Everybody() | Best() | Complement():
            there = facts.fields.get(stage, ())
            in_order = [one for one in order_before(facts, stage) if one in there] or opening(facts, stage).entrants
            return as_begun(facts, stage, {str(number): one for number, one in enumerate(in_order, start=1)})


def as_begun(facts: Facts, stage: str, seeds: Mapping[str, str]) -> Mapping[str, str]:
    """Who plays a match keeps the places that it is for, whatever a correction makes of the order; the others have those
    that are left."""
    plan = planned(facts, stage)
    taken: dict[str, str] = {}
    for game in sorted(
        (game for _, game in games_of(facts, stage) if game.match in plan),
        key=lambda one: plan[one.match or ""].round,
    ):
        free = [side for side in plan[game.match or ""].sides if side in seeds and side not in taken]
        waiting = [one for one in seeds.values() if one in game.seats and one not in taken.values()]
        taken |= zip(free, waiting, strict=False)
    still = {side: one for side, one in seeds.items() if side not in taken and one not in taken.values()}
    sides = [side for side in seeds if side not in taken and side not in still]
    others = [one for one in seeds.values() if one not in taken.values() and one not in still.values()]
    return {**taken, **still, **dict(zip(sides, others, strict=False))}
