"""What an entry says, and why the organiser takes it later than announced."""

from enum import StrEnum
from typing import Literal

from msgspec.structs import replace

from services.registration.domain.tournament.entry_facts import Verdict
from services.registration.domain.tournament.entry_orders import NOTHING_ELSE, Also
from shared.values import Value

type RatedBy = Literal["list", "rules"]


class Decision(StrEnum):
    """Why the organiser takes somebody later than the announcement says."""

    EXCUSED = "excused"
    EVEN_NUMBER = "even-number"
    SUBSTITUTE = "substitute"
    WILD_CARD = "wild-card"
    ORGANISERS_MISTAKE = "organisers-mistake"
    OTHER = "other"


class Said(Value):
    """What an entry says: who plays, and by what they are put in order."""

    persons: tuple[str, ...]
    rating: int | None = None
    key: int | None = None  # decides between equal ratings, the smaller first
    lists: tuple[str, ...] = ()
    rated_by: RatedBy | None = None  # where the entry said no rating: what gave it one, from the start on

    @property
    def sent(self) -> "Said":
        """As the entry itself said it."""
        return replace(self, rating=None, rated_by=None) if self.rated_by else self


class Entry(Value):
    entrant: str
    said: Said
    also: Also = NOTHING_ELSE
    verdicts: tuple[Verdict, ...] = ()
