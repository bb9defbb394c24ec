"""Which round of a stage is next, and what stands in its way: both follow from the facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from shared.decider import Conflict
from shared.tournament.facts import Facts, Game, Round
from shared.tournament.stages import settings_of

type Kind = Literal["results-missing", "all-rounds-published", "tournament-over"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Obstacle:
    """`tables` are those of the round before that have no result yet."""

    kind: Kind
    detail: str
    tables: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Next:
    """The round to be paired next, if there is one more, and why it cannot be yet."""

    round: int | None
    of: int | None  # so many rounds, where the rules fix a number
    obstacles: tuple[Obstacle, ...]


class NotYetPossible(Conflict):
    """Something has to happen before the round."""


def next_round(facts: Facts, stage: str, *, over: bool = False) -> Next:
    """`over`: the tournament is completed or cancelled."""
    rounds = settings_of(facts, stage).rounds
    published = rounds_of(facts, stage)
    last = max(published, default=0)
    waiting = unfinished(facts, published[last]) if last else ()
    obstacles = [
        *([missing_results(last, waiting)] if waiting else []),
        *([all_published(last)] if rounds is not None and last >= rounds else []),
        *([Obstacle(kind="tournament-over", detail="The tournament is over.")] if over else []),
    ]
    is_last = rounds is not None and last >= rounds
    return Next(round=None if is_last else last + 1, of=rounds, obstacles=tuple(obstacles))


def require_next(coming: Next, number: int) -> None:
    """Only the next round may be paired or published, and only when nothing is in its way."""
    if coming.round is not None and number > coming.round:
        raise NotYetPossible(f"Round {coming.round} is the next one: pair and publish it before round {number}.")
    if coming.round in (None, number) and coming.obstacles:
        raise NotYetPossible(" ".join(obstacle.detail for obstacle in coming.obstacles))


def rounds_of(facts: Facts, stage: str) -> Mapping[int, Round]:
    """Those that are published."""
    return {found.number: found for found in facts.rounds.values() if found.stage == stage}


def unfinished(facts: Facts, published: Round) -> Sequence[Game]:
    """The games that have no result, table by table."""
    games = [game for game in published.games if game.id not in facts.results and game.id not in facts.voided]
    return sorted(games, key=lambda game: game.table)


def is_completed(facts: Facts, stage: str, number: int) -> bool:
    published = facts.rounds.get((stage, number))
    return published is not None and not unfinished(facts, published)


def missing_results(number: int, waiting: Sequence[Game]) -> Obstacle:
    tables = tuple(game.table for game in waiting)
    named = f"table {tables[0]} has" if len(tables) == 1 else f"tables {', '.join(map(str, tables))} have"
    return Obstacle(
        kind="results-missing",
        detail=f"In round {number} {named} no result yet: the next round is paired when all are in.",
        tables=tables,
    )


def all_published(last: int) -> Obstacle:
    return Obstacle(kind="all-rounds-published", detail=f"All {last} rounds of this stage are published.")
