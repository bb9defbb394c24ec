"""What pairing tells its neighbours."""

from shared.contracts.parts import PlannedGame, Room
from shared.numbers import Number
from shared.values import Value


class StageOpened(Value):
    """A stage begins with these entrants, in their order."""

    tournament: str
    stage: str
    entrants: tuple[str, ...]


class GroupsDrawn(Value):
    """Who plays in which group: by lot, which `LotDrawn` tells, or by hand. Drawn once more, the last one counts."""

    tournament: str
    stage: str
    groups: tuple[tuple[str, ...], ...]  # of A, of B and so on
    by_hand: bool = False


class RoomsNamed(Value):
    """Where the tournament is played from now on: table 1 of a round is the first of the first room, and so on."""

    tournament: str
    rooms: tuple[Room, ...]


class RoundPublished(Value):
    """A round is to be played as it stands here."""

    tournament: str
    stage: str
    round: int
    games: tuple[PlannedGame, ...]
    byes: tuple[str, ...] = ()
    requested_byes: dict[str, Number] = {}  # noqa: RUF012 - each value gets a copy
    missing: tuple[str, ...] = ()
    rests_on: str = ""  # the inputs that the pairing was made from
    starts_at: str | None = None  # planned, as RFC 3339
    program: str | None = None  # by which it was paired, such as roundlog/0.1.0 pairing/cost-swiss


class RecallAsked(Value):
    """A published round should not be played after all: results answers whether that is still possible."""

    tournament: str
    stage: str
    round: int
    recall: str  # names this asking
    games: tuple[str, ...]


class RoundRecalled(Value):
    """The round counts as never published."""

    tournament: str
    stage: str
    round: int


class RepairAsked(Value):
    """Others should sit at some tables of a published round: results answers whether that is still possible."""

    tournament: str
    stage: str
    round: int
    repair: str  # names this asking
    games: tuple[PlannedGame, ...]  # those that change, as they are wanted
    starts_at: str | None = None


class TablesRepaired(Value):
    """At these tables of a published round others sit than it said, and these have its byes or are missing."""

    tournament: str
    stage: str
    round: int
    games: tuple[PlannedGame, ...]
    byes: tuple[str, ...] = ()
    missing: tuple[str, ...] | None = None  # as they were
