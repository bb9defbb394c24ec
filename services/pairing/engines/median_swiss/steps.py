"""The steps of a median Swiss round, in the order and under the numbers of docs/rules/pisqworky.md ('A Swiss round step by step'):
how brackets are formed, who moves between them, and in which order they are paired.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise

from services.pairing.engines import no_pairing
from services.pairing.engines.byes import bye_explained, due
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.matching import left_over
from services.pairing.engines.median_swiss import explaining
from services.pairing.engines.median_swiss.bracket_pairing import (
    BracketPairing,
    LeftToPair,
    Met,
    ScoreBracket,
    Way,
    coming_first,
    leaving_first,
)


class MedianSwiss:
    """A round in the making. Players stand in the absolute order of step 1, which is that of the field."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.half = int(field.settings.scoring.win * field.units * (field.round - 1) / 2)  # the points of the middle
        self.sitting_out: FieldPlayer | None = None
        self.above: list[ScoreBracket] = []  # the highest first
        self.below: list[ScoreBracket] = []  # the lowest first
        self.in_middle = ScoreBracket(value=self.half)
        self.told: list[str] = []
        self._met: dict[int, list[Met]] = {}  # by the value of the bracket

    @property
    def pairs(self) -> list[Met]:
        return [met for several in self._met.values() for met in several]

    # Step 2

    def bye(self) -> None:
        """The worst-placed who has not sat out yet, if the others can be paired at all."""
        players = self.field.players
        if len(players) % 2 == 0:
            return
        in_turn = due(self.field)
        spare = self._who_can_be_spared(in_turn[0], players)
        bye = next((player for player in in_turn if player.id in spare), None)
        if bye is None:
            raise no_pairing.refusal(self.field)
        self.sitting_out = bye
        self.told.append(bye_explained(self.field, bye, in_turn[: in_turn.index(bye)]))

    # Step 3

    def brackets(self) -> None:
        """Equal points are one bracket. The middle one is there also when nobody has just half of the points."""
        by_value = {self.half: self.in_middle}
        for player in self.field.players:
            if player is not self.sitting_out:
                by_value.setdefault(player.points, ScoreBracket(value=player.points)).members.append(player)
        self.above = [by_value[value] for value in sorted(by_value, reverse=True) if value > self.half]
        self.below = [by_value[value] for value in sorted(by_value) if value < self.half]

    # Steps 4 and 5

    def downwards(self) -> None:
        for bracket, lower in pairwise([*self.above, self.in_middle]):
            self._without_those_who_meet_nobody(bracket, lower, "down")
            self._even(bracket, lower, "down")
            self._pairable(bracket, lower, "down")
            self._pair(bracket, movers=("down", "up"), way="down")

    def upwards(self) -> None:
        for bracket, higher in pairwise([*self.below, self.in_middle]):
            self._without_those_who_meet_nobody(bracket, higher, "up")
            self._even(bracket, higher, "up")
            self._pairable(bracket, higher, "up")
            self._pair(bracket, movers=("up", "down"), way="up")

    # Step 6

    def middle(self) -> None:
        above = [bracket for bracket in reversed(self.above) if bracket.members]  # the nearest first
        below = [bracket for bracket in reversed(self.below) if bracket.members]
        while not LeftToPair(self.in_middle.members, self.field.may_meet).is_pairable:
            more_from_above = len(self.in_middle.moved("down")) > len(self.in_middle.moved("up"))
            side = (below or above) if more_from_above else (above or below)
            if not side:
                raise no_pairing.refusal(self.field)
            cancelled = side.pop(0)
            name, is_lower = self._called(cancelled), cancelled.value < self.half
            self.told.append(explaining.cancelled(self.in_middle, cancelled, name, is_lower=is_lower))
            del self._met[cancelled.value]
            for player in cancelled.members:
                self.in_middle.come(player)
        self._pair(self.in_middle, movers=("up", "down"), way="down")

    # Steps 4a and 5a

    def _without_those_who_meet_nobody(self, bracket: ScoreBracket, following: ScoreBracket, way: Way) -> None:
        """Whoever meets nobody leaves, one by one, each against the bracket as it stands then; who comes in exchange is not looked at."""
        for one in leaving_first(bracket.members, way):
            if self._may_meet_one_of(one, bracket):
                continue
            bracket.members.remove(one)
            own = coming_first(following.own, way)
            other = next((member for member in own if self._may_meet_one_of(member, bracket)), None)
            following.come(one)
            if other is not None:
                following.members.remove(other)
                bracket.come(other)
            self.told.append(explaining.exchanged(self._called(bracket), one, other, way))

    def _may_meet_one_of(self, one: FieldPlayer, bracket: ScoreBracket) -> bool:
        return any(member is not one and self.field.may_meet(one, member) for member in bracket.members)

    # Steps 4b and 5b

    def _even(self, bracket: ScoreBracket, following: ScoreBracket, way: Way) -> None:
        if len(bracket.members) % 2 == 0:
            return
        in_order = leaving_first(bracket.members, way)
        spare = self._who_can_be_spared(in_order[0], bracket.members)
        floater = next((member for member in in_order if member.id in spare), in_order[0])
        self.told.append(
            explaining.floated_as_odd(
                self._called(bracket),
                floater,
                way=way,
                spared=in_order[: in_order.index(floater)],
                leaves_pairable=bool(spare),
            )
        )
        bracket.members.remove(floater)
        following.come(floater)

    def _who_can_be_spared(self, wanted: FieldPlayer, members: Sequence[FieldPlayer]) -> Collection[str]:
        """Those of an odd number without whom the others can be paired; the one who is wanted will do, if it is so."""
        if LeftToPair([member for member in members if member is not wanted], self.field.may_meet).is_pairable:
            return {wanted.id}
        without, at_a_time = left_over(no_pairing.possible_opponents(self.field, members))
        return without if at_a_time == 1 else set()

    # Step 8, of a whole bracket

    def _pairable(self, bracket: ScoreBracket, following: ScoreBracket, way: Way) -> None:
        """Makes the bracket pairable. As few as possible float, and among as many the outermost, one after the other."""
        floating: list[FieldPlayer] = []
        while not LeftToPair(bracket.members, self.field.may_meet).is_pairable:
            without, _ = left_over(no_pairing.possible_opponents(self.field, bracket.members))
            floater = next(member for member in leaving_first(bracket.members, way) if member.id in without)
            floating.append(floater)
            bracket.members.remove(floater)
        if floating:
            self.told.append(explaining.floated_as_unpairable(self._called(bracket), floating, way))
        for floater in floating:
            following.come(floater)

    # Steps 4c, 5c and 6a

    def _pair(self, bracket: ScoreBracket, *, movers: tuple[Way, Way], way: Way) -> None:
        if not bracket.members:
            return
        self.told.append(explaining.formed(self._called(bracket), bracket))
        within = BracketPairing(self.field, bracket, way)
        for moved_way in movers:
            within.pair_moved(moved_way)
        within.pair_half_against_half()
        self._met[bracket.value] = within.met

    def _called(self, bracket: ScoreBracket) -> str:
        return explaining.called(self.field, bracket, self.half)
