"""What requests and answers about persons, tournaments and entrants look like."""

from datetime import date, datetime
from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel, Field

from services.registration.api.sent import Sent
from services.registration.domain.names import LONGEST_NAME
from services.registration.domain.tournament.states import TournamentStatus
from shared.access.references import id_of
from shared.http.responses import Action
from shared.rulesets.entry import ShownNames

ID = r"^[0-9A-Za-z-]{1,64}$"
FEDERATION = "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"
TOURNAMENT = "019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21"
ENTRANT = "019aa4c2-a3f7-7e02-b9c4-1f5d7a60e833"
PERSON = "019aa4c2-9f31-7d18-8c2b-40e5d6a71b92"
OTHER_PERSON = "019aa4c2-9f31-7d18-8c2b-40e5d6a71b93"

type PersonId = Annotated[
    str,
    Path(
        description="The id that registering answered.",
        pattern=ID,
        json_schema_extra=id_of("person"),
        examples=[PERSON],
    ),
]
type TournamentId = Annotated[
    str,
    Path(
        description="The id that announcing answered.",
        pattern=ID,
        json_schema_extra=id_of("tournament"),
        examples=[TOURNAMENT],
    ),
]
type EntrantId = Annotated[
    str,
    Path(
        description="The id that entering answered.", pattern=ID, json_schema_extra=id_of("entrant"), examples=[ENTRANT]
    ),
]

type AfterPosition = Annotated[
    int, Query(ge=0, le=2**62, description="The `next` of the page before.", examples=[12873])
]
type OnePlayer = Annotated[str, Field(pattern=ID, json_schema_extra=id_of("player"), examples=[PERSON])]
type OnePerson = Annotated[str, Field(pattern=ID, json_schema_extra=id_of("person"), examples=[PERSON])]


ALLOWED = Field(description="What the caller may do with it now, and why not.")


def in_reach(moment: date) -> date:
    if not EARLIEST <= moment.year <= LATEST:
        raise ValueError(f"should be in one of the years {EARLIEST} to {LATEST}")
    return moment


EARLIEST, LATEST = 1970, 2199
FEDERATION_ID = Field(
    pattern=ID,
    json_schema_extra=id_of("federation"),
    description="The federation that it belongs to.",
    examples=[FEDERATION],
)
PERSON_NAME = Field(
    min_length=1,
    max_length=LONGEST_NAME,
    description="As it is shown. It is kept where it can be erased, and never in the log.",
    examples=["Mária Nováková"],
)
SHOWN_NAME = Field(description="As it is shown; null when it was erased.", examples=["Mária Nováková"])


class Foreseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(examples=[["d0f3c1 is no longer director."]])
    lost: list[str] = Field(description="What could not be done any more.", examples=[["d0f3c1: renameFederation"]])


# Persons


class PersonToRegister(Sent):
    federation: str = FEDERATION_ID
    name: str = PERSON_NAME


class PersonName(Sent):
    name: str = PERSON_NAME


class PersonListed(BaseModel):
    id: str = Field(examples=[PERSON])
    name: str | None = SHOWN_NAME


class Person(PersonListed):
    federation: str = Field(examples=[FEDERATION])
    duplicates: list[str] = Field(
        description="Ids that were registered for the same person and lead here since.", examples=[[]]
    )
    erased: bool = Field(description="Whether nothing is known of them any more.", examples=[False])
    allowed_actions: list[Action] = ALLOWED


class PersonPage(BaseModel):
    items: list[PersonListed] = Field(description="In the order in which they were registered.")
    next: str | None = Field(
        description="Send it as `after` to get the next page; null on the last one.", examples=["12873"]
    )


# Tournaments


class StartWith(Sent):
    decision: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9-]{1,64}$",
        description="Why it starts with another number of entrants than the rules want: a code.",
        examples=[None],
    )


class Delay(Sent):
    minutes: int = Field(ge=0, le=24 * 60, description="From the time that was announced.", examples=[30])


class Advance(Sent):
    advance: int = Field(ge=1, le=1000, description="So many go on.", examples=[4])


SHOWN_NAMES = Field(
    description="What those who hold no office here see of persons: their full names, the first name with an initial, or "
    "start numbers only.",
    examples=["first-name-and-initial"],
)


class ShownNamesToDecide(Sent):
    shown_names: ShownNames = SHOWN_NAMES


class DutyShown(BaseModel):
    what: str = Field(examples=["tournament-form"])
    sentence: str = Field(examples=["The tournament form goes out 3 weeks ahead."])
    until: date | None = Field(description="The last day for it, where it has one.", examples=["2026-10-31"])
    clause: str | None = Field(description="Of docs/rules.", examples=["SK.REG-9"])


class Tournament(BaseModel):
    id: str = Field(examples=[TOURNAMENT])
    federation: str = Field(examples=[FEDERATION])
    name: str = Field(examples=["Košice Cup"])
    status: TournamentStatus
    ruleset: str = Field(description="Its id.", examples=["scrabble-sk-2022-qt"])
    options: dict[str, Any] = Field(description="What this tournament changes in it.", examples=[{"pairing.rounds": 6}])
    time_zone: str = Field(examples=["Europe/Bratislava"])
    starts_on: str = Field(examples=["2026-11-21"])
    first_round: str = Field(description="As it was announced, there.", examples=["09:00"])
    first_round_at: datetime = Field(
        description="When it is planned to begin by now.", examples=["2026-11-21T09:30:00+01:00"]
    )
    entries_close: datetime | None = Field(
        description="From then on an entry takes a decision.", examples=["2026-11-19T23:00:00Z"]
    )
    series: str | None = Field(examples=[None])
    region: str | None = Field(examples=[None])
    host: str | None = Field(examples=[None])
    hall: str | None = Field(examples=[None])
    advance: int | None = Field(
        description="How many go on to another tournament or stage, where that is announced; null: not yet, or the "
        "rules say it.",
        examples=[4],
    )
    next_level: str | None = Field(description="The tournament that its best go on to.", examples=[None])
    otherwise: str | None = Field(description="The one of those who get no place there.", examples=[None])
    competition: str | None = Field(description="What it is in the calendar of the rules.", examples=["live"])
    variant: str | None = Field(examples=["classic"])
    season: str | None = Field(description="In which it counts.", examples=[None])
    season_kind: str | None = Field(description="As what.", examples=[None])
    rating_list: str | None = Field(description="Of the season, which it moves.", examples=[None])
    organisers: list[str] = Field(description="Persons, where a season asks for them.", examples=[[]])
    shown_names: ShownNames = SHOWN_NAMES
    channels: list[str] = Field(description="The official ones of a tournament online.", examples=[[]])
    duties: list[DutyShown] = Field(description="What the rules ask of the organiser, where that has a number.")
    places: int | None = Field(description="How many there are; null: as many as come.", examples=[32])
    waiting: int = Field(description="How many wait for one.", examples=[0])
    entrants: int = Field(description="Who takes part, or is to.", examples=[24])
    checked_in: int = Field(description="How many of them are there; all of them once it runs.", examples=[22])
    allowed_actions: list[Action] = ALLOWED


class TournamentListed(BaseModel):
    id: str = Field(examples=[TOURNAMENT])
    federation: str = Field(examples=[FEDERATION])
    name: str = Field(examples=["Košice Cup"])
    status: TournamentStatus
    ruleset: str = Field(examples=["scrabble-sk-2022-qt"])
    starts_on: str = Field(examples=["2026-11-21"])
    competition: str | None = Field(description="What it is in the calendar.", examples=["live"])
    variant: str | None = Field(examples=["classic"])
    series: str | None = Field(description="In which a person is in one team only.", examples=[None])
    season: str | None = Field(description="In which it counts.", examples=[None])


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
        description="`wrong-status`, `too-few-entrants`, `too-many-entrants`, `no-groups`, `no-seeding`, `no-advance`, `no-director`, or what an entry lacks; `entries` stands for that where it is not shown.",
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
