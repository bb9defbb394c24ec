"""Who is in a stage, who is away from a round of it, and which settings hold there."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from shared.refusals import Invalid, NotFound
from shared.rulesets.schema import Ruleset
from shared.rulesets.settings import Settings, announces_stage, settings
from shared.rulesets.stages import Complement
from shared.tournament.facts import Entrant, Facts

ALONE = "A"  # where there are no groups, all are in one


class StageUnknown(NotFound):
    """The ruleset has no such stage."""


class ListUnknown(NotFound):
    """The ruleset has no such list."""


class UnknownRound(Invalid):
    """The stage has no such round."""


def require_stage(facts: Facts, stage: str) -> None:
    ids = [one.id for one in facts.ruleset.stages]
    if stage not in ids:
        raise StageUnknown(f"There is no stage {stage!r}. There are: {', '.join(ids)}.")


def require_list(facts: Facts, list_id: str) -> None:
    ids = [one.id for one in facts.ruleset.lists]
    if list_id not in ids:
        raise ListUnknown(f"There is no list {list_id!r}. There are: {', '.join(ids) or 'none'}.")


def require_round(ruleset: Ruleset, stage: str, number: int, *, size: int, first: int = 1) -> None:
    """What is said of a round that never comes would have no effect. `size`: the largest field has the most of them."""
    last = settings(ruleset, stage, size=size).rounds
    if number < first or (last is not None and number > last):
        up_to = f"{first} to {last}" if last is not None else f"{first} or a later one"
        raise UnknownRound(f"There is no round {number} in {stage}: name {up_to}.")


def field_of(facts: Facts, stage: str) -> Mapping[str, Entrant]:
    """Those who are in the table of a stage: in the first everybody, later those with whom it was opened.

    Who is qualified beforehand for a later stage does not play the one that leads to it.
    """
    if stage == facts.ruleset.stages[0].id or stage not in facts.fields:
        if facts.direct and leads_to_complement(facts, stage):
            return {name: one for name, one in facts.entrants.items() if name not in facts.direct}
        return facts.entrants
    return {one: facts.entrants[one] for one in facts.fields[stage] if one in facts.entrants}


def size_of(facts: Facts, stage: str) -> int:
    """How many a stage is for: those with whom it was opened, and whoever has come since where its rounds have to be enough
    for all.

    Until it is opened these are all but those who have left before they would have played. Who leaves later still counts.
    """
    opened = facts.fields.get(stage, ())
    if opened and not has_to_suffice(facts, stage):
        return len(opened)
    named = (
        one.id
        for one in field_of(facts, stage).values()
        if not never_played(facts, stage, one) and not came_into_groups(facts, stage, one)
    )
    return len({*opened, *named})


def has_to_suffice(facts: Facts, stage: str) -> bool:
    """Whether everybody meets everybody only in a field for which the rounds of the stage are enough."""
    first = facts.ruleset.stages[0]
    return stage == first.id and any(one.at_most == "rounds+1" for one in first.by_size)


def never_played(facts: Facts, stage: str, entrant: Entrant) -> bool:
    """Gone before the stage began. Where its rounds have to be enough for all, also before they came themselves; elsewhere who
    was announced for a later round is among those for whom the first one was drawn (OT.D17)."""
    left, first = facts.left.get(entrant.id), entrant.from_round if has_to_suffice(facts, stage) else 1
    return left is not None and left.stage == stage and left.after_round < first


def came_into_groups(facts: Facts, stage: str, entrant: Entrant) -> bool:
    """After they had begun: a file, which does not tell with whom a stage was opened, tells it by the group that was drawn."""
    begun_with = facts.rounds.get((stage, 1))
    return (
        entrant.from_round > 1
        and entrant.group is None
        and begun_with is not None
        and any(game.group is not None for game in begun_with.games)
    )


def leads_to_complement(facts: Facts, stage: str) -> bool:
    return any(isinstance(one.field, Complement) and one.field.stage == stage for one in facts.ruleset.stages)


def begun(facts: Facts, stage: str) -> bool:
    """The first stage begins with the tournament."""
    is_first = stage == facts.ruleset.stages[0].id
    return is_first or stage in facts.fields or has_rounds(facts, stage)


def has_rounds(facts: Facts, stage: str) -> bool:
    return any(of == stage for of, _ in facts.rounds)


def groups_of(facts: Facts, stage: str) -> Mapping[str, str]:
    """The group of everybody of whom it is known: by the games that stand, or as the draw said."""
    groups = {name: one.group for name, one in field_of(facts, stage).items() if one.group is not None}
    groups |= facts.drawn.get(stage, {})
    for (of, _), one in sorted(facts.rounds.items()):
        if of == stage:
            groups |= {seat: game.group for game in one.games if game.group is not None for seat in game.seats}
    return groups


def advancing(facts: Facts) -> int | None:
    """How many go on to another tournament: as the rules say or, where they say nothing, as was announced."""
    number, to_a_stage = facts.ruleset.final.advance, announces_stage(facts.ruleset)
    return facts.advance if number == "announced" or (number is None and not to_a_stage) else number


def settings_of(facts: Facts, stage: str) -> Settings:
    """What holds in a stage: it depends on how many it is for, and on whether it was shortened."""
    require_stage(facts, stage)
    return settings(facts.ruleset, stage, size=size_of(facts, stage), rounds=facts.shortened.get(stage))


def named_stages(facts: Facts) -> Sequence[str]:
    """Those from which the ranking of the event is put together, best first."""
    return facts.ruleset.final.stages or (facts.ruleset.stages[-1].id,)


def gone_by_the_end(facts: Facts, stage: str) -> AbstractSet[str]:
    """Entrants who have left before the end of a stage."""
    numbers = {one.id: number for number, one in enumerate(facts.ruleset.stages)}
    return {name for name, left in facts.left.items() if numbers.get(left.stage, 0) <= numbers[stage]}


def gone_before(facts: Facts, stage: str) -> AbstractSet[str]:
    """Entrants who have left before a stage begins."""
    numbers = {one.id: number for number, one in enumerate(facts.ruleset.stages)}
    return {
        name
        for name, left in facts.left.items()
        if numbers[left.stage] < numbers[stage] or (left.stage, left.after_round) == (stage, 0)
    }


def left_before(facts: Facts, stage: str, number: int) -> AbstractSet[str]:
    """Entrants who had left before this round."""
    if not facts.left:
        return frozenset()
    order = [known.id for known in facts.ruleset.stages]
    place = order.index(stage), number
    return {
        entrant
        for entrant, one in facts.left.items()
        if (order.index(one.stage) if one.stage in order else 0, one.after_round + 1) <= place
    }
