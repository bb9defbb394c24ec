"""What the places of the final ranking bring: prizes and accreditations."""

from collections.abc import Collection
from dataclasses import dataclass

from shared.rulesets.stages import Award
from shared.tournament.facts import Facts
from shared.tournament.ordering import Table
from shared.tournament.ranking import final, order_of_stage


@dataclass(frozen=True, kw_only=True, slots=True)
class Won:
    entrant: str
    award: Award
    place: int  # where equal places had to be told apart, by the criteria
    to_choose: bool = False  # one of several prizes in cash that do not add up


def awards(facts: Facts) -> tuple[Won, ...]:
    """In the order in which the ruleset names them."""
    found = [
        Won(entrant=entrant, award=award, place=place)
        for award in facts.ruleset.final.awards
        for place, entrant in enumerate(told_apart(facts, final(facts, among=award.among)), start=1)
        if award.places[0] <= place <= award.places[1]
    ]
    cash = [one.entrant for one in found if one.award.what == "cash"]
    return tuple(with_choice(one, cash) for one in found)


def with_choice(one: Won, cash: Collection[str]) -> Won:
    several = one.award.what == "cash" and sum(other == one.entrant for other in cash) > 1
    return Won(entrant=one.entrant, award=one.award, place=one.place, to_choose=several)


def told_apart(facts: Facts, table: Table) -> list[str]:
    """Equal places by the order of the first stage, since a prize is for one."""
    order = order_of_stage(facts, facts.ruleset.stages[0].id)
    return [row.entrant for row in sorted(table.rows, key=lambda row: (row.place, order.index(row.entrant)))]
