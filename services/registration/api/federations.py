"""Federations and their officials."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from pydantic import BaseModel, Field

from services.registration.api.happening import happen
from services.registration.api.sent import Sent
from services.registration.domain import federation, officials
from services.registration.domain.federation import Founded, FoundFederation, RenameFederation
from services.registration.domain.naming import LONGEST_NAME
from services.registration.domain.officials import AppointOfficial, DismissOfficial
from services.registration.projection import Federations
from shared.act import Act, Asker, Door
from shared.answers import JSON, PAGE, READ, Action, After, DryRun, Limit, action, changed, page, read
from shared.auth import SUBJECT
from shared.grants import Grant
from shared.handle import Handler
from shared.ids import NewId
from shared.policy import ANYBODY, OPERATORS, roles
from shared.problems import documented
from shared.roles import Role

type FederationHandler = Handler[federation.State, federation.Command, federation.Event]
type OfficialsHandler = Handler[officials.State, officials.Command, officials.Event]
type FederationId = Annotated[
    str,
    Path(
        description="The id that founding answered.",
        pattern=r"^[0-9A-Za-z-]{1,64}$",
        examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"],
    ),
]

RENAME = roles(Role.DIRECTOR, Role.COUNCIL, scope="federation_id")
APPOINT = roles(Role.DIRECTOR, scope="federation_id", operators=True)
DISMISS = roles(Role.DIRECTOR, scope="federation_id")
LOOK = roles(*Role, scope="federation_id", operators=True)
ACTIONS = {"renameFederation": RENAME, "appointOfficial": APPOINT, "dismissOfficial": DISMISS}

NAME = Field(min_length=1, max_length=LONGEST_NAME, examples=["Slovak Scrabble Association"])


class FederationToFound(Sent):
    name: str = NAME
    director: str | None = Field(
        default=None,
        pattern=SUBJECT,
        description="The opaque id of whoever is to direct it, as it stands in their token; otherwise the founder.",
        examples=["d0f3c1"],
    )


class NewName(Sent):
    name: str = NAME


class Federation(BaseModel):
    id: str = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    name: str = NAME
    allowed_actions: list[Action] = Field(description="What the caller may do with it now, and why not.")


class FederationListed(BaseModel):
    id: str = Field(examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"])
    name: str = NAME


class FederationPage(BaseModel):
    items: list[FederationListed] = Field(description="In the order in which they were founded.")
    next: str | None = Field(
        description="Send it as `after` to get the next page; null on the last one.",
        examples=["019aa4c2-7d5e-7a40-8f3e-2b6f1f0c9d11"],
    )


class Official(Sent):
    subject: str = Field(
        pattern=SUBJECT, description="The opaque id in their token, never a name.", examples=["d0f3c1"]
    )
    role: Role = Field(examples=[Role.ARBITER])


class Officials(BaseModel):
    officials: list[Official] = Field(description="In the order of their appointment.")
    allowed_actions: list[Action] = Field(description="What the caller may do here now, and why not.")


class Foreseen(BaseModel):
    """What an act would change; nothing has."""

    changes: list[str] = Field(examples=[["d0f3c1 is no longer director."]])
    lost: list[str] = Field(description="What could not be done any more.", examples=[["d0f3c1: renameFederation"]])


def routes(
    *, federations: FederationHandler, offices: OfficialsHandler, views: Federations, door: Door, new_id: NewId
) -> APIRouter:
    router = APIRouter(prefix="/v1/federations", tags=["federations"])

    @router.post(
        "",
        summary="Found a federation",
        description="A federation owns tournaments, seasons and people. Its name can be changed later, its id not.",
        operation_id="foundFederation",
        status_code=HTTPStatus.CREATED,
        response_model=Federation,
        responses=changed(HTTPStatus.CREATED),
    )
    async def found(body: FederationToFound, act: Annotated[Act, Depends(door.acts(OPERATORS))]) -> Response:
        identity = str(new_id())
        director = Grant(scope=identity, subject=body.director or act.origin.actor, role=Role.DIRECTOR)
        appoint = AppointOfficial(scope=identity, subject=director.subject, role=director.role, by=act.origin.actor)
        return await happen(
            federations,
            identity,
            FoundFederation(federation=identity, name=body.name),
            act,
            lambda state: shown(state, act.asker.appointed(director)),
            status=HTTPStatus.CREATED,
            beside=[offices.part(identity, appoint, scope=identity, origin=act.origin)],
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
        federation_id: FederationId, body: NewName, act: Annotated[Act, Depends(door.acts(RENAME))]
    ) -> Response:
        command = RenameFederation(name=body.name)
        return await happen(federations, federation_id, command, act, lambda state: shown(state, act.asker))

    @router.get(
        "/{federation_id}",
        summary="One federation",
        description="As it is now, with what the caller may do with it.",
        operation_id="getFederation",
        response_model=Federation,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(federation_id: FederationId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        state, version = await federations.load(federation_id)
        return read(shown(state, asker), version)

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

    @router.post(
        "/{federation_id}/officials",
        summary="Appoint an official",
        description="Directors appoint whom they like. An operator may appoint a director where there is none.",
        operation_id="appointOfficial",
        response_model=Officials,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND),
    )
    async def appoint(
        federation_id: FederationId, body: Official, act: Annotated[Act, Depends(door.acts(APPOINT))]
    ) -> Response:
        state, _ = await federations.load(federation_id)
        require_founded(state)
        command = AppointOfficial(scope=federation_id, subject=body.subject, role=body.role, by=act.origin.actor)
        return await happen(offices, federation_id, command, act, lambda state: staff(federation_id, state, act.asker))

    @router.post(
        "/{federation_id}/officials/dismiss",
        summary="Dismiss an official",
        description="They may no longer act in that role. The last director stays.",
        operation_id="dismissOfficial",
        response_model=Officials | Foreseen,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def dismiss(
        federation_id: FederationId,
        body: Official,
        act: Annotated[Act, Depends(door.acts(DISMISS))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        command = DismissOfficial(subject=body.subject, role=body.role)
        if dry_run:
            await offices.foresee(federation_id, command)
            return Response(foreseen(body).model_dump_json(), media_type=JSON)
        return await happen(offices, federation_id, command, act, lambda state: staff(federation_id, state, act.asker))

    @router.get(
        "/{federation_id}/officials",
        summary="The officials of a federation",
        description="Who acts for it, and as what.",
        operation_id="listOfficials",
        response_model=Officials,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def officials_of(federation_id: FederationId, asker: Annotated[Asker, Depends(door.reads(LOOK))]) -> Response:
        state, _ = await federations.load(federation_id)
        require_founded(state)
        offices_now, version = await offices.load(federation_id)
        return read(staff(federation_id, offices_now, asker), version)

    return router


def staff(federation_id: str, state: officials.State, asker: Asker) -> Officials:
    match state:
        case officials.Vacant():
            held: tuple[officials.Office, ...] = ()
        case officials.Staffed():
            held = state.offices
    return Officials(
        officials=[Official(subject=office.subject, role=office.role) for office in held],
        allowed_actions=[
            action(name, asker.why_not(ACTIONS[name], federation_id)) for name in ("appointOfficial", "dismissOfficial")
        ],
    )


def foreseen(dismissed: Official) -> Foreseen:
    return Foreseen(
        changes=[f"{dismissed.subject} is no longer {dismissed.role}."],
        lost=[f"{dismissed.subject}: {name}" for name, policy in ACTIONS.items() if dismissed.role in policy.roles],
    )


def require_founded(state: federation.State) -> Founded:
    match state:
        case Founded():
            return state
        case federation.Unknown():
            raise federation.FederationUnknown("There is no such federation: look for it in the list.")


def shown(state: federation.State, asker: Asker) -> Federation:
    founded = require_founded(state)
    actions = [action(name, asker.why_not(policy, founded.federation)) for name, policy in ACTIONS.items()]
    return Federation(id=founded.federation, name=founded.name, allowed_actions=actions)
