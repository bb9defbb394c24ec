"""What results shows of rounds and their sheets, and what has yet to follow from results: tables, and what is asked of them.

A page of the log takes a few statements, however many results it has.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, ColumnExpressionArgument, MetaData, delete, func, tuple_
from sqlalchemy.dialects.postgresql import array
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.results.domain import rounds
from services.results.domain.rounds import ROUND
from services.results.domain.sheet import facts
from services.results.domain.sheet.decider import GAME
from services.results.domain.sheet.states import SETTLED
from shared.log.connection import Connection
from shared.log.envelope import Envelope
from shared.log.read_model import ReadModel, raw_connection
from shared.log.store import Recorded
from shared.values import Value

NAME = "results"
VERSION = 4
TABLES = MetaData(schema="views")

type RoundKey = tuple[str, str, int]  # a tournament, a stage and a round of it


class SheetRow(SQLModel, table=True):
    __tablename__ = "sheets"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    game: str = Field(primary_key=True)
    tournament: str = Field(index=True)
    stage: str
    round: int
    board: int  # the number of the table
    seats: str  # a JSON array, like all that follow
    first: str | None  # by the pairing
    began: str | None  # who really started, by the result
    status: str
    scores: str | None
    points: str | None
    ending: str | None
    at_fault: str
    unmoved: str  # seats that have not made a move
    winner: str | None
    decided_by: str | None
    draw_wins: str | None
    match: str | None = Field(index=True)
    number: int | None
    letter: str | None  # of the group
    deciding: str
    end_reason: str | None
    corrected_at: str | None  # RFC 3339; none where the result that stands is the first one
    correction: str | None  # the id of what was said about that


class RoundRow(SQLModel, table=True):
    __tablename__ = "rounds"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    tournament: str = Field(primary_key=True)
    stage: str = Field(primary_key=True)
    round: int = Field(primary_key=True)
    games: int
    missing: int  # without a result
    complete: bool = Field(index=True)
    recalled: bool


class ToCountRow(SQLModel, table=True):
    """Tournaments in which a game was defaulted against somebody, or is not any more."""

    __tablename__ = "to_count"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    tournament: str = Field(primary_key=True)
    position: int


OPEN_ROUNDS = """
  insert into views.rounds (tournament, stage, round, games, missing, complete, recalled)
  select tournament, stage, round, games, games, false, false
  from unnest($1::text[], $2::text[], $3::int[], $4::int[]) opened(tournament, stage, round, games)
  on conflict (tournament, stage, round) do update
    set games = excluded.games, missing = excluded.missing, complete = false, recalled = false
"""
OPEN_SHEETS = """
  insert into views.sheets
    (game, tournament, stage, round, board, seats, first, match, number, letter, status, at_fault, unmoved, deciding)
  select *, 'pending', '[]', '[]', '[]'
  from unnest(
    $1::text[], $2::text[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[], $9::int[], $10::text[]
  )
  on conflict (game) do update set tournament = excluded.tournament, stage = excluded.stage, round = excluded.round,
    board = excluded.board, seats = excluded.seats, first = excluded.first, match = excluded.match,
    number = excluded.number, letter = excluded.letter, status = 'pending', scores = null, points = null,
    ending = null, at_fault = '[]', unmoved = '[]', winner = null, decided_by = null, draw_wins = null,
    deciding = '[]', end_reason = null, corrected_at = null, correction = null, began = null
"""
# What a sheet was before is read beside the update, so that a round's missing results are counted, not looked up.
MOVE_SHEETS = """
  with moved as (
    update views.sheets sheet set status = new.status, scores = new.scores, points = new.points, ending = new.ending,
      at_fault = new.at_fault, began = new.began, unmoved = new.unmoved, winner = new.winner,
      decided_by = new.decided_by, draw_wins = new.draw_wins, deciding = new.deciding, end_reason = new.end_reason,
      corrected_at = new.corrected_at, correction = new.correction
    from unnest(
        $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[]
      ) new(
        game, status, scores, points, ending, at_fault, began, unmoved, winner, decided_by, draw_wins, deciding,
        end_reason, corrected_at, correction
      )
      join views.sheets old on old.game = new.game
    where sheet.game = new.game
    returning sheet.tournament, sheet.stage, sheet.round, new.at_fault <> '[]' or old.at_fault <> '[]' as defaulted,
      (old.status = any($17))::int - (new.status = any($17))::int as more
  ), counted as (
    insert into views.to_count (tournament, position) select distinct tournament, $16::bigint from moved where defaulted
    on conflict (tournament) do update set position = excluded.position
  )
  update views.rounds r set missing = r.missing + changed.more
  from (select tournament, stage, round, sum(more)::int as more from moved group by 1, 2, 3) changed
  where (r.tournament, r.stage, r.round) = (changed.tournament, changed.stage, changed.round) and changed.more <> 0
"""
MARK_ROUNDS = """
  update views.rounds r set complete = marked.complete, recalled = marked.recalled
  from unnest($1::text[], $2::text[], $3::int[], $4::bool[], $5::bool[])
    marked(tournament, stage, round, complete, recalled)
  where (r.tournament, r.stage, r.round) = (marked.tournament, marked.stage, marked.round)
"""


class MovedSheet(Value):
    """What a sheet shows after a page of the log."""

    status: str
    outcome: facts.Outcome | None = None
    corrected_at: str | None = None

    def columns(self, game: str) -> tuple[str | None, ...]:
        of = self.outcome
        if of is None:
            return game, self.status, None, None, None, "[]", None, "[]", *(None,) * 3, "[]", *(None,) * 3
        played = text(of.scores), text(of.points), of.end, text(of.by), of.first, text(of.unmoved or ())
        decided = of.winner, of.decided_by, of.draw_wins, text(of.deciding), of.end_reason
        correction = of.reason if isinstance(of, facts.ResultCorrected) else None
        return game, self.status, *played, *decided, self.corrected_at, correction


class PageOfSheets(Value):
    """Only the last of what happened to each sheet and round counts."""

    opened_rounds: dict[RoundKey, int] = msgspec.field(default_factory=dict[RoundKey, int])
    opened: dict[str, facts.SheetOpened] = msgspec.field(default_factory=dict[str, facts.SheetOpened])
    moved: dict[str, MovedSheet] = msgspec.field(default_factory=dict[str, MovedSheet])
    moved_before: dict[str, MovedSheet] = msgspec.field(default_factory=dict[str, MovedSheet])  # what was opened anew
    marked: dict[RoundKey, tuple[bool, bool]] = msgspec.field(default_factory=dict[RoundKey, tuple[bool, bool]])

    def take_game(self, event: facts.Event, recorded: Recorded) -> None:  # noqa: C901 - one line an event
        match event:
            case facts.SheetOpened():
                self.opened[event.game] = event
                if before := self.moved.pop(event.game, None):
                    self.moved_before[event.game] = before
            case facts.GameStarted():
                self.moved[event.game] = MovedSheet(status="started")
            case (
                facts.ComplaintMade()
                | facts.ComplaintAnswered()
                | facts.ChoiceMade()
                | facts.LineUpGiven()
                | facts.BoardsDrawn()
                | facts.SeatsDrawn()
                | facts.WishSaid()
                | facts.ClockChanged()
            ):
                pass
            case facts.ResultReported() | facts.ReportWithdrawn() | facts.GameResumed():
                self.moved[event.game] = MovedSheet(status=event.then)
            case facts.ResultDisputed():
                self.moved[event.game] = MovedSheet(status="disputed")
            case facts.GamePostponed():
                self.moved[event.game] = MovedSheet(status="postponed")
            case facts.ResultAgreed() | facts.ResultDecided():
                self.moved[event.game] = MovedSheet(status="final", outcome=event)
            case facts.ResultCorrected():
                at = ENVELOPES.decode(recorded.event.record).at.isoformat()
                self.moved[event.game] = MovedSheet(status="final", outcome=event, corrected_at=at)
            case facts.GameVoided():
                self.moved[event.game] = MovedSheet(status="voided")
            case facts.ReplayOrdered():
                self.moved[event.game] = MovedSheet(status="pending")
            case facts.SheetClosed():
                self.moved[event.game] = MovedSheet(status="recalled")

    def take_round(self, event: rounds.Event) -> None:
        place = event.tournament, event.stage, event.round
        match event:
            case rounds.RoundOpened():
                self.opened_rounds[place] = len(event.games)
                self.marked.pop(place, None)
            case rounds.RoundCompleted():
                self.marked[place] = True, False
            case rounds.RoundReopened():
                self.marked[place] = False, False
            case rounds.RecallAccepted():
                self.marked[place] = False, True
            case rounds.RecallRefused() | rounds.RepairAccepted() | rounds.RepairRefused():
                pass

    async def write(self, connection: Connection, position: int) -> None:
        await self._move(connection, self.moved_before, position)
        if self.opened_rounds:
            await connection.execute(OPEN_ROUNDS, *columns((*place, n) for place, n in self.opened_rounds.items()))
        if self.opened:
            await connection.execute(OPEN_SHEETS, *columns(sheet(event) for event in self.opened.values()))
        await self._move(connection, self.moved, position)
        if self.marked:
            await connection.execute(MARK_ROUNDS, *columns((*place, *mark) for place, mark in self.marked.items()))

    async def _move(self, connection: Connection, moved: Mapping[str, MovedSheet], position: int) -> None:
        if moved:
            rows = columns(one.columns(game) for game, one in moved.items())
            await connection.execute(MOVE_SHEETS, *rows, position, SETTLED)


async def apply(session: AsyncSession, page: Sequence[Recorded]) -> None:
    found = PageOfSheets()
    for recorded in page:
        if recorded.event.type in GAME_EVENTS:
            found.take_game(GAME.read(recorded), recorded)
        elif recorded.event.type in ROUND_EVENTS:
            found.take_round(ROUND.read(recorded))
    await found.write(await raw_connection(session), page[-1].position)


def sheet(event: facts.SheetOpened) -> tuple[object, ...]:
    place = event.game, event.tournament, event.stage, event.round
    return *place, event.table, text(event.seats), event.first, event.match, event.number, event.group


def columns(rows: Iterable[tuple[object, ...]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]


def text(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()


ENVELOPES = msgspec.json.Decoder(Envelope)
GAME_EVENTS = {event.__name__ for event in GAME.events}
ROUND_EVENTS = {event.__name__ for event in ROUND.events}


class SheetsWanted(Value):
    """Of one tournament, those of which all of this is so."""

    tournament: str
    stage: str | None = None
    round: int | None = None
    statuses: frozenset[str] = frozenset()  # any of these; none: whatever it is
    corrected: bool = False
    entrant: str | None = None
    stages: tuple[str, ...] = ()  # as they follow each other; none: by their names, where there is one alone


def as_played(stages: Sequence[str]) -> tuple[ColumnExpressionArgument[Any], ...]:
    """The order in which games were played, where stages follow each other so; none: by the names of the stages."""
    by_stage = func.array_position(array(stages), col(SheetRow.stage)) if stages else col(SheetRow.stage)
    return by_stage, col(SheetRow.round), col(SheetRow.board), col(SheetRow.game)


def cursor(row: SheetRow) -> str:
    return f"{row.stage}.{row.round}.{row.board}.{row.game}"


def conditions(wanted: SheetsWanted) -> Iterator[ColumnElement[bool]]:
    yield col(SheetRow.tournament) == wanted.tournament
    yield col(SheetRow.status) != "recalled"
    if wanted.stage is not None:
        yield col(SheetRow.stage) == wanted.stage
    if wanted.round is not None:
        yield col(SheetRow.round) == wanted.round
    if wanted.statuses:
        yield col(SheetRow.status).in_(wanted.statuses)
    if wanted.corrected:
        yield col(SheetRow.corrected_at).is_not(None)
    if wanted.entrant is not None:
        yield col(SheetRow.seats).contains(text([wanted.entrant])[1:-1], autoescape=True)


def in_round(place: RoundKey) -> tuple[ColumnElement[bool], ...]:
    tournament, stage, number = place
    return (
        col(SheetRow.tournament) == tournament,
        col(SheetRow.stage) == stage,
        col(SheetRow.round) == number,
    )


class Projection(Value):
    """What is asked of these tables."""

    model: ReadModel

    async def round(self, place: RoundKey) -> RoundRow | None:
        async with self.model.session() as session:
            return await session.get(RoundRow, place)

    async def sheets(self, wanted: SheetsWanted, *, after: str, limit: int) -> Sequence[SheetRow]:
        """Stage by stage and round by round, in the order of the tables, behind one of them; `after` is a `cursor`."""
        found, in_order = select(SheetRow).where(*conditions(wanted)), as_played(wanted.stages)
        if after:
            stage, number, board, game = after.split(".")
            place = 1 + wanted.stages.index(stage) if stage in wanted.stages else 0
            begin = place if wanted.stages else stage
            found = found.where(tuple_(*in_order) > tuple_(begin, int(number), int(board), game))
        async with self.model.session() as session:
            return (await session.exec(found.order_by(*in_order).limit(limit))).all()

    async def counts(self, place: RoundKey) -> Mapping[str, int]:
        """How many games of a round have each status."""
        wanted = select(SheetRow.status, func.count()).where(*in_round(place), col(SheetRow.status) != "recalled")
        async with self.model.session() as session:
            return dict((await session.exec(wanted.group_by(col(SheetRow.status)))).all())

    async def rounds(self, tournament: str) -> Sequence[RoundRow]:
        """Those that are published."""
        wanted = select(RoundRow).where(col(RoundRow.tournament) == tournament, col(RoundRow.recalled).is_(False))
        async with self.model.session() as session:
            return (await session.exec(wanted.order_by(col(RoundRow.stage), col(RoundRow.round)))).all()

    async def open_rounds(self, tournaments: Collection[str]) -> Mapping[str, Sequence[RoundRow]]:
        """Published rounds with games that have no result yet, by tournament."""
        wanted = select(RoundRow).where(
            col(RoundRow.tournament).in_(tournaments), col(RoundRow.recalled).is_(False), col(RoundRow.missing) > 0
        )
        found: dict[str, list[RoundRow]] = {}
        async with self.model.session() as session:
            for row in await session.exec(wanted.order_by(col(RoundRow.stage), col(RoundRow.round))):
                found.setdefault(row.tournament, []).append(row)
        return found

    async def at_table(self, place: RoundKey, table: int) -> str | None:
        """The game that is played there, or that was before its round was recalled."""
        wanted = select(SheetRow.game).where(*in_round(place), col(SheetRow.board) == table)
        async with self.model.session() as session:
            in_order = wanted.order_by(col(SheetRow.status) == "recalled", col(SheetRow.game).desc())
            return (await session.exec(in_order.limit(1))).first()

    async def of_match(self, tournament: str, stage: str, match: str, *, before: int) -> Sequence[str]:
        """Its games before one of them."""
        wanted = select(SheetRow.game).where(
            col(SheetRow.tournament) == tournament,
            col(SheetRow.stage) == stage,
            col(SheetRow.match) == match,
            col(SheetRow.number) < before,
        )
        async with self.model.session() as session:
            return (await session.exec(wanted.order_by(col(SheetRow.number)))).all()

    async def final_games(self, tournament: str, stages: Sequence[str]) -> Sequence[str]:
        """In the order in which they were played, as the stages follow each other."""
        wanted = select(SheetRow.game).where(col(SheetRow.tournament) == tournament, col(SheetRow.status) == "final")
        async with self.model.session() as session:
            return (await session.exec(wanted.order_by(*as_played(stages)))).all()

    # What is asked again whenever the tables move

    async def finished(self) -> Sequence[RoundRow]:
        """Rounds in which nothing is missing, and of which that was not said yet."""
        wanted = select(RoundRow).where(
            col(RoundRow.missing) <= 0, col(RoundRow.complete).is_(False), col(RoundRow.recalled).is_(False)
        )
        async with self.model.session(current=False) as session:
            return (await session.exec(wanted)).all()

    async def to_count(self) -> Sequence[ToCountRow]:
        async with self.model.session(current=False) as session:
            return (await session.exec(select(ToCountRow))).all()

    async def counted(self, row: ToCountRow) -> None:
        counted = delete(ToCountRow).where(
            col(ToCountRow.tournament) == row.tournament, col(ToCountRow.position) <= row.position
        )
        async with self.model.session(current=False) as session:
            await session.exec(counted)
            await session.commit()

    async def defaulted(self, tournament: str, stages: Sequence[str]) -> Sequence[SheetRow]:
        """Games with somebody at fault, in the order in which they were played, as the stages follow each other."""
        wanted = select(SheetRow).where(
            col(SheetRow.tournament) == tournament, col(SheetRow.status) == "final", col(SheetRow.at_fault) != "[]"
        )
        async with self.model.session(current=False) as session:
            found = await session.exec(wanted.order_by(*as_played(stages)))
            return found.all()
