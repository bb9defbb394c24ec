"""The membership roll of a federation in one season: its annual fee, who has paid it, and who was struck off again.

One stream a season. As long as no fee was set the roll is not kept, and entries say themselves who is a member.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import msgspec
from msgspec.structs import asdict

from shared.commands.decider import Decider, Fact, Order, classes_of
from shared.commands.personal_facts import PrivateFact
from shared.numbers import Number, exact, stored
from shared.refusals import Conflict, Invalid, NotFound
from shared.values import Value

# Orders


class AnnualFee(Value):
    """What a member pays for a season; somebody new pays for joining besides."""

    amount: Number
    joining: Number
    currency: str


class SetAnnualFee(Order):
    season: str
    federation: str
    fee: AnnualFee


class Dues(Value):
    """What somebody has paid to be a member."""

    amount: Number
    currency: str
    on: str
    reference: str
    joins: bool = False  # for the first time
    decision: str | None = None  # why less is enough
    tournament: str | None = None  # at which it was paid


class EnrolMember(Order):
    person: str
    dues: Dues
    is_ahead: bool = False  # the day of the dues is still to come, wherever somebody pays


class StrikeMember(Order):
    """They are no member of this season after all."""

    person: str
    reason: str


type Command = SetAnnualFee | EnrolMember | StrikeMember

# Facts


class AnnualFeeSet(Fact):
    """Membership of the season costs so much, and so much more for whoever joins."""

    season: str
    federation: str
    amount: Number
    joining: Number
    currency: str


class MemberEnrolled(PrivateFact):
    """Somebody has paid for the season and is on the roll of members."""

    BLANK: ClassVar[Mapping[str, Any]] = {"reference": ""}

    season: str
    federation: str
    person: str
    amount: Number
    currency: str
    on: str
    reference: str
    joins: bool
    decision: str | None
    tournament: str | None


class MemberStruck(Fact):
    """Somebody is no longer on the roll of members, for the reason of this code."""

    season: str
    federation: str
    person: str
    reason: str


type Event = AnnualFeeSet | MemberEnrolled | MemberStruck

# State


class Roll(Value):
    season: str = ""
    federation: str = ""
    fee: AnnualFee | None = None  # none: the roll is not kept
    members: Mapping[str, Dues] = msgspec.field(default_factory=dict[str, Dues])  # in the order in which they came

    def has(self, persons: tuple[str, ...]) -> bool:
        """Whether somebody is a member under any of their ids."""
        return any(one in self.members for one in persons)


# Refusals


class RollNotKept(Conflict):
    """Nobody has said what membership costs."""


class NotOnRoll(NotFound):
    """They are no member of this season."""


class AlreadyOnRoll(Conflict):
    """They have been enrolled, and with other dues."""


class DuesTooLow(Invalid):
    """Membership costs more, or is paid in another currency."""


class DuesToCome(Invalid):
    """Nobody is a member by what is paid only later."""


def decide(state: Roll, command: Command) -> list[Event]:
    match command:
        case SetAnnualFee():
            return set_fee(state, command)
        case EnrolMember():
            return enrol(state, command)
        case StrikeMember():
            if command.person not in state.members:
                raise NotOnRoll("They are not on the roll of this season: look for them in it.")
            struck = MemberStruck(
                season=state.season, federation=state.federation, person=command.person, reason=command.reason
            )
            return [struck]


def set_fee(state: Roll, command: SetAnnualFee) -> list[Event]:
    """Who is on the roll has paid by what held then, and stays."""
    if state.fee == command.fee:
        return []
    known = {"season": command.season, "federation": command.federation}
    return [msgspec.convert({**known, **asdict(command.fee)}, AnnualFeeSet)]


def enrol(state: Roll, command: EnrolMember) -> list[Event]:
    fee, dues = state.fee, command.dues
    if fee is None:
        raise RollNotKept("The roll of this season is not kept yet: set the annual fee first.")
    if (known := state.members.get(command.person)) is not None:
        if known == dues:
            return []
        raise AlreadyOnRoll(
            "They are on the roll of this season already: strike them off first to enrol them otherwise."
        )
    if command.is_ahead:
        raise DuesToCome(f"{dues.on} is still to come: enrol them once it was paid, with the day of that.")
    wanted = exact(fee.amount) + (exact(fee.joining) if dues.joins else Fraction(0))
    if dues.decision is None and (dues.currency != fee.currency or exact(dues.amount) < wanted):
        raise DuesTooLow(
            f"Membership costs {stored(wanted)} {fee.currency}, not {dues.amount} {dues.currency}: have the whole of it paid "
            "first, or say why it is enough."
        )
    who = {"season": state.season, "federation": state.federation, "person": command.person}
    return [msgspec.convert({**who, **asdict(dues)}, MemberEnrolled)]


def evolve(state: Roll, event: Event) -> Roll:
    match event:
        case AnnualFeeSet():
            fee = msgspec.convert(event, AnnualFee, from_attributes=True)
            return Roll(season=event.season, federation=event.federation, fee=fee, members=state.members)
        case MemberEnrolled():
            members = {**state.members, event.person: msgspec.convert(event, Dues, from_attributes=True)}
        case MemberStruck():
            members = {person: dues for person, dues in state.members.items() if person != event.person}
    return Roll(season=state.season, federation=state.federation, fee=state.fee, members=members)


ROLL: Decider[Roll, Command, Event] = Decider(
    kind="roll", initial=Roll(), decide=decide, evolve=evolve, events=classes_of(Event)
)
