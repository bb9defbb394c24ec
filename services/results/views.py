"""What is asked of the read model: the sheets of a round, and what has yet to follow from results."""

from collections.abc import Sequence

from sqlalchemy import delete, tuple_
from sqlmodel import col, select

from services.results.domain.states import SETTLED
from services.results.projection import Place, RoundRow, SheetRow, ToCountRow
from shared.log.read_model import ReadModel
from shared.values import Value


class Views(Value):
    model: ReadModel

    async def round(self, place: Place) -> RoundRow | None:
        async with self.model.session() as session:
            return await session.get(RoundRow, place)

    async def sheets(self, place: Place, *, after: str, limit: int, missing: bool) -> Sequence[SheetRow]:
        """In the order of the tables, behind one of them."""
        tournament, stage, number = place
        board, _, game = after.partition(".")
        wanted = select(SheetRow).where(
            col(SheetRow.tournament) == tournament,
            col(SheetRow.stage) == stage,
            col(SheetRow.round) == number,
            col(SheetRow.status) != "recalled",
            tuple_(col(SheetRow.board), col(SheetRow.game)) > tuple_(int(board or 0), game),
        )
        if missing:
            wanted = wanted.where(col(SheetRow.status).not_in(SETTLED))
        async with self.model.session() as session:
            found = await session.exec(wanted.order_by(col(SheetRow.board), col(SheetRow.game)).limit(limit))
            return found.all()

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

    async def finished(self) -> Sequence[RoundRow]:
        """Rounds in which nothing is missing, and of which that was not said yet."""
        wanted = select(RoundRow).where(
            col(RoundRow.missing) <= 0, col(RoundRow.complete).is_(False), col(RoundRow.recalled).is_(False)
        )
        async with self.model.session() as session:
            return (await session.exec(wanted)).all()

    async def to_count(self) -> Sequence[ToCountRow]:
        async with self.model.session() as session:
            return (await session.exec(select(ToCountRow))).all()

    async def counted(self, row: ToCountRow) -> None:
        counted = delete(ToCountRow).where(
            col(ToCountRow.tournament) == row.tournament, col(ToCountRow.position) <= row.position
        )
        async with self.model.session() as session:
            await session.exec(counted)
            await session.commit()

    async def defaulted(self, tournament: str) -> Sequence[SheetRow]:
        """Games with somebody at fault, in the order in which they were played."""
        wanted = select(SheetRow).where(
            col(SheetRow.tournament) == tournament, col(SheetRow.status) == "final", col(SheetRow.at_fault) != "[]"
        )
        async with self.model.session() as session:
            found = await session.exec(wanted.order_by(col(SheetRow.round), col(SheetRow.board)))
            return found.all()
