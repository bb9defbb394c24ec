"""Entries: somebody enters, and what becomes of it where the rules ask for more: papers, line-up, place, money, lateness."""

from collections.abc import Callable, Sequence
from datetime import date
from http import HTTPStatus
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Depends, Query, Response
from msgspec.structs import replace

from services.registration.api.bodies import ID
from services.registration.api.entrants.bodies import EntrantInFull, EntrantStatus
from services.registration.api.entrants.views import entrant_view, full_entrant_view
from services.registration.api.entries.bodies import (
    AsDetailed,
    EntriesToMake,
    EntryListed,
    EntryPage,
    EntrySheet,
    EntryToMake,
    Ground,
    HistoryOfEntry,
    Imported,
    LateArrival,
    LateEntry,
    MembersThere,
    OneMember,
    Payment,
    ReserveToCall,
    Substitution,
)
from services.registration.api.entries.intake import Intake, Newcomers, also_said
from services.registration.api.entries.own_entries import OwnEntries, own_details, require_own_words, speaking_for
from services.registration.api.entries.views import entry_view, history_of, history_view, listed_entry_views
from services.registration.api.permissions import (
    APPROVE_REGION,
    CHECK_IN,
    ENTER,
    OFFICIATE,
    ORGANISE,
    ORGANISE_OR_OWN,
    SEE_ENTRY,
    require_open,
)
from services.registration.api.personal import name_entrants, named, named_body, words_kept
from services.registration.api.tournaments.bodies import Tournament
from services.registration.api.tournaments.lifecycle import SeedingRatings
from services.registration.api.tournaments.views import TournamentsShown
from services.registration.domain.tournament.admission import RegionReason
from services.registration.domain.tournament.check_in import ArriveLate, CheckIn, late_rule
from services.registration.domain.tournament.decider import Command
from services.registration.domain.tournament.entries import Decision, DetailEntry, Enter, JudgeEligibility
from services.registration.domain.tournament.facts import Asked
from services.registration.domain.tournament.line_ups import BringIn, ChooseTeam, NameCaptain
from services.registration.domain.tournament.payments import (
    GrantWaiver,
    RecordPayment,
    RecordRefund,
    RefuseWaiver,
    RequestWaiver,
)
from services.registration.domain.tournament.places_and_reserves import CallReserve, ConfirmPlace
from services.registration.domain.tournament.presence import FIRST_MISSED, AdmitLate
from services.registration.domain.tournament.roster import entrant_of_id
from services.registration.domain.tournament.states import AnnouncedTournament, Plan, Running, State, known
from services.registration.eligibility.deadlines import as_stored, is_late_payment
from services.registration.eligibility.judge import Judge
from services.registration.eligibility.membership import Membership
from services.registration.series_fees import SeriesFees
from services.registration.streams import TournamentHandler, announced
from services.registration.tournaments import KnownTournaments
from shared.access.asker import ASKING, Asker
from shared.access.policy import NotPermitted, Policy
from shared.access.references import id_of
from shared.clock import Now
from shared.http.authorization import Act, Door
from shared.http.bodies import RequestBody
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, CREATED, answer_in, answered_before, run
from shared.http.parameters import Absent, EntrantId, TournamentId
from shared.http.problems import documented
from shared.http.responses import FOUND, PAGE, After, Limit, items_after, page, read
from shared.numbers import stored
from shared.personal.notes import Notes
from shared.personal.shown_names import NamesShown
from shared.values import Value

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
    description="By rating the highest first; or those that lack most first.",
    examples=["lacks"],
)


def query_routes(*, tournaments: TournamentHandler, names: NamesShown, judge: Judge, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["entries"])

    @router.get(
        "/entries",
        summary="Entries, with what they still lack",
        description="For officials, page by page: line-ups, money, verdicts, and what is missing before each may start.",
        operation_id="listEntries",
        response_model=EntryPage,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(OFFICIATE))],
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
        found = await announced(tournaments, tournament_id)
        everything = listed_entry_views(found, judge.today(found.plan))
        await name_entrants((one.entrant for one in everything), names)

        def is_wanted(one: EntryListed) -> bool:
            return (
                status in {None, one.entrant.status}
                and home in {None, one.entrant.school, one.club, one.region}
                and (list is None or list in one.entrant.lists)
                and (paid is None or paid is not bool(one.due))
                and (lacking is None or lacking in {"any" if one.lacks else "", *(lack.kind for lack in one.lacks)})
            )

        items, following = items_after(
            after, in_order(everything, order), limit, lambda one: one.entrant.id, is_wanted=is_wanted
        )
        asked = {"order": order, "status": status, "lacking": lacking, "home": home, "list": list}
        query = {name: value for name, value in asked.items() if value is not None} | {"limit": limit}
        query |= {} if paid is None else {"paid": str(paid).lower()}
        path = f"/v1/tournaments/{tournament_id}/entries"
        return page(EntryPage(items=items, next=following), path, following, query)

    @router.get(
        "/entrants/{entrant_id}/entry",
        summary="One entry in full",
        description="For officials, and for whose own it is: what was said, paid and judged, what it still lacks, and what may "
        "be done with it.",
        operation_id="getEntry",
        response_model=EntrySheet,
        responses=FOUND,
    )
    async def one(
        tournament_id: TournamentId, entrant_id: EntrantId, asker: Annotated[Asker, Depends(door.reads(SEE_ENTRY))]
    ) -> Response:
        state, version = await tournaments.load(tournament_id)
        sheet = entry_view(state, entrant_id, judge.today(known(state).plan), asker)
        await name_entrants([sheet.entrant], names)
        return read(sheet, version)

    return router


def in_order(entries: list[EntryListed], order: OrderOfEntries) -> list[EntryListed]:
    """Who has no name or school comes last."""
    match order:
        case "entry":
            return entries
        case "name":
            return sorted(entries, key=lambda one: (called(one) == "", called(one), one.entrant.id))
        case "school":
            return sorted(entries, key=lambda one: (one.entrant.school is None, one.entrant.school or ""))
        case "rating":
            return sorted(entries, key=lambda one: -(one.entrant.rating or 0))
        case "lacks":
            return sorted(entries, key=lambda one: -len(one.lacks))


def called(one: EntryListed) -> str:
    persons = " ".join(person.name or "" for person in one.entrant.persons)
    return (one.entrant.name or persons).strip().casefold()


class EntryOrders(Value):
    """Carries out orders about one entry, which is then shown by name."""

    tournaments: TournamentHandler
    names: NamesShown
    judge: Judge
    membership: Membership
    fees: SeriesFees

    async def carry_out(self, state: AnnouncedTournament, entrant: str, order: Command, act: Act) -> Response:
        today = self.judge.today(state.plan)
        order = await as_member(order, entrant, state, self.membership)
        order, also = await self.fees.happening(order, state, act.origin)
        response = await run(
            self.tournaments,
            state.plan.tournament,
            order,
            act,
            lambda state: entry_view(state, entrant, today, act.asker),
            also=also,
        )
        return await named(response, EntrySheet, self.names)


def own_routes(*, orders: EntryOrders, own: OwnEntries, door: Door) -> APIRouter:
    """What whose own an entry is may do besides officials."""
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["entries"])
    judge, owned = orders.judge, Depends(door.acts(ORGANISE_OR_OWN))

    @router.post(
        "/entrants/{entrant_id}/detail",
        summary="Say what else there is to an entry",
        description="This is all of it from now on. Whose own the entry is says before the start what they declare, "
        "agree to and need, and a player the school; all else stays as officials have said it.",
        operation_id="detailEntry",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def detail(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: AsDetailed,
        act: Annotated[Act, owned],
    ) -> Response:
        if before := await answered_before(orders.tournaments, act):  # somebody may have said more of it since
            return await named(before, EntrySheet, orders.names)
        state = await announced(orders.tournaments, tournament_id)
        entrant_of_id(state.roster, entrant_id)
        said = state.roster.details_of(entrant_id).also
        asked = await own.asked(act.asker, state, entrant_id)
        if asked is not None:
            require_own_words(body, said.declared)
        background = await judge.background(state.plan, [])
        also = also_said(body, background, team=said.team, substitutes=said.substitutes, captain=said.captain)
        if asked is not None:
            also = own_details(also, said, body, is_team=state.plan.ruleset.entry.kind == "team")
        persons = state.roster.entrants[entrant_id].said.persons
        also = replace(also, declared=await orders.membership.declared(also.declared, persons, state.plan))
        order = DetailEntry(
            entrant=entrant_id,
            also=also,
            verdicts=await judge.again(entrant_id, also, state),
            passed=judge.passed(state.plan),
            approval=approval([body], act, tournament_id),
            asked=asked,
        )
        return await orders.carry_out(state, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/confirm",
        summary="Confirm a place",
        description="They will come; this binds them. Whoever does not confirm in time withdraws, and a reserve is called. "
        "Players confirm for themselves, or decline by withdrawing.",
        operation_id="confirmPlace",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def confirm(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, owned],
    ) -> Response:
        state = await announced(orders.tournaments, tournament_id)
        asked = await own.asked(act.asker, state, entrant_id)
        order = ConfirmPlace(entrant=entrant_id, passed=judge.passed(state.plan), asked=asked)
        return await orders.carry_out(state, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/waivers/request",
        summary="Ask for a waiver of the fee",
        description="On one of the grounds that the rules name. Schools, captains and players ask for themselves before the "
        "start, and officials see who has asked.",
        operation_id="requestWaiver",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def request_waiver(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: Ground,
        act: Annotated[Act, owned],
    ) -> Response:
        state = await announced(orders.tournaments, tournament_id)
        entrant_of_id(state.roster, entrant_id)
        asked = await own.asked(act.asker, state, entrant_id)
        return await orders.carry_out(
            state, entrant_id, RequestWaiver(entrant=entrant_id, ground=body.ground, asked=asked), act
        )

    @router.post(
        "/entrants/{entrant_id}/judge",
        summary="Judge anew whether they may play",
        description="By what is known of them now. Whoever turns out not to meet a condition cannot start. Whose own the entry is has it judged after saying more of themselves.",
        operation_id="judgeEntry",
        response_model=EntrySheet,
        responses=CHANGED,
    )
    async def judge_anew(tournament_id: TournamentId, entrant_id: EntrantId, act: Annotated[Act, owned]) -> Response:
        state = await announced(orders.tournaments, tournament_id)
        entrant_of_id(state.roster, entrant_id)
        judged = await judge.again(entrant_id, state.roster.details_of(entrant_id).also, state)
        order = JudgeEligibility(entrant=entrant_id, verdicts=judged)
        return await orders.carry_out(state, entrant_id, order, act)

    return router


def routes(*, orders: EntryOrders, shown: TournamentsShown, notes: Notes, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["entries"])
    tournaments, judge, organised = orders.tournaments, orders.judge, Depends(door.acts(ORGANISE))

    @router.get(
        "/entrants/{entrant_id}/history",
        summary="What has happened to an entry",
        description="For officials: who did what, when, why and by which clause. The words that were given to a reason "
        "are shown as long as nobody has erased them.",
        operation_id="getEntryHistory",
        response_model=HistoryOfEntry,
        responses=FOUND,
        dependencies=[Depends(door.reads(OFFICIATE))],
    )
    async def history(tournament_id: TournamentId, entrant_id: EntrantId) -> Response:
        state, version = await tournaments.load(tournament_id)
        entrant_of_id(known(state).roster, entrant_id)
        found = history_of(entrant_id, await tournaments.recorded(tournament_id))
        noted = [note for _, event in found if (note := getattr(event, "note", None)) is not None]
        return read(history_view(found, await notes.read(tournament_id, noted)), version)

    @router.post(
        "/call-reserve",
        summary="Call somebody who waits",
        description="The next in line, or who is named: before others only with a reason. Reserves are called by "
        "themselves when somebody withdraws; this is for a place that is free otherwise.",
        operation_id="callReserve",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def call(
        tournament_id: TournamentId, act: Annotated[Act, organised], body: ReserveToCall | Absent = None
    ) -> Response:
        async with words_kept(notes, tournament_id, body.reason if body else None, act) as reason:
            order = CallReserve(entrant=body.entrant if body else None, reason=reason)
            return await run(tournaments, tournament_id, order, act, await shown.of(tournament_id, act.asker))

    def operation[Body: RequestBody](
        path: str,
        name: str,
        form: type[Body],
        order: Callable[[str, Body, AnnouncedTournament], Command],
        summary: str,
        description: str,
        policy: Policy = ORGANISE,
    ) -> None:
        """An operation that only carries an order, which is made of the entrant, of what is sent and of the tournament."""

        async def happens(
            tournament_id: TournamentId,
            entrant_id: EntrantId,
            body: Body,
            act: Annotated[Act, Depends(door.acts(policy))],
        ) -> Response:
            state = await announced(orders.tournaments, tournament_id)
            return await orders.carry_out(state, entrant_id, order(entrant_id, body, state), act)

        happens.__annotations__["body"] = form
        router.post(
            f"/entrants/{{entrant_id}}/{path}",
            summary=summary,
            description=description,
            operation_id=name,
            response_model=EntrySheet,
            responses=CHANGED,
        )(happens)

    operation(
        *("bring-in", "bringInSubstitute", Substitution),
        lambda entrant, body, _: BringIn(entrant=entrant, substitute=body.substitute, instead_of=body.instead_of),
        "Bring in a substitute",
        "For a base player who misses the whole tournament; only a registered substitute, and before the start.",
        ORGANISE_OR_OWN,
    )
    operation(
        *("choose", "chooseTeam", OneMember),
        lambda entrant, body, _: ChooseTeam(entrant=entrant, person=body.person),
        "Let somebody of two teams choose this one",
        "They are taken out of the other teams of this tournament.",
    )
    operation(
        *("name-captain", "nameActingCaptain", OneMember),
        lambda entrant, body, _: NameCaptain(entrant=entrant, person=body.person),
        "Name an acting captain",
        "Any member of the team who is there, when the captain misses the tournament; it holds for this one.",
        ORGANISE_OR_OWN,
    )
    operation(
        *("members-there", "checkInMembers", MembersThere),
        lambda entrant, body, state: CheckIn(
            entrants=(entrant,), present=tuple(body.present), is_late=judge.is_late(state.plan)
        ),
        "Check a team in with its members",
        "Which of them are there: a team is let in with as many as the rules say.",
        CHECK_IN,
    )
    operation(
        *("arrive-late", "arriveLate", LateArrival),
        lambda entrant, body, _: ArriveLate(entrant=entrant, effect=body.effect),
        "Check in somebody who comes late",
        "With what it costs them, as far as the rules leave that to the organiser.",
    )
    operation(
        *("payments", "recordPayment", Payment),
        lambda entrant, body, state: payment(entrant, body, state.plan, judge),
        "Record a payment",
        "All that is due by the fee of that day, in one of its currencies. Less is refused.",
    )
    operation(
        *("refunds", "recordRefund", Payment),
        lambda entrant, body, _: refund(entrant, body, judge),
        "Record that money was given back",
        "To who has withdrawn in time; to others by a decision.",
    )
    operation(
        *("waivers/grant", "grantWaiver", Ground),
        lambda entrant, body, _: GrantWaiver(entrant=entrant, ground=body.ground),
        "Grant a waiver",
        "Where it was asked for. The log keeps who granted it, and when.",
    )
    operation(
        *("waivers/refuse", "refuseWaiver", Ground),
        lambda entrant, body, _: RefuseWaiver(entrant=entrant, ground=body.ground),
        "Refuse a waiver",
        "Also one that was granted by mistake: the fee is due again.",
    )
    return router


async def as_member(order: Command, entrant: str, state: AnnouncedTournament, membership: Membership) -> Command:
    """Whoever pays does so by what the roll and the history say now."""
    was = state.roster.entrants.get(entrant)
    if was is None or not isinstance(order, RecordPayment):
        return order
    said = state.roster.details_of(entrant).also.declared
    return replace(order, declared=await membership.declared(said, was.said.persons, state.plan))


def payment(entrant: str, body: Payment, plan: Plan, judge: Judge) -> RecordPayment:
    return RecordPayment(
        entrant=entrant,
        amount=stored(body.amount),
        currency=body.currency,
        on=body.on.isoformat(),
        reference=body.reference,
        is_late=is_late_payment(plan.ruleset, date.fromisoformat(plan.starts_on), body.on),
        is_ahead=judge.is_ahead(body.on),
        decision=body.decision,
    )


def refund(entrant: str, body: Payment, judge: Judge) -> RecordRefund:
    return RecordRefund(
        entrant=entrant,
        amount=stored(body.amount),
        currency=body.currency,
        on=body.on.isoformat(),
        reference=body.reference,
        is_ahead=judge.is_ahead(body.on),
        decision=body.decision,
    )


def entering_routes(  # noqa: C901 - three operations, and what they share
    *,
    tournaments: TournamentHandler,
    intake: Intake,
    fees: SeriesFees,
    ratings: SeedingRatings,
    notes: Notes,
    own: OwnEntries,
    rounds: KnownTournaments,
    door: Door,
    now: Now,
) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/entrants", tags=["entrants"])
    organised, judge, shown = Depends(door.acts(ORGANISE)), intake.judge, intake.directory.shown

    @router.post(
        "",
        summary="Enter somebody",
        description="Somebody known by their id, whom entering once more with the same changes nothing; or somebody new "
        "by a name, who is registered with it, each time as another one. After entries have closed it takes a decision. Whoever has no office "
        "enters themselves, a team of their school or club, or as a captain one that comes from none.",
        operation_id="enterTournament",
        status_code=HTTPStatus.CREATED,
        response_model=EntrantInFull,
        responses=CREATED,
    )
    async def enter(
        tournament_id: TournamentId, body: EntryToMake, act: Annotated[Act, Depends(door.acts(ENTER))]
    ) -> Response:
        if before := await answered_before(tournaments, act, status=HTTPStatus.CREATED):
            return await one_named(before, act, is_own=not act.asker.may(ORGANISE, tournament_id))
        state = await announced(tournaments, tournament_id)
        require_open(state, act.asker)
        plan = state.plan
        asked = await own.entering(body, plan, act.asker)
        newcomers = await intake.newcomers([body], plan, act)
        async with notes.kept(tournament_id, body.words, act.key) as note:
            order = entering(newcomers, plan, body.decision, approval([body], act, tournament_id), note, asked)
            return await take_in_one(tournament_id, order, newcomers, act)

    @router.post(
        "/import",
        summary="Enter many at once",
        description="All of them, or nobody. Everything that is wrong with what was sent is named at once; what the rules "
        "forbid, when nothing else is wrong.",
        operation_id="importEntrants",
        status_code=HTTPStatus.CREATED,
        response_model=Imported,
        responses=CREATED,
    )
    async def enter_many(tournament_id: TournamentId, body: EntriesToMake, act: Annotated[Act, organised]) -> Response:
        if before := await answered_before(tournaments, act, status=HTTPStatus.CREATED):
            return await named(before, Imported, shown)
        plan = (await announced(tournaments, tournament_id)).plan
        newcomers = await intake.newcomers(body.entrants, plan, act)
        async with notes.kept(tournament_id, body.words, act.key) as note, intake.taking_in(newcomers) as came:
            response = await run(
                tournaments,
                tournament_id,
                entering(newcomers, plan, body.decision, approval(body.entrants, act, tournament_id), note),
                act,
                lambda state: Imported(entrants=[entrant_view(state, one) for one in newcomers.entrants(state)]),
                status=HTTPStatus.CREATED,
                also=newcomers.also,
                relying=newcomers.relying,
            )
            imported = answer_in(response, Imported)
            came += imported.entrants
        return await named_body(response, imported, shown)

    @router.post(
        "/admit",
        summary="Admit somebody who comes late",
        description="In one act: entered, judged, and there. From the start on they get the next start number and "
        "play from a round on; while check-in is open they are checked in, unless there is no place for them.",
        operation_id="admitLateEntrant",
        status_code=HTTPStatus.CREATED,
        response_model=EntrantInFull,
        responses=CREATED,
    )
    async def admit(tournament_id: TournamentId, body: LateEntry, act: Annotated[Act, organised]) -> Response:
        if before := await answered_before(tournaments, act, status=HTTPStatus.CREATED):
            return await one_named(before, act, is_own=False)
        plan = (await announced(tournaments, tournament_id)).plan
        newcomers = await intake.newcomers([body], plan, act, paying=body.payment is not None)
        (entry,) = newcomers.entries
        if body.payment:
            told = await fees.paid_with(entry, plan, act.origin)
            newcomers = msgspec.structs.replace(newcomers, also=[*newcomers.also, *told])
        async with notes.kept(tournament_id, body.words, act.key) as note:
            order = AdmitLate(
                entry=entry,
                from_round=await first_round(body, await announced(tournaments, tournament_id), rounds),
                decision=body.decision,
                at=as_stored(now()),
                is_late=judge.is_late(plan),
                passed=judge.passed(plan),
                approval=approval([body], act, tournament_id),
                note=note,
                listed=await ratings.of_persons(entry.said.persons, plan),
                payment=payment(entry.entrant, body.payment, plan, judge) if body.payment else None,
            )
            return await take_in_one(tournament_id, order, newcomers, act)

    def entering(
        newcomers: Newcomers,
        plan: Plan,
        decision: Decision | None,
        approved: RegionReason | None,
        note: str | None,
        asked: Asked | None = None,
    ) -> Enter:
        return Enter(
            entries=newcomers.entries,
            at=as_stored(now()),
            decision=decision,
            passed=judge.passed(plan),
            approval=approved,
            note=note,
            asked=asked,
        )

    async def take_in_one(tournament_id: str, order: Enter | AdmitLate, newcomers: Newcomers, act: Act) -> Response:
        is_own = isinstance(order, Enter) and order.asked is not None

        def full_view(state: State, entrant: str) -> EntrantInFull:
            return full_entrant_view(state, entrant, speaking_for(act.asker, entrant, is_own=is_own))

        async with intake.taking_in(newcomers) as came:
            response = await run(
                tournaments,
                tournament_id,
                order,
                act,
                lambda state: full_view(state, newcomers.entrants(state)[0]),
                status=HTTPStatus.CREATED,
                also=newcomers.also,
                relying=newcomers.relying,
            )
            came.append(answer_in(response, EntrantInFull))
        return await one_named(response, act, is_own=is_own)

    async def one_named(response: Response, act: Act, *, is_own: bool) -> Response:
        entrant = answer_in(response, EntrantInFull)
        ASKING.set(speaking_for(act.asker, entrant.id, is_own=is_own))
        return await named_body(response, entrant, shown)

    return router


def approval(sent: Sequence[AsDetailed], act: Act, tournament_id: str) -> RegionReason | None:
    """Only a coordinator lets somebody play outside their own region; of several sent at once one reason is said."""
    reasons = [entry.region_approval for entry in sent if entry.region_approval is not None]
    if not reasons:
        return None
    if (why_not := act.asker.why_not(APPROVE_REGION, tournament_id)) is not None:
        raise NotPermitted(why_not)
    return reasons[0]


async def first_round(body: LateEntry, state: AnnouncedTournament, rounds: KnownTournaments) -> int | None:
    """What was said; otherwise, once it runs, the next round to be published that the rules let them play."""
    if body.from_round is not None or not isinstance(state, Running):
        return body.from_round
    first = FIRST_MISSED if late_rule(state) == "next-round" else 1
    published = await rounds.of(state.plan.tournament)
    return max(first, published.last(state.plan.ruleset.stages[0].id) + 1)
