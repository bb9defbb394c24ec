"""The rulesets that tournaments can be held by: those that come with Roundlog, and those of federations."""

from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Response
from pydantic import BaseModel, Field

from services.registration.api.federations import Foreseen
from services.registration.api.forms import FEDERATION_ID
from services.registration.api.happening import happen
from services.registration.domain import rulesets
from services.registration.domain.rulesets import PostRuleset, RulesetTaken, VersionUnknown
from services.registration.projection import Rulesets
from services.registration.rulesets import RulesetListed, RulesetPage, in_list, listed
from shared.act import Absent, Act, Door
from shared.answers import JSON, PAGE, After, DryRun, Limit, changed, page
from shared.faults import Faulty, at
from shared.handle import Handler
from shared.policy import ANYBODY, roles
from shared.problems import documented
from shared.roles import Role
from shared.rulesets import catalogue, faults
from shared.rulesets.schema import Ruleset

type RulesetHandler = Handler[rulesets.Posted, rulesets.Command, rulesets.Event]

RULESETS = "/v1/rulesets"
POST = roles(Role.DIRECTOR, Role.COUNCIL, scope="federation", in_body=True)
WHOLE = catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")
EXAMPLE = {HTTPStatus.OK.value: {**PAGE[HTTPStatus.OK.value], "content": {JSON: {"example": WHOLE}}}}
WHICH = Query(max_length=32, description="One of its versions; otherwise the newest.", examples=["1"])

type RulesetId = Annotated[str, Path(max_length=64, examples=["scrabble-sk-2022-qt"])]


class RulesetToPost(BaseModel):
    federation: str = FEDERATION_ID
    ruleset: dict[str, Any] = Field(
        description="Whole, in the form of `Ruleset`. Start from one that `getRuleset` shows.",
        examples=[WHOLE | {"id": "scrabble-kosice", "title": "Košice Scrabble"}],
    )


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """All rulesets, whoever they are of."""

    posted: RulesetHandler
    views: Rulesets

    async def find(self, ruleset_id: str, version: str | None = None) -> Ruleset:
        state, _ = await self.posted.load(ruleset_id)
        if state.versions:
            wanted = version or state.newest
            require_version(ruleset_id, wanted, state.versions)
            return Ruleset.model_validate_json(state.versions[wanted])
        shipped = catalogue.load(ruleset_id)
        require_version(ruleset_id, version or shipped.version, [shipped.version])
        return shipped

    async def page(self, *, after: str, limit: int) -> RulesetPage:
        """In the order of their ids."""
        several = [*listed(after=after).items, *await self.views.page(after=after, limit=limit + 1)]
        several.sort(key=lambda one: one.id)
        following = several[limit - 1].id if len(several) > limit else None
        return RulesetPage(items=several[:limit], next=following)


def routes(*, shelf: Shelf, door: Door) -> APIRouter:
    router = APIRouter(prefix=RULESETS, tags=["rulesets"])

    @router.post(
        "",
        summary="Post a ruleset",
        description="Of the federation's own, checked by the form of a ruleset with all faults named at once. A version "
        "that was posted stays as it is for ever; another text is another version under the same id. Tournaments take "
        "the newest, or the one that they name, and keep it whatever is posted later. The ids of the catalogue are taken.",
        operation_id="postRuleset",
        response_model=RulesetListed | Foreseen,
        responses=changed(HTTPStatus.OK, HTTPStatus.CONFLICT),
    )
    async def post(
        body: RulesetToPost,
        act: Annotated[Act, Depends(door.acts(POST))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        ruleset = readable(body.ruleset)
        order = PostRuleset(
            ruleset=ruleset.id,
            version=ruleset.version,
            federation=body.federation,
            text=ruleset.model_dump_json().encode(),
        )
        if dry_run:
            _, events = await shelf.posted.foresee(ruleset.id, order)
            posted = [f"Version {one.version} of {one.ruleset} is what new tournaments are held by." for one in events]
            return Response(Foreseen(changes=posted, lost=[]).model_dump_json(), media_type=JSON)
        return await happen(
            shelf.posted,
            ruleset.id,
            order,
            act,
            lambda state: in_list(ruleset).model_copy(
                update={"federation": state.federation, "versions": list(state.versions)}
            ),
            scope=body.federation,
        )

    @router.get(
        "",
        summary="The rulesets that there are",
        description="Those that come with Roundlog and those of federations, page by page, in the order of their ids.",
        operation_id="listRulesets",
        response_model=RulesetPage,
        responses=PAGE,
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def several(after: After = "", limit: Limit = 100) -> Response:
        found = await shelf.page(after=after, limit=limit)
        return page(found, RULESETS, found.next, {"limit": limit})

    @router.get(
        "/{ruleset_id}",
        summary="One ruleset",
        description="Whole, as a tournament takes it along when it starts. Change a copy of it to make one of your own.",
        operation_id="getRuleset",
        response_model=Ruleset,
        responses=PAGE | EXAMPLE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def one(ruleset_id: RulesetId, version: Annotated[str | Absent, WHICH] = None) -> Response:
        return page(await shelf.find(ruleset_id, version), RULESETS, None, {})

    return router


def require_version(ruleset_id: str, version: str, there_are: Collection[str]) -> None:
    if version not in there_are:
        raise VersionUnknown(f"{ruleset_id} has no version {version}: there are {', '.join(there_are)}.")


def readable(sent: dict[str, Any]) -> Ruleset:
    try:
        ruleset = faults.read(sent)
    except Faulty as faulty:
        raise Faulty(faults.SENTENCE, [fault.below(at("ruleset")) for fault in faulty.faults]) from None
    if ruleset.id in catalogue.ids():
        raise RulesetTaken(f"{ruleset.id} comes with Roundlog: choose another id.")
    return ruleset
