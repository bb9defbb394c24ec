"""What has happened to a tournament and its field. Neither names nor anything else that is personal stands here."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, override

import msgspec

from shared.commands.decider import Fact, Mark
from shared.commands.personal_facts import PrivateFact
from shared.numbers import Number
from shared.values import Value

type RatedBy = Literal["list", "rules"]
type Claim = Literal["by-right", "reserve", "next"]


class Because(Fact):
    """Somebody may have said why."""

    reason: str | None = None  # a code
    note: str | None = None  # names the words, which stand beside the log
    cited: str | None = None  # the clause that it goes by


class ConditionVerdict(Value):
    """Whether a person meets a condition; none where too little is known. It never says why: birth dates stand
    elsewhere."""

    person: str
    rule: str
    clause: str | None
    sentence: str
    met: bool | None


# Plan and life


class TournamentAnnounced(Fact):
    """A tournament of the federation will take place, by this ruleset, on this day; why on a day that is over stands
    there too.
    """

    tournament: str
    federation: str
    name: str
    ruleset_id: str
    ruleset: msgspec.Raw  # whole, with what this tournament changes in it
    time_zone: str
    starts_on: str
    first_round: str
    entries_close: str | None
    season: str | None = None
    season_kind: str | None = None  # as what it counts there
    rating_list: str | None = None  # that it moves
    organisers: tuple[str, ...] = ()  # persons
    shown_names: str = "full"  # what spectators see of persons
    reason: str | None = None  # why on a day that is over
    note: str | None = None
    clause: str | None = None
    lot_source: str | None = None  # what its lots are mixed with


class LotSourceMoved(Fact):
    """Lots follow from this source instead, whose value nobody knows yet."""

    tournament: str
    source: str


class LotsOpened(Fact):
    """The value of the source is written down, with what the services had committed to when it was."""

    tournament: str
    source: str
    value: str
    commitments: dict[str, str]  # by service


class TournamentPlaced(Fact):
    """The tournament belongs to a series, a region, a school or the calendar; and this is why it may be on such a
    day."""

    tournament: str
    series: str | None
    region: str | None
    host: str | None  # a school
    override: str | None
    competition: str | None = None  # what it is in the calendar
    variant: str | None = None
    hall: str | None = None
    room: int | None = None  # entrants for whom the hall has room
    place: str | None = None  # where it is held, in words


class PlanChanged(Fact):
    """The plan is this from now on."""

    REPLACES: ClassVar[tuple[str, ...]] = ("TournamentAnnounced", "PlanChanged")

    tournament: str
    name: str
    ruleset: msgspec.Raw
    starts_on: str
    first_round: str
    entries_close: str | None
    competition: str | None
    variant: str | None
    override: str | None
    reason: str
    note: str | None  # names the words, which stand beside the log
    clause: str | None
    place: str | None = None


class SeriesNamed(Fact):
    """The tournament belongs to this series from now on, or to none."""

    REPLACES: ClassVar[tuple[str, ...]] = ("TournamentPlaced", "SeriesNamed")

    tournament: str
    series: str | None
    reason: str
    note: str | None
    clause: str | None


class HallChanged(Fact):
    """The tournament is held in another hall from now on, or in none that is known."""

    REPLACES: ClassVar[tuple[str, ...]] = ("TournamentPlaced", "HallChanged")

    tournament: str
    hall: str | None
    room: int | None  # entrants for whom it has room
    reason: str
    note: str | None
    clause: str | None


class ShownNamesDecided(Fact):
    """From now on spectators see this of persons."""

    REPLACES: ClassVar[tuple[str, ...]] = ("TournamentAnnounced", "ShownNamesDecided")

    tournament: str
    shown_names: str


class AdvanceAnnounced(Fact):
    """So many go on from this tournament to another, or to a later stage of it."""

    REPLACES: ClassVar[tuple[str, ...]] = ("AdvanceAnnounced",)

    tournament: str
    advance: int


class FirstRoundPostponed(Fact):
    """The first round begins so many minutes later than announced."""

    tournament: str
    minutes: int


class RegistrationOpened(Fact):
    """Entries are taken from now on."""

    tournament: str


class CheckInOpened(Fact):
    """Whoever has come says so from now on; the field is made of them."""

    tournament: str


class TournamentStarted(Fact):
    """Play begins by exactly these rules; whoever takes part gets a start number."""

    tournament: str
    federation: str
    ruleset: msgspec.Raw
    time_zone: str
    advance: int | None = None


class ReviewBegun(Fact):
    """All is played; results can still be corrected and protested before the tournament is completed."""

    tournament: str


class PlayResumed(Fact):
    """The review is broken off: there is still something to play."""

    tournament: str


class TournamentCompleted(Fact):
    """All is played and decided, and the secrets of the lots are revealed."""

    tournament: str


class TournamentCancelled(Fact):
    """The tournament does not take place, or was broken off for good."""

    tournament: str


# Entries


class Asked(Value):
    """Who asked for something without an office, and as what they speak for the entrant."""

    subject: str  # of their token
    capacity: Literal["player", "captain", "school", "club"]


class EntrantEntered(Fact):
    """A person, a pair or a team wants to take part; `asked` says who entered them where that was no official."""

    entrant: str
    tournament: str
    persons: tuple[str, ...]
    rating: int | None
    key: int | None
    lists: tuple[str, ...]
    decision: str | None  # why later than announced
    note: str | None = None
    cited: str | None = None  # the clause that they are late by
    asked: Asked | None = None  # none: an official entered them


class EntryCorrected(Fact):
    """Rating, key and lists of an entry are these from now on, by an official."""

    MARK: ClassVar[Mark] = "correction"
    REPLACES: ClassVar[tuple[str, ...]] = ("EntrantEntered", "EntryCorrected")

    entrant: str
    tournament: str
    rating: int | None
    key: int | None
    lists: tuple[str, ...]


class EntryDetailed(PrivateFact):
    """The entry says all this besides who plays."""

    REPLACES: ClassVar[tuple[str, ...]] = ("EntryDetailed",)

    BLANK: ClassVar[Mapping[str, Any]] = {"consents": (), "needs": ()}

    entrant: str
    tournament: str
    substitutes: tuple[str, ...]
    captain: str | None
    team: str | None  # the same in all tournaments of a series
    school: str | None
    club: str | None
    region: str | None
    parts: int  # of a merged school
    declared: tuple[str, ...]
    consents: tuple[str, ...]
    needs: tuple[str, ...]
    history: bool
    carried: Number
    direct: bool = False  # qualified beforehand for a later stage
    history_source: str | None = None
    direct_source: str | None = None


class EligibilityJudged(PrivateFact):
    """Whether the persons of an entry meet the conditions of the rules, one by one, as far as it is known."""

    REPLACES: ClassVar[tuple[str, ...]] = ("EligibilityJudged",)

    BLANK: ClassVar[Mapping[str, Any]] = {"verdicts": ()}

    entrant: str
    tournament: str
    verdicts: tuple[ConditionVerdict, ...]

    @property
    @override
    def about(self) -> tuple[str, ...]:
        return self.entrant, *dict.fromkeys(one.person for one in self.verdicts)


class RegionApproved(Fact):
    """A coordinator lets them play outside their own region."""

    entrant: str
    tournament: str
    region: str
    reason: str


class EntryWithdrawn(Because):
    """They do not take part after all, before play has begun; whether that was in time to get back what is paid."""

    entrant: str
    tournament: str
    asked: Asked | None = None
    in_time: bool = False


class EntrantStruckOff(Because):
    """An official has taken an entry off the list, for this reason."""

    entrant: str
    tournament: str


class LineUpChanged(Fact):
    """Others play, or could come in instead, from now on and for the whole tournament."""

    REPLACES: ClassVar[tuple[str, ...]] = ("EntrantEntered", "LineUpChanged")

    entrant: str
    tournament: str
    persons: tuple[str, ...]
    substitutes: tuple[str, ...]
    captain: str | None
    why: str


class AboutTwo(PrivateFact):
    BLANK: ClassVar[Mapping[str, Any]] = {"persons": ("", "")}

    tournament: str
    persons: tuple[str, str]  # in the order of their ids

    @property
    @override
    def about(self) -> tuple[str, ...]:
        return self.persons


class ClosePersonsDeclared(AboutTwo):
    """Two persons are a family, or close to each other: where the rules say so, they do not meet in the last rounds."""


class ClosePersonsRevoked(AboutTwo):
    """Two persons are not, or no longer, close to each other."""


class SpectatorApproved(Fact):
    """Somebody may come to look on; who it is stands beside the log."""

    tournament: str
    spectator: str
    note: str


# Places


class EntrantWaits(Fact):
    """There is no place for them; they wait behind those who came before."""

    entrant: str
    tournament: str


class ReserveCalled(Fact):
    """A place has become free, and it is theirs."""

    entrant: str
    tournament: str


class ReservePassedOver(Because):
    """A place has become free, and somebody behind them in the line was called instead."""

    entrant: str
    tournament: str
    called: str  # the entrant who has the place


class PlaceConfirmed(Fact):
    """They will come: this binds them."""

    entrant: str
    tournament: str
    asked: Asked | None = None


# Payments


class OfMoney(PrivateFact):
    BLANK: ClassVar[Mapping[str, Any]] = {"reference": ""}

    entrant: str
    tournament: str
    amount: Number
    currency: str
    on: str  # the day on which it was paid, or credited
    reference: str
    decision: str | None  # why later than the rules say, or although nothing goes back


class PaymentRecorded(OfMoney):
    """An official has noted that so much was paid for an entry on that day."""


class RefundDue(Fact):
    """They have withdrawn in time, or the tournament was cancelled: what they paid goes back."""

    entrant: str
    tournament: str
    amount: Number
    currency: str


class RefundRecorded(OfMoney):
    """An official has noted that so much was paid back on that day."""


class OfWaiver(PrivateFact):
    BLANK: ClassVar[Mapping[str, Any]] = {"ground": ""}

    entrant: str
    tournament: str
    ground: str


class WaiverRequested(OfWaiver):
    """Somebody asks that nothing be paid for an entry, on this ground of the rules."""

    asked: Asked | None = None


class WaiverGranted(OfWaiver):
    """Nothing need be paid for the entry, on this ground."""


class WaiverRefused(OfWaiver):
    """The ground does not hold: the fee is due."""


class FeeNoted(Fact):
    """In another tournament of the series the fee was settled, so that it is not due here; or it is due there again."""

    entrant: str
    tournament: str
    elsewhere: str
    is_settled: bool


# Check-in


class EntrantCheckedIn(Fact):
    """They have come."""

    entrant: str
    tournament: str


class CheckInUndone(Fact):
    """They have not come after all, or were noted by mistake."""

    entrant: str
    tournament: str


class MembersPresent(Fact):
    """These members of a team are there."""

    entrant: str
    tournament: str
    persons: tuple[str, ...]


class EntrantLate(Fact):
    """They came after check-in had closed, and this is what it costs them."""

    entrant: str
    tournament: str
    effect: str
    clause: str | None


# From the start on: neighbours hear of these


class EntrantAdmitted(Fact):
    """They take part from this round on, with this start number and what pairing and tables need of them."""

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
    club: str | None = None


class EntrantChanged(Fact):
    """All this is so of an entrant from now on; who has left or come in is seen from the persons."""

    REPLACES: ClassVar[tuple[str, ...]] = ("EntrantAdmitted", "EntrantChanged")

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
    club: str | None = None


class MeetingForbidden(Fact):
    """These entrants must not meet, in the whole tournament or in the last rounds of a stage."""

    tournament: str
    entrants: tuple[str, ...]
    last_rounds: int | None


class EntrantLeft(Because):
    """They play no more behind this round: they withdrew or were expelled."""

    entrant: str
    tournament: str
    stage: str
    after_round: int
    why: str
    clause: str | None  # of the rules, where results demand an expulsion
    by_official: bool = False  # who disqualified them there: no corrected result brings them back


class EntrantReturned(Because):
    """Whoever had left takes part again."""

    entrant: str
    tournament: str
    why: str


class EntrantAbsent(Fact):
    """They take this round off, for so many points where the rules grant some."""

    entrant: str
    tournament: str
    stage: str
    round: int
    points: Number | None


class EntrantPresent(Fact):
    """They do play in a round that they had taken off."""

    entrant: str
    tournament: str
    stage: str
    round: int


# Levels


class NextLevelNamed(Fact):
    """Its best go on to the next level, and those who get no place there to the other one; or nobody goes on."""

    tournament: str
    next_level: str | None
    otherwise: str | None = None


class OrderNoted(Fact):
    """The order of the tournament is decided, as standings says; the last one counts."""

    tournament: str
    order: tuple[tuple[str, ...], ...]  # place by place; equal places together
    advance: int | None  # so many by right; none where nobody has said how many
    reserves: tuple[str, ...]
    points: dict[str, Number] = msgspec.field(default_factory=dict[str, Number])


class OriginNamed(Fact):
    """The best of another tournament come to this one."""

    tournament: str
    origin: str


class OriginDropped(Fact):
    """The best of another tournament do not come to this one any more: they go elsewhere now."""

    tournament: str
    origin: str


class EntrantQualified(Fact):
    """They come from another tournament, where they were that entrant and had that place; the last word counts."""

    entrant: str
    tournament: str
    origin: str
    former: str
    place: int
    claim: Claim  # to a place; a reserve of that tournament; or the next, whoever leaves one free


# All of them

type PlanEvent = (
    TournamentPlaced
    | PlanChanged
    | SeriesNamed
    | HallChanged
    | AdvanceAnnounced
    | FirstRoundPostponed
    | ShownNamesDecided
    | LotSourceMoved
    | LotsOpened
)
type LifeEvent = (
    TournamentAnnounced
    | PlanEvent
    | NextLevelNamed
    | RegistrationOpened
    | CheckInOpened
    | TournamentStarted
    | ReviewBegun
    | PlayResumed
    | TournamentCompleted
    | TournamentCancelled
)
type PaymentEvent = (
    PaymentRecorded | RefundDue | RefundRecorded | WaiverRequested | WaiverGranted | WaiverRefused | FeeNoted
)
type PlaceEvent = PlaceConfirmed | ReserveCalled | ReservePassedOver | EntrantQualified
type DetailEvent = (
    EntryDetailed
    | LineUpChanged
    | EligibilityJudged
    | RegionApproved
    | PlaceEvent
    | PaymentEvent
    | MembersPresent
    | EntrantLate
)
type EntrantEvent = (
    EntryCorrected
    | EntryWithdrawn
    | EntrantStruckOff
    | EntrantCheckedIn
    | CheckInUndone
    | EntrantLeft
    | EntrantReturned
    | EntrantAbsent
    | EntrantPresent
)
type FieldEvent = (  # about no single entrant
    ClosePersonsDeclared
    | ClosePersonsRevoked
    | MeetingForbidden
    | SpectatorApproved
    | OrderNoted
    | OriginNamed
    | OriginDropped
)
type RosterEvent = (
    EntrantEntered | EntrantWaits | EntrantAdmitted | EntrantChanged | EntrantEvent | DetailEvent | FieldEvent
)
type Event = LifeEvent | RosterEvent
