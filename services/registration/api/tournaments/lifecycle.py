"""The life of a tournament: each step from one part of it to the next is an operation of its own."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace

from services.registration.api.permissions import CANCEL, ORGANISE, RUN
from services.registration.api.persons.directory import Directory
from services.registration.api.tournaments.bodies import (
    Advance,
    Delay,
    StartWith,
    Tournament,
    TournamentForeseen,
)
from services.registration.api.tournaments.views import TournamentsShown
from services.registration.domain import ratings
from services.registration.domain.ratings import mean_rating
from services.registration.domain.tournament import facts
from services.registration.domain.tournament.decider import Command
from services.registration.domain.tournament.facts import Event
from services.registration.domain.tournament.lifecycle import (
    AnnounceAdvance,
    BeginReview,
    CancelTournament,
    LifeOrder,
    OpenCheckIn,
    OpenRegistration,
    PostponeFirstRound,
    ResumePlay,
)
from services.registration.domain.tournament.start import StartTournament, lots_to_draw
from services.registration.domain.tournament.states import AnnouncedTournament, Plan
from services.registration.eligibility.judge import Judge
from services.registration.streams import TournamentHandler, announced
from shared.access.policy import Policy
from shared.commands.handler import ActPart, Handler
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, run, tried
from shared.http.parameters import Absent, TournamentId
from shared.http.responses import DryRun
from shared.lots.drawing import Lots
from shared.values import Value

type RatingsHandler = Handler[ratings.Ratings, ratings.Command, ratings.Event]
type Tiers = Mapping[str, Sequence[str]]  # whom a lot decides between, by its purpose


class SeedingRatings(Value):
    """The ratings that a tournament seeds by: those of the list that its rules name, as it was published last."""

    lists: RatingsHandler
    directory: Directory

    async def of_field(self, state: AnnouncedTournament) -> Mapping[str, int]:
        """The rating of each entrant who has said none and is on the list."""
        known = await self._list(state.plan)
        coming = [one for one in state.roster.coming if one.said.rating is None] if known else []
        found = {one.entrant: await self._of(one.said.persons, known, state.plan) for one in coming}
        return {entrant: rating for entrant, rating in found.items() if rating is not None}

    async def of_persons(self, persons: Sequence[str], plan: Plan) -> int | None:
        return await self._of(persons, await self._list(plan), plan)

    async def _list(self, plan: Plan) -> Mapping[str, int]:
        called = plan.ruleset.entry.seeding.rating
        if called is None:
            return {}
        state, _ = await self.lists.load(f"{plan.federation}.{called}")
        return state.of

    async def _of(self, persons: Sequence[str], known: Mapping[str, int], plan: Plan) -> int | None:
        found = [await self._of_person(person, known) for person in persons] if known else []
        return mean_rating(found, plan.ruleset.entry.seeding.unrated)

    async def _of_person(self, person: str, known: Mapping[str, int]) -> int | None:
        """The rating that stands under whichever of their ids."""
        if person in known:
            return known[person]
        ids = await self.directory.ids_of(await self.directory.kept(person))
        return next((known[one] for one in ids if one in known), None)


def routes(  # noqa: C901 - six short operations, and steps
    *,
    tournaments: TournamentHandler,
    shown: TournamentsShown,
    judge: Judge,
    ratings: SeedingRatings,
    lots: Lots,
    door: Door,
) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["tournaments"])

    def step(path: str, name: str, policy: Policy, order: LifeOrder, summary: str, description: str) -> None:
        """A step that needs no more words."""

        @router.post(
            f"/{path}",
            summary=summary,
            description=description,
            operation_id=name,
            response_model=Tournament,
            responses=CHANGED,
        )
        async def happens(tournament_id: TournamentId, act: Annotated[Act, Depends(door.acts(policy))]) -> Response:
            return await carry_out(shown, tournament_id, order, act)

    @router.post(
        "/postpone-first-round",
        summary="Put the first round back",
        description="For those who come late with an excuse. The rules limit by how much.",
        operation_id="postponeFirstRound",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def postpone(
        tournament_id: TournamentId, body: Delay, act: Annotated[Act, Depends(door.acts(ORGANISE))]
    ) -> Response:
        return await carry_out(shown, tournament_id, PostponeFirstRound(minutes=body.minutes), act)

    @router.post(
        "/announce-advance",
        summary="Announce how many go on",
        description="To the next tournament or stage, where the rules leave that to the announcement. Until the start it "
        "may be announced anew; without it the tournament cannot start.",
        operation_id="announceAdvance",
        response_model=Tournament,
        responses=CHANGED,
    )
    async def announce_advance(
        tournament_id: TournamentId, body: Advance, act: Annotated[Act, Depends(door.acts(ORGANISE))]
    ) -> Response:
        return await carry_out(shown, tournament_id, AnnounceAdvance(advance=body.advance), act)

    @router.post(
        "/start",
        summary="Start the tournament",
        description="Everybody who has checked in gets a start number, the field is closed and the rules are fixed "
        "for ever. Who has no rating gets that of the list that the rules name, as it was published last. Where the "
        "rules number by lot, one is drawn and recorded.",
        operation_id="startTournament",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def start(
        tournament_id: TournamentId,
        act: Annotated[Act, Depends(door.acts(ORGANISE))],
        body: StartWith | Absent = None,
        dry_run: DryRun = False,
    ) -> Response:
        here = await announced(tournaments, tournament_id)
        has_director = await shown.has_director(here.plan)
        order = StartTournament(
            has_director=has_director,
            decision=(body or StartWith()).decision,
            listed=await ratings.of_field(here),
        )
        tiers = lots_to_draw(here.roster, here.plan.ruleset)
        if dry_run:
            return await try_out(tournaments, tournament_id, replace(order, drawn=in_any_order(tiers)))
        drawn, recorded = await drawn_by(lots, tournament_id, tiers, act)
        return await carry_out(shown, tournament_id, replace(order, drawn=drawn), act, recorded)

    step(
        *("open", "openRegistration", ORGANISE, OpenRegistration()),
        "Open registration",
        "Entries are taken from now on. Until the start they can be opened again during check-in, unless lots are "
        "opened: whoever is checked in stays so.",
    )
    step(
        *("open-check-in", "openCheckIn", ORGANISE, OpenCheckIn()),
        "Open check-in",
        "From now on it is noted who is there, and an entry takes a decision of the organiser.",
    )
    step(
        *("review", "beginReview", RUN, BeginReview()),
        "Begin the review",
        "All rounds are played; results and table are looked through before the tournament is completed.",
    )
    step(
        *("resume", "resumePlay", RUN, ResumePlay()),
        "Resume play",
        "The review has shown that something is still to be played.",
    )

    @router.post(
        "/complete",
        summary="Complete the tournament",
        description="All is played and decided; what was kept secret for lots is revealed. While a published round has "
        "games without a result that is refused.",
        operation_id="completeTournament",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def complete(
        tournament_id: TournamentId,
        act: Annotated[Act, Depends(door.acts(ORGANISE))],
        dry_run: DryRun = False,
    ) -> Response:
        order = await shown.completing(await announced(tournaments, tournament_id))
        if dry_run:
            return await try_out(tournaments, tournament_id, order)
        return await carry_out(shown, tournament_id, order, act, await lots.revealed(tournament_id, act.origin))

    @router.post(
        "/cancel",
        summary="Cancel the tournament",
        description="It does not take place, or ends without a result.",
        operation_id="cancelTournament",
        response_model=Tournament | TournamentForeseen,
        responses=CHANGED,
    )
    async def cancel(
        tournament_id: TournamentId,
        act: Annotated[Act, Depends(door.acts(CANCEL))],
        dry_run: DryRun = False,
    ) -> Response:
        if dry_run:
            return await try_out(tournaments, tournament_id, CancelTournament())
        here = await announced(tournaments, tournament_id)
        there = [one.entrant for one in (*here.roster.taking_part, *here.roster.waiting)]
        also = [
            *await lots.revealed(tournament_id, act.origin),
            # what they have claimed in its series: they may play another one of its level
            *(judge.release(there, here.plan, tournaments, act) if there else ()),
        ]
        return await carry_out(shown, tournament_id, CancelTournament(), act, also)

    return router


async def carry_out(
    shown: TournamentsShown, tournament_id: str, order: Command, act: Act, also: Sequence[ActPart] = ()
) -> Response:
    view = await shown.of(tournament_id, act.asker)
    return await run(shown.tournaments, tournament_id, order, act, view, also=also)


async def try_out(tournaments: TournamentHandler, tournament_id: str, order: Command) -> Response:
    _, events = await tournaments.foresee(tournament_id, order)
    return tried(foreseen(events))


def in_any_order(tiers: Tiers) -> tuple[str, ...]:
    return tuple(entrant for tier in tiers.values() for entrant in tier)


async def drawn_by(lots: Lots, tournament_id: str, tiers: Tiers, act: Act) -> tuple[tuple[str, ...], Sequence[ActPart]]:
    """The order of start numbers by lot, and what is written down of it."""
    if not tiers:
        return (), ()
    drawing = await lots.begin(tournament_id, act.origin)
    order = tuple(entrant for purpose, tier in tiers.items() for entrant in drawing.draw(purpose, tier))
    return order, [drawing.recorded()]


def foreseen(events: Sequence[Event]) -> TournamentForeseen:
    """The consequences in the words of an organiser."""
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
            case facts.LotsOpened():
                changes += [f"The lots follow from {event.source}: {event.value}.", "From now on lots are drawn."]
                lost += [
                    "What was written down stands: another value cannot be sent.",
                    "Until the start the field stays.",
                ]
            case facts.TournamentCompleted():
                changes += ["The tournament is completed.", "The secrets of its lots are revealed."]
                lost += [
                    "It cannot be taken up again: no round is paired any more, and results are all that can still be mended."
                ]
            case facts.TournamentCancelled():
                changes += [
                    "The tournament is cancelled, and nobody plays on.",
                    "The secrets of its lots are revealed.",
                ]
                lost += ["It cannot be taken up again."]
            case _:
                pass
    return TournamentForeseen(changes=changes, lost=lost)
