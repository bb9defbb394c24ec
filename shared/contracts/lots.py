"""What each service tells of the lots that it draws."""

from shared.values import Value


class LotSeedCommitted(Value):
    """The secret from which the lots of this service in a tournament follow exists; this is what is published of it.

    It is a hash of the secret, with the source that the lots are mixed with, if one was named.
    """

    tournament: str
    commitment: str
    source: str | None = None


class LotDrawn(Value):
    """A lot put these in this order; it is recomputed from the purpose, them, the seed and the value of the source."""

    tournament: str
    purpose: str
    order: tuple[str, ...]


class LotSeedRevealed(Value):
    """The secret, so that everybody can check every lot."""

    tournament: str
    seed: str  # hexadecimal
