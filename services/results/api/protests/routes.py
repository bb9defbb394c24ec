"""What several people decide together: a council about a protest, the players present about a deadlock."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response
from msgspec import convert

from services.results.api.context import Context, citing
from services.results.api.penalties.routes import require_taking_part
from services.results.api.permissions import JUDGE, LOOK_INTO, PROTEST, speaker
from services.results.api.protests.bodies import Done, ProtestId, Protests, ToDecideProtest, ToProtest, ToRecordVote
from services.results.api.protests.views import notes, protests_shown, upheld
from services.results.domain import protests
from services.results.domain.sheet.refusals import NotAtThisTable, OnlyForOwnSeat, SheetUnknown
from services.results.games.verdict import unfit
from shared.access.asker import Asker
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, answered_before, run
from shared.http.parameters import TournamentId
from shared.http.responses import FOUND, read
from shared.rulesets.schema import Ruleset


def routes(*, context: Context, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["protests"])

    @router.post(
        "/protests",
        summary="File a protest",
        description="By a captain for the own entrant, or by an official for somebody. A council decides it.",
        operation_id="fileProtest",
        response_model=Done,
        responses=CHANGED,
    )
    async def protest(
        tournament_id: TournamentId, body: ToProtest, act: Annotated[Act, Depends(door.acts(PROTEST))]
    ) -> Response:
        if before := await answered_before(context.protests, act):  # others may sit at the table since
            return before
        require_taking_part(await context.tournaments.of(tournament_id), body.entrant)
        if speaker(act).entrant not in {None, body.entrant}:
            raise OnlyForOwnSeat("You speak for your own entrant only.")
        seats = await seats_of(context, tournament_id, body)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = protests.FileProtest(
                protest=str(context.new_id()),
                tournament=tournament_id,
                entrant=body.entrant,
                reason=note or "",
                game=body.game,
                seats=seats,
            )
            return await carried_out(context, order.protest, order, act)

    @router.post(
        "/protests/{protest_id}/decide",
        summary="Record what the council has decided",
        description="Three members, one of them the chief judge; nobody votes about the own game. It is final.",
        operation_id="decideProtest",
        response_model=Done,
        responses=CHANGED,
    )
    async def rule(
        tournament_id: TournamentId,
        protest_id: ProtestId,
        body: ToDecideProtest,
        act: Annotated[Act, Depends(door.acts(JUDGE))],
    ) -> Response:
        known = await context.tournaments.of(tournament_id)
        for member_who_plays in (one.entrant for one in body.council if one.entrant is not None):
            require_taking_part(known, member_who_plays)
        council = tuple(convert(one, protests.Vote, from_attributes=True) for one in body.council)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = protests.DecideProtest(
                protest=protest_id, tournament=tournament_id, council=council, reason=note or ""
            )
            return await carried_out(context, protest_id, order, act)

    @router.post(
        "/votes",
        summary="Record a public vote",
        description="Where no rule says how to go on, the players present decide on an official's motion, by simple "
        "majority. Question and numbers are kept. Online nobody votes.",
        operation_id="recordPublicVote",
        response_model=Done,
        responses=CHANGED,
    )
    async def vote(
        tournament_id: TournamentId, body: ToRecordVote, act: Annotated[Act, Depends(door.acts(JUDGE))]
    ) -> Response:
        require_at_tables((await context.tournaments.of(tournament_id)).rules())
        async with context.notes.kept(act.asker.scope, body.question, act.key) as note:
            order = protests.RecordVote(
                vote=str(context.new_id()),
                tournament=tournament_id,
                question=note or "",
                in_favour=body.in_favour,
                against=body.against,
            )
            return await carried_out(context, order.vote, order, act)

    @router.get(
        "/protests",
        summary="Protests and public votes of a tournament",
        description="With their words, unless these were erased, and who decided.",
        operation_id="listProtests",
        response_model=Protests,
        responses=FOUND,
    )
    async def several(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(LOOK_INTO))]) -> Response:
        state, version = await context.protests.load(tournament_id)
        words = await context.notes.read(tournament_id, notes(state))
        return read(protests_shown(state, words, asker), version)

    return router


def require_at_tables(rules: Ruleset) -> None:
    """Online nobody is present who could vote."""
    if rules.contest.words == "server":
        raise unfit("/question", "is not voted about: online the chief administrator decides alone (SK.X-7)")


async def carried_out(context: Context, name: str, order: protests.Command, act: Act) -> Response:
    with citing(await context.tournaments.of(order.tournament)):
        return await run(
            context.protests,
            order.tournament,
            order,
            act,
            lambda state: Done(id=name, upheld=upheld(state, name)),
        )


async def seats_of(context: Context, tournament: str, body: ToProtest) -> tuple[str, ...]:
    if body.game is None:
        return ()
    place = await context.places.of(body.game)
    if place is None or place.tournament != tournament:
        raise SheetUnknown("There is no score sheet of this game here: look for it in the list of its round.")
    seats = (await context.sheet(body.game)).sheet.seats
    if body.entrant not in seats:
        raise NotAtThisTable("This entrant does not play at that table.")
    return seats
