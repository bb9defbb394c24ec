"""Captains: tokens for whoever speaks for one entrant, and their end."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import product
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel, Field

from services.registration.api.bodies import ENTRANT, TOURNAMENT
from services.registration.api.federations import OfficialsHandler
from services.registration.api.parameters import EntrantId, TournamentId
from services.registration.api.permissions import CAPTAIN_ACTIONS, ISSUERS, NAME_CAPTAIN, OFFICIATE, allowed_actions
from services.registration.domain import captains, officials
from services.registration.domain.captains import DismissCaptain, DismissedCaptain, IssueToken, NamedCaptain, NeverNamed
from services.registration.domain.officials import Office
from services.registration.domain.tournament.roster import EntrantUnknown
from services.registration.signing import Signing
from shared.access import captain_tokens
from shared.access.asker import Asker
from shared.access.captain_tokens import Captaincy, Issuer
from shared.access.policy import NotPermitted, reason
from shared.access.roles import Role
from shared.commands.handler import Handler
from shared.http.authorization import Act, Door
from shared.http.orders import run, tried, with_body
from shared.http.problems import documented
from shared.http.responses import READ, Actions, DryRun, allowed, changed, read
from shared.refusals import Conflict

type CaptainsHandler = Handler[captains.State, captains.Command, captains.Event]
type EntrantExists = Callable[[str, str], Awaitable[bool]]  # in this tournament, this entrant

GENERATION = Field(
    description="Of the tokens that are good. It grows with each dismissal; 0 while nobody was ever named.",
    examples=[1],
)


class DismissedSince(Conflict):
    """The captain that this key was first used for is none any more."""


class TokenExpired(Conflict):
    """What this key was first used for is good no more."""


class Captain(BaseModel):
    tournament: str = Field(examples=[TOURNAMENT])
    entrant: str = Field(examples=[ENTRANT])
    named: bool = Field(description="Whether somebody speaks for the entrant.", examples=[True])
    generation: int = GENERATION
    allowed_actions: Actions = allowed(*CAPTAIN_ACTIONS)


class Issued(BaseModel):
    """All of it but the token itself, which is kept nowhere."""

    expires_at: datetime = Field(description="When to come for another one.", examples=["2026-11-21T21:00:00Z"])
    subject: str = Field(
        description="How the log names who acts with it: the entrant, the generation, and which token it is.",
        examples=[f"captain:{ENTRANT}:1:2"],
    )
    serial: int = Field(description="1, 2, 3 … of this entrant: under it the log has who issued it.", examples=[2])
    issued_as: Role = Field(
        description="Your office, in which you have issued it: when you are dismissed from it, the token is void.",
        examples=[Role.DIRECTOR],
    )
    issued_in: str = Field(description="Where you hold it: the tournament, or its federation.", examples=[TOURNAMENT])
    term: int = Field(description="Which of your terms in this office it is, counted from 0.", examples=[0])
    captain: Captain


class IssuedToken(Issued):
    token: str = Field(
        description="Hand it to the captain, and keep it nowhere: `Authorization: Bearer …`.",
        examples=["eyJhbGciOiJFZERTQSIsImtpZCI6IjExcVlBWUt4Q3JmVlMifQ.eyJzdWIiOiJjYXB0YWluOjAxOWFhIn0.c2lnbmF0dXJl"],
    )


class CaptainForeseen(BaseModel):
    """What a dismissal would change; nothing has."""

    changes: list[str] = Field(examples=[["Nobody speaks for the entrant until a new token is issued."]])
    lost: list[str] = Field(
        description="What could not be done any more.", examples=[["All tokens of generation 1 are void at once."]]
    )


def routes(
    *,
    captains: CaptainsHandler,
    offices: OfficialsHandler,
    signing: Signing,
    entrant_exists: EntrantExists,
    door: Door,
) -> APIRouter:
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
        "needed; tokens that are out stay good. Each is counted, and the log has who issued it and in which office: "
        "when they are dismissed from that, it is void. The token is kept nowhere: the same request under the same key "
        "has it made once more, the same one.",
        operation_id="issueCaptainToken",
        response_model=IssuedToken,
        responses=changed(HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    )
    async def issue(
        tournament_id: TournamentId, entrant_id: EntrantId, act: Annotated[Act, Depends(door.acts(NAME_CAPTAIN))]
    ) -> Response:
        await require_entrant(tournament_id, entrant_id)
        await signing.require_ready()
        issuer, issued = await issuer_of(act, tournament_id, offices), signing.issued_now()
        response = await run(
            captains,
            entrant_id,
            IssueToken(tournament=tournament_id, entrant=entrant_id, issuer=issuer, issued=issued),
            act,
            lambda state: issued_view(state, issuer, issued, act.asker),
            scope=tournament_id,
        )
        answered = Issued.model_validate_json(bytes(response.body))
        now, _ = await captains.load(entrant_id)
        if generation(now) != answered.captain.generation:
            raise DismissedSince(
                "The captain was dismissed after this request first came: use a new key for a new act."
            )
        then = int((answered.expires_at - captain_tokens.LONGEST).timestamp())
        if signing.issued_now() >= then + captain_tokens.LONGEST.total_seconds():
            raise TokenExpired("The token that was issued under this key has expired: use a new key for another one.")
        token = await signing.sign(captaincy_of(answered, act), then)
        return with_body(response, IssuedToken(token=token, **dict(answered)))

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
        act: Annotated[Act, Depends(door.acts(NAME_CAPTAIN))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        await require_entrant(tournament_id, entrant_id)
        if dry_run:
            state, events = await captains.foresee(entrant_id, DismissCaptain())
            return tried(foreseen(state, events))
        return await run(
            captains,
            entrant_id,
            DismissCaptain(),
            act,
            lambda state: captain_view(tournament_id, entrant_id, state, act.asker),
            scope=tournament_id,
        )

    @router.get(
        "",
        summary="Whether somebody speaks for an entrant",
        description="And which tokens of theirs are good; the tokens themselves are kept nowhere.",
        operation_id="getCaptain",
        response_model=Captain,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(
        tournament_id: TournamentId, entrant_id: EntrantId, asker: Annotated[Asker, Depends(door.reads(OFFICIATE))]
    ) -> Response:
        await require_entrant(tournament_id, entrant_id)
        state, version = await captains.load(entrant_id)
        return read(captain_view(tournament_id, entrant_id, state, asker), version)

    return router


async def issuer_of(act: Act, tournament: str, offices: OfficialsHandler) -> Issuer:
    """The official in the highest of the offices that let them issue tokens, as their streams have it by now."""
    subject, above = act.origin.actor, act.asker.above.get(tournament)
    scopes = [tournament] if above is None else [tournament, above]
    states = {scope: (await offices.load(scope))[0] for scope in scopes}
    for role, scope in product(ISSUERS, scopes):
        term = officials.term(states[scope], Office(subject=subject, role=role))
        if term is not None:
            return Issuer(subject=subject, role=role, scope=scope, term=term)
    raise NotPermitted(reason(NAME_CAPTAIN, act.asker.caller))


def issued_view(state: captains.State, issuer: Issuer, issued: int, asker: Asker) -> Issued:
    if not isinstance(state, NamedCaptain):
        raise TypeError("whoever was issued a token is named")
    captain = Captaincy(
        tournament=state.tournament,
        entrant=state.entrant,
        generation=state.generation,
        serial=state.serial,
        issuer=issuer,
    )
    return Issued(
        expires_at=datetime.fromtimestamp(issued, UTC) + captain_tokens.LONGEST,
        subject=captain.subject,
        serial=state.serial,
        issued_as=issuer.role,
        issued_in=issuer.scope,
        term=issuer.term,
        captain=captain_view(state.tournament, state.entrant, state, asker),
    )


def captaincy_of(answered: Issued, act: Act) -> Captaincy:
    """What the token says, out of the answer that is kept with an idempotency key."""
    return Captaincy(
        tournament=answered.captain.tournament,
        entrant=answered.captain.entrant,
        generation=answered.captain.generation,
        serial=answered.serial,
        issuer=Issuer(subject=act.origin.actor, role=answered.issued_as, scope=answered.issued_in, term=answered.term),
    )


def captain_view(tournament: str, entrant: str, state: captains.State, asker: Asker) -> Captain:
    return Captain(
        tournament=tournament,
        entrant=entrant,
        named=isinstance(state, NamedCaptain),
        generation=generation(state),
        allowed_actions=allowed_actions(CAPTAIN_ACTIONS, tournament, asker),
    )


def generation(state: captains.State) -> int:
    match state:
        case NeverNamed():
            return 0
        case NamedCaptain() | DismissedCaptain():
            return state.generation


def foreseen(state: captains.State, events: Sequence[captains.Event]) -> CaptainForeseen:
    if not events:
        return CaptainForeseen(changes=[], lost=[])
    return CaptainForeseen(
        changes=["Nobody speaks for the entrant until a new token is issued."],
        lost=[f"All tokens of generation {generation(state)} are void at once."],
    )
