"""Entries: somebody comes in, many at once, or one after the start."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import date
from http import HTTPStatus
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel

from services.registration.api import permissions
from services.registration.api.bodies import ID, EntrantId, TournamentId
from services.registration.api.entrants.bodies import Entrant, EntrantInFull, EntrantStatus
from services.registration.api.entrants.views import entrant_view, full_entrant_view
from services.registration.api.entries.bodies import (
    AsDetailed,
    EntriesToMake,
    EntryListed,
    EntryPage,
    EntrySheet,
    EntryToMake,
    Ground,
    HappenedToEntry,
    HistoryOfEntry,
    Imported,
    LateArrival,
    LateEntry,
    MembersThere,
    OneMember,
    Payment,
    Substitution,
)
from services.registration.api.entries.intake import Intake, Newcomers, also_said
from services.registration.api.entries.views import entry_view, listed_entry_views
from services.registration.api.levels import ReserveToCall
from services.registration.api.personal import name_entrants
from services.registration.api.tournaments.bodies import Tournament
from services.registration.api.tournaments.lifecycle import RatingLists
from services.registration.api.tournaments.routes import TournamentHandler
from services.registration.api.tournaments.views import tournament_view
from services.registration.domain.tournament import TOURNAMENT, Command, Event, entry_orders, known, orders
from services.registration.domain.tournament.entry_orders import RegionReason
from services.registration.domain.tournament.finding import there
from services.registration.domain.tournament.states import Known, Plan
from services.registration.eligibility.deadlines import as_stored, is_late_payment
from services.registration.judge import Judge
from shared.access.asker import Asker
from shared.access.policy import NotPermitted
from shared.access.references import id_of
from shared.clock import Now
from shared.http.door import Act, Door
from shared.http.orders import CHANGED, CREATED, run, with_body
from shared.http.parameters import Absent
from shared.http.problems import documented, slug
from shared.http.responses import PAGE, READ, After, Limit, page, read
from shared.log.envelope import Envelope
from shared.log.store import Recorded
from shared.numbers import stored
from shared.personal.notes import Notes
from shared.personal.shown_names import NamesShown

type ToEntry = Callable[[str, str, Command, Act], Awaitable[Response]]
type Waiving = entry_orders.RequestWaiver | entry_orders.GrantWaiver | entry_orders.RefuseWaiver


def payment(entrant: str, body: Payment, plan: Plan) -> entry_orders.RecordPayment:
    return entry_orders.RecordPayment(
        entrant=entrant,
        amount=stored(body.amount),
        currency=body.currency,
        on=body.on.isoformat(),
        reference=body.reference,
        is_late=is_late_payment(plan.ruleset, date.fromisoformat(plan.starts_on), body.on),
        decision=body.decision,
    )


def operations(
    router: APIRouter, to_entry: ToEntry, state_of: Callable[[str], Awaitable[Known]], organised: object
) -> None:
    @router.post(
        "/entrants/{entrant_id}/payments",
        summary="Record a payment",
        description="All that is due by the fee of that day, in one of its currencies. Less is refused.",
        operation_id="recordPayment",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def pay(
        tournament_id: TournamentId, entrant_id: EntrantId, body: Payment, act: Annotated[Act, organised]
    ) -> Response:
        order = payment(entrant_id, body, (await state_of(tournament_id)).plan)
        return await to_entry(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/refunds",
        summary="Record that money was given back",
        description="To who has withdrawn in time; to others by a decision.",
        operation_id="recordRefund",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def give_back(
        tournament_id: TournamentId, entrant_id: EntrantId, body: Payment, act: Annotated[Act, organised]
    ) -> Response:
        order = entry_orders.RecordRefund(
            entrant=entrant_id,
            amount=stored(body.amount),
            currency=body.currency,
            on=body.on.isoformat(),
            reference=body.reference,
            decision=body.decision,
        )
        return await to_entry(tournament_id, entrant_id, order, act)

    def about_waiver(path: str, operation: str, order: type[Waiving], summary: str, description: str) -> None:
        @router.post(
            f"/entrants/{{entrant_id}}/waivers/{path}",
            summary=summary,
            description=description,
            operation_id=operation,
            response_model=EntrySheet,
            responses=CHANGED,
        )
        async def waive(
            tournament_id: TournamentId,
            entrant_id: EntrantId,
            body: Ground,
            act: Annotated[Act, organised],
        ) -> Response:
            return await to_entry(tournament_id, entrant_id, order(entrant=entrant_id, ground=body.ground), act)

    about_waiver(
        *("request", "requestWaiver", entry_orders.RequestWaiver, "Ask for a waiver of the fee"),
        "On one of the grounds that the rules name.",
    )
    about_waiver(
        *("grant", "grantWaiver", entry_orders.GrantWaiver, "Grant a waiver"),
        "Where it was asked for. The log keeps who granted it, and when.",
    )
    about_waiver(
        *("refuse", "refuseWaiver", entry_orders.RefuseWaiver, "Refuse a waiver"),
        "Also one that was granted by mistake: the fee is due again.",
    )


def routes(
    *, tournaments: TournamentHandler, entrance: Intake, seeding: RatingLists, notes: Notes, door: Door, now: Now
) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/entrants", tags=["entrants"])

    @router.post(
        "",
        summary="Enter somebody",
        description="Somebody known by their id, or somebody new by a name: then they are registered with it. Entering "
        "once more with the same changes nothing. After entries have closed it takes a decision of the organiser.",
        operation_id="enterTournament",
        status_code=HTTPStatus.CREATED,
        response_model=EntrantInFull,
        responses=CREATED,
    )
    async def enter(
        tournament_id: TournamentId,
        body: EntryToMake,
        act: Annotated[Act, Depends(door.acts(permissions.ORGANISE))],
    ) -> Response:
        state = await state_of(tournament_id)
        comers = await entrance.comers([body], state.plan, act)
        async with notes.kept(tournament_id, body.words, act.key) as note:
            order = orders.Enter(
                entries=comers.entries,
                at=as_stored(now()),
                decision=body.decision,
                passed=entrance.judge.passed(state.plan),
                approval=approval([body], act, tournament_id),
                note=note,
            )
            return await come(tournament_id, order, comers, act)

    @router.post(
        "/import",
        summary="Enter many at once",
        description="All of them, or nobody; everything that is wrong is named at once.",
        operation_id="importEntrants",
        status_code=HTTPStatus.CREATED,
        response_model=Imported,
        responses=CREATED,
    )
    async def enter_many(
        tournament_id: TournamentId,
        body: EntriesToMake,
        act: Annotated[Act, Depends(door.acts(permissions.ORGANISE))],
    ) -> Response:
        state = await state_of(tournament_id)
        comers = await entrance.comers(body.entrants, state.plan, act)
        async with notes.kept(tournament_id, body.words, act.key) as note, entrance.coming(comers) as came:
            order = orders.Enter(
                entries=comers.entries,
                at=as_stored(now()),
                decision=body.decision,
                passed=entrance.judge.passed(state.plan),
                approval=approval(body.entrants, act, tournament_id),
                note=note,
            )
            response = await run(
                tournaments,
                tournament_id,
                order,
                act,
                lambda state: Imported(entrants=[entrant_view(state, entrant) for entrant in comers.entrants(state)]),
                status=HTTPStatus.CREATED,
                beside=comers.beside,
            )
            imported = Imported.model_validate_json(bytes(response.body))
            came += imported.entrants
        return await named(response, imported, imported.entrants)

    @router.post(
        "/admit",
        summary="Admit somebody after the start",
        description="They get the next start number and play from a round on.",
        operation_id="admitLateEntrant",
        status_code=HTTPStatus.CREATED,
        response_model=EntrantInFull,
        responses=CREATED,
    )
    async def admit(
        tournament_id: TournamentId,
        body: LateEntry,
        act: Annotated[Act, Depends(door.acts(permissions.ORGANISE))],
    ) -> Response:
        state = await state_of(tournament_id)
        comers = await entrance.comers([body], state.plan, act)
        async with notes.kept(tournament_id, body.words, act.key) as note:
            (entry,) = comers.entries
            order = orders.AdmitLate(
                entry=entry,
                from_round=body.from_round,
                decision=body.decision,
                passed=entrance.judge.passed(state.plan),
                approval=approval([body], act, tournament_id),
                note=note,
                listed=await seeding.of_persons(entry.said.persons, state.plan),
                payment=payment(entry.entrant, body.payment, state.plan) if body.payment else None,
            )
            return await come(tournament_id, order, comers, act)

    async def come(tournament_id: str, order: orders.Enter | orders.AdmitLate, comers: Newcomers, act: Act) -> Response:
        """One entrant, who is shown."""
        async with entrance.coming(comers) as came:
            response = await run(
                tournaments,
                tournament_id,
                order,
                act,
                lambda state: full_entrant_view(state, comers.entrants(state)[0], act.asker),
                status=HTTPStatus.CREATED,
                beside=comers.beside,
            )
            came.append(entrant := EntrantInFull.model_validate_json(bytes(response.body)))
        return await named(response, entrant, [entrant])

    async def state_of(tournament_id: str) -> Known:
        state, _ = await tournaments.load(tournament_id)
        return known(state)

    async def named(response: Response, body: BaseModel, entrants: list[Entrant] | list[EntrantInFull]) -> Response:
        await name_entrants(entrants, entrance.people.shown)
        return with_body(response, body)

    return router


def approval(sent: Sequence[AsDetailed], act: Act, tournament_id: str) -> RegionReason | None:
    """Only a coordinator lets somebody play outside their own region; of several sent at once one reason is said."""
    reasons = [entry.region_approval for entry in sent if entry.region_approval is not None]
    if not reasons:
        return None
    if (why_not := act.asker.why_not(permissions.APPROVE, tournament_id)) is not None:
        raise NotPermitted(why_not)
    return reasons[0]


def act_routes(*, tournaments: TournamentHandler, names: NamesShown, judge: Judge, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["entries"])
    organised = Depends(door.acts(permissions.ORGANISE))

    async def state_of(tournament_id: str) -> Known:
        state, _ = await tournaments.load(tournament_id)
        return known(state)

    async def to_entry(tournament_id: str, entrant_id: str, order: Command, act: Act) -> Response:
        today = judge.today((await state_of(tournament_id)).plan)
        response = await run(
            tournaments,
            tournament_id,
            order,
            act,
            lambda state: entry_view(state, entrant_id, today, act.asker),
        )
        sheet = EntrySheet.model_validate_json(bytes(response.body))
        await name_entrants([sheet.entrant], names)
        return with_body(response, sheet)

    @router.post(
        "/entrants/{entrant_id}/detail",
        summary="Say what else there is to an entry",
        description="School, consents, needs and the like: this is all of it from now on. Line-ups have acts of their own.",
        operation_id="detailEntry",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def detail(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: AsDetailed,
        act: Annotated[Act, organised],
    ) -> Response:
        state = await state_of(tournament_id)
        there(state.roster, entrant_id)
        before = state.roster.details_of(entrant_id).also
        background = await judge.background(state.plan, [])
        also = also_said(body, background, team=before.team, substitutes=before.substitutes, captain=before.captain)
        order = entry_orders.DetailEntry(
            entrant=entrant_id,
            also=also,
            verdicts=await judge.again(entrant_id, also, state),
            passed=judge.passed(state.plan),
            approval=approval([body], act, tournament_id),
        )
        return await to_entry(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/judge",
        summary="Judge anew whether they may play",
        description="By what is known of them now. Whoever turns out not to meet a condition cannot start.",
        operation_id="judgeEntry",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def judge_anew(
        tournament_id: TournamentId, entrant_id: EntrantId, act: Annotated[Act, organised]
    ) -> Response:
        state = await state_of(tournament_id)
        there(state.roster, entrant_id)
        judged = await judge.again(entrant_id, state.roster.details_of(entrant_id).also, state)
        order = entry_orders.JudgeEligibility(entrant=entrant_id, verdicts=judged)
        return await to_entry(tournament_id, entrant_id, order, act)

    @router.post(
        "/call-reserve",
        summary="Call somebody who waits",
        description="The next in line, or who is named. Reserves are called by themselves when somebody withdraws; this "
        "is for a place that is free otherwise.",
        operation_id="callReserve",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def call(
        tournament_id: TournamentId, act: Annotated[Act, organised], body: ReserveToCall | Absent = None
    ) -> Response:
        return await run(
            tournaments,
            tournament_id,
            entry_orders.CallReserve(entrant=body.entrant if body else None),
            act,
            lambda state: tournament_view(state, act.asker),
        )

    @router.post(
        "/entrants/{entrant_id}/confirm",
        summary="Confirm a place",
        description="They will come; this binds them. Whoever does not confirm in time withdraws, and a reserve is called.",
        operation_id="confirmPlace",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def confirm(tournament_id: TournamentId, entrant_id: EntrantId, act: Annotated[Act, organised]) -> Response:
        state = await state_of(tournament_id)
        order = entry_orders.ConfirmPlace(entrant=entrant_id, passed=judge.passed(state.plan))
        return await to_entry(tournament_id, entrant_id, order, act)

    async def is_late(tournament_id: str) -> bool:
        return judge.is_late((await state_of(tournament_id)).plan)

    line_ups(router, to_entry, is_late, organised, door)
    operations(router, to_entry, state_of, organised)
    return router


def line_ups(
    router: APIRouter, to_entry: ToEntry, is_late: Callable[[str], Awaitable[bool]], organised: object, door: Door
) -> None:
    @router.post(
        "/entrants/{entrant_id}/bring-in",
        summary="Bring in a substitute",
        description="For a base player who misses the whole tournament; only a registered substitute, and before the start.",
        operation_id="bringInSubstitute",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def bring_in(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: Substitution,
        act: Annotated[Act, organised],
    ) -> Response:
        order = entry_orders.BringIn(entrant=entrant_id, substitute=body.substitute, instead_of=body.instead_of)
        return await to_entry(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/choose",
        summary="Let somebody of two teams choose this one",
        description="They are taken out of the other teams of this tournament.",
        operation_id="chooseTeam",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def choose(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: OneMember,
        act: Annotated[Act, organised],
    ) -> Response:
        return await to_entry(
            tournament_id, entrant_id, entry_orders.ChooseTeam(entrant=entrant_id, person=body.person), act
        )

    @router.post(
        "/entrants/{entrant_id}/name-captain",
        summary="Name an acting captain",
        description="One of the players, when the captain misses the tournament.",
        operation_id="nameActingCaptain",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def name_captain(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: OneMember,
        act: Annotated[Act, organised],
    ) -> Response:
        return await to_entry(
            tournament_id, entrant_id, entry_orders.NameCaptain(entrant=entrant_id, person=body.person), act
        )

    @router.post(
        "/entrants/{entrant_id}/members-there",
        summary="Check a team in with its members",
        description="Which of them are there: a team is let in with as many as the rules say.",
        operation_id="checkInMembers",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def members_there(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: MembersThere,
        act: Annotated[Act, Depends(door.acts(permissions.CHECK_IN))],
    ) -> Response:
        order = orders.CheckIn(
            entrants=(entrant_id,), present=tuple(body.present), is_late=await is_late(tournament_id)
        )
        return await to_entry(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/arrive-late",
        summary="Check in somebody who comes late",
        description="With what it costs them, as far as the rules leave that to the organiser.",
        operation_id="arriveLate",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def arrive_late(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: LateArrival,
        act: Annotated[Act, organised],
    ) -> Response:
        return await to_entry(
            tournament_id, entrant_id, entry_orders.ArriveLate(entrant=entrant_id, effect=body.effect), act
        )


type OrderOfEntries = Literal["entry", "name", "school", "rating", "lacks"]

LACKING = Query(
    pattern=r"^[a-z-]{1,40}$", description="Only those that lack this; `any`: anything.", examples=["unpaid"]
)
IN_STANDING = Query(description="Only those that are so far.", examples=["entered"])
OF_HOME = Query(
    pattern=ID, json_schema_extra=id_of("home"), description="Only those of this school, club or region.", examples=[""]
)
PAID = Query(description="Only those who owe nothing any more; or only those who do.", examples=[False])
ON_LIST = Query(pattern=r"^[a-z0-9-]{1,64}$", description="Only those on this list.", examples=["women"])
IN_ORDER = Query(
    description="In the order of entry; by name; by school; by rating, the highest first; or those that lack most first.",
    examples=["lacks"],
)


def query_routes(*, tournaments: TournamentHandler, names: NamesShown, judge: Judge, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["entries"])

    @router.get(
        "/entries",
        summary="Entries, with what they still lack",
        description="For officials, page by page: line-ups, money, verdicts, and what is missing before each may start.",
        operation_id="listEntries",
        response_model=EntryPage,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(permissions.LIST_IN_FULL))],
    )
    async def several(
        tournament_id: TournamentId,
        *,
        order: Annotated[OrderOfEntries, IN_ORDER] = "entry",
        status: Annotated[EntrantStatus | Absent, IN_STANDING] = None,
        lacking: Annotated[str | Absent, LACKING] = None,
        home: Annotated[str | Absent, OF_HOME] = None,
        list: Annotated[str | Absent, ON_LIST] = None,  # noqa: A002 - as it stands in the query
        paid: Annotated[bool | Absent, PAID] = None,
        after: After = "",
        limit: Limit = 100,
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        found = known(state)
        today = judge.today(found.plan)
        everything = listed_entry_views(found, today)
        await name_entrants((one.entrant for one in everything), names)
        wanted = [
            one
            for one in in_order(everything, order)
            if status in {None, one.entrant.status}
            and home in {None, one.entrant.school, one.club, one.region}
            and (list is None or list in one.entrant.lists)
            and (paid is None or paid is not bool(one.due))
            and (lacking is None or lacking in {"any" if one.lacks else "", *(lack.kind for lack in one.lacks)})
        ]
        places = {one.entrant.id: place for place, one in enumerate(wanted, start=1)}
        begin = places.get(after, 0)
        items = wanted[begin : begin + limit]
        following = items[-1].entrant.id if begin + limit < len(wanted) else None
        asked = {"order": order, "status": status, "lacking": lacking, "home": home, "list": list}
        query = {name: value for name, value in asked.items() if value is not None} | {"limit": limit}
        query |= {} if paid is None else {"paid": str(paid).lower()}
        return page(
            EntryPage(items=items, next=following), f"/v1/tournaments/{tournament_id}/entries", following, query
        )

    @router.get(
        "/entrants/{entrant_id}/entry",
        summary="One entry in full",
        description="For officials: what was said, paid and judged, what it still lacks, and what may be done with it.",
        operation_id="getEntry",
        response_model=EntrySheet,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        asker: Annotated[Asker, Depends(door.reads(permissions.LIST_IN_FULL))],
    ) -> Response:
        state, version = await tournaments.load(tournament_id)
        sheet = entry_view(state, entrant_id, judge.today(known(state).plan), asker)
        await name_entrants([sheet.entrant], names)
        return read(sheet, version)

    return router


def in_order(entries: list[EntryListed], order: OrderOfEntries) -> list[EntryListed]:
    """Without a name or a school one comes last."""
    match order:
        case "entry":
            return entries
        case "name":
            return sorted(entries, key=lambda one: (named(one) == "", named(one), one.entrant.id))
        case "school":
            return sorted(entries, key=lambda one: (one.entrant.school is None, one.entrant.school or ""))
        case "rating":
            return sorted(entries, key=lambda one: -(one.entrant.rating or 0))
        case "lacks":
            return sorted(entries, key=lambda one: -len(one.lacks))


def named(one: EntryListed) -> str:
    persons = " ".join(person.name or "" for person in one.entrant.persons)
    return (one.entrant.name or persons).strip().casefold()


WHY = ("reason", "decision", "why", "effect")
BY = ("cited", "clause")


def history_routes(*, tournaments: TournamentHandler, notes: Notes, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["entries"])

    @router.get(
        "/entrants/{entrant_id}/history",
        summary="What has happened to an entry",
        description="For officials: who did what, when, why and by which clause. The words that were given to a reason "
        "are shown as long as nobody has erased them.",
        operation_id="getEntryHistory",
        response_model=HistoryOfEntry,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(permissions.LIST_IN_FULL))],
    )
    async def history(tournament_id: TournamentId, entrant_id: EntrantId) -> Response:
        state, version = await tournaments.load(tournament_id)
        there(known(state).roster, entrant_id)
        found = about(await tournaments.recorded(tournament_id), entrant_id)
        named = [note for _, event in found if (note := getattr(event, "note", None)) is not None]
        words = await notes.read(tournament_id, named)
        items = [happened(envelope, event, words.get(getattr(event, "note", None) or "")) for envelope, event in found]
        return read(HistoryOfEntry(items=items), version)

    return router


def about(recorded: Iterable[Recorded], entrant: str) -> list[tuple[Envelope, Event]]:
    told = [(one, TOURNAMENT.read(one)) for one in recorded]
    return [
        (msgspec.json.decode(one.event.record, type=Envelope), event)
        for one, event in told
        if getattr(event, "entrant", None) == entrant
    ]


def happened(envelope: Envelope, event: Event, words: str | None) -> HappenedToEntry:
    return HappenedToEntry(
        what=slug(envelope.type),
        at=envelope.at,
        by=envelope.actor,
        why=first(event, WHY),
        clause=first(event, BY),
        words=words,
    )


def first(event: Event, fields: Iterable[str]) -> str | None:
    return next((value for name in fields if (value := getattr(event, name, None)) is not None), None)
