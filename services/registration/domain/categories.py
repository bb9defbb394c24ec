"""In which category of a series a person plays: in one only, through all its tournaments."""

from collections.abc import Mapping

from shared.commands.decider import Fact, Order
from shared.refusals import Conflict

type Chosen = Mapping[str, Mapping[str, str]]  # by person: the category of each tournament that they have entered

# Orders


class ChooseCategory(Order):
    series: str
    tournament: str
    category: str
    persons: tuple[str, ...]
    clause: str | None = None


class LeaveCategory(Order):
    tournament: str
    persons: tuple[str, ...]


# Facts


class CategoryChosen(Fact):
    series: str
    tournament: str
    category: str
    person: str


class CategoryLeft(Fact):
    series: str
    tournament: str
    person: str


type CategoryOrder = ChooseCategory | LeaveCategory
type CategoryEvent = CategoryChosen | CategoryLeft


class InAnotherCategory(Conflict):
    """This person plays in another category of the series."""


def decide(series: str, chosen: Chosen, order: CategoryOrder) -> list[CategoryEvent]:
    match order:
        case ChooseCategory():
            for person in order.persons:
                require_no_other(chosen, person, order)
            return [
                CategoryChosen(series=order.series, tournament=order.tournament, category=order.category, person=person)
                for person in order.persons
                if order.tournament not in chosen.get(person, {})
            ]
        case LeaveCategory():
            return [
                CategoryLeft(series=series, tournament=order.tournament, person=person)
                for person in order.persons
                if order.tournament in chosen.get(person, {})
            ]


def require_no_other(chosen: Chosen, person: str, order: ChooseCategory) -> None:
    category = category_of(chosen, person)
    if category is not None and category != order.category:
        clause = f" ({order.clause})" if order.clause else ""
        raise InAnotherCategory(
            f"{person} plays as one of {category} in this series, and nobody is in two categories{clause}: withdraw them "
            "there first."
        )


def category_of(chosen: Chosen, person: str) -> str | None:
    return next(iter(chosen.get(person, {}).values()), None)


def evolve(chosen: Chosen, event: CategoryEvent) -> Chosen:
    before = chosen.get(event.person, {})
    match event:
        case CategoryChosen():
            return {**chosen, event.person: {**before, event.tournament: event.category}}
        case CategoryLeft():
            left = {one: category for one, category in before.items() if one != event.tournament}
            others = {person: categories for person, categories in chosen.items() if person != event.person}
            return {**others, event.person: left} if left else others
