"""What may be asked of a tournament about those before and after it."""

from dataclasses import dataclass

from services.registration.domain.tournament.saying import Entry
from shared.numbers import Number


@dataclass(frozen=True, kw_only=True, slots=True)
class NameNextLevel:
    """None: nobody goes on from here."""

    next_level: str | None
    otherwise: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NoteOrder:
    order: tuple[tuple[str, ...], ...]
    advance: int | None
    reserves: tuple[str, ...]
    points: dict[str, Number]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectFrom:
    origin: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectNoMoreFrom:
    origin: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Comer:
    """Somebody of another tournament, as they would enter this one."""

    former: str  # the entrant there
    place: int
    entry: Entry
    obstacle: str | None = None  # why they cannot, as far as others than this tournament know


@dataclass(frozen=True, kw_only=True, slots=True)
class TakeIn:
    origin: str
    comers: tuple[Comer, ...]  # best first
    by_right: int | None  # so many; none: as many as there is room for
    by_hand: bool = False  # an official asks for it


type LevelOrder = NameNextLevel | NoteOrder | ExpectFrom | ExpectNoMoreFrom | TakeIn
