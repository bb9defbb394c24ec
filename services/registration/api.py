"""The HTTP edge of registration: a request becomes a command, the answer shows what came of it."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, Field

from services.registration.domain import federation
from services.registration.domain.federation import LONGEST_NAME, Founded, FoundFederation, RenameFederation
from services.registration.projection import Federations
from shared.act import Act, AnAct
from shared.handle import Handled, Handler
from shared.ids import NewId
from shared.problems import documented

type FederationHandler = Handler[federation.State, federation.Command, federation.Event]
type FederationId = Annotated[str, Path(description="The id that founding answered.", pattern=r"^[0-9A-Za-z-]{1,64}$")]

JSON = "application/json"
NAME = Field(min_length=1, max_length=LONGEST_NAME, examples=["Slovak Scrabble Association"])


class FederationToFound(BaseModel):
    name: str = NAME


class Federation(BaseModel):
    id: str = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    name: str = NAME


class FederationPage(BaseModel):
    items: list[Federation] = Field(description="In the order in which they were founded.")
    next: str | None = Field(description="Send it as `after` to get the next page; null on the last one.")


def routes(*, federations: FederationHandler, views: Federations, new_id: NewId) -> APIRouter:
    router = APIRouter(prefix="/v1/federations", tags=["federations"])

    @router.post(
        "",
        summary="Found a federation",
        description="A federation owns tournaments, seasons and people. Its name can be changed later, its id not.",
        operation_id="foundFederation",
        status_code=HTTPStatus.CREATED,
        response_model=Federation,
        responses=documented(HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE),
    )
    async def found(body: FederationToFound, act: AnAct) -> Response:
        identity = str(new_id())
        return await happen(identity, FoundFederation(federation=identity, name=body.name), act, HTTPStatus.CREATED)

    @router.post(
        "/{federation_id}/rename",
        summary="Change the name of a federation",
        operation_id="renameFederation",
        response_model=Federation,
        responses=documented(HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE),
    )
    async def rename(federation_id: FederationId, body: FederationToFound, act: AnAct) -> Response:
        return await happen(federation_id, RenameFederation(name=body.name), act, HTTPStatus.OK)

    @router.get(
        "/{federation_id}",
        summary="One federation",
        operation_id="getFederation",
        response_model=Federation,
        responses=documented(HTTPStatus.NOT_FOUND, HTTPStatus.SERVICE_UNAVAILABLE),
    )
    async def one(federation_id: FederationId) -> Response:
        state, version = await federations.load(federation_id)
        return Response(shown(state, version), media_type=JSON, headers={"ETag": f'"{version}"'})

    @router.get(
        "",
        summary="All federations",
        operation_id="listFederations",
        responses=documented(HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE),
    )
    async def several(
        after: Annotated[str, Query(description="The `next` of the page before.")] = "",
        limit: Annotated[int, Query(ge=1, le=500)] = 100,
    ) -> FederationPage:
        rows = await views.page(after=after, limit=limit + 1)
        items = [Federation(id=row.id, name=row.name) for row in rows[:limit]]
        return FederationPage(items=items, next=items[-1].id if len(rows) > limit else None)

    async def happen(identity: str, command: federation.Command, act: Act, status: HTTPStatus) -> Response:
        handled = await federations.handle(
            identity, command, scope=identity, origin=act.origin, respond=shown, key=act.key
        )
        return written(handled, status)

    return router


def shown(state: federation.State, _version: int) -> bytes:
    match state:
        case Founded():
            return Federation(id=state.federation, name=state.name).model_dump_json().encode()
        case federation.Unknown():
            raise federation.FederationUnknown("There is no such federation: look for it in the list.")


def written(handled: Handled, status: HTTPStatus) -> Response:
    """The answer to a write says how far the log goes with it."""
    position = f"registration:{handled.head.position}/{handled.head.public}"
    return Response(handled.response, status, media_type=JSON, headers={"Roundlog-Position": position})
