"""The rulesets that tournaments can be held by: those that come with Roundlog, and those of federations."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Response
from pydantic import Field

from services.registration.api.bodies import FEDERATION_ID, Foreseen
from services.registration.api.permissions import POST_RULESET
from services.registration.domain import rulesets
from services.registration.domain.rulesets import (
    Posted,
    PostRuleset,
    RulesetGone,
    RulesetTaken,
    WithdrawRuleset,
    require_version,
)
from services.registration.projection import Rulesets
from services.registration.rulesets import RulesetListed, RulesetPage, in_list, listed
from shared.access.policy import ANYBODY
from shared.access.references import id_of
from shared.commands.handler import Handler
from shared.faults import Faulty, at
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.openapi import FORMAT, OwnFormat
from shared.http.orders import run, tried
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import PAGE, After, DryRun, Limit, changed, page
from shared.rulesets import catalogue, faults, stored
from shared.rulesets.schema import Ruleset
from shared.values import Value

type RulesetHandler = Handler[rulesets.Posted, rulesets.Command, rulesets.Event]

RULESETS = "/v1/rulesets"


def whole() -> dict[str, Any]:
    like = catalogue.load("gomoku-cfp").model_dump(mode="json", exclude_unset=True, exclude={"decisions", "announced"})
    return like | {"id": "gomoku-kosice", "title": "Košice gomoku"}


FORMATS = (OwnFormat(model=Ruleset, example=whole),)
WHICH = Query(max_length=32, description="One of its versions; otherwise the newest.", examples=["1"])

type RulesetId = Annotated[
    str, Path(max_length=64, json_schema_extra=id_of("ruleset"), examples=["scrabble-sk-2022-qt"])
]


class RulesetToPost(RequestBody):
    federation: str = FEDERATION_ID
    ruleset: dict[str, Any] = Field(
        description="Whole. Start from one that `getRuleset` shows.", json_schema_extra={FORMAT: Ruleset.__name__}
    )


class RulesetToWithdraw(RequestBody):
    federation: str = FEDERATION_ID
    version: str | None = Field(
        default=None, max_length=32, description="One of its versions; otherwise all.", examples=["1"]
    )


class RulesetShelf(Value):
    """Where all rulesets are found: those that come with Roundlog and those of federations."""

    posted: RulesetHandler
    views: Rulesets

    async def find(self, ruleset_id: str, version: str | None = None) -> Ruleset:
        """Also one that was withdrawn."""
        state, _ = await self.posted.load(ruleset_id)
        if state.versions:
            wanted = version or (state.offered or [*state.versions])[-1]
            require_version(ruleset_id, wanted, state.versions)
            return stored.read(state.versions[wanted])
        shipped = catalogue.load(ruleset_id)
        require_version(ruleset_id, version or shipped.version, [shipped.version])
        return shipped

    async def offered(self, ruleset_id: str, version: str | None) -> Ruleset:
        """One that a tournament may be announced by."""
        found = await self.find(ruleset_id, version)
        state, _ = await self.posted.load(ruleset_id)
        if found.version in state.withdrawn:
            others = f"there are {', '.join(state.offered)}" if state.offered else "choose another ruleset"
            raise RulesetGone(f"{ruleset_id} {found.version} was withdrawn: {others}.")
        return found

    async def page(self, *, after: str, limit: int) -> RulesetPage:
        """One page of those that are offered, in the order of their ids."""
        several = [*listed(after=after).items, *await self.views.page(after=after, limit=limit + 1)]
        several.sort(key=lambda one: one.id)
        following = several[limit - 1].id if len(several) > limit else None
        return RulesetPage(items=several[:limit], next=following)


def routes(*, shelf: RulesetShelf, door: Door) -> APIRouter:
    router = Router(prefix=RULESETS, tags=["rulesets"])

    @router.post(
        "",
        summary="Post a ruleset",
        description="Of the federation's own. A version that was posted stays as it is for ever; another text is "
        "another version under the same id. Tournaments take the newest, or the one that they name, and keep it. The "
        "ids of the catalogue are taken.",
        operation_id="postRuleset",
        response_model=RulesetListed | Foreseen,
        responses=changed(HTTPStatus.OK, HTTPStatus.CONFLICT),
    )
    async def post(
        body: RulesetToPost,
        act: Annotated[Act, Depends(door.acts(POST_RULESET))],
        dry_run: DryRun = False,
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
            posted = (
                [f"Version {order.version} of {order.ruleset} is what new tournaments are held by."] if events else []
            )
            return tried(Foreseen(changes=posted, lost=[]))
        return await run(
            shelf.posted,
            ruleset.id,
            order,
            act,
            lambda state: posted_view(ruleset, state),
            scope=body.federation,
        )

    @router.post(
        "/{ruleset_id}/withdraw",
        summary="Withdraw a ruleset",
        description="No tournament is announced by it any more, and no list shows it. Tournaments that were announced "
        "by it go on by it. Posting the same text again brings it back.",
        operation_id="withdrawRuleset",
        response_model=RulesetListed,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND),
    )
    async def withdraw(
        ruleset_id: RulesetId, body: RulesetToWithdraw, act: Annotated[Act, Depends(door.acts(POST_RULESET))]
    ) -> Response:
        order = WithdrawRuleset(federation=body.federation, version=body.version)
        state, _ = await shelf.posted.foresee(ruleset_id, order)
        ruleset = stored.read([*state.versions.values()][-1])
        return await run(
            shelf.posted,
            ruleset_id,
            order,
            act,
            lambda state: posted_view(ruleset, state),
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
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def one(ruleset_id: RulesetId, version: Annotated[str | Absent, WHICH] = None) -> Response:
        return page(await shelf.find(ruleset_id, version), RULESETS, None, {})

    return router


def posted_view(ruleset: Ruleset, state: Posted) -> RulesetListed:
    return in_list(ruleset).model_copy(update={"federation": state.federation, "versions": state.offered})


def readable(sent: dict[str, Any]) -> Ruleset:
    try:
        ruleset = faults.read(sent)
    except Faulty as faulty:
        raise Faulty(faults.SENTENCE, [fault.below(at("ruleset")) for fault in faulty.faults]) from None
    if ruleset.id in catalogue.ids():
        raise RulesetTaken(f"{ruleset.id} comes with Roundlog: choose another id.")
    return ruleset
