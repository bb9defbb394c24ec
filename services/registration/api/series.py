"""A series: whether the places of those who go on through its tournaments add up."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from msgspec.structs import asdict
from pydantic import BaseModel, Field

from services.registration.api.bodies import TOURNAMENT
from services.registration.api.homes import HOME
from services.registration.api.parameters import FederationId
from services.registration.api.permissions import CHECK_ADVANCING
from services.registration.domain.advancing import DividedPlaces, divided, level_of
from services.registration.projection import Tournaments
from services.registration.streams import TournamentHandler, announced
from shared.http.authorization import Door
from shared.http.lazy_route import Router
from shared.http.responses import FOUND, read

type SeriesName = Annotated[
    str,
    Path(
        description="As tournaments name it.",
        pattern=r"^[0-9a-z-]{1,40}$",
        examples=["pisqworky-2025"],
    ),
]


class LevelShown(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    name: str = Field(examples=["Area tournament Brno"])
    region: str | None = Field(description="Where it is held.", examples=[HOME])
    entrants: int = Field(description="Who takes part, or is to.", examples=[12])


class ShareShown(LevelShown):
    advance: int | None = Field(description="How many go on, as it has announced; null: not yet.", examples=[3])
    proposed: int | None = Field(
        description="In proportion to the entrants of all that lead there; null where places are not limited or "
        "nobody has entered.",
        examples=[3],
    )


class NextLevelShown(LevelShown):
    places: int | None = Field(description="Its field; null: as many as come.", examples=[16])
    announced: int = Field(description="How many come by what is announced so far.", examples=[14])
    missing: int = Field(description="How many are, once all have announced.", examples=[2])
    too_many: int = Field(
        description="How many are, also while some have still to announce at least one.", examples=[0]
    )
    shares: list[ShareShown] = Field(description="The tournaments that lead there.")
    faults: list[str] = Field(
        description="What is missing or too much, and what to do.",
        examples=[["14 go on to Regional tournament South, which has 16 places (PQ.REG-24): 2 are missing."]],
    )


class AdvancingChecked(BaseModel):
    series: str = Field(examples=["pisqworky-2025"])
    adds_up: bool = Field(description="Whether nothing is missing or too much.", examples=[False])
    next_levels: list[NextLevelShown] = Field(description="Each tournament that others lead to.")
    faults: list[str] = Field(
        description="Of tournaments that lead nowhere.",
        examples=[["Area tournament Opava leads nowhere (PQ.REG-24): name its next level."]],
    )


def routes(*, tournaments: TournamentHandler, views: Tournaments, door: Door) -> APIRouter:
    router = Router(prefix="/v1/federations/{federation_id}/series", tags=["levels"])

    @router.get(
        "/{series}/advancing",
        summary="Whether the places of those who go on add up",
        description="For each next level of the series how many come from which tournament, its field, what is "
        "missing or too much, and a proposal. Nothing waits for it.",
        operation_id="checkAdvancing",
        response_model=AdvancingChecked,
        responses=FOUND,
        dependencies=[Depends(door.reads(CHECK_ADVANCING))],
    )
    async def check(federation_id: FederationId, series: SeriesName) -> Response:
        rows = await views.of_series(federation_id, series)
        levels = [level_of(await announced(tournaments, row.id)) for row in rows]
        return read(advancing_view(series, divided(levels)), 0)

    return router


def advancing_view(series: str, division: DividedPlaces) -> AdvancingChecked:
    return AdvancingChecked(
        series=series,
        adds_up=division.adds_up,
        next_levels=[
            NextLevelShown(
                **asdict(field.level),
                announced=field.announced,
                missing=field.missing,
                too_many=field.too_many,
                shares=[ShareShown(**asdict(one.level), proposed=one.proposed) for one in field.shares],
                faults=list(field.faults),
            )
            for field in division.fields
        ],
        faults=list(division.faults),
    )
