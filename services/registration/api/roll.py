"""The membership roll of a season: the annual fee, who has paid it, and the list as the council keeps it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from fractions import Fraction
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response
from msgspec.structs import asdict
from pydantic import AfterValidator, BaseModel, Field

from services.registration.api.bodies import PERSON, TOURNAMENT, OnePerson, in_reach, next_page, optional_id
from services.registration.api.parameters import FederationId, id_in_path
from services.registration.api.permissions import KEEP_ROLL
from services.registration.api.persons.directory import Directory
from services.registration.api.seasons import SEASON, SeasonId
from services.registration.domain.roll import AnnualFee, Dues, EnrolMember, NotOnRoll, Roll, SetAnnualFee, StrikeMember
from services.registration.domain.seasons import season_of
from services.registration.domain.tournament.entries import NoteMembership
from services.registration.eligibility.judge import Judge
from services.registration.eligibility.membership import MEMBER, Membership
from services.registration.streams import TournamentHandler
from shared.commands.handler import ActPart
from shared.csv_lines import CSV, as_csv, written
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, CREATED, answer_in, run, with_body
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import PAGE, After, Limit, items_after, page
from shared.numbers import exact, shown, stored
from shared.rulesets.parts import Currency, Exact
from shared.values import Value

COLUMNS = ("person", "name", "amount", "currency", "on", "reference", "joins", "decision", "tournament", "same_as")
FILE = as_csv(f"{','.join(COLUMNS)}\r\n{PERSON},Mária Nováková,15,EUR,2026-09-12,VS-2026-3,yes,,,\r\n")
FOUND = PAGE | {
    HTTPStatus.OK.value: {**PAGE[HTTPStatus.OK.value], "content": FILE[HTTPStatus.OK.value]["content"]},
}

AS_FILE = Query(alias="format", description="The whole roll as a file for spreadsheets.", examples=["csv"])


type MemberId = Annotated[str, id_in_path("member", "The person, as the roll has them.", PERSON)]


class AnnualFeeToSet(RequestBody):
    amount: Exact = Field(ge=0, description="What a member pays for the season.", examples=[10])
    joining: Exact = Field(default=Fraction(0), ge=0, description="What somebody new pays besides.", examples=[5])
    currency: Currency


class MemberToEnrol(RequestBody):
    person: OnePerson
    amount: Exact = Field(ge=0, description="What they have paid.", examples=[15])
    currency: Currency
    on: Annotated[date, AfterValidator(in_reach)] = Field(
        description="The day on which it was paid, or credited; none that is still to come.", examples=["2026-09-12"]
    )
    reference: str = Field(
        min_length=1,
        max_length=64,
        pattern=r"^[!-~]+$",
        description="Of the bank, or the number of the receipt; never a name.",
        examples=["VS-2026-3"],
    )
    joins: bool = Field(default=False, description="Whether they pay for joining too.", examples=[True])
    decision: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9-]{1,64}$",
        description="Why less is enough: a code.",
        examples=["honorary"],
    )
    tournament: str | None = optional_id(
        "tournament", "At which it was paid, where it was paid at one.", example=TOURNAMENT
    )


class MemberToStrike(RequestBody):
    reason: str = Field(pattern=r"^[a-z0-9-]{1,64}$", description="A code.", examples=["enrolled-by-mistake"])


class AnnualFeeShown(BaseModel):
    season: str = Field(examples=[SEASON])
    amount: float | int = Field(examples=[10])
    joining: float | int = Field(examples=[5])
    currency: str = Field(examples=["EUR"])


class SeasonMember(BaseModel):
    person: str = Field(examples=[PERSON])
    name: str | None = Field(description="Null when it was erased.", examples=["Mária Nováková"])
    amount: float | int = Field(examples=[15])
    currency: str = Field(examples=["EUR"])
    on: str = Field(examples=["2026-09-12"])
    reference: str = Field(examples=["VS-2026-3"])
    joins: bool = Field(examples=[True])
    decision: str | None = Field(examples=[None])
    tournament: str | None = Field(examples=[None])
    same_as: str | None = Field(
        default=None,
        description="The person of an earlier line, where both turned out to be one: one of the two is to be struck off.",
        examples=[None],
    )


class MemberGone(BaseModel):
    members: int = Field(description="How many are left.", examples=[41])


class RollPage(BaseModel):
    fee: AnnualFeeShown | None = Field(
        description="Null: the roll is not kept, and entries say themselves who is a member."
    )
    members: int = Field(description="All of them; who turned out to stand there twice is one.", examples=[42])
    items: list[SeasonMember] = Field(description="In the order in which they were enrolled.")
    next: str | None = next_page(PERSON)


class RollDesk(Value):
    """What the operations of the roll need."""

    membership: Membership
    directory: Directory
    tournaments: TournamentHandler
    judge: Judge

    async def roll(self, federation: str, season: str) -> Roll:
        """That of one of the federation's seasons."""
        seasons, _ = await self.membership.seasons.load(federation)
        season_of(seasons, season)
        state, _ = await self.membership.rolls.load(season)
        return state

    async def entries_of(
        self, season: str, ids: Sequence[str], members: Mapping[str, Dues], act: Act
    ) -> Sequence[ActPart]:
        """What becomes of somebody's entries in a season when these are its members."""
        then = Roll(members=members)
        found: list[ActPart] = []
        for tournament, state in (await self.directory.tournaments_of(ids)).items():
            entrant = next(filter(None, map(state.roster.entrant_of, ids)), None)
            if entrant is None or state.plan.counting is None or state.plan.counting.season != season:
                continue
            is_member = MEMBER in await self.membership.members(entrant.said.persons, then)
            order = NoteMembership(entrant=entrant.entrant, member=is_member)
            found.append(self.tournaments.part(tournament, order, scope=tournament, origin=act.origin))
        return found

    async def repeated(self, members: Collection[str]) -> Mapping[str, str]:
        """Who has paid under two ids that turned out to be one person: by the later one of them the earlier one."""
        there = await self.directory.views.registered(members)
        first: dict[str, str] = {}
        found: dict[str, str] = {}
        for one in members:
            kept = one if one in there else await self.directory.kept(one)
            if (before := first.setdefault(kept, one)) != one:
                found[one] = before
        return found

    async def name(self, members: Sequence[SeasonMember]) -> None:
        known = await self.directory.shown.of_officials([one.person for one in members])
        for one in members:
            one.name = known.get(one.person)


def routes(*, desk: RollDesk, door: Door) -> APIRouter:
    router = Router(prefix="/v1/federations/{federation_id}/seasons/{season_id}/roll", tags=["seasons"])
    kept = Depends(door.acts(KEEP_ROLL))

    @router.post(
        "/fee",
        summary="Set the annual fee of members",
        description="With it the roll is kept: `member` and `first-time` of entries in this season that are made or "
        "detailed from now on follow from the roll and the history, not from what they say.",
        operation_id="setAnnualFee",
        response_model=AnnualFeeShown,
        responses=CHANGED,
    )
    async def set_fee(
        federation_id: FederationId, season_id: SeasonId, body: AnnualFeeToSet, act: Annotated[Act, kept]
    ) -> Response:
        await desk.roll(federation_id, season_id)
        fee = AnnualFee(amount=stored(body.amount), joining=stored(body.joining), currency=body.currency)
        order = SetAnnualFee(season=season_id, federation=federation_id, fee=fee)
        return await run(desk.membership.rolls, season_id, order, act, fee_now, scope=federation_id)

    @router.post(
        "/members",
        summary="Enrol a member",
        description="Who has paid the annual fee. Their entries in tournaments of the season that are not paid yet become those "
        "of a member in the same act.",
        operation_id="enrolMember",
        status_code=HTTPStatus.CREATED,
        response_model=SeasonMember,
        responses=CREATED,
    )
    async def enrol(
        federation_id: FederationId, season_id: SeasonId, body: MemberToEnrol, act: Annotated[Act, kept]
    ) -> Response:
        state = await desk.roll(federation_id, season_id)
        ids = await desk.directory.all_ids(body.person)
        person = next((one for one in ids if one in state.members), ids[0])  # as they are on it already
        dues = dues_of(body)
        response = await run(
            desk.membership.rolls,
            season_id,
            EnrolMember(person=person, dues=dues, is_ahead=desk.judge.is_ahead(body.on)),
            act,
            lambda state: member_view(person, state.members[person]),
            status=HTTPStatus.CREATED,
            scope=federation_id,
            also=await desk.entries_of(season_id, ids, {**state.members, person: dues}, act),
        )
        member = answer_in(response, SeasonMember)
        await desk.name([member])
        return with_body(response, member)

    @router.post(
        "/members/{member_id}/strike",
        summary="Strike a member off the roll",
        description="Enrolled by mistake, or their dues were given back. Their entries that are not paid yet become those of "
        "somebody who is no member.",
        operation_id="strikeMember",
        response_model=MemberGone,
        responses=CHANGED,
    )
    async def strike(
        federation_id: FederationId,
        season_id: SeasonId,
        member_id: MemberId,
        body: MemberToStrike,
        act: Annotated[Act, kept],
    ) -> Response:
        state = await desk.roll(federation_id, season_id)
        ids = await desk.directory.all_ids(member_id)
        person = next((one for one in (member_id, *ids) if one in state.members), member_id)
        left = {one: dues for one, dues in state.members.items() if one != person}
        twice = len(await desk.repeated(left))
        return await run(
            desk.membership.rolls,
            season_id,
            StrikeMember(person=person, reason=body.reason),
            act,
            lambda state: MemberGone(members=len(state.members) - twice),
            scope=federation_id,
            also=await desk.entries_of(season_id, ids, left, act),
        )

    @router.get(
        "",
        summary="The roll of a season",
        description="For the council and organisers, page by page, in the order of enrolment; with `format=csv` the whole roll "
        "for spreadsheets.",
        operation_id="getRoll",
        response_model=RollPage,
        responses=FOUND | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(KEEP_ROLL))],
    )
    async def several(
        federation_id: FederationId,
        season_id: SeasonId,
        as_format: Annotated[Literal["csv"] | Absent, AS_FILE] = None,
        after: After = "",
        limit: Limit = 100,
    ) -> Response:
        state = await desk.roll(federation_id, season_id)
        again = await desk.repeated(state.members)
        everybody = [member_view(person, dues, again.get(person)) for person, dues in state.members.items()]
        begin = after if as_format is None else ""
        items, following = items_after(begin, everybody, limit, lambda one: one.person)
        shown_now = everybody if as_format == "csv" else items
        await desk.name(shown_now)
        path = f"/v1/federations/{federation_id}/seasons/{season_id}/roll"
        body = RollPage(
            fee=fee_now(state) if state.fee else None,
            members=len(everybody) - len(again),
            items=shown_now,
            next=following,
        )
        if as_format is None:
            return page(body, path, following, {"limit": limit})
        response = Response(roll_file(everybody), media_type=CSV)
        response.headers["ETag"] = page(body, path, None, {}).headers["ETag"]
        return response

    return router


def dues_of(body: MemberToEnrol) -> Dues:
    said = body.model_dump(exclude={"person", "amount", "on"})
    return Dues(amount=stored(body.amount), on=body.on.isoformat(), **said)


def fee_now(state: Roll) -> AnnualFeeShown:
    if state.fee is None:
        raise NotOnRoll("The roll of this season is not kept yet: set the annual fee first.")
    fee = state.fee
    return AnnualFeeShown(
        season=state.season,
        amount=shown(exact(fee.amount)),
        joining=shown(exact(fee.joining)),
        currency=fee.currency,
    )


def member_view(person: str, dues: Dues, same_as: str | None = None) -> SeasonMember:
    said = {"person": person, "name": None, "amount": shown(exact(dues.amount)), "same_as": same_as}
    return SeasonMember.model_validate(asdict(dues) | said)


def roll_file(members: Sequence[SeasonMember]) -> bytes:
    return written(COLUMNS, ({**one.model_dump(), "joins": "yes" if one.joins else ""} for one in members))
