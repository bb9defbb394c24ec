"""What a tournament of the platform gives to its season: kept as a row, so that a season is never folded anew."""

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from services.standings.domain.table import Persons
from shared.numbers import Number, stored
from shared.tournament.facts import Facts, Left
from shared.tournament.progression import opening
from shared.tournament.ranking import final
from shared.tournament.stages import field_of
from shared.values import Value


class AnnouncedIn(Value):
    """What a tournament was announced as in its season."""

    season: str
    kind: str
    rating_list: str | None
    organisers: tuple[str, ...]
    name: str
    on: str  # the day on which it begins


class ReachedPlace(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A place of the final ranking. A lot that is still to be drawn leaves it shared."""

    persons: tuple[str, ...]
    place: int
    left: Literal["withdrew", "expelled"] | None = None  # before all was played


class Played(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A game of two persons, and how it ended."""

    persons: tuple[str, str]
    points: tuple[Number, Number]
    end: str


class SeasonContribution(Value):
    """Nothing of it counts before the tournament is completed."""

    announced: AnnouncedIn
    is_completed: bool = False
    is_settled: bool = True  # nobody waits for a lot any more
    places: tuple[ReachedPlace, ...] = ()
    games: tuple[Played, ...] = ()


def season_contribution(
    announced: AnnouncedIn, facts: Facts, persons: Persons, *, is_completed: bool
) -> SeasonContribution:
    if not is_completed:
        return SeasonContribution(announced=announced)
    ranking = final(facts)
    return SeasonContribution(
        announced=announced,
        is_completed=True,
        is_settled=not ranking.unresolved,
        places=tuple(
            ReachedPlace(persons=persons.get(row.entrant, ()), place=row.place, left=left_early(facts, row.entrant))
            for row in ranking.rows
        ),
        games=tuple(games(facts, persons)),
    )


def left_early(facts: Facts, entrant: str) -> Literal["withdrew", "expelled"] | None:
    """Who withdraws when they have played all that was theirs has not left early; who is expelled then is expelled all the
    same.
    """
    left = facts.left.get(entrant)
    if left is None or left.why == "expelled":
        return left.why if left else None
    stages = [one.id for one in facts.ruleset.stages]
    later = {stage for stage, _ in facts.rounds if stages.index(stage) > stages.index(left.stage)}
    is_early = misses_own(facts, entrant, left) or any(was_to_play(facts, entrant, left, stage) for stage in later)
    return left.why if is_early else None


def misses_own(facts: Facts, entrant: str, left: Left) -> bool:
    """Whether a round of the stage in which they have left was played without them."""
    is_played = any(stage == left.stage and number > left.after_round for stage, number in facts.rounds)
    return is_played and entrant in field_of(facts, left.stage)


def was_to_play(facts: Facts, entrant: str, left: Left, stage: str) -> bool:
    """Whether they would have reached a later stage, had they stayed."""
    stages = [one.id for one in facts.ruleset.stages]
    until_then = stages[: stages.index(left.stage) + 1]
    stayed = replace(
        facts,
        left={one: gone for one, gone in facts.left.items() if one != entrant},
        fields={of: field for of, field in facts.fields.items() if of in until_then},
        rounds={place: one for place, one in facts.rounds.items() if place[0] in until_then},
    )
    return entrant in opening(stayed, stage).entrants


def games(facts: Facts, persons: Persons) -> Iterator[Played]:
    for _, one in sorted(facts.rounds.items()):
        for game in one.games:
            result = facts.results.get(game.id)
            players = [persons.get(seat, ()) for seat in game.seats]
            if result is None or game.id in facts.voided or [len(several) for several in players] != [1, 1]:
                continue
            (first,), (second,) = players
            points = stored(result.points[0]), stored(result.points[1])
            yield Played(persons=(first, second), points=points, end=result.end)
