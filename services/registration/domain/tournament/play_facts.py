"""What has happened to entrants from the start on; neighbours hear of these."""

from services.registration.domain.tournament.saying import RatedBy
from shared.commands.decider import Fact
from shared.numbers import Number
from shared.values import Value


class Because(Value):
    """Why, where somebody has said so."""

    reason: str | None = None  # a code
    note: str | None = None  # names the words, which stand beside the log
    cited: str | None = None  # the clause that it goes by


class EntrantAdmitted(Fact):
    entrant: str
    tournament: str
    persons: tuple[str, ...]
    number: int
    rating: int | None
    key: int | None
    lists: tuple[str, ...]
    from_round: int
    decision: str | None  # why after the start
    note: str | None = None
    school: str | None = None
    history: bool = False
    carried: Number = 0
    direct: bool = False
    rated_by: RatedBy | None = None  # what gave the rating, where the entry said none


class EntrantChanged(Fact):
    entrant: str
    tournament: str
    persons: tuple[str, ...]
    number: int
    rating: int | None
    key: int | None
    lists: tuple[str, ...]
    from_round: int
    school: str | None = None
    history: bool = False
    carried: Number = 0
    direct: bool = False
    rated_by: RatedBy | None = None  # what gave the rating, where the entry said none


class MeetingForbidden(Fact):
    tournament: str
    entrants: tuple[str, ...]
    last_rounds: int | None


class EntrantLeft(Because):
    entrant: str
    tournament: str
    stage: str
    after_round: int
    why: str
    clause: str | None  # of the rules, where results demand an expulsion


class EntrantReturned(Because):
    entrant: str
    tournament: str
    why: str


class EntrantAbsent(Fact):
    entrant: str
    tournament: str
    stage: str
    round: int
    points: Number | None


class EntrantPresent(Fact):
    entrant: str
    tournament: str
    stage: str
    round: int
