"""What each service tells of the lots that it draws."""

import msgspec


class LotSeedCommitted(msgspec.Struct, frozen=True, kw_only=True):
    """The secret from which all lots of a tournament follow exists; this is its SHA-256."""

    tournament: str
    commitment: str


class LotDrawn(msgspec.Struct, frozen=True, kw_only=True):
    """A lot put these in this order; it is recomputed from the purpose, them and the seed."""

    tournament: str
    purpose: str
    order: tuple[str, ...]


class LotSeedRevealed(msgspec.Struct, frozen=True, kw_only=True):
    """The secret, so that everybody can check every lot."""

    tournament: str
    seed: str  # hexadecimal
