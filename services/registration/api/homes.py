"""Schools, clubs and regions of a federation, where entrants come from, and halls, where they play."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from msgspec.structs import asdict
from pydantic import BaseModel, Field

from services.registration.api.bodies import FEDERATION, next_page, optional_id
from services.registration.api.parameters import FederationId, id_in_path
from services.registration.api.permissions import CHANGE_HOMES, HOME_ACTIONS, allowed_actions
from services.registration.api.personal import names_kept
from services.registration.domain.homes import ChangeHome, Home, Homes, Kind, RegisterHome, home_of
from services.registration.domain.names import LONGEST_NAME, readable
from services.registration.eligibility.judge import HomesHandler
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, CREATED, answered_before, run
from shared.http.parameters import Absent
from shared.http.responses import FOUND, PAGE, Actions, After, Limit, allowed, items_after, page, read
from shared.ids import NewId
from shared.personal.names import Names
from shared.rulesets.parts import Slug

HOME = "019aa4c2-b001-7d18-8c2b-40e5d6a71c01"
REGION = "019aa4c2-b002-7d18-8c2b-40e5d6a71c02"

type HomeId = Annotated[str, id_in_path("home", "The id that registering answered.", HOME)]


class HomeFacts(RequestBody):
    kind: Kind = Field(examples=["school"])
    name: str = Field(min_length=1, max_length=LONGEST_NAME, examples=["Gymnázium Poštová 9"])
    region: str | None = optional_id("home", "In which one it lies; a region lies in none.", example=REGION)
    types: tuple[Slug, ...] = Field(
        default=(),
        max_length=10,
        description="Of a school: what the conditions of rulesets ask for.",
        examples=[["secondary"]],
    )
    parts: int = Field(
        default=1, ge=1, le=20, description="Of a school: of how many former ones it was merged.", examples=[1]
    )
    capacity: int | None = Field(
        default=None, ge=2, le=10_000, description="Of a hall: how many can play there at once.", examples=[None]
    )


class HomeSaid(HomeFacts):
    another: bool = Field(
        default=False,
        description="There are two of this kind that are called so, in one region; otherwise that is taken for a mistake.",
        examples=[False],
    )


class HomeListed(HomeFacts, extra="ignore"):
    id: str = Field(examples=[HOME])
    federation: str = Field(examples=[FEDERATION])


class HomeShown(HomeListed):
    allowed_actions: Actions = allowed(*HOME_ACTIONS)


class HomePage(BaseModel):
    items: list[HomeListed] = Field(description="In the order in which they were registered.")
    next: str | None = next_page(HOME)


OF_KIND = Query(description="Only these.", examples=["school"])


def routes(*, handler: HomesHandler, names: Names, door: Door, new_id: NewId) -> APIRouter:
    router = Router(prefix="/v1/federations/{federation_id}/homes", tags=["homes"])

    @router.post(
        "",
        summary="Register a school, club, region or hall",
        description="Entrants name it as where they come from, or a tournament as where it is held. Regions first: the "
        "others lie in one.",
        operation_id="registerHome",
        status_code=HTTPStatus.CREATED,
        response_model=HomeShown,
        responses=CREATED,
    )
    async def register(
        federation_id: FederationId, body: HomeSaid, act: Annotated[Act, Depends(door.acts(CHANGE_HOMES))]
    ) -> Response:
        if before := await answered_before(handler, act, status=HTTPStatus.CREATED):
            return before
        identity = str(new_id())
        order = RegisterHome(home=identity, federation=federation_id, said=as_home(body), another=body.another)
        async with names_kept(names, {identity: readable(body.name)}):
            return await run(
                handler,
                federation_id,
                order,
                act,
                lambda state: home_view(state, federation_id, identity, act.asker),
                status=HTTPStatus.CREATED,
            )

    @router.post(
        "/{home_id}/change",
        summary="Change what is said of a school, club, region or hall",
        description="This is all of it from now on. Entries and tournaments that were made keep what they said.",
        operation_id="changeHome",
        response_model=HomeShown,
        responses=CHANGED,
    )
    async def change(
        federation_id: FederationId,
        home_id: HomeId,
        body: HomeSaid,
        act: Annotated[Act, Depends(door.acts(CHANGE_HOMES))],
    ) -> Response:
        response = await answered_before(handler, act)
        if response is None:
            order = ChangeHome(home=home_id, said=as_home(body), another=body.another)
            response = await run(
                handler, federation_id, order, act, lambda state: home_view(state, federation_id, home_id, act.asker)
            )
        state, _ = await handler.load(federation_id)  # also of who comes again because it could not be kept before
        await names.keep({home_id: home_of(state, home_id).name})
        return response

    @router.get(
        "/{home_id}",
        summary="One school, club, region or hall",
        description="As it is now.",
        operation_id="getHome",
        response_model=HomeShown,
        responses=FOUND,
    )
    async def one(
        federation_id: FederationId, home_id: HomeId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]
    ) -> Response:
        state, version = await handler.load(federation_id)
        return read(home_view(state, federation_id, home_id, asker), version)

    @router.get(
        "",
        summary="The schools, clubs, regions and halls of a federation",
        description="Page by page, in the order in which they were registered.",
        operation_id="listHomes",
        response_model=HomePage,
        responses=PAGE,
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def several(
        federation_id: FederationId,
        kind: Annotated[Kind | Absent, OF_KIND] = None,
        after: After = "",
        limit: Limit = 100,
    ) -> Response:
        state, _ = await handler.load(federation_id)
        found = [listed_view(federation_id, identity, home) for identity, home in state.known.items()]
        items, following = items_after(
            after, found, limit, lambda home: home.id, is_wanted=lambda home: kind in {None, home.kind}
        )
        query = {"limit": limit} | ({"kind": kind} if kind else {})
        path = f"/v1/federations/{federation_id}/homes"
        return page(HomePage(items=items, next=following), path, following, query)

    return router


def as_home(body: HomeSaid) -> Home:
    said = body.model_dump(exclude={"another", "types"})
    return Home(types=tuple(sorted(set(body.types))), **said)


def listed_view(federation: str, identity: str, home: Home) -> HomeListed:
    return HomeListed(id=identity, federation=federation, **asdict(home))


def home_view(state: Homes, federation: str, identity: str, asker: Asker) -> HomeShown:
    plain = listed_view(federation, identity, home_of(state, identity))
    return HomeShown(**dict(plain), allowed_actions=allowed_actions(HOME_ACTIONS, federation, asker))
