"""What standings tells its neighbours."""

import msgspec

from shared.contracts.parts import Cause, CupPlace, Moved, QualificationPlace, RatedPerson
from shared.numbers import Number
from shared.values import Value


class TieSettled(Value):
    """Entrants that all criteria leave equal have an order, by a lot or a duel; inside an inner list they stay equal."""

    tournament: str
    stage: str
    kind: str  # lot or duel
    order: tuple[tuple[str, ...], ...]


class StageClosed(Value):
    """The order of a stage is decided."""

    tournament: str
    stage: str
    order: tuple[tuple[str, ...], ...]  # place by place, and group by group where there are groups
    rests_on: str  # the inputs
    groups: tuple[str, ...] = ()  # of each of these places, whose it is


class Qualified(Value):
    """The order of a whole tournament is decided: who goes on to another one. Told anew when a correction changes it."""

    tournament: str
    order: tuple[tuple[str, ...], ...]  # place by place, of those who are still there; equal places together
    advance: int | None  # so many by right; none where nobody has said how many
    reserves: tuple[str, ...]  # in the order in which they are called
    rests_on: str  # the inputs
    points: dict[str, Number] = msgspec.field(
        default_factory=dict[str, Number]
    )  # of each, for whoever brings them along


class StageShortened(Value):
    """A stage has only so many rounds, whatever the rules planned."""

    tournament: str
    stage: str
    rounds: int


class PrizeChosen(Value):
    """Prizes in cash of the ranking of all and of lists do not add up: an entrant takes that of one. Chosen anew, the newest counts."""

    tournament: str
    entrant: str
    among: str | None  # the list; none: the ranking of all


class TableChanged(Value):
    """A correction has changed the table that a stage had after its last complete round, and that people had read."""

    tournament: str
    stage: str
    round: int
    was_closed: bool
    before: str  # the inputs of the one table
    after: str  # and of the other
    causes: tuple[Cause, ...]
    moved: tuple[Moved, ...]


class RatingListPublished(Value):
    """The ratings of a federation's list as they are on a day, in whole numbers, the best first. The newest counts."""

    season: str
    federation: str
    list: str  # as rulesets call it
    on: str  # a date
    ratings: tuple[RatedPerson, ...]


class QualificationPublished(Value):
    """Who goes on from a season to its championship, and the reserves in their order. Told anew, the newest counts."""

    season: str
    federation: str
    on: str  # a date
    qualification: tuple[QualificationPlace, ...]


class SeasonTablePublished(Value):
    """A season is closed: its cup, and who has qualified. Told once more, after a correction, the newest counts.

    Nobody is `unresolved`: a season is closed only once a tie at the cut is decided. The field stays for messages that were
    told before that was so, in which it names who was equal.
    """

    season: str
    federation: str
    on: str  # a date
    cup: tuple[CupPlace, ...]
    qualification: tuple[QualificationPlace, ...]
    unresolved: tuple[str, ...] = ()
