"""Entrants: who takes part, and who is close to whom. Names are shown with them and kept elsewhere."""

from collections.abc import Awaitable, Sequence
from http import HTTPStatus
from typing import Annotated, Literal, Protocol

from fastapi import APIRouter, Depends, Query, Response
from fastapi.exceptions import RequestValidationError

from services.registration.api import permissions
from services.registration.api.bodies import EntrantId, TournamentId
from services.registration.api.entrants.bodies import (
    Attendance,
    ClosePair,
    ClosePairs,
    ComingBack,
    Correction,
    Entrant,
    EntrantExpulsion,
    EntrantInFull,
    EntrantPage,
    EntrantStatus,
    RoundOff,
    RoundOn,
    StrikingOff,
    WhoIsThere,
    Withdrawal,
)
from services.registration.api.entrants.views import (
    attendance_view,
    close_pairs_view,
    full_entrant_view,
    listed_entrant_view,
)
from services.registration.api.entries.intake import require_lists_fit
from services.registration.api.personal import name_entrants, reasoned
from services.registration.api.persons.directory import Directory
from services.registration.api.tournaments.routes import TournamentHandler
from services.registration.domain.tournament import Command, known, orders
from services.registration.domain.tournament.finding import there
from services.registration.domain.tournament.phases import not_now
from services.registration.domain.tournament.plan_orders import Reason
from services.registration.judge import Judge
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.commands.handler import Beside
from shared.http.door import Act, Door
from shared.http.orders import CHANGED, run, with_body
from shared.http.parameters import Absent
from shared.http.problems import documented
from shared.http.responses import PAGE, READ, After, Limit, page, read
from shared.numbers import stored
from shared.personal.notes import Notes
from shared.personal.shown_names import NamesShown

type OrderOfEntrants = Literal["entry", "number", "name"]

IN_STANDING = Query(description="Only those who are so far.", examples=["checked-in"])
IN_ORDER = Query(description="In the order of their entry, by start number, or by name.", examples=["number"])


def routes(*, tournaments: TournamentHandler, people: Directory, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["entrants"])
    names = people.shown

    @router.get(
        "/entrants",
        summary="The entrants of a tournament",
        description="Page by page, also those who have gone again.",
        operation_id="listEntrants",
        response_model=EntrantPage,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def several(
        tournament_id: TournamentId,
        order: Annotated[OrderOfEntrants, IN_ORDER] = "entry",
        status: Annotated[EntrantStatus | Absent, IN_STANDING] = None,
        after: After = "",
        limit: Limit = 100,
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        found = known(state)
        everybody = [listed_entrant_view(found, entrant) for entrant in found.roster.entrants.values()]
        await name_entrants(everybody, names)
        wanted = [entrant for entrant in in_order(everybody, order) if status in {None, entrant.status}]
        places = {entrant.id: place for place, entrant in enumerate(wanted, start=1)}
        begin = places.get(after, 0)
        items = wanted[begin : begin + limit]
        following = items[-1].id if begin + limit < len(wanted) else None
        query = {"order": order, "limit": limit} | ({"status": status} if status else {})
        path = f"/v1/tournaments/{tournament_id}/entrants"
        return page(EntrantPage(items=items, next=following), path, following, query)

    @router.get(
        "/entrants/{entrant_id}",
        summary="One entrant",
        description="As they stand now, with what the caller may do with them.",
        operation_id="getEntrant",
        response_model=EntrantInFull,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def one(
        tournament_id: TournamentId, entrant_id: EntrantId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]
    ) -> Response:
        state, version = await tournaments.load(tournament_id)
        entrant = full_entrant_view(state, entrant_id, asker)
        await name_entrants([entrant], names)
        return read(entrant, version)

    @router.post(
        "/close-persons",
        summary="Declare two persons close",
        description="Family, or of one household: where the rules say so, they must not meet in the last rounds.",
        operation_id="declareClosePersons",
        response_model=ClosePairs,
        responses=CHANGED,
    )
    async def declare(
        tournament_id: TournamentId, body: ClosePair, act: Annotated[Act, Depends(door.acts(permissions.ORGANISE))]
    ) -> Response:
        order = orders.DeclareClosePersons(persons=await as_here(tournament_id, body))
        return await run(tournaments, tournament_id, order, act, close_pairs_view)

    @router.post(
        "/close-persons/revoke",
        summary="Take back that two persons are close",
        description="Until the start.",
        operation_id="revokeClosePersons",
        response_model=ClosePairs,
        responses=CHANGED,
    )
    async def revoke(
        tournament_id: TournamentId, body: ClosePair, act: Annotated[Act, Depends(door.acts(permissions.ORGANISE))]
    ) -> Response:
        order = orders.RevokeClosePersons(persons=await as_here(tournament_id, body))
        return await run(tournaments, tournament_id, order, act, close_pairs_view)

    @router.get(
        "/close-persons",
        summary="Who is close to whom",
        description="What was declared, for officials.",
        operation_id="listClosePersons",
        response_model=ClosePairs,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(permissions.LIST_IN_FULL))],
    )
    async def close(tournament_id: TournamentId) -> Response:
        state, version = await tournaments.load(tournament_id)
        return read(close_pairs_view(state), version)

    async def as_here(tournament_id: str, body: ClosePair) -> tuple[str, str]:
        """By the ids under which they take part."""
        state, _ = await tournaments.load(tournament_id)
        one, other = body.persons
        plan = known(state).plan
        return await people.known_here(one, plan) or one, await people.known_here(other, plan) or other

    return router


def in_order(entrants: list[Entrant], order: OrderOfEntrants) -> list[Entrant]:
    """Who has no number, or no name any more, comes last."""
    match order:
        case "entry":
            return entrants
        case "number":
            return sorted(entrants, key=lambda entrant: (entrant.number is None, entrant.number))
        case "name":
            return sorted(entrants, key=lambda entrant: (named_as(entrant) == "", named_as(entrant), entrant.id))


def named_as(entrant: Entrant) -> str:
    return " ".join(person.name or "" for person in entrant.persons).strip().casefold()


class ToEntrant(Protocol):
    """How something happens to one entrant, who is then shown by name."""

    def __call__(
        self, tournament_id: str, entrant_id: str, order: Command, act: Act, beside: Sequence[Beside] = ()
    ) -> Awaitable[Response]: ...


def acts_on_entrants(tournaments: TournamentHandler, names: NamesShown) -> ToEntrant:
    async def to_entrant(
        tournament_id: str, entrant_id: str, order: Command, act: Act, beside: Sequence[Beside] = ()
    ) -> Response:
        response = await run(
            tournaments,
            tournament_id,
            order,
            act,
            lambda state: full_entrant_view(state, entrant_id, act.asker),
            beside=beside,
        )
        entrant = EntrantInFull.model_validate_json(bytes(response.body))
        await name_entrants([entrant], names)
        return with_body(response, entrant)

    return to_entrant


def attendance_routes(
    *, tournaments: TournamentHandler, to_entrant: ToEntrant, judge: Judge, notes: Notes, door: Door
) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["entrants"])

    @router.post(
        "/check-in",
        summary="Check in several, or everybody",
        description="All of them, or nobody. Who is there already is passed over.",
        operation_id="checkInEntrants",
        response_model=Attendance,
        responses=CHANGED,
    )
    async def check_in_several(
        tournament_id: TournamentId,
        body: WhoIsThere,
        act: Annotated[Act, Depends(door.acts(permissions.CHECK_IN))],
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        order = orders.CheckIn(
            entrants=None if body.entrants is None else tuple(body.entrants),
            is_late=judge.is_late(known(state).plan),
        )
        return await run(tournaments, tournament_id, order, act, attendance_view)

    @router.post(
        "/entrants/{entrant_id}/correct",
        summary="Correct what an entry says",
        description="This is all of it from now on. After the start the number stays.",
        operation_id="correctEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def correct(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: Correction,
        act: Annotated[Act, Depends(door.acts(permissions.ORGANISE))],
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        plan, roster = known(state).plan, known(state).roster
        persons, lists = there(roster, entrant_id).said.persons, tuple(sorted(set(body.lists)))
        require_lists_fit(lists, plan, (await judge.background(plan, persons)).of(persons))
        order = orders.CorrectEntry(entrant=entrant_id, rating=body.rating, key=body.key, lists=lists)
        return await to_entrant(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/check-in",
        summary="Check somebody in",
        description="They are there: only who has entered and checked in plays.",
        operation_id="checkInEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def check_in(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(permissions.CHECK_IN))],
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        order = orders.CheckIn(entrants=(entrant_id,), is_late=judge.is_late(known(state).plan))
        return await to_entrant(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/undo-check-in",
        summary="Undo a check-in",
        description="They are not there after all.",
        operation_id="undoCheckIn",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def undo_check_in(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(permissions.CHECK_IN))],
    ) -> Response:
        return await to_entrant(tournament_id, entrant_id, orders.UndoCheckIn(entrant=entrant_id), act)

    @router.post(
        "/entrants/{entrant_id}/strike-off",
        summary="Strike somebody off",
        description="For being absent without an excuse until the first round begins.",
        operation_id="strikeOffEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def strike_off(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(permissions.ORGANISE))],
        body: StrikingOff | Absent = None,
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        released = judge.release([entrant_id], known(state), act)
        async with reasoned(notes, tournament_id, body.reason if body else None, act) as reason:
            order = orders.StrikeOff(entrant=entrant_id, reason=reason)
            return await to_entrant(tournament_id, entrant_id, order, act, released)

    return router


def presence_routes(
    *, tournaments: TournamentHandler, to_entrant: ToEntrant, judge: Judge, notes: Notes, door: Door
) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}/entrants/{entrant_id}", tags=["entrants"])

    async def withdrawal(tournament_id: str, entrant_id: str, body: Withdrawal, reason: Reason | None) -> Command:
        state, _ = await tournaments.load(tournament_id)
        if not_now(known(state), orders.Leave) is not None:
            return orders.WithdrawEntry(entrant=entrant_id, passed=judge.passed(known(state).plan), reason=reason)
        if body.after_round is None:
            fault = "should say after which round they leave, since the tournament runs: 0 is before the first"
            raise RequestValidationError([{"loc": ("body", "after_round"), "msg": fault}])
        return leaving(entrant_id, body.after_round, body.stage, orders.Leaving.WITHDREW, reason)

    @router.post(
        "/withdraw",
        summary="Withdraw",
        description="Before the start the entry is withdrawn. Afterwards say after which round they leave: what they have "
        "played stays, and published games that have not begun are lost where the rules say how.",
        operation_id="withdrawEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def withdraw(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: Withdrawal,
        act: Annotated[Act, Depends(door.acts(permissions.RUN))],
    ) -> Response:
        state, _ = await tournaments.load(tournament_id)
        async with reasoned(notes, tournament_id, body.reason, act) as reason:
            order = await withdrawal(tournament_id, entrant_id, body, reason)
            before = isinstance(order, orders.WithdrawEntry)
            released = judge.release([entrant_id], known(state), act) if before else ()
            return await to_entrant(tournament_id, entrant_id, order, act, released)

    @router.post(
        "/expel",
        summary="Expel somebody",
        description="They are paired no more after a round, and the rules may take more from them than from who withdraws.",
        operation_id="expelEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def expel(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: EntrantExpulsion,
        act: Annotated[Act, Depends(door.acts(permissions.EXPEL))],
    ) -> Response:
        async with reasoned(notes, tournament_id, body.reason, act) as reason:
            order = leaving(entrant_id, body.after_round, body.stage, orders.Leaving.EXPELLED, reason)
            return await to_entrant(tournament_id, entrant_id, order, act)

    @router.post(
        "/return",
        summary="Let somebody return",
        description="Who has left is paired again from the next round on: where the rules let somebody return, or where leaving was a mistake or was overturned.",
        operation_id="returnEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def come_back(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: ComingBack,
        act: Annotated[Act, Depends(door.acts(permissions.RUN))],
    ) -> Response:
        async with reasoned(notes, tournament_id, body.reason, act) as reason:
            order = orders.Return(entrant=entrant_id, why=body.why, reason=reason)
            return await to_entrant(tournament_id, entrant_id, order, act)

    @router.post(
        "/absent",
        summary="Take a round off",
        description="They will not be there in one round; with points where such a bye was requested and granted.",
        operation_id="markAbsent",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def be_absent(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: RoundOff,
        act: Annotated[Act, Depends(door.acts(permissions.RUN))],
    ) -> Response:
        return await to_entrant(tournament_id, entrant_id, absence(entrant_id, body), act)

    @router.post(
        "/present",
        summary="Be there in a round after all",
        description="The round off is taken back.",
        operation_id="markPresent",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def be_present(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: RoundOn,
        act: Annotated[Act, Depends(door.acts(permissions.RUN))],
    ) -> Response:
        return await to_entrant(
            tournament_id, entrant_id, orders.BePresent(entrant=entrant_id, round=body.round, stage=body.stage), act
        )

    return router


def leaving(
    entrant: str, after_round: int, stage: str | None, why: orders.Leaving, reason: Reason | None
) -> orders.Leave:
    return orders.Leave(entrant=entrant, after_round=after_round, stage=stage, why=why, reason=reason)


def absence(entrant: str, body: RoundOff) -> orders.BeAbsent:
    points = None if body.points is None else stored(body.points)
    return orders.BeAbsent(entrant=entrant, round=body.round, points=points, stage=body.stage)
