"""Captains: tokens for whoever speaks for one entrant, and their end."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import product
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.registration.api.captains.bodies import Captain, CaptainForeseen, Issued, IssuedToken
from services.registration.api.federations import OfficialsHandler
from services.registration.api.permissions import CAPTAIN_ACTIONS, ISSUERS, NAME_CAPTAIN, OFFICIATE, allowed_actions
from services.registration.domain import captains, officials
from services.registration.domain.captains import DismissCaptain, DismissedCaptain, IssueToken, NamedCaptain, NeverNamed
from services.registration.domain.officials import Office
from services.registration.domain.tournament.roster import EntrantUnknown
from services.registration.signing import Signing
from shared.access import captain_tokens
from shared.access.asker import Asker
from shared.access.captain_tokens import Captaincy, Issuer
from shared.access.policy import NotPermitted, Policy, reason
from shared.access.roles import Role
from shared.commands.handler import Handler
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, answer_in, run, tried, with_body
from shared.http.parameters import EntrantId, TournamentId
from shared.http.responses import FOUND, DryRun, changed, read
from shared.refusals import Conflict

type CaptainsHandler = Handler[captains.State, captains.Command, captains.Event]
type EntrantExists = Callable[[str, str], Awaitable[bool]]  # in this tournament, this entrant


class DismissedSince(Conflict):
    """The captain that this key was first used for is none any more."""


class TokenExpired(Conflict):
    """What this key was first used for is good no more."""


def routes(
    *,
    captains: CaptainsHandler,
    offices: OfficialsHandler,
    signing: Signing,
    entrant_exists: EntrantExists,
    door: Door,
) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/entrants/{entrant_id}/captain", tags=["captains"])

    async def require_entrant(tournament_id: str, entrant_id: str) -> None:
        if not await entrant_exists(tournament_id, entrant_id):
            raise EntrantUnknown(
                "Nobody has entered this tournament under this id: look into the list of its entrants."
            )

    @router.post(
        "/token",
        summary="Issue a token to whoever speaks for an entrant",
        description="For whoever speaks for a team, or plays alone: with it they report results of their own tables, "
        "for twelve hours. Tokens that are out stay good. It is kept nowhere: the same request under the same key "
        "makes the same one once more.",
        operation_id="issueCaptainToken",
        response_model=IssuedToken,
        responses=CHANGED,
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
        answered = answer_in(response, Issued)
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
        dry_run: DryRun = False,
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
        responses=FOUND,
    )
    async def one(
        tournament_id: TournamentId, entrant_id: EntrantId, asker: Annotated[Asker, Depends(door.reads(OFFICIATE))]
    ) -> Response:
        await require_entrant(tournament_id, entrant_id)
        state, version = await captains.load(entrant_id)
        return read(captain_view(tournament_id, entrant_id, state, asker), version)

    return router


async def issuer_of(
    act: Act,
    tournament: str,
    offices: OfficialsHandler,
    wanted: Sequence[Role] = ISSUERS,
    policy: Policy = NAME_CAPTAIN,
) -> Issuer:
    """The official in the highest of the offices that let them issue tokens, as their streams have it by now."""
    subject, above = act.origin.actor, act.asker.above.get(tournament)
    scopes = [tournament] if above is None else [tournament, above]
    states = {scope: (await offices.load(scope))[0] for scope in scopes}
    for role, scope in product(wanted, scopes):
        term = officials.term(states[scope], Office(subject=subject, role=role))
        if term is not None:
            return Issuer(subject=subject, role=role, scope=scope, term=term)
    raise NotPermitted(reason(policy, act.asker.caller))


def issued_view(state: captains.State, issuer: Issuer, issued: int, asker: Asker) -> Issued:
    now = named(state)
    captain = Captaincy(
        tournament=now.tournament,
        entrant=now.entrant,
        generation=now.generation,
        serial=now.serial,
        issuer=issuer,
    )
    return Issued(
        expires_at=datetime.fromtimestamp(issued, UTC) + captain_tokens.LONGEST,
        subject=captain.subject,
        serial=now.serial,
        issued_as=issuer.role,
        issued_in=issuer.scope,
        term=issuer.term,
        captain=captain_view(now.tournament, now.entrant, now, asker),
    )


def named(state: captains.State) -> NamedCaptain:
    if isinstance(state, NamedCaptain):
        return state
    raise TypeError("whoever was issued a token is named")


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
