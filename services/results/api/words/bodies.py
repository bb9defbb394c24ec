"""What requests and answers about words and their lists look like."""

from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import BaseModel, Field

from services.results.api.parameters import IDS, TOURNAMENT
from shared.access.references import id_of
from shared.http.bodies import RequestBody
from shared.rulesets.parts import Date

EDITION = r"^[0-9A-Za-z_-]{1,64}\.(B[2-7]|dictionary)\.[0-9A-Za-z_-]{1,32}$"
SAMPLE = "019aa4c2-0b1f-7c52-9d3a-6b1e5f7a2c41.B2.09"
MOST_EDITIONS, MOST_WORDS = 16, 500

type Edition = Annotated[str, Field(pattern=EDITION, json_schema_extra=id_of("edition"), examples=[SAMPLE])]


class ToTake(RequestBody):
    name: Literal["B2", "B3", "B4", "B5", "B6", "B7", "dictionary"] = Field(examples=["B2"])
    edition: str = Field(pattern=r"^[0-9A-Za-z_-]{1,32}$", examples=["09"])
    dated: Date = Field(description="The day of the edition.", examples=["2022-10-17"])
    declared: int | None = Field(
        default=None,
        ge=1,
        description="How many words it says that it has. Needed for all but a dictionary.",
        examples=[3],
    )
    words: str | list[str] = Field(
        description="One after the other, or as they are printed: apart by spaces, lines or commas.",
        examples=["oč ok pé"],
    )
    foreign: str = Field(default="", max_length=8, description="Which of Ö Ü Ě Ř this edition has.", examples=[""])
    complete: bool = Field(
        default=False,
        description="Whether a dictionary answers for every word: then what it lacks is invalid.",
        examples=[False],
    )
    override: str | None = Field(
        default=None,
        min_length=1,
        max_length=2000,
        description="Why it is taken in spite of its faults.",
        examples=[None],
    )


class EditionShown(BaseModel):
    id: str = Field(examples=[SAMPLE])
    name: str = Field(examples=["B2"])
    edition: str = Field(examples=["09"])
    dated: str = Field(examples=["2022-10-17"])
    words: int = Field(examples=[103])
    complete: bool = Field(examples=[False])
    faults: int = Field(description="In spite of which it was taken, for a reason.", examples=[0])
    content: str = Field(description="The SHA-256 of its words.", examples=["9f86d081884c7d659a2feaa0c55ad015"])


class EditionsShown(BaseModel):
    editions: list[EditionShown] = Field(description="In the order in which they were taken.")


class ToBind(RequestBody):
    editions: list[Edition] = Field(max_length=MOST_EDITIONS, description="One of each list.")


class BoundShown(BaseModel):
    editions: dict[str, str] = Field(description="By the name of the list.", examples=[{"B2": SAMPLE}])


class WordShown(BaseModel):
    word: str = Field(description="As it lies on the board.", examples=["OK"])
    verdict: Literal["valid", "invalid", "referee"] = Field(
        description="`referee`: only a person with the dictionaries can tell.", examples=["valid"]
    )
    rule: str = Field(examples=["SK.X-5"])
    clause: str = Field(examples=["10.1.3"])
    explanation: str = Field(examples=["Of 2 tiles only B2 decides, and it is there."])
    source: str | None = Field(
        description="What decided, where that is a list.", examples=["B2, edition 09 of 2022-10-17"]
    )
    may_be_verified: bool = Field(
        description="Whether a player may have the referee look it up, whose ruling then goes before this: from six "
        "tiles on.",
        examples=[False],
    )


class ToCheck(RequestBody):
    words: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(max_length=MOST_WORDS, examples=[["ok"]])
    editions: list[Edition] = Field(default_factory=list, max_length=MOST_EDITIONS)
    tournament: str | None = Field(
        default=None,
        pattern=IDS,
        json_schema_extra=id_of("tournament"),
        description="Instead of editions: those that it plays by.",
        examples=[None],
    )


class WordsShown(BaseModel):
    words: list[WordShown]


type FederationId = Annotated[
    str,
    Path(
        description="Of the federation.",
        pattern=IDS,
        json_schema_extra=id_of("federation"),
        examples=[TOURNAMENT],
    ),
]


type AskedEditions = Annotated[
    list[Edition] | None,
    Query(alias="edition", description="Editions that count, one of each list.", max_length=MOST_EDITIONS),
]


type WordsOfTournament = Annotated[
    str | None,
    Query(
        pattern=IDS,
        json_schema_extra=id_of("tournament"),
        description="Instead of editions: those that it plays by.",
        examples=[TOURNAMENT],
    ),
]
