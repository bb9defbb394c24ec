"""Federations: founded, renamed, listed."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api.bodies import FEDERATION, Official, next_page
from services.registration.api.parameters import FederationId
from services.registration.api.permissions import FEDERATION_ACTIONS, RENAME_FEDERATION, allowed_actions
from services.registration.domain import federation, officials
from services.registration.domain.federation import Founded, FoundFederation, RenameFederation, Unfounded
from services.registration.domain.names import LONGEST_NAME
from services.registration.domain.officials import AppointSeveral, Office
from services.registration.projection import Federations
from shared.access.asker import Asker
from shared.access.grants import Grant
from shared.access.policy import ANYBODY, OPERATORS
from shared.access.references import id_of
from shared.access.roles import Role
from shared.access.tokens import SUBJECT
from shared.commands.handler import Handler
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.orders import run
from shared.http.responses import FOUND, PAGE, Actions, After, Limit, allowed, changed, page, read
from shared.ids import NewId

type FederationHandler = Handler[federation.State, federation.Command, federation.Event]
type OfficialsHandler = Handler[officials.State, officials.Command, officials.Event]

MOST_OFFICIALS = 100
NAME = Field(min_length=1, max_length=LONGEST_NAME, examples=["Slovak Scrabble Association"])


class FederationToFound(RequestBody):
    name: str = NAME
    director: str | None = Field(
        default=None,
        pattern=SUBJECT,
        json_schema_extra=id_of("official"),
        description="Who is to direct it, as their token calls them; otherwise the founder.",
        examples=[None],
    )
    officials: tuple[Official, ...] = Field(
        default=(),
        max_length=MOST_OFFICIALS,
        description="Others who are appointed with it, by a founder who directs it.",
        examples=[[{"subject": "a71b92", "role": "scorer"}]],
    )


class NewName(RequestBody):
    name: str = NAME


class Federation(BaseModel):
    id: str = Field(examples=[FEDERATION])
    name: str = NAME
    allowed_actions: Actions = allowed(*FEDERATION_ACTIONS)


class FederationListed(BaseModel):
    id: str = Field(examples=[FEDERATION])
    name: str = NAME


class FederationPage(BaseModel):
    items: list[FederationListed] = Field(description="In the order in which they were founded.")
    next: str | None = next_page(FEDERATION)


def routes(
    *, federations: FederationHandler, offices: OfficialsHandler, views: Federations, door: Door, new_id: NewId
) -> APIRouter:
    router = Router(prefix="/v1/federations", tags=["federations"])

    @router.post(
        "",
        summary="Found a federation",
        description="A federation owns tournaments, seasons and people. Its name can be changed later, its id not. "
        "Its first officials can be appointed with it: all of that happens, or nothing.",
        operation_id="foundFederation",
        status_code=HTTPStatus.CREATED,
        response_model=Federation,
        responses=changed(HTTPStatus.CREATED),
    )
    async def found(body: FederationToFound, act: Annotated[Act, Depends(door.acts(OPERATORS))]) -> Response:
        identity = str(new_id())
        director = Grant(scope=identity, subject=body.director or act.origin.actor, role=Role.DIRECTOR)
        offices_held = (
            Office(subject=director.subject, role=director.role),
            *(Office(subject=one.subject, role=one.role) for one in body.officials),
        )
        appoint = AppointSeveral(scope=identity, offices=offices_held, by=act.origin.actor)
        return await run(
            federations,
            identity,
            FoundFederation(federation=identity, name=body.name),
            act,
            lambda state: federation_view(state, act.asker.appointed(director)),
            status=HTTPStatus.CREATED,
            also=[offices.beginning(identity, appoint, scope=identity, origin=act.origin)],
        )

    @router.post(
        "/{federation_id}/rename",
        summary="Change the name of a federation",
        description="Everything else stays as it is. Taking the name that it has changes nothing.",
        operation_id="renameFederation",
        response_model=Federation,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND),
    )
    async def rename(
        federation_id: FederationId, body: NewName, act: Annotated[Act, Depends(door.acts(RENAME_FEDERATION))]
    ) -> Response:
        order = RenameFederation(name=body.name)
        return await run(federations, federation_id, order, act, lambda state: federation_view(state, act.asker))

    @router.get(
        "/{federation_id}",
        summary="One federation",
        description="As it is now, with what the caller may do with it.",
        operation_id="getFederation",
        response_model=Federation,
        responses=FOUND,
    )
    async def one(federation_id: FederationId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        state, version = await federations.load(federation_id)
        return read(federation_view(state, asker), version)

    @router.get(
        "",
        summary="All federations",
        description="Page by page, in the order in which they were founded.",
        operation_id="listFederations",
        response_model=FederationPage,
        responses=PAGE,
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def several(after: After = "", limit: Limit = 100) -> Response:
        rows = await views.page(after=after, limit=limit + 1)
        items = [FederationListed(id=row.id, name=row.name) for row in rows[:limit]]
        following = items[-1].id if len(rows) > limit else None
        return page(FederationPage(items=items, next=following), "/v1/federations", following, {"limit": limit})

    return router


def require_founded(state: federation.State) -> Founded:
    match state:
        case Founded():
            return state
        case Unfounded():
            raise federation.FederationUnknown("There is no such federation: look for it in the list.")


async def require_federation(federations: FederationHandler, federation_id: str) -> None:
    state, _ = await federations.load(federation_id)
    require_founded(state)


def federation_view(state: federation.State, asker: Asker) -> Federation:
    founded = require_founded(state)
    actions = allowed_actions(FEDERATION_ACTIONS, founded.federation, asker)
    return Federation(id=founded.federation, name=founded.name, allowed_actions=actions)
