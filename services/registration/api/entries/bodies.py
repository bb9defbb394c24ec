"""Bodies about entries: what is sent of somebody who enters, and what officials are shown of that."""

from datetime import date, datetime
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from services.registration.api.bodies import (
    ENTRANT,
    ID,
    OTHER_PERSON,
    PERSON,
    WORDS,
    OnePerson,
    OnePlayer,
    Reason,
    in_reach,
    next_page,
    optional_id,
)
from services.registration.api.entrants.bodies import KEY, LISTS, MOST_ENTRIES, MOST_LISTS, MOST_ROUND, RATING, Entrant
from services.registration.api.permissions import ENTRANT_ACTIONS, ENTRY_ACTIONS
from services.registration.api.persons.bodies import ParticularsToKeep
from services.registration.domain.names import LONGEST_NAME
from services.registration.domain.tournament.admission import RegionReason
from services.registration.domain.tournament.entrants import Lateness
from services.registration.domain.tournament.entries import Decision
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed
from shared.rulesets.parts import Currency, Exact, Slug

MOST_MEMBERS = 20


# How somebody enters


def as_whole(value: object) -> object:
    """An id of somebody who is known, or what is to be known of somebody new: each fault is named once."""
    return {"id": value} if isinstance(value, str) else value


class WhoEnters(RequestBody):
    """Somebody who is known, by an id; or somebody new, by a name."""

    id: str | None = Field(default=None, pattern=ID, json_schema_extra=id_of("person"), examples=[PERSON])
    name: str | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_NAME,
        description="Of somebody new, who is then registered. Kept where it can be erased, and never in the log.",
        examples=["Mária Nováková"],
    )
    captain: bool = Field(default=False, description="Whether they are the captain of their team.")
    particulars: ParticularsToKeep | None = Field(
        default=None, description="What else is known of somebody new, where the rules ask for it.", examples=[None]
    )


type SomebodyWho = Annotated[WhoEnters, BeforeValidator(as_whole, json_schema_input_type=WhoEnters | OnePerson)]


class AsDetailed(RequestBody):
    """What else an entry says, where the rules ask for it."""

    school: str | None = optional_id("home", "One of the federation's.")
    club: str | None = optional_id("home", "One of the federation's.")
    region: str | None = optional_id("home", "Otherwise that of the school or club.")
    declared: tuple[Slug, ...] = Field(
        default=(),
        max_length=MOST_LISTS,
        description="What they say of themselves, as fees and conditions ask: `member`, `first-time`, `on-site` … "
        "Where the roll is kept, the first two follow from it and from the history.",
        examples=[["member"]],
    )
    consents: tuple[Slug, ...] = Field(
        default=(), max_length=MOST_LISTS, description="What they have agreed to.", examples=[["rules"]]
    )
    needs: tuple[Slug, ...] = Field(
        default=(), max_length=MOST_LISTS, description="Special needs.", examples=[["tactile-board"]]
    )
    history: bool = Field(default=False, description="Whether they played semifinals of earlier championships.")
    history_source: Slug | None = Field(
        default=None, description="Which championship, or which list of them, says so.", examples=[None]
    )
    direct: bool = Field(default=False, description="Whether they are qualified beforehand for a later stage.")
    direct_source: Slug | None = Field(
        default=None, description="At which tournament they were, as a code.", examples=[None]
    )
    carried: Exact = Field(default=Fraction(0), description="Points that they bring along.", examples=[0])
    region_approval: RegionReason | None = Field(
        default=None, description="A coordinator's, for another region than their own.", examples=[None]
    )


class NewEntry(AsDetailed):
    person: SomebodyWho | None = Field(
        default=None,
        description='Who plays: the id of a person, or `{"name": …}` of somebody new.',
        examples=[{"name": "Mária Nováková"}],
    )
    persons: list[SomebodyWho] | None = Field(
        default=None,
        max_length=MOST_MEMBERS,
        description="Instead: both of a pair, or the base of a team.",
        examples=[None],
    )
    substitutes: list[SomebodyWho] = Field(
        default_factory=list[WhoEnters], max_length=MOST_MEMBERS, description="Of a team.", examples=[[]]
    )
    captain: str | None = optional_id("member", "Any member, a substitute too; or mark one with `captain`.")
    team: str | None = optional_id("team", "The team's id from an earlier tournament of the series.")
    name: str | None = Field(
        default=None,
        min_length=1,
        max_length=LONGEST_NAME,
        description="Of a team or pair. Kept where it can be erased, and never in the log.",
        examples=[None],
    )
    rating: int | None = RATING
    key: int | None = KEY
    lists: tuple[Slug, ...] = LISTS


class Payment(RequestBody):
    amount: Exact = Field(
        gt=0, description="Exactly; money that is no whole number as a decimal or a fraction.", examples=[10]
    )
    currency: Currency
    on: Annotated[date, AfterValidator(in_reach)] = Field(
        description="The day on which it was paid, or credited; none that is still to come.", examples=["2026-11-10"]
    )
    reference: str = Field(
        min_length=1,
        max_length=64,
        pattern=r"^[!-~]+$",
        description="Of the bank, or the number of the receipt; never a name. It is not recorded twice.",
        examples=["VS-2026-17"],
    )
    decision: str | None = Field(
        default=None,
        min_length=1,
        max_length=64,
        pattern=r"^[a-z0-9-]+$",
        description="Why all the same: a code.",
        examples=[None],
    )


class EntryToMake(NewEntry):
    decision: Decision | None = Field(
        default=None,
        description="Why the organiser takes an entry that comes after they have closed.",
        examples=["excused"],
    )
    words: str | None = WORDS


class EntriesToMake(RequestBody):
    entrants: list[NewEntry] = Field(
        min_length=1, max_length=MOST_ENTRIES, description="All of them come in, or nobody does."
    )
    decision: Decision | None = Field(
        default=None, description="Why the organiser takes them after entries have closed.", examples=["other"]
    )
    words: str | None = WORDS


class LateEntry(NewEntry):
    from_round: int | None = Field(
        default=None,
        ge=1,
        le=MOST_ROUND,
        description="The first round that they play: otherwise the next to be published, or before the start the first.",
        examples=[2],
    )
    decision: Decision = Field(
        default=Decision.OTHER, description="Why the organiser takes them.", examples=["even-number"]
    )
    payment: Payment | None = Field(
        default=None, description="Where nobody takes part unpaid: what they have paid.", examples=[None]
    )
    words: str | None = WORDS


class Imported(BaseModel):
    entrants: list[Entrant] = Field(description="In the order in which they were sent.")


# What is sent of an entry that there is


class ReserveToCall(RequestBody):
    entrant: str | None = optional_id("entrant", "This one; otherwise the next in line.", example=ENTRANT)
    reason: Reason | None = Field(
        default=None,
        description="Needed where others stand before them in the line, who stay the next. It stands in their history.",
        examples=[{"code": "not-reached", "words": "Two calls and a message went unanswered."}],
    )


class Substitution(RequestBody):
    substitute: OnePlayer = Field(description="One of the registered substitutes.", examples=[OTHER_PERSON])
    instead_of: OnePlayer = Field(description="The base player who misses the whole tournament.", examples=[PERSON])


class OneMember(RequestBody):
    person: OnePlayer = Field(description="One of the team.", examples=[PERSON])


class MembersThere(RequestBody):
    present: list[OnePlayer] = Field(
        max_length=20, description="Which members are there.", examples=[[PERSON, OTHER_PERSON]]
    )


class LateArrival(RequestBody):
    effect: Lateness = Field(
        description="`nothing`; `first-game`: it is lost by default; `first-round`: they play from the second round on.",
        examples=["first-game"],
    )


class Ground(RequestBody):
    ground: Slug = Field(description="One of those for which a fee of the rules is waived.", examples=["host-school"])


# What officials are shown of entries


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


class AskedShown(BaseModel):
    """Who asked for it without an office."""

    subject: str | None = Field(
        description="As their token calls them. Who is no official is shown only the own one.", examples=["b7a20e"]
    )
    capacity: Literal["player", "captain", "school", "club"] = Field(
        description="As what they spoke for the entrant.", examples=["school"]
    )


class WaiverShown(BaseModel):
    ground: str = Field(examples=["host-school"])
    status: Literal["requested", "granted", "refused"] = Field(examples=["granted"])
    asked: AskedShown | None = Field(description="Who asked for it; null: an official did.")


class LackShown(BaseModel):
    kind: str = Field(
        description="`not-checked-in`, `unpaid`, `no-consent`, `not-judged`, `not-confirmed`, `no-captain`, "
        "`too-few-present`, `in-two-teams`.",
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
    entered_by: AskedShown | None = Field(description="Who entered them; null: an official did.")
    is_confirmed: bool
    waits_as: int | None = Field(description="Their place among those who wait; 1 is called next.", examples=[None])
    present: list[str] | None = Field(description="Members who are there, where it was said.", examples=[[PERSON]])
    late: Lateness | None = Field(description="What coming late costs them.", examples=[None])
    verdicts: list[VerdictShown]
    due: list[Sum] = Field(
        description="What is to be paid today, in one of these currencies; empty once it is settled."
    )
    settled_in: list[str] = Field(
        description="Other tournaments of the series in which the fee was paid or waived, for this one too.",
        examples=[[]],
    )
    payments: list[Paid] = Field(description="What was paid; below zero, what was given back.")
    refund_due: list[Sum] = Field(description="What is to be given back.")
    waivers: list[WaiverShown]
    lacks: list[LackShown] = Field(description="What is missing before they may start, and what to do.")


class EntrySheet(EntryListed):
    allowed_actions: Actions = allowed(*ENTRANT_ACTIONS, *ENTRY_ACTIONS)


class EntryPage(BaseModel):
    items: list[EntryListed] = Field(description="In the order that was asked for.")
    next: str | None = next_page(ENTRANT)


class HappenedToEntry(BaseModel):
    what: str = Field(description="The name of the event, such as `entry-withdrawn`.", examples=["entrant-struck-off"])
    at: datetime
    by: str = Field(description="Who did it, as their token calls them.", examples=["d0f3c1"])
    role: str | None = Field(description="In which.", examples=["coordinator"])
    operation: str | None = Field(description="By which.", examples=["strikeOffEntrant"])
    capacity: Literal["player", "captain", "school", "club"] | None = Field(
        description="As what they asked for it; null: as an official.", examples=[None]
    )
    why: str | None = Field(description="The code that was given.", examples=["absent"])
    clause: str | None = Field(description="That it goes by.", examples=["SK.REG-4"])
    words: str | None = Field(description="Null where none were given, or they were erased.", examples=["Nobody came."])


class HistoryOfEntry(BaseModel):
    items: list[HappenedToEntry] = Field(description="In the order in which it happened.")


# What the import of a file answers


type Outcome = Literal["entered", "waiting", "unchanged", "gone"]


class OutcomeOfEntry(BaseModel):
    line: int = Field(description="The first line of the entry in the file.", examples=[2])
    entrant: str | None = Field(description="Null where they are gone.", examples=[ENTRANT])
    outcome: Outcome = Field(
        description="`waiting`: for a place; `unchanged`: it had been entered with just this; `gone`: it had "
        "withdrawn or was struck off since.",
        examples=["entered"],
    )


class FileImported(BaseModel):
    entered: int = Field(description="How many came in.", examples=[1])
    waiting: int = Field(description="How many wait for a place.", examples=[0])
    unchanged: int = Field(description="How many had been entered with just this.", examples=[0])
    gone: int = Field(description="How many are passed over, since they are gone again.", examples=[0])
    entries: list[OutcomeOfEntry] = Field(description="Each entry, in the order of the file.")
