"""Who is to be paired in a round, in their order, and what matters of what they have done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import lcm

import msgspec
from msgspec.structs import force_setattr

from services.pairing.engines import group_draw
from services.pairing.engines.attendance import RoundAttendance, attendance_in, nobody, opened
from services.pairing.engines.history import PairingHistory, is_one_bracket
from services.pairing.engines.paired_round import DrawLots, NoPairing, PairedRound, RoundNotOver, StageOver
from shared.rulesets.settings import Settings
from shared.tournament.completion import tables_without_result
from shared.tournament.facts import Ban, Entrant, Facts
from shared.tournament.ledger import bringing_points, ledger_of
from shared.tournament.ranking import order_before, rank
from shared.tournament.stages import settings_of
from shared.values import Value


class FieldPlayer(Value):
    """An entrant as the pairing sees it. A bracket are those with equal points."""

    id: str
    place: int  # in the order of the round, from 0
    lot: int  # place in the lot of the round, from 0
    points: int  # in units of the field
    rating: int = 0
    roles: tuple[int, int] = (0, 0)  # how often named first, and second
    last_role: int = 0
    last_float: int = 0
    byes: int = 0
    defaults: int = 0  # games won since the opponent did not come, where that puts somebody behind others for the bye
    met: Mapping[str, int] = msgspec.field(default_factory=dict[str, int])
    bracket_place: int = 0  # inside the bracket, from 0
    bracket_size: int = 1
    is_bye: bool = False  # a dummy without points and colour, whom one of an odd field meets
    balance: int = 0  # worked out: times first minus times second

    def __post_init__(self) -> None:
        force_setattr(self, "balance", self.roles[0] - self.roles[1])


@dataclass(frozen=True, kw_only=True, eq=False)
class Field:
    """A round that is to be paired. `units` of points make one point."""

    facts: Facts
    stage: str
    round: int
    settings: Settings
    attendance: RoundAttendance
    players: tuple[FieldPlayer, ...]  # those who are there, best first
    units: int
    met: Mapping[str, Mapping[str, int]]  # how often each has met whom, also of those who are not there

    @cached_property
    def by_id(self) -> Mapping[str, FieldPlayer]:
        return {player.id: player for player in self.players}

    @cached_property
    def brought(self) -> Mapping[str, Entrant]:
        """Everybody with the points brought along, in the order of these."""
        return {one.id: one for one in by_points_brought(self.facts, self.stage)}

    @cached_property
    def dummy(self) -> FieldPlayer:
        """BYE as an opponent, whom everybody may meet as often as anybody else."""
        met = {player.id: player.byes for player in self.players}
        return FieldPlayer(id="", place=len(self.players), lot=len(self.players), points=0, met=met, is_bye=True)

    @cached_property
    def fewest_byes(self) -> int:
        return min((player.byes for player in self.players), default=0)

    @cached_property
    def rounds(self) -> int:
        """The last round of the stage; where no number is fixed, this one."""
        return self.settings.rounds or self.round

    def may_meet(self, one: FieldPlayer, other: FieldPlayer) -> bool:
        """The dummy comes second: it knows who has met it."""
        most = self.settings.pairing.meetings
        return (most is None or other.met.get(one.id, 0) < most) and not self.is_banned(one.id, other.id, self.round)

    def is_banned(self, one: str, other: str, number: int) -> bool:
        return other in self.banned(number).get(one, ())  # most have none

    def banned(self, number: int) -> Mapping[str, set[str]]:
        """Whom each of those who are banned from somebody must not meet in a round."""
        if number not in self._banned:
            found = self._banned[number] = {}
            for ban in self.facts.bans:
                if holds(ban, number, self.rounds):
                    for one in ban.entrants:
                        found.setdefault(one, set()).update(ban.entrants - {one})
        return self._banned[number]

    @cached_property
    def _banned(self) -> dict[int, dict[str, set[str]]]:
        """What `banned` has worked out, by round."""
        return {}

    def points(self, player: FieldPlayer) -> Fraction:
        return Fraction(player.points, self.units)


type Engine = Callable[[Field], PairedRound]


def holds(ban: Ban, number: int, rounds: int) -> bool:
    """Those who are close to each other must not meet in the last rounds; others never."""
    return ban.last_rounds is None or number > rounds - ban.last_rounds


def opened_with_groups(facts: Facts, stage: str, *, lots: DrawLots) -> Facts:
    """The facts with everybody who is in the stage, and in which group."""
    known = opened(facts, stage)
    if settings_of(known, stage).pairing.system == "groups":
        return group_draw.with_groups(known, stage, lots)
    return known


def field_of_next_round(facts: Facts, stage: str, *, lots: DrawLots, published: int | None = None) -> Field:
    """Best first: by the table so far, where it leaves some equal by lot.

    Before the first round in the order of the start, or by the points brought along, which are no bracket there. A round that
    is published already waits for no earlier game that is played anew.
    """
    settings = settings_of(facts, stage)
    number = published or number_of_next_round(facts, stage, settings)
    attendance = attendance_in(facts, stage, number)
    placed = places(facts, stage, settings, number)
    there = [entrant.id for entrant in attendance.present]
    is_drawn = needs_lot(facts, stage, settings, number, [(one, placed[one]) for one in there])
    drawn = lots(f"pairing of round {number} of {stage}", there) if is_drawn else there
    lot = {entrant: place for place, entrant in enumerate(drawn)}
    ledger = ledger_of(facts, stage, through=number - 1)
    points = ledger.own_points
    order = sorted(attendance.present, key=lambda one: (-points[one.id], placed[one.id], lot[one.id]))
    units = lcm(2, ledger.unit)
    history = PairingHistory.read(facts, stage, ledger, number)
    return Field(
        facts=facts,
        stage=stage,
        round=number,
        settings=settings,
        attendance=attendance,
        units=units,
        met=history.met,
        players=tuple(
            FieldPlayer(
                id=entrant.id,
                place=place,
                lot=lot[entrant.id],
                points=0 if is_one_bracket(settings, number) else points[entrant.id] * (units // ledger.unit),
                rating=entrant.rating or 0,
                roles=(history.firsts[entrant.id], history.seconds[entrant.id]),
                last_role=history.last_roles.get(entrant.id, 0),
                last_float=history.last_floats.get(entrant.id, 0),
                byes=history.byes[entrant.id],
                defaults=history.defaults[entrant.id],
                met=history.met.get(entrant.id, {}),
            )
            for place, entrant in enumerate(order)
        ),
    )


def number_of_next_round(facts: Facts, stage: str, settings: Settings) -> int:
    """The one after the last, if nothing of the earlier ones is open."""
    rounds = sorted((found for found in facts.rounds.values() if found.stage == stage), key=lambda one: one.number)
    for one in rounds:
        if waiting := tables_without_result(facts, one):
            raise RoundNotOver(
                f"Round {one.number} is not over: table {', '.join(map(str, waiting))} without a result. "
                f"The next round is paired when all results are in{settings.pairing.by('results')}."
            )
    number = rounds[-1].number + 1 if rounds else 1
    if settings.rounds == 0:  # in a round robin as many follow from who is there
        raise NoPairing(nobody(number))
    if settings.rounds is not None and number > settings.rounds:
        raise StageOver(f"All {settings.rounds} rounds of stage {stage} are paired{settings.pairing.by('rounds')}.")
    return number


def needs_lot(facts: Facts, stage: str, settings: Settings, number: int, there: Sequence[tuple[str, int]]) -> bool:
    """A round robin leaves nothing to it; a median Swiss equal places, and who starts of two who have not played yet."""
    match settings.pairing.system:
        case "round-robin" | "double-round-robin":
            return False
        case "median-swiss":
            played = {
                seat
                for one in facts.rounds.values()
                for game in one.games
                if one.stage == stage and game.id in facts.results and facts.results[game.id].end == "played"
                for seat in game.seats
            }
            are_equal = len({place for _, place in there}) < len(there)
            return number == 1 or are_equal or sum(one not in played for one, _ in there) > 1
        case "cost-swiss" | "groups" | "knockout" | "tables":
            return True


def places(facts: Facts, stage: str, settings: Settings, number: int) -> Mapping[str, int]:
    if number == 1:
        return numbered(by_points_brought(facts, stage)) if settings.scoring.carry else places_at_start(facts)
    return {row.entrant: row.place for row in rank(facts, stage, through=number - 1).rows}


def numbered(in_order: Sequence[Entrant]) -> Mapping[str, int]:
    return {entrant.id: place for place, entrant in enumerate(in_order)}


def places_at_start(facts: Facts) -> Mapping[str, int]:
    return numbered(in_start_order(facts))


def in_start_order(facts: Facts) -> list[Entrant]:
    """By start number, but where the rules order by rating whoever was admitted late stands where the rating says."""
    by_number = sorted(facts.entrants.values(), key=lambda one: (one.number, one.id))
    seeding = facts.ruleset.entry.seeding
    if seeding.by != "rating":
        return by_number

    def seed(entrant: Entrant) -> tuple[bool, int]:
        rating = seeding.unrated if entrant.rating is None else entrant.rating
        return rating is None, -(rating or 0)

    return sorted(by_number, key=seed)


def by_points_brought(facts: Facts, stage: str) -> list[Entrant]:
    """Everybody with the points that they bring: their order begins the stage, and says who chooses the seat in it.

    1. Who brings more points comes first.
    2. Of those with equal points who come from an earlier stage, the better placed there comes first.
    3. Anybody else with equal points goes by start number, which comes from a lot where nothing else gives it.
    """
    entrants = bringing_points(facts, stage, settings_of(facts, stage)).values()
    by_number = sorted(entrants, key=lambda one: (-one.carried, one.number, one.id))
    places = {one: place for place, one in enumerate(order_before(facts, stage))}
    groups = (tuple(equal) for _, equal in groupby(by_number, key=lambda one: one.carried))
    return [one for equal in groups for one in as_placed_before(equal, places)]


def as_placed_before(equal: Sequence[Entrant], places: Mapping[str, int]) -> Iterator[Entrant]:
    """Those who have a place from before change theirs with each other only."""
    placed = iter(sorted((one for one in equal if one.id in places), key=lambda one: places[one.id]))
    yield from (next(placed) if one.id in places else one for one in equal)


class StartByLot(Value):
    """Who starts where the rules leave it to a lot: whoever of the two came out first in the lot of the round."""

    seats: tuple[str, str]  # the first starts
    why: str


def start_by_lot(field: Field, seats: tuple[str, str]) -> StartByLot:
    """Who is not there starts nothing: the other one wins by default."""
    there = [one for one in seats if one in field.by_id]
    if len(there) == len(seats):
        first, second = sorted(seats, key=lambda one: field.by_id[one].lot)
        return StartByLot(
            seats=(first, second), why=f"{first} starts: in the lot of this round it came out before {second}."
        )
    if not there:
        return StartByLot(seats=seats, why="Neither of them is there.")
    (first,) = there
    (away,) = (one for one in seats if one != first)
    return StartByLot(seats=(first, away), why=f"{away} is not there, so that {first} wins by default.")
