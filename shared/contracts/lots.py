"""What each service tells of the lots that it draws."""

from shared.values import Value


class LotSeedCommitted(Value):
    """The secret from which all lots of a tournament follow exists; this is its SHA-256."""

    tournament: str
    commitment: str


class LotDrawn(Value):
    """A lot put these in this order; it is recomputed from the purpose, them and the seed."""

    tournament: str
    purpose: str
    order: tuple[str, ...]


class LotSeedRevealed(Value):
    """The secret, so that everybody can check every lot."""

    tournament: str
    seed: str  # hexadecimal
