"""The tables of the database in which tables are kept. Apart, since a process that makes some of them anew needs none
of what is loaded for this.
"""

from sqlalchemy import MetaData
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable
from sqlmodel import Field, SQLModel

from services.standings.domain.table import MAKING
from shared.log.postgres import Connection

TABLES = MetaData(schema="views")


class TableRow(SQLModel, table=True):
    __tablename__ = "tables"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    generation: int = Field(primary_key=True)
    tournament: str = Field(primary_key=True)
    stage: str = Field(primary_key=True)
    inputs: str
    body: bytes


class GenerationRow(SQLModel, table=True):
    """One row. `making` is that of the code that made what is shown: another one has to make it anew."""

    __tablename__ = "generation"  # pyright: ignore[reportAssignmentType] - as above
    metadata = TABLES

    one: bool = Field(primary_key=True)
    current: int
    making: int


INDEX = "create index if not exists tables_of_seasons on views.tables (stage) where stage like 'season %'"

# Where something was heard before there were tables, they have to be made.
BEGIN = """
  insert into views.generation (one, current, making)
  select true, 1, case when exists (select from inbox.events) then 0 else $1::int end on conflict do nothing
"""
ONE_AT_A_TIME = "select pg_advisory_xact_lock(hashtextextended('views', 0))"


async def prepare(connection: Connection) -> None:
    """Make what there is not yet; other copies of the service may do the same."""
    dialect = postgresql.dialect()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportAttributeAccessIssue]
    async with connection.transaction():
        await connection.execute(ONE_AT_A_TIME)
        for table in TABLES.sorted_tables:
            await connection.execute(str(CreateTable(table, if_not_exists=True).compile(dialect=dialect)))
        await connection.execute(INDEX)
        await connection.execute(BEGIN, MAKING)
