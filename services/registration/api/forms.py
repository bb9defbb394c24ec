"""What requests and answers about persons, tournaments and entrants look like."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, Field

from services.registration.domain.tournament.life import LONGEST_NAME
from services.registration.domain.tournament.orders import Decision, Leaving, Returning
from shared.answers import Action
from shared.rulesets.parts import Exact, Time

ID = r"^[0-9A-Za-z-]{1,64}$"
FEDERATION = "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"
TOURNAMENT = "019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21"
ENTRANT = "019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833"
PERSON = "019aa4c2-9f31-7d18-8c2b-40e5d6a71b92"
OTHER_PERSON = "019aa4c2-9f31-7d18-8c2b-40e5d6a71b93"
MOST_RATING = 10_000
MOST_ENTRIES = 1_000
MOST_LISTS = 20
MOST_ROUND = 1_000

type PersonId = Annotated[str, Path(description="The id that registering answered.", pattern=ID, examples=[PERSON])]
type TournamentId = Annotated[
    str, Path(description="The id that announcing answered.", pattern=ID, examples=[TOURNAMENT])
]
type EntrantId = Annotated[str, Path(description="The id that entering answered.", pattern=ID, examples=[ENTRANT])]

type OnePerson = Annotated[str, Field(pattern=ID, examples=[PERSON])]
type Status = Literal["draft", "registration", "check-in", "running", "under-review", "completed", "cancelled"]
type Standing = Literal["entered", "checked-in", "withdrawn", "struck-off", "playing", "left"]


def as_whole(value: object) -> object:
    """An id of somebody who is known, or what is to be known of somebody new: each fault is named once."""
    return {"id": value} if isinstance(value, str) else value


ALLOWED = Field(description="What the caller may do with it now, and why not.")
FEDERATION_ID = Field(pattern=ID, description="The federation that it belongs to.", examples=[FEDERATION])
PERSON_NAME = Field(
    min_length=1,
    max_length=LONGEST_NAME,
    description="As it is shown. It is kept where it can be erased, and never in the log.",
    examples=["Mária Nováková"],
)
SHOWN_NAME = Field(description="As it is shown; null when it was erased.", examples=["Mária Nováková"])
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
    description="Decides between equal ratings, the smaller first, before the order of entry does.",
    examples=[12],
)
LISTS = Field(default=(), max_length=MOST_LISTS, description="Of the ruleset, by their ids.", examples=[[]])
STAGE = Field(default=None, max_length=64, description="Not needed where there is one.", examples=["swiss"])


# Persons


class PersonToRegister(BaseModel):
    federation: str = FEDERATION_ID
    name: str = PERSON_NAME


class PersonName(BaseModel):
    name: str = PERSON_NAME


class PersonListed(BaseModel):
    id: str = Field(examples=[PERSON])
    name: str | None = SHOWN_NAME


class Person(PersonListed):
    federation: str = Field(examples=[FEDERATION])
    allowed_actions: list[Action] = ALLOWED


class PersonPage(BaseModel):
    items: list[PersonListed] = Field(description="In the order in which they were registered.")
    next: str | None = Field(
        description="Send it as `after` to get the next page; null on the last one.", examples=["12873"]
    )


# Tournaments


class TournamentToAnnounce(BaseModel):
    federation: str = FEDERATION_ID
    name: str = Field(min_length=1, max_length=LONGEST_NAME, examples=["Košice Cup"])
    ruleset: Annotated[str, Field(max_length=64)] | dict[str, Any] = Field(
        description="The id of one of the catalogue, or a whole ruleset.", examples=["scrabble-sk-2022-qt"]
    )
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="Settings of the ruleset that this tournament changes, by path.",
        examples=[{"pairing.rounds": 6}],
    )
    time_zone: str = Field(max_length=64, description="A name of the IANA database.", examples=["Europe/Bratislava"])
    starts_on: date = Field(description="The day of the first round, there.", examples=["2026-11-21"])
    first_round: Time | None = Field(
        default=None, description="Its time, there; otherwise the ruleset's.", examples=["09:00"]
    )
    entries_close: datetime | None = Field(
        default=None,
        description="From then on an entry takes a decision of the organiser; otherwise as the ruleset says.",
        examples=["2026-11-20T00:00:00+01:00"],
    )


class Delay(BaseModel):
    minutes: int = Field(ge=0, le=24 * 60, description="From the time that was announced.", examples=[30])


class Tournament(BaseModel):
    id: str = Field(examples=[TOURNAMENT])
    federation: str = Field(examples=[FEDERATION])
    name: str = Field(examples=["Košice Cup"])
    status: Status
    ruleset: str = Field(description="Its id.", examples=["scrabble-sk-2022-qt"])
    options: dict[str, Any] = Field(
        description="What this tournament changes in it.", examples=[{"pairing.rounds": 6}]
    )
    time_zone: str = Field(examples=["Europe/Bratislava"])
    starts_on: str = Field(examples=["2026-11-21"])
    first_round: str = Field(description="As it was announced, there.", examples=["09:00"])
    first_round_at: datetime = Field(
        description="When it is planned to begin by now.", examples=["2026-11-21T09:30:00+01:00"]
    )
    entries_close: datetime | None = Field(
        description="From then on an entry takes a decision.", examples=["2026-11-19T23:00:00Z"]
    )
    entrants: int = Field(description="Who takes part, or is to.", examples=[24])
    checked_in: int = Field(description="How many of them are there; all of them once it runs.", examples=[22])
    allowed_actions: list[Action] = ALLOWED


class TournamentListed(BaseModel):
    id: str = Field(examples=[TOURNAMENT])
    federation: str = Field(examples=[FEDERATION])
    name: str = Field(examples=["Košice Cup"])
    status: Status
    ruleset: str = Field(examples=["scrabble-sk-2022-qt"])
    starts_on: str = Field(examples=["2026-11-21"])


class TournamentPage(BaseModel):
    items: list[TournamentListed] = Field(description="In the order in which they were announced.")
    next: str | None = Field(
        description="Send it as `after` to get the next page; null on the last one.", examples=["12873"]
    )


class TournamentForeseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(examples=[["The field is closed with 24 entrants, numbered 1 to 24."]])
    lost: list[str] = Field(description="What could not be done any more.", examples=[["Entries can be withdrawn."]])


class StartBlocker(BaseModel):
    kind: str = Field(
        description="`wrong-status`, `not-checked-in`, `too-few-entrants`, `too-many-entrants` or `no-seeding`.",
        examples=["not-checked-in"],
    )
    sentence: str = Field(
        description="What is missing, and what to do.",
        examples=["3 entrants have not checked in: check them in, withdraw them or strike them off."],
    )
    entrants: list[str] = Field(description="Whom it is about, where it is about somebody.", examples=[[ENTRANT]])


class StartCheck(BaseModel):
    ready: bool = Field(description="Whether nothing stands in the way of the start.", examples=[False])
    blockers: list[StartBlocker] = Field(description="What does.")


# Entrants


class WhoEnters(BaseModel):
    """Somebody who is known, by an id; or somebody new, by a name."""

    id: str | None = Field(default=None, pattern=ID, examples=[PERSON])
    name: str | None = Field(
        default=None, min_length=1, max_length=LONGEST_NAME, description="Of somebody new, who is then registered."
        " Kept where it can be erased, and never in the log.", examples=["Mária Nováková"]
    )


class Entry(BaseModel):
    person: Annotated[WhoEnters, BeforeValidator(as_whole, json_schema_input_type=WhoEnters | OnePerson)] = Field(
        description="The id of a person, or `{\"name\": …}` of somebody new.", examples=[{"name": "Mária Nováková"}]
    )
    rating: int | None = RATING
    key: int | None = KEY
    lists: tuple[str, ...] = LISTS


class EntryToMake(Entry):
    decision: Decision | None = Field(
        default=None,
        description="Why the organiser takes an entry that comes after they have closed.",
        examples=["excused"],
    )


class EntriesToMake(BaseModel):
    entrants: list[Entry] = Field(
        min_length=1, max_length=MOST_ENTRIES, description="All of them come in, or nobody does."
    )
    decision: Decision | None = Field(
        default=None, description="Why the organiser takes them after entries have closed.", examples=["other"]
    )


class LateEntry(Entry):
    from_round: int = Field(ge=1, le=MOST_ROUND, description="The first round that they play.", examples=[2])
    decision: Decision = Field(description="Why the organiser takes them.", examples=["even-number"])


class Correction(BaseModel):
    """All that is to be said of the entrant from now on."""

    rating: int | None = RATING
    key: int | None = KEY
    lists: tuple[str, ...] = LISTS


class WhoIsThere(BaseModel):
    entrants: list[Annotated[str, Field(pattern=ID)]] | None = Field(
        default=None,
        max_length=MOST_ENTRIES,
        description="Who is there; null: everybody who has entered.",
        examples=[[ENTRANT]],
    )


class Attendance(BaseModel):
    checked_in: int = Field(description="How many are there.", examples=[22])
    awaited: list[str] = Field(description="The entrants who have not checked in.", examples=[[ENTRANT]])


class Withdrawal(BaseModel):
    after_round: int | None = Field(
        default=None,
        ge=0,
        le=MOST_ROUND,
        description="Once the tournament runs: the last round that they play; 0 is before the first.",
        examples=[None],
    )
    stage: str | None = STAGE


class Expulsion(BaseModel):
    after_round: int = Field(ge=0, le=MOST_ROUND, description="The last round that they played.", examples=[3])
    stage: str | None = STAGE


class ComingBack(BaseModel):
    why: Returning = Field(
        default=Returning.RETURN,
        description="`return` only where the rules let somebody come back; `mistake` and `appeal` undo it anywhere.",
        examples=["mistake"],
    )


class RoundOff(BaseModel):
    round: int = Field(ge=1, le=MOST_ROUND, examples=[3])
    points: Exact | None = Field(
        default=None, description="Of a bye that was requested and granted; otherwise they simply are not there."
    )
    stage: str | None = STAGE


class RoundOn(BaseModel):
    round: int = Field(ge=1, le=MOST_ROUND, examples=[3])
    stage: str | None = STAGE


class Absence(BaseModel):
    stage: str = Field(examples=["swiss"])
    round: int = Field(examples=[3])
    points: float | int | None = Field(description="Of a requested bye.", examples=[0.5])


class Departure(BaseModel):
    stage: str = Field(examples=["swiss"])
    after_round: int = Field(examples=[3])
    why: Leaving


class Entrant(BaseModel):
    id: str = Field(examples=[ENTRANT])
    tournament: str = Field(examples=[TOURNAMENT])
    persons: list[PersonListed] = Field(description="Who plays.")
    status: Standing
    number: int | None = Field(description="The start number, from the start on: 1 is the best seed.", examples=[7])
    rating: int | None = Field(examples=[1700])
    lists: list[str] = Field(examples=[[]])
    from_round: int = Field(description="The first round that they play.", examples=[1])
    absences: list[Absence] = Field(description="Rounds that they do not play.")
    left: Departure | None = Field(description="Where they have left, after which round and why.")


class EntrantInFull(Entrant):
    allowed_actions: list[Action] = ALLOWED


class EntrantPage(BaseModel):
    items: list[Entrant] = Field(description="In the order that was asked for.")
    next: str | None = Field(
        description="Send it as `after` to get the next page; null on the last one.", examples=[ENTRANT]
    )


class Imported(BaseModel):
    entrants: list[Entrant] = Field(description="In the order in which they were sent.")


# Families and close persons


class ClosePair(BaseModel):
    persons: tuple[OnePerson, OnePerson] = Field(
        description="In any order.", examples=[[PERSON, OTHER_PERSON]]
    )


class ClosePairs(BaseModel):
    pairs: list[ClosePair] = Field(description="Each once, in the order of their ids.")
