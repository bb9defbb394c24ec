"""What may be asked of a tournament: orders about its life, about entries, and about who is there once it runs."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from services.registration.domain.seasons import Counting
from services.registration.domain.tournament.entry_orders import MoreOrder, RecordPayment, RegionReason
from services.registration.domain.tournament.level_orders import LevelOrder
from services.registration.domain.tournament.plan_orders import ChangePlan, Reason
from services.registration.domain.tournament.saying import Decision, Entry
from shared.commands.decider import Order
from shared.numbers import Number
from shared.rulesets.entry import ShownNames
from shared.rulesets.schema import Ruleset

NOBODY_LISTED: Mapping[str, int] = MappingProxyType({})

# Its life


class AnnounceTournament(Order):
    tournament: str
    federation: str
    name: str
    ruleset: Ruleset  # whole, with what this tournament changes in it
    time_zone: str
    starts_on: str  # a date there
    first_round: str  # a time of that day there
    entries_close: str | None  # a moment in UTC, such as 2026-11-19T23:00:00Z
    series: str | None = None
    region: str | None = None
    host: str | None = None  # a school
    override: str | None = None  # why on a day on which the rules hold none
    competition: str | None = None  # what it is in the calendar
    variant: str | None = None
    hall: str | None = None
    room: int | None = None  # entrants for whom the hall has room
    next_level: str | None = None  # the tournament that its best go on to
    otherwise: str | None = None  # and the one of those who get no place there
    counting: Counting | None = None  # in a season
    shown_names: ShownNames | None = None  # what spectators see of persons, where that is not as the ruleset says


class DecideShownNames(Order):
    """What spectators see of persons."""

    shown_names: ShownNames


class OpenRegistration(Order):
    pass


class OpenCheckIn(Order):
    pass


class AnnounceAdvance(Order):
    """How many go on, where the rules leave that to the announcement."""

    advance: int


class PostponeFirstRound(Order):
    minutes: int  # from the time that was announced


class StartTournament(Order):
    has_director: bool = True
    decision: str | None = None  # why with another number than the rules want
    drawn: tuple[str, ...] = ()  # the order by lot of those between whom one decides
    listed: Mapping[str, int] = NOBODY_LISTED  # by entrant: the rating on the list by which the rules seed


class BeginReview(Order):
    pass


class ResumePlay(Order):
    pass


class CompleteTournament(Order):
    pass


class CancelTournament(Order):
    pass


# Entries


class Enter(Order):
    """One, or several who come in together or not at all."""

    entries: tuple[Entry, ...]
    at: str  # a moment in UTC
    decision: Decision | None = None
    passed: frozenset[str] = frozenset()  # other deadlines that are over
    approval: RegionReason | None = None
    note: str | None = None  # on the decision


class CorrectEntry(Order):
    """This is all that is to be said of the entrant."""

    entrant: str
    rating: int | None
    key: int | None
    lists: tuple[str, ...]


class WithdrawEntry(Order):
    entrant: str
    passed: frozenset[str] = frozenset()  # deadlines that are over
    reason: Reason | None = None


class StrikeOff(Order):
    """For being absent without an excuse."""

    entrant: str
    reason: Reason | None = None


class CheckIn(Order):
    """These, or everybody who has entered."""

    entrants: tuple[str, ...] | None
    present: tuple[str, ...] | None = None  # of one team: who is there
    is_late: bool = False


class UndoCheckIn(Order):
    entrant: str


class DeclareClosePersons(Order):
    persons: tuple[str, str]


class RevokeClosePersons(Order):
    persons: tuple[str, str]


# Who is there once it runs; without a stage, its only one is meant


class Leaving(StrEnum):
    WITHDREW = "withdrew"
    EXPELLED = "expelled"


class Returning(StrEnum):
    """Why somebody who has left is there again."""

    RETURN = "return"  # after having been away
    MISTAKE = "mistake"  # should not have been written down as having left
    APPEAL = "appeal"  # the decision was overturned


class AdmitLate(Order):
    entry: Entry
    from_round: int
    decision: Decision
    passed: frozenset[str] = frozenset()
    approval: RegionReason | None = None
    note: str | None = None  # on the decision
    listed: int | None = None  # their rating on the list by which the rules seed
    payment: RecordPayment | None = None  # where nobody takes part unpaid


class Leave(Order):
    entrant: str
    after_round: int
    why: Leaving
    stage: str | None = None
    reason: Reason | None = None


class ExpelByRule(Order):
    """The results say so, by a clause of the rules."""

    entrant: str
    stage: str
    after_round: int
    clause: str


class LiftExpulsion(Order):
    """Those results were corrected."""

    entrant: str


class Return(Order):
    entrant: str
    why: Returning
    reason: Reason | None = None


class BeAbsent(Order):
    entrant: str
    round: int
    points: Number | None = None  # of a bye that was requested and granted
    stage: str | None = None


class BePresent(Order):
    entrant: str
    round: int
    stage: str | None = None


type LifeOrder = (
    OpenRegistration
    | OpenCheckIn
    | AnnounceAdvance
    | PostponeFirstRound
    | DecideShownNames
    | StartTournament
    | BeginReview
    | ResumePlay
    | CompleteTournament
    | CancelTournament
)
type EntryOrder = Enter | CorrectEntry | WithdrawEntry | StrikeOff | CheckIn | UndoCheckIn
type CloseOrder = DeclareClosePersons | RevokeClosePersons
type PresenceOrder = AdmitLate | Leave | Return | BeAbsent | BePresent
type RuleOrder = ExpelByRule | LiftExpulsion
type Command = (
    AnnounceTournament
    | ChangePlan
    | LifeOrder
    | EntryOrder
    | CloseOrder
    | PresenceOrder
    | RuleOrder
    | MoreOrder
    | LevelOrder
)
