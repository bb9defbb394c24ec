"""What is sent about rounds, and how they are answered."""

from datetime import datetime
from typing import Annotated, Literal, Self

from fastapi import Path
from pydantic import AwareDatetime, BaseModel, Field, model_validator

from services.pairing.api.bodies import (
    ENTRANT,
    ID,
    MOST_TABLES,
    EntrantId,
    Player,
    PlayerWithPoints,
    Points,
    ReasonGiven,
)
from services.pairing.api.permissions import NEXT_ACTIONS, ROUND_ACTIONS
from services.pairing.domain.next_round import Kind
from services.pairing.domain.round_sheet import Act, ReasonCode
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed

type RoundStatus = Literal["unpaired", "draft", "confirmed", "published", "completed"]
type PairStatus = Literal["pending", "started", "final", "voided"]
type RoundNumber = Annotated[
    int, Path(alias="round", ge=1, le=1_000, description="The number of the round.", examples=[3])
]


class Confirmation(RequestBody):
    reason: ReasonGiven | None = Field(default=None, description="Needed when facts have changed since the draft.")


class Publication(RequestBody):
    starts_at: AwareDatetime | None = Field(
        default=None,
        description="When the round is to start; otherwise it starts when it is published.",
        examples=["2026-03-14T10:30:00Z"],
    )
    reason: ReasonGiven | None = Field(default=None, description="Needed when something speaks against it.")


class Recall(RequestBody):
    reason: ReasonGiven


class TableToSeat(RequestBody):
    table: int = Field(ge=1, le=MOST_TABLES, examples=[1])
    seats: list[EntrantId] = Field(min_length=2, max_length=4, examples=[["A", "D"]])
    first: str | None = Field(
        default=None, json_schema_extra=id_of("entrant"), description="Who starts, or is named first.", examples=["A"]
    )
    option: str | None = Field(
        default=None, json_schema_extra=id_of("entrant"), description="Who may choose instead.", examples=[None]
    )


class PairToPlay(TableToSeat):
    group: str | None = Field(default=None, max_length=64, examples=[None])
    match: str | None = Field(default=None, max_length=64, examples=[None])
    number: int | None = Field(default=None, ge=1, le=100, description="Of the game in its match.", examples=[None])


class NewSheet(RequestBody):
    """The whole sheet. Whoever is missing or rests on request stays as drafted. Where neither `first` nor `option` of a table is
    sent, whoever sits down where somebody begins or may choose does so instead; at a table of a new number whoever is named first."""

    pairs: list[PairToPlay] = Field(max_length=MOST_TABLES)
    byes: list[EntrantId] = Field(default=[], max_length=MOST_TABLES, examples=[["G"]])
    reason: ReasonGiven | None = Field(default=None, description="Needed when it breaks a rule that binds.")


class WhoIsMeant(RequestBody):
    """Somebody on the sheet of a round, by one thing that is known of them."""

    number: int | None = Field(default=None, ge=1, description="The start number.", examples=[12])
    name: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="Without regard to accents and capitals; a part will do where only one is called so.",
        examples=[None],
    )
    table: int | None = Field(
        default=None, ge=1, le=MOST_TABLES, description="Whoever sits there, together with `seat`.", examples=[None]
    )
    seat: int | None = Field(default=None, ge=1, le=4, description="1 is the first seat of the table.", examples=[None])
    entrant: str | None = Field(default=None, pattern=ID, json_schema_extra=id_of("entrant"), examples=[None])

    @model_validator(mode="after")
    def is_one(self) -> Self:
        given = [one for one in (self.number, self.name, self.table, self.entrant) if one is not None]
        if len(given) != 1 or (self.table is None) != (self.seat is None):
            raise ValueError("should name one thing: a number, a name, a table with a seat, or an entrant")
        return self


class SeatSwap(RequestBody):
    """Two who change places."""

    swap: list[WhoIsMeant] = Field(min_length=2, max_length=2, examples=[[{"number": 12}, {"number": 7}]])
    reason: ReasonGiven | None = Field(
        default=None, description="Needed once the round is published, and where it breaks a rule that binds."
    )


class TableMove(RequestBody):
    """The game that is there comes to their table."""

    who: WhoIsMeant = Field(description="Somebody who plays it.", examples=[{"number": 12}])
    to_table: int = Field(ge=1, le=MOST_TABLES, examples=[1])
    reason: ReasonGiven | None = Field(
        default=None, description="Needed once the round is published, and where it breaks a rule that binds."
    )


class TableToRepair(TableToSeat):
    """As it is to be. It keeps its score sheet, its group and its match. Where neither `first` nor `option` is sent, whoever sits
    down where somebody begins or may choose does so instead."""


class Repair(RequestBody):
    tables: list[TableToRepair] = Field(
        min_length=1, max_length=MOST_TABLES, description="Only those that are to change."
    )
    byes: list[EntrantId] | None = Field(
        default=None, max_length=MOST_TABLES, description="All of the round; as they are where it is not said."
    )
    reason: ReasonGiven


class ResultHeard(BaseModel):
    """The result of a game, as results has told it."""

    scores: list[Points] = Field(description="Seat by seat.", examples=[[421, 377]])
    points: list[Points] = Field(description="Seat by seat.", examples=[[1, 0]])
    end: str = Field(description="How the game ended; `played` where nothing else is said.", examples=["played"])
    corrected: bool = Field(
        description="Whether another result stood before; `…/changes` of standings says what that has moved.",
        examples=[False],
    )


class Pair(BaseModel):
    game: str | None = Field(
        description="The id of the score sheet, from publication on.",
        examples=["019aa4d1-0b3c-7e55-8a10-6f7e8d9c0b01"],
    )
    table: int = Field(examples=[1])
    room: str | None = Field(description="Where it stands, if rooms were named.", examples=["Library"])
    label: str | None = Field(description="What stands on it there.", examples=["L1"])
    status: PairStatus = Field(
        description="As far as it was heard here; the rest results says.",
        examples=["final"],
    )
    seats: list[Player]
    result: ResultHeard | None = Field(description="Null as long as it has none.")
    first: str | None = Field(description="The entrant who starts, or is named first.", examples=[ENTRANT.examples[0]])
    option: str | None = Field(description="The entrant who may choose instead.", examples=[None])
    group: str | None = Field(examples=[None])
    match: str | None = Field(examples=[None])
    number: int | None = Field(description="Of the game in its match.", examples=[None])


class RoundListed(BaseModel):
    round: int = Field(examples=[3])
    status: RoundStatus = Field(examples=["published"])
    games: int = Field(examples=[12])
    without_result: int = Field(description="How many of them have no result yet.", examples=[2])
    starts_at: datetime | None = Field(description="Null where it starts when it is published.")
    repaired_at: datetime | None = Field(description="When tables were changed after it was published.")
    ends_at: datetime | None = Field(
        description="When the last game has ended at the latest, by the clocks and limits of the rules. Null where they say "
        "nothing of it, and once all results are there."
    )


class RoundList(BaseModel):
    rounds: list[RoundListed] = Field(description="In order. A draft is shown to officials only.")
    of: int | None = Field(description="How many there will be, where the rules fix a number.", examples=[7])


class AskedInVain(BaseModel):
    """A recall or a repair that did not happen."""

    what: Literal["recall", "repair"] = Field(examples=["recall"])
    game: str = Field(description="That had begun.", examples=["019aa4d1-0b3c-7e55-8a10-6f7e8d9c0b01"])
    reason: str = Field(
        description="Why not.", examples=["The game at table 3 has begun, so what is published stands."]
    )


class Round(BaseModel):
    tournament: str = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    tournament_name: str = Field(examples=["Bratislava Open"])
    stage: str = Field(examples=["swiss"])
    title: str = Field(description="What the stage is called.", examples=["Swiss"])
    round: int = Field(examples=[3])
    of: int | None = Field(description="How many there will be, where the rules fix a number.", examples=[7])
    time_zone: str = Field(description="In which people there read `starts_at`.", examples=["Europe/Bratislava"])
    status: RoundStatus = Field(examples=["published"])
    pairs: list[Pair] = Field(description="Table by table.")
    byes: list[Player] = Field(description="Who has nobody to play; scored as the ruleset scores a bye.")
    requested_byes: list[PlayerWithPoints] = Field(description="Who has taken the round off in advance.")
    missing: list[Player] = Field(description="Who is not there.")
    starts_at: datetime | None = Field(description="Null where it starts when it is published.")
    rested_at: datetime | None = Field(
        default=None,
        description="Of a round that is not published yet: when the players have had the rest that the rules give them "
        "after the last result of the round before. To start it earlier takes a reason.",
        examples=[None],
    )
    rests_on: str = Field(
        description="How far each service was known when it was paired.", examples=["reg120.pai31.res88.sta7"]
    )
    recall_asked: bool = Field(description="Whether a recall is asked that results has not answered yet.")
    repair_asked: bool = Field(description="Whether a repair is asked that results has not answered yet.")
    refused: AskedInVain | None = Field(
        description="What was asked last, where results has said no; null once something else is asked.",
        examples=[None],
    )
    allowed_actions: Actions = allowed(*ROUND_ACTIONS)


class Decision(BaseModel):
    """What spoke against an act, and why it was done all the same."""

    act: Act = Field(examples=["publish"])
    doubts: list[str] = Field(examples=[["The last result of round 2 came less than 5 minutes before this start."]])
    reason: ReasonCode | None = Field(examples=["announcement"])
    words: str | None = Field(
        description="Null where there are none, or they were erased.",
        examples=["The break was shortened in the announcement."],
    )


class PairExplained(BaseModel):
    table: int = Field(examples=[1])
    seats: list[Player]
    why: list[str] = Field(examples=[["Both have 2 points and have not met."]])


class CostPart(BaseModel):
    counts: str = Field(examples=["repeated meetings"])
    cost: Points = Field(examples=[0])


class RoundExplained(BaseModel):
    method: str = Field(examples=["cost-swiss"])
    explanation: list[str] = Field(examples=[["24 entrants in 5 score groups."]])
    pairs: list[PairExplained] = Field(description="All of them, or that of the entrant who was asked for.")
    cost: list[CostPart] | None = Field(description="What was minimised, most important first.")
    proved: bool | None = Field(description="Whether nothing less costly exists.", examples=[True])
    rests_on: str = Field(examples=["reg120.pai31.res88.sta7"])
    changed_by_hand: bool = Field(examples=[False])
    decisions: list[Decision] = Field(description="Shown to officials only.")


class PairingCompared(BaseModel):
    would_meet: bool = Field(description="What was tried: that they meet, or that they do not.", examples=[True])
    sentence: str = Field(examples=["If they met, the floats would be 2 instead of 1."])
    pairs: list[PairExplained] | None = Field(description="The best pairing of that kind; null when there is none.")
    byes: list[Player]
    cost: list[CostPart] | None = Field(description="What it would cost, most important first.")
    difference: list[CostPart] | None = Field(description="What that is more than the best pairing costs, or less.")


class ObstacleShown(BaseModel):
    kind: Kind = Field(examples=["results-missing"])
    detail: str = Field(examples=["In round 2 table 4 has no result yet: the next round is paired when all are in."])
    tables: list[int] = Field(
        description="Tables of the first round with open games that have no result yet.", examples=[[4]]
    )


class NextRound(BaseModel):
    round: int | None = Field(description="Null when there is no further round.", examples=[3])
    of: int | None = Field(description="How many there will be, where the rules fix a number.", examples=[7])
    planned_for: datetime | None = Field(description="When it begins by the timetable of the rules, if they have one.")
    ready: bool = Field(description="Whether it can be paired now.", examples=[False])
    obstacles: list[ObstacleShown]
    allowed_actions: Actions = allowed(*NEXT_ACTIONS)
