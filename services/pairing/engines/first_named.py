"""Who is named first in a round robin where the tables of its first round say so.

1. In the first round it is the lower-placed on odd tables, and the higher-placed on even ones.
2. Who have met once already change roles the second time.
3. Of everybody else it is whoever evens out the roles of both, or else who comes first in Berger's tables; but only so
   that in the end everybody can have been first as often as second, or once more or less.
"""

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from services.pairing.engines import berger
from services.pairing.engines.field import Field, places_at_start

type Meeting = tuple[str, str]  # the one who is named first, then the other

GIVEN = 2  # being second instead of first
BY_TABLES = frozenset({"lower-rated-on-odd-tables", "second-seed-on-odd-tables"})


def goes_by_tables(field: Field) -> bool:
    return field.settings.pairing.first_round.first in BY_TABLES


def in_roles(field: Field, seats: Sequence[str], meetings: Sequence[Meeting]) -> list[Meeting]:
    """The meetings of a round, in the order of their tables."""
    if field.round == 1:
        place = places_at_start(field.facts)
        return [by_table(place, table, *meeting) for table, meeting in enumerate(meetings, start=1)]
    so_far = {frozenset(meeting): meeting for meeting in first_meetings(field)}
    to_come = left_of(field, seats, so_far)
    balance, open_ = balances(so_far.values()), OpenRoles.evened_out(so_far.values(), to_come.values())
    found: list[Meeting] = []
    for meeting in meetings:
        two = frozenset(meeting)
        if two in so_far:
            found.append(turned(so_far[two]))
        else:
            found.append(open_.settled(evening(balance, to_come.get(two, meeting))))
    return found


def evening(balance: Mapping[str, int], usual: Meeting) -> Meeting:
    """First who was so less often, measured against second; where that is alike, as in the tables."""
    first, second = usual
    return turned(usual) if balance.get(first, 0) > balance.get(second, 0) else usual


def turned(meeting: Meeting) -> Meeting:
    first, second = meeting
    return second, first


def by_table(place: Mapping[str, int], table: int, one: str, other: str) -> Meeting:
    higher, lower = sorted((one, other), key=place.__getitem__)
    return (lower, higher) if table % 2 else (higher, lower)


def by_table_explained(table: int, first: str) -> str:
    which, placed = ("odd", "lower") if table % 2 else ("even", "higher")
    return f"{first} is named first: in the first round it is the {placed}-placed on {which} tables."


def first_meetings(field: Field) -> Iterator[Meeting]:
    """The meetings so far, each as it was when the two met for the first time."""
    seen: set[frozenset[str]] = set()
    for number in range(1, field.round):
        earlier = field.facts.rounds.get((field.stage, number))
        for game in earlier.games if earlier else ():
            two = frozenset(game.seats)
            if game.id not in field.facts.voided and game.first is not None and two not in seen:
                seen.add(two)
                (other,) = two - {game.first}
                yield game.first, other


def left_of(field: Field, seats: Sequence[str], played: Container[frozenset[str]]) -> Mapping[frozenset[str], Meeting]:
    """The meetings that are left of everybody's first ones, as Berger's tables have them."""
    even = len(seats) + len(seats) % 2
    found: dict[frozenset[str], Meeting] = {}
    for duel in combinations(range(1, len(seats) + 1), 2):
        first, second = (seats[seat - 1] for seat in berger.named(*duel, even))
        two = frozenset((first, second))
        is_over = not field.facts.left.keys().isdisjoint(two) or field.is_banned(first, second, field.round)
        if two not in played and not is_over:
            found[two] = (first, second)
    return found


def balances(meetings: Iterable[Meeting]) -> dict[str, int]:
    """How often more each is named first than second."""
    found: dict[str, int] = {}
    for first, second in meetings:
        found[first] = found.get(first, 0) + 1
        found[second] = found.get(second, 0) - 1
    return found


@dataclass(frozen=True, eq=False)
class OpenRoles:
    """The meetings to come in roles with which all end as even as they can. Ways lead from who is first to who is second.

    A way of meetings that are all turned takes two from the balance of its start, and gives two to that of its end.
    """

    balance: dict[str, int]  # in the end
    following: dict[str, dict[str, None]]

    @classmethod
    def evened_out(cls, so_far: Iterable[Meeting], to_come: Iterable[Meeting]) -> "OpenRoles":
        following: dict[str, dict[str, None]] = {}
        for first, second in (meetings := list(to_come)):
            following.setdefault(first, {})[second] = None
        found = cls(balances([*so_far, *meetings]), following)
        while any(found._gives(one) for one in sorted(found.balance, key=lambda one: -found.balance[one])):
            pass
        return found

    def settled(self, wanted: Meeting) -> Meeting:
        """As wanted, if then all can still end as even; otherwise the other way round."""
        first, second = wanted
        if first not in self.following.get(second, ()):
            self.following.get(first, {}).pop(second, None)
            return wanted
        del self.following[second][first]
        way = self._way(first, lambda one: one == second or self.balance[second] - self.balance[one] >= GIVEN)
        if way is None:
            return turned(wanted)
        self._turn(way)
        self.balance[second] -= GIVEN
        self.balance[way[-1][1] if way else first] += GIVEN
        return wanted

    def _gives(self, one: str) -> bool:
        way = self._way(one, lambda other: self.balance[one] - self.balance[other] > GIVEN)
        if way is None:
            return False
        self._turn(way)
        self.balance[one] -= GIVEN
        self.balance[way[-1][1]] += GIVEN
        return True

    def _way(self, start: str, is_end: Callable[[str], bool]) -> Sequence[Meeting] | None:
        """A shortest one."""
        came_from: dict[str, str | None] = {start: None}
        reached = deque([start])
        while reached:
            here = reached.popleft()
            if is_end(here):
                return way_to(here, came_from)
            for following in self.following.get(here, ()):
                if following not in came_from:
                    came_from[following] = here
                    reached.append(following)
        return None

    def _turn(self, way: Iterable[Meeting]) -> None:
        for first, second in way:
            del self.following[first][second]
            self.following.setdefault(second, {})[first] = None


def way_to(end: str, came_from: Mapping[str, str | None]) -> Sequence[Meeting]:
    way: list[Meeting] = []
    while (before := came_from[end]) is not None:
        way.append((before, end))
        end = before
    return way[::-1]
