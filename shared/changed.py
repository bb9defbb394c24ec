"""What has changed in a table: stored, and told to neighbours."""

import msgspec

from shared.exact import Number

type Values = dict[str, tuple[Number | None, Number | None]]  # by criterion: before and after


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """What a neighbour said that was otherwise before."""

    event: str  # its name, such as ResultCorrected
    entrants: tuple[str, ...] = ()  # whom it is about
    game: str | None = None
    round: int | None = None


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody whose place or values are others. Places are none where there was no row; equal values are left out."""

    entrant: str
    before: int | None
    after: int | None
    values: Values = {}
