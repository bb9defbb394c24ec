"""What is known of a tournament: registers, each of which exactly one service writes.

A fact about something that is not known yet is kept, and counts when that appears. So facts from different services
may come in any order between them, and the same facts follow; what comes twice changes nothing.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Literal

import msgspec

from shared.numbers import Exact
from shared.rulesets.schema import Ruleset
from shared.values import Value

NOTHING = Fraction(0)


class Entrant(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A struct, as all are of which there are many."""

    id: str
    number: int  # 1 is the best seed
    rating: int | None = None
    lists: frozenset[str] = frozenset()
    school: str | None = None
    history: bool = False
    group: str | None = None
    carried: Fraction = NOTHING
    from_round: int = 1


class Left(Value):
    """An entrant is there no more after a round of a stage."""

    stage: str
    after_round: int
    why: Literal["withdrew", "expelled"] = "withdrew"


class Absence(Value):
    """An entrant is not there in one round; with points if that was granted beforehand."""

    entrant: str
    stage: str
    round: int


class Result(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a game gave, seat by seat."""

    scores: tuple[Exact, ...]
    points: tuple[Exact, ...]
    end: str = "played"
    by: frozenset[int] = frozenset()  # the seats at fault
    first: str | None = None
    winner: str | None = None
    decided_by: str | None = None
    draw_wins: str | None = None


class Game(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    id: str
    table: int
    seats: tuple[str, ...]
    first: str | None = None
    option: str | None = None
    group: str | None = None
    match: str | None = None
    number: int | None = None


class Round(Value, dict=True):
    stage: str
    number: int
    games: tuple[Game, ...]
    byes: tuple[str, ...] = ()
    requested_byes: Mapping[str, Fraction] = {}
    missing: frozenset[str] = frozenset()

    @cached_property
    def game_ids(self) -> tuple[str, ...]:
        return tuple([game.id for game in self.games])


class Ban(Value):
    """Entrants who must not meet."""

    entrants: frozenset[str]
    last_rounds: int | None = None


class Penalty(Value):
    entrant: str
    stage: str
    round: int
    points: Fraction


class Settlement(Value):
    """An order that the world decided; inside an inner tuple it stays equal."""

    stage: str
    kind: Literal["lot", "duel"]
    order: tuple[tuple[str, ...], ...]


class StageOrder(Value):
    """The order of a stage, place by place. With groups each place is one of a group, and `groups` says of which."""

    places: tuple[tuple[str, ...], ...]
    groups: tuple[str, ...] = ()


class Facts(Value):
    """All registers of one tournament. `rounds` are those that stand; a result counts when a round has its game."""

    ruleset: Ruleset
    entrants: Mapping[str, Entrant]
    rounds: Mapping[tuple[str, int], Round] = {}
    results: Mapping[str, Result] = {}  # by game; a void game has none
    voided: frozenset[str] = frozenset()
    corrected: frozenset[str] = frozenset()  # games of which another result stood before
    completed: frozenset[tuple[str, int]] = frozenset()  # rounds of which every game has its result
    left: Mapping[str, Left] = {}
    returned: frozenset[str] = frozenset()  # who had left, and is there again
    absences: Mapping[Absence, Fraction | None] = {}
    fields: Mapping[str, tuple[str, ...]] = {}  # of opened stages
    drawn: Mapping[str, Mapping[str, str]] = {}  # groups, by stage
    bans: tuple[Ban, ...] = ()
    penalties: Mapping[str, Penalty] = {}
    settled: tuple[Settlement, ...] = ()
    shortened: Mapping[str, int] = {}  # stages that have only so many rounds
    closed: Mapping[str, StageOrder] = {}  # stages, in the order that was told last
    advance: int | None = None  # the announced number of those who go on
    direct: frozenset[str] = frozenset()  # who was qualified beforehand
    chosen: Mapping[str, str | None] = {}  # who takes the prize in cash of which list; none: that of all
