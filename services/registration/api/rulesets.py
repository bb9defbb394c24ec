"""The rulesets that tournaments can be held by."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response

from services.registration.rulesets import RulesetPage, listed
from shared.act import Door
from shared.answers import JSON, PAGE, After, Limit, page
from shared.policy import ANYBODY
from shared.problems import documented
from shared.rulesets import catalogue
from shared.rulesets.schema import Ruleset

RULESETS = "/v1/rulesets"
EXAMPLE = {
    HTTPStatus.OK.value: {
        **PAGE[HTTPStatus.OK.value],
        "content": {JSON: {"example": catalogue.load("scrabble-sk-2022-qt").model_dump(mode="json")}},
    }
}

type RulesetId = Annotated[str, Path(max_length=64, examples=["scrabble-sk-2022-qt"])]


def routes(*, door: Door) -> APIRouter:
    router = APIRouter(prefix=RULESETS, tags=["rulesets"])

    @router.get(
        "",
        summary="The catalogue of rulesets",
        description="Page by page, in the order of their ids.",
        operation_id="listRulesets",
        response_model=RulesetPage,
        responses=PAGE,
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def several(after: After = "", limit: Limit = 100) -> Response:
        found = listed(after=after, limit=limit)
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
    async def one(ruleset_id: RulesetId) -> Response:
        return page(catalogue.load(ruleset_id), RULESETS, None, {})

    return router
