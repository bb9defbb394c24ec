"""The tables that registration answers queries from."""

from typing import Any

from sqlalchemy import BigInteger, Index, MetaData
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlmodel import Field, SQLModel

TABLES = MetaData(schema="views")


class FederationRow(SQLModel, table=True):
    __tablename__ = "federations"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    id: str = Field(primary_key=True)
    name: str
    version: int


class PersonRow(SQLModel, table=True):
    """Pages go by the position of the registration: what comes later never appears before what was seen."""

    __tablename__ = "persons"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    __table_args__ = (Index("persons_of", "federation", "position"),)  # pyright: ignore[reportAssignmentType] - the same
    metadata = TABLES

    id: str = Field(primary_key=True)
    federation: str
    position: int = Field(sa_type=BigInteger)


class LineUpRow(SQLModel, table=True):
    """Who was ever in the line-up of an entrant."""

    __tablename__ = "line_ups"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    __table_args__ = (Index("line_ups_of", "entrant"),)  # pyright: ignore[reportAssignmentType] - the same
    metadata = TABLES

    person: str = Field(primary_key=True)
    entrant: str = Field(primary_key=True)
    tournament: str


class EntryOfHomeRow(SQLModel, table=True):
    """Entrants who have ever said that they come from a school or club."""

    __tablename__ = "entries_of_homes"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    home: str = Field(primary_key=True)
    entrant: str = Field(primary_key=True)
    tournament: str


class HomeRow(SQLModel, table=True):
    """What a school, club, region or hall is called: tournaments are found by where they are held."""

    __tablename__ = "homes"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    id: str = Field(primary_key=True)
    name: str
    folded: str  # as it is looked for


class TournamentRow(SQLModel, table=True):
    """Each order in which they are listed has an index; words are found from their beginnings on."""

    __tablename__ = "tournaments"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    __table_args__ = (  # pyright: ignore[reportAssignmentType] - the same
        Index("tournaments_by_day", "starts_on", "position"),
        Index("tournaments_by_status", "status", "starts_on", "position"),
        Index("tournaments_by_name", "folded", "position"),
        Index("tournaments_of", "federation", "starts_on", "position"),
        Index("tournaments_at", "hall", "host", "region"),
        Index("tournaments_found", "words", postgresql_using="gin"),
        Index("tournaments_found_at", "place_words", postgresql_using="gin"),
    )
    metadata = TABLES

    id: str = Field(primary_key=True)
    position: int = Field(sa_type=BigInteger, unique=True)
    federation: str
    name: str
    folded: str  # the name as it is looked for
    status: str
    game: str
    ruleset: str
    starts_on: str
    competition: str | None = None
    variant: str | None = None
    series: str | None = None
    host: str | None = None
    season: str | None = None
    is_open: bool = False  # whether registration was ever opened
    hall: str | None = None
    region: str | None = None
    said_place: str | None = None  # in words, as it was announced
    place: str | None = None  # that, or else what the most exact of the homes is called
    words: Any = Field(default=None, sa_type=TSVECTOR, nullable=True)  # of the name and the place
    place_words: Any = Field(default=None, sa_type=TSVECTOR, nullable=True)


class RulesetRow(SQLModel, table=True):
    """A version of a ruleset that a federation has posted."""

    __tablename__ = "rulesets"  # pyright: ignore[reportAssignmentType] - SQLModel declares it as a property
    metadata = TABLES

    id: str = Field(primary_key=True)
    version: str = Field(primary_key=True)
    position: int = Field(sa_type=BigInteger)
    federation: str
    title: str
    game: str
    issuer: str
    valid_from: str | None
