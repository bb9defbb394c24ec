"""Who is to be paired in a round, in their order, and what matters of what they have done."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Literal

from services.pairing.engines.plan import Lots, RoundNotOver, StageOver
from shared.rulesets.settings import Settings
from shared.tournament.facts import Absence, Ban, Entrant, Facts
from shared.tournament.ledger import Ledger, Turn, ledger_of
from shared.tournament.ranking import rank
from shared.tournament.stages import field_of, settings_of

type Direction = Literal[-1, 0, 1]

FIRST, SECOND = 1, -1  # the role of who is named first at a table, and of the other
UP, DOWN = 1, -1  # who meets somebody with more points floats up


@dataclass(frozen=True, kw_only=True, slots=True)
class Player:
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
    met: Mapping[str, int] = field(default_factory=dict[str, int])
    bracket_place: int = 0  # inside the bracket, from 0
    bracket_size: int = 1
    balance: int = field(init=False)  # times first minus times second

    def __post_init__(self) -> None:
        object.__setattr__(self, "balance", self.roles[0] - self.roles[1])


@dataclass(frozen=True, kw_only=True, slots=True)
class Attendance:
    """Who is there in a round."""

    present: tuple[Entrant, ...]
    requested_byes: Mapping[str, Fraction]
    missing: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Field:
    """A round that is to be paired. `units` of points make one point."""

    facts: Facts
    stage: str
    round: int
    settings: Settings
    attendance: Attendance
    players: tuple[Player, ...]  # those who are there, best first
    units: int
    met: Mapping[str, Mapping[str, int]]  # how often each has met whom, also of those who are not there

    @cached_property
    def by_id(self) -> Mapping[str, Player]:
        return {player.id: player for player in self.players}

    @cached_property
    def rounds(self) -> int:
        """The last round of the stage; where no number is fixed, this one."""
        return self.settings.rounds or self.round

    def may_meet(self, one: Player, other: Player) -> bool:
        most = self.settings.pairing.meetings
        return (most is None or one.met.get(other.id, 0) < most) and not self.is_banned(one.id, other.id, self.round)

    def is_banned(self, one: str, other: str, number: int) -> bool:
        bans = self.bans.get(one)  # most have none
        return bans is not None and any(other in ban.entrants and holds(ban, number, self.rounds) for ban in bans)

    @cached_property
    def bans(self) -> Mapping[str, tuple[Ban, ...]]:
        """The bans that each entrant is in."""
        found: dict[str, tuple[Ban, ...]] = {}
        for ban in self.facts.bans:
            for entrant in ban.entrants:
                found[entrant] = (*found.get(entrant, ()), ban)
        return found

    def points(self, player: Player) -> Fraction:
        return Fraction(player.points, self.units)


def holds(ban: Ban, number: int, rounds: int) -> bool:
    """Those who are close to each other must not meet in the last rounds; others never."""
    return ban.last_rounds is None or number > rounds - ban.last_rounds


def field_of_next_round(facts: Facts, stage: str, *, lots: Lots) -> Field:
    """Best first: by the table so far, where it leaves some equal by lot; before the first round by start number."""
    settings = settings_of(facts, stage)
    number = next_round(facts, stage, settings)
    attendance = attendance_in(facts, stage, number)
    drawn = lots(f"pairing of round {number} of {stage}", [entrant.id for entrant in attendance.present])
    lot = {entrant: place for place, entrant in enumerate(drawn)}
    placed = places(facts, stage, number)
    ledger = ledger_of(facts, stage, through=number - 1)
    points = ledger.own_points
    order = sorted(attendance.present, key=lambda one: (-points[one.id], placed[one.id], lot[one.id]))
    units = lcm(2, ledger.unit)
    history = History.read(facts, stage, ledger, number)
    return Field(
        facts=facts,
        stage=stage,
        round=number,
        settings=settings,
        attendance=attendance,
        units=units,
        met=history.met,
        players=tuple(
            Player(
                id=entrant.id,
                place=place,
                lot=lot[entrant.id],
                points=points[entrant.id] * (units // ledger.unit),
                rating=entrant.rating or 0,
                roles=(history.firsts[entrant.id], history.seconds[entrant.id]),
                last_role=history.last_roles.get(entrant.id, 0),
                last_float=history.last_floats.get(entrant.id, 0),
                byes=history.byes[entrant.id],
                met=history.met.get(entrant.id, {}),
            )
            for place, entrant in enumerate(order)
        ),
    )


def next_round(facts: Facts, stage: str, settings: Settings) -> int:
    """The one after the last, if nothing of the earlier ones is open."""
    rounds = sorted((found for found in facts.rounds.values() if found.stage == stage), key=lambda one: one.number)
    for one in rounds:
        waiting = [game.table for game in one.games if game.id not in facts.results and game.id not in facts.voided]
        if waiting:
            raise RoundNotOver(
                f"Round {one.number} is not over: table {', '.join(map(str, sorted(waiting)))} without a result. "
                "The next round is paired when all results are in."
            )
    number = rounds[-1].number + 1 if rounds else 1
    if settings.rounds is not None and number > settings.rounds:
        raise StageOver(f"All {settings.rounds} rounds of stage {stage} are paired.")
    return number


def places(facts: Facts, stage: str, number: int) -> Mapping[str, int]:
    if number == 1:
        return {entrant.id: entrant.number for entrant in facts.entrants.values()}
    return {row.entrant: row.place for row in rank(facts, stage, through=number - 1).rows}


def attendance_in(facts: Facts, stage: str, number: int) -> Attendance:
    here = [one for one in field_of(facts, stage).values() if is_in(facts, one, stage, number)]
    away = {one.id: Absence(entrant=one.id, stage=stage, round=number) for one in here}
    absent = {entrant: facts.absences[absence] for entrant, absence in away.items() if absence in facts.absences}
    return Attendance(
        present=tuple(one for one in here if one.id not in absent),
        requested_byes={entrant: points for entrant, points in sorted(absent.items()) if points is not None},
        missing=tuple(sorted(entrant for entrant, points in absent.items() if points is None)),
    )


def is_in(facts: Facts, entrant: Entrant, stage: str, number: int) -> bool:
    """Has come, and has not left."""
    stages = [one.id for one in facts.ruleset.stages]
    left = facts.left.get(entrant.id)
    if left is None:
        has_left = False
    elif left.stage == stage:
        has_left = left.after_round < number
    else:
        has_left = stages.index(left.stage) < stages.index(stage)
    return not has_left and entrant.from_round <= number


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """What the rounds of the stage so far mean for the next."""

    met: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    firsts: Counter[str] = field(default_factory=Counter[str])
    seconds: Counter[str] = field(default_factory=Counter[str])
    byes: Counter[str] = field(default_factory=Counter[str])
    last_roles: dict[str, int] = field(default_factory=dict[str, int])
    last_floats: dict[str, int] = field(default_factory=dict[str, int])

    @staticmethod
    def read(facts: Facts, stage: str, ledger: Ledger, number: int) -> "History":
        history = History()
        for earlier in range(1, number):
            played = facts.rounds.get((stage, earlier))
            for game in played.games if played else ():
                if game.id not in facts.voided:  # a void game is no meeting
                    history.remember(game.seats, game.first)
            history.byes.update(played.byes if played else ())
        history.remember_floats(ledger)
        return history

    def remember(self, seats: tuple[str, ...], first: str | None) -> None:
        for one in seats:
            for other in seats:
                if one != other:
                    met = self.met.setdefault(one, {})
                    met[other] = met.get(other, 0) + 1
            if first is not None:
                role = FIRST if one == first else SECOND
                self.last_roles[one] = role
                (self.firsts if role == FIRST else self.seconds)[one] += 1

    def remember_floats(self, ledger: Ledger) -> None:
        """Who met somebody with other points than one's own; a bye is met with no points."""
        points = {one: ledger.units(entrant.carried) for one, entrant in ledger.entrants.items()}
        turns = {one: iter(several) for one, several in ledger.turns.items()}
        for _ in ledger.rounds:
            this_round = {one: turn for one in turns if (turn := next(turns[one], None)) is not None}
            for one, turn in this_round.items():
                if direction := floated(points, one, turn):
                    self.last_floats[one] = direction
            for one, turn in this_round.items():
                points[one] += turn.points


def floated(points: Mapping[str, int], entrant: str, turn: Turn) -> Direction:
    match turn.kind:
        case "game":
            difference = max(points[other] for other in turn.opponents) - points[entrant]
        case "bye":
            difference = -points[entrant]
        case "requested-bye" | "missing" | "away" | "void":
            difference = 0
    return UP if difference > 0 else DOWN if difference < 0 else 0
