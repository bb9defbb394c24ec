"""A round as a board shows it, what is missing of it, and many reports at once."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Response
from msgspec.structs import replace

from services.results.api.context import Context, NamedGame, TableOfRound, at_once, citing, require_started
from services.results.api.games import views
from services.results.api.games.report_orders import judged, reported
from services.results.api.parameters import RoundNumber, StageId
from services.results.api.permissions import LOOK_INTO, OPEN, REPORT_MANY, SPOKEN, UNREPORTED
from services.results.api.rounds import bodies, files
from services.results.api.rounds.views import ShownTo, listed, refused, went_well
from services.results.domain.rounds import RoundUnknown
from services.results.domain.sheet.states import Final, KnownSheet
from services.results.projection import RoundKey, RoundRow, SheetRow, SheetsWanted, cursor
from services.results.tournaments import NOBODY_WITHOUT, KnownTournament
from shared.access.asker import Asker
from shared.access.policy import ANYBODY, NotPermitted
from shared.csv_lines import CSV, as_csv, written
from shared.faults import Faulty
from shared.http.answer_cache import AnswerCache
from shared.http.authorization import Act, Door
from shared.http.lazy_route import Router
from shared.http.parameters import TournamentId
from shared.http.problems import documented
from shared.http.responses import BAD, JSON, MOST_ITEMS, PAGE, AsSheet, DryRun, Limit, changed, or_sheet, page, sheet
from shared.messaging import positions
from shared.messaging.positions import Position
from shared.refusals import Refusal
from shared.rulesets.settings import stage_of
from shared.values import Value

type Answer = tuple[Position | None, dict[str, Any]]  # how far the log goes with it, and what is said of it

MOST_GAMES = 5000
MOST_IN_FILE = 50_000  # games of a tournament


def games_of_round(*, context: Context, door: Door, kept: AnswerCache) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}", tags=["games"])
    add_reading(router, context, door, kept)

    @router.post(
        "/reports",
        summary="Report many results",
        description="Each for a game that is named by its id, or by its round and table, and answered by itself: "
        "those that are good count whatever is wrong with others. Sending all of them again is safe.",
        operation_id="reportResults",
        response_model=bodies.AnsweredMany,
        responses=MANY,
    )
    async def report_many(
        tournament_id: TournamentId, body: bodies.ToReportMany, act: Annotated[Act, Depends(door.acts(REPORT_MANY))]
    ) -> Response:
        one_by_one = alone(act, tournament_id)
        return await answered(context, [partial(report_one, context, said, one_by_one) for said in body.reports])

    return router


def add_reading(router: APIRouter, context: Context, door: Door, kept: AnswerCache) -> None:
    @router.get(
        "/stages/{stage}/rounds/{round}/games",
        summary="A round as a board shows it",
        description="Tables with those who sit there, what came of their games, and who has none. Of open games "
        "officials also see who has not reported. A whole round comes at once, up to 500 games.",
        operation_id="listGames",
        response_model=bodies.RoundOfGames,
        responses=PAGE | documented(HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN),
        dependencies=[Depends(kept)],
    )
    async def of_round(
        tournament_id: TournamentId,
        stage: StageId,
        round: RoundNumber,  # noqa: A002 - the path names it so
        asker: Annotated[Asker, Depends(door.reads(ANYBODY))],
        show: bodies.Show = None,
        entrant: bodies.OfEntrant = None,
        after: bodies.AfterGame = "",
        limit: Limit = MOST_ITEMS,
    ) -> Response:
        place = tournament_id, stage, round
        row = await published(context, place)
        wanted = SheetsWanted(tournament=tournament_id, stage=stage, round=round, entrant=entrant)
        rows, shown = await look(context, wanted, show, asker, after, limit)
        if (stage, round) not in shown.known.without_game:
            shown = replace(shown, known=await context.tournaments.now(tournament_id))
        known, following = shown.known, cursor(rows[limit - 1]) if len(rows) > limit else None
        without = known.without_game.get((stage, round), NOBODY_WITHOUT)
        found = bodies.RoundOfGames.model_validate(
            {
                "tournament": tournament_id,
                "tournament_name": known.name or None,
                "family": views.family(known),
                "stage": stage,
                "title": None if known.facts is None else stage_of(known.rules(), stage).title,
                "round": round,
                "of": None if known.facts is None else known.settings(stage).rounds,
                "starts_at": without.starts_at,
                "time_zone": known.time_zone,
                "games": row.games,
                "missing": row.missing,
                "complete": row.complete and not row.missing,
                "counts": await context.projection.counts(place),
                "items": [listed(one, shown) for one in rows[:limit]],
                "byes": shown.players(without.byes),
                "requested_byes": shown.players(without.requested_byes),
                "absent": shown.players(without.absent),
                "next": following,
            }
        )
        path = f"/v1/tournaments/{tournament_id}/stages/{stage}/rounds/{round}/games"
        return page(found, path, following, asked_again(show, entrant, limit))

    @router.get(
        "/games",
        summary="The games of a tournament",
        description="Of all rounds, such as those that are still open, or those of one entrant.",
        operation_id="listGamesOfTournament",
        response_model=bodies.GamesListed,
        responses=or_sheet(files.GAMES_FILE) | documented(HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN),
        dependencies=[Depends(kept)],
    )
    async def of_tournament(
        tournament_id: TournamentId,
        asker: Annotated[Asker, Depends(door.reads(ANYBODY))],
        show: bodies.Show = None,
        entrant: bodies.OfEntrant = None,
        as_format: AsSheet = None,
        after: bodies.AfterGame = "",
        limit: Limit = 100,
    ) -> Response:
        wanted = SheetsWanted(tournament=tournament_id, entrant=entrant)
        begin, most = ("", MOST_IN_FILE) if as_format == "csv" else (after, limit)
        rows, shown = await look(context, wanted, show, asker, begin, most)
        require_started(shown.known)
        if as_format == "csv":
            return sheet(files.games_file([listed(one, shown) for one in rows[:most]]))
        following = cursor(rows[limit - 1]) if len(rows) > limit else None
        found = bodies.GamesListed(
            tournament=tournament_id,
            tournament_name=shown.known.name or None,
            family=views.family(shown.known),
            items=[listed(one, shown) for one in rows[:limit]],
            next=following,
        )
        path = f"/v1/tournaments/{tournament_id}/games"
        return page(found, path, following, asked_again(show, entrant, limit))


STATUSES: Mapping[str, frozenset[str]] = {
    "open": OPEN,
    "unreported": UNREPORTED,
    "reported": frozenset({"reported"}),
    "disputed": frozenset({"disputed"}),
    "director": SPOKEN,
    "final": frozenset({"final"}),
    "corrected": frozenset({"final"}),
}


async def look(
    context: Context, wanted: SheetsWanted, show: str | None, asker: Asker, after: str, limit: int
) -> tuple[Sequence[SheetRow], ShownTo]:
    """One game more than the limit where there are more, and what is shown beside them."""
    known = await context.tournaments.of(wanted.tournament)
    is_official = asker.may(LOOK_INTO, wanted.tournament)
    of_director = show == "director"
    if of_director and not is_official:
        raise NotPermitted(
            "What waits for the director is shown to those who officiate here: leave `show=director` out, or sign in as one."
        )
    wanted = replace(wanted, statuses=STATUSES.get(show or "", frozenset[str]()), corrected=show == "corrected")
    if known.facts is not None:
        wanted = replace(wanted, stages=tuple(known.stages()))
    rows = await context.projection.sheets(wanted, after=after, limit=MOST_GAMES if of_director else limit + 1)
    heard: Mapping[str, KnownSheet] = {}
    if is_official:
        heard = await sheets_of(context, [row.game for row in rows if row.status in SPOKEN])
    if of_director:
        rows = [row for row in rows if row.game in heard and views.awaits(heard[row.game], known)][: limit + 1]
    notes = [row.correction for row in rows if row.correction is not None] if is_official else []
    shown = ShownTo(
        known=known,
        told=await context.names.of_tournament(wanted.tournament),
        heard=heard,
        reasons=await context.notes.read(wanted.tournament, notes),
        is_official=is_official,
    )
    return rows, shown


async def sheets_of(context: Context, games: Sequence[str]) -> Mapping[str, KnownSheet]:
    sheets = await at_once([partial(context.sheet, game) for game in games])
    return dict(zip(games, sheets, strict=True))


def asked_again(show: str | None, entrant: str | None, limit: int) -> Mapping[str, str | int]:
    """What the address of the next page says too."""
    asked = {"show": show, "entrant": entrant}
    return {**{name: value for name, value in asked.items() if value is not None}, "limit": limit}


def without_etag(responses: dict[int | str, dict[str, Any]]) -> dict[int | str, dict[str, Any]]:
    """Many sheets have no common version."""
    ok = responses[HTTPStatus.OK.value]
    headers = {name: header for name, header in ok["headers"].items() if name != "ETag"}
    kept = {status: answer for status, answer in responses.items() if status != HTTPStatus.PRECONDITION_FAILED.value}
    return kept | {HTTPStatus.OK.value: ok | {"headers": headers}}


MANY = without_etag(changed(HTTPStatus.OK))


def alone(act: Act, tournament: str) -> Act:
    """For one report of many: key and version belong to the whole request."""
    return replace(act, asker=replace(act.asker, scope=tournament), key=None, versions=None)


async def answered(context: Context, reports: Sequence[Callable[[], Awaitable[Answer]]]) -> Response:
    """Each report by itself; and how far the log goes with all of them."""
    found = await at_once(reports)
    reached = max((position.head for position, _ in found if position), key=lambda head: head.position, default=None)
    position = Position(source="results", head=reached or await context.games.store.head())
    answers = msgspec.json.encode({"answers": [answer for _, answer in found]})
    return Response(answers, media_type=JSON, headers={"Roundlog-Position": str(position)})


async def report_one(context: Context, said: bodies.GameReport, act: Act) -> Answer:
    """One of many, answered as if it had come alone."""
    try:
        game = await context.requested(named(said, act.asker.scope), act)
        response = await context.run(game, await reported(context, game, said, act), act)
    except Refusal as refusal:
        return None, refused(said.game, refusal)
    return positions.parse(response.headers["Roundlog-Position"]), went_well(game.id, bytes(response.body))


def named(said: bodies.GameReport, tournament: str) -> NamedGame:
    """The id, or the table: a form without both was refused."""
    if said.stage is None or said.round is None or said.table is None:
        return said.game or ""
    return TableOfRound(tournament=tournament, stage=said.stage, round=said.round, table=said.table)


def entry_sheet(*, context: Context, door: Door) -> APIRouter:
    router = Router(prefix="/v1/tournaments/{tournament_id}/stages/{stage}/rounds/{round}/entry-sheet", tags=["games"])

    @router.get(
        "",
        summary="A round as a spreadsheet to fill in",
        description="CSV, one line a game, with names, and with the results that are final. Filled in and sent back "
        "it reports them; as it is it changes nothing. Seats are counted from 1.",
        operation_id="exportEntrySheet",
        response_class=Response,
        responses=BAD | as_csv(files.EXAMPLE) | documented(HTTPStatus.NOT_FOUND),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def take_out(tournament_id: TournamentId, stage: StageId, round: RoundNumber) -> Response:  # noqa: A002 - the path names it so
        place = tournament_id, stage, round
        await published(context, place)
        states = await sheets_of(context, [row.game for row in await rows_of(context, place)])
        told = await context.names.of_tournament(tournament_id)
        headers = {"Content-Disposition": f'attachment; filename="{tournament_id}-{stage}-{round}.csv"'}
        lines = (files.line_of(state, told.names) for state in states.values())
        return Response(written(files.COLUMNS, lines), media_type=CSV, headers=headers)

    @router.post(
        "",
        summary="Report results by a spreadsheet",
        description="CSV in the columns of the export; a line is found by its `table`, or by the id in `game`. Each "
        "line in which something is entered is answered by itself; sending the file again is safe.",
        operation_id="importEntrySheet",
        response_model=bodies.AnsweredLines | bodies.LinesForeseen,
        responses=MANY | documented(HTTPStatus.NOT_FOUND),
    )
    async def bring_in(
        tournament_id: TournamentId,
        stage: StageId,
        round: RoundNumber,  # noqa: A002 - the path names it so
        content: files.RoundCsv,
        act: Annotated[Act, Depends(door.acts(REPORT_MANY))],
        dry_run: DryRun = False,
    ) -> Response:
        place = tournament_id, stage, round
        await published(context, place)
        file = SentFile(
            place=place,
            games={row.board: row.game for row in await rows_of(context, place)},
            names=(await context.names.of_tournament(tournament_id)).names,
            known=await context.tournaments.of(tournament_id),
            act=alone(act, tournament_id),
        )
        lines = files.found_lines(content, file.games)
        if not dry_run:
            return await answered(context, [partial(report_line, context, line, file) for line in lines])
        foreseen = [await foresee_line(context, line, file) for line in lines]
        return Response(msgspec.json.encode({"foreseen": foreseen}), media_type=JSON)

    return router


class SentFile(Value):
    """What the lines of a file are held against."""

    place: RoundKey
    games: Mapping[int, str]  # by table
    names: Mapping[str, str]
    known: KnownTournament
    act: Act


async def rows_of(context: Context, place: RoundKey) -> Sequence[SheetRow]:
    tournament, stage, number = place
    wanted = SheetsWanted(tournament=tournament, stage=stage, round=number)
    return await context.projection.sheets(wanted, after="", limit=MOST_GAMES)


async def report_line(context: Context, found: files.FoundLine, file: SentFile) -> Answer:
    """One line of a file."""
    try:
        said, state = await said_in(context, found, file)
        if said is None:
            answer: Answer = None, went_well(found.named, views.sheet(state, file.act.asker, file.known))
        else:
            answer = await report_one(context, said, file.act)
    except Refusal as refusal:
        answer = None, refused(found.game, refusal)
    position, told = answer
    return position, told | {"line": found.line.number, "table": found.table}


async def foresee_line(context: Context, found: files.FoundLine, file: SentFile) -> dict[str, Any]:
    """What would come of it."""
    told: dict[str, Any] = {"status": HTTPStatus.OK.value, "changes": [], "problem": None}
    try:
        said, state = await said_in(context, found, file)
        if said is not None:
            game = await context.requested(found.named, file.act)
            with citing(game.known, game.place.stage):
                _, events = await context.games.foresee(game.id, await reported(context, game, said, file.act))
            told["changes"] = files.foreseen(events, state.sheet, file.names)
    except Refusal as refusal:
        problem = refused(found.game, refusal)
        told |= {"status": problem["status"], "problem": problem["problem"]}
    return {"line": found.line.number, "game": found.game, "table": found.table} | told


async def said_in(
    context: Context, found: files.FoundLine, file: SentFile
) -> tuple[bodies.GameReport | None, KnownSheet]:
    """The report of a line, or none where it says what stands; and the sheet that it is about."""
    if found.fault is not None:
        raise Faulty(files.UNREADABLE_LINE, [found.fault])
    game = await context.requested(found.named, file.act)
    if (game.place.tournament, game.place.stage, game.place.round) != file.place:
        raise Faulty(files.UNREADABLE_LINE, [found.line.fault("is a game of another round", "game")])
    state = await context.sheet(game.id)
    files.require_who_sits_there(found, state, file.names)
    if isinstance(state, Final) and files.says_what_stands(found.line, state):
        return None, state
    said = files.report_of(found.line, game.id, file.known.rules().game, state.sheet.seats)
    with files.in_line(found.line):
        result = (await judged(context, game, said, file.act)).result
    files.require_winner(found.line, result, state.sheet.seats)
    return said, state


async def published(context: Context, place: RoundKey) -> RoundRow:
    row = await context.projection.round(place)
    if row is None:
        await context.projection.model.caught_up()  # it may have been published a moment ago
        row = await context.projection.round(place)
    if row is None or row.recalled:
        raise RoundUnknown("This round is not published: look for those that are.")
    return row
