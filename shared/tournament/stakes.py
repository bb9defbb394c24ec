"""What rests on the order of those who are equal: who goes on, and where in the play-off of the groups.

Everything else is left to be shared, where the rules want nobody to play or draw for nothing (PQ.STA-1).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from shared.rulesets.pairing_and_standings import Standings
from shared.rulesets.stages import Everybody, GroupPlaces, Players
from shared.tournament.brackets import bracket_of
from shared.tournament.facts import Facts
from shared.tournament.ordering import Asks, Fields, every_tie
from shared.tournament.stages import ALONE, advancing, begun, gone_by_the_end, groups_of, named_stages


def asked_about(facts: Facts, stage: str, standings: Standings) -> Asks:
    """Which ties of the table of a stage somebody has to end."""
    if standings.ties == "all" or not is_known(facts, stage):
        return every_tie
    return Stakes(facts, stage).are_in


def is_known(facts: Facts, stage: str) -> bool:
    """Whether nothing but a play-off of groups, and the number of those who go on, builds on the places."""
    fields = [one.field for one in facts.ruleset.stages]
    return facts.ruleset.final.podium is None and all(
        isinstance(field, Everybody | GroupPlaces | Players) or field.stage != stage for field in fields
    )


@dataclass(frozen=True, eq=False)
class Stakes:
    facts: Facts
    stage: str

    @cached_property
    def gone(self) -> AbstractSet[str]:
        """They take no place in a bracket: the next one moves up."""
        return gone_by_the_end(self.facts, self.stage)

    @cached_property
    def letters(self) -> Mapping[str, str]:
        return groups_of(self.facts, self.stage)

    @cached_property
    def play_offs(self) -> list[str]:
        """The stages into which places of this one lead."""
        stages = self.facts.ruleset.stages
        return [one.id for one in stages if isinstance(one.field, GroupPlaces) and one.field.stage == self.stage]

    @cached_property
    def sides(self) -> frozenset[str]:
        """The places that are in a bracket, such as `A1`."""
        brackets = [bracket_of(self.facts, one) for one in self.play_offs]
        return frozenset(
            side
            for bracket in brackets
            if bracket
            for match in bracket.matches
            for side in match.sides
            if ":" not in side
        )

    def in_bracket(self, several: Sequence[str]) -> set[str]:
        """Those of a group whose places are in a bracket."""
        there = [one for one in several if one not in self.gone]
        return {
            one
            for number, one in enumerate(there, start=1)
            if f"{self.letters.get(one) or ALONE}{number}" in self.sides
        }

    def playing(self, fields: Fields) -> set[str]:
        """Who is in a play-off: those with whom it has begun or, before that, those of the places as they are."""
        opened = [one for one in self.play_offs if begun(self.facts, one)]
        if opened:
            return {name for one in opened for name in self.facts.fields.get(one, ())}
        return {name for several in fields for name in self.in_bracket(several)}

    def are_in(self, fields: Fields, tied: Sequence[str]) -> bool:
        return self._leads_to_bracket(fields, tied) or self._says_who_goes_on(fields, tied)

    def _leads_to_bracket(self, fields: Fields, tied: Sequence[str]) -> bool:
        """Whether places in a bracket are among theirs, and several are there to take them."""
        several = next(one for one in fields if tied[0] in one)
        there = [one for one in tied if one not in self.gone]
        return len(there) > 1 and not self.in_bracket(several).isdisjoint(there)

    def _says_who_goes_on(self, fields: Fields, tied: Sequence[str]) -> bool:
        """Whether some of their places are good enough to go on to another tournament, and others are not, or not surely."""
        count, left = advancing(self.facts), self.facts.left
        if count is None or self.stage not in named_stages(self.facts) or left.keys() >= set(tied):
            return False
        playing = self.playing(fields)
        rest = [(place, one) for several in fields for place, one in enumerate(several, start=1) if one not in playing]
        there = Counter(place for place, one in rest if one not in left)
        better = sum(1 for one in playing if one not in left)
        worth: set[tuple[bool, bool]] = set()
        for place in sorted({place for place, one in rest if one in tied}):
            above = better + sum(number for other, number in there.items() if other < place)
            worth.add((above < count, above + there[place] <= count))
        return len(worth) > 1
