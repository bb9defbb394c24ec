"""What is sent and answered about seasons."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from services.standings.api.bodies import TOURNAMENT
from services.standings.api.parameters import ID
from services.standings.api.permissions import SEASON_ACTIONS
from services.standings.calculate.bodies import Number
from services.standings.seasons.calculate import SlotShown
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.http.responses import Actions, allowed

SEASON = "019aa4c2-c001-7d18-8c2b-40e5d6a71c01"
FEDERATION = "019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"
OTHER = "019aa4c2-a0c4-7d18-8c2b-40e5d6a71b93"
PERSON = "019aa4c2-9f31-7d18-8c2b-40e5d6a71b92"

type CutReason = Literal["agreement", "deciding-game", "council", "other"]
STATUS = Field(description="`closed`: its tables were told as final.", examples=["open"])


class PersonOfSeason(BaseModel):
    person: str = Field(examples=[PERSON])
    name: str | None = Field(description="Null where none is known, or was erased.", examples=["Zuzana Kováčová"])


class CupRow(PersonOfSeason):
    place: int = Field(description="Equal sums share it.", examples=[1])
    points: Number = Field(examples=[304])
    slots: list[SlotShown] = Field(description="The results that count.")


class QualificationRow(PersonOfSeason):
    place: int = Field(examples=[1])
    points: Number = Field(examples=[252])
    qualified: bool = Field(examples=[True])
    champion: bool = Field(description="Whether they are in as reigning champion.", examples=[False])


class EqualAtTheCut(BaseModel):
    """Equal at the cut, where the rules do not let all of them advance."""

    persons: list[str] = Field(examples=[[PERSON, OTHER]])
    places: int = Field(description="How many of them can go on.", examples=[1])
    needs: Literal["lot"] = Field(examples=["lot"])


class OutdatedQualification(BaseModel):
    """What has changed since it was published who has qualified. With nobody in either only places have, or somebody is
    equal at the cut now."""

    qualified: list[PersonOfSeason] = Field(description="Who qualifies now, and did not then.")
    lost: list[PersonOfSeason] = Field(description="Who qualified then, and does not now, nor waits for a decision.")


class TournamentOfSeason(BaseModel):
    """A tournament or contest of the season."""

    tournament: str = Field(
        description="The id of a tournament here, or what it was imported as.", examples=[TOURNAMENT]
    )
    name: str | None = Field(description="Null where it was held elsewhere.", examples=["Košice Cup"])
    kind: str = Field(examples=["live"])
    rating_list: str | None = Field(description="Which it moves.", examples=["live"])
    on: str = Field(examples=["2026-11-21"])
    status: Literal["running", "completed", "elsewhere"] = Field(
        description="Nothing counts of what still runs.", examples=["completed"]
    )
    settled: bool = Field(
        description="Whether no lot is still to be drawn: those who wait for one share a place and its points.",
        examples=[True],
    )
    field: int = Field(description="How many persons have a place.", examples=[24])


class SeasonTable(BaseModel):
    season: str = Field(examples=[SEASON])
    federation: str = Field(examples=[FEDERATION])
    name: str = Field(examples=["2022/2023"])
    rules: str = Field(description="The id of its rules, which registration shows.", examples=["scrabble-sk-2022"])
    status: Literal["open", "closed"] = STATUS
    corrected: bool = Field(
        description="Whether it adds up otherwise than was told as final, until the federation closes it once more.",
        examples=[False],
    )
    tournaments: list[TournamentOfSeason] = Field(description="In order of time.")
    cup: list[CupRow] = Field(description="Best first.")
    qualification: list[QualificationRow] = Field(description="In order; reserves are called in this order too.")
    reserves: list[PersonOfSeason] = Field(description="Who has not qualified, in order.")
    unresolved: list[EqualAtTheCut]
    decided: list[list[str]] = Field(
        description="Between whom a lot or a decision at the cut counts, best first: just these are equal without it.",
        examples=[[[PERSON, OTHER]]],
    )
    outdated: OutdatedQualification | None = Field(
        description="Null where who qualifies is as it was published, or nothing was.", examples=[None]
    )
    merged: dict[str, str] = Field(
        description="Ids of persons that lead to another one since they were merged.", examples=[{OTHER: PERSON}]
    )


class RatingRow(PersonOfSeason):
    list: str = Field(examples=["live"])
    before: Number = Field(description="At the beginning of the season.", examples=[1720])
    rating: Number = Field(description="Now, exactly to six digits; published are whole numbers.", examples=[1695.4])
    games: int = Field(description="Ever played for this list.", examples=[56])


class ListPublished(BaseModel):
    list: str = Field(description="As rulesets call it.", examples=["screlo"])
    on: str = Field(examples=["2026-12-01"])
    ratings: int = Field(description="Of how many.", examples=[230])


class RatingLists(BaseModel):
    season: str = Field(examples=[SEASON])
    items: list[ListPublished] = Field(description="All that were published, list by list, the newest first.")


class RatedShown(PersonOfSeason):
    place: int = Field(description="Equal ratings share it.", examples=[1])
    rating: int = Field(examples=[1695])
    games: int = Field(description="Ever played for this list.", examples=[56])


class RatingListShown(BaseModel):
    season: str = Field(examples=[SEASON])
    list: str = Field(examples=["screlo"])
    on: str = Field(description="The day on which it was published.", examples=["2026-12-01"])
    ratings: Sequence[RatedShown] = Field(description="The best first.")


class SeasonRatings(BaseModel):
    season: str = Field(examples=[SEASON])
    status: Literal["open", "closed"] = STATUS
    counted_to: str | None = Field(
        description="The day of the last tournament that is counted in.", examples=["2026-11-21"]
    )
    published: list[ListPublished] = Field(description="The lists that were published last.")
    ratings: list[RatingRow] = Field(description="List by list, the best first.")


# What the federation decides


class ContestShown(BaseModel):
    contest: str = Field(examples=["ps-1"])
    kind: str = Field(examples=["written"])
    on: str = Field(examples=["2026-10-01"])
    places: int = Field(description="How many persons have one.", examples=[30])
    games: int = Field(description="How many were brought in, which move ratings.", examples=[120])
    rating_list: str | None = Field(description="Which they move, where its kind can move several.", examples=[None])
    organisers: list[str] = Field(examples=[[PERSON]])


class Departure(BaseModel):
    tournament: str = Field(pattern=ID, json_schema_extra=id_of("tournament"), examples=[TOURNAMENT])
    person: str = Field(pattern=ID, json_schema_extra=id_of("person"), examples=[PERSON])


class CutShown(BaseModel):
    by: Literal["lot", "decision"] = Field(examples=["lot"])
    order: list[str] = Field(description="Persons who were equal at the cut, best first.", examples=[[PERSON]])
    reason: CutReason | None = Field(examples=[None])


class SeasonBook(BaseModel):
    season: str = Field(examples=[SEASON])
    status: Literal["open", "closed"] = STATUS
    closed_on: str | None = Field(examples=[None])
    champion: str | None = Field(description="The reigning one, who is qualified as such.", examples=[PERSON])
    first_ratings: int = Field(description="Of how many persons ratings were imported.", examples=[230])
    contests: list[ContestShown] = Field(description="What was held elsewhere.")
    serious_reasons: list[Departure] = Field(description="Who left early and keeps the points all the same.")
    field: int | None = Field(
        description="How many qualify, where another number than that of the rules was announced.", examples=[None]
    )
    cut: list[CutShown] = Field(description="Between whom a lot or the federation has decided.")
    qualification_on: str | None = Field(
        description="When it was published who has qualified.", examples=["2026-11-01"]
    )
    published: list[ListPublished] = Field(description="The newest of each list.")
    allowed_actions: Actions = allowed(*SEASON_ACTIONS)


class Champion(RequestBody):
    person: str | None = Field(
        pattern=ID,
        json_schema_extra=id_of("person"),
        description="Null: there is none, or another season began without one.",
        examples=[PERSON],
    )


class FieldToAnnounce(RequestBody):
    field: int | None = Field(ge=1, le=100_000, description="Null: as many as the rules say.", examples=[34])


class CutToDecide(RequestBody):
    order: list[Annotated[str, Field(pattern=ID, json_schema_extra=id_of("player"))]] = Field(
        min_length=2,
        max_length=1000,
        description="All who are equal at the cut, best first.",
        examples=[[PERSON, OTHER]],
    )
    reason: CutReason = Field(
        description="They agreed; a game decided; the council; or something else, which is kept elsewhere.",
        examples=["deciding-game"],
    )


class DepartureToJudge(RequestBody):
    tournament: str = Field(
        pattern=ID, json_schema_extra=id_of("origin"), description="One of the season.", examples=[TOURNAMENT]
    )
    person: str = Field(
        pattern=ID,
        json_schema_extra=id_of("player"),
        description="Who withdrew from it before the end.",
        examples=[PERSON],
    )
    serious: bool = Field(
        description="Whether they had a serious reason: then their place counts. False takes that back.",
        examples=[True],
    )
