"""What may be asked of a tournament about those before and after it."""

from services.registration.domain.tournament.saying import Entry
from shared.commands.decider import Order
from shared.numbers import Number
from shared.values import Value


class NameNextLevel(Order):
    """None: nobody goes on from here."""

    next_level: str | None
    otherwise: str | None = None


class NoteOrder(Order):
    order: tuple[tuple[str, ...], ...]
    advance: int | None
    reserves: tuple[str, ...]
    points: dict[str, Number]


class ExpectFrom(Order):
    origin: str


class ExpectNoMoreFrom(Order):
    origin: str


class Comer(Value):
    """Somebody of another tournament, as they would enter this one."""

    former: str  # the entrant there
    place: int
    entry: Entry
    obstacle: str | None = None  # why they cannot, as far as others than this tournament know


class TakeIn(Order):
    origin: str
    comers: tuple[Comer, ...]  # best first
    by_right: int | None  # so many; none: as many as there is room for
    by_hand: bool = False  # an official asks for it


type LevelOrder = NameNextLevel | NoteOrder | ExpectFrom | ExpectNoMoreFrom | TakeIn
