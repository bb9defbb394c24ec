"""Groups: a draw that keeps schools apart, and then everybody meets everybody of the own group once.

1. Where nobody has drawn the groups yet, a lot does (`group_draw.py`).
2. In each group the rounds follow Berger's tables over the start numbers; all groups play their rounds together.
3. Who starts is drawn in each round: of two who meet, whoever comes out first.
4. Who is not there has lost by default, so that the match stays in the plan. Who rests has no match.
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

from services.pairing.domain.round_sheet import SeatedTable
from services.pairing.engines import berger, round_robin
from services.pairing.engines.field import Field, start_by_lot
from services.pairing.engines.first_named import Meeting
from services.pairing.engines.group_draw import draw_explained
from services.pairing.engines.paired_round import PairedRound, StageOver, named
from shared.tournament.completion import planned_rounds
from shared.tournament.groups import in_groups
from shared.tournament.stages import groups_of


def pair(field: Field) -> PairedRound:
    groups = in_groups(groups_of(field.facts, field.stage))
    planned = {letter: meetings_in(field, members) for letter, members in groups.items()}
    meetings = [(letter, meeting) for letter, several in planned.items() for meeting in several]
    if not meetings:
        raise StageOver("Everybody has met everybody of their group: the groups are played.")
    busy = {one for _, meeting in meetings for one in meeting}
    away = field.attendance
    return PairedRound(
        round=field.round,
        method="groups",
        pairs=tuple(seated(field, table, *found) for table, found in enumerate(meetings, start=1)),
        requested_byes={one: points for one, points in away.requested_byes.items() if one not in busy},
        missing=tuple(one for one in away.missing if one not in busy),
        explanation=tuple(explained(field, groups, busy)),
        groups={letter: tuple(members) for letter, members in groups.items()},
    )


def meetings_in(field: Field, members: Sequence[str]) -> Sequence[Meeting]:
    """The meetings of one group in the next round of its plan, or of what is left of it."""
    if all(round_robin.times_met(field, *two) for two in combinations(members, 2)):
        return ()
    seats = sorted(members, key=lambda one: field.facts.entrants[one].number)
    rounds = max(planned_rounds(field.facts, field.stage) or 0, field.round)
    alone = dataclasses.replace(
        field,
        facts=replace(field.facts, entrants={one: field.facts.entrants[one] for one in seats}),
        settings=field.settings.model_copy(update={"rounds": rounds}),
        players=tuple(player for player in field.players if player.id in seats),
    )
    if field.round > len(berger.table(len(seats))):
        return round_robin.planned_anew(alone, seats).meetings
    return round_robin.next_meetings(alone).meetings


def seated(field: Field, table: int, letter: str, meeting: Meeting) -> SeatedTable:
    start = start_by_lot(field, meeting)
    return SeatedTable(
        table=table,
        seats=start.seats,
        first=start.seats[0],
        group=letter,
        why=(f"Everybody of group {letter} meets everybody of it once.", start.why),
    )


def explained(field: Field, groups: Mapping[str, Sequence[str]], busy: set[str]) -> Iterator[str]:
    if field.round == 1:
        yield from draw_explained(field.facts, list(groups.values()))
    for letter, members in groups.items():
        resting = [one for one in members if one not in busy]
        if resting and len(resting) < len(members):
            yield f"Group {letter}: {named(resting)} {'rests' if len(resting) == 1 else 'rest'}."
        elif resting:
            yield f"Group {letter} has played all its matches."
