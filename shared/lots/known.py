"""What registration has said of the lots of a tournament: what they follow from, and who has committed to a secret."""

from collections.abc import Iterable, Mapping

import msgspec

from shared.contracts.registration import LotsOpened, LotSourceMoved, TournamentAnnounced
from shared.lots import formula
from shared.lots.formula import LotKey
from shared.values import Value

TOLD = (TournamentAnnounced, LotSourceMoved, LotsOpened)


class LotsKnown(Value):
    source: str | None = None  # none: the lots follow from the secrets alone
    value: str | None = None  # of the source, once it is written down
    commitments: Mapping[str, str] = {}  # by service, as they were heard


def known_of(told: Iterable[msgspec.Struct]) -> LotsKnown:
    """The first value stands, whatever is said later."""
    known = LotsKnown()
    for one in told:
        match one:
            case TournamentAnnounced():
                known = LotsKnown(source=one.lot_source)
            case LotSourceMoved() if known.value is None:
                known = LotsKnown(source=one.source)
            case LotsOpened() if known.value is None:
                known = LotsKnown(source=one.source, value=one.value, commitments=one.commitments)
            case _:
                pass
    return known


def key_of(tournament: str, secret: bytes, known: LotsKnown) -> LotKey:
    if known.source is None or known.value is None:
        return LotKey(key=secret)
    return formula.mixed(secret, tournament=tournament, source=known.source, value=known.value)
