"""What the places of the final ranking bring: titles, prizes and accreditations."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from msgspec.structs import replace

from shared.rulesets.stages import Award
from shared.tournament.facts import Facts
from shared.tournament.ordering import Row
from shared.tournament.ranking import Table, final, in_overall_semifinals, order_of_stage, rank
from shared.tournament.stages import gone_before
from shared.values import Value

type CashChoice = Literal["to-choose", "taken", "given-up"]


class AwardGiven(Value):
    entrant: str
    award: Award
    place: int  # where equal places had to be told apart, by the criteria
    choice: CashChoice | None = None  # of prizes in cash that do not add up

    @property
    def to_choose(self) -> bool:
        return self.choice == "to-choose"


def awards(facts: Facts) -> tuple[AwardGiven, ...]:
    """In the order in which the ruleset names them."""
    named = facts.ruleset.final.awards
    if not named:
        return ()
    order = {one: place for place, one in enumerate(order_of_stage(facts, facts.ruleset.stages[0].id))}
    tables = {among: final(facts, among=among) for among in {award.among for award in named}}
    gone = {among: gone_before_the_best(facts, among) for among in tables}
    played_for = {among: places_played_for(facts, table) for among, table in tables.items()}
    found = [
        one
        for award in named
        for one in given(award, tables[award.among].rows, order)
        if award.places is None or one.entrant not in gone[award.among] or one.place > played_for[award.among]
    ]
    offers = cash_of(found)
    return tuple(with_choice(facts, one, offers.get(one.entrant, ())) for one in found)


def gone_before_the_best(facts: Facts, among: str | None) -> AbstractSet[str]:
    """Whoever left too early to play for the first places has none of them, though nobody else of a list may (OT.D18).

    Nobody plays for them in a list of which somebody is in the semifinals of all: the places behind are those of the table.
    """
    podium = facts.ruleset.final.podium
    if podium is None:
        return frozenset[str]()
    if among is not None and in_overall_semifinals(facts, podium, among, rank(facts, podium.stage).rows):
        return frozenset[str]()
    return gone_before(facts, podium.semifinals) - set(facts.fields.get(podium.semifinals, ()))


def places_played_for(facts: Facts, table: Table) -> int:
    """The places of those who play on. Behind them stands whoever is next in the list, there or not."""
    podium = facts.ruleset.final.podium
    most = 0 if podium is None else podium.places
    return most if table.final is None else min(max(len(table.final.playing), 1), most)


def given(award: Award, rows: Sequence[Row], order: Mapping[str, int]) -> Iterator[AwardGiven]:
    """A title is for one alone; a prize goes by the order of the first stage where places are equal (OT.D32)."""
    if award.places is None:
        yield from (AwardGiven(entrant=row.entrant, award=award, place=row.place) for row in rows)
        return
    first, last = award.places
    for place, row in enumerate(told_apart(rows, order), start=1):
        if first <= place <= last and not (award.what == "title" and row.shared):
            yield AwardGiven(entrant=row.entrant, award=award, place=place)


def cash_of(found: Sequence[AwardGiven]) -> dict[str, tuple[str | None, ...]]:
    """The lists in which somebody has a prize in cash, for whoever has one of the ranking of all beside others: only that
    does not add up with them (OT.STA-6)."""
    offers: dict[str, tuple[str | None, ...]] = {}
    for one in found:
        if one.award.what == "cash":
            offers[one.entrant] = (*offers.get(one.entrant, ()), one.award.among)
    return {entrant: lists for entrant, lists in offers.items() if len(lists) > 1 and None in lists}


def offered(facts: Facts) -> dict[str, tuple[str | None, ...]]:
    """Who has to choose, and between the prizes of which lists."""
    return cash_of(awards(facts))


def with_choice(facts: Facts, one: AwardGiven, lists: Sequence[str | None]) -> AwardGiven:
    """What was chosen counts as long as it is one of the prizes."""
    if one.award.what != "cash" or not lists:
        return one
    is_chosen = one.entrant in facts.chosen and facts.chosen[one.entrant] in lists
    choice = "to-choose" if not is_chosen else "taken" if facts.chosen[one.entrant] == one.award.among else "given-up"
    return replace(one, choice=choice)


def told_apart(rows: Sequence[Row], order: Mapping[str, int]) -> list[Row]:
    """Equal places by that order, since a prize is for one."""
    return sorted(rows, key=lambda row: (row.place, order.get(row.entrant, -1)))


class Title(Value):
    """Who bears the title of a list, or that of the event."""

    among: str | None
    entrant: str
    by_stage: str | None  # that was played for it; none: by the table


def titles(facts: Facts) -> tuple[Title, ...]:
    """The titles, as far as one entrant is first. Where the rules want a stage for a title, that has to take place."""
    return tuple(
        Title(among=among, entrant=table.rows[0].entrant, by_stage=stage)
        for among, stage in [(None, None), *held_for(facts)]
        if (table := final(facts, among=among)).rows
        and not table.rows[0].shared
        and table.rows[0].entrant not in gone_before_the_best(facts, among)
    )


def held_for(facts: Facts) -> Iterator[tuple[str, str | None]]:
    """The lists that have a title, and the stages that are played for it."""
    for one in facts.ruleset.lists:
        stage = one.stage if one.stage is not None and one.stage in facts.fields else None
        if one.title_by != "stage" or stage is not None:
            yield one.id, stage
