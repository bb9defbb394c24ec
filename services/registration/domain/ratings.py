"""The rating list of a federation that was published last, as standings has told it. One stream a list."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from shared.commands.decider import Decider, Fact, Order
from shared.contracts.parts import RatedPerson
from shared.numbers import whole
from shared.values import Value

# Orders


class TakeOverRatings(Order):
    federation: str
    list: str
    season: str
    on: str
    ratings: tuple[RatedPerson, ...]


type Command = TakeOverRatings

# Facts


class RatingsTakenOver(Fact):
    """The list of ratings that standings has published counts here from that day on."""

    federation: str
    list: str
    season: str
    on: str
    ratings: tuple[RatedPerson, ...]


type Event = RatingsTakenOver


class Ratings(Value):
    """It is empty until a list was published."""

    on: str = ""
    of: Mapping[str, int] = msgspec.field(default_factory=dict[str, int])


def decide(state: Ratings, command: Command) -> list[Event]:
    """An older list that arrives late changes nothing."""
    if command.on < state.on:
        return []
    taken_over = msgspec.convert(command, RatingsTakenOver, from_attributes=True)
    return [] if evolve(state, taken_over) == state else [taken_over]


def evolve(_: Ratings, event: Event) -> Ratings:
    return Ratings(on=event.on, of={row.person: row.rating for row in event.ratings})


RATINGS: Decider[Ratings, Command, Event] = Decider(
    kind="ratings", initial=Ratings(), decide=decide, evolve=evolve, events=(RatingsTakenOver,)
)


def mean_rating(found: Sequence[int | None], unrated: int | None) -> int | None:
    """The rating of one person, or the mean of several. Who is not on the list counts as the rules say; who is alone
    and not on it has none."""
    if all(one is None for one in found):
        return None
    numbers = [unrated if one is None else one for one in found]
    known = [one for one in numbers if one is not None]
    return whole(Fraction(sum(known), len(known)))
