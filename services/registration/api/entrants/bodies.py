"""Bodies about entrants: who takes part, and what becomes of them."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from services.registration.api.bodies import ENTRANT, ID, OTHER_PERSON, PERSON, TOURNAMENT, OnePlayer, Reason, next_page
from services.registration.api.permissions import ENTRANT_ACTIONS
from services.registration.api.persons.bodies import PersonListed
from services.registration.domain.tournament.entrants import Leaving
from services.registration.domain.tournament.presence import Returning
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed
from shared.rulesets.parts import Exact, Slug

MOST_RATING = 10_000
MOST_ENTRIES = 1_000
MOST_LISTS = 20
MOST_ROUND = 1_000
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
    description="Decides between equal ratings, the smaller first, before the order of entry. Where the rules seed by "
    "tiers: the place in the tournament before; by lot: in a draw that people made.",
    examples=[12],
)
LISTS = Field(default=(), max_length=MOST_LISTS, description="Of the ruleset, by their ids.", examples=[[]])
STAGE = Field(
    default=None,
    max_length=64,
    description="Not needed where there is one, or where no round is named: then it is the one that is played.",
    examples=["swiss"],
)
REASON = Field(default=None, description="Why, for the history of the entry.", examples=[None])


type EntrantStatus = Literal["entered", "waiting", "checked-in", "withdrawn", "struck-off", "playing", "left"]


# What is sent


class Correction(RequestBody):
    """All that is to be said of the entrant from now on."""

    rating: int | None = RATING
    key: int | None = KEY
    lists: tuple[Slug, ...] = LISTS


class WhoIsThere(RequestBody):
    entrants: list[Annotated[str, Field(pattern=ID, json_schema_extra=id_of("entrant"))]] | None = Field(
        default=None,
        max_length=MOST_ENTRIES,
        description="Who is there; null: everybody who has entered.",
        examples=[[ENTRANT]],
    )


class Withdrawal(RequestBody):
    after_round: int | None = Field(
        default=None,
        ge=0,
        le=MOST_ROUND,
        description="Once the tournament runs: the last round that they play; 0 is before the first. Otherwise the last one that "
        "is published.",
        examples=[None],
    )
    stage: str | None = STAGE
    reason: Reason | None = REASON


class StrikingOff(RequestBody):
    reason: Reason | None = REASON


class EntrantExpulsion(RequestBody):
    after_round: int | None = Field(
        default=None,
        ge=0,
        le=MOST_ROUND,
        description="The last round that they played; otherwise the last one that is published.",
        examples=[3],
    )
    stage: str | None = STAGE
    reason: Reason = Field(examples=[{"code": "unsporting", "clause": "SK.RES-6"}])


class ComingBack(RequestBody):
    why: Returning = Field(
        default=Returning.RETURN,
        description="`return` only where the rules let somebody come back; `mistake` and `appeal` undo it anywhere.",
        examples=["mistake"],
    )
    reason: Reason | None = REASON


ROUND = Field(default=None, ge=1, le=MOST_ROUND, description="Otherwise the next to be published.", examples=[3])


class RoundOff(RequestBody):
    round: int | None = ROUND
    points: Exact | None = Field(
        default=None, description="Of a bye that was requested and granted; otherwise they simply are not there."
    )
    stage: str | None = STAGE


class RoundOn(RequestBody):
    round: int | None = ROUND
    stage: str | None = STAGE


class ClosePair(RequestBody):
    persons: tuple[OnePlayer, OnePlayer] = Field(description="In any order.", examples=[[PERSON, OTHER_PERSON]])


# What is answered


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
    name: str | None = Field(description="Of a team or pair that has one.", examples=[None])
    persons: list[PersonListed] = Field(description="Who plays.")
    substitutes: list[PersonListed] = Field(description="Of a team, who could come in instead.")
    captain: str | None = Field(description="Which person is the captain of the team.", examples=[None])
    school: str | None = Field(examples=[None])
    status: EntrantStatus
    number: int | None = Field(description="The start number, from the start on: 1 is the best seed.", examples=[7])
    rating: int | None = Field(examples=[1700])
    rating_from: Literal["entry", "list", "rules"] | None = Field(
        description="Whether the entry said it, the list that the rules seed by, or the rules for whoever is new. "
        "Null: none yet; from the list it comes with the start.",
        examples=["list"],
    )
    lists: list[str] = Field(examples=[[]])
    payment: Literal["confirmed", "open"] | None = Field(
        description="Whether their fee is paid or waived, for everybody to see. Null: the rules do not have it shown, "
        "there is no fee, they are gone again, or it is not held.",
        examples=["confirmed"],
    )
    from_round: int = Field(description="The first round that they play.", examples=[1])
    absences: list[Absence] = Field(description="Rounds that they do not play.")
    left: Departure | None = Field(description="Where they have left, after which round and why.")


class EntrantInFull(Entrant):
    allowed_actions: Actions = allowed(*ENTRANT_ACTIONS)


class EntrantPage(BaseModel):
    items: list[Entrant] = Field(description="In the order that was asked for.")
    next: str | None = next_page(ENTRANT)


class Attendance(BaseModel):
    checked_in: int = Field(description="How many are there.", examples=[22])
    awaited: list[str] = Field(description="The entrants who have not checked in.", examples=[[ENTRANT]])


class ClosePairs(BaseModel):
    pairs: list[ClosePair] = Field(description="Each once, in the order of their ids.")
