"""Records of games: attached, held against what was reported, and drawn."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Response

from services.results.api.context import Desk, speaker
from services.results.api.games import views as sheets
from services.results.api.games.bodies import GameId
from services.results.api.permissions import TELL
from services.results.api.records.bodies import RECORD, Happening, Record, Records, ToAttach, Variant
from services.results.domain.records import AttachRecord, RecordAttached, State
from services.results.domain.sheet.states import Final, Report, UnknownSheet, reports_of
from services.results.domain.sheet.states import KnownSheet as Sheet
from services.results.games.drawing import picture
from services.results.games.records import RecordReading, discs_after, drawable, read_form, read_record, turned
from services.results.games.verdict import Winner, ahead
from services.results.streams import RecordHandler
from services.results.tournaments import KnownTournament
from shared.access.asker import Asker
from shared.access.policy import ANYBODY
from shared.access.references import id_of
from shared.http.door import Act, Door
from shared.http.orders import CHANGED
from shared.http.problems import documented
from shared.http.responses import READ, answer, read, written
from shared.log.contents import Contents
from shared.numbers import exact
from shared.refusals import NotFound
from shared.rulesets.play import Contest
from shared.values import Value

SVG = "image/svg+xml"
PICTURE = {
    HTTPStatus.OK.value: {
        "description": "The board after the last move.",
        "content": {SVG: {"schema": {"type": "string"}, "example": "<svg>…</svg>"}},
    }
}

type RecordId = Annotated[
    str,
    Path(description="Of the record.", pattern=r"^[0-9a-f]{64}$", json_schema_extra=id_of("record"), examples=[RECORD]),
]


class RecordUnknown(NotFound):
    """No such record is attached to this game."""


class RecordContent(msgspec.Struct, omit_defaults=True):
    """As it is stored, once however often it is attached."""

    moves: list[Any] = msgspec.field(default_factory=list[Any])
    opening: str | None = None
    variant: dict[str, Any] | None = None  # a form instead of moves


RECORD_CONTENT = msgspec.json.Decoder(RecordContent)


class Archive(Value):
    """What the operations on records work with."""

    desk: Desk
    records: RecordHandler
    contents: Contents

    async def sheet(self, game: str) -> Sheet:
        state, _ = await self.desk.games.load(game)
        if isinstance(state, UnknownSheet):
            raise sheets.refused(state)
        return state

    async def read(self, state: State) -> Mapping[str, RecordContent]:
        found = await self.contents.read({one.content for one in state})
        return {digest: RECORD_CONTENT.decode(content) for digest, content in found.items()}


def routes(*, archive: Archive, door: Door) -> APIRouter:
    router = APIRouter(prefix="/v1/games/{game_id}/records", tags=["records"])
    desk = archive.desk

    @router.post(
        "",
        summary="Attach the record of a game",
        description="By a side of the table, or an official. It is held against what was reported, and changes nothing. In "
        "the final of Carcassonne it is the form of the variant, which both sides confirm by attaching the same.",
        operation_id="attachRecord",
        response_model=Records,
        responses=CHANGED,
    )
    async def attach(game_id: GameId, body: ToAttach, act: Annotated[Act, Depends(door.acts(TELL))]) -> Response:
        place, known = await desk.place(game_id, act)
        content = content_of(body, known.settings(place.stage).contest)
        shows(content, place.stage, known)
        digest = await archive.contents.keep(msgspec.json.encode(content))
        sheet = await archive.sheet(game_id)
        before, _ = await archive.records.load(game_id)
        contents = {**await archive.read(before), digest: content}
        handled = await archive.records.handle(
            game_id,
            AttachRecord(
                game=game_id,
                tournament=place.tournament,
                seats=sheet.sheet.seats,
                content=digest,
                by=speaker(act),
                first=body.first or sheet.sheet.first or sheet.sheet.seats[0],
                board=body.board,
                duel=body.duel,
            ),
            scope=place.tournament,
            origin=act.origin,
            respond=lambda state, version: answer(records(state, contents, sheet, known, act.asker), version),
            key=act.key,
            versions=act.versions,
        )
        return written("results", handled, HTTPStatus.OK)

    @router.get(
        "",
        summary="The records of a game",
        description="Each with what it shows, and whether that is what was reported.",
        operation_id="listRecords",
        response_model=Records,
        responses=READ | documented(HTTPStatus.NOT_FOUND),
    )
    async def several(game_id: GameId, asker: Annotated[Asker, Depends(door.reads(ANYBODY))]) -> Response:
        sheet = await archive.sheet(game_id)
        state, version = await archive.records.load(game_id)
        known = await desk.tournaments.of(sheet.sheet.tournament)
        return read(records(state, await archive.read(state), sheet, known, asker), version)

    @router.get(
        "/{record_id}/board.svg",
        summary="The board of a record",
        description="A drawing of the board after the last move: stones with the number of their move, or discs.",
        operation_id="drawRecord",
        response_class=Response,
        responses=PICTURE
        | documented(HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.SERVICE_UNAVAILABLE),
        dependencies=[Depends(door.reads(ANYBODY))],
    )
    async def drawn(game_id: GameId, record_id: RecordId) -> Response:
        sheet = await archive.sheet(game_id)
        state, _ = await archive.records.load(game_id)
        content = (await archive.read(tuple(one for one in state if one.content == record_id))).get(record_id)
        if content is None:
            raise RecordUnknown("No such record is attached to this game: look into its list of records.")
        known = await desk.tournaments.of(sheet.sheet.tournament)
        drawing = picture(drawable(known.rules().game), content.moves, content.opening)
        return Response(drawing, media_type=SVG)

    return router


def content_of(body: ToAttach, contest: Contest) -> RecordContent:
    if body.variant is not None:
        return RecordContent(variant=body.variant.model_dump(mode="json"))
    return RecordContent(moves=list(body.moves or ()), opening=body.opening or contest.opening)


def shows(content: RecordContent, stage: str, known: KnownTournament) -> RecordReading:
    """Refused with the first move that breaks a rule, or with what the rules of the stage do not have."""
    if content.variant is not None:
        return read_form(known.settings(stage).contest.variant, content.variant["used"])
    return read_record(drawable(known.rules().game), content.moves, content.opening)


def records(
    state: State, contents: Mapping[str, RecordContent], sheet: Sheet, known: KnownTournament, asker: Asker
) -> Records:
    """What was reported and is not final yet is for those at the table and officials: also whether a record agrees."""
    sees = isinstance(sheet, Final) or asker.may(TELL, sheet.sheet.tournament)
    said = reports_of(sheet) if sees else ()
    return Records(
        records=[record(one, contents[one.content], sheet, said, known) for one in state if one.content in contents]
    )


def record(
    attached: RecordAttached, content: RecordContent, sheet: Sheet, said: tuple[Report, ...], known: KnownTournament
) -> Record:
    found = shows(content, sheet.sheet.stage, known)
    of_sheet = found if attached.first == sheet.sheet.seats[0] else turned(found)
    return Record(
        id=attached.content,
        by=attached.by.person,
        entrant=attached.by.entrant,
        first=attached.first,
        board=attached.board,
        duel=attached.duel,
        moves=content.moves,
        variant=None if content.variant is None else Variant.model_validate(content.variant),
        opening=content.opening,
        winner=of_sheet.winner,
        reason=found.reason,
        decided_at=found.decided_at,
        discs=None if of_sheet.discs is None else list(of_sheet.discs),
        happened=[Happening(what=one.what, moves=list(one.moves)) for one in found.happened],
        explanation=found.explanation,
        agrees=agrees(attached, of_sheet, sheet, said, known),
    )


def agrees(
    attached: RecordAttached, found: RecordReading, sheet: Sheet, reports: tuple[Report, ...], known: KnownTournament
) -> bool | None:
    """With the result that stands, or the last report."""
    result = sheet.result if isinstance(sheet, Final) else reports[-1].result if reports else None
    if result is None or found.winner is None:
        return None
    if attached.board is not None and attached.duel is not None:
        return reported_of_duel(reports, attached.board, attached.duel, found.winner)
    if found.discs is not None:
        ending = known.settings(sheet.sheet.stage).results.endings.get(result.end)
        return [exact(score) for score in result.scores] == list(discs_after(found, ending, result.by))
    return ahead([exact(points) for points in result.points]) == found.winner


def reported_of_duel(reports: tuple[Report, ...], board: int, duel: int, winner: Winner) -> bool | None:
    """What the last report says of one duel of a match."""
    boards: list[list[Any]] = list(reports[-1].details.said.get("boards", ())) if reports else []
    if board >= len(boards) or duel >= len(boards[board]):
        return None
    return boards[board][duel] == winner
