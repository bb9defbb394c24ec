"""Seasons: a federation opens one, and its tournaments count in it by rules that stay as they are."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api.bodies import FEDERATION, NEXT, OTHERWISE, NextLevel, next_page
from services.registration.api.levels import LeadingOn, expectations
from services.registration.api.parameters import FederationId, id_in_path
from services.registration.api.permissions import OPEN_SEASON, SEASON_ACTIONS, season_actions
from services.registration.domain import seasons
from services.registration.domain.names import LONGEST_NAME
from services.registration.domain.seasons import LeadOn, OpenedSeason, OpenSeason, season_of
from services.registration.next_levels import Levels
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.commands.handler import Handler
from shared.faults import Faulty, InputFault
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.openapi import OwnFormat
from shared.http.orders import CHANGED, answered_before, run
from shared.http.responses import FOUND, PAGE, Actions, After, Limit, allowed, changed, items_after, page, read
from shared.ids import NewId
from shared.refusals import NotFound
from shared.rulesets import seasons as shipped
from shared.rulesets.season import Season

type SeasonsHandler = Handler[seasons.Seasons, seasons.Command, seasons.Event]

SEASON = "019aa4c2-c001-7d18-8c2b-40e5d6a71c01"


def whole() -> dict[str, Any]:
    return shipped.load("scrabble-sk-2022").model_dump(mode="json", exclude_unset=True)


FORMATS = (OwnFormat(model=Season, example=whole),)
NAME = Field(min_length=1, max_length=LONGEST_NAME, examples=["2022/2023"])

type SeasonId = Annotated[str, id_in_path("season", "The id that opening answered.", SEASON)]


class SeasonToOpen(RequestBody):
    name: str = NAME
    rules: Annotated[str, Field(max_length=64)] | dict[str, Any] = Field(
        description="The id of rules that come with Roundlog, or whole rules in the form of `Season`.",
        examples=["scrabble-sk-2022"],
    )


class SeasonListed(BaseModel):
    id: str = Field(examples=[SEASON])
    federation: str = Field(examples=[FEDERATION])
    name: str = NAME
    rules: str = Field(description="The id of its rules.", examples=["scrabble-sk-2022"])


class SeasonShown(SeasonListed):
    next_level: str | None = Field(description="The championship, to which the best go on.", examples=[NEXT])
    otherwise: str | None = Field(description="The tournament for those who get no place there.", examples=[OTHERWISE])
    published: bool = Field(description="Whether standings has told who has qualified.", examples=[False])
    whole: Season = Field(description="Its rules, as they were when it was opened.")
    allowed_actions: Actions = allowed(*SEASON_ACTIONS)


class SeasonPage(BaseModel):
    items: list[SeasonListed] = Field(description="In the order in which they were opened.")
    next: str | None = next_page(SEASON)


def routes(*, handler: SeasonsHandler, levels: Levels, door: Door, new_id: NewId) -> APIRouter:
    router = Router(prefix="/v1/federations/{federation_id}/seasons", tags=["seasons"])

    @router.post(
        "",
        summary="Open a season",
        description="By rules of the catalogue or of the federation's own, fixed from then on. Tournaments are "
        "announced as part of it; standings adds it up.",
        operation_id="openSeason",
        status_code=HTTPStatus.CREATED,
        response_model=SeasonShown,
        responses=changed(HTTPStatus.CREATED, HTTPStatus.CONFLICT),
    )
    async def open_one(
        federation_id: FederationId, body: SeasonToOpen, act: Annotated[Act, Depends(door.acts(OPEN_SEASON))]
    ) -> Response:
        identity = str(new_id())
        rules = rules_of(body)
        order = OpenSeason(
            season=identity, federation=federation_id, name=body.name, rules=rules.model_dump_json().encode()
        )
        return await run(
            handler,
            federation_id,
            order,
            act,
            lambda state: season_view(federation_id, identity, season_of(state, identity), act.asker),
            status=HTTPStatus.CREATED,
            scope=identity,
        )

    @router.post(
        "/{season_id}/next-level",
        summary="Name the championship of a season",
        description="As soon as standings publishes who has qualified, they are entered there: by right with a place "
        "that they confirm, the others as reserves. It may be named anew until then.",
        operation_id="nameChampionship",
        response_model=SeasonShown,
        responses=CHANGED,
    )
    async def next_level(
        federation_id: FederationId,
        season_id: SeasonId,
        body: NextLevel,
        act: Annotated[Act, Depends(door.acts(OPEN_SEASON))],
    ) -> Response:
        if before := await answered_before(handler, act):
            return before
        state, _ = await handler.load(federation_id)
        known = season_of(state, season_id)
        leader = LeadingOn(identity=season_id, federation=federation_id, before=(known.next_level, known.otherwise))
        return await run(
            handler,
            federation_id,
            LeadOn(season=season_id, next_level=body.tournament, otherwise=body.otherwise),
            act,
            lambda state: season_view(federation_id, season_id, season_of(state, season_id), act.asker),
            scope=season_id,
            also=await expectations(levels, leader, (body.tournament, body.otherwise), act.origin),
        )

    @router.get(
        "/{season_id}",
        summary="One season",
        description="With its rules, whole. Standings shows who leads in it.",
        operation_id="getSeason",
        response_model=SeasonShown,
        responses=FOUND,
    )
    async def one(
        federation_id: FederationId, season_id: SeasonId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]
    ) -> Response:
        state, version = await handler.load(federation_id)
        return read(season_view(federation_id, season_id, season_of(state, season_id), asker), version)

    @router.get(
        "",
        summary="The seasons of a federation",
        description="Page by page, in the order in which they were opened.",
        operation_id="listSeasons",
        response_model=SeasonPage,
        responses=PAGE,
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def several(federation_id: FederationId, after: After = "", limit: Limit = 100) -> Response:
        state, _ = await handler.load(federation_id)
        found = [listed_view(federation_id, identity, one) for identity, one in state.opened.items()]
        items, following = items_after(after, found, limit, lambda season: season.id)
        path = f"/v1/federations/{federation_id}/seasons"
        return page(SeasonPage(items=items, next=following), path, following, {"limit": limit})

    return router


def rules_of(body: SeasonToOpen) -> Season:
    try:
        return shipped.load(body.rules) if isinstance(body.rules, str) else shipped.read(body.rules)
    except NotFound as unknown:
        raise Faulty(shipped.SENTENCE, [InputFault("/rules", str(unknown))]) from None
    except Faulty as faulty:
        raise Faulty(shipped.SENTENCE, [fault.below("/rules") for fault in faulty.faults]) from None


def listed_view(federation: str, identity: str, season: OpenedSeason) -> SeasonListed:
    return SeasonListed(id=identity, federation=federation, name=season.name, rules=season.rules.id)


def season_view(federation: str, identity: str, season: OpenedSeason, asker: Asker) -> SeasonShown:
    plain = listed_view(federation, identity, season)
    return SeasonShown(
        **dict(plain),
        next_level=season.next_level,
        otherwise=season.otherwise,
        published=season.qualification is not None,
        whole=season.rules,
        allowed_actions=season_actions(federation, season, asker),
    )
