"""Entrants: who takes part and is there, who is close to whom, and who leaves, comes back or takes a round off."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response
from msgspec.structs import replace

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
from services.registration.api.entrants.files import ENTRANT_FILE, entrant_file
from services.registration.api.entrants.views import (
    attendance_view,
    close_pairs_view,
    full_entrant_view,
    listed_entrant_view,
)
from services.registration.api.entries.intake import require_lists_fit
from services.registration.api.entries.own_entries import OwnEntries
from services.registration.api.permissions import (
    CHECK_IN,
    EXPEL,
    OFFICIATE,
    ORGANISE,
    RUN,
    WITHDRAW,
    require_punisher,
)
from services.registration.api.personal import name_entrants, named, words_kept
from services.registration.api.persons.directory import Directory
from services.registration.api.tournaments.bodies import TournamentForeseen
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.check_in import CheckIn, UndoCheckIn
from services.registration.domain.tournament.close_persons import DeclareClosePersons, RevokeClosePersons
from services.registration.domain.tournament.decider import Command, not_now
from services.registration.domain.tournament.entrants import Leaving, LeftEntrant, PlayingEntrant
from services.registration.domain.tournament.entries import CorrectEntry, StrikeOff, WithdrawEntry
from services.registration.domain.tournament.facts import Event
from services.registration.domain.tournament.presence import BeAbsent, BePresent, Leave, Return
from services.registration.domain.tournament.reasons import NotedReason
from services.registration.domain.tournament.roster import entrant_of_id
from services.registration.domain.tournament.states import AnnouncedTournament
from services.registration.eligibility.judge import Judge
from services.registration.streams import TournamentHandler, announced
from services.registration.tournaments import KnownTournament, KnownTournaments
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.commands.handler import ActPart
from shared.http.answer_cache import AnswerCache
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, answered_before, run, tried
from shared.http.parameters import Absent, EntrantId, TournamentId
from shared.http.problems import documented
from shared.http.responses import FOUND, After, AsSheet, DryRun, Limit, items_after, or_sheet, page, read, sheet
from shared.numbers import stored
from shared.personal.notes import Notes
from shared.personal.shown_names import NamesShown
from shared.values import Value

type OrderOfEntrants = Literal["entry", "number", "name"]

IN_STANDING = Query(description="Only those who are so far.", examples=["checked-in"])
IN_ORDER = Query(description="In the order of their entry, by start number, or by name.", examples=["number"])


def routes(*, tournaments: TournamentHandler, directory: Directory, door: Door, kept: AnswerCache) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["entrants"])
    names = directory.shown

    @router.get(
        "/entrants",
        summary="The entrants of a tournament",
        description="Page by page, also those who have gone again.",
        operation_id="listEntrants",
        response_model=EntrantPage,
        responses=or_sheet(ENTRANT_FILE) | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY)), Depends(kept)],
    )
    async def several(
        tournament_id: TournamentId,
        order: Annotated[OrderOfEntrants, IN_ORDER] = "entry",
        status: Annotated[EntrantStatus | Absent, IN_STANDING] = None,
        as_format: AsSheet = None,
        after: After = "",
        limit: Limit = 100,
    ) -> Response:
        found = await announced(tournaments, tournament_id)
        everybody = [listed_entrant_view(found, entrant) for entrant in found.roster.entrants.values()]
        await name_entrants(everybody, names)
        listed = in_order(everybody, order)

        def is_wanted(entrant: Entrant) -> bool:
            return status in {None, entrant.status}

        if as_format == "csv":
            return sheet(entrant_file(list(filter(is_wanted, listed))))
        items, following = items_after(after, listed, limit, lambda entrant: entrant.id, is_wanted=is_wanted)
        query = {"order": order, "limit": limit} | ({"status": status} if status else {})
        path = f"/v1/tournaments/{tournament_id}/entrants"
        return page(EntrantPage(items=items, next=following), path, following, query)

    @router.get(
        "/entrants/{entrant_id}",
        summary="One entrant",
        description="As they stand now, with what the caller may do with them.",
        operation_id="getEntrant",
        response_model=EntrantInFull,
        responses=FOUND,
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
        tournament_id: TournamentId, body: ClosePair, act: Annotated[Act, Depends(door.acts(ORGANISE))]
    ) -> Response:
        order = DeclareClosePersons(persons=await ids_here(tournament_id, body))
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
        tournament_id: TournamentId, body: ClosePair, act: Annotated[Act, Depends(door.acts(ORGANISE))]
    ) -> Response:
        order = RevokeClosePersons(persons=await ids_here(tournament_id, body))
        return await run(tournaments, tournament_id, order, act, close_pairs_view)

    @router.get(
        "/close-persons",
        summary="Who is close to whom",
        description="What was declared, for officials.",
        operation_id="listClosePersons",
        response_model=ClosePairs,
        responses=FOUND,
        dependencies=[Depends(door.reads(OFFICIATE))],
    )
    async def close(tournament_id: TournamentId) -> Response:
        state, version = await tournaments.load(tournament_id)
        return read(close_pairs_view(state), version)

    async def ids_here(tournament_id: str, body: ClosePair) -> tuple[str, str]:
        """The ids under which both take part."""
        one, other = body.persons
        plan = (await announced(tournaments, tournament_id)).plan
        return await directory.known_here(one, plan) or one, await directory.known_here(other, plan) or other

    return router


def in_order(entrants: list[Entrant], order: OrderOfEntrants) -> list[Entrant]:
    """Who has no number, or no name any more, comes last."""
    match order:
        case "entry":
            return entrants
        case "number":
            return sorted(entrants, key=lambda entrant: (entrant.number is None, entrant.number))
        case "name":
            return sorted(entrants, key=lambda entrant: (called(entrant) == "", called(entrant), entrant.id))


def called(entrant: Entrant) -> str:
    return " ".join(person.name or "" for person in entrant.persons).strip().casefold()


class NamedRound(Value):
    stage: str | None
    number: int


class EntrantOrders(Value):
    """Carries out orders about one entrant, who is then shown by name."""

    tournaments: TournamentHandler
    names: NamesShown
    rounds: KnownTournaments

    async def left_after(self, tournament_id: str, entrant_id: str, body: Withdrawal | EntrantExpulsion) -> NamedRound:
        """What was said; otherwise the round that is published last. Whoever has left stays so."""
        if body.after_round is not None:
            return NamedRound(stage=body.stage, number=body.after_round)
        state = await announced(self.tournaments, tournament_id)
        was = state.roster.entrants.get(entrant_id)
        if isinstance(was, LeftEntrant):
            return NamedRound(stage=was.stage, number=was.after_round)
        return await self._published_last(state, body.stage)

    async def round_ahead(self, tournament_id: str, body: RoundOff | RoundOn) -> NamedRound:
        """What was said; otherwise the next round to be published."""
        if body.round is not None:
            return NamedRound(stage=body.stage, number=body.round)
        last = await self._published_last(await announced(self.tournaments, tournament_id), body.stage)
        return replace(last, number=last.number + 1)

    async def _published_last(self, state: AnnouncedTournament, stage: str | None) -> NamedRound:
        published = await self.rounds.of(state.plan.tournament)
        stage = stage or published.stage(state.plan.ruleset.stages[0].id)
        return NamedRound(stage=stage, number=published.last(stage))

    async def foresee(self, tournament_id: str, order: Command) -> Response:
        state = await announced(self.tournaments, tournament_id)
        _, events = await self.tournaments.foresee(tournament_id, order)
        published = await self.rounds.of(tournament_id)
        return tried(TournamentForeseen(changes=[*changes(events, state)], lost=[*lost(events, state, published)]))

    async def carry_out(
        self, tournament_id: str, entrant_id: str, order: Command, act: Act, also: Sequence[ActPart] = ()
    ) -> Response:
        response = await run(
            self.tournaments,
            tournament_id,
            order,
            act,
            lambda state: full_entrant_view(state, entrant_id, act.asker),
            also=also,
        )
        return await named(response, EntrantInFull, self.names)


def attendance_routes(
    *,
    tournaments: TournamentHandler,
    names: NamesShown,
    judge: Judge,
    notes: Notes,
    own: OwnEntries,
    rounds: KnownTournaments,
    door: Door,
) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["entrants"])
    entrants = EntrantOrders(tournaments=tournaments, names=names, rounds=rounds)

    @router.post(
        "/check-in",
        summary="Check in several, or everybody",
        description="All of them, or nobody. Who is there already is passed over.",
        operation_id="checkInEntrants",
        response_model=Attendance,
        responses=CHANGED,
    )
    async def check_in_several(
        tournament_id: TournamentId, body: WhoIsThere, act: Annotated[Act, Depends(door.acts(CHECK_IN))]
    ) -> Response:
        order = CheckIn(
            entrants=None if body.entrants is None else tuple(body.entrants),
            is_late=judge.is_late((await announced(tournaments, tournament_id)).plan),
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
        act: Annotated[Act, Depends(door.acts(ORGANISE))],
    ) -> Response:
        if before := await answered_before(tournaments, act):  # lists may have come, or the entrant gone, since
            return await named(before, EntrantInFull, names)
        state = await announced(entrants.tournaments, tournament_id)
        persons, lists = entrant_of_id(state.roster, entrant_id).said.persons, tuple(sorted(set(body.lists)))
        require_lists_fit(lists, state.plan, (await judge.background(state.plan, persons)).of(persons))
        order = CorrectEntry(entrant=entrant_id, rating=body.rating, key=body.key, lists=lists)
        return await entrants.carry_out(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/check-in",
        summary="Check somebody in",
        description="They are there: only who has entered and checked in plays.",
        operation_id="checkInEntrant",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def check_in(
        tournament_id: TournamentId, entrant_id: EntrantId, act: Annotated[Act, Depends(door.acts(CHECK_IN))]
    ) -> Response:
        is_late = judge.is_late((await announced(tournaments, tournament_id)).plan)
        order = CheckIn(entrants=(entrant_id,), is_late=is_late)
        return await entrants.carry_out(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/undo-check-in",
        summary="Undo a check-in",
        description="They are not there after all.",
        operation_id="undoCheckIn",
        response_model=EntrantInFull,
        responses=CHANGED,
    )
    async def undo_check_in(
        tournament_id: TournamentId, entrant_id: EntrantId, act: Annotated[Act, Depends(door.acts(CHECK_IN))]
    ) -> Response:
        return await entrants.carry_out(tournament_id, entrant_id, UndoCheckIn(entrant=entrant_id), act)

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
        act: Annotated[Act, Depends(door.acts(ORGANISE))],
        body: StrikingOff | Absent = None,
    ) -> Response:
        plan = (await announced(tournaments, tournament_id)).plan
        released = judge.release([entrant_id], plan, entrants.tournaments, act)
        async with words_kept(notes, tournament_id, body.reason if body else None, act) as reason:
            order = StrikeOff(entrant=entrant_id, reason=reason)
            return await entrants.carry_out(tournament_id, entrant_id, order, act, released)

    add_withdrawing(router, entrants, judge, notes, own, door)
    add_expelling(router, entrants, notes, door)
    add_rounds_off(router, entrants, door)
    return router


def add_withdrawing(
    router: APIRouter, entrants: EntrantOrders, judge: Judge, notes: Notes, own: OwnEntries, door: Door
) -> None:
    @router.post(
        "/entrants/{entrant_id}/withdraw",
        summary="Withdraw",
        description="Before the start the entry is withdrawn, also by whose own it is, unless the place is confirmed. "
        "Afterwards they leave after a round, the last published one unless another is named; published games of later "
        "rounds that have not begun are lost as the rules say.",
        operation_id="withdrawEntrant",
        response_model=EntrantInFull | TournamentForeseen,
        responses=CHANGED,
    )
    async def withdraw(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(WITHDRAW))],
        body: Withdrawal | Absent = None,
        dry_run: DryRun = False,
    ) -> Response:
        body = body or Withdrawal()
        state = await announced(entrants.tournaments, tournament_id)
        entrant_of_id(state.roster, entrant_id)
        asked = await own.asked(act.asker, state, entrant_id, RUN)
        async with words_kept(notes, tournament_id, body.reason, act) as reason:
            if asked is None and not_now(state, Leave) is None:
                named_round = await entrants.left_after(tournament_id, entrant_id, body)
                order = leaving(entrant_id, named_round, Leaving.WITHDREW, reason)
                if dry_run:
                    return await entrants.foresee(tournament_id, order)
                return await entrants.carry_out(tournament_id, entrant_id, order, act)
            order = WithdrawEntry(entrant=entrant_id, passed=judge.passed(state.plan), reason=reason, asked=asked)
            if dry_run:
                return await entrants.foresee(tournament_id, order)
            released = judge.release([entrant_id], state.plan, entrants.tournaments, act)
            return await entrants.carry_out(tournament_id, entrant_id, order, act, released)


def add_expelling(router: APIRouter, entrants: EntrantOrders, notes: Notes, door: Door) -> None:
    @router.post(
        "/entrants/{entrant_id}/expel",
        summary="Expel somebody",
        description="They are paired no more after a round, and the rules may take more from them than from who withdraws, and "
        "leave it to the director. Also once the tournament is completed: table and progression follow. With `dry_run` only "
        "says which round it is.",
        operation_id="expelEntrant",
        response_model=EntrantInFull | TournamentForeseen,
        responses=CHANGED,
    )
    async def expel(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: EntrantExpulsion,
        act: Annotated[Act, Depends(door.acts(EXPEL))],
        dry_run: DryRun = False,
    ) -> Response:
        after = await entrants.left_after(tournament_id, entrant_id, body)
        order = leaving(entrant_id, after, Leaving.EXPELLED)
        require_punisher(order, await announced(entrants.tournaments, tournament_id), act.asker)
        if dry_run:
            return await entrants.foresee(tournament_id, order)
        async with words_kept(notes, tournament_id, body.reason, act) as reason:
            return await entrants.carry_out(tournament_id, entrant_id, replace(order, reason=reason), act)

    @router.post(
        "/entrants/{entrant_id}/return",
        summary="Let somebody return",
        description="Who has left is paired again from the next round on, where the rules let them or leaving was a mistake or "
        "was overturned; of a completed tournament only an expulsion is taken back. Who had withdrawn before being expelled is "
        "as they were then, and does not play.",
        operation_id="returnEntrant",
        response_model=EntrantInFull | TournamentForeseen,
        responses=CHANGED,
    )
    async def let_return(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(RUN))],
        body: ComingBack | Absent = None,
        dry_run: DryRun = False,
    ) -> Response:
        body = body or ComingBack()
        order = Return(entrant=entrant_id, why=body.why)
        require_punisher(order, await announced(entrants.tournaments, tournament_id), act.asker)
        if dry_run:
            return await entrants.foresee(tournament_id, order)
        async with words_kept(notes, tournament_id, body.reason, act) as reason:
            return await entrants.carry_out(tournament_id, entrant_id, replace(order, reason=reason), act)


def add_rounds_off(router: APIRouter, entrants: EntrantOrders, door: Door) -> None:
    @router.post(
        "/entrants/{entrant_id}/absent",
        summary="Take a round off",
        description="They will not be there in one round, the next one unless another is named; with points where such a bye was requested "
        "and granted. With `dry_run` only says which round it is.",
        operation_id="markAbsent",
        response_model=EntrantInFull | TournamentForeseen,
        responses=CHANGED,
    )
    async def be_absent(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(RUN))],
        body: RoundOff | Absent = None,
        dry_run: DryRun = False,
    ) -> Response:
        body = body or RoundOff()
        at = await entrants.round_ahead(tournament_id, body)
        points = None if body.points is None else stored(body.points)
        order = BeAbsent(entrant=entrant_id, round=at.number, points=points, stage=at.stage)
        if dry_run:
            return await entrants.foresee(tournament_id, order)
        return await entrants.carry_out(tournament_id, entrant_id, order, act)

    @router.post(
        "/entrants/{entrant_id}/present",
        summary="Be there in a round after all",
        description="The round off is taken back.",
        operation_id="markPresent",
        response_model=EntrantInFull | TournamentForeseen,
        responses=CHANGED,
    )
    async def be_present(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        act: Annotated[Act, Depends(door.acts(RUN))],
        body: RoundOn | Absent = None,
        dry_run: DryRun = False,
    ) -> Response:
        at = await entrants.round_ahead(tournament_id, body or RoundOn())
        order = BePresent(entrant=entrant_id, round=at.number, stage=at.stage)
        if dry_run:
            return await entrants.foresee(tournament_id, order)
        return await entrants.carry_out(tournament_id, entrant_id, order, act)


def leaving(entrant: str, after: NamedRound, why: Leaving, reason: NotedReason | None = None) -> Leave:
    return Leave(entrant=entrant, after_round=after.number, stage=after.stage, why=why, reason=reason)


def changes(events: Sequence[Event], state: AnnouncedTournament) -> Iterator[str]:
    """In the words of a director."""
    for event in events:
        match event:
            case facts.EntrantLeft():
                yield f"{called_by(state, event.entrant)} plays no round of {event.stage} after round {event.after_round}."
            case facts.EntrantAbsent():
                yield f"{called_by(state, event.entrant)} does not play round {event.round} of {event.stage}."
            case facts.EntrantPresent():
                yield f"{called_by(state, event.entrant)} plays round {event.round} of {event.stage}."
            case facts.EntrantReturned():
                yield f"{called_by(state, event.entrant)} is paired again."
            case facts.EntryWithdrawn():
                yield "The entry is withdrawn."
            case _:
                pass


def lost(events: Sequence[Event], state: AnnouncedTournament, published: KnownTournament) -> Iterator[str]:
    for event in events:
        match event:
            case facts.EntrantLeft() if event.after_round < (last := published.last(event.stage)):
                yield loses(called_by(state, event.entrant), last)
            case facts.EntrantAbsent() if event.round <= published.last(event.stage):
                yield loses(called_by(state, event.entrant), event.round)
            case facts.EntrantPresent() if event.round <= published.last(event.stage):
                number = called_by(state, event.entrant)
                yield f"A game of round {event.round} that {number} has lost by the absence stays so until its result is corrected."
            case _:
                pass


def loses(number: str, round_: int) -> str:
    return f"{number} loses the game of round {round_} if it has not begun, where the rules say how."


def called_by(state: AnnouncedTournament, entrant: str) -> str:
    found = entrant_of_id(state.roster, entrant)
    return f"Number {found.number}" if isinstance(found, PlayingEntrant | LeftEntrant) else entrant
