"""What the records of a game show, and whether that is what was reported."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from services.results.api.permissions import TELL
from services.results.api.records.bodies import Happening, Record, Records, Variant
from services.results.domain.records import RecordAttached, State
from services.results.domain.sheet.states import Final, GivenReport, KnownSheet, reports_of
from services.results.games.gomoku.cfp import openings_of
from services.results.games.gomoku.clocks import periods_of
from services.results.games.records import (
    RecordedClocks,
    RecordReading,
    discs_after,
    drawable,
    read_form,
    read_record,
    turned,
)
from services.results.games.verdict import Winner, ahead
from services.results.tournaments import KnownTournament
from shared.access.asker import Asker
from shared.numbers import exact
from shared.rulesets.play import Contest


class RecordContent(msgspec.Struct, omit_defaults=True):
    """As it is stored, once however often it is attached."""

    moves: list[Any] = msgspec.field(default_factory=list[Any])
    opening: str | None = None
    variant: dict[str, Any] | None = None  # a form instead of moves
    seconds: list[int | None] | None = None  # for each of the moves


def shows(content: RecordContent, stage: str, known: KnownTournament) -> RecordReading:
    """Refused with the first move that breaks a rule, or with what the rules of the stage do not have."""
    if content.variant is not None:
        return read_form(known.settings(stage).contest.elements, content.variant["used"])
    clocks = None
    if content.seconds is not None:
        clocks = RecordedClocks(periods=periods_of(known.settings(stage)), seconds=content.seconds)
    return read_record(drawable(known.rules().game), content.moves, content.opening, clocks)


def records(
    state: State, contents: Mapping[str, RecordContent], sheet: KnownSheet, known: KnownTournament, asker: Asker
) -> Records:
    """What was reported and is not final yet is for those at the table and officials: also whether a record agrees."""
    sees = isinstance(sheet, Final) or asker.may(TELL, sheet.sheet.tournament)
    said = reports_of(sheet) if sees else ()
    return Records(
        records=[record(one, contents[one.content], sheet, said, known) for one in state if one.content in contents]
    )


def record(
    attached: RecordAttached,
    content: RecordContent,
    sheet: KnownSheet,
    said: tuple[GivenReport, ...],
    known: KnownTournament,
) -> Record:
    found = shows(content, sheet.sheet.stage, known)
    of_sheet = found if attached.first == sheet.sheet.seats[0] else turned(found)
    return Record(
        id=attached.content,
        who=attached.by.person,
        entrant=attached.by.entrant,
        first=attached.first,
        board=attached.board,
        duel=attached.duel,
        moves=content.moves,
        variant=None if content.variant is None else Variant.model_validate(content.variant),
        opening=content.opening,
        seconds=content.seconds,
        winner=of_sheet.winner,
        end_reason=found.reason,
        decided_at=found.decided_at,
        discs=None if of_sheet.discs is None else list(of_sheet.discs),
        happened=[Happening(what=one.what, moves=list(one.moves)) for one in found.happened],
        explanation=" ".join([found.explanation, *doubted(content.opening, known.settings(sheet.sheet.stage).contest)]),
        agrees=agrees(attached, of_sheet, sheet, said, known),
    )


def doubted(opening: str | None, contest: Contest) -> Iterator[str]:
    """A record is evidence and is kept, whatever it shows; whether such a game counts is decided with its result."""
    announced = openings_of(contest)
    if opening is not None and announced and opening not in announced:
        yield f"It was opened by {opening}, where {' or '.join(announced)} is announced: an official decides what follows."


def agrees(
    attached: RecordAttached,
    found: RecordReading,
    sheet: KnownSheet,
    reports: tuple[GivenReport, ...],
    known: KnownTournament,
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


def reported_of_duel(reports: tuple[GivenReport, ...], board: int, duel: int, winner: Winner) -> bool | None:
    """What the last report says of one duel of a match."""
    boards: list[list[Any]] = list(reports[-1].details.said.get("boards", ())) if reports else []
    if board >= len(boards) or duel >= len(boards[board]):
        return None
    return boards[board][duel] == winner
