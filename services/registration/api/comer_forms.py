"""What requests about somebody who enters look like."""

from datetime import date
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator

from services.registration.api.forms import (
    ID,
    PERSON,
    OnePerson,
)
from services.registration.api.money_forms import Payment
from services.registration.api.reasons import WORDS
from services.registration.api.sent import Sent
from services.registration.domain.names import LONGEST_NAME
from services.registration.domain.tournament.admission import RegionReason
from services.registration.domain.tournament.entries import Decision
from shared.access.references import id_of
from shared.rulesets.parts import Exact, Slug

MOST_RATING = 10_000
MOST_ENTRIES = 1_000
MOST_LISTS = 20
MOST_ROUND = 1_000
MOST_MEMBERS = 20


RATING = Field(
    default=None,
    ge=0,
    le=MOST_RATING,
    description="On the rating list of the ruleset; without one, what the rules give to who is new.",
    examples=[1700],
)
KEY = Field(
    default=None,
    ge=0,
    le=2**31,
    description="Decides between equal ratings, the smaller first, before the order of entry does. Where the rules seed by "
    "tiers: the place in the tournament before. Where they seed by lot: the place in a draw that people made.",
    examples=[12],
)
LISTS = Field(default=(), max_length=MOST_LISTS, description="Of the ruleset, by their ids.", examples=[[]])
STAGE = Field(default=None, max_length=64, description="Not needed where there is one.", examples=["swiss"])


def as_whole(value: object) -> object:
    """An id of somebody who is known, or what is to be known of somebody new: each fault is named once."""
    return {"id": value} if isinstance(value, str) else value


class Particulars(Sent):
    """What is known of a person besides the name. It is kept where it can be erased, and never in the log."""

    born: str | None = Field(
        default=None, pattern=r"^(19|20)\d\d(-\d\d-\d\d)?$", description="A date, or a year.", examples=["2011-05-17"]
    )
    citizenship: tuple[Annotated[str, Field(pattern=r"^[A-Z]{2}$")], ...] = Field(
        default=(), max_length=5, description="Countries, as ISO 3166 writes them.", examples=[["PL"]]
    )
    town: str | None = Field(default=None, min_length=1, max_length=100, examples=["Kraków"])
    email: str | None = Field(
        default=None, max_length=254, pattern=r"^[^@\s]+@[^@\s]+$", examples=["maria@example.org"]
    )
    phone: str | None = Field(default=None, pattern=r"^\+?[0-9 ]{5,20}$", examples=["+421 900 000 000"])
    licence: str | None = Field(
        default=None, pattern=r"^[!-~]{1,40}$", description="Its number with the federation.", examples=["SK-1042"]
    )

    @field_validator("born")
    @classmethod
    def is_a_day(cls, born: str | None) -> str | None:
        if born is not None and len(born) > len("2011"):
            date.fromisoformat(born)
        return born


class WhoEnters(Sent):
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
    particulars: Particulars | None = Field(
        default=None, description="What else is known of somebody new, where the rules ask for it.", examples=[None]
    )


type SomebodyWho = Annotated[WhoEnters, BeforeValidator(as_whole, json_schema_input_type=WhoEnters | OnePerson)]


class AsDetailed(Sent):
    """What else an entry says, where the rules ask for it."""

    school: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("home"),
        description="One of the federation's.",
        examples=[None],
    )
    club: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("home"),
        description="One of the federation's.",
        examples=[None],
    )
    region: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("home"),
        description="Otherwise that of the school or club.",
        examples=[None],
    )
    declared: tuple[Slug, ...] = Field(
        default=(),
        max_length=MOST_LISTS,
        description="What they say of themselves, as fees and conditions ask: `member`, `first-time`, `on-site` …",
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
        default=None, description="Which championship, or which list of them, says so.", examples=["mp-2019"]
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
    captain: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("member"),
        description="One of the persons; or mark one with `captain`.",
        examples=[None],
    )
    team: str | None = Field(
        default=None,
        pattern=ID,
        json_schema_extra=id_of("team"),
        description="The team's id from an earlier tournament of the series.",
        examples=[None],
    )
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


class EntryToMake(NewEntry):
    decision: Decision | None = Field(
        default=None,
        description="Why the organiser takes an entry that comes after they have closed.",
        examples=["excused"],
    )
    words: str | None = WORDS


class EntriesToMake(Sent):
    entrants: list[NewEntry] = Field(
        min_length=1, max_length=MOST_ENTRIES, description="All of them come in, or nobody does."
    )
    decision: Decision | None = Field(
        default=None, description="Why the organiser takes them after entries have closed.", examples=["other"]
    )
    words: str | None = WORDS


class LateEntry(NewEntry):
    from_round: int = Field(ge=1, le=MOST_ROUND, description="The first round that they play.", examples=[2])
    decision: Decision = Field(description="Why the organiser takes them.", examples=["even-number"])
    payment: Payment | None = Field(
        default=None, description="Where nobody takes part unpaid: what they have paid.", examples=[None]
    )
    words: str | None = WORDS
