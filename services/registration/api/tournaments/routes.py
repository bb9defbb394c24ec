"""Tournaments: announced, listed and shown, what stands in the way of their start, their plan, and spectators."""

from collections.abc import Sequence
from datetime import date
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from fastapi.exceptions import RequestValidationError
from msgspec.structs import replace

from services.registration.api.bodies import ID, Official
from services.registration.api.federations import OfficialsHandler
from services.registration.api.levels import LeadingOn, expectations
from services.registration.api.permissions import (
    ANNOUNCE,
    APPOINT_TOURNAMENT_OFFICIAL,
    DECIDE_SHOWN_NAMES,
    OFFICIATE,
    ORGANISE,
    SEE_DRAFTS,
)
from services.registration.api.personal import words_kept
from services.registration.api.tournaments.announcement import GroundsFinder, announcement, changed_plan
from services.registration.api.tournaments.bodies import (
    Approved,
    PlanToChange,
    ShownNamesToDecide,
    Spectator,
    Spectators,
    SpectatorToApprove,
    StartCheck,
    Tournament,
    TournamentForeseen,
    TournamentListed,
    TournamentPage,
    TournamentToAnnounce,
)
from services.registration.api.tournaments.views import TournamentsShown, tournaments_listed
from services.registration.domain.officials import AppointSeveral, Office
from services.registration.domain.tournament.entries import ApproveSpectator
from services.registration.domain.tournament.facts import ReserveCalled
from services.registration.domain.tournament.lifecycle import AnnounceTournament, DecideShownNames
from services.registration.domain.tournament.plan import ChangePlan, differences, planned
from services.registration.domain.tournament.reasons import NotedReason
from services.registration.domain.tournament.states import TournamentStatus, Unannounced, known
from services.registration.next_levels import Levels
from services.registration.projection import Tournaments
from services.registration.projection.tournaments import NoCursor, PageEnd, TournamentOrder, Wanted, page_end
from services.registration.streams import TournamentHandler, announced
from shared.access.asker import Asker
from shared.access.policy import ANYBODY, NotPermitted
from shared.access.references import id_of
from shared.clock import Now
from shared.commands.handler import ActPart
from shared.csv_lines import written
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, CREATED, answered_before, run, tried
from shared.http.parameters import Absent, TournamentId
from shared.http.responses import FOUND, After, AsSheet, DryRun, Limit, or_sheet, page, read, sheet
from shared.ids import NewId
from shared.lots.drawing import Lots
from shared.personal.notes import Notes
from shared.rulesets.schema import Game

OF_FEDERATION = Query(
    pattern=ID, json_schema_extra=id_of("federation"), description="Only those of this federation.", examples=[""]
)
WITH_WORDS = Query(
    min_length=1,
    max_length=200,
    description="Only those with all these words, or what begins with them, in their name or place; without regard to "
    "accents.",
    examples=["kosice cup"],
)
AT_PLACE = Query(
    min_length=1,
    max_length=200,
    description="The same, of the place alone: as it was announced, and of its hall, host and region.",
    examples=["kosice"],
)
SINCE = Query(alias="from", description="Only those whose first day is this one, or later.", examples=["2026-11-01"])
UNTIL = Query(alias="to", description="Only those whose first day is this one, or earlier.", examples=["2026-11-30"])
MOST_IN_FILE = 5_000  # tournaments
TOURNAMENT_COLUMNS = tuple(TournamentListed.model_fields)
TOURNAMENT_FILE = (
    f"{','.join(TOURNAMENT_COLUMNS)}\r\n019aa4c2-9b10-7c55-a1de-6d0f4b8e2c21,019aa4c2-7d5e,Košice Cup,Slovak Scrabble "
    "Association,Košice,running,scrabble,scrabble-sk-2022-qt,2026-11-21,live,classic,,\r\n"
)
OF_GAME = Query(description="Only those of this game.", examples=["scrabble"])
BY_RULESET = Query(
    pattern=r"^[0-9a-z-]{1,64}$", description="Only those by this ruleset.", examples=["scrabble-sk-2022-qt"]
)
IN_ORDER = Query(
    description="`next`: what is under way, then what is to come, then what is over. `date`, `latest`: by the first "
    "day, forwards or backwards. `name`: by their names. `announced`: as they were.",
    examples=["next"],
)
IN_CALENDAR = Query(pattern=ID, description="Only those that are this in the calendar.", examples=["live"])
IN_SERIES = Query(pattern=ID, description="Of a series; name the federation too.", examples=["pisqworky-2025"])
IN_SEASON = Query(
    pattern=ID, json_schema_extra=id_of("season"), description="Those that count in a season.", examples=[None]
)
IN_VARIANT = Query(pattern=ID, description="Only those in this variant.", examples=["classic"])
IN_STATUS = Query(description="Only those that are so far; several may be named.", examples=[["running"]])


def routes(  # noqa: C901 - six short operations
    *,
    tournaments: TournamentHandler,
    grounds: GroundsFinder,
    views: Tournaments,
    shown: TournamentsShown,
    offices: OfficialsHandler,
    levels: Levels,
    notes: Notes,
    lots: Lots,
    door: Door,
    now: Now,
    new_id: NewId,
) -> APIRouter:
    router = Router(prefix="/v1/tournaments", tags=["tournaments"])

    @router.post(
        "",
        summary="Announce a tournament",
        description="It begins as a draft, with a ruleset of the list or a whole one of its own, by which it is "
        "played whatever is posted later. With `open` registration is opened, with `officials` they are appointed in "
        "the same act: all of it, or nothing.",
        operation_id="announceTournament",
        status_code=HTTPStatus.CREATED,
        response_model=Tournament,
        responses=CREATED,
    )
    async def announce(body: TournamentToAnnounce, act: Annotated[Act, Depends(door.acts(ANNOUNCE))]) -> Response:
        if before := await answered_before(tournaments, act, status=HTTPStatus.CREATED):
            return before
        order = announcement(str(new_id()), body, await grounds.of(body), now())
        leading = LeadingOn(
            identity=order.tournament,
            federation=order.federation,
            entry=order.ruleset.entry,
            series=order.series,
        )
        also = [
            *appointed_with(order, body.officials, offices, act),
            *await expectations(levels, leading, (order.next_level, order.otherwise), act.origin),
            lots.committing(order.tournament, order.lot_source, act.origin),
        ]
        async with words_kept(notes, order.tournament, body.reason, act) as said:
            return await run(
                tournaments,
                order.tournament,
                replace(order, reason=said),
                act,
                await shown.planned(order, act.asker),
                status=HTTPStatus.CREATED,
                also=also,
            )

    @router.get(
        "",
        summary="All tournaments",
        description="Page by page, by words, days, place, game and the like. Drafts are listed for officials of their "
        "federations.",
        operation_id="listTournaments",
        response_model=TournamentPage,
        responses=or_sheet(TOURNAMENT_FILE),
    )
    async def several(  # noqa: PLR0917 - query parameters have names
        asker: Annotated[Asker, Depends(door.reads(ANYBODY))],
        words: Annotated[str | Absent, WITH_WORDS] = None,
        place: Annotated[str | Absent, AT_PLACE] = None,
        since: Annotated[date | Absent, SINCE] = None,
        until: Annotated[date | Absent, UNTIL] = None,
        game: Annotated[Game | Absent, OF_GAME] = None,
        ruleset: Annotated[str | Absent, BY_RULESET] = None,
        federation: Annotated[str | Absent, OF_FEDERATION] = None,
        status: Annotated[list[TournamentStatus] | Absent, IN_STATUS] = None,
        competition: Annotated[str | Absent, IN_CALENDAR] = None,
        variant: Annotated[str | Absent, IN_VARIANT] = None,
        series: Annotated[str | Absent, IN_SERIES] = None,
        season: Annotated[str | Absent, IN_SEASON] = None,
        order: Annotated[TournamentOrder, IN_ORDER] = "next",
        as_format: AsSheet = None,
        after: After = "",
        limit: Limit = 100,
    ) -> Response:
        exactly = {
            "game": game,
            "ruleset": ruleset,
            "federation": federation,
            "competition": competition,
            "variant": variant,
            "series": series,
            "season": season,
        }
        wanted = Wanted(
            exactly={name: value for name, value in exactly.items() if value is not None},
            statuses=status or (),
            words=words,
            place=place,
            since=since.isoformat() if since else None,
            until=until.isoformat() if until else None,
        )
        begin = (
            begun_after(after, order)
            if after and as_format is None
            else PageEnd(order=order, today=now().date().isoformat())
        )
        most = MOST_IN_FILE if as_format == "csv" else limit
        rows, end = await views.page(wanted, after=begin, limit=most, officiating=officiating(asker))
        items = await tournaments_listed(rows, views)
        if as_format == "csv":
            return sheet(written(TOURNAMENT_COLUMNS, (one.model_dump() for one in items)))
        query = {"words": words, "place": place, "from": wanted.since, "to": wanted.until} | exactly
        said = {name: value for name, value in query.items() if value is not None}
        return page(
            TournamentPage(items=items, next=end.cursor if end else None),
            "/v1/tournaments",
            end.cursor if end else None,
            said | {"status": status or [], "order": order, "limit": limit},
        )

    @router.get(
        "/{tournament_id}",
        summary="One tournament",
        description="As it is now, with what the caller may do with it.",
        operation_id="getTournament",
        response_model=Tournament,
        responses=FOUND,
    )
    async def one(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        state, version = await tournaments.load(tournament_id)
        found = await shown.now(state, asker)
        if not asker.may(SEE_DRAFTS, tournament_id):
            found.next_level = await as_far_as_open(found.next_level)
            found.otherwise = await as_far_as_open(found.otherwise)
        return read(found, version)

    @router.get(
        "/{tournament_id}/start-check",
        summary="What stands in the way of the start",
        description="Everything at once, and what to do about it. What single entries lack is shown to officials only.",
        operation_id="checkStart",
        response_model=StartCheck,
        responses=FOUND,
    )
    async def check(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        state, version = await tournaments.load(tournament_id)
        return read(await shown.start_check(state, asker), version)

    @router.post(
        "/{tournament_id}/change-plan",
        summary="Change what was announced",
        description="Until the start. Only what is named changes, and what entries rest on already stays. Who waits "
        "comes in where there are more places now.",
        operation_id="changePlan",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def change(
        tournament_id: TournamentId,
        body: PlanToChange,
        act: Annotated[Act, Depends(door.acts(ORGANISE))],
        dry_run: DryRun = False,
    ) -> Response:
        plan = (await announced(tournaments, tournament_id)).plan
        homes, _ = await grounds.homes.load(plan.federation)
        seen, wanted, reason = planned(plan), changed_plan(body, plan, homes, now()), body.reason
        if dry_run:
            order = ChangePlan(seen=seen, planned=wanted, reason=NotedReason(code=reason.code))
            _, events = await tournaments.foresee(tournament_id, order)
            called = sum(isinstance(event, ReserveCalled) for event in events)
            changes = differences(seen, wanted, homes) + ([f"Coming in of those who wait: {called}."] if called else [])
            return tried(TournamentForeseen(changes=changes, lost=[]))
        async with words_kept(notes, tournament_id, reason, act) as said:
            order = ChangePlan(seen=seen, planned=wanted, reason=said or NotedReason(code=reason.code))
            return await run(
                tournaments,
                tournament_id,
                order,
                act,
                await shown.planned(plan, act.asker),
                also=levels.judge.claims_of_field(plan, wanted.series, tournaments, act),
            )

    @router.post(
        "/{tournament_id}/decide-shown-names",
        summary="Decide what spectators see of persons",
        description="By the officials of the federation, at any time. It holds at once, everywhere, for whoever holds "
        "no office here; captains see their own entrant in full.",
        operation_id="decideShownNames",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def decide_shown_names(
        tournament_id: TournamentId,
        body: ShownNamesToDecide,
        act: Annotated[Act, Depends(door.acts(DECIDE_SHOWN_NAMES))],
    ) -> Response:
        order = DecideShownNames(shown_names=body.shown_names)
        return await run(tournaments, tournament_id, order, act, await shown.of(tournament_id, act.asker))

    async def as_far_as_open(tournament_id: str | None) -> str | None:
        """The next tournament may be a draft yet."""
        state, _ = await tournaments.load(tournament_id or "")
        return tournament_id if not isinstance(state, Unannounced) and state.plan.is_open else None

    return router


def begun_after(cursor: str, order: TournamentOrder) -> PageEnd:
    try:
        return page_end(cursor, order)
    except NoCursor:
        fault = "is no `next` of this list in this order: leave it out to begin anew"
        raise RequestValidationError([{"loc": ("query", "after"), "msg": fault}]) from None


def appointed_with(
    order: AnnounceTournament, officials: Sequence[Official], offices: OfficialsHandler, act: Act
) -> list[ActPart]:
    """Whoever announces a tournament with its officials has to be one who may appoint them."""
    if not officials:
        return []
    if (why_not := act.asker.why_not(APPOINT_TOURNAMENT_OFFICIAL, order.federation)) is not None:
        raise NotPermitted(why_not)
    several = AppointSeveral(
        scope=order.tournament,
        offices=tuple(Office(subject=one.subject, role=one.role) for one in officials),
        by=act.origin.actor,
        overseen=True,
    )
    return [offices.beginning(order.tournament, several, scope=order.tournament, origin=act.origin)]


def officiating(asker: Asker) -> frozenset[str] | None:
    """Federations and tournaments whose drafts somebody may see; none for whoever may see all."""
    if asker.is_operator:
        return None
    scopes = {grant.scope for grant in asker.grants}
    if asker.caller and asker.caller.captain:
        scopes.add(asker.caller.captain.tournament)
    return frozenset(scopes)


def spectator_routes(*, tournaments: TournamentHandler, notes: Notes, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/spectators", tags=["tournaments"])

    @router.post(
        "/approve",
        summary="Approve spectators",
        description="Beforehand. The log says that somebody was approved, by whom and when, and not who it is.",
        operation_id="approveSpectator",
        response_model=Approved,
        responses=CHANGED,
    )
    async def approve(
        tournament_id: TournamentId,
        body: SpectatorToApprove,
        act: Annotated[Act, Depends(door.acts(ORGANISE))],
    ) -> Response:
        async with notes.kept(tournament_id, body.who, act.key) as note:
            return await run(
                tournaments,
                tournament_id,
                ApproveSpectator(spectator=note or "", note=note or ""),
                act,
                lambda state: Approved(approved=len(known(state).roster.spectators)),
            )

    @router.get(
        "",
        summary="Who may look on",
        description="For officials.",
        operation_id="listSpectators",
        response_model=Spectators,
        responses=FOUND,
        dependencies=[Depends(door.reads(OFFICIATE))],
    )
    async def several(tournament_id: TournamentId) -> Response:
        state, version = await tournaments.load(tournament_id)
        approved = known(state).roster.spectators
        words = await notes.read(tournament_id, approved.values())
        items = [Spectator(id=one, who=words.get(note)) for one, note in approved.items()]
        return read(Spectators(items=items), version)

    return router
