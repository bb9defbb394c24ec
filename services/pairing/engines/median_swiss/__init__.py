"""The median Swiss of pIšQworky, clause 6: step by step as docs/rules/pisqworky.md has it ('A Swiss round step by step').

0. Two meet at most once: `may_meet` of the field, which every step asks.
1. Absolute order: the field stands in it, and so does every bracket.
2. `bye`
3. `brackets`
4. `downwards`: a `_without_those_who_meet_nobody`, b `_even`, c `_pair`
5. `upwards`: its mirror image
6. `middle`
7. Half against half: `BracketPairing.pair_half_against_half`
8. Always pairable: of a whole bracket `_pairable`, of a single choice `BracketPairing._pair`, of the bye and of who floats
   `_who_can_be_spared`

Who starts, criteria a to g of PQ.PAI-10, is in `starter.py`.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, pairwise

from services.pairing.domain.sheet import SeatedTable
from services.pairing.engines import lookahead, no_pairing
from services.pairing.engines.byes import bye_explained, due
from services.pairing.engines.explaining import absences_explained, later_rounds_explained
from services.pairing.engines.field import Field, FieldPlayer
from services.pairing.engines.matching import left_over
from services.pairing.engines.median_swiss import explaining
from services.pairing.engines.median_swiss.bracket import (
    BracketPairing,
    Met,
    Rest,
    ScoreBracket,
    Way,
    coming_first,
    leaving_first,
)
from services.pairing.engines.median_swiss.starter import StarterSide, by_lot, reading_of, sides_of, who_starts
from services.pairing.engines.paired_round import NotAvailable, PairedRound

__all__ = ["MedianSwiss", "pair"]


def pair(field: Field) -> PairedRound:
    require_known_rules(field)
    if not field.players:
        raise no_pairing.refusal(field)
    swiss = MedianSwiss(field)
    swiss.bye()
    swiss.brackets()
    swiss.downwards()
    swiss.upwards()
    swiss.middle()
    return laid_out(field, swiss.pairs, sitting_out=swiss.sitting_out, middle=swiss.half, told=swiss.told)


def require_known_rules(field: Field) -> None:
    """A ruleset may ask for what these steps do not have: this says so, rather than pair by another rule."""
    pairing = field.settings.pairing
    lacking = [
        *([f"the first round by {pairing.first_round.opponents}"] if pairing.first_round.opponents != "halves" else []),
        *([f"who begins by {pairing.first_round.first}"] if pairing.first_round.first != "balance" else []),
        *([f"the bye by {pairing.bye}"] if pairing.bye != "lowest" else []),
    ]
    if lacking:
        raise NotAvailable(f"A median Swiss cannot pair stage {field.stage}, since it lacks {' and '.join(lacking)}.")


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
        while not Rest(self.in_middle.members, self.field.may_meet).is_pairable:
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
        if Rest([member for member in members if member is not wanted], self.field.may_meet).is_pairable:
            return {wanted.id}
        without, at_a_time = left_over(self._opponents(members))
        return without if at_a_time == 1 else set()

    def _opponents(self, members: Sequence[FieldPlayer]) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = {member.id: set() for member in members}
        for one, other in combinations(members, 2):
            if self.field.may_meet(one, other):
                found[one.id].add(other.id)
                found[other.id].add(one.id)
        return found

    # Step 8, of a whole bracket

    def _pairable(self, bracket: ScoreBracket, following: ScoreBracket, way: Way) -> None:
        """Makes the bracket pairable. As few as possible float, and among as many the outermost, one after the other."""
        floating: list[FieldPlayer] = []
        while not Rest(bracket.members, self.field.may_meet).is_pairable:
            without, _ = left_over(self._opponents(bracket.members))
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


def laid_out(
    field: Field, pairs: Sequence[Met], *, sitting_out: FieldPlayer | None, middle: int, told: Sequence[str]
) -> PairedRound:
    sides = sides_of(field)
    kept = lookahead.kept_after(field, [(met.one, met.other) for met in pairs], sitting_out)
    return PairedRound(
        round=field.round,
        method="median-swiss",
        pairs=tuple(
            seated(field, table, met, sides, middle)
            for table, met in enumerate(sorted(pairs, key=lambda met: met.place), start=1)
        ),
        byes=() if sitting_out is None else (sitting_out.id,),
        requested_byes=field.attendance.requested_byes,
        missing=field.attendance.missing,
        explanation=(
            *told,
            *absences_explained(field),
            *later_rounds_explained(field, kept),
        ),
    )


def seated(field: Field, table: int, met: Met, sides: Mapping[str, StarterSide], middle: int) -> SeatedTable:
    start = who_starts(
        sides[met.one.id],
        sides[met.other.id],
        number=field.round,
        is_below_middle=met.value < middle,
        reading=reading_of(field),
    ) or by_lot(field, met.one, met.other)
    second = met.other if start.first == met.one.id else met.one
    return SeatedTable(
        table=table,
        seats=(start.first, second.id),
        first=start.first,
        why=(*explaining.why_they_meet(field, met, middle), start.why),
    )
