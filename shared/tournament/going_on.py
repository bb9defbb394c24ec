"""What a whole event hands on to the next one: its order, and how many of it go on by right."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby

from shared.tournament.closing import order_of, unfinished
from shared.tournament.facts import Facts
from shared.tournament.progression import opening, qualified
from shared.tournament.ranking import advancing, final, rank
from shared.tournament.stages import begun
from shared.values import Value


class GoingOn(Value):
    """Of those who are still there, place by place."""

    order: tuple[tuple[str, ...], ...]
    advance: int | None  # so many by right; none where nobody has said how many
    reserves: tuple[str, ...]  # in the order in which they are called
    points: Mapping[str, Fraction]  # that the table had last, for whoever brings them along


def going_on(facts: Facts, *, is_over: bool = False) -> GoingOn | None:
    """Nothing before it is decided. Once the tournament is over, what has not begun is not played any more."""
    if next(undecided(facts, is_over=is_over), None):
        return None
    advance, found = advancing(facts), qualified(facts)
    rows = [row for row in final(facts).rows if row.entrant not in facts.left]
    if found.awaits:
        return None
    return GoingOn(
        order=tuple(tuple(row.entrant for row in equal) for _, equal in groupby(rows, lambda row: row.place)),
        advance=advance,
        reserves=() if advance is None else found.reserves,
        points={row.entrant: row.values["points"] for row in rows if "points" in row.values},
    )


def undecided(facts: Facts, *, is_over: bool = False) -> Iterator[str]:
    """Why the order of the whole event may still change."""
    for stage in facts.ruleset.stages:
        if not begun(facts, stage.id):
            if not is_over and opening(facts, stage.id).not_held is None:
                yield f"{stage.title} has not begun."
        elif is_over:
            yield from unfinished(facts, stage.id)
        elif facts.closed.get(stage.id) != order_of(rank(facts, stage.id).rows):
            yield f"{stage.title} is not closed in the order that it has now."
    yield from (f"{', '.join(tie.entrants)} wait for a {tie.needs}." for tie in final(facts).unresolved)
