"""The rows of what is published of a season, as they are told and kept."""

import msgspec

from shared.exact import Number


class RatedPerson(msgspec.Struct, frozen=True, kw_only=True):
    person: str
    rating: int
    games: int = 0  # ever played for the list


class CupPlace(msgspec.Struct, frozen=True, kw_only=True):
    place: int  # equal sums share it
    person: str
    points: Number


class QualificationPlace(msgspec.Struct, frozen=True, kw_only=True):
    """In the order in which reserves are called."""

    place: int
    person: str
    points: Number
    qualified: bool
    champion: bool = False  # is in as such
