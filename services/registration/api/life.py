"""The life of a tournament: each step from one part of it to the next is an operation of its own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace

from services.registration.api import may, showing
from services.registration.api.forms import (
    Advance,
    Delay,
    StartWith,
    Tournament,
    TournamentForeseen,
    TournamentId,
)
from services.registration.api.seeding import Seeding
from services.registration.api.tournaments import IsDirected, TournamentHandler
from services.registration.domain.tournament import decider as tournament
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.lifecycle import (
    AnnounceAdvance,
    BeginReview,
    CancelTournament,
    CompleteTournament,
    LifeOrder,
    OpenCheckIn,
    OpenRegistration,
    PostponeFirstRound,
    ResumePlay,
)
from services.registration.domain.tournament.start import StartTournament, lots_to_draw
from shared.access.policy import Policy
from shared.commands.handler import Beside
from shared.http.door import Act, Door
from shared.http.orders import CHANGED, run
from shared.http.parameters import Absent
from shared.http.responses import JSON, DryRun
from shared.lots.drawing import Lots

type Tiers = Mapping[str, Sequence[str]]  # whom a lot decides between, by its purpose


def routes(
    *, tournaments: TournamentHandler, is_directed: IsDirected, seeding: Seeding, lots: Lots, door: Door
) -> APIRouter:
    router = APIRouter(prefix="/v1/tournaments/{tournament_id}", tags=["tournaments"])

    @router.post(
        "/postpone-first-round",
        summary="Put the first round back",
        description="For those who come late with an excuse. The rules limit by how much.",
        operation_id="postponeFirstRound",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def postpone(
        tournament_id: TournamentId, body: Delay, act: Annotated[Act, Depends(door.acts(may.ORGANISE))]
    ) -> Response:
        order = PostponeFirstRound(minutes=body.minutes)
        return await run(tournaments, tournament_id, order, act, lambda state: showing.tournament(state, act.asker))

    @router.post(
        "/announce-advance",
        summary="Announce how many go on",
        description="To the next tournament or stage, where the rules leave that to the announcement. Until the start it "
        "may be announced anew; without it the tournament cannot start.",
        operation_id="announceAdvance",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def advance(
        tournament_id: TournamentId, body: Advance, act: Annotated[Act, Depends(door.acts(may.ORGANISE))]
    ) -> Response:
        order = AnnounceAdvance(advance=body.advance)
        return await run(tournaments, tournament_id, order, act, lambda state: showing.tournament(state, act.asker))

    @router.post(
        "/start",
        summary="Start the tournament",
        description="Everybody who has checked in gets a start number, the field is closed and the rules are fixed for "
        "ever. Who has entered without a rating gets that of the list that the rules name, as it was published last. Where the rules number by lot, or by places that several have, a lot is drawn and recorded. Pairing can "
        "begin.",
        operation_id="startTournament",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def start(
        tournament_id: TournamentId,
        act: Annotated[Act, Depends(door.acts(may.ORGANISE))],
        body: StartWith | Absent = None,
        dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
    ) -> Response:
        has_director = await is_directed(tournament_id)
        state, _ = await tournaments.load(tournament_id)
        order = StartTournament(
            has_director=has_director,
            decision=body.decision if body else None,
            listed=await seeding.of_field(tournament.known(state)),
        )
        tiers = await drawn_among(tournaments, tournament_id)
        if dry_run:
            in_any_order = tuple(entrant for tier in tiers.values() for entrant in tier)
            _, events = await tournaments.foresee(tournament_id, replace(order, drawn=in_any_order))
            return Response(foreseen(events).model_dump_json(), media_type=JSON)
        drawn, recorded = await drawn_by(lots, tournament_id, tiers, act)
        return await run(
            tournaments,
            tournament_id,
            replace(order, drawn=drawn),
            act,
            lambda state: showing.tournament(state, act.asker),
            beside=recorded,
        )

    def step(path: str, operation: str, policy: Policy, order: LifeOrder, summary: str, description: str) -> None:
        """An act that needs no more words."""

        @router.post(
            f"/{path}",
            summary=summary,
            description=description,
            operation_id=operation,
            response_model=Tournament,
            responses=CHANGED,
        )
        async def happens(tournament_id: TournamentId, act: Annotated[Act, Depends(door.acts(policy))]) -> Response:
            return await run(tournaments, tournament_id, order, act, lambda state: showing.tournament(state, act.asker))

    def dangerous(path: str, operation: str, policy: Policy, order: LifeOrder, summary: str, description: str) -> None:
        """The same where it cannot be undone: somebody may ask first what would come of it."""

        @router.post(
            f"/{path}",
            summary=summary,
            description=description,
            operation_id=operation,
            response_model=Tournament | TournamentForeseen,
            responses=CHANGED,
        )
        async def happens(
            tournament_id: TournamentId,
            act: Annotated[Act, Depends(door.acts(policy))],
            dry_run: DryRun = False,  # noqa: FBT002 - a query parameter has a name
        ) -> Response:
            if dry_run:
                _, events = await tournaments.foresee(tournament_id, order)
                return Response(foreseen(events).model_dump_json(), media_type=JSON)
            is_over = isinstance(order, CompleteTournament)
            return await run(
                tournaments,
                tournament_id,
                order,
                act,
                lambda state: showing.tournament(state, act.asker),
                beside=await lots.revealed(tournament_id, act.origin) if is_over else (),
            )

    steps(step, dangerous)
    return router


async def drawn_among(tournaments: TournamentHandler, tournament_id: str) -> Tiers:
    """Between whom a lot decides on start numbers, as the field is now."""
    state, _ = await tournaments.load(tournament_id)
    known = tournament.known(state)
    return lots_to_draw(known.roster, known.plan.ruleset)


async def drawn_by(lots: Lots, tournament_id: str, tiers: Tiers, act: Act) -> tuple[tuple[str, ...], Sequence[Beside]]:
    """The order by lot, and what is written down of it."""
    if not tiers:
        return (), ()
    drawing = await lots.begin(tournament_id, act.origin)
    order = tuple(entrant for purpose, tier in tiers.items() for entrant in drawing.draw(purpose, tier))
    return order, [drawing.recorded()]


type Step = Callable[[str, str, Policy, LifeOrder, str, str], None]


def steps(step: Step, dangerous: Step) -> None:
    step(
        *("open", "openRegistration", may.ORGANISE, OpenRegistration()),
        "Open registration",
        "Entries are taken from now on.",
    )
    step(
        *("open-check-in", "openCheckIn", may.ORGANISE, OpenCheckIn()),
        "Open check-in",
        "From now on it is noted who is there, and an entry takes a decision of the organiser.",
    )
    step(
        *("review", "beginReview", may.RUN, BeginReview()),
        "Begin the review",
        "All rounds are played; results and table are looked through before the tournament is completed.",
    )
    step(
        *("resume", "resumePlay", may.RUN, ResumePlay()),
        "Resume play",
        "The review has shown that something is still to be played.",
    )
    dangerous(
        *("complete", "completeTournament", may.ORGANISE, CompleteTournament()),
        "Complete the tournament",
        "All is played and decided; what was kept secret for lots is revealed.",
    )
    dangerous(
        *("cancel", "cancelTournament", may.CANCEL, CancelTournament()),
        "Cancel the tournament",
        "It does not take place, or ends without a result.",
    )


def foreseen(events: Sequence[tournament.Event]) -> TournamentForeseen:
    """In the words of an organiser."""
    field = [event for event in events if isinstance(event, facts.EntrantAdmitted)]
    apart = sum(isinstance(event, facts.MeetingForbidden) for event in events)
    pairs = "pair is" if apart == 1 else "pairs are"
    changes: list[str] = []
    lost: list[str] = []
    for event in events:
        match event:
            case facts.TournamentStarted():
                changes += [f"The field is closed with {len(field)} entrants, numbered 1 to {len(field)}."]
                changes += [f"Of close persons {apart} {pairs} kept apart in the last rounds."] if apart else []
                lost += ["Entries cannot be withdrawn as if they had never been: who goes, leaves after a round."]
                lost += ["The start numbers stay as they are."]
            case facts.TournamentCompleted():
                changes += ["The tournament is completed.", "The secrets of its lots are revealed."]
                lost += [
                    "It cannot be taken up again: no round is paired any more, and results are all that can still be mended."
                ]
            case facts.TournamentCancelled():
                changes += ["The tournament is cancelled, and nobody plays on."]
                lost += ["It cannot be taken up again."]
            case _:
                pass
    return TournamentForeseen(changes=changes, lost=lost)
