"""What the places of the final ranking bring: titles, prizes and accreditations."""

from collections.abc import Collection, Iterator

from shared.rulesets.stages import Award
from shared.tournament.facts import Facts
from shared.tournament.ordering import Table
from shared.tournament.ranking import final, order_of_stage
from shared.values import Value


class AwardWon(Value):
    entrant: str
    award: Award
    place: int  # where equal places had to be told apart, by the criteria
    to_choose: bool = False  # one of several prizes in cash that do not add up


def awards(facts: Facts) -> tuple[AwardWon, ...]:
    """In the order in which the ruleset names them."""
    found = [
        AwardWon(entrant=entrant, award=award, place=place)
        for award in facts.ruleset.final.awards
        for place, entrant in enumerate(told_apart(facts, final(facts, among=award.among)), start=1)
        if award.places[0] <= place <= award.places[1]
    ]
    cash = [one.entrant for one in found if one.award.what == "cash"]
    return tuple(with_choice(one, cash) for one in found)


def with_choice(one: AwardWon, cash: Collection[str]) -> AwardWon:
    several = one.award.what == "cash" and sum(other == one.entrant for other in cash) > 1
    return AwardWon(entrant=one.entrant, award=one.award, place=one.place, to_choose=several)


def told_apart(facts: Facts, table: Table) -> list[str]:
    """Equal places by the order of the first stage, since a prize is for one."""
    order = {one: place for place, one in enumerate(order_of_stage(facts, facts.ruleset.stages[0].id))}
    return [row.entrant for row in sorted(table.rows, key=lambda row: (row.place, order.get(row.entrant, -1)))]


class Title(Value):
    """Who bears the title of a list, or that of the event."""

    among: str | None
    entrant: str
    by_stage: str | None  # that was played for it; none: by the table


def titles(facts: Facts) -> tuple[Title, ...]:
    """As far as one entrant is first. Where the rules want a stage for it, that has to take place."""
    return tuple(
        Title(among=among, entrant=table.rows[0].entrant, by_stage=stage)
        for among, stage in [(None, None), *held_for(facts)]
        if (table := final(facts, among=among)).rows and not table.rows[0].shared
    )


def held_for(facts: Facts) -> Iterator[tuple[str, str | None]]:
    """The lists that have a title, and the stages that are played for it."""
    for one in facts.ruleset.lists:
        stage = one.stage if one.stage is not None and one.stage in facts.fields else None
        if one.title_by != "stage" or stage is not None:
            yield one.id, stage
