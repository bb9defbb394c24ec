"""The way from one tournament to the next: where the best go on to, and who has come from where."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.registration.api import level_showing, may, showing
from services.registration.api.forms import Tournament, TournamentForeseen, TournamentId
from services.registration.api.leading import Leader, leading_on
from services.registration.api.level_forms import NextLevel, Qualifiers, ToTakeIn
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.levels import NameNextLevel, NoNextLevel, NotDecided, TakeIn
from services.registration.domain.tournament.places_and_reserves import ReleaseUnconfirmed, is_due
from services.registration.levels import Levels, called_as_before
from shared.http.door import Act, Door
from shared.http.orders import CHANGED, run
from shared.http.problems import documented
from shared.http.responses import JSON, READ, DryRun, read
from shared.personal.names import Names


def routes(*, levels: Levels, names: Names, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["levels"])
    tournaments = levels.tournaments

    @router.post(
        "/next-level",
        summary="Name the tournament that the best go on to",
        description="As soon as the order is decided, they are entered there: those by right with a place that they "
        "confirm, the others as reserves. It may be named anew until then. Where the rules do not say how many go on, "
        "announce it before the start; otherwise they fill the places that are left there.",
        operation_id="nameNextLevel",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def next_level(
        tournament_id: TournamentId, body: NextLevel, act: Annotated[Act, Depends(door.acts(may.LEAD_ON))]
    ) -> Response:
        plan = (await levels.state(tournament_id)).plan
        order = NameNextLevel(next_level=body.tournament, otherwise=body.otherwise)
        leader = Leader(
            identity=tournament_id,
            federation=plan.federation,
            entry=plan.ruleset.entry,
            before=(plan.next_level, plan.otherwise),
        )
        return await run(
            tournaments,
            tournament_id,
            order,
            act,
            lambda state: showing.tournament(state, act.asker),
            beside=await leading_on(levels, leader, (body.tournament, body.otherwise), act.origin),
        )

    @router.get(
        "/qualifiers",
        summary="Who comes from the tournaments before",
        description="Of each: its order, what everybody has a claim to, what has become of their entry, and what an "
        "official has to decide: somebody who could not be entered, or whom a correction gave a place or took it from.",
        operation_id="listQualifiers",
        response_model=Qualifiers,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(may.LOOK))],
    )
    async def qualifiers(tournament_id: TournamentId) -> Response:
        _, version = await tournaments.load(tournament_id)
        return read(await level_showing.qualifiers(levels, names, tournament_id), version)

    @router.post(
        "/take-in",
        summary="Take in who is qualified",
        description="Whoever comes from a tournament before and is not entered yet, because it was too late or too "
        "early for it, or because a correction came. Who is entered already stays, whatever became of the entry.",
        operation_id="takeInQualified",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def take_in(
        tournament_id: TournamentId,
        body: ToTakeIn,
        act: Annotated[Act, Depends(door.acts(may.LEAD_ON))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        order = await taking_in(levels, tournament_id, body)
        entered, claims = await levels.claims(order, tournament_id)
        if dry_run:
            _, events = await tournaments.foresee(tournament_id, order)
            return Response(foreseen(events).model_dump_json(), media_type=JSON)
        await names.keep(await called_as_before(names, order, entered))
        plan = (await levels.state(tournament_id)).plan
        series, scope = f"{plan.federation}.{plan.series}", plan.federation
        claimed = [levels.judge.series.part(series, claims, scope=scope, origin=act.origin)] if claims else []
        return await run(
            tournaments,
            tournament_id,
            order,
            act,
            lambda state: showing.tournament(state, act.asker),
            beside=claimed,
        )

    @router.post(
        "/release-unconfirmed",
        summary="Give the places that nobody confirmed to reserves",
        description="Once the time to confirm is over: whoever has not confirmed withdraws, and the next are called. "
        "Who is called as a reserve may confirm later.",
        operation_id="releaseUnconfirmed",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def release(
        tournament_id: TournamentId,
        act: Annotated[Act, Depends(door.acts(may.LEAD_ON))],
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        state = await levels.state(tournament_id)
        order = ReleaseUnconfirmed(passed=levels.judge.passed(state.plan))
        if dry_run:
            _, events = await tournaments.foresee(tournament_id, order)
            return Response(foreseen(events).model_dump_json(), media_type=JSON)
        gone = [one.entrant for one in state.roster.coming if is_due(state.roster, one.entrant)]
        return await run(
            tournaments,
            tournament_id,
            order,
            act,
            lambda state: showing.tournament(state, act.asker),
            beside=levels.judge.release(gone, state, act),
        )

    return router


async def taking_in(levels: Levels, tournament: str, body: ToTakeIn) -> TakeIn:
    if body.tournament not in (await levels.state(tournament)).roster.origins:
        raise NoNextLevel("Nobody comes from there: name this one as its next level first.")
    order = await levels.coming(body.tournament, tournament, advance=body.advance, by_hand=True)
    if order is None:
        raise NotDecided(
            "The order there is not decided yet: the last stage has to be closed, or of a season it has to be published who has qualified."
        )
    return order


def foreseen(events: Sequence[facts.Event]) -> TournamentForeseen:
    """In the words of an organiser."""
    counts: Mapping[str, int] = {
        "enter": sum(isinstance(event, facts.EntrantEntered) for event in events),
        "wait for a place": sum(isinstance(event, facts.EntrantWaits) for event in events),
        "withdraw": sum(isinstance(event, facts.EntryWithdrawn) for event in events),
        "are called": sum(isinstance(event, facts.ReserveCalled) for event in events),
        "get another place as their key": sum(isinstance(event, facts.EntryCorrected) for event in events),
    }
    changes = [f"{count} {what}." for what, count in counts.items() if count]
    lost = ["Whoever withdraws has no claim to a place any more."] if counts["withdraw"] else []
    return TournamentForeseen(changes=changes, lost=lost)
