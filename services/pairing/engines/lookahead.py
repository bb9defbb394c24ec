"""Whether the rounds to come can still be paired: a small field may run out of opponents, sooner where some are banned.

A large field needs no search. If everybody may still meet half of the others in a round, whatever happens before it,
then a perfect matching exists (Dirac). Otherwise the rest of the tournament is planned to its end as a trial: always
the seat and round first for which the fewest opponents are left.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from services.pairing.engines.attendance import who_is_in
from services.pairing.engines.byes import due, is_due
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.matching import Link
from shared.tournament.stages import field_of
from shared.values import Value

LARGEST = 64  # field that is planned; a larger one runs out of opponents only by very many bans
STEPS = 3000  # of one trial
TRIALS = 4  # each begins elsewhere

# How many opponents are left, in which round (below zero), for whom, and who they are as bits.
type Hardest = tuple[int, int, int, int]
ALL_SEATED: Hardest = (1 << 30, 1, 0, 0)


class TooLong(Exception):
    """The trial takes too many steps."""


class RoundsToCome(Value):
    """The rounds from the next one on: who may meet whom in each, as bits, and how often in all. The bye is an entrant too."""

    rounds: tuple[tuple[int, ...], ...]  # of a round, of an entrant: the bits of the possible opponents
    meetings: Mapping[Link, int]  # how often two may still meet

    @property
    def bye(self) -> int:
        """It comes last."""
        return len(self.rounds[0]) - 1

    def place(self, player: FieldPlayer) -> int:
        """BYE stands behind those who join later, whom the next round does not know."""
        return self.bye if player.is_bye else player.place

    def after(self, duels: Iterable[Link]) -> "RoundsToCome":
        """When these have met in the next round."""
        left = dict(self.meetings)
        for duel in duels:
            left[duel] -= 1
        return RoundsToCome(rounds=self.rounds[1:], meetings=left)

    def shorter(self, rounds: int) -> "RoundsToCome":
        return RoundsToCome(rounds=self.rounds[:rounds], meetings=self.meetings)

    def beginning(self, duel: Link) -> "RoundsToCome":
        """Only with these two together in the next round."""
        one, other = duel
        first = [bits & ~(1 << one | 1 << other) for bits in self.rounds[0]]
        first[one], first[other] = 1 << other, 1 << one
        return RoundsToCome(rounds=(tuple(first), *self.rounds[1:]), meetings=self.meetings)


def is_safe(field: Field) -> bool:
    """Whether numbers alone show it: in every later round everybody may meet at least half of those who are there."""
    most = field.settings.pairing.meetings
    if most is None or len(field.players) > LARGEST:
        return True
    ids = [*(player.id for player in field.players), *later_entrants(field)]
    may_rest = len(due(field))
    met_out = {player.id: sum(1 for times in player.met.values() if times >= most) for player in field.players}
    for number in range(field.round + 1, field.rounds + 1):
        there = coming(field, ids, number)
        meanwhile = number - field.round
        is_odd = len(there) % 2
        half = (len(there) + is_odd + 1) // 2
        banned = map(len, field.banned(number).values())
        closest = len(there) - 1 - max(met_out.values(), default=0) - max(banned, default=0) - meanwhile
        if closest < half or (is_odd and may_rest - meanwhile < half):
            return False
    return True


def rounds_to_come(field: Field) -> RoundsToCome:
    """Numbers are places in the order of the round; then come those who join later, then the bye."""
    ids = [*(player.id for player in field.players), *later_entrants(field)]
    bye = len(ids)
    most = field.settings.pairing.meetings or field.rounds
    meetings = {
        (one, other): most - field.by_id[ids[one]].met.get(ids[other], 0) if ids[one] in field.by_id else most
        for one, other in combinations(range(bye), 2)
    } | {(one, bye): int(one >= len(field.players) or is_due(field, field.players[one])) for one in range(bye)}
    rounds: list[tuple[int, ...]] = []
    for number in range(field.round, field.rounds + 1):
        there = {*range(len(field.players))} if number == field.round else coming(field, ids, number)
        if len(there) % 2:
            there.add(bye)
        rounds.append(
            tuple(
                sum(1 << other for other in there if other != one and allowed(field, ids, one, other, number))
                if one in there
                else 0
                for one in range(bye + 1)
            )
        )
    return RoundsToCome(rounds=tuple(rounds), meetings=meetings)


def later_entrants(field: Field) -> list[str]:
    """Those who are not there in the next round, in the order of their numbers; some of them may come."""
    others = [one for one in field_of(field.facts, field.stage).values() if one.id not in field.by_id]
    return [one.id for one in sorted(others, key=lambda one: one.number)]


def coming(field: Field, ids: Sequence[str], number: int) -> set[int]:
    """Those who will be there as far as is known."""
    absent = {
        absence.entrant for absence in field.facts.absences if (absence.stage, absence.round) == (field.stage, number)
    }
    there = {one.id for one in who_is_in(field.facts, field.stage, number)} - absent
    return {place for place, one in enumerate(ids) if one in there}


def allowed(field: Field, ids: Sequence[str], one: int, other: int, number: int) -> bool:
    bye = len(ids)
    return bye in (one, other) or not field.is_banned(ids[one], ids[other], number)


def kept_after(field: Field, pairs: Iterable[tuple[FieldPlayer, FieldPlayer]], bye: FieldPlayer | None) -> int:
    """How many later rounds can still be paired when these have met: as many as a trial finds."""
    later = range(field.rounds - field.round, 0, -1)
    if not later or is_safe(field):
        return len(later)
    ahead = rounds_to_come(field)
    duels = [(min(one.place, other.place), max(one.place, other.place)) for one, other in pairs]
    rest = ahead.after(duels if bye is None else [*duels, (bye.place, ahead.bye)])
    return next((rounds for rounds in later if plan(rest.shorter(rounds)) is not None), 0)


def plan(ahead: RoundsToCome) -> list[list[Link]] | None:
    """All rounds to the end, if a trial finds them."""
    if not has_opponents_enough(ahead):
        return None
    for turn in range(TRIALS):
        try:
            return Trial(ahead, turn).run()
        except TooLong:
            continue
    return None


def has_opponents_enough(ahead: RoundsToCome) -> bool:
    """Everybody has at least as many meetings left as rounds to play: quickly seen, and a trial would take long for it."""
    left = Counter[int]()
    for duel, times in ahead.meetings.items():
        left.update(dict.fromkeys(duel, max(times, 0)))
    rounds = Counter(entrant for possible in ahead.rounds for entrant, others in enumerate(possible) if others)
    return all(left[entrant] >= number for entrant, number in rounds.items())


class Trial:
    """Seats the entrants one pair after the other, and takes back what leads nowhere."""

    def __init__(self, ahead: RoundsToCome, turn: int) -> None:
        size = len(ahead.rounds[0]) if ahead.rounds else 0
        self._turn = turn
        self._steps = 0
        self._free = [
            {entrant: bits for entrant, bits in enumerate(possible) if bits} for possible in ahead.rounds
        ]  # of a round: who is not seated yet, and whom each may meet by the rules of that round
        self._seats = [sum(1 << entrant for entrant in free) for free in self._free]
        self._meetings = dict(ahead.meetings)
        self._open = [0] * size
        for (one, other), left in ahead.meetings.items():
            if left > 0:
                self._open[one] |= 1 << other
                self._open[other] |= 1 << one
        self._found: list[list[Link]] = [[] for _ in ahead.rounds]

    def run(self) -> list[list[Link]] | None:
        hardest = [self._hardest(number) for number in range(len(self._free))]
        return self._found if self._seat(hardest) else None

    def _seat(self, hardest: Sequence[Hardest]) -> bool:
        """`hardest` has the hardest seat of each round; of equal ones the latest round is first, where bans are."""
        self._steps += 1
        if self._steps > STEPS:
            raise TooLong
        first = min(hardest, default=ALL_SEATED)
        if first == ALL_SEATED:
            return True
        _, latest, entrant, opponents = first
        for other in self._in_turn(opponents):
            self._meet(-latest, entrant, other)
            if self._seat(self._hardest_now(hardest, -latest, entrant, other)):
                return True
            self._part(-latest, entrant, other)
        return False

    def _hardest(self, number: int) -> Hardest:
        """The first seat of a round with the fewest opponents left."""
        seats, found = self._seats[number], ALL_SEATED
        fewest = found[0]
        for entrant, possible in self._free[number].items():
            if seats >> entrant & 1:
                opponents = possible & seats & self._open[entrant]
                left = opponents.bit_count()
                if left < fewest:
                    fewest, found = left, (left, -number, entrant, opponents)
                    if left == 0:
                        break
        return found

    def _hardest_now(self, hardest: Sequence[Hardest], number: int, one: int, other: int) -> list[Hardest]:
        """When these have met there. In other rounds they alone may have fewer opponents: if it was for the last time."""
        now = list(hardest)
        now[number] = self._hardest(number)
        if not self._open[one] >> other & 1:
            for another, seats in enumerate(self._seats):
                for entrant in (one, other):
                    if another != number and seats >> entrant & 1:
                        opponents = self._free[another][entrant] & seats & self._open[entrant]
                        now[another] = min(now[another], (opponents.bit_count(), -another, entrant, opponents))
        return now

    def _in_turn(self, opponents: int) -> list[int]:
        several = [other for other in range(opponents.bit_length()) if opponents >> other & 1]
        begin = self._turn * self._steps % len(several) if several else 0
        return several[begin:] + several[:begin]

    def _meet(self, number: int, one: int, other: int) -> None:
        duel = min(one, other), max(one, other)
        self._found[number].append(duel)
        self._seats[number] &= ~(1 << one | 1 << other)
        self._meetings[duel] -= 1
        if self._meetings[duel] == 0:
            self._open[one] &= ~(1 << other)
            self._open[other] &= ~(1 << one)

    def _part(self, number: int, one: int, other: int) -> None:
        duel = min(one, other), max(one, other)
        self._found[number].pop()
        self._seats[number] |= 1 << one | 1 << other
        self._meetings[duel] += 1
        self._open[one] |= 1 << other
        self._open[other] |= 1 << one
