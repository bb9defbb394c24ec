"""What is imposed on entrants: points taken away, removal from the hall, and disqualification."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Response
from msgspec.structs import replace

from services.results.api.context import Context, at_once, require_started
from services.results.api.parameters import IDS, EntrantId
from services.results.api.penalties import bodies
from services.results.api.penalties.views import penalties_shown, warned
from services.results.api.permissions import IMPOSE, LOOK_INTO, NotInTheseRules, require_imposer
from services.results.api.rulings.bodies import Foreseen
from services.results.domain import penalties
from services.results.domain.sheet.lifecycle import has_begun
from services.results.domain.sheet.states import UnknownSheet
from services.results.projection import SheetsWanted
from services.results.tournaments import KnownTournament
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.access.references import id_of
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED, answered_before, run, tried
from shared.http.parameters import TournamentId
from shared.http.responses import FOUND, DryRun, read
from shared.numbers import stored
from shared.refusals import NotFound
from shared.rulesets.play import Results
from shared.tournament.absent_players import away_from, ending_without
from shared.tournament.facts import Left
from shared.tournament.stages import require_round, require_stage

MOST_GAMES = 500  # of one entrant that are looked through


type PersonId = Annotated[
    str,
    Path(
        description="One of the team.",
        pattern=IDS,
        json_schema_extra=id_of("player"),
        examples=["019aa4c2-33f2-7b80-8c77-2b4d5e6f7081"],
    ),
]


class EntrantUnknown(NotFound):
    """Nobody of that id takes part."""


def impositions(*, context: Context, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["penalties"])

    @router.post(
        "/warnings",
        summary="Warn an entrant",
        description="Kept and shown before anything harder is decided; it changes no result.",
        operation_id="warnEntrant",
        response_model=bodies.Penalties,
        responses=CHANGED,
    )
    async def warn(
        tournament_id: TournamentId, body: bodies.ToWarn, act: Annotated[Act, Depends(door.acts(IMPOSE))]
    ) -> Response:
        if before := await answered_before(context.penalties, act):  # the team may have changed since
            return before
        known = await context.tournaments.of(tournament_id)
        require_taking_part(known, body.entrant)
        if body.person is not None:
            require_of_team(known, body.entrant, body.person)
        require_rule(known, "warning", body.stage, body.round, act)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = penalties.Warn(
                warning=str(context.new_id()),
                tournament=tournament_id,
                entrant=body.entrant,
                stage=body.stage,
                round=body.round,
                reason=note or "",
                clause=body.clause,
                person=body.person,
            )
            return await carried_out(context, tournament_id, order, act)

    @router.post(
        "/penalties",
        summary="Impose a penalty on points",
        description="It changes the entrant's own points, not what others have from games with it.",
        operation_id="imposePenalty",
        response_model=bodies.Penalties,
        responses=CHANGED,
    )
    async def impose(
        tournament_id: TournamentId, body: bodies.ToImpose, act: Annotated[Act, Depends(door.acts(IMPOSE))]
    ) -> Response:
        known = await context.tournaments.of(tournament_id)
        require_taking_part(known, body.entrant)
        require_rule(known, "points", body.stage, body.round, act)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = penalties.ImposePenalty(
                penalty=str(context.new_id()),
                tournament=tournament_id,
                entrant=body.entrant,
                stage=body.stage,
                round=body.round,
                points=stored(body.points),
                reason=note or "",
            )
            return await carried_out(context, tournament_id, order, act)

    @router.post(
        "/penalties/{penalty_id}/lift",
        summary="Lift a penalty",
        description="It was wrong, and counts as never imposed.",
        operation_id="liftPenalty",
        response_model=bodies.Penalties,
        responses=CHANGED,
    )
    async def lift(
        tournament_id: TournamentId,
        penalty_id: bodies.PenaltyId,
        body: bodies.ToLift,
        act: Annotated[Act, Depends(door.acts(IMPOSE))],
    ) -> Response:
        require_imposer((await context.tournaments.of(tournament_id)).rules().results, act)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = penalties.LiftPenalty(penalty=penalty_id, tournament=tournament_id, reason=note or "")
            return await carried_out(context, tournament_id, order, act)

    @router.get(
        "/penalties",
        summary="The penalties of a tournament",
        description="Also those that were lifted, and who has to be expelled.",
        operation_id="listPenalties",
        response_model=bodies.Penalties,
        responses=FOUND,
    )
    async def several(tournament_id: TournamentId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        state, version = await context.penalties.load(tournament_id)
        known = await context.tournaments.of(tournament_id)
        require_started(known)
        sees = asker.may(LOOK_INTO, tournament_id)
        words = await context.notes.read(tournament_id, [one.reason for one in state.removals.values() if sees])
        return read(penalties_shown(state, asker, tournament_id, rules_of(known), words), version)

    return router


def removals(*, context: Context, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/removals", tags=["penalties"])

    @router.post(
        "",
        summary="Remove somebody from the hall",
        description="A player or a spectator, for a while or for good, where the rules know that. Whether a player "
        "loses a game, or is out of the tournament, is decided by itself.",
        operation_id="removeFromHall",
        response_model=bodies.Penalties,
        responses=CHANGED,
    )
    async def remove(
        tournament_id: TournamentId, body: bodies.ToRemove, act: Annotated[Act, Depends(door.acts(IMPOSE))]
    ) -> Response:
        known = await context.tournaments.of(tournament_id)
        if body.entrant is not None:
            require_taking_part(known, body.entrant)
        require_rule(known, "removal", body.stage, body.round, act)
        words = body.reason if body.spectator is None else f"{body.spectator}: {body.reason}"
        async with context.notes.kept(act.asker.scope, words, act.key) as note:
            order = penalties.RemoveFromHall(
                removal=str(context.new_id()),
                tournament=tournament_id,
                entrant=body.entrant,
                final=body.final,
                minutes=body.minutes,
                stage=body.stage,
                round=body.round,
                reason=note or "",
            )
            return await carried_out(context, tournament_id, order, act)

    @router.post(
        "/{removal_id}/end",
        summary="Let somebody into the hall again",
        description="The time is over, or the removal was wrong.",
        operation_id="letBackIntoHall",
        response_model=bodies.Penalties,
        responses=CHANGED,
    )
    async def end(
        tournament_id: TournamentId,
        removal_id: bodies.RemovalId,
        body: bodies.ToLift,
        act: Annotated[Act, Depends(door.acts(IMPOSE))],
    ) -> Response:
        require_imposer((await context.tournaments.of(tournament_id)).rules().results, act)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = penalties.LetBackIn(removal=removal_id, tournament=tournament_id, reason=note or "")
            return await carried_out(context, tournament_id, order, act)

    return router


async def carried_out(context: Context, tournament: str, order: penalties.Command, act: Act) -> Response:
    rules = rules_of(await context.tournaments.of(tournament))
    return await run(
        context.penalties, tournament, order, act, lambda state: penalties_shown(state, act.asker, tournament, rules)
    )


def rules_of(known: KnownTournament) -> Results | None:
    return None if known.facts is None else known.rules().results


def require_taking_part(known: KnownTournament, entrant: str) -> None:
    if not known.takes_part(entrant):
        raise EntrantUnknown("Nobody of that id takes part in this tournament: look into its list of entrants.")


def require_of_team(known: KnownTournament, entrant: str, person: str) -> None:
    if person not in known.teams.get(entrant, ()):
        raise EntrantUnknown("This person does not belong to that team.")


def require_rule(known: KnownTournament, penalty: str, stage: str, number: int, act: Act) -> None:
    """A warning anybody who officiates may give."""
    if penalty != "warning":
        require_imposer(known.rules().results, act)
    allowed = known.rules().results.penalties
    if penalty not in allowed:
        raise NotInTheseRules(f"The rules of this tournament know no such penalty: they know {', '.join(allowed)}.")
    require_stage(known.started, stage)
    require_round(known.rules(), stage, number, size=len(known.started.entrants))


def expulsions(*, context: Context, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/entrants/{entrant_id}", tags=["penalties"])

    @router.post(
        "/disqualify",
        summary="Disqualify an entrant",
        description="For unsporting behaviour: the entrant is expelled, with the consequences that the ruleset has. A "
        "dry run shows earlier warnings.",
        operation_id="disqualifyEntrant",
        response_model=bodies.Penalties | Foreseen,
        responses=CHANGED,
    )
    async def disqualify(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        body: bodies.ToDisqualify,
        act: Annotated[Act, Depends(door.acts(IMPOSE))],
        dry_run: DryRun = False,
    ) -> Response:
        known = await context.tournaments.of(tournament_id)
        require_taking_part(known, entrant_id)
        require_rule(known, "expel", body.stage, body.round, act)
        has_returned = entrant_id in known.started.returned
        if dry_run:
            return await foresee_expulsion(context, known, tournament_id, entrant_id, body)
        clause = next((expulsion.rule_id for expulsion in known.rules().results.expulsions), None)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = penalties.Disqualify(
                tournament=tournament_id,
                entrant=entrant_id,
                stage=body.stage,
                round=body.round,
                clause=clause or "",
                reason=note or "",
                has_returned=has_returned,
            )
            return await carried_out(context, tournament_id, order, act)

    @router.post(
        "/persons/{person_id}/expel",
        summary="Expel a person of a team",
        description="The team plays on without: this person is taken into no line-up any more.",
        operation_id="expelPerson",
        response_model=bodies.Penalties,
        responses=CHANGED,
    )
    async def expel_person(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        person_id: PersonId,
        body: bodies.ToDisqualify,
        act: Annotated[Act, Depends(door.acts(IMPOSE))],
    ) -> Response:
        if before := await answered_before(context.penalties, act):  # the team may have changed since
            return before
        known = await context.tournaments.of(tournament_id)
        require_taking_part(known, entrant_id)
        require_of_team(known, entrant_id, person_id)
        require_rule(known, "expel", body.stage, body.round, act)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = penalties.ExpelPerson(
                tournament=tournament_id,
                entrant=entrant_id,
                person=person_id,
                stage=body.stage,
                round=body.round,
                reason=note or "",
            )
            return await carried_out(context, tournament_id, order, act)

    @router.post(
        "/persons/{person_id}/return",
        summary="Take back that a person was expelled",
        description="It was a mistake, or an appeal has overturned it: from now on they may be in a line-up again. What was "
        "played without them stands.",
        operation_id="returnPerson",
        response_model=bodies.Penalties,
        responses=CHANGED,
    )
    async def return_person(
        tournament_id: TournamentId,
        entrant_id: EntrantId,
        person_id: PersonId,
        body: bodies.ToLift,
        act: Annotated[Act, Depends(door.acts(IMPOSE))],
    ) -> Response:
        require_imposer((await context.tournaments.of(tournament_id)).rules().results, act)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = penalties.ReturnPerson(
                tournament=tournament_id, entrant=entrant_id, person=person_id, reason=note or ""
            )
            return await carried_out(context, tournament_id, order, act)

    return router


async def foresee_expulsion(
    context: Context, known: KnownTournament, tournament: str, entrant: str, body: bodies.ToDisqualify
) -> Response:
    """What an expulsion would change, and what was said to the entrant before."""
    state, _ = await context.penalties.load(tournament)
    changes: list[str] = []
    if entrant in known.started.returned or entrant not in state.disqualified:
        changes = ["The entrant is expelled: it plays no more, and its place brings nothing."]
        changes += [sentence async for sentence in games_lost(context, known, tournament, entrant, body)]
    return tried(Foreseen(changes=changes, lost=[], warnings=warned(state, {entrant})))


async def games_lost(
    context: Context, known: KnownTournament, tournament: str, entrant: str, body: bodies.ToDisqualify
) -> AsyncIterator[str]:
    """The published games that are not begun and end once registration says that the entrant is gone; whoever had left is
    gone already."""
    if entrant in known.started.left:
        return
    left = Left(stage=body.stage, after_round=body.round, why="expelled")
    without = replace(known.started, left={**known.started.left, entrant: left})
    called = (await context.names.of_tournament(tournament)).names
    wanted = SheetsWanted(tournament=tournament, entrant=entrant, stages=tuple(known.stages()))
    rows = await context.projection.sheets(wanted, after="", limit=MOST_GAMES)
    sheets = await at_once([partial(context.games.load, row.game) for row in rows])
    for row, (state, _) in zip(rows, sheets, strict=True):
        if isinstance(state, UnknownSheet) or has_begun(state):
            continue
        seats, rules = state.sheet.seats, known.settings(row.stage).results
        ending = ending_without(rules, seats, away_from(without, row.stage, row.round))
        if ending is not None:
            names = " and ".join(called.get(seat, seat) for seat in seats)
            end, by = ending
            fault = "" if by is None else f", by {called.get(seats[by], seats[by])}"
            yield f"Round {row.round} of {row.stage}, table {row.board}: {names} do not play; it ends as {end}{fault}."
