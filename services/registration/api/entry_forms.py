"""What an entry may say besides who plays, where the rules ask for it; and what is shown of that to officials."""

from typing import Literal

from pydantic import BaseModel, Field

from services.registration.api.entrant_forms import Entrant
from services.registration.api.forms import ALLOWED, ENTRANT, OTHER_PERSON, PERSON, OnePlayer
from services.registration.api.sent import Sent
from services.registration.domain.tournament.entrants import Lateness
from shared.http.responses import Action


class Substitution(Sent):
    substitute: OnePlayer = Field(description="One of the registered substitutes.", examples=[OTHER_PERSON])
    instead_of: OnePlayer = Field(description="The base player who misses the whole tournament.", examples=[PERSON])


class OneMember(Sent):
    person: OnePlayer = Field(description="One of the team.", examples=[PERSON])


class MembersThere(Sent):
    present: list[OnePlayer] = Field(
        max_length=20, description="Which members are there.", examples=[[PERSON, OTHER_PERSON]]
    )


class LateArrival(Sent):
    effect: Lateness = Field(
        description="`nothing`; `first-game`: it is lost by default; `first-round`: they play from the second round on.",
        examples=["first-game"],
    )


# Shown to officials


class VerdictShown(BaseModel):
    person: str = Field(examples=[PERSON])
    rule: str = Field(examples=["age-below"])
    clause: str | None = Field(description="Of docs/rules.", examples=["PQ.REG-4"])
    sentence: str = Field(examples=["Everybody is under 16."])
    met: bool | None = Field(description="Null where too little is known to say.", examples=[True])


class Sum(BaseModel):
    amount: float | int = Field(examples=[10])
    currency: str = Field(examples=["EUR"])


class Paid(Sum):
    on: str = Field(examples=["2026-11-10"])
    reference: str = Field(examples=["VS-2026-17"])


class WaiverShown(BaseModel):
    ground: str = Field(examples=["host-school"])
    status: Literal["requested", "granted", "refused"] = Field(examples=["granted"])


class LackShown(BaseModel):
    kind: str = Field(
        description="`not-checked-in`, `unpaid`, `no-consent`, `not-judged`, `not-confirmed`, `no-captain`, "
        "`too-few-present` or `in-two-teams`.",
        examples=["unpaid"],
    )
    sentence: str = Field(examples=["The fee is neither paid nor waived: record the payment, or grant a waiver."])
    clause: str | None = Field(description="Of docs/rules.", examples=["PQ.REG-11"])


class EntryListed(BaseModel):
    """One entry as officials see it."""

    entrant: Entrant
    club: str | None = Field(examples=[None])
    region: str | None = Field(examples=[None])
    team: str | None = Field(description="The same in all tournaments of a series.", examples=[ENTRANT])
    declared: list[str] = Field(examples=[["member"]])
    consents: list[str] = Field(examples=[["rules"]])
    needs: list[str] = Field(examples=[["tactile-board"]])
    history: bool
    history_source: str | None = Field(description="What says so.", examples=["mp-2019"])
    direct: bool
    direct_source: str | None = Field(description="The tournament that qualified them.", examples=["brno-2026"])
    carried: float | int = Field(examples=[0])
    approved_from: str | None = Field(description="The region that they were approved from.", examples=[None])
    is_confirmed: bool
    waits_as: int | None = Field(description="Their place among those who wait; 1 is called next.", examples=[None])
    present: list[str] | None = Field(description="Members who are there, where it was said.", examples=[[PERSON]])
    late: Lateness | None = Field(description="What coming late costs them.", examples=[None])
    verdicts: list[VerdictShown]
    due: list[Sum] = Field(
        description="What is to be paid today, in one of these currencies; empty once it is settled."
    )
    payments: list[Paid] = Field(description="What was paid; below zero, what was given back.")
    refund_due: list[Sum] = Field(description="What is to be given back.")
    waivers: list[WaiverShown]
    lacks: list[LackShown] = Field(description="What is missing before they may start, and what to do.")


class EntrySheet(EntryListed):
    allowed_actions: list[Action] = ALLOWED


class EntryPage(BaseModel):
    items: list[EntryListed] = Field(description="In the order that was asked for.")
    next: str | None = Field(
        description="Send it as `after` to get the next page; null on the last one.", examples=[ENTRANT]
    )
