"""The places that the matches of a play-off leave open to everybody who is in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from shared.rulesets.stages import BracketMatch
from shared.tournament.facts import Facts
from shared.tournament.matches import Match, matches_of, planned
from shared.tournament.stages import field_of

type Span = tuple[int, int]  # the best and the worst place that somebody can still reach
type Exit = tuple[int, int]  # the round of somebody's last match, and 0 for having won it

WON, LOST = 0, 1


@dataclass(frozen=True, eq=False)
class Course:
    """Matches that lead from one to another, possibly over several stages, as far as they are played."""

    plan: Mapping[str, BracketMatch]
    played: Mapping[str, Match]

    @classmethod
    def of(cls, facts: Facts, stages: Sequence[str], order: Sequence[str]) -> "Course":
        """Rounds are counted through all of the stages."""
        plan: dict[str, BracketMatch] = {}
        played: dict[str, Match] = {}
        before = 0
        for stage in stages:
            here = {
                name: one.model_copy(update={"round": one.round + before})
                for name, one in planned(facts, stage).items()
            }
            found = matches_of(facts, stage, order)
            plan |= here
            played |= {
                name: Match(id=name, round=before + one.round, entrants=one.entrants, winner=one.winner)
                for name, one in found.items()
            }
            before = max([before, *(one.round for one in here.values()), *(one.round for one in found.values())])
        return cls(plan, played)

    @cached_property
    def following(self) -> Mapping[tuple[str, int], str]:
        """The match into which the winner or the loser of another goes."""
        words = {"winner": WON, "loser": LOST}
        sides = [(side.partition(":"), name) for name, match in self.plan.items() for side in match.sides]
        return {(other, words[kind]): name for (kind, colon, other), name in sides if colon}

    @cached_property
    def last_matches(self) -> Mapping[str, Match]:
        """Everybody's."""
        return {entrant: one for one in sorted(self.played.values(), key=self._when) for entrant in one.entrants}

    @cached_property
    def exits(self) -> Mapping[Exit, Span]:
        """The places of those who leave without a match for them, the later the better."""
        numbers: dict[Exit, int] = {}
        for name, match in self.plan.items():
            for outcome in (WON, LOST):
                if match.places is None and (name, outcome) not in self.following:
                    leave = (match.round, outcome)
                    numbers[leave] = numbers.get(leave, 0) + 1
        for entrant, match in self.last_matches.items():
            if self._places(match.id) is None and match.id not in self.plan and match.winner is not None:
                leave = (match.round, WON if match.winner == entrant else LOST)
                numbers[leave] = numbers.get(leave, 0) + 1
        played_for = [place for name in self.plan.keys() | self.played.keys() for place in self._places(name) or ()]
        first = 1 + max(played_for, default=0)
        found: dict[Exit, Span] = {}
        for leave in sorted(numbers, key=lambda one: (-one[0], one[1])):
            found[leave] = (first, first + numbers[leave] - 1)
            first += numbers[leave]
        return found

    def span(self, entrant: str, *, most: int) -> Span:
        """Of somebody in a field of so many."""
        match = self.last_matches.get(entrant)
        if match is None:
            return (1, most)
        if match.winner is None:
            known = match.id in self.plan or self._places(match.id) is not None
            return self._either(match.id) if known else (1, most)
        return self._after(match.id, WON if match.winner == entrant else LOST, match.round)

    def _when(self, match: Match) -> tuple[int, str]:
        plan = self.plan.get(match.id)
        return (match.round if plan is None else plan.round, match.id)

    def _places(self, name: str) -> Span | None:
        """Of winner and loser: as the rules plan it, or as the name of the match says."""
        return self.plan[name].places if name in self.plan else places_by_name(name)

    def _either(self, name: str) -> Span:
        number = self.plan[name].round if name in self.plan else 0
        won, lost = self._after(name, WON, number), self._after(name, LOST, number)
        return min(won[0], lost[0]), max(won[1], lost[1])

    def _after(self, name: str, outcome: int, number: int) -> Span:
        places = self._places(name)
        if places is not None:
            return (places[outcome], places[outcome])
        if (name, outcome) in self.following:
            return self._either(self.following[name, outcome])
        return self.exits[self.plan[name].round if name in self.plan else number, outcome]


def places_by_name(match: str) -> Span | None:
    """`final`, `third` and `place5` are played for places whatever else is known of them."""
    first = {"final": "1", "third": "3"}.get(match, match.removeprefix("place") if match.startswith("place") else "")
    return (int(first), int(first) + 1) if first.isdecimal() else None


def in_order(spans: Mapping[str, Span]) -> Mapping[str, int]:
    """Who can only do worse stands behind; the same prospects are the same place."""
    keys = {entrant: (worst, best) for entrant, (best, worst) in spans.items()}
    return {entrant: 1 + sum(other < key for other in keys.values()) for entrant, key in keys.items()}


def places(facts: Facts, stage: str, order: Sequence[str]) -> Mapping[str, int]:
    """By the matches of a stage, as far as they are played."""
    course = Course.of(facts, (stage,), order)
    field = field_of(facts, stage)
    return in_order({entrant: course.span(entrant, most=len(field)) for entrant in field})
