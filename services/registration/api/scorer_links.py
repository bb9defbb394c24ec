"""Links that open the desk of a scorer: made, listed and revoked by whoever directs the tournament."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Response
from pydantic import BaseModel, Field, HttpUrl

from services.registration.api.bodies import TOURNAMENT
from services.registration.api.captains.bodies import ISSUED_IN, TERM, PageOfLinks
from services.registration.api.captains.routes import DismissedSince, TokenExpired, issuer_of
from services.registration.api.federations import OfficialsHandler
from services.registration.api.permissions import LINK_ACTIONS, LINK_SCORERS, allowed_actions
from services.registration.domain import officials
from services.registration.domain.officials import Office
from services.registration.domain.scorer_links import Command, Event, IssuedLink, IssueLinks, RevokeLink, ScorerLinks
from services.registration.signing import Signing
from services.registration.streams import TournamentHandler, announced
from shared.access.asker import Asker
from shared.access.captain_tokens import Issuer
from shared.access.roles import Role
from shared.access.scorer_links import ScorerLink, subject_of
from shared.commands.handler import Handler
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, answer_in, run, with_body
from shared.http.parameters import Absent, TournamentId
from shared.http.responses import FOUND, Actions, allowed, read
from shared.values import Value

type LinksHandler = Handler[ScorerLinks, Command, Event]
type LinkStatus = Literal["good", "expired", "revoked", "void"]

MOST_AT_ONCE = 50
LONGEST = 12  # hours that a link is good for
MAKERS = (Role.DIRECTOR,)
NUMBER = Field(description="1, 2, 3 … of this tournament.", examples=[1])
SUBJECT = Field(description="How the log names who acts with it.", examples=[f"scorer:{TOURNAMENT}:1"])

type LinkNumber = Annotated[int, Path(ge=1, le=10_000, description="Of the link.", examples=[1])]


class LinksToIssue(RequestBody):
    count: int = Field(default=1, ge=1, le=MOST_AT_ONCE, description="How many.", examples=[3])
    hours: int = Field(default=LONGEST, ge=1, le=LONGEST, description="For how long they are good.", examples=[8])
    page: PageOfLinks = None


class NumbersIssued(BaseModel):
    """All of it but the tokens, which are kept nowhere."""

    issued_at: datetime = Field(examples=["2026-11-21T09:00:00Z"])
    expires_at: datetime = Field(description="When to come for others.", examples=["2026-11-21T21:00:00Z"])
    issued_as: Role = Field(description="Your office: when you are dismissed, they are void.", examples=[Role.DIRECTOR])
    issued_in: str = ISSUED_IN
    term: int = TERM
    numbers: list[int] = Field(examples=[[1, 2, 3]])


class ScorerToken(BaseModel):
    number: int = NUMBER
    subject: str = SUBJECT
    token: str = Field(
        description="Keep it nowhere: `Authorization: Bearer …`.",
        examples=["eyJhbGciOiJFZERTQSIsImtpZCI6IjExcVlBWUt4Q3JmVlMifQ.eyJzdWIiOiJzY29yZXI6MDE5YWEifQ.c2lnbmF0dXJl"],
    )
    link: str | None = Field(
        description="The page with the token behind `#token=`, which browsers send to nobody. Null where no page is known.",
        examples=["https://play.example.org/desk#token=eyJhbGciOiJFZERTQSJ9.eyJzdWIi.c2lnbmF0dXJl"],
    )


class ScorerLinksIssued(NumbersIssued):
    items: list[ScorerToken]


class LinkListed(BaseModel):
    number: int = NUMBER
    subject: str = SUBJECT
    issued_at: datetime = Field(examples=["2026-11-21T09:00:00Z"])
    expires_at: datetime = Field(examples=["2026-11-21T21:00:00Z"])
    issued_by: str = Field(description="The subject of whoever has made it.", examples=["d0f3c1"])
    status: LinkStatus = Field(
        description="`void`: who has made it holds the office no more.",
        examples=["good"],
    )


class LinksListed(BaseModel):
    items: list[LinkListed] = Field(description="The newest first.")
    allowed_actions: Actions = allowed(*LINK_ACTIONS)


class ScorerDesk(Value):
    """Makes links, and says which of them are good."""

    links: LinksHandler
    offices: OfficialsHandler
    signing: Signing
    page: HttpUrl | None

    async def sign(self, tournament: str, numbers: NumbersIssued, page: HttpUrl | None, act: Act) -> ScorerLinksIssued:
        issuer = Issuer(subject=act.origin.actor, role=numbers.issued_as, scope=numbers.issued_in, term=numbers.term)
        lasting, leading_to = numbers.expires_at - numbers.issued_at, page or self.page
        items: list[ScorerToken] = []
        for number in numbers.numbers:
            link = ScorerLink(tournament=tournament, number=number, issuer=issuer)
            token = await self.signing.sign(link, int(numbers.issued_at.timestamp()), lasting=lasting)
            opens = f"{leading_to}#token={token}" if leading_to else None
            items.append(ScorerToken(number=number, subject=link.subject, token=token, link=opens))
        return ScorerLinksIssued(**dict(numbers), items=items)

    async def require_good(self, tournament: str, numbers: NumbersIssued) -> None:
        """What a key was first used for may have ended since."""
        if self.signing.issued_now() >= numbers.expires_at.timestamp():
            raise TokenExpired("The links that were made under this key have expired: use a new key for others.")
        state, _ = await self.links.load(tournament)
        if gone := [number for number in numbers.numbers if state.links[number].revoked]:
            raise DismissedSince(
                f"Link {gone[0]} was revoked after this request first came: use a new key for a new act."
            )

    async def listed(self, tournament: str, state: ScorerLinks, asker: Asker) -> LinksListed:
        scopes = {one.issuer.scope for one in state.links.values()}
        offices = {scope: (await self.offices.load(scope))[0] for scope in scopes}
        now = self.signing.issued_now()
        items = [
            LinkListed(
                number=one.number,
                subject=subject_of(tournament, one.number),
                issued_at=moment(one.issued),
                expires_at=moment(one.expires),
                issued_by=one.issuer.subject,
                status=status_of(one, offices[one.issuer.scope], now),
            )
            for one in reversed([*state.links.values()])
        ]
        return LinksListed(items=items, allowed_actions=allowed_actions(LINK_ACTIONS, tournament, asker))


def routes(*, desk: ScorerDesk, tournaments: TournamentHandler, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/scorer-links", tags=["tournaments"])

    @router.post(
        "",
        summary="Make links for scorers",
        description="Whoever opens one enters results of this tournament, as a scorer and nothing else, until it ends. "
        "Tokens are kept nowhere: the same request under the same key makes the same ones once more.",
        operation_id="issueScorerLinks",
        response_model=ScorerLinksIssued,
        responses=CHANGED,
    )
    async def issue(
        tournament_id: TournamentId,
        act: Annotated[Act, Depends(door.acts(LINK_SCORERS))],
        body: LinksToIssue | Absent = None,
    ) -> Response:
        await announced(tournaments, tournament_id)
        await desk.signing.require_ready()
        sent = body or LinksToIssue()
        issuer = await issuer_of(act, tournament_id, desk.offices, MAKERS, LINK_SCORERS)
        issued = desk.signing.issued_now()
        expires = issued + int(timedelta(hours=sent.hours).total_seconds())
        order = IssueLinks(tournament=tournament_id, count=sent.count, issuer=issuer, issued=issued, expires=expires)
        response = await run(
            desk.links,
            tournament_id,
            order,
            act,
            lambda state: NumbersIssued(
                issued_at=moment(issued),
                expires_at=moment(expires),
                issued_as=issuer.role,
                issued_in=issuer.scope,
                term=issuer.term,
                numbers=list(state.links)[-sent.count :],
            ),
        )
        numbers = answer_in(response, NumbersIssued)
        await desk.require_good(tournament_id, numbers)
        return with_body(response, await desk.sign(tournament_id, numbers, sent.page, act))

    @router.get(
        "",
        summary="The links of scorers",
        description="Who has made them, and which of them are good; the tokens themselves are kept nowhere.",
        operation_id="listScorerLinks",
        response_model=LinksListed,
        responses=FOUND,
    )
    async def several(
        tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(LINK_SCORERS))]
    ) -> Response:
        await announced(tournaments, tournament_id)
        state, version = await desk.links.load(tournament_id)
        return read(await desk.listed(tournament_id, state, asker), version)

    @router.post(
        "/{number}/revoke",
        summary="Revoke a scorer's link",
        description="It opens nothing any more, at every service, within a moment. What was entered with it stays.",
        operation_id="revokeScorerLink",
        response_model=LinksListed,
        responses=CHANGED,
    )
    async def revoke(
        tournament_id: TournamentId, number: LinkNumber, act: Annotated[Act, Depends(door.acts(LINK_SCORERS))]
    ) -> Response:
        await announced(tournaments, tournament_id)
        response = await run(desk.links, tournament_id, RevokeLink(number=number), act, lambda _: b"{}")
        state, _ = await desk.links.load(tournament_id)
        return with_body(response, await desk.listed(tournament_id, state, act.asker))

    return router


def status_of(one: IssuedLink, offices: officials.State, now: int) -> LinkStatus:
    if one.revoked:
        return "revoked"
    if now >= one.expires:
        return "expired"
    held = officials.term(offices, Office(subject=one.issuer.subject, role=one.issuer.role))
    return "good" if held == one.issuer.term else "void"


def moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
