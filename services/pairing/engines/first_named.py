"""Who is named first in a round robin where the tables of its first round say so.

1. In the first round it is the lower-placed on odd tables, and the higher-placed on even ones.
2. Who have met once already change roles the second time.
3. Of everybody else it is whoever evens out the roles of both, or else who comes first in Berger's tables; but only so
   that in the end everybody can have been first as often as second, or once more or less.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from services.pairing.engines import berger
from services.pairing.engines.field import Field

type Meeting = tuple[str, str]  # the one who is named first, then the other

BY_TABLES = frozenset({"lower-rated-on-odd-tables", "second-seed-on-odd-tables"})


def goes_by_tables(field: Field) -> bool:
    return field.settings.pairing.first_round.first in BY_TABLES


def in_roles(field: Field, seats: Sequence[str], meetings: Sequence[Meeting]) -> list[Meeting]:
    """The meetings of a round, in the order of their tables."""
    if field.round == 1:
        return [by_table(field, table, *meeting) for table, meeting in enumerate(meetings, start=1)]
    stands = {frozenset(meeting): meeting for meeting in first_meetings(field)}
    to_come = {frozenset(meeting): meeting for meeting in left_of(field, seats, stands)}
    found: list[Meeting] = []
    for meeting in meetings:
        two = frozenset(meeting)
        if two in stands:
            found.append(turned(stands[two]))
            continue
        usual = to_come.pop(two, meeting)
        stands[two] = min(
            (usual, turned(usual)),
            key=lambda roles: (
                unevenness(evened_out([*stands.values(), roles], to_come.values())),
                unevenness([*stands.values(), roles]),
            ),
        )
        found.append(stands[two])
    return found


def turned(meeting: Meeting) -> Meeting:
    first, second = meeting
    return second, first


def by_table(field: Field, table: int, one: str, other: str) -> Meeting:
    higher, lower = sorted((one, other), key=lambda entrant: field.facts.entrants[entrant].number)
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


def left_of(field: Field, seats: Sequence[str], played: Mapping[frozenset[str], Meeting]) -> Iterator[Meeting]:
    """The meetings that are left of everybody's first ones, as Berger's tables have them."""
    even = len(seats) + len(seats) % 2
    for duel in combinations(range(1, len(seats) + 1), 2):
        first, second = (seats[seat - 1] for seat in berger.named(*duel, even))
        is_over = not field.facts.left.keys().isdisjoint((first, second)) or field.is_banned(first, second, 1)
        if frozenset((first, second)) not in played and not is_over:
            yield first, second


def unevenness(meetings: Iterable[Meeting]) -> int:
    return sum(balance**2 for balance in balances(meetings).values())


def balances(meetings: Iterable[Meeting]) -> dict[str, int]:
    """How often more each is named first than second."""
    found: dict[str, int] = {}
    for first, second in meetings:
        found[first] = found.get(first, 0) + 1
        found[second] = found.get(second, 0) - 1
    return found


def evened_out(standing: Sequence[Meeting], open_: Iterable[Meeting]) -> Sequence[Meeting]:
    """All meetings, with open ones turned until everybody's roles are as even as they can be in the end.

    They are turned along a way from who is named first too often to who is not, one way after the other.
    """
    to_come = {frozenset(meeting): meeting for meeting in open_}
    while way := way_to_turn(balances([*standing, *to_come.values()]), to_come.values()):
        to_come.update({frozenset(meeting): turned(meeting) for meeting in way})
    return [*standing, *to_come.values()]


def way_to_turn(balance: Mapping[str, int], meetings: Iterable[Meeting]) -> Sequence[Meeting]:
    """From one to another whose balance is lower by more than turning the way changes; empty if there is none."""
    following: dict[str, list[Meeting]] = {}
    for meeting in meetings:
        following.setdefault(meeting[0], []).append(meeting)
    for start in sorted(balance, key=lambda one: -balance[one]):
        ways: dict[str, tuple[Meeting, ...]] = {start: ()}
        reached = deque([start])
        while reached:
            here = reached.popleft()
            if balance[start] - balance[here] > 2:  # noqa: PLR2004 - the one loses two, the other wins two
                return ways[here]
            for meeting in following.get(here, ()):
                if meeting[1] not in ways:
                    ways[meeting[1]] = (*ways[here], meeting)
                    reached.append(meeting[1])
    return ()
