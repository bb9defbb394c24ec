"""Captains: tokens for whoever speaks for one entrant, and their end."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api.forms import ALLOWED, ENTRANT, TOURNAMENT, EntrantId, TournamentId
from services.registration.api.happening import with_body
from services.registration.domain import captains
from services.registration.domain.captains import DismissCaptain, Dismissed, NameCaptain, Named, NeverNamed
from services.registration.domain.tournament.refusals import EntrantUnknown
from services.registration.signing import Signing
from shared.act import Act, Asker, Door
from shared.answers import JSON, READ, Action, DryRun, action, answer, changed, read, written
from shared.captaincy import Captaincy
from shared.decider import Conflict
from shared.handle import Handler
from shared.policy import roles
from shared.problems import documented
from shared.roles import Role

type CaptainsHandler = Handler[captains.State, captains.Command, captains.Event]
type EntrantExists = Callable[[str, str], Awaitable[bool]]  # in this tournament, this entrant

ISSUE = roles(Role.DIRECTOR, Role.COORDINATOR, Role.SCORER, scope="tournament_id")
DISMISS = ISSUE
LOOK = roles(*Role, scope="tournament_id")
ACTIONS = {"issueCaptainToken": ISSUE, "dismissCaptain": DISMISS}

GENERATION = Field(
    description="Of the tokens that are good. It grows with each dismissal; 0 while nobody was ever named.",
    examples=[1],
)


class DismissedSince(Conflict):
    """The captain that this key was first used for is none any more."""


class Captain(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    entrant: str = Field(examples=[ENTRANT])
    named: bool = Field(description="Whether somebody speaks for the entrant.", examples=[True])
    generation: int = GENERATION
    allowed_actions: list[Action] = ALLOWED


class IssuedToken(BaseModel):
    token: str = Field(
        description="Hand it to the captain, and keep it nowhere: `Authorization: Bearer …`.",
        examples=["eyJhbGciOiJFZERTQSIsImtpZCI6IjExcVlBWUt4Q3JmVlMifQ.eyJzdWIiOiJjYXB0YWluOjAxOWFhIn0.c2lnbmF0dXJl"],
    )
    expires_at: datetime = Field(description="When to come for another one.", examples=["2026-11-21T21:00:00Z"])
    subject: str = Field(description="How the log names who acts with it.", examples=[f"captain:{ENTRANT}:1"])
    captain: Captain


class CaptainForeseen(BaseModel):
    """What a dismissal would change; nothing has."""

    changes: list[str] = Field(examples=[["Nobody speaks for the entrant until a new token is issued."]])
    lost: list[str] = Field(
        description="What could not be done any more.", examples=[["All tokens of generation 1 are void at once."]]
    )


def routes(*, captains: CaptainsHandler, signing: Signing, entrant_exists: EntrantExists, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/entrants/{entrant_id}/captain", tags=["captains"])

    async def require_entrant(tournament_id: str, entrant_id: str) -> None:
        if not await entrant_exists(tournament_id, entrant_id):
            raise EntrantUnknown(
                "Nobody has entered this tournament under this id: look into the list of its entrants."
            )

    @router.post(
        "/token",
        summary="Issue a token to whoever speaks for an entrant",
        description="For the captain of a team, or for the player where everybody plays alone: with it they report "
        "results of their own tables, here and at every service, for twelve hours. It can be issued as often as "
        "needed; tokens that are out stay good. The token is kept nowhere: the same request under the same key gets "
        "a new one.",
        operation_id="issueCaptainToken",
        response_model=IssuedToken,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def issue(
        tournament_id: TournamentId, entrant_id: EntrantId, act: Annotated[Act, Depends(door.acts(ISSUE))]
    ) -> Response:
        await require_entrant(tournament_id, entrant_id)
        await signing.require_ready()
        handled = await captains.handle(
            entrant_id,
            NameCaptain(tournament=tournament_id, entrant=entrant_id),
            scope=tournament_id,
            origin=act.origin,
            respond=lambda state, version: answer(shown(tournament_id, entrant_id, state, act.asker), version),
            key=act.key,
            versions=act.versions,
        )
        response = written("registration", handled, HTTPStatus.OK)
        named = Captain.model_validate_json(bytes(response.body))
        now, _ = await captains.load(entrant_id)
        if generation(now) != named.generation:
            raise DismissedSince(
                "The captain was dismissed after this request first came: use a new key for a new act."
            )
        captain = Captaincy(tournament=tournament_id, entrant=entrant_id, generation=named.generation)
        signed = await signing.sign(captain)
        issued = IssuedToken(token=signed.token, expires_at=signed.expires, subject=captain.subject, captain=named)
        return with_body(response, issued)

    @router.post(
        "/dismiss",
        summary="Withdraw all tokens of an entrant's captain",
        description="Whoever holds one speaks for the entrant no more, at every service, within a moment. A token "
        "that is issued afterwards is good again.",
        operation_id="dismissCaptain",
        response_model=Captain | CaptainForeseen,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND),
    )
    async def dismiss(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(DISMISS))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        await require_entrant(tournament_id, entrant_id)
        if dry_run:
            state, events = await captains.foresee(entrant_id, DismissCaptain())
            return Response(foreseen(state, events).model_dump_json(), media_type=JSON)
        handled = await captains.handle(
            entrant_id,
            DismissCaptain(),
            scope=tournament_id,
            origin=act.origin,
            respond=lambda state, version: answer(shown(tournament_id, entrant_id, state, act.asker), version),
            key=act.key,
            versions=act.versions,
        )
        return written("registration", handled, HTTPStatus.OK)

    @router.get(
        "",
        summary="Whether somebody speaks for an entrant",
        description="And which tokens of theirs are good; the tokens themselves are kept nowhere.",
        operation_id="getCaptain",
        response_model=Captain,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(
        tournament_id: TournamentId, entrant_id: EntrantId, asker: Annotated[Asker, Depends(door.reads(LOOK))]
    ) -> Response:
        await require_entrant(tournament_id, entrant_id)
        state, version = await captains.load(entrant_id)
        return read(shown(tournament_id, entrant_id, state, asker), version)

    return router


def shown(tournament: str, entrant: str, state: captains.State, asker: Asker) -> Captain:
    return Captain(
        tournament=tournament,
        entrant=entrant,
        named=isinstance(state, Named),
        generation=generation(state),
        allowed_actions=[action(name, asker.why_not(policy, tournament)) for name, policy in ACTIONS.items()],
    )


def generation(state: captains.State) -> int:
    match state:
        case NeverNamed():
            return 0
        case Named() | Dismissed():
            return state.generation


def foreseen(state: captains.State, events: Sequence[captains.Event]) -> CaptainForeseen:
    if not events:
        return CaptainForeseen(changes=[], lost=[])
    return CaptainForeseen(
        changes=["Nobody speaks for the entrant until a new token is issued."],
        lost=[f"All tokens of generation {generation(state)} are void at once."],
    )
