"""Somebody who has entered: what their entry says, whatever has become of them, and what is known besides."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

import msgspec
from msgspec.structs import asdict, replace

from services.registration.domain.tournament import facts
from shared.numbers import Number, exact
from shared.values import Value

# What an entry says


class EntrySaid(Value):
    """What an entry says: who plays, and by what they are put in order."""

    persons: tuple[str, ...]
    rating: int | None = None
    key: int | None = None  # decides between equal ratings, the smaller first
    lists: tuple[str, ...] = ()
    rated_by: facts.RatedBy | None = None  # where the entry said no rating: what gave it one, from the start on

    @property
    def sent(self) -> "EntrySaid":
        """What the entry itself said, without the rating that the list or the rules gave it."""
        return replace(self, rating=None, rated_by=None) if self.rated_by else self


class Also(Value):
    """What else an entry says."""

    substitutes: tuple[str, ...] = ()
    captain: str | None = None
    team: str | None = None
    school: str | None = None
    club: str | None = None
    region: str | None = None
    parts: int = 1
    declared: tuple[str, ...] = ()
    consents: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    history: bool = False
    direct_source: str | None = None  # at which tournament they were qualified
    history_source: str | None = None  # which championship, or which list of them, says so
    carried: Number = 0
    direct: bool = False  # qualified beforehand for a later stage


NOTHING_ELSE = Also()


class ProposedEntry(Value):
    entrant: str
    said: EntrySaid
    also: Also = NOTHING_ELSE
    verdicts: tuple[facts.ConditionVerdict, ...] = ()
    settled_in: tuple[str, ...] = ()  # other tournaments of the series, where the fee for all was settled


# Whatever has become of them


class Leaving(StrEnum):
    WITHDREW = "withdrew"
    EXPELLED = "expelled"


type InRound = tuple[str, int]  # a stage and one of its rounds


class Entered(Value):
    entrant: str
    said: EntrySaid


class WaitingEntrant(Value):
    """They wait for a place, in the order of entry."""

    entrant: str
    said: EntrySaid


class CheckedIn(Value):
    entrant: str
    said: EntrySaid


class Withdrawn(Value):
    entrant: str
    said: EntrySaid
    in_time: bool = False  # to get back what is paid, also what is only credited later


class StruckOff(Value):
    entrant: str
    said: EntrySaid


NOWHERE: Mapping[InRound, Number | None] = MappingProxyType({})


class PlayingEntrant(Value):
    entrant: str
    said: EntrySaid
    number: int
    from_round: int
    absences: Mapping[InRound, Number | None] = NOWHERE


class LeftEntrant(Value):
    entrant: str
    said: EntrySaid
    number: int
    from_round: int
    absences: Mapping[InRound, Number | None]
    stage: str
    after_round: int
    why: Leaving
    clause: str | None  # of the rules, where results demand it
    by_official: bool
    withdrew: InRound | None  # before being expelled: after which round


type Coming = Entered | CheckedIn
type Participant = PlayingEntrant | LeftEntrant
type EntrantState = Coming | WaitingEntrant | Withdrawn | StruckOff | Participant


def evolve_entrant(was: EntrantState, event: facts.EntrantEvent) -> EntrantState:
    entrant, said = was.entrant, was.said
    match event:
        case facts.EntryCorrected():
            return replace(was, said=replace(said, rating=event.rating, key=event.key, lists=event.lists))
        case facts.EntryWithdrawn():
            return Withdrawn(entrant=entrant, said=said, in_time=event.in_time)
        case facts.EntrantStruckOff():
            return StruckOff(entrant=entrant, said=said)
        case facts.EntrantCheckedIn():
            return CheckedIn(entrant=entrant, said=said)
        case facts.CheckInUndone():
            return Entered(entrant=entrant, said=said)
        case facts.EntrantLeft():
            return left(participant(was), event)
        case facts.EntrantReturned():
            return back(participant(was))
        case facts.EntrantAbsent():
            there = participant(was)
            return replace(there, absences={**there.absences, (event.stage, event.round): event.points})
        case facts.EntrantPresent():
            there, which = participant(was), (event.stage, event.round)
            left_over = {in_round: points for in_round, points in there.absences.items() if in_round != which}
            return replace(there, absences=left_over)


def participant(entrant: EntrantState) -> Participant:
    if isinstance(entrant, PlayingEntrant | LeftEntrant):
        return entrant
    raise TypeError(f"{entrant.entrant} does not play")  # the log has never said otherwise


def left(was: Participant, event: facts.EntrantLeft) -> LeftEntrant:
    return LeftEntrant(
        entrant=was.entrant,
        said=was.said,
        number=was.number,
        from_round=was.from_round,
        absences=was.absences,
        stage=event.stage,
        after_round=event.after_round,
        why=Leaving(event.why),
        clause=event.clause,
        by_official=event.by_official,
        withdrew=withdrew_before(was) if event.why == Leaving.EXPELLED else None,
    )


def withdrew_before(was: Participant) -> InRound | None:
    if isinstance(was, PlayingEntrant):
        return None
    return (was.stage, was.after_round) if was.why is Leaving.WITHDREW else was.withdrew


def back(was: Participant) -> PlayingEntrant:
    return PlayingEntrant(
        entrant=was.entrant, said=was.said, number=was.number, from_round=was.from_round, absences=was.absences
    )


# What is known of an entry besides who plays


class Lateness(StrEnum):
    """What coming late costs."""

    NOTHING = "nothing"
    FIRST_GAME = "first-game"  # lost by default
    FIRST_ROUND = "first-round"  # they play from the second one on


class Money(Value):
    """An amount that was paid, or given back when it is less than nothing."""

    amount: Fraction
    currency: str
    on: str
    reference: str
    is_accepted: bool = False  # as enough, by a decision


class LineUp(Value):
    """The members of a team, and who is their captain."""

    persons: tuple[str, ...]
    substitutes: tuple[str, ...]
    captain: str | None


class EntryDetails(Value):
    also: Also = NOTHING_ELSE
    verdicts: tuple[facts.ConditionVerdict, ...] = ()
    approval: str | None = None  # for another region than their own
    is_confirmed: bool = False
    money: tuple[Money, ...] = ()
    refund_due: Mapping[str, Fraction] = msgspec.field(default_factory=dict[str, Fraction])  # by currency
    waivers: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])  # requested, granted or refused
    settled_in: tuple[str, ...] = ()  # other tournaments of the series, where the fee for all was settled
    present: tuple[str, ...] | None = None  # of a team
    late: Lateness | None = None
    is_called: bool = False  # out of the line of those who wait
    qualified: facts.EntrantQualified | None = None  # from another tournament
    entered_by: facts.Asked | None = None  # none: an official
    waiver_asked: Mapping[str, facts.Asked] = msgspec.field(default_factory=dict[str, facts.Asked])  # by ground
    registered: LineUp | None = None  # what a team entered with, where others play, or speak for it, in this tournament

    @property
    def granted(self) -> frozenset[str]:
        return frozenset(ground for ground, status in self.waivers.items() if status == "granted")


NO_DETAILS = EntryDetails()


def evolve_details(was: EntryDetails, event: facts.DetailEvent) -> EntryDetails:
    match event:
        case facts.EntryDetailed():
            return replace(was, also=msgspec.convert(event, Also, from_attributes=True))
        case facts.LineUpChanged():
            return replace(was, also=replace(was.also, substitutes=event.substitutes, captain=event.captain))
        case facts.EligibilityJudged():
            return replace(was, verdicts=event.verdicts)
        case facts.RegionApproved():
            return replace(was, approval=event.region)
        case facts.MembersPresent():
            return replace(was, present=event.persons)
        case facts.EntrantLate():
            return replace(was, late=Lateness(event.effect))
        case facts.PlaceConfirmed() | facts.ReserveCalled() | facts.ReservePassedOver() | facts.EntrantQualified():
            return evolve_place(was, event)
        case _:
            return evolve_money(was, event)


def evolve_place(was: EntryDetails, event: facts.PlaceEvent) -> EntryDetails:
    match event:
        case facts.PlaceConfirmed():
            return replace(was, is_confirmed=True)
        case facts.ReserveCalled():
            return replace(was, is_called=True)
        case facts.ReservePassedOver():
            return was  # they keep their place in the line
        case facts.EntrantQualified():
            return replace(was, qualified=event)


def evolve_money(was: EntryDetails, event: facts.PaymentEvent) -> EntryDetails:
    match event:
        case facts.PaymentRecorded():
            return replace(was, money=(*was.money, money_of(event, exact(event.amount))))
        case facts.RefundDue():
            return replace(was, refund_due={**was.refund_due, event.currency: exact(event.amount)})
        case facts.RefundRecorded():
            left = max(was.refund_due.get(event.currency, Fraction(0)) - exact(event.amount), Fraction(0))
            due = {**was.refund_due, event.currency: left}
            return replace(was, money=(*was.money, money_of(event, -exact(event.amount))), refund_due=due)
        case facts.WaiverRequested():
            asked = {**was.waiver_asked, event.ground: event.asked} if event.asked else was.waiver_asked
            return replace(was, waivers={**was.waivers, event.ground: "requested"}, waiver_asked=asked)
        case facts.WaiverGranted():
            return replace(was, waivers={**was.waivers, event.ground: "granted"})
        case facts.WaiverRefused():
            return replace(was, waivers={**was.waivers, event.ground: "refused"})
        case facts.FeeNoted():
            others = tuple(one for one in was.settled_in if one != event.elsewhere)
            return replace(was, settled_in=(*others, event.elsewhere) if event.is_settled else others)


def money_of(event: facts.PaymentRecorded | facts.RefundRecorded, amount: Fraction) -> Money:
    return Money(
        amount=amount,
        currency=event.currency,
        on=event.on,
        reference=event.reference,
        is_accepted=amount > 0 and event.decision is not None,
    )


def detailed(entrant: str, tournament: str, also: Also) -> facts.EntryDetailed:
    return msgspec.convert({"entrant": entrant, "tournament": tournament, **asdict(also)}, facts.EntryDetailed)
