"""Tokens of captains for a whole field at once: as links, as a file, or as a sheet of QR codes to be cut up and handed out."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from http import HTTPStatus
from typing import Annotated
from zoneinfo import ZoneInfo

import segno
from fastapi import APIRouter, Depends, Response
from pydantic import HttpUrl

from services.registration.api.captains.bodies import (
    FieldIssued,
    FieldToken,
    FieldTokens,
    SerialOf,
    SerialsIssued,
    TokensToIssue,
)
from services.registration.api.captains.routes import (
    CaptainsHandler,
    DismissedSince,
    TokenExpired,
    generation,
    issuer_of,
    named,
)
from services.registration.api.federations import OfficialsHandler
from services.registration.api.permissions import NAME_CAPTAIN
from services.registration.api.personal import called_together
from services.registration.domain.captains import IssueToken, NamedCaptain
from services.registration.domain.tournament.entrants import Coming, PlayingEntrant
from services.registration.domain.tournament.plan import Plan
from services.registration.domain.tournament.states import AnnouncedTournament
from services.registration.signing import Signing
from services.registration.streams import TournamentHandler, announced
from shared.access import captain_tokens
from shared.access.captain_tokens import Captaincy, Issuer
from shared.commands.handler import ActPart, Handled, StreamAppend
from shared.csv_lines import as_csv, written
from shared.faults import Faulty, InputFault, at
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.parameters import Absent, TournamentId, start_number
from shared.http.printed import PAGE, FileOrPage, on_paper, page_of
from shared.http.problems import documented
from shared.http.responses import BAD, POSITION, unversioned
from shared.messaging.positions import Position
from shared.personal.shown_names import NamesShown, called
from shared.refusals import Conflict
from shared.values import Value

COLUMNS = ("entrant", "number", "name", "link", "token")
EXAMPLE = f"{','.join(COLUMNS)}\r\n019aa4c2,7,Mária Nováková,https://play.example.org/captain#token=ey…,ey…\r\n"
ISSUED = {
    **BAD,
    **documented(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    HTTPStatus.OK.value: {"headers": POSITION, "content": as_csv(EXAMPLE)[HTTPStatus.OK.value]["content"] | PAGE},
}
STYLE = """
  body { font: 10pt/1.3 system-ui, sans-serif; margin: 1cm; } h1 { font-size: 14pt; margin: 0; } p { margin: .2em 0 1em; }
  main { display: grid; grid-template-columns: repeat(2, 1fr); gap: .6cm; }
  section { border: 1px dashed #999; padding: .4cm; text-align: center; break-inside: avoid; }
  h2 { font-size: 12pt; margin: 0 0 .2cm; overflow-wrap: anywhere; } svg { width: 6.5cm; height: 6.5cm; }
  @page { margin: 1cm; } @media print { body { margin: 0; } }
"""


class NobodyTakesPart(Conflict):
    """There is nobody for whom somebody could speak."""


class FieldIssuing(Value):
    """Issues tokens for many entrants in one act: all of them, or none."""

    captains: CaptainsHandler
    tournaments: TournamentHandler
    offices: OfficialsHandler
    signing: Signing
    names: NamesShown

    async def issue(self, tournament: str, sent: TokensToIssue, act: Act) -> tuple[SerialsIssued, str]:
        """What has been issued, and how far the log goes with it; the same request under the same key names the same."""
        handled = await self.captains.repeated(act.key) or await self._issue(tournament, sent, act)
        serials = SerialsIssued.model_validate_json(handled.response)
        await self._require_good(serials)
        return serials, str(Position(source=self.captains.service, head=handled.head))

    async def _issue(self, tournament: str, sent: TokensToIssue, act: Act) -> Handled:
        wanted = wanted_of(await announced(self.tournaments, tournament), sent.entrants)
        await self.signing.require_ready()
        issuer, issued = await issuer_of(act, tournament, self.offices), self.signing.issued_now()
        found: dict[str, NamedCaptain] = {}
        first, *others = wanted
        return await self.captains.handle(
            first,
            order_of(tournament, first, issuer, issued),
            scope=tournament,
            origin=act.origin,
            respond=lambda state, _: answered(found | {first: named(state)}, wanted, issuer, issued),
            key=act.key,
            also=[self._part(tournament, one, issuer, issued, act, found) for one in others],
        )

    def _part(
        self, tournament: str, entrant: str, issuer: Issuer, issued: int, act: Act, found: dict[str, NamedCaptain]
    ) -> ActPart:
        """The token of one more, and what has become of their captain with it."""
        order = order_of(tournament, entrant, issuer, issued)

        async def decided() -> StreamAppend:
            state, version = await self.captains.load(entrant)
            decider = self.captains.decider
            found[entrant] = named(decider.fold(decider.decide(state, order), state))
            return self.captains.follow_up(entrant, order, on=(state, version), scope=tournament, origin=act.origin)

        return decided

    async def _require_good(self, serials: SerialsIssued) -> None:
        """What a key was first used for may have ended since."""
        if self.signing.issued_now() >= serials.expires_at.timestamp():
            raise TokenExpired("The tokens that were issued under this key have expired: use a new key for others.")
        for one in serials.items:
            state, _ = await self.captains.load(one.entrant)
            if generation(state) != one.generation:
                raise DismissedSince(
                    f"The captain of {one.entrant} was dismissed after this request first came: use a new key for a new act."
                )

    async def tokens(self, tournament: str, serials: SerialsIssued, page: HttpUrl | None, act: Act) -> FieldTokens:
        state = await announced(self.tournaments, tournament)
        entrants = [state.roster.entrants[one.entrant] for one in serials.items]
        names = await self.names.of_officials(
            [one for there in entrants for one in (there.entrant, *there.said.persons)]
        )
        then = int((serials.expires_at - captain_tokens.LONGEST).timestamp())
        items: list[FieldToken] = []
        issuer = Issuer(subject=act.origin.actor, role=serials.issued_as, scope=serials.issued_in, term=serials.term)
        for one, there in zip(serials.items, entrants, strict=True):
            captain = Captaincy(
                tournament=tournament,
                entrant=one.entrant,
                generation=one.generation,
                serial=one.serial,
                issuer=issuer,
            )
            token = await self.signing.sign(captain, then)
            items.append(
                FieldToken(
                    **dict(one),
                    number=there.number if isinstance(there, PlayingEntrant) else None,
                    name=called_together(one.entrant, there.said.persons, names),
                    token=token,
                    link=f"{page}#token={token}" if page else None,
                )
            )
        return FieldTokens(**serials.model_dump(include={*FieldIssued.model_fields}), items=items)


def wanted_of(state: AnnouncedTournament, sent: Sequence[str] | None) -> list[str]:
    """For whom, each once; nobody speaks for somebody who is gone."""
    there = [*state.roster.coming, *(one for one in state.roster.participants if isinstance(one, PlayingEntrant))]
    if sent is None:
        if not there:
            raise NobodyTakesPart("Nobody takes part yet, so that nobody is spoken for: enter somebody first.")
        return [one.entrant for one in sorted(there, key=number_of)]
    here, faults, wanted = {one.entrant for one in there}, list[InputFault](), list[str]()
    for place, one in enumerate(sent):
        number = start_number(one)
        entrant = one if number is None else state.roster.numbered(number)
        if entrant in here:
            wanted.append(entrant)
        else:
            faults.append(
                InputFault(at("entrants", place), "names nobody who takes part: look into the list of entrants")
            )
    if faults:
        raise Faulty("No token was issued: mend what errors name.", faults)
    return [*dict.fromkeys(wanted)]


def number_of(entrant: Coming | PlayingEntrant) -> int:
    return entrant.number if isinstance(entrant, PlayingEntrant) else 0


def order_of(tournament: str, entrant: str, issuer: Issuer, issued: int) -> IssueToken:
    return IssueToken(tournament=tournament, entrant=entrant, issuer=issuer, issued=issued)


def answered(found: Mapping[str, NamedCaptain], wanted: Sequence[str], issuer: Issuer, issued: int) -> bytes:
    serials = [SerialOf(entrant=one, generation=found[one].generation, serial=found[one].serial) for one in wanted]
    issued_all = SerialsIssued(
        expires_at=datetime.fromtimestamp(issued, UTC) + captain_tokens.LONGEST,
        issued_as=issuer.role,
        issued_in=issuer.scope,
        term=issuer.term,
        items=serials,
    )
    return issued_all.model_dump_json().encode()


def routes(*, issuing: FieldIssuing, page: HttpUrl | None, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["captains"])

    @router.post(
        "/captain-tokens",
        summary="Issue tokens to all who speak for entrants",
        description="What `issueCaptainToken` does, for a whole field: all of them, or none. Each comes with a link "
        "that has it behind `#token=`; `format=page` is a sheet of QR codes, `format=csv` is for a mail merge.",
        operation_id="issueCaptainTokens",
        response_model=FieldTokens,
        responses=ISSUED,
    )
    async def issue(
        tournament_id: TournamentId,
        act: Annotated[Act, Depends(door.acts(NAME_CAPTAIN))],
        body: TokensToIssue | Absent = None,
        as_format: FileOrPage = None,
    ) -> Response:
        sent = body or TokensToIssue()
        leading_to = sent.page or page
        if as_format == "page" and leading_to is None:
            fault = "is needed for a sheet of QR codes: they lead to the page of a frontend, and the operators have set none"
            raise Faulty("No token was issued.", [InputFault("/page", fault)])
        serials, position = await issuing.issue(tournament_id, sent, act)
        tokens = await issuing.tokens(tournament_id, serials, leading_to, act)
        response = in_form(tokens, as_format, (await announced(issuing.tournaments, tournament_id)).plan)
        response.headers["Roundlog-Position"] = position
        return response

    def in_form(tokens: FieldTokens, as_format: FileOrPage, plan: Plan) -> Response:
        if as_format is None:
            return unversioned(tokens)
        return on_paper(as_format, file=lambda: file_of(tokens), page=lambda: sheet_of(tokens, plan))

    return router


def file_of(tokens: FieldTokens) -> bytes:
    return written(COLUMNS, (one.model_dump(include={*COLUMNS}) for one in tokens.items))


def sheet_of(tokens: FieldTokens, plan: Plan) -> Response:
    until = f"{tokens.expires_at.astimezone(ZoneInfo(plan.time_zone)):%Y-%m-%d %H:%M}"
    cards = "\n".join(card_of(one) for one in tokens.items)
    below = f"Each code is the key of one entrant, good until {until}: hand it to nobody else."
    return page_of(f"{plan.name}: captains", below, f"<main>{cards}</main>", STYLE)


def card_of(one: FieldToken) -> str:
    number = f"{one.number}. " if one.name and one.number is not None else ""
    code = segno.make_qr(one.link or one.token, error="l").svg_inline(border=4, omitsize=True)
    return f"<section><h2>{escape(number + called(one.name, one.number))}</h2>{code}</section>"
