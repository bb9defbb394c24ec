"""Rounds in which nobody meets anybody again, and whether more of them can follow.

Players are bits of whole numbers. What is hardest is seated first: tables of three, where it matters who sits there,
then always the player who has fewest left to meet.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from services.pairing.engines.tables.costs import TableMembers, TablesOfRound
from shared.tournament.table_sizes import FOUR, THREE, Sizes
from shared.values import Value

PATIENCE = 3_000
TURNS = (0, 1, 3)


@dataclass
class Patience:
    """How many more tables are tried, before it is given up without knowing."""

    turn: int = 0
    left: int = PATIENCE

    def is_over(self) -> bool:
        self.left -= 1
        return self.left < 0

    def in_turn(self, players: Iterable[int]) -> Sequence[int]:
        several = tuple(players)
        begin = self.turn * self.left % len(several) if several else 0
        return several[begin:] + several[:begin]


class Outlook(Value):
    """What rounds have left: for each player those who may still be met, and how often they sat at a table of three.

    A fair one seats nobody at a three again before all have sat there as often.
    """

    sizes: Sizes
    open_to: Sequence[int]
    times_at_three: Sequence[int]
    is_fair: bool

    def allows(self, tables: TablesOfRound) -> bool:
        must, may = self.at_threes()
        seated = sum(map(mask, (table for table in tables if len(table) == THREE)))
        is_new = all(not mask(table) & ~(self.open_to[one] | 1 << one) for table in tables for one in table)
        return is_new and not must & ~seated and not seated & ~may

    def after(self, tables: TablesOfRound) -> "Outlook":
        open_to, times = list(self.open_to), list(self.times_at_three)
        for table in tables:
            for one in table:
                open_to[one] &= ~mask(table)
                times[one] += len(table) == THREE
        return Outlook(sizes=self.sizes, open_to=open_to, times_at_three=times, is_fair=self.is_fair)

    def at_threes(self) -> tuple[int, int]:
        """Who has to sit there, and who may."""
        everybody = (1 << len(self.open_to)) - 1
        seats = THREE * self.sizes.count(THREE)
        if not self.is_fair or seats == 0:
            return 0, everybody
        most = sorted(self.times_at_three)[seats - 1]
        must = mask([one for one, times in enumerate(self.times_at_three) if times < most])
        return must, mask([one for one, times in enumerate(self.times_at_three) if times <= most])


def plan(outlook: Outlook, rounds: int) -> Sequence[TablesOfRound] | None:
    """So many rounds without a repeated meeting, if they are found soon enough."""
    tried = (plan_in_turn(outlook, rounds, Patience(turn=turn)) for turn in TURNS)
    return next((found for found in tried if found is not None), None)


def plan_in_turn(outlook: Outlook, rounds: int, patience: Patience) -> Sequence[TablesOfRound] | None:
    if rounds == 0:
        return ()
    if min(others.bit_count() for others in outlook.open_to) < rounds * (min(outlook.sizes) - 1):
        return None
    for tables in all_rounds(outlook, patience):
        later = plan_in_turn(outlook.after(tables), rounds - 1, patience)
        if later is not None:
            return (tables, *later)
    return None


def all_rounds(outlook: Outlook, patience: Patience) -> Iterator[TablesOfRound]:
    """All rounds without a repeated meeting, one after the other, each once."""
    everybody = (1 << len(outlook.open_to)) - 1
    fours, threes = outlook.sizes.count(FOUR), outlook.sizes.count(THREE)
    if not (outlook.is_fair and threes):
        yield from rounds_of(outlook.open_to, everybody, fours, threes, patience)
        return
    for at_three in threes_of(outlook.open_to, *outlook.at_threes(), threes, patience):
        unseated = everybody & ~sum(map(mask, at_three))
        for at_four in rounds_of(outlook.open_to, unseated, fours, 0, patience):
            yield (*at_four, *at_three)


def threes_of(open_to: Sequence[int], must: int, may: int, threes: int, patience: Patience) -> Iterator[TablesOfRound]:
    """Tables of three, with all who have to sit at one, and others who may."""
    if threes == 0:
        if not must:
            yield ()
        return
    firsts = [fewest(open_to, must, may)] if must else patience.in_turn(bits(may))
    for one in firsts:
        may &= ~(1 << one)  # not the first of a later table
        for second in patience.in_turn(bits(open_to[one] & may)):
            for third in bits(open_to[one] & may & open_to[second] & -2 << second):
                if patience.is_over():
                    return
                table = (one, second, third)
                for others in threes_of(open_to, must & ~mask(table), may & ~mask(table), threes - 1, patience):
                    yield (table, *others)


def rounds_of(
    open_to: Sequence[int], unseated: int, fours: int, threes: int, patience: Patience
) -> Iterator[TablesOfRound]:
    if not unseated:
        yield ()
        return
    one = fewest(open_to, unseated, unseated)
    possible = open_to[one] & unseated
    for second in patience.in_turn(bits(possible)):
        for table in tables_with(open_to, possible, one, second, has_fours=fours > 0, has_threes=threes > 0):
            if patience.is_over():
                return
            is_four = len(table) == FOUR
            rest = unseated & ~mask(table)
            for others in rounds_of(open_to, rest, fours - is_four, threes - (not is_four), patience):
                yield (table, *others)


def tables_with(
    open_to: Sequence[int], possible: int, one: int, second: int, *, has_fours: bool, has_threes: bool
) -> Iterator[TableMembers]:
    """Tables at which these two sit with others, none of whom have met."""
    for third in bits(possible & open_to[second] & -2 << second):
        if has_fours:
            fourths = possible & open_to[second] & open_to[third] & -2 << third
            yield from ((one, second, third, fourth) for fourth in bits(fourths))
        if has_threes:
            yield one, second, third


def fewest(open_to: Sequence[int], among: int, others: int) -> int:
    """The one who has fewest of the others left to meet."""
    return min(bits(among), key=lambda one: (open_to[one] & others).bit_count())


def mask(players: TableMembers) -> int:
    return sum([1 << one for one in players])


def bits(players: int) -> Iterator[int]:
    while players:
        lowest = players & -players
        yield lowest.bit_length() - 1
        players ^= lowest
