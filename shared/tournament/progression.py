"""Who goes on: with whom a stage can be opened, who qualifies for elsewhere, and why, in words for people.

Pure: from facts to what could be done now. What has to be decided before is named, and nothing is drawn.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from shared.rulesets.settings import stage_of
from shared.rulesets.stages import Best, Complement, Everybody, GroupPlaces, Players, Podium, Windows
from shared.tournament.brackets import bracket_of, planned
from shared.tournament.facts import Facts
from shared.tournament.ledger import ledger_of
from shared.tournament.ordering import OpenTie, Row, Table
from shared.tournament.podium import eligible, finalists, play_offs, there_for
from shared.tournament.ranking import drawn_among, final, order_before, rank, tied_at
from shared.tournament.stages import advancing, begun, field_of
from shared.values import Value

LEAST = 2  # who play each other


class StageOpening(Value):
    """With whom a stage begins, best first."""

    stage: str
    entrants: tuple[str, ...] = ()
    reserves: tuple[str, ...] = ()  # in the order in which they are called
    awaits: tuple[OpenTie, ...] = ()  # what has to be drawn or played before
    not_held: str | None = None  # why the stage does not take place


class QualifiedEntrants(Value):
    """Who goes on to another tournament."""

    entrants: tuple[str, ...]
    reserves: tuple[str, ...]
    awaits: tuple[OpenTie, ...]


def opening(facts: Facts, stage: str) -> StageOpening:
    field = stage_of(facts.ruleset, stage).field
    match field:
        case Everybody():
            there = sorted(field_of(facts, stage).values(), key=lambda one: (one.number, one.id))
            return StageOpening(stage=stage, entrants=tuple(one.id for one in there))
        case Best():
            return of_the_best(facts, stage, field)
        case Complement():
            return of_complement(facts, stage, field)
        case Windows():
            return of_windows(facts, stage)
        case GroupPlaces():
            return of_groups(facts, stage, field)
        case Players():
            return of_players(facts, stage, field)


def of_players(facts: Facts, stage: str, field: Players) -> StageOpening:
    """Nobody, before the stage that they come from is opened; unless that one is left out. Of a list nobody plays on once somebody
    of it is in the other stage, as after a correction."""
    before = stage_of(facts.ruleset, field.stage).field
    if isinstance(before, Best) and (elsewhere := plays_elsewhere(facts, before)) is not None:
        return StageOpening(stage=stage, not_held=elsewhere)
    if field.stage in facts.fields:
        return StageOpening(stage=stage, entrants=tuple(field_of(facts, field.stage)))
    return replace(left_out(facts, field.stage) or StageOpening(stage=stage), stage=stage)


def left_out(facts: Facts, stage: str) -> StageOpening | None:
    """It is not held; or so few have come to it that it has no matches, and they go on to the next one."""
    if stage == facts.ruleset.stages[0].id or begun(facts, stage):
        return None
    if gone_on := have_gone_on(facts, stage):
        return StageOpening(stage=stage, entrants=gone_on)
    found = opening(facts, stage)
    if found.not_held is not None:
        return found if isinstance(stage_of(facts.ruleset, stage).field, Best) else None
    known = replace(facts, fields={**facts.fields, stage: found.entrants})
    has_no_match = found.entrants and bracket_of(known, stage) is not None and not planned(known, stage)
    return found if has_no_match else None


def have_gone_on(facts: Facts, stage: str) -> tuple[str, ...]:
    """Those with whom the stage after one has begun, though it has not."""
    after = (one.id for one in facts.ruleset.stages if isinstance(one.field, Players) and one.field.stage == stage)
    return next((facts.fields[one] for one in after if one in facts.fields), ())


def of_the_best(facts: Facts, stage: str, field: Best) -> StageOpening:
    podium = facts.ruleset.final.podium
    table = rank(facts, field.stage, among=field.among)
    if podium is not None and stage == podium.semifinals:
        return of_semifinals(facts, podium, table)
    if (elsewhere := plays_elsewhere(facts, field)) is not None:
        return StageOpening(stage=stage, not_held=elsewhere)
    if field.among is not None and (may_be_in := still_to_play(facts, field)):
        return StageOpening(stage=stage, awaits=may_be_in)
    count = facts.advance or 0 if field.count == "announced" else field.count
    going = [row for row in there_for(facts, stage, table.rows) if row.entrant not in facts.direct]
    if len(going[:count]) < LEAST:
        return StageOpening(stage=stage, not_held=f"There are fewer than {LEAST} to play it.")
    return cut(facts, stage, table, going, count)


def cut(
    facts: Facts, stage: str, table: Table, going: Sequence[Row], count: int, before: Sequence[str] = ()
) -> StageOpening:
    """The first so many; where those about the edge are equal, a lot decides, whatever the criteria are."""
    tied = tied_at(going, count)
    drawn = drawn_among(facts, tied)
    in_order = sorted(going, key=lambda row: (row.place, drawn.get(row.entrant, 0)))
    edge = {row.entrant for row in in_order[:count]}
    divided = [one for one in table.unresolved if 0 < len(edge & set(one.entrants)) < len(one.entrants)]
    if not divided:
        last = drawn.get(in_order[count - 1].entrant) if tied else None
        equal = tuple(one for one in tied if drawn.get(one) == last)
        divided = [OpenTie(entrants=equal, needs="lot")] if not edge.issuperset(equal) else []
    return StageOpening(
        stage=stage,
        entrants=(*before, *(row.entrant for row in in_order[:count])),
        reserves=tuple(row.entrant for row in in_order[count:]),
        awaits=tuple(divided),
    )


def of_semifinals(facts: Facts, podium: Podium, table: Table) -> StageOpening:
    """Play-offs that are still to be played are awaited as duels."""
    found = finalists(facts, podium, table.rows)
    open_pairs = [one for one in play_offs(facts, podium, table.rows) if one.winner is None]
    return StageOpening(
        stage=podium.semifinals,
        entrants=found.sure,
        awaits=tuple(OpenTie(entrants=one.entrants, needs="duel") for one in open_pairs),
    )


def plays_elsewhere(facts: Facts, field: Best) -> str | None:
    """Why a list does not play apart: somebody of it is in the other stage."""
    if field.among is None or field.unless_in is None or not (taken := those_in(facts, field)):
        return None
    *others, last = taken
    names, play = (f"{', '.join(others)} and {last}", "play") if others else (last, "plays")
    return f"{names} of the list {field.among} {play} in {field.unless_in}."


def those_in(facts: Facts, field: Best) -> tuple[str, ...]:
    """Entrants of the list who are in the other stage, as far as that is known."""
    podium = facts.ruleset.final.podium
    there: Sequence[str] = facts.fields.get(field.unless_in or "", ())
    if not there and podium is not None and field.unless_in == podium.semifinals:
        there = finalists(facts, podium, rank(facts, podium.stage).rows).sure
    return tuple(one for one in there if field.among in facts.entrants[one].lists)


def still_to_play(facts: Facts, field: Best) -> tuple[OpenTie, ...]:
    """Play-offs that may yet bring somebody of the list into the other stage."""
    podium = facts.ruleset.final.podium
    if podium is None or field.unless_in != podium.semifinals or facts.fields.get(podium.semifinals):
        return ()
    return tuple(
        OpenTie(entrants=one.entrants, needs="duel")
        for one in play_offs(facts, podium, rank(facts, podium.stage).rows)
        if one.winner is None and any(field.among in facts.entrants[name].lists for name in one.entrants)
    )


def of_complement(facts: Facts, stage: str, field: Complement) -> StageOpening:
    """Those qualified beforehand and the best of the others, in the order of the points that they bring along."""
    table = rank(facts, field.stage)
    direct = [one for one in facts.entrants if one in facts.direct]
    going = eligible(facts, field.stage, table.rows)
    found = cut(facts, stage, table, going, max(field.up_to - len(direct), 0), direct)
    ledger = ledger_of(facts, field.stage)
    brought = {
        one: facts.entrants[one].carried if one in facts.direct else ledger.exact(ledger.own_points[one])
        for one in found.entrants
    }
    places = {row.entrant: number for number, row in enumerate(table.rows)}
    in_order = sorted(found.entrants, key=lambda one: (-brought[one], places.get(one, -1)))
    return StageOpening(stage=stage, entrants=tuple(in_order), reserves=found.reserves, awaits=found.awaits)


def of_windows(facts: Facts, stage: str) -> StageOpening:
    if have_led_on(facts):
        return StageOpening(stage=stage, not_held="The semifinals have begun: who plays in them is decided.")
    pairs = pairs_of(facts)
    if not pairs:
        return StageOpening(stage=stage, not_held="Nobody about the edge has equal points.")
    order = order_before(facts, stage)
    entrants = sorted((name for one in pairs.values() for name in one), key=order.index)
    return StageOpening(stage=stage, entrants=tuple(entrants))


def have_led_on(facts: Facts) -> bool:
    """Whether nobody plays for equal points any more, since the semifinals have begun."""
    podium = facts.ruleset.final.podium
    return podium is not None and begun(facts, podium.semifinals)


def pairs_of(facts: Facts) -> Mapping[str, tuple[str, str]]:
    podium = facts.ruleset.final.podium
    if podium is None:
        return {}
    return {one.match: one.entrants for one in play_offs(facts, podium, rank(facts, podium.stage).rows)}


def of_groups(facts: Facts, stage: str, field: GroupPlaces) -> StageOpening:
    """Those whose places are in the bracket, group by group."""
    bracket = bracket_of(facts, stage)
    if bracket is None:
        return StageOpening(stage=stage, not_held="The rules have no play-off for a field of this size.")
    places = group_places(facts, field)
    wanted = sorted({side for match in bracket.matches for side in match.sides if ":" not in side})
    there = tuple(places[side] for side in wanted if side in places)
    table = rank(facts, field.stage)
    return StageOpening(
        stage=stage,
        entrants=there,
        awaits=tuple(one for one in table.unresolved if set(one.entrants) & set(there)),
    )


def group_places(facts: Facts, field: GroupPlaces, opened: Sequence[str] = ()) -> Mapping[str, str]:
    """`A1` is who is first of group A; who has left is not counted. Those with whom a play-off was opened stay in it,
    whoever comes back or leaves since."""
    found: dict[str, str] = {}
    numbers: dict[str, int] = {}
    rows = rank(facts, field.stage).rows
    going = [row for row in rows if row.entrant in opened] if opened else eligible(facts, field.stage, rows)
    for row in going:
        group = row.group or "A"
        numbers[group] = numbers.get(group, 0) + 1
        found[f"{group}{numbers[group]}"] = row.entrant
    return found


def qualified(facts: Facts) -> QualifiedEntrants:
    """The first so many of the final ranking. Who has left cannot go on: the next one moves up."""
    table = final(facts)
    going = [row for row in table.rows if row.entrant not in facts.left]
    found = cut(facts, "", table, going, advancing(facts) or 0)
    return QualifiedEntrants(entrants=found.entrants, reserves=found.reserves, awaits=found.awaits)


def grounds(facts: Facts, stage: str) -> Mapping[str, str]:
    """The grounds of everybody who may be in a stage."""
    field = stage_of(facts.ruleset, stage).field
    match field:
        case Everybody():
            return dict.fromkeys(field_of(facts, stage), "plays from the beginning")
        case Best():
            return by_place(facts, field.stage, field.among) | by_play_off(facts, stage)
        case Complement():
            return by_place(facts, field.stage, None) | dict.fromkeys(sorted(facts.direct), "qualified beforehand")
        case GroupPlaces():
            return {
                entrant: f"is {place} of the groups"
                for place, entrant in group_places(facts, field, facts.fields.get(stage, ())).items()
            }
        case Windows():
            return {
                entrant: f"has equal points about the edge: plays for place {match}"
                for match, pair in pairs_of(facts).items()
                for entrant in pair
            }
        case Players():
            return dict.fromkeys(
                field_of(facts, field.stage), f"played the {stage_of(facts.ruleset, field.stage).title}"
            )


def by_place(facts: Facts, stage: str, among: str | None) -> dict[str, str]:
    title = stage_of(facts.ruleset, stage).title
    of_list = f" among {among}" if among is not None else ""
    return {
        row.entrant: f"has {'a shared ' if row.shared else ''}place {row.place}{of_list} in the {title}"
        for row in rank(facts, stage, among=among).rows
    }


def by_play_off(facts: Facts, stage: str) -> dict[str, str]:
    podium = facts.ruleset.final.podium
    if podium is None or stage != podium.semifinals:
        return {}
    return {
        one.winner: f"won the play-off {one.match}"
        for one in play_offs(facts, podium, rank(facts, podium.stage).rows)
        if one.winner is not None
    }
