"""The operations on one score sheet: what those at the table say, what officials decide, what everybody sees."""

from datetime import datetime, timedelta
from fractions import Fraction
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from services.results.api.context import Context, NamedGame
from services.results.api.games import bodies, views
from services.results.api.games.addresses import BY_ID, GameAddress
from services.results.api.games.report_orders import reported
from services.results.api.parameters import GameId
from services.results.api.permissions import LOOK, RULE, TELL, require_imposer, speaker
from services.results.domain.sheet import orders, states
from services.results.domain.sheet.decider import GAME
from services.results.domain.sheet.refusals import refused
from services.results.games.verdict import unfit
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.clock import Now
from shared.http.authorization import Act, Door
from shared.http.fast_route import FastRoute
from shared.http.lazy_route import Router
from shared.http.orders import CHANGED
from shared.http.responses import FOUND, read
from shared.numbers import stored
from shared.rulesets.play import Results


def routes(*, address: GameAddress, context: Context, door: Door) -> APIRouter:
    """What people at the tables do, by the id of the game or by its table."""
    router = Router(prefix=address.prefix, tags=["games"])
    if address.is_table:
        add_report(router, address, context, door)

    @router.post(
        "/withdraw",
        summary="Withdraw your report",
        description=address.told(
            "withdrawReport",
            "As long as the result is not final. What others have reported stays.",
        ),
        operation_id=address.operation("withdrawReport"),
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def withdraw(
        named: Annotated[NamedGame, Depends(address.game)],
        act: Annotated[Act, Depends(door.acts(address.policy(TELL)))],
    ) -> Response:
        game = await context.requested(named, act)
        terms = await context.terms(game)
        return await context.run(game, orders.WithdrawReport(by=speaker(act), terms=terms), act)

    @router.post(
        "/confirm",
        summary="Confirm a report",
        description=address.told(
            "confirmResult",
            "Stand by what the other side, or an official, has reported: it is final then, unless it waits for the "
            "director.",
        ),
        operation_id=address.operation("confirmResult"),
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def confirm(
        named: Annotated[NamedGame, Depends(address.game)],
        body: bodies.ToConfirm,
        act: Annotated[Act, Depends(door.acts(address.policy(TELL)))],
    ) -> Response:
        game = await context.requested(named, act)
        terms = await context.terms(game)
        order = orders.ConfirmResult(by=speaker(act), number=body.report, terms=terms)
        return await context.run(game, order, act)

    @router.post(
        "/dispute",
        summary="Object to a report",
        description=address.told(
            "disputeResult",
            "Say that it is not so, without a report of your own: an official has to decide, unless all that was "
            "reported by then is withdrawn or replaced.",
        ),
        operation_id=address.operation("disputeResult"),
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def dispute(
        named: Annotated[NamedGame, Depends(address.game)],
        body: bodies.ToDispute,
        act: Annotated[Act, Depends(door.acts(address.policy(TELL)))],
    ) -> Response:
        game = await context.requested(named, act)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            return await context.run(game, orders.DisputeResult(by=speaker(act), reason=note), act)

    @router.post(
        "/start",
        summary="Start a game",
        description=address.told(
            "startGame",
            "Its round cannot be recalled any more. Says who really starts, where the players had a choice.",
        ),
        operation_id=address.operation("startGame"),
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def begin(
        named: Annotated[NamedGame, Depends(address.game)],
        body: bodies.ToStart,
        act: Annotated[Act, Depends(door.acts(address.policy(TELL)))],
    ) -> Response:
        game = await context.requested(named, act)
        terms = await context.terms(game)
        expelled = await context.expelled(game) if terms.boards else frozenset[str]()
        return await context.run(game, orders.StartGame(first=body.first, expelled=expelled, terms=terms), act)

    add_reading(router, address, context, door)
    return router


REPORT = (
    "Say what happened at the table; scores and points follow by the ruleset. An equal report by the other side or "
    "another official makes it final, another one a dispute: nobody overwrites anybody. Reporting the same again "
    "changes nothing; something else replaces your own report as long as nothing is final."
)


def reports(*, context: Context, door: Door) -> APIRouter:
    """The one operation that is asked more than all others together."""
    router = Router(prefix=BY_ID.prefix, tags=["games"], route_class=FastRoute)

    @router.post(
        "/reports",
        summary="Report a result",
        description=REPORT,
        operation_id="reportResult",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def report(game_id: GameId, body: bodies.ToReport, act: Annotated[Act, Depends(door.acts(TELL))]) -> Response:
        game = await context.requested(game_id, act)
        return await context.run(game, await reported(context, game, body, act), act)

    return router


def add_report(router: APIRouter, address: GameAddress, context: Context, door: Door) -> None:
    @router.post(
        "/reports",
        summary="Report the result of a table",
        description=address.told("reportResult", REPORT),
        operation_id=address.operation("reportResult"),
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def report(
        named: Annotated[NamedGame, Depends(address.game)],
        body: bodies.ToReport,
        act: Annotated[Act, Depends(door.acts(address.policy(TELL)))],
    ) -> Response:
        game = await context.requested(named, act)
        return await context.run(game, await reported(context, game, body, act), act)


def postponement(*, context: Context, door: Door) -> APIRouter:
    router = Router(prefix=BY_ID.prefix, tags=["games"])

    @router.post(
        "/postpone",
        summary="Postpone a game",
        description="It is played, or goes on, later. A report ends the waiting just as resuming does.",
        operation_id="postponeGame",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def postpone(
        game_id: GameId, body: bodies.ToPostpone, act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        game = await context.requested(game_id, act)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            until = body.until.isoformat() if body.until else None
            return await context.run(game, orders.PostponeGame(until=until, reason=note), act)

    @router.post(
        "/resume",
        summary="Resume a postponed game",
        description="It is what it was before it was postponed.",
        operation_id="resumeGame",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def resume(game_id: GameId, act: Annotated[Act, Depends(door.acts(RULE))]) -> Response:
        game = await context.requested(game_id, act)
        return await context.run(game, orders.ResumeGame(), act)

    return router


def add_reading(router: APIRouter, address: GameAddress, context: Context, door: Door) -> None:
    @router.get(
        "",
        summary=address.said("One game and its score sheet", "The game at a table, and its score sheet"),
        description=address.told(
            "getGame",
            "Everybody sees where it stands, and the result once it is final; those at the table and the "
            "officials also see what each side has reported.",
        ),
        operation_id=address.operation("getGame"),
        response_model=bodies.Game,
        responses=FOUND,
    )
    async def one(
        named: Annotated[NamedGame, Depends(address.game)], asker: Annotated[Asker, Depends(door.reads(ANYBODY))]
    ) -> Response:
        game = await context.id_of(named)
        state, version = await context.games.load(game)
        of = views.require_known(state).sheet.tournament
        besides = await context.besides(state, asker, of)
        return read(views.sheet(state, asker, await context.tournaments.of(of), besides), version)

    if address.is_table:
        return

    @router.get(
        "/history",
        summary="The story of a score sheet",
        description="Everything that happened to it, in order: who said what, what was decided, and why.",
        operation_id="readGameHistory",
        response_model=bodies.Story,
        responses=FOUND,
    )
    async def history(game_id: GameId, asker: Annotated[Asker, Depends(door.reads(LOOK))]) -> Response:
        recorded = await context.games.recorded(game_id)
        happened = [GAME.read(one) for one in recorded]
        if not happened:
            raise refused(states.UnknownSheet())
        reasons = await context.notes.read(asker.scope, [note for note in map(views.note_of, happened) if note])
        return read(views.story(recorded, happened, reasons), len(recorded))


def preparation(*, context: Context, door: Door, now: Now) -> APIRouter:
    router = Router(prefix="/v1/games/{game_id}", tags=["before the game"])

    @router.post(
        "/choose",
        summary="Choose the colour, or take the draw",
        description="By whoever has the choice in this game. It is announced some minutes before; later ones are "
        "recorded all the same, and marked as late.",
        operation_id="makeChoice",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def choose(game_id: GameId, body: bodies.ToChoose, act: Annotated[Act, Depends(door.acts(TELL))]) -> Response:
        game = await context.requested(game_id, act)
        sheet = (await context.sheet(game_id)).sheet
        ahead = game.settings.contest.choice_minutes
        order = orders.Choose(
            by=speaker(act),
            entrant=body.entrant,
            takes=body.takes,
            option=game.known.terms(game.place.stage, game.place.match).option,
            first=body.first,
            late=is_late(sheet.starts_at, ahead, now()),
        )
        return await context.run(game, order, act)

    @router.post(
        "/line-up",
        summary="Say who sits at which board",
        description="Of one team of a match, by its captain or an official, before the match begins.",
        operation_id="giveLineUp",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def line_up(
        game_id: GameId, body: bodies.ToLineUp, act: Annotated[Act, Depends(door.acts(TELL))]
    ) -> Response:
        game = await context.requested(game_id, act)
        order = orders.GiveLineUp(
            by=speaker(act),
            entrant=body.entrant,
            persons=body.persons,
            boards=game.known.terms(game.place.stage, game.place.match).boards,
            team=frozenset(game.known.teams.get(body.entrant, ())) - await context.expelled(game),
        )
        return await context.run(game, order, act)

    @router.post(
        "/ask",
        summary="Ask for what the rules give to whoever asks",
        description="Such as a lot for boards or seats, or chess clocks. It is recorded who asked.",
        operation_id="askFor",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def ask(game_id: GameId, body: bodies.ToAsk, act: Annotated[Act, Depends(door.acts(TELL))]) -> Response:
        game = await context.requested(game_id, act)
        order = orders.SayWish(by=speaker(act), entrant=body.entrant, wish=body.wish)
        return await context.run(game, order, act)

    add_lots(router, context, door)

    @router.post(
        "/clock",
        summary="Change a side's time",
        description="For who came late, who has special needs, by penalty and so on. It is shown with the time of the "
        "rules. Each player is charged with the own delay.",
        operation_id="changeClock",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def change_clock(
        game_id: GameId, body: bodies.ToChangeClock, act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        game = await context.requested(game_id, act)
        if body.why == "penalty":
            require_imposer(game.settings.results, act)
        minutes = minutes_of(body, game.settings.results)
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            is_more = body.minutes is None
            order = orders.ChangeClock(seat=body.seat, minutes=stored(minutes), why=body.why, more=is_more, reason=note)
            return await context.run(game, order, act)

    @router.post(
        "/reset-clocks",
        summary="Set the clocks anew",
        description="Of a live game of Scrabble, after tiles were spilled, or a clock has failed and the players do "
        "not agree: both sides have what the rules give after so many turns. The score stands, and who was to move "
        "goes on.",
        operation_id="resetClocks",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def reset(
        game_id: GameId, body: bodies.ToResetClocks, act: Annotated[Act, Depends(door.acts(RULE))]
    ) -> Response:
        game = await context.requested(game_id, act)
        rules = game.settings.results
        if rules.new_time is None or rules.minutes is None:
            raise unfit("/turns", "say nothing here: these rules have no new time, so change the clock of each side")
        minutes = rules.new_time.fewer if body.turns < rules.new_time.turns else rules.new_time.otherwise
        async with context.notes.kept(act.asker.scope, body.reason, act.key) as note:
            order = orders.ResetClocks(minutes=stored(minutes), usual=stored(rules.minutes), reason=note)
            return await context.run(game, order, act)

    return router


def minutes_of(body: bodies.ToChangeClock, rules: Results) -> Fraction:
    if body.minutes is not None:
        if body.why == "late" and body.minutes > 0:
            raise unfit("/minutes", "should be below zero: who comes late has so much less time")
        return body.minutes
    if body.why != "referee" or rules.referee_minutes is None:
        raise unfit("/minutes", "is missing: by how many minutes is the time changed?")
    return rules.referee_minutes


def add_lots(router: APIRouter, context: Context, door: Door) -> None:
    @router.post(
        "/draw-boards",
        summary="Draw who meets whom at the boards",
        description="Where a team has asked for it and both have said who plays.",
        operation_id="drawBoards",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def boards(game_id: GameId, act: Annotated[Act, Depends(door.acts(RULE))]) -> Response:
        game = await context.requested(game_id, act)
        line_ups = (await context.sheet(game_id)).sheet.prepared.line_ups
        drawing = await context.lots.begin(act.asker.scope, act.origin)
        drawn: dict[str, states.LineUp] = {}
        for entrant, persons in line_ups.items():
            sitting = [person for person in persons if person is not None]
            order = drawing.draw(views.of_boards(entrant, game_id), sitting)
            drawn[entrant] = (*order, *(None for _ in range(len(persons) - len(sitting))))
        order = orders.DrawBoards(drawn_from=line_ups, line_ups=drawn, expelled=await context.expelled(game))
        return await context.run(game, order, act, also=[drawing.recorded()])

    @router.post(
        "/draw-seats",
        summary="Draw who sits where",
        description="Where somebody at the table has asked for it. The lot is recorded.",
        operation_id="drawSeats",
        response_model=bodies.Game,
        responses=CHANGED,
    )
    async def seats(game_id: GameId, act: Annotated[Act, Depends(door.acts(RULE))]) -> Response:
        game = await context.requested(game_id, act)
        drawing = await context.lots.begin(act.asker.scope, act.origin)
        order = tuple(drawing.draw(views.of_seats(game_id), (await context.sheet(game_id)).sheet.seats))
        return await context.run(game, orders.DrawSeats(order=order), act, also=[drawing.recorded()])


def is_late(starts_at: str | None, minutes: int | None, moment: datetime) -> bool:
    """Whether less than so many minutes are left to the planned start."""
    if starts_at is None or minutes is None:
        return False
    return moment > datetime.fromisoformat(starts_at) - timedelta(minutes=minutes)
