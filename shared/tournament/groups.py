"""Groups: how large they are, how they are drawn by lot, and how often entrants of one school are together in one.

By lot means: everybody is drawn, and dealt to the groups in turn. Then those who are with too many of their own school
change places with others, as long as that helps. That leaves as few pairs of one school as there can be, since every
school is spread as evenly as possible in the end. For if a school has two more in one group than in another, then that
other group, which is smaller by one at most, has more of some other school than the first; and when one of each change
places, the first school loses a pair and the other one wins none.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase

from shared.tournament.facts import Entrant, Facts
from shared.tournament.stages import field_of

type Groups = Sequence[Sequence[str]]  # of A, of B and so on
type Schools = Mapping[str, str]  # of those of whom one is known

LETTERS = ascii_uppercase


def schools_of(entrants: Iterable[Entrant]) -> Schools:
    return {one.id: one.school for one in entrants if one.school is not None}


def members_of(facts: Facts, stage: str) -> list[str]:
    """Who is drawn into groups, by start number: whoever has not left before the first round."""
    there = sorted(field_of(facts, stage).values(), key=lambda one: one.number)
    gone = {one for one, left in facts.left.items() if (left.stage, left.after_round) == (stage, 0)}
    return [one.id for one in there if one.id not in gone]


def by_letter(groups: Groups) -> dict[str, str]:
    """The letter of everybody."""
    return {one: letter for letter, members in zip(LETTERS, groups, strict=False) for one in members}


def in_groups(letters: Mapping[str, str]) -> dict[str, list[str]]:
    """The other way round, group by group."""
    return {
        letter: [one for one, other in letters.items() if other == letter] for letter in sorted(set(letters.values()))
    }


def sizes(entrants: int, groups: int) -> list[int]:
    """They differ by one at most, and the larger ones come first."""
    return [len(range(group, entrants, groups)) for group in range(groups)]


def drawn(order: Sequence[str], groups: int, schools: Schools) -> list[list[str]]:
    """The groups that follow from the order in which everybody was drawn."""
    draw = GroupDraw(order, groups, schools)
    while draw.improve(order):
        pass
    return [[one for one in order if draw.group[one] == number] for number in range(groups)]


class GroupDraw:
    """Who is in which group, while they change places."""

    def __init__(self, order: Sequence[str], groups: int, schools: Schools) -> None:
        self._school = {one: ("school", schools[one]) if one in schools else ("alone", one) for one in order}
        self._groups = groups
        self.group = {one: number % groups for number, one in enumerate(order)}
        self._there = Counter((self._school[one], self.group[one]) for one in order)

    def improve(self, order: Sequence[str]) -> bool:
        """Whether somebody has changed places who was with too many of their own school."""
        before = self.group.copy()
        for one in order:
            for other in order if self.is_crowded(one) else ():
                if self.helps(one, other):
                    self.change_places(one, other)
        return self.group != before

    def is_crowded(self, one: str) -> bool:
        """Whether some group has fewer of the same school, by two at least."""
        return any(self._fewer(one, self.group[one], number) > 0 for number in range(self._groups))

    def helps(self, one: str, other: str) -> bool:
        """Whether fewer pairs of one school are together when these two change places."""
        here, there = self.group[one], self.group[other]
        if self._school[one] == self._school[other] or here == there:
            return False
        return self._fewer(one, here, there) + self._fewer(other, there, here) > 0

    def _fewer(self, one: str, here: int, there: int) -> int:
        """By how many pairs it gets better when somebody goes from one group to another."""
        school = self._school[one]
        return self._there[school, here] - 1 - self._there[school, there]

    def change_places(self, one: str, other: str) -> None:
        for moving, goes_to in ((one, self.group[other]), (other, self.group[one])):
            self._there[self._school[moving], self.group[moving]] -= 1
            self._there[self._school[moving], goes_to] += 1
        self.group[one], self.group[other] = self.group[other], self.group[one]


def together(groups: Groups, schools: Schools) -> list[tuple[str, str, list[str]]]:
    """Letter, school, and who of that school is in the group, where they are several."""
    found: dict[tuple[str, str], list[str]] = {}
    for letter, members in zip(LETTERS, groups, strict=False):
        for one in members:
            if one in schools:
                found.setdefault((letter, schools[one]), []).append(one)
    return [(letter, school, several) for (letter, school), several in sorted(found.items()) if len(several) > 1]


def conflicts(groups: Groups, schools: Schools) -> int:
    """Pairs of one school that are in one group."""
    return sum(pairs(len(several)) for _, _, several in together(groups, schools))


def fewest(entrants: Iterable[str], groups: int, schools: Schools) -> int:
    """So many there are however it is drawn."""
    counts = Counter(schools[one] for one in entrants if one in schools)
    return sum(pairs(size) for count in counts.values() for size in sizes(count, groups))


def pairs(count: int) -> int:
    return count * (count - 1) // 2
