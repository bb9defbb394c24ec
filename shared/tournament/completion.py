"""When a stage is over, in which order it is closed, and what has to be closed before the next one.

When the whole event is over, its order and those who go on by right are handed over to the next event.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Protocol

from shared.numbers import Exact
from shared.rulesets.settings import rounds_of, stage_of
from shared.rulesets.stages import Everybody
from shared.tournament.facts import Facts, Round, StageOrder
from shared.tournament.fixtures import fixtures
from shared.tournament.progression import left_out, opening, qualified
from shared.tournament.ranking import final, rank
from shared.tournament.stages import advancing, begun, groups_of, settings_of
from shared.values import Value


class PlacedRow(Protocol):
    """A row of a table."""

    @property
    def place(self) -> int: ...
    @property
    def entrant(self) -> str: ...
    @property
    def group(self) -> str | None: ...


def order_of(rows: Iterable[PlacedRow]) -> StageOrder:
    """Equal places of different groups are not the same place."""
    places: dict[tuple[str | None, int], list[str]] = {}
    for row in rows:
        places.setdefault((row.group, row.place), []).append(row.entrant)
    return StageOrder(
        places=tuple(map(tuple, places.values())),
        groups=tuple(group for group, _ in places if group is not None),
    )


def unfinished(facts: Facts, stage: str) -> Iterator[str]:
    """Why a stage is not played yet: round by round, and then match by match."""
    rounds = {number: one for (of, number), one in facts.rounds.items() if of == stage}
    for number in range(1, max(planned_rounds(facts, stage) or 0, *rounds, 1) + 1):
        if number not in rounds:
            yield f"Round {number} is not published."
        elif missing := tables_without_result(facts, rounds[number]):
            tables = ", ".join(map(str, missing))
            yield f"Round {number} has no result yet at table{'s' if len(missing) > 1 else ''} {tables}."
    if rounds and settings_of(facts, stage).pairing.system == "knockout":
        yield from (f"{one.match} is not decided." for one in fixtures(facts, stage))


def planned_rounds(facts: Facts, stage: str) -> int | None:
    """How many there are; in groups as many as the largest one takes. None where only the play shows it."""
    settings = settings_of(facts, stage)
    if settings.rounds is None and settings.pairing.system == "groups":
        largest = max(Counter(groups_of(facts, stage).values()).values(), default=0)
        return rounds_of("round-robin", None, largest)
    return settings.rounds


def tables_without_result(facts: Facts, one: Round) -> list[int]:
    return sorted({game.table for game in one.games if game.id not in facts.results and game.id not in facts.voided})


def not_closed(facts: Facts, stage: str) -> str | None:
    """Why a stage cannot be opened yet: the one whose order says who is in it has to be closed before."""
    field = stage_of(facts.ruleset, stage).field
    if isinstance(field, Everybody):
        return None
    if left_out(facts, field.stage) is not None:
        return not_closed(facts, field.stage)
    title = stage_of(facts.ruleset, field.stage).title
    if field.stage not in facts.closed:
        return f"{title} is not closed yet: its order says who goes on."
    if facts.closed[field.stage] != order_of(rank(facts, field.stage).rows):
        return f"{title} has another order by now than it was closed in: close it once more."
    return None


class Handover(Value):
    """What a whole event hands on to the next one: those who are still there, place by place."""

    order: tuple[tuple[str, ...], ...]
    advance: int | None  # so many by right; none where nobody has said how many
    reserves: tuple[str, ...]  # in the order in which they are called
    points: Mapping[str, Exact]  # that the table had last, for whoever brings them along


def handover(facts: Facts, *, is_over: bool) -> Handover | None:
    """Nothing before it is decided. Once the tournament is over, what has not begun is not played any more."""
    if next(undecided(facts, is_over=is_over), None):
        return None
    advance, found = advancing(facts), qualified(facts)
    rows = [row for row in final(facts).rows if row.entrant not in facts.left]
    if found.awaits:
        return None
    return Handover(
        order=tuple(tuple(row.entrant for row in equal) for _, equal in groupby(rows, lambda row: row.place)),
        advance=advance,
        reserves=() if advance is None else found.reserves,
        points={row.entrant: row.values["points"] for row in rows if "points" in row.values},
    )


def undecided(facts: Facts, *, is_over: bool = False) -> Iterator[str]:
    """Why the order of the whole event may still change."""
    for stage in facts.ruleset.stages:
        if not begun(facts, stage.id):
            is_to_come = opening(facts, stage.id).not_held is None and left_out(facts, stage.id) is None
            if is_to_come and not is_over:
                yield f"{stage.title} has not begun."
        elif is_over:
            yield from unfinished(facts, stage.id)
        elif facts.closed.get(stage.id) != order_of(rank(facts, stage.id).rows):
            yield f"{stage.title} is not closed in the order that it has now."
    yield from (f"{', '.join(tie.entrants)} wait for a {tie.needs}." for tie in final(facts).unresolved)
